//! The places of a joint's entry, its anchors and axes, as one list: whoever moves, mirrors or rewrites them goes by it.

use glam::Vec3;

use super::types::Joint;

/// The places of a joint's entry.
pub struct JointPlaces<'a> {
    /// What both ends have in common, world frame.
    pub common: EndPlaces<'a>,
    /// In A's shape frame.
    pub a: EndPlaces<'a>,
    /// In B's shape frame.
    pub b: EndPlaces<'a>,
}

/// The anchor, m, and the axis of one end, as far as they are given.
pub struct EndPlaces<'a> {
    pub anchor: &'a mut Option<Vec3>,
    pub axis: &'a mut Option<Vec3>,
}

impl Joint {
    /// Its places, to be changed.
    pub fn places_mut(&mut self) -> JointPlaces<'_> {
        // Each field by its name: whoever adds a place has to say here whose it is.
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
        } = self;
        JointPlaces {
            common: EndPlaces { anchor, axis },
            a: EndPlaces { anchor: anchor_a, axis: axis_a },
            b: EndPlaces { anchor: anchor_b, axis: axis_b },
        }
    }
}

impl EndPlaces<'_> {
    /// Puts what is given elsewhere.
    pub fn map(self, point: impl Fn(Vec3) -> Vec3, direction: impl Fn(Vec3) -> Vec3) {
        let Self { anchor, axis } = self;
        *anchor = anchor.map(point);
        *axis = axis.map(direction);
    }

    /// Leaves everything out.
    pub fn clear(self) {
        let Self { anchor, axis } = self;
        (*anchor, *axis) = (None, None);
    }
}
