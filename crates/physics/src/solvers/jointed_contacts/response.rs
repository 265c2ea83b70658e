//! How the bodies and joints of a unit respond to an impulse at one of its contacts: K, Δu and μ of each row.

use super::{Entry, JointedContacts, MIN_STIFFENING, NONE, ROUNDING};
use crate::effective_mass::row_mass;
use crate::kernel::bodies::{Pair, Velocities};
use crate::kernel::row::{SolverRow, speed};
use crate::row::{Block, Row};
use crate::solvers::tree::Trees;

impl JointedContacts {
    /// The entry of a contact, with the responses of its rows for the present factors of its units.
    pub(super) fn respond(&mut self, (index, block): (usize, &Block), rows: &[Row], trees: &mut Trees) -> Entry {
        let at = self.entry[index] as usize;
        let mut entry = self.entries[at].clone();
        let factors = entry.units.map(|unit| if unit == NONE { 0 } else { trees.factors_number(unit as usize) });
        if entry.factors != Some(factors) {
            entry.yields = self.compute_responses(&entry, block, rows, trees);
            entry.factors = Some(factors);
            self.entries[at] = entry.clone();
        }
        entry
    }

    /// Whether the joints hardly stiffen one of a contact's normal rows.
    pub(super) fn is_mobile(&self, entry: &Entry, normals: &[Row]) -> bool {
        let is_mobile = |(k, row): (&f32, &Row)| *k > row_mass(row, 1.0, 1.0) / MIN_STIFFENING;
        self.k[entry.first..].iter().zip(normals).any(is_mobile)
    }

    /// Computes the responses of the joints to a unit impulse along each row of a contact. Returns whether a contact
    /// row moves nothing now, but would if joint rows with a bound gave way.
    fn compute_responses(&mut self, entry: &Entry, block: &Block, rows: &[Row], trees: &mut Trees) -> bool {
        let bodies = &self.bodies[entry.bodies.clone()];
        let joint_rows = &self.joint_rows[entry.joint_rows.clone()];
        let mut yields = false;
        for (c, row) in rows[block.range()].iter().enumerate() {
            let moves = &mut self.moves[entry.moves + c * bodies.len()..][..bodies.len()];
            let impulses = &mut self.impulses[entry.impulses + c * entry.joint_rows.len()..][..entry.joint_rows.len()];
            let mut pair = Pair::default();
            row.apply((), &mut pair, 1.0);
            let [mut body, mut impulse] = [0, 0];
            for (end, unit) in entry.units.into_iter().enumerate() {
                if unit == NONE {
                    moves[body] = if end == 0 { pair.a } else { pair.b };
                    body += 1;
                } else if end == 0 || entry.units[0] != unit {
                    let pushed = [0, 1].map(|end| entry.units[end] == unit);
                    let (bodies, rows) = (trees.bodies(unit as usize).count(), trees.rows_of(unit as usize).count());
                    let into = (&mut moves[body..body + bodies], &mut impulses[impulse..impulse + rows]);
                    trees.unit_response(unit as usize, (row, [block.a, block.b], pushed), into, &mut self.work);
                    (body, impulse) = (body + bodies, impulse + rows);
                }
            }
            let response_of =
                |end: u32| bodies.iter().position(|body| *body == end).map_or(Velocities::default(), |at| moves[at]);
            let ends = Pair { a: response_of(block.a), b: response_of(block.b) };
            self.ends[entry.first + c] = ends;
            let k = speed(row, &ends.a, &ends.b);
            self.k[entry.first + c] = k;
            let gives_way = |row: u32| rows[row as usize].lo.is_finite() || rows[row as usize].hi.is_finite();
            yields |= k <= ROUNDING * row_mass(row, 1.0, 1.0)
                && joint_rows.iter().zip(&*impulses).any(|(row, impulse)| *impulse != 0.0 && gives_way(*row));
        }
        yields
    }
}
