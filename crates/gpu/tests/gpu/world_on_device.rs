//! A world that is stepped by the device, `solver.device`, has the same interface and results.

use delassus_scene::Words as _;
use std::sync::Arc;

use delassus_gpu::{Device, DeviceFault, Stepper};
use delassus_physics::device::DeviceRefusal;
use delassus_physics::row::RowList;
use delassus_physics::work::Work;
use delassus_physics::world::World;

use crate::device;
use crate::worlds::Builder;

/// Chains on the device, and the same on the processor; `None` if there is no device.
fn both(assignments: &[&str]) -> Option<(World, World)> {
    let device = device()?;
    let build = |on: &str| {
        let mut builder = Builder::new(assignments);
        builder.chains(3, 12, |_| 1.0);
        builder.stir(1.0);
        builder.world.settings.assign(on).expect("a valid assignment");
        builder.world
    };
    let mut on_device = build("solver.device=Gpu");
    on_device.pipeline.executor.device = Some(Arc::new(Stepper::new(move || Ok(device.clone()))));
    Some((on_device, build("solver.device=Cpu")))
}

/// The differences of two worlds: positions, m, velocities, m/s and rad/s, joint forces, N, and errors, m.
fn apart(a: &World, b: &World) -> [f32; 5] {
    let mut most = [0.0f32; 5];
    for body in 0..a.state.bodies.len() as u32 {
        let ((x, _, v), (y, _, w)) = (a.state(body), b.state(body));
        most[0] = most[0].max(x.distance(y));
        most[1] = most[1].max((v.linear - w.linear).length());
        most[2] = most[2].max((v.angular - w.angular).length());
    }
    let mut list = RowList::default();
    for joint in 0..a.state.joints.len() {
        let ((_, one), (_, other)) = (a.joint_now(joint, &mut list), b.joint_now(joint, &mut list));
        most[3] = most[3].max(one.force.distance(other.force));
        most[4] = most[4].max((one.error - other.error).abs());
        assert!((one.residual - other.residual).abs() <= 1e-3 * other.residual.max(1e-2), "{one:?} {other:?}");
    }
    most
}

/// Bodies, velocities, forces, errors and metrics equal the processor's, whether the world stays on the device or
/// not: within 1e-4 of some 3 m/s and 200 N, the rounding of ten steps as in `parity.rs`.
#[test]
fn what_is_read_is_what_the_processor_has() {
    let usual = "formulation.rotation=ExponentialMap";
    let ways = [
        ["solver.method=Jacobi", "solver.rows=Block", usual],
        ["solver.method=Jacobi", "solver.rows=Block", "formulation.rotation=AsPrinted"],
        ["solver.method=Jacobi", "solver.rows=Joint", usual],
        ["solver.method=GaussSeidel", "solver.rows=Block", usual],
        ["solver.method=GaussSeidel", "solver.rows=Tree", usual],
    ];
    for [method, rows, rotation] in ways {
        for resident in [false, true] {
            let Some((mut away, mut here)) =
                both(&[method, rows, rotation, "warm_start.enabled=true", "solver.relaxation=0.5"])
            else {
                return;
            };
            away.pipeline.executor.resident = resident;
            for _ in 0..10 {
                away.step();
                here.step();
            }
            assert!(away.device_refusal().is_none(), "{:?}", away.device_refusal());
            assert_eq!(away.is_behind(), resident);
            assert_eq!(
                (away.state.step_count, away.state.time, away.report.row_count),
                (here.state.step_count, here.state.time, here.report.row_count)
            );
            let force = (0..here.state.joints.len()).map(|joint| here.state.joints[joint].readout.force.length());
            let force = force.fold(0.0, f32::max);
            let [x, v, w, f, e] = apart(&away, &here);
            assert!(x <= 1e-5 && v <= 3e-4 && w <= 3e-3 && f <= 1e-3 * force && e <= 1e-5, "{x} {v} {w} {f} {e}");
            let (one, other) = (away.metrics(), here.metrics());
            assert!((one.energy() - other.energy()).abs() <= 1e-4 * other.kinetic_energy, "{one:?} {other:?}");
            assert!((one.joint_error_mean - other.joint_error_mean).abs() <= 1e-6, "{one:?} {other:?}");
            // For trees that are solved exactly only rounding errors are left.
            assert!((one.residual - other.residual).abs() <= 1e-3 * other.residual + 1e-6, "{one:?} {other:?}");
            assert_eq!(one.sweeps, other.sweeps);
            // Settling does not change the state.
            let seen = away.clone();
            away.sync();
            assert_eq!(apart(&away, &seen), [0.0; 5]);
            assert_eq!(away.hash(), seen.hash());
        }
    }
}

