//! Lesson mode: contents, the prediction before any run, drawn predictions, runs side by side, progress.

use std::time::Duration;

use egui::{Event, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::{Harness, kittest::Queryable};

use super::super::lesson::{Progress, Stage, mode};
use super::lesson::folder;
use crate::{
    bench::{Bench, click, window_of},
    notices::Topic,
    request::Request,
    shell::{action::Action, state::BottomTab},
    widgets::angles::Angles,
};
use delassus_scene::{
    lesson::{self, AngleUnit, Paragraph, Tab},
    library::library,
};
use delassus_session::{Command, Session};

const BEAD: &str = "06-bead-on-wire";

/// The window in the frame after a lesson was entered whose scene plays.
fn entered(id: &str) -> Harness<'static, Bench> {
    let lessons = lesson::all(&folder());
    let scene = lessons.iter().find(|lesson| lesson.id == id).expect("there is such a lesson").scene.clone();
    let session = Session::open(&folder().join(format!("{scene}.ron"))).expect("it can be read");
    let mut bench = Bench::of(session);
    bench.shelf.lessons = lessons;
    bench.shelf.entries = library(&folder());
    bench.session.dispatch(Command::Play).expect("it plays");
    bench.session.advance(Duration::from_millis(200), Duration::from_secs(1));
    bench.state.lessons.choose(id);
    let mut harness = window_of(bench);
    harness.run_steps(4);
    harness
}

/// Lets the session play for this time, s.
fn play(harness: &mut Harness<'_, Bench>, seconds: f64) {
    let frames = (seconds * 60.0).ceil() as u32;
    for _ in 0..frames {
        harness.state_mut().session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(1));
    }
    harness.run_steps(3);
}

fn has(harness: &Harness<'_, Bench>, words: &str) -> bool {
    harness.query_all_by_label_contains(words).count() > 0
}

fn predict(harness: &mut Harness<'_, Bench>, id: &str, choice: usize) {
    let lesson = harness.state().shelf.lessons.iter().find(|lesson| lesson.id == id).expect("it is there");
    let name = format!("I predict: {}", lesson.prediction.choices[choice]);
    click(harness, &name);
}

#[test]
fn the_contents_list_every_lesson_and_lead_to_the_one_to_continue_with() {
    let mut bench = Bench::new();
    bench.shelf.lessons = lesson::all(&folder());
    bench.shelf.entries = library(&folder());
    let mut harness = window_of(bench);
    harness.state_mut().state.pending.push(Action::Lessons);
    harness.run_steps(4);
    let lessons = harness.state().shelf.lessons.clone();
    for lesson in &lessons {
        let name = format!("{}: not begun", lesson.title);
        assert_eq!(harness.query_all_by_label(&name).count(), 1, "{name}");
    }
    assert!(has(&harness, &format!("0 of {} done", lessons.len())));
    let first = lessons.iter().position(|lesson| lesson.first).expect("one is the first");
    click(&mut harness, &format!("Start: {}", lessons[first].title));
    let scene = folder().join(format!("{}.ron", lessons[first].scene));
    assert!(harness.state().asked.contains(&Request::Open(scene)), "{:?}", harness.state().asked);
    assert!(!harness.state().state.lessons.contents, "the page makes room for the lesson");
    // One done and one begun.
    let state = &mut harness.state_mut().state.lessons;
    state.answers = [first, first + 1].map(|index| (lessons[index].id.clone(), 0)).into();
    (0..lessons[first].trials.len()).for_each(|trial| state.progress.note_run(&lessons[first].id, trial));
    state.contents = true;
    harness.run_steps(3);
    assert!(has(&harness, &format!("1 of {} done", lessons.len())));
    assert!(has(&harness, &format!("{}: done", lessons[first].title)));
    assert!(has(&harness, &format!("{}: 0 of {} runs", lessons[first + 1].title, lessons[first + 1].trials.len())));
    assert!(has(&harness, &format!("Continue: {}", lessons[first + 1].title)));
    // A line of the list leads to its lesson, too.
    click(&mut harness, &format!("{}: not begun", lessons[0].title));
    let scene = folder().join(format!("{}.ron", lessons[0].scene));
    assert_eq!(harness.state().asked.last(), Some(&Request::Open(scene)));
}

