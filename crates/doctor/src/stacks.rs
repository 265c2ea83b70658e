//! Heavy bodies that rest on light ones.
//!
//! ```text
//! M on m on the ground: the rows of the two contacts have K = [[1/m, −1/m], [−1/m, 1/m + 1/M]], like two hanging
//! masses; a sweep of Gauss–Seidel reduces the error by ρ = M/(m + M), or M/n instead of M with n bodies side by side
//! ```
//! A digit takes ln 10 M/m sweeps. Rigid contacts give way while the sweeps do not carry the load, point by point, and
//! the upper body tips: measured, it falls where a digit takes more than some five steps. Soft contacts sink in
//! instead, and stand up to ratios of hundreds, few bodies with extra sweeps up to a thousand. Which bodies rest on which follows from the contacts at the start with
//! a normal within 60° of the vertical. Source: 004 ch. 10; the catalogue's closed forms.

use std::collections::VecDeque;

use super::chains::RATIO;
use super::words::{self, number};
use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::collide::Contacts;
use delassus_physics::settings::{Settings, Stabilization};
use delassus_physics::solvers;
use delassus_physics::stabilize;

/// The largest gap of a contact that counts as support, m.
const STANDS: f32 = 0.02;
/// A digit that takes the sweeps of more steps than this is reported where contacts are rigid.
const STEPS: f32 = 4.0;
/// The most steps down from a body to one below it that the whole search makes.
const MAX_VISITS: usize = 5_000_000;

/// The mass ratio above which a stack is reported, in a world of so many joints and contacts. With extra sweeps soft
/// contacts carry as many times a mass as a step may have sweeps.
fn bearable(settings: &Settings, blocks: usize) -> f32 {
    let soft = stabilize::settings_of_contacts(settings).stabilization.method == Stabilization::Soft;
    if soft || solvers::of(settings.solver.method).exact {
        let extra = solvers::extra_sweeps::max_sweeps(settings, blocks);
        let max_sweeps = if extra > 0 { settings.step.substeps * (settings.sweeps() + extra) } else { 0 };
        return RATIO.max(max_sweeps as f32);
    }
    let sweeps = (settings.sweeps() * settings.step.substeps) as f32;
    (STEPS * sweeps / std::f32::consts::LN_10).min(RATIO)
}

pub fn examine(case: &DoctorCase<'_>, contacts: &Contacts, found: &mut Vec<Finding>) {
    let world = case.world;
    let Some(up) = (-world.settings.step.gravity).try_normalize() else { return };
    // For each body, the bodies that support it.
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); world.state.bodies.len()];
    for (a, b, manifold) in contacts.manifolds() {
        if manifold.points.iter().any(|p| p.separation < STANDS) {
            let upright = manifold.normal.dot(up);
            let (under, over) = if upright > 0.0 { (a, b) } else { (b, a) };
            if upright.abs() > 0.5 {
                below[over as usize].push(under);
            }
        }
    }
    for bodies in &mut below {
        bodies.sort_unstable();
        bodies.dedup();
    }
    let dynamic = |id: u32| world.state.bodies[id as usize].is_dynamic();
    let mut steps = 0;
    let bearable = bearable(&world.settings, world.state.joints.len() + contacts.manifolds().count());
    let mut seen = vec![usize::MAX; world.state.bodies.len()];
    for heavy in (1..world.state.bodies.len() as u32).filter(|id| dynamic(*id)) {
        let big = world.state.bodies[heavy as usize].mass;
        // Layer by layer downwards; the bodies of a layer share the load.
        let mut layer: VecDeque<u32> = VecDeque::from([heavy]);
        let mut worst: Option<(u32, f32, usize)> = None;
        while !layer.is_empty() {
            if steps > MAX_VISITS || world.report.work.is_cancelled() {
                found.push(passed_over(case, heavy));
                return;
            }
            let mut next: VecDeque<u32> = VecDeque::new();
            for id in layer.drain(..).flat_map(|id| &below[id as usize]).copied().filter(|id| dynamic(*id)) {
                steps += 1;
                if seen[id as usize] != heavy as usize && id != heavy {
                    seen[id as usize] = heavy as usize;
                    next.push_back(id);
                }
            }
            // A body that is not supported itself bears no load.
            let bearing: Vec<u32> = next.iter().copied().filter(|id| !below[*id as usize].is_empty()).collect();
            for id in &bearing {
                let ratio = big / (bearing.len() as f32 * world.state.bodies[*id as usize].mass);
                if ratio > bearable && worst.is_none_or(|(_, most, _)| ratio > most) {
                    worst = Some((*id, ratio, bearing.len()));
                }
            }
            layer = next;
        }
        if let Some((light, ratio, count)) = worst {
            found.push(finding(case, heavy, light, ratio, count));
        }
    }
}

/// Says from which body on the heights of the stacks were too much work.
fn passed_over(case: &DoctorCase<'_>, first: u32) -> Finding {
    Finding {
        rule: Rule::Mass,
        severity: Severity::Note,
        bodies: vec![first],
        joints: Vec::new(),
        what: format!(
            "The bodies below {}, and those after it, were not examined: the stacks are too high and too many.",
            case.body(first)
        ),
        cure: "No action is needed.".into(),
        fix: None,
    }
}

fn finding(case: &DoctorCase<'_>, heavy: u32, light: u32, ratio: f32, count: usize) -> Finding {
    let exact = solvers::of(case.world.settings.solver.method).exact;
    let rho = f64::from(ratio) / f64::from(1.0 + ratio);
    let side = match count {
        1 => String::new(),
        _ => format!(", one of {count} side by side"),
    };
    let sweeps = words::sweeps(&case.world.settings, rho);
    let mass = |id: u32| number(case.world.state.bodies[id as usize].mass);
    Finding {
        rule: Rule::Mass,
        severity: if exact { Severity::Note } else { Severity::Warning },
        bodies: vec![light, heavy],
        joints: Vec::new(),
        what: format!(
            "{} of {} kg stands on {} of {} kg{side}: the ratio of load to mass is {} to 1, and a sweep leaves M/(m + \
             M) = {rho:.4} of the error; {sweeps}.",
            case.body(heavy),
            mass(heavy),
            case.body(light),
            mass(light),
            number(ratio),
        ),
        cure: format!(
            "Make {} heavier, put {} on the ground beside it, or use the direct solver or more iterations with warm \
             starting.",
            case.body(light),
            case.body(heavy)
        ),
        fix: (!exact).then_some(words::DIRECT),
    }
}
