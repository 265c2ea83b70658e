//! The left dock: the scene library as a tree by source and chapter, and the open scene's experiments as cards.

use std::path::{Path, PathBuf};

use egui::{Align, CollapsingHeader, Frame, Margin, RichText, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    panels::{experiment_cards, library_headings},
    request::Request,
    view::{View, file_name, is_same},
    widgets::{self, named, search_field, theme},
};
use delassus_scene::{library::LibraryEntry, sources};

/// The chapter that the file's name starts with, if any.
fn chapter(entry: &LibraryEntry) -> String {
    file_name(entry).chars().take_while(char::is_ascii_digit).collect()
}

/// The folders of the program's library in the order in which they are listed, with their titles. Others follow.
const FOLDERS: [(&str, &str); 10] = [
    ("", "Scenes"),
    ("book", "The book"),
    ("rows", "Rows, one by one"),
    ("jacobi", "Jacobi"),
    ("contact2d", "Contact in a plane"),
    ("admc", "Momentum and energy"),
    ("errata", "Errata, as printed"),
    ("machines", "Machines"),
    ("lab", "The lab"),
    ("arena", "The arena"),
];

/// The title of a folder of the library.
fn folder_title(folder: &str) -> &str {
    FOLDERS.iter().find(|(name, _)| *name == folder).map_or(folder, |(_, title)| title)
}

/// Its place in the list.
fn folder_rank(folder: &str) -> usize {
    FOLDERS.iter().position(|(name, _)| *name == folder).unwrap_or(FOLDERS.len())
}

/// The library's memory.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub search: String,
    /// The user's folder to scroll to, as soon as it has been read.
    pub reveal: Option<PathBuf>,
}

/// Draws the dock.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Library, out: &mut Vec<Request>) {
    // The experiments take the lower part, at most about half.
    let experiments = !view.scene.experiments.is_empty();
    if experiments {
        let max_height = ui.available_height() * 0.55;
        egui::Panel::bottom("experiments")
            .resizable(true)
            .frame(Frame::new().inner_margin(Margin { left: 10, right: 4, top: 6, bottom: 8 }))
            .default_size(max_height.min(78.0 + 62.0 * view.scene.experiments.len() as f32))
            .size_range(90.0..=max_height.max(100.0))
            .show(ui, |ui| experiment_cards::list(ui, view, out));
    }
    Frame::new().inner_margin(Margin { left: 10, right: 4, top: 8, bottom: 4 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let size = vec2(ui.available_width() - 36.0, theme::ROW_HEIGHT);
            ui.allocate_ui(size, |ui| search_field(ui, &mut state.search, "Search the library"));
            library_headings::add_button(ui, out);
        });
        ui.add_space(2.0);
        tree(ui, view, state, out);
    });
}

fn tree(ui: &mut Ui, view: &View<'_>, Library { search, reveal }: &mut Library, out: &mut Vec<Request>) {
    if view.shelf.entries.is_empty() && view.shelf.folders.is_empty() {
        widgets::empty(ui, Icon::Library, "No library was found.\nDrop a scene here,\nor open one with Ctrl+O.");
        return;
    }
    let searching = !search.trim().is_empty();
    let found = view.shelf.matching(search);
    if found.is_empty() && searching {
        widgets::empty(ui, Icon::SearchX, "No scene matches.");
        return;
    }
    widgets::scroll(ui, "library", |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let entries_of = |folder: Option<&Path>| -> Vec<&LibraryEntry> {
            let mut entries: Vec<_> = found.iter().copied().filter(|entry| entry.own.as_deref() == folder).collect();
            entries.sort_by_key(|entry| folder_rank(entry.folder()));
            entries
        };
        for shown in &view.shelf.folders {
            let entries = entries_of(Some(&shown.folder.path));
            if searching && entries.is_empty() {
                continue;
            }
            let heading = library_headings::own(ui, shown, entries.is_empty(), out);
            if reveal.take_if(|folder| *folder == shown.folder.path).is_some() {
                heading.scroll_to_me(Some(Align::TOP));
            }
            groups(ui, &entries, searching, view, out);
        }
        let entries = entries_of(None);
        // Without folders of the user it goes without saying.
        if let Some(first) = entries.first().filter(|_| !view.shelf.folders.is_empty()) {
            library_headings::program(ui, &first.place());
        }
        groups(ui, &entries, searching, view, out);
    });
}

