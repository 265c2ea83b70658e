//! The laboratory's tabs, driven by the names of their controls.

use std::time::Duration;

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, click, window_of};
use crate::panels::laboratory::{Instrument, inside::Walk};
use crate::shell::action::Action;
use crate::shell::state::BottomTab;
use delassus_physics::balance::Cause;
use delassus_session::{Accounted, Accounts, Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Two pendulums and a box",
    settings: (preset: SingleStep, solver: (rows: Block), stabilization: (method: Split)),
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5)),
        (name: "upper", shape: Sphere(radius: 0.1), at: (3, 0, 3), collide: false),
        (name: "lower", shape: Sphere(radius: 0.1), at: (4, 0, 3), collide: false),
    ],
    joints: [
        (name: "hook", b: "upper", anchor: (2, 0, 3), kind: BallSocket),
        (name: "link", a: "upper", b: "lower", anchor: (3, 0, 3), kind: BallSocket),
    ],
)"#;

fn bench() -> Harness<'static, Bench> {
    let mut session = Session::from_text(SCENE, "lab.ron").expect("the scene is right");
    (0..5).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let mut harness = window_of(Bench::of(session));
    harness.run();
    harness
}

fn open(harness: &mut Harness<'_, Bench>, of: Instrument) {
    harness.state_mut().state.pending.push(Action::Laboratory(of));
    harness.run();
    assert_eq!(harness.state().state.bottom_tab, BottomTab::Lab(of));
}

#[test]
fn the_table_has_every_row_and_a_click_writes_one_as_its_equation() {
    let mut harness = bench();
    click(&mut harness, "Bottom tab: Rows");
    // Two ball joints of three rows, and a box on four points with patch friction: 4 normals, 2 tangents, a twist.
    let rows = harness.get_by_label_contains("step 6, the next").value().unwrap_or_default();
    assert!(harness.query_by_label_contains("13 rows · step 6").is_some(), "{rows}");
    harness.state_mut().state.laboratory.rows.search = "link".into();
    harness.run();
    assert!(harness.query_by_label_contains("3 rows · step 6").is_some());
    harness.get_all_by_label("anchor 2").next().expect("a row").click();
    harness.run();
    assert!(harness.query_by_label("link: anchor 2").is_some(), "the row's equation");
    // A row chosen in the table selects its joint.
    assert_eq!(harness.state().state.selection.joint, Some(1));
}

/// The text is the table in columns, with units, and only the rows that match the search.
#[test]
fn the_rows_are_copied_as_text_as_far_as_the_search_leaves_them() {
    let mut harness = bench();
    open(&mut harness, Instrument::Rows);
    harness.state_mut().state.laboratory.rows.search = "normal, λ > 1e-4".into();
    harness.run();
    assert!(harness.query_by_label_contains("4 rows · step 6").is_some(), "four points bear the box");
    harness.get_by_label("Copy the rows as text").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let text = copied.expect("something is copied");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 4, "{text}");
    assert!(lines[0].starts_with("step 6"), "{text}");
    assert!(lines[2].starts_with("floor · box") && lines[2].contains("1/kg") && lines[2].contains("N·s"), "{text}");
    // The numbers of a column are aligned at their ends.
    let end = |line: &str| line.find("1/kg").map(|at| line[..at].chars().count());
    assert!(lines[3..].iter().all(|line| end(line) == end(lines[2])), "{text}");
    harness.state_mut().state.laboratory.rows.search = "λ > 1e6".into();
    harness.run();
    assert!(harness.query_by_label_contains("0 rows · step 6").is_some());
}

/// Curves of all rows, of each kind of rows, and of the distance to the direct solution.
#[test]
fn the_sweeps_are_shown_in_all_and_by_group() {
    let mut harness = bench();
    open(&mut harness, Instrument::Sweeps);
    for (curves, says) in [
        ("by group", "largest residual of each kind of rows, m/s, rad/s, after each sweep"),
        ("distance", "distance to the direct solution, √J, after each sweep"),
        ("residual", "largest residual, m/s, rad/s, after each sweep"),
    ] {
        click(&mut harness, &format!("Curves: {curves}"));
        assert!(harness.query_by_label(says).is_some(), "{curves}");
    }
}

