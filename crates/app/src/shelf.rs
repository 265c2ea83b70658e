//! What the library's folder and the lessons hold, and how they are read.

use std::path::PathBuf;

use delassus_scene::{
    lesson::{self, Lesson},
    library,
};
use delassus_ui::view::Shelf;

/// What is to be read.
pub(super) struct ShelfRequest {
    pub folder: PathBuf,
    /// The user's own lesson.
    pub own: Option<(PathBuf, Lesson)>,
    /// The number of this reading.
    pub turn: u64,
}

/// What was read.
#[derive(Debug)]
pub struct ReadShelf {
    pub(super) shelf: Shelf,
    pub(super) own: Option<Lesson>,
    /// Of two readings, the later one counts.
    pub(super) turn: u64,
}

impl ShelfRequest {
    /// Reads it.
    pub fn made(self) -> ReadShelf {
        let Self { folder, own, turn } = self;
        let mut lessons = lesson::all(&folder);
        // The file may have changed; if it has mistakes now, the last version stays.
        let own = own.map(|(file, lesson)| super::lesson(&file).unwrap_or(lesson));
        lessons.extend(own.clone());
        let shelf = Shelf { entries: library::library(&folder), parts: library::parts(&folder), lessons };
        ReadShelf { shelf, own, turn }
    }
}
