//! Random bodies in random chains and loops of random joints, with every solver and every stabilisation.

use std::fmt::Write;

use delassus::physics::joints::JointKind;
use delassus::physics::preset::Preset;
use delassus::physics::settings::{Method, Stabilization};
use delassus::scene;

use crate::dice::Dice;
use crate::{attack_at_once, count, formulas, run, shapes};

const METHODS: [Method; 3] = [Method::GaussSeidel, Method::Jacobi, Method::Direct];
const STABILIZATIONS: [Stabilization; 7] = [
    Stabilization::Off,
    Stabilization::Baumgarte,
    Stabilization::Split,
    Stabilization::Nonlinear,
    Stabilization::Soft,
    Stabilization::Shake,
    Stabilization::Rattle,
];

/// A kind of joint, sometimes with a motor, spring or limit.
fn kind(dice: &mut Dice) -> String {
    let kinds = JointKind::all();
    let name = dice.one(&kinds).info().name;
    let torque = dice.power(-2.0, 6.0);
    let speed = dice.between(-20.0, 20.0);
    let spring = format!("hertz: {}, damping_ratio: {}", dice.power(-2.0, 4.0), dice.between(0.0, 3.0));
    match (name, dice.below(3)) {
        ("RotaryMotor" | "AngularMotor", _) => format!("{name}(motor: (speed: {speed}, max_torque: {torque}))"),
        ("Hinge", 0) => format!("Hinge(motor: (speed: {speed}, max_torque: {torque}))"),
        ("Hinge", 1) => format!("Hinge(limit: (-{}, {}))", dice.between(0.0, 2.0), dice.between(0.0, 2.0)),
        ("Hinge", _) => format!("Hinge(spring: ({spring}))"),
        ("Prismatic", 0) => format!("Prismatic(motor: (speed: {speed}, max_force: {torque}))"),
        ("Prismatic", 1) => format!("Prismatic(limit: (-{}, {}))", dice.between(0.0, 1.0), dice.between(0.0, 1.0)),
        ("Spring", _) => format!("Spring({spring})"),
        ("Gear" | "Belt", _) => {
            let [a, b] = [0; 2].map(|_| dice.power(-2.0, 1.0));
            format!("{name}(radius_a: {a}, radius_b: {}{b})", if dice.once_in(2) { "-" } else { "" })
        }
        ("Rack", _) => format!("Rack(radius: {})", dice.power(-2.0, 1.0)),
        ("Pulley", _) => {
            let [x, y, z, u, v, w] = [0; 6].map(|_| dice.between(-3.0, 3.0));
            let (ratio, friction) = (dice.power(-2.0, 2.0), dice.between(0.0, 1.0));
            format!("Pulley(over_a: ({x}, {y}, {z}), over_b: ({u}, {v}, {w}), ratio: {ratio}, friction: {friction})")
        }
        ("Drum", _) => format!("Drum(radius: {}{})", if dice.once_in(2) { "-" } else { "" }, dice.power(-2.0, 0.0)),
        ("Cam", _) => {
            let (size, share) = (dice.power(-2.0, 0.5), dice.between(0.0, 0.5));
            let radii: Vec<_> =
                (0..12).map(|i| size * (1.0 + share * (std::f32::consts::TAU * i as f32 / 6.0).cos())).collect();
            format!("Cam(radii: {radii:?}, roller: {}, rests: {})", dice.between(0.0, 0.2), dice.once_in(2))
        }
        ("Formula", _) => {
            let rows = formulas::rows(dice);
            format!("Formula(rows: {:?}, parameters: [(\"k\", {}), (\"r\", 0.3)])", rows, dice.between(-3.0, 3.0))
        }
        ("Screw", _) => format!("Screw(lead: {})", dice.power(-3.0, 1.0)),
        (name, _) => name.to_owned(),
    }
}

#[test]
fn random_mechanisms_stay_finite_under_every_method() {
    attack_at_once("mechanism", count(20), |dice| {
        let n = 2 + dice.below(6);
        let (mut bodies, mut joints) = (String::new(), String::new());
        for i in 0..n {
            let size = dice.power(-1.5, 0.5);
            let [x, y, z] = [0; 3].map(|_| dice.between(-3.0, 3.0));
            let weighed = dice.once_in(2);
            let shape = shapes::shape(dice, size);
            // With a density, a thin hull could be below the minimal mass.
            let weighed = weighed || shape.starts_with("Hull");
            let mass = if weighed { format!(", mass: {}", dice.power(-6.0, 6.0)) } else { String::new() };
            let _ = write!(bodies, "(name: \"{i}\", shape: {shape}, at: ({x}, {y}, {z}){mass}), ");
            let other = dice.below(i + 1);
            let a = if other == i { "world".to_owned() } else { other.to_string() };
            let [u, v, w] = [0; 3].map(|_| dice.between(-1.0, 1.0));
            let kind = kind(dice);
            // Couplings act between the middles of their wheels.
            let coupling =
                ["Gear", "Belt", "Rack", "Drum", "Pulley", "Cam", "Formula"].iter().any(|name| kind.starts_with(name));
            let anchor = if coupling || dice.once_in(4) { String::new() } else { format!("anchor: ({x}, {v}, {z}), ") };
            let _ = write!(
                joints,
                "(name: \"j{i}\", a: \"{a}\", b: \"{i}\", {anchor}axis: ({u}, {v}, {w}), kind: {kind}), "
            );
        }
        let text = format!("(version: 1, title: \"mechanism\", bodies: [{bodies}], joints: [{joints}])");
        let loaded = match scene::read_str(&text, "mechanism.ron") {
            Ok(loaded) => loaded,
            // Flat hulls, and kinds that need other ends, may be rejected.
            Err(mistakes) if mistakes.iter().all(|m| m.what.contains("hull") || m.what.contains("anchor")) => {
                return Ok(());
            }
            Err(mistakes) => return Err(format!("{}\n{text}", mistakes[0])),
        };
        for method in METHODS {
            for stabilization in STABILIZATIONS {
                let mut settings = Preset::SingleStep.settings();
                settings.solver.method = method;
                settings.stabilization.method = stabilization;
                run(&mut loaded.flat.world(settings), 30)
                    .map_err(|what| format!("{method:?}, {stabilization:?}: {what}\n{text}"))?;
            }
        }
        Ok(())
    });
}
