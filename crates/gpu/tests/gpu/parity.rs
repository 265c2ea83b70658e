//! The device's Jacobi equals the processor's within rounding: chains, trees, nets and hubs, one constraint to a
//! hundred thousand, static ends, masses of one to a thousand, all schemes.
//!
//! Both compute with 32 bits in a different order (blocks in world axes, sums at the bodies), so a step differs by
//! about 2⁻²⁴ of the summands, times the sums' length and the blocks' condition number: 1e-5 of the largest velocity.
//! In later steps the motion of a chain amplifies that; each test gives its tolerance.

use delassus_gpu::{Device, DeviceSolver, DeviceState, PackedWorld, Scheme, SolverConfig};
use delassus_physics::world::World;
use std::sync::Arc;

use crate::device;
use crate::worlds::{Builder, Dice};

/// The differences of two runs relative to the processor's largest value: linear and angular velocities, impulses;
/// and of positions, m.
#[derive(Debug)]
pub struct Apart {
    pub linear: f32,
    pub angular: f32,
    pub impulse: f32,
    pub position: f32,
}

/// The differences between the device's state and the world's.
pub fn apart(world: &World, packed: &PackedWorld, state: &DeviceState) -> Apart {
    let (mut by, mut of) = ([0.0f32; 3], [1e-3f32; 3]);
    let mut position = 0.0f32;
    for (index, (body, own)) in world.state.bodies.iter().zip(&world.state.velocities).enumerate() {
        let other = state.velocity(index);
        for (slot, (own, other)) in [(own.linear, other.linear), (own.angular, other.angular)].into_iter().enumerate() {
            assert!(other.is_finite(), "body {index}");
            by[slot] = by[slot].max((own - other).length());
            of[slot] = of[slot].max(own.length());
        }
        position = position.max((body.position - state.pose(index).0).length());
        let turned = body.rotation.dot(state.pose(index).1).abs();
        assert!(turned > 0.9, "body {index}: {} and {}", body.rotation, state.pose(index).1);
    }
    for (joint, found) in packed.joints.iter().zip(&state.multipliers) {
        let own = &world.state.joints[*joint as usize].impulses[..3];
        let difference = own.iter().zip(found).map(|(own, found)| (own - found).powi(2)).sum::<f32>().sqrt();
        by[2] = by[2].max(difference);
        of[2] = of[2].max(own.iter().map(|own| own * own).sum::<f32>().sqrt());
    }
    Apart { linear: by[0] / of[0], angular: by[1] / of[1], impulse: by[2] / of[2], position }
}

/// The world on the device, for a scheme.
pub fn solver(device: &Arc<Device>, world: &World, scheme: Scheme) -> (PackedWorld, DeviceSolver) {
    let packed = PackedWorld::by(world, Some(scheme)).unwrap_or_else(|refusal| panic!("{refusal}"));
    let config = SolverConfig { scheme, ..packed.config(&world.settings) };
    let solver = DeviceSolver::new(device, &packed, config).unwrap_or_else(|fault| panic!("{fault}"));
    (packed, solver)
}

/// Runs both for `steps` steps.
pub fn run(device: &Arc<Device>, mut world: World, scheme: Scheme, steps: u32) -> Apart {
    let (packed, mut solver) = solver(device, &world, scheme);
    let mut state = DeviceState::default();
    for _ in 0..steps {
        world.step();
        solver.step().unwrap_or_else(|fault| panic!("{fault}"));
    }
    solver.read(&mut state).unwrap_or_else(|fault| panic!("{fault}"));
    apart(&world, &packed, &state)
}

/// After one step with every scheme the difference is below 1e-5 of the largest velocity.
#[track_caller]
fn one_step(what: &str, build: impl Fn() -> World) {
    let Some(device) = device() else { return };
    for scheme in Scheme::JACOBI {
        let found = run(&device, build(), scheme, 1);
        let worst = found.linear.max(found.angular);
        assert!(worst <= 1e-5, "{what}, {}: {found:?}", scheme.name());
        assert!(found.impulse <= 1e-5, "{what}, {}: {found:?}", scheme.name());
        assert!(found.position <= 1e-6, "{what}, {}: {found:?}", scheme.name());
    }
}

