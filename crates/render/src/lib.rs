//! The renderer: turns a [`Picture`](picture::Picture) of plain data into pixels.
//!
//! ```text
//! Picture, Camera -> Renderer::prepare -> buffers -> Renderer::draw -> the scene in its rectangle of a surface
//! ```
//!
//! Architecture invariant: nothing here knows the simulation, the session or the panels, which describe what they
//! show as a `Picture`. World frame: Z up, right-handed, metres.

pub mod camera;
pub mod film;
pub mod gpu;
pub mod offscreen;
pub mod palette;
pub mod picture;
pub mod picture_file;
pub mod poses;
mod projection;
pub mod quality;
pub mod renderer;

mod body;
mod buffer;
mod composite;
mod crowd;
mod few_colours;
mod ground;
mod instances;
mod level;
mod mesh;
pub mod orbit_view;
mod overlay;
mod pipeline;
mod shadow;
mod uniforms;
