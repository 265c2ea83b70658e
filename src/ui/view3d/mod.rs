//! The picture of the world: what is drawn of bodies, joints, contacts and forces, what lies over it, and how the camera
//! is moved.

mod force_drawing;
mod joint_drawing;
mod joint_held;
pub mod joint_shape;
pub mod motion;
pub mod over_picture;
pub mod overlays;
pub mod placing;
pub mod readout;
pub mod stage;
pub mod veil;
pub mod viewport;

#[cfg(test)]
pub mod tests;
