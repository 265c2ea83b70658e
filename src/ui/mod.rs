//! The interface, in rooms. Its panels are shown a [`View`] of plain data, remember what is theirs, and answer with
//! [`Request`]s; only the application carries them out.
//!
//! ```text
//! View, UiState -> shell::show -> Vec<Request>          Snapshot, Overlays -> view3d::PictureBuilder -> render::Picture
//! ```
//!
//! Each room knows those above it in this list and none below:
//!
//! - [`view`], [`request`], [`selection`], [`notices`]: what all have in common, that is what is shown, asked for,
//!   selected and told.
//! - [`widgets`]: controls, colours, numbers, angles and names in words, which every room draws with.
//! - [`view3d`]: the picture of the world, what lies over it, the pointer's camera and [`view3d::View3d`], its memory.
//! - [`editor`]: building by hand; `tools` for what the hand does in the view, `form` for the fields of an entry,
//!   `snap` for where things come to lie. Its tools work with [`editor::Hands`].
//! - [`panels`]: what stands in the docks, each with a memory of its own: library, outliner, switches, inspector,
//!   doctor, guide, history, plots.
//! - [`shell`]: the window's frame: layout, bars, commands and keys, questions, notices, the tour; [`UiState`] holds
//!   the memory of all.

pub mod editor;
pub mod notices;
pub mod panels;
pub mod request;
pub mod selection;
pub mod shell;
pub mod view;
pub mod view3d;
pub mod widgets;

pub use request::Request;
pub use selection::Selection;
pub use shell::show;
pub use shell::state::{LeftTab, RightTab, UiState};
pub use view::View;

#[cfg(test)]
mod bench;
