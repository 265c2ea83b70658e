//! The signs of peaks that leave a plot: an arrow at the edge, with the value of the highest and of the lowest one.

use egui::{Align2, Color32, FontId, Rect, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{PlotPoint, PlotResponse};

use super::overlap::Piece;
use crate::widgets::theme::Colors;

/// Half the width of an arrow, points.
const ARROW: f32 = 4.0;

/// The highest point above `high` and the lowest below `low`, each with the index of its curve.
pub(super) fn peaks(curves: &[Piece], (low, high): (f64, f64)) -> [Option<(usize, [f64; 2])>; 2] {
    let all = || curves.iter().enumerate().flat_map(|(index, curve)| curve.iter().map(move |point| (index, *point)));
    let above = all().filter(|(_, point)| point[1] > high).max_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    let below = all().filter(|(_, point)| point[1] < low).min_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    [above, below]
}

/// Draws the sign of a peak at this x, beyond the upper or the lower edge.
pub(super) fn sign<R>(
    ui: &Ui,
    plot: &PlotResponse<R>,
    (x, up): (f64, bool),
    (words, ink): (&str, Color32),
    colors: &Colors,
) {
    let frame = *plot.transform.frame();
    let at = plot.transform.position_from_point(&PlotPoint::new(x, 0.0)).x;
    let at = at.clamp(frame.left() + ARROW, frame.right() - ARROW);
    let (edge, inward) = if up { (frame.top() + 1.0, 1.0) } else { (frame.bottom() - 1.0, -1.0) };
    let base = edge + inward * 1.6 * ARROW;
    let painter = ui.painter().with_clip_rect(frame.expand(2.0));
    let corners = vec![pos2(at, edge), pos2(at - ARROW, base), pos2(at + ARROW, base)];
    painter.add(Shape::convex_polygon(corners, ink, Stroke::NONE));
    let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(10.5), colors.strong);
    // To the right of the arrow if it fits there, otherwise to the left.
    let right = at + ARROW + 3.0 + galley.size().x <= frame.right();
    let side = if right { Align2::LEFT_TOP } else { Align2::RIGHT_TOP };
    let from = if right { at + ARROW + 3.0 } else { at - ARROW - 3.0 };
    let top = if up { frame.top() } else { frame.bottom() - galley.size().y };
    let back: Rect = side.anchor_size(pos2(from, top), galley.size());
    painter.rect_filled(back.expand2(vec2(2.0, 0.0)), 2.0, colors.overlay);
    painter.galley(back.min, galley, colors.strong);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A spike that a robust axis leaves out was cut off without a sign.
    #[test]
    fn the_farthest_values_beyond_the_axis_are_found() {
        let curves = [vec![[0.0, 1.0], [1.0, 30.0], [2.0, 2.0]], vec![[0.0, -4.0], [1.0, 0.5], [2.0, 12.0]]];
        assert_eq!(peaks(&curves, (0.0, 10.0)), [Some((0, [1.0, 30.0])), Some((1, [0.0, -4.0]))]);
        assert_eq!(peaks(&curves, (-5.0, 40.0)), [None, None]);
    }
}
