//! Every setting of the simulation: its name, unit, range, default and why it is there, in this one place. The
//! window's switches, the command line's `--set`, the scene file's `settings:` and the reference printed by
//! `delassus settings` all read this list; adding a setting is adding a line here and using the field.

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub use super::formulation::*;
use super::setting::{Choice, Domain, Setting, SettingValue, Value};

choice! {
    /// How the rows are swept.
    Method {
        GaussSeidel = "Gauss–Seidel", "each row sees the velocities that the rows before it have just changed (sequential impulses); adds no energy but by Baumgarte or soft stabilisation (docs/growth.md)";
        Jacobi = "Jacobi", "every row sees the velocities of the sweep's start; order does not matter, convergence is slower: of a cantilever's moment ten sweeps miss 62 %, where Gauss–Seidel misses 0.8 % (docs/jacobi.md). Adds no energy but by Baumgarte, soft stabilisation or a manual ω";
        Direct = "direct", "joints solved exactly, contacts and limits by Newton's method, of many right forces the least: the truth to measure the sweeps against, slow. Baumgarte under a heavy load blows up here, too: what no step can follow no solver holds (docs/growth.md)";
    }
}
choice! {
    /// In which order a Gauss–Seidel sweep takes the blocks: joints in the scene's order, then contacts by bodies.
    Order {
        Forward = "forward", "first to last in every sweep";
        Backward = "backward", "last to first in every sweep";
        Alternating = "alternating", "forward and backward in turn: the two ends of a sweep differ, so warm-started impulses never quite settle (the pyramid of 20 falls)";
        Shuffled = "shuffled", "a new order each sweep, the same in every run";
        Coloured = "coloured", "contacts and joints that share no body come together, colour after colour: an order in which a colour may be solved all at once";
    }
}
choice! {
    /// How far a Jacobi sweep goes along its correction.
    JacobiStep {
        Stable = "1/n (stable)", "ω = 1/n, n the most blocks that meet at one body: never overshoots. At 10 sweeps a block tips 8 % early, stops give by 10°, a stack of eight sways by 12 cm; at 40 by 0.1 %, 3.3° and 1 mm; a cantilever's moment misses 62 and 28 %";
        MassSplitting = "mass splitting", "each block sees only its share of a body's mass; safe at ω = 1, and faster where one busy body would slow down all others; for a cantilever, a stack, stops in a row the same as 1/n to a hundredth";
        Conjugate = "conjugate directions", "mass splitting, and after each sweep the impulses go on along the way that they have come: slow modes need about the root of the sweeps. At 10 a block tips 0.1 % early, stops give by 6°, a cantilever's moment misses 57 %; at 40 stops give by 0.1°, the moment misses 1.3 %";
        Manual = "manual ω", "ω as set below, past the stable bound too: watch it blow up, and why";
    }
}
choice! {
    /// How many of the joints' rows are solved at once.
    RowSolve {
        Scalar = "scalar rows", "one row after the other, as the derivations write them";
        Block = "anchor, 3×3", "an anchor's three rows are solved together: exact for one ball joint, faster to converge";
        Joint = "whole joint", "all equality rows of a joint are solved together: a weld's six, a hinge's five";
        Tree = "whole tree", "all equality rows of a tree of joints are solved together, from its leaves: exact in one sweep for what has no loops, limits, motors or contacts, whatever its length and mass ratios";
    }
}
choice! {
    /// How position errors are driven out.
    Stabilization {
        Off = "none", "velocities only: errors drift (book, fig. 11); adds no energy, whatever the solver";
        Baumgarte = "Baumgarte", "a share β of the error is fed back as a velocity each step; it adds energy, and warm starting keeps it: not bounded, see docs/growth.md";
        Split = "split impulse", "a share β of the error is taken out by velocities of its own, which move the poses and are forgotten; adds no energy under any sweep, but for what it lifts";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves, each joint and contact linearised anew where it stands; adds no energy under any sweep, but for what it lifts";
        Soft = "soft", "rigid rows become stiff springs with dampers, as in soft-step solvers: errors and impacts are met gently, loads sag a little; bounded in practice, not by proof: solved directly, rods and ropes under a hundred times their mass gain energy unless there are two sub-steps or geometric stiffness (docs/growth.md)";
        Shake = "SHAKE", "the joints' impulses are those that close the joints at the step's end, found while the sweeps go on: momentum is kept exactly and no rotation is drained; under loads of a hundred to one that the sweeps let fall it may gain a bounded share of energy: docs/growth.md";
        Rattle = "RATTLE", "SHAKE, with velocities that agree with the joints at the step's end: second order, energy kept best; costs one more solve a step; may gain energy where SHAKE does";
    }
}
choice! {
    /// How position errors of contacts are driven out.
    ContactStabilization {
        AsJoints = "as joints", "by the method of the joints; split impulses where that is SHAKE or RATTLE, which know joints only";
        Off = "none", "velocities only: what overlaps stays so";
        Baumgarte = "Baumgarte", "a share β of an overlap is fed back as a velocity each step";
        Split = "split impulse", "a share β of an overlap is taken out by velocities of its own";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves";
        Soft = "soft", "contacts give way as stiff springs with dampers";
    }
}
choice! {
    /// Where the safeguard of warm starting acts.
    Safeguard {
        Off = "off", "old impulses are carried on whatever they do";
        Usual = "but for Baumgarte", "not where a setting is there to show how it blows up (Baumgarte, a manual ω, stops as printed), nor for SHAKE and RATTLE, which close the joints by the impulses";
        Always = "always", "with these, too; what they are to show does not come about";
    }
}
choice! {
    /// How friction is modelled on a contact manifold.
    FrictionModel {
        Patch = "patch", "two tangents at the manifold's centre, a twist row about the normal and rolling; bound by the sum of the normal impulses";
        Coulomb = "Coulomb", "a cone at each contact point, bound by that point's normal impulse";
        Pyramid = "pyramid", "a box at each contact point: each tangent bound by itself, up to 41 % too strong along the diagonal";
        Off = "none", "no friction";
    }
}
choice! {
    /// Where a pair's contact points come from.
    ContactSource {
        Full = "full manifold", "all points at once, up to four, known from step to step by the features that touch";
        Growing = "growing manifold", "one GJK point a step joins those of the steps before, up to four; points that have drifted or parted go (book, fig. 13–14)";
        Single = "one point", "the one point that GJK finds, anew each step (book, fig. 12)";
    }
}
choice! {
    /// What keeps fast bodies from passing through others between two steps.
    Continuous {
        Off = "none", "contacts are seen within the prediction only: what goes farther in a step than it is thick passes through walls";
        Speculative = "speculative", "contacts are made as far ahead as the bodies may close in the step: cheap; ghosts beside edges, and bounces that come early. What would turn or pass into something immovable nevertheless is stopped there";
        TimeOfImpact = "time of impact", "fast bodies are stopped where they first touch, and collide in the next step";
    }
}
choice! {
    /// How the blows of a step are resolved.
    Impacts {
        Simultaneous = "simultaneous", "all that is hit in a step leaves at e times its speed at once: of a row of equal balls the first rebounds and the others go on together";
        Propagate = "pair by pair", "each pair takes its blow alone, and passes it on, until none approaches: of a row of equal balls the last one flies off; joints give way between the blows";
    }
}
choice! {
    /// How the materials of two bodies make one.
    Mix {
        Mean = "geometric mean", "√(a b): two equal surfaces keep their value";
        Product = "product", "a b, as the book does";
        Least = "least", "the smaller of the two";
        Most = "most", "the larger of the two";
    }
}
choice! {
    /// The gyroscopic term of free rotation.
    Gyroscopic {
        Off = "none", "angular velocity is kept; no tumbling of unequal inertias";
        Midpoint = "midpoint", "Euler's equation at the step's middle: a free body keeps its energy and its angular momentum, size and direction";
        Implicit = "implicit", "one Newton step of Euler's equation at the step's end: a tumbling body slows down (by a third of its energy in a minute at 60 Hz)";
    }
}

