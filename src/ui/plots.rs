//! The bottom dock: energy, joint error and penetration against time, with a tick wherever a switch was flipped.

use egui::{Align, Id, Layout, RichText, Sense, Stroke, Ui, Vec2b, vec2};
use egui_plot::{GridInput, GridMark, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints, VLine};
use lucide_icons::Icon;

use super::{
    number::{self, with_unit},
    state::{UiState, View},
    theme::{self, Colors},
    widgets::icon_button,
};
use crate::session::{Mark, Metrics, Sample, Samples};

/// Simulated time that fits in the plots, s.
const WINDOW: f64 = 20.0;
/// More points than this say nothing more at a plot's width.
const MOST_POINTS: usize = 700;

/// A curve: its name and how to read it from a step's metrics.
struct Curve {
    name: &'static str,
    of: fn(&Metrics) -> f64,
}

/// A plot of the strip.
struct Strip {
    title: &'static str,
    unit: &'static str,
    /// The axis reaches at least so far, so that rounding errors do not fill the plot.
    at_least: f64,
    curves: &'static [Curve],
}

const STRIPS: [Strip; 3] = [
    Strip {
        title: "Energy",
        unit: "J",
        at_least: 1e-3,
        curves: &[
            Curve { name: "total", of: Metrics::energy },
            Curve { name: "kinetic", of: |m| m.kinetic_energy },
            Curve { name: "potential", of: |m| m.potential_energy },
        ],
    },
    Strip {
        title: "Joint error",
        unit: "m",
        at_least: 1e-3,
        curves: &[
            Curve { name: "worst", of: |m| m.joint_error_max },
            Curve { name: "mean", of: |m| m.joint_error_mean },
        ],
    },
    Strip {
        title: "Penetration",
        unit: "m",
        at_least: 1e-3,
        curves: &[Curve { name: "deepest", of: |m| m.penetration_max }],
    },
];

/// Draws the dock.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let (size, gap, button) = (ui.available_size(), 12.0, 30.0);
    let width = ((size.x - button - gap * STRIPS.len() as f32) / STRIPS.len() as f32).max(60.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for strip in &STRIPS {
            ui.allocate_ui_with_layout(vec2(width, size.y), Layout::top_down(Align::Min), |ui| {
                // The whole height, or the dock would shrink to what the plots leave.
                ui.set_min_size(vec2(width, size.y));
                ui.set_max_width(width);
                ui.spacing_mut().item_spacing.y = 2.0;
                header(ui, strip, view);
                if !view.is_empty() {
                    plot(ui, strip, view.samples);
                }
            });
        }
        if icon_button(ui, Icon::ChevronDown, "Hide the plots", "Hide the plots").clicked() {
            state.panels.plots = false;
        }
    });
}

/// Title, which curve is which, and the latest value of the first one: as much of it as there is room for.
fn header(ui: &mut Ui, strip: &Strip, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().interact_size.y = 16.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.label(RichText::new(strip.title).color(colors.strong));
        ui.add_space(3.0);
        for (index, curve) in strip.curves.iter().enumerate() {
            let text = RichText::new(curve.name).small().color(colors.weak);
            let font = egui::FontId::proportional(11.5);
            let word = ui.painter().layout_no_wrap(curve.name.to_owned(), font, colors.weak).size().x;
            if ui.available_width() < word + 16.0 {
                return;
            }
            let (rect, _) = ui.allocate_exact_size(vec2(9.0, 16.0), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(2.0, theme::curve(index, ui.visuals())));
            ui.label(text);
        }
        if ui.available_width() > 70.0 {
            let value = (strip.curves[0].of)(&view.snapshot.metrics);
            let value = RichText::new(format!("{:>8}", with_unit(value, strip.unit)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(value.monospace().size(11.0).color(colors.text));
            });
        }
    });
}

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

fn plot(ui: &mut Ui, strip: &Strip, samples: &Samples) {
    let colors = theme::colors(ui.visuals());
    let unit = strip.unit;
    let last = samples.samples.back().map_or(0.0, |s| s.time);
    let first = samples.samples.front().map_or(0.0, |s| s.time).max(last - WINDOW);
    let end = if last - first < 2.0 { first + 2.0 } else { last };
    let shown = samples.samples.partition_point(|s| s.time < first);
    let response = Plot::new(strip.title)
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
        .include_y(strip.at_least)
        .x_grid_spacer(|input| marks(&input, 4.0))
        .y_grid_spacer(|input| marks(&input, 3.0))
        .y_axis_min_width(52.0)
        .y_axis_formatter(move |mark, _| tick(mark.value, unit))
        .x_axis_formatter(|mark, _| format!("{} s", (mark.value * 100.0).round() / 100.0))
        .label_formatter(move |position| Some(hover_text(position, unit)))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(first..=end);
            for (index, curve) in strip.curves.iter().enumerate() {
                let points = thin(samples, shown, curve.of);
                let color = theme::curve(index, &plot.ctx().global_style().visuals);
                plot.line(Line::new(curve.name, PlotPoints::from(points)).color(color).width(1.6));
            }
            for mark in samples.marks.iter().filter(|m| m.time >= first) {
                let line = VLine::new(format!("{} {}", mark.label, mark.step), mark.time);
                plot.vline(line.color(colors.accent).width(1.0).style(LineStyle::dashed_dense()).allow_hover(false));
            }
        });
    tick_names(ui, &samples.marks, first, &response, colors);
    super::widgets::named(response.response, strip.title);
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

/// At most [`MOST_POINTS`] points: of each stretch the first and the one farthest from it, so that spikes stay.
fn thin(samples: &Samples, from: usize, of: fn(&Metrics) -> f64) -> Vec<[f64; 2]> {
    let count = samples.samples.len() - from;
    let stretch = (2 * count).div_ceil(MOST_POINTS).max(1);
    let point = |s: &Sample| [s.time, of(&s.metrics)];
    let samples: Vec<[f64; 2]> = samples.samples.range(from..).map(point).filter(|p| p[1].is_finite()).collect();
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

fn tick(value: f64, unit: &str) -> String {
    if value == 0.0 { "0".into() } else { with_unit(value, unit) }
}

fn hover_text(position: &HoverPosition<'_>, unit: &str) -> String {
    let (name, at) = match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => (*plot_name, *position),
        HoverPosition::Elsewhere { position } => ("", *position),
    };
    let value = with_unit(at.y, unit);
    format!("{name} {value}\n{}", number::time(at.x.max(0.0))).trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_spikes() {
        let mut samples = Samples::default();
        for step in 0..4000u64 {
            let penetration_max = if step == 1234 { 5.0 } else { 0.01 };
            let metrics = Metrics { penetration_max, ..Default::default() };
            samples.push(Sample { time: step as f64 / 60.0, step, metrics, step_ms: 0.1 });
        }
        let points = thin(&samples, 0, |m| m.penetration_max);
        assert!(points.len() <= MOST_POINTS + 2, "{}", points.len());
        assert!(points.iter().any(|p| p[1] == 5.0));
        assert!(points.is_sorted_by(|a, b| a[0] < b[0]));
    }

    #[test]
    fn what_is_not_finite_leaves_a_gap() {
        let mut samples = Samples::default();
        for (step, energy) in [(0, 1.0), (1, f64::NAN), (2, 2.0)] {
            let metrics = Metrics { kinetic_energy: energy, ..Default::default() };
            samples.push(Sample { time: step as f64, step, metrics, step_ms: 0.1 });
        }
        assert_eq!(thin(&samples, 0, |m| m.kinetic_energy).len(), 2);
    }
}
