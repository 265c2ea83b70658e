//! An analysis as CSV: SI units, angles in rad, world frame.

use std::io::{self, Write};

use glam::DVec3;

use crate::forces::Reaction;
use crate::found::{Analysis, Sample};
use delassus_doctor::DoctorCase;

/// Writes a line of headings and one line per sample. A cell is empty if there is no value, such as for an instant
/// centre at infinity.
///
/// # Errors
/// The writer fails.
pub fn write_csv(analysis: &Analysis, case: &DoctorCase<'_>, out: impl Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(headings(analysis, case))?;
    for sample in &analysis.samples {
        let cells = cells(analysis, sample);
        table.write_record(cells.iter().map(|v| v.map_or_else(String::new, |v| v.to_string())))?;
    }
    table.flush()
}

/// The headings, in the order of [`cells`].
fn headings(analysis: &Analysis, case: &DoctorCase<'_>) -> Vec<String> {
    let mut all: Vec<String> = ["driven", "drive_still", "drive", "error"].map(Into::into).into();
    let three = |name: &str, what: &str| ["x", "y", "z"].map(|axis| format!("{name}.{what}_{axis}"));
    all.extend(
        analysis
            .held
            .iter()
            .flat_map(|joint| ["still", "moving"].map(|when| format!("{}.hold_{when}", case.joint(*joint)))),
    );
    for joint in &analysis.joints {
        let name = case.joint(*joint);
        all.extend(["value", "speed", "acceleration"].map(|what| format!("{name}.{what}")));
        for what in ["still_force", "still_torque", "force", "torque"] {
            all.extend(three(name, what));
        }
    }
    for body in &analysis.bodies {
        let name = case.body(*body);
        all.extend(
            ["x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz"].map(|w| format!("{name}.{w}")),
        );
        all.extend(three(name, "acceleration"));
        all.extend(three(name, "angular_acceleration"));
    }
    if analysis.output.is_some() {
        all.extend(["output.ratio", "output.advantage"].map(Into::into));
    }
    if analysis.samples.iter().any(|sample| sample.point.is_some()) {
        all.extend(["x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"].map(|what| format!("point.{what}")));
    }
    for pair in &analysis.centres {
        let [a, b] = pair.bodies.map(|body| case.body(body));
        all.extend(["x", "y", "z"].map(|axis| format!("centre of {a} and {b}.{axis}")));
    }
    all
}

/// The values of a sample, in the order of [`headings`].
fn cells(analysis: &Analysis, sample: &Sample) -> Vec<Option<f64>> {
    let mut all: Vec<Option<f64>> =
        [sample.value, sample.drive.at_rest, sample.drive.moving, sample.error].map(Some).into();
    let vector = |v: DVec3| v.to_array().map(Some);
    all.extend(sample.held.iter().flat_map(|load| [Some(load.at_rest), Some(load.moving)]));
    for joint in &sample.joints {
        all.extend(match joint.value {
            Some(rates) => rates.map(Some),
            None => [None; 3],
        });
        for Reaction { force, torque } in [joint.at_rest, joint.moving] {
            all.extend(vector(force).into_iter().chain(vector(torque)));
        }
    }
    for body in &sample.bodies {
        all.extend(vector(body.position));
        all.extend(body.rotation.to_array().map(Some));
        for v in [body.velocity.linear, body.velocity.angular, body.acceleration.linear, body.acceleration.angular] {
            all.extend(vector(v));
        }
    }
    if analysis.output.is_some() {
        all.extend([sample.ratio, sample.advantage().filter(|advantage| advantage.is_finite())]);
    }
    if let Some(point) = sample.point {
        all.extend(point.into_iter().flat_map(vector));
    }
    for centre in &sample.centres {
        all.extend(centre.map_or([None; 3], vector));
    }
    all
}
