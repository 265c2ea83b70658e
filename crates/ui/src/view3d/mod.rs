//! The picture of the world: bodies, joints, contacts and forces, overlays, and the camera.

mod axes_drawing;
mod body_drawing;
mod coupling_drawing;
pub mod force_drawing;
mod inertia_drawing;
mod joint_drawing;
mod joint_held;
pub mod joint_shape;
pub mod labels;
pub mod legend;
pub mod motion;
pub mod over_picture;
pub mod overlays;
pub mod picture_builder;
pub mod placing;
pub mod preview;
pub mod rays;
pub mod readout;
mod room;
mod sense_drawing;
mod sensor_card;
pub mod viewport;
pub mod visibility;

use glam::{Vec2, Vec3};

use delassus_render::camera::Camera;

/// The view's memory.
pub struct View3d {
    pub camera: Camera,
    pub overlays: overlays::Overlays,
    /// What is hidden and locked.
    pub visibility: visibility::Visibility,
    /// The view's rectangle, points; zero before the first layout.
    pub rect: egui::Rect,
    /// The last pointer position over the view, in the view's points.
    pub pointer: Option<Vec2>,
    pub drag: Drag,
    /// The preview of gestures.
    pub preview: preview::Preview,
    /// Newtons that a force arrow of one metre stands for.
    pub newtons_a_metre: f32,
    /// The free motion of a mechanism that is shown.
    pub motion: Option<motion::ShownMotion>,
    /// A pause was requested and comes with the next frame.
    pub motion_waits: bool,
    /// Something is animated, so that another frame is needed.
    pub animating: bool,
}

impl Default for View3d {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            overlays: overlays::Overlays::default(),
            visibility: visibility::Visibility::default(),
            rect: egui::Rect::ZERO,
            pointer: None,
            drag: Drag::Nothing,
            preview: preview::Preview::default(),
            newtons_a_metre: 20.0,
            motion: None,
            motion_waits: false,
            animating: false,
        }
    }
}

/// What the pressed mouse button is doing in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drag {
    #[default]
    Nothing,
    Orbit,
    Pan,
    Look,
    /// A rectangle from this point of the view, in points.
    Box(Vec2),
    /// A body pulled at `local`; the target moves in the plane through `at` that faces the camera.
    Pull {
        body: u32,
        local: Vec3,
        at: Vec3,
    },
}

#[cfg(test)]
pub mod tests;
