//! The positions of all values in a text: brackets, field names and values, without interpreting them.
//!
//! ron gives the values; the outline gives their positions, so that every mistake has a line and column. `scan.rs`
//! checks the brackets and commas first, which allows clearer messages. (Of the parsers that keep positions, ron2 0.3
//! rejects a backslash at a line's end, which most scenes contain, and ronin-core 0.1 accepts `(a: 1,, b: 2)`.)

use std::ops::Range;

use super::mistake::Slip;
use super::scan::{Scan, is_atom};

/// A range of the text, in bytes.
pub type Span = Range<usize>;

/// A member of a bracket: a field with a name, or an element without one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub key: Option<Span>,
    pub value: Span,
}

impl Member {
    /// From the name, if it has one, to the end of the value.
    pub fn span(&self) -> Span {
        self.key.as_ref().map_or(self.value.start, |k| k.start)..self.value.end
    }

    /// The field's current name; empty if it has none.
    pub fn name<'a>(&self, text: &'a str) -> &'a str {
        present(self.key.as_ref().map_or("", |key| &text[key.clone()]))
    }
}

/// Field names in older files, which are still read, and their current names.
pub const RENAMED: [(&str, &str); 1] = [("spin", "angular_velocity")];

/// A field's current name.
pub fn present(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// The span of the single value in the text.
///
/// # Errors
/// The first position at which brackets, commas or quotes do not match.
pub fn document(text: &str) -> Result<Span, Slip> {
    Scan::new(text, 0).single_value()
}

/// The direct members of the bracket at `span`; empty if there is none.
pub fn members(text: &str, span: &Span) -> Vec<Member> {
    let mut list = Vec::new();
    if let Some(part) = text.get(..span.end) {
        // A text accepted by `document` has no errors; otherwise the members before the error suffice.
        let _ = Scan::new(part, span.start).value(0, Some(&mut list));
    }
    list
}

/// The name before the bracket, or the bare word: `Box` in `Box(half: …)`, `Static`.
pub fn name<'a>(text: &'a str, span: &Span) -> &'a str {
    let value = text.get(span.clone()).unwrap_or_default();
    // Names and numbers are nearly always ASCII.
    let of_name = |byte: &u8| byte.is_ascii() && is_atom(char::from(*byte));
    let end = value.bytes().take_while(of_name).count();
    if value.as_bytes().get(end).is_none_or(u8::is_ascii) {
        return &value[..end];
    }
    let end = value.find(|c: char| !is_atom(c)).unwrap_or(value.len());
    &value[..end]
}

/// Line and column of the field at this path, or of its innermost part that is in the text.
pub fn line_of(text: &str, path: &[&str]) -> (usize, usize) {
    let Ok(mut span) = document(text) else { return (1, 1) };
    for step in path {
        match members(text, &span).into_iter().find(|m| m.name(text) == *step) {
            Some(member) => span = member.value,
            None => break,
        }
    }
    position(text, span.start)
}

/// Line and column of a byte, counted from one; columns in characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The byte at a line and column, both counted from one; columns in characters.
pub fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    let along = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(i, _)| i);
    start + along
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts<'a>(text: &'a str, span: &Span) -> Vec<(&'a str, &'a str)> {
        members(text, span).into_iter().map(|m| (m.key.map_or("", |k| &text[k]), &text[m.value])).collect()
    }

    #[test]
    fn members_have_their_names_and_values() {
        let text = "// head\nScene(a: (1, 2), /* , */ b: \"x, (\", c: [Box(half: 1), r#\"\"\"#,], d: Static)";
        let root = document(text).unwrap();
        assert_eq!(name(text, &root), "Scene");
        let found = parts(text, &root);
        assert_eq!(found[0], ("a", "(1, 2)"));
        assert_eq!(found[1], ("b", "\"x, (\""));
        assert_eq!(found[2], ("c", "[Box(half: 1), r#\"\"\"#,]"));
        assert_eq!(found[3], ("d", "Static"));
        let c = members(text, &root)[2].value.clone();
        assert_eq!(parts(text, &c), [("", "Box(half: 1)"), ("", "r#\"\"\"#")]);
    }

    #[test]
    fn positions_and_offsets_are_inverse() {
        let text = "a\nbéc\n\nd";
        for (at, _) in text.char_indices() {
            let (line, column) = position(text, at);
            assert_eq!(offset(text, line, column), at);
        }
        assert_eq!(position(text, 5), (2, 3));
    }
}
