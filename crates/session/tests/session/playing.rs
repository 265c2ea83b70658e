//! Time: playing, time budgets, stepping back.

use super::*;
use delassus_scene::{Body, ByTime};
use delassus_session::Edit;

#[test]
fn time_passes_only_while_playing() {
    let mut session = session();
    let frame = Duration::from_millis(50);
    assert_eq!(session.advance(frame, frame), 0);
    assert_eq!(session.alpha(), 1.0);
    session.dispatch(Command::Play).unwrap();
    assert_eq!(session.advance(frame, frame), 3);
    assert_eq!(session.snapshot().step, 3);
    session.dispatch(Command::SetSpeed(0.1)).unwrap();
    assert_eq!(session.advance(frame, frame), 0);
    assert!(session.alpha() > 0.2 && session.alpha() < 0.4, "{}", session.alpha());
    session.dispatch(Command::Step).unwrap();
    assert!(!session.playing() && session.alpha() == 1.0 && session.snapshot().step == 4);
}

#[test]
fn no_budget_still_makes_one_step_and_the_rest_is_dropped() {
    let mut session = session();
    session.dispatch(Command::Play).unwrap();
    for frame in 1..=50 {
        assert_eq!(session.advance(Duration::from_millis(100), Duration::ZERO), 1);
        assert_eq!(session.snapshot().step, frame);
    }
    assert!(session.behind() && session.real_time_factor() < 0.3);
}

#[test]
fn stepping_back_is_exact() {
    let mut session = session();
    let mut hashes = vec![session.snapshot().hash];
    for i in 0..60 {
        if i == 25 {
            set(&mut session, "solver.iterations", Value::Int(2));
        }
        hashes.push(hash_after(&mut session, 1));
    }
    for step in (26..60).rev() {
        session.dispatch(Command::StepBack).unwrap();
        assert_eq!((session.snapshot().step, session.snapshot().hash), (step, hashes[step as usize]));
        assert_eq!(session.samples().samples.back().unwrap().step, step);
    }
    // And forward again on the same course.
    assert_eq!(hash_after(&mut session, 4), hashes[30]);
    for _ in 0..30 {
        session.dispatch(Command::StepBack).unwrap();
    }
    assert_eq!(session.snapshot().hash, hashes[0]);
    assert!(matches!(session.dispatch(Command::StepBack), Err(SessionError::NoEarlierState)));
}

/// A lift on waypoints, a swinging platform in a pattern, a disc in a plane.
const MOVERS: &str = r#"(
    version: 1,
    title: "Movers",
    bodies: [
        (
            name: "lift",
            shape: Box(half: (1, 1, 0.1)),
            motion: Kinematic,
            mover: Waypoints(points: [(1, 0, 0), (1, 0, 1)], speed: 1, repeat: true),
        ),
        (name: "disc", shape: Sphere(radius: 0.2), at: (0, 0, 2), mass: 1, plane: (0, 1, 0)),
    ],
    patterns: [
        Stack(
            name: "swing",
            body: (
                shape: Box(half: (0.5, 0.5, 0.1)),
                at: (5, 0, 0),
                motion: Kinematic,
                mover: Sinusoid(velocity: (0, 1, 0), rate: 2),
            ),
            count: 2,
            spacing: (0, 0, 3),
        ),
    ],
)"#;

