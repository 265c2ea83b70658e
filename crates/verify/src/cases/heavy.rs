//! Heavy bodies on light ones.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;

/// Ten links of 1 kg on ball joints above a load of 100 kg, which starts sideways at 1 m/s.
fn chain() -> String {
    let (mut bodies, mut joints, mut above) = (String::new(), String::new(), "world".to_string());
    for i in 0..11 {
        let (name, mass, speed) = if i < 10 { (format!("link {}", i + 1), 1, 0) } else { ("load".into(), 100, 1) };
        bodies += &format!(
            "(name: {name:?}, shape: Box(half: (0.4, 0.4, 0.4)), at: (0, 0, {}), mass: {mass}, velocity: ({speed}, 0, \
             0), collide: false),",
            -0.5 - f64::from(i)
        );
        joints +=
            &format!("(name: \"pin {}\", a: {above:?}, b: {name:?}, anchor: (0, 0, {}), kind: BallSocket),", i + 1, -i);
        above = name;
    }
    format!("bodies: [{bodies}], joints: [{joints}]")
}

/// The largest joint error within 10 s, m.
fn largest_gap(t: &mut CaseRun) -> Vec<f64> {
    vec![t.watch(10.0, |t| t.world.metrics().joint_error_max).into_iter().fold(0.0, f64::max)]
}

const OPENING: &[Quantity] =
    &[Quantity::absolute("opening of the worst joint in 10 s", "m", "0", || 0.0, Bounds::same(4e-3))];

pub const FAMILY: Family = Family {
    title: "Heavy on light",
    about: "Ten links of 1 kg and 1 m on ball joints carry 100 kg, which starts sideways at 1 m/s: the same fifty \
            sweeps a step, spent in two ways.",
    cases: &[
        Case {
            name: "heavy/fifty-sweeps",
            what: "Fifty sweeps a step.",
            scene: chain,
            runs: Runs::with(&["solver.iterations=50"]),
            measure: largest_gap,
            quantities: OPENING,
        },
        Case {
            name: "heavy/ten-sub-steps",
            what: "Ten sub-steps of five sweeps.",
            scene: chain,
            runs: Runs::with(&["solver.iterations=5", "step.substeps=10"]),
            measure: largest_gap,
            quantities: OPENING,
        },
    ],
};
