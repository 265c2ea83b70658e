//! A plot's picture: curves against time or each other, the lines of stops and motors, ticks where a switch was flipped,
//! cursors, and what the pointer reads. Axes of other units than the first one's are laid over it and written at the
//! right.

use egui::{Id, PointerButton, Ui, Vec2b};
use egui_plot::{
    AxisHints, GridInput, GridMark, HLine, HPlacement, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints,
    VLine,
};

use super::{
    Plots,
    scale::{placed, range, read},
    shown::{Shown, Value, quantity},
};
use crate::scene::PlotScale;
use crate::session::{Command, Mark, Samples, Session};
use crate::ui::{
    panels::compare,
    request::Request,
    view::View,
    widgets::{
        angles, number,
        theme::{self, Colors},
    },
};

/// Simulated time that fits in the plots, s.
const WINDOW: f64 = 20.0;
/// More points than this say nothing more at a plot's width.
const MOST_POINTS: usize = 700;
/// No closer look than this, s.
const CLOSEST: f64 = 1e-3;

/// A curve of a run as it is drawn.
pub(super) struct Drawn {
    pub(super) run: usize,
    pub(super) index: usize,
    /// Along the axis below, and the value in the curve's own unit, up to the moment that is shown and behind it.
    pub(super) past: Vec<[f64; 2]>,
    pub(super) ahead: Vec<[f64; 2]>,
}

/// Which pattern of strokes a curve has: among runs, which have the colours, one for each quantity.
pub(super) fn dashes(index: usize, runs: bool) -> usize {
    if runs { index % 4 } else { index / 4 % 4 }
}

/// Whole, or one of three patterns of strokes.
fn style(dashes: usize) -> LineStyle {
    match dashes {
        0 => LineStyle::Solid,
        1 => LineStyle::dashed_dense(),
        2 => LineStyle::dotted_dense(),
        _ => LineStyle::dashed_loose(),
    }
}

/// The run at hand and those beside it.
pub(super) fn sessions<'a>(view: &View<'a>) -> Vec<&'a Session> {
    let session: &'a Session = view.session;
    std::iter::once(session).chain(session.runs().iter().map(|run| run.session())).collect()
}

