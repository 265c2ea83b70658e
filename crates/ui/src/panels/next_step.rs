//! A trace of the next step, for panels outside the laboratory, at a readable rate while playing.

use std::sync::Arc;
use std::time::Duration;

use egui::Ui;

use super::background_trace::{BackgroundTrace, computing};
use crate::view::View;
use delassus_lab::TracedStep;
use delassus_physics::trace::Depth;

/// Worlds with more bodies are not traced.
const MOST_BODIES: usize = 400;
/// Interval between traces while playing.
const PAUSE: Duration = Duration::from_millis(100);

/// The last trace.
#[derive(Default)]
pub struct NextStep {
    background_trace: BackgroundTrace<(), ()>,
    /// Whether a panel has followed it in this frame.
    followed: bool,
}

impl NextStep {
    /// Traces the next step if the world has changed since the last trace.
    pub fn update(&mut self, view: &View<'_>) {
        self.followed = true;
        match view.session.world().filter(|world| world.state.bodies.len() <= MOST_BODIES) {
            Some(world) => drop(self.background_trace.update(world, view, (Depth::Sweeps, ()), PAUSE, |_, _| ())),
            None => self.background_trace = BackgroundTrace::default(),
        }
    }

    /// The trace, if there is one.
    pub fn traced(&self) -> Option<Arc<TracedStep>> {
        self.background_trace.get().map(|(traced, _)| traced.clone())
    }

    /// Says that the trace is being computed; false if it is not.
    pub fn show_pending(&self, ui: &mut Ui) -> bool {
        let comes = self.background_trace.is_pending();
        if comes {
            computing(ui, "The next step");
        }
        comes
    }

    /// Ends a frame: what is being computed for a panel that was closed is cancelled.
    pub fn end_frame(&mut self) {
        if !std::mem::take(&mut self.followed) {
            self.background_trace.rest();
        }
    }
}
