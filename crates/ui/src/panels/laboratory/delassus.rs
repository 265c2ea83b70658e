//! The Delassus matrix as a picture: a cell for each pair of rows, or for a group of pairs in a large matrix, with
//! the names of its blocks, and a readout of the cell under the pointer.

use egui::{Align2, FontId, Rect, RichText, Sense, Stroke, TextureHandle, Ui, pos2, vec2};

use super::{heat, matrix::Memory, owner_name, select, units};
use crate::{selection::Selection, view::View, widgets::theme};
use delassus_lab::{Matrix, RowDetails, Sampled, TracedStep};
use delassus_physics::row::Owner;

/// Width of the margin for the names of joints and contacts, points, and the height of a line of it.
pub const NAMES: f32 = 110.0;
const LINE: f32 = 12.0;
/// Longest name, in characters.
const LETTERS: usize = 19;

/// The first row of a joint or contact (in cells), its owner, and its two bodies.
type Place = (f32, Owner, (u32, u32));

/// Draws the picture, `side` points high and wide, with the names in a margin of `margin` points to its left.
pub fn show(
    ui: &mut Ui,
    traced: &TracedStep,
    matrix: &Matrix,
    texture: &TextureHandle,
    [margin, side]: [f32; 2],
    view: &View<'_>,
    now: (&mut Memory, &mut Selection),
) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let (rect, _) = ui.allocate_exact_size(vec2(margin, side), Sense::hover());
        let (rows, each) = matrix.sampled.as_ref().map_or((&matrix.rows, 1), |all| (&all.rows, all.each));
        names(ui, rect, &parts(traced, rows, each), rows.len() as f32 / each as f32, view);
        match &matrix.sampled {
            Some(sampled) => samples(ui, traced, sampled, texture, side, view, now),
            None => picture(ui, traced, matrix, texture, side, view, now),
        }
    });
}

fn picture(
    ui: &mut Ui,
    traced: &TracedStep,
    matrix: &Matrix,
    texture: &TextureHandle,
    side: f32,
    view: &View<'_>,
    (state, selection): (&mut Memory, &mut Selection),
) {
    let colors = theme::colors(ui.visuals());
    let n = matrix.size();
    let (response, rect, cell) = heat::show(ui, texture, vec2(side, side), (n, n), "Delassus matrix");
    let painter = ui.painter();
    let scale = side / n as f32;
    let line = Stroke::new(0.5, colors.line);
    for part in matrix.parts.iter().filter(|part| part.first > 0 && part.count as f32 * scale > 3.0) {
        let at = part.first as f32 * scale;
        painter.vline(rect.left() + at, rect.y_range(), line);
        painter.hline(rect.x_range(), rect.top() + at, line);
    }
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, colors.line), egui::StrokeKind::Outside);
    let Some((i, j)) = cell else { return };
    cross(ui, rect, scale, (i, j));
    pointed(response, traced, (matrix.cell(i, j), [matrix.rows[i], matrix.rows[j]], ""), view, (state, selection));
}

/// The same for a sampled matrix, where a cell covers several rows and columns.
fn samples(
    ui: &mut Ui,
    traced: &TracedStep,
    sampled: &Sampled,
    texture: &TextureHandle,
    side: f32,
    view: &View<'_>,
    (state, selection): (&mut Memory, &mut Selection),
) {
    let line = Stroke::new(1.0, theme::colors(ui.visuals()).line);
    let n = sampled.side;
    let (response, rect, cell) = heat::show(ui, texture, vec2(side, side), (n, n), "Delassus matrix");
    ui.painter().rect_stroke(rect, 0.0, line, egui::StrokeKind::Outside);
    let Some((i, j)) = cell else { return };
    cross(ui, rect, side / n as f32, (i, j));
    let (value, rows) = sampled.cell(i, j);
    if value != 0.0 {
        let cell = (value, rows.map(|place| sampled.rows[place]), "the largest of those that the cell stands for");
        pointed(response, traced, cell, view, (state, selection));
    }
}

/// Lines through the row and the column of a cell.
fn cross(ui: &Ui, rect: Rect, scale: f32, (i, j): (usize, usize)) {
    let at = |place: usize| (place as f32 + 0.5) * scale;
    let cross = Stroke::new(1.0, theme::colors(ui.visuals()).weak.gamma_multiply(0.6));
    ui.painter().hline(rect.x_range(), rect.top() + at(i), cross);
    ui.painter().vline(rect.left() + at(j), rect.y_range(), cross);
}

/// Shows the value and the two rows of the cell under the pointer; a click selects the owners of the rows.
fn pointed(
    response: egui::Response,
    traced: &TracedStep,
    (value, rows, note): (f64, [usize; 2], &str),
    view: &View<'_>,
    (state, selection): (&mut Memory, &mut Selection),
) {
    let [p, q] = rows.map(|index| &traced.rows[index]);
    let name = |row: &RowDetails| format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
    let unit = match (p.is_angular(), q.is_angular()) {
        (false, false) => "1/kg",
        (true, true) => "1/(kg·m²)",
        _ => "1/(kg·m)",
    };
    state.pointed = Some(rows);
    let response = response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(units::plain(value, unit)).strong());
        ui.label(name(p));
        if p.index != q.index {
            ui.label(name(q));
        }
        if !note.is_empty() {
            ui.label(RichText::new(note).weak());
        }
    });
    if response.clicked() {
        state.picked = state.pointed;
        select(&[(p.owner, p.a, p.b), (q.owner, q.a, q.b)], selection);
    }
}

/// The first row of each joint or contact, in cells of `each` rows.
fn parts(traced: &TracedStep, rows: &[usize], each: usize) -> Vec<Place> {
    let mut parts: Vec<Place> = Vec::new();
    for (place, index) in rows.iter().enumerate() {
        let row = &traced.rows[*index];
        if parts.last().is_none_or(|part| part.1 != row.owner) {
            parts.push((place as f32 / each as f32, row.owner, (row.a, row.b)));
        }
    }
    parts
}

/// Writes the names of the blocks beside their rows, as many as fit.
fn names(ui: &Ui, rect: Rect, parts: &[Place], cells: f32, view: &View<'_>) {
    if rect.width() < 1.0 {
        return;
    }
    let colors = theme::colors(ui.visuals());
    let painter = ui.painter().with_clip_rect(rect);
    let scale = rect.height() / cells.max(1.0);
    let mut free = rect.top();
    for (index, (first, owner, ends)) in parts.iter().enumerate() {
        let next = parts.get(index + 1).map_or(cells, |next| next.0);
        let middle = rect.top() + 0.5 * (first + next) * scale;
        if middle - 0.5 * LINE < free - 0.5 || middle + 0.5 * LINE > rect.bottom() + 0.5 {
            continue;
        }
        free = middle + 0.5 * LINE;
        let at = pos2(rect.right() - 4.0, middle);
        let text = short(owner_name(*owner, *ends, view));
        painter.text(at, Align2::RIGHT_CENTER, text, FontId::proportional(10.5), colors.weak);
    }
}

/// A name, truncated to [`LETTERS`] characters.
fn short(name: String) -> String {
    if name.chars().count() <= LETTERS {
        return name;
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}
