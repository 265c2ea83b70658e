//! The points of a contact manifold over time: the step in which each point appeared, and its impulses.

use egui::{Align2, ComboBox, FontId, Grid, RichText, Sense, Ui, vec2};
use glam::Vec3;

use crate::{
    panels::laboratory::feature,
    selection::Selection,
    view::View,
    view3d::{View3d, overlays},
    widgets::{named, number, theme},
};
use delassus_physics::collide::manifold::{Manifold, POINTS};
use delassus_physics::settings::ContactSource;
use delassus_render::palette::with_alpha;

/// A point is taken for one of the last step if it has moved less than this on its body, m.
const MERGE_DISTANCE: f32 = 0.02;
/// Number of remembered steps.
const REMEMBERED: usize = 60;
/// The most contacts in the list.
const LISTED: usize = 200;

/// The remembered history of the shown contact.
#[derive(Default)]
pub struct Memory {
    /// The session's counts of opened scenes and of revisions, for which the rest holds.
    version: (u64, u64),
    pair: Option<(u32, u32)>,
    /// The points of the last step in A's frame, and the step in which each appeared.
    points: Vec<(Vec3, u64)>,
    /// The number of points in each step: (step, count).
    counts: Vec<(u64, usize)>,
}

impl Memory {
    /// Records the points of a step; starts again for another contact, another revision, or an earlier step.
    fn note(&mut self, version: (u64, u64), pair: (u32, u32), step: u64, points: &[Vec3]) {
        let last = self.counts.last().map(|(step, _)| *step);
        if self.version != version || self.pair != Some(pair) || last.is_some_and(|last| step < last) {
            *self = Self { version, pair: Some(pair), ..Self::default() };
        } else if last == Some(step) {
            return;
        }
        let since = |at: &Vec3| {
            let near = self.points.iter().filter(|(old, _)| old.distance(*at) <= MERGE_DISTANCE);
            near.min_by(|(p, _), (q, _)| p.distance(*at).total_cmp(&q.distance(*at))).map_or(step, |(_, since)| *since)
        };
        self.points = points.iter().map(|at| (*at, since(at))).collect();
        self.counts.push((step, points.len()));
        let over = self.counts.len().saturating_sub(REMEMBERED);
        self.counts.drain(..over);
    }
}

/// The contacts of the world that have points.
fn contacts<'a>(view: &'a View<'_>) -> Vec<(u32, u32, &'a Manifold)> {
    view.session.world().map_or_else(Vec::new, |world| world.state.contacts.manifolds().collect())
}

fn chosen(found: &[(u32, u32, &Manifold)], selection: &Selection, last: Option<(u32, u32)>) -> Option<(u32, u32)> {
    let has = |id: &u32| selection.bodies.contains(id);
    let both = found.iter().find(|(a, b, _)| has(a) && has(b));
    let any = both.or_else(|| found.iter().find(|(a, b, _)| has(a) || has(b)));
    // A contact that is open for a moment stays chosen.
    any.map(|(a, b, _)| (*a, *b)).or(last).or(found.first().map(|(a, b, _)| (*a, *b)))
}

/// Draws the numbered points of the contact, and the polygon that they span.
pub(super) fn draw(memory: &Memory, view: &View<'_>, view3d: &mut View3d) {
    let Some((a, b)) = memory.pair else { return };
    let found = contacts(view);
    let Some((.., manifold)) = found.iter().find(|(x, y, _)| (*x, *y) == (a, b)) else { return };
    let color = with_alpha(overlays::VELOCITY, 1.0);
    let middle = manifold.points.iter().map(|point| point.position).sum::<Vec3>() / manifold.points.len() as f32;
    let (u, v) = manifold.normal.any_orthonormal_pair();
    let around = |at: Vec3| v.dot(at - middle).atan2(u.dot(at - middle));
    let mut corners: Vec<Vec3> = manifold.points.iter().map(|point| point.position).collect();
    corners.sort_by(|p, q| around(*p).total_cmp(&around(*q)));
    for (index, corner) in corners.iter().enumerate() {
        view3d.preview.lines.push((*corner, corners[(index + 1) % corners.len()], color, 1.4));
    }
    for (index, point) in manifold.points.iter().enumerate() {
        view3d.preview.points.push((point.position, color, 6.0));
        view3d.preview.words.push((point.position, (index + 1).to_string()));
    }
}

