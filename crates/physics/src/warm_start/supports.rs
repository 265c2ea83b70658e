//! How a body without joints that stands on several immovable bodies shares its load among them.
//!
//! Statics leave open how four posts bear a plank: some changes of the contact impulses λ move nothing. Gauss–Seidel
//! sweeps decide by the order of the contacts, and the warm start keeps that for ever. Here the impulses of the last step
//! move a part ε of the way to those that equal springs under all supports would have. They have the same wrench w on the
//! body, so no velocity changes:
//!
//! ```text
//! least Σ n λ²  with  Jᵀ λ* = w = Jᵀ λ,  λ* ≥ 0:   λ* = N⁻¹ J (Jᵀ N⁻¹ J)⁺ w       λ ← λ + ε (λ* − λ)
//! ```
//! J has a row for each contact point: its normal, and the moment of that about the mass centre. n is the number of points
//! of the contact, so that contacts are alike, however many points they have. A point with λ* < 0 is left out.
//!
//! Friction stays as it is. If much of it is used, as by a body that is wedged between two walls, the impulses stay, too.
//! Bodies with joints: see `solvers/jointed_contacts/share.rs`.
//! Source: derived here.

use glam::DVec3;

use crate::body::Body;
use crate::collide::manifold::{Manifold, Point};
use crate::row::Friction;
use crate::settings::{Method, Settings};
use crate::world::state::State;

/// The share ε of the way in a step.
const SHARED: f32 = 0.25;
/// A point that is open by less than this is closed but for rounding errors of the poses, m.
const ROUNDING_GAP: f32 = 1e-6;
/// With more of the friction used than this, impulses stay.
const MAX_USED: f32 = 0.5;
/// The largest number of contacts and points of a body that share.
const MAX_CONTACTS: usize = 8;
const MAX_POINTS: usize = 32;
/// A pivot below this share of the largest says that the points do not push that way.
const ROUNDING: f64 = 1e-9;
/// How much of the wrench may be lost.
const MAX_LOSS: f64 = 1e-4;

/// A force or impulse with its moment.
type Wrench = [f64; 6];

/// What is kept from step to step for its memory only.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// By body: the number of its contacts with immovable bodies; `NONE` if it takes no part.
    supports: Vec<u8>,
    /// The contacts that share: body and index of the pair, by body.
    contacts: Vec<(u32, u32)>,
    points: Vec<Share>,
}

/// The body takes no part.
const NONE: u8 = u8::MAX;

/// A point that shares the load of its body.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// Its row of J: the normal towards the body, and its moment over the body's radius, so that all six have one unit.
    row: Wrench,
    /// 1/n.
    weight: f64,
    /// λ and λ*, N·s.
    now: f64,
    least: f64,
    free: bool,
}

/// Moves the impulses of the last step towards those of equal springs.
pub(crate) fn share(settings: &Settings, state: &mut State, scratch: &mut Scratch) {
    let wanted = settings.solver.method == Method::GaussSeidel && settings.solver.extra > 0;
    if !wanted || !settings.warm_start.enabled || !settings.contact.enabled {
        return;
    }
    let Scratch { supports, contacts, points } = scratch;
    find(state, supports, contacts);
    for contacts in contacts.chunk_by(|a, b| a.0 == b.0).filter(|contacts| contacts.len() <= MAX_CONTACTS) {
        share_one(state, contacts, points);
    }
}

/// Lists the contacts with immovable bodies of those bodies without joints that have several.
fn find(state: &State, supports: &mut Vec<u8>, contacts: &mut Vec<(u32, u32)>) {
    contacts.clear();
    let loaded = |manifold: &Manifold| manifold.points.iter().any(|point| point.impulse > 0.0);
    let pairs = || state.contacts.pairs.iter().enumerate().filter(|(_, pair)| !pair.idle);
    let of = |a: u32, b: u32| match [a, b].map(|body| state.bodies[body as usize].is_dynamic()) {
        [true, false] => Some(a),
        [false, true] => Some(b),
        _ => None,
    };
    supports.clear();
    supports.resize(state.bodies.len(), 0);
    for (_, pair) in pairs().filter(|(_, pair)| loaded(&pair.near.manifold)) {
        if let Some(body) = of(pair.a, pair.b) {
            supports[body as usize] = (supports[body as usize] + 1).min(NONE - 1);
        }
    }
    for joint in state.joints.iter().filter(|joint| joint.broken.is_none()) {
        for body in [joint.def.a, joint.def.b] {
            supports[body as usize] = NONE;
        }
    }
    let shares = |body: u32| (2..NONE).contains(&supports[body as usize]);
    for (index, pair) in pairs().filter(|(_, pair)| !pair.near.manifold.points.is_empty()) {
        contacts.extend(of(pair.a, pair.b).filter(|body| shares(*body)).map(|body| (body, index as u32)));
    }
    contacts.sort_unstable();
}

