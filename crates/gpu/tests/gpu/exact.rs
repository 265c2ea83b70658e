//! Trees solved on the device equal the processor's exact trees within rounding, and have gaps as small.
//!
//! The tolerances are those of `parity.rs`. Impulses are less well conditioned than velocities: along a chain of n
//! joints they add up, and with A's condition number of about n² a rounding error of the right-hand side is
//! multiplied by n, 1e-4 for forty. In later steps the rounding error of a position at 5 m, 2⁻²² m, is fed back at
//! β/h = 48/s by each joint, and by all of them at once since they are solved together: 1e-5 m/s per joint, times 20
//! in a chain.

use std::sync::Arc;

use delassus_gpu::{Device, DeviceState, PackedWorld, Scheme};
use delassus_physics::world::World;

use crate::device;
use crate::parity::{run, solver};
use crate::worlds::{Builder, of_scheme};

fn world(assignments: &[&str], build: impl Fn(&mut Builder)) -> World {
    let mut builder = Builder::new(&of_scheme(Scheme::Exact, assignments));
    build(&mut builder);
    builder.world
}

/// Compares after one step.
#[track_caller]
fn one_step(what: &str, assignments: &[&str], build: impl Fn(&mut Builder)) {
    let Some(device) = device() else { return };
    let found = run(&device, world(assignments, build), Scheme::Exact, 1);
    assert!(found.linear.max(found.angular) <= 1e-5, "{what}: {found:?}");
    assert!(found.impulse <= 1e-4 && found.position <= 1e-6, "{what}: {found:?}");
}

#[test]
fn chains_with_static_ends() {
    for beads in [2, 3, 40] {
        one_step("chains", &[], |builder| {
            builder.chains(10, beads, |_| 1.0);
            builder.stir(1.0);
        });
    }
    one_step("one solve", &["solver.iterations=1"], |builder| {
        builder.chains(10, 20, |_| 1.0);
        builder.stir(1.0);
    });
}

/// Random branches, hanging and free; trees of several lengths side by side.
#[test]
fn trees_and_stars() {
    for seed in 0..4 {
        one_step("trees", &[], |builder| {
            builder.tree(60, seed);
            builder.chains(3, 7, |_| 1.0);
            builder.hub(9);
            builder.stir(1.0);
        });
    }
    one_step("a star", &[], |builder| {
        builder.hub(200);
        builder.stir(1.0);
    });
}

#[test]
fn masses_of_one_to_a_thousand() {
    one_step("heavy and light", &[], |builder| {
        builder.chains(10, 20, |bead| if bead % 2 == 0 { 1.0 } else { 1000.0 });
        builder.stir(1.0);
    });
    // With κ = m tr K of about 1000 · 12, beads between a held end and a load have a relative error of 12,000 · 2⁻²⁴
    // on both sides: see `physics/solvers/tree/elimination_plan.rs`.
    let Some(device) = device() else { return };
    let loaded = world(&[], |builder| {
        builder.chains(2, 12, |bead| if bead == 11 { 1000.0 } else { 1.0 });
        builder.stir(1.0);
    });
    let found = run(&device, loaded, Scheme::Exact, 1);
    assert!(found.linear.max(found.angular) <= 1e-3 && found.impulse <= 1e-5, "a load at the end: {found:?}");
}

#[test]
fn blocks_of_unequal_inertias() {
    one_step("blocks", &["step.gyroscopic=Off"], |builder| {
        builder.blocks = true;
        builder.tree(40, 9);
        builder.stir(1.0);
    });
}

/// Joints that close loops are solved after the trees, in the scene's order.
#[test]
fn loops_take_turns() {
    let build = |builder: &mut Builder| {
        builder.net(6);
        builder.stir(1.0);
    };
    let packed = PackedWorld::new(&world(&[], build)).expect("a world");
    // 60 joints between 36 bodies, of which 34 are dynamic: one joint per body is in a tree.
    assert_eq!((packed.ends.len(), packed.trees.nodes.len()), (60, 34));
    assert_eq!(packed.turns.last(), Some(&(60 - 34)));
    one_step("a net", &[], build);
}

