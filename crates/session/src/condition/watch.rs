//! Checks a condition after every step, in a snapshot, for `--fail-if` and breakpoints.

use std::collections::HashMap;
use std::fmt;

use super::each::{contact_of, each, missing};
use super::{Condition, Operand, Relation, Subject, Take, Timing, shown};
use crate::columns::{BODIES, CONTACTS, Cell, JOINTS, METRICS, Moment};
use crate::{Sample, Snapshot};

/// A condition and its results so far.
#[derive(Debug, Clone)]
pub struct ConditionWatch {
    condition: Condition,
    seen: Seen,
}

/// Results of a condition.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// Whether it was checked, and whether there was any value to compare.
    looked: bool,
    measured: bool,
    held: Option<Held>,
    /// Minimum, maximum and largest magnitude so far, for each element, for `rises` and `falls`.
    so_far: HashMap<u64, (f64, f64, f64)>,
}

/// Where a condition first held, and in how many steps in all.
#[derive(Debug, Clone)]
struct Held {
    step: u64,
    time: f64,
    who: String,
    value: String,
    steps: u64,
    last: u64,
}

impl ConditionWatch {
    /// Prepares a condition for checking.
    ///
    /// # Errors
    /// The scene has no such body or joint, or the condition is only possible in claims.
    pub fn new(condition: &Condition, snapshot: &Snapshot) -> Result<Self, String> {
        let other = match &condition.bound {
            Operand::Quantity(subject, _) => Some(subject),
            _ => None,
        };
        if condition.take != Take::Itself {
            return Err(format!("\"{}\": `most`, `least`, `mean` and `change of` are for claims", condition.text));
        }
        for subject in [Some(&condition.subject), other].into_iter().flatten() {
            missing(subject, snapshot).map_err(|why| format!("\"{}\": {why}", condition.text))?;
        }
        Ok(Self { condition: condition.clone(), seen: Seen::default() })
    }

    /// Checks the state after a step, with its metrics in `sample`; `end` means that this is the last step. Returns
    /// whether the condition holds.
    pub fn check(&mut self, snapshot: &Snapshot, sample: Option<&Sample>, end: bool) -> bool {
        let Self { condition, seen } = self;
        let at = Moment { step: snapshot.step, time: snapshot.time };
        let due = match condition.when {
            Timing::Through(from, to) => from.has_come(at) && !to.is_some_and(|to| to.is_over(at)),
            Timing::Within(to) => !to.is_over(at),
            Timing::At(time) => time.has_come(at) && !seen.looked,
            Timing::AtEnd => end,
        };
        if !due {
            return false;
        }
        seen.looked = true;
        let other = match &condition.bound {
            Operand::Quantity(subject, column) => Some(one(subject, *column, at, snapshot, sample)),
            _ => None,
        };
        each((&condition.subject, condition.column), snapshot, sample, |who, cell| {
            seen.compare(condition, at, who, cell, other);
        });
        seen.held.as_ref().is_some_and(|held| held.last == at.step)
    }

    /// Discards the results, because the run is another one or at another moment.
    pub fn forget(&mut self) {
        self.seen = Seen::default();
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.condition.text
    }

    /// The first time that the condition held since the last call, as text; resets it.
    pub fn take(&mut self) -> Option<String> {
        self.seen.held.take().map(|held| held.to_string())
    }

    /// Where the condition held, as a sentence; `None` if it did not.
    ///
    /// # Errors
    /// There was nothing to compare; this does not count as passed.
    pub fn verdict(&self) -> Result<Option<String>, String> {
        let Self { condition, seen } = self;
        if let Some(held) = &seen.held {
            return Ok(Some(format!("{}: {held}", condition.text)));
        }
        if seen.measured {
            return Ok(None);
        }
        let why = if !seen.looked {
            "the run ended before that".to_owned()
        } else {
            match &condition.subject {
                Subject::Bodies(_) => "the scene has no bodies".into(),
                Subject::Joints(_) => "the scene has no joints".into(),
                Subject::Contacts(_) => "nothing has touched".into(),
                of => format!("`{}` was never measured", of.heading(condition.column).name),
            }
        };
        Err(format!("\"{}\" could not be checked: {why}", condition.text))
    }
}

