//! Warm starting: rows start from the impulses of the step before, which are applied to the velocities once. After the
//! solve the impulses are stored in their joints and contacts.
//!
//! A row that was not active stores nothing; its next start is from zero. 001 keeps its multipliers but clears the
//! velocity changes that belong to them, so its first sweep corrects velocities without the old impulses (erratum 10).
//! 004's limited joints do not keep the impulses of their angular rows (erratum 18). Both are choices of the setting
//! `formulation.carry`. Source: 000 Warm starting; 004 ch. 10.1 (the guard), 18, 20.

pub(crate) mod deferred;
pub(crate) mod supports;

use glam::Vec3;

pub use self::deferred::apply;
pub(crate) use self::deferred::{apply_deferred, collect};
use super::angular_cap;
use super::body::Velocity;
use super::kernel::patch::tangents;
use super::row::{Block, ContactPart, Owner, RowId, SLOTS};
use super::settings::{CarryForm, Settings, WarmStartSettings};
use super::system::System;
use super::warm_start_limiter;
use super::world::report::Report;
use super::world::state::State;

/// Scales the stored impulses down to a sub-step of `h` seconds if they are those of a longer one, since a load of F
/// newtons has the impulse F h. Sub-steps differ in length because steps may be divided into parts (`divide/`). Impulses
/// of a shorter sub-step are not scaled up: those of an impact would add energy.
pub fn rescale_impulses(state: &mut State, h: f32) {
    let share = h / state.impulses_of;
    if share.is_nan() || share >= 1.0 {
        return;
    }
    state.joints.iter_mut().flat_map(|joint| &mut joint.impulses).for_each(|impulse| *impulse *= share);
    state.contacts.pairs.iter_mut().for_each(|pair| pair.near.manifold.fade(share));
    state.planes.iter_mut().for_each(|plane| plane.impulse *= share);
    state.impulses_of = h;
}

/// Applies the impulses that the rows start from. Returns true if they are deferred: the caller then applies them by
/// [`apply_deferred`] after the first sweep.
pub(crate) fn apply_cached_impulses(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    deferred: &mut Vec<Velocity>,
    scratch: &mut warm_start_limiter::Scratch,
    reads: bool,
    h: f32,
) -> bool {
    let is_deferred = settings.formulation.carry == CarryForm::AsPrinted;
    let watches = warm_start_limiter::watches(settings, state, system, reads);
    if is_deferred || watches {
        system.contacts.update_for_substep(&state.bodies, &state.contacts, &mut []);
    }
    if watches {
        warm_start_limiter::scale(settings, state, system, (scratch, deferred), h);
    }
    if is_deferred {
        collect(state, system, deferred);
    } else {
        apply_all(state, system);
    }
    is_deferred
}

/// Applies all impulses that the rows start from to the velocities.
fn apply_all(state: &mut State, system: &mut System) {
    let State { velocities, contacts, bodies, .. } = state;
    let (joints, others) = system.blocks.split_at(system.before_contacts());
    apply_blocks(system, joints, velocities);
    if !system.contacts.update_for_substep(bodies, contacts, velocities) {
        system.contacts.apply(velocities);
    }
    apply_blocks(system, others, velocities);
}

/// Applies the old impulses of some blocks, one block after the other, and limits angular speeds as the book does if the
/// setting says so.
fn apply_blocks(system: &System, blocks: &[Block], velocities: &mut [Velocity]) {
    if system.capped.is_empty() {
        return apply(&system.rows, blocks, velocities);
    }
    for block in blocks {
        apply(&system.rows, std::slice::from_ref(block), velocities);
        angular_cap::cut(velocities, [block.a, block.b], |body| system.capped[body]);
    }
}

/// 004's guard on what is carried to the next step: impulses that are not finite are reset to zero, if the setting
/// says so, and impulses above the cap are clamped to it.
struct Guard {
    cap: f32,
    reset: bool,
    /// How many impulses were not finite or above the cap.
    caught: usize,
}

