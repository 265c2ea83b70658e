//! Back and forth: through the edits of the document, and back through the states of the run.
//!
//! An undo of what the run can go on from leaves it running: a mass, a switch, a body that was added. What would tear
//! the run apart in its present state, as a body put back to where it was seconds ago, is taken back in the state in
//! which it was made: the run goes back to the moment before the edit, or on to the moment after it, bit by bit. An
//! edit made at the beginning leads to the beginning.

use std::sync::Arc;

use super::document::history::{Edited, Gesture};
use super::open::Open;
use super::run::Input;
use super::run::past::Moment;
use super::{Looks, Session, SessionError, record};
use crate::physics::settings::Settings;
use crate::scene::Scene;

/// How the run follows an undo.
enum Way {
    /// It goes on.
    On,
    Elsewhere,
    ToTheBeginning,
}

impl Session {
    /// Notes an edit of the document that turns `before` into what it is now. `moment` is the run's just before it, if
    /// the bodies followed it in mid-run.
    pub(super) fn note(
        &mut self,
        label: String,
        bodies: bool,
        gesture: Option<Gesture>,
        before: &Arc<Scene>,
        moment: Option<Arc<Moment>>,
    ) {
        let Some(open) = &self.open else { return };
        let after_moment = if bodies { open.start() } else { None };
        let edit = Edited { label, bodies, before: moment, after: after_moment };
        self.history.edit(edit, gesture, before, &open.document.scene);
    }

    /// Goes `by` edits on, or back where that is negative.
    pub(super) fn time_travel(&mut self, by: isize) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let before = open.document.scene.clone();
        let none = if by > 0 { SessionError::NothingToRedo } else { SessionError::NothingToUndo };
        let travel = self.history.seen(by).ok_or(none)?;
        let after = travel.scene;
        let version = self.history.version();
        let mut way = Way::On;
        if travel.bodies {
            let next = open.next(&before, &after, self.settings)?;
            let there = || self.history.moment(by);
            if open.run.world().step_count == 0 || !next.tears(open.run.world(), by < 0) {
                open.go_on(next, &after, version, false);
            } else if there().is_some_and(|moment| lead(open, &moment, &after, version, self.settings)) {
                way = Way::Elsewhere;
            } else {
                open.begin_with(next, &after);
                self.history.forget_moments();
                way = Way::ToTheBeginning;
            }
        }
        self.history.went(by);
        open.document.take(after);
        self.revision += 1;
        self.generation += u64::from(travel.bodies);
        match way {
            Way::On if travel.bodies => self.show_edited_world(),
            Way::On => {}
            Way::Elsewhere => {
                self.arrive();
                self.end_recording();
            }
            Way::ToTheBeginning => {
                self.show_new_world();
                self.edited();
            }
        }
        self.sync_settings(travel.label, false);
        Ok(())
    }

    /// Pauses and goes one step back; across an edit of bodies the document goes back with the state.
    pub(super) fn step_back(&mut self) -> Result<(), SessionError> {
        self.play(false);
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        if open.run.back() {
            self.settle();
            if let Some(open) = &self.open {
                self.snapshot.refresh(&open.run, None, &Looks::ALL);
            }
            self.snapshot.still();
            return Ok(());
        }
        let present = open.document.scene.clone();
        // Kept only where the document was on another branch of the history.
        let here = open.present();
        let (document, version) = open.back_across().ok_or(SessionError::NoEarlierState)?;
        open.document.take(document);
        match self.history.distance(version) {
            Some(by) => self.history.went(by),
            None => {
                // Behind all that could be redone, so that nothing of it is lost.
                let ahead = self.history.future().len() as isize;
                let newest = self.history.seen(ahead).map_or(present, |travel| travel.scene);
                self.history.went(ahead);
                let after = Some(open.present());
                let edit = Edited { label: "Step back".into(), bodies: true, before: Some(here), after };
                self.history.edit(edit, None, &newest, &open.document.scene);
            }
        }
        self.settings = open.document.settings();
        self.generation += 1;
        self.revision += 1;
        self.arrive();
        Ok(())
    }

    /// Shows the world that the run has come to, with the document's settings and an empty hand.
    fn arrive(&mut self) {
        self.settle();
        self.show_edited_world();
        self.snapshot.still();
    }

    /// The document keeps its settings and the hand is empty, whatever they were at that time.
    fn settle(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.run.world().settings != self.settings {
            open.run.input(Input::Settings(self.settings));
        }
        if open.run.world().mouse_joint.is_some() {
            open.run.input(Input::MouseJoint(None));
        }
        let step = open.run.world().step_count;
        self.samples.rewind(step);
        if self.samples.samples.back().is_none_or(|last| last.step < step) {
            record(&mut self.samples, &open.run, self.watched);
        }
    }
}

/// Leads the run to this moment and from there to the document `after`; false, and nothing has changed, if that would
/// tear it, too.
fn lead(open: &mut Open, moment: &Arc<Moment>, after: &Arc<Scene>, version: u64, settings: Settings) -> bool {
    if *moment.document == **after {
        open.go_to(moment, version);
        return true;
    }
    let Some(next) = open.next_from(moment, after, settings) else { return false };
    open.go_to(moment, version);
    open.go_on(next, after, version, true);
    true
}
