//! The forms in which a constraint can be written: the label of each and its effect. Errors in the printed forms are
//! listed with numbers in docs/errata.md.

use super::ChoiceWords;
use delassus_physics::settings::*;

choice_words! {
    HingeForm {
        CrossProduct = "cross product", "C = t·(aA × aB), two rows: no mirrored rest pose, K never 0";
        TwoAxis = "two-axis", "C = t·aB, two rows: the mirrored pose attracts from past 90°, where K = 0 (000 as \
            printed, book 14)";
        Vector = "vector", "C = 1 − aA·aB, one row along the present lean: J vanishes where it should hold, so the \
            axis wobbles (book 14, corrected)";
        VectorAsPrinted = "vector, as printed", "C = aA·aB, one row: drives the axes to a right angle";
        Quaternion = "quaternion", "C = 2 u·Im q for two axes u across the hinge, with the exact jacobian (book 17)";
    }
    OrientationForm {
        WorldAxes = "world axes", "the error as a rotation vector in world axes, the short way round";
        Quaternion = "quaternion", "C = 2 e·Im q for A's three axes, with the exact jacobian (book 16)";
        AsPrinted = "A's error on world axes", "the error in A's frame pushed on world axes, whatever its sign: \
            diverges once A has turned past 90° (000 as printed)";
    }
    AnchorForm {
        Length = "length, three rows", "C = |p| − L for a rod, three rows for an anchor: J never vanishes";
        Squared = "squared, as printed", "C = p·p − L², one row: for an anchor J vanishes at the solution (book 8)";
    }
    TwistForm {
        TwistRow = "twist row", "along a + b, halfway between the shafts";
        Quaternion = "quaternion", "C = 2 a·Im q with the exact jacobian; a pyramid's sides likewise (book 19, 20)";
        AsPrinted = "−½ twice, as printed", "the factor −½ applied twice turns the difference of the speeds into \
            their sum";
    }
    LimitForm {
        Accumulated = "accumulated", "the sum of the impulses is clamped: a later sweep may take back; on before the \
            stop is met";
        Increment = "increment, as printed", "each sweep's impulse is clamped, nothing is ever taken back; on only \
            past the stop (book 18)";
    }
    MotorForm {
        Relative = "relative", "the target is B's speed against A, the locks lie in A's axes";
        AsPrinted = "as printed", "the target is given to both bodies, world axes are used as A's own";
    }
    ContactForm {
        Rows = "rows", "what touches has rows, swept together with the joints'";
        Blows = "impacts, as printed", "after the sweeps each pair gets one impulse, with its bounce and friction, at \
            the point that is met first, and what overlaps is moved apart: joints answer it a step later (book 8–11). \
            Friction models, slop and what drives overlaps out have no effect then; contacts carry nothing over";
    }
    RestitutionForm {
        Larger = "the larger counts", "the faster of bounce and push-out, above the bounce threshold: neither adds to \
            the other";
        Added = "added, as printed", "the bounce is added to the push-out of a contact that overlaps, without \
            threshold: bounces gain height, resting bodies hop (000)";
    }
    NormalForm {
        Accumulated = "accumulated", "the sum is not negative: a sweep may take back what an earlier one gave too \
            much of";
        Increment = "each sweep's, as printed", "no sweep's impulse is negative: what one gave too much of stays \
            (002, per-iteration clamping)";
    }
    PatchForm {
        LimitSurface = "limit surface", "slide and spin share one bound, that of a disc of even pressure: what spins \
            slides farther, both end together; a line has an arm";
        Ellipsoid = "ellipsoid", "slide and spin share an ellipsoid of force and moment: the common short form, it \
            brakes what spins fast half as much again";
        Disc = "each by itself, as printed", "|λt| ≤ μ Σλn, |λ twist| ≤ μ r_p Σλn with r_p = ⅔ √(area/π): what spins \
            slides no farther, a line has no arm (000)";
        Box = "box, as printed", "each tangent by itself: up to 41 % too strong along the diagonal (000)";
        Generic = "generic rows, as printed", "the tangents among the generic rows, with the infinite bounds of \
            those: what touches sticks (000)";
    }
    RollingForm {
        Pair = "two rows", "about both tangents, at rest too";
        AsPrinted = "one row, as printed", "about the rolling axis of the step's start, left out at rest: what is not \
            rolling begins to (000)";
    }
    PointForm {
        NormalImpulse = "μ λn", "by the sum of the point's normal impulses";
        Weight = "u m g, as printed", "by the bodies' weight in newtons, where newton-seconds are meant, or by the \
            sweep's increment: some sixty times too strong (book 12)";
    }
    RotationForm {
        ExponentialMap = "exponential map", "q' = exp(ω h) q with ω in world axes: exact for a constant spin";
        AsPrinted = "½ q ω, as printed", "q' = q + ½ h q ω: right for ω in the body's axes only, but ω is in world \
            axes";
    }
    AngularSpeedForm {
        Free = "free", "what an impulse gives a body is kept whole";
        AsPrinted = "30 rad/s at most, as printed", "what each impulse leaves above 30 rad/s is cut off: a row that has \
            given too much cannot take it back, and the motion stays (book 8–22)";
    }
    SoftForm {
        Spring = "spring and damper", "k = m ω², c = 2 ζ m ω with the row's own mass";
        AsPrinted = "as printed", "the rigid bias rescaled: the stiffness is β m/h² whatever was asked";
    }
    CarryForm {
        AppliedFirst = "applied first", "the old impulses are applied to the velocities before the first sweep";
        AsPrinted = "deltas cleared, as printed", "the old impulses are kept but the first sweep does not see them: \
            worse than a cold start (001)";
        AnchorsOnly = "anchors alone, as printed", "the impulses of joints' angular rows are forgotten after each \
            step: what bears by its orientation starts from nothing each time (book 18, 20)";
    }
}
