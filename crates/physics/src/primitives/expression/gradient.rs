//! The value of a constraint's formula, and its gradient by the reverse mode of automatic differentiation.
//!
//! ```text
//! forwards   v_i = f_i(v_j, v_k)                           C the last one
//! backwards  g_last = 1,  g_j += (∂f_i/∂v_j)ᵀ g_i          g_i = ∂C/∂v_i
//! point p of a body, ṗ = v + ω × r:   lin += g, ang += r × g        axis a that it carries, ȧ = ω × a:   ang += a × g
//! ```
//! One pass each way gives the twelve derivatives of J, whatever their number; dual numbers, the forward mode, would carry
//! all twelve through each operation. 64 bits, so that C and J are good to the rounding of the frames. Source: Griewank
//! and Walther, Evaluating Derivatives, ch. 3.

use glam::DVec3;

use super::names::{End, angle_gradient};
use super::{Expression, Leaf, MAX_OPERATIONS, MAX_PARAMETERS, Op, SLOPES};
use crate::force::formula::FUNCTIONS;
use crate::row::{Jacobian, JointFrames};

/// The share of a row's force below which it counts as the rounding of forces that cancel.
const ROUNDING: f64 = 1e-9;
/// Formulas with at most this many operations are evaluated with a tenth of the memory.
const FEW: usize = 24;

impl Expression {
    /// C and its jacobian at these frames, with these values of its parameters. None where one of them is not finite.
    pub fn row(&self, frames: &JointFrames, parameters: &[f64; MAX_PARAMETERS]) -> Option<(f32, Jacobian)> {
        if self.ops.len() <= FEW {
            self.row_of::<FEW>(frames, parameters)
        } else {
            self.row_of::<MAX_OPERATIONS>(frames, parameters)
        }
    }

    fn row_of<const N: usize>(
        &self,
        frames: &JointFrames,
        parameters: &[f64; MAX_PARAMETERS],
    ) -> Option<(f32, Jacobian)> {
        let (mut values, mut gradients) = ([DVec3::ZERO; N], [DVec3::ZERO; N]);
        let count = self.ops.len();
        for (at, op) in self.ops.iter().enumerate() {
            values[at] = value(op, &values, frames, parameters);
        }
        let c = values[count - 1].x as f32;
        if !c.is_finite() {
            return None;
        }
        gradients[count - 1].x = 1.0;
        let mut sum = Sum::default();
        for (at, op) in self.ops.iter().enumerate().rev() {
            let g = gradients[at];
            // An operation that does not contribute may have an infinite derivative: 0 · ∞ is NaN.
            if g == DVec3::ZERO {
                continue;
            }
            if let Op::Leaf(leaf) = op {
                sum.add(*leaf, g, values[at], frames);
            } else {
                propagate(op, g, values[at], &values, &mut gradients);
            }
        }
        sum.jacobian().map(|jacobian| (c, jacobian))
    }
}

/// The value of an operation; `values` are those of the operations before it.
#[inline]
fn value(op: &Op, values: &[DVec3], frames: &JointFrames, parameters: &[f64; MAX_PARAMETERS]) -> DVec3 {
    let of = |at: u8| values[usize::from(at)];
    let number = |x: f64| DVec3::new(x, 0.0, 0.0);
    match *op {
        Op::Number(x) => number(x),
        Op::Parameter(index) => number(parameters[usize::from(index)]),
        Op::Leaf(leaf) => leaf.value(frames),
        Op::Negate(a) => -of(a),
        Op::Add(a, b) => of(a) + of(b),
        Op::Subtract(a, b) => of(a) - of(b),
        Op::Times(a, b) => of(a).x * of(b),
        Op::Over(a, b) => of(a) / of(b).x,
        Op::Dot(a, b) => number(of(a).dot(of(b))),
        Op::Cross(a, b) => of(a).cross(of(b)),
        Op::Length(a) => number(of(a).length()),
        Op::Normalize(a) => of(a) / of(a).length(),
        Op::Component(a, axis) => number(of(a)[usize::from(axis)]),
        Op::Vector(a, b, c) => DVec3::new(of(a).x, of(b).x, of(c).x),
        Op::Function(a, index) => number(FUNCTIONS[usize::from(index)].1(of(a).x)),
        Op::Power(a, b) => number(libm::pow(of(a).x, of(b).x)),
        Op::ToThe(a, exponent) => number(libm::pow(of(a).x, exponent)),
        Op::Min(a, b) => number(of(a).x.min(of(b).x)),
        Op::Max(a, b) => number(of(a).x.max(of(b).x)),
        Op::Mod(a, b) => number(of(a).x - of(b).x * (of(a).x / of(b).x).floor()),
        Op::Atan2(a, b) => number(libm::atan2(of(a).x, of(b).x)),
    }
}

