//! Moves the points of some contacts through the sub-steps of a step: those of round bodies that roll, of flat bodies that
//! pivot on edges or corners, and of flat bodies that turn together. All other points are kept as they are
//! (`shared_by_substeps.rs`).
//!
//! ```text
//! m     outward normal of the round body at the contact, as it was found
//! e     direction from the core to the surface: m for a ball or capsule; for a cylinder with axis a, the unit vector
//!       along m − a (a·m)
//! p     the contact point, as it was found;  R the radius
//! q     = p − R e              a point of the core; it moves with the body, to q'
//! d     = q' + R e' − p        how far the contact point has moved
//! w                            how far the point of the flat body at p has moved
//! gap   C = C₀ + n'·(d − w),   n' the normal, rotated with the flat body;  C₀ the gap, as it was found
//! ```
//! The contact point moves over both surfaces. So in each sub-step the lever arms of both bodies end where they touch.
//! If the arms were kept, a ball with its centre of mass off its middle would roll ahead of the load on it. The torque
//! would come late, and at 60 Hz the ball's swing would grow by 21 % in five seconds. Between two round bodies each arm
//! follows its own body, along the normal as it was found. Their points then lie apart by the difference of the two d.
//! This widens the gap by the square of that difference, divided by twice the sum of the radii. Where their axes cross,
//! as those of a rod on a drum, the point and the gap follow exactly: see `crossed.rs`. On a round body that stands still
//! a flat one rocks; then m turns with the flat body.
//!
//! The rows of a sub-step hold the point that touches at its beginning. While the body turns on, the point of its core moves
//! on a circle, and the direction to the surface turns. So the rows at the middle of the sub-step differ by the bias:
//! ```text
//! b = ± ½ ω × (k⁺ − k + R e⁺ − R e)      k: the point of the core, from the centre of mass;  J u + b·n ≥ 0,  J_t u + b·t = 0
//! ```
//! The curvature bias b is zero for a ball and for a cylinder that lies on its side. Without it a disc that leans and
//! wobbles on its rim sinks by h b in each sub-step, and lies flat after a few turns. With it the velocities are those of the sub-steps' middles, as
//! in leapfrog.
//!
//! A box that pivots on an edge or a corner turns about points that it keeps: it counts as round with R = 0.
//!
//! A crate on a turntable turns with the table, and so does their contact point. It moves by the mean of the two
//! bodies' displacements there, and the arms are those at the middle of the sub-step. If the arms were kept, the table
//! would drag the crate along the tangent at the start of the step, and the crate would creep outward at ω² r h/2.

use arrayvec::ArrayVec;
use glam::{Quat, Vec3};
use parry3d::shape::TypedShape;

use super::Pair;
use super::crossed::{self, Axis};
use super::manifold::POINTS;
use super::round::rolls;
use crate::body::{Body, Motion};
use crate::shape::Solid;
use crate::velocity::Velocity;

/// A contact whose points move: its bodies roll, pivot, or turn together.
#[derive(Debug, Clone)]
pub(super) struct RollingContact {
    /// Index of the pair.
    pair: u32,
    /// Which of the two bodies are round at the contact. A flat one that pivots on its points counts as round with R = 0.
    round: [bool; 2],
    /// Whether it is such a flat one.
    pivots: bool,
    /// The points, world frame, and gaps as they were found, m.
    found: ArrayVec<(Vec3, f32), POINTS>,
}

/// Two flat bodies turn together only if each turns by more than this in a step, rad.
const MIN_TURN: f32 = 2e-3;
/// Their angular velocities must also differ by less than this share of the smaller one.
const MAX_RATE_DIFFERENCE: f32 = 0.5;

