//! Plots as figures for files: the shown curves over the shown time span, one panel for each unit.

use super::{Plots, curves, scale::read, shown::ShownPlot, strips};
use crate::{panels::compare, view::View, widgets::angles::Angles};
use delassus_figure::{COLORS, Curve, Figure, Panel};
use delassus_scene::{Plot, PlotScale};

/// A figure of all plots in the dock.
pub fn figure_of_all(view: &View<'_>, state: &Plots, angles: Angles) -> Figure {
    of(&strips::plots(view, state), view, state, angles)
}

/// A figure of these plots.
pub(super) fn of(plots: &[Plot], view: &View<'_>, state: &Plots, angles: Angles) -> Figure {
    let span = state.span.unwrap_or_else(|| curves::span(view.samples));
    let panels: Vec<Panel> =
        plots.iter().flat_map(|plot| panels(&ShownPlot::of(plot, view, angles), view, span)).collect();
    let columns = panels.len().min(if panels.len() > 3 { 2 } else { 1 }).max(1);
    Figure { title: view.session.title(), panels, columns }
}

fn panels(shown: &ShownPlot, view: &View<'_>, span: (f64, f64)) -> Vec<Panel> {
    let drawn = curves::drawn(shown, view, span);
    let runs = view.session.runs().len();
    let panel = |(axis, unit): (usize, &&'static str)| {
        let drawn_on_axis = drawn.iter().filter(|drawn| shown.curves[drawn.index].axis == axis);
        let curve = |drawn: &curves::PlottedCurve| {
            let name = &shown.curves[drawn.index].name;
            let whose = match runs {
                0 => String::new(),
                _ => format!("{} {}: ", compare::letter(drawn.run), compare::name(view, drawn.run)),
            };
            Curve {
                name: format!("{whose}{name}"),
                unit: (*unit).to_owned(),
                color: COLORS[(if runs > 0 { drawn.run } else { drawn.index }) % COLORS.len()],
                dashes: curves::dashes(drawn.index, runs > 0),
                points: drawn.past.iter().chain(&drawn.ahead).copied().collect(),
            }
        };
        let with_unit = |name: &str, unit: &str| {
            if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
        };
        // The vertical range that the window shows.
        let heights = {
            let values =
                drawn_on_axis.clone().flat_map(|drawn| drawn.past.iter().chain(&drawn.ahead)).map(|point| point[1]);
            let (low, high) = shown.range(axis, values);
            [low, high].map(|at| read(at, shown.scale))
        };
        Panel {
            title: shown.title.clone(),
            x: match &shown.against {
                None => "time (s)".into(),
                Some(curve) => with_unit(&curve.name, curve.unit),
            },
            y: match drawn_on_axis.clone().map(|drawn| &shown.curves[drawn.index].name).collect::<Vec<_>>().as_slice() {
                [one] => with_unit(one, unit),
                _ => (*unit).to_owned(),
            },
            logarithmic: shown.scale == PlotScale::Logarithmic,
            x_range: shown.against.is_none().then_some([span.0, span.1]),
            y_range: Some(heights),
            curves: drawn_on_axis.map(curve).collect(),
        }
    };
    shown.units.iter().enumerate().map(panel).collect()
}
