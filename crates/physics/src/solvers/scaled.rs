//! Velocities scaled by the root of the masses, u = u* + R y with R Rᵀ = M⁻¹, and rows in these, in 64 bits.

use glam::{DMat3, DVec3};

use crate::body::Body;
use crate::system::System;

/// Principal values of an inverse inertia below this share of its greatest count as zero.
const MIN_SHARE: f64 = 3e-7;

/// Linear and angular part of a scaled velocity.
pub(super) type Six = [f64; 6];

pub(super) fn dot(a: &Six, b: &Six) -> f64 {
    ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// R of one body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    /// 1/√m, kg^−½.
    pub(super) linear: f64,
    angular: DMat3,
}

impl Root {
    /// A body that impulses do not move.
    const FIXED: Self = Self { linear: 0.0, angular: DMat3::ZERO };

    /// Cholesky factor of the inverse inertia, which may be singular, as for a particle or a body confined to a
    /// plane.
    pub(super) fn of(body: &Body) -> Self {
        let (inv_mass, inv_inertia) = body.inverses();
        let inertia = inv_inertia.as_dmat3();
        let mut left = 0.5 * (inertia + inertia.transpose());
        let mut angular = DMat3::ZERO;
        let least = MIN_SHARE * left.x_axis.x.max(left.y_axis.y).max(left.z_axis.z);
        for k in 0..3 {
            let pivot = left.col(k)[k];
            if pivot > least {
                let column = left.col(k) / pivot.sqrt();
                *angular.col_mut(k) = column;
                left -= DMat3::from_cols(column * column.x, column * column.y, column * column.z);
            }
        }
        Self { linear: f64::from(inv_mass).sqrt(), angular }
    }

    /// R y.
    pub(super) fn apply(&self, y: &Six) -> (DVec3, DVec3) {
        (self.linear * DVec3::new(y[0], y[1], y[2]), self.angular * DVec3::new(y[3], y[4], y[5]))
    }

    /// The least y with R y = (lin, ang), as far as impulses can move the body.
    pub(super) fn undo(&self, lin: DVec3, mut ang: DVec3) -> Six {
        let lin = if self.linear > 0.0 { lin / self.linear } else { DVec3::ZERO };
        let mut y = [lin.x, lin.y, lin.z, 0.0, 0.0, 0.0];
        for k in 0..3 {
            let column = self.angular.col(k);
            if column[k] > 0.0 {
                y[3 + k] = ang[k] / column[k];
                ang -= column * y[3 + k];
            }
        }
        y
    }

    /// Rᵀ (lin, ang).
    fn share(&self, lin: DVec3, ang: DVec3) -> Six {
        let (lin, ang) = (self.linear * lin, self.angular.transpose() * ang);
        [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
    }
}

/// A row in scaled velocities: its velocity is bias + on_a · y_a + on_b · y_b.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScaledRow {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) on_a: Six,
    pub(super) on_b: Six,
    /// J u* + b.
    pub(super) bias: f64,
    /// J M⁻¹ Jᵀ.
    pub(super) k: f64,
    /// The weight of its impulse in the least norm: 1/mA + 1/mB; of an angular row its K.
    pub(super) weight: f64,
}

impl ScaledRow {
    pub(super) fn speed(&self, y: &[Six]) -> f64 {
        dot(&self.on_a, &y[self.a as usize]) + dot(&self.on_b, &y[self.b as usize])
    }

    /// Its coefficients for a body.
    pub(super) fn of(&self, body: usize) -> impl Iterator<Item = &Six> {
        let ends = [(self.a as usize, &self.on_a), (self.b as usize, &self.on_b)];
        ends.into_iter().filter(move |(end, _)| *end == body).map(|(_, on)| on)
    }

    pub(super) fn apply(&self, impulse: f64, y: &mut [Six]) {
        for (on, body) in [(&self.on_a, self.a), (&self.on_b, self.b)] {
            y[body as usize].iter_mut().zip(on).for_each(|(y, on)| *y += on * impulse);
        }
    }

    pub(super) fn couple(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (on, body) in [(&self.on_a, self.a), (&self.on_b, self.b)] {
            for (other, at) in [(&other.on_a, other.a), (&other.on_b, other.b)] {
                sum += if body == at { dot(on, other) } else { 0.0 };
            }
        }
        sum
    }
}

/// Converts all rows to scaled velocities.
pub(super) fn lines(system: &System, roots: &mut Vec<Root>, lines: &mut Vec<ScaledRow>, bodies: &[Box<Body>]) {
    roots.clear();
    roots.extend(bodies.iter().map(|body| if body.is_dynamic() { Root::of(body) } else { Root::FIXED }));
    lines.clear();
    for block in &system.blocks {
        let (a, b) = (&roots[block.a as usize], &roots[block.b as usize]);
        lines.extend(system.rows[block.range()].iter().map(|row| {
            let lin = row.lin.as_dvec3();
            let (on_a, on_b) =
                (a.share(row.lin_a().as_dvec3(), row.ang_a.as_dvec3()), b.share(lin, row.ang_b.as_dvec3()));
            let k = dot(&on_a, &on_a) + dot(&on_b, &on_b);
            let linear = a.linear * a.linear + b.linear * b.linear;
            let weight = if lin == DVec3::ZERO { k } else { linear };
            ScaledRow { a: block.a, b: block.b, on_a, on_b, bias: 0.0, k, weight }
        }));
    }
}
