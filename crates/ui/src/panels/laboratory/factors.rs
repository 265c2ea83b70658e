//! The factors of the Delassus matrix, J and M⁻¹, and the elimination order of its blocks, as pictures.

use egui::{Align2, FontId, RichText, Stroke, TextureHandle, Ui, pos2, vec2};

use super::{heat, owner_name, select, typeset::formula, units};
use crate::{
    selection::Selection,
    view::View,
    widgets::{self, theme},
};
use delassus_lab::{BlockCell, EliminationOrder, Matrix, TracedStep};

/// The components of a body's velocity, in the order of J's columns.
const PARTS: [&str; 6] = ["v x", "v y", "v z", "ω x", "ω y", "ω z"];

/// J, by rows and velocity components, and M⁻¹.
pub fn textures(ui: &Ui, traced: &TracedStep, matrix: &Matrix) -> [TextureHandle; 2] {
    let ground = theme::colors(ui.visuals()).sunken;
    let (rows, columns) = (matrix.size(), 6 * matrix.bodies.len());
    let j = heat::texture(ui, "J", (columns, rows), |i, k| heat::signed(matrix.jacobian(traced, i, k), 1.0, ground));
    let largest = (0..columns).map(|i| matrix.inverse_mass(traced, i, i)).fold(0.0, f64::max);
    let cell = |i: usize, k: usize| heat::signed(matrix.inverse_mass(traced, i, k), largest, ground);
    [j, heat::texture(ui, "M", (columns, columns), cell)]
}

/// The fill-in pattern of an elimination.
pub fn pattern(ui: &Ui, elimination: &EliminationOrder) -> TextureHandle {
    let colors = theme::colors(ui.visuals());
    let n = elimination.order.len();
    heat::texture(ui, "elimination", (n, n), |i, j| match elimination.cell(i, j) {
        BlockCell::Empty => colors.sunken,
        BlockCell::Coupled if i == j => colors.text,
        BlockCell::Coupled => colors.weak,
        BlockCell::Filled => colors.accent,
    })
}

/// Draws both factors side by side, with cells of the same size.
pub fn factors(
    ui: &mut Ui,
    traced: &TracedStep,
    matrix: &Matrix,
    [j, m]: [&TextureHandle; 2],
    room: egui::Vec2,
    view: &View<'_>,
) {
    let colors = theme::colors(ui.visuals());
    let (rows, columns) = (matrix.size(), 6 * matrix.bodies.len());
    let heading = 18.0;
    let scale = ((room.x - 16.0) / (2 * columns) as f32).min((room.y - heading) / rows.max(columns) as f32).min(24.0);
    let line = Stroke::new(1.0, colors.line);
    let body = |column: usize| {
        let name = view.snapshot.body(matrix.bodies[column / 6]).map_or_else(String::new, |body| body.name.to_string());
        format!("{} of {name}", PARTS[column % 6])
    };
    ui.allocate_ui(vec2(columns as f32 * scale, room.y), |ui| {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let named = format!("$J$: {rows} × {columns}");
            formula(ui, &named);
            let size = vec2(columns as f32, rows as f32) * scale;
            let (response, rect, cell) = heat::show(ui, j, size, (columns, rows), "J");
            divide(ui, rect, matrix, scale, true);
            ui.painter().rect_stroke(rect, 0.0, line, egui::StrokeKind::Outside);
            if let Some((i, k)) = cell {
                let row = &traced.rows[matrix.rows[i]];
                let name = format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
                let value = format!("{:.4}", matrix.jacobian(traced, i, k)).replace('-', "−");
                response.on_hover_ui_at_pointer(|ui| {
                    ui.label(RichText::new(value).strong());
                    ui.label(name);
                    ui.label(body(k));
                });
            }
        });
    });
    ui.allocate_ui(vec2(columns as f32 * scale, room.y), |ui| {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            formula(ui, &format!("$M$^−1^: {columns} × {columns}"));
            let side = columns as f32 * scale;
            let (response, rect, cell) = heat::show(ui, m, vec2(side, side), (columns, columns), "Inverse masses");
            divide(ui, rect, matrix, scale, false);
            ui.painter().rect_stroke(rect, 0.0, line, egui::StrokeKind::Outside);
            if let Some((i, k)) = cell {
                let unit = if i % 6 < 3 { "1/kg" } else { "1/(kg·m²)" };
                let value = units::plain(matrix.inverse_mass(traced, i, k), unit);
                response.on_hover_ui_at_pointer(|ui| {
                    ui.label(RichText::new(value).strong());
                    ui.label(body(i));
                    if i != k {
                        ui.label(body(k));
                    }
                });
            }
        });
    });
}

