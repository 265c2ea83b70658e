//! Failures: worlds that the kernels do not support, lost devices, states that are NaN.

use std::sync::Arc;

use delassus_gpu::{Device, DeviceFault, DeviceSolver, DeviceState, PackedWorld, Refusal, Scheme};
use delassus_physics::joints::{Fixed, JointKind};
use delassus_physics::shape::{Shape, ShapePart};
use glam::Vec3;

use crate::device;
use crate::parity::solver;
use crate::worlds::Builder;

/// Everything that the kernels do not support is refused with its reason.
#[test]
fn what_the_kernels_have_not_is_refused() {
    let refused = |assignments: &[&str]| {
        let mut builder = Builder::new(assignments);
        builder.chains(1, 5, |_| 1.0);
        PackedWorld::new(&builder.world).err()
    };
    assert_eq!(refused(&[]), None);
    assert_eq!(refused(&["solver.method=Direct"]), Some(Refusal::Method));
    assert_eq!(refused(&["solver.rows=Tree"]), Some(Refusal::Rows), "Jacobi's blocks are not trees");
    let gauss_seidel = |more: &[&'static str]| refused(&[&["solver.method=GaussSeidel"], more].concat());
    assert_eq!(gauss_seidel(&[]), None);
    assert_eq!(gauss_seidel(&["solver.rows=Tree"]), None);
    assert_eq!(gauss_seidel(&["solver.rows=Joint"]), Some(Refusal::Rows));
    assert_eq!(gauss_seidel(&["solver.order=Shuffled"]), Some(Refusal::Order));
    let late = ["warm_start.enabled=true", "formulation.carry=AsPrinted"];
    assert_eq!(gauss_seidel(&late), Some(Refusal::Carry));
    assert_eq!(refused(&["solver.rows=Scalar"]), Some(Refusal::Rows));
    assert_eq!(refused(&["solver.jacobi=Conjugate"]), Some(Refusal::Conjugate));
    assert_eq!(refused(&["solver.tolerance=0.01"]), Some(Refusal::Tolerance));
    assert_eq!(refused(&["stabilization.method=Split"]), Some(Refusal::Stabilization));
    assert_eq!(refused(&["breaking.force=100"]), Some(Refusal::Breaking));
    let stable = ["solver.jacobi=Stable", "stabilization.method=Off", "warm_start.enabled=true"];
    assert_eq!(refused(&stable), Some(Refusal::Safeguard));

    let mut builder = Builder::new(&[]);
    builder.chains(1, 5, |_| 1.0);
    builder.world.state.joints[2].def.kind = JointKind::Fixed(Fixed::default());
    assert_eq!(PackedWorld::new(&builder.world), Err(Refusal::Kind(2)));

    let mut builder = Builder::new(&[]);
    builder.blocks = true;
    builder.chains(1, 3, |_| 1.0);
    assert_eq!(PackedWorld::new(&builder.world), Err(Refusal::Gyroscopic(2)), "the first that moves");

    let mut builder = Builder::new(&[]);
    builder.chains(1, 3, |_| 1.0);
    let shape = Shape::Compound { parts: [ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::ZERO)].into() };
    builder.world.state.bodies[2].solid = Arc::new(shape.solid().expect("a compound"));
    assert_eq!(PackedWorld::new(&builder.world), Err(Refusal::Compound(2)));

    let mut builder = Builder::new(&["contact.enabled=true"]);
    builder.chains(1, 3, |_| 1.0);
    assert_eq!(PackedWorld::new(&builder.world).err(), None, "nothing touches");
    builder.world.state.bodies[2].collide = true;
    assert_eq!(PackedWorld::new(&builder.world), Err(Refusal::Contact(2)));
}

/// A velocity that is not finite stops its body, which is reported; the others go on.
#[test]
fn what_is_no_number_stays_where_it_is() {
    let Some(device) = device() else { return };
    let mut builder = Builder::new(&[]);
    builder.chains(2, 5, |_| 1.0);
    builder.world.state.velocities[3].linear.x = f32::INFINITY;
    let (packed, mut solver) = solver(&device, &builder.world, Scheme::OnePass);
    solver.step().expect("a step");
    let mut state = DeviceState::default();
    solver.read(&mut state).expect("a state");
    assert_eq!(state.poses[3][3], 1.0, "{:?}", state.poses[3]);
    assert_eq!(state.pose(3).0, packed.state.pose(3).0);
    assert!(state.poses.iter().flatten().all(|number| number.is_finite()));
    assert_eq!(state.poses[8][3], 0.0, "the other chain");
    assert!(state.velocity(8).linear.z < 0.0, "it falls");
}

/// A lost device is an error with a message, not a panic.
#[test]
fn a_lost_device_is_an_error_in_words() {
    if device().is_none() {
        return;
    }
    let own = Arc::new(Device::open().expect("a second device"));
    let mut builder = Builder::new(&[]);
    builder.chains(1, 5, |_| 1.0);
    let (_, mut solver) = solver(&own, &builder.world, Scheme::OnePass);
    solver.step().expect("a step");
    own.device.destroy();
    let mut state = DeviceState::default();
    let stepped = solver.step().and_then(|()| solver.read(&mut state));
    let fault = stepped.expect_err("the device is gone");
    assert!(matches!(fault, DeviceFault::Lost(_) | DeviceFault::Failed(_)), "{fault}");
    assert!(fault.to_string().starts_with("The graphics device"), "{fault}");
}

/// A scene too large for any buffer is refused before anything is allocated.
#[test]
fn a_scene_that_is_too_large_is_refused_with_the_limit() {
    let Some(device) = device() else { return };
    let limits = device.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    let mut builder = Builder::new(&[]);
    builder.chains(1, 2, |_| 1.0);
    let mut packed = PackedWorld::new(&builder.world).expect("a world");
    let bodies = (largest / 32 + 1) as usize;
    if bodies > 1 << 27 {
        eprintln!("skipped: this adapter holds {largest} bytes in a buffer, more than this test is to fill");
        return;
    }
    packed.masses.resize(bodies, [0.0; 8]);
    let config = packed.config(&builder.world.settings);
    let fault = DeviceSolver::new(&device, &packed, config).expect_err("it is too large");
    assert!(matches!(fault, DeviceFault::TooLarge { limit, .. } if limit == largest), "{fault}");
}
