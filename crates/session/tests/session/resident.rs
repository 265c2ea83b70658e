//! Large scenes of trees, which are stepped in the articulations and stay there: whatever is read, undone, pulled or
//! broken, the bits are those of a world that updates its bodies in each step.

use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::row::RowList;
use delassus_physics::world::World;
use delassus_session::{Edit, JointNeeds, Placed, Snapshot, SnapshotNeeds};
use glam::Quat;

use super::*;

/// Chains on ball joints and a hinged one with a free end, with more bodies than are stepped in one batch; a beam
/// whose weld breaks once the ball that hangs on it swings fast enough, and a pendulum that reaches its stop.
const CHAINS: &str = r#"(
    version: 1,
    title: "Chains",
    settings: (
        step: (rate: 60),
        solver: (method: GaussSeidel, rows: Tree, threads: 2),
        stabilization: (method: Split),
        contact: (enabled: false),
    ),
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, -3, 6), motion: Static),
        (name: "beam", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.6, -3, 6), mass: 1),
        (name: "load", shape: Sphere(radius: 0.1), at: (3.1, -3, 6), mass: 1),
        (name: "bob", shape: Box(half: (0.4, 0.1, 0.1)), at: (0.4, -5, 6), mass: 1),
    ],
    joints: [
        (name: "weld", a: "post", b: "beam", anchor: (0.1, -3, 6), kind: Fixed(), breaks: (force: 25)),
        (name: "string", a: "beam", b: "load", anchor: (1.1, -3, 6), kind: BallSocket()),
        (name: "stop", a: "world", b: "bob", anchor: (0, -5, 6), axis: (0, 1, 0), kind: Hinge(limit: (-1, 1))),
    ],
    patterns: [
        Grid(
            name: "chain",
            count: (1, 6, 6),
            spacing: (0, 0.4, 0.4),
            of: Chain(
                body: (shape: Sphere(radius: 0.1), at: (0, 0, 6), mass: 1, collide: false),
                count: 20,
                spacing: (0.25, 0, 0),
                joint: (kind: BallSocket),
                first: Static,
            ),
        ),
        Chain(
            name: "hinged",
            body: (shape: Box(half: (0.1, 0.05, 0.02)), at: (0, 4, 6), mass: 0.3, angular_velocity: (0, 9, 1),
                collide: false),
            count: 12,
            spacing: (0.25, 0, 0),
            joint: (kind: Hinge(), axis: (0, 1, 0)),
        ),
    ],
)"#;

const STEPS: u64 = 70;

fn chains() -> Session {
    Session::from_text(CHAINS, "chains").unwrap_or_else(|e| panic!("{e}"))
}

/// The scene's world, which updates everything in each step.
fn plain() -> World {
    let mut world = chains().world().unwrap().clone();
    world.pipeline.executor.resident = false;
    world
}

/// Plays until this many steps have been made.
fn play_until(session: &mut Session, step: u64) {
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    session.dispatch(Command::Play).unwrap();
    while session.snapshot().step < step {
        assert_eq!(session.advance(frame, Duration::from_secs(10)), 1);
    }
}

fn assert_shows(snapshot: &Snapshot, world: &World) {
    assert_eq!(snapshot.step, world.state.step_count);
    for (view, body) in snapshot.bodies.iter().zip(&world.state.bodies[1..]) {
        let pose = (view.pose.position, view.pose.rotation, view.centre);
        assert_eq!(pose, (body.shape_origin(), body.rotation, body.position), "{}", view.name);
    }
}

fn assert_shows_joints(snapshot: &Snapshot, world: &World) {
    for (view, joint) in snapshot.joints.iter().zip(&world.state.joints) {
        let ends = joint.frames(&world.state.bodies);
        let place = snapshot.place(view);
        assert_eq!((place.anchor_a, place.anchor_b), (ends.pa(), ends.pb()), "{}", view.name);
        assert_eq!((place.axis_a, place.axis_b), (ends.axis_a, ends.axis_b), "{}", view.name);
        assert_eq!((view.readout, view.broken), (joint.readout, joint.broken), "{}", view.name);
    }
}

