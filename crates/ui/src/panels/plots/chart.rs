//! Draws a plot: curves against time or each other, lines of stops and motors, ticks where a setting was changed,
//! cursors, and the readout. Curves of a second unit are scaled to the first unit's range and have their own axis at
//! the right.

use egui::{Align2, FontId, Id, Ui, Vec2b};
use egui_plot::{GridMark, HLine, HPlacement, Line, LineStyle, PlotPoints, Points, VLine};

use super::{
    Plots, beyond,
    curves::{PlottedCurve, dashes, drawn, earlier, nearest, shown_span, thin},
    hands::hands,
    overlap::{self, Piece},
    readings::{cursors, hover_text, tick_names},
    scale::{least_span, marks, placed, range, read, tick},
    shown::ShownPlot,
};
use crate::{
    panels::compare,
    request::Request,
    view::View,
    widgets::{graph, named, theme},
};
use delassus_scene::PlotScale;

/// Curves nearer than this coincide, and then each is drawn in stretches of this length, points.
const NEAR: f64 = 1.2;
const STRIPE: f64 = 9.0;

pub(super) fn plot(
    ui: &mut Ui,
    slot: usize,
    shown: &ShownPlot,
    view: &View<'_>,
    state: &mut Plots,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    let samples = view.samples;
    let (first, end) = shown_span(samples, state);
    let mut sketch = state.sketch.take();
    let sketched = sketch.as_ref().and_then(|sketch| Some((sketch, sketch.curve(shown)?)));
    let drawn = drawn(shown, view, (first, end));
    // While a prediction is drawn, an earlier run would give it away and stretch the axis. Beside other runs it would be
    // taken for one of them.
    let is_open = sketch.as_ref().is_some_and(|sketch| sketch.open);
    let runs = !view.session.runs().is_empty();
    let ghosts = if is_open || runs { Vec::new() } else { earlier(shown, view, (first, end)) };
    // The range of each unit; the others are mapped to the first.
    let reach = |axis: usize| {
        let of_unit = drawn.iter().chain(&ghosts).filter(|drawn| shown.curves[drawn.index].axis == axis);
        let values = of_unit.flat_map(|drawn| drawn.past.iter().chain(&drawn.ahead)).map(|point| point[1]);
        let lines = shown.lines.iter().filter(|_| axis == 0).map(|(_, at)| *at);
        let sketch = sketched.filter(|(_, curve)| curve.axis == axis);
        let by_hand = sketch.into_iter().flat_map(|(sketch, curve)| sketch.reach(curve.scale));
        shown.range(axis, values.chain(lines).chain(by_hand))
    };
    let ranges: Vec<(f64, f64)> = (0..shown.units.len().max(1)).map(reach).collect();
    let (low, high) = ranges[0];
    let over = |axis: usize, value: f64| {
        let (from, to) = ranges[axis];
        let at = placed(value, shown.scale);
        if axis == 0 { at } else { low + (at - from) / (to - from) * (high - low) }
    };
    let back = |axis: usize, at: f64| {
        let (from, to) = ranges[axis];
        read(if axis == 0 { at } else { from + (at - low) / (high - low) * (to - from) }, shown.scale)
    };
    // The number of time labels and of grid lines for which there is room.
    let times = f64::from(ui.available_width() / 80.0).clamp(1.0, 12.0).floor();
    let heights = f64::from(ui.available_height() / 50.0).clamp(3.0, 8.0).floor();
    let counts = shown.counts(0);
    let unit = shown.units.first().copied().unwrap_or_default();
    let scale = shown.scale;
    // Without a line the numbers of the axis mean nothing.
    let has_line = |curve: &PlottedCurve| {
        let all = curve.past.iter().chain(&curve.ahead);
        all.filter(|point| point.iter().all(|value| value.is_finite())).nth(1).is_some()
    };
    let by_hand = sketched.is_some_and(|(sketch, _)| sketch.open || !sketch.drawn.is_empty());
    let empty = !by_hand && !drawn.iter().chain(&ghosts).any(has_line);
    let label = move |mark, _: &_| if empty { String::new() } else { tick(mark, unit, scale) };
    let mut axes = vec![graph::upright(52.0).formatter(label)];
    if let (Some(other), Some((from, to))) = (shown.units.get(1).copied(), ranges.get(1).copied()) {
        let step = (to - from) / heights;
        let of_other = move |mark: GridMark| GridMark {
            value: from + (mark.value - low) / (high - low) * (to - from),
            step_size: if scale == PlotScale::Logarithmic { mark.step_size } else { step },
        };
        let axis = graph::upright(44.0).placement(HPlacement::Right);
        axes.push(axis.formatter(move |mark, _| tick(of_other(mark), other, scale)));
    }
    let along = shown.against.as_ref().map_or("s", |curve| curve.unit);
    let mut plot = graph::still(ui, ("plot", slot))
        .height(ui.available_height() - 2.0)
        .custom_y_axes(axes)
        .x_grid_spacer(move |input| marks(&input, times, 0.0))
        .y_grid_spacer(move |input| marks(&input, heights, if counts { 1.0 } else { 0.0 }))
        .x_axis_formatter(move |mark, _| match along {
            "s" => format!("{} s", (mark.value * 1e4).round() / 1e4),
            unit => tick(mark, unit, PlotScale::Full),
        })
        .label_formatter(|position| Some(hover_text(position, shown, view)));
    if shown.against.is_none() {
        let link = Id::unique("plots of time");
        plot = plot.link_axis(link, Vec2b::new(true, false)).link_cursor(link, Vec2b::new(true, false));
    }
    let x = match &shown.against {
        None => (first, end),
        Some(curve) => {
            let min_span = least_span(curve.unit);
            let along = drawn.iter().flat_map(|drawn| drawn.past.iter().chain(&drawn.ahead)).map(|point| point[0]);
            range(along, PlotScale::Robust, min_span)
        }
    };
    let now = samples.samples.back().filter(|_| samples.ahead().len() > 0);
    let visuals = ui.visuals().clone();
    let ink = |curve: &PlottedCurve| match runs {
        true => compare::color(curve.run, &visuals),
        false => theme::curve(curve.index, &visuals),
    };
    let place = |curve: &PlottedCurve, points: &[[f64; 2]]| -> Piece {
        let axis = shown.curves[curve.index].axis;
        let placed = points.iter().map(|[x, y]| [*x, over(axis, *y)]);
        let placed = placed.filter(|point| point.iter().all(|value| value.is_finite()));
        if shown.against.is_some() { placed.collect() } else { thin(placed.collect()) }
    };
    let curves: Vec<Piece> = drawn.iter().map(|curve| place(curve, &curve.past)).collect();
    let size = ui.available_size();
    let (near, stripe) = (NEAR * (high - low) / f64::from(size.y), STRIPE * (x.1 - x.0) / f64::from(size.x));
    let pieces = match shown.against {
        None => overlap::pieces(&curves, near, stripe),
        Some(_) => curves.iter().map(|curve| vec![curve.clone()]).collect(),
    };
    let response = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(x.0..=x.1);
        plot.set_plot_bounds_y(low..=high);
        let line = |curve: &PlottedCurve, points| {
            Line::new(shown.curves[curve.index].name.as_str(), PlotPoints::from(points))
                .style(graph::dashed(dashes(curve.index, runs)))
        };
        for curve in &ghosts {
            let ghost = line(curve, place(curve, &curve.past)).id(("earlier", curve.index)).allow_hover(false);
            plot.line(ghost.color(ink(curve).gamma_multiply(0.35)).width(1.2));
        }
        for (curve, pieces) in drawn.iter().zip(pieces) {
            let ink = ink(curve);
            let whole = pieces.len() == 1;
            for (part, piece) in pieces.into_iter().enumerate() {
                let id = ("curve", curve.run, curve.index, part);
                let line = line(curve, piece).id(id).color(ink).width(1.6);
                // The stretches of curves that coincide are dashes already.
                plot.line(if whole { line } else { line.style(LineStyle::Solid).width(2.0) });
            }
            if !curve.ahead.is_empty() {
                // The part after the displayed moment, beginning with that moment so that the curve has no gap.
                let ahead_from_now: Vec<[f64; 2]> =
                    curve.past.last().into_iter().chain(&curve.ahead).copied().collect();
                plot.line(line(curve, place(curve, &ahead_from_now)).color(ink.gamma_multiply(0.45)).width(1.6));
            }
        }
        for (name, at) in &shown.lines {
            let line = HLine::new(*name, over(0, *at)).color(colors.warn).width(1.0).style(LineStyle::dashed_loose());
            plot.hline(line);
        }
        if let Some((sketch, curve)) = sketched {
            sketch.draw(plot, curve.scale, colors.strong, |value| over(curve.axis, value));
        }
        if shown.against.is_some() {
            return;
        }
        // Marks the values in the readout on their curves.
        if let Some(at) = plot.pointer_coordinate().filter(|_| plot.response().hovered()) {
            for curve in &drawn {
                let plotted = &shown.curves[curve.index];
                let near = nearest(&curve.past, at.x).into_iter().chain(nearest(&curve.ahead, at.x));
                let near = near.min_by(|p, q| (p[0] - at.x).abs().total_cmp(&(q[0] - at.x).abs()));
                let point = near.map(|[x, y]| [x, over(plotted.axis, y)]).filter(|[_, y]| y.is_finite());
                plot.points(
                    Points::new("read", point.into_iter().collect::<Vec<_>>())
                        .color(ink(curve))
                        .radius(3.5)
                        .allow_hover(false),
                );
            }
        }
        if let Some(now) = now {
            plot.vline(VLine::new("now", now.time).color(colors.strong).width(1.5).allow_hover(false));
        }
        for mark in samples.marks.iter().filter(|m| m.time >= first) {
            let line = VLine::new(format!("{} {}", mark.label, mark.step), mark.time);
            plot.vline(line.color(colors.accent).width(1.0).style(LineStyle::dashed_dense()).allow_hover(false));
        }
        for at in state.cursors.iter().flatten() {
            plot.vline(VLine::new("cursor", *at).color(colors.good).width(1.2).allow_hover(false));
        }
    });
    if empty {
        let words = if samples.samples.len() < 2 { "Nothing has run yet" } else { "No values yet" };
        let at = response.transform.frame().center();
        ui.painter().text(at, Align2::CENTER_CENTER, words, FontId::proportional(12.5), colors.weak);
    }
    for (peak, up) in beyond::peaks(&curves, (low, high)).into_iter().zip([true, false]) {
        let Some((index, [x, y])) = peak else { continue };
        let curve = &shown.curves[drawn[index].index];
        let words = curve.said(back(curve.axis, y));
        beyond::sign(ui, &response, (x, up), (&words, ink(&drawn[index])), colors);
    }
    if shown.against.is_none() {
        tick_names(ui, &samples.marks, first, &response, colors);
        cursors(ui, shown, view, state, &response, colors);
        let curve = sketched.filter(|(sketch, _)| sketch.open).map(|(_, curve)| curve);
        match sketch.as_mut().zip(curve) {
            Some((sketch, curve)) => sketch.pointer(ui, &response, |at| back(curve.axis, at) / curve.scale),
            None => hands(ui, &response, view, state, (first, end), out),
        }
    }
    state.sketch = sketch;
    named(response.response, &shown.title);
}
