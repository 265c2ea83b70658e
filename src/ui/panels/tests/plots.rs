//! Plots, driven by the names of the controls.

use egui::Key;
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