/// Time belongs to the state: stepping back and a reset also return the movers, and a kept pose continues as the run
/// would have.
#[test]
fn movers_go_back_and_on_with_time() {
    let mut session = Session::from_text(MOVERS, "test").unwrap_or_else(|e| panic!("{e}"));
    let begin = session.snapshot().hash;
    let hashes: Vec<u64> = (0..50).map(|_| hash_after(&mut session, 1)).collect();
    for step in (1..50).rev() {
        session.dispatch(Command::StepBack).unwrap();
        assert_eq!(session.snapshot().hash, hashes[step - 1]);
    }
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.snapshot().hash, begin);
    steps(&mut session, 50);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));

    let mut kept = Session::from_text(MOVERS, "test").unwrap_or_else(|e| panic!("{e}"));
    steps(&mut kept, 50);
    kept.dispatch(Command::KeepPose).unwrap();
    kept.dispatch(Command::Reset).unwrap();
    assert_eq!(kept.snapshot().time, 0.0);
    for _ in 0..100 {
        steps(&mut session, 1);
        steps(&mut kept, 1);
        for name in ["lift", "swing.0", "swing.1"] {
            let place = |session: &Session| {
                let snapshot = session.snapshot();
                snapshot.bodies.iter().find(|b| &*b.name == name).map(|b| b.pose.position).unwrap()
            };
            assert!(place(&session).distance(place(&kept)) < 1e-4, "{name}");
        }
    }
    let disc = kept.scene().unwrap().bodies.iter().find(|b| b.name == "disc").unwrap();
    assert_eq!(disc.plane, Some(Vec3::Y));
}

/// A kept pose keeps what a joint reads and its limits, by its zero; its drive goes on from the present time.
#[test]
fn a_kept_pose_keeps_what_a_joint_counts_from() {
    let scene = r#"(
        version: 1,
        title: "Servo",
        settings: (step: (gravity: (0, 0, 0))),
        bodies: [(name: "wheel", shape: Sphere(radius: 0.5), mass: 1, collide: false)],
        joints: [(
            name: "axle", b: "wheel", anchor: (0, 0, 0), axis: (0, 0, 1), by_time: Sinusoid(rate: 3),
            kind: Hinge(zero: Degrees(-90), limit: (0, 3), servo: (target: 1, hertz: 3, damping_ratio: 1)),
        )],
    )"#;
    let mut session = Session::from_text(scene, "test").unwrap_or_else(|e| panic!("{e}"));
    let value = |session: &Session| session.snapshot().joints[0].readout.value;
    assert!((value(&session) - 90f32.to_radians()).abs() < 1e-5);
    steps(&mut session, 40);
    let (before, time) = (value(&session), session.snapshot().time);
    assert!((before - 90f32.to_radians()).abs() > 0.2, "{before} rad");
    session.dispatch(Command::KeepPose).unwrap();
    session.dispatch(Command::Reset).unwrap();
    assert!((value(&session) - before).abs() < 1e-5, "{} rad, {before} before", value(&session));
    let kept = session.scene().unwrap().joints[0].clone();
    assert_eq!((kept.kind.zero(), kept.kind.range(0.0)), (-before, Some((0.0, 3.0))));
    let ByTime::Sinusoid { rate, phase } = kept.by_time else { panic!("{:?}", kept.by_time) };
    assert!(rate == 3.0 && (f64::from(phase.radians) - 3.0 * time).abs() < 1e-5, "{phase:?}");
}

/// A drive by a formula goes on from the present time, as it was written.
#[test]
fn a_kept_pose_goes_on_with_its_formula() {
    let scene = r#"(
        version: 1,
        title: "Formula",
        settings: (step: (gravity: (0, 0, 0))),
        bodies: [(name: "wheel", shape: Sphere(radius: 0.5), mass: 1, collide: false)],
        joints: [(
            name: "axle", b: "wheel", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: (speed: 2)),
            by_time: Formula(factor: "t * exp(-t)", start: 0.5),
        )],
    )"#;
    let mut session = Session::from_text(scene, "test").unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 40);
    let time = session.snapshot().time;
    session.dispatch(Command::KeepPose).unwrap();
    let kept = session.scene().unwrap().joints[0].clone();
    let ByTime::Formula { factor, start } = kept.by_time else { panic!("{:?}", kept.by_time) };
    assert!(factor.text() == "t * exp(-t)" && (f64::from(start) - 0.5 - time).abs() < 1e-6, "{start}");
}

