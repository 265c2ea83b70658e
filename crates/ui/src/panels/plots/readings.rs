//! Values of the curves at the cursors and under the pointer, and the labels of ticks.

use egui::Ui;
use egui_plot::{HoverPosition, PlotPoint, PlotResponse};

use super::{
    Plots,
    curves::sessions,
    scale::read,
    shown::{CurvePoint, ShownPlot, quantity},
};
use crate::{
    panels::compare,
    view::View,
    widgets::{number, theme::Colors},
};
use delassus_session::TimeTick;

/// Draws the values of the curves at the cursors, and their differences.
pub(super) fn cursors<R>(
    ui: &Ui,
    shown: &ShownPlot,
    view: &View<'_>,
    state: &Plots,
    plot: &PlotResponse<R>,
    colors: &Colors,
) {
    let [Some(a), b] = state.cursors else { return };
    let step = |time: f64| view.samples.nearest(time).map(|sample| sample.step);
    // If the plot is too small, only the differences are shown; if it is smaller still, without names, in the order
    // of the curves.
    let (mut lines, mut short) = match b {
        Some(b) => {
            let span = format!("Δ {}", number::time((b - a).abs()));
            (vec![format!("{} → {}   {span}", number::time(a), number::time(b))], vec![span])
        }
        None => (vec![number::time(a)], vec![number::time(a)]),
    };
    let mut nameless = short.clone();
    for curve in &shown.curves {
        let (past, ahead) = curve.values(view.session);
        let at = |time: f64| {
            let step = step(time)?;
            let found =
                |values: &[CurvePoint]| values.binary_search_by_key(&step, |v| v.step).ok().map(|at| values[at].value);
            found(&past).or_else(|| found(&ahead))
        };
        let (Some(from), to) = (at(a), b.and_then(at)) else { continue };
        let text = |value: f64| curve.said(value);
        let (full, brief) = match to {
            Some(to) => (
                format!("{}  {} → {}   Δ {}", curve.name, text(from), text(to), text(to - from)),
                format!("Δ {}  {}", curve.name, text(to - from)),
            ),
            None => (format!("{}  {}", curve.name, text(from)), format!("{}  {}", curve.name, text(from))),
        };
        lines.push(full);
        short.push(brief);
        nameless.push(to.map_or_else(|| text(from), |to| format!("Δ {}", text(to - from))));
    }
    let frame = *plot.transform.frame();
    let painter = ui.painter().with_clip_rect(frame);
    let font = egui::FontId::monospace(10.0);
    let laid_out = |lines: &[String]| painter.layout_no_wrap(lines.join("\n"), font.clone(), colors.strong);
    let wide = |lines: &[String]| laid_out(lines).size().x > frame.width() - 12.0;
    let galley = if !wide(&lines) && laid_out(&lines).size().y <= 0.6 * frame.height() {
        laid_out(&lines)
    } else {
        laid_out(if wide(&short) { &nameless } else { &short })
    };
    let at = egui::pos2(frame.left() + 6.0, frame.bottom() - galley.size().y - 5.0);
    painter.rect_filled(egui::Rect::from_min_size(at, galley.size()).expand(3.0), 3.0, colors.overlay);
    painter.galley(at, galley, colors.strong);
}

/// Labels the ticks along the top edge, the newest first; labels that would overlap are left out.
pub(super) fn tick_names<R>(
    ui: &Ui,
    marks: &std::collections::VecDeque<TimeTick>,
    first: f64,
    plot: &PlotResponse<R>,
    colors: &Colors,
) {
    let frame = *plot.transform.frame();
    let painter = ui.painter().with_clip_rect(frame);
    let mut free_from = frame.right() - 2.0;
    for mark in marks.iter().rev().take_while(|m| m.time >= first) {
        let x = plot.transform.position_from_point(&PlotPoint::new(mark.time, 0.0)).x;
        let galley = painter.layout_no_wrap(mark.label.clone(), egui::FontId::proportional(10.5), colors.accent);
        let width = galley.size().x;
        // Right of its line if it fits there, otherwise left of it.
        let left = if x + 3.0 + width <= free_from { x + 3.0 } else { x - 3.0 - width };
        if left + width <= free_from && left >= frame.left() {
            let at = egui::pos2(left, frame.top() + 1.0);
            painter.rect_filled(egui::Rect::from_min_size(at, galley.size()).expand(1.0), 2.0, colors.panel);
            painter.galley(at, galley, colors.accent);
            free_from = left.min(x) - 4.0;
        }
    }
}

/// The readout: the time under the pointer and a line for each curve; for curves against each other the coordinates.
pub(super) fn hover_text(position: &HoverPosition<'_>, shown: &ShownPlot, view: &View<'_>) -> String {
    let at = match position {
        HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position } => *position,
    };
    if let Some(along) = &shown.against {
        let unit = shown.units.first().copied().unwrap_or_default();
        let y = read(at.y, shown.scale);
        return format!("{} {}\n{}", along.name, quantity(at.x, along.unit), quantity(y, unit));
    }
    let Some(sample) = view.samples.nearest(at.x) else { return number::time(at.x.max(0.0)) };
    let sessions = sessions(view);
    let mut lines = Vec::new();
    for (run, session) in sessions.iter().enumerate() {
        for curve in &shown.curves {
            let (past, ahead) = curve.values(session);
            let found = |values: &[CurvePoint]| {
                values.binary_search_by_key(&sample.step, |v| v.step).ok().map(|at| values[at].value)
            };
            let Some(value) = found(&past).or_else(|| found(&ahead)).filter(|value| value.is_finite()) else {
                continue;
            };
            let whose = if sessions.len() > 1 { format!("{} ", compare::letter(run)) } else { String::new() };
            lines.push(format!("{whose}{} {}", curve.name, curve.said(value)));
        }
    }
    lines.push(number::time(sample.time));
    lines.join("\n")
}
