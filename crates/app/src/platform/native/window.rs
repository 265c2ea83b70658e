//! The winit handler: reacts to the events of the window.

use std::sync::Arc;
use std::time::Instant;

use winit::{
    application::ApplicationHandler,
    dpi::LogicalSize,
    event::WindowEvent,
    event_loop::{ActiveEventLoop, ControlFlow},
    window::{Window, WindowId},
};

use super::{WakeEvent, icon::icon, screen::Screen};
use crate::{AppError, recovery, window::App};
use delassus_ui::request::Request;

/// The system's window and its input.
pub(crate) struct Host {
    pub window: Arc<Window>,
    pub input: egui_winit::State,
}

impl Host {
    /// Asks for a frame.
    pub fn request_redraw(&self) {
        self.window.request_redraw();
    }

    pub fn set_title(&self, title: &str) {
        self.window.set_title(title);
    }

    /// Hands an event to the panels; true if they want to be drawn again.
    fn takes(&mut self, event: &WindowEvent) -> bool {
        self.input.on_window_event(&self.window, event).repaint
    }
}

impl App {
    fn open_window(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        // Without a window manager, parts of a window larger than the screen could not be reached.
        let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
        let screen_size = monitor.map(|m| m.size().to_logical::<f64>(m.scale_factor()));
        let clamped = |side: f32, screen: Option<f64>| {
            let side = f64::from(side);
            screen.map_or(side, |screen| side.min(screen.max(480.0)))
        };
        let width = clamped(self.config.width, screen_size.map(|s| s.width));
        let height = clamped(self.config.height, screen_size.map(|s| s.height));
        let attributes = Window::default_attributes()
            .with_title("Delassus")
            .with_window_icon(icon())
            // Shown when the first frame is drawn; accessibility adapters also need it hidden until then.
            .with_visible(false)
            .with_min_inner_size(LogicalSize::new(480.0, 320.0))
            .with_inner_size(LogicalSize::new(width, height))
            .with_maximized(self.config.maximized);
        let window =
            Arc::new(event_loop.create_window(attributes).map_err(|error| AppError::NoWindow(error.to_string()))?);
        let screen = Screen::open(event_loop.owned_display_handle(), window.clone())?;
        let mut input = egui_winit::State::new(
            self.ctx.clone(),
            egui::ViewportId::ROOT,
            &*window,
            Some(window.scale_factor() as f32),
            window.theme(),
            Some(screen.max_texture_side()),
        );
        if let Some(proxy) = &self.proxy {
            input.init_accesskit(event_loop, &window, proxy.0.clone());
        }
        // After the drivers were loaded: what is registered last is called first.
        recovery::last_words::at_exit();
        window.set_visible(true);
        window.request_redraw();
        self.start(Host { window, input }, screen);
        Ok(())
    }

    /// Saves the window's settings for the next start.
    fn remember(&mut self) {
        if let Some(open) = &self.open {
            self.config.maximized = open.host.window.is_maximized();
            let size = open.host.window.inner_size().to_logical::<f32>(open.host.window.scale_factor());
            // The size of a minimised window is useless.
            if !self.config.maximized && size.width >= 320.0 && size.height >= 240.0 {
                (self.config.width, self.config.height) = (size.width, size.height);
            }
        }
        self.note_settings();
        // An error must not prevent quitting.
        if let Err(error) = self.config.save() {
            eprintln!("The window's settings cannot be saved: {error}");
        }
    }
}

impl ApplicationHandler<WakeEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_none()
            && let Err(error) = self.open_window(event_loop)
        {
            self.failure = Some(error);
            event_loop.exit();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        if !matches!(event, WindowEvent::RedrawRequested) && open.host.takes(&event) {
            open.host.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => self.carry_out(Request::Quit),
            WindowEvent::RedrawRequested => self.frame(),
            WindowEvent::Resized(size) => {
                open.hidden = size.width == 0 || size.height == 0;
                open.host.window.request_redraw();
            }
            WindowEvent::Occluded(hidden) => {
                open.hidden = hidden;
                open.host.window.request_redraw();
            }
            WindowEvent::ScaleFactorChanged { .. } => open.host.window.request_redraw(),
            // Files may have been added to the library meanwhile.
            WindowEvent::Focused(true) => {
                self.refresh_shelf();
                self.state.recent.check_files();
            }
            WindowEvent::DroppedFile(path) => self.carry_out(Request::Open(path)),
            _ => {}
        }
        if self.quitting || self.failure.is_some() {
            event_loop.exit();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, event: WakeEvent) {
        match event {
            WakeEvent::App(event) => self.take_event(event),
            WakeEvent::Accessibility(event) => {
                use egui_winit::accesskit_winit::WindowEvent as AccessibilityEvent;
                if let Some(open) = &mut self.open {
                    match event.window_event {
                        AccessibilityEvent::InitialTreeRequested => self.ctx.enable_accesskit(),
                        AccessibilityEvent::ActionRequested(request) => {
                            open.host.input.on_accesskit_action_request(request)
                        }
                        AccessibilityEvent::AccessibilityDeactivated if self.layout_dump.is_none() => {
                            self.ctx.disable_accesskit()
                        }
                        AccessibilityEvent::AccessibilityDeactivated => {}
                    }
                }
            }
        }
        self.request_redraw();
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &self.open else { return };
        let flow = match open.next_frame {
            _ if open.hidden => ControlFlow::Wait,
            Some(at) if at <= Instant::now() => {
                open.host.window.request_redraw();
                ControlFlow::Wait
            }
            Some(at) => ControlFlow::WaitUntil(at),
            None => ControlFlow::Wait,
        };
        event_loop.set_control_flow(flow);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if self.failure.is_none() {
            self.remember();
        }
        // This may also happen because the display is gone. Only a user who quits has saved or discarded the work.
        if self.quitting && self.failure.is_none() {
            self.recovery.end();
        } else {
            self.recovery.flush();
        }
    }
}
