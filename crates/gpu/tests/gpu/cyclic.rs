//! Cyclic reduction of chains on the device equals the processor's exact trees within rounding; the tolerances are
//! those of `exact.rs`.

use std::sync::Arc;

use delassus_gpu::{PackedWorld, Refusal, Scheme, Stepper};
use delassus_physics::world::{WORLD, World};

use crate::device;
use crate::parity::{Apart, run};
use crate::worlds::{Builder, Dice, of_scheme};

fn world(assignments: &[&str], build: impl Fn(&mut Builder)) -> World {
    let mut builder = Builder::new(&of_scheme(Scheme::Cyclic, assignments));
    build(&mut builder);
    builder.world
}

/// Compares after one step, if there is a device.
fn one_step(assignments: &[&str], build: impl Fn(&mut Builder)) -> Option<Apart> {
    let device = device()?;
    Some(run(&device, world(assignments, build), Scheme::Cyclic, 1))
}

#[track_caller]
fn check(what: &str, assignments: &[&str], build: impl Fn(&mut Builder)) {
    let Some(found) = one_step(assignments, build) else { return };
    println!("{what}: {found:?}");
    assert!(found.linear.max(found.angular) <= 1e-5, "{what}: {found:?}");
    assert!(found.impulse <= 1e-4 && found.position <= 1e-6, "{what}: {found:?}");
}

/// From one joint to a hundred and thirty: within a workgroup, one more than it has room for, and with two passes
/// through memory.
#[test]
fn chains_with_static_ends() {
    for beads in [2, 3, 40, 65, 66, 131] {
        check(&format!("chains of {beads}"), &[], |builder| {
            builder.chains(5, beads, |_| 1.0);
            builder.stir(1.0);
        });
    }
    check("one solve", &["solver.iterations=1"], |builder| {
        builder.chains(10, 20, |_| 1.0);
        builder.stir(1.0);
    });
}

/// Chains of several lengths side by side, one of them free in space, with the joints in reverse order.
#[test]
fn chains_of_all_lengths() {
    check("lengths", &[], |builder| {
        for beads in [2, 200, 5, 70, 3] {
            builder.chains(1, beads, |_| 1.0);
        }
        builder.hub(2);
        builder.world.state.joints.reverse();
        builder.world.refresh_joints();
        builder.stir(1.0);
    });
}

/// In J M⁻¹ Jᵀ the impulses have a relative error of about 1e-6 in 32 bits, and a light bead is moved by the
/// difference of two impulses that move its heavy neighbours: the error is multiplied by the mass ratio, 1e-4 for
/// 10:1, and 2e-2 for 1000:1. That is why such chains are solved as trees.
#[test]
fn masses_that_are_not_alike_cost_digits() {
    for (heavy, most) in [(10.0, 1e-4), (1000.0, 2e-2)] {
        let Some(found) = one_step(&[], |builder| {
            builder.chains(10, 20, |bead| if bead % 2 == 0 { 1.0 } else { heavy });
            builder.stir(1.0);
        }) else {
            return;
        };
        println!("{heavy}: {found:?}");
        assert!(found.linear.max(found.angular) <= most && found.impulse <= 1e-4, "{heavy}: {found:?}");
    }
}

#[test]
fn blocks_of_unequal_inertias() {
    check("blocks", &["step.gyroscopic=Off"], |builder| {
        builder.blocks = true;
        builder.chains(4, 30, |_| 1.0);
        builder.stir(1.0);
    });
}

/// Branched trees are not chains, nor are chains held at both ends.
#[test]
fn other_trees_are_refused() {
    let refused = |build: fn(&mut Builder)| PackedWorld::by(&world(&[], build), Some(Scheme::Cyclic)).err();
    assert_eq!(refused(|builder| builder.hub(3)), Some(Refusal::Chains));
    let held = |builder: &mut Builder| {
        builder.chains(1, 5, |_| 1.0);
        let last = builder.world.state.bodies.len() as u32 - 1;
        builder.join_at(WORLD, last, glam::Vec3::new(1.1, 0.2, 0.0));
    };
    assert_eq!(refused(held), Some(Refusal::Chains));
    assert_eq!(refused(|builder| builder.chains(3, 5, |_| 1.0)), None);
}

/// Beads on rods of 20 m, folded: a bead is so compliant far from its anchor that a tree of more than about twenty is
/// cut (κ = 20 kg · 2 (10 m)²/I), and the joint there would alternate with the two halves. Such chains are reduced as
/// a whole, unless their masses differ; the processor's direct solver is the reference.
#[test]
fn chains_that_would_be_cut_are_reduced() {
    let Some(device) = device() else { return };
    // Rounding errors of positions at 20 m are not to be fed back.
    let long = |more: &[&'static str], heavy: f32| {
        world(&[&["stabilization.method=Off"], more].concat(), |builder| {
            let mut dice = Dice::new(2);
            let mut before = WORLD;
            for bead in 0..40 {
                let at = glam::Vec3::new(20.0 * (bead % 2) as f32, 0.5 * bead as f32, 0.0);
                let own = builder.body(at, Some(if bead == 20 { heavy } else { 1.0 }), &mut dice);
                builder.join_at(before, own, glam::Vec3::new(10.0, at.y - 0.25, 0.0));
                before = own;
            }
            builder.stir(0.1);
        })
    };
    assert!(PackedWorld::new(&long(&[], 1.0)).expect("a world").is_chained());
    assert!(!PackedWorld::new(&long(&[], 100.0)).expect("a world").is_chained(), "masses of a hundred to one");
    assert!(!PackedWorld::by(&long(&[], 1.0), Some(Scheme::Exact)).expect("a world").turns.is_empty(), "cut");
    let mut short = Builder::new(&of_scheme(Scheme::Exact, &[]));
    short.chains(3, 40, |_| 1.0);
    assert!(!PackedWorld::new(&short.world).expect("a world").is_chained(), "no tree of these is cut");

    let mut direct = long(&["solver.method=Direct"], 1.0);
    let mut away = long(&["solver.device=Gpu"], 1.0);
    away.pipeline.executor.device = Some(Arc::new(Stepper::new(move || Ok(device.clone()))));
    away.step();
    direct.step();
    assert!(away.device_refusal().is_none(), "{:?}", away.device_refusal());
    let most = direct.state.velocities.iter().map(|v| v.linear.length()).fold(0.0, f32::max);
    let apart =
        (direct.state.velocities.iter()).zip(&away.state.velocities).map(|(a, b)| (a.linear - b.linear).length());
    let apart = apart.fold(0.0, f32::max);
    println!("{apart} of {most} m/s");
    assert!(apart <= 1e-3 * most, "{apart} of {most} m/s");
}

#[test]
fn a_hundred_thousand_constraints() {
    let Some(found) = one_step(&[], |builder| {
        builder.chains(2500, 41, |_| 1.0);
        // See `exact.rs`.
        builder.stir(2.0);
    }) else {
        return;
    };
    assert!(found.linear.max(found.angular) <= 1e-5, "{found:?}");
}

/// See `parity::ten_steps_and_six_hundred`.
#[test]
fn ten_steps_and_six_hundred() {
    let Some(device) = device() else { return };
    for (steps, most) in [(10, 1e-3), (600, 5e-3)] {
        let build = |builder: &mut Builder| builder.chains(4, 20, |_| 1.0);
        let found = run(&device, world(&["step.gravity=9.81,0,-1"], build), Scheme::Cyclic, steps);
        println!("{steps} {found:?}");
        assert!(found.linear.max(found.angular) <= most, "{steps} steps: {found:?}");
    }
}
