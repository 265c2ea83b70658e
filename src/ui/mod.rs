//! The interface, in rooms. Its panels are shown a [`View`] of plain data, remember what is theirs, and answer with
//! [`Request`]s; only the application carries them out.
//!
//! ```text
//! View, UiState -> shell::show -> Vec<Request>          Snapshot, Overlays -> view3d::stage::Stage -> render::Picture
//! ```
//!
//! | room | what is in it |
//! |---|---|
//! | [`widgets`] | controls, colours, numbers and angles in words: what every room draws with |
//! | [`panels`] | what stands in the docks: library, outliner, switches, inspector, doctor, guide, history, plots |
//! | [`view3d`] | the picture of the world, what lies over it, and the camera |
//! | [`editor`] | building by hand: `tools` for what the hand does in the view, `form` for the fields of an entry, `snap` for where things come to lie |
//! | [`shell`] | the window's frame: layout, bars, commands and keys, questions, notices, the tour |

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
