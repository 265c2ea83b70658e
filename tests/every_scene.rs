//! Every scene of the library, with every solver and each of its experiments, stays finite.

use delassus::physics::setting::Value;
use delassus::scene::{library, library::scenes_folder};
use delassus::session::{Command, Session};

/// Enough steps to fall, hit and settle; few for the largest scenes.
fn steps(bodies: usize) -> u32 {
    match bodies {
        0..=100 => 600,
        101..=1_000 => 200,
        1_001..=20_000 => 40,
        _ => 2,
    }
}

fn stays_finite(session: &mut Session, what: &str) {
    for _ in 0..steps(session.snapshot().bodies.len()) {
        session.dispatch(Command::Step).unwrap();
    }
    let snapshot = session.snapshot();
    for body in &snapshot.bodies {
        let finite = body.pose.position.is_finite() && body.pose.rotation.is_finite() && body.velocity.is_finite();
        assert!(finite && body.spin.is_finite(), "{what}: {} at {}", body.name, body.pose.position);
    }
    let m = &snapshot.metrics;
    assert!((m.kinetic_energy + m.potential_energy + m.joint_error_max + m.residual).is_finite(), "{what}: {m:?}");
}

#[test]
fn stays_finite_with_every_solver() {
    let scenes = library(&scenes_folder());
    assert!(scenes.len() >= 10, "the library was not found");
    for entry in scenes {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        for method in ["GaussSeidel", "Jacobi", "Direct"] {
            // The direct solver is the reference for scenes of a size to look at.
            if method == "Direct" && session.snapshot().bodies.len() > 100 {
                continue;
            }
            session.dispatch(Command::Set { name: "solver.method", value: Value::Choice(method) }).unwrap();
            session.dispatch(Command::Reset).unwrap();
            stays_finite(&mut session, &format!("{}, {method}", entry.id));
        }
    }
}

#[test]
fn stays_finite_in_every_experiment() {
    for entry in library(&scenes_folder()) {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        if session.snapshot().bodies.len() > 1_000 {
            continue;
        }
        for index in 0..session.scene().map_or(0, |s| s.experiments.len()) {
            session.dispatch(Command::ApplyExperiment(index)).unwrap();
            session.dispatch(Command::Reset).unwrap();
            let name = session.scene().unwrap().experiments[index].name.clone();
            stays_finite(&mut session, &format!("{}, “{name}”", entry.id));
        }
    }
}
