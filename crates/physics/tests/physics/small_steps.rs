//! Contacts that are detected once a step and used in all of its sub-steps, and friction that is applied only in the
//! relaxing sweeps.

use std::f32::consts::TAU;

use delassus_physics::body::{BodyDef, Motion, Velocity};
use delassus_physics::row::{ContactPart, RowId};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{Vec3, Vec3A};

use crate::build::{G, body, close, cube, floor, run, settings};

/// Soft contacts in small steps, with or without friction in the main sweeps.
fn small_steps(more: &[&str]) -> World {
    let mut all = vec![
        "stabilization.contacts=Soft",
        "step.substeps=4",
        "solver.iterations=1",
        "contact.collide=EachStep",
        "friction.deferred=true",
    ];
    all.extend(more);
    World::new(settings(&all))
}

/// A cube that sinks and rotates freely above the floor: in the last of four sub-steps the bias of each corner is C/h
/// of the gap at that time, C₀ + (v + ω × r)·n 3h with the lever arms of the step's start.
#[test]
fn gaps_follow_the_bodies_from_sub_step_to_sub_step() {
    let mut world = small_steps(&["step.gravity=0,0,0", "step.gyroscopic=Off"]);
    world.add_body(floor());
    let start = 0.5 + 0.015;
    let cube = world.add_body(cube(0.5, Vec3::Z * start));
    let (v, w) = (Vec3::new(0.3, 0.1, -0.1), Vec3::new(0.1, -0.2, 0.3));
    world.state.velocities[cube as usize] = Velocity { linear: v.into(), angular: w.into() };
    world.pipeline.executor.keep_rows = true;
    world.step();
    let h = world.settings.h();
    let normal = |id: &RowId| match *id {
        RowId::Contact { a, part: ContactPart::Normal(point), .. } => Some((a == cube, point as usize)),
        _ => None,
    };
    let manifold = world.state.contacts.manifolds().next().expect("the cube is near").2;
    let rows = world.system.ids.iter().zip(&world.system.rows).filter_map(|(id, row)| Some((normal(id)?, row)));
    let mut seen = 0;
    for ((_, point), row) in rows {
        let found = &manifold.points[point];
        let speed = v + w.cross(found.position - Vec3::Z * start);
        let gap = found.separation + speed.z * 3.0 * h;
        close("bias", row.bias, gap / h, 1e-3);
        assert!((gap - found.separation).abs() > 2e-4, "nothing would be seen of it");
        seen += 1;
    }
    assert_eq!(seen, 4, "a corner each");
}

/// A ball that falls on the floor meets it in the sub-step in which its gap closes, although no contact was detected
/// in that sub-step.
#[test]
fn what_was_found_at_the_step_s_start_catches_what_falls_within_the_step() {
    let mut world = small_steps(&["step.rate=20"]);
    world.add_body(floor());
    let ball = world.add_body(body(Shape::Sphere { radius: 0.5 }, Vec3::Z * 3.0));
    let mut lowest = f32::INFINITY;
    for _ in 0..60 {
        world.step();
        lowest = lowest.min(world.state.bodies[ball as usize].position.z);
    }
    assert!(lowest > 0.49, "it came to {lowest}");
    close("it rests", world.state.velocities[ball as usize].linear.length(), 0.0, 1e-4);
}

/// A ball that starts deeper rises to a depth of g/ω² where soft contacts without slop carry it, for any number of
/// sub-steps and however often contacts are detected. (A gap is rigid: a ball that was not in the floor does not
/// sink.)
#[test]
fn soft_contacts_sag_by_gravity_over_omega_squared() {
    for more in [&["contact.collide=EachStep"][..], &["contact.collide=EachSubstep"], &["step.substeps=2"]] {
        for hertz in [10.0f32, 20.0] {
            let mut world = small_steps(&["contact.slop=0", &format!("stabilization.hertz={hertz}")]);
            more.iter().for_each(|assignment| world.settings.assign(assignment).unwrap());
            world.add_body(floor());
            let ball = world.add_body(body(Shape::Sphere { radius: 0.5 }, Vec3::Z * 0.48));
            run(&mut world, 10.0);
            let depth = 0.5 - world.state.bodies[ball as usize].position.z;
            let omega = TAU * hertz;
            close(&format!("{more:?}, {hertz} Hz"), depth, G / (omega * omega), 3e-5);
        }
    }
}

