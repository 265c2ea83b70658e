//! The parts of a snapshot that somebody looks at while a world runs; the other parts are not made.
//!
//! A picture needs poses, and nothing else is made for each of its frames unasked. What reads the state of a hundred
//! thousand bodies once more, energies, errors, the hash, or each joint's forces, is made while it is looked at.
//! While time stands still all of it is there.

/// How the bodies are looked at, where a device makes the steps; the processor's are always those of the last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyNeeds {
    /// As they stand after the last step, which is waited for.
    Now,
    /// As the device told last what it was asked, a frame or two ago: nothing is waited for. All else in the snapshot is
    /// of the same moment.
    Late,
    /// The same, and it is not asked anew.
    Unasked,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotNeeds {
    /// Energies, momenta, errors, and the hash.
    pub figures: bool,
    /// A sample after each step, for the plots.
    pub samples: bool,
    /// What the document's plots ask for of bodies, joints and rows, after each step.
    pub quantities: bool,
    pub joints: JointNeeds,
    pub bodies: BodyNeeds,
}

/// What is looked at of joints, by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JointNeeds {
    /// All of them.
    All,
    /// Where the anchors and axes of all are, how far anchors gape that belong together, and all of these.
    Places(Vec<usize>),
    /// All of these.
    These(Vec<usize>),
}

impl SnapshotNeeds {
    /// At everything.
    pub const ALL: Self =
        Self { figures: true, samples: true, quantities: true, joints: JointNeeds::All, bodies: BodyNeeds::Now };

    /// At bodies alone.
    pub const POSES: Self = Self {
        figures: false,
        samples: false,
        quantities: false,
        joints: JointNeeds::These(Vec::new()),
        bodies: BodyNeeds::Now,
    };

    /// Whether nothing of a snapshot is left out.
    pub fn is_complete(&self) -> bool {
        self.figures && self.joints == JointNeeds::All
    }
}

impl Default for SnapshotNeeds {
    fn default() -> Self {
        Self::ALL
    }
}
