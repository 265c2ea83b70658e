//! Packs islands into batches and numbers a batch's bodies.

use super::{Batch, Batches};
use crate::articulations::Articulations;
use crate::body::{Motion, WORLD};
use crate::graph::{DisjointSets, NONE};
use crate::world::state::State;

impl Batches {
    /// Packs the world's islands into batches. An island is a set of moving bodies, kinematic ones included, with the
    /// joints between them; broken joints still count.
    pub(super) fn pack(&mut self, state: &State, articulations: &Articulations, size: usize) {
        let (bodies, joints) = (&state.bodies, &state.joints);
        self.alike = joints.iter().all(|joint| joint.def.options.stabilization.is_none());
        self.collide = bodies.iter().any(|body| body.collide);
        self.list.clear();
        self.parked.clear();
        self.parked.resize_with(articulations.slots(), || None);
        let moves: Vec<bool> = bodies.iter().map(|body| body.motion != Motion::Static).collect();
        let mut sets = DisjointSets::new(bodies.len());
        for joint in joints.iter().filter(|joint| moves[joint.def.a as usize] && moves[joint.def.b as usize]) {
            sets.join(joint.def.a, joint.def.b);
        }
        let batch_of = self.fill((state, articulations, size), &moves, &mut sets);
        self.number(state, &moves, &batch_of);
    }

    /// Distributes the islands to batches, in the order of their first bodies; returns the batch of each moving body.
    fn fill(
        &mut self,
        (state, articulations, most): (&State, &Articulations, usize),
        moves: &[bool],
        sets: &mut DisjointSets,
    ) -> Vec<u32> {
        let moving = || (0..moves.len() as u32).filter(|body| moves[*body as usize] && !articulations.holds(*body));
        let mut size = vec![0usize; moves.len()];
        moving().for_each(|body| size[sets.first(body) as usize] += 1);
        let mut batch_of = vec![NONE; moves.len()];
        let mut filled = usize::MAX;
        for body in moving() {
            let first = sets.first(body) as usize;
            if batch_of[first] == NONE {
                if filled >= most {
                    self.list.push(Box::default());
                    filled = 0;
                }
                filled += size[first];
                batch_of[first] = self.list.len() as u32 - 1;
            }
            batch_of[body as usize] = batch_of[first];
            self.list[batch_of[first] as usize].bodies.push(body);
        }
        if self.list.is_empty() {
            return batch_of;
        }
        let joints = state.joints.iter().enumerate().filter(|(index, _)| !articulations.holds_joint(*index as u32));
        for (index, joint) in joints {
            let batch = batch_of[joint.def.a as usize].min(batch_of[joint.def.b as usize]);
            // A joint between two static bodies needs only its read-out.
            self.list[if batch == NONE { 0 } else { batch as usize }].joints.push(index as u32);
        }
        for (index, plane) in state.planes.iter().enumerate() {
            self.list[batch_of[plane.body as usize] as usize].planes.push(index as u32);
        }
        batch_of
    }

