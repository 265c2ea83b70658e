//! The document's file: read, saved, and the run's state as a scene of its own.

use std::path::Path;
use std::sync::Arc;

use super::document::edit::keep_pose;
use super::open::OpenScene;
use super::{Session, SessionError};
use delassus_files::built_in;

impl Session {
    pub(super) fn read(&mut self, path: &Path) -> Result<(), SessionError> {
        self.install(OpenScene::read(path)?);
        Ok(())
    }

    pub(super) fn save(&mut self, path: &Path) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let renaming = open.document.renames_parts(path).then(|| {
            let folder = path.parent().unwrap_or(Path::new(""));
            open.document.renaming(folder)
        });
        let made_from_it = Arc::ptr_eq(&open.made_from, &open.document.scene);
        open.document.save(path)?;
        if let Some(rename) = renaming {
            // References in stored documents must be resolved from the new folder too.
            self.history.rename(&rename);
            open.line.rename(&rename);
            self.branches.rename(&rename);
            if made_from_it {
                open.made_from = open.document.scene.clone();
            } else {
                rename(Arc::make_mut(&mut open.made_from));
            }
        }
        self.file_settings = open.document.file_settings();
        self.history.end_drag();
        Ok(())
    }

    pub(super) fn export(&self, path: &Path) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if open.document.file.as_deref().is_some_and(|file| same_file(file, path)) {
            let what = "that is the open scene's own file: choose another, or keep this pose and save";
            return Err(SessionError::Refused(what.into()));
        }
        let scene = keep_pose::exported(open);
        // A state that cannot be read as a scene (for example, not finite) is refused.
        delassus_scene::expand(&scene, &open.document.base).map_err(SessionError::Mistakes)?;
        open.document.with(scene).save(path)
    }
}

/// Whether two paths refer to the same existing file.
fn same_file(a: &Path, b: &Path) -> bool {
    built_in::canonical(a).is_some_and(|a| built_in::canonical(b) == Some(a))
}
