//! The user's own folders of scenes: added to the library, remembered, and removed from it.

use std::path::Path;

use super::window::App;
use delassus_scene::library::{self, Library};
use delassus_ui::shell::state::LeftTab;

impl App {
    /// Lists the scenes of a folder in the library, now and at later starts.
    pub(super) fn add_folder(&mut self, folder: &Path) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.into());
        let shown = folder.display();
        if !folder.is_dir() {
            let why = if folder.exists() { "this is not a folder" } else { "there is no such folder" };
            return self.show_refusal(format!("{shown}: {why}"));
        }
        let library = Library::of(self.scenes.clone(), library::own_folders(&self.config.folders));
        let same =
            |other: &Path| other.canonicalize().is_ok_and(|other| Ok(other) == folder.canonicalize().map_err(drop));
        if same(&library.root) || library.own.iter().any(|other| same(&other.path)) {
            return self.show_refusal(format!("{shown}: this folder is in the library already"));
        }
        self.config.folders.push(folder.clone());
        self.folders_changed();
        (self.state.left_tab, self.state.panels.left, self.state.panels.hidden) = (LeftTab::Library, true, false);
        self.state.library.reveal = Some(folder.clone());
        self.state.questions.path_field = None;
        self.state.notices.info(format!("The scenes in {} are in the library now.", folder.display()));
    }

    /// Removes a folder from the library. Its files stay.
    pub(super) fn forget_folder(&mut self, folder: &Path) {
        self.config.folders.retain(|known| known != folder);
        self.folders_changed();
    }

    /// Saves the folders at once, and reads the library again.
    fn folders_changed(&mut self) {
        library::remember_folders(&self.config.folders);
        if self.open.is_some() {
            self.config.save_in_background();
        }
        self.refresh_shelf();
    }

    /// Shows why a folder was not added: beneath the path that is being typed, or as a notice.
    fn show_refusal(&mut self, why: String) {
        match &mut self.state.questions.path_field {
            Some(field) => field.error = Some(why),
            None => self.state.notices.refused(why, None),
        }
    }
}
