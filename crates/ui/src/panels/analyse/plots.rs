//! The plots over the driven value: a quantity of the motion, the drive at rest and moving, a force. A line marks the
//! sample that is read; a click or drag moves the cursor.

use egui::{ComboBox, PointerButton, Rangef, ScrollArea, Ui, vec2};
use egui_plot::{AxisHints, GridInput, GridMark, HLine, Line, LineStyle, PlotPoints, VLine};

use super::{Analyse, nearest, units};
use crate::{
    panels::plots::scale::{marks, tick},
    widgets::{angles::Angles, graph, named, theme},
};
use delassus_scene::PlotScale;
use delassus_session::analysis::{AnalysedMechanism, Analysis, Quantity, QuantityInfo};

/// The least height of a plot with its caption, and from this width on plots stand side by side, points.
const LEAST: f32 = 120.0;
const BESIDE: f32 = 240.0;
/// A plot lower than this gets less width instead, down to this, points.
const LOW: f32 = 140.0;
const NARROW: f32 = 165.0;
/// The cap of a motor is drawn if it is no more than this many times the need.
const NEAR: f64 = 1.6;
const NAMES: [&str; 2] = ["Motion plotted", "Load plotted"];

pub(super) fn show(ui: &mut Ui, state: &mut Analyse) {
    let Some(shown) = state.shown.clone() else { return };
    let Ok(analysis) = &shown.result else { return };
    let before = state.hovered.take();
    let chosen = [0, 1].map(|slot| quantity(state, &shown, analysis, slot));
    let room = ui.available_size();
    let fitting = ((room.x / BESIDE).floor() as usize).clamp(1, 3);
    // In a low page all plots are in one row.
    let is_low = 3_usize.div_ceil(fitting) as f32 * LOW > room.y;
    let columns = if is_low && room.x > 3.0 * NARROW { 3 } else { fitting };
    let rows = 3_usize.div_ceil(columns);
    let gap = ui.spacing().item_spacing;
    let width = (room.x - gap.x * (columns - 1) as f32 - 12.0) / columns as f32;
    let height = (room.y / rows as f32 - gap.y).max(LEAST);
    ScrollArea::vertical().id_salt("plots").auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        for first in (0..3).step_by(columns) {
            ui.horizontal_top(|ui| {
                for slot in first..(first + columns).min(3) {
                    ui.allocate_ui(vec2(width, height), |ui| {
                        ui.vertical(|ui| {
                            ui.set_width(width);
                            ui.set_max_height(height);
                            match slot {
                                0 => single(ui, state, &shown, analysis, (0, chosen[0]), height),
                                1 => drive(ui, state, analysis, height),
                                _ => single(ui, state, &shown, analysis, (1, chosen[1]), height),
                            }
                        });
                    });
                }
            });
        }
    });
    if state.hovered != before {
        ui.ctx().request_repaint();
    }
}

/// What the plots show at the sample that is read: the driven value, both quantities, the drive,
/// the mechanical advantage of an output.
pub(super) fn read<'a>(state: &Analyse, shown: &'a AnalysedMechanism, analysis: &Analysis) -> Vec<&'a QuantityInfo> {
    let [motion, load] = [0, 1].map(|slot| quantity(state, shown, analysis, slot));
    let advantage = analysis.output.map(|_| Quantity::Advantage);
    let drive = [Quantity::DriveAtRest, Quantity::DriveMoving].map(Some);
    let all = [Some(Quantity::Driven), motion, drive[0], drive[1], load, advantage];
    let mut infos: Vec<&QuantityInfo> = Vec::new();
    for quantity in all.into_iter().flatten() {
        let info = shown.quantities.iter().find(|info| info.quantity == quantity);
        infos.extend(info.filter(|info| infos.iter().all(|other| other.quantity != info.quantity)));
    }
    infos
}

/// The quantity of a plot: the chosen one if there is such a one, else the first value and the first force, those of the
/// output before others.
fn quantity(state: &Analyse, shown: &AnalysedMechanism, analysis: &Analysis, slot: usize) -> Option<Quantity> {
    let has = |quantity: &Quantity| shown.quantities.iter().any(|info| info.quantity == *quantity);
    let output = analysis.joints.iter().position(|joint| Some(*joint) == analysis.output);
    let driven = analysis.joints.iter().position(|joint| *joint == analysis.joint);
    let usual = match slot {
        0 => {
            let all = shown.quantities.iter().filter(|info| info.is_usual).map(|info| info.quantity);
            all.into_iter().find(|quantity| matches!(quantity, Quantity::Value(_)))
        }
        _ => output.or(driven).map(Quantity::Force),
    };
    state.plotted[slot].filter(has).or(usual.filter(has)).or(Some(Quantity::Driven))
}

/// A plot of one quantity that is chosen from a list above it.
fn single(
    ui: &mut Ui,
    state: &mut Analyse,
    shown: &AnalysedMechanism,
    analysis: &Analysis,
    (slot, quantity): (usize, Option<Quantity>),
    height: f32,
) {
    let Some(info) = shown.quantities.iter().find(|info| Some(info.quantity) == quantity) else { return };
    let name = NAMES[slot];
    let width = ui.available_width().min(240.0);
    let list = ComboBox::from_id_salt(name).width(width).truncate().selected_text(&info.name);
    let drawn = list.show_ui(ui, |ui| {
        for one in &shown.quantities {
            if ui.selectable_label(one.quantity == info.quantity, &one.name).clicked() {
                state.plotted[slot] = Some(one.quantity);
            }
        }
    });
    named(drawn.response, name).on_hover_text("What this plot shows");
    let turns = match info.quantity {
        Quantity::Value(at) => {
            let own = analysis.turns.iter().filter(|turn| Some(&turn.joint) == analysis.joints.get(at));
            own.map(|turn| turn.driven).collect()
        }
        _ => Vec::new(),
    };
    let marked = Marks { turns, cap: None };
    plot(ui, state, analysis, (name, height - 26.0), info.unit, &[(info.name.as_str(), info.quantity)], &marked);
}

