//! The ledger: what each cause has given to energy and momentum in the step that comes next, or while time runs in the
//! newest one, and in the last ones, with a click to the step in which a curve has its spike and to the row that did most
//! of it.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use egui::{Align, Grid, Label, Layout, RichText, Sense, Ui, UiBuilder, vec2};
use egui_plot::{HoverPosition, Line, PlotPoints, VLine};
use lucide_icons::Icon;

use super::{Laboratory, owner_name, select};
use crate::physics::balance::{Balance, CAUSES, Cause, Share};
use crate::physics::row::{Owner, RowId};
use crate::physics::world::World;
use crate::session::{Accounted, Accounts, Command};
use crate::ui::{
    panels::laboratory::Instrument,
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, graph, named, number::with_unit, theme},
};

/// What of the shares is shown along time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quantity {
    #[default]
    Energy,
    Motion(usize),
    Momentum(usize),
    Angular(usize),
}

const QUANTITIES: [(Quantity, &str, &str); 10] = [
    (Quantity::Energy, "Energy", "J"),
    (Quantity::Motion(0), "Energy of motion along x", "J"),
    (Quantity::Motion(1), "Energy of motion along y", "J"),
    (Quantity::Motion(2), "Energy of motion along z", "J"),
    (Quantity::Momentum(0), "Momentum along x", "N·s"),
    (Quantity::Momentum(1), "Momentum along y", "N·s"),
    (Quantity::Momentum(2), "Momentum along z", "N·s"),
    (Quantity::Angular(0), "Angular momentum about x", "N·m·s"),
    (Quantity::Angular(1), "Angular momentum about y", "N·m·s"),
    (Quantity::Angular(2), "Angular momentum about z", "N·m·s"),
];

impl Quantity {
    fn of(self, share: &Share) -> f64 {
        match self {
            Self::Energy => share.energy(),
            Self::Motion(axis) => share.linear[axis],
            Self::Momentum(axis) => share.momentum[axis],
            Self::Angular(axis) => share.angular[axis],
        }
    }
}

/// The ledger's memory.
#[derive(Default)]
pub(super) struct Shown {
    quantity: Quantity,
    /// Of which state, and what the next step gives from there.
    next: Option<(super::Key, Option<Balance>)>,
    /// What the last steps have given.
    past: Accounts,
    /// Whether the pointer is on the curves: they stand still then, so that a spike can be hit while time runs.
    aimed: bool,
    /// Whether the row that did most of a spike's work is drawn in the view.
    pub(super) drawn: bool,
}

/// A cause in words.
fn words(cause: Cause) -> (&'static str, &'static str) {
    match cause {
        Cause::Gravity => ("Gravity", "Its kick, and the heights that the bodies win by their motion"),
        Cause::WarmStart => {
            ("Warm start", "The old impulses that are put in before the sweeps, whatever rows they are of")
        }
        Cause::Joints => ("Joints", "Rows that hold anchors, axes and planes"),
        Cause::Springs => ("Springs", "Springs and dampers, with the energy that they store"),
        Cause::Limits => ("Limits", "Stops of joints"),
        Cause::Motors => ("Motors", "Motors of joints"),
        Cause::Contacts => ("Contacts", "Normal rows: what keeps bodies apart"),
        Cause::Friction => ("Friction", "Sliding, twisting and rolling"),
        Cause::MouseJoint => ("Pull", "The hand"),
        Cause::Correction => ("Position correction", "Positions that are corrected beside the velocities"),
        Cause::Integrator => ("Integrator", "How bodies are moved and turned, and for which time velocities are read"),
    }
}

/// Width of the table, and of a number in it, points.
const TABLE: f32 = 536.0;
const NUMBER: f32 = 62.0;
/// Room that is left to the plot, points.
const PLOT: f32 = 190.0;
/// A spike is meant from so near, points.
const NEAR: f32 = 5.0;
/// As many steps back the curves reach.
const STEPS: u64 = 240;
/// The longest that a frame may account for the past while time stands, and its share of a frame while it runs.
const LONGEST: Duration = Duration::from_millis(60);
const OF_A_FRAME: f32 = 1.0 / 9.0;

pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    world: &World,
    lab: &mut Laboratory,
    selection: &mut Selection,
    out: &mut Vec<Request>,
) {
    let Shown { next, past, quantity: of, aimed, .. } = &mut lab.ledger;
    let plays = view.clock.playing;
    let held = plays && *aimed && !past.list().is_empty();
    if held {
        *next = None;
    } else if plays {
        let frame = ui.input(|input| input.unstable_dt).clamp(0.0, 0.5);
        past.follow(view.session, STEPS, Duration::from_secs_f32(OF_A_FRAME * frame));
        *next = None;
    } else {
        let key = (view.session.opened(), view.session.revision(), world.step_count, world.hash());
        if next.as_ref().is_none_or(|(made, _)| *made != key) {
            *next = Some((key, world.balanced().map(|(_, balance)| balance)));
        }
        past.follow(view.session, STEPS, LONGEST);
        if past.goes_on() {
            ui.ctx().request_repaint();
        }
    }
    // While time runs the newest step that is accounted for.
    let shown = match next {
        Some((_, next)) => next.as_ref().map(|next| (next, world.step_count + 1)),
        None => past.list().back().map(|account| (&account.balance, account.step)),
    };
    let Some((shown, step)) = shown else {
        let words = if plays { "No step is accounted for yet." } else { "The next step cannot be made." };
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
            let now = (!plays).then_some(world.step_count);
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
        // To the moment before that step, with the row that did most in it: its J and force stand in the view.
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
    ("energy", "All of it: of motion, of rotation, of height and of springs"),
    ("along x", "Energy of motion along x"),
    ("along y", "Energy of motion along y"),
    ("along z", "Energy of motion along z"),
    ("rotation", "Energy of rotation"),
    ("momentum", "The size of the change of momentum"),
];

/// The table: a line a cause, the sum, and what was measured.
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
            number(ui, share.turning, "J", ink);
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
        let tip = "What is measured before and after the step; the sum agrees with it to within rounding";
        line(ui, "Measured", tip, &balance.change, colors.strong);
        let tip = "What joints, old impulses, corrections and the integrator have added: solved exactly and without \
                   bias they would add nothing (003, section 7)";
        line(ui, "Drift", tip, &balance.drift(), colors.warn);
    });
}

/// A cell of the table, as wide as all others, its text at the right.
fn cell(ui: &mut Ui) -> Ui {
    let (rect, _) = ui.allocate_exact_size(vec2(NUMBER, 16.0), Sense::hover());
    ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center)))
}

/// The row that does most of the work; true where it is asked for.
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

/// Whose row it is.
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

/// A step, and the row that did most of its work.
type Spike = (u64, Option<RowId>);

