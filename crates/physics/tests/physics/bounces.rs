//! Bounces at 60 steps a second, compared with closed forms, for every solver, with and without predicted contacts.

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::joint::JointDef;
use delassus_physics::joints::{Distance, JointKind};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::work::{SOLVED_BLOCK, SWEPT_ROW};
use delassus_physics::world::{WORLD, World};
use delassus_scene::read_str;
use glam::{Quat, Vec3};

use crate::build::{G, body, close, floor, joint, of_library, run, settings};

const METHODS: [&str; 3] = ["GaussSeidel", "Jacobi", "Direct"];
const CONTINUOUS: [&str; 2] = ["Speculative", "TimeOfImpact"];

/// A floor and a body of the same material.
fn on_floor(assignments: &[&str], material: Material, def: BodyDef) -> World {
    let mut world = World::new(settings(assignments));
    world.add_body(BodyDef { material, ..floor() });
    world.add_body(BodyDef { material, ..def });
    world
}

/// A plate that lands flat leaves flat at e times its speed: it does not rotate, and its apex is at e² of its height.
#[test]
fn a_flat_box_leaves_flat_at_e_times_its_speed() {
    for (half, e) in
        [(Vec3::new(0.5, 0.5, 0.5), 0.8f32), (Vec3::new(0.7, 0.3, 0.06), 0.5), (Vec3::new(0.2, 0.6, 0.1), 1.0)]
    {
        for method in METHODS {
            for continuous in CONTINUOUS {
                for height in [0.83f32, 1.37] {
                    let at = Vec3::Z * (half.z + height);
                    let material = Material { restitution: e, ..Material::default() };
                    let (method, continuous) =
                        (format!("solver.method={method}"), format!("contact.continuous={continuous}"));
                    let def = body(Shape::Box { half }, at);
                    let mut world = on_floor(&[&method, &continuous], material, def);
                    let what = format!("{half}, e = {e}, {method}, {continuous}, from {height}");
                    let mut before = world.state.velocities[2].linear.z;
                    while world.state.velocities[2].linear.z <= 0.0 && world.state.time < 3.0 {
                        before = world.state.velocities[2].linear.z;
                        world.step();
                    }
                    let after = &world.state.velocities[2];
                    // The impact meets the velocity of the middle of the step before, and leaves that of its own.
                    let half = 0.5 * G / 60.0;
                    let speed = after.linear.z + half;
                    close(&format!("{what}: speed"), speed, -e * (before + half), 2e-3 * -before);
                    assert!(after.angular.length() < 1e-2, "{what}: turns with {}", after.angular);
                    run(&mut world, 0.1);
                    let (spin, lean) = (world.state.velocities[2].angular, world.state.bodies[2].rotation * Vec3::Z);
                    assert!(spin.length() < 2e-2 && lean.z > 0.9999, "{what}: turns with {spin}, leans to {lean}");
                }
            }
        }
    }
}

/// A ball that sticks as it bounces: with I = ⅖ m R² the contact point stops, with v' = (5 v − 2 R w)/7 along the
/// floor, and the ball leaves with angular velocity −v'/R. The gap at which the contact was detected does not
/// lengthen the lever arm.
#[test]
fn an_oblique_bounce_that_sticks_turns_about_the_surface() {
    for method in METHODS {
        for (continuous, model) in [("Speculative", "Patch"), ("TimeOfImpact", "Patch"), ("Speculative", "Coulomb")] {
            for (radius, e, vx, vz) in
                [(0.1f32, 0.6f32, 3.0f32, -4.0f32), (0.3, 0.3, 2.0, -7.0), (0.05, 0.9, -2.5, -3.0)]
            {
                for start in [0.013f32, 0.031, 0.047] {
                    let material = Material { friction: 2.0, restitution: e, ..Material::default() };
                    let at = Vec3::Z * (radius + 0.4 + start);
                    let def = body(Shape::Sphere { radius }, at);
                    let moving = BodyDef { velocity: Vec3::new(vx, 0.0, vz), angular_velocity: Vec3::Y * 2.0, ..def };
                    let assignments = [
                        format!("solver.method={method}"),
                        format!("contact.continuous={continuous}"),
                        format!("friction.model={model}"),
                        "step.gravity=0,0,0".into(),
                    ];
                    let mut world = on_floor(&assignments.each_ref().map(|a| a.as_str()), material, moving);
                    while world.state.velocities[2].linear.z == vz {
                        world.step();
                        assert!(world.state.time < 1.0);
                    }
                    run(&mut world, 0.02);
                    let expected = (5.0 * vx + 2.0 * radius * 2.0) / 7.0;
                    let what = format!("{method}, {continuous}, {model}, R = {radius}, e = {e}");
                    let after = world.state.velocities[2];
                    close(&format!("{what}: along"), after.linear.x, expected, 5e-3 * vx.abs());
                    close(&format!("{what}: spin"), after.angular.y, expected / radius, 5e-3 * vx.abs() / radius);
                    close(&format!("{what}: up"), after.linear.z, -e * vz, 1e-3 * -vz);
                }
            }
        }
    }
}

