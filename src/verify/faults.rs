//! What the solvers are known to get wrong, each with the reason. An entry goes when its fault is mended: `delassus
//! verify` names those that can.

use crate::physics::settings::Method::{self, GaussSeidel, Jacobi};

/// A number that a solver gets wrong by more than is claimed.
pub struct Fault {
    /// The case and its quantity, by name.
    pub case: &'static str,
    pub quantity: &'static str,
    /// The solver, or all of them.
    pub method: Option<Method>,
    /// How far off it is at most at each of the rates, in the quantity's unit or as a share of what is expected.
    pub at: [f64; 2],
    pub why: &'static str,
}

impl Fault {
    /// Whether an error is known, by the rate's place.
    pub fn covers(&self, error: f64, rate: usize) -> bool {
        error.abs() <= self.at[rate] || self.at[rate] == ANY
    }
}

/// The known fault of a solver in a case's quantity.
pub fn of(case: &str, quantity: &str, method: Method) -> Option<&'static Fault> {
    FAULTS.iter().find(|f| f.case == case && f.quantity == quantity && f.method.is_none_or(|m| m == method))
}

/// No bound: what is measured may be no number at all.
const ANY: f64 = f64::INFINITY;

const fn all(case: &'static str, quantity: &'static str, at: [f64; 2], why: &'static str) -> Fault {
    Fault { case, quantity, method: None, at, why }
}

const fn one(method: Method, case: &'static str, quantity: &'static str, at: [f64; 2], why: &'static str) -> Fault {
    Fault { case, quantity, method: Some(method), at, why }
}

const DRAINS: &str = "each step leads outward along the tangent, and the rows that bring the body back take that part \
    of its velocity away: about (ω h)²/2 of it a step";
const TAKES: &str = "bodies that turn about each other drain as in a whirl";
const SINKS: &str = "the body moves along the tangent of its step, and the anchor's correction takes that back by \
    turning it: the axle sinks";
const LOAD: &str =
    "ten sweeps of Jacobi leave a part of the load undone in each step; warm starting makes up for it late or never";
const LOCK: &str = "a lock takes a turn by θ for 2 sin(θ/2), which is less";
const LINE: &str = "the points along its line are found anew as it turns, and the arm of its friction with them";
const WELDS: &str = "sweeps carry a moment from weld to weld; ten leave a part of it undone in each step";
const MANY: &str = "many forces balance, and which of them are found depends on the order of the rows";
const SWAYS: &str = "the sweeps of a step stop short of balance, and the stack sways";

const HEAVY: &str = "each sweep moves a light link where it hangs as if the load were not there; sweeps stop short of \
    the tension, and it swings";

