//! A plot's title and its menu: what is plotted, against what, on which scale, where the plot is placed, and to which
//! file it is exported. Changes that the scene does not store stay with the window; all others are edits of the
//! scene's plots.

use egui::{RichText, ScrollArea, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use super::{Plots, figure, shown::ShownPlot, strips::STRIPS};
use crate::{
    request::{Request, ask},
    selection::Selection,
    view::View,
    widgets::{angles::Angles, icon_sized, named, theme},
};
use delassus_scene::{MAX_CURVES, MAX_PLOTS, Plot, PlotScale};
use delassus_session::columns::ColumnHeading;
use delassus_session::contact::pair_name;
use delassus_session::{Edit, Element, Quantity};

const SCALES: [(PlotScale, &str, &str); 3] = [
    (PlotScale::Full, "All values and zero", "The axis includes every value, and zero"),
    (PlotScale::Robust, "Without outliers", "From the 2nd to the 98th percentile of the values"),
    (PlotScale::Logarithmic, "Decades", "A logarithmic axis; values that are not above zero are left out"),
];

/// Requests an edit of the list of plots. From then on the scene stores the list.
struct PlotsEdit<'a> {
    plots: &'a [Plot],
    slot: usize,
    out: &'a mut Vec<Request>,
}

impl PlotsEdit<'_> {
    fn change(&mut self, change: impl FnOnce(&mut Vec<Plot>)) {
        let mut plots = self.plots.to_vec();
        change(&mut plots);
        ask(Edit::Element(Element::Plots(plots)), self.out);
    }

    fn change_this(&mut self, change: impl FnOnce(&mut Plot)) {
        let slot = self.slot;
        self.change(|plots| change(&mut plots[slot]));
    }
}

#[expect(clippy::too_many_arguments, reason = "the plot, what it may show, and where its requests go")]
pub(super) fn show(
    ui: &mut Ui,
    slot: usize,
    shown: &ShownPlot,
    plots: &[Plot],
    view: &View<'_>,
    selection: &Selection,
    state: &mut Plots,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    ui.scope(|ui| {
        ui.spacing_mut().button_padding = vec2(3.0, 0.0);
        egui::containers::menu::menu_style(ui.style_mut());
        let available = (ui.available_width() - 24.0).max(40.0);
        let title = ui.painter().layout_no_wrap(shown.title.clone(), egui::FontId::proportional(13.5), colors.strong);
        // A long title is truncated to leave room for the plot.
        let words = match title.size().x > available {
            true => {
                let share = available / title.size().x;
                let length = ((shown.title.chars().count() as f32 * share) as usize).saturating_sub(2).max(3);
                format!("{}…", shown.title.chars().take(length).collect::<String>())
            }
            false => shown.title.clone(),
        };
        let title = RichText::new(words).color(colors.strong);
        let config =
            egui::containers::menu::MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let button =
            egui::containers::menu::MenuButton::new((title, icon_sized(Icon::ChevronDown, 11.0).color(colors.weak)));
        let (response, _) = button.config(config).ui(ui, |ui| {
            ui.set_min_width(210.0);
            let mut edit = PlotsEdit { plots, slot, out };
            // A menu is never taller than the window.
            let max_height = ui.ctx().content_rect().height() - 60.0;
            egui::ScrollArea::vertical()
                .max_height(max_height)
                .min_scrolled_height(max_height)
                .show(ui, |ui| menu(ui, shown, view, selection, state, &mut edit));
        });
        named(response, &format!("Plot {}: {}", slot + 1, shown.title))
            .on_hover_text("What is plotted; select a joint to plot its value and speed");
    });
}