/// Balls in a row along x with these gaps; the first one moves at `v`. Their speeds half a second later.
fn row(assignments: &[&str], count: usize, gap: f32, v: f32) -> (Vec<f32>, f64) {
    let mut world = World::new(settings(assignments));
    world.settings.assign("step.gravity=0,0,0").expect("a setting");
    let material = Material { friction: 0.0, restitution: 1.0, ..Material::default() };
    for k in 0..count {
        let def =
            body(Shape::Sphere { radius: 0.1 }, Vec3::X * (k as f32 * (0.2 + gap) - if k == 0 { 0.05 } else { 0.0 }));
        world.add_body(BodyDef { material, velocity: if k == 0 { Vec3::X * v } else { Vec3::ZERO }, ..def });
    }
    run(&mut world, 0.5);
    let speeds: Vec<f32> = world.state.velocities[1..].iter().map(|u| u.linear.x).collect();
    (speeds, world.metrics().kinetic_energy)
}

/// Three balls a millimetre apart, e = 1. Solved at once: the row of the impact bounces with e and that of the gap
/// that closes gets 0, so the speeds are (−1/3, 2/3, 2/3) v. Solved pair by pair: (0, 0, 1) v. Both conserve energy
/// and momentum.
#[test]
fn three_balls_with_gaps_end_in_one_of_two_ways() {
    for method in METHODS {
        for gap in [0.0f32, 1e-3] {
            for v in [4.0f32, 7.5] {
                let set = format!("solver.method={method}");
                for (impacts, expected) in
                    [("Propagate", [0.0, 0.0, 1.0]), ("Simultaneous", [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0])]
                {
                    let (speeds, energy) = row(&[&set, &format!("contact.impacts={impacts}")], 3, gap, v);
                    for (k, (speed, expected)) in speeds.iter().zip(expected).enumerate() {
                        close(
                            &format!("{method}, {impacts}, gap {gap}: ball {k} of {speeds:?}"),
                            *speed,
                            expected * v,
                            5e-3 * v,
                        );
                    }
                    close("energy", energy as f32, 0.5 * v * v, 5e-3 * v * v);
                }
            }
        }
    }
}

/// Newton's cradle: solved pair by pair, the last of five balls flies off; solved at once, the speeds are (1 − 8/5,
/// 2/5, 2/5, 2/5, 2/5) v, the one motion in which the four balls that were at rest stay together.
#[test]
fn a_cradle_sends_off_its_last_ball_pair_by_pair() {
    for method in METHODS {
        let set = format!("solver.method={method}");
        for (impacts, expected) in
            [("Propagate", [0.0, 0.0, 0.0, 0.0, 1.0]), ("Simultaneous", [-0.6, 0.4, 0.4, 0.4, 0.4])]
        {
            let (speeds, energy) = row(&[&set, &format!("contact.impacts={impacts}")], 5, 0.0, 3.0);
            for (k, (speed, expected)) in speeds.iter().zip(expected).enumerate() {
                close(&format!("{method}, {impacts}: ball {k} of {speeds:?}"), *speed, expected * 3.0, 0.015);
            }
            close("energy", energy as f32, 4.5, 0.03);
        }
    }
}

/// A tilted box that bounces without friction never gains energy: the work of an impact is ½ Σ λ (u + u') with u' at
/// most −e u.
#[test]
fn a_bouncing_box_gains_no_energy() {
    for method in ["GaussSeidel", "Direct"] {
        let material = Material { restitution: 0.9, friction: 0.0, ..Material::default() };
        let def = body(Shape::Box { half: Vec3::new(0.3, 0.2, 0.25) }, Vec3::Z * 1.5);
        let tilted = BodyDef {
            rotation: Quat::from_rotation_x(0.3) * Quat::from_rotation_y(0.4),
            angular_velocity: Vec3::new(1.0, 2.0, 0.5),
            ..def
        };
        let mut world = on_floor(&[&format!("solver.method={method}")], material, tilted);
        let mut least = f64::INFINITY;
        for _ in 0..600 {
            world.step();
            let energy = world.metrics().energy();
            assert!(energy < least + 0.05, "{method}: {energy} J after {least} J at {} s", world.state.time);
            least = least.min(energy);
        }
    }
}

