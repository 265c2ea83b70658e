//! The letters of a lesson with what they are now: of the selected joint or contact, or of the one that the lesson names.
//! The pointer on a letter, or on a formula that has it, draws it in the view.
//!
//! ```text
//! joint    anchors, axes and errors are those of the snapshot; J, K, b and λ those of one of its rows in the next step
//! contact  both anchors are the contact's point, J its normal's row
//! ```

use egui::{Align, Label, Layout, RichText, Sense, Ui, vec2};
use glam::Vec3;

use crate::lab::{Look, RowLook};
use crate::physics::row::{ContactPart, Owner, RowId};
use crate::render::palette::with_alpha;
use crate::scene::letter::{Letter, Live};
use crate::session::{BodyView, JointView, Motion};
use crate::ui::{
    panels::{
        glance::Glance,
        laboratory::{arc, row_drawing, units},
    },
    selection::Selection,
    view::View,
    view3d::{View3d, overlays},
    widgets::{
        self,
        angles::Angles,
        named,
        number::{length, with_unit},
        tex, theme,
    },
};

/// What a step adds is drawn so many times as long, for it is short.
const LONGER: f32 = 10.0;

/// What is remembered from frame to frame.
#[derive(Default)]
pub struct Memory {
    glance: Glance,
    /// The letters under the pointer, by their places in the lesson's list.
    pointed: Vec<usize>,
    /// What they are drawn as.
    marks: Vec<Mark>,
    /// The row that is drawn whole.
    row: Option<usize>,
}

/// A letter in the view, world frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Point(Vec3, String),
    /// From where, vector, how the vector's end is called.
    Arrow(Vec3, Vec3, String),
    /// A turn: centre, axis, radius.
    Turn(Vec3, Vec3, f32, String),
}

/// What a joint or contact is made of.
struct Pair<'a> {
    name: String,
    bodies: [Option<&'a BodyView>; 2],
    anchors: [Vec3; 2],
    axes: Option<[Vec3; 2]>,
    joint: Option<&'a JointView>,
    row: Option<&'a RowLook>,
    /// A and B are the other way round in the row.
    turned: bool,
    h: f32,
    beta: f32,
}

impl Memory {
    /// Draws what the pointer is on.
    pub fn draw(&mut self, view: &View<'_>, view3d: &mut View3d) {
        let color = with_alpha(overlays::VELOCITY, 1.0);
        for mark in std::mem::take(&mut self.marks) {
            match mark {
                Mark::Point(at, words) => {
                    view3d.preview.points.push((at, color, 5.0));
                    view3d.preview.words.push((at, words));
                }
                Mark::Arrow(from, vector, words) => {
                    view3d.preview.points.push((from, color, 3.0));
                    if vector.length() > 1e-6 {
                        view3d.preview.arrows.push((from, vector, color));
                    }
                    view3d.preview.words.push((from + vector, words));
                }
                Mark::Turn(at, axis, radius, words) => {
                    view3d.preview.lines.push((at - axis * radius, at + axis * radius, color, 1.4));
                    arc(view3d, at, axis, radius, color);
                    view3d.preview.words.push((at + axis * radius, words));
                }
            }
        }
        let row = self.row.take();
        if let (Some(look), Some(row)) = (&self.glance.look, row)
            && let Some(row) = look.rows.get(row)
        {
            row_drawing::draw(look, row, view, view3d);
        }
    }
}

