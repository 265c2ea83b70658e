//! The page of *Analyse*: its numbers are those of the library behind the command, and what is refused can be mended.

use egui::Role;
use egui_kittest::kittest::Queryable;

use super::inspector::{Window, enter, undo, window};
use crate::request::Request as PanelRequest;
use delassus_session::Edit;
use delassus_session::analysis::{AnalysisFile, Quantity, Request, Travel};

/// A slider–crank of r = 0.5 m and l = 2 m in line, and a double pendulum beside it.
const SCENE: &str = r#"(
    version: 1,
    title: "Crank",
    settings: (preset: SingleStep),
    bodies: [
        (name: "crank", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.25, 0, 0), mass: 2, collide: false),
        (name: "rod", shape: Box(half: (1, 0.125, 0.125)), at: (1.5, 0, 0), mass: 1, collide: false),
        (name: "slider", shape: Box(half: (0.25, 0.125, 0.125)), at: (2.5, 0, 0), mass: 4, collide: false),
        (name: "upper", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.5, 5, 0), mass: 1, collide: false),
        (name: "lower", shape: Box(half: (0.25, 0.125, 0.125)), at: (1.5, 5, 0), mass: 1, collide: false),
    ],
    joints: [
        (name: "guide", b: "slider", axis: (1, 0, 0), kind: Prismatic),
        (name: "crank", b: "crank", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(motor: (speed: 2, max_torque: 5))),
        (name: "pin", a: "crank", b: "rod", anchor: (0.5, 0, 0), kind: BallSocket),
        (name: "wrist", a: "slider", b: "rod", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: ConstantVelocity),
        (name: "shoulder", b: "upper", anchor: (0, 5, 0), axis: (0, -1, 0), kind: Hinge),
        (name: "elbow", a: "upper", b: "lower", anchor: (1, 5, 0), axis: (0, -1, 0), kind: Hinge),
    ],
)"#;

const GUIDE: usize = 0;
const CRANK: usize = 1;
const SHOULDER: usize = 4;

fn page(text: &str) -> Window {
    let mut harness = window(text);
    harness.state_mut().state.analyse.open = true;
    harness.run();
    harness
}

fn click(harness: &mut Window, name: &str) {
    harness.get_by_label(name).click();
    harness.run();
}

/// What the page asks for now.
fn request(harness: &Window) -> Request {
    harness.state().state.analyse.shown().expect("a result").request.clone()
}

fn choose(harness: &mut Window, list: &str, entry: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run();
    let entries: Vec<_> = harness.query_all_by_label(entry).collect();
    entries.last().expect("the entry").click();
    drop(entries);
    harness.run();
}

/// Moves the cursor on by so many samples, by the keyboard.
fn along(harness: &mut Window, samples: usize) {
    harness.get_by_role_and_label(Role::Slider, "Sample").focus();
    harness.run();
    for _ in 0..samples {
        harness.key_press(egui::Key::ArrowRight);
        harness.run();
    }
}

/// It closed the page behind the list.
#[test]
fn escape_closes_an_open_list_before_the_page() {
    let mut harness = page(SCENE);
    harness.get_by_role_and_label(Role::ComboBox, "Output joint").click();
    harness.run();
    assert!(egui::Popup::is_any_open(&harness.ctx));
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(!egui::Popup::is_any_open(&harness.ctx));
    assert!(harness.state().state.analyse.open);
    // The list has given the keyboard back, or does so now.
    for _ in 0..2 {
        harness.key_press(egui::Key::Escape);
        harness.run();
    }
    assert!(!harness.state().state.analyse.open);
}

