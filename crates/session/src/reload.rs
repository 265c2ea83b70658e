//! Reloads a file that another program has changed: takes the new version, or merges it with the edits made here.
//! Either is an edit and can be undone.

use std::sync::Arc;

use super::document::history::NotedEdit;
use super::document::merge::Conflict;
use super::open::OpenScene;
use super::{Session, SessionError};
use delassus_scene as scene;

impl Session {
    /// Replaces the document by the scene in its file.
    pub(super) fn reload(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoFile)?;
        let file = open.document.file.clone().ok_or(SessionError::NoFile)?;
        let before = open.document.scene.clone();
        let fresh = OpenScene::read(&file)?;
        let after = fresh.document.scene.clone();
        self.history.forget_moments();
        if before != after {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let edit = NotedEdit { label: format!("Reload {name}"), bodies: true, before: None, after: None };
            self.history.edit(edit, None, &before, &after);
        }
        self.run_from_beginning(fresh);
        Ok(())
    }

    /// The differences between the document and its file, after another program has written the file.
    ///
    /// # Errors
    /// Every mistake in the file.
    pub fn conflict(&self) -> Result<Conflict, SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoFile)?;
        let file = open.document.file.as_deref().ok_or(SessionError::NoFile)?;
        let on_disk = scene::read(file).map_err(SessionError::Mistakes)?;
        Ok(Conflict::new(open.document.saved(), &open.document.scene, on_disk.scene, &on_disk.text))
    }

    /// Merges the document with its file.
    pub(super) fn merge(&mut self, conflict: &Conflict, takes: &[bool]) -> Result<(), SessionError> {
        self.diverge();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let before = open.document.scene.clone();
        let after = Arc::new(conflict.merged(&before, takes));
        let next = open.next(&before, &after, self.settings)?;
        let moment = open.go_on(next, &after, false);
        open.document.differs_from((*conflict.theirs).clone(), &conflict.text);
        open.document.set_scene(after.clone());
        self.file_settings = open.document.file_settings();
        if before != after {
            let name = open.document.file.as_ref().and_then(|file| file.file_name()).unwrap_or_default();
            let label = format!("Merge with {}", name.to_string_lossy());
            self.note(label.clone(), true, None, &before, moment);
            self.sync_settings(label, false);
        } else {
            self.write("Merge", false);
        }
        self.generation += 1;
        self.revision += 1;
        self.show_edited_world();
        Ok(())
    }
}
