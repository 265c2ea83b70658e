//! Alternatives side by side, one of which is selected.

use egui::{
    Align2, Color32, CornerRadius, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::theme;

/// One cell of [`segments`].
pub struct Segment<'a> {
    pub label: &'a str,
    pub tip: String,
    /// It cannot be chosen; the tooltip says why.
    pub off: bool,
}

impl<'a> Segment<'a> {
    /// A segment that can be chosen.
    pub fn new(label: &'a str, tip: impl Into<String>) -> Self {
        Self { label, tip: tip.into(), off: false }
    }
}

/// Draws the alternatives side by side over the whole width, with wider cells for longer words; if one row is too
/// narrow, in the columns of a grid. Returns the index that was clicked. `group` starts the accessible name of each
/// alternative: `Friction: patch`.
pub fn segments(ui: &mut Ui, group: &str, items: &[Segment<'_>], selected: Option<usize>) -> Option<usize> {
    let colors = theme::colors(ui.visuals());
    let width = ui.available_width();
    let font = TextStyle::Body.resolve(ui.style());
    let words: Vec<f32> = (items.iter())
        .map(|item| ui.painter().layout_no_wrap(item.label.to_owned(), font.clone(), colors.text).size().x)
        .collect();
    let columns = columns(&words, width - 4.0);
    let lines = items.len().div_ceil(columns.len().max(1));
    let height = theme::ROW_HEIGHT - 2.0;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height * lines as f32 + 4.0), Sense::hover());
    let radius = CornerRadius::same(6);
    ui.painter().rect(rect, radius, colors.sunken, Stroke::new(1.0, colors.line), StrokeKind::Inside);

    let mut clicked = None;
    let mut corner = rect.min + Vec2::splat(2.0);
    for (index, item) in items.iter().enumerate() {
        let column = index % columns.len();
        let cell = Rect::from_min_size(corner, vec2(columns[column], height));
        corner = if column + 1 == columns.len() { pos2(rect.left() + 2.0, cell.bottom()) } else { cell.right_top() };
        if segment(ui, group, index, item, cell, selected == Some(index)) {
            clicked = Some(index);
        }
    }
    clicked
}

/// The widths of the most columns into which words of these widths fit, row by row, within `width`; at least one
/// column.
fn columns(words: &[f32], width: f32) -> Vec<f32> {
    /// Minimal padding of a word in its cell, points.
    const AROUND: f32 = 10.0;
    let widest = |count: usize| -> Vec<f32> {
        let column = |first: usize| words.iter().skip(first).step_by(count).fold(0.0, |a: f32, b| a.max(*b)) + AROUND;
        (0..count).map(column).collect()
    };
    let fits = (1..=words.len()).rev().map(widest).find(|columns| columns.iter().sum::<f32>() <= width);
    let mut columns = fits.unwrap_or_else(|| vec![width]);
    let spare = (width - columns.iter().sum::<f32>()) / columns.len() as f32;
    columns.iter_mut().for_each(|column| *column += spare);
    columns
}

/// Draws one cell; true if it was clicked and was not selected before.
fn segment(ui: &mut Ui, group: &str, index: usize, item: &Segment<'_>, cell: Rect, on: bool) -> bool {
    let colors = theme::colors(ui.visuals());
    let name = format!("{group}: {}", item.label);
    let sense = if item.off { Sense::hover() } else { Sense::click() };
    let response = ui.interact(cell, ui.scope_id().with((group, index)), sense);
    let enabled = ui.is_enabled() && !item.off;
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, on, &name));
    let (fill, ink) = match (on, !item.off && (response.hovered() || response.has_focus())) {
        (false, _) if item.off => (Color32::TRANSPARENT, colors.weak.gamma_multiply(0.6)),
        (true, _) => (colors.accent_soft, colors.strong),
        (false, true) => (ui.visuals().widgets.hovered.weak_bg_fill, colors.strong),
        (false, false) => (Color32::TRANSPARENT, colors.text),
    };
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().rect_filled(cell, CornerRadius::same(4), fill);
    ui.painter().text(cell.center(), Align2::CENTER_CENTER, item.label, font, ink);
    let clicked = response.clicked() && !on;
    response.on_hover_text(&item.tip);
    clicked
}

#[cfg(test)]
mod tests {
    use super::columns;

    /// The seven stabilisation methods were once laid out in four lines of unequal cells.
    #[test]
    fn words_that_do_not_fit_one_row_stand_in_columns() {
        let words = [33.0, 67.0, 77.0, 137.0, 26.0, 43.0, 49.0];
        let wide: f32 = words.iter().map(|word| word + 10.0).sum();
        assert_eq!(columns(&words, wide + 7.0), words.map(|word| word + 11.0), "one row, wider words in wider cells");
        let two = columns(&words, 236.0);
        assert_eq!(two.len(), 2);
        assert!((two.iter().sum::<f32>() - 236.0).abs() < 1e-3 && two[0] >= 87.0 && two[1] >= 147.0, "{two:?}");
        assert_eq!(columns(&words, 120.0), [120.0], "one below the other, however narrow");
        assert_eq!(columns(&[], 50.0), [50.0]);
    }
}
