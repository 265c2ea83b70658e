//! The numbers in the picture's upper left: the state of the system.

use egui::{Align2, Grid, Label, Pos2, Rect, RichText, Ui};

use crate::ui::{
    view::View,
    view3d::overlays::floating,
    widgets::{
        number::{self, length, with_unit},
        theme,
    },
};

/// A joint error or penetration above this is highlighted, m.
const NOTABLE: f64 = 0.02;

/// Draws the numbers with their upper left corner at `at`; a small view shows only the most important ones. Returns
/// their rectangle.
pub fn show(ui: &mut Ui, at: Pos2, view: &View<'_>, small: bool) -> Rect {
    let (snapshot, metrics) = (view.snapshot, &view.snapshot.metrics);
    floating(ui, "readout", at, Align2::LEFT_TOP, |ui| {
        ui.spacing_mut().interact_size.y = 14.0;
        Grid::new("readout").num_columns(2).spacing([12.0, 1.0]).min_col_width(0.0).show(ui, |ui| {
            line(ui, "time", number::time(snapshot.time), None);
            line(ui, "energy", with_unit(metrics.energy(), "J"), None);
            line(ui, "joint error", length(metrics.joint_error_max), Some(metrics.joint_error_max));
            line(ui, "penetration", length(metrics.penetration_max), Some(metrics.penetration_max));
            if small {
                return;
            }
            line(ui, "contacts", number::count(metrics.contacts), None);
            line(ui, "rows", number::count(metrics.rows), None);
            line(ui, "residual", with_unit(metrics.residual, "m/s"), None);
            line(ui, "step", number::milliseconds(f64::from(snapshot.step_ms)), None);
            line(ui, "state", format!("{:08x}", snapshot.hash >> 32), None);
        });
    })
}

/// `error`, if given, colours the value where it is notable or not a number.
fn line(ui: &mut Ui, name: &str, value: String, error: Option<f64>) {
    let colors = theme::colors(ui.visuals());
    ui.add(Label::new(RichText::new(name).small().color(colors.weak)).extend());
    let color = match error {
        Some(error) if !error.is_finite() || error > 10.0 * NOTABLE => colors.bad,
        Some(error) if error > NOTABLE => colors.warn,
        _ => colors.strong,
    };
    // No line break at the blanks before the number.
    ui.add(Label::new(RichText::new(format!("{value:>10}")).monospace().color(color)).extend());
    ui.end_row();
}
