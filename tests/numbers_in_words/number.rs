//! Numbers as texts, claims and scene files write them.

use std::f64::consts::PI;

/// Units by their symbols, the longer ones first: the factor to SI, and the symbol used for comparison.
const UNITS: [(&str, f64, &str); 23] = [
    ("mrad", 1e-3, "rad"),
    ("rad", 1.0, "rad"),
    ("deg", PI / 180.0, "rad"),
    ("°", PI / 180.0, "rad"),
    ("kg·m²", 1.0, "kg·m²"),
    ("kg", 1.0, "kg"),
    ("Hz", 1.0, "Hz"),
    ("µm", 1e-6, "m"),
    ("μm", 1e-6, "m"),
    ("mm", 1e-3, "m"),
    ("cm", 1e-2, "m"),
    ("km", 1e3, "m"),
    ("ms", 1e-3, "s"),
    ("kJ", 1e3, "J"),
    ("MJ", 1e6, "J"),
    ("mJ", 1e-3, "J"),
    ("kN", 1e3, "N"),
    ("mN", 1e-3, "N"),
    ("m", 1.0, "m"),
    ("s", 1.0, "s"),
    ("N", 1.0, "N"),
    ("J", 1.0, "J"),
    ("%", 0.01, "%"),
];

/// What may follow a unit.
const OVER: [&str; 6] = ["·m·s", "·m", "·s", "/s²", "/s", ""];

/// What may separate the numbers of a list.
const BETWEEN: [&str; 9] = [" and ", " to ", " or ", ", ", ", and ", ", then ", " and then ", "–", " by "];

/// What may precede a number that belongs to a formula or is its result.
const FORMULA: [&str; 11] = ["=", "√", "√(", "·", "/", "sin", "cos", "tan", "sin(", "cos(", "tan("];

/// What precedes a number that is stated as a bound, and what follows it.
const BOUND: [&str; 8] = ["within", "below", "less than", "at most", "more than", "up to", "never passes", "only past"];
const BEHIND: [&str; 2] = [" at most", " and more"];

/// A number stated in a text, with its unit.
#[derive(Debug)]
pub struct Told {
    /// Where it begins in the text.
    pub start: usize,
    /// As the exceptions write it.
    pub shown: String,
    /// SI.
    pub value: f64,
    /// The value of one unit in its last digit, SI.
    pub digit: f64,
    pub unit: String,
    /// Whether it belongs to a formula.
    pub is_computed: bool,
    /// Whether it is stated as a bound.
    pub is_bound: bool,
}

/// The role of a number in a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Role {
    /// A bound with a tolerance, SI.
    Near(f64),
    AtMost,
    AtLeast,
    Either,
    Time,
}

/// A number of a claim.
#[derive(Debug)]
pub struct Claimed {
    value: f64,
    unit: Option<String>,
    role: Role,
}

impl Claimed {
    /// Whether it is a time of that many steps.
    pub fn is_of_steps(&self, steps: f64) -> bool {
        self.unit.as_deref() == Some("steps") && self.value == steps
    }

    /// The value that it tells within a tolerance, the tolerance, and whether it is a share of something.
    pub fn near(&self) -> Option<(f64, f64, bool)> {
        let Role::Near(tolerance) = self.role else { return None };
        Some((self.value, tolerance, self.unit.as_deref() == Some("%")))
    }
}

/// The unit at the beginning of a text: its factor, the sign that it is compared by, its length in bytes.
fn unit(text: &str) -> Option<(f64, String, usize)> {
    let (sign, factor, base) = UNITS.iter().find(|(sign, ..)| {
        let rest = text.strip_prefix(sign);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    })?;
    let over = OVER.iter().find(|over| text[sign.len()..].starts_with(**over))?;
    let length = sign.len() + over.len();
    let ends = !text[length..].starts_with(|c: char| c.is_alphanumeric() || c == '·');
    ends.then(|| (*factor, format!("{base}{over}"), length))
}

/// Where the digits at the beginning of a text end; thousands may be separated by commas.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    while is_digit(end) || (bytes.get(end) == Some(&b',') && (1..4).all(|k| is_digit(end + k)) && !is_digit(end + 4)) {
        end += 1;
    }
    if bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end += 1;
        while is_digit(end) {
            end += 1;
        }
    }
    end
}

/// Whether the words beside a number make it a bound: some words before it, right before it or right behind it.
pub fn is_bound(text: &str, start: usize, end: usize) -> bool {
    let from = text[..start].char_indices().rev().nth(30).map_or(0, |(at, _)| at);
    let before = text[from..start].to_lowercase();
    let stays = before.trim_end().ends_with(" to");
    stays || BOUND.iter().any(|word| before.contains(word)) || BEHIND.iter().any(|word| text[end..].starts_with(word))
}

/// Start and end of a number, its factor to SI, the sign that it is compared by and its unit as it is written, and the
/// end with it.
type Found<'a> = (usize, usize, Option<(f64, String, &'a str)>, usize);

