//! A row written as its equation, with the numbers of the step.

use egui::{RichText, Ui};
use glam::Vec3;

use super::typeset::formula;
use super::units::{self, Units};
use crate::lab::{Bounded, Look, RowLook};
use crate::ui::widgets::{number::with_unit, theme};

/// The chosen row at a moment of the step.
pub fn show(ui: &mut Ui, look: &Look, row: &RowLook, moment: usize, owner: &str) {
    let Units { speed, mass, inverse, impulse, force } = units::of(row);
    let number = |value: f32, unit: &str| if value == 0.0 { "0".to_owned() } else { with_unit(value.into(), unit) };
    let now = &look.trace.moments[moment];
    let (lambda, left) = (now.impulses[row.index], now.residuals[row.index]);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.label(RichText::new(format!("{owner}: {}", row.part())).strong());
    formula(ui, "$J u$ + $b$ + $γ λ$ = 0");
    let k = units::plain(row.k.into(), inverse);
    formula(ui, &format!("$K$ = $J M$^−1^ $J$^T^ = {k}"));
    formula(ui, &format!("$m$_eff_ = 1/($K$ + $γ$) = {}", number(row.mass(), mass)));
    let soft = if row.gamma == 0.0 { "0".to_owned() } else { units::plain(row.gamma.into(), inverse) };
    formula(ui, &format!("$b$ = {},   $γ$ = {soft}", number(row.bias, speed)));
    formula(ui, &bounds(row, impulse));
    let (lambda_text, warm) = (number(lambda, impulse), number(row.warm, impulse));
    formula(ui, &format!("$λ$ = {lambda_text},   $λ$_warm_ = {warm}"));
    formula(ui, &format!("$λ$/$h$ = {}", number(lambda / look.trace.h, force)));
    formula(ui, &format!("$r$ = {},   {}", number(left, speed), row.bounded.word()))
        .on_hover_text("What the row still lacks: J u + b + γ λ, or as much of it as its bounds would let it take");
    ui.add_space(4.0);
    formula(ui, "$J$, by $v$ and $ω$ of A and of B, world axes:");
    let j = &row.jacobian;
    // Minus nothing is nothing.
    for (symbol, part) in [("$v$_A_", Vec3::ZERO - j.lin), ("$ω$_A_", j.ang_a), ("$v$_B_", j.lin), ("$ω$_B_", j.ang_b)]
    {
        vector(ui, symbol, part);
    }
}

/// A vector's three components in columns.
fn vector(ui: &mut Ui, symbol: &str, v: Vec3) {
    let color = theme::colors(ui.visuals()).text;
    let part = |c: f32| format!("{:>8}", format!("{c:.3}").replace('-', "−"));
    ui.spacing_mut().interact_size.y = 15.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let before = ui.cursor().left();
        formula(ui, symbol);
        ui.add_space((before + 26.0 - ui.cursor().left()).max(2.0));
        let text = format!("{}{}{}", part(v.x), part(v.y), part(v.z));
        ui.label(RichText::new(text).monospace().size(11.5).color(color));
    });
}

/// lo ≤ λ ≤ hi, as far as there are bounds.
fn bounds(row: &RowLook, unit: &str) -> String {
    let value = |bound: f32| if bound == 0.0 { "0".to_owned() } else { with_unit(bound.into(), unit) };
    match (row.lo.is_finite(), row.hi.is_finite()) {
        _ if row.bounded == Bounded::Off => "off: it can move nothing in this step".to_owned(),
        (false, false) => "−∞ < $λ$ < ∞".to_owned(),
        (true, false) => format!("$λ$ ≥ {}", value(row.lo)),
        (false, true) => format!("$λ$ ≤ {}", value(row.hi)),
        (true, true) if row.lo == -row.hi => format!("|$λ$| ≤ {}", value(row.hi)),
        (true, true) => format!("{} ≤ $λ$ ≤ {}", value(row.lo), value(row.hi)),
    }
}
