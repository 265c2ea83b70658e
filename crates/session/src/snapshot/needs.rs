//! The parts of a snapshot that are needed while a world runs; the others are not computed.
//!
//! Drawing needs only the poses. Quantities that take another pass over all bodies (energies, errors, the hash) and
//! the forces of each joint are computed only while they are shown. When paused, the snapshot is complete.

/// How poses are read when a device makes the steps. On the processor they are always those of the last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyNeeds {
    /// After the last step, waiting for the device.
    Now,
    /// As the device reported last, one or two frames ago, without waiting. Everything else in the snapshot is of the
    /// same moment.
    Late,
    /// As `Late`, but without requesting a new report.
    Unasked,
}

/// Which parts are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotNeeds {
    /// Energies, momenta, errors and the hash.
    pub figures: bool,
    /// A sample after each step, for the plots.
    pub samples: bool,
    /// The quantities of bodies, joints and rows that the document's plots show, after each step.
    pub quantities: bool,
    pub joints: JointNeeds,
    pub bodies: BodyNeeds,
}

/// Which joints are needed, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JointNeeds {
    /// All of them.
    All,
    /// Everything of those listed, and nothing of the others.
    These(Vec<usize>),
}

impl SnapshotNeeds {
    /// Everything.
    pub const ALL: Self =
        Self { figures: true, samples: true, quantities: true, joints: JointNeeds::All, bodies: BodyNeeds::Now };

    /// Poses of the bodies only.
    pub const POSES: Self = Self {
        figures: false,
        samples: false,
        quantities: false,
        joints: JointNeeds::These(Vec::new()),
        bodies: BodyNeeds::Now,
    };

    /// Whether nothing of the snapshot is left out.
    pub fn is_complete(&self) -> bool {
        self.figures && self.joints == JointNeeds::All
    }
}

impl Default for SnapshotNeeds {
    fn default() -> Self {
        Self::ALL
    }
}
