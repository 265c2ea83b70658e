//! A row of the outliner: arrow, name, eye and lock.

use egui::{Align, Color32, Layout, Modifiers, Response, RichText, Ui, vec2};
use lucide_icons::Icon;

use crate::panels::outliner::{OutlinerItem, rename};
use crate::{
    panels::outliner::RowContext,
    request::Request,
    view::View,
    widgets::{self, events, icon_sized, mark_button, named, theme, words::spaced},
};
use delassus_physics::shape::Shape;
use delassus_scene::{Origin, Pattern};
use delassus_session::{BodyView, Motion};

/// Indentation of a level, and the width of an arrow, an eye and a lock, in points.
const LEVEL: f32 = 11.0;
const MARK: f32 = 18.0;

/// For each body id, whether it is selected.
pub fn chosen(view: &View<'_>, state: &RowContext<'_>) -> Vec<bool> {
    let mut chosen = vec![false; view.snapshot.bodies.len() + 1];
    for id in &state.selection.bodies {
        if let Some(on) = chosen.get_mut(*id as usize) {
            *on = true;
        }
    }
    chosen
}

/// Draws the row of this index among the visible rows.
pub fn show(
    ui: &mut Ui,
    at: usize,
    chosen: &[bool],
    view: &View<'_>,
    state: &mut RowContext<'_>,
    out: &mut Vec<Request>,
) {
    let Some(index) = state.outliner.tree.rows.get(at).copied() else { return };
    let Some(node) = state.outliner.tree.nodes.get(index).cloned() else { return };
    let colors = theme::colors(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(LEVEL * f32::from(node.depth.min(6)));
        let folds = node.end > index + 1;
        if folds {
            arrow(ui, index, &node.label, state);
        } else if node.depth > 0 {
            ui.add_space(4.0);
        }
        let hides = matches!(node.item, OutlinerItem::Body(_) | OutlinerItem::Group(_) | OutlinerItem::Joint(_));
        let locks = matches!(node.item, OutlinerItem::Body(_) | OutlinerItem::Group(_));
        let width = (ui.available_width() - 2.0 * MARK - 6.0).max(40.0);
        if rename::field(ui, &node, width - 8.0, view, state, out) {
            return;
        }
        let on = match node.item {
            OutlinerItem::Body(id) => chosen.get(id as usize).copied().unwrap_or(false),
            OutlinerItem::Joint(joint) => state.selection.joints().any(|chosen| chosen == joint),
            OutlinerItem::Group(_) => {
                state.outliner.tree.all_bodies(index, |id| chosen.get(id as usize) == Some(&true))
            }
            OutlinerItem::Section | OutlinerItem::Material(_) => false,
        };
        let hidden = match node.item {
            OutlinerItem::Joint(joint) => state.visibility.is_joint_hidden(joint),
            OutlinerItem::Section | OutlinerItem::Material(_) => false,
            _ => state.outliner.tree.all_bodies(index, |id| state.visibility.is_hidden(id)),
        };
        let locked = locks && state.outliner.tree.all_bodies(index, |id| state.visibility.is_locked(id));
        let (icon, tip) = about(node.item, index, view, state);
        let tint = if on { colors.accent } else { colors.weak };
        let ink = if hidden || node.item == OutlinerItem::Section { colors.weak } else { ui.visuals().text_color() };
        let text = RichText::new(&node.label).color(if on { colors.strong } else { ink });
        let button = match icon {
            Some(icon) => egui::Button::selectable(on, widgets::lead(icon_sized(icon, 13.0).color(tint), text)),
            None => egui::Button::selectable(on, text),
        };
        let size = vec2(width, theme::ROW_HEIGHT);
        // Text at the left, as in a column.
        let column = Layout::top_down(Align::Min);
        let response = ui.allocate_ui_with_layout(size, column, |ui| ui.add(button.truncate().min_size(size))).inner;
        let response = named(response, &node.label).on_hover_text(tip);
        let hovered = ui.rect_contains_pointer(ui.max_rect());
        if response.double_clicked() && rename::name_of(node.item, view).is_some() {
            state.outliner.renaming = Some(rename::Renaming::wanted(node.item));
        } else if response.clicked() {
            clicked(events::click_modifiers(ui), at, index, view, state);
        }
        if hides {
            eye(ui, index, node.item, hidden, hovered, view, state);
        }
        if locks {
            lock(ui, index, &node.label, locked, hovered, view, state);
        }
    });
}

