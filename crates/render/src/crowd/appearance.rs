//! The appearance of each body of a crowd (bodies drawn from a device's pose buffer), as `shaders/crowd.wgsl` reads it,
//! and which bodies are highlighted.

use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::{
    instances::{HOVERED, SELECTED, marks_of, rgba8},
    level::{dot_radius, first_slot, radius_of},
    picture::{BodyInstance, Crowd, MeshId},
};

/// Up to this many changed marks are uploaded one by one; beyond it everything is uploaded.
const MAX_SINGLE_UPLOADS: usize = 512;

/// Flags in `Appearance::kind`, besides the slot of the mesh: a round mesh, and a sphere.
const ROUND: u32 = 1 << 16;
const SPHERE: u32 = 1 << 17;

/// A body's appearance. `pose` is its number, the index of its pose; lengths in m.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Appearance {
    scale: [f32; 3],
    radius: f32,
    offset: [f32; 3],
    color: [u8; 4],
    pose: u32,
    kind: u32,
    marks: u32,
    dot_radius: f32,
}

/// Size of a body's appearance, bytes.
pub(super) const APPEARANCE: u64 = size_of::<Appearance>() as u64;

/// The appearances of a crowd's bodies, sorted by number.
#[derive(Debug, Default)]
pub(super) struct Appearances {
    list: Vec<Appearance>,
    revision: Option<u64>,
    /// The numbers of the highlighted bodies, with their flags.
    marked: Vec<(u32, u32)>,
}

impl Appearances {
    /// Rebuilds the list, with nothing highlighted, if the crowd's revision has changed. Returns whether it has
    /// changed.
    pub(super) fn rebuild_if_changed(&mut self, crowd: &Crowd, hull_radii: &[f32]) -> bool {
        if self.revision == Some(crowd.revision) {
            return false;
        }
        self.revision = Some(crowd.revision);
        self.list.clear();
        self.list.extend(crowd.bodies.iter().filter_map(|body| look_of(body, hull_radii)));
        self.marked.clear();
        true
    }

    /// Highlights the crowd's selected and hovered bodies and no others; returns the byte ranges that have changed.
    pub(super) fn mark(&mut self, crowd: &Crowd) -> Vec<Range<usize>> {
        let marks = marks(crowd);
        if self.marked == marks {
            return Vec::new();
        }
        let mut changed = Vec::new();
        let old = std::mem::replace(&mut self.marked, marks);
        for (numbers, on) in [(&old, false), (&self.marked, true)] {
            for (number, bits) in numbers {
                let Ok(at) = self.list.binary_search_by_key(number, |look| look.pose) else { continue };
                let look = &mut self.list[at];
                look.marks = look.marks & !(HOVERED | SELECTED) | if on { *bits } else { 0 };
                let offset = at * size_of::<Appearance>() + offset_of!(Appearance, marks);
                changed.push(offset..offset + size_of::<u32>());
            }
        }
        let all = 0..self.bytes().len();
        if changed.len() > MAX_SINGLE_UPLOADS { vec![all] } else { changed }
    }

    /// All appearances as bytes, for the upload.
    pub(super) fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.list)
    }

    /// Number of bodies.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Number of highlighted bodies.
    pub(super) fn marked(&self) -> usize {
        self.marked.len()
    }

    /// Whether any body is selected.
    pub(super) fn has_selected(&self) -> bool {
        self.marked.iter().any(|(_, marks)| marks & SELECTED != 0)
    }
}

fn look_of(body: &BodyInstance, hull_radii: &[f32]) -> Option<Appearance> {
    let radius = radius_of(body, hull_radii)?;
    let (slot, round) = first_slot(body.mesh);
    let ball = body.mesh == MeshId::Sphere;
    let [r, g, b] = body.color;
    Some(Appearance {
        scale: body.scale.into(),
        radius,
        offset: body.position.into(),
        color: rgba8([r, g, b, 1.0]),
        pose: body.id,
        kind: slot as u32 | if round { ROUND } else { 0 } | if ball { SPHERE } else { 0 },
        marks: marks_of(&BodyInstance { selected: false, hovered: false, ..*body }),
        dot_radius: dot_radius(body.mesh, radius),
    })
}

/// The highlighted bodies by number, with their flags.
fn marks(crowd: &Crowd) -> Vec<(u32, u32)> {
    let mut marks: Vec<_> = crowd.selected.iter().map(|number| (*number, SELECTED)).collect();
    marks.extend(crowd.hovered.map(|number| (number, HOVERED)));
    marks.sort_unstable();
    marks.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 |= if same { next.1 } else { 0 };
        same
    });
    marks
}
