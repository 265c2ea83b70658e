//! What the fields of a frame refused, for the shell's notices. A field has nothing but its `Ui`.

use egui::{Context, Id};

fn place() -> Id {
    Id::unique("refused by a field")
}

/// Reports what a field refused, as a sentence.
pub fn add(ctx: &Context, text: String) {
    ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<String>>(place()).push(text));
}

/// All that was refused since the last call.
pub fn take(ctx: &Context) -> Vec<String> {
    ctx.data_mut(|data| data.remove_temp(place())).unwrap_or_default()
}
