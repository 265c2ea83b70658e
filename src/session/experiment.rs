//! Experiments lie over the document: they are looked at, and are no edits of it. There is nothing to undo and nothing
//! to save by them; what they lie over comes back by a click, and is what is saved meanwhile. An edit that is made while
//! one is shown is made on top of it: its undo leads back to the experiment, the next one past it. The settings that a line
//! asks for are shown so, too.

use std::sync::Arc;

use super::{Session, SessionError};
use crate::physics::setting::Value;
use crate::physics::settings::Settings;
use crate::scene::Scene;

/// An experiment that is shown.
pub(super) struct ActiveExperiment {
    /// The document with it. It is shown no longer once the document is another one.
    over: Arc<Scene>,
    /// The document without it.
    beneath: Arc<Scene>,
    /// Whether that differs from its file.
    edited: bool,
}

impl Session {
    /// The experiment that is shown, if one is.
    pub(super) fn laid(&self) -> Option<&ActiveExperiment> {
        let document = &self.open.as_ref()?.document.scene;
        self.laid.as_ref().filter(|laid| Arc::ptr_eq(&laid.over, document))
    }

    /// Whether the document has something to save beneath the experiment that is shown.
    pub(super) fn is_edited_beneath(&self) -> Option<bool> {
        self.laid().map(|laid| laid.edited)
    }

    /// Shows an experiment, in place of the one that is.
    pub(super) fn lay(&mut self, index: usize) -> Result<(), SessionError> {
        let document = &self.open.as_ref().ok_or(SessionError::NoScene)?.document;
        let settings = document.experiment(index).ok_or(SessionError::NoExperiment(index))?;
        let name = document.scene.experiments[index].name.clone();
        self.lay_over(name, &settings)?;
        self.applied.retain(|asked| *asked != index);
        self.applied.push(index);
        Ok(())
    }

    /// Shows these settings as an experiment is shown, on top of one that is.
    pub(super) fn lay_settings(&mut self, changes: &[(&'static str, Value)]) -> Result<(), SessionError> {
        let mut settings = self.settings;
        for (name, value) in changes {
            settings.set(name, *value)?;
        }
        self.lay_over("Settings of a line".to_owned(), &settings)
    }

    /// Shows the document with other settings.
    fn lay_over(&mut self, name: String, settings: &Settings) -> Result<(), SessionError> {
        let document = &self.open.as_ref().ok_or(SessionError::NoScene)?.document;
        let (beneath, edited) = match self.laid() {
            Some(laid) => (laid.beneath.clone(), laid.edited),
            None => (document.scene.clone(), document.is_dirty()),
        };
        let scene = document.with_settings(settings);
        if *document.scene != scene {
            self.show_scene(name, Arc::new(scene));
        }
        self.laid =
            self.open.as_ref().map(|open| ActiveExperiment { over: open.document.scene.clone(), beneath, edited });
        Ok(())
    }

    /// Shows the document without the experiment.
    pub(super) fn lift(&mut self, label: &str) {
        let Some(beneath) = self.laid().map(|laid| laid.beneath.clone()) else { return };
        self.laid = None;
        if self.open.as_ref().is_some_and(|open| !Arc::ptr_eq(&open.document.scene, &beneath)) {
            self.show_scene(label.to_owned(), beneath);
        }
    }

    /// Has this scene for the document, which differs by settings alone; the history does not know of it.
    fn show_scene(&mut self, label: String, scene: Arc<Scene>) {
        self.diverge();
        let Some(open) = &mut self.open else { return };
        open.document.take(scene);
        self.history.settle();
        self.name_future(&label);
        self.write(&label, false);
        self.revision += 1;
        self.sync_settings(label, false);
        self.follow_plots();
    }

    /// Does something with the document as it is beneath the experiment that is shown; the world knows nothing of it.
    pub(super) fn beneath<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let laid = self.laid().is_some().then(|| self.laid.take()).flatten();
        if let (Some(open), Some(laid)) = (&mut self.open, &laid) {
            open.document.take(laid.beneath.clone());
        }
        let done = act(self);
        if let (Some(open), Some(laid)) = (&mut self.open, laid) {
            let (beneath, edited) = (open.document.scene.clone(), open.document.is_dirty());
            open.document.take(laid.over.clone());
            self.laid = Some(ActiveExperiment { beneath, edited, ..laid });
        }
        done
    }
}