/// Fifty ragdolls fall on each other, and their contacts bounce. An impact passes through the joints of a doll. When
/// it was carried to the next step as if it were a load, it grew from step to step until heads flew off at 2.6 s.
#[test]
fn an_impact_that_joints_pass_on_is_no_load_for_the_next_step() {
    for friction in ["friction.model=Patch", "friction.model=Coulomb"] {
        let mut world = of_library("lab/04-ragdolls-50", &[friction]);
        let start = world.metrics().energy();
        for step in 0..210 {
            world.step();
            let now = world.metrics();
            assert!(now.energy() < 1.01 * start, "{friction}, step {step}: {} J of {start} J", now.energy());
            assert!(now.joint_error_max < 1.0, "{friction}, step {step}: joints open by {} m", now.joint_error_max);
        }
    }
}

/// Balls in a closed room that bounce without loss keep their energy for 20 s, whatever collides within one step: an
/// impact that would leave an island with more energy than it had is applied only in part, and no other impact is
/// taken back.
#[test]
fn a_gas_of_elastic_balls_keeps_its_energy() {
    let material = Material { friction: 0.0, restitution: 1.0, ..Material::default() };
    for (method, rate) in [("GaussSeidel", 60), ("Jacobi", 60), ("Direct", 60), ("GaussSeidel", 240)] {
        let mut settings = settings(&[&format!("solver.method={method}"), &format!("step.rate={rate}")]);
        settings.step.gravity = Vec3::ZERO;
        settings.contact.restitution_threshold = 0.0;
        let mut world = World::new(settings);
        for axis in Vec3::AXES {
            for side in [-1.5, 1.5] {
                let half = Vec3::splat(1.5) - axis;
                let wall = body(Shape::Box { half }, axis * side);
                world.add_body(BodyDef { material, motion: Motion::Static, ..wall });
            }
        }
        for i in 0..12u8 {
            let (k, a) = (f32::from(i), f32::from(i) * 2.1 + 0.4);
            let at = Vec3::new(k % 3.0 - 1.0, (k / 3.0).floor() % 2.0 - 0.5, (k / 6.0).floor() - 0.5) * 0.6;
            let velocity = 3.0 * Vec3::new(a.cos() * (0.7 * k).cos(), a.sin() * (0.7 * k).cos(), (0.7 * k).sin());
            let def = body(Shape::Sphere { radius: 0.13 }, at);
            world.add_body(BodyDef { material, velocity, mass: 0.5 + 0.25 * k, ..def });
        }
        let start = world.metrics().kinetic_energy;
        run(&mut world, 20.0);
        let share = world.metrics().kinetic_energy / start;
        assert!((share - 1.0).abs() < 1e-3, "{method} at {rate} Hz: {share} of the energy is left");
    }
}

/// A ball of 1 kg on a tether of 1 m between two elastic walls without friction keeps ½ m v² = 4.5 J, whether it meets
/// them head on or at 45°: joint and impact act together, so that v⁺ = −v⁻ along its circle. (It lost 0.08 % at each
/// hit, and pair by pair it stood still after some.)
#[test]
fn a_tethered_ball_between_elastic_walls_keeps_its_energy() {
    let ways = [("GaussSeidel", "Simultaneous"), ("Direct", "Simultaneous")];
    let in_pairs = ["GaussSeidel", "Jacobi"].map(|method| (method, "Propagate"));
    for (method, impacts) in ways.into_iter().chain(in_pairs) {
        for oblique in [0.0f32, 5.0, 45.0, 65.0] {
            // Pair by pair, the speed at which the ball comes is that of the chord of its last step, not of the
            // tangent: second order in ω h, more so where the wall is oblique.
            let loss = if impacts == "Propagate" { 0.05 } else { 9e-3 };
            let set = [format!("solver.method={method}"), format!("contact.impacts={impacts}")];
            let method = format!("{method}, {impacts}");
            let mut world = World::new(settings(&["step.gravity=0,0,0", &set[0], &set[1]]));
            let material = Material { restitution: 1.0, friction: 0.0, ..Material::default() };
            let (radius, angle) = (0.1, 60f32.to_radians());
            let ball = world.add_body(BodyDef {
                material,
                velocity: Vec3::Y * 3.0,
                ..body(Shape::Sphere { radius }, Vec3::X)
            });
            for side in [1.0, -1.0] {
                // The ball's centre on its circle where it touches, and the wall's normal there.
                let (sin, cos) = (side * angle).sin_cos();
                let way = Vec3::new(-sin, cos, 0.0) * side;
                let normal = Quat::from_rotation_z(side * oblique.to_radians()) * way;
                let wall = Shape::Box { half: Vec3::new(0.1, 0.3, 0.3) };
                world.add_body(BodyDef {
                    material,
                    motion: Motion::Static,
                    rotation: Quat::from_rotation_arc(Vec3::X, normal),
                    ..body(wall, Vec3::new(cos, sin, 0.0) + normal * (0.1 + radius))
                });
            }
            let tether = JointKind::Distance(Distance::default());
            let tether = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, tether);
            world.add_joint(JointDef { anchor_b: Vec3::ZERO, ..tether });
            let mut hits = 0;
            for _ in 0..20 * 60 {
                let before = world.state.velocities[ball as usize].linear;
                world.step();
                hits += u32::from(before.dot(world.state.velocities[ball as usize].linear) < 0.0);
            }
            let speed = world.state.velocities[ball as usize].linear.length();
            assert!(hits >= 20, "{method}, {oblique}°: {hits} hits");
            close(&format!("{method}, {oblique}°: energy after {hits} hits"), 0.5 * speed * speed, 4.5, loss);
        }
    }
}

