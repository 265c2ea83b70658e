//! The view in the middle: the pointer over the picture, the editor's tools, and the overlays.

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, vec2};

use crate::{
    editor,
    panels::{compare, probe},
    request::Request,
    shell::{action::Action, state::UiState},
    view::View,
    view3d::{Drag, labels, motion, over_picture, viewport},
    widgets::theme,
};

/// Lays out the view and handles the pointer.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let runs = view.session.runs().len() + 1;
    let mut cells = if state.compare.apart { compare::layout(ui.max_rect(), runs) } else { vec![ui.max_rect()] };
    let rect = cells.remove(0);
    // With more or fewer pictures, and when a lesson's docks open or close, the same width of the scene stays in sight.
    let before = state.view3d.rect;
    let waits = state.lessons.waits(view);
    let other = std::mem::replace(&mut state.lessons.waited, waits) != waits;
    if (other || cells.len() != state.compare.cells.len()) && before.is_positive() && rect.is_positive() {
        let camera = &mut state.view3d.camera;
        camera.glide_to(camera.view.refitted(before.aspect_ratio(), rect.aspect_ratio()));
    }
    state.view3d.rect = rect;
    let tags = compare::show_cells(ui, view, &cells, &mut state.view3d);
    state.compare.cells = cells;
    let response = ui.interact(rect, ui.scope_id().with("view"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3-D view"));
    if !state.is_modal() {
        viewport::hover(&response, view, &mut state.view3d, &mut state.selection);
        viewport::wheel(ui, &response, view, &mut state.view3d);
        let mut probes = std::mem::take(&mut state.probes);
        if probe::pointer(&response, view, &mut state.hands(), &mut probes) {
            viewport::press(ui, &response, view, &mut state.view3d);
            // A drag turns the camera; what it would select stays as it is.
            let (view3d, mut selection) = (&mut state.view3d, state.selection.clone());
            viewport::drag(ui, &response, view, view3d, &mut selection, out);
        } else if !editor::pointer(ui, &response, view, &mut state.hands(), out) {
            let (view3d, selection) = (&mut state.view3d, &mut state.selection);
            viewport::press(ui, &response, view, view3d);
            viewport::drag(ui, &response, view, view3d, selection, out);
            viewport::click(ui, &response, view, view3d, selection);
        }
        state.probes = probes;
    }
    let modal = state.is_modal();
    viewport::fly(ui, &mut state.view3d);
    let now = ui.input(|i| i.time);
    motion::show(now, view, modal, (&mut state.view3d, &state.selection, &mut state.notices));
    let shared = (&mut state.view3d, &state.selection, &mut state.notices);
    state.laboratory.in_view(view, (modal, now, theme::picture_theme(ui.visuals())), shared, out);
    if !modal {
        state.lessons.in_view(view, &mut state.view3d);
        state.algebra.in_view(view, &mut state.view3d);
        state.analyse.in_view(view, &mut state.view3d);
    }
    probe::in_view(view, &state.probes, &state.selection, &mut state.view3d, state.angles);
    let called = |kind| Action::Overlay(kind).info().map(|info| (info.icon, info.name, info.key_text()));
    let lesson = state.lessons.focused(view).is_some();
    let has_tools = over_picture::show(ui, rect, view, &mut state.view3d, &called, lesson);
    for ((run, cell), tag) in view.session.runs().iter().zip(&state.compare.cells).zip(tags) {
        labels::show_run(ui, view, &state.view3d, (run.session().snapshot(), *cell), vec![tag]);
    }
    if lesson && !state.compare.cells.is_empty() {
        compare::tag(ui, view, 0, rect);
    }
    if has_tools && !lesson {
        editor::tools::strip::show(ui, rect, view, &mut state.hands(), out);
    }
    if let Drag::Box(from) = state.view3d.drag
        && let Some(to) = response.interact_pointer_pos()
    {
        let colors = theme::colors(ui.visuals());
        let rect = Rect::from_two_pos(rect.min + vec2(from.x, from.y), to);
        let fill = colors.accent.gamma_multiply(0.12);
        ui.painter().rect(rect, 2.0, fill, Stroke::new(1.0, colors.accent), StrokeKind::Inside);
    }
}
