//! Conditions of `--fail-if`, breakpoints and claims: a quantity, a relation, a bound and a time.
//!
//! ```text
//! joint_error_max > 5e-3          a column of the metrics, after any step
//! joint_error_max > 5 mm          the same: a number may have its unit
//! joints.motor.torque >= 40       a column of the joint called `motor`; `*` for any joint
//! bodies.*.z < -1 after 2 s       any body, from 2 s on
//! bodies.brick.*.z < 0.1          any body whose name begins so
//! contacts.floor+box.used >= 1    the contact of two bodies; contacts.box: all contacts of one; contacts.*: any pair
//! joints.out.speed = joints.in.speed ± 1 %     equal within a tolerance, to a number or to another quantity
//! kinetic_energy > 1e-3 at end    after the last step only
//! energy rises 1 %                above the minimum since checking began; % of the largest magnitude so far
//! ```
//! `read.rs` contains the grammar; `each.rs` finds what a quantity names; `watch.rs` checks a condition after every
//! step; [`claims`](super::claims) adds what only claims can ask.

mod each;
mod read;
mod units;
pub mod watch;

use super::columns::{BODIES, CONTACTS, ColumnHeading, JOINTS, METRICS, Moment};
use super::quantity::ROWS;

pub use each::EachQuantity;
pub use read::condition;
pub(super) use read::{MAX_BYTES, is_word, subject};
pub(super) use units::factor;
pub use watch::ConditionWatch;

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The text as written.
    pub(super) text: String,
    pub(super) take: Take,
    pub(super) subject: Subject,
    /// Index of the column in the subject's table.
    pub(super) column: usize,
    pub(super) relation: Relation,
    pub(super) bound: Operand,
    pub(super) when: Timing,
    /// The unit in which it was written, and its size in the quantity's own unit.
    pub(super) unit: (String, f64),
}

/// Which value of a quantity is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// The value after each step.
    Itself,
    /// The change since the run's first state.
    Change,
    /// The maximum, minimum or mean over the checked steps, once the last of them is made.
    Most,
    Least,
    Mean,
}

impl Take {
    /// Whether it is known only after all steps.
    pub(super) fn is_of_all_steps(self) -> bool {
        matches!(self, Self::Most | Self::Least | Self::Mean)
    }
}

/// Whose column it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subject {
    Run,
    /// The run's columns that begin so, as in `momentum_*`.
    RunLike(String),
    /// The bodies whose names match, `*` standing for any text.
    Bodies(String),
    Joints(String),
    /// The contact of two bodies as `a+b`, all contacts of one body, or with `*` the contacts of any pair.
    Contacts(String),
    /// A row of a joint, by its number.
    Row(String, usize),
    /// The sweep's spectral radius ρ for the rows of the last step.
    Radius,
}

/// ρ as a quantity of a condition.
const RADIUS: ColumnHeading = ColumnHeading {
    name: "rho",
    unit: "",
    what: "the spectral radius of the sweep over the last rows",
    counted: false,
};

impl Subject {
    /// Name, unit and meaning of one of its columns.
    pub(super) fn heading(&self, column: usize) -> ColumnHeading {
        match self {
            Self::Run | Self::RunLike(_) => METRICS[column].heading(),
            Self::Bodies(_) => BODIES[column].heading(),
            Self::Joints(_) => JOINTS[column].heading(),
            Self::Contacts(_) => CONTACTS[column].heading(),
            Self::Row(..) => ROWS[column],
            Self::Radius => RADIUS,
        }
    }
}

/// Whether a name matches a pattern in which `*` stands for any text.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail),
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Relation {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
    Other,
    /// Equal within a tolerance.
    Near(Tolerance),
    /// By more than the bound above the minimum so far.
    Rises,
    /// By more than the bound below the maximum so far.
    Falls,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tolerance {
    Number(f64),
    /// Share of the bound's magnitude; for `change of`, of the quantity's largest magnitude so far.
    Share(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    /// Share of the largest magnitude so far; 0.01 for one percent.
    Share(f64),
    Word(String),
    /// Another quantity, after the same step.
    Quantity(Subject, usize),
}

/// When a condition is checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Timing {
    /// After every step from one time to another.
    Through(Time, Option<Time>),
    /// After every step until this time; a claim needs to hold after one of them only.
    Within(Time),
    /// After the first step that ends at this time or later.
    At(Time),
    AtEnd,
}

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Time {
    /// Simulated time, s.
    Seconds(f64),
    /// Number of steps made.
    Steps(u64),
}

impl Time {
    /// The beginning of the run.
    pub(super) const START: Self = Self::Steps(0);

    /// Whether this time has been reached. The time of a step is a sum of steps and may be too small by rounding.
    pub(super) fn has_come(self, at: Moment) -> bool {
        match self {
            Self::Seconds(time) => at.time >= time - 1e-9 * time.abs(),
            Self::Steps(steps) => at.step >= steps,
        }
    }

    /// Whether this time has passed.
    pub(super) fn is_over(self, at: Moment) -> bool {
        match self {
            Self::Seconds(time) => at.time > time + 1e-9 * time.abs(),
            Self::Steps(steps) => at.step > steps,
        }
    }

    /// The number of steps up to this time, at `rate` steps per second.
    pub(super) fn steps(self, rate: f64) -> u64 {
        match self {
            Self::Seconds(time) => (time * rate * (1.0 - 1e-9)).ceil() as u64,
            Self::Steps(steps) => steps,
        }
    }
}

impl Relation {
    /// Whether the relation holds; `size` is the magnitude that shares refer to. A value that is not a number
    /// satisfies every relation except `Near`: conditions describe failures, and it is never close to anything.
    pub(super) fn holds(self, value: f64, bound: f64, size: f64) -> bool {
        if let Self::Near(tolerance) = self {
            let room = match tolerance {
                Tolerance::Number(room) => room,
                Tolerance::Share(share) => share * size,
            };
            return (value - bound).abs() <= room;
        }
        value.is_nan()
            || match self {
                Self::Above => value > bound,
                Self::AtLeast => value >= bound,
                Self::Below => value < bound,
                Self::AtMost => value <= bound,
                Self::Equal => value == bound,
                Self::Other => value != bound,
                // For these, `value` is the change.
                Self::Rises | Self::Falls => value > bound,
                Self::Near(_) => false,
            }
    }
}

/// Four digits, in plain or scientific notation.
pub(super) fn shown(v: f64) -> String {
    if v == v.trunc() && v.abs() < 1e6 || (1e-2..1e5).contains(&v.abs()) {
        let rounded = (v * 1e4).round() / 1e4;
        format!("{rounded}")
    } else {
        format!("{v:.3e}")
    }
}
