//! Command lines that open a scene in its current view: creates and executes them.

use std::f32::consts::FRAC_PI_2;

use super::window::App;
use delassus_launch::{LaunchOptions, Viewpoint, line};
use delassus_render::orbit_view::OrbitView;

impl App {
    /// Copies a command line for the current state to the clipboard. It is shown as well, in case there is no
    /// clipboard.
    pub(super) fn copy_line(&mut self) {
        match line::line(&self.session, self.viewpoint()) {
            Ok(line) => {
                let edited = if line.edited { " It opens the file as it was saved last." } else { "" };
                self.state.notices.info(format!("Copied.{edited}\n{}", line.text));
                self.ctx.copy_text(line.text);
            }
            Err(why) => self.state.notices.refused(why, None),
        }
    }

    /// The current viewpoint.
    fn viewpoint(&self) -> Viewpoint {
        let camera = &self.state.view3d.camera;
        let OrbitView { focus, distance, yaw, pitch } = camera.view;
        // A line of sight straight down leaves the up direction open; by convention it is then +y. For any other yaw the
        // view is tilted by [`TILT`].
        let upright = if (yaw + FRAC_PI_2).abs() < 1e-3 { FRAC_PI_2 } else { FRAC_PI_2 - TILT };
        let eye = OrbitView { focus, distance, yaw, pitch: pitch.clamp(-upright, upright) }.eye();
        Viewpoint { eye: Some(eye), target: Some(focus), parallel: !camera.has_perspective() }
    }

    /// Opens the scene that a command line requests; errors are shown as notices.
    pub(super) fn open_launch(&mut self, options: &LaunchOptions) {
        let Some(open_request) = options.open_request() else { return };
        let path = open_request.path();
        if delassus_import::is_model(&path) {
            if !self.open_model_with(&path, |text, origin| open_request.with_fields(text, origin, &[])) {
                return;
            }
        } else {
            let first = match open_request.first(&[]) {
                Ok(first) => first,
                Err(error) => return self.state.notices.refused(error.to_string(), None),
            };
            if !self.open_scene(first) {
                return;
            }
        }
        let rest = self.session.scene().map(|scene| open_request.commands(scene, &[]));
        match rest.transpose() {
            Ok(rest) => {
                for command in rest.into_iter().flatten() {
                    self.dispatch(command);
                }
            }
            Err(error) => self.state.notices.refused(error.to_string(), None),
        }
        self.look_from(options.viewpoint);
    }

    fn look_from(&mut self, viewpoint: Viewpoint) {
        if viewpoint.is_empty() {
            return;
        }
        let scene_camera = self.session.scene().map(|scene| scene.camera).unwrap_or_default();
        let camera = &mut self.state.view3d.camera;
        match viewpoint.ends(scene_camera) {
            Ok([eye, target]) => {
                camera.set(OrbitView::between(eye, target));
                camera.set_perspective(!viewpoint.parallel);
            }
            Err(why) => self.state.notices.refused(why, None),
        }
    }
}

/// The tilt of a view from straight above in a command line, radians.
const TILT: f32 = 0.01;
