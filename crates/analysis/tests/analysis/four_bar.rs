//! Four-bar linkages: crank a from the origin, pivot of the rocker at (g, 0), the pin between coupler and rocker where two
//! circles meet.
//!
//! ```text
//! A = a (cos θ, sin θ),   d = |D − A|,   C = A + u (c² − b² + d²)/(2 d) + v √(c² − …²),   c coupler, b rocker
//! ```
//! u along D − A, v across it. This is Freudenstein's equation solved. Source: J. Uicker, G. Pennock, J. Shigley, Theory
//! of Machines and Mechanisms, ch. 2, 3.

use std::f64::consts::TAU;

use delassus_analysis::{Barrier, Request, Travel};
use glam::{DVec2, DVec3};

use super::{Scene, bar, hinge, near};

pub struct FourBar {
    pub a: DVec2,
    pub c: DVec2,
    pub d: DVec2,
}

impl FourBar {
    /// With corners whose coordinates are exact in 32 bits; no body is rotated.
    pub fn scene(&self) -> Scene {
        let Self { a, c, d } = *self;
        let bodies = bar("crank", (0.5 * a).to_array(), 1.0)
            + &bar("coupler", (0.5 * (a + c)).to_array(), 1.0)
            + &bar("rocker", (0.5 * (c + d)).to_array(), 1.0);
        let joints = hinge("crank", None, "crank", [0.0, 0.0], "")
            + &hinge("rocker", None, "rocker", d.to_array(), "")
            + &hinge("pin", Some("crank"), "coupler", a.to_array(), "")
            + &hinge("far pin", Some("rocker"), "coupler", c.to_array(), "");
        Scene::new(&bodies, &joints)
    }

    /// The pins A and C when the crank has turned by this angle.
    pub fn pins(&self, turned: f64) -> [DVec2; 2] {
        let a = DVec2::from_angle(turned).rotate(self.a);
        let (coupler, rocker) = (self.a.distance(self.c), self.c.distance(self.d));
        let (d, u) = ((self.d - a).length(), (self.d - a).normalize());
        let along = (coupler * coupler - rocker * rocker + d * d) / (2.0 * d);
        // On the same side as at the start.
        let side = (self.d - self.a).perp_dot(self.c - self.a).signum();
        [a, a + along * u + side * (coupler * coupler - along * along).max(0.0).sqrt() * u.perp()]
    }
}

/// Crank 0.625, coupler 2.5, rocker 2, base 2.125: by Grashof's rule 0.625 + 2.5 < 2 + 2.125 the crank goes round.
pub const GRASHOF: FourBar =
    FourBar { a: DVec2::new(0.625, 0.0), c: DVec2::new(2.125, 2.0), d: DVec2::new(2.125, 0.0) };

#[test]
fn coupler_and_rocker_follow_the_circles() {
    let scene = GRASHOF.scene();
    let coupler = scene.body("coupler");
    let at = DVec2::new(0.25, 0.5);
    let request = Request {
        travel: Travel::Turns(-2.0),
        samples: 96,
        point: Some((coupler, DVec3::new(at.x, 0.0, at.y))),
        output: Some(scene.joint("rocker")),
        ..Request::default()
    };
    let analysis = scene.analyse(&request);
    assert_eq!((analysis.samples.len(), analysis.redundant), (97, 3), "two turns backwards");
    let rocker = scene.of_joint(&analysis, "rocker");
    let e = 1e-4;
    let angle = |turned: f64| (GRASHOF.pins(turned)[1] - GRASHOF.d).to_angle();
    for (sample, rocker) in analysis.samples.iter().zip(&rocker) {
        let [a, c] = GRASHOF.pins(sample.value);
        let [value, speed, _] = rocker.value.expect("an angle");
        near(value, angle(sample.value) - angle(0.0), 1e-11, 1.0, "rocker");
        let slope = (8.0 * (angle(sample.value + e) - angle(sample.value - e)) - angle(sample.value + 2.0 * e)
            + angle(sample.value - 2.0 * e))
            / (12.0 * e);
        near(speed, slope, 1e-9, 1.0, "its speed at 1 rad/s");
        near(sample.advantage().expect("an output") * slope, 1.0, 1e-8, 0.0, "advantage");
        let turned = (c - a).to_angle() - (GRASHOF.c - GRASHOF.a).to_angle();
        let place = 0.5 * (a + c) + DVec2::from_angle(turned).rotate(at);
        let [point, ..] = sample.point.expect("a point");
        near(point.x, place.x, 1e-11, 1.0, "point, x");
        near(point.z, place.y, 1e-11, 1.0, "point, z");
        near(point.y, 0.0, 0.0, 1.0, "point, y");
    }
}

