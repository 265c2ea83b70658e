//! A list of points of a path or a hull: a row for each with a delete button, and a button that adds one.

use egui::{CollapsingHeader, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::form::{Form, PLACE, triple};
use crate::widgets::{self, theme};

/// The list that the points belong to.
pub struct PointsOwner {
    /// The path of the field.
    pub path: &'static str,
    /// The name of what the points make, for tooltips: `the path`.
    pub whole: &'static str,
    /// The smallest and the largest number of points.
    pub least: usize,
    pub most: usize,
    /// The offset of a new point from the last one, m.
    pub step: Vec3,
}

/// Lists of more points are collapsed at first.
const MAX_OPEN_POINTS: usize = 8;

/// Draws the rows, below a header where they are many.
pub fn points(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<Vec3>, owner: &PointsOwner) {
    if points.len() <= MAX_OPEN_POINTS {
        return rows(ui, form, points, owner);
    }
    let header = CollapsingHeader::new(format!("{} points", points.len())).id_salt(owner.path);
    header.show(ui, |ui| rows(ui, form, points, owner));
}

fn rows(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<Vec3>, owner: &PointsOwner) {
    let mut removed = None;
    let weak = theme::colors(ui.visuals()).weak;
    let at_minimum = points.len() <= owner.least;
    for (index, point) in points.iter_mut().enumerate() {
        ui.push_id(index, |ui| {
            let label = format!("  point {}", index + 1);
            form.row(ui, &label, owner.path, &mut (), None, |ui, (), mixed| {
                ui.add_enabled_ui(!at_minimum, |ui| {
                    let name = format!("Remove point {}", index + 1);
                    let tip = format!("Remove this point from {}", owner.whole);
                    if widgets::mark_button(ui, Icon::X, weak, &name, &tip).clicked() {
                        removed = Some(index);
                    }
                });
                triple(ui, point, mixed(""), &PLACE, label.trim())
            });
        });
    }
    if let Some(index) = removed {
        points.remove(index);
    }
    form.row(ui, "", owner.path, points, None, |ui, points, _| {
        let at_maximum = points.len() >= owner.most;
        let add =
            ui.add_enabled_ui(!at_maximum, |ui| widgets::word_button(ui, Icon::Plus, "Add a point")).inner.clicked();
        if add {
            points.push(points.last().copied().unwrap_or_default() + owner.step);
        }
        add
    });
}
