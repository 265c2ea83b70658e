//! The winit handler: reacts to the events of the window.

use std::{path::PathBuf, sync::Arc, time::Instant};

use winit::{
    application::ApplicationHandler,
    dpi::LogicalSize,
    event::WindowEvent,
    event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy},
    window::{Window, WindowId},
};

use super::{
    AppError, Start, clipboard::Clipboard, config::Config, dialog::Answer, file_watch::FileWatch,
    layout_dump::LayoutDump, recovery::Recovery, screen::Screen, shelf::ReadShelf,
};
use delassus_files::built_in;
use delassus_scene::{lesson::Lesson, library};
use delassus_session::{Session, SessionError};
use delassus_ui::{
    RightTab, UiState, request::Request, view::Shelf, view3d::picture_builder::PictureBuilder, widgets::theme,
};

/// Events from other threads and the accessibility adapter.
#[derive(Debug)]
pub enum UserEvent {
    Dialog(Answer),
    Accessibility(egui_winit::accesskit_winit::Event),
    /// The scene's file may have been changed by another program.
    FileTouched,
    /// The library's folder was read again.
    Shelf(Box<ReadShelf>),
}

impl From<egui_winit::accesskit_winit::Event> for UserEvent {
    fn from(event: egui_winit::accesskit_winit::Event) -> Self {
        Self::Accessibility(event)
    }
}

/// The application.
pub struct App {
    /// `None` in tests, which have no event loop.
    pub(super) proxy: Option<EventLoopProxy<UserEvent>>,
    pub(super) config: Config,
    pub(super) session: Session,
    pub(super) state: UiState,
    pub(super) shelf: Shelf,
    /// How often the library's folder was requested to be read.
    pub(super) shelf_requests: u64,
    /// The folder of the program's library, on the disk or within the program.
    pub(super) scenes: PathBuf,
    pub(super) picture_builder: PictureBuilder,
    /// The builders of the other pictures, for runs that are compared.
    pub(super) cell_builders: Vec<PictureBuilder>,
    pub(super) ctx: egui::Context,
    pub(super) open: Option<OpenWindow>,
    pub(super) layout_dump: Option<LayoutDump>,
    /// The request of the command line.
    pub(super) asked: Start,
    /// The user's own lesson and its file.
    pub(super) own: Option<(PathBuf, Lesson)>,
    /// Whether a file dialog is open; there is only one at a time.
    pub(super) dialog_open: bool,
    pub(super) quitting: bool,
    /// The session's generation to which the panels' state belongs.
    pub(super) generation: u64,
    pub(super) recovery: Recovery,
    pub(super) watch: FileWatch,
    /// The request to carry out after the scene is saved under a name.
    pub(super) after_save: Option<Request>,
    /// The figure that is to be written as a picture or a table.
    pub(super) figure: Option<Box<delassus_figure::Figure>>,
    /// The page of results that is to be written.
    pub(super) results: Option<String>,
    /// The options of films and figures of the view, and the film being made.
    pub(super) plan: delassus_ui::request::FilmPlan,
    pub(super) filming: Option<super::filming::Filming>,
    pub(super) clipboard: Clipboard,
    /// Why the window could not open or stay open.
    pub failure: Option<AppError>,
}

/// The window and its resources.
pub(super) struct OpenWindow {
    pub window: Arc<Window>,
    pub screen: Screen,
    pub input: egui_winit::State,
    pub last_frame: Instant,
    /// Time of the last update of the numbers over the picture.
    pub last_numbers: Instant,
    /// Time of the next frame that egui asked for.
    pub next_frame: Option<Instant>,
    /// The time the last frame took, seconds.
    pub frame_seconds: f64,
    pub title: String,
    /// Minimised or covered.
    pub hidden: bool,
}

impl App {
    /// An application whose window is not open yet.
    pub fn new(proxy: EventLoopProxy<UserEvent>, asked: Start) -> Self {
        let recovery = Recovery::new(super::config::folder().as_deref());
        let config = Config::load();
        library::remember_folders(&config.folders);
        Self { asked, ..Self::with(Some(proxy), config, recovery, library::scenes_folder()) }
    }