#[test]
fn the_rows_are_copied_as_a_table_of_text() {
    let mut harness = bench();
    open(&mut harness, Instrument::Rows);
    harness.get_by_label("Copy the rows").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let text = copied.expect("something is copied");
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let head = table.headers().expect("a head").clone();
    let records: Vec<csv::StringRecord> = table.records().map(|record| record.expect("a row")).collect();
    assert_eq!((records.len(), head.len()), (13, 24));
    let column = |name: &str| head.iter().position(|column| column == name).expect("the column");
    // The normals carry the box's weight: density 1000 kg/m³, 1 m³.
    let normals = records.iter().filter(|record| record[column("row")].starts_with("normal"));
    let weight: f64 = normals.map(|record| record[column("force")].parse::<f64>().expect("a number")).sum();
    assert!((weight - 9810.0).abs() < 100.0, "{weight} N");
}

#[test]
fn matrix_and_sweeps_show_the_step() {
    let mut harness = bench();
    open(&mut harness, Instrument::Matrix);
    harness.get_by_label("Delassus matrix");
    // The box's contact has the most rows; the six of the pendulums are shown when one of them is selected.
    assert!(harness.query_by_label_contains("7 rows that hold").is_some());
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    assert!(harness.query_by_label_contains("6 rows that hold").is_some());
    open(&mut harness, Instrument::Sweeps);
    harness.get_by_label("Convergence");
    harness.get_by_label("Residual of each row");
    click(&mut harness, "All methods");
    click(&mut harness, "Curves: distance");
    // The same command again hides the dock.
    harness.state_mut().state.pending.push(Action::Laboratory(Instrument::Sweeps));
    harness.run();
    assert!(!harness.state().state.panels.plots);
}

#[test]
fn without_bodies_there_is_nothing_to_look_at() {
    let session = Session::from_text("(version: 1, title: \"t\")", "t.ron").expect("an empty scene");
    let mut harness = window_of(Bench::of(session));
    for of in [Instrument::Inside, Instrument::Rows, Instrument::Matrix, Instrument::Sweeps] {
        open(&mut harness, of);
        assert!(harness.query_by_label_contains("Only a scene with bodies has rows").is_some());
    }
}

/// The timeline within the step, by buttons and keys, block by block and sweep by sweep, to the step's end. Its drawing
/// in the view disappears with its tab.
#[test]
fn a_step_is_walked_through_from_inside() {
    let mut harness = bench();
    harness.state_mut().state.pending.push(Action::Inside(Walk::NextSweep));
    harness.run();
    assert_eq!(harness.state().state.bottom_tab, BottomTab::Lab(Instrument::Inside));
    // Forces, then the old impulses.
    assert!(harness.query_by_label("Old impulses applied").is_some());
    let drawn = |harness: &Harness<'_, Bench>| {
        let preview = &harness.state().state.view3d.preview;
        (preview.ghosts.len(), preview.arrows.len())
    };
    let (ghosts, arrows) = drawn(&harness);
    assert_eq!(ghosts, 3, "the box and the two pendulums");
    assert!(arrows > 0, "old impulses");
    click(&mut harness, "Next block");
    assert!(harness.query_by_label_contains("block 1 of 3").is_some(), "two joints and a contact");
    // With room for it, the program beside the plot, with what its lines came to.
    harness.set_size(egui::vec2(1600.0, 1400.0));
    harness.run();
    assert!(harness.query_by_label("λ := clamp(λ + Δλ)").is_some());
    assert!(harness.query_by_label_contains("N·s → ").is_some(), "an impulse before and after");
    assert_eq!(harness.state().state.view3d.preview.discs.len(), 3, "what two joints and a contact miss");
    harness.key_press_modifiers(Modifiers::ALT, Key::Period);
    harness.run();
    assert!(harness.query_by_label_contains("block 2 of 3").is_some());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Period);
    harness.run();
    assert!(harness.query_by_label_contains("block 3 of 3").is_some(), "the sweep's end");
    click(&mut harness, "Previous sweep");
    assert!(harness.query_by_label("Old impulses applied").is_some());
    for _ in 0..40 {
        harness.state_mut().state.pending.push(Action::Inside(Walk::NextSweep));
        harness.run();
    }
    assert!(harness.query_by_label("Bodies moved").is_some());
    let step = harness.state().session.snapshot().step;
    click(&mut harness, "Make the step");
    assert_eq!(harness.state().session.snapshot().step, step + 1);
    assert!(harness.query_by_label("Forces applied").is_some(), "the next step from its beginning");
    // It plays, and stops at the step's end.
    harness.state_mut().state.pending.push(Action::Inside(Walk::Play));
    harness.run_steps(200);
    assert!(harness.query_by_label("Forces applied").is_none());
    open(&mut harness, Instrument::Rows);
    assert_eq!(drawn(&harness), (0, 0));
}

