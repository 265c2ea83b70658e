//! The ways in which a step, or a part of it, can be made, and which settings each of them takes.
//!
//! Any step can be made block by block in rows, with all bodies together. Each other way is faster, and gives up where
//! a setting has a value that it does not know. [`refusals`] names every setting once: a new one that is forgotten
//! there does not compile.

use std::ops::{BitOr, BitOrAssign};

use crate::breaking::limits::is_general;
use crate::by_setting;
use crate::settings::{
    AnchorForm, AngularSpeedForm, BreakingSettings, CarryForm, ContactSettings, FormulationSettings, FrictionModel,
    FrictionSettings, HingeForm, JacobiStep, LimitForm, Method, NormalForm, Order, OrientationForm, PatchForm,
    Processor, RestitutionForm, RollingForm, RotationForm, RowSolve, Settings, SleepSettings, SolverSettings,
    Stabilization, StabilizationSettings, StepSettings, TwistForm, WarmStartSettings,
};

/// A way in which a step, or a part of it, is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Islands are stepped apart from each other (`batches/`).
    Islands,
    /// Trees of joints are stepped in SIMD lanes, without rows (`articulations/`).
    Articulations,
    /// Joints that hang together are solved exactly, as one block (`mechanisms.rs`).
    Mechanisms,
    /// The blocks of a Gauss–Seidel sweep are solved in SIMD lanes (`solvers/wide/`).
    Blocks,
    /// Contacts are made and solved in SIMD lanes, without rows (`solvers/wide/contacts/`).
    Contacts,
    /// A step is divided where a mechanism whips (`divide/`).
    Division,
}

/// A set of paths.
#[derive(Clone, Copy)]
struct Paths(u8);

impl Paths {
    const NONE: Self = Self(0);

    const fn of(path: Path) -> Self {
        Self(1 << path as u8)
    }

    fn has(self, path: Path) -> bool {
        self.0 & Self::of(path).0 != 0
    }

    /// These paths if the condition holds.
    fn when(self, holds: bool) -> Self {
        if holds { self } else { Self::NONE }
    }
}

