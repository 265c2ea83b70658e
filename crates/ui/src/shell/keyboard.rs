//! Working without a mouse: F6 takes the keyboard into the panels, Tab and Shift+Tab go from control to control, Space
//! or Enter presses, arrows change a slider or go to the neighbour, Esc or F6 gives the keyboard back to the scene.
//!
//! Before that, Tab hides the panels and every key is a command. A focused control keeps the keys that it uses; a ring
//! shows which one it is.

use egui::{Context, FocusDirection, Key, Stroke, StrokeKind, Ui};

use crate::{shell::state::UiState, widgets::theme};

/// Where the keyboard focus is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keyboard {
    /// A control had the focus in the last frame.
    in_panels: bool,
    /// A menu was open in the last frame.
    menu: bool,
    /// The focus moved by a key, so that a ring is drawn.
    by_key: bool,
    /// The user asked to go to the panels, or back.
    pub asked: bool,
}

/// Keys that a focused control uses.
const OWN: [Key; 4] = [Key::Tab, Key::Space, Key::Enter, Key::Escape];

impl Keyboard {
    /// Whether a key goes to the focused control or to an open menu instead of the actions.
    pub fn takes(self, key: Key) -> bool {
        self.in_panels && OWN.contains(&key) || self.menu && key == Key::Escape
    }
}

/// To be called before the panels are laid out. Without a focus Tab hides the panels; egui would move to a control.
pub fn before_panels(ctx: &Context, state: &mut UiState) {
    if !state.keyboard.in_panels && !state.is_modal() {
        ctx.memory_mut(|memory| {
            if memory.focused().is_none() {
                memory.move_focus(FocusDirection::None);
            }
        });
    }
    if std::mem::take(&mut state.keyboard.asked) {
        state.keyboard.by_key = true;
        ctx.memory_mut(|memory| match memory.focused() {
            Some(id) => memory.surrender_focus(id),
            None => memory.move_focus(FocusDirection::Next),
        });
    }
    let (tab, clicked) = ctx.input(|i| (i.key_pressed(Key::Tab), i.pointer.any_pressed()));
    if clicked {
        state.keyboard.by_key = false;
    } else if tab && state.keyboard.in_panels {
        state.keyboard.by_key = true;
    }
}

/// To be called after the panels: notes where the focus is and draws the ring.
pub fn end(ui: &Ui, state: &mut UiState) {
    let focused = ui.memory(|memory| memory.focused());
    state.keyboard.in_panels = focused.is_some();
    state.keyboard.menu = egui::Popup::is_any_open(ui.ctx());
    let Some(response) = focused.filter(|_| state.keyboard.by_key).and_then(|id| ui.ctx().read_response(id)) else {
        return;
    };
    let seen = response.interact_rect;
    if seen.is_positive() {
        let colors = theme::colors(ui.visuals());
        let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("keyboard ring"));
        let ring = seen.expand(1.5);
        ui.ctx().layer_painter(layer).rect_stroke(ring, 5.0, Stroke::new(2.0, colors.accent), StrokeKind::Outside);
    }
}
