//! The Delassus matrix of the selected mechanism as a picture, and what it says of the sweeps.

use egui::{Align, Layout, RichText, Stroke, TextureHandle, Ui, vec2};
use lucide_icons::Icon;

use super::{Laboratory, heat, matrix_of, owner_name, select, typeset::formula, units};
use crate::lab::{LARGEST, Look, Matrix};
use crate::ui::{
    selection::Selection,
    view::View,
    widgets::{self, theme},
};

/// The matrix that is shown, and of which selection.
#[derive(Default)]
pub struct Shown {
    pub(super) made: Option<Made>,
}

pub(super) struct Made {
    of: Selection,
    matrix: Option<Matrix>,
    texture: Option<TextureHandle>,
}

pub fn show(ui: &mut Ui, view: &View<'_>, lab: &mut Laboratory, selection: &mut Selection) {
    let Laboratory { look: Some(look), matrix: state, .. } = lab else { return };
    let of = Selection { hovered: None, ..selection.clone() };
    if state.made.as_ref().is_none_or(|made| made.of != of) {
        let matrix = matrix_of(look, selection);
        let ground = theme::colors(ui.visuals()).sunken;
        let texture = matrix.as_ref().map(|matrix| {
            let n = matrix.size();
            let largest = (0..n).map(|i| matrix.cell(i, i)).fold(0.0, f64::max);
            heat::texture(ui, "matrix", (n, n), |i, j| heat::signed(matrix.cell(i, j), largest, ground))
        });
        state.made = Some(Made { of, matrix, texture });
    }
    let Some(Made { matrix: Some(matrix), texture: Some(texture), .. }) = &state.made else {
        return widgets::empty(ui, Icon::Grid3x3, "No row holds anything in this step.");
    };
    let room = ui.available_size();
    let side = room.y.min(room.x - 240.0).max(60.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        picture(ui, look, matrix, texture, side, view, selection);
        ui.allocate_ui_with_layout(vec2(room.x - side - 16.0, room.y), Layout::top_down(Align::Min), |ui| {
            widgets::scroll(ui, "matrix in numbers", |ui| numbers(ui, look, matrix, view));
        });
    });
}

fn picture(
    ui: &mut Ui,
    look: &Look,
    matrix: &Matrix,
    texture: &TextureHandle,
    side: f32,
    view: &View<'_>,
    selection: &mut Selection,
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
    let row = |place: usize| &look.rows[matrix.rows[place]];
    let name = |place: usize| {
        let row = row(place);
        format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part())
    };
    let unit = match (row(i).is_angular(), row(j).is_angular()) {
        (false, false) => "1/kg",
        (true, true) => "1/(kg·m²)",
        _ => "1/(kg·m)",
    };
    let value = units::plain(matrix.cell(i, j), unit);
    let response = response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(value).strong());
        ui.label(name(i));
        if i != j {
            ui.label(name(j));
        }
    });
    if response.clicked() {
        let owner = |place: usize| (row(place).owner, row(place).a, row(place).b);
        select(&[owner(i), owner(j)], selection);
    }
}

fn numbers(ui: &mut Ui, look: &Look, matrix: &Matrix, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let n = matrix.size();
    ui.spacing_mut().item_spacing.y = 3.0;
    formula(ui, "$A$ = $J M$^−1^ $J$^T^");
    let parts = widgets::number::counted(matrix.parts.len(), "joint or contact", "joints and contacts");
    let rows = if matrix.all > n {
        format!("the first {n} of {} rows that hold ({LARGEST} at most)", matrix.all)
    } else {
        format!("{} that hold, of {parts}", widgets::number::counted(n, "row", "rows"))
    };
    ui.label(RichText::new(rows).color(colors.weak));
    ui.add_space(4.0);
    let line = |ui: &mut Ui, name: &str, value: String, tip: &str| {
        ui.horizontal(|ui| {
            let room = vec2(150.0, 16.0);
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(room);
                ui.label(RichText::new(name).color(colors.weak));
            });
            ui.label(RichText::new(value).color(colors.text));
        })
        .response
        .on_hover_text(tip);
    };
    let scientific = |value: f64| units::plain(value, "").trim_end().to_owned();
    line(ui, "largest eigenvalue", scientific(matrix.eigenvalues[0]), "What moves most for an impulse of 1");
    let (redundant, condition) = (matrix.redundant(), matrix.condition());
    line(
        ui,
        "least, redundant apart",
        scientific(matrix.eigenvalues[0] / condition),
        "What moves least: the stiffest pattern of impulses",
    );
    line(
        ui,
        "condition κ",
        scientific(condition),
        "The largest over the least: sweeps need about as many passes to carry an impulse through",
    );
    line(
        ui,
        "redundant rows",
        redundant.to_string(),
        "Rows that say what others have said: a loop, or a contact of four points. Their impulses are not determined one by one",
    );
    let (dominance, worst) = matrix.dominance();
    let least = if dominance.is_finite() { format!("{dominance:.3}") } else { "nothing couples".into() };
    line(
        ui,
        "diagonal dominance",
        least,
        "A row's diagonal over the rest of the row, the least of all. Above 1 Jacobi and Gauss–Seidel converge for certain",
    );
    if dominance.is_finite() {
        let row = &look.rows[matrix.rows[worst]];
        let name = format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
        line(ui, "", name, "The row with the least dominance");
    }
    let filled = 100.0 * matrix.filled as f64 / (n * n) as f64;
    line(ui, "filled", format!("{filled:.0} %"), "Cells that are not zero: rows couple where they share a moving body");
    let spectrum = &view.stability.spectrum;
    if spectrum.rows > 0 {
        line(
            ui,
            "ρ of the sweep",
            format!("{:.5}", spectrum.radius),
            "The share of an error that a sweep of the method that is set leaves, of the whole scene",
        );
    }
    ui.add_space(4.0);
    ui.label(RichText::new("warm: pulls along, cold: against; click a cell to select both").small().color(colors.weak));
}