/// Moves the impulses of one body's contacts.
fn share_one(state: &mut State, contacts: &[(u32, u32)], points: &mut Vec<Share>) {
    let index = contacts[0].0;
    let body = &state.bodies[index as usize];
    points.clear();
    for pair in contacts.iter().map(|(_, pair)| &state.contacts.pairs[*pair as usize]) {
        let manifold = &pair.near.manifold;
        let sign = if pair.b == index { 1.0 } else { -1.0 };
        let takes_part = |point: &Point| point.impulse > 0.0 || point.separation < ROUNDING_GAP;
        let weight = 1.0 / manifold.points.iter().filter(|point| takes_part(point)).count().max(1) as f64;
        points.extend(manifold.points.iter().map(|point| Share {
            row: row(body, sign * manifold.normal.as_dvec3(), point.position.as_dvec3()),
            weight,
            now: point.impulse.into(),
            least: 0.0,
            free: takes_part(point),
        }));
    }
    if points.len() > MAX_POINTS || !find_least(points) {
        return;
    }
    let after = |share: &Share| share.now as f32 + SHARED * (share.least - share.now) as f32;
    let mut first = 0;
    for (_, pair) in contacts {
        let manifold = &state.contacts.pairs[*pair as usize].near.manifold;
        let load = points[first..][..manifold.points.len()].iter().map(after).sum();
        if !is_held(manifold, load) {
            return;
        }
        first += manifold.points.len();
    }
    let mut shares = points.iter();
    for (_, pair) in contacts {
        let points = &mut state.contacts.pairs[*pair as usize].near.manifold.points;
        for (point, share) in points.iter_mut().zip(&mut shares).filter(|(_, share)| share.free || share.now > 0.0) {
            point.impulse = after(share).max(0.0);
        }
    }
}

/// The row of J of a point at `position`, m, with the normal towards the body, both in the world frame. Lengths are in
/// units of the body's size, so that the six components are alike.
fn row(body: &Body, normal: DVec3, position: DVec3) -> Wrench {
    let moment = (position - body.position.as_dvec3()).cross(normal);
    let turn = moment / f64::from(body.solid.radius).max(f64::MIN_POSITIVE);
    [normal.x, normal.y, normal.z, turn.x, turn.y, turn.z]
}

/// Finds λ*. False if there is no choice, or none is found.
fn find_least(points: &mut [Share]) -> bool {
    let mut wrench = [0.0; 6];
    let included = points.iter().filter(|point| point.free);
    included.clone().for_each(|point| add(&mut wrench, &point.row, point.now));
    let size = wrench.iter().map(|x| x * x).sum::<f64>().sqrt();
    loop {
        let free = points.iter().filter(|point| point.free).count();
        let Some((x, rank)) = solve(points, &wrench) else { return false };
        if rank == free {
            return false;
        }
        let mut left = wrench;
        for point in points.iter_mut() {
            let dot: f64 = point.row.iter().zip(&x).map(|(j, x)| j * x).sum();
            point.least = if point.free { point.weight * dot } else { 0.0 };
            add(&mut left, &point.row, -point.least);
        }
        if left.iter().map(|x| x * x).sum::<f64>().sqrt() > MAX_LOSS * size {
            return false;
        }
        let lowest = points.iter_mut().min_by(|a, b| a.least.total_cmp(&b.least));
        match lowest.filter(|point| point.least < 0.0) {
            Some(point) => point.free = false,
            None => return true,
        }
    }
}

fn add(wrench: &mut Wrench, row: &Wrench, by: f64) {
    wrench.iter_mut().zip(row).for_each(|(sum, j)| *sum += j * by);
}

/// Solves Jᵀ N⁻¹ J x = w over the free points; with the rank. Elimination with the largest pivot first, which ends at
/// the rounding errors: x is zero in the directions in which the points do not push.
fn solve(points: &[Share], wrench: &Wrench) -> Option<(Wrench, usize)> {
    let mut matrix = [[0.0; 6]; 6];
    for point in points.iter().filter(|point| point.free) {
        for (row, j) in matrix.iter_mut().zip(point.row) {
            add(row, &point.row, j * point.weight);
        }
    }
    let (mut right, mut order) = (*wrench, [0, 1, 2, 3, 4, 5]);
    let mut largest = 0.0f64;
    let mut rank = 0;
    while rank < 6 {
        let at = (rank..6).max_by(|a, b| matrix[order[*a]][order[*a]].total_cmp(&matrix[order[*b]][order[*b]]))?;
        order.swap(rank, at);
        let p = order[rank];
        let pivot = matrix[p][p];
        largest = largest.max(pivot);
        if pivot <= ROUNDING * largest {
            break;
        }
        for &r in &order[rank + 1..] {
            let factor = matrix[r][p] / pivot;
            let from = matrix[p];
            add(&mut matrix[r], &from, -factor);
            right[r] -= factor * right[p];
        }
        rank += 1;
    }
    let mut x = [0.0; 6];
    for k in (0..rank).rev() {
        let p = order[k];
        let sum: f64 = order[k + 1..rank].iter().map(|c| matrix[p][*c] * x[*c]).sum();
        x[p] = (right[p] - sum) / matrix[p][p];
    }
    (rank > 0).then_some((x, rank))
}

/// Whether the friction of a contact that bears `load`, N·s, holds with much to spare.
fn is_held(manifold: &Manifold, load: f32) -> bool {
    let mu = match manifold.friction_model {
        Friction::Off => return true,
        Friction::Patch { mu, .. } | Friction::Cone { mu, .. } | Friction::Pyramid { mu, .. } => mu,
    };
    let at_points: f32 = manifold.points.iter().map(|point| point.friction.length()).sum();
    manifold.friction.length() + at_points <= MAX_USED * mu * load
}
