//! A plot ready to be drawn: its curves with names, units and values, and lines for a joint's stops and motor.

use crate::{
    panels::plots::{
        scale::{least_span, range, zero_span},
        strips::STRIPS,
    },
    view::View,
    widgets::{
        angles::{self, Angles},
        number::{self, without_rounding},
    },
};
use delassus_physics::joints::JointMeasure;
use delassus_scene::{Plot, PlotScale};
use delassus_session::{Quantity, Sample, Samples, Session};

/// A curve of a plot.
pub(super) struct PlotCurve {
    /// As the document writes it.
    pub(super) text: String,
    pub(super) name: String,
    pub(super) unit: &'static str,
    /// Whether its values are counts.
    pub(super) counted: bool,
    /// Factor from the quantity's unit to the plot's.
    pub(super) scale: f64,
    /// The quantity, or why it cannot be read.
    pub(super) quantity: Result<Quantity, String>,
    /// The index of the joint whose coordinate it is, and whether it is the rate of that coordinate.
    joint: Option<(usize, bool)>,
    /// Index into [`Shown::units`].
    pub(super) axis: usize,
    /// Whether values below what single precision can hold are said, too: on a logarithmic axis.
    exact: bool,
}

/// A plot ready to be drawn.
pub(super) struct ShownPlot {
    pub(super) title: String,
    pub(super) curves: Vec<PlotCurve>,
    /// The quantity along the horizontal axis, if not time.
    pub(super) against: Option<PlotCurve>,
    pub(super) scale: PlotScale,
    /// The least span of the first unit's axis, in that unit.
    at_least: f64,
    pub(super) lines: Vec<(&'static str, f64)>,
    /// The units of the curves, in the order of their first use.
    pub(super) units: Vec<&'static str>,
}

/// A value of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CurvePoint {
    pub(super) step: u64,
    /// Simulated time, s.
    pub(super) time: f64,
    pub(super) value: f64,
}

impl ShownPlot {
    pub(super) fn of(plot: &Plot, view: &View<'_>, angles: Angles) -> Self {
        let strip = STRIPS.iter().find(|strip| strip.is(plot));
        let mut units: Vec<&'static str> = Vec::new();
        let mut curves: Vec<PlotCurve> = plot.curves.iter().map(|text| PlotCurve::of(text, view, angles)).collect();
        for (index, curve) in curves.iter_mut().enumerate() {
            let usual = strip.and_then(|strip| strip.curves.iter().find(|(_, of)| *of == plot.curves[index]));
            if let Some((name, _)) = usual {
                curve.name = (*name).to_owned();
            }
            curve.exact = plot.scale == PlotScale::Logarithmic;
            curve.axis = units.iter().position(|unit| *unit == curve.unit).unwrap_or(units.len());
            if curve.axis == units.len() {
                units.push(curve.unit);
            }
        }
        let title = match (plot.title.as_str(), curves.as_slice()) {
            ("", [one]) => one.name.clone(),
            ("", _) => curves.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>().join(", "),
            (title, _) => title.to_owned(),
        };
        let lines = match curves.as_slice() {
            [one] => one.lines(view).into_iter().chain(one.limits(view)).collect(),
            _ => Vec::new(),
        };
        let at_least = strip.map_or(0.0, |strip| strip.at_least * curves.first().map_or(1.0, |curve| curve.scale));
        let against = (!plot.against.is_empty()).then(|| PlotCurve::of(&plot.against, view, angles));
        Self { title, curves, against, scale: plot.scale, at_least, lines, units }
    }
}

impl ShownPlot {
    /// The range of the axis of a unit for these values.
    pub(super) fn range(&self, axis: usize, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let least = self.least(axis);
        let zero = values.iter().all(|value| *value == 0.0);
        let unit = self.units.get(axis).copied().unwrap_or_default();
        range(values.into_iter(), self.scale, if zero { least.max(zero_span(unit)) } else { least })
    }

    /// The least span of the axis of a unit.
    fn least(&self, axis: usize) -> f64 {
        let usual = match self.counts(axis) {
            // Counts have nothing between 0 and 1.
            true => 1.0,
            false => least_span(self.units.get(axis).copied().unwrap_or_default()),
        };
        if axis == 0 { usual.max(self.at_least) } else { usual }
    }
}

impl ShownPlot {
    /// Whether all curves of a unit are counts.
    pub(super) fn counts(&self, axis: usize) -> bool {
        let mut curves_of_unit = self.curves.iter().filter(|curve| curve.axis == axis).peekable();
        curves_of_unit.peek().is_some() && curves_of_unit.all(|curve| curve.counted)
    }
}

