//! Keys in words, and which actions they ask for.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::shell::{
    action::{ACTIONS, Action, ActionInfo},
    keyboard::Keyboard,
};

/// A shortcut in words.
pub fn shortcut_text(shortcut: &KeyboardShortcut) -> String {
    let key = match shortcut.logical_key {
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Period => ".",
        Key::Comma => ",",
        Key::Minus => "−",
        Key::Plus => "+",
        Key::Equals => "=",
        Key::Num0 => "0",
        Key::Num1 => "1",
        Key::Num3 => "3",
        Key::Num7 => "7",
        Key::Escape => "Esc",
        Key::Delete => "Del",
        Key::PageUp => "PgUp",
        Key::PageDown => "PgDn",
        other => other.name(),
    };
    let mut text = String::new();
    if shortcut.modifiers.command {
        text.push_str(if cfg!(target_os = "macos") { "⌘" } else { "Ctrl+" });
    }
    if shortcut.modifiers.alt {
        text.push_str(if cfg!(target_os = "macos") { "⌥" } else { "Alt+" });
    }
    if shortcut.modifiers.shift {
        text.push_str("Shift+");
    }
    text.push_str(key);
    text
}

/// The actions whose keys were pressed since the last frame, but those of the clipboard, of which the system tells by
/// events of their own. None while a text field has the focus; a focused control
/// keeps the keys that it uses.
pub fn pressed(ctx: &egui::Context, keyboard: Keyboard) -> Vec<Action> {
    if ctx.text_edit_focused() {
        return Vec::new();
    }
    ctx.input(|input| {
        let mut actions = Vec::new();
        for event in &input.events {
            if let egui::Event::Key { key, pressed: true, repeat, modifiers, .. } = event
                && !keyboard.takes(*key)
            {
                let found = ACTIONS.iter().find(|info| info.keys.iter().any(|s| matches(s, *key, *modifiers)));
                let found =
                    found.map(|info| info.action).filter(|action| !matches!(action, Action::Copy | Action::Paste));
                actions.extend(found.filter(|action| !repeat || action.repeats()));
            }
        }
        actions
    })
}

/// The actions whose keys were pressed while a text field has the focus, and that no text field has a meaning for.
pub fn while_typing(ctx: &egui::Context) -> Vec<Action> {
    let is_it = |info: &&ActionInfo, key: Key, modifiers: Modifiers| {
        info.action.works_while_typing() && info.keys.iter().any(|shortcut| matches(shortcut, key, modifiers))
    };
    let action = |event: &egui::Event| match event {
        egui::Event::Key { key, pressed: true, repeat: false, modifiers, .. } => {
            ACTIONS.iter().find(|info| is_it(info, *key, *modifiers)).map(|info| info.action)
        }
        _ => None,
    };
    if ctx.text_edit_focused() {
        ctx.input(|input| input.events.iter().filter_map(action).collect())
    } else {
        Vec::new()
    }
}

impl Action {
    /// Whether it can be asked for while a text field has the focus.
    fn works_while_typing(self) -> bool {
        matches!(self, Self::Save | Self::SaveAs | Self::Open | Self::New | Self::Quit | Self::UiScale(_))
    }

    /// Whether holding the key down does it again.
    fn repeats(self) -> bool {
        matches!(
            self,
            Self::Step
                | Self::StepBack
                | Self::PreviousMark
                | Self::NextMark
                | Self::Undo
                | Self::Inside(_)
                | Self::Redo
                | Self::Slower
                | Self::Faster
                | Self::SpawnHere
                | Self::Shoot
        )
    }
}

/// Command and shift must match exactly, so that Ctrl+Shift+S is not Ctrl+S. Signs may need shift on some keyboards.
fn matches(shortcut: &KeyboardShortcut, key: Key, modifiers: Modifiers) -> bool {
    let is_sign = matches!(key, Key::Plus | Key::Equals | Key::Minus | Key::OpenBracket | Key::CloseBracket);
    shortcut.logical_key == key
        && shortcut.modifiers.command == modifiers.command
        && shortcut.modifiers.alt == modifiers.alt
        && (is_sign || shortcut.modifiers.shift == modifiers.shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::action::CTRL_SHIFT;

    #[test]
    fn keys_read_as_on_the_keyboard() {
        let text = |action: Action| action.info().map(ActionInfo::key_text);
        assert_eq!(text(Action::Redo).as_deref(), Some("Ctrl+Shift+Z"));
        assert_eq!(text(Action::PreviousScene).as_deref(), Some("["));
        assert_eq!(text(Action::TogglePlay).as_deref(), Some("Space"));
        assert_eq!(text(Action::Reload).as_deref(), Some(""));
    }

    #[test]
    fn save_as_is_not_save() {
        let actions = |modifiers| {
            ACTIONS.iter().filter(|i| i.keys.iter().any(|s| matches(s, Key::S, modifiers))).map(|i| i.action).collect()
        };
        let plain: Vec<_> = actions(Modifiers::COMMAND);
        assert_eq!(plain, [Action::Save]);
        let shifted: Vec<_> = actions(CTRL_SHIFT);
        assert_eq!(shifted, [Action::SaveAs]);
    }
}