/// What is known, with how far off it is at most at 60 and 240 Hz: a third more than was measured.
pub const FAULTS: &[Fault] = &[
    all("whirl/ball-on-rod", "speed after 10 s", [0.83, 0.51], DRAINS),
    all("whirl/ball-on-rod", "pull of the rod after 1 s", [0.51, 0.19], DRAINS),
    all("whirl/bar-on-hinge", "spin after 10 s", [0.77, 0.43], DRAINS),
    all("whirl/bar-on-hinge", "angle after 10 s", [0.55, 0.26], DRAINS),
    all("whirl/conical-pendulum", "angle of the rod after 10 s", [3.7, 1.1], DRAINS),
    all("pendulum/one-link", "energy after 10 s", [0.40, 0.12], TAKES),
    all("pendulum/two-links", "energy after 10 s", [0.46, 0.16], TAKES),
    all("pendulum/three-links", "energy after 10 s", [0.45, 0.16], TAKES),
    all("rotation/t-handle", "time of turning over and back", [0.9, 0.9], TAKES),
    all("rotation/t-handle", "energy after 20 s", [1.2, 0.87], TAKES),
    all("gyroscope/level-axle", "angle sunk in 5 s", [2.0, 0.95], SINKS),
    one(Jacobi, "linkage/four-bar", "swing of the rocker", [1.3, 0.13], LOAD),
    one(Jacobi, "linkage/slider-crank", "stroke", [0.032, 0.0025], LOAD),
    one(Jacobi, "motor/arm", "speed after 5 s", [0.0070, 0.00045], LOAD),
    one(Jacobi, "motor/arm", "angle after 5 s", [0.088, 0.0065], LOAD),
    one(Jacobi, "motor/held-arm", "angle after 60 s", [0.018, 0.0011], LOAD),
    all("soft/weld", "lean", [0.008, 0.008], LOCK),
    one(Jacobi, "limit/motor-at-stop", "greatest angle", [0.0060, 0.0010], LOAD),
    one(Jacobi, "limit/stopped-chain", "farthest from a stop after 10 s", [0.23, 0.021], LOAD),
    one(Jacobi, "limit/stopped-chain", "torque of the first stop", [0.39, 0.020], LOAD),
    one(
        Jacobi,
        "tipping/leaning-floor",
        "lean of the floor when the block has turned by 0.05 rad",
        [0.11, 0.0050],
        LOAD,
    ),
    one(Jacobi, "sliding/down-a-slope", "speed after 1 s", [0.082, 0.021], LOAD),
    one(Jacobi, "sliding/down-a-slope", "way after 1 s", [0.19, 0.047], LOAD),
    one(Jacobi, "sliding/held-on-a-slope", "way after 20 s", [0.0082, 0.0010], LOAD),
    one(GaussSeidel, "spinning/lying-cylinder", "time to rest", [0.05, 0.038], LINE),
    one(Jacobi, "beam/welded", "moment in the middle", [0.84, 0.010], LOAD),
    one(GaussSeidel, "beam/welded", "sag of the middle", [0.013, 0.0010], WELDS),
    one(Jacobi, "beam/welded", "sag of the middle", [1.1, 0.13], LOAD),
    one(Jacobi, "cantilever/six-boxes", "moment at the wall", [0.81, 0.067], LOAD),
    one(GaussSeidel, "cantilever/six-boxes", "sag of the last box", [0.21, 0.0020], WELDS),
    one(Jacobi, "cantilever/six-boxes", "sag of the last box", [1.4, 0.64], LOAD),
    one(Jacobi, "catenary/sixteen-links", "sag of the middle", [0.0068, 0.0020], LOAD),
    one(GaussSeidel, "table/four-posts", "greatest force of a post", [0.22, 0.22], MANY),
    one(GaussSeidel, "table/four-posts", "least force of a post", [0.22, 0.22], MANY),
    one(GaussSeidel, "table/welded-legs", "greatest force under a leg", [0.14, 0.14], MANY),
    one(GaussSeidel, "table/welded-legs", "least force under a leg", [0.12, 0.12], MANY),
    one(Jacobi, "rest/five-boxes", "way of the topmost one", [0.012, 0.0010], LOAD),
    one(GaussSeidel, "rest/stack-of-ten", "way of the topmost one", [0.2, 0.2], SWAYS),
    one(Jacobi, "rest/stack-of-ten", "way of the topmost one", [0.41, 0.0010], LOAD),
    one(GaussSeidel, "rest/stack-of-eight", "way of the topmost one", [0.2, 0.2], SWAYS),
    one(Jacobi, "rest/stack-of-eight", "way of the topmost one", [0.16, 0.0010], LOAD),
    one(GaussSeidel, "heavy/fifty-sweeps", "opening of the worst joint in 10 s", [ANY, ANY], HEAVY),
    one(Jacobi, "heavy/fifty-sweeps", "opening of the worst joint in 10 s", [ANY, ANY], HEAVY),
    one(Jacobi, "heavy/ten-sub-steps", "opening of the worst joint in 10 s", [ANY, ANY], HEAVY),
];