impl BitOr for Paths {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Paths {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The first setting, by name, whose value keeps a step from this path; `None` if all are taken. For contacts, these
/// are the contacts' own settings: see [`settings_of_contacts`](crate::stabilize::settings_of_contacts).
pub fn refused_by(path: Path, settings: &Settings) -> Option<&'static str> {
    let mut first = None;
    refusals(settings, |name, paths| {
        if first.is_none() && paths.has(path) {
            first = Some(name);
        }
    });
    first
}

/// Whether a path takes these settings.
pub fn takes(path: Path, settings: &Settings) -> bool {
    let mut refused = Paths::NONE;
    refusals(settings, |_, paths| refused |= paths);
    !refused.has(path)
}

/// For each setting, the paths that do not take its value.
#[inline(always)]
fn refusals(settings: &Settings, mut visit: impl FnMut(&'static str, Paths)) {
    const NONE: Paths = Paths::NONE;
    let [islands, articulations, mechanisms, blocks, contacts, division] =
        [Path::Islands, Path::Articulations, Path::Mechanisms, Path::Blocks, Path::Contacts, Path::Division]
            .map(Paths::of);
    let lanes = articulations | blocks | contacts;
    let (solver, forms) = (&settings.solver, &settings.formulation);
    let is = |method: Method| solver.method == method;
    let stabilization = &settings.stabilization;
    let nonlinear = stabilization.method == Stabilization::Nonlinear;

    by_setting! { settings, visit =>
        step: StepSettings {
            rate => NONE,
            substeps => NONE,
            // Articulations divide their own steps.
            max_turn => division.when(settings.step.max_turn <= 0.0),
            gravity => NONE,
            gyroscopic => NONE,
        }
        solver: SolverSettings {
            method => articulations.when(!is(Method::GaussSeidel))
                | (blocks | contacts).when(!matches!(solver.method, Method::GaussSeidel | Method::TgsSoft))
                | (islands | mechanisms).when(is(Method::Direct) || is(Method::Admm))
                | (mechanisms | division).when(is(Method::TgsSoft))
                // Penalties are kept by row, of all bodies together.
                | (islands | mechanisms | division).when(is(Method::Avbd)),
            iterations => articulations.when(settings.sweeps() == 0),
            // Made where bodies touch, and those are stepped together.
            extra => NONE,
            rows => articulations.when(!solver.rows.takes_trees())
                | mechanisms.when(solver.rows != RowSolve::Mechanism),
            // A shuffled order is drawn for all blocks together.
            order => (islands.when(!is(Method::Jacobi) && !is(Method::Direct) && !is(Method::Admm)) | blocks).when(solver.order == Order::Shuffled)
                | contacts.when(!matches!(solver.order, Order::Forward | Order::Backward | Order::Alternating)),
            // The step of Jacobi is found for all bodies together.
            jacobi => islands.when(
                is(Method::Jacobi) && !matches!(solver.jacobi, JacobiStep::Manual | JacobiStep::MassSplitting)
            ),
            relaxation => NONE,
            stiffening => NONE,
            lanes => lanes.when(!solver.lanes),
            // It ends the sweeps of all bodies together.
            tolerance => (lanes | islands).when(solver.tolerance > 0.0),
            threads => NONE,
            device => division.when(solver.device != Processor::Cpu),
            spectrum_every => (islands | contacts).when(solver.spectrum_every > 0),
        }
        warm_start: WarmStartSettings {
            enabled => NONE,
            factor => NONE,
            joints => NONE,
            safeguard => NONE,
            feature_ids => NONE,
            distance => NONE,
            tolerance => NONE,
            spread => NONE,
            shallow_clamp => NONE,
            patch => NONE,
            rolling => NONE,
            impulse_cap => NONE,
            reset => NONE,
        }
        stabilization: StabilizationSettings {
            method => (islands | articulations | contacts).when(nonlinear)
                | articulations.when(stabilization.method == Stabilization::Soft),
            contacts => NONE,
            beta => NONE,
            joint_slop => articulations.when(stabilization.joint_slop != 0.0),
            position_iterations => NONE,
            max_correction => NONE,
            rounds => NONE,
            geometric_stiffness => articulations.when(stabilization.geometric_stiffness),
            hertz => NONE,
            damping_ratio => NONE,
            contact_hertz => NONE,
            contact_damping_ratio => NONE,
            relax => NONE,
        }
        contact: ContactSettings {
            enabled => NONE,
            source => NONE,
            collide => NONE,
            drift => NONE,
            mean_first => NONE,
            continuous => NONE,
            fast => NONE,
            slop => NONE,
            prediction => NONE,
            max_push => NONE,
            mix => NONE,
            restitution => NONE,
            impacts => NONE,
            restitution_threshold => NONE,
        }
        friction: FrictionSettings {
            model => contacts.when(settings.friction.model != FrictionModel::Patch),
            under_load => NONE,
            twist => contacts.when(!settings.friction.twist),
            rolling => NONE,
            deferred => NONE,
        }
        // What touches nothing stays awake, and islands that may touch something are not stepped apart.
        sleep: SleepSettings {
            enabled => NONE,
            speed => NONE,
            time => NONE,
        }
        breaking: BreakingSettings {
            enabled => articulations.when(is_general(&settings.breaking)),
            force => NONE,
            torque => NONE,
        }
        formulation: FormulationSettings {
            hinge => articulations.when(forms.hinge != HingeForm::CrossProduct),
            orientation => articulations.when(forms.orientation != OrientationForm::WorldAxes),
            anchor => articulations.when(forms.anchor != AnchorForm::Length),
            constant_velocity => articulations.when(forms.constant_velocity != TwistForm::TwistRow),
            limit => (articulations | mechanisms).when(forms.limit != LimitForm::Accumulated),
            angular_stabilization => NONE,
            motor => NONE,
            rotation => articulations.when(forms.rotation != RotationForm::ExponentialMap),
            // A cap is applied after each block.
            angular_speed => (lanes | mechanisms).when(forms.angular_speed != AngularSpeedForm::Free),
            contact => NONE,
            restitution => contacts.when(forms.restitution != RestitutionForm::Larger),
            normal => contacts.when(forms.normal != NormalForm::Accumulated),
            patch => contacts.when(!matches!(forms.patch, PatchForm::LimitSurface | PatchForm::Ellipsoid)),
            rolling => contacts.when(forms.rolling != RollingForm::Pair),
            point => NONE,
            soft => NONE,
            carry => (articulations | contacts).when(forms.carry != CarryForm::AppliedFirst),
        }
    }
}
