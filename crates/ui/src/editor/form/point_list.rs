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
    /// Its name in tooltips: `the path`.
    pub whole: &'static str,
    /// The least and the greatest number of points.
    pub least: usize,
    pub most: usize,
    /// The offset of a new point from the last one, m.
    pub step: Vec3,
}

/// Longer lists are collapsed at first.
const MANY: usize = 8;

/// Draws the rows, below a header where they are many.
pub fn points(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<Vec3>, of: &PointsOwner) {
    if points.len() <= MANY {
        return rows(ui, form, points, of);
    }
    let header = CollapsingHeader::new(format!("{} points", points.len())).id_salt(of.path);
    header.show(ui, |ui| rows(ui, form, points, of));
}

fn rows(ui: &mut Ui, form: &mut Form<'_>, points: &mut Vec<Vec3>, of: &PointsOwner) {
    let mut gone = None;
    let weak = theme::colors(ui.visuals()).weak;
    let few = points.len() <= of.least;
    for (index, point) in points.iter_mut().enumerate() {
        ui.push_id(index, |ui| {
            let label = format!("  point {}", index + 1);
            form.row(ui, &label, of.path, &mut (), None, |ui, (), mixed| {
                ui.add_enabled_ui(!few, |ui| {
                    let name = format!("Remove point {}", index + 1);
                    let tip = format!("Take this point out of {}", of.whole);
                    if widgets::mark_button(ui, Icon::X, weak, &name, &tip).clicked() {
                        gone = Some(index);
                    }
                });
                triple(ui, point, mixed(""), &PLACE, label.trim())
            });
        });
    }
    if let Some(index) = gone {
        points.remove(index);
    }
    form.row(ui, "", of.path, points, None, |ui, points, _| {
        let full = points.len() >= of.most;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a point")).inner.clicked();
        if add {
            points.push(points.last().copied().unwrap_or_default() + of.step);
        }
        add
    });
}
