//! Tests of the editor, driven like a user.

pub mod editor;
pub mod frames;
pub mod handles;
pub mod live;
pub mod mirror;
pub mod spawn;
