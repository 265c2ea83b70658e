//! A heat map: an array of numbers as coloured cells, and the cell under the pointer.

use egui::{Color32, ColorImage, Rect, Response, Sense, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};

/// Orders of magnitude between the strongest colour and the background.
const RANGE: f64 = 4.0;

/// The strength of the smallest values that are not zero: visible on a light ground, too.
const FAINTEST: f64 = 0.18;

/// A texture with one texel per cell.
pub fn texture(
    ui: &Ui,
    name: &str,
    (columns, rows): (usize, usize),
    color: impl Fn(usize, usize) -> Color32,
) -> TextureHandle {
    let mut image = ColorImage::filled([columns.max(1), rows.max(1)], Color32::TRANSPARENT);
    for row in 0..rows {
        for column in 0..columns {
            image[(column, row)] = color(row, column);
        }
    }
    ui.ctx().load_texture(name, image, TextureOptions::NEAREST)
}

/// The colour of a number relative to the largest one on a logarithmic scale: warm if positive, cold if negative, the
/// background colour if zero.
pub fn signed(value: f64, largest: f64, ground: Color32) -> Color32 {
    let end = if value < 0.0 { Color32::from_rgb(86, 172, 240) } else { Color32::from_rgb(255, 152, 56) };
    ground.lerp_to_gamma(end, strength(value, largest))
}

/// The colour of a magnitude relative to the largest one, on a logarithmic scale.
pub fn size(value: f64, largest: f64, ground: Color32) -> Color32 {
    let t = strength(value, largest);
    let (cold, hot) = (Color32::from_rgb(120, 60, 130), Color32::from_rgb(255, 196, 90));
    if t == 0.0 { ground } else { cold.lerp_to_gamma(hot, t) }
}

/// 0 to 1 over the [`RANGE`] decades below the largest value; at least [`FAINTEST`] for a value that is not zero.
fn strength(value: f64, largest: f64) -> f32 {
    if value == 0.0 || largest <= 0.0 {
        return 0.0;
    }
    (1.0 + (value.abs() / largest).log10() / RANGE).clamp(FAINTEST, 1.0) as f32
}

/// Draws the texture with a size of `room` points. Returns also the row and column of the cell under the pointer.
pub fn show(
    ui: &mut Ui,
    texture: &TextureHandle,
    room: Vec2,
    (columns, rows): (usize, usize),
    name: &str,
) -> (Response, Rect, Option<(usize, usize)>) {
    let (rect, response) = ui.allocate_exact_size(room, Sense::click());
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
    let cell = response.hover_pos().map(|at| {
        let part = (at - rect.min) / vec2(rect.width(), rect.height());
        let place = |share: f32, count: usize| ((share * count as f32) as usize).min(count.saturating_sub(1));
        (place(part.y, rows), place(part.x, columns))
    });
    (crate::widgets::named(response, name), rect, cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_s_colour_tells_its_sign_and_nothing_is_the_ground() {
        let ground = Color32::BLACK;
        assert_eq!(signed(0.0, 1.0, ground), ground);
        assert_eq!(size(0.0, 1.0, ground), ground);
        let (warm, cold) = (signed(1.0, 1.0, ground), signed(-1.0, 1.0, ground));
        assert!(warm.r() > warm.b() && cold.b() > cold.r());
        // Far below the smallest decade it still differs from zero.
        assert_ne!(signed(1e-9, 1.0, ground), ground);
    }
}
