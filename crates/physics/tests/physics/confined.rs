//! Particles, which do not rotate, and bodies that stay in a plane.

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{G, body, close, cube, floor, run, settings};

const METHODS: [&str; 3] = ["GaussSeidel", "Jacobi", "Direct"];

fn flat(def: BodyDef) -> BodyDef {
    BodyDef { plane: Some(Vec3::Y), ..def }
}

/// A ball approaches at 45° out of the plane and hits a box off its centre: the box stays in its plane and turns only
/// about the normal, and together they conserve their momentum along the plane. Across the plane, the plane itself
/// exerts forces.
#[test]
fn a_body_struck_obliquely_stays_in_its_plane() {
    for method in METHODS {
        let mut world = World::new(settings(&[&format!("solver.method={method}"), "solver.iterations=30"]));
        world.settings.step.gravity = Vec3::ZERO;
        let rotation = Quat::from_rotation_y(0.3);
        let plate = world.add_body(flat(BodyDef { rotation, mass: 2.0, ..cube(0.5, Vec3::new(0.0, 0.7, 0.0)) }));
        let velocity = Vec3::new(-3.0, -3.0, 0.5);
        let at = Vec3::new(1.0, 1.7, 0.3);
        world.add_body(BodyDef { velocity, ..body(Shape::Sphere { radius: 0.2 }, at) });
        let before = world.metrics().momentum;
        run(&mut world, 2.0);
        let plate = plate as usize;
        let (x, v, w) = (
            world.state.bodies[plate].position,
            Vec3::from(world.state.velocities[plate].linear),
            Vec3::from(world.state.velocities[plate].angular),
        );
        assert!(v.length() > 0.3 && w.y.abs() > 0.05, "{method}: it was struck, {v}, {w}");
        close(&format!("{method}: place across"), x.y, 0.7, 1e-6);
        close(&format!("{method}: speed across"), v.y, 0.0, 1e-6);
        close(&format!("{method}: other turns"), w.x.hypot(w.z), 0.0, 1e-6);
        let turn = (world.state.bodies[plate].rotation * Vec3::Y).distance(Vec3::Y);
        close(&format!("{method}: axis"), turn, 0.0, 1e-5);
        let after = world.metrics().momentum;
        close(&format!("{method}: momentum along x"), (after.x - before.x) as f32, 0.0, 2e-6);
        close(&format!("{method}: momentum along z"), (after.z - before.z) as f32, 0.0, 2e-6);
        assert!((after.y - before.y).abs() > 0.1, "{method}: the plane bears what points out of it");
    }
}

/// A tilted box that hits a smooth wall with one edge: j = −(1 + e) v_n / (1/m + r²/I), where r is the edge's offset
/// along the wall and I = m (a² + b²)/3 the moment of inertia of the box in the plane; v' = v + j/m, ω' = r j/I.
#[test]
fn a_bounce_in_the_plane_is_that_of_two_dimensions() {
    let (half, tilt, e, v, m) = (0.5f32, 0.4f32, 0.5f32, 4.0f32, 3.0f32);
    for method in METHODS {
        let assignments = [&format!("solver.method={method}"), "solver.iterations=60", "friction.model=Off"];
        let mut world = World::new(settings(&assignments.map(|a| a as &str)));
        (world.settings.step.gravity, world.settings.contact.mix) = (Vec3::ZERO, delassus_physics::settings::Mix::Most);
        world.add_body(floor());
        // The corner (half, −half), turned by the tilt about −y, is the lowest.
        let rotation = Quat::from_rotation_y(tilt);
        let corner = rotation * Vec3::new(half, 0.0, -half);
        let at = Vec3::new(0.0, 0.0, 0.05 - corner.z);
        let block = flat(BodyDef {
            rotation,
            velocity: Vec3::NEG_Z * v,
            mass: m,
            material: Material { restitution: e, ..Material::default() },
            ..cube(half, at)
        });
        let block = world.add_body(block) as usize;
        while world.state.velocities[block].linear.z < 0.0
            && world.state.velocities[block].angular.y == 0.0
            && world.state.time < 1.0
        {
            world.step();
        }
        let moment = m * 2.0 * half * half / 3.0;
        // The lever arm at the impact is that of the pose at which the step began, lower than the first by a step of
        // v h.
        let lever = corner.x;
        let j = (1.0 + e) * v / (1.0 / m + lever * lever / moment);
        close(&format!("{method}: speed"), world.state.velocities[block].linear.z, j / m - v, 2e-3);
        // r × j ẑ = (x, ·, z) × ẑ j = −x j ŷ.
        close(&format!("{method}: spin"), world.state.velocities[block].angular.y, -lever * j / moment, 4e-3);
        close(&format!("{method}: sideways"), world.state.velocities[block].linear.x, 0.0, 1e-5);
    }
}

/// Gravity out of the plane does not move the body; in the plane it falls as any body does.
#[test]
fn gravity_acts_along_the_plane() {
    let mut world = World::new(settings(&[]));
    world.settings.step.gravity = Vec3::new(0.0, -7.0, -G);
    let drop = world.add_body(flat(BodyDef { particle: true, ..cube(0.5, Vec3::ZERO) })) as usize;
    run(&mut world, 1.0);
    close("fall", world.state.bodies[drop].position.z, -G / 2.0, 1e-4);
    close("across", world.state.bodies[drop].position.y, 0.0, 1e-6);
}

/// A particle on a rough floor slides to a stop, v = v0 − μ g t, where a ball would begin to roll; an off-centre
/// impact gives it speed and no rotation.
#[test]
fn a_particle_slides_and_does_not_turn() {
    let mut world = World::new(settings(&["step.rate=240"]));
    world.add_body(floor());
    let ball = |x: f32| body(Shape::Sphere { radius: 0.5 }, Vec3::new(x, 0.0, 0.5));
    let sled = world.add_body(BodyDef { particle: true, velocity: Vec3::X * 3.0, ..ball(0.0) }) as usize;
    run(&mut world, 0.5);
    close("speed", world.state.velocities[sled].linear.x, 3.0 - 0.5 * G * 0.5, 2e-3);
    assert_eq!(
        (world.state.velocities[sled].angular, world.state.bodies[sled].rotation),
        (glam::Vec3A::ZERO, Quat::IDENTITY)
    );

    let mut world = World::new(settings(&["solver.iterations=30"]));
    world.settings.step.gravity = Vec3::ZERO;
    let target = world.add_body(BodyDef { particle: true, ..cube(0.5, Vec3::ZERO) }) as usize;
    let hammer = BodyDef { velocity: Vec3::X * 2.0, ..body(Shape::Sphere { radius: 0.1 }, Vec3::new(-0.7, 0.3, 0.0)) };
    world.add_body(hammer);
    run(&mut world, 0.5);
    // The impact is central for the ball and, since it does not rotate, for the block: 1 kg and 1 kg, e = 0, share
    // the speed.
    close("speed", world.state.velocities[target].linear.x, 1.0, 1e-4);
    assert_eq!(world.state.velocities[target].angular, glam::Vec3A::ZERO);
    assert_eq!(world.state.bodies[target].motion, Motion::Dynamic);
}
