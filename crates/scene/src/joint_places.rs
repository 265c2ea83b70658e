//! The places of a joint's entry (anchors and axes) as one structure, used wherever they are moved, mirrored or
//! rewritten.

use glam::Vec3;

use super::types::Joint;

/// The places of a joint's entry.
pub struct JointPlaces<'a> {
    /// Given for both ends together, world frame.
    pub common: EndPlaces<'a>,
    /// In A's shape frame.
    pub a: EndPlaces<'a>,
    /// In B's shape frame.
    pub b: EndPlaces<'a>,
}

/// The anchor, m, and the axis of one end, if given.
pub struct EndPlaces<'a> {
    pub anchor: &'a mut Option<Vec3>,
    pub axis: &'a mut Option<Vec3>,
}

impl Joint {
    /// Its places, mutable.
    pub fn places_mut(&mut self) -> JointPlaces<'_> {
        // Fields are listed by name so that a new place must be assigned here.
        let Self {
            anchor,
            anchor_a,
            anchor_b,
            axis,
            axis_a,
            axis_b,
            name: _,
            a: _,
            b: _,
            kind: _,
            collide: _,
            breaks: _,
            stabilization: _,
            soft: _,
            by_time: _,
        } = self;
        JointPlaces {
            common: EndPlaces { anchor, axis },
            a: EndPlaces { anchor: anchor_a, axis: axis_a },
            b: EndPlaces { anchor: anchor_b, axis: axis_b },
        }
    }
}

impl EndPlaces<'_> {
    /// Transforms the places that are given.
    pub fn map(self, point: impl Fn(Vec3) -> Vec3, direction: impl Fn(Vec3) -> Vec3) {
        let Self { anchor, axis } = self;
        *anchor = anchor.map(point);
        *axis = axis.map(direction);
    }

    /// Removes both places.
    pub fn clear(self) {
        let Self { anchor, axis } = self;
        (*anchor, *axis) = (None, None);
    }
}
