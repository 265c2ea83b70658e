//! A frame of the window: its input, the panels, and the picture.

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{FullOutput, RawInput};

use super::screen::{FrameOutcome, ShownFrame};
use crate::frame::SOFTWARE_FRAME;
use crate::views::Views;
use crate::window::App;
use delassus_ui::{request::Request, widgets::theme};

impl App {
    /// Makes one frame.
    pub(super) fn frame(&mut self) {
        let Some(start) = self.begin_frame() else { return };
        let Some(open) = &mut self.open else { return };
        if open.hidden {
            // Nothing is visible: no picture, but the simulation goes on while it plays.
            open.next_frame = self.session.playing().then(|| start.begin + SOFTWARE_FRAME);
            return;
        }
        let output = self.lay_out();
        let moving = self.state.view3d.camera.update(start.wall.as_secs_f32().min(0.1));
        self.present(output);
        self.end_frame(&start, moving);
    }

    /// Lays out the panels and carries out their requests.
    fn lay_out(&mut self) -> Option<FullOutput> {
        let open = self.open.as_mut()?;
        let input = open.host.input.take_egui_input(&open.host.window);
        let adapter = open.screen.gpu.describe();
        let frame_ms = open.frame_seconds * 1e3;
        let (mut output, requests) = self.panels(input, &adapter, frame_ms);
        let open = self.open.as_mut()?;
        let platform = std::mem::take(&mut output.platform_output);
        open.host.input.handle_platform_output(&open.host.window, platform);
        for request in requests {
            self.carry_out(request);
        }
        Some(output)
    }

    /// Lays out the panels and returns their requests.
    pub(crate) fn panels(&mut self, input: RawInput, adapter: &str, frame_ms: f64) -> (FullOutput, Vec<Request>) {
        self.before_panels();
        let mut requests: Vec<Request> = Vec::new();
        let ctx = self.ctx.clone();
        let output = ctx.run_ui(input, |ui| requests.extend(self.panels_in(ui, adapter, frame_ms)));
        if let (Some(layout_dump), Some(tree)) = (&mut self.layout_dump, &output.platform_output.accesskit_update) {
            layout_dump.update(tree, output.pixels_per_point);
        }
        (output, requests)
    }

    /// Draws the scene and the panels.
    fn present(&mut self, output: Option<FullOutput>) {
        let (Some(mut output), Some(open)) = (output, &mut self.open) else { return };
        open.screen.update_textures(&mut output.textures_delta);
        let delay = output.viewport_output.get(&egui::ViewportId::ROOT).map_or(Duration::MAX, |v| v.repaint_delay);
        let now = Instant::now();
        let delay = if open.screen.gpu.is_software { delay.max(SOFTWARE_FRAME) } else { delay };
        // A very long delay means that no further frame is needed.
        if delay < Duration::from_secs(3600) {
            open.next_frame = Some(now + delay);
        }
        let ppp = output.pixels_per_point;
        let panels = self.ctx.tessellate(std::mem::take(&mut output.shapes), ppp);
        let size = open.host.window.inner_size();
        let drawn = self.draw_views(ppp, [size.width, size.height], |open, views| {
            let views = Views { areas: views.areas, ..*views };
            let drawn = open.screen.draw(&ShownFrame { views, panels: &panels, pixels_per_point: ppp });
            (drawn, open.screen.gpu.take_error())
        });
        let (Some((drawn, error)), Some(open)) = (drawn, &mut self.open) else { return };
        match drawn {
            FrameOutcome::Drawn => {}
            FrameOutcome::Hidden => open.next_frame = None,
            FrameOutcome::Again => open.next_frame = Some(now + SOFTWARE_FRAME),
            FrameOutcome::Lost => match open.screen.reopen() {
                Ok(screen) => {
                    self.session.use_device(Some(Arc::new(screen.gpu.stepper())));
                    open.screen = screen;
                    // The new device has none of egui's textures: this makes egui upload them again.
                    theme::install(&self.ctx);
                    open.next_frame = Some(now + SOFTWARE_FRAME);
                }
                Err(error) => self.failure = Some(error.into()),
            },
        }
        self.report_driver(error);
    }
}
