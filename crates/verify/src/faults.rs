//! Known faults of the solvers, each with the reason. An entry is removed when its fault is corrected: `delassus
//! verify` lists those that can be.

use delassus_physics::settings::Method::{self, GaussSeidel, Jacobi};

use super::case::RATES;

/// A quantity that a solver gets wrong by more than claimed.
pub struct KnownFault {
    /// The names of the case and of its quantity.
    pub case: &'static str,
    pub quantity: &'static str,
    /// The solver; `None` means all of them.
    pub method: Option<Method>,
    /// The largest known error at each of the rates, in the quantity's unit or relative to the true value.
    pub at: [f64; RATES.len()],
    pub why: &'static str,
}

impl KnownFault {
    /// Whether an error is within the known one; `rate` is the index of the rate.
    pub fn covers(&self, error: f64, rate: usize) -> bool {
        error.abs() <= self.at[rate]
    }
}

/// The known fault of a solver in a case's quantity.
pub fn of(case: &str, quantity: &str, method: Method) -> Option<&'static KnownFault> {
    FAULTS.iter().find(|f| f.case == case && f.quantity == quantity && f.method.is_none_or(|m| m == method))
}

const fn all(case: &'static str, quantity: &'static str, at: [f64; RATES.len()], why: &'static str) -> KnownFault {
    KnownFault { case, quantity, method: None, at, why }
}

const fn one(
    method: Method,
    case: &'static str,
    quantity: &'static str,
    at: [f64; RATES.len()],
    why: &'static str,
) -> KnownFault {
    KnownFault { case, quantity, method: Some(method), at, why }
}

const TAKES: &str = "bodies that turn about each other lose energy";
const LOAD: &str =
    "ten sweeps of Jacobi carry only a part of the load in each step; warm starting adds the rest late or never";
const MANY: &str = "many forces balance, and which of them are found depends on the order of the rows";
const RELAXED: &str =
    "many forces balance, and the relaxing sweeps, which take the posts in turn, shift the load to the first";

const ROUNDED: &str = "at 4,000 sub-steps a second the rounding of positions in 32 bits is a part in a few thousand \
    of the motion in a sub-step";
const CREEPS: &str = "at 4,000 sub-steps a second a body that creeps by less than 0.2 mm/s stands still: its motion \
    in a sub-step is less than the rounding of its position in 32 bits";

const TREMBLES: &str = "at 4,000 sub-steps a second a loop's forces change by some per cent because they close the \
    rounding errors of its positions in 32 bits";

/// The known faults, with the largest errors at each of the rates: a third more than measured.
pub const FAULTS: &[KnownFault] = &[
    all("fall/thrown-ball", "speed after 1 s", [0.0, 0.0, 2.2e-5], ROUNDED),
    all("fall/galileo", "displacement of the ball in 4 s", [0.0, 0.0, 1.2e-4], ROUNDED),
    all("fall/galileo", "displacement of the pair in 4 s", [0.0, 0.0, 1.2e-4], ROUNDED),
    all("soft/world", "sag", [0.0, 0.0, 0.12], CREEPS),
    all("soft/contacts", "sag beyond the slop", [0.0, 0.0, 0.42], CREEPS),
    one(GaussSeidel, "crank/nine-radians", "greatest force at the pin", [0.0, 0.0, 0.045], TREMBLES),
    one(Jacobi, "crank/nine-radians", "greatest force at the pin", [0.0, 0.0, 0.045], TREMBLES),
    one(GaussSeidel, "crank/nine-radians", "greatest torque of the motor", [0.0, 0.0, 0.025], TREMBLES),
    one(Jacobi, "crank/nine-radians", "greatest torque of the motor", [0.0, 0.0, 0.025], TREMBLES),
    all("rotation/t-handle", "time of turning over and back", [0.9, 0.9, 0.9], TAKES),
    one(Jacobi, "rolling/capsule-3cm", "speed after 1 s", [0.013, 0.001, 0.001], LOAD),
    one(Jacobi, "rolling/capsule-3cm", "sinks, share of r", [0.04, 0.002, 0.002], LOAD),
    one(Jacobi, "rolling/cylinder-3cm", "speed after 1 s", [0.02, 0.001, 0.001], LOAD),
    one(Jacobi, "rolling/cylinder-3cm", "sinks, share of r", [0.06, 0.004, 0.004], LOAD),
    one(GaussSeidel, "table/four-posts", "greatest force of a post", [0.22, 0.22, 0.22], MANY),
    one(GaussSeidel, "table/four-posts", "least force of a post", [0.22, 0.22, 0.22], MANY),
    one(Jacobi, "table/four-posts", "greatest force of a post", [0.13, 0.13, 0.13], RELAXED),
    one(Jacobi, "table/four-posts", "least force of a post", [0.13, 0.13, 0.13], RELAXED),
    one(GaussSeidel, "table/welded-legs", "greatest force under a leg", [0.14, 0.14, 0.14], MANY),
    one(GaussSeidel, "table/welded-legs", "least force under a leg", [0.12, 0.12, 0.12], MANY),
];
