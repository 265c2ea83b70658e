//! A row for one setting: label, a control that suits its domain, and a mark if it differs from the file. Works for
//! any setting: a line in `physics::settings` is enough.

use delassus_scene::Words as _;
use egui::{Align, ComboBox, DragValue, Id, Layout, Response, RichText, Slider, TextStyle, Ui, UiBuilder, vec2};
use glam::Vec3;
use lucide_icons::Icon;

use crate::widgets::{Segment, mark_button, named, segments, switch, theme};
use delassus_physics::setting::{Choices, Domain, Setting, Value};
use delassus_scene::{sources, words::ChoiceWords};

/// An action of the user in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingEdit {
    Set(Value),
    /// Back to the file's value.
    Reset,
}

/// An alternative that has no effect at the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocked {
    /// Its name in files.
    pub name: &'static str,
    /// The reason, a sentence.
    pub why: String,
}

/// Width of the number beside a slider.
const NUMBER_WIDTH: f32 = 74.0;

/// The sentence, unit, range, default and source, for the tooltip.
pub fn tooltip(ui: &mut Ui, setting: &Setting, file: Value) {
    let colors = theme::colors(ui.visuals());
    ui.set_max_width(360.0);
    let setting_words = setting.words();
    ui.label(RichText::new(setting_words.label).color(colors.strong).strong());
    ui.label(setting_words.what);
    if let Domain::Choice(choices) = setting.domain {
        for choice in choices.words() {
            ui.label(RichText::new(format!("{} — {}", choice.label, choice.what)).color(colors.weak));
        }
    }
    ui.add_space(2.0);
    let mut facts = vec![];
    if !matches!(setting.domain, Domain::Choice(_) | Domain::Switch) {
        facts.push(format!("range {}{}", setting.domain.describe(), unit_suffix(setting.unit)));
    }
    let default = (setting.get)(&delassus_physics::settings::Settings::default());
    facts.push(format!("default {}", words(setting, default)));
    if file != default {
        facts.push(format!("file {}", words(setting, file)));
    }
    ui.label(RichText::new(facts.join("  ·  ")).small().color(colors.weak));
    ui.label(
        RichText::new(format!("{}  ·  source: {}", setting.name, setting_words.source)).small().color(colors.weak),
    );
    for title in sources::titles(setting_words.source) {
        ui.label(RichText::new(title).small().color(colors.weak));
    }
}

/// A value as text.
pub fn words(setting: &Setting, value: Value) -> String {
    match (setting.domain, value) {
        (_, Value::Bool(on)) => if on { "on" } else { "off" }.into(),
        (Domain::Choice(choices), Value::Choice(name)) => label_of(choices, name).into(),
        (_, value) => format!("{value}{}", unit_suffix(setting.unit)),
    }
}

/// A scope whose controls keep their ids, and so the focus, whatever appears around them.
fn fixed<R>(ui: &mut Ui, id: (&str, &str), contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().scope_id(Id::unique(id)), contents).inner
}

/// One line: label, mark, control. Controls line up on the right; a choice that does not fit there is below the label.
pub fn row(ui: &mut Ui, setting: &Setting, now: Value, file: Value, blocked: Option<&Blocked>) -> Option<SettingEdit> {
    let mut edit = None;
    let (label_width, below) = columns(ui, setting);
    let contents = |ui: &mut Ui| {
        ui.allocate_ui_with_layout(vec2(label_width, theme::ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(label_width);
            ui.spacing_mut().item_spacing.x = 2.0;
            label(ui, setting, file);
            if now != file && mark(ui, setting, file).clicked() {
                edit = Some(SettingEdit::Reset);
            }
        });
        let set = fixed(ui, ("row", setting.name), |ui| control(ui, setting, now, blocked));
        edit = edit.or(set.map(SettingEdit::Set));
    };
    if below {
        ui.vertical(contents)
    } else {
        ui.horizontal(contents)
    };
    show_blocked(ui, now, blocked);
    edit
}

/// Explains why the chosen alternative has no effect.
fn show_blocked(ui: &mut Ui, now: Value, blocked: Option<&Blocked>) {
    if let Some(blocked) = blocked.filter(|blocked| now == Value::Choice(blocked.name)) {
        let text = RichText::new(&blocked.why).small().color(theme::colors(ui.visuals()).warn);
        ui.add(egui::Label::new(text).wrap());
    }
}

