//! Vectors and velocities of eight blocks in lanes, read from lists and written back. Their arithmetic is the kernel's.

use glam::{Vec3A, Vec4};

use crate::body::Velocity;
use crate::kernel::bodies;
pub use crate::kernel::lanes::{LANES, Lanes, Vectors, set};

/// Four numbers of each lane, as one register per number.
#[inline(always)]
pub fn columns(rows: [[f32; 4]; LANES]) -> [Lanes; 4] {
    let [x, y, z, w, ..] = Lanes::transpose(rows.map(|[x, y, z, w]| Lanes::new([x, y, z, w, 0.0, 0.0, 0.0, 0.0])));
    [x, y, z, w]
}

impl Vectors {
    /// From eight vectors.
    #[inline(always)]
    pub fn gather(vectors: [Vec3A; LANES]) -> Self {
        let [x, y, z, _] = columns(vectors.map(|v| [v.x, v.y, v.z, 0.0]));
        Self { x, y, z }
    }

    /// Sets the vector of one lane.
    pub fn set_a(&mut self, lane: usize, vector: Vec3A) {
        self.set(lane, vector.into());
    }
}

/// The largest number in a lane.
#[inline(always)]
pub fn largest(lanes: Lanes) -> f32 {
    lanes.to_array().into_iter().fold(0.0, f32::max)
}

/// The velocities of eight bodies.
pub type Velocities = bodies::Velocities<Lanes>;

/// The velocities of the two bodies in each lane.
pub type LanePair = bodies::Pair<Lanes>;

impl Velocities {
    /// Loads the velocities of eight bodies.
    #[inline(always)]
    pub fn gather(list: &[Velocity], bodies: [u32; LANES]) -> Self {
        let rows = bodies.map(|body| {
            let Velocity { linear, angular } = list[body as usize];
            Lanes::new([linear.x, linear.y, linear.z, 0.0, angular.x, angular.y, angular.z, 0.0])
        });
        let [x, y, z, _, u, v, w, _] = Lanes::transpose(rows);
        Self { linear: Vectors { x, y, z }, angular: Vectors { x: u, y: v, z: w } }
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
        let Self { linear: Vectors { x, y, z }, angular: Vectors { x: u, y: v, z: w } } = self;
        let rows = Lanes::transpose([x, y, z, Lanes::ZERO, u, v, w, Lanes::ZERO]);
        for lane in 0..LANES {
            if moves[lane] {
                let [a, b, c, d, e, f, g, h] = rows[lane].to_array();
                let [linear, angular] = [[a, b, c, d], [e, f, g, h]].map(|row| Vec3A::from_vec4(Vec4::from_array(row)));
                list[bodies[lane] as usize] = Velocity { linear, angular };
            }
        }
    }
}
