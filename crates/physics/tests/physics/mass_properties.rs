//! Mass centres and inertia tensors given by value, and collision groups, against closed forms.

use std::f32::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::collision_filter::{CollisionFilter, Groups};
use delassus_physics::force::Force;
use delassus_physics::inertia::Inertia;
use delassus_physics::joints::{Hinge, JointKind};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Mat3, Quat, Vec3};

use crate::build::{G, body, close, cube, floor, joint, run, settings, watch};

/// An inertia whose axes are none of the shape's.
const SKEW: Inertia = Inertia { xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.05, xz: -0.08, yz: 0.1 };

/// A body whose shape has its origin at `origin`, with this centre of mass in the shape's frame and this inertia.
fn by_value(shape: Shape, origin: Vec3, rotation: Quat, centre: Vec3, inertia: Mat3) -> BodyDef {
    let solid = Arc::new(shape.solid().expect("a solid shape").about(centre));
    BodyDef { rotation, inertia: Some(inertia), ..BodyDef::new(solid, origin + rotation * centre) }
}

/// The mean time between every second sign change of `values`, which are a step of h s apart: linear in between.
fn period(values: &[f32], h: f32) -> f32 {
    let changes = values.windows(2).enumerate().filter(|(_, pair)| pair[0] * pair[1] < 0.0);
    let times: Vec<f32> = changes.map(|(i, pair)| h * (i as f32 + pair[0] / (pair[0] - pair[1]))).collect();
    let halves = times.len() - 1;
    assert!(halves >= 4, "{halves} half periods");
    2.0 * (times[halves] - times[0]) / halves as f32
}

/// From rest, a torque τ gives ω = h I⁻¹ τ after one step, with I in the axes of the world: R I Rᵀ.
#[test]
fn a_torque_turns_by_the_whole_tensor() {
    let torque = Vec3::new(0.02, -0.01, 0.03);
    for rotation in [Quat::IDENTITY, Quat::from_xyzw(0.3, -0.2, 0.6, 0.5).normalize()] {
        let mut world = World::new(settings(&["step.gravity=0,0,0"]));
        let forces = vec![Force { torque, ..Force::default() }];
        let def = by_value(Shape::Sphere { radius: 0.3 }, Vec3::ZERO, rotation, Vec3::X * 0.1, SKEW.matrix());
        let one = world.add_body(BodyDef { forces, mass: 5.0, ..def });
        world.step();
        let turn = Mat3::from_quat(rotation);
        let expected = world.settings.h() * ((turn * SKEW.matrix() * turn.transpose()).inverse() * torque);
        let spin: Vec3 = world.state.velocities[one as usize].angular.into();
        close("ω", spin.distance(expected) / expected.length(), 0.0, 1e-5);
    }
}

/// A body of even density whose mass centre and inertia are given as what they are takes the same steps to the bit.
#[test]
fn values_that_the_shape_has_anyway_change_no_bit() {
    let half = Vec3::new(0.2, 0.3, 0.5);
    let states = [false, true].map(|given| {
        let mut world = World::new(settings(&[]));
        world.add_body(floor());
        let rotation = Quat::from_rotation_x(0.4);
        let plain = BodyDef { rotation, mass: 3.0, ..body(Shape::Box { half }, Vec3::Z) };
        let inertia = plain.solid.unit_inertia * 3.0;
        let valued = by_value(Shape::Box { half }, Vec3::Z, rotation, plain.solid.centroid, inertia);
        world.add_body(if given { BodyDef { mass: 3.0, ..valued } } else { plain });
        run(&mut world, 1.0);
        world.hash()
    });
    assert_eq!(states[0], states[1]);
}

/// A compound pendulum: T = 2π √(I/(m g d)) for small angles, with the distance d of the mass centre from the axis and
/// the moment about it, I = I_yy + m d² (Steiner).
#[test]
fn a_pendulum_swings_by_its_given_centre_and_moment() {
    let (mass, centre) = (2.0f32, Vec3::new(0.3, 0.1, -0.2));
    let arm = Vec3::new(centre.x, 0.0, centre.z);
    // The centre hangs below the axis y, and starts 0.05 rad aside.
    let rotation = Quat::from_rotation_y(0.05) * Quat::from_rotation_arc(arm.normalize(), Vec3::NEG_Z);
    let def = by_value(Shape::Box { half: Vec3::splat(0.1) }, Vec3::ZERO, rotation, centre, SKEW.matrix());
    let mut world = World::new(settings(&["step.rate=240"]));
    let bob = world.add_body(BodyDef { mass, ..def });
    let hinge = joint(&world, WORLD, bob, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default()));
    world.add_joint(hinge);
    let swing = watch(&mut world, 6.0, |world| world.state.bodies[bob as usize].position.x);
    let expected = TAU * ((SKEW.yy + mass * arm.length_squared()) / (mass * G * arm.length())).sqrt();
    close("period", period(&swing, 1.0 / 240.0), expected, 2e-3 * expected);
}

