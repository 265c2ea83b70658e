//! Plots, driven by the names of the controls.

use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable};

use crate::bench::{Bench, click, window, window_of};
use crate::request::Request;
use delassus_scene::{Plot, PlotScale, library};
use delassus_session::{Command, Edit, Element, Session};

fn bench(steps: u32) -> Harness<'static, Bench> {
    let mut harness = window();
    (0..steps).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a step"));
    harness.run_steps(4);
    harness
}

fn plots(harness: &Harness<'_, Bench>) -> Vec<Vec<String>> {
    harness.state().session.scene().expect("a scene").plots.iter().map(|plot| plot.curves.clone()).collect()
}

#[test]
fn the_scene_keeps_plots_and_undo_takes_them_back() {
    let mut harness = bench(30);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Keep these plots in the scene");
    assert_eq!(plots(&harness).len(), 3);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Another plot");
    assert_eq!(plots(&harness).len(), 4);
    (0..2).for_each(|_| harness.state_mut().session.dispatch(Command::Undo).expect("an edit"));
    assert!(plots(&harness).is_empty(), "the window chooses again");
}

/// The saved figure has the values that are shown.
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

/// A plot of the scene may have the title of a standard plot but other curves, which keep their own names. The wall
/// time of a step is given in seconds, not in milliseconds.
#[test]
fn curves_under_a_usual_title_are_called_what_they_are() {
    let mut harness = bench(3);
    let plot = |title: &str, curve: &str| {
        let curves = vec![curve.to_owned()];
        Plot { title: title.to_owned(), curves, against: String::new(), scale: PlotScale::Full }
    };
    let plots = vec![plot("Angular momentum", "angular_momentum_z"), plot("Time of a step", "step_ms")];
    let edit = Command::Edit { edit: Edit::Element(Element::Plots(plots)), gesture: None };
    harness.state_mut().session.dispatch(edit).expect("two plots");
    harness.run_steps(3);
    let mut axis = |title: &str| {
        click(&mut harness, title);
        click(&mut harness, "Save this plot…");
        let asked = harness.state().asked.iter().rev().find_map(|request| match request {
            Request::FigureDialog(figure) => Some(figure.panels[0].y.clone()),
            _ => None,
        });
        harness.key_press(Key::Escape);
        harness.run_steps(3);
        asked.expect("it is asked where to")
    };
    assert_eq!(axis("Plot 1: Angular momentum"), "z (N·m·s)");
    assert_eq!(axis("Plot 2: Time of a step"), "step (s)");
}

fn button(harness: &mut Harness<'_, Bench>, pos: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    harness.event(egui::Event::PointerMoved(pos));
    harness.run_steps(2);
    harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    harness.run_steps(2);
}

/// The point of the screen at this share of the first plot's width.
fn place(harness: &Harness<'_, Bench>, share: f32) -> Pos2 {
    let plot = harness.get_by_label("Energy").rect();
    egui::pos2(plot.left() + share * plot.width(), plot.center().y)
}

/// A drag with the right button zooms all plots over time to that interval; the menu shows the whole time again.
#[test]
fn the_right_button_looks_closer_and_the_menu_shows_all_again() {
    let mut harness = bench(180);
    let (from, to) = (place(&harness, 0.5), place(&harness, 0.7));
    button(&mut harness, from, PointerButton::Secondary, true, Modifiers::NONE);
    harness.event(egui::Event::PointerMoved(from + vec2(20.0, 0.0)));
    harness.run_steps(2);
    button(&mut harness, to, PointerButton::Secondary, false, Modifiers::NONE);
    let (first, end) = harness.state().state.plots.span.expect("a closer look");
    // A fifth of the plot's width, which includes the axis labels, of the three seconds shown.
    assert!(first > 0.5 && end < 2.9 && end - first > 0.4 && end - first < 0.9, "{first} to {end} s");
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Show the whole time");
    assert!(harness.state().state.plots.span.is_none());
    // A press without a drag does not zoom.
    button(&mut harness, from, PointerButton::Secondary, true, Modifiers::NONE);
    button(&mut harness, from, PointerButton::Secondary, false, Modifiers::NONE);
    assert!(harness.state().state.plots.span.is_none());
}

/// Plots and curves can be removed by the menu; the last curve of a plot stays.
#[test]
fn plots_and_curves_are_taken_out() {
    let mut harness = bench(30);
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Keep these plots in the scene");
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Curves");
    click(&mut harness, "Curve potential_energy");
    assert_eq!(plots(&harness)[0], ["energy", "kinetic_energy"]);
    harness.key_press(Key::Escape);
    harness.key_press(Key::Escape);
    harness.run_steps(5);
    let name = {
        let plot = &harness.state().session.scene().expect("a scene").plots[0];
        assert_eq!(plot.title, "Energy");
        format!("Plot 1: {}", plot.title)
    };
    click(&mut harness, &name);
    click(&mut harness, "Remove this plot");
    assert_eq!(plots(&harness).len(), 2);
}

