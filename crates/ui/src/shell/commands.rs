//! What each action does: a change of the panels' own state, or requests to the application.

use glam::Vec3;

use crate::{
    editor::{self, Tool},
    panels::{laboratory::Instrument, outliner, timeline},
    request::Request,
    shell::{
        action::{Action, ActionInfo},
        finder::FinderState,
        lesson_mode,
        sheets::Sheet,
        state::{BottomTab, LeftTab, Panels, UiState},
        top_bar::SPEEDS,
    },
    view::View,
    view3d::placing,
};
use delassus_launch::line::PROGRAM;
use delassus_session::Command;

/// Carries out an action.
pub fn perform(action: Action, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    if !is_enabled(action, view) || lesson_mode::brings_back(action, view, state) {
        return;
    }
    let mut session = |command: Command| out.push(Request::Session(command));
    match action {
        Action::New => out.push(Request::New),
        Action::Open => out.push(Request::OpenDialog),
        Action::OpenRecent => {
            state.finder = Some(FinderState::with("recent "));
        }
        Action::RecoverWork => out.push(Request::ListLostWork),
        Action::AddFolder => out.push(Request::FolderDialog),
        Action::Reload => out.push(Request::Reload),
        Action::Export => out.push(Request::ExportDialog),
        Action::History => state.history = !state.history,
        Action::Save if view.has_own_file() => session(Command::Save),
        Action::Save | Action::SaveAs => out.push(Request::SaveAsDialog),
        Action::Quit => out.push(Request::Quit),
        Action::Undo => session(Command::Undo),
        Action::Redo => session(Command::Redo),
        Action::Delete => editor::tools::arrange::delete(view, &mut state.hands(), out),
        Action::Copy => editor::tools::clipboard::copy(view, &mut state.hands(), out),
        Action::Paste => editor::tools::clipboard::paste_copied(view, &mut state.hands(), out),
        Action::Duplicate => editor::tools::arrange::duplicate(view, &mut state.hands(), out),
        Action::Merge => editor::tools::merging::merge(view, &mut state.hands(), out),
        Action::Split => editor::tools::merging::split(view, &mut state.hands(), out),
        Action::SelectAll => editor::tools::arrange::select_all(view, &mut state.hands()),
        Action::SelectInverse => editor::tools::arrange::select_inverse(view, &mut state.hands()),
        Action::SelectConnected => editor::tools::arrange::select_connected(view, &mut state.hands()),
        Action::Hide => editor::tools::arrange::hide(view, &mut state.hands()),
        Action::HideOthers => editor::tools::arrange::hide_others(view, &mut state.hands()),
        Action::ShowAll => {
            let count = state.view3d.visibility.show_all();
            let words = if count == 0 { "Nothing is hidden.".to_owned() } else { format!("Showing {count} again") };
            state.notices.info(words);
        }
        Action::Lock => editor::tools::arrange::lock(view, &mut state.hands()),
        Action::Rename => rename(state),
        Action::SpawnHere => editor::tools::spawn::here(view, &mut state.hands(), out),
        Action::Shoot => editor::tools::spawn::shoot(view, &state.hands(), out),
        Action::Grab(kind) => editor::tools::arrange::grab(kind, view, &mut state.hands()),
        Action::LocalAxes => state.editor.local = !state.editor.local,
        Action::JointEnd => {
            let joint = state.selection.joint.and_then(|index| view.snapshot.joints.get(index));
            state.editor.end = state.editor.end.next(joint.map(|joint| &joint.kind));
            state.notices.switched(format!("Moving and turning a joint takes {}.", state.editor.end.words()));
        }
        Action::SnapKind => {
            state.editor.snap_kind = state.editor.snap_kind.next();
            // The joint tool's strip shows it.
            if state.editor.tool != Tool::Joint {
                state.notices.switched(format!("The ends of new joints snap to: {}.", state.editor.snap_kind.words()));
            }
        }
        Action::JointAnchor => {
            state.editor.anchor = state.editor.anchor.next();
            // The joint tool's strip shows it.
            if state.editor.tool != Tool::Joint {
                state.notices.switched(format!("The anchor of new joints: {}.", state.editor.anchor.words()));
            }
        }
        Action::Tool(tool) => {
            state.editor.cancel();
            state.editor.tool = if state.editor.tool == tool { Tool::Select } else { tool };
        }
        Action::KeepPose => session(Command::KeepPose),
        Action::ResetSettings => session(Command::ResetSettings),
        Action::TogglePlay => session(Command::TogglePlay),
        Action::Step => session(Command::Step),
        Action::StepBack => session(Command::StepBack),
        Action::Newest => out.extend(newest(view).map(|step| Request::Session(Command::Seek(step)))),
        Action::PreviousMark | Action::NextMark => {
            let step = timeline::neighbour(view.session, action == Action::NextMark);
            out.extend(step.map(|step| Request::Session(Command::Seek(step))));
        }
        Action::Bookmark => {
            session(timeline::toggle_bookmark(view.session, view.snapshot.step));
            state.panels.timeline = true;
        }
        Action::Moments => state.moments.open = !state.moments.open,
        Action::Fork => session(Command::Fork),
        Action::Reset => session(Command::Reset),
        Action::Record if view.session.recorded().is_some() => out.push(Request::RecordingDialog),
        Action::Record => session(Command::Record),
        Action::ForgetRecording => session(Command::StopRecording),
        Action::Slower => session(Command::SetSpeed(neighbour(view.clock.speed, -1))),
        Action::Faster => session(Command::SetSpeed(neighbour(view.clock.speed, 1))),
        Action::PreviousScene => out.extend(view.shelf.neighbour(view.path, -1).map(Request::Open)),
        Action::NextScene => out.extend(view.shelf.neighbour(view.path, 1).map(Request::Open)),
        Action::TogglePanels => state.panels.hidden = !state.panels.hidden,
        Action::ToggleLeft => toggle_panel(state, |panels| &mut panels.left),
        Action::ToggleRight => toggle_panel(state, |panels| &mut panels.right),
        Action::TogglePlots => toggle_panel(state, |panels| &mut panels.plots),
        Action::ToggleTimeline => toggle_panel(state, |panels| &mut panels.timeline),
        Action::Laboratory(tab) => toggle_tab(state, BottomTab::Lab(tab)),
        Action::Events => toggle_tab(state, BottomTab::Events),
        Action::Compare => toggle_tab(state, BottomTab::Compare),
        Action::Film => state.film.open = !state.film.open,
        Action::CopyLine => out.push(Request::CopyLine),
        Action::OpenLine => {
            state.finder = Some(FinderState::with(format!("{PROGRAM} ")));
        }
        Action::CopyPicture => out.push(Request::CopyPicture(None)),
        Action::Probes => state.probes.open = !state.probes.open,
        // Only one of the pages is open at a time.
        Action::Linear => {
            state.linear.open = !state.linear.open;
            (state.algebra.open, state.analyse.open) = (None, false);
        }
        Action::Algebra(page) => {
            state.algebra.toggle(page);
            (state.linear.open, state.analyse.open) = (false, false);
        }
        Action::Analyse => {
            state.analyse.open = !state.analyse.open;
            (state.linear.open, state.algebra.open) = (false, None);
        }
        Action::Lessons => state.lessons.contents = !state.lessons.contents,
        Action::Reader => state.reader.toggle(),
        Action::Arena => state.reader.toggle_arena(),
        Action::Inside(walk) => {
            if view.clock.playing {
                out.push(Request::Session(Command::Pause));
            }
            if !state.panels.plots || state.panels.hidden {
                state.panels.hidden = false;
                state.panels.plots = true;
            }
            state.bottom_tab = BottomTab::Lab(Instrument::Inside);
            state.laboratory.walk(walk);
        }
        Action::FrameSelection => frame(view, state, false),
        Action::FrameAll => frame(view, state, true),
        Action::Look(axis) => state.view3d.camera.look_along(axis),
        Action::Perspective => {
            let on = !state.view3d.camera.has_perspective();
            state.view3d.camera.set_perspective(on);
        }
        Action::Overlay(kind) => {
            let switch = state.view3d.overlays.switch(kind);
            *switch = !*switch;
        }
        Action::ToggleGrid => state.view3d.overlays.grid = !state.view3d.overlays.grid,
        Action::ToggleShadows => state.view3d.overlays.shadows = !state.view3d.overlays.shadows,
        Action::ThemeDark => state.theme = egui::ThemePreference::Dark,
        Action::ThemeLight => state.theme = egui::ThemePreference::Light,
        Action::ThemeSystem => state.theme = egui::ThemePreference::System,
        Action::Angles(unit) => state.angles = unit,
        Action::UiScale(step) => state.ui_scale = state.ui_scale.stepped(step),
        Action::Keyboard => state.keyboard.asked = true,
        Action::Find => state.finder = Some(FinderState::default()),
        Action::Keys => state.sheet = toggled(state.sheet, Sheet::Keys),
        Action::Tour => state.tour = Some(crate::shell::tour::Tour::default()),
        Action::About => state.sheet = toggled(state.sheet, Sheet::About),
        Action::Deselect => {
            if std::mem::take(&mut state.probes.picking)
                || std::mem::take(&mut state.moments.open)
                || std::mem::take(&mut state.history)
                || std::mem::take(&mut state.linear.open)
                || state.algebra.open.take().is_some()
                || std::mem::take(&mut state.analyse.open)
                || state.reader.open.take().is_some()
                || std::mem::take(&mut state.lessons.contents)
                || state.sheet.take().is_some()
                || state.lost_work.take().is_some()
                || state.source.take().is_some()
                || state.editor.cancel()
                || (state.shows(BottomTab::Plots) && state.plots.large.take().is_some())
            {
            } else if state.editor.tool != Tool::Select {
                state.editor.tool = Tool::Select;
            } else {
                state.selection.clear();
            }
        }
    }
}