/// A tumbler: a ball of radius R whose mass centre lies d below its middle rocks on the floor without slipping with
/// T = 2π √((I + m (R − d)²)/(m g d)) for small angles, as its point of contact is at rest.
#[test]
fn a_ball_with_a_low_centre_rocks() {
    let (mass, radius, low, moment) = (2.0f32, 0.5f32, 0.2f32, 0.12f32);
    let inertia = Mat3::from_diagonal(Vec3::splat(moment));
    let (centre, rotation) = (Vec3::NEG_Z * low, Quat::from_rotation_y(0.1));
    let def = by_value(Shape::Sphere { radius }, Vec3::Z * radius, rotation, centre, inertia);
    let mut world = World::new(settings(&["step.rate=240"]));
    world.add_body(floor());
    let ball = world.add_body(BodyDef { mass, ..def });
    let tilt = watch(&mut world, 8.0, |world| (world.state.bodies[ball as usize].rotation * Vec3::Z).x);
    let expected = TAU * ((moment + mass * (radius - low).powi(2)) / (mass * G * low)).sqrt();
    close("period", period(&tilt, 1.0 / 240.0), expected, 0.01 * expected);
    // It rolls without loss: the last swing is the first one.
    let last = tilt[tilt.len() - 480..].iter().fold(0.0f32, |most, tilt| most.max(tilt.abs()));
    close("amplitude", last, 0.1f32.sin(), 2e-3);
    close("height of its middle", world.state.bodies[ball as usize].shape_origin().z, radius, 5e-3);
}

/// The geometry of a solid stays where it is when its mass centre moves: its corners, and all of it within its radius.
#[test]
fn the_geometry_stays_when_the_centre_moves() {
    let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y * 2.0, Vec3::Z * 3.0];
    let hull = Shape::Hull { points }.solid().expect("a tetrahedron");
    let centre = Vec3::new(0.5, -0.4, 0.1);
    let moved = hull.about(centre);
    let corners = |solid: &delassus_physics::shape::Solid| -> Vec<Vec3> {
        solid.hull.as_ref().expect("a hull").0.iter().map(|corner| *corner + solid.centre).collect()
    };
    for (a, b) in corners(&hull).into_iter().zip(corners(&moved)) {
        assert!(a.distance(b) < 1e-6 && b.distance(centre) <= moved.radius + 1e-6, "{a} {b}");
    }
    assert_eq!((moved.centroid, moved.centre, moved.unit_inertia), (hull.centroid, centre, hull.unit_inertia));
    let ball = Shape::Sphere { radius: 1.0 }.solid().expect("a ball").about(Vec3::X * 0.25);
    assert_eq!((ball.lever, ball.radius), (0.25, 1.25));
}

fn set(numbers: &[u32]) -> Groups {
    Groups::of(numbers.iter().copied()).expect("below 32")
}

/// A ball above a plate above a floor: both touch the floor only, so the ball comes to rest on it within the plate. With
/// fast bodies, too, whose impacts are looked for along their ways.
#[test]
fn groups_pass_through_each_other() {
    for (speed, continuous) in [(0.0, "Off"), (-60.0, "TimeOfImpact"), (-60.0, "Speculative")] {
        let mut world = World::new(settings(&[&format!("contact.continuous={continuous}")]));
        world.add_body(floor());
        let own = |group| CollisionFilter { groups: set(&[group]), mask: set(&[0]) };
        let plate = Shape::Box { half: Vec3::new(1.0, 1.0, 0.05) };
        let plate = world.add_body(BodyDef { filter: own(1), ..body(plate, Vec3::Z * 0.05) });
        let ball =
            BodyDef { filter: own(2), velocity: Vec3::Z * speed, ..body(Shape::Sphere { radius: 0.3 }, Vec3::Z * 2.0) };
        let ball = world.add_body(ball);
        let other = world.add_body(BodyDef { motion: Motion::Dynamic, ..cube(0.2, Vec3::new(0.8, 0.8, 1.0)) });
        run(&mut world, 3.0);
        let height = |body: u32| world.state.bodies[body as usize].position.z;
        close(continuous, height(ball), 0.3, 0.01);
        close(continuous, height(plate), 0.05, 0.01);
        // A body in group 0 that touches all groups is none of the plate's: its mask leaves group 1 in, the plate's
        // mask has group 0, so it stands on the plate.
        close(continuous, height(other), 0.1 + 0.2, 0.01);
    }
}

