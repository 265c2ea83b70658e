//! Bodies sorted for drawing: by mesh, level of detail, and the passes that they appear in.
//!
//! The instances of one mesh lie together in the order seen, unseen (they may still cast a shadow), ghosts,
//! outlined; so each pass draws one contiguous range a mesh. A counting sort does this without allocating anew.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::render::{
    camera::Camera,
    picture::{BodyInstance, MeshId, Pattern, Picture},
};

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Instance {
    origin: [f32; 3],
    radius: f32,
    rotation: [f32; 4],
    scale: [f32; 3],
    marks: u32,
    color: [u8; 4],
}

impl Instance {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
        4 => Float32x3, 5 => Float32, 6 => Float32x4, 7 => Float32x3, 8 => Uint32, 9 => Unorm8x4
    ];
}

/// Levels of detail of the round meshes, coarse to fine, and the largest radius on the screen (pixels) for each.
pub(super) const LEVELS: usize = 5;
const LEVEL_RADIUS_PX: [f32; LEVELS - 1] = [2.5, 10.0, 40.0, 180.0];

pub(super) const BOX_SLOT: usize = 0;
pub(super) const SPHERE_SLOT: usize = 1;
pub(super) const CAPSULE_SLOT: usize = SPHERE_SLOT + LEVELS;
pub(super) const CYLINDER_SLOT: usize = CAPSULE_SLOT + LEVELS;
pub(super) const HULL_SLOT: usize = CYLINDER_SLOT + LEVELS;

const SEEN: usize = 0;
const UNSEEN: usize = 1;
const GHOST: usize = 2;
const OUTLINED: usize = 3;
const ROLES: usize = 4;

/// A contiguous range of instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub first: u32,
    pub count: u32,
}

/// The sorted instances of a frame.
#[derive(Default)]
pub(super) struct Instances {
    pub all: Vec<Instance>,
    /// Where each (slot, role) begins; one more entry at the end.
    starts: Vec<u32>,
    /// Slot and role of each body; `DROPPED` for what cannot be drawn.
    keys: Vec<u32>,
    /// The enclosing sphere of each body.
    spheres: Vec<(Vec3, f32)>,
    /// Corners, in pixels, of the rectangle that holds all outlined bodies.
    pub outlined: Option<(Vec2, Vec2)>,
}

const DROPPED: u32 = u32::MAX;

impl Instances {
    pub(super) fn slots(&self) -> usize {
        self.starts.len().saturating_sub(1) / ROLES
    }

    /// What the main pass draws.
    pub(super) fn seen(&self, slot: usize) -> Range {
        self.range(slot, SEEN, SEEN)
    }

    /// What the shadow pass draws.
    pub(super) fn casting(&self, slot: usize) -> Range {
        self.range(slot, SEEN, UNSEEN)
    }

    pub(super) fn ghosts(&self, slot: usize) -> Range {
        self.range(slot, GHOST, GHOST)
    }

    pub(super) fn outlines(&self, slot: usize) -> Range {
        self.range(slot, OUTLINED, OUTLINED)
    }

    fn range(&self, slot: usize, first: usize, last: usize) -> Range {
        let (start, end) = (self.starts[slot * ROLES + first], self.starts[slot * ROLES + last + 1]);
        Range { first: start, count: end - start }
    }

