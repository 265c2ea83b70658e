//! The tools in the view: spawn, move, join, mirror, drag a stop.

pub mod arrange;
mod beside;
pub mod clipboard;
pub mod extent;
pub mod gesture;
pub mod grab;
pub mod handles;
pub mod held_frame;
mod hulls;
pub mod joining;
pub mod merging;
pub mod mirror;
pub mod scaling;
pub mod spawn;
mod spawn_strip;
pub mod starters;
pub mod stencils;
pub mod stock;
pub mod stop;
pub mod stop_drag;
pub mod strip;
pub mod world_ends;
