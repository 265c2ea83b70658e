//! The plots in the bottom dock: those that the scene defines, or three defaults that suit it, against time or
//! against each other, with a tick where a setting was changed. A joint is watched once it has been selected; its
//! stops and its motor's target are lines in its plots. Other runs are drawn over the current one, each in its
//! colour.

mod beyond;
mod chart;
mod curves;
mod figure;
mod hands;
mod key;
mod menu;
mod overlap;
mod readings;
pub(super) mod scale;
mod shown;
mod sketch;
mod strips;

use egui::{Align, FontId, Layout, RichText, ScrollArea, Ui, vec2};
use lucide_icons::Icon;

use self::{key::PlotKey, shown::ShownPlot};
use crate::{
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, angles::Angles, theme},
};
use delassus_session::Command;

pub use figure::figure_of_all;
pub use sketch::{HandDrawn, PlotSketch};

/// The state of the plots: what each slot shows unless the scene defines it, the time span, and the cursors.
#[derive(Clone, Debug, Default)]
pub struct Plots {
    pub chosen: [Option<usize>; 3],
    /// The shown time span, s, if it was zoomed; otherwise the latest part of the run is shown.
    pub span: Option<(f64, f64)>,
    /// Times of the two cursors, s.
    pub cursors: [Option<f64>; 2],
    /// The slot of the plot that is shown alone at full size.
    pub large: Option<usize>,
    /// The prediction of a lesson that is drawn in one of them.
    pub sketch: Option<PlotSketch>,
    /// The text of the quantity that is being typed in the menu.
    typed: String,
    /// The time at which a drag with the right button began, s.
    pub(super) dragged: Option<f64>,
}

impl Plots {
    /// Shows a plot alone at full size, or all of them again.
    pub(super) fn toggle_large(&mut self, slot: usize) {
        self.large = if self.large.is_some() { None } else { Some(slot) };
    }
}

/// The least width and height of a readable plot, points.
const MIN_PLOT_SIZE: (f32, f32) = (230.0, 118.0);
/// The least width of one of up to three plots in a row, points.
const NARROW: f32 = 190.0;

/// Draws the plots over the available space.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Plots, selection: &Selection, out: &mut Vec<Request>) {
    let angles = Angles::of(ui.ctx());
    if let Some(joint) = selection.joint.filter(|joint| view.session.watched() != Some(*joint)) {
        out.push(Request::Session(Command::Watch(joint)));
    }
    let plots = strips::plots(view, state);
    // A scene that has just been opened or edited may have fewer plots.
    state.large = state.large.filter(|slot| *slot < plots.len());
    // While a prediction is drawn, its plot is alone.
    let sketched = state.sketch.as_ref().filter(|sketch| sketch.open).and_then(|sketch| sketch.slot(&plots));
    let slots: Vec<usize> = sketched.or(state.large).map_or_else(|| (0..plots.len()).collect(), |slot| vec![slot]);
    let (size, gap) = (ui.available_size(), 12.0);
    let fit = ((size.x / MIN_PLOT_SIZE.0) as usize).clamp(1, 6);
    // Up to three plots are side by side as long as their titles can be read; otherwise they are distributed evenly
    // over rows, below each other behind a scroll bar.
    let in_a_row = slots.len() <= 3 && size.x >= NARROW * slots.len() as f32;
    let columns = if in_a_row { slots.len() } else { slots.len().min(fit) }.max(1);
    let rows = slots.len().div_ceil(columns);
    let columns = slots.len().div_ceil(rows.max(1)).max(1);
    let width = ((size.x - 4.0 - gap * columns as f32) / columns as f32).max(60.0);
    let height = if rows == 1 { size.y } else { (size.y / rows as f32 - 4.0).max(MIN_PLOT_SIZE.1) };
    let mut draw = |ui: &mut Ui, row: usize| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for slot in slots.iter().copied().skip(row * columns).take(columns) {
                let shown = ShownPlot::of(&plots[slot], view, angles);
                ui.allocate_ui_with_layout(vec2(width, height), Layout::top_down(Align::Min), |ui| {
                    // The whole height, or the dock would shrink to the plots' height.
                    ui.set_min_size(vec2(width, height));
                    ui.set_max_size(vec2(width, height));
                    ui.spacing_mut().item_spacing.y = 2.0;
                    header(ui, slot, &shown, &plots, view, selection, state, out);
                    // Half the height of the label at the top of the scale.
                    ui.add_space(5.0);
                    if !view.is_empty() {
                        chart::plot(ui, slot, &shown, view, state, out);
                    }
                });
            }
        });
    };
    if rows == 1 {
        draw(ui, 0);
    } else {
        ScrollArea::vertical().id_salt("plots").auto_shrink([false, false]).show(ui, |ui| {
            (0..rows).for_each(|row| draw(ui, row));
        });
    }
}