    /// An application with these parts; without an event loop it gets no events.
    pub(super) fn with(
        proxy: Option<EventLoopProxy<UserEvent>>,
        config: Config,
        recovery: Recovery,
        scenes: PathBuf,
    ) -> Self {
        let state = config.ui_state();
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let layout_dump = LayoutDump::from_env();
        if layout_dump.is_some() {
            ctx.enable_accesskit();
        }
        Self {
            watch: FileWatch::new(proxy.clone()),
            proxy,
            config,
            session: Session::new(),
            state,
            shelf: Shelf::default(),
            shelf_requests: 0,
            scenes,
            picture_builder: PictureBuilder::default(),
            cell_builders: Vec::new(),
            ctx,
            open: None,
            layout_dump,
            asked: Start::default(),
            own: None,
            after_save: None,
            figure: None,
            results: None,
            plan: Default::default(),
            filming: None,
            clipboard: Clipboard::default(),
            dialog_open: false,
            quitting: false,
            generation: 0,
            recovery,
            failure: None,
        }
    }

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
            .with_window_icon(super::icon::icon())
            // Shown when the first frame is drawn; accessibility adapters also need it hidden until then.
            .with_visible(false)
            .with_min_inner_size(LogicalSize::new(480.0, 320.0))
            .with_inner_size(LogicalSize::new(width, height))
            .with_maximized(self.config.maximized);
        let window = Arc::new(event_loop.create_window(attributes)?);
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
            input.init_accesskit(event_loop, &window, proxy.clone());
        }
        self.session.use_device(Some(Arc::new(screen.gpu.stepper())));
        // After the drivers were loaded: what is registered last is called first.
        super::recovery::last_words::at_exit();
        window.set_visible(true);
        window.request_redraw();
        self.open = Some(OpenWindow {
            window,
            screen,
            input,
            last_frame: Instant::now(),
            last_numbers: Instant::now(),
            next_frame: None,
            frame_seconds: 0.016,
            title: String::new(),
            hidden: false,
        });
        self.refresh_shelf();
        self.open_first_scene();
        self.offer_recovered();
        Ok(())
    }

    /// Opens a user's own lesson in the Guide, with its scene.
    pub(super) fn open_lesson(&mut self, file: PathBuf) {
        let lesson = match super::lesson(&file) {
            Ok(lesson) => lesson,
            Err(mistakes) => return self.show_error(&SessionError::Mistakes(mistakes)),
        };
        self.state.lessons.choose(&lesson.id);
        self.state.show_right(RightTab::Guide);
        self.state.tour = None;
        self.own = Some((file, lesson.clone()));
        let shelf = self.shelf_request().read();
        self.take_shelf(shelf);
        if let Some(scene) = self.shelf.scene_of(&lesson) {
            self.carry_out(Request::Open(scene));
        }
    }

    /// Opens the scene of the command line, else the last one, else the library's chain, else its first.
    fn open_first_scene(&mut self) {
        let Start { options, lesson } = std::mem::take(&mut self.asked);
        if let Some(file) = lesson {
            self.open_lesson(file);
            return;
        }
        if options.open_request().is_some() {
            self.carry_out(Request::OpenLaunch(Box::new(options)));
            return;
        }
        let camera = self.config.camera;
        if let Some(last) = self.config.scene.clone().filter(|scene| built_in::is_file(scene)) {
            self.carry_out(Request::Open(last));
            if let (Some(camera), true) = (camera, self.session.scene().is_some()) {
                self.state
                    .view3d
                    .camera
                    .set(delassus_render::orbit_view::OrbitView::between(camera.eye, camera.target));
            }
        }
        if self.session.scene().is_none() {
            let chain = self.shelf.of_program("book/09-chain");
            let first = chain.or_else(|| self.shelf.entries.iter().find(|entry| entry.mistake.is_none()));
            if let Some(entry) = first {
                self.carry_out(Request::Open(entry.path.clone()));
            }
        }
    }

    /// Saves what was done in lessons, and that the welcome was shown, as soon as it changes, so that a crash does not
    /// lose it. A curve is saved when the pointer is released.
    pub(super) fn keep_answers(&mut self) {
        if self.has_new_answers() {
            self.config.save_in_background();
        }
    }

    /// Copies them into the settings; true if anything is new.
    pub(super) fn has_new_answers(&mut self) -> bool {
        let (lessons, config) = (&self.state.lessons, &mut self.config);
        let is_kept = config.lessons == lessons.answers && config.lesson_progress == lessons.progress;
        let is_drawing = self.state.plots.sketch.as_ref().is_some_and(|sketch| sketch.last.is_some());
        if config.welcomed && (is_kept || is_drawing) {
            return false;
        }
        config.welcomed = true;
        config.lessons.clone_from(&lessons.answers);
        config.lesson_progress.clone_from(&lessons.progress);
        true
    }

    /// Saves the window's settings for the next start.
    fn remember(&mut self) {
        if let Some(open) = &self.open {
            self.config.maximized = open.window.is_maximized();
            let size = open.window.inner_size().to_logical::<f32>(open.window.scale_factor());
            // The size of a minimised window is useless.
            if !self.config.maximized && size.width >= 320.0 && size.height >= 240.0 {
                (self.config.width, self.config.height) = (size.width, size.height);
            }
        }
        self.config.remember(&self.state);
        let file = self.session.file();
        self.config.scene = file.and_then(built_in::canonical).or_else(|| self.config.scene.take());
        // An error must not prevent quitting.
        if let Err(error) = self.config.save() {
            eprintln!("The window's settings cannot be saved: {error}");
        }
    }

    pub(super) fn request_redraw(&self) {
        if let Some(open) = &self.open {
            open.window.request_redraw();
        }
    }
}

impl ApplicationHandler<UserEvent> for App {
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
        if !matches!(event, WindowEvent::RedrawRequested) && open.input.on_window_event(&open.window, &event).repaint {
            open.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => self.carry_out(Request::Quit),
            WindowEvent::RedrawRequested => self.frame(),
            WindowEvent::Resized(size) => {
                open.hidden = size.width == 0 || size.height == 0;
                open.window.request_redraw();
            }
            WindowEvent::Occluded(hidden) => {
                open.hidden = hidden;
                open.window.request_redraw();
            }
            WindowEvent::ScaleFactorChanged { .. } => open.window.request_redraw(),
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

    fn user_event(&mut self, _: &ActiveEventLoop, event: UserEvent) {
        match event {
            UserEvent::Dialog(answer) => self.answered(answer),
            UserEvent::FileTouched => self.file_touched(),
            UserEvent::Shelf(shelf) => self.take_shelf(*shelf),
            UserEvent::Accessibility(event) => {
                use egui_winit::accesskit_winit::WindowEvent as AccessibilityEvent;
                if let Some(open) = &mut self.open {
                    match event.window_event {
                        AccessibilityEvent::InitialTreeRequested => self.ctx.enable_accesskit(),
                        AccessibilityEvent::ActionRequested(request) => open.input.on_accesskit_action_request(request),
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
                open.window.request_redraw();
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