/// The joint with a motor drives at the motor's speed. Crank and rod are in line at 180°, and 5 N·m are too little.
#[test]
fn the_numbers_of_the_page_are_those_of_the_command() {
    let mut harness = page(SCENE);
    let asked = request(&harness);
    assert_eq!((asked.joint, asked.speed, asked.travel, asked.samples), (CRANK, 2.0, Travel::Turns(1.0), 72));
    enter(&mut harness, "Intervals", "12");
    choose(&mut harness, "Output joint", "guide");
    let asked = request(&harness);
    assert_eq!((asked.samples, asked.output), (12, Some(GUIDE)));
    let library = harness.state().session.analyse(asked)(None).expect("a scene");
    let analysis = library.result.as_ref().expect("it can be analysed");
    let shown = harness.state().state.analyse.shown().expect("a result");
    assert_eq!(shown.result.as_ref().expect("it can be analysed"), analysis);
    assert_eq!(analysis.samples.len(), 13);
    for (at, value) in [("0.0000°", "0 m"), ("180.0000°", "−1.00000 m")] {
        let line = format!("Dead centre of guide at {at}: it turns back at {value}");
        assert!(harness.query_by_label(&line).is_some(), "{line}");
    }
    let said = harness.query_all_by_label_contains("Motor of crank: has 5.00000 N·m, needs").count();
    assert_eq!(said, 1);
    assert!(harness.query_by_label_contains(": too little").is_some());
    // At the cursor: rest at 0° needs m g r/2 of the crank and half the rod's weight at r.
    let still = Quantity::DriveAtRest.of(&analysis.samples[0]);
    assert!((still - 9.81 * (2.0 * 0.25 + 0.25)).abs() < 1e-5, "{still}");
    assert!(harness.query_by_label("drive at rest 7.35750 N·m").is_some());
    // A quarter turn on, by the keyboard: x = √(l² − r²) − r − l, and the slider goes at −r for each rad.
    along(&mut harness, 3);
    assert!(harness.query_by_label("crank 90.0000°").is_some());
    let x = (4.0f64 - 0.25).sqrt() - 2.5;
    let label = format!("guide {x:.6} m").replace('-', "−");
    assert!(harness.query_by_label(&label).is_some(), "{label}");
    assert!(harness.query_by_label("advantage −2.00000").is_some());
    assert!(harness.query_by_label_contains("guide, force ").is_some());
    choose(&mut harness, "Load plotted", "ratio");
    assert!(harness.query_by_label_contains("guide, force ").is_none());
    assert!(harness.query_by_label("ratio −0.500000").is_some());
    for plot in ["Motion plotted", "Drive plotted", "Load plotted"] {
        assert!(harness.query_all_by_label(plot).next().is_some(), "{plot}");
    }
}

/// The table has the command's columns, others can be chosen, and a click on a line moves the cursor.
#[test]
fn the_table_has_a_line_for_each_sample_and_its_columns_can_be_chosen() {
    let mut harness = page(SCENE);
    enter(&mut harness, "Intervals", "4");
    click(&mut harness, "Analysis as: Table");
    for cell in ["0", "90.0000", "180.000", "270.000", "360.000"] {
        assert!(harness.query_all_by_label(cell).next().is_some(), "{cell}");
    }
    harness.query_all_by_label("180.000").next().expect("the line").click();
    harness.run();
    assert_eq!(harness.state().state.analyse.sample(), 2);
    assert!(harness.query_by_label("pin, force").is_none());
    click(&mut harness, "Columns of the table");
    click(&mut harness, "Column pin, force");
    assert!(harness.query_by_label("pin, force").is_some());
    click(&mut harness, "The usual columns");
    click(&mut harness, "Columns of the table");
    assert!(harness.query_by_label("pin, force").is_none());
    click(&mut harness, "Analysis as: Plots");
    assert!(harness.query_by_label("crank 180.000°").is_some());
}

/// The pointer reads a sample, and a click keeps it.
#[test]
fn the_pointer_over_a_plot_reads_a_sample() {
    let mut harness = page(SCENE);
    let place = harness.get_by_label("Drive plotted").rect();
    let move_to = |harness: &mut Window, at: egui::Pos2| {
        harness.event(egui::Event::PointerMoved(at));
        harness.run();
    };
    let sample = |harness: &Window| harness.state().state.analyse.sample();
    move_to(&mut harness, place.center());
    let under = sample(&harness);
    assert!((20..=60).contains(&under), "{under}");
    move_to(&mut harness, place.left_top() - egui::vec2(20.0, 200.0));
    assert_eq!(sample(&harness), 0, "the pointer is elsewhere");
    move_to(&mut harness, place.center());
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: place.center(), button, pressed, modifiers });
        harness.run();
    }
    move_to(&mut harness, place.left_top() - egui::vec2(20.0, 200.0));
    assert_eq!(sample(&harness), under);
}

