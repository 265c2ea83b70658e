//! Rows of welded bodies for which the sweeps are too few.
//!
//! ```text
//! ρ of the mechanism's own rows, by power iteration in a world that contains only it (`physics/spectrum.rs`)
//! a digit takes ln 10/−ln ρ sweeps; with N sweeps per step and warm starting that is h ln 10/(−N ln ρ) s
//! ```
//! The moment in each weld grows with the square of the distance to the tip, and a sweep carries it only from one
//! weld to the next: 1 − ρ falls with the fourth power of the number of welds, not with the square as for a chain.
//! Source: 000, sequential impulses; 004 ch. 5; measured.

use super::mechanism::Mechanism;
use super::words::{self, digit, number};
use super::{DoctorCase, Finding, Fix, Rule, Severity, alone};
use delassus_physics::joints::Freedom;
use delassus_physics::spectrum;

/// Shorter rows of bodies are not reported.
const ROW: usize = 4;
/// Larger mechanisms are not examined, bodies.
const MAX_BODIES: usize = 80;
/// A time per digit below this is not reported, s.
const MIN_TIME_PER_DIGIT: f64 = 0.5;
/// A time per digit below this is invisible, s.
const UNSEEN: f64 = 0.1;
/// Number of sweeps of the power iteration.
const SWEEPS: u32 = 2048;

pub fn examine(case: &DoctorCase<'_>, mechanisms: &[Mechanism], found: &mut Vec<Finding>) {
    let world = case.world;
    let settings = &world.settings;
    if settings.step.gravity == glam::Vec3::ZERO {
        return;
    }
    let mut known: Vec<(usize, usize, (f64, bool))> = Vec::new();
    for mechanism in mechanisms.iter().take_while(|_| !world.report.work.is_cancelled()) {
        if mechanism.joints.len() < ROW {
            continue;
        }
        let row = longest(case, mechanism);
        if row.len() < ROW || mechanism.bodies.len() > MAX_BODIES || alone::is_exact(case, mechanism) {
            continue;
        }
        // Mechanisms with equal numbers of bodies and joints, as made by patterns, are examined once.
        let alike = |(bodies, joints, _): &&(usize, usize, (f64, bool))| {
            (*bodies, *joints) == (mechanism.bodies.len(), mechanism.joints.len())
        };
        let (rho, settled) = known.iter().find(alike).map_or_else(|| radius(case, mechanism), |(.., rho)| *rho);
        known.push((mechanism.bodies.len(), mechanism.joints.len(), (rho, settled)));
        // An error that still emerges at the iteration's end takes at least half of its sweeps for a digit, whatever
        // the last of them has shown.
        let emerging = (-std::f64::consts::LN_10 * 2.0 / f64::from(SWEEPS)).exp();
        let rho = if settled { rho } else { rho.max(emerging) };
        let asked = settings.sweeps();
        // An iteration that rounding keeps from shrinking at all is the worst case.
        let digit = if rho < 1.0 { digit(rho) } else { f64::INFINITY };
        let seconds = digit / f64::from(asked) * f64::from(settings.h());
        if seconds <= MIN_TIME_PER_DIGIT {
            continue;
        }
        let (first, last) = (row[0], row[row.len() - 1]);
        let sweeps_needed = (digit * f64::from(settings.h()) / UNSEEN).ceil();
        let joints = mechanism.joints.clone();
        let (name, value) = words::exact_solver_setting(settings);
        let more = if settled { "" } else { " or more" };
        let iterate = match sweeps_needed.is_finite() && settled {
            true => format!(" or about {sweeps_needed} iterations"),
            false => String::new(),
        };
        let a_step = asked * settings.step.substeps;
        let slow = match digit.is_finite() {
            true => format!(
                "one sweep leaves ρ = {rho:.5}{more} of an error, so a digit takes {digit}{more} sweeps; at {a_step} a \
                 step that is {} s{more}, during which the bodies sag",
                number(seconds as f32)
            ),
            false => format!(
                "to 32 bits one sweep leaves the whole error, ρ = {rho:.5}, and at {a_step} a step the bodies sag for \
                 good"
            ),
        };
        found.push(Finding {
            rule: Rule::Sweeps,
            severity: Severity::Warning,
            bodies: row.clone(),
            joints,
            what: format!(
                "{} bodies welded in a row, from {} to {}, are more than the sweeps can carry: {slow}.",
                row.len(),
                case.body(first),
                case.body(last),
            ),
            cure: format!(
                "{}{iterate}, or merge {} to {} into one body.",
                words::change(name, value),
                case.body(first),
                case.body(last)
            ),
            fix: Some(Fix::Set { name, value }),
        });
    }
}

/// The longest row of welded bodies that begins at a static or kinematic body.
fn longest(case: &DoctorCase<'_>, mechanism: &Mechanism) -> Vec<u32> {
    let world = case.world;
    let mut welds: std::collections::HashMap<u32, Vec<u32>> = std::collections::HashMap::new();
    let mut open: Vec<u32> = Vec::new();
    for joint in mechanism.joints.iter().map(|j| &world.state.joints[*j]) {
        if joint.def.kind.info().free != Freedom::Nothing || joint.broken.is_some() {
            continue;
        }
        let (a, b) = (joint.def.a, joint.def.b);
        match (world.state.bodies[a as usize].is_dynamic(), world.state.bodies[b as usize].is_dynamic()) {
            (true, true) => {
                welds.entry(a).or_default().push(b);
                welds.entry(b).or_default().push(a);
            }
            (true, false) => open.push(a),
            (false, true) => open.push(b),
            (false, false) => {}
        }
    }
    // Breadth first: the last body reached is the farthest.
    let mut from: std::collections::HashMap<u32, Option<u32>> = open.iter().map(|id| (*id, None)).collect();
    let mut at = 0;
    while at < open.len() {
        let id = open[at];
        at += 1;
        for next in welds.get(&id).into_iter().flatten() {
            if let std::collections::hash_map::Entry::Vacant(free) = from.entry(*next) {
                free.insert(Some(id));
                open.push(*next);
            }
        }
    }
    let mut row = Vec::new();
    let mut next = open.last().copied();
    while let Some(id) = next {
        row.push(id);
        next = from.get(&id).copied().flatten();
    }
    row.reverse();
    row
}

/// ρ of a mechanism on its own, and whether the iteration converged; if not, ρ is a lower bound.
fn radius(case: &DoctorCase<'_>, mechanism: &Mechanism) -> (f64, bool) {
    let alone = alone::stepped(case, mechanism);
    let spectrum = spectrum::estimate(&alone, &mut spectrum::Scratch::default(), SWEEPS);
    (f64::from(spectrum.radius), spectrum.settled)
}
