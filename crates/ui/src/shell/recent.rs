//! Recently opened files: a submenu, and hits of the finder.

use std::path::{Path, PathBuf};

use egui::{Button, RichText, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    request::Request,
    shell::state::UiState,
    widgets::{icon, named},
};

/// A recent file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recent {
    pub path: PathBuf,
    /// Whether it existed when last checked.
    pub exists: bool,
}

impl Recent {
    /// The file name.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The last two parts of the folder's path.
    pub fn folder(&self) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let names: Vec<_> = folder.iter().rev().take(2).map(|n| n.to_string_lossy()).collect();
        names.into_iter().rev().collect::<Vec<_>>().join("/").replace("//", "/")
    }
}

/// Recent files, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recents {
    list: Vec<Recent>,
}

/// The most files that are kept.
const MAX_FILES: usize = 12;

impl Recents {
    /// The list from its saved form.
    pub fn of(paths: &[PathBuf]) -> Self {
        let mut recents = Self::default();
        paths.iter().take(MAX_FILES).rev().for_each(|path| recents.note(Some(path)));
        recents.check_files();
        recents
    }

    /// Puts a file at the top.
    pub fn note(&mut self, file: Option<&Path>) {
        if let Some(path) = file {
            self.list.retain(|recent| recent.path != path);
            self.list.insert(0, Recent { path: path.into(), exists: true });
            self.list.truncate(MAX_FILES);
        }
    }

    /// Checks which files still exist.
    pub fn check_files(&mut self) {
        for recent in &mut self.list {
            recent.exists = delassus_files::built_in::is_file(&recent.path);
        }
    }

    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The newest first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Recent> {
        self.list.iter()
    }

    /// The paths, to be saved.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.list.iter().map(|recent| recent.path.clone()).collect()
    }
}

/// The submenu.
pub fn menu(ui: &mut Ui, state: &mut UiState, out: &mut Vec<Request>) {
    let title = (icon(Icon::History), "Open recent");
    let response = ui.menu_button(title, |ui| {
        ui.set_min_width(260.0);
        ui.spacing_mut().item_spacing.y = 1.0;
        if state.recent.list.is_empty() {
            ui.label(RichText::new("No recent files.").weak());
            return;
        }
        for recent in state.recent.iter() {
            let button = Button::new((icon(Icon::FileBox), recent.name()))
                .right_text(RichText::new(recent.folder()).small().weak())
                .min_size(vec2(260.0, 0.0));
            let whole = recent.path.display().to_string();
            let response = named(ui.add_enabled(recent.exists, button), &recent.name());
            let gone = format!("{whole} is no longer there");
            if response.on_hover_text(whole).on_disabled_hover_text(gone).clicked() {
                out.push(Request::Open(recent.path.clone()));
                ui.close();
            }
        }
        ui.separator();
        let clear = Button::new((icon(Icon::X), "Clear this list")).min_size(vec2(260.0, 0.0));
        if named(ui.add(clear), "Clear this list").clicked() {
            state.recent.clear();
            ui.close();
        }
    });
    named(response.response, "Open recent");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_first_once_and_the_oldest_go() {
        let mut recents = Recents::default();
        for i in 0..20 {
            recents.note(Some(Path::new(&format!("folder/{i}.ron"))));
        }
        recents.note(Some(Path::new("folder/15.ron")));
        recents.note(None);
        let paths = recents.paths();
        assert_eq!(paths.len(), MAX_FILES);
        assert_eq!(paths[0], Path::new("folder/15.ron"));
        assert_eq!(paths[1], Path::new("folder/19.ron"));
        let kept = Recents::of(&paths);
        assert_eq!(kept.paths(), paths);
        assert!(kept.iter().all(|recent| !recent.exists), "there are no such files");
        assert_eq!(kept.list[0].folder(), "folder");
    }
}
