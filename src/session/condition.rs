//! What `--fail-if` and a breakpoint ask: a column, a relation and a bound, looked at after every step.
//!
//! ```text
//! joint_error_max > 5e-3          a column of the metrics, at any step
//! joints.motor.torque >= 40       of the joint called `motor`; `*` for any joint
//! bodies.*.z < -1 after 2         of any body, from 2 s on
//! kinetic_energy > 1e-3 at end    after the last step only
//! energy rises 1 %                above the least that it has been since it is looked at; % of the largest size so far
//! ```

use std::fmt;

use super::columns::{BODIES, Cell, Column, JOINTS, KEYS, METRICS, Moment};
use super::{Sample, Snapshot};
use crate::scene::nearest;

/// A condition as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// As it was written.
    text: String,
    subject: Subject,
    /// Its index in the subject's list.
    column: usize,
    relation: Relation,
    bound: Bound,
    when: When,
}

/// Whose column it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subject {
    Run,
    /// The body of this name, or every one.
    Bodies(Option<String>),
    Joints(Option<String>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Relation {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
    Other,
    /// By more than the bound above the least so far.
    Rises,
    /// By more than the bound below the most so far.
    Falls,
}

#[derive(Debug, Clone, PartialEq)]
enum Bound {
    Number(f64),
    /// Of the largest size so far; 0.01 for one percent.
    Share(f64),
    Word(String),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum When {
    /// After every step that ends at this time or later, s.
    From(f64),
    AtEnd,
}

/// The relations as they are written, longer ones first.
const RELATIONS: &[(&str, Relation)] = &[
    (">=", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("==", Relation::Equal),
    ("!=", Relation::Other),
    (">", Relation::Above),
    ("<", Relation::Below),
    (" rises ", Relation::Rises),
    (" falls ", Relation::Falls),
];

/// Reads a condition.
///
/// # Errors
/// What was expected, with the nearest column where one is unknown.
pub fn condition(text: &str) -> Result<Condition, String> {
    let form = "expected a COLUMN, one of > >= < <= == != rises falls, and a value, as in \"joint_error_max > 5e-3\"";
    let found = text.char_indices().find_map(|(at, _)| {
        let (sign, relation) = RELATIONS.iter().find(|(sign, _)| text[at..].starts_with(sign))?;
        Some((text[..at].trim(), *relation, text[at + sign.len()..].trim()))
    });
    let (name, relation, rest) = found.ok_or(form)?;
    let rest = rest.strip_prefix("by ").unwrap_or(rest).replace(" %", "%");
    let (value, when) = when(&rest)?;
    if name.is_empty() || value.is_empty() {
        return Err(form.into());
    }
    let (subject, column) = subject(name)?;
    let words = is_word(&subject, column);
    let moves = matches!(relation, Relation::Rises | Relation::Falls);
    let share = value.strip_suffix('%').filter(|_| moves).and_then(|number| number.parse::<f64>().ok());
    let bound = match (value.parse::<f64>(), words) {
        _ if !words && share.is_some_and(f64::is_finite) => Bound::Share(share.unwrap_or(0.0) / 100.0),
        (Ok(number), false) if number.is_finite() => Bound::Number(number),
        (_, false) => return Err(format!("`{name}` is compared with a finite number, not `{value}`")),
        (_, true) if matches!(relation, Relation::Equal | Relation::Other) => {
            Bound::Word(value.trim_matches('"').to_owned())
        }
        (_, true) => return Err(format!("`{name}` is a word: compare it by == or !=")),
    };
    Ok(Condition { text: text.trim().into(), subject, column, relation, bound, when })
}

/// The value, and what is said behind it.
fn when(rest: &str) -> Result<(&str, When), String> {
    let mut words = rest.split_whitespace();
    let value = words.next().unwrap_or_default();
    let more: Vec<_> = words.collect();
    match more.as_slice() {
        [] => Ok((value, When::From(f64::NEG_INFINITY))),
        ["at", "end"] => Ok((value, When::AtEnd)),
        ["after", time] => match time.trim_end_matches('s').parse::<f64>() {
            Ok(time) if time.is_finite() => Ok((value, When::From(time))),
            _ => Err(format!("expected seconds behind `after`, not `{time}`")),
        },
        _ => Err(format!("expected nothing, `at end` or `after SECONDS` behind the value, not `{}`", more.join(" "))),
    }
}

/// Whose column it is, and which.
pub(super) fn subject(name: &str) -> Result<(Subject, usize), String> {
    let of = |list: &str| {
        let (owner, column) = name.strip_prefix(list)?.rsplit_once('.')?;
        Some(((owner != "*").then(|| owner.to_owned()), column))
    };
    if let Some((owner, column)) = of("joints.") {
        Ok((Subject::Joints(owner), index(JOINTS, column, "a joint")?))
    } else if let Some((owner, column)) = of("bodies.") {
        Ok((Subject::Bodies(owner), index(BODIES, column, "a body")?))
    } else if name.starts_with("joints.") || name.starts_with("bodies.") {
        Err(format!(
            "expected a name and a column, as in {}*.{}",
            &name[..7],
            if name.starts_with('j') { "error" } else { "z" }
        ))
    } else {
        Ok((Subject::Run, index(METRICS, name, "the run")?))
    }
}

fn index<T>(columns: &[Column<T>], name: &str, whose: &str) -> Result<usize, String> {
    columns.iter().position(|c| c.name == name).ok_or_else(|| {
        let near = nearest(name, columns.iter().map(|c| c.name));
        format!("no column of {whose} is called `{name}`{near}; `delassus columns` lists them")
    })
}

/// Whether a column holds words: its place in the table says so before there is anything to look at.
pub(super) fn is_word(subject: &Subject, column: usize) -> bool {
    match subject {
        Subject::Run => false,
        Subject::Bodies(_) => column == KEYS,
        Subject::Joints(_) => column == KEYS || JOINTS[column].name == "at",
    }
}

/// A condition and what has become of it.
#[derive(Debug, Clone)]
pub struct Watch {
    condition: Condition,
    seen: Seen,
}

/// What was seen of a condition.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// Whether it was looked at, and whether there was anything to look at.
    looked: bool,
    measured: bool,
    held: Option<Held>,
    /// Of each that is looked at the least, the most and the largest size so far, for what rises or falls.
    so_far: Vec<(f64, f64, f64)>,
}

/// Where a condition held first, and how many steps in all.
#[derive(Debug, Clone)]
struct Held {
    step: u64,
    time: f64,
    who: String,
    value: String,
    steps: u64,
    last: u64,
}

impl Watch {
    /// A condition to be looked at.
    ///
    /// # Errors
    /// The scene has no body or joint of that name.
    pub fn new(condition: &Condition, snapshot: &Snapshot) -> Result<Self, String> {
        let watch = Self { condition: condition.clone(), seen: Seen::default() };
        let (what, name, known): (_, _, Vec<&str>) = match &condition.subject {
            Subject::Bodies(Some(name)) => ("body", name, snapshot.bodies.iter().map(|b| &*b.name).collect()),
            Subject::Joints(Some(name)) => ("joint", name, snapshot.joints.iter().map(|j| &*j.name).collect()),
            _ => return Ok(watch),
        };
        if known.contains(&name.as_str()) {
            return Ok(watch);
        }
        Err(format!("\"{}\": no {what} is called `{name}`{}", condition.text, nearest(name, known)))
    }

    /// Looks at the state after a step, of which `sample` has the metrics; `end` says that no further step comes. True if
    /// it holds.
    pub fn look(&mut self, snapshot: &Snapshot, sample: Option<&Sample>, end: bool) -> bool {
        let Self { condition, seen } = self;
        let at = Moment { step: snapshot.step, time: snapshot.time };
        let due = match condition.when {
            // A step's end is a sum of steps: it may be a rounding short of the time that was asked for.
            When::From(from) => at.time >= from - 1e-9 * from.abs(),
            When::AtEnd => end,
        };
        if !due {
            return false;
        }
        seen.looked = true;
        let column = condition.column;
        match &condition.subject {
            Subject::Run => {
                if let Some(sample) = sample {
                    seen.compare(condition, at, (0, ""), (METRICS[column].get)(at, sample));
                }
            }
            Subject::Bodies(name) => {
                let asked = |b: &str| name.as_deref().is_none_or(|n| b == n);
                for (index, body) in snapshot.bodies.iter().enumerate().filter(|(_, b)| asked(&b.name)) {
                    seen.compare(condition, at, (index, &body.name), (BODIES[column].get)(at, body));
                }
            }
            Subject::Joints(name) => {
                let asked = |j: &str| name.as_deref().is_none_or(|n| j == n);
                for (index, joint) in snapshot.joints.iter().enumerate().filter(|(_, j)| asked(&j.name)) {
                    seen.compare(condition, at, (index, &joint.name), (JOINTS[column].get)(at, joint));
                }
            }
        }
        seen.held.as_ref().is_some_and(|held| held.last == at.step)
    }

    /// Forgets what was seen: another run, or another moment of it.
    pub fn forget(&mut self) {
        self.seen = Seen::default();
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.condition.text
    }

    /// Where it held first since it was last asked, in words; asked again it begins anew.
    pub fn take(&mut self) -> Option<String> {
        self.seen.held.take().map(|held| held.to_string())
    }

    /// Where it held, in a sentence; nothing if it did not.
    ///
    /// # Errors
    /// There was nothing to compare: a condition that could not hold has not passed.
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
                Subject::Run => format!("`{}` was never measured", METRICS[condition.column].name),
                Subject::Bodies(_) => "the scene has no bodies".into(),
                Subject::Joints(_) => "the scene has no joints".into(),
            }
        };
        Err(format!("\"{}\" could not be looked at: {why}", condition.text))
    }
}