#[test]
fn what_is_shown_of_a_run_in_articulations_is_what_a_world_reads_that_is_brought_up_to_date() {
    let (mut session, mut world) = (chains(), plain());
    let mut trees = 0;
    for _ in 0..STEPS {
        world.step();
        trees = trees.max(world.report.trees);
        steps(&mut session, 1);
        let snapshot = session.snapshot();
        assert!(snapshot.is_complete());
        assert_shows(snapshot, &world);
        assert_shows_joints(snapshot, &world);
        assert_eq!(snapshot.hash, world.hash());
        let (found, expected) = (snapshot.metrics, world.metrics());
        assert_eq!((found.broken, found.rows, found.residual), (expected.broken, expected.rows, expected.residual));
        // Computed by lanes there, one by one here: an inertia in world axes has 32 bits.
        let near = |a: f64, b: f64, all: f64| assert!((a - b).abs() <= 1e-6 * all, "{a} and {b} of {all}");
        near(found.energy(), expected.energy(), expected.kinetic_energy + expected.potential_energy.abs());
        near(found.momentum.distance(expected.momentum), 0.0, expected.momentum.length());
        let spin = expected.angular_momentum;
        near(found.angular_momentum.distance(spin), 0.0, spin.length());
        assert!((found.joint_error_max - expected.joint_error_max).abs() <= 1e-6 * (1.0 + expected.joint_error_max));
    }
    assert!(trees > 30 && session.snapshot().metrics.broken == 1, "{trees} trees, and the weld has given way");
    // Whoever reads the world itself finds it up to date, and its joints one by one give the same values.
    let (read, list) = (session.world().unwrap(), &mut RowList::default());
    assert!(
        read.state
            .bodies
            .iter()
            .zip(&world.state.bodies)
            .all(|(a, b)| a.position == b.position && a.rotation == b.rotation)
    );
    assert!((0..world.state.joints.len()).all(|j| read.state.joints[j].readout == read.joint_now(j, list).1));
}

/// The scene without the weld that may break, because each step of a scene whose joints may break is examined
/// completely.
fn unbreakable() -> Session {
    let text = CHAINS.replace(", breaks: (force: 25)", "");
    assert_ne!(text, CHAINS);
    Session::from_text(&text, "chains").unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn what_nobody_looks_at_is_not_made_while_it_plays_and_all_of_it_once_it_stands_still() {
    let mut session = unbreakable();
    let mut world = session.world().unwrap().clone();
    (0..12).for_each(|_| world.step());
    let at_first = session.snapshot().clone();
    let weld = session.snapshot().joints.iter().position(|j| &*j.name == "weld").unwrap();
    session.set_needs(SnapshotNeeds { joints: JointNeeds::These(vec![weld]), ..SnapshotNeeds::POSES });
    play_until(&mut session, 12);
    let snapshot = session.snapshot();
    assert_shows(snapshot, &world);
    assert!(!snapshot.is_complete() && session.samples().samples.len() == 1);
    assert_eq!((snapshot.hash, snapshot.metrics.energy()), (at_first.hash, at_first.metrics.energy()), "not made");
    assert_eq!(snapshot.metrics.rows, world.report.row_count, "what the step counts is");
    for (index, (view, joint)) in snapshot.joints.iter().zip(&world.state.joints).enumerate() {
        let ends = joint.frames(&world.state.bodies);
        let place = snapshot.place(view);
        assert_eq!((place.anchor_a, place.axis_b), (ends.pa(), ends.axis_b), "places follow from the poses");
        assert!((snapshot.error(view) - joint.readout.error).abs() <= 1e-6 * (1e-3 + joint.readout.error));
        let before = at_first.joints[index].readout;
        assert_eq!(view.readout, if index == weld { joint.readout } else { before }, "{}", view.name);
    }
    session.dispatch(Command::Pause).unwrap();
    assert!(session.snapshot().is_complete());
    assert_shows(session.snapshot(), &world);
    assert_shows_joints(session.snapshot(), &world);
    assert_eq!(session.snapshot().hash, world.hash());
    // Summed up in another order.
    let (found, expected) = (session.snapshot().metrics.energy(), world.metrics().energy());
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} and {expected}");
    // Curves begin where someone starts looking again: the values in between are unknown.
    session.set_needs(SnapshotNeeds::ALL);
    play_until(&mut session, 14);
    assert_eq!(session.samples().samples.iter().map(|s| s.step).collect::<Vec<_>>(), [13, 14]);
}