impl Seen {
    /// Compares one element's value with the bound; `other` is the value of a bound that is a quantity.
    fn compare(
        &mut self,
        condition: &Condition,
        at: Moment,
        (index, who): (u64, &str),
        cell: Cell<'_>,
        other: Option<Option<f64>>,
    ) {
        let relation = condition.relation;
        let (holds, value) = match (&condition.bound, cell) {
            (_, Cell::Nothing) => return,
            (Operand::Word(word), Cell::Word(is)) => ((is == word) == (relation == Relation::Equal), is.to_owned()),
            (Operand::Word(_), _) => return,
            (bound, cell) => {
                let Some(v) = cell.number() else { return };
                let moved = matches!(relation, Relation::Rises | Relation::Falls);
                let compared = if moved { self.moved(relation, index, v) } else { v };
                let bound = match bound {
                    Operand::Share(share) => share * self.so_far.get(&index).map_or(0.0, |so_far| so_far.2),
                    Operand::Number(bound) => *bound,
                    Operand::Quantity(..) => match other.flatten() {
                        Some(bound) => bound,
                        None => return,
                    },
                    Operand::Word(_) => return,
                };
                if !relation.holds(compared, bound, bound.abs()) {
                    self.measured = true;
                    return;
                }
                (true, shown(v))
            }
        };
        self.measured = true;
        if !holds {
            return;
        }
        match &mut self.held {
            None => {
                let who = who.to_owned();
                self.held = Some(Held { step: at.step, time: at.time, who, value, steps: 1, last: at.step });
            }
            // If several elements satisfy it in one step, the first is reported.
            Some(held) if held.last != at.step => (held.steps, held.last) = (held.steps + 1, at.step),
            Some(_) => {}
        }
    }

    /// The increase above the minimum so far, or the decrease below the maximum.
    fn moved(&mut self, relation: Relation, index: u64, value: f64) -> f64 {
        let so_far = self.so_far.entry(index).or_insert((f64::INFINITY, f64::NEG_INFINITY, 0.0));
        let (least, most, size) = so_far;
        (*least, *most, *size) = (least.min(value), most.max(value), size.max(value.abs()));
        if relation == Relation::Rises { value - *least } else { *most - value }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.who.is_empty() {
            write!(f, "{} ", self.who)?;
        }
        let value = if self.value.is_empty() { "\"\"" } else { &self.value };
        write!(f, "{value} at step {}, {:.3} s", self.step, self.time)?;
        if self.steps > 1 { write!(f, "; at {} steps in all", self.steps) } else { Ok(()) }
    }
}

/// The value of a single quantity; `None` if it was not measured.
fn one(subject: &Subject, column: usize, at: Moment, snapshot: &Snapshot, sample: Option<&Sample>) -> Option<f64> {
    match subject {
        Subject::Run => (METRICS[column].get)(at, sample?).number(),
        Subject::Bodies(name) => {
            let body = snapshot.bodies.iter().find(|body| *body.name == **name)?;
            (BODIES[column].get)(at, body).number()
        }
        Subject::Joints(name) => {
            let joint = snapshot.joints.iter().find(|joint| *joint.name == **name)?;
            (JOINTS[column].get)(at, joint).number()
        }
        Subject::Contacts(name) => (CONTACTS[column].get)(at, &contact_of(snapshot, name)?).number(),
        Subject::RunLike(_) | Subject::Row(..) | Subject::Radius => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::{Time, condition};

    #[test]
    fn what_rises_is_measured_from_the_least_and_in_shares_of_the_largest() {
        let read = |text: &str| condition(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(read("energy rises by 1 %").bound, Operand::Share(0.01));
        assert_eq!(read("energy rises 2.5").bound, Operand::Number(2.5));
        assert_eq!(read("energy falls 1% after 2").when, Timing::Through(Time::Seconds(2.0), None));
        assert!(condition("joints.*.at rises 1").is_err());
        assert!(condition("energy > 1 %").is_err(), "a share of what?");
        let steps_that_hold = |text: &str, values: &[f64]| {
            let (condition, mut seen) = (read(text), Seen::default());
            let look = |(step, value): (usize, &f64)| {
                let at = Moment { step: step as u64, time: 0.0 };
                seen.compare(&condition, at, (0, ""), Cell::Real(*value), None);
                seen.held.as_ref().is_some_and(|held| held.last == at.step).then_some(step)
            };
            values.iter().enumerate().skip(1).filter_map(look).collect::<Vec<_>>()
        };
        // A tenth of the largest magnitude so far: 10 for 100, then 11 for 110.
        let values = [0.0, 100.0, 50.0, 59.9, 60.1, 49.0, 110.0, 60.5];
        assert_eq!(steps_that_hold("energy rises 10 %", &values), [4, 6, 7]);
        assert_eq!(steps_that_hold("energy falls 40", &values), [2, 3, 5, 7]);
    }
}
