//! Common properties of the schemes, and a step on the device compared with the processor's.

use delassus_gpu::{DeviceState, Scheme};

use crate::device;
use crate::parity::solver;
use crate::worlds::{Builder, of_scheme};

/// The same steps give the same bits, in one run or with the state read and written between them.
#[test]
fn a_run_has_the_same_bits_read_back_or_not() {
    let Some(device) = device() else { return };
    for scheme in Scheme::ALL {
        let build = || {
            // An odd number of sweeps leaves the multipliers in the other buffer.
            let mut builder = Builder::new(&of_scheme(
                scheme,
                &["solver.iterations=7", "warm_start.enabled=true", "solver.relaxation=0.5"],
            ));
            builder.chains(3, 15, |_| 1.0);
            builder.stir(1.0);
            builder.world
        };
        let world = build();
        let (_, mut whole) = solver(&device, &world, scheme);
        let (_, mut parted) = solver(&device, &world, scheme);
        let (mut state, mut other) = (DeviceState::default(), DeviceState::default());
        for _ in 0..5 {
            whole.step().expect("a step");
            parted.step().expect("a step");
            parted.read(&mut other).expect("a state");
            parted.write(&other);
        }
        whole.read(&mut state).expect("a state");
        assert_eq!(state, other, "{}", scheme.name());
    }
}

/// A free chain conserves its momentum: constraints only exchange it between bodies.
#[test]
fn a_free_chain_keeps_its_momentum() {
    let Some(device) = device() else { return };
    for scheme in Scheme::ALL {
        let mut builder = Builder::new(&of_scheme(scheme, &["step.gravity=0,0,0"]));
        builder.hub(2);
        builder.stir(1.0);
        let world = builder.world;
        let of = |state: &DeviceState| {
            let mut sum = [glam::Vec3::ZERO; 2];
            for (index, body) in world.state.bodies.iter().enumerate().filter(|(_, body)| body.is_dynamic()) {
                let (velocity, (position, rotation)) = (state.velocity(index), state.pose(index));
                let linear = glam::Vec3::from(velocity.linear) * body.mass;
                sum[0] += linear;
                sum[1] += position.cross(linear) + body.inertia_at(rotation) * glam::Vec3::from(velocity.angular);
            }
            sum
        };
        let (packed, mut solver) = solver(&device, &world, scheme);
        let before = of(&packed.state);
        let mut state = DeviceState::default();
        for _ in 0..60 {
            solver.step().expect("a step");
        }
        solver.read(&mut state).expect("a state");
        for (before, after) in before.into_iter().zip(of(&state)) {
            assert!((before - after).length() <= 1e-4 * before.length().max(1.0), "{before} became {after}");
        }
    }
}
