//! Plots, driven by the names of the controls.

use egui::{Key, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::{Harness, kittest::Queryable};

use crate::session::Command;
use crate::ui::bench::{Bench, window};
use crate::ui::request::Request;

fn click(harness: &mut Harness<'_, Bench>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(5);
}

fn bench(steps: u32) -> Harness<'static, Bench> {
    let mut harness = window();
    (0..steps).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a step"));
    harness.run_steps(4);
    harness
}

fn plots(harness: &Harness<'_, Bench>) -> Vec<Vec<String>> {
    harness.state().session.scene().expect("a scene").plots.iter().map(|plot| plot.curves.clone()).collect()
}

fn press(harness: &mut Harness<'_, Bench>, at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    harness.event(egui::Event::PointerMoved(at));
    harness.event_modifiers(egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
    harness.run_steps(2);
}

#[test]
fn the_scene_keeps_what_is_chosen_typed_and_moved_and_undo_takes_it_back() {
    let mut harness = bench(30);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Keep these plots in the scene");
    assert_eq!(plots(&harness).len(), 3);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Another plot");
    assert_eq!(plots(&harness).len(), 4);
    // A quantity by its name: one that is wrong is told and goes nowhere.
    harness.state_mut().state.selection.click_body(2, false);
    click(&mut harness, "Plot 3: Penetration");
    click(&mut harness, "Curves");
    harness.get_by_label("Quantity").click();
    harness.run_steps(3);
    harness.get_by_label("Quantity").type_text("bodies.bix.z");
    harness.run_steps(3);
    harness.get_by_label_contains("no body is called `bix`");
    click(&mut harness, "Of box");
    click(&mut harness, "bodies.box.vz");
    assert_eq!(plots(&harness)[2].last().map(String::as_str), Some("bodies.box.vz"));
    harness.state_mut().session.dispatch(Command::Undo).expect("an edit");
    assert_eq!(plots(&harness)[2].len(), 1);
    (0..2).for_each(|_| harness.state_mut().session.dispatch(Command::Undo).expect("an edit"));
    assert!(plots(&harness).is_empty(), "the window chooses again");
}

/// Shift and a click set cursors; the right button chooses a stretch of time; a double click shows all of it again.
#[test]
fn cursors_and_a_closer_look_are_set_by_the_pointer() {
    let mut harness = bench(120);
    let plot = harness.get_by_label("Energy").rect();
    let at = |share: f32| pos2(plot.left() + share * plot.width(), plot.center().y);
    for share in [0.4, 0.8] {
        press(&mut harness, at(share), PointerButton::Primary, true, Modifiers::SHIFT);
        press(&mut harness, at(share), PointerButton::Primary, false, Modifiers::SHIFT);
    }
    let [Some(a), Some(b)] = harness.state().state.plots.cursors else { panic!("two cursors") };
    assert!(b > a + 0.3, "{a} and {b}");
    assert_eq!(harness.state().session.snapshot().step, 120, "a cursor does not go there");
    press(&mut harness, at(0.5), PointerButton::Secondary, true, Modifiers::NONE);
    harness.event(egui::Event::PointerMoved(at(0.6)));
    harness.run_steps(2);
    harness.event(egui::Event::PointerMoved(at(0.75)));
    harness.run_steps(2);
    press(&mut harness, at(0.75), PointerButton::Secondary, false, Modifiers::NONE);
    let (first, end) = harness.state().state.plots.span.expect("a stretch");
    assert!(first > 0.5 && end < 2.0 && end > first + 0.2, "{first} to {end}");
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Show the whole time");
    assert_eq!(harness.state().state.plots.span, None);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Take the cursors away");
    assert_eq!(harness.state().state.plots.cursors, [None; 2]);
}

/// What is asked to be saved has the values that are shown.
#[test]
fn a_plot_is_handed_over_to_be_saved() {
    let mut harness = bench(60);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Save this plot…");
    let asked = harness.state().asked.iter().rev().find_map(|request| match request {
        Request::FigureDialog(figure) => Some(figure.clone()),
        _ => None,
    });
    let figure = asked.expect("it is asked where to");
    assert_eq!((figure.panels.len(), figure.panels[0].curves.len()), (1, 3));
    let kinetic = &figure.panels[0].curves[1];
    assert_eq!((kinetic.name.as_str(), kinetic.points.len()), ("kinetic", 61));
    let samples = &harness.state().session.samples().samples;
    assert_eq!(kinetic.points[7], [samples[7].time, samples[7].metrics.kinetic_energy]);
    harness.key_press(Key::Escape);
}
