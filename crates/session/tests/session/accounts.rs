//! The energy ledger while the simulation runs: the accounts made on the way equal those made afterwards, and sum to
//! the run's change.

use delassus_physics::balance::{CAUSES, Share};
use delassus_session::{Accounts, Motion};

use super::*;

const LONG: Duration = Duration::from_secs(60);
const FRAME: Duration = Duration::from_millis(17);

/// Step, time, the sum of all causes, and the measured change.
fn list(accounts: &Accounts) -> Vec<(u64, f64, Share, Share)> {
    accounts.list().iter().map(|a| (a.step, a.time, a.balance.sum(), a.balance.change)).collect()
}

/// The accounts of the whole current run, computed at once.
fn anew(session: &Session, steps: u64) -> Vec<(u64, f64, Share, Share)> {
    let mut accounts = Accounts::default();
    keep_up(&mut accounts, session, steps);
    list(&accounts)
}

/// Follows until nothing is left to compute.
fn keep_up(accounts: &mut Accounts, session: &Session, steps: u64) {
    let begun = std::time::Instant::now();
    loop {
        accounts.update(session, steps, LONG);
        if !accounts.unfinished() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
        assert!(begun.elapsed() < LONG, "it ends");
    }
}

/// Plays until this many more steps are made, and keeps the accounts up to date.
fn play(session: &mut Session, accounts: &mut Accounts, steps: u64) {
    let end = session.snapshot().step + steps;
    session.dispatch(Command::Play).unwrap();
    while session.snapshot().step < end {
        session.advance(FRAME, FRAME);
        accounts.update(session, 240, FRAME);
        std::thread::sleep(Duration::from_millis(4));
    }
    session.dispatch(Command::Pause).unwrap();
}

/// The box falls over, is pulled, and a setting changes: the accounts made on the way equal those made afterwards,
/// bit for bit; the causes of each step sum to the measured change within 1 %, and that is the change of the run's
/// own energy.
#[test]
fn the_ledger_fills_while_time_runs() {
    for ahead in [false, true] {
        let mut session = session();
        session.run_ahead(ahead);
        let mut accounts = Accounts::default();
        play(&mut session, &mut accounts, 40);
        let moving = session.snapshot().bodies.iter().find(|b| b.motion == Motion::Dynamic).cloned().expect("one");
        let target = moving.pose.position + Vec3::new(0.3, 0.2, 0.4);
        session.dispatch(Command::MouseJoint { body: moving.id, point: Vec3::ZERO, target }).unwrap();
        play(&mut session, &mut accounts, 30);
        session.dispatch(Command::Release).unwrap();
        set(&mut session, "solver.iterations", Value::Int(3));
        play(&mut session, &mut accounts, 30);
        assert!(accounts.list().len() > 20, "{} steps were accounted for in passing", accounts.list().len());
        let passing = list(&accounts);
        let all = anew(&session, 240);
        assert_eq!(all.len() as u64, session.snapshot().step);
        for own in &passing {
            assert!(all.contains(own), "ahead: {ahead}, step {}", own.0);
        }
        keep_up(&mut accounts, &session, 240);
        assert_eq!(list(&accounts), all, "what was left out is made up");
        let energy = |step: u64| {
            let sample = session.samples().samples.iter().find(|sample| sample.step == step).expect("it is noted");
            sample.metrics.energy()
        };
        for account in accounts.list() {
            let (sum, change) = (account.balance.sum().energy(), account.balance.change.energy());
            let gross: f64 = CAUSES.iter().map(|cause| account.balance.of(*cause).energy().abs()).sum();
            assert!((sum - change).abs() <= 0.01 * gross + 1e-5, "step {}: {sum} of {change} J", account.step);
            let run = energy(account.step) - energy(account.step - 1);
            // The 32-bit accuracy of energies of this size.
            let rounding = 1e-6 * energy(account.step).abs().max(1.0) * 8.0;
            let off = (change - run).abs();
            assert!(off <= 0.01 * gross + rounding, "step {}: {change} of {run} J", account.step);
        }
    }
}

/// After going back and taking another course, the accounts of the abandoned course are gone; the same after a reset.
#[test]
fn another_branch_has_accounts_of_its_own() {
    let mut session = session();
    let mut accounts = Accounts::default();
    play(&mut session, &mut accounts, 50);
    keep_up(&mut accounts, &session, 240);
    let end = session.snapshot().step;
    session.dispatch(Command::Seek(30)).unwrap();
    keep_up(&mut accounts, &session, 240);
    assert_eq!(list(&accounts), anew(&session, 240), "what comes behind is there, too");
    assert_eq!(accounts.list().back().map(|account| account.step), Some(end));
    set(&mut session, "step.gravity", Value::Vector(Vec3::new(0.0, 3.0, -5.0)));
    play(&mut session, &mut accounts, 12);
    keep_up(&mut accounts, &session, 240);
    assert_eq!(list(&accounts), anew(&session, 240));
    session.dispatch(Command::Reset).unwrap();
    steps(&mut session, 5);
    keep_up(&mut accounts, &session, 240);
    assert_eq!(list(&accounts), anew(&session, 240));
    assert_eq!(accounts.list().len(), 5);
}
