//! Probes and films, driven by the names of the controls.

use egui::{OutputCommand, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, click, window};
use crate::request::Request;
use delassus_session::Command;

/// The number that a click on this label copies.
fn copied(harness: &mut Harness<'_, Bench>, name: &str) -> f32 {
    // Found by its accessible name; texts on screen have their words as labels.
    let owned = name.to_owned();
    harness.get_by(move |node| node.label().as_ref() == Some(&owned)).click();
    for _ in 0..4 {
        harness.step();
        let commands = &harness.output().platform_output.commands;
        if let Some(OutputCommand::CopyText(text)) = commands.first() {
            return text.parse().expect("a number");
        }
    }
    panic!("{name}: nothing was copied");
}

/// The floor carries the box, N = m g, and a click copies the number with all digits.
#[test]
fn what_acts_on_a_selected_body_is_told_and_copied() {
    let mut harness = window();
    (0..120).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a step"));
    let state = &mut harness.state_mut().state;
    state.probes.open = true;
    state.selection.bodies = vec![2];
    harness.run_steps(4);
    let mass = harness.state().session.snapshot().body(2).expect("the box").mass;
    let weight = mass * harness.state().session.settings().step.gravity.length();
    for name in ["Force of weight", "Force of contacts"] {
        let found = copied(&mut harness, name);
        assert!((found / weight - 1.0).abs() < 1e-2, "{name}: {found} N of {weight} N");
    }
    assert!(copied(&mut harness, "Force of together") < 1e-2 * weight, "at rest");
    click(&mut harness, "Measure");
    assert!(harness.state().state.probes.picking);
    click(&mut harness, "Stop measuring");
    assert!(!harness.state().state.probes.picking);
    click(&mut harness, "Close Probes");
    assert!(!harness.state().state.probes.open);
}

#[test]
fn a_film_is_asked_for_and_cancelled() {
    let mut harness = window();
    harness.state_mut().state.film.open = true;
    harness.run_steps(4);
    harness.get_by_role_and_label(Role::Switch, "With the plots").click();
    harness.run_steps(4);
    click(&mut harness, "Record a film…");
    let plan = harness.state().state.film.plan;
    assert!(plan.plots && harness.state().asked.contains(&Request::FilmDialog(plan)));
    harness.state_mut().state.film.progress = Some((3, 10));
    harness.run_steps(4);
    click(&mut harness, "Cancel the film");
    assert!(harness.state().asked.contains(&Request::CancelFilm));
}
