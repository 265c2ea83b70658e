//! Reads the text of a formula. What its names mean, and of which values it may be, is said by a [`Language`]: that of a
//! factor of time knows t, that of a constraint (`primitives/expression/`) points, directions and angles.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/") signed }
//! signed   = ("+" | "-") signed | power
//! power    = value { "." ("x" | "y" | "z") } [ "^" signed ]
//! value    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```
//! As in mathematics, −t² is −(t²) and 2^t^2 is 2^(t²). Libraries that were tried read (−t)² or do not tell where a
//! mistake is.

/// Greatest length of a formula, characters.
pub const MAX_CHARACTERS: usize = 500;
/// Greatest number of values that a formula keeps while it is worked out.
pub(crate) const MAX_STACK: usize = 24;
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

/// What a formula may be made of. Values are put onto a stack, from which operators and functions take theirs. Each
/// mistake is said in words; the reader adds the place.
pub(crate) trait Language {
    /// What stands for a value in messages.
    const EXAMPLE: &'static str;
    /// Whether values have components.
    const COMPONENTS: bool;
    /// Puts a number onto the stack.
    fn number(&mut self, number: f64) -> Result<(), String>;
    /// Puts the value of this name onto the stack, and says whether there is one. `called`: a bracket follows.
    fn value(&mut self, name: &str, called: bool) -> Result<bool, String>;
    /// How many values a function takes; none if there is no such function.
    fn takes(&self, function: &str) -> Option<usize>;
    fn call(&mut self, function: &str) -> Result<(), String>;
    fn negate(&mut self) -> Result<(), String>;
    /// One of + - * / ^ of the two values on top.
    fn operate(&mut self, operator: char) -> Result<(), String>;
    /// The component x, y or z of the value on top.
    fn component(&mut self, axis: char) -> Result<(), String>;
    /// What is said of a name that is not known.
    fn unknown(&self, name: &str) -> String;
}

/// Reads a text. What it means is then in the language.
pub(crate) fn read<L: Language>(text: &str, language: &mut L) -> Result<(), FormulaError> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > MAX_CHARACTERS {
        let what = format!("longer than {MAX_CHARACTERS} characters");
        return Err(FormulaError { what, at: MAX_CHARACTERS + 1 });
    }
    let mut reader = Reader { characters, at: 0, depth: 0, language };
    reader.sum()?;
    match reader.peek() {
        None => Ok(()),
        Some(')') => Err(reader.error("a bracket that is not opened")),
        Some(',') => Err(reader.error("a comma outside of a function")),
        Some(c) if starts_value(c) => Err(reader.error(reader.missing())),
        Some(c) => Err(reader.error(format!("`{c}` has no meaning here"))),
    }
}

/// What is said where more brackets are open than a formula may have.
pub(crate) const TOO_DEEP: &str = "the brackets are nested too deeply";

fn starts_value(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '(' | '.' | '_')
}

struct Reader<'a, L> {
    characters: Vec<char>,
    /// Index of the next character.
    at: usize,
    depth: usize,
    language: &'a mut L,
}

impl<L: Language> Reader<'_, L> {
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

    fn missing(&self) -> String {
        format!("an operator is missing, as * in 2*{}", L::EXAMPLE)
    }

    /// Gives a mistake that the language finds its place: the character with the index `at`.
    fn locate(at: usize, result: Result<(), String>) -> Result<(), FormulaError> {
        result.map_err(|what| FormulaError { what, at: at + 1 })
    }

    fn sum(&mut self) -> Result<(), FormulaError> {
        self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let at = self.at - 1;
            self.product()?;
            Self::locate(at, self.language.operate(if sign == '+' { '+' } else { '-' }))?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), FormulaError> {
        self.signed()?;
        while let Some(sign) = self.take(&['*', '·', '/']) {
            let at = self.at - 1;
            self.signed()?;
            Self::locate(at, self.language.operate(if sign == '/' { '/' } else { '*' }))?;
        }
        Ok(())
    }

    fn signed(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(TOO_DEEP));
        }
        match self.take(&['+', '-', '−']) {
            None => self.power()?,
            Some('+') => self.signed()?,
            Some(_) => {
                let at = self.at - 1;
                self.signed()?;
                Self::locate(at, self.language.negate())?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn power(&mut self) -> Result<(), FormulaError> {
        self.value()?;
        while L::COMPONENTS && self.take(&['.']).is_some() {
            let Some(axis) = self.take(&['x', 'y', 'z']) else {
                return Err(self.error("a component is .x, .y or .z"));
            };
            Self::locate(self.at - 1, self.language.component(axis))?;
        }
        if self.take(&['^']).is_some() {
            let at = self.at - 1;
            self.signed()?;
            Self::locate(at, self.language.operate('^'))?;
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
            (None, Some(c)) if starts_value(c) => Err(self.error(self.missing())),
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
        Self::locate(start, self.language.number(number))
    }

    fn name(&mut self) -> Result<(), FormulaError> {
        let start = self.at;
        let length = self.characters[start..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
        let name: String = self.characters[start..start + length].iter().collect();
        let named = if name == "π" { "pi" } else { name.as_str() };
        self.at += length;
        let called = self.peek() == Some('(');
        let is_value = self.language.value(named, called).map_err(|what| FormulaError { what, at: start + 1 })?;
        if is_value {
            return Ok(());
        }
        let Some(takes) = self.language.takes(named) else {
            return Err(FormulaError { what: self.language.unknown(named), at: start + 1 });
        };
        let example = || format!("{named}({}{})", L::EXAMPLE, ", 1".repeat(takes - 1));
        let opened = start + length;
        if self.take(&['(']).is_none() {
            return Err(self.error(format!("`{named}` is a function, and needs brackets: {}", example())));
        }
        for index in 0..takes {
            if index > 0 && self.take(&[',']).is_none() {
                let count = ["two", "three"][takes - 2];
                return Err(self.error(format!("`{named}` needs {count} values: {}", example())));
            }
            self.sum()?;
        }
        self.close(opened)?;
        Self::locate(start, self.language.call(named))
    }
}

/// The name of a list that is meant by a name that is not known, if one is like it.
pub(crate) fn alike(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let alike = |word: &&str| strsim::damerau_levenshtein(word, &name.to_lowercase());
    // A single letter is like every other one.
    known.min_by_key(alike).filter(|word| alike(word) <= 1 && name.len() > 1)
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
