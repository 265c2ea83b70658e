//! A text field of a value that is read from what is typed, with what is wrong in it below.

use egui::{Id, Label, RichText, TextEdit, Ui};

use crate::editor::form::Form;
use crate::widgets::named;
use crate::widgets::theme;

/// Names of the field, and what it says where the pointer rests.
pub struct DraftNames<'a> {
    pub label: &'a str,
    pub name: &'a str,
    pub path: &'a str,
    pub tip: &'a str,
}

/// Draws the field. What is typed is shown as it is; the value is replaced once the field is left and `read` finds no
/// mistake in the text, and Escape takes the text back.
pub fn drafted<T: Clone + PartialEq>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    value: &mut T,
    names: &DraftNames<'_>,
    written: impl Fn(&T) -> String,
    read: impl Fn(&str) -> Result<T, String>,
) {
    let mut wrong = None;
    form.row(ui, names.label, names.path, value, None, |ui, value, mixed| {
        let id = ui.scope_id().with(("drafted", names.name));
        // A draft belongs to the text that it is to replace.
        let before = written(value);
        let draft = ui.data(|data| data.get_temp::<(String, String)>(id)).filter(|(of, _)| *of == before);
        let shown = if mixed("") { String::new() } else { before.clone() };
        let mut text = draft.map_or(shown, |(_, text)| text);
        let edit = TextEdit::singleline(&mut text).desired_width(ui.available_width());
        let response = named(ui.add(edit), names.name).on_hover_text(names.tip);
        let read = read(text.trim());
        let left = response.lost_focus();
        let escaped = left && ui.input(|i| i.key_pressed(egui::Key::Escape));
        let is_done = escaped || left && read.is_ok();
        let is_same = text == before || text.is_empty() && mixed("");
        let keeps = !is_done && !is_same;
        store(ui, id, keeps.then_some((before, text)));
        match read {
            Ok(read) if left && !escaped && read != *value => {
                *value = read;
                return true;
            }
            Err(error) if keeps => wrong = Some(error),
            _ => {}
        }
        false
    });
    if let Some(wrong) = wrong {
        let colors = theme::colors(ui.visuals());
        ui.add(Label::new(RichText::new(wrong).small().color(colors.bad)).wrap());
    }
}

fn store(ui: &Ui, id: Id, draft: Option<(String, String)>) {
    ui.data_mut(|data| match draft {
        Some(draft) => {
            data.insert_temp(id, draft);
        }
        None => data.remove::<(String, String)>(id),
    });
}
