//! Who makes a step: a device, threads that step islands apart, or one that steps all bodies together. And what is
//! solved in SIMD lanes, and whether a step may be divided.

use super::outcome::WholeReason;
use crate::breaking::limits::is_general;
use crate::settings::{
    AnchorForm, AngularSpeedForm, CarryForm, FrictionModel, HingeForm, LimitForm, Method, NormalForm, Order,
    OrientationForm, PatchForm, Processor, RestitutionForm, RollingForm, RotationForm, Settings, Stabilization,
    TwistForm,
};
use crate::solvers::properties;

/// What decides it, besides the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Islands {
    /// Whether the rows are read after the step, or recorded.
    pub keep_rows: bool,
    pub bodies: usize,
    /// Number of moving bodies in a batch.
    pub batch_size: usize,
    pub movers: bool,
}

/// The islands, once they are packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    /// The number of batches, and of mechanisms in SIMD lanes.
    pub batches: usize,
    pub mechanisms: usize,
    /// Whether no joint of the batches has a stabilisation of its own, and whether some body collides.
    pub alike: bool,
    pub collide: bool,
    /// Whether no mechanism is stepped in lanes.
    pub rows: bool,
}

/// Why the settings, or the number of bodies, do not let islands be stepped apart, whatever the islands are.
pub(crate) fn why_whole(settings: &Settings, world: Islands) -> Option<WholeReason> {
    let reasons = [
        (world.keep_rows, WholeReason::RowsAreRead),
        (!(properties::of(settings.solver.method).by_islands)(&settings.solver), WholeReason::Method),
        (settings.solver.spectrum_every > 0, WholeReason::Spectrum),
        (settings.stabilization.method == Stabilization::Nonlinear, WholeReason::Nonlinear),
        (world.bodies <= 2 * world.batch_size, WholeReason::FewBodies),
        (world.movers, WholeReason::Movers),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// The same for these islands.
pub(crate) fn why_whole_as_packed(settings: &Settings, packed: Packed) -> Option<WholeReason> {
    // A single mechanism in lanes: a step of rows may be divided where it whips.
    let divides = settings.step.max_turn > 0.0 && settings.stabilization.method == Stabilization::Rattle;
    let reasons = [
        (!packed.alike, WholeReason::OwnStabilization),
        (packed.collide && settings.contact.enabled, WholeReason::Contacts),
        (packed.mechanisms + packed.batches <= 1 && (packed.rows || divides), WholeReason::OneIsland),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// Whether the settings let mechanisms that are trees be stepped in SIMD lanes, without rows: solved exactly by
/// Gauss–Seidel's tree block, rows in their default forms, stabilisation off, Baumgarte, split, SHAKE or RATTLE.
pub(crate) fn mechanisms_in_lanes(settings: &Settings) -> bool {
    let Settings { solver, stabilization, formulation, .. } = settings;
    let solved = solver.method == Method::GaussSeidel
        && solver.rows.takes_trees()
        && solver.lanes
        && settings.sweeps() > 0
        && solver.tolerance == 0.0;
    let stabilized = matches!(
        stabilization.method,
        Stabilization::Off
            | Stabilization::Baumgarte
            | Stabilization::Split
            | Stabilization::Shake
            | Stabilization::Rattle
    ) && stabilization.joint_slop == 0.0
        && !stabilization.geometric_stiffness;
    let usual = formulation.hinge == HingeForm::CrossProduct
        && formulation.orientation == OrientationForm::WorldAxes
        && formulation.anchor == AnchorForm::Length
        && formulation.constant_velocity == TwistForm::TwistRow
        && formulation.limit == LimitForm::Accumulated
        && formulation.rotation == RotationForm::ExponentialMap
        && formulation.carry == CarryForm::AppliedFirst
        && formulation.angular_speed == AngularSpeedForm::Free;
    solved && stabilized && usual && !is_general(&settings.breaking)
}

/// With fewer blocks than this the SIMD sweep is not worth its preparation.
const MANY_BLOCKS: usize = 12;

/// Whether the blocks of a system, of which there are so many, are solved in SIMD lanes. Not if there are few, if each
/// sweep has its own order, if sweeps end by a tolerance, or if angular speeds are capped after each block.
pub(crate) fn blocks_in_lanes(settings: &Settings, blocks: usize) -> bool {
    let solver = &settings.solver;
    let free = settings.formulation.angular_speed == AngularSpeedForm::Free;
    free && solver.lanes && blocks >= MANY_BLOCKS && solver.order != Order::Shuffled && solver.tolerance == 0.0
}

/// With fewer contacts than this the lanes are not worth their preparation.
pub(crate) const MANY_CONTACTS: usize = 12;

/// Whether the settings, the contacts' own, let so many pairs be made and solved in SIMD lanes, without rows.
pub(crate) fn contacts_in_lanes(settings: &Settings, pairs: usize) -> bool {
    let (solver, forms) = (&settings.solver, &settings.formulation);
    pairs >= MANY_CONTACTS
        && solver.method == Method::GaussSeidel
        && solver.lanes
        && solver.tolerance == 0.0
        && solver.spectrum_every == 0
        && matches!(solver.order, Order::Forward | Order::Backward | Order::Alternating)
        && settings.stabilization.method != Stabilization::Nonlinear
        && settings.friction.model == FrictionModel::Patch
        && settings.friction.twist
        && matches!(forms.patch, PatchForm::LimitSurface | PatchForm::Ellipsoid)
        && forms.restitution == RestitutionForm::Larger
        && forms.normal == NormalForm::Accumulated
        && forms.rolling == RollingForm::Pair
        && forms.carry == CarryForm::AppliedFirst
        && forms.angular_speed == AngularSpeedForm::Free
}

/// Whether the settings let a step be divided where a mechanism whips: see `divide/`.
pub(crate) fn may_divide(settings: &Settings) -> bool {
    settings.step.max_turn > 0.0 && settings.solver.device == Processor::Cpu
}
