//! The library's scenes: they are read, run and checked as a whole.

mod agreement;
mod claims;
mod errata_scenes;
mod every_scene;
mod files;
mod lanes;
mod plan;
mod posed;
