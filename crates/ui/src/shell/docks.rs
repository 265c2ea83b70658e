//! The docks to the left, right and bottom of the view, and which of them fit into a small window.

use egui::{Frame, Margin, Panel, Ui, UiBuilder, vec2};
use lucide_icons::Icon;

use crate::panels::lesson::mode::tabs as lesson_tabs;
use crate::panels::{
    algebra, analyse, compare, doctor, events, guide, inspector,
    laboratory::{self, Instrument},
    library, linear, outliner, plots, solver, timeline,
};
use crate::request::Request;
use crate::shell::state::{BottomTab, LeftTab, RightTab, UiState};
use crate::shell::trial_layout;
use crate::view::View;
use crate::widgets::{self, graph};

/// From this window width on, the bottom dock is placed between the side docks, points.
const BETWEEN: f32 = 1200.0;

/// Lays the docks out.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    // In a small window the docks leave room for the view. The library is hidden first.
    let room = ui.available_size();
    let dock = Frame::side_top_panel(ui.style()).inner_margin(Margin::ZERO);
    // Both docks together leave the view at least half of the window.
    let max_width = (ui.available_width() * 0.32).max(200.0);
    let lesson = state.lessons.focused(view);
    // Before the prediction the plots would be empty, unless it is drawn there.
    let waits = state.lessons.waits(view);
    let shut = waits && state.plots.sketch.is_none();
    let lower = state.has_page() || (state.panels.plots && room.y >= 380.0 && !shut);
    // If there is too little room for its tables between the side docks, the bottom dock is placed below them. In lesson
    // mode there is no dock at the left, and below the Guide it would hide the lesson's question. Only the wide pages of
    // matrices need the whole width.
    let beneath = lower && room.x < BETWEEN && (lesson.is_none() || state.has_page());
    if beneath {
        bottom(ui, view, state, out);
    }
    if state.panels.left && room.x >= 820.0 && lesson.is_none() {
        let width = (ui.available_width() * 0.17).clamp(190.0, 250.0);
        Panel::left("library").frame(dock).default_size(width).size_range(170.0..=max_width).show(ui, |ui| {
            within(ui, |ui| left(ui, view, state, out));
        });
    }
    if state.panels.right && room.x >= 560.0 {
        let width = (ui.available_width() * 0.27).clamp(300.0, 360.0);
        Panel::right("solver").frame(dock).default_size(width).size_range(270.0..=max_width.max(300.0)).show(
            ui,
            |ui| {
                within(ui, |ui| right(ui, view, state, out));
            },
        );
    }
    if lower && !beneath {
        bottom(ui, view, state, out);
    }
    if state.panels.timeline && room.y >= 460.0 && !view.is_empty() && !waits {
        let frame = Frame::side_top_panel(ui.style()).inner_margin(Margin { left: 6, right: 4, top: 0, bottom: 0 });
        Panel::bottom("line of time").frame(frame).exact_size(timeline::HEIGHT).show(ui, |ui| {
            if timeline::show(ui, view, state.moments.open, out) {
                state.moments.open = !state.moments.open;
            }
        });
    }
}

