//! Reads the text of a formula.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/") signed }
//! signed   = ("+" | "-") signed | power
//! power    = value [ "^" signed ]
//! value    = number | name | function "(" sum [ "," sum ] ")" | "(" sum ")"
//! ```
//! As in mathematics, −t² is −(t²) and 2^t^2 is 2^(t²). Libraries that were tried read (−t)² or do not tell where a
//! mistake is.

use super::Op;
use super::words::{CONSTANTS, FUNCTIONS, PAIRS};

/// Greatest length of a formula, characters.
pub const MAX_CHARACTERS: usize = 500;
/// Greatest number of values that a formula keeps while it is worked out.
pub(super) const MAX_STACK: usize = 24;
/// Greatest depth of brackets, signs and powers within each other.
const MAX_DEPTH: usize = 24;

/// A mistake in a formula.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("formula: {what}, at character {at}")]
pub struct FormulaError {
    pub what: String,
    /// Character at which it was noticed; the first is 1.
    pub at: usize,
}

/// The program of a formula.
pub(super) fn program(text: &str) -> Result<Vec<Op>, FormulaError> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > MAX_CHARACTERS {
        let what = format!("longer than {MAX_CHARACTERS} characters");
        return Err(FormulaError { what, at: MAX_CHARACTERS + 1 });
    }
    let mut reader = Reader { characters, at: 0, depth: 0, held: 0, program: Vec::new() };
    reader.sum()?;
    match reader.peek() {
        None => Ok(reader.program),
        Some(')') => Err(reader.error("a bracket that is not opened")),
        Some(',') => Err(reader.error("a comma outside of a function")),
        Some(c) if starts_value(c) => Err(reader.error("an operator is missing, as * in 2*t")),
        Some(c) => Err(reader.error(format!("`{c}` has no meaning here"))),
    }
}

fn starts_value(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '(' | '.' | '_')
}

struct Reader {
    characters: Vec<char>,
    /// Index of the next character.
    at: usize,
    depth: usize,
    /// Values on the stack after the program so far.
    held: usize,
    program: Vec<Op>,
}

impl Reader {
    /// The next character that is no space.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    /// Goes past the next character if it is one of these.
    fn take(&mut self, which: &[char]) -> Option<char> {
        let next = self.peek().filter(|c| which.contains(c));
        self.at += usize::from(next.is_some());
        next
    }

    fn error(&self, what: impl Into<String>) -> FormulaError {
        FormulaError { what: what.into(), at: self.at + 1 }
    }

