//! The settings: the title of each group, and for each setting its label, effect, reason, and source (document and
//! section).

use super::SettingWords;
use delassus_physics::settings::*;

setting_words! {
    step: StepSettings, "Step" {
        rate: "Step rate", "Steps of simulated time per second; h = 1/rate. Errors of free motion shrink with \
            h.", "000 Common notation";
        substeps: "Sub-steps", "Each step is made as this many smaller steps of h/n. On stiff chains they often help \
            more than iterations.", "small steps";
        max_turn: "Largest turn", "With RATTLE, a step is made in 2, 4 … 256 parts if the arms of a mechanism would \
            turn by more than this in it (rad, weighted by their energy), or a single link by more than 0.25 rad. \
            Chains that crack like a whip or snap taut then stay closed and keep their energy. Among many mechanisms \
            there are fewer parts, so that none of them slows the others down. A mechanism in contact with something \
            is divided where its joints open or a pull lasts. Batches, SIMD lanes and the graphics device divide no \
            steps. 0: never.", "docs/stabilization.md";
        gravity: "Gravity", "The acceleration of every dynamic body, in the world frame. Z is up.", "004 ch. 8";
        gyroscopic: "Gyroscopic term", "How the angular velocity of a body with unequal inertias changes without a \
            torque.", "Euler's equation; Simo and Wong 1991";
    }
    solver: SolverSettings, "Solver" {
        method: "Method", "How the rows are solved in each iteration.", "000 Common notation, 001";
        iterations: "Iterations", "Sweeps over all rows in a step or sub-step. The cost grows in proportion. Each \
            sweep multiplies the error by its spectral radius. Where few bodies touch, more sweeps may follow: see \
            Extra sweeps.",
            "004 ch. 9";
        rows: "Solved at once", "How many rows of the joints are solved together, as one block. Contacts are swept in \
            turn with these blocks, and so are limits, motors, springs and loops, except with whole mechanisms. Whole \
            joints, trees and mechanisms come before all other rows in a \
            sweep.", "000 Ball-socket; 004 ch. 16; Baraff 1996, linear-time dynamics";
        order: "Sweep order", "The order in which Gauss–Seidel solves the joints and contacts. A load that travels in \
            this order passes all joints in one sweep. Against the order, it passes one joint per sweep.", "004 ch. 9";
        jacobi: "Jacobi step", "How far a Jacobi sweep goes. It is stable for ω < 2/n and monotone for ω ≤ 1/n. \
            docs/jacobi.md lists the errors that each choice leaves.", "001";
        relaxation: "Manual ω", "Relaxation of the Jacobi sweep when its step is manual. Above the stable bound the \
            impulses grow without limit.", "001";
        stiffening: "Stiffening", "How fast the penalty of a row grows under AVBD: for each metre, or radian, of error \
            left by an iteration, by so many effective masses of the row over h². Long chains and heavy loads need \
            stiff rows; rows that are too stiff for the number of iterations hold bodies back from moving together. \
            At zero the penalties stay at one effective mass.", "Giles, Diaz and Yuksel 2025";
        lanes: "Side by side", "Gauss–Seidel solves eight blocks at a time if they share no body, and if no block \
            before them in the order is still to change their bodies. The numbers are the same to the bit. Off: the \
            reference, one block at a time.", "Anderson and Saad 1989, wavefronts";
        extra: "Extra sweeps", "The most sweeps that a sub-step adds to the iterations. A sweep is added as long as \
            the last one changed a velocity by more than 0.3 m/s² times the length of the sub-step. This is done where \
            bodies touch, among at most 125 contacts (a body with joints counts as two). A box can then carry a \
            thousand times its mass, and a slender stack gets as many sweeps as its height needs. Contacts on small \
            mechanisms are also solved for the mass behind them. 0 switches all of this off. Only for Gauss–Seidel on \
            the processor.", "docs/stabilization.md";
        tolerance: "Tolerance", "Sweeping ends early when a sweep changes no body's velocity by more than this (m/s, \
            rad/s). 0: all iterations are made.", "Gauss–Seidel";
        threads: "Threads", "The number of threads that step unconnected mechanisms side by side and find contact \
            points. 0: one per core. The result has the same bits for any number.", "docs/architecture.md";
        device: "Device", "What makes the steps. The processor does what the graphics device cannot do, and the reason \
            is shown. The two differ by rounding: by some 1e-6 of the velocities in a step. Runs on two devices do not \
            have the same bits.", "001; docs/gpu.md";
        spectrum_every: "Estimate ρ every", "How often, in steps, the spectral radius of a sweep is estimated, by some \
            sweeps on a copy of the rows. 0: never.", "001, 004 ch. 5";
    }
    warm_start: WarmStartSettings, "Warm starting" {
        enabled: "Warm starting", "Start from the impulses of the step before. They are applied to the velocities \
            once. Off: every step starts from zero.", "000 Warm starting";
        factor: "Factor", "The share of the old impulse that is used. Below 1 an outdated impulse fades, but the \
            solver has to find the rest in each step.", "000 Warm starting";
        joints: "Joints too", "Off: joints start each sub-step from zero, and only contacts start from their old \
            impulses. Then old impulses cannot feed energy into stiff soft joints that are solved row by row. But \
            these joints need more sweeps.", "Rapier";
        safeguard: "Energy limit", "Old impulses may add no more energy to connected bodies than the solves of the \
            last seconds have removed. Beyond that they are scaled down. Otherwise, old impulses can feed the motion \
            without limit if the sweeps leave large errors, as Jacobi sweeps do under a heavy load.", "docs/growth.md";
        feature_ids: "Match by feature", "A contact point inherits the impulse of the old point made by the same pair \
            of vertices, edges or faces.", "000 Feature-id matching";
        distance: "Match by distance", "A point that no feature matched inherits the impulse of the nearest old point \
            within the tolerance.", "000 Distance fallback";
        tolerance: "Match tolerance", "How far apart an old and a new contact point may be to count as the same \
            point.", "000 Distance fallback";
        spread: "Share lost impulse", "The impulse of points that vanished is shared evenly among the new \
            points.", "000 Unmatched-old spread";
        shallow_clamp: "Shallow clamp", "Scale the impulse that is carried to a contact by depth / (2 slop), and to \
            zero at a gap. An old load then gives no kick to a fresh touch.", "000 Shallow-contact clamp";
        patch: "Carry friction", "Friction impulses are carried over as well, projected on the new tangents. Off: \
            friction starts from zero.", "000 Patch friction";
        rolling: "Rolling by axis", "A rolling impulse is carried over by as much as its axis agrees with the axis \
            about which the body rolls now, and not at all beyond 60°. Off: it is always carried \
            over.", "000 Patch friction";
        impulse_cap: "Impulse cap", "No impulse above this (N·s, N·m·s) is carried to the next step, so that an impact \
            does not act again. 0: no limit.", "004 ch. 10.1";
        reset: "Reset on NaN", "An impulse that is not a number is dropped instead of carried. Off: it stays, and \
            blocks its bodies permanently.", "004 ch. 10.1";
    }
    stabilization: StabilizationSettings, "Stabilisation" {
        method: "Method", "How position errors are removed. Baumgarte with full warm starting blows up if the sweeps \
            converge too slowly. Split impulses never do.", "004 ch. 11";
        contacts: "Contact method", "How overlaps of contacts are removed. Joints have a method of their \
            own.", "000 Contact";
        beta: "β", "The share of a position error that each step removes: C(n+1) = (1 − β) C(n). With nonlinear \
            Gauss–Seidel, each position sweep removes this share. Above 1 the errors overshoot and change sign in each \
            step. From 2 on they no longer shrink, and anything added makes them grow. Baumgarte with warm starting is \
            stable only if ρ^iterations < 1/(1+β).", "000 Plane, 004 ch. 11, 001";
        joint_slop: "Joint slop", "The gap of anchors, and the length error of rods, that is not corrected. \
            Warm-started impulses can then come to rest. It has no effect on stacks, because contacts have a slop of \
            their own. Angles have none.", "004 ch. 11.1";
        position_iterations: "Position sweeps", "Sweeps of nonlinear Gauss–Seidel after the step. Each removes a share \
            β of every error.", "004 ch. 11, position projection";
        max_correction: "Largest correction", "A position sweep treats a larger error as if it had this size, because \
            the linearisation cannot be trusted far from the solution.", "004 ch. 11, position projection";
        rounds: "SHAKE rounds", "How often in a step SHAKE and RATTLE measure how far its straight path leaves the \
            circles of the joints: before the sweeps, and between them. The number of sweeps stays the same. The \
            direct solver solves again until the joints are closed.", "SHAKE";
        geometric_stiffness: "Geometric stiffness", "Gives a light link more inertia, to match the stiffness that its \
            load causes. Heavy loads can then swing on light chains at any step. Such links turn and swing more slowly \
            than they should. For rods and ropes, use it with split impulses, which damp the motions that it \
            excites.", "Tournier et al. 2015; Andrews et al. 2017";
        hertz: "Soft frequency", "The frequency of the springs that soft stabilisation makes of rigid rows. A load \
            sags by g/(2π f)². Half the step rate is the stiffest spring that a step can \
            follow.", "000 Soft constraints, soft step";
        damping_ratio: "Soft damping ratio", "The damping ratio of the springs of soft stabilisation. It is well above \
            1, so that errors decay without a swing: by a share h ω/(2 ζ + h ω) per \
            step.", "000 Soft constraints, soft step";
        contact_hertz: "Contact frequency", "The frequency of the springs of soft contacts, if it should differ from \
            that of joints. 0: the soft frequency and damping ratio of the joints.", "soft step";
        contact_damping_ratio: "Contact damping", "The damping ratio of the springs of soft contacts.", "soft step";
        relax: "Relaxing sweeps", "Sweeps with rigid rows, after soft ones have moved the bodies. They remove the \
            speed of the push again, so that nothing hops.", "soft step";
    }
    contact: ContactSettings, "Contact" {
        enabled: "Collisions", "Whether bodies collide.", "004 ch. 12";
        source: "Contact points", "How the contact points of a pair are found. A flat face needs three points at once \
            to stand.", "004 ch. 12–13";
        collide: "Contacts are found", "In each sub-step, or once per step. If they are found once, the points, \
            normals and lever arms serve all sub-steps. The gaps follow the bodies, the points of round bodies roll \
            with them, and those of bodies that turn together turn with both. While a normal turns fast, as under a \
            wheel on a bump, all points are found in each sub-step. This saves most of the cost of sub-steps where many \
            bodies touch. With one sub-step there is no difference.", "soft step, small steps";
        drift: "Cached point drift", "A point of a growing manifold is dropped when its two ends have slid apart by \
            this much. A new point that is nearer than this to an old one replaces it.", "004 ch. 13";
        mean_first: "Even load first", "Each contact first solves one row at the mean of its points, and then the \
            points. An even load is then carried evenly. Off: the first point takes the whole load and tilts the body, \
            and tall stacks begin to sway.", "docs/math.md";
        continuous: "Fast bodies", "Whether fast bodies are kept from passing through others, and \
            how.", "004 ch. 12, 24";
        fast: "Fast from", "For the time of impact: a body is fast if it moves farther in a step than this share of \
            half its smallest thickness.", "004 ch. 24";
        slop: "Contact slop", "The penetration that is not corrected, so that resting contacts stay in touch from step \
            to step. For bodies thinner than 10 cm it shrinks with the thickness of the thinner one of a pair. Joints \
            have a slop of their own.", "000 Contact; docs/math.md";
        prediction: "Prediction", "Contacts are made at gaps up to this, with a bias that lets the bodies close \
            exactly that gap. For bodies thinner than 10 cm it shrinks with the thickness of the thinner one of a \
            pair.", "speculative contacts, 000 Contact; docs/math.md";
        max_push: "Push-out speed", "The highest speed at which stabilisation may push penetrating bodies apart.",
            "common practice";
        mix: "Material mix", "How the friction and the restitution of two touching bodies are combined. The default is \
            the geometric mean: where one of them is 0, the other has no effect. For rolling friction, the larger value \
            counts.", "004 ch. 12";
        restitution: "Restitution", "Apply the materials' restitution.", "000 Contact";
        impacts: "Impacts", "Whether the impacts of a step are solved together or passed on pair by pair. Both \
            conserve momentum and, at e = 1, energy. The law of restitution does not say which is right.",
            "Newton's cradle; Smith et al. 2012";
        restitution_threshold: "Bounce threshold", "Slower impacts do not bounce. Otherwise the speed that gravity \
            adds in each step would keep resting bodies hopping.", "000 Contact";
    }
    friction: FrictionSettings, "Friction" {
        model: "Friction", "Patch friction per manifold, or Coulomb friction per contact \
            point, clamped or solved exactly.", "000 Friction (patch), 003";
        under_load: "Under the load", "Where a patch slips, its friction acts at the mean of the touching points, each \
            weighted by what it carried in the last step. Off: at their plain mean. A crate whose mass centre lies \
            aside then turns as it slides.", "derived here";
        twist: "Patch twist", "The patch's row about the normal. Its bound is μ r_p Σλn, where r_p is the mean \
            distance of the touching points from their centre.", "000 Friction (patch)";
        rolling: "Rolling friction", "Two rows against rolling. Their bound is the rolling length of the materials \
            times Σλn.", "000 Friction (patch)";
        deferred: "Deferred friction", "With relaxing sweeps, the friction of soft contacts takes part in these sweeps \
            only. Friction that responds to the push tilts a tall stack further and further, until it \
            falls.", "soft step";
    }
    sleep: SleepSettings, "Sleeping" {
        enabled: "Bodies sleep", "Bodies at rest, and everything that contacts and joints connect to them, are left \
            out of the step until something moves them. They keep their impulses and start from them when they wake \
            up.",
            "docs/math.md";
        speed: "Slow below", "A body is slow while no point of it moves faster than this.", "docs/math.md";
        time: "Asleep after", "A mechanism falls asleep when all of its bodies have been slow for this \
            time.", "docs/math.md";
    }
    breaking: BreakingSettings, "Breaking" {
        enabled: "Joints break", "A joint that transmits more than it can bear breaks and is removed. Off: joints hold \
            any load.", "004 ch. 10.1";
        force: "Breaking force", "The force that a joint can bear if it has no strength of its own. 0: unlimited.",
            "004 ch. 10.1";
        torque: "Breaking torque", "The torque that the angular rows of a joint can bear if it has no strength of its \
            own. 0: unlimited.", "004 ch. 10.1";
    }
    formulation: FormulationSettings, "Formulation" {
        hinge: "Hinge", "How the axes of hinges are kept together, unless the joint says \
            otherwise.", "000 Hinge axis, 004 ch. 14, 17, errata 4, 19";
        orientation: "Orientation lock", "How locks, welds and sliders keep an orientation, unless the joint says \
            otherwise.", "000 Orientation lock, 004 ch. 16, erratum 1";
        anchor: "Anchors and rods", "How anchors are kept together and rods keep their length. In the squared form, an \
            error of p counts as p², so a slop of 0.01 is 0.1 m of play.", "004 ch. 6, 8, erratum 13";
        constant_velocity: "Constant velocity", "How a constant velocity joint keeps its two shafts at the same \
            speed.", "004 ch. 19–20, erratum 15";
        limit: "Stops", "How the rows of stops are bounded. The direct solver always bounds the \
            sum.", "004 ch. 18, erratum 18";
        angular_stabilization: "Stabilise angles", "Correct errors of orientation as well as of position. The book \
            corrects only those of its anchors.", "004 ch. 16–20, erratum 18";
        motor: "Rotary motor", "What a rotary motor's target speed means, and in whose axes its locks \
            lie.", "004 ch. 22, erratum 16";
        rotation: "Rotation step", "How orientations are advanced by the angular velocity.", "001, erratum 10";
        angular_speed: "Angular speed", "The highest angular speed that an impulse may leave. It has no effect on \
            Jacobi sweeps, on the direct solver, and on rows that are solved as whole joints or trees, except for old \
            impulses and impacts.", "004 ch. 8–22, erratum 34";
        contact: "Contacts", "Whether contacts are rows like those of the joints, or are solved as impacts after the \
            sweeps.", "004 ch. 8–12, erratum 33";
        restitution: "Bounce", "How the bounce and the push-out of a contact are combined into one \
            bias.", "000 Contact, erratum 5";
        normal: "Normals", "Which normal impulse must not be negative. The direct solver always bounds the \
            sum.", "002, erratum 18";
        patch: "Patch bounds", "How the tangents and the twist of patch friction are bounded. The direct solver uses a \
            disc where a box or no bound is chosen.", "000 Friction (patch), errata 7, 8";
        rolling: "Rolling rows", "About which axes rolling friction acts, and \
            when.", "000 Friction (patch), erratum 8";
        point: "Friction at a point", "What bounds the friction at a contact point, for the models Coulomb and \
            pyramid. The direct solver always uses the normal impulse.", "004 ch. 12, erratum 14";
        soft: "Soft rows", "How a row follows from the frequency and the damping ratio of its \
            spring.", "000 Soft constraints, erratum 2";
        carry: "Old impulses", "How warm starting applies the old impulses, and which of \
            them.", "000 Warm starting, 001, 004 ch. 18, 20, errata 10, 18";
    }
}