fn arrow(ui: &mut Ui, index: usize, label: &str, state: &mut RowContext<'_>) {
    let open =
        state.outliner.tree.is_open(&state.outliner.tree.nodes[index]) || !state.outliner.search.trim().is_empty();
    let color = theme::colors(ui.visuals()).weak;
    let (image, verb) = if open { (Icon::ChevronDown, "Fold") } else { (Icon::ChevronRight, "Unfold") };
    if mark_button(ui, image, color, &format!("{verb} {label}"), verb).clicked() {
        state.outliner.tree.turn(index);
    }
}

fn eye(
    ui: &mut Ui,
    index: usize,
    item: OutlinerItem,
    hidden: bool,
    hovered: bool,
    view: &View<'_>,
    state: &mut RowContext<'_>,
) {
    let label = &state.outliner.tree.nodes[index].label;
    let (image, verb) = if hidden { (Icon::EyeOff, "Show") } else { (Icon::Eye, "Hide") };
    let name = format!("{verb} {label}");
    if mark(ui, image, hidden, hovered, &name, verb).clicked() {
        if let OutlinerItem::Joint(joint) = item {
            state.visibility.hide_joints(view.snapshot.joints.get(joint).map(|j| &*j.name), !hidden);
        } else {
            let names = state.outliner.tree.bodies(index).filter_map(|id| view.snapshot.body(id)).map(|b| &*b.name);
            state.visibility.hide(names, !hidden);
        }
    }
}

fn lock(
    ui: &mut Ui,
    index: usize,
    label: &str,
    locked: bool,
    hovered: bool,
    view: &View<'_>,
    state: &mut RowContext<'_>,
) {
    let (image, verb) = if locked { (Icon::Lock, "Unlock") } else { (Icon::LockOpen, "Lock") };
    let tip = if locked { "Unlock" } else { "Lock: clicks in the view pass through it" };
    if mark(ui, image, locked, hovered, &format!("{verb} {label}"), tip).clicked() {
        let names = state.outliner.tree.bodies(index).filter_map(|id| view.snapshot.body(id)).map(|b| &*b.name);
        state.visibility.lock(names, !locked);
    }
}

/// An eye or a lock: drawn while it is set, or while the pointer is on the row.
fn mark(ui: &mut Ui, image: Icon, on: bool, hovered: bool, name: &str, tip: &str) -> Response {
    let colors = theme::colors(ui.visuals());
    let color = match (on, hovered) {
        (true, _) => colors.accent,
        (false, true) => colors.weak,
        (false, false) => Color32::TRANSPARENT,
    };
    mark_button(ui, image, color, name, tip)
}

/// An item's icon and its kind in words.
fn about(item: OutlinerItem, index: usize, view: &View<'_>, state: &RowContext<'_>) -> (Option<Icon>, String) {
    match item {
        OutlinerItem::Section => (None, "Click folds or unfolds".to_owned()),
        OutlinerItem::Body(id) => match view.snapshot.body(id) {
            Some(body) => {
                let how = match body.motion {
                    Motion::Static => "static",
                    Motion::Kinematic => "kinematic",
                    Motion::Dynamic => "dynamic",
                };
                let member = match view.session.body_origin(id) {
                    Some(Origin::Pattern(_) | Origin::Part(_)) => {
                        ". Changing it alone writes out the pattern or part that it belongs to"
                    }
                    _ => "",
                };
                let keys = "Shift-click takes all between, Ctrl-click adds, double click renames";
                (Some(body_icon(body)), format!("{}, {how} body{member}. {keys}", body.name))
            }
            None => (None, String::new()),
        },
        OutlinerItem::Joint(joint) => match view.snapshot.joints.get(joint) {
            Some(joint) => {
                let end = |id: u32| view.snapshot.body(id).map_or("the world", |b| &*b.name);
                let kind = spaced(joint.kind.info().name);
                (Some(Icon::Link2), format!("{}: {kind} of {} and {}", joint.name, end(joint.a), end(joint.b)))
            }
            None => (None, String::new()),
        },
        OutlinerItem::Group(origin) => {
            let count = state.outliner.tree.bodies(index).count();
            let bodies = if count == 1 { "1 body".to_owned() } else { format!("{count} bodies") };
            match origin {
                Some(Origin::Pattern(pattern)) => {
                    let noun = view.scene.patterns.get(pattern).map_or("pattern", Pattern::noun);
                    (Some(pattern_icon(noun)), format!("A {noun} of {bodies}; double click renames"))
                }
                Some(Origin::Part(part)) => {
                    let file = view.scene.parts.get(part).map_or("", |part| part.file.as_str());
                    (Some(Icon::Puzzle), format!("The part {file}: {bodies}; double click renames"))
                }
                _ => (Some(Icon::Group), bodies),
            }
        }
        OutlinerItem::Material(material) => match view.scene.materials.get(material) {
            Some(m) => {
                let tip = format!("Friction {}, restitution {}. Click selects its bodies", m.friction, m.restitution);
                (Some(Icon::Paintbrush), tip)
            }
            None => (None, String::new()),
        },
    }
}