#[test]
fn the_scene_waits_for_the_prediction_and_each_result_for_its_run() {
    let mut harness = entered(BEAD);
    let session = &harness.state().session;
    assert!(!session.playing() && session.snapshot().step == 0, "it begins paused");
    for action in [Action::TogglePlay, Action::Step] {
        harness.state_mut().state.pending.push(action);
        harness.run_steps(3);
        let session = &harness.state().session;
        assert!(!session.playing() && session.snapshot().step == 0, "{action:?} before the prediction");
    }
    assert!(harness.state().state.notices.iter().any(|notice| notice.text.contains("Make a prediction first")));
    let lesson = harness.state().shelf.lessons.iter().find(|lesson| lesson.id == BEAD).expect("it is there").clone();
    let shown = |harness: &Harness<'_, Bench>| -> Vec<usize> {
        (0..lesson.trials.len()).filter(|trial| harness.query_by_label(&lesson.trials[*trial].say).is_some()).collect()
    };
    assert!(!has(&harness, "1. No stabilisation"), "there is nothing to run yet");
    predict(&mut harness, BEAD, 0);
    assert_eq!(shown(&harness), [0; 0]);
    click(&mut harness, "1. No stabilisation");
    assert!(harness.state().session.playing());
    assert_eq!(shown(&harness), [0; 0], "its run has only begun");
    play(&mut harness, f64::from(lesson.trials[0].seconds) + 0.1);
    assert_eq!(shown(&harness), [0]);
    // As the scene opens is a run like the others.
    click(&mut harness, "3. As the scene opens");
    assert_eq!(shown(&harness), [0]);
    harness.get_by_label("Show it now").scroll_to_me();
    harness.run_steps(3);
    click(&mut harness, "Show it now");
    assert_eq!(shown(&harness), [0, 2]);
    assert_eq!(harness.query_all_by_label("WHAT HAPPENED").count(), 0, "two runs are left");
    for trial in [1, 3] {
        harness.state_mut().state.lessons.progress.note_run(BEAD, trial);
    }
    harness.run_steps(3);
    assert_eq!(harness.query_all_by_label("WHAT HAPPENED").count(), 1);
    let lessons = &harness.state().state.lessons;
    assert_eq!(lessons.progress.stage(&lessons.answers, &lesson), Stage::Done);
    // Begun again, it asks again.
    harness.get_by_label("Begin this lesson again").scroll_to_me();
    harness.run_steps(4);
    click(&mut harness, "Begin this lesson again");
    let lessons = &harness.state().state.lessons;
    assert_eq!(lessons.progress.stage(&lessons.answers, &lesson), Stage::New);
    assert_eq!(harness.state().session.snapshot().step, 0);
}

#[test]
fn only_what_the_lesson_uses_is_on_screen_and_one_click_brings_the_rest_back() {
    let mut harness = entered(BEAD);
    predict(&mut harness, BEAD, 2);
    let others = ["Tab: Solver", "Left tab: Library", "Bottom tab: Matrix", "Tool: Select"];
    for name in others {
        assert!(harness.query_by_label(name).is_none(), "{name}");
    }
    assert!(harness.query_by_label("EXPERIMENTS").is_none() && harness.query_by_label("penetration").is_none());
    click(&mut harness, "Show everything");
    for name in others {
        assert!(harness.query_by_label(name).is_some(), "{name}");
    }
    assert!(harness.query_by_label("penetration").is_some());
    click(&mut harness, "Only the lesson");
    assert!(harness.query_by_label("Tab: Solver").is_none());
    // A command for what is hidden shows it.
    harness.state_mut().state.pending.push(Action::ToggleLeft);
    harness.run_steps(3);
    assert!(harness.query_by_label("Left tab: Library").is_some());
    // A lesson of tables has their tabs.
    let lessons = lesson::all(&folder());
    assert_eq!(mode::tabs(&lessons[0]), [Tab::Rows, Tab::Plots]);
}

/// The plot with this title; its menu has the same name.
fn plot(harness: &Harness<'_, Bench>, title: &str) -> egui::Rect {
    let all = harness.query_all_by_label(title).map(|node| node.rect());
    all.max_by(|a, b| a.area().total_cmp(&b.area())).expect("it is drawn")
}

fn drag(harness: &mut Harness<'_, Bench>, from: Pos2, to: Pos2) {
    let press = |pos: Pos2, pressed: bool| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.event(Event::PointerMoved(from));
    harness.run_steps(1);
    harness.event(press(from, true));
    harness.run_steps(1);
    for k in 1..=10_u8 {
        harness.event(Event::PointerMoved(from.lerp(to, f32::from(k) / 10.0)));
        harness.run_steps(1);
    }
    harness.event(press(to, false));
    harness.run_steps(2);
}

