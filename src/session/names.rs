//! What bodies and joints are called, and what of the document they come from.

use std::sync::Arc;

use crate::scene::{Flat, Origin};

/// What the world does not know of its bodies and joints.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Of body 1, 2, …
    pub bodies: Vec<Arc<str>>,
    /// The elements of the document that they come from.
    pub origins: Vec<Origin>,
    pub joints: Vec<Arc<str>>,
    pub joint_origins: Vec<Origin>,
}

impl Names {
    pub(in crate::session) fn of(flat: &Flat) -> Self {
        Self {
            bodies: flat.bodies.iter().map(|b| b.name.as_str().into()).collect(),
            origins: flat.bodies.iter().map(|b| b.origin).collect(),
            joints: flat.joints.iter().map(|j| j.name.as_str().into()).collect(),
            joint_origins: flat.joints.iter().map(|j| j.origin).collect(),
        }
    }

    /// Where the document's own joints begin: behind those of patterns and parts, in the order of their entries.
    pub(in crate::session) fn first_joint(&self) -> usize {
        self.joint_origins.partition_point(|origin| !matches!(origin, Origin::Joint(_)))
    }
}