/// The bottom dock. All its tabs have the same height, so that changing tabs moves nothing. An open page takes its
/// place, with a height of its own.
pub(super) fn bottom(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let height = ui.available_height();
    let frame = Frame::side_top_panel(ui.style()).inner_margin(Margin { left: 10, right: 4, top: 4, bottom: 2 });
    // Initial height as a share of the window, its limit in points, and the limit for dragging as a share.
    let dock = |name: &'static str, (share, max_height, limit): (f32, f32, f32)| {
        let size = (height * share).clamp(144.0, max_height);
        Panel::bottom(name).frame(frame).default_size(size).size_range(110.0..=(height * limit).max(120.0))
    };
    if state.has_page() {
        dock("page", (0.52, 480.0, 0.65)).show(ui, |ui| {
            within(ui, |ui| {
                linear::show(ui, &mut state.linear);
                algebra::show(ui, view, &mut state.algebra, &mut state.selection);
                analyse::show(ui, view, &mut state.analyse, &state.selection, out);
            });
        });
        return;
    }
    // A plot that is shown large has a dock of its own height.
    let (name, sizes) = match state.plots.large.filter(|_| state.bottom_tab == BottomTab::Plots) {
        Some(_) => ("large plot", (0.6, 640.0, 0.8)),
        None => ("lower dock", (0.36, 460.0, 0.55)),
    };
    dock(name, sizes).show(ui, |ui| {
        within(ui, |ui| {
            bottom_tabs(ui, view, state);
            // Left out of a low dock.
            if let Some(sentence) = state.bottom_tab.sentence().filter(|_| ui.available_height() > 120.0) {
                graph::caption(ui, sentence);
            }
            match state.bottom_tab {
                BottomTab::Plots => plots::show(ui, view, &mut state.plots, &state.selection, out),
                BottomTab::Compare => compare::show(ui, view, &mut state.compare, out),
                BottomTab::Events => {
                    events::show(ui, view, &mut state.events, &mut state.selection, out);
                }
                BottomTab::Lab(of) => {
                    laboratory::show(ui, view, of, &mut state.laboratory, &mut state.selection, out);
                    if let Some(asked) = state.laboratory.asked.take() {
                        state.bottom_tab = BottomTab::Lab(asked);
                        if hides(view, state, state.bottom_tab) {
                            state.lessons.focus = false;
                        }
                    }
                }
            }
        });
    });
}

/// Clips content that is wider than its dock, so that it neither covers the neighbour nor moves the dock's edge.
fn within(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let room = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(room);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(room));
    ui.shrink_clip_rect(room);
    contents(&mut ui);
}

fn bottom_tabs(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let mut tabs = vec![
        (BottomTab::Plots, "Plots", "Measured quantities against time"),
        (BottomTab::Lab(Instrument::Inside), "Step", "The next step from inside, block by block"),
        (
            BottomTab::Lab(Instrument::Rows),
            "Rows",
            "Every row of the next step: its equation, bounds, impulse and residual",
        ),
        (
            BottomTab::Lab(Instrument::Matrix),
            "Matrix",
            "The Delassus matrix of the selected mechanism: which rows feel which",
        ),
        (BottomTab::Lab(Instrument::Sweeps), "Sweeps", "How the sweeps of the next step converge"),
        (
            BottomTab::Lab(Instrument::Ledger),
            "Ledger",
            "What gravity, rows, corrections and the integrator add to energy and momentum in a step",
        ),
        (
            BottomTab::Lab(Instrument::Parity),
            "Parity",
            "The same steps by the processor and by the graphics device, and how far apart the two are",
        ),
        (BottomTab::Events, "Events", "Events step by step, and the conditions at which playing pauses"),
        (BottomTab::Compare, "Compare", "Runs of this scene with other settings, in lockstep with this one"),
    ];
    if state.lessons.focused(view).is_some() {
        tabs.retain(|(tab, ..)| !hides(view, state, *tab));
        // One alone needs no tab.
        if tabs.len() < 2 && view.session.runs().is_empty() {
            return;
        }
    }
    ui.horizontal(|ui| {
        // In a narrow dock the tabs are arranged in columns, and leave room for the button.
        let width = (ui.available_width() - 40.0).clamp(120.0, (70.0 * tabs.len() as f32).max(120.0));
        ui.allocate_ui(vec2(width, 22.0), |ui| {
            ui.set_max_width(width);
            let items: Vec<_> = tabs.iter().map(|(_, label, tip)| widgets::Segment::new(label, *tip)).collect();
            let selected = tabs.iter().position(|(tab, ..)| *tab == state.bottom_tab);
            if let Some(index) = widgets::segments(ui, "Bottom tab", &items, selected) {
                state.bottom_tab = tabs[index].0;
            }
        });
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let name = "Hide the plots";
            if widgets::icon_button(ui, Icon::ChevronDown, name, "Hide the plots and the laboratory").clicked() {
                state.panels.plots = false;
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| compare::legend(ui, view));
        });
    });
}

