//! Mistakes in the formulas of constraints, each with its place.

use super::{Expression, MAX_OPERATIONS};

#[test]
fn mistakes() {
    for (text, what, at) in [
        ("", "a value is missing at the end", 1),
        ("dot(pA, pB", "a bracket that is not closed", 4),
        ("dot(pA - pB)", "`dot` needs two values: dot(angle, 1)", 12),
        ("vec(1, 2)", "`vec` needs three values", 9),
        ("pA - pB", "a row is a number, and this is a vector", 1),
        ("pA * pB", "of two vectors take `dot` or `cross`", 4),
        ("1 + pA", "a number and a vector on the two sides of `+`", 3),
        ("1/pA", "nothing can be divided by a vector", 2),
        ("pA^2", "a power is of numbers", 3),
        ("dot(pA, 1)", "`dot` is of vectors, and one of its values is a number", 1),
        ("sin(pA)", "`sin` is of numbers, and one of its values is a vector", 1),
        ("length(pA).x", "a number has no component x", 12),
        ("pA.w", "a component is .x, .y or .z", 4),
        ("lenght(pA)", "do you mean `length`?", 1),
        ("distance - wheelbaserear", "too long for a parameter", 12),
        ("spam(pA)", "there is no function `spam`", 1),
        ("distance - t", "the time t does not stand in constraints", 12),
        ("2 + rest", "does not depend on the poses", 1),
        ("distance 2", "an operator is missing", 10),
        ("distance +* 2", "a value is missing before `*`", 11),
        ("sin", "`sin` is a function, and needs brackets", 4),
        ("a + b + c + d + f + g + h + pA.x", "give it among the `parameters`", 25),
    ] {
        let error = Expression::read(text).expect_err(text);
        assert!(error.what.contains(what) && error.at == at, "{text}: {error}");
    }
}

/// What is too deep or has too many operations is refused. 500 characters hold some 250 of these.
#[test]
fn limits() {
    let deep = "(".repeat(40) + "angle" + &")".repeat(40);
    assert!(Expression::read(&deep).expect_err("too deep").what.contains("nested too deeply"));
    let many = "angle".to_owned() + &"*2".repeat(MAX_OPERATIONS / 2 + 1);
    assert!(Expression::read(&many).expect_err("too many").what.contains("operations"));
}

/// Parameters are known by name, with the place where they first stand.
#[test]
fn parameters() {
    let read = Expression::read("distance - len*cos(angle) + len").expect("a formula");
    let [(name, at)] = read.parameters() else { panic!("{read:?}") };
    assert!(name.starts_with(b"len\0") && *at == 12, "{name:?} at {at}");
}
