//! Small drawings for the terms of the glossary that a picture explains better than a sentence.

use egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, vec2};

use super::theme::{self, Colors};

/// Width and height of a drawing, points.
const SIZE: (f32, f32) = (260.0, 74.0);

/// A part of a drawing; positions in points from its upper left corner.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// A body: its left, top, width and height.
    Body(f32, f32, f32, f32),
    /// A frame around something: left, top, width and height.
    Frame(f32, f32, f32, f32),
    /// A bar from the baseline of the drawing: its left, width and height.
    Bar(f32, f32, f32),
    Line([f32; 4]),
    Dashes([f32; 4]),
    /// An impulse or velocity, from its tail to its head.
    Arrow([f32; 4]),
    /// A joint or contact point.
    Dot(f32, f32),
    /// A symbol, centred.
    Text(f32, f32, &'static str),
}

use Mark::{Arrow, Bar, Body, Dashes, Dot, Frame, Line, Text};

/// The drawings, by the name of their term.
const SKETCHES: &[(&str, &[Mark])] = &[
    (
        "sweep",
        &[
            Body(10.0, 38.0, 36.0, 22.0),
            Body(61.0, 38.0, 36.0, 22.0),
            Body(112.0, 38.0, 36.0, 22.0),
            Body(163.0, 38.0, 36.0, 22.0),
            Body(214.0, 38.0, 36.0, 22.0),
            Dot(53.5, 49.0),
            Dot(104.5, 49.0),
            Dot(155.5, 49.0),
            Dot(206.5, 49.0),
            Arrow([53.5, 22.0, 206.5, 22.0]),
            Text(130.0, 10.0, "one joint after another"),
        ],
    ),
    (
        "row",
        &[
            Body(20.0, 22.0, 60.0, 34.0),
            Body(180.0, 22.0, 60.0, 34.0),
            Arrow([130.0, 39.0, 182.0, 39.0]),
            Arrow([130.0, 39.0, 78.0, 39.0]),
            Text(130.0, 24.0, "λ along J"),
        ],
    ),
    (
        "slop",
        &[
            Line([20.0, 46.0, 240.0, 46.0]),
            Body(90.0, 12.0, 80.0, 40.0),
            Dashes([20.0, 60.0, 240.0, 60.0]),
            Text(30.0, 53.0, "slop"),
        ],
    ),
    (
        "island",
        &[
            Body(40.0, 40.0, 30.0, 22.0),
            Body(46.0, 18.0, 30.0, 22.0),
            Body(150.0, 40.0, 30.0, 22.0),
            Body(195.0, 40.0, 30.0, 22.0),
            Dot(187.5, 51.0),
            Frame(28.0, 8.0, 62.0, 60.0),
            Frame(140.0, 28.0, 96.0, 40.0),
        ],
    ),
    (
        "manifold",
        &[
            Line([20.0, 56.0, 240.0, 56.0]),
            Body(85.0, 16.0, 90.0, 40.0),
            Dot(87.0, 56.0),
            Dot(173.0, 56.0),
            Arrow([87.0, 56.0, 87.0, 30.0]),
            Arrow([173.0, 56.0, 173.0, 30.0]),
        ],
    ),
    (
        "effective mass",
        &[
            Body(40.0, 32.0, 40.0, 26.0),
            Line([60.0, 45.0, 210.0, 45.0]),
            Dot(60.0, 45.0),
            Dot(210.0, 45.0),
            Arrow([210.0, 45.0, 210.0, 12.0]),
            Text(135.0, 34.0, "lever arm r"),
        ],
    ),
    (
        "warm start",
        &[
            Text(62.0, 12.0, "last step"),
            Text(198.0, 12.0, "next step"),
            Body(40.0, 46.0, 44.0, 22.0),
            Body(176.0, 46.0, 44.0, 22.0),
            Arrow([62.0, 46.0, 62.0, 24.0]),
            Arrow([198.0, 46.0, 198.0, 24.0]),
            Dashes([90.0, 35.0, 170.0, 35.0]),
            Text(130.0, 26.0, "λ"),
        ],
    ),
    (
        "bias",
        &[
            Body(30.0, 26.0, 60.0, 30.0),
            Body(170.0, 26.0, 60.0, 30.0),
            Dot(90.0, 41.0),
            Dot(170.0, 41.0),
            Dashes([90.0, 41.0, 130.0, 41.0]),
            Arrow([170.0, 41.0, 130.0, 41.0]),
            Text(110.0, 28.0, "C"),
            Text(150.0, 28.0, "b"),
        ],
    ),
    (
        "Coulomb friction",
        &[
            Line([60.0, 64.0, 200.0, 64.0]),
            Line([130.0, 64.0, 82.0, 8.0]),
            Line([130.0, 64.0, 178.0, 8.0]),
            Line([82.0, 8.0, 178.0, 8.0]),
            Arrow([130.0, 64.0, 152.0, 16.0]),
            Text(200.0, 12.0, "μ λ"),
        ],
    ),
    (
        "residual",
        &[
            Bar(40.0, 22.0, 50.0),
            Bar(80.0, 22.0, 25.0),
            Bar(120.0, 22.0, 12.5),
            Bar(160.0, 22.0, 6.3),
            Text(214.0, 62.0, "left over"),
        ],
    ),
    (
        "spectral radius ρ",
        &[
            Bar(30.0, 22.0, 50.0),
            Bar(70.0, 22.0, 40.0),
            Bar(110.0, 22.0, 32.0),
            Bar(150.0, 22.0, 25.6),
            Bar(190.0, 22.0, 20.5),
            Text(214.0, 12.0, "ρ = 0.8"),
        ],
    ),
];