/// The coupler turns about the point where the lines of crank and rocker meet. The centre of crank and rocker lies on
/// the line of the base, by Kennedy's theorem: at C₁₃ (the crossing of coupler and base).
#[test]
fn instant_centres_are_where_lines_meet() {
    let scene = GRASHOF.scene();
    let analysis = scene.analyse(&Request { samples: 17, ..Request::default() });
    let normal = analysis.normal.expect("a plane mechanism");
    assert!(normal.distance(DVec3::Y) < 1e-9, "{normal}");
    assert_eq!(analysis.centres.len(), 6);
    let pair = |i: &str, j: &str| {
        let ids = [i, j].map(|name| if name == "world" { 0 } else { scene.body(name) });
        analysis.centres.iter().position(|centre| centre.bodies == ids).expect("a pair")
    };
    let meet =
        |p: DVec2, along: DVec2, q: DVec2, other: DVec2| p + along * ((q - p).perp_dot(other) / along.perp_dot(other));
    let (coupler, across) = (pair("world", "coupler"), pair("crank", "rocker"));
    let (crank, pin) = (pair("world", "crank"), pair("crank", "coupler"));
    for sample in &analysis.samples {
        let [a, c] = GRASHOF.pins(sample.value);
        let flat = |k: usize| sample.centres[k].map(|p| DVec2::new(p.x, p.z)).expect("not at infinity");
        let expected = meet(DVec2::ZERO, a, GRASHOF.d, c - GRASHOF.d);
        assert!(flat(coupler).distance(expected) < 1e-8 * expected.length().max(1.0), "coupler");
        let expected = meet(a, c - a, DVec2::ZERO, DVec2::X);
        assert!(flat(across).distance(expected) < 1e-8 * expected.length().max(1.0), "crank and rocker");
        assert!(flat(crank).length() < 1e-10 && flat(pin).distance(a) < 1e-10, "the joints themselves");
    }
}

/// Crank 1.5, coupler 1.5, rocker √2.5, base 2: no bar goes round. The crank stops where coupler and rocker are in line:
///
/// ```text
/// cos θ = (a² + g² − (c + b)²)/(2 a g)
/// ```
#[test]
fn a_linkage_that_does_not_go_round_stops_at_its_limit() {
    let linkage = FourBar { a: DVec2::new(0.0, 1.5), c: DVec2::new(1.5, 1.5), d: DVec2::new(2.0, 0.0) };
    let scene = linkage.scene();
    let (a, g, reach): (f64, f64, f64) = (1.5, 2.0, 1.5 + 2.5f64.sqrt());
    let limit = ((a * a + g * g - reach * reach) / (2.0 * a * g)).acos();
    for (turns, sign) in [(1.0, 1.0), (-1.0, -1.0)] {
        let analysis = scene.analyse(&Request { travel: Travel::Turns(turns), ..Request::default() });
        let stopped = analysis.stopped.expect("it cannot go round");
        assert_eq!(stopped.barrier, Barrier::DeadCentre);
        // The crank begins upright.
        near(stopped.value + 0.25 * TAU, sign * limit, 1e-8, 0.0, "limit");
    }
}

/// The rocker's ends: crank and coupler in line, c + a and c − a from the pivot.
#[test]
fn the_rocker_turns_back_where_crank_and_coupler_are_in_line() {
    let scene = GRASHOF.scene();
    let analysis = scene.analyse(&Request { samples: 50, ..Request::default() });
    let rocker = scene.joint("rocker");
    let turns: Vec<f64> = analysis.turns.iter().filter(|turn| turn.joint == rocker).map(|turn| turn.driven).collect();
    let (a, c, b, g) = (0.625, 2.5, 2.0, 2.125);
    let at = |reach: f64| ((g * g + reach * reach - b * b) / (2.0 * g * reach)).acos();
    // Stretched the crank points to the pin; folded it points away from it.
    let expected = [at(c + a), at(c - a) + 0.5 * TAU];
    assert_eq!(turns.len(), 2, "{turns:?}");
    for (turn, expected) in turns.iter().zip(expected) {
        near(*turn, expected, 1e-9, 1.0, "dead centre of the rocker");
    }
}
