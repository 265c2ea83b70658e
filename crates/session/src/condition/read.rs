//! Reads a condition from text.
//!
//! ```text
//! condition   [take] quantity relation bound [± number [unit | %]] [when]
//! take        most | least | mean | change of
//! quantity    a column | bodies.NAME.COLUMN | joints.NAME.COLUMN | rows.JOINT.NUMBER.force |
//!             contacts.A+B.COLUMN | rho
//! relation    > >= < <= == != = rises falls
//! bound       number [unit | %] | quantity | word
//! when        at T | at end | within T | until T | after T [until T] | throughout
//! T           seconds, or a number with `s`, `ms` or `steps` behind it
//! ```

use super::units::factor;
use super::{Condition, Operand, Relation, Subject, Take, Time, Timing, Tolerance};
use crate::columns::{BODIES, CONTACTS, Column, JOINTS, KEYS, METRICS};
use crate::quantity::{ROWS, row};
use delassus_scene::nearest;

/// The relations as written, longer ones first.
pub(super) const RELATIONS: &[(&str, Relation)] = &[
    (">=", Relation::AtLeast),
    ("<=", Relation::AtMost),
    ("==", Relation::Equal),
    ("!=", Relation::Other),
    (">", Relation::Above),
    ("<", Relation::Below),
    ("=", Relation::Near(Tolerance::Number(0.0))),
    (" rises ", Relation::Rises),
    (" falls ", Relation::Falls),
];

const TAKES: [(&str, Take); 4] =
    [("most ", Take::Most), ("least ", Take::Least), ("mean ", Take::Mean), ("change of ", Take::Change)];

/// The longest condition and the longest quantity, bytes. Reading tries every place where a name may end.
pub(crate) const MAX_BYTES: usize = 2000;

/// The words with which a time begins.
const WHENS: [&str; 5] = ["at", "after", "within", "until", "throughout"];

/// Reads a condition.
///
/// # Errors
/// What was expected; for an unknown column, also the most similar one.
pub fn condition(text: &str) -> Result<Condition, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("it is too long, at most {MAX_BYTES} bytes"));
    }
    let form = "expected a COLUMN, one of > >= < <= == != = rises falls, and a value, as in \"joint_error_max > 5e-3\"";
    // A name may contain such signs: take the first sign that is preceded by a valid quantity.
    let mut found = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let Some((sign, relation)) = RELATIONS.iter().find(|(sign, _)| text[at..].starts_with(sign)) else {
            at += c.len_utf8();
            continue;
        };
        let left = text[..at].trim();
        let (name, take) = (TAKES.iter())
            .find_map(|(word, take)| Some((left.strip_prefix(word)?.trim(), *take)))
            .unwrap_or((left, Take::Itself));
        let of = subject(name);
        let right = text[at + sign.len()..].trim();
        if of.is_ok() || found.is_none() {
            let done = of.is_ok();
            found = Some((name, take, of, *relation, right));
            if done {
                break;
            }
        }
        at += sign.len();
    }
    let (name, take, of, relation, right) = found.ok_or(form)?;
    let right = right.strip_prefix("by ").unwrap_or(right).replace('%', " % ").replace('±', " ± ");
    let words: Vec<&str> = right.split_whitespace().collect();
    if name.is_empty() || words.is_empty() {
        return Err(form.into());
    }
    let (value, when) = when(&words)?;
    if value.is_empty() {
        return Err(form.into());
    }
    let (subject, column) = of?;
    let mut condition = Condition {
        text: text.trim().into(),
        take,
        subject,
        column,
        relation,
        bound: Operand::Number(0.0),
        when,
        unit: (String::new(), 1.0),
    };
    condition.bind(name, value)?;
    Ok(condition)
}