/// A cam goes on from a kept pose at the place of its profile where its follower is.
#[test]
fn a_kept_pose_keeps_the_place_on_a_cam() {
    let scene = r#"(
        version: 1,
        title: "Cam",
        bodies: [
            (name: "cam", shape: Sphere(radius: 0.1), mass: 1, collide: false),
            (name: "rod", shape: Sphere(radius: 0.1), at: (0, 0, 0.5), mass: 1, collide: false),
        ],
        joints: [
            (name: "axle", b: "cam", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(motor: (speed: 2))),
            (name: "guide", b: "rod", axis: (0, 0, 1), kind: Prismatic),
            (
                name: "profile", a: "cam", b: "rod", axis: (0, -1, 0),
                kind: Cam(radii: [0.45, 0.4, 0.35, 0.3, 0.35, 0.45], roller: 0.05),
            ),
        ],
    )"#;
    let mut session = Session::from_text(scene, "test").unwrap_or_else(|e| panic!("{e}"));
    let value = |session: &Session| session.snapshot().joints[2].readout.value;
    let height = |session: &Session| session.snapshot().bodies[1].pose.position.z;
    steps(&mut session, 50);
    let (before, at) = (value(&session), height(&session));
    // Seen from the cam the follower turns the other way: −2 rad/s for 50/60 s.
    assert!((before + 2.0 * 50.0 / 60.0).abs() < 1e-3 && at < 0.48, "{before} rad, {at} m");
    session.dispatch(Command::KeepPose).unwrap();
    session.dispatch(Command::Reset).unwrap();
    assert!((value(&session) - before).abs() < 1e-4 && (height(&session) - at).abs() < 1e-6, "{}", value(&session));
    // A profile that had begun anew at the follower would push it by 0.1 m.
    steps(&mut session, 1);
    assert!((height(&session) - at).abs() < 0.01, "{} m after {at} m", height(&session));
}

/// The same of a joint with several angles, whose zero is a rotation.
#[test]
fn a_kept_pose_keeps_the_zero_of_six_axes() {
    let scene = r#"(
        version: 1,
        title: "Mount",
        settings: (step: (gravity: (0, 0, 0))),
        bodies: [(
            name: "ball", shape: Sphere(radius: 0.5), mass: 1, collide: false, velocity: (0, 0, 1),
            angular_velocity: (1, -2, 3),
        )],
        joints: [(
            name: "mount", b: "ball", anchor: (0, 0, 0),
            kind: SixDof(
                z: Free(limit: (-1, 1), servo: (stiffness: 20)),
                about_x: Free(limit: (-1, 1), servo: (stiffness: 2)), about_y: Free(), about_z: Free(),
                axes: (0.2, 0.4, -0.3),
            ),
        )],
    )"#;
    let mut session = Session::from_text(scene, "test").unwrap_or_else(|e| panic!("{e}"));
    let values = |session: &Session| {
        let read = session.snapshot().joints[0].readout;
        (read.slides, read.angles)
    };
    steps(&mut session, 20);
    let before = values(&session);
    assert!(before.1.length() > 0.5, "{before:?}");
    session.dispatch(Command::KeepPose).unwrap();
    session.dispatch(Command::Reset).unwrap();
    let kept = values(&session);
    assert!(kept.0.distance(before.0) < 1e-5 && kept.1.distance(before.1) < 1e-5, "{kept:?}, {before:?} before");
}

/// Two bodies under forces by time, one of them in a pattern.
const FORCES: &str = r#"(
    version: 1,
    title: "Forces",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (
            name: "swing",
            shape: Box(half: (1, 1, 0.1)),
            mass: 1,
            forces: [(force: (3, 0, 0), by_time: Sinusoid(rate: 2, phase: Degrees(30)))],
        ),
    ],
    patterns: [
        Stack(
            name: "ramp",
            body: (
                shape: Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
                at: (5, 0, 0),
                mass: 1,
                forces: [(force: (0, 1, 0), at: (1, 0, 0), frame: Body, by_time: Table(points: [(0, 0), (2, 2)]))],
                drag: (linear: 1),
            ),
            count: 2,
            spacing: (0, 0, 3),
        ),
    ],
)"#;

