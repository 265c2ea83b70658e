//! The plan of a step: who makes it (`route.rs`), which settings each path takes (`paths.rs`), which settings have an
//! effect on a world, and why the others have none.
//!
//! [`idle`] and [`refused_by`] name every setting once. A new setting that is forgotten there does not compile.

mod by_setting;
mod facts;
pub(crate) mod outcome;
pub(crate) mod paths;
pub(crate) mod route;

pub use facts::Facts;
pub use outcome::{Route, WholeReason};
pub use paths::{Path, refused_by, takes};

use super::solvers::properties::{self, Solver};
use crate::by_setting;
use crate::setting::Setting;
use crate::settings::{
    BreakingSettings, ContactSettings, ContactSource, Continuous, FormulationSettings, FrictionModel, FrictionSettings,
    JacobiStep, LIST, Method, Settings, SleepSettings, SolverSettings, Stabilization, StabilizationSettings,
    StepSettings, WarmStartSettings,
};
use crate::stabilize;

/// Why a setting has no effect on the states of a world, whatever its value. The words are in `scene/words/idle.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    /// No body is moved by forces.
    NothingMoves,
    /// Bodies have equal moments of inertia, or do not rotate.
    NothingPrecesses,
    NoJoints,
    /// Contacts are off.
    ContactsOff,
    /// No two bodies can touch.
    NothingTouches,
    /// No surface bounces, or rolls with resistance.
    NothingBounces,
    NothingRolls,
    /// No joint can break.
    NothingBreaks,
    /// Another setting switches it off.
    WarmStartOff,
    RestitutionOff,
    FrictionOff,
    SleepOff,
    BreakingOff,
    DistanceOff,
    ContinuousOff,
    RollingOff,
    /// The method of solving has no use for it.
    Exact,
    NotJacobi,
    NotByHand,
    NotAvbd,
    /// The solver has no order of blocks, no lanes, or no extra sweeps.
    NotGaussSeidel,
    /// The method is a recipe, which fixes it.
    Recipe,
    /// The method of stabilisation has no use for it.
    NotNonlinear,
    NotWithinStep,
    NotSoft,
    ContactsOwn,
    AsJoints,
    NoRelaxing,
    /// The friction model has no use for it.
    NotPatch,
    NotPoints,
    ExactCone,
    /// Contacts are impacts, which have no rows.
    Impacts,
    /// A step has one sub-step.
    OneSubstep,
    /// The source of contact points keeps none.
    NotGrowing,
}

/// Why a setting, given by name, has no effect on a world with these facts and other settings; `None` if it may have
/// one, or if there is no such setting.
pub fn idle(name: &str, settings: &Settings, facts: &Facts) -> Option<Idle> {
    let mut found = None;
    effects(settings, facts, |other, why| {
        if other == name {
            found = why;
        }
    });
    found
}

/// All settings that have no effect, with the reasons.
pub fn all_idle(settings: &Settings, facts: &Facts) -> impl Iterator<Item = (&'static Setting, Idle)> + use<> {
    let mut list = Vec::with_capacity(LIST.len());
    effects(settings, facts, |name, why| list.push((name, why)));
    list.into_iter().filter_map(|(name, why)| Some((LIST.iter().find(|setting| setting.name == name)?, why?)))
}

