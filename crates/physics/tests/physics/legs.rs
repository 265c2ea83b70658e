//! How robots share their weight among legs whose joints are held, at the default settings. Statics alone leave the
//! shares open; the contacts take those of the least Σ K λ², so legs that are alike bear alike.

use std::fmt::Write;

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

use crate::build::{G, close, run};

const FLOOR: &str =
    r#"(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0.9)"#;
/// A motor that holds its joint.
const HOLDS: &str = "Hinge(motor: (speed: 0, max_torque: 400))";

fn world(bodies: &str, joints: &str) -> World {
    let text = format!("(version: 1, title: \"legs\", bodies: [{FLOOR}, {bodies}], joints: [{joints}])");
    let loaded = read_str(&text, "legs.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// A trunk of 30 kg with `n` legs of 2 kg and feet of 1 kg in a circle; `kind` is that of all joints, `forces` act on the
/// trunk.
fn with_legs(n: u32, kind: &str, forces: &str) -> World {
    let mut bodies = format!(
        r#"(name: "trunk", shape: Cylinder(radius: 0.6, half_length: 0.1), at: (0, 0, 0.85), mass: 30, forces: [{forces}])"#
    );
    let mut joints = String::new();
    for k in 0..n {
        let turn = 360.0 * (f64::from(k) + 0.5) / f64::from(n);
        let (sin, cos) = turn.to_radians().sin_cos();
        let (x, y) = (0.6 * cos, 0.6 * sin);
        let turned = format!("rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees({turn}))");
        let (leg_x, leg_y) = (1.2 * x, 1.2 * y);
        let _ = write!(
            bodies,
            r#", (name: "leg{k}", shape: Box(half: (0.03, 0.03, 0.3)), at: ({leg_x}, {leg_y}, 0.4), mass: 2, {turned})
            , (name: "foot{k}", shape: Box(half: (0.08, 0.05, 0.05)), at: ({leg_x}, {leg_y}, 0.05), mass: 1, {turned})"#
        );
        let axis = if kind.starts_with("Hinge") { format!("axis: ({}, {cos}, 0),", -sin) } else { String::new() };
        let _ = write!(
            joints,
            r#"(name: "hip{k}", a: "trunk", b: "leg{k}", anchor: ({x}, {y}, 0.75), {axis} kind: {kind}),
            (name: "ankle{k}", a: "leg{k}", b: "foot{k}", anchor: ({leg_x}, {leg_y}, 0.1), {axis} kind: {kind}),"#
        );
    }
    world(&bodies, &joints)
}

/// The load on each foot, N. Body 0 is the world, 1 the floor, 2 the trunk.
fn loads(world: &World, feet: &[u32]) -> Vec<f32> {
    let h = world.settings.h();
    let of = |foot: &u32| {
        let touching = world.tractions().filter(|traction| traction.a == *foot || traction.b == *foot);
        touching.map(|traction| traction.load).sum::<f32>() / h
    };
    feet.iter().map(of).collect()
}

/// n legs in a circle: each bears m g/n. Before, four bore 135, 75, 132 and 70 N of 103, six 22 to 140 N of 78.
#[test]
fn legs_in_a_circle_bear_equal_parts() {
    for kind in [HOLDS, "Fixed"] {
        for n in [2, 3, 4, 6] {
            let mut world = with_legs(n, kind, "");
            for seconds in [0.1, 0.4] {
                run(&mut world, seconds);
                let equal = (30.0 + 3.0 * n as f32) * G / n as f32;
                let feet: Vec<u32> = (0..n).map(|k| 4 + 2 * k).collect();
                for (k, load) in loads(&world, &feet).into_iter().enumerate() {
                    close(&format!("{kind}, {n} legs, foot {k}"), load, equal, 2e-3 * equal);
                }
            }
        }
    }
}

/// Two legs in a squat. Of the half that stands on one leg, the knee bears the pelvis and the thigh, the ankle the thigh
/// and the shank: knee 20 g · 0.229431 + 8 g · 0.114716, ankle −(8 + 4) g · 0.114715 N·m. Before, the left knee bore 63
/// N·m and the right one 45.
#[test]
fn both_legs_of_a_squat_bear_the_same() {
    let (mut bodies, mut joints) = (
        r#"(name: "pelvis", shape: Box(half: (0.1, 0.18, 0.1)), at: (0, 0, 0.855322), mass: 40)"#.to_owned(),
        String::new(),
    );
    for (side, y) in [("L", 0.12), ("R", -0.12)] {
        let leaning = |degrees: i32| format!("rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees({degrees}))");
        let _ = write!(
            bodies,
            r#", (name: "foot {side}", shape: Box(half: (0.12, 0.05, 0.03)), at: (0.03, {y}, 0.03), mass: 1.5, friction: 0.9)
            , (name: "shank {side}", shape: Capsule(radius: 0.04, half_length: 0.16), at: (0.114715, {y}, 0.26383), {}, mass: 4, collide: false)
            , (name: "thigh {side}", shape: Capsule(radius: 0.06, half_length: 0.14), at: (0.114715, {y}, 0.591491), {}, mass: 8, collide: false)"#,
            leaning(35),
            leaning(-35)
        );
        let of = |joint: &str, a: &str, b: &str, (x, z): (f32, f32)| {
            format!(
                r#"(name: "{joint} {side}", a: "{a}", b: "{b}", anchor: ({x}, {y}, {z}), axis: (0, 1, 0), kind: {HOLDS}),"#
            )
        };
        joints += &of("ankle", &format!("foot {side}"), &format!("shank {side}"), (0.0, 0.1));
        joints += &of("knee", &format!("shank {side}"), &format!("thigh {side}"), (0.229431, 0.427661));
        joints += &of("hip", &format!("thigh {side}"), "pelvis", (0.0, 0.755322));
    }
    let mut world = world(&bodies, &joints);
    let (knee, ankle) = (20.0 * G * 0.229431 + 8.0 * G * 0.114716, -12.0 * G * 0.114715);
    for seconds in [0.2, 2.0] {
        run(&mut world, seconds);
        for leg in 0..2 {
            let motor = |joint: usize| world.state.joints[3 * leg + joint].readout.motor;
            close(&format!("knee {leg}"), motor(1), knee, 2e-3 * knee);
            close(&format!("ankle {leg}"), motor(0), ankle, 2e-3 * knee);
        }
    }
}

/// What the history has given to one leg does not stay with it: a load that stands on one side for half a second and is
/// taken away leaves the four legs with equal loads.
#[test]
fn a_load_that_is_taken_away_leaves_no_trace() {
    let push = "(force: (0, 0, -100), at: (0.4, 0.2, 0), by_time: Table(points: [(0, 1), (0.5, 1), (0.51, 0)]))";
    let mut world = with_legs(4, HOLDS, push);
    let (feet, equal) = ([4, 6, 8, 10], 42.0 * G / 4.0);
    run(&mut world, 0.4);
    let loaded = loads(&world, &feet);
    close("all feet", loaded.iter().sum(), 4.0 * equal + 100.0, 1.0);
    assert!(loaded[0] > equal + 40.0, "the load stands on the first foot: {loaded:?}");
    run(&mut world, 1.5);
    loads(&world, &feet).into_iter().for_each(|load| close("foot", load, equal, 5e-3 * equal));
}