/// Width of the enlarge button, of the marks in the title, of the latest value, and of one of its letters, points.
const BUTTON: f32 = 24.0;
const MARKS: f32 = 26.0;
const VALUE: f32 = 70.0;
const LETTER: f32 = 6.8;

/// The title, whose menu has everything that can be plotted; the latest value of the first curve if there is room;
/// and the legend, in the title's line if it fits, otherwise below.
#[expect(clippy::too_many_arguments, reason = "a plot's header is where everything about it can be asked for")]
fn header(
    ui: &mut Ui,
    slot: usize,
    shown: &ShownPlot,
    plots: &[delassus_scene::Plot],
    view: &View<'_>,
    selection: &Selection,
    state: &mut Plots,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().interact_size.y = 16.0;
    let (width, height) = (ui.available_width(), ui.available_height());
    let title = ui.painter().layout_no_wrap(shown.title.clone(), FontId::proportional(13.5), colors.strong).size().x;
    let wrong = shown.curves.iter().chain(&shown.against).find_map(|curve| curve.quantity.as_ref().err());
    let key = PlotKey::of(ui, shown, width, !view.session.runs().is_empty()).filter(|_| wrong.is_none());
    let is_beside = key.as_ref().is_some_and(|key| key.fits(width - title - BUTTON - MARKS));
    let size = vec2(width, 18.0);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let (image, does, tip) = match state.large {
            None => (Icon::Maximize2, "Enlarge", "This plot alone, large"),
            Some(_) => (Icon::Minimize2, "All plots", "All plots again  (Esc)"),
        };
        let name = format!("{does}: {}", shown.title);
        if widgets::mark_button(ui, image, colors.weak, &name, tip).clicked() {
            state.toggle_large(slot);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            menu::show(ui, slot, shown, plots, view, selection, state, out);
            ui.add_space(3.0);
            if let Some(wrong) = wrong {
                ui.add(egui::Label::new(RichText::new(wrong).small().color(colors.warn)).truncate())
                    .on_hover_text(wrong);
                return;
            }
            if let Some(key) = key.as_ref().filter(|_| is_beside) {
                key.show(ui, shown);
            }
            let value = shown.curves.first().and_then(|curve| Some(curve.said(curve.last(view.session)?)));
            // Of several curves it is the first one's.
            let name = key.as_ref().filter(|_| shown.curves.len() > 1).map(|key| format!("{} ", key.first()));
            let value = value.map(|value| format!("{}{value:>8}", name.unwrap_or_default()));
            let fits = |value: &String| ui.available_width() > VALUE.max(LETTER * value.chars().count() as f32 + 4.0);
            if let Some(value) = value.filter(fits) {
                let value = RichText::new(value);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(value.monospace().size(11.0).color(colors.text));
                });
            }
        });
    });
    if let Some(key) = key.filter(|key| !is_beside && key.fits_below(height)) {
        key.show(ui, shown);
    }
}
