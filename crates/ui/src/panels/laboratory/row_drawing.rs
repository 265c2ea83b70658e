//! The chosen row in the view: its jacobian at the two bodies, its impulse, and for a contact the friction cone with
//! the reaction in it and the disc of its patch.
//!
//! ```text
//! J u = lin · (vB − vA) + angA · ωA + angB · ωB        an arrow from each centre of mass, a turning arrow about it
//! ```
//! For a linear row the arrows are unit vectors and the angular parts are lever arms in metres.

use std::f32::consts::TAU;

use glam::Vec3;

use super::ghosts::{arc, place};
use crate::{
    view::View,
    view3d::{View3d, force_drawing::rim, overlays},
    widgets::number::{length, with_unit},
};
use delassus_lab::{RowDetails, TracedStep};
use delassus_physics::primitives::contact::tangents;
use delassus_physics::row::{ContactPart, Owner, RowId};
use delassus_physics::touch::Traction;
use delassus_render::palette::with_alpha;
use delassus_session::Motion;

/// The length of a unit of J, in sizes of a body.
const UNIT: f32 = 0.9;
/// The height of a cone, in sizes of a body.
const CONE: f32 = 0.9;

/// Draws a row with its solved impulse.
pub fn draw(traced: &TracedStep, row: &RowDetails, view: &View<'_>, view3d: &mut View3d) {
    let moves = |id: u32| view.snapshot.body(id).filter(|body| body.motion == Motion::Dynamic);
    let sizes = [row.a, row.b].into_iter().filter_map(|id| moves(id).map(|body| body.solid.radius));
    let size = 0.8 * sizes.fold(f32::INFINITY, f32::min).clamp(0.06, 2.5);
    let j = &row.jacobian;
    let color = with_alpha(overlays::VELOCITY, 1.0);
    for (id, lin, ang, name) in [(row.a, j.lin_a(), j.ang_a, "A"), (row.b, j.lin, j.ang_b, "B")] {
        let Some(body) = moves(id).filter(|_| !view3d.visibility.is_hidden(id)) else { continue };
        if lin != Vec3::ZERO {
            let vector = lin * (UNIT * size);
            view3d.preview.arrows.push((body.centre, vector, color));
            view3d.preview.words.push((body.centre + vector, format!("J v{name}")));
        }
        if ang.length() > 1e-4 * size {
            let radius =
                if row.is_angular() { 0.5 * size } else { (0.5 * ang.length()).clamp(0.18 * size, 0.6 * size) };
            let axis = ang.normalize();
            arc(view3d, body.centre, axis, radius, color);
            view3d.preview.lines.push((body.centre - axis * radius, body.centre + axis * radius, color, 1.4));
            let lever = if row.is_angular() { String::new() } else { format!(", {}", length(ang.length().into())) };
            view3d.preview.words.push((body.centre + axis * radius, format!("J ω{name}{lever}")));
        }
    }
    let still = moves(row.b).is_none();
    let (body, side) = if still { (row.a, -1.0) } else { (row.b, 1.0) };
    let at = match (row.owner, point(traced, row)) {
        (_, Some(at)) => at,
        _ => match place(traced, row.block as u32, body, view) {
            Some(at) => at,
            None => return,
        },
    };
    // The lever arm from the centre of mass to the point where the row acts.
    if let Some(body) = moves(body) {
        view3d.preview.lines.push((body.centre, at, with_alpha(overlays::VELOCITY, 0.55), 1.4));
    }
    match row.owner {
        Owner::Contact(_) => {
            if let Some(traction) = traction(traced, row, at) {
                reaction(&traction, side, CONE * size, view3d);
                patch(traced, row, &traction, view3d);
            }
        }
        _ => {
            let given = if row.is_angular() { j.ang_b } else { j.lin } * (row.force * side);
            let color = with_alpha(overlays::JOINT_FORCE, 1.0);
            if given.length() > 1e-9 && !row.is_angular() {
                view3d.preview.arrows.push((at, given.normalize() * (1.2 * UNIT * size), color));
                let words = format!("λ/h = {}", with_unit(row.force.into(), "N"));
                view3d.preview.words.push((at + given.normalize() * (1.2 * UNIT * size), words));
            } else if given.length() > 1e-9 {
                arc(view3d, at, given.normalize(), 0.8 * size, color);
                view3d.preview.words.push((at, format!("λ/h = {}", with_unit(row.force.into(), "N·m"))));
            }
        }
    }
}

