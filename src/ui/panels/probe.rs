//! Probes: distances and angles between points, axes and faces, live, and what acts on the selected bodies from outside,
//! by numbers and arrows. A click on a number copies it.

use egui::{Align2, Grid, RichText, ScrollArea, Ui, vec2};
use glam::{Quat, Vec2, Vec3};
use lucide_icons::Icon;

use crate::lab::load::{Wrench, load};
use crate::lab::measure::{Measure, Place, Spot, measure};
use crate::render::palette::{self, with_alpha};
use crate::session::Snapshot;
use crate::ui::{
    editor::{Hands, snap},
    panels::laboratory,
    selection::Selection,
    view::View,
    view3d::{View3d, viewport::viewport},
    widgets::{angles::Angles, icon_button, named, number, theme, title, window_header, word_button},
};

/// A place that was picked; it goes along with its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The body's number; 0 for the world.
    body: u32,
    /// In the frame of the body's shape.
    spot: Spot,
    /// What it is of what.
    words: String,
}

/// The panel's memory.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    pub open: bool,
    /// A click in the view picks a place.
    pub picking: bool,
    /// The first of two places.
    first: Option<Pick>,
    pub measures: Vec<(Pick, Pick)>,
    /// Net force and torque are drawn.
    pub arrows: bool,
}

const WIDTH: f32 = 330.0;
/// More measures hide each other.
const MOST: usize = 12;
const LINE: [f32; 3] = palette::SKY_BLUE;

impl Pick {
    /// Where it is now; `None` once its body is gone.
    fn now(&self, snapshot: &Snapshot) -> Option<Spot> {
        let (position, rotation) = match self.body {
            0 => (Vec3::ZERO, Quat::IDENTITY),
            id => snapshot.body(id).map(|body| (body.pose.position, body.pose.rotation))?,
        };
        let turned = match self.spot.place {
            Place::Point => Place::Point,
            Place::Axis(along) => Place::Axis(rotation * along),
            Place::Face(normal) => Place::Face(rotation * normal),
        };
        Some(Spot { at: position + rotation * self.spot.at, place: turned })
    }
}

impl Probes {
    /// Other bodies are there: what was picked is gone.
    pub fn forget(&mut self) {
        self.first = None;
        self.measures.clear();
    }
}

/// What lies under the pointer: a joint's axis, an edge, a face, a corner or a centre.
fn under(at: Vec2, view: &View<'_>, state: &Hands<'_>) -> Option<(Pick, Spot)> {
    let size = viewport(state.view3d);
    let near = |p: Vec3| state.view3d.camera.project(p, size).is_some_and(|p| p.distance(at) < 9.0);
    let local = |body: u32, at: Vec3, along: Vec3| match view.snapshot.body(body) {
        Some(body) => {
            let back = body.pose.rotation.conjugate();
            (back * (at - body.pose.position), back * along)
        }
        None => (at, along),
    };
    let seen = |joint: &crate::session::JointView| near(joint.anchor_b) && state.view3d.overlays.joints;
    if let Some(joint) = view.snapshot.joints.iter().find(|joint| seen(joint)) {
        let has_axis = joint.kind.info().axis;
        let (at, along) = local(joint.b, joint.anchor_b, joint.axis_b);
        let (place, now) = match has_axis {
            true => (Place::Axis(along), Place::Axis(joint.axis_b)),
            false => (Place::Point, Place::Point),
        };
        let words = format!("{} of {}", if has_axis { "axis" } else { "anchor" }, joint.name);
        return Some((
            Pick { body: joint.b, spot: Spot { at, place }, words },
            Spot { at: joint.anchor_b, place: now },
        ));
    }
    let (origin, direction) = state.view3d.camera.ray(at, size);
    let hit = (view.pick)(origin, direction)?;
    let body = view.snapshot.body(hit.body)?;
    let (kind, point) = snap::taken(at, &hit, body, snap::SnapKind::Any, state);
    let place = match kind {
        snap::SnapKind::Edge => Place::Axis(snap::edge(&hit, body)),
        snap::SnapKind::Face | snap::SnapKind::Hit => Place::Face(hit.normal),
        _ => Place::Point,
    };
    let what = match (kind, place) {
        (snap::SnapKind::Edge, _) => "edge",
        (_, Place::Face(_)) => "face",
        (kind, _) => kind.one(),
    };
    let along = match place {
        Place::Axis(along) | Place::Face(along) => along,
        Place::Point => Vec3::ZERO,
    };
    let (at, along) = local(hit.body, point, along);
    let own = match place {
        Place::Point => Place::Point,
        Place::Axis(_) => Place::Axis(along),
        Place::Face(_) => Place::Face(along),
    };
    let words = format!("{what} of {}", body.name);
    Some((Pick { body: hit.body, spot: Spot { at, place: own }, words }, Spot { at: point, place }))
}

