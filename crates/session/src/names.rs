//! Names of the world's bodies and joints, and the elements of the document that they come from.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use delassus_physics::threads;
use delassus_scene::{Flat, Origin};

/// Data about bodies and joints that the physics does not have.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Names of bodies 1, 2, …
    pub bodies: Vec<Arc<str>>,
    /// The document element that each body comes from.
    pub origins: Vec<Origin>,
    pub joints: Vec<Arc<str>>,
    pub joint_origins: Vec<Origin>,
    index: OnceLock<Index>,
}

/// Positions of the names; built on first use.
#[derive(Debug, Clone)]
struct Index {
    bodies: HashMap<Arc<str>, u32>,
    joints: HashMap<Arc<str>, usize>,
}

impl Names {
    pub(crate) fn of(flat: &Flat) -> Self {
        let cores = threads::count(0);
        let (bodies, joints) = (&flat.bodies, &flat.joints);
        Self {
            bodies: threads::map_indices(cores, bodies.len(), || (), |(), i| bodies[i].name.clone()),
            origins: bodies.iter().map(|b| b.origin).collect(),
            joints: threads::map_indices(cores, joints.len(), || (), |(), i| joints[i].name.clone()),
            joint_origins: joints.iter().map(|j| j.origin).collect(),
            index: OnceLock::new(),
        }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index {
            bodies: self.bodies.iter().cloned().zip(1..).collect(),
            joints: self.joints.iter().cloned().zip(0..).collect(),
        })
    }

    /// The number of the body with this name.
    pub(crate) fn body(&self, name: &str) -> Option<u32> {
        self.index().bodies.get(name).copied()
    }

    /// The document element that the body with this name comes from.
    pub(crate) fn body_origin(&self, name: &str) -> Option<Origin> {
        self.origins.get(self.body(name)? as usize - 1).copied()
    }

    /// The document element that the joint with this name comes from.
    pub(crate) fn joint_origin(&self, name: &str) -> Option<Origin> {
        self.joint_origins.get(self.joint(name)?).copied()
    }

    /// The index of the joint with this name.
    pub(crate) fn joint(&self, name: &str) -> Option<usize> {
        self.index().joints.get(name).copied()
    }

    /// The index of the document's first own joint. Joints of patterns and parts come before them; the own ones are
    /// in the order of their entries.
    pub(crate) fn first_joint(&self) -> usize {
        self.joint_origins.partition_point(|origin| !matches!(origin, Origin::Joint(_)))
    }
}