impl Condition {
    /// Reads the bound and the tolerance.
    fn bind(&mut self, name: &str, value: &[&str]) -> Result<(), String> {
        let (bound, room) = match value.iter().position(|word| *word == "±") {
            Some(at) => (&value[..at], Some(&value[at + 1..])),
            None => (value, None),
        };
        let heading = self.subject.heading(self.column);
        if is_word(&self.subject, self.column) {
            if !matches!(self.relation, Relation::Equal | Relation::Other) || self.take != Take::Itself {
                return Err(format!("`{name}` is a word: compare it by == or !="));
            }
            self.bound = Operand::Word(bound.join(" ").trim_matches('"').to_owned());
            return Ok(());
        }
        let finite = || format!("`{name}` is compared with a finite number, not `{}`", bound.join(" "));
        let moves = matches!(self.relation, Relation::Rises | Relation::Falls) || self.take == Take::Change;
        match number(bound) {
            Some((number, "%")) if moves => self.bound = Operand::Share(number / 100.0),
            Some((_, "%")) => return Err(format!("a share of what? `{name}` is compared with a finite number")),
            Some((number, unit)) => {
                let of = if unit.is_empty() { 1.0 } else { factor(unit, heading.unit, name)? };
                self.bound = Operand::Number(number * of);
                self.unit = (unit.to_owned(), of);
            }
            None => {
                let other = bound.join(" ");
                let (whose, column) = match subject(&other) {
                    Ok(read) => read,
                    // Text that looks like a quantity gets the message about quantities.
                    Err(said) if other.contains(['.', '_']) => return Err(said),
                    Err(_) => return Err(finite()),
                };
                let one = match &whose {
                    Subject::RunLike(_) => false,
                    Subject::Bodies(name) | Subject::Joints(name) | Subject::Contacts(name) => !name.contains('*'),
                    _ => true,
                };
                if !one || is_word(&whose, column) || moves {
                    return Err(format!("`{name}` is compared with a number or with one quantity, not `{other}`"));
                }
                self.bound = Operand::Quantity(whose, column);
            }
        }
        match (self.relation, room) {
            (Relation::Near(_), Some(room)) => {
                let (room, unit) = number(room).filter(|(room, _)| *room >= 0.0).ok_or_else(|| {
                    format!("expected a tolerance after ±, as in 0.1 or 5 %, not `{}`", room.join(" "))
                })?;
                self.relation = Relation::Near(match unit {
                    "%" => Tolerance::Share(room / 100.0),
                    "" => Tolerance::Number(room * self.unit.1),
                    unit => Tolerance::Number(room * factor(unit, heading.unit, name)?),
                });
                // In `12 ± 1 mm` the unit applies to both numbers.
                if let (true, false, Operand::Number(bound)) =
                    (self.unit.0.is_empty(), matches!(unit, "" | "%"), &self.bound)
                {
                    let of = factor(unit, heading.unit, name)?;
                    (self.bound, self.unit) = (Operand::Number(bound * of), (unit.to_owned(), of));
                }
                Ok(())
            }
            (Relation::Near(_), None) => {
                Err("`=` needs a tolerance, as in = 3 ± 0.1; for equality to the bit use ==".into())
            }
            (_, Some(_)) => Err("a tolerance ± goes with = only".into()),
            (_, None) => Ok(()),
        }
    }
}

/// A finite number and the unit after it, which may be empty.
fn number<'a>(words: &[&'a str]) -> Option<(f64, &'a str)> {
    let (first, more) = words.split_first()?;
    if !first.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '−')) {
        return None;
    }
    // The longest prefix that is a number: `5mm`, `1e-3`.
    let ends = first.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
    let (number, rest) = ends.filter_map(|end| Some((read(&first[..end])?, &first[end..]))).next()?;
    match (rest, more) {
        (unit, []) => Some((number, unit)),
        ("", [unit]) => Some((number, unit)),
        _ => None,
    }
}

/// Reads a finite number, with an ASCII or a typographic minus sign.
fn read(text: &str) -> Option<f64> {
    text.replace('−', "-").parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Splits the bound's words from the time after them.
fn when<'w, 'a>(words: &'w [&'a str]) -> Result<(&'w [&'a str], Timing), String> {
    let mut wrong = None;
    for at in (1..words.len()).filter(|at| WHENS.contains(&words[*at])) {
        match time_of(&words[at..]) {
            Ok(when) => return Ok((&words[..at], when)),
            Err(said) => drop(wrong.get_or_insert(said)),
        }
    }
    wrong.map_or(Ok((words, Timing::Through(Time::START, None))), Err)
}

