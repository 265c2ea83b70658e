//! Controls that egui lacks: a sliding switch, a row of alternatives, icon buttons.
//!
//! Every control has an accessible name, by which screen readers and the tests find it.

pub mod angles;
pub mod events;
pub mod glossary;
mod glossary_sketch;
pub mod graph;
pub mod number;
pub mod refusals;
mod search;
mod segments;
pub mod sensor;
pub mod tex;
pub mod theme;
pub mod words;

use egui::{
    Align2, Atom, AtomExt as _, Button, Color32, CornerRadius, Frame, Margin, Rect, Response, RichText, Role, Sense,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use lucide_icons::Icon;

pub use search::search_field;
pub use segments::{Segment, segments};

/// An icon as text, alone or before words.
pub fn icon(icon: Icon) -> RichText {
    icon_sized(icon, 15.0)
}

/// An icon of a given size in points.
pub fn icon_sized(icon: Icon, size: f32) -> RichText {
    RichText::new(char::from(icon)).font(theme::icon_font(size))
}

/// Gives a control its accessible name.
pub fn named(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
    response
}

/// A square icon button; `name` is its accessible name, `tip` its tooltip.
pub fn icon_button(ui: &mut Ui, image: Icon, name: &str, tip: &str) -> Response {
    icon_toggle(ui, image, false, name, tip)
}

/// A square icon button that stays pressed while `on`.
pub fn icon_toggle(ui: &mut Ui, image: Icon, on: bool, name: &str, tip: &str) -> Response {
    let size = vec2(28.0, theme::ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let visuals = ui.style().interact(&response);
    let colors = theme::colors(ui.visuals());
    let fill = if on {
        colors.accent_soft
    } else if response.hovered() || response.has_focus() {
        visuals.weak_bg_fill
    } else {
        Color32::TRANSPARENT
    };
    let ink = if !ui.is_enabled() {
        colors.weak
    } else if on {
        colors.accent
    } else {
        visuals.fg_stroke.color
    };
    ui.painter().rect_filled(rect, CornerRadius::same(5), fill);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, char::from(image), theme::icon_font(15.0), ink);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response.on_hover_text(tip)
}

/// A small icon button, as tall as text, for use inside a row.
pub fn mark_button(ui: &mut Ui, image: Icon, color: Color32, name: &str, tip: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(18.0), Sense::click());
    if response.hovered() || response.has_focus() {
        let fill = ui.style().interact(&response).weak_bg_fill;
        ui.painter().rect_filled(rect, CornerRadius::same(4), fill);
    }
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, char::from(image), theme::icon_font(13.0), color);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    response.on_hover_text(tip)
}

/// A sliding switch. Returns whether it was flipped.
pub fn switch(ui: &mut Ui, on: &mut bool, name: &str) -> Response {
    let (rect, mut response) = ui.allocate_exact_size(vec2(34.0, theme::ROW_HEIGHT), Sense::click());
    if response.clicked() {
        *on = !*on;
        response.mark_changed();
    }
    let (enabled, selected) = (ui.is_enabled(), *on);
    response.widget_info(|| WidgetInfo::selected(Role::Switch, enabled, selected, name));

    let colors = theme::colors(ui.visuals());
    let how_on = ui.ctx().animate_bool_responsive(response.id, *on);
    let track = Rect::from_center_size(rect.center(), vec2(32.0, 17.0));
    let radius = track.height() * 0.5;
    let fill = colors.track.lerp_to_gamma(colors.accent, how_on);
    let outline = if response.hovered() || response.has_focus() { colors.weak } else { Color32::TRANSPARENT };
    ui.painter().rect(track, radius, fill, Stroke::new(1.0, outline), StrokeKind::Outside);
    let x = egui::lerp(track.left() + radius..=track.right() - radius, how_on);
    let knob = if ui.visuals().dark_mode { Color32::from_gray(245) } else { Color32::WHITE };
    ui.painter().circle(pos2(x, track.center().y), radius - 2.5, knob, Stroke::new(0.5, Color32::from_black_alpha(60)));
    response
}

/// A column that fills the available space and scrolls; it scrolls to the control that has the keyboard focus.
pub fn scroll(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    // By default a scroll area is at least 64 points high, and in a lower panel would cover what is below it.
    let area = egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(16.0);
    area.id_salt(name).show(ui, |ui| {
        contents(ui);
        scroll_to_focus(ui);
    });
}

/// At the end of a scroll area's contents: scrolls to the control that has just got the keyboard focus.
fn scroll_to_focus(ui: &Ui) {
    let Some(response) = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id)) else { return };
    if response.gained_focus() && ui.min_rect().contains_rect(response.rect) && response.layer_id == ui.layer_id() {
        ui.scroll_to_rect(response.rect, None);
    }
}