    /// The enclosing spheres of the bodies that cast shadows.
    pub(super) fn casters(&self) -> impl Iterator<Item = (Vec3, f32)> + Clone + '_ {
        let casts = |key: &u32| *key != DROPPED && *key as usize % ROLES <= UNSEEN;
        self.keys.iter().zip(&self.spheres).filter(move |(key, _)| casts(key)).map(|(_, sphere)| *sphere)
    }

    /// Sorts the picture's bodies. `hull_radii` are the hulls' radii about their origins; `coarseness` divides the
    /// radius on the screen by which the level of detail is chosen.
    pub(super) fn sort(
        &mut self,
        picture: &Picture,
        hull_radii: &[f32],
        camera: &Camera,
        viewport: Vec2,
        coarseness: f32,
    ) {
        let slots = HULL_SLOT + hull_radii.len();
        let eye = Eye::new(camera, viewport);
        self.keys.clear();
        self.spheres.clear();
        self.starts.clear();
        self.starts.resize(slots * ROLES + 1, 0);
        self.outlined = None;

        for body in &picture.bodies {
            let (key, sphere) = match radius_of(body, hull_radii) {
                Some(radius) => {
                    let depth = eye.scale((body.position - eye.at).dot(eye.forward));
                    let radius_px = radius / depth.max(radius) * eye.pixels;
                    let slot = slot_of(body.mesh, radius_px / coarseness);
                    let seen = eye.sees(body.position, radius);
                    let role = match (body.opacity < 1.0, seen) {
                        (true, _) => GHOST,
                        (false, true) => SEEN,
                        (false, false) => UNSEEN,
                    };
                    if body.selected && seen {
                        self.starts[slot * ROLES + OUTLINED + 1] += 1;
                        self.extend_outlined(eye.bounds(body.position, radius));
                    }
                    ((slot * ROLES + role) as u32, (body.position, radius))
                }
                None => (DROPPED, (Vec3::ZERO, 0.0)),
            };
            if key != DROPPED {
                self.starts[key as usize + 1] += 1;
            }
            self.keys.push(key);
            self.spheres.push(sphere);
        }
        // Counts to places: each entry becomes the start of its range, one to the left while filling.
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.all.clear();
        self.all.resize(sum as usize, Instance::zeroed());
        for (index, body) in picture.bodies.iter().enumerate().rev() {
            let key = self.keys[index] as usize;
            if self.keys[index] == DROPPED {
                continue;
            }
            let (position, radius) = self.spheres[index];
            let instance = instance_of(body, radius);
            self.starts[key + 1] -= 1;
            self.all[self.starts[key + 1] as usize] = instance;
            if body.selected && eye.sees(position, radius) {
                let outline = key / ROLES * ROLES + OUTLINED;
                self.starts[outline + 1] -= 1;
                self.all[self.starts[outline + 1] as usize] = instance;
            }
        }
        // Filling backwards has moved each start to the left by its own count: shift the table to match.
        self.starts.remove(0);
        self.starts.push(sum);
    }

    fn extend_outlined(&mut self, (low, high): (Vec2, Vec2)) {
        self.outlined = Some(match self.outlined {
            Some((old_low, old_high)) => (old_low.min(low), old_high.max(high)),
            None => (low, high),
        });
    }
}

/// The camera, prepared for many questions.
struct Eye {
    at: Vec3,
    forward: Vec3,
    right: Vec3,
    up: Vec3,
    /// Half extents of the picture at distance 1.
    half: Vec2,
    /// Pixels for each metre at distance 1.
    pixels: f32,
    viewport: Vec2,
    /// The distance at which parallel rays show everything; none in perspective.
    parallel: Option<f32>,
}

impl Eye {
    fn new(camera: &Camera, viewport: Vec2) -> Self {
        let half_height = (camera.fov_y * 0.5).tan();
        let half = Vec2::new(half_height * viewport.x / viewport.y, half_height);
        let view = camera.view;
        let pixels = viewport.y * 0.5 / half_height;
        let parallel = (!camera.has_perspective()).then_some(view.distance);
        let (forward, right, up) = (view.forward(), view.right(), view.up());
        Self { at: view.eye(), forward, right, up, half, pixels, viewport, parallel }
    }

    /// The distance that says how large something is seen.
    fn scale(&self, depth: f32) -> f32 {
        self.parallel.unwrap_or(depth)
    }

