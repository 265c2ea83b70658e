//! The path of the sweeps in two unknowns over the lines of the rows, and the residual of the sweeps.

use egui::{Align, Layout, RichText, Ui};
use egui_plot::{Line, LineStyle, Plot, PlotPoints, Points, Polygon};

use crate::widgets::{graph, named, theme};
use delassus_lab::linear::{Iteration, LinearSystem, Properties};

/// Smaller values are rounding errors.
const FLOOR: f64 = 1e-16;

/// Left, bottom, right and top of the visible area.
type Extents = [f64; 4];

/// From this width on both plots are side by side, points.
const BESIDE: f32 = 520.0;

pub(super) fn show(ui: &mut Ui, system: &LinearSystem, iteration: &Iteration, verdict: &Properties, height: f32) {
    let width = ui.available_width();
    if width >= BESIDE {
        let size = egui::vec2(0.5 * width - 8.0, height);
        let plot_height = height - 26.0;
        ui.horizontal_top(|ui| {
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                ui.set_max_width(size.x);
                sweeps(ui, system, iteration, plot_height);
            });
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                ui.set_max_width(size.x);
                residual_section(ui, iteration, verdict, plot_height);
            });
        });
        return;
    }
    let half = 0.58 * height;
    sweeps(ui, system, iteration, half);
    ui.add_space(4.0);
    residual_section(ui, iteration, verdict, (height - half - 52.0).max(60.0));
}

fn sweeps(ui: &mut Ui, system: &LinearSystem, iteration: &Iteration, height: f32) {
    let colors = theme::colors(ui.visuals());
    if system.size == 2 {
        ui.label(RichText::new("The path of x₁ and x₂").color(colors.strong)).on_hover_text(
            "A row is satisfied on its line. Gauss–Seidel moves to one line after the other, each time along an axis",
        );
        ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| iteration_path(ui, system, iteration, height));
    } else {
        ui.label(RichText::new("The unknowns, sweep by sweep").color(colors.strong));
        ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| unknowns(ui, system, iteration, height));
    }
}

fn residual_section(ui: &mut Ui, iteration: &Iteration, verdict: &Properties, height: f32) {
    let colors = theme::colors(ui.visuals());
    ui.label(RichText::new("Residual after each sweep").color(colors.strong))
        .on_hover_text("Dashed: the slope that ρ predicts, back from the last sweep");
    ui.allocate_ui(egui::vec2(ui.available_width(), height), |ui| {
        ui.set_height(height);
        residual_plot(ui, iteration, verdict);
    });
}

/// A plot of this height whose axis is aligned with that of the other plot.
fn still<'a>(ui: &Ui, name: &'static str, height: f32) -> Plot<'a> {
    graph::still(ui, name).height(height - 6.0).y_axis_min_width(44.0)
}

/// The visible area: the path, the solution, and the bounds near them.
fn frame(system: &LinearSystem, iteration: &Iteration) -> Extents {
    let mut frame = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let solution = system.solution();
    for x in iteration.path.iter().chain(&solution) {
        for axis in 0..2 {
            frame[axis] = frame[axis].min(x[axis]);
            frame[axis + 2] = frame[axis + 2].max(x[axis]);
        }
    }
    for axis in 0..2 {
        let margin = 0.18 * (frame[axis + 2] - frame[axis]).max(0.5);
        frame[axis] -= margin;
        frame[axis + 2] += margin;
    }
    frame
}

/// The part of the line of a row, a₁ x₁ + a₂ x₂ = b, within the frame.
fn line(row: &[f64], b: f64, [left, bottom, right, top]: Extents) -> Option<[[f64; 2]; 2]> {
    let (a1, a2) = (row[0], row[1]);
    let mut ends: Vec<[f64; 2]> = Vec::new();
    for x in [left, right] {
        ends.push([x, (b - a1 * x) / a2]);
    }
    for y in [bottom, top] {
        ends.push([(b - a2 * y) / a1, y]);
    }
    let (wide, high) = (1e-9 * (right - left), 1e-9 * (top - bottom));
    ends.retain(|[x, y]| {
        x.is_finite()
            && y.is_finite()
            && (left - wide..=right + wide).contains(x)
            && (bottom - high..=top + high).contains(y)
    });
    let first = *ends.first()?;
    let far = |end: &[f64; 2]| (end[0] - first[0]).abs() / (right - left) + (end[1] - first[1]).abs() / (top - bottom);
    let last = *ends.iter().max_by(|p, q| far(p).total_cmp(&far(q)))?;
    Some([first, last])
}