impl Guard {
    fn new(settings: &WarmStartSettings) -> Self {
        let cap = if settings.impulse_cap > 0.0 { settings.impulse_cap } else { f32::MAX };
        Self { cap, reset: settings.reset, caught: 0 }
    }

    #[inline(always)]
    fn keep(&mut self, impulse: f32) -> f32 {
        if impulse.abs() <= self.cap { impulse } else { self.catch(impulse) }
    }

    #[cold]
    fn catch(&mut self, impulse: f32) -> f32 {
        self.caught += 1;
        match (impulse.is_finite(), self.reset) {
            (true, _) => impulse.clamp(-self.cap, self.cap),
            (false, true) => 0.0,
            (false, false) => impulse,
        }
    }
}

/// Stores the impulses in joints and contacts; `without_impacts` are those of all rows without the impacts, if there
/// were any. Contacts in lanes are stored only after the step's `last` sub-step, or where the next sub-step does not
/// continue with the same contacts.
pub(crate) fn store(
    settings: &Settings,
    state: &mut State,
    system: &System,
    report: &mut Report,
    without_impacts: Option<&[f32]>,
    last: bool,
) {
    let mut guard = Guard::new(&settings.warm_start);
    let anchors_only = settings.formulation.carry == CarryForm::AnchorsOnly;
    // The impulse of an impact is not a load: the next step does not start from it.
    let load = |row: usize| without_impacts.map_or(system.rows[row].impulse, |impulses| impulses[row]);
    for (joint, bounds) in state.joints.iter_mut().zip(system.joint_rows.windows(2)) {
        joint.impulses = [0.0; SLOTS];
        for row in bounds[0] as usize..bounds[1] as usize {
            let is_dropped = anchors_only && system.rows[row].is_angular();
            if let (false, RowId::Joint { slot, .. }) = (is_dropped, system.ids[row]) {
                joint.impulses[slot as usize] = guard.keep(load(row));
            }
        }
    }
    let mut frictions = system.frictions.iter();
    for block in &system.blocks {
        let (Owner::Contact(pair), Some((normals, _))) = (block.owner, block.coupling.contact()) else { continue };
        let manifold = &mut state.contacts.pairs[pair as usize].near.manifold;
        let normal_rows = block.first as usize..block.first as usize + normals as usize;
        manifold.impact_share = match (without_impacts, system.is_struck(block)) {
            (_, true) => 1.0,
            (None, false) => 0.0,
            (Some(_), false) => {
                let sum: f32 = system.rows[normal_rows.clone()].iter().map(|row| row.impulse).sum();
                let load: f32 = normal_rows.map(load).sum();
                if sum > load { 1.0 - load / sum } else { 0.0 }
            }
        };
        let (t1, t2) = tangents(manifold.normal);
        (manifold.friction, manifold.twist, manifold.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
        manifold.points.iter_mut().for_each(|point| point.friction = Vec3::ZERO);
        manifold.friction_model = frictions.next().copied().unwrap_or_default();
        for (row, id) in system.rows[block.range()].iter().zip(&system.ids[block.range()]) {
            let RowId::Contact { part, .. } = *id else { continue };
            let impulse = guard.keep(row.impulse);
            let along = |second: bool| impulse * if second { t2 } else { t1 };
            match part {
                ContactPart::Normal(point) => manifold.points[point as usize].impulse = impulse,
                ContactPart::Tangent { at: Some(point), second } => {
                    manifold.points[point as usize].friction += along(second);
                }
                ContactPart::Tangent { at: None, second } => manifold.friction += along(second),
                ContactPart::Twist => manifold.twist = impulse,
                ContactPart::Rolling { second } => manifold.rolling += along(second),
            }
        }
    }
    if last || !state.contacts.serves_all(settings) || state.contacts.shared.is_stale() {
        system.contacts.store(&mut state.contacts.pairs, |impulse| guard.keep(impulse));
    }
    report.guarded += guard.caught;
    state.impulses_of = settings.h();
}
