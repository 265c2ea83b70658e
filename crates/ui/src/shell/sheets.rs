//! The key sheet, “About” and the licences: windows that are not modal.

use std::sync::LazyLock;

use egui::{Align2, Grid, Label, RichText, ScrollArea, TextStyle, Ui};

use crate::{
    shell::{
        action::{ACTIONS, Menu},
        keys::shortcut_text,
        state::UiState,
    },
    view::View,
    widgets::{self, theme},
};
use delassus_licences::{FONTS, THIRD_PARTY};

/// Which one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    Keys,
    About,
    Licences,
}

/// What the mouse does in the view.
const MOUSE: [(&str, &str); 11] = [
    ("Left click", "select"),
    ("Shift+click", "add to the selection"),
    ("Left drag on the ground", "select what is inside"),
    ("… with Shift, Ctrl+Shift", "add it, take it out"),
    ("Left drag on a round grip", "move that stop of the joint"),
    ("Ctrl+left drag", "pull a body by a spring"),
    ("Alt+left drag, middle drag", "orbit"),
    ("Shift+middle drag", "pan"),
    ("Wheel", "zoom to the pointer"),
    ("Right drag", "look around"),
    ("W A S D Q E with right drag", "fly"),
];

/// Width from which the keys are listed in two columns, points.
const TWO_COLUMNS: f32 = 600.0;

/// Draws the open one.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState) {
    let Some(sheet) = state.sheet else { return };
    let (mut close, mut others) = (false, false);
    let (name, width) = match sheet {
        Sheet::Keys => ("Mouse and keys", 640.0_f32),
        Sheet::About => ("About Delassus", 420.0),
        Sheet::Licences => ("Licences", 720.0),
    };
    let screen = ui.ctx().content_rect();
    let height = (screen.height() - 130.0).max(40.0);
    egui::Window::new(name)
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(screen.center())
        .show(ui.ctx(), |ui| {
            ui.set_width(width.min(screen.width() - 60.0).max(40.0));
            close = widgets::window_header(ui, name);
            if sheet == Sheet::Licences {
                licences(ui, height);
                return;
            }
            ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| match sheet {
                Sheet::Keys => keys(ui),
                Sheet::About => others |= about(ui, view),
                Sheet::Licences => {}
            });
        });
    if close {
        state.sheet = None;
    } else if others {
        state.sheet = Some(Sheet::Licences);
    }
}

fn keys(ui: &mut Ui) {
    // Beside each other where both have room, else one below the other.
    if ui.available_width() < TWO_COLUMNS {
        hands(ui);
        ui.add_space(10.0);
        menus(ui);
    } else {
        ui.columns(2, |columns| {
            let [left, right] = columns else { return };
            hands(left);
            menus(right);
        });
    }
    ui.add_space(6.0);
    ui.label(RichText::new("Shortcut keys are off while you type in a field.").small().weak());
}

fn hands(ui: &mut Ui) {
    widgets::title(ui, "Mouse in the view");
    table(ui, "mouse", MOUSE.iter().map(|(key, what)| ((*key).to_owned(), *what)));
    ui.add_space(10.0);
    menu(ui, Menu::Simulate, "Simulate");
    ui.add_space(10.0);
    menu(ui, Menu::Help, "Help");
}

fn menus(ui: &mut Ui) {
    menu(ui, Menu::File, "File");
    ui.add_space(10.0);
    menu(ui, Menu::Edit, "Edit");
    ui.add_space(10.0);
    menu(ui, Menu::View, "View");
    ui.add_space(10.0);
    menu(ui, Menu::Laboratory, "Laboratory");
}

fn menu(ui: &mut Ui, menu: Menu, name: &str) {
    widgets::title(ui, name);
    let lines = ACTIONS.iter().filter(|info| info.menu == menu && !info.keys.is_empty()).map(|info| {
        let keys: Vec<_> = info.keys.iter().map(shortcut_text).collect();
        (keys.join("  or  "), info.name)
    });
    table(ui, name, lines);
}

fn table<'a>(ui: &mut Ui, id: &str, lines: impl Iterator<Item = (String, &'a str)>) {
    let colors = theme::colors(ui.visuals());
    Grid::new(id).num_columns(2).spacing([14.0, 3.0]).min_col_width(112.0).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        for (key, what) in lines {
            ui.label(RichText::new(key).color(colors.strong).size(12.5));
            ui.label(RichText::new(what).size(12.5));
            ui.end_row();
        }
    });
}

/// Returns whether the licences are asked for.
fn about(ui: &mut Ui, view: &View<'_>) -> bool {
    let colors = theme::colors(ui.visuals());
    ui.label(RichText::new("Delassus").size(24.0).color(colors.strong));
    ui.label(RichText::new(concat!("version ", env!("CARGO_PKG_VERSION"))).color(colors.weak));
    ui.add_space(8.0);
    ui.add(
        Label::new(
            "An interactive sandbox for rigid-body constraint solvers: change a solver's settings while the scene \
             moves, and see what each one does. It is named after Étienne Delassus. Every such solver works on his \
             matrix, which holds the inverse masses as the constraints feel them.",
        )
        .wrap(),
    );
    ui.add_space(8.0);
    ui.label(RichText::new("MIT or Apache-2.0").color(colors.weak));
    ui.add(Label::new(RichText::new(format!("Drawn by {}", view.adapter)).small().color(colors.weak)).wrap());
    ui.add_space(8.0);
    for (name, author, licence) in FONTS {
        ui.label(RichText::new(format!("{name}: {author}; {licence}")).small().color(colors.weak));
    }
    ui.label(RichText::new("Colours: Okabe and Ito; viridis.").small().color(colors.weak));
    ui.add_space(8.0);
    ui.button("Licences of fonts and crates").clicked()
}

/// All of them, of which only the visible lines are laid out.
fn licences(ui: &mut Ui, height: f32) {
    static LINES: LazyLock<Vec<&str>> = LazyLock::new(|| THIRD_PARTY.lines().collect());
    let line = ui.text_style_height(&TextStyle::Monospace);
    ScrollArea::both().max_height(height).min_scrolled_height(height).auto_shrink(false).show_rows(
        ui,
        line,
        LINES.len(),
        |ui, shown| {
            for line in &LINES[shown] {
                ui.add(Label::new(RichText::new(*line).monospace()).extend());
            }
        },
    );
}
