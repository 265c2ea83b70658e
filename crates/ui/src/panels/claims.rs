//! The claims of a scene or an experiment, each with an icon for its verdict in the present run.

use egui::{Color32, Label, Layout, Response, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    view::View,
    widgets::{icon_sized, theme},
};
use delassus_session::{ClaimState, claims::ClaimVerdict};

/// The icon of a verdict, its colour, and its name for screen readers.
fn sign(verdict: &ClaimVerdict, ui: &Ui) -> (Icon, Color32, &'static str) {
    let colors = theme::colors(ui.visuals());
    match verdict {
        ClaimVerdict::Pending(_) => (Icon::CircleDashed, colors.weak, "not decided"),
        ClaimVerdict::Held(_) => (Icon::CircleCheck, colors.good, "held"),
        ClaimVerdict::Failed(_) => (Icon::CircleX, colors.bad, "failed"),
        ClaimVerdict::Unclear(_) => (Icon::CircleQuestionMark, colors.warn, "not checked"),
    }
}

/// A verdict as a sentence.
fn words(verdict: &ClaimVerdict) -> String {
    match verdict {
        ClaimVerdict::Pending(None) => "It is checked while the simulation runs".into(),
        ClaimVerdict::Pending(Some(value)) => format!("So far: {value}"),
        ClaimVerdict::Held(value) => format!("Held: {value}"),
        ClaimVerdict::Failed(value) => format!("Failed: {value}"),
        ClaimVerdict::Unclear(why) => why.clone(),
    }
}

/// Lists the claims of the scene (`None`) or of an experiment, one per line.
pub fn list(ui: &mut Ui, view: &View<'_>, whose: Option<usize>) {
    for claim in view.session.claims(whose) {
        let text = RichText::new(&claim.text).small().monospace();
        line(ui, &claim, text);
    }
}

/// One line for a claim: the icon of its verdict, and `text`.
pub fn line(ui: &mut Ui, claim: &ClaimState, text: RichText) {
    let (image, color, name) = sign(&claim.verdict, ui);
    let said = words(&claim.verdict);
    let colors = theme::colors(ui.visuals());
    ui.with_layout(Layout::left_to_right(egui::Align::Min), |ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        mark(ui, (image, 13.0, color), &format!("{}: {name}", claim.text)).on_hover_text(&said);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.add(Label::new(text.color(colors.text)).wrap()).on_hover_text(&said);
            // A failed claim is explained without hovering.
            if matches!(claim.verdict, ClaimVerdict::Failed(_)) {
                ui.add(Label::new(RichText::new(&said).small().color(colors.strong)).wrap());
            }
        });
    });
}

/// An icon with its name for screen readers.
fn mark(ui: &mut Ui, (image, size, color): (Icon, f32, Color32), name: &str) -> Response {
    let mark = ui.label(icon_sized(image, size).color(color));
    mark.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, name));
    mark
}

/// Shows the claims as icons only, once one of them has held or failed.
pub fn signs(ui: &mut Ui, view: &View<'_>, whose: Option<usize>) {
    let claims = view.session.claims(whose);
    if claims.iter().all(|claim| matches!(claim.verdict, ClaimVerdict::Pending(_) | ClaimVerdict::Unclear(_))) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for claim in claims {
            let (image, color, name) = sign(&claim.verdict, ui);
            let mark = mark(ui, (image, 12.0, color), &format!("{}: {name}", claim.text));
            mark.on_hover_text(format!("{}\n{}", claim.text, words(&claim.verdict)));
        }
    });
}
