//! What explains itself: each tab of the lower dock by its first sentence, and the terms of a lesson under the pointer.

use egui::{Event, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable};

use super::lesson::folder;
use crate::{
    RightTab,
    bench::{Bench, window, window_of},
    panels::laboratory::Instrument,
    shell::state::BottomTab,
    widgets::glossary::TERMS,
};
use delassus_scene::{lesson, library::library};
use delassus_session::Session;

#[test]
fn every_tab_of_the_lower_dock_says_first_what_it_shows() {
    use Instrument::{Inside, Ledger, Matrix, Parity, Rows, Sweeps};
    let mut harness = window();
    let tabs = [Inside, Rows, Matrix, Sweeps, Ledger, Parity].map(BottomTab::Lab);
    for tab in tabs.into_iter().chain([BottomTab::Events, BottomTab::Compare]) {
        harness.state_mut().state.bottom_tab = tab;
        harness.run_steps(3);
        let sentence = harness.get_by_label(tab.sentence().expect("it has one")).rect();
        let tabs = harness.get_by_label("Bottom tab: Rows").rect();
        assert!(sentence.top() >= tabs.bottom() && sentence.top() < tabs.bottom() + 12.0, "{tab:?}: {sentence}");
    }
}

/// Whether the tooltip of this term is shown with the pointer at this place.
fn explains(harness: &mut Harness<'_, Bench>, at: Pos2, what: &str) -> bool {
    harness.event(Event::PointerMoved(at));
    harness.run_steps(3);
    harness.query_by_label(what).is_some()
}

#[test]
fn a_term_of_a_lesson_is_explained_under_the_pointer() {
    let mut bench = Bench::of(Session::open(&folder().join("book/09-chain.ron")).expect("it can be read"));
    bench.shelf.lessons = lesson::all(&folder());
    bench.shelf.entries = library(&folder());
    bench.state.right_tab = RightTab::Guide;
    let lesson = bench.shelf.lessons.iter().find(|lesson| lesson.id == "09-chain").expect("it is there");
    let question = lesson.question.clone();
    assert!(question.contains("sweep"), "the test looks for this word");
    let mut harness = window_of(bench);
    harness.run_steps(3);
    let rect = harness.get_by_label(&question).rect();
    let what = TERMS.iter().find(|term| term.name == "sweep").expect("it is a term").what;
    // The word is about 40 points wide, and a line about 17 high.
    let (columns, lines) = ((rect.width() / 25.0) as usize, (rect.height() / 16.0) as usize);
    let places = (0..lines).flat_map(|line| (0..columns).map(move |column| (column, line)));
    let place = |(column, line): (usize, usize)| rect.min + vec2(25.0 * column as f32 + 10.0, 16.0 * line as f32 + 8.0);
    let found = places.map(place).find(|at| explains(&mut harness, *at, what));
    assert!(found.is_some(), "no place of the question shows it");
    assert!(!explains(&mut harness, rect.right_top() + vec2(-2.0, -30.0), what), "beside the text nothing does");
}
