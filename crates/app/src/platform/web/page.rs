//! The page: its start, and a frame of it.

use std::sync::Arc;
use std::time::Duration;

use egui::{Color32, Rect, Shape, pos2};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use super::{Host, Proxy, Screen, WakeEvent, download};
use crate::Start;
use crate::window::App;
use delassus_files::memory;
use delassus_physics::clock::Instant;
use delassus_render::gpu::Gpu;
use delassus_ui::{request::Request, widgets::theme};

/// How often changed settings are kept.
const KEEP_EVERY: Duration = Duration::from_secs(3);

/// How the page shows the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Only the view and the time line, without the panels, and no settings are kept: for a page within a page.
    pub embedded: bool,
    /// WebGL2 even where there is WebGPU.
    pub webgl: bool,
}

/// Shows the program on a canvas.
///
/// # Errors
/// The browser has neither WebGPU nor WebGL2, with its own reason.
pub async fn run(canvas: web_sys::HtmlCanvasElement, start: Start, look: Look) -> Result<(), JsValue> {
    let mut setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = Arc::new(Gpu::descriptor);
    if look.webgl {
        setup.instance_descriptor.backends = wgpu::Backends::GL;
    }
    let wgpu_options = egui_wgpu::WgpuConfiguration { wgpu_setup: setup.into(), ..Default::default() };
    let options = eframe::WebOptions { wgpu_options, ..Default::default() };
    let create: eframe::AppCreator<'static> = Box::new(move |cc| {
        let state = cc.wgpu_render_state.as_ref().ok_or("there is no graphics device")?;
        Ok(Box::new(Page::new(&cc.egui_ctx, state, start, look)))
    });
    eframe::WebRunner::new().start(canvas, options, create).await
}

struct Page {
    app: App,
    proxy: Proxy,
    look: Look,
    kept: Instant,
}

impl Page {
    fn new(ctx: &egui::Context, state: &egui_wgpu::RenderState, start: Start, look: Look) -> Self {
        if !look.embedded {
            download::restore_settings();
        }
        let proxy = Proxy::new(ctx.clone());
        let mut app = App::new(proxy.clone(), start);
        app.ctx = ctx.clone();
        theme::install(ctx);
        if look.embedded {
            (app.state.panels.hidden, app.state.tour) = (true, None);
        }
        app.start(Host { ctx: ctx.clone() }, Screen::new(state));
        Self { app, proxy, look, kept: Instant::now() }
    }

    /// Carries out what came in since the last frame.
    fn take_events(&mut self, ctx: &egui::Context) {
        for event in self.proxy.take() {
            match event {
                WakeEvent::App(event) => self.app.take_event(event),
                WakeEvent::Dropped(path) => self.app.carry_out(Request::Open(path)),
            }
        }
        for file in ctx.input(|input| input.raw.dropped_files.clone()) {
            let proxy = self.proxy.clone();
            spawn_local(async move {
                // A file that cannot be read is reported when it is opened: it is not there.
                if let Ok(bytes) = file.bytes_async().await {
                    memory::put(file.path(), bytes);
                }
                proxy.wake(WakeEvent::Dropped(file.path().into()));
            });
        }
    }

    /// Keeps changed settings now and then, for a page is not notified of its end.
    fn keep_settings(&mut self) {
        if self.look.embedded || self.kept.elapsed() < KEEP_EVERY {
            return;
        }
        self.kept = Instant::now();
        let before = self.app.config.clone();
        self.app.note_settings();
        if self.app.config != before {
            self.app.config.save_in_background();
        }
    }
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.take_events(&ctx);
        let app = &mut self.app;
        let Some(start) = app.begin_frame() else { return };
        app.before_panels();
        // Below everything that the panels draw.
        let below = ui.painter().add(Shape::Noop);
        let (adapter, frame_ms) =
            app.open.as_ref().map_or_else(Default::default, |o| (o.screen.gpu.describe(), o.frame_seconds * 1e3));
        for request in app.panels_in(ui, &adapter, frame_ms) {
            app.carry_out(request);
        }
        let moving = app.state.view3d.camera.update(start.wall.as_secs_f32().min(0.1));
        let (ppp, rect) = (ctx.pixels_per_point(), ctx.viewport_rect());
        let size = [rect.width(), rect.height()].map(|side| (side * ppp).round() as u32);
        let image = app.draw_views(ppp, size, |open, views| open.screen.draw(size, views));
        if let Some(image) = image {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().set(below, Shape::image(image, rect, whole, Color32::WHITE));
        }
        let error = app.open.as_ref().and_then(|open| open.screen.gpu.take_error());
        app.report_driver(error);
        app.end_frame(&start, moving);
        if let Some(at) = app.open.as_ref().and_then(|open| open.next_frame) {
            ctx.request_repaint_after(at.saturating_duration_since(Instant::now()));
        }
        self.keep_settings();
        download::hand_over();
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
