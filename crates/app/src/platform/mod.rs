//! What differs between the desktop and the browser, and nothing else does: the window and its device, the event loop,
//! file dialogs, the clipboard for pictures, and where the settings are kept. Both sides have the same names.
//!
//! ```text
//! native    a window of the system, its events by winit, threads, files of the disk
//! web       a canvas of a page, its events by eframe, one thread, files in memory that are opened and downloaded
//! ```

#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(target_arch = "wasm32")]
mod web;

#[cfg(not(target_arch = "wasm32"))]
pub use native::*;
#[cfg(target_arch = "wasm32")]
pub use web::*;
