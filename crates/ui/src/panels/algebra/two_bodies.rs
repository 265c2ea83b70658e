//! Two bodies and the rows between them: u, J, M⁻¹ and K, in the notation of chapters 2 to 4.

use egui::{ComboBox, Label, RichText, Ui};

use super::{Pages, table};
use crate::{
    panels::laboratory::{owner_name, row_drawing, select, typeset::formula, units},
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{named, number, theme},
};
use delassus_lab::TracedStep;
use delassus_lab::pair::{TwoBodySystem, WIDE};
use delassus_physics::row::Owner;

/// The components of a body's velocity.
const PARTS: [&str; 6] = ["v x", "v y", "v z", "ω x", "ω y", "ω z"];
const MARGIN: f32 = 88.0;
/// The most entries in the list.
const LISTED: usize = 200;

/// Draws the row under the pointer.
pub(super) fn draw(pages: &mut Pages, view: &View<'_>, view3d: &mut View3d) {
    if let (Some(traced), Some(row)) = (pages.next_step.traced(), pages.row)
        && let Some(row) = traced.rows.get(row)
    {
        row_drawing::draw(&traced, row, view, view3d);
    }
}

pub(super) fn show(ui: &mut Ui, view: &View<'_>, pages: &mut Pages, selection: &mut Selection) {
    pages.next_step.update(view);
    pages.row = None;
    let Some(traced) = pages.next_step.traced() else {
        if pages.next_step.show_pending(ui) {
            return;
        }
        ui.label("The steps of this scene cannot be looked into: it has no bodies, or too many.");
        return;
    };
    let owners = TwoBodySystem::owners(&traced);
    let owner = chosen(&owners, selection).or(pages.owner).filter(|one| owners.iter().any(|(owner, ..)| owner == one));
    let owner = owner.or(owners.first().map(|(owner, ..)| *owner));
    match owner.and_then(|owner| TwoBodySystem::of(&traced, owner)) {
        Some(pair) => {
            pages.owner = owner;
            list(ui, view, &owners, owner, selection);
            numbers(ui, view, &traced, &pair, &mut pages.row);
        }
        None => {
            ui.label("The next step has no rows: no joint holds and nothing touches.");
        }
    }
}

/// The selected joint, or a contact of the selected bodies.
fn chosen(owners: &[(Owner, u32, u32)], selection: &Selection) -> Option<Owner> {
    if let Some(joint) = selection.joint {
        return Some(Owner::Joint(joint as u32));
    }
    let has = |id: &u32| selection.bodies.contains(id);
    let both = owners.iter().find(|(_, a, b)| has(a) && has(b));
    both.or_else(|| owners.iter().find(|(_, a, b)| has(a) || has(b))).map(|(owner, ..)| *owner)
}

/// A list of the joints and contacts; choosing one selects it.
fn list(ui: &mut Ui, view: &View<'_>, owners: &[(Owner, u32, u32)], owner: Option<Owner>, selection: &mut Selection) {
    let name = |(owner, a, b): &(Owner, u32, u32)| owner_name(*owner, (*a, *b), view);
    let shown = owners.iter().find(|(one, ..)| Some(*one) == owner).map_or_else(String::new, name);
    ui.horizontal(|ui| {
        ui.label("Between");
        let combo = ComboBox::from_id_salt("pair").width(240.0).truncate().selected_text(shown);
        let drawn = combo.show_ui(ui, |ui| {
            for one in owners.iter().take(LISTED) {
                if ui.selectable_label(Some(one.0) == owner, name(one)).clicked() {
                    select(&[*one], selection);
                }
            }
        });
        named(drawn.response, "Joint or contact");
        let weak = theme::colors(ui.visuals()).weak;
        ui.label(RichText::new("of the next step; your selection takes priority").small().color(weak));
    });
}