/// The title of a section.
pub fn title(ui: &mut Ui, text: &str) -> Response {
    let color = theme::colors(ui.visuals()).weak;
    ui.label(RichText::new(text.to_uppercase()).small().color(color).extra_letter_spacing(0.6))
}

/// The content of an empty panel: an icon and a hint.
pub fn empty(ui: &mut Ui, image: Icon, text: &str) {
    let colors = theme::colors(ui.visuals());
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.label(icon_sized(image, 26.0).color(colors.weak));
        ui.add_space(2.0);
        ui.label(RichText::new(text).color(colors.weak));
    });
}

/// A raised card over the whole width.
pub fn card<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> egui::InnerResponse<R> {
    let colors = theme::colors(ui.visuals());
    Frame::new()
        .fill(colors.raised)
        .stroke(Stroke::new(1.0, colors.line))
        .corner_radius(CornerRadius::same(7))
        .inner_margin(Margin::symmetric(10, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            contents(ui)
        })
}

/// A leading text that is always shown in full, and words that are truncated if there is too little room; egui would
/// truncate the first text.
pub fn lead<'a>(first: RichText, words: impl Into<egui::WidgetText>) -> (Atom<'a>, Atom<'a>) {
    (first.into(), Atom::from(words.into()).atom_shrink(true))
}

/// A button with an icon and words.
pub fn word_button(ui: &mut Ui, image: Icon, words: &str) -> Response {
    named(ui.add(Button::new((icon(image), words))), words)
}

/// The first line of a floating window: its title and a close button. True if that was clicked.
pub fn window_header(ui: &mut Ui, title: &str) -> bool {
    let colors = theme::colors(ui.visuals());
    let mut close = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).size(16.0).color(colors.strong));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            close = icon_button(ui, Icon::X, &format!("Close {title}"), "Close  (Esc)").clicked();
        });
    });
    ui.separator();
    close
}

/// A page lower than this, in points, gets a title no larger than its text.
const LOW: f32 = 280.0;

/// The first line of a page in a dock: its title (if it fits beside `tabs`, which take `width` points), the tabs, and
/// a close button. True if that was clicked.
pub fn page_header(ui: &mut Ui, title: &str, width: f32, tabs: impl FnOnce(&mut Ui)) -> bool {
    let colors = theme::colors(ui.visuals());
    let low = ui.available_height() < LOW;
    let (height, size) = if low { (22.0, 13.0) } else { (28.0, 16.0) };
    let mut close = false;
    let line = vec2(ui.available_width(), height);
    ui.allocate_ui_with_layout(line, egui::Layout::right_to_left(egui::Align::Center), |ui| {
        close = icon_button(ui, Icon::X, &format!("Close {title}"), "Close  (Esc)").clicked();
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let words = RichText::new(title).size(size).color(colors.strong);
            let font = egui::FontId::proportional(size);
            let word = ui.painter().layout_no_wrap(title.to_owned(), font, colors.strong).size().x;
            if width == 0.0 || ui.available_width() > word + width + 16.0 {
                ui.add(egui::Label::new(words).truncate());
                ui.add_space(8.0);
            }
            if width > 0.0 {
                let size = vec2(ui.available_width().min(width), 22.0);
                ui.allocate_ui(size, |ui| {
                    ui.set_max_width(size.x);
                    tabs(ui);
                });
            }
        });
    });
    if !low {
        ui.separator();
    }
    close
}

/// A page that floats over the window, of this size if the window is large enough, initially at the right end of
/// `over`, so that the content left of it stays readable. `contents` is given the available size. True if it is to be
/// closed.
pub fn page(ui: &Ui, title: &str, over: Rect, size: Vec2, contents: impl FnOnce(&mut Ui, Vec2)) -> bool {
    let screen = ui.ctx().content_rect();
    let room = size.min(screen.size() - vec2(40.0, 120.0)).max(vec2(200.0, 120.0));
    let left = (over.right() - room.x - 40.0).max(screen.left() + 8.0);
    let mut close = false;
    egui::Window::new(title)
        .title_bar(false)
        .resizable(false)
        .default_pos(pos2(left, screen.center().y - 0.5 * room.y - 30.0))
        .pivot(Align2::LEFT_TOP)
        .show(ui.ctx(), |ui| {
            ui.set_width(room.x);
            close = window_header(ui, title);
            contents(ui, room);
        });
    close
}

#[cfg(test)]
pub mod tests;
