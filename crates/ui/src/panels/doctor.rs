//! The Doctor tab: the doctor's findings on the scene, their fixes, and how the sweeps converge.

use egui::{Color32, Label, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    notices::Notices,
    panels::{
        finding_cards::{NAMES, card, chip, icon_and_colour},
        inspector::{section, word},
    },
    request::Request,
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{self, angles::Angles, icon_sized, theme},
};
use delassus_doctor::{Severity, verdict};
use delassus_physics::stability::Warning;
use delassus_scene::Words as _;
use delassus_session::{Command, Motion, Snapshot};

/// Draws the tab.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    (view3d, selection, notices): (&mut View3d, &mut Selection, &mut Notices),
    out: &mut Vec<Request>,
) {
    if view.is_empty() {
        widgets::empty(ui, Icon::Stethoscope, "No scene is open.\nPick one on the left.");
        return;
    }
    widgets::scroll(ui, "doctor", |ui| {
        ui.set_width((ui.available_width() - 8.0).max(120.0));
        ui.horizontal(|ui| {
            widgets::title(ui, "The scene as it begins");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let color = theme::colors(ui.visuals()).weak;
                if widgets::mark_button(ui, Icon::RefreshCw, color, "Examine again", "Look at the scene again")
                    .clicked()
                {
                    out.push(Request::Session(Command::Examine));
                }
            });
        });
        if view.session.doctor_examines() {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Examining …");
            });
        } else if view.findings.is_empty() {
            let colors = theme::colors(ui.visuals());
            ui.horizontal(|ui| {
                ui.label(icon_sized(Icon::CircleCheck, 15.0).color(colors.good));
                ui.label("Nothing found.");
            });
        }
        for (index, finding) in view.findings.iter().enumerate() {
            ui.push_id(index, |ui| card(ui, finding, view, selection, out));
            ui.add_space(2.0);
        }
        ui.add_space(8.0);
        crate::panels::mechanisms::show(ui, view, (view3d, selection, notices), out);
        run(ui, view, selection, out);
        convergence(ui, view);
    });
}

/// The number of findings above notes, and the colour of the most severe finding.
pub fn alarm(view: &View<'_>, ui: &Ui) -> (usize, Color32) {
    let above_notes = view.findings.iter().filter(|f| f.severity > Severity::Note);
    let worst = view.findings.iter().map(|f| f.severity).max().unwrap_or(Severity::Note);
    (above_notes.count(), icon_and_colour(worst, ui).1)
}

