//! The controls of a form: numbers with units and ranges, vectors, choices, texts. Where entries differ they show a
//! dash.

use std::cell::Cell;

use egui::{ComboBox, DragValue, Response, TextEdit, Ui};
use glam::Vec3;

use crate::editor::form::ranges::DragRange;
use crate::editor::form::typed;
use crate::widgets::angles::{self, Angles, IN_FILES};
use crate::widgets::number::with_unit;
use crate::widgets::{named, refusals};
use delassus_physics::angle::Angle;

/// The least width of a number's field, so that fields line up.
const NUMBER_WIDTH: f32 = 76.0;

/// The width of one of three fields side by side.
pub(in crate::editor) fn third(ui: &Ui) -> f32 {
    ((ui.available_width() - 6.0) / 3.0).max(30.0)
}

/// Three fields side by side; which of them were used.
pub(in crate::editor) fn three<'n>(
    ui: &mut Ui,
    parts: [(&mut f32, &'n str); 3],
    mixed: &dyn Fn(&str) -> bool,
    range: &DragRange,
    name: &str,
) -> Vec<(bool, &'n str)> {
    let width = third(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().button_padding.x = 2.0;
        ui.spacing_mut().interact_size.x = width;
        let each = |(value, part): (&mut f32, &'n str)| {
            let axis = part.trim_start_matches('.');
            let tip = format!("{name} {axis}, {}: {}", range.unit, written(*value));
            let name = format!("{name} {axis}");
            let field = field(ui, value, mixed(part), range, ("", &name), &short).on_hover_text(tip);
            (named(field, &name).changed(), part)
        };
        parts.map(each).into_iter().collect()
    })
    .inner
}

/// A vector's three fields without a row of their own; true if any was used.
pub fn triple(ui: &mut Ui, value: &mut Vec3, mixed: bool, range: &DragRange, name: &str) -> bool {
    let parts = [(&mut value.x, ".x"), (&mut value.y, ".y"), (&mut value.z, ".z")];
    three(ui, parts, &|_| mixed, range, name).iter().any(|(used, _)| *used)
}

/// A number with its unit in the field.
pub fn number(ui: &mut Ui, value: &mut f32, mixed: bool, range: &DragRange, name: &str) -> Response {
    let words = |value: f32| if range.has_no_limit(value) { typed::NO_LIMIT.to_owned() } else { written(value) };
    let bare = mixed || range.unit.is_empty() || range.has_no_limit(*value);
    let suffix = if bare { String::new() } else { format!(" {}", range.unit) };
    let tip = format!("{name}, {}", range.allowed());
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
            field(ui, value, mixed, range, (&suffix, name), &words)
        })
        .inner;
    named(response.on_hover_text(tip), name)
}

/// A number is taken as it was typed or not at all: what lies outside the range is refused, with a notice. A field that
/// is only visited keeps its value, even one outside the range.
fn field(
    ui: &mut Ui,
    value: &mut f32,
    mixed: bool,
    range: &DragRange,
    (suffix, name): (&str, &str),
    words: &dyn Fn(f32) -> String,
) -> Response {
    let before = *value;
    let (taken, refused) = (Cell::new(None), Cell::new(None));
    let shown = if mixed { typed::MIXED.to_owned() } else { words(before) };
    let parse = |text: &str| {
        // The shown text may have fewer digits than the value.
        if text.trim() == shown {
            return Some(f64::from(before)).filter(|_| !mixed);
        }
        match typed::read(text, range) {
            Ok(number) => taken.set(Some(number)),
            Err(why) => refused.set(Some(why)),
        }
        taken.get().map(f64::from)
    };
    let (least, greatest) = range.dragged_from(before);
    let drag = DragValue::new(value)
        .speed(range.speed)
        .range(least..=greatest)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .suffix(suffix)
        .custom_formatter(|v, _| if mixed { typed::MIXED.into() } else { words(v as f32) })
        .custom_parser(parse);
    let mut response = ui.add(drag);
    if let Some(number) = taken.take() {
        // The range for dragging is narrower.
        *value = number;
        if mixed || number != before {
            response.mark_changed();
        }
    } else {
        // An arrow key goes beyond the range.
        *value = value.clamp(least, greatest);
    }
    if let Some(why) = refused.take() {
        let unit = if mixed { "" } else { suffix };
        refusals::add(ui.ctx(), format!("{name} stays {shown}{unit}. {why}"));
    }
    response
}

/// An angle in the chosen unit, of a range in degrees; true if it was used.
pub fn angle(ui: &mut Ui, angle: &mut Angle, mixed: bool, range: &DragRange, name: &str) -> bool {
    let angles = Angles::of(ui.ctx());
    let (range, _) = range.shown(angles);
    let mut value = angles.read(*angle);
    let response = number(ui, &mut value, mixed, &range, name).on_hover_text(IN_FILES);
    let used = response.changed();
    if used {
        *angle = angles.write(value);
    }
    used
}

/// A number in its shown unit; true if it was used.
pub fn quantity(ui: &mut Ui, value: &mut f32, mixed: bool, range: &DragRange, name: &str) -> bool {
    let (range, factor) = range.shown(Angles::of(ui.ctx()));
    let mut shown = *value * factor;
    let before = shown;
    let used = number(ui, &mut shown, mixed, &range, name).changed();
    if shown != before {
        *value = shown / factor;
    }
    used
}

/// A number of this range as text, in its shown unit.
pub fn in_words(ui: &Ui, value: f32, range: &DragRange) -> String {
    let (range, factor) = range.shown(Angles::of(ui.ctx()));
    let value = f64::from(value) * f64::from(factor);
    if angles::is_unit(range.unit) { angles::said(value, range.unit) } else { with_unit(value, range.unit) }
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

/// A text field of one or more lines. `Some` once the field is left, not after Escape.
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

/// Up to four decimals.
pub fn written(value: f32) -> String {
    digits(value, 4)
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
        assert_eq!([1e-5, 2.5e6, 1e10].map(written), ["1.00e−5", "2.50e6", "1.00e10"], "10⁷ t is a mass, and no limit");
        for value in [1.234_5, -12.345, 123.456, -1234.5, 99_999.0, -0.001] {
            assert!(short(value).chars().count() <= 6, "{}", short(value));
        }
    }
}