/// Whether lesson mode hides a tab of the bottom dock.
fn hides(view: &View<'_>, state: &UiState, tab: BottomTab) -> bool {
    let lesson = state.lessons.focused(view);
    lesson.is_some_and(|lesson| !lesson_tabs(lesson).into_iter().any(|used| trial_layout::bottom_tab(used) == tab))
}

fn left(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    Frame::new().inner_margin(Margin { left: 10, right: 8, top: 8, bottom: 0 }).show(ui, |ui| {
        let tabs = [
            (LeftTab::Library, "Library", "The scenes, and this one's experiments"),
            (LeftTab::Outliner, "Outliner", "Everything in this scene by name"),
        ];
        let items: Vec<_> = tabs.iter().map(|(_, label, tip)| widgets::Segment::new(label, *tip)).collect();
        let selected = tabs.iter().position(|(tab, ..)| *tab == state.left_tab);
        if let Some(index) = widgets::segments(ui, "Left tab", &items, selected) {
            state.left_tab = tabs[index].0;
        }
    });
    match state.left_tab {
        LeftTab::Library => library::show(ui, view, &mut state.library, out),
        LeftTab::Outliner => {
            let (outliner, selection, visibility) =
                (&mut state.outliner, &mut state.selection, &mut state.view3d.visibility);
            outliner::show(ui, view, &mut outliner::RowContext { outliner, selection, visibility }, out);
        }
    }
}

fn right(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    Frame::new().inner_margin(Margin { left: 10, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        if state.lessons.focused(view).is_some() {
            return lesson_guide(ui, view, state, out);
        }
        let doctor_label = match doctor::alarm(view, ui).0 {
            0 => "Doctor".to_owned(),
            n => format!("Doctor {n}"),
        };
        let tabs = [
            (RightTab::Solver, "Solver", "The solver's switches and all settings"),
            (RightTab::Inspector, "Inspector", "Live values of the selected body or joint"),
            (RightTab::Doctor, doctor_label.as_str(), "What is wrong with the scene, and how the sweeps converge"),
            (RightTab::Guide, "Guide", "What this scene is and what to look for"),
        ];
        let items: Vec<_> = tabs.iter().map(|(_, label, tip)| widgets::Segment::new(label, *tip)).collect();
        let selected = tabs.iter().position(|(tab, ..)| *tab == state.right_tab);
        if let Some(index) = widgets::segments(ui, "Tab", &items, selected) {
            state.right_tab = tabs[index].0;
        }
        ui.add_space(4.0);
        match state.right_tab {
            RightTab::Solver => solver::show(ui, view, &mut state.solver, out),
            RightTab::Inspector => {
                let eye = state.view3d.camera.view;
                let eye = (eye.eye(), eye.focus);
                inspector::show(ui, view, &mut state.inspector, &mut state.selection, eye, out);
                if let Some(joint) = state.inspector.analyses.take() {
                    state.analyse.open_for(&joint);
                    (state.linear.open, state.algebra.open) = (false, None);
                }
            }
            RightTab::Doctor => {
                let shared = (&mut state.view3d, &mut state.selection, &mut state.notices);
                doctor::show(ui, view, shared, out);
            }
            RightTab::Guide => lesson_guide(ui, view, state, out),
        }
    });
}

/// The Guide, and what its lesson asks of the window.
fn lesson_guide(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    guide::show(ui, view, (&mut state.lessons, &state.selection), out);
    if let Some(section) = state.lessons.reads.take() {
        state.reader.open = Some(section);
    }
    if let Some(trial) = state.lessons.asked.take() {
        trial_layout::lay_out(&trial, view, state);
    }
}
