//! The Inspector tab: the selection's fields with the running world's values beside them, the doctor's findings, and
//! further read-outs. A joint has [read-outs](crate::panels::joint_panel) of its own.

use std::sync::Arc;

use egui::{Grid, Label, RichText, Ui};
use glam::{Mat3, Vec3};
use lucide_icons::Icon;

use crate::{
    editor::form::{
        entries::{self, Entries},
        pattern_fields,
    },
    panels::{
        finding_cards, joint_panel,
        pose_rows::{self, PoseRows},
        scene_panel,
    },
    request::Request,
    selection::Selection,
    view::View,
    widgets::{
        self, icon_sized,
        number::{component, with_unit},
        theme,
    },
};
use delassus_physics::inertia::Principal;
use delassus_scene::{Body, Joint, Origin};
use delassus_session::analysis::Measure;
use delassus_session::{BodyView, Motion, Snapshot};

/// The button that opens the page of the analysis.
const ANALYSE: &str = "Analyse over its travel";

/// The tab's memory: the entries that are being edited.
#[derive(Default)]
pub struct Inspector {
    pub bodies: Entries<Body>,
    pub joints: Entries<Joint>,
    pub pose: PoseRows,
    /// The joint whose mechanism is to be analysed.
    pub(crate) analyses: Option<Arc<str>>,
    /// The height of the findings' room, points.
    findings: f32,
    /// Whether all that the doctor says is shown, or a line of it.
    all_findings: bool,
}

/// Draws the tab. The camera's eye and target can be taken over for the scene's.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    state: &mut Inspector,
    selection: &mut Selection,
    eye: (Vec3, Vec3),
    out: &mut Vec<Request>,
) {
    let snapshot = view.snapshot;
    findings(ui, view, state, selection, out);
    widgets::scroll(ui, "inspector", |ui| {
        ui.set_width((ui.available_width() - 8.0).max(120.0));
        let joints: Vec<u32> = selection.joints().map(|joint| joint as u32).collect();
        let bodies = selection.bodies.clone();
        match (joints.as_slice(), bodies.as_slice()) {
            ([.., last], _) => {
                let Some(joint) = snapshot.joints.get(*last as usize) else { return };
                if joints.len() > 1 {
                    let kinds = tally(
                        joints.iter().filter_map(|j| snapshot.joints.get(*j as usize)).map(|j| j.kind.info().name),
                    );
                    heading(ui, Icon::Link2, &format!("{} joints", joints.len()), &kinds);
                } else {
                    joint_panel::head(ui, joint, snapshot, selection);
                }
                ui.add_space(4.0);
                one_origin(ui, joints.iter().map(|j| view.session.joint_origin(*j as usize)), view, out);
                if joints.len() == 1 {
                    pose_rows::show(ui, *last as usize, joint, view, &mut state.pose, out);
                    let can_drive = Measure::of(&joint.kind).is_some() && joint.broken.is_none();
                    let tip =
                        "The mechanism over the travel of this joint: positions, forces, and what its motor needs";
                    if can_drive && widgets::word_button(ui, Icon::Cog, ANALYSE).on_hover_text(tip).clicked() {
                        state.analyses = Some(joint.name.clone());
                    }
                }
                let mut known = std::mem::take(&mut state.joints);
                entries::joints(ui, &joints, view, &mut known, out);
                state.joints = known;
                if joints.len() == 1 {
                    ui.add_space(8.0);
                    joint_panel::show(ui, joint, snapshot);
                }
            }
            ([], [.., last]) => {
                let Some(body) = snapshot.body(*last) else { return };
                if bodies.len() > 1 {
                    let kinds = tally(bodies.iter().filter_map(|id| snapshot.body(*id)).map(|b| motion_word(b.motion)));
                    heading(ui, Icon::Boxes, &format!("{} bodies", bodies.len()), &kinds);
                } else {
                    let asleep = if body.asleep { ", asleep" } else { "" };
                    heading(ui, Icon::Box, &body.name, &format!("{} body{asleep}", motion_word(body.motion)));
                }
                ui.add_space(4.0);
                one_origin(ui, bodies.iter().map(|id| view.session.body_origin(*id)), view, out);
                let mut known = std::mem::take(&mut state.bodies);
                entries::bodies(ui, &bodies, view, &mut known, out);
                state.bodies = known;
                ui.add_space(8.0);
                if bodies.len() == 1 {
                    read_outs(ui, body, snapshot, selection);
                } else {
                    sums(ui, &bodies, snapshot);
                }
            }
            ([], []) => scene_panel::show(ui, view, eye, selection, out),
        }
    });
}

/// Draws the findings on the selection in a room of their own below the fields, so that the fields stay where they are
/// when one comes or goes. While a field has the keyboard the room keeps its height: it must not cover the field.
fn findings(ui: &mut Ui, view: &View<'_>, state: &mut Inspector, selection: &mut Selection, out: &mut Vec<Request>) {
    let joints: Vec<u32> = selection.joints().map(|joint| joint as u32).collect();
    let bodies = if joints.is_empty() { selection.bodies.clone() } else { Vec::new() };
    let max_height = ui.available_height() * MOST_FINDINGS;
    // In a very low window even one row is too much.
    let height = state.findings.max(ROW_OF_FINDINGS).min(max_height);
    let height = if finding_cards::has_concerning(&bodies, &joints, view) { height } else { 0.0 };
    // The same ids whether there are any or not: a field below would otherwise lose the focus.
    let room = egui::Panel::bottom("findings").frame(egui::Frame::NONE).resizable(false).exact_size(height);
    let needed = room.show(ui, |ui| {
        let list = egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            ui.set_width((ui.available_width() - 8.0).max(120.0));
            finding_cards::concerning(ui, &bodies, &joints, view, (selection, &mut state.all_findings), out);
        });
        list.content_size.y
    });
    if !ui.ctx().text_edit_focused() {
        state.findings = needed.inner;
    }
}

