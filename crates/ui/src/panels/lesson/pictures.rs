//! The pictures of the library's lessons, as `scripts/lesson-pictures` makes them.

use egui::{ColorImage, CornerRadius, Rect, TextureHandle, TextureOptions, Ui, pos2};
use lucide_icons::Icon;

use crate::widgets::theme;

macro_rules! pictures {
    ($($id:literal)*) => {
        /// The lessons with a picture, in PNG.
        const PICTURES: &[(&str, &[u8])] = &[$(
            ($id, include_bytes!(concat!("../../../../../assets/lessons/", $id, ".png"))),
        )*];
    };
}

pictures! {
    "02-twelve-numbers"
    "03-how-heavy"
    "04-sparse"
    "05-gauss-seidel"
    "06-bead-on-wire"
    "07-any-row"
    "08-pendulum"
    "09-chain"
    "10-warm-starting"
    "11-stabilisation"
    "11b-slop"
    "12-penetration"
    "13-manifold"
    "14-hinge"
    "15-quaternions"
    "16-orientation"
    "17-hinge"
    "18-hinge-limit"
    "19-constant-velocity"
    "20-cone-and-pyramid"
    "21-ragdoll"
    "22-motor"
    "23-mover"
    "24-everything"
    "doc-000-hinge"
    "doc-000-patch"
    "doc-000-soft"
    "doc-001-jacobi"
    "doc-002-clamping"
    "doc-002-contact"
    "doc-003-cradle"
    "more-1-mass-ratios"
    "more-2-sub-steps"
    "more-3-friction"
    "more-4-rattle"
    "more-5-matrix"
    "try-1-fewest-sweeps"
    "try-2-bad-joint"
    "try-3-beta"
    "try-4-tonne"
}

/// The pictures are those of the light theme. On a dark page they are dimmed, or they would glare.
fn tint(is_dark: bool) -> egui::Color32 {
    if is_dark { egui::Color32::from_gray(150) } else { egui::Color32::WHITE }
}

/// Paints the picture of a lesson over `rect`, or a sign if it has none.
pub(super) fn paint(ui: &Ui, id: &str, rect: Rect) {
    let radius = CornerRadius { nw: 6, sw: 6, ..CornerRadius::ZERO };
    match texture(ui, id) {
        Some(texture) => {
            let size = texture.size_vec2();
            // The middle part that has the shape of the place.
            let (wide, high) = (rect.width() / size.x, rect.height() / size.y);
            let (x, y) = if wide > high { (1.0, high / wide) } else { (wide / high, 1.0) };
            let uv = Rect::from_min_max(pos2(0.5 - 0.5 * x, 0.5 - 0.5 * y), pos2(0.5 + 0.5 * x, 0.5 + 0.5 * y));
            let shape = egui::epaint::RectShape::filled(rect, radius, tint(ui.visuals().dark_mode));
            ui.painter().add(shape.with_texture(texture.id(), uv));
        }
        None => {
            let colors = theme::colors(ui.visuals());
            ui.painter().rect_filled(rect, radius, colors.sunken);
            let icon = char::from(Icon::GraduationCap);
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, icon, theme::icon_font(22.0), colors.weak);
        }
    }
}

/// The texture of a lesson's picture, which is loaded when it is first shown.
fn texture(ui: &Ui, id: &str) -> Option<TextureHandle> {
    let (id, bytes) = PICTURES.iter().find(|(of, _)| *of == id)?;
    let key = egui::Id::unique(("picture of a lesson", id));
    if let Some(known) = ui.data(|data| data.get_temp::<TextureHandle>(key)) {
        return Some(known);
    }
    let image = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).ok()?.to_rgba8();
    let size = [image.width() as usize, image.height() as usize];
    let color = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
    let texture = ui.ctx().load_texture(format!("lesson {id}"), color, TextureOptions::LINEAR);
    ui.data_mut(|data| data.insert_temp(key, texture.clone()));
    Some(texture)
}

#[cfg(test)]
mod tests {
    use super::PICTURES;
    use delassus_scene::lesson;

    #[test]
    fn every_lesson_of_the_library_has_a_picture_that_can_be_read() {
        let lessons = lesson::all(&delassus_scene::library::source_scenes());
        let with: Vec<&str> = PICTURES.iter().map(|(id, _)| *id).collect();
        let all: Vec<&str> = lessons.iter().map(|lesson| lesson.id.as_str()).collect();
        assert_eq!(with, all);
        for (id, bytes) in PICTURES {
            let image = image::load_from_memory_with_format(bytes, image::ImageFormat::Png);
            assert!(image.is_ok_and(|image| image.width() >= 180), "{id}");
        }
    }
}
