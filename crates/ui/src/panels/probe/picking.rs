//! Picking in the view: corners, centres, edges, faces, and joints' axes and anchors.

use glam::{Quat, Vec2, Vec3};

use super::{LINE, MAX_MEASURES, Probes};
use crate::{
    editor::{Hands, snap},
    view::View,
    view3d::{View3d, viewport::viewport},
};
use delassus_lab::measure::{Feature, Spot};
use delassus_render::palette::with_alpha;
use delassus_session::Snapshot;

/// A picked point, axis or face, which moves with its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The body's number; 0 for the world.
    body: u32,
    /// In the frame of the body's shape.
    spot: Spot,
    /// Its description: `corner of box`.
    pub(super) words: String,
}

impl Pick {
    /// Where it is now, world frame; `None` if its body no longer exists.
    pub(super) fn now(&self, snapshot: &Snapshot) -> Option<Spot> {
        let (position, rotation) = match self.body {
            0 => (Vec3::ZERO, Quat::IDENTITY),
            id => snapshot.body(id).map(|body| (body.pose.position, body.pose.rotation))?,
        };
        let turned = match self.spot.feature {
            Feature::Point => Feature::Point,
            Feature::Axis(along) => Feature::Axis(rotation * along),
            Feature::Face(normal) => Feature::Face(rotation * normal),
        };
        Some(Spot { at: position + rotation * self.spot.at, feature: turned })
    }
}

/// The feature under the pointer: a joint's axis, an edge, a face, a corner or a centre.
fn under(at: Vec2, view: &View<'_>, state: &Hands<'_>) -> Option<(Pick, Spot)> {
    let size = viewport(state.view3d);
    let near = |p: Vec3| state.view3d.camera.project(p, size).is_some_and(|p| p.distance(at) < 9.0);
    let local = |body: u32, at: Vec3, along: Vec3| match view.snapshot.body(body) {
        Some(body) => {
            let back = body.pose.rotation.conjugate();
            (back * (at - body.pose.position), back * along)
        }
        None => (at, along),
    };
    let shown = view.snapshot.joints.iter().filter(|_| state.view3d.overlays.joints);
    let mut placed = shown.map(|joint| (joint, view.snapshot.place(joint)));
    if let Some((joint, place)) = placed.find(|(_, place)| near(place.anchor_b)) {
        let has_axis = joint.kind.info().axis;
        let (at, along) = local(joint.b, place.anchor_b, place.axis_b);
        let (feature, now) = match has_axis {
            true => (Feature::Axis(along), Feature::Axis(place.axis_b)),
            false => (Feature::Point, Feature::Point),
        };
        let words = format!("{} of {}", if has_axis { "axis" } else { "anchor" }, joint.name);
        return Some((
            Pick { body: joint.b, spot: Spot { at, feature }, words },
            Spot { at: place.anchor_b, feature: now },
        ));
    }
    let (origin, direction) = state.view3d.camera.ray(at, size);
    let hit = (view.pick)(origin, direction)?;
    let body = view.snapshot.body(hit.body)?;
    let (kind, point) = snap::taken(at, &hit, body, snap::SnapKind::Any, state);
    let feature = match kind {
        snap::SnapKind::Edge => Feature::Axis(snap::edge(&hit, body)),
        snap::SnapKind::Face | snap::SnapKind::Hit => Feature::Face(hit.normal),
        _ => Feature::Point,
    };
    let what = match (kind, feature) {
        (snap::SnapKind::Edge, _) => "edge",
        (_, Feature::Face(_)) => "face",
        (kind, _) => kind.one(),
    };
    let along = match feature {
        Feature::Axis(along) | Feature::Face(along) => along,
        Feature::Point => Vec3::ZERO,
    };
    let (at, along) = local(hit.body, point, along);
    let local_feature = match feature {
        Feature::Point => Feature::Point,
        Feature::Axis(_) => Feature::Axis(along),
        Feature::Face(_) => Feature::Face(along),
    };
    let words = format!("{what} of {}", body.name);
    Some((Pick { body: hit.body, spot: Spot { at, feature: local_feature }, words }, Spot { at: point, feature }))
}

/// Marks the feature under the pointer and picks it on a click. True while picking is on.
pub fn pointer(response: &egui::Response, view: &View<'_>, state: &mut Hands<'_>, probes: &mut Probes) -> bool {
    if !probes.open || !probes.picking {
        return false;
    }
    state.view3d.preview.clear();
    let Some(at) = response.hover_pos() else { return true };
    let local = Vec2::new(at.x - state.view3d.rect.left(), at.y - state.view3d.rect.top());
    state.view3d.pointer = Some(local);
    let Some((pick, spot)) = under(local, view, state) else { return true };
    mark(&spot, state.view3d);
    state.view3d.preview.label = Some(pick.words.clone());
    if response.clicked() {
        match probes.first.take() {
            None => probes.first = Some(pick),
            Some(first) if probes.measures.len() < MAX_MEASURES => probes.measures.push((first, pick)),
            Some(first) => {
                probes.measures.remove(0);
                probes.measures.push((first, pick));
            }
        }
    }
    true
}

/// Draws a dot, and the line or plane of the feature.
pub(super) fn mark(spot: &Spot, view3d: &mut View3d) {
    let color = with_alpha(LINE, 1.0);
    view3d.preview.points.push((spot.at, color, 4.0));
    let size = 24.0 * view3d.camera.metres_per_pixel(spot.at, viewport(view3d));
    match spot.feature {
        Feature::Point => {}
        Feature::Axis(along) => {
            view3d.preview.lines.push((spot.at - along * size, spot.at + along * size, color, 2.0));
        }
        Feature::Face(normal) => {
            let (u, v) = normal.any_orthonormal_pair();
            let corners = [u + v, v - u, -u - v, u - v].map(|way| spot.at + way * (0.5 * size));
            (0..4).for_each(|k| view3d.preview.lines.push((corners[k], corners[(k + 1) % 4], color, 1.5)));
            view3d.preview.lines.push((spot.at, spot.at + normal * size, color, 1.5));
        }
    }
}