    /// Numbers the bodies of each batch and sets the places of bodies and joints in the order of the batches.
    fn number(&mut self, state: &State, moves: &[bool], batch_of: &[u32]) {
        self.places.clear();
        self.places.resize(batch_of.len(), NONE);
        self.joint_places.clear();
        self.joint_places.resize(state.joints.len(), NONE);
        self.fixed = vec![WORLD];
        let mut place_of_fixed = vec![NONE; batch_of.len()];
        place_of_fixed[WORLD as usize] = 0;
        // A body's number in the current batch; for a static body also the batch for which that number is valid.
        let mut number = vec![0u32; batch_of.len()];
        let mut known = vec![NONE; batch_of.len()];
        let (mut place, mut joint_place) = (0, 0);
        for (index, batch) in (0..).zip(&mut self.list) {
            let ends = |joint: &u32| {
                let def = &state.joints[*joint as usize].def;
                [def.a, def.b]
            };
            batch.fixed.push((WORLD, 0));
            (known[WORLD as usize], number[WORLD as usize]) = (index, 0);
            for body in batch.joints.iter().flat_map(ends).filter(|body| !moves[*body as usize]) {
                if std::mem::replace(&mut known[body as usize], index) != index {
                    let fixed_index = &mut place_of_fixed[body as usize];
                    if *fixed_index == NONE {
                        *fixed_index = self.fixed.len() as u32;
                        self.fixed.push(body);
                    }
                    number[body as usize] = batch.fixed.len() as u32;
                    batch.fixed.push((body, *fixed_index));
                }
            }
            for (index, body) in (batch.fixed.len() as u32..).zip(&batch.bodies) {
                number[*body as usize] = index;
                self.places[*body as usize] = place;
                place += 1;
            }
            batch.ends = batch.joints.iter().map(|joint| ends(joint).map(|body| number[body as usize])).collect();
            for joint in &batch.joints {
                self.joint_places[*joint as usize] = joint_place;
                joint_place += 1;
            }
        }
        self.copies = self.fixed.iter().map(|body| state.bodies[*body as usize].clone()).collect();
    }
    /// Appends the mechanisms of the articulations that this step solves by rows, one batch each.
    pub(super) fn add_mechanisms_by_rows(&mut self, state: &State, articulations: &Articulations) {
        let mut place: u32 = self.list.iter().map(|batch| batch.bodies.len() as u32).sum();
        let mut joint_place: u32 = self.list.iter().map(|batch| batch.joints.len() as u32).sum();
        for number in articulations.by_rows() {
            let batch = self.parked[number].take().unwrap_or_else(|| self.alone(state, articulations, number));
            for body in &batch.bodies {
                self.places[*body as usize] = place;
                place += 1;
            }
            for joint in &batch.joints {
                self.joint_places[*joint as usize] = joint_place;
                joint_place += 1;
            }
            self.list.push(batch);
        }
    }

    /// Removes the batches that [`Self::add_mechanisms_by_rows`] appended; `permanent` is the number of the others.
    pub(super) fn reload_by_rows(&mut self, state: &State, articulations: &mut Articulations, permanent: usize) {
        articulations.reload_by_rows(state);
        for (number, batch) in articulations.by_rows().zip(self.list.drain(permanent..)) {
            batch.bodies.iter().for_each(|body| self.places[*body as usize] = NONE);
            batch.joints.iter().for_each(|joint| self.joint_places[*joint as usize] = NONE);
            self.parked[number] = Some(batch);
        }
    }

    /// A batch of the mechanism `number`.
    fn alone(&mut self, state: &State, articulations: &Articulations, number: usize) -> Box<Batch> {
        let (bodies, joints) = articulations.island(number);
        let mut batch = Batch { fixed: vec![(WORLD, 0)], bodies, joints, ..Batch::default() };
        let moves = |body: u32| batch.bodies.binary_search(&body).is_ok();
        let ends: Vec<[u32; 2]> =
            batch.joints.iter().map(|joint| &state.joints[*joint as usize].def).map(|def| [def.a, def.b]).collect();
        let mut fixed = Vec::new();
        for body in ends.iter().flatten().filter(|body| **body != WORLD && !moves(**body)) {
            let known = self.fixed.iter().position(|known_body| known_body == body);
            let place = known.unwrap_or_else(|| {
                self.fixed.push(*body);
                self.copies.push(state.bodies[*body as usize].clone());
                self.fixed.len() - 1
            });
            fixed.push((*body, place as u32));
        }
        batch.fixed.extend(fixed);
        let count = batch.fixed.len() as u32;
        let worker_id = |body: u32| match batch.bodies.binary_search(&body) {
            Ok(index) => index as u32 + count,
            Err(_) => batch.fixed.iter().position(|(fixed, _)| *fixed == body).unwrap_or(0) as u32,
        };
        batch.ends = ends.into_iter().map(|ends| ends.map(worker_id)).collect();
        Box::new(batch)
    }
}
