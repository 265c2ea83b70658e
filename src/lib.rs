//! Delassus: an interactive sandbox for rigid-body constraint solvers.
//!
//! ```text
//! scene file -> world -> contacts -> rows -> solver -> integrate -> snapshot -> picture, panels, CSV
//! ```
//!
//! Who depends on whom: `app -> ui, render -> session -> doctor -> scene -> physics` and `app, ui, cli -> opening -> session`, `cli -> verify`,
//! `verify -> scene`, `ui -> lab -> session, doctor, physics`, `ui, cli -> figure`, `render -> gpu -> physics`. Physics knows no file, no GPU and no
//! screen, and cannot fail.

#![allow(clippy::vec_box, reason = "bodies and joints are lent by their boxes: see physics/batches")]

#[cfg(feature = "gui")]
pub mod app;
pub mod cli;
pub mod doctor;
pub mod figure;
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
