//! NNCG (`solver.method=Nncg`) comes to where Gauss–Seidel comes, in far fewer sweeps.

use std::f32::consts::PI;

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, cube, floor, joint, settings};

/// h g of a single step at 60 Hz: the speed that gravity gives, which the rows have to take away, m/s.
const FALL: f32 = G / 60.0;

/// The greatest speed that `sweeps` sweeps of a first step leave, as a share of [`FALL`]. At rest it is zero.
fn left(build: impl Fn(&mut World), method: &str, sweeps: u32) -> f32 {
    let sweeps = format!("solver.iterations={sweeps}");
    let mut world = World::new(settings(&[
        &format!("solver.method={method}"),
        &sweeps,
        "solver.rows=Block",
        "stabilization.method=Off",
        "stabilization.contacts=Off",
        "warm_start.safeguard=Off",
    ]));
    build(&mut world);
    world.step();
    world.state.velocities.iter().map(|velocity| velocity.linear.length()).fold(0.0, f32::max) / FALL
}

/// Twenty beads of equal mass that hang from each other: ρ of Gauss–Seidel is cos²(π/40), so sixty sweeps of it leave
/// two thirds of the slowest error. Conjugate directions leave about e^(−√(1 − ρ) N) after N sweeps, and a factor for the start.
#[test]
fn a_chain_converges_in_a_tenth_of_the_sweeps() {
    let chain = |world: &mut World| {
        let mut above = WORLD;
        for i in 0..20 {
            let at = -(1.0 + i as f32) * Vec3::Z;
            let link = world.add_body(BodyDef { mass: 1.0, ..bead(at) });
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(world, above, link, at, Vec3::Y, kind));
            above = link;
        }
    };
    let rho = (PI / 40.0).cos().powi(2);
    let plain = left(chain, "GaussSeidel", 60);
    assert!(plain > 0.5 * rho.powi(60), "Gauss–Seidel leaves {plain}");
    for sweeps in [60, 120] {
        let directed = left(chain, "Nncg", sweeps);
        let expected = (-(1.0 - rho).sqrt() * sweeps as f32).exp();
        assert!(directed < 4.0 * expected, "{sweeps} sweeps of NNCG leave {directed} of {expected}");
        assert!(left(chain, "GaussSeidel", 8 * sweeps) > directed, "eight times {sweeps} plain ones leave less");
    }
}

/// Ten cubes on each other, from nothing: points open and close again, so the directions are dropped now and then.
#[test]
fn a_stack_converges_in_fewer_sweeps() {
    let stack = |world: &mut World| {
        world.add_body(floor());
        for i in 0..10 {
            world.add_body(cube(0.5, (0.5 + i as f32) * Vec3::Z));
        }
    };
    let (plain, directed) = (left(stack, "GaussSeidel", 400), left(stack, "Nncg", 100));
    assert!(directed < plain, "{directed} of NNCG, {plain} of Gauss–Seidel");
    let (plain, directed) = (left(stack, "GaussSeidel", 1000), left(stack, "Nncg", 300));
    assert!(directed < plain, "{directed} of NNCG, {plain} of Gauss–Seidel");
}

/// One sweep is a sweep of Gauss–Seidel, with the same bits.
#[test]
fn one_sweep_is_one_of_gauss_seidel() {
    let made = |method: &str| {
        let mut world =
            World::new(settings(&[&format!("solver.method={method}"), "solver.iterations=1", "solver.rows=Block"]));
        world.add_body(floor());
        for i in 0..3 {
            world.add_body(cube(0.5, Vec3::new(0.1 * i as f32, 0.0, 0.5 + i as f32)));
        }
        (0..30).for_each(|_| world.step());
        world.hash()
    };
    assert_eq!(made("Nncg"), made("GaussSeidel"));
}
