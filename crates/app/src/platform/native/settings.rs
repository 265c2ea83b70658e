//! The user's folders: that of the settings, and that of documents.

use std::path::{Path, PathBuf};

/// The folder that `DELASSUS_CONFIG` names, else the user's own; `None` if there is neither.
pub(crate) fn config_folder() -> Option<PathBuf> {
    match std::env::var_os("DELASSUS_CONFIG").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Some(directories::ProjectDirs::from("", "", "delassus")?.config_dir().to_owned()),
    }
}

/// The folder below which unsaved work is kept: that of the settings.
pub(crate) fn recovery_folder() -> Option<PathBuf> {
    config_folder()
}

/// The user's documents folder, or the home folder.
pub(crate) fn documents() -> PathBuf {
    let user = directories::UserDirs::new();
    let folder = user.as_ref().map(|user| user.document_dir().unwrap_or(user.home_dir()));
    folder.map(Path::to_path_buf).unwrap_or_default()
}
