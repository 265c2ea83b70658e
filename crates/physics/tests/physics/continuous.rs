//! Fast bodies do not miss what is in their path.

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::settings::Mix;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{body, close, cube, floor, run, settings};

/// A world without gravity in which the larger restitution of the two materials counts.
fn space(continuous: &str) -> World {
    let mut world = World::new(settings(&[&format!("contact.continuous={continuous}")]));
    (world.settings.step.gravity, world.settings.contact.mix) = (Vec3::ZERO, Mix::Most);
    world
}

fn bouncy(restitution: f32, def: BodyDef) -> BodyDef {
    BodyDef { material: Material { restitution, ..def.material }, ..def }
}

fn bullet(x: f32) -> BodyDef {
    BodyDef { velocity: Vec3::X * 100.0, ..body(Shape::Sphere { radius: 0.05 }, Vec3::new(x, 0.0, 0.0)) }
}

/// A plate of 2 cm across the path at x = 0.
fn plate() -> BodyDef {
    let shape = Shape::Box { half: Vec3::new(0.01, 1.0, 1.0) };
    BodyDef { motion: Motion::Static, ..body(shape, Vec3::ZERO) }
}

/// Start positions of the bullet: with steps of 1.67 m it lands at a different distance before the plate each time.
fn starts() -> impl Iterator<Item = f32> {
    (0..16).map(|k| -5.0 - 0.11 * k as f32)
}

/// A bullet at 100 m/s and a plate of 2 cm: it stops at the plate, or bounces off it at e times its speed, and never
/// passes through. Without continuous collision detection it passes in most cases.
#[test]
fn a_bullet_does_not_pass_a_thin_plate() {
    for e in [0.0f32, 0.5] {
        for start in starts() {
            let mut world = space("TimeOfImpact");
            world.add_body(bouncy(e, plate()));
            let ball = world.add_body(bullet(start)) as usize;
            let (mut nearest, mut met) = (f32::INFINITY, 0.0f32);
            for _ in 0..12 {
                world.step();
                nearest = nearest.min(-0.06 - world.state.bodies[ball].position.x);
                met = met.max(world.contact_points().map(|p| p.impulse).sum());
            }
            close("gap at the plate", nearest, 0.0, 0.016);
            close(&format!("e = {e} from {start}: speed"), world.state.velocities[ball].linear.x, -e * 100.0, 0.01);
            close("impulse", met, (1.0 + e) * 100.0, 1.0);
        }
    }
    let passed = starts().filter(|start| {
        let mut world = space("Off");
        world.add_body(plate());
        let ball = world.add_body(bullet(*start)) as usize;
        (0..12).for_each(|_| world.step());
        world.state.bodies[ball].position.x > 0.0
    });
    assert!(passed.count() >= 12);
}

/// Two bullets collide head-on: equal masses, e = 1, so they exchange their velocities half way.
#[test]
fn two_bullets_meet() {
    for (continuous, meet) in [("TimeOfImpact", true), ("Off", false)] {
        for start in starts() {
            let mut world = space(continuous);
            let right = world.add_body(bouncy(1.0, bullet(start))) as usize;
            let left = world.add_body(bouncy(1.0, BodyDef { velocity: Vec3::X * -100.0, ..bullet(-start) })) as usize;
            (0..12).for_each(|_| world.step());
            let v = if meet { -100.0 } else { 100.0 };
            close(&format!("{continuous} from {start}"), world.state.velocities[right].linear.x, v, 0.05);
            close(&format!("{continuous} from {start}"), world.state.velocities[left].linear.x, -v, 0.05);
            close("together", world.metrics().momentum.length() as f32, 0.0, 1e-3);
        }
    }
}

/// A bullet that passes beside an edge is not affected by the time of impact. A predicted contact is a plane that
/// extends past the edge: the ghost collision of speculative contacts, which the setting's description mentions. Those
/// of balls have the normal of the touch, and no ghost.
#[test]
fn only_contacts_made_ahead_have_ghosts() {
    let deflected = |continuous: &str, bullet: fn(f32) -> BodyDef| {
        starts().any(|start| {
            let mut world = space(continuous);
            // Its side passes 2 cm above the plate's upper edge, at z = 1.
            world.add_body(plate());
            let at = Vec3::new(start, 0.0, 1.07);
            let ball = world.add_body(BodyDef { position: at, ..bullet(start) }) as usize;
            (0..12).for_each(|_| world.step());
            world.state.velocities[ball].linear != (Vec3::X * 100.0).into()
        })
    };
    let block: fn(f32) -> BodyDef = |x| BodyDef { velocity: Vec3::X * 100.0, ..cube(0.05, Vec3::X * x) };
    for shape in [block, bullet] {
        assert!(!deflected("TimeOfImpact", shape));
    }
    assert!(deflected("Speculative", block));
    assert!(!deflected("Speculative", bullet));
}

