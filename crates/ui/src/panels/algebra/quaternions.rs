//! Quaternion products as matrices: L(q) and R(q) as 4 × 4 matrices, and their product, the rotation of a vector.

use egui::{Button, ComboBox, DragValue, Grid, RichText, Ui};
use glam::Vec3;

use super::table;
use crate::{
    panels::laboratory::typeset::formula,
    selection::Selection,
    view::View,
    view3d::{View3d, overlays},
    widgets::{named, theme},
};
use delassus_lab::quaternion::{Quaternion, after, conjugate, left, length, of, on, right};
use delassus_render::palette::with_alpha;

const LETTERS: [&str; 4] = ["w", "x", "y", "z"];
/// The most bodies in the list.
const LISTED: usize = 200;
const MARGIN: f32 = 20.0;

/// The two factors.
#[derive(Clone, Debug)]
pub struct QuaternionFactors {
    q: Quaternion,
    /// A quaternion, or a vector if its first number is zero.
    p: Quaternion,
    /// The body whose rotation is q; `None` if q is typed in.
    body: Option<u32>,
}

impl Default for QuaternionFactors {
    /// q: a rotation by 60° about z; p: the x axis.
    fn default() -> Self {
        let (sin, cos) = (std::f64::consts::PI / 6.0).sin_cos();
        Self { q: [cos, 0.0, 0.0, sin], p: [0.0, 1.0, 0.0, 0.0], body: None }
    }
}

/// The vector part in single precision, for drawing.
fn vector([_, x, y, z]: Quaternion) -> Vec3 {
    Vec3::new(x as f32, y as f32, z as f32)
}

/// L(q) R(q⁻¹), the rotation by q.
fn turn(q: Quaternion) -> [[f64; 4]; 4] {
    after(&left(q), &right(conjugate(q)))
}

/// Draws the vector and its image under the body's rotation at the body's centre of mass, world frame.
pub(super) fn draw(numbers: &QuaternionFactors, view: &View<'_>, view3d: &mut View3d) {
    let Some(body) = numbers.body.and_then(|id| view.snapshot.body(id)) else { return };
    for (name, vector, color) in [
        ("v", vector(numbers.p), overlays::JOINT),
        ("q v q⁻¹", vector(on(&turn(numbers.q), numbers.p)), overlays::VELOCITY),
    ] {
        if vector.length() > 1e-6 {
            view3d.preview.arrows.push((body.centre, vector, with_alpha(color, 1.0)));
            view3d.preview.words.push((body.centre + vector, name.to_owned()));
        }
    }
}

