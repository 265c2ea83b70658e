//! The step by the method that the settings name.

use super::parts::Parts;
use super::rebound::Hits;
use super::{admm, avbd, direct, gauss_seidel, jacobi, nncg, tgs_soft, wide};
use crate::settings::Method;

/// The buffers of all solvers. They are kept from step to step to save allocations and hold no state: a copy starts
/// with empty ones.
#[derive(Default)]
pub(crate) struct Scratches {
    pub jacobi: jacobi::Scratch,
    pub direct: direct::Scratch,
    pub wide: wide::Wide,
    /// Of TGS soft and of AVBD.
    pub hits: Hits,
    pub avbd: avbd::Scratch,
    pub admm: admm::Scratch,
    pub nncg: nncg::Scratch,
}

impl Clone for Scratches {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// Makes one step. It ends early, after the sub-steps made so far, if the contacts exceed their budget.
pub(crate) fn step(parts: Parts<'_>, scratches: &mut Scratches) {
    match parts.settings.solver.method {
        Method::GaussSeidel => gauss_seidel::step(parts, &mut scratches.wide),
        Method::Jacobi => jacobi::step(parts, &mut scratches.jacobi),
        Method::Direct => direct::step::step(parts, &mut scratches.direct),
        Method::Nncg => nncg::step(parts, &mut scratches.nncg),
        Method::TgsSoft => tgs_soft::step(parts, &mut scratches.wide, &mut scratches.hits),
        Method::Avbd => avbd::step(parts, &mut scratches.avbd, &mut scratches.hits),
        Method::Admm => admm::step(parts, &mut scratches.admm),
    }
}