/// A heap of bouncing boxes lands. An impact spreads through it slowly, so the velocity change that is asked for grows
/// by a quarter with each sweep beyond 8,000 solved blocks, from 2·10⁻⁵ of the fastest bounce: after ln(5·10⁴)/ln 1.25
/// < 49 more sweeps nothing is left to do. Each round of impacts then takes a sweep or two.
#[test]
fn impacts_in_a_heap_take_a_bounded_number_of_sweeps() {
    let heap = "(version: 1, title: \"heap\", materials: [(name: \"rubber\", restitution: 0.9)], patterns: [Grid(name: \"g\", count: (4, 4, 6), spacing: (0.51, 0.51, 0.51), \
                of: Body(shape: Box(half: (0.25, 0.25, 0.25)), at: (0, 0, 0.3), material: \"rubber\", \
                velocity: (0, 0, -4)))], bodies: [(name: \"floor\", shape: Box(half: (9, 9, 1)), at: (0, 0, -1), \
                motion: Static, material: \"rubber\")])";
    let settings = Settings::default();
    let mut world = read_str(heap, "heap.ron").expect("a scene").flat.world(settings);
    let (mut most, mut blocks) = (0, 0);
    for _ in 0..60 {
        world.step();
        let sweeps = u64::from(settings.step.substeps * settings.sweeps());
        let other = SWEPT_ROW * world.report.row_count as u64 * sweeps;
        let impacts =
            world.report.work.spent().saturating_sub(other) / SOLVED_BLOCK / u64::from(settings.step.substeps);
        (most, blocks) = (most.max(impacts), blocks.max(world.state.contacts.pairs.len() as u64));
    }
    assert!(blocks > 200, "a heap: {blocks} pairs touch");
    assert!(most > 8000, "its impacts spread: {most} blocks were solved in a sub-step");
    assert!(most < 8000 + (1 + 49 + 2 * 8) * blocks, "{most} blocks of {blocks} were solved in a sub-step");
}

/// The same on a taut rope, at the default settings: the impulse that the rope bears in a hit is no sign that it has just
/// snapped taut. (It lost 0.14 % at each hit.)
#[test]
fn a_ball_on_a_taut_rope_between_elastic_walls_keeps_its_energy() {
    let wall = |name: &str, side: f32| {
        format!(
            r#"(name: "{name}", shape: Box(half: (0.4, 0.1, 0.3)), at: (0.413397, {}, 0), motion: Static, friction: 0,
            rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees({})), restitution: 1),"#,
            side * 0.916025,
            side * 60.0
        )
    };
    let text = format!(
        r#"(version: 1, title: "t", bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (1, 0, 0), mass: 1, friction: 0,
        restitution: 1, velocity: (0, 3, 0)), {} {}],
        joints: [(b: "ball", kind: Rope, anchor_a: (0, 0, 0), anchor_b: (0, 0, 0))])"#,
        wall("up", 1.0),
        wall("down", -1.0)
    );
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::ZERO;
    let mut world = read_str(&text, "rope.ron").expect("a scene").flat.world(settings);
    (0..30 * 60).for_each(|_| world.step());
    let speed = world.state.velocities[1].linear.length();
    close("energy", 0.5 * speed * speed, 4.5, 2e-3);
}