impl PlotCurve {
    /// A value of the curve as text.
    pub(super) fn said(&self, value: f64) -> String {
        if self.counted && value.is_finite() {
            return format!("{value:.0}");
        }
        quantity(if self.exact { value } else { without_rounding(value, self.unit) }, self.unit)
    }

    fn of(text: &str, view: &View<'_>, angles: Angles) -> Self {
        let quantity = Quantity::read(text).and_then(|quantity| match quantity.missing(view.snapshot) {
            Some(missing) => Err(missing),
            None => Ok(quantity),
        });
        let Ok(read) = &quantity else {
            return Self {
                text: text.to_owned(),
                name: text.to_owned(),
                unit: "",
                counted: false,
                scale: 1.0,
                quantity,
                joint: None,
                axis: 0,
                exact: false,
            };
        };
        if let Some(sides) = read.difference() {
            let [a, b] = sides.each_ref().map(|side| Self::of(side.text(), view, angles));
            let column = a.name.rsplit_once(", ").filter(|own| b.name.rsplit_once(", ").is_some_and(|o| o.1 == own.1));
            let name = match column {
                Some((owner, column)) => {
                    let other = b.name.rsplit_once(", ").map_or("", |(other, _)| other);
                    format!("{owner} − {other}, {column}")
                }
                None => format!("{} − {}", a.name, b.name),
            };
            return Self { text: text.to_owned(), name, quantity, joint: None, ..a };
        }
        let (heading, owner) = (read.heading(), read.owner());
        let place = || view.snapshot.joints.iter().position(|joint| *joint.name == *owner);
        let joint = read.joint_reading().and_then(|(_, rate)| Some((place()?, rate)));
        let turns = |_: &str| {
            let kind = place().map(|index| view.snapshot.joints[index].kind);
            kind.is_none_or(|kind| kind.info().measures == JointMeasure::Angle)
        };
        let (unit, scale) = match read.unit(turns) {
            "rad" => (angles.unit(), angles.per_radian()),
            "rad/s" => (angles.rate_unit(), angles.per_radian()),
            // So that a long step is not shown as a thousand milliseconds.
            "ms" => ("s", 1e-3),
            unit => (unit, 1.0),
        };
        let column = heading.name.trim_end_matches("_ms").replace('_', " ");
        let name = if let Some(rest) = text.trim().strip_prefix("rows.") {
            let slot = rest.rsplit('.').nth(1).unwrap_or_default();
            format!("{owner}, row {slot} {column}")
        } else if owner.is_empty() {
            column
        } else if text.trim().starts_with("contacts.") {
            let whose = if owner.contains('+') { owner.replace('+', " and ") } else { format!("contacts of {owner}") };
            format!("{whose}, {column}")
        } else {
            format!("{owner}, {column}")
        };
        Self {
            text: text.to_owned(),
            name,
            unit,
            counted: heading.counted,
            scale,
            quantity,
            joint,
            axis: 0,
            exact: false,
        }
    }

    /// The stops of the joint whose coordinate is plotted, or the speed of its motor.
    fn lines(&self, view: &View<'_>) -> Vec<(&'static str, f64)> {
        let Some((index, rate)) = self.joint else { return Vec::new() };
        let Some(joint) = view.snapshot.joints.get(index) else { return Vec::new() };
        if rate {
            return joint.kind.motor().map(|(speed, _)| ("motor", f64::from(speed) * self.scale)).into_iter().collect();
        }
        let Some((least, most)) = joint.kind.range(joint.rest_length) else { return Vec::new() };
        let stops = [least, most].map(|at| ("stop", f64::from(at) * self.scale));
        stops.into_iter().filter(|(_, at)| at.is_finite()).collect()
    }

    /// The limits of the sensors of this quantity, beyond which they are in alarm.
    fn limits(&self, view: &View<'_>) -> Vec<(&'static str, f64)> {
        let sensors = view.scene.sensors.iter().filter(|sensor| sensor.of.trim() == self.text.trim());
        let readers = sensors.filter_map(|sensor| view.session.sensor_view(sensor).reader.ok());
        let limits = readers.flat_map(|reader| {
            let both = [("low limit", reader.low), ("high limit", reader.high)];
            both.map(|(name, limit)| limit.map(|limit| (name, limit * reader.factor * self.scale)))
        });
        limits.flatten().collect()
    }

    /// Its values up to the displayed moment, and those after it.
    pub(super) fn values(&self, session: &Session) -> (Vec<CurvePoint>, Vec<CurvePoint>) {
        self.values_of(session.samples(), session.snapshot().step)
    }

