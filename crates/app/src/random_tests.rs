//! Ten thousand random events, or as many as `scripts/attack --window` asks for, on the whole window except its
//! pixels: pointer, keys, text, wheel, drops, resizes, files that change on disk, answers of dialogs. Their requests
//! are carried out as in the real window. Nothing may panic.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect, TouchPhase, vec2,
};

use super::{config::Config, dialog::Answer, frame::show, recovery::Recovery, window::App};
use delassus_render::picture::Theme;
use delassus_session::analysis::AnalysisFile;
use delassus_ui::panels::compare;
use delassus_ui::request::{Purpose, Request};

/// Pseudo-random numbers, the same in every run (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Scenes small enough to be stepped often.
const SCENES: [&str; 6] = [
    "book/08-pendulum",
    "rows/04-hinge",
    "lab/01-stack-10",
    "lab/10-four-bar",
    "contact2d/01-two-boxes",
    "admc/newtons-cradle",
];

/// A library of a few scenes that may be overwritten, and files that are not scenes.
fn library(folder: &Path) -> Vec<PathBuf> {
    let scenes = delassus_scene::library(&delassus_scene::library::scenes_folder());
    let mut known: Vec<_> = scenes.iter().filter(|e| SCENES.contains(&e.id.as_str())).collect();
    known.extend(scenes.iter().filter(|e| e.folder() == "rows").take(3));
    let mut files = Vec::new();
    for entry in known {
        let to = folder.join(format!("{}.ron", entry.id));
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("it can be made");
        std::fs::copy(&entry.path, &to).expect("a scene");
        files.push(to);
    }
    for (name, text) in
        [("broken.ron", "(version: 1, title: \"x\", bodies: [(name: 3)])"), ("empty.ron", ""), ("notes.txt", "no")]
    {
        let to = folder.join("mine").join(name);
        std::fs::create_dir_all(folder.join("mine")).expect("a folder");
        std::fs::write(&to, text).expect("a file");
        files.push(to);
    }
    files.push(folder.join("mine/absent.ron"));
    files.push(folder.join("mine"));
    files
}

/// The simulated user: the pointer, the held keys, and what can be clicked.
struct Hand {
    dice: Dice,
    at: Pos2,
    held: Modifiers,
    size: egui::Vec2,
    /// The centres of the controls in the accessibility tree.
    controls: Vec<Pos2>,
}

impl Hand {
    fn point(&mut self) -> Pos2 {
        self.at = if self.dice.below(3) > 0 && !self.controls.is_empty() {
            let i = self.dice.below(self.controls.len());
            self.controls[i]
        } else {
            Pos2::new(self.dice.between(-5.0, self.size.x + 5.0), self.dice.between(-5.0, self.size.y + 5.0))
        };
        self.at
    }