/// The position at which a contact row acts: its contact point, or the centre of its patch.
pub fn point(traced: &TracedStep, row: &RowDetails) -> Option<Vec3> {
    let (Owner::Contact(pair), RowId::Contact { part, .. }) = (row.owner, row.id) else { return None };
    let manifold = &traced.after.state.contacts.pairs.get(pair as usize)?.near.manifold;
    match part {
        ContactPart::Normal(point) | ContactPart::Tangent { at: Some(point), .. } => {
            manifold.points.get(point as usize).map(|point| point.position)
        }
        _ => Some(manifold.centre(traced.after.settings.contact.slop)),
    }
}

/// The friction of a contact row: of its patch, or of its point.
pub fn traction(traced: &TracedStep, row: &RowDetails, at: Vec3) -> Option<Traction> {
    let tractions_of_pair = traced.after.tractions().filter(|traction| (traction.a, traction.b) == (row.a, row.b));
    tractions_of_pair.min_by(|a, b| a.position.distance(at).total_cmp(&b.position.distance(at)))
}

/// The same if the position of the row is not known yet.
pub fn traction_of(traced: &TracedStep, row: &RowDetails) -> Option<Traction> {
    point(traced, row).and_then(|at| traction(traced, row, at))
}

/// The friction cone, whose opening is given by µ, with the reaction in it.
fn reaction(traction: &Traction, side: f32, height: f32, view3d: &mut View3d) {
    let Some(slide) = traction.slide.filter(|slide| slide.bound > 0.0 && traction.load > 0.0) else { return };
    let (at, normal) = (traction.position, traction.normal * side);
    let slips = traction.share() >= 0.999;
    let color = if slips { overlays::SLIPPING } else { overlays::FRICTION };
    let wide = height * slide.bound / traction.load;
    let rim = rim(traction, at + normal * height, wide);
    let preview = &mut view3d.preview;
    const PIECES: usize = 48;
    let angle = |k: usize| k as f32 * TAU / PIECES as f32;
    (0..PIECES).for_each(|k| preview.lines.push((rim(angle(k)), rim(angle(k + 1)), with_alpha(color, 0.95), 2.0)));
    (0..12).for_each(|k| preview.lines.push((at, rim(angle(4 * k + 2)), with_alpha(color, 0.35), 1.2)));
    let middle = at + normal * height;
    let through = slide.impulse * (side * height / traction.load);
    preview.lines.push((at, middle, with_alpha(overlays::CONTACT, 0.8), 1.4));
    preview.lines.push((middle, middle + through, with_alpha(color, 0.95), 1.8));
    preview.arrows.push((at, normal * height + through, with_alpha(overlays::CONTACT, 1.0)));
    preview.words.push((middle + through, format!("{:.0} % of the cone", 100.0 * traction.share())));
}

/// The disc whose radius is the lever arm of the patch's twist, the points scaled by their loads, and twisting and
/// rolling moments as turning arrows.
fn patch(traced: &TracedStep, row: &RowDetails, traction: &Traction, view3d: &mut View3d) {
    let Owner::Contact(pair) = row.owner else { return };
    let Some(pair) = traced.after.state.contacts.pairs.get(pair as usize) else { return };
    let manifold = &pair.near.manifold;
    let (u, v) = tangents(traction.normal);
    let color = with_alpha(overlays::FRICTION, 0.9);
    let load: f32 = manifold.points.iter().map(|point| point.impulse.max(0.0)).sum();
    for point in &manifold.points {
        let share = if load > 0.0 { point.impulse.max(0.0) / load } else { 0.0 };
        view3d.preview.points.push((point.position, with_alpha(overlays::CONTACT, 1.0), 2.5 + 5.0 * share));
    }
    if let (Some(twist), Some(slide)) = (traction.twist, traction.slide) {
        let arm = twist.bound / slide.bound.max(1e-12);
        let at = |k: usize| {
            let t = k as f32 * TAU / 48.0;
            traction.position + (u * t.cos() + v * t.sin()) * arm
        };
        (0..48).for_each(|k| view3d.preview.lines.push((at(k), at(k + 1), color, 1.8)));
        if twist.share() > 1e-3 {
            arc(view3d, traction.position, twist.impulse.normalize(), 0.8 * arm, with_alpha(overlays::FRICTION, 1.0));
        }
    }
    if let Some(rolling) = traction.rolling.filter(|rolling| rolling.share() > 1e-3) {
        let radius = manifold.arm.max(0.05);
        arc(view3d, traction.position, rolling.impulse.normalize(), radius, with_alpha(overlays::FRICTION, 1.0));
    }
}
