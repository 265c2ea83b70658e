//! Convergence of the sweeps in the next step: residual or distance to the exact solution after each sweep, by row
//! and in total, and all other methods on the same step.

use egui::{Align, Layout, Rect, RichText, Sense, TextureHandle, Ui, vec2};
use egui_plot::{AxisHints, Line, PlotPoints};

use super::wanted::{Answer, SweepsAnswer};
use super::{heat, owner_name, typeset::formula};
use crate::{
    view::View,
    widgets::{self, graph, named, number::with_unit, theme},
};
use delassus_lab::{SweepCurve, TracedStep};

/// The quantity that the curves show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quantity {
    #[default]
    Residual,
    Distance,
    /// The residual by kind of row.
    Kinds,
}

/// The state of the Sweeps tab.
#[derive(Default)]
pub struct Memory {
    quantity: Quantity,
    /// Whether all methods are shown, or only the one that is set.
    pub(super) others: bool,
    /// The picture of the residuals of the rows.
    pub(super) map: Option<TextureHandle>,
}

/// Values below this are drawn as this: they are only rounding errors.
const FLOOR: f64 = 1e-9;
/// The bar of the error that is left, and the least room for it and its words, points.
const LEFT_BAR: (f32, f32) = (70.0, 8.0);
const LEFT_WIDTH: f32 = 200.0;

pub(super) fn show(ui: &mut Ui, view: &View<'_>, (traced, answer): (&TracedStep, &Answer), state: &mut Memory) {
    let Some(made) = answer.sweeps() else { return };
    let map = state.map.take().unwrap_or_else(|| map(ui, traced));
    bar(ui, traced, view, state);
    let room = ui.available_size();
    let across = (room.x * 0.36).clamp(80.0, 420.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 14.0;
        ui.allocate_ui_with_layout(vec2(room.x - across - 14.0, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(room.x - across - 14.0, room.y));
            plot(ui, made, state.quantity, view);
        });
        ui.vertical(|ui| rows(ui, traced, &map, vec2(across, room.y), view));
    });
    state.map = Some(map);
}

fn bar(ui: &mut Ui, traced: &TracedStep, view: &View<'_>, state: &mut Memory) {
    let colors = theme::colors(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.allocate_ui(vec2(250.0, 22.0), |ui| {
            ui.set_max_width(250.0);
            let items = [
                widgets::Segment::new("residual", "The largest residual of a row"),
                widgets::Segment::new(
                    "by group",
                    "The same of each kind of rows: anchors, axes, stops, normals, friction",
                ),
                widgets::Segment::new(
                    "distance",
                    "How far the velocities are from the direct solution, in the norm of the masses",
                ),
            ];
            let all = [Quantity::Residual, Quantity::Kinds, Quantity::Distance];
            let now = all.iter().position(|quantity| *quantity == state.quantity);
            if let Some(index) = widgets::segments(ui, "Curves", &items, now) {
                state.quantity = all[index];
            }
        });
        ui.add_space(4.0);
        widgets::switch(ui, &mut state.others, "All methods");
        ui.label("all methods on this step");
        let rows = widgets::number::counted(traced.rows.len(), "row", "rows");
        ui.label(RichText::new(format!("{rows} · step {}, the next", traced.step)).small().color(colors.weak));
        error_left(ui, traced, view);
    });
}

/// The share ρᴺ of the slowest error that the N sweeps of a sub-step leave, as a bar; nothing if ρ is not known.
fn error_left(ui: &mut Ui, traced: &TracedStep, view: &View<'_>) {
    let (spectrum, colors) = (&view.stability.spectrum, theme::colors(ui.visuals()));
    let sweeps = traced.sweeps();
    if spectrum.rows == 0 || !(0.0..1.0).contains(&spectrum.radius) || ui.available_width() < LEFT_WIDTH {
        return;
    }
    let left = f64::from(spectrum.radius).powi(sweeps as i32);
    ui.add_space(4.0);
    let (bar, response) = ui.allocate_exact_size(vec2(LEFT_BAR.0, LEFT_BAR.1), Sense::hover());
    ui.painter().rect_filled(bar, 2.0, colors.sunken);
    let filled = Rect::from_min_size(bar.min, vec2(bar.width() * left as f32, bar.height()));
    ui.painter().rect_filled(filled, 2.0, colors.accent);
    let percent = if left < 1e-3 { "less than 0.1 %".to_owned() } else { format!("{:.1} %", 100.0 * left) };
    formula(ui, &format!("$ρ$^{sweeps}^ = {percent} left"));
    let tip = format!(
        "Each sweep leaves ρ = {:.4} of the slowest error. The bar shows what is left of it after {sweeps} sweeps",
        spectrum.radius
    );
    named(response, "Error that the sweeps leave").on_hover_text(tip);
}

