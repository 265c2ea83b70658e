//! What was found, in sentences: the drive, dead centres, loads, notes; or why nothing was, with what helps.

use egui::{Color32, Label, RichText, Ui};
use lucide_icons::Icon;

use super::{Analyse, units::sentence};
use crate::widgets::{self, angles::Angles, icon_sized, theme};
use delassus_session::analysis::Refusal;

/// So many joints are offered to be held.
const OFFERED: usize = 8;

pub(super) fn show(ui: &mut Ui, state: &mut Analyse) {
    let Some(shown) = state.shown.clone() else { return };
    let (colors, angles) = (theme::colors(ui.visuals()), Angles::of(ui.ctx()));
    match &shown.result {
        Err(refusal) => {
            line(ui, Icon::TriangleAlert, colors.warn, &angles.converted_text(&refusal.sentences()));
            if let Refusal::MoreMotions { moving, .. } = refusal {
                hold_buttons(ui, state, moving);
            }
        }
        Ok(_) => {
            let found = &shown.findings;
            let (icon, color) = match found.is_enough {
                Some(true) => (Icon::CircleCheck, colors.good),
                Some(false) => (Icon::OctagonAlert, colors.bad),
                None => (Icon::Info, colors.weak),
            };
            if let Some(text) = &found.drive {
                line(ui, icon, color, &sentence(text, angles));
            }
            if let Some(text) = &found.stopped {
                line(ui, Icon::TriangleAlert, colors.warn, &sentence(text, angles));
            }
            for (title, lines) in
                [("Dead centres", &found.dead_centres), ("Loads", &found.loads), ("Notes", &found.notes)]
            {
                if lines.is_empty() {
                    continue;
                }
                ui.add_space(4.0);
                widgets::title(ui, title);
                for text in lines {
                    ui.add(Label::new(RichText::new(sentence(text, angles))).wrap());
                }
            }
            ui.add_space(4.0);
            let text = RichText::new(sentence(&found.head, angles)).small().color(colors.weak);
            ui.add(Label::new(text).wrap());
        }
    }
}

/// Buttons that hold the joints that can still move.
fn hold_buttons(ui: &mut Ui, state: &mut Analyse, moving: &[String]) {
    ui.horizontal_wrapped(|ui| {
        for name in moving.iter().take(OFFERED) {
            let tip = "It keeps its value from the scene";
            if widgets::word_button(ui, Icon::Pin, &format!("Hold {name}")).on_hover_text(tip).clicked() {
                state.form.hold(name);
            }
        }
    });
}

fn line(ui: &mut Ui, icon: Icon, color: Color32, text: &str) {
    ui.horizontal_top(|ui| {
        ui.label(icon_sized(icon, 15.0).color(color));
        ui.add(Label::new(text).wrap());
    });
}
