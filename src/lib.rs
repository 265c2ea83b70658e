//! Delassus: an interactive sandbox for rigid-body constraint solvers.
//!
//! ```text
//! scene file -> world -> contacts -> rows -> solver -> integrate -> snapshot -> picture, panels, CSV
//! ```
//!
//! The program and its command line are here. Everything else is in crates of its own (docs/architecture.md has the
//! map):
//!
//! ```text
//! cli -> app -> ui -> lab, launch -> session -> doctor -> scene -> physics
//! cli -> analysis -> doctor
//! cli -> verify -> scene        app, ui -> render -> gpu -> physics        app, ui, cli -> figure
//! ```

pub mod cli;

pub use delassus_analysis as analysis;
#[cfg(feature = "gui")]
pub use delassus_app as app;
pub use delassus_doctor as doctor;
pub use delassus_figure as figure;
#[cfg(feature = "gpu")]
pub use delassus_gpu as gpu;
pub use delassus_lab as lab;
pub use delassus_launch as launch;
pub use delassus_licences as licences;
pub use delassus_physics as physics;
#[cfg(feature = "gui")]
pub use delassus_render as render;
pub use delassus_scene as scene;
pub use delassus_session as session;
#[cfg(feature = "gui")]
pub use delassus_ui as ui;
pub use delassus_verify as verify;
