//! Checks one claim step by step, directly in the world.

use std::fmt;

use super::LENGTH;
use super::term::{StepState, Term, TermValue, terms};
use crate::condition::{Condition, Operand, Relation, Take, Time, Timing, Tolerance, shown};
use crate::names::Names;
use crate::quantity::moment;
use delassus_physics::row::RowList;

/// A value of a claim's quantity, and when it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimValue {
    /// With the claim's own unit.
    pub words: String,
    /// Its owner, if the claim names several.
    pub who: String,
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// By how much the claim holds with this value, in the unit of its quantity; negative if it does not.
    pub margin: f64,
}

impl fmt::Display for ClaimValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.who.is_empty() {
            write!(f, "{} ", self.who)?;
        }
        write!(f, "{} at {:.3} s", self.words, self.time)
    }
}

/// Result of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimVerdict {
    /// Not decided yet; the value closest to failing so far, if there is one.
    Pending(Option<ClaimValue>),
    /// Satisfied; the value closest to failing, or the value that satisfied it.
    Held(ClaimValue),
    /// Not satisfied, and the value that shows it.
    Failed(ClaimValue),
    /// It could not be checked, and why.
    Unclear(String),
}

/// Statistics of a term's values over the checked steps.
#[derive(Debug, Clone, Copy)]
struct RunningStatistics {
    first: f64,
    min: f64,
    max: f64,
    sum: f64,
    count: f64,
    /// Largest magnitude since the run began.
    size: f64,
}

/// A claim and its state.
#[derive(Debug, Clone)]
pub(super) struct ClaimWatch {
    condition: Condition,
    terms: Vec<Term>,
    other: Option<Term>,
    statistics: Vec<RunningStatistics>,
    /// The value with the smallest margin so far.
    tightest: Option<ClaimValue>,
    verdict: Option<ClaimVerdict>,
}

impl ClaimWatch {
    /// A claim about these bodies and joints.
    ///
    /// # Errors
    /// There is no body or joint of that name.
    pub fn new(condition: Condition, names: &Names) -> Result<Self, String> {
        let all = terms(&condition.subject, condition.column, names)?;
        let other = match &condition.bound {
            Operand::Quantity(subject, column) => terms(subject, *column, names)?.into_iter().next(),
            _ => None,
        };
        let empty =
            RunningStatistics { first: f64::NAN, min: f64::NAN, max: f64::NAN, sum: 0.0, count: 0.0, size: 0.0 };
        let statistics = vec![empty; all.len()];
        Ok(Self { condition, terms: all, other, statistics, tightest: None, verdict: None })
    }

    /// The current result.
    pub fn verdict(&self) -> ClaimVerdict {
        let pending = || ClaimVerdict::Pending(self.tightest.clone());
        self.verdict.clone().unwrap_or_else(pending)
    }

    pub fn is_decided(&self) -> bool {
        self.verdict.is_some()
    }

    /// The step at which it is decided, at `rate` steps per second.
    pub fn steps(&self, rate: f64) -> u64 {
        end(self.condition.when).steps(rate)
    }

    /// Marks it as unclear if the run ended before it was decided.
    pub fn give_up(&mut self, why: &str) {
        self.verdict.get_or_insert_with(|| ClaimVerdict::Unclear(why.to_owned()));
    }

    /// Checks the world at step 0 and after each step.
    pub fn check(&mut self, now: &StepState<'_>, list: &mut RowList) {
        let at = moment(now.world);
        let when = self.condition.when;
        let due = match when {
            Timing::Through(from, _) => from.has_come(at) && !end(when).is_over(at),
            Timing::Within(to) => !to.is_over(at),
            Timing::At(_) | Timing::AtEnd => end(when).has_come(at),
        };
        // `change of` needs the value at the beginning, even if the check starts later.
        let follows = self.condition.take == Take::Change;
        let ends = end(when).has_come(at);
        if self.is_decided() || !(due || follows || ends) {
            return;
        }
        let other = self.other.as_ref().map(|other| other.read(now, list));
        let mut worst: Option<(bool, ClaimValue)> = None;
        for index in (0..self.terms.len()).filter(|_| due || follows) {
            let read = self.terms[index].read(now, list);
            if let TermValue::Number(number) = read {
                self.statistics[index].record(number, due);
            }
            if due && !self.condition.take.is_of_all_steps() {
                let (holds, margin, words) = self.judge(index, &read, other.as_ref());
                let who = if self.terms.len() > 1 { self.terms[index].who.to_string() } else { String::new() };
                let value = ClaimValue { words, who, step: at.step, time: at.time, margin };
                if worst.as_ref().is_none_or(|worst| (holds, margin) < (worst.0, worst.1.margin)) {
                    worst = Some((holds, value));
                }
            }
        }
        if let Some((holds, value)) = worst {
            let nearer = match when {
                // For `within`, the best value counts.
                Timing::Within(_) => self.tightest.as_ref().is_none_or(|tightest| value.margin > tightest.margin),
                _ => self.tightest.as_ref().is_none_or(|tightest| value.margin < tightest.margin),
            };
            if nearer {
                self.tightest = Some(value.clone());
            }
            self.verdict = match (when, holds) {
                (Timing::Within(_), true) => Some(ClaimVerdict::Held(value)),
                (Timing::At(_) | Timing::AtEnd, true) => Some(ClaimVerdict::Held(value)),
                (Timing::At(_) | Timing::AtEnd | Timing::Through(..), false) => Some(ClaimVerdict::Failed(value)),
                (Timing::Within(_), false) | (Timing::Through(..), true) => None,
            };
        }
        if self.verdict.is_none() && ends {
            self.verdict = Some(self.last_word(at, other.as_ref()));
        }
    }

