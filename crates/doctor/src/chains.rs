//! Heavy bodies that hang on light ones.
//!
//! Two masses hanging in a row, m above M, have K = [[1/m, −1/m], [−1/m, 1/m + 1/M]]; a sweep of Gauss–Seidel reduces
//! the error by ρ = (1/m)²/((1/m)(1/m + 1/M)) = M/(m + M), so one digit takes ln 10/−ln ρ ≈ 2.3 M/m sweeps. Even with
//! an exact solution, light links under a tension T = M g turn to and fro, every other one the other way, and
//! symplectic Euler is stable only for h ω < 2. With l between a link's anchors, and its centre c beside the middle of
//! them:
//! ```text
//! its centre moves by c θ while it turns by θ:   (I + m c²) θ'' = −T l θ
//! ω = 2 √(T/(m l)) for beads at one end,  √(12 T/(m l)) for thin rods
//! ```
//! Source: 004 ch. 10; the catalogue's closed forms; derived here.

use super::graph::{GROUND, SpanningForest};
use super::mechanism::Mechanism;
use super::words::{self, number};
use super::{DoctorCase, Finding, Fix, Rule, Severity, alone};
use delassus_physics::row::{RowKind, RowList};
use delassus_physics::setting::Value;
use delassus_physics::stability::{self, FOLLOWED};

/// Mass ratios up to this are not reported.
pub const RATIO: f32 = 100.0;

pub fn examine(case: &DoctorCase<'_>, mechanisms: &[Mechanism], found: &mut Vec<Finding>) {
    let world = case.world;
    let mut list = RowList::default();
    let bears: Vec<bool> = (world.state.joints.iter())
        .map(|joint| {
            list.rows.clear();
            joint.def.kind.linearize(&joint.frames(&world.state.bodies), &mut list);
            let holds =
                |kind: RowKind| matches!(kind, RowKind::Equal { .. } | RowKind::AtMost { .. } | RowKind::Track { .. });
            list.rows.iter().any(|r| !r.jacobian.is_angular() && holds(r.kind))
        })
        .collect();
    let articulations = SpanningForest::new(case, |joint| bears[joint]);
    let mass = |node: usize| if node == GROUND { 0.0 } else { world.state.bodies[node].mass };
    // The heaviest body of each node's subtree.
    let mut heaviest: Vec<usize> = (0..world.state.bodies.len()).collect();
    // For each heavy body the lightest body that it hangs on, and the joint below that.
    let mut on: Vec<Option<(usize, usize)>> = vec![None; world.state.bodies.len()];
    for &at in articulations.order.iter().rev() {
        let Some((up, by)) = articulations.parent[at] else { continue };
        let heavy = heaviest[at];
        if mass(heavy) > mass(heaviest[up]) {
            heaviest[up] = heavy;
        }
        if up != GROUND && mass(heavy) > RATIO * mass(up) && on[heavy].is_none_or(|(o, _)| mass(up) < mass(o)) {
            on[heavy] = Some((up, by));
        }
    }
    for (heavy, (light, below)) in on.iter().enumerate().filter_map(|(heavy, on)| Some((heavy, (*on)?))) {
        let (m, big) = (mass(light), mass(heavy));
        let rho = f64::from(big) / f64::from(m + big);
        // h ω of the link's sideways oscillation; `None` if its anchors coincide.
        let swing = articulations.parent[light].and_then(|(_, above)| {
            let anchor = |joint: usize| world.state.joints[joint].frames(&world.state.bodies).pa();
            let length = anchor(above).distance(anchor(below));
            let along = anchor(above) - anchor(below);
            let body = &world.state.bodies[light];
            let inertia = stability::across(body.inertia_local, body.rotation.inverse() * along);
            let pull = big * world.settings.step.gravity.length();
            let aside = (0.5 * (anchor(above) + anchor(below)) - body.position).dot(along.normalize_or_zero());
            let turned = inertia + m * aside * aside;
            (length > 1e-3 && turned > 0.0).then(|| world.settings.h() * (pull * length / turned).sqrt())
        });
        let shakes = swing.filter(|h_omega| *h_omega > FOLLOWED).map(|h_omega| {
            let now = world.settings.step.substeps;
            let substeps_needed = (now as f32 * h_omega / FOLLOWED).floor() as u32 + 1;
            let words = format!(
                " Under that weight the link swings faster than a step can follow, even with an exact solver: h ω is \
                 {}, and must be below 2. It needs {substeps_needed} sub-steps instead of {now}, or shorter steps.",
                number(h_omega)
            );
            (words, substeps_needed)
        });
        let joints: Vec<usize> = articulations.parent[light].map(|(_, joint)| joint).into_iter().collect();
        let (light, heavy) = (light as u32, heavy as u32);
        let mechanism = mechanisms.iter().find(|mechanism| mechanism.joints.contains(&below));
        let exact = mechanism.is_some_and(|mechanism| alone::is_exact(case, mechanism));
        if exact && shakes.is_none() {
            continue;
        }
        let sweeps = match exact {
            true => String::new(),
            false => {
                format!(": a sweep leaves M/(m + M) = {rho:.4} of the error; {}", words::sweeps(&world.settings, rho))
            }
        };
        let (shakes, needed) = shakes.unwrap_or_default();
        let (name, value) = match exact {
            true => ("step.substeps", Value::Int(needed)),
            false => words::exact_solver_setting(&world.settings),
        };
        found.push(Finding {
            rule: Rule::Mass,
            severity: Severity::Warning,
            bodies: vec![light, heavy],
            joints,
            what: format!(
                "{} of {} kg is held by {} of {} kg, a mass ratio of {} to 1{sweeps}.{shakes}",
                case.body(heavy),
                number(big),
                case.body(light),
                number(m),
                number(big / m),
            ),
            cure: format!(
                "{}, make {} heavier, or connect {} to another body as well.",
                words::change(name, value),
                case.body(light),
                case.body(heavy)
            ),
            fix: Some(Fix::Set { name, value }),
        });
    }
}
