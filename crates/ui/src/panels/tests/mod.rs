//! The panels, driven as by a user, without a display: by the names of the controls.

pub mod algebra;
mod analyse;
pub mod angles;
mod background_trace;
pub mod claims;
pub mod compare;
pub mod events;
mod exercise;
mod explained;
pub mod inspector;
pub mod joint;
pub mod laboratory;
pub mod lesson;
mod lesson_mode;
mod library;
pub mod linear;
pub mod organise;
pub mod panels;
pub mod parity;
pub mod plots;
mod pose;
pub mod probe;
pub mod scene;
mod springs;
pub mod timeline;
mod typed;
