//! The parameters and the scheme of a step, from the settings: what the kernels read, and in which order they run.

use bytemuck::{Pod, Zeroable};

use super::constants::{PRINTED_ROTATION, SPLIT};
use super::layout::{Buffer, Sizes};
use delassus_physics::settings::{CarryForm, JacobiStep, Method, RotationForm, Settings};
use delassus_physics::{solvers, stabilize};

/// How a sweep is divided into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// 001's two passes, with velocities computed from the total λ in each sweep.
    Printed,
    /// Two passes, with velocities updated by the change of λ.
    Incremental,
    /// One pass over the constraints, from λ to λ.
    #[default]
    OnePass,
    /// Gauss–Seidel, one pass per turn.
    Coloured,
    /// Trees solved exactly; the joints that close loops are solved by turns after them.
    Exact,
    /// Chains solved exactly by cyclic reduction.
    Cyclic,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Printed, Self::Incremental, Self::OnePass, Self::Coloured, Self::Exact, Self::Cyclic];
    /// Those of Jacobi.
    pub const JACOBI: [Self; 3] = [Self::Printed, Self::Incremental, Self::OnePass];
    /// If more constraints meet at a body, the one-pass scheme repeats too much gathering.
    const MAX_FOR_ONE_PASS: u32 = 4;

    /// The scheme that the settings select; `constraints_per_body` is the largest number of constraints at a body, `chained`
    /// whether the constraints are laid out as chains.
    pub fn of(settings: &Settings, constraints_per_body: u32, chained: bool) -> Self {
        match (settings.solver.method, settings.solver.rows) {
            (Method::Jacobi, _) => Self::fitting(constraints_per_body),
            (_, rows) if rows.takes_trees() => {
                if chained {
                    Self::Cyclic
                } else {
                    Self::Exact
                }
            }
            _ => Self::Coloured,
        }
    }

    /// The Jacobi scheme with the least memory traffic for this number of constraints at a body.
    pub fn fitting(constraints_per_body: u32) -> Self {
        if constraints_per_body <= Self::MAX_FOR_ONE_PASS { Self::OnePass } else { Self::Incremental }
    }

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Incremental => "incremental",
            Self::OnePass => "one-pass",
            Self::Coloured => "coloured",
            Self::Exact => "exact",
            Self::Cyclic => "cyclic",
        }
    }
}

/// The parameters of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverConfig {
    /// Length of a sub-step, s.
    pub h: f32,
    /// Sub-steps per step, and sweeps per sub-step.
    pub substeps: u32,
    pub sweeps: u32,
    pub scheme: Scheme,
    /// Gravity, m/s².
    pub gravity: [f32; 3],
    /// β/h, 1/s.
    pub rate: f32,
    /// Relaxation ω.
    pub omega: f32,
    /// The warm-start factor on the previous impulses.
    pub warm: f32,
    /// Whether the first sweep does not use the warm-start impulses (001's warm start as printed).
    pub deferred: bool,
    /// Whether masses are split (mass splitting).
    pub split: bool,
    /// Whether rotations are advanced as 001 prints it.
    pub printed_rotation: bool,
}

/// The parameters as the kernels read them: see `shaders/gpu_common.wgsl`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Uniform {
    bodies: u32,
    constraints: u32,
    flags: u32,
    nodes: u32,
    gravity: [f32; 3],
    h: f32,
    rate: f32,
    omega: f32,
    warm: f32,
    spare_too: f32,
}

const _: () = assert!(size_of::<Uniform>() == 48, "`Buffer::Config` has these bytes");

impl SolverConfig {
    /// From the settings; for `constraints_per_body` and `chained` see [`Scheme::of`].
    pub fn new(settings: &Settings, constraints_per_body: u32, chained: bool) -> Self {
        let h = settings.h();
        let warm = &settings.warm_start;
        let at_once = settings.solver.method == Method::Jacobi;
        Self {
            h,
            substeps: settings.step.substeps,
            sweeps: settings.sweeps(),
            scheme: Scheme::of(settings, constraints_per_body, chained),
            gravity: settings.step.gravity.to_array(),
            rate: stabilize::rate(settings, h),
            omega: solvers::jacobi::relaxation(&settings.solver, constraints_per_body),
            warm: if warm.enabled { warm.factor } else { 0.0 },
            deferred: settings.formulation.carry == CarryForm::AsPrinted,
            split: at_once && settings.solver.jacobi == JacobiStep::MassSplitting,
            printed_rotation: settings.formulation.rotation == RotationForm::AsPrinted,
        }
    }

    /// The uniform that the kernels read.
    pub fn uniform(&self, sizes: Sizes) -> Uniform {
        debug_assert_eq!(Buffer::Config.stride(), size_of::<Uniform>() as u64, "the layout's table");
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        Uniform {
            bodies: sizes.bodies as u32,
            constraints: sizes.constraints as u32,
            flags: flag(self.split, SPLIT) | flag(self.printed_rotation, PRINTED_ROTATION),
            nodes: sizes.nodes as u32,
            gravity: self.gravity,
            h: self.h,
            rate: self.rate,
            omega: self.omega,
            warm: self.warm,
            spare_too: 0.0,
        }
    }
}
