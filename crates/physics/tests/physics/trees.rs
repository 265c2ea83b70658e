//! Whole joints and whole trees as blocks: a tree is exact after one sweep, and joints that close loops iterate
//! around it.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{Random, apart, bead, body, close, cube, floor, heavy_chain, joint, run, split_blocks};

/// Kinds that couple two bodies by teeth, a thread, a belt or a cross.
fn couplings() -> Vec<JointKind> {
    let coupled = |kind: &JointKind| kind.is_coupling() || matches!(kind, JointKind::Universal(_));
    JointKind::all().into_iter().filter(coupled).collect()
}

/// Kinds that have only equality rows.
fn kinds() -> Vec<JointKind> {
    let free = ["BallSocket", "Distance", "Hinge", "Fixed", "Prismatic", "OrientationLock", "AxisLock", "Plane"];
    let more = ["ConstantVelocity", "PointOnRing"];
    let named = |kind: &JointKind| free.iter().chain(&more).any(|name| *name == kind.info().name);
    let kinds: Vec<_> = JointKind::all().into_iter().filter(named).collect();
    assert_eq!(kinds.len(), 10);
    kinds
}

/// A random tree of tumbling bodies whose masses differ by up to a factor of 10 to the `spread`; it hangs from a
/// fixed point where `nailed`. The joints' position errors are not corrected, because the velocities are compared.
fn random_tree(seed: u64, spread: f32, nailed: bool, assignments: &[&str]) -> World {
    random_tree_of(&kinds(), seed, spread, nailed, assignments)
}

/// The same of these kinds.
fn random_tree_of(kinds: &[JointKind], seed: u64, spread: f32, nailed: bool, assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(assignments));
    let mut random = Random(seed);
    let mut bodies = Vec::new();
    for i in 0..24 {
        let at = random.vector() * 2.0 + Vec3::Z * 10.0;
        let half = random.vector().abs() * 0.4 + 0.1;
        let mut def = BodyDef { collide: false, ..body(Shape::Box { half }, at) };
        def.mass = 10f32.powf(0.5 * spread * random.next());
        def.rotation = Quat::from_scaled_axis(random.vector() * 2.0);
        (def.velocity, def.angular_velocity) = (random.vector(), random.vector() * 2.0);
        let body = world.add_body(def);
        let other = match i {
            0 if nailed => WORLD,
            0 => {
                bodies.push(body);
                continue;
            }
            _ => bodies[random.below(bodies.len())],
        };
        let kind = kinds[random.below(kinds.len())];
        let (anchor, axis) = (at + random.vector() * 0.3, random.vector().normalize());
        let (a, b) = if random.next() > 0.0 { (other, body) } else { (body, other) };
        let mut def = joint(&world, a, b, anchor, axis, kind);
        if !kind.info().coincident {
            // Rods and rings need their ends apart.
            def.anchor_b += random.vector() * 0.3;
        }
        world.add_joint(def);
        bodies.push(body);
    }
    world
}