pub(super) fn show(ui: &mut Ui, view: &View<'_>, memory: &mut Memory, selection: &mut Selection) {
    let colors = theme::colors(ui.visuals());
    let found = contacts(view);
    let name = |id: u32| view.snapshot.body(id).map_or_else(|| "world".to_owned(), |body| body.name.to_string());
    let words = |(a, b): (u32, u32)| format!("{} · {}", name(a), name(b));
    let version = (view.session.opened(), view.session.revision());
    let last = memory.pair.filter(|_| memory.version == version);
    let Some((a, b)) = chosen(&found, selection, last) else {
        ui.label("Nothing touches yet. Play, or step until two bodies meet.");
        return;
    };
    ui.horizontal(|ui| {
        ui.label("Between");
        let combo = ComboBox::from_id_salt("contact").width(240.0).truncate().selected_text(words((a, b)));
        let drawn = combo.show_ui(ui, |ui| {
            for (x, y, _) in found.iter().take(LISTED) {
                if ui.selectable_label((*x, *y) == (a, b), words((*x, *y))).clicked() {
                    (selection.joint, selection.bodies) = (None, vec![*x, *y]);
                }
            }
        });
        named(drawn.response, "Contact");
        let said = "your selection takes priority; the points are numbered in the view";
        ui.label(RichText::new(said).small().color(colors.weak));
    });
    let manifold = found.iter().find(|(x, y, _)| (*x, *y) == (a, b)).map(|(.., manifold)| *manifold);
    let points = manifold.map_or(&[][..], |manifold| &manifold.points);
    let step = view.session.world().map_or(0, |world| world.state.step_count);
    memory.note(version, (a, b), step, &points.iter().map(|point| point.local).collect::<Vec<_>>());

    let how = match view.settings.contact.source {
        ContactSource::Full => "All points of a face at once, in each step.",
        ContactSource::Growing => "One new point a step; the old ones are kept as long as they fit.",
        ContactSource::Single => "One point a step; the earlier ones are forgotten.",
    };
    ui.label(how);
    ui.add_space(4.0);
    let grid = Grid::new("points").num_columns(7).spacing([18.0, 3.0]).min_row_height(18.0).striped(true);
    let drawn = grid.show(ui, |ui| {
        for head in ["point", "since step", "for", "gap", "λ", "on A: x, y, z", "features"] {
            ui.label(RichText::new(head).small().color(colors.weak));
        }
        ui.end_row();
        for (index, (point, (_, since))) in points.iter().zip(&memory.points).enumerate() {
            ui.monospace((index + 1).to_string());
            ui.monospace(since.to_string());
            ui.monospace(number::counted((step - since) as usize, "step", "steps"));
            ui.monospace(format!("{:>9}", number::length(f64::from(point.separation))));
            ui.monospace(format!("{:>10}", number::with_unit(f64::from(point.impulse), "N·s")));
            let at = point.local.to_array().map(|part| number::component(part).trim().to_owned());
            ui.monospace(at.map(|part| format!("{part:>7}")).join(""));
            ui.monospace(feature::both(point.feature));
            ui.end_row();
        }
    });
    named(drawn.response, &number::counted(points.len(), "point of the contact", "points of the contact"));
    if points.is_empty() {
        ui.label(RichText::new("The two do not touch in this step.").color(colors.weak));
    }
    ui.add_space(8.0);
    ui.label(RichText::new("Points, step by step").color(colors.strong));
    counts(ui, &memory.counts);
    ui.add_space(4.0);
    let said = "Press . to advance one step. GJK finds one point a step, the deepest. A cached manifold keeps the \
                points of earlier steps while they still fit, until four of them span the face. A full manifold is \
                found at once.";
    ui.add(egui::Label::new(RichText::new(said).small().color(colors.weak)).wrap());
}

/// A column of marks for each step.
fn counts(ui: &mut Ui, counts: &[(u64, usize)]) {
    const MARK: f32 = 11.0;
    let colors = theme::colors(ui.visuals());
    let high = MARK * POINTS as f32;
    let (rect, response) = ui.allocate_exact_size(vec2(REMEMBERED as f32 * MARK, high + 16.0), Sense::hover());
    for (place, (step, count)) in counts.iter().enumerate() {
        let left = rect.left() + place as f32 * MARK;
        for mark in 0..*count {
            let corner = egui::pos2(left, rect.top() + high - (mark + 1) as f32 * MARK);
            let square = egui::Rect::from_min_size(corner, vec2(MARK, MARK)).shrink(1.0);
            ui.painter().rect_filled(square, 2.0, colors.accent);
        }
        if *count == 0 {
            ui.painter().hline(left + 2.0..=left + MARK - 2.0, rect.top() + high - 2.0, (1.0, colors.weak));
        }
        if place == 0 || step % 10 == 0 {
            let at = egui::pos2(left, rect.top() + high + 2.0);
            ui.painter().text(at, Align2::LEFT_TOP, step, FontId::proportional(10.0), colors.weak);
        }
    }
    let words: Vec<String> = counts.iter().map(|(_, count)| count.to_string()).collect();
    named(response, &format!("Points step by step: {}", words.join(" ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_as_old_as_the_one_that_stood_there() {
        let mut memory = Memory::default();
        let at = |x: f32| Vec3::new(x, 0.0, 0.0);
        memory.note((1, 1), (2, 3), 10, &[at(0.0)]);
        memory.note((1, 1), (2, 3), 11, &[at(0.001), at(1.0)]);
        // A second call within a step changes nothing.
        memory.note((1, 1), (2, 3), 11, &[]);
        memory.note((1, 1), (2, 3), 12, &[at(1.0), at(0.5)]);
        assert_eq!(memory.points, [(at(1.0), 11), (at(0.5), 12)]);
        assert_eq!(memory.counts, [(10, 1), (11, 2), (12, 2)]);
        // At an earlier step and with another contact it starts again.
        memory.note((1, 1), (2, 3), 4, &[at(1.0)]);
        assert_eq!((memory.points.clone(), memory.counts.len()), (vec![(at(1.0), 4)], 1));
        memory.note((1, 1), (2, 5), 5, &[at(1.0)]);
        assert_eq!((memory.points[0].1, memory.counts.len()), (5, 1));
    }
}
