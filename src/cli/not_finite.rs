//! The first value of a run that is not finite: of the whole world, a body, a joint or a contact, whether its table is
//! written or not.

use std::fmt::{Display, Formatter, Result};

use delassus_session::columns::{BODIES, CONTACTS, Column, JOINTS, KEYS, METRICS, Moment};
use delassus_session::{Session, contact};

/// A value that is not finite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFinite {
    /// Its column as in `--fail-if`: `residual`, `joints.motor.torque`.
    column: String,
    step: u64,
}

impl Display for NotFinite {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "`{}` is not finite at step {}", self.column, self.step)
    }
}

/// The first such value after the last step.
pub fn not_finite(session: &Session) -> Option<NotFinite> {
    let snapshot = session.snapshot();
    let at = Moment { step: snapshot.step, time: snapshot.time };
    let sample = session.samples().samples.back();
    let world = || sample.and_then(|sample| first(METRICS, at, sample)).map(str::to_owned);
    let body =
        || snapshot.bodies.iter().find_map(|body| Some(format!("bodies.{}.{}", body.name, first(BODIES, at, body)?)));
    let joint = || {
        let of = |joint| first(JOINTS, at, joint);
        snapshot.joints.iter().find_map(|joint| Some(format!("joints.{}.{}", joint.name, of(joint)?)))
    };
    let contact = || {
        let all = contact::all(snapshot);
        all.values().find_map(|pair| Some(format!("contacts.{}.{}", pair.name, first(CONTACTS, at, pair)?)))
    };
    let column = world().or_else(body).or_else(joint).or_else(contact)?;
    Some(NotFinite { column, step: at.step })
}

/// The first column of a row whose value is not finite.
fn first<T>(columns: &'static [Column<T>], at: Moment, of: &T) -> Option<&'static str> {
    let wrong = |column: &&Column<T>| (column.get)(at, of).number().is_some_and(|value| !value.is_finite());
    columns[KEYS..].iter().find(wrong).map(|column| column.name)
}
