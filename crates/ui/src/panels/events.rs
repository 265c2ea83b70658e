//! The run's events, one per line, each of which goes to its step when clicked; and the conditions at which playing
//! pauses.

use egui::{Align, Label, Layout, RichText, ScrollArea, Sense, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use super::background_trace::computing;
use crate::{
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, icon, icon_button, named, number, search_field, switch, theme, title},
};
use delassus_session::{Breakpoint, Command, Event, EventKind, condition};

/// The panel's memory.
#[derive(Debug, Default)]
pub struct Events {
    /// The condition that is being typed.
    pub typed: String,
    /// A filter: the list shows the events that contain this text.
    pub search: String,
}

/// Frequent conditions: their names and their text.
const USUAL: &[(&str, &str)] = &[
    ("A joint is open by more than 5 mm", "joint_error_max > 5e-3"),
    ("Bodies overlap by more than 2 cm", "penetration_max > 0.02"),
    ("The energy rises by 1 %", "energy rises 1 %"),
    ("A body falls below −1 m", "bodies.*.z < -1"),
    ("A joint reaches a stop", "joints.*.at != \"\""),
    ("A joint bears more than 100 N", "joints.*.force > 100"),
    ("A joint breaks", "broken rises 0"),
    ("A contact slips", "contacts.*.used >= 0.999"),
    ("An impulse is limited", "guarded rises 0"),
    ("A body runs away or is not finite", "stopped rises 0"),
];

/// Width of the conditions, points.
const CONDITIONS: f32 = 340.0;
const ROW: f32 = 18.0;

/// Draws the events and the conditions over the whole panel.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Events, selection: &mut Selection, out: &mut Vec<Request>) {
    if view.is_empty() {
        return widgets::empty(ui, Icon::ListTree, "A scene with bodies has events.");
    }
    let room = ui.available_size();
    let width = CONDITIONS.min(room.x * 0.5);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        for (width, left) in [(width, true), (room.x - width - 16.0, false)] {
            ui.allocate_ui_with_layout(vec2(width, room.y), Layout::top_down(Align::Min), |ui| {
                ui.set_min_size(vec2(width, room.y));
                ui.set_max_width(width);
                if left { conditions(ui, view, state, out) } else { log(ui, view, state, selection, out) }
            });
        }
    });
}

fn conditions(ui: &mut Ui, view: &View<'_>, state: &mut Events, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let wrong = condition::condition(&state.typed).err().filter(|_| !state.typed.trim().is_empty());
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let field = TextEdit::singleline(&mut state.typed).hint_text("joint_error_max > 5e-3");
        let width = (ui.available_width() - 92.0).max(60.0);
        let response = named(ui.add(field.desired_width(width)), "Pause when");
        let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        let ready = wrong.is_none() && !state.typed.trim().is_empty();
        let tip = "Pause whenever this becomes true";
        let add = ui.add_enabled_ui(ready, |ui| icon_button(ui, Icon::Plus, "Add the breakpoint", tip)).inner;
        if ready && (entered || add.clicked()) {
            out.push(Request::Session(Command::AddBreakpoint(std::mem::take(&mut state.typed))));
        }
        ui.menu_button((icon(Icon::ListPlus), icon(Icon::ChevronDown)), |ui| {
            for (words, text) in USUAL {
                if named(ui.button(*words), words).on_hover_text(*text).clicked() {
                    state.typed = (*text).to_owned();
                }
            }
        })
        .response
        .on_hover_text("Usual conditions");
    });
    if let Some(wrong) = &wrong {
        ui.label(RichText::new(wrong).small().color(colors.warn));
    }
    ScrollArea::vertical().id_salt("breakpoints").auto_shrink([false, false]).show(ui, |ui| {
        if view.session.breakpoints().is_empty() && wrong.is_none() {
            let text = "Playback pauses when your condition becomes true, such as joint_error_max > 5e-3. It tests a \
                        column of the run, of joints.NAME, bodies.NAME or contacts.A+B, as in tables and --fail-if; * \
                        is any.";
            ui.label(RichText::new(text).weak());
        }
        view.session.breakpoints().iter().for_each(|breakpoint| line(ui, breakpoint, out));
    });
}

