//! A plot's picture: curves against time, the lines of stops and motors, ticks where a switch was flipped, and what the
//! pointer reads.

use egui::{Id, Ui, Vec2b, vec2};
use egui_plot::{GridInput, GridMark, HLine, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints, VLine};

use crate::session::{Command, Mark, Sample, Samples};
use crate::ui::{
    panels::plots::{quantity, strips::Shown},
    request::Request,
    widgets::{
        angles, number,
        theme::{self, Colors},
    },
};

/// Simulated time that fits in the plots, s.
const WINDOW: f64 = 20.0;
/// More points than this say nothing more at a plot's width.
const MOST_POINTS: usize = 700;

/// Grid lines at round numbers, about `count` of them.
fn marks(input: &GridInput, count: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / count;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last.min(first + 20)).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

pub(super) fn plot(ui: &mut Ui, slot: usize, shown: &Shown, samples: &Samples, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let (strip, unit) = (shown.strip, shown.unit);
    let (first, end) = span(samples);
    let from = samples.samples.partition_point(|s| s.time < first);
    let ahead = samples.ahead().take_while(|s| s.time <= end).count();
    // Closer to each other than this the times are left out, points.
    let times = f64::from(ui.available_width() / 80.0).clamp(1.0, 6.0).floor();
    let response = Plot::new(("plot", slot))
        .height(ui.available_height() - 2.0)
        .show_background(false)
        .grid_color(colors.line)
        .cursor_color(colors.weak)
        .link_axis(Id::unique("plots of time"), Vec2b::new(true, false))
        .link_cursor(Id::unique("plots of time"), Vec2b::new(true, false))
        .set_margin_fraction(vec2(0.0, 0.12))
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .include_y(0.0)
        .include_y(strip.at_least * shown.scale)
        .x_grid_spacer(move |input| marks(&input, times))
        .y_grid_spacer(|input| marks(&input, 3.0))
        .y_axis_min_width(52.0)
        .y_axis_formatter(move |mark, _| tick(mark, unit))
        .x_axis_formatter(|mark, _| format!("{} s", (mark.value * 100.0).round() / 100.0))
        .label_formatter(|position| Some(hover_text(position, shown, samples)))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(first..=end);
            for (index, curve) in strip.curves.iter().enumerate() {
                let color = theme::curve(index, &plot.ctx().global_style().visuals);
                let points = thin(samples.samples.range(from..), |sample| shown.read(curve, sample));
                plot.line(Line::new(curve.name, PlotPoints::from(points)).color(color).width(1.6));
                if ahead > 0 {
                    // What comes behind the moment that is shown, with that moment, so that the curve has no gap.
                    let waits = samples.samples.back().into_iter().chain(samples.ahead().take(ahead));
                    let points = thin(waits, |sample| shown.read(curve, sample));
                    let line = Line::new(curve.name, PlotPoints::from(points));
                    plot.line(line.color(color.gamma_multiply(0.45)).width(1.6));
                }
            }
            if let Some(now) = samples.samples.back().filter(|_| ahead > 0) {
                plot.vline(VLine::new("now", now.time).color(colors.strong).width(1.5).allow_hover(false));
            }
            for (name, at) in &shown.lines {
                let line = HLine::new(*name, *at).color(colors.warn).width(1.0).style(LineStyle::dashed_loose());
                plot.hline(line);
            }
            for mark in samples.marks.iter().filter(|m| m.time >= first) {
                let line = VLine::new(format!("{} {}", mark.label, mark.step), mark.time);
                plot.vline(line.color(colors.accent).width(1.0).style(LineStyle::dashed_dense()).allow_hover(false));
            }
        });
    tick_names(ui, &samples.marks, first, &response, colors);
    let (response, transform) = (response.response, response.transform);
    // A click or a drag goes to that moment.
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged())
        && let Some(sample) = samples.nearest(transform.value_from_position(at).x)
        && samples.samples.back().is_some_and(|now| now.step != sample.step)
    {
        out.push(Request::Session(Command::Seek(sample.step)));
    }
    crate::ui::widgets::named(response, &shown.title);
}

/// The ticks' names along the top edge, the newest first, leaving out what would lie over another.
fn tick_names<R>(
    ui: &Ui,
    marks: &std::collections::VecDeque<Mark>,
    first: f64,
    plot: &egui_plot::PlotResponse<R>,
    colors: &Colors,
) {
    let frame = *plot.transform.frame();
    let painter = ui.painter().with_clip_rect(frame);
    let mut free_from = frame.right() - 2.0;
    for mark in marks.iter().rev().take_while(|m| m.time >= first) {
        let x = plot.transform.position_from_point(&PlotPoint::new(mark.time, 0.0)).x;
        let galley = painter.layout_no_wrap(mark.label.clone(), egui::FontId::proportional(10.5), colors.accent);
        let width = galley.size().x;
        // Right of its line where it fits, else left of it.
        let left = if x + 3.0 + width <= free_from { x + 3.0 } else { x - 3.0 - width };
        if left + width <= free_from && left >= frame.left() {
            let at = egui::pos2(left, frame.top() + 1.0);
            painter.rect_filled(egui::Rect::from_min_size(at, galley.size()).expand(1.0), 2.0, colors.panel);
            painter.galley(at, galley, colors.accent);
            free_from = left.min(x) - 4.0;
        }
    }
}

