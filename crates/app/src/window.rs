//! The application: the open scene, the interface's state, and what belongs to its window.

use std::{path::PathBuf, sync::Arc};

use super::{
    AppError, Start,
    config::Config,
    dialog::Answer,
    file_watch::FileWatch,
    layout_dump::LayoutDump,
    platform::{self, Clipboard, Host, Proxy, Screen, recovery_folder},
    recovery::Recovery,
    shelf::ReadShelf,
};
use delassus_files::built_in;
use delassus_physics::clock::Instant;
use delassus_scene::{lesson::Lesson, library};
use delassus_session::{Session, SessionError};
use delassus_ui::{
    RightTab, UiState, request::Request, view::Shelf, view3d::picture_builder::PictureBuilder, widgets::theme,
};

/// Events from other threads and from dialogs.
#[derive(Debug)]
pub enum UserEvent {
    Dialog(Answer),
    /// The scene's file may have been changed by another program.
    FileTouched,
    /// The library's folder was read again.
    Shelf(Box<ReadShelf>),
}

/// The application.
pub struct App {
    /// `None` in tests, which have no event loop.
    pub(super) proxy: Option<Proxy>,
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
    /// The text of an analysis that is to be written.
    pub(super) analysis: Option<String>,
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
    pub host: Host,
    pub screen: Screen,
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
    pub fn new(proxy: Proxy, asked: Start) -> Self {
        let recovery = Recovery::new(recovery_folder().as_deref());
        let config = Config::load();
        library::remember_folders(&config.folders);
        Self { asked, ..Self::with(Some(proxy), config, recovery, library::scenes_folder()) }
    }

    /// An application with these parts; without an event loop it gets no events.
    pub(super) fn with(proxy: Option<Proxy>, config: Config, recovery: Recovery, scenes: PathBuf) -> Self {
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
            analysis: None,
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

    /// Begins to show the window: its first scene, the library, and what another process has left.
    pub(super) fn start(&mut self, host: Host, screen: Screen) {
        if platform::READS_BACK {
            self.session.use_device(Some(Arc::new(screen.gpu.stepper())));
        }
        self.open = Some(OpenWindow {
            host,
            screen,
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
    }

    /// Takes an event from another thread or from a dialog.
    pub(super) fn take_event(&mut self, event: UserEvent) {
        match event {
            UserEvent::Dialog(answer) => self.answered(answer),
            UserEvent::FileTouched => self.file_touched(),
            UserEvent::Shelf(shelf) => self.take_shelf(*shelf),
        }
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

    /// Copies the interface's state and the open scene into the settings.
    pub(super) fn note_settings(&mut self) {
        self.config.remember(&self.state);
        let file = self.session.file();
        self.config.scene = file.and_then(built_in::canonical).or_else(|| self.config.scene.take());
    }

    pub(super) fn request_redraw(&self) {
        if let Some(open) = &self.open {
            open.host.request_redraw();
        }
    }
}