/// Draws the table of the letters, and notes what the pointer is on. `hovered` are those of a formula under it.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    live: &Live,
    (memory, selection, angles): (&mut Memory, &Selection, Angles),
    hovered: &[usize],
) {
    memory.glance.follow(view);
    let look = memory.glance.look.take();
    let mut pointed = hovered.to_vec();
    let (mut marks, mut row) = (Vec::new(), None);
    let colors = theme::colors(ui.visuals());
    widgets::card(ui, |ui| {
        let Some(pair) = pair(view, live, look.as_ref(), selection) else {
            let words = "Nothing here has these letters now: select a joint, or a body that touches another one.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
            return;
        };
        ui.add(Label::new(RichText::new(format!("The letters of “{}”, now", pair.name)).color(colors.strong)).wrap());
        ui.spacing_mut().item_spacing.y = 1.0;
        for (index, (text, letter)) in live.letters.iter().enumerate() {
            let value = value(*letter, &pair, angles);
            let response = line(ui, text, &value, pointed.contains(&index));
            let response = named(response.on_hover_text(letter.words()), &format!("{}: {value}", letter.words()));
            if response.hovered() || response.has_focus() {
                pointed.push(index);
            }
        }
        for (_, letter) in pointed.iter().filter_map(|index| live.letters.get(*index)) {
            match letter {
                Letter::Row | Letter::K | Letter::Mass | Letter::Impulse | Letter::Force | Letter::Bias => {
                    row = pair.row.map(|row| row.index);
                }
                letter => marks.extend(mark(*letter, &pair, angles)),
            }
        }
        let words = "The pointer on a letter or a formula shows it in the view. Select another joint for its numbers.";
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
    });
    (memory.glance.look, memory.pointed, memory.marks, memory.row) = (look, pointed, marks, row);
}

/// A letter and its value over the whole width.
fn line(ui: &mut Ui, text: &str, value: &str, lit: bool) -> egui::Response {
    let colors = theme::colors(ui.visuals());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
    if lit || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, colors.accent_soft);
    }
    let mut inside = ui.new_child(
        egui::UiBuilder::new().max_rect(rect.shrink2(vec2(4.0, 0.0))).layout(Layout::left_to_right(Align::Center)),
    );
    inside.allocate_ui_with_layout(vec2(46.0, 24.0), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_size(vec2(46.0, 24.0));
        tex::formula(ui, text);
    });
    inside.add(Label::new(RichText::new(value).monospace().size(11.5).color(colors.text)).truncate().selectable(false));
    response
}

/// The selected joint or contact; else the one that the lesson names.
fn pair<'a>(view: &'a View<'_>, live: &Live, look: Option<&'a Look>, selection: &Selection) -> Option<Pair<'a>> {
    let snapshot = view.snapshot;
    let joint = selection.joint.or_else(|| {
        let nothing = selection.bodies.is_empty();
        snapshot.joints.iter().position(|joint| nothing && *joint.name == *live.of)
    });
    let (h, beta) = (snapshot.sub_step, view.settings.stabilization.beta);
    if let Some(index) = joint {
        let joint = snapshot.joints.get(index)?;
        let own = |row: &&RowLook| matches!(row.owner, Owner::Joint(owner) if owner as usize == index);
        let row = look.and_then(|look| look.rows.iter().filter(own).nth(live.row).or(look.rows.iter().find(own)));
        let has_axis = joint.axis_a.length_squared() > 0.5 && joint.kind.info().axis;
        return Some(Pair {
            name: joint.name.to_string(),
            bodies: [snapshot.body(joint.a), snapshot.body(joint.b)],
            anchors: [joint.anchor_a, joint.anchor_b],
            axes: has_axis.then_some([joint.axis_a, joint.axis_b]),
            joint: Some(joint),
            row,
            turned: false,
            h,
            beta,
        });
    }
    let named = snapshot.bodies.iter().find(|body| *body.name == *live.of).map(|body| body.id);
    let body = selection.bodies.last().copied().or(named)?;
    let look = look?;
    let normal = |row: &&RowLook| {
        let RowId::Contact { part: ContactPart::Normal(_), .. } = row.id else { return false };
        row.a == body || row.b == body
    };
    let row = look.rows.iter().find(normal)?;
    let at = row_drawing::point(look, row)?;
    let name = |id: u32| snapshot.body(id).map_or_else(|| "world".to_owned(), |body| body.name.to_string());
    // The letters are those of the body that moves: a floor has neither speed nor mass to show.
    let still = |id: u32| snapshot.body(id).is_none_or(|body| body.motion == Motion::Static);
    let turned = still(row.b) && !still(row.a);
    let [a, b] = if turned { [row.b, row.a] } else { [row.a, row.b] };
    Some(Pair {
        name: format!("{} · {}", name(a), name(b)),
        bodies: [snapshot.body(a), snapshot.body(b)],
        turned,
        anchors: [at, at],
        axes: None,
        joint: None,
        row: Some(row),
        h,
        beta,
    })
}

