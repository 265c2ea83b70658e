//! Labels of bodies from the scene's file, written into pictures and films as the window shows them in the view.

use image::RgbaImage;

use delassus_figure::{self as figure, FigureError};
use delassus_render::camera::Camera;
use delassus_session::Session;
use delassus_ui::view3d::{placing, visibility::Visibility};

/// The picture, taken by this camera, with the scene's labels above the visible bodies.
///
/// # Errors
/// If they cannot be written.
pub(super) fn labelled(
    picture: &RgbaImage,
    session: &Session,
    visibility: &Visibility,
    camera: &Camera,
) -> Result<RgbaImage, FigureError> {
    let Some(scene) = session.scene() else { return Ok(picture.clone()) };
    let (bodies, size) = (&session.snapshot().bodies, glam::Vec2::new(picture.width() as f32, picture.height() as f32));
    let note = |label: &'_ delassus_scene::Label| {
        let body =
            bodies.iter().find(|body| *body.name == *label.over).filter(|body| !visibility.is_hidden(body.id))?;
        placing::above(body, camera, size).map(|at| at.to_array())
    };
    let notes = scene.opens.labels.iter().filter_map(|label| Some((note(label)?, label.says.as_str())));
    figure::notes(picture, &notes.collect::<Vec<_>>())
}
