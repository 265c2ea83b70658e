//! The prediction of a lesson: a curve to draw, choices, and afterwards whether it was right.

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use super::{Answers, Lessons, Stage, full_width_text};
use crate::widgets::{self, icon_sized, named, theme, words};
use delassus_scene::lesson::Lesson;

/// Draws the choices; the chosen one stays marked. Once a result is shown, the choice stays as it is.
pub(super) fn choices(ui: &mut Ui, lesson: &Lesson, lessons: &mut Lessons) {
    let colors = theme::colors(ui.visuals());
    let fixed = matches!(lessons.progress.stage(&lessons.answers, lesson), Stage::Begun(1..) | Stage::Done);
    widgets::card(ui, |ui| {
        full_width_text(ui, &lesson.prediction.ask, colors.strong);
        sketch(ui, lesson, lessons);
        // The answers that were not chosen stay readable.
        ui.visuals_mut().disabled_alpha = 0.7;
        for (index, choice) in lesson.prediction.choices.iter().enumerate() {
            let chosen = lessons.answers.get(&lesson.id) == Some(&index);
            let font = egui::TextStyle::Button.resolve(ui.style());
            let color = if chosen { colors.strong } else { colors.text };
            let button = egui::Button::selectable(chosen, words::indexed(choice, &font, color)).wrap();
            let button = ui.add_enabled(!fixed || chosen, button);
            if named(button, &format!("I predict: {choice}")).clicked() && !fixed {
                lessons.answers.insert(lesson.id.clone(), index);
            }
        }
        if !lessons.answers.contains_key(&lesson.id) {
            let words = "Make a prediction to unlock the runs.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        }
    });
}

/// What to draw, until the choice is made.
fn sketch(ui: &mut Ui, lesson: &Lesson, lessons: &mut Lessons) {
    if lesson.prediction.draw.is_none() || !lessons.focus {
        return;
    }
    let colors = theme::colors(ui.visuals());
    let is_drawn = lessons.progress.drawn.contains_key(&lesson.id);
    if lessons.answers.contains_key(&lesson.id) {
        if is_drawn {
            let words = "The dashed curve in the plot is yours.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        }
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::PencilLine, 14.0).color(colors.accent));
        let words = "Drag in the plot to draw the curve that you expect. Then choose.";
        ui.add(Label::new(RichText::new(words).color(colors.text)).wrap());
    });
    if is_drawn {
        let tip = "Removes the curve, to draw another one";
        if widgets::word_button(ui, Icon::Eraser, "Clear the curve").on_hover_text(tip).clicked() {
            lessons.progress.drawn.remove(&lesson.id);
        }
    }
    ui.add_space(2.0);
}

/// Whether the prediction was right.
pub(super) fn verdict(ui: &mut Ui, lesson: &Lesson, answers: &Answers) {
    let Some(answer) = answers.get(&lesson.id) else { return };
    let colors = theme::colors(ui.visuals());
    let right = *answer == lesson.prediction.right;
    let (image, color, words) = match (right, lesson.prediction.choices.get(lesson.prediction.right)) {
        (true, _) => (Icon::CircleCheck, colors.good, "Correct, as you predicted.".to_owned()),
        (false, Some(choice)) => (Icon::CircleX, colors.warn, format!("Incorrect. The answer: {choice}")),
        (false, None) => return,
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(image, 14.0).color(color));
        full_width_text(ui, &words, colors.strong);
    });
}
