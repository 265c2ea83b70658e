//! The names that a formula may contain.

use std::f64::consts::{E, PI};

/// Constants. The circle's may also be written π.
pub const CONSTANTS: [(&str, f64); 2] = [("pi", PI), ("e", E)];

/// A function of one value, with its name.
pub type NamedFunction = (&'static str, fn(f64) -> f64);
/// A function of two values, with its name.
pub type NamedPair = (&'static str, fn(f64, f64) -> f64);

/// Functions of one value. Angles are in radians. `step` is 0 below zero, and 1 from there on.
pub const FUNCTIONS: [NamedFunction; 18] = [
    ("sin", libm::sin),
    ("cos", libm::cos),
    ("tan", libm::tan),
    ("asin", libm::asin),
    ("acos", libm::acos),
    ("atan", libm::atan),
    ("sinh", libm::sinh),
    ("cosh", libm::cosh),
    ("tanh", libm::tanh),
    ("exp", libm::exp),
    ("ln", libm::log),
    ("log10", libm::log10),
    ("sqrt", libm::sqrt),
    ("abs", f64::abs),
    ("sign", sign),
    ("floor", f64::floor),
    ("round", f64::round),
    ("step", step),
];

/// Functions of two values. `mod` has the sign of its second value.
pub const PAIRS: [NamedPair; 4] = [("min", f64::min), ("max", f64::max), ("mod", modulo), ("atan2", libm::atan2)];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

fn step(x: f64) -> f64 {
    if x.is_nan() { x } else { f64::from(x >= 0.0) }
}

fn modulo(x: f64, y: f64) -> f64 {
    x - y * (x / y).floor()
}
