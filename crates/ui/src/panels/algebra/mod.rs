//! The book's matrices with live numbers, as pages in place of the lower dock: two bodies and the rows between them
//! (chapters 2 to 4 and 7), the points of a contact manifold over time (13), quaternion products (15).

mod manifold;
mod quaternions;
mod table;
mod two_bodies;

use egui::{ScrollArea, Ui};

use crate::{
    panels::next_step::NextStep,
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{self, Segment, segments},
};
use delassus_physics::row::Owner;
use delassus_scene::lesson::Algebra;

/// The state of the pages.
#[derive(Default)]
pub struct Pages {
    /// The page that is open.
    pub open: Option<Algebra>,
    next_step: NextStep,
    /// The joint or contact that was chosen last.
    owner: Option<Owner>,
    /// The index of the row under the pointer among all rows.
    row: Option<usize>,
    manifold: manifold::Memory,
    quaternions: quaternions::QuaternionFactors,
}

const PAGES: [(Algebra, &str, &str); 3] = [
    (Algebra::TwoBodies, "Two bodies", "u, J, M⁻¹ and K of a joint or contact, as in chapters 2 to 4"),
    (Algebra::Manifold, "Manifold", "The points of a contact as they come and go, as in chapter 13"),
    (Algebra::Quaternions, "Quaternions", "Products as matrices L(q) and R(q), as in chapter 15"),
];

/// A narrower page scrolls horizontally, points.
const WIDTH: f32 = 748.0;

impl Pages {
    /// Opens a page, or closes it if it is open.
    pub fn toggle(&mut self, page: Algebra) {
        self.open = if self.open == Some(page) { None } else { Some(page) };
    }

    /// Draws the subject of the open page in the view.
    pub fn in_view(&mut self, view: &View<'_>, view3d: &mut View3d) {
        self.next_step.end_frame();
        match self.open {
            Some(Algebra::TwoBodies) => two_bodies::draw(self, view, view3d),
            Some(Algebra::Manifold) => manifold::draw(&self.manifold, view, view3d),
            Some(Algebra::Quaternions) => quaternions::draw(&self.quaternions, view, view3d),
            None => {}
        }
    }
}

/// Draws the page if one is open.
pub fn show(ui: &mut Ui, view: &View<'_>, pages: &mut Pages, selection: &mut Selection) {
    let Some(mut open) = pages.open else { return };
    let close = widgets::page_header(ui, "The book's matrices, live", 420.0, |ui| {
        let items = PAGES.map(|(_, name, tip)| Segment::new(name, tip));
        let chosen = PAGES.iter().position(|(page, ..)| *page == open);
        if let Some(index) = segments(ui, "Page", &items, chosen) {
            open = PAGES[index].0;
        }
    });
    let name = PAGES.iter().find(|(page, ..)| *page == open).map_or("", |(_, name, _)| name);
    ScrollArea::both().id_salt(("algebra", name)).auto_shrink([false, false]).show(ui, |ui| {
        ui.set_width(ui.available_width().max(WIDTH));
        match open {
            Algebra::TwoBodies => two_bodies::show(ui, view, pages, selection),
            Algebra::Manifold => manifold::show(ui, view, &mut pages.manifold, selection),
            Algebra::Quaternions => quaternions::show(ui, view, &mut pages.quaternions, selection),
        }
    });
    pages.open = (!close).then_some(open);
}