/// The shares of the last steps, a curve a cause; a click gives the spike that is meant. And whether the pointer is on
/// them.
fn curves(ui: &mut Ui, past: &VecDeque<Accounted>, quantity: &mut Quantity, now: Option<u64>) -> (Option<Spike>, bool) {
    let colors = theme::colors(ui.visuals());
    let (_, title, unit) = QUANTITIES.iter().find(|(of, ..)| of == quantity).copied().unwrap_or(QUANTITIES[0]);
    ui.horizontal(|ui| {
        let menu = ui.menu_button(RichText::new(title).color(colors.strong), |ui| {
            for (of, name, _) in QUANTITIES {
                if ui.selectable_label(of == *quantity, name).clicked() {
                    *quantity = of;
                }
            }
        });
        named(menu.response, &format!("Ledger of {title}")).on_hover_text("What is shown of each step");
        let text = "of each step; a click goes to the moment before it and draws the row that did most";
        ui.add(Label::new(RichText::new(text).weak()).truncate()).on_hover_text(text);
    });
    if past.is_empty() {
        ui.label(RichText::new("No step of this run is at hand: make one.").weak());
        return (None, false);
    }
    let of = *quantity;
    let curves: Vec<(Cause, Vec<[f64; 2]>)> = CAUSES
        .into_iter()
        .map(|cause| (cause, past.iter().map(|a| [a.time, of.of(a.balance.of(cause))]).collect::<Vec<_>>()))
        .filter(|(_, points)| points.iter().any(|point| point[1].abs() > 1e-12))
        .collect();
    // Steps that were left out leave a gap.
    let steps: Vec<u64> = past.iter().map(|account| account.step).collect();
    let whole: Vec<Range<usize>> = (steps.chunk_by(|a, b| a + 1 == *b))
        .scan(0, |end, chunk| {
            *end += chunk.len();
            Some(*end - chunk.len()..*end)
        })
        .collect();
    let visuals = ui.visuals().clone();
    let ink = |index: usize| theme::run(index, &visuals);
    let key: Vec<graph::Keyed<'_>> =
        (0..).zip(&curves).map(|(k, (cause, _))| (words(*cause).0, ink(k), false)).collect();
    let response = graph::with_key(ui, "ledger", &key, |ui| {
        let plot = graph::still(ui, "ledger along time")
            .include_y(0.0)
            .y_axis_min_width(58.0)
            .y_axis_formatter(move |mark, _| if mark.value == 0.0 { "0".into() } else { with_unit(mark.value, unit) })
            .x_axis_formatter(graph::seconds)
            .label_formatter(|position| Some(said(position, past, &curves, of, unit)));
        plot.show(ui, |plot| {
            for (index, (cause, points)) in curves.iter().enumerate() {
                for range in &whole {
                    let points = PlotPoints::from(points[range.clone()].to_vec());
                    let line = Line::new(words(*cause).0, points).id((index, range.start));
                    plot.line(line.color(ink(index)).width(1.5));
                }
            }
            if let Some(at) = now.and_then(|now| past.iter().find(|a| a.step == now + 1)) {
                plot.vline(VLine::new("now", at.time).color(colors.strong).allow_hover(false));
            }
        })
    });
    let (response, transform) = (response.response, response.transform);
    let (clicked, over) = (response.interact_pointer_pos().filter(|_| response.clicked()), response.contains_pointer());
    named(response, "Ledger along time");
    let Some(at) = clicked else { return (None, over) };
    let [from, to] = [-NEAR, NEAR].map(|by| transform.value_from_position(at + vec2(by, 0.0)).x);
    let size = |a: &&Accounted| CAUSES.iter().map(|cause| of.of(a.balance.of(*cause)).abs()).fold(0.0, f64::max);
    let near = past.iter().filter(|a| (from..=to).contains(&a.time)).max_by(|a, b| size(a).total_cmp(&size(b)));
    let middle = 0.5 * (from + to);
    let nearest = || past.iter().min_by(|a, b| (a.time - middle).abs().total_cmp(&(b.time - middle).abs()));
    (near.or_else(nearest).map(|a| (a.step, a.balance.most().map(|(id, _)| id))), over)
}

/// What the pointer reads: all shares of the step that is nearest to it.
fn said(
    position: &HoverPosition<'_>,
    past: &VecDeque<Accounted>,
    curves: &[(Cause, Vec<[f64; 2]>)],
    of: Quantity,
    unit: &str,
) -> String {
    let at = match position {
        HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position } => *position,
    };
    let nearest = past.iter().min_by(|a, b| (a.time - at.x).abs().total_cmp(&(b.time - at.x).abs()));
    let Some(nearest) = nearest else { return String::new() };
    let mut lines = vec![format!("step {}", nearest.step)];
    for (cause, _) in curves {
        lines.push(format!("{} {}", words(*cause).0, with_unit(of.of(nearest.balance.of(*cause)), unit)));
    }
    lines.join("\n")
}
