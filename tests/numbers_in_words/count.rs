//! Whole numbers that count things: "five boxes", "20 sweeps", "all three". The rules of what is one are in `main.rs`.

use std::collections::BTreeSet;

use crate::number::{Claimed, Told, is_bound, told};
use crate::words::Words;

/// What a number follows that names something: a chapter, a figure, any pair of neighbours.
const NAMED: [&str; 11] =
    ["chapter", "chapters", "ch", "fig", "figure", "document", "erratum", "errata", "equation", "rtx", "between"];

/// What ends the search for the noun of a number.
const ENDS: [&str; 36] = [
    "of", "that", "which", "and", "or", "with", "to", "from", "in", "at", "on", "by", "for", "as", "than", "is", "are",
    "was", "were", "has", "have", "does", "do", "a", "an", "the", "this", "its", "it", "hold", "holds", "stop", "come",
    "bear", "bears", "makes",
];

/// The words between a number and its noun, at most: "five 1 kg boxes".
const REACH: usize = 4;

/// Signs that make digits beside them a part of a formula.
const SIGNS: &str = "=<>≤≥·/+−×^_√±|∈→'";

/// A number that counts.
#[derive(Debug)]
pub struct Count {
    /// The text from the number on, by which exceptions name it.
    pub rest: String,
    pub value: f64,
    /// The thing, in the singular; none for a number that stands for something told before.
    pub noun: Option<String>,
    /// Told for a second: "60 steps a second".
    pub is_rate: bool,
    pub is_bound: bool,
    /// Written in digits, so that without a noun it may be a value.
    pub is_digits: bool,
}

impl Count {
    /// Whether a number without a noun is a value after all: digits that a claim or the file has, or a time where the
    /// text tells others in seconds: "9 cm in five seconds and 24 cm in ten".
    pub fn is_value(&self, claims: &[Claimed], file: &[f64], text: &str) -> bool {
        let is_time = text.contains("second") && self.told("s").is_behind(claims);
        let plain = self.told("");
        is_time || self.is_digits && (plain.is_in(file) || plain.is_behind(claims))
    }

    /// As the claims' numbers are compared with.
    pub fn told(&self, unit: &str) -> Told {
        Told {
            start: 0,
            shown: String::new(),
            value: self.value,
            digit: 1.0,
            unit: unit.into(),
            is_computed: false,
            is_bound: self.is_bound,
        }
    }
}

