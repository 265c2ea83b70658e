//! The names that the formula of a constraint may contain, and the derivatives of its functions.

use glam::{DVec3, Quat, Vec3};

use crate::primitives::hinge_axis;
use crate::row::JointFrames;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaf {
    /// The anchor of A or B.
    Point(End),
    /// Its centre of mass.
    Centre(End),
    /// The joint's axis that it carries.
    Axis(End),
    /// Its own axis x, y or z.
    Own(End, u8),
    /// An axis of the world.
    World(u8),
    /// The angle of B about the joint's axis in A.
    Angle,
    /// The distance of the anchors when the joint was made.
    Rest,
}

/// One of the joint's bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    A,
    B,
}

/// Names with what they stand for. Points and centres are in the world, m; axes are unit vectors; the angle is in rad.
pub const LEAVES: [(&str, Leaf); 17] = [
    ("pA", Leaf::Point(End::A)),
    ("pB", Leaf::Point(End::B)),
    ("comA", Leaf::Centre(End::A)),
    ("comB", Leaf::Centre(End::B)),
    ("aA", Leaf::Axis(End::A)),
    ("aB", Leaf::Axis(End::B)),
    ("xA", Leaf::Own(End::A, 0)),
    ("yA", Leaf::Own(End::A, 1)),
    ("zA", Leaf::Own(End::A, 2)),
    ("xB", Leaf::Own(End::B, 0)),
    ("yB", Leaf::Own(End::B, 1)),
    ("zB", Leaf::Own(End::B, 2)),
    ("x", Leaf::World(0)),
    ("y", Leaf::World(1)),
    ("z", Leaf::World(2)),
    ("angle", Leaf::Angle),
    ("rest", Leaf::Rest),
];

/// The name for ‖pB − pA‖, m.
pub const DISTANCE: &str = "distance";

/// Functions of vectors, each with the number of its values.
pub const OF_VECTORS: [(&str, usize); 5] = [("dot", 2), ("cross", 2), ("length", 1), ("normalize", 1), ("vec", 3)];

/// The derivatives of the functions of one value, in the order of [`crate::force::formula::FUNCTIONS`]. Steps have none,
/// and count as level.
pub(super) const SLOPES: [fn(f64) -> f64; 18] = [
    libm::cos,
    |x| -libm::sin(x),
    |x| 1.0 + libm::tan(x) * libm::tan(x),
    |x| 1.0 / (1.0 - x * x).sqrt(),
    |x| -1.0 / (1.0 - x * x).sqrt(),
    |x| 1.0 / (1.0 + x * x),
    libm::cosh,
    libm::sinh,
    |x| 1.0 - libm::tanh(x) * libm::tanh(x),
    libm::exp,
    |x| 1.0 / x,
    |x| std::f64::consts::LOG10_E / x,
    |x| 0.5 / x.sqrt(),
    |x| if x == 0.0 { 0.0 } else { x.signum() },
    |_| 0.0,
    |_| 0.0,
    |_| 0.0,
    |_| 0.0,
];

impl Leaf {
    pub fn is_vector(self) -> bool {
        !matches!(self, Self::Angle | Self::Rest)
    }

    /// Whether it is a place, of which a force can take hold.
    pub fn is_place(self) -> bool {
        matches!(self, Self::Point(_) | Self::Centre(_))
    }

    /// Its value; a number is the first component.
    #[inline]
    pub(super) fn value(self, frames: &JointFrames) -> DVec3 {
        let own = |end, k: u8| [frames.qa, frames.qb][end as usize] * Vec3::AXES[usize::from(k)];
        match self {
            Self::Point(end) => {
                let (centre, arm) = [(frames.xa, frames.ra), (frames.xb, frames.rb)][end as usize];
                centre.as_dvec3() + arm.as_dvec3()
            }
            Self::Centre(end) => [frames.xa, frames.xb][end as usize].as_dvec3(),
            Self::Axis(end) => [frames.axis_a, frames.axis_b][end as usize].as_dvec3(),
            Self::Own(end, k) => own(end, k).as_dvec3(),
            Self::World(k) => DVec3::AXES[usize::from(k)],
            Self::Angle => {
                let JointFrames { qa, qb, reference, axis_local, previous, .. } = *frames;
                DVec3::X * f64::from(hinge_axis::angle(qa, qb, reference, axis_local, previous))
            }
            Self::Rest => DVec3::X * f64::from(frames.rest_length),
        }
    }
}

/// The gradient of the angle about the axis, world frame: what B's angular velocity is multiplied by, and, with the
/// other sign, A's.
///
/// ```text
/// q = q_A⁻¹ q_B q_ref⁻¹ = (v, w),  s = a · v,  θ = 2 atan2(s, w):   g = (w² a + w v × a + s v)/(w² + s²)
/// ```
/// While B turns about the axis alone v is along a, and g is a. Derived here, from q' = ½ (ω, 0) q.
pub(super) fn angle_gradient(frames: &JointFrames) -> DVec3 {
    let q: Quat = frames.qa.inverse() * frames.qb * frames.reference.inverse();
    let (v, w, a) = (Vec3::new(q.x, q.y, q.z), q.w, frames.axis_local);
    let s = a.dot(v);
    let g = (w * w * a + w * v.cross(a) + s * v) / (w * w + s * s);
    (frames.qa * g).as_dvec3()
}

#[cfg(test)]
mod tests {
    use super::SLOPES;
    use crate::force::formula::FUNCTIONS;

    /// Central differences of 1e-6 err by e²f'''/6 and by rounding over e: below 1e-8 here.
    #[test]
    fn the_slopes_are_the_derivatives_of_the_functions() {
        for ((name, function), slope) in FUNCTIONS.into_iter().zip(SLOPES) {
            for x in [0.13, 0.4, 0.77] {
                let e = 1e-6;
                let difference = (function(x + e) - function(x - e)) / (2.0 * e);
                assert!((difference - slope(x)).abs() < 1e-8, "{name} at {x}: {difference}, {}", slope(x));
            }
        }
    }
}