/// The width of a row's label, with room for its mark, and whether the control stands below it.
fn columns(ui: &Ui, setting: &Setting) -> (f32, bool) {
    /// Width of the longest label with its mark, and least width of a slider with its number, points.
    const LABEL: f32 = 138.0;
    const CONTROL: f32 = 126.0;
    /// Width of a drop-down beside its text.
    const AROUND: f32 = 36.0;
    let (room, gap) = (ui.available_width(), ui.spacing().item_spacing.x);
    let label = (room * 0.42).max(LABEL.min(room - gap - CONTROL));
    let font = TextStyle::Button.resolve(ui.style());
    let width = |words: &str| {
        let color = ui.visuals().text_color();
        ui.painter().layout_no_wrap(words.to_owned(), font.clone(), color).size().x
    };
    let fits = |choice: &ChoiceWords| width(choice.label) + AROUND <= room - gap - label;
    let below = matches!(setting.domain, Domain::Choice(choices) if !choices.words().iter().all(fits));
    (if below { room } else { label }, below)
}

/// Two lines: the label large with its mark, then the control over the whole width. For the switchboard.
pub fn large(
    ui: &mut Ui,
    setting: &Setting,
    title: &str,
    now: Value,
    file: Value,
    blocked: Option<&Blocked>,
) -> Option<SettingEdit> {
    let mut edit = None;
    fixed(ui, ("large", setting.name), |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.horizontal(|ui| {
            let colors = theme::colors(ui.visuals());
            let text = RichText::new(title).color(colors.strong).size(14.0);
            ui.label(text).on_hover_ui(|ui| tooltip(ui, setting, file));
            if now != file && mark(ui, setting, file).clicked() {
                edit = Some(SettingEdit::Reset);
            }
            if matches!(setting.domain, Domain::Switch) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let set = fixed(ui, ("switch", setting.name), |ui| control(ui, setting, now, None));
                    edit = edit.or(set.map(SettingEdit::Set));
                });
            }
        });
        let set = match (setting.domain, now) {
            (Domain::Switch, _) => None,
            (Domain::Choice(choices), Value::Choice(name)) => alternatives(ui, setting, choices, name, blocked),
            _ => control(ui, setting, now, None),
        };
        show_blocked(ui, now, blocked);
        edit = edit.or(set.map(SettingEdit::Set));
    });
    edit
}

/// The mark of a value that differs from the file. A click resets it.
pub fn mark(ui: &mut Ui, setting: &Setting, file: Value) -> Response {
    let color = theme::colors(ui.visuals()).accent;
    let name = format!("Reset {}", setting.name);
    let tip = format!("Differs from the file, which says {}. Click to go back.", words(setting, file));
    mark_button(ui, Icon::Undo2, color, &name, &tip)
}

fn label(ui: &mut Ui, setting: &Setting, file: Value) {
    ui.add(egui::Label::new(setting.words().label).truncate()).on_hover_ui(|ui| tooltip(ui, setting, file));
}

/// The control for the domain. Returns the new value if it was changed.
fn control(ui: &mut Ui, setting: &Setting, now: Value, blocked: Option<&Blocked>) -> Option<Value> {
    match (setting.domain, now) {
        (Domain::Switch, Value::Bool(mut on)) => {
            switch(ui, &mut on, setting.words().label).changed().then_some(Value::Bool(on))
        }
        (Domain::Choice(choices), Value::Choice(name)) => combo(ui, setting, choices, name, blocked),
        (Domain::Integer { min, max }, Value::Int(mut value)) => {
            let wide = f64::from(max) > 10.0 * f64::from(min.max(1));
            let slider = Slider::new(&mut value, min..=max).logarithmic(wide);
            slide(ui, setting, slider).changed().then_some(Value::Int(value))
        }
        (Domain::Real { min, max }, Value::Real(mut value)) => {
            // Ranges of several powers of ten, and those of small lengths, need a fine lower end.
            let wide = max > 20.0 * min.max(0.1) || (max <= 0.2 && setting.unit == "m");
            let slider = Slider::new(&mut value, min..=max)
                .logarithmic(wide)
                .smallest_positive(if max <= 1.0 { 1e-4 } else { 1e-2 })
                .max_decimals(4);
            slide(ui, setting, slider).changed().then_some(Value::Real(value))
        }
        (Domain::Vector { max }, Value::Vector(value)) => vector(ui, setting, value, max).map(Value::Vector),
        // A value that does not fit its domain; a test of the list excludes it.
        _ => None,
    }
}

fn slide(ui: &mut Ui, setting: &Setting, slider: Slider<'_>) -> Response {
    let width = ui.available_width();
    ui.spacing_mut().slider_width = (width - NUMBER_WIDTH - ui.spacing().item_spacing.x).max(40.0);
    ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
    ui.visuals_mut().selection.bg_fill = theme::colors(ui.visuals()).accent.gamma_multiply(0.75);
    let slider = slider.custom_formatter(short);
    let response = ui.add(slider.suffix(unit_suffix(setting.unit)).clamping(egui::SliderClamping::Always));
    named(response, setting.words().label)
}

