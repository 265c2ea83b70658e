//! The points of a plot's curves that are drawn: for each run its values in a time span, before and after the
//! displayed moment, thinned to what is visible.

use super::Plots;
use super::shown::{CurvePoint, PlotCurve, ShownPlot};
use crate::view::View;
use delassus_session::{Samples, Session};

/// The longest time span shown by default, s.
const WINDOW: f64 = 20.0;
/// The most points of a curve; more are not visible at a plot's width.
const MOST_POINTS: usize = 700;

/// The points of one curve of the plot in one run.
pub(super) struct PlottedCurve {
    /// Index of the run; 0 is the current one.
    pub(super) run: usize,
    /// Index of the curve in the plot.
    pub(super) index: usize,
    /// (x, value in the curve's unit) up to the displayed moment, and after it.
    pub(super) past: Vec<[f64; 2]>,
    pub(super) ahead: Vec<[f64; 2]>,
}

/// The dash pattern of a curve. With several runs, which are told apart by colour, each quantity has its own pattern.
pub(super) fn dashes(index: usize, runs: bool) -> usize {
    if runs { index % 4 } else { index / 4 % 4 }
}

/// The current run and those it is compared with.
pub(super) fn sessions<'a>(view: &View<'a>) -> Vec<&'a Session> {
    let session: &'a Session = view.session;
    std::iter::once(session).chain(session.runs().iter().map(|run| run.session())).collect()
}

/// All curves of all runs in a time span, s.
pub(super) fn drawn(shown: &ShownPlot, view: &View<'_>, (first, end): (f64, f64)) -> Vec<PlottedCurve> {
    let mut all = Vec::new();
    for (run, session) in sessions(view).into_iter().enumerate() {
        let against = shown.against.as_ref().map(|curve| curve.values(session));
        for (index, curve) in shown.curves.iter().enumerate() {
            let (past, ahead) = curve.values(session);
            let within = |values: Vec<CurvePoint>, x: Option<&Vec<CurvePoint>>| -> Vec<[f64; 2]> {
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
            all.push(PlottedCurve { run, index, past: within(past, x_past), ahead: within(ahead, x_ahead) });
        }
    }
    all
}

/// The curves of the run before its last reset, in a time span, s.
pub(super) fn earlier(shown: &ShownPlot, view: &View<'_>, (first, end): (f64, f64)) -> Vec<PlottedCurve> {
    let Some(samples) = view.session.earlier().filter(|_| shown.against.is_none()) else { return Vec::new() };
    let drawn = |(index, curve): (usize, &PlotCurve)| {
        let (past, ahead) = curve.values_of(samples, u64::MAX);
        let within = past.iter().chain(&ahead).filter(|value| (first..=end).contains(&value.time));
        let past = within.map(|value| [value.time, value.value]).collect();
        PlottedCurve { run: 0, index, past, ahead: Vec::new() }
    };
    shown.curves.iter().enumerate().map(drawn).collect()
}

/// The time span of the plots, s: the zoomed one, or the default one. While a prediction is drawn it is that of the
/// prediction, and afterwards it contains it.
pub(super) fn shown_span(samples: &Samples, state: &Plots) -> (f64, f64) {
    let (first, end) = state.span.unwrap_or_else(|| span(samples));
    match &state.sketch {
        Some(sketch) if sketch.open => (0.0, sketch.seconds),
        Some(sketch) if state.span.is_none() && first == 0.0 && !sketch.drawn.is_empty() => {
            (first, end.max(sketch.seconds))
        }
        _ => (first, end),
    }
}

/// The default time span of the plots, s: up to [`WINDOW`] long, from the start of the run or later. If an earlier
/// moment is displayed, it includes up to half a window after that moment.
pub(super) fn span(samples: &Samples) -> (f64, f64) {
    /// The shortest time span, s: a shorter run does not fill the plots.
    const MIN_SPAN: f64 = 0.5;
    let now = samples.samples.back().map_or(0.0, |s| s.time);
    let end = samples.ahead().next_back().map_or(now, |last| last.time.min(now + 0.5 * WINDOW));
    let first = samples.samples.front().map_or(0.0, |s| s.time).max(end - WINDOW);
    (first, end.max(first + MIN_SPAN))
}

/// The point of a curve with increasing times that is nearest to a time.
pub(super) fn nearest(points: &[[f64; 2]], time: f64) -> Option<[f64; 2]> {
    let after = points.partition_point(|point| point[0] < time);
    let both = points[after.saturating_sub(1)..].iter().take(2);
    both.min_by(|p, q| (p[0] - time).abs().total_cmp(&(q[0] - time).abs())).copied()
}

/// At most about [`MOST_POINTS`] points: of each interval the first, and the one whose value differs most from it, so
/// that spikes stay.
pub(super) fn thin(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_session::{Metrics, Sample};

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
    fn the_point_nearest_to_a_time_is_read() {
        let points: Vec<[f64; 2]> = (0..5).map(|k| [f64::from(k), f64::from(k * k)]).collect();
        for (time, expected) in [(-3.0, 0.0), (0.4, 0.0), (0.6, 1.0), (2.0, 4.0), (3.6, 16.0), (9.0, 16.0)] {
            assert_eq!(nearest(&points, time).map(|point| point[1]), Some(expected), "at {time}");
        }
        assert_eq!(nearest(&[], 1.0), None);
    }

    #[test]
    fn the_axis_begins_with_the_scene() {
        let mut samples = Samples::default();
        assert_eq!(span(&samples), (0.0, 0.5));
        let mut reaches = |to: u64| {
            let from = samples.samples.back().map_or(0, |s| s.step + 1);
            (from..=to).for_each(|step| samples.push(sample(step, step as f64 / 10.0), std::iter::empty()));
            span(&samples)
        };
        assert_eq!(reaches(0), (0.0, 0.5));
        assert_eq!(reaches(3), (0.0, 0.5));
        assert_eq!(reaches(150), (0.0, 15.0));
        assert_eq!(reaches(500), (50.0 - WINDOW, 50.0));
        samples.clear();
        assert_eq!(span(&samples), (0.0, 0.5), "nothing is left of the scene before");
    }
}
