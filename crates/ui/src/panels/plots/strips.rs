//! The default plots, which are also the first entries of a plot's menu.

use crate::{panels::plots::Plots, view::View};
use delassus_scene::{Plot, PlotScale};

/// A default plot: quantities with their short names.
pub(super) struct Strip {
    pub(super) title: &'static str,
    /// The least span of its axis, so that insignificant values do not fill the plot.
    pub(super) at_least: f64,
    /// Name and quantity. A quantity that begins with a dot is one of the watched joint.
    pub(super) curves: &'static [(&'static str, &'static str)],
}

/// A curve that only scenes with springs have.
const SPRING_ENERGY: &str = "spring_energy";

const ENERGY: usize = 0;
const JOINT_ERROR: usize = 1;
const PENETRATION: usize = 2;
const MOMENTUM: usize = 4;
pub(super) const VALUE: usize = 8;
pub(super) const SPEED: usize = 9;

const fn strip(title: &'static str, at_least: f64, curves: &'static [(&'static str, &'static str)]) -> Strip {
    Strip { title, at_least, curves }
}

pub(super) const STRIPS: [Strip; 10] = [
    strip(
        "Energy",
        1e-3,
        &[
            ("total", "energy"),
            ("kinetic", "kinetic_energy"),
            ("potential", "potential_energy"),
            ("springs", SPRING_ENERGY),
        ],
    ),
    strip("Joint error", 1e-3, &[("worst", "joint_error_max"), ("mean", "joint_error_mean")]),
    strip("Penetration", 1e-3, &[("deepest", "penetration_max")]),
    strip("Joint angle error", 2e-4, &[("worst", "angular_error_max")]),
    strip("Momentum", 1e-3, &[("x", "momentum_x"), ("y", "momentum_y"), ("z", "momentum_z")]),
    strip(
        "Angular momentum",
        1e-3,
        &[("x", "angular_momentum_x"), ("y", "angular_momentum_y"), ("z", "angular_momentum_z")],
    ),
    strip("Residual", 1e-6, &[("after the last sweep", "residual")]),
    strip("Sweeps", 1.0, &[("a sub-step", "sweeps")]),
    strip("Joint value", 1e-3, &[("value", ".value")]),
    strip("Joint speed", 1e-3, &[("speed", ".speed")]),
];

impl Strip {
    /// The strip as a plot of the document; `joint` is the name of the watched joint.
    pub(super) fn plot(&self, joint: Option<&str>, view: &View<'_>) -> Plot {
        let text = |text: &str| match text.strip_prefix('.') {
            Some(column) => format!("joints.{}.{column}", joint.unwrap_or("?")),
            None => text.to_owned(),
        };
        let springs = || view.snapshot.joints.iter().any(|joint| joint.kind.spring().is_some());
        let shown = self.curves.iter().filter(|(_, quantity)| *quantity != SPRING_ENERGY || springs());
        let curves = shown.map(|(_, quantity)| text(quantity)).collect();
        let watched = self.curves.iter().any(|(_, quantity)| quantity.starts_with('.'));
        // A plot of a joint gets its title from the joint.
        let title = if watched { String::new() } else { self.title.to_owned() };
        Plot { title, curves, against: String::new(), scale: PlotScale::Full }
    }

    /// Whether a plot is this strip.
    pub(super) fn is(&self, plot: &Plot) -> bool {
        plot.title == self.title
    }
}

/// The default of a slot for which nothing was chosen. Slot 0: energy; slot 1: joint error, or momentum if there are
/// no joints; slot 2: the speed of a motor, or the value of the watched joint if there are no contacts, else
/// penetration.
pub(super) fn chosen(slot: usize, view: &View<'_>, state: &Plots) -> usize {
    if let Some(index) = state.chosen[slot] {
        return index.min(STRIPS.len() - 1);
    }
    let kind = view.session.watched().and_then(|i| view.snapshot.joints.get(i)).map(|joint| joint.kind);
    match (slot, kind) {
        (0, _) => ENERGY,
        (1, _) if view.snapshot.joints.is_empty() => MOMENTUM,
        (1, _) => JOINT_ERROR,
        (_, Some(kind)) if kind.motor().is_some() => SPEED,
        (_, Some(_)) if view.samples.samples.iter().rev().take(600).all(|s| s.metrics.contacts == 0) => VALUE,
        _ => PENETRATION,
    }
}

/// The scene's plots, or the default ones if it has none.
pub(super) fn plots(view: &View<'_>, state: &Plots) -> Vec<Plot> {
    if !view.scene.plots.is_empty() {
        return view.scene.plots.to_vec();
    }
    let watched = view.session.watched().and_then(|index| view.snapshot.joints.get(index));
    let joint = watched.map(|joint| &*joint.name);
    (0..state.chosen.len()).map(|slot| STRIPS[chosen(slot, view, state)].plot(joint, view)).collect()
}
