//! The tables that a run writes: metrics, bodies, joints and contacts for each step. Their columns are in
//! `columns.rs`.

use std::io::Write;
use std::path::Path;

use super::common::Failure;
use delassus_files::growing_file::StopOnError;
use delassus_session::columns::{BODIES, CONTACTS, Column, Distrust, JOINTS, METRICS, Moment, TableRow, VERDICT};
use delassus_session::{Sample, Session, contact};

/// The writer of a table.
pub type Table = csv::Writer<Box<dyn Write>>;

/// Creates a table with its headings; `-` is standard output.
pub fn create<T>(path: &Path, columns: &[Column<T>]) -> Result<Table, Failure> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    named(path, &names)
}

/// Creates the file of a table; `-` is standard output.
pub fn out(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if super::outputs::is_standard(path) {
        return Ok(super::printable::table());
    }
    let file =
        StopOnError::create(path).map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", path.display())))?;
    Ok(Box::new(file))
}

/// The same with headings as text.
pub fn named(path: &Path, heads: &[impl AsRef<str>]) -> Result<Table, Failure> {
    let mut table = csv::Writer::from_writer(out(path)?);
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

/// The table of the metrics, with the verdict on the run. Its last row is kept back until the verdict on the whole run
/// is known.
pub struct Metrics {
    table: Table,
    last: Option<(Sample, Distrust)>,
}

impl Metrics {
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let heads = METRICS.iter().map(|column| column.name).chain(VERDICT.iter().map(|column| column.name));
        Ok(Self { table: named(path, &heads.collect::<Vec<_>>())?, last: None })
    }

    /// Adds a step, and what is said against the run so far.
    pub fn add(&mut self, sample: Sample, distrust: Distrust) -> Result<(), Failure> {
        let last = self.last.replace((sample, distrust));
        last.map_or(Ok(()), |(sample, distrust)| self.write(&sample, &distrust))
    }

    /// Writes the last row, with the verdict on the whole run. If there is none because the first step could not be
    /// made, it is that of `state`.
    pub fn finish(&mut self, state: Option<&Sample>, distrust: &Distrust) -> Result<(), Failure> {
        let state = state.cloned().filter(|_| !distrust.0.is_empty());
        if let Some(sample) = self.last.take().map(|(sample, _)| sample).or(state) {
            self.write(&sample, distrust)?;
        }
        Ok(self.table.flush()?)
    }

    fn write(&mut self, sample: &Sample, distrust: &Distrust) -> Result<(), Failure> {
        let at = Moment { step: sample.step, time: sample.time };
        let row = (TableRow { columns: METRICS, at, of: sample }, TableRow { columns: VERDICT, at, of: distrust });
        self.table.serialize(row).map_err(failure)
    }
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

#[cfg(test)]
mod tests {
    use delassus_files::fault::{FaultKind, at_each_point};

    use super::*;

    /// A table can be read while the run goes on, so it is written in place: what a crash or a full disk leaves is its
    /// beginning, and what could not be written is reported.
    #[test]
    fn after_a_fault_at_any_point_a_table_is_the_beginning_of_the_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("table.csv");
        let write = || -> Result<(), Failure> {
            let mut table = named(&path, &["step", "what"])?;
            for step in 0..2000 {
                table.write_record([step.to_string(), "moves".repeat(4)]).map_err(failure)?;
            }
            Ok(table.flush()?)
        };
        write().map_err(|_| "it is written").expect("a folder that can be written to");
        let whole = std::fs::read(&path).expect("a table");
        for kind in [FaultKind::Fails, FaultKind::Crashes] {
            let again = || {
                std::fs::write(&path, "").expect("a file");
                write()
            };
            let points = at_each_point(kind, again, |point, result| {
                let now = std::fs::read(&path).expect("a table");
                assert!(whole.starts_with(&now), "{kind:?} at point {point}");
                assert!(result.is_err() || now == whole, "{kind:?} at point {point}: lost in silence");
            });
            assert!(points > 10, "{points}");
        }
    }
}
