//! The Inspector's sliders for the values of a joint: they pose the scene. Where the mechanism cannot go, the slider
//! stays where it got to, and a line says why. The ways in which a loop closes are chosen below them.

use std::sync::Arc;

use egui::{Align, Grid, Label, Layout, Response, RichText, Slider, SliderClamping, Ui};
use lucide_icons::Icon;

use crate::{
    editor::form::{fields::ask_from, setting_row::short},
    panels::mechanisms::capital,
    request::Request,
    view::View,
    widgets::{self, angles::Angles, theme},
};
use delassus_session::background::Computed;
use delassus_session::pose::{Coordinate, CoordinateAt, Measure, PoseRequest, Stop};
use delassus_session::{AssemblyEdit, Command, FoundPose, JointView, SessionError};

/// The width of a number's field, points.
const NUMBER_WIDTH: f32 = 76.0;

/// The memory of the sliders.
#[derive(Default)]
pub struct PoseRows {
    /// The opened scene and the joint that the rest refers to; its index changes with the scene.
    of: (u64, Arc<str>),
    index: usize,
    /// The coordinates at a revision of the document.
    known: Option<(u64, Vec<CoordinateAt>)>,
    answer: Option<Answer>,
    /// A drag of a coordinate that counts from the scene's pose: its press, and how far it has gone.
    drag: Option<(f64, Coordinate, f64)>,
    ways: Computed<u64, Vec<AssemblyEdit>>,
    /// How many ways there were last.
    count: usize,
}

/// What is said about the last pose.
struct Answer {
    coordinate: Coordinate,
    /// The revision at which it was asked for; it is said until something else changes the scene.
    revision: u64,
    stop: Option<Result<(Stop, f64), String>>,
    held: String,
}

/// Draws the sliders of a joint, by its index in the snapshot.
pub fn show(
    ui: &mut Ui,
    index: usize,
    joint: &JointView,
    view: &View<'_>,
    state: &mut PoseRows,
    out: &mut Vec<Request>,
) {
    let (session, of) = (view.session, (view.session.opened(), joint.name.clone()));
    if state.of != of {
        *state = PoseRows { of, ..PoseRows::default() };
    }
    state.index = index;
    let revision = session.revision();
    if state.known.as_ref().is_none_or(|(known, _)| *known != revision) {
        state.known = Some((revision, session.coordinates(index)));
    }
    if state.answer.as_ref().is_some_and(|answer| revision > answer.revision + 1) {
        state.answer = None;
    }
    let all = state.known.as_ref().map(|(_, all)| all.clone()).unwrap_or_default();
    if all.is_empty() {
        return;
    }
    let at_start = view.snapshot.step == 0 && !session.playing();
    widgets::title(ui, "Pose").on_hover_text("Values of this joint in the scene. Dragging one poses the mechanism.");
    ui.add_enabled_ui(at_start, |ui| {
        Grid::new("pose").num_columns(2).min_col_width(84.0).spacing([10.0, 3.0]).show(ui, |ui| {
            for at in &all {
                row(ui, at, joint, view, state, out);
            }
        });
    });
    if at_start {
        show_answer(ui, state);
        ways(ui, all[0].coordinate, view, state, out);
    } else {
        let text = "Back to the start to pose";
        let tip = "Sliders pose the scene at its start. This pauses the run and goes back there.";
        if widgets::word_button(ui, Icon::SkipBack, text).on_hover_text(tip).clicked() {
            out.extend([Command::Pause, Command::Reset].map(Request::Session));
        }
    }
    ui.add_space(6.0);
}

fn row(
    ui: &mut Ui,
    at: &CoordinateAt,
    joint: &JointView,
    view: &View<'_>,
    state: &mut PoseRows,
    out: &mut Vec<Request>,
) {
    let (coordinate, name) = (at.coordinate, at.coordinate.name());
    let kept = coordinate.is_kept(&joint.kind);
    let press = ui.input(|i| i.pointer.press_start_time().filter(|_| i.pointer.primary_down()));
    let gone = match (state.drag, press) {
        (Some((began, of, gone)), Some(press)) if began == press && of == coordinate && !kept => gone,
        _ => 0.0,
    };
    let from = if kept { "" } else { " It counts from the scene's pose, and is zero there." };
    ui.add(Label::new(RichText::new(name).weak()).truncate())
        .on_hover_text(format!("{}.{from} Dragging it poses the scene.", capital(coordinate.what())));
    let value = at.value + gone;
    let shown = slide(ui, name, coordinate, value, range(at, gone, joint, view));
    ui.end_row();
    let Some(shown) = shown else { return };
    let request = PoseRequest { joint: state.index, coordinate, to: shown - gone };
    let revision = view.session.revision();
    let mut answer = Answer { coordinate, revision, stop: None, held: String::new() };
    match view.session.pose(&request) {
        Ok(FoundPose { edit, value, stopped, held, free }) => {
            if !kept && let Some(press) = press {
                state.drag = Some((press, coordinate, gone + value));
            }
            answer.stop = stopped.map(|stop| Ok((stop, gone + value)));
            answer.held = held_words(&held, free);
            ask_from(ui, edit, out);
        }
        Err(SessionError::Refused(why)) => answer.stop = Some(Err(capital(&why))),
        Err(other) => answer.stop = Some(Err(capital(&other.to_string()))),
    }
    state.answer = Some(answer);
}

