//! The Delassus matrix of the selected mechanism as a picture, what it is made of, in which order it is eliminated, and
//! what it says of the sweeps.

use egui::{Align, Layout, RichText, Stroke, TextureHandle, Ui, vec2};
use lucide_icons::Icon;

use super::{Laboratory, factors, heat, matrix_of, owner_name, select, typeset::formula, units};
use crate::lab::{Elimination, LARGEST, Look, Matrix};
use crate::ui::{
    selection::Selection,
    view::View,
    widgets::{self, theme},
};

/// Which picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    #[default]
    A,
    /// J and M⁻¹, of which A is made.
    Factors,
    /// The blocks of A in the order of elimination.
    Elimination,
}

const PICTURES: [(Picture, &str, &str); 3] = [
    (Picture::A, "A", "The Delassus matrix, row by row"),
    (Picture::Factors, "J and M", "What A is made of: J by rows and bodies, and the inverse masses"),
    (Picture::Elimination, "elimination", "The blocks of A in the order in which a tree is solved, and what fills in"),
];

/// The matrix that is shown, and of which selection.
#[derive(Default)]
pub struct Shown {
    picture: Picture,
    /// Which pattern of impulses that move nothing is drawn.
    pattern: Option<usize>,
    /// The two rows of the cell below the pointer, or of the one that was clicked last.
    pub(super) pointed: Option<[usize; 2]>,
    pub(super) picked: Option<[usize; 2]>,
    /// The mechanism whose free motions are asked for.
    pub(super) motions: Option<usize>,
    pub(super) made: Option<Made>,
}

pub(super) struct Made {
    of: Selection,
    pub(super) matrix: Option<Matrix>,
    elimination: Option<Elimination>,
    nulls: Vec<Vec<f64>>,
    pictures: Vec<TextureHandle>,
}

impl Shown {
    /// The pattern that is to be drawn: rows and their impulses.
    pub(super) fn pattern(&self) -> Vec<(usize, f64)> {
        let Some(Made { matrix: Some(matrix), nulls, .. }) = &self.made else { return Vec::new() };
        let Some(vector) = self.pattern.and_then(|index| nulls.get(index)) else { return Vec::new() };
        matrix.rows.iter().copied().zip(vector.iter().copied()).filter(|(_, part)| *part != 0.0).collect()
    }
}

/// Room that the numbers beside the picture take, points.
const NUMBERS: f32 = 250.0;
/// With more room than this beside the numbers, J and M⁻¹ stand there.
const BESIDE: f32 = 320.0;

pub fn show(ui: &mut Ui, view: &View<'_>, lab: &mut Laboratory, selection: &mut Selection) {
    let Laboratory { look: Some(look), matrix: state, .. } = lab else { return };
    let of = Selection { hovered: None, ..selection.clone() };
    if state.made.as_ref().is_none_or(|made| made.of != of) {
        state.made = Some(Made::of(ui, look, selection, of));
        state.pattern = None;
    }
    let Some(made) = state.made.take() else { return };
    state.pointed = None;
    let (Some(matrix), Some(elimination)) = (&made.matrix, &made.elimination) else {
        state.made = Some(made);
        return widgets::empty(ui, Icon::Grid3x3, "No row holds anything in this step.");
    };
    let room = ui.available_size();
    let words = NUMBERS.min(0.5 * room.x);
    let across = (room.x - words - 16.0).max(60.0);
    let side = room.y.min(across);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        match state.picture {
            Picture::A => picture(ui, look, matrix, &made.pictures[0], side, view, (state, selection)),
            Picture::Factors => {
                factors::factors(ui, look, matrix, [&made.pictures[1], &made.pictures[2]], vec2(across, room.y), view);
            }
            Picture::Elimination => {
                factors::elimination(ui, matrix, elimination, &made.pictures[3], side, (view, selection));
            }
        }
        // A wide dock has the factors beside the numbers.
        let beside = ui.available_width() - words - 16.0;
        let beside = if state.picture == Picture::A && beside > BESIDE { beside } else { 0.0 };
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
                Picture::Elimination => factors::elimination_in_words(ui, elimination),
                _ => {
                    numbers(ui, look, matrix, view);
                    redundant(ui, look, &made, state, view);
                }
            });
        });
        if beside > 0.0 {
            let pictures = [&made.pictures[1], &made.pictures[2]];
            factors::factors(ui, look, matrix, pictures, vec2(beside, room.y), view);
        }
    });
    state.made = Some(made);
}

impl Made {
    fn of(ui: &Ui, look: &Look, selection: &Selection, of: Selection) -> Self {
        let matrix = matrix_of(look, selection);
        let ground = theme::colors(ui.visuals()).sunken;
        let elimination = matrix.as_ref().map(|matrix| Elimination::of(look, &matrix.parts));
        let pictures = matrix.as_ref().zip(elimination.as_ref()).map_or_else(Vec::new, |(matrix, elimination)| {
            let n = matrix.size();
            let largest = (0..n).map(|i| matrix.cell(i, i)).fold(0.0, f64::max);
            let a = heat::texture(ui, "matrix", (n, n), |i, j| heat::signed(matrix.cell(i, j), largest, ground));
            let [j, m] = factors::textures(ui, look, matrix);
            vec![a, j, m, factors::pattern(ui, elimination)]
        });
        let nulls = matrix.as_ref().filter(|matrix| matrix.redundant() > 0).map_or_else(Vec::new, Matrix::null_vectors);
        Self { of, matrix, elimination, nulls, pictures }
    }
}