fn pattern_icon(noun: &str) -> Icon {
    match noun {
        "chain" => Icon::Link,
        "pyramid" => Icon::Triangle,
        "grid" => Icon::Grid3x3,
        _ => Icon::Layers,
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
        Shape::Compound { .. } => Icon::Boxes,
    }
}

/// Selects a row: alone, as a range with Shift, in addition with Ctrl.
fn clicked(modifiers: Modifiers, at: usize, index: usize, view: &View<'_>, state: &mut RowContext<'_>) {
    let item = state.outliner.tree.nodes[index].item;
    state.outliner.last = Some(item);
    let add = modifiers.command || modifiers.ctrl;
    if modifiers.shift {
        let rows = &state.outliner.tree.rows;
        let from = state.outliner.anchor.and_then(|node| rows.binary_search(&node).ok()).unwrap_or(at);
        let range = from.min(at)..=from.max(at);
        // A collapsed group counts with its content, an expanded one by its rows.
        let (mut bodies, mut joints) = (Vec::new(), Vec::new());
        for row in range {
            let node = rows[row];
            match state.outliner.tree.nodes[node].item {
                OutlinerItem::Body(id) => bodies.push(id),
                OutlinerItem::Joint(joint) => joints.push(joint),
                OutlinerItem::Group(_) if !state.outliner.tree.is_open(&state.outliner.tree.nodes[node]) => {
                    bodies.extend(state.outliner.tree.bodies(node));
                }
                _ => {}
            }
        }
        if bodies.is_empty() && !joints.is_empty() {
            state.selection.take_joints(joints);
        } else {
            select(bodies, add, state);
        }
        return;
    }
    state.outliner.anchor = Some(index);
    match item {
        OutlinerItem::Section => state.outliner.tree.turn(index),
        OutlinerItem::Body(id) => state.selection.click_body(id, add),
        OutlinerItem::Joint(joint) if add => state.selection.add_joint(joint),
        OutlinerItem::Joint(joint) => state.selection.click_joint(joint),
        OutlinerItem::Group(_) => {
            let bodies: Vec<u32> = state.outliner.tree.bodies(index).collect();
            toggle(bodies, add, view, state);
        }
        OutlinerItem::Material(material) => {
            let bodies = view.scene.materials.get(material).map(|m| made_of(&m.name, view)).unwrap_or_default();
            toggle(bodies, add, view, state);
        }
    }
}

/// Ids of the bodies whose entry, or whose pattern's entry, names a material.
fn made_of(material: &str, view: &View<'_>) -> Vec<u32> {
    let uses_material = |body: &delassus_scene::Body| body.material.as_deref() == Some(material);
    let is = |origin| match origin {
        Some(Origin::Body(index)) => view.scene.bodies.get(index).is_some_and(uses_material),
        Some(Origin::Pattern(index)) => {
            view.scene.patterns.get(index).and_then(Pattern::body).is_some_and(uses_material)
        }
        _ => false,
    };
    view.snapshot.bodies.iter().map(|b| b.id).filter(|id| is(view.session.body_origin(*id))).collect()
}

/// Selects bodies, alone or in addition. With Ctrl, bodies that are all selected are deselected.
fn toggle(bodies: Vec<u32>, add: bool, view: &View<'_>, state: &mut RowContext<'_>) {
    let now = chosen(view, state);
    let is_on = |id: &u32| now.get(*id as usize) == Some(&true);
    if add && bodies.iter().all(is_on) {
        let gone: std::collections::HashSet<u32> = bodies.into_iter().collect();
        state.selection.bodies.retain(|id| !gone.contains(id));
    } else {
        select(bodies, add, state);
    }
}

fn select(bodies: Vec<u32>, add: bool, state: &mut RowContext<'_>) {
    state.selection.joint = None;
    if !add {
        state.selection.bodies.clear();
    }
    let already: std::collections::HashSet<u32> = state.selection.bodies.iter().copied().collect();
    state.selection.bodies.extend(bodies.into_iter().filter(|id| !already.contains(id)));
}