/// A copy of a world continues with the same bits, and so does a world that was settled.
#[test]
fn copies_go_on_with_the_same_bits() {
    let Some((mut world, _)) = both(&["warm_start.enabled=true", "solver.relaxation=0.5", "solver.iterations=7"])
    else {
        return;
    };
    world.pipeline.executor.resident = true;
    (0..5).for_each(|_| world.step());
    let (mut copy, mut settled) = (world.clone(), world.clone());
    settled.sync();
    for _ in 0..5 {
        world.step();
        copy.step();
        settled.step();
    }
    assert_eq!(world.hash(), copy.hash());
    assert_eq!(world.hash(), settled.hash());
}

/// Settings and device change between steps: each step uses its own.
#[test]
fn steps_go_over_to_the_processor_and_back() {
    let Some((mut away, mut here)) = both(&[]) else { return };
    away.pipeline.executor.resident = true;
    for step in 0..24 {
        for world in [&mut away, &mut here] {
            world.settings.solver.iterations = 5 + step / 2;
            let method = if step % 8 < 4 { "solver.method=Jacobi" } else { "solver.method=GaussSeidel" };
            world.settings.assign(method).expect("a setting");
        }
        away.settings.assign(if step % 4 < 2 { "solver.device=Gpu" } else { "solver.device=Cpu" }).expect("a setting");
        away.step();
        here.step();
        assert_eq!(away.device_world().is_some(), step % 4 < 2, "step {step}");
    }
    let [x, v, ..] = apart(&away, &here);
    assert!(x <= 1e-5 && v <= 1e-3, "{x} m, {v} m/s");
}

/// What the kernels do not support is stepped by the processor, identical to the bit, with the reason.
#[test]
fn what_is_refused_the_processor_steps() {
    let Some((mut away, mut here)) = both(&["solver.method=Direct"]) else { return };
    for _ in 0..3 {
        away.step();
        here.step();
    }
    assert_eq!(
        away.device_refusal().map(DeviceRefusal::words).as_deref(),
        Some("it has only sweeps, no direct solver")
    );
    assert_eq!(away.hash(), here.hash());
    away.settings.assign("solver.method=Jacobi").expect("a setting");
    away.step();
    assert!(away.device_refusal().is_none(), "{:?}", away.device_refusal());
}

/// A device that fails with this fault.
fn failing(fault: &DeviceFault) -> Stepper {
    let fault = fault.clone();
    Stepper::new(move || Err(fault.clone()))
}

/// No adapter, no compute shaders, no device: the processor steps, with the reason.
#[test]
fn without_a_device_the_processor_steps() {
    let faults = [
        DeviceFault::NoAdapter("none".to_owned()),
        DeviceFault::NoCompute("old".to_owned()),
        DeviceFault::NoDevice { adapter: "busy".to_owned(), why: "busy".to_owned() },
    ];
    for fault in faults {
        let mut builder = Builder::new(&["solver.device=Gpu"]);
        builder.chains(1, 5, |_| 1.0);
        let mut here = builder.world.clone();
        here.settings.assign("solver.device=Cpu").expect("a setting");
        let mut world = builder.world;
        world.pipeline.executor.device = Some(Arc::new(failing(&fault)));
        world.step();
        here.step();
        let why = world.device_refusal().map(|why| why.words().to_lowercase());
        assert_eq!(why, Some(fault.to_string().to_lowercase()));
        assert_eq!(world.hash(), here.hash());
    }
}

