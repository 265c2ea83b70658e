//! What the open panel draws in the view: the picked features, the distances between them, and the forces.

use super::{LINE, Probes, picking::mark};
use crate::{
    panels::laboratory,
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{angles::Angles, number},
};
use delassus_lab::load::load;
use delassus_lab::measure::{Measure, measure};
use delassus_render::palette::{self, with_alpha};

/// Draws the content of the open panel in the view.
pub fn in_view(view: &View<'_>, probes: &Probes, selection: &Selection, view3d: &mut View3d, angles: Angles) {
    if !probes.open {
        return;
    }
    if let Some(spot) = probes.first.as_ref().and_then(|pick| pick.now(view.snapshot)) {
        mark(&spot, view3d);
    }
    for (first, second) in &probes.measures {
        let (Some(a), Some(b)) = (first.now(view.snapshot), second.now(view.snapshot)) else { continue };
        mark(&a, view3d);
        mark(&b, view3d);
        view3d.preview.lines.push((a.at, b.at, with_alpha(LINE, 1.0), 2.0));
        view3d.preview.words.push(((a.at + b.at) * 0.5, short(&measure(&a, &b), angles)));
    }
    if !probes.arrows {
        return;
    }
    let settings = view.settings;
    if let Some(load) = load(view.snapshot, &selection.bodies, settings.step.gravity, view.snapshot.sub_step) {
        let scale = view3d.newtons_a_metre.max(1e-6);
        let parts = [
            (load.joints.force, palette::PURPLE),
            (load.contacts.force, palette::GREEN),
            (load.weight.force, palette::BLUE),
            (load.net().force, palette::VERMILION),
        ];
        for (force, color) in parts.into_iter().filter(|(force, _)| force.is_finite() && force.length() > 1e-3) {
            view3d.preview.arrows.push((load.centre, force / scale, with_alpha(color, 1.0)));
        }
        let torque = load.net().torque;
        if torque.is_finite() && torque.length() > 1e-3 {
            let radius = (torque.length() / scale).clamp(0.05, 2.0);
            laboratory::arc(view3d, load.centre, torque.normalize(), radius, with_alpha(palette::VERMILION, 1.0));
        }
    }
}

/// The measure as a line of text.
fn short(measure: &Measure, angles: Angles) -> String {
    let length = number::length(f64::from(measure.apart.unwrap_or(measure.between.length())));
    match measure.angle {
        Some(angle) if measure.apart.is_none() => angles.words(angle),
        Some(angle) => format!("{length}, {}", angles.words(angle)),
        None => length,
    }
}
