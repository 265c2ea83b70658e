//! The table on the terminal, and what was found in sentences.

use std::io::Write;

use crate::cli::common::Failure;
use crate::cli::printable::within_line;
use delassus_analysis::rows::Measure;
use delassus_analysis::{Analysis, DoctorCase, Sample, largest};

/// So many joints besides the driven one have columns of their own on the terminal.
const JOINTS: usize = 3;
/// Joints that are open by more than this share of the mechanism's size at the start are noted.
const OPEN: f64 = 1e-4;
/// So many turning points are listed.
const TURNS: usize = 24;

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

/// A column of the table: its heading, its unit, and its cell at the sample of an index.
pub struct TableColumn {
    pub head: String,
    pub unit: &'static str,
    pub cells: Vec<String>,
}

/// The columns: the driven value, the drive, the output or the first joints that move.
pub fn columns(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<TableColumn> {
    let cells = |of: &dyn Fn(&Sample) -> f64| analysis.samples.iter().map(|s| digits(of(s))).collect();
    let [_, _, load] = analysis.measure.units();
    let column = |head: &str, unit, cells| TableColumn { head: head.into(), unit, cells };
    let mut all = vec![
        column(case.joint(analysis.joint), analysis.measure.shown_unit(), cells(&|s| analysis.measure.shown(s.value))),
        column("drive at rest", load, cells(&|s| s.drive.still)),
        column("drive moving", load, cells(&|s| s.drive.moving)),
    ];
    let moves = |at: &usize| {
        let speeds = analysis.samples.iter().filter_map(|s| Some(s.joints[*at].value?[1].abs()));
        speeds.fold(0.0, f64::max) > 1e-9
    };
    let shown: Vec<usize> = match analysis.output {
        Some(output) => (0..analysis.joints.len()).filter(|at| analysis.joints[*at] == output).collect(),
        None => {
            let others = (0..analysis.joints.len()).filter(|at| analysis.joints[*at] != analysis.joint);
            others.filter(moves).take(JOINTS).collect()
        }
    };
    for at in shown {
        let joint = analysis.joints[at];
        let Some(measure) = Measure::of(&case.world.state.joints[joint].def.kind) else { continue };
        let value = |s: &Sample| s.joints[at].value.map_or(f64::NAN, |[value, ..]| value);
        let name = case.joint(joint);
        all.push(column(name, measure.shown_unit(), cells(&|s| measure.shown(value(s)))));
        let speed = cells(&|s| s.joints[at].value.map_or(f64::NAN, |[_, speed, _]| speed));
        all.push(column(&format!("{name}, speed"), measure.units()[1], speed));
    }
    if analysis.output.is_some() {
        let advantage = analysis.samples.iter().map(|s| match s.advantage() {
            Some(advantage) if advantage.abs() < 1e9 => digits(advantage),
            _ => "∞".into(),
        });
        all.push(TableColumn { head: "advantage".into(), unit: "", cells: advantage.collect() });
    }
    if analysis.samples.iter().any(|s| s.point.is_some()) {
        for (k, head) in ["point x", "point y", "point z"].into_iter().enumerate() {
            all.push(column(head, "m", cells(&|s| s.point.map_or(f64::NAN, |[place, ..]| place[k]))));
        }
    }
    all
}

/// Prints the table.
pub fn table(analysis: &Analysis, case: &DoctorCase<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let columns = columns(analysis, case);
    let width = |column: &TableColumn| {
        let cells = column.cells.iter().map(|cell| cell.chars().count());
        cells.chain([within_line(&column.head).chars().count(), column.unit.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let line = |cell: &dyn Fn(&TableColumn) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, width)| format!("{:>width$}", cell(column)));
        cells.collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "{}", line(&|column| within_line(&column.head)))?;
    writeln!(out, "{}", line(&|column| column.unit.into()))?;
    for k in 0..analysis.samples.len() {
        writeln!(out, "{}", line(&|column| column.cells[k].clone()))?;
    }
    Ok(())
}

fn names(case: &DoctorCase<'_>, joints: &[usize]) -> String {
    joints.iter().map(|joint| case.joint(*joint)).collect::<Vec<_>>().join(", ")
}

/// What was found, a sentence a line.
pub fn lines(analysis: &Analysis, case: &DoctorCase<'_>, title: &str) -> Vec<String> {
    let [_, speed_unit, unit] = analysis.measure.units();
    let error = analysis.samples.iter().map(|s| s.error).fold(0.0, f64::max);
    let precision = if analysis.is_single { "some rows have 32 bits" } else { "all rows have 64 bits" };
    let mut all = vec![format!(
        "{title}: {} samples over {}, {} {speed_unit}; joints are closed to {error:.1e} m, {precision}",
        analysis.samples.len(),
        case.joint(analysis.joint),
        digits(analysis.speed),
    )];
    if let Some(words) = analysis.stopped_words(case) {
        all.push(format!("stopped at {words}"));
    }
    for turn in analysis.turns.iter().take(TURNS) {
        let own = Measure::of(&case.world.state.joints[turn.joint].def.kind);
        let value = match own {
            Some(Measure::Angle) => format!("{}°", digits(turn.value.to_degrees())),
            _ => format!("{} m", digits(turn.value)),
        };
        let at = analysis.shown(turn.driven);
        all.push(format!("dead centre of {} at {at}: it turns back at {value}", case.joint(turn.joint)));
    }
    if analysis.turns.len() > TURNS {
        all.push(format!("and {} more dead centres", analysis.turns.len() - TURNS));
    }
    for (at, joint) in analysis.joints.iter().enumerate() {
        let force = |s: &Sample| s.joints[at].moving.force.length();
        let torque = |s: &Sample| s.joints[at].moving.torque.length();
        let most = |of: &dyn Fn(&Sample) -> f64, unit: &str| {
            let sample = largest(&analysis.samples, of).filter(|s| of(s) > 1e-9)?;
            Some(format!("{} {unit} at {}", digits(of(sample)), analysis.shown(sample.value)))
        };
        let bears = [most(&force, "N"), most(&torque, "N·m")].into_iter().flatten().collect::<Vec<_>>();
        if !bears.is_empty() {
            all.push(format!("{} bears up to {}", case.joint(*joint), bears.join(" and ")));
        }
    }
    let worst = largest(&analysis.samples, |s| s.drive.moving);
    match (analysis.motor, worst) {
        (Some(motor), _) => {
            let verdict = if motor.worst <= motor.cap { "enough" } else { "too little" };
            all.push(format!(
                "motor of {}: has {} {unit}, needs {} {unit} at {}, {:.1} % of it: {verdict}",
                case.joint(analysis.joint),
                digits(motor.cap),
                digits(motor.worst),
                analysis.shown(motor.at),
                100.0 * motor.worst / motor.cap,
            ));
        }
        (None, Some(sample)) => all.push(format!(
            "{} needs a drive of up to {} {unit}, at {}",
            case.joint(analysis.joint),
            digits(sample.drive.moving.abs()),
            analysis.shown(sample.value)
        )),
        (None, None) => {}
    }
    notes(analysis, case, &mut all);
    all
}

/// What was left out or decided.
fn notes(analysis: &Analysis, case: &DoctorCase<'_>, all: &mut Vec<String>) {
    if analysis.open > OPEN * analysis.size {
        all.push(format!(
            "note: the joints of the scene were open by {} m; the loops were closed first",
            digits(analysis.open)
        ));
    }
    if analysis.redundant > 0 {
        let (rows, repeat) = if analysis.redundant == 1 { ("row", "repeats") } else { ("rows", "repeat") };
        all.push(format!(
            "note: {} {rows} {repeat} others; the forces they share are those of least norm",
            analysis.redundant
        ));
    }
    if analysis.idle.motions > 0 {
        let motions = if analysis.idle.motions == 1 { "motion moves" } else { "motions move" };
        all.push(format!("note: {} {motions} no centre of mass and stays at rest", analysis.idle.motions));
    }
    if !analysis.held.is_empty() {
        all.push(format!("note: held at the scene's value: {}", names(case, &analysis.held)));
    }
    if !analysis.with_friction.is_empty() {
        all.push(format!("note: friction is left out: {}", names(case, &analysis.with_friction)));
    }
    if !analysis.with_motor.is_empty() {
        all.push(format!("note: other motors and servos are left out: {}", names(case, &analysis.with_motor)));
    }
    if analysis.has_movers {
        all.push("note: kinematic bodies stay where they are".into());
    }
}