/// From when to when the plots reach, s: from the scene's beginning, later from as much of the past as fits. Of what comes
/// behind an earlier moment that is shown as much as half of that.
fn span(samples: &Samples) -> (f64, f64) {
    /// A shorter run does not fill the plots, s.
    const LEAST: f64 = 2.0;
    let now = samples.samples.back().map_or(0.0, |s| s.time);
    let end = samples.ahead().next_back().map_or(now, |last| last.time.min(now + 0.5 * WINDOW));
    let first = samples.samples.front().map_or(0.0, |s| s.time).max(end - WINDOW);
    (first, end.max(first + LEAST))
}

/// At most [`MOST_POINTS`] points: of each stretch the first and the one farthest from it, so that spikes stay.
fn thin<'a>(samples: impl Iterator<Item = &'a Sample>, of: impl Fn(&Sample) -> f64) -> Vec<[f64; 2]> {
    let point = |s: &Sample| [s.time, of(s)];
    let samples: Vec<[f64; 2]> = samples.map(point).filter(|p| p[1].is_finite()).collect();
    let stretch = (2 * samples.len()).div_ceil(MOST_POINTS).max(1);
    if stretch <= 2 {
        return samples;
    }
    let mut points = Vec::with_capacity(MOST_POINTS + 2);
    for part in samples.chunks(stretch) {
        let first = part[0];
        points.push(first);
        let farthest = part[1..].iter().max_by(|a, b| (a[1] - first[1]).abs().total_cmp(&(b[1] - first[1]).abs()));
        points.extend(farthest);
    }
    points
}

/// What stands at a grid line; of angles with as many decimals as its neighbours want.
fn tick(mark: GridMark, unit: &str) -> String {
    let GridMark { value, step_size } = mark;
    if value == 0.0 {
        return "0".into();
    }
    if !angles::is_unit(unit) {
        return quantity(value, unit);
    }
    let decimals = (-step_size.log10().floor()).clamp(0.0, 9.0) as usize;
    let space = if unit.starts_with('°') { "" } else { " " };
    format!("{value:.decimals$}{space}{unit}").replace('-', "−")
}

/// What the curves are at the pointer's time, a line each, and that time.
fn hover_text(position: &HoverPosition<'_>, shown: &Shown, samples: &Samples) -> String {
    let at = match position {
        HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position } => *position,
    };
    let Some(sample) = samples.nearest(at.x) else { return number::time(at.x.max(0.0)) };
    let read = shown.strip.curves.iter().map(|curve| (curve.name, shown.read(curve, sample)));
    let read = read.filter(|(_, value)| value.is_finite());
    let mut lines: Vec<String> = read.map(|(name, value)| format!("{name} {}", quantity(value, shown.unit))).collect();
    lines.push(number::time(sample.time));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Metrics;
    use crate::ui::panels::plots::strips::{ENERGY, STRIPS};

    #[test]
    fn thinning_keeps_spikes() {
        let mut samples = Samples::default();
        for step in 0..4000u64 {
            let penetration_max = if step == 1234 { 5.0 } else { 0.01 };
            let metrics = Metrics { penetration_max, ..Default::default() };
            samples.push(
                Sample { time: step as f64 / 60.0, step, metrics, step_ms: 0.1, watched: None },
                std::iter::empty(),
            );
        }
        let points = thin(samples.samples.iter(), |s| s.metrics.penetration_max);
        assert!(points.len() <= MOST_POINTS + 2, "{}", points.len());
        assert!(points.iter().any(|p| p[1] == 5.0));
        assert!(points.is_sorted_by(|a, b| a[0] < b[0]));
    }

    #[test]
    fn the_axis_begins_with_the_scene() {
        let mut samples = Samples::default();
        assert_eq!(span(&samples), (0.0, 2.0));
        let mut reaches = |to: u64| {
            let from = samples.samples.back().map_or(0, |s| s.step + 1);
            for step in from..=to {
                let metrics = Metrics::default();
                samples.push(
                    Sample { time: step as f64 / 10.0, step, metrics, step_ms: 0.1, watched: None },
                    std::iter::empty(),
                );
            }
            span(&samples)
        };
        assert_eq!(reaches(0), (0.0, 2.0));
        assert_eq!(reaches(5), (0.0, 2.0));
        assert_eq!(reaches(150), (0.0, 15.0));
        assert_eq!(reaches(500), (50.0 - WINDOW, 50.0));
        samples.clear();
        assert_eq!(span(&samples), (0.0, 2.0), "nothing is left of the scene before");
    }

    #[test]
    fn the_crosshair_reads_the_curves_at_its_time() {
        let mut samples = Samples::default();
        for step in 0..100u64 {
            let metrics = Metrics { kinetic_energy: step as f64, potential_energy: 1000.0, ..Default::default() };
            samples.push(
                Sample { time: step as f64 * 0.1, step, metrics, step_ms: 0.1, watched: None },
                std::iter::empty(),
            );
        }
        let strip = &STRIPS[ENERGY];
        let shown = Shown { strip, title: String::new(), unit: "J", scale: 1.0, joint: None, lines: Vec::new() };
        // Far above the curves, between two samples.
        let position = PlotPoint::new(4.23, 1e6);
        let text = hover_text(&HoverPosition::Elsewhere { position }, &shown, &samples);
        assert_eq!(text, "total 1.04 kJ\nkinetic 42.0 J\npotential 1.00 kJ\n4.200 s");
    }

    #[test]
    fn what_is_not_finite_leaves_a_gap() {
        let mut samples = Samples::default();
        for (step, energy) in [(0, 1.0), (1, f64::NAN), (2, 2.0)] {
            let metrics = Metrics { kinetic_energy: energy, ..Default::default() };
            samples.push(Sample { time: step as f64, step, metrics, step_ms: 0.1, watched: None }, std::iter::empty());
        }
        assert_eq!(thin(samples.samples.iter(), |s| s.metrics.kinetic_energy).len(), 2);
    }
}
