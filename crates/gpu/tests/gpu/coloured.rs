//! Sequential Gauss–Seidel on the device equals the processor's within rounding, by colours and in the scene's order.
//!
//! The tolerances are those of `parity.rs`, and for impulses and later steps those of `exact.rs`, since these sweeps
//! come nearer to the solution.

use delassus_gpu::{PackedWorld, Scheme};
use delassus_physics::world::World;

use crate::device;
use crate::parity::run;
use crate::worlds::{Builder, of_scheme};

/// The settings for both orders.
const ORDERS: [&str; 2] = ["solver.order=Coloured", "solver.order=Forward"];

/// Compares after one step, for both orders.
#[track_caller]
fn one_step(what: &str, assignments: &[&str], build: impl Fn(&mut Builder)) {
    let Some(device) = device() else { return };
    for order in ORDERS {
        let found = run(&device, world(order, assignments, &build), Scheme::Coloured, 1);
        assert!(found.linear.max(found.angular) <= 1e-5, "{what}, {order}: {found:?}");
        assert!(found.impulse <= 1e-4 && found.position <= 1e-6, "{what}, {order}: {found:?}");
    }
}

fn world(order: &str, assignments: &[&str], build: impl Fn(&mut Builder)) -> World {
    let mut builder = Builder::new(&of_scheme(Scheme::Coloured, &[&[order], assignments].concat()));
    build(&mut builder);
    builder.world
}

#[test]
fn chains_with_static_ends() {
    one_step("a bead", &[], |builder| {
        builder.chains(1, 2, |_| 1.0);
        builder.stir(1.0);
    });
    one_step("chains", &[], |builder| {
        builder.chains(8, 40, |_| 1.0);
        builder.stir(1.0);
    });
}

#[test]
fn trees_and_loops() {
    one_step("a tree", &[], |builder| {
        builder.tree(60, 2);
        builder.stir(1.0);
    });
    one_step("a net", &[], |builder| {
        builder.net(8);
        builder.stir(1.0);
    });
}

#[test]
fn masses_of_one_to_a_thousand() {
    one_step("heavy and light", &[], |builder| {
        builder.chains(10, 20, |bead| if bead % 2 == 0 { 1.0 } else { 1000.0 });
        builder.stir(1.0);
    });
}

#[test]
fn blocks_of_unequal_inertias() {
    one_step("blocks", &["step.gyroscopic=Off"], |builder| {
        builder.blocks = true;
        builder.tree(40, 9);
        builder.stir(1.0);
    });
}

/// A hub with more spokes than there are colours: the joints of the last colour are solved one by one.
#[test]
fn a_hub_of_more_spokes_than_colours() {
    let Some(device) = device() else { return };
    let build = |builder: &mut Builder| {
        builder.hub(80);
        builder.stir(1.0);
    };
    let packed = PackedWorld::new(&world(ORDERS[0], &[], build)).expect("a world");
    assert_eq!(packed.turns.len(), 80, "the last colour's are drawn out");
    let found = run(&device, world(ORDERS[0], &["solver.iterations=3"], build), Scheme::Coloured, 1);
    assert!(found.linear.max(found.angular) <= 1e-5, "{found:?}");
}

/// Old impulses are stored in A's axes, as on the processor.
#[test]
fn warm_starting() {
    let Some(device) = device() else { return };
    let build = |builder: &mut Builder| builder.chains(4, 20, |_| 1.0);
    let found = run(&device, world(ORDERS[0], &["warm_start.enabled=true"], build), Scheme::Coloured, 10);
    assert!(found.linear.max(found.angular) <= 1e-3, "{found:?}");
}

/// Chains have two colours, however many; the scene's order has as many as joints.
#[test]
fn a_hundred_thousand_constraints() {
    let Some(device) = device() else { return };
    let build = |builder: &mut Builder| {
        builder.chains(2500, 41, |_| 1.0);
        builder.stir(1.0);
    };
    let world = world(ORDERS[0], &["solver.iterations=2"], build);
    let packed = PackedWorld::new(&world).expect("a world");
    assert_eq!((packed.ends.len(), packed.turns.len()), (100_000, 2));
    let found = run(&device, world, Scheme::Coloured, 1);
    assert!(found.linear.max(found.angular) <= 1e-5, "{found:?}");
}

/// Chains that hang and sway; see `parity::ten_steps_and_six_hundred`.
#[test]
fn ten_steps_and_six_hundred() {
    let Some(device) = device() else { return };
    for (steps, most) in [(10, 1e-3), (600, 5e-3)] {
        let settings = ["step.gravity=9.81,0,-1"];
        let build = |builder: &mut Builder| builder.chains(4, 20, |_| 1.0);
        let found = run(&device, world(ORDERS[0], &settings, build), Scheme::Coloured, steps);
        println!("{steps} {found:?}");
        assert!(found.linear.max(found.angular) <= most, "{steps} steps: {found:?}");
    }
}
