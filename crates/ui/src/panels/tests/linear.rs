//! Chapter 5's page, driven by the names of the controls.

use egui_kittest::kittest::Queryable;

use crate::bench::{click, window};
use delassus_lab::linear::Sweep;

#[test]
fn the_books_tables_are_shown_and_numbers_can_be_edited() {
    let mut harness = window();
    harness.state_mut().state.linear.open = true;
    harness.run_steps(4);
    // The page opens with the second system: two digits after four sweeps.
    assert!(harness.query_all_by_label("1.71").next().is_some() && harness.query_all_by_label("0.88").next().is_some());
    click(&mut harness, "Example");
    click(&mut harness, "Book, first");
    for shown in ["6610.50", "−13217.50"] {
        assert!(harness.query_by_label(shown).is_some(), "{shown}");
    }
    assert!(harness.query_by_label("Each sweep multiplies the error by 6.00: it diverges.").is_some());
    click(&mut harness, "Sweeps by: Jacobi");
    assert_eq!(harness.state().state.linear.sweep_method(), Sweep::Jacobi(1.0));
    click(&mut harness, "Unknowns: 3");
    assert_eq!(harness.state().state.linear.system.size, 3);
    assert!(harness.query_by_label("a 3 3").is_some() && harness.query_by_label("Unknowns of the sweeps").is_some());
    // A bound can be typed, and removed by ∞.
    for (typed, bound) in [("0.5", 0.5), ("∞", f64::INFINITY)] {
        harness.get_by_label("Upper bound 1").click();
        harness.run_steps(4);
        harness.get_by_label("Upper bound 1").type_text(typed);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(4);
        assert_eq!(harness.state().state.linear.system.hi[0], bound, "{typed}");
    }
    click(&mut harness, "Close Linear systems, as in chapter 5");
    assert!(!harness.state().state.linear.open);
}

#[test]
fn every_example_is_drawn() {
    let mut harness = window();
    harness.state_mut().state.linear.open = true;
    for (name, _, system) in delassus_lab::linear::examples() {
        for jacobi in [false, true] {
            for sweeps in [1, 60] {
                let linear = &mut harness.state_mut().state.linear;
                (linear.system, linear.jacobi, linear.sweeps) = (system, jacobi, sweeps);
                harness.run_steps(2);
                let way = if system.size == 2 { "Path of the sweeps" } else { "Unknowns of the sweeps" };
                assert!(harness.query_by_label(way).is_some(), "{name}");
            }
        }
    }
}
