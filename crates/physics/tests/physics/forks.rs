//! Loops that pass poses in which all their bars lie in one line, where they can go on in two ways: they keep their energy.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use glam::Vec3;

/// A scene with this gravity along −z, at the default settings for the rest.
fn world(gravity: f32, bodies: &str, joints: &str) -> World {
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::NEG_Z * gravity;
    let text = format!("(version: 1, title: \"loop\", bodies: [{bodies}], joints: [{joints}])");
    delassus_scene::read_str(&text, "loop.ron").expect("a scene").flat.world(settings)
}

/// Runs for `seconds`; the energy stays within a share of the largest kinetic energy.
fn keeps_its_energy(what: &str, mut world: World, seconds: f64, share: f64) {
    let begin = world.metrics().energy();
    let (mut most, mut motion) = (0.0f64, 0.0f64);
    while world.state.time < seconds {
        world.step();
        most = most.max((world.metrics().energy() - begin).abs());
        motion = motion.max(world.metrics().kinetic_energy);
    }
    assert!(most < share * motion, "{what}: {most} J of a motion of {motion} J");
}

/// Two cranks of 0.5 m, 1 m apart, and a coupler as long: in one line twice a turn. With gravity each crank turns over the
/// top from 80°. It lost up to half of its energy in four seconds.
#[test]
fn a_parallelogram_keeps_its_energy() {
    for (gravity, spin) in [(9.81f32, 5.0f32), (9.81, 10.0), (9.81, 20.0), (0.0, 5.0)] {
        let (sine, cosine) = f32::to_radians(80.0).sin_cos();
        let (bar, hinge) = (format!("angular_velocity: (0, {}, 0)", -spin), "axis: (0, -1, 0), kind: Hinge()");
        let (mut bodies, mut joints) = (String::new(), String::new());
        for (name, x) in [("a", 0.0), ("b", 1.0)] {
            bodies += &format!(
                "(name: \"{name}\", shape: Box(half: (0.25, 0.02, 0.02)), at: ({}, 0, {}), mass: 1, collide: false, {bar}, \
                 rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(-80)), velocity: ({}, 0, {})),",
                x + 0.25 * cosine,
                2.0 + 0.25 * sine,
                -0.25 * spin * sine,
                0.25 * spin * cosine,
            );
            joints += &format!("(b: \"{name}\", anchor: ({x}, 0, 2), {hinge}),");
            let end = format!("anchor: ({}, 0, {})", x + 0.5 * cosine, 2.0 + 0.5 * sine);
            joints += &format!("(a: \"{name}\", b: \"c\", {end}, {hinge}),");
        }
        bodies += &format!(
            "(name: \"c\", shape: Box(half: (0.5, 0.02, 0.02)), at: ({}, 0, {}), mass: 1, collide: false, velocity: ({}, 0, {})),",
            0.5 + 0.5 * cosine,
            2.0 + 0.5 * sine,
            -0.5 * spin * sine,
            0.5 * spin * cosine,
        );
        keeps_its_energy(&format!("{spin} rad/s, g = {gravity}"), world(gravity, &bodies, &joints), 4.0, 5e-3);
    }
}

/// A slider-crank whose rod is as long as its crank, r = 0.3 m: with the crank upright the slider is at its bearing, and
/// could stay there while the crank turns on. The rod turns against the crank, and the slider moves at −2 r ω sin θ.
#[test]
fn a_slider_crank_with_a_rod_as_long_as_its_crank_keeps_its_energy() {
    let (r, spin) = (0.3f32, 4.0f32);
    for degrees in [30.0f32, 50.0] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let bodies = format!(
            "(name: \"crank\", shape: Box(half: (0.15, 0.02, 0.02)), at: ({x}, 0, {z}), mass: 1, collide: false, \
             rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(-{degrees})), angular_velocity: (0, -{spin}, 0), \
             velocity: ({vx}, 0, {vz})),
            (name: \"rod\", shape: Box(half: (0.15, 0.02, 0.02)), at: ({xr}, 0, {z}), mass: 1, collide: false, \
             rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees({degrees})), angular_velocity: (0, {spin}, 0), \
             velocity: ({vr}, 0, {vz})),
            (name: \"slider\", shape: Box(half: (0.05, 0.05, 0.05)), at: ({xs}, 0, 0), mass: 1, collide: false, \
             velocity: ({vs}, 0, 0)),",
            x = 0.5 * r * cosine,
            z = 0.5 * r * sine,
            vx = -0.5 * r * spin * sine,
            vz = 0.5 * r * spin * cosine,
            xr = 1.5 * r * cosine,
            vr = -1.5 * r * spin * sine,
            xs = 2.0 * r * cosine,
            vs = -2.0 * r * spin * sine,
        );
        let joints = format!(
            "(b: \"crank\", anchor: (0, 0, 0), axis: (0, 1, 0), kind: Hinge()),
            (a: \"crank\", b: \"rod\", anchor: ({}, 0, {}), axis: (0, 1, 0), kind: Hinge()),
            (a: \"rod\", b: \"slider\", anchor: ({}, 0, 0), axis: (0, 1, 0), kind: Hinge()),
            (b: \"slider\", anchor: ({}, 0, 0), axis: (1, 0, 0), kind: Prismatic()),",
            r * cosine,
            r * sine,
            2.0 * r * cosine,
            2.0 * r * cosine,
        );
        keeps_its_energy(&format!("from {degrees}°"), world(0.0, &bodies, &joints), 4.0, 1e-2);
    }
}

/// A motor turns the crank of Jansen's leg at two turns a second. The leg passes poses near a fork, where its rows are held to
/// their old impulses; the motor keeps its speed all the same. The crank was 1.7 mrad ahead after 20 turns.
#[test]
fn the_crank_of_jansens_leg_keeps_its_speed() {
    let path = delassus_scene::library::scenes_folder().join("arena/09-jansen-leg.ron");
    let loaded = delassus_scene::read(&path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(Settings::default());
    while world.state.time < 10.0 - 1e-6 {
        world.step();
    }
    // 4π rad/s for 10 s, twenty whole turns, from the angle 0; body 1 is the crank, which turns about y.
    let rotation = world.state.bodies[1].rotation;
    let ahead = 2.0 * (rotation.y / rotation.w).atan();
    assert!(ahead.abs() < 2e-4, "{ahead} rad ahead");
}
