//! A command line reproduces the state for which it was made.

use glam::Vec3;

use super::{config::Config, random_tests::Dice, recovery::Recovery, window::App};
use delassus_launch::{LaunchOptions, line};
use delassus_physics::setting::{Domain, Setting, Value};
use delassus_physics::settings::{LIST, Settings};
use delassus_render::orbit_view::{AxisView, OrbitView};
use delassus_scene::library::{library, scenes_folder};
use delassus_session::Command;
use delassus_ui::request::Request;

fn app() -> App {
    App::with(None, Config::default(), Recovery::new(None), scenes_folder())
}

/// The command line that is copied to the clipboard.
fn copied(app: &mut App) -> String {
    app.ctx.output_mut(|output| output.commands.clear());
    app.carry_out(Request::CopyLine);
    app.ctx.output(|output| match output.commands.as_slice() {
        [egui::OutputCommand::CopyText(text)] => text.clone(),
        other => panic!("{other:?}"),
    })
}

fn wanted(text: &str) -> LaunchOptions {
    line::read(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// A random valid value of a setting.
fn value(setting: &Setting, dice: &mut Dice) -> Value {
    let part = |dice: &mut Dice| (dice.next() >> 40) as f32 / (1_u64 << 24) as f32;
    match setting.domain {
        Domain::Switch => Value::Bool(dice.next().is_multiple_of(2)),
        Domain::Integer { min, max } => Value::Int(min + (dice.next() % u64::from((max - min).min(99) + 1)) as u32),
        Domain::Real { min, max } => Value::Real((min + (max - min) * part(dice).powi(4)).clamp(min, max)),
        Domain::Choice(choices) => Value::Choice(choices.names[dice.next() as usize % choices.names.len()]),
        Domain::Vector { max } => Value::Vector(Vec3::from_array([(); 3].map(|()| (2.0 * part(dice) - 1.0) * max))),
    }
}

#[test]
fn a_line_opens_the_same_scene_with_the_same_experiment_settings_and_camera() {
    let mut dice = Dice::new(14);
    let scenes: Vec<_> =
        library(&scenes_folder()).into_iter().filter(|e| e.bodies().is_some_and(|n| n < 200)).collect();
    assert!(scenes.len() > 60, "{}", scenes.len());
    for entry in scenes {
        let mut there = app();
        there.carry_out(Request::Open(entry.path.clone()));
        let experiments = there.session.scene().map_or(0, |scene| scene.experiments.len());
        let which = dice.next() as usize % (experiments + 1);
        if which < experiments {
            there.dispatch(Command::ApplyExperiment(which));
        }
        for _ in 0..dice.next() % 4 {
            let setting = &LIST[dice.next() as usize % LIST.len()];
            let value = value(setting, &mut dice);
            assert!(there.dispatch(Command::Set { name: setting.name, value }), "{} {value}", setting.name);
        }
        let [x, y, z] = [(); 3].map(|()| (dice.next() % 2000) as f32 * 0.01 - 10.0);
        let camera = &mut there.state.view3d.camera;
        match dice.next() % 4 {
            0 => {
                camera.look_along(AxisView::Top);
                camera.arrive();
            }
            1 => camera.set(OrbitView { focus: Vec3::new(x, y, z), distance: 3.0, yaw: x * 0.3, pitch: 1.57 }),
            2 => camera.set(OrbitView { focus: Vec3::new(x, y, z), distance: 0.05, yaw: y * 0.3, pitch: 0.0 }),
            _ => camera.set(OrbitView::between(Vec3::new(x, y, z), Vec3::new(z, x, y + 0.5))),
        }
        let text = copied(&mut there);

        let mut here = app();
        here.carry_out(Request::OpenLaunch(Box::new(wanted(&text))));
        assert_eq!(here.session.file(), there.session.file(), "{text}");
        assert_eq!(here.session.settings(), there.session.settings(), "{text}");
        let (a, b) = (&there.state.view3d.camera, &here.state.view3d.camera);
        assert_eq!(a.has_perspective(), b.has_perspective(), "{text}");
        // To a share of the distance; from straight above the view is tilted by a hundredth.
        let far = (a.eye().distance(b.eye()) + a.view.focus.distance(b.view.focus)) / a.view.distance;
        let turned = (a.view.right() - b.view.right()).length();
        assert!(far < 0.012 && turned < 0.02, "{text}: {far} {turned}");
        // The line has only the settings that differ from the experiment in it, or from the file.
        let changed = text.matches(" --set ").count();
        let from = there.session.scene().map(|scene| scene.experiments.clone()).unwrap_or_default();
        let mut base = *there.session.file_settings();
        if let Some(experiment) =
            from.iter().find(|experiment| text.contains(" --experiment ") && shows(&there, experiment))
        {
            experiment.set.apply(&mut base);
        }
        assert_eq!(changed, differ(&base, there.session.settings()), "{text}");
        // An opened line is not an unsaved change, and one command resets it.
        assert!(!here.session.is_dirty(), "{text}");
        here.dispatch(Command::ResetSettings);
        assert_eq!(here.session.settings(), here.session.file_settings(), "{text}");
        assert!(!here.session.is_dirty(), "{text}");
    }
}

fn shows(app: &App, experiment: &delassus_scene::Experiment) -> bool {
    app.session.shown_experiment() == Some(experiment.name.as_str())
}

fn differ(a: &Settings, b: &Settings) -> usize {
    LIST.iter().filter(|setting| (setting.get)(a) != (setting.get)(b)).count()
}

/// Names that a shell would split, and an experiment that begins like an option.
const ODD: &str = r#"(
    version: 1, title: "Odd",
    bodies: [(name: "ball", shape: Sphere(radius: 0.2), at: (0, 0, 1))],
    experiments: [
        (name: "-β = 0.2; it's \"$HOME\" `ls` \\ !*", set: (solver: (iterations: 3))),
        (name: "--set", set: (solver: (iterations: 4))),
    ],
)"#;

#[test]
fn odd_names_are_quoted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("it's $(odd) & \"süß\"; #1.ron");
    std::fs::write(&file, ODD).expect("a file");
    for index in 0..2 {
        let mut there = app();
        there.carry_out(Request::Open(file.clone()));
        there.dispatch(Command::ApplyExperiment(index));
        let text = copied(&mut there);
        let mut here = app();
        here.carry_out(Request::OpenLaunch(Box::new(wanted(&text))));
        assert_eq!(here.session.active_experiment(), Some(index), "{text}");
        assert_eq!(here.session.file().and_then(|f| f.canonicalize().ok()), file.canonicalize().ok(), "{text}");
        // A shell reads the same words.
        #[cfg(unix)]
        {
            let script = text.replacen("delassus", "printf '%s\\n'", 1);
            let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
            let words = String::from_utf8(shell.stdout).expect("text");
            let name = &here.session.scene().expect("it is open").experiments[index].name;
            assert!(words.lines().any(|word| word == name), "{text}\n{words}");
            assert!(words.lines().any(|word| word == file.to_str().expect("text")), "{text}\n{words}");
        }
    }
}

