//! Formulas: a factor as an expression of the time t, such as `0.5*sin(2*t)`.
//!
//! `read.rs` makes a program of the text once. It is in postfix order, so that a value needs a stack of fixed size and
//! no memory. The functions are those of `libm`, which give the same bits on every machine.

pub(crate) mod read;
mod words;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use read::{FormulaError, MAX_CHARACTERS};
use read::{Language, MAX_STACK, TOO_DEEP, alike};
pub use words::{CONSTANTS, FUNCTIONS, NamedFunction, NamedPair, PAIRS};

/// An expression of the time t, s. Two formulas are equal if they are written alike.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Formula {
    text: Arc<str>,
    program: Arc<[Op]>,
}

/// A step of the program. It takes its operands from the top of a stack, and leaves its result there.
#[derive(Debug, Clone, Copy)]
enum Op {
    Number(f64),
    /// The time, s.
    Time,
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
}

/// What a formula of the time is made of.
#[derive(Default)]
struct OfTime {
    program: Vec<Op>,
    /// Values on the stack after the program so far.
    held: usize,
}

impl OfTime {
    fn push(&mut self, op: Op) -> Result<(), String> {
        match op {
            Op::Number(_) | Op::Time => self.held += 1,
            Op::One(_) => {}
            Op::Two(_) => self.held -= 1,
        }
        self.program.push(op);
        if self.held > MAX_STACK { Err(TOO_DEEP.into()) } else { Ok(()) }
    }
}

impl Language for OfTime {
    const EXAMPLE: &'static str = "t";
    const COMPONENTS: bool = false;

    fn number(&mut self, number: f64) -> Result<(), String> {
        self.push(Op::Number(number))
    }

    fn value(&mut self, name: &str, _called: bool) -> Result<bool, String> {
        if name == "t" {
            return self.push(Op::Time).map(|()| true);
        }
        let constant = CONSTANTS.iter().find(|(word, _)| *word == name);
        constant.map_or(Ok(false), |(_, number)| self.push(Op::Number(*number)).map(|()| true))
    }

    fn takes(&self, function: &str) -> Option<usize> {
        let one = FUNCTIONS.iter().any(|(word, _)| *word == function).then_some(1);
        one.or_else(|| PAIRS.iter().any(|(word, _)| *word == function).then_some(2))
    }

    fn call(&mut self, function: &str) -> Result<(), String> {
        if let Some((_, function)) = FUNCTIONS.iter().find(|(word, _)| *word == function) {
            return self.push(Op::One(*function));
        }
        let pair = PAIRS.iter().find(|(word, _)| *word == function);
        pair.map_or(Ok(()), |(_, function)| self.push(Op::Two(*function)))
    }

    fn negate(&mut self) -> Result<(), String> {
        self.push(Op::One(|a| -a))
    }

    fn operate(&mut self, operator: char) -> Result<(), String> {
        self.push(Op::Two(match operator {
            '+' => |a, b| a + b,
            '-' => |a, b| a - b,
            '*' => |a, b| a * b,
            '/' => |a, b| a / b,
            _ => libm::pow,
        }))
    }

    fn component(&mut self, axis: char) -> Result<(), String> {
        Err(format!("a number has no component {axis}"))
    }

