//! Blocks side by side: the rows of up to four blocks of one shape, lane by lane.

use glam::{Mat3A, Vec3A};

use super::lanes::{LANES, Lanes, Vectors, set};
use crate::physics::bounds::{FrictionBound, FrictionLaw};
use crate::physics::graph;
use crate::physics::limit_surface::Surface;
use crate::physics::row::{Block, Coupling, Row};
use crate::physics::system::System;

/// A row in each lane; see [`Row`] for the fields.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaneRow {
    pub lin: Vectors,
    pub ang_a: Vectors,
    pub ang_b: Vectors,
    pub inv_ia: Vectors,
    pub inv_ib: Vectors,
    pub inv_ma: Lanes,
    pub inv_mb: Lanes,
    pub inv_k: Lanes,
    pub bias: Lanes,
    pub gamma: Lanes,
    pub lo: Lanes,
    pub hi: Lanes,
    pub impulse: Lanes,
    pub pseudo_bias: Lanes,
    pub pseudo_impulse: Lanes,
}

impl LaneRow {
    fn set(&mut self, lane: usize, row: &Row) {
        self.lin.set(lane, row.lin);
        self.ang_a.set(lane, row.ang_a);
        self.ang_b.set(lane, row.ang_b);
        self.inv_ia.set(lane, row.inv_ia);
        self.inv_ib.set(lane, row.inv_ib);
        let fields = [
            (&mut self.inv_ma, row.inv_ma),
            (&mut self.inv_mb, row.inv_mb),
            (&mut self.inv_k, row.inv_k),
            (&mut self.bias, row.bias),
            (&mut self.gamma, row.gamma),
            (&mut self.lo, row.lo),
            (&mut self.hi, row.hi),
            (&mut self.impulse, row.impulse),
            (&mut self.pseudo_bias, row.pseudo_bias),
            (&mut self.pseudo_impulse, row.pseudo_impulse),
        ];
        fields.into_iter().for_each(|(lanes, value)| set(lanes, lane, value));
    }

    /// What sweeps change of a row.
    fn get(&self, lane: usize, row: &mut Row, corrected: bool) {
        row.lo = self.lo.to_array()[lane];
        row.hi = self.hi.to_array()[lane];
        row.impulse = self.impulse.to_array()[lane];
        if corrected {
            row.pseudo_impulse = self.pseudo_impulse.to_array()[lane];
        }
    }
}

/// A [`FrictionBound`] in each lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneBounds {
    pub shape: BoundShape,
    pub factor: Lanes,
    pub arm: Lanes,
}

/// What the bounds of a group's lanes have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundShape {
    pub kind: BoundKind,
    pub first: u8,
    pub normals: (u8, u8),
}

/// See [`FrictionLaw`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    Span,
    Disc,
    Surface(Surface),
}

/// How the blocks of a group are solved; see [`Coupling`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockForm {
    Rows,
    Anchor { soft: bool },
    Contact { normals: u8 },
}

/// The most bounds of a block that is solved side by side with others.
const BOUNDS: usize = 5;

/// What blocks have in common that can go side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    pub way: BlockForm,
    pub count: u8,
    bounds: [Option<BoundShape>; BOUNDS],
}

impl BlockShape {
    /// That of a block; none where it goes by itself.
    pub fn of(block: &Block, bounds: &[FrictionBound]) -> Option<Self> {
        let mut shape = Self { way: BlockForm::Rows, count: block.count as u8, bounds: [None; BOUNDS] };
        shape.way = match block.coupling {
            Coupling::Rows => BlockForm::Rows,
            Coupling::Anchor { .. } => BlockForm::Anchor { soft: false },
            Coupling::SoftAnchor { .. } => BlockForm::Anchor { soft: true },
            Coupling::Contact { normals, bounds: range } => {
                let own = &bounds[range.range()];
                if own.len() > BOUNDS {
                    return None;
                }
                for (bound, entry) in own.iter().zip(&mut shape.bounds) {
                    let kind = match bound.kind {
                        FrictionLaw::Span => BoundKind::Span,
                        FrictionLaw::Disc => BoundKind::Disc,
                        FrictionLaw::Surface { surface, .. } => BoundKind::Surface(surface),
                        FrictionLaw::Weight => return None,
                    };
                    *entry = Some(BoundShape { kind, first: bound.first, normals: bound.normals });
                }
                BlockForm::Contact { normals }
            }
            Coupling::Inner { .. } | Coupling::Increments | Coupling::Tree | Coupling::Printed { .. } => {
                return None;
            }
        };
        Some(shape)
    }
}