    fn event(&mut self, out: &mut Vec<Event>) {
        let held = self.held;
        let button = *self.dice.one(&[
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Primary,
            PointerButton::Secondary,
            PointerButton::Middle,
        ]);
        let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers: held };
        match self.dice.below(24) {
            0..=5 => {
                let pos = self.point();
                out.extend([Event::PointerMoved(pos), press(pos, true), press(pos, false)]);
            }
            6..=8 => {
                let pos = self.point();
                out.extend([Event::PointerMoved(pos), press(pos, true)]);
            }
            9 | 10 => out.push(press(self.at, false)),
            11..=13 => {
                let pos = self.point();
                out.push(Event::PointerMoved(pos));
            }
            14..=17 => {
                let key = *self.dice.one(Key::ALL);
                let modifiers = if self.dice.below(3) == 0 { Modifiers::COMMAND } else { held };
                let event = |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
                out.extend([event(true), event(false)]);
            }
            18 | 19 => {
                let words = [
                    "1",
                    "-2.5",
                    "e",
                    "x",
                    "9999999999",
                    "°",
                    "box",
                    ".",
                    "-",
                    "\u{301}",
                    " ",
                    "0",
                    "1e30",
                    "nan",
                    "Δ/2",
                ];
                out.push(Event::Text((*self.dice.one(&words)).into()));
            }
            20 => out.push(Event::MouseWheel {
                unit: *self.dice.one(&[MouseWheelUnit::Point, MouseWheelUnit::Line, MouseWheelUnit::Page]),
                delta: vec2(self.dice.between(-9.0, 9.0), self.dice.between(-90.0, 90.0)),
                phase: TouchPhase::Move,
                source: MouseWheelSource::Unknown,
                modifiers: held,
            }),
            21 => {
                let choices = [Modifiers::NONE, Modifiers::NONE, Modifiers::SHIFT, Modifiers::ALT, Modifiers::COMMAND];
                self.held = *self.dice.one(&choices);
                out.push(Event::ModifiersChanged(self.held));
            }
            22 => {
                let texts = [
                    "",
                    "(",
                    "(version: 1, title: \"p\", bodies: [(name: \"p\", shape: Sphere(radius: 0.3), at: (0, 0, 3))])",
                ];
                out.push(match self.dice.below(4) {
                    0 => Event::Copy,
                    1 => Event::Cut,
                    _ => Event::Paste((*self.dice.one(&texts)).into()),
                });
            }
            _ => out.push(match self.dice.below(4) {
                0 => Event::PointerGone,
                1 => Event::WindowFocused(self.dice.below(2) == 0),
                2 => Event::Zoom(self.dice.between(0.5, 2.0)),
                _ => Event::MouseMoved(vec2(self.dice.between(-99.0, 99.0), 3.0)),
            }),
        }
    }
}

/// Events from outside the panels.
fn outside(app: &mut App, hand: &mut Hand, files: &[PathBuf], folder: &Path) {
    match hand.dice.below(60) {
        0 => app.carry_out(Request::Open(hand.dice.one(files).clone())),
        1 => {
            // Another program changes the file.
            let text = app.session.file().and_then(|file| std::fs::read_to_string(file).ok());
            if let (Some(file), Some(text)) = (app.session.file(), text) {
                let text = if hand.dice.below(3) == 0 { text.replacen('(', "", 1) } else { format!("{text}// more\n") };
                std::fs::write(file, text).expect("the file can be written");
            }
            app.file_touched();
        }
        2 => {
            let purpose = *hand.dice.one(&[
                Purpose::Open,
                Purpose::Save,
                Purpose::Export,
                Purpose::Recording,
                Purpose::Figure,
                Purpose::Results,
                Purpose::Analysis(AnalysisFile::Csv),
                Purpose::Film,
            ]);
            let name = format!("mine/{}.ron", hand.dice.below(4));
            let path = (hand.dice.below(3) > 0).then(|| folder.join(name));
            let unavailable = path.is_none() && purpose == Purpose::Open;
            app.answered(Answer { purpose, path, unavailable });
        }
        3 => app.carry_out(Request::Quit),
        4..=9 => {
            // Otherwise the first question would stay open until the end.
            if let Some(question) = app.state.questions.unsaved.take() {
                app.carry_out(Request::Discard(Box::new(question.then)));
            }
        }
        _ => {}
    }
}

fn frame(app: &mut App, hand: &mut Hand, number: usize, events: Vec<Event>) {
    let input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, hand.size)),
        time: Some(number as f64 / 60.0),
        predicted_dt: 1.0 / 60.0,
        events,
        focused: true,
        ..RawInput::default()
    };
    app.session.advance(Duration::from_millis(16), Duration::from_secs(1));
    let (mut output, requests) = app.panels(input, "no adapter", 16.0);
    app.state.view3d.camera.update(1.0 / 60.0);
    if let Some(tree) = output.platform_output.accesskit_update.take() {
        let middle = |b: egui::accesskit::Rect| Pos2::new(((b.x0 + b.x1) / 2.0) as f32, ((b.y0 + b.y1) / 2.0) as f32);
        // An empty container has no position.
        let middles = tree.nodes.iter().filter_map(|(_, node)| node.bounds().map(middle));
        hand.controls = middles.filter(|middle| middle.is_finite()).collect();
    }
    if number.is_multiple_of(8) {
        let shapes = std::mem::take(&mut output.shapes);
        let _ = app.ctx.tessellate(shapes, output.pixels_per_point);
        let others = compare::pictures(&app.session, &app.ctx.global_style().visuals);
        let show = show(&app.state, &app.session, Theme::Dark, output.pixels_per_point, &others);
        app.picture_builder.set(app.session.snapshot(), &show);
    }
    output.drop_without_applying_deltas();
    for request in requests {
        app.carry_out(request);
    }
    app.quitting = false;
    // A path typed here would be written relative to the tests' working directory.
    if app.state.questions.path_field.as_ref().is_some_and(|field| field.purpose != Purpose::Open) {
        app.state.questions.path_field = None;
    }
    // Nor may a file outside the test's folder be replaced.
    app.state.questions.replace = None;
}