/// A click with Shift sets a cursor at the nearest sample, a second click another one; then the nearer one moves.
#[test]
fn clicks_with_shift_set_cursors_and_the_menu_takes_them_away() {
    let mut harness = bench(180);
    let mut times = Vec::new();
    for share in [0.5, 0.8, 0.6] {
        let pos = place(&harness, share);
        harness.event(egui::Event::PointerMoved(pos));
        harness.event(egui::Event::ModifiersChanged(Modifiers::SHIFT));
        harness.run_steps(2);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::SHIFT);
            harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
            harness.run_steps(2);
        }
        harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        harness.run_steps(40);
        times.push(harness.state().state.plots.cursors);
    }
    let [first, second, third] = times[..] else { panic!("three clicks") };
    let ([Some(a), None], [Some(same), Some(b)], [Some(moved), Some(stays)]) = (first, second, third) else {
        panic!("{times:?}");
    };
    let samples = &harness.state().session.samples().samples;
    assert!([a, b, moved].iter().all(|at| samples.iter().any(|sample| sample.time == *at)), "at samples: {times:?}");
    assert!(same == a && stays == b && a < moved && moved < b, "{times:?}");
    assert!(harness.state().asked.iter().all(|asked| !matches!(asked, Request::Session(Command::Seek(_)))));
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Remove the cursors");
    assert_eq!(harness.state().state.plots.cursors, [None; 2]);
}

/// One plot fills the whole dock, with all functions; Escape or the same button shows all plots again.
#[test]
fn a_plot_is_enlarged_and_small_again() {
    let mut harness = bench(180);
    let width = |harness: &Harness<'_, Bench>| harness.get_by_label("Energy").rect().width();
    let height = |harness: &Harness<'_, Bench>| harness.get_by_label("Energy").rect().height();
    let small = (width(&harness), height(&harness));
    let back = |harness: &mut Harness<'_, Bench>, what: &str| {
        assert!(harness.state().state.plots.large.is_none(), "{what}");
        assert_eq!((width(harness), height(harness)), small, "{what}");
        assert!(harness.query_by_label_contains("Plot 2: ").is_some(), "{what}");
    };
    click(&mut harness, "Enlarge: Energy");
    assert!(harness.query_by_label_contains("Plot 2: ").is_none());
    // Before, three were side by side.
    assert!(width(&harness) > 2.9 * small.0 && height(&harness) > 1.4 * small.1);
    // Zooming works in it as in a small one.
    let (from, to) = (place(&harness, 0.5), place(&harness, 0.7));
    button(&mut harness, from, PointerButton::Secondary, true, Modifiers::NONE);
    harness.event(egui::Event::PointerMoved(from + vec2(20.0, 0.0)));
    harness.run_steps(2);
    button(&mut harness, to, PointerButton::Secondary, false, Modifiers::NONE);
    let (first, end) = harness.state().state.plots.span.expect("a closer look");
    // A fifth of the three seconds shown, except for the width of the axis labels.
    assert!(end - first > 0.55 && end - first < 0.75, "{first} to {end} s");
    harness.key_press(Key::Escape);
    harness.run_steps(5);
    back(&mut harness, "by Escape");
    click(&mut harness, "Enlarge: Energy");
    click(&mut harness, "All plots: Energy");
    back(&mut harness, "by the button");
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "Enlarge this plot");
    assert_eq!(harness.state().state.plots.large, Some(0));
    click(&mut harness, "Plot 1: Energy");
    click(&mut harness, "All plots again");
    back(&mut harness, "by the menu");
}

/// Curves once had no names if the title left no room, so that the five methods of chapter 11 looked alike.
#[test]
fn every_plot_of_the_library_says_which_of_its_curves_is_which() {
    let mut unnamed = Vec::new();
    for entry in library::ordinary(&library::scenes_folder()) {
        if entry.bodies().is_none_or(|bodies| bodies > 3000) {
            continue;
        }
        let session = Session::open(&entry.path).expect("it can be read");
        let plots = session.scene().expect("a scene").plots.clone();
        let mut harness = window_of(Bench::of(session));
        harness.set_size(vec2(1400.0, 900.0));
        harness.run_steps(2);
        for plot in plots.iter().filter(|plot| plot.curves.len() > 1) {
            let begins = format!("Key of {}: ", plot.title);
            let key = harness.query_all_by(|node| node.label().is_some_and(|label| label.starts_with(&begins)));
            let names: Vec<String> = key.filter_map(|node| node.accesskit_node().label()).collect();
            if names.first().is_none_or(|names| names.matches(", ").count() + 1 < plot.curves.len()) {
                unnamed.push((entry.id.clone(), begins, names));
            }
        }
    }
    assert!(unnamed.is_empty(), "{unnamed:#?}");
    // The common part of the names is only in the title.
    let path = library::scenes_folder().join("book/11-stabilisation.ron");
    let harness = window_of(Bench::of(Session::open(&path).expect("it can be read")));
    let key = "Key of The same on a logarithmic scale: none.4-5, Baumgarte.4-5, split.4-5, nonlinear.4-5, soft.4-5";
    assert!(harness.query_by_label(key).is_some());
}