fn time_of(words: &[&str]) -> Result<Timing, String> {
    let expected = || {
        let all = "`at end`, `at T`, `within T`, `until T`, `after T`, `after T until T` or `throughout`";
        format!("expected nothing or {all} after the value, not `{}`", words.join(" "))
    };
    let time = |words: &[&str]| time(words).ok_or_else(|| seconds(words));
    match words {
        ["throughout"] => Ok(Timing::Through(Time::START, None)),
        ["at", "end"] => Ok(Timing::AtEnd),
        ["at", rest @ ..] if number(rest).is_some() => Ok(Timing::At(time(rest)?)),
        ["within", rest @ ..] => Ok(Timing::Within(time(rest)?)),
        ["until", rest @ ..] => Ok(Timing::Through(Time::START, Some(time(rest)?))),
        ["after", rest @ ..] => match rest.iter().position(|word| *word == "until") {
            Some(at) => Ok(Timing::Through(time(&rest[..at])?, Some(time(&rest[at + 1..])?))),
            None => Ok(Timing::Through(time(rest)?, None)),
        },
        _ => Err(expected()),
    }
}

fn seconds(words: &[&str]) -> String {
    format!("expected seconds, as in `2 s`, not `{}`", words.join(" "))
}

fn time(words: &[&str]) -> Option<Time> {
    let (number, unit) = number(words).filter(|(number, _)| (0.0..=1e6).contains(number))?;
    match unit {
        "" | "s" => Some(Time::Seconds(number)),
        "ms" => Some(Time::Seconds(number / 1e3)),
        "step" | "steps" if number.fract() == 0.0 => Some(Time::Steps(number as u64)),
        _ => None,
    }
}

/// Prefixes of the tables other than the run's, with an example column of each.
const LISTS: [(&str, &str); 3] = [("joints.", "error"), ("bodies.", "z"), ("contacts.", "force")];

