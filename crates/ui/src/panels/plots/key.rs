//! A plot's legend: beside the title if all curves fit there, otherwise below it.

use egui::{Align2, FontId, Rect, Stroke, Ui, pos2, vec2};

use super::{curves::dashes, shown::ShownPlot};
use crate::widgets::{graph, named, theme};

/// Height of a line, points.
const LINE: f32 = 15.0;
/// Gap between two entries of the legend, points.
const GAP: f32 = 9.0;
/// Gap between a curve's line sample and its name, points.
const NEAR: f32 = 4.0;
/// The least height that a plot and its title need beside a legend below the title, points.
const LOW: f32 = 88.0;

/// The legend of a plot.
pub(super) struct PlotKey {
    names: Vec<String>,
    /// The position of each entry: points from the left, and line.
    places: Vec<(f32, usize)>,
    lines: usize,
    /// The width of the widest line, and the length of a line sample, points.
    width: f32,
    stroke: f32,
    /// Whether the plot shows several runs. Then colours tell the runs apart, and dashes the curves.
    runs: bool,
}

/// The curves' names without the common ending after a comma, which the title has: `left` and `right` for `left, error`
/// and `right, error`. If there is only one curve, its name is kept whole.
fn short(shown: &ShownPlot) -> Vec<String> {
    let mut names: Vec<String> = shown.curves.iter().map(|curve| curve.name.clone()).collect();
    while names.len() > 1 && !shown.title.is_empty() {
        let Some(end) = names[0].rfind(", ").map(|at| names[0][at..].to_owned()) else { break };
        if names.iter().any(|name| name.len() <= end.len() || !name.ends_with(&end)) {
            break;
        }
        names.iter_mut().for_each(|name| name.truncate(name.len() - end.len()));
    }
    names
}

impl PlotKey {
    /// The legend of this plot, `room` points wide; `None` if its only curve has the same name as the plot.
    pub(super) fn of(ui: &Ui, shown: &ShownPlot, room: f32, runs: bool) -> Option<Self> {
        if shown.curves.len() == 1 && shown.curves[0].name == shown.title {
            return None;
        }
        let names = short(shown);
        let stroke = if runs { 14.0 } else { 9.0 };
        let (mut x, mut line, mut widest) = (0.0f32, 0, 0.0f32);
        let mut places = Vec::new();
        for name in &names {
            let width = stroke + NEAR + text_width(ui, name);
            if x > 0.0 && x + width > room {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line));
            widest = widest.max(x + width);
            x += width + GAP;
        }
        Some(Self { names, places, lines: line + 1, width: widest, stroke, runs })
    }

    /// The short name of the first curve.
    pub(super) fn first(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Whether it fits into one line of this width, points.
    pub(super) fn fits(&self, room: f32) -> bool {
        self.lines == 1 && self.width <= room
    }

    /// Whether a plot of this height (points, with its title) has room for the legend below the title.
    pub(super) fn fits_below(&self, height: f32) -> bool {
        height - LINE * self.lines as f32 >= LOW
    }

    /// Draws the legend; its accessible name lists the curves.
    pub(super) fn show(&self, ui: &mut Ui, shown: &ShownPlot) {
        let colors = theme::colors(ui.visuals());
        let size = vec2(self.width, LINE * self.lines as f32);
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
        for (index, (name, (x, line))) in self.names.iter().zip(&self.places).enumerate() {
            let left = rect.min + vec2(*x, *line as f32 * LINE);
            let at = Rect::from_min_size(left, vec2(self.stroke, LINE));
            let ink = if self.runs { colors.weak } else { theme::curve(index, ui.visuals()) };
            let (stroke, ends) = (Stroke::new(2.0, ink), [at.left_center(), at.right_center()]);
            graph::sample(ui, ends, stroke, dashes(index, self.runs));
            let words = pos2(at.right() + NEAR, at.center().y);
            ui.painter().text(words, Align2::LEFT_CENTER, name, font(), colors.weak);
        }
        named(response, &format!("Key of {}: {}", shown.title, self.names.join(", ")));
    }
}

fn font() -> FontId {
    FontId::proportional(11.5)
}

fn text_width(ui: &Ui, text: &str) -> f32 {
    let color = theme::colors(ui.visuals()).weak;
    ui.painter().layout_no_wrap(text.to_owned(), font(), color).size().x
}
