//! The symbols of a lesson with their current values, for the selected joint or contact, or for the one that the
//! lesson names. Pointing at a symbol, or at a formula that contains it, draws it in the view.
//!
//! ```text
//! joint    anchors, axes and errors come from the snapshot; J, K, b and λ from one of its rows in the next step
//! contact  both anchors are the contact point; J is that of its normal row
//! ```

use egui::{Align, Label, Layout, RectAlign, RichText, Sense, Ui, vec2};

use super::{
    mark::{ViewSymbol, mark},
    pair::{pair, value},
};
use crate::{
    panels::{laboratory::row_drawing, next_step::NextStep},
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{self, angles::Angles, named, tex, theme},
};
use delassus_scene::letter::{Letter, Live};

/// State kept between frames.
#[derive(Default)]
pub struct Memory {
    next_step: NextStep,
    /// The symbols under the pointer, as indices into the lesson's list.
    pointed: Vec<usize>,
    /// How they are drawn.
    marks: Vec<ViewSymbol>,
    /// Index of a row that is drawn as a whole.
    row: Option<usize>,
}

impl Memory {
    /// Draws what the pointer is on.
    pub fn draw(&mut self, view: &View<'_>, view3d: &mut View3d) {
        self.next_step.end_frame();
        std::mem::take(&mut self.marks).into_iter().for_each(|mark| mark.draw(view3d));
        let row = self.row.take();
        if let (Some(traced), Some(row)) = (self.next_step.traced(), row)
            && let Some(row) = traced.rows.get(row)
        {
            row_drawing::draw(&traced, row, view, view3d);
        }
    }
}

/// Draws the table of the symbols, and notes the ones under the pointer. `hovered` are the symbols of a hovered
/// formula.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    live: &Live,
    (memory, selection, angles): (&mut Memory, &Selection, Angles),
    hovered: &[usize],
) {
    memory.next_step.update(view);
    let traced = memory.next_step.traced();
    let mut pointed = hovered.to_vec();
    let (mut marks, mut row) = (Vec::new(), None);
    let colors = theme::colors(ui.visuals());
    widgets::card(ui, |ui| {
        if memory.next_step.show_pending(ui) {
            return;
        }
        let Some(pair) = pair(view, live, traced.as_deref(), selection) else {
            let words = "Nothing here has these symbols now: select a joint, or a body that touches another one.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
            return;
        };
        ui.add(Label::new(RichText::new(format!("Symbols of “{}”, now", pair.name)).color(colors.strong)).wrap());
        if pair.joint.is_none() && pair.row.is_none() {
            let words = "There is no contact now. The symbols of its row have values while there is one.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        }
        ui.spacing_mut().item_spacing.y = 1.0;
        for (index, (text, letter)) in live.letters.iter().enumerate() {
            let value = value(*letter, &pair, angles);
            let response = line(ui, text, &value, pointed.contains(&index));
            aside(&response, letter.words());
            let response = named(response, &format!("{}: {value}", letter.words()));
            if response.hovered() || response.has_focus() {
                pointed.push(index);
            }
        }
        for (text, letter) in pointed.iter().filter_map(|index| live.letters.get(*index)) {
            match letter {
                Letter::Row | Letter::K | Letter::Mass | Letter::Impulse | Letter::Force | Letter::Bias => {
                    row = pair.row.map(|row| row.index);
                }
                letter => marks.extend(mark(*letter, text, &pair, angles)),
            }
        }
        let words = "Point at a symbol or formula to show it in the view. Select another joint for its numbers.";
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
    });
    (memory.pointed, memory.marks, memory.row) = (pointed, marks, row);
}

/// A tooltip to the side of its line; below it, it would cover the next two lines.
fn aside(response: &egui::Response, words: &str) {
    let mut tip = egui::Tooltip::for_enabled(response);
    tip.popup = tip.popup.align(RectAlign::LEFT).align_alternatives(&[RectAlign::RIGHT, RectAlign::TOP]);
    tip.show(|ui| ui.label(words));
}

/// A symbol and its value over the whole width.
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
