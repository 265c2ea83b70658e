//! Why a mechanism is not analysed.

use std::fmt;

/// Why a mechanism is not analysed, with the names of bodies and joints.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// The joint has no single value that could be driven: its name, its kind, and the joints that have one.
    NoValue { joint: String, kind: &'static str, with: Vec<String> },
    /// The joint has no coordinate of its own that could be set: its name and its kind.
    NoCoordinate { joint: String, kind: &'static str },
    /// The loops of the joint have more bodies than are posed.
    LoopTooLarge { joint: String, bodies: usize, most: usize },
    /// The joint is broken.
    Broken { joint: String },
    /// Neither of its bodies can move.
    Immovable { joint: String },
    /// More bodies hang together than are analysed.
    TooLarge { most: usize },
    /// Something of the request makes no sense: the option of the command that gives it, or nothing, and why.
    Misuse { option: String, what: String },
    /// A joint that is to be held, or to take the work, is not part of the mechanism: the option of the command that
    /// names it, its name, and that of the driven joint.
    Outside { option: String, joint: String, own: String },
    /// A joint that slides without limits has no usual travel.
    NoLimits,
    /// The computation was cancelled by the work of the world.
    Cancelled,
    /// The loops do not close at the start: the error that is left, m.
    Open { error: f64 },
    /// The driven joint cannot move at its start: what else moves does not move it, or nothing moves.
    Locked { joint: String },
    /// With the driven joint held, so many motions remain; joints that move in them.
    MoreMotions { joint: String, count: usize, moving: Vec<String> },
    /// The start of the travel cannot be reached: the joint, the wanted value, where it stopped and why, all as text.
    StartNotReached { joint: String, wanted: String, reached: String, why: String },
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue { joint, kind, with } => {
                write!(f, "`{joint}` is a {kind}, which has no single value to drive")?;
                match with.as_slice() {
                    [] => write!(f, ", and no joint of the scene has one"),
                    with => write!(f, ". These have one: {}", listed(with)),
                }
            }
            Self::NoCoordinate { joint, kind } => {
                write!(f, "`{joint}` is a {kind}, which has no value that could be set: pose the joints beside it")
            }
            Self::LoopTooLarge { joint, bodies, most } => {
                write!(f, "the loops of `{joint}` have {bodies} bodies; loops of up to {most} are posed")
            }
            Self::Broken { joint } => write!(f, "`{joint}` is broken"),
            Self::Immovable { joint } => write!(f, "neither body of `{joint}` can move"),
            Self::TooLarge { most } => {
                write!(f, "the mechanism has more than {most} bodies; up to {most} are analysed")
            }
            Self::Misuse { option, what } if option.is_empty() => f.write_str(what),
            Self::Misuse { option, what } => write!(f, "{option}: {what}"),
            Self::Outside { option, own, .. } => {
                write!(f, "{option}: it does not belong to the mechanism of `{own}`")
            }
            Self::NoLimits => f.write_str("this joint slides without limits: give --from and --to in metres"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Open { error } => {
                write!(
                    f,
                    "the loops do not close at the start: an error of {error:.2e} m is left. `delassus doctor` says why"
                )
            }
            Self::Locked { joint } => write!(
                f,
                "`{joint}` cannot move at its start: it is at a dead centre, or its loop is locked. Start a little \
                 away from it, or drive another joint"
            ),
            Self::MoreMotions { joint, count, moving } => {
                let (motions, remain) = if *count == 1 { ("motion", "remains") } else { ("motions", "remain") };
                write!(f, "with `{joint}` held, {count} {motions} {remain}")?;
                if moving.is_empty() {
                    return write!(f, ", in which no joint with a value moves: they cannot be held with --hold");
                }
                write!(f, ", of {}. Hold other joints with --hold until none remains", listed(moving))
            }
            Self::StartNotReached { joint, wanted, reached, why } => {
                write!(f, "`{joint}` does not reach {wanted}: it stops at {reached}, {why}")
            }
        }
    }
}

impl Refusal {
    /// The same as sentences, without the options of the command: for a window.
    pub fn sentences(&self) -> String {
        let text = match self {
            Self::Misuse { what, .. } => what.clone(),
            Self::Outside { joint, own, .. } => format!("`{joint}` does not belong to the mechanism of `{own}`"),
            Self::NoLimits => "this joint slides without limits. Give both ends of its travel".into(),
            Self::Open { error } => {
                format!("the loops do not close at the start: an error of {error:.2e} m is left. The doctor says why")
            }
            Self::MoreMotions { joint, count, moving } => {
                let (motions, them) =
                    if *count == 1 { ("1 motion is".into(), "it") } else { (format!("{count} motions are"), "them") };
                let rest = match moving.as_slice() {
                    [] => format!("No joint with a value moves in {them}, so nothing can be held"),
                    moving => {
                        format!("These joints move in {them}: {}. Hold joints until none is free", listed(moving))
                    }
                };
                format!("besides `{joint}`, {motions} free. {rest}")
            }
            other => other.to_string(),
        };
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
    }
}

/// Names, up to a readable number.
fn listed(names: &[String]) -> String {
    const MOST: usize = 20;
    let more = names.len().saturating_sub(MOST);
    let shown = names[..names.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}
