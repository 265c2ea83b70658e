//! The fields of a pattern or part: count, spacing, and the template. A change rebuilds it; “Write out” replaces it by
//! single bodies.

use egui::{CollapsingHeader, RichText, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::form::entries::name_row;
use crate::editor::form::field_visitor::Mixed;
use crate::editor::form::fields::{self, ask_from};
use crate::editor::form::{self, DragRange, Form, PLACE, rotation_fields};
use crate::widgets::{self, theme};
use crate::{
    editor::form::{joint_fields, own_stabilization},
    request::ask,
};
use crate::{request::Request, view::View};
use delassus_physics::quantity;
use delassus_scene::{Body, Chain, ChainJoint, Content, Grid, Motion, Origin, Part, Pattern, Pyramid, Stack};
use delassus_session::{Edit, Element};

/// Draws the page of a pattern or part, if the origin is one.
pub fn show(ui: &mut Ui, origin: Origin, view: &View<'_>, out: &mut Vec<Request>) {
    let (what, name) = match origin {
        Origin::Pattern(index) => {
            let Some(pattern) = view.scene.patterns.get(index) else { return };
            let what = match pattern {
                Pattern::Chain(_) => "Chain",
                Pattern::Stack(_) => "Stack",
                Pattern::Pyramid(_) => "Pyramid",
                Pattern::Grid(_) => "Grid",
            };
            (what, pattern.name().to_owned())
        }
        Origin::Part(index) => {
            let Some(part) = view.scene.parts.get(index) else { return };
            ("Part", if part.name.is_empty() { part.file.clone() } else { part.name.clone() })
        }
        Origin::Body(_) | Origin::Joint(_) => return,
    };
    let weak = theme::colors(ui.visuals()).weak;
    widgets::card(ui, |ui| {
        ui.horizontal(|ui| {
            widgets::title(ui, &format!("{what} {name}"));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let tip = "Replaces it by single bodies and joints that can be changed one by one";
                if widgets::word_button(ui, Icon::Ungroup, "Write out").on_hover_text(tip).clicked() {
                    ask(Edit::Element(Element::WriteOut(origin)), out);
                }
            });
        });
        let element = match origin {
            Origin::Pattern(index) => change_pattern(ui, index, view),
            Origin::Part(index) => change_part(ui, index, view),
            Origin::Body(_) | Origin::Joint(_) => None,
        };
        if let Some(element) = element {
            ask_from(ui, Edit::Element(element), out);
        }
    });
    ui.add_space(4.0);
    let words = format!("A change below replaces {name} by the bodies that it stands for.");
    ui.add(egui::Label::new(RichText::new(words).small().color(weak)).wrap());
}

fn change_pattern(ui: &mut Ui, index: usize, view: &View<'_>) -> Option<Element> {
    let old = view.scene.patterns.get(index)?;
    let mut new = old.clone();
    let mixed = Mixed::default();
    let form = &mut Form::new(&mixed);
    ui.push_id(("pattern", index), |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        match &mut new {
            Pattern::Chain(p) => {
                name_row(ui, form, &mut p.name, "Pattern name");
                chain(ui, form, p, view);
            }
            Pattern::Stack(p) => {
                name_row(ui, form, &mut p.name, "Pattern name");
                stack(ui, form, p, view);
            }
            Pattern::Pyramid(p) => {
                name_row(ui, form, &mut p.name, "Pattern name");
                pyramid(ui, form, p, view);
            }
            Pattern::Grid(p) => {
                name_row(ui, form, &mut p.name, "Pattern name");
                grid(ui, form, p, view);
            }
        }
    });
    (new != *old).then(|| Element::Pattern { index, pattern: Box::new(new) })
}

fn change_part(ui: &mut Ui, index: usize, view: &View<'_>) -> Option<Element> {
    let old = view.scene.parts.get(index)?;
    let mut new = old.clone();
    let mixed = Mixed::default();
    let form = &mut Form::new(&mixed);
    ui.push_id(("part", index), |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        name_row(ui, form, &mut new.name, "Part name");
        part(ui, form, &mut new);
    });
    (new != *old).then(|| Element::Part { index, part: Box::new(new) })
}

fn part(ui: &mut Ui, form: &mut Form<'_>, part: &mut Part) {
    // Destructured by name, here and below, so that a new field does not compile without a row. The row of the name
    // is drawn above.
    let Part { name: _, file, at, rotation } = part;
    form.row(ui, "File", "file", file, None, |ui, file, _| {
        let typed = form::text(ui, file, "Part file", 1);
        let used = typed.is_some();
        *file = typed.unwrap_or_else(|| file.clone());
        used
    });
    form.vector(ui, "At", "at", at, Some(Vec3::ZERO), &PLACE, None);
    rotation_fields::row(ui, form, rotation, ("Turned", "rotation"), None);
}

