//! The fields of the forces on a body, and of its drag.

use egui::Ui;
use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::form::{DEGREES, DragRange, Form, PLACE, quantity as number_of, triple};
use crate::widgets::{self, theme};
use delassus_physics::angle::Angle;
use delassus_physics::quantity;
use delassus_scene::{ByTime, Drag, Force, ForceFrame, MAX_FORCES, MAX_TIMES};

const FORCE: DragRange = DragRange::of(quantity::APPLIED_FORCE, 0.1);
const TORQUE: DragRange = DragRange::of(quantity::APPLIED_TORQUE, 0.1);
const RATE: DragRange = DragRange::of(quantity::RATE, 0.05);
const PHASE: DragRange = DragRange { min: -360.0, max: 360.0, ..DEGREES };
const TIME: DragRange = DragRange::of(quantity::TIME, 0.02);
const FACTOR: DragRange = DragRange::of(quantity::FACTOR, 0.01);
const LINEAR: DragRange = DragRange::of(quantity::DAMPING, 0.01);
const QUADRATIC: DragRange = DragRange::of(quantity::QUADRATIC_DRAG, 0.01);
const ANGULAR: DragRange = DragRange::of(quantity::ANGULAR_DAMPING, 0.01);

const FRAMES: [(ForceFrame, &str); 2] =
    [(ForceFrame::World, "the world's"), (ForceFrame::Body, "the body's: it rotates along")];

/// Least time between two points of a table, s.
const APART: f32 = 1e-3;

/// Draws the fields of all forces, and a button that adds one.
pub fn forces(ui: &mut Ui, form: &mut Form<'_>, forces: &mut Vec<Force>) {
    let mut gone = None;
    for (index, force) in forces.iter_mut().enumerate() {
        ui.push_id(("force", index), |ui| {
            if one(ui, form, force, index + 1) {
                gone = Some(index);
            }
        });
    }
    if let Some(index) = gone {
        forces.remove(index);
        form.touch("forces");
    }
    form.row(ui, if forces.is_empty() { "Forces" } else { "" }, "forces", forces, None, |ui, forces, _| {
        let full = forces.len() >= MAX_FORCES;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a force")).inner.clicked();
        if add {
            forces.push(Force { force: Vec3::Z, ..Force::default() });
        }
        add
    });
}

/// Draws the fields of one force; true if it is to be removed.
fn one(ui: &mut Ui, form: &mut Form<'_>, force: &mut Force, number: usize) -> bool {
    let Force { force, torque, at, frame, by_time } = force;
    let mut gone = false;
    form.row(ui, &format!("Force {number}, N"), "forces", force, None, |ui, force, mixed| {
        let weak = theme::colors(ui.visuals()).weak;
        let name = format!("Remove force {number}");
        gone = widgets::mark_button(ui, Icon::X, weak, &name, "Take this force off the body").clicked();
        triple(ui, force, mixed(""), &FORCE, &format!("Force {number}"))
    });
    form.row(ui, "  torque, N·m", "forces", torque, None, |ui, torque, mixed| {
        triple(ui, torque, mixed(""), &TORQUE, &format!("Torque {number}"))
    });
    form.optional(ui, ("  off centre", &format!("Point of force {number}")), "forces", at, Vec3::ZERO, None);
    if let Some(at) = at {
        form.row(ui, "  at, m", "forces", at, None, |ui, at, mixed| {
            triple(ui, at, mixed(""), &PLACE, &format!("Point {number}"))
        });
    }
    form.choice(ui, ("  axes", &format!("Axes of force {number}")), "forces", frame, None, &FRAMES);
    time(ui, form, by_time, number);
    gone
}

/// Draws the fields of the factor as a function of time.
fn time(ui: &mut Ui, form: &mut Form<'_>, by_time: &mut ByTime, number: usize) {
    const LAWS: [(usize, &str); 3] = [(0, "constant"), (1, "back and forth"), (2, "by a table")];
    let now = match by_time {
        ByTime::Constant => 0,
        ByTime::Sinusoid { .. } => 1,
        ByTime::Table { .. } => 2,
    };
    let mut law = now;
    form.choice(ui, ("  in time", &format!("Time of force {number}")), "forces", &mut law, None, &LAWS);
    if law != now {
        *by_time = match law {
            0 => ByTime::Constant,
            1 => ByTime::Sinusoid { rate: 1.0, phase: Angle::default() },
            _ => ByTime::Table { points: vec![(0.0, 1.0), (1.0, 0.0)] },
        };
    }
    match by_time {
        ByTime::Constant => {}
        ByTime::Sinusoid { rate, phase } => {
            form.number(ui, ("  rate", &format!("Rate {number}")), "forces", rate, None, &RATE, None);
            let name = format!("Phase {number}");
            form.angle(ui, ("  phase", &name), "forces", phase, Some(Angle::default()), &PHASE, None);
        }
        ByTime::Table { points } => table(ui, form, points),
    }
}

/// Draws the points of a table. Each time can be moved between its neighbours.
fn table(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<(f32, f32)>) {
    let mut gone = None;
    let (few, count) = (points.len() < 2, points.len());
    for index in 0..count {
        let before = index.checked_sub(1).map_or(TIME.min, |before| points[before].0 + APART);
        let after = points.get(index + 1).map_or(TIME.max, |after| after.0 - APART);
        let range = TIME.within(before.min(points[index].0), after.max(points[index].0));
        let (time, factor) = &mut points[index];
        let number = index + 1;
        ui.push_id(("point", index), |ui| {
            form.row(ui, &format!("  time {number}"), "forces", time, None, |ui, time, mixed| {
                let used = number_of(ui, time, mixed(""), &range, &format!("Time {number}"));
                ui.add_enabled_ui(!few, |ui| {
                    let weak = theme::colors(ui.visuals()).weak;
                    let name = format!("Remove time {number}");
                    if widgets::mark_button(ui, Icon::X, weak, &name, "Take this point out of the table").clicked() {
                        gone = Some(index);
                    }
                });
                used
            });
            let names = format!("Factor {number}");
            form.number(ui, ("  factor", &names), "forces", factor, None, &FACTOR, None);
        });
    }
    if let Some(index) = gone {
        points.remove(index);
        form.touch("forces");
    }
    form.row(ui, "", "forces", points, None, |ui, points, _| {
        let full = points.len() >= MAX_TIMES as usize;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a time")).inner.clicked();
        if add {
            let (time, factor) = points.last().copied().unwrap_or_default();
            points.push((time + 1.0, factor));
        }
        add
    });
}

/// Draws the fields of a body's drag.
pub fn drag(ui: &mut Ui, form: &mut Form<'_>, drag: &mut Option<Drag>) {
    let begins = Drag { linear: 1.0, ..Drag::default() };
    form.optional(ui, ("Drag", "Drag"), "drag", drag, begins, None);
    let Some(Drag { linear, quadratic, angular }) = drag else { return };
    form.number(ui, ("  linear", "Linear drag"), "drag.linear", linear, Some(0.0), &LINEAR, None);
    form.number(ui, ("  quadratic", "Quadratic drag"), "drag.quadratic", quadratic, Some(0.0), &QUADRATIC, None);
    form.number(ui, ("  angular", "Angular drag"), "drag.angular", angular, Some(0.0), &ANGULAR, None);
}
