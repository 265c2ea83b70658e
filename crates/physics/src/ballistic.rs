//! Contacts as impacts after the sweeps, as in 004 up to its chapter 11: contacts have no rows, and the joints do not
//! know of them.
//!
//! ```text
//! find    after gravity:  t = gap/approach, 0 where bodies overlap; of each pair the first point, if t < h
//! solve   the joints alone
//! apply   the earliest first: both bodies move on to t;  λ = −(1 + e) n·u/K_n,  λ_t = −μ ‖u_t‖/K_t, u before the impact;
//!         bodies that overlap are moved apart by their shares of 1/m;   at last all move on to the end of the step
//! ```
//! Newton's law is used whether the bodies approach or separate, as it is printed: bodies that overlap and separate
//! are turned back. The next step's rows have to correct what an impact does to the two bodies of a joint. With rows of
//! the squared distance, which nearly vanish where a joint is closed, that takes a huge multiplier, and warm starting
//! applies it to rows that do not vanish any more: figure 9, where angular speeds are capped, too (erratum 34,
//! `angular_cap.rs`). Source: 004 ch. 8 (`Scene::Update`, "ballistic impulses"), 10.1; its `ResolveContact` is that of
//! the first book of the series.

use glam::Vec3;

use super::angular_cap;
use super::balance::{self, Checkpoint};
use super::body::{Body, Velocity};
use super::collide::manifold::Point;
use super::effective_mass::row;
use super::fault::FaultWatch;
use super::kernel::rotation::turned;
use super::kernel::row::speed;
use super::primitives::surface::mix;
use super::row::{Friction, Jacobian, Row};
use super::settings::Settings;
use super::system::System;
use super::trace::Probe;
use super::world::report::Report;
use super::world::state::State;

/// The impacts of a sub-step, kept to reuse their allocations.
#[derive(Debug, Clone, Default)]
pub struct Ballistic {
    impacts: Vec<Impact>,
    /// By body: how much of the sub-step it has moved already, s.
    elapsed: Vec<f32>,
}

/// The impact of a pair.
#[derive(Debug, Clone, Copy)]
struct Impact {
    a: u32,
    b: u32,
    /// Index of the pair, and of the point in its manifold.
    pair: u32,
    point: u32,
    /// Time of the impact from the sub-step's start, s.
    time: f32,
    overlaps: bool,
    /// Unit vector from A to B, world frame.
    normal: Vec3,
    /// The points of the two surfaces, each in its body's frame, m.
    on_a: Vec3,
    on_b: Vec3,
    /// The pair's coefficients of restitution and friction.
    e: f32,
    mu: f32,
}

/// Whether contacts are impacts.
pub fn is_on(settings: &Settings) -> bool {
    settings.has_impact_contacts()
}