pub(super) fn show(ui: &mut Ui, view: &View<'_>, numbers: &mut QuaternionFactors, selection: &Selection) {
    let colors = theme::colors(ui.visuals());
    whose(ui, view, numbers, selection);
    if let Some(body) = numbers.body.and_then(|id| view.snapshot.body(id)) {
        numbers.q = of(body.pose.rotation);
    } else {
        numbers.body = None;
    }
    ui.add_space(2.0);
    Grid::new("factors").num_columns(7).spacing([6.0, 3.0]).min_col_width(14.0).show(ui, |ui| {
        ui.label("");
        for letter in LETTERS {
            let label = egui::Label::new(RichText::new(letter).small().color(colors.weak));
            ui.add_sized([74.0, 14.0], label);
        }
        ui.end_row();
        let free = numbers.body.is_none();
        for (name, factor, free) in [("q", &mut numbers.q, free), ("p", &mut numbers.p, true)] {
            formula(ui, &format!("${name}$"));
            for (part, letter) in factor.iter_mut().zip(LETTERS) {
                let drag = DragValue::new(part).range(-100.0..=100.0).speed(0.01).fixed_decimals(4);
                let cell = ui.add_enabled_ui(free, |ui| ui.add_sized([74.0, 20.0], drag)).inner;
                named(cell, &format!("{name} {letter}"));
            }
            if name == "q" {
                ui.label(RichText::new(format!("length {:.4}", length(*factor))).monospace().size(11.5));
            } else {
                let said = if factor[0] == 0.0 { "a vector: its w is zero" } else { "a quaternion" };
                ui.label(RichText::new(said).small().color(colors.weak));
            }
            ui.end_row();
        }
    });
    ui.horizontal(|ui| {
        let clicked =
            |ui: &mut Ui, words: &str, tip: &str| named(ui.add(Button::new(words)), words).on_hover_text(tip).clicked();
        if clicked(ui, "To unit length", "Divides q by its length") && length(numbers.q) > 0.0 {
            let long = length(numbers.q);
            (numbers.q, numbers.body) = (numbers.q.map(|part| part / long), None);
        }
        if clicked(ui, "−q in place of q", "Flips all four signs; the rotation is the same") {
            (numbers.q, numbers.body) = (numbers.q.map(|part| 0.0 - part), None);
        }
        if clicked(ui, "q⁻¹ in place of q", "The inverse rotation, for a q of unit length") {
            (numbers.q, numbers.body) = (conjugate(numbers.q).map(|part| part + 0.0), None);
        }
    });
    ui.add_space(6.0);
    let (q, p) = (numbers.q, numbers.p);
    let (l, r) = (left(q), right(q));
    matrices(ui, "$q p$ = $L$($q$) $p$", ("L(q)", &l), ("p", p), ("q p", on(&l, p)));
    matrices(ui, "$p q$ = $R$($q$) $p$", ("R(q)", &r), ("p", p), ("p q", on(&r, p)));
    let both = turn(q);
    let said =
        "$q p q$^−1^ = $L$($q$) $R$($q$^−1^) $p$, which rotates p's last three numbers where $q$ has unit length";
    matrices(ui, said, ("L(q) R(q⁻¹)", &both), ("p", p), ("q p q⁻¹", on(&both, p)));
    let said = "L and R have the same first row and column: the two products differ only in the sign of the cross \
                product. With −q in place of q, both matrices change sign, but the rotation stays the same.";
    ui.add(egui::Label::new(RichText::new(said).small().color(colors.weak)).wrap());
}

/// A choice between typed numbers and the rotation of a body.
fn whose(ui: &mut Ui, view: &View<'_>, numbers: &mut QuaternionFactors, selection: &Selection) {
    // A new selection is adopted, as on the other pages.
    let picked = selection.bodies.last().copied();
    let known = egui::Id::unique("the body whose quaternion is shown");
    if picked.is_some() && ui.data(|data| data.get_temp(known)) != Some(picked) {
        numbers.body = picked;
    }
    ui.data_mut(|data| data.insert_temp(known, picked));
    let name = |id: u32| view.snapshot.body(id).map_or_else(String::new, |body| body.name.to_string());
    let shown = numbers.body.map_or_else(|| "Custom numbers".to_owned(), name);
    ui.horizontal(|ui| {
        formula(ui, "$q$ is");
        let combo = ComboBox::from_id_salt("rotation").width(240.0).truncate().selected_text(shown);
        let drawn = combo.show_ui(ui, |ui| {
            ui.selectable_value(&mut numbers.body, None, "Custom numbers");
            for body in view.snapshot.bodies.iter().take(LISTED) {
                ui.selectable_value(&mut numbers.body, Some(body.id), body.name.to_string());
            }
        });
        named(drawn.response, "Rotation of");
        let weak = theme::colors(ui.visuals()).weak;
        ui.label(RichText::new("a body's rotation, live, or numbers of your own").small().color(weak));
    });
}

/// Shows a matrix, the four numbers it is applied to, and the result.
fn matrices(
    ui: &mut Ui,
    title: &str,
    (name, square): (&str, &[[f64; 4]; 4]),
    (of, p): (&str, Quaternion),
    (result, made): (&str, Quaternion),
) {
    formula(ui, title);
    let letters = LETTERS.map(str::to_owned);
    ui.horizontal(|ui| {
        let matrix = table::MatrixTable { name, rows: &letters, columns: &letters, parts: (4, 4), margin: MARGIN };
        table::show(ui, &matrix, |i, k| square[i][k]);
        for (sign, name, column) in [("·", of, p), ("=", result, made)] {
            ui.label(sign);
            let columns = [name.to_owned()];
            let whole = format!("{name} is {}", column.map(table::digits).join(", "));
            let numbers =
                table::MatrixTable { name: &whole, rows: &letters, columns: &columns, parts: (4, 1), margin: MARGIN };
            table::show(ui, &numbers, |i, _| column[i]);
        }
    });
    ui.add_space(4.0);
}
