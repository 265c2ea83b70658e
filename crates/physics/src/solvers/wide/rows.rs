//! The rows of up to eight blocks of one shape, packed in lanes.

use std::ops::Range;

use glam::{Mat3A, Vec3A};

use super::lanes::{LANES, Lanes, Vectors, columns, set};
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::graph;
use crate::kernel::complete::complete_row;
use crate::kernel::limit_surface::Surface;
use crate::row::{Block, Coupling, Row};
use crate::system::System;

/// One row per lane; see [`Row`] for the fields.
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

complete_row!(LaneRow, Lanes);

impl LaneRow {
    /// Eight rows side by side.
    fn gather(rows: [&Row; LANES]) -> Self {
        let vectors = |field: fn(&Row) -> Vec3A| Vectors::gather(rows.map(field));
        let numbers = |field: fn(&Row) -> [f32; 4]| columns(rows.map(field));
        let [inv_ma, inv_mb, inv_k, bias] = numbers(|row| [row.inv_ma, row.inv_mb, row.inv_k, row.bias]);
        let [gamma, lo, hi, impulse] = numbers(|row| [row.gamma, row.lo, row.hi, row.impulse]);
        let [pseudo_bias, pseudo_impulse, ..] = numbers(|row| [row.pseudo_bias, row.pseudo_impulse, 0.0, 0.0]);
        Self {
            lin: vectors(|row| row.lin),
            ang_a: vectors(|row| row.ang_a),
            ang_b: vectors(|row| row.ang_b),
            inv_ia: vectors(|row| row.inv_ia),
            inv_ib: vectors(|row| row.inv_ib),
            inv_ma,
            inv_mb,
            inv_k,
            bias,
            gamma,
            lo,
            hi,
            impulse,
            pseudo_bias,
            pseudo_impulse,
        }
    }

    /// Copies the values that sweeps change back to a row; the split correction's impulse only if `corrected`.
    fn copy_to_row(&self, lane: usize, row: &mut Row, corrected: bool) {
        row.lo = self.lo.to_array()[lane];
        row.hi = self.hi.to_array()[lane];
        row.impulse = self.impulse.to_array()[lane];
        if corrected {
            row.pseudo_impulse = self.pseudo_impulse.to_array()[lane];
        }
    }
}

/// One [`FrictionBound`] per lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneBounds {
    pub shape: BoundShape,
    pub factor: Lanes,
    pub arm: Lanes,
}

/// What the bounds of a group's lanes share.
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
    EvenAnchor,
    Contact { normals: u8, mean: bool },
}

/// The most bounds of a block that can be solved in lanes.
const BOUNDS: usize = 5;

/// The properties that blocks of one group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    pub form: BlockForm,
    pub count: u8,
    bounds: [Option<BoundShape>; BOUNDS],
}

impl BlockShape {
    /// The shape of a block; none if it cannot be solved in lanes.
    pub fn of(block: &Block, bounds: &[FrictionBound]) -> Option<Self> {
        let mut shape = Self { form: BlockForm::Rows, count: block.count as u8, bounds: [None; BOUNDS] };
        shape.form = match block.coupling {
            Coupling::Rows => BlockForm::Rows,
            Coupling::Anchor { .. } => BlockForm::Anchor { soft: false },
            Coupling::SoftAnchor { .. } => BlockForm::Anchor { soft: true },
            Coupling::EvenAnchor { .. } => BlockForm::EvenAnchor,
            Coupling::Contact { coupled: true, .. } => return None,
            Coupling::Contact { normals, mean, bounds: range, .. } => {
                let block_bounds = &bounds[range.range()];
                if block_bounds.len() > BOUNDS {
                    return None;
                }
                for (bound, entry) in block_bounds.iter().zip(&mut shape.bounds) {
                    let kind = match bound.kind {
                        FrictionLaw::Span => BoundKind::Span,
                        FrictionLaw::Disc => BoundKind::Disc,
                        FrictionLaw::Surface { surface, .. } => BoundKind::Surface(surface),
                        FrictionLaw::Weight | FrictionLaw::Cone => return None,
                    };
                    *entry = Some(BoundShape { kind, first: bound.first, normals: bound.normals });
                }
                BlockForm::Contact { normals, mean }
            }
            Coupling::Inner { .. } | Coupling::Increments | Coupling::Tree | Coupling::Printed { .. } => {
                return None;
            }
        };
        Some(shape)
    }
}

/// Up to eight blocks of one shape that share no dynamic body.
#[derive(Debug, Clone)]
pub struct BlockGroup {
    pub form: BlockForm,
    /// Indices of the blocks; the first `lanes` entries are in use.
    pub blocks: [u32; LANES],
    pub lanes: usize,
    pub a: [u32; LANES],
    pub b: [u32; LANES],
    /// Which of these bodies are dynamic.
    pub moves_a: [bool; LANES],
    pub moves_b: [bool; LANES],
    /// Whether a body of a lane in use is not dynamic.
    pub rests: bool,
    /// Masks of the blocks with an error to correct by split impulses, and of all blocks that take part in the split
    /// correction.
    pub pseudo: Lanes,
    pub corrected: Lanes,
    /// Its range in [`PackedBlocks::rows`], then in [`PackedBlocks::bounds`].
    first_row: u32,
    row_count: u32,
    first_bound: u32,
    bound_count: u32,
    /// Index of the inverse, for anchor blocks.
    pub inverse: u32,
    /// See [`Coupling::EvenAnchor`].
    pub share: Lanes,
}

