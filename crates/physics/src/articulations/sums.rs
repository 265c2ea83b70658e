//! Energy, momentum and joint errors of the bodies and joints that are out of date in the world: one pass over the
//! groups instead of one over separately allocated bodies. Products and sums are in 64 bits, as in `metrics.rs`.

use glam::{DVec3, Vec3};
use wide::f64x4;

use super::Articulations;
use super::group::{MechanismGroup, NodeState};
use super::solve::{constrains_rotation, levers};
use crate::kernel::lanes::{Lanes, Matrices, Symmetric, Vectors, mask};
use crate::kernel::vector;
use crate::readout::angle_of_chord;
use crate::sums::{self, Sums};

/// Groups whose sums a thread makes at a time.
const PIECE: usize = 16;

/// Four lanes in 64 bits.
type Doubles = vector::Vectors<f64x4>;

impl Articulations {
    /// The sums over all bodies and joints that are out of date in the world; zero if the world is up to date. No
    /// joint in the articulations breaks or has a spring.
    pub(crate) fn sums(&self, gravity: Vec3, threads: usize) -> Sums {
        let groups: &[MechanismGroup] = if self.ahead { &self.groups } else { &[] };
        sums::sum(threads, groups.len().div_ceil(PIECE), |piece| {
            let mut sums = Sums::default();
            for group in groups[piece * PIECE..].iter().take(PIECE) {
                group.add_motion(gravity, &mut sums);
                group.add_errors(&mut sums);
            }
            sums
        })
    }
}

/// The lower or the upper four lanes in 64 bits.
#[inline(always)]
fn half(lanes: Lanes, upper: bool) -> f64x4 {
    let [a, b, c, d, e, f, g, h] = lanes.to_array();
    f64x4::from(if upper { [e, f, g, h] } else { [a, b, c, d] }.map(f64::from))
}

#[inline(always)]
fn halves(vectors: Vectors, upper: bool) -> Doubles {
    Doubles { x: half(vectors.x, upper), y: half(vectors.y, upper), z: half(vectors.z, upper) }
}

/// The sum of four lanes, in their order.
fn total(lanes: f64x4) -> f64 {
    lanes.to_array().into_iter().sum()
}

fn vector(doubles: Doubles) -> DVec3 {
    DVec3::new(total(doubles.x), total(doubles.y), total(doubles.z))
}

/// Sums over the bodies of a group, in four lanes.
#[derive(Default)]
struct LaneSums {
    /// Twice the kinetic energy, J.
    motion: f64x4,
    /// m x, kg·m.
    place: Doubles,
    momentum: Doubles,
    angular: Doubles,
    mass: f64x4,
}

impl LaneSums {
    /// Adds the bodies of one node: mass, kg, inertia in world axes, kg·m², and state.
    #[inline(always)]
    fn add(&mut self, mass: f64x4, inertia: &[Doubles; 3], (x, v, w): (Doubles, Doubles, Doubles)) {
        let spin = Doubles { x: inertia[0].dot(w), y: inertia[1].dot(w), z: inertia[2].dot(w) };
        let momentum = v * mass;
        self.motion += momentum.dot(v) + w.dot(spin);
        self.place += x * mass;
        self.momentum += momentum;
        self.angular += x.cross(momentum) + spin;
        self.mass += mass;
    }
}

impl MechanismGroup {
    /// The lanes that were stepped here.
    fn shown(&self) -> Lanes {
        mask(std::array::from_fn(|lane| !self.by_rows >> lane & 1 == 1))
    }

    /// Inertia of a node's bodies in world axes, kg·m², by rows.
    #[inline(always)]
    fn inertia(&self, node: usize, state: &NodeState) -> Matrices {
        if self.round() {
            return Symmetric::scalar(self.fixed.links[node].moment).rows();
        }
        self.fixed.tensors[node].inertia.turned(&Matrices::of(state.q)).rows()
    }

    /// Adds energy and momentum of the bodies that were stepped here.
    fn add_motion(&self, gravity: Vec3, sums: &mut Sums) {
        let stepped = self.shown();
        for upper in [false, true] {
            let mut lanes = LaneSums::default();
            for (node, (link, state)) in self.fixed.links.iter().zip(&self.states).enumerate() {
                let shown = stepped & link.present;
                let wide = |vectors: Vectors| halves(vectors.masked(shown), upper);
                let Matrices { x, y, z } = self.inertia(node, state);
                let state = (wide(state.x), wide(state.v), wide(state.w));
                lanes.add(half(link.mass & shown, upper), &[x, y, z].map(wide), state);
            }
            sums.kinetic += 0.5 * total(lanes.motion);
            sums.potential -= gravity.as_dvec3().dot(vector(lanes.place));
            sums.momentum += vector(lanes.momentum);
            sums.angular += vector(lanes.angular);
            sums.moving += total(lanes.mass);
        }
    }

    /// Adds the errors of the joints that were stepped here.
    fn add_errors(&self, sums: &mut Sums) {
        let stepped = self.shown();
        let mut sum = Lanes::ZERO;
        let (mut largest_gap, mut most_chord) = (Lanes::ZERO, Lanes::ZERO);
        for (node, (link, state)) in self.fixed.links.iter().zip(&self.states).enumerate() {
            let parent = self.parent(node, &self.states);
            let shown = stepped & if node == 0 { link.present & self.fixed.rooted } else { link.present };
            let (_, _, gap) = levers(link, state, &parent);
            let gap = gap.dot(gap).sqrt() & shown;
            sum += gap;
            largest_gap = largest_gap.fast_max(gap);
            if !link.plain {
                let constraint = &self.fixed.angular[node];
                let (error, _, _) = self.angular_error(node, state, &parent);
                // 2 sin(θ/2), as for an orientation lock: the distance between the tips of the two axes.
                let tips = state.q.rotate(constraint.axis) - parent.q.rotate(constraint.above);
                let chord = Vectors::select(constraint.hinge, tips, error).masked(constrains_rotation(constraint));
                most_chord = most_chord.fast_max(chord.dot(chord).sqrt() & shown);
            }
        }
        let largest = |lanes: Lanes| lanes.to_array().into_iter().fold(0.0, f32::max);
        sums.errors += sum.to_array().into_iter().map(f64::from).sum::<f64>();
        sums.largest_gap = sums.largest_gap.max(largest(largest_gap).into());
        sums.largest_angle = sums.largest_angle.max(angle_of_chord(largest(most_chord)).into());
    }
}
