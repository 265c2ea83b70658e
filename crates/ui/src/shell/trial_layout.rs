//! The window's layout for a lesson's trial: the tab to show, the selection, the page with its system.

use crate::{
    panels::laboratory::Instrument,
    shell::state::{BottomTab, UiState},
    view::View,
};
use delassus_lab::linear::examples;
use delassus_scene::lesson::{Tab, Trial};

/// Lays the window out. A run without a tab of its own shows the plots, not what an earlier trial had opened.
pub fn lay_out(trial: &Trial, view: &View<'_>, state: &mut UiState) {
    let tab = if trial.system.is_empty() { Some(trial.tab.unwrap_or(Tab::Plots)) } else { trial.tab };
    if let Some(tab) = tab {
        state.bottom_tab = bottom_tab(tab);
        (state.panels.plots, state.panels.hidden) = (true, false);
    }
    if !trial.select.is_empty() {
        let joint = view.snapshot.joints.iter().position(|joint| *joint.name == *trial.select);
        let body = view.snapshot.bodies.iter().find(|body| *body.name == *trial.select);
        match (joint, body) {
            (Some(joint), _) => state.selection.click_joint(joint),
            (None, Some(body)) => state.selection.click_body(body.id, false),
            (None, None) => {}
        }
        state.laboratory.rows.selected_only = true;
    }
    state.compare.apart = trial.beside.is_some();
    state.laboratory.inside.play_at(trial.blocks_per_second);
    // Only the trial's own page stays open.
    state.algebra.open = trial.algebra;
    let system = examples().into_iter().find(|(name, ..)| *name == trial.system);
    state.linear.open = system.is_some();
    state.analyse.open = false;
    if let Some((.., system)) = system {
        state.linear.system = system;
    }
}

/// The tab of the lower dock that a lesson names.
pub fn bottom_tab(tab: Tab) -> BottomTab {
    match tab {
        Tab::Plots => BottomTab::Plots,
        Tab::Step => BottomTab::Lab(Instrument::Inside),
        Tab::Rows => BottomTab::Lab(Instrument::Rows),
        Tab::Matrix => BottomTab::Lab(Instrument::Matrix),
        Tab::Sweeps => BottomTab::Lab(Instrument::Sweeps),
        Tab::Ledger => BottomTab::Lab(Instrument::Ledger),
        Tab::Compare => BottomTab::Compare,
    }
}