const COUNT: DragRange = DragRange::new("", 1.0, 100_000.0, 0.05);

fn count(ui: &mut Ui, form: &mut Form<'_>, label: &str, value: &mut u32) {
    let mut shown = *value as f32;
    form.number(ui, (label, label), label, &mut shown, None, &COUNT, None);
    *value = shown.round() as u32;
}

fn step(ui: &mut Ui, form: &mut Form<'_>, label: &str, value: &mut Vec3) {
    form.vector(ui, label, label, value, None, &PLACE, None);
}

fn chain(ui: &mut Ui, form: &mut Form<'_>, chain: &mut Chain, view: &View<'_>) {
    let Chain { name: _, body, count: links, spacing, joint, first, last } = chain;
    count(ui, form, "Count", links);
    step(ui, form, "Spacing", spacing);
    let motions = [
        (None, "as the others"),
        (Some(Motion::Static), "Static"),
        (Some(Motion::Kinematic), "Kinematic"),
        (Some(Motion::Dynamic), "Dynamic"),
    ];
    form.choice(ui, ("First moves", "First moves"), "first", first, Some(None), &motions);
    form.choice(ui, ("Last moves", "Last moves"), "last", last, Some(None), &motions);
    each_body(ui, form, body, view);
    fold(ui, "Each joint", |ui| link(ui, form, joint, view));
}

fn stack(ui: &mut Ui, form: &mut Form<'_>, stack: &mut Stack, view: &View<'_>) {
    let Stack { name: _, body, count: bodies, spacing, stagger } = stack;
    count(ui, form, "Count", bodies);
    step(ui, form, "Spacing", spacing);
    form.vector(ui, "Stagger", "Stagger", stagger, Some(Vec3::ZERO), &PLACE, None);
    each_body(ui, form, body, view);
}

fn pyramid(ui: &mut Ui, form: &mut Form<'_>, pyramid: &mut Pyramid, view: &View<'_>) {
    let Pyramid { name: _, body, base, across, up } = pyramid;
    count(ui, form, "Base", base);
    step(ui, form, "Across", across);
    step(ui, form, "Up", up);
    each_body(ui, form, body, view);
}

fn grid(ui: &mut Ui, form: &mut Form<'_>, grid: &mut Grid, view: &View<'_>) {
    let Grid { name: _, count: (x, y, z), spacing, of } = grid;
    for (label, value) in [("Along x", x), ("Along y", y), ("Along z", z)] {
        count(ui, form, label, value);
    }
    step(ui, form, "Spacing", spacing);
    match of {
        Content::Body(body) => each_body(ui, form, body, view),
        Content::Part(of) => fold(ui, "Each part", |ui| part(ui, form, of)),
        Content::Chain(of) => fold(ui, "Each chain", |ui| chain(ui, form, of, view)),
        Content::Stack(of) => fold(ui, "Each stack", |ui| stack(ui, form, of, view)),
        Content::Pyramid(of) => fold(ui, "Each pyramid", |ui| pyramid(ui, form, of, view)),
    }
}

fn each_body(ui: &mut Ui, form: &mut Form<'_>, body: &mut Body, view: &View<'_>) {
    fold(ui, "Each body", |ui| {
        // Computed only while it is open.
        let volume = fields::volume(&body.shape);
        fields::body(ui, form, body, volume, &view.scene.materials, None);
    });
}

/// A section that is collapsed at first.
fn fold(ui: &mut Ui, title: &str, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(title).id_salt(title).show_unindented(ui, contents);
}

/// The joint between a chain's neighbours.
fn link(ui: &mut Ui, form: &mut Form<'_>, link: &mut ChainJoint, view: &View<'_>) {
    const ALONG: DragRange = DragRange::of(quantity::ALONG, 0.01).dragged(-10.0, 10.0);
    let ChainJoint { kind, along, axis, collide, breaks, stabilization, soft, by_time } = link;
    ui.spacing_mut().item_spacing.y = 3.0;
    if joint_fields::kind_row(ui, form, kind) && axis.is_none() {
        *axis = Some(Vec3::Z);
    }
    joint_fields::parameters(ui, form, kind, None);
    joint_fields::by_time_rows(ui, form, kind, by_time);
    form.number(ui, ("Along", "Along"), "along", along, Some(0.5), &ALONG, None);
    if let Some(axis) = axis {
        fields::direction(ui, form, "Axis", "axis", axis);
    }
    joint_fields::breaks_rows(ui, form, breaks, None);
    joint_fields::soft_rows(ui, form, kind, soft);
    form.switch(ui, "Neighbours touch", "touch", collide, Some(false), "Whether neighbours touch each other");
    own_stabilization::rows(ui, form, "stabilization", stabilization, view.settings);
}
