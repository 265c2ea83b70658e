//! The course of a drive: the value that it should have by now, which is the integral of its speed.
//!
//! ```text
//! course ← course + h J u after each velocity solve,  C = value − course
//! ```
//! Split corrections and nonlinear Gauss–Seidel move poses without changing velocities. To close the anchor of an
//! eccentric rotor they also turn the rotor back: a shaft whose speed reads ω then falls behind by about ½ (ω h)² (1 −
//! β)/β of its angle. So a drive takes part in these corrections with a row of its own, C = 0, solved together with the
//! joint's other rows (`solvers/held.rs`). A drive at its cap slips and has no course to keep. RATTLE leaves to the split
//! correction what the sweeps have left open, such as in a loop: there the same holds, except in a mechanism that bears
//! on something, whose contacts are pressed by it. Baumgarte and soft stabilisation correct by the velocities, where the
//! drive has a row already, and the direct solver leaves nothing to correct under RATTLE.

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use glam::Vec3A;

use super::joint::Joint;
use super::row::{Block, MOST, Row, RowId, RowKind, RowSpec};
use super::settings::{RowSolve, Settings, Stabilization};
use super::solvers::held::DriveBlock;
use super::solvers::{self, block};
use super::system::System;
use super::world::{Report, State};

/// The most by which a drive is led back to its course, rad or m. A drive that is farther off, because bodies were
/// held up or moved, continues from there.
const FARTHEST: f32 = 0.1;
/// A drive of a mechanism that is off by less is left alone, rad or m: a mechanism keeps its drives on course by itself, and
/// without their corrections it often needs none at all.
const ROUNDING: f32 = 1e-6;

/// The course of a drive after the last sub-step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DriveCourse {
    /// The value that the drive should have, rad modulo a turn, or m.
    value: f32,
    /// The step in which it was noted; from an older step it is out of date.
    step: u64,
    /// Whether the drive was at its cap.
    slips: bool,
}

/// A drive that keeps to a course, in the present sub-step.
#[derive(Debug, Clone)]
pub struct Drive {
    pub joint: u32,
    /// Index of its row, and the range of its joint's blocks.
    row: u32,
    blocks: Range<u32>,
    /// Its present value, rad modulo a turn, or m.
    value: f32,
    /// The bias of the correction that leads it back, m/s or rad/s; `None` where it slips.
    pseudo_bias: Option<f32>,
    /// Whether it is on its course but for rounding.
    on_course: bool,
}

/// How far a value is from another, m or rad; for angles the short way round.
fn apart(value: f32, course: f32, angular: bool) -> f32 {
    let off = value - course;
    if angular { off - TAU * ((off + PI) / TAU).floor() } else { off }
}

/// The first row of a drive that has a value, and this value, rad or m.
pub fn driven(specs: &[RowSpec]) -> Option<(&RowSpec, f32)> {
    specs.iter().find_map(|spec| match spec.kind {
        RowKind::Drive { value: Some(value), .. } => Some((spec, value)),
        _ => None,
    })
}

/// How far a drive is off its course, rad or m: zero where it has none yet, `None` where it slips.
pub fn off(joint: &Joint, value: f32, angular: bool, step: u64) -> Option<f32> {
    match joint.course.filter(|course| course.step + 1 >= step) {
        Some(course) if course.slips => None,
        Some(course) => Some(apart(value, course.value, angular).clamp(-FARTHEST, FARTHEST)),
        None => Some(0.0),
    }
}

/// Registers the drive of a joint, if it has one. The joint's blocks begin at `first`, and its rows are the last of
/// the system.
pub fn note(
    state: &State,
    system: &mut System,
    specs: &[RowSpec],
    (joint, first): (u32, u32),
    settings: &Settings,
    h: f32,
) {
    let method = settings.stabilization.method;
    let Some((spec, value)) = driven(specs) else { return };
    // Rows that are swept among themselves are corrected in their own block.
    let sweeps = !solvers::of(settings.solver.method).exact && settings.solver.rows != RowSolve::Inner;
    let (a, b) = (state.joints[joint as usize].def.a, state.joints[joint as usize].def.b);
    let left = method == Stabilization::Rattle && sweeps && ![a, b].iter().any(|body| state.rattle.is_touched(*body));
    if !(left || matches!(method, Stabilization::Split | Stabilization::Nonlinear)) {
        return;
    }
    let of_drive = |id: &RowId| matches!(id, RowId::Joint { slot, .. } if *slot == spec.slot);
    let Some(row) = system.ids.iter().rposition(of_drive) else { return };
    let off = off(&state.joints[joint as usize], value, spec.is_angular(), state.step_count);
    let beta = if method == Stabilization::Nonlinear { 0.0 } else { settings.stabilization.beta };
    let blocks = first..system.blocks.len() as u32;
    let on_course = off.is_some_and(|off| off.abs() <= ROUNDING);
    let pseudo_bias = off.map(|off| beta / h * off);
    system.drives.push(Drive { joint, row: row as u32, blocks, value, pseudo_bias, on_course });
}

