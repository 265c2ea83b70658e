//! The files of the open scene's parts, which other programs may write meanwhile.

use std::path::PathBuf;

use super::{Session, SessionError};
use crate::scene;

impl Session {
    /// The files that the scene's parts come from, and the parts of these, each once. Reads them.
    pub fn part_files(&self) -> Vec<PathBuf> {
        self.open.as_ref().map_or_else(Vec::new, |open| scene::part_files(&open.document.scene, &open.document.base))
    }

    /// Makes the parts anew from their files; the document stays as it is, with whatever was edited.
    pub(super) fn read_parts(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let next = open.next_with_parts_anew(self.settings)?;
        let scene = open.document.scene.clone();
        open.go_on(next, &scene, true);
        // What was before is of other files.
        open.line.clear();
        self.history.forget_moments();
        self.forget_futures();
        self.write("", false);
        self.generation += 1;
        self.revision += 1;
        self.show_edited_world();
        Ok(())
    }
}
