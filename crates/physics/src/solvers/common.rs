//! The stages that solvers share: making the rows, the forces, a pass over all blocks, moving the bodies.

use std::time::Instant;

use super::block::{solve_block, speed};
use super::tree;
use crate::balance::{self, Checkpoint};
use crate::body::Velocity;
use crate::collide::continuous;
use crate::fault::{self, FaultWatch};
use crate::prepare;
use crate::residual::speed_left;
use crate::row::Owner;
use crate::system::System;
use crate::trace::StepStage;
use crate::work::SWEPT_ROW;
use crate::world::{State, World};
use crate::{
    ballistic, breaking, confine, drive_course, geometric, gyroscopic, integrate, ledger, positions, rattle, readout, relax,
    restitution, safeguard, shake, sleep, trace, warm_start,
};

/// One sub-step; all sub-steps of a step have equal length.
#[derive(Debug, Clone, Copy)]
pub struct Substep {
    /// Its length, s.
    pub h: f32,
    /// Its begin and end, world time, s.
    pub start: f64,
    pub end: f64,
    /// Whether it is the step's first, or its last.
    pub first: bool,
    pub last: bool,
}

/// The sub-steps of the next step, from the settings.
pub fn substeps(world: &World) -> impl Iterator<Item = Substep> + use<> {
    let (time, h, step) = (world.state.time, world.settings.h(), world.settings.step);
    let at = move |k: u32| time + f64::from(k) / f64::from(step.substeps) / f64::from(step.rate);
    let last = step.substeps;
    (1..=last).map(move |k| Substep { h, start: at(k - 1), end: at(k), first: k == 1, last: k == last })
}

/// Sets the velocities of the bodies that follow movers, for the sub-step of `h` seconds that ends at `time`.
fn drive_movers(world: &mut World, time: f64, h: f32) {
    for driven in &world.model.movers {
        let position = world.state.bodies[driven.body as usize].position;
        world.state.velocities[driven.body as usize] = driven.mover.velocity(driven.start, position, time, h);
    }
}

/// Sets the movers' velocities and finds the contacts, or reuses those of the step's first sub-step. Returns false if
/// the contacts exceed the budget: the step then ends at the start of this sub-step.
pub fn collide(world: &mut World, substep: Substep) -> bool {
    drive_movers(world, substep.end, substep.h);
    if !substep.first && world.state.contacts.go_on(&world.state.bodies) {
        return true;
    }
    fault::look(world, FaultWatch::default());
    let steps = if world.state.contacts.serves_all(&world.settings) { world.settings.step.substeps } else { 1 };
    find_contacts(world, substep.h * steps as f32);
    sleep::rouse(world);
    if world.state.contacts.excess.is_some() {
        world.state.time = substep.start;
        return false;
    }
    true
}

/// Finds the pairs and then their contact points, for a sub-step of `h` seconds.
fn find_contacts(world: &mut World, h: f32) {
    let State { contacts, bodies, velocities, sleep, .. } = &mut world.state;
    if !world.settings.contact.enabled {
        contacts.clear();
        return;
    }
    let start = Instant::now();
    contacts.find_pairs(bodies, velocities, &world.settings, h);
    let found = Instant::now();
    if contacts.excess.is_none() {
        contacts.find_points((bodies, sleep), velocities, &world.settings, h);
    }
    world.report.phases.broad += found - start;
    world.report.phases.narrow += found.elapsed();
}

/// Makes the rows at the present poses, with their biases. Contacts take their approach speeds from the velocities
/// before forces and warm starting.
pub fn linearize(world: &mut World, h: f32) {
    let start = Instant::now();
    trace::begin(world, h);
    warm_start::follow(world, h);
    geometric::stiffen(world, h);
    prepare::prepare(world, h);
    world.report.phases.prepare += start.elapsed();
}

/// Whether the limit of work allows to sweep the rows. If not, the step ends at the start of this sub-step.
pub fn affords_sweeps(world: &mut World, substep: Substep) -> bool {
    let sweeps = u64::from(world.settings.sweeps());
    let rows = world.system.rows.len() + world.system.contacts.rows();
    let affords = world.report.work.charge(SWEPT_ROW * sweeps * rows as u64);
    if !affords {
        world.state.time = substep.start;
    }
    affords
}

