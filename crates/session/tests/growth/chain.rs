//! Chains of every kind of joint, released from rest.

use std::ops::ControlFlow;
use std::sync::Arc;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::row::Softness;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

/// The joints of a chain: a name, their kind, and an additional kind that holds the bodies together if the first does
/// not.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub name: &'static str,
    kind: JointKind,
    beside: Option<JointKind>,
}

/// Every kind, with stops if it can have any; motors hold still.
pub fn links() -> Vec<Link> {
    let degrees = |most: f32| Some((Angle::degrees(-most), Angle::degrees(most)));
    let ball = Some(JointKind::BallSocket(BallSocket {}));
    let still = AngularDrive { speed: 0.0, max_torque: 1e3 };
    let link = |name, kind| Link { name, kind, beside: None };
    let beside = |name, kind, beside| Link { name, kind, beside };
    vec![
        link("BallSocket", JointKind::BallSocket(BallSocket {})),
        link("Distance", JointKind::Distance(Distance::default())),
        link("Rope", JointKind::Rope(Rope::default())),
        link("Spring, 10 Hz", JointKind::Spring(Spring { softness: Softness::of(10.0, 0.2), ..Spring::default() })),
        link("Hinge", JointKind::Hinge(Hinge::default())),
        link("Hinge, ±10°", JointKind::Hinge(Hinge { limit: degrees(10.0), ..Hinge::default() })),
        link("Hinge, motor", JointKind::Hinge(Hinge { motor: Some(still), ..Hinge::default() })),
        link("Fixed", JointKind::Fixed(Fixed::default())),
        link("Prismatic, ±0.1 m", JointKind::Prismatic(Prismatic { limit: Some((-0.1, 0.1)), ..Prismatic::default() })),
        beside("AngularMotor + ball", JointKind::AngularMotor(AngularMotor { motor: still }), ball),
        beside("OrientationLock + ball", JointKind::OrientationLock(OrientationLock::default()), ball),
        beside("AxisLock + ball", JointKind::AxisLock(AxisLock {}), ball),
        beside("Plane + rope", JointKind::Plane(Plane::default()), Some(JointKind::Rope(Rope { length: Some(0.5) }))),
        link(
            "ConeTwist, 15°, ±10°",
            JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(Angle::degrees(15.0)), twist: degrees(10.0) }),
        ),
        link(
            "ConstantVelocity, 30°",
            JointKind::ConstantVelocity(ConstantVelocity { swing: Some(SwingLimit::Cone(Angle::degrees(30.0))) }),
        ),
        link("PointOnRing", JointKind::PointOnRing(PointOnRing::default())),
        link("RotaryMotor", JointKind::RotaryMotor(RotaryMotor { motor: still })),
    ]
}

/// The initial pose of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pose {
    /// Horizontal, so that it swings down.
    Level,
    /// Hanging straight down, with an inclination of 1 in 100.
    Hanging,
}

/// Links of 1 kg and 0.5 m; the last one is a load of `load` kg.
pub fn chain(link: Link, count: usize, load: f32, pose: Pose, settings: Settings) -> World {
    let mut world = World::new(settings);
    let along = match pose {
        Pose::Level => Vec3::X,
        Pose::Hanging => Vec3::new(0.01, 0.0, -1.0).normalize(),
    };
    let solid = Arc::new(Shape::Box { half: Vec3::splat(0.15) }.solid().expect("a box"));
    let mut above = WORLD;
    for i in 0..count {
        let position = along * (0.25 + 0.5 * i as f32);
        let mass = if i + 1 == count { load } else { 1.0 };
        let body = world.add_body(BodyDef { mass, collide: false, ..BodyDef::new(solid.clone(), position) });
        for kind in [link.beside, Some(link.kind)].into_iter().flatten() {
            let middle = position - 0.25 * along - world.state.bodies[above as usize].position;
            // Half of the distance between the two is the rod's; a ring's radius is the distance of its point.
            let apart = if kind.info().coincident || slides(kind) { 0.0 } else { 0.1 };
            let def = JointDef {
                a: above,
                b: body,
                anchor_a: middle - along * apart,
                anchor_b: -0.25 * along + along * apart,
                axis_a: Vec3::Y,
                axis_b: Vec3::Y,
                kind,
                collide: false,
                options: JointOptions::default(),
            };
            world.add_joint(def);
        }
        above = body;
    }
    world
}

/// Whether a kind constrains planes or orientations and not the distance of points.
fn slides(kind: JointKind) -> bool {
    !matches!(kind, JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Spring(_) | JointKind::PointOnRing(_))
}

/// The largest gain of energy relative to the energy that gravity can convert, Σ m g r; infinite if a body was
/// stopped or is not finite. `watch` gets the world and the gain so far after each step, and says whether to go on.
pub fn gain(world: &mut World, seconds: f32, mut watch: impl FnMut(&World, f64) -> ControlFlow<()>) -> f64 {
    let g = f64::from(world.settings.step.gravity.length());
    let turned: f64 =
        world.state.bodies[1..].iter().map(|b| f64::from(b.mass) * g * f64::from(b.position.length())).sum();
    // Without the energy of springs, which for rows about an axis is a reading, not a potential.
    let energy = |world: &World| world.metrics().kinetic_energy + world.metrics().potential_energy;
    let start = energy(world);
    let mut most = 0.0f64;
    for _ in 0..(seconds * world.settings.step.rate) as u32 {
        world.step();
        most = most.max(energy(world) - start);
        let seen = watch(world, most / turned);
        if world.report.stopped > 0 || !most.is_finite() {
            return f64::INFINITY;
        }
        if seen.is_break() {
            break;
        }
    }
    most / turned
}
