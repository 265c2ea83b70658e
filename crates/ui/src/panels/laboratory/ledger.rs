//! The Ledger tab: the contribution of each cause to energy and momentum as a table, for the next step, or for the
//! newest one while the simulation plays; beside it the last steps as curves (`ledger_curves.rs`).

use std::time::Duration;

use egui::{Align, Grid, Label, Layout, RichText, Sense, Ui, UiBuilder, vec2};
use lucide_icons::Icon;

use super::ledger_curves::{LedgerQuantity, curves};
use super::{Laboratory, computing, owner_name, select};
use crate::{
    panels::laboratory::Instrument,
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, named, number::with_unit, theme},
};
use delassus_physics::balance::{Balance, CAUSES, Cause, Share};
use delassus_physics::row::{Owner, RowId};
use delassus_physics::world::World;
use delassus_session::background::Computed;
use delassus_session::{Accounts, Command};

/// The state of the Ledger tab.
#[derive(Default)]
pub(super) struct Memory {
    quantity: LedgerQuantity,
    /// The balance of the next step, if it can be made.
    next: Computed<super::Key, Option<Balance>>,
    /// The balances of the last steps.
    past: Accounts,
    /// Whether the pointer is on the curves: they stop moving then, so that a spike can be clicked while the
    /// simulation plays.
    aimed: bool,
    /// Whether the row that did most of a spike's work is drawn in the view.
    pub(super) drawn: bool,
}

impl Memory {
    /// Cancels what is being computed.
    pub(super) fn rest(&mut self) {
        self.next.rest();
        self.past.rest();
    }
}

/// The label and the tooltip of a cause.
pub(super) fn words(cause: Cause) -> (&'static str, &'static str) {
    match cause {
        Cause::Gravity => ("Gravity", "Its impulse, and the potential energy gained by the motion"),
        Cause::Forces => ("Forces", "Applied forces and drag"),
        Cause::WarmStart => ("Warm start", "The last step's impulses, applied before the sweeps, of all rows"),
        Cause::Joints => ("Joints", "Rows that hold anchors, axes and planes"),
        Cause::Springs => ("Springs", "Springs and dampers, with the energy that they store"),
        Cause::Limits => ("Limits", "Stops of joints"),
        Cause::Motors => ("Motors", "Motors of joints"),
        Cause::Contacts => ("Contacts", "Normal rows: what keeps bodies apart"),
        Cause::Friction => ("Friction", "Sliding, twisting and rolling"),
        Cause::MouseJoint => ("Pull", "The hand"),
        Cause::Correction => ("Position correction", "Positions corrected apart from the velocities"),
        Cause::Integrator => (
            "Integrator",
            "How the bodies are moved and turned, and at which time their velocities \
                                             are read",
        ),
    }
}

/// Width of the table and of a number in it, points.
const TABLE: f32 = 536.0;
const NUMBER: f32 = 62.0;
/// Width left for the plot, points.
const PLOT: f32 = 190.0;
/// Number of past steps that the curves show.
const STEPS: u64 = 240;
/// The longest time per frame spent on accounting for past steps while paused, and the share of a frame while
/// playing.
const MAX_TIME_PER_FRAME: Duration = Duration::from_millis(60);
const OF_A_FRAME: f32 = 1.0 / 9.0;

pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    world: &World,
    lab: &mut Laboratory,
    selection: &mut Selection,
    out: &mut Vec<Request>,
) {
    let Memory { next, past, quantity: of, aimed, .. } = &mut lab.ledger;
    let plays = view.clock.playing;
    let held = plays && *aimed && !past.list().is_empty();
    if plays {
        *next = Computed::default();
    }
    if plays && !held {
        let frame = ui.input(|input| input.unstable_dt).clamp(0.0, 0.5);
        past.update(view.session, STEPS, Duration::from_secs_f32(OF_A_FRAME * frame));
    } else if !plays {
        next.update(super::key(world, view), view.session.can_step_elsewhere(), || {
            let mut world = world.clone();
            move |cancel| {
                world.report.work.cancelled_by(cancel.cloned());
                world.balanced().map(|(_, balance)| balance)
            }
        });
        past.update(view.session, STEPS, MAX_TIME_PER_FRAME);
        if past.unfinished() {
            ui.ctx().request_repaint();
        }
    }
    // While playing, the newest step that has been accounted for.
    let shown = match next.get() {
        Some(next) => next.as_ref().map(|next| (next, world.state.step_count + 1)),
        None if next.is_pending() => return computing(ui, "The next step"),
        None => past.list().back().map(|account| (&account.balance, account.step)),
    };
    let Some((shown, step)) = shown else {
        let words = if plays { "No step has been accounted for yet." } else { "The next step cannot be made." };
        return widgets::empty(ui, Icon::Scale, words);
    };
    let room = ui.available_size();
    let table = TABLE.min((room.x - PLOT).max(0.5 * room.x));
    let (mut opened, mut spike, mut over) = (None, None, false);
    let mut quantity = *of;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        ui.allocate_ui_with_layout(vec2(table, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(table, room.y));
            ui.set_max_width(table);
            egui::ScrollArea::both().id_salt("ledger").show(ui, |ui| {
                let title = match (held, plays) {
                    (true, _) => format!("Step {step}, held while the pointer is on the curves"),
                    (_, true) => format!("Step {step}, the newest one"),
                    _ => format!("Step {step}, the next one"),
                };
                shares(ui, shown, title);
                opened = most(ui, shown, view);
            });
        });
        let width = (room.x - table - 16.0).max(60.0);
        ui.allocate_ui_with_layout(vec2(width, room.y), Layout::top_down(Align::Min), |ui| {
            ui.set_min_size(vec2(width, room.y));
            ui.set_max_width(width);
            let now = (!plays).then_some(world.state.step_count);
            (spike, over) = curves(ui, past.list(), &mut quantity, now);
        });
    });
    (lab.ledger.quantity, lab.ledger.aimed) = (quantity, over);
    if let Some((id, owner)) = opened {
        lab.rows.chosen = Some(id);
        lab.rows.moment = None;
        lab.asked = Some(Instrument::Rows);
        select(&[owner], selection);
    }
    if let Some((step, row)) = spike {
        // Seeks to the state before that step and selects the row that did most of its work: the view shows its J and
        // its force.
        out.push(Request::Session(Command::Seek(step - 1)));
        lab.rows.moment = None;
        lab.rows.chosen = row;
        lab.ledger.drawn = row.is_some();
        if let Some(id) = row {
            let (owner, a, b) = owner(id, view);
            select(&[(owner, a, b)], selection);
        }
    }
}

