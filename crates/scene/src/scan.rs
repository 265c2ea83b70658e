//! Scans a text once: brackets, commas, quotes and comments, up to the first position at which they do not match.

use super::mistake::Slip;
use super::outline::{Member, Span, name, position};

/// Maximum nesting depth of brackets.
const MAX_DEPTH: usize = 64;

/// Whether a character may occur in a name or a number.
pub(super) fn is_atom(c: char) -> bool {
    c.is_ascii_alphanumeric() || c.is_alphanumeric() || matches!(c, '_' | '+' | '-' | '.')
}

/// A scanner at a position in a text.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// In a round bracket, members with names (fields) and without (elements) cannot be mixed, so a change between
    /// them shows where a bracket was not closed. The end positions of the members before such changes.
    turns: Vec<usize>,
}

impl<'a> Scan<'a> {
    /// A scanner that starts at this byte.
    pub fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, turns: Vec::new() }
    }

    /// The span of the single value in the text.
    pub fn single_value(&mut self) -> Result<Span, Slip> {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.attributes()?;
        let span = self.value(0, None)?;
        self.space()?;
        match self.peek() {
            None => Ok(span),
            Some(c) => Err(self.slip(format!("expected the end of the file, found `{c}`"))),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn slip(&self, what: impl Into<String>) -> Slip {
        Slip::new(self.at, what)
    }

    /// The error for the bracket that began at `start` and is still open where another one closes, or at the end of
    /// the file: it should have been closed where the members changed kind, or else here.
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

    /// Skips blanks and comments; block comments nest.
    fn space(&mut self) -> Result<(), Slip> {
        loop {
            // Nearly all blanks are these, and nearly always something else than a comment follows.
            let bytes = self.text.as_bytes();
            while matches!(bytes.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
                self.at += 1;
            }
            if bytes.get(self.at).is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'/') {
                return Ok(());
            }
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

    /// Skips `#![…]` lines at the beginning: the extensions that they can enable are always on.
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

    /// Scans a value with its content; its direct members are added to `list`.
    pub fn value(&mut self, depth: usize, list: Option<&mut Vec<Member>>) -> Result<Span, Slip> {
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
            Some('<') if depth == 0 => {
                return Err(self.slip("expected a scene, found XML; `delassus import` makes a scene of URDF or MJCF"));
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
            // Another bracket closes where a member could begin: this bracket should have been closed before.
            if last.is_some() && matches!(self.peek(), Some(')' | ']' | '}')) {
                return Err(self.unclosed(start, open, close));
            }
            let mut member = Member { key: None, value: self.value(depth + 1, None)? };
            self.space()?;
            if open == '[' && self.peek() == Some(':') {
                // This is a field of the enclosing bracket: the list should have been closed before.
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
    use super::super::outline::document;
    use super::*;

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
            ("<robot/>", 0, "expected a scene, found XML; `delassus import` makes a scene of URDF or MJCF"),
        ] {
            assert_eq!(document(text), Err(Slip::new(at, what)), "{text}");
        }
        assert!(document(&"(".repeat(100_000)).is_err());
    }

    /// Where the reader would add it, not where the text becomes invalid.
    #[test]
    fn a_missing_bracket_is_reported_where_it_is_missing() {
        let whole = "(\n    bodies: [\n        (name: \"a\", at: (0, 0, 1)),\n        (name: \"b\", at: (0, 0, 2)),\n    ],\n    \
                     joints: [\n        (a: \"a\", b: \"b\"),\n    ],\n)\n";
        assert!(document(whole).is_ok());
        for (with, without, line, open) in [
            // A missing bracket of a body, a vector, a list and the scene itself.
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
}
