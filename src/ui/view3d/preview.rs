//! What is drawn of what is not there yet: ghosts, lines and a word at the pointer.

use glam::{Quat, Vec3};

use crate::session::{JointView, Pose};

/// What is drawn of a gesture that has not ended yet.
#[derive(Clone, Default)]
pub struct Preview {
    /// Where bodies are drawn instead of where they are, by number, and how they have grown along their own axes.
    pub placed: Vec<(u32, Pose, Vec3)>,
    /// The turn about the world's origin and the shift by which what their joints hold in the world goes along.
    pub world: Option<(Quat, Vec3)>,
    /// Bodies in another colour than their own, by number, in order.
    pub tints: Vec<(u32, [f32; 3])>,
    /// Bodies that are not there yet.
    pub ghosts: Vec<(std::sync::Arc<crate::physics::shape::Solid>, Pose)>,
    /// Ends, colour, on top of everything.
    pub lines: Vec<(Vec3, Vec3, [f32; 4], f32)>,
    pub points: Vec<(Vec3, [f32; 4], f32)>,
    /// From where, vector, colour.
    pub arrows: Vec<(Vec3, Vec3, [f32; 4])>,
    /// Words beside a point.
    pub words: Vec<(Vec3, String)>,
    /// A joint as it would be, in place of the one of this number in the snapshot or beside them all.
    pub joint: Option<(Option<usize>, JointView)>,
    /// What stands beside the pointer: the value that is being dragged.
    pub label: Option<String>,
}

impl Preview {
    /// Whether the bodies that are there are drawn as and where they are.
    pub fn leaves_bodies(&self) -> bool {
        self.placed.is_empty() && self.tints.is_empty()
    }

    pub fn clear(&mut self) {
        self.placed.clear();
        self.world = None;
        self.tints.clear();
        self.ghosts.clear();
        self.lines.clear();
        self.points.clear();
        self.arrows.clear();
        self.words.clear();
        self.joint = None;
        self.label = None;
    }
}
