//! The numbers that an analysis has at each sample: the columns of its tables and the curves of its plots.

use delassus_doctor::DoctorCase;

use crate::found::{Analysis, Sample};
use crate::rows::Measure;

/// A number of a sample. Joints are given by their index in [`Analysis::joints`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The value of the driven joint.
    Driven,
    /// The force or torque of the drive, at rest and at the requested speed.
    DriveAtRest,
    DriveMoving,
    /// A joint's value and its first and second time derivative.
    Value(usize),
    Speed(usize),
    Acceleration(usize),
    /// The magnitude of the force or torque that a joint carries at the requested speed.
    Force(usize),
    Torque(usize),
    /// The rate of the output per rate of the driven joint, and the mechanical advantage.
    Ratio,
    Advantage,
    /// A coordinate of the followed point, 0 to 2 for x to z, world frame, and the point's speed.
    Point(usize),
    PointSpeed,
}

/// The number of joints, besides the driven one, with columns of their own in the usual table.
const JOINTS: usize = 3;
/// A joint whose rate stays below this does not move, rad/s or m/s.
const STILL: f64 = 1e-9;

impl Quantity {
    /// The columns of the usual table: the driven value, the drive, the output or the first joints that move, the
    /// followed point.
    pub fn usual(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<Self> {
        let mut all = vec![Self::Driven, Self::DriveAtRest, Self::DriveMoving];
        let moves = |at: &usize| {
            let speeds = analysis.samples.iter().filter_map(|s| Some(s.joints[*at].value?[1].abs()));
            speeds.fold(0.0, f64::max) > STILL
        };
        let places = 0..analysis.joints.len();
        let shown: Vec<usize> = match analysis.output {
            Some(output) => places.filter(|at| analysis.joints[*at] == output).collect(),
            None => places.filter(|at| analysis.joints[*at] != analysis.joint).filter(moves).take(JOINTS).collect(),
        };
        let with_value = shown.into_iter().filter(|at| measure(analysis, case, *at).is_some());
        all.extend(with_value.flat_map(|at| [Self::Value(at), Self::Speed(at)]));
        if analysis.output.is_some() {
            all.push(Self::Advantage);
        }
        if follows(analysis) {
            all.extend((0..3).map(Self::Point));
        }
        all
    }

    /// All quantities of the analysis.
    pub fn all(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<Self> {
        let mut all = vec![Self::Driven, Self::DriveAtRest, Self::DriveMoving];
        if analysis.output.is_some() {
            all.extend([Self::Ratio, Self::Advantage]);
        }
        if follows(analysis) {
            all.extend((0..3).map(Self::Point).chain([Self::PointSpeed]));
        }
        for at in 0..analysis.joints.len() {
            if analysis.joints[at] != analysis.joint && measure(analysis, case, at).is_some() {
                all.extend([Self::Value(at), Self::Speed(at), Self::Acceleration(at)]);
            }
            all.extend([Self::Force(at), Self::Torque(at)]);
        }
        all
    }

    /// Its name, as a heading.
    pub fn name(self, analysis: &Analysis, case: &DoctorCase<'_>) -> String {
        let of = |at: usize, what: &str| {
            let name = analysis.joints.get(at).map_or("", |joint| case.joint(*joint));
            format!("{name}{what}")
        };
        match self {
            Self::Driven => case.joint(analysis.joint).into(),
            Self::DriveAtRest => "drive at rest".into(),
            Self::DriveMoving => "drive moving".into(),
            Self::Value(at) => of(at, ""),
            Self::Speed(at) => of(at, ", speed"),
            Self::Acceleration(at) => of(at, ", acceleration"),
            Self::Force(at) => of(at, ", force"),
            Self::Torque(at) => of(at, ", torque"),
            Self::Ratio => "ratio".into(),
            Self::Advantage => "advantage".into(),
            Self::Point(axis) => format!("point {}", ["x", "y", "z"][axis.min(2)]),
            Self::PointSpeed => "point, speed".into(),
        }
    }

    /// Its SI unit; empty where it has none.
    pub fn unit(self, analysis: &Analysis, case: &DoctorCase<'_>) -> &'static str {
        let angle = |at: usize| measure(analysis, case, at) == Some(Measure::Angle);
        match self {
            Self::Driven => analysis.measure.units()[0],
            Self::DriveAtRest | Self::DriveMoving => analysis.measure.units()[2],
            Self::Value(at) => measure(analysis, case, at).map_or("", |measure| measure.units()[0]),
            Self::Speed(at) => measure(analysis, case, at).map_or("", |measure| measure.units()[1]),
            Self::Acceleration(at) => {
                if angle(at) {
                    "rad/s²"
                } else {
                    "m/s²"
                }
            }
            Self::Force(_) => "N",
            Self::Torque(_) => "N·m",
            Self::Ratio | Self::Advantage => "",
            Self::Point(_) => "m",
            Self::PointSpeed => "m/s",
        }
    }

    /// Its value at a sample in SI units; NaN where there is none.
    pub fn of(self, sample: &Sample) -> f64 {
        let joint = |at: usize| sample.joints.get(at);
        let rate = |at: usize, k: usize| joint(at).and_then(|joint| joint.value).map_or(f64::NAN, |rates| rates[k]);
        match self {
            Self::Driven => sample.value,
            Self::DriveAtRest => sample.drive.at_rest,
            Self::DriveMoving => sample.drive.moving,
            Self::Value(at) => rate(at, 0),
            Self::Speed(at) => rate(at, 1),
            Self::Acceleration(at) => rate(at, 2),
            Self::Force(at) => joint(at).map_or(f64::NAN, |joint| joint.moving.force.length()),
            Self::Torque(at) => joint(at).map_or(f64::NAN, |joint| joint.moving.torque.length()),
            Self::Ratio => sample.ratio.unwrap_or(f64::NAN),
            Self::Advantage => sample.advantage().unwrap_or(f64::NAN),
            Self::Point(axis) => sample.point.map_or(f64::NAN, |[place, ..]| place[axis.min(2)]),
            Self::PointSpeed => sample.point.map_or(f64::NAN, |[_, velocity, _]| velocity.length()),
        }
    }
}

/// What the value of the joint measures; `None` if it has no single value.
fn measure(analysis: &Analysis, case: &DoctorCase<'_>, at: usize) -> Option<Measure> {
    let joint = case.world.state.joints.get(*analysis.joints.get(at)?)?;
    Measure::of(&joint.def.kind)
}

/// Whether the analysis follows a point.
fn follows(analysis: &Analysis) -> bool {
    analysis.samples.iter().any(|sample| sample.point.is_some())
}
