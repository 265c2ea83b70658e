//! What a plot can show, and what it shows unasked.

use crate::physics::joints::Measure;
use crate::session::Sample;
use crate::ui::{panels::plots::Plots, view::View, widgets::angles::Angles};

/// A curve: its name and how to read it from a step's sample; not a number where there is nothing to read.
pub(super) struct Curve {
    pub(super) name: &'static str,
    pub(super) of: fn(&Sample) -> f64,
}

/// What a plot can show.
pub(super) struct Strip {
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    /// The axis reaches at least so far, so that rounding errors do not fill the plot.
    pub(super) at_least: f64,
    pub(super) curves: &'static [Curve],
}

pub(super) const ENERGY: usize = 0;
const JOINT_ERROR: usize = 1;
const PENETRATION: usize = 2;
const MOMENTUM: usize = 4;
const VALUE: usize = 8;
const SPEED: usize = 9;

/// A strip in one line.
macro_rules! strip {
    ($title:literal, $unit:literal, $at_least:literal, $($name:literal: $of:expr),*) => {
        Strip { title: $title, unit: $unit, at_least: $at_least, curves: &[$(Curve { name: $name, of: $of }),*] }
    };
}

pub(super) const STRIPS: [Strip; 10] = [
    strip!("Energy", "J", 1e-3, "total": |s| s.metrics.energy(), "kinetic": |s| s.metrics.kinetic_energy,
        "potential": |s| s.metrics.potential_energy),
    strip!("Joint error", "m", 1e-3, "worst": |s| s.metrics.joint_error_max, "mean": |s| s.metrics.joint_error_mean),
    strip!("Penetration", "m", 1e-3, "deepest": |s| s.metrics.penetration_max),
    strip!("Joint angle error", "rad", 2e-4, "worst": |s| s.metrics.angular_error_max),
    strip!("Momentum", "N·s", 1e-3, "x": |s| s.metrics.momentum.x, "y": |s| s.metrics.momentum.y,
        "z": |s| s.metrics.momentum.z),
    strip!("Angular momentum", "N·m·s", 1e-3, "x": |s| s.metrics.angular_momentum.x,
        "y": |s| s.metrics.angular_momentum.y, "z": |s| s.metrics.angular_momentum.z),
    strip!("Residual", "m/s", 1e-6, "after the last sweep": |s| s.metrics.residual),
    strip!("Sweeps", "", 1.0, "a sub-step": |s| s.metrics.sweeps),
    strip!("Joint value", "", 1e-3, "value": |s| s.watched.map_or(f64::NAN, |w| f64::from(w.value))),
    strip!("Joint speed", "", 1e-3, "speed": |s| s.watched.map_or(f64::NAN, |w| f64::from(w.speed))),
];

/// A strip as it is shown: the watched joint's has its name, its unit, and lines at its stops or its motor's speed.
pub(super) struct Shown {
    pub(super) strip: &'static Strip,
    pub(super) title: String,
    pub(super) unit: &'static str,
    /// From the sample's unit to the plot's.
    pub(super) scale: f64,
    /// The joint whose samples count.
    pub(super) joint: Option<usize>,
    pub(super) lines: Vec<(&'static str, f64)>,
}

impl Shown {
    pub(super) fn of(index: usize, view: &View<'_>, angles: Angles) -> Self {
        let strip = &STRIPS[index.min(STRIPS.len() - 1)];
        let mut shown =
            Self { strip, title: strip.title.into(), unit: strip.unit, scale: 1.0, joint: None, lines: Vec::new() };
        if strip.unit == "rad" {
            (shown.unit, shown.scale) = (angles.unit(), angles.per_radian());
        }
        if index != VALUE && index != SPEED {
            return shown;
        }
        let watched = view.session.watched();
        let Some(joint) = watched.and_then(|index| view.snapshot.joints.get(index)) else { return shown };
        shown.joint = watched;
        let angle = joint.kind.info().measures == Measure::Angle;
        if angle {
            shown.scale = angles.per_radian();
        }
        shown.unit = match (angle, index == VALUE) {
            (true, true) => angles.unit(),
            (true, false) => angles.rate_unit(),
            (false, true) => "m",
            (false, false) => "m/s",
        };
        shown.title = format!("{}, {}", joint.name, if index == VALUE { "value" } else { "speed" });
        let rest = view.session.world().and_then(|w| w.joints.get(watched?)).map_or(0.0, |j| j.rest_length);
        if index == VALUE
            && let Some((least, most)) = joint.kind.range(rest)
        {
            let stops = [("stop", f64::from(least) * shown.scale), ("stop", f64::from(most) * shown.scale)];
            shown.lines.extend(stops.into_iter().filter(|(_, at)| at.is_finite()));
        }
        if index == SPEED
            && let Some((speed, _)) = joint.kind.motor()
        {
            shown.lines.push(("motor", f64::from(speed) * shown.scale));
        }
        shown
    }

    pub(super) fn read(&self, curve: &Curve, sample: &Sample) -> f64 {
        if self.joint.is_some() && sample.watched.is_none_or(|w| Some(w.joint) != self.joint) {
            return f64::NAN;
        }
        (curve.of)(sample) * self.scale
    }
}

/// What a slot shows that nobody has chosen for: a motor's speed where there is one, a stopped joint's value where
/// nothing touches; where there are no joints, momentum in place of their error.
pub(super) fn chosen(slot: usize, view: &View<'_>, state: &Plots) -> usize {
    if let Some(index) = state.chosen[slot] {
        return index;
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
