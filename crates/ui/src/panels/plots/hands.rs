//! Pointer input in a plot against time.

use egui::{PointerButton, Ui};
use egui_plot::{PlotPoint, PlotResponse};

use super::Plots;
use crate::{request::Request, view::View, widgets::theme};
use delassus_session::Command;

/// The shortest time span that can be shown, s.
const MIN_SPAN: f64 = 1e-3;
/// The farthest time in the middle of a plot, and half of the longest span, s.
const MAX_TIME: f64 = 1e6;

/// Handles the pointer in a plot against time: a click or drag seeks to that time, with Shift it sets a cursor;
/// Ctrl+wheel zooms, the middle button pans, the right button selects a span, a double click shows all. `(first,
/// end)` is the shown span, s.
pub(super) fn hands<R>(
    ui: &Ui,
    plot: &PlotResponse<R>,
    view: &View<'_>,
    state: &mut Plots,
    (first, end): (f64, f64),
    out: &mut Vec<Request>,
) {
    let (response, transform) = (&plot.response, &plot.transform);
    let time = |at: egui::Pos2| transform.value_from_position(at).x;
    let (shift, zoom) = ui.input(|i| (i.modifiers.shift, i.zoom_delta()));
    let at = response.interact_pointer_pos();
    let primary = response.clicked() || response.dragged_by(PointerButton::Primary);
    if let Some(at) = at.filter(|_| response.clicked() && shift) {
        let at = view.samples.nearest(time(at)).map_or(time(at), |sample| sample.time);
        let nearer = |cursors: &[Option<f64>; 2]| match cursors {
            [None, _] => 0,
            [_, None] => 1,
            [Some(a), Some(b)] => usize::from((b - at).abs() < (a - at).abs()),
        };
        let which = nearer(&state.cursors);
        state.cursors[which] = Some(at);
    } else if response.double_clicked() {
        state.span = None;
    } else if let Some(at) = at.filter(|_| primary && !shift)
        && let Some(sample) = view.samples.nearest(time(at))
        && view.samples.samples.back().is_some_and(|now| now.step != sample.step)
    {
        out.push(Request::Session(Command::Seek(sample.step)));
    }
    if let Some(at) = response.hover_pos().filter(|_| zoom != 1.0) {
        let (at, by) = (time(at), 1.0 / f64::from(zoom));
        state.span = Some(closer((at - (at - first) * by, at + (end - at) * by)));
    }
    if response.dragged_by(PointerButton::Middle) {
        let by = f64::from(response.drag_delta().x) * (end - first) / f64::from(response.rect.width().max(1.0));
        state.span = Some(closer((first - by, end - by)));
    }
    if response.drag_started_by(PointerButton::Secondary) {
        state.dragged = ui.input(|i| i.pointer.press_origin()).map(time);
    }
    if let (Some(from), Some(at)) = (state.dragged, response.interact_pointer_pos()) {
        let to = time(at);
        if response.dragged_by(PointerButton::Secondary) {
            let x = |time: f64| transform.position_from_point(&PlotPoint::new(time, 0.0)).x;
            let frame = *transform.frame();
            let chosen = egui::Rect::from_x_y_ranges(x(from.min(to))..=x(from.max(to)), frame.y_range());
            ui.painter().rect_filled(
                chosen.intersect(frame),
                0.0,
                theme::colors(ui.visuals()).accent.gamma_multiply(0.2),
            );
        } else if response.drag_stopped_by(PointerButton::Secondary) {
            // A press with hardly any motion selects nothing.
            if (to - from).abs() > 0.01 * (end - first) {
                state.span = Some(closer((from.min(to), from.max(to))));
            }
            state.dragged = None;
        }
    }
}

/// The span, limited to lengths and times that can be shown.
fn closer((first, end): (f64, f64)) -> (f64, f64) {
    let (middle, length) = (0.5 * (first + end), end - first);
    if !(middle.is_finite() && length.is_finite()) {
        return (0.0, 2.0);
    }
    let (middle, half) = (middle.clamp(-MAX_TIME, MAX_TIME), (0.5 * length).clamp(0.5 * MIN_SPAN, MAX_TIME));
    (middle - half, middle + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closer_look_has_an_end() {
        assert_eq!(closer((1.0, 3.0)), (1.0, 3.0));
        let (first, end) = closer((2.0, 2.0));
        assert!((end - first - MIN_SPAN).abs() < 1e-12);
        assert_eq!(closer((f64::NAN, 1.0)), (0.0, 2.0));
    }

    /// Zooming in and out about points far outside led to 1e35 s, where first and end were the same number.
    #[test]
    fn a_span_far_away_has_a_length() {
        for far in [1.2592432148065823e35, -1e300, f64::MAX] {
            let (first, end) = closer((far, far));
            assert!(end - first > 0.9 * MIN_SPAN && end - first < 3.0 * MAX_TIME, "{far}: {first} to {end}");
        }
    }
}
