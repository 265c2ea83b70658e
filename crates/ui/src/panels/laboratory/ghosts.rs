//! Draws a moment within a step in the view. Each body has a ghost at the pose to which its velocity at that moment
//! would take it. The view also shows the gaps that the joints would then have, the load that each joint and contact
//! still lacks (`missing_load.rs`), and the impulses of the last solve as arrows where they act.
//!
//! Bodies move by millimetres in a step. So the displacements of the ghosts are scaled by a round factor, up to half
//! the size of a body. An arrow's length is proportional to its share of the largest impulse of the step, but at least
//! `MIN_ARROW`. The largest impulses are labelled with their values.

use std::f32::consts::TAU;

use glam::Vec3;

use super::missing_load;
use crate::{
    view::View,
    view3d::{View3d, overlays, placing::size_of},
    widgets::number::with_unit,
};
use delassus_lab::{BlockImpulse, Inside, TracedStep};
use delassus_physics::row::Owner;
use delassus_physics::shape::Solid;
use delassus_render::{palette::with_alpha, picture::Theme};
use delassus_session::{JointPose, Motion, Pose, Snapshot};

/// Maximum numbers of ghosts and arrows; more would hide each other.
const GHOSTS: usize = 400;
const ARROWS: usize = 120;
/// Number of arrows that are labelled with their value.
const LABELLED_ARROWS: usize = 6;
/// The longest and the shortest arrow, in radii of a body.
const MAX_ARROW: f32 = 1.3;
const MIN_ARROW: f32 = 0.22;
/// The largest displacement of a ghost, in sizes of a body.
const MAX_DISPLACEMENT: f32 = 0.5;

/// The scales used to draw a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GhostScale {
    /// The factor on the displacements of the ghosts.
    pub scale: f32,
    /// The median size of the bodies, m.
    size: f32,
    /// The median radius of their bounding spheres, m.
    radius: f32,
    /// The largest linear impulse of a block, N·s, and the largest angular one, N·m·s.
    linear: f32,
    angular: f32,
}

impl GhostScale {
    /// Chooses the scales for a step.
    pub fn of(traced: &TracedStep, inside: &Inside, snapshot: &Snapshot) -> Self {
        let usual = |of: fn(&Solid) -> f32| {
            let size = |id: &u32| snapshot.body(*id).map(|body| of(&body.solid));
            let mut sizes: Vec<f32> = inside.bodies.iter().filter_map(size).collect();
            sizes.sort_by(f32::total_cmp);
            sizes.get(sizes.len() / 2).copied().unwrap_or(1.0).clamp(0.02, 10.0)
        };
        let (size, radius) = (usual(size_of), usual(|solid| solid.radius));
        let mut farthest = 0.0f32;
        for moment in &traced.trace.moments {
            for body in &inside.bodies {
                let velocity = &moment.velocities[*body as usize];
                farthest = farthest.max((velocity.linear.length() + velocity.angular.length() * size) * traced.trace.h);
            }
        }
        let (mut linear, mut angular) = (0.0f32, 0.0f32);
        for index in &inside.blocks {
            let range = traced.trace.blocks[*index as usize].range();
            let sum = |of: fn(&delassus_physics::row::Row) -> Vec3| {
                traced.trace.rows[range.clone()].iter().map(|row| of(row) * row.impulse).sum::<Vec3>().length()
            };
            linear = linear.max(sum(|row| row.lin.into()));
            angular = angular.max(sum(|row| if row.is_angular() { row.ang_b.into() } else { Vec3::ZERO }));
        }
        Self { scale: round(MAX_DISPLACEMENT * size / farthest.max(1e-9)), size, radius, linear, angular }
    }
}

/// The largest of 1, 2, 5, 10, … 1000 that is not above `value`; at least 1.
fn round(value: f32) -> f32 {
    [1000.0, 500.0, 200.0, 100.0, 50.0, 20.0, 10.0, 5.0, 2.0].into_iter().find(|n| *n <= value).unwrap_or(1.0)
}

/// Draws the state at a tick, a position on the time line within the step.
pub fn draw(
    traced: &TracedStep,
    (inside, scales): (&Inside, &GhostScale),
    tick: usize,
    theme: Theme,
    view: &View<'_>,
    view3d: &mut View3d,
) {
    let state = inside.state(traced, tick);
    let ghost = |id: u32| inside.pose(traced, tick, &state, id, scales.scale);
    let seen = |id: u32, view3d: &View3d| !view3d.visibility.is_hidden(id);
    for id in inside.bodies.iter().take(GHOSTS) {
        let Some(body) = view.snapshot.body(*id).filter(|_| seen(*id, view3d)) else { continue };
        let (centre, rotation) = ghost(*id);
        let pose = Pose { position: centre - rotation * body.solid.centre, rotation };
        view3d.preview.ghosts.push((body.solid.clone(), pose));
    }
    // Moves a point that is fixed in a body to the pose of the body's ghost, world frame.
    let carried = |id: u32, at: Vec3| match view.snapshot.body(id) {
        Some(body) if body.motion == Motion::Dynamic && inside.bodies.binary_search(&id).is_ok() => {
            let (centre, rotation) = ghost(id);
            centre + rotation * (body.pose.rotation.inverse() * (at - body.centre))
        }
        _ => at,
    };
    let size = scales.size;
    let open = with_alpha(overlays::JOINT_ERROR, 1.0);
    for index in inside.blocks.iter().take(GHOSTS) {
        let Owner::Joint(joint) = traced.trace.blocks[*index as usize].owner else { continue };
        let Some(joint) = view.snapshot.joints.get(joint as usize) else { continue };
        let place = view.snapshot.place(joint);
        // Joints such as rods and sliders keep their anchors apart: they have no gap to show.
        if !seen(joint.b, view3d) || place.anchor_a.distance(place.anchor_b) > 0.1 * size {
            continue;
        }
        let (a, b) = (carried(joint.a, place.anchor_a), carried(joint.b, place.anchor_b));
        if a.distance(b) > 0.02 * size {
            view3d.preview.lines.push((a, b, open, 2.4));
            view3d.preview.points.extend([(a, open, 3.0), (b, open, 3.0)]);
        }
    }
    missing_load::draw(traced, &inside.missing_loads(traced, tick), &carried, view, view3d);
    for (k, given) in inside.given(traced, tick).iter().take(ARROWS).enumerate() {
        arrow(traced, scales, given, (k < LABELLED_ARROWS, theme), &carried, view, view3d);
    }
}

