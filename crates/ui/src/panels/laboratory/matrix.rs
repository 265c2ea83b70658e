//! The Delassus matrix of the selected mechanism as a picture, its factors, its elimination order, and what it
//! predicts for the sweeps. The picture itself is in `delassus.rs`.

use egui::{Align, Layout, RichText, TextureHandle, Ui, vec2};
use lucide_icons::Icon;

use super::wanted::{Answer, MatrixAnswer};
use super::{delassus, factors, heat, numbers, owner_name};
use crate::{
    selection::Selection,
    view::View,
    widgets::{self, theme},
};
use delassus_lab::TracedStep;

/// The picture that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatrixView {
    #[default]
    A,
    /// J and M⁻¹, the factors of A.
    Factors,
    /// The blocks of A in elimination order.
    Elimination,
}

const PICTURES: [(MatrixView, &str, &str); 3] = [
    (MatrixView::A, "A", "The Delassus matrix, row by row"),
    (MatrixView::Factors, "J and M", "What A is made of: J by rows and bodies, and the inverse masses"),
    (
        MatrixView::Elimination,
        "elimination",
        "The blocks of A in the order in which a tree is solved, and what fills in",
    ),
];

/// The state of the Matrix tab.
#[derive(Default)]
pub struct Memory {
    picture: MatrixView,
    /// Index of the null vector of impulses that is drawn.
    pattern: Option<usize>,
    /// The rows of the cell under the pointer, and of the cell that was clicked last.
    pub(super) pointed: Option<[usize; 2]>,
    pub(super) picked: Option<[usize; 2]>,
    /// The mechanism whose free motions are to be shown.
    pub(super) motions: Option<usize>,
    /// The pictures of the shown matrix, as textures.
    pub(super) pictures: Option<Vec<TextureHandle>>,
}

impl Memory {
    /// The null vector that is to be drawn, as pairs of a row index and its impulse.
    pub(super) fn pattern(&self, answer: &Answer) -> Vec<(usize, f64)> {
        let Some(MatrixAnswer { matrix, nulls, .. }) = answer.matrix() else { return Vec::new() };
        let Some(vector) = self.pattern.and_then(|index| nulls.get(index)) else { return Vec::new() };
        matrix.rows.iter().copied().zip(vector.iter().copied()).filter(|(_, part)| *part != 0.0).collect()
    }
}

/// Width of the numbers beside the picture, points.
const NUMBERS: f32 = 250.0;
/// If more than this width is left beside the numbers, J and M⁻¹ are drawn there, points.
const BESIDE: f32 = 320.0;

pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    (traced, answer): (&TracedStep, &Answer),
    state: &mut Memory,
    selection: &mut Selection,
) {
    state.pointed = None;
    let Some(made) = answer.matrix() else {
        return widgets::empty(ui, Icon::Grid3x3, "No row holds anything in this step.");
    };
    let MatrixAnswer { matrix, elimination, .. } = made;
    if state.pictures.is_none() {
        state.pattern = None;
    }
    let pictures = state.pictures.take().unwrap_or_else(|| textures(ui, traced, made));
    let room = ui.available_size();
    let words = NUMBERS.min(0.5 * room.x);
    let across = (room.x - words - 16.0).max(60.0);
    // Names are left of the picture if there is room for both.
    let margin =
        if state.picture == MatrixView::A { delassus::NAMES.min(across - room.y.min(across)).max(0.0) } else { 0.0 };
    let margin = if margin < 40.0 { 0.0 } else { margin };
    let side = room.y.min(across - margin);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        match state.picture {
            MatrixView::A => delassus::show(ui, traced, matrix, &pictures[0], [margin, side], view, (state, selection)),
            MatrixView::Factors => {
                factors::factors(ui, traced, matrix, [&pictures[1], &pictures[2]], vec2(across, room.y), view);
            }
            MatrixView::Elimination => {
                factors::elimination(ui, matrix, elimination, &pictures[3], side, (view, selection));
            }
        }
        // In a wide dock the factors are drawn beside the numbers.
        let beside = ui.available_width() - words - 16.0;
        let beside = if state.picture == MatrixView::A && beside > BESIDE { beside } else { 0.0 };
        let words = vec2(if beside > 0.0 { words } else { ui.available_width() }, room.y);
        ui.allocate_ui_with_layout(words, Layout::top_down(Align::Min), |ui| {
            let items = PICTURES.map(|(_, label, tip)| widgets::Segment::new(label, tip));
            let now = PICTURES.iter().position(|(picture, ..)| *picture == state.picture);
            ui.allocate_ui(vec2(NUMBERS - 8.0, 24.0), |ui| {
                ui.set_max_width(NUMBERS - 8.0);
                if let Some(index) = widgets::segments(ui, "Picture", &items, now) {
                    state.picture = PICTURES[index].0;
                }
            });
            widgets::scroll(ui, "matrix in numbers", |ui| match state.picture {
                MatrixView::Elimination => factors::elimination_in_words(ui, elimination),
                _ => {
                    numbers::show(ui, traced, matrix, view);
                    redundant(ui, traced, answer, state, view);
                }
            });
        });
        if beside > 0.0 {
            factors::factors(ui, traced, matrix, [&pictures[1], &pictures[2]], vec2(beside, room.y), view);
        }
    });
    state.pictures = Some(pictures);
}

