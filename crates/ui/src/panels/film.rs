//! The window for films and pictures: size, speed, length, and whether the plots are included.

use egui::{Align2, ComboBox, DragValue, Grid, ProgressBar, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    request::{FilmPlan, Request},
    view::View,
    widgets::{named, number, switch, theme, window_header, word_button},
};

/// The panel's memory.
#[derive(Clone, Debug, Default)]
pub struct FilmPanel {
    pub open: bool,
    pub plan: FilmPlan,
    /// Number of pictures made so far and in total, while a film is recorded.
    pub progress: Option<(u64, u64)>,
}

const SIZES: [[u32; 2]; 5] = [[640, 360], [960, 540], [1280, 720], [1920, 1080], [720, 720]];
const RATES: [f32; 5] = [10.0, 20.0, 25.0, 50.0, 60.0];
/// The longest film, s.
const MAX_SECONDS: f32 = 240.0;
const WIDTH: f32 = 344.0;

/// Draws the window if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, room: egui::Rect, state: &mut FilmPanel, out: &mut Vec<Request>) {
    if !state.open && state.progress.is_none() {
        return;
    }
    let mut close = false;
    egui::Window::new("Film and figure")
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::LEFT_BOTTOM)
        .default_pos(room.left_bottom() + egui::vec2(16.0, -12.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH.min(room.width() - 20.0).max(120.0));
            close = window_header(ui, "Film and figure");
            match state.progress {
                Some((made, all)) => recording(ui, made, all, out),
                None => plan(ui, view, state, out),
            }
        });
    if close {
        state.open = false;
        if state.progress.is_some() {
            out.push(Request::CancelFilm);
        }
    }
}

fn recording(ui: &mut Ui, made: u64, all: u64, out: &mut Vec<Request>) {
    ui.add(ProgressBar::new(made as f32 / all.max(1) as f32).text(format!("frame {made} of {all}")));
    let text = "The simulation advances with the film. Camera moves are recorded.";
    ui.add(egui::Label::new(RichText::new(text).small().weak()).wrap());
    if word_button(ui, Icon::X, "Cancel the film").on_hover_text("No file is written").clicked() {
        out.push(Request::CancelFilm);
    }
}

fn plan(ui: &mut Ui, view: &View<'_>, state: &mut FilmPanel, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let plan = &mut state.plan;
    Grid::new("film").num_columns(2).spacing([12.0, 5.0]).show(ui, |ui| {
        ui.label("Size");
        let words = |[width, height]: [u32; 2]| format!("{width} × {height}");
        let size = ComboBox::from_id_salt("size").selected_text(words(plan.size)).show_ui(ui, |ui| {
            for size in SIZES {
                ui.selectable_value(&mut plan.size, size, words(size));
            }
        });
        named(size.response, "Size of the film").on_hover_text("Size of the view, pixels; plots are added below it");
        ui.end_row();
        ui.label("Pictures a second");
        let rate = ComboBox::from_id_salt("rate").selected_text(format!("{}", plan.rate)).show_ui(ui, |ui| {
            for rate in RATES {
                ui.selectable_value(&mut plan.rate, rate, format!("{rate}"));
            }
        });
        named(rate.response, "Pictures a second")
            .on_hover_text("A GIF has 50 at most, and times its pictures in hundredths of a second");
        ui.end_row();
        ui.label("Simulated time");
        let length = DragValue::new(&mut plan.seconds).range(0.1..=MAX_SECONDS).speed(0.1).max_decimals(1).suffix(" s");
        named(ui.add(length), "Length of the film").on_hover_text("Starts at the shown moment");
        ui.end_row();
        ui.label("With the plots");
        switch(ui, &mut plan.plots, "With the plots").on_hover_text("As they are shown, below the view");
        ui.end_row();
    });
    let speed = view.clock.speed;
    let frames = plan.frames(speed);
    let lasts = number::time(frames as f64 / f64::from(plan.rate));
    let text = format!("{} that last {lasts}, at ×{speed}", number::counted(frames as usize, "picture", "pictures"));
    ui.label(RichText::new(text).small().color(colors.weak));
    ui.horizontal(|ui| {
        let able = !view.is_empty() && frames <= delassus_render::film::MAX_FRAMES;
        ui.add_enabled_ui(able, |ui| {
            let tip = "An animated .png or .gif, as the file's name ends";
            if word_button(ui, Icon::Clapperboard, "Record a film…").on_hover_text(tip).clicked() {
                out.push(Request::FilmDialog(*plan));
            }
            let tip = "The shown moment as a .png";
            if word_button(ui, Icon::Image, "Save a figure…").on_hover_text(tip).clicked() {
                out.push(Request::StillDialog(*plan));
            }
            let tip = "Copies a picture of the shown moment";
            if word_button(ui, Icon::Copy, "Copy").on_hover_text(tip).clicked() {
                out.push(Request::CopyPicture(Some(*plan)));
            }
        });
    });
}