#[test]
fn pictures_lie_between_the_last_two_states_however_many_steps_a_frame_makes() {
    let mut session = unbreakable();
    let mut world = session.world().unwrap().clone();
    session.set_needs(SnapshotNeeds::POSES);
    session.dispatch(Command::Play).unwrap();
    for count in [1, 3, 2, 1] {
        assert_eq!(session.advance(Duration::from_secs_f64(f64::from(count) / 60.0), Duration::from_secs(10)), count);
        (1..count).for_each(|_| world.step());
        let before: Vec<Vec3> = world.state.bodies[1..].iter().map(|body| body.shape_origin()).collect();
        world.step();
        assert_shows(session.snapshot(), &world);
        let previous: Vec<Vec3> = session.snapshot().bodies.iter().map(|body| body.previous.position).collect();
        assert_eq!(previous, before);
    }
}

/// A break is noticed in its step whatever is shown, and going back across it and forward again gives the same bits.
#[test]
fn a_joint_that_breaks_beside_articulations_is_told_in_its_step_and_whole_again_before_it() {
    let mut world = plain();
    let mut hashes = vec![world.hash()];
    let broken = |world: &World| world.state.joints.iter().filter(|j| j.broken.is_some()).count();
    let mut at = 0;
    for step in 1..=STEPS {
        world.step();
        hashes.push(world.hash());
        if at == 0 && broken(&world) > 0 {
            at = step;
        }
    }
    assert!(at > 2 && at < STEPS, "it breaks in mid-run, in step {at}");
    let mut session = chains();
    session.set_needs(SnapshotNeeds::POSES);
    play_until(&mut session, at - 1);
    assert_eq!(session.snapshot().metrics.broken, 0);
    play_until(&mut session, at);
    assert_eq!(session.snapshot().metrics.broken, 1);
    assert!(session.snapshot().joints.iter().any(|j| j.broken.is_some()));
    play_until(&mut session, STEPS);
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.snapshot().hash, hashes[STEPS as usize]);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
    for step in (at - 2..STEPS).rev() {
        session.dispatch(Command::StepBack).unwrap();
        let snapshot = session.snapshot();
        assert_eq!((snapshot.step, snapshot.hash), (step, hashes[step as usize]));
        assert_eq!(snapshot.metrics.broken, usize::from(step >= at));
    }
    play_until(&mut session, STEPS);
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.snapshot().hash, hashes[STEPS as usize], "and on again the same way");
}

