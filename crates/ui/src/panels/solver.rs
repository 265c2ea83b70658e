//! The Solver tab: the presets and the switchboard first, then every setting by group.

use delassus_scene::Words as _;
use egui::{CollapsingHeader, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    editor::form::setting_row::{self, Blocked, SettingEdit},
    panels::{compare, doctor, preset_row},
    request::Request,
    view::View,
    widgets::{self, mark_button, search_field, theme},
};
use delassus_physics::{plan, setting::Setting, settings::LIST};
use delassus_scene::{Scene, words};
use delassus_session::Command;

/// The large switches at the top: names of settings, and their titles here.
pub const SWITCHBOARD: [(&str, &str); 9] = [
    ("warm_start.enabled", "Warm starting"),
    ("contact.slop", "Contact slop"),
    ("stabilization.joint_slop", "Joint slop"),
    ("friction.model", "Friction"),
    ("solver.method", "Method"),
    ("solver.iterations", "Iterations"),
    ("solver.device", "Steps are made by"),
    ("stabilization.method", "Stabilisation"),
    ("stabilization.beta", "Share of the error removed, β"),
];

/// The tab's memory.
#[derive(Clone, Debug, Default)]
pub struct SolverTab {
    pub search: String,
}

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut SolverTab, out: &mut Vec<Request>) {
    // While one searches, the settings that were found have all the room.
    let searches = !state.search.trim().is_empty();
    if !searches {
        broken_bounds(ui, view);
    }
    widgets::scroll(ui, "solver", |ui| {
        // Without a scene there are no settings.
        if view.is_empty() {
            ui.disable();
        }
        // Room for the scroll bar, which floats.
        ui.set_width((ui.available_width() - 8.0).max(120.0));
        if !searches {
            preset_row::show(ui, view, out);
            ui.add_space(4.0);
            switchboard(ui, view, out);
            compare_button(ui, view, out);
            ui.add_space(10.0);
        }
        ui.horizontal(|ui| {
            widgets::title(ui, "All settings");
            changes(ui, view, out);
        });
        search_field(ui, &mut state.search, "Search the settings");
        ui.add_space(2.0);
        groups(ui, view, &state.search, out);
        stepped(ui, view);
    });
}

/// Who made the last step.
fn stepped(ui: &mut Ui, view: &View<'_>) {
    let Some(world) = view.session.world().filter(|world| world.state.step_count > 0) else { return };
    let weak = theme::colors(ui.visuals()).weak;
    let words = format!("{}.", words::stepped(&world.report));
    ui.add(egui::Label::new(RichText::new(words).small().color(weak)).wrap());
}

/// Warnings about settings, at the bottom: they come and go as the scene moves, and must not move the controls.
fn broken_bounds(ui: &mut Ui, view: &View<'_>) {
    if view.stability.warnings.is_empty() {
        return;
    }
    let max_height = 0.4 * ui.available_height();
    let foot = egui::Panel::bottom("broken bounds").resizable(false).show_separator_line(false);
    foot.frame(egui::Frame::new().inner_margin(egui::Margin { left: 0, right: 8, top: 6, bottom: 8 })).show(ui, |ui| {
        egui::ScrollArea::vertical()
            .id_salt("broken bounds")
            .max_height(max_height)
            .min_scrolled_height(max_height)
            .show(ui, |ui| {
                doctor::warnings(ui, view);
            });
    });
}

/// The large switches.
pub fn switchboard(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    widgets::card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 7.0;
        let order = order(view.scene);
        let (without, busy): (Vec<_>, Vec<_>) = order.into_iter().partition(|(s, _)| idle(s, view).is_some());
        let mut large = |ui: &mut Ui, setting: &'static Setting, title: &str| {
            let (now, file) = ((setting.get)(view.settings), (setting.get)(view.file_settings));
            let blocked = blocked(setting, view);
            push(setting, setting_row::large(ui, setting, title, now, file, blocked.as_ref()), out);
        };
        for (setting, title) in busy {
            large(ui, setting, title);
        }
        if without.is_empty() {
            return;
        }
        ui.separator();
        let weak = theme::colors(ui.visuals()).weak;
        // Settings with the same reason are named together.
        let mut last_reason = "";
        for (setting, title) in without {
            let because = idle(setting, view).unwrap_or_default();
            if because != last_reason {
                last_reason = because;
                let words = format!("No effect here, because {because}:");
                ui.add(egui::Label::new(RichText::new(words).small().color(weak)).wrap());
            }
            ui.scope(|ui| {
                ui.multiply_opacity(0.55);
                large(ui, setting, title);
            });
        }
    });
}

/// Why a setting has no effect: the scene says so, or the other settings make it so.
fn idle<'a>(setting: &Setting, view: &'a View<'_>) -> Option<&'a str> {
    let why = || plan::idle(setting.name, view.settings, &view.session.facts());
    view.scene.opens.idle(setting.name).or_else(|| why().map(words::idle))
}

