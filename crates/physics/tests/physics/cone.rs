//! Contact points that are solved exactly on Coulomb's cone (`friction.model=Cone`).

use std::f64::consts::TAU;

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::kernel::cone::impulse;
use delassus_physics::plan::{Facts, Idle, Path, idle, refused_by};
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{DVec3, Quat, Vec3};

use crate::build::{G, Random, body, close, cube, floor, run, settings};

type Matrix = [[f64; 3]; 3];

/// J M⁻¹ Jᵀ of a body of 1 kg with a point at `arm` from its centre, m, of the inertias `inertia`, kg m²: normal z, tangents
/// x and y. With long arms and small inertias the three rows are strongly coupled.
fn point_of(arm: DVec3, inertia: DVec3) -> Matrix {
    let rows = [DVec3::Z, DVec3::X, DVec3::Y];
    let turns = rows.map(|row| arm.cross(row));
    std::array::from_fn(|i| std::array::from_fn(|j| rows[i].dot(rows[j]) + turns[i].dot(turns[j] / inertia)))
}

fn velocity(k: &Matrix, free: [f64; 3], impulse: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| free[i] + (0..3).map(|j| k[i.max(j)][i.min(j)] * impulse[j]).sum::<f64>())
}

/// The slips of a point by brute force: every direction of friction, the normal that keeps v_n = 0, and of these
/// those whose friction opposes the slip.
fn slips(k: &Matrix, free: [f64; 3], mu: f64) -> Vec<[f64; 3]> {
    let at = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let n = -free[0] / (k[0][0] + mu * (k[1][0] * cos + k[2][0] * sin));
        let impulse = [n, mu * n * cos, mu * n * sin];
        let [_, x, y] = velocity(k, free, impulse);
        // Across the friction, and along it.
        (impulse, cos * y - sin * x, cos * x + sin * y)
    };
    let steps = 5_000;
    let angle = |step: u32| TAU * f64::from(step) / f64::from(steps);
    let mut found = Vec::new();
    for step in 0..steps {
        let (mut lo, mut hi) = (angle(step), angle(step + 1));
        let (from, to) = (at(lo), at(hi));
        if from.0[0] <= 0.0 || to.0[0] <= 0.0 || from.1.signum() == to.1.signum() {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (lo + hi);
            if at(middle).1.signum() == from.1.signum() { lo = middle } else { hi = middle }
        }
        let (impulse, _, along) = at(lo);
        if along <= 0.0 {
            found.push(impulse);
        }
    }
    found
}

/// Whatever the point: λ_n ≥ 0, v_n ≥ 0, λ_n v_n = 0, ‖λ_t‖ ≤ μ λ_n, and where it slips friction is at its bound and
/// opposes the slip. A slip is one of those that brute force finds.
#[test]
fn an_impulse_keeps_coulombs_law() {
    let mut dice = Random(7);
    let (mut separate, mut stick, mut slip) = (0, 0, 0);
    for case in 0..3000 {
        let mut random = |size: f64| size * DVec3::from_array(std::array::from_fn(|_| f64::from(dice.next())));
        let (arm, inertia) = (random(1.0), random(1.0).abs() + 0.02);
        let free = random(2.0).to_array();
        let k = point_of(arm, inertia);
        let mu = 2.0 * f64::from(dice.share());
        let found = impulse(&k, free, mu).unwrap_or_else(|| panic!("case {case}: no impulse"));
        let [vn, vx, vy] = velocity(&k, free, found);
        let (size, speed) = (found[1].hypot(found[2]), vx.hypot(vy));
        assert!(found[0] >= 0.0 && vn > -1e-9 && (vn * found[0]).abs() < 1e-9, "case {case}: {vn} m/s, {found:?}");
        assert!(size <= mu * found[0] * (1.0 + 1e-9), "case {case}: {size} N s");
        if found[0] == 0.0 {
            separate += 1;
        } else if speed < 1e-9 {
            stick += 1;
        } else {
            slip += 1;
            assert!((size / (mu * found[0]) - 1.0).abs() < 1e-9, "case {case}: friction below its bound");
            let aligned = -(vx * found[1] + vy * found[2]) / (speed * size);
            let across = (vx * found[2] - vy * found[1]).abs() / (speed * size);
            assert!(aligned > 0.0 && across < 1e-5, "case {case}: {across} rad");
            let away = slips(&k, free, mu).into_iter().map(|other| DVec3::from_array(other).distance(found.into()));
            let away = away.fold(f64::INFINITY, f64::min);
            assert!(away < 1e-5 * (1.0 + found[0]), "case {case}: {away} N s from a slip of brute force");
        }
    }
    assert!(separate > 500 && stick > 200 && slip > 200, "{separate}, {stick}, {slip}");
}

