//! The level of detail of a body, by its size on the screen.
//!
//! Round meshes have [`LEVELS`]; a body hardly larger than a pixel is a dot of two triangles. Of dots much smaller
//! than a pixel a random part is left out and the rest is drawn with a radius of half a pixel, so that the covered
//! area is the same: the picture keeps its brightness, and the number of drawn dots is bounded by the picture's area
//! and not by the scene (Cook, Halstead, Planck, Ryu 2007, "Stochastic simplification of aggregate detail").
//! `shaders/crowd.wgsl` has the same rules.

use glam::{Vec2, Vec3};

use crate::{
    camera::Camera,
    picture::{BodyInstance, MeshId},
};

/// Levels of detail of the round meshes, coarse to fine, and the largest screen radius (pixels) of each.
pub(super) const LEVELS: usize = 5;
pub(super) const LEVEL_RADIUS_PX: [f32; LEVELS - 1] = [2.5, 10.0, 40.0, 180.0];

/// Straight sides around a capsule and around a cylinder, by level: their outline is less than half a pixel from the
/// circle, that of a cylinder, whose rims are lines, even in [`crate::quality::Quality::SOFTWARE`].
pub(super) const CAPSULE_SEGMENTS: [u32; LEVELS] = [8, 12, 24, 48, 96];
pub(super) const CYLINDER_SEGMENTS: [u32; LEVELS] = [8, 16, 32, 72, 128];

pub(super) const BOX_SLOT: usize = 0;
pub(super) const SPHERE_SLOT: usize = 1;
pub(super) const CAPSULE_SLOT: usize = SPHERE_SLOT + LEVELS;
pub(super) const CYLINDER_SLOT: usize = CAPSULE_SLOT + LEVELS;
/// For bodies too small for a mesh, whatever their shape: a square that faces the eye.
pub(super) const DOT_SLOT: usize = CYLINDER_SLOT + LEVELS;
pub(super) const HULL_SLOT: usize = DOT_SLOT + 1;

/// Up to this screen radius a ball, or another shape, is drawn as a dot, pixels.
const SPHERE_DOT: f32 = 1.5;
const OTHER_DOT: f32 = 0.75;
/// Below this screen radius some dots are left out, pixels.
const FAINT: f32 = 0.5;

/// The camera's data, prepared for many queries.
pub(super) struct PreparedEye {
    pub at: Vec3,
    pub forward: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    /// Half extents of the picture at distance 1.
    pub half: Vec2,
    /// Pixels per metre at distance 1 m.
    pub pixels: f32,
    viewport: Vec2,
    /// The depth that determines sizes in parallel projection; `None` in perspective.
    pub parallel: Option<f32>,
}

impl PreparedEye {
    pub(super) fn new(camera: &Camera, viewport: Vec2) -> Self {
        let half_height = (camera.fov_y * 0.5).tan();
        let half = Vec2::new(half_height * viewport.x / viewport.y, half_height);
        let view = camera.view;
        let pixels = viewport.y * 0.5 / half_height;
        let parallel = (!camera.has_perspective()).then_some(view.distance);
        let (forward, right, up) = (view.forward(), view.right(), view.up());
        Self { at: view.eye(), forward, right, up, half, pixels, viewport, parallel }
    }

    /// The screen radius of a sphere, pixels.
    pub(super) fn size(&self, centre: Vec3, radius: f32) -> f32 {
        let depth = self.parallel.unwrap_or_else(|| (centre - self.at).dot(self.forward));
        radius / depth.max(radius) * self.pixels
    }

    /// False only if the sphere is certainly outside the picture.
    pub(super) fn sees(&self, centre: Vec3, radius: f32) -> bool {
        let to = centre - self.at;
        let depth = to.dot(self.forward);
        if let Some(distance) = self.parallel {
            let aside = Vec2::new(to.dot(self.right), to.dot(self.up)).abs() - self.half * distance;
            return aside.cmple(Vec2::splat(radius)).all();
        }
        let aside = Vec2::new(to.dot(self.right), to.dot(self.up)).abs() - self.half * depth;
        let slant = Vec2::new(self.half.x.hypot(1.0), self.half.y.hypot(1.0));
        depth > -radius && aside.cmple(slant * radius).all()
    }

    /// A rectangle of the picture, in pixels, that contains the sphere.
    pub(super) fn bounds(&self, centre: Vec3, radius: f32) -> (Vec2, Vec2) {
        let to = centre - self.at;
        let depth = to.dot(self.forward);
        if let Some(distance) = self.parallel {
            let at = self.viewport * 0.5 + Vec2::new(to.dot(self.right), -to.dot(self.up)) / distance * self.pixels;
            let reach = radius / distance * self.pixels;
            return (at - reach, at + reach);
        }
        if depth <= radius * 1.2 {
            return (Vec2::ZERO, self.viewport);
        }
        let middle = self.viewport * 0.5;
        let at = middle + Vec2::new(to.dot(self.right), -to.dot(self.up)) / depth * self.pixels;
        // Its near side looks larger, and spheres away from the centre look elongated.
        let reach = radius / (depth - radius) * self.pixels * (1.0 + ((at - middle) / self.pixels).length());
        (at - reach, at + reach)
    }
}

/// The first slot of a mesh, and whether it has levels of detail.
pub(super) fn first_slot(mesh: MeshId) -> (usize, bool) {
    match mesh {
        MeshId::Box => (BOX_SLOT, false),
        MeshId::Sphere => (SPHERE_SLOT, true),
        MeshId::Capsule => (CAPSULE_SLOT, true),
        MeshId::Cylinder => (CYLINDER_SLOT, true),
        MeshId::Hull(index) => (HULL_SLOT + index as usize, false),
    }
}