    fn push(&mut self, op: Op) -> Result<(), FormulaError> {
        match op {
            Op::Number(_) | Op::Time => self.held += 1,
            Op::One(_) => {}
            Op::Two(_) => self.held -= 1,
        }
        self.program.push(op);
        if self.held > MAX_STACK { Err(self.error("the brackets are nested too deeply")) } else { Ok(()) }
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            self.product()?;
            self.push(if sign == '+' { Op::Two(|a, b| a + b) } else { Op::Two(|a, b| a - b) })?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        while let Some(sign) = self.take(&['*', '·', '/']) {
            self.signed()?;
            self.push(if sign == '/' { Op::Two(|a, b| a / b) } else { Op::Two(|a, b| a * b) })?;
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("the brackets are nested too deeply"));
        }
        match self.take(&['+', '-', '−']) {
            None => self.power()?,
            Some('+') => self.signed()?,
            Some(_) => {
                self.signed()?;
                self.push(Op::One(|a| -a))?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        self.value()?;
        if self.take(&['^']).is_some() {
            self.signed()?;
            self.push(Op::Two(libm::pow))?;
        }
        Ok(())
    }

    fn value(&mut self) -> Result<(), FormulaError> {
        match self.peek() {
            Some('(') => {
                let opened = self.at;
                self.at += 1;
                self.sum()?;
                self.close(opened)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.name(),
            Some(c) => Err(self.error(format!("a value is missing before `{c}`"))),
            None => Err(self.error("a value is missing at the end")),
        }
    }

    /// Goes past the bracket that closes the one at the index `opened`.
    fn close(&mut self, opened: usize) -> Result<(), FormulaError> {
        match (self.take(&[')']), self.peek()) {
            (Some(_), _) => Ok(()),
            (None, Some(c)) if starts_value(c) => Err(self.error("an operator is missing, as * in 2*t")),
            (None, Some(c)) if c != ',' => Err(self.error(format!("`{c}` has no meaning here"))),
            (None, Some(_)) => Err(self.error("a value too many")),
            (None, None) => Err(FormulaError { what: "a bracket that is not closed".into(), at: opened + 1 }),
        }
    }

    fn number(&mut self) -> Result<(), FormulaError> {
        let (start, all) = (self.at, &self.characters);
        let digits = |from: usize| all[from..].iter().take_while(|c| c.is_ascii_digit()).count();
        let mut end = start + digits(start);
        if all.get(end) == Some(&'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(all.get(end), Some('e' | 'E')) {
            let sign = usize::from(matches!(all.get(end + 1), Some('+' | '-')));
            let exponent = digits((end + 1 + sign).min(all.len()));
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let written: String = all[start..end].iter().collect();
        let number = written.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| self.error(format!("`{written}` is not a finite number")))?;
        self.at = end;
        if self.characters.get(end) == Some(&'.') {
            return Err(self.error("a second point in a number"));
        }
        self.push(Op::Number(number))
    }

    fn name(&mut self) -> Result<(), FormulaError> {
        let start = self.at;
        let length = self.characters[start..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
        let name: String = self.characters[start..start + length].iter().collect();
        let named = if name == "π" { "pi" } else { name.as_str() };
        let constant = CONSTANTS.iter().find(|(word, _)| *word == named);
        let one = FUNCTIONS.iter().find(|(word, _)| *word == named);
        let two = PAIRS.iter().find(|(word, _)| *word == named);
        if named != "t" && constant.is_none() && one.is_none() && two.is_none() {
            return Err(self.error(unknown(named)));
        }
        self.at += length;
        if let Some((_, number)) = constant {
            return self.push(Op::Number(*number));
        }
        if named == "t" {
            return self.push(Op::Time);
        }
        let opened = self.at;
        if self.take(&['(']).is_none() {
            return Err(self.error(format!("`{named}` is a function, and needs brackets: {named}(t)")));
        }
        self.sum()?;
        if let Some((_, function)) = two {
            if self.take(&[',']).is_none() {
                return Err(self.error(format!("`{named}` needs two values: {named}(t, 1)")));
            }
            self.sum()?;
            self.close(opened)?;
            return self.push(Op::Two(*function));
        }
        self.close(opened)?;
        one.map_or(Ok(()), |(_, function)| self.push(Op::One(*function)))
    }
}

/// What is said of a name that is not known.
fn unknown(name: &str) -> String {
    let known = CONSTANTS.iter().map(|(word, _)| *word);
    let known = known.chain(FUNCTIONS.iter().map(|(word, _)| *word)).chain(PAIRS.iter().map(|(word, _)| *word));
    let alike = |word: &&str| strsim::damerau_levenshtein(word, &name.to_lowercase());
    // A single letter is like every other one.
    let hint = match known.min_by_key(alike).filter(|word| alike(word) <= 1 && name.len() > 1) {
        Some(word) => format!("do you mean `{word}`?"),
        None => "the time is t, in seconds".into(),
    };
    format!("`{name}` is not known; {hint}")
}

#[cfg(test)]
mod tests {
    use super::super::Formula;
    use super::{MAX_CHARACTERS, MAX_DEPTH};

    /// Every mistake is named, with its place.
    #[test]
    fn mistakes() {
        for (text, what, at) in [
            ("", "a value is missing at the end", 1),
            ("2*", "a value is missing at the end", 3),
            ("2*)", "a value is missing before `)`", 3),
            ("2t", "an operator is missing", 2),
            ("2 (t)", "an operator is missing", 3),
            ("(2 t)", "an operator is missing", 4),
            ("0.5*sim(t)", "`sim` is not known; do you mean `sin`?", 5),
            ("x + 1", "`x` is not known; the time is t", 1),
            ("Sin(t)", "do you mean `sin`?", 1),
            ("sin t", "`sin` is a function", 5),
            ("sin(t, 2)", "a value too many", 6),
            ("max(t)", "`max` needs two values", 6),
            ("max(t, 1, 2)", "a value too many", 9),
            ("2*(t + (1 - t)", "a bracket that is not closed", 3),
            ("2*t)", "a bracket that is not opened", 4),
            ("t, 2", "a comma outside", 2),
            ("t & 2", "`&` has no meaning here", 3),
            ("(t & 2)", "`&` has no meaning here", 4),
            ("1.5.2", "a second point", 4),
            ("1e999", "is not a finite number", 1),
            (".", "is not a finite number", 1),
            ("2e", "an operator is missing", 2),
        ] {
            let error = Formula::read(text).expect_err(text);
            assert!(error.what.contains(what) && error.at == at, "{text}: {error}");
        }
    }

    /// What is too long or too deep is refused, not worked on for ever.
    #[test]
    fn limits() {
        let deep = |n: usize| format!("{}t{}", "(".repeat(n), ")".repeat(n));
        assert!(Formula::read(&deep(MAX_DEPTH - 1)).is_ok());
        for text in [deep(MAX_DEPTH), "-".repeat(MAX_DEPTH) + "t", "2^".repeat(MAX_DEPTH) + "t"] {
            let error = Formula::read(&text).expect_err(&text);
            assert!(error.what.contains("nested too deeply"), "{text}: {error}");
        }
        let long = "t+".repeat(MAX_CHARACTERS / 2) + "t";
        assert!(Formula::read(&long).expect_err("too long").what.contains("longer than"));
        assert_eq!(Formula::read(&long[2..]).expect("a formula").at(2.0), MAX_CHARACTERS as f64);
    }
}
