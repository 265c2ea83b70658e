//! Contacts after a step: their points, and friction at the places where the solver applies it.
//!
//! The friction of a patch acts once, at the middle of the points that touch, with a moment about the normal and one
//! against rolling; friction at single points acts at each of them. The share of its bound that each uses, with Λ =
//! Σλn of the normals that set the bound:
//!
//! ```text
//! slide    ‖λt‖/(μ Λ), for a pyramid the larger of its two sides, for a patch together with its twist: at one it slips
//! twist    |λ|/(τ Λ)        rolling   ‖λ‖/(ρ Λ)                       τ, ρ lengths, m
//! ```
//! The values are those of the last sub-step's velocity solve. Source: 000 Friction (patch); 003 §4.4.

use glam::Vec3;

use super::collide::manifold::Manifold;
use super::kernel::limit_surface::{self, Surface};
use super::kernel::patch::tangents;
use super::primitives::surface::mix;
use super::row::Friction;
use super::world::World;

/// A contact point after a step; world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    pub a: u32,
    pub b: u32,
    /// m.
    pub position: Vec3,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// Overlap, negative for a gap, m.
    pub depth: f32,
    /// λn of the last sub-step, N·s.
    pub impulse: f32,
    /// The pair's coefficient of friction.
    pub mu: f32,
}

/// Friction between two bodies at the place where it acts; world frame, impulses on B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traction {
    pub a: u32,
    pub b: u32,
    /// m.
    pub position: Vec3,
    /// Unit vector from A to B.
    pub normal: Vec3,
    /// Total normal impulse Λ, N·s.
    pub load: f32,
    /// Tangential impulse λt, N·s; `None` where only rolling resistance acts here.
    pub slide: Option<BoundedImpulse>,
    /// About the normal, N·m·s.
    pub twist: Option<BoundedImpulse>,
    /// About axes across the normal, N·m·s.
    pub rolling: Option<BoundedImpulse>,
    /// Whether λt is bound by a box along the tangents instead of a disc.
    pub boxed: bool,
    /// How slide and twist bound each other.
    pub surface: Surface,
}

/// An impulse and the most that its norm may be, N·s or N·m·s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundedImpulse {
    pub impulse: Vec3,
    pub bound: f32,
}

impl BoundedImpulse {
    /// The share of the bound in use, 0 to 1; 0 where the bound is zero.
    pub fn share(&self) -> f32 {
        ratio(self.impulse.length(), self.bound)
    }
}

fn ratio(size: f32, bound: f32) -> f32 {
    if bound > 0.0 { (size / bound).min(1.0) } else { 0.0 }
}

impl Traction {
    /// The share of the bound against sliding, combined with a twist, that is in use, 0 to 1: at 1 it slips.
    pub fn share(&self) -> f32 {
        let Some(slide) = self.slide else { return 0.0 };
        if self.boxed {
            let (u, v) = tangents(self.normal);
            ratio(slide.impulse.dot(u).abs().max(slide.impulse.dot(v).abs()), slide.bound)
        } else {
            limit_surface::share(self.surface, slide.share(), self.twist.map_or(0.0, |twist| twist.share()))
        }
    }
}

/// All contact points, including predicted ones.
pub fn points(world: &World) -> impl Iterator<Item = ContactPoint> {
    world.state.contacts.manifolds().flat_map(|(a, b, manifold)| {
        let mu = mix(&world.state.bodies[a as usize], &world.state.bodies[b as usize], &world.settings).friction;
        manifold.points.iter().map(move |p| ContactPoint {
            a,
            b,
            position: p.position,
            normal: manifold.normal,
            depth: -p.separation,
            impulse: p.impulse,
            mu,
        })
    })
}

/// The friction of all contacts that carry a load.
pub fn tractions(world: &World) -> impl Iterator<Item = Traction> {
    world.state.contacts.manifolds().flat_map(|(a, b, manifold)| {
        let centre = manifold.centre(manifold.slop);
        let at_points = matches!(manifold.friction_model, Friction::Cone { .. } | Friction::Pyramid { .. });
        let points = if at_points { manifold.points.as_slice() } else { &[] };
        let mu = mu(manifold.friction_model);
        let single = points.iter().map(move |p| Traction {
            a,
            b,
            position: p.position,
            normal: manifold.normal,
            load: p.impulse,
            slide: Some(BoundedImpulse { impulse: p.friction, bound: mu * p.impulse }),
            twist: None,
            rolling: None,
            boxed: matches!(manifold.friction_model, Friction::Pyramid { .. }),
            surface: Surface::Separate,
        });
        patch(manifold, a, b, centre).into_iter().chain(single).filter(|t| t.load > 0.0)
    })
}

fn mu(friction: Friction) -> f32 {
    match friction {
        Friction::Off => 0.0,
        Friction::Patch { mu, .. } | Friction::Cone { mu, .. } | Friction::Pyramid { mu, .. } => mu,
    }
}

/// Friction and rolling resistance that act at the middle of a manifold; `None` where it has neither.
fn patch(manifold: &Manifold, a: u32, b: u32, position: Vec3) -> Option<Traction> {
    let load: f32 = manifold.points.iter().map(|p| p.impulse).sum();
    let bounded =
        |impulse: Vec3, length: f32| (length > 0.0).then_some(BoundedImpulse { impulse, bound: length * load });
    let rolling = bounded(manifold.rolling, manifold.friction_model.rolling());
    let (slide, twist) = match manifold.friction_model {
        Friction::Patch { mu, arm, .. } => (
            Some(BoundedImpulse { impulse: manifold.friction, bound: mu * load }),
            bounded(manifold.normal * manifold.twist, mu * arm),
        ),
        _ => (None, None),
    };
    let acts = slide.is_some() || rolling.is_some();
    let surface = manifold.friction_model.surface();
    let normal = manifold.normal;
    acts.then_some(Traction { a, b, position, normal, load, slide, twist, rolling, boxed: false, surface })
}

impl World {
    /// All contact points, including predicted ones whose gap is still open.
    pub fn contact_points(&self) -> impl Iterator<Item = ContactPoint> {
        points(self)
    }

    /// The friction of all contacts that carry a load.
    pub fn tractions(&self) -> impl Iterator<Item = Traction> {
        tractions(self)
    }
}
