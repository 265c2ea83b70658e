//! The window: handles events, draws, and carries out the panels' requests.
//!
//! ```text
//! winit event -> egui input -> Session::advance -> ui::show -> requests -> Session::dispatch
//!                                              -> ui::picture -> render -> surface
//! ```

// Some of what only a window of the system needs is compiled for the page, too.
#![cfg_attr(target_arch = "wasm32", allow(dead_code))]

mod config;
mod device_poses;
mod dialog;
mod file_watch;
mod files;
mod film_steps;
mod filming;
mod folders;
mod frame;
mod labels;
mod layout_dump;
mod models;
mod placed;
mod platform;
mod recovered;
mod recovery;
mod requests;
mod scenes;
mod sharing;
mod shelf;
mod shelf_reading;
mod views;
mod window;

pub use filming::plots_height;
#[cfg(target_arch = "wasm32")]
pub use platform::Look;
pub use platform::run;

use std::path::{Path, PathBuf};

use glam::Vec3;
use thiserror::Error;

use delassus_launch::LaunchOptions;
use delassus_render::{
    self,
    camera::Camera,
    gpu::{Gpu, GpuError},
    orbit_view::{AxisView, OrbitView},
};
use delassus_scene::{
    CameraDoc, Mistake,
    lesson::{self, Lesson},
};
use delassus_session::Session;
use delassus_ui::{
    self,
    view3d::{overlays::Overlays, picture_builder, placing, visibility::Visibility},
};

/// Why there is no window; each message is a sentence for the user.
#[derive(Debug, Error)]
pub enum AppError {
    #[error(
        "No display was found, so no window can be opened; run inside a graphical session, or use `delassus run` and \
         `delassus render`, which need none (on Debian a window needs the packages libx11-6, libx11-xcb1, libxcursor1, \
         libxi6, libxkbcommon-x11-0 and libwayland-client0). The system says: {0}"
    )]
    NoDisplay(String),
    #[error("The window cannot be opened: {0}")]
    NoWindow(String),
    #[error(
        "No graphics driver can draw on this display; on Debian install the packages libvulkan1 and \
         mesa-vulkan-drivers (software rendering is enough). The driver says: {0}"
    )]
    NoDriver(String),
    #[error(transparent)]
    Gpu(GpuError),
}

impl From<GpuError> for AppError {
    fn from(error: GpuError) -> Self {
        match error {
            // wgpu's error if no driver is installed.
            GpuError::NoSurface(error) => Self::NoDriver(error.to_string().trim_end_matches(": {}").to_owned()),
            other => Self::Gpu(other),
        }
    }
}

/// What the window opens at the start.
#[derive(Debug, Default)]
pub struct Start {
    /// The requested scene; the last one if it names none.
    pub options: LaunchOptions,
    /// The file of a user's own lesson, which takes precedence over `options`.
    pub lesson: Option<PathBuf>,
}

/// Reads a user's own lesson.
///
/// # Errors
/// All mistakes in it.
pub fn lesson(file: &Path) -> Result<Lesson, Vec<Mistake>> {
    lesson::own(file, &delassus_ui::panels::lesson::knows)
}

/// The direction from which a picture is taken.
#[derive(Debug, Clone, Copy)]
pub enum Bearing {
    /// Along an axis, in parallel projection.
    Axis(AxisView),
    /// The direction from the target to the eye; not zero.
    From(Vec3),
}

/// The camera of a picture.
#[derive(Debug, Clone, Copy)]
pub struct PictureCamera {
    camera: Camera,
}

impl PictureCamera {
    /// From `eye` to `target`, m, world frame, in perspective or in parallel projection.
    pub fn between(eye: Vec3, target: Vec3, parallel: bool) -> Self {
        let mut camera = Camera::new(OrbitView::between(eye, target));
        camera.set_perspective(!parallel);
        Self { camera }
    }