#[test]
fn ten_thousand_random_events_do_not_panic() {
    // The environment can set another seed and number of events.
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let seed = number("DELASSUS_SEED").unwrap_or(20_261_121);
    let events = number("DELASSUS_ATTACK").unwrap_or(10_000) as usize;
    let folder = tempfile::tempdir().expect("a folder");
    let files = library(folder.path());
    let mut app = App::with(None, Config::default(), Recovery::new(None), folder.path().into());
    app.ctx.enable_accesskit();
    app.refresh_shelf();
    app.carry_out(Request::Open(files[0].clone()));
    assert!(app.session.scene().is_some(), "{:?}", files[0]);
    let mut hand = Hand {
        dice: Dice::new(seed),
        at: Pos2::ZERO,
        held: Modifiers::NONE,
        size: vec2(1280.0, 800.0),
        controls: Vec::new(),
    };
    let (mut count, mut number, mut edits, mut opened) = (0, 0, 0, 0);
    let mut last: Vec<String> = Vec::new();
    while count < events {
        let mut events = Vec::new();
        while events.len() < 6 {
            hand.event(&mut events);
        }
        if hand.dice.below(40) == 0 {
            hand.size = vec2(hand.dice.between(1.0, 2400.0), hand.dice.between(1.0, 1600.0));
        }
        (count, number) = (count + events.len(), number + 1);
        last.push(format!("{number}: {:?} {events:?}", hand.size));
        let done = catch_unwind(AssertUnwindSafe(|| {
            outside(&mut app, &mut hand, &files, folder.path());
            frame(&mut app, &mut hand, number, events);
        }));
        if let Err(panic) = done {
            let from = last.len().saturating_sub(12);
            eprintln!("after\n{}", last[from..].join("\n"));
            resume_unwind(panic);
        }
        edits = edits.max(app.session.past().len());
        opened = opened.max(app.session.opened());
    }
    // The events had effects.
    assert!(edits > 3 && opened > 3, "{edits} edits, {opened} scenes");
}

/// The room of the findings had a least height above its largest.
#[test]
fn findings_in_a_low_window_do_not_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("weak.ron");
    let scene = r#"(version: 1, title: "Weak",
        bodies: [(name: "arm", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.5, 0, 1))],
        joints: [(name: "shoulder", a: "world", b: "arm", anchor: (0, 0, 1), axis: (0, 1, 0),
            kind: Hinge(motor: (speed: 0, max_torque: 0.001)))])"#;
    std::fs::write(&file, scene).expect("a file");
    let mut app = App::with(None, Config::default(), Recovery::new(None), folder.path().into());
    app.carry_out(Request::Open(file));
    let body = app.session.snapshot().bodies[0].id;
    let mut hand =
        Hand { dice: Dice::new(1), at: Pos2::ZERO, held: Modifiers::NONE, size: vec2(1280.0, 800.0), controls: vec![] };
    for number in 0..240 {
        app.state.selection.bodies = vec![body];
        // Findings come after a while: after that, all heights.
        if number >= 60 {
            hand.size.y = 6.0 * (number - 60) as f32;
        }
        frame(&mut app, &mut hand, number, Vec::new());
    }
    let findings = app.session.findings();
    assert!(findings.iter().any(|finding| finding.bodies.contains(&body)), "{findings:?}");
}
