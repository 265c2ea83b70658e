//! Relaxing sweeps. Soft stabilisation pushes errors out by a velocity. Once the poses have moved by it, sweeps over
//! the same rows, now rigid and without that push, remove it from the velocities.
//!
//! ```text
//! soft solve      J u + b + γ λ = 0       poses move       relax      J u = 0, from the present λ
//! ```
//! A body that was deep in another comes out and stays there. Without relaxing sweeps it would keep the speed of the
//! push and hop. At rest λ is the load, and the sag C = γ λ/(b/C) = g/ω² does not change. A joint with its own
//! stabilisation takes part in its own number of sweeps. The sweeps are Gauss–Seidel, whatever the solver. With few
//! blocks extra sweeps follow: see `solvers/extra_sweeps.rs`.
//!
//! Contact gaps are those after the motion, C + h J u: with the old gaps a lifted edge would still count as touching.
//! Friction may be solved in the relaxing sweeps alone (`friction.deferred`). Otherwise it also acts against the push.
//! The push is no real motion, and friction against it makes tall stacks lean more and more. The direct solver ignores
//! this setting. Source: soft-step solvers (Box2D 3's relax stage; Rapier, which solves friction in that stage).

use glam::Mat3A;

use super::body::Velocity;
use super::collide::Contacts;
use super::effective_mass::{block_inverse, block_mass};
use super::kernel::contact::left_open;
use super::kernel::row::{invert, speed};
use super::row::{Coupling, Owner, Row, RowId};
use super::settings::{Method, Settings};
use super::solvers::block::solve_block;
use super::solvers::extra_sweeps::ExtraSweeps;
use super::solvers::{properties, tree};
use super::stabilize;
use super::system::System;
use super::system::softened::Softened;
use super::work::Work;
use super::world::state::State;

/// Makes a row soft if `softness` = γ/K is positive, and lets it take part in `sweeps` relaxing sweeps. The caller must
/// add the row to the system next.
pub fn soften(system: &mut System, row: &mut Row, softness: f32, sweeps: u32) {
    if softness > 0.0 {
        stabilize::soften_row(row, softness);
        system.softened.push(Softened { row: system.rows.len() as u32, sweeps, ..Softened::default() });
    }
}

/// The load for which a soft contact's spring is designed, per effective mass 1/K, m/s². Under a larger load the spring
/// is made stiffer, so that the bodies overlap no deeper.
const WEIGHT: f32 = 40.0;

/// Stiffens soft contacts for the loads that they bear in a sub-step of `h` seconds, if extra sweeps can carry the
/// loads. A soft contact is a spring that is designed for the masses of its two bodies: a tonne on a box of 1 kg would
/// sink in by 72 mm. With many blocks only contacts of bodies whose joints bear the load are stiffened, such as the
/// links of a rope or a net, which weigh little compared with their load.
pub fn stiffen_for_loads(settings: &Settings, system: &mut System, h: f32) {
    let extra = ExtraSweeps::new(settings, system, h);
    if !extra.may_follow() {
        return;
    }
    let all = extra.has_few_blocks();
    for soft in &system.softened {
        let RowId::Contact { a, b, .. } = system.ids[soft.row as usize] else { continue };
        let row = &mut system.rows[soft.row as usize];
        let k = 1.0 / row.inv_k - row.gamma;
        let share = WEIGHT * h / (k * row.impulse);
        if share > 0.0 && share < 1.0 && (all || system.jointed_contacts.joints_bear([a, b])) {
            row.gamma *= share;
            row.inv_k = 1.0 / (k + row.gamma);
        }
    }
}

/// Removes the friction bounds of all contacts, so that the sweeps skip friction. `sweep` restores them.
pub fn defer_friction(system: &mut System) {
    for block in &mut system.blocks {
        if let Coupling::Contact { bounds, .. } = &mut block.coupling {
            system.deferred.push(std::mem::take(bounds));
        }
    }
}

fn resume_friction(system: &mut System) {
    let mut deferred = system.deferred.drain(..);
    for block in &mut system.blocks {
        if let Coupling::Contact { bounds, .. } = &mut block.coupling {
            *bounds = deferred.next().unwrap_or(*bounds);
        }
    }
}

