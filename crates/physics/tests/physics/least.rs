//! The solution that the direct solver chooses among many, the least one, compared with closed forms; and whether it
//! settles.
//!
//! ```text
//! feet at (x_i, y_i):  Σ p = W, Σ p x = W X, Σ p y = W Y;  Σ p² is least for p_i = α + β x_i + γ y_i while all p_i ≥ 0
//! ```

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{DMat3, DVec3, Vec3};

use crate::build::{G, body, close, cube, floor, joint, of_library, run, split_blocks};

/// A plate of 4 kg on balls at rest, and a weight of 9 kg fastened to it.
fn plate(posts: &[(f32, f32)], (x, y): (f32, f32)) -> (World, Vec<u32>) {
    let mut world = World::new(split_blocks(&["solver.method=Direct"]));
    let plate = body(Shape::Box { half: Vec3::new(0.7, 0.5, 0.05) }, Vec3::Z * 0.05);
    let plate = world.add_body(BodyDef { mass: 4.0, ..plate });
    let weight = world.add_body(BodyDef { mass: 9.0, collide: false, ..cube(0.1, Vec3::new(x, y, 0.2)) });
    let weld = joint(&world, plate, weight, Vec3::new(x, y, 0.1), Vec3::Z, JointKind::Fixed(Fixed::default()));
    world.add_joint(weld);
    let post = |(x, y): &(f32, f32)| body(Shape::Sphere { radius: 0.05 }, Vec3::new(*x, *y, -0.05));
    let posts = posts.iter().map(|at| world.add_body(BodyDef { motion: Motion::Static, ..post(at) })).collect();
    (world, posts)
}

fn force(world: &World, body: u32) -> f64 {
    let points = world.contact_points().filter(|p| p.a == body || p.b == body);
    points.map(|p| f64::from(p.impulse) * f64::from(world.settings.step.rate)).sum()
}

/// α + β x + γ y at each foot.
fn least(posts: &[(f32, f32)], weight: f64, (x, y): (f64, f64)) -> Vec<f64> {
    let place = |(x, y): &(f32, f32)| DVec3::new(1.0, (*x).into(), (*y).into());
    let columns = |k: usize| posts.iter().map(|p| place(p) * place(p)[k]).sum::<DVec3>();
    let plane = DMat3::from_cols(columns(0), columns(1), columns(2)).inverse() * (weight * DVec3::new(1.0, x, y));
    posts.iter().map(|p| place(p).dot(plane)).collect()
}

const FOUR: [(f32, f32); 4] = [(-0.6, -0.4), (0.6, -0.4), (0.6, 0.4), (-0.6, 0.4)];
const SIX: [(f32, f32); 6] = [(-0.6, -0.4), (0.0, -0.4), (0.6, -0.4), (0.6, 0.4), (0.0, 0.4), (-0.6, 0.4)];
const EIGHT: [(f32, f32); 8] =
    [(-0.6, -0.4), (0.0, -0.4), (0.6, -0.4), (0.6, 0.0), (0.6, 0.4), (0.0, 0.4), (-0.6, 0.4), (-0.6, 0.0)];

#[test]
fn a_table_bears_by_the_least_norm() {
    for posts in [&FOUR[..], &SIX, &EIGHT] {
        for load in [(0.0, 0.0), (0.2, 0.0), (-0.15, 0.1), (0.25, -0.15)] {
            let (mut world, feet) = plate(posts, load);
            run(&mut world, 0.5);
            let centre = (f64::from(load.0) * 9.0 / 13.0, f64::from(load.1) * 9.0 / 13.0);
            let total = 13.0 * f64::from(G);
            let allowed = if load == (0.0, 0.0) { 1e-6 } else { 1e-4 };
            for (foot, wanted) in feet.iter().zip(least(posts, total, centre)) {
                let (found, count) = (force(&world, *foot), posts.len());
                let off = (found - wanted).abs() * count as f64 / total;
                assert!(off < allowed, "load at {load:?} on {count}: {found} N for {wanted}, {off:.1e}");
            }
        }
    }
}

/// Two tables, one on top of the other, each with four welded legs: every leg bears a quarter of the weight above it.
#[test]
fn stacked_tables_bear_alike() {
    let mut world = World::new(split_blocks(&["solver.method=Direct"]));
    world.add_body(floor());
    let mut legs = Vec::new();
    for base in [0.0, 0.85] {
        let top = body(Shape::Box { half: Vec3::new(0.7, 0.5, 0.05) }, Vec3::Z * (base + 0.8));
        let top = world.add_body(BodyDef { mass: 4.0, ..top });
        for (x, y) in FOUR {
            let leg = body(Shape::Box { half: Vec3::new(0.04, 0.04, 0.375) }, Vec3::new(x, y, base + 0.375));
            let leg = world.add_body(BodyDef { mass: 0.5, ..leg });
            let at = Vec3::new(x, y, base + 0.75);
            world.add_joint(joint(&world, top, leg, at, Vec3::Z, JointKind::Fixed(Fixed::default())));
            legs.push(leg);
        }
    }
    run(&mut world, 0.5);
    for (i, leg) in legs.iter().enumerate() {
        let wanted = f64::from(G) * if i < 4 { 3.0 } else { 1.5 };
        let found = force(&world, *leg);
        assert!((found - wanted).abs() < 1e-3 * wanted, "leg {i}: {found} N for {wanted}");
    }
}

