//! The bottom dock's plots: three of them against time, each of what its menu says, with a tick wherever a switch was
//! flipped. A selected joint is watched from then on; its stops and its motor's speed are lines in its plots.

mod chart;
mod strips;

use egui::{Align, Layout, RichText, Sense, Stroke, Ui, vec2};
use lucide_icons::Icon;

use self::strips::{STRIPS, Shown, chosen};
use crate::session::Command;
use crate::ui::{
    request::Request,
    selection::Selection,
    view::View,
    widgets::{
        angles::{self, Angles},
        icon_sized,
        number::with_unit,
        theme,
    },
};

/// The plots' memory: what each shows, where it was chosen.
#[derive(Clone, Debug, Default)]
pub struct Plots {
    pub chosen: [Option<usize>; 3],
}

/// Draws them over all the room that there is.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Plots, selection: &Selection, out: &mut Vec<Request>) {
    let angles = Angles::of(ui.ctx());
    if let Some(joint) = selection.joint.filter(|joint| view.session.watched() != Some(*joint)) {
        out.push(Request::Session(Command::Watch(joint)));
    }
    let (size, gap) = (ui.available_size(), 12.0);
    let slots = state.chosen.len();
    let width = ((size.x - 4.0 - gap * slots as f32) / slots as f32).max(60.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for slot in 0..slots {
            let shown = Shown::of(chosen(slot, view, state), view, angles);
            ui.allocate_ui_with_layout(vec2(width, size.y), Layout::top_down(Align::Min), |ui| {
                // The whole height, or the dock would shrink to what the plots leave.
                ui.set_min_size(vec2(width, size.y));
                ui.set_max_width(width);
                ui.spacing_mut().item_spacing.y = 2.0;
                header(ui, slot, &shown, view, state);
                // Half of a number that stands at the top of the scale.
                ui.add_space(5.0);
                if !view.is_empty() {
                    chart::plot(ui, slot, &shown, view.samples, out);
                }
            });
        }
    });
}

/// Title, which is a menu of all that can be plotted, which curve is which, and the latest value of the first one: as
/// much of it as there is room for.
fn header(ui: &mut Ui, slot: usize, shown: &Shown, view: &View<'_>, state: &mut Plots) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().interact_size.y = 16.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.scope(|ui| {
            ui.spacing_mut().button_padding = vec2(3.0, 0.0);
            egui::containers::menu::menu_style(ui.style_mut());
            let title = RichText::new(&shown.title).color(colors.strong);
            let menu = ui.menu_button((title, icon_sized(Icon::ChevronDown, 11.0).color(colors.weak)), |ui| {
                for (index, strip) in STRIPS.iter().enumerate() {
                    let on = std::ptr::eq(strip, shown.strip);
                    if ui.selectable_label(on, strip.title).clicked() {
                        state.chosen[slot] = Some(index);
                    }
                }
                ui.separator();
                if ui.selectable_label(state.chosen[slot].is_none(), "What fits the scene").clicked() {
                    state.chosen[slot] = None;
                }
            });
            crate::ui::widgets::named(menu.response, &format!("Plot {}: {}", slot + 1, shown.title))
                .on_hover_text("What is plotted; select a joint to plot its value and speed");
        });
        ui.add_space(3.0);
        for (index, curve) in shown.strip.curves.iter().enumerate() {
            let text = RichText::new(curve.name).small().color(colors.weak);
            let font = egui::FontId::proportional(11.5);
            let word = ui.painter().layout_no_wrap(curve.name.to_owned(), font, colors.weak).size().x;
            if ui.available_width() < word + 16.0 {
                return;
            }
            let (rect, _) = ui.allocate_exact_size(vec2(9.0, 16.0), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(2.0, theme::curve(index, ui.visuals())));
            ui.label(text);
        }
        let last = view.samples.samples.back().map(|sample| shown.read(&shown.strip.curves[0], sample));
        if let Some(value) = last.filter(|v| !v.is_nan() && ui.available_width() > 70.0) {
            let value = RichText::new(format!("{:>8}", quantity(value, shown.unit)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(value.monospace().size(11.0).color(colors.text));
            });
        }
    });
}

/// Angles and bare numbers take no prefixes.
fn quantity(value: f64, unit: &str) -> String {
    match unit {
        unit if angles::is_unit(unit) => angles::said(value, unit),
        "" => format!("{value:.1}"),
        _ => with_unit(value, unit),
    }
}
