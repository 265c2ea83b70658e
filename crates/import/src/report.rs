//! What an import changed or left out: each with its line, its element and the reason; equal ones are counted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

/// A place in the text of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The file: 0 is the model's own, others are those that it includes.
    pub file: usize,
    /// Counted from one; zero is the whole file.
    pub line: usize,
}

/// Something that was changed or left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file, if it is not the model's own.
    pub file: Option<String>,
    /// The first line, counted from one; zero if it concerns the whole model.
    pub line: usize,
    /// How many there are.
    pub count: usize,
    /// The element, such as `link arm`, or `<gazebo>`.
    pub element: String,
    /// What was done, and why.
    pub what: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}, ")?;
        }
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{}", self.element)?;
        if self.count > 1 {
            write!(f, " ({} times, first here)", self.count)?;
        }
        write!(f, ": {}", self.what)
    }
}

/// Collects notes while a model is read.
#[derive(Debug, Default)]
pub struct Report {
    notes: RefCell<Vec<(Place, Note)>>,
    /// The number of each note, by its element and its words.
    numbers: RefCell<HashMap<(String, String), usize>>,
}

impl Report {
    /// Adds a note. One with the same element and the same words is counted instead.
    pub fn note(&self, place: Place, element: impl Into<String>, what: impl Into<String>) {
        let key = (element.into(), what.into());
        let mut notes = self.notes.borrow_mut();
        if let Some(number) = self.numbers.borrow().get(&key) {
            let (first, note) = &mut notes[*number];
            note.count += 1;
            *first = place.min(*first);
            return;
        }
        self.numbers.borrow_mut().insert(key.clone(), notes.len());
        let (element, what) = key;
        notes.push((place, Note { file: None, line: 0, count: 1, element, what }));
    }

    /// The notes in the order of the text. `files` are the names of the files by their numbers.
    pub fn into_notes(self, files: &[String]) -> Vec<Note> {
        let mut notes = self.notes.into_inner();
        notes.sort_by_key(|(place, _)| *place);
        let named = |(place, note): (Place, Note)| Note {
            file: files.get(place.file).filter(|_| place.file > 0).cloned(),
            line: place.line,
            ..note
        };
        notes.into_iter().map(named).collect()
    }
}
