//! The table of the samples, whose columns can be chosen.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Label, Layout, PopupCloseBehavior, RichText, ScrollArea, Sense, Ui};
use egui_extras::{Column, TableBuilder};
use lucide_icons::Icon;

use super::{Analyse, units};
use crate::widgets::{angles::Angles, icon, named, theme};
use delassus_session::analysis::{AnalysedMechanism, QuantityInfo};

/// The heights of a row and of the header, points.
const ROW: f32 = 18.0;
const HEAD: f32 = 30.0;
/// The width of a column, points.
const COLUMN: f32 = 92.0;
/// The largest height of the menu that chooses columns, points.
const CHOOSER: f32 = 320.0;

/// The columns that are shown: the chosen ones, or by default those of the table of `delassus analyse`.
pub(super) fn columns<'a>(state: &Analyse, shown: &'a AnalysedMechanism) -> Vec<&'a QuantityInfo> {
    let is_shown = |info: &&QuantityInfo| match &state.columns {
        Some(chosen) => chosen.contains(&info.quantity),
        None => info.is_usual,
    };
    shown.quantities.iter().filter(is_shown).collect()
}

pub(super) fn show(ui: &mut Ui, state: &mut Analyse) {
    let Some(shown) = state.shown.clone() else { return };
    let Ok(analysis) = &shown.result else { return };
    chooser(ui, state, &shown);
    let (colors, angles) = (theme::colors(ui.visuals()), Angles::of(ui.ctx()));
    let (at, columns) = (state.sample(), columns(state, &shown));
    let mut clicked = None;
    ScrollArea::horizontal().id_salt("samples").auto_shrink([false, false]).show(ui, |ui| {
        let table = TableBuilder::new(ui)
            .id_salt("samples")
            .striped(true)
            .min_scrolled_height(0.0)
            .sense(Sense::click())
            .cell_layout(Layout::right_to_left(Align::Center))
            .columns(Column::exact(COLUMN).clip(true), columns.len());
        let table = table.header(HEAD, |mut header| {
            for info in &columns {
                header.col(|ui| {
                    let (_, unit) = units::shown(info.unit, angles);
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        ui.with_layout(Layout::top_down(Align::Max), |ui| {
                            let text = RichText::new(&info.name).small().color(colors.text);
                            ui.add(Label::new(text).truncate()).on_hover_text(&info.name);
                            let size = if unit == "°" { 14.0 } else { 11.0 };
                            ui.label(RichText::new(unit).size(size).color(colors.weak));
                        });
                    });
                });
            }
        });
        table.body(|body| {
            body.rows(ROW, analysis.samples.len(), |mut row| {
                let index = row.index();
                row.set_selected(index == at);
                for info in &columns {
                    row.col(|ui| {
                        let text = units::number(info.quantity.of(&analysis.samples[index]), info.unit, angles);
                        let text = RichText::new(text).monospace().size(11.5).color(colors.text);
                        ui.add(Label::new(text).selectable(false).extend());
                    });
                }
                if row.response().clicked() {
                    clicked = Some(index);
                }
            });
        });
    });
    if let Some(index) = clicked {
        state.point_at(index);
    }
}

/// The menu in which the columns are chosen.
fn chooser(ui: &mut Ui, state: &mut Analyse, shown: &AnalysedMechanism) {
    ui.horizontal(|ui| {
        // The menu stays open, so that several columns can be chosen one after the other.
        let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let button = MenuButton::new((icon(Icon::Table2), "Columns")).config(stays);
        let (response, _) = button.ui(ui, |ui| {
            let mut chosen: Vec<_> = columns(state, shown).iter().map(|info| info.quantity).collect();
            ScrollArea::vertical().max_height(CHOOSER).show(ui, |ui| {
                for info in &shown.quantities {
                    let mut on = chosen.contains(&info.quantity);
                    let response = ui.checkbox(&mut on, &info.name);
                    if named(response, &format!("Column {}", info.name)).changed() {
                        if on {
                            chosen.push(info.quantity)
                        } else {
                            chosen.retain(|one| *one != info.quantity)
                        }
                        state.columns = Some(chosen.clone());
                    }
                }
            });
            if ui.button("The usual columns").clicked() {
                state.columns = None;
            }
        });
        named(response, "Columns of the table").on_hover_text("What the table shows");
        let weak = theme::colors(ui.visuals()).weak;
        ui.add(Label::new(RichText::new("a click on a line moves the cursor there").small().color(weak)).truncate());
    });
}
