//! Transfers state from the articulations to the world: updates bodies and joints.

use std::sync::PoisonError;

use glam::{Quat, Vec3};

use super::Articulations;
use crate::body::Velocity;
use crate::graph::NONE;
use crate::readout::{Readout, rows_of};
use crate::row::{JointFrames, RowList};
use crate::threads;
use crate::world::state::State;

/// Number of bodies or joints that a thread handles at a time.
const PIECE: usize = 2048;

impl Articulations {
    /// Copies the mechanisms that are left to be stepped by rows into the world. Those that were left in the previous
    /// step as well are already up to date there.
    pub(super) fn store_by_rows(&self, state: &mut State) {
        for (index, lane) in &self.by_rows {
            let group = &self.groups[*index as usize];
            if group.by_rows_before >> lane & 1 == 1 {
                continue;
            }
            for (node, members) in group.fixed.shape.members.iter().enumerate() {
                let (member, place) = (&members[*lane as usize], (node, *lane as usize));
                if member.body != NONE {
                    let body = member.body as usize;
                    group.store(place, &mut state.bodies[body], &mut state.velocities[body]);
                    if !group.midpoints.is_empty() && state.rattle.midpoint.len() == state.bodies.len() {
                        (state.rattle.midpoint[body], state.rattle.end[body]) = group.velocities(place);
                    }
                }
                if member.joint != NONE {
                    group.store_joint(place, &mut state.joints[member.joint as usize]);
                }
            }
        }
    }

    /// Copies all bodies and joints into the world, and computes the joints' read-outs if asked for.
    pub(super) fn store(&self, state: &mut State, threads: usize) {
        let read = self.read;
        let (bodies, velocities, joints, rattle) =
            (&mut state.bodies, &mut state.velocities, &mut state.joints, &mut state.rattle);
        if self.groups.iter().any(|group| !group.midpoints.is_empty()) {
            rattle.midpoint.resize(bodies.len(), Velocity::default());
            rattle.end.resize(bodies.len(), Velocity::default());
            threads::pairs(threads, &mut rattle.midpoint, &mut rattle.end, PIECE, |_, first, half, left| {
                for ((half, left), address) in half.iter_mut().zip(left).zip(&self.plan().addresses[first..]) {
                    if let Some((group, place)) = self.stepped(*address) {
                        (*half, *left) = group.velocities(place);
                    }
                }
            });
        }
        threads::pairs(threads, bodies, velocities, PIECE, |_, first, bodies, velocities| {
            let addresses = self.plan().addresses[first..].iter();
            for ((body, velocity), address) in bodies.iter_mut().zip(velocities).zip(addresses) {
                if let Some((group, place)) = self.stepped(*address) {
                    group.store(place, body, velocity);
                }
            }
        });
        threads::pieces(threads, joints, PIECE, |thread, first, joints| {
            let list = &mut self.scratch[thread].lock().unwrap_or_else(PoisonError::into_inner).list;
            for (index, joint) in (first..).zip(joints) {
                let Some((group, place)) = self.stepped(self.plan().joint_addresses[index]) else { continue };
                group.store_joint(place, joint);
                let Some(h) = read else { continue };
                let (force, torque, residual) = group.load_of(place);
                joint.rows(&joint.frames(bodies), list);
                let (rows, ids) = rows_of(index as u32, force, torque);
                joint.readout.residual = residual;
                joint.read(bodies, velocities, &list.rows, (&rows, &ids), h);
            }
        });
    }
}

impl Articulations {
    /// The ends and read-out of joint `index` as [`Articulations::sync`] would leave them, without changing the world;
    /// none if the joint is up to date in the world.
    pub fn joint(&self, state: &State, index: usize, list: &mut RowList) -> Option<(JointFrames, Readout)> {
        if !self.ahead {
            return None;
        }
        let (group, place) = self.stepped(*self.plan().joint_addresses.get(index)?)?;
        let mut joint = (*state.joints[index]).clone();
        group.store_joint(place, &mut joint);
        let (a, b) = (joint.def.a, joint.def.b);
        let ((xa, qa, va), (xb, qb, vb)) = (self.present(state, a), self.present(state, b));
        let frames = joint.frames_at((xa, qa), (xb, qb));
        if let Some(h) = self.read {
            let (force, torque, residual) = group.load_of(place);
            joint.rows(&frames, list);
            let (rows, ids) = rows_of(index as u32, force, torque);
            joint.readout.residual = residual;
            // `reading` uses the bodies only for the masses of soft rows, and these joints have none.
            let bodies = [&*state.bodies[a as usize], &*state.bodies[b as usize]];
            joint.readout = joint.reading(&(frames, bodies, [va, vb]), &list.rows, (&rows, &ids), h);
            return Some((frames, joint.readout));
        }
        Some((frames, joint.readout))
    }

    /// Position (m), orientation and velocity of a body, here or in the world's lists.
    fn present(&self, state: &State, body: u32) -> (Vec3, Quat, Velocity) {
        self.state(body).unwrap_or_else(|| {
            let known = &state.bodies[body as usize];
            (known.position, known.rotation, state.velocities[body as usize])
        })
    }
}
