//! The Inside tab: a second time line through the step, block by block, with what the last block did and how the
//! largest residual falls. Its drawing in the view is in `ghosts.rs`, and the solver's program in `program.rs`.

use egui::{Align, Layout, RichText, Ui, vec2};
use egui_plot::{GridInput, GridMark, Line, PlotPoints, Points, VLine};
use lucide_icons::Icon;

use super::wanted::{Answer, InsideAnswer};
use super::{Laboratory, ghosts::GhostScale};
use super::{missing_load, program, tick_panel};
use crate::{
    request::Request,
    view::View,
    widgets::{self, graph, number, theme},
};
use delassus_lab::{StepPart, Tick, TracedStep};
use delassus_physics::world::World;
use delassus_scene::lesson::BLOCKS_PER_SECOND;

/// A move along the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    Play,
    Forward,
    Back,
    NextSweep,
    PreviousSweep,
}

/// The state of the Inside tab.
#[derive(Default)]
pub struct Memory {
    pub(super) tick: usize,
    /// While it plays by itself: when the next tick is due, seconds of the window's clock.
    pub(super) plays: Option<f64>,
    /// Ticks a second.
    pace: Pace,
    /// What was requested by a key.
    pub(super) asked: Option<Walk>,
    pub(super) scale: Option<GhostScale>,
    /// Whether each new step plays by itself, as a lesson wants it.
    pub(super) plays_each_step: bool,
}

/// Ticks a second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace(f32);

impl Default for Pace {
    fn default() -> Self {
        Self(4.0)
    }
}

/// Width of the words beside the plot, points.
const WORDS: f32 = 330.0;
/// In a narrower dock the plot takes the whole width, points.
const NARROW: f32 = 560.0;
/// From this width on the solver's program stands between the plot and the words, points, and its own width.
const WIDE: f32 = 860.0;
const PROGRAM: f32 = 330.0;
/// Values below this are drawn as this, m/s.
const FLOOR: f64 = 1e-9;
/// The plot's least distance between grid lines, points.
const GRID: f64 = 8.0;
/// The room that the number of a sweep needs on the axis, and that between such a number and "impacts", points.
const SWEEP_LABEL: f64 = 16.0;
const IMPACTS_LABEL: f64 = 34.0;

pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    world: &World,
    (traced, answer): (&TracedStep, &Answer),
    lab: &mut Laboratory,
    out: &mut Vec<Request>,
) {
    let (Some(made), state) = (answer.inside(), &mut lab.inside) else { return };
    let scale = *state.scale.get_or_insert_with(|| GhostScale::of(traced, &made.inside, view.snapshot));
    let last = made.inside.ticks.len().saturating_sub(1);
    state.tick = state.tick.min(last);
    if view.clock.playing {
        // While the simulation plays, each look shows the whole step.
        (state.tick, state.plays) = (last, None);
    }
    if let Some(walk) = state.asked.take() {
        state.walk(walk, made, ui.input(|i| i.time));
    }
    state.play(ui, last);
    bar(ui, traced, (made, scale), state, out);
    let room = ui.available_size();
    let words = if room.x < NARROW { 0.0 } else { WORDS.min(0.45 * room.x) };
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        let program = if room.x < WIDE { 0.0 } else { PROGRAM };
        let beside = [words, program].into_iter().filter(|column| *column > 0.0).map(|column| column + 14.0);
        let across = room.x - beside.sum::<f32>();
        ui.allocate_ui_with_layout(vec2(across, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(across, room.y));
            plot(ui, traced, made, state);
        });
        if program > 0.0 {
            ui.allocate_ui_with_layout(vec2(program, room.y), Layout::top_down(Align::Min), |ui| {
                ui.set_width(program);
                widgets::scroll(ui, "the program of a step", |ui| {
                    program::show(ui, (&made.inside, traced), &world.settings, state.tick);
                });
            });
        }
        if words > 0.0 {
            ui.allocate_ui_with_layout(vec2(words, room.y), Layout::top_down(Align::Min), |ui| {
                widgets::scroll(ui, "what a tick did", |ui| {
                    tick_panel::show(ui, traced, world, &made.inside, state.tick, view)
                });
            });
        }
    });
}

impl Memory {
    /// Has each new step play by itself with so many blocks a second, or none.
    pub fn play_at(&mut self, pace: Option<f32>) {
        self.plays_each_step = pace.is_some();
        self.pace = pace.map_or(self.pace, Pace);
    }