/// The shoulder leaves the elbow free: a click holds it, and the tick box releases it.
#[test]
fn what_else_can_move_is_held_with_a_click() {
    let mut harness = page(SCENE);
    harness.state_mut().state.selection.click_joint(SHOULDER);
    harness.run();
    assert!(harness.query_by_label("Drive shoulder").is_some(), "beside the list");
    click(&mut harness, "Close Analyse a mechanism");
    click(&mut harness, "Analyse over its travel");
    assert!(harness.state().state.analyse.open && harness.query_by_label("Drive shoulder").is_none());
    assert_eq!(request(&harness).joint, SHOULDER);
    let why = "Besides `shoulder`, 1 motion is free. These joints move in it: elbow. Hold joints until none is free.";
    assert!(harness.query_by_label(why).is_some());
    assert!(harness.query_by_label("Sample").is_none());
    click(&mut harness, "Hold elbow");
    assert!(harness.state().state.analyse.shown().expect("a result").result.is_ok());
    assert!(harness.query_by_label_contains("Shoulder needs a drive of up to").is_some());
    click(&mut harness, "elbow is held");
    assert!(harness.query_by_label(why).is_some());
    // Another joint's page begins anew.
    choose(&mut harness, "Driven joint", "crank");
    assert!(harness.query_by_label("elbow is held").is_none());
    assert!(harness.query_by_label_contains("Motor of crank").is_some());
}

/// Wrong numbers say what is wrong, and the form stays.
#[test]
fn a_travel_that_makes_no_sense_says_why() {
    let mut harness = page(SCENE);
    click(&mut harness, "Travel: From – to");
    assert_eq!(request(&harness).travel, Travel::Between(0.0, std::f64::consts::TAU));
    enter(&mut harness, "To", "0");
    assert!(harness.query_by_label_contains("The travel: expected two different values from").is_some());
    enter(&mut harness, "To", "90");
    assert!(harness.query_by_label_contains("Motor of crank").is_some());
    // The slider has no limits, and stands at its dead centre.
    choose(&mut harness, "Driven joint", "guide");
    let why = "This joint slides without limits. Give both ends of its travel.";
    assert!(harness.query_by_label(why).is_some());
    click(&mut harness, "Travel: From – to");
    assert!(harness.query_by_label_contains("`guide` cannot move at its start").is_some());
}

/// A quarter of the way from the pin to the wrist, the point's path is an ellipse: half as high as ¾ r.
#[test]
fn the_path_of_a_followed_point_is_drawn_and_exported() {
    let mut harness = page(SCENE);
    enter(&mut harness, "Intervals", "24");
    assert!(harness.state().state.view3d.preview.lines.is_empty());
    harness.get_by_role_and_label(Role::Button, "SVG…").click();
    harness.run();
    let files = |harness: &Window| -> Vec<(AnalysisFile, String)> {
        let asked = harness.state().asked.iter();
        let file = |request: &PanelRequest| match request {
            PanelRequest::AnalysisDialog(file, text) => Some((*file, text.clone())),
            _ => None,
        };
        asked.filter_map(file).collect()
    };
    assert!(files(&harness).is_empty(), "there is no path");
    harness.state_mut().state.selection.click_body(2, false);
    harness.run();
    click(&mut harness, "Follow rod");
    enter(&mut harness, "Point x", "-0.5");
    let preview = &harness.state().state.view3d.preview;
    assert_eq!(preview.lines.len(), 24);
    let highest = preview.lines.iter().map(|(a, ..)| a.z).fold(0.0, f32::max);
    assert!((highest - 0.375).abs() < 1e-6, "{highest}");
    // The world's centre of the crank is its bearing; that of the crank and the rod is the pin.
    let words: Vec<&String> = preview.words.iter().map(|(_, words)| words).collect();
    assert!(words.iter().any(|words| words.contains("world–crank")), "{words:?}");
    assert!(preview.ghosts.is_empty(), "the mechanism stands there");
    click(&mut harness, "Instant centres in the view");
    assert!(harness.state().state.view3d.preview.words.is_empty());
    for name in ["CSV…", "SVG…", "DXF…", "Report…"] {
        click(&mut harness, name);
    }
    let files = files(&harness);
    assert_eq!(files.iter().map(|(file, _)| *file).collect::<Vec<_>>(), {
        use AnalysisFile::{Csv, Dxf, Html, Svg};
        [Csv, Svg, Dxf, Html]
    });
    assert_eq!(files[0].1.lines().count(), 26);
    assert!(files[1].1.contains("Crank: rod -0.5,0,0") && files[1].1.contains("<polyline"));
    assert_eq!(files[2].1.matches("VERTEX").count(), 24);
    assert!(files[3].1.contains("<h2>Path of the point</h2>"));
}

