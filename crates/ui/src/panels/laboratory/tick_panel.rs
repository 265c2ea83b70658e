//! What a tick of the step did: its name, its law, and the rows it solved.

use egui::{Align, Layout, RichText, Ui, vec2};

use super::{owner_name, typeset::formula, units};
use crate::{
    view::View,
    widgets::{self, number::with_unit, theme},
};
use delassus_lab::{Inside, Tick, TracedStep};
use delassus_physics::trace::{StepStage, SweepUnit};
use delassus_physics::world::World;

/// Longer lists of rows are not shown one by one.
const LISTED: usize = 12;

/// Shows the name of the tick, its law, and the rows it solved.
pub fn show(ui: &mut Ui, traced: &TracedStep, world: &World, inside: &Inside, tick: usize, view: &View<'_>) {
    let colors = theme::colors(ui.visuals());
    ui.spacing_mut().item_spacing.y = 3.0;
    let exact = delassus_physics::solvers::of(world.settings.solver.method).exact;
    let (title, law): (String, &str) = match inside.ticks[tick] {
        Tick::Solve(number) => (solve_name(traced, number, view), law(traced, number)),
        Tick::Moved => ("Bodies moved".into(), "$x$_1_ = $x$_0_ + $h v$,  then what corrects positions"),
        Tick::Moment(index) => match traced.trace.moments[index].stage {
            StepStage::Forces => ("Forces applied".into(), "$u$ = $u$_0_ + $h M$^−1^ $f$"),
            StepStage::Start => ("Old impulses applied".into(), "Δ$u$ = $M$^−1^ $J$^T^ $λ$_warm_"),
            StepStage::Sweep(_) if exact => {
                ("All rows are solved at once".into(), "$J M$^−1^ $J$^T^Δ$λ$ = −($J u$ + $b$)")
            }
            StepStage::Sweep(_) => {
                ("All blocks at once".into(), "Δ$u$ = $M$^−1^ Σ $J$^T^ Δ$λ$,  each from the sweep's start")
            }
            StepStage::Impacts(_) => ("Restitution applied".into(), "$J u$ ≥ −$e J u$_before_"),
            StepStage::EnergyRemoved => (
                "Energy gained by impacts removed".into(),
                "$u$ = $u$_1_ + $s$ ($u$_2_ − $u$_1_),  $s$ ≤ 1 the largest with ½ $u$^T^ $M u$ ≤ $E$",
            ),
            StepStage::Solved => ("Solved".into(), "$v$ is what the bodies are moved with"),
        },
    };
    ui.label(RichText::new(title).strong());
    formula(ui, law);
    ui.add_space(2.0);
    let size = |value: f64| with_unit(value, "m/s");
    let before = tick.checked_sub(1).map_or(inside.largest_residual[tick], |before| inside.largest_residual[before]);
    formula(ui, &format!("largest |$r$| = {},  before it {}", size(inside.largest_residual[tick]), size(before)));
    let rows = inside.rows(traced, tick);
    if tick == 0 || inside.ticks[tick] == Tick::Moved || rows.is_empty() {
        return;
    }
    let (was, is) = (inside.state(traced, tick - 1), inside.state(traced, tick));
    let (residuals_before, residuals_after) =
        (inside.residuals(traced, tick - 1, &rows), inside.residuals(traced, tick, &rows));
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if rows.len() > LISTED {
        let change = |k: &usize| (is.given(rows[*k]) - was.given(rows[*k])).abs();
        order.sort_by(|a, b| change(b).total_cmp(&change(a)));
    }
    ui.add_space(4.0);
    ui.spacing_mut().interact_size.y = 16.0;
    egui::Grid::new("rows of a tick").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        let heads = [
            ("row", "What the row is for", 0.0),
            ("Δλ", "The impulse just given", 70.0),
            ("λ", "Its impulse so far", 70.0),
            ("r", "Its residual now", 66.0),
        ];
        for (text, tip, wide) in heads {
            let text = egui::Label::new(RichText::new(text).small().color(colors.weak));
            let line = if wide == 0.0 { Layout::left_to_right } else { Layout::right_to_left };
            ui.allocate_ui_with_layout(vec2(wide, 15.0), line(Align::Center), |ui| {
                ui.set_min_width(wide);
                ui.add(text).on_hover_text(tip);
            });
        }
        ui.end_row();
        for k in order.iter().take(LISTED) {
            let row = &traced.rows[rows[*k]];
            let units::Units { speed, impulse, .. } = units::of(row);
            let number = |ui: &mut Ui, value: f32, unit: &str, wide: f32| {
                let text = RichText::new(with_unit(value.into(), unit)).size(12.0).color(colors.text);
                let line = Layout::right_to_left(Align::Center);
                let line = ui.allocate_ui_with_layout(vec2(wide, 15.0), line, |ui| {
                    ui.set_min_width(wide);
                    ui.add(egui::Label::new(text).selectable(false))
                });
                line.inner
            };
            let name = RichText::new(row.part()).size(12.0).color(colors.text);
            ui.add(egui::Label::new(name).selectable(false)).on_hover_text(owner_name(row.owner, (row.a, row.b), view));
            number(ui, is.given(row.index) - was.given(row.index), impulse, 70.0);
            number(ui, is.given(row.index), impulse, 70.0);
            let before = format!("before: {}", with_unit(residuals_before[*k].into(), speed));
            number(ui, residuals_after[*k], speed, 66.0).on_hover_text(before);
            ui.end_row();
        }
    });
    if rows.len() > LISTED {
        let words = format!("the {LISTED} largest impulses of {}", widgets::number::count(rows.len()));
        ui.label(RichText::new(words).small().color(colors.weak));
    }
    if traced.trace.cut {
        let words = "Too many blocks to keep all: later sweeps are shown as a whole.";
        ui.label(RichText::new(words).small().color(colors.warn));
    }
}

/// The law by which a block or tree was solved.
fn law(traced: &TracedStep, number: usize) -> &'static str {
    let solve = &traced.trace.solves[number];
    match (solve.unit, solve.pass) {
        _ if !traced.trace.pair_impulses(solve).is_empty() => "this pair alone:  $J u$_after_ = −$e J u$_before_",
        (SweepUnit::Tree(_), _) => "$M$Δ$u$ = $J$^T^Δ$λ$,  $J u$ + $b$ + $γ λ$ = 0",
        (SweepUnit::Block(_), 0) => "Δ$λ$ = −($J u$ + $b$ + $γ λ$)/($K$ + $γ$)",
        (SweepUnit::Block(_), _) => "Δ$λ$ = −($J u$ + $b$)/$K$,  $b$ = $e J u$_before_ where it was hit",
    }
}

/// The name of the block or tree that was solved.
fn solve_name(traced: &TracedStep, number: usize, view: &View<'_>) -> String {
    let solve = &traced.trace.solves[number];
    let owner_of = |row: u32| {
        let row = &traced.rows[row as usize];
        (row.owner, owner_name(row.owner, (row.a, row.b), view))
    };
    match solve.unit {
        SweepUnit::Block(block) => owner_of(traced.trace.blocks[block as usize].first).1,
        SweepUnit::Tree(_) => {
            let mut owners: Vec<_> = traced.trace.impulses_after(solve).iter().map(|(row, _)| owner_of(*row)).collect();
            owners.dedup_by(|a, b| a.0 == b.0);
            match owners.as_slice() {
                [(_, name)] => name.clone(),
                _ => format!("tree of {}", widgets::number::counted(owners.len(), "joint", "joints")),
            }
        }
    }
}
