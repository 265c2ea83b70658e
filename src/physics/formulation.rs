//! In which form a constraint is written: the corrected one, another that is right too, or the one that a document
//! prints, fault included, so that the fault can be seen and cured with a click.
//!
//! The choices are settings (`formulation` in `settings.rs`); prepare hands them to the joints through `Ends::forms`,
//! so that linearizing stays pure. Read-outs always measure by the corrected form: errors can be compared. What is
//! wrong with the printed forms, with numbers: docs/errata.md.

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
    /// What is made of contacts.
    ContactForm { Rows, Blows }
}
choice! {
    /// How a contact's bounce and its push-out make one bias.
    RestitutionForm { Larger, Added }
}
choice! {
    /// How the impulses of a contact's normals are bound.
    NormalForm { Accumulated, Increment }
}
choice! {
    /// How the tangents and the twist of a friction patch are bound.
    PatchForm { LimitSurface, Ellipsoid, Disc, Box, Generic }
}
choice! {
    /// The rows against rolling.
    RollingForm { Pair, AsPrinted }
}
choice! {
    /// The bound of friction at a point.
    PointForm { NormalImpulse, Weight }
}
choice! {
    /// How an orientation is advanced.
    RotationForm { ExponentialMap, AsPrinted }
}
choice! {
    /// How fast an impulse may leave a body turning.
    AngularSpeedForm { Free, AsPrinted }
}
choice! {
    /// From frequency and damping ratio to the coefficients of a soft row.
    SoftForm { Spring, AsPrinted }
}
choice! {
    /// How the old impulses enter a step.
    CarryForm { AppliedFirst, AsPrinted, AnchorsOnly }
}
