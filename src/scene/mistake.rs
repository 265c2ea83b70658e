//! A mistake in a scene: one line that says where, what is wrong and what was expected.

use std::fmt;
use std::path::PathBuf;

/// What is wrong with a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The file, or a name for a text that has none; empty for a scene that was never written.
    pub file: PathBuf,
    /// Counted from one, in lines and characters; zero if the scene has no text.
    pub line: usize,
    pub column: usize,
    /// The place in the document, such as `bodies[2].shape`; empty for the whole.
    pub place: String,
    /// What is wrong and what was expected.
    pub what: String,
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

/// What is longer than this between two back quotes loses its middle, characters.
const LONGEST_QUOTE: usize = 60;

/// A text as part of a message of one line: blanks in a row, line ends among them, are one blank; other control and
/// direction marks, which would hide or turn round what follows, are spelt out; long quotes lose their middle.
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

/// The two ends of what is too long.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST_QUOTE {
        return text.into();
    }
    let half = (LONGEST_QUOTE - 1) / 2;
    text.chars().take(half).chain(['…']).chain(text.chars().skip(count - half)).collect()
}
