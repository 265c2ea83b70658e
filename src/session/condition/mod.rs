//! What `--fail-if`, a breakpoint and a claim ask: a quantity, a relation and a bound, and when.
//!
//! ```text
//! joint_error_max > 5e-3          a column of the metrics, at any step
//! joint_error_max > 5 mm          the same: a number may have its unit
//! joints.motor.torque >= 40       of the joint called `motor`; `*` for any joint
//! bodies.*.z < -1 after 2 s       of any body, from 2 s on
//! bodies.brick.*.z < 0.1          of those whose names begin so
//! contacts.floor+box.used >= 1    of two bodies that touch; of all that touch one, contacts.box; of any two, contacts.*
//! joints.out.speed = joints.in.speed ± 1 %     equal but for a tolerance, to a number or to another quantity
//! kinetic_energy > 1e-3 at end    after the last step only
//! energy rises 1 %                above the least that it has been since it is looked at; % of the largest size so far
//! ```
//! `read.rs` has the grammar; `watch.rs` looks at a condition after every step; what a claim asks beyond that is in
//! [`claims`](super::claims).

mod read;
mod units;
pub mod watch;

use super::columns::{BODIES, CONTACTS, ColumnHeading, JOINTS, METRICS, Moment};
use super::quantity::ROWS;

pub use read::condition;
pub(super) use read::{is_word, subject};
pub use watch::ConditionWatch;

/// A condition as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub(super) text: String,
    pub(super) take: Take,
    pub(super) subject: Subject,
    /// Its index in the subject's list.
    pub(super) column: usize,
    pub(super) relation: Relation,
    pub(super) bound: Operand,
    pub(super) when: Timing,
    /// The unit in which it was written, and how much of the quantity's own unit that is.
    pub(super) unit: (String, f64),
}

/// What of a quantity is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// It, after each step.
    Itself,
    /// Since the run's first state.
    Change,
    /// Over the steps that are looked at, once the last of them is made.
    Most,
    Least,
    Mean,
}

impl Take {
    /// Whether it is known only once all steps are made.
    pub(super) fn is_of_all_steps(self) -> bool {
        matches!(self, Self::Most | Self::Least | Self::Mean)
    }
}

/// Whose column it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subject {
    Run,
    /// The run's columns that begin so: `momentum_*`.
    RunLike(String),
    /// The bodies whose name fits, `*` being anything.
    Bodies(String),
    Joints(String),
    /// Of two bodies as `a+b`, of all contacts of a body, or with `*` of every two that touch.
    Contacts(String),
    /// A row of a joint, by its number.
    Row(String, usize),
    /// ρ of the sweep, of the rows of the last step.
    Radius,
}

/// ρ as a quantity that is asked for in a condition.
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

/// Whether a name fits a pattern in which `*` stands for anything.
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
    /// Equal but for a tolerance.
    Near(Tolerance),
    /// By more than the bound above the least so far.
    Rises,
    /// By more than the bound below the most so far.
    Falls,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tolerance {
    Number(f64),
    /// Of the bound's size; of a change, of the largest size that the quantity has had.
    Share(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    /// Of the largest size so far; 0.01 for one percent.
    Share(f64),
    Word(String),
    /// Another quantity after the same step.
    Quantity(Subject, usize),
}

/// When it is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Timing {
    /// After every step from one time to another.
    Through(Time, Option<Time>),
    /// After every step until then; a claim asks for one of them only.
    Within(Time),
    /// After the first step that ends then or later.
    At(Time),
    AtEnd,
}

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Time {
    /// Simulated.
    Seconds(f64),
    /// Steps made.
    Steps(u64),
}

impl Time {
    /// From the beginning.
    pub(super) const START: Self = Self::Steps(0);

    /// Whether it has come. A step's end is a sum of steps: it may be a rounding short of the time that was asked for.
    pub(super) fn has_come(self, at: Moment) -> bool {
        match self {
            Self::Seconds(time) => at.time >= time - 1e-9 * time.abs(),
            Self::Steps(steps) => at.step >= steps,
        }
    }

    /// Whether it is over.
    pub(super) fn is_over(self, at: Moment) -> bool {
        match self {
            Self::Seconds(time) => at.time > time + 1e-9 * time.abs(),
            Self::Steps(steps) => at.step > steps,
        }
    }

    /// In steps of this many a second.
    pub(super) fn steps(self, rate: f64) -> u64 {
        match self {
            Self::Seconds(time) => (time * rate * (1.0 - 1e-9)).ceil() as u64,
            Self::Steps(steps) => steps,
        }
    }
}

impl Relation {
    /// Whether it holds; `size` is what a share is of. A value that is not a number fails every bound: it is never what
    /// one hopes for, and never near anything.
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
                // Of these `value` is by how much it has moved.
                Self::Rises | Self::Falls => value > bound,
                Self::Near(_) => false,
            }
    }
}

/// Four digits, as a number of usual size or by powers of ten.
pub(super) fn shown(v: f64) -> String {
    if v == v.trunc() && v.abs() < 1e6 || (1e-2..1e5).contains(&v.abs()) {
        let rounded = (v * 1e4).round() / 1e4;
        format!("{rounded}")
    } else {
        format!("{v:.3e}")
    }
}
