//! Bodies and the joints among them as unknowns and rows: the motions that no row prevents, and dependences among
//! rows.
//!
//! ```text
//! unknowns: the bodies' degrees of freedom, angles times the linkage's size L;  rows of unit length;  motions: J v = 0
//! ```

use glam::Vec3;

use super::DoctorCase;
use super::gram_schmidt::{GramSchmidt, dot};
use super::rows::{self, JointRow, RowRole, Twist};
use delassus_physics::body::Body;
use delassus_physics::row::{Jacobian, RowList};

/// A row shorter than this acts on no body: its length is only rounding error, as for a hinge whose bodies are confined
/// to a plane that its axis lies in.
const ZERO_LENGTH: f64 = 1e-6;
/// The error of such a row, m or rad, above which it counts as an error that cannot be closed.
const OPEN: f32 = 1e-4;

/// Bodies connected by joints.
pub struct Linkage<'a> {
    pub case: &'a DoctorCase<'a>,
    pub bodies: &'a [u32],
    pub joints: &'a [usize],
    /// The degrees of freedom of each body.
    pub freedoms: Vec<Vec<Twist>>,
    /// The index of each body's first unknown.
    pub first: Vec<usize>,
    /// The number of unknowns.
    pub width: usize,
    /// The size L, m.
    pub size: f32,
}

/// The active rows at one pose, with their rank, dependences and free motions.
pub struct ActiveRows {
    pub held: Vec<JointRow>,
    /// Lengths of `held` before they were scaled to unit length.
    pub lengths: Vec<f64>,
    /// An orthonormal basis of the rows, and which of them depend on others.
    pub basis: GramSchmidt,
    /// A basis of the motions that no row prevents, orthonormal.
    pub free: Vec<Vec<f64>>,
}

impl<'a> Linkage<'a> {
    pub fn new(case: &'a DoctorCase<'a>, bodies: &'a [u32], joints: &'a [usize]) -> Self {
        let freedoms: Vec<Vec<Twist>> = bodies.iter().map(|id| rows::freedoms(case, *id)).collect();
        let mut width = 0;
        let first = freedoms.iter().map(|freedoms| (width, width += freedoms.len()).0).collect();
        Self { case, bodies, joints, freedoms, first, width, size: rows::size(case, bodies) }
    }

    /// The rows of a joint in the present pose.
    pub fn rows_of(&self, joint: usize) -> Vec<JointRow> {
        let (mut rows, mut list) = (Vec::new(), RowList::default());
        let world = self.case.world;
        rows::of_joint(joint, &world.state.joints[joint], &world.state.bodies, &mut list, &mut rows);
        rows
    }

    /// The rows of all joints at the given poses.
    pub fn rows(&self, bodies: &[Box<Body>]) -> Vec<JointRow> {
        let (mut rows, mut list) = (Vec::new(), RowList::default());
        for joint in self.joints {
            rows::of_joint(*joint, &self.case.world.state.joints[*joint], bodies, &mut list, &mut rows);
        }
        rows
    }

    /// A row in terms of the unknowns, scaled to unit length, and its length before; zero where it acts on nothing.
    pub fn vector(&self, row: &JointRow) -> (Vec<f64>, f64) {
        let mut v = vec![0.0; self.width];
        for body in [row.a, row.b] {
            let Ok(at) = self.bodies.binary_search(&body) else { continue };
            for (k, freedom) in self.freedoms[at].iter().enumerate() {
                v[self.first[at] + k] = freedom.row_entry(row, body, self.size);
            }
        }
        let length = dot(&v, &v).sqrt();
        if length < ZERO_LENGTH {
            v.fill(0.0);
            return (v, 0.0);
        }
        v.iter_mut().for_each(|x| *x /= length);
        (v, length)
    }

    /// The free values of the joints that have one, as rows in terms of the unknowns.
    pub fn values(&self, bodies: &[Box<Body>]) -> Vec<(usize, Vec<f64>)> {
        let value = |joint: &usize| {
            let jacobian = rows::free_value(&self.case.world.state.joints[*joint], bodies)?;
            Some((*joint, self.value(*joint, jacobian)))
        };
        self.joints.iter().filter_map(value).collect()
    }

    /// A jacobian of a joint in terms of the unknowns, scaled to unit length.
    pub fn value(&self, joint: usize, jacobian: Jacobian) -> Vec<f64> {
        let def = &self.case.world.state.joints[joint].def;
        self.vector(&JointRow { joint, a: def.a, b: def.b, jacobian, role: RowRole::Stopped }).0
    }

    /// The rank, the dependences and the free motions of the held rows that act on something.
    pub fn active_rows(&self, mut held: Vec<JointRow>) -> ActiveRows {
        held.retain(|row| matches!(row.role, RowRole::Held { c } if c.abs() > OPEN) || self.vector(row).1 > 0.0);
        let (vectors, lengths): (Vec<_>, Vec<_>) = held.iter().map(|row| self.vector(row)).unzip();
        let mut basis = GramSchmidt::new(self.width);
        basis.add(&vectors);
        let free = basis.free();
        ActiveRows { held, lengths, basis, free }
    }

