//! The bar at the top: menus, transport, and whether it runs, is paused or falls behind.

use egui::{Align, Align2, Button, Color32, CornerRadius, Layout, RichText, Sense, TextStyle, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    editor::tools::arrange,
    request::Request,
    shell::{
        action::{ACTIONS, Action, ActionInfo, Menu},
        commands, recent,
        state::UiState,
    },
    view::View,
    widgets::{angles, icon, icon_button, named, number, theme},
};
use delassus_session::Command;

/// The speeds that the menu offers, simulated seconds a second.
pub const SPEEDS: [f32; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0];

/// Draws the bar.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let rect = ui.max_rect();
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        menus(ui, view, state, out);
        ui.add_space(8.0);
        // In the middle if there is room, else right after the menus.
        let start = (rect.center().x - 150.0).max(ui.cursor().left());
        document(ui, start, view);
        ui.add_space(start - ui.cursor().left());
        transport(ui, view, state, out);
        // Left out of a narrow window.
        if ui.available_width() < 90.0 {
            return;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(4.0);
            if ui.available_width() > 230.0 {
                hash(ui, view);
                ui.add_space(10.0);
            }
            run_state(ui, view, out);
        });
    });
}

/// The document's name, as far as there is room for it, and whether it differs from its file.
fn document(ui: &mut Ui, until: f32, view: &View<'_>) {
    /// Less is no room.
    const LEAST: f32 = 70.0;
    let room = until - ui.cursor().left() - 16.0;
    if room < LEAST {
        return;
    }
    let colors = theme::colors(ui.visuals());
    let name = view.path.and_then(std::path::Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let shown = name.unwrap_or_else(|| view.session.title());
    let (mark, said) = match (view.unsaved, view.path.is_some() && !view.has_own_file()) {
        (true, false) => (colors.warn, "Unsaved changes: Ctrl+S saves, Ctrl+Z undoes"),
        (true, true) => (colors.warn, "Unsaved changes: Ctrl+S saves them in a file of your own, Ctrl+Z undoes"),
        (false, false) => (Color32::TRANSPARENT, "Same as its file"),
        (false, true) => (Color32::TRANSPARENT, "As it came with the program"),
    };
    ui.allocate_ui_with_layout(vec2(room, ui.available_height()), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (dot, response) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
        ui.painter().circle_filled(dot.center(), 4.0, mark);
        let state = if view.unsaved { "Unsaved changes" } else { "No unsaved changes" };
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, state));
        let ink = if view.unsaved { colors.strong } else { colors.weak };
        ui.add(egui::Label::new(RichText::new(shown).color(ink)).truncate()).on_hover_text(said);
    });
}

fn menus(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let menus = [
        (Menu::File, "File"),
        (Menu::Edit, "Edit"),
        (Menu::View, "View"),
        (Menu::Laboratory, "Laboratory"),
        (Menu::Simulate, "Simulate"),
        (Menu::Help, "Help"),
    ];
    ui.scope(|ui| {
        egui::containers::menu::menu_style(ui.style_mut());
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        for (menu, name) in menus {
            ui.menu_button(name, |ui| {
                ui.set_min_width(230.0);
                ui.spacing_mut().item_spacing.y = 1.0;
                // A menu is never taller than the window.
                let max_height = ui.ctx().content_rect().height() - 60.0;
                egui::ScrollArea::vertical().max_height(max_height).min_scrolled_height(max_height).show(ui, |ui| {
                    for info in ACTIONS.iter().filter(|info| info.menu == menu) {
                        if info.first_of_group {
                            ui.separator();
                        }
                        if info.action == Action::OpenRecent {
                            recent::menu(ui, state, out);
                        } else {
                            entry(ui, info, view, state, out);
                        }
                    }
                });
            });
        }
    });
}

