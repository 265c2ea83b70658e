//! The forms in which a constraint can be written: the label of each and its effect. Errors in the printed forms are
//! listed with numbers in docs/errata.md.

use super::ChoiceWords;
use delassus_physics::settings::*;

choice_words! {
    HingeForm {
        CrossProduct = "cross product", "C = t·(aA × aB), two rows: no mirrored rest pose, K never 0";
        TwoAxis = "two-axis", "C = t·aB, two rows: at 90° K = 0, and beyond it they lead to the mirrored pose (000 as \
            printed, book 14)";
        Vector = "vector", "C = 1 − aA·aB, one row along the present lean: J vanishes where the row should hold, so \
            the axis wobbles (book 14, corrected)";
        VectorAsPrinted = "vector, as printed", "C = aA·aB, one row: drives the axes to a right angle";
        Quaternion = "quaternion", "C = 2 u·Im q for two axes u across the hinge, with the exact Jacobian (book 17)";
    }
    OrientationForm {
        WorldAxes = "world axes", "the error as a rotation vector in world axes, the short way round";
        Quaternion = "quaternion", "C = 2 e·Im q for A's three axes, with the exact Jacobian (book 16)";
        AsPrinted = "A's error on world axes", "the error in A's frame is corrected along world axes, whatever its \
            sign: grows once A has turned past 90° (000 as printed)";
    }
    AnchorForm {
        Length = "length, three rows", "C = |p| − L for a rod, three rows for an anchor: J never vanishes";
        Squared = "squared, as printed", "C = p·p − L², one row: for an anchor J vanishes at the solution (book 8)";
    }
    TwistForm {
        TwistRow = "twist row", "along a + b, halfway between the shafts";
        Quaternion = "quaternion", "C = 2 a·Im q with the exact Jacobian; the sides of a pyramid likewise (book 19, \
            20)";
        AsPrinted = "−½ twice, as printed", "the factor −½ applied twice turns the difference of the speeds into \
            their sum";
    }
    LimitForm {
        Accumulated = "accumulated", "the sum of the impulses is clamped: a later sweep may take some of it back; \
            active before the stop is reached";
        Increment = "increment, as printed", "the impulse of each sweep is clamped, and nothing is ever taken back; \
            active only past the stop (book 18)";
    }
    MotorForm {
        Relative = "relative", "the target is the speed of B relative to A, and the locks lie in A's axes";
        AsPrinted = "as printed", "the target is given to both bodies, and world axes are used as if they were A's own";
    }
    ContactForm {
        Rows = "rows", "contacts have rows, which are swept together with those of the joints";
        Blows = "impacts, as printed", "after the sweeps each pair gets one impulse, with bounce and friction, at the \
            point that touches first, and overlapping bodies are moved apart: joints respond a step later (book 8–11). \
            Friction models, slop and the methods against overlaps have no effect then, and contacts carry nothing \
            over";
    }
    RestitutionForm {
        Larger = "the larger counts", "the faster one of bounce and push-out counts, above the bounce threshold: they \
            are not added";
        Added = "added, as printed", "the bounce is added to the push-out of a contact that overlaps, without a \
            threshold: bounces gain height, and resting bodies hop (000)";
    }
    NormalForm {
        Accumulated = "accumulated", "the sum is never negative: a sweep may take back what an earlier one gave in \
            excess";
        Increment = "each sweep, as printed", "the impulse of each sweep is never negative: what a sweep gave in \
            excess stays (002, per-iteration clamping)";
    }
    PatchForm {
        LimitSurface = "limit surface", "slide and spin share one bound, that of a disc under even pressure: a body \
            that spins slides farther, and both motions end together; a line of contact has a lever arm";
        Ellipsoid = "ellipsoid", "slide and spin share an ellipsoid of force and moment, the common simplification: it \
                                  brakes a fast-spinning body by half as much again";
        Disc = "each by itself, as printed", "|λt| ≤ μ Σλn, |λ twist| ≤ μ r_p Σλn with r_p = ⅔ √(area/π): a body that \
            spins slides no farther, and a line of contact has no lever arm (000)";
        Box = "box, as printed", "each tangent has its own bound: up to 41 % too strong along the diagonal (000)";
        Generic = "generic rows, as printed", "the tangents are generic rows, with their infinite bounds: whatever \
            touches sticks (000)";
    }
    RollingForm {
        Pair = "two rows", "about both tangents, at rest as well";
        AsPrinted = "one row, as printed", "about the axis of rolling at the start of the step, and no row at rest: a \
            body at rest begins to roll (000)";
    }
    PointForm {
        NormalImpulse = "μ λn", "by the sum of the point's normal impulses";
        Weight = "u m g, as printed", "by the weight of the bodies in newtons instead of newton-seconds, or by the \
            increment of the sweep: some sixty times too strong (book 12)";
    }
    RotationForm {
        ExponentialMap = "exponential map", "q' = exp(ω h) q with ω in world axes: exact for a constant spin";
        AsPrinted = "½ q ω, as printed", "q' = q + ½ h q ω: right for ω in the body's axes only, but ω is in world \
            axes";
    }
    AngularSpeedForm {
        Free = "free", "bodies keep whatever an impulse gives them";
        AsPrinted = "30 rad/s at most, as printed", "after each impulse, everything above 30 rad/s is cut off: a row \
            that has given too much cannot take it back, and the motion stays (book 8–22)";
    }
    SoftForm {
        Spring = "spring and damper", "k = m ω², c = 2 ζ m ω with the row's own mass";
        AsPrinted = "as printed", "the bias of the rigid row is scaled: the stiffness is β m/h², whatever was set";
    }
    CarryForm {
        AppliedFirst = "applied first", "the old impulses are applied to the velocities before the first sweep";
        AsPrinted = "deltas cleared, as printed", "the old impulses are kept, but the first sweep does not see them: \
            worse than a cold start (001)";
        AnchorsOnly = "anchors only, as printed", "the impulses of the angular rows of joints are dropped after each \
            step: an orientation that carries a load starts from zero each time (book 18, 20)";
    }
}