fn effects(settings: &Settings, facts: &Facts, mut visit: impl FnMut(&'static str, Option<Idle>)) {
    let settings = &properties::resolved(settings);
    let when = |holds: bool, why: Idle| holds.then_some(why);
    let contacts = &*stabilize::settings_of_contacts(settings);
    let method = settings.solver.method;
    let Solver { exact, recipe, .. } = properties::of(method);
    let in_turn = properties::of(method).in_turn();
    let has_lanes = matches!(method, Method::GaussSeidel | Method::TgsSoft);
    let impacts = settings.has_impact_contacts();

    let still = when(!facts.moves, Idle::NothingMoves);
    let joints = still.or(when(!facts.joints, Idle::NoJoints));
    // Of all contacts; of their rows; of what rows carry from step to step.
    let touch = still.or(when(!facts.touches, Idle::NothingTouches));
    let contact = touch.or(when(!settings.contact.enabled, Idle::ContactsOff));
    let rows = contact.or(when(impacts, Idle::Impacts));
    let friction = rows.or(when(settings.friction.model == FrictionModel::Off, Idle::FrictionOff));
    let rolling = friction.or(when(!facts.rolls, Idle::NothingRolls));
    let bounce = contact.or(when(!facts.bounces, Idle::NothingBounces));
    let soft_contacts = rows.is_none() && contacts.stabilization.method == Stabilization::Soft;
    let uses_method = |method: Stabilization| settings.stabilization.method == method || facts.own_stabilization;
    let soft_joints = joints.is_none() && uses_method(Stabilization::Soft);
    let nonlinear_contacts = rows.is_none() && contacts.stabilization.method == Stabilization::Nonlinear;
    let nonlinear = joints.is_none() && uses_method(Stabilization::Nonlinear) || nonlinear_contacts;
    let closes = joints.is_none() && (uses_method(Stabilization::Shake) || uses_method(Stabilization::Rattle));
    let not_nonlinear = still.or(when(!nonlinear, Idle::NotNonlinear));
    let own_spring = settings.stabilization.contact_hertz > 0.0;
    let not_soft = still.or(when(!soft_joints && !soft_contacts, Idle::NotSoft));
    let not_exact = still.or(when(exact, Idle::Exact));
    let free = still.or(when(recipe, Idle::Recipe));
    let swept = not_exact.or(free);
    let recipe_of = |other: Method| still.or(when(method == other, Idle::Recipe));
    let jacobi = still.or(when(method != Method::Jacobi, Idle::NotJacobi));
    let warm = still.or(when(!settings.warm_start.enabled, Idle::WarmStartOff));
    let sleep = still.or(when(!settings.sleep.enabled, Idle::SleepOff));
    let can_break = facts.breakable || settings.breaking.force > 0.0 || settings.breaking.torque > 0.0;
    let breaks = joints.or(when(!settings.breaking.enabled, Idle::BreakingOff));

    by_setting! { settings, visit =>
        step: StepSettings {
            rate => None,
            substeps => None,
            max_turn => joints.or(free).or(when(!closes, Idle::NotWithinStep)),
            gravity => still,
            gyroscopic => still.or(when(!facts.spins, Idle::NothingPrecesses)),
        }
        solver: SolverSettings {
            method => None,
            iterations => not_exact.or(recipe_of(Method::TgsSoft)),
            extra => rows.or(swept).or(when(method != Method::GaussSeidel, Idle::NotGaussSeidel)),
            rows => joints.or(free),
            order => swept.or(when(!in_turn, Idle::NotGaussSeidel)),
            jacobi => jacobi,
            relaxation => jacobi.or(when(settings.solver.jacobi != JacobiStep::Manual, Idle::NotByHand)),
            stiffening => still.or(when(method != Method::Avbd, Idle::NotAvbd)),
            lanes => still.or(when(!has_lanes, Idle::NotGaussSeidel)),
            tolerance => swept,
            threads => None,
            device => None,
            spectrum_every => None,
        }
        warm_start: WarmStartSettings {
            enabled => still,
            factor => warm,
            joints => joints.or(warm),
            safeguard => free,
            feature_ids => rows,
            distance => rows,
            tolerance => rows.or(when(!settings.warm_start.distance, Idle::DistanceOff)),
            spread => rows,
            shallow_clamp => rows,
            patch => friction,
            rolling => rolling.or(when(!settings.friction.rolling, Idle::RollingOff)),
            impulse_cap => still,
            reset => still,
        }
        stabilization: StabilizationSettings {
            method => free,
            contacts => contact.or(free),
            beta => still,
            joint_slop => joints.or(free),
            position_iterations => not_nonlinear,
            max_correction => not_nonlinear,
            rounds => joints.or(when(!closes, Idle::NotWithinStep)).or(when(exact, Idle::Exact)),
            geometric_stiffness => joints.or(recipe_of(Method::TgsSoft)),
            hertz => not_soft.or(when(!soft_joints && own_spring, Idle::ContactsOwn)),
            damping_ratio => not_soft.or(when(!soft_joints && own_spring, Idle::ContactsOwn)),
            contact_hertz => contact.or(when(!soft_contacts, Idle::NotSoft)),
            contact_damping_ratio => contact
                .or(when(!soft_contacts, Idle::NotSoft))
                .or(when(!own_spring, Idle::AsJoints)),
            relax => free.or(not_soft),
        }
        contact: ContactSettings {
            enabled => touch,
            source => contact,
            collide => contact
                .or(free)
                .or(when(impacts, Idle::Impacts))
                .or(when(settings.step.substeps <= 1, Idle::OneSubstep)),
            drift => contact.or(when(settings.contact.source != ContactSource::Growing, Idle::NotGrowing)),
            mean_first => rows.or(free),
            continuous => contact,
            fast => contact.or(when(settings.contact.continuous == Continuous::Off, Idle::ContinuousOff)),
            slop => contact,
            prediction => contact,
            max_push => rows,
            mix => contact,
            restitution => bounce,
            impacts => bounce.or(free).or(when(!settings.contact.restitution, Idle::RestitutionOff)),
            restitution_threshold => bounce.or(when(!settings.contact.restitution, Idle::RestitutionOff)),
        }
        friction: FrictionSettings {
            model => rows,
            under_load => friction.or(when(settings.friction.model != FrictionModel::Patch, Idle::NotPatch)),
            twist => friction,
            rolling => rolling,
            deferred => friction
                .or(free)
                .or(when(contacts.stabilization.method != Stabilization::Soft, Idle::NotSoft))
                .or(when(exact, Idle::Exact))
                .or(when(contacts.stabilization.relax == 0, Idle::NoRelaxing)),
        }
        sleep: SleepSettings {
            enabled => still,
            speed => sleep,
            time => sleep,
        }
        breaking: BreakingSettings {
            enabled => joints.or(when(!can_break, Idle::NothingBreaks)),
            force => breaks,
            torque => breaks,
        }
        formulation: FormulationSettings {
            hinge => joints,
            orientation => joints,
            anchor => joints,
            constant_velocity => joints,
            // The safeguard asks for it, too.
            limit => still,
            angular_stabilization => joints,
            motor => joints,
            rotation => None,
            angular_speed => still,
            // Where contacts are as printed, bodies in flight are, too.
            contact => still,
            restitution => still,
            normal => rows,
            patch => friction.or(when(settings.friction.model != FrictionModel::Patch, Idle::NotPatch)),
            rolling => rolling.or(when(!settings.friction.rolling, Idle::RollingOff)),
            point => friction
                .or(when(settings.friction.model == FrictionModel::Patch, Idle::NotPoints))
                .or(when(settings.friction.model == FrictionModel::Cone, Idle::ExactCone)),
            soft => still,
            carry => still,
        }
    }
}
