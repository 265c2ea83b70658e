//! Impacts must not add energy.
//!
//! Where stage 2 of `restitution.rs` would leave an island with more energy than it had, the island takes only a share
//! of its impacts: the largest that adds nothing. With u₁ before that stage and u₂ after it
//!
//! ```text
//! u = u₁ + s (u₂ − u₁),  λ likewise,   s ≤ 1 the largest with ½ uᵀM u ≤ E
//! ```
//! Islands with joints, mechanisms, are treated differently: if all of them together would gain energy in a step, none
//! takes its impacts in that step. Such a gain comes from jams: a ragdoll that Jacobi's sweeps with Baumgarte's β hardly
//! hold (`book/21`) diverged when it took a share of its impacts. Both u₁ and u₂ keep every gap open, J u ≥ −C/h, and
//! conserve momentum, so u does too. E is the kinetic energy after the forces and the old impulses.
//! Islands are those of the step's graph.

use glam::DVec3;

use super::body::{Body, Velocity};
use super::restitution::PreImpact;
use super::row::Owner;
use super::settings::Settings;
use super::system::System;
use super::trace::{self, Probe, StepStage};
use super::world::state::State;

/// More than this multiple of the earlier energy is a gain. Less is rounding, or the work of a step's weight.
const GAIN: f64 = 1.001;

/// Sums over an island to find its share of the impacts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ImpactShare {
    /// ½ u₁ᵀM u₁, u₁ᵀM d, ½ dᵀM d with d = u₂ − u₁, J.
    before: f64,
    slope: f64,
    curve: f64,
    /// s, 0 to 1.
    share: f32,
}

impl ImpactShare {
    /// The largest s up to 1 with a kinetic energy of at most `limit`, J.
    fn largest(&self, limit: f64) -> f32 {
        let allowed_gain = (limit - self.before).max(0.0);
        let root = (self.slope * self.slope + 4.0 * self.curve * allowed_gain).sqrt();
        let share = (root - self.slope) / (2.0 * self.curve);
        if share.is_finite() { share.clamp(0.0, 1.0) as f32 } else { 0.0 }
    }
}

/// M u of a body, linear and angular, N·s and N·m·s.
fn momentum(body: &Body, velocity: &Velocity) -> (DVec3, DVec3) {
    let (v, w) = (velocity.linear.as_dvec3(), velocity.angular.as_dvec3());
    (f64::from(body.mass) * v, body.inertia().as_dmat3() * w)
}

/// vᵀM u, J.
fn work(momentum: (DVec3, DVec3), velocity: &Velocity) -> f64 {
    momentum.0.dot(velocity.linear.as_dvec3()) + momentum.1.dot(velocity.angular.as_dvec3())
}

/// Kinetic energies of the islands, J, by their first bodies.
fn energies(state: &State, system: &System, list: &mut Vec<f64>) {
    list.clear();
    list.resize(state.bodies.len(), 0.0);
    for (index, (body, velocity)) in state.bodies.iter().zip(&state.velocities).enumerate() {
        if body.is_dynamic() {
            let island = system.graph.island(index as u32);
            list[island as usize] += 0.5 * work(momentum(body, velocity), velocity);
        }
    }
}

/// Saves the kinetic energies before the sweeps, if something may bounce.
pub(super) fn save_energies(settings: &Settings, state: &State, system: &System, pre_impact: &mut PreImpact) {
    pre_impact.struck = false;
    pre_impact.passed.clear();
    let threshold = settings.contact.restitution_threshold;
    if !system.bounces.iter().any(|bounce| bounce.approach < -threshold) {
        return;
    }
    let mut energy = std::mem::take(&mut pre_impact.energy);
    energies(state, system, &mut energy);
    let driven =
        |body: u32| !state.bodies[body as usize].is_dynamic() && state.velocities[body as usize] != Velocity::default();
    let joined = &mut pre_impact.joined;
    joined.clear();
    joined.resize(state.bodies.len(), false);
    for block in system.blocks.iter().filter(|block| matches!(block.owner, Owner::Joint(_))) {
        // A static body belongs to no island: bodies that lie on it are not connected to a mechanism that hangs from it.
        let moving = [block.a, block.b].into_iter().filter(|body| state.bodies[*body as usize].is_dynamic());
        moving.for_each(|body| joined[system.graph.island(body) as usize] = true);
    }
    pre_impact.energy_of_joined = of_joined(&energy, joined);
    for block in system.blocks.iter().filter(|block| driven(block.a) || driven(block.b)) {
        for body in [block.a, block.b] {
            energy[system.graph.island(body) as usize] = f64::INFINITY;
        }
        pre_impact.energy_of_joined = f64::INFINITY;
    }
    pre_impact.energy = energy;
}

