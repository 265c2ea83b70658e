//! Probes: live distances and angles between points, axes and faces, and the net external force and torque on the
//! selected bodies, as numbers and arrows. A click on a number copies it.

mod drawing;
mod numbers;
mod picking;

use egui::{Align2, ScrollArea, Ui, vec2};

use crate::{selection::Selection, view::View, widgets::window_header};
use delassus_render::palette;

pub use drawing::in_view;
pub use picking::{Pick, pointer};

/// The state of the panel.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    pub open: bool,
    /// Whether a click in the view picks a feature.
    pub picking: bool,
    /// The first of the two features of a measure.
    first: Option<Pick>,
    pub measures: Vec<(Pick, Pick)>,
    /// Whether net force and torque are drawn.
    pub arrows: bool,
}

const WIDTH: f32 = 330.0;
/// The most measures in the view; more would hide each other.
const MAX_MEASURES: usize = 12;
const LINE: [f32; 3] = palette::SKY_BLUE;

impl Probes {
    /// Forgets the picked features after the bodies were replaced.
    pub fn forget(&mut self) {
        self.first = None;
        self.measures.clear();
    }
}

/// Draws the window if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, room: egui::Rect, probes: &mut Probes, selection: &Selection) {
    if !probes.open {
        (probes.picking, probes.first) = (false, None);
        return;
    }
    let mut close = false;
    egui::Window::new("Probes")
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::RIGHT_BOTTOM)
        .default_pos(room.right_bottom() + vec2(-16.0, -12.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(room.width() - 20.0).max(120.0));
            close = window_header(ui, "Probes");
            let max_height = (room.height() - 70.0).max(60.0);
            ScrollArea::vertical().max_height(max_height).show(ui, |ui| {
                numbers::measures(ui, view, probes);
                ui.add_space(6.0);
                numbers::forces(ui, view, probes, selection);
            });
        });
    if close {
        probes.open = false;
    }
}
