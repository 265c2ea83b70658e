//! Shared by all gestures: typed numbers, and the end of a gesture.

use egui::{Event, Key, Modifiers, Response, Ui};

use crate::widgets::events;

/// Adds the digits, point and minus sign typed since the last frame. Backspace removes the last one.
pub fn read(ui: &Ui, typed: &mut String) {
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::Key { key: Key::Backspace, pressed: true, .. } => {
                    typed.pop();
                }
                Event::Text(text) => {
                    typed.extend(text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')));
                }
                _ => {}
            }
        }
    });
}

/// The typed number, if it is one.
pub fn number(typed: &str) -> Option<f32> {
    typed.parse::<f32>().ok().filter(|v| v.is_finite() && v.abs() < 1e4)
}

/// The typed text, shown after the value; empty if nothing was typed.
pub fn shown(typed: &str) -> String {
    if typed.is_empty() { String::new() } else { format!("  [{}]", typed.replace('-', "−")) }
}

/// How a gesture ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Keep,
    LetGo,
}

/// Whether the gesture ends now. Escape, Ctrl+Z and the right button cancel it. Enter accepts it, and so does releasing
/// the button if it was `held`, otherwise a click.
pub fn ending(ui: &Ui, response: &Response, held: bool) -> Option<Ending> {
    let (escape, enter, up, right) = ui.input(|i| {
        let p = &i.pointer;
        (i.key_pressed(Key::Escape), i.key_pressed(Key::Enter), !p.primary_down(), p.secondary_down())
    });
    if escape || right || events::presses(ui, Key::Z, Modifiers::COMMAND) > 0 {
        return Some(Ending::LetGo);
    }
    let keep = enter || if held { up } else { response.clicked() };
    keep.then_some(Ending::Keep)
}
