//! Every scene of the library stays finite with every solver, and nothing had to be stopped or guarded. The same of its
//! experiments is tested where their claims are.

use delassus_physics::setting::Value;
use delassus_physics::settings::Method;
use delassus_physics::world::World;
use delassus_scene::{library, library::scenes_folder};
use delassus_session::{Command, Session};
use rayon::prelude::*;

/// Enough steps to fall, hit and settle; fewer for the largest scenes.
fn steps(bodies: usize) -> u32 {
    match bodies {
        0..=100 => 600,
        101..=1_000 => 200,
        1_001..=20_000 => 40,
        _ => 2,
    }
}

/// The problem that occurs in some steps, if any. A run that is `meant` to run away gets more time, since the moment
/// is random.
fn trouble(session: &mut Session, meant: bool) -> Option<String> {
    let factor = if meant { 3 } else { 1 };
    let bodies = session.snapshot().bodies.len();
    // A step of the direct solver takes ten times as long; half of the steps are enough to fall and hit.
    let direct = session.settings().solver.method == Method::Direct && bodies > 30;
    let steps = if direct { steps(bodies) / 2 } else { steps(bodies) };
    for _ in 0..factor * steps {
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
        if !(finite && body.angular_velocity.is_finite()) {
            return Some(format!("{} at {}", body.name, body.pose.position));
        }
    }
    let m = &snapshot.metrics;
    let finite = (m.kinetic_energy + m.potential_energy + m.joint_error_max + m.residual).is_finite();
    // The book's cap on impulses is meant to act.
    let capped = session.settings().warm_start.impulse_cap > 0.0;
    (!finite || m.stopped > 0 || (m.guarded > 0 && !capped)).then(|| format!("{m:?}"))
}

/// Runs that are meant to run away: scene, solver or experiment.
const MEANT: [(&str, &str); 11] = [
    // Baumgarte's β feeds errors back, and five Jacobi sweeps leave most of them: docs/growth.md. Ten sweeps, split
    // impulses, no warm starting, or the safeguard with Baumgarte would each hold the ragdoll.
    ("book/24-everything", "Jacobi"),
    ("book/21-ragdoll", "Jacobi"),
    // Warm starting carries corrections on faster than the sweeps take them back: the joints open by hundreds of
    // metres.
    ("book/20-cv-limit", "Jacobi"),
    // The book's row that is only held together by its cap on impulses, without the cap.
    ("book/21-ragdoll", "The book's rows without its cap"),
    // Figure 9: impulses that are inconsistent after angular speeds were clamped (erratum 34).
    ("book/10-loose-chain", "Guard off, chapter 10's own (fig. 9)"),
    ("book/10-loose-chain", "The same, guard at 100,000"),
    // β = 2 and ω beyond 2/λmax: the scenes show the divergence.
    ("book/11-stabilisation", "β = 2"),
    ("rows/01-ball-socket", "β = 2, Baumgarte"),
    ("jacobi/01-chain-40", "ω = 1.1, past the bound"),
    ("jacobi/01-chain-40", "Warm start, 21 sweeps"),
    ("jacobi/02-chains-25", "ω = 1.1, past the bound"),
];

fn is_meant(scene: &str, name: &str) -> bool {
    MEANT.contains(&(scene, name))
}

/// The problem with the run of an experiment, which goes on for as long as scenes are run here.
pub fn experiment_trouble(scene: &str, name: &str, world: &mut World) -> Option<String> {
    let bodies = world.state.bodies.len() - 1;
    let until = if is_meant(scene, name) { 3 } else { 1 } * u64::from(steps(bodies));
    let mut breaks_off = false;
    while bodies <= 1_000 && world.state.step_count < until && !breaks_off {
        let before = world.state.step_count;
        world.step();
        world.wait();
        breaks_off = world.state.step_count == before;
    }
    let (metrics, report) = (world.metrics(), &world.report);
    let capped = world.settings.warm_start.impulse_cap > 0.0;
    let wrong = breaks_off || report.fault.is_some() || report.stopped > 0 || (report.guarded > 0 && !capped);
    let moving = world.state.bodies.iter().zip(&world.state.velocities);
    let finite = moving.into_iter().all(|(body, v)| {
        let placed = body.position.is_finite() && body.rotation.is_finite();
        placed && v.linear.is_finite() && v.angular.is_finite()
    });
    let energy = metrics.kinetic_energy + metrics.potential_energy + metrics.joint_error_max + metrics.residual;
    let trouble = (wrong || !finite || !energy.is_finite()).then(|| format!("{:?}, {metrics:?}", report.fault));
    judge(scene, name, trouble)
}

/// The problem with a run of a scene by a solver or as an experiment; one that is meant to run away has to.
fn judge(scene: &str, name: &str, trouble: Option<String>) -> Option<String> {
    match (is_meant(scene, name), trouble) {
        (true, Some(_)) | (false, None) => None,
        (true, None) => Some(format!("{scene}, “{name}” is meant to run away and does not")),
        (false, Some(what)) => Some(format!("{scene}, “{name}”: {what}")),
    }
}

/// Runs something with every scene, on all threads, and fails with all problems.
fn every(run: impl Fn(&str, &mut Session) -> Vec<String> + Sync) {
    let scenes = library::ordinary(&scenes_folder());
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
        // The direct solver is the reference for scenes of moderate size.
        let direct = session.snapshot().bodies.len() <= 100;
        let methods = ["GaussSeidel", "Jacobi", "Direct"].into_iter().filter(|method| direct || *method != "Direct");
        let one = |method| {
            session.dispatch(Command::Set { name: "solver.method", value: Value::Choice(method) }).unwrap();
            session.dispatch(Command::Reset).unwrap();
            judge(scene, method, trouble(session, is_meant(scene, method)))
        };
        methods.filter_map(one).collect()
    });
}