fn line(ui: &mut Ui, breakpoint: &Breakpoint, out: &mut Vec<Request>) {
    let (text, number) = (breakpoint.text(), breakpoint.number);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut on = breakpoint.on;
        if switch(ui, &mut on, &format!("Pause when {text}")).clicked() {
            out.push(Request::Session(Command::SwitchBreakpoint(number, on)));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Trash2, &format!("Delete {text}"), "Delete").clicked() {
                out.push(Request::Session(Command::ForgetBreakpoint(number)));
            }
            if let Some((step, how)) = &breakpoint.hit {
                let words = format!("step {step}");
                let response = named(ui.link(&words), &format!("Go to the hit of {text}")).on_hover_text(how);
                if response.clicked() {
                    out.push(Request::Session(Command::Seek(*step)));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(text).monospace().size(11.5)).truncate()).on_hover_text(text);
            });
        });
    });
}

fn log(ui: &mut Ui, view: &View<'_>, state: &mut Events, selection: &mut Selection, out: &mut Vec<Request>) {
    let search = state.search.to_lowercase();
    let fits = |event: &&Event| {
        let text = || format!("{} {}", event.what.words(), event.who).to_lowercase();
        search.is_empty() || text().contains(&search)
    };
    let shown: Vec<&Event> = view.session.events().iter().filter(fits).collect();
    ui.horizontal(|ui| {
        let width = (ui.available_width() * 0.5).clamp(80.0, 220.0);
        ui.allocate_ui(vec2(width, 22.0), |ui| search_field(ui, &mut state.search, "Find an event"));
        title(ui, &number::counted(shown.len(), "event", "events"));
    });
    if view.session.looks_back().0 {
        computing(ui, "What happened earlier");
    }
    if shown.is_empty() {
        let text = "While this is open, it lists contacts that begin and end, stops, sleep, breaks and guarded \
                    impulses. When it opens, it recomputes earlier events, for two seconds at most.";
        ui.label(RichText::new(text).weak());
        return;
    }
    let area = ScrollArea::vertical().id_salt("events").auto_shrink([false, false]).stick_to_bottom(true);
    area.show_rows(ui, ROW, shown.len(), |ui, range| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for event in &shown[range] {
            event_line(ui, view, event, selection, out);
        }
    });
}

fn event_line(ui: &mut Ui, view: &View<'_>, event: &Event, selection: &mut Selection, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let here = event.step == view.snapshot.step;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let words = event.what.words();
    response.widget_info(|| {
        let text = format!("{words}: {}, step {}", event.who, event.step);
        egui::WidgetInfo::selected(egui::Role::Button, true, here, text)
    });
    if here || response.hovered() || response.has_focus() {
        let fill = if here { colors.accent_soft } else { colors.raised };
        ui.painter().rect_filled(rect, 3.0, fill);
    }
    let ink = match event.what {
        EventKind::ContactEnds(..) | EventKind::StopLeft(_) | EventKind::FallAsleep(_) => theme::weak_on(here, colors),
        EventKind::Broken(_) | EventKind::Guarded | EventKind::Stopped => colors.bad,
        _ => colors.text,
    };
    let painter = ui.painter().with_clip_rect(rect);
    let text = |x: f32, text: &str, font: egui::FontId, ink: egui::Color32| {
        let at = egui::pos2(rect.left() + x, rect.center().y);
        painter.text(at, egui::Align2::LEFT_CENTER, text, font, ink);
    };
    let body = egui::FontId::proportional(12.5);
    text(6.0, &number::time(event.time), egui::FontId::monospace(11.0), theme::weak_on(here, colors));
    text(92.0, words, body.clone(), ink);
    text(200.0, &event.who, body, colors.strong);
    if response.clicked() {
        match event.what {
            EventKind::ContactBegins(a, b) | EventKind::ContactEnds(a, b) => {
                selection.joint = None;
                selection.bodies = [a, b].into_iter().filter(|id| *id != 0).collect();
            }
            EventKind::StopReached(joint) | EventKind::StopLeft(joint) | EventKind::Broken(joint) => {
                selection.take_joints(vec![joint]);
            }
            EventKind::FallAsleep(body) | EventKind::Wake(body) => {
                selection.joint = None;
                selection.bodies = vec![body];
            }
            EventKind::Guarded | EventKind::Stopped => {}
        }
        out.push(Request::Session(Command::Seek(event.step)));
    }
    response.on_hover_text(format!("{}\n{words} in step {}. Click to go there", event.who, event.step));
}