/// Which rows say the same, a pattern at a time, and what stays free.
fn redundant(ui: &mut Ui, look: &Look, made: &Made, state: &mut Shown, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let Some(matrix) = &made.matrix else { return };
    let count = made.nulls.len();
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if count > 0 {
            let on = state.pattern.is_some();
            let tip = "Draw impulses that cancel each other in the view: each such pattern is a row too many";
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
            let tip = "Show in the view, by ghosts, each motion that J leaves free: J u = 0";
            if widgets::icon_button(ui, Icon::Waypoints, "What stays free", tip).clicked() {
                state.motions = Some(mechanism);
            }
        }
    });
    let mut parts = state.pattern();
    parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    for (index, part) in parts.iter().take(8) {
        let row = &look.rows[*index];
        let name = owner_name(row.owner, (row.a, row.b), view);
        let text = format!("{part:+.2}  {name}: {}", row.part()).replace('-', "−");
        ui.add(egui::Label::new(RichText::new(text).size(12.0).color(colors.text)).truncate());
    }
    if parts.len() > 8 {
        ui.label(RichText::new(format!("and {} more rows", parts.len() - 8)).small().color(colors.weak));
    }
}

fn picture(
    ui: &mut Ui,
    look: &Look,
    matrix: &Matrix,
    texture: &TextureHandle,
    side: f32,
    view: &View<'_>,
    (state, selection): (&mut Shown, &mut Selection),
) {
    let colors = theme::colors(ui.visuals());
    let n = matrix.size();
    let (response, rect, cell) = heat::show(ui, texture, vec2(side, side), (n, n), "Delassus matrix");
    let painter = ui.painter();
    let scale = side / n as f32;
    let line = Stroke::new(0.5, colors.line);
    for part in matrix.parts.iter().filter(|part| part.first > 0 && part.count as f32 * scale > 3.0) {
        let at = part.first as f32 * scale;
        painter.vline(rect.left() + at, rect.y_range(), line);
        painter.hline(rect.x_range(), rect.top() + at, line);
    }
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, colors.line), egui::StrokeKind::Outside);
    let Some((i, j)) = cell else { return };
    // The cell's row and column.
    let at = |place: usize| (place as f32 + 0.5) * scale;
    let cross = Stroke::new(1.0, colors.weak.gamma_multiply(0.6));
    painter.hline(rect.x_range(), rect.top() + at(i), cross);
    painter.vline(rect.left() + at(j), rect.y_range(), cross);
    let row = |place: usize| &look.rows[matrix.rows[place]];
    let name = |place: usize| {
        let row = row(place);
        format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part())
    };
    let unit = match (row(i).is_angular(), row(j).is_angular()) {
        (false, false) => "1/kg",
        (true, true) => "1/(kg·m²)",
        _ => "1/(kg·m)",
    };
    let value = units::plain(matrix.cell(i, j), unit);
    state.pointed = Some([matrix.rows[i], matrix.rows[j]]);
    let response = response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(value).strong());
        ui.label(name(i));
        if i != j {
            ui.label(name(j));
        }
    });
    if response.clicked() {
        let owner = |place: usize| (row(place).owner, row(place).a, row(place).b);
        state.picked = state.pointed;
        select(&[owner(i), owner(j)], selection);
    }
}

fn numbers(ui: &mut Ui, look: &Look, matrix: &Matrix, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let n = matrix.size();
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.spacing_mut().interact_size.y = 16.0;
    formula(ui, "$A$ = $J M$^−1^ $J$^T^");
    let parts = widgets::number::counted(matrix.parts.len(), "joint or contact", "joints and contacts");
    let rows = if matrix.all > n {
        format!("the first {n} of {} rows that hold ({LARGEST} at most)", matrix.all)
    } else {
        format!("{} that hold, of {parts}", widgets::number::counted(n, "row", "rows"))
    };
    ui.label(RichText::new(rows).color(colors.weak));
    ui.add_space(4.0);
    let line = |ui: &mut Ui, name: &str, value: String, tip: &str| {
        ui.horizontal(|ui| {
            let room = vec2(150.0, 16.0);
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(room);
                ui.label(RichText::new(name).color(colors.weak));
            });
            ui.label(RichText::new(value).color(colors.text));
        })
        .response
        .on_hover_text(tip);
    };
    let scientific = |value: f64| units::plain(value, "").trim_end().to_owned();
    line(ui, "largest eigenvalue", scientific(matrix.eigenvalues[0]), "What moves most for an impulse of 1");
    let (redundant, condition) = (matrix.redundant(), matrix.condition());
    line(
        ui,
        "least, redundant apart",
        scientific(matrix.eigenvalues[0] / condition),
        "What moves least: the stiffest pattern of impulses",
    );
    line(
        ui,
        "condition κ",
        scientific(condition),
        "The largest over the least: sweeps need about as many passes to carry an impulse through",
    );
    line(
        ui,
        "redundant rows",
        redundant.to_string(),
        "Rows that say what others have said: a loop, or a contact of four points. Their impulses are not determined one by one",
    );
    let (dominance, worst) = matrix.dominance();
    let least = if dominance.is_finite() { format!("{dominance:.3}") } else { "nothing couples".into() };
    line(
        ui,
        "diagonal dominance",
        least,
        "A row's diagonal over the rest of the row, the least of all. Above 1 Jacobi and Gauss–Seidel converge for certain",
    );
    if dominance.is_finite() {
        let row = &look.rows[matrix.rows[worst]];
        let name = format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
        line(ui, "", name, "The row with the least dominance");
    }
    let filled = 100.0 * matrix.filled as f64 / (n * n) as f64;
    line(ui, "filled", format!("{filled:.0} %"), "Cells that are not zero: rows couple where they share a moving body");
    let spectrum = &view.stability.spectrum;
    if spectrum.rows > 0 {
        line(
            ui,
            "ρ of the sweep",
            format!("{:.5}", spectrum.radius),
            "The share of an error that a sweep of the method that is set leaves, of the whole scene",
        );
    }
}
