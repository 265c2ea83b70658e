//! What is asked: the driven joint, its travel and speed, held joints, the output, the followed point. Joints and bodies
//! are kept by name, since their numbers change with the scene.

use std::f64::consts::TAU;
use std::sync::Arc;

use egui::{ComboBox, DragValue, Grid, RichText, Ui};
use glam::DVec3;
use lucide_icons::Icon;

use super::{Analyse, units};
use crate::{
    selection::Selection,
    view::View,
    widgets::{self, Segment, angles::Angles, named, segments, theme},
};
use delassus_session::analysis::{Measure, Request, Travel};
use delassus_session::{JointView, Motion};

/// The most joints or bodies in a list; any other one can be selected in the view.
const LISTED: usize = 200;
/// The most intervals: each takes up to a millisecond for large mechanisms.
const MOST_INTERVALS: usize = 2000;
/// The default number of intervals: 5° of a turn.
const INTERVALS: usize = 72;
/// The width of a number's field and of a list, points.
const NUMBER: f32 = 84.0;
const LIST: f32 = 170.0;

/// The request, by names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// The driven joint that was chosen; none: the selected one, or the first with a motor.
    over: Option<Arc<str>>,
    /// The joint that was driven last.
    driven: Option<Arc<str>>,
    /// Both ends of the travel, rad or m, instead of turns.
    between: Option<[f64; 2]>,
    turns: f64,
    pub(crate) intervals: usize,
    /// rad/s or m/s; none: that of the joint's motor, or 1.
    pub(crate) speed: Option<f64>,
    held: Vec<Arc<str>>,
    output: Option<Arc<str>>,
    /// The followed body and the point from the origin of its shape in its axes, m.
    point: Option<(Arc<str>, DVec3)>,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            over: None,
            driven: None,
            between: None,
            turns: 1.0,
            intervals: INTERVALS,
            speed: None,
            held: Vec::new(),
            output: None,
            point: None,
        }
    }
}

/// What drives of a joint, if it can drive.
fn measure(joint: &JointView) -> Option<Measure> {
    Measure::of(&joint.kind).filter(|_| joint.broken.is_none())
}

