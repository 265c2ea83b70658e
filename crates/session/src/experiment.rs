//! An experiment is shown on top of the document without being an edit of it: there is nothing to undo or save, and
//! one click brings back the underlying document, which is also what Save writes. An edit made while an experiment is
//! shown is made on top of it; undoing it leads back to the experiment, the next undo past it. The settings of a line
//! of text that opens a scene are shown in the same way.

use std::sync::Arc;

use super::{Session, SessionError, UnsavedWork};
use delassus_physics::setting::Value;
use delassus_physics::settings::Settings;
use delassus_scene::Scene;

/// The experiment that is shown.
pub(super) struct ActiveExperiment {
    /// The document with the experiment. When the document changes, the experiment is no longer shown.
    shown: Arc<Scene>,
    /// The document without the experiment.
    underlying: Arc<Scene>,
    /// Whether the underlying document differs from its file.
    edited: bool,
}

impl Session {
    /// The unsaved work, without an experiment that is only shown; `None` if everything is saved. `gone` says that the
    /// file is gone, so that nothing is saved.
    pub fn unsaved(&self, gone: bool) -> Option<UnsavedWork> {
        if !self.is_dirty() && !gone {
            return None;
        }
        let document = &self.open.as_ref()?.document;
        Some(
            document
                .unsaved(self.overlay().map_or_else(|| document.scene.clone(), |overlay| overlay.underlying.clone())),
        )
    }

    /// The experiment that is shown, if any.
    pub(super) fn overlay(&self) -> Option<&ActiveExperiment> {
        let document = &self.open.as_ref()?.document.scene;
        self.overlay.as_ref().filter(|overlay| Arc::ptr_eq(&overlay.shown, document))
    }

    /// Whether the document under the shown experiment has unsaved edits.
    pub(super) fn is_underlying_edited(&self) -> Option<bool> {
        self.overlay().map(|overlay| overlay.edited)
    }

    /// Shows an experiment instead of the current one.
    pub(super) fn overlay_experiment(&mut self, index: usize) -> Result<(), SessionError> {
        let document = &self.open.as_ref().ok_or(SessionError::NoScene)?.document;
        let settings = document.experiment(index).ok_or(SessionError::NoExperiment(index))?;
        let name = document.scene.experiments[index].name.clone();
        self.overlay_document(name, &settings)?;
        self.applied.retain(|asked| *asked != index);
        self.applied.push(index);
        Ok(())
    }

    /// Shows these settings like an experiment, on top of the one that is shown.
    pub(super) fn overlay_settings(&mut self, changes: &[(&'static str, Value)]) -> Result<(), SessionError> {
        let mut settings = self.settings;
        for (name, value) in changes {
            settings.set(name, *value)?;
        }
        self.overlay_document("Settings of a line".to_owned(), &settings)
    }

    /// Shows the document with other settings.
    fn overlay_document(&mut self, name: String, settings: &Settings) -> Result<(), SessionError> {
        let document = &self.open.as_ref().ok_or(SessionError::NoScene)?.document;
        let (underlying, edited) = match self.overlay() {
            Some(overlay) => (overlay.underlying.clone(), overlay.edited),
            None => (document.scene.clone(), document.is_dirty()),
        };
        let scene = document.with_settings(settings);
        if *document.scene != scene {
            self.show_scene(name, Arc::new(scene));
        }
        self.overlay =
            self.open.as_ref().map(|open| ActiveExperiment { shown: open.document.scene.clone(), underlying, edited });
        Ok(())
    }

    /// Shows the document without the experiment.
    pub(super) fn remove_overlay(&mut self, label: &str) {
        let Some(underlying) = self.overlay().map(|overlay| overlay.underlying.clone()) else { return };
        self.overlay = None;
        if self.open.as_ref().is_some_and(|open| !Arc::ptr_eq(&open.document.scene, &underlying)) {
            self.show_scene(label.to_owned(), underlying);
        }
    }

    /// Replaces the document by a scene that differs only in settings, without an entry in the history.
    fn show_scene(&mut self, label: String, scene: Arc<Scene>) {
        self.diverge();
        let Some(open) = &mut self.open else { return };
        open.document.set_scene(scene);
        self.history.end_drag();
        self.name_branch(&label);
        self.write(&label, false);
        self.revision += 1;
        self.sync_settings(label, false);
        self.follow_plots();
    }

    /// Runs `act` with the document as it is without the shown experiment; the world is not changed.
    pub(super) fn without_overlay<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let overlay = self.overlay().is_some().then(|| self.overlay.take()).flatten();
        if let (Some(open), Some(overlay)) = (&mut self.open, &overlay) {
            open.document.set_scene(overlay.underlying.clone());
        }
        let done = act(self);
        if let (Some(open), Some(overlay)) = (&mut self.open, overlay) {
            let (underlying, edited) = (open.document.scene.clone(), open.document.is_dirty());
            open.document.set_scene(overlay.shown.clone());
            self.overlay = Some(ActiveExperiment { underlying, edited, ..overlay });
        }
        done
    }
}