/// Lists the contacts of round bodies whose lever arms will change within the step of `duration` seconds, and the
/// contacts of flat bodies that turn together.
pub(super) fn list(
    pairs: &[Pair],
    bodies: &[Box<Body>],
    velocities: &[Velocity],
    duration: f32,
    list: &mut Vec<RollingContact>,
) {
    list.clear();
    for (index, pair) in (0..).zip(pairs).filter(|(_, pair)| !pair.idle && pair.touches) {
        let manifold = &pair.near.manifold;
        let ends = pair.ends().map(|end| end.of(bodies));
        let mut round = [is_round(ends[0], manifold.normal), is_round(ends[1], -manifold.normal)];
        let flat = round == [false, false];
        if flat {
            round = pivots(pair, bodies, velocities, duration);
        }
        let pivots = flat && round != [false, false];
        let keeps_arms = |end: usize| {
            let still = ends[end].0.motion == Motion::Static;
            still || round[end] && is_even_ball(ends[end])
        };
        let turn_together = || {
            let [a, b] = [pair.a, pair.b].map(|body| velocities[body as usize].angular * duration);
            let least = a.length_squared().min(b.length_squared());
            least > MIN_TURN * MIN_TURN && (b - a).length_squared() < MAX_RATE_DIFFERENCE * MAX_RATE_DIFFERENCE * least
        };
        let has_arms = match round {
            [false, false] => turn_together(),
            // As the point moves, the arm on a flat body changes, too, unless the body is static.
            _ => !(keeps_arms(0) && keeps_arms(1)),
        };
        if has_arms && manifold.sideways == Vec3::ZERO {
            let found = manifold.points.iter().take(POINTS).map(|point| (point.position, point.separation)).collect();
            list.push(RollingContact { pair: index, round, pivots, found });
        }
    }
}

/// A flat body pivots if its points slide by less than this share of the speed with which it turns about them.
const STICKS: f32 = 0.25;

/// Which of two flat bodies pivots on its points: it turns, the other one does not, and the points stick.
fn pivots(pair: &Pair, bodies: &[Box<Body>], velocities: &[Velocity], duration: f32) -> [bool; 2] {
    let ends = [pair.a as usize, pair.b as usize];
    let manifold = &pair.near.manifold;
    // A body that only spins about the normal does not pivot.
    let tilts = |body: usize| Vec3::from(velocities[body].angular).reject_from_normalized(manifold.normal) * duration;
    let turns = ends.map(|body| tilts(body).length_squared() > MIN_TURN * MIN_TURN);
    let still = ends.map(|body| velocities[body].angular.length_squared() * duration * duration < MIN_TURN * MIN_TURN);
    if !(turns[0] && still[1] || turns[1] && still[0]) {
        return [false, false];
    }
    let centre = manifold.centre(manifold.slop);
    let [a, b] = ends.map(|body| {
        let arm = centre - bodies[body].position;
        let around = Vec3::from(velocities[body].angular).cross(arm);
        (Vec3::from(velocities[body].linear) + around, around)
    });
    let slides = (b.0 - a.0).reject_from_normalized(manifold.normal);
    let around = if turns[0] { a.1 } else { b.1 };
    let sticks = slides.length_squared() <= STICKS * STICKS * around.length_squared();
    if sticks { turns } else { [false, false] }
}

/// Whether a body can roll on the part of its surface that has the normal `outward`, a unit vector, world frame.
fn is_round((body, piece): (&Body, &Solid), outward: Vec3) -> bool {
    let geometry = &*piece.geometry;
    !matches!(geometry.as_typed_shape(), TypedShape::Cuboid(_))
        && rolls(geometry, (body.rotation * piece.offset.rotation).inverse() * outward)
}

/// Whether a shape is a ball with the body's centre of mass at its middle. Its lever arm is R along the normal, however
/// it rolls.
fn is_even_ball((_, piece): (&Body, &Solid)) -> bool {
    let ball = matches!(piece.geometry.as_typed_shape(), TypedShape::Ball(_));
    ball && piece.offset.translation == Vec3::ZERO
}

