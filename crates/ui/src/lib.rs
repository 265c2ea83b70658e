//! The interface, in rooms. Its panels read a [`View`] of plain data, keep their own state, and answer with
//! [`Request`]s, which only the application carries out.
//!
//! ```text
//! View, UiState -> shell::show -> Vec<Request>
//! Snapshot, overlays -> view3d::picture_builder::PictureBuilder -> render::picture::Picture
//! ```
//!
//! Each room imports only from those above it in this list:
//!
//! - [`view`], [`request`], [`selection`], [`notices`]: shared by all: the data that is shown, requests, the
//!   selection, messages to the user.
//! - [`widgets`]: controls, colours, numbers, angles and names in words, used by every room.
//! - [`view3d`]: the picture of the world, the overlays, the camera, and [`view3d::View3d`], its memory.
//! - [`editor`]: building by hand: `tools` are the tools in the view, `form` the fields of an entry, `snap` finds the
//!   places that things snap to. The tools work with [`editor::Hands`].
//! - [`panels`]: the panels in the docks, each with a memory of its own: library, outliner, switches, inspector,
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