fn plot(ui: &mut Ui, made: &SweepsAnswer, quantity: Quantity, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let values = |curve: &SweepCurve| match quantity {
        Quantity::Residual | Quantity::Kinds => curve.residual.clone(),
        Quantity::Distance => curve.distance.clone(),
    };
    let what = match quantity {
        Quantity::Residual => "largest residual, m/s, rad/s",
        Quantity::Kinds => "largest residual of each kind of rows, m/s, rad/s",
        Quantity::Distance => "distance to the direct solution, √J",
    };
    graph::caption(ui, &format!("{what}, after each sweep"));
    let curves = if quantity == Quantity::Kinds { &made.kinds } else { &made.curves };
    let visuals = ui.visuals().clone();
    // There are more curves than colours: each further round has other dashes.
    let ink = |index: usize| (theme::curve(index, &visuals), index / 4 % 4);
    let slope = slope(made, values, view).filter(|_| quantity != Quantity::Kinds);
    let mut key: Vec<graph::Keyed<'_>> = Vec::new();
    key.extend(curves.iter().enumerate().map(|(k, curve)| (curve.name.as_ref(), ink(k).0, ink(k).1)));
    key.extend(slope.is_some().then_some(("slope of ρ", colors.weak, 3)));
    graph::with_key(ui, "sweeps", &key, |ui| {
        let highest = curves.iter().flat_map(values).fold(FLOOR, f64::max).log10();
        let response = graph::logarithmic(ui, "sweeps")
            // The axis covers at least one decade, so that slow convergence looks slow.
            .include_y(highest)
            .include_y(highest - 1.0)
            .custom_x_axes(vec![
                // The labels are whole numbers with few digits and may be close to each other.
                AxisHints::new_x().label_spacing(egui::Rangef::new(18.0, 26.0)).formatter(|mark, _| {
                    if mark.value.fract() == 0.0 { format!("{}", mark.value) } else { String::new() }
                }),
            ])
            .show(ui, |plot| {
                for (index, curve) in curves.iter().enumerate() {
                    let points: Vec<[f64; 2]> = (values(curve).iter().enumerate())
                        .map(|(sweep, value)| [sweep as f64, value.max(FLOOR).log10()])
                        .collect();
                    let width = if index == 0 || quantity == Quantity::Kinds { 2.4 } else { 1.3 };
                    let (color, pattern) = ink(index);
                    let line = Line::new(curve.name.clone(), PlotPoints::from(points)).color(color).width(width);
                    plot.line(line.style(graph::dashed(pattern)));
                }
                if let Some(points) = slope {
                    let line = Line::new("slope of ρ", PlotPoints::from(points)).color(colors.weak).width(1.0);
                    plot.line(line.style(graph::dashed(3)));
                }
            });
        named(response.response, "Convergence");
    });
}

/// The convergence rate predicted from the spectral radius ρ, as a line through the last point of the scene's own
/// method.
fn slope(made: &SweepsAnswer, values: impl Fn(&SweepCurve) -> Vec<f64>, view: &View<'_>) -> Option<Vec<[f64; 2]>> {
    let radius = f64::from(view.stability.spectrum.radius);
    let scene_curve = made.curves.first().map(values)?;
    let last = scene_curve.last().filter(|last| **last > FLOOR && radius > 0.0 && scene_curve.len() > 2)?;
    let count = (scene_curve.len() - 1) as f64;
    let at = |sweep: f64| last.log10() + (sweep - count) * radius.log10();
    Some(vec![[0.0, at(0.0)], [count, at(count)]])
}

/// A heat map of the residual of every row after every sweep.
fn map(ui: &Ui, traced: &TracedStep) -> TextureHandle {
    let ground = theme::colors(ui.visuals()).sunken;
    let largest = traced.trace.moments.iter().flat_map(|moment| &moment.residuals);
    let largest = largest.fold(0.0f64, |largest, r| largest.max(f64::from(r.abs())));
    let (columns, rows) = (traced.trace.moments.len(), traced.rows.len().min(4096));
    heat::texture(ui, "sweeps", (columns, rows), |row, column| {
        heat::size(f64::from(traced.trace.moments[column].residuals[row]), largest, ground)
    })
}

fn rows(ui: &mut Ui, traced: &TracedStep, map: &TextureHandle, room: egui::Vec2, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.label(RichText::new("residual by row, from start to end").small().color(colors.weak));
    let (columns, count) = (traced.trace.moments.len(), traced.rows.len().min(4096));
    let room = vec2(room.x, (room.y - 20.0).max(20.0));
    let (response, _, cell) = heat::show(ui, map, room, (columns, count), "Residual of each row");
    if let Some((row, column)) = cell.filter(|_| count > 0) {
        let shown_row = &traced.rows[row];
        let unit = if shown_row.is_angular() { "rad/s" } else { "m/s" };
        let left = traced.trace.moments[column].residuals[row];
        response.on_hover_ui_at_pointer(|ui| {
            ui.label(RichText::new(with_unit(left.into(), unit)).strong());
            ui.label(format!(
                "{}: {}",
                owner_name(shown_row.owner, (shown_row.a, shown_row.b), view),
                shown_row.part()
            ));
            ui.label(traced.moment(column));
        });
    }
}
