//! A window without a display for the tests of all rooms, which drive it by the names of its controls.

use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::{
    UiState,
    request::Request,
    view::{Shelf, View},
    widgets::theme,
};
use delassus_scene::{Scene, library::LibraryEntry};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Two boxes",
    settings: (solver: (iterations: 7)),
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5)),
    ],
    experiments: [
        (name: "Cold", about: "Nothing is carried over.", set: (warm_start: (enabled: false))),
        (name: "Many sweeps", set: (solver: (iterations: 50))),
    ],
)"#;

/// The state of a window, and all requests of the panels so far.
pub struct Bench {
    pub session: Session,
    pub shelf: Shelf,
    pub state: UiState,
    pub asked: Vec<Request>,
}

impl Bench {
    pub fn new() -> Self {
        Self::of(Session::from_text(SCENE, "bench.ron").expect("the scene is right"))
    }

    pub fn of(session: Session) -> Self {
        let entry = |id: &str, title: &str| LibraryEntry {
            path: format!("{id}.ron").into(),
            id: id.into(),
            title: title.into(),
            source: "004".into(),
            about: String::new(),
            experiments: Vec::new(),
            mistake: None,
            own: None,
        };
        let entries = vec![entry("book/09-chain", "Hanging chain"), entry("lab/01-wall", "Brick wall")];
        Self { session, shelf: Shelf { entries, ..Shelf::default() }, state: UiState::default(), asked: Vec::new() }
    }

    /// Runs a piece of the interface and dispatches its commands to the session.
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        piece: impl FnOnce(&mut egui::Ui, &View<'_>, &mut UiState, &mut Vec<Request>),
    ) {
        let (session, empty, mut out) = (&self.session, Scene::default(), Vec::new());
        self.state.view3d.visibility.update(session);
        let free = self.state.view3d.visibility.free();
        let pick = |origin: Vec3, direction: Vec3| session.pick_where(origin, direction, &free);
        let view = View::of(session, &empty, &self.shelf, &pick, "no adapter", 16.0);
        piece(ui, &view, &mut self.state, &mut out);
        for request in &out {
            if let Request::Session(command) = request {
                self.session.dispatch(command.clone()).expect("the panels ask for what can be done");
            }
        }
        self.asked.extend(out);
    }

    pub fn asked_for(&self, command: &Command) -> bool {
        self.asked.contains(&Request::Session(command.clone()))
    }
}

/// Clicks on the control of this name.
pub fn click(harness: &mut Harness<'_, Bench>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(5);
}

/// Makes some steps.
pub fn steps(harness: &mut Harness<'_, Bench>, count: u32) {
    (0..count).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a step"));
    harness.run();
}

/// The whole window, large enough for all panels.
pub fn window() -> Harness<'static, Bench> {
    window_of(Bench::new())
}

pub fn window_of(bench: Bench) -> Harness<'static, Bench> {
    Harness::builder()
        .with_size([1440.0, 1400.0])
        .with_max_steps(30)
        .with_context_setup(theme::install)
        .build_ui_state(|ui, bench: &mut Bench| bench.show(ui, crate::show), bench)
}