/// A kept pose has the forces of the present time: the accelerations are those of the run that went on. Bodies of a
/// pattern that are written out keep their forces, their points and their drag.
#[test]
fn forces_go_on_in_a_kept_pose() {
    let mut session = Session::from_text(FORCES, "test").unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 50);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
    let before = session.snapshot().forces.clone();
    session.dispatch(Command::KeepPose).unwrap();
    session.dispatch(Command::Reset).unwrap();
    assert_eq!((session.snapshot().time, session.snapshot().forces.len()), (0.0, before.len()));
    for (now, then) in session.snapshot().forces.iter().zip(&before) {
        assert!(now.force.distance(then.force) < 1e-4 && now.at.distance(then.at) < 1e-4, "{now:?}, {then:?}");
    }
    let scene = session.scene().unwrap();
    let ramp = scene.bodies.iter().find(|b| b.name == "ramp.1").expect("it is written out");
    assert!(ramp.forces[0].at.unwrap().distance(Vec3::X) < 1e-6);
    assert_eq!(ramp.drag.map(|drag| drag.linear), Some(1.0));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene().unwrap().bodies.len(), 1);
}

/// Broken joints are whole again after Reset and, exactly, before the step in which they broke.
#[test]
fn broken_joints_are_mended_by_going_back() {
    let text = SCENE
        .replace("anchor: (0, 0, 4), kind: BallSocket()", "anchor: (0, 0, 4), kind: BallSocket(), breaks: (force: 60)");
    let mut session = Session::from_text(&text, "test").unwrap();
    let broken = |session: &Session| session.snapshot().joints.iter().map(|j| j.broken.is_some()).collect::<Vec<_>>();
    let mut hashes = vec![session.snapshot().hash];
    while broken(&session) == [false, false] {
        hashes.push(hash_after(&mut session, 1));
        assert!(hashes.len() < 200, "two masses of 1 kg swing down: 6 m g = 120 N at the bottom");
    }
    let at = session.snapshot().step;
    let after = hash_after(&mut session, 20);
    assert_eq!((broken(&session), session.snapshot().metrics.broken), (vec![true, false], 1));
    for _ in 0..21 {
        session.dispatch(Command::StepBack).unwrap();
    }
    assert_eq!((session.snapshot().step, broken(&session)), (at - 1, vec![false, false]));
    assert_eq!(session.snapshot().hash, hashes[at as usize - 1]);
    assert_eq!(hash_after(&mut session, 21), after, "breaks again the same way");
    session.dispatch(Command::Reset).unwrap();
    assert_eq!((session.snapshot().hash, broken(&session)), (hashes[0], vec![false, false]));
}

/// The curve of a joint that is selected in mid-run begins with the scene, not where it was selected.
#[test]
fn the_watched_joint_is_sampled_from_the_scene_s_beginning() {
    let mut session = session();
    let mut values = vec![session.snapshot().joints[1].readout.value];
    for _ in 0..5 {
        session.dispatch(Command::Step).unwrap();
        values.push(session.snapshot().joints[1].readout.value);
    }
    assert!(session.samples().samples.iter().all(|s| s.watched.is_none()), "no motor, no stop: none unasked");
    session.dispatch(Command::Watch(1)).unwrap();
    let watched = |session: &Session| -> Vec<f32> {
        session.samples().samples.iter().map(|s| s.watched.filter(|w| w.joint == 1).unwrap().value).collect()
    };
    assert_eq!(watched(&session), values);
    session.dispatch(Command::StepBack).unwrap();
    session.dispatch(Command::StepBack).unwrap();
    values.truncate(4);
    assert_eq!(watched(&session), values);
    session.dispatch(Command::Step).unwrap();
    let read = session.snapshot().joints[1].readout;
    let last = session.samples().samples.back().unwrap().watched.expect("joint 1 is there");
    assert_eq!((last.joint, last.value, last.speed), (1, read.value, read.speed));
    session.dispatch(Command::Watch(99)).unwrap();
    session.dispatch(Command::Step).unwrap();
    assert!(session.samples().samples.back().unwrap().watched.is_none(), "no such joint");
}

