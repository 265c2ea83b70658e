//! Numbers that a text writes out: amounts ("half a metre", "two thirds of a second") and ratios ("twice", "a third
//! of", "ten times").

use crate::number::{Told, claimed};
use crate::words::{OFF, Words};
use std::collections::BTreeSet;

/// What stands after a part that is meant as a ratio, where no mark ends the sentence: "a third lift" is none.
const AFTER: [&str; 10] = ["of", "as", "more", "less", "faster", "slower", "further", "longer", "shorter", "too"];

/// What follows a number of turns: "swept three times by themselves".
const REPEATED: [&str; 4] = ["by", "each", "over", "a"];

/// What follows a ratio of two values of a setting.
const OF_VALUES: [&str; 9] = [
    " the step",
    " of the step",
    " as long",
    " the sweeps",
    " one sweep",
    " the work",
    " of the work",
    " the price",
    " of its length",
];

/// What follows a share that is a setting.
const OF_SHARES: [&str; 5] =
    [" of the error", " the error", " of an error", " of every impulse", " of the old impulses"];

/// A ratio that a text tells.
#[derive(Debug)]
pub struct Ratio {
    /// The text from the ratio on.
    pub rest: String,
    value: f64,
    /// Told as "more than" that.
    is_least: bool,
    is_of_values: bool,
    is_share: bool,
}

/// A claim that tells a value: the run, the quantity and its last word, the value, its tolerance and when.
pub struct Value {
    run: usize,
    quantity: String,
    last: String,
    value: f64,
    tolerance: f64,
    when: String,
    is_share: bool,
}

impl Words<'_> {
    /// A ratio and how many words it takes.
    pub fn ratio(&self, at: usize) -> Option<(f64, usize)> {
        let before = self.text[..self.words[at].0].chars().next_back();
        let number = self.number(at).filter(|(_, taken)| before != Some('√') && self.says(at + taken, &["times"]));
        if let Some((share, taken)) = self.share(at).filter(|_| number.is_none()) {
            let is_bound = before == Some('-') || self.rest(at + taken - 1).starts_with('-');
            let is_counted = taken > 1 || at > 0 && ["a", "an"].contains(&self.word(at - 1));
            let ends = is_counted && !self.is_joined(at + taken);
            let is_meant = self.word(at) == "half" || ends || AFTER.contains(&self.word(at + taken));
            return (is_meant && !is_bound).then_some((share, taken));
        }
        let (value, taken) = match self.word(at) {
            "twice" | "doubles" | "doubled" | "halves" | "halved" => (2.0, 1),
            _ => number.map(|(number, taken)| (number, taken + 1))?,
        };
        let is_repeated = self.is_joined(at + taken) && REPEATED.contains(&self.word(at + taken));
        (!is_repeated).then_some((value, taken))
    }
}

/// Amounts and ratios of a text.
pub fn written(text: &str) -> (Vec<Told>, Vec<Ratio>) {
    let words = Words::of(text);
    let (mut amounts, mut ratios) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < words.words.len() {
        at += if let Some((amount, taken)) = words.amount(at) {
            amounts.push(amount);
            taken
        } else if let Some((value, taken)) = words.ratio(at) {
            let after = words.rest(at + taken - 1);
            let is_before = |words: &[&str]| words.iter().any(|words| after.starts_with(words));
            let (is_of_values, is_share) = (is_before(&OF_VALUES), is_before(&OF_SHARES));
            let (before, rest) = text.split_at(words.words[at].0);
            let is_least = before.ends_with("more than ");
            ratios.push(Ratio { rest: rest.to_owned(), value, is_least, is_of_values, is_share });
            taken
        } else {
            1
        };
    }
    (amounts, ratios)
}

/// What a claim of a run says of a value, if it tells one.
pub fn value(run: usize, claim: &str) -> Option<Value> {
    let (quantity, rest) = claim.split_once(" = ")?;
    let when = [" at ", " until ", " after ", " within "].iter().filter_map(|word| rest.find(word)).min();
    let (bound, when) = rest.split_at(when.unwrap_or(rest.len()));
    let (value, tolerance, is_share) = claimed(&format!("= {bound}")).first()?.near()?;
    let last = quantity.rsplit(['.', ' ']).next()?.to_owned();
    // What stays to a share of itself: = 0 ± 0.1 %.
    let kept = bound.split_once(" ± ").filter(|(zero, share)| *zero == "0" && share.ends_with('%'));
    let kept = kept.and_then(|(_, share)| share.trim_end_matches([' ', '%']).parse::<f64>().ok());
    let (value, is_share) = kept.map_or((value, is_share), |share| (share / 100.0, true));
    Some(Value { run, quantity: quantity.into(), last, value, tolerance, when: when.into(), is_share })
}

impl Value {
    /// Finely enough that a ratio to it means something.
    fn is_fine(&self) -> bool {
        self.value > 0.0 && self.tolerance <= self.value / 3.0
    }

    /// Whether it differs from another in one thing only: the run, the moment, or the body or joint.
    fn is_beside(&self, other: &Self) -> bool {
        let same = [self.run == other.run, self.quantity == other.quantity, self.when == other.when];
        self.last == other.last && same.into_iter().filter(|same| *same).count() == 2
    }
}

