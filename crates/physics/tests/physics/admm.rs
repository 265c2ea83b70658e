//! Proximal ADMM (`solver.method=Admm`): closed forms of friction, momentum, mass ratios, and where the direct solver comes
//! to by another way.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::library::scenes_folder;
use delassus_scene::{read, read_str};

use crate::build::{G, close, run};

const ADMM: &str = "solver.method=Admm";

fn world(bodies: &str, joints: &str, settings: &[&str]) -> World {
    let text = format!("(version: 1, title: \"admm\", bodies: [{bodies}], joints: [{joints}])");
    let loaded = read_str(&text, "admm.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut chosen = Settings::default();
    for setting in settings {
        chosen.assign(setting).unwrap_or_else(|error| panic!("{error}"));
    }
    loaded.flat.world(chosen)
}

const FLOOR: &str =
    r#"(name: "floor", shape: Box(half: (50, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 1),"#;

/// A box that slides with µ: v = v₀ − µ g t, under each law of friction. One that is pushed along both axes slows along its
/// own direction.
#[test]
fn a_sliding_box_slows_by_mu_g() {
    for model in ["Patch", "Coulomb", "Cone"] {
        let friction = format!("friction.model={model}");
        let body = r#"(name: "box", shape: Box(half: (0.5, 0.5, 0.1)), at: (0, 0, 0.1), mass: 2, friction: 0.09, velocity: (3, 1.5, 0))"#;
        let mut world = world(&format!("{FLOOR} {body}"), "", &[ADMM, &friction]);
        run(&mut world, 1.0);
        // Friction of a pair: √(1 · 0.09) = 0.3.
        let (before, after) = (3.0f32.hypot(1.5), world.state.velocities[2].linear);
        let speed = before - 0.3 * G;
        close(&format!("{model}, speed"), after.x.hypot(after.y), speed, 1e-3 * speed);
        close(&format!("{model}, direction"), after.y / after.x, 0.5, 1e-3);
    }
}

/// On a slope of 30° with µ = 0.4 a box slides with g (sin α − µ cos α), by each law of friction; with µ = 0.7 it stays.
#[test]
fn a_box_on_a_slope_slides_or_stays() {
    let (sin, cos) = 30f32.to_radians().sin_cos();
    for model in ["Patch", "Coulomb", "Cone"] {
        for mu in [0.4f32, 0.7] {
            let friction = format!("friction.model={model}");
            // √(1 · µ²) = µ.
            let turned = "rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(30))";
            let bodies = format!(
                r#"(name: "slope", shape: Box(half: (20, 5, 0.5)), at: ({}, 0, {}), motion: Static, friction: 1, {turned}),
                (name: "box", shape: Box(half: (0.5, 0.5, 0.1)), at: ({}, 0, {}), friction: {}, {turned})"#,
                -0.5 * sin,
                -0.5 * cos,
                0.1 * sin,
                0.1 * cos,
                mu * mu
            );
            let mut world = world(&bodies, "", &[ADMM, &friction, "sleep.enabled=false"]);
            run(&mut world, 1.0);
            let expected = (G * (sin - mu * cos)).max(0.0);
            let speed = world.state.velocities[2].linear.length();
            close(&format!("{model}, µ = {mu}"), speed, expected, 1e-3 * G);
        }
    }
}

/// Ten boxes of 1 kg under one of 1000 kg stand, and the lowest bears all of it: from the first step on, with no sweep to
/// carry the load.
#[test]
fn a_tonne_on_ten_boxes() {
    let mut bodies = FLOOR.to_owned();
    for i in 0..11 {
        let mass = if i == 10 { 1000 } else { 1 };
        bodies += &format!(
            r#"(name: "{i}", shape: Box(half: (0.2, 0.2, 0.2)), at: (0, 0, {}), mass: {mass}),"#,
            0.2 + 0.4 * i as f32
        );
    }
    let mut world = world(&bodies, "", &[ADMM, "sleep.enabled=false"]);
    run(&mut world, 1.0);
    let h = world.settings.h();
    let lowest = world.tractions().find(|traction| traction.a == 1 || traction.b == 1).expect("it stands");
    close("load", lowest.load / h, 1010.0 * G, 1e-3 * 1010.0 * G);
    close("height", world.state.bodies[12].position.z, 0.2 + 0.4 * 10.0, 2e-3);
    assert!(world.report.residual < 1e-6, "residual {}", world.report.residual);
}

/// Library scenes of joints, drives, springs, stops, loops and contacts: after half a second every body is where the direct
/// solver has it.
#[test]
fn it_agrees_with_the_direct_solver() {
    let scenes = [
        "arena/04-wedge",
        "arena/06-friction-ramp",
        "arena/07-friction-disc",
        "book/20-cv-limit",
        "lab/09-slider-crank",
        "lab/10-four-bar",
        "lab/12-watt",
        "lab/13-double-pendulum",
        "lab/20-trebuchet",
        "lab/18-drawbridge",
        "lab/21-joint-rack",
        "machines/03-drives",
        "machines/05-couplings",
        "machines/06-six-axes",
    ];
    for name in scenes {
        let path = scenes_folder().join(format!("{name}.ron"));
        let loaded = read(&path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let after = |method: &str| {
            let mut settings = loaded.scene.settings.settings();
            settings.assign(method).expect("a method");
            let mut world = loaded.flat.world(settings);
            run(&mut world, 0.5);
            world
        };
        let (direct, admm) = (after("solver.method=Direct"), after(ADMM));
        for (index, (a, b)) in direct.state.bodies.iter().zip(admm.state.bodies.iter()).enumerate() {
            let apart = a.position.distance(b.position);
            assert!(apart <= 1e-5 * a.position.length().max(1.0), "{name}, body {index}: {apart} m apart");
        }
    }
}

/// Thrown into weightless space, five links on ball joints of 1 and 1000 kg in turn keep their momentum, and end
/// where the direct solver has them.
#[test]
fn great_mass_ratios_in_a_chain() {
    let mut bodies = String::new();
    let mut joints = String::new();
    for (i, mass) in [1, 1000, 1, 1000, 1].into_iter().enumerate() {
        bodies += &format!(
            r#"(name: "{i}", shape: Box(half: (0.1, 0.1, 0.1)), at: ({i}, 0, 0), mass: {mass}, collide: false, velocity: (0, {}, 0)),"#,
            i % 2
        );
        if i > 0 {
            joints += &format!(
                r#"(name: "j{i}", a: "{}", b: "{i}", anchor: ({}, 0, 0), kind: BallSocket),"#,
                i - 1,
                i as f32 - 0.5
            );
        }
    }
    let momentum = |world: &World| -> f32 {
        let bodies = world.state.bodies.iter().zip(world.state.velocities.iter()).skip(1);
        bodies.map(|(body, velocity)| body.mass * velocity.linear.y).sum()
    };
    let mut end = Vec::new();
    for method in [ADMM, "solver.method=Direct"] {
        let mut world = world(&bodies, &joints, &[method, "step.gravity=0,0,0"]);
        let before = momentum(&world);
        run(&mut world, 1.0);
        close(method, momentum(&world), before, 1e-5 * before);
        end.push(world.state.bodies[1].position);
    }
    assert!(end[0].distance(end[1]) < 1e-4, "{} and {}", end[0], end[1]);
}
