//! All rows of the step as a table, and the chosen one as its equation.

use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, Ui, vec2};
use egui_extras::{Column, TableBuilder};
use lucide_icons::Icon;

use super::units::{self, Units};
use super::{equation, filter, is_selected, owner_name, select, table};
use crate::{
    selection::Selection,
    view::View,
    widgets::{self, number::with_unit, search_field, theme},
};
use delassus_lab::{BoundState, RowDetails, TracedStep};
use delassus_physics::row::{Owner, RowId};
use delassus_physics::world::World;

/// The sort key of the rows, largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// In the order of the sweeps.
    #[default]
    Order,
    Impulse,
    Share,
    Residual,
}

/// The state of the Rows tab.
#[derive(Default)]
pub struct Rows {
    pub search: String,
    pub sort: Sort,
    /// Show only the rows of the selection.
    pub selected_only: bool,
    pub chosen: Option<RowId>,
    /// The index of the moment that is shown; the last one if `None`.
    pub moment: Option<usize>,
}

const ROW: f32 = 18.0;
/// Width of the equation, points.
const EQUATION: f32 = 300.0;
/// From this width on a contact has its own column beside its equation, points.
const BROAD: f32 = 1240.0;
/// From this width on the table repeats the columns of the equation, points.
const WIDE: f32 = 880.0;
/// Below this width the table has only the most important columns, points.
const NARROW: f32 = 600.0;

pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    world: &World,
    traced: &TracedStep,
    state: &mut Rows,
    selection: &mut Selection,
) {
    let moment = state.moment.unwrap_or(traced.last()).min(traced.last());
    let shown = shown(traced, state, view, selection, moment);
    bar(ui, traced, state, moment, shown.len(), view, selection);
    let room = ui.available_size();
    let chosen = state.chosen.and_then(|id| traced.rows.iter().find(|row| row.id == id));
    // A contact has its own column if there is room for it.
    let columns = match chosen {
        None => 0.0,
        Some(row) if room.x > BROAD && matches!(row.owner, Owner::Contact(_)) => 2.0,
        Some(_) => 1.0,
    };
    let table = room.x - columns * (EQUATION + 12.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        ui.allocate_ui_with_layout(vec2(table, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(table, room.y));
            if let Some(why) = why_empty(&shown, traced, state, view, selection) {
                ui.add_space(8.0);
                ui.add(Label::new(RichText::new(why).weak()).wrap());
                return;
            }
            ScrollArea::horizontal().id_salt("rows across").show(ui, |ui| {
                list(ui, traced, state, moment, &shown, view, selection);
            });
        });
        let Some(row) = chosen else { return };
        column(ui, "equation", room.y, |ui| {
            let owner = owner_name(row.owner, (row.a, row.b), view);
            equation::show(ui, traced, row, moment, &owner);
            if columns < 2.0 {
                equation::contact(ui, world, traced, row);
            }
        });
        if columns > 1.0 {
            column(ui, "contact", room.y, |ui| equation::contact(ui, world, traced, row));
        }
    });
}

/// Why no row is shown, if there is none.
fn why_empty(
    shown: &[usize],
    traced: &TracedStep,
    state: &Rows,
    view: &View<'_>,
    selection: &Selection,
) -> Option<String> {
    if !shown.is_empty() {
        return None;
    }
    let asleep = |id: u32| view.snapshot.body(id).is_some_and(|body| body.asleep);
    let ends = |joint: usize| view.snapshot.joints.get(joint).map(|joint| [joint.a, joint.b]);
    let mut chosen = selection.bodies.iter().copied().chain(selection.joints().filter_map(ends).flatten());
    let sleepers = view.snapshot.bodies.iter().filter(|body| body.asleep).count();
    let dream = "sleeping bodies make no rows and keep their impulses. Pull one, or switch Sleeping off.";
    Some(if state.selected_only && chosen.any(asleep) {
        format!("The selection is asleep: {dream}")
    } else if traced.rows.is_empty() && sleepers > 0 {
        format!(
            "Everything that would have rows is asleep ({}): {dream}",
            widgets::number::counted(sleepers, "body", "bodies")
        )
    } else if traced.rows.is_empty() {
        "The next step has no rows: no joint holds and nothing touches.".to_owned()
    } else if state.selected_only && !state.search.trim().is_empty() {
        "No row of the selection fits the search.".to_owned()
    } else if state.selected_only {
        "The selection has no rows in the next step: nothing touches it and no joint holds it.".to_owned()
    } else {
        "No row fits the search.".to_owned()
    })
}

