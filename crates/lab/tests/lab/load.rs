//! The load across a cut: by Newton it equals the change of momentum of what is inside, whatever is cut.

use delassus_lab::load;
use delassus_session::{Command, Session};
use glam::Vec3;

/// A weight on two rods and a box sliding down a slope, on a plate that lies on the ground.
const SCENE: &str = r#"(
    version: 1, title: "cuts",
    settings: (preset: SingleStep, step: (rate: 240), solver: (iterations: 200), stabilization: (method: Off)),
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "slope", shape: Box(half: (2, 2, 0.1)), at: (4, 0, 1.2), motion: Static, rotation: Euler(y: 0.4)),
        (name: "box", shape: Box(half: (0.3, 0.3, 0.3)), at: (4, 0, 1.72), mass: 3, friction: 0.1, rotation: Euler(y: 0.4)),
        (name: "upper", shape: Box(half: (0.5, 0.1, 0.1)), at: (-0.5, 0, 3), mass: 2, collide: false),
        (name: "lower", shape: Box(half: (0.5, 0.1, 0.1)), at: (-1.5, 0, 3), mass: 1, collide: false),
    ],
    joints: [
        (a: "world", b: "upper", anchor: (0, 0, 3), axis: (0, 1, 0), kind: Hinge()),
        (a: "upper", b: "lower", anchor: (-1, 0, 3), axis: (0, 1, 0), kind: Hinge()),
    ],
)"#;

/// For each set the impulse F h equals the change of its momentum Σ m v, up to the rounding of the sweeps.
#[test]
fn the_net_force_across_any_cut_is_the_change_of_momentum() {
    let mut session = Session::from_text(SCENE, "cuts.ron").expect("the scene is right");
    let sets: [&[u32]; 5] = [&[3], &[4], &[5], &[4, 5], &[3, 4, 5]];
    let h = 1.0 / 240.0;
    for step in 0..200 {
        let before: Vec<Vec3> = session.snapshot().bodies.iter().map(|body| body.velocity).collect();
        session.dispatch(Command::Step).expect("a step");
        let snapshot = session.snapshot();
        let gravity = session.settings().step.gravity;
        for set in sets {
            let load = load::load(snapshot, set, gravity, h).expect("a set");
            let change = |id: &u32| {
                let body = snapshot.body(*id).expect("a body");
                body.mass * (body.velocity - before[*id as usize - 1])
            };
            let change: Vec3 = set.iter().map(change).sum();
            let off = (load.net().force * h - change).length();
            // A thousandth of the weight's impulse.
            assert!(off < 1e-3 * load.mass * 9.81 * h + 2e-5, "{set:?} in step {step}: off by {off} N·s of {change}");
        }
        assert_eq!(
            load::load(snapshot, &[4, 5], gravity, h).expect("a set").cut,
            (1, 0),
            "the joint within is not cut"
        );
    }
    assert!(load::load(session.snapshot(), &[], Vec3::ZERO, h).is_none());
    assert!(load::load(session.snapshot(), &[99], Vec3::ZERO, h).is_none());
}

/// A bar of mass m and length l, hinged at one end and held level by a second hinge at the other. Each hinge bears m
/// g/2, and their torques about the bar's centre cancel; about the whole cut there is no net torque.
#[test]
fn forces_and_torques_of_a_bar_at_rest_cancel() {
    let text = r#"(
        version: 1, title: "bar", settings: (preset: SingleStep),
        bodies: [(name: "bar", shape: Box(half: (1, 0.1, 0.1)), at: (0, 0, 2), mass: 4)],
        joints: [
            (a: "world", b: "bar", anchor: (-1, 0, 2), kind: BallSocket),
            (a: "world", b: "bar", anchor: (1, 0, 2), kind: BallSocket),
        ],
    )"#;
    let mut session = Session::from_text(text, "bar.ron").expect("the scene is right");
    (0..60).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let gravity = session.settings().step.gravity;
    let load = load::load(session.snapshot(), &[1], gravity, session.settings().h()).expect("a set");
    let weight = 4.0 * 9.81;
    assert!((load.joints.force.z - weight).abs() < 1e-3 * weight, "{}", load.joints.force);
    assert!(load.net().force.length() < 1e-3 * weight && load.net().torque.length() < 1e-3 * weight, "{load:?}");
    assert_eq!((load.mass, load.cut), (4.0, (2, 0)));
}
