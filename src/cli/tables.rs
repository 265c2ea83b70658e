//! The tables that a run writes: metrics, bodies, joints and contacts for each step. Their columns are in
//! `columns.rs`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::common::Failure;
use delassus_session::columns::{BODIES, CONTACTS, Column, JOINTS, METRICS, Moment, TableRow};
use delassus_session::{Sample, Session, contact};

/// The writer of a table.
pub type Table = csv::Writer<Box<dyn Write>>;

/// Creates a table with its headings; `-` is standard output.
pub fn create<T>(path: &Path, columns: &[Column<T>]) -> Result<Table, Failure> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    named(path, &names)
}

/// The same with headings as text.
pub fn named(path: &Path, heads: &[impl AsRef<str>]) -> Result<Table, Failure> {
    let out: Box<dyn Write> = if path == Path::new("-") {
        super::printable::table()
    } else {
        let file =
            File::create(path).map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", path.display())))?;
        Box::new(BufWriter::new(file))
    };
    let mut table = csv::Writer::from_writer(out);
    table.write_record(heads.iter().map(AsRef::as_ref)).map_err(failure)?;
    Ok(table)
}

/// The cause of an error of the table's writer.
pub fn failure(error: csv::Error) -> Failure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Failure::Error(format!("cannot write: {other:?}")),
    }
}

/// Adds the metrics of a step.
pub fn metrics(table: &mut Table, sample: &Sample) -> Result<(), Failure> {
    let at = Moment { step: sample.step, time: sample.time };
    table.serialize(TableRow { columns: METRICS, at, of: sample }).map_err(failure)
}

/// Adds the state of every body.
pub fn bodies(table: &mut Table, session: &Session) -> Result<(), Failure> {
    let snapshot = session.snapshot();
    let at = Moment { step: snapshot.step, time: snapshot.time };
    (snapshot.bodies.iter()).try_for_each(|of| table.serialize(TableRow { columns: BODIES, at, of }).map_err(failure))
}

/// Adds the state of every joint.
pub fn joints(table: &mut Table, session: &Session) -> Result<(), Failure> {
    let snapshot = session.snapshot();
    let at = Moment { step: snapshot.step, time: snapshot.time };
    (snapshot.joints.iter()).try_for_each(|of| table.serialize(TableRow { columns: JOINTS, at, of }).map_err(failure))
}

/// Adds the contact data of every pair of bodies with contact points.
pub fn contacts(table: &mut Table, session: &Session) -> Result<(), Failure> {
    let snapshot = session.snapshot();
    let at = Moment { step: snapshot.step, time: snapshot.time };
    let all = contact::all(snapshot);
    all.values().try_for_each(|of| table.serialize(TableRow { columns: CONTACTS, at, of }).map_err(failure))
}
