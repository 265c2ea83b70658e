//! Plates on posts, and a table with legs.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::G;

/// A plate of 1.2 × 1 m and 16 kg on balls with a radius of 5 cm at the given positions, with a load of 4 kg.
fn on_posts(posts: &[(f64, f64)], load: Option<(f64, f64)>) -> String {
    let mut bodies = String::from(
        "(name: \"plate\", shape: Box(half: (0.6, 0.5, 0.05)), at: (0, 0, 0.05), mass: 16, friction: 0.5),",
    );
    for (i, (x, y)) in posts.iter().enumerate() {
        bodies +=
            &format!("(name: \"post {}\", shape: Sphere(radius: 0.05), at: ({x}, {y}, -0.05), motion: Static),", i + 1);
    }
    if let Some((x, y)) = load {
        bodies += &format!("(name: \"load\", shape: Box(half: (0.1, 0.1, 0.1)), at: ({x}, {y}, 0.2), mass: 4),");
    }
    format!("bodies: [{bodies}]")
}

const FOUR: [(f64, f64); 4] = [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)];
const THREE: [(f64, f64); 3] = [(-0.5, -0.4), (0.5, -0.4), (0.0, 0.4)];
const LOAD: (f64, f64) = (0.2, 0.1);

/// The forces on a plate's posts, averaged over a second, N.
fn post_forces<const N: usize>(t: &mut CaseRun, plate: &str) -> [f64; N] {
    t.means(1.0, |t| std::array::from_fn(|i| t.push(plate, &format!("post {}", i + 1))))
}

/// The forces of plate and load on three posts, N: barycentric coordinates.
fn three_posts() -> [f64; 3] {
    let share = |x: f64, y: f64| {
        let third = (y + 0.4) / 0.8;
        let second = x + 0.5 * (1.0 - third);
        [1.0 - second - third, second, third]
    };
    let (plate, load) = (share(0.0, 0.0), share(LOAD.0, LOAD.1));
    std::array::from_fn(|i| G * (16.0 * plate[i] + 4.0 * load[i]))
}

fn greatest(forces: &[f64]) -> f64 {
    forces.iter().copied().fold(f64::MIN, f64::max)
}

fn least(forces: &[f64]) -> f64 {
    forces.iter().copied().fold(f64::MAX, f64::min)
}

pub const FAMILY: Family = Family {
    title: "Table",
    about: "Three posts bear the forces that statics gives. Four posts can share the load in many ways, and the one of \
            least squares is expected.",
    cases: &[
        Case {
            name: "table/three-posts",
            what: "A plate of 16 kg with a box of 4 kg off its middle on three posts.",
            scene: || on_posts(&THREE, Some(LOAD)),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(3.0);
                post_forces::<3>(t, "plate").to_vec()
            },
            quantities: &[
                Quantity::share(
                    "force of the first post",
                    "N",
                    "moments of the weights",
                    || three_posts()[0],
                    Bounds::same(0.01),
                ),
                Quantity::share("force of the second post", "N", "the same", || three_posts()[1], Bounds::same(0.01)),
                Quantity::share("force of the third post", "N", "the same", || three_posts()[2], Bounds::same(0.01)),
            ],
        },
        Case {
            name: "table/four-posts",
            what: "The plate alone on four posts at the corners of a rectangle: the forces are equal by symmetry, and \
                   of all that balance it they have the least squares.",
            scene: || on_posts(&FOUR, None),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(3.0);
                let forces = post_forces::<4>(t, "plate");
                vec![greatest(&forces), least(&forces)]
            },
            quantities: &[
                Quantity::share("greatest force of a post", "N", "m g/4", || 4.0 * G, Bounds::same(0.01)),
                Quantity::share("least force of a post", "N", "m g/4", || 4.0 * G, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "table/welded-legs",
            what: "A top of 10 kg with four legs of 1 kg welded to it stands on a floor.",
            scene: || {
                let mut bodies = String::from(
                    "(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static), \
                     (name: \"top\", shape: Box(half: (0.6, 0.5, 0.03)), at: (0, 0, 0.73), mass: 10),",
                );
                let mut joints = String::new();
                for (i, (x, y)) in FOUR.iter().enumerate() {
                    let name = format!("post {}", i + 1);
                    bodies += &format!(
                        "(name: {name:?}, shape: Box(half: (0.04, 0.04, 0.35)), at: ({x}, {y}, 0.35), mass: 1),"
                    );
                    joints += &format!(
                        "(name: \"weld {i}\", a: \"top\", b: {name:?}, anchor: ({x}, {y}, 0.7), kind: Fixed),"
                    );
                }
                format!("bodies: [{bodies}], joints: [{joints}]")
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(5.0);
                let forces = post_forces::<4>(t, "floor");
                vec![greatest(&forces), least(&forces)]
            },
            quantities: &[
                Quantity::share("greatest force under a leg", "N", "m g/4", || 3.5 * G, Bounds::same(0.01)),
                Quantity::share("least force under a leg", "N", "m g/4", || 3.5 * G, Bounds::same(0.01)),
            ],
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_posts_bear_the_weights_and_their_moments() {
        let forces = three_posts();
        let sum: f64 = forces.iter().sum();
        let x: f64 = forces.iter().zip(THREE).map(|(f, p)| f * p.0).sum();
        let y: f64 = forces.iter().zip(THREE).map(|(f, p)| f * p.1).sum();
        assert!((sum - 20.0 * G).abs() < 1e-9);
        assert!((x - 4.0 * G * LOAD.0).abs() < 1e-9 && (y - 4.0 * G * LOAD.1).abs() < 1e-9);
    }
}
