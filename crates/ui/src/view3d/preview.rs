//! What a gesture is about to do: ghosts, lines and a label at the pointer.

use glam::{Quat, Vec3};

use delassus_session::{JointView, Pose};

/// The preview of an unfinished gesture.
#[derive(Clone, Default)]
pub struct Preview {
    /// Bodies drawn elsewhere: id, pose, and scale along their own axes.
    pub placed: Vec<(u32, Pose, Vec3)>,
    /// The turn about the world's origin and the shift of the world ends of their joints.
    pub world: Option<(Quat, Vec3)>,
    /// Bodies in other colours, by id, in order.
    pub tints: Vec<(u32, [f32; 3])>,
    /// Bodies to be made.
    pub ghosts: Vec<(std::sync::Arc<delassus_physics::shape::Solid>, Pose)>,
    /// Ends, colour, on top of everything.
    pub lines: Vec<(Vec3, Vec3, [f32; 4], f32)>,
    pub points: Vec<(Vec3, [f32; 4], f32)>,
    /// From where, vector, colour.
    pub arrows: Vec<(Vec3, Vec3, [f32; 4])>,
    /// Discs with a ring, of one size on the screen, in sRGB.
    pub discs: Vec<(Vec3, [f32; 3])>,
    /// Words beside a point.
    pub words: Vec<(Vec3, String)>,
    /// A joint to be made, or to replace the joint of this index.
    pub joint: Option<(Option<usize>, JointView)>,
    /// The label at the pointer: the value that is being dragged.
    pub label: Option<String>,
}

impl Preview {
    /// Whether all existing bodies are drawn unchanged.
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
        self.discs.clear();
        self.words.clear();
        self.joint = None;
        self.label = None;
    }
}
