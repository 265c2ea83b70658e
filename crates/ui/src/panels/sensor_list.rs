//! The scene's sensors as cards: name, quantity, unit and limits as fields, with the value and the alarm of the run.

use egui::{Label, RichText, Role, Ui, WidgetInfo};
use lucide_icons::Icon;

use crate::{
    editor::form,
    request::{Request, ask},
    view::View,
    widgets::{self, icon_sized, mark_button, sensor, theme},
};
use delassus_scene::Sensor;
use delassus_session::{Edit, Element};

/// Draws the cards and the button that adds a sensor.
pub fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let list = &view.scene.sensors;
    if list.is_empty() {
        let words = "None. A sensor gives a quantity a name; `run --sensors` logs it, and limits raise an alarm.";
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
    }
    let mut new = None;
    for (index, old) in list.iter().enumerate() {
        ui.push_id(("sensor", index), |ui| {
            widgets::card(ui, |ui| match card(ui, index, old, view) {
                Some(CardEdit::Change(sensor)) => {
                    let mut sensors = list.to_vec();
                    sensors[index] = sensor;
                    new = Some(sensors);
                }
                Some(CardEdit::Delete) => {
                    let mut sensors = list.to_vec();
                    sensors.remove(index);
                    new = Some(sensors);
                }
                None => {}
            });
        });
    }
    let add = widgets::word_button(ui, Icon::Plus, "Add a sensor");
    if add.on_hover_text("A named quantity, of the watched joint if there is one").clicked() {
        let is_taken = |name: &str| list.iter().any(|sensor| sensor.name == name);
        let name = (1..).map(|n| format!("sensor {n}")).find(|name| !is_taken(name)).unwrap_or_default();
        let mut sensors = list.to_vec();
        sensors.push(Sensor { name, of: proposed(view), ..Sensor::default() });
        new = Some(sensors);
    }
    if let Some(list) = new {
        ask(Edit::Element(Element::Sensors(list)), out);
    }
}

/// The quantity of a new sensor: what the watched joint bears, otherwise the energy.
fn proposed(view: &View<'_>) -> String {
    let joint = view.session.watched().and_then(|joint| view.snapshot.joints.get(joint));
    joint.map_or_else(|| "energy".into(), |joint| format!("joints.{}.force", joint.name))
}

/// What was asked of a card.
enum CardEdit {
    Change(Sensor),
    Delete,
}

/// Draws one sensor.
fn card(ui: &mut Ui, index: usize, old: &Sensor, view: &View<'_>) -> Option<CardEdit> {
    let colors = theme::colors(ui.visuals());
    let shown = view.session.sensor_view(old);
    let state = shown.reader.as_ref().map(|reader| view.session.sensor_state(reader)).unwrap_or_default();
    let words = sensor::words(ui, &shown, &state);
    let number = index + 1;
    let mut edit = None;
    ui.horizontal(|ui| {
        let icon = ui.label(icon_sized(words.icon, 14.0).color(words.color));
        let name = format!("{}: {}", old.name, words.state);
        icon.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
        icon.on_hover_text(if words.trouble.is_empty() { &name } else { &words.trouble });
        let value = RichText::new(&words.value).monospace().color(colors.strong);
        ui.label(value).on_hover_text("After the shown step");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let name = format!("Delete sensor {number}");
            if mark_button(ui, Icon::Trash2, colors.weak, &name, "Delete this sensor").clicked() {
                edit = Some(CardEdit::Delete);
            }
        });
    });
    ui.spacing_mut().item_spacing.y = 3.0;
    if !words.trouble.is_empty() {
        ui.add(Label::new(RichText::new(&words.trouble).small().color(words.color)).wrap());
    }
    let mut new = old.clone();
    // Destructured, so that a new field does not compile without a row here.
    let Sensor { name, of, unit, low, high } = &mut new;
    let field = |ui: &mut Ui, label: &str, tip: &str, now: &str| {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.label(RichText::new(label).small().color(colors.weak)).on_hover_text(tip);
            form::text(ui, now, &format!("{label} of sensor {number}"), 1)
        })
        .inner
    };
    if let Some(typed) = field(ui, "Name", "Its column in CSV and its topic in MCAP", name) {
        *name = typed;
    }
    let tip = "As a curve of a plot: energy, bodies.NAME.z, joints.NAME.torque, contacts.A+B.force";
    if let Some(typed) = field(ui, "Quantity", tip, of) {
        *of = typed;
    }
    ui.columns(3, |columns| {
        let own = shown.reader.as_ref().map_or("", |reader| &reader.unit);
        let tip = format!("Unit of the value and its limits; {own} now, the SI unit if left empty");
        if let Some(typed) = field(&mut columns[0], "Unit", tip.trim(), unit) {
            *unit = typed;
        }
        for (column, label, tip, limit) in [
            (1, "Low", "A lower value raises an alarm; empty for no limit", low),
            (2, "High", "A higher value raises an alarm; empty for no limit", high),
        ] {
            let now = limit.map_or_else(String::new, |limit| limit.to_string());
            if let Some(typed) = field(&mut columns[column], label, tip, &now) {
                *limit = limit_of(&typed).unwrap_or(*limit);
            }
        }
    });
    edit.or_else(|| (new != *old).then_some(CardEdit::Change(new)))
}

/// A typed limit: `Some(None)` for none, `None` if it is not a number.
fn limit_of(text: &str) -> Option<Option<f64>> {
    if text.trim().is_empty() {
        return Some(None);
    }
    let number = text.trim().replace('−', "-").replace(',', ".").parse::<f64>().ok()?;
    number.is_finite().then_some(Some(number))
}

#[cfg(test)]
mod tests {
    use super::limit_of;

    #[test]
    fn a_limit_is_a_number_or_nothing() {
        assert_eq!(
            ["", " 1,5 ", "−2", "inf", "much"].map(limit_of),
            [Some(None), Some(Some(1.5)), Some(Some(-2.0)), None, None]
        );
    }
}