fn entry(ui: &mut Ui, info: &ActionInfo, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let on = commands::is_on(info.action, state);
    // A switch shows its state in place of an icon.
    let image = match on {
        Some(true) => icon(Icon::Check),
        Some(false) => icon(Icon::Check).color(Color32::TRANSPARENT),
        None => icon(info.icon),
    };
    // Joints of deleted bodies go, too: say so before.
    let doomed =
        (info.action == Action::Delete).then(|| arrange::doomed(view, &state.hands())).filter(|what| !what.is_empty());
    let name = commands::name(info, view);
    let words = doomed.map_or_else(|| name.to_owned(), |what| format!("Delete {what}"));
    let keys = info.action.info().map_or_else(String::new, ActionInfo::key_text);
    let button = Button::new((image, words)).shortcut_text(RichText::new(keys).weak());
    let response = ui.add_enabled(commands::is_enabled(info.action, view), button.min_size(vec2(230.0, 0.0)));
    let response = match (info.action, view.undo, view.redo) {
        (Action::Undo, Some(edit), _) | (Action::Redo, _, Some(edit)) => response.on_hover_text(edit),
        (Action::Save, ..) if view.path.is_some() && !view.has_own_file() => response
            .on_hover_text("This scene came with the program and stays as it is. Saving asks for a file of your own."),
        (Action::Save, ..) => response.on_hover_text(
            "Unchanged parts of the file stay as they are, byte for byte, with their comments. A changed entry is \
             updated in place; a deleted one is removed with the comment right above it.",
        ),
        (Action::AddFolder, ..) => response.on_hover_text(
            "Lists the scenes of a folder in the library, now and in later sessions. The cross beside its name removes \
             it.",
        ),
        (Action::RecoverWork, ..) => response.on_hover_text(
            "Lists work that was not saved when the program ended, newest first. It is kept until you save or discard it.",
        ),
        (Action::Export, ..) => response.on_hover_text(
            "Saves the present poses and velocities as a separate scene file; the open scene stays as it is",
        ),
        (Action::Angles(_), ..) => response.on_hover_text(angles::IN_FILES),
        (Action::Reload, ..) => {
            response.on_hover_text("Reloads the file and starts it from the beginning; Undo reverts this")
        }
        _ => response,
    };
    if named(response, info.name).clicked() {
        commands::perform(info.action, view, state, out);
        ui.close();
    }
}

fn transport(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let mut act = |ui: &mut Ui, action: Action, image: Icon, name: &str, out: &mut Vec<Request>| {
        let tip = action.info().map_or_else(String::new, ActionInfo::tip);
        let enabled = commands::is_enabled(action, view);
        if ui.add_enabled_ui(enabled, |ui| icon_button(ui, image, name, &tip)).inner.clicked() {
            commands::perform(action, view, state, out);
        }
    };
    act(ui, Action::Reset, Icon::SkipBack, "Reset", out);
    act(ui, Action::StepBack, Icon::StepBack, "Step back", out);
    if view.clock.playing {
        act(ui, Action::TogglePlay, Icon::Pause, "Pause", out);
    } else {
        act(ui, Action::TogglePlay, Icon::Play, "Play", out);
    }
    act(ui, Action::Step, Icon::StepForward, "Step", out);
    ui.add_space(6.0);
    speed(ui, view.clock.speed, out);
    if ui.available_width() < 80.0 {
        return;
    }
    ui.add_space(8.0);
    let time = RichText::new(number::time(view.snapshot.time)).text_style(TextStyle::Monospace);
    ui.add_sized(vec2(76.0, theme::ROW_HEIGHT), egui::Label::new(time)).on_hover_text("Simulated time");
}

fn speed(ui: &mut Ui, now: f32, out: &mut Vec<Request>) {
    let text = RichText::new(speed_text(now)).text_style(TextStyle::Monospace);
    let response = egui::ComboBox::from_id_salt("speed")
        .width(64.0)
        .selected_text(text)
        .show_ui(ui, |ui| {
            for speed in SPEEDS.into_iter().rev() {
                let on = (speed - now).abs() < 1e-4;
                if ui.selectable_label(on, speed_text(speed)).clicked() {
                    out.push(Request::Session(Command::SetSpeed(speed)));
                }
            }
        })
        .response;
    named(response, "Speed").on_hover_text("Simulated seconds per second  (− slower, + faster)");
}