impl Ratio {
    fn is(&self, one: f64, other: f64, off: f64) -> bool {
        let told = self.value.max(1.0 / self.value);
        let beyond = one.max(other) / one.min(other) / told - 1.0;
        beyond >= -off && beyond <= if self.is_least { 3.0 * off } else { off }
    }

    /// Whether one of its own claims has it as a share, or has it to another claim of the file.
    pub fn is_behind(&self, own: &[Value], all: &[Value]) -> bool {
        own.iter().filter(|one| one.is_fine()).any(|one| {
            let is_share = one.is_share && (one.value / self.value - 1.0).abs() <= OFF;
            let is_to = |other: &Value| other.is_fine() && one.is_beside(other) && self.is(one.value, other.value, OFF);
            is_share || all.iter().any(is_to)
        })
    }

    /// Whether it is told of a setting that has it, as a share or between two of its values.
    pub fn is_set(&self, settings: &[(String, f64)]) -> bool {
        let above = settings.iter().filter(|(_, value)| *value > 0.0);
        above.clone().any(|(name, one)| {
            let is_share = [*one, 1.0 - one].iter().any(|share| (share - self.value).abs() < 1e-6);
            let of_two = above.clone().any(|(other, two)| name == other && self.is(*one, *two, 1e-3));
            self.is_share && is_share || self.is_of_values && of_two
        })
    }
}

/// The values of the settings that a file's experiments change: its own, the experiments', and the default ones.
pub fn settings(file: &str, defaults: &str) -> Vec<(String, f64)> {
    let outside: String = file.split('"').step_by(2).collect::<Vec<_>>().join("''");
    let mut changed = BTreeSet::new();
    for (at, _) in outside.match_indices("set: (") {
        let mut depth = 0;
        let end = outside[at..].find(|c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && depth == 0
        });
        changed
            .extend(named(&outside[at + "set:".len()..at + end.expect("a bracket")]).into_iter().map(|(name, _)| name));
    }
    let all = named(&outside).into_iter().chain(named(defaults));
    all.filter(|(name, _)| changed.contains(name)).collect()
}

/// The numbers of a text that have a name: `rate: 60`.
fn named(text: &str) -> Vec<(String, f64)> {
    let parts: Vec<&str> = text.split(':').collect();
    let pairs = parts.windows(2).filter_map(|pair| {
        let name = pair[0].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
        let value = pair[1].trim_start().split(|c: char| ",)} \n".contains(c)).next()?;
        Some((name.to_owned(), value.parse().ok()?))
    });
    pairs.collect()
}

/// A word that nothing has fails.
#[test]
fn two_claims_or_a_setting_stand_behind_a_ratio() {
    let one = |words: &str| written(words).1.pop().unwrap();
    let values =
        |claims: &[(usize, &str)]| -> Vec<_> { claims.iter().filter_map(|(run, claim)| value(*run, claim)).collect() };
    let by = |words: &str, claims: &[(usize, &str)]| one(words).is_behind(&values(claims), &values(claims));
    let open = [(0, "joint_error_max = 2 cm ± 1 mm at 5 s"), (1, "joint_error_max = 4 cm ± 1 mm at 5 s")];
    assert!(by("it opens twice as far", &open) && by("half of that", &open));
    assert!(!by("it opens twice as far", &open[..1]), "one claim has no ratio");
    assert!(!by("it opens three times as far", &open) && !by("a third of that", &open));
    assert!(!by("twice as far", &[(0, "joint_error_max < 2 cm at 5 s"), (1, "joint_error_max > 4 cm at 5 s")]));
    assert!(!by("twice as far", &[open[0], (1, "joint_error_max = 4 cm ± 1 mm at 8 s")]), "another run and moment");
    assert!(by("half is gone", &[(0, "change of energy = -50 % ± 1 % at 5 s")]));
    assert!(by("kept to a third of a thousandth", &[(0, "change of energy = 0 ± 0.033 % until 5 s")]));
    let set = settings("set: (solver: (iterations: 50), warm_start: (factor: 0.8))", "iterations: 10, beta: 0.2");
    assert!(one("five times the sweeps").is_set(&set) && !one("five times as far").is_set(&set));
    assert!(one("a fifth of the old impulses").is_set(&set) && !one("a tenth of the old impulses").is_set(&set));
    assert!(written("the third box, half-way, swept four times by itself").1.is_empty());
    let amounts =
        written("half a metre, two thirds of a second, a metre and a half, five seconds, half a radian a second");
    let amounts: Vec<_> = amounts.0.iter().map(|amount| (amount.value, amount.unit.as_str())).collect();
    assert_eq!(amounts, [(0.5, "m"), (2.0 / 3.0, "s"), (1.5, "m"), (5.0, "s"), (0.5, "rad/s")]);
    assert!(written("by half a metre").0[0].is_behind(&claimed("joint_error_max = 48 cm ± 5 cm at 5 s")));
    assert!(!written("by half a metre").0[0].is_behind(&claimed("joint_error_max = 30 cm ± 5 cm at 5 s")));
}
