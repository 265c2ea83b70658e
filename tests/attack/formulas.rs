//! Random formulas of constraints: sound ones, of every function, and texts that are no formulas.

use std::fmt::Write;

use delassus::physics::primitives::expression::Expression;
use delassus::physics::primitives::written::{Bound, Bounds, Rows, Values};

use crate::dice::Dice;

/// Rows of a formula with the parameters k and r.
pub fn rows(dice: &mut Dice) -> Rows {
    loop {
        let texts: Vec<String> = (0..=dice.below(3)).map(|_| number(dice, 3)).collect();
        if let Ok(rows) = Rows::read(&texts.iter().map(String::as_str).collect::<Vec<_>>()) {
            return rows;
        }
    }
}

/// Bounds of one row.
pub fn bounds(dice: &mut Dice) -> Bounds {
    let least = dice.between(-1.0, 1.0);
    let all = [Bound::Equal, Bound::AtLeast, Bound::AtMost, Bound::Between(least, least + dice.between(0.0, 1.0))];
    Bounds::new(&[all[dice.below(4)]]).unwrap_or_default()
}

/// Values of the parameters.
pub fn values(dice: &mut Dice) -> Values {
    Values::new(&[("k".into(), dice.between(-3.0, 3.0)), ("r".into(), dice.power(-2.0, 1.0))]).unwrap_or_default()
}

/// An expression whose value is a number.
fn number(dice: &mut Dice, depth: usize) -> String {
    const ONE: [&str; 18] = [
        "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "log10", "sqrt", "abs",
        "sign", "floor", "round", "step",
    ];
    if depth == 0 {
        return ["angle", "distance", "rest", "k", "r", "1.5", "pi"][dice.below(7)].into();
    }
    match dice.below(6) {
        0 => format!("{}({})", ONE[dice.below(ONE.len())], number(dice, depth - 1)),
        1 => {
            let pair = ["min", "max", "mod", "atan2"][dice.below(4)];
            format!("{pair}({}, {})", number(dice, depth - 1), number(dice, depth - 1))
        }
        2 => format!("dot({}, {})", vector(dice, depth - 1), vector(dice, depth - 1)),
        3 => format!("length({})", vector(dice, depth - 1)),
        4 => format!("{}.{}", vector(dice, 0), ["x", "y", "z"][dice.below(3)]),
        _ => {
            let sign = ["+", "-", "*", "/", "^"][dice.below(5)];
            format!("({} {sign} {})", number(dice, depth - 1), number(dice, depth - 1))
        }
    }
}

/// One whose value is a vector.
fn vector(dice: &mut Dice, depth: usize) -> String {
    const LEAVES: [&str; 15] =
        ["pA", "pB", "comA", "comB", "aA", "aB", "xA", "yA", "zA", "xB", "yB", "zB", "x", "y", "z"];
    if depth == 0 {
        return LEAVES[dice.below(LEAVES.len())].into();
    }
    match dice.below(5) {
        0 => format!("cross({}, {})", vector(dice, depth - 1), vector(dice, depth - 1)),
        1 => format!("normalize({})", vector(dice, depth - 1)),
        2 => format!("({} - {})", vector(dice, depth - 1), vector(dice, depth - 1)),
        3 => format!("{}*{}", number(dice, depth - 1), vector(dice, depth - 1)),
        _ => format!("vec({0}, 1, {0})", number(dice, depth - 1)),
    }
}

/// Whatever the text, reading ends with a formula or with a mistake that has a place within it.
#[test]
fn texts_that_are_no_formulas() {
    const PARTS: [&str; 24] = [
        "(", ")", "-", "+", "*", "/", "^", ",", ".", "x", "pA", "dot(", "cross(", "length(", "1e9", "0.", "é", "π",
        "angle", "vec(", "sin", " ", "\u{0}", "__",
    ];
    let mut dice = Dice::new(46);
    let mut read = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..dice.below(40) {
            let _ = write!(text, "{}", PARTS[dice.below(PARTS.len())]);
        }
        match Expression::read(&text) {
            Ok(_) => read += 1,
            Err(error) => assert!((1..=text.chars().count() + 1).contains(&error.at), "{text}: {error}"),
        }
    }
    assert!(read > 0, "some are formulas");
}