/// Adds the gradient `g` of an operation with the value `own` to the gradients of its operands.
#[inline]
fn propagate(op: &Op, g: DVec3, own: DVec3, values: &[DVec3], gradients: &mut [DVec3]) {
    let of = |at: u8| values[usize::from(at)];
    let mut give = |at: u8, part: DVec3| gradients[usize::from(at)] += part;
    let number = |x: f64| DVec3::new(x, 0.0, 0.0);
    match *op {
        Op::Number(_) | Op::Parameter(_) | Op::Leaf(_) => {}
        Op::Negate(a) => give(a, -g),
        Op::Add(a, b) => {
            give(a, g);
            give(b, g);
        }
        Op::Subtract(a, b) => {
            give(a, g);
            give(b, -g);
        }
        Op::Times(a, b) => {
            give(a, number(g.dot(of(b))));
            give(b, of(a).x * g);
        }
        Op::Over(a, b) => {
            give(a, g / of(b).x);
            give(b, number(-g.dot(own) / of(b).x));
        }
        Op::Dot(a, b) => {
            give(a, g.x * of(b));
            give(b, g.x * of(a));
        }
        Op::Cross(a, b) => {
            give(a, of(b).cross(g));
            give(b, g.cross(of(a)));
        }
        Op::Length(a) => give(a, g.x * of(a) / own.x),
        Op::Normalize(a) => give(a, (g - own * own.dot(g)) / of(a).length()),
        Op::Component(a, axis) => give(a, g.x * DVec3::AXES[usize::from(axis)]),
        Op::Vector(a, b, c) => {
            give(a, number(g.x));
            give(b, number(g.y));
            give(c, number(g.z));
        }
        Op::Function(a, index) => give(a, number(g.x * SLOPES[usize::from(index)](of(a).x))),
        Op::Power(a, b) => {
            let (base, exponent) = (of(a).x, of(b).x);
            give(a, number(g.x * exponent * libm::pow(base, exponent - 1.0)));
            give(b, number(g.x * own.x * libm::log(base)));
        }
        Op::ToThe(_, 0.0) => {}
        Op::ToThe(a, exponent) => give(a, number(g.x * exponent * libm::pow(of(a).x, exponent - 1.0))),
        Op::Min(a, b) => give(if of(a).x <= of(b).x { a } else { b }, g),
        Op::Max(a, b) => give(if of(a).x >= of(b).x { a } else { b }, g),
        Op::Mod(a, b) => {
            give(a, g);
            give(b, number(-g.x * (of(a).x / of(b).x).floor()));
        }
        Op::Atan2(a, b) => {
            let (y, x) = (of(a).x, of(b).x);
            give(a, number(g.x * x / (x * x + y * y)));
            give(b, number(-g.x * y / (x * x + y * y)));
        }
    }
}

/// The derivatives by the velocities of the two bodies.
#[derive(Default)]
struct Sum {
    linear: [DVec3; 2],
    angular: [DVec3; 2],
}

impl Sum {
    #[inline]
    fn add(&mut self, leaf: Leaf, g: DVec3, value: DVec3, frames: &JointFrames) {
        match leaf {
            Leaf::Point(end) => {
                let arm = if end == End::A { frames.ra } else { frames.rb };
                self.linear[end as usize] += g;
                self.angular[end as usize] += arm.as_dvec3().cross(g);
            }
            Leaf::Centre(end) => self.linear[end as usize] += g,
            Leaf::Axis(end) | Leaf::Own(end, _) => self.angular[end as usize] += value.cross(g),
            Leaf::Angle => {
                let about = g.x * angle_gradient(frames);
                self.angular[0] -= about;
                self.angular[1] += about;
            }
            Leaf::World(_) | Leaf::Rest => {}
        }
    }

    /// The jacobian in 32 bits; `None` if it is not finite, or vanishes. If the two forces cancel up to rounding, their sum is
    /// set to zero, so that the row conserves momentum.
    fn jacobian(self) -> Option<Jacobian> {
        let Self { linear: [on_a, on_b], angular: [ang_a, ang_b] } = self;
        let net = on_a + on_b;
        let cancels = net.length_squared() <= (ROUNDING * ROUNDING) * (on_a.length_squared() + on_b.length_squared());
        let [lin, ang_a, ang_b, net] =
            [on_b, ang_a, ang_b, if cancels { DVec3::ZERO } else { net }].map(|vector| vector.as_vec3());
        let jacobian = Jacobian { lin, ang_a, ang_b, net };
        let sum = lin.length_squared() + net.length_squared() + ang_a.length_squared() + ang_b.length_squared();
        (sum.is_finite() && sum > 0.0).then_some(jacobian)
    }
}
