//! The symbols in a lesson's formulas: which quantity of a joint or contact each one stands for, so that it has a
//! live value and a drawing in the view.

use serde::Deserialize;

/// The symbols in a lesson's formulas, and the joint or body that they refer to when nothing else is selected.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Live {
    /// Name of a joint, or of a body whose contact is meant.
    pub of: String,
    /// For a body: the other body, which then is A also while the two do not touch.
    #[serde(default)]
    pub with: Option<String>,
    /// Index, from 0, of the joint's row to which J, K, b and λ belong.
    #[serde(default)]
    pub row: usize,
    /// The symbols as written in the formulas, in LaTeX, and what they stand for.
    pub letters: Vec<(String, Letter)>,
}

/// What a symbol stands for. World frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Letter {
    CentreA,
    CentreB,
    /// Where the joint or contact acts on A, and on B.
    AnchorA,
    AnchorB,
    /// From A's centre of mass to A's anchor; likewise for B.
    LeverA,
    LeverB,
    /// From A's centre of mass to B's anchor.
    LeverS,
    /// From A's anchor to B's.
    Gap,
    VelocityA,
    VelocityB,
    SpinA,
    SpinB,
    AxisA,
    AxisB,
    /// The row's unit vector.
    Direction,
    /// The joint's angle.
    Angle,
    /// The angular error of its axes or orientations, rad.
    Lean,
    /// The position error of the anchors.
    Error,
    /// The row's velocity J u.
    Rate,
    Row,
    K,
    Mass,
    Impulse,
    Force,
    Bias,
    /// B's mass.
    Weight,
    Step,
    Share,
    /// The displacement of B's centre of mass in a step, along its velocity.
    Tangent,
}

impl Letter {
    /// Its meaning in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::CentreA => "A's centre of mass",
            Self::CentreB => "B's centre of mass",
            Self::AnchorA => "A's anchor",
            Self::AnchorB => "B's anchor",
            Self::LeverA => "From A's centre to its anchor",
            Self::LeverB => "From B's centre to its anchor",
            Self::LeverS => "From A's centre to B's anchor",
            Self::Gap => "From A's anchor to B's",
            Self::VelocityA => "Velocity of A's centre",
            Self::VelocityB => "Velocity of B's centre",
            Self::SpinA => "Angular velocity of A",
            Self::SpinB => "Angular velocity of B",
            Self::AxisA => "The joint's axis as A carries it",
            Self::AxisB => "The joint's axis as B carries it",
            Self::Direction => "The direction of the row",
            Self::Angle => "The joint's angle",
            Self::Lean => "The angle between the two axes",
            Self::Error => "The position error",
            Self::Rate => "The velocity along the row, J u",
            Self::Row => "The row; hover to draw it",
            Self::K => "The change of the row's velocity per unit of impulse",
            Self::Mass => "The effective mass of the row, 1/K",
            Self::Impulse => "The impulse of the next step",
            Self::Force => "The impulse divided by the step's length",
            Self::Bias => "The row's bias",
            Self::Weight => "B's mass",
            Self::Step => "The length of a step",
            Self::Share => "The share of an error that a step removes",
            Self::Tangent => "The displacement of a step along the tangent",
        }
    }
}
