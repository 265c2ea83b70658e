//! The doctor's rules by name: a scene may say which of them it is made to break.

use serde::{Deserialize, Serialize};

/// A rule of the doctor, see the table of [`crate::doctor`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    Exclusion,
    Inertia,
    Breaks,
    Degrees,
    Sweeps,
    Jam,
    Locked,
    Against,
    Stops,
    Singular,
    Dead,
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
            Self::Breaks => "breaks",
            Self::Degrees => "degrees",
            Self::Sweeps => "sweeps",
            Self::Jam => "jam",
            Self::Locked => "locked",
            Self::Against => "against",
            Self::Stops => "stops",
            Self::Singular => "singular",
            Self::Dead => "dead",
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
