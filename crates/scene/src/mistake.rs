//! A mistake in a scene: one line that states where it is, what is wrong and what was expected.

use std::fmt;
use std::path::PathBuf;

use super::other_names;

/// A mistake in a scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mistake {
    /// The file, or a name for a text without a file; empty for a scene without a text.
    pub file: PathBuf,
    /// Line and column, counted from one, columns in characters; zero if the scene has no text.
    pub line: usize,
    pub column: usize,
    /// Path in the document, such as `bodies[2].shape`; empty for the whole document.
    pub place: String,
    /// What is wrong and what was expected.
    pub what: String,
    /// Set if the mistake is an unknown field.
    pub unknown: Option<Unknown>,
}

/// An unknown field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unknown {
    /// No known field has a similar name.
    Strange,
    /// A known field has a similar name.
    Misspelt,
}

impl fmt::Display for Mistake {
    /// `file:line:column: what`, or `place: what` without a text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = one_line(&self.file.to_string_lossy());
        if self.line > 0 {
            write!(f, "{file}:{}:{}: {}", self.line, self.column, self.what)
        } else if !file.is_empty() {
            write!(f, "{file}: {}", self.what)
        } else if self.place.is_empty() {
            write!(f, "{}", self.what)
        } else {
            write!(f, "{}: {}", self.place, self.what)
        }
    }
}

impl std::error::Error for Mistake {}

/// Quotes between back quotes longer than this are shortened, characters.
const LONGEST_QUOTE: usize = 60;

/// Makes a text fit for a one-line message: runs of white space become one blank, control and direction marks are
/// escaped because they could hide or reverse what follows, and long quotes are shortened.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_whitespace() => line.push(' '),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                line.extend(c.escape_unicode());
            }
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    let words = line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    words
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { shortened(part) } else { part.into() })
        .collect::<Vec<_>>()
        .join("`")
}

/// The text, shortened in the middle if too long.
pub fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST_QUOTE {
        return text.into();
    }
    let half = (LONGEST_QUOTE - 1) / 2;
    text.chars().take(half).chain(['…']).chain(text.chars().skip(count - half)).collect()
}

/// A mistake at a byte of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// Position in the text, bytes.
    pub at: usize,
    pub what: String,
    /// Set if the mistake is an unknown field.
    pub unknown: Option<Unknown>,
}

impl Slip {
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), unknown: None }
    }

    /// A field that is not one of `expected`. If none has a similar name, all of them are listed if `tell` is set.
    pub fn unknown_field(at: usize, found: &str, expected: &[&'static str], tell: bool) -> Self {
        let hint = match other_names::meant(found, expected) {
            Some(name) => format!(", did you mean `{name}`?"),
            None => nearest(found, expected.iter().copied()),
        };
        let unknown = if hint.is_empty() { Unknown::Strange } else { Unknown::Misspelt };
        let hint = match (hint.as_str(), expected) {
            ("", []) => ", there are no fields here".into(),
            ("", _) if tell => format!(", expected {}", one_of(expected)),
            _ => hint,
        };
        Self { unknown: Some(unknown), ..Self::new(at, format!("unknown field `{found}`{hint}")) }
    }
}

/// A list of names in quotes, joined by “or”.
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} or {last}", head.join(", ")),
    }
}

/// Longer names are not compared, bytes: the time grows with the square of the length.
const LONGEST_NAME: usize = 200;
/// Of more names than this, only those that differ in little are compared, so that a long list takes no long time.
const MANY_NAMES: usize = 1000;
/// The most names that are compared in all.
const MAX_NAMES: usize = 3000;

/// `, did you mean …?` if one of the names is similar to `found`, else empty.
pub fn nearest<'n>(found: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    if found.len() > LONGEST_NAME {
        return String::new();
    }
    let worth = |(index, name): &(usize, &str)| {
        let like = || name.len().abs_diff(found.len()) <= 1 && name.as_bytes().first() == found.as_bytes().first();
        name.len() <= LONGEST_NAME && (*index < MANY_NAMES || like())
    };
    // Short names have few letters to compare: one edit, or two swapped letters, always counts as similar.
    let likeness = |name: &str| {
        let slips = strsim::osa_distance(name, found);
        let letters = name.chars().count().max(found.chars().count());
        let by_slips = if slips == 1 && letters > 2 { 0.9 } else { 0.0 };
        strsim::jaro_winkler(name, found).max(by_slips)
    };
    (names.into_iter().enumerate().filter(worth).take(MAX_NAMES).map(|(_, n)| (likeness(n), n)))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(String::new, |(_, n)| format!(", did you mean `{n}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_that_changed_places_are_the_same_name() {
        for (found, meant) in [("bbo", "bob"), ("bo", "bob"), ("bobb", "bob"), ("postt", "post"), ("on", "one")] {
            let names = ["bob", "post", "floor", "one"];
            assert_eq!(nearest(found, names), format!(", did you mean `{meant}`?"), "{found}");
        }
        assert_eq!(nearest("wheel", ["bob", "post"]), "");
    }
}