fn menu(
    ui: &mut Ui,
    shown: &ShownPlot,
    view: &View<'_>,
    selection: &Selection,
    state: &mut Plots,
    edit: &mut PlotsEdit<'_>,
) {
    let has_plots = !view.scene.plots.is_empty();
    let slot = edit.slot;
    let watched = view.session.watched().and_then(|index| view.snapshot.joints.get(index));
    for (index, strip) in STRIPS.iter().enumerate() {
        let plot = strip.plot(watched.map(|joint| &*joint.name), view);
        let on = edit.plots[slot].curves == plot.curves;
        if ui.selectable_label(on, strip.title).clicked() {
            if has_plots {
                edit.change_this(|old| *old = plot)
            } else {
                state.chosen[slot] = Some(index)
            }
            ui.close();
        }
    }
    ui.separator();
    if !has_plots {
        if ui.selectable_label(state.chosen[slot].is_none(), "Suggested plots").clicked() {
            state.chosen[slot] = None;
            ui.close();
        }
        let tip = "Saved with the scene; they stay whatever is selected";
        if ui.button("Keep these plots in the scene").on_hover_text(tip).clicked() {
            edit.change(|_| {});
            ui.close();
        }
    }
    let words = if state.large.is_some() { "All plots again" } else { "Enlarge this plot" };
    if ui.button(words).on_hover_text("The button at its right does the same").clicked() {
        state.toggle_large(slot);
        ui.close();
    }
    ui.menu_button("Curves", |ui| curves(ui, view, selection, state, edit));
    ui.menu_button("Against", |ui| against(ui, view, selection, state, edit));
    ui.menu_button("Scale", |ui| {
        for (scale, words, tip) in SCALES {
            if ui.selectable_label(shown.scale == scale, words).on_hover_text(tip).clicked() {
                edit.change_this(|plot| plot.scale = scale);
                ui.close();
            }
        }
    });
    let count = edit.plots.len();
    if count < MAX_PLOTS
        && ui.button("Another plot").on_hover_text("Adds a plot, which shows the energy at first").clicked()
    {
        edit.change(|plots| plots.insert(slot + 1, STRIPS[0].plot(None, view)));
        ui.close();
    }
    for (words, other) in [("Move left", slot.checked_sub(1)), ("Move right", Some(slot + 1).filter(|at| *at < count))]
    {
        if let Some(other) = other
            && ui.button(words).clicked()
        {
            edit.change(|plots| plots.swap(slot, other));
            state.large = state.large.map(|_| other);
            ui.close();
        }
    }
    if has_plots
        && ui.button("Remove this plot").on_hover_text("Without plots of its own, the window chooses some").clicked()
    {
        edit.change(|plots| drop(plots.remove(slot)));
        state.large = None;
        ui.close();
    }
    ui.separator();
    let is_zoomed = state.span.is_some();
    if ui
        .add_enabled(is_zoomed, egui::Button::new("Show the whole time"))
        .on_hover_text("A double click does the same")
        .clicked()
    {
        state.span = None;
        ui.close();
    }
    let set = state.cursors[0].is_some();
    let cursors = ui.add_enabled(set, egui::Button::new("Remove the cursors"));
    if cursors.on_disabled_hover_text("Shift+click in a plot sets one").clicked() {
        state.cursors = [None; 2];
        ui.close();
    }
    ui.separator();
    let angles = Angles::of(ui.ctx());
    for (words, plots) in [("Save this plot…", &edit.plots[slot..=slot]), ("Save all plots…", edit.plots)] {
        let tip = "As a picture (.png, .svg) or a table (.csv), as the file's name ends";
        if ui.button(words).on_hover_text(tip).clicked() {
            let figure = figure::of(plots, view, state, angles);
            edit.out.push(Request::FigureDialog(Box::new(figure)));
            ui.close();
        }
    }
}

/// The curves of a plot: each can be removed, others added.
fn curves(ui: &mut Ui, view: &View<'_>, selection: &Selection, state: &mut Plots, edit: &mut PlotsEdit<'_>) {
    ui.set_min_width(230.0);
    let slot = edit.slot;
    let current = edit.plots[slot].curves.clone();
    for (index, text) in current.iter().enumerate() {
        let mut on = true;
        let last = current.len() == 1;
        let response = ui.add_enabled(!last, egui::Checkbox::new(&mut on, text.as_str()));
        if named(response, &format!("Curve {text}")).on_disabled_hover_text("A plot has at least one curve").clicked() {
            edit.change_this(|plot| drop(plot.curves.remove(index)));
        }
    }
    ui.separator();
    if current.len() < MAX_CURVES
        && let Some(text) = quantities(ui, view, selection, state)
        && !current.contains(&text)
    {
        edit.change_this(|plot| {
            // The title described the previous set of curves.
            plot.title.clear();
            plot.curves.push(text);
        });
    }
}

