//! Break limits below the expected load of a joint.
//!
//! ```text
//! at once   one step of the direct solver without breaking: the force and torque of each joint that can break
//! at rest   bodies that hang on this joint only, and touch nothing: their weight Σ m g when they hang still
//! ```
//! Source: 004 ch. 10.1.

use super::mechanism::{JointRows, Mechanism, decompose};
use super::words::number;
use super::{DoctorCase, Finding, Fix, Rule, Severity};
use delassus_physics::breaking::{self, Breaks};
use delassus_physics::collide::Contacts;
use delassus_physics::joints::{JointDisplay, JointKind};
use delassus_physics::settings::Method;

/// The trial step is made in worlds of up to this many bodies.
const MAX_BODIES: usize = 400;
/// The most work of the trial step, multiplications: a fraction of a second.
const WORK: u64 = 100_000_000;
/// The fix raises the limit to this multiple of the load.
const SAFE: f32 = 2.0;

pub fn examine(case: &DoctorCase<'_>, contacts: &Contacts, mechanisms: &[Mechanism], found: &mut Vec<Finding>) {
    let world = case.world;
    let borne = |joint: usize| breaking::break_limits(&world.state.joints[joint], &world.settings.breaking);
    let can: Vec<usize> = (0..world.state.joints.len()).filter(|joint| borne(*joint).is_some()).collect();
    if can.is_empty() {
        return;
    }
    let mut reported = vec![false; world.state.joints.len()];
    if world.state.bodies.len() <= MAX_BODIES {
        let mut trial = world.clone();
        trial.settings.solver.method = Method::Direct;
        trial.settings.breaking.enabled = false;
        trial.report.work = world.report.work.within(WORK);
        trial.step();
        // A step that takes too long tells nothing.
        let made = if trial.state.step_count > world.state.step_count { &can[..] } else { &[] };
        for joint in made {
            let (readout, breaks) = (&trial.state.joints[*joint].readout, borne(*joint).unwrap_or_default());
            let (force, torque) = (readout.force.length(), readout.torque.length());
            if breaks.exceeded(force, torque) {
                reported[*joint] = true;
                found.push(finding(case, *joint, breaks, (force, torque), "in the first step", "it breaks at once"));
            }
        }
    }
    for (joint, weight) in hanging(case, contacts, mechanisms) {
        let breaks = borne(joint).unwrap_or_default();
        if !reported[joint] && breaks.exceeded(weight, 0.0) {
            found.push(finding(
                case,
                joint,
                breaks,
                (weight, 0.0),
                "that hangs on it",
                "it breaks before the load comes to rest",
            ));
        }
    }
}

/// Joints on which something hangs that is held by nothing else, from a body that does not move, with its weight, N.
fn hanging(case: &DoctorCase<'_>, contacts: &Contacts, mechanisms: &[Mechanism]) -> Vec<(usize, f32)> {
    let world = case.world;
    let mut touches = vec![false; world.state.bodies.len()];
    for (a, b, _) in contacts.manifolds() {
        (touches[a as usize], touches[b as usize]) = (true, true);
    }
    let asked = JointRows::of(case);
    let mut all = Vec::new();
    let goes_on = |_: &&Mechanism| !world.report.work.is_cancelled();
    for mechanism in mechanisms.iter().filter(|m| !m.joints.is_empty()).take_while(goes_on) {
        let parts = decompose(case, mechanism, &asked);
        let mut below: std::collections::HashMap<u32, (f32, bool)> = std::collections::HashMap::new();
        let mut hung: Vec<(usize, f32)> = Vec::new();
        let mut held = !parts.bodies.is_empty();
        for leaf in &parts.leaves {
            let (mass, touching) = below.get(&leaf.body).copied().unwrap_or_default();
            let mass = mass + world.state.bodies[leaf.body as usize].mass;
            let touching = touching || touches[leaf.body as usize];
            let Some(joint) = leaf.joint else { continue };
            let def = &world.state.joints[joint].def;
            let other = if def.a == leaf.body { def.b } else { def.a };
            if world.state.bodies[other as usize].is_dynamic() {
                let (more, touched) = below.entry(other).or_default();
                *more += mass;
                *touched |= touching;
            } else {
                held = true;
            }
            if !touching && carries(&def.kind) {
                hung.push((joint, mass * world.settings.step.gravity.length()));
            }
        }
        // Loops may be supported or not; deciding that would need their rows.
        if held && parts.bodies.is_empty() {
            all.extend(hung);
        }
    }
    all
}

/// Whether the joint's rows carry a weight that hangs on it, in any direction.
fn carries(kind: &JointKind) -> bool {
    kind.info().coincident || matches!(kind.info().shown, JointDisplay::Rod | JointDisplay::Thread)
}

fn finding(
    case: &DoctorCase<'_>,
    joint: usize,
    breaks: Breaks,
    (force, torque): (f32, f32),
    when: &str,
    then: &str,
) -> Finding {
    let name = case.joint(joint);
    let by_force = breaks.force.is_some_and(|limit| force > limit);
    let (bears, load, unit) = if by_force {
        (breaks.force.unwrap_or_default(), force, "N")
    } else {
        (breaks.torque.unwrap_or_default(), torque, "N·m")
    };
    // A limit from the settings holds for all joints.
    let has_limits = case.world.state.joints[joint].def.options.breaks.is_some();
    let raised = |limit: Option<f32>, load: f32| limit.map(|limit| if load > limit { SAFE * load } else { limit });
    let cured = Breaks { force: raised(breaks.force, force), torque: raised(breaks.torque, torque) };
    let field = if by_force { "force" } else { "torque" };
    let def = &case.world.state.joints[joint].def;
    Finding {
        rule: Rule::Breaks,
        severity: Severity::Warning,
        bodies: vec![def.b, def.a],
        joints: vec![joint],
        what: format!("{name} bears {} {unit}, but the load {when} is {} {unit}: {then}.", number(bears), number(load)),
        cure: if has_limits {
            format!("Give {name} a {field} above {} {unit} in `breaks`, or a smaller load.", number(load))
        } else {
            format!("Set `breaking.{field}` above {} {unit}, or give {name} a smaller load.", number(load))
        },
        fix: has_limits.then_some(Fix::Breaks { joint, breaks: cured }),
    }
}
