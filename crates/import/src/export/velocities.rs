//! Rates of joints in MuJoCo's coordinates, from the velocities of bodies.
//!
//! ```text
//! V_child − V_parent = Σ q̇ᵢ Sᵢ,   Sᵢ the motion of the child for a unit rate of joint i, all at their reference values
//! ```
//! Where the scene's velocities break joints, the rates are those that leave the least kinetic energy in what is lost:
//! the impulses of the joints, as the first step of a scene has them.
//!
//! ```text
//! ½ Σ (V − W)ᵀ M (V − W) → min,  W the scene's:   H q̇ = p,  Hᵢⱼ = Sᵢᵀ (Σ M) Sⱼ,  pᵢ = Sᵢᵀ Σ M W
//! ```
//! The sums are over the bodies that hang on both joints, or on i. Loops are not part of it.

use glam::DVec3;

use super::links::{Link, Twist};
use super::motions::Motion;
use super::tree::Tree;
use crate::frame::Frame;
use crate::model::{Freedom, Joint};

/// The motions of the child for unit rates of the joint, in the order of MuJoCo's velocities. `child` is its frame.
pub fn columns(joint: &Joint, child: &Frame) -> Vec<Twist> {
    let about = |axis: DVec3, at: DVec3| Twist::of(at, DVec3::ZERO, axis);
    let along = |axis: DVec3| Twist { linear: axis, angular: DVec3::ZERO };
    let own = DVec3::AXES.map(|axis| child.turn * axis);
    match joint.freedom {
        Freedom::Turn => vec![about(joint.axis, joint.anchor)],
        Freedom::Slide => vec![along(joint.axis)],
        // Rates about the child's own axes.
        Freedom::Ball => own.map(|axis| about(axis, joint.anchor)).to_vec(),
        Freedom::All => DVec3::AXES.into_iter().map(along).chain(own.map(|axis| about(axis, child.origin))).collect(),
        Freedom::Nothing | Freedom::Plane => Vec::new(),
    }
}

/// The start of all links: the rates of their joints, and their velocities.
pub struct Start {
    pub rates: Vec<Vec<f64>>,
    pub twists: Vec<Twist>,
}

/// Most joints of a tree whose velocities are fitted together; those of a larger one are, link by link.
const MOST: usize = 256;

/// The start that comes closest to the velocities of the scene.
pub fn start(links: &[Link<'_>], tree: &Tree, motions: &[Vec<Motion>]) -> Start {
    let columns: Vec<Vec<Twist>> = (0..links.len())
        .map(|k| motions[k].iter().flat_map(|motion| columns(&motion.joint, &links[k].pose)).collect())
        .collect();
    let mut start = Start { rates: vec![Vec::new(); links.len()], twists: vec![Twist::ZERO; links.len()] };
    let roots = tree.order.iter().filter(|link| !links[**link].fixed && links[tree.holds[**link].parent].fixed);
    for root in roots {
        let mut members = vec![*root];
        let mut next = 0;
        while next < members.len() {
            members.extend(&tree.children[members[next]]);
            next += 1;
        }
        let count: usize = members.iter().map(|link| columns[*link].len()).sum();
        for together in [false, true] {
            let rates = if together && count <= MOST { fitted(links, tree, &columns, &members) } else { Vec::new() };
            let mut rates = rates.into_iter();
            let mut fits = true;
            for link in members.iter().copied() {
                let (own, base) = (&columns[link], start.twists[tree.holds[link].parent]);
                let found: Vec<f64> = rates.by_ref().take(own.len()).collect();
                let wanted = links[link].twist.plus(&base, -1.0);
                let found =
                    if found.len() == own.len() && together { found } else { alone(own, &wanted, &links[link]) };
                start.twists[link] = own.iter().zip(&found).fold(base, |sum, (column, rate)| sum.plus(column, *rate));
                start.rates[link] = found;
                let (speed, spin) = lost(&links[link], &start.twists[link]);
                fits &= speed + spin < 1e-6;
            }
            if fits {
                break;
            }
        }
    }
    start
}

/// What a link loses of its velocity, m/s, and of its angular velocity, rad/s, in proportion where these are above 1.
pub fn lost(link: &Link<'_>, twist: &Twist) -> (f64, f64) {
    let (there, here) = (link.twist.at(link.centre()), twist.at(link.centre()));
    let spin = link.twist.angular;
    (there.distance(here) / there.length().max(1.0), spin.distance(twist.angular) / spin.length().max(1.0))
}

/// The rates of the joints of a tree, in the order of its members, that fit all its velocities at once.
fn fitted(links: &[Link<'_>], tree: &Tree, columns: &[Vec<Twist>], members: &[usize]) -> Vec<f64> {
    let of: Vec<(usize, Twist)> =
        members.iter().flat_map(|link| columns[*link].iter().map(move |column| (*link, *column))).collect();
    let hangs = |link: usize, on: usize| {
        std::iter::successors(Some(link), |link| Some(tree.holds[*link].parent).filter(|up| !links[*up].fixed))
            .any(|up| up == on)
    };
    let under: Vec<Vec<usize>> =
        members.iter().map(|on| members.iter().copied().filter(|link| hangs(*link, *on)).collect()).collect();
    let below = |link: usize| members.iter().position(|own| *own == link).map_or(&[][..], |k| &under[k]);
    let mut matrix: Vec<Vec<f64>> = of
        .iter()
        .map(|(link, own)| {
            let row = of.iter().map(|(other, column)| {
                let deeper = if below(*link).contains(other) { *other } else { *link };
                let shared = below(*link).contains(other) || below(*other).contains(link);
                let bodies = if shared { below(deeper) } else { &[] };
                bodies.iter().map(|body| product(own, column, &links[*body])).sum::<f64>()
            });
            let right = below(*link).iter().map(|body| product(own, &links[*body].twist, &links[*body])).sum::<f64>();
            row.chain([right]).collect()
        })
        .collect();
    solve(&mut matrix)
}

/// The rates by which a child comes closest to a wanted motion against its parent, if the parent does not yield.
fn alone(columns: &[Twist], wanted: &Twist, child: &Link<'_>) -> Vec<f64> {
    let row = |own: &Twist| {
        let row = columns.iter().map(|other| product(own, other, child));
        row.chain([product(own, wanted, child)]).collect()
    };
    solve(&mut columns.iter().map(row).collect::<Vec<Vec<f64>>>())
}

/// Twice the mixed kinetic energy of two motions of a body.
fn product(a: &Twist, b: &Twist, body: &Link<'_>) -> f64 {
    let centre = body.centre();
    body.mass.mass * a.at(centre).dot(b.at(centre)) + a.angular.dot(body.world_inertia() * b.angular)
}

/// Solves a small positive definite system with its right side in the last column; a direction without inertia has rate
/// zero.
fn solve(matrix: &mut [Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let scale = (0..n).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
    for i in 0..n {
        let pivot = matrix[i][i];
        if pivot.abs() <= 1e-12 * scale {
            matrix[i].fill(0.0);
            continue;
        }
        matrix[i].iter_mut().for_each(|entry| *entry /= pivot);
        let row = matrix[i].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
    matrix.iter().map(|row| row[n]).collect()
}