#[test]
fn a_single_constraint() {
    one_step("a bead", || {
        let mut builder = Builder::new(&[]);
        builder.chains(1, 2, |_| 1.0);
        builder.stir(1.0);
        builder.world
    });
}

#[test]
fn chains_with_static_ends() {
    one_step("chains", || {
        let mut builder = Builder::new(&[]);
        builder.chains(25, 40, |_| 1.0);
        builder.stir(1.0);
        builder.world
    });
}

#[test]
fn trees() {
    for seed in 0..5 {
        one_step("a tree", || {
            let mut builder = Builder::new(&["solver.jacobi=Stable"]);
            builder.tree(60, seed);
            builder.stir(1.0);
            builder.world
        });
    }
}

#[test]
fn loops() {
    one_step("a net", || {
        let mut builder = Builder::new(&["solver.jacobi=Stable"]);
        builder.net(12);
        builder.stir(1.0);
        builder.world
    });
}

#[test]
fn masses_of_one_to_a_thousand() {
    one_step("heavy and light", || {
        let mut builder = Builder::new(&["solver.jacobi=MassSplitting"]);
        builder.chains(10, 20, |bead| if bead % 2 == 0 { 1.0 } else { 1000.0 });
        builder.stir(1.0);
        builder.world
    });
}

#[test]
fn a_hub_of_many_spokes_with_split_masses() {
    for rows in ["solver.rows=Block", "solver.rows=Joint"] {
        one_step("a hub", || {
            let mut builder = Builder::new(&["solver.jacobi=MassSplitting", rows]);
            builder.hub(200);
            builder.stir(1.0);
            builder.world
        });
    }
}

/// With split masses the first sweep over whole joints once moved a body n times as far as their impulses where n
/// joints met: the total momentum changed, and the device's blocks disagreed.
#[test]
fn split_masses_move_a_body_once_however_many_joints_meet() {
    let swept = |rows: &str| {
        let mut builder = Builder::new(&["solver.jacobi=MassSplitting", "step.gravity=0,0,0", rows]);
        builder.hub(20);
        builder.stir(1.0);
        let momentum = |world: &World| {
            let parts = world.state.bodies.iter().zip(world.state.velocities.iter());
            parts.map(|(body, v)| v.linear * body.mass).sum::<glam::Vec3A>()
        };
        let before = momentum(&builder.world);
        builder.world.step();
        (builder.world.state.velocities.to_vec(), (momentum(&builder.world) - before).length())
    };
    let (blocks, lost) = swept("solver.rows=Block");
    let (joints, lost_too) = swept("solver.rows=Joint");
    assert!(lost <= 1e-5 && lost_too <= 1e-5, "{lost} and {lost_too} kg m/s of some 20");
    for (a, b) in blocks.iter().zip(&joints) {
        assert!((a.linear - b.linear).length() <= 1e-5, "{} and {} m/s", a.linear, b.linear);
    }
}

#[test]
fn blocks_of_unequal_inertias() {
    one_step("blocks", || {
        let mut builder = Builder::new(&["solver.jacobi=Stable", "step.gyroscopic=Off"]);
        builder.blocks = true;
        builder.tree(40, 9);
        builder.stir(1.0);
        builder.world
    });
}

/// Three sub-steps of 1/720 s: Baumgarte feeds back the rounding error of a position at 5 m, 2⁻²² m, at a rate of
/// 144/s: 3e-5 m/s per sub-step, besides the rounding of velocities.
#[test]
fn sub_steps_and_rotations_as_printed() {
    let Some(device) = device() else { return };
    for scheme in Scheme::JACOBI {
        let mut builder = Builder::new(&["step.substeps=3", "formulation.rotation=AsPrinted"]);
        builder.chains(4, 20, |_| 1.0);
        builder.stir(1.0);
        let found = run(&device, builder.world, scheme, 1);
        assert!(found.linear.max(found.angular) <= 1e-4, "{}: {found:?}", scheme.name());
    }
}

