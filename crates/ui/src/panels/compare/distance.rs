//! The distance of the other runs from the reference over time, on a logarithmic scale.

use egui::{RichText, Ui};
use egui_plot::{HLine, Line, LineStyle, PlotPoints, VLine};

use super::{color, letter, name};
use crate::{
    request::Request,
    view::View,
    widgets::{graph, named, number::length, theme},
};
use delassus_session::Command;

/// The lower end of the axis; smaller distances are drawn as this, m.
const MIN_DISTANCE: f64 = 1e-9;
/// The most points of a curve; more are not visible.
const MOST_POINTS: usize = 1200;

pub(super) fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let session = view.session;
    let (apart, reference) = (session.divergence(), session.reference_run());
    let rate = f64::from(session.settings().step.rate);
    let (from, _) = session.runs_from();
    let begin = session.time_of(from);
    let time = |step: u64| begin + (step - from.min(step)) as f64 / rate;
    ui.label(RichText::new(format!("Distance from {}", letter(reference))).color(colors.strong))
        .on_hover_text("The largest distance of a body's centre from its place in the reference; a click goes there");
    let least = MIN_DISTANCE.log10();
    let plot = graph::still(ui, "distance of runs")
        .include_y(least)
        .include_y(-2.0)
        .y_axis_min_width(52.0)
        .y_grid_spacer(egui_plot::uniform_grid_spacer(|_| [9.0, 3.0, 3.0]))
        .y_axis_formatter(|mark, _| length(10f64.powf(mark.value)))
        .x_axis_formatter(graph::seconds)
        .label_formatter(|_| None);
    let response = plot.show(ui, |plot| {
        for run in (0..=session.runs().len()).filter(|run| *run != reference) {
            let all = apart.of(run, reference);
            let every = all.len().div_ceil(MOST_POINTS).max(1);
            // The largest value of each interval, so that peaks stay.
            let all: Vec<(u64, f32)> = all.collect();
            let points: Vec<[f64; 2]> = (all.chunks(every))
                .filter_map(|part| part.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)))
                .filter(|(_, far)| far.is_finite())
                .map(|(step, far)| [time(step), f64::from(far).max(MIN_DISTANCE).log10()])
                .collect();
            let ink = color(run, &plot.ctx().global_style().visuals);
            plot.line(Line::new(name(view, run), PlotPoints::from(points)).color(ink).width(1.8));
        }
        if apart.epsilon() > 0.0 {
            let line = HLine::new("ε", apart.epsilon().log10().max(least));
            plot.hline(line.color(colors.warn).width(1.0).style(LineStyle::dashed_loose()).allow_hover(false));
        }
        let now = VLine::new("now", time(view.snapshot.step));
        plot.vline(now.color(colors.strong).width(1.0).allow_hover(false));
    });
    let (response, transform) = (response.response, response.transform);
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        let steps = (transform.value_from_position(at).x - begin) * rate;
        let step = from + steps.round().max(0.0) as u64;
        out.push(Request::Session(Command::Seek(step.min(apart.end().saturating_sub(1)))));
    }
    named(response, "Distance along time");
}
