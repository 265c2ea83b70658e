//! The common beginning of runs in lockstep, and sessions that start there.

use std::sync::Arc;

use crate::Session;
use crate::open::OpenScene;
use crate::run::Run;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;

/// The common beginning of all runs.
pub(super) struct Base {
    /// The first state of the main run's stretch.
    pub first: Arc<World>,
    /// `Session::generation` of the main session at that time.
    pub generation: u64,
    /// The state from which all runs start.
    pub from: Arc<World>,
}

impl Base {
    /// Whether the main run is still in the stretch to which this belongs.
    pub fn is_of(&self, main: &Session, open: &OpenScene) -> bool {
        self.generation == main.generation && Arc::ptr_eq(&self.first, open.run.stretch().first())
    }
}

/// The common beginning: `from`, or the first state of the main run's stretch.
pub(super) fn base(main: &Session, open: &OpenScene, from: Option<Arc<World>>) -> Base {
    let first = open.run.stretch().first().clone();
    Base { from: from.unwrap_or_else(|| first.clone()), first, generation: main.generation }
}

/// A session of the same document that starts at this state, with other settings.
pub(super) fn session_at(main: &Session, open: &OpenScene, from: &Arc<World>, settings: Settings) -> Session {
    let mut world = World::clone(from);
    world.settings = settings;
    let beginning = open.run.beginning();
    let run = if world.state.step_count == 0 {
        Run::new(world)
    } else {
        let mut run = Run::new(World::clone(beginning));
        run.continue_with(beginning.clone(), world);
        run
    };
    let mut run = run;
    run.use_device(open.run.device().cloned());
    let mut document = open.document.clone();
    document.set_scene(document.with_settings(&settings).into());
    let (names, made_from) = (open.names.clone(), open.made_from.clone());
    let mut session = Session {
        settings,
        file_settings: main.file_settings,
        needs: main.needs.clone(),
        watched: main.watched,
        ..Session::default()
    };
    session.ahead.on = main.is_ahead();
    session.open = Some(OpenScene { document, run, names, made_from, line: Default::default() });
    session.write("", false);
    session.show_new_world();
    session
}
