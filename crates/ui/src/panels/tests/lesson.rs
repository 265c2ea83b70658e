//! A lesson in the Guide: the explanation appears after the prediction, and each run takes one click.

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable};
use glam::Vec3;

use crate::{
    RightTab,
    bench::{Bench, window_of},
    panels::{laboratory::Instrument, lesson::knows, reader::sections},
    request::Request,
    shell::state::BottomTab,
};
use delassus_lab::linear::examples;
use delassus_scene::lesson;
use delassus_scene::library::library;
use delassus_session::{Command, Session};

pub fn folder() -> std::path::PathBuf {
    delassus_scene::library::source_scenes()
}

#[test]
fn every_lesson_names_what_there_is_and_its_formulas_can_be_set() {
    let files = std::fs::read_dir(folder().join(lesson::FOLDER)).expect("the folder of the lessons").flatten();
    let lessons = lesson::all(&folder());
    assert_eq!(files.count(), lessons.len(), "one cannot be read");
    for (document, chapters) in [("004", 2..=24), ("000", 0..=0), ("001", 0..=0), ("002", 0..=0), ("003", 0..=0)] {
        for chapter in chapters {
            let source = if chapter == 0 { document.to_owned() } else { format!("{document} ch. {chapter}") };
            let tells = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit());
            let taught = lessons.iter().any(|lesson| lesson.source.strip_prefix(&source).is_some_and(tells));
            assert!(taught, "nothing teaches {source}");
        }
    }
    assert_eq!(lessons.iter().filter(|lesson| lesson.first).count(), 1);
    for lesson in lessons {
        let file = folder().join(lesson::FOLDER).join(format!("{}.ron", lesson.id));
        if let Err(mistakes) = lesson::own(&file, &knows) {
            panic!("{}", mistakes.iter().map(|mistake| format!("{mistake}\n")).collect::<String>());
        }
    }
}

#[test]
fn a_lesson_asks_before_it_tells_and_runs_by_a_click() {
    let path = folder().join("book/06-bead-on-wire.ron");
    let mut bench = Bench::of(Session::open(&path).expect("it can be read"));
    bench.shelf.lessons = lesson::all(&folder());
    bench.shelf.entries = library(&folder());
    bench.state.right_tab = RightTab::Guide;
    let mut harness = window_of(bench);
    let shown = |harness: &egui_kittest::Harness<'_, Bench>| harness.query_all_by_label("WHAT HAPPENED").count();
    assert_eq!(shown(&harness), 0);
    let lessons = harness.state().shelf.lessons.clone();
    let at = lessons.iter().position(|lesson| lesson.first).expect("one is the first");
    let (lesson, next) = (&lessons[at], &lessons[at + 1]);
    let choice = &lesson.prediction.choices[0];
    harness.get_by_label(&format!("I predict: {choice}")).click();
    harness.run();
    assert_eq!(shown(&harness), 0, "first the runs");
    assert_eq!(harness.state().state.lessons.answers.get(&lesson.id), Some(&0));
    harness.get_by_label("1. No stabilisation").click();
    harness.run_steps(2);
    assert!(harness.state().asked_for(&Command::Reset) && harness.state().asked_for(&Command::Play));
    let name = &harness.state().session.active_experiment().map(|index| index.to_string());
    assert!(name.is_some(), "its settings are the experiment's");
    harness.state_mut().session.dispatch(Command::Pause).expect("it pauses");
    harness.run_steps(2);
    harness.get_by_label("Skip the runs and read on").scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label("Skip the runs and read on").click();
    harness.run_steps(2);
    assert_eq!(shown(&harness), 1);
    // It is below the rest of the lesson.
    let words = format!("Next: {}", next.title);
    harness.get_by_label(&words).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(&words).click();
    harness.run_steps(2);
    let next = folder().join(format!("{}.ron", next.scene));
    assert!(harness.state().asked.contains(&Request::Open(next)), "{:?}", harness.state().asked);
}