impl Seen {
    fn compare(&mut self, condition: &Condition, at: Moment, (index, who): (usize, &str), cell: Cell<'_>) {
        let relation = condition.relation;
        let (holds, value) = match (&condition.bound, cell) {
            (_, Cell::Nothing) => return,
            (Bound::Word(word), Cell::Word(is)) => ((is == word) == (relation == Relation::Equal), is.to_owned()),
            (Bound::Word(_), _) => return,
            (bound, cell) => {
                let Some(v) = cell.number() else { return };
                let moved = matches!(relation, Relation::Rises | Relation::Falls);
                let compared = if moved { self.moved(relation, index, v) } else { v };
                let bound = match bound {
                    Bound::Share(share) => share * self.so_far[index].2,
                    Bound::Number(bound) => *bound,
                    Bound::Word(_) => return,
                };
                if !relation.holds(compared, bound) {
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
            // Of many bodies that hold at one step the first is told.
            Some(held) if held.last != at.step => (held.steps, held.last) = (held.steps + 1, at.step),
            Some(_) => {}
        }
    }

    /// By how much it is above the least so far, or below the most.
    fn moved(&mut self, relation: Relation, index: usize, value: f64) -> f64 {
        if self.so_far.len() <= index {
            self.so_far.resize(index + 1, (f64::INFINITY, f64::NEG_INFINITY, 0.0));
        }
        let (least, most, size) = &mut self.so_far[index];
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

impl Relation {
    /// Whether it holds. A value that is not a number fails every bound: it is never what one hopes for.
    fn holds(self, value: f64, bound: f64) -> bool {
        value.is_nan()
            || match self {
                Self::Above => value > bound,
                Self::AtLeast => value >= bound,
                Self::Below => value < bound,
                Self::AtMost => value <= bound,
                Self::Equal => value == bound,
                Self::Other => value != bound,
                // Of these `value` is by how much it has moved.
                Self::Rises | Self::Falls => value > bound,
            }
    }
}

/// Four digits, as a number of usual size or by powers of ten.
fn shown(v: f64) -> String {
    if v == v.trunc() && v.abs() < 1e6 || (1e-2..1e5).contains(&v.abs()) {
        let rounded = (v * 1e4).round() / 1e4;
        format!("{rounded}")
    } else {
        format!("{v:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_whatever_their_blanks() {
        for text in ["joint_error_max>5e-3", " joint_error_max  >  5e-3 ", "joints.a.b.force >= 40", "bodies.*.z<-1"] {
            assert!(condition(text).is_ok(), "{text}: {:?}", condition(text));
        }
        let of = condition("joints.chain.3.force > 1").unwrap();
        assert_eq!(of.subject, Subject::Joints(Some("chain.3".into())));
        assert_eq!(condition("bodies.*.z < 0 after 2 ").unwrap().when, When::From(2.0));
        assert_eq!(condition("energy > 1 at end").unwrap().when, When::AtEnd);
        assert_eq!(condition("joints.*.at == least").unwrap().bound, Bound::Word("least".into()));
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        for (text, hint) in [
            ("joint_error_max", "expected a COLUMN"),
            ("> 3", "expected a COLUMN"),
            ("joint_eror_max > 3", "did you mean `joint_error_max`?"),
            ("joints.motor.torqe > 3", "did you mean `torque`?"),
            ("joints.force > 3", "expected a name and a column"),
            ("energy > lots", "a finite number, not `lots`"),
            ("energy > NaN", "a finite number"),
            ("energy > 1 at once", "`at end`"),
            ("energy > 1 after lunch", "expected seconds"),
            ("joints.*.at > least", "is a word"),
        ] {
            let said = condition(text).unwrap_err();
            assert!(said.contains(hint), "{text}: {said}");
        }
    }

    #[test]
    fn what_rises_is_measured_from_the_least_and_in_shares_of_the_largest() {
        let read = |text: &str| condition(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(read("energy rises by 1 %").bound, Bound::Share(0.01));
        assert_eq!(read("energy rises 2.5").bound, Bound::Number(2.5));
        assert_eq!(read("energy falls 1% after 2").when, When::From(2.0));
        assert!(condition("joints.*.at rises 1").is_err());
        assert!(condition("energy > 1 %").is_err(), "a share of what?");
        let steps_that_hold = |text: &str, values: &[f64]| {
            let (condition, mut seen) = (read(text), Seen::default());
            let look = |(step, value): (usize, &f64)| {
                let at = Moment { step: step as u64, time: 0.0 };
                seen.compare(&condition, at, (0, ""), Cell::Real(*value));
                seen.held.as_ref().is_some_and(|held| held.last == at.step).then_some(step)
            };
            values.iter().enumerate().skip(1).filter_map(look).collect::<Vec<_>>()
        };
        // A tenth of the largest size so far: 100, then 110.
        let values = [0.0, 100.0, 50.0, 59.9, 60.1, 49.0, 110.0, 60.5];
        assert_eq!(steps_that_hold("energy rises 10 %", &values), [4, 6, 7]);
        assert_eq!(steps_that_hold("energy falls 40", &values), [2, 3, 5, 7]);
    }

    /// Of the relations between one and two, three and not a number.
    #[test]
    fn relations_hold_as_they_read() {
        let held = |v: f64| RELATIONS.iter().filter(|(_, r)| r.holds(v, 2.0)).map(|(s, _)| *s).collect::<Vec<_>>();
        assert_eq!(held(1.0), ["<=", "!=", "<"]);
        assert_eq!(held(2.0), [">=", "<=", "=="]);
        assert_eq!(held(3.0), [">=", "!=", ">", " rises ", " falls "]);
        assert_eq!(held(f64::NAN).len(), RELATIONS.len());
    }
}
