//! The rows of a form: label, reset mark, control, and the running world's value. One form edits one entry or many;
//! where those differ it shows a dash.

pub mod controls;
mod drafted;
pub mod entries;
pub mod field_visitor;
pub mod fields;
mod force_fields;
mod formula_fields;
mod group_fields;
mod joint_bounds;
pub mod joint_fields;
mod joint_visitor;
mod mass_fields;
mod mover_fields;
mod own_stabilization;
pub mod pattern_fields;
mod point_list;
mod profile_fields;
mod ranges;
pub mod rotation_fields;
mod rows_fields;
mod servo_fields;
pub mod setting_row;
mod shape_fields;
mod six_dof_fields;
pub mod spring_fields;
mod time_fields;
mod typed;

use std::collections::BTreeSet;

use egui::{Align, Label, Layout, RichText, TextStyle, Ui, vec2};
use glam::Vec3;
use lucide_icons::Icon;

pub use crate::editor::form::controls::*;
use crate::editor::form::controls::{third, three};
use crate::editor::form::field_visitor::Mixed;
pub use crate::editor::form::ranges::*;
use crate::widgets::angles::Angles;
use crate::widgets::number::component;
use crate::widgets::theme;
use crate::widgets::{self, mark_button};
use delassus_physics::angle::Angle;

/// A form under construction.
pub struct Form<'a> {
    mixed: &'a Mixed,
    /// Fields that were set, even to the shown entry's own value: the other entries take it over.
    touched: BTreeSet<String>,
}

impl<'a> Form<'a> {
    /// A form of entries that differ in `mixed`.
    pub fn new(mixed: &'a Mixed) -> Self {
        Self { mixed, touched: BTreeSet::new() }
    }

    /// The fields that were set; see [`Form::touch`].
    pub fn touched(self) -> BTreeSet<String> {
        self.touched
    }

    /// Records that the field was set, even to the same value.
    pub fn touch(&mut self, path: &str) {
        self.touched.insert(path.to_owned());
    }

    /// Whether the entries differ in this field.
    pub fn mixed(&self, path: &str) -> bool {
        self.mixed.is(path)
    }

    /// A row: its label, the mark if the value is not `default`, and the control, which says whether it was used.
    pub fn row<T: Clone + PartialEq>(
        &mut self,
        ui: &mut Ui,
        label: &str,
        path: &str,
        value: &mut T,
        default: Option<T>,
        control: impl FnOnce(&mut Ui, &mut T, &dyn Fn(&str) -> bool) -> bool,
    ) {
        self.named_row(ui, (label, label.trim()), path, value, default, control);
    }

