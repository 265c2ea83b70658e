//! How the widgets look.

pub mod colors;