/// A plate hung on four rods, one of which is redundant.
#[test]
fn redundant_rods_share_by_the_least_norm() {
    for load in [(0.0, 0.0), (0.2, 0.0), (-0.15, 0.1), (0.5, 0.35)] {
        let mut world = World::new(split_blocks(&["solver.method=Direct"]));
        let plate = body(Shape::Box { half: Vec3::new(0.7, 0.5, 0.05) }, Vec3::ZERO);
        let plate = world.add_body(BodyDef { mass: 4.0, ..plate });
        let (x, y) = load;
        let weight = world.add_body(BodyDef { mass: 9.0, collide: false, ..cube(0.1, Vec3::new(x, y, 0.15)) });
        let weld = joint(&world, plate, weight, Vec3::new(x, y, 0.05), Vec3::Z, JointKind::Fixed(Fixed::default()));
        world.add_joint(weld);
        for (x, y) in FOUR {
            let at = Vec3::new(x, y, 0.05);
            let kind = JointKind::Distance(Distance { length: Some(1.5) });
            let mut rod = joint(&world, WORLD, plate, at, Vec3::Z, kind);
            rod.anchor_a = at + 1.5 * Vec3::Z;
            world.add_joint(rod);
        }
        world.step();
        let centre = (f64::from(x) * 9.0 / 13.0, f64::from(y) * 9.0 / 13.0);
        let wanted = least(&FOUR, 13.0 * f64::from(G), centre);
        for (rod, wanted) in world.state.joints[1..].iter().zip(wanted) {
            close(&format!("load at {load:?}"), rod.readout.anchor.z, wanted as f32, 1e-3 * 13.0 * G / 4.0);
        }
    }
}

/// A door of 20 kg on three hinges, which constrain most directions three times: a third of the weight each; its
/// moment M = m g d is taken by the pull f of the outer two, 1.6 m apart, and a torque τ of each,
///
/// ```text
/// 1.6 f + 3 τ = M,   2 f²/m + 3 τ²/I least:   f = 0.4 m M/(0.64 m + 1.5 I),   I = m (0.8² + 2²)/12 about y
/// ```
#[test]
fn a_door_on_three_hinges_bears_by_the_least_norm() {
    let mut world = World::new(split_blocks(&["solver.method=Direct"]));
    let door = body(Shape::Box { half: Vec3::new(0.4, 0.03, 1.0) }, Vec3::new(0.4, 0.0, 1.0));
    let door = world.add_body(BodyDef { mass: 20.0, collide: false, ..door });
    for z in [0.2, 1.0, 1.8] {
        let at = Vec3::Z * z;
        world.add_joint(joint(&world, WORLD, door, at, Vec3::Z, JointKind::Hinge(Hinge::default())));
    }
    world.step();
    let moment = 20.0 * G * 0.4;
    let pull = 0.4 * moment / (0.64 + 1.5 * (0.8 * 0.8 + 4.0) / 12.0);
    let [low, middle, high] = [0, 1, 2].map(|i: usize| world.state.joints[i].readout.anchor);
    for hinge in [low, middle, high] {
        close("weight", hinge.z, 20.0 * G / 3.0, 1e-3 * G);
    }
    close("high", high.x.abs(), pull, 2e-3 * pull);
    close("low", low.x, -high.x, 1e-3 * pull);
    close("middle", middle.x, 0.0, 1e-3 * pull);
}

/// Steps a scene with the direct solver; the residual of every step must stay below `allowed`, m/s.
fn settles(id: &str, steps: u32, allowed: f32) {
    let mut world = of_library(id, &["solver.method=Direct"]);
    for step in 0..steps {
        world.step();
        assert!(world.report.residual < allowed, "{id}, step {step}: {} m/s left", world.report.residual);
    }
}

/// Scenes in which thousands of sweeps left 1e-6 to 7e-5 m/s: arches under thrust, cards, a pyramid, from a cold
/// start on.
#[test]
fn arches_cards_and_a_pyramid_settle() {
    settles("lab/07-arch", 10, 5e-7);
    settles("lab/06-card-house", 1, 2e-8);
    settles("book/12-stack", 20, 1e-7);
    settles("lab/02-pyramid-20", 2, 1e-8);
}

/// An undamped spring has a row whose γ is 10⁶ K and whose bias is 10⁵ m/s. Their rounding, 8 mm/s, was reported as
/// the direct solver's residual for Watt's linkage, in every fourth step, although it does not move the bodies.
#[test]
fn an_undamped_spring_is_not_told_to_be_unsettled_by_the_rounding_of_its_bias() {
    settles("lab/12-watt", 240, 2e-6);
}

/// Of the first 160 steps of the dominoes, six once had a residual above 1e-4 m/s: the bounds of friction, starting
/// from all sticking, did not become consistent where one stone slides down the next. One such step remains: no
/// consistent bounds are known for it.
#[test]
fn dominoes_that_slide_on_each_other_settle_but_for_one_step() {
    let mut world = of_library("lab/03-dominoes", &["solver.method=Direct"]);
    let unsettled = |step: &u32| {
        world.step();
        assert!(world.report.residual < 1e-2, "step {step}: {} m/s left", world.report.residual);
        world.report.residual > 1e-4
    };
    let unsettled: Vec<u32> = (0..160).filter(unsettled).collect();
    assert!(unsettled.len() <= 1, "steps {unsettled:?}");
}