/// Collects the rows that are corrected together with each drive: the unbounded rigid rows of its own joint or, for a
/// free-standing drive, those of other joints between the same two bodies. The drive of a mechanism is corrected with it.
pub fn hold(system: &mut System) {
    let System { rows, ids, blocks, drives, held, beside, trees, .. } = system;
    for drive in drives {
        let Some(pseudo_bias) = drive.pseudo_bias else { continue };
        let own = drive.blocks.start as usize..drive.blocks.end as usize;
        let (a, b) = (blocks[own.start].a, blocks[own.start].b);
        let alone = !blocks[own.clone()].iter().any(|block| is_free(block, rows));
        if trees.mechanisms.takes(drive.joint) {
            let pseudo_bias = if drive.on_course { 0.0 } else { pseudo_bias };
            (rows[drive.row as usize].pseudo_bias, rows[drive.row as usize].held) = (pseudo_bias, true);
            blocks[own].iter_mut().for_each(|block| block.pseudo |= pseudo_bias != 0.0);
            let others = blocks.iter().filter(|block| alone && (block.a, block.b) == (a, b) && is_free(block, rows));
            beside.extend(others.filter_map(|block| match ids[block.first as usize] {
                RowId::Joint { joint, .. } => Some((joint, drive.joint)),
                _ => None,
            }));
            continue;
        }
        let among = if alone { 0..blocks.len() } else { own.clone() };
        let (mut list, mut count) = ([0; MOST], 0);
        for block in &mut blocks[among] {
            let fits = count + (block.count as usize) < MOST;
            if !fits || block.held || (block.a, block.b) != (a, b) || !is_free(block, rows) {
                continue;
            }
            for (entry, row) in list[count..].iter_mut().zip(block.range()) {
                *entry = row as u32;
            }
            count += block.count as usize;
            block.held = true;
            if let (true, RowId::Joint { joint, .. }) = (alone, ids[block.first as usize]) {
                beside.push((joint, drive.joint));
            }
        }
        list[count] = drive.row;
        (rows[drive.row as usize].pseudo_bias, rows[drive.row as usize].held) = (pseudo_bias, true);
        for block in blocks[own].iter_mut().filter(|block| block.range().contains(&(drive.row as usize))) {
            (block.held, block.pseudo) = (true, pseudo_bias != 0.0);
        }
        held.push(DriveBlock::new(a, b, &list[..=count], rows));
    }
}

/// Whether all rows of a block are rigid and without bounds.
fn is_free(block: &Block, rows: &[Row]) -> bool {
    rows[block.range()].iter().all(|r| r.gamma == 0.0 && r.lo == f32::NEG_INFINITY && r.hi == f32::INFINITY)
}

/// The free-standing motor that is corrected together with this joint, if there is one.
pub fn beside(system: &System, joint: usize) -> Option<usize> {
    system.beside.iter().find(|(held, _)| *held as usize == joint).map(|(_, motor)| *motor as usize)
}

/// Advances the courses, once the velocities of a sub-step of `h` seconds are solved.
pub fn advance(state: &mut State, system: &mut System, report: &mut Report, h: f32) {
    for drive in &system.drives {
        let row = &system.rows[drive.row as usize];
        let joint = &mut state.joints[drive.joint as usize];
        let (a, b) = (joint.def.a as usize, joint.def.b as usize);
        let speed = block::speed(row, &state.velocities[a], &state.velocities[b]);
        let angular = row.lin == Vec3A::ZERO;
        let off = off(joint, drive.value, angular, state.step_count).unwrap_or(0.0);
        let held_up = [a, b].iter().any(|body| report.toi_fractions.get(*body).is_some_and(|fraction| *fraction < 1.0));
        joint.course = (!held_up).then(|| DriveCourse {
            value: apart(drive.value - off + h * speed, 0.0, angular),
            step: state.step_count,
            slips: row.impulse <= row.lo || row.impulse >= row.hi,
        });
    }
}
