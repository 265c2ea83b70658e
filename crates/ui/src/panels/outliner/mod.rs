//! The Outliner tab: everything in the scene by name as a tree. A click selects, Shift a range, Ctrl adds; a double
//! click or F2 renames; the eye hides in the view, the lock prevents selection with the pointer.

mod rename;
mod row;
mod tree;

use egui::{Align, Frame, Layout, Margin, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use crate::{
    request::Request,
    selection::Selection,
    view::View,
    view3d::visibility::Visibility,
    widgets::{self, search_field, theme},
};

pub use rename::Renaming;
pub use tree::{OutlinerItem, OutlinerTree};

/// The state of the outliner.
#[derive(Clone, Debug, Default)]
pub struct Outliner {
    pub search: String,
    pub tree: OutlinerTree,
    /// The row from which Shift selects, as a node.
    anchor: Option<usize>,
    /// The row clicked last.
    last: Option<OutlinerItem>,
    pub renaming: Option<Renaming>,
    /// A node of the tree to scroll to.
    reveal: Option<usize>,
}

impl Outliner {
    /// Forgets rows after another scene was opened or the bodies were renumbered.
    pub fn forget(&mut self) {
        (self.anchor, self.last, self.renaming) = (None, None, None);
    }
}

/// What the rows can change: the outliner's state, the selection, and what is hidden or locked.
pub struct RowContext<'a> {
    pub outliner: &'a mut Outliner,
    pub selection: &'a mut Selection,
    pub visibility: &'a mut Visibility,
}

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut RowContext<'_>, out: &mut Vec<Request>) {
    Frame::new().inner_margin(Margin { left: 10, right: 4, top: 4, bottom: 4 }).show(ui, |ui| {
        search_field(ui, &mut state.outliner.search, "Search bodies and joints");
        ui.add_space(2.0);
        if view.is_empty() {
            widgets::empty(ui, Icon::PackageOpen, "The scene is empty.\nB spawns bodies.");
            return;
        }
        hidden_items(ui, state);
        state.outliner.tree.update(view, &state.outliner.search);
        let count = state.outliner.tree.rows.len();
        if count == 0 {
            widgets::empty(ui, Icon::SearchX, "No matches.");
            return;
        }
        rename::start_rename(view, state);
        let chosen = row::chosen(view, state);
        ui.spacing_mut().item_spacing.y = 1.0;
        let mut area = ScrollArea::vertical().auto_shrink([false, false]).id_salt("outliner");
        let revealed = state.outliner.reveal.take();
        let rows = &state.outliner.tree.rows;
        if let Some(at) = revealed.and_then(|node| rows.binary_search(&node).ok()) {
            let above = at as f32 * (theme::ROW_HEIGHT + 1.0) - 0.4 * ui.available_height();
            area = area.vertical_scroll_offset(above.max(0.0));
        }
        // Only visible rows are laid out: there may be a hundred thousand.
        area.show_rows(ui, theme::ROW_HEIGHT, count, |ui, range| {
            for at in range {
                row::show(ui, at, &chosen, view, state, out);
            }
        });
    });
}

/// Draws how many items are hidden, and the button that shows them.
fn hidden_items(ui: &mut Ui, state: &mut RowContext<'_>) {
    let count = state.visibility.hidden();
    if count == 0 {
        return;
    }
    let weak = theme::colors(ui.visuals()).weak;
    ui.horizontal(|ui| {
        ui.label(widgets::icon_sized(Icon::EyeOff, 13.0).color(weak));
        ui.label(RichText::new(format!("{} hidden", crate::widgets::number::count(count))).small().color(weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(4.0);
            if widgets::named(ui.small_button("Show all"), "Show all hidden")
                .on_hover_text("Show all  (Alt+H)")
                .clicked()
            {
                state.visibility.show_all();
            }
        });
    });
}

/// Starts renaming the selection, or the row clicked last if it is no body or joint. False if nothing is selected.
pub fn rename_selected(outliner: &mut Outliner, selection: &Selection) -> bool {
    let selected = match (selection.bodies.last(), selection.joint) {
        (_, Some(index)) => Some(OutlinerItem::Joint(index)),
        (Some(id), None) => Some(OutlinerItem::Body(*id)),
        (None, None) => None,
    };
    let group = outliner.last.filter(|item| matches!(item, OutlinerItem::Group(Some(_)) | OutlinerItem::Material(_)));
    let Some(item) = group.or(selected) else { return false };
    outliner.renaming = Some(Renaming::wanted(item));
    outliner.search.clear();
    true
}