/// Moves the points of bodies that turn together ahead to the middle of the first sub-step, of `h` seconds. Called when
/// the points have just been found.
pub(super) fn advance_to_midpoint(
    list: &[RollingContact],
    pairs: &mut [Pair],
    (bodies, velocities): (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    let flat = list.iter().filter(|contact| contact.round == [false, false]);
    move_points(flat, pairs, (bodies, velocities), places, h);
}

/// Moves the points of all listed contacts to the present poses of the bodies, before a later sub-step of `h` seconds.
/// `places` are the poses at which the points were found.
pub(super) fn move_to_present(
    list: &[RollingContact],
    pairs: &mut [Pair],
    moving: (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    move_points(list.iter(), pairs, moving, places, h);
}

/// A body that turns by less than this in a sub-step counts as one that does not, rad.
const STILL: f32 = 1e-3;

/// Sets the curvature biases, for a sub-step of `h` seconds, of the listed contacts of round bodies with flat ones that do
/// not turn.
pub(super) fn set_curvature(
    list: &[RollingContact],
    pairs: &mut [Pair],
    (bodies, velocities): (&[Box<Body>], &[Velocity]),
    h: f32,
) {
    for RollingContact { pair, round, pivots, .. } in list {
        let pair = &mut pairs[*pair as usize];
        let end = match *round {
            [true, false] => 0,
            [false, true] => 1,
            _ => continue,
        };
        let ends = [pair.a as usize, pair.b as usize];
        let [own, other] = [end, 1 - end].map(|end| Vec3::from(velocities[ends[end]].angular));
        let shape = pair.ends().map(|end| end.of(bodies))[end];
        let manifold = &mut pair.near.manifold;
        if other.length_squared() * h * h > STILL * STILL {
            manifold.clear_curvature();
            continue;
        }
        let sign = if end == 0 { -1.0 } else { 1.0 };
        let outward = -sign * manifold.normal;
        let turn = Quat::from_scaled_axis(own * h);
        let [now, later] =
            [Quat::IDENTITY, turn].map(|turn| if *pivots { Vec3::ZERO } else { to_surface(shape, turn, outward) });
        // Of a point of the surface, m.
        let curvature = |at: Vec3| {
            let k = at - shape.0.position - now;
            0.5 * sign * own.cross(turn * k - k + later - now)
        };
        let centre = manifold.centre(manifold.slop);
        manifold.curvature = curvature(centre);
        for point in &mut manifold.points {
            point.curvature = manifold.normal.dot(curvature(point.position - 0.5 * point.separation * outward));
        }
    }
}

fn move_points<'a>(
    list: impl Iterator<Item = &'a RollingContact>,
    pairs: &mut [Pair],
    (bodies, velocities): (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    for RollingContact { pair, round, pivots, found } in list {
        let pair = &mut pairs[*pair as usize];
        let (ends, shapes) = ([pair.a as usize, pair.b as usize], pair.ends());
        let moved = ends.map(|body| Moved::new(&bodies[body], places[body]));
        let manifold = &mut pair.near.manifold;
        let n = manifold.normal;
        let shapes = shapes.map(|shape| shape.of(bodies));
        if let ([true, true], [point]) = (*round, &mut manifold.points[..])
            && let [Some(a), Some(b)] = shapes.map(Axis::of)
            && let Some((position, gap)) = crossed::meet(&a, &b, n)
        {
            (point.position, point.separation) = (position, gap);
            manifold.has_rolled = true;
            continue;
        }
        // The normal turns with the flat body, if there is one.
        let after = match *round {
            [true, false] => moved[1].turn * n,
            [false, true] => moved[0].turn * n,
            _ => n,
        };
        let outward = |end: usize| if end == 0 { [n, after] } else { [-n, -after] };
        let surfaces = [0, 1]
            .map(|end| if *pivots { Surface::default() } else { Surface::new(shapes[end], &moved[end], outward(end)) });
        // How far the point of B lies from the point of A along the surface, m: the mean over the points.
        let mut sideways = Vec3::ZERO;
        for (point, (position, gap)) in manifold.points.iter_mut().zip(found) {
            // How far the surface point of a round body has moved, m. The contact point lies midway across the gap, so
            // the surface point starts half a gap from it.
            let round_shift = |end: usize| {
                let start = if end == 0 { *position - 0.5 * *gap * n } else { *position + 0.5 * *gap * n };
                moved[end].place(start - surfaces[end].before) + surfaces[end].after - start
            };
            // How far the point of a flat body has moved, m.
            let flat_shift = |end: usize| moved[end].place(*position) - *position;
            (point.position, point.separation) = match *round {
                [true, false] => {
                    let shift = round_shift(0);
                    (*position + shift, gap + (moved[1].turn * n).dot(flat_shift(1) - shift))
                }
                [false, true] => {
                    let shift = round_shift(1);
                    (*position + shift, gap + (moved[0].turn * n).dot(shift - flat_shift(0)))
                }
                [false, false] => {
                    let (a, b) = (flat_shift(0), flat_shift(1));
                    let at = *position + 0.5 * (a + b);
                    // How far the end of each lever arm moves until the middle of the sub-step, m.
                    let [lead_a, lead_b] = ends
                        .map(|body| 0.5 * h * Vec3::from(velocities[body].angular).cross(at - bodies[body].position));
                    sideways += (lead_b - lead_a) / found.len() as f32;
                    (at + 0.5 * (lead_a + lead_b), gap + (moved[0].turn * n).dot(b - a))
                }
                [true, true] => {
                    let (a, b) = (round_shift(0), round_shift(1));
                    let tangential = (b - a) - n * n.dot(b - a);
                    sideways += tangential / found.len() as f32;
                    let radii = surfaces[0].after.length() + surfaces[1].after.length();
                    (*position + 0.5 * (a + b), gap + n.dot(b - a) + 0.5 * tangential.length_squared() / radii)
                }
            };
        }
        manifold.sideways = sideways;
        manifold.has_rolled = true;
    }
}

/// How a body has moved since the points were found: its centre of mass `from` and `to`, m, and its rotation `turn`;
/// world frame.
struct Moved {
    from: Vec3,
    to: Vec3,
    turn: Quat,
}

impl Moved {
    fn new(body: &Body, (position, rotation): (Vec3, Quat)) -> Self {
        Self { from: position, to: body.position, turn: body.rotation * rotation.conjugate() }
    }

    /// Where a point of the body is now, m; `point` is where it was when the contact points were found.
    fn place(&self, point: Vec3) -> Vec3 {
        self.to + self.turn * (point - self.from)
    }
}

/// R e of a round body, before and after it has moved, world frame, m; zero for a flat body.
#[derive(Default)]
struct Surface {
    before: Vec3,
    after: Vec3,
}

impl Surface {
    /// `outward`: the normal away from the body, before and after.
    fn new(shape: (&Body, &Solid), moved: &Moved, [before, after]: [Vec3; 2]) -> Self {
        Self {
            before: to_surface(shape, moved.turn.inverse(), before),
            after: to_surface(shape, Quat::IDENTITY, after),
        }
    }
}

/// R e of a round body where the normal away from it is `outward`, if the body were turned by `turn`, world frame, m.
fn to_surface((body, piece): (&Body, &Solid), turn: Quat, outward: Vec3) -> Vec3 {
    match piece.geometry.as_typed_shape() {
        TypedShape::Ball(ball) => ball.radius * outward,
        TypedShape::Capsule(capsule) => capsule.radius * outward,
        TypedShape::Cylinder(cylinder) => {
            let axis = turn * (body.rotation * piece.offset.rotation * Vec3::Y);
            cylinder.radius * (outward - axis * axis.dot(outward)).normalize_or_zero()
        }
        _ => Vec3::ZERO,
    }
}
