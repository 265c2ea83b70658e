//! Blocks of rows packed in lanes: up to [`WIDTH`] blocks of one shape make a group. The layout is described in
//! `shaders/gpu_lanes.wgsl`.

use glam::Vec3A;
use thiserror::Error;

use super::articulations::DeviceArticulations;
use crate::constants::{
    self, ANCHOR, CONTACT, DISC, ELLIPSOID, FIXED, INCREMENTS, NONE, PATCH, ROWS, SOFT_ANCHOR, SPAN,
};
use crate::wavefronts::Wavefronts;
use delassus_physics::bounds::{FrictionBound, FrictionLaw};
use delassus_physics::graph;
use delassus_physics::kernel::limit_surface::Surface;
use delassus_physics::row::{Block, Coupling, Row};
use delassus_physics::settings::{Method, Order, Settings};
use delassus_physics::system::System;

/// Lanes per group.
pub const WIDTH: usize = constants::WIDTH as usize;
/// Vectors of four numbers per row.
const PLANES: usize = 5;
/// Stands for infinity, which WGSL lacks.
const FREE: f32 = f32::MAX;
/// The most friction bounds of a block.
const LAWS: usize = 16;

/// What a world or its rows need that the sweeps do not support, as the end of a sentence for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unsupported {
    #[error("it has only sweeps, no direct solver")]
    Method,
    #[error("it has no conjugate directions")]
    Conjugate,
    #[error("it draws no new order for each sweep")]
    Order,
    #[error("it runs all sweeps, whatever the tolerance")]
    Tolerance,
    #[error("it estimates no spectral radius")]
    Spectrum,
    #[error("it applies old impulses before the first sweep, not after it")]
    Carry,
    #[error("the rows of the contacts are not listed")]
    Contacts,
    #[error("it has no contacts as documents print them")]
    Printed,
    #[error("a contact has more bounds than it has room for")]
    Laws,
    #[error("it solves no row at the mean of a contact's points (contact.mean_first)")]
    Mean,
    #[error("it solves friction that unloads its own contact row by row")]
    Coupled,
    #[error("it clamps friction, and solves no contact point on its cone (`friction.model=Cone`)")]
    Cone,
    #[error("it has no rows of which the world bears a share (`Pulley`)")]
    Borne,
    #[error("it does not sweep a joint's rows among themselves")]
    Inner,
    #[error(
        "it solves trees of joints at once, but no loops, drives, springs or stops with them (`solver.rows=Mechanism`)"
    )]
    Mechanism,
}

/// The properties that the blocks of one group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LaneShape {
    form: u32,
    rows: u32,
    normals: u32,
    bounds: u32,
    laws: [[u32; 4]; LAWS],
}

impl LaneShape {
    fn of(block: &Block, bounds: &[FrictionBound]) -> Result<Self, Unsupported> {
        let mut shape = Self { form: ROWS, rows: block.count, normals: 0, bounds: 0, laws: [[0; 4]; LAWS] };
        shape.form = match block.coupling {
            Coupling::Rows => ROWS,
            Coupling::Anchor { .. } => ANCHOR,
            Coupling::SoftAnchor { .. } => SOFT_ANCHOR,
            Coupling::EvenAnchor { .. } => return Err(Unsupported::Method),
            Coupling::Contact { mean: true, .. } => return Err(Unsupported::Mean),
            Coupling::Contact { coupled: true, .. } => return Err(Unsupported::Coupled),
            Coupling::Contact { normals, bounds: range, .. } => {
                let contact_bounds = &bounds[range.range()];
                if contact_bounds.len() > LAWS {
                    return Err(Unsupported::Laws);
                }
                (shape.normals, shape.bounds) = (normals.into(), contact_bounds.len() as u32);
                for (law, bound) in shape.laws.iter_mut().zip(contact_bounds) {
                    let kind = match bound.kind {
                        FrictionLaw::Span => SPAN,
                        FrictionLaw::Disc => DISC,
                        FrictionLaw::Cone => return Err(Unsupported::Cone),
                        FrictionLaw::Surface { surface: Surface::Ellipsoid, .. } => ELLIPSOID,
                        FrictionLaw::Surface { surface: Surface::Disc, .. } => PATCH,
                        FrictionLaw::Surface { surface: Surface::Separate, .. } | FrictionLaw::Weight => {
                            return Err(Unsupported::Printed);
                        }
                    };
                    *law = [kind, bound.first.into(), bound.normals.0.into(), bound.normals.1.into()];
                }
                CONTACT
            }
            Coupling::Increments => INCREMENTS,
            // Solved by the trees, not in lanes.
            Coupling::Tree => ROWS,
            Coupling::Inner { .. } => return Err(Unsupported::Inner),
            Coupling::Printed { .. } => return Err(Unsupported::Printed),
        };
        Ok(shape)
    }

