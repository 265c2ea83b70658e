//! The material of a pair of bodies, and the directions along their surfaces.

use crate::body::{Body, Material};
use crate::kernel::row::invert;
use crate::row::Softness;
use crate::settings::{Mix, Settings};

/// The combined material of two bodies.
pub fn mix(a: &Body, b: &Body, settings: &Settings) -> Material {
    let mix = |a: f32, b: f32| match settings.contact.mix {
        Mix::Mean => (a * b).sqrt(),
        Mix::Product => a * b,
        Mix::Least => a.min(b),
        Mix::Most => a.max(b),
    };
    // The softer of two springs.
    let mass = invert(a.inv_mass + b.inv_mass);
    let stiffer = |a: &Softness, b: &Softness| a.stiffness(mass).total_cmp(&b.stiffness(mass));
    Material {
        friction: mix(a.material.friction, b.material.friction),
        restitution: mix(a.material.restitution, b.material.restitution),
        rolling: a.material.rolling.max(b.material.rolling),
        soft: [a.material.soft, b.material.soft].into_iter().flatten().min_by(stiffer),
    }
}
