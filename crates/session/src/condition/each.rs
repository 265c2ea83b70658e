//! The cells that a quantity of a condition names: of the run, or of each body, joint or contact whose name matches.

use super::{Subject, fits};
use crate::columns::{BODIES, CONTACTS, Cell, ColumnHeading, JOINTS, METRICS, Moment};
use crate::condition::{MAX_BYTES, is_word, subject};
use crate::contact::{self, ContactPair, ContactView};
use crate::{Sample, Snapshot};
use delassus_scene::nearest;

/// A column of everything that a name matches, as in `joints.*.error`, `momentum_*` or `joints.door.at`.
#[derive(Debug, Clone, PartialEq)]
pub struct EachQuantity {
    subject: Subject,
    column: usize,
}

impl EachQuantity {
    /// Reads a quantity of a condition.
    ///
    /// # Errors
    /// What was expected; for an unknown column, also the most similar one.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > MAX_BYTES {
            return Err(format!("it is too long, at most {MAX_BYTES} bytes"));
        }
        let (subject, column) = subject(text)?;
        if matches!(subject, Subject::Row(..) | Subject::Radius) {
            return Err(format!("`{text}`: rows and `rho` are for claims"));
        }
        Ok(Self { subject, column })
    }

    /// Name, unit and meaning of its column.
    pub fn heading(&self) -> ColumnHeading {
        self.subject.heading(self.column)
    }

    /// What the scene lacks for this quantity, as a message; `None` if nothing.
    pub fn missing(&self, snapshot: &Snapshot) -> Option<String> {
        missing(&self.subject, snapshot).err()
    }

    /// Whether its cells are words, as in `joints.door.at`.
    pub fn is_word(&self) -> bool {
        is_word(&self.subject, self.column)
    }

    /// All its words after the step of the snapshot.
    pub fn words(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut words = Vec::new();
        each((&self.subject, self.column), snapshot, None, |_, cell| {
            if let Cell::Word(word) = cell {
                words.push(word.to_owned());
            }
        });
        words
    }

    /// All its values after the step of the snapshot, with its metrics in `sample`.
    pub fn values(&self, snapshot: &Snapshot, sample: Option<&Sample>) -> Vec<f64> {
        let mut values = Vec::new();
        each((&self.subject, self.column), snapshot, sample, |_, cell| values.extend(cell.number()));
        values
    }
}

/// Whether the scene has what a quantity is of.
///
/// # Errors
/// What is not there, as a message.
pub(super) fn missing(subject: &Subject, snapshot: &Snapshot) -> Result<(), String> {
    let (what, name, known): (_, _, Vec<&str>) = match subject {
        Subject::Bodies(name) => ("body", name, snapshot.bodies.iter().map(|b| &*b.name).collect()),
        Subject::Joints(name) => ("joint", name, snapshot.joints.iter().map(|j| &*j.name).collect()),
        Subject::Contacts(name) if name != "*" => return contact::missing(snapshot, name).map(drop),
        Subject::Contacts(_) | Subject::Run | Subject::RunLike(_) => return Ok(()),
        Subject::Row(..) | Subject::Radius => return Err("rows and `rho` are for claims".into()),
    };
    if name != "*" && !known.iter().any(|known| fits(name, known)) {
        return Err(format!("no {what} is called `{name}`{}", nearest(name, known)));
    }
    Ok(())
}

/// Shows every cell of a quantity, with a number that tells its element from the others and the element's name, empty
/// if there is only one.
pub(super) fn each(
    (subject, column): (&Subject, usize),
    snapshot: &Snapshot,
    sample: Option<&Sample>,
    mut see: impl FnMut((u64, &str), Cell<'_>),
) {
    let at = Moment { step: snapshot.step, time: snapshot.time };
    match subject {
        Subject::Run => {
            if let Some(sample) = sample {
                see((0, ""), (METRICS[column].get)(at, sample));
            }
        }
        Subject::RunLike(head) => {
            let Some(sample) = sample else { return };
            let like = METRICS.iter().enumerate().filter(|(_, column)| column.name.starts_with(head));
            like.for_each(|(index, column)| see((index as u64, column.name), (column.get)(at, sample)));
        }
        Subject::Bodies(name) => {
            for (index, body) in (0..).zip(&snapshot.bodies).filter(|(_, b)| fits(name, &b.name)) {
                see((index, &body.name), (BODIES[column].get)(at, body));
            }
        }
        Subject::Joints(name) => {
            for (index, joint) in (0..).zip(&snapshot.joints).filter(|(_, j)| fits(name, &j.name)) {
                see((index, &joint.name), (JOINTS[column].get)(at, joint));
            }
        }
        Subject::Contacts(name) if name == "*" => {
            for ((a, b), of) in contact::all(snapshot) {
                see((u64::from(a) << 32 | u64::from(b), &of.name), (CONTACTS[column].get)(at, &of));
            }
        }
        Subject::Contacts(name) => {
            if let Some(of) = contact_of(snapshot, name) {
                see((0, ""), (CONTACTS[column].get)(at, &of));
            }
        }
        // Of claims only.
        Subject::Row(..) | Subject::Radius => {}
    }
}

/// The contact of two bodies named `a+b`, or all contacts of one body.
pub(super) fn contact_of(snapshot: &Snapshot, name: &str) -> Option<ContactView> {
    let between = ContactPair::named(name, |name| contact::body_called(snapshot, name))?;
    Some(contact::between(snapshot, between))
}