    fn is_anchor(&self) -> bool {
        matches!(self.form, ANCHOR | SOFT_ANCHOR)
    }
}

/// The dynamic bodies of a block, and whether it is solved with its tree and so not here.
type Known = ([u32; 2], bool);

fn is_tree(block: &Block) -> bool {
    block.coupling == Coupling::Tree
}

/// The blocks of a system in the shader's layout, kept from step to step for their buffers.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// Two entries per group, then the friction laws.
    pub shapes: Vec<[u32; 4]>,
    /// By group and lane: bodies A and B, flagged if static or kinematic.
    pub ends: Vec<[u32; 2]>,
    pub rows: Vec<[f32; 4]>,
    /// By row and lane: lo, hi, bias of the split correction; then by friction bound and lane: factor, arm.
    pub limits: Vec<[f32; 4]>,
    /// By row and lane: λ, and the impulse of the split position correction.
    pub impulses: Vec<[f32; 2]>,
    /// The lanes at each body, in compressed rows: starts and list.
    pub starts: Vec<u32>,
    pub list: Vec<u32>,
    /// Where the groups of each turn end.
    pub turns: Vec<u32>,
    /// By block: the first row of its group, and its lane.
    places: Vec<(u32, u32)>,
    known: Vec<LaneShape>,
    shape_of: Vec<u32>,
    sorted: Vec<u32>,
    laws: Vec<[u32; 4]>,
    order: Wavefronts,
    made_for: (Vec<Known>, Option<(Method, Order)>),
}

impl Lanes {
    /// Packs the present rows. In the lists by body, the nodes of trees (see [`DeviceArticulations`]) come before
    /// the lanes.
    ///
    /// # Errors
    /// What the rows need that the sweeps do not support.
    pub fn fill(
        &mut self,
        system: &mut System,
        articulations: &DeviceArticulations,
        bodies: usize,
        settings: &Settings,
    ) -> Result<(), Unsupported> {
        self.arrange(system, bodies, settings);
        self.known.clear();
        self.shape_of.clear();
        for block in &system.blocks {
            let shape = LaneShape::of(block, &system.couplings.bounds)?;
            let index = self.known.iter().position(|known| *known == shape).unwrap_or_else(|| {
                self.known.push(shape);
                self.known.len() - 1
            });
            self.shape_of.push(index as u32);
        }
        self.shapes.clear();
        self.laws.clear();
        self.ends.clear();
        self.rows.clear();
        self.limits.clear();
        self.impulses.clear();
        self.turns.clear();
        self.places.clear();
        self.places.resize(system.blocks.len(), (0, 0));
        let (mut sorted, order) = (std::mem::take(&mut self.sorted), std::mem::take(&mut self.order));
        let shape_of = std::mem::take(&mut self.shape_of);
        for range in order.ranges() {
            sorted.clear();
            sorted.extend_from_slice(&order.order[range.start as usize..range.end as usize]);
            sorted.sort_unstable_by_key(|block| (shape_of[*block as usize], *block));
            for alike in sorted.chunk_by(|a, b| shape_of[*a as usize] == shape_of[*b as usize]) {
                let shape = self.known[shape_of[alike[0] as usize] as usize];
                alike.chunks(WIDTH).for_each(|blocks| self.add(system, &shape, blocks));
            }
            self.turns.push(self.groups() as u32);
        }
        (self.sorted, self.order, self.shape_of) = (sorted, order, shape_of);
        // The laws are stored after the groups.
        let groups = self.groups() as u32;
        for group in self.shapes.chunks_exact_mut(2) {
            group[1][2] += 2 * groups;
        }
        self.shapes.extend_from_slice(&self.laws);
        self.list_bodies(bodies, groups as usize, articulations);
        Ok(())
    }

