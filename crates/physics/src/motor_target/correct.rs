//! Which drives keep to a target, how they are corrected, and how their targets advance.

use super::{Drive, MotorTarget, difference, distance_off, driven};
use crate::kernel::row::speed;
use crate::row::{Block, MAX_BLOCK_ROWS, Row, RowId, RowSpec};
use crate::settings::{RowSolve, Settings, Stabilization};
use crate::solvers::drive_block::DriveBlock;
use crate::solvers::properties;
use crate::system::System;
use crate::world::report::Report;
use crate::world::state::State;

/// A drive of a mechanism that is off by less is left alone, rad or m: a mechanism keeps its drives at their targets by
/// itself, and without their corrections it often needs none at all.
const ROUNDING: f32 = 1e-6;

/// Registers the drive of a joint, if it has one. The joint's blocks begin at `first`, and its rows are the last of
/// the system.
pub fn register(
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
    let sweeps = !properties::of(settings.solver.method).exact && settings.solver.rows != RowSolve::Inner;
    let (a, b) = (state.joints[joint as usize].def.a, state.joints[joint as usize].def.b);
    let left = method == Stabilization::Rattle && sweeps && ![a, b].iter().any(|body| state.rattle.is_touched(*body));
    if !(left || matches!(method, Stabilization::Split | Stabilization::Nonlinear)) {
        return;
    }
    let of_drive = |id: &RowId| matches!(id, RowId::Joint { slot, .. } if *slot == spec.slot);
    let Some(row) = system.ids.iter().rposition(of_drive) else { return };
    let off = distance_off(state.joints[joint as usize].motor_target, value, spec.is_angular(), state.step_count);
    let beta = if method == Stabilization::Nonlinear { 0.0 } else { settings.stabilization.beta };
    let blocks = first..system.blocks.len() as u32;
    let at_target = off.is_some_and(|off| off.abs() <= ROUNDING);
    let pseudo_bias = off.map(|off| beta / h * off);
    system.drives.push(Drive { joint, row: row as u32, blocks, value, pseudo_bias, at_target });
}

/// Collects the rows that are corrected together with each drive: the unbounded rigid rows of its own joint or, for a
/// free-standing drive, those of other joints between the same two bodies. The drive of a mechanism is corrected with
/// it.
pub fn collect_blocks(system: &mut System) {
    let System { rows, ids, blocks, drives, drive_blocks, paired_motors, trees, .. } = system;
    for drive in drives {
        let Some(pseudo_bias) = drive.pseudo_bias else { continue };
        let joint_blocks = drive.blocks.start as usize..drive.blocks.end as usize;
        let (a, b) = (blocks[joint_blocks.start].a, blocks[joint_blocks.start].b);
        let alone = !blocks[joint_blocks.clone()].iter().any(|block| is_free(block, rows));
        if trees.mechanisms.takes(drive.joint) {
            let pseudo_bias = if drive.at_target { 0.0 } else { pseudo_bias };
            (rows[drive.row as usize].pseudo_bias, rows[drive.row as usize].in_drive_block) = (pseudo_bias, true);
            blocks[joint_blocks].iter_mut().for_each(|block| block.pseudo |= pseudo_bias != 0.0);
            let others = blocks.iter().filter(|block| alone && (block.a, block.b) == (a, b) && is_free(block, rows));
            paired_motors.extend(others.filter_map(|block| match ids[block.first as usize] {
                RowId::Joint { joint, .. } => Some((joint, drive.joint)),
                _ => None,
            }));
            continue;
        }
        let among = if alone { 0..blocks.len() } else { joint_blocks.clone() };
        let (mut list, mut count) = ([0; MAX_BLOCK_ROWS], 0);
        for block in &mut blocks[among] {
            let fits = count + (block.count as usize) < MAX_BLOCK_ROWS;
            if !fits || block.in_drive_block || (block.a, block.b) != (a, b) || !is_free(block, rows) {
                continue;
            }
            for (entry, row) in list[count..].iter_mut().zip(block.range()) {
                *entry = row as u32;
            }
            count += block.count as usize;
            block.in_drive_block = true;
            if let (true, RowId::Joint { joint, .. }) = (alone, ids[block.first as usize]) {
                paired_motors.push((joint, drive.joint));
            }
        }
        list[count] = drive.row;
        (rows[drive.row as usize].pseudo_bias, rows[drive.row as usize].in_drive_block) = (pseudo_bias, true);
        for block in blocks[joint_blocks].iter_mut().filter(|block| block.range().contains(&(drive.row as usize))) {
            (block.in_drive_block, block.pseudo) = (true, pseudo_bias != 0.0);
        }
        drive_blocks.push(DriveBlock::new(a, b, &list[..=count], rows));
    }
}

/// Whether all rows of a block are rigid and without bounds.
fn is_free(block: &Block, rows: &[Row]) -> bool {
    rows[block.range()].iter().all(|r| r.gamma == 0.0 && r.lo == f32::NEG_INFINITY && r.hi == f32::INFINITY)
}

/// The free-standing motor that is corrected together with this joint, if there is one.
pub fn paired_motor(system: &System, joint: usize) -> Option<usize> {
    system.paired_motors.iter().find(|(held, _)| *held as usize == joint).map(|(_, motor)| *motor as usize)
}

/// Advances the targets, once the velocities of a sub-step of `h` seconds are solved.
pub fn advance(state: &mut State, system: &mut System, report: &mut Report, h: f32) {
    for drive in &system.drives {
        let row = &system.rows[drive.row as usize];
        let joint = &mut state.joints[drive.joint as usize];
        let (a, b) = (joint.def.a as usize, joint.def.b as usize);
        let speed = speed(row, &state.velocities[a], &state.velocities[b]);
        let angular = row.is_angular();
        let off = distance_off(joint.motor_target, drive.value, angular, state.step_count).unwrap_or(0.0);
        let held_up = [a, b].iter().any(|body| report.toi_fractions.get(*body).is_some_and(|fraction| *fraction < 1.0));
        joint.motor_target = (!held_up).then(|| MotorTarget {
            value: difference(drive.value - off + h * speed, 0.0, angular),
            step: state.step_count,
            slips: row.impulse <= row.lo || row.impulse >= row.hi,
        });
    }
}
