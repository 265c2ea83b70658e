//! Contacts: stacks and bounces.

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{G, body, close, cube, floor, run, settings};

/// Case 18: contact i of a stack of n carries (n − i) m g.
#[test]
fn stack_carries_the_weight_above() {
    for friction in ["Patch", "Coulomb"] {
        let mut world = World::new(settings(&["solver.iterations=30", &format!("friction.model={friction}")]));
        world.add_body(floor());
        for i in 0..5 {
            world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.5 + i as f32)));
        }
        run(&mut world, 3.0);
        let mut load = [0.0f32; 8];
        for point in world.contact_points() {
            load[point.b as usize] += point.impulse * 60.0;
        }
        for i in 0..5usize {
            let weight = (5 - i) as f32 * G;
            close(&format!("{friction}: load on contact {i}"), load[i + 2], weight, 2e-3 * weight);
        }
    }
}

/// Five boxes with five warm-started iterations stand for 60 s within 5 mm.
#[test]
fn warm_started_stack_of_five_stands_for_a_minute() {
    for friction in ["Patch", "Coulomb"] {
        let mut world = World::new(settings(&["solver.iterations=5", &format!("friction.model={friction}")]));
        world.add_body(floor());
        for i in 0..5 {
            world.add_body(cube(0.5, Vec3::new(0.05 * (i % 2) as f32, 0.0, 0.5 + i as f32)));
        }
        let drift = |world: &World, from: &[Vec3]| {
            world.state.bodies.iter().zip(from).map(|(b, from)| b.position.distance(*from)).fold(0.0, f32::max)
        };
        let places = |world: &World| world.state.bodies.iter().map(|b| b.position).collect::<Vec<_>>();
        run(&mut world, 2.0);
        let settled = places(&world);
        run(&mut world, 28.0);
        let half = places(&world);
        run(&mut world, 30.0);
        let (whole, late) = (drift(&world, &settled), drift(&world, &half));
        assert!(whole < 5e-3, "{friction}: a box drifted by {whole} m");
        assert!(late < 1e-4, "{friction}: a box still drifts, by {late} m in the last half minute");
    }
}

/// Restitution does not keep a resting body hopping (erratum 11).
#[test]
fn resting_ball_does_not_hop() {
    let mut world = World::new(settings(&[]));
    let material = Material { restitution: 1.0, ..Material::default() };
    world.add_body(BodyDef { material, ..floor() });
    let ball = world.add_body(BodyDef { material, ..body(Shape::Sphere { radius: 0.5 }, Vec3::new(0.0, 0.0, 0.5)) });
    for _ in 0..600 {
        world.step();
        assert!((world.state.bodies[ball as usize].position.z - 0.5).abs() < 6e-3);
    }
}

/// Contacts never pull: the sum of forces on a box thrown up is its weight.
#[test]
fn contacts_only_push() {
    let mut world = World::new(settings(&[]));
    world.add_body(floor());
    let cube = world.add_body(BodyDef { velocity: Vec3::Z, ..cube(0.5, Vec3::new(0.0, 0.0, 0.5)) });
    world.step();
    close("speed", world.state.velocities[cube as usize].linear.z, 1.0 - G / 60.0, 1e-5);
}

/// Cubes of 1 m in rows, one fewer in each, on a floor.
fn pyramid(settings: Settings, base: u32) -> World {
    let mut world = World::new(settings);
    world.add_body(floor());
    for row in 0..base {
        for i in 0..base - row {
            let at = Vec3::new(1.05 * (i as f32 + 0.5 * row as f32), 0.0, 0.5 + row as f32);
            world.add_body(cube(0.5, at));
        }
    }
    world
}

/// With the default settings a pyramid of base 12 stands.
#[test]
fn pyramid_stands() {
    let mut world = pyramid(settings(&[]), 12);
    let top = world.state.bodies.len() - 1;
    let start = world.state.bodies[top].position;
    run(&mut world, 20.0);
    let moved = world.state.bodies[top].position - start;
    assert!(moved.x.hypot(moved.y) < 0.01 && moved.z > -0.05, "the top box moved by {moved}");
}