/// An adapter with too small buffers or too few workgroups for the scene.
#[test]
fn where_the_limits_are_too_small_the_processor_steps() {
    if device().is_none() {
        return;
    }
    let small = |change: &dyn Fn(&mut wgpu::Limits)| {
        let mut own = Device::open().expect("a device of its own");
        change(&mut own.limits);
        let own = Arc::new(own);
        Arc::new(Stepper::new(move || Ok(own.clone())))
    };
    let buffers = small(&|limits| limits.max_storage_buffer_binding_size = 1024);
    let groups = small(&|limits| limits.max_compute_workgroups_per_dimension = 1);
    for (device, beads, words) in [(buffers, 40, "bytes in a buffer"), (groups, 80, "groups of threads")] {
        let mut builder = Builder::new(&["solver.device=Gpu"]);
        builder.chains(1, beads, |_| 1.0);
        let mut here = builder.world.clone();
        here.settings.assign("solver.device=Cpu").expect("a setting");
        let mut world = builder.world;
        world.pipeline.executor.device = Some(device);
        world.step();
        here.step();
        assert!(world.device_refusal().is_some_and(|why| why.words().contains(words)), "{:?}", world.device_refusal());
        assert_eq!(world.hash(), here.hash());
    }
}

/// If a device is lost, the steps that were not read back are repeated by the processor, from the last state that was
/// read and with the settings of that time.
#[test]
fn a_device_that_is_lost_in_mid_run_leaves_the_run_to_the_processor() {
    if device().is_none() {
        return;
    }
    for seen in [true, false] {
        let own = Arc::new(Device::open().expect("a device of its own"));
        let mut builder = Builder::new(&["solver.device=Gpu"]);
        builder.chains(2, 10, |_| 1.0);
        builder.stir(1.0);
        let mut world = builder.world;
        let mut here = world.clone();
        here.settings.assign("solver.device=Cpu").expect("a setting");
        let lent = own.clone();
        world.pipeline.executor.device = Some(Arc::new(Stepper::new(move || Ok(lent.clone()))));
        world.pipeline.executor.resident = true;
        for _ in 0..4 {
            world.step();
            here.step();
        }
        if seen {
            assert!(world.metrics().energy().is_finite());
        }
        world.step();
        own.device.destroy();
        // Settings of the next step, not of those that are repeated.
        world.settings.solver.iterations = 3;
        (0..3).for_each(|_| world.step());
        here.step();
        here.settings.solver.iterations = 3;
        (0..3).for_each(|_| here.step());
        assert!(
            world.device_refusal().is_some_and(|why| why.words().starts_with("the graphics device")),
            "{:?}",
            world.device_refusal()
        );
        assert_eq!((world.state.step_count, world.state.time), (here.state.step_count, here.state.time));
        let [x, v, ..] = apart(&world, &here);
        let most = if seen { (1e-5, 1e-3) } else { (0.0, 0.0) };
        assert!(x <= most.0 && v <= most.1, "{x} m, {v} m/s: with nothing seen the processor made all steps");
    }
}

/// A step on the device cannot be cancelled: one that takes too long is the processor's, which has a limit of its own.
#[test]
fn steps_that_take_too_long_are_not_given_to_the_device() {
    let Some((mut away, mut here)) = both(&["solver.iterations=100", "solver.method=Jacobi", "solver.rows=Block"])
    else {
        return;
    };
    // 100 passes of some 10 µs are more than a million multiplications, 100 sweeps of 216 rows are less.
    for world in [&mut away, &mut here] {
        world.report.work = Work::of(1_000_000);
        world.step();
    }
    assert!(matches!(away.device_refusal(), Some(DeviceRefusal::Work)), "{:?}", away.device_refusal());
    assert_eq!((away.state.step_count, away.hash()), (1, here.hash()));
    away.report.work = Work::default();
    away.settings.solver.iterations = 99;
    away.step();
    assert!(away.device_refusal().is_none(), "{:?}", away.device_refusal());
}
