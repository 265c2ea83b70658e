//! Contacts of round bodies that roll on, and of bodies that turn together, while their points are kept through the
//! sub-steps of a step (`shared_by_substeps.rs`).
//!
//! ```text
//! m     outward normal of the round body at the contact, as it was found
//! e     the direction in which its surface lies from its core: m of a ball or capsule; of a cylinder with axis a,
//!       the unit vector along m − a (a·m)
//! core  q = p − R e: a point of the body, which the contact point follows at the distance R
//! d     = q' + R e' − p        how far the contact point has moved, while the material point of a flat body there has
//!                              moved by w
//! gap   C = C₀ + n'·(d − w),  n' the normal turned with the flat body
//! ```
//! The point moves over both surfaces, so that the lever arms of both bodies reach to where they touch in each
//! sub-step. With arms that are kept, a ball whose mass is off its middle rolls ahead of the load on it: the torque
//! comes late, and a swing at 60 Hz grows by 21 % in five seconds. Between two round bodies each arm follows its own
//! body, along the normal that was found; the points lie apart by the difference of their ways d, which widens the
//! gap by its square over twice the sum of the radii.
//!
//! A crate on a turntable turns with it, and the point with both: it moves as the two material points do on average, and
//! the arms are those of the middle of the sub-step. With arms that are kept, the table drags the crate along the tangent of
//! the step's beginning, and it creeps outward at ω² r h/2.

use arrayvec::ArrayVec;
use glam::{Quat, Vec3};
use parry3d::shape::TypedShape;

use super::Pair;
use super::manifold::POINTS;
use super::round::rolls;
use crate::body::{Body, Motion};
use crate::shape::Solid;
use crate::velocity::Velocity;

/// A contact that rolls: its pair's index, which of its bodies are round, and its points and gaps as they were found, m.
#[derive(Debug, Clone)]
pub(super) struct RollingContact {
    pair: u32,
    round: [bool; 2],
    found: ArrayVec<(Vec3, f32), POINTS>,
}

/// Two flat bodies turn together if each turns by more than this in a step, rad, and their angular velocities differ by
/// less than this share of the smaller one.
const TURNS: f32 = 2e-3;
const TOGETHER: f32 = 0.5;

/// Lists the contacts of round bodies whose lever arms will change within the step of `duration` seconds, and those of
/// flat bodies that turn together.
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
        let round = [is_round(ends[0], manifold.normal), is_round(ends[1], -manifold.normal)];
        let keeps_arms = |end: usize| {
            let still = ends[end].0.motion == Motion::Static;
            still || round[end] && is_even_ball(ends[end])
        };
        let turn_together = || {
            let [a, b] = [pair.a, pair.b].map(|body| velocities[body as usize].angular * duration);
            let least = a.length_squared().min(b.length_squared());
            least > TURNS * TURNS && (b - a).length_squared() < TOGETHER * TOGETHER * least
        };
        let has_arms = match round {
            [false, false] => turn_together(),
            // Arms on flat bodies change with the point, unless the body is static.
            _ => !(keeps_arms(0) && keeps_arms(1)),
        };
        if has_arms && manifold.sideways == Vec3::ZERO {
            let found = manifold.points.iter().take(POINTS).map(|point| (point.position, point.separation)).collect();
            list.push(RollingContact { pair: index, round, found });
        }
    }
}

/// Whether a body rolls where its surface has this normal, a unit vector, world frame.
fn is_round((body, piece): (&Body, &Solid), outward: Vec3) -> bool {
    let geometry = &*piece.geometry;
    !matches!(geometry.as_typed_shape(), TypedShape::Cuboid(_))
        && rolls(geometry, (body.rotation * piece.offset.rotation).inverse() * outward)
}

/// Whether a shape is a ball with the body's mass at its middle: its arm is R along the normal wherever it rolls.
fn is_even_ball((_, piece): (&Body, &Solid)) -> bool {
    let ball = matches!(piece.geometry.as_typed_shape(), TypedShape::Ball(_));
    ball && piece.offset.translation == Vec3::ZERO
}