    fn walk(&mut self, walk: Walk, made: &InsideAnswer, now: f64) {
        let last = made.inside.ticks.len().saturating_sub(1);
        if walk == Walk::Play {
            self.plays = if self.plays.is_some() { None } else { Some(now) };
            if self.plays.is_some() && self.tick == last {
                self.tick = 0;
            }
            return;
        }
        self.plays = None;
        let stop = |found: Option<&usize>, else_at: usize| found.copied().unwrap_or(else_at);
        self.tick = match walk {
            Walk::Forward => (self.tick + 1).min(last),
            Walk::Back => self.tick.saturating_sub(1),
            Walk::NextSweep => stop(made.stops.iter().find(|stop| **stop > self.tick), last),
            Walk::PreviousSweep => stop(made.stops.iter().rev().find(|stop| **stop < self.tick), 0),
            Walk::Play => self.tick,
        };
    }

    /// Advances the ticks while it plays by itself.
    fn play(&mut self, ui: &Ui, last: usize) {
        let Some(due) = self.plays else { return };
        let (now, every) = (ui.input(|i| i.time), 1.0 / f64::from(self.pace.0));
        let ticks = ((now - due) / every).floor().max(0.0);
        self.tick = self.tick.saturating_add(ticks as usize).min(last);
        self.plays = (self.tick < last).then_some(due + ticks * every);
        if self.plays.is_some() {
            ui.ctx().request_repaint_after_secs((due + (ticks + 1.0) * every - now).max(0.0) as f32);
        }
    }
}

fn bar(
    ui: &mut Ui,
    traced: &TracedStep,
    (made, scale): (&InsideAnswer, GhostScale),
    state: &mut Memory,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    let (wide, now) = (ui.available_width(), ui.input(|i| i.time));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 1.0;
        let plays = state.plays.is_some();
        let image = if plays { Icon::Pause } else { Icon::Play };
        let buttons = [
            (Walk::PreviousSweep, Icon::ChevronsLeft, "Previous sweep", "A sweep back  (Ctrl+,)"),
            (Walk::Back, Icon::ChevronLeft, "Previous block", "A block back  (Alt+,)"),
            (Walk::Play, image, "Play the step", "Play the step slowly, or stop  (Alt+P)"),
            (Walk::Forward, Icon::ChevronRight, "Next block", "A block on  (Alt+.)"),
            (Walk::NextSweep, Icon::ChevronsRight, "Next sweep", "A sweep on  (Ctrl+.)"),
        ];
        for (walk, image, name, tip) in buttons {
            if widgets::icon_toggle(ui, image, walk == Walk::Play && plays, name, tip).clicked() {
                state.walk(walk, made, now);
            }
        }
        let tip = "Make this step and look into the next one  (.)";
        if widgets::icon_button(ui, Icon::StepForward, "Make the step", tip).clicked() {
            out.push(Request::Session(delassus_session::Command::Step));
        }
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        let room = vec2((0.5 * wide).clamp(150.0, 330.0), 18.0);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(room);
            ui.add(egui::Label::new(RichText::new(place(traced, made, state.tick)).color(colors.text)).truncate());
        });
        if wide > 640.0 {
            ui.spacing_mut().slider_width = 80.0;
            let slider = egui::Slider::new(&mut state.pace.0, BLOCKS_PER_SECOND).logarithmic(true).show_value(false);
            let slider = ui.add(slider).on_hover_text("How fast it plays: blocks a second");
            widgets::named(slider, "Blocks a second");
            let text = RichText::new(format!("{:.0} a second", state.pace.0)).small().color(colors.weak);
            let pace = vec2(74.0, 18.0);
            ui.allocate_ui_with_layout(pace, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(pace);
                ui.label(text);
            });
        }
        if wide > 800.0 {
            ui.spacing_mut().item_spacing.x = 5.0;
            missing_load::legend(ui);
            ui.spacing_mut().item_spacing.x = 8.0;
        }
        if wide > 1160.0 {
            let scale = match scale.scale {
                1.0 => "ghosts as far as they go".to_owned(),
                scale => format!("ghosts go {scale:.0} times as far"),
            };
            ui.label(RichText::new(format!("{scale} · step {}, the next", traced.step)).small().color(colors.weak));
        }
    });
}

