//! The sample that is read: its numbers, a slider along the travel, and the scene posed like it.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, FontId, Label, Slider, TextStyle, Ui};
use lucide_icons::Icon;

use super::{Analyse, plots, units};
use crate::{
    request::Request,
    view::View,
    widgets::{self, angles::Angles, named, theme},
};
use delassus_session::Command;

/// A slider over the samples, for the keyboard too.
pub(super) fn slider(ui: &mut Ui, state: &mut Analyse) {
    let Some((_, analysis)) = state.analysis() else { return };
    let (most, mut at) = (analysis.samples.len().saturating_sub(1), state.sample());
    ui.spacing_mut().slider_width = 110.0;
    let slider = ui.add(Slider::new(&mut at, 0..=most).show_value(false));
    if named(slider, "Sample").on_hover_text("The sample that is read").changed() {
        state.point_at(at);
        state.hovered = None;
    }
}

/// The button that poses the scene as the mechanism is at the cursor.
pub(super) fn pose(ui: &mut Ui, view: &View<'_>, state: &Analyse, out: &mut Vec<Request>) {
    let Some((shown, analysis)) = state.analysis() else { return };
    if view.snapshot.step > 0 || view.session.playing() {
        let tip = "A mechanism is posed at the start of its run. This pauses the run and goes back there.";
        if widgets::word_button(ui, Icon::SkipBack, "Back to the start to pose").on_hover_text(tip).clicked() {
            out.extend([Command::Pause, Command::Reset].map(Request::Session));
        }
        return;
    }
    let angles = Angles::of(ui.ctx());
    let at = state.cursor.map_or(0, |value| super::nearest(&analysis.samples, value));
    let value = analysis.samples.get(at).map_or(0.0, |sample| sample.value);
    ui.add_enabled_ui(!state.computed.is_pending(), |ui| {
        let words = units::words(value, analysis.measure.units()[0], angles);
        let tip = format!("Poses the mechanism as it is at the cursor, {words}. Undo reverts this.");
        if widgets::word_button(ui, Icon::Pin, "Pose the scene here").on_hover_text(tip).clicked()
            && let Some(edit) = shown.pose_edit(at)
        {
            out.push(Request::Session(Command::Edit { edit, gesture: None }));
        }
    });
}

/// The numbers of the plots at the sample that is read.
pub(super) fn show(ui: &mut Ui, state: &Analyse) {
    let Some((shown, analysis)) = state.analysis() else { return };
    let Some(sample) = analysis.samples.get(state.sample()) else { return };
    let (colors, angles) = (theme::colors(ui.visuals()), Angles::of(ui.ctx()));
    let (small, body) = (TextStyle::Small.resolve(ui.style()), TextStyle::Body.resolve(ui.style()));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(14.0, 1.0);
        for info in plots::read(state, shown, analysis) {
            let words = units::words(info.quantity.of(sample), info.unit, angles);
            let mut job = LayoutJob::default();
            let format =
                |font: &FontId, color| TextFormat { valign: Align::Center, ..TextFormat::simple(font.clone(), color) };
            job.append(&format!("{} ", info.name), 0.0, format(&small, colors.weak));
            job.append(&words, 0.0, format(&body, colors.strong));
            ui.add(Label::new(job).extend());
        }
    });
}