    /// Number of groups.
    fn groups(&self) -> usize {
        self.ends.len() / WIDTH
    }

    /// Updates the turns if the blocks' bodies or the order have changed.
    fn arrange(&mut self, system: &mut System, bodies: usize, settings: &Settings) {
        let (method, order) = (settings.solver.method, settings.solver.order);
        let count = system.blocks.len() as u32;
        let edges = || (0..count).map(|block| (system.graph.ends(block), is_tree(&system.blocks[block as usize])));
        let (known, how) = &self.made_for;
        if *how == Some((method, order)) && known.iter().copied().eq(edges()) {
            return;
        }
        self.made_for.0.clear();
        self.made_for.0.extend(edges());
        self.made_for.1 = Some((method, order));
        let known = &self.made_for.0;
        let ends: Vec<[u32; 2]> = known.iter().map(|(ends, _)| *ends).collect();
        let here = |block: u32| !known[block as usize].1;
        let all = || (0..count).filter(|block| here(*block)).collect::<Vec<_>>();
        self.order = if method == Method::Jacobi {
            Wavefronts::at_once(all())
        } else if order == Order::Coloured {
            Wavefronts::of_colours_of(bodies, &ends, here)
        } else {
            Wavefronts::of(bodies, &all(), |block| ends[block as usize])
        };
    }

    /// Packs up to [`WIDTH`] blocks of one shape as a group.
    fn add(&mut self, system: &System, shape: &LaneShape, blocks: &[u32]) {
        let (rows, anchor) = (shape.rows as usize, shape.is_anchor());
        let first_row = self.impulses.len() / WIDTH;
        let first_limit = self.limits.len() / WIDTH;
        let units = rows + usize::from(anchor);
        self.shapes.push([shape.form, shape.rows, shape.normals, shape.bounds]);
        self.shapes.push([first_row as u32, first_limit as u32, self.laws.len() as u32, 0]);
        self.laws.extend_from_slice(&shape.laws[..shape.bounds as usize]);
        let first_lane = self.ends.len();
        self.ends.resize(first_lane + WIDTH, [NONE; 2]);
        self.impulses.resize((first_row + units) * WIDTH, [0.0; 2]);
        self.rows.resize((first_row + units) * PLANES * WIDTH, [0.0; 4]);
        self.limits.resize((first_limit + rows + shape.bounds as usize) * WIDTH, [0.0; 4]);
        for (lane, index) in blocks.iter().enumerate() {
            let block = &system.blocks[*index as usize];
            self.places[*index as usize] = (first_row as u32, lane as u32);
            let moving = system.graph.ends(*index);
            let end = |body: u32, moving: u32| if moving == graph::NONE { body | FIXED } else { body };
            self.ends[first_lane + lane] = [end(block.a, moving[0]), end(block.b, moving[1])];
            let plane = |row: usize, number: usize| ((first_row + row) * PLANES + number) * WIDTH + lane;
            for (k, row) in system.rows[block.range()].iter().enumerate() {
                for (number, entry) in planes(row).into_iter().enumerate() {
                    self.rows[plane(k, number)] = entry;
                }
                let bound = |value: f32| value.clamp(-FREE, FREE);
                self.limits[(first_limit + k) * WIDTH + lane] = [bound(row.lo), bound(row.hi), row.pseudo_bias, 0.0];
                self.impulses[(first_row + k) * WIDTH + lane] = [row.impulse, row.pseudo_impulse];
            }
            if let Some((_, range)) = block.coupling.contact() {
                for (k, bound) in system.couplings.bounds[range.range()].iter().enumerate() {
                    let arm = if let FrictionLaw::Surface { arm, .. } = bound.kind { arm } else { 1.0 };
                    self.limits[(first_limit + rows + k) * WIDTH + lane] = [bound.factor, arm, 0.0, 0.0];
                }
            }
            if let Coupling::Anchor { inverse } | Coupling::SoftAnchor { inverse } = block.coupling {
                let inverse = &system.couplings.inverses[inverse as usize];
                for (number, column) in [inverse.x_axis, inverse.y_axis, inverse.z_axis].into_iter().enumerate() {
                    self.rows[plane(rows, number)] = with(column, 0.0);
                }
            }
        }
    }