#[test]
fn pulls_settings_and_edits_reach_what_is_in_articulations() {
    let (mut session, mut world) = (unbreakable(), unbreakable().world().unwrap().clone());
    session.set_needs(SnapshotNeeds::POSES);
    let id = session.snapshot().bodies.iter().find(|b| &*b.name == "chain.14.15").unwrap().id;
    let pull = MouseJoint { body: id, point: Vec3::ZERO, target: Vec3::new(3.0, 1.0, 8.0) };
    let ahead = |world: &mut World, steps: u32| (0..steps).for_each(|_| world.step());
    play_until(&mut session, 10);
    ahead(&mut world, 10);
    session.dispatch(Command::MouseJoint { body: pull.body, point: pull.point, target: pull.target }).unwrap();
    let held = session.snapshot().mouse_joint.unwrap();
    assert_eq!(held.point, world.state(id).0, "the hand holds the bead where it is now");
    world.state.mouse_joint = Some(pull);
    play_until(&mut session, 25);
    ahead(&mut world, 15);
    assert_shows(session.snapshot(), &world);
    session.dispatch(Command::Release).unwrap();
    set(&mut session, "step.substeps", Value::Int(2));
    (world.state.mouse_joint, world.settings.step.substeps) = (None, 2);
    play_until(&mut session, 40);
    ahead(&mut world, 15);
    assert_shows(session.snapshot(), &world);
    assert_eq!(session.replayed_hash(), Some(world.hash()));
    // A ray hits the bodies at their current positions.
    let (centre, _, _) = world.state(id);
    let hit = session.pick_where(centre + Vec3::Y, -Vec3::Y, |body| body == id).unwrap();
    assert!((hit.point - (centre + Vec3::Y * 0.1)).length() < 1e-3, "{}", hit.point);
    // Editing another body leaves the chains where they are, and an undo takes the run back to them.
    let at = Vec3::new(5.0, -5.0, 6.0);
    let placed = Placed { name: "bob".into(), at, rotation: Quat::IDENTITY };
    session.dispatch(Command::Edit { edit: Edit::Place(vec![placed]), gesture: None }).unwrap();
    for (view, body) in
        session.snapshot().bodies.iter().zip(&world.state.bodies[1..]).filter(|(v, _)| &*v.name != "bob")
    {
        assert_eq!((view.centre, view.pose.rotation), (body.position, body.rotation), "{}", view.name);
    }
    play_until(&mut session, 50);
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!((session.snapshot().step, session.snapshot().hash), (40, world.hash()), "the moment before the edit");
    ahead(&mut world, 5);
    assert_eq!(hash_after(&mut session, 5), world.hash());
}

#[test]
fn what_runs_away_in_articulations_pauses_the_run_in_its_step() {
    // A chain that is attached to nothing, just below the speed that counts as an explosion, continues to fall.
    let text =
        CHAINS.replace(", breaks: (force: 25)", "").replace("angular_velocity: (0, 9, 1)", "velocity: (0, 0, -99999)");
    let mut session = Session::from_text(&text, "chains").unwrap_or_else(|e| panic!("{e}"));
    let mut world = session.world().unwrap().clone();
    while world.report.fault.is_none() {
        world.step();
        assert!(world.report.trees > 0 && world.state.step_count < 60);
    }
    let step = world.state.step_count;
    assert!(step > 1, "it is well at first");
    session.set_needs(SnapshotNeeds::POSES);
    session.dispatch(Command::Play).unwrap();
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    (0..step).for_each(|_| assert_eq!(session.advance(frame, Duration::from_secs(10)), 1));
    assert!(!session.playing() && session.snapshot().is_complete());
    assert_eq!(session.snapshot().trouble.as_ref().map(|trouble| trouble.step), Some(step));
    assert_eq!((session.snapshot().metrics.stopped, session.snapshot().hash), (world.report.stopped, world.hash()));
}

/// The kept states of such a run share the lists of bodies and joints: a copy consists of the articulations alone.
#[test]
fn kept_states_are_articulations_alone() {
    let mut world = unbreakable().world().unwrap().clone();
    world.pipeline.executor.resident = true;
    (0..3).for_each(|_| world.step());
    world.share();
    let copy = world.clone();
    world.step();
    assert!(
        world.is_behind()
            && world.state.bodies.shares_list_with(&copy.state.bodies)
            && world.state.joints.shares_list_with(&copy.state.joints)
    );
    assert!(world.bytes_beside() < world.bytes() / 4, "{} of {}", world.bytes_beside(), world.bytes());
}
