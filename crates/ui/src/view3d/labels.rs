//! Discs and labels over the picture. Labels are placed beside what they belong to and clear of panels and of each other.

use egui::{Color32, FontId, Pos2, Rect, Stroke, Ui, Vec2, vec2};
use glam::Vec3;

use crate::{
    view::View,
    view3d::{View3d, joint_shape::JointEnds, overlays, placing},
    widgets::theme,
};
use delassus_session::{Motion, Snapshot};

/// Offset of a label from its point, horizontal and vertical, points.
const AWAY: Vec2 = vec2(4.0, 9.0);
/// A label farther than this from its point has a line to it, points.
const FAR: f32 = 16.0;
/// Radius of a disc and width of its ring, points.
const DISC: (f32, f32) = (5.0, 1.5);
/// Places around a point: right (1) or left (−1), above (−1) or below (1), and farther away. A body's label is centred
/// above it, so that it is not taken for its neighbour's.
const RIGHT: [f32; 2] = [1.0, -1.0];
const OVER: [f32; 2] = [0.0, -1.0];
const AROUND: [[f32; 2]; 8] =
    [RIGHT, [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -3.0], [-1.0, -3.0], [1.0, 3.0], [-1.0, 3.0]];

/// Draws the scene's labels, the label under the pointer, names of bodies, and large joint errors. `taken` are the
/// areas that are covered already.
pub fn show(ui: &Ui, view: &View<'_>, state: &View3d, taken: Vec<Rect>) {
    draw(ui, view, state, (view.snapshot, state.rect, true), taken);
}

/// The same in the picture of another run, without what belongs to the pointer.
pub fn show_run(ui: &mut Ui, view: &View<'_>, state: &View3d, (snapshot, rect): (&Snapshot, Rect), taken: Vec<Rect>) {
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.set_clip_rect(rect);
    draw(ui, view, state, (snapshot, rect, false), taken);
}

fn draw(
    ui: &Ui,
    view: &View<'_>,
    state: &View3d,
    (snapshot, rect, is_main): (&Snapshot, Rect, bool),
    taken: Vec<Rect>,
) {
    let size = glam::Vec2::new(rect.width(), rect.height());
    let colors = theme::colors(ui.visuals());
    let mut placed = taken;
    let seen = |at: Vec3| state.camera.project(at, size);
    for (at, color) in state.preview.discs.iter().filter(|_| is_main) {
        let at = seen(*at).map(|p| rect.min + vec2(p.x, p.y)).filter(|at| rect.contains(*at));
        if let Some(at) = at {
            ui.painter().circle(at, DISC.0, theme::from_palette(*color), Stroke::new(DISC.1, colors.overlay));
        }
    }
    let mut write = |at: Option<glam::Vec2>, text: &str, color: Color32, first: Option<[f32; 2]>| {
        if let Some(p) = at {
            let at = rect.min + vec2(p.x, p.y);
            let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(11.5), color);
            let margin = vec2(4.0, 1.0);
            let size = galley.size() + 2.0 * margin;
            let back = match first {
                Some(first) => place(rect, &placed, at, size, first),
                None => label_rect(at, size, RIGHT),
            };
            if first.is_some() {
                placed.push(back);
                let near = back.clamp(at);
                if near.distance(at) > FAR {
                    ui.painter().line_segment([at, near], Stroke::new(1.0, colors.weak));
                }
            }
            ui.painter().rect_filled(back, 4.0, colors.overlay);
            ui.painter().galley(back.min + margin, galley, color);
        }
    };
    for (at, text) in state.preview.words.iter().filter(|_| is_main) {
        write(seen(*at), text, colors.strong, Some(RIGHT));
    }
    for label in &view.scene.opens.labels {
        let body = snapshot.bodies.iter().find(|body| *body.name == *label.over);
        if let Some(body) = body.filter(|body| !state.visibility.is_hidden(body.id)) {
            write(placing::above(body, &state.camera, size), &label.says, colors.strong, Some(OVER));
        }
    }
    if state.overlays.names {
        for body in
            snapshot.bodies.iter().filter(|b| b.motion != Motion::Static && !state.visibility.is_hidden(b.id)).take(400)
        {
            write(seen(body.centre), &body.name, colors.text, None);
        }
    }
    if state.overlays.joint_error {
        let shown = snapshot.joints.iter().enumerate().filter(|(i, j)| !state.visibility.hides_joint(*i, j));
        let errors = shown.map(|(_, joint)| (joint, snapshot.error(joint)));
        let mut worst: Vec<_> = errors.filter(|(_, error)| *error > 0.02).collect();
        worst.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (joint, error) in worst.into_iter().take(5) {
            let place = snapshot.place(joint);
            // Beside the drawn thread.
            let wanted = JointEnds::of(joint, snapshot, 1.0).wanted(joint).unwrap_or(place.anchor_a);
            let middle = (wanted + place.anchor_b) * 0.5;
            let text = crate::widgets::number::length(f64::from(error));
            write(seen(middle), &text, theme::from_palette(overlays::JOINT_ERROR), Some(RIGHT));
        }
    }
}

