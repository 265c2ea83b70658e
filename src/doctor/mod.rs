//! The doctor: looks at a world before its first step and says what will go wrong, why, with the numbers, and what
//! helps. It knows no screen and changes nothing; a [`Fix`] is what the session may do about a finding.
//!
//! | rule | looks for |
//! |---|---|
//! | anchors | anchors, lengths or planes that do not meet at the start |
//! | axes | axes that are not aligned at the start |
//! | limit | a value outside its limits, or a rope too short, at the start |
//! | exclusion | limits of two joints on the same pair that cannot both hold |
//! | motor | a motor without a cap before a stop, or one that starts by pressing on its stop |
//! | immovable | a joint between bodies that nothing moves |
//! | loop | rows of a closed loop of joints that depend on each other, agreeing or not |
//! | mass | a heavy body that hangs on a light one |
//! | inertia | a body that is far easier to turn about one axis than about another |
//! | far | a body so far out that single precision has no millimetres left |
//! | overlap | bodies that stand in each other |

mod bodies;
mod chains;
mod graph;
mod joints;
mod loops;
pub mod svd;

use glam::Vec3;
use serde::Serialize;

use crate::physics::world::World;
use crate::scene::Flat;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing need go wrong.
    Note,
    /// Will be seen.
    Warning,
    /// Cannot be right.
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What was looked for: the table of the module's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    Exclusion,
    Inertia,
    Loop,
    Overlap,
    Anchors,
    Axes,
    Limit,
    Motor,
    Mass,
    Far,
    Immovable,
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exclusion => "exclusion",
            Self::Inertia => "inertia",
            Self::Loop => "loop",
            Self::Overlap => "overlap",
            Self::Anchors => "anchors",
            Self::Axes => "axes",
            Self::Limit => "limit",
            Self::Motor => "motor",
            Self::Mass => "mass",
            Self::Far => "far",
            Self::Immovable => "immovable",
        }
    }
}

/// What can be done about a finding without asking further.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fix {
    /// B's anchor is put where A's is.
    MeetAnchors { joint: usize },
    /// The joint takes this length, m.
    Length { joint: usize, length: f32 },
    /// B's axis is put where A's is.
    AlignAxes { joint: usize },
    /// The limits are widened to this.
    Limit { joint: usize, range: (f32, f32) },
    /// The body is moved, m.
    Move { body: u32, by: Vec3 },
    /// The joint is taken away.
    Remove { joint: usize },
}

impl Fix {
    /// What a button says.
    pub fn label(&self) -> &'static str {
        match self {
            Self::MeetAnchors { .. } => "Bring the anchors together",
            Self::Length { .. } => "Take the length as it stands",
            Self::AlignAxes { .. } => "Align the axes",
            Self::Limit { .. } => "Widen the limits",
            Self::Move { .. } => "Move apart",
            Self::Remove { .. } => "Delete the joint",
        }
    }
}

/// One thing that the doctor found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The bodies and joints concerned, by number; the first is the one to look at.
    pub bodies: Vec<u32>,
    pub joints: Vec<usize>,
    /// What is so, with the numbers.
    pub what: String,
    /// What helps.
    pub cure: String,
    pub fix: Option<Fix>,
}

/// A world at its start and the names of what is in it.
pub struct Case<'a> {
    pub world: &'a World,
    /// By body number; the world itself first.
    pub bodies: Vec<&'a str>,
    pub joints: Vec<&'a str>,
}

impl<'a> Case<'a> {
    /// The case of a scene laid out, and the world made of it.
    pub fn new(flat: &'a Flat, world: &'a World) -> Self {
        Self::named(world, flat.bodies.iter().map(|b| b.name.as_str()), flat.joints.iter().map(|j| j.name.as_str()))
    }

    /// A world with the names of its bodies, from body 1, and joints.
    pub fn named(
        world: &'a World,
        bodies: impl Iterator<Item = &'a str>,
        joints: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self { world, bodies: std::iter::once("the world").chain(bodies).collect(), joints: joints.collect() }
    }

    fn body(&self, id: u32) -> &str {
        self.bodies.get(id as usize).copied().unwrap_or_default()
    }

    /// The normal of the plane in which a body stays, if it does.
    fn plane(&self, id: u32) -> Option<Vec3> {
        self.world.planes.iter().find(|plane| plane.body == id).map(|plane| plane.normal)
    }

    fn joint(&self, index: usize) -> &str {
        self.joints.get(index).copied().unwrap_or_default()
    }
}

/// The most findings of one rule that are told; the last says how many more there are.
const MOST: usize = 12;

/// Everything that is found, the worst first.
pub fn examine(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    joints::examine(case, &mut found);
    bodies::examine(case, &mut found);
    loops::examine(case, &mut found);
    chains::examine(case, &mut found);
    found.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.rule));
    abridge(found)
}

/// Of many findings alike only the first.
fn abridge(found: Vec<Finding>) -> Vec<Finding> {
    let mut short: Vec<Finding> = Vec::new();
    for group in found.chunk_by(|a, b| (a.severity, a.rule) == (b.severity, b.rule)) {
        short.extend_from_slice(&group[..group.len().min(MOST)]);
        let more = group.len().saturating_sub(MOST);
        if let Some(last) = short.last_mut().filter(|_| more > 0) {
            last.what = format!("{} And {more} more like this.", last.what);
        }
    }
    short
}

/// A number with three digits that count.
fn number(value: f32) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.2e}")
    } else {
        // 0.0999996 reads 0.100.
        let decimals = (2 - (size * 1.0005).log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 1.0, -12.345, 0.0123, 999.6, 1e6, 2e-5, 0.099_999_6].map(number);
        assert_eq!(shown, ["0", "1.00", "-12.3", "0.0123", "1000", "1.00e6", "2.00e-5", "0.100"]);
    }
}
