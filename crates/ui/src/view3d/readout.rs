//! Numbers over the picture, the state of the system: a card in the upper left corner, a strip at the bottom of a small
//! view.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align2, Color32, CornerRadius, FontId, Grid, Label, Pos2, Rect, RichText, Ui, vec2};

use crate::{
    view::View,
    view3d::overlays::floating,
    widgets::{
        number::{self, length, with_unit},
        theme::{self, Colors},
    },
};
use delassus_session::Snapshot;

/// A joint error or penetration above this is highlighted, m.
const HIGHLIGHTED_ERROR: f64 = 0.02;
/// Height of the strip, and its margin at either end, points.
const STRIP: f32 = 20.0;
const MARGIN: f32 = 7.0;

/// Draws the numbers with their upper left corner at `at`; the time and the state's hash are in the bar above. Returns
/// their rectangle.
pub fn show(ui: &mut Ui, at: Pos2, view: &View<'_>) -> Rect {
    let (snapshot, metrics) = (view.snapshot, &view.snapshot.metrics);
    floating(ui, "readout", at, Align2::LEFT_TOP, |ui| {
        ui.spacing_mut().interact_size.y = 14.0;
        Grid::new("readout").num_columns(2).spacing([12.0, 1.0]).min_col_width(0.0).show(ui, |ui| {
            for (name, value, error) in main(snapshot) {
                line(ui, name, value, error);
            }
            line(ui, "contacts", number::count(metrics.contacts), None);
            line(ui, "rows", number::count(metrics.rows), None);
            line(ui, "residual", with_unit(metrics.residual, "m/s"), None);
            line(ui, "step", number::milliseconds(f64::from(snapshot.step_ms)), None);
        });
    })
}

/// Draws as many of the most important numbers as fit side by side into `room` points, with the lower left corner at
/// `at`: where things stand or hang, a card would hide them. The time is in the bar above. Returns the strip's
/// rectangle.
pub fn strip(ui: &mut Ui, at: Pos2, room: f32, snapshot: &Snapshot) -> Option<Rect> {
    let colors = theme::colors(ui.visuals());
    let (small, digits) = (FontId::proportional(10.5), FontId::monospace(11.0));
    let mut job = LayoutJob::default();
    let mut fitting = None;
    for (name, value, error) in main(snapshot) {
        let gap = if job.text.is_empty() { 0.0 } else { 12.0 };
        job.append(name, gap, TextFormat::simple(small.clone(), colors.weak));
        job.append(&format!("{value:>8}"), 2.0, TextFormat::simple(digits.clone(), ink(error, colors)));
        let galley = ui.painter().layout_job(job.clone());
        if galley.size().x + 2.0 * MARGIN > room {
            break;
        }
        fitting = Some(galley);
    }
    let galley = fitting?;
    let rect = Rect::from_min_size(at - vec2(0.0, STRIP), vec2(galley.size().x + 2.0 * MARGIN, STRIP));
    ui.painter().rect_filled(rect, CornerRadius::same(6), colors.overlay);
    ui.put(rect, Label::new(galley));
    Some(rect)
}

/// Name, value and, for an error, its size in metres.
fn main(snapshot: &Snapshot) -> [(&'static str, String, Option<f64>); 3] {
    let metrics = &snapshot.metrics;
    let error = |error: f64| (length(error), Some(error));
    let ((joint, joint_size), (depth, depth_size)) = (error(metrics.joint_error_max), error(metrics.penetration_max));
    [
        ("energy", with_unit(metrics.energy(), "J"), None),
        ("joint error", joint, joint_size),
        ("penetration", depth, depth_size),
    ]
}

/// The colour of a value; an error is highlighted where it is notable or not a number.
fn ink(error: Option<f64>, colors: &Colors) -> Color32 {
    match error {
        Some(error) if !error.is_finite() || error > 10.0 * HIGHLIGHTED_ERROR => colors.bad,
        Some(error) if error > HIGHLIGHTED_ERROR => colors.warn,
        _ => colors.strong,
    }
}

fn line(ui: &mut Ui, name: &str, value: String, error: Option<f64>) {
    let colors = theme::colors(ui.visuals());
    ui.add(Label::new(RichText::new(name).small().color(colors.weak)).extend());
    // No line break at the blanks before the number.
    ui.add(Label::new(RichText::new(format!("{value:>10}")).monospace().color(ink(error, colors))).extend());
    ui.end_row();
}
