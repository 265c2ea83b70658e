//! The accuracy reached, measured in the same way for all engines, from the bodies' poses.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::query;
use parry3d::shape::{Ball, Capsule, Cuboid, Shape as Geometry};
use work::scene::{Scene, Shape};

/// Mean and worst distance between the two anchors of the joints, m.
pub fn gap(scene: &Scene, poses: &[(Vec3, Quat)]) -> (f32, f32) {
    let (mut sum, mut worst) = (0.0f64, 0.0f32);
    for joint in &scene.joints {
        let at = |body: usize| {
            let (position, rotation) = poses[body];
            position + rotation * (joint.anchor - scene.bodies[body].at)
        };
        let apart = (at(joint.b) - joint.a.map_or(joint.anchor, at)).length();
        sum += f64::from(apart);
        // NaN counts as the worst.
        worst = if apart <= worst { worst } else { apart };
    }
    ((sum / scene.joints.len().max(1) as f64) as f32, worst)
}

/// The deepest overlap of bodies that are not connected by a joint, and of bodies with the floor, m.
pub fn overlap(scene: &Scene, poses: &[(Vec3, Quat)]) -> f32 {
    let geometry: Vec<Box<dyn Geometry>> = scene
        .bodies
        .iter()
        .map(|body| -> Box<dyn Geometry> {
            match body.shape {
                Shape::Ball(radius) => Box::new(Ball::new(radius)),
                Shape::Box(half) => Box::new(Cuboid::new(half)),
                Shape::Capsule(radius, half) => Box::new(Capsule::new(Vec3::NEG_Z * half, Vec3::Z * half, radius)),
            }
        })
        .collect();
    let pose = |(position, rotation): (Vec3, Quat)| Pose::from_parts(position, rotation);
    let boxes: Vec<_> = geometry.iter().zip(poses).map(|(shape, at)| shape.compute_aabb(&pose(*at))).collect();
    let mut order: Vec<usize> = (0..poses.len()).collect();
    order.sort_by(|a, b| boxes[*a].mins.x.total_cmp(&boxes[*b].mins.x));
    let joined: HashSet<(usize, usize)> =
        scene.joints.iter().filter_map(|joint| joint.a.map(|a| (a.min(joint.b), a.max(joint.b)))).collect();
    let mut deepest = boxes.iter().map(|aabb| -aabb.mins.z).fold(0.0, f32::max);
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|b| boxes[**b].mins.x <= boxes[a].maxs.x) {
            let near = boxes[a].mins.cmple(boxes[b].maxs).all() && boxes[b].mins.cmple(boxes[a].maxs).all();
            if near && !joined.contains(&(a.min(b), a.max(b))) {
                let (at_a, at_b) = (pose(poses[a]), pose(poses[b]));
                let found = query::contact(&at_a, &*geometry[a], &at_b, &*geometry[b], 0.0);
                deepest = found.ok().flatten().map_or(deepest, |contact| deepest.max(-contact.dist));
            }
        }
    }
    deepest
}
