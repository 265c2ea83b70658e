//! The words of a text, and the amounts that they tell: "ten", "half a metre", "two thirds of a second".

use std::f64::consts::TAU;

use crate::number::{Told, is_bound};

/// How far an amount or a ratio may be off what its words tell.
pub const OFF: f64 = 0.1;

const COUNTS: [(&str, f64); 30] = [
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("eleven", 11.0),
    ("twelve", 12.0),
    ("thirteen", 13.0),
    ("fourteen", 14.0),
    ("fifteen", 15.0),
    ("sixteen", 16.0),
    ("seventeen", 17.0),
    ("eighteen", 18.0),
    ("nineteen", 19.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
    ("hundred", 100.0),
    ("thousand", 1000.0),
    ("million", 1e6),
];

const PARTS: [(&str, f64); 15] = [
    ("half", 2.0),
    ("third", 3.0),
    ("quarter", 4.0),
    ("fifth", 5.0),
    ("sixth", 6.0),
    ("seventh", 7.0),
    ("eighth", 8.0),
    ("ninth", 9.0),
    ("tenth", 10.0),
    ("twelfth", 12.0),
    ("twentieth", 20.0),
    ("sixtieth", 60.0),
    ("hundredth", 100.0),
    ("thousandth", 1000.0),
    ("millionth", 1e6),
];

const UNITS: [(&str, f64, &str); 8] = [
    ("metre", 1.0, "m"),
    ("centimetre", 1e-2, "m"),
    ("millimetre", 1e-3, "m"),
    ("second", 1.0, "s"),
    ("degree", TAU / 360.0, "rad"),
    ("radian", 1.0, "rad"),
    ("turn", TAU, "rad"),
    ("joule", 1.0, "J"),
];

/// The words of a text: where each begins and ends, and it in small letters.
pub struct Words<'a> {
    pub text: &'a str,
    pub words: Vec<(usize, usize, String)>,
}

impl<'a> Words<'a> {
    pub fn of(text: &'a str) -> Self {
        let is_of_word = |at: usize, c: char| c.is_alphanumeric() || c == '.' && text[at + 1..].starts_with(is_digit);
        let mut words = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let length = text[at..].find(|c: char| c.is_alphanumeric()).unwrap_or(text.len() - at);
            let start = at + length;
            let end = text[start..].char_indices().find(|(k, c)| !is_of_word(start + k, *c));
            at = end.map_or(text.len(), |(k, _)| start + k);
            words.extend((start < at).then(|| (start, at, text[start..at].to_lowercase())));
        }
        Self { text, words }
    }

    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(.., word)| word)
    }

    /// Whether nothing but a blank stands between a word and the one before.
    pub fn is_joined(&self, at: usize) -> bool {
        at > 0 && self.words.get(at).is_some_and(|(start, ..)| &self.text[self.words[at - 1].1..*start] == " ")
    }

    /// Whether a text goes on with these words.
    pub fn says(&self, at: usize, words: &[&str]) -> bool {
        (0..words.len()).all(|k| self.word(at + k) == words[k] && self.is_joined(at + k))
    }

    /// A number and how many words it takes: "ten", "2.9", "one and a half".
    pub fn number(&self, at: usize) -> Option<(f64, usize)> {
        let word = self.word(at);
        let written = COUNTS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
        let number = written.or_else(|| word.parse().ok().filter(|_| word.starts_with(is_digit)))?;
        Some(if self.says(at + 1, &["and", "a", "half"]) { (number + 0.5, 4) } else { (number, 1) })
    }

    pub fn parts(&self, at: usize) -> Option<f64> {
        let word = self.word(at);
        PARTS.iter().find(|(part, _)| *part == word || word.strip_suffix('s') == Some(part)).map(|(_, parts)| *parts)
    }

    /// A share and how many words it takes: "half", "third", "two thirds", "half a thousandth", "third of a
    /// thousandth".
    pub fn share(&self, at: usize) -> Option<(f64, usize)> {
        let many = self.number(at).filter(|_| self.is_joined(at + 1));
        let many = many.and_then(|(number, _)| Some((number / self.parts(at + 1)?, 2)));
        let (share, taken) = many.or_else(|| Some((1.0 / self.parts(at)?, 1)))?;
        let of = at + taken + usize::from(self.says(at + taken, &["of"]));
        let parts = self.parts(of + 1).filter(|_| self.says(of, &["a"]) && self.is_joined(of + 1));
        Some(parts.map_or((share, taken), |parts| (share / parts, of + 2 - at)))
    }

    fn unit(&self, at: usize) -> Option<(f64, String)> {
        let word = self.word(at);
        let known = UNITS.iter().find(|(unit, ..)| *unit == word || word.strip_suffix('s') == Some(unit));
        let is_freedom = self.says(at + 1, &["of", "freedom"]);
        let (_, factor, unit) = known.filter(|_| self.is_joined(at) && !is_freedom)?;
        let is_rate = self.says(at + 1, &["a", "second"]);
        Some((*factor, if is_rate { format!("{unit}/s") } else { (*unit).to_owned() }))
    }

    /// A number of some unit, how finely it is told, and how many words it takes: "half a metre", "a metre and a half".
    pub fn amount(&self, at: usize) -> Option<(Told, usize)> {
        let told = |number: f64, fine: f64, (factor, unit): (f64, String), taken: usize| {
            let (start, end) = (self.words[at].0, self.words[at + taken - 1].1);
            let (value, digit, shown) = (number * factor, fine * factor, self.text[start..end].to_owned());
            (
                Told {
                    start,
                    shown,
                    value,
                    digit,
                    unit,
                    is_computed: false,
                    is_bound: is_bound(self.text, start, end),
                },
                taken,
            )
        };
        if let Some((share, taken)) = self.share(at) {
            let of = taken + usize::from(self.says(at + taken, &["of"]));
            let of = of + usize::from(self.says(at + of, &["a"]));
            let unit = self.unit(at + of).filter(|_| of > taken || self.word(at) == "half")?;
            return Some(told(share, 2.0 * OFF * share, unit, of + 1));
        }
        if let Some((number, taken)) = self.number(at) {
            let unit = self.unit(at + taken).filter(|_| !self.word(at + taken).starts_with("turn"))?;
            return Some(told(number, if number.fract() > 0.0 { 2.0 * OFF * number } else { 1.0 }, unit, taken + 1));
        }
        let unit = self.unit(at).filter(|_| self.says(at + 1, &["and", "a", "half"]))?;
        Some(told(1.5, 2.0 * OFF * 1.5, unit, 4))
    }

    /// What follows a word.
    pub fn rest(&self, at: usize) -> &str {
        &self.text[self.words[at].1..]
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}
