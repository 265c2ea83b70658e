//! Eight blocks in SIMD lanes: vectors and velocities, read from lists and written back. The lanes are those of the
//! articulations, their arithmetic the kernel's.

use bytemuck::cast;
use glam::{Vec3A, Vec4};
use wide::f32x4;

use crate::body::Velocity;
use crate::kernel::bodies;
pub use crate::kernel::lanes::{LANES, Lanes, Vectors, set};

/// Four numbers of each lane, as one register per number.
#[inline(always)]
pub fn columns(rows: [[f32; 4]; LANES]) -> [Lanes; 4] {
    let [a, b, c, d, e, f, g, h] = rows.map(f32x4::from);
    let (low, high) = (f32x4::transpose([a, b, c, d]), f32x4::transpose([e, f, g, h]));
    std::array::from_fn(|k| cast([low[k], high[k]]))
}

/// The inverse of [`columns`].
#[inline(always)]
fn rows(columns: [Lanes; 4]) -> [[f32; 4]; LANES] {
    let halves: [[f32x4; 2]; 4] = columns.map(cast);
    let low = f32x4::transpose(halves.map(|half| half[0]));
    let high = f32x4::transpose(halves.map(|half| half[1]));
    std::array::from_fn(|lane| if lane < 4 { low[lane].to_array() } else { high[lane - 4].to_array() })
}

impl Vectors {
    /// From a vector of each lane.
    #[inline(always)]
    pub fn gather(vectors: [Vec3A; LANES]) -> Self {
        let [x, y, z, _] = columns(vectors.map(|v| [v.x, v.y, v.z, 0.0]));
        Self { x, y, z }
    }

    /// The vector of each lane.
    #[inline(always)]
    pub fn scatter(self) -> [Vec3A; LANES] {
        rows([self.x, self.y, self.z, Lanes::ZERO]).map(|row| Vec3A::from_vec4(Vec4::from_array(row)))
    }
}

/// The largest number in a lane.
#[inline(always)]
pub fn largest(lanes: Lanes) -> f32 {
    lanes.to_array().into_iter().fold(0.0, f32::max)
}

/// The velocity of a body per lane.
pub type Velocities = bodies::Velocities<Lanes>;

/// The velocities of the two bodies in each lane.
pub type LanePair = bodies::Pair<Lanes>;

impl Velocities {
    /// Loads the velocities of eight bodies.
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