/// The plot of the drive, with the motor's cap where that is near.
fn drive(ui: &mut Ui, state: &mut Analyse, analysis: &Analysis, height: f32) {
    let unit = analysis.measure.units()[2];
    let colors = [0, 1].map(|k| theme::curve(k, ui.visuals()));
    ui.horizontal(|ui| {
        ui.set_height(20.0);
        ui.label("Drive");
        for (name, color) in ["at rest", "moving"].into_iter().zip(colors) {
            ui.label(egui::RichText::new("—").color(color).strong());
            ui.label(egui::RichText::new(name).small());
        }
    });
    let cap = analysis.motor.filter(|motor| motor.cap <= NEAR * motor.worst).map(|motor| motor.cap);
    let curves = [("at rest", Quantity::DriveAtRest), ("moving", Quantity::DriveMoving)];
    plot(ui, state, analysis, ("Drive plotted", height - 26.0), unit, &curves, &Marks { turns: Vec::new(), cap });
}

/// What is marked in a plot: driven values at which the joint turns back, and the cap of the motor.
struct Marks {
    turns: Vec<f64>,
    cap: Option<f64>,
}

fn plot(
    ui: &mut Ui,
    state: &mut Analyse,
    analysis: &Analysis,
    (name, height): (&'static str, f32),
    unit: &'static str,
    curves: &[(&str, Quantity)],
    marked: &Marks,
) {
    let (colors, angles) = (theme::colors(ui.visuals()), Angles::of(ui.ctx()));
    let along = analysis.measure.units()[0];
    let (x, y) = (units::shown(along, angles), units::shown(unit, angles));
    let xs: Vec<f64> = analysis.samples.iter().map(|sample| sample.value * x.0).collect();
    let at = state.sample();
    let (times, heights) =
        (f64::from(ui.available_width() / 46.0).clamp(1.0, 9.0), f64::from(height / 36.0).clamp(2.0, 8.0));
    // Labels of angles are short.
    let along_axis = AxisHints::new_x().formatter(move |mark, _| tick(mark, x.1, PlotScale::Full));
    let along_axis = along_axis.label_spacing(Rangef::new(30.0, 44.0));
    let response = graph::still(ui, ("analysis", name))
        .height(height - 4.0)
        .x_grid_spacer(move |input| if x.1 == "°" { angle_marks(&input, times) } else { marks(&input, times, 0.0) })
        .y_grid_spacer(move |input| marks(&input, heights, 0.0))
        .custom_x_axes(vec![along_axis])
        .custom_y_axes(vec![graph::upright(54.0).formatter(move |mark, _| tick(mark, y.1, PlotScale::Full))])
        .show_x(false)
        .show_y(false)
        .label_formatter(|_| None)
        .show(ui, |plot| {
            let visuals = plot.ctx().global_style().visuals.clone();
            for turn in &marked.turns {
                let line = VLine::new("dead centre", turn * x.0).color(colors.weak).width(1.0);
                plot.vline(line.style(LineStyle::dashed_loose()).allow_hover(false));
            }
            for cap in marked.cap.iter().flat_map(|cap| [*cap, -cap]) {
                let line = HLine::new("cap", cap).color(colors.warn).width(1.0);
                plot.hline(line.style(LineStyle::dashed_loose()).allow_hover(false));
            }
            for (k, (curve, quantity)) in curves.iter().enumerate() {
                let points: Vec<[f64; 2]> = (xs.iter().zip(&analysis.samples))
                    .map(|(x, sample)| [*x, quantity.of(sample) * y.0])
                    .filter(|[_, y]| y.is_finite() && y.abs() < 1e9)
                    .collect();
                let line = Line::new(*curve, PlotPoints::from(points)).color(theme::curve(k, &visuals)).width(1.6);
                plot.line(line.allow_hover(false));
            }
            if let Some(x) = xs.get(at) {
                plot.vline(VLine::new("sample", *x).color(colors.strong).width(1.0).allow_hover(false));
            }
        });
    let pointed = |at: egui::Pos2| nearest(&analysis.samples, response.transform.value_from_position(at).x / x.0);
    let own = &response.response;
    if let Some(at) = own.hover_pos() {
        state.hovered = Some(pointed(at));
    }
    let presses = own.clicked() || own.dragged_by(PointerButton::Primary);
    if let Some(at) = own.interact_pointer_pos().filter(|_| presses) {
        state.point_at(pointed(at));
    }
    named(response.response, name);
}

/// The grid lines of an axis in degrees, at parts of a turn.
fn angle_marks(input: &GridInput, count: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / count;
    let step = [5.0, 10.0, 15.0, 30.0, 45.0, 60.0, 90.0, 180.0, 360.0].into_iter().find(|step| *step >= rough);
    let Some(step) = step.filter(|step| rough > 0.4 * step) else { return marks(input, count, 0.0) };
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last.min(first.saturating_add(20))).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}
