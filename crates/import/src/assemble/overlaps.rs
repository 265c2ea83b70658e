//! How deep bodies overlap in the model's pose, in 64 bits.
//!
//! ```text
//! depth = min over n of h_a(n) + h_b(−n),  h how far a convex shape reaches along n; none if any n has less than zero
//! ```
//! The sum is exact along the axes of both shapes, so the size of a floor does not blur how far a box is above it. A
//! direction that is missed makes the depth of round shapes and of edges too large by a few per cent.

use std::f64::consts::FRAC_PI_4;

use delassus_physics::shape::MAX_PARTS;
use glam::DVec3;

use super::bodies::LinkBody;
use crate::frame::Frame;
use crate::model::{LinkShape, Model};
use crate::shapes::directions;

/// Directions that are tried besides the axes and the line of centres.
const TRIED: usize = 160;
/// The first and the last step by which the best of them is turned, rad.
const STEPS: (f64, f64) = (0.15, 1e-5);

/// The shapes with which a body touches others, in the world.
pub struct Solid {
    parts: Vec<Convex>,
    bounds: Bounds,
    /// Its least width, m.
    pub thickness: f64,
}

/// The convex hull of some shapes.
struct Convex {
    shapes: Vec<(Frame, LinkShape)>,
    centre: DVec3,
    bounds: Bounds,
}

/// Least and greatest coordinates, m.
#[derive(Clone, Copy)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn meet(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

impl Convex {
    fn new(shapes: Vec<(Frame, LinkShape)>) -> Self {
        let centre = shapes.iter().map(|(frame, _)| frame.origin).sum::<DVec3>() / shapes.len().max(1) as f64;
        let mut part = Self { shapes, centre, bounds: Bounds { low: centre, high: centre } };
        let reach = |sign: f64| DVec3::from(DVec3::AXES.map(|axis| part.reach(axis * sign)));
        part.bounds = Bounds { low: -reach(-1.0), high: reach(1.0) };
        part
    }

    /// The greatest coordinate along a direction of unit length, m.
    fn reach(&self, along: DVec3) -> f64 {
        let each = self.shapes.iter();
        let each = each.map(|(at, shape)| at.origin.dot(along) + shape.form.reach(at.turn.inverse() * along));
        each.fold(f64::NEG_INFINITY, f64::max)
    }

    /// The axes of its shapes, both ways.
    fn axes(&self) -> impl Iterator<Item = DVec3> {
        self.shapes.iter().flat_map(|(at, _)| DVec3::AXES.map(|axis| at.turn * axis)).flat_map(|axis| [axis, -axis])
    }
}

impl Solid {
    /// That of a body that collides.
    pub fn of(model: &Model, body: &LinkBody) -> Self {
        let pose = model.links[body.link].pose;
        let shapes: Vec<_> = body.touching.iter().map(|shape| (pose * shape.frame, shape.clone())).collect();
        let parts = match shapes.len() > MAX_PARTS {
            true => vec![Convex::new(shapes)],
            false => shapes.into_iter().map(|shape| Convex::new(vec![shape])).collect(),
        };
        let along = |direction: DVec3| parts.iter().map(|part| part.reach(direction)).fold(f64::NEG_INFINITY, f64::max);
        let axes = parts.iter().flat_map(Convex::axes);
        let thickness = axes.chain(directions(TRIED)).map(|n| along(n) + along(-n)).fold(f64::INFINITY, f64::min);
        let low = -DVec3::from(DVec3::AXES.map(|axis| along(-axis)));
        let high = DVec3::from(DVec3::AXES.map(along));
        Self { bounds: Bounds { low, high }, parts, thickness }
    }

    /// How deep two bodies overlap, m, if it is more than `least`.
    pub fn deeper(&self, other: &Self, least: f64) -> Option<f64> {
        let pairs = self.parts.iter().flat_map(|a| other.parts.iter().map(move |b| (a, b)));
        pairs.filter_map(|(a, b)| depth(a, b, least)).reduce(f64::max)
    }
}