/// The factors of the matrix and its elimination are one click away. The view shows the free motions, and the row
/// chosen in the table, for a contact with its features and the rule of its warm start.
#[test]
fn the_view_shows_what_the_tables_say() {
    let mut harness = bench();
    open(&mut harness, Instrument::Matrix);
    for (picture, shows) in
        [("J and M", "Inverse masses"), ("elimination", "Order of elimination"), ("A", "Delassus matrix")]
    {
        click(&mut harness, &format!("Picture: {picture}"));
        harness.get_all_by_label(shows).next().expect("the picture");
    }
    // A box on four points has a redundant row: the impulses that cancel are arrows in pairs.
    click(&mut harness, "Impulses that cancel");
    assert!(harness.state().state.view3d.preview.arrows.len() >= 2);
    click(&mut harness, "Impulses that cancel");
    assert!(harness.state().state.view3d.preview.arrows.is_empty());
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    click(&mut harness, "What stays free");
    assert!(harness.state().state.view3d.motion.is_some());
    harness.state_mut().state.view3d.motion = None;
    harness.state_mut().state.selection.clear();
    open(&mut harness, Instrument::Rows);
    harness.get_all_by_label("normal 1").next().expect("a row").click();
    harness.run();
    assert!(harness.query_by_label_contains("features:").is_some());
    assert!(harness.query_by_label("warm start: by feature id").is_some());
    let preview = &harness.state().state.view3d.preview;
    // J v of the box and the reaction in its cone; the points by their loads.
    assert!(preview.arrows.len() >= 2 && preview.points.len() >= 4, "{} arrows", preview.arrows.len());
    assert!(preview.words.iter().any(|(_, words)| words.contains("of the cone")), "{:?}", preview.words);
}

/// The table of rows once overflowed a low dock by 46 points, over the tabs and the picture.
#[test]
fn in_a_low_window_the_table_stays_within_its_dock() {
    let mut harness = bench();
    harness.set_size(egui::vec2(760.0, 500.0));
    for of in [Instrument::Rows, Instrument::Inside, Instrument::Matrix, Instrument::Sweeps] {
        open(&mut harness, of);
        // The dock needs a frame to reach its height.
        harness.run();
        let view = harness.get_by_label("3-D view").rect();
        let tab = harness.get_by_label("Bottom tab: Rows").rect();
        assert!(tab.top() >= view.bottom() - 1.0, "{of:?}: tabs from {}, the view to {}", tab.top(), view.bottom());
    }
}

/// The ledger has a line for each cause; in each column they sum to the measured change. A click on a spike goes to the
/// moment before that step, selects the owner of the row that contributed most, and draws that row in the view.
#[test]
fn a_spike_of_the_ledger_leads_to_its_step_and_row() {
    let mut session = Session::from_text(FALL, "fall.ron").expect("the scene is right");
    (0..60).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let mut harness = window_of(Bench::of(session));
    open(&mut harness, Instrument::Ledger);
    for name in ["Gravity", "Joints", "Contacts", "Friction", "Integrator", "Together", "Measured", "Drift"] {
        harness.get_all_by_label(name).next().unwrap_or_else(|| panic!("a line of {name}"));
    }
    for head in ["energy", "along x", "along y", "along z", "rotation", "momentum"] {
        harness.get_all_by_label(head).next().unwrap_or_else(|| panic!("a column of {head}"));
    }
    // The ball falls by 1.25 m, ½ g t² with g = 10 m/s²: it hits the floor after half a second, near step 30.
    let mut accounts = Accounts::default();
    accounts.update(&harness.state().session, 60, Duration::from_secs(60));
    let size = |account: &&Accounted| account.balance.of(Cause::Contacts).energy().abs();
    let spike = accounts.list().iter().max_by(|a, b| size(a).total_cmp(&size(b))).expect("steps");
    assert!(spike.step.abs_diff(30) <= 2, "step {}", spike.step);
    // Somewhere along the plot a click goes to that step.
    let plot = harness.get_by_label("Ledger along time").rect();
    let wanted = spike.step - 1;
    let mut found = false;
    for k in 8..40 {
        let at = egui::pos2(plot.left() + plot.width() * k as f32 / 40.0, plot.center().y);
        harness.event(egui::Event::PointerMoved(at));
        harness.run_steps(2);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
            harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
            harness.run_steps(2);
        }
        harness.run_steps(3);
        found = harness.state().session.snapshot().step == wanted;
        if found {
            break;
        }
    }
    assert!(found, "no click has led to step {wanted}");
    assert_eq!(harness.state().state.selection.bodies, [1, 2], "the floor and the ball, whose normal did it");
    assert!(!harness.state().state.view3d.preview.arrows.is_empty(), "J and the force of the row");
    assert_eq!(harness.state().state.bottom_tab, BottomTab::Lab(Instrument::Ledger));
    click(&mut harness, "Show the row with the most work");
    assert!(harness.query_by_label_contains("floor · ball: normal").is_some(), "the row's equation");
}