const HEADS: [(&str, &str); 6] = [
    ("energy", "Kinetic, rotational, potential and of springs"),
    ("along x", "Kinetic energy along x"),
    ("along y", "Kinetic energy along y"),
    ("along z", "Kinetic energy along z"),
    ("rotation", "Rotational energy"),
    ("momentum", "The size of the change of momentum"),
];

/// The table: a line for each cause, the sum, and the measured change.
fn shares(ui: &mut Ui, balance: &Balance, title: String) {
    let colors = theme::colors(ui.visuals());
    ui.label(RichText::new(title).color(colors.weak));
    let number = |ui: &mut Ui, value: f64, unit: &str, ink: egui::Color32| {
        let text = if value.abs() < 1e-12 { "·".to_owned() } else { with_unit(value, unit) };
        cell(ui).add(Label::new(RichText::new(text).monospace().size(11.0).color(ink)).extend());
    };
    ui.spacing_mut().interact_size.y = 16.0;
    Grid::new("shares").striped(true).num_columns(7).spacing([6.0, 1.0]).show(ui, |ui| {
        ui.label("");
        for (head, tip) in HEADS {
            cell(ui).label(RichText::new(head).small().color(colors.weak)).on_hover_text(tip);
        }
        ui.end_row();
        let line = |ui: &mut Ui, name: &str, tip: &str, share: &Share, ink: egui::Color32| {
            named(ui.label(RichText::new(name).color(ink)), name).on_hover_text(tip);
            number(ui, share.energy(), "J", ink);
            (0..3).for_each(|axis| number(ui, share.linear[axis], "J", ink));
            number(ui, share.rotational, "J", ink);
            number(ui, share.momentum.length(), "N·s", ink);
            ui.end_row();
        };
        for cause in CAUSES {
            let (name, tip) = words(cause);
            let share = balance.of(cause);
            let ink = if *share == Share::default() { colors.weak } else { colors.text };
            line(ui, name, tip, share, ink);
        }
        line(ui, "Together", "The sum of all causes", &balance.sum(), colors.strong);
        let tip = "The change measured from before to after the step; the sum agrees with it to within rounding";
        line(ui, "Measured", tip, &balance.change, colors.strong);
        let tip = "What joints, old impulses, corrections and the integrator have added: solved exactly and without \
                   bias they would add nothing (003, section 7)";
        line(ui, "Drift", tip, &balance.drift(), colors.warn);
    });
}

/// A cell of the table, of the common width, aligned to the right.
fn cell(ui: &mut Ui) -> Ui {
    let (rect, _) = ui.allocate_exact_size(vec2(NUMBER, 16.0), Sense::hover());
    ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center)))
}

/// A link to the row that does most of the work; returns the row and its owner if it is clicked.
fn most(ui: &mut Ui, balance: &Balance, view: &View<'_>) -> Option<(RowId, (Owner, u32, u32))> {
    let (id, work) = balance.most()?;
    let (owner, a, b) = owner(id, view);
    let name = owner_name(owner, (a, b), view);
    let mut asked = false;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Most work in the last sub-step:").weak());
        let response = named(ui.link(format!("{name}, {}", with_unit(work, "J"))), "Show the row with the most work");
        asked = response.on_hover_text("Shows this row in Rows").clicked();
    });
    asked.then_some((id, (owner, a, b)))
}

/// The joint, contact or plane that a row belongs to, and its two bodies.
fn owner(id: RowId, view: &View<'_>) -> (Owner, u32, u32) {
    match id {
        RowId::Joint { joint, .. } => {
            let ends = view.snapshot.joints.get(joint as usize).map_or((0, 0), |joint| (joint.a, joint.b));
            (Owner::Joint(joint), ends.0, ends.1)
        }
        RowId::MouseJoint { .. } => (Owner::MouseJoint, 0, 0),
        RowId::Plane { body } => (Owner::Plane(body), 0, body),
        RowId::Contact { a, b, .. } => (Owner::Contact(0), a, b),
    }
}