/// How deep two convex shapes overlap, m, if it is more than `least`.
fn depth(a: &Convex, b: &Convex, least: f64) -> Option<f64> {
    if !a.bounds.meet(&b.bounds) {
        return None;
    }
    let along = |n: DVec3| a.reach(n) + b.reach(-n);
    let centres = (b.centre - a.centre).normalize_or(DVec3::Z);
    let mut best = (f64::INFINITY, centres);
    for direction in [centres].into_iter().chain(a.axes()).chain(b.axes()).chain(directions(TRIED)) {
        let found = along(direction);
        if found <= least {
            return None;
        }
        if found < best.0 {
            best = (found, direction);
        }
    }
    let mut step = STEPS.0;
    while step > STEPS.1 {
        let (across, other) = best.1.any_orthonormal_pair();
        let sides = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|i: f64| (i * FRAC_PI_4).sin_cos());
        let turned = sides.map(|(sin, cos)| (best.1 + (across * cos + other * sin) * step).normalize());
        match turned.map(|n| (along(n), n)).into_iter().min_by(|x, y| x.0.total_cmp(&y.0)) {
            Some(found) if found.0 < best.0 => best = found,
            _ => step *= 0.5,
        }
    }
    (best.0 > least).then_some(best.0)
}

/// Pairs of bodies whose bounds meet, by their numbers, the greater one first.
pub fn candidates(solids: &[Option<Solid>]) -> Vec<(usize, usize)> {
    let bounds: Vec<(usize, Bounds)> =
        solids.iter().enumerate().filter_map(|(i, solid)| Some((i, solid.as_ref()?.bounds))).collect();
    let mut order = bounds;
    order.sort_by(|a, b| a.1.low.x.total_cmp(&b.1.low.x));
    let mut pairs = Vec::new();
    for (number, (i, one)) in order.iter().enumerate() {
        let near = order[number + 1..].iter().take_while(|(_, other)| other.low.x <= one.high.x);
        pairs.extend(near.filter(|(_, other)| one.meet(other)).map(|(j, _)| (*i.max(j), *i.min(j))));
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Form;
    use glam::DQuat;

    fn part(form: Form, origin: DVec3, turn: DQuat) -> Convex {
        let shape = LinkShape {
            name: None,
            frame: Frame::IDENTITY,
            form,
            collides: true,
            friction: None,
            frictionless: false,
            bits: (1, 1),
        };
        Convex::new(vec![(Frame { origin, turn }, shape)])
    }

    /// Against a floor of 200 m, the heights of the lowest points by hand: a cube on its edge reaches √2/2 of its edge
    /// down, a lying wheel its half length. Two balls overlap by what their radii exceed the distance.
    #[test]
    fn depths_are_those_of_closed_forms_beside_a_huge_floor_too() {
        let floor = part(Form::Box(DVec3::new(100.0, 100.0, 0.5)), DVec3::NEG_Z * 0.5, DQuat::IDENTITY);
        let cube = |z: f64| {
            part(
                Form::Box(DVec3::splat(0.05)),
                DVec3::new(30.0, 7.0, z),
                DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4),
            )
        };
        let half = 0.05 * 2f64.sqrt();
        assert_eq!(depth(&floor, &cube(half + 0.01), 0.0), None, "10 mm above it");
        let found = depth(&floor, &cube(half - 0.002), 0.0).expect("2 mm deep");
        assert!((found - 0.002).abs() < 1e-9, "{found}");
        assert_eq!(depth(&floor, &cube(half - 0.002), 0.0021), None);
        let ball = |x: f64| part(Form::Sphere(0.1), DVec3::new(x, 2.0, 3.0), DQuat::IDENTITY);
        let found = depth(&ball(0.0), &ball(0.15), 0.0).expect("50 mm deep");
        assert!((found - 0.05).abs() < 1e-9, "{found}");
        assert_eq!(depth(&ball(0.0), &ball(0.2001), 0.0), None);
    }

    /// Two rods that cross askew, with 0.15 m between their axes: no axis of either is the shortest way out.
    #[test]
    fn the_shortest_way_out_is_found_where_no_axis_shows_it() {
        let rod = |at: DVec3, turn: DQuat| part(Form::Capsule(0.1, 1.0), at, turn);
        let tilt = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.5, 0.7);
        let spun = DQuat::from_rotation_z;
        let a = rod(DVec3::ZERO, tilt * spun(0.4));
        let b = rod(tilt * DVec3::new(0.15, 0.3, 0.2), tilt * DQuat::from_rotation_x(1.2) * spun(0.9));
        let found = depth(&a, &b, 0.0).expect("they overlap");
        assert!((found - 0.05).abs() < 1e-4, "{found}");
    }
}