/// The largest share of the tab that the findings take; more of them are scrolled.
const MOST_FINDINGS: f32 = 0.4;
/// The least height of the room, so that one sees that there is a finding, points.
const ROW_OF_FINDINGS: f32 = 26.0;

/// The fields of the pattern or part, if all origins are the same one.
fn one_origin(ui: &mut Ui, mut origins: impl Iterator<Item = Option<Origin>>, view: &View<'_>, out: &mut Vec<Request>) {
    let Some(first) = origins.next().flatten() else { return };
    if origins.all(|origin| origin == Some(first)) {
        pattern_fields::show(ui, first, view, out);
    }
}

fn motion_word(motion: Motion) -> &'static str {
    match motion {
        Motion::Static => "static",
        Motion::Kinematic => "kinematic",
        Motion::Dynamic => "dynamic",
    }
}

/// Counts by motion: `3 dynamic, 1 static`.
fn tally<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// Values of the running world that have no field in the body's entry.
fn read_outs(ui: &mut Ui, body: &BodyView, snapshot: &Snapshot, selection: &mut Selection) {
    widgets::title(ui, "Motion");
    section(ui, "scalars", |ui| {
        quantity(ui, "Speed", body.velocity.length(), "m/s");
        if body.mass > 0.0 {
            quantity(ui, "Momentum", body.velocity.length() * body.mass, "kg·m/s");
        }
    });
    if body.inertia != Mat3::ZERO {
        widgets::title(ui, "Principal inertia");
        section(ui, "principal", |ui| {
            axes_called(ui, ["least", "middle", "most"]);
            vector(ui, "About", Principal::of(&body.inertia).moments, "kg·m²");
        });
    }
    let touching = snapshot.contacts.iter().filter(|c| c.a == body.id || c.b == body.id);
    let (count, force_sum) = touching.fold((0usize, 0.0f32), |(n, sum), c| (n + 1, sum + c.impulse));
    widgets::title(ui, "Contacts");
    section(ui, "contacts", |ui| {
        word(ui, "Points", &count.to_string());
        quantity(ui, "Normal impulse, sum", force_sum, "N·s");
    });
    joints_of(ui, body, snapshot, selection);
}

/// Mass, centre and momentum of several bodies together.
fn sums(ui: &mut Ui, bodies: &[u32], snapshot: &Snapshot) {
    widgets::title(ui, "Together");
    let selected = || bodies.iter().filter_map(|id| snapshot.body(*id));
    let mass: f32 = selected().map(|b| b.mass).sum();
    let momentum: Vec3 = selected().map(|b| b.velocity * b.mass).sum();
    section(ui, "sums", |ui| {
        quantity(ui, "Mass", mass, "kg");
        quantity(ui, "Momentum", momentum.length(), "kg·m/s");
        if mass > 0.0 {
            let centre = selected().map(|b| b.centre * b.mass).sum::<Vec3>() / mass;
            axes(ui);
            vector(ui, "Mass centre", centre, "m");
        }
    });
}

fn joints_of(ui: &mut Ui, body: &BodyView, snapshot: &Snapshot, selection: &mut Selection) {
    let mut joints = (snapshot.joints.iter().enumerate()).filter(|(_, j)| j.a == body.id || j.b == body.id).peekable();
    if joints.peek().is_none() {
        return;
    }
    widgets::title(ui, "Joints");
    for (index, joint) in joints.take(24) {
        let text = format!("{}  ({})", joint.name, joint.kind.info().name);
        if ui.add(egui::Button::selectable(false, widgets::lead(widgets::icon(Icon::Link2), text)).truncate()).clicked()
        {
            selection.click_joint(index);
        }
    }
}

pub(crate) fn heading(ui: &mut Ui, image: Icon, name: &str, kind: &str) {
    let colors = theme::colors(ui.visuals());
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        ui.label(icon_sized(image, 18.0).color(colors.accent));
        ui.add(Label::new(RichText::new(name).heading().color(colors.strong)).truncate());
    });
    ui.label(RichText::new(kind).color(colors.weak));
}

pub(crate) fn section(ui: &mut Ui, id: &str, contents: impl FnOnce(&mut Ui)) {
    Grid::new(id).num_columns(2).min_col_width(84.0).spacing([10.0, 3.0]).show(ui, contents);
    ui.add_space(6.0);
}

pub(crate) fn word(ui: &mut Ui, name: &str, value: &str) {
    ui.label(RichText::new(name).weak());
    ui.label(RichText::new(value).monospace());
    ui.end_row();
}

pub(crate) fn quantity(ui: &mut Ui, name: &str, value: f32, unit: &str) {
    let text =
        if unit.is_empty() { component(value).trim_start().to_owned() } else { with_unit(f64::from(value), unit) };
    word(ui, name, &text);
}

/// The headings of the columns of components.
pub(crate) fn axes(ui: &mut Ui) {
    axes_called(ui, ["x", "y", "z"]);
}

fn axes_called(ui: &mut Ui, [x, y, z]: [&str; 3]) {
    ui.label("");
    ui.label(columns(&format!("{x:>9}{y:>9}{z:>9}")).weak());
    ui.end_row();
}

pub(crate) fn vector(ui: &mut Ui, name: &str, value: Vec3, unit: &str) {
    ui.label(RichText::new(format!("{name}, {unit}")).weak());
    let text = value.to_array().map(component).concat();
    ui.label(columns(&text));
    ui.end_row();
}

/// Three columns of nine characters, which fit the narrowest panel.
fn columns(text: &str) -> RichText {
    RichText::new(text).font(egui::FontId::monospace(10.5))
}