/// Updates the biases of open contacts to the gaps after the motion, C/h + J u, and saves the old biases in `opened`.
fn follow_gaps(system: &mut System, contacts: &Contacts, velocities: &[Velocity], opened: &mut Vec<(u32, f32)>) {
    for_normals(system, contacts, |row, ends, curvature, index| {
        // A bias that comes from the curvature of an overlap is no gap.
        if row.bias > 0.0 && !(row.gamma > 0.0 && curvature != 0.0) {
            opened.push((index, row.bias));
            row.bias = left_open(row.bias, speed(row, &velocities[ends[0]], &velocities[ends[1]]));
        }
    });
}

/// Keeps the curvature biases of closed contacts whose rows were soft: the velocities remain those of the sub-step's
/// middle. Saves the old biases in `opened`.
fn follow_curvature(system: &mut System, contacts: &Contacts, opened: &mut Vec<(u32, f32)>) {
    // The contacts that were open, in the order of their rows, are left as they are.
    let (mut next, open) = (0, opened.len());
    for_normals(system, contacts, |row, _, curvature, index| {
        if next < open && opened[next].0 == index {
            next += 1;
        } else if row.bias == 0.0 && curvature != 0.0 {
            opened.push((index, row.bias));
            row.bias = curvature;
        }
    });
}

/// Calls `act` with the normal rows of all contacts: the row, its bodies, its curvature bias, m/s, and its index.
fn for_normals(system: &mut System, contacts: &Contacts, mut act: impl FnMut(&mut Row, [usize; 2], f32, u32)) {
    for block in &system.blocks {
        let (Owner::Contact(pair), Some((normals, _))) = (block.owner, block.coupling.contact()) else { continue };
        let points = &contacts.pairs[pair as usize].near.manifold.points;
        let ends = [block.a as usize, block.b as usize];
        for (index, point) in (block.first..block.first + u32::from(normals)).zip(points) {
            act(&mut system.rows[index as usize], ends, point.curvature, index);
        }
    }
}

/// Sets the biases of contact points that may bounce, J u + b = 0. A point that bounced keeps its present speed of
/// separation. A point that has just closed without an impulse keeps its approach speed. Otherwise a relaxing sweep
/// would undo the bounce, or stop the body before the next sub-step can measure its approach. Saves the old biases in
/// `opened`.
fn keep_bounces(system: &mut System, velocities: &[Velocity], threshold: f32, opened: &mut Vec<(u32, f32)>) {
    for bounce in &system.bounces {
        let RowId::Contact { a, b, .. } = system.ids[bounce.row as usize] else { continue };
        let row = &mut system.rows[bounce.row as usize];
        let now = speed(row, &velocities[a as usize], &velocities[b as usize]);
        if bounce.struck || (row.impulse == 0.0 && now < -threshold) {
            opened.push((bounce.row, row.bias));
            row.bias = if bounce.struck { -now.max(0.0) } else { row.bias.max(-now) };
        }
    }
}

/// The least number of relaxing sweeps in a world's first step if friction is deferred. It then has no old impulses to
/// start from. After two sweeps a box on a slope still has a third of its speed, and just below the angle of friction
/// nothing stops it later.
const COLD: u32 = 20;

/// Whether the factors of trees and mechanisms from the solver's sweeps can be used again. They cannot after other
/// solvers than Gauss–Seidel (Jacobi may have split the masses), and if soft rows of joints are now rigid.
fn has_factors(settings: &Settings, system: &System) -> bool {
    let is_of_joint = |soft: &Softened| matches!(system.ids[soft.row as usize], RowId::Joint { .. });
    settings.solver.method == Method::GaussSeidel && !system.softened.iter().any(is_of_joint)
}