/// The position as text: `sweep 3 of 10 · block 5 of 12`.
fn place(traced: &TracedStep, made: &InsideAnswer, tick: usize) -> String {
    let sweeps = traced.sweeps();
    let (place, count) = made.inside.place(tick);
    match (made.inside.sections[tick], made.inside.ticks[tick]) {
        (StepPart::Sweep(sweep), Tick::Solve(_)) => format!("sweep {sweep} of {sweeps} · block {place} of {count}"),
        (StepPart::Sweep(sweep), _) => format!("sweep {sweep} of {sweeps} · all blocks"),
        (StepPart::Impacts { round: 1, pass }, Tick::Solve(_)) => format!("impacts, pass {pass} · {place} of {count}"),
        (StepPart::Impacts { round, pass }, Tick::Solve(_)) => {
            format!("impacts {round}, pass {pass} · {place} of {count}")
        }
        (_, Tick::Moment(index)) => traced.moment(index),
        _ => "moved".to_owned(),
    }
}

fn plot(ui: &mut Ui, traced: &TracedStep, made: &InsideAnswer, state: &mut Memory) {
    let colors = theme::colors(ui.visuals());
    let (inside, stops) = (&made.inside, &made.stops);
    let at = |tick: usize| [tick as f64, inside.largest_residual[tick].max(FLOOR).log10()];
    let line = |ticks: std::ops::Range<usize>| PlotPoints::from(ticks.map(at).collect::<Vec<_>>());
    let sweeps = |input: GridInput| {
        // Sweeps are labelled at their ends, as many as there is room for.
        let (low, high) = input.bounds;
        let is_sweep = |stop: &usize| matches!(inside.sections[*stop], StepPart::Sweep(_));
        let ends: Vec<usize> = stops.iter().copied().filter(is_sweep).collect();
        let points = (high - low) / input.base_step_size * GRID;
        let every = ends.len().div_ceil(((points / SWEEP_LABEL) as usize).clamp(2, 12)).max(1);
        let marks = ends.iter().enumerate().filter(|(k, _)| (k + 1).is_multiple_of(every) || *k == 0);
        // Restitution passes are labelled where they begin, in place of the sweeps beside them.
        let is_impact = |section: &StepPart| matches!(section, StepPart::Impacts { .. });
        let impacts: Vec<usize> = (1..inside.sections.len())
            .filter(|tick| is_impact(&inside.sections[*tick]) && !is_impact(&inside.sections[*tick - 1]))
            .collect();
        let room = IMPACTS_LABEL / points * (high - low);
        let is_free = |stop: usize| impacts.iter().all(|impact| (*impact as f64 - stop as f64).abs() > room);
        let marks = marks.map(|(_, stop)| *stop).filter(|stop| is_free(*stop));
        marks
            .chain(impacts.iter().copied())
            .map(|tick| GridMark { value: tick as f64, step_size: high - low })
            .collect::<Vec<_>>()
    };
    let angular = traced.rows.iter().filter(|row| row.is_angular()).count();
    let unit = match angular {
        0 => "m/s",
        all if all == traced.rows.len() => "rad/s",
        _ => "",
    };
    let in_units = if unit.is_empty() { "m/s or rad/s" } else { unit };
    graph::caption(ui, &format!("largest residual, {in_units}, sweep by sweep"));
    let label = move |mark: GridMark, _: &_| match unit {
        "m/s" => number::with_unit(10f64.powf(mark.value), unit),
        _ => graph::power(mark.value),
    };
    let response = graph::logarithmic(ui, "inside a step")
        .custom_y_axes(vec![graph::upright(64.0).formatter(label)])
        .show_x(false)
        .x_grid_spacer(sweeps)
        .x_axis_formatter(|mark, _| match inside.sections.get(mark.value as usize) {
            Some(StepPart::Sweep(sweep)) => sweep.to_string(),
            Some(StepPart::Impacts { .. }) => "impacts".to_owned(),
            _ => String::new(),
        })
        .show(ui, |plot| {
            plot.line(
                Line::new("to come", line(0..inside.ticks.len())).color(colors.weak.gamma_multiply(0.45)).width(1.2),
            );
            plot.vline(VLine::new("now", state.tick as f64).color(colors.weak).width(1.0));
            plot.line(Line::new("so far", line(0..state.tick + 1)).color(colors.accent).width(2.2));
            plot.points(Points::new("now", vec![at(state.tick)]).color(colors.accent).radius(4.0));
            plot.response().contains_pointer().then(|| plot.pointer_coordinate()).flatten()
        });
    let pressed = ui.input(|input| input.pointer.primary_down());
    if let Some(pointer) = response.inner.filter(|_| pressed) {
        state.plays = None;
        state.tick = (pointer.x.round().max(0.0) as usize).min(inside.ticks.len().saturating_sub(1));
    }
    widgets::named(response.response, "Residual within the step");
}