#[test]
fn no_constraints_and_no_sweeps() {
    one_step("free balls", || {
        // With gravity the device refuses them: they fall by leapfrog.
        let mut builder = Builder::new(&["step.gravity=(0, 0, 0)"]);
        let mut dice = Dice::new(1);
        for _ in 0..10 {
            let at = dice.vector();
            builder.body(at, Some(1.0), &mut dice);
        }
        builder.stir(3.0);
        builder.world
    });
    one_step("no sweeps", || {
        let mut builder = Builder::new(&["solver.iterations=0", "warm_start.enabled=true"]);
        builder.chains(2, 10, |_| 1.0);
        builder.world
    });
}

#[test]
fn a_hundred_thousand_constraints() {
    let Some(device) = device() else { return };
    let mut builder = Builder::new(&["solver.iterations=10"]);
    builder.chains(2500, 41, |_| 1.0);
    builder.stir(1.0);
    assert_eq!(builder.world.state.joints.len(), 100_000);
    let found = run(&device, builder.world, Scheme::OnePass, 1);
    assert!(found.linear.max(found.angular) <= 1e-5, "{found:?}");
}

/// Ten steps and six hundred (2.5 s): of chains that hang and sway, and of chains, a net and a tree that are released
/// and crack like whips, where the error doubles about every quarter of a second: 2¹⁰ times that of ten steps.
#[test]
fn ten_steps_and_six_hundred() {
    let Some(device) = device() else { return };
    for scheme in Scheme::JACOBI {
        for (steps, swaying, whipping) in [(10, 1e-4, 1e-4), (600, 2e-3, 1e-1)] {
            let mut builder = Builder::new(&["solver.jacobi=Stable", "step.gravity=9.81,0,-1"]);
            builder.chains(4, 20, |_| 1.0);
            let found = run(&device, builder.world, scheme, steps);
            println!("{} {steps} {found:?}", scheme.name());
            assert!(found.linear.max(found.angular) <= swaying, "{}, {steps} steps: {found:?}", scheme.name());

            let mut builder = Builder::new(&["solver.jacobi=Stable"]);
            builder.chains(4, 20, |_| 1.0);
            builder.net(5);
            let found = run(&device, builder.world, scheme, steps);
            println!("{} {steps} {found:?}", scheme.name());
            assert!(found.linear.max(found.angular) <= whipping, "{}, {steps} steps: {found:?}", scheme.name());

            let mut builder = Builder::new(&["solver.jacobi=Stable"]);
            builder.tree(30, 1);
            let found = run(&device, builder.world, scheme, steps);
            println!("a tree, {} {steps} {found:?}", scheme.name());
            assert!(found.linear.max(found.angular) <= swaying, "a tree, {}, {steps}: {found:?}", scheme.name());
        }
    }
}

/// Warm starting, applied first and as printed in 001: impulses are stored in A's axes, as on the processor.
#[test]
fn warm_starting() {
    let Some(device) = device() else { return };
    for carry in ["AppliedFirst", "AsPrinted"] {
        for scheme in Scheme::JACOBI {
            let carry = format!("formulation.carry={carry}");
            let mut builder = Builder::new(&["warm_start.enabled=true", "solver.relaxation=0.5", &carry]);
            builder.chains(4, 20, |_| 1.0);
            let found = run(&device, builder.world, scheme, 10);
            println!("{carry} {} {found:?}", scheme.name());
            assert!(found.linear.max(found.angular) <= 1e-4, "{carry}, {}: {found:?}", scheme.name());
        }
    }
}
