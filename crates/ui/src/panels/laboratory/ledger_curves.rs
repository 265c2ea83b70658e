//! The ledger's curves: the contributions in the last steps over time, one curve for each cause. A click finds the
//! nearest spike: its step, and the row that did most of its work.

use std::collections::VecDeque;
use std::ops::Range;

use egui::{Label, RichText, Ui, vec2};
use egui_plot::{HoverPosition, Line, PlotPoints, VLine};

use super::ledger::words;
use crate::widgets::{graph, named, number::with_unit, theme};
use delassus_physics::balance::{CAUSES, Cause, Share};
use delassus_physics::row::RowId;
use delassus_session::Accounted;

/// A click selects a spike within this distance, points.
const NEAR: f32 = 5.0;

/// The quantity shown over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LedgerQuantity {
    #[default]
    Energy,
    Motion(usize),
    Momentum(usize),
    Angular(usize),
}

const QUANTITIES: [(LedgerQuantity, &str, &str); 10] = [
    (LedgerQuantity::Energy, "Energy", "J"),
    (LedgerQuantity::Motion(0), "Kinetic energy along x", "J"),
    (LedgerQuantity::Motion(1), "Kinetic energy along y", "J"),
    (LedgerQuantity::Motion(2), "Kinetic energy along z", "J"),
    (LedgerQuantity::Momentum(0), "Momentum along x", "N·s"),
    (LedgerQuantity::Momentum(1), "Momentum along y", "N·s"),
    (LedgerQuantity::Momentum(2), "Momentum along z", "N·s"),
    (LedgerQuantity::Angular(0), "Angular momentum about x", "N·m·s"),
    (LedgerQuantity::Angular(1), "Angular momentum about y", "N·m·s"),
    (LedgerQuantity::Angular(2), "Angular momentum about z", "N·m·s"),
];

impl LedgerQuantity {
    fn of(self, share: &Share) -> f64 {
        match self {
            Self::Energy => share.energy(),
            Self::Motion(axis) => share.linear[axis],
            Self::Momentum(axis) => share.momentum[axis],
            Self::Angular(axis) => share.angular[axis],
        }
    }
}

/// A step, and the row that did most of its work.
type Spike = (u64, Option<RowId>);

/// Draws the contributions of the last steps, one curve for each cause. Returns the spike that was clicked, and
/// whether the pointer is on the plot.
pub(super) fn curves(
    ui: &mut Ui,
    past: &VecDeque<Accounted>,
    quantity: &mut LedgerQuantity,
    now: Option<u64>,
) -> (Option<Spike>, bool) {
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
        ui.label(RichText::new("No step of this run is available: make one.").weak());
        return (None, false);
    }
    let of = *quantity;
    let curves: Vec<(Cause, Vec<[f64; 2]>)> = CAUSES
        .into_iter()
        .map(|cause| (cause, past.iter().map(|a| [a.time, of.of(a.balance.of(cause))]).collect::<Vec<_>>()))
        .filter(|(_, points)| points.iter().any(|point| point[1].abs() > 1e-12))
        .collect();
    // Steps that were not accounted for leave a gap.
    let steps: Vec<u64> = past.iter().map(|account| account.step).collect();
    let whole: Vec<Range<usize>> = (steps.chunk_by(|a, b| a + 1 == *b))
        .scan(0, |end, chunk| {
            *end += chunk.len();
            Some(*end - chunk.len()..*end)
        })
        .collect();
    let visuals = ui.visuals().clone();
    let ink = |index: usize| theme::run(index, &visuals);
    let key: Vec<graph::Keyed<'_>> = (0..).zip(&curves).map(|(k, (cause, _))| (words(*cause).0, ink(k), 0)).collect();
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

/// The readout: all contributions in the step nearest to the pointer.
fn said(
    position: &HoverPosition<'_>,
    past: &VecDeque<Accounted>,
    curves: &[(Cause, Vec<[f64; 2]>)],
    of: LedgerQuantity,
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
