//! The verdict on a run: every rule with a run that breaks it and one that does not, and the cures.

use delassus_doctor::verdict::{self, Judge, Trial};

use super::{Loaded, Rule, findings, load};
use delassus_physics::world::World;

/// A scene with these bodies, joints and settings, which begin with the default.
fn scene(bodies: &str, joints: &str, settings: &str) -> Loaded {
    load(&format!("(version: 1, title: \"t\", settings: ({settings}), bodies: [{bodies}], joints: [{joints}])"))
}

/// Runs a scene and returns the judge, and the world at the beginning and at the end.
fn judged(loaded: &Loaded, seconds: f64) -> (Judge, World, World) {
    let beginning = loaded.flat.world(loaded.scene.settings.settings());
    let (mut world, mut judge) = (beginning.clone(), Judge::default());
    while world.state.time < seconds {
        world.step();
        judge.watch(&world);
    }
    (judge, beginning, world)
}

fn rules(loaded: &Loaded, seconds: f64) -> Vec<Rule> {
    judged(loaded, seconds).0.breaches().iter().map(|breach| breach.rule).collect()
}

/// A chain of balls, 0.25 m apart, that is let go level.
fn chain(count: usize, settings: &str) -> Loaded {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 1..count {
        bodies += &format!(
            r#"(name: "b{k}", shape: Sphere(radius: 0.1), at: ({}, 0, 8), mass: 1, collide: false),"#,
            0.25 * k as f32
        );
        let above = if k == 1 { "world".to_owned() } else { format!("b{}", k - 1) };
        joints += &format!(
            r#"(name: "j{k}", a: "{above}", b: "b{k}", anchor: ({}, 0, 8), kind: BallSocket),"#,
            0.25 * k as f32 - 0.125
        );
    }
    scene(&bodies, &joints, settings)
}

/// An arm of links in a row, each 1 m and 2 kg, held level by motors at speed 0.
fn arm(links: usize, settings: &str) -> Loaded {
    arm_beside("", links, settings)
}

/// Such an arm, and other bodies.
fn arm_beside(others: &str, links: usize, settings: &str) -> Loaded {
    let (mut bodies, mut joints) = (others.to_owned(), String::new());
    for k in 0..links {
        bodies += &format!(
            r#"(name: "l{k}", shape: Box(half: (0.5, 0.05, 0.05)), at: ({}, 0, 2), mass: 2, collide: false),"#,
            k as f32 + 0.5
        );
        let above = if k == 0 { "world".to_owned() } else { format!("l{}", k - 1) };
        joints += &format!(
            r#"(name: "m{k}", a: "{above}", b: "l{k}", anchor: ({k}, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0, max_torque: 2000))),"#
        );
    }
    scene(&bodies, &joints, settings)
}

const FLOOR: &str = r#"(name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),"#;

#[test]
fn a_chain_that_tears_open_is_not_trusted() {
    let loaded = chain(20, "preset: SingleStep, step: (max_turn: 0)");
    let (judge, beginning, _) = judged(&loaded, 3.0);
    let breaches = judge.breaches();
    let gap = breaches.iter().find(|breach| breach.rule == Rule::Gap).expect("it gapes");
    // Twice the lever arm of 0.125 m, which is more than the ball's diameter: 1 % of it are 2.5 mm.
    assert!((gap.size - 0.25).abs() < 1e-6 && gap.value > verdict::GAP * gap.size, "{gap:?}");
    assert!(gap.joint.is_some() && gap.since > 0.1, "{gap:?}");
    let words = gap.what(|_| "j7", |_| "b");
    assert!(words.contains("j7 gapes") && words.contains("% of a link of 0.250 m"), "{words}");
    // Sub-steps cure it, and that was tried.
    let cure = verdict::cure(&Trial { beginning, breach: *gap }).expect("a cure");
    assert!(cure.label().contains("sub-steps") || cure.label().contains("direct"), "{}", cure.label());
}

#[test]
fn a_chain_that_swings_at_the_default_is_trusted() {
    assert_eq!(rules(&chain(6, ""), 3.0), []);
}

