//! Keys and clicks with the modifiers that were held when they happened. A slow frame may begin after Ctrl was
//! released, and egui's `modifiers` are those of the frame: Ctrl+Z would be read as Z.

use egui::{Context, Event, Id, Key, Modifiers, Ui};

/// How often a key was pressed with exactly these modifiers since the last frame.
pub fn presses(ui: &Ui, key: Key, modifiers: Modifiers) -> usize {
    let is_it = |event: &&Event| matches!(event, Event::Key { key: k, pressed: true, modifiers: m, .. } if *k == key && m.matches_exact(modifiers));
    ui.input(|input| input.events.iter().filter(is_it).count())
}

/// Whether a key was pressed without modifiers since the last frame.
pub fn pressed(ui: &Ui, key: Key) -> bool {
    presses(ui, key, Modifiers::NONE) > 0
}

/// Where the modifiers of the last click are kept.
fn place() -> Id {
    Id::unique("modifiers of the last press")
}

/// To be called at the begin of each frame: notes the modifiers with which a button of the pointer was pressed.
pub fn note_modifiers(ctx: &Context) {
    let modifiers_of = |event: &Event| match event {
        Event::PointerButton { pressed: true, modifiers, .. } => Some(*modifiers),
        _ => None,
    };
    if let Some(modifiers) = ctx.input(|input| input.events.iter().filter_map(modifiers_of).next_back()) {
        ctx.data_mut(|data| data.insert_temp(place(), modifiers));
    }
}

/// The modifiers with which a button of the pointer was pressed last: those of a click, or of a drag that starts.
pub fn click_modifiers(ui: &Ui) -> Modifiers {
    let now = || ui.input(|input| input.modifiers);
    ui.ctx().data(|data| data.get_temp(place())).unwrap_or_else(now)
}