/// A number that fits its field: from ten thousand on with a power of ten, as in 1e5.
pub fn short(value: f64, decimals: std::ops::RangeInclusive<usize>) -> String {
    if value.abs() < 1e4 {
        return egui::emath::format_with_decimals_in_range(value, decimals);
    }
    let text = format!("{value:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
}

fn vector(ui: &mut Ui, setting: &Setting, mut value: Vec3, max: f32) -> Option<Vec3> {
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 2.0;
        let unit = setting.unit;
        ui.spacing_mut().interact_size.x = ((ui.available_width() - 8.0) / 3.0).max(44.0);
        for (component, axis) in [(&mut value.x, "x"), (&mut value.y, "y"), (&mut value.z, "z")] {
            // At most six characters: a longer number would widen the panel frame by frame.
            let few = |v: f64, _| format!("{v:.*}", if v.abs() < 99.995 { 2 } else { usize::from(v.abs() < 999.95) });
            let drag = DragValue::new(component).range(-max..=max).speed(0.05).max_decimals(2).custom_formatter(few);
            let response = ui.add(drag).on_hover_text(format!("{axis}, {unit}"));
            changed |= named(response, &format!("{} {axis}", setting.words().label)).changed();
        }
    });
    changed.then_some(value)
}

fn combo(ui: &mut Ui, setting: &Setting, choices: Choices, name: &str, blocked: Option<&Blocked>) -> Option<Value> {
    let mut chosen = None;
    let width = ui.available_width();
    let response = ComboBox::from_id_salt(setting.name)
        .width(width)
        .truncate()
        .selected_text(label_of(choices, name))
        .show_ui(ui, |ui| {
            for choice in choices.words() {
                let blocked = blocked.filter(|blocked| blocked.name == choice.name);
                let label = egui::Button::selectable(choice.name == name, choice.label);
                let tip = blocked.map_or(choice.what, |blocked| &blocked.why);
                let response = ui.add_enabled(blocked.is_none(), label);
                if response.on_hover_text(tip).on_disabled_hover_text(tip).clicked() {
                    chosen = Some(Value::Choice(choice.name));
                }
            }
        })
        .response;
    named(response, setting.words().label);
    chosen
}

fn alternatives(
    ui: &mut Ui,
    setting: &Setting,
    choices: Choices,
    name: &str,
    blocked: Option<&Blocked>,
) -> Option<Value> {
    let item = |choice: &ChoiceWords| match blocked.filter(|blocked| blocked.name == choice.name) {
        Some(blocked) => Segment { off: true, ..Segment::new(choice.label, blocked.why.clone()) },
        None => Segment::new(choice.label, choice.what),
    };
    let items: Vec<_> = choices.words().iter().map(item).collect();
    let selected = choices.names.iter().position(|known| *known == name);
    let group = format!("{} {}", setting.words().group, setting.words().label);
    segments(ui, &group, &items, selected).map(|index| Value::Choice(choices.names[index]))
}

fn label_of(choices: Choices, name: &str) -> &'static str {
    choices.words().iter().find(|c| c.name == name).map_or("?", |c| c.label)
}

fn unit_suffix(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::settings::LIST;

    /// In a window of 1280 points the right dock once truncated a tenth of all labels, more of those with a mark, and
    /// half of the formulations.
    #[test]
    fn no_setting_is_cut_in_the_narrowest_dock_that_a_window_begins_with() {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let mut checked = 0;
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            // The dock's 300 points without its margins and the scroll bar.
            ui.set_width(274.0);
            for setting in LIST {
                let width = |words: &str, style: TextStyle| {
                    let font = style.resolve(ui.style());
                    ui.painter().layout_no_wrap(words.to_owned(), font, egui::Color32::WHITE).size().x
                };
                let (label, below) = columns(ui, setting);
                let mark = 20.0;
                let title = setting.words().label;
                assert!(width(title, TextStyle::Body) + mark <= label, "{title} in {label}");
                let room = if below { 274.0 } else { 274.0 - label - ui.spacing().item_spacing.x };
                if let Domain::Choice(choices) = setting.domain {
                    for choice in choices.words() {
                        let words = width(choice.label, TextStyle::Button);
                        assert!(words + 36.0 <= room, "{} of {} in {room}", choice.label, setting.name);
                    }
                } else {
                    assert!(room >= NUMBER_WIDTH + 40.0 + 8.0, "{}: {room}", setting.name);
                }
                checked += 1;
            }
        });
        output.drop_without_applying_deltas();
        assert!(checked > 50);
    }
}