/// The pictures of A, J, M⁻¹ and of the elimination.
fn textures(
    ui: &Ui,
    traced: &TracedStep,
    MatrixAnswer { matrix, elimination, .. }: &MatrixAnswer,
) -> Vec<TextureHandle> {
    let ground = theme::colors(ui.visuals()).sunken;
    let n = matrix.size();
    let largest = (0..n).map(|i| matrix.cell(i, i)).fold(0.0, f64::max);
    let a = match &matrix.sampled {
        Some(sampled) => {
            let (n, largest) = (sampled.side, sampled.largest());
            heat::texture(ui, "matrix", (n, n), |i, j| heat::signed(sampled.cell(i, j).0, largest, ground))
        }
        None => heat::texture(ui, "matrix", (n, n), |i, j| heat::signed(matrix.cell(i, j), largest, ground)),
    };
    let [j, m] = factors::textures(ui, traced, matrix);
    vec![a, j, m, factors::pattern(ui, elimination)]
}

/// Lists the redundant rows, one null vector at a time, and the free motions.
fn redundant(ui: &mut Ui, traced: &TracedStep, answer: &Answer, state: &mut Memory, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let Some(MatrixAnswer { matrix, nulls, .. }) = answer.matrix() else { return };
    let count = nulls.len();
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if count > 0 {
            let on = state.pattern.is_some();
            let tip = "Draw, in the view, impulses that cancel each other: each such pattern means one row too many";
            if widgets::icon_toggle(ui, Icon::Infinity, on, "Impulses that cancel", tip).clicked() {
                state.pattern = if on { None } else { Some(0) };
            }
            if let Some(index) = &mut state.pattern {
                if widgets::icon_button(ui, Icon::ChevronLeft, "Previous pattern", "The pattern before").clicked() {
                    *index = (*index + count - 1) % count;
                }
                ui.label(RichText::new(format!("{} of {count}", *index + 1)).color(colors.weak));
                if widgets::icon_button(ui, Icon::ChevronRight, "Next pattern", "The next pattern").clicked() {
                    *index = (*index + 1) % count;
                }
            }
        }
        let mechanism = matrix.bodies.first().and_then(|body| {
            view.session.mechanisms().iter().position(|mechanism| mechanism.bodies.binary_search(body).is_ok())
        });
        if let Some(mechanism) = mechanism {
            let tip = "Show, with ghosts in the view, each motion that J leaves free: J u = 0";
            if widgets::icon_button(ui, Icon::Waypoints, "What stays free", tip).clicked() {
                state.motions = Some(mechanism);
            }
        }
    });
    let mut parts = state.pattern(answer);
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    for (index, part) in parts.iter().take(8) {
        let row = &traced.rows[*index];
        let name = owner_name(row.owner, (row.a, row.b), view);
        let text = format!("{part:+.2}  {name}: {}", row.part()).replace('-', "−");
        ui.add(egui::Label::new(RichText::new(text).size(12.0).color(colors.text)).truncate());
    }
    if parts.len() > 8 {
        ui.label(RichText::new(format!("and {} more rows", parts.len() - 8)).small().color(colors.weak));
    }
}
