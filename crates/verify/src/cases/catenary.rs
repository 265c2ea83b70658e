//! A chain hanging between two points.
//!
//! With the horizontal force H, link i from the middle of n equal ones is inclined by tan θ = w (i − ½)/H, where w is
//! its weight (a uniform link is in equilibrium with the force at its own middle). Σ l cos θ = s, the distance
//! between the ends, determines H.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::{G, root};

/// Number of links, length of each, m, distance between the ends, m, and mass of a link, kg.
const LINKS: usize = 16;
const LINK: f64 = 0.25;
const SPAN: f64 = 3.0;
const LINK_MASS: f64 = 0.5;

/// H over the weight of a link.
fn pull() -> f64 {
    let span = |h: f64| (0..LINKS / 2).map(|i| 2.0 * LINK * ((i as f64 + 0.5) / h).atan().cos()).sum::<f64>() - SPAN;
    root(1e-3, 1e3, span)
}

/// The inclination of each link, from the left end, rad; down is positive.
fn leans() -> Vec<f64> {
    let h = pull();
    (0..LINKS).map(|i| ((LINKS as f64 / 2.0 - i as f64 - 0.5) / h).atan()).collect()
}

fn chain() -> String {
    let (mut bodies, mut joints) = (String::new(), String::new());
    let (mut x, mut z, mut above) = (0.0, 0.0, "world".to_string());
    for (i, lean) in leans().into_iter().enumerate() {
        let (sin, cos) = lean.sin_cos();
        let name = format!("link {}", i + 1);
        bodies += &format!(
            "(name: {name:?}, shape: Box(half: ({}, 0.03, 0.03)), at: ({}, 0, {}), mass: {LINK_MASS}, collide: false, \
             rotation: AxisAngle(axis: (0, 1, 0), angle: {lean})),",
            0.5 * LINK,
            x + 0.5 * LINK * cos,
            z - 0.5 * LINK * sin
        );
        joints += &format!("(name: \"pin {i}\", a: {above:?}, b: {name:?}, anchor: ({x}, 0, {z}), kind: BallSocket),");
        (x, z, above) = (x + LINK * cos, z - LINK * sin, name);
    }
    joints += &format!("(name: \"pin {LINKS}\", b: {above:?}, anchor: ({SPAN}, 0, {z}), kind: BallSocket)");
    format!("bodies: [{bodies}], joints: [{joints}]")
}

/// The sag of the chain's middle below its ends, m.
fn hangs() -> f64 {
    leans()[..LINKS / 2].iter().map(|lean| LINK * lean.sin()).sum()
}

pub const FAMILY: Family = Family {
    title: "Catenary",
    about: "A chain hangs so that each link is in balance.",
    cases: &[Case {
        name: "catenary/sixteen-links",
        what: "Sixteen links of 0.25 m and 0.5 kg on ball joints between two points 3 m apart, let go in their \
               equilibrium.",
        scene: chain,
        runs: Runs::USUAL,
        measure: |t| {
            t.run(9.0);
            let level = t.mean(1.0, |t| f64::from(t.joint("pin 0").force.x)).abs();
            let end = t.rotation("link 8") * glam::DVec3::new(0.5 * LINK, 0.0, 0.0) + t.at("link 8");
            vec![-end.z, level]
        },
        quantities: &[
            Quantity::share("sag of the middle", "m", "Σ l sin θ, tan θ = w (i − ½)/H", hangs, Bounds::same(2e-3)),
            Quantity::share(
                "horizontal pull at its ends",
                "N",
                "H from Σ l cos θ = s",
                || pull() * LINK_MASS * G,
                Bounds::same(0.01),
            ),
        ],
    }],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The chain reaches from end to end, and every link is in equilibrium.
    #[test]
    fn the_chain_is_in_balance() {
        let span: f64 = leans().iter().map(|lean| LINK * lean.cos()).sum();
        assert!((span - SPAN).abs() < 1e-12);
        // Between two links the vertical force is the weight between that point and the middle: the moments about a
        // link's centre vanish.
        let h = pull();
        for (i, lean) in leans().into_iter().enumerate() {
            let (left, right) = (LINKS as f64 / 2.0 - i as f64, LINKS as f64 / 2.0 - i as f64 - 1.0);
            let about_middle = 0.5 * LINK * ((left + right) * lean.cos() - 2.0 * h * lean.sin());
            assert!(about_middle.abs() < 1e-12, "link {i}: {about_middle}");
        }
    }
}
