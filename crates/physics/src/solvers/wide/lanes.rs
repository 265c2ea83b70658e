//! Four SIMD lanes: the arithmetic of `block::BlockVelocities` for four blocks, with the same operations in the same
//! order, so that each lane has the bits of the scalar code. No operation mixes lanes and none is contracted to a
//! fused multiply-add.

use glam::{Vec3A, Vec4};
pub use wide::f32x4 as Lanes;

use crate::body::Velocity;
use crate::kernel::vector;

/// Number of blocks solved together.
pub const LANES: usize = 4;

/// Four vectors, stored by component.
pub type Vectors = vector::Vectors<Lanes>;

impl Vectors {
    /// From four vectors.
    #[inline(always)]
    pub fn gather(vectors: [Vec3A; LANES]) -> Self {
        let rows = vectors.map(|v| Lanes::from([v.x, v.y, v.z, 0.0]));
        let [x, y, z, _] = Lanes::transpose(rows);
        Self { x, y, z }
    }

    /// The four vectors.
    #[inline(always)]
    pub fn scatter(self) -> [Vec3A; LANES] {
        let rows = Lanes::transpose([self.x, self.y, self.z, Lanes::ZERO]);
        rows.map(|row| Vec3A::from_vec4(Vec4::from_array(row.to_array())))
    }

    /// Sets the vector of one lane.
    pub fn set(&mut self, lane: usize, vector: Vec3A) {
        set(&mut self.x, lane, vector.x);
        set(&mut self.y, lane, vector.y);
        set(&mut self.z, lane, vector.z);
    }

    /// One lane.
    pub fn lane(&self, lane: usize) -> Vec3A {
        Vec3A::new(self.x.as_array()[lane], self.y.as_array()[lane], self.z.as_array()[lane])
    }
}

/// Sets the value of one lane.
pub fn set(lanes: &mut Lanes, lane: usize, value: f32) {
    lanes.as_mut_array()[lane] = value;
}

/// The velocities of four bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Velocities {
    pub linear: Vectors,
    pub angular: Vectors,
}

impl Velocities {
    /// Loads the velocities of four bodies.
    #[inline(always)]
    pub fn gather(list: &[Velocity], bodies: [u32; LANES]) -> Self {
        let all = bodies.map(|body| list[body as usize]);
        Self { linear: Vectors::gather(all.map(|v| v.linear)), angular: Vectors::gather(all.map(|v| v.angular)) }
    }

    /// Takes over the lanes that `moves` does not name from `other`.
    pub fn restore(&mut self, other: &Self, moves: [bool; LANES]) {
        for lane in (0..LANES).filter(|lane| !moves[*lane]) {
            self.linear.set(lane, other.linear.lane(lane));
            self.angular.set(lane, other.angular.lane(lane));
        }
    }

    /// Stores the velocities of the bodies for which `moves` is set.
    #[inline(always)]
    pub fn scatter(self, list: &mut [Velocity], bodies: [u32; LANES], moves: [bool; LANES]) {
        let (linear, angular) = (self.linear.scatter(), self.angular.scatter());
        for lane in 0..LANES {
            if moves[lane] {
                list[bodies[lane] as usize] = Velocity { linear: linear[lane], angular: angular[lane] };
            }
        }
    }
}

/// 1/K; zero if K vanishes.
#[inline(always)]
pub fn invert(k: Lanes) -> Lanes {
    k.simd_gt(Lanes::splat(1e-12)) & (Lanes::ONE / k)
}