/// The vector that a letter is, with its unit and where it begins.
fn vector(letter: Letter, pair: &Pair<'_>) -> Option<(Vec3, Vec3, &'static str)> {
    let [a, b] = pair.bodies;
    let [at_a, at_b] = pair.anchors;
    let origin = Some(Vec3::ZERO);
    let centre = |body: Option<&BodyView>| body.map(|body| body.centre);
    Some(match letter {
        Letter::CentreA => (origin?, centre(a)?, "m"),
        Letter::CentreB => (origin?, centre(b)?, "m"),
        Letter::AnchorA => (origin?, at_a, "m"),
        Letter::AnchorB => (origin?, at_b, "m"),
        Letter::LeverA => (centre(a)?, at_a - centre(a)?, "m"),
        Letter::LeverB => (centre(b)?, at_b - centre(b)?, "m"),
        Letter::LeverS => (centre(a)?, at_b - centre(a)?, "m"),
        Letter::Gap => (at_a, at_b - at_a, "m"),
        Letter::VelocityA => (centre(a)?, a?.velocity, "m/s"),
        Letter::VelocityB => (centre(b)?, b?.velocity, "m/s"),
        Letter::SpinA => (centre(a)?, a?.angular_velocity, "rad/s"),
        Letter::SpinB => (centre(b)?, b?.angular_velocity, "rad/s"),
        Letter::AxisA => (at_a, pair.axes?[0], ""),
        Letter::AxisB => (at_b, pair.axes?[1], ""),
        Letter::Direction => {
            let row = pair.row?;
            let direction = if row.is_angular() { row.jacobian.ang_b } else { row.jacobian.lin };
            (at_b, if pair.turned { -direction } else { direction }, "")
        }
        Letter::Tangent => (centre(b)?, b?.velocity * pair.h, "m"),
        _ => return None,
    })
}

/// A letter's value in words of a constant width.
fn value(letter: Letter, pair: &Pair<'_>, angles: Angles) -> String {
    if let Some((_, vector, unit)) = vector(letter, pair) {
        let part = |c: f32| format!("{:>7}", widgets::number::component(c).trim());
        return format!("{}{}{} {unit}", part(vector.x), part(vector.y), part(vector.z));
    }
    scalar(letter, pair, angles).unwrap_or_else(|| "–".to_owned())
}

fn scalar(letter: Letter, pair: &Pair<'_>, angles: Angles) -> Option<String> {
    let readout = pair.joint.map(|joint| &joint.readout);
    Some(match letter {
        Letter::Error => length(f64::from(readout?.error)),
        Letter::Angle => angles.words(f64::from(readout?.value)),
        Letter::Lean => angles.words(f64::from(readout?.angular_error)),
        Letter::Step => with_unit(f64::from(pair.h), "s"),
        Letter::Share => format!("{:.3}", pair.beta),
        Letter::Weight => with_unit(f64::from(pair.bodies[1]?.mass), "kg"),
        Letter::Row | Letter::K | Letter::Mass | Letter::Impulse | Letter::Force | Letter::Bias | Letter::Rate => {
            let row = pair.row?;
            let unit = units::of(row);
            match letter {
                Letter::K => units::plain(f64::from(row.k), unit.inverse),
                Letter::Mass => with_unit(f64::from(row.mass()), unit.mass),
                Letter::Impulse => with_unit(f64::from(row.impulse), unit.impulse),
                Letter::Force => with_unit(f64::from(row.force), unit.force),
                Letter::Bias => with_unit(f64::from(row.bias), unit.speed),
                Letter::Rate => with_unit(f64::from(rate(row, pair)), unit.speed),
                _ => row.part(),
            }
        }
        _ => return None,
    })
}

/// J u, as the bodies move now.
fn rate(row: &RowLook, pair: &Pair<'_>) -> f32 {
    let still = (Vec3::ZERO, Vec3::ZERO);
    let of = |body: Option<&BodyView>| body.map_or(still, |body| (body.velocity, body.angular_velocity));
    let [a, b] = pair.bodies;
    let [(va, wa), (vb, wb)] = if pair.turned { [of(b), of(a)] } else { [of(a), of(b)] };
    let j = &row.jacobian;
    j.lin.dot(vb - va) + j.ang_a.dot(wa) + j.ang_b.dot(wb)
}

