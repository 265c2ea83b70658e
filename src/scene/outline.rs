//! Where everything stands in a text: brackets, field names and values, without knowing what they mean.
//!
//! ron says what a value is; this says where it is, so that every mistake has its line and column, and checks the
//! brackets and commas first, so that the messages about them are our own. (Of readers that keep everything, ron2 0.3
//! refuses a backslash at a line's end, which most scenes have, and ronin-core 0.1 takes `(a: 1,, b: 2)` for right.)

use std::ops::Range;

use super::mistake::Slip;

/// A stretch of the text, in bytes.
pub type Span = Range<usize>;

/// Something inside a bracket: a field with its name, or an element without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub key: Option<Span>,
    pub value: Span,
}

impl Member {
    /// From the name, if it has one, to the value's end.
    pub fn span(&self) -> Span {
        self.key.as_ref().map_or(self.value.start, |k| k.start)..self.value.end
    }

    /// The field's name, by what it is called today; empty if it has none.
    pub fn name<'a>(&self, text: &'a str) -> &'a str {
        present(self.key.as_ref().map_or("", |key| &text[key.clone()]))
    }
}

/// What fields were called in older files, which are still read, and what they are called today.
pub const RENAMED: [(&str, &str); 1] = [("spin", "angular_velocity")];

/// What a field is called today.
pub fn present(name: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new)
}

/// How deep brackets may be nested.
pub const MAX_DEPTH: usize = 64;

/// The span of the one value that the text consists of.
///
/// # Errors
/// The first place at which brackets, commas or quotes do not match.
pub fn document(text: &str) -> Result<Span, Slip> {
    let mut scan = Scan { text, at: 0, turns: Vec::new() };
    if text.starts_with('\u{feff}') {
        scan.at = '\u{feff}'.len_utf8();
    }
    scan.attributes()?;
    let span = scan.value(0, None)?;
    scan.space()?;
    match scan.peek() {
        None => Ok(span),
        Some(c) => Err(scan.slip(format!("expected the end of the file, found `{c}`"))),
    }
}

/// What stands directly inside the bracket of the value at `span`; nothing if it has none.
pub fn members(text: &str, span: &Span) -> Vec<Member> {
    let mut list = Vec::new();
    if let Some(part) = text.get(..span.end) {
        // A text that `document` has accepted has no slips; for any other the members up to the slip do.
        let _ = Scan { text: part, at: span.start, turns: Vec::new() }.value(0, Some(&mut list));
    }
    list
}

/// The name before the bracket, or the bare word: `Box` of `Box(half: …)`, `Static`.
pub fn name<'a>(text: &'a str, span: &Span) -> &'a str {
    let value = text.get(span.clone()).unwrap_or_default();
    let end = value.find(|c: char| !is_atom(c)).unwrap_or(value.len());
    &value[..end]
}

/// Line and column of the field that these names lead to, or of the innermost that is written there.
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

/// Line and column of a byte, counted from one, columns in characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The byte at a line and column, both counted from one, columns in characters.
pub fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    let along = line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(i, _)| i);
    start + along
}