/// The slot of a body with a screen radius of `size` pixels; `coarseness` divides the sizes of round meshes.
pub(super) fn slot_of(mesh: MeshId, size: f32, coarseness: f32) -> usize {
    if size <= if mesh == MeshId::Sphere { SPHERE_DOT } else { OTHER_DOT } {
        return DOT_SLOT;
    }
    match first_slot(mesh) {
        (first, true) => first + LEVEL_RADIUS_PX.iter().filter(|&&largest| size / coarseness > largest).count(),
        (first, false) => first,
    }
}

/// Whether a body with a screen radius of `size` pixels is left out; the remaining ones are [`enlarged`].
pub(super) fn is_left_out(number: u32, size: f32) -> bool {
    size < FAINT && chance(number) >= (size / FAINT) * (size / FAINT)
}

/// The factor by which a dot with a screen radius of `size` pixels is enlarged to compensate for those left out.
pub(super) fn enlarged(size: f32) -> f32 {
    if size < FAINT { FAINT / size } else { 1.0 }
}

/// A pseudo-random number from 0 to 1, uniformly distributed over the numbers.
fn chance(number: u32) -> f32 {
    let x = number.wrapping_mul(2_654_435_761);
    let x = (x ^ x >> 15).wrapping_mul(2_246_822_519);
    ((x ^ x >> 13) >> 8) as f32 / 16_777_216.0
}

/// The radius of the dot for a body, metres; `radius` is that of its enclosing sphere.
pub(super) fn dot_radius(mesh: MeshId, radius: f32) -> f32 {
    // Other shapes than balls fill a part of their sphere.
    if mesh == MeshId::Sphere { radius } else { 0.6 * radius }
}

/// The radius of the enclosing sphere, metres; `None` if the body cannot be drawn: invalid numbers, unknown hull, no
/// size.
pub(super) fn radius_of(body: &BodyInstance, hull_radii: &[f32]) -> Option<f32> {
    let scale = body.scale.abs();
    let radius = match body.mesh {
        MeshId::Box => scale.length(),
        MeshId::Sphere => scale.max_element(),
        MeshId::Capsule => scale.x + scale.z,
        MeshId::Cylinder => scale.x.max(scale.y).hypot(scale.z),
        MeshId::Hull(index) => hull_radii.get(index as usize)? * scale.max_element(),
    };
    let good = body.position.is_finite() && body.rotation.is_finite() && radius.is_finite() && radius > 0.0;
    good.then_some(radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_spheres_are_finer() {
        let slots = [2.0, 5.0, 20.0, 100.0, 400.0].map(|radius| slot_of(MeshId::Sphere, radius, 1.0));
        assert_eq!(slots, std::array::from_fn(|level| SPHERE_SLOT + level));
        assert_eq!(slot_of(MeshId::Sphere, 1.4, 1.0), DOT_SLOT);
        assert_eq!(slot_of(MeshId::Box, 1.4, 1.0), BOX_SLOT);
        assert_eq!(slot_of(MeshId::Hull(3), 0.7, 1.0), DOT_SLOT);
    }

    /// A radius of 40 pixels had an outline of sixteen sides, and without a graphics card one of 100 pixels.
    #[test]
    fn outlines_are_round_to_half_a_pixel() {
        let software = crate::quality::Quality::SOFTWARE.coarseness;
        for (segments, coarseness) in [(CAPSULE_SEGMENTS, 1.0), (CYLINDER_SEGMENTS, 1.0), (CYLINDER_SEGMENTS, software)]
        {
            // The finest level has no largest radius: a body that fills the picture.
            let largest = LEVEL_RADIUS_PX.map(|radius| radius * coarseness).into_iter().chain([800.0]);
            for (segments, radius) in segments.into_iter().zip(largest) {
                let off = radius * (1.0 - (std::f32::consts::PI / segments as f32).cos());
                assert!(off < 0.5, "{off} px at {radius} px with {segments} sides");
            }
        }
    }

    /// The drawn dots cover the same area as all dots together, up to random variation: of N dots drawn with
    /// probability p the share varies by √(p (1 − p) / N), of which five times is allowed.
    #[test]
    fn dots_that_are_left_out_leave_the_area() {
        const MANY: u32 = 100_000;
        for size in [0.05f32, 0.2, 0.4] {
            let drawn = (0..MANY).filter(|number| !is_left_out(*number, size)).count() as f32;
            let share = (size / FAINT).powi(2);
            let scatter = (share * (1.0 - share) / MANY as f32).sqrt();
            assert!((drawn / MANY as f32 - share).abs() < 5.0 * scatter, "{size}: {drawn}");
            // The enlargement compensates for the dots that are left out.
            assert!((enlarged(size).powi(2) * share - 1.0).abs() < 1e-5);
        }
        assert!(!is_left_out(7, FAINT));
    }

    /// The shader has the same constants.
    #[test]
    fn the_shader_has_the_same_rules() {
        let shader = include_str!("../../../shaders/crowd.wgsl");
        let [a, b, c, d] = LEVEL_RADIUS_PX;
        for line in [
            format!("const DOT_SLOT: u32 = {DOT_SLOT}u;"),
            format!("const SPHERE_DOT: f32 = {SPHERE_DOT:?};"),
            format!("const OTHER_DOT: f32 = {OTHER_DOT:?};"),
            format!("const FAINT: f32 = {FAINT:?};"),
            format!("const LEVELS: vec4f = vec4f({a:?}, {b:?}, {c:?}, {d:?});"),
        ] {
            assert!(shader.contains(&line), "{line}");
        }
    }
}