/// Thin lines between bodies, and between joints and contacts.
fn divide(ui: &Ui, rect: egui::Rect, matrix: &Matrix, scale: f32, rows: bool) {
    let line = Stroke::new(0.5, theme::colors(ui.visuals()).line);
    if 6.0 * scale < 4.0 {
        return;
    }
    for body in 1..matrix.bodies.len() {
        let at = 6.0 * body as f32 * scale;
        ui.painter().vline(rect.left() + at, rect.y_range(), line);
        if !rows {
            ui.painter().hline(rect.x_range(), rect.top() + at, line);
        }
    }
    for part in matrix.parts.iter().filter(|part| rows && part.first > 0 && part.count as f32 * scale > 3.0) {
        ui.painter().hline(rect.x_range(), rect.top() + part.first as f32 * scale, line);
    }
}

/// Draws the blocks of A in elimination order, from the upper left to the lower right.
pub fn elimination(
    ui: &mut Ui,
    matrix: &Matrix,
    elimination: &EliminationOrder,
    texture: &TextureHandle,
    side: f32,
    (view, selection): (&View<'_>, &mut Selection),
) {
    let colors = theme::colors(ui.visuals());
    let n = elimination.order.len();
    let (response, rect, cell) = heat::show(ui, texture, vec2(side, side), (n, n), "Order of elimination");
    let scale = side / n as f32;
    for k in 0..n {
        let at = k as f32 * scale;
        if scale > 5.0 {
            let line = Stroke::new(1.0, colors.panel);
            ui.painter().vline(rect.left() + at, rect.y_range(), line);
            ui.painter().hline(rect.x_range(), rect.top() + at, line);
        }
        if scale > 15.0 {
            let middle = pos2(rect.left() + at + 0.5 * scale, rect.top() + at + 0.5 * scale);
            let font = FontId::proportional((0.45 * scale).min(12.0));
            ui.painter().text(middle, Align2::CENTER_CENTER, (k + 1).to_string(), font, colors.panel);
        }
    }
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, colors.line), egui::StrokeKind::Outside);
    let Some((i, j)) = cell else { return };
    let part = |place: usize| &matrix.parts[elimination.order[place]];
    let name = |place: usize| {
        format!("{}. {}", place + 1, owner_name(part(place).owner, (part(place).a, part(place).b), view))
    };
    let what = match elimination.cell(i, j) {
        BlockCell::Coupled if i == j => "a block",
        BlockCell::Coupled => "coupled by a body",
        BlockCell::Filled => "filled in",
        BlockCell::Empty => "nothing",
    };
    let response = response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(what).strong());
        ui.label(name(i));
        if i != j {
            ui.label(name(j));
        }
    });
    if response.clicked() {
        let owner = |place: usize| (part(place).owner, part(place).a, part(place).b);
        select(&[owner(i), owner(j)], selection);
    }
}

/// The numbers of the elimination as text.
pub fn elimination_in_words(ui: &mut Ui, elimination: &EliminationOrder) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().item_spacing.y = 3.0;
    formula(ui, "$A$ = $L D L$^T^ by blocks");
    let weak = |text: &str| RichText::new(text).color(colors.weak);
    let blocks = widgets::number::counted(elimination.order.len(), "block", "blocks");
    ui.label(weak(&format!("{blocks}, from the leaves to the root")));
    ui.add_space(4.0);
    for (name, value) in [
        ("close a loop, and come last", elimination.closing),
        ("filled in, in this order", elimination.filled),
        ("in the order of the scene", elimination.filled_in_order),
    ] {
        ui.horizontal(|ui| {
            ui.add_sized(vec2(176.0, 16.0), egui::Label::new(weak(name)).halign(egui::Align::Min));
            ui.label(RichText::new(widgets::number::count(value)).color(colors.text));
        });
    }
    ui.add_space(4.0);
    let words = if elimination.filled == 0 {
        "Nothing is filled in: a tree is solved exactly in as many steps as it has blocks."
    } else {
        "The filled-in blocks are the cost of the loops: an exact solve of them takes more than their own blocks."
    };
    ui.label(weak(words));
}