/// Whose column it is, and the column's index.
pub(crate) fn subject(name: &str) -> Result<(Subject, usize), String> {
    let of = |list: &str| {
        let (owner, column) = name.strip_prefix(list)?.rsplit_once('.')?;
        Some((owner.to_owned(), column))
    };
    if let Some((owner, column)) = of("joints.") {
        Ok((Subject::Joints(owner), index(JOINTS, column, "a joint")?))
    } else if let Some((owner, column)) = of("bodies.") {
        Ok((Subject::Bodies(owner), index(BODIES, column, "a body")?))
    } else if let Some(rest) = name.strip_prefix("rows.") {
        let (owner, slot, column) = row(rest)?;
        Ok((Subject::Row(owner, slot), column))
    } else if let Some((owner, column)) = of("contacts.") {
        Ok((Subject::Contacts(owner), index(CONTACTS, column, "a contact")?))
    } else if let Some((list, usual)) = LISTS.iter().find(|(list, _)| name.starts_with(list)) {
        Err(format!("expected a name and a column, as in {list}*.{usual}"))
    } else if name == "rho" {
        Ok((Subject::Radius, 0))
    } else if let Some(head) = name.strip_suffix('*') {
        let first = METRICS.iter().position(|column| column.name.starts_with(head));
        let first = first.ok_or_else(|| format!("no column of the run begins with `{head}`"))?;
        Ok((Subject::RunLike(head.to_owned()), first))
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

/// Whether a column contains words; decided by its place in the table, without data.
pub(crate) fn is_word(subject: &Subject, column: usize) -> bool {
    match subject {
        Subject::Bodies(_) | Subject::Contacts(_) => column == KEYS,
        Subject::Joints(_) => column == KEYS || JOINTS[column].name == "at",
        Subject::Row(..) => column >= ROWS.len(),
        Subject::Run | Subject::RunLike(_) | Subject::Radius => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Condition {
        condition(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn conditions_are_read_whatever_their_blanks() {
        for text in ["joint_error_max>5e-3", " joint_error_max  >  5e-3 ", "joints.a.b.force >= 40", "bodies.*.z<-1"] {
            of(text);
        }
        assert_eq!(of("joints.chain.3.force > 1").subject, Subject::Joints("chain.3".into()));
        assert_eq!(of("bodies.*.z < 0 after 2 ").when, Timing::Through(Time::Seconds(2.0), None));
        assert_eq!(of("energy > 1 at end").when, Timing::AtEnd);
        assert_eq!(of("joints.*.at == least").bound, Operand::Word("least".into()));
        assert_eq!(of("rows.a.b.2.force > 1").subject, Subject::Row("a.b".into(), 2));
        assert_eq!(of("bodies.e = 0.5.z < 1").subject, Subject::Bodies("e = 0.5".into()));
        // Names that contain blanks may stand on either side.
        let text = "joints.front wheel.speed = joints.rear wheel.speed ± 1 % at 2 s";
        assert_eq!(of(text).bound, Operand::Quantity(Subject::Joints("rear wheel".into()), of(text).column));
        assert_eq!(of(text).relation, Relation::Near(Tolerance::Share(0.01)));
    }

    #[test]
    fn numbers_have_units_and_tolerances() {
        for (text, bound, room) in [
            ("joint_error_max = 12 mm ± 1 mm", 12e-3, 1e-3),
            ("joint_error_max = 12 ± 1 mm", 12e-3, 1e-3),
            ("joint_error_max=1.2cm±0.1", 12e-3, 1e-3),
            ("joint_error_max = 0.012 ± 0.001", 12e-3, 1e-3),
        ] {
            let Relation::Near(Tolerance::Number(found)) = of(text).relation else { panic!("{text}") };
            let Operand::Number(at) = of(text).bound else { panic!("{text}") };
            assert!((at - bound).abs() < 1e-15 && (found - room).abs() < 1e-15, "{text}: {at} ± {found}");
        }
        let right_angle = of("joints.hinge.value < 90 deg");
        assert_eq!(right_angle.bound, Operand::Number(90.0 * (std::f64::consts::PI / 180.0)));
        assert_eq!(of("bodies.a.vz = −2 ± 5 %").relation, Relation::Near(Tolerance::Share(0.05)));
        assert_eq!(of("change of momentum_* = 0 ± 1e-5").subject, Subject::RunLike("momentum_".into()));
    }

    #[test]
    fn times_are_read() {
        let (two, three) = (Time::Seconds(2.0), Time::Seconds(3.0));
        for (text, when) in [
            ("energy > 1 within 3 s", Timing::Within(three)),
            ("energy > 1 J within 3s", Timing::Within(three)),
            ("energy > 1 until 3", Timing::Through(Time::START, Some(three))),
            ("energy > 1 after 2 s until 3 s", Timing::Through(two, Some(three))),
            ("energy > 1 at 2000 ms", Timing::At(two)),
            ("energy > 1 at 12 steps", Timing::At(Time::Steps(12))),
            ("energy > 1 throughout", Timing::Through(Time::START, None)),
        ] {
            assert_eq!(of(text).when, when, "{text}");
        }
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
            ("most joints.a.at == least", "is a word"),
            ("energy > 1 mm", "`energy` is in J: `mm` is no unit of it"),
            ("contacts > 1 m", "has no unit"),
            ("energy = 3", "needs a tolerance"),
            ("energy < 3 ± 1", "goes with = only"),
            ("energy = 3 ± -1", "expected a tolerance"),
            ("energy = 3 ± much", "expected a tolerance"),
            ("bodies.a.z < bodies.*.z", "with one quantity"),
            ("bodies.a.z < bodies.b.zz", "no column of a body is called `zz`"),
            ("spin_* = 0 ± 1", "no column of the run begins with `spin_`"),
            ("energy > 1 within 2 steps more", "expected seconds"),
            ("rows.motor.99.force > 1", "from 0 to 11"),
        ] {
            let said = condition(text).expect_err(text);
            assert!(said.contains(hint), "{text}: {said}");
        }
    }

    /// Compares 1, 2, 3 and NaN with a bound of 2.
    #[test]
    fn relations_hold_as_they_read() {
        let held = |v: f64| {
            let list = RELATIONS.iter().filter(|(_, r)| r.holds(v, 2.0, 2.0)).map(|(s, _)| *s);
            list.collect::<Vec<_>>()
        };
        assert_eq!(held(1.0), ["<=", "!=", "<"]);
        assert_eq!(held(2.0), [">=", "<=", "==", "="]);
        assert_eq!(held(3.0), [">=", "!=", ">", " rises ", " falls "]);
        assert_eq!(held(f64::NAN).len(), RELATIONS.len() - 1, "all but what is to be near");
        let near = |v: f64| Relation::Near(Tolerance::Share(0.1)).holds(v, 2.0, 2.0);
        assert_eq!([1.79, 1.81, 2.19, 2.21].map(near), [false, true, true, false]);
    }
}
