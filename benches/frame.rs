//! The processor's work for a frame of the window with 5,000 bodies: panels, picking, the picture's list of bodies.
//! The drawing itself is done by the graphics processor: `cargo bench --bench frame`.

use std::fmt::Write;

use criterion::Criterion;
use delassus::render::orbit_view::OrbitView as Eye;
use delassus::scene::Scene;
use delassus::session::Session;
use delassus::ui::view::Shelf;
use delassus::ui::view3d::picture_builder::{PictureBuilder, Show};
use delassus::ui::{self, UiState, request::Request, view::View, widgets::theme};
use egui::{Context, Event, Key, Modifiers, Pos2, RawInput, Rect, pos2, vec2};
use glam::{Vec2, Vec3};

const BODIES: usize = 5000;
/// The size of the window, points.
const SIZE: egui::Vec2 = vec2(1280.0, 800.0);

/// Boxes in a square, each an entry of its own.
fn text() -> String {
    let mut text = String::from("(version: 1, title: \"Many\", settings: (contact: (enabled: false)), bodies: [");
    for i in 0..BODIES {
        let (x, y) = ((i % 71) as f32 - 35.0, (i / 71) as f32 - 35.0);
        let _ = write!(text, "(name: \"box-{i}\", shape: Box(half: (0.3, 0.3, 0.3)), at: ({x}, {y}, 0.5), mass: 1),");
    }
    text.push_str("])");
    text
}

/// A window without a screen.
struct Desk {
    ctx: Context,
    session: Session,
    state: UiState,
    picture_builder: PictureBuilder,
    shelf: Shelf,
    time: f64,
}

impl Desk {
    fn new() -> Self {
        let session = Session::from_text(&text(), "many").unwrap_or_else(|error| panic!("{error}"));
        let ctx = Context::default();
        theme::install(&ctx);
        let mut desk = Self {
            ctx,
            session,
            state: UiState::default(),
            picture_builder: PictureBuilder::default(),
            shelf: Shelf::default(),
            time: 0.0,
        };
        desk.state.view3d.camera.set(Eye::between(Vec3::new(20.0, -60.0, 40.0), Vec3::ZERO));
        (0..4).for_each(|_| desk.frame(Vec::new()));
        desk
    }

    /// A frame with these events: what `app::App::frame` does, except for the screen.
    fn frame(&mut self, events: Vec<Event>) {
        self.time += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, SIZE));
        let input = RawInput { screen_rect, time: Some(self.time), events, ..RawInput::default() };
        let (mut requests, empty, session) = (Vec::new(), Scene::default(), &self.session);
        self.state.view3d.visibility.update(session);
        let free = self.state.view3d.visibility.free();
        let pick = |origin, direction| session.pick_where(origin, direction, &free);
        let view = View::of(session, &empty, &self.shelf, &pick, "no adapter", 16.0);
        let state = &mut self.state;
        let output = self.ctx.run_ui(input, |ui| ui::show(ui, &view, state, &mut requests));
        for request in requests {
            if let Request::Session(command) = request {
                self.session.dispatch(command).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        let panels = self.ctx.tessellate(output.shapes, 1.0);
        let state = &self.state;
        let show = Show {
            overlays: state.view3d.overlays,
            theme: theme::picture_theme(&self.ctx.global_style().visuals),
            alpha: self.session.alpha(),
            h: self.session.settings().h(),
            newtons_a_metre: state.view3d.newtons_a_metre,
            selected: &state.selection.bodies,
            hovered: state.selection.hovered,
            joint: state.selection.joint,
            more_joints: &state.selection.more_joints,
            pixels: 1.0,
            preview: &state.view3d.preview,
            others: &[],
            visibility: &state.view3d.visibility,
            on_device: None,
            camera: &state.view3d.camera,
            viewport: Vec2::new(state.view3d.rect.width(), state.view3d.rect.height()),
        };
        let picture = self.picture_builder.set(self.session.snapshot(), &show);
        assert!(picture.bodies.len() >= BODIES && !panels.is_empty(), "everything is drawn");
    }

    /// A place near the middle of the view, a different one each time.
    fn wander(&self, i: u32) -> Event {
        let angle = i as f32 * 0.3;
        Event::PointerMoved(self.state.view3d.rect.center() + vec2(angle.cos(), angle.sin()) * 60.0)
    }

    fn select_all(&mut self) {
        self.state.selection.bodies = (1..=BODIES as u32).collect();
    }
}

fn key(key: Key, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("a frame among 5,000 bodies");
    group.sample_size(30);
    let mut i = 0;
    let mut next = || {
        i += 1;
        i
    };
    let mut desk = Desk::new();
    group.bench_function("pointer moves over them", |b| b.iter(|| desk.frame(vec![desk.wander(next())])));
    let mut desk = Desk::new();
    desk.select_all();
    group.bench_function("all of them selected", |b| b.iter(|| desk.frame(vec![desk.wander(next())])));
    let mut desk = Desk::new();
    desk.select_all();
    desk.frame(vec![Event::PointerMoved(pos2(600.0, 400.0))]);
    desk.frame(vec![key(Key::G, true), key(Key::G, false)]);
    desk.frame(vec![desk.wander(0)]);
    desk.frame(vec![desk.wander(1)]);
    assert_eq!(desk.state.view3d.preview.placed.len(), BODIES, "G holds them all");
    group.bench_function("all of them dragged", |b| b.iter(|| desk.frame(vec![desk.wander(next())])));
    group.finish();
    criterion.final_summary();
}
