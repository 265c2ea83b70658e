//! Building by hand, driven as a user does it.

pub mod editor;
pub mod frames;
pub mod handles;
pub mod live;
pub mod mirror;
pub mod spawn;