/// A column beside the table.
fn column(ui: &mut Ui, name: &str, height: f32, contents: impl FnOnce(&mut Ui)) {
    let room = vec2(EQUATION, height);
    ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
        ui.set_min_size(room);
        ScrollArea::vertical().id_salt(name).show(ui, contents);
    });
}

/// Indices of the rows that pass the search and the filter, in the chosen order.
fn shown(traced: &TracedStep, state: &Rows, view: &View<'_>, selection: &Selection, moment: usize) -> Vec<usize> {
    let (search, limits) = filter::read(&state.search);
    let nothing = selection.joint.is_none() && selection.bodies.is_empty();
    let fits = |row: &RowDetails| {
        let chosen = !state.selected_only || nothing || is_selected(row.owner, (row.a, row.b), selection);
        let name = || format!("{} {} {}", owner_name(row.owner, (row.a, row.b), view), row.part(), row.bounded.word());
        chosen && (search.is_empty() || name().to_lowercase().contains(&search))
    };
    let now = &traced.trace.moments[moment];
    let size = |of: Sort, index: usize| match of {
        Sort::Order => 0.0,
        Sort::Impulse => now.impulses[index].abs(),
        Sort::Share => traced.rows[index].share().unwrap_or(-1.0),
        Sort::Residual => now.residuals[index].abs(),
    };
    let within = |index: usize| {
        let keeps = |limit: &filter::Limit| match limit.least {
            true => size(limit.of, index) >= limit.value,
            false => size(limit.of, index) <= limit.value,
        };
        limits.iter().all(keeps)
    };
    let fitting = traced.rows.iter().filter(|row| fits(row) && within(row.index));
    let mut shown: Vec<usize> = fitting.map(|row| row.index).collect();
    shown.sort_by(|a, b| size(state.sort, *b).total_cmp(&size(state.sort, *a)));
    shown
}

/// The bar with search, filter, moment and export.
fn bar(
    ui: &mut Ui,
    traced: &TracedStep,
    state: &mut Rows,
    moment: usize,
    count: usize,
    view: &View<'_>,
    selection: &Selection,
) {
    let colors = theme::colors(ui.visuals());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let wide = if ui.available_width() < NARROW { 120.0 } else { 190.0 };
        ui.allocate_ui(vec2(wide, 22.0), |ui| search_field(ui, &mut state.search, "Search the rows"))
            .response
            .on_hover_text(
                "Words, and bounds of numbers in SI units, with commas between: hook, r > 1e-3, λ > 0.1, bound > 50 %",
            );
        let tip = "Only the rows of the selected joints or bodies";
        if widgets::icon_toggle(ui, Icon::MousePointer2, state.selected_only, "Rows of the selection", tip).clicked() {
            state.selected_only = !state.selected_only;
        }
        let tip = "Copy these rows as CSV, with J";
        if widgets::icon_button(ui, Icon::Copy, "Copy the rows", tip).clicked() {
            let rows = shown(traced, state, view, selection, moment);
            ui.ctx().copy_text(table::csv(traced, &rows, moment, view));
        }
        let tip = "Copy these rows as text, as shown here";
        if widgets::icon_button(ui, Icon::ClipboardType, "Copy the rows as text", tip).clicked() {
            let rows = shown(traced, state, view, selection, moment);
            ui.ctx().copy_text(table::text(traced, &rows, moment, view));
        }
        // The moment: from the start over the sweeps to the end.
        let mut at = moment;
        let tip = "The moment within the step: the start, each sweep, the end";
        let slider = egui::Slider::new(&mut at, 0..=traced.last()).show_value(false);
        let slider = ui.add_enabled(traced.last() > 0, slider).on_hover_text(tip);
        widgets::named(slider, "Moment");
        if at != moment {
            state.moment = (at < traced.last()).then_some(at);
        }
        ui.add_sized(vec2(62.0, 18.0), Label::new(RichText::new(traced.moment(moment)).color(colors.text)));
        let rows = widgets::number::counted(count, "row", "rows");
        let text = format!("{rows} · step {}, the next", traced.step);
        ui.label(RichText::new(text).small().color(colors.weak));
    });
}

