//! The load that is not yet carried at a tick: a disc at each joint and contact, coloured by the share that it misses.

use egui::{Color32, Rect, RichText, Sense, TextStyle, Ui, vec2};
use glam::Vec3;

use super::ghosts::place;
use crate::{view::View, view3d::View3d, widgets};
use delassus_lab::TracedStep;
use delassus_render::palette::{GREEN, VERMILION};

/// The legend's bar, points, and the number of its colours.
const BAR: (f32, f32) = (60.0, 8.0);
const COLOURS: usize = 30;

/// The colour of a share, in sRGB.
fn color(share: f32) -> [f32; 3] {
    Vec3::from(GREEN).lerp(Vec3::from(VERMILION), share.clamp(0.0, 1.0)).into()
}

/// Draws the discs of blocks with the `shares` that they miss; `carried` moves a point of a body to where its ghost is.
pub(super) fn draw(
    traced: &TracedStep,
    shares: &[(u32, f32)],
    carried: &dyn Fn(u32, Vec3) -> Vec3,
    view: &View<'_>,
    view3d: &mut View3d,
) {
    for (index, share) in shares {
        let body = traced.trace.blocks[*index as usize].b;
        let at = place(traced, *index, body, view).filter(|_| !view3d.visibility.is_hidden(body));
        if let Some(at) = at {
            view3d.preview.discs.push((carried(body, at), color(*share)));
        }
    }
}

/// The legend, if there is room for it: from all of the load missing to all of it carried.
pub(super) fn legend(ui: &mut Ui) {
    const WORDS: [&str; 2] = ["load missing", "carried"];
    let font = TextStyle::Small.resolve(ui.style());
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
    let needed = BAR.0 + WORDS.map(wide).iter().sum::<f32>() + 3.0 * ui.spacing().item_spacing.x;
    if ui.available_width() < needed {
        return;
    }
    let word = |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small());
    word(ui, WORDS[0]);
    let (bar, response) = ui.allocate_exact_size(vec2(BAR.0, BAR.1), Sense::hover());
    let step = bar.width() / COLOURS as f32;
    for piece in 0..COLOURS {
        let share = 1.0 - piece as f32 / (COLOURS - 1) as f32;
        let [red, green, blue] = color(share).map(|part| (255.0 * part) as u8);
        let corner = bar.min + vec2(step * piece as f32, 0.0);
        ui.painter().rect_filled(
            Rect::from_min_size(corner, vec2(step, BAR.1)),
            0.0,
            Color32::from_rgb(red, green, blue),
        );
    }
    word(ui, WORDS[1]);
    let tip = "The discs at joints and contacts show how much of its load each one still misses. That is the impulse \
               that one more solve would add";
    widgets::named(response, "Load that is not carried yet").on_hover_text(tip);
}
