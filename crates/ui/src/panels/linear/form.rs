//! The form for the numbers of the system and for the sweeps.

use egui::{ComboBox, DragValue, Grid, Slider, Ui};

use super::Linear;
use crate::{
    panels::laboratory::typeset::formula,
    widgets::{Segment, named, segments},
};
use delassus_lab::linear::{MAX_UNKNOWNS, examples};

/// The largest number that can be typed.
const MAX_NUMBER: f64 = 1e4;
const MOST_SWEEPS: usize = 60;

pub(super) fn show(ui: &mut Ui, state: &mut Linear) {
    ui.horizontal(|ui| {
        let all = examples();
        let same = all.iter().find(|(_, _, system)| *system == state.system);
        let text = same.map_or("Custom numbers", |(name, ..)| name);
        let chosen = ComboBox::from_id_salt("example").width(190.0).selected_text(text).show_ui(ui, |ui| {
            for (name, about, system) in all {
                if ui.selectable_label(system == state.system, name).on_hover_text(about).clicked() {
                    state.system = system;
                }
            }
        });
        let tip = same.map_or("Example systems", |(_, about, _)| about);
        named(chosen.response, "Example").on_hover_text(tip);
        let sizes = ["2", "3", "4"].map(|size| Segment::new(size, format!("{size} unknowns")));
        if let Some(index) = segments(ui, "Unknowns", &sizes, Some(state.system.size - 2)) {
            state.system.size = index + 2;
        }
    });
    ui.add_space(4.0);
    entries(ui, state);
    ui.add_space(4.0);
    let methods = [
        Segment::new("Gauss–Seidel", "Each unknown uses the newest values of those before it"),
        Segment::new("Jacobi", "All unknowns use the values of the previous sweep"),
    ];
    if let Some(index) = segments(ui, "Sweeps by", &methods, Some(usize::from(state.jacobi))) {
        state.jacobi = index == 1;
    }
    ui.horizontal(|ui| {
        ui.label("sweeps");
        named(ui.add(Slider::new(&mut state.sweeps, 1..=MOST_SWEEPS)), "Number of sweeps");
        if state.jacobi {
            formula(ui, "$ω$");
            let drag = DragValue::new(&mut state.relaxation).range(0.01..=2.0).speed(0.01).max_decimals(3);
            named(ui.add(drag), "Relaxation").on_hover_text("The share of its correction that each unknown takes");
        }
    });
}

fn entries(ui: &mut Ui, state: &mut Linear) {
    let system = &mut state.system;
    let n = system.size;
    Grid::new("entries").num_columns(n + 5).spacing([3.0, 2.0]).min_col_width(20.0).show(ui, |ui| {
        for column in 0..n {
            formula(ui, &format!("$a$_i{}_", column + 1));
        }
        ui.label("");
        for (symbol, tip) in [
            ("$b$_i_", "The right side"),
            ("lower", "Lower bound of the unknown; −∞ for none"),
            ("upper", "Upper bound of the unknown; ∞ for none"),
            ("$x$_i_^0^", "Where the sweeps start"),
        ] {
            formula(ui, symbol).on_hover_text(tip);
        }
        ui.end_row();
        for row in 0..n {
            for column in 0..n {
                entry(ui, &mut system.a[row][column], &format!("a {} {}", row + 1, column + 1));
            }
            ui.label("");
            entry(ui, &mut system.b[row], &format!("b {}", row + 1));
            bound(ui, &mut system.lo[row], f64::NEG_INFINITY, &format!("Lower bound {}", row + 1));
            bound(ui, &mut system.hi[row], f64::INFINITY, &format!("Upper bound {}", row + 1));
            entry(ui, &mut system.start[row], &format!("Start {}", row + 1));
            if system.lo[row] > system.hi[row] {
                system.hi[row] = system.lo[row];
            }
            ui.end_row();
        }
    });
    debug_assert!(n <= MAX_UNKNOWNS, "the form has room for as many");
}

fn entry(ui: &mut Ui, value: &mut f64, name: &str) {
    let drag = DragValue::new(value).range(-MAX_NUMBER..=MAX_NUMBER).speed(0.02).max_decimals(3);
    named(ui.add_sized([40.0, 20.0], drag), name);
}

/// A bound; an infinite one is shown as ∞ and can be typed over.
fn bound(ui: &mut Ui, value: &mut f64, none: f64, name: &str) {
    let shown = |value: f64, _: std::ops::RangeInclusive<usize>| match value {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        value => format!("{}", (value * 1e3).round() / 1e3),
    };
    let read = move |text: &str| {
        let text = text.trim().replace('−', "-");
        let nothing = text.is_empty() || text.contains('∞') || text.to_lowercase().contains("inf");
        if nothing { Some(none) } else { text.parse().ok().filter(|number: &f64| number.is_finite()) }
    };
    let before = *value;
    let drag = DragValue::new(value).speed(0.02).custom_formatter(shown).custom_parser(read);
    let tip = "Click and type a number, or nothing for no bound";
    named(ui.add_sized([40.0, 20.0], drag), name).on_hover_text(tip);
    if value.is_nan() {
        *value = before;
    } else if value.is_finite() {
        *value = value.clamp(-MAX_NUMBER, MAX_NUMBER);
    } else {
        *value = none;
    }
}