/// The switches and their titles; those that the scene names (`opens.switches`) come first.
fn order(scene: &Scene) -> Vec<(&'static Setting, &'static str)> {
    let setting = |name: &str| LIST.iter().find(|setting| setting.name == name);
    let title = |name: &str| SWITCHBOARD.iter().find(|(other, _)| *other == name).map(|(_, title)| *title);
    let first = scene.opens.switches.iter().filter_map(|name| setting(name));
    let first: Vec<_> = first.map(|s| (s, title(s.name).unwrap_or(s.words().label))).collect();
    let rest = SWITCHBOARD.into_iter().filter(|(name, _)| first.iter().all(|(s, _)| s.name != *name));
    let rest: Vec<_> = rest.filter_map(|(name, title)| Some((setting(name)?, title))).collect();
    first.into_iter().chain(rest).collect()
}

/// The button that adds the present settings as a comparison run.
fn compare_button(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    ui.add_enabled_ui(compare::can_add(view), |ui| {
        let tip = "Keeps the present settings as a second run in lockstep with this one. Then change a setting and \
                   compare the two";
        if widgets::word_button(ui, Icon::GitCompare, "Beside this").on_hover_text(tip).clicked() {
            out.push(compare::ask(view, None, view.settings));
        }
    });
}

/// How many settings differ from the file, and the button that resets them.
fn changes(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let changed = LIST.iter().filter(|s| (s.get)(view.settings) != (s.get)(view.file_settings)).count();
    if changed == 0 {
        return;
    }
    let colors = theme::colors(ui.visuals());
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let tip = "All settings as the file has them";
        if mark_button(ui, Icon::Undo2, colors.accent, "Reset all settings", tip).clicked() {
            out.push(Request::Session(Command::ResetSettings));
        }
        ui.label(RichText::new(format!("{changed} changed")).small().color(colors.accent));
    });
}

/// The value of a setting that this scene does not support, and why.
fn blocked(setting: &Setting, view: &View<'_>) -> Option<Blocked> {
    let why = view.device_refusal.as_ref().filter(|_| setting.name == "solver.device")?;
    Some(Blocked { name: "Gpu", why: format!("The graphics device does not step this scene: {why}.") })
}

/// Draws the rows of the settings whose names satisfy `is`.
pub fn setting_rows(ui: &mut Ui, view: &View<'_>, is: impl Fn(&str) -> bool, out: &mut Vec<Request>) {
    for setting in LIST.iter().filter(|s| is(s.name)) {
        let (now, file) = ((setting.get)(view.settings), (setting.get)(view.file_settings));
        let blocked = blocked(setting, view);
        push(setting, setting_row::row(ui, setting, now, file, blocked.as_ref()), out);
    }
}

/// Every setting, by group; only those that match `search`, unless it is empty.
pub fn groups(ui: &mut Ui, view: &View<'_>, search: &str, out: &mut Vec<Request>) {
    let search = search.trim().to_lowercase();
    let matches = |s: &&Setting| {
        let words = s.words();
        search.is_empty()
            || [s.name, words.label, words.group, words.what].iter().any(|t| t.to_lowercase().contains(&search))
    };
    let found: Vec<_> = LIST.iter().filter(matches).collect();
    if found.is_empty() {
        widgets::empty(ui, Icon::SearchX, "No setting matches.");
    }
    let mut rest = found.as_slice();
    while let Some(first) = rest.first() {
        let title = first.words().group;
        let count = rest.iter().take_while(|s| s.words().group == title).count();
        let (group, others) = rest.split_at(count);
        rest = others;
        let changed = group.iter().filter(|s| (s.get)(view.settings) != (s.get)(view.file_settings)).count();
        let mut heading = RichText::new(title).strong();
        if changed > 0 {
            heading = heading.color(theme::colors(ui.visuals()).accent);
        }
        CollapsingHeader::new(heading)
            .id_salt(title)
            .default_open(true)
            .open((!search.is_empty()).then_some(true))
            .show_unindented(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                for setting in group {
                    let (now, file) = ((setting.get)(view.settings), (setting.get)(view.file_settings));
                    let (blocked, idle) = (blocked(setting, view), idle(setting, view));
                    ui.scope(|ui| {
                        ui.multiply_opacity(if idle.is_some() { 0.55 } else { 1.0 });
                        push(setting, setting_row::row(ui, setting, now, file, blocked.as_ref()), out);
                    });
                    if let Some(because) = idle {
                        let weak = theme::colors(ui.visuals()).weak;
                        let words = RichText::new(format!("No effect here, because {because}.")).small().color(weak);
                        ui.add(egui::Label::new(words).wrap());
                    }
                }
                ui.add_space(4.0);
            });
    }
}

fn push(setting: &Setting, edit: Option<SettingEdit>, out: &mut Vec<Request>) {
    out.extend(edit.map(|edit| {
        Request::Session(match edit {
            SettingEdit::Set(value) => Command::Set { name: setting.name, value },
            SettingEdit::Reset => Command::ResetSetting(setting.name),
        })
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switchboard_names_settings_that_exist() {
        for (name, _) in SWITCHBOARD {
            assert!(LIST.iter().any(|s| s.name == name), "{name}");
        }
    }
}