/// The scene is posed like the sample at the cursor, as one entry that can be undone.
#[test]
fn the_scene_is_posed_at_the_cursor() {
    let mut harness = page(SCENE);
    enter(&mut harness, "Intervals", "8");
    along(&mut harness, 2);
    assert_eq!(harness.state().state.view3d.preview.ghosts.len(), 3, "crank, rod and slider");
    click(&mut harness, "Pose the scene here");
    let pose = |request: &PanelRequest| {
        matches!(request, PanelRequest::Session(delassus_session::Command::Edit { edit: Edit::Pose { .. }, .. }))
    };
    assert!(harness.state().asked.iter().any(pose));
    assert_eq!(harness.state().session.undo_label(), Some("Pose crank"));
    let value = harness.state().session.coordinates(CRANK)[0].value;
    assert!((value - std::f64::consts::FRAC_PI_2).abs() < 1e-5, "{value}");
    // The travel begins where the scene stands now.
    let analysis = harness.state().state.analyse.shown().expect("a result");
    let first = analysis.result.as_ref().expect("it can be analysed").samples[0].value;
    assert!((first - value).abs() < 1e-5, "{first}");
    undo(&mut harness);
    assert!(harness.state().session.coordinates(CRANK)[0].value.abs() < 1e-6);
    harness.state_mut().session.dispatch(delassus_session::Command::Step).expect("a step");
    harness.run();
    click(&mut harness, "Back to the start to pose");
    assert_eq!(harness.state().session.snapshot().step, 0);
}

#[test]
fn a_scene_without_joints_says_what_the_page_needs() {
    let mut harness = page(r#"(version: 1, title: "t", bodies: [(name: "ball", shape: Sphere(radius: 0.1))])"#);
    let needs = "This page takes a mechanism through the travel of a joint.";
    let said = format!("{needs} The scene has no joint.");
    assert!(harness.query_by_label(&said).is_some());
    click(&mut harness, "Close Analyse a mechanism");
    assert!(!harness.state().state.analyse.open);
    let ball = r#"(version: 1, title: "t", bodies: [(name: "ball", shape: Sphere(radius: 0.1))],
        joints: [(name: "hook", b: "ball", anchor: (0, 0, 1), kind: BallSocket)])"#;
    let harness = page(ball);
    assert!(harness.query_by_label_contains("The scene has no such joint.").is_some());
}

/// Another unit of angles, a changed setting and a removed joint: the page follows.
#[test]
fn the_page_follows_the_scene_and_the_unit_of_angles() {
    let mut harness = page(SCENE);
    harness.state_mut().state.angles = crate::widgets::angles::Angles::Radians;
    harness.run();
    assert!(harness.query_by_label_contains("Dead centre of guide at 3.1416 rad").is_some());
    let set = |harness: &mut Window, gravity: [f32; 3]| {
        let value = delassus_physics::setting::Value::Vector(gravity.into());
        let command = delassus_session::Command::Set { name: "step.gravity", value };
        harness.state_mut().session.dispatch(command).expect("a setting");
        harness.run();
    };
    set(&mut harness, [0.0, 0.0, -1.0]);
    assert!(harness.query_by_label("drive at rest 0.750000 N·m").is_some());
    let edit = Edit::Remove { bodies: Vec::new(), joints: vec!["crank".to_owned()] };
    let command = delassus_session::Command::Edit { edit, gesture: None };
    harness.state_mut().session.dispatch(command).expect("an edit");
    harness.run();
    assert_eq!(request(&harness).joint, GUIDE, "the first that can drive");
}
