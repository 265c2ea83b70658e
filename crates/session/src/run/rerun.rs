//! A state of a run that is computed again: from a stored state and the inputs since, bit for bit. On a thread of its
//! own it can be cancelled, and it has a limit of work.

use std::sync::Arc;

use super::stretch::apply;
use super::{Input, Recorded};
use delassus_physics::device::StepDevice;
use delassus_physics::settings::{Processor, Settings};
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// The limit of work for computing one state again, in multiplications: about ten seconds.
const MAX_WORK: u64 = 25_000_000_000;

/// What is computed again.
pub struct Rerun {
    pub from: Arc<World>,
    /// The inputs of the stretch, in order.
    pub inputs: Vec<Recorded>,
    pub device: Option<Arc<dyn StepDevice>>,
    /// The step whose state is wanted.
    pub target: u64,
}

/// Why there is no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RerunError {
    Cancelled,
    /// It would exceed the limit of work.
    Work,
    /// A step that was made once could not be made again.
    NoStep,
}

impl Rerun {
    /// The number of steps to make.
    pub fn steps(&self) -> u64 {
        self.target.saturating_sub(self.from.state.step_count)
    }

    /// Whether the processor makes all steps, so that another thread may make them.
    pub fn is_on_processor(&self) -> bool {
        let asks = |settings: &Settings| settings.solver.device != Processor::Cpu;
        let input = |recorded: &Recorded| matches!(&recorded.input, Input::Settings(settings) if asks(settings));
        !asks(&self.from.settings) && !self.inputs.iter().any(input)
    }

    /// Makes the steps. The state has the inputs of its step applied.
    pub fn make(self, cancel: Option<&Cancel>) -> Result<World, RerunError> {
        self.make_within(MAX_WORK, cancel)
    }

    /// Makes the steps, without a limit of work beyond that of each step.
    pub fn make_all(self) -> Result<World, RerunError> {
        self.make_within(u64::MAX, None)
    }

    fn make_within(self, limit: u64, cancel: Option<&Cancel>) -> Result<World, RerunError> {
        let Self { from, inputs, device, target } = self;
        let mut world = Arc::unwrap_or_clone(from);
        world.pipeline.executor.resident = true;
        world.pipeline.executor.device = device;
        world.report.work.cancelled_by(cancel.cloned());
        put_in(&inputs, &mut world);
        let mut spent = 0_u64;
        while world.state.step_count < target {
            let step = world.state.step_count;
            world.step();
            if cancel.is_some_and(Cancel::is_cancelled) {
                return Err(RerunError::Cancelled);
            }
            if world.state.step_count == step {
                debug_assert!(false, "a step that was made once can be made again");
                return Err(RerunError::NoStep);
            }
            spent = spent.saturating_add(world.report.work.spent());
            if spent > limit && world.state.step_count < target {
                return Err(RerunError::Work);
            }
            put_in(&inputs, &mut world);
        }
        world.report.work.cancelled_by(None);
        Ok(world)
    }
}

/// Applies the inputs recorded at the world's current step. Returns whether there are any.
pub fn put_in(inputs: &[Recorded], world: &mut World) -> bool {
    let step = world.state.step_count;
    if inputs.last().is_none_or(|last| last.step < step) {
        return false;
    }
    let first = inputs.partition_point(|r| r.step < step);
    let mut any = false;
    inputs[first..].iter().take_while(|r| r.step == step).for_each(|r| {
        apply(world, r.input);
        any = true;
    });
    any
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Rerun, RerunError};
    use delassus_physics::work::Cancel;

    fn rerun(target: u64) -> Rerun {
        let scene = r#"(version: 1, title: "ball", bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 1)),
            (name: "floor", shape: Box(half: (5, 5, 1)), at: (0, 0, -1), motion: Static)])"#;
        let loaded = delassus_scene::read_str(scene, "ball.ron").expect("a scene");
        let world = loaded.flat.world(loaded.scene.settings.settings());
        Rerun { from: Arc::new(world), inputs: Vec::new(), device: None, target }
    }

    #[test]
    fn it_ends_at_its_limit_of_work_and_when_it_is_cancelled() {
        // The ball lands in step 26, and each later step has work.
        assert_eq!(rerun(60).make_within(10, None).err(), Some(RerunError::Work));
        let cancel = Cancel::default();
        assert_eq!(rerun(60).make(Some(&cancel)).map(|world| world.state.step_count), Ok(60));
        cancel.cancel();
        assert_eq!(rerun(60).make(Some(&cancel)).err(), Some(RerunError::Cancelled));
    }
}
