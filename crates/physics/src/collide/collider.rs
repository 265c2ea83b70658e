//! Colliders: the convex shapes that the broad and the narrow phase see. A body has one, or one for each part of its
//! compound.
//!
//! ```text
//! number      colliders are numbered body by body, part by part; without compounds a collider's number is its body's
//! pair        two colliders of different bodies: its points have the features of these two parts only, so they match
//!             from step to step part by part
//! ```
//! The tree has a box for each collider. So a compound may be concave: a ball lies within a cup of five boxes, where the
//! box around the whole would hold it above.

use glam::Vec3A;

use super::Pair;
use crate::body::{Body, Velocity};
use crate::shape::Solid;

/// A convex shape of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Collider {
    pub body: u32,
    /// Its number among the pieces of the body's solid.
    pub piece: u32,
}

impl Collider {
    /// The body, and the shape with its pose in the body's frame.
    pub fn of<'a>(&self, bodies: &'a [Box<Body>]) -> (&'a Body, &'a Solid) {
        let body = &*bodies[self.body as usize];
        (body, body.solid.piece(self.piece))
    }
}

/// The velocity of the middle of a piece, m/s; of a body that is no compound that of its centre of mass.
pub(super) fn velocity_of((body, piece): (&Body, &Solid), velocity: &Velocity) -> Vec3A {
    if body.solid.pieces.is_empty() {
        return velocity.linear;
    }
    velocity.linear + velocity.angular.cross((body.rotation * piece.offset.translation).into())
}

/// Lists the colliders of all bodies. Returns whether they are others than those listed.
pub(super) fn list(colliders: &mut Vec<Collider>, bodies: &[Box<Body>]) -> bool {
    let (mut count, mut changed) = (0, false);
    for (body, of) in (0..).zip(bodies) {
        for piece in 0..of.solid.pieces().len() as u32 {
            let collider = Collider { body, piece };
            match colliders.get_mut(count) {
                Some(known) => {
                    changed |= *known != collider;
                    *known = collider;
                }
                None => {
                    changed = true;
                    colliders.push(collider);
                }
            }
            count += 1;
        }
    }
    changed |= colliders.len() != count;
    colliders.truncate(count);
    changed
}

/// The number of a body's first collider.
pub(super) fn first(colliders: &[Collider], body: u32) -> u32 {
    // Without compounds it is the body's own number.
    let same = |collider: &Collider| collider.body == body && collider.piece == 0;
    if colliders.get(body as usize).is_some_and(same) {
        return body;
    }
    colliders.partition_point(|collider| collider.body < body) as u32
}

/// The numbers of a body's colliders.
pub(super) fn of_body(colliders: &[Collider], body: u32) -> std::ops::Range<u32> {
    let from = first(colliders, body);
    let count = colliders[from as usize..].iter().take_while(|collider| collider.body == body).count();
    from..from + count as u32
}

impl Pair {
    /// The two colliders.
    pub(super) fn ends(&self) -> [Collider; 2] {
        let [piece_a, piece_b] = self.pieces.map(u32::from);
        [Collider { body: self.a, piece: piece_a }, Collider { body: self.b, piece: piece_b }]
    }
}
