//! Compares a step with the same step solved exactly: how much force the sweeps miss.
//!
//! ```text
//! from one state, one step of T seconds as the settings say (u) and one by the direct solver (u*)
//! m |v − v*|/T   against the largest force of the body's joints in the exact step
//! I |ω − ω*|/T   against their largest torque, and that force at half the body's diameter
//! ```
//! Where rows depend on each other the joints' forces are not unique, but the velocities are. A load counts as at least
//! a tenth of the body's weight and of the largest load in the world.
//!
//! With friction even the velocities may not be unique. A car on four wheels can stand on three of them, and the fourth,
//! which then has no friction, spins under its motor. So where bodies touch, a step that differs from the direct one is
//! compared once more, with the step that the sweeps arrive at if they go on, mechanisms solved exactly. A step that has
//! already arrived is a solution too.

use glam::Vec3;

use super::{Breach, FORCES, Unit};
use delassus_physics::row_energy::RESOLUTION;
use delassus_physics::settings::{Method, Processor, RowSolve};
use delassus_physics::solvers;
use delassus_physics::world::World;
use delassus_scene::Rule;

/// The most rows of a world that is compared; with contacts fewer, because the direct solver then takes longer.
const MAX_ROWS: usize = 600;
const MAX_ROWS_TOUCHING: usize = 120;
/// The most work of each of the two steps, multiplications; a few hundredths of a second.
const MAX_WORK: u64 = 100_000_000;
/// A residual of the direct solver above which its step is not used for comparison, m/s or rad/s.
const UNSOLVED: f32 = 1e-3;
/// Sweeps in each sub-step of the step at which the sweeps have arrived.
const MANY_SWEEPS: u32 = 400;
/// Loads below this share of the largest are judged against that share.
const MIN_LOAD_SHARE: f32 = 0.1;

/// Adds a breach for each body whose motion misses too large a share of its joints' load. It names the body's joint with
/// the largest error of force.
pub fn compare(world: &World, found: &mut Vec<Breach>) {
    let settings = &world.settings;
    let touching = world.state.contacts.manifolds().next().is_some();
    let max_rows = if touching { MAX_ROWS_TOUCHING } else { MAX_ROWS };
    let idle = world.state.joints.is_empty() || world.report.row_count == 0 || world.report.row_count > max_rows;
    if idle || solvers::of(settings.solver.method).exact || world.report.fault.is_some() {
        return;
    }
    let mut swept = world.clone();
    swept.sync();
    swept.pipeline.executor.device = None;
    swept.settings.solver.device = Processor::Cpu;
    swept.settings.breaking.enabled = false;
    swept.pipeline.executor.keep_rows = true;
    swept.report.work = world.report.work.within(MAX_WORK);
    let before = swept.clone();
    let mut exact = swept.clone();
    exact.settings.solver.method = Method::Direct;
    swept.step();
    exact.step();
    if exact.state.step_count == world.state.step_count || swept.state.step_count == world.state.step_count {
        return;
    }
    if swept.report.fault.is_some() || !is_comparable(&exact, &swept) {
        return;
    }
    let since = world.state.time;
    let breaches = differences(&swept, &exact, since);
    if touching && !breaches.is_empty() {
        let mut arrived = before;
        arrived.settings.solver.iterations = MANY_SWEEPS;
        arrived.settings.solver.rows = RowSolve::Mechanism;
        arrived.step();
        if is_comparable(&arrived, &swept) && differences(&swept, &arrived, since).is_empty() {
            return;
        }
    }
    found.extend(breaches);
}

/// Whether a step was solved, with as many parts as the `swept` one.
fn is_comparable(solved: &World, swept: &World) -> bool {
    let report = &solved.report;
    report.residual <= UNSOLVED && report.parts == swept.report.parts && report.fault.is_none()
}

/// A breach for each body whose motion in the `swept` step differs too much from that in the `exact` one. Both begin at
/// `since`, s.
fn differences(swept: &World, exact: &World, since: f64) -> Vec<Breach> {
    let settings = &swept.settings;
    let mut found = Vec::new();
    let step = 1.0 / settings.step.rate;
    let mut loads = vec![Load::default(); exact.state.bodies.len()];
    for (index, joint) in exact.state.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let error = (joint.readout.force - swept.state.joints[index].readout.force).length();
        for body in [joint.def.a, joint.def.b] {
            loads[body as usize].add(index, error, (joint.readout.force.length(), joint.readout.torque.length()));
        }
    }
    let (mut force, mut torque) = (0.0f32, 0.0f32);
    loads.iter().for_each(|load| (force, torque) = (force.max(load.force), torque.max(load.torque)));
    let gravity = settings.step.gravity.length();
    for (index, load) in loads.iter().enumerate() {
        let body = &exact.state.bodies[index];
        let Some((joint, _)) = load.joint.filter(|_| body.is_dynamic()) else { continue };
        let (u, v) = (swept.state.velocities[index], exact.state.velocities[index]);
        // Joints are closed to within the resolution of places, by a change of velocity of so much a sub-step.
        let noise = RESOLUTION * body.position.abs().max_element().max(1.0) / swept.settings.h();
        let beyond = |change: Vec3| change * (1.0 - noise / change.length().max(noise));
        let missing_force = body.mass * beyond((u.linear - v.linear).into()).length() / step;
        let missing_torque = (body.inertia() * beyond((u.angular - v.angular).into())).length() / step;
        let force = load.force.max(MIN_LOAD_SHARE * force).max(MIN_LOAD_SHARE * body.mass * gravity);
        let torque = load.torque.max(MIN_LOAD_SHARE * torque).max(force * body.solid.radius);
        let kinds = [(missing_force, force, Unit::Newton), (missing_torque, torque, Unit::NewtonMetre)];
        let share = |(off, size, _): &(f32, f32, Unit)| if *size > 0.0 { off / size } else { 0.0 };
        let worst = kinds.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
        if let Some((value, size, unit)) = worst.filter(|kind| share(kind) > FORCES) {
            let def = &exact.state.joints[joint].def;
            found.push(Breach {
                rule: Rule::Forces,
                joint: Some(joint),
                bodies: (def.a, def.b),
                value: *value,
                size: *size,
                unit: *unit,
                bound: FORCES,
                since,
            });
        }
    }
    found
}

/// What the joints of a body carry in the exact step.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    /// N and N·m.
    force: f32,
    torque: f32,
    /// The joint with the largest error of force, and that error, N.
    joint: Option<(usize, f32)>,
}

impl Load {
    fn add(&mut self, joint: usize, error: f32, (force, torque): (f32, f32)) {
        (self.force, self.torque) = (self.force.max(force), self.torque.max(torque));
        if self.joint.is_none_or(|(_, known)| error > known) {
            self.joint = Some((joint, error));
        }
    }
}
