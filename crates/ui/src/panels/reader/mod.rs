//! The derivations, the errata and the arena in the window: headings on the left, a section on the right.

mod formula;
mod prose;
pub mod sections;

use egui::{ComboBox, Label, Rect, RichText, ScrollArea, Ui, vec2};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use crate::widgets::{self, Segment, named, segments, tex, theme};
use sections::Page;

/// The state of the reader.
#[derive(Default)]
pub struct Reader {
    /// The open section; `None` if the page is closed.
    pub open: Option<(Page, usize)>,
    /// The section of the derivations or errata to open next.
    last: (Page, usize),
    cache: CommonMarkCache,
}

impl Reader {
    /// Opens the last section of the derivations or errata, or closes it.
    pub fn toggle(&mut self) {
        self.open = if self.open.is_some() && !self.shows_arena() { None } else { Some(self.last) };
    }

    /// Opens the arena, or closes it.
    pub fn toggle_arena(&mut self) {
        self.open = if self.shows_arena() { None } else { Some((Page::Arena, 0)) };
    }

    /// Whether a section of the arena is open.
    pub fn shows_arena(&self) -> bool {
        matches!(self.open, Some((Page::Arena, _)))
    }
}

const WIDTH: f32 = 880.0;
const HEIGHT: f32 = 600.0;
const LIST: f32 = 210.0;

/// Draws the page if it is open, over the view.
pub fn show(ui: &mut Ui, over: Rect, reader: &mut Reader) {
    let Some((page, at)) = reader.open else { return };
    // A new choice is shown from the next frame on, so that headings and text of a frame belong together.
    let mut next = (page, at);
    let name = if page == Page::Arena { "Arena" } else { "Derivations and errata" };
    let close = widgets::page(ui, name, over, vec2(WIDTH, HEIGHT), |ui, room| {
        let wide = room.x >= 3.0 * LIST;
        ui.horizontal(|ui| {
            let tips = [
                "Notation, signs and how each row is derived",
                "What the documents print, and what is right",
                "Every solver on scenes whose right values are known",
            ];
            let items: Vec<Segment<'_>> =
                Page::ALL.iter().zip(tips).map(|(page, tip)| Segment::new(page.title(), tip)).collect();
            let chosen = Page::ALL.iter().position(|one| *one == page);
            ui.allocate_ui(vec2(LIST, 22.0), |ui| {
                ui.set_max_width(LIST);
                if let Some(index) = segments(ui, "Document", &items, chosen) {
                    next = (Page::ALL[index], 0);
                }
            });
            if !wide {
                pick(ui, page, at, &mut next.1);
            }
        });
        ui.add_space(4.0);
        let inner = room.y - 34.0;
        ui.horizontal_top(|ui| {
            if wide {
                ui.allocate_ui(vec2(LIST, inner), |ui| list(ui, page, at, &mut next.1, inner));
                ui.separator();
            }
            ui.vertical(|ui| text(ui, page, at, inner, &mut reader.cache));
        });
    });
    // A link from one document to the other.
    for (link, page_of, section) in LINKS {
        if reader.cache.get_link_hook(link) == Some(true) {
            next = (page_of, section);
        }
    }
    if next != (page, at) {
        ui.ctx().request_repaint();
    }
    if next.0 != Page::Arena {
        reader.last = next;
    }
    reader.open = (!close).then_some(next);
}

/// The targets of the documents' links to each other.
const LINKS: [(&str, Page, usize); 2] = [("errata.md", Page::Errata, 0), ("math.md", Page::Math, 0)];

fn pick(ui: &mut Ui, page: Page, at: usize, next: &mut usize) {
    let sections = page.sections();
    let title = sections.get(at).map_or("", |section| section.title.as_str());
    let combo = ComboBox::from_id_salt("section").width(220.0).truncate().selected_text(title);
    let shown = combo.show_ui(ui, |ui| {
        for (index, section) in sections.iter().enumerate() {
            if ui.selectable_label(at == index, section.title.as_str()).clicked() {
                *next = index;
            }
        }
    });
    named(shown.response, "Section");
}

fn list(ui: &mut Ui, page: Page, at: usize, next: &mut usize, height: f32) {
    ui.vertical(|ui| {
        ui.set_width(LIST);
        ScrollArea::vertical().id_salt(("headings", page.title())).max_height(height).auto_shrink(false).show(
            ui,
            |ui| {
                for (index, section) in page.sections().iter().enumerate() {
                    let button = egui::Button::selectable(at == index, section.title.as_str()).truncate();
                    let response = named(ui.add(button), &format!("Read: {}", section.title));
                    if response.on_hover_text(&section.title).clicked() {
                        *next = index;
                    }
                }
            },
        );
    });
}

fn text(ui: &mut Ui, page: Page, at: usize, height: f32, cache: &mut CommonMarkCache) {
    let Some(section) = page.sections().get(at) else { return };
    let colors = theme::colors(ui.visuals());
    for (link, ..) in LINKS {
        cache.add_link_hook(link);
    }
    let room = ScrollArea::vertical().id_salt(("text", page.title(), at)).max_height(height).auto_shrink(false);
    room.show(ui, |ui| {
        ui.set_width((ui.available_width() - 10.0).max(120.0));
        ui.add(Label::new(RichText::new(&section.title).heading().color(colors.strong)).wrap());
        ui.add_space(4.0);
        let set = |ui: &mut Ui, formula: &str, _: bool| {
            tex::formula(ui, formula);
        };
        CommonMarkViewer::new().render_math_fn(Some(&set)).show(ui, cache, &section.text);
    });
}
