//! Why a setting has no effect, in words. A scene says the same, in words of its own, of settings that its bodies make
//! no use of (`opens.idle`).

use delassus_physics::plan::Idle;

/// The reason, to be read after “because”.
pub fn idle(why: Idle) -> &'static str {
    match why {
        Idle::NothingMoves => "no body is free to move",
        Idle::NothingPrecesses => "no body's inertia depends on its orientation",
        Idle::NoJoints => "there are no joints",
        Idle::ContactsOff => "contacts are off",
        Idle::NothingTouches => "no two bodies can touch",
        Idle::NothingBounces => "no surface bounces",
        Idle::NothingRolls => "no surface resists rolling",
        Idle::NothingBreaks => "no joint has a breaking load",
        Idle::WarmStartOff => "warm starting is off",
        Idle::RestitutionOff => "restitution is off",
        Idle::FrictionOff => "friction is off",
        Idle::SleepOff => "sleep is off",
        Idle::BreakingOff => "breaking is off",
        Idle::DistanceOff => "points are not matched by distance",
        Idle::ContinuousOff => "continuous collision is off",
        Idle::RollingOff => "rolling friction is off",
        Idle::Exact => "this solver makes no sweeps",
        Idle::NotJacobi => "the solver is not Jacobi",
        Idle::NotByHand => "the Jacobi step is not manual",
        Idle::NotGaussSeidel => "this solver does not use it",
        Idle::NotAvbd => "the solver is not AVBD",
        Idle::Recipe => "the chosen solver fixes it",
        Idle::NotNonlinear => "no position is corrected by nonlinear Gauss–Seidel",
        Idle::NotWithinStep => "no joint is closed within the step, as SHAKE and RATTLE do",
        Idle::NotSoft => "no stabilisation is soft",
        Idle::ContactsOwn => "no joint is soft, and contacts have a frequency of their own",
        Idle::AsJoints => "contacts have the frequency of joints",
        Idle::NoRelaxing => "there are no relaxing sweeps",
        Idle::NotPatch => "the friction model is not patch",
        Idle::NotPoints => "friction does not act at each contact point",
        Idle::ExactCone => "each contact point is solved exactly on its cone",
        Idle::Impacts => "contacts are impacts, which have no rows",
        Idle::OneSubstep => "a step has one sub-step",
        Idle::NotGrowing => "contact points are found anew in each step",
    }
}
