//! The line at the bottom: what the mouse and keys do right now, counts, and where a step's time goes.

use delassus_scene::Words as _;
use egui::{Align, Label, Layout, RichText, TextStyle, Ui};

use lucide_icons::Icon;

use crate::{
    editor,
    panels::doctor,
    shell::state::{RightTab, UiState},
    view::View,
    view3d::Drag,
    widgets::{
        self,
        number::{counted, milliseconds},
        theme,
    },
};
use delassus_physics::stability::Warning;

/// Draws the line.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let colors = theme::colors(ui.visuals());
    ui.horizontal_centered(|ui| {
        ui.add_space(4.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 14.0;
            ui.add_space(2.0);
            timing(ui, view);
            let snapshot = view.snapshot;
            let counts = [
                counted(snapshot.bodies.len(), "body", "bodies"),
                counted(snapshot.joints.len(), "joint", "joints"),
                counted(snapshot.metrics.contacts, "contact", "contacts"),
            ];
            let asleep = snapshot.metrics.asleep;
            let asleep = (asleep > 0).then(|| format!("{asleep} asleep"));
            let counts = counts.into_iter().chain(asleep).collect::<Vec<_>>().join("  ");
            ui.label(RichText::new(counts).small().color(colors.weak));
            alarm(ui, view, state);
            unstable(ui, view, state);
            // The rest of the line, shortened with an ellipsis if the window is narrow.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let only_selected = is_only_selected(view, state);
                let editing = editor::hint(view, &state.hands()).filter(|_| !only_selected);
                let words = editing.unwrap_or_else(|| hint(view, state));
                ui.add(Label::new(RichText::new(words).small().color(colors.text)).truncate());
            });
        });
    });
}

/// The doctor's findings, if they are more than notes; a click shows them.
fn alarm(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let (count, color) = doctor::alarm(view, ui);
    if count == 0 {
        return;
    }
    let findings = counted(count, "finding", "findings");
    let text = RichText::new(&findings).small().color(color);
    let image = widgets::icon_sized(Icon::Stethoscope, 13.0).color(color);
    let button = ui.add(egui::Button::new((image, text)).frame(false).min_size(egui::vec2(0.0, 18.0)));
    let button = widgets::named(button, &format!("Doctor: {findings}"));
    if button.on_hover_text("The doctor's findings in this scene").clicked() {
        state.show_right(RightTab::Doctor);
    }
}

/// The bounds of stability that the settings break. Shown with any panel open, long before the run flies apart.
fn unstable(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let warnings = &view.stability.warnings;
    let breaches: Vec<_> =
        view.session.breaches().into_iter().filter(|breach| !view.session.expects(breach.rule)).collect();
    if warnings.is_empty() && breaches.is_empty() {
        return;
    }
    let colors = theme::colors(ui.visuals());
    let color = if breaches.is_empty() { colors.warn } else { colors.bad };
    let words = counted(warnings.len() + breaches.len(), "bound broken", "bounds broken");
    let text = RichText::new(&words).small().color(color);
    let image = widgets::icon_sized(Icon::TriangleAlert, 13.0).color(color);
    let button = ui.add(egui::Button::new((image, text)).frame(false).min_size(egui::vec2(0.0, 18.0)));
    let button = widgets::named(button, &format!("Stability: {words}"));
    let advice = warnings.iter().map(Warning::words).map(|advice| format!("{} {}", advice.broken, advice.cure));
    let found = breaches.iter().map(|breach| view.session.breach_words(breach));
    if button.on_hover_text(found.chain(advice).collect::<Vec<_>>().join("\n\n")).clicked() {
        state.show_right(if breaches.is_empty() { RightTab::Solver } else { RightTab::Doctor });
    }
}

fn timing(ui: &mut Ui, view: &View<'_>) {
    let weak = theme::colors(ui.visuals()).weak;
    let total = format!("{:>8}", milliseconds(f64::from(view.snapshot.step_ms)));
    let frame = format!("{:>7}", milliseconds(view.frame_ms));
    let text =
        RichText::new(format!("step {total}  frame {frame}")).text_style(TextStyle::Monospace).size(11.0).color(weak);
    let phases = view.snapshot.phases;
    ui.label(text).on_hover_ui(|ui| {
        ui.label("Wall time of a step, by phase");
        egui::Grid::new("phases").spacing([16.0, 2.0]).show(ui, |ui| {
            let rows = [
                ("Broad phase", phases.broad),
                ("Contacts", phases.narrow),
                ("Rows", phases.prepare),
                ("Solve", phases.solve),
                ("Integrate", phases.integrate),
            ];
            for (name, time) in rows {
                ui.label(name);
                ui.label(RichText::new(format!("{:>9}", milliseconds(time.as_secs_f64() * 1e3))).monospace());
                ui.end_row();
            }
            ui.end_row();
            ui.label("Whole frame");
            ui.label(RichText::new(format!("{:>9}", milliseconds(view.frame_ms))).monospace());
            ui.end_row();
        });
    });
}

/// Whether a lesson has selected something to show it, and nothing is being edited.
fn is_only_selected(view: &View<'_>, state: &UiState) -> bool {
    let editor = &state.editor;
    let is_editing = editor.grab.is_some() || editor.stop.is_some() || editor.tool != editor::Tool::Select;
    state.lessons.focused(view).is_some() && !is_editing
}

/// What the mouse and keys do now.
fn hint(view: &View<'_>, state: &mut UiState) -> String {
    let words = match state.view3d.drag {
        Drag::Pull { .. } if view.clock.playing => "Pulling by a spring: release the button to let go",
        Drag::Pull { .. } => "Pulling by a spring, but the simulation is paused: . steps, Space plays",
        Drag::Orbit => "Orbiting: release to stop",
        Drag::Pan => "Panning: release to stop",
        Drag::Look => "Looking around: W A S D fly, Q E down and up",
        Drag::Box(_) => "Selecting: release to select what is inside",
        Drag::Nothing if view.is_empty() => "Drop a scene, or a robot's URDF or MJCF, or press Ctrl+O",
        Drag::Nothing if !state.selection.bodies.is_empty() && !is_only_selected(view, state) => {
            let doomed = editor::tools::arrange::doomed(view, &state.hands());
            return format!("G moves · T turns · Ctrl+D duplicates · H hides · Del deletes {doomed}");
        }
        Drag::Nothing if state.panels.hidden => "Tab brings the panels back",
        Drag::Nothing if state.selection.hovered.is_some() => {
            "Click selects · Ctrl+drag pulls this body · Alt+drag orbits · wheel zooms · F frames"
        }
        Drag::Nothing => {
            "Alt+drag or middle drag orbits · Shift+middle pans · wheel zooms · right drag looks · Ctrl+drag pulls"
        }
    };
    words.to_owned()
}
