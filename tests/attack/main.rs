//! Attacks: structurally mutated scenes and settings, random shapes and mechanisms, scenes of a grammar, bodies thrown
//! at slabs, and a program killed while it saves. Each input is either rejected with a message that has a position, or
//! runs and stays finite or reports that it did not; nothing panics, and nothing grows without bound.
//!
//! Bounded and seeded: every run is the same. `scripts/attack --count N` runs more, through `DELASSUS_ATTACK` and
//! `DELASSUS_SEED`.

mod dice;
mod formulas;
mod grammar;
mod grammar_joints;
mod kill;
mod mechanisms;
mod mutate;
mod nasty;
mod scenes;
mod shapes;
mod tunnel;
mod work;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use delassus::physics::world::World;
use dice::Dice;

/// The number of trials of a test that takes the `share`-th part.
fn count(share: u64) -> u64 {
    let asked = std::env::var("DELASSUS_ATTACK").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(2000_u64).div_ceil(share)
}

/// The seed of all trials.
fn seed() -> u64 {
    std::env::var("DELASSUS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// Makes `count` random trials. A failure does not end the others; at the end the first few are reported, each with
/// the number that reproduces it.
fn attack(what: &str, count: u64, one: impl Fn(&mut Dice) -> Result<(), String>) {
    let found: Vec<_> = (0..count).filter_map(|number| trial(what, (number, count), &one)).collect();
    report(count, &found);
}

/// The same on all processors, for the longest. Each trial has its own dice, so they are the same ones.
fn attack_at_once(what: &str, count: u64, one: impl Fn(&mut Dice) -> Result<(), String> + Sync) {
    let (next, found) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                for number in numbers.take_while(|number| *number < count) {
                    let failure = trial(what, (number, count), &one);
                    found.lock().expect("no panic").extend(failure);
                }
            });
        }
    });
    report(count, &found.into_inner().expect("no panic"));
}

/// Makes one trial; what went wrong, with the number that reproduces it.
fn trial(what: &str, (number, count): (u64, u64), one: &impl Fn(&mut Dice) -> Result<(), String>) -> Option<String> {
    // A long attack reports its progress.
    if number > 0 && number.is_multiple_of(1 + count / 10) {
        println!("{what} {number} of {count}");
    }
    let mut dice = Dice::new(seed().wrapping_mul(0x1_0000_0001).wrapping_add(number));
    let failure = match catch_unwind(AssertUnwindSafe(|| one(&mut dice))) {
        Ok(Ok(())) => return None,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            format!("panicked: {}", text.unwrap_or_default())
        }
    };
    Some(format!("{what} {number} of seed {}: {failure}", seed()))
}

fn report(count: u64, found: &[String]) {
    let first: Vec<_> = found.iter().take(10).map(String::as_str).collect();
    assert!(found.is_empty(), "{} of {count} went wrong\n{}", found.len(), first.join("\n"));
}

/// Runs a few steps; a state that is not finite must have been reported.
fn run(world: &mut World, steps: u32) -> Result<(), String> {
    for _ in 0..steps {
        world.step();
        if world.state.contacts.excess.is_some() || world.report.work.is_over() {
            return Ok(());
        }
        let reported = world.report.fault.is_some();
        let bad = world.state.bodies.iter().zip(&world.state.velocities).position(|(body, velocity)| {
            !(body.position.is_finite() && body.rotation.is_finite() && velocity.is_finite())
        });
        if let Some(body) = bad {
            return Err(format!("body {body} is not finite at step {}, told: {reported}", world.state.step_count));
        }
        let m = world.metrics();
        let sums = [m.kinetic_energy, m.potential_energy, m.spring_energy, m.momentum.length(), m.residual];
        let worst = [m.joint_error_max, m.joint_error_mean, m.angular_error_max, m.penetration_max];
        if !reported && !sums.iter().chain(&worst).all(|v| v.is_finite()) {
            return Err(format!("a measure is not finite at step {}: {m:?}", world.state.step_count));
        }
    }
    Ok(())
}
