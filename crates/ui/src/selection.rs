//! The selection, shared by all panels.

/// What is selected, and the body under the pointer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Body numbers, as in the snapshot; the inspector shows the last.
    pub bodies: Vec<u32>,
    /// The joint that the inspector shows, as an index into the snapshot's joints.
    pub joint: Option<usize>,
    /// The other selected joints.
    pub more_joints: Vec<usize>,
    pub hovered: Option<u32>,
}

impl Selection {
    /// Clears everything, when another scene is opened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
    /// Selects a body alone, or with `add` adds it or removes it.
    pub fn click_body(&mut self, id: u32, add: bool) {
        self.joint = None;
        if !add {
            self.bodies = vec![id];
        } else if let Some(at) = self.bodies.iter().position(|b| *b == id) {
            self.bodies.remove(at);
        } else {
            self.bodies.push(id);
        }
    }
    /// Selects a joint alone.
    pub fn click_joint(&mut self, index: usize) {
        self.bodies.clear();
        self.more_joints.clear();
        self.joint = Some(index);
    }

    /// Adds a joint to the selection, or removes it.
    pub fn add_joint(&mut self, index: usize) {
        let mut joints: Vec<usize> = self.joints().filter(|joint| *joint != index).collect();
        if joints.len() == self.joints().count() {
            joints.push(index);
        }
        self.take_joints(joints);
    }

    /// Selects these joints; the inspector shows the last.
    pub fn take_joints(&mut self, mut joints: Vec<usize>) {
        self.bodies.clear();
        self.joint = joints.pop();
        self.more_joints = joints;
    }

    /// All selected joints; the last is the one that the inspector shows.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        let more = if self.joint.is_some() { self.more_joints.as_slice() } else { &[] };
        more.iter().copied().chain(self.joint)
    }
}
