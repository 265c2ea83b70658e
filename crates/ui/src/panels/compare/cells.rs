//! The other runs in the view: the area of each picture, pointer input there, and the labels.

use egui::{Align2, FontId, PointerButton, Rect, Sense, Stroke, Ui, pos2, vec2};
use glam::Vec2;

use super::{color, letter, name};
use crate::{
    view::View,
    view3d::{View3d, picture_builder::GhostRun},
    widgets::theme,
};

/// The least width of a picture, points.
const MIN_WIDTH: f32 = 150.0;

/// The areas of `count` runs' pictures, each as square as possible; the first is the current run's. One picture if
/// there is no room for more.
pub fn layout(room: Rect, count: usize) -> Vec<Rect> {
    let shape = |columns: usize| {
        let rows = count.div_ceil(columns);
        (room.width() / columns as f32, room.height() / rows as f32)
    };
    let square = |columns: &usize| {
        let (width, height) = shape(*columns);
        width.min(height)
    };
    let Some(columns) = (1..=count).max_by(|a, b| square(a).total_cmp(&square(b))) else { return vec![room] };
    let (width, height) = shape(columns);
    if count < 2 || width < MIN_WIDTH || height < MIN_WIDTH * 0.7 {
        return vec![room];
    }
    let cell = |k: usize| {
        let at = pos2(room.left() + (k % columns) as f32 * width, room.top() + (k / columns) as f32 * height);
        Rect::from_min_size(at, vec2(width, height))
    };
    (0..count).map(cell).collect()
}

/// Handles the pointer in the other runs' pictures: all move the same camera. Returns the areas of the pictures' tags.
pub fn show(ui: &mut Ui, view: &View<'_>, cells: &[Rect], view3d: &mut View3d) -> Vec<Rect> {
    let mut tags = Vec::new();
    let colors = theme::colors(ui.visuals());
    for (k, cell) in cells.iter().enumerate() {
        let id = ui.scope_id().with(("picture", k));
        let response = ui.interact(*cell, id, Sense::CLICK | Sense::DRAG);
        let words = format!("Picture of run {}", letter(k + 1));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &words));
        let size = Vec2::new(cell.width(), cell.height());
        let delta = Vec2::new(response.drag_delta().x, response.drag_delta().y);
        let (shift, alt) = ui.input(|i| (i.modifiers.shift, i.modifiers.alt));
        if response.dragged_by(PointerButton::Middle) && shift {
            view3d.camera.pan(delta, size);
        } else if response.dragged_by(PointerButton::Middle) || (response.dragged_by(PointerButton::Primary) && alt) {
            view3d.camera.orbit(delta);
        } else if response.dragged_by(PointerButton::Secondary) {
            view3d.camera.look(delta);
        }
        if let Some(at) = response.hover_pos() {
            let notches = ui.input(|i| i.smooth_scroll_delta().y) / 50.0;
            if notches != 0.0 {
                let local = Vec2::new(at.x - cell.left(), at.y - cell.top());
                view3d.camera.zoom_to_pointer(notches, local, size, None);
            }
        }
        ui.painter().rect_stroke(*cell, 0.0, Stroke::new(1.0, colors.line), egui::StrokeKind::Inside);
        tags.push(tag(ui, view, k + 1, *cell));
    }
    tags
}

/// Draws the label of a run's picture. Returns the area that it covers.
pub fn tag(ui: &Ui, view: &View<'_>, run: usize, cell: Rect) -> Rect {
    let colors = theme::colors(ui.visuals());
    let painter = ui.painter().with_clip_rect(cell);
    let text = format!("{}  {}", letter(run), name(view, run));
    let galley = painter.layout(text, FontId::proportional(12.5), colors.strong, (cell.width() - 60.0).max(40.0));
    let back = Align2::LEFT_TOP.anchor_size(cell.left_top() + vec2(10.0, 10.0), galley.size() + vec2(22.0, 6.0));
    painter.rect_filled(back, 5.0, colors.overlay);
    let bar = Rect::from_min_size(back.min + vec2(6.0, 4.0), vec2(4.0, back.height() - 8.0));
    painter.rect_filled(bar, 1.0, color(run, ui.visuals()));
    painter.galley(back.min + vec2(16.0, 3.0), galley, colors.strong);
    back
}

/// The other runs as ghosts in the current run's picture.
pub fn pictures<'a>(view: &'a delassus_session::Session, visuals: &egui::Visuals) -> Vec<GhostRun<'a>> {
    let colour = |run: usize| {
        let ink = color(run, visuals);
        [ink.r(), ink.g(), ink.b()].map(|c| f32::from(c) / 255.0)
    };
    let ghost = |(k, run): (usize, &'a delassus_session::ComparedRun)| GhostRun {
        snapshot: run.session().snapshot(),
        color: colour(k + 1),
    };
    view.runs().iter().enumerate().map(ghost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_share_the_room_and_do_not_lie_over_each_other() {
        let room = Rect::from_min_size(pos2(10.0, 20.0), vec2(800.0, 500.0));
        for count in 1..=4 {
            let cells = layout(room, count);
            assert_eq!(cells.len(), count);
            for (k, cell) in cells.iter().enumerate() {
                assert!(room.expand(0.01).contains_rect(*cell));
                assert!(cells[..k].iter().all(|other| other.intersect(*cell).area() < 1.0), "{count}: {k}");
            }
        }
        // Two are drawn side by side in a wide area and one above the other in a high one.
        assert!(layout(room, 2)[1].left() > room.center().x - 1.0);
        let high = Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 600.0));
        assert!(layout(high, 2)[1].top() > 299.0);
        let narrow = Rect::from_min_size(pos2(0.0, 0.0), vec2(200.0, 150.0));
        assert_eq!(layout(narrow, 4).len(), 1, "no room for more than one");
    }
}