    /// False only when the sphere is certainly outside the picture.
    fn sees(&self, centre: Vec3, radius: f32) -> bool {
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

    /// A rectangle of the picture, in pixels, that holds the sphere.
    fn bounds(&self, centre: Vec3, radius: f32) -> (Vec2, Vec2) {
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
        // Nearer parts look larger, and spheres aside of the middle are drawn out.
        let reach = radius / (depth - radius) * self.pixels * (1.0 + ((at - middle) / self.pixels).length());
        (at - reach, at + reach)
    }
}

fn slot_of(mesh: MeshId, radius_px: f32) -> usize {
    let level = LEVEL_RADIUS_PX.iter().filter(|&&largest| radius_px > largest).count();
    match mesh {
        MeshId::Box => BOX_SLOT,
        MeshId::Sphere => SPHERE_SLOT + level,
        MeshId::Capsule => CAPSULE_SLOT + level,
        MeshId::Cylinder => CYLINDER_SLOT + level,
        MeshId::Hull(index) => HULL_SLOT + index as usize,
    }
}

/// Of the enclosing sphere, metres; `None` for what cannot be drawn: bad numbers, unknown hulls, no size.
fn radius_of(body: &BodyInstance, hull_radii: &[f32]) -> Option<f32> {
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

fn instance_of(body: &BodyInstance, radius: f32) -> Instance {
    let rotation =
        if body.rotation.length_squared() > 1e-12 { body.rotation.normalize() } else { glam::Quat::IDENTITY };
    let pattern = match body.pattern {
        Pattern::Edges => 0,
        Pattern::TwoTone => 1,
        Pattern::Striped => 2,
        Pattern::Plain => 3,
    };
    let [r, g, b] = body.color;
    Instance {
        origin: body.position.into(),
        radius,
        rotation: rotation.into(),
        scale: body.scale.into(),
        marks: pattern | u32::from(body.hovered) << 2 | u32::from(body.selected) << 3,
        color: rgba8([r, g, b, body.opacity]),
    }
}

/// Components from 0 to 1 as bytes; NaN becomes 0.
pub(super) fn rgba8(color: [f32; 4]) -> [u8; 4] {
    color.map(|component| (component.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(bodies: Vec<BodyInstance>) -> Instances {
        let mut instances = Instances::default();
        let picture = Picture { bodies, ..Picture::default() };
        instances.sort(&picture, &[1.0], &Camera::default(), Vec2::new(1280.0, 720.0), 1.0);
        instances
    }

    #[test]
    fn bodies_are_grouped_by_mesh_and_role() {
        let body = BodyInstance::default();
        let instances = sorted(vec![
            BodyInstance { mesh: MeshId::Hull(0), ..body },
            BodyInstance { selected: true, ..body },
            BodyInstance { position: Vec3::X * 500.0, ..body },
            BodyInstance { opacity: 0.5, ..body },
            BodyInstance { mesh: MeshId::Hull(0), ..body },
            body,
        ]);
        assert_eq!(instances.slots(), HULL_SLOT + 1);
        assert_eq!(instances.seen(BOX_SLOT).count, 2);
        assert_eq!(instances.casting(BOX_SLOT).count, 3);
        assert_eq!(instances.ghosts(BOX_SLOT).count, 1);
        assert_eq!(instances.outlines(BOX_SLOT).count, 1);
        assert_eq!(instances.seen(HULL_SLOT).count, 2);
        assert_eq!(instances.all.len(), 7);
        assert_eq!(instances.casters().count(), 5);
        let ghost = instances.ghosts(BOX_SLOT).first as usize;
        assert_eq!(instances.all[ghost].color[3], 128);
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let body = BodyInstance::default();
        let instances = sorted(vec![
            BodyInstance { position: Vec3::NAN, ..body },
            BodyInstance { mesh: MeshId::Hull(7), ..body },
            BodyInstance { scale: Vec3::ZERO, ..body },
        ]);
        assert!(instances.all.is_empty());
    }

    #[test]
    fn nearer_spheres_are_finer() {
        let slots = [1.0, 5.0, 20.0, 100.0, 400.0].map(|radius| slot_of(MeshId::Sphere, radius));
        assert_eq!(slots, std::array::from_fn(|level| SPHERE_SLOT + level));
    }
}
