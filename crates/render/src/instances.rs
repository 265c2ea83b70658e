//! Sorts bodies for drawing: by mesh, level of detail, and the passes in which they appear.
//!
//! The instances of one mesh are stored in the order visible, not visible (they may still cast a shadow), ghosts,
//! outlined; so each pass draws one contiguous range per mesh. The counting sort reuses its memory.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::{
    camera::Camera,
    level::{DOT_SLOT, HULL_SLOT, PreparedEye, dot_radius, enlarged, is_left_out, radius_of, slot_of},
    picture::{BodyInstance, Markings, Picture},
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

pub(super) const HOVERED: u32 = 4;
pub(super) const SELECTED: u32 = 8;

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
    /// The start of each (slot, role); one more entry at the end.
    starts: Vec<u32>,
    /// Slot and role of each body; `DROPPED` if it cannot be drawn.
    keys: Vec<u32>,
    /// The enclosing sphere of each body: centre and radius, metres.
    spheres: Vec<(Vec3, f32)>,
    /// Corners, in pixels, of the rectangle around all outlined bodies.
    pub outlined: Option<(Vec2, Vec2)>,
}

const DROPPED: u32 = u32::MAX;

impl Instances {
    pub(super) fn slots(&self) -> usize {
        self.starts.len().saturating_sub(1) / ROLES
    }

    /// The range that the main pass draws.
    pub(super) fn seen(&self, slot: usize) -> Range {
        self.range(slot, SEEN, SEEN)
    }

    /// The range that the shadow pass draws.
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
    /// screen radius that determines the level of detail.
    pub(super) fn sort(
        &mut self,
        picture: &Picture,
        hull_radii: &[f32],
        camera: &Camera,
        viewport: Vec2,
        coarseness: f32,
    ) {
        let slots = HULL_SLOT + hull_radii.len();
        let eye = PreparedEye::new(camera, viewport);
        self.keys.clear();
        self.spheres.clear();
        self.starts.clear();
        self.starts.resize(slots * ROLES + 1, 0);
        self.outlined = None;

        for body in &picture.bodies {
            let (key, sphere) = match radius_of(body, hull_radii) {
                Some(radius) => {
                    let size = eye.size(body.position, radius);
                    let slot = slot_of(body.mesh, size, coarseness);
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
                    let left_out = thins(body) && is_left_out(body.id, size);
                    let key = if left_out { DROPPED } else { (slot * ROLES + role) as u32 };
                    (key, (body.position, radius))
                }
                None => (DROPPED, (Vec3::ZERO, 0.0)),
            };
            if key != DROPPED {
                self.starts[key as usize + 1] += 1;
            }
            self.keys.push(key);
            self.spheres.push(sphere);
        }
        // Prefix sums of the counts: each entry is the end of its range, and moves to its start while the range is
        // filled.
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
            let instance = match key / ROLES {
                DOT_SLOT => dot_of(body, radius, eye.size(position, radius)),
                _ => instance_of(body, radius),
            };
            self.starts[key + 1] -= 1;
            self.all[self.starts[key + 1] as usize] = instance;
            if body.selected && eye.sees(position, radius) {
                let outline = key / ROLES * ROLES + OUTLINED;
                self.starts[outline + 1] -= 1;
                self.all[self.starts[outline + 1] as usize] = instance;
            }
        }
        // Filling backwards has moved each entry to the start of its range: shift the table by one to match.
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

/// Whether a body may be left out at random if it is too small to be visible.
fn thins(body: &BodyInstance) -> bool {
    body.opacity >= 1.0 && !body.selected
}

/// A body as a dot; `radius` is that of its enclosing sphere, metres, `size` the same on the screen, pixels.
fn dot_of(body: &BodyInstance, radius: f32, size: f32) -> Instance {
    let growth = if thins(body) { enlarged(size) } else { 1.0 };
    let scale = Vec3::splat(dot_radius(body.mesh, radius) * growth);
    instance_of(&BodyInstance { scale, pattern: Markings::Plain, ..*body }, radius)
}

fn instance_of(body: &BodyInstance, radius: f32) -> Instance {
    let rotation =
        if body.rotation.length_squared() > 1e-12 { body.rotation.normalize() } else { glam::Quat::IDENTITY };
    let [r, g, b] = body.color;
    Instance {
        origin: body.position.into(),
        radius,
        rotation: rotation.into(),
        scale: body.scale.into(),
        marks: marks_of(body),
        color: rgba8([r, g, b, body.opacity]),
    }
}

/// The surface flags of a body, as `shaders/body.wgsl` reads them.
pub(super) fn marks_of(body: &BodyInstance) -> u32 {
    let pattern = match body.pattern {
        Markings::Edges => 0,
        Markings::TwoTone => 1,
        Markings::Striped => 2,
        Markings::Plain => 3,
    };
    pattern | (u32::from(body.hovered) * HOVERED) | (u32::from(body.selected) * SELECTED)
}

/// Components from 0 to 1 as bytes; NaN becomes 0.
pub(super) fn rgba8(color: [f32; 4]) -> [u8; 4] {
    color.map(|component| (component.clamp(0.0, 1.0) * 255.0 + 0.5) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{level::BOX_SLOT, picture::MeshId};

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
}