/// Draws the verdict on the run: what exceeds its bounds, and settings that cure it.
fn run(ui: &mut Ui, view: &View<'_>, selection: &mut Selection, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    widgets::title(ui, "The run so far");
    let breaches = view.session.breaches();
    if breaches.is_empty() {
        let capped = view.session.world().map(|world| verdict::at_cap(world).collect::<Vec<_>>()).unwrap_or_default();
        ui.horizontal(|ui| {
            if view.snapshot.step == 0 {
                ui.label(RichText::new("Nothing has run yet.").color(colors.weak));
            } else {
                ui.label(icon_sized(Icon::CircleCheck, 15.0).color(colors.good));
                ui.label("Within all bounds.").on_hover_text(BOUNDS);
            }
        });
        at_cap(ui, &capped, view, selection);
        ui.add_space(8.0);
        return;
    }
    let angles = Angles::of(ui.ctx());
    for (index, breach) in breaches.iter().enumerate() {
        let expected = view.session.expects(breach.rule);
        ui.push_id(("breach", index), |ui| {
            widgets::card(ui, |ui| {
                ui.horizontal(|ui| {
                    let (image, color, word) = if expected {
                        (Icon::GraduationCap, colors.weak, "As the scene intends")
                    } else {
                        (Icon::OctagonAlert, colors.bad, "Not to be trusted")
                    };
                    ui.label(icon_sized(image, 15.0).color(color));
                    ui.label(RichText::new(word).color(color));
                    ui.label(RichText::new(breach.rule.name()).color(colors.weak));
                });
                ui.add(Label::new(angles.converted_text(&view.session.breach_words(breach))).wrap());
                ui.add(Label::new(RichText::new(breach.why()).color(colors.weak)).wrap());
                if let Some(shown) = breach.joint.and_then(|joint| view.snapshot.joints.get(joint))
                    && chip(ui, Icon::Link2, &shown.name, selection.joint == breach.joint)
                    && let Some(joint) = breach.joint
                {
                    selection.click_joint(joint);
                }
                if let Some(cure) = view.session.cure_of(breach)
                    && widgets::word_button(ui, Icon::Wrench, &cure.label())
                        .on_hover_text(
                            "Tried on a copy of the scene: with this change the run stays within all bounds. Reset to \
                             see it.",
                        )
                        .clicked()
                {
                    let set =
                        |(name, value): &(&'static str, _)| Request::Session(Command::Set { name, value: *value });
                    out.extend(cure.set.iter().map(set));
                }
            });
        });
        ui.add_space(2.0);
    }
    at_cap(
        ui,
        &view.session.world().map(|world| verdict::at_cap(world).collect::<Vec<_>>()).unwrap_or_default(),
        view,
        selection,
    );
    ui.add_space(8.0);
}

/// The bounds of the verdict, as a tooltip.
const BOUNDS: &str = "Joints are closed to 1 % of their links and 0.02 rad, motors below their caps keep their speed to \
    1 %, forces are within 5 % of the exact solution, bodies overlap by less than 5 % of their size, and the rows add no \
    energy.";

/// Notes for the motors that are at their caps.
fn at_cap(ui: &mut Ui, capped: &[(usize, f32)], view: &View<'_>, selection: &mut Selection) {
    let colors = theme::colors(ui.visuals());
    for (joint, cap) in capped.iter().take(NAMES) {
        let Some(shown) = view.snapshot.joints.get(*joint) else { continue };
        let unit = if shown.kind.is_angle() { "N·m" } else { "N" };
        ui.horizontal_wrapped(|ui| {
            ui.label(icon_sized(Icon::Info, 15.0).color(colors.weak));
            if chip(ui, Icon::Link2, &shown.name, selection.joint == Some(*joint)) {
                selection.click_joint(*joint);
            }
            ui.label(format!("is at its cap of {}.", widgets::number::with_unit(f64::from(*cap), unit)));
        });
    }
}

/// Shows how the sweeps converge, and which bounds are broken.
fn convergence(ui: &mut Ui, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    widgets::title(ui, "The sweeps, now");
    let stability = view.stability;
    if stability.spectrum.rows == 0 {
        ui.add(Label::new(RichText::new(no_rows(view.snapshot)).color(colors.weak)).wrap());
        return;
    }
    section(ui, "convergence", |ui| {
        let spectrum = &stability.spectrum;
        let about = if spectrum.settled { "" } else { " or so" };
        word(ui, "λmax of D⁻¹A", &format!("{:.4}{about}", spectrum.largest));
        word(ui, "Jacobi stable below", &format!("ω = {:.4}", 2.0 / spectrum.largest.max(1e-9)));
        word(ui, "Spectral radius ρ", &format!("{:.4}{about}", spectrum.radius));
        word(ui, "Error left", &format!("{:.2} %", 100.0 * stability.left));
        let digit = stability.sweeps_a_digit;
        let digit = if digit.is_finite() { format!("{digit:.0}") } else { "never".into() };
        word(ui, "Sweeps per digit", &digit);
        word(ui, "Sweeps per step", &stability.sweeps.to_string());
        if let Some(sweeps) = stability.sweeps_needed {
            word(ui, "Sweeps needed", &sweeps.to_string());
        }
    });
    warnings(ui, view);
}

/// Why there is nothing to solve.
fn no_rows(snapshot: &Snapshot) -> &'static str {
    let mut dynamic = snapshot.bodies.iter().filter(|body| body.motion == Motion::Dynamic).peekable();
    if dynamic.peek().is_some() && dynamic.all(|body| body.asleep) {
        "All bodies sleep, so there are no rows to solve. They wake up when something moves them."
    } else if snapshot.step == 0 {
        "Run a step: there are no rows yet."
    } else {
        "There are no rows in this step: no joint acts, and nothing touches."
    }
}

/// Draws cards for the bounds that the settings break in this scene.
pub fn warnings(ui: &mut Ui, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    for warning in view.stability.warnings.iter().map(Warning::words) {
        widgets::card(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.label(icon_sized(Icon::TriangleAlert, 15.0).color(colors.warn));
                ui.vertical(|ui| {
                    ui.add(Label::new(RichText::new(warning.broken).color(colors.strong)).wrap());
                    ui.add(Label::new(RichText::new(&warning.numbers)).wrap());
                    ui.add(Label::new(RichText::new(&warning.cure).color(colors.weak)).wrap());
                });
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_session::Session;

    /// A stack that sleeps was told to run a step.
    #[test]
    fn a_scene_that_sleeps_is_not_told_to_run_a_step() {
        let text = r#"(version: 1, title: "t", settings: (sleep: (enabled: true)), bodies: [
            (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
            (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5))])"#;
        let mut session = Session::from_text(text, "t").expect("a scene");
        assert!(no_rows(session.snapshot()).starts_with("Run a step"));
        for _ in 0..600 {
            session.dispatch(Command::Step).expect("it steps");
        }
        assert!(no_rows(session.snapshot()).starts_with("All bodies sleep"), "{}", session.snapshot().metrics.asleep);
    }
}