    /// The motion of a body: its translation, m, and rotation, rad, world frame.
    pub fn twist(&self, at: usize, motion: &[f64]) -> (Vec3, Vec3) {
        let (mut shift, mut turn) = (Vec3::ZERO, Vec3::ZERO);
        for (freedom, rate) in self.freedoms[at].iter().zip(&motion[self.first[at]..]) {
            shift += freedom.shift * *rate as f32;
            turn += freedom.turn * (*rate as f32 / self.size);
        }
        (shift, turn)
    }

    /// The six rigid motions of the linkage: translations along the world's axes, and rotations about them through
    /// the mean of the bodies' positions, as far as the bodies' degrees of freedom allow.
    pub fn rigid(&self) -> [Vec<f64>; 6] {
        let at = |id: &u32| self.case.world.state.bodies[*id as usize].position;
        let middle = self.bodies.iter().map(at).sum::<Vec3>() / self.bodies.len() as f32;
        std::array::from_fn(|k| {
            let axis = Vec3::AXES[k % 3];
            let mut v = vec![0.0; self.width];
            for (body, id) in self.bodies.iter().enumerate() {
                let arm = at(id) - middle;
                let (shift, turn) = if k < 3 { (axis, Vec3::ZERO) } else { (axis.cross(arm) / self.size, axis) };
                for (j, freedom) in self.freedoms[body].iter().enumerate() {
                    v[self.first[body] + j] = f64::from(freedom.shift.dot(shift) + freedom.turn.dot(turn));
                }
            }
            v
        })
    }

    /// The speed of the fastest body in a motion, where angular velocities count times the size.
    pub fn fastest(&self, motion: &[f64]) -> f64 {
        let speed = |at: usize| {
            let (shift, turn) = self.twist(at, motion);
            f64::from(shift.length().max(turn.length() * self.size))
        };
        (0..self.bodies.len()).map(speed).fold(0.0, f64::max)
    }

    /// An orthonormal basis of the motions other than rigid ones, and the number of rigid ones.
    pub fn inner(&self, active: &ActiveRows) -> (Vec<Vec<f64>>, usize) {
        let mut rigid: Vec<Vec<f64>> = Vec::new();
        for mut v in self.rigid() {
            let before = dot(&v, &v).sqrt();
            let along: Vec<f64> = active.free.iter().map(|free| dot(free, &v)).collect();
            // A rigid motion that the rows prevent is skipped; the others are made orthogonal.
            if before == 0.0 || dot(&along, &along).sqrt() < (1.0 - 1e-6) * before {
                continue;
            }
            for other in &rigid {
                let along = dot(&v, other);
                v.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
            }
            let length = dot(&v, &v).sqrt();
            if length > 1e-3 * before {
                v.iter_mut().for_each(|x| *x /= length);
                rigid.push(v);
            }
        }
        let count = rigid.len();
        let mut inner: Vec<Vec<f64>> = Vec::new();
        let mut remaining = active.free.clone();
        let project_out = |remaining: &mut [Vec<f64>], direction: &[f64]| {
            for v in remaining {
                let along = dot(v, direction);
                v.iter_mut().zip(direction).for_each(|(x, y)| *x -= along * y);
            }
        };
        rigid.iter().for_each(|v| project_out(&mut remaining, v));
        while inner.len() + count < active.free.len() {
            let Some(longest) = remaining.iter().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b))) else { break };
            let length = dot(longest, longest).sqrt();
            if length < 1e-6 {
                break;
            }
            let next: Vec<f64> = longest.iter().map(|x| x / length).collect();
            project_out(&mut remaining, &next);
            inner.push(next);
        }
        (inner, count)
    }
}

impl ActiveRows {
    /// C of the held rows, divided by the rows' lengths where they act on something.
    pub fn errors(&self) -> Vec<f64> {
        let c = |row: &JointRow| if let RowRole::Held { c } = row.role { f64::from(c) } else { 0.0 };
        self.held
            .iter()
            .zip(&self.lengths)
            .map(|(row, length)| c(row) / if *length > 0.0 { *length } else { 1.0 })
            .collect()
    }

    /// The largest rate of a unit row over all motions of unit length.
    pub fn rate(&self, row: &[f64]) -> f64 {
        self.free.iter().map(|v| dot(v, row).powi(2)).sum::<f64>().sqrt()
    }
}

/// The rows with C = 0.
pub fn equality_rows(mut rows: Vec<JointRow>) -> Vec<JointRow> {
    rows.retain(|row| matches!(row.role, RowRole::Held { .. }));
    rows
}