/// Takes what is clicked in the view, and marks what would be; true while places are picked.
pub fn pointer(response: &egui::Response, view: &View<'_>, state: &mut Hands<'_>, probes: &mut Probes) -> bool {
    if !probes.open || !probes.picking {
        return false;
    }
    state.view3d.preview.clear();
    let Some(at) = response.hover_pos() else { return true };
    let local = Vec2::new(at.x - state.view3d.rect.left(), at.y - state.view3d.rect.top());
    state.view3d.pointer = Some(local);
    let Some((pick, spot)) = under(local, view, state) else { return true };
    mark(&spot, state.view3d);
    state.view3d.preview.label = Some(pick.words.clone());
    if response.clicked() {
        match probes.first.take() {
            None => probes.first = Some(pick),
            Some(first) if probes.measures.len() < MOST => probes.measures.push((first, pick)),
            Some(first) => {
                probes.measures.remove(0);
                probes.measures.push((first, pick));
            }
        }
    }
    true
}

/// A dot, and the line or plane beside it.
fn mark(spot: &Spot, view3d: &mut View3d) {
    let color = with_alpha(LINE, 1.0);
    view3d.preview.points.push((spot.at, color, 4.0));
    let size = 24.0 * view3d.camera.metres_per_pixel(spot.at, viewport(view3d));
    match spot.place {
        Place::Point => {}
        Place::Axis(along) => {
            view3d.preview.lines.push((spot.at - along * size, spot.at + along * size, color, 2.0));
        }
        Place::Face(normal) => {
            let (u, v) = normal.any_orthonormal_pair();
            let corners = [u + v, v - u, -u - v, u - v].map(|way| spot.at + way * (0.5 * size));
            (0..4).for_each(|k| view3d.preview.lines.push((corners[k], corners[(k + 1) % 4], color, 1.5)));
            view3d.preview.lines.push((spot.at, spot.at + normal * size, color, 1.5));
        }
    }
}

/// What the open panel draws in the view.
pub fn in_view(view: &View<'_>, probes: &Probes, selection: &Selection, view3d: &mut View3d, angles: Angles) {
    if !probes.open {
        return;
    }
    if let Some(spot) = probes.first.as_ref().and_then(|pick| pick.now(view.snapshot)) {
        mark(&spot, view3d);
    }
    for (first, second) in &probes.measures {
        let (Some(a), Some(b)) = (first.now(view.snapshot), second.now(view.snapshot)) else { continue };
        mark(&a, view3d);
        mark(&b, view3d);
        view3d.preview.lines.push((a.at, b.at, with_alpha(LINE, 1.0), 2.0));
        view3d.preview.words.push(((a.at + b.at) * 0.5, short(&measure(&a, &b), angles)));
    }
    if !probes.arrows {
        return;
    }
    let settings = view.settings;
    if let Some(load) = load(view.snapshot, &selection.bodies, settings.step.gravity, settings.h()) {
        let scale = view3d.newtons_a_metre.max(1e-6);
        let parts = [
            (load.joints.force, palette::PURPLE),
            (load.contacts.force, palette::GREEN),
            (load.weight.force, palette::BLUE),
            (load.net().force, palette::VERMILION),
        ];
        for (force, color) in parts.into_iter().filter(|(force, _)| force.is_finite() && force.length() > 1e-3) {
            view3d.preview.arrows.push((load.centre, force / scale, with_alpha(color, 1.0)));
        }
        let torque = load.net().torque;
        if torque.is_finite() && torque.length() > 1e-3 {
            let radius = (torque.length() / scale).clamp(0.05, 2.0);
            laboratory::arc(view3d, load.centre, torque.normalize(), radius, with_alpha(palette::VERMILION, 1.0));
        }
    }
}

/// In one line.
fn short(measure: &Measure, angles: Angles) -> String {
    let length = number::length(f64::from(measure.apart.unwrap_or(measure.between.length())));
    match measure.angle {
        Some(angle) if measure.apart.is_none() => angles.words(angle),
        Some(angle) => format!("{length}, {}", angles.words(angle)),
        None => length,
    }
}

/// Draws the window if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, room: egui::Rect, probes: &mut Probes, selection: &Selection) {
    if !probes.open {
        (probes.picking, probes.first) = (false, None);
        return;
    }
    let mut close = false;
    egui::Window::new("Probes")
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::RIGHT_BOTTOM)
        .default_pos(room.right_bottom() + vec2(-16.0, -12.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(room.width() - 20.0).max(120.0));
            close = window_header(ui, "Probes");
            let most = (room.height() - 70.0).max(60.0);
            ScrollArea::vertical().max_height(most).show(ui, |ui| {
                measures(ui, view, probes);
                ui.add_space(6.0);
                forces(ui, view, probes, selection);
            });
        });
    if close {
        probes.open = false;
    }
}

/// A number that a click copies, whole.
fn copied(ui: &mut Ui, shown: String, whole: String, name: &str) {
    let text = RichText::new(shown).monospace().size(11.5);
    let label = egui::Label::new(text).sense(egui::Sense::click()).extend();
    let response = named(ui.add(label), name);
    if response.clicked() {
        ui.ctx().copy_text(whole.clone());
    }
    response.on_hover_text(format!("{whole}\nClick to copy"));
}