/// Applies forces, warm-start impulses and the gyroscopic term. Returns true if the warm-start impulses are only
/// applied after the first sweep: see [`warm_start::begin`].
pub fn warm_start(world: &mut World, h: f32) -> bool {
    ledger::begin(world, h);
    integrate::forces((&world.state.bodies, &world.state.sleep), &mut world.state.velocities, &world.settings, h);
    ballistic::find(world, h);
    balance::reached(world, Checkpoint::Kicked);
    trace::note(world, StepStage::Forces);
    gyroscopic::begin(world);
    // Uses the velocities that the last step left: in a loop that is closed twice over, the old impulses turn its
    // light links wildly.
    shake::bend(world, h);
    let late = warm_start::begin(world, h);
    balance::reached(world, Checkpoint::Warm { late });
    gyroscopic::turn(world, late, h);
    rattle::start(world, h);
    if safeguard::watches(world) {
        safeguard::begin(world);
    }
    balance::reached(world, Checkpoint::Started { exact: false });
    trace::note(world, StepStage::Start);
    late
}

/// Allocates the split-correction velocities if a row needs them; returns whether any does.
pub fn begin_pseudo_velocities(world: &mut World) -> bool {
    world.report.pseudo_velocities.clear();
    let wanted = world.system.blocks.iter().any(|b| b.pseudo) || world.system.contacts.corrects();
    if wanted {
        world.report.pseudo_velocities.resize(world.state.bodies.len(), Velocity::default());
    }
    wanted
}

/// Moves the bodies, stores the impulses for the next step, and breaks overloaded joints.
pub fn integrate(world: &mut World, Substep { h, end, last, .. }: Substep) {
    let start = Instant::now();
    trace::note(world, StepStage::Solved);
    balance::reached(world, Checkpoint::Solved);
    if world.pipeline.executor.reads(&world.settings) {
        measure_residuals(world);
    }
    let mut watch = FaultWatch::default();
    positions::begin(world);
    continuous::clamp(world, h);
    ballistic::strike(world, h, &mut watch);
    drive_course::advance(world, h);
    let rotation = world.settings.formulation.rotation;
    let way = integrate::Motions {
        pseudo_velocities: &world.report.pseudo_velocities,
        toi_fractions: &world.report.toi_fractions,
        turning: &world.pipeline.buffers.turning,
        rotation,
    };
    integrate::poses(&mut world.state.bodies, &mut world.state.velocities, &way, h, &mut watch);
    balance::reached(world, Checkpoint::Moved);
    positions::correct(world, &mut watch);
    relax::sweep(world);
    confine::finish(world);
    restitution::finish(&mut world.system);
    readout::count_turns(world, h);
    trace::hand_on(world);
    fault::look(world, watch);
    warm_start::store(world, last);
    if breaking::can(world) {
        breaking::check(world, h, end);
    }
    balance::reached(world, Checkpoint::Corrected);
    world.report.phases.integrate += start.elapsed();
}

/// Sets the largest residual speed of a row, m/s or rad/s, of the world and of each joint; of a soft row the part
/// that one more solve would change. A clamped row counts only if it would leave its bound; friction rows, which may
/// slip, do not count.
fn measure_residuals(world: &mut World) {
    world.report.residual = world.system.contacts.residual(&world.state.velocities);
    world.state.joints.iter_mut().for_each(|joint| joint.readout.residual = 0.0);
    for block in &world.system.blocks {
        let (a, b) = (&world.state.velocities[block.a as usize], &world.state.velocities[block.b as usize]);
        let rows = &world.system.rows[block.range()];
        let counted = block.coupling.contact().map_or(rows.len(), |(normals, _)| normals as usize);
        let mut worst = 0.0f32;
        for row in &rows[..counted] {
            let r = speed(row, a, b) + row.bias + row.gamma * row.impulse;
            let settled = row.inv_k == 0.0 || (row.impulse <= row.lo && r > 0.0) || (row.impulse >= row.hi && r < 0.0);
            worst = if settled { worst } else { worst.max(speed_left(row, r).abs().min(f32::MAX)) };
        }
        world.report.residual = world.report.residual.max(worst);
        if let Owner::Joint(joint) = block.owner {
            let own = &mut world.state.joints[joint as usize].readout.residual;
            *own = own.max(worst);
        }
    }
}

/// One pass over all trees, then all other blocks; returns the largest change of a velocity, m/s or rad/s. `first` is
/// true for the first pass, in which trees apply their Δu directly: see [`tree::Trees::apply`].
pub fn pass(system: &mut System, work: &mut tree::Work, velocities: &mut [Velocity], first: bool) -> f32 {
    let mut moved = 0.0f32;
    for index in 0..system.trees.count() {
        moved = moved.max(system.trees.sweep::<false>(index, &mut system.rows, work, velocities, first));
    }
    for block in &system.blocks {
        let by = solve_block::<true>(block, block.coupling, &mut system.rows, &system.couplings, velocities);
        moved = moved.max(by);
    }
    moved
}
