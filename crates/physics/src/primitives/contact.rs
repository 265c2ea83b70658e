//! Contact: bodies do not overlap along the normal n from A to B.
//!
//! ```text
//! C = gap,  J = [−n, n × rA, n, rB × n],  λ ≥ 0      rA, rB reach to one point halfway between the surfaces,
//!                                                   or to the two points that will meet (`collide/ahead.rs`)
//! K = 1/mA + 1/mB + (n×rA)ᵀ I_A⁻¹ (n×rA) + (rB×n)ᵀ I_B⁻¹ (rB×n)
//! ```
//! The bias is in `stabilize::contact`, restitution in `restitution.rs`. The approach speed is taken from the
//! velocities before forces and warm starting, so that gravity's change in the step does not count as an impact
//! (erratum 11). One block per manifold: normals, then friction. Source: 000 Contact; 002.

use glam::{Mat3A, Vec3};

use super::friction;
use super::surface::mix;
use crate::body::{Material, Velocity};
use crate::collide::manifold::Manifold;
use crate::effective_mass::{inverses, row, row_mass};
use crate::kernel::patch::LeverArms;
pub use crate::kernel::patch::tangents;
use crate::kernel::row::{invert, speed};
use crate::row::{Block, BoundRange, ContactPart, Coupling, Jacobian, Owner, Row, RowId};
use crate::settings::{RestitutionForm, Settings};
use crate::solvers::coupled;
use crate::system::System;
use crate::system::bounce::Bounce;
use crate::system::carried::CachedRows;
use crate::world::state::State;
use crate::{relax, softness, stabilize};

/// Adds the rows of all touching manifolds that do not sleep, in the order in which they are solved.
pub fn rows(settings: &Settings, state: &State, system: &mut System, h: f32) {
    let settings = &*stabilize::settings_of_contacts(settings);
    let factor = settings.warm_start.factor;
    let printed = friction::printed(settings);
    let order = std::mem::take(&mut system.contact_order);
    for index in order.pairs().iter().copied() {
        let pair = &state.contacts.pairs[index as usize];
        let (ia, ib, pieces, manifold) = (pair.a, pair.b, pair.pieces, &pair.near.manifold);
        let (a, b) = (&state.bodies[ia as usize], &state.bodies[ib as usize]);
        let (va, vb) = (&state.velocities[ia as usize], &state.velocities[ib as usize]);
        let material = mix(a, b, settings);
        let first = system.rows.len() as u32;
        let touching = manifold.points.iter().filter(|point| point.separation < 0.0).count();
        let side = 0.5 * manifold.sideways;
        for (point_index, point) in manifold.points.iter().enumerate() {
            let arms = LeverArms::of_normal(point.position, side, (a.position, b.position));
            let (ang_a, ang_b) = arms.angular(manifold.normal);
            let jacobian = Jacobian { lin: manifold.normal, ang_a, ang_b, net: Vec3::ZERO };
            let mut row = row(&jacobian, a, b);
            let approach = jacobian.speed(va.linear.into(), va.angular.into(), vb.linear.into(), vb.angular.into());
            set_normal_target(
                &mut row,
                ((point.separation, point.curvature), approach, manifold.slop),
                (&material, touching),
                settings,
                h,
                system,
            );
            row.impulse = (factor * point.impulse).clamp(row.lo, row.hi);
            system.rows.push(row);
            system.ids.push(RowId::Contact { a: ia, b: ib, pieces, part: ContactPart::Normal(point_index as u8) });
        }
        let bounds = system.couplings.bounds.len() as u32;
        let mut writer = friction::RowWriter { a, b, ends: (ia, ib), pieces, first, system };
        let pseudo = writer.system.rows[first as usize..].iter().any(Row::is_split);
        let spin = (vb.angular - va.angular).into();
        let friction = friction::rows(manifold, &material, settings, spin, &mut writer);
        let count = system.rows.len() as u32 - first;
        let normals = manifold.points.len() as u8;
        let bounds = BoundRange { first: bounds, count: (system.couplings.bounds.len() as u32 - bounds) as u8 };
        let coupling = match printed {
            Some(form) => Coupling::Printed { normals, bounds, form },
            None => {
                let block_bounds = &system.couplings.bounds[bounds.range()];
                let coupled = coupled::is_coupled(block_bounds, &system.rows[first as usize..]);
                Coupling::Contact { normals, mean: settings.contact.mean_first && normals > 1, coupled, bounds }
            }
        };
        system.frictions.push(friction);
        let owner = Owner::Contact(index);
        system.blocks.push(Block { owner, a: ia, b: ib, first, count, coupling, pseudo, in_drive_block: false });
    }
    system.contact_order = order;
}