#[test]
fn an_arm_whose_motors_sag_is_not_trusted_and_one_that_holds_is() {
    let sags = rules(&arm(6, "preset: SingleStep, solver: (rows: Tree)"), 2.0);
    assert!(sags.contains(&Rule::Slip) || sags.contains(&Rule::Forces), "{sags:?}");
    let (judge, beginning, _) = judged(&arm(6, "solver: (rows: Tree)"), 2.0);
    let breach = judge.breaches()[0];
    let cure = verdict::cure(&Trial { beginning, breach }).expect("a cure");
    assert_eq!(cure.label(), "Solve mechanisms exactly");
    assert_eq!(rules(&arm(6, "solver: (method: Direct)"), 2.0), []);
    assert_eq!(rules(&arm(6, ""), 2.0), [], "the default solves it as one block");
    assert_eq!(rules(&arm(1, ""), 2.0), []);
}

/// A box on the floor beside the arm: the step is compared with the one at which the sweeps arrive, too.
#[test]
fn an_arm_that_sags_beside_a_box_on_the_floor_is_not_trusted() {
    let beside = format!(r#"{FLOOR} (name: "box", shape: Box(half: (0.2, 0.2, 0.2)), at: (0, 3, 0.2), mass: 1),"#);
    let found = rules(&arm_beside(&beside, 6, "solver: (rows: Block), step: (substeps: 1)"), 2.0);
    assert!(found.contains(&Rule::Forces), "{found:?}");
    assert_eq!(rules(&arm_beside(&beside, 6, ""), 2.0), []);
}

/// A car with four driven wheels can stand on three of them. In some steps the direct solver finds that, and lets the
/// fourth wheel spin.
#[test]
fn a_car_on_four_cylinders_is_trusted() {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for (k, (x, y)) in [(0.6, 0.55), (0.6, -0.55), (-0.6, 0.55), (-0.6, -0.55)].into_iter().enumerate() {
        bodies += &format!(
            r#"(name: "w{k}", shape: Cylinder(radius: 0.3, half_length: 0.08), at: ({x}, {y}, 0.3), mass: 10,
            rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90)), friction: 0.8),"#
        );
        joints += &format!(
            r#"(a: "car", b: "w{k}", anchor: ({x}, {y}, 0.3), axis: (0, 1, 0),
            kind: Hinge(motor: (speed: 20, max_torque: 30))),"#
        );
    }
    let car = r#"(name: "car", shape: Box(half: (0.8, 0.4, 0.1)), at: (0, 0, 0.4), mass: 200),"#;
    assert_eq!(rules(&scene(&format!("{FLOOR} {car} {bodies}"), &joints, ""), 2.0), []);
}

/// A motor without a cap of its own pulls at a taut rope with all that a motor may.
#[test]
fn a_motor_without_a_cap_that_is_stuck_is_told() {
    let bodies = r#"(name: "s", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 1), mass: 2, collide: false)"#;
    let joints = |motor: &str| {
        format!(
            r#"(b: "s", anchor: (0, 0, 1), axis: (1, 0, 0), kind: Prismatic(motor: ({motor}))),
            (b: "s", anchor_a: (-0.5, 0, 1), anchor_b: (0, 0, 0), kind: Rope(length: 0.8))"#
        )
    };
    assert_eq!(rules(&scene(bodies, &joints("speed: 0.3"), ""), 3.0), [Rule::Slip]);
    assert_eq!(rules(&scene(bodies, &joints("speed: 0.3, max_force: 50"), ""), 3.0), [], "its cap stops it");
}

#[test]
fn bodies_that_are_pressed_into_each_other_are_not_trusted() {
    let stack = |settings: &str| {
        let cubes = r#"(name: "light", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 0.1), mass: 0.1),
            (name: "heavy", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 0.3), mass: 1000)"#;
        scene(&format!("{FLOOR} {cubes}"), "", settings)
    };
    let found = rules(&stack("preset: SingleStep, solver: (iterations: 2)"), 1.0);
    assert!(found.contains(&Rule::Penetration), "{found:?}");
}