fn list(
    ui: &mut Ui,
    traced: &TracedStep,
    state: &mut Rows,
    moment: usize,
    shown: &[usize],
    view: &View<'_>,
    selection: &mut Selection,
) {
    let colors = theme::colors(ui.visuals());
    let (wide, narrow) = (ui.available_width() > WIDE, ui.available_width() < NARROW);
    let now = &traced.trace.moments[moment];
    let mut clicked = None;
    let table = TableBuilder::new(ui)
        .id_salt("rows")
        .striped(true)
        // By default the table would be higher than a low dock.
        .min_scrolled_height(0.0)
        .sense(Sense::click())
        .cell_layout(Layout::left_to_right(Align::Center))
        .column(Column::remainder().range(90.0..=240.0).clip(true))
        .column(Column::exact(80.0).clip(true))
        .columns(Column::exact(92.0), usize::from(wide))
        .columns(Column::exact(84.0), if wide { 2 } else { 0 })
        .columns(Column::exact(84.0), if narrow { 1 } else { 2 })
        .column(Column::exact(80.0))
        .columns(Column::exact(46.0), usize::from(!narrow))
        .column(Column::exact(64.0));
    let table = table.header(20.0, |mut header| {
        let mut head = |text: &str, tip: &str, sort: Option<Sort>| {
            header.col(|ui| {
                let on = sort.is_some_and(|sort| sort == state.sort);
                let color = if on { colors.accent } else { colors.weak };
                let text = RichText::new(text).small().color(color);
                let label = Label::new(text).selectable(false);
                let label = if sort.is_some() { label.sense(Sense::click()) } else { label };
                let response = ui.add(label).on_hover_text(tip);
                if let Some(sort) = sort
                    && widgets::named(response, &format!("Sort by {tip}")).clicked()
                {
                    state.sort = sort;
                }
            });
        };
        head("of", "the order of the sweeps", Some(Sort::Order));
        head("row", "what the row is for", None);
        if wide {
            head("K", "how much the row's speed changes for an impulse of 1", None);
            head("b", "the speed asked of the row, and the part of its error that is fed back", None);
            head("λ warm", "the impulse that it started with", None);
        }
        head("λ", "the impulse", Some(Sort::Impulse));
        if !narrow {
            head("λ/h", "the force or torque", None);
        }
        head("residual", "the residual", Some(Sort::Residual));
        if !narrow {
            head("bound", "the share of its bound", Some(Sort::Share));
        }
        head("", "how it ended", None);
    });
    table.body(|body| {
        body.rows(ROW, shown.len(), |mut line| {
            let row = &traced.rows[shown[line.index()]];
            line.set_selected(state.chosen == Some(row.id));
            let (lambda, left) = (now.impulses[row.index], now.residuals[row.index]);
            let Units { speed, inverse, impulse, force, .. } = units::of(row);
            let text =
                |text: &str| Label::new(RichText::new(text).size(12.0).color(colors.text)).truncate().selectable(false);
            let number = |value: f32, unit: &str| {
                let text = RichText::new(with_unit(value.into(), unit)).size(12.0).color(colors.text);
                Label::new(text).selectable(false)
            };
            line.col(|ui| _ = ui.add(text(&owner_name(row.owner, (row.a, row.b), view))));
            line.col(|ui| _ = ui.add(text(&row.part())));
            if wide {
                line.col(|ui| _ = ui.add(text(&units::plain(row.k.into(), inverse))));
                line.col(|ui| _ = ui.add(number(row.bias, speed)));
                line.col(|ui| _ = ui.add(number(row.warm, impulse)));
            }
            line.col(|ui| _ = ui.add(number(lambda, impulse)));
            if !narrow {
                line.col(|ui| _ = ui.add(number(lambda / traced.trace.h, force)));
            }
            line.col(|ui| _ = ui.add(number(left, speed)));
            if !narrow {
                let share = row.share().map(|share| format!("{:.0} %", 100.0 * share)).unwrap_or_default();
                line.col(|ui| _ = ui.add(text(&share)));
            }
            line.col(|ui| {
                let color = match row.bounded {
                    BoundState::Holds => colors.good,
                    BoundState::Off | BoundState::Idle => colors.weak,
                    BoundState::Misses => colors.bad,
                    _ => colors.warn,
                };
                ui.add(Label::new(RichText::new(row.bounded.word()).size(12.0).color(color)).selectable(false));
            });
            if line.response().clicked() {
                clicked = Some(row);
            }
        });
    });
    if let Some(row) = clicked {
        let again = state.chosen == Some(row.id);
        state.chosen = (!again).then_some(row.id);
        if !again && !state.selected_only {
            select(&[(row.owner, row.a, row.b)], selection);
        }
    }
}