#[test]
fn a_prediction_is_drawn_in_its_plot_before_the_choice_and_stays_as_it_is_afterwards() {
    let mut harness = entered(BEAD);
    let frame = plot(&harness, "Distance errors");
    assert!(harness.query_all_by_label("Energy").count() == 0, "its plot is alone");
    let (from, to) = (frame.lerp_inside(egui::vec2(0.2, 0.7)), frame.lerp_inside(egui::vec2(0.8, 0.2)));
    drag(&mut harness, from, to);
    let drawn = harness.state().state.lessons.progress.drawn[BEAD].clone();
    let (first, last) = (drawn.first_key_value().expect("a curve"), drawn.last_key_value().expect("a curve"));
    // A straight drag over more than half of the axis of 200 intervals: a straight line that rises.
    assert!(last.0 - first.0 > 100 && drawn.len() == usize::from(last.0 - first.0) + 1, "{drawn:?}");
    let slope = (last.1 - first.1) / f64::from(last.0 - first.0);
    assert!(slope > 0.0, "{drawn:?}");
    for (index, value) in &drawn {
        let line = first.1 + slope * f64::from(index - first.0);
        // A point of the screen is less than 1 % of the axis of a metre.
        assert!((value - line).abs() < 0.02, "{index}: {value} beside {line}");
    }
    click(&mut harness, "Clear the curve");
    assert!(!harness.state().state.lessons.progress.drawn.contains_key(BEAD));
    drag(&mut harness, from, to);
    predict(&mut harness, BEAD, 2);
    let kept = harness.state().state.lessons.progress.clone();
    assert_eq!(kept.drawn[BEAD], drawn);
    let frame = plot(&harness, "Distance errors");
    drag(&mut harness, frame.lerp_inside(egui::vec2(0.3, 0.3)), frame.lerp_inside(egui::vec2(0.6, 0.3)));
    assert_eq!(harness.state().state.lessons.progress, kept);
    // It is in the plot in which the run is drawn.
    let sketch = harness.state().state.plots.sketch.clone().expect("it is shown");
    assert!(!sketch.open && sketch.drawn == drawn);
}

#[test]
fn two_runs_that_a_lesson_compares_are_side_by_side() {
    const STOPS: &str = "18-hinge-limit";
    let mut harness = entered(STOPS);
    predict(&mut harness, STOPS, 1);
    click(&mut harness, "2. Stop as printed");
    let bench = harness.state();
    assert_eq!(bench.session.runs().len(), 1);
    assert_eq!(bench.session.runs()[0].name, "As the scene opens");
    assert_eq!(bench.state.compare.cells.len(), 1, "each has its picture");
    assert_eq!(bench.state.bottom_tab, BottomTab::Plots, "not the table of all runs");
    play(&mut harness, 1.0);
    // One time line: both are at the same step.
    let session = &harness.state().session;
    let step = session.snapshot().step;
    assert!(step > 30 && session.runs()[0].session().snapshot().step == step);
    click(&mut harness, "1. As the scene opens");
    let bench = harness.state();
    assert!(bench.session.runs().is_empty() && bench.state.compare.cells.is_empty());
}

#[test]
fn another_scene_ends_lesson_mode() {
    let mut harness = entered(BEAD);
    assert!(harness.query_by_label("Tab: Solver").is_none());
    let other = folder().join("book/09-chain.ron");
    harness.state_mut().session.dispatch(Command::Open(other)).expect("it can be read");
    harness.run_steps(3);
    assert!(!harness.state().state.lessons.focus && harness.query_by_label("Tab: Solver").is_some());
    assert_eq!(harness.state().state.lessons.progress, Progress { last: BEAD.into(), ..Progress::default() });
}

/// In a small window nothing of the lesson is cut off, with and without the plots.
#[test]
fn a_lesson_fits_into_a_small_window() {
    let mut harness = entered(BEAD);
    for size in [pos2(900.0, 600.0), pos2(640.0, 400.0)] {
        harness.set_size(size.to_vec2());
        harness.run_steps(4);
        let button = harness.get_by_label("Show everything").rect();
        assert!(egui::Rect::from_min_max(Pos2::ZERO, size).contains_rect(button), "{button} at {size}");
        let view = harness.state().state.view3d.rect;
        assert!(view.width() > 0.4 * size.x && view.height() > 0.3 * size.y, "{view} at {size}");
    }
}

/// The curves of an earlier visit stayed in the plots, and gave the answer away.
#[test]
fn a_lesson_begins_without_the_curves_of_earlier_runs() {
    let mut harness = entered(BEAD);
    predict(&mut harness, BEAD, 0);
    click(&mut harness, "1. No stabilisation");
    play(&mut harness, 0.5);
    assert!(harness.state().session.earlier().is_none(), "its first run has no other one before it");
    click(&mut harness, "3. As the scene opens");
    assert!(harness.state().session.earlier().is_some(), "a second run has the first one beside it");
    play(&mut harness, 0.5);
    for again in ["Begin this lesson again", "Only the lesson"] {
        if again == "Only the lesson" {
            click(&mut harness, "Show everything");
        }
        harness.get_by_label(again).scroll_to_me();
        harness.run_steps(4);
        click(&mut harness, again);
        let session = &harness.state().session;
        assert!(session.snapshot().step == 0 && session.earlier().is_none(), "{again}");
        predict(&mut harness, BEAD, 0);
        click(&mut harness, "1. No stabilisation");
        play(&mut harness, 0.5);
        assert!(harness.state().session.earlier().is_none(), "{again}: only its own run");
    }
}