/// Draws the impulse of a block, on body B if that is dynamic, else on body A.
fn arrow(
    traced: &TracedStep,
    scales: &GhostScale,
    given: &BlockImpulse,
    (numbered, theme): (bool, Theme),
    carried: &dyn Fn(u32, Vec3) -> Vec3,
    view: &View<'_>,
    view3d: &mut View3d,
) {
    let block = &traced.trace.blocks[given.block as usize];
    let still = view.snapshot.body(block.b).is_none_or(|body| body.motion != Motion::Dynamic);
    let (body, side) = if still { (block.a, -1.0) } else { (block.b, 1.0) };
    if view3d.visibility.is_hidden(body) {
        return;
    }
    let Some(at) = place(traced, given.block, body, view) else { return };
    let at = carried(body, at);
    // The neutral colour of the theme: contacts, joints and ghosts use the others.
    let color = with_alpha(overlays::hand(theme), 1.0);
    let length =
        |part: f32, largest: f32| (MAX_ARROW * part / largest.max(1e-12)).clamp(MIN_ARROW, MAX_ARROW) * scales.radius;
    let linear = given.linear.length();
    let mut tip = at;
    if linear > 1e-6 * scales.linear && linear > 0.0 {
        let vector = given.linear * (side * length(linear, scales.linear) / linear);
        view3d.preview.arrows.push((at, vector, color));
        tip = at + vector;
    }
    let angular = given.angular.length();
    if angular > 1e-5 * scales.angular && angular > 0.0 {
        let axis = given.angular * (side / angular);
        arc(view3d, at, axis, 0.35 * length(angular, scales.angular), color);
    }
    if numbered {
        let text = if linear > 0.0 { with_unit(linear.into(), "N·s") } else { with_unit(angular.into(), "N·m·s") };
        view3d.preview.words.push((tip, text));
    }
}

/// Where a block acts on a body, in the bodies' current poses: the anchor of its joint, or the load-weighted mean of
/// its contact points; world frame.
pub(super) fn place(traced: &TracedStep, block: u32, body: u32, view: &View<'_>) -> Option<Vec3> {
    let acting = &traced.trace.blocks[block as usize];
    match acting.owner {
        Owner::Joint(joint) => {
            let joint = view.snapshot.joints.get(joint as usize)?;
            let JointPose { anchor_a, anchor_b, .. } = view.snapshot.place(joint);
            Some(if joint.b == body { anchor_b } else { anchor_a })
        }
        Owner::Contact(pair) => {
            let points = &traced.after.state.contacts.pairs.get(pair as usize)?.near.manifold.points;
            let load: f32 = points.iter().map(|point| point.impulse.max(0.0)).sum();
            let share = |impulse: f32| if load > 0.0 { impulse.max(0.0) / load } else { 1.0 / points.len() as f32 };
            Some(points.iter().map(|point| point.position * share(point.impulse)).sum())
        }
        Owner::MouseJoint => view.snapshot.mouse_joint.map(|mouse_joint| mouse_joint.point),
        Owner::Plane(_) => view.snapshot.body(body).map(|body| body.centre),
    }
}

/// Draws three quarters of a circle about an axis, with an arrow at its end; world frame, m.
pub(crate) fn arc(view3d: &mut View3d, centre: Vec3, axis: Vec3, radius: f32, color: [f32; 4]) {
    let (u, v) = axis.any_orthonormal_pair();
    // Right-handed about the axis.
    let v = if u.cross(v).dot(axis) < 0.0 { -v } else { v };
    const PIECES: usize = 20;
    let at = |k: usize| {
        let angle = 0.75 * TAU * k as f32 / PIECES as f32;
        centre + radius * (u * angle.cos() + v * angle.sin())
    };
    (0..PIECES).for_each(|k| view3d.preview.lines.push((at(k), at(k + 1), color, 2.0)));
    view3d.preview.arrows.push((at(PIECES), u * (0.35 * radius), color));
}

#[cfg(test)]
mod tests {
    use super::round;

    #[test]
    fn ghosts_go_a_round_number_of_times_as_far_and_never_less_far() {
        assert_eq!([0.3, 1.9, 7.0, 49.0, 1e9].map(round), [1.0, 1.0, 5.0, 20.0, 1000.0]);
    }
}
