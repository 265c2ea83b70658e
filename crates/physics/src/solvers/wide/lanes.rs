//! Four SIMD lanes: vectors and velocities of four blocks, read from lists and written back. Their arithmetic is the
//! kernel's.

use glam::{Vec3A, Vec4};
pub use wide::f32x4 as Lanes;

use crate::body::Velocity;
use crate::kernel::{bodies, vector};

/// Number of blocks solved together.
pub const LANES: usize = 4;

/// Four numbers of each lane, as one register per number.
#[inline(always)]
pub fn columns(rows: [[f32; 4]; LANES]) -> [Lanes; 4] {
    Lanes::transpose(rows.map(Lanes::from))
}

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

/// The largest number in a lane.
#[inline(always)]
pub fn largest(lanes: Lanes) -> f32 {
    lanes.to_array().into_iter().fold(0.0, f32::max)
}

/// The velocities of four bodies.
pub type Velocities = bodies::Velocities<Lanes>;

/// The velocities of the two bodies in each lane.
pub type LanePair = bodies::Pair<Lanes>;

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