/// The quantity along the horizontal axis.
fn against(ui: &mut Ui, view: &View<'_>, selection: &Selection, state: &mut Plots, edit: &mut PlotsEdit<'_>) {
    ui.set_min_width(230.0);
    let current = edit.plots[edit.slot].against.clone();
    if ui.selectable_label(current.is_empty(), "Time").clicked() {
        edit.change_this(|plot| plot.against.clear());
    }
    if !current.is_empty() {
        let _ = ui.selectable_label(true, current.as_str());
    }
    ui.separator();
    if let Some(text) = quantities(ui, view, selection, state).filter(|text| *text != current) {
        edit.change_this(|plot| plot.against = text);
    }
}

/// A choice of all quantities: typed by name, of the run, and of the selection.
fn quantities(ui: &mut Ui, view: &View<'_>, selection: &Selection, state: &mut Plots) -> Option<String> {
    let colors = theme::colors(ui.visuals());
    let read = Quantity::read(&state.typed);
    let read = read.and_then(|read| match read.missing(view.snapshot) {
        Some(missing) => Err(missing),
        None => Ok(read),
    });
    let field = TextEdit::singleline(&mut state.typed).hint_text("bodies.box.z").desired_width(220.0);
    let response = named(ui.add(field), "Quantity").on_hover_text(
        "A column as in tables and conditions: of the run, of bodies.NAME, joints.NAME, rows.NAME.NUMBER, \
         contacts.A+B, or the difference of two: bodies.A.z - bodies.B.z",
    );
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    let mut chosen = None;
    match read {
        Ok(read) if entered => {
            chosen = Some(read.text().to_owned());
            state.typed.clear();
        }
        Err(wrong) if !state.typed.trim().is_empty() => {
            ui.add(egui::Label::new(RichText::new(wrong).small().color(colors.warn)).wrap());
        }
        _ => {}
    }
    let mut list = |ui: &mut Ui, title: &str, all: Vec<(String, ColumnHeading)>| {
        ui.menu_button(title, |ui| {
            ui.set_min_width(190.0);
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (text, heading) in all {
                    let mut words = heading.name.replace('_', " ");
                    if text.starts_with("rows.") {
                        let slot = text.rsplit('.').nth(1).unwrap_or_default().to_owned();
                        words = format!("row {slot} {words}");
                    }
                    let tip = format!("{}\n{text}", heading.what);
                    if named(ui.button(words), &text).on_hover_text(tip).clicked() {
                        chosen = Some(text);
                    }
                }
            });
        });
    };
    list(ui, "Of the run", Quantity::all_of_run().collect());
    for body in selection.bodies.iter().filter_map(|id| view.snapshot.body(*id)).take(6) {
        list(ui, &format!("Of {}", body.name), Quantity::all_of_body(&body.name).collect());
    }
    for name in touching(view, selection) {
        list(ui, &format!("Contacts of {}", name.replace('+', " and ")), Quantity::all_of_contacts(&name).collect());
    }
    for joint in selection.joints().filter_map(|index| view.snapshot.joints.get(index)).take(6) {
        list(ui, &format!("Of {}", joint.name), Quantity::all_of_joint(&joint.name).collect());
    }
    if selection.bodies.is_empty() && selection.joint.is_none() {
        ui.label(RichText::new("The quantities of the selection are listed here.").small().color(colors.weak));
    }
    chosen
}

/// Each selected body as a name for all its contacts, and up to five current contact pairs of it, in the notation of
/// contact quantities.
fn touching(view: &View<'_>, selection: &Selection) -> Vec<String> {
    let mut names = Vec::new();
    for body in selection.bodies.iter().filter_map(|id| view.snapshot.body(*id)).take(6) {
        let of_it = view.snapshot.contacts.iter().filter(|point| point.a == body.id || point.b == body.id);
        let before = names.len();
        for point in of_it {
            let name = pair_name(view.snapshot, point.a, point.b);
            if !names.contains(&name) && names.len() < before + 5 {
                names.push(name);
            }
        }
        if names.len() > before {
            names.insert(before, body.name.to_string());
        }
    }
    names
}