/// The numbers of a text that have a unit, share that of their list, or are told “in place of” one.
pub fn told(text: &str) -> Vec<Told> {
    let mut found: Vec<Found> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = digits(&text[at..]);
        let before = text[..at].chars().next_back();
        let apart = before.is_none_or(|c| !c.is_alphanumeric() && !".,^{_".contains(c));
        if length > 0 && apart {
            let end = at + length;
            let rest = &text[end..];
            let gap = rest.chars().next().filter(|c| *c == ' ' || *c == '\u{a0}').map_or(0, char::len_utf8);
            let unit = unit(&rest[gap..]);
            let past = unit.as_ref().map_or(end, |unit| end + gap + unit.2);
            if unit.is_some() || !rest.starts_with(|c: char| c.is_alphanumeric()) {
                let own = unit.map(|(factor, base, length)| (factor, base, &text[past - length..past]));
                let is_instead = text[..at].ends_with(" in place of ");
                let last = found.last().filter(|_| is_instead).and_then(|(_, _, unit, _): &Found| unit.clone());
                found.push((at, end, own.or(last), past));
            }
            at = past;
        } else {
            at += length.max(text[at..].chars().next().map_or(1, char::len_utf8));
        }
    }
    let mut numbers = Vec::new();
    let mut shared: Option<(f64, String, &str)> = None;
    let mut next = None;
    for (start, end, own, past) in found.into_iter().rev() {
        let listed = next.is_some_and(|next: usize| BETWEEN.contains(&&text[end..next]));
        shared = own.or(shared.filter(|_| listed));
        next = Some(start);
        let word = text[start..end].replace(',', "");
        let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        // A whole number without a unit counts things; a decimal one is a measurement even without a unit.
        let bare = (decimals > 0).then(|| (1.0, String::new(), ""));
        let Some((factor, base, written)) = shared.clone().or(bare) else { continue };
        let before = text[..start].trim_end_matches(['−', '-']).trim_end();
        let is_computed =
            FORMULA.iter().any(|sign| before.ends_with(sign)) || text[past..].trim_start().starts_with('=');
        numbers.push(Told {
            start,
            shown: if ["°", ""].contains(&written) { format!("{word}{written}") } else { format!("{word} {written}") },
            value: word.parse::<f64>().expect("digits") * factor,
            digit: 0.1_f64.powi(decimals as i32) * factor,
            unit: base,
            is_computed,
            is_bound: is_bound(text, start, past),
        });
    }
    numbers.reverse();
    numbers
}

impl Told {
    /// Multiples of half a right angle.
    pub fn is_direction(&self) -> bool {
        let eighths = self.value / (PI / 4.0);
        self.unit == "rad" && (eighths - eighths.round()).abs() < 1e-9
    }

    /// Whether a claim supports it.
    pub fn is_behind(&self, claims: &[Claimed]) -> bool {
        claims.iter().any(|claim| {
            let off = (claim.value - self.value).abs();
            let same = off <= 0.5 * self.digit + 1e-12;
            let fits = claim.unit.as_ref().is_none_or(|unit| *unit == self.unit);
            let beyond = (self.value - 1e-12..=1.15 * self.value).contains(&claim.value);
            let short = (0.85 * self.value..=self.value + 1e-12).contains(&claim.value);
            fits && match claim.role {
                Role::Near(tolerance) => same || (off <= tolerance + 1e-12 && tolerance <= self.value / 3.0),
                Role::AtMost => self.is_bound && (same || beyond),
                Role::AtLeast => self.is_bound && (same || short),
                Role::Either => self.is_bound && (same || beyond || short),
                Role::Time => same,
            }
        })
    }

    /// Whether the file contains it, or half of it if it is a length, since boxes are given by their half sides.
    pub fn is_in(&self, file: &[f64]) -> bool {
        let is = |number: f64| (number - self.value).abs() <= 1e-5 * self.value;
        let may = !["s", "J", "%"].contains(&self.unit.as_str());
        may && file.iter().any(|number| is(*number) || (self.unit == "m" && is(2.0 * number)))
    }
}

/// The numbers of a claim that give sizes, tolerances and times.
pub fn claimed(claim: &str) -> Vec<Claimed> {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let mut found: Vec<Claimed> = Vec::new();
    for (index, word) in words.iter().enumerate().skip(1) {
        let Ok(number) = word.parse::<f64>() else { continue };
        let unit = words.get(index + 1).and_then(|next| unit(next).filter(|unit| unit.2 == next.len()));
        let (factor, sign) = unit.map_or((1.0, None), |(factor, sign, _)| (factor, Some(sign)));
        let value = number.abs() * factor;
        let role = match words[index - 1] {
            "=" | "==" => Role::Near(0.0),
            "<" | "<=" => Role::AtMost,
            ">" | ">=" => Role::AtLeast,
            "rises" | "falls" => Role::Either,
            "at" | "until" | "after" | "within" => Role::Time,
            "±" => {
                if let Some(Claimed { value: bound, role: Role::Near(tolerance), .. }) = found.last_mut() {
                    *tolerance = if sign.as_deref() == Some("%") { value * *bound } else { value };
                }
                Role::AtMost
            }
            _ => continue,
        };
        let is_steps = words.get(index + 1) == Some(&"steps");
        let unit = if role == Role::Time { Some(if is_steps { "steps" } else { "s" }.to_owned()) } else { sign };
        found.push(Claimed { value, unit, role });
    }
    found
}

/// The numbers of a scene's file outside its texts, SI.
pub fn given(file: &str) -> Vec<f64> {
    let outside: String = file.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let mut numbers = Vec::new();
    let mut degrees = false;
    for word in outside.split(|c: char| !(c.is_ascii_alphanumeric() || "._-+".contains(c))) {
        if let Ok(number) = word.parse::<f64>() {
            numbers.push(number.abs() * if degrees { PI / 180.0 } else { 1.0 });
            degrees = false;
        } else if !word.is_empty() {
            degrees = word == "Degrees";
        }
    }
    numbers
}
