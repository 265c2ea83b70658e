//! Collects mistakes, and finds their position in the text from their place in the document.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use super::mistake::{Mistake, Slip, one_line};
use super::outline::{self, Member, Span};

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
    fn find(&self, text: &str, members: &mut Members, unread: &[(String, usize)]) -> Result<Span, Span> {
        let (inside, found) = match self {
            Self::Root => return Ok(members.root.clone()),
            Self::Field(parent, name) => {
                let inside = parent.find(text, members, unread)?;
                let found = members.of(text, &inside).iter().find(|m| m.name(text) == *name).cloned();
                (inside, found)
            }
            Self::Item(parent, index) => {
                let mut index = *index;
                if let DocPath::Field(DocPath::Root, list) = parent {
                    let before = unread.iter().filter(|(name, _)| name == list);
                    index = before.fold(index, |index, (_, gap)| index + usize::from(*gap <= index));
                }
                let inside = parent.find(text, members, unread)?;
                let found = members.of(text, &inside).get(index).cloned();
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

/// The members of the brackets in which mistakes were found, so that a long list is not scanned for each of them.
#[derive(Debug)]
struct Members {
    /// The span of the text's value.
    root: Span,
    /// By the start of the bracket.
    known: HashMap<usize, Vec<Member>>,
}

impl Members {
    fn of(&mut self, text: &str, bracket: &Span) -> &[Member] {
        self.known.entry(bracket.start).or_insert_with(|| outline::members(text, bracket))
    }
}

/// The mistakes of a file.
#[derive(Debug)]
pub struct Report<'a> {
    pub file: &'a Path,
    /// Without a text, mistakes have a path but no line.
    pub text: Option<&'a str>,
    /// Computed on demand, and `None` inside if the text has no value.
    members: OnceCell<Option<Members>>,
    /// The byte at which each line of the text starts.
    lines: OnceCell<Vec<usize>>,
    /// Elements that could not be read: the list's name and the index in the text, in order.
    pub unread: Vec<(String, usize)>,
    pub mistakes: Vec<Mistake>,
}

impl<'a> Report<'a> {
    pub fn new(file: &'a Path, text: Option<&'a str>) -> Self {
        Self { file, text, members: OnceCell::new(), lines: OnceCell::new(), unread: Vec::new(), mistakes: Vec::new() }
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
        let read = |text| Some(Members { root: outline::document(text).ok()?, known: HashMap::new() });
        self.members.get_or_init(|| self.text.and_then(read));
        match (self.text, self.members.get_mut().and_then(Option::as_mut)) {
            (Some(text), Some(members)) => {
                let at = place.find(text, members, &self.unread).unwrap_or_else(|around| around).start;
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
        let (line, column) = self.text.map_or((0, 0), |text| {
            let starts = || std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
            let lines: &Vec<usize> = self.lines.get_or_init(starts);
            let before = lines.partition_point(|start| *start <= at).max(1) - 1;
            let start = lines.get(before).copied().unwrap_or_default();
            let (_, column) = outline::position(text.get(start..).unwrap_or_default(), at.saturating_sub(start));
            (before + 1, column)
        });
        let mistake = Mistake { file: self.file.into(), line, column, place, what: one_line(&what), unknown };
        // A part placed several times reports its mistakes once.
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }
}
