//! Random shapes of all sizes, thrown at each other and at a floor.

use std::fmt::Write;

use delassus::scene;

use crate::dice::Dice;
use crate::{attack, count, run};

/// A random shape of about this size, m.
pub fn shape(dice: &mut Dice, size: f32) -> String {
    let side = |dice: &mut Dice| size * dice.power(-1.0, 0.0);
    match dice.below(5) {
        0 => format!("Box(half: ({}, {}, {}))", side(dice), side(dice), side(dice)),
        1 => format!("Sphere(radius: {})", side(dice)),
        2 => format!("Capsule(radius: {}, half_length: {})", side(dice), side(dice)),
        3 => format!("Cylinder(radius: {}, half_length: {})", side(dice), side(dice)),
        _ => {
            let mut points = String::new();
            for _ in 0..4 + dice.below(20) {
                let p = [0; 3].map(|_| dice.between(-size, size));
                let _ = write!(points, "({}, {}, {}), ", p[0], p[1], p[2]);
            }
            format!("Hull(points: [{points}])")
        }
    }
}

#[test]
fn random_shapes_are_dropped() {
    attack("drop", count(20), |dice| {
        let mut bodies =
            String::from("(name: \"floor\", shape: Box(half: (200, 200, 1)), at: (0, 0, -1), motion: Static), ");
        for i in 0..1 + dice.below(6) {
            let size = dice.power(-2.0, 1.5);
            let speed = dice.power(-1.0, 3.0);
            let weighed = dice.once_in(2);
            let mass = dice.power(-6.0, 6.0);
            let [x, y, wx, wy, wz] = [0; 5].map(|_| dice.between(-1.0, 1.0));
            let z = 2.0 * size + dice.between(0.0, 10.0);
            let shape = shape(dice, size);
            // With a density, a thin hull of a centimetre could be below the minimal mass.
            let weighed = weighed || shape.starts_with("Hull");
            let mass = if weighed { format!(", mass: {mass}") } else { String::new() };
            let _ = write!(
                bodies,
                "(name: \"{i}\", shape: {shape}, at: ({x}, {y}, {z}), velocity: ({x}, {y}, -{speed}), \
                 angular_velocity: ({wx}, \
                 {wy}, {wz}){mass}), "
            );
        }
        let text = format!("(version: 1, title: \"drop\", bodies: [{bodies}])");
        match scene::read_str(&text, "drop.ron") {
            // A hull of a few points may be flat, or nearly so.
            Err(mistakes) if mistakes.iter().all(|m| m.what.contains("hull") || m.what.contains("thin")) => Ok(()),
            Err(mistakes) => Err(format!("{}\n{text}", mistakes[0])),
            Ok(loaded) => {
                run(&mut loaded.flat.world(Default::default()), 120).map_err(|what| format!("{what}\n{text}"))
            }
        }
    });
}
