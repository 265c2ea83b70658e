//! The tables that a run writes: metrics, bodies and joints, a line a step.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Failure;
use crate::physics::readout::Stops;
use crate::session::{Sample, Session};

/// Where a table goes: `-` is standard output.
pub type Table = csv::Writer<Box<dyn Write>>;

pub const METRICS: &[&str] = &[
    "step",
    "time",
    "kinetic_energy",
    "potential_energy",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
    "joint_error_max",
    "joint_error_mean",
    "penetration_max",
    "contacts",
    "rows",
    "residual",
    "step_ms",
    "spring_energy",
    "broken",
    "sweeps",
    "radius",
];
pub const BODIES: &[&str] =
    &["step", "time", "body", "x", "y", "z", "qx", "qy", "qz", "qw", "vx", "vy", "vz", "wx", "wy", "wz"];
pub const JOINTS: &[&str] = &[
    "step",
    "time",
    "joint",
    "error",
    "angular_error",
    "value",
    "speed",
    "impulse",
    "force",
    "torque",
    "anchor_x",
    "anchor_y",
    "anchor_z",
    "axis_x",
    "axis_y",
    "axis_z",
    "spring",
    "motor",
    "limit",
    "swing",
    "energy",
    "at",
    "broken",
];

/// Starts a table with its headings.
pub fn create(path: &Path, headings: &[&str]) -> Result<Table, Failure> {
    let out: Box<dyn Write> = if path == Path::new("-") {
        Box::new(BufWriter::new(io::stdout()))
    } else {
        let file =
            File::create(path).map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", path.display())))?;
        Box::new(BufWriter::new(file))
    };
    let mut table = csv::Writer::from_writer(out);
    table.write_record(headings).map_err(failure)?;
    Ok(table)
}

/// What stands behind an error of the table's writer.
pub fn failure(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Failure::Error(format!("cannot write: {other:?}")),
    }
}

/// Adds a step's metrics. SI units; `step_ms` is wall time.
pub fn metrics(table: &mut Table, sample: &Sample) -> Result<(), Failure> {
    let m = &sample.metrics;
    let (p, l) = (m.momentum, m.angular_momentum);
    table
        .serialize((
            (sample.step, sample.time, m.kinetic_energy, m.potential_energy),
            (p.x, p.y, p.z, l.x, l.y, l.z),
            (m.joint_error_max, m.joint_error_mean, m.penetration_max),
            (m.contacts, m.rows, m.residual, sample.step_ms, m.spring_energy, m.broken),
            (m.sweeps, m.radius),
        ))
        .map_err(failure)
}

/// Adds the state of every body: the pose of its shape's origin, the velocity of its centre of mass.
pub fn bodies(table: &mut Table, session: &Session) -> Result<(), Failure> {
    let snapshot = session.snapshot();
    for body in &snapshot.bodies {
        let (x, q) = (body.pose.position, body.pose.rotation);
        let (v, w) = (body.velocity, body.spin);
        table
            .serialize((
                (snapshot.step, snapshot.time, &*body.name),
                (x.x, x.y, x.z, q.x, q.y, q.z, q.w),
                (v.x, v.y, v.z, w.x, w.y, w.z),
            ))
            .map_err(failure)?;
    }
    Ok(())
}

/// Adds the state of every joint. `value` is its free coordinate: an angle, a slide or a length. `force` and `torque`
/// are norms over all its rows; anchor, axis, spring, motor, limit and swing are the groups' own, see [`Readout`]; `at`
/// names the limits that it stands at.
///
/// [`Readout`]: crate::physics::readout::Readout
pub fn joints(table: &mut Table, session: &Session) -> Result<(), Failure> {
    let snapshot = session.snapshot();
    for joint in &snapshot.joints {
        let read = &joint.readout;
        table
            .serialize((
                (snapshot.step, snapshot.time, &*joint.name),
                (read.error, read.angular_error, read.value, read.speed),
                (read.impulse(), read.force.length(), read.torque.length()),
                (read.anchor.to_array(), read.axis.to_array()),
                (read.spring, read.motor, read.limit, read.swing, read.energy),
                (at(read.stops), u8::from(joint.broken.is_some())),
            ))
            .map_err(failure)?;
    }
    Ok(())
}

/// The limits that a joint stands at, in one word.
fn at(stops: Stops) -> &'static str {
    match (stops.swing, stops.least, stops.greatest) {
        (false, false, false) => "",
        (false, true, _) => "least",
        (false, false, true) => "greatest",
        (true, false, false) => "swing",
        (true, true, _) => "swing+least",
        (true, false, true) => "swing+greatest",
    }
}
