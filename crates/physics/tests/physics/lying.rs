//! Round bodies that lie along each other, or along the edges of boxes, at the default settings.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

use crate::build::{close, run};

fn world(bodies: &str) -> World {
    let text = format!("(version: 1, title: \"logs\", bodies: [{bodies}])");
    let loaded = read_str(&text, "logs.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// A log along y, turned by `askew` degrees about z, of radius `r` and half length 1.5 r.
fn log(name: &str, shape: &str, r: f32, [x, z]: [f32; 2], askew: f32, more: &str) -> String {
    let half = 1.5 * r;
    format!(
        r#"(name: "{name}", shape: {shape}(radius: {r}, half_length: {half}), at: ({x}, 0, {z}),
        rotation: Euler(x: Degrees(90), z: Degrees({askew})), mass: 1 {more})"#
    )
}

/// The last body stays at the height `z`, m, and its speeds vanish.
fn rests(what: &str, world: &mut World, z: f32, most: f32) {
    run(world, 4.0);
    let (body, velocity) = (world.state.bodies.last().expect("a body"), world.state.velocities.last().expect("a body"));
    close(&format!("{what}: height"), body.position.z, z, most);
    let speed = velocity.linear.length().max(velocity.angular.length());
    assert!(speed < 1e-3, "{what}: still moves at {speed}");
}

/// A log on two that stand still, r apart from theirs: √3 r above their middles. With one point for two capsules it spun and sank
/// for ever, and small ones fell through.
#[test]
fn a_log_rests_on_two_others() {
    for r in [0.2f32, 0.01, 0.005] {
        for (shape, askew) in [("Capsule", 0.0), ("Capsule", 0.3), ("Cylinder", 0.0), ("Cylinder", 0.3)] {
            let still = ", motion: Static";
            let height = 3.0f32.sqrt() * r;
            let bodies = [
                log("l", shape, r, [-r, 0.0], 0.0, still),
                // The other way round.
                log("m", shape, r, [r, 0.0], 180.0, still),
                log("t", shape, r, [0.0, height], askew, ""),
            ];
            rests(&format!("{shape} of {r} m, {askew}°"), &mut world(&bodies.join(",")), height, 0.02 * r);
        }
    }
}

/// Three logs on the floor stand if their friction is above tan 15° between them, and a third of that on the floor.
#[test]
fn a_pyramid_of_three_logs_stands() {
    for shape in ["Capsule", "Cylinder"] {
        let r = 0.2f32;
        let mu = 1.2 * 15f32.to_radians().tan();
        let own = format!(", friction: {mu}");
        let floor =
            r#"(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0.2)"#;
        let height = r + 3.0f32.sqrt() * r;
        let bodies = [
            floor.to_owned(),
            log("l", shape, r, [-r, r], 0.0, &own),
            log("r", shape, r, [r, r], 180.0, &own),
            log("t", shape, r, [0.0, height], 0.0, &own),
        ];
        rests(shape, &mut world(&bodies.join(",")), height, 1e-3);
    }
}

/// A log across the slot between two boxes lies on their edges: √(r² − w²) above these.
#[test]
fn a_log_rests_in_a_slot() {
    for (shape, r) in [("Cylinder", 0.2f32), ("Capsule", 0.2), ("Cylinder", 0.02), ("Capsule", 0.02)] {
        for askew in [0.0, 1.0] {
            let (w, half) = (0.7 * r, r);
            let height = (r * r - w * w).sqrt();
            let stone = |name: &str, side: f32| {
                format!(
                    r#"(name: "{name}", shape: Box(half: ({half}, {}, {half})), at: ({}, 0, {}), motion: Static,
                    friction: 0.6)"#,
                    3.0 * r,
                    side * (w + half),
                    -half
                )
            };
            // Let go a little above.
            let log = log("t", shape, r, [0.0, height + 0.03 * r], askew, ", friction: 0.6");
            let mut world = world(&[stone("a", -1.0), stone("b", 1.0), log].join(","));
            rests(&format!("{shape} of {r} m, {askew}°"), &mut world, height, 0.02 * r);
        }
    }
}

/// Two capsules that meet side by side exchange their velocities and do not turn.
#[test]
fn capsules_meet_with_their_sides() {
    let text = r#"(version: 1, title: "t", settings: (step: (gravity: (0, 0, 0))), bodies: [
        (name: "a", shape: Capsule(radius: 0.1, half_length: 0.4), at: (-0.5, 0, 0), mass: 1, velocity: (4, 0, 0), restitution: 1),
        (name: "b", shape: Capsule(radius: 0.1, half_length: 0.4), at: (0, 0, 0), mass: 1, restitution: 1)])"#;
    let loaded = read_str(text, "t.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    run(&mut world, 0.5);
    let [a, b] = [1, 2].map(|body| world.state.velocities[body]);
    close("first", a.linear.x, 0.0, 1e-3);
    close("second", b.linear.x, 4.0, 1e-3);
    assert!(a.angular.length().max(b.angular.length()) < 1e-3, "{a:?} {b:?}");
}

/// A disc that rolls and leans touches at one point, which has no twist about the normal: it leans on and turns. With the
/// other rim, 2 mm above the floor, in its patch it stood up within a second.
#[test]
fn a_leaning_coin_is_not_erected() {
    let (r, lean) = (0.3f32, 0.1f32);
    let half = 0.01f32;
    // Its lower rim is on the floor; it turns at the rate at which a thin disc of this lean and speed rolls in a circle.
    let z = r * lean.cos() + half * lean.sin();
    let text = format!(
        r#"(version: 1, title: "coin", bodies: [
        (name: "floor", shape: Box(half: (100, 100, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 1.5),
        (name: "c", shape: Cylinder(radius: {r}, half_length: {half}), at: (0, 0, {z}),
        rotation: AxisAngle(axis: (1, 0, 0), angle: {}), mass: 2, velocity: (5, 0, 0),
        angular_velocity: (0, {}, {}), friction: 1.5)])"#,
        lean - std::f32::consts::FRAC_PI_2,
        5.0 / r * lean.cos(),
        5.0 / r * lean.sin(),
    );
    let loaded = read_str(&text, "coin.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(Settings::default());
    run(&mut world, 2.0);
    let axis = world.state.bodies[2].rotation * glam::Vec3::Z;
    close("lean", axis.z.abs().asin(), lean, 0.03);
}