fn iteration_path(ui: &mut Ui, system: &LinearSystem, iteration: &Iteration, height: f32) {
    let colors = theme::colors(ui.visuals());
    let frame = frame(system, iteration);
    let [left, bottom, right, top] = frame;
    let response = still(ui, "path of the sweeps", height)
        .include_x(left)
        .include_x(right)
        .include_y(bottom)
        .include_y(top)
        .set_margin_fraction(egui::Vec2::ZERO)
        .show(ui, |plot| {
            let visuals = plot.ctx().global_style().visuals.clone();
            if system.is_bounded() {
                let (x, y) = (
                    [system.lo[0].max(left), system.hi[0].min(right)],
                    [system.lo[1].max(bottom), system.hi[1].min(top)],
                );
                let corners = vec![[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
                let fill = colors.accent.gamma_multiply(0.08);
                let bounds = Polygon::new("within the bounds", PlotPoints::from(corners)).fill_color(fill);
                plot.polygon(
                    bounds.stroke(egui::Stroke::new(1.0, colors.accent.gamma_multiply(0.5))).allow_hover(false),
                );
            }
            for row in 0..2 {
                if let Some(ends) = line(&system.a[row], system.b[row], frame) {
                    let color = theme::curve(row, &visuals);
                    let name = format!("row {}", row + 1);
                    plot.line(
                        Line::new(name, PlotPoints::from(ends.to_vec())).color(color).width(1.6).allow_hover(false),
                    );
                }
            }
            let at = |x: &[f64; 4]| [x[0], x[1]];
            let steps: Vec<[f64; 2]> = iteration.path.iter().map(at).collect();
            // Its vertical parts are a path, not a band of that height.
            let line = Line::new("way", PlotPoints::from(steps)).color(colors.strong).width(1.2);
            plot.line(line.allow_band(false).allow_hover(false));
            let sweeps: Vec<[f64; 2]> = iteration.iterates.iter().map(at).collect();
            plot.points(Points::new("sweeps", PlotPoints::from(sweeps)).color(colors.accent).radius(3.5));
            if let Some(solution) = system.solution() {
                let place = PlotPoints::from(vec![at(&solution)]);
                plot.points(Points::new("solution", place).color(colors.strong).radius(5.0).filled(false));
            }
        });
    named(response.response, "Path of the sweeps");
}

fn unknowns(ui: &mut Ui, system: &LinearSystem, iteration: &Iteration, height: f32) {
    let response = still(ui, "unknowns of the sweeps", height)
        .legend(egui_plot::Legend::default().background_alpha(0.6).text_style(egui::TextStyle::Small))
        .show(ui, |plot| {
            let visuals = plot.ctx().global_style().visuals.clone();
            for i in 0..system.size {
                let points: Vec<[f64; 2]> =
                    iteration.iterates.iter().enumerate().map(|(sweep, x)| [sweep as f64, x[i]]).collect();
                let name = format!("x{}", ["₁", "₂", "₃", "₄"][i]);
                plot.line(Line::new(name, PlotPoints::from(points)).color(theme::curve(i, &visuals)).width(1.8));
            }
        });
    named(response.response, "Unknowns of the sweeps");
}

fn residual_plot(ui: &mut Ui, iteration: &Iteration, verdict: &Properties) {
    let colors = theme::colors(ui.visuals());
    let response =
        graph::logarithmic(ui, "residual").x_axis_formatter(|mark, _| format!("{}", mark.value)).show(ui, |plot| {
            let height_of = |residual: &f64| residual.max(FLOOR).log10();
            let points: Vec<[f64; 2]> = iteration
                .residuals
                .iter()
                .enumerate()
                .map(|(sweep, residual)| [sweep as f64, height_of(residual)])
                .collect();
            let last = points.iter().rev().find(|point| point[1] > FLOOR.log10() + 2.0).copied();
            plot.line(Line::new("residual", PlotPoints::from(points)).color(colors.accent).width(2.0));
            if let Some([sweep, height]) = last.filter(|_| verdict.radius > 0.0) {
                let slope = verdict.radius.log10();
                let ends = vec![[0.0, height - sweep * slope], [sweep, height]];
                let line = Line::new("slope of ρ", PlotPoints::from(ends)).color(colors.weak).width(1.0);
                plot.line(line.style(LineStyle::dashed_loose()).allow_hover(false));
            }
        });
    named(response.response, "Residual of the sweeps");
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_rows_line_is_cut_at_the_frame() {
        let frame = [-1.0, -1.0, 1.0, 1.0];
        assert_eq!(line(&[1.0, 0.0], 0.5, frame), Some([[0.5, -1.0], [0.5, 1.0]]));
        assert_eq!(line(&[1.0, 1.0], 0.0, frame), Some([[-1.0, 1.0], [1.0, -1.0]]));
        assert_eq!(line(&[1.0, 1.0], 9.0, frame), None);
        assert_eq!(line(&[0.0, 0.0], 1.0, frame), None);
    }
}
