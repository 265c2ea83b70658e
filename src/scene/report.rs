//! Collects mistakes, and finds their position in the text from their place in the document.

use std::cell::OnceCell;
use std::fmt;
use std::path::Path;

use super::mistake::{Mistake, Slip, one_line};
use super::outline::{self, Span};

/// Maximum number of mistakes that are listed.
pub const MAX_MISTAKES: usize = 100;

/// A path in the document, as a linked list on the stack: `bodies[2].shape`.
#[derive(Debug, Clone, Copy)]
pub enum DocPath<'a> {
    Root,
    Field(&'a DocPath<'a>, &'a str),
    Item(&'a DocPath<'a>, usize),
}

impl<'a> DocPath<'a> {
    /// The path of a field of this value.
    pub fn field(&'a self, name: &'a str) -> Self {
        Self::Field(self, name)
    }

    /// The path of an element of this list.
    pub fn item(&'a self, index: usize) -> Self {
        Self::Item(self, index)
    }

    /// The span of the value in the text, or of the enclosing value if it was left out. `unread` lists the elements
    /// that are in the text but could not be read.
    fn find(&self, text: &str, root: &Span, unread: &[(String, usize)]) -> Result<Span, Span> {
        let (inside, found) = match self {
            Self::Root => return Ok(root.clone()),
            Self::Field(parent, name) => {
                let inside = parent.find(text, root, unread)?;
                let mut members = outline::members(text, &inside).into_iter();
                let found = members.find(|m| m.name(text) == *name);
                (inside, found)
            }
            Self::Item(parent, index) => {
                let mut index = *index;
                if let DocPath::Field(DocPath::Root, list) = parent {
                    let before = unread.iter().filter(|(name, _)| name == list);
                    index = before.fold(index, |index, (_, gap)| index + usize::from(*gap <= index));
                }
                let inside = parent.find(text, root, unread)?;
                let found = outline::members(text, &inside).into_iter().nth(index);
                (inside, found)
            }
        };
        found.map(|m| m.value).ok_or(inside)
    }
}

impl fmt::Display for DocPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(DocPath::Root, name) => write!(f, "{name}"),
            Self::Field(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// The mistakes of a file.
#[derive(Debug)]
pub struct Report<'a> {
    pub file: &'a Path,
    /// Without a text, mistakes have a path but no line.
    pub text: Option<&'a str>,
    /// The span of the text's value, computed on demand.
    root: OnceCell<Option<Span>>,
    /// Elements that could not be read: the list's name and the index in the text, in order.
    pub unread: Vec<(String, usize)>,
    pub mistakes: Vec<Mistake>,
}

impl<'a> Report<'a> {
    pub fn new(file: &'a Path, text: Option<&'a str>) -> Self {
        Self { file, text, root: OnceCell::new(), unread: Vec::new(), mistakes: Vec::new() }
    }

    /// Whether the maximum number of mistakes is reached.
    pub fn full(&self) -> bool {
        self.mistakes.len() >= MAX_MISTAKES
    }

    /// Adds a mistake at a path in the document.
    pub fn add(&mut self, place: &DocPath, what: impl Into<String>) {
        if self.full() {
            return;
        }
        let root = self.root.get_or_init(|| self.text.and_then(|text| outline::document(text).ok()));
        match (self.text, root) {
            (Some(text), Some(root)) => {
                let at = place.find(text, root, &self.unread).unwrap_or_else(|around| around).start;
                self.push(Slip::new(at, what), place.to_string());
            }
            _ => self.push(Slip::new(0, what), place.to_string()),
        }
    }

    /// Adds a mistake at a byte of the text.
    pub fn add_at(&mut self, at: usize, what: impl Into<String>) {
        self.slip(Slip::new(at, what));
    }

    /// Adds a mistake found in the text.
    pub fn slip(&mut self, slip: Slip) {
        if !self.full() {
            self.push(slip, String::new());
        }
    }

    /// Adds the mistakes of another file.
    pub fn adopt(&mut self, mistakes: Vec<Mistake>) {
        for mistake in mistakes {
            if !self.full() && !self.mistakes.contains(&mistake) {
                self.mistakes.push(mistake);
            }
        }
    }

    fn push(&mut self, Slip { at, what, unknown }: Slip, place: String) {
        let (line, column) = self.text.map_or((0, 0), |text| outline::position(text, at));
        let mistake = Mistake { file: self.file.into(), line, column, place, what: one_line(&what), unknown };
        // A part placed several times reports its mistakes once.
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }
}
