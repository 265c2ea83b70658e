//! A mistake in a scene: one line that says where, what is wrong and what was expected.

use std::fmt;
use std::path::PathBuf;

/// What is wrong with a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The file, or a name for a text that has none; empty for a scene that was never written.
    pub file: PathBuf,
    /// Counted from one, in lines and characters; zero if the scene has no text.
    pub line: usize,
    pub column: usize,
    /// The place in the document, such as `bodies[2].shape`; empty for the whole.
    pub place: String,
    /// What is wrong and what was expected.
    pub what: String,
}

impl fmt::Display for Mistake {
    /// `file:line:column: what`, or `place: what` without a text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}:{}: {}", self.file.display(), self.line, self.column, self.what)
        } else if !self.file.as_os_str().is_empty() {
            write!(f, "{}: {}", self.file.display(), self.what)
        } else if self.place.is_empty() {
            write!(f, "{}", self.what)
        } else {
            write!(f, "{}: {}", self.place, self.what)
        }
    }
}

impl std::error::Error for Mistake {}
