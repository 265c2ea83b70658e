//! What the tabs of the laboratory want to know of the next step. It is computed with the step, beside the frame.

use delassus_lab::{EliminationOrder, Inside, Matrix, SweepCurve, TracedStep, by_kind, compare};
use delassus_physics::trace::Depth;
use delassus_physics::world::World;

/// What the open tab wants to know. A body stands for its mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabRequest {
    Rows,
    Matrix(Option<u32>),
    Sweeps { others: bool },
    Inside(Option<u32>),
}

/// The answer.
pub(super) enum Answer {
    Rows,
    Matrix(Option<Box<MatrixAnswer>>),
    Sweeps(SweepsAnswer),
    Inside(InsideAnswer),
}

/// The Delassus matrix of a mechanism.
pub(super) struct MatrixAnswer {
    pub matrix: Matrix,
    pub elimination: EliminationOrder,
    pub nulls: Vec<Vec<f64>>,
}

/// Convergence curves: of the step or of all methods, and by kind of row.
pub(super) struct SweepsAnswer {
    pub curves: Vec<SweepCurve>,
    pub kinds: Vec<SweepCurve>,
}

/// The ticks within the step, and those at the ends of sweeps.
pub(super) struct InsideAnswer {
    pub inside: Inside,
    pub stops: Vec<usize>,
}

impl LabRequest {
    pub(super) fn depth(self) -> Depth {
        if matches!(self, Self::Inside(_)) { Depth::Blocks } else { Depth::Sweeps }
    }

    /// Answers for this step from this world.
    pub(super) fn answer(self, world: &World, traced: &TracedStep) -> Answer {
        match self {
            Self::Rows => Answer::Rows,
            Self::Matrix(body) => Answer::Matrix(Matrix::of(traced, body).map(|matrix| {
                let elimination = EliminationOrder::of(traced, &matrix.parts);
                let nulls = if matrix.redundant() > 0 { matrix.null_vectors() } else { Vec::new() };
                Box::new(MatrixAnswer { matrix, elimination, nulls })
            })),
            Self::Sweeps { others } => {
                Answer::Sweeps(SweepsAnswer { curves: compare(world, traced, others), kinds: by_kind(traced) })
            }
            Self::Inside(body) => {
                let inside = Inside::of(traced, body);
                let stops = inside.stops();
                Answer::Inside(InsideAnswer { inside, stops })
            }
        }
    }
}

impl Answer {
    pub(super) fn matrix(&self) -> Option<&MatrixAnswer> {
        if let Self::Matrix(matrix) = self { matrix.as_deref() } else { None }
    }

    pub(super) fn sweeps(&self) -> Option<&SweepsAnswer> {
        if let Self::Sweeps(sweeps) = self { Some(sweeps) } else { None }
    }

    pub(super) fn inside(&self) -> Option<&InsideAnswer> {
        if let Self::Inside(inside) = self { Some(inside) } else { None }
    }
}