/// The singular of a plural; none for a word that is no plural.
pub fn singular(word: &str) -> Option<String> {
    if word == "ones" {
        return None;
    }
    let irregular = [("axes", "axis"), ("leaves", "leaf"), ("dominoes", "domino"), ("boxes", "box")];
    if let Some((_, one)) = irregular.iter().find(|(many, _)| *many == word) {
        return Some((*one).into());
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    word.strip_suffix('s').filter(|stem| stem.len() > 1 && !stem.ends_with('s')).map(Into::into)
}

/// The whole number at a word, and how many words it takes: "five", "25,000", "eighty-one", "a hundred".
fn whole(words: &Words, at: usize) -> Option<(f64, usize)> {
    let (number, taken) = words.number(at).filter(|(number, _)| number.fract() == 0.0)?;
    let (_, end, _) = words.words[at];
    let next = words.words.get(at + 1).map_or("", |(start, ..)| &words.text[end..*start]);
    let then = words.number(at + 1).filter(|(_, taken)| *taken == 1);
    match then {
        Some((low, _)) if next == "-" && number >= 20.0 && low < 10.0 => Some((number + low, 2)),
        Some((low, _)) if next == "," && words.word(at + 1).len() == 3 => Some((1000.0 * number + low, 2)),
        _ => Some((number, taken)),
    }
}

/// Whether digits belong to a formula, a vector or a matrix.
fn is_in_formula(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (text[..start].trim_end(), text[end..].trim_start());
    let vector = before.rfind(['(', '[']).is_some_and(|open| {
        let inside = &before[open + 1..];
        let rest = after.find([')', ']']).map_or("x", |close| &after[..close]);
        let is_list = |part: &str| part.chars().all(|c| !c.is_alphabetic());
        is_list(inside) && is_list(rest) && (inside.contains(',') || rest.contains(','))
    });
    // A factor: "2 r = 1 m", "4 cos(t/4)". A letter g may be the gram.
    let mut letters = after.chars();
    let is_letter =
        letters.next().is_some_and(char::is_alphabetic) && !letters.next().is_some_and(char::is_alphanumeric);
    let letter = is_letter && !after.starts_with(['a', 'g']) || after.starts_with("g = ");
    let factor = letter || after.starts_with("cos") || after.starts_with("sin");
    let before = before.trim_end_matches('(');
    let is_sign = |c: char| SIGNS.contains(c);
    vector || factor || before.ends_with(is_sign) || after.starts_with(is_sign) && !after.starts_with('\'')
}

/// The noun that a number belongs to, and its word.
fn noun(words: &Words, past: usize, knows: &dyn Fn(&str) -> bool) -> Option<(String, usize)> {
    let gap = |at: usize| words.words.get(at).map(|(start, ..)| &words.text[words.words[at - 1].1..*start]);
    let joined = (past..past + REACH).take_while(|at| gap(*at).is_some_and(|gap| gap == " " || gap == "-"));
    let plurals = joined.take_while(|at| !ENDS.contains(&words.word(*at))).filter_map(|at| {
        let one = singular(words.word(at))?;
        Some((if words.word(at - 1) == "sub" { format!("sub-{one}") } else { one }, at))
    });
    let plurals: Vec<_> = plurals.collect();
    let known = plurals.iter().find(|(one, _)| knows(one));
    known.or(plurals.first().filter(|(_, at)| *at <= past + 1)).cloned()
}

/// The values of the sums and products of whole numbers in a text: 13 of "5 + 2 · 4", 25 of "5 × 5".
pub fn computed(text: &str) -> Vec<f64> {
    let of_formula = |c: char| c.is_ascii_digit() || " +·×".contains(c);
    let factors = |term: &str| -> Option<f64> {
        term.split(['·', '×']).map(|factor| factor.trim().parse::<f64>().ok()).product()
    };
    let value = |formula: &str| -> Option<f64> {
        let sum: Option<f64> = formula.split('+').map(factors).sum();
        sum.filter(|_| formula.contains(['+', '·', '×']))
    };
    text.split(|c| !of_formula(c)).filter_map(|formula| value(formula.trim())).collect()
}

/// The things that a text tells of, with or without a number.
pub fn plurals(text: &str, knows: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    Words::of(text).words.iter().filter_map(|(.., word)| singular(word)).filter(|one| knows(one)).collect()
}

/// The counts of a text; `knows` tells whether something is a noun that can be counted.
pub fn counts(text: &str, knows: &dyn Fn(&str) -> bool) -> Vec<Count> {
    let words = Words::of(text);
    let measured: Vec<usize> = told(text).iter().map(|told| told.start).collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.words.len() {
        let (start, _, word) = &words.words[at];
        if let Some((_, taken)) = words.amount(at) {
            at += taken;
            continue;
        }
        let ratio = words.ratio(at);
        let Some((value, taken)) = whole(&words, at).filter(|_| ratio.is_none()) else {
            at += ratio.map_or(1, |(_, taken)| taken);
            continue;
        };
        let end = words.words[at + taken - 1].1;
        let is_digits = word.starts_with(|c: char| c.is_ascii_digit());
        let before = if at > 0 { words.word(at - 1) } else { "" };
        let is_named = NAMED.contains(&before) || is_digits && word.starts_with('0');
        let after = &text[end..];
        // A compound such as "two-axis", or a part of a longer word.
        let is_part = after.starts_with('-') || text[..*start].ends_with(['-', '.', '_', '^', '–']);
        let is_formula = is_digits && is_in_formula(text, *start, end);
        if value >= 2.0 && !is_named && !is_part && !is_formula && !measured.contains(start) {
            let noun = noun(&words, at + taken, knows);
            found.push(Count {
                rest: text[*start..].into(),
                value,
                is_rate: noun
                    .as_ref()
                    .is_some_and(|(_, at)| words.says(at + 1, &["a", "second"]) && !words.says(at + 3, &["one"])),
                noun: noun.map(|(noun, _)| noun),
                is_bound: is_bound(text, *start, end),
                is_digits,
            });
        }
        at += taken;
    }
    found
}

/// The rules, on numbers that they have to tell apart.
#[test]
fn a_number_counts_unless_it_measures_names_or_belongs_to_a_formula() {
    let knows = |noun: &str| ["box", "sweep", "row", "step", "sub-step"].contains(&noun);
    let all = |text: &str| -> Vec<(f64, String)> {
        let found = counts(text, &knows).into_iter();
        found.map(|count| (count.value, count.noun.unwrap_or_default())).collect()
    };
    let of = |value: f64, noun: &str| (value, noun.to_owned());
    assert_eq!(all("five 1 kg boxes, 210 boxes"), [of(5.0, "box"), of(210.0, "box")]);
    assert_eq!(all("twenty-five boxes, 25,000 boxes"), [of(25.0, "box"), of(25_000.0, "box")]);
    assert_eq!(all("a hundred boxes on two sub-steps"), [of(100.0, "box"), of(2.0, "sub-step")]);
    assert_eq!(all("the two are alike, all three come back"), [of(2.0, ""), of(3.0, "")], "what was told before");
    assert_eq!(all("four spears in a row"), [of(4.0, "spear")], "a thing that the file may not have");
    for none in [
        "one box, the first, the third",
        "10 s, 16 and 26 cm, 0.5, ten seconds, half a metre, two and a half seconds",
        "three times as far, two thirds of it, twice",
        "chapter 9, ch. 18, fig. 11, erratum 4, see the errata, 21, document 002, 003's, (RTX 4060)",
        "the two-axis hinge, a four-bar linkage, between two boxes",
        "R = 2 r, 5 × 5, (2, 6, 2), [[3, 1], [2, 4]], 3/5 of it, √2, 4 cos(t/4), t_2, ω < 2",
    ] {
        assert_eq!(all(none), [], "{none}");
    }
    let is_rate = |text: &str| counts(text, &knows)[0].is_rate;
    assert!(is_rate("60 steps a second") && !is_rate("after four steps a second one comes"));
    assert_eq!(computed("three diagonals, 5 + 2 · 4 = 13, and 5 × 5 blocks"), [13.0, 25.0]);
}