    /// A camera that shows all moving bodies, or all bodies, in a picture of `size` pixels. Without a `target` it is
    /// the middle of their bounds.
    pub fn around(session: &Session, bearing: Bearing, target: Option<Vec3>, size: [u32; 2]) -> Self {
        let (min, max) =
            placing::bounds(session.snapshot(), &[], &Visibility::default()).unwrap_or((-Vec3::ONE, Vec3::ONE));
        let target = target.unwrap_or((min + max) * 0.5);
        // The box is enlarged until the given target is its centre.
        let half = (max - target).max(target - min);
        let mut camera = match bearing {
            Bearing::Axis(_) => Camera::default(),
            Bearing::From(direction) => Camera::new(OrbitView::between(target + direction, target)),
        };
        if let Bearing::Axis(axis) = bearing {
            camera.look_along(axis);
        }
        camera.frame(target - half, target + half, size[0] as f32 / size[1] as f32);
        camera.arrive();
        Self { camera }
    }
}

impl PictureCamera {
    /// The pixel of a world point, m, in a picture of `size` pixels; `None` if it is behind the eye.
    pub fn project(&self, point: Vec3, size: [u32; 2]) -> Option<[f32; 2]> {
        let viewport = glam::Vec2::new(size[0] as f32, size[1] as f32);
        self.camera.project(point, viewport).map(|place| place.to_array())
    }
}

/// Draws sessions as in the window, but without one, as PNG files of one size.
pub struct Pictures<'a> {
    offscreen: delassus_render::offscreen::Offscreen<'a>,
    picture_builder: picture_builder::PictureBuilder,
    size: [u32; 2],
}

impl<'a> Pictures<'a> {
    /// Prepares pictures of `size` pixels.
    ///
    /// # Errors
    /// A size that the adapter cannot draw.
    pub fn new(gpu: &'a Gpu, size: [u32; 2]) -> Result<Self, GpuError> {
        let offscreen =
            delassus_render::offscreen::Offscreen::new(gpu, size[0], size[1], delassus_render::quality::Quality::FULL)?;
        Ok(Self { offscreen, picture_builder: picture_builder::PictureBuilder::default(), size })
    }

    /// A picture of the current state of a session.
    ///
    /// # Errors
    /// If the device fails.
    pub fn picture(&mut self, session: &Session, look: &PictureCamera) -> Result<image::RgbaImage, GpuError> {
        let snapshot = session.snapshot();
        let overlays = Overlays::default();
        let settings = session.settings();
        let size = self.size;
        let show = picture_builder::Show {
            overlays,
            theme: delassus_render::picture::Theme::Light,
            alpha: 1.0,
            h: snapshot.sub_step,
            newtons_a_metre: placing::newtons_a_metre(snapshot, settings.step.gravity.length(), overlays.arrow_scale),
            selected: &[],
            hovered: None,
            joint: None,
            more_joints: &[],
            // Markers keep their size relative to the picture.
            pixels: (size[1] as f32 / 800.0).max(0.75),
            preview: &delassus_ui::view3d::preview::Preview::default(),
            others: &[],
            visibility: &Visibility::default(),
            on_device: None,
            camera: &look.camera,
            viewport: glam::Vec2::new(size[0] as f32, size[1] as f32),
        };
        let picture = self.offscreen.draw(self.picture_builder.set(snapshot, &show), &look.camera)?;
        let labelled = labels::labelled(&picture, session, &Visibility::default(), &look.camera);
        labelled.map_err(|error| GpuError::Draw(error.to_string()))
    }
}

/// The plots that the scene defines, or the default ones, of the run so far.
pub fn plots_of(session: &Session) -> delassus_figure::Figure {
    filming::plots_of(session)
}

/// The camera of a scene's file.
fn scene_view(doc: &CameraDoc) -> OrbitView {
    OrbitView::between(doc.eye, doc.target)
}

#[cfg(test)]
mod built_in_tests;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod sharing_tests;
