//! LaTeX formulas, typeset by a library and drawn as textures in the colour of the text, at the resolution of the
//! screen.

use egui::{Color32, ColorImage, Id, Image, Response, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, vec2};
use latex_rust::{Color, Dim, MathFont, PngOptions, latex_to_png};
use std::sync::{Arc, OnceLock};

use crate::widgets::theme;

/// Font size, points.
const SIZE: f32 = 15.0;
/// The font size for which TeX's fixed distances (in points) are meant. A larger size is reached through the
/// resolution: otherwise the rows of a matrix would keep the distance of this size.
const DESIGNED: i64 = 10;

/// The texture of a formula and its size on screen, points.
type Set = (TextureHandle, Vec2);

fn font() -> Option<&'static MathFont> {
    static FONT: OnceLock<Option<MathFont>> = OnceLock::new();
    FONT.get_or_init(|| MathFont::stix_two_math().ok()).as_ref()
}

/// Typesets a formula in white at `pixels` pixels per point; `None` if the library does not support all of its LaTeX.
fn picture(formula: &str, pixels: f32) -> Option<ColorImage> {
    let mut options = PngOptions::new();
    options.font_size_pt = Dim::from_i64(DESIGNED);
    // 72 dots per inch are one dot per point.
    let larger = SIZE / DESIGNED as f32;
    options.dpi = Dim::from_i64((72.0 * pixels * larger).round().clamp(36.0, 900.0) as i64);
    options.color = Color::rgb(255, 255, 255);
    options.display = true;
    let png = latex_to_png(formula, font()?, &options).ok()?;
    let picture = image::load_from_memory_with_format(&png, image::ImageFormat::Png).ok()?.into_rgba8();
    let size = [picture.width() as usize, picture.height() as usize];
    Some(ColorImage::from_rgba_unmultiplied(size, picture.as_raw()))
}

/// Draws a formula. One that is too wide for the available width is split at `\qquad` into lines. Returns whether the
/// pointer is on it.
pub fn lines(ui: &mut Ui, formula: &str) -> bool {
    let parts: Vec<&str> = formula.split(r"\qquad").collect();
    let room = ui.available_width();
    let fits = parts.len() < 2 || set(ui, formula).is_none_or(|(_, size)| size.x <= room);
    if fits {
        return self::formula(ui, formula).hovered();
    }
    let mut hovered = false;
    for part in parts {
        hovered |= self::formula(ui, part.trim().trim_end_matches(',')).hovered();
    }
    hovered
}

/// Whether the library can typeset the formula.
pub fn can_be_set(formula: &str) -> bool {
    picture(formula, 1.0).is_some()
}

/// The cached texture of a formula; `None` if it cannot be typeset.
fn set(ui: &Ui, formula: &str) -> Option<Set> {
    let pixels = ui.ctx().pixels_per_point().max(1.0) * 2.0;
    let id = Id::unique(("tex", formula, (pixels * 16.0) as u32));
    let known: Option<Arc<Option<Set>>> = ui.data(|data| data.get_temp(id));
    let set = known.unwrap_or_else(|| {
        let set = picture(formula, pixels).map(|picture| {
            let [width, height] = picture.size;
            let size = vec2(width as f32, height as f32) / pixels;
            (ui.ctx().load_texture("formula", picture, TextureOptions::LINEAR), size)
        });
        let set = Arc::new(set);
        ui.data_mut(|data| data.insert_temp(id, set.clone()));
        set
    });
    (*set).clone()
}

/// Draws a formula, scaled down to the available width; its LaTeX source if it cannot be typeset.
pub fn formula(ui: &mut Ui, formula: &str) -> Response {
    let Some((texture, size)) = set(ui, formula) else { return ui.monospace(formula) };
    let fits = (ui.available_width() / size.x).min(1.0);
    let color: Color32 = theme::colors(ui.visuals()).strong;
    let response = ui.add(Image::new((texture.id(), size * fits)).tint(color));
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, formula));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a matrix are 1.2 font sizes apart, as in TeX.
    #[test]
    fn the_rows_of_a_matrix_stand_apart() {
        let pixels = 2.0;
        let high = |rows: &str| {
            let formula = format!(r"\begin{{matrix}}{rows}\end{{matrix}}");
            picture(&formula, pixels).expect("a matrix").size[1] as f32
        };
        let apart = (high(r"x \\ x \\ x \\ x") - high(r"x \\ x")) / 2.0;
        assert!((apart / (1.2 * SIZE * pixels) - 1.0).abs() < 0.05, "{apart}");
    }

    #[test]
    fn a_fraction_is_set_as_high_as_two_lines_and_what_is_no_latex_not_at_all() {
        let size = |formula: &str| picture(formula, 2.0).map(|picture| picture.size);
        let (line, fraction) = (size("a").expect("a letter"), size(r"\frac{a}{b}").expect("a fraction"));
        assert!(fraction[1] as f32 > 1.8 * line[1] as f32, "{line:?} {fraction:?}");
        // Twice the resolution gives twice the size, within two pixels.
        let fine = picture("a", 4.0).expect("a letter").size;
        assert!(fine[0].abs_diff(2 * line[0]) <= 2 && fine[1].abs_diff(2 * line[1]) <= 2, "{fine:?}");
        assert_eq!(size(r"\frac{a}{"), None);
    }
}
