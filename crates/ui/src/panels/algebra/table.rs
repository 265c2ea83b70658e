//! A matrix as a table of numbers: zeros are dots, other numbers are coloured by size and sign.

use egui::{Align2, Color32, FontId, Rect, Response, Sense, Stroke, Ui, pos2, vec2};

use crate::{
    panels::laboratory::heat,
    widgets::{named, theme},
};

pub const CELL: f32 = 52.0;
const HEIGHT: f32 = 18.0;
const HEADING: f32 = 16.0;

/// A matrix with the names of its rows and columns.
pub struct MatrixTable<'a> {
    /// The accessible name, for screen readers.
    pub name: &'a str,
    pub rows: &'a [String],
    pub columns: &'a [String],
    /// Separating lines are drawn after this many rows and this many columns.
    pub parts: (usize, usize),
    /// Width for the names of the rows, points.
    pub margin: f32,
}

/// Up to four digits in six characters, whatever the size; a dot for zero.
pub fn digits(value: f64) -> String {
    let text = match value.abs() {
        0.0 => return "·".to_owned(),
        size if !size.is_finite() => return "–".to_owned(),
        size if size < 5e-4 => format!("{value:.0e}"),
        size if size < 9.9995 => format!("{value:.3}"),
        size if size < 99.995 => format!("{value:.2}"),
        size if size < 9999.5 => format!("{value:.0}"),
        _ => format!("{value:.0e}"),
    };
    text.replace('-', "−")
}

/// Draws the table. Returns also the row and column of the cell under the pointer.
pub fn show(
    ui: &mut Ui,
    table: &MatrixTable<'_>,
    cell: impl Fn(usize, usize) -> f64,
) -> (Response, Option<(usize, usize)>) {
    let colors = theme::colors(ui.visuals());
    let (rows, columns) = (table.rows.len(), table.columns.len());
    let size = vec2(table.margin + columns as f32 * CELL, HEADING + rows as f32 * HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let grid = Rect::from_min_max(rect.min + vec2(table.margin, HEADING), rect.max);
    let cell_rect = |row: usize, column: usize| {
        let corner = grid.min + vec2(column as f32 * CELL, row as f32 * HEIGHT);
        Rect::from_min_size(corner, vec2(CELL, HEIGHT))
    };
    let under = response.hover_pos().filter(|at| grid.contains(*at)).map(|at| {
        let at = at - grid.min;
        (((at.y / HEIGHT) as usize).min(rows - 1), ((at.x / CELL) as usize).min(columns - 1))
    });
    let painter = ui.painter();
    painter.rect_filled(grid, 2.0, colors.sunken);
    let cells = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let largest = cells().map(|(row, column)| cell(row, column).abs()).fold(0.0, f64::max);
    let small = FontId::proportional(10.5);
    for (row, column) in cells() {
        let (value, place) = (cell(row, column), cell_rect(row, column));
        if value != 0.0 {
            let color = heat::signed(value, largest, colors.sunken);
            painter.rect_filled(place.shrink(0.5), 0.0, colors.sunken.lerp_to_gamma(color, 0.42));
        }
        if under == Some((row, column)) {
            painter.rect_stroke(place, 0.0, Stroke::new(1.0, colors.accent), egui::StrokeKind::Inside);
        }
        let ink = if value == 0.0 { colors.weak } else { colors.strong };
        let at = place.right_center() - vec2(if value == 0.0 { 0.5 * CELL - 2.0 } else { 5.0 }, 0.0);
        painter.text(at, Align2::RIGHT_CENTER, digits(value), FontId::monospace(10.5), ink);
    }
    let lit = |on: bool| -> Color32 { if on { colors.strong } else { colors.weak } };
    for (row, name) in table.rows.iter().enumerate() {
        let at = pos2(grid.left() - 6.0, cell_rect(row, 0).center().y);
        painter.text(at, Align2::RIGHT_CENTER, name, small.clone(), lit(under.is_some_and(|(on, _)| on == row)));
    }
    for (column, name) in table.columns.iter().enumerate() {
        let at = cell_rect(0, column).center_top() - vec2(0.0, 3.0);
        painter.text(at, Align2::CENTER_BOTTOM, name, small.clone(), lit(under.is_some_and(|(_, on)| on == column)));
    }
    let line = |strong: bool| Stroke::new(1.0, if strong { colors.weak } else { colors.line });
    for part in (0..=rows).step_by(table.parts.0.max(1)) {
        painter.hline(grid.x_range(), grid.top() + part as f32 * HEIGHT, line(part % (2 * table.parts.0).max(1) == 0));
    }
    for part in (0..=columns).step_by(table.parts.1.max(1)) {
        painter.vline(grid.left() + part as f32 * CELL, grid.y_range(), line(part % (2 * table.parts.1).max(1) == 0));
    }
    (named(response, table.name), under)
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn numbers_fit_their_cells_and_nothing_is_a_dot() {
        assert_eq!(digits(0.0), "·");
        assert_eq!(digits(-0.5), "−0.500");
        assert_eq!(digits(25.0), "25.00");
        assert_eq!(digits(-1234.0), "−1234");
        for size in [1e-9, 4e-4, 0.99999, 9.9996, 99.996, 9999.6, 1e12] {
            assert!(digits(-size).chars().count() <= 6, "{}", digits(-size));
        }
    }
}