fn numbers(ui: &mut Ui, view: &View<'_>, traced: &TracedStep, pair: &TwoBodySystem, row: &mut Option<usize>) {
    let body = |id: u32| view.snapshot.body(id).map_or_else(|| "world".to_owned(), |body| body.name.to_string());
    let [a, b] = [pair.a, pair.b].map(body);
    let columns: Vec<String> = (0..WIDE).map(|i| PARTS[i % 6].to_owned()).collect();
    let component = |i: usize| format!("{} of {}", PARTS[i % 6], if i < 6 { &a } else { &b });
    let (zero_j, zero_m) = pair.zeros();

    ui.add_space(2.0);
    formula(ui, &format!("$u$ = ($v$_A_, $ω$_A_, $v$_B_, $ω$_B_), with $A$ = {a} and $B$ = {b}, m/s and rad/s"));
    let rows = ["before", "after"].map(str::to_owned);
    let u = [&pair.before, &pair.after];
    let drawn =
        table::MatrixTable { name: "Velocities u", rows: &rows, columns: &columns, parts: (2, 3), margin: MARGIN };
    let (response, under) = table::show(ui, &drawn, |i, k| u[i][k]);
    if let Some((i, k)) = under {
        let unit = if k % 6 < 3 { "m/s" } else { "rad/s" };
        let when = ["with the step's forces, before any impulse", "as the rows leave it"][i];
        tip(response, &number::with_unit(u[i][k], unit), &[component(k), when.to_owned()]);
    }

    let count = pair.jacobian.len();
    formula(ui, &format!("$J$, {count} × {WIDE}: {zero_j} of {} numbers are zero; $J u$ + $b$ = 0", count * WIDE));
    let rows: Vec<String> = pair.rows.iter().map(|index| traced.rows[*index].part()).collect();
    let name = format!("J, {count} × {WIDE}, {zero_j} zeros");
    let drawn = table::MatrixTable { name: &name, rows: &rows, columns: &columns, parts: (count, 3), margin: MARGIN };
    let (response, under) = table::show(ui, &drawn, |i, k| pair.jacobian[i][k]);
    if let Some((i, k)) = under {
        *row = Some(pair.rows[i]);
        let unit = units::of(&traced.rows[pair.rows[i]]).speed;
        let rate = format!("J u = {}", number::with_unit(pair.rate(i, &pair.before), unit));
        let rate_after = format!("and {} once it is solved", number::with_unit(pair.rate(i, &pair.after), unit));
        tip(response, &format!("{:.5}", pair.jacobian[i][k]), &[rows[i].clone(), component(k), rate, rate_after]);
    }

    let cells = WIDE * WIDE;
    formula(ui, &format!("$M$^−1^, {WIDE} × {WIDE}: {zero_m} of {cells} are zero, 1/kg and 1/(kg·m²), world axes"));
    let name = format!("Inverse masses, {WIDE} × {WIDE}, {zero_m} zeros");
    let drawn = table::MatrixTable { name: &name, rows: &columns, columns: &columns, parts: (3, 3), margin: MARGIN };
    let (response, under) = table::show(ui, &drawn, |i, k| pair.inverse_mass[i][k]);
    if let Some((i, k)) = under {
        let unit = if i % 6 < 3 { "1/kg" } else { "1/(kg·m²)" };
        let mut words = vec![format!("{}, by an impulse of one", component(i))];
        words.push(format!("along {}", component(k)));
        tip(response, &units::plain(pair.inverse_mass[i][k], unit), &words);
    }

    formula(
        ui,
        &format!(
            "$K$ = $J M$^−1^ $J$^T^, {count} × {count}: how an impulse along one row changes the rate of each row"
        ),
    );
    let name = format!("K, {count} × {count}");
    let short: Vec<String> = (1..=count).map(|n| n.to_string()).collect();
    let drawn = table::MatrixTable { name: &name, rows: &rows, columns: &short, parts: (count, count), margin: MARGIN };
    let (response, under) = table::show(ui, &drawn, |i, k| pair.k[i][k]);
    if let Some((i, k)) = under {
        let mut words = vec![rows[i].clone()];
        if i == k {
            words.push(format!("the row feels a mass of {:.4}", 1.0 / pair.k[i][i]).replace("inf", "∞"));
        } else {
            words.push(rows[k].clone());
        }
        tip(response, &format!("{:.5}", pair.k[i][k]), &words);
    }
    ui.add_space(4.0);
}

fn tip(response: egui::Response, value: &str, words: &[String]) {
    let value = value.replace('-', "−");
    response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(value).strong());
        for line in words {
            ui.add(Label::new(line.replace('-', "−")).extend());
        }
    });
}
