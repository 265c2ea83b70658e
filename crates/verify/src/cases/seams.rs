//! Many static bodies side by side.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// Static, smooth slabs of `length` m side by side along x, from −1 m on, with their tops at z = 0, and a body.
fn over_tiles(length: f64, count: usize, body: &str) -> String {
    let tile = |i: usize| {
        let (half, x) = (0.5 * length, -1.0 + length * (i as f64 + 0.5));
        format!(
            "(name: \"tile{i}\", shape: Box(half: ({half}, 1, 0.5)), at: ({x}, 0, -0.5), motion: Static, friction: 0), "
        )
    };
    format!("bodies: [{}(name: \"body\", friction: 0, {body})]", (0..count).map(tile).collect::<String>())
}

/// The corners of a polygon in a circle of 4 m, from a slope of 60° down to the level, and a level end of 10 m.
fn bowl() -> Vec<[f64; 2]> {
    let angle = |i: usize| (60.0 - 60.0 * i as f64 / 24.0f64).to_radians();
    let mut corners: Vec<_> = (0..=24).map(|i| [-4.0 * angle(i).sin(), 4.0 * (1.0 - angle(i).cos())]).collect();
    corners.push([10.0, 0.0]);
    corners
}

/// A point mass of 1 cm radius on the middle of the first facet.
fn in_bowl() -> String {
    let corners = bowl();
    let mut bodies = String::new();
    for (i, pair) in corners.windows(2).enumerate() {
        let ([x0, z0], [x1, z1]) = (pair[0], pair[1]);
        let (way, slope) = ((x1 - x0).hypot(z1 - z0), (z0 - z1).atan2(x1 - x0));
        // The slab's top is the facet, so its centre is 0.1 m below.
        let (x, z) = (0.5 * (x0 + x1) - 0.1 * slope.sin(), 0.5 * (z0 + z1) - 0.1 * slope.cos());
        bodies += &format!(
            "(name: \"facet{i}\", shape: Box(half: ({}, 0.3, 0.1)), at: ({x}, 0, {z}), \
             rotation: AxisAngle(axis: (0, 1, 0), angle: {slope}), motion: Static, friction: 0), ",
            0.5 * way
        );
        if i == 0 {
            let (x, z) = (0.5 * (x0 + x1) + 0.01 * slope.sin(), 0.5 * (z0 + z1) + 0.01 * slope.cos());
            bodies += &format!(
                "(name: \"body\", shape: Sphere(radius: 0.01), at: ({x}, 0, {z}), mass: 1, friction: 0, particle: true), "
            );
        }
    }
    format!("bodies: [{bodies}]")
}

/// v² + 2 g Δz along each facet; at a corner by δ, v cos δ stays.
fn speed_below() -> f64 {
    let corners = bowl();
    let slope = |i: usize| (corners[i][1] - corners[i + 1][1]).atan2(corners[i + 1][0] - corners[i][0]);
    let mut square = G * (corners[0][1] - corners[1][1]);
    for i in 1..corners.len() - 1 {
        square *= (slope(i - 1) - slope(i)).cos().powi(2);
        square += 2.0 * G * (corners[i][1] - corners[i + 1][1]);
    }
    square.sqrt()
}

const SPEED: Quantity = Quantity::share("speed after 1 s", "m/s", "v", || 5.0, Bounds::same(1e-3));
const RISE: Quantity = Quantity::absolute("height over the rest", "m", "0", || 0.0, Bounds::same(2e-3));

pub const FAMILY: Family = Family {
    title: "Seams",
    about: "Smooth bodies on many static boxes side by side.",
    cases: &[
        Case {
            name: "seams/box-over-two-slabs",
            what: "A cube of 0.3 m slides at 5 m/s from one slab of 5 m to the next.",
            scene: || {
                over_tiles(
                    5.0,
                    2,
                    "shape: Box(half: (0.15, 0.15, 0.15)), at: (0, 0, 0.15), mass: 1, velocity: (5, 0, 0)",
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").x, t.at("body").z - 0.15]
            },
            quantities: &[SPEED, RISE],
        },
        Case {
            name: "seams/box-over-tiles",
            what: "The same over tiles of 0.31 m.",
            scene: || {
                over_tiles(
                    0.31,
                    24,
                    "shape: Box(half: (0.15, 0.15, 0.15)), at: (0, 0, 0.15), mass: 1, velocity: (5, 0, 0)",
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").x, t.at("body").z - 0.15]
            },
            quantities: &[SPEED, RISE],
        },
        Case {
            name: "seams/ball-over-tiles",
            what: "A ball of 0.1 m radius slides at 5 m/s over tiles of 0.31 m.",
            scene: || over_tiles(0.31, 24, "shape: Sphere(radius: 0.1), at: (0, 0, 0.1), mass: 1, velocity: (5, 0, 0)"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").x, t.at("body").z - 0.1]
            },
            quantities: &[SPEED, RISE],
        },
        Case {
            name: "seams/particle-in-a-bowl",
            what: "A point mass slides down 24 facets of a circle of 4 m, from a slope of 60° to the horizontal.",
            scene: in_bowl,
            runs: Runs::USUAL,
            measure: |t| {
                t.run(2.2);
                vec![t.velocity("body").length()]
            },
            quantities: &[Quantity::share(
                "speed below",
                "m/s",
                "v² + 2 g Δz on a facet, v cos δ at a corner",
                speed_below,
                Bounds::same(0.03),
            )],
        },
    ],
};