/// An impact opens a joint for some steps; that is no breach.
#[test]
fn an_impact_is_no_breach() {
    let bodies = format!(
        r#"{FLOOR} (name: "a", shape: Box(half: (0.2, 0.2, 0.2)), at: (0, 0, 2), mass: 1),
        (name: "b", shape: Box(half: (0.2, 0.2, 0.2)), at: (0.5, 0, 2), mass: 1)"#
    );
    let found = rules(&scene(&bodies, r#"(a: "a", b: "b", anchor: (0.25, 0, 2), kind: BallSocket)"#, ""), 4.0);
    assert_eq!(found, []);
}

#[test]
fn a_motor_at_its_cap_is_said_and_no_slip() {
    let loaded = {
        let body = r#"(name: "l", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.5, 0, 2), mass: 2, collide: false)"#;
        let hinge =
            r#"(name: "m", b: "l", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0, max_torque: 5)))"#;
        scene(body, hinge, "")
    };
    let (judge, _, world) = judged(&loaded, 0.3);
    assert_eq!(judge.breaches(), []);
    // The load is m g/2 · 1 m = 9.81 N·m, the cap 5.
    assert_eq!(verdict::at_cap(&world).collect::<Vec<_>>(), [(0, 5.0)]);
    let found = findings(&loaded);
    let weak = found.iter().find(|finding| finding.rule == Rule::Weak).expect("it is too weak");
    assert!(weak.what.contains("5.00 N·m") && weak.what.contains("9.81 N·m"), "{}", weak.what);
}

/// A motor that follows a sinusoid moves at other speeds than its own, which is no slip.
#[test]
fn a_motor_that_follows_the_time_does_not_slip() {
    let wheel = {
        let body =
            r#"(name: "w", shape: Cylinder(radius: 0.5, half_length: 0.05), at: (0, 0, 2), mass: 10, collide: false)"#;
        let hinge = r#"(name: "m", b: "w", anchor: (0, 0, 2), axis: (0, 0, 1), by_time: Sinusoid(rate: 3),
            kind: Hinge(motor: (speed: 4, max_torque: 1000)))"#;
        scene(body, hinge, "")
    };
    assert_eq!(rules(&wheel, 5.0), []);
}

/// A chain of thick bars whose spins exchange energy all the time. The swing of its impulses' work was taken for growth
/// though the energy was constant within 0.5 %.
#[test]
fn a_chain_whose_energy_swings_is_trusted_and_one_whose_energy_grows_is_not() {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..3 {
        let spin = if k == 2 { "(0.5, 0.2, 0.1)" } else { "(0, 0, 0)" };
        bodies += &format!(
            r#"(name: "b{k}", shape: Box(half: (0.5, 0.3, 0.1)), at: ({}, 0, 5), mass: 1, collide: false,
                angular_velocity: {spin}),"#,
            k as f32 + 0.5
        );
        let above = if k == 0 { "world".to_owned() } else { format!("b{}", k - 1) };
        joints += &format!(r#"(name: "j{k}", a: "{above}", b: "b{k}", anchor: ({k}, 0, 5), kind: BallSocket),"#);
    }
    let run = |settings: &str| rules(&scene(&bodies, &joints, settings), 120.0);
    assert_eq!(run(""), []);
    let fed = "preset: SingleStep, solver: (iterations: 3), stabilization: (method: Baumgarte, beta: 0.9)";
    assert!(run(fed).contains(&Rule::Energy) || run(fed).contains(&Rule::Gap), "{:?}", run(fed));
}

/// A rope whose end was in its drum had no row and no error, and the run was trusted.
#[test]
fn a_rope_that_is_lost_in_its_drum_is_not_trusted() {
    let scene = |x: f32, stabilization: &str| {
        scene(
            &format!(
                r#"(name: "drum", shape: Cylinder(radius: 0.15, half_length: 0.1), at: (0, 0, 0), motion: Static,
                   rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(-90)), collide: false),
                   (name: "load", shape: Sphere(radius: 0.05), at: ({x}, 0, 0), mass: 70, collide: false)"#
            ),
            r#"(name: "haul", a: "drum", b: "load", axis: (0, 1, 0), kind: Drum(radius: 0.15, length: 5))"#,
            &format!("stabilization: (method: {stabilization}), step: (gravity: (0, 0, 0))"),
        )
    };
    // Without stabilisation nothing drives it out.
    let lost = scene(-0.2, "Off");
    let mut world = lost.flat.world(lost.scene.settings.settings());
    let mut judge = Judge::default();
    while world.state.time < 0.5 {
        world.state.bodies[2].position.x = -0.05;
        world.step();
        judge.watch(&world);
    }
    let breaches = judge.breaches();
    assert_eq!(breaches.iter().map(|breach| breach.rule).collect::<Vec<_>>(), [Rule::Gap]);
    // 1.05 r − 0.05 m of the drum's diameter.
    assert!((breaches[0].value - 0.1075).abs() < 1e-4 && (breaches[0].size - 0.3).abs() < 1e-6, "{breaches:?}");
    assert!(rules(&scene(-0.2, "Off"), 0.5).is_empty());
    // Between the rim and where its hook stops, the doctor says so and the rope's end is driven away.
    let near = scene(-0.153, "Rattle");
    let found = findings(&near);
    assert!(found.iter().any(|own| own.rule == Rule::Limit && own.what.contains("nearer to its drum")), "{found:?}");
    assert!(rules(&near, 1.0).is_empty());
}

