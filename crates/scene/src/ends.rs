//! Computes a joint's ends: from points and directions in the document to each body's own frame.

use glam::{Quat, Vec3};

use super::expand::{DocumentFrame, Expander, FlatJoint, Origin};
use super::report::{DocPath, Report};
use super::types::Joint;
use delassus_physics::joint::JointDef;
use delassus_physics::joints::{Anchor, JointKind, PlacedEnds};

/// Minimum distance of a rod's or rope's anchors, m; at less, it has no direction.
const LEAST_LENGTH: f32 = 1e-4;

/// A body's shape frame in the world, as its joints need it.
#[derive(Debug, Clone, Copy)]
struct End {
    /// Centre of mass, world frame, m.
    position: Vec3,
    rotation: Quat,
    /// Centre of mass in the shape's frame, m.
    centre: Vec3,
    /// Whether this is the world itself, whose anchors and axes are given in the document's frame.
    world: bool,
}

impl End {
    /// A world point relative to the centre of mass, in the body's frame, m.
    fn local(&self, point: Vec3) -> Vec3 {
        self.rotation.conjugate() * (point - self.position)
    }

    /// A point in the shape's frame, relative to the centre of mass, m.
    fn shape_point(&self, point: Vec3, frame: &DocumentFrame) -> Vec3 {
        if self.world { frame.point(point) } else { point - self.centre }
    }

    fn world_point(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation * local
    }

    fn shape_direction(&self, direction: Vec3, frame: &DocumentFrame) -> Vec3 {
        if self.world { frame.rotation * direction } else { direction }
    }

    /// The shape's origin relative to the centre of mass, m.
    fn origin(&self) -> Vec3 {
        -self.centre
    }
}

impl Expander {
    fn end(&self, body: u32) -> End {
        let world = End { position: Vec3::ZERO, rotation: Quat::IDENTITY, centre: Vec3::ZERO, world: true };
        let body = body.checked_sub(1).and_then(|i| self.flat.bodies.get(i as usize));
        body.map_or(world, |b| End {
            position: b.def.position,
            rotation: b.def.rotation,
            centre: b.def.solid.centre,
            world: false,
        })
    }

    /// Lays out a joint between two bodies of the world.
    #[expect(clippy::too_many_arguments, reason = "the document's joint, its resolved ends and its place")]
    pub fn joint(
        &mut self,
        joint: &Joint,
        a: u32,
        b: u32,
        frame: &DocumentFrame,
        origin: Origin,
        place: &DocPath,
        report: &mut Report,
    ) {
        // Fields are listed by name so that a new field must be used here.
        let Joint {
            name,
            kind,
            collide,
            // In `options`.
            breaks: _,
            stabilization: _,
            soft: _,
            by_time: _,
            // In `anchors` and `axes`.
            anchor: _,
            anchor_a: _,
            anchor_b: _,
            axis: _,
            axis_a: _,
            axis_b: _,
            // The two bodies.
            a: _,
            b: _,
        } = joint;
        let (end_a, end_b) = (self.end(a), self.end(b));
        let Some((anchor_a, anchor_b)) = anchors(joint, &end_a, &end_b, frame) else {
            let what = format!("{} needs an `anchor`, or `anchor_a` and `anchor_b`", joint.kind.info().name);
            return report.add(place, what);
        };
        let mut kind = *kind;
        kind.move_points(|point| frame.point(point));
        let is_apart = matches!(kind, JointKind::Pulley(_) | JointKind::Drum(_));
        if kind.length() == Some(None)
            && !is_apart
            && end_a.world_point(anchor_a).distance(end_b.world_point(anchor_b)) < LEAST_LENGTH
        {
            let what = kind.info().name;
            return report
                .add(place, format!("{what} needs two different anchors, `anchor_a` and `anchor_b`, or a length"));
        }
        let (axis_a, axis_b) = axes(joint, (&end_a, anchor_a), (&end_b, anchor_b), frame);
        let world = PlacedEnds {
            axis_a: end_a.rotation * axis_a,
            axis_b: end_b.rotation * axis_b,
            gap: end_b.world_point(anchor_b) - end_a.world_point(anchor_a),
            at: end_a.world_point(anchor_a),
        };
        if let Some(what) = kind.misplaced(&world) {
            return report.add(place, what);
        }
        let (collide, options) = (*collide, joint.options());
        if end_a.world {
            // The world's axes are those of the document.
            kind.turn_axes(frame.rotation);
        }
        let def = JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide, options };
        let joined = FlatJoint { name: frame.name(&joint.label()).into(), origin, def };
        self.push_joint(joined, !name.is_empty(), place, report);
    }
}

/// The anchors in the bodies' frames, relative to the centres of mass, m; `None` if a required anchor is missing.
fn anchors(joint: &Joint, a: &End, b: &End, frame: &DocumentFrame) -> Option<(Vec3, Vec3)> {
    let same = |p: Vec3| (a.local(p), b.local(p));
    match (joint.anchor, joint.anchor_a, joint.anchor_b, joint.kind.info().anchor) {
        (Some(p), ..) => Some(same(frame.point(p))),
        (_, Some(pa), Some(pb), _) => Some((a.shape_point(pa, frame), b.shape_point(pb, frame))),
        // The other end of a rod or rope is at the other body's origin.
        (_, pa, pb, Anchor::Origins) => Some((
            pa.map_or(a.origin(), |p| a.shape_point(p, frame)),
            pb.map_or(b.origin(), |p| b.shape_point(p, frame)),
        )),
        (_, Some(pa), None, _) => Some(same(a.world_point(a.shape_point(pa, frame)))),
        (_, None, Some(pb), _) => Some(same(b.world_point(b.shape_point(pb, frame)))),
        (.., Anchor::AtB) => Some(same(b.world_point(b.origin()))),
        (.., Anchor::Needed) => None,
    }
}

/// The axes in the bodies' frames, unit vectors; +z in A's frame if none is given. Each end is a body and its anchor in
/// the body's frame.
fn axes(
    joint: &Joint,
    (a, anchor_a): (&End, Vec3),
    (b, anchor_b): (&End, Vec3),
    frame: &DocumentFrame,
) -> (Vec3, Vec3) {
    let world = match (joint.axis, joint.axis_a) {
        (Some(axis), _) => frame.rotation * axis,
        (None, Some(axis)) => a.rotation * a.shape_direction(axis, frame),
        (None, None) => a.rotation * Vec3::Z,
    };
    let unit = |v: Vec3| v.normalize_or(Vec3::Z);
    let on_a = unit(a.rotation.conjugate() * world);
    let on_b = match joint.axis_b {
        Some(axis) => unit(b.shape_direction(axis, frame)),
        None => {
            let (at_a, at_b) = (a.world_point(anchor_a), b.world_point(anchor_b));
            let second = joint.kind.second_axis(unit(world), at_b - at_a, b.position - at_b);
            unit(b.rotation.conjugate() * second.unwrap_or(world))
        }
    };
    (on_a, on_b)
}
