//! The fields of the law that a kinematic body follows.

use egui::Ui;
use glam::Vec3;
use lucide_icons::Icon;

use super::form::{DEGREES, Form, PLACE, SPEED, SPIN, Scale};
use crate::physics::angle::Angle;
use crate::scene::{Body, Mover};
use crate::ui::{theme, widgets};

const RATE: Scale = Scale::new("rad/s", -1e5, 1e5, 0.05);
const PHASE: Scale = Scale { min: -360.0, max: 360.0, ..DEGREES };
const PACE: Scale = Scale::new("m/s", 1e-3, 1e5, 0.05);

/// Draws the fields of the body's law; choosing one takes its constant velocity over.
pub fn mover(ui: &mut Ui, form: &mut Form<'_>, body: &mut Body) {
    const LAWS: [(usize, &str); 4] = [(0, "none"), (1, "constant"), (2, "to and fro"), (3, "along a path")];
    let now = match body.mover {
        None => 0,
        Some(Mover::Constant { .. }) => 1,
        Some(Mover::Sinusoid { .. }) => 2,
        Some(Mover::Waypoints { .. }) => 3,
    };
    let mut law = now;
    form.choice(ui, ("Law", "Mover"), "mover", &mut law, Some(0), &LAWS);
    if law != now {
        let (velocity, spin) = match &body.mover {
            Some(Mover::Constant { velocity, spin } | Mover::Sinusoid { velocity, spin, .. }) => (*velocity, *spin),
            _ => (body.velocity, body.spin),
        };
        let moving = if velocity == Vec3::ZERO && spin == Vec3::ZERO { Vec3::X } else { velocity };
        body.mover = match law {
            0 => {
                (body.velocity, body.spin) = (velocity, spin);
                None
            }
            1 => Some(Mover::Constant { velocity: moving, spin }),
            2 => Some(Mover::Sinusoid { velocity: moving, spin, rate: 1.0, phase: Angle::default() }),
            _ => Some(Mover::Waypoints { points: vec![body.at + Vec3::X], speed: 1.0, repeat: true }),
        };
    }
    match &mut body.mover {
        None => {}
        Some(Mover::Constant { velocity, spin }) => {
            form.vector(ui, "  velocity", "mover", velocity, None, &SPEED, None);
            form.vector(ui, "  spin", "mover", spin, None, &SPIN, None);
        }
        Some(Mover::Sinusoid { velocity, spin, rate, phase }) => {
            form.vector(ui, "  most velocity", "mover", velocity, None, &SPEED, None);
            form.vector(ui, "  most spin", "mover", spin, None, &SPIN, None);
            form.number(ui, ("  rate", "Mover rate"), "mover", rate, None, &RATE, None);
            form.angle(ui, ("  phase", "Mover phase"), "mover", phase, Some(Angle::default()), &PHASE, None);
        }
        Some(Mover::Waypoints { points, speed, repeat }) => {
            form.number(ui, ("  speed", "Mover speed"), "mover", speed, None, &PACE, None);
            form.switch(ui, "  repeats", "mover", repeat, None, "From the last point to the start, and on");
            path(ui, form, points);
        }
    }
}

/// The points of a path, each with a button that takes it away, and one that adds another.
fn path(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<Vec3>) {
    let mut gone = None;
    let weak = theme::colors(ui.visuals()).weak;
    let single = points.len() == 1;
    for (index, point) in points.iter_mut().enumerate() {
        ui.push_id(index, |ui| {
            let label = format!("  point {}", index + 1);
            form.row(ui, &label, "mover", &mut (), None, |ui, (), mixed| {
                // The only point of a path has to stay.
                let enabled = !single;
                ui.add_enabled_ui(enabled, |ui| {
                    let name = format!("Remove point {}", index + 1);
                    if widgets::mark_button(ui, Icon::X, weak, &name, "Take this point out of the path").clicked() {
                        gone = Some(index);
                    }
                });
                super::form::triple(ui, point, mixed(""), &PLACE, label.trim())
            });
        });
    }
    if let Some(index) = gone {
        points.remove(index);
    }
    form.row(ui, "", "mover", points, None, |ui, points, _| {
        let full = points.len() >= crate::scene::MAX_WAYPOINTS as usize;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a point")).inner.clicked();
        if add {
            points.push(points.last().copied().unwrap_or_default() + Vec3::X);
        }
        add
    });
}