fn vector(v: Vec3) -> String {
    format!("{}, {}, {}", v.x, v.y, v.z)
}

fn measures(ui: &mut Ui, view: &View<'_>, probes: &mut Probes) {
    title(ui, "Measure");
    ui.horizontal(|ui| {
        let words = if probes.picking { "Stop measuring" } else { "Measure" };
        let tip = "Click two points, edges, faces, centres, or joints' axes in the view";
        if word_button(ui, Icon::Ruler, words).on_hover_text(tip).clicked() {
            probes.picking = !probes.picking;
            probes.first = None;
        }
        let hint = match (&probes.first, probes.picking) {
            (Some(first), true) => format!("from the {}: click the other", first.words),
            (None, true) => "click the first place".to_owned(),
            (_, false) => String::new(),
        };
        ui.add(egui::Label::new(RichText::new(hint).small().weak()).truncate());
    });
    let angles = Angles::of(ui.ctx());
    let mut gone = None;
    for (index, (first, second)) in probes.measures.iter().enumerate() {
        ui.separator();
        ui.horizontal(|ui| {
            let words = format!("{} – {}", first.words, second.words);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let name = format!("Forget measure {}", index + 1);
                if icon_button(ui, Icon::Trash2, &name, "Forget it").clicked() {
                    gone = Some(index);
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(&words).small()).truncate()).on_hover_text(&words);
                });
            });
        });
        let (Some(a), Some(b)) = (first.now(view.snapshot), second.now(view.snapshot)) else {
            ui.label(RichText::new("Its body is gone.").weak());
            continue;
        };
        let found = measure(&a, &b);
        Grid::new(("measure", index)).num_columns(2).spacing([12.0, 1.0]).show(ui, |ui| {
            let n = index + 1;
            let mut line = |name: &str, shown: String, whole: String| {
                ui.label(RichText::new(name).small());
                copied(ui, shown, whole, &format!("{name} {n}"));
                ui.end_row();
            };
            let far = found.between.length();
            line("distance", number::length(far.into()), far.to_string());
            let parts = found.between.to_array().map(|part| number::length(part.into())).join("  ");
            line("along x, y, z", parts, vector(found.between));
            if let Some(apart) = found.apart {
                let name = if matches!((a.place, b.place), (Place::Axis(_), Place::Axis(_))) {
                    "of the lines"
                } else {
                    "square"
                };
                line(name, number::length(apart.into()), apart.to_string());
            }
            if let Some(angle) = found.angle {
                line("angle", angles.words(angle), angle.to_string());
            }
        });
    }
    if let Some(index) = gone {
        probes.measures.remove(index);
    }
}

fn forces(ui: &mut Ui, view: &View<'_>, probes: &mut Probes, selection: &Selection) {
    title(ui, "Forces");
    let settings = view.settings;
    let Some(load) = load(view.snapshot, &selection.bodies, settings.step.gravity, settings.h()) else {
        let text =
            "Select a body, or several: what acts on them from outside stands here, as across a cut around them.";
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
        return;
    };
    let name = match selection.bodies.as_slice() {
        [one] => view.snapshot.body(*one).map_or_else(String::new, |body| body.name.to_string()),
        many => number::counted(many.len(), "body", "bodies"),
    };
    let (joints, pairs) = load.cut;
    let through = format!(
        "through {} and {}",
        number::counted(joints, "joint", "joints"),
        number::counted(pairs, "contact", "contacts")
    );
    ui.label(RichText::new(format!("{name}, {through}")).small());
    ui.checkbox(&mut probes.arrows, "Arrows in the view")
        .on_hover_text("Joints purple, contacts green, weight blue, all together red, with the torque as an arc");
    Grid::new("forces").num_columns(3).spacing([12.0, 2.0]).striped(true).show(ui, |ui| {
        ui.label("");
        ui.label(RichText::new("force").small());
        ui.label(RichText::new("torque").small());
        ui.end_row();
        let colors = theme::colors(ui.visuals());
        let parts: [(&str, Wrench); 4] =
            [("joints", load.joints), ("contacts", load.contacts), ("weight", load.weight), ("together", load.net())];
        for (name, wrench) in parts {
            ui.label(RichText::new(name).small().color(if name == "together" { colors.strong } else { colors.text }));
            for (what, v, unit) in [("Force", wrench.force, "N"), ("Torque", wrench.torque, "N·m")] {
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    let size = v.length();
                    let shown = if size < 1e-6 { "0".to_owned() } else { number::with_unit(size.into(), unit) };
                    copied(ui, shown, size.to_string(), &format!("{what} of {name}"));
                    let shown = v.to_array().map(|part| number::component(part).trim().to_owned()).join(" ");
                    copied(ui, shown, vector(v), &format!("{what} of {name}, along x, y, z"));
                });
            }
            ui.end_row();
        }
    });
    let text = "Of the last sub-step, torques about the centre of mass; without the hand's pull.";
    ui.add(egui::Label::new(RichText::new(text).small().weak()).wrap());
}