    /// The result when no further step is checked.
    fn last_word(&self, at: crate::columns::Moment, other: Option<&TermValue>) -> ClaimVerdict {
        if self.condition.take.is_of_all_steps() {
            // `most` and `least` take the term with the extreme value; `mean` is over all terms.
            let taken = |index: &usize| {
                let statistics = &self.statistics[*index];
                match self.condition.take {
                    Take::Most => statistics.max,
                    Take::Least => -statistics.min,
                    _ => 0.0,
                }
            };
            let size = |value: f64| if value.is_nan() { f64::INFINITY } else { value };
            let extreme = (0..self.terms.len()).max_by(|a, b| size(taken(a)).total_cmp(&size(taken(b))));
            let worst = extreme.map(|index| {
                let value = match self.condition.take {
                    Take::Most => self.statistics[index].max,
                    Take::Least => self.statistics[index].min,
                    _ => {
                        let all = self.statistics.iter().fold((0.0, 0.0), |all, c| (all.0 + c.sum, all.1 + c.count));
                        all.0 / all.1
                    }
                };
                let (holds, margin, words) = self.judge(index, &TermValue::Number(value), other);
                let named = self.terms.len() > 1 && self.condition.take != Take::Mean;
                let who = if named { self.terms[index].who.to_string() } else { String::new() };
                (holds, ClaimValue { words, who, step: at.step, time: at.time, margin })
            });
            return match worst {
                Some((true, value)) => ClaimVerdict::Held(value),
                Some((false, value)) => ClaimVerdict::Failed(value),
                None => ClaimVerdict::Unclear("there is nothing to check".into()),
            };
        }
        match (&self.tightest, self.condition.when) {
            (Some(value), Timing::Within(_)) => ClaimVerdict::Failed(value.clone()),
            (Some(value), _) => ClaimVerdict::Held(value.clone()),
            (None, _) => ClaimVerdict::Unclear("no step was made during the time for which it is checked".into()),
        }
    }

    /// Whether a value satisfies the claim, its margin (negative if not), and the value as text.
    fn judge(&self, index: usize, read: &TermValue, other: Option<&TermValue>) -> (bool, f64, String) {
        let Condition { relation, bound, take, .. } = &self.condition;
        let statistics = &self.statistics[index];
        let number = match (read, bound) {
            (TermValue::Word(is), Operand::Word(word)) => {
                let holds = (is == word) == (*relation == Relation::Equal);
                return (holds, if holds { 0.0 } else { -1.0 }, format!("“{is}”"));
            }
            (TermValue::Number(number), _) => *number,
            _ => return (false, f64::NEG_INFINITY, "not measured".into()),
        };
        let compared = match (take, relation) {
            (Take::Change, _) => number - statistics.first,
            (_, Relation::Rises) => number - statistics.min,
            (_, Relation::Falls) => statistics.max - number,
            _ => number,
        };
        let limit = match bound {
            Operand::Number(limit) => *limit,
            Operand::Share(share) => share * statistics.size,
            Operand::Quantity(..) => match other {
                Some(TermValue::Number(limit)) => *limit,
                _ => f64::NAN,
            },
            Operand::Word(_) => f64::NAN,
        };
        let size = if *take == Take::Change { statistics.size } else { limit.abs() };
        let finite = compared.is_finite() && limit.is_finite();
        let margin = match relation {
            Relation::Below | Relation::AtMost => limit - compared,
            Relation::Above | Relation::AtLeast | Relation::Rises | Relation::Falls => compared - limit,
            Relation::Near(Tolerance::Number(tolerance)) => tolerance - (compared - limit).abs(),
            Relation::Near(Tolerance::Share(share)) => share * size - (compared - limit).abs(),
            Relation::Equal => -(compared - limit).abs(),
            Relation::Other => (compared - limit).abs(),
        };
        let margin = if finite { margin } else { f64::NEG_INFINITY };
        (finite && relation.holds(compared, limit, size), margin, self.words(compared, statistics.size))
    }

    /// A number with the claim's unit.
    fn words(&self, value: f64, size: f64) -> String {
        let Condition { unit: (unit, factor), bound, relation, .. } = &self.condition;
        let share = matches!(bound, Operand::Share(_)) || matches!(relation, Relation::Near(Tolerance::Share(_)));
        if share && self.condition.take == Take::Change && size > 0.0 {
            return format!("{} %", shown(100.0 * value / size));
        }
        let column_unit = self.condition.subject.heading(self.condition.column).unit;
        let unit = if unit.is_empty() && !column_unit.contains(", ") { column_unit } else { unit };
        format!("{} {unit}", shown(value / factor)).trim_end().to_owned()
    }
}

/// The latest time at which a claim is decided.
fn end(when: Timing) -> Time {
    match when {
        Timing::Through(_, to) => to.unwrap_or(Time::Seconds(LENGTH)),
        Timing::Within(time) | Timing::At(time) => time,
        Timing::AtEnd => Time::Seconds(LENGTH),
    }
}

impl RunningStatistics {
    fn record(&mut self, value: f64, due: bool) {
        if self.first.is_nan() {
            self.first = value;
        }
        self.size = self.size.max(value.abs());
        if due {
            // A value that is not a number stays in the statistics.
            let (min, max) = (self.min, self.max);
            self.min = if self.count == 0.0 || value.is_nan() { value } else { min.min(value) };
            self.max = if self.count == 0.0 || value.is_nan() { value } else { max.max(value) };
            self.sum += value;
            self.count += 1.0;
        }
    }
}
