//! One run and its measurements.

use std::time::Instant;

use delassus_physics::body::Motion;
use delassus_physics::row::Owner;
use delassus_physics::world::World;

/// The results of a run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Change of the energy from the start to the mean of the last second, J.
    pub change: f64,
    /// The largest kinetic energy, J.
    pub most: f64,
    /// Anchor errors, m: mean over joints and time, and the worst.
    pub gap_mean: f64,
    pub gap_worst: f64,
    pub stopped: usize,
    /// Wall time of a step, s.
    pub cost: f64,
    /// Whether nothing added or removed energy: no contact, stop, motor, spring or mover.
    pub conserves: bool,
}

/// Whether only joints that neither add nor remove energy have acted.
fn conserves(world: &World) -> bool {
    let one_sided = |lo: f32, hi: f32| lo == 0.0 || hi == 0.0;
    let moved = world.state.bodies.iter().any(|body| body.motion == Motion::Kinematic);
    let other = world.system.blocks.iter().any(|block| {
        let joint = matches!(block.owner, Owner::Joint(_) | Owner::Plane(_));
        let rows = &world.system.rows[block.range()];
        (!joint && rows.iter().any(|row| row.impulse != 0.0))
            || rows.iter().any(|row| row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite()))
            || rows.iter().any(|row| one_sided(row.lo, row.hi) && row.impulse != 0.0)
    });
    !moved && !other
}

/// Runs a world for some seconds.
pub fn run(mut world: World, seconds: f32) -> Run {
    let start = world.metrics();
    let steps = (seconds * world.settings.step.rate) as usize;
    let mut run = Run {
        change: 0.0,
        most: start.kinetic_energy,
        gap_mean: 0.0,
        gap_worst: 0.0,
        stopped: 0,
        cost: 0.0,
        conserves: true,
    };
    let (mut late, mut count) = (0.0, 0);
    for step in 0..steps {
        let began = Instant::now();
        world.step();
        run.cost += began.elapsed().as_secs_f64() / steps as f64;
        run.conserves &= conserves(&world);
        let m = world.metrics();
        let off = m.energy() - start.energy();
        run.most = run.most.max(m.kinetic_energy);
        run.gap_mean += m.joint_error_mean / steps as f64;
        run.gap_worst = run.gap_worst.max(m.joint_error_max);
        if step + world.settings.step.rate as usize >= steps {
            (late, count) = (late + off, count + 1);
        }
        if world.report.stopped > 0 {
            break;
        }
    }
    run.stopped = world.report.stopped;
    run.change = late / f64::from(count.max(1));
    run
}