    /// A row whose label differs from its name.
    fn named_row<T: Clone + PartialEq>(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut T,
        default: Option<T>,
        control: impl FnOnce(&mut Ui, &mut T, &dyn Fn(&str) -> bool) -> bool,
    ) {
        let mixed = self.mixed;
        let mut reset = None;
        ui.horizontal(|ui| {
            let width = label_width(ui);
            ui.allocate_ui_with_layout(vec2(width, theme::ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(width);
                ui.set_max_width(width);
                ui.spacing_mut().item_spacing.x = 2.0;
                reset = default.filter(|default| *value != *default || mixed.any(path));
                let room = width - if reset.is_some() { 20.0 } else { 0.0 };
                let colors = theme::colors(ui.visuals());
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(Label::new(RichText::new(label).color(colors.weak)).truncate());
                });
                reset = reset.take().filter(|_| {
                    let name = format!("Reset {name}");
                    mark_button(ui, Icon::Undo2, colors.accent, &name, "Back to the default").clicked()
                });
            });
            let used = ui.push_id(path, |ui| control(ui, value, &|part| mixed.is(&format!("{path}{part}")))).inner;
            if used && mixed.any(path) {
                self.touched.insert(path.to_owned());
            }
        });
        if let Some(default) = reset {
            *value = default;
            self.touched.insert(path.to_owned());
        }
    }

    /// A number; `now` is its value in the running world.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn number(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut f32,
        default: Option<f32>,
        range: &DragRange,
        now: Option<f32>,
    ) {
        self.row(ui, label, path, value, default, |ui, value, mixed| {
            let used = quantity(ui, value, mixed(""), range, name);
            now_is(ui, now.map(|now| in_words(ui, now, range)));
            used
        });
    }

    /// An angle; the range is in degrees, `now` is in radians.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn angle(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut Angle,
        default: Option<Angle>,
        range: &DragRange,
        now: Option<f32>,
    ) {
        self.row(ui, label, path, value, default, |ui, value, mixed| {
            let used = angle(ui, value, mixed(""), range, name);
            let angles = Angles::of(ui.ctx());
            now_is(ui, now.map(|now| angles.words(now)));
            used
        });
    }

    /// Three numbers; `now` is shown below them.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn vector(
        &mut self,
        ui: &mut Ui,
        label: &str,
        path: &str,
        value: &mut Vec3,
        default: Option<Vec3>,
        range: &DragRange,
        now: Option<Vec3>,
    ) {
        let mut touched = Vec::new();
        let name = label.trim();
        let (range, factor) = &range.shown(Angles::of(ui.ctx()));
        let now = now.map(|now| now * *factor);
        // Long units are shown in the tooltip only.
        let short_unit = range.unit.split(':').next().filter(|unit| unit.len() < 6);
        let label = short_unit.map_or_else(|| label.to_owned(), |unit| format!("{label}, {unit}"));
        self.named_row(ui, (&label, name), path, value, default, |ui, value, mixed| {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let mut shown = *value * *factor;
                let before = shown;
                let [x, y, z] = [&mut shown.x, &mut shown.y, &mut shown.z];
                let parts = [(x, ".x"), (y, ".y"), (z, ".z")];
                for (part, part_name) in three(ui, parts, mixed, range, name) {
                    if part {
                        touched.push(part_name);
                    }
                }
                // Unchanged components keep their exact value.
                let changed = shown.cmpne(before);
                *value = Vec3::select(changed, shown / *factor, *value);
                if let Some(now) = now {
                    below(ui, now);
                }
            });
            false
        });
        for part in touched {
            let part = format!("{path}{part}");
            if self.mixed.is(&part) {
                self.touched.insert(part);
            }
        }
    }

    /// A switch.
    pub fn switch(&mut self, ui: &mut Ui, label: &str, path: &str, value: &mut bool, default: Option<bool>, tip: &str) {
        self.row(ui, label, path, value, default, |ui, value, mixed| {
            let used = widgets::switch(ui, value, label.trim()).on_hover_text(tip).changed();
            if mixed("") {
                dash(ui);
            }
            used
        });
    }

    /// A switch for an optional value, with its initial value.
    pub fn optional<T: Clone + PartialEq>(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut Option<T>,
        begins: T,
        now: Option<String>,
    ) {
        self.row(ui, label, path, value, None, |ui, value, mixed| {
            let mut on = value.is_some();
            let used = widgets::switch(ui, &mut on, name).changed();
            if used {
                *value = on.then_some(begins);
            }
            if mixed("") {
                dash(ui);
            }
            now_is(ui, now);
            used
        });
    }

    /// A choice among alternatives.
    pub fn choice<T: Clone + PartialEq>(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut T,
        default: Option<T>,
        choices: &[(T, &str)],
    ) {
        self.row(ui, label, path, value, default, |ui, value, mixed| choose(ui, name, value, mixed(""), choices));
    }
}

/// The width of the labels' column.
fn label_width(ui: &Ui) -> f32 {
    (ui.available_width() * 0.35).clamp(94.0, 132.0)
}

fn dash(ui: &mut Ui) {
    let weak = theme::colors(ui.visuals()).weak;
    ui.label(RichText::new("mixed").small().color(weak));
}

/// The running world's value beside the control.
pub fn now_is(ui: &mut Ui, now: Option<String>) {
    if let Some(now) = now {
        let weak = theme::colors(ui.visuals()).weak;
        let text = RichText::new(format!("now {now}")).small().color(weak);
        ui.add(Label::new(text).truncate()).on_hover_text("In the running world");
    }
}

/// The running world's values below three fields.
fn below(ui: &mut Ui, now: Vec3) {
    let width = third(ui);
    let weak = theme::colors(ui.visuals()).weak;
    let at = ui.cursor().left_top() + vec2(-8.0, 6.5);
    ui.painter().text(at, egui::Align2::RIGHT_CENTER, "now", TextStyle::Small.resolve(ui.style()), weak);
    ui.spacing_mut().interact_size.y = 13.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for value in now.to_array() {
            ui.allocate_ui_with_layout(vec2(width, 13.0), Layout::top_down(Align::Center), |ui| {
                ui.set_width(width);
                let text = RichText::new(component(value).trim_start()).small().color(weak);
                ui.add(Label::new(text).truncate());
            });
        }
    })
    .response
    .on_hover_text("Now, in the running world");
}
