//! The alternatives of the settings that are choices: the label of each and its effect.

use super::ChoiceWords;
use delassus_physics::settings::*;

choice_words! {
    Method {
        GaussSeidel = "Gauss–Seidel", "each row sees the velocities that the rows before it have just changed \
            (sequential impulses); adds no energy but by Baumgarte or soft stabilisation (docs/growth.md)";
        Jacobi = "Jacobi", "every row sees the velocities of the sweep's start; order does not matter, convergence is \
            slower: of a cantilever's moment ten sweeps by anchors miss 62 %, where Gauss–Seidel misses 0.8 % \
            (docs/jacobi.md). \
            Adds no energy but by Baumgarte, soft stabilisation or a manual ω";
        Direct = "direct", "joints solved exactly, contacts and limits by Newton's method, of many right forces the \
            least: the truth to measure the sweeps against, slow. Baumgarte under a heavy load blows up here, too: \
            what no step can follow no solver holds (docs/growth.md)";
        TgsSoft = "TGS soft", "the solver of Box2D 3 and Box3D: each sub-step makes one soft sweep that pushes errors \
            out, moves the bodies, and makes one rigid sweep with friction that takes the push back. It fixes sweeps, \
            order, stabilisation and when contacts are found; sub-steps, frequencies and damping are yours. Fast and \
            calm, but joints sag under loads";
        Nncg = "NNCG", "Gauss–Seidel with conjugate directions: after each sweep the impulses go on in the direction in \
            which they moved. Long chains and tall stacks converge in far fewer sweeps, if there are ten or more a step; \
            where bodies hit each other it is plain Gauss–Seidel";
    }
    Processor {
        Cpu = "processor", "all methods, joints and contacts, on as many cores as `solver.threads` says";
        Gpu = "graphics device", "compute shaders, for scenes of many bodies; what it cannot do yet is reported";
    }
    Order {
        Forward = "forward", "first to last in every sweep: the joints, then the contacts. Where a \
            hundred or more hang together, those which share no body come together";
        Backward = "backward", "last to first in every sweep";
        Alternating = "alternating", "forward and backward in turn: the two ends of a sweep differ, so warm-started \
            impulses never quite settle (the pyramid of 20 falls)";
        Shuffled = "shuffled", "a new order each sweep, the same in every run";
        Coloured = "coloured", "contacts and joints that share no body come together, colour after colour: an order \
            in which a colour may be solved all at once";
    }
    JacobiStep {
        Stable = "1/n (stable)", "ω = 1/n, n the most blocks that meet at one body: never overshoots. At 10 sweeps a \
            block tips 8 % early, stops give by 10°, a stack of eight sways by 12 cm; at 40 by 0.1 %, 3.3° and 1 mm; \
            a cantilever's moment misses 62 and 28 %";
        MassSplitting = "mass splitting", "each block sees only its share of a body's mass; safe at ω = 1, and faster \
            where one busy body would slow down all others; for a cantilever, a stack, stops in a row the same as 1/n \
            to a hundredth";
        Conjugate = "conjugate directions", "mass splitting, and after each sweep the impulses go on along the way \
            that they have come: slow modes need about the root of the sweeps. At 10 a block tips 0.1 % early, stops \
            give by 6°, a cantilever's moment misses 57 %; at 40 stops give by 0.1°, the moment misses 1.3 %";
        Manual = "manual ω", "ω as set below, past the stable bound too: watch it blow up, and why";
    }
    RowSolve {
        Scalar = "scalar rows", "one row after the other, as the derivations write them";
        Inner = "joint, inner sweeps", "a joint's rows are one small problem, swept by itself as often as it has rows \
            before the next joint has its turn (book, LCP_GaussSeidel); stops as printed, and under Gauss–Seidel \
            the three rows of a contact point with friction as printed, are bounded only behind that, and mislead \
            each other (erratum 32). Nothing else for joints of one row and for the direct solver";
        Block = "anchor, 3×3", "an anchor's three rows are solved together: exact for one ball joint, faster to \
            converge";
        Joint = "whole joint", "all equality rows of a joint are solved together: a weld's six, a hinge's five";
        Tree = "whole tree", "all equality rows of a tree of joints are solved together, from its leaves: exact in \
            one sweep for what has no loops, limits, motors or contacts, whatever its length and mass ratios";
        Mechanism = "whole mechanism", "all rows of joints that hang together are solved together, loops, motors, \
            springs and limits included: an arm holds its pose and a linkage closes in one sweep. Trees of plain \
            joints are solved as whole trees; contacts iterate around the mechanism";
    }
    Stabilization {
        Off = "none", "velocities only: errors drift (book, fig. 11); adds no energy, whatever the solver";
        Baumgarte = "Baumgarte", "a share β of the error is fed back as a velocity each step; it adds energy, and \
            warm starting keeps it: not bounded, see docs/growth.md";
        Split = "split impulse", "a share β of the error is taken out by velocities of its own, which move the poses \
            and are forgotten; adds no energy under any sweep, but for what it lifts";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves, each joint and \
            contact linearised anew where it stands; adds no energy under any sweep, but for what it lifts";
        Soft = "soft", "rigid rows become stiff springs with dampers, as in soft-step solvers: errors and impacts are \
            met gently, loads sag a little; bounded in practice, not by proof: solved directly, rods and ropes under \
            a hundred times their mass gain energy unless there are two sub-steps or geometric stiffness \
            (docs/growth.md)";
        Shake = "SHAKE", "the joints' impulses are those that close the joints at the step's end, found while the \
            sweeps go on: momentum is kept exactly and no rotation is drained; under loads of a hundred to one that \
            the sweeps let fall it may gain a bounded share of energy: docs/growth.md";
        Rattle = "RATTLE", "SHAKE, with velocities that agree with the joints at the step's end: second order, energy \
            kept best; costs one more solve a step; may gain energy where SHAKE does";
    }
    ContactStabilization {
        AsJoints = "as joints", "by the method of the joints; split impulses where that is SHAKE or RATTLE, which \
            know joints only";
        Off = "none", "velocities only: what overlaps stays so";
        Baumgarte = "Baumgarte", "a share β of an overlap is fed back as a velocity each step";
        Split = "split impulse", "a share β of an overlap is taken out by velocities of its own";
        Nonlinear = "nonlinear Gauss–Seidel", "after the step, sweeps over the positions themselves";
        Soft = "soft", "contacts give way as stiff springs with dampers";
    }
    Safeguard {
        Off = "off", "old impulses are carried on whatever they do";
        Usual = "but for Baumgarte", "not where a setting is there to show how it blows up (Baumgarte, a manual ω, \
            stops as printed), nor for SHAKE and RATTLE, which close the joints by the impulses";
        Always = "always", "with these, too; what they are to show does not come about";
    }
    FrictionModel {
        Patch = "patch", "two tangents at the manifold's centre, a twist row about the normal and rolling; bound by \
            the sum of the normal impulses";
        Coulomb = "Coulomb", "a cone at each contact point, bound by that point's normal impulse";
        Pyramid = "pyramid", "a box at each contact point: each tangent bound by itself, up to 41 % too strong along \
            the diagonal";
        Off = "none", "no friction";
    }
    ContactSource {
        Full = "full manifold", "all points at once, up to four, known from step to step by the features that touch";
        Growing = "growing manifold", "one GJK point a step joins those of the steps before, up to four; points that \
            have drifted or parted go (book, fig. 13–14)";
        Single = "one point", "the one point that GJK finds, anew each step (book, fig. 12)";
    }
    Collide {
        EachSubstep = "each sub-step", "where the bodies then are";
        EachStep = "once a step", "gaps follow the bodies from sub-step to sub-step by C₀ + J Δq; a turn within the \
                    step \
            leaves an error of second order, until the next";
    }
    Continuous {
        Off = "none", "contacts are seen within the prediction only: what goes farther in a step than it is thick \
            passes through walls";
        Speculative = "speculative", "contacts are made as far ahead as the bodies may close in the step: cheap; \
            ghosts beside edges, and bounces that come early. What would turn or pass into something immovable \
            nevertheless is stopped there";
        TimeOfImpact = "time of impact", "fast bodies are stopped where they first touch, and collide in the next \
            step";
    }
    Impacts {
        Simultaneous = "simultaneous", "all that is hit in a step leaves at e times its speed at once: of a row of \
            equal balls the first rebounds and the others go on together";
        Propagate = "pair by pair", "each pair takes its impact alone, and passes it on, until none approaches: of a \
            row of equal balls the last one flies off; joints give way between the impacts";
    }
    Mix {
        Mean = "geometric mean", "√(a b): two equal surfaces keep their value";
        Product = "product", "a b, as the book does";
        Least = "least", "the smaller of the two";
        Most = "most", "the larger of the two";
    }
    Gyroscopic {
        Off = "none", "angular velocity is kept; no tumbling of unequal inertias";
        Midpoint = "midpoint", "Euler's equation at the step's middle: a free body keeps its energy and its angular \
            momentum, size and direction";
        Implicit = "implicit", "one Newton step of Euler's equation at the step's end: a tumbling body slows down (by \
            a third of its energy in a minute at 60 Hz)";
    }
}