/// Makes the relaxing sweeps of a sub-step of `h` seconds, after the poses have moved. `moved` is scratch.
pub(crate) fn sweep(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    moved: &mut Vec<Velocity>,
    tree: &mut tree::Work,
    work: &mut Work,
    h: f32,
) {
    let requested = settings.stabilization.relax;
    let recipe = properties::of(settings.solver.method).recipe;
    let cold =
        !recipe && state.step_count == 0 && stabilize::defers_friction(&stabilize::settings_of_contacts(settings));
    let relax = if cold { requested.max(COLD) } else { requested };
    let contacts_relax = system.contacts.relaxes() || !system.deferred.is_empty();
    let contact_sweeps = if contacts_relax { relax } else { 0 };
    let sweeps = system.softened.iter().map(|soft| soft.sweeps).max().unwrap_or(0).max(contact_sweeps);
    if sweeps == 0 {
        return;
    }
    let before_contacts = system.before_contacts();
    let velocities = &mut state.velocities;
    if !system.contacts.is_empty() {
        moved.clone_from(velocities);
    }
    resume_friction(system);
    let mut opened = std::mem::take(&mut system.opened);
    follow_gaps(system, &state.contacts, velocities, &mut opened);
    for soft in &mut system.softened {
        let row = &mut system.rows[soft.row as usize];
        (soft.gamma, soft.inv_k, soft.bias) = (row.gamma, row.inv_k, row.bias);
        row.inv_k = if row.inv_k > 0.0 { invert(1.0 / row.inv_k - row.gamma) } else { 0.0 };
        (row.gamma, row.bias) = (0.0, 0.0);
    }
    follow_curvature(system, &state.contacts, &mut opened);
    if !recipe {
        keep_bounces(system, velocities, settings.contact.restitution_threshold, &mut opened);
    }
    let has_factors = has_factors(settings, system);
    if !has_factors {
        system.trees.factor(&system.rows, &state.bodies, &[]);
    }
    let inverses = system.couplings.inverses.len();
    for block in &system.blocks {
        if let Coupling::SoftAnchor { .. } | Coupling::EvenAnchor { .. } = block.coupling {
            let k = block_mass(&system.rows[block.range()], 1.0, 1.0);
            // If the rows are independent only by their softness, the inverse is zero and they do nothing.
            system.couplings.inverses.push(block_inverse(&k).unwrap_or(Mat3A::ZERO));
        }
    }
    let mut extra = ExtraSweeps::relaxing(settings, system, h);
    for sweep in 0.. {
        if sweep >= sweeps && !(requested > 0 && extra.begin_if_due(work)) {
            break;
        }
        let mut moved_by = 0.0f32;
        let mut next_inverse = inverses as u32;
        let mut soft = system.softened.iter().peekable();
        for index in (0..system.trees.count()).filter(|_| sweep < relax || sweep >= sweeps) {
            let by = system.trees.sweep::<false>(index, &mut system.rows, tree, velocities, sweep == 0);
            moved_by = moved_by.max(by);
        }
        if sweep == 0 {
            let System { rows, couplings, trees, jointed_contacts, blocks, .. } = system;
            if jointed_contacts.has_several_supports(blocks, rows) {
                jointed_contacts.share_loads((blocks, rows, couplings), trees, velocities, false, h);
            }
        }
        for (index, block) in system.blocks.iter().enumerate() {
            if index == before_contacts {
                moved_by = moved_by.max(system.contacts.relax(velocities, (sweep == 0).then_some(moved)));
            }
            // The soft rows of a block belong to one joint or contact. The block stops after the number of sweeps of
            // that joint or contact. Rigid blocks take part in every sweep.
            let (mut stops, mut is_soft) = (false, false);
            while let Some(soft_row) = soft.next_if(|soft| (soft.row as usize) < block.range().end) {
                // Rows with the world's number of sweeps also get the larger number of the first step.
                let sweeps = if soft_row.sweeps == requested { relax } else { soft_row.sweeps };
                stops |= sweeps <= sweep && soft_row.sweeps != requested;
                is_soft = true;
            }
            let coupling = match block.coupling {
                Coupling::SoftAnchor { .. } | Coupling::EvenAnchor { .. } => {
                    next_inverse += 1;
                    // Springs stay soft.
                    if is_soft { Coupling::Anchor { inverse: next_inverse - 1 } } else { block.coupling }
                }
                other => other,
            };
            if stops {
                continue;
            }
            let System { rows, couplings, trees, jointed_contacts, .. } = system;
            let by_joints = if jointed_contacts.is_listed(index) {
                jointed_contacts.solve((index, block), rows, couplings, trees, velocities)
            } else {
                None
            };
            let by = by_joints.unwrap_or_else(|| solve_block::<true>(block, coupling, rows, couplings, velocities));
            moved_by = moved_by.max(by);
        }
        if before_contacts == system.blocks.len() {
            moved_by = moved_by.max(system.contacts.relax(velocities, (sweep == 0).then_some(moved)));
        }
        extra.record_change(moved_by);
    }
    system.couplings.inverses.truncate(inverses);
    opened.drain(..).rev().for_each(|(row, bias)| system.rows[row as usize].bias = bias);
    system.opened = opened;
    for soft in &system.softened {
        let row = &mut system.rows[soft.row as usize];
        (row.gamma, row.inv_k, row.bias) = (soft.gamma, soft.inv_k, soft.bias);
    }
    if !has_factors {
        system.trees.factor(&system.rows, &state.bodies, &[]);
    }
}
