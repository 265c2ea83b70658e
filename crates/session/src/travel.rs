//! Undo and redo, and how the run follows them; [`super::timeline`] moves along the states of the run.
//!
//! If the run can continue after an undo (of a mass, a setting, an added body), it does. If the present state would
//! be torn apart (for example because a body returns to its pose of seconds ago), the edit is undone in the state in
//! which it was made: the run goes back to the moment before the edit, or for a redo to the moment after it, bit for
//! bit. An edit made at step 0 leads back to the beginning.

use std::sync::Arc;

use super::document::history::{Gesture, NotedEdit};
use super::open::OpenScene;
use super::run::Input;
use super::run::line::RunMoment;
use super::{Session, SessionError, record};
use delassus_physics::settings::Settings;
use delassus_scene::Scene;

/// How the run follows an undo or redo.
enum Follow {
    /// It continues from the present state.
    Continued,
    MovedTo,
    Restarted,
}

impl Session {
    /// Records an edit of the document, with the document before it. `moment` is the run's moment just before the
    /// edit, if the bodies changed while running.
    pub(super) fn note(
        &mut self,
        label: String,
        bodies: bool,
        gesture: Option<Gesture>,
        before: &Arc<Scene>,
        moment: Option<Arc<RunMoment>>,
    ) {
        let Some(open) = &self.open else { return };
        let after_moment = if bodies { open.start() } else { None };
        let joins = gesture.is_some_and(|gesture| self.history.is_dragging(gesture));
        let edit = NotedEdit { label: label.clone(), bodies, before: moment, after: after_moment };
        self.history.edit(edit, gesture, before, &open.document.scene);
        self.name_branch(&label);
        self.write(&label, joins);
    }

    /// Undoes (negative) or redoes (positive) `by` edits.
    pub(super) fn time_travel(&mut self, by: isize) -> Result<(), SessionError> {
        let none = || if by > 0 { SessionError::NothingToRedo } else { SessionError::NothingToUndo };
        if self.history.seen(by).is_none() && !(by < 0 && self.is_unreachable()) {
            return Err(none());
        }
        self.diverge();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let before = open.document.scene.clone();
        let travel = self.history.seen(by).ok_or_else(none)?;
        let after = travel.scene;
        let mut follow = Follow::Continued;
        let line = if travel.bodies { self.line_to_take_back() } else { None };
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        if travel.bodies {
            let next = open.next(&before, &after, self.settings)?;
            let there = || self.history.moment(by);
            if open.run.world().state.step_count == 0 || !next.breaks_state(open.run.world(), by < 0) {
                open.go_on(next, &after, false);
            } else if there().is_some_and(|moment| lead(open, &moment, &after, self.settings)) {
                let world = open.run.world();
                let moment = (world.state.step_count, world.state.time);
                self.take_back(line, moment);
                follow = Follow::MovedTo;
            } else {
                open.begin_with(next, &after);
                self.history.forget_moments();
                self.take_back(line, (0, 0.0));
                self.bookmarks.clear();
                follow = Follow::Restarted;
            }
        }
        self.history.move_by(by);
        if let Some(open) = &mut self.open {
            open.document.set_scene(after);
        }
        self.name_branch(&travel.label);
        self.write(&travel.label, false);
        self.revision += 1;
        self.generation += u64::from(travel.bodies);
        match follow {
            Follow::Continued if travel.bodies => self.show_edited_world(),
            Follow::Continued => {}
            Follow::MovedTo => {
                self.arrive();
                self.end_recording();
            }
            Follow::Restarted => {
                self.show_new_world();
                self.edited();
            }
        }
        self.sync_settings(travel.label, false);
        Ok(())
    }

    /// Shows the moment that the run moved to, with the document's settings and without a mouse pull.
    fn arrive(&mut self) {
        self.restore_document_settings();
        self.show_edited_world();
        self.snapshot.still();
    }

    /// Replaces the settings of that time by the document's, and releases a mouse pull of that time.
    fn restore_document_settings(&mut self) {
        let Some(open) = &mut self.open else { return };
        if open.run.world().settings != self.settings {
            open.run.input(Input::Settings(self.settings));
        }
        if open.run.world().state.mouse_joint.is_some() {
            open.run.input(Input::MouseJoint(None));
        }
        let step = open.run.world().state.step_count;
        self.samples.rewind(step);
        self.log.cut(step);
        if self.samples.samples.back().is_none_or(|last| last.step < step) {
            record(&mut self.samples, &open.run, self.watched, self.needs.quantities);
        }
    }
}

/// Moves the run to this moment, and from there to the document `after`. False, with nothing changed, if that would
/// tear the run apart too.
fn lead(open: &mut OpenScene, moment: &Arc<RunMoment>, after: &Arc<Scene>, settings: Settings) -> bool {
    if *moment.document == **after {
        open.go_to(moment);
        return true;
    }
    let Some(next) = open.next_from(moment, after, settings) else { return false };
    open.go_to(moment);
    open.go_on(next, after, false);
    true
}