/// The window with this scene open, its Guide shown, and all lessons done.
fn guide(scene: &str) -> egui_kittest::Harness<'static, Bench> {
    let mut bench = Bench::of(Session::open(&folder().join(scene)).expect("it can be read"));
    bench.shelf.lessons = lesson::all(&folder());
    bench.shelf.entries = library(&folder());
    bench.state.right_tab = RightTab::Guide;
    let lessons = &mut bench.state.lessons;
    for lesson in &bench.shelf.lessons {
        lessons.answers.insert(lesson.id.clone(), 0);
        (0..lesson.trials.len()).for_each(|trial| lessons.progress.note_run(&lesson.id, trial));
    }
    window_of(bench)
}

#[test]
fn a_trial_that_stands_still_shows_its_joint_in_its_tab() {
    let mut harness = guide("rows/04-hinge.ron");
    harness.get_by_label("1. Rows, 30 steps").click();
    harness.run_steps(2);
    let bench = harness.state();
    assert_eq!(bench.session.snapshot().step, 30);
    assert!(!bench.session.playing());
    assert_eq!(bench.state.bottom_tab, BottomTab::Lab(Instrument::Rows));
    let joint = bench.state.selection.joint.expect("the hinge is selected");
    assert_eq!(&*bench.session.snapshot().joints[joint].name, "hinge");
}

#[test]
fn a_trial_with_a_system_opens_its_page_and_lessons_of_one_scene_follow_each_other() {
    let mut harness = guide("contact2d/03-clamping.ron");
    // The scene is one of document 002; chapter 5's lesson only starts from it.
    let chapter = harness.state().shelf.lessons.iter().find(|lesson| lesson.source == "004 ch. 5");
    let id = chapter.expect("chapter 5 is taught").id.clone();
    harness.state_mut().state.lessons.choose(&id);
    harness.run_steps(2);
    harness.get_by_label("1. Book, first").click();
    harness.run_steps(2);
    let bench = harness.state();
    assert!(bench.state.linear.open && bench.state.linear.system == examples()[0].2);
    assert_eq!(bench.session.snapshot().step, 0, "nothing was run");
    // Chapters 12 and 13 share a scene: the second lesson does not open it again.
    let mut harness = guide("book/12-stack.ron");
    let lessons = harness.state().shelf.lessons.clone();
    let here = lessons.iter().filter(|lesson| lesson.scene == "book/12-stack");
    let here: Vec<_> = here.filter(|lesson| ["004 ch. 12", "004 ch. 13"].contains(&lesson.source.as_str())).collect();
    let next = format!("Next: {}", here[1].title);
    harness.get_by_label(&next).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(&next).click();
    harness.run_steps(2);
    assert!(harness.query_by_label(&here[1].prediction.ask).is_some());
    assert!(!harness.state().asked.iter().any(|asked| matches!(asked, Request::Open(_))));
    // It does not start in the state that the last trial left.
    assert!(harness.state().asked_for(&Command::Reset));
}

#[test]
fn the_next_lesson_begins_with_the_plots_whatever_the_last_one_had_opened() {
    let mut harness = guide("rows/04-hinge.ron");
    harness.get_by_label("2. Two bodies, 30 steps").click();
    harness.run_steps(2);
    assert!(harness.state().state.algebra.open.is_some());
    harness.state_mut().state.bottom_tab = BottomTab::Lab(Instrument::Rows);
    let next = harness.state().shelf.lessons[1].title.clone();
    let next = format!("Next: {next}");
    harness.get_by_label(&next).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(&next).click();
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!((state.bottom_tab, state.algebra.open), (BottomTab::Plots, None));
}

#[test]
fn the_letters_of_a_lesson_have_the_numbers_of_its_joint_and_are_drawn_under_the_pointer() {
    let mut harness = guide("book/08-pendulum.ron");
    // The bob starts at rest 1 m beside its pivot: the lever from its centre points along −x.
    let lever = "From B's centre to its anchor:  −1.000  0.000  0.000 m";
    harness.get_by_label(lever).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(lever).hover();
    harness.run_steps(2);
    let preview = &harness.state().state.view3d.preview;
    let (from, vector, _) = preview.arrows.last().expect("it is drawn");
    assert!(
        from.abs_diff_eq(Vec3::new(1.0, 0.0, 5.0), 1e-5) && vector.abs_diff_eq(Vec3::NEG_X, 1e-5),
        "{from} {vector}"
    );
    // K along the arm is 1/m, with m = 1 kg.
    assert!(harness.query_by_label("The change of the row's velocity per unit of impulse: 1.000 1/kg").is_some());
}