/// What a letter is in the view.
fn mark(letter: Letter, pair: &Pair<'_>, angles: Angles) -> Option<Mark> {
    let words = || format!("{} {}", letter.sign(), value(letter, pair, angles).trim());
    let size = pair.bodies.into_iter().flatten().map(|body| body.solid.radius).fold(0.3f32, f32::min).max(0.1);
    Some(match letter {
        Letter::CentreA | Letter::CentreB | Letter::AnchorA | Letter::AnchorB => {
            Mark::Point(vector(letter, pair)?.1, letter.sign().to_owned())
        }
        Letter::SpinA | Letter::SpinB => {
            let (at, spin, _) = vector(letter, pair)?;
            let words = format!("{} {}", letter.sign(), angles.rate(f64::from(spin.length())));
            match spin.try_normalize() {
                Some(axis) => Mark::Turn(at, axis, 1.2 * size, words),
                None => Mark::Point(at, words),
            }
        }
        Letter::VelocityA | Letter::VelocityB => {
            let (at, velocity, unit) = vector(letter, pair)?;
            // As long as the way of a quarter of a second.
            let words = format!("{} {}", letter.sign(), with_unit(f64::from(velocity.length()), unit));
            Mark::Arrow(at, velocity * 0.25, words)
        }
        Letter::Tangent => {
            let (at, way, _) = vector(letter, pair)?;
            let words = format!("h v {}, drawn {LONGER} times as long", length(f64::from(way.length())));
            Mark::Arrow(at, way * LONGER, words)
        }
        Letter::AxisA | Letter::AxisB | Letter::Direction => {
            let (at, axis, _) = vector(letter, pair)?;
            Mark::Arrow(at, axis * (3.0 * size).min(1.0), letter.sign().to_owned())
        }
        Letter::Angle | Letter::Lean => {
            let at = pair.anchors[0];
            match pair.axes {
                Some([axis, _]) => Mark::Turn(at, axis, 1.5 * size, words()),
                None => Mark::Point(at, words()),
            }
        }
        Letter::LeverA | Letter::LeverB | Letter::LeverS | Letter::Gap => {
            let (at, lever, _) = vector(letter, pair)?;
            Mark::Arrow(at, lever, format!("{} {}", letter.sign(), length(f64::from(lever.length()))))
        }
        Letter::Error => Mark::Arrow(pair.anchors[0], pair.anchors[1] - pair.anchors[0], words()),
        _ => return None,
    })
}

/// Which letters of the list a formula has.
pub fn letters_of(formula: &str, live: &Live) -> Vec<usize> {
    let found = live.letters.iter().enumerate().filter(|(_, (text, _))| has(formula, text));
    found.map(|(index, _)| index).collect()
}

/// Whether a letter stands in a formula by itself: not as a part of a command, of a word, or of a letter with an index.
fn has(formula: &str, letter: &str) -> bool {
    let joined = |c: Option<char>, also: &[char]| c.is_some_and(|c| c.is_ascii_alphabetic() || also.contains(&c));
    formula.match_indices(letter).any(|(at, _)| {
        let before = &formula[..at];
        // What begins with a backslash ends whatever stands before it.
        (letter.starts_with('\\') || !joined(before.chars().next_back(), &['\\', '_']))
            && !OPEN.iter().any(|open| before.ends_with(open))
            && !joined(formula[at + letter.len()..].chars().next(), &['_'])
    })
}

/// What opens a word or an index, in which letters are no letters.
const OPEN: [&str; 6] = ["_{", r"\mathrm{", r"\text{", r"\operatorname{", r"\begin{", r"\mathsf{"];

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn letters_are_found_where_they_stand_by_themselves() {
        assert!(has(r"K = J M^{-1}", "K") && has(r"\frac{J u}{K}", "K") && has(r"-K^{-1} J u", "J"));
        assert!(has(r"\lambda' = \max", r"\lambda") && has(r"r_A \times n", "r_A") && has(r"r_A \times n", "n"));
        // Not within a command, a word, or another letter's index.
        assert!(!has(r"\Delta\lambda", "a") && !has(r"\mathrm{cold}", "cold") && !has(r"C_n + C_{n+1}", "n"));
        assert!(!has(r"\lambda_{\max}", r"\lambda") && !has(r"r_A", "r") && !has(r"\beta", "b"));
    }
}