fn speed_text(speed: f32) -> String {
    format!("×{speed}")
}

/// PAUSED, SLOW or nothing, and the real-time factor.
fn run_state(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let clock = view.clock;
    if let Some((steps, goes_on)) = view.session.recorded() {
        let tip = if goes_on {
            format!(
                "{} are recorded; “Save the recording” in the Simulate menu writes them to a file",
                number::counted(steps as usize, "step", "steps")
            )
        } else {
            "The recording has ended, because what followed is not an edit of that run. “Save the recording” in the \
             Simulate menu writes it to a file"
                .to_owned()
        };
        badge(ui, if goes_on { "REC" } else { "RECORDED" }, colors.bad, &tip);
    }
    if view.session.is_past() {
        let tip = "An earlier moment is shown: play and . follow the recorded run. A change here starts another \
                   branch; this one is kept. End goes to the newest moment";
        badge(ui, "PAST", colors.accent, tip);
    }
    if clock.playing {
        let factor = format!("rt {:.2}", clock.factor);
        let color = if clock.behind { colors.warn } else { colors.weak };
        ui.add_sized(
            vec2(58.0, theme::ROW_HEIGHT),
            egui::Label::new(RichText::new(factor).text_style(TextStyle::Monospace).color(color)),
        )
        .on_hover_text("Real-time factor: simulated seconds per second of real time");
        if clock.behind {
            badge(
                ui,
                "SLOW",
                colors.warn,
                "Stepping and drawing take longer than the chosen speed allows, so the simulation runs slower",
            );
        } else if clock.speed < 0.999 {
            badge(ui, "SLOW MOTION", colors.weak, "The speed is below real time");
        }
    } else if !view.is_empty() && !computes(view) {
        badge(ui, "PAUSED", colors.accent, "Space plays, . steps");
    }
    if computes(view) {
        computing(ui, out);
    }
}

/// A step that takes longer than this is reported, s.
const LONG: f64 = 0.3;

fn computes(view: &View<'_>) -> bool {
    view.session.computing().is_some_and(|since| since.as_secs_f64() > LONG)
}

/// Says that a long step is being computed, and offers to cancel it.
fn computing(ui: &mut Ui, out: &mut Vec<Request>) {
    let tip =
        "A step takes long. It is computed in the background and shown when it is ready; each step has a limit of work";
    badge(ui, "COMPUTING", theme::colors(ui.visuals()).warn, tip);
    let cancel = named(ui.small_button("Cancel"), "Cancel the step");
    if cancel.on_hover_text("Gives up the step that is being computed, and pauses").clicked() {
        out.push(Request::Session(Command::Pause));
    }
}

/// A word in an outlined lozenge.
fn badge(ui: &mut Ui, word: &str, color: Color32, tip: &str) {
    let font = egui::FontId::proportional(11.5);
    let galley = ui.painter().layout_no_wrap(word.to_owned(), font, color);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(14.0, 6.0), Sense::hover());
    ui.painter().rect(
        rect,
        CornerRadius::same(9),
        color.gamma_multiply(0.16),
        egui::Stroke::new(1.0, color.gamma_multiply(0.7)),
        egui::StrokeKind::Inside,
    );
    let at = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min;
    ui.painter().galley(at, galley, color);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, word));
    response.on_hover_text(tip);
}

fn hash(ui: &mut Ui, view: &View<'_>) {
    let weak = theme::colors(ui.visuals()).weak;
    let short = format!("#{:08x}", view.snapshot.hash >> 32);
    let text = RichText::new(short).text_style(TextStyle::Monospace).color(weak);
    let response = ui.add(egui::Label::new(text).sense(Sense::click()));
    let full = format!("{:016x}", view.snapshot.hash);
    if response.clicked() {
        ui.ctx().copy_text(full.clone());
    }
    response.on_hover_text(format!(
        "Hash of the whole state after step {}. Equal states have equal hashes, bit for bit.\n{full}\nClick to copy.",
        view.snapshot.step
    ));
}