/// Finds the impacts within `h` seconds, at the velocities that the forces have left.
pub(crate) fn find(settings: &Settings, state: &mut State, ballistic: &mut Ballistic, h: f32) {
    if !is_on(settings) {
        return;
    }
    let (bodies, velocities, contacts) = (&mut state.bodies, &mut state.velocities, &mut state.contacts);
    ballistic.impacts.clear();
    ballistic.impacts.reserve(bodies.len());
    for (index, pair) in (0..).zip(&mut contacts.pairs).filter(|(_, pair)| !pair.idle && pair.touches()) {
        let (ia, ib, manifold) = (pair.a, pair.b, &mut pair.near.manifold);
        let (a, b) = (&bodies[ia as usize], &bodies[ib as usize]);
        let (va, vb) = (&velocities[ia as usize], &velocities[ib as usize]);
        (manifold.friction, manifold.twist, manifold.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
        (manifold.friction_model, manifold.impact_share) = (Friction::Off, 1.0);
        manifold.points.iter_mut().for_each(|point| (point.impulse, point.friction) = (0.0, Vec3::ZERO));
        let normal = manifold.normal;
        let time = |point: &Point| {
            let jacobian = Jacobian::along(normal, point.position - a.position, point.position - b.position);
            let rate = jacobian.speed(va.linear.into(), va.angular.into(), vb.linear.into(), vb.angular.into());
            match point.separation {
                gap if gap <= 0.0 => 0.0,
                gap if rate < 0.0 => gap / -rate,
                _ => f32::INFINITY,
            }
        };
        let times = manifold.points.iter().map(time).zip(&manifold.points).enumerate();
        let first = times.min_by(|(_, (t, p)), (_, (u, q))| t.total_cmp(u).then(p.separation.total_cmp(&q.separation)));
        let Some((at, (time, point))) = first.filter(|(_, (time, _))| *time < h) else { continue };
        let material = mix(a, b, settings);
        let half = 0.5 * point.separation * normal;
        let local = |body: &Body, end: Vec3| body.rotation.inverse() * (end - body.position);
        ballistic.impacts.push(Impact {
            a: ia,
            b: ib,
            pair: index,
            point: at as u32,
            time,
            overlaps: point.separation <= 0.0,
            normal,
            on_a: local(a, point.position - half),
            on_b: local(b, point.position + half),
            e: if settings.contact.restitution { material.restitution } else { 0.0 },
            mu: material.friction,
        });
    }
    ballistic.impacts.sort_unstable_by(|p, q| p.time.total_cmp(&q.time).then(p.pair.cmp(&q.pair)));
}

/// Applies the impacts, one after the other, and writes to `toi_fractions` which share of the sub-step is left for
/// each body.
pub(crate) fn apply_impacts(
    settings: &Settings,
    state: &mut State,
    system: &System,
    report: &mut Report,
    ballistic: &mut Ballistic,
    probe: &mut Probe,
    h: f32,
    watch: &mut FaultWatch,
) {
    if !is_on(settings) {
        return;
    }
    let capped = angular_cap::is_on(settings);
    let (bodies, velocities, contacts, toi_fractions) =
        (&mut state.bodies, &mut state.velocities, &mut state.contacts, &mut report.toi_fractions);
    let Ballistic { impacts, elapsed } = ballistic;
    // Here a body is stopped by the impact itself, not at its time of impact.
    toi_fractions.clear();
    if impacts.is_empty() {
        return;
    }
    elapsed.clear();
    elapsed.resize(bodies.len(), 0.0);
    for impact in impacts.iter() {
        for index in [impact.a, impact.b] {
            let elapsed = &mut elapsed[index as usize];
            advance(index, &mut bodies[index as usize], &mut velocities[index as usize], impact.time - *elapsed, watch);
            *elapsed = impact.time;
        }
        let (a, b) = (impact.a as usize, impact.b as usize);
        let ends = [(&bodies[a], impact.on_a), (&bodies[b], impact.on_b)].map(|(body, local)| body.rotation * local);
        let push = ImpactPair { a: &bodies[a], b: &bodies[b], arms: ends };
        let before = push.speed(&velocities[a], &velocities[b]);
        let normal = push.along(impact.normal);
        let slip = before - impact.normal * impact.normal.dot(before);
        let tangent = push.along(slip.normalize_or_zero());
        let normal_impulse = -(1.0 + impact.e) * speed(&normal, &velocities[a], &velocities[b]) * normal.inv_k;
        let friction_impulse = -impact.mu * slip.length() * tangent.inv_k;
        for (row, impulse) in [(&normal, normal_impulse), (&tangent, friction_impulse)] {
            velocities[a].linear -= row.lin * (row.inv_ma * impulse);
            velocities[a].angular += row.inv_ia * impulse;
            velocities[b].linear += row.lin * (row.inv_mb * impulse);
            velocities[b].angular += row.inv_ib * impulse;
            if capped {
                angular_cap::cut(velocities, [impact.a, impact.b], |body| bodies[body].is_dynamic());
            }
        }
        if impact.overlaps {
            let apart = (bodies[b].position + ends[1]) - (bodies[a].position + ends[0]);
            let masses = normal.inv_ma + normal.inv_mb;
            watch.shift(impact.a, &mut bodies[a], apart * (normal.inv_ma / masses));
            watch.shift(impact.b, &mut bodies[b], -apart * (normal.inv_mb / masses));
        }
        let point = &mut contacts.pairs[impact.pair as usize].near.manifold.points[impact.point as usize];
        (point.impulse, point.friction) = (normal_impulse, Vec3::from(tangent.lin) * friction_impulse);
    }
    toi_fractions.extend(elapsed.iter().map(|elapsed| 1.0 - elapsed / h));
    balance::reached(settings, state, system, report, probe, Checkpoint::Struck);
}

/// Moves a body on by `seconds`, s.
fn advance(index: u32, body: &mut Body, velocity: &mut Velocity, seconds: f32, watch: &mut FaultWatch) {
    if seconds <= 0.0 || !watch.contain(index, velocity) {
        return;
    }
    watch.shift(index, body, Vec3::from(velocity.linear) * seconds);
    let turn = Vec3::from(velocity.angular) * seconds;
    if turn != Vec3::ZERO {
        body.rotation = turned(body.rotation, turn);
        body.refresh_inertia();
    }
}

/// Two bodies and the arms from their centres of mass to the points that meet, world axes, m.
struct ImpactPair<'a> {
    a: &'a Body,
    b: &'a Body,
    arms: [Vec3; 2],
}

impl ImpactPair<'_> {
    /// Velocity of B's point relative to A's, m/s, world axes.
    fn speed(&self, a: &Velocity, b: &Velocity) -> Vec3 {
        let at = |velocity: &Velocity, arm: Vec3| Vec3::from(velocity.linear) + Vec3::from(velocity.angular).cross(arm);
        at(b, self.arms[1]) - at(a, self.arms[0])
    }

    /// The row along `t`; it does nothing where `t` is zero.
    fn along(&self, t: Vec3) -> Row {
        let [on_a, on_b] = self.arms;
        row(&Jacobian { lin: t, ang_a: t.cross(on_a), ang_b: on_b.cross(t), net: Vec3::ZERO }, self.a, self.b)
    }
}
