//! The doctor's rules by name: a scene may declare which of them it breaks on purpose. A rule that was renamed is also
//! read under its old name.

use serde::{Deserialize, Serialize};

macro_rules! rules {
    ($($Rule:ident = $name:literal $(or $old:literal)?, $what:literal;)*) => {
        /// A rule of the doctor, see the table of `delassus_doctor`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum Rule { $(#[doc = $what] $(#[serde(alias = $old)])? $Rule),* }

        impl Rule {
            pub const ALL: &[Self] = &[$(Self::$Rule),*];
            /// Names in older files, which are still read.
            pub const OLDER_NAMES: &[&str] = &[$($($old,)?)*];

            /// Name in files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$Rule => $name),* }
            }

            /// Whether it is about a run, and not about the scene as it begins.
            pub fn is_of_run(self) -> bool {
                matches!(self, Self::Gap | Self::Slip | Self::Forces | Self::Penetration | Self::Energy)
            }

            /// What breaks the rule.
            pub fn what(self) -> &'static str {
                match self { $(Self::$Rule => $what),* }
            }
        }
    };
}

rules! {
    Exclusion = "exclusion", "limits of two joints on the same pair that cannot both hold";
    Inertia = "inertia", "a body that is far easier to turn about one axis than about another, or whose mass does not fit in its shape";
    Breaks = "breaks", "a break limit below the load";
    Degrees = "degrees", "an angle in radians that was probably meant in degrees";
    Sweeps = "sweeps", "bodies welded in a row that the sweeps cannot carry";
    Jam = "jam", "axes of a loop that jam: they differ so little that they are probably meant to agree";
    Locked = "locked", "a motor in a loop that cannot move";
    Against = "against", "motors that drive one motion at contradictory speeds";
    Stops = "stops", "limits of several joints of a loop that leave it no motion";
    Singular = "singular", "loops that can begin to move in ways that do not last";
    Dead = "dead", "a joint whose value cannot change although its loop can move";
    Loop = "loop", "rows of closed loops of joints that depend on each other";
    Overlap = "overlap", "bodies that overlap at the start";
    Anchors = "anchors", "anchors, lengths or planes that do not meet at the start";
    Axes = "axes", "axes of one joint that are not aligned at the start";
    Limit = "limit", "a value outside its limits, or a rope too short, at the start";
    Motor = "motor", "a motor without a cap before a stop, or one that starts by pressing on its stop";
    Mass = "mass", "a heavy body that hangs or stands on a light one";
    Far = "far", "a body so far from the origin that single precision cannot resolve millimetres";
    Undercut = "undercut", "a cam with a hollow that is narrower than the roller of its follower";
    Undefined = "undefined", "a row that is written down and has no finite value or gradient at the start";
    Unmoved = "unmoved", "a force, torque or drag on a body that it cannot move";
    Immovable = "immovable", "a joint between bodies that nothing moves";
    Passes = "passes", "a body that may pass through another, because contacts are searched for too seldom";
    Impacts = "impacts", "bouncing balls that touch each other, whose impacts are solved all at once";
    Weak = "weak", "a motor or servo whose cap is below its static load, if it should hold still, or below its joint's friction";
    Gap = "gap", "in the run: a joint that gapes, or turns out of its orientation";
    Slip = "slip", "in the run: a motor that misses its speed below its cap";
    Forces = "forces", "in the run: forces far from those of the exact solution";
    Penetration = "penetration" or "sunk", "in the run: bodies that overlap by a share of their size";
    Energy = "energy", "in the run: energy that the rows keep adding";
}
