//! The physics core. It knows no file, no GPU and no screen, and it cannot fail: whatever can go wrong in a scene is
//! refused before a [`world::World`] is made of it.

#[macro_use]
pub mod setting;
pub mod settings;

pub mod angle;
pub mod joints;
pub mod parts;
pub mod row;
pub mod shape;
