//! A step's numbers and its scheme, from the settings: what the kernels read, and in which order they run.

use bytemuck::{Pod, Zeroable};

use super::layout::{Buffer, Sizes};
use crate::physics::settings::{CarryForm, JacobiStep, Method, RotationForm, RowSolve, Settings};
use crate::physics::{solvers, stabilize};

/// How a sweep is cut into kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// 001's two passes, the velocities from the total λ each time.
    Printed,
    /// Two passes, the velocities by what λ has changed.
    Incremental,
    /// One pass over the constraints, from λ to λ.
    #[default]
    OnePass,
    /// Gauss–Seidel, a pass a turn.
    Coloured,
    /// Trees solved exactly; what closes loops takes turns behind them.
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
    /// Where more constraints than this meet at a body, one pass gathers too much twice.
    const MEETING: u32 = 4;

    /// The one that the settings ask for, where so many constraints meet at a body and lie as chains or do not.
    pub fn of(settings: &Settings, meeting: u32, chained: bool) -> Self {
        match (settings.solver.method, settings.solver.rows) {
            (Method::Jacobi, _) => Self::fitting(meeting),
            (_, RowSolve::Tree) if chained => Self::Cyclic,
            (_, RowSolve::Tree) => Self::Exact,
            _ => Self::Coloured,
        }
    }

    /// The one of Jacobi that moves least where so many constraints meet at a body.
    pub fn fitting(meeting: u32) -> Self {
        if meeting <= Self::MEETING { Self::OnePass } else { Self::Incremental }
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

/// A step's numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverConfig {
    /// Length of a sub-step, s.
    pub h: f32,
    pub substeps: u32,
    pub sweeps: u32,
    pub scheme: Scheme,
    /// m/s².
    pub gravity: [f32; 3],
    /// β/h, 1/s.
    pub rate: f32,
    /// ω.
    pub omega: f32,
    /// The share of the last impulses that a sub-step starts from.
    pub warm: f32,
    /// The first sweep does not see them (001's warm start as printed).
    pub late: bool,
    /// Mass splitting.
    pub split: bool,
    /// Rotations are advanced as 001 prints it.
    pub printed_rotation: bool,
}

/// The same as the kernels read it: see `shaders/gpu_common.wgsl`.
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

const SPLIT: u32 = 1;
const PRINTED_ROTATION: u32 = 2;

impl SolverConfig {
    /// By the settings, where so many constraints meet at a body and lie as chains or do not.
    pub fn new(settings: &Settings, meeting: u32, chained: bool) -> Self {
        let h = settings.h();
        let warm = &settings.warm_start;
        let at_once = settings.solver.method == Method::Jacobi;
        Self {
            h,
            substeps: settings.step.substeps,
            sweeps: settings.sweeps(),
            scheme: Scheme::of(settings, meeting, chained),
            gravity: settings.step.gravity.to_array(),
            rate: stabilize::rate(settings, h),
            omega: solvers::jacobi::relaxation(&settings.solver, meeting),
            warm: if warm.enabled { warm.factor } else { 0.0 },
            late: settings.formulation.carry == CarryForm::AsPrinted,
            split: at_once && settings.solver.jacobi == JacobiStep::MassSplitting,
            printed_rotation: settings.formulation.rotation == RotationForm::AsPrinted,
        }
    }

    /// As the kernels read it.
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