/// A rod tumbles towards a wall, its tips at 40 m/s and 0.7 m a step: they reach the wall and do not pass through it.
#[test]
fn a_tumbling_rod_does_not_swing_through_a_wall() {
    let mut deepest = f32::INFINITY;
    for k in 0..8 {
        let mut world = space("TimeOfImpact");
        let wall = Shape::Box { half: Vec3::new(0.01, 4.0, 4.0) };
        world.add_body(BodyDef { motion: Motion::Static, ..body(wall, Vec3::ZERO) });
        let rod = Shape::Box { half: Vec3::new(0.02, 0.02, 1.0) };
        let rod = world.add_body(BodyDef {
            rotation: Quat::from_rotation_y(0.2 * k as f32),
            velocity: Vec3::X * 2.0,
            angular_velocity: Vec3::Y * 40.0,
            ..body(rod, Vec3::new(-1.5, 0.0, 0.0))
        }) as usize;
        let mut met = false;
        for _ in 0..60 {
            world.step();
            let body = &world.state.bodies[rod];
            let tip = (body.rotation * Vec3::Z).x.abs() + 0.02 * (body.rotation * Vec3::X).x.abs();
            deepest = deepest.min(-0.01 - (body.position.x + tip));
            met |= world.contact_points().any(|p| p.impulse > 0.1);
        }
        assert!(met, "the rod reaches the wall");
    }
    assert!(deepest > -0.02, "a tip stands {} m behind the wall's face", -deepest);
}

/// Where nothing is fast the setting changes nothing, bit for bit.
#[test]
fn slow_bodies_do_not_notice() {
    let hash = |continuous: &str| {
        let mut world = World::new(settings(&[&format!("contact.continuous={continuous}")]));
        world.add_body(floor());
        for i in 0..4 {
            world.add_body(cube(0.5, Vec3::new(0.1 * i as f32, 0.0, 0.6 + 1.05 * i as f32)));
        }
        run(&mut world, 3.0);
        assert!(world.report.toi_fractions.is_empty());
        world.hash()
    };
    assert_eq!(hash("TimeOfImpact"), hash("Speculative"));
}

/// Eight bullets in a closed box of thin walls, e = 1: none gets out, repeated runs give the same bits, and energy is
/// conserved except for the loss caused by the order of impacts within a step.
#[test]
fn bullets_stay_in_their_box() {
    let shut = || {
        let mut world = space("TimeOfImpact");
        world.settings.assign("friction.model=Off").expect("a setting");
        for axis in Vec3::AXES {
            for side in [-1.0, 1.0] {
                let half = Vec3::splat(2.1) - axis * 2.09;
                let wall = BodyDef { motion: Motion::Static, ..body(Shape::Box { half }, axis * side * 2.01) };
                world.add_body(bouncy(1.0, wall));
            }
        }
        for k in 0..8u8 {
            let sign = |bit: u8| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let corner = Vec3::new(sign(0), sign(1), sign(2));
            let velocity = Vec3::new(70.0 * sign(1), 55.0 * sign(2), 40.0 * sign(0)) + corner;
            world.add_body(bouncy(1.0, BodyDef { velocity, position: corner, ..bullet(0.0) }));
        }
        world
    };
    let (mut world, mut twin) = (shut(), shut());
    let energy = world.metrics().kinetic_energy;
    for _ in 0..300 {
        world.step();
        for body in world.state.bodies.iter().skip(7) {
            assert!(body.position.abs().max_element() < 2.0, "a bullet at {}", body.position);
        }
    }
    run(&mut twin, 5.0);
    assert_eq!(world.hash(), twin.hash());
    close("energy", (world.metrics().kinetic_energy / energy) as f32, 1.0, 0.02);
}
/// How many bodies of a shape, thrown at the middle of the plate and near its edge, pass through it.
fn come_through(continuous: &str, shape: &Shape, spin: f32) -> usize {
    let mut through = 0;
    for k in 0..20 {
        for (speed, y) in [(20.0, 0.0), (60.0, 0.9), (100.0, 0.0), (100.0, 0.97)] {
            let mut world = space(continuous);
            world.add_body(plate());
            let flying = world.add_body(BodyDef {
                velocity: Vec3::X * speed,
                angular_velocity: Vec3::new(0.3, 1.0, 0.2) * spin,
                rotation: Quat::from_rotation_y(0.37 * k as f32),
                ..body(shape.clone(), Vec3::new(-3.0 - 0.15 * k as f32, y, 0.0))
            }) as usize;
            for _ in 0..40 {
                let from = world.state.bodies[flying].position;
                world.step();
                let to = world.state.bodies[flying].position;
                if from.x < 0.0 && to.x > 0.0 {
                    let at = from.lerp(to, -from.x / (to.x - from.x));
                    through += usize::from(at.y.abs().max(at.z.abs()) < 0.99);
                }
            }
        }
    }
    through
}

/// Balls, plates, rods and capsules, rotating or not: with the time of impact none of 80 passes through the plate,
/// and none with predicted contacts, which use the same advance as a safety net; without either, most do.
#[test]
fn nothing_comes_through_a_thin_plate() {
    let slab = Shape::Box { half: Vec3::new(0.2, 0.2, 0.01) };
    let rod = Shape::Box { half: Vec3::new(0.4, 0.02, 0.02) };
    let capsule = Shape::Capsule { radius: 0.02, half_length: 0.3 };
    let ball = Shape::Sphere { radius: 0.05 };
    for (shape, spin) in [(&ball, 0.0), (&slab, 0.0), (&slab, 30.0), (&rod, 60.0), (&capsule, 45.0)] {
        assert_eq!(come_through("TimeOfImpact", shape, spin), 0, "{shape:?}, {spin} rad/s");
        assert_eq!(come_through("Speculative", shape, spin), 0, "{shape:?}, {spin} rad/s");
        assert!(come_through("Off", shape, spin) > 40, "{shape:?}, {spin} rad/s");
    }
}