/// Energy that ideal joints take is a breach from 5 % of the motion on, and is told as taken.
#[test]
fn energy_that_ideal_joints_take_is_a_breach() {
    let chain = chain(4, "");
    for (share, breaks) in [(-0.04, false), (-0.08, true), (0.08, true)] {
        let mut world = chain.flat.world(chain.scene.settings.settings());
        let mut judge = Judge::default();
        while world.state.time < 2.0 {
            world.step();
            if world.state.time > 1.0 {
                let motion = world.state.injected.ideal_kinetic_energy();
                let more = share * motion - world.state.injected.ideal();
                world.state.injected.add_ideal(more, 0.0, 0.0);
            }
            judge.watch(&world);
        }
        let breach = judge.breaches().into_iter().find(|breach| breach.rule == Rule::Energy);
        assert_eq!(breach.is_some(), breaks, "{share} of the motion: {breach:?}");
        let what = breach.map_or(String::new(), |breach| breach.what(|_| "", |_| ""));
        assert_eq!(what.contains("have taken"), share < -0.05, "{what}");
    }
}

/// Loads at rest do work on the rounding of places, and where nothing is loaded rounding is all that there is. Most welded
/// arms, small swings and mechanisms in weightlessness were not to be trusted.
#[test]
fn rounding_is_no_breach() {
    let beam = |degrees: f32, mass: f32, joints: &str| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let body = format!(
            r#"(name: "b", shape: Box(half: (0.6, 0.05, 0.04)), at: ({}, 0.3, {}), mass: {mass},
            rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees({degrees})))"#,
            0.6 * cos,
            2.0 - 0.6 * sin
        );
        scene(&body, joints, "")
    };
    let weld = r#"(b: "b", anchor: (0, 0.3, 2), kind: Fixed)"#;
    let lock = r#"(b: "b", anchor: (0, 0.3, 2), axis: (0, 1, 0), kind: Hinge(limit: (0, 0)))"#;
    for (degrees, mass) in [(30.0, 4.0), (70.7, 2.36), (10.0, 17.0), (-45.0, 0.8)] {
        for joints in [weld, lock] {
            assert!(rules(&beam(degrees, mass, joints), 6.0).is_empty(), "{degrees}°, {mass} kg, {joints}");
        }
    }
    let pendulum = r#"(b: "b", anchor: (0, 0.3, 2), axis: (0, 1, 0), kind: Hinge)"#;
    for degrees in [89.5, 89.0, 88.0] {
        assert!(rules(&beam(degrees, 1.0, pendulum), 10.0).is_empty(), "a swing from {degrees}°");
    }
    let floating = beam(20.0, 1.0, weld);
    let mut weightless = floating.scene.settings.settings();
    weightless.step.gravity = glam::Vec3::ZERO;
    let (mut world, mut judge) = (floating.flat.world(weightless), Judge::default());
    while world.state.time < 3.0 {
        world.step();
        judge.watch(&world);
    }
    assert!(judge.breaches().is_empty(), "{:?}", judge.breaches());
}
