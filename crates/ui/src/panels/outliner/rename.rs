//! A name that is being edited in its row.

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Key, TextEdit, Ui};

use crate::panels::outliner::{OutlinerItem, tree::OutlinerNode};
use crate::{
    panels::outliner::RowContext,
    request::{Request, ask},
    view::View,
    widgets::named,
};
use delassus_scene::Origin;
use delassus_session::{Edit, Element};

/// What is being renamed.
#[derive(Clone, Debug, PartialEq)]
pub struct Renaming {
    pub item: OutlinerItem,
    /// The name so far; `None` until its row is found.
    text: Option<String>,
    /// Whether the field has had the keyboard.
    focused: bool,
}

impl Renaming {
    /// Starts renaming an item.
    pub fn wanted(item: OutlinerItem) -> Self {
        Self { item, text: None, focused: false }
    }
}

/// The full name of a node's item; `None` if it has no name of its own.
pub fn name_of(item: OutlinerItem, view: &View<'_>) -> Option<String> {
    match item {
        OutlinerItem::Body(id) => view.snapshot.body(id).map(|b| b.name.to_string()),
        OutlinerItem::Joint(index) => view.snapshot.joints.get(index).map(|j| j.name.to_string()),
        OutlinerItem::Material(index) => view.scene.materials.get(index).map(|m| m.name.clone()),
        OutlinerItem::Group(Some(Origin::Pattern(index))) => {
            view.scene.patterns.get(index).map(|p| p.name().to_owned())
        }
        OutlinerItem::Group(Some(Origin::Part(index))) => view.scene.parts.get(index).map(|p| p.name.clone()),
        OutlinerItem::Group(_) | OutlinerItem::Section => None,
    }
}

/// Finds the row of the item to rename and scrolls to it.
pub fn start_rename(view: &View<'_>, state: &mut RowContext<'_>) {
    let Some(renaming) = state.outliner.renaming.as_mut().filter(|r| r.text.is_none()) else { return };
    let item = renaming.item;
    match name_of(item, view) {
        Some(name) => {
            renaming.text = Some(name);
            state.outliner.reveal = state.outliner.tree.reveal(item);
            state.outliner.tree.update(view, &state.outliner.search);
        }
        None => state.outliner.renaming = None,
    }
}

/// Draws the field in place of the name. True if this row is being renamed.
pub fn field(
    ui: &mut Ui,
    node: &OutlinerNode,
    width: f32,
    view: &View<'_>,
    state: &mut RowContext<'_>,
    out: &mut Vec<Request>,
) -> bool {
    let Some(renaming) = state.outliner.renaming.as_mut().filter(|r| r.item == node.item) else { return false };
    let Some(text) = &mut renaming.text else { return false };
    let response = named(ui.add(TextEdit::singleline(text).desired_width(width)), "New name");
    if !renaming.focused {
        response.request_focus();
        // Typing replaces the old name.
        let mut field = TextEditState::load(ui.ctx(), response.id).unwrap_or_default();
        field.cursor.set_char_range(Some(CCursorRange::select_all_str(text)));
        field.store(ui.ctx(), response.id);
        renaming.focused = true;
    }
    if response.lost_focus() {
        let text = text.trim().to_owned();
        let item = renaming.item;
        state.outliner.renaming = None;
        if !ui.input(|i| i.key_pressed(Key::Escape)) {
            commit(item, text, view, state, out);
        }
    }
    true
}

fn commit(item: OutlinerItem, to: String, view: &View<'_>, state: &mut RowContext<'_>, out: &mut Vec<Request>) {
    let Some(name) = name_of(item, view).filter(|name| *name != to) else { return };
    let edit = match item {
        OutlinerItem::Body(_) => view.session.body_entry(&name).map(|mut body| {
            state.visibility.rename(&name, &to);
            body.name = to;
            Edit::Body { name, body: Box::new(body) }
        }),
        OutlinerItem::Joint(_) => view.session.joint_entry(&name).map(|mut joint| {
            joint.name = to;
            Edit::Joint { name, joint: Box::new(joint) }
        }),
        OutlinerItem::Material(index) => view.scene.materials.get(index).cloned().map(|mut material| {
            material.name = to;
            Edit::Element(Element::Material { name, material })
        }),
        OutlinerItem::Group(Some(Origin::Pattern(index))) => {
            view.scene.patterns.get(index).cloned().map(|mut pattern| {
                *pattern.name_mut() = to;
                Edit::Element(Element::Pattern { index, pattern: Box::new(pattern) })
            })
        }
        OutlinerItem::Group(Some(Origin::Part(index))) => view.scene.parts.get(index).cloned().map(|mut part| {
            part.name = to;
            Edit::Element(Element::Part { index, part: Box::new(part) })
        }),
        OutlinerItem::Group(_) | OutlinerItem::Section => None,
    };
    if let Some(edit) = edit {
        ask(edit, out);
    }
}