    fn unknown(&self, name: &str) -> String {
        let known = CONSTANTS.iter().map(|(word, _)| *word);
        let known = known.chain(FUNCTIONS.iter().map(|(word, _)| *word)).chain(PAIRS.iter().map(|(word, _)| *word));
        let hint = alike(name, known).map(|word| format!("do you mean `{word}`?"));
        format!("`{name}` is not known; {}", hint.unwrap_or_else(|| "the time is t, in seconds".into()))
    }
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// If the text is no formula; the error says where.
    pub fn read(text: &str) -> Result<Self, FormulaError> {
        let mut read = OfTime::default();
        read::read(text, &mut read)?;
        Ok(Self { text: text.into(), program: read.program.into() })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The value at the time `t`, s. It is not finite where the formula has no value, as 1/t at zero.
    pub fn at(&self, t: f64) -> f64 {
        let (mut stack, mut top) = ([0.0; MAX_STACK], 0);
        for op in self.program.iter() {
            let value = match *op {
                Op::Number(number) => number,
                Op::Time => t,
                Op::One(function) => {
                    top -= 1;
                    function(stack[top])
                }
                Op::Two(function) => {
                    top -= 2;
                    function(stack[top], stack[top + 1])
                }
            };
            stack[top] = value;
            top += 1;
        }
        stack[0]
    }

    /// The first time from `start`, s, at which the formula has no finite value in 32 bits, of those that `every`
    /// seconds make up to `length` seconds.
    pub fn undefined(&self, start: f64, length: f64, every: f64) -> Option<f64> {
        let times = (0..=(length / every) as u32).map(|i| start + f64::from(i) * every);
        times.into_iter().find(|t| !(self.at(*t) as f32).is_finite())
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl TryFrom<String> for Formula {
    type Error = FormulaError;

    fn try_from(text: String) -> Result<Self, FormulaError> {
        Self::read(&text)
    }
}

impl From<Formula> for String {
    fn from(formula: Formula) -> Self {
        formula.text.as_ref().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, t: f64) -> f64 {
        Formula::read(text).unwrap_or_else(|error| panic!("{text}: {error}")).at(t)
    }

    /// Powers come before signs and go from right to left; the rest goes from left to right.
    #[test]
    fn the_order_of_operations() {
        let t = 3.0;
        for (text, expected) in [
            ("-t^2", -9.0),
            ("(-t)^2", 9.0),
            ("2^t^2", 512.0),
            ("2^-1", 0.5),
            ("6/2*3", 9.0),
            ("1-2+3", 2.0),
            ("1 - -t", 4.0),
            ("2*-3", -6.0),
            ("1e-3 + 2.5E2 + .5", 250.501),
            ("1/2", 0.5),
            ("2*pi*t - 6π", 0.0),
            ("−t", -3.0),
        ] {
            let formula = text.replace("6π", "6*π");
            assert!((value(&formula, t) - expected).abs() < 1e-12, "{text}: {}", value(&formula, t));
        }
    }

    /// Each function against the standard library's.
    #[test]
    fn the_functions() {
        let t = 0.3f64;
        for (text, expected) in [
            ("sin(t)", t.sin()),
            ("cos(t)", t.cos()),
            ("tan(t)", t.tan()),
            ("asin(t)", t.asin()),
            ("acos(t)", t.acos()),
            ("atan(t)", t.atan()),
            ("sinh(t)", t.sinh()),
            ("cosh(t)", t.cosh()),
            ("tanh(t)", t.tanh()),
            ("exp(t)", t.exp()),
            ("ln(t)", t.ln()),
            ("log10(t)", t.log10()),
            ("sqrt(t)", t.sqrt()),
            ("abs(-t)", t),
            ("sign(-t)", -1.0),
            ("sign(0)", 0.0),
            ("floor(-t)", -1.0),
            ("round(2*t)", 1.0),
            ("step(t - 0.3)", 1.0),
            ("step(t - 0.31)", 0.0),
            ("min(t, 0.2)", 0.2),
            ("max(t, 0.2)", t),
            ("mod(7*t, 0.5)", 0.1),
            ("mod(-t, 0.5)", 0.2),
            ("atan2(t, -1)", t.atan2(-1.0)),
            ("e^t", t.exp()),
        ] {
            assert!((value(text, t) - expected).abs() < 1e-12, "{text}: {}", value(text, t));
        }
    }

    /// Text and bits are kept by a copy; equal is what is written alike.
    #[test]
    fn copies_and_comparison() {
        let formula = Formula::read("sin( 2*t )").expect("a formula");
        assert_eq!(formula.text(), "sin( 2*t )");
        assert_eq!(formula.clone().at(0.7).to_bits(), formula.at(0.7).to_bits());
        assert_ne!(formula, Formula::read("sin(2*t)").expect("a formula"));
    }

    /// Where there is no value.
    #[test]
    fn undefined() {
        let at = |text: &str| Formula::read(text).expect("a formula").undefined(0.0, 100.0, 0.1);
        assert_eq!(at("1/t"), Some(0.0));
        assert!(at("sqrt(1.05 - t)").is_some_and(|t| (t - 1.1).abs() < 1e-9));
        // Beyond 32 bits: ln 3.4e38 is 88.72.
        assert!(at("exp(t)").is_some_and(|t| (t - 88.8).abs() < 1e-9));
        assert_eq!(at("sin(t)"), None);
    }
}