#[test]
fn a_lesson_leads_to_the_section_that_it_speaks_of() {
    let mut harness = guide("book/08-pendulum.ron");
    let errata = sections::find("errata: 13").expect("it is there");
    let words = format!("Errata: {}", sections::Page::Errata.sections()[errata.1].title);
    harness.get_by_label(&words).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(&words).click();
    harness.run_steps(3);
    assert_eq!(harness.state().state.reader.open, Some(errata));
    harness.get_by_label("Read: 14 ★ Friction clamp").click();
    harness.run_steps(2);
    assert_eq!(harness.state().state.reader.open, Some((sections::Page::Errata, 14)));
    harness.get_by_label("Close Derivations and errata").click();
    harness.run_steps(2);
    assert_eq!(harness.state().state.reader.open, None);
}

/// For one frame after a choice the list once still marked the previous section, beside the text of the chosen one.
#[test]
fn the_marked_heading_is_that_of_the_text_in_every_frame() {
    let mut harness = guide("book/08-pendulum.ron");
    harness.state_mut().state.reader.open = sections::find("errata: 13");
    harness.run_steps(3);
    let (title, heading) = ("14 ★ Friction clamp", "Read: 14 ★ Friction clamp");
    harness.get_by_label(heading).click();
    let mut seen = Vec::new();
    for _ in 0..4 {
        harness.run_steps(1);
        let button = harness.get_by_label(heading);
        let marked = button.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True);
        let read = harness.query_by_role_and_label(Role::Label, title).is_some();
        assert_eq!(marked, read, "frame {}", seen.len());
        seen.push(read);
    }
    assert_eq!(seen.last(), Some(&true), "{seen:?}");
}

/// Every character has a glyph: without one the bench fails to draw.
#[test]
fn every_lesson_and_every_section_can_be_drawn() {
    for lesson in lesson::all(&folder()) {
        let mut harness = guide(&format!("{}.ron", lesson.scene));
        harness.state_mut().state.lessons.choose(&lesson.id);
        harness.run_steps(2);
        let heading = if lesson.happened.is_empty() { "EXERCISE" } else { "WHAT HAPPENED" };
        assert!(harness.query_by_label(heading).is_some(), "{}", lesson.id);
    }
    let mut harness = guide("book/08-pendulum.ron");
    for page in sections::Page::ALL {
        for (at, section) in page.sections().iter().enumerate() {
            harness.state_mut().state.reader.open = Some((page, at));
            harness.run_steps(2);
            assert!(harness.query_all_by_label(&section.title).count() > 0, "{}", section.title);
        }
    }
}

/// A panel's width does not depend on its content: a lesson that overflowed once pushed the panel's edge into the view.
#[test]
fn no_lesson_widens_the_panel() {
    let mut wide = Vec::new();
    for lesson in lesson::all(&folder()) {
        let mut harness = guide(&format!("{}.ron", lesson.scene));
        let left = |harness: &egui_kittest::Harness<'_, Bench>| harness.get_by_label("Tab: Solver").rect().left();
        let before = left(&harness);
        harness.state_mut().state.lessons.choose(&lesson.id);
        harness.state_mut().state.lessons.focus = false;
        harness.run_steps(8);
        let right = harness.get_by_label("Tab: Guide").rect().right();
        // Controls may be scrolled out below, but must not extend beyond the side.
        let drawn = |role| harness.query_all_by(move |node| node.role() == role);
        for node in [Role::Label, Role::Button, Role::Image].into_iter().flat_map(drawn) {
            let rect = node.rect();
            if rect.left() > before - 20.0 && rect.right() > right + 1.0 && rect.top() > 60.0 && rect.top() < 760.0 {
                wide.push((lesson.id.clone(), node.accesskit_node().label().unwrap_or_default(), rect));
            }
        }
        if (left(&harness) - before).abs() > 0.5 {
            wide.push((lesson.id.clone(), format!("from {before} to {}", left(&harness)), egui::Rect::NOTHING));
        }
    }
    assert!(wide.is_empty(), "{wide:#?}");
}
