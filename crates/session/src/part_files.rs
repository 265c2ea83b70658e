//! The files of the open scene's parts, which other programs may change.

use std::path::PathBuf;

use super::{Session, SessionError};
use delassus_scene as scene;

impl Session {
    /// The files of the scene's parts, and of their parts, each once. Reads the files.
    pub fn part_files(&self) -> Vec<PathBuf> {
        self.open.as_ref().map_or_else(Vec::new, |open| scene::part_files(&open.document.scene, &open.document.base))
    }

    /// Reloads the parts from their files; the document keeps its edits.
    pub(super) fn read_parts(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let next = open.next_with_parts_anew(self.settings)?;
        let scene = open.document.scene.clone();
        open.go_on(next, &scene, true);
        // Stored states were made with the old files.
        open.line.clear();
        self.history.forget_moments();
        self.delete_branches();
        self.write("", false);
        self.generation += 1;
        self.revision += 1;
        self.show_edited_world();
        Ok(())
    }
}
