//! The scene created by the command New.

use std::path::PathBuf;

use glam::Vec3;

use super::expand::expand;
use super::read::Loaded;
use super::types::{Body, CameraDoc, Motion, Scene};
use delassus_physics::shape::Shape;

/// A floor with its top at z = 0 m, and nothing on it.
pub fn blank() -> Loaded {
    let half = Vec3::new(20.0, 20.0, 0.5);
    let floor = Body { motion: Motion::Static, ..Body::new("floor", Shape::Box { half }, Vec3::new(0.0, 0.0, -0.5)) };
    let camera = CameraDoc { eye: Vec3::new(5.0, -8.0, 4.5), target: Vec3::new(0.0, 0.0, 0.8) };
    let scene = Scene { camera, title: "Untitled".into(), bodies: [floor].into_iter().collect(), ..Scene::default() };
    let base = PathBuf::new();
    let flat = expand(&scene, &base).unwrap_or_default();
    Loaded { scene, text: String::new(), base, flat }
}