#[test]
fn one_sweep_over_a_tree_of_couplings_is_the_direct_solution() {
    let kinds = [couplings(), kinds()].concat();
    assert_eq!(couplings().len(), 6);
    let mut compared = 0;
    for seed in 0..40 {
        let common = ["warm_start.enabled=false", "step.gyroscopic=Off", "stabilization.method=Off"];
        let with = |more: &[&'static str]| random_tree_of(&kinds, seed, 1.0, true, &[&common[..], more].concat());
        let (mut exact, mut tree) =
            (with(&["solver.method=Direct"]), with(&["solver.rows=Tree", "solver.iterations=1"]));
        exact.step();
        tree.step();
        // A light body on a long lever stays out of the tree.
        if tree.system.trees.count() == 1 {
            compared += 1;
            let apart = apart(&tree, &exact);
            assert!(apart < 2e-3, "seed {seed}: {apart:.1e} after one sweep");
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn one_sweep_over_a_random_tree_is_the_direct_solution() {
    // The accuracy of the velocities in 32 bits falls with the ratio of the masses.
    for (seed, spread, same) in (0..40).map(|i| if i % 2 == 0 { (i, 1.0, 1e-3) } else { (i, 3.0, 5e-2) }) {
        for nailed in [true, false] {
            let common = ["warm_start.enabled=false", "step.gyroscopic=Off", "stabilization.method=Off"];
            let with = |more: &[&'static str]| random_tree(seed, spread, nailed, &[&common[..], more].concat());
            let mut exact = with(&["solver.method=Direct"]);
            exact.step();
            for method in ["solver.method=GaussSeidel", "solver.method=Jacobi"] {
                let mut tree =
                    with(&["solver.rows=Tree", "solver.iterations=1", "solver.jacobi=MassSplitting", method]);
                tree.step();
                assert_eq!(tree.system.trees.count(), 1, "the joints are one tree");
                let apart = apart(&tree, &exact);
                assert!(apart < same, "seed {seed}, nailed {nailed}, {method}: {apart:.1e} after one sweep");
            }
        }
    }
}

/// 1000 kg below ten links of 1 kg, hanging: λ/h of the link above the load is its weight, from the first step on.
#[test]
fn a_heavy_end_is_held_by_one_sweep() {
    // RATTLE closes what a step leaves open, and so also corrects rounding, by the impulses m e/h, and its first step
    // is half a kick long. Position and lever arm of each of the lowest joint's two ends are rounded by up to ½ ulp
    // of 8 m, 4.8e-7 m.
    let rounding = 100.0 * (4.0 * 4.8e-7) * 60.0 * 120.0;
    let ways = [("stabilization.method=Split", 0.2), ("stabilization.method=Rattle", rounding)];
    for ((way, within), lanes) in ways.into_iter().flat_map(|way| [true, false].map(|lanes| (way, lanes))) {
        let mut world = heavy_chain(&["solver.rows=Tree", "solver.iterations=1", way], 0.0);
        world.settings.solver.lanes = lanes;
        world.step();
        let top = world.state.joints[0].readout.force.z;
        close("the top joint bears all", top, (10.0 + 100.0) * 9.81, within);
        run(&mut world, 2.0);
        let worst = world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max);
        assert!(worst < 1e-5, "{way}: {worst} m open");
    }
}

/// Whole joints are exact for one joint: a weld whose load has a long lever arm holds at once.
#[test]
fn a_weld_is_exact_as_a_whole_joint() {
    for (rows, exact) in [("solver.rows=Joint", true), ("solver.rows=Block", false)] {
        let mut world = World::new(split_blocks(&[rows, "solver.iterations=1", "warm_start.enabled=false"]));
        let beam = world.add_body(BodyDef {
            collide: false,
            ..body(Shape::Box { half: Vec3::new(1.0, 0.05, 0.05) }, Vec3::X * 1.0)
        });
        let weld = joint(&world, WORLD, beam, Vec3::ZERO, Vec3::Z, JointKind::Fixed(Fixed::default()));
        world.add_joint(weld);
        world.step();
        assert_eq!(world.report.residual < 1e-5, exact, "{rows}: rows wrong by {} m/s", world.report.residual);
        if exact {
            // Statics: the wall bears the weight and its moment about the weld, m g L/2 with L = 2 m.
            close("force", world.state.joints[0].readout.force.z, 9.81, 1e-3);
            close("moment", world.state.joints[0].readout.torque.y, -9.81, 1e-2);
        }
    }
}

/// The loop of a four-bar linkage is closed by one joint that iterates: sweeps converge to the direct solution.
#[test]
fn a_loop_converges_around_its_tree() {
    let four_bar = |assignments: &[&str]| {
        let mut world = World::new(split_blocks(assignments));
        let mut bar = |from: Vec3, to: Vec3| {
            let half = Vec3::new(0.5 * (to - from).length(), 0.03, 0.03);
            let rotation = Quat::from_rotation_arc(Vec3::X, (to - from).normalize());
            world.add_body(BodyDef { rotation, collide: false, ..body(Shape::Box { half }, 0.5 * (from + to)) })
        };
        let corners = [Vec3::ZERO, Vec3::Z, Vec3::new(2.0, 0.0, 1.5), Vec3::new(2.0, 0.0, 0.0)];
        let bars = [bar(corners[0], corners[1]), bar(corners[1], corners[2]), bar(corners[2], corners[3])];
        let ends = [WORLD, bars[0], bars[1], bars[2], WORLD];
        for (pair, corner) in ends.windows(2).zip(corners) {
            // In a plane two axis rows of four hinges are redundant; with ball joints they are not.
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, pair[0], pair[1], corner, Vec3::Y, kind));
        }
        world
    };
    let mut exact = four_bar(&["solver.method=Direct"]);
    exact.step();
    let at = |sweeps: u32| {
        let mut world = four_bar(&["solver.rows=Tree", &format!("solver.iterations={sweeps}")]);
        world.step();
        assert_eq!(world.system.trees.count(), 2, "a tree and what closes the loop");
        apart(&world, &exact)
    };
    let (few, many) = (at(4), at(400));
    assert!(few > 10.0 * many && many < 1e-4, "{few:.1e} after 4 sweeps, {many:.1e} after 400");
}

/// Particles have no rotational inertia and planar bodies have one axis of it: both can still be part of a tree.
#[test]
fn particles_and_planar_bodies_hang_on_trees() {
    let (tree, blocks) = (mixed_chain("solver.rows=Tree"), mixed_chain("solver.rows=Block"));
    assert!(tree < 1.05 * blocks, "{tree} m open, {blocks} with blocks");
}

/// A chain of particles, planar bodies and free ones swings for two seconds; the gap of a joint then, m.
fn mixed_chain(rows: &str) -> f32 {
    let mut world = World::new(split_blocks(&[rows, "solver.iterations=30"]));
    let mut above = WORLD;
    for i in 0..6 {
        let at = Vec3::new(0.3 * (i + 1) as f32, 0.0, 0.0);
        let link = world.add_body(match i % 3 {
            0 => BodyDef { particle: true, ..bead(at) },
            1 => BodyDef { plane: Some(Vec3::Y), collide: false, ..cube(0.1, at) },
            _ => BodyDef { collide: false, ..cube(0.1, at) },
        });
        let kind =
            if i % 3 == 0 { JointKind::Distance(Distance::default()) } else { JointKind::BallSocket(BallSocket {}) };
        let mut def = joint(&world, above, link, at - Vec3::X * 0.15, Vec3::Y, kind);
        if i % 3 == 0 {
            (def.anchor_a, def.anchor_b) = (def.anchor_a - Vec3::X * 0.15, Vec3::ZERO);
            def.kind = JointKind::Distance(Distance { length: Some(0.3) });
        }
        world.add_joint(def);
        above = link;
    }
    run(&mut world, 2.0);
    assert!(world.state.bodies.iter().all(|b| b.position.y.abs() < 1e-3), "all swing in one plane");
    world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max)
}

/// Limits, motors and contacts iterate around the tree: a chain falls on the floor and comes to rest on it.
#[test]
fn a_chain_of_limited_hinges_comes_to_rest_on_the_floor() {
    let mut world = World::new(split_blocks(&["solver.rows=Tree"]));
    world.add_body(BodyDef { motion: Motion::Static, ..floor() });
    let mut above = None;
    for i in 0..8 {
        let at = Vec3::new(0.5 * i as f32, 0.0, 1.0);
        let link = world.add_body(body(Shape::Box { half: Vec3::new(0.2, 0.1, 0.1) }, at));
        if let Some(above) = above {
            let limit = Some((Angle::degrees(-30.0), Angle::degrees(30.0)));
            let kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
            world.add_joint(joint(&world, above, link, at - Vec3::X * 0.25, Vec3::Y, kind));
        }
        above = Some(link);
    }
    run(&mut world, 4.0);
    for body in &world.state.bodies[2..] {
        close("height", body.position.z, 0.1, 6e-3);
    }
    let fastest = world.state.velocities.iter().map(|v| v.linear.length()).fold(0.0, f32::max);
    assert!(fastest < 1e-3, "{fastest} m/s");
    let worst = world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max);
    assert!(worst < 1e-4, "{worst} m open");
}

/// Internal forces of a tree do not move it as a whole: linear and angular momentum are conserved up to 32-bit
/// accuracy.
#[test]
fn a_floating_tree_keeps_its_momentum() {
    for seed in 0..8 {
        let mut world =
            random_tree(seed, 2.0, false, &["solver.rows=Tree", "step.gravity=0,0,0", "step.gyroscopic=Off"]);
        let before = world.metrics();
        world.step();
        let after = world.metrics();
        let linear = (after.momentum - before.momentum).length() / before.momentum.length();
        assert!(linear < 1e-5, "seed {seed}: linear momentum changed by {linear:.1e}");
    }
}
