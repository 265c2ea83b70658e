//! A row written as its equation with the numbers of the step, and the details of a contact.

use egui::{RichText, Ui};
use glam::Vec3;

use super::feature;
use super::row_drawing::traction_of;
use super::typeset::formula;
use super::units::{self, Units};
use crate::widgets::{number::with_unit, theme};
use delassus_lab::{BoundState, RowDetails, TracedStep, matches};
use delassus_physics::row::{ContactPart, Owner, RowId};
use delassus_physics::world::World;

/// Shows the chosen row at a moment of the step.
pub fn show(ui: &mut Ui, traced: &TracedStep, row: &RowDetails, moment: usize, owner: &str) {
    let Units { speed, mass, inverse, impulse, force } = units::of(row);
    let number = |value: f32, unit: &str| if value == 0.0 { "0".to_owned() } else { with_unit(value.into(), unit) };
    let now = &traced.trace.moments[moment];
    let (lambda, left) = (now.impulses[row.index], now.residuals[row.index]);
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.label(RichText::new(format!("{owner}: {}", row.part())).strong());
    // With the velocities and the bias of that moment.
    let bias = now.biases.get(row.index).copied().unwrap_or(row.bias);
    let moves = |body: u32, lin: Vec3, ang: Vec3| {
        let velocity = &now.velocities[body as usize];
        lin.dot(velocity.linear.into()) + ang.dot(velocity.angular.into())
    };
    let j = &row.jacobian;
    let speed_of_row = moves(row.a, j.lin_a(), j.ang_a) + moves(row.b, j.lin, j.ang_b);
    formula(ui, "$J u$ + $b$ + $γ λ$ = 0").on_hover_text("What the row asks for, as far as its bounds allow");
    let parts = [speed_of_row, bias, row.gamma * lambda].map(|part| number(part, speed));
    formula(ui, &format!("{} + {} + {}", parts[0], parts[1], parts[2]).replace("+ −", "− "))
        .on_hover_text("The same with its numbers: J u, b and γ λ at this moment");
    let k = units::plain(row.k.into(), inverse);
    formula(ui, &format!("$K$ = $J M$^−1^ $J$^T^ = {k}"));
    formula(ui, &format!("$m$_eff_ = 1/($K$ + $γ$) = {}", number(row.mass(), mass)));
    let soft = if row.gamma == 0.0 { "0".to_owned() } else { units::plain(row.gamma.into(), inverse) };
    formula(ui, &format!("$b$ = {},   $γ$ = {soft}", number(bias, speed)));
    formula(ui, &bounds(row, impulse));
    let (lambda_text, warm) = (number(lambda, impulse), number(row.warm, impulse));
    formula(ui, &format!("$λ$ = {lambda_text},   $λ$_warm_ = {warm}"));
    formula(ui, &format!("$λ$/$h$ = {}", number(lambda / traced.trace.h, force)));
    formula(ui, &format!("$r$ = {},   {}", number(left, speed), row.bounded.word()))
        .on_hover_text("The residual: J u + b + γ λ, or as much of it as the bounds allow");
    ui.add_space(4.0);
    formula(ui, "$J$, by $v$ and $ω$ of A and of B, world axes:");
    for (symbol, part) in [("$v$_A_", j.lin_a()), ("$ω$_A_", j.ang_a), ("$v$_B_", j.lin), ("$ω$_B_", j.ang_b)] {
        vector(ui, symbol, part);
    }
}

/// Details of a contact: its features, the source of its warm start, and how much of its friction is used.
pub fn contact(ui: &mut Ui, before: &World, traced: &TracedStep, row: &RowDetails) {
    let (Owner::Contact(pair), RowId::Contact { part, .. }) = (row.owner, row.id) else { return };
    let Some(pair) = traced.after.state.contacts.pairs.get(pair as usize) else { return };
    ui.spacing_mut().item_spacing.y = 3.0;
    ui.add_space(4.0);
    ui.label(RichText::new("The contact").strong());
    let number = |value: f32, unit: &str| if value == 0.0 { "0".to_owned() } else { with_unit(value.into(), unit) };
    if let ContactPart::Normal(index) | ContactPart::Tangent { at: Some(index), .. } = part {
        let (Some(point), found) =
            (pair.near.manifold.points.get(index as usize), matches(before, traced, (row.a, row.b), pair.pieces))
        else {
            return;
        };
        formula(ui, &format!("features: {}", feature::both(point.feature)))
            .on_hover_text("The vertices, edges or faces that make the point");
        let rule = found.get(index as usize).map_or("a new point", |found| found.words());
        formula(ui, &format!("warm start: {rule}"));
    }
    let Some(traction) = traction_of(traced, row) else { return };
    formula(ui, &format!("$Λ$ = Σ$λ$_n_ = {}", number(traction.load, "N·s")));
    if let Some(slide) = traction.slide {
        let (size, bound) = (number(slide.impulse.length(), "N·s"), number(slide.bound, "N·s"));
        let share = 100.0 * traction.share();
        formula(ui, &format!("slide |$λ$_t_| = {size} of {bound}"));
        formula(ui, &format!("use of the cone {share:.0} %"))
            .on_hover_text("Slide, or for a patch slide and spin together, as a share of their bound");
    }
    if let (Some(twist), Some(slide)) = (traction.twist, traction.slide) {
        let arm = twist.bound / slide.bound.max(f32::MIN_POSITIVE);
        formula(ui, &format!("radius of the patch {}", number(arm, "m")))
            .on_hover_text("The lever arm at which the patch resists a spin about its normal");
        formula(ui, &format!("twist {} of {}", number(twist.impulse.length(), "N·m·s"), number(twist.bound, "N·m·s")));
    }
    if let Some(rolling) = traction.rolling {
        let (size, bound) = (number(rolling.impulse.length(), "N·m·s"), number(rolling.bound, "N·m·s"));
        formula(ui, &format!("rolling {size} of {bound}"));
    }
}

/// A vector's three components in columns.
fn vector(ui: &mut Ui, symbol: &str, v: Vec3) {
    let color = theme::colors(ui.visuals()).text;
    // −0 is written as 0.
    let part = |c: f32| if c.abs() < 0.0005 { 0.0 } else { c };
    let part = |c: f32| format!("{:>8}", format!("{:.3}", part(c)).replace('-', "−"));
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

/// lo ≤ λ ≤ hi, without infinite bounds.
fn bounds(row: &RowDetails, unit: &str) -> String {
    let value = |bound: f32| if bound == 0.0 { "0".to_owned() } else { with_unit(bound.into(), unit) };
    match (row.lo.is_finite(), row.hi.is_finite()) {
        _ if row.bounded == BoundState::Off => "off: it can move nothing in this step".to_owned(),
        (false, false) => "−∞ < $λ$ < ∞".to_owned(),
        (true, false) => format!("$λ$ ≥ {}", value(row.lo)),
        (false, true) => format!("$λ$ ≤ {}", value(row.hi)),
        (true, true) if row.lo == -row.hi => format!("|$λ$| ≤ {}", value(row.hi)),
        (true, true) => format!("{} ≤ $λ$ ≤ {}", value(row.lo), value(row.hi)),
    }
}