/// The name in menus. While a run is recorded, the command that started the recording saves it.
pub fn name(info: &ActionInfo, view: &View<'_>) -> &'static str {
    let saves = info.action == Action::Record && view.session.recorded().is_some();
    if saves { "Save the recording…" } else { info.name }
}

/// Whether the action would do anything now.
pub fn is_enabled(action: Action, view: &View<'_>) -> bool {
    match action {
        Action::Undo => view.undo.is_some(),
        Action::Redo => view.redo.is_some(),
        Action::Reload => view.path.is_some(),
        Action::Save | Action::SaveAs | Action::Export => !view.is_empty(),
        Action::StepBack => view.snapshot.step > 0,
        Action::Newest | Action::Fork => view.session.is_past(),
        Action::ForgetRecording => view.session.recorded().is_some(),
        Action::KeepPose | Action::TogglePlay | Action::Step | Action::Reset | Action::Record | Action::Bookmark => {
            !view.is_empty()
        }
        Action::Delete
        | Action::Copy
        | Action::Paste
        | Action::Duplicate
        | Action::Merge
        | Action::Split
        | Action::Grab(_)
        | Action::SelectConnected => !view.is_empty(),
        Action::ResetSettings => view.settings != view.file_settings,
        Action::PreviousScene | Action::NextScene => !view.shelf.entries.is_empty(),
        _ => true,
    }
}

/// The state of an action that is a switch.
pub fn is_on(action: Action, state: &UiState) -> Option<bool> {
    let panels = state.panels;
    Some(match action {
        Action::Overlay(kind) => state.view3d.overlays.shows(kind),
        Action::LocalAxes => state.editor.local,
        Action::Perspective => state.view3d.camera.has_perspective(),
        Action::ToggleGrid => state.view3d.overlays.grid,
        Action::ToggleShadows => state.view3d.overlays.shadows,
        Action::ToggleLeft => panels.left && !panels.hidden,
        Action::ToggleRight => panels.right && !panels.hidden,
        Action::TogglePlots => panels.plots && !panels.hidden,
        Action::ToggleTimeline => panels.timeline && !panels.hidden,
        Action::Moments => state.moments.open,
        Action::Laboratory(tab) => state.shows(BottomTab::Lab(tab)),
        Action::Events => state.shows(BottomTab::Events),
        Action::Compare => state.shows(BottomTab::Compare),
        Action::Probes => state.probes.open,
        Action::Linear => state.linear.open,
        Action::Analyse => state.analyse.open,
        Action::Algebra(page) => state.algebra.open == Some(page),
        Action::Lessons => state.lessons.contents,
        Action::Reader => state.reader.open.is_some() && !state.reader.shows_arena(),
        Action::Arena => state.reader.shows_arena(),
        Action::History => state.history,
        Action::Angles(unit) => state.angles == unit,
        Action::ThemeDark => state.theme == egui::ThemePreference::Dark,
        Action::ThemeLight => state.theme == egui::ThemePreference::Light,
        Action::ThemeSystem => state.theme == egui::ThemePreference::System,
        _ => return None,
    })
}

fn toggled(current: Option<Sheet>, sheet: Sheet) -> Option<Sheet> {
    (current != Some(sheet)).then_some(sheet)
}

/// Shows or hides a panel. With all panels hidden, only this one comes back.
fn toggle_panel(state: &mut UiState, which: fn(&mut Panels) -> &mut bool) {
    let panels = &mut state.panels;
    if panels.hidden {
        *panels = Panels { left: false, right: false, plots: false, timeline: false, hidden: false };
        *which(panels) = true;
    } else {
        let shown = which(panels);
        *shown = !*shown;
    }
}

/// Shows a tab of the bottom dock; hides the dock if the tab is shown already.
fn toggle_tab(state: &mut UiState, tab: BottomTab) {
    let shown = state.panels.plots && !state.panels.hidden;
    if !shown || state.bottom_tab == tab {
        toggle_panel(state, |panels| &mut panels.plots);
    }
    state.bottom_tab = tab;
}

/// The last step of the time line, if an earlier one is shown.
fn newest(view: &View<'_>) -> Option<u64> {
    view.session.timeline().filter(|line| line.now < line.last).map(|line| line.last)
}

fn neighbour(speed: f32, offset: isize) -> f32 {
    let nearest = SPEEDS.iter().enumerate().min_by(|a, b| (a.1 - speed).abs().total_cmp(&(b.1 - speed).abs()));
    let index = nearest.map_or(0, |(i, _)| i);
    SPEEDS[index.saturating_add_signed(offset).min(SPEEDS.len() - 1)]
}

/// Moves the camera to show the selection, or everything visible that can move.
fn frame(view: &View<'_>, state: &mut UiState, all: bool) {
    let selected: &[u32] = if all { &[] } else { &state.selection.bodies };
    if let Some((min, max)) = placing::bounds(view.snapshot, selected, &state.view3d.visibility) {
        let aspect = state.view3d.rect.width().max(1.0) / state.view3d.rect.height().max(1.0);
        // A margin, because the selection may be one small body.
        let margin = if selected.is_empty() { Vec3::ZERO } else { (max - min) * 0.6 };
        state.view3d.camera.frame(min - margin, max + margin, aspect);
    }
}

/// Starts renaming the selection in the outliner, and shows the outliner.
fn rename(state: &mut UiState) {
    if outliner::rename_selected(&mut state.outliner, &state.selection) {
        state.left_tab = LeftTab::Outliner;
        (state.panels.left, state.panels.hidden) = (true, false);
    } else {
        state.notices.info("Nothing is selected: click a body or a joint first.".to_owned());
    }
}
