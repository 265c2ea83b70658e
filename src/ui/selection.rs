//! What is selected: all that the panels have in common.

/// What is selected and what the pointer is on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Body numbers, as in the snapshot; the last is shown by the inspector.
    pub bodies: Vec<u32>,
    /// Index into the snapshot's joints; the one that the inspector shows.
    pub joint: Option<usize>,
    /// Joints that are selected besides it.
    pub more_joints: Vec<usize>,
    pub hovered: Option<u32>,
}

impl Selection {
    /// Forgets everything: another scene is open.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
    /// Takes a body alone, or adds and removes it.
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
    /// Takes a joint alone.
    pub fn click_joint(&mut self, index: usize) {
        self.bodies.clear();
        self.more_joints.clear();
        self.joint = Some(index);
    }

    /// Adds a joint to those selected, or removes it.
    pub fn add_joint(&mut self, index: usize) {
        let mut joints: Vec<usize> = self.joints().filter(|joint| *joint != index).collect();
        if joints.len() == self.joints().count() {
            joints.push(index);
        }
        self.take_joints(joints);
    }

    /// Takes these joints; the last is shown.
    pub fn take_joints(&mut self, mut joints: Vec<usize>) {
        self.bodies.clear();
        self.joint = joints.pop();
        self.more_joints = joints;
    }

    /// All selected joints, the shown one last.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        let more = if self.joint.is_some() { self.more_joints.as_slice() } else { &[] };
        more.iter().copied().chain(self.joint)
    }
}
