//! The settings: the title of each group, and for each setting its label, effect, reason, and source (document and
//! section).

use super::SettingWords;
use delassus_physics::settings::*;

setting_words! {
    step: StepSettings, "Step" {
        rate: "Step rate", "Steps of simulated time per second; h = 1/rate. Errors of free motion shrink with \
            h.", "000 Common notation";
        substeps: "Sub-steps", "Each step is run as this many whole steps of h/n. Often better spent than iterations \
            on stiff chains.", "small steps";
        max_turn: "Divide a whip", "A step of RATTLE in which the arms of a mechanism would turn by more than this (rad, \
            in the mean of its energy), or a single link by more than 0.25 rad, is made in 2, 4 … 64 parts, so that chains \
            that crack like a whip or snap taut stay closed and keep their energy. Among many mechanisms fewer parts, so \
            that no one slows the others down. A mechanism that bears on something is divided where its joints open or a \
            pull lasts; batches, SIMD lanes and the graphics device divide nothing. 0 never.", "docs/stabilization.md";
        gravity: "Gravity", "Acceleration of every dynamic body, world frame, Z up.", "004 ch. 8";
        gyroscopic: "Gyroscopic term", "Torque-free rotation of a body with unequal \
            inertias.", "Euler's equation; Simo and Wong 1991";
    }
    solver: SolverSettings, "Solver" {
        method: "Method", "How the rows are swept each iteration.", "000 Common notation, 001";
        iterations: "Iterations", "Sweeps over all rows in a (sub-)step. Cost grows linearly; the error shrinks by \
            the sweep's spectral radius each time. Where few bodies touch, more may follow: see Extra sweeps.",
            "004 ch. 9";
        rows: "Solved at once", "How many of the joints' rows are solved at once. Contacts iterate around such a \
            block, and so do limits, motors, springs and loops, except with whole mechanisms. Whole joints, trees and \
            mechanisms come before all other rows in a sweep.", "000 Ball-socket; 004 ch. 16; Baraff 1996, linear-time dynamics";
        order: "Sweep order", "In which order Gauss–Seidel takes the joints and contacts. Loads travel one joint a \
            sweep against the order, all the way along it.", "004 ch. 9";
        jacobi: "Jacobi step", "How far a Jacobi sweep goes: stable for ω < 2/n, monotone for ω ≤ 1/n. What each \
            leaves undone is in docs/jacobi.md.", "001";
        relaxation: "Manual ω", "Relaxation of the Jacobi sweep when its step is manual. Above the stable bound the \
            impulses grow without limit.", "001";
        lanes: "Side by side", "Gauss–Seidel solves blocks that share no body, and that nothing before them in the \
            order touches any more, eight at a time. The numbers are the same to the bit; without, the reference runs, \
            one block at a time.", "Anderson and Saad 1989, wavefronts";
        extra: "Extra sweeps", "The most sweeps that a sub-step makes beyond the iterations, while the last one changed \
            a velocity by more than 0.3 m/s² times the sub-step's length. They are made where bodies touch, among at \
            most 125 contacts (a body with joints counts as two), and let a box carry a thousand times its mass. A \
            slender stack takes as many as its height needs. Contacts on small mechanisms are also solved for the mass behind them. 0 switches all of \
            this off. Gauss–Seidel on the processor.", "docs/stabilization.md";
        tolerance: "Tolerance", "Sweeps end early once none of them changes a body's velocity by more than this (m/s, \
            rad/s); 0 runs all iterations.", "Gauss–Seidel";
        threads: "Threads", "By how many threads mechanisms that nothing connects are stepped side by side, and \
            contact points found; 0 is one a core. The result has the same bits for any \
            number.", "docs/architecture.md";
        device: "Device", "What makes the steps. What the graphics device cannot do the processor does, and it is said \
            why. The two differ by rounding: a step by some 1e-6 of its velocities. Runs on two devices do not have the \
            same bits.", "001; docs/gpu.md";
        spectrum_every: "Estimate ρ every", "Estimate the sweep's spectral radius every so many steps, by some sweeps \
            on a copy of the rows; 0 never.", "001, 004 ch. 5";
    }
    warm_start: WarmStartSettings, "Warm starting" {
        enabled: "Warm starting", "Start from the impulses of the step before, applied to the velocities once. Off: \
            every step starts from zero.", "000 Warm starting";
        factor: "Factor", "Share of the old impulse that is used. Below 1 a stale impulse fades, but the solver has \
            to find the rest each step.", "000 Warm starting";
        joints: "Joints too", "Off: joints start each sub-step from zero, and only contacts from their old impulses. Stiff soft \
            joints that are solved row by row then cannot feed on old impulses; they need more sweeps.", "Rapier";
        safeguard: "Only if covered", "Old impulses may add to the energy of connected bodies only what the solves of \
            the last seconds have taken out; beyond that they are scaled down. Sweeps that leave much undone, as \
            Jacobi's under a heavy load, else chase the motion with them and feed it, to any \
            speed.", "docs/growth.md";
        feature_ids: "Match by feature", "A contact point inherits the impulse of the old point made by the same pair \
            of vertices, edges or faces.", "000 Feature-id matching";
        distance: "Match by distance", "A point that no feature matched inherits from the nearest old point within \
            the tolerance.", "000 Distance fallback";
        tolerance: "Match tolerance", "How far apart an old and a new contact point may lie to be taken for the \
            same.", "000 Distance fallback";
        spread: "Spread leftovers", "The impulse of points that vanished is shared evenly among the points that are \
            new.", "000 Unmatched-old spread";
        shallow_clamp: "Shallow clamp", "Scale the impulse carried to a contact by depth / (2 slop), nothing at a \
            gap: a fresh touch is not kicked by an old load.", "000 Shallow-contact clamp";
        patch: "Carry friction", "Friction impulses too are carried, projected on the new tangents. Off: friction \
            starts from zero.", "000 Patch friction";
        rolling: "Rolling by axis", "A rolling impulse is carried by as much as its axis agrees with that about which \
            the body now rolls, and not at all beyond 60°. Off: carried whatever the body \
            does.", "000 Patch friction";
        impulse_cap: "Impulse cap", "No impulse above this (N·s, N·m·s) is carried to the next step, so that an impact \
            does not echo; 0 carries all.", "004 ch. 10.1";
        reset: "Reset on NaN", "An impulse that is not a number is dropped instead of carried. Off: it stays, and \
            blocks its bodies permanently.", "004 ch. 10.1";
    }
    stabilization: StabilizationSettings, "Stabilisation" {
        method: "Method", "How position errors are removed. Baumgarte with full warm starting blows up where a sweep \
            converges too slowly; split impulses never do.", "004 ch. 11";
        contacts: "Contacts' method", "How overlaps are removed, apart from the joints' errors.", "000 Contact";
        beta: "β", "Share of a position error removed in a step: C(n+1) = (1 − β) C(n); by nonlinear Gauss–Seidel, in \
            each position sweep. From 1 on errors overshoot and swing from side to side, from 2 on they no longer \
            shrink and anything added makes them grow. Baumgarte with warm starting is stable only if ρ^iterations < \
            1/(1+β).", "000 Plane, 004 ch. 11, 001";
        joint_slop: "Joint slop", "How far anchors may be apart, and rods too long or short, before this is corrected, \
            so that warm-started impulses can come to rest. Stacks do not notice it: contacts have a slop of their \
            own. Angles have none.", "004 ch. 11.1";
        position_iterations: "Position sweeps", "Sweeps of nonlinear Gauss–Seidel after the step; each removes a \
            share β of every error.", "004 ch. 11, position projection";
        max_correction: "Largest correction", "An error beyond this counts as this much in a position sweep: far from \
            the solution the linearisation is not to be trusted.", "004 ch. 11, position projection";
        rounds: "SHAKE rounds", "How often in a step SHAKE and RATTLE look by how much its straight way leaves the \
            joints' circles: before the sweeps, and between them. Sweeps stay as many. The direct solver solves again \
            until the joints are closed.", "SHAKE";
        geometric_stiffness: "Geometric stiffness", "Makes a light link as inert as the load that it carries makes it \
            stiff, so that heavy loads may swing on light chains at any step. Such links turn and swing more slowly \
            than they would. On rods and ropes it goes with split impulses, which damp what it \
            stirs.", "Tournier et al. 2015; Andrews et al. 2017";
        hertz: "Soft frequency", "Frequency of the springs that soft stabilisation makes of rigid rows. A load sags \
            by g/(2π f)²; half the step rate is as stiff as a step can show.", "000 Soft constraints, soft step";
        damping_ratio: "Soft damping ratio", "Damping of those springs. Well above 1, so that errors creep out \
            without a swing: a share h ω/(2 ζ + h ω) of them a step.", "000 Soft constraints, soft step";
        contact_hertz: "Contact hertz", "Frequency of the springs of soft contacts, if it is to be another than that \
            of joints; 0 takes the soft frequency and damping ratio above.", "soft step";
        contact_damping_ratio: "Contact damping", "Damping of those springs.", "soft step";
        relax: "Relaxing sweeps", "Sweeps with rigid rows once soft ones have moved the poses: they take the speed of \
            the push out again, so that nothing hops.", "soft step";
    }
    contact: ContactSettings, "Contact" {
        enabled: "Collisions", "Whether contacts are looked for.", "004 ch. 12";
        source: "Contact points", "How a pair's contact points are found: a flat face needs three of them at once to \
            stand.", "004 ch. 12–13";
        collide: "Contacts are found", "In each sub-step, or once a step: then the points, normals and levers serve all \
            sub-steps; the gaps follow the bodies, and the points of round bodies roll with them. It saves most of \
            what sub-steps cost where much touches. With one sub-step there is no difference.", "soft step, small steps";
        drift: "Cached point drift", "A point of a growing manifold goes when its two ends have slid apart by this; a \
            new one nearer than this takes an old one's place.", "004 ch. 13";
        mean_first: "Even load first", "Each contact first solves one row in the mean of its points, then the points. A load \
            that presses evenly is then carried evenly. Off: the first point takes it all and tilts the body, and tall \
            stacks begin to sway.", "docs/math.md";
        continuous: "Fast bodies", "Whether and how bodies that go far in a step are kept from passing through \
            others.", "004 ch. 12, 24";
        fast: "Fast from", "A body is fast when it goes farther in a step than this share of half its least \
            thickness; for the time of impact.", "004 ch. 24";
        slop: "Contact slop", "Penetration that is left alone, so that resting contacts stay in touch from step to \
            step. For bodies thinner than 10 cm it shrinks with the thickness of the thinner one of a pair. \
            Joints have a slop of their own.", "000 Contact; docs/math.md";
        prediction: "Prediction", "Contacts are made at gaps up to this, with a bias that lets the bodies close \
            exactly that gap. For bodies thinner than 10 cm it shrinks with the thickness of the thinner one of a \
            pair.", "speculative contacts, 000 Contact; docs/math.md";
        max_push: "Push-out speed", "The highest speed that stabilisation may demand of a penetrating contact.",
            "common practice";
        mix: "Material mix", "How the friction and the restitution of two touching bodies make one value. Rolling \
            takes the larger.", "004 ch. 12";
        restitution: "Restitution", "Apply the materials' restitution.", "000 Contact";
        impacts: "Impacts", "Whether impacts of one step are resolved together or propagated pair by pair. Both keep \
            momentum and, at e = 1, energy; the law of restitution does not say which is right.",
            "Newton's cradle; Smith et al. 2012";
        restitution_threshold: "Bounce threshold", "Slower impacts do not bounce: a resting body is not kept hopping \
            by gravity's step.", "000 Contact";
    }
    friction: FrictionSettings, "Friction" {
        model: "Friction", "Patch friction per manifold against Coulomb friction per contact \
            point.", "000 Friction (patch), 003";
        twist: "Patch twist", "The patch's row about the normal, bound by μ r_p Σλn, r_p the mean distance of the \
            touching points from their centre.", "000 Friction (patch)";
        rolling: "Rolling friction", "Two rows against rolling, bound by the materials' rolling length times \
            Σλn.", "000 Friction (patch)";
        deferred: "Deferred friction", "Where soft contacts relax, friction takes part in the relaxing sweeps only. \
            Friction that answers the push feeds the lean of a tall stack until it falls.", "soft step";
    }
    sleep: SleepSettings, "Sleeping" {
        enabled: "Bodies sleep", "Bodies at rest, with everything that contacts and joints connect to them, are left \
            out of the step until something moves them. They keep their impulses and wake up with them.",
            "docs/math.md";
        speed: "Slow below", "A body is slow while no point of it is faster than this.", "docs/math.md";
        time: "Asleep after", "A mechanism falls asleep once all of its bodies have been slow for so \
            long.", "docs/math.md";
    }
    breaking: BreakingSettings, "Breaking" {
        enabled: "Joints break", "A joint that transmits more than it bears breaks and is removed. Off: joints hold \
            any load.", "004 ch. 10.1";
        force: "Joints bear, force", "What a joint bears that gives no bound of its own; 0 is unlimited.",
            "004 ch. 10.1";
        torque: "Joints bear, torque", "The same for the torque of its angular rows; 0 is unlimited.", "004 ch. 10.1";
    }
    formulation: FormulationSettings, "Formulation" {
        hinge: "Hinge", "How the axes of hinges are kept together, where the joint does not \
            say.", "000 Hinge axis, 004 ch. 14, 17, errata 4, 19";
        orientation: "Orientation lock", "How locks, welds and sliders keep an orientation, where the joint does not \
            say.", "000 Orientation lock, 004 ch. 16, erratum 1";
        anchor: "Anchors and rods", "How anchors are kept together and rods at their length. Squared, an error of p \
            counts as p²: a slop of 0.01 is 0.1 m of play.", "004 ch. 6, 8, erratum 13";
        constant_velocity: "Constant velocity", "How a constant velocity joint keeps its two shafts at one \
            speed.", "004 ch. 19–20, erratum 15";
        limit: "Stops", "How the rows of stops are bounded. The direct solver always bounds the \
            sum.", "004 ch. 18, erratum 18";
        angular_stabilization: "Stabilise angles", "Take out errors of orientation as well as of position. The book \
            takes out those of its anchor alone.", "004 ch. 16–20, erratum 18";
        motor: "Rotary motor", "What a rotary motor's target speed means, and in whose axes its locks \
            lie.", "004 ch. 22, erratum 16";
        rotation: "Rotation step", "How orientations are advanced by the angular velocity.", "001, erratum 10";
        angular_speed: "Angular speed", "How fast an impulse may leave a body turning. Of no effect on Jacobi's \
            sweeps, the direct solver and rows that are solved as whole joints or trees, except for old impulses and \
            impacts.", "004 ch. 8–22, erratum 34";
        contact: "Contacts", "Whether what touches makes rows among those of the joints, or is answered by impacts \
            after the sweeps.", "004 ch. 8–12, erratum 33";
        restitution: "Bounce", "How a contact's bounce and its push-out make one bias.", "000 Contact, erratum 5";
        normal: "Normals", "Which normal impulse must not be negative. The direct solver always bounds the \
            sum.", "002, erratum 18";
        patch: "Patch bounds", "How the tangents and the twist of patch friction are bound. The direct solver takes a \
            disc where a box or nothing is asked for.", "000 Friction (patch), errata 7, 8";
        rolling: "Rolling rows", "About which axes rolling friction acts, and \
            when.", "000 Friction (patch), erratum 8";
        point: "Friction at a point", "What bounds the friction at a contact point, for the models Coulomb and \
            pyramid. The direct solver always takes the normal impulse.", "004 ch. 12, erratum 14";
        soft: "Soft rows", "What a spring's frequency and damping ratio make of its \
            row.", "000 Soft constraints, erratum 2";
        carry: "Old impulses", "How warm starting brings the old impulses in, and \
            which.", "000 Warm starting, 001, 004 ch. 18, 20, errata 10, 18";
    }
}