/// Says why no joint can drive.
pub(super) fn nothing_to_drive(view: &View<'_>) -> &'static str {
    if view.snapshot.joints.is_empty() {
        "This page takes a mechanism through the travel of a joint. The scene has no joint."
    } else {
        "This page takes a mechanism through the travel of a joint with a single value, such as a hinge or a slider. The \
         scene has no such joint."
    }
}

impl Form {
    /// The request in the numbers of the present scene; none if no joint can drive.
    pub(super) fn request(&mut self, view: &View<'_>, selection: &Selection) -> Option<Request> {
        let joints = &view.snapshot.joints;
        let index = |name: &Arc<str>| joints.iter().position(|joint| joint.name == *name && measure(joint).is_some());
        let can_drive = |index: &usize| joints.get(*index).is_some_and(|joint| measure(joint).is_some());
        let first = |is: &dyn Fn(&JointView) -> bool| joints.iter().position(|j| measure(j).is_some() && is(j));
        let over = (self.over.as_ref().or(self.driven.as_ref()).and_then(index))
            .or_else(|| selection.joint.filter(can_drive))
            .or_else(|| first(&|joint| joint.kind.is_driven()))
            .or_else(|| first(&|_| true))?;
        let joint = &joints[over];
        self.driven = Some(joint.name.clone());
        let travel = match (self.between, measure(joint)?) {
            (Some([from, to]), _) => Travel::Between(from, to),
            (None, Measure::Angle) => Travel::Turns(self.turns),
            (None, _) => Travel::Usual,
        };
        let body = |name: &Arc<str>| view.snapshot.bodies.iter().find(|body| body.name == *name);
        Some(Request {
            joint: over,
            travel,
            samples: self.intervals,
            speed: self.speed.unwrap_or_else(|| usual_speed(joint)),
            hold: self.held.iter().filter_map(index).collect(),
            output: self.output.as_ref().and_then(index),
            point: self.point.as_ref().and_then(|(name, at)| Some((body(name)?.id, *at))),
        })
    }

    /// Drives another joint; what belonged to the last one is dropped.
    pub(super) fn drive(&mut self, name: &Arc<str>) {
        if self.driven.as_ref() != Some(name) {
            let intervals = self.intervals;
            *self = Self { intervals, point: self.point.take(), ..Self::default() };
        }
        self.over = Some(name.clone());
    }

    /// Holds a joint.
    pub(super) fn hold(&mut self, name: &str) {
        if self.held.iter().all(|held| **held != *name) {
            self.held.push(name.into());
        }
    }
}

/// The speed of the joint's motor; 1 without one.
fn usual_speed(joint: &JointView) -> f64 {
    let speed = joint.kind.motor().map_or(0.0, |(speed, _)| f64::from(speed));
    if speed != 0.0 && speed.is_finite() { speed } else { 1.0 }
}

/// Draws the form. `request` is what it asks now.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, state: &mut Analyse, request: &Request, selection: &Selection) {
    let Some(joint) = view.snapshot.joints.get(request.joint) else { return };
    let Some(measure) = measure(joint) else { return };
    let ends = state.analysis().and_then(|(_, analysis)| {
        let [first, last] = [analysis.samples.first()?, analysis.samples.last()?];
        (analysis.joint == request.joint).then_some([first.value, last.value])
    });
    let form = &mut state.form;
    let selected = selection.joint.and_then(|index| view.snapshot.joints.get(index));
    Grid::new("request").num_columns(2).min_col_width(84.0).spacing([10.0, 4.0]).show(ui, |ui| {
        ui.label("Driven joint");
        if let Some(Some(name)) = joint_list(ui, "Driven joint", view, Some(&joint.name), false) {
            form.drive(&name);
        }
        ui.end_row();
        travel(ui, form, joint, measure, ends);
        ui.label("Intervals").on_hover_text("There is one sample more than intervals");
        let drag = DragValue::new(&mut form.intervals).range(1..=MOST_INTERVALS).speed(0.5);
        named(ui.add_sized([NUMBER, 20.0], drag.update_while_editing(false)), "Intervals");
        ui.end_row();
        ui.label("Speed").on_hover_text("The constant speed of the driven joint: that of its motor, or 1 in SI units");
        let mut speed = request.speed;
        if number(ui, "Speed", &mut speed, measure.units()[1]) {
            form.speed = Some(speed.clamp(-1e6, 1e6));
        }
        ui.end_row();
        ui.label("Output").on_hover_text(
            "The joint that does the work: gives the speed ratio and the mechanical \
                                          advantage",
        );
        if let Some(output) = joint_list(ui, "Output joint", view, form.output.as_ref(), true) {
            form.output = output;
        }
        ui.end_row();
        point(ui, form, view, selection);
    });
    if state.analysis().is_some_and(|(_, analysis)| !analysis.centres.is_empty()) {
        let mut on = !state.without_centres;
        let tip = "Discs in the view: the points about which one body turns as seen from another at this instant, with \
                   both names";
        let response = ui.checkbox(&mut on, "Instant centres in the view");
        named(response, "Instant centres in the view").on_hover_text(tip);
        state.without_centres = !on;
    }
    let form = &mut state.form;
    if let Some(other) = selected.filter(|other| other.name != joint.name && self::measure(other).is_some())
        && widgets::word_button(ui, Icon::Cog, &format!("Drive {}", other.name)).clicked()
    {
        form.drive(&other.name);
    }
    held(ui, form);
}

/// How far the driven joint goes.
fn travel(ui: &mut Ui, form: &mut Form, joint: &JointView, measure: Measure, ends: Option<[f64; 2]>) {
    let is_angle = measure == Measure::Angle;
    ui.label("Travel");
    let usual = match is_angle {
        true => Segment::new("Turns", "Turns from the pose of the scene; negative ones go backwards"),
        false => Segment::new("Limits", "From limit to limit"),
    };
    let items = [usual, Segment::new("From – to", "Both ends of the travel")];
    ui.allocate_ui(egui::vec2(LIST, 22.0), |ui| {
        ui.set_max_width(LIST);
        if let Some(index) = segments(ui, "Travel", &items, Some(usize::from(form.between.is_some()))) {
            let range = joint.kind.range(joint.rest_length).map(|(low, high)| [low.into(), high.into()]);
            let otherwise = if is_angle { [0.0, TAU] } else { [0.0, 0.1] };
            form.between = (index == 1).then(|| ends.or(range).unwrap_or(otherwise));
        }
    });
    ui.end_row();
    if let Some([from, to]) = &mut form.between {
        for (name, value) in [("From", from), ("To", to)] {
            ui.label(name);
            let mut now = *value;
            if number(ui, name, &mut now, measure.units()[0]) {
                *value = now;
            }
            ui.end_row();
        }
    } else if is_angle {
        ui.label("Number of turns");
        let drag = DragValue::new(&mut form.turns).range(-1e3..=1e3).speed(0.01).max_decimals(4);
        named(ui.add_sized([NUMBER, 20.0], drag.update_while_editing(false)), "Number of turns");
        ui.end_row();
    }
}

