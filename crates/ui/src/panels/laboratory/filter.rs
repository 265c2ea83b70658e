//! The search above the table of rows: words, and bounds such as `r > 1e-3`, `λ >= 0.1`, `bound > 50 %`.

use super::rows::Sort;

/// A bound on a row's number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    pub of: Sort,
    /// A lower bound; otherwise an upper one.
    pub least: bool,
    /// In N·s or N·m·s, in m/s or rad/s, or a share from 0 to 1, depending on `of`.
    pub value: f32,
}

/// The names of the quantities that can be bounded.
const NAMES: [(&str, Sort); 7] = [
    ("impulse", Sort::Impulse),
    ("lambda", Sort::Impulse),
    ("λ", Sort::Impulse),
    ("residual", Sort::Residual),
    ("r", Sort::Residual),
    ("bound", Sort::Share),
    ("share", Sort::Share),
];

/// The search words in lower case, and the bounds.
pub fn read(search: &str) -> (String, Vec<Limit>) {
    let mut limits = Vec::new();
    let text = search.to_lowercase();
    let mut words: Vec<String> = Vec::new();
    for part in text.split(',') {
        match limit(part) {
            Some(limit) => limits.push(limit),
            None => words.push(part.trim().to_owned()),
        }
    }
    words.retain(|word| !word.is_empty());
    (words.join(","), limits)
}

fn limit(text: &str) -> Option<Limit> {
    let at = text.find(['<', '>', '≤', '≥'])?;
    let (name, rest) = text.split_at(at);
    let least = rest.starts_with(['>', '≥']);
    let rest = rest.trim_start_matches(['<', '>', '=', '≤', '≥']).trim();
    let (number, scale) = match rest.strip_suffix('%') {
        Some(number) => (number.trim(), 0.01),
        None => (rest, 1.0),
    };
    let value: f32 = number.parse().ok()?;
    let of = NAMES.iter().find(|(known, _)| *known == name.trim())?.1;
    Some(Limit { of, least, value: value * scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_bounds_are_told_apart() {
        let limit = |of, least, value| Limit { of, least, value };
        assert_eq!(read("Hook"), ("hook".into(), vec![]));
        assert_eq!(read("hook, r > 1e-3"), ("hook".into(), vec![limit(Sort::Residual, true, 1e-3)]));
        assert_eq!(read("λ<=0.2"), (String::new(), vec![limit(Sort::Impulse, false, 0.2)]));
        assert_eq!(read("bound > 50 %, slips"), ("slips".into(), vec![limit(Sort::Share, true, 0.5)]));
        // An unfinished bound does not filter.
        assert_eq!(read("r >").1, []);
        assert_eq!(read("mass > 3").0, "mass > 3");
    }
}