/// Points without friction, at the edge of separation, and without a solution of their own.
#[test]
fn points_at_the_edge() {
    let k = point_of(DVec3::new(0.3, 0.1, -0.5), DVec3::splat(0.1));
    assert_eq!(impulse(&k, [0.0, 1.0, 2.0], 0.5), Some([0.0; 3]));
    assert_eq!(impulse(&k, [-1.0, 1.0, 2.0], 0.0), Some([1.0 / k[0][0], 0.0, 0.0]));
    assert_eq!(impulse(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0]], [-1.0, 1.0, 1.0], 0.5), None);
    assert_eq!(impulse(&k, [-1.0, f64::NAN, 0.0], 0.5), None);
    assert_eq!(impulse(&[[0.0; 3]; 3], [-1.0, 0.0, 0.0], 0.5), None);
}

/// One point that lies beside the centre of mass of a ball-shaped body: friction turns the body, and its rows are coupled.
/// A sweep of one point gives Coulomb's law exactly, in every direction.
#[test]
fn a_ball_is_slowed_along_its_slip_by_one_sweep() {
    for degrees in [0.0f32, 17.0, 45.0, 123.0, 260.0] {
        let direction = Quat::from_rotation_z(degrees.to_radians()) * Vec3::X;
        let mut world = World::new(settings(&["friction.model=Cone", "solver.iterations=1", "step.rate=240"]));
        world.add_body(floor());
        let shape = Shape::Sphere { radius: 0.5 };
        let ball = world.add_body(BodyDef { velocity: 3.0 * direction, ..body(shape, 0.5 * Vec3::Z) });
        world.step();
        let lost = 3.0 * direction - Vec3::from(world.state.velocities[ball as usize].linear);
        close("along the slip", lost.dot(direction), 0.5 * G / 240.0, 1e-5);
        assert!(lost.cross(direction).length() < 1e-6, "{degrees}°: {lost}");
    }
}

/// A box whose friction turns it forward slides straight on along its own velocity, at µ g, whatever the direction. It is low
/// enough not to tip.
#[test]
fn a_box_is_slowed_along_its_own_velocity() {
    for degrees in [0.0f32, 30.0, 45.0, 71.0] {
        let turn = Quat::from_rotation_z(degrees.to_radians());
        let direction = turn * Vec3::X;
        let mut world = World::new(settings(&["friction.model=Cone", "solver.iterations=50"]));
        world.add_body(floor());
        let shape = Shape::Box { half: Vec3::new(0.5, 0.5, 0.4) };
        let crate_ = world.add_body(BodyDef { velocity: 4.0 * direction, ..body(shape, 0.4 * Vec3::Z) });
        run(&mut world, 0.5);
        let velocity = Vec3::from(world.state.velocities[crate_ as usize].linear);
        close(&format!("{degrees}°: speed"), velocity.dot(direction), 4.0 - 0.5 * G * 0.5, 5e-3);
        assert!(velocity.cross(direction).length() < 2e-3, "{degrees}°: {velocity}");
    }
}

/// On a slope of 25° a box stands where µ is a thousandth above tan 25°, and slides at g (sin − µ cos) t where µ is one
/// hundredth below it.
#[test]
fn a_slope_holds_a_box_up_to_the_angle_of_friction() {
    let angle = 25.0f32.to_radians();
    for (share, slides) in [(1.001, false), (0.99, true)] {
        let friction = share * angle.tan();
        let material = Material { friction, ..Material::default() };
        let mut world = World::new(settings(&["friction.model=Cone", "step.rate=240"]));
        world.settings.step.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
        world.add_body(BodyDef { material, ..floor() });
        let crate_ = world.add_body(BodyDef { material, ..cube(0.5, 0.5 * Vec3::Z) });
        run(&mut world, 2.0);
        let speed = world.state.velocities[crate_ as usize].linear.x;
        let expected = if slides { 2.0 * G * (angle.sin() - friction * angle.cos()) } else { 0.0 };
        close(&format!("µ {share} tan α"), speed, expected, 2e-3);
    }
}

