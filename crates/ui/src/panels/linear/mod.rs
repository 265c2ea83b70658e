//! Chapter 5 as a page: a small linear system with bounds, whose numbers can be edited, and its sweeps.

mod form;
mod plots;

use egui::{Grid, RichText, ScrollArea, Ui, vec2};

use crate::{
    panels::laboratory::typeset::formula,
    widgets::{self, named, theme, title},
};
use delassus_lab::linear::{Iteration, LinearSystem, Numbers, Properties, Sweep, examples};

/// The state of the page.
#[derive(Clone, Debug)]
pub struct Linear {
    pub open: bool,
    pub system: LinearSystem,
    /// Jacobi instead of Gauss–Seidel, and its relaxation ω.
    pub jacobi: bool,
    pub relaxation: f64,
    pub sweeps: usize,
}

impl Default for Linear {
    fn default() -> Self {
        let [_, (.., system), ..] = examples();
        Self { open: false, system, jacobi: false, relaxation: 1.0, sweeps: 5 }
    }
}

impl Linear {
    pub fn sweep_method(&self) -> Sweep {
        if self.jacobi { Sweep::Jacobi(self.relaxation) } else { Sweep::GaussSeidel }
    }
}

const LEFT: f32 = 380.0;

/// Draws the page if it is open, in place of the lower dock.
pub fn show(ui: &mut Ui, state: &mut Linear) {
    if !state.open {
        return;
    }
    let close = widgets::page_header(ui, "Linear systems, as in chapter 5", 0.0, |_| {});
    let room = ui.available_size();
    let iteration = state.system.sweep(state.sweep_method(), state.sweeps);
    let verdict = state.system.verdict(state.sweep_method());
    if room.x > LEFT + 260.0 {
        ui.horizontal_top(|ui| {
            ui.allocate_ui(vec2(LEFT, room.y), |ui| {
                ui.vertical(|ui| {
                    ui.set_width(LEFT);
                    ScrollArea::vertical().id_salt("left").max_height(room.y).show(ui, |ui| {
                        left(ui, state, &iteration, &verdict);
                    });
                });
            });
            ui.separator();
            ui.vertical(|ui| plots::show(ui, &state.system, &iteration, &verdict, room.y));
        });
    } else {
        ScrollArea::vertical().id_salt("all").max_height(room.y).show(ui, |ui| {
            left(ui, state, &iteration, &verdict);
            plots::show(ui, &state.system, &iteration, &verdict, 420.0);
        });
    }
    state.open = !close;
}

fn left(ui: &mut Ui, state: &mut Linear, iteration: &Iteration, verdict: &Properties) {
    form::show(ui, state);
    ui.add_space(6.0);
    title(ui, "Properties");
    judged(ui, &state.system, state.sweep_method(), verdict);
    ui.add_space(6.0);
    table(ui, &state.system, iteration);
}

/// Whether the sweeps converge, and why.
fn judged(ui: &mut Ui, system: &LinearSystem, method: Sweep, verdict: &Properties) {
    let colors = theme::colors(ui.visuals());
    let yes = |on: bool| if on { "yes" } else { "no" };
    let n = system.size;
    let dominant = verdict.dominant[..n].iter().all(|dominant| *dominant);
    Grid::new("verdict").num_columns(2).spacing([14.0, 2.0]).min_row_height(16.0).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 16.0;
        let mut line = |words: &str, value: &str, tip: &str| {
            ui.label(words).on_hover_text(tip);
            ui.monospace(value);
            ui.end_row();
        };
        line("symmetric", yes(verdict.symmetric), "The matrix equals its transpose, as K always does");
        line("positive definite", yes(verdict.definite), "x · A x > 0 for every x but zero");
        let short: Vec<String> =
            (0..n).filter(|row| !verdict.dominant[*row]).map(|row| (row + 1).to_string()).collect();
        let which = if dominant { "yes".to_owned() } else { format!("not row {}", short.join(", ")) };
        line(
            "diagonally dominant",
            &which,
            "In each row the diagonal entry is larger in size than all the others together",
        );
    });
    formula(ui, &format!("$ρ$($T$) = {:.6}", verdict.radius)).on_hover_text(
        "The factor by which a sweep multiplies the error in the long run; below 1 it converges from \
                        any start",
    );
    let radius = verdict.radius;
    let (words, color) = if radius >= 1.0 + 1e-9 {
        (format!("Each sweep multiplies the error by {radius:.2}: it diverges."), colors.warn)
    } else if radius > 1.0 - 1e-9 {
        ("The error along one direction stays: it neither converges nor diverges there.".to_owned(), colors.warn)
    } else if radius == 0.0 {
        ("It converges in at most as many sweeps as there are unknowns.".to_owned(), colors.text)
    } else {
        let digit = (0.1f64.ln() / radius.ln()).max(1.0);
        (format!("Each further digit takes {digit:.1} sweeps."), colors.text)
    };
    let bounded = if system.is_bounded() { " Bounds that hold an unknown can change that." } else { "" };
    ui.add(egui::Label::new(RichText::new(words + bounded).color(color)).wrap());
    let why = match method {
        Sweep::GaussSeidel if verdict.symmetric && verdict.definite => {
            "Symmetric and definite: Gauss–Seidel converges."
        }
        _ if dominant && !matches!(method, Sweep::Jacobi(share) if share > 1.0) => "Dominant rows: it converges.",
        _ => "Neither condition of the chapter guarantees convergence: ρ decides.",
    };
    ui.label(RichText::new(why).small().color(colors.weak));
}

fn number(value: f64) -> String {
    let text = if value.abs() < 1e6 { format!("{value:.2}") } else { format!("{value:.2e}") };
    text.replace('-', "−")
}

/// Width of a column of numbers.
const COLUMN: f32 = 62.0;

/// The sweeps as the book prints them.
fn table(ui: &mut Ui, system: &LinearSystem, iteration: &Iteration) {
    let solution = system.solution();
    let shown = |ui: &mut Ui, name: &str, x: &Numbers, lack: String| {
        ui.label(RichText::new(name).small());
        let right = |ui: &mut Ui, text: String| {
            // All numbers have the same width, so that the columns do not move.
            let label = egui::Label::new(RichText::new(text).monospace().size(12.0)).halign(egui::Align::RIGHT);
            ui.add_sized([COLUMN, 15.0], label.extend());
        };
        for value in &x[..system.size] {
            right(ui, number(*value));
        }
        right(ui, lack);
        ui.end_row();
    };
    let grid =
        Grid::new("iterates").num_columns(system.size + 2).spacing([4.0, 1.0]).min_row_height(15.0).striped(true);
    let drawn = grid.show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 15.0;
        ui.label(RichText::new("sweep").small());
        for i in 0..system.size {
            formula(ui, &format!("$x$_{}_", i + 1));
        }
        ui.label(RichText::new("residual").small())
            .on_hover_text("The largest residual of a row, as far as its bounds allow a correction");
        ui.end_row();
        for (sweep, x) in iteration.iterates.iter().enumerate() {
            let name = if sweep == 0 { "start".to_owned() } else { sweep.to_string() };
            shown(ui, &name, x, format!("{:.1e}", iteration.residuals[sweep]).replace('-', "−"));
        }
        if let Some(x) = solution {
            shown(ui, "solution", &x, "0".to_owned());
        }
    });
    named(drawn.response, "Sweeps of the system");
    if solution.is_none() {
        ui.label(RichText::new("There is no single solution.").small().weak());
    }
}