/// Leads the points of bodies that turn together to the middle of the first sub-step, of `h` seconds, where they have just
/// been found.
pub(super) fn lead(
    list: &[RollingContact],
    pairs: &mut [Pair],
    (bodies, velocities): (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    let flat = list.iter().filter(|contact| contact.round == [false, false]);
    move_points(flat, pairs, (bodies, velocities), places, h);
}

/// Moves the points of the contacts that roll to the present poses of the bodies, before a sub-step of `h` seconds;
/// `places` are those at which the points were found.
pub(super) fn follow(
    list: &[RollingContact],
    pairs: &mut [Pair],
    moving: (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    move_points(list.iter(), pairs, moving, places, h);
}

fn move_points<'a>(
    list: impl Iterator<Item = &'a RollingContact>,
    pairs: &mut [Pair],
    (bodies, velocities): (&[Box<Body>], &[Velocity]),
    places: &[(Vec3, Quat)],
    h: f32,
) {
    for RollingContact { pair, round, found } in list {
        let pair = &mut pairs[*pair as usize];
        let (ends, shapes) = ([pair.a as usize, pair.b as usize], pair.ends());
        let moved = ends.map(|body| Moved::new(&bodies[body], places[body]));
        let manifold = &mut pair.near.manifold;
        let n = manifold.normal;
        let shapes = shapes.map(|shape| shape.of(bodies));
        let surfaces = [0, 1].map(|end| Surface::new(shapes[end], &moved[end], if end == 0 { n } else { -n }));
        let mut sideways = Vec3::ZERO;
        for (point, (position, gap)) in manifold.points.iter_mut().zip(found) {
            // Where the surface of a round body has moved from the point, which lies midway across the gap.
            let way = |end: usize| {
                let start = if end == 0 { *position - 0.5 * *gap * n } else { *position + 0.5 * *gap * n };
                moved[end].place(start - surfaces[end].before) + surfaces[end].after - start
            };
            let flat = |end: usize| moved[end].place(*position) - *position;
            (point.position, point.separation) = match *round {
                [true, false] => {
                    let way = way(0);
                    (*position + way, gap + (moved[1].turn * n).dot(flat(1) - way))
                }
                [false, true] => {
                    let way = way(1);
                    (*position + way, gap + (moved[0].turn * n).dot(way - flat(0)))
                }
                [false, false] => {
                    let (a, b) = (flat(0), flat(1));
                    let at = *position + 0.5 * (a + b);
                    // By how much each arm turns until the middle of the sub-step.
                    let [lead_a, lead_b] = ends
                        .map(|body| 0.5 * h * Vec3::from(velocities[body].angular).cross(at - bodies[body].position));
                    sideways += (lead_b - lead_a) / found.len() as f32;
                    (at + 0.5 * (lead_a + lead_b), gap + (moved[0].turn * n).dot(b - a))
                }
                [true, true] => {
                    let (a, b) = (way(0), way(1));
                    let aside = (b - a) - n * n.dot(b - a);
                    sideways += aside / found.len() as f32;
                    let radii = surfaces[0].after.length() + surfaces[1].after.length();
                    (*position + 0.5 * (a + b), gap + n.dot(b - a) + 0.5 * aside.length_squared() / radii)
                }
            };
        }
        manifold.sideways = sideways;
        manifold.has_rolled = true;
    }
}

/// How a body has moved since the points were found.
struct Moved {
    from: Vec3,
    to: Vec3,
    turn: Quat,
}

impl Moved {
    fn new(body: &Body, (position, rotation): (Vec3, Quat)) -> Self {
        Self { from: position, to: body.position, turn: body.rotation * rotation.conjugate() }
    }

    /// Where a point of the body is now, m.
    fn place(&self, point: Vec3) -> Vec3 {
        self.to + self.turn * (point - self.from)
    }
}

/// R e of a round body, before and after it has moved, m.
struct Surface {
    before: Vec3,
    after: Vec3,
}

impl Surface {
    fn new((body, piece): (&Body, &Solid), moved: &Moved, outward: Vec3) -> Self {
        let along = |radius: f32| Self { before: radius * outward, after: radius * outward };
        match piece.geometry.as_typed_shape() {
            TypedShape::Ball(ball) => along(ball.radius),
            TypedShape::Capsule(capsule) => along(capsule.radius),
            TypedShape::Cylinder(cylinder) => {
                let after = body.rotation * piece.offset.rotation * Vec3::Y;
                let across = |axis: Vec3| cylinder.radius * (outward - axis * axis.dot(outward)).normalize_or_zero();
                Self { before: across(moved.turn.inverse() * after), after: across(after) }
            }
            _ => along(0.0),
        }
    }
}