/// In a window of 900 by 600 the lower dock lay below the Guide and hid the question.
#[test]
fn the_question_is_seen_in_a_small_window() {
    for id in [BEAD, "22-motor"] {
        let mut harness = entered(id);
        harness.set_size(egui::vec2(900.0, 600.0));
        harness.run_steps(4);
        let ask = harness.state().shelf.lessons.iter().find(|lesson| lesson.id == id).expect("it is there").clone();
        for words in std::iter::once(&ask.prediction.ask).chain(&ask.prediction.choices) {
            let rect = harness.query_all_by_label_contains(words).next().expect("it is there").rect();
            assert!(rect.bottom() < 570.0 && rect.top() > 30.0, "{words}: {rect}");
        }
    }
}

/// A text of radians stood beside a plot of degrees.
#[test]
fn the_window_has_the_unit_of_the_lesson_s_texts() {
    let mut harness = entered("22-motor");
    assert_eq!(Angles::of(&harness.ctx), Angles::Radians);
    assert_eq!(harness.state().state.angles, Angles::Degrees, "the choice of the user stays");
    click(&mut harness, "Show everything");
    harness.run_steps(2);
    assert_eq!(Angles::of(&harness.ctx), Angles::Degrees);
    for lesson in lesson::all(&folder()) {
        let why = lesson.why.iter().filter_map(|line| match line {
            Paragraph::Words(words) => Some(words),
            Paragraph::Formula(_) => None,
        });
        let said = lesson.trials.iter().map(|trial| &trial.say).chain(&lesson.prediction.choices).chain(why);
        let texts: Vec<&String> = said.chain([&lesson.question, &lesson.prediction.ask, &lesson.happened]).collect();
        let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let radians = words.into_iter().any(|word| word == "rad");
        let degrees = texts.iter().any(|text| text.contains('°'));
        assert!(!(radians && degrees), "{} has both units", lesson.id);
        assert_eq!(lesson.angles == AngleUnit::Radians, radians, "{}", lesson.id);
    }
}

/// The card of lesson 24 was empty except while the bullets touched.
#[test]
fn a_contact_that_is_not_there_leaves_the_velocities_on_the_card() {
    const BULLETS: &str = "24-everything";
    let mut harness = entered(BULLETS);
    predict(&mut harness, BULLETS, 1);
    harness.get_by_label("Skip the runs and read on").scroll_to_me();
    harness.run_steps(4);
    click(&mut harness, "Skip the runs and read on");
    // 100 m/s each, towards each other along x.
    for (whose, velocity) in [("A", "100.00"), ("B", "−100.00")] {
        let label = format!("Velocity of {whose}'s centre: ");
        let node = harness.query_all_by_label_contains(&label).next().expect("it is on the card");
        let text = format!("{:?}", node);
        assert!(text.contains(velocity), "{text}");
    }
    assert!(has(&harness, "There is no contact now."));
    assert!(has(&harness, "The impulse of the next step: –"));
}

/// While a later run went on, an earlier one that was not finished kept the colour of the next one.
#[test]
fn a_run_that_goes_on_leaves_no_other_marked_as_the_next() {
    let mut harness = entered(BEAD);
    predict(&mut harness, BEAD, 0);
    let lesson = harness.state().shelf.lessons.iter().find(|lesson| lesson.id == BEAD).expect("it is there").clone();
    let next = |harness: &Harness<'_, Bench>| harness.state().state.lessons.next_trial(&lesson);
    assert_eq!(next(&harness), Some(0));
    click(&mut harness, "3. As the scene opens");
    assert_eq!(next(&harness), None);
    play(&mut harness, f64::from(lesson.trials[2].seconds) + 0.1);
    assert_eq!(next(&harness), Some(0));
}

/// Notices covered the motion that a lesson is about.
#[test]
fn in_a_lesson_a_notice_is_one_line() {
    let mut harness = entered(BEAD);
    let long = "The solver adds energy, and much more is said about it here than fits into one line of a small view.";
    let notices = &mut harness.state_mut().state.notices;
    notices.ask(Topic::Growth, long, Vec::new());
    notices.in_brief("The solver adds energy.");
    harness.run_steps(3);
    let view = harness.state().state.view3d.rect;
    let brief = harness.get_by_label("The solver adds energy.").rect();
    assert!(!has(&harness, long) && brief.height() < 30.0 && brief.left() < view.left() + 60.0, "{brief} in {view}");
    click(&mut harness, "Show everything");
    harness.run_steps(2);
    assert!(has(&harness, long));
}
