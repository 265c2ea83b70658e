//! The usual table of an analysis as text, and what was found in sentences.

use delassus_doctor::DoctorCase;

use crate::found::{Analysis, Sample, Turn, largest};
use crate::quantity::Quantity;
use crate::rows::Measure;

/// Joints that are open by more than this share of the mechanism's size at the start are noted.
const OPEN: f64 = 1e-4;
/// So many turning points are listed.
const TURNS: usize = 24;
/// A mechanical advantage of this size or more counts as infinite.
const INFINITE: f64 = 1e9;

/// A number with six digits, short.
pub fn digits(value: f64) -> String {
    let size = value.abs();
    if size < 5e-10 {
        "0".into()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{value:.4e}")
    } else {
        let decimals = (5 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    }
}

/// A column of a table: its heading, its unit, and a cell for each sample.
pub struct TableColumn {
    pub head: String,
    pub unit: &'static str,
    pub cells: Vec<String>,
}

/// The columns of the usual table. Angles are in degrees, their rates in rad/s.
pub fn columns(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<TableColumn> {
    let column = |quantity: Quantity| {
        let si = quantity.unit(analysis, case);
        let cell = |sample: &Sample| match (quantity.of(sample), si) {
            (angle, "rad") => digits(angle.to_degrees()),
            (value, _) if quantity == Quantity::Advantage && (value.is_nan() || value.abs() >= INFINITE) => "∞".into(),
            (value, _) => digits(value),
        };
        let unit = if si == "rad" { "deg" } else { si };
        TableColumn { head: quantity.name(analysis, case), unit, cells: analysis.samples.iter().map(cell).collect() }
    };
    Quantity::usual(analysis, case).into_iter().map(column).collect()
}

fn names(case: &DoctorCase<'_>, joints: &[usize]) -> String {
    joints.iter().map(|joint| case.joint(*joint)).collect::<Vec<_>>().join(", ")
}

/// What was found, in sentences by their subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The number of samples, the speed and the precision.
    pub head: String,
    /// Where and why it stopped before the end of its travel.
    pub stopped: Option<String>,
    pub dead_centres: Vec<String>,
    /// What each joint bears at most.
    pub loads: Vec<String>,
    /// What the drive needs, and has.
    pub drive: Option<String>,
    /// Whether the motor has what the drive needs; none without a motor of limited strength.
    pub is_enough: Option<bool>,
    /// What was left out or decided.
    pub notes: Vec<String>,
}

impl Findings {
    /// Those of an analysis of a scene with this title.
    pub fn of(analysis: &Analysis, case: &DoctorCase<'_>, title: &str) -> Self {
        let [_, speed_unit, _] = analysis.measure.units();
        let error = analysis.samples.iter().map(|s| s.error).fold(0.0, f64::max);
        let precision = if analysis.is_single_precision { "some rows have 32 bits" } else { "all rows have 64 bits" };
        let head = format!(
            "{title}: {} samples over {}, {} {speed_unit}; joints are closed to {error:.1e} m, {precision}",
            analysis.samples.len(),
            case.joint(analysis.joint),
            digits(analysis.speed),
        );
        Self {
            head,
            stopped: analysis.stopped_words(case).map(|words| format!("stopped at {words}")),
            dead_centres: dead_centres(analysis, case),
            loads: loads(analysis, case),
            drive: drive(analysis, case),
            is_enough: analysis.motor.map(|motor| motor.worst <= motor.cap),
            notes: notes(analysis, case),
        }
    }

    /// A sentence a line.
    pub fn lines(&self) -> Vec<String> {
        let mut all = vec![self.head.clone()];
        all.extend(self.stopped.clone());
        all.extend(self.dead_centres.iter().chain(&self.loads).cloned());
        all.extend(self.drive.clone());
        all.extend(self.notes.iter().map(|note| format!("note: {note}")));
        all
    }
}

fn dead_centres(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<String> {
    let words = |turn: &Turn| {
        let value = match Measure::of(&case.world.state.joints[turn.joint].def.kind) {
            Some(Measure::Angle) => format!("{}°", digits(turn.value.to_degrees())),
            _ => format!("{} m", digits(turn.value)),
        };
        let at = analysis.shown(turn.driven);
        format!("dead centre of {} at {at}: it turns back at {value}", case.joint(turn.joint))
    };
    let mut all: Vec<String> = analysis.turns.iter().take(TURNS).map(words).collect();
    if analysis.turns.len() > TURNS {
        all.push(format!("and {} more dead centres", analysis.turns.len() - TURNS));
    }
    all
}

fn loads(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for (at, joint) in analysis.joints.iter().enumerate() {
        let most = |quantity: Quantity, unit: &str| {
            let sample = largest(&analysis.samples, |s| quantity.of(s)).filter(|s| quantity.of(s) > 1e-9)?;
            Some(format!("{} {unit} at {}", digits(quantity.of(sample)), analysis.shown(sample.value)))
        };
        let both = [most(Quantity::Force(at), "N"), most(Quantity::Torque(at), "N·m")];
        let bears = both.into_iter().flatten().collect::<Vec<_>>();
        if !bears.is_empty() {
            all.push(format!("{} bears up to {}", case.joint(*joint), bears.join(" and ")));
        }
    }
    all
}

fn drive(analysis: &Analysis, case: &DoctorCase<'_>) -> Option<String> {
    let [_, _, unit] = analysis.measure.units();
    let Some(motor) = analysis.motor else {
        let worst = largest(&analysis.samples, |s| s.drive.moving)?;
        return Some(format!(
            "{} needs a drive of up to {} {unit}, at {}",
            case.joint(analysis.joint),
            digits(worst.drive.moving.abs()),
            analysis.shown(worst.value)
        ));
    };
    let verdict = if motor.worst <= motor.cap { "enough" } else { "too little" };
    Some(format!(
        "motor of {}: has {} {unit}, needs {} {unit} at {}, {:.1} % of it: {verdict}",
        case.joint(analysis.joint),
        digits(motor.cap),
        digits(motor.worst),
        analysis.shown(motor.at),
        100.0 * motor.worst / motor.cap,
    ))
}

/// What was left out or decided.
fn notes(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<String> {
    let mut all = Vec::new();
    if analysis.open > OPEN * analysis.size {
        all.push(format!(
            "the joints of the scene were open by {} m; the loops were closed first",
            digits(analysis.open)
        ));
    }
    if analysis.redundant > 0 {
        let (rows, repeat) = if analysis.redundant == 1 { ("row", "repeats") } else { ("rows", "repeat") };
        all.push(format!(
            "{} {rows} {repeat} others; the forces they share are those of least norm",
            analysis.redundant
        ));
    }
    if analysis.idle.motions > 0 {
        let motions = if analysis.idle.motions == 1 { "motion moves" } else { "motions move" };
        all.push(format!("{} {motions} no centre of mass and stays at rest", analysis.idle.motions));
    }
    if !analysis.held.is_empty() {
        all.push(format!("held at the scene's value: {}", names(case, &analysis.held)));
    }
    if !analysis.with_friction.is_empty() {
        all.push(format!("friction is left out: {}", names(case, &analysis.with_friction)));
    }
    if !analysis.with_motor.is_empty() {
        all.push(format!("other motors and servos are left out: {}", names(case, &analysis.with_motor)));
    }
    if analysis.has_movers {
        all.push("kinematic bodies stay where they are".into());
    }
    all
}
