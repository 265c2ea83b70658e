//! A symbol of a lesson drawn in the view: a point, an arrow or a rotation.

use glam::Vec3;

use super::pair::{LessonConstraint, value, vector};
use crate::{
    panels::laboratory::arc,
    view3d::{View3d, overlays},
    widgets::{
        angles::Angles,
        number::{length, with_unit},
    },
};
use delassus_render::palette::with_alpha;
use delassus_scene::letter::Letter;

/// Factor on the drawn length of the displacement in one step, h v, which is short.
const LONGER: f32 = 10.0;

/// A drawn symbol, world frame.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewSymbol {
    Point(Vec3, String),
    /// Start, vector, label of its tip.
    Arrow(Vec3, Vec3, String),
    /// A rotation: centre, axis (unit vector), radius (m), label.
    Turn(Vec3, Vec3, f32, String),
}

impl ViewSymbol {
    /// Draws the symbol.
    pub fn draw(self, view3d: &mut View3d) {
        let color = with_alpha(overlays::VELOCITY, 1.0);
        match self {
            Self::Point(at, words) => {
                view3d.preview.points.push((at, color, 5.0));
                view3d.preview.words.push((at, words));
            }
            Self::Arrow(from, vector, words) => {
                view3d.preview.points.push((from, color, 3.0));
                if vector.length() > 1e-6 {
                    view3d.preview.arrows.push((from, vector, color));
                }
                view3d.preview.words.push((from + vector, words));
            }
            Self::Turn(at, axis, radius, words) => {
                view3d.preview.lines.push((at - axis * radius, at + axis * radius, color, 1.4));
                arc(view3d, at, axis, radius, color);
                view3d.preview.words.push((at + axis * radius, words));
            }
        }
    }
}

/// A symbol of a lesson's formulas as plain text, since the view has no LaTeX: `\omega_B` as `ωB`.
fn plain(text: &str) -> String {
    let names = [(r"\lambda", "λ"), (r"\omega", "ω"), (r"\theta", "θ"), (r"\beta", "β")];
    let spelled = names.into_iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter));
    spelled.replace(['_', '{', '}'], "")
}

/// How a symbol is drawn in the view, labelled as in the lesson; `None` if it has no position there.
pub fn mark(letter: Letter, text: &str, pair: &LessonConstraint<'_>, angles: Angles) -> Option<ViewSymbol> {
    let sign = plain(text);
    let words = || format!("{sign} {}", value(letter, pair, angles).trim());
    let size = pair.bodies.into_iter().flatten().map(|body| body.solid.radius).fold(0.3f32, f32::min).max(0.1);
    Some(match letter {
        Letter::CentreA | Letter::CentreB | Letter::AnchorA | Letter::AnchorB => {
            ViewSymbol::Point(vector(letter, pair)?.1, sign)
        }
        Letter::SpinA | Letter::SpinB => {
            let (at, spin, _) = vector(letter, pair)?;
            let words = format!("{sign} {}", angles.rate(f64::from(spin.length())));
            match spin.try_normalize() {
                Some(axis) => ViewSymbol::Turn(at, axis, 1.2 * size, words),
                None => ViewSymbol::Point(at, words),
            }
        }
        Letter::VelocityA | Letter::VelocityB => {
            let (at, velocity, unit) = vector(letter, pair)?;
            // As long as the distance covered in a quarter of a second.
            let words = format!("{sign} {}", with_unit(f64::from(velocity.length()), unit));
            ViewSymbol::Arrow(at, velocity * 0.25, words)
        }
        Letter::Tangent => {
            let (at, way, _) = vector(letter, pair)?;
            let words = format!("h v {}, drawn {LONGER} times as long", length(f64::from(way.length())));
            ViewSymbol::Arrow(at, way * LONGER, words)
        }
        Letter::AxisA | Letter::AxisB | Letter::Direction => {
            let (at, axis, _) = vector(letter, pair)?;
            ViewSymbol::Arrow(at, axis * (3.0 * size).min(1.0), sign)
        }
        Letter::Angle | Letter::Lean => {
            let at = pair.anchors[0];
            match pair.axes {
                Some([axis, _]) => ViewSymbol::Turn(at, axis, 1.5 * size, words()),
                None => ViewSymbol::Point(at, words()),
            }
        }
        Letter::LeverA | Letter::LeverB | Letter::LeverS | Letter::Gap => {
            let (at, lever, _) = vector(letter, pair)?;
            ViewSymbol::Arrow(at, lever, format!("{sign} {}", length(f64::from(lever.length()))))
        }
        Letter::Error => ViewSymbol::Arrow(pair.anchors[0], pair.anchors[1] - pair.anchors[0], words()),
        _ => return None,
    })
}