/// Sets bias, bounds, softness and restitution of a normal row from its gap, m, its curvature bias, m/s, its approach
/// speed, m/s, and the pair's slop, m. The row must be the next to be pushed; `touching` is the number of overlapping points
/// of its pair.
fn set_normal_target(
    row: &mut Row,
    ((gap, curvature), approach, slop): ((f32, f32), f32, f32),
    (material, touching): (&Material, usize),
    settings: &Settings,
    h: f32,
    system: &mut System,
) {
    let grounded = row.inv_ma == 0.0 || row.inv_mb == 0.0;
    let target = stabilize::contact((gap, curvature, slop), (approach, material.restitution), grounded, settings, h);
    (row.bias, row.pseudo_bias, row.lo, row.hi) = (target.bias, target.pseudo_bias, target.lo, target.hi);
    match material.soft {
        Some(softness) => softness::contact(row, gap, softness, touching, h),
        None => relax::soften(system, row, target.softness, settings.stabilization.relax),
    }
    let can_bounce = settings.contact.restitution && settings.formulation.restitution == RestitutionForm::Larger;
    if can_bounce && material.restitution > 0.0 && material.soft.is_none() {
        system.bounces.push(Bounce::new(system.rows.len(), material.restitution, approach));
    }
}

/// Copies the contact rows of a system that is about to be rebuilt. If there were bounces, `without_impacts` has the
/// impulses of all rows without them, since an impact is not a lasting load.
pub fn copy_rows(system: &mut System, without_impacts: Option<&[f32]>) {
    let System { rows, ids, blocks, couplings, frictions, carried, .. } = system;
    let is_contact = |block: &&Block| matches!(block.owner, Owner::Contact(_));
    let before = blocks.iter().take_while(|block| !is_contact(block)).count();
    let count = blocks[before..].iter().take_while(is_contact).count();
    let contact_blocks = &blocks[before..before + count];
    let first = contact_blocks.first().map_or(0, |block| block.first);
    let range = first as usize..contact_blocks.last().map_or(0, |block| block.range().end);
    carried.rows.clear();
    carried.rows.extend_from_slice(&rows[range.clone()]);
    carried.ids.clear();
    carried.ids.extend_from_slice(&ids[range.clone()]);
    carried.blocks.clear();
    carried.blocks.extend(contact_blocks.iter().map(|block| Block { first: block.first - first, ..*block }));
    carried.bounds.clone_from(&couplings.bounds);
    carried.frictions.clone_from(frictions);
    if let Some(loads) = without_impacts {
        carried.rows.iter_mut().zip(&loads[range]).for_each(|(row, load)| row.impulse = *load);
    }
    // What stopped the bodies of an impact is no load, either.
    let mut struck = std::mem::take(&mut system.struck);
    struck.clear();
    struck.extend(
        (before..before + count).filter(|index| system.is_struck(&system.blocks[*index])).map(|index| index - before),
    );
    for block in struck.iter().map(|index| system.carried.blocks[*index]) {
        system.carried.rows[block.range()].iter_mut().for_each(|row| row.impulse = 0.0);
    }
    system.struck = struck;
}

/// Sets the angular parts of a contact's rows whose points have moved since they were made.
fn set_arms(rows: &mut [Row], ids: &[RowId], manifold: &Manifold, centres: (Vec3, Vec3)) {
    let side = 0.5 * manifold.sideways;
    let (centre, gap) = manifold.centre_and_gap(manifold.slop);
    for (row, id) in rows.iter_mut().zip(ids) {
        let RowId::Contact { part, .. } = id else { continue };
        let arms = match part {
            ContactPart::Normal(at) => LeverArms::of_normal(manifold.points[*at as usize].position, side, centres),
            ContactPart::Tangent { at: None, .. } => {
                LeverArms::of_friction((centre, gap), manifold.normal, side, centres)
            }
            ContactPart::Tangent { at: Some(at), .. } => {
                let point = &manifold.points[*at as usize];
                LeverArms::of_friction((point.position, point.separation), manifold.normal, side, centres)
            }
            _ => continue,
        };
        let (ang_a, ang_b) = arms.angular(Vec3::from(row.lin));
        (row.ang_a, row.ang_b) = (ang_a.into(), ang_b.into());
    }
}