settings! {
    step: StepSettings, StepPatch, "Step" {
        rate: f32 = 60.0, "Step rate", "Hz", Domain::real(10.0, 2000.0),
            "Steps of simulated time per second; h = 1/rate. Errors of free motion shrink with h.", "000 Common notation";
        substeps: u32 = 1, "Sub-steps", "", Domain::integer(1, 64),
            "Each step is run as this many whole steps of h/n. Often better spent than iterations on stiff chains.", "small steps";
        gravity: Vec3 = Vec3::new(0.0, 0.0, -9.81), "Gravity", "m/s²", Domain::vector(1000.0),
            "Acceleration of every dynamic body, world frame, Z up.", "004 ch. 8";
        gyroscopic: Gyroscopic = Gyroscopic::Midpoint, "Gyroscopic term", "", Domain::choice(Gyroscopic::INFO),
            "Torque-free rotation of a body with unequal inertias.", "Euler's equation; Simo and Wong 1991";
    }
    solver: SolverSettings, SolverPatch, "Solver" {
        method: Method = Method::GaussSeidel, "Method", "", Domain::choice(Method::INFO),
            "How the rows are swept each iteration.", "000 Common notation, 001";
        iterations: u32 = 10, "Iterations", "", Domain::integer(0, 1000),
            "Sweeps over all rows in a (sub-)step. Cost grows linearly; the error shrinks by the sweep's spectral radius each time.", "004 ch. 9";
        rows: RowSolve = RowSolve::Block, "Solved at once", "", Domain::choice(RowSolve::INFO),
            "How many of the joints' rows are solved at once. Limits, motors, springs, contacts and joints that close a loop iterate around such a block. Whole joints and trees come before all other rows in a sweep.", "000 Ball-socket; Baraff 1996, linear-time dynamics";
        order: Order = Order::Forward, "Sweep order", "", Domain::choice(Order::INFO),
            "In which order Gauss–Seidel takes the joints and contacts. Loads travel one joint a sweep against the order, all the way along it.", "004 ch. 9";
        jacobi: JacobiStep = JacobiStep::Stable, "Jacobi step", "", Domain::choice(JacobiStep::INFO),
            "How far a Jacobi sweep goes: stable for ω < 2/n, monotone for ω ≤ 1/n. What each leaves undone is in docs/jacobi.md.", "001";
        relaxation: f32 = 0.5, "Manual ω", "", Domain::real(0.01, 2.0),
            "Relaxation of the Jacobi sweep when its step is manual. Above the stable bound the impulses grow without limit.", "001";
        lanes: bool = true, "Side by side", "", Domain::Switch,
            "Gauss–Seidel solves blocks that share no body, and that nothing before them in the order touches any more, four at a time. The numbers are the same to the bit; without, the reference runs, one block at a time.", "Anderson and Saad 1989, wavefronts";
        tolerance: f32 = 0.0, "Tolerance", "m/s", Domain::real(0.0, 1.0),
            "Sweeps end early once none of them changes a body's velocity by more than this (m/s, rad/s); 0 runs all iterations.", "Gauss–Seidel";
        threads: u32 = 0, "Threads", "", Domain::integer(0, 256),
            "By how many threads mechanisms that nothing connects are stepped side by side, and contact points found; 0 is one a core. The result has the same bits for any number.", "docs/architecture.md";
        spectrum_every: u32 = 0, "Estimate ρ every", "steps", Domain::integer(0, 1000),
            "Estimate the sweep's spectral radius every so many steps, by some sweeps on a copy of the rows; 0 never.", "001, 004 ch. 5";
    }
    warm_start: WarmStartSettings, WarmStartPatch, "Warm starting" {
        enabled: bool = true, "Warm starting", "", Domain::Switch,
            "Start from the impulses of the step before, applied to the velocities once. Off: every step starts from zero.", "000 Warm starting";
        factor: f32 = 1.0, "Factor", "", Domain::real(0.0, 1.0),
            "Share of the old impulse that is used. Below 1 a stale impulse fades, but the solver has to find the rest each step.", "000 Warm starting";
        safeguard: Safeguard = Safeguard::Usual, "Only if covered", "", Domain::choice(Safeguard::INFO),
            "Old impulses may add to the energy of connected bodies only what the solves of the last seconds have taken out; beyond that they are scaled down. Sweeps that leave much undone, as Jacobi's under a heavy load, else chase the motion with them and feed it, to any speed.", "docs/growth.md";
        feature_ids: bool = true, "Match by feature", "", Domain::Switch,
            "A contact point inherits the impulse of the old point made by the same pair of vertices, edges or faces.", "000 Feature-id matching";
        distance: bool = true, "Match by distance", "", Domain::Switch,
            "A point that no feature matched inherits from the nearest old point within the tolerance.", "000 Distance fallback";
        tolerance: f32 = 0.05, "Match tolerance", "m", Domain::real(0.0, 1.0),
            "How far apart an old and a new contact point may lie to be taken for the same.", "000 Distance fallback";
        spread: bool = true, "Spread leftovers", "", Domain::Switch,
            "The impulse of points that vanished is shared evenly among the points that are new.", "000 Unmatched-old spread";
        shallow_clamp: bool = false, "Shallow clamp", "", Domain::Switch,
            "Scale the impulse carried to a contact by depth / (2 slop), nothing at a gap: a fresh touch is not kicked by an old load.", "000 Shallow-contact clamp";
        patch: bool = true, "Carry friction", "", Domain::Switch,
            "Friction impulses too are carried, projected on the new tangents. Off: friction starts from zero.", "000 Patch friction";
        rolling: bool = true, "Rolling by axis", "", Domain::Switch,
            "A rolling impulse is carried by as much as its axis agrees with that about which the body now rolls, and not at all beyond 60°. Off: carried whatever the body does.", "000 Patch friction";
        impulse_cap: f32 = 0.0, "Impulse cap", "N s", Domain::real(0.0, 1000000.0),
            "No impulse above this (N·s, N·m·s) is carried to the next step, so that a blow does not echo; 0 carries all.", "004 ch. 10.1";
        reset: bool = true, "Reset on NaN", "", Domain::Switch,
            "An impulse that is not a number is forgotten instead of carried. Off: it stays, and holds its bodies for ever.", "004 ch. 10.1";
    }
    stabilization: StabilizationSettings, StabilizationPatch, "Stabilisation" {
        method: Stabilization = Stabilization::Split, "Method", "", Domain::choice(Stabilization::INFO),
            "How position errors are driven out. Baumgarte with full warm starting blows up where a sweep converges too slowly; split impulses never do.", "004 ch. 11";
        contacts: ContactStabilization = ContactStabilization::AsJoints, "Contacts' method", "", Domain::choice(ContactStabilization::INFO),
            "How overlaps are driven out, apart from the joints' errors.", "000 Contact";
        beta: f32 = 0.2, "β", "", Domain::real(0.0, 2.0),
            "Share of a position error removed in a step: C(n+1) = (1 − β) C(n); by nonlinear Gauss–Seidel, in each position sweep. From 1 on errors overshoot and swing from side to side, from 2 on they do not shrink any more and whatever is added makes them grow. Baumgarte with warm starting is stable only if ρ^iterations < 1/(1+β).", "000 Plane, 004 ch. 11, 001";
        joint_slop: f32 = 0.0, "Joint slop", "m", Domain::real(0.0, 0.2),
            "How far anchors may be apart, and rods too long or short, before anything is done about it, so that warm-started impulses can come to rest. Stacks do not notice it: contacts have a slop of their own. Angles have none.", "004 ch. 11.1";
        position_iterations: u32 = 4, "Position sweeps", "", Domain::integer(0, 100),
            "Sweeps of nonlinear Gauss–Seidel after the step; each removes a share β of every error.", "004 ch. 11, position projection";
        max_correction: f32 = 0.2, "Largest correction", "m", Domain::real(0.001, 10.0),
            "An error beyond this counts as this much in a position sweep: far from the solution the linearisation is not to be trusted.", "004 ch. 11, position projection";
        rounds: u32 = 3, "SHAKE rounds", "", Domain::integer(1, 50),
            "How often in a step SHAKE and RATTLE look by how much its straight way leaves the joints' circles: before the sweeps, and between them. Sweeps stay as many. The direct solver solves again until the joints are closed.", "SHAKE";
        geometric_stiffness: bool = false, "Geometric stiffness", "", Domain::Switch,
            "Makes a light link as inert as the load that it carries makes it stiff, so that heavy loads may swing on light chains at any step. Such links turn and swing more slowly than they would. On rods and ropes it goes with split impulses, which damp what it stirs.", "Tournier et al. 2015; Andrews et al. 2017";
        hertz: f32 = 30.0, "Soft frequency", "Hz", Domain::real(0.1, 10000.0),
            "Frequency of the springs that soft stabilisation makes of rigid rows. A load sags by g/(2π f)²; half the step rate is as stiff as a step can show.", "000 Soft constraints, soft step";
        damping_ratio: f32 = 5.0, "Soft damping ratio", "", Domain::real(0.0, 100.0),
            "Damping of those springs. Well above 1, so that errors creep out without a swing: a share h ω/(2 ζ + h ω) of them a step.", "000 Soft constraints, soft step";
        relax: u32 = 1, "Relaxing sweeps", "", Domain::integer(0, 20),
            "Sweeps with rigid rows once soft ones have moved the poses: they take the speed of the push out again, so that nothing hops.", "soft step";
    }
    contact: ContactSettings, ContactPatch, "Contact" {
        enabled: bool = true, "Collisions", "", Domain::Switch,
            "Look for contacts at all.", "004 ch. 12";
        source: ContactSource = ContactSource::Full, "Contact points", "", Domain::choice(ContactSource::INFO),
            "How a pair's contact points are found: a flat face needs three of them at once to stand.", "004 ch. 12–13";
        drift: f32 = 0.02, "Cached point drift", "m", Domain::real(0.001, 1.0),
            "A point of a growing manifold goes when its two ends have slid apart by this; a new one nearer than this takes an old one's place.", "004 ch. 13";
        continuous: Continuous = Continuous::Speculative, "Fast bodies", "", Domain::choice(Continuous::INFO),
            "Whether and how bodies that go far in a step are kept from passing through others.", "004 ch. 12, 24";
        fast: f32 = 0.5, "Fast from", "", Domain::real(0.01, 10.0),
            "A body is fast when it goes farther in a step than this share of half its least thickness; for the time of impact.", "004 ch. 24";
        slop: f32 = 0.005, "Contact slop", "m", Domain::real(0.0, 0.2),
            "Penetration that is left alone, so that resting contacts stay in touch from step to step. A chain does not notice it: joints have a slop of their own.", "000 Contact";
        prediction: f32 = 0.02, "Prediction", "m", Domain::real(0.0, 1.0),
            "Contacts are made at gaps up to this, with a bias that lets the bodies close exactly that gap.", "speculative contacts, 000 Contact";
        max_push: f32 = 3.0, "Push-out speed", "m/s", Domain::real(0.0, 1000.0),
            "Most speed that stabilisation may ask of a penetrating contact.", "common practice";
        mix: Mix = Mix::Mean, "Material mix", "", Domain::choice(Mix::INFO),
            "How the friction and the restitution of two touching bodies make one value. Rolling takes the larger.", "004 ch. 12";
        restitution: bool = true, "Restitution", "", Domain::Switch,
            "Apply the materials' restitution.", "000 Contact";
        impacts: Impacts = Impacts::Simultaneous, "Impacts", "", Domain::choice(Impacts::INFO),
            "Whether blows of one step are resolved together or propagated pair by pair. Both keep momentum and, at e = 1, energy; the law of restitution does not say which is right.", "Newton's cradle; Smith et al. 2012";
        restitution_threshold: f32 = 1.0, "Bounce threshold", "m/s", Domain::real(0.0, 100.0),
            "Slower impacts do not bounce: a resting body is not kept hopping by gravity's step.", "000 Contact";
    }
    friction: FrictionSettings, FrictionPatch, "Friction" {
        model: FrictionModel = FrictionModel::Patch, "Friction", "", Domain::choice(FrictionModel::INFO),
            "Patch friction per manifold against Coulomb friction per contact point.", "000 Friction (patch), 003";
        twist: bool = true, "Patch twist", "", Domain::Switch,
            "The patch's row about the normal, bound by μ r_p Σλn, r_p the mean distance of the touching points from their centre.", "000 Friction (patch)";
        rolling: bool = true, "Rolling friction", "", Domain::Switch,
            "Two rows against rolling, bound by the materials' rolling length times Σλn.", "000 Friction (patch)";
    }
    breaking: BreakingSettings, BreakingPatch, "Breaking" {
        enabled: bool = true, "Joints break", "", Domain::Switch,
            "A joint that passes on more than it bears breaks and is no more. Off: joints hold whatever they bear.", "004 ch. 10.1";
        force: f32 = 0.0, "Joints bear, force", "N", Domain::real(0.0, 1000000000.0),
            "What a joint bears that says nothing of its own; 0 is everything.", "004 ch. 10.1";
        torque: f32 = 0.0, "Joints bear, torque", "N·m", Domain::real(0.0, 1000000000.0),
            "The same for the torque of its angular rows; 0 is everything.", "004 ch. 10.1";
    }
    formulation: FormulationSettings, FormulationPatch, "Formulation" {
        hinge: HingeForm = HingeForm::CrossProduct, "Hinge", "", Domain::choice(HingeForm::INFO),
            "How the axes of hinges are kept together, where the joint does not say.", "000 Hinge axis, 004 ch. 14, 17, errata 4, 19";
        orientation: OrientationForm = OrientationForm::WorldAxes, "Orientation lock", "", Domain::choice(OrientationForm::INFO),
            "How locks, welds and sliders keep an orientation, where the joint does not say.", "000 Orientation lock, 004 ch. 16, erratum 1";
        anchor: AnchorForm = AnchorForm::Length, "Anchors and rods", "", Domain::choice(AnchorForm::INFO),
            "How anchors are kept together and rods at their length. Squared, an error of p counts as p²: a slop of 0.01 is 0.1 m of play.", "004 ch. 6, 8, erratum 13";
        constant_velocity: TwistForm = TwistForm::TwistRow, "Constant velocity", "", Domain::choice(TwistForm::INFO),
            "How a constant velocity joint keeps its two shafts at one speed.", "004 ch. 19–20, erratum 15";
        limit: LimitForm = LimitForm::Accumulated, "Stops", "", Domain::choice(LimitForm::INFO),
            "How the rows of stops are bounded. The direct solver always bounds the sum.", "004 ch. 18, erratum 18";
        angular_stabilization: bool = true, "Stabilise angles", "", Domain::Switch,
            "Take out errors of orientation as well as of position. The book takes out those of its anchor alone.", "004 ch. 16–20, erratum 18";
        motor: MotorForm = MotorForm::Relative, "Rotary motor", "", Domain::choice(MotorForm::INFO),
            "What a rotary motor's target speed means, and in whose axes its locks lie.", "004 ch. 22, erratum 16";
        rotation: RotationForm = RotationForm::ExponentialMap, "Rotation step", "", Domain::choice(RotationForm::INFO),
            "How orientations are advanced by the angular velocity.", "001, erratum 10";
        restitution: RestitutionForm = RestitutionForm::Larger, "Bounce", "", Domain::choice(RestitutionForm::INFO),
            "How a contact's bounce and its push-out make one bias.", "000 Contact, erratum 5";
        normal: NormalForm = NormalForm::Accumulated, "Normals", "", Domain::choice(NormalForm::INFO),
            "Which normal impulse must not be negative. The direct solver always bounds the sum.", "002, erratum 18";
        patch: PatchForm = PatchForm::LimitSurface, "Patch bounds", "", Domain::choice(PatchForm::INFO),
            "How the tangents and the twist of patch friction are bound. The direct solver takes a disc where a box or nothing is asked for.", "000 Friction (patch), errata 7, 8";
        rolling: RollingForm = RollingForm::Pair, "Rolling rows", "", Domain::choice(RollingForm::INFO),
            "About which axes rolling friction acts, and when.", "000 Friction (patch), erratum 8";
        point: PointForm = PointForm::NormalImpulse, "Friction at a point", "", Domain::choice(PointForm::INFO),
            "What bounds the friction at a contact point, for the models Coulomb and pyramid. The direct solver always takes the normal impulse.", "004 ch. 12, erratum 14";
        soft: SoftForm = SoftForm::Spring, "Soft rows", "", Domain::choice(SoftForm::INFO),
            "What a spring's frequency and damping ratio make of its row.", "000 Soft constraints, erratum 2";
        carry: CarryForm = CarryForm::AppliedFirst, "Old impulses", "", Domain::choice(CarryForm::INFO),
            "How warm starting brings the old impulses in, and which.", "000 Warm starting, 001, 004 ch. 18, 20, errata 10, 18";
    }
}

impl Settings {
    /// Length of one sub-step, in seconds.
    pub fn h(&self) -> f32 {
        1.0 / (self.step.rate * self.step.substeps as f32)
    }
}