/// Clamped and exact friction are the same law: where both have converged their velocities agree. A box falls aslant
/// on the floor while it spins, with one, two or four points.
#[test]
fn converged_points_agree_with_clamped_ones() {
    for tilt in [0.0f32, 0.3] {
        let velocities = |model: &str, method: &str| {
            let mut world = World::new(settings(&[
                &format!("friction.model={model}"),
                &format!("solver.method={method}"),
                "solver.iterations=1000",
                "contact.mean_first=false",
            ]));
            world.add_body(floor());
            let height = 0.5 * (tilt.cos() + tilt.sin()) - 1e-4;
            world.add_body(BodyDef {
                velocity: Vec3::new(1.0, 0.7, -0.5),
                angular_velocity: Vec3::new(0.2, -0.4, 1.0),
                rotation: Quat::from_rotation_y(tilt),
                ..cube(0.5, height * Vec3::Z)
            });
            world.step();
            world.state.velocities[1]
        };
        let exact = velocities("Cone", "GaussSeidel");
        for (model, method) in [("Coulomb", "GaussSeidel"), ("Cone", "Jacobi"), ("Cone", "Nncg")] {
            let other = velocities(model, method);
            let apart = (exact.linear - other.linear).length().max((exact.angular - other.angular).length());
            assert!(apart < 2e-4, "{tilt} rad, {model}, {method}: {apart} m/s or rad/s apart");
        }
    }
}

/// Two boxes that spin and meet aslant in space keep their momentum and angular momentum.
#[test]
fn momentum_is_kept() {
    let mut world = World::new(settings(&["friction.model=Cone", "step.gravity=0,0,0"]));
    let spin = Vec3::new(0.5, 1.0, -2.0);
    world.add_body(BodyDef { velocity: Vec3::new(1.0, 0.2, 0.0), angular_velocity: spin, ..cube(0.5, Vec3::ZERO) });
    world.add_body(BodyDef { mass: 3.0, velocity: Vec3::NEG_X, ..cube(0.5, Vec3::new(1.3, 0.3, 0.2)) });
    let momenta = |world: &World| {
        let mut sums = (DVec3::ZERO, DVec3::ZERO);
        for (body, velocity) in world.state.bodies.iter().zip(&world.state.velocities).filter(|(b, _)| b.is_dynamic()) {
            let p = f64::from(body.mass) * Vec3::from(velocity.linear).as_dvec3();
            let spin = body.rotation.inverse() * Vec3::from(velocity.angular);
            let of_spin = body.rotation * (body.inertia_local * spin);
            sums = (sums.0 + p, sums.1 + body.position.as_dvec3().cross(p) + of_spin.as_dvec3());
        }
        sums
    };
    let before = momenta(&world);
    let start = world.state.velocities[1];
    run(&mut world, 1.0);
    let after = momenta(&world);
    assert!((start.linear - world.state.velocities[1].linear).length() > 0.5, "they meet");
    assert!((after.0 - before.0).length() < 1e-5, "{} kg m/s", after.0 - before.0);
    assert!((after.1 - before.1).length() < 1e-3, "{} kg m²/s", after.1 - before.1);
}

/// Contacts of this model have rows of their own, and forms of clamped friction have no effect; the plan says so.
#[test]
fn the_plan_knows_the_model() {
    let settings = settings(&["friction.model=Cone"]);
    assert_eq!(refused_by(Path::Contacts, &settings), Some("friction.model"));
    let mut world = World::new(settings);
    world.add_body(floor());
    world.add_body(cube(0.5, 0.5 * Vec3::Z));
    assert_eq!(idle("formulation.point", &settings, &Facts::of(&world)), Some(Idle::ExactCone));
}
