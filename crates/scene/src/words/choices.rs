//! The alternatives of the settings that are choices: the label of each and its effect.

use super::ChoiceWords;
use delassus_physics::settings::*;

choice_words! {
    Method {
        GaussSeidel = "Gauss–Seidel", "each row sees the velocities that the rows before it have just changed \
            (sequential impulses); adds no energy, except with Baumgarte or soft stabilisation (docs/growth.md)";
        Jacobi = "Jacobi", "every row sees the velocities at the start of the sweep, so the order does not matter; \
            converges more slowly: with anchors, ten sweeps miss 62 % of a cantilever's moment, where Gauss–Seidel \
            misses 0.8 % (docs/jacobi.md). Adds no energy, except with Baumgarte, soft stabilisation or a manual ω";
        Direct = "direct", "joints are solved exactly, contacts and limits by Newton's method; of several correct \
            solutions it takes the one with the smallest forces. Slow: a reference for the sweeps. Baumgarte under a \
            heavy load blows up here, too, because the step itself cannot follow (docs/growth.md)";
        TgsSoft = "TGS soft", "the solver of Box2D 3 and Box3D: each sub-step makes one soft sweep that removes \
            errors, moves the bodies, and makes one rigid sweep with friction that removes the speed of this push \
            again. It fixes sweeps, order, stabilisation and when contacts are found; sub-steps, frequencies and \
            damping can be set. Fast and calm, but joints sag under loads";
        Nncg = "NNCG", "Gauss–Seidel with conjugate directions: each sweep also moves the impulses on in the direction \
            in which they moved before. With ten sweeps a step or more, long chains and tall stacks need far fewer of \
            them. Where bodies hit each other it is plain Gauss–Seidel";
        Avbd = "AVBD", "augmented vertex block descent. One body after the other takes the velocity at which its \
            inertia balances the penalties of its rows, a system of 6 × 6. After each iteration multipliers take \
            over the load of the penalties. Light links bear heavy loads. It fixes order and stabilisation (β is 1 − α \
            of the paper, at most 0.02) and takes energy out. An iteration costs about ten sweeps. The residual is \
            what the velocities leave of each row, and the impulse is its multiplier";
        Admm = "ADMM", "proximal ADMM: impulses that solve the equations and impulses within the bounds take turns until \
            both agree to 1e−9 m/s. Friction is true Coulomb friction, with redundant rows and great mass ratios. It \
            finds impulses in another way than the direct solver, so the two check each other. Slow: a hundred iterations a step";
    }
    Processor {
        Cpu = "processor", "all methods, joints and contacts, on as many threads as `solver.threads` says";
        Gpu = "graphics device", "compute shaders, for scenes of many bodies; what it cannot do yet is reported";
    }
    Order {
        Forward = "forward", "first to last in every sweep: the joints, then the contacts. Where a hundred or more are \
            connected, those that share no body are solved together";
        Backward = "backward", "last to first in every sweep";
        Alternating = "alternating", "forward and backward in turn: the two directions leave different errors, so \
            warm-started impulses never quite settle (the pyramid of 20 falls)";
        Shuffled = "shuffled", "a new order in each sweep, the same in every run";
        Coloured = "coloured", "contacts and joints that share no body have one colour; the colours follow one after \
            the other, and a colour may be solved all at once";
    }
    JacobiStep {
        Stable = "1/n (stable)", "ω = 1/n, where n is the largest number of blocks at one body: never overshoots. With \
            10 sweeps a block tips 8 % early, stops give by 10°, a stack of eight sways by 12 cm, and 62 % of a \
            cantilever's moment is missing. With 40 sweeps these errors are 0.1 %, 3.3°, 1 mm and 28 %";
        MassSplitting = "mass splitting", "each block sees only its share of a body's mass; safe at ω = 1, and faster \
                                           where one body with many blocks would slow down all others; for a \
                                           cantilever, a stack and a row of stops, it agrees with 1/n to a hundredth";
        Conjugate = "conjugate directions", "mass splitting, and each sweep also moves the impulses on in the \
            direction in which they moved before: slow errors need about the square root of the number of sweeps. With \
            10 sweeps a block tips 0.1 % early, stops give by 6°, and 57 % of a cantilever's moment is missing. With \
            40 sweeps stops give by 0.1°, and 1.3 % is missing";
        Manual = "manual ω", "ω as set below, even above the stable bound: watch it blow up";
    }
    RowSolve {
        Scalar = "scalar rows", "one row after the other, as the derivations write them";
        Inner = "joint, inner sweeps", "the rows of a joint are swept by themselves, as often as it has rows, before \
            the next joint is solved (book, LCP_GaussSeidel). Stops as printed, and with Gauss–Seidel the three rows \
            of a contact point with friction as printed, are bounded only after that, so they mislead each other \
            (erratum 32). No effect on joints of one row and on the direct solver";
        Block = "anchor, 3×3", "the three rows of an anchor are solved together: exact for one ball joint, and faster \
            to converge";
        Joint = "whole joint", "all equality rows of a joint are solved together: a weld's six, a hinge's five";
        Tree = "whole tree", "all equality rows of a tree of joints are solved together, from its leaves: exact in one \
            sweep without loops, limits, motors and contacts, whatever the length and the mass ratios";
        Mechanism = "whole mechanism", "all rows of connected joints are solved together, with loops, motors, springs \
            and limits: an arm holds its pose and a linkage closes in one sweep. Trees of plain joints are solved as \
            whole trees; contacts iterate around the mechanism";
    }
    Stabilization {
        Off = "none", "velocities only: errors grow (book, fig. 11); adds no energy, whatever the solver";
        Baumgarte = "Baumgarte", "the velocity of each step also removes a share β of the error; it adds energy, and \
            warm starting keeps it: not bounded, see docs/growth.md";
        Split = "split impulse", "pseudo-velocities remove a share β of the error; they move the bodies once and are \
                                  then dropped; adds no energy under any sweep, except for what it lifts";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves, in which each \
            joint and contact is linearised again at its present position; adds no energy under any sweep, except for \
            what it lifts";
        Soft = "soft", "rigid rows become stiff springs with dampers, as in soft-step solvers: errors and impacts are \
            corrected gently, and loads sag a little; bounded in practice, but not proven: solved directly, rods and \
            ropes under a hundred times their mass gain energy unless there are two sub-steps or geometric stiffness \
            (docs/growth.md)";
        Shake = "SHAKE", "the sweeps find the impulses that close the joints at the end of the step: momentum is \
                          conserved exactly and no rotation is lost; under loads of a hundred to one that the sweeps \
                          do not hold, it may gain a bounded share of energy: docs/growth.md";
        Rattle = "RATTLE", "SHAKE, with velocities that fit the joints at the end of the step: second order, conserves \
            energy best; costs one more solve per step; may gain energy where SHAKE does";
    }
    ContactStabilization {
        AsJoints = "as joints", "by the method of the joints, but by split impulses with SHAKE and RATTLE, which work \
            for joints only";
        Off = "none", "velocities only: overlaps stay";
        Baumgarte = "Baumgarte", "the velocity of each step also removes a share β of an overlap";
        Split = "split impulse", "pseudo-velocities remove a share β of an overlap and are then dropped";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves";
        Soft = "soft", "contacts become stiff springs with dampers";
    }
    Safeguard {
        Off = "off", "old impulses are always carried over, without a limit";
        Usual = "except Baumgarte", "not for settings that should show how they blow up (Baumgarte, a manual ω, stops \
            as printed), and not for SHAKE and RATTLE, which close the joints by the impulses";
        Always = "always", "also for these settings, which then do not show what they should";
    }
    FrictionModel {
        Patch = "patch", "two tangents at the centre of the manifold, a twist row about the normal, and rolling; \
            bounded by the sum of the normal impulses";
        Coulomb = "Coulomb", "a cone at each contact point, bounded by the normal impulse of that point";
        Pyramid = "pyramid", "a box at each contact point: each tangent has its own bound, up to 41 % too strong along \
            the diagonal";
        Cone = "exact cone", "a cone at each contact point, whose normal and two tangents are solved together: the \
            point separates, sticks, or slides against the motion. The law is that of Coulomb. It takes fewer sweeps \
            where friction changes its own load, but each is slower, because points are not solved side by side. \
            Jacobi clamps as Coulomb does";
        Off = "none", "no friction";
    }
    ContactSource {
        Full = "full manifold", "all points at once, up to four, recognised from step to step by the features that \
            touch";
        Growing = "growing manifold", "one GJK point per step is added to those of the steps before, up to four; \
            points that have slid or moved apart are dropped (book, fig. 13–14)";
        Single = "one point", "the one point that GJK finds, a new one in each step (book, fig. 12)";
    }
    Collide {
        EachSubstep = "each sub-step", "at the positions of the bodies in that sub-step";
        EachStep = "once a step", "gaps follow the bodies from sub-step to sub-step by C₀ + J Δq; a rotation within \
            the step leaves an error of second order until the next step";
    }
    Continuous {
        Off = "none", "contacts are found within the prediction only: a body that moves farther in a step than it is \
            thick passes through walls";
        Speculative = "speculative", "contacts are made as far ahead as the bodies may move in the step: cheap, but \
            with ghost contacts beside edges, and bounces that come early. A body that would still rotate or pass into \
            something immovable is stopped there";
        TimeOfImpact = "time of impact", "fast bodies are stopped where they first touch, and collide in the next \
            step";
    }
    Impacts {
        Simultaneous = "simultaneous", "all bodies that are hit in a step separate at e times their approach speed at \
            once: in a row of equal balls the first one rebounds and the others move on together";
        Propagate = "pair by pair", "each pair takes its impact alone and passes it on, until no pair approaches: in a \
            row of equal balls the last one flies off; joints respond between the impacts";
    }
    Mix {
        Mean = "geometric mean", "√(a b): two equal surfaces keep their value";
        Product = "product", "a b, as the book does";
        Least = "least", "the smaller of the two";
        Most = "most", "the larger of the two";
    }
    Gyroscopic {
        Off = "none", "the angular velocity is constant: bodies with unequal inertias do not tumble";
        Midpoint = "midpoint", "Euler's equation at the middle of the step: a free body keeps its energy and its \
            angular momentum, in size and direction";
        Implicit = "implicit", "one Newton step of Euler's equation at the end of the step: a tumbling body slows down \
            (by a third of its energy in a minute at 60 Hz)";
    }
}
