//! The forms of constraints: the corrected one, others that are right, too, and the one that a document prints with its
//! fault. A setting chooses the form, so that the effect of the fault can be seen.
//!
//! The choices are settings (`formulation` in `settings.rs`). `prepare.rs` passes them to the joints through
//! `JointFrames::forms`, so that linearizing stays pure. Readouts always measure by the corrected form, so that errors can be
//! compared. What is wrong with the printed forms, with numbers: docs/errata.md.

use serde::{Deserialize, Serialize};

use super::setting::{Choices, SettingValue, Value};

choice! {
    /// The rows that keep a hinge's axes together.
    HingeForm { CrossProduct, TwoAxis, Vector, VectorAsPrinted, Quaternion }
}
choice! {
    /// The rows that keep an orientation.
    OrientationForm { WorldAxes, Quaternion, AsPrinted }
}
choice! {
    /// The rows that keep two anchors together, or a length apart.
    AnchorForm { Length, Squared }
}
choice! {
    /// The row that keeps two shafts at one speed.
    TwistForm { TwistRow, Quaternion, AsPrinted }
}
choice! {
    /// How a stop's row is bounded.
    LimitForm { Accumulated, Increment }
}
choice! {
    /// The book's motor.
    MotorForm { Relative, AsPrinted }
}
choice! {
    /// How contacts are solved.
    ContactForm { Rows, Blows }
}
choice! {
    /// How a contact's bounce and its push-out are combined in one bias.
    RestitutionForm { Larger, Added }
}
choice! {
    /// How the normal impulses of a contact are bounded.
    NormalForm { Accumulated, Increment }
}
choice! {
    /// How the tangential rows and the twist of a friction patch are bounded.
    PatchForm { LimitSurface, Ellipsoid, Disc, Box, Generic }
}
choice! {
    /// The rows against rolling.
    RollingForm { Pair, AsPrinted }
}
choice! {
    /// The friction bound at a point.
    PointForm { NormalImpulse, Weight }
}
choice! {
    /// How an orientation is advanced.
    RotationForm { ExponentialMap, AsPrinted }
}
choice! {
    /// The bound on the angular speed that an impulse leaves.
    AngularSpeedForm { Free, AsPrinted }
}
choice! {
    /// How frequency and damping ratio give the coefficients of a soft row.
    SoftForm { Spring, AsPrinted }
}
choice! {
    /// How the old impulses enter a step, and which are kept.
    CarryForm { AppliedFirst, AsPrinted, AnchorsOnly }
}