impl BlockGroup {
    /// The range of its rows in [`PackedBlocks::rows`].
    pub fn rows(&self) -> Range<usize> {
        self.first_row as usize..(self.first_row + self.row_count) as usize
    }

    /// The range of its bounds in [`PackedBlocks::bounds`].
    pub fn bounds(&self) -> Range<usize> {
        self.first_bound as usize..(self.first_bound + self.bound_count) as usize
    }
}

/// The rows of all groups.
#[derive(Debug, Clone, Default)]
pub struct PackedBlocks {
    pub groups: Vec<BlockGroup>,
    pub rows: Vec<LaneRow>,
    pub bounds: Vec<LaneBounds>,
    /// Inverses of the 3×3 blocks, by columns.
    pub inverses: Vec<[Vectors; 3]>,
}

impl PackedBlocks {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.rows.clear();
        self.bounds.clear();
        self.inverses.clear();
    }

    /// Packs up to eight blocks of one shape as a group.
    pub fn add(&mut self, system: &System, shape: &BlockShape, blocks: &[u32]) {
        let Self { groups, rows, bounds, inverses } = self;
        let all = Lanes::splat(f32::from_bits(u32::MAX));
        let mut group = BlockGroup {
            form: shape.form,
            blocks: [0; LANES],
            lanes: blocks.len(),
            a: [0; LANES],
            b: [0; LANES],
            moves_a: [false; LANES],
            moves_b: [false; LANES],
            rests: false,
            pseudo: Lanes::ZERO,
            corrected: Lanes::ZERO,
            first_row: rows.len() as u32,
            row_count: u32::from(shape.count),
            first_bound: bounds.len() as u32,
            bound_count: 0,
            inverse: inverses.len() as u32,
            share: Lanes::ZERO,
        };
        // The rows of a lane without a block are zero.
        let none = Row::default();
        let first = |lane: usize| blocks.get(lane).map(|index| system.blocks[*index as usize].range().start);
        let starts: [Option<usize>; LANES] = std::array::from_fn(first);
        rows.extend(
            (0..shape.count as usize)
                .map(|k| LaneRow::gather(starts.map(|start| start.map_or(&none, |start| &system.rows[start + k])))),
        );
        let lane_bounds = shape.bounds.iter().flatten().map(|shape| LaneBounds {
            shape: *shape,
            factor: Lanes::ZERO,
            arm: Lanes::ONE,
        });
        bounds.extend(lane_bounds);
        group.bound_count = bounds.len() as u32 - group.first_bound;
        for (lane, index) in blocks.iter().enumerate() {
            let block = &system.blocks[*index as usize];
            let ends = system.graph.ends(*index);
            group.blocks[lane] = *index;
            (group.a[lane], group.b[lane]) = (block.a, block.b);
            group.moves_a[lane] = ends[0] != graph::NONE;
            group.moves_b[lane] = ends[1] != graph::NONE;
            group.rests |= ends.contains(&graph::NONE);
            let mask = |on: bool| if on { all.to_array()[0] } else { 0.0 };
            set(&mut group.pseudo, lane, mask(block.pseudo));
            set(
                &mut group.corrected,
                lane,
                mask(
                    !block.in_drive_block
                        && !matches!(shape.form, BlockForm::Anchor { soft: true } | BlockForm::EvenAnchor),
                ),
            );
            if let Coupling::EvenAnchor { share, .. } = block.coupling {
                set(&mut group.share, lane, share);
            }
            if let Some((_, range)) = block.coupling.contact() {
                let block_bounds = &system.couplings.bounds[range.range()];
                for (bounds, bound) in bounds[group.first_bound as usize..].iter_mut().zip(block_bounds) {
                    set(&mut bounds.factor, lane, bound.factor);
                    if let FrictionLaw::Surface { arm, .. } = bound.kind {
                        set(&mut bounds.arm, lane, arm);
                    }
                }
            }
        }
        if let BlockForm::Anchor { .. } | BlockForm::EvenAnchor = shape.form {
            let inverse = |lane: usize| match blocks.get(lane).map(|index| system.blocks[*index as usize].coupling) {
                Some(
                    Coupling::Anchor { inverse }
                    | Coupling::SoftAnchor { inverse }
                    | Coupling::EvenAnchor { inverse, .. },
                ) => system.couplings.inverses[inverse as usize],
                _ => Mat3A::ZERO,
            };
            let by_lane: [Mat3A; LANES] = std::array::from_fn(inverse);
            let column = |axis: fn(&Mat3A) -> Vec3A| Vectors::gather(by_lane.each_ref().map(axis));
            inverses.push([column(|m| m.x_axis), column(|m| m.y_axis), column(|m| m.z_axis)]);
        }
        groups.push(group);
    }

    /// Copies the biases of the blocks' rows again.
    pub fn copy_biases(&mut self, blocks: &[Block], rows: &[Row]) {
        for group in &self.groups {
            for lane in 0..group.lanes {
                let block = &blocks[group.blocks[lane] as usize];
                for (lane_row, row) in self.rows[group.first_row as usize..].iter_mut().zip(&rows[block.range()]) {
                    set(&mut lane_row.bias, lane, row.bias);
                }
            }
        }
    }

    /// Copies the impulses back to the blocks' rows.
    pub fn unpack(&self, blocks: &[Block], rows: &mut [Row]) {
        for group in &self.groups {
            for lane in 0..group.lanes {
                let block = &blocks[group.blocks[lane] as usize];
                for (lane_row, row) in self.rows[group.first_row as usize..].iter().zip(&mut rows[block.range()]) {
                    lane_row.copy_to_row(lane, row, !block.in_drive_block);
                }
            }
        }
    }
}