/// A cube slides by v²/(2 μ g), with friction in the main sweeps or after them.
#[test]
fn deferred_friction_brakes_by_coulomb() {
    for deferred in ["friction.deferred=true", "friction.deferred=false"] {
        let mut world = small_steps(&[deferred]);
        world.add_body(floor());
        let cube = world.add_body(BodyDef { mass: 2.0, ..cube(0.5, Vec3::Z * 0.495) });
        world.state.velocities[cube as usize].linear = Vec3A::X * 3.0;
        run(&mut world, 2.0);
        let mu = world.state.bodies[cube as usize].material.friction;
        close(deferred, world.state.bodies[cube as usize].position.x, 9.0 / (2.0 * mu * G), 0.03);
    }
}

/// Two cubes that collide in space conserve their momentum up to rounding. Angular momentum is conserved except for
/// the sliding of the points within the step, after which the two lever arms no longer end in the same place: |ΔL| ≤
/// λ v/rate; with detection in each sub-step, the part of one sub-step remains because of the relaxing sweep.
#[test]
fn small_steps_keep_momentum() {
    for (collide, per_step) in [("contact.collide=EachStep", 1.0 / 60.0), ("contact.collide=EachSubstep", 1.0 / 240.0)]
    {
        let mut world = small_steps(&["step.gravity=0,0,0", collide]);
        let one = world.add_body(cube(0.5, Vec3::ZERO));
        let other = world.add_body(BodyDef { mass: 3.0, ..cube(0.5, Vec3::new(1.5, 0.4, 0.3)) });
        let speed = 4.0;
        world.state.velocities[one as usize] =
            Velocity { linear: Vec3A::X * speed, angular: Vec3A::new(0.5, -1.0, 2.0) };
        let momenta = |world: &World| {
            let of = |id: u32| {
                let (body, velocity) = (&world.state.bodies[id as usize], &world.state.velocities[id as usize]);
                let linear = body.mass * Vec3::from(velocity.linear);
                (linear, body.position.cross(linear) + body.inertia() * Vec3::from(velocity.angular))
            };
            let ((p, l), (q, k)) = (of(one), of(other));
            (p + q, l + k)
        };
        let (p, l) = momenta(&world);
        run(&mut world, 1.0);
        let (q, k) = momenta(&world);
        let passed = world.state.bodies[other as usize].mass * world.state.velocities[other as usize].linear.length();
        assert!(passed > 0.3, "they have met");
        close(&format!("{collide}: momentum"), (q - p).length(), 0.0, 1e-5 * p.length());
        let slid = passed * speed * per_step;
        close(&format!("{collide}: angular momentum"), (k - l).length(), 0.0, slid);
    }
}

/// A crate on a turntable follows it as long as friction bears the pull to the outside: ω² r < μ g, up to 3.1 rad/s at
/// r = 0.5 m. With lever arms that were kept through the step it crept outward at ω² r h/2 and flew off at 2.5 rad/s.
#[test]
fn a_crate_on_a_turntable_turns_with_it() {
    let (r, mu) = (0.5f32, 0.5);
    let most = (mu * G / r).sqrt();
    for omega in [0.2 * most, 0.6 * most, 0.97 * most, 1.05 * most] {
        let mut world = World::new(Settings::default());
        let spin = Vec3::Z * omega;
        let disc = body(Shape::Cylinder { radius: 2.0, half_length: 0.1 }, Vec3::Z * -0.1);
        world.add_body(BodyDef { motion: Motion::Kinematic, angular_velocity: spin, ..disc });
        let at = Vec3::new(r, 0.0, 0.05);
        let crate_ = BodyDef { velocity: spin.cross(at), angular_velocity: spin, ..cube(0.05, at) };
        let crate_ = world.add_body(crate_);
        run(&mut world, 5.0);
        let out = world.state.bodies[crate_ as usize].position.truncate().length() - r;
        assert_eq!(out.abs() < 2e-3, omega < most, "{omega} rad/s: {out} m outward, it slides from {most} rad/s on");
    }
}
