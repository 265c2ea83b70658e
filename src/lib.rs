//! Delassus: an interactive sandbox for rigid-body constraint solvers.
//!
//! ```text
//! scene file -> world -> contacts -> rows -> solver -> integrate -> snapshot -> picture, panels, CSV
//! ```
//!
//! Dependencies between the modules (docs/architecture.md has the map):
//!
//! ```text
//! cli -> app -> ui -> lab, opening -> session -> doctor -> scene -> physics
//! cli -> verify -> scene        app, ui -> render -> gpu -> physics        app, ui, cli -> figure
//! ```
//!
//! The physics does not depend on files, the GPU or the screen, and it cannot fail.

#![allow(clippy::vec_box, reason = "bodies and joints are lent by their boxes: see physics/batches")]

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
pub mod doctor;
pub mod figure;
mod file_reader;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod lab;
mod new_file;
pub mod opening;
pub mod physics;
#[cfg(feature = "gui")]
pub mod render;
pub mod scene;
pub mod session;
#[cfg(feature = "gui")]
pub mod ui;
pub mod verify;