fn is_atom(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '.')
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// Where round brackets turn from fields with names to elements without, or back: no bracket holds both, so one
    /// that should have been closed there was not. The ends of the last members before.
    turns: Vec<usize>,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn slip(&self, what: impl Into<String>) -> Slip {
        Slip::new(self.at, what)
    }

    /// The bracket that began at `start` is still open where another one closes, or at the end of the file: it is
    /// missing where the members turned, or else right here.
    fn unclosed(&self, start: usize, open: char, close: char) -> Slip {
        let (line, column) = position(self.text, start);
        let turn = self.turns.iter().copied().filter(|turn| *turn > start).min();
        let at = turn.unwrap_or_else(|| self.text[..self.at].trim_end().len());
        Slip::new(at, format!("expected `{close}`: the `{open}` at line {line}, column {column} is not closed"))
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Blanks and comments; block comments nest.
    fn space(&mut self) -> Result<(), Slip> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Slip> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else if let Some(c) = self.peek() {
                self.at += c.len_utf8();
            } else {
                return Err(Slip::new(start, "this comment is never closed, expected `*/`"));
            }
        }
    }

    /// `#![…]` lines at the head: all that they can ask for is on already.
    fn attributes(&mut self) -> Result<(), Slip> {
        self.space()?;
        while self.rest().starts_with("#!") {
            match self.rest().find(']') {
                Some(end) => self.at += end + 1,
                None => return Err(self.slip("this attribute is never closed, expected `]`")),
            }
            self.space()?;
        }
        Ok(())
    }

    /// A value with all that is inside it; its direct members go to `list`.
    fn value(&mut self, depth: usize, list: Option<&mut Vec<Member>>) -> Result<Span, Slip> {
        self.space()?;
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(self.slip(format!("nested too deeply, at most {MAX_DEPTH} brackets")));
        }
        match self.peek() {
            Some('(' | '[' | '{') => self.bracket(depth, list)?,
            Some('"') => self.quoted('"')?,
            Some('\'') => self.quoted('\'')?,
            Some(c) if is_atom(c) => {
                self.at += name(self.text, &(start..self.text.len())).len();
                let word = &self.text[start..self.at];
                if self.peek() == Some('"') && word == "b" {
                    self.quoted('"')?;
                } else if matches!(self.peek(), Some('"' | '#')) && matches!(word, "r" | "br") {
                    self.raw_string()?;
                } else {
                    let end = self.at;
                    self.space()?;
                    if self.peek() == Some('(') {
                        self.bracket(depth, list)?;
                    } else {
                        self.at = end;
                    }
                }
            }
            Some(c) => return Err(self.slip(format!("expected a value, found `{c}`"))),
            None => return Err(self.slip("expected a value, found the end of the file")),
        }
        Ok(start..self.at)
    }

    fn bracket(&mut self, depth: usize, mut list: Option<&mut Vec<Member>>) -> Result<(), Slip> {
        let start = self.at;
        let Some(open) = self.peek() else { return Ok(()) };
        let close = match open {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        self.at += 1;
        let mut last: Option<(bool, usize)> = None;
        loop {
            self.space()?;
            if self.take(close) {
                return Ok(());
            }
            if self.peek().is_none() {
                return Err(self.unclosed(start, open, close));
            }
            // Another bracket's end where a member could begin: this one should have ended before.
            if last.is_some() && matches!(self.peek(), Some(')' | ']' | '}')) {
                return Err(self.unclosed(start, open, close));
            }
            let mut member = Member { key: None, value: self.value(depth + 1, None)? };
            self.space()?;
            if open == '[' && self.peek() == Some(':') {
                // A field of the bracket around it: the list should have ended before.
                self.at = last.map_or(member.value.start, |(_, end)| end);
                return Err(self.unclosed(start, open, close));
            }
            if open != '[' && self.take(':') {
                member.key = Some(member.value);
                member.value = self.value(depth + 1, None)?;
                self.space()?;
            }
            let now = (member.key.is_some(), member.value.end);
            if let Some((keyed, end)) = last.replace(now)
                && open == '('
                && keyed != now.0
            {
                self.turns.push(end);
            }
            if let Some(list) = list.as_deref_mut() {
                list.push(member);
            }
            match self.peek() {
                Some(',') => self.at += 1,
                Some(c) if c == close => {}
                Some(')' | ']' | '}') => return Err(self.unclosed(start, open, close)),
                Some(c) => return Err(self.slip(format!("expected `,` or `{close}`, found `{c}`"))),
                None => return Err(self.unclosed(start, open, close)),
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<(), Slip> {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            if c == '\\' {
                self.at += self.peek().map_or(0, char::len_utf8);
            } else if c == quote {
                return Ok(());
            }
        }
        Err(Slip::new(start, format!("this text is never closed, expected `{quote}`")))
    }

    fn raw_string(&mut self) -> Result<(), Slip> {
        let start = self.at;
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        self.at += hashes;
        if hashes > 0 && self.peek() != Some('"') {
            // A raw identifier, r#name.
            self.at += name(self.text, &(self.at..self.text.len())).len();
            return Ok(());
        }
        let close = format!("\"{}", "#".repeat(hashes));
        match self.rest().get(1..).and_then(|rest| rest.find(&close)) {
            Some(end) => {
                self.at += 1 + end + close.len();
                Ok(())
            }
            None => Err(Slip::new(start, format!("this text is never closed, expected `{close}`"))),
        }
    }
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
    fn slips_are_found_where_they_are() {
        for (text, at, what) in [
            ("(a: 1 b: 2)", 6, "expected `,` or `)`, found `b`"),
            ("(a: [1, 2)", 9, "expected `]`: the `[` at line 1, column 5 is not closed"),
            ("(a: (1, 2)", 10, "expected `)`: the `(` at line 1, column 1 is not closed"),
            ("(a: \"x)", 4, "this text is never closed, expected `\"`"),
            ("(a: )", 4, "expected a value, found `)`"),
            ("() ()", 3, "expected the end of the file, found `(`"),
            ("/* x", 0, "this comment is never closed, expected `*/`"),
            ("", 0, "expected a value, found the end of the file"),
        ] {
            assert_eq!(document(text), Err(Slip::new(at, what)), "{text}");
        }
        assert!(document(&"(".repeat(100_000)).is_err());
    }

    /// Where the reader would put it, not where the text stops making sense.
    #[test]
    fn a_missing_bracket_is_reported_where_it_is_missing() {
        let whole = "(\n    bodies: [\n        (name: \"a\", at: (0, 0, 1)),\n        (name: \"b\", at: (0, 0, 2)),\n    ],\n    \
                     joints: [\n        (a: \"a\", b: \"b\"),\n    ],\n)\n";
        assert!(document(whole).is_ok());
        for (with, without, line, open) in [
            // A body that is not closed, a vector, a list, the scene itself.
            ("(0, 0, 1)),", "(0, 0, 1),", 3, "`(` at line 3, column 9"),
            ("(0, 0, 2)),", "(0, 0, 2),", 4, "`(` at line 4, column 9"),
            ("    ],\n    joints", "    joints", 4, "`[` at line 2, column 13"),
            ("    ],\n)", ")", 7, "`[` at line 6, column 13"),
            ("],\n)\n", "],\n", 8, "`(` at line 1, column 1"),
        ] {
            let slip = document(&whole.replacen(with, without, 1)).unwrap_err();
            let text = whole.replacen(with, without, 1);
            assert_eq!(position(&text, slip.at).0, line, "without `{with}`: {slip:?}");
            assert!(slip.what.contains(open), "{slip:?}");
        }
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
