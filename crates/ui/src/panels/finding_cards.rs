//! A finding of the doctor: a line of it, or a card with its cure, its fix, and what it concerns.

use egui::{Button, Color32, Label, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, angles::Angles, icon_sized, theme},
};
use delassus_doctor::{Finding, Fix, Severity};
use delassus_scene::Rule;
use delassus_session::Command;

/// Draws the findings that concern these bodies (by number) or joints (by index): a line and its fix for the first one,
/// or with `all` the cards of all of them.
pub(super) fn concerning(
    ui: &mut Ui,
    bodies: &[u32],
    joints: &[u32],
    view: &View<'_>,
    (selection, all): (&mut Selection, &mut bool),
    out: &mut Vec<Request>,
) {
    let concerned: Vec<&Finding> = view.findings.iter().filter(|finding| concerns(finding, bodies, joints)).collect();
    let Some(first) = concerned.iter().max_by_key(|finding| finding.severity) else { return };
    if !*all {
        return line(ui, first, concerned.len() - 1, view, all, out);
    }
    ui.horizontal(|ui| {
        widgets::title(ui, "The doctor");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let color = theme::colors(ui.visuals()).weak;
            if widgets::mark_button(ui, Icon::ChevronDown, color, "Fewer findings", "One line again").clicked() {
                *all = false;
            }
        });
    });
    for (index, finding) in concerned.into_iter().take(NAMES).enumerate() {
        ui.push_id(("finding", index), |ui| card(ui, finding, view, selection, out));
    }
}

/// Draws a finding as one line, with the button of its fix below it. `others` is how many more there are.
fn line(ui: &mut Ui, finding: &Finding, others: usize, view: &View<'_>, all: &mut bool, out: &mut Vec<Request>) {
    let (image, color, word) = icon_and_colour(finding.severity, ui);
    let words = converted(finding, &finding.what, ui);
    ui.horizontal(|ui| {
        ui.label(icon_sized(image, 15.0).color(color)).on_hover_text(word);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let more = if others == 0 { "more".to_owned() } else { format!("{others} more") };
            let button = ui.button(RichText::new(more).small()).on_hover_text("Everything that the doctor says");
            if widgets::named(button, "All findings").clicked() {
                *all = true;
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(Label::new(&words).truncate()).on_hover_text(&words);
            });
        });
    });
    fix(ui, finding, view, out);
}

/// A text of a finding with its angles in the chosen unit. One about an angle's unit quotes the number in the file.
fn converted(finding: &Finding, text: &str, ui: &Ui) -> String {
    if finding.rule == Rule::Degrees { text.to_owned() } else { Angles::of(ui.ctx()).converted_text(text) }
}

/// The button that mends what was found.
fn fix(ui: &mut Ui, finding: &Finding, view: &View<'_>, out: &mut Vec<Request>) {
    if let Some(fix) = finding.fix.filter(|_| finding.severity > Severity::Meant)
        && widgets::word_button(ui, Icon::Wrench, &label(&fix, view)).clicked()
    {
        out.push(Request::Session(Command::ApplyFix(fix)));
    }
}

/// Whether there is such a finding.
pub(super) fn has_concerning(bodies: &[u32], joints: &[u32], view: &View<'_>) -> bool {
    view.findings.iter().any(|finding| concerns(finding, bodies, joints))
}

fn concerns(finding: &Finding, bodies: &[u32], joints: &[u32]) -> bool {
    finding.bodies.iter().any(|id| bodies.contains(id))
        || finding.joints.iter().any(|joint| joints.contains(&(*joint as u32)))
}

pub(super) fn icon_and_colour(severity: Severity, ui: &Ui) -> (Icon, Color32, &'static str) {
    let colors = theme::colors(ui.visuals());
    match severity {
        Severity::Meant => (Icon::GraduationCap, colors.weak, "As the scene intends"),
        Severity::Note => (Icon::Info, colors.weak, "Note"),
        Severity::Warning => (Icon::TriangleAlert, colors.warn, "Warning"),
        Severity::Error => (Icon::OctagonAlert, colors.bad, "Error"),
    }
}

/// Draws all of a finding.
pub(super) fn card(ui: &mut Ui, finding: &Finding, view: &View<'_>, selection: &mut Selection, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let (image, color, word) = icon_and_colour(finding.severity, ui);
    widgets::card(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(icon_sized(image, 15.0).color(color));
            ui.label(RichText::new(word).color(color));
            ui.label(RichText::new(finding.rule.name()).color(colors.weak));
        });
        let [what, cure] = [&finding.what, &finding.cure].map(|text| converted(finding, text, ui));
        ui.add(Label::new(what).wrap());
        ui.add(Label::new(RichText::new(cure).color(colors.weak)).wrap());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            concerned(ui, finding, view, selection);
        });
        fix(ui, finding, view, out);
    });
}

/// The label of a fix's button.
fn label(fix: &Fix, view: &View<'_>) -> String {
    let snapshot = view.snapshot;
    fix.label(
        |joint| snapshot.joints.get(joint).map_or("the joint", |joint| &*joint.name),
        |body| snapshot.body(body).map_or("the body", |body| &*body.name),
    )
}

/// The largest number of names, or cards, that are shown: enough to find the place.
pub(super) const NAMES: usize = 6;

/// Buttons with the names of the joints and bodies concerned, which select them.
fn concerned(ui: &mut Ui, finding: &Finding, view: &View<'_>, selection: &mut Selection) {
    for joint in finding.joints.iter().take(NAMES) {
        let Some(listed) = view.snapshot.joints.get(*joint) else { continue };
        if chip(ui, Icon::Link2, &listed.name, selection.joint == Some(*joint)) {
            selection.click_joint(*joint);
        }
    }
    for id in finding.bodies.iter().take(NAMES) {
        let Some(listed) = view.snapshot.body(*id) else { continue };
        if chip(ui, Icon::Box, &listed.name, selection.bodies.contains(id)) {
            selection.click_body(*id, false);
        }
    }
}

/// A button with the name of a joint or body.
pub(super) fn chip(ui: &mut Ui, image: Icon, name: &str, on: bool) -> bool {
    let text = RichText::new(name).small();
    ui.add(Button::selectable(on, (icon_sized(image, 12.0), text))).on_hover_text("Select").clicked()
}
