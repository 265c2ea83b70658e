//! Delassus, with settings that differ from the defaults as in `delassus run --set`.

use std::sync::Arc;

use delassus::physics::angle::Angle;
use delassus::physics::body::{BodyDef, Motion};
use delassus::physics::joint::{JointDef, JointOptions};
use delassus::physics::joints::{BallSocket, ConeTwist, Fixed, Hinge, JointKind};
use delassus::physics::primitives::swing_twist::SwingLimit;
use delassus::physics::settings::Settings;
use delassus::physics::shape::{self, Solid};
use delassus::physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use work::scene::{G, Kind, Scene, Shape};
use work::{Engine, serve};

struct Ours {
    world: World,
    bodies: Vec<u32>,
}

impl Ours {
    fn new(scene: &Scene, assignments: &[String]) -> Self {
        let mut settings = Settings::default();
        settings.step.gravity = Vec3::NEG_Z * G;
        for assignment in assignments {
            settings.assign(assignment).unwrap_or_else(|mistake| panic!("{assignment}: {mistake}"));
        }
        settings.contact.enabled = scene.collide;
        // Sleeping is off in all engines.
        settings.sleep.enabled = false;
        let mut world = World::new(settings);
        // Joints are not read here, and the other engines compute no readings, either.
        world.pipeline.executor.readouts = false;
        world.pipeline.executor.resident = true;
        // Consecutive equal shapes share one solid, as in a scene's file.
        let mut last: Option<Arc<Solid>> = None;
        let mut solid = |shape: shape::Shape| match &last {
            Some(last) if last.shape == shape => last.clone(),
            _ => last.insert(Arc::new(shape.solid().expect("a shape with a volume"))).clone(),
        };
        let mut body = |shape, position, mass| {
            let collide = scene.collide;
            BodyDef { mass, collide, ..BodyDef::new(solid(shape), position) }
        };
        if scene.collide {
            let floor = shape::Shape::Box { half: Vec3::new(100.0, 100.0, 0.5) };
            world.add_body(BodyDef { motion: Motion::Static, ..body(floor, Vec3::NEG_Z * 0.5, 1.0) });
        }
        let of = |shape: &Shape| match *shape {
            Shape::Ball(radius) => shape::Shape::Sphere { radius },
            Shape::Box(half) => shape::Shape::Box { half },
            Shape::Capsule(radius, half_length) => shape::Shape::Capsule { radius, half_length },
        };
        let bodies: Vec<u32> = scene.bodies.iter().map(|b| world.add_body(body(of(&b.shape), b.at, b.mass))).collect();
        for joint in &scene.joints {
            let a = joint.a.map_or(WORLD, |a| bodies[a]);
            let from = joint.a.map_or(Vec3::ZERO, |a| scene.bodies[a].at);
            let angle = Angle::radians;
            let kind = match joint.kind {
                Kind::Ball => JointKind::BallSocket(BallSocket {}),
                Kind::Hinge(least, most) => {
                    JointKind::Hinge(Hinge { limit: Some((angle(least), angle(most))), ..Hinge::default() })
                }
                Kind::Fixed => JointKind::Fixed(Fixed::default()),
                Kind::ConeTwist(swing, twist) => JointKind::ConeTwist(ConeTwist {
                    swing: SwingLimit::Cone(angle(swing)),
                    twist: Some((angle(-twist), angle(twist))),
                }),
            };
            world.add_joint(JointDef {
                a,
                b: bodies[joint.b],
                anchor_a: joint.anchor - from,
                anchor_b: joint.anchor - scene.bodies[joint.b].at,
                axis_a: joint.axis,
                axis_b: joint.axis,
                kind,
                collide: false,
                options: JointOptions::default(),
            });
        }
        Self { world, bodies }
    }
}

impl Engine for Ours {
    fn step(&mut self) {
        self.world.step();
    }

    fn poses(&self) -> Vec<(Vec3, Quat)> {
        let states = self.bodies.iter().map(|index| self.world.state(*index));
        states.map(|(position, rotation, _)| (position, rotation)).collect()
    }
}

fn main() -> std::io::Result<()> {
    serve(Ours::new)
}
