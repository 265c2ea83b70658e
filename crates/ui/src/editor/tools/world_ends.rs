//! World ends of joints while their bodies are moved: they move along, or stay and pull.
//!
//! When a whole mechanism is moved, they move along, so that it stays intact; W inverts that. When only a part of it is
//! moved, they stay.

use std::collections::HashSet;

use glam::{Quat, Vec3};

use crate::editor::tools::grab::HeldBody;
use crate::view3d::preview::Preview;
use delassus_render::palette::{self, with_alpha};
use delassus_session::{JointPose, Snapshot};

/// The joints between the held bodies and the world.
#[derive(Clone, Default)]
pub struct WorldEnds {
    /// By their indices in the snapshot.
    pub joints: Vec<usize>,
    pub along: bool,
}

impl WorldEnds {
    /// The joints between these bodies and the world.
    pub fn of(bodies: &[HeldBody], snapshot: &Snapshot) -> Self {
        let held: HashSet<u32> = bodies.iter().map(|body| body.id).collect();
        let mut ends = Self::default();
        let (mut whole, mut must_follow) = (true, held.len() > 1);
        for (index, joint) in snapshot.joints.iter().enumerate() {
            match [joint.a, joint.b].map(|id| held.contains(&id)) {
                [false, false] => {}
                [true, true] => {}
                _ if joint.a == 0 || joint.b == 0 => {
                    ends.joints.push(index);
                    // A single body on a spring or a rope may be moved away from its anchor.
                    must_follow |= joint.kind.info().coincident;
                }
                _ => whole = false,
            }
        }
        ends.along = whole && must_follow;
        ends
    }

    /// A text after the gesture's label, if they move along.
    pub fn words(&self) -> String {
        match self.joints.len() {
            _ if !self.along => String::new(),
            0 => String::new(),
            1 => "  ·  1 world joint comes along".into(),
            n => format!("  ·  {n} world joints come along"),
        }
    }

    /// The status line's hint for the key.
    pub fn hint(&self) -> &'static str {
        match (self.joints.is_empty(), self.along) {
            (true, _) => "",
            (false, true) => " · W: world joints stay",
            (false, false) => " · W: world joints come along",
        }
    }

    /// Draws the world ends, and lines to the bodies' ends that show how far they would be apart.
    pub fn draw(&self, (turn, shift): (Quat, Vec3), snapshot: &Snapshot, preview: &mut Preview) {
        let color = with_alpha(palette::ACCENT, 1.0);
        for joint in self.joints.iter().filter_map(|index| snapshot.joints.get(*index)) {
            let JointPose { anchor_a, anchor_b, .. } = snapshot.place(joint);
            let (world, body) = if joint.a == 0 { (anchor_a, anchor_b) } else { (anchor_b, anchor_a) };
            let body = turn * body + shift;
            let hold = if self.along { turn * world + shift } else { world };
            preview.points.push((hold, color, 7.0));
            preview.lines.push((hold, body, color, 2.0));
        }
    }
}