/// The range of a slider, rad or m: the joint's limits, or half a turn each way, or about the size of its bodies. The
/// value lies within it, which a drag has taken as far as `gone` from where the joint counts now.
fn range(at: &CoordinateAt, gone: f64, joint: &JointView, view: &View<'_>) -> (f64, f64) {
    let sizes = [joint.a, joint.b].into_iter().filter_map(|id| view.snapshot.body(id));
    let size = sizes.map(|body| f64::from(body.solid.radius)).fold(0.05, f64::max).min(1e4);
    let (least, greatest) = match at.coordinate.measure() {
        Measure::Angle => (-std::f64::consts::PI, std::f64::consts::PI),
        Measure::Slide => (-2.0 * size, 2.0 * size),
        Measure::Length => (0.0, 4.0 * size),
    };
    let bounded = |limit: f64, usual: f64| if limit.is_finite() && limit.abs() < 1e6 { limit } else { usual };
    let (low, high) = at.range.map_or((least, greatest), |(low, high)| (low + gone, high + gone));
    let (low, high) = (bounded(low, least), bounded(high, greatest));
    let value = at.value + gone;
    (low.min(value), high.max(value).max(low + 1e-6))
}

/// A slider with its number; the new value if it was changed, rad or m.
fn slide(ui: &mut Ui, name: &str, coordinate: Coordinate, value: f64, (least, greatest): (f64, f64)) -> Option<f64> {
    let angles = Angles::of(ui.ctx());
    let (factor, unit) = match coordinate.measure() {
        Measure::Angle => (angles.per_radian(), angles.unit()),
        Measure::Slide | Measure::Length => (1.0, "m"),
    };
    let mut shown = value * factor;
    let slider = Slider::new(&mut shown, least * factor..=greatest * factor)
        .custom_formatter(short)
        .clamping(SliderClamping::Never)
        .update_while_editing(false)
        .suffix(if unit == "°" { unit.to_owned() } else { format!(" {unit}") });
    let response: Response = ui
        .scope(|ui| {
            let width = ui.available_width();
            ui.spacing_mut().slider_width = (width - NUMBER_WIDTH - ui.spacing().item_spacing.x - 4.0).max(40.0);
            ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
            ui.visuals_mut().selection.bg_fill = theme::colors(ui.visuals()).accent.gamma_multiply(0.75);
            ui.add(slider)
        })
        .inner;
    let changed = response.changed() && shown.is_finite();
    // No tip: it would cover the line that says why the mechanism stopped.
    widgets::named(response, &format!("Pose {name}"));
    changed.then_some(shown / factor)
}

/// Why it stopped, and what was held.
fn show_answer(ui: &mut Ui, state: &PoseRows) {
    let (colors, angles) = (theme::colors(ui.visuals()), Angles::of(ui.ctx()));
    let Some(answer) = &state.answer else { return };
    let words = match &answer.stop {
        Some(Ok((stop, value))) => {
            let at = match answer.coordinate.measure() {
                Measure::Angle => angles.words(*value),
                Measure::Slide | Measure::Length => widgets::number::with_unit(*value, "m"),
            };
            stop.words(&at)
        }
        Some(Err(why)) => why.clone(),
        None => String::new(),
    };
    for (text, color) in [(words, colors.warn), (answer.held.clone(), colors.weak)] {
        if !text.is_empty() {
            ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
        }
    }
}

/// What was held, in words.
fn held_words(held: &[(String, Coordinate)], free: usize) -> String {
    /// So many names are read.
    const MOST: usize = 4;
    let mut words = String::new();
    if !held.is_empty() {
        let mut names: Vec<&str> = held.iter().map(|(name, _)| name.as_str()).collect();
        names.dedup();
        let more = names.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        words = format!("Held: {}{more}.", names[..names.len().min(MOST)].join(", "));
    }
    match free {
        0 => words,
        1 => format!("{words} Another motion remains, which changes as little as it can.").trim().into(),
        _ => format!("{words} {free} other motions remain, which change as little as they can.").trim().into(),
    }
}

/// The chooser of the ways in which the loop closes.
fn ways(ui: &mut Ui, coordinate: Coordinate, view: &View<'_>, state: &mut PoseRows, out: &mut Vec<Request>) {
    let joint = state.index;
    if !ui.input(|i| i.pointer.primary_down()) {
        state.ways.update(view.session.revision(), true, || view.session.assemblies(joint, coordinate));
        if state.ways.is_pending() {
            ui.ctx().request_repaint();
        }
    }
    let found = state.ways.get();
    if let Some(found) = found {
        state.count = found.len();
    }
    if state.count < 2 {
        return;
    }
    let now = found.and_then(|found| found.iter().position(Option::is_none));
    let text = match now {
        Some(now) => format!("Assembly {} of {}", now + 1, state.count),
        None => "Assembly …".into(),
    };
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.label(text).on_hover_text("The loop closes in several ways at this value. Choose one.");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (icon, name, by) in
                [(Icon::ChevronRight, "Next assembly", 1), (Icon::ChevronLeft, "Previous assembly", state.count - 1)]
            {
                if widgets::icon_button(ui, icon, name, name).clicked() {
                    chosen = now.map(|now| (now + by) % state.count);
                }
            }
        });
    });
    let edit = chosen.and_then(|k| state.ways.get()?.get(k)?.clone());
    if let Some(edit) = edit {
        out.push(Request::Session(Command::Edit { edit, gesture: None }));
        state.answer = None;
    }
}