/// The rectangle of a label of this size beside a point, on the side given by the signs of `side`.
fn label_rect(at: Pos2, size: Vec2, [right, down]: [f32; 2]) -> Rect {
    let middle = at + vec2(right * (AWAY.x + 0.5 * size.x), down * (AWAY.y + 0.5 * size.y) * 0.5);
    Rect::from_center_size(middle, size)
}

/// A free place for a label of this size at the point `at`: `first`, else the first free place around it inside the
/// view, else below the labels and areas that are there.
fn place(view: Rect, placed: &[Rect], at: Pos2, size: Vec2, first: [f32; 2]) -> Rect {
    let within = |rect: Rect| {
        // A point outside the view keeps its label outside.
        if !view.contains(at) {
            return rect;
        }
        let room = view.shrink(2.0);
        let corner_limit = (room.max - rect.size()).max(room.min);
        rect.translate(rect.min.clamp(room.min, corner_limit) - rect.min)
    };
    let free = |rect: &Rect| placed.iter().all(|there| !there.intersects(*rect));
    let mut around = std::iter::once(first).chain(AROUND).map(|side| within(label_rect(at, size, side)));
    around.find(free).unwrap_or_else(|| {
        let first = within(label_rect(at, size, first));
        // High obstacles, such as the numbers, are passed on the right.
        let over = placed.iter().find(|there| there.intersects(first) && there.height() > 3.0 * size.y);
        let right =
            over.map(|there| within(first.translate(vec2(there.right() + 4.0 - first.left(), 0.0)))).filter(free);
        right.unwrap_or_else(|| below(placed, first))
    })
}

/// Moves a rectangle down below everything that it overlaps.
fn below(placed: &[Rect], mut back: Rect) -> Rect {
    // Each obstacle is passed once: far outside the picture rounding could keep it overlapping forever.
    for _ in placed {
        let Some(there) = placed.iter().find(|there| there.intersects(back)) else { break };
        back = back.translate(vec2(0.0, there.bottom() + 1.0 - back.top()));
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    /// Two labels at one place far outside the picture once made an endless loop.
    #[test]
    fn words_far_away_end() {
        let word = |y: f32| Rect::from_min_size(pos2(0.0, y), vec2(40.0, 14.0));
        let moved = below(&[word(10.0), word(26.0)], word(12.0));
        assert!(moved.top() > 40.0 && moved.top() < 43.0, "below both: {moved:?}");
        below(&[word(1e9)], word(1e9));
    }

    /// The read-out of a small view once covered the labels of bodies at its left.
    #[test]
    fn words_avoid_what_lies_over_the_picture_and_each_other() {
        let view = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 240.0));
        let readout = Rect::from_min_size(pos2(10.0, 10.0), vec2(130.0, 70.0));
        let size = vec2(60.0, 16.0);
        for at in [pos2(20.0, 20.0), pos2(60.0, 60.0), pos2(130.0, 40.0), pos2(395.0, 120.0), pos2(200.0, 2.0)] {
            let mut placed = vec![readout];
            // A dozen labels at one point.
            for count in 0..12 {
                let back = place(view, &placed, at, size, RIGHT);
                assert!(placed.iter().all(|there| !there.intersects(back)), "{at:?}: {back:?} in {placed:?}");
                assert!(count > 8 || view.contains_rect(back), "{at:?}: {back:?}");
                placed.push(back);
            }
        }
        // A label with free room is to the right of its point, a little above it.
        let back = place(view, &[readout], pos2(200.0, 150.0), size, RIGHT);
        assert!(back.left() > 200.0 && back.left() < 210.0 && back.contains(pos2(220.0, 140.0)), "{back:?}");
        let back = place(view, &[readout], pos2(200.0, 150.0), size, OVER);
        assert!(back.center().x == 200.0 && back.bottom() < 150.0, "{back:?}");
        // The label of a point outside the view stays outside.
        assert!(!view.intersects(place(view, &[readout], pos2(-200.0, 100.0), size, RIGHT)));
    }
}