/// Sets the biases of friction that acts along the surface to the curvature bias of the contact, m/s.
fn set_curvature(rows: &mut [Row], ids: &[RowId], curvature: Vec3) {
    for (row, id) in rows.iter_mut().zip(ids) {
        if matches!(id, RowId::Contact { part: ContactPart::Tangent { .. }, .. }) {
            row.bias = Vec3::from(row.lin).dot(curvature);
        }
    }
}

/// A row of a contact between bodies that have turned since it was made: the inertia of a thin rod that spins depends on
/// where it points.
fn turned(row: &Row, (_, inertia_a): &(f32, Mat3A), (_, inertia_b): &(f32, Mat3A)) -> Row {
    let mut row = Row { inv_ia: *inertia_a * row.ang_a, inv_ib: *inertia_b * row.ang_b, ..*row };
    row.inv_k = invert(row_mass(&row, 1.0, 1.0));
    row
}

/// Adds the contact rows of the previous sub-step again, after the rows of the joints. Gaps are updated by the
/// bodies' `shifts` since the points were found, and inertias by how they have turned.
pub fn carry(settings: &Settings, state: &State, system: &mut System, shifts: &[Velocity], h: f32) {
    let settings = &*stabilize::settings_of_contacts(settings);
    let warm = &settings.warm_start;
    let of_normals = if warm.enabled { warm.factor } else { 0.0 };
    let of_friction = if warm.patch { of_normals } else { 0.0 };
    let mut carried = std::mem::take(&mut system.carried);
    let CachedRows { rows: all_rows, ids, blocks, bounds: all_bounds, frictions } = &mut carried;
    for block in &*blocks {
        let (Owner::Contact(pair), Some((normals, _))) = (block.owner, block.coupling.contact()) else { continue };
        let ends = [block.a as usize, block.b as usize];
        let material = mix(&state.bodies[ends[0]], &state.bodies[ends[1]], settings);
        let manifold = &state.contacts.pairs[pair as usize].near.manifold;
        let Manifold { points, slop, has_rolled, .. } = manifold;
        let (rows, first) = (&mut all_rows[block.range()], system.rows.len() as u32);
        if *has_rolled {
            set_curvature(rows, &ids[block.range()], manifold.curvature);
            let centres = ends.map(|body| state.bodies[body].position);
            set_arms(rows, &ids[block.range()], manifold, (centres[0], centres[1]));
        }
        let (normal_rows, others) = rows.split_at(normals as usize);
        let [a, b] = ends.map(|body| inverses(&state.bodies[body]));
        let gap = |row: &Row, found: f32| match has_rolled {
            true => found,
            false => found + speed(row, &shifts[ends[0]], &shifts[ends[1]]),
        };
        let gaps = || normal_rows.iter().zip(points).map(|(row, point)| gap(row, point.separation));
        let touching = gaps().filter(|gap| *gap < 0.0).count();
        for ((row, gap), point) in normal_rows.iter().zip(gaps()).zip(points) {
            let mut row = Row { gamma: 0.0, pseudo_impulse: 0.0, ..turned(row, &a, &b) };
            let approach = speed(&row, &state.velocities[ends[0]], &state.velocities[ends[1]]);
            let gap = (gap, point.curvature);
            set_normal_target(&mut row, (gap, approach, *slop), (&material, touching), settings, h, system);
            row.impulse = (of_normals * row.impulse).clamp(row.lo, row.hi);
            system.rows.push(row);
        }
        system.rows.extend(others.iter().map(|row| Row { impulse: of_friction * row.impulse, ..turned(row, &a, &b) }));
        if let Some((_, bounds)) = block.coupling.contact() {
            let rows = &mut system.rows[first as usize..];
            all_bounds[bounds.range()].iter().for_each(|bound| bound.common_step(rows));
        }
        let pseudo = system.rows[first as usize..][..normals as usize].iter().any(Row::is_split);
        system.blocks.push(Block { first, pseudo, ..*block });
    }
    system.ids.extend_from_slice(ids);
    system.couplings.bounds.extend_from_slice(all_bounds);
    system.frictions.extend_from_slice(frictions);
    system.carried = carried;
}