/// While playing the curves advance; with the pointer on them they stop, and a label says so.
#[test]
fn a_spike_can_be_aimed_at_while_time_runs() {
    let mut harness = window_of(Bench::of(Session::from_text(FALL, "fall.ron").expect("the scene is right")));
    harness.state_mut().state.pending.push(Action::Laboratory(Instrument::Ledger));
    harness.state_mut().session.dispatch(Command::Play).expect("it plays");
    // Plays for a while, and gives the table's step and the newest step.
    let mut on = |pointer: egui::Pos2| {
        harness.event(egui::Event::PointerMoved(pointer));
        for _ in 0..20 {
            harness.state_mut().session.advance(Duration::from_millis(20), Duration::from_secs(1));
            harness.run_steps(1);
        }
        let newest = harness.state().session.snapshot().step;
        let is_shown = |how: &str| {
            let step = (0..=newest).find(|step| harness.query_by_label(&format!("Step {step}, {how}")).is_some());
            step.map(|step| (step, newest))
        };
        let plot = harness.get_by_label("Ledger along time").rect().center();
        (is_shown("the newest one"), is_shown("held while the pointer is on the curves"), plot)
    };
    let (_, _, plot) = on(egui::Pos2::ZERO);
    let ((first, _), (second, _)) =
        (on(egui::Pos2::ZERO).0.expect("goes on"), on(egui::Pos2::ZERO).0.expect("goes on"));
    assert!(second > first, "from step {first} to {second}");
    on(plot);
    let (held, then) = on(plot).1.expect("is held");
    let (still, now) = on(plot).1.expect("is held");
    assert!(held == still && now > then, "steps {held} and {still} while time goes from {then} to {now}");
    assert!(on(egui::Pos2::ZERO).0.expect("goes on").0 > still);
}

const FALL: &str = r#"(
    version: 1,
    title: "A ball that falls",
    settings: (preset: SingleStep, step: (gravity: (0, 0, -10))),
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "ball", shape: Sphere(radius: 0.5), at: (0, 0, 1.75), mass: 1, restitution: 0),
    ],
)"#;

/// A sleeping box has no rows, and the table says why it is empty.
#[test]
fn the_table_says_why_it_is_empty() {
    let text = r#"(
        version: 1,
        title: "A box that sleeps",
        settings: (sleep: (enabled: true, time: 0.2)),
        bodies: [
            (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
            (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5)),
        ],
    )"#;
    let mut session = Session::from_text(text, "sleep.ron").expect("the scene is right");
    (0..120).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    assert!(session.snapshot().bodies[1].asleep);
    let mut harness = window_of(Bench::of(session));
    open(&mut harness, Instrument::Rows);
    assert!(harness.query_by_label_contains("Everything that would have rows is asleep (1 body)").is_some());
    harness.state_mut().state.selection.bodies = vec![2];
    harness.state_mut().state.laboratory.rows.selected_only = true;
    harness.run();
    assert!(harness.query_by_label_contains("The selection is asleep").is_some());
    let mut harness = bench();
    open(&mut harness, Instrument::Rows);
    harness.state_mut().state.laboratory.rows.search = "nothing of that name".into();
    harness.run();
    assert!(harness.query_by_label_contains("No row fits the search").is_some());
}
