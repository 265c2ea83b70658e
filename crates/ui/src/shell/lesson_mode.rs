//! Lesson mode in the window: the lesson is followed before the panels are laid out, and its scene is held afterwards.

use crate::{
    panels::lesson::mode,
    request::Request,
    shell::{
        action::Action,
        state::{BottomTab, RightTab, UiState},
        trial_layout::bottom_tab,
    },
    view::View,
};

/// Follows the lesson.
pub fn before_panels(view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    if state.lessons.update(view, out) {
        state.show_right(RightTab::Guide);
        // The card of the first start makes room for the lesson.
        state.tour = None;
    }
    state.lessons.lend_sketch(view, &mut state.plots);
    // The dock shows a tab that the lesson uses.
    if let Some(lesson) = state.lessons.focused(view) {
        let tabs = mode::tabs(lesson);
        if let Some(first) = tabs.first().filter(|_| !tabs.iter().any(|tab| bottom_tab(*tab) == state.bottom_tab)) {
            state.bottom_tab = bottom_tab(*first);
        }
    }
}

/// Keeps what was drawn, and lets nothing run before the prediction.
pub fn after_panels(view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    state.lessons.take_sketch(view, &state.plots);
    state.lessons.hold(view, &mut state.notices, out);
}

/// Ends lesson mode if the action asks for a panel that it hides. True if the panel is shown with that.
pub fn brings_back(action: Action, view: &View<'_>, state: &mut UiState) -> bool {
    let Some(lesson) = state.lessons.focused(view) else { return false };
    let tab = match action {
        Action::ToggleLeft => None,
        Action::Laboratory(of) => Some(BottomTab::Lab(of)),
        Action::Events => Some(BottomTab::Events),
        Action::Compare => Some(BottomTab::Compare),
        _ => return false,
    };
    if tab.is_some_and(|tab| mode::tabs(lesson).into_iter().any(|used| bottom_tab(used) == tab)) {
        return false;
    }
    state.lessons.focus = false;
    match tab {
        None => (state.panels.left, state.panels.hidden) = (true, false),
        Some(tab) => (state.bottom_tab, state.panels.plots, state.panels.hidden) = (tab, true, false),
    }
    true
}