#[test]
fn what_a_line_cannot_open_is_told() {
    let mut app = app();
    app.carry_out(Request::New);
    app.carry_out(Request::CopyLine);
    assert!(app.state.notices.iter().any(|notice| notice.text.contains("save it first")));
    // For an edited scene the line opens the saved file, and a notice says so.
    let entry = library(&scenes_folder()).into_iter().find(|e| e.id == "book/08-pendulum").expect("it is there");
    let text = std::fs::read_to_string(&entry.path).expect("a scene").replacen("title: \"", "title: \"My ", 1);
    app.dispatch(Command::Recover { text, file: Some(entry.path), base: None });
    let said = copied(&mut app);
    assert!(said.starts_with("delassus book/08-pendulum --eye "), "{said}");
    let notice = app.state.notices.iter().last().map(|notice| notice.text.clone()).unwrap_or_default();
    assert!(notice.contains("as it was saved last") && notice.contains(&said), "{notice}");
    // An unknown experiment is an error.
    let Err(why) = line::read("delassus book/08-pendulum --experiment Nosuch") else { panic!("there is none") };
    assert!(why.contains("no experiment is called `Nosuch`"), "{why}");
}

#[test]
fn a_lesson_of_ones_own_stands_in_the_guide_and_follows_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = delassus_scene::library::source_scenes().join("../docs/examples");
    for name in ["lesson.ron", "two-pendulums.ron"] {
        std::fs::copy(examples.join(name), folder.path().join(name)).expect("an example");
    }
    let file = folder.path().join("lesson.ron");
    let mut app = app();
    app.refresh_shelf();
    let before = app.shelf.lessons.len();
    app.open_lesson(file.clone());
    let title = |app: &App| {
        let empty = delassus_scene::Scene::default();
        let pick = |_, _| None;
        let view = delassus_ui::view::View::of(&app.session, &empty, &app.shelf, &pick, "", 0.0);
        let index = delassus_ui::panels::lesson::of(&view, &app.state.lessons).expect("it has a lesson");
        app.shelf.lessons[index].title.clone()
    };
    assert_eq!((title(&app).as_str(), app.session.title().as_str()), ("A quarter of the length", "Two pendulums"));
    assert_eq!(app.state.right_tab, delassus_ui::RightTab::Guide);
    assert_eq!(app.shelf.lessons.len(), before + 1);
    // Changes of the file are read when the window gets the focus; a version with mistakes is ignored.
    let text = std::fs::read_to_string(&file).expect("the lesson");
    for (from, to, then) in
        [("A quarter", "A part", "A part of the length"), ("title:", "titel:", "A part of the length")]
    {
        let text = text.replacen("A quarter", "A part", 1).replacen(from, to, 1);
        std::fs::write(&file, text).expect("it can be written");
        app.refresh_shelf();
        assert_eq!(title(&app), then);
    }
    // An own lesson about a library scene replaces the library's lesson there.
    let text =
        text.replacen("two-pendulums", "book/09-chain", 1).replacen("experiment: \"On the moon\"", "speed: 1", 1);
    std::fs::write(&file, text).expect("it can be written");
    app.open_lesson(file);
    assert_eq!(title(&app), "A quarter of the length");
    // It is still not counted among the library's lessons.
    let own: Vec<_> = app.shelf.lessons.iter().filter(|lesson| lesson.is_own()).collect();
    assert_eq!((own.len(), own[0].title.as_str()), (1, "A quarter of the length"));
}
