//! Room for what swings: a picture that shows a pendulum where it begins is to show its swing.
//!
//! What can turn about an anchor that stays reaches below it and to its other side, but not through the ground that it
//! is above.

use std::collections::HashMap;

use glam::Vec3;

use crate::view3d::{placing::aabb, visibility::Visibility};
use delassus_physics::graph::DisjointSets;
use delassus_physics::joints::Freedom;
use delassus_session::{BodyView, Motion, Snapshot};

/// An axis as upright as this keeps what turns about it at its height.
const UPRIGHT: f32 = 0.99;

/// `bounds`, m, world frame, and what the visible mechanisms may reach that can turn about an anchor that stays.
pub fn to_swing(snapshot: &Snapshot, visibility: &Visibility, bounds: (Vec3, Vec3)) -> (Vec3, Vec3) {
    let moves = |id: u32| snapshot.body(id).is_some_and(|body| body.motion == Motion::Dynamic);
    let whole = || snapshot.joints.iter().filter(|joint| joint.broken.is_none());
    let body_count = snapshot.bodies.iter().map(|body| body.id as usize + 1).max().unwrap_or(0);
    let mut mechanisms = DisjointSets::new(body_count);
    for joint in whole().filter(|joint| moves(joint.a) && moves(joint.b)) {
        mechanisms.join(joint.a, joint.b);
    }
    let mut members: HashMap<u32, Vec<&BodyView>> = HashMap::new();
    let seen = |body: &&BodyView| body.motion == Motion::Dynamic && !visibility.is_hidden(body.id);
    for body in snapshot.bodies.iter().filter(seen) {
        members.entry(mechanisms.first(body.id)).or_default().push(body);
    }
    let (mut least, mut greatest) = bounds;
    for joint in whole().filter(|joint| moves(joint.a) != moves(joint.b)) {
        let free = joint.kind.info().free;
        if !matches!(free, Freedom::Turn | Freedom::More) {
            continue;
        }
        let pose = snapshot.place(joint);
        let (body_end, anchor) = if moves(joint.a) { (joint.a, pose.anchor_b) } else { (joint.b, pose.anchor_a) };
        let level = free == Freedom::Turn && pose.axis_a.z.abs() > UPRIGHT;
        let ground = ground_below(snapshot, visibility, anchor);
        for body in members.get(&mechanisms.first(body_end)).into_iter().flatten() {
            let (low, high) = aabb(body, 1.0);
            let reach = (low - anchor).abs().max((high - anchor).abs());
            let lowest = if level { least.z } else { (anchor.z - reach.length()).max(ground) };
            least = least.min(Vec3::new(anchor.x - reach.x, anchor.y - reach.y, lowest));
            greatest = greatest.max(Vec3::new(anchor.x + reach.x, anchor.y + reach.y, greatest.z));
        }
    }
    (least, greatest)
}

/// The height of the highest visible body that stays, at or below a point, m.
fn ground_below(snapshot: &Snapshot, visibility: &Visibility, point: Vec3) -> f32 {
    let stays = |body: &&BodyView| body.motion != Motion::Dynamic && !visibility.is_hidden(body.id);
    let boxes = snapshot.bodies.iter().filter(stays).map(|body| aabb(body, 1.0));
    let over = |(low, high): &(Vec3, Vec3)| {
        high.z <= point.z
            && point.truncate().cmpge(low.truncate()).all()
            && point.truncate().cmple(high.truncate()).all()
    };
    boxes.filter(over).map(|(_, high)| high.z).fold(f32::NEG_INFINITY, f32::max)
}