/// A hundred contacts of one island and more are solved colour after colour: those of one colour share no cube, and a pyramid, whose
/// cubes touch six others at most, needs few colours. Below a hundred they are solved in the order of their pairs. In
/// lanes the bits are the same.
#[test]
fn many_contacts_are_solved_by_colours() {
    // So many pairs: the floor under each cube of the lowest row, and two cubes under each of the others.
    for (base, by_colours) in [(9, false), (10, true), (15, true)] {
        let mut world = pyramid(settings(&["solver.lanes=false"]), base);
        world.pipeline.executor.keep_rows = true;
        world.step();
        let blocks = &world.system.blocks;
        assert_eq!(blocks.len(), (base * base) as usize);
        let (mut runs, mut seen) = (1, Vec::new());
        for block in blocks {
            let cubes = [block.a, block.b].into_iter().filter(|body| world.state.bodies[*body as usize].is_dynamic());
            if cubes.clone().any(|cube| seen.contains(&cube)) {
                runs += 1;
                seen.clear();
            }
            seen.extend(cubes);
        }
        assert_eq!(runs <= 7, by_colours, "base {base}: {runs}");
        assert!(by_colours || blocks.is_sorted_by_key(|block| (block.a, block.b)));
    }
    let [mut in_lanes, mut by_rows] =
        ["true", "false"].map(|lanes| pyramid(settings(&[&format!("solver.lanes={lanes}")]), 15));
    run(&mut in_lanes, 0.5);
    run(&mut by_rows, 0.5);
    assert_eq!(in_lanes.hash(), by_rows.hash());
}

/// A tower of 30, out of line by up to 1 cm, stands beside a pyramid as it does alone, since slenderness is counted
/// island by island: it moves by 2 mm, and by 6 mm without the sweeps that its height needs.
#[test]
fn a_tower_beside_a_pyramid_stands_still() {
    let mut world = pyramid(Settings::default(), 20);
    let mut seed = 7u32;
    let mut aside = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        0.02 * ((seed >> 8) as f32 / (1 << 24) as f32 - 0.5)
    };
    let tower: Vec<u32> =
        (0..30).map(|level| world.add_body(cube(0.5, Vec3::new(aside(), 5.0 + aside(), 0.5 + level as f32)))).collect();
    run(&mut world, 2.0);
    let start: Vec<Vec3> = tower.iter().map(|body| world.state.bodies[*body as usize].position).collect();
    run(&mut world, 15.0);
    for (body, start) in tower.iter().zip(start) {
        let now = world.state.bodies[*body as usize].position;
        assert!(now.distance(start) < 0.005, "{start} moved to {now}");
    }
}

/// With the default settings a pyramid of 30 stands: after two seconds no cube moves by 3 mm. Solved in the order of
/// the pairs its top swung by 6 mm out of its plane, that of a pyramid of 40 by 21 mm.
#[test]
fn a_pyramid_of_thirty_stands_still() {
    let mut world = pyramid(Settings::default(), 30);
    run(&mut world, 2.0);
    let start: Vec<Vec3> = world.state.bodies.iter().map(|body| body.position).collect();
    run(&mut world, 6.0);
    for (body, start) in world.state.bodies.iter().zip(start) {
        assert!(body.position.distance(start) < 0.003, "{start} moved to {}", body.position);
    }
}

/// Case 17: a rod of 1 kg on two supports at its ends, I = r²/3, so that K = [[4, −2], [−2, 4]]. With the speeds c of
/// the ends the impulses solve 0 ≤ λ ⊥ K λ + c ≥ 0: both ends bear, one bears less, one separates.
#[test]
fn rod_on_two_supports_solves_its_complementarity() {
    let (r, thin) = (1.0f32, 1e-3f32);
    for method in ["GaussSeidel", "Jacobi", "Direct"] {
        for (c, expected) in [([-1.0f32, -1.0], [0.5f32, 0.5]), ([-1.0, 0.2], [0.3, 0.1]), ([-1.0, 0.8], [0.25, 0.0])] {
            // The expected values are the solution: no end is left approaching, and an end is pushed only if it
            // rests.
            for i in 0..2 {
                let w = 4.0 * expected[i] - 2.0 * expected[1 - i] + c[i];
                assert!(expected[i] >= 0.0 && w > -1e-6 && (expected[i] * w).abs() < 1e-6);
            }
            let assignments = [&format!("solver.method={method}"), "solver.iterations=400", "friction.model=Off"];
            let mut world = World::new(settings(&assignments.map(|a| a as &str)));
            world.settings.step.gravity = Vec3::ZERO;
            world.add_body(floor());
            let rod = body(Shape::Box { half: Vec3::new(r, thin, thin) }, Vec3::Z * thin);
            // v − ω r and v + ω r are the ends' speeds, ω about −y.
            let (v, omega) = (0.5 * (c[0] + c[1]), 0.5 * (c[1] - c[0]) / r);
            world.add_body(BodyDef { velocity: Vec3::Z * v, angular_velocity: Vec3::NEG_Y * omega, ..rod });
            world.step();
            let mut found = [0.0f32; 2];
            world.contact_points().for_each(|p| found[usize::from(p.position.x > 0.0)] += p.impulse);
            for (i, expected) in expected.into_iter().enumerate() {
                close(&format!("{method}, c = {c:?}: end {i}"), found[i], expected, 2e-3);
            }
        }
    }
}