    /// Lists the tree nodes and lanes at each dynamic body: nodes first, both in order.
    fn list_bodies(&mut self, bodies: usize, groups: usize, articulations: &DeviceArticulations) {
        let Self { starts, list, ends, .. } = self;
        starts.clear();
        starts.resize(bodies + 1, 0);
        let lanes = &ends[..groups * WIDTH];
        let moving = || {
            let lane = |(lane, pair): (u32, &[u32; 2])| [(pair[0], 2 * lane), (pair[1], 2 * lane + 1)];
            let of_lanes = (0u32..).zip(lanes).flat_map(lane).filter(|(body, _)| *body < FIXED);
            // Tree nodes are numbered after the lanes.
            let behind = 2 * lanes.len() as u32;
            articulations.changed.iter().map(move |(body, place)| (*body, behind + place)).chain(of_lanes)
        };
        moving().for_each(|(body, _)| starts[body as usize + 1] += 1);
        for body in 1..starts.len() {
            starts[body] += starts[body - 1];
        }
        list.clear();
        list.resize(starts[bodies] as usize, 0);
        // Filling advances each start to the next one's; then they are shifted back.
        for (body, entry) in moving() {
            let place = &mut starts[body as usize];
            list[*place as usize] = entry;
            *place += 1;
        }
        starts.copy_within(0..bodies, 1);
        starts[0] = 0;
    }

    /// Copies the impulses back to the rows, with the friction bounds that follow from them.
    pub fn give_back(&self, system: &mut System) {
        let here = system.blocks.iter().zip(&self.places).filter(|(block, _)| !is_tree(block));
        for (block, (first_row, lane)) in here {
            let rows = &mut system.rows[block.range()];
            for (k, row) in rows.iter_mut().enumerate() {
                [row.impulse, row.pseudo_impulse] = self.impulses[(*first_row as usize + k) * WIDTH + *lane as usize];
            }
            let Some((_, range)) = block.coupling.contact() else { continue };
            for bound in &system.couplings.bounds[range.range()] {
                let radius = bound.radius(rows);
                for (k, row) in rows[bound.rows()].iter_mut().enumerate() {
                    let limit = match bound.kind {
                        FrictionLaw::Surface { arm, .. } if k == 2 => arm * radius,
                        _ => radius,
                    };
                    (row.lo, row.hi) = (-limit, limit);
                }
            }
        }
    }
}

fn with(v: Vec3A, w: f32) -> [f32; 4] {
    [v.x, v.y, v.z, w]
}

fn planes(row: &Row) -> [[f32; 4]; PLANES] {
    [
        with(row.lin, row.inv_ma),
        with(row.ang_a, row.inv_mb),
        with(row.ang_b, row.inv_k),
        with(row.inv_ia, row.bias),
        with(row.inv_ib, row.gamma),
    ]
}
