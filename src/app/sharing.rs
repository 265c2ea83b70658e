//! Lines of text that open a scene as it is seen: made of what is open, and obeyed.

use std::f32::consts::FRAC_PI_2;

use super::window::App;
use crate::{
    opening::{Viewpoint, Wanted, line},
    render::orbit_view::OrbitView,
};

impl App {
    /// Puts a line on the clipboard that opens what is open. Without a clipboard it can still be read.
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

    /// From where the scene is seen.
    fn viewpoint(&self) -> Viewpoint {
        let camera = &self.state.view3d.camera;
        let OrbitView { focus, distance, yaw, pitch } = camera.view;
        // From straight above a line of sight does not tell what is up but where that is +y: it leans by as much as does.
        let upright = if (yaw + FRAC_PI_2).abs() < 1e-3 { FRAC_PI_2 } else { FRAC_PI_2 - LEAN };
        let eye = OrbitView { focus, distance, yaw, pitch: pitch.clamp(-upright, upright) }.eye();
        Viewpoint { eye: Some(eye), target: Some(focus), parallel: !camera.has_perspective() }
    }

    /// Opens what a line asks for; what is wrong with it is told.
    pub(super) fn open_wanted(&mut self, wanted: &Wanted) {
        let Some(opening) = wanted.opening() else { return };
        let first = match opening.first(&[]) {
            Ok(first) => first,
            Err(error) => return self.state.notices.refused(error.to_string(), None),
        };
        if !self.open_scene(first) {
            return;
        }
        let rest = self.session.scene().map(|scene| opening.commands(scene, &[]));
        match rest.transpose() {
            Ok(rest) => {
                for command in rest.into_iter().flatten() {
                    self.dispatch(command);
                }
            }
            Err(error) => self.state.notices.refused(error.to_string(), None),
        }
        self.look_from(wanted.viewpoint);
    }

    fn look_from(&mut self, viewpoint: Viewpoint) {
        if viewpoint.is_empty() {
            return;
        }
        let own = self.session.scene().map(|scene| scene.camera).unwrap_or_default();
        let camera = &mut self.state.view3d.camera;
        match viewpoint.ends(own) {
            Ok([eye, target]) => {
                camera.set(OrbitView::between(eye, target));
                camera.set_perspective(!viewpoint.parallel);
            }
            Err(why) => self.state.notices.refused(why, None),
        }
    }
}

/// How far a view from straight above leans in a line, radians.
const LEAN: f32 = 0.01;
