//! The Outliner tab: everything in the scene by name, mechanism by mechanism's order in the file; a click selects.

use egui::{Frame, Margin, RichText, ScrollArea, Ui, vec2};
use lucide_icons::Icon;

use super::{
    editor::strip::spaced,
    library::search_field,
    state::{UiState, View},
    theme,
    widgets::{self, icon_sized, named},
};
use crate::{
    physics::shape::Shape,
    session::{BodyView, JointView, Motion},
};

/// A line of the list.
enum Entry<'a> {
    Body(&'a BodyView),
    Joint(usize, &'a JointView),
}

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    Frame::new().inner_margin(Margin { left: 10, right: 4, top: 4, bottom: 4 }).show(ui, |ui| {
        search_field(ui, &mut state.outliner_search, "Search bodies and joints");
        ui.add_space(2.0);
        if view.is_empty() {
            widgets::empty(ui, Icon::PackageOpen, "The scene is empty.\nB spawns bodies.");
            return;
        }
        let found = entries(view, &state.outliner_search);
        if found.is_empty() {
            widgets::empty(ui, Icon::SearchX, "Nothing is called so.");
            return;
        }
        let height = theme::ROW_HEIGHT;
        ui.spacing_mut().item_spacing.y = 1.0;
        // Only the rows in sight are laid out: there may be a hundred thousand.
        ScrollArea::vertical().auto_shrink([false, false]).id_salt("outliner").show_rows(
            ui,
            height,
            found.len(),
            |ui, range| found[range].iter().for_each(|entry| row(ui, entry, view, state)),
        );
    });
}

/// Bodies, then joints, whose name has every word of the search.
fn entries<'a>(view: &View<'a>, search: &str) -> Vec<Entry<'a>> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let fits = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let snapshot = view.snapshot;
    let bodies = snapshot.bodies.iter().filter(|b| fits(&b.name)).map(Entry::Body);
    let joints = snapshot.joints.iter().enumerate().filter(|(_, j)| fits(&j.name)).map(|(i, j)| Entry::Joint(i, j));
    bodies.chain(joints).collect()
}

fn row(ui: &mut Ui, entry: &Entry<'_>, view: &View<'_>, state: &mut UiState) {
    let colors = theme::colors(ui.visuals());
    let (icon, name, on, tip) = match entry {
        Entry::Body(body) => {
            let how = match body.motion {
                Motion::Static => "static",
                Motion::Kinematic => "kinematic",
                Motion::Dynamic => "dynamic",
            };
            let tip = format!("{}, {how} body; Shift-click adds, double click frames", body.name);
            (body_icon(body), &body.name, state.selection.bodies.contains(&body.id), tip)
        }
        Entry::Joint(index, joint) => {
            let end = |id: u32| view.snapshot.body(id).map_or("the world", |b| &*b.name);
            let kind = spaced(joint.kind.info().name);
            let tip = format!("{}: {kind} of {} and {}", joint.name, end(joint.a), end(joint.b));
            (Icon::Link2, &joint.name, state.selection.joint == Some(*index), tip)
        }
    };
    let tint = if on { colors.accent } else { colors.weak };
    let button = egui::Button::selectable(on, (icon_sized(icon, 13.0).color(tint), RichText::new(&**name)))
        .truncate()
        .min_size(vec2(ui.available_width() - 6.0, theme::ROW_HEIGHT));
    let response = named(ui.add(button), name).on_hover_text(tip);
    if response.clicked() {
        match entry {
            Entry::Body(body) => state.selection.click_body(body.id, ui.input(|i| i.modifiers.shift)),
            Entry::Joint(index, _) => state.selection.click_joint(*index),
        }
    }
    if response.double_clicked() {
        state.pending.push(super::action::Action::FrameSelection);
    }
}

fn body_icon(body: &BodyView) -> Icon {
    match body.solid.shape {
        _ if body.motion == Motion::Static => Icon::Anchor,
        Shape::Box { .. } => Icon::Box,
        Shape::Sphere { .. } => Icon::Circle,
        Shape::Capsule { .. } => Icon::Pill,
        Shape::Cylinder { .. } => Icon::Cylinder,
        Shape::Hull { .. } => Icon::Pyramid,
    }
}
