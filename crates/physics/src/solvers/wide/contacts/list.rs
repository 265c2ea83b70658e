//! Which contacts are made in lanes, and how they are grouped.

use super::memory::RUN;
use super::{AngularRow, BodyKind, ContactGroup, ContactShape, Entry, WideContacts};
use crate::body::Material;
use crate::graph::COLOURS;
use crate::kernel::limit_surface::Surface;
use crate::plan::route::{self, MANY_CONTACTS};
use crate::primitives::surface::mix;
use crate::settings::{PatchForm, Settings};
use crate::solvers::wide::lanes::{LANES, Lanes};
use crate::stabilize;
use crate::system::System;
use crate::system::contact_order::ContactOrder;
use crate::world::state::State;

/// Makes the contacts of a world in lanes; they are solved after the rows of joints. Returns false if contacts must
/// be made as rows instead: because there are few, or for other solvers or sweep orders,
/// restitution, soft surfaces, other friction laws than the patch's, printed forms, or a joint that relaxes longer than
/// the world.
pub fn fill(settings: &Settings, state: &State, system: &mut System, h: f32) -> bool {
    let settings = &*stabilize::settings_of_contacts(settings);
    let mut contacts = std::mem::take(&mut system.contacts);
    contacts.clear_entries();
    let made = route::contacts_in_lanes(settings, state.contacts.pairs.len())
        && !acts_through_joints(state, system)
        && system.softened.iter().all(|soft| soft.sweeps <= settings.stabilization.relax)
        && contacts.list((state, &system.contact_order), settings);
    if made {
        contacts.schedule(state.bodies.len());
        contacts.make(state, settings, h);
    } else {
        contacts.clear();
    }
    system.contacts = contacts;
    made
}

/// Whether a contact acts through joints, which takes rows.
fn acts_through_joints(state: &State, system: &System) -> bool {
    let touching = state.contacts.pairs.iter().filter(|pair| !pair.idle && pair.touches());
    touching.into_iter().any(|pair| system.jointed_contacts.includes([pair.a, pair.b]))
}

impl WideContacts {
    /// Lists the touching pairs in their order, with their levels. Returns false if one of them needs rows.
    fn list(&mut self, (state, order): (&State, &ContactOrder), settings: &Settings) -> bool {
        let Self { entries, groups, starts, done, rows, surface, kinds, sorted, sums, .. } = self;
        // Pairs come to touch and part: these lists grow only where the list of all pairs has grown.
        let room = state.contacts.pairs.capacity();
        entries.reserve(room);
        sorted.reserve(room.saturating_sub(sorted.len()));
        sums.reserve(room.saturating_sub(sums.len()));
        groups.reserve((2 * room / LANES).saturating_sub(groups.len()));
        starts.reserve((COLOURS * ContactShape::COUNT as usize).saturating_sub(starts.len()));
        *surface = Some(match settings.formulation.patch {
            PatchForm::Ellipsoid => Surface::Ellipsoid,
            _ => Surface::Disc,
        });
        done.clear();
        done.resize(state.bodies.len(), 0);
        kinds.clear();
        let mut last = (0, None);
        kinds.extend(state.bodies.iter().map(|body| {
            if last.1 != Some(body.material) {
                last = (last.0 + 1, Some(body.material));
            }
            BodyKind { material: last.0, moves: body.is_dynamic(), turns: body.is_dynamic() && !body.isotropic }
        }));
        let mut known = ((0, 0), Material::default());
        for index in order.pairs().iter().copied() {
            let pair = &state.contacts.pairs[index as usize];
            let manifold = &pair.near.manifold;
            let ends = [pair.a as usize, pair.b as usize];
            let [a, b] = ends.map(|end| kinds[end]);
            // Most pairs have the same materials, so the last mix is cached.
            if known.0 != (a.material, b.material) {
                known = ((a.material, b.material), mix(&state.bodies[ends[0]], &state.bodies[ends[1]], settings));
            }
            let Material { friction, restitution, rolling, soft } = known.1;
            if soft.is_some() || (settings.contact.restitution && restitution > 0.0) {
                return false;
            }
            let rolling = if settings.friction.rolling { rolling } else { 0.0 };
            let (moves, turns) = ([a.moves, b.moves], a.turns || b.turns);
            let moving = ends.into_iter().zip(moves).filter_map(|(end, moves)| moves.then_some(end));
            let level = moving.clone().map(|body| done[body]).max().unwrap_or(0);
            moving.for_each(|body| done[body] = level + 1);
            let normals = manifold.points.len() as u8;
            let shape = ContactShape { normals, twist: manifold.arm > 0.0, rolling: rolling > 0.0 };
            *rows += shape.rows();
            entries.push(Entry {
                pair: index,
                a: pair.a,
                b: pair.b,
                moves,
                turns,
                level,
                shape,
                mu: friction,
                rolling,
            });
        }
        entries.len() >= MANY_CONTACTS
    }

    /// Groups the contacts of one level and shape by eight.
    fn schedule(&mut self, bodies: usize) {
        let Self { entries, groups, starts, sorted, done, .. } = self;
        let levels = done[..bodies].iter().copied().max().unwrap_or(0).max(1);
        let bucket = |entry: &Entry| entry.level * ContactShape::COUNT + entry.shape.number();
        starts.clear();
        starts.resize((levels * ContactShape::COUNT) as usize + 1, 0);
        entries.iter().for_each(|entry| starts[bucket(entry) as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        sorted.resize(entries.len(), 0);
        for (index, entry) in (0..).zip(&*entries) {
            let next = &mut starts[bucket(entry) as usize];
            sorted[*next as usize] = index;
            *next += 1;
        }
        // After the scatter, each bucket's start is its end.
        let (mut begin, mut count) = (0, 0);
        for end in starts[..(levels * ContactShape::COUNT) as usize].iter() {
            for (place, chunk) in sorted[begin..*end as usize].chunks(LANES).enumerate() {
                if groups.len() == count {
                    groups.push(ContactGroup::default());
                }
                let group = &mut groups[count];
                (group.shape, group.lanes) = (entries[chunk[0] as usize].shape, chunk.len());
                group.place = (place % RUN) as u8;
                // Groups are reused: the parts that this shape lacks must be zero.
                group.load = Lanes::ZERO;
                if !group.shape.twist {
                    group.twist = AngularRow::default();
                }
                if !group.shape.rolling {
                    group.rolling = Default::default();
                }
                group.entries[..chunk.len()].copy_from_slice(chunk);
                count += 1;
            }
            begin = *end as usize;
        }
        groups.truncate(count);
    }
}
