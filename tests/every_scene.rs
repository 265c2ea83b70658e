//! Every scene of the library, with every solver and each of its experiments, stays finite, and nothing in it had to be
//! stopped or guarded to that end.

use delassus::physics::setting::Value;
use delassus::scene::{library, library::scenes_folder};
use delassus::session::{Command, Session};
use rayon::prelude::*;

/// Enough steps to fall, hit and settle; few for the largest scenes.
fn steps(bodies: usize) -> u32 {
    match bodies {
        0..=100 => 600,
        101..=1_000 => 200,
        1_001..=20_000 => 40,
        _ => 2,
    }
}

/// What is wrong after some steps; nothing if all is well.
fn trouble(session: &mut Session) -> Option<String> {
    for _ in 0..steps(session.snapshot().bodies.len()) {
        if let Err(error) = session.dispatch(Command::Step) {
            return Some(error.to_string());
        }
    }
    let snapshot = session.snapshot();
    if let Some(trouble) = &snapshot.trouble {
        return Some(trouble.what.to_string());
    }
    for body in &snapshot.bodies {
        let finite = body.pose.position.is_finite() && body.pose.rotation.is_finite() && body.velocity.is_finite();
        if !(finite && body.spin.is_finite()) {
            return Some(format!("{} at {}", body.name, body.pose.position));
        }
    }
    let m = &snapshot.metrics;
    let finite = (m.kinetic_energy + m.potential_energy + m.joint_error_max + m.residual).is_finite();
    (!finite || m.stopped > 0 || m.guarded > 0).then(|| format!("{m:?}"))
}

/// Runs something with every scene, on as many threads as there are, and fails with all that went wrong.
fn every(run: impl Fn(&str, &mut Session) -> Vec<String> + Sync) {
    let scenes = library(&scenes_folder());
    assert!(scenes.len() >= 80, "the library was not found");
    let wrong: Vec<String> = scenes
        .par_iter()
        .flat_map_iter(|entry| {
            let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
            run(&entry.id, &mut session)
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_stopped_with_any_solver() {
    every(|scene, session| {
        // The direct solver is the reference for scenes of a size to look at.
        let direct = session.snapshot().bodies.len() <= 100;
        let methods = ["GaussSeidel", "Jacobi", "Direct"].into_iter().filter(|method| direct || *method != "Direct");
        let one = |method| {
            session.dispatch(Command::Set { name: "solver.method", value: Value::Choice(method) }).unwrap();
            session.dispatch(Command::Reset).unwrap();
            trouble(session).map(|what| format!("{scene}, {method}: {what}"))
        };
        methods.filter_map(one).collect()
    });
}

#[test]
fn nothing_is_stopped_in_any_experiment() {
    every(|scene, session| {
        let large = session.snapshot().bodies.len() > 1_000;
        let count = session.scene().map_or(0, |s| if large { 0 } else { s.experiments.len() });
        let one = |index| {
            session.dispatch(Command::ApplyExperiment(index)).unwrap();
            session.dispatch(Command::Reset).unwrap();
            let name = session.scene().unwrap().experiments[index].name.clone();
            trouble(session).map(|what| format!("{scene}, “{name}”: {what}"))
        };
        (0..count).filter_map(one).collect()
    });
}
