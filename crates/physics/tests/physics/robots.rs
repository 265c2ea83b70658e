//! Robots as descriptions give them: light links between rotors and servos.

use delassus_physics::settings::Settings;

/// An arm hangs on three hinges in series that each drive a rotor, with links between them of a ten-thousandth of its mass.
/// Nothing takes energy. The steps are divided, in changing numbers of parts, for the light links; their rotors' speeds were
/// read from the kicks of these links, and the energy grew from 10 to 4,924 J.
#[test]
fn light_links_between_rotors_keep_their_energy() {
    let text = "(version: 1, title: \"hip\", bodies: [
        (name: \"a\", shape: Sphere(radius: 0.01), at: (0, 0, 1), mass: 1.25e-4, collide: false,
            inertia: (xx: 2.0e-6, yy: 2.0e-6, zz: 1.0e-7), mass_centre: (0, 0, 0)),
        (name: \"b\", shape: Sphere(radius: 0.01), at: (0, 0, 1), mass: 1.24e-2, collide: false,
            inertia: (xx: 2.0e-4, yy: 2.0e-4, zz: 1.0e-5), mass_centre: (0, 0, 0)),
        (name: \"arm\", shape: Capsule(radius: 0.03, half_length: 0.2), at: (-0.045, 0.098, 0.83), mass: 1.24,
            rotation: AxisAngle(axis: (0.9, 0.38, 0.1), angle: Degrees(33)))],
        joints: [
        (b: \"a\", anchor: (0, 0, 1), axis: (0.94, 0.171, -0.296), kind: Hinge(armature: 0.01)),
        (a: \"a\", b: \"b\", anchor: (0, 0, 1), axis: (0, 0.866, 0.5), kind: Hinge(armature: 0.01)),
        (a: \"b\", b: \"arm\", anchor: (0, 0, 1), axis: (0.342, -0.47, 0.814), kind: Hinge(armature: 0.01))])";
    let mut world = delassus_scene::read_str(text, "hip.ron").expect("a scene").flat.world(Settings::default());
    let begin = world.metrics().energy();
    let (mut worst, mut parts) = (0.0f64, 0);
    while world.state.time < 8.0 {
        world.step();
        worst = worst.max((world.metrics().energy() - begin).abs());
        parts = parts.max(world.report.parts);
    }
    assert!(parts > 1, "no step was divided");
    assert!(worst < 1e-3, "{worst} J of {begin} J");
}

/// A robot that falls turns nothing: what its joints turn is rounding, and so is the energy that its fall does not
/// explain. Their ratio asked for 256 parts in some steps, and these changed its energy by 0.1 %.
#[test]
fn a_robot_that_falls_is_not_divided() {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..6u8 {
        let (sine, cosine) = f32::to_radians(60.0 * f32::from(k) + 30.0).sin_cos();
        let out = |r: f32| format!("({}, {}, 5)", 0.3 + r * cosine, 0.7 + r * sine);
        for (name, r, mass) in [("c", 0.145, 0.025), ("t", 0.29, 0.07)] {
            bodies += &format!(
                "(name: \"{name}{k}\", shape: Capsule(radius: 0.015, half_length: 0.04), at: {}, mass: {mass}, collide: \
                 false, rotation: AxisAngle(axis: (1, 2, 3), angle: Degrees({}))),",
                out(r),
                40 + 11 * k,
            );
        }
        let servo = "kind: Hinge(servo: (stiffness: 20, damping: 1))";
        joints += &format!("(a: \"trunk\", b: \"c{k}\", anchor: {}, axis: (0, 0, 1), {servo}),", out(0.13));
        let across = format!("({}, {cosine}, 0)", -sine);
        joints += &format!("(a: \"c{k}\", b: \"t{k}\", anchor: {}, axis: {across}, {servo}),", out(0.16));
    }
    let trunk = "(name: \"trunk\", shape: Cylinder(radius: 0.12, half_length: 0.03), at: (0.3, 0.7, 5), mass: 1.4, collide: false),";
    let text = format!("(version: 1, title: \"robot\", bodies: [{trunk} {bodies}], joints: [{joints}])");
    for rate in [60.0, 1000.0] {
        let mut settings = Settings::default();
        settings.step.rate = rate;
        let mut world = delassus_scene::read_str(&text, "robot.ron").expect("a scene").flat.world(settings);
        let begin = world.metrics().energy();
        while world.state.time < 0.5 {
            world.step();
            assert_eq!(world.report.parts, 1, "at {rate} Hz, after {} s", world.state.time);
        }
        let off = (world.metrics().energy() - begin).abs();
        assert!(off < 1e-5 * begin, "at {rate} Hz: {off} J of {begin} J");
    }
}
