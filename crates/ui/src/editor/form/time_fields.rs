//! The fields of a factor as a function of time: of a force, or of a joint's motor or servo.

use egui::Ui;
use lucide_icons::Icon;

use crate::editor::form::formula_fields;
use crate::editor::form::{DragRange, Form, PHASE, quantity as number_of};
use crate::widgets::{self, theme};
use delassus_physics::angle::Angle;
use delassus_physics::force::formula::Formula;
use delassus_physics::quantity;
use delassus_scene::{ByTime, MAX_TIMES};

const RATE: DragRange = DragRange::of(quantity::RATE, 0.05);
const TIME: DragRange = DragRange::of(quantity::TIME, 0.02);
const FACTOR: DragRange = DragRange::of(quantity::FACTOR, 0.01);

/// Least time between two points of a table, s.
const APART: f32 = 1e-3;

/// A new formula.
const NEW: &str = "sin(2*t)";

/// Where a function of time stands in its entry, and the names of its fields.
pub struct TimeNames<'a> {
    pub path: &'a str,
    pub label: &'a str,
    pub law: &'a str,
    pub rate: &'a str,
    pub phase: &'a str,
    pub formula: &'a str,
}

/// Draws the fields of the factor as a function of time.
pub fn time(ui: &mut Ui, form: &mut Form<'_>, by_time: &mut ByTime, names: &TimeNames<'_>) {
    const LAWS: [(usize, &str); 4] = [(0, "constant"), (1, "back and forth"), (2, "by a table"), (3, "by a formula")];
    let now = match by_time {
        ByTime::Constant => 0,
        ByTime::Sinusoid { .. } => 1,
        ByTime::Table { .. } => 2,
        ByTime::Formula { .. } => 3,
    };
    let mut law = now;
    form.choice(ui, (names.label, names.law), names.path, &mut law, None, &LAWS);
    if law != now {
        *by_time = match law {
            0 => ByTime::Constant,
            1 => ByTime::Sinusoid { rate: 1.0, phase: Angle::default() },
            2 => ByTime::Table { points: vec![(0.0, 1.0), (1.0, 0.0)] },
            _ => Formula::read(NEW).map_or(ByTime::Constant, |factor| ByTime::Formula { factor, start: 0.0 }),
        };
    }
    match by_time {
        ByTime::Constant => {}
        ByTime::Sinusoid { rate, phase } => {
            form.number(ui, ("  rate", names.rate), names.path, rate, None, &RATE, None);
            form.angle(ui, ("  phase", names.phase), names.path, phase, Some(Angle::default()), &PHASE, None);
        }
        ByTime::Table { points } => table(ui, form, points, names.path),
        ByTime::Formula { factor, start } => {
            formula_fields::formula(ui, form, factor, f64::from(*start), (names.formula, names.path));
            let name = format!("Start of {}", names.formula);
            form.number(ui, ("  t at 0 s", &name), names.path, start, Some(0.0), &TIME, None);
        }
    }
}

/// Draws the points of a table. Each time can be moved between its neighbours.
fn table(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<(f32, f32)>, path: &str) {
    let mut gone = None;
    let (few, count) = (points.len() < 2, points.len());
    for index in 0..count {
        let before = index.checked_sub(1).map_or(TIME.min, |before| points[before].0 + APART);
        let after = points.get(index + 1).map_or(TIME.max, |after| after.0 - APART);
        let range = TIME.within(before.min(points[index].0), after.max(points[index].0));
        let (time, factor) = &mut points[index];
        let number = index + 1;
        ui.push_id(("point", index), |ui| {
            form.row(ui, &format!("  time {number}"), path, time, None, |ui, time, mixed| {
                let used = number_of(ui, time, mixed(""), &range, &format!("Time {number}"));
                ui.add_enabled_ui(!few, |ui| {
                    let weak = theme::colors(ui.visuals()).weak;
                    let name = format!("Remove time {number}");
                    if widgets::mark_button(ui, Icon::X, weak, &name, "Remove this point from the table").clicked() {
                        gone = Some(index);
                    }
                });
                used
            });
            let names = format!("Factor {number}");
            form.number(ui, ("  factor", &names), path, factor, None, &FACTOR, None);
        });
    }
    if let Some(index) = gone {
        points.remove(index);
        form.touch(path);
    }
    form.row(ui, "", path, points, None, |ui, points, _| {
        let full = points.len() >= MAX_TIMES as usize;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a time")).inner.clicked();
        if add {
            let (time, factor) = points.last().copied().unwrap_or_default();
            points.push((time + 1.0, factor));
        }
        add
    });
}
