//! The rows of a form: label, the mark that takes a field back to its default, the control, and what the running world
//! says of the same thing. One form edits one entry or many: where those differ a dash stands for the value.

use std::cell::Cell;
use std::collections::BTreeSet;

use egui::{Align, ComboBox, DragValue, Label, Layout, Response, RichText, TextEdit, TextStyle, Ui, vec2};
use glam::Vec3;
use lucide_icons::Icon;

use super::leaves::Mixed;
use crate::physics::angle::Angle;
use crate::physics::joints::UNBOUNDED;
use crate::ui::number::{component, with_unit};
use crate::ui::theme;
use crate::ui::widgets::{self, mark_button, named};

/// A number's unit and range, and what a point of dragging adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub unit: &'static str,
    pub min: f32,
    pub max: f32,
    pub speed: f32,
}

impl Scale {
    pub const fn new(unit: &'static str, min: f32, max: f32, speed: f32) -> Self {
        Self { unit, min, max, speed }
    }
}

/// A place, m.
pub const PLACE: Scale = Scale::new("m", -1e5, 1e5, 0.01);
/// A size, m.
pub const SIZE: Scale = Scale::new("m", 1e-3, 1e3, 0.01);
/// A velocity and a spin.
pub const SPEED: Scale = Scale::new("m/s", -1e5, 1e5, 0.05);
pub const SPIN: Scale = Scale::new("rad/s", -1e5, 1e5, 0.05);
/// A direction of any length.
pub const DIRECTION: Scale = Scale::new("of any length", -1e5, 1e5, 0.01);
pub const DEGREES: Scale = Scale::new("°", -720.0, 720.0, 0.5);
/// A share or ratio, and a friction coefficient.
pub const UNIT: Scale = Scale::new("", 0.0, 1.0, 0.01);
pub const COEFFICIENT: Scale = Scale::new("", 0.0, 1e3, 0.01);
pub const LEVER: Scale = Scale::new("m", 0.0, 1e3, 0.001);

/// A form in the making.
pub struct Form<'a> {
    mixed: &'a Mixed,
    /// Fields that were set to what the shown entry had already: the others take it over.
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

    /// Notes that the field was set, whatever it was before.
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

    /// A row whose label says more than its name.
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

    /// A number; `now` is the same in the running world.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn number(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut f32,
        default: Option<f32>,
        scale: &Scale,
        now: Option<f32>,
    ) {
        self.row(ui, label, path, value, default, |ui, value, mixed| {
            let used = number(ui, value, mixed(""), scale, name).changed();
            now_is(ui, now.map(|now| with_unit(f64::from(now), scale.unit)));
            used
        });
    }

    /// An angle, in degrees.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn angle(
        &mut self,
        ui: &mut Ui,
        (label, name): (&str, &str),
        path: &str,
        value: &mut Angle,
        default: Option<Angle>,
        scale: &Scale,
        now: Option<f32>,
    ) {
        self.row(ui, label, path, value, default, |ui, value, mixed| {
            let used = degrees(ui, value, mixed(""), scale, name);
            now_is(ui, now.map(in_degrees));
            used
        });
    }

    /// Three numbers; `now` stands below them.
    #[expect(clippy::too_many_arguments, reason = "a row is said in one line where it is asked for")]
    pub fn vector(
        &mut self,
        ui: &mut Ui,
        label: &str,
        path: &str,
        value: &mut Vec3,
        default: Option<Vec3>,
        scale: &Scale,
        now: Option<Vec3>,
    ) {
        let mut touched = Vec::new();
        let name = label.trim();
        // A long unit is for the tooltip alone.
        let short_unit = scale.unit.split(':').next().filter(|unit| unit.len() < 6);
        let label = short_unit.map_or_else(|| label.to_owned(), |unit| format!("{label}, {unit}"));
        self.named_row(ui, (&label, name), path, value, default, |ui, value, mixed| {
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let [x, y, z] = [&mut value.x, &mut value.y, &mut value.z];
                let parts = [(x, ".x"), (y, ".y"), (z, ".z")];
                for (part, part_name) in three(ui, parts, mixed, scale, name) {
                    if part {
                        touched.push(part_name);
                    }
                }
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

    /// A switch for what may be left out; what it begins with when it is switched on.
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

    /// One of several.
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

/// The least width of a number's field, so that they make a column.
const NUMBER_WIDTH: f32 = 76.0;

/// The width of the labels' column.
fn label_width(ui: &Ui) -> f32 {
    (ui.available_width() * 0.35).clamp(94.0, 132.0)
}

fn dash(ui: &mut Ui) {
    let weak = theme::colors(ui.visuals()).weak;
    ui.label(RichText::new("mixed").small().color(weak));
}

/// What the running world says, beside the control.
pub fn now_is(ui: &mut Ui, now: Option<String>) {
    if let Some(now) = now {
        let weak = theme::colors(ui.visuals()).weak;
        let text = RichText::new(format!("now {now}")).small().color(weak);
        ui.add(Label::new(text).truncate()).on_hover_text("In the running world");
    }
}

/// An angle in words: `12.3°`.
pub fn in_degrees(radians: f32) -> String {
    let value = radians.to_degrees();
    // −0.04 would read −0.0.
    let value = if value.abs() < 0.05 { 0.0 } else { value };
    format!("{value:.1}°").replace('-', "−")
}

/// The width of one of three fields side by side.
fn third(ui: &Ui) -> f32 {
    ((ui.available_width() - 6.0) / 3.0).max(30.0)
}

/// Three fields side by side; which of them were used.
fn three<'n>(
    ui: &mut Ui,
    parts: [(&mut f32, &'n str); 3],
    mixed: &dyn Fn(&str) -> bool,
    scale: &Scale,
    name: &str,
) -> Vec<(bool, &'n str)> {
    let width = third(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().button_padding.x = 2.0;
        ui.spacing_mut().interact_size.x = width;
        let each = |(value, part): (&mut f32, &'n str)| {
            let axis = part.trim_start_matches('.');
            let tip = format!("{name} {axis}, {}: {}", scale.unit, written(*value));
            let field = field(ui, value, mixed(part), scale, "", short).on_hover_text(tip);
            (named(field, &format!("{name} {axis}")).changed(), part)
        };
        parts.map(each).into_iter().collect()
    })
    .inner
}

/// A vector's three fields without a row of their own; true if any was used.
pub fn triple(ui: &mut Ui, value: &mut Vec3, mixed: bool, scale: &Scale, name: &str) -> bool {
    let parts = [(&mut value.x, ".x"), (&mut value.y, ".y"), (&mut value.z, ".z")];
    three(ui, parts, &|_| mixed, scale, name).iter().any(|(used, _)| *used)
}

/// What the running world says, under three fields.
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

/// A number with its unit in the field.
pub fn number(ui: &mut Ui, value: &mut f32, mixed: bool, scale: &Scale, name: &str) -> Response {
    let suffix = if scale.unit.is_empty() { String::new() } else { format!(" {}", scale.unit) };
    let tip = format!("{name}, {} to {}{suffix}", written(scale.min), written(scale.max));
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
            field(ui, value, mixed, scale, if mixed { "" } else { &suffix }, written)
        })
        .inner;
    named(response.on_hover_text(tip), name)
}

fn field(ui: &mut Ui, value: &mut f32, mixed: bool, scale: &Scale, suffix: &str, words: fn(f32) -> String) -> Response {
    let before = *value;
    let typed = Cell::new(false);
    let parse = |text: &str| {
        let text = text.trim();
        if !mixed && text == words(before) {
            // What is shown may have fewer digits than what is meant.
            return Some(f64::from(before));
        }
        let number = text.replace('−', "-").replace(',', ".").parse::<f64>().ok().filter(|v| v.is_finite());
        typed.set(number.is_some());
        number
    };
    let drag = DragValue::new(value)
        .speed(scale.speed)
        .range(scale.min..=scale.max)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .suffix(suffix)
        .custom_formatter(|v, _| if mixed { "—".into() } else { words(v as f32) })
        .custom_parser(parse);
    let mut response = ui.add(drag);
    if mixed && typed.get() {
        response.mark_changed();
    }
    response
}

/// An angle as degrees; true if it was used.
pub fn degrees(ui: &mut Ui, angle: &mut Angle, mixed: bool, scale: &Scale, name: &str) -> bool {
    let mut value = angle.degrees();
    let used = number(ui, &mut value, mixed, scale, name).changed();
    if used {
        *angle = Angle::Degrees(value);
    }
    used
}

/// One of several; true if one was chosen.
pub fn choose<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    mixed: bool,
    choices: &[(T, &str)],
) -> bool {
    let shown = choices.iter().find(|(choice, _)| *choice == *value && !mixed).map_or("—", |(_, words)| words);
    let mut used = false;
    let combo = ComboBox::from_id_salt(name).width(ui.available_width()).truncate().selected_text(shown);
    let response = combo.show_ui(ui, |ui| {
        for (choice, words) in choices {
            if ui.selectable_label(*choice == *value && !mixed, *words).clicked() {
                value.clone_from(choice);
                used = true;
            }
        }
    });
    named(response.response, name);
    used
}