/// A change of its groups takes effect in the next step: what rested falls.
#[test]
fn a_changed_mask_lets_go() {
    let mut world = World::new(settings(&[]));
    world.add_body(floor());
    let ball = world.add_body(body(Shape::Sphere { radius: 0.3 }, Vec3::Z * 0.3));
    run(&mut world, 0.5);
    close("rests", world.state.bodies[ball as usize].position.z, 0.3, 0.01);
    let start = world.state.bodies[ball as usize].position;
    let filter = CollisionFilter { mask: Groups::NONE, ..CollisionFilter::default() };
    world.replace(vec![(ball, BodyDef { filter, ..body(Shape::Sphere { radius: 0.3 }, start) })], Vec::new());
    run(&mut world, 0.5);
    let fall = start.z - world.state.bodies[ball as usize].position.z;
    close("falls", fall, 0.5 * G * 0.25, 0.06);
}

/// What rolls with its mass off its middle.
struct Tumbler {
    shape: Shape,
    /// The rotation in which its mass centre is below its middle.
    upright: Quat,
    /// Whether it rolls on two round rails, each touched at 30° from below, in place of a floor.
    on_rails: bool,
}

impl Tumbler {
    const RADIUS: f32 = 0.5;
    const LEAN: f32 = 0.6;

    /// `count` of them side by side, at rest and leaning, and the last of them.
    fn world(&self, count: usize, (mass, depth, inertia): (f32, f32, Mat3)) -> (World, u32) {
        let mut world = World::new(Settings::default());
        let mut last = WORLD;
        for y in (0..count).map(|i| 2.0 * i as f32) {
            let origin = Vec3::new(0.0, y, Self::RADIUS);
            let rotation = Quat::from_rotation_y(Self::LEAN) * self.upright;
            let centre = self.upright.inverse() * (depth * Vec3::NEG_Z);
            last = world.add_body(BodyDef { mass, ..by_value(self.shape.clone(), origin, rotation, centre, inertia) });
        }
        for y in (0..count).map(|i| 2.0 * i as f32).filter(|_| self.on_rails) {
            for side in [-0.5, 0.5] {
                let below = Vec3::new(0.0, side, -(0.75f32.sqrt()));
                world.add_body(BodyDef {
                    motion: Motion::Static,
                    rotation: Quat::from_rotation_y(FRAC_PI_2),
                    ..body(
                        Shape::Cylinder { radius: 0.2, half_length: 4.0 },
                        Vec3::new(0.0, y, Self::RADIUS) + (0.2 + Self::RADIUS) * below,
                    )
                });
            }
        }
        if !self.on_rails {
            world.add_body(floor());
        }
        (world, last)
    }
}

/// A tumbler of radius R with its mass centre d below its middle swings from a lean of α with the same greatest spin
/// for ever: ½ (I + m (R' − d)²) ω² = m g d (1 − cos α), with R' = R on a floor and R cos 30° on rails. The contacts are
/// found once per step, and their arms follow the roll: with arms that are kept ω grew by a tenth in five seconds.
/// Single rows, and many contacts in lanes.
#[test]
fn what_rolls_with_its_mass_off_its_middle_swings_on_as_far() {
    let (mass, depth, moment) = (2.0, 0.2, 0.12);
    let radius = Tumbler::RADIUS;
    let lying = Quat::from_rotation_x(FRAC_PI_2);
    let tumblers = [
        Tumbler { shape: Shape::Sphere { radius }, upright: Quat::IDENTITY, on_rails: false },
        Tumbler { shape: Shape::Sphere { radius }, upright: Quat::IDENTITY, on_rails: true },
        Tumbler { shape: Shape::Capsule { radius, half_length: 0.4 }, upright: lying, on_rails: false },
        Tumbler { shape: Shape::Cylinder { radius, half_length: 0.4 }, upright: lying, on_rails: false },
    ];
    for tumbler in tumblers {
        let reach = if tumbler.on_rails { radius * 0.75f32.sqrt() } else { radius };
        let whole = moment + mass * (reach - depth) * (reach - depth);
        let expected = (2.0 * mass * G * depth * (1.0 - Tumbler::LEAN.cos()) / whole).sqrt();
        for count in [1, 24] {
            let (mut world, one) = tumbler.world(count, (mass, depth, Mat3::from_diagonal(Vec3::splat(moment))));
            run(&mut world, 3.0);
            let spins = watch(&mut world, 2.0, |world| world.state.velocities[one as usize].angular.y);
            let greatest = spins.into_iter().fold(0.0, |most: f32, spin| most.max(spin.abs()));
            let what = format!("{count} × {:?}, rails: {}", tumbler.shape, tumbler.on_rails);
            close(&what, greatest, expected, 0.01 * expected);
        }
    }
}