/// The scenes of one library, by its folders.
fn groups(ui: &mut Ui, entries: &[&LibraryEntry], searching: bool, view: &View<'_>, out: &mut Vec<Request>) {
    let mut rest = entries;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|e| e.folder() == first.folder()).count();
        let (folder, others) = rest.split_at(count);
        rest = others;
        let title = RichText::new(folder_title(first.folder())).strong();
        CollapsingHeader::new(title)
            .id_salt((&first.own, first.folder()))
            .default_open(true)
            .open(searching.then_some(true))
            .show(ui, |ui| folder.iter().for_each(|entry| row(ui, entry, view, out)));
        ui.add_space(4.0);
    }
}

fn row(ui: &mut Ui, entry: &LibraryEntry, view: &View<'_>, out: &mut Vec<Request>) {
    let open = view.path.is_some_and(|path| is_same(path, &entry.path));
    let chapter = chapter(entry);
    let colors = theme::colors(ui.visuals());
    let title = if open { RichText::new(&entry.title).color(colors.strong) } else { RichText::new(&entry.title) };
    let lead = if chapter.is_empty() { "·".to_owned() } else { chapter };
    // A file that cannot be read is marked.
    let lead = if entry.mistake.is_some() {
        widgets::icon_sized(Icon::TriangleAlert, 13.0).color(colors.bad)
    } else {
        RichText::new(format!("{lead:>2}")).monospace().color(theme::weak_on(open, colors))
    };
    let button = egui::Button::selectable(open, widgets::lead(lead, title))
        .truncate()
        .min_size(egui::vec2(ui.available_width() - 6.0, theme::ROW_HEIGHT));
    let response = named(ui.add(button), &entry.title);
    if response.clicked() && !open {
        out.push(Request::Open(entry.path.clone()));
    }
    // Scrolls to the open scene once, however it was opened.
    let shown = egui::Id::unique("shown in the library");
    if open && ui.data(|data| data.get_temp::<std::path::PathBuf>(shown)).as_ref() != Some(&entry.path) {
        response.scroll_to_me(Some(Align::Center));
        ui.data_mut(|data| data.insert_temp(shown, entry.path.clone()));
    }
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(&entry.title).strong());
        if !entry.source.is_empty() {
            ui.label(&entry.source);
            for title in sources::titles(&entry.source) {
                ui.label(RichText::new(title).small().weak());
            }
        }
        if !entry.about.is_empty() {
            ui.set_max_width(360.0);
            ui.label(RichText::new(&entry.about).weak());
        }
        if let Some(mistake) = &entry.mistake {
            ui.label(RichText::new(mistake).color(theme::colors(ui.visuals()).bad));
        }
        // The path of a scene of the program begins with `built-in:`.
        ui.label(RichText::new(entry.path.display().to_string()).small().weak());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Shelf;

    fn shelf() -> Shelf {
        let entry = |id: &str, title: &str, source: &str| LibraryEntry {
            path: format!("{id}.ron").into(),
            id: id.into(),
            title: title.into(),
            source: source.into(),
            about: String::new(),
            experiments: Vec::new(),
            mistake: None,
            own: None,
        };
        Shelf {
            entries: vec![
                entry("book/09-chain", "The chain", "004 ch. 9"),
                entry("book/12-stack", "The stack", "004 ch. 12"),
                entry("lab/pyramid-20", "Pyramid of 210 boxes", "ours"),
            ],
            ..Shelf::default()
        }
    }

    #[test]
    fn every_word_has_to_match_somewhere() {
        let shelf = shelf();
        let titles = |search: &str| shelf.matching(search).iter().map(|e| e.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles("CHAIN"), ["The chain"]);
        assert_eq!(titles("the 004"), ["The chain", "The stack"]);
        assert_eq!(titles("pyramid-20"), ["Pyramid of 210 boxes"]);
        assert!(titles("chain lab").is_empty());
        assert_eq!(titles("  ").len(), 3);
    }

    #[test]
    fn neighbours_go_round() {
        let shelf = shelf();
        let at = |path: &str, by| shelf.neighbour(Some(Path::new(path)), by);
        assert_eq!(at("book/09-chain.ron", 1), Some("book/12-stack.ron".into()));
        assert_eq!(at("book/09-chain.ron", -1), Some("lab/pyramid-20.ron".into()));
        assert_eq!(at("elsewhere.ron", 1), Some("book/09-chain.ron".into()));
        assert_eq!(Shelf::default().neighbour(None, 1), None);
    }
}
