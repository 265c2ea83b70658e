//! Which islands go together, and how a batch numbers its bodies.

use super::{Batch, Batches};
use crate::physics::body::Motion;
use crate::physics::graph::{DisjointSets, NONE};
use crate::physics::world::{WORLD, World};

impl Batches {
    /// Packs a world's islands into batches. Whatever moves by itself, kinematic bodies too, is one island with what is
    /// joined to it; broken joints still count.
    pub(super) fn pack(&mut self, world: &World) {
        let (bodies, joints) = (&world.bodies, &world.joints);
        self.alike = joints.iter().all(|joint| joint.def.options.stabilization.is_none());
        self.collide = bodies.iter().any(|body| body.collide);
        self.list.clear();
        let moves: Vec<bool> = bodies.iter().map(|body| body.motion != Motion::Static).collect();
        let mut sets = DisjointSets::new(bodies.len());
        for joint in joints.iter().filter(|joint| moves[joint.def.a as usize] && moves[joint.def.b as usize]) {
            sets.join(joint.def.a, joint.def.b);
        }
        let of = self.fill(world, &moves, &mut sets);
        self.number(world, &moves, &of);
    }

    /// Puts the islands into batches, in the order of their first bodies; returns the batch of each moving body.
    fn fill(&mut self, world: &World, moves: &[bool], sets: &mut DisjointSets) -> Vec<u32> {
        let moving = || (0..moves.len() as u32).filter(|body| moves[*body as usize]);
        let mut size = vec![0usize; moves.len()];
        moving().for_each(|body| size[sets.first(body) as usize] += 1);
        let mut of = vec![NONE; moves.len()];
        let mut filled = usize::MAX;
        for body in moving() {
            let first = sets.first(body) as usize;
            if of[first] == NONE {
                if filled >= world.batch_size {
                    self.list.push(Batch::default());
                    filled = 0;
                }
                filled += size[first];
                of[first] = self.list.len() as u32 - 1;
            }
            of[body as usize] = of[first];
            self.list[of[first] as usize].bodies.push(body);
        }
        if self.list.is_empty() {
            return of;
        }
        for (index, joint) in world.joints.iter().enumerate() {
            let batch = of[joint.def.a as usize].min(of[joint.def.b as usize]);
            // One between two bodies that do not move only wants to be read.
            self.list[if batch == NONE { 0 } else { batch as usize }].joints.push(index as u32);
        }
        for (index, plane) in world.planes.iter().enumerate() {
            self.list[of[plane.body as usize] as usize].planes.push(index as u32);
        }
        of
    }

    /// Numbers the bodies of each batch, and finds the places of all in the batches' order.
    fn number(&mut self, world: &World, moves: &[bool], of: &[u32]) {
        self.places.clear();
        self.places.resize(of.len(), NONE);
        self.joint_places.clear();
        self.joint_places.resize(world.joints.len(), NONE);
        self.fixed = vec![WORLD];
        let mut place_of_fixed = vec![NONE; of.len()];
        place_of_fixed[WORLD as usize] = 0;
        // The number in the batch at hand, and of what does not move which batch that was.
        let mut number = vec![0u32; of.len()];
        let mut known = vec![NONE; of.len()];
        let (mut place, mut joint_place) = (0, 0);
        for (index, batch) in (0..).zip(&mut self.list) {
            let ends = |joint: &u32| {
                let def = &world.joints[*joint as usize].def;
                [def.a, def.b]
            };
            batch.fixed.push((WORLD, 0));
            (known[WORLD as usize], number[WORLD as usize]) = (index, 0);
            for body in batch.joints.iter().flat_map(ends).filter(|body| !moves[*body as usize]) {
                if std::mem::replace(&mut known[body as usize], index) != index {
                    let own = &mut place_of_fixed[body as usize];
                    if *own == NONE {
                        *own = self.fixed.len() as u32;
                        self.fixed.push(body);
                    }
                    number[body as usize] = batch.fixed.len() as u32;
                    batch.fixed.push((body, *own));
                }
            }
            for (own, body) in (batch.fixed.len() as u32..).zip(&batch.bodies) {
                number[*body as usize] = own;
                self.places[*body as usize] = place;
                place += 1;
            }
            batch.ends = batch.joints.iter().map(|joint| ends(joint).map(|body| number[body as usize])).collect();
            for joint in &batch.joints {
                self.joint_places[*joint as usize] = joint_place;
                joint_place += 1;
            }
        }
        self.copies = self.fixed.iter().map(|body| world.bodies[*body as usize].clone()).collect();
    }
}
