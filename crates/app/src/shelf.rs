//! Reads the library's folders and the lessons, for the panels that list them.

use std::path::PathBuf;

use delassus_scene::{
    lesson::Lesson,
    library::{Library, OwnFolder},
};
use delassus_ui::view::{Shelf, ShelfFolder};

/// A request to read the shelf.
pub(super) struct ShelfRequest {
    /// The folder of the program's library.
    pub root: PathBuf,
    /// The user's own folders.
    pub folders: Vec<OwnFolder>,
    /// The user's own lesson.
    pub own: Option<(PathBuf, Lesson)>,
    /// The number of this request.
    pub number: u64,
}

/// The shelf as it was read.
#[derive(Debug)]
pub struct ReadShelf {
    pub(super) shelf: Shelf,
    pub(super) own: Option<Lesson>,
    /// The number of the request. The result of an older request is dropped.
    pub(super) number: u64,
}

impl ShelfRequest {
    /// Reads the shelf.
    pub fn read(self) -> ReadShelf {
        let Self { root, folders, own, number } = self;
        let library = Library::of(root, folders.clone());
        let mut lessons = library.lessons();
        // The file may have changed; if it has mistakes now, the last version stays.
        let own = own.map(|(file, lesson)| super::lesson(&file).unwrap_or(lesson));
        lessons.extend(own.clone());
        // A folder that was added under two paths is shown once. A folder that no longer exists is shown, so that it
        // can be removed.
        let shown = |folder: OwnFolder| {
            let exists = library.own.contains(&folder);
            (exists || !folder.path.is_dir()).then_some(ShelfFolder { folder, exists })
        };
        let folders = folders.into_iter().filter_map(shown).collect();
        let shelf = Shelf { entries: library.entries(), folders, parts: library.parts(), lessons };
        ReadShelf { shelf, own, number }
    }
}