/// A line of text, or several, taken over when the field is left; `None` until then, and after Escape.
pub fn text(ui: &mut Ui, now: &str, name: &str, lines: usize) -> Option<String> {
    let id = ui.scope_id().with(("draft", name));
    let mut draft = ui.data_mut(|data| data.get_temp::<String>(id)).unwrap_or_else(|| now.to_owned());
    let width = ui.available_width();
    let edit =
        if lines > 1 { TextEdit::multiline(&mut draft).desired_rows(lines) } else { TextEdit::singleline(&mut draft) };
    let response = named(ui.add(edit.desired_width(width)), name);
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, draft));
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    let kept = response.lost_focus() && !ui.input(|i| i.key_pressed(egui::Key::Escape));
    Some(draft.trim().to_owned()).filter(|draft| kept && draft != now)
}

/// Up to four decimals; what no motor reaches is no limit.
pub fn written(value: f32) -> String {
    if value >= UNBOUNDED { "no limit".into() } else { digits(value, 4) }
}

/// Six characters at most, for three fields side by side.
fn short(value: f32) -> String {
    let whole = value.abs().max(1.0).log10() as usize;
    digits(value, 3usize.saturating_sub(whole))
}

fn digits(value: f32, decimals: usize) -> String {
    let size = value.abs();
    let text = if size >= 1e5 || (size > 0.0 && size < 0.5 * 0.1f32.powi(decimals as i32)) {
        format!("{value:.2e}")
    } else {
        let text = format!("{value:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    if text == "-0" { "0".into() } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_fields_are_short_and_say_what_they_are() {
        assert_eq!([1.0, -0.125, 12.345_6, 0.0, -0.0].map(written), ["1", "−0.125", "12.3456", "0", "0"]);
        assert_eq!([1e-5, 2.5e6, UNBOUNDED].map(written), ["1.00e−5", "2.50e6", "no limit"]);
        for value in [1.234_5, -12.345, 123.456, -1234.5, 99_999.0, -0.001] {
            assert!(short(value).chars().count() <= 6, "{}", short(value));
        }
    }
}
