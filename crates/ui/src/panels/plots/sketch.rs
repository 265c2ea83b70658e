//! A curve that the user draws in a plot, as the prediction of a lesson. The run's own curve is drawn over it later.

use std::collections::BTreeMap;

use egui::{Align2, Color32, FontId, PointerButton, Ui};
use egui_plot::{Line, LineStyle, PlotPoints, PlotResponse, PlotUi};

use super::shown::{PlotCurve, ShownPlot};
use crate::widgets::theme;
use delassus_scene::Plot;

/// The number of intervals of the time axis. A drawn curve has at most one value at each of their ends.
const INTERVALS: u16 = 200;

/// A drawn curve: values in the quantity's SI unit by the index of their time.
pub type HandDrawn = BTreeMap<u16, f64>;

/// A curve that is being drawn, or that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotSketch {
    /// The curve of a plot of the scene for which it stands, as it is written there.
    pub of: String,
    /// End of the time axis, s.
    pub seconds: f64,
    /// Ends of the vertical axis while it is drawn, in the quantity's SI unit.
    pub range: (f64, f64),
    pub drawn: HandDrawn,
    /// Whether the pointer draws; otherwise the curve is only shown.
    pub open: bool,
    /// Where the pointer was in the last frame of a drag.
    pub last: Option<(u16, f64)>,
    /// Whether something was drawn in this frame.
    pub changed: bool,
}

impl PlotSketch {
    /// The plot in which it is drawn.
    pub(super) fn slot(&self, plots: &[Plot]) -> Option<usize> {
        plots.iter().position(|plot| plot.against.is_empty() && plot.curves.contains(&self.of))
    }

    /// The curve of a plot for which it stands.
    pub(super) fn curve<'a>(&self, shown: &'a ShownPlot) -> Option<&'a PlotCurve> {
        let curve = shown.curves.iter().find(|curve| curve.text == self.of);
        curve.filter(|curve| shown.against.is_none() && curve.quantity.is_ok())
    }

    /// The points that are drawn: time in s, and values in the unit of the plot.
    pub(super) fn points(&self, scale: f64) -> impl Iterator<Item = [f64; 2]> {
        let time = |index: u16| self.seconds * f64::from(index.min(INTERVALS)) / f64::from(INTERVALS);
        let finite = self.drawn.iter().filter(|(_, value)| value.is_finite());
        finite.map(move |(index, value)| [time(*index), value * scale])
    }

    /// The values that the vertical axis has to contain, in the unit of the plot.
    pub(super) fn reach(&self, scale: f64) -> impl Iterator<Item = f64> {
        let ends = if self.open { [Some(self.range.0 * scale), Some(self.range.1 * scale)] } else { [None; 2] };
        ends.into_iter().flatten().chain(self.points(scale).map(|[_, value]| value))
    }

    /// Draws the curve; `over` places a value of the plot's unit on the axis.
    pub(super) fn draw(&self, plot: &mut PlotUi<'_>, scale: f64, color: Color32, over: impl Fn(f64) -> f64) {
        let points: Vec<[f64; 2]> = self.points(scale).map(|[time, value]| [time, over(value)]).collect();
        let line = Line::new("your prediction", PlotPoints::from(points)).style(LineStyle::dashed_loose());
        plot.line(line.color(color).width(2.6).allow_hover(false));
    }

    /// Draws with the pointer: a drag with the left button, or a click for one point. `value` reads a height in the
    /// plot in the quantity's SI unit.
    pub(super) fn pointer<R>(&mut self, ui: &Ui, plot: &PlotResponse<R>, value: impl Fn(f64) -> f64) {
        let response = &plot.response;
        if self.drawn.is_empty() && !response.dragged() {
            let (at, color) = (plot.transform.frame().center(), theme::colors(ui.visuals()).text);
            let words = "Drag here: the curve that you expect";
            ui.painter().text(at, Align2::CENTER_CENTER, words, FontId::proportional(13.5), color);
        }
        let draws = response.dragged_by(PointerButton::Primary) || response.clicked();
        let Some(at) = response.interact_pointer_pos().filter(|_| draws) else {
            self.last = None;
            return;
        };
        let frame = plot.transform.frame();
        let (intervals, seconds) = (f64::from(INTERVALS), self.seconds);
        let read = |at: egui::Pos2| {
            let at = plot.transform.value_from_position(at.clamp(frame.min, frame.max));
            ((at.x / seconds * intervals).round().clamp(0.0, intervals) as u16, value(at.y))
        };
        let here = read(at);
        // A drag is noticed some way from the place where it began.
        let pressed = || ui.input(|input| input.pointer.press_origin()).filter(|at| frame.contains(*at));
        let from = self.last.or_else(|| pressed().map(&read));
        stroke(&mut self.drawn, from.unwrap_or(here), here);
        (self.last, self.changed) = (Some(here), true);
    }
}

/// A straight stroke between two points; it replaces what was drawn there.
fn stroke(drawn: &mut HandDrawn, from: (u16, f64), to: (u16, f64)) {
    let (first, last) = if from.0 <= to.0 { (from, to) } else { (to, from) };
    let length = f64::from(last.0 - first.0).max(1.0);
    for index in first.0..=last.0 {
        let share = f64::from(index - first.0) / length;
        drawn.insert(index, first.1 + share * (last.1 - first.1));
    }
    // A stroke along one moment ends where the pointer is.
    drawn.insert(to.0, to.1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stroke_is_straight_in_both_directions_and_replaces_what_was_there() {
        for (from, to) in [((10, 1.0), (20, 3.0)), ((20, 3.0), (10, 1.0))] {
            let mut drawn = HandDrawn::from([(15, 99.0), (30, 7.0)]);
            stroke(&mut drawn, from, to);
            for index in 10..=20 {
                // The line through (10, 1) and (20, 3).
                let on_line = 1.0 + 2.0 * (f64::from(index) - 10.0) / 10.0;
                assert!((drawn[&index] - on_line).abs() < 1e-12, "{index}: {}", drawn[&index]);
            }
            assert_eq!(drawn[&30], 7.0);
            assert_eq!(drawn.len(), 12);
        }
        let mut drawn = HandDrawn::new();
        stroke(&mut drawn, (5, 1.0), (5, 2.0));
        assert_eq!(drawn, HandDrawn::from([(5, 2.0)]));
    }

    #[test]
    fn the_points_lie_at_their_times_and_in_the_unit_of_the_plot() {
        let drawn = HandDrawn::from([(0, 0.0), (100, 0.5), (200, f64::NAN)]);
        let (of, range) = (String::new(), (0.0, 1.0));
        let sketch = PlotSketch { of, seconds: 10.0, range, drawn, open: false, last: None, changed: false };
        // Half of the intervals are half of the time; 0.5 rad in degrees.
        let degrees = 180.0 / std::f64::consts::PI;
        assert_eq!(sketch.points(degrees).collect::<Vec<_>>(), [[0.0, 0.0], [5.0, 0.5 * degrees]]);
    }
}
