//! Drawing and framing.

pub mod framing;
pub mod motion;