    /// The same for these samples; `now` is the displayed step.
    pub(super) fn values_of(&self, samples: &Samples, now: u64) -> (Vec<CurvePoint>, Vec<CurvePoint>) {
        let Ok(quantity) = &self.quantity else { return Default::default() };
        let scaled = |step: u64, time: f64, value: f64| CurvePoint { step, time, value: value * self.scale };
        if quantity.is_of_run() {
            let of = |sample: &Sample| scaled(sample.step, sample.time, quantity.of_run(sample).unwrap_or(f64::NAN));
            return (samples.samples.iter().map(of).collect(), samples.ahead().map(of).collect());
        }
        if let Some((joint, rate)) = self.joint.filter(|_| samples.trace(quantity).is_none()) {
            let value =
                |reading: delassus_session::JointSample| f64::from(if rate { reading.speed } else { reading.value });
            let (past, ahead) = samples.readings_of(joint);
            let of = |(sample, reading): (&Sample, Option<delassus_session::JointSample>)| {
                scaled(sample.step, sample.time, reading.map_or(f64::NAN, value))
            };
            return (past.map(of).collect(), ahead.map(of).collect());
        }
        let Some(trace) = samples.trace(quantity) else { return Default::default() };
        let of = |(step, time, value): &(u64, f64, f64)| scaled(*step, *time, *value);
        let split = trace.values.partition_point(|(step, ..)| *step <= now);
        let all: Vec<CurvePoint> = trace.values.iter().map(of).collect();
        (all[..split].to_vec(), all[split..].to_vec())
    }

    /// The latest value.
    pub(super) fn last(&self, session: &Session) -> Option<f64> {
        let Ok(quantity) = &self.quantity else { return None };
        let samples: &Samples = session.samples();
        let value = if quantity.is_of_run() {
            samples.samples.back().and_then(|sample| quantity.of_run(sample)).map(|value| value * self.scale)
        } else {
            self.values(session).0.last().map(|value| value.value)
        };
        value.filter(|value| !value.is_nan())
    }
}

/// A value in its unit; angles and dimensionless numbers get no prefixes.
pub(super) fn quantity(value: f64, unit: &str) -> String {
    match unit {
        unit if angles::is_unit(unit) => angles::said(value, unit),
        "" => number::bare(value),
        _ => number::with_unit(value, unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Shelf;
    use delassus_scene::Scene;

    /// A limit is given in the sensor's unit and drawn in the plot's: 0.5 m are 50 cm, and 170° are so many radians.
    #[test]
    fn limits_of_sensors_are_lines_in_the_unit_of_the_plot() {
        let text = r#"(version: 1, title: "t", bodies: [(name: "bob", shape: Sphere(radius: 0.1), at: (1, 0, 0))],
            joints: [(name: "pin", b: "bob", anchor: (0, 0, 0), axis: (0, 1, 0), kind: Hinge())],
            sensors: [
                (name: "a", of: "joints.pin.value", unit: "deg", low: -10, high: 170),
                (name: "b", of: "bodies.bob.z", unit: "cm", high: 50),
                (name: "c", of: "bodies.bob.z", low: -1),
                (name: "d", of: "bodies.bob.q", low: -1),
            ])"#;
        let session = Session::from_text(text, "t").expect("a scene");
        let (empty, shelf) = (Scene::default(), Shelf::default());
        let pick = |_: glam::Vec3, _: glam::Vec3| None;
        let view = View::of(&session, &empty, &shelf, &pick, "", 0.0);
        let lines = |curves: &[&str], angles: Angles| {
            let plot = Plot { curves: curves.iter().map(|curve| (*curve).to_owned()).collect(), ..Plot::default() };
            ShownPlot::of(&plot, &view, angles).lines
        };
        let of_z = lines(&["bodies.bob.z"], Angles::Degrees);
        assert_eq!(of_z, [("high limit", 0.5), ("low limit", -1.0)]);
        let near = |lines: Vec<(&str, f64)>, expected: [f64; 2]| {
            assert_eq!(lines.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["low limit", "high limit"]);
            lines.iter().zip(expected).for_each(|((_, at), expected)| assert!((at - expected).abs() < 1e-9, "{at}"));
        };
        near(lines(&["joints.pin.value"], Angles::Degrees), [-10.0, 170.0]);
        near(lines(&["joints.pin.value"], Angles::Radians), [-10.0, 170.0].map(f64::to_radians));
        assert!(lines(&["joints.pin.value", "bodies.bob.z"], Angles::Degrees).is_empty(), "of one curve only");
    }
}
