//! The fields of a kinematic body's motion law.

use egui::Ui;
use glam::Vec3;

use crate::editor::form::point_list::{PointsOwner, points as points_of};
use crate::editor::form::{DragRange, Form, PHASE, SPEED, SPIN};
use delassus_physics::angle::Angle;
use delassus_physics::quantity;
use delassus_scene::Mover;

const RATE: DragRange = DragRange::of(quantity::RATE, 0.05);
const PACE: DragRange = DragRange::of(quantity::PACE, 0.05).dragged(1e-3, quantity::PACE.max);

const PATH: PointsOwner = PointsOwner {
    path: "mover",
    whole: "the path",
    least: 1,
    most: delassus_scene::MAX_WAYPOINTS as usize,
    step: Vec3::X,
};

/// Draws the fields of the law of a body at the position `at`; choosing a law takes over the body's constant
/// velocity.
pub fn rows(
    ui: &mut Ui,
    form: &mut Form<'_>,
    mover: &mut Option<Mover>,
    (body_velocity, body_angular): (&mut Vec3, &mut Vec3),
    at: Vec3,
) {
    const LAWS: [(usize, &str); 4] = [(0, "none"), (1, "constant"), (2, "back and forth"), (3, "along a path")];
    let now = match mover {
        None => 0,
        Some(Mover::Constant { .. }) => 1,
        Some(Mover::Sinusoid { .. }) => 2,
        Some(Mover::Waypoints { .. }) => 3,
    };
    let mut law = now;
    form.choice(ui, ("Law", "Mover"), "mover", &mut law, Some(0), &LAWS);
    if law != now {
        let (velocity, angular_velocity) = match mover {
            Some(
                Mover::Constant { velocity, angular_velocity } | Mover::Sinusoid { velocity, angular_velocity, .. },
            ) => (*velocity, *angular_velocity),
            _ => (*body_velocity, *body_angular),
        };
        let moving = if velocity == Vec3::ZERO && angular_velocity == Vec3::ZERO { Vec3::X } else { velocity };
        *mover = match law {
            0 => {
                (*body_velocity, *body_angular) = (velocity, angular_velocity);
                None
            }
            1 => Some(Mover::Constant { velocity: moving, angular_velocity }),
            2 => Some(Mover::Sinusoid { velocity: moving, angular_velocity, rate: 1.0, phase: Angle::default() }),
            _ => Some(Mover::Waypoints { points: vec![at + Vec3::X], speed: 1.0, repeat: true }),
        };
    }
    match mover {
        None => {}
        Some(Mover::Constant { velocity, angular_velocity }) => {
            form.vector(ui, "  velocity", "mover", velocity, None, &SPEED, None);
            form.vector(ui, "  spin", "mover", angular_velocity, None, &SPIN, None);
        }
        Some(Mover::Sinusoid { velocity, angular_velocity, rate, phase }) => {
            form.vector(ui, "  most velocity", "mover", velocity, None, &SPEED, None);
            form.vector(ui, "  most spin", "mover", angular_velocity, None, &SPIN, None);
            form.number(ui, ("  rate", "Mover rate"), "mover", rate, None, &RATE, None);
            form.angle(ui, ("  phase", "Mover phase"), "mover", phase, Some(Angle::default()), &PHASE, None);
        }
        Some(Mover::Waypoints { points, speed, repeat }) => {
            form.number(ui, ("  speed", "Mover speed"), "mover", speed, None, &PACE, None);
            form.switch(ui, "  repeats", "mover", repeat, None, "From the last point back to the start, and on again");
            points_of(ui, form, points, &PATH);
        }
    }
}
