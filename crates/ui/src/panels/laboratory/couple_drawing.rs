//! What the Matrix tab draws in the view: the two constraints of a cell with the body that couples them, and impulses
//! that cancel each other.

use std::collections::BTreeMap;

use glam::Vec3;

use super::ghosts::{arc, place};
use super::wanted::Answer;
use super::{matrix::Memory, owner_name, row_drawing::point};
use crate::{
    view::View,
    view3d::{View3d, overlays},
};
use delassus_lab::{RowDetails, TracedStep};
use delassus_physics::row::{ContactPart, RowId};
use delassus_render::palette::{self, with_alpha};
use delassus_session::Motion;

/// The longest arrow of a null vector, in radii of a body.
const MAX_ARROW: f32 = 1.0;

/// Draws the cell under the pointer, or else the one that was clicked last, and the chosen null vector of impulses.
pub(super) fn draw((traced, answer): (&TracedStep, &Answer), state: &Memory, view: &View<'_>, view3d: &mut View3d) {
    if let Some([i, j]) = state.pointed.or(state.picked) {
        pair(traced, &traced.rows[i], &traced.rows[j], view, view3d);
    }
    pattern(traced, &state.pattern(answer), view, view3d);
}

/// Where a row acts, on its dynamic body.
fn at(traced: &TracedStep, row: &RowDetails, view: &View<'_>) -> Option<Vec3> {
    let still = view.snapshot.body(row.b).is_none_or(|body| body.motion != Motion::Dynamic);
    place(traced, row.block as u32, if still { row.a } else { row.b }, view)
}

/// Draws two rows, their names, and lines between them through the dynamic body that they share.
fn pair(traced: &TracedStep, p: &RowDetails, q: &RowDetails, view: &View<'_>, view3d: &mut View3d) {
    let color = with_alpha(palette::ACCENT, 1.0);
    let (Some(from), Some(to)) = (at(traced, p, view), at(traced, q, view)) else { return };
    let shared = [p.a, p.b].into_iter().filter(|id| *id == q.a || *id == q.b);
    let shared = shared.filter_map(|id| view.snapshot.body(id)).find(|body| body.motion == Motion::Dynamic);
    if let Some(body) = shared.filter(|_| p.owner != q.owner) {
        view3d.preview.lines.extend([(from, body.centre, color, 2.4), (body.centre, to, color, 2.4)]);
        view3d.preview.points.push((body.centre, color, 3.5));
    }
    let name = |row: &RowDetails| format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
    view3d.preview.points.push((from, color, 7.0));
    if p.owner == q.owner {
        let both = if p.index == q.index { name(p) } else { format!("{}, {}", name(p), q.part()) };
        view3d.preview.words.push((from, both));
    } else {
        view3d.preview.points.push((to, color, 7.0));
        view3d.preview.words.extend([(from, name(p)), (to, name(q))]);
    }
}

/// Draws impulses that change no velocity: straight arrows for linear rows, turning arrows for angular ones.
fn pattern(traced: &TracedStep, parts: &[(usize, f64)], view: &View<'_>, view3d: &mut View3d) {
    // A contact is drawn point by point, since the sum over its points would be zero.
    let mut blocks: BTreeMap<(usize, u8), (Vec3, Vec3, Option<Vec3>)> = BTreeMap::new();
    for (index, part) in parts {
        let row = &traced.rows[*index];
        let number = match row.id {
            RowId::Contact { part: ContactPart::Normal(point), .. }
            | RowId::Contact { part: ContactPart::Tangent { at: Some(point), .. }, .. } => point + 1,
            _ => 0,
        };
        let sum = blocks.entry((row.block, number)).or_default();
        sum.2 = point(traced, row);
        let part = *part as f32;
        if row.is_angular() {
            sum.1 += row.jacobian.ang_b * part;
        } else {
            sum.0 += row.jacobian.lin * part;
        }
    }
    let largest = |of: fn(&(Vec3, Vec3, Option<Vec3>)) -> Vec3| {
        blocks.values().map(|sum| of(sum).length()).fold(0.0f32, f32::max)
    };
    let (linear, angular) = (largest(|sum| sum.0), largest(|sum| sum.1));
    let color = with_alpha(overlays::JOINT_FORCE, 1.0);
    for ((block, _), sum) in &blocks {
        let acting = &traced.trace.blocks[*block];
        // On the body that the block can move.
        let still = view.snapshot.body(acting.b).is_none_or(|body| body.motion != Motion::Dynamic);
        let (body, side) = if still { (acting.a, -1.0) } else { (acting.b, 1.0) };
        let Some(at) = sum.2.or_else(|| place(traced, *block as u32, body, view)) else { continue };
        let radius = view.snapshot.body(body).map_or(1.0, |body| body.solid.radius).clamp(0.05, 5.0);
        if sum.0.length() > 1e-3 * linear {
            view3d.preview.arrows.push((at, sum.0 / linear * (side * MAX_ARROW * radius), color));
        }
        if sum.1.length() > 1e-3 * angular {
            let share = (sum.1.length() / angular).max(0.2);
            arc(view3d, at, sum.1.normalize() * side, 0.45 * share * radius, color);
        }
    }
}
