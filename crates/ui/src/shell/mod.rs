//! The window's frame: bars, menus, keys and commands, questions, notices and the tour. It lays out the other rooms and
//! passes on their requests.

pub mod action;
pub mod announcements;
pub mod commands;
pub mod conflict;
mod docks;
pub mod finder;
pub mod keyboard;
pub mod keys;
mod lesson_mode;
pub mod lost_work;
pub mod path_field;
pub mod questions;
pub mod recent;
mod search_index;
pub mod sheets;
pub mod snapshot_needs;
pub mod source_view;
pub mod state;
pub mod status;
pub mod toasts;
pub mod top_bar;
pub mod tour;
mod tour_steps;
mod trial_layout;
pub mod ui_scale;
mod view;

use crate::{
    editor::{self, Tool},
    panels::{film, history, lesson, probe, reader, timeline},
    request::Request,
    shell::{
        action::Action,
        state::{BottomTab, UiState},
    },
    view::View,
    view3d::{Drag, overlays::OverlayKind},
    widgets::{events, refusals, theme},
};
use delassus_session::Command;
use egui::{CentralPanel, Frame, Margin, Panel, Ui, vec2};
use lucide_icons::Icon;

/// Lays out the window: bars, docks, the view, and whatever floats over them.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    state.view3d.animating = false;
    state.lessons.angles(view).unwrap_or(state.angles).choose(ui.ctx());
    events::note_modifiers(ui.ctx());
    state.notices.withdraw_outdated(view.session.revision());
    keyboard::before_panels(ui.ctx(), state);
    lesson_mode::before_panels(view, state, out);
    let mut actions = std::mem::take(&mut state.pending);
    if !state.editor.is_typing() {
        actions.extend(keys::pressed(ui.ctx(), state.keyboard).into_iter().filter(|a| !takes(*a, state)));
        editor::tools::clipboard::events(ui, view, &mut state.hands(), out);
    }
    let typing = keys::while_typing(ui.ctx());
    if !typing.is_empty() && !state.is_modal() {
        // The field takes its value now, in this frame, and the action follows in the next one.
        if let Some(field) = ui.memory(|memory| memory.focused()) {
            ui.memory_mut(|memory| memory.surrender_focus(field));
        }
        state.pending.extend(typing);
        ui.ctx().request_repaint();
    }
    if !state.is_modal() {
        for action in actions {
            commands::perform(action, view, state, out);
        }
    }
    let bar = Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(8, 0));
    Panel::top("menu").frame(bar).exact_size(theme::TOP_BAR_HEIGHT).show(ui, |ui| {
        top_bar::show(ui, view, state, out);
    });
    Panel::bottom("status").frame(bar).exact_size(theme::STATUS_HEIGHT).show(ui, |ui| {
        status::show(ui, view, state);
    });
    if !state.panels.hidden {
        docks::show(ui, view, state, out);
    } else if state.has_page() {
        docks::bottom(ui, view, state, out);
    }
    CentralPanel::no_frame().show(ui, |ui| view::show(ui, view, state, out));
    state.announced.breaks(view.snapshot, &mut state.notices);
    state.announced.growth(view.snapshot, &mut state.notices);
    state.announced.run(view.snapshot, &mut state.notices);
    state.announced.breakpoint(view.session, &mut state.notices);
    // Events are logged only while their tab is visible.
    let logs = state.shows(BottomTab::Events);
    if logs != view.session.logs() && !view.is_empty() {
        out.push(Request::Session(Command::Log(logs)));
    }
    // The first run that is compared opens its table, unless a lesson shows it in its own way.
    let runs = view.session.runs().len();
    if runs > 0 && state.compare.seen == 0 && !state.lessons.compares {
        state.bottom_tab = BottomTab::Compare;
        (state.panels.plots, state.panels.hidden) = (true, false);
    }
    state.compare.seen = runs;
    floating(ui, view, state, out);
    lesson_mode::after_panels(view, state, out);
    keyboard::end(ui, state);
}

fn floating(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let (mut area, camera, rect) = (state.view3d.rect.shrink(12.0), state.view3d.camera, state.view3d.rect);
    if let Some(card) = state.tour.as_ref().and_then(|tour| tour.card) {
        area.max.y = area.max.y.min(card.top() - 8.0);
    }
    let seen = |at: glam::Vec3| {
        let p = camera.project(at, glam::Vec2::new(rect.width(), rect.height()))?;
        Some(rect.min + vec2(p.x, p.y))
    };
    let layout = toasts::NoticeLayout { under: state.questions.any(), brief: state.lessons.focused(view).is_some() };
    for refusal in refusals::take(ui.ctx()) {
        state.notices.refused(refusal, None);
    }
    if toasts::show(&mut state.notices, ui, area, layout, &seen, &mut state.source, out) {
        // Notices disappear after a while.
        ui.ctx().request_repaint_after_secs(0.25);
    }
    tour::show(ui, view, state, out);
    lost_work::show(ui, &mut state.lost_work, out);
    history::show(ui, view, state.view3d.rect, &mut state.history, out);
    timeline::show_moments(ui, view, state.view3d.rect, &mut state.moments, out);
    film::show(ui, view, state.view3d.rect, &mut state.film, out);
    probe::show(ui, view, state.view3d.rect, &mut state.probes, &state.selection);
    lesson::contents::show(ui, view, &mut state.lessons, out);
    reader::show(ui, rect, &mut state.reader);
    sheets::show(ui, view, state);
    source_view::show(ui, state);
    finder::show(ui, view, state, out);
    questions::show(ui, view, state, out);
    drop_hint(ui, state);
}

/// Whether the action's key means something else now: flying, or an axis of a tool.
fn takes(action: Action, state: &UiState) -> bool {
    use OverlayKind::{Bounds, JointError, Names};
    // While the right button is held, letters steer the flight.
    state.view3d.drag == Drag::Look
        && matches!(action.info(), Some(info) if info.keys.iter().any(|key| key.modifiers.is_none()))
        || match state.editor.tool {
            Tool::Joint => matches!(action, Action::Overlay(Bounds | Names | JointError)),
            Tool::Mirror => matches!(action, Action::Overlay(Bounds)),
            Tool::Spawn => matches!(action, Action::Overlay(Bounds) | Action::LocalAxes),
            _ => false,
        }
}

/// The hint while a file is dragged over the window.
fn drop_hint(ui: &Ui, state: &UiState) {
    if ui.input(|i| i.raw.hovered_files.is_empty()) {
        return;
    }
    let colors = theme::colors(ui.visuals());
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
    let rect = state.view3d.rect.shrink(10.0);
    painter.rect(rect, 10.0, colors.overlay, egui::Stroke::new(2.0, colors.accent), egui::StrokeKind::Inside);
    let at = rect.center() - vec2(0.0, 24.0);
    let icon = char::from(Icon::FileInput);
    painter.text(at, egui::Align2::CENTER_CENTER, icon, theme::icon_font(32.0), colors.accent);
    let at = rect.center() + vec2(0.0, 16.0);
    painter.text(at, egui::Align2::CENTER_CENTER, "Drop to open", egui::FontId::proportional(16.0), colors.strong);
}

#[cfg(test)]
pub mod tests;
