//! The numbers beside the picture of the Delassus matrix.

use egui::{Align, Label, Layout, RichText, Ui, vec2};
use egui_plot::{PlotPoints, Points};

use super::{owner_name, typeset::formula, units};
use crate::{
    view::View,
    widgets::{self, graph, named, theme},
};
use delassus_lab::{MAX_ROWS, Matrix, TracedStep};

/// Shows eigenvalues, condition number, diagonal dominance and ρ. If the matrix is only sampled, shows the numbers that
/// are known for all of its rows.
pub fn show(ui: &mut Ui, traced: &TracedStep, matrix: &Matrix, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    let n = matrix.size();
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.spacing_mut().interact_size.y = 16.0;
    formula(ui, "$A$ = $J M$^−1^ $J$^T^");
    let parts = widgets::number::counted(matrix.parts.len(), "joint or contact", "joints and contacts");
    let count = widgets::number::count(matrix.all);
    let rows = match &matrix.sampled {
        Some(sampled) => format!("{count} rows that hold; a cell is the largest of {0} × {0}", sampled.each),
        None if matrix.all > n => format!("the first {n} of {count} rows that hold ({MAX_ROWS} at most)"),
        None => format!("{} that hold, of {parts}", widgets::number::counted(n, "row", "rows")),
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
            ui.add(Label::new(RichText::new(value).color(colors.text)).truncate());
        })
        .response
        .on_hover_text(tip);
    };
    let scientific = |value: f64| units::plain(value, "").trim_end().to_owned();
    let rho = |ui: &mut Ui| {
        let spectrum = &view.stability.spectrum;
        if spectrum.rows > 0 {
            line(
                ui,
                "ρ of the sweep",
                format!("{:.5}", spectrum.radius),
                "The share of an error that one sweep of the chosen method leaves, over the whole scene",
            );
        }
    };
    if let Some(sampled) = &matrix.sampled {
        let [largest, least] = sampled.eigenvalues;
        let tip = "By Lanczos' method over all rows: the largest is at least this";
        line(ui, "largest eigenvalue", format!("≥ {}", scientific(largest)), tip);
        let tip = "By Lanczos' method over all rows: the least is at most this";
        line(ui, "least eigenvalue", format!("≤ {}", scientific(least)), tip);
        let condition = largest / least.max(f64::MIN_POSITIVE);
        let tip = "The largest over the least: at least this";
        let text = if condition < 1e9 { format!("≥ {}", scientific(condition)) } else { "singular".into() };
        line(ui, "condition κ", text, tip);
        let tip = "The smallest ratio of a row's diagonal to the rest of the row. Above 1, sweeps converge for certain";
        line(ui, "diagonal dominance", format!("{:.3}", sampled.dominance.0), tip);
        let row = &traced.rows[sampled.rows[sampled.dominance.1]];
        let name = format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
        line(ui, "", name, "The row with the least dominance");
        let filled = 100.0 * sampled.filled as f64 / (sampled.rows.len() as f64).powi(2);
        line(ui, "filled", format!("{filled:.2} %"), "Cells that are not zero: rows couple where they share a body");
        rho(ui);
        ui.label(RichText::new(format!("J, M and elimination: the first {n} rows")).small().color(colors.weak));
        return;
    }
    line(ui, "largest eigenvalue", scientific(matrix.eigenvalues[0]), "The pattern that moves most for a unit impulse");
    let (redundant, condition) = (matrix.redundant(), matrix.condition());
    line(
        ui,
        "smallest nonzero",
        scientific(matrix.eigenvalues[0] / condition),
        "The eigenvalue of the stiffest pattern, which moves least. Redundant rows are left out",
    );
    line(
        ui,
        "condition κ",
        scientific(condition),
        "The largest divided by the smallest nonzero one: about as many sweeps carry an impulse through",
    );
    line(
        ui,
        "redundant rows",
        redundant.to_string(),
        "Linearly dependent rows: a loop, or a contact of four points. Their impulses are not unique",
    );
    let (dominance, worst) = matrix.dominance();
    let least = if dominance.is_finite() { format!("{dominance:.3}") } else { "nothing couples".into() };
    line(
        ui,
        "diagonal dominance",
        least,
        "The smallest ratio of a row's diagonal to the rest of the row. Above 1, Jacobi and Gauss–Seidel converge for \
         certain",
    );
    if dominance.is_finite() {
        let row = &traced.rows[matrix.rows[worst]];
        let name = format!("{}: {}", owner_name(row.owner, (row.a, row.b), view), row.part());
        line(ui, "", name, "The row with the least dominance");
    }
    let filled = 100.0 * matrix.filled as f64 / (n * n) as f64;
    line(ui, "filled", format!("{filled:.0} %"), "Cells that are not zero: rows couple where they share a moving body");
    rho(ui);
    ui.add_space(4.0);
    eigenvalues(ui, matrix);
}

/// Plots all eigenvalues, largest first, on a logarithmic axis. Those of redundant rows are at the bottom.
fn eigenvalues(ui: &mut Ui, matrix: &Matrix) {
    let colors = theme::colors(ui.visuals());
    let largest = matrix.eigenvalues.first().copied().unwrap_or_default();
    let floor = (largest / matrix.condition() * 0.5).max(largest * 1e-12);
    let kept = matrix.size() - matrix.redundant();
    let at = |k: usize| [(k + 1) as f64, matrix.eigenvalues[k].max(floor).log10()];
    let points = |range: std::ops::Range<usize>| PlotPoints::from(range.map(at).collect::<Vec<_>>());
    graph::caption(ui, "all eigenvalues, largest first");
    let plot = graph::logarithmic(ui, "eigenvalues").height(84.0).show_x(false).show(ui, |plot| {
        plot.points(Points::new("eigenvalues", points(0..kept)).color(colors.accent).radius(2.2));
        plot.points(Points::new("redundant", points(kept..matrix.size())).color(colors.weak).radius(2.2));
    });
    named(plot.response, "Eigenvalues")
        .on_hover_text("Grey at the bottom: those of redundant rows, which are rounding errors");
}
