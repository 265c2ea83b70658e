//! The fields of the forces on a body, and of its drag.

use egui::Ui;
use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::form::time_fields::{self, TimeNames};
use crate::editor::form::{DragRange, Form, PLACE, triple};
use crate::widgets::{self, theme};
use delassus_physics::quantity;
use delassus_scene::{Drag, Force, ForceFrame, MAX_FORCES};

const FORCE: DragRange = DragRange::of(quantity::APPLIED_FORCE, 0.1);
const TORQUE: DragRange = DragRange::of(quantity::APPLIED_TORQUE, 0.1);
const LINEAR: DragRange = DragRange::of(quantity::DAMPING, 0.01);
const QUADRATIC: DragRange = DragRange::of(quantity::QUADRATIC_DRAG, 0.01);
const ANGULAR: DragRange = DragRange::of(quantity::ANGULAR_DAMPING, 0.01);

const FRAMES: [(ForceFrame, &str); 2] =
    [(ForceFrame::World, "the world's"), (ForceFrame::Body, "the body's: it rotates with the body")];

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
        gone = widgets::mark_button(ui, Icon::X, weak, &name, "Remove this force from the body").clicked();
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
    let names = TimeNames {
        path: "forces",
        label: "  in time",
        law: &format!("Time of force {number}"),
        rate: &format!("Rate {number}"),
        phase: &format!("Phase {number}"),
        formula: &format!("Formula {number}"),
    };
    time_fields::time(ui, form, by_time, &names);
    gone
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