/// Before the first impact, raises the saved energies to the present ones where these are larger.
pub(super) fn raise_saved_energies(state: &State, system: &System, pre_impact: &mut PreImpact) {
    let mut now = std::mem::take(&mut pre_impact.now);
    energies(state, system, &mut now);
    pre_impact.energy.iter_mut().zip(&now).for_each(|(energy, now)| *energy = energy.max(*now));
    pre_impact.energy_of_joined = pre_impact.energy_of_joined.max(of_joined(&now, &pre_impact.joined));
    pre_impact.now = now;
}

/// Kinetic energy of all mechanisms together, J.
fn of_joined(energy: &[f64], joined: &[bool]) -> f64 {
    energy.iter().zip(joined).filter(|(_, joined)| **joined).map(|(energy, _)| energy).sum()
}

/// After the impacts, removes them wholly or in part from islands that have gained energy.
pub(crate) fn check(state: &mut State, system: &mut System, pre_impact: &mut PreImpact, probe: &mut Probe) {
    if !pre_impact.struck {
        return;
    }
    let mut now = std::mem::take(&mut pre_impact.now);
    energies(state, system, &mut now);
    // NaN counts as a gain.
    let gains = |island: usize| {
        let keeps = now[island] <= GAIN * pre_impact.energy[island];
        !keeps
    };
    let jammed = of_joined(&now, &pre_impact.joined) > GAIN * pre_impact.energy_of_joined;
    if jammed || (0..now.len()).any(|island| !pre_impact.joined[island] && gains(island)) {
        let mut shares = std::mem::take(&mut pre_impact.share);
        shares.clear();
        shares.resize(now.len(), ImpactShare::default());
        let islands = &system.graph;
        let first = &pre_impact.velocities;
        for (index, (body, velocity)) in state.bodies.iter().zip(&state.velocities).enumerate() {
            if body.is_dynamic() {
                let sum = &mut shares[islands.island(index as u32) as usize];
                let difference = Velocity {
                    linear: velocity.linear - first[index].linear,
                    angular: velocity.angular - first[index].angular,
                };
                let momenta = (momentum(body, &first[index]), momentum(body, &difference));
                sum.before += 0.5 * work(momenta.0, &first[index]);
                sum.slope += work(momenta.0, &difference);
                sum.curve += 0.5 * work(momenta.1, &difference);
            }
        }
        for (island, sum) in shares.iter_mut().enumerate() {
            sum.share = match (pre_impact.joined[island], gains(island)) {
                (true, _) => f32::from(!jammed),
                (false, true) => sum.largest(pre_impact.energy[island]),
                (false, false) => 1.0,
            };
        }
        let share_of = |body: u32| shares[islands.island(body) as usize].share;
        for (index, (velocity, first)) in state.velocities.iter_mut().zip(first).enumerate() {
            let share = share_of(index as u32);
            if share < 1.0 {
                velocity.linear = first.linear + (velocity.linear - first.linear) * share;
                velocity.angular = first.angular + (velocity.angular - first.angular) * share;
            }
        }
        for block in &system.blocks {
            let share = share_of(block.a).min(share_of(block.b));
            if share < 1.0 {
                let range = block.range();
                for (row, first) in system.rows[range.clone()].iter_mut().zip(&pre_impact.impulses[range]) {
                    row.impulse = first + (row.impulse - first) * share;
                }
            }
        }
        pre_impact.share = shares;
        trace::record_moment(state, system, probe, StepStage::EnergyRemoved);
    }
    pre_impact.now = now;
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::bench::{body, floor};
    use crate::body::{BodyDef, Material};
    use crate::joint::{JointDef, JointOptions};
    use crate::joints::{BallSocket, JointKind};
    use crate::preset::Preset;
    use crate::shape::Shape;
    use crate::world::World;

    /// A lamp hangs from a floor's edge and a ball falls on the same floor. When mechanisms jam, only the lamp's
    /// impacts are taken back.
    #[test]
    fn a_floor_that_a_joint_holds_is_no_mechanism() {
        let mut world = World::new(Preset::SingleStep.settings());
        let material = Material { restitution: 1.0, ..Material::default() };
        let floor = world.add_body(BodyDef { material, ..floor() });
        let lamp = world.add_body(body(Shape::Sphere { radius: 0.1 }, Vec3::new(19.0, 0.0, -3.0)));
        let ball = Shape::Sphere { radius: 0.5 };
        let ball = world.add_body(BodyDef { material, velocity: Vec3::NEG_Z * 5.0, ..body(ball, Vec3::Z * 0.51) });
        world.add_joint(JointDef {
            a: floor,
            b: lamp,
            anchor_a: Vec3::new(19.0, 0.0, -1.0),
            anchor_b: Vec3::Z,
            axis_a: Vec3::Z,
            axis_b: Vec3::Z,
            kind: JointKind::BallSocket(BallSocket {}),
            collide: false,
            options: JointOptions::default(),
        });
        world.step();
        let joined = [lamp, floor, ball]
            .map(|body| world.pipeline.buffers.pre_impact.joined[world.system.graph.island(body) as usize]);
        assert_eq!(joined, [true, false, false]);
    }
}