/// All curves of all runs between two times, s.
pub(super) fn drawn(shown: &Shown, view: &View<'_>, (first, end): (f64, f64)) -> Vec<Drawn> {
    let mut all = Vec::new();
    for (run, session) in sessions(view).into_iter().enumerate() {
        let against = shown.against.as_ref().map(|curve| curve.values(session));
        for (index, curve) in shown.curves.iter().enumerate() {
            let (past, ahead) = curve.values(session);
            let within = |values: Vec<Value>, x: Option<&Vec<Value>>| -> Vec<[f64; 2]> {
                let from = values.partition_point(|value| value.time < first);
                let shown = values[from..].iter().take_while(|value| value.time <= end);
                match x {
                    None => shown.map(|value| [value.time, value.value]).collect(),
                    Some(x) => {
                        let at = |step: u64| x.binary_search_by_key(&step, |x| x.step).ok().map(|at| x[at].value);
                        shown.map(|value| [at(value.step).unwrap_or(f64::NAN), value.value]).collect()
                    }
                }
            };
            let (x_past, x_ahead) = against.as_ref().map(|(past, ahead)| (past, ahead)).unzip();
            all.push(Drawn { run, index, past: within(past, x_past), ahead: within(ahead, x_ahead) });
        }
    }
    all
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
    (first..=last.min(first.saturating_add(20))).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

pub(super) fn plot(
    ui: &mut Ui,
    slot: usize,
    shown: &Shown,
    view: &View<'_>,
    state: &mut Plots,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    let samples = view.samples;
    let (first, end) = state.span.unwrap_or_else(|| span(samples));
    let drawn = drawn(shown, view, (first, end));
    // From where to where each unit goes; the others are laid over the first.
    let reach = |axis: usize| {
        let of = drawn.iter().filter(|drawn| shown.curves[drawn.index].axis == axis);
        let values = of.flat_map(|drawn| drawn.past.iter().chain(&drawn.ahead)).map(|point| point[1]);
        let lines = shown.lines.iter().filter(|_| axis == 0).map(|(_, at)| *at);
        range(values.chain(lines), shown.scale, if axis == 0 { shown.at_least } else { 0.0 })
    };
    let ranges: Vec<(f64, f64)> = (0..shown.units.len().max(1)).map(reach).collect();
    let (low, high) = ranges[0];
    let over = |axis: usize, value: f64| {
        let (from, to) = ranges[axis];
        let at = placed(value, shown.scale);
        if axis == 0 { at } else { low + (at - from) / (to - from) * (high - low) }
    };
    // Closer to each other than this the times are left out, points.
    let times = f64::from(ui.available_width() / 80.0).clamp(1.0, 6.0).floor();
    let unit = shown.units.first().copied().unwrap_or_default();
    let scale = shown.scale;
    let mut axes = vec![AxisHints::new_y().min_thickness(52.0).formatter(move |mark, _| tick(mark, unit, scale))];
    if let (Some(other), Some((from, to))) = (shown.units.get(1).copied(), ranges.get(1).copied()) {
        let step = (to - from) / 3.0;
        let back = move |mark: GridMark| GridMark {
            value: from + (mark.value - low) / (high - low) * (to - from),
            step_size: if scale == PlotScale::Logarithmic { mark.step_size } else { step },
        };
        let axis = AxisHints::new_y().placement(HPlacement::Right).min_thickness(44.0);
        axes.push(axis.formatter(move |mark, _| tick(back(mark), other, scale)));
    }
    let along = shown.against.as_ref().map_or("s", |curve| curve.unit);
    let mut plot = Plot::new(("plot", slot))
        .height(ui.available_height() - 2.0)
        .show_background(false)
        .grid_color(colors.line)
        .cursor_color(colors.weak)
        .custom_y_axes(axes)
        .allow_scroll(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .x_grid_spacer(move |input| marks(&input, times))
        .y_grid_spacer(|input| marks(&input, 3.0))
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
        Some(_) => {
            let along = drawn.iter().flat_map(|drawn| drawn.past.iter().chain(&drawn.ahead)).map(|point| point[0]);
            range(along, PlotScale::Robust, 0.0)
        }
    };
    let now = samples.samples.back().filter(|_| samples.ahead().len() > 0);
    let runs = !view.session.runs().is_empty();
    let response = plot.show(ui, |plot| {
        plot.set_plot_bounds_x(x.0..=x.1);
        plot.set_plot_bounds_y(low..=high);
        let visuals = plot.ctx().global_style().visuals.clone();
        for curve in &drawn {
            let of = &shown.curves[curve.index];
            let ink = if runs { compare::color(curve.run, &visuals) } else { theme::curve(curve.index, &visuals) };
            let place = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
                let placed: Vec<[f64; 2]> = points.iter().map(|[x, y]| [*x, over(of.axis, *y)]).collect();
                let placed = placed.into_iter().filter(|point| point.iter().all(|value| value.is_finite()));
                if shown.against.is_some() { placed.collect() } else { thin(placed.collect()) }
            };
            let line =
                |points| Line::new(of.name.as_str(), PlotPoints::from(points)).style(style(dashes(curve.index, runs)));
            plot.line(line(place(&curve.past)).color(ink).width(1.6));
            if !curve.ahead.is_empty() {
                // What comes behind the moment that is shown, with that moment, so that the curve has no gap.
                let waits: Vec<[f64; 2]> = curve.past.last().into_iter().chain(&curve.ahead).copied().collect();
                plot.line(line(place(&waits)).color(ink.gamma_multiply(0.45)).width(1.6));
            }
        }
        for (name, at) in &shown.lines {
            let line = HLine::new(*name, over(0, *at)).color(colors.warn).width(1.0).style(LineStyle::dashed_loose());
            plot.hline(line);
        }
        if shown.against.is_some() {
            return;
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
    if shown.against.is_none() {
        tick_names(ui, &samples.marks, first, &response, colors);
        cursors(ui, shown, view, state, &response, colors);
        hands(ui, &response, view, state, (first, end), out);
    }
    crate::ui::widgets::named(response.response, &shown.title);
}

/// What the pointer does in a plot of time: a click or a drag goes to that moment, with Shift it sets a cursor; the wheel
/// with Ctrl looks closer, the middle button moves along, the right one chooses a stretch, a double click shows all.
fn hands<R>(
    ui: &Ui,
    plot: &egui_plot::PlotResponse<R>,
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
        state.span = Some((first - by, end - by));
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
            // A press that hardly moved chooses nothing.
            if (to - from).abs() > 0.01 * (end - first) {
                state.span = Some(closer((from.min(to), from.max(to))));
            }
            state.dragged = None;
        }
    }
}

/// A stretch of time that can be looked at.
fn closer((first, end): (f64, f64)) -> (f64, f64) {
    let middle = 0.5 * (first + end);
    let half = (0.5 * (end - first)).clamp(0.5 * CLOSEST, 1e6);
    if middle.is_finite() { (middle - half, middle + half) } else { (0.0, 2.0) }
}

/// What the curves are at the cursors, and by how much they differ between them.
fn cursors<R>(
    ui: &Ui,
    shown: &Shown,
    view: &View<'_>,
    state: &Plots,
    plot: &egui_plot::PlotResponse<R>,
    colors: &Colors,
) {
    let [Some(a), b] = state.cursors else { return };
    let step = |time: f64| view.samples.nearest(time).map(|sample| sample.step);
    // Where the plot is too small for all of it the differences alone.
    let (mut lines, mut short) = match b {
        Some(b) => {
            let apart = format!("Δ {}", number::time((b - a).abs()));
            (vec![format!("{} → {}   {apart}", number::time(a), number::time(b))], vec![apart])
        }
        None => (vec![number::time(a)], vec![number::time(a)]),
    };
    for curve in &shown.curves {
        let (past, ahead) = curve.values(view.session);
        let at = |time: f64| {
            let step = step(time)?;
            let found =
                |values: &[Value]| values.binary_search_by_key(&step, |v| v.step).ok().map(|at| values[at].value);
            found(&past).or_else(|| found(&ahead))
        };
        let (Some(from), to) = (at(a), b.and_then(at)) else { continue };
        let said = |value: f64| quantity(value, curve.unit);
        let (whole, brief) = match to {
            Some(to) => (
                format!("{}  {} → {}   Δ {}", curve.name, said(from), said(to), said(to - from)),
                format!("Δ {}  {}", curve.name, said(to - from)),
            ),
            None => (format!("{}  {}", curve.name, said(from)), format!("{}  {}", curve.name, said(from))),
        };
        lines.push(whole);
        short.push(brief);
    }
    let frame = *plot.transform.frame();
    let painter = ui.painter().with_clip_rect(frame);
    let font = egui::FontId::monospace(10.0);
    let laid_out = |lines: &[String]| painter.layout_no_wrap(lines.join("\n"), font.clone(), colors.strong);
    let whole = laid_out(&lines);
    let fits = whole.size().x <= frame.width() - 12.0 && whole.size().y <= 0.6 * frame.height();
    let galley = if fits { whole } else { laid_out(&short) };
    let at = egui::pos2(frame.left() + 6.0, frame.bottom() - galley.size().y - 5.0);
    painter.rect_filled(egui::Rect::from_min_size(at, galley.size()).expand(3.0), 3.0, colors.overlay);
    painter.galley(at, galley, colors.strong);
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
pub(super) fn span(samples: &Samples) -> (f64, f64) {
    /// A shorter run does not fill the plots, s.
    const LEAST: f64 = 2.0;
    let now = samples.samples.back().map_or(0.0, |s| s.time);
    let end = samples.ahead().next_back().map_or(now, |last| last.time.min(now + 0.5 * WINDOW));
    let first = samples.samples.front().map_or(0.0, |s| s.time).max(end - WINDOW);
    (first, end.max(first + LEAST))
}

/// At most [`MOST_POINTS`] points: of each stretch the first and the one farthest from it, so that spikes stay.
fn thin(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let stretch = (2 * points.len()).div_ceil(MOST_POINTS).max(1);
    if stretch <= 2 {
        return points;
    }
    let mut thinned = Vec::with_capacity(MOST_POINTS + 2);
    for part in points.chunks(stretch) {
        let first = part[0];
        thinned.push(first);
        let farthest = part[1..].iter().max_by(|a, b| (a[1] - first[1]).abs().total_cmp(&(b[1] - first[1]).abs()));
        thinned.extend(farthest);
    }
    thinned
}

/// What stands at a grid line; of angles with as many decimals as its neighbours want.
fn tick(mark: GridMark, unit: &str, scale: PlotScale) -> String {
    let GridMark { value, step_size } = mark;
    if scale == PlotScale::Logarithmic {
        return quantity(read(value, scale), unit);
    }
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

/// What the curves are at the pointer's time, a line each, and that time; of curves against each other where it is.
fn hover_text(position: &HoverPosition<'_>, shown: &Shown, view: &View<'_>) -> String {
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
            let found = |values: &[Value]| {
                values.binary_search_by_key(&sample.step, |v| v.step).ok().map(|at| values[at].value)
            };
            let Some(value) = found(&past).or_else(|| found(&ahead)).filter(|value| value.is_finite()) else {
                continue;
            };
            let whose = if sessions.len() > 1 { format!("{} ", compare::letter(run)) } else { String::new() };
            lines.push(format!("{whose}{} {}", curve.name, quantity(value, curve.unit)));
        }
    }
    lines.push(number::time(sample.time));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Metrics, Sample};

    fn sample(step: u64, time: f64) -> Sample {
        Sample { time, step, metrics: Metrics::default(), step_ms: 0.1, watched: None }
    }

    #[test]
    fn thinning_keeps_spikes() {
        let points: Vec<[f64; 2]> =
            (0..4000).map(|k| [f64::from(k) / 60.0, if k == 1234 { 5.0 } else { 0.01 }]).collect();
        let points = thin(points);
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
            (from..=to).for_each(|step| samples.push(sample(step, step as f64 / 10.0), std::iter::empty()));
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
    fn a_closer_look_has_an_end() {
        assert_eq!(closer((1.0, 3.0)), (1.0, 3.0));
        let (first, end) = closer((2.0, 2.0));
        assert!((end - first - CLOSEST).abs() < 1e-12);
        assert_eq!(closer((f64::NAN, 1.0)), (0.0, 2.0));
    }
}