/// The plots begin with the scene and end now, whatever happens to it.
#[test]
fn samples_begin_with_the_scene_and_end_at_the_present() {
    let mut session = session();
    let whole = |session: &Session, what: &str| {
        let (samples, snapshot) = (&session.samples().samples, session.snapshot());
        assert_eq!((samples[0].time, samples[0].step), (0.0, 0), "{what}");
        let last = samples.back().unwrap();
        assert_eq!((last.time, last.step), (snapshot.time, snapshot.step), "{what}");
        assert_eq!(last.metrics.energy(), snapshot.metrics.energy(), "{what}: of the world as it is now");
        assert!(samples.iter().zip(samples.iter().skip(1)).all(|(a, b)| a.step + 1 == b.step), "{what}: without a gap");
    };
    let lift = |at: f32| {
        let mut body = session_body("box");
        body.at.z = at;
        Command::Edit { edit: Edit::Body { name: "box".into(), body: Box::new(body) }, gesture: None }
    };
    whole(&session, "opened");
    session.dispatch(lift(3.0)).unwrap();
    whole(&session, "edited before the first step");
    // The box of 2 kg was raised by 2.5 m under 10 m/s².
    steps(&mut session, 30);
    session.dispatch(lift(5.0)).unwrap();
    whole(&session, "edited in mid-run");
    steps(&mut session, 5);
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    whole(&session, "an experiment");
    for back in 0..8 {
        session.dispatch(Command::StepBack).unwrap();
        whole(&session, &format!("{} steps back", back + 1));
    }
    steps(&mut session, 3);
    whole(&session, "on again");
    session.dispatch(Command::Undo).unwrap();
    whole(&session, "undone");
    session.dispatch(Command::Reset).unwrap();
    whole(&session, "reset");
    assert_eq!(session.samples().samples.len(), 1);
    steps(&mut session, 4);
    session.dispatch(Command::New).unwrap();
    whole(&session, "a new scene");
    assert_eq!(session.samples().samples.len(), 1, "nothing is left of the scene before");
}

fn session_body(name: &str) -> Body {
    session().body_entry(name).expect("the body")
}

/// The curve of a joint is not confused with that of another joint which has its number after an edit.
#[test]
fn the_watched_joint_is_followed_through_edits() {
    let mut session = session();
    session.dispatch(Command::Watch(1)).unwrap();
    steps(&mut session, 3);
    let name = session.snapshot().joints[0].name.to_string();
    let kept: Vec<_> = session.samples().samples.iter().map(|s| s.watched.map(|w| w.value)).collect();
    let remove = Edit::Remove { bodies: vec![], joints: vec![name] };
    session.dispatch(Command::Edit { edit: remove, gesture: None }).unwrap();
    assert_eq!(session.watched(), Some(0), "it was the second and is the first now");
    let samples = &session.samples().samples;
    assert!(samples.iter().filter_map(|s| s.watched).all(|w| w.joint == 0));
    let values: Vec<_> = samples.iter().map(|s| s.watched.map(|w| w.value)).collect();
    assert_eq!(values[..3], kept[..3]);
    // In the other direction: its own curve is not continued by the joint that takes its number.
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.watched(), Some(1));
    session.dispatch(Command::Watch(0)).unwrap();
    steps(&mut session, 2);
    let name = session.snapshot().joints[0].name.to_string();
    let remove = Edit::Remove { bodies: vec![], joints: vec![name] };
    session.dispatch(Command::Edit { edit: remove, gesture: None }).unwrap();
    assert_eq!(session.watched(), None);
    assert!(session.samples().samples.iter().all(|s| s.watched.is_none()));
}