/// Up to four blocks of one shape that share no moving body.
#[derive(Debug, Clone)]
pub struct BlockGroup {
    pub way: BlockForm,
    /// Indices of the blocks; as many as there are lanes in use.
    pub blocks: [u32; LANES],
    pub lanes: usize,
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    /// Which of these bodies impulses move.
    pub moves_a: [bool; LANES],
    pub moves_b: [bool; LANES],
    /// Which blocks ask for a split correction, and which take part in it at all, as masks.
    pub pseudo: Lanes,
    pub corrected: Lanes,
    pub first_row: u32,
    pub rows: u32,
    pub first_bound: u32,
    pub bounds: u32,
    /// Index of the inverse, for an anchor.
    pub inverse: u32,
}

/// The rows of all groups.
#[derive(Debug, Clone, Default)]
pub struct PackedBlocks {
    pub groups: Vec<BlockGroup>,
    pub rows: Vec<LaneRow>,
    pub bounds: Vec<LaneBounds>,
    /// Inverses of 3×3 blocks, by columns.
    pub inverses: Vec<[Vectors; 3]>,
}

impl PackedBlocks {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.rows.clear();
        self.bounds.clear();
        self.inverses.clear();
    }

    /// Adds blocks of one shape side by side.
    pub fn add(&mut self, system: &System, shape: &BlockShape, blocks: &[u32]) {
        let Self { groups, rows, bounds, inverses } = self;
        let all = Lanes::splat(f32::from_bits(u32::MAX));
        let mut group = BlockGroup {
            way: shape.way,
            blocks: [0; LANES],
            lanes: blocks.len(),
            a: [0; LANES],
            b: [0; LANES],
            moves_a: [false; LANES],
            moves_b: [false; LANES],
            pseudo: Lanes::ZERO,
            corrected: Lanes::ZERO,
            first_row: rows.len() as u32,
            rows: u32::from(shape.count),
            first_bound: bounds.len() as u32,
            bounds: 0,
            inverse: inverses.len() as u32,
        };
        rows.resize(rows.len() + shape.count as usize, LaneRow::default());
        let own = shape.bounds.iter().flatten().map(|shape| LaneBounds {
            shape: *shape,
            factor: Lanes::ZERO,
            arm: Lanes::ONE,
        });
        bounds.extend(own);
        group.bounds = bounds.len() as u32 - group.first_bound;
        let mut inverse = [Vectors::default(); 3];
        for (lane, index) in blocks.iter().enumerate() {
            let block = &system.blocks[*index as usize];
            let ends = system.graph.ends(*index);
            group.blocks[lane] = *index;
            (group.a[lane], group.b[lane]) = (block.a, block.b);
            group.moves_a[lane] = ends[0] != graph::NONE;
            group.moves_b[lane] = ends[1] != graph::NONE;
            let mask = |on: bool| if on { all.to_array()[0] } else { 0.0 };
            set(&mut group.pseudo, lane, mask(block.pseudo));
            set(&mut group.corrected, lane, mask(!block.held && shape.way != BlockForm::Anchor { soft: true }));
            for (rows, row) in rows[group.first_row as usize..].iter_mut().zip(&system.rows[block.range()]) {
                rows.set(lane, row);
            }
            if let Some((_, range)) = block.coupling.contact() {
                let own = &system.couplings.bounds[range.range()];
                for (bounds, bound) in bounds[group.first_bound as usize..].iter_mut().zip(own) {
                    set(&mut bounds.factor, lane, bound.factor);
                    if let FrictionLaw::Surface { arm, .. } = bound.kind {
                        set(&mut bounds.arm, lane, arm);
                    }
                }
            }
            if let Coupling::Anchor { inverse: own } | Coupling::SoftAnchor { inverse: own } = block.coupling {
                let matrix: &Mat3A = &system.couplings.inverses[own as usize];
                let columns: [Vec3A; 3] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
                inverse.iter_mut().zip(columns).for_each(|(column, own)| column.set(lane, own));
            }
        }
        if let BlockForm::Anchor { .. } = shape.way {
            inverses.push(inverse);
        }
        groups.push(group);
    }

    /// Takes the biases of the blocks' own rows over anew.
    pub fn rebias(&mut self, blocks: &[Block], rows: &[Row]) {
        for group in &self.groups {
            for lane in 0..group.lanes {
                let block = &blocks[group.blocks[lane] as usize];
                for (own, row) in self.rows[group.first_row as usize..].iter_mut().zip(&rows[block.range()]) {
                    set(&mut own.bias, lane, row.bias);
                }
            }
        }
    }

    /// Gives the impulses back to the blocks' own rows.
    pub fn unpack(&self, blocks: &[Block], rows: &mut [Row]) {
        for group in &self.groups {
            for lane in 0..group.lanes {
                let block = &blocks[group.blocks[lane] as usize];
                for (own, row) in self.rows[group.first_row as usize..].iter().zip(&mut rows[block.range()]) {
                    own.get(lane, row, !block.held);
                }
            }
        }
    }
}