/// The followed point.
fn point(ui: &mut Ui, form: &mut Form, view: &View<'_>, selection: &Selection) {
    ui.label("Follow a point").on_hover_text("Its path is drawn in the view");
    let shown = form.point.as_ref().map_or("none", |(name, _)| name);
    let moves = |body: &&delassus_session::BodyView| body.motion == Motion::Dynamic;
    let list = ComboBox::from_id_salt("followed").width(LIST).truncate().selected_text(shown);
    let mut chosen = None;
    let drawn = list.show_ui(ui, |ui| {
        if ui.selectable_label(form.point.is_none(), "none").clicked() {
            chosen = Some(None);
        }
        for body in view.snapshot.bodies.iter().filter(moves).take(LISTED) {
            if ui.selectable_label(shown == &*body.name, &*body.name).clicked() {
                chosen = Some(Some(body.name.clone()));
            }
        }
    });
    named(drawn.response, "Followed body");
    ui.end_row();
    let selected = selection.bodies.last().and_then(|id| view.snapshot.body(*id)).filter(moves);
    if let Some(body) = selected.filter(|body| *body.name != *shown) {
        ui.label("");
        if widgets::word_button(ui, Icon::Spline, &format!("Follow {}", body.name)).clicked() {
            chosen = Some(Some(body.name.clone()));
        }
        ui.end_row();
    }
    if let Some(chosen) = chosen {
        let at = form.point.as_ref().map_or(DVec3::ZERO, |(_, at)| *at);
        form.point = chosen.map(|name| (name, at));
    }
    if let Some((_, at)) = &mut form.point {
        ui.label("Its place, m").on_hover_text("From the origin of the body's shape, in its axes");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            for (axis, name) in ["Point x", "Point y", "Point z"].into_iter().enumerate() {
                let mut value = at[axis];
                let drag = DragValue::new(&mut value).range(-1e5..=1e5).speed(0.005).max_decimals(4);
                let response = ui.add_sized([56.0, 20.0], drag.update_while_editing(false));
                if named(response, name).changed() && value.is_finite() {
                    at[axis] = value;
                }
            }
        });
        ui.end_row();
    }
}

/// The joints that are held; unticking one releases it.
fn held(ui: &mut Ui, form: &mut Form) {
    if form.held.is_empty() {
        return;
    }
    let color = theme::colors(ui.visuals()).weak;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Held").color(color)).on_hover_text("They keep their values from the scene");
        form.held.retain(|name| {
            let mut on = true;
            let response = ui.checkbox(&mut on, &**name);
            named(response, &format!("{name} is held")).on_hover_text("Untick it to release the joint");
            on
        });
    });
}

/// A number in the unit that is chosen; true if it was changed to a finite one.
fn number(ui: &mut Ui, name: &str, value: &mut f64, si: &'static str) -> bool {
    let (factor, unit) = units::shown(si, Angles::of(ui.ctx()));
    let mut shown = *value * factor;
    let space = if unit.starts_with('°') { "" } else { " " };
    let speed = if factor > 1.0 { 0.5 } else { 0.01 };
    let drag = DragValue::new(&mut shown).speed(speed).max_decimals(4).suffix(format!("{space}{unit}"));
    let response = ui.add_sized([NUMBER, 20.0], drag.update_while_editing(false));
    let changed = named(response, name).changed() && shown.is_finite();
    if changed {
        *value = shown / factor;
    }
    changed
}

/// A list of the joints that have a value, with an entry for none if that can be chosen; the new choice, if any.
fn joint_list(
    ui: &mut Ui,
    name: &str,
    view: &View<'_>,
    now: Option<&Arc<str>>,
    has_none: bool,
) -> Option<Option<Arc<str>>> {
    let shown = now.map_or("none", |name| name);
    let list = ComboBox::from_id_salt(name).width(LIST).truncate().selected_text(shown);
    let mut chosen = None;
    let drawn = list.show_ui(ui, |ui| {
        if has_none && ui.selectable_label(now.is_none(), "none").clicked() {
            chosen = Some(None);
        }
        for joint in view.snapshot.joints.iter().filter(|joint| measure(joint).is_some()).take(LISTED) {
            if ui.selectable_label(now == Some(&joint.name), &*joint.name).clicked() {
                chosen = Some(Some(joint.name.clone()));
            }
        }
    });
    named(drawn.response, name);
    chosen
}
