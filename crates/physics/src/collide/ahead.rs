//! Contacts of balls that come fast: where and along which normal they will touch, in place of where they are nearest
//! now.
//!
//! ```text
//! t*        when the gap closes if both bodies go on as they do, or when they have passed: of two balls the root of
//!           |d + v t| = r_A + r_B, of others by conservative advancement
//! n, p      normal and point at that time
//! arms      from the centres at t* to p: the rows' points of A and B are p − v_A t* and p − v_B t*
//! gap       C = −n·(V_B − V_A) t*, plus what is left at t*; V with the rotation about these arms
//! ```
//! A speculative contact keeps bodies on their sides of a plane. The plane between two balls that are still apart is not
//! the one in which they will meet: at 5 m/s and 60 Hz a billiard ball that is cut at 25° left at 10 to 21°, by where it
//! was when the step began, and one that just passed another was pushed aside. A row of the meeting's normal, with the two
//! points as its arms, gives both balls what the impact at t* gives them. Source: 004 ch. 12; `continuous.rs` (advancement).

use glam::Vec3;

use super::collider::velocity_of;
use super::continuous::{Approach, Sweep, advance};
use super::manifold::{Manifold, Point};
use super::single::Query;
use crate::body::{Body, Velocity};
use crate::settings::{ContactForm, Continuous, Settings};
use crate::shape::Solid;

/// What comes by more than this share of a ball's radius in a step is looked at where it will touch.
const FAST: f32 = 0.02;
/// Bodies nearer than this share of the radius have the normal of their touch already.
const NEAR: f32 = 1e-3;

/// Whether contacts are made ahead, as rows. Impacts as 004 prints them find their own time.
pub(super) fn is_on(settings: &Settings) -> bool {
    settings.contact.continuous != Continuous::Off && settings.formulation.contact == ContactForm::Rows
}

/// Sets the manifold of a ball that comes fast in a step of `h` seconds; returns false for all other pairs, which are
/// left alone. There are no points if what they come nearer to each other leaves more than `near`, m.
pub(super) fn meet(
    manifold: &mut Manifold,
    query: &mut Query,
    [(a, piece_a), (b, piece_b)]: [(&Body, &Solid); 2],
    [va, vb]: [&Velocity; 2],
    (near, settings, h): (f32, &Settings, f32),
) -> bool {
    let balls = [piece_a, piece_b].map(|piece| piece.geometry.as_ball().map(|ball| ball.radius));
    // Of a body that turns about its middle, the ball stays where its centre of mass is.
    let central = [piece_a, piece_b].map(|piece| piece.offset.translation == Vec3::ZERO);
    let Some(radius) = balls.into_iter().flatten().reduce(f32::min) else { return false };
    // The last relaxing sweep looks one sub-step further, see `relax.rs`.
    let sight = h + settings.h();
    let closing = (velocity_of((b, piece_b), vb) - velocity_of((a, piece_a), va)).length() * sight;
    if closing < FAST * radius {
        return false;
    }
    let (sweep_a, sweep_b) = (Sweep::new((a, piece_a), va, sight), Sweep::new((b, piece_b), vb, sight));
    let found = match balls {
        [Some(one), Some(other)] if central == [true, true] => {
            advance_balls([a, b], [va, vb], one + other, sight, NEAR * radius)
        }
        _ => advance(query, &sweep_a, &sweep_b, sight, NEAR * radius),
    };
    let Some(Approach { time, gap, normal }) = found.filter(|approach| approach.time > 0.0) else { return false };
    // Half way between the two surfaces, by that of the ball, which is known exactly.
    let place = match balls {
        [Some(radius), _] => sweep_a.pose(time).translation + normal * (radius + 0.5 * gap),
        [None, Some(radius)] => sweep_b.pose(time).translation - normal * (radius + 0.5 * gap),
        [None, None] => return false,
    };
    let moves = |body: &Body, velocity: &Velocity, round: bool| {
        let [linear, angular] = [velocity.linear, velocity.angular].map(Vec3::from);
        // A ball's surface does not move when it turns about its middle.
        let turn = if round { Vec3::ZERO } else { angular.cross(place - (body.position + linear * time)) };
        (linear * time, turn * time)
    };
    let round = [0, 1].map(|end| balls[end].is_some() && central[end]);
    let ((shift_a, turn_a), (shift_b, turn_b)) = (moves(a, va, round[0]), moves(b, vb, round[1]));
    let half = 0.5 * gap * normal;
    let (on_a, on_b) = (place - half - shift_a, place + half - shift_b);
    let between = on_b - on_a;
    let apart = (between - (turn_b - turn_a)).dot(normal);
    let (_, old) = query.lists();
    manifold.move_points_to(old);
    if apart <= near + closing {
        let position = 0.5 * (on_a + on_b);
        let local = a.rotation.inverse() * (position - a.position);
        manifold.points.push(Point { position, separation: apart.max(0.0), local, ..Point::default() });
        manifold.sideways = between - normal * between.dot(normal);
    }
    manifold.inherit(old, normal, settings);
    true
}

/// The same as [`advance`](super::continuous::advance), of two balls whose radii add up to `radii`, m: d + v t leads
/// from one centre to the other.
fn advance_balls(
    balls: [&Body; 2],
    velocities: [&Velocity; 2],
    radii: f32,
    h: f32,
    target_gap: f32,
) -> Option<Approach> {
    let d = (balls[1].position - balls[0].position).as_dvec3();
    let v = (velocities[1].linear - velocities[0].linear).as_dvec3();
    let (radii, h) = (f64::from(radii), f64::from(h));
    let reach = radii + f64::from(target_gap);
    let (q, b, c) = (v.length_squared(), d.dot(v), d.length_squared() - reach * reach);
    let time = if c <= 0.0 || b >= 0.0 {
        0.0
    } else {
        // Where they never come so near, they are nearest at −b/q.
        let root = (b * b - q * c).max(0.0).sqrt();
        ((-b - root) / q).min(h)
    };
    let between = d + v * time;
    let distance = between.length();
    let approach =
        Approach { time: time as f32, gap: (distance - radii) as f32, normal: (between / distance).as_vec3() };
    (distance > 0.0 && time.is_finite()).then_some(approach)
}
