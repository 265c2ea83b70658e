//! Shapes as geoms: a compound is several, a hull is a mesh by its corners.

use delassus_physics::body::BodyDef;
use delassus_physics::collision_filter::Groups;
use delassus_physics::shape::{Shape, ShapePart};
use glam::{DQuat, DVec3};

use super::tags::{Tag, number, numbers, quaternion, vector};
use crate::assemble::names::Names;

/// MuJoCo's coefficient of friction about a contact's normal, m, which a geom with rolling friction must name.
const TORSION: f64 = 0.005;

/// The geoms of bodies, and the meshes that they name.
pub struct Geoms {
    pub meshes: Vec<Tag>,
    /// The collision groups that some body is in: the only ones that matter, and the bits of MJCF.
    groups: Vec<u32>,
    taken: Names,
}

impl Geoms {
    /// Geoms for bodies with these collision groups.
    pub fn new<'a>(bodies: impl Iterator<Item = &'a BodyDef>) -> Self {
        let mut groups: Vec<u32> = bodies.flat_map(|def| def.filter.groups.numbers()).collect();
        groups.sort_unstable();
        groups.dedup();
        Self { meshes: Vec::new(), groups, taken: Names::default() }
    }

    /// The bits of a set of groups: bit k is the k-th group that is in use.
    pub fn bits(&self, set: Groups) -> u32 {
        let used = self.groups.iter().enumerate().filter(|(_, group)| set.has(**group));
        used.fold(0, |bits, (k, _)| bits | 1 << k)
    }

    /// The geoms of a body, in the frame of its shape.
    pub fn of(&mut self, name: &str, def: &BodyDef) -> Vec<Tag> {
        match &def.solid.shape {
            Shape::Compound { parts } => {
                let parts = parts.iter().enumerate();
                parts.map(|(k, part)| self.geom(&format!("{name} {k}"), part, def)).collect()
            }
            shape => vec![self.geom(name, &ShapePart::new(shape.clone(), glam::Vec3::ZERO), def)],
        }
    }

    fn geom(&mut self, name: &str, part: &ShapePart, def: &BodyDef) -> Tag {
        let size = |kind: &str, size: &[f32]| {
            let size = numbers(size.iter().map(|x| f64::from(*x)));
            Tag::new("geom").with("type", kind).with("size", size)
        };
        let mut geom = match &part.shape {
            Shape::Box { half } => size("box", &half.to_array()),
            Shape::Sphere { radius } => size("sphere", &[*radius]),
            Shape::Capsule { radius, half_length } => size("capsule", &[*radius, *half_length]),
            Shape::Cylinder { radius, half_length } => size("cylinder", &[*radius, *half_length]),
            Shape::Hull { points } => {
                let corners = numbers(points.iter().flat_map(|point| point.as_dvec3().to_array()));
                let name = self.taken.unique(name);
                self.meshes.push(Tag::new("mesh").with("name", &name).with("vertex", corners));
                Tag::new("geom").with("type", "mesh").with("mesh", name)
            }
            // No part of a compound is one itself.
            Shape::Compound { .. } => size("sphere", &[1e-3]),
        };
        if part.at != glam::Vec3::ZERO {
            geom = geom.with("pos", vector(part.at.as_dvec3()));
        }
        let turn = part.rotation.quat().unwrap_or_default().as_dquat().normalize();
        if turn != DQuat::IDENTITY {
            geom = geom.with("quat", quaternion(turn));
        }
        if !def.collide {
            return geom.with("contype", "0").with("conaffinity", "0");
        }
        // One group that is in everyone's mask is MJCF's default.
        let (own, mask) = (self.bits(def.filter.groups), self.bits(def.filter.mask));
        if (own, mask) != (1, 1) {
            geom = geom.with("contype", own.to_string()).with("conaffinity", mask.to_string());
        }
        let (friction, rolling) = (f64::from(def.material.friction), f64::from(def.material.rolling));
        match rolling > 0.0 {
            true => geom.with("condim", "6").with("friction", numbers([friction, TORSION, rolling])),
            false => geom.with("friction", number(friction)),
        }
    }
}

/// Where an element stands in a frame, unless it is that frame.
pub fn placed(tag: Tag, origin: DVec3, turn: DQuat) -> Tag {
    let tag = if origin == DVec3::ZERO { tag } else { tag.with("pos", vector(origin)) };
    // Rounding of 32 bits is no turn.
    let turned = DVec3::new(turn.x, turn.y, turn.z).length() > 1e-8;
    if turned { tag.with("quat", quaternion(turn)) } else { tag }
}