/// Draws the sketch of a term, if there is one.
pub(super) fn show(ui: &mut Ui, term: &str) {
    let Some((_, marks)) = SKETCHES.iter().find(|(name, _)| *name == term) else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(SIZE.0, SIZE.1), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("Sketch: {term}")));
    let colors = theme::colors(ui.visuals());
    marks.iter().for_each(|mark| draw(ui.painter(), rect, *mark, colors));
}

fn draw(painter: &Painter, rect: Rect, mark: Mark, colors: &Colors) {
    let at = |x: f32, y: f32| rect.min + vec2(x, y);
    let ends = |[x, y, to_x, to_y]: [f32; 4]| -> [Pos2; 2] { [at(x, y), at(to_x, to_y)] };
    let boxed = |x: f32, y: f32, w: f32, h: f32| Rect::from_min_size(at(x, y), vec2(w, h));
    match mark {
        Body(x, y, w, h) => {
            let stroke = Stroke::new(1.0, colors.text);
            painter.rect(boxed(x, y, w, h), 2.0, colors.raised, stroke, StrokeKind::Inside);
        }
        Frame(x, y, w, h) => {
            painter.rect_stroke(boxed(x, y, w, h), 8.0, Stroke::new(1.0, colors.accent), StrokeKind::Inside);
        }
        Bar(x, w, h) => {
            painter.rect_filled(boxed(x, SIZE.1 - 6.0 - h, w, h), 1.0, colors.accent);
        }
        Line(line) => {
            painter.line_segment(ends(line), Stroke::new(1.2, colors.text));
        }
        Dashes(line) => {
            let dashes = egui::Shape::dashed_line(&ends(line), Stroke::new(1.2, colors.weak), 5.0, 4.0);
            painter.extend(dashes);
        }
        Arrow(line) => {
            let [tail, head] = ends(line);
            painter.arrow(tail, head - tail, Stroke::new(2.0, colors.accent));
        }
        Dot(x, y) => {
            painter.circle_filled(at(x, y), 3.2, colors.strong);
        }
        Text(x, y, words) => {
            let font = FontId::proportional(12.0);
            painter.text(at(x, y), Align2::CENTER_CENTER, words, font, colors.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::super::glossary::TERMS;
    use super::*;

    #[test]
    fn every_sketch_is_of_a_term_and_lies_within_its_size() {
        let within = |x: f32, y: f32| Rect::from_min_size(Pos2::ZERO, vec2(SIZE.0, SIZE.1)).contains(pos2(x, y));
        for (name, marks) in SKETCHES {
            assert!(TERMS.iter().any(|term| term.name == *name), "{name}");
            for mark in *marks {
                let is_inside = match *mark {
                    Body(x, y, w, h) | Frame(x, y, w, h) => within(x, y) && within(x + w, y + h),
                    Bar(x, w, h) => within(x, SIZE.1 - 6.0 - h) && within(x + w, SIZE.1 - 6.0),
                    Line([x, y, to_x, to_y]) | Dashes([x, y, to_x, to_y]) | Arrow([x, y, to_x, to_y]) => {
                        within(x, y) && within(to_x, to_y)
                    }
                    Dot(x, y) => within(x, y),
                    // Half of a letter is about 3.5 points wide.
                    Text(x, y, words) => {
                        let half = 3.5 * words.chars().count() as f32;
                        within(x - half, y - 6.0) && within(x + half, y + 6.0)
                    }
                };
                assert!(is_inside, "{name}: {mark:?}");
            }
        }
    }

    /// The bars of ρ shrink by ρ = 0.8 each.
    #[test]
    fn the_bars_of_the_spectral_radius_shrink_by_it() {
        let (_, marks) = SKETCHES.iter().find(|(name, _)| name.starts_with("spectral")).expect("it is there");
        let bars = marks.iter().filter_map(|mark| if let Bar(_, _, height) = mark { Some(*height) } else { None });
        let bars: Vec<f32> = bars.collect();
        for pair in bars.windows(2) {
            assert!((pair[1] / pair[0] - 0.8).abs() < 0.005, "{pair:?}");
        }
    }
}