/// Every dynamic body is in exactly one tree, after its children, and every joint is exactly one constraint.
#[test]
fn the_layout_holds_every_body_and_joint_once() {
    let world = world(&[], |builder| {
        builder.tree(30, 4);
        builder.net(5);
        builder.chains(5, 9, |_| 1.0);
        builder.hub(6);
    });
    let packed = PackedWorld::new(&world).expect("a world");
    let mut joints = packed.joints.clone();
    joints.sort_unstable();
    assert_eq!(joints, (0..world.state.joints.len() as u32).collect::<Vec<_>>());
    let mut bodies: Vec<u32> = packed.trees.nodes.iter().map(|node| node[0]).collect();
    bodies.sort_unstable();
    let moving: Vec<u32> =
        (0..world.state.bodies.len() as u32).filter(|b| world.state.bodies[*b as usize].is_dynamic()).collect();
    assert_eq!(bodies, moving);
    for (slot, [body, parent, joint, _]) in (0u32..).zip(&packed.trees.nodes) {
        if *joint == u32::MAX {
            assert_eq!(*parent, u32::MAX, "the root of a tree that floats");
            continue;
        }
        let [a, b] = packed.ends[(joint >> 1) as usize];
        let (own, other) = if joint & 1 == 1 { (b, a) } else { (a, b) };
        let above = if parent >> 31 == 1 { parent & !(1 << 31) } else { packed.trees.nodes[*parent as usize][0] };
        assert_eq!((*body, above), (own, other));
        assert!(parent >> 31 == 1 || *parent > slot, "children come first");
    }
}

#[test]
fn a_hundred_thousand_constraints() {
    let Some(device) = device() else { return };
    // Twice the velocity: at 25 m rounding errors are four times those of `parity.rs`.
    let world = world(&[], |builder| {
        builder.chains(2500, 41, |_| 1.0);
        builder.stir(2.0);
    });
    assert_eq!(world.state.joints.len(), 100_000);
    let found = run(&device, world, Scheme::Exact, 1);
    assert!(found.linear.max(found.angular) <= 1e-5, "{found:?}");
}

/// The largest distance of a joint's anchors after `steps` steps, on the device and on the processor, m.
fn gaps(device: &Arc<Device>, mut world: World, steps: u32) -> [f32; 2] {
    let (_, mut solver) = solver(device, &world, Scheme::Exact);
    let mut state = DeviceState::default();
    for _ in 0..steps {
        solver.step().expect("a step");
        world.step();
    }
    solver.read(&mut state).expect("a state");
    let gap = |pose: &dyn Fn(usize) -> (glam::Vec3, glam::Quat)| {
        let apart = world.state.joints.iter().map(|joint| {
            let end = |body: u32, anchor: glam::Vec3| {
                let (position, rotation) = pose(body as usize);
                position + rotation * anchor
            };
            (end(joint.def.b, joint.def.anchor_b) - end(joint.def.a, joint.def.anchor_a)).length()
        });
        apart.fold(0.0, f32::max)
    };
    [gap(&|body| state.pose(body)), gap(&|body| (world.state.bodies[body].position, world.state.bodies[body].rotation))]
}

/// Falling chains with a load of a thousand times a bead's mass: closed as well as by the processor.
#[test]
fn gaps_are_the_processor_s() {
    let Some(device) = device() else { return };
    for load in [1.0, 1000.0] {
        let build = |builder: &mut Builder| builder.chains(4, 20, |bead| if bead == 19 { load } else { 1.0 });
        let [own, processor] = gaps(&device, world(&[], build), 60);
        println!("{own} {processor}");
        assert!(own <= 1.05 * processor + 1e-6, "a load of {load} kg: {own} m, the processor has {processor} m");
    }
}

/// See `parity::ten_steps_and_six_hundred`.
#[test]
fn ten_steps_and_six_hundred() {
    let Some(device) = device() else { return };
    for (steps, most) in [(10, 1e-3), (600, 5e-3)] {
        let build = |builder: &mut Builder| builder.chains(4, 20, |_| 1.0);
        let found = run(&device, world(&["step.gravity=9.81,0,-1"], build), Scheme::Exact, steps);
        println!("{steps} {found:?}");
        assert!(found.linear.max(found.angular) <= most, "{steps} steps: {found:?}");
    }
}
