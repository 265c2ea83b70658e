//! Rapier, with its own defaults except for the number of sub-steps.

use glam::{Quat, Vec3};
use rapier3d::prelude::*;

use work::scene::{G, H, Kind, Scene, Shape};
use work::{Engine, serve};

struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    fn new(scene: &Scene, substeps: usize) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vec3::NEG_Z * G;
        world.integration_parameters.dt = H;
        world.integration_parameters.num_solver_iterations = substeps;
        let ground = world.insert_body(RigidBodyBuilder::fixed().translation(Vec3::NEG_Z * 0.5));
        if scene.collide {
            world.insert_collider(ColliderBuilder::cuboid(100.0, 100.0, 0.5).friction(0.5), Some(ground));
        }
        let mut bodies = Vec::new();
        for body in &scene.bodies {
            let handle = world.insert_body(RigidBodyBuilder::dynamic().translation(body.at).can_sleep(false));
            let collider = match body.shape {
                Shape::Ball(radius) => ColliderBuilder::ball(radius),
                Shape::Box(half) => ColliderBuilder::cuboid(half.x, half.y, half.z),
                Shape::Capsule(radius, half) => ColliderBuilder::capsule_z(half, radius),
            };
            let collider = collider.mass(body.mass).friction(0.5).restitution(0.0);
            let groups = if scene.collide { InteractionGroups::all() } else { InteractionGroups::none() };
            world.insert_collider(collider.collision_groups(groups), Some(handle));
            bodies.push(handle);
        }
        for joint in &scene.joints {
            let a = joint.a.map_or(ground, |a| bodies[a]);
            let from = joint.a.map_or(Vec3::NEG_Z * 0.5, |a| scene.bodies[a].at);
            let (on_a, on_b) = (joint.anchor - from, joint.anchor - scene.bodies[joint.b].at);
            let b = bodies[joint.b];
            match joint.kind {
                Kind::Ball => {
                    let own = SphericalJointBuilder::new().local_anchor1(on_a).local_anchor2(on_b);
                    world.insert_impulse_joint(a, b, own.contacts_enabled(false));
                }
                Kind::Hinge(least, most) => {
                    let own = RevoluteJointBuilder::new(joint.axis).local_anchor1(on_a).local_anchor2(on_b);
                    world.insert_impulse_joint(a, b, own.limits([least, most]).contacts_enabled(false));
                }
                Kind::Fixed => {
                    let own = FixedJointBuilder::new().local_anchor1(on_a).local_anchor2(on_b);
                    world.insert_impulse_joint(a, b, own.contacts_enabled(false));
                }
                Kind::ConeTwist(swing, twist) => {
                    let own = SphericalJointBuilder::new().local_anchor1(on_a).local_anchor2(on_b);
                    let own = own.limits(JointAxis::AngX, [-swing, swing]).limits(JointAxis::AngY, [-swing, swing]);
                    let own = own.limits(JointAxis::AngZ, [-twist, twist]);
                    world.insert_impulse_joint(a, b, own.contacts_enabled(false));
                }
            }
        }
        Self { world, bodies }
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn poses(&self) -> Vec<(Vec3, Quat)> {
        let pose = |handle: &RigidBodyHandle| {
            let body = &self.world.bodies[*handle];
            (body.translation(), *body.rotation())
        };
        self.bodies.iter().map(pose).collect()
    }
}

fn main() -> std::io::Result<()> {
    serve(|scene, options| {
        let substeps = options.first().and_then(|word| word.parse().ok()).unwrap_or(4);
        Rapier::new(scene, substeps)
    })
}
