//! A mechanism over the travel of one of its joints, as a page in place of the lower dock: what `delassus analyse` says,
//! with plots, a table, and the path of a point in the view. It is computed anew, off the frame, whenever the request or
//! the scene changes.

mod files;
mod findings;
mod form;
mod in_view;
mod plots;
mod readout;
mod table;
mod units;

use std::sync::Arc;

use egui::{ScrollArea, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    panels::background_trace::computing,
    request::Request as PanelRequest,
    selection::Selection,
    view::View,
    view3d::View3d,
    widgets::{self, Segment, segments},
};
use delassus_physics::settings::Settings;
use delassus_session::analysis::{AnalysedMechanism, Analysis, Quantity, Request, Sample};
use delassus_session::background::Computed;

/// The width of the request and of what was found, points.
const LEFT: f32 = 300.0;
/// Narrower pages have one column, points.
const ONE_COLUMN: f32 = LEFT + 280.0;
/// The height of the plots or the table in one column, points.
const STACKED: f32 = 320.0;
const TITLE: &str = "Analyse a mechanism";

/// What an analysis depends on: the document, its revision, the settings, the request.
type Key = (u64, u64, Settings, Request);

/// The state of the page.
#[derive(Default)]
pub struct Analyse {
    pub open: bool,
    pub(crate) form: form::Form,
    computed: Computed<Key, Option<Arc<AnalysedMechanism>>>,
    /// The last result; it stays while the next one is computed.
    shown: Option<Arc<AnalysedMechanism>>,
    /// The driven value of the sample that is read, rad or m; the first sample if none.
    cursor: Option<f64>,
    /// The sample under the pointer in a plot.
    hovered: Option<usize>,
    /// Whether the table is shown instead of the plots.
    pub(crate) shows_table: bool,
    /// The quantities of the first and the last plot, if they were chosen.
    plotted: [Option<Quantity>; 2],
    /// The columns of the table, if they were chosen.
    columns: Option<Vec<Quantity>>,
    /// Whether instant centres are left out of the view.
    without_centres: bool,
}

impl Analyse {
    /// Forgets what belonged to the scene that was open before.
    pub fn forget(&mut self) {
        *self = Self { open: self.open, ..Self::default() };
    }

    /// Opens the page with this joint as the driven one.
    pub fn open_for(&mut self, joint: &Arc<str>) {
        self.open = true;
        self.form.drive(joint);
    }

    /// The last result.
    pub fn shown(&self) -> Option<&AnalysedMechanism> {
        self.shown.as_deref()
    }

    /// The last analysis, if it was not refused.
    fn analysis(&self) -> Option<(&AnalysedMechanism, &Analysis)> {
        let shown = self.shown.as_deref()?;
        Some((shown, shown.result.as_ref().ok()?))
    }

    /// The index of the sample that is read: under the pointer, or at the cursor.
    pub(crate) fn sample(&self) -> usize {
        let Some((_, analysis)) = self.analysis() else { return 0 };
        let most = analysis.samples.len().saturating_sub(1);
        match (self.hovered, self.cursor) {
            (Some(hovered), _) => hovered.min(most),
            (None, Some(value)) => nearest(&analysis.samples, value),
            (None, None) => 0,
        }
    }

    /// Puts the cursor on a sample.
    fn point_at(&mut self, sample: usize) {
        let value = self.analysis().and_then(|(_, analysis)| Some(analysis.samples.get(sample)?.value));
        self.cursor = value.or(self.cursor);
    }

    /// Computes the analysis if the request or the scene has changed.
    fn update(&mut self, view: &View<'_>, request: Request) {
        let session = view.session;
        let key = (session.opened(), session.revision(), *view.settings, request.clone());
        self.computed.update(key, session.is_ahead(), || {
            let work = session.analyse(request);
            move |cancel: Option<&_>| work(cancel).map(Arc::new)
        });
        if let Some(made) = self.computed.get() {
            self.shown.clone_from(made);
        }
    }

    /// Draws the path of the followed point, and the mechanism at the sample that is read.
    pub fn in_view(&mut self, view: &View<'_>, view3d: &mut View3d) {
        if self.open {
            in_view::draw(self, view, view3d);
        } else {
            self.computed.rest();
        }
    }
}

/// The index of the sample with the driven value nearest to this one.
fn nearest(samples: &[Sample], value: f64) -> usize {
    let apart = |k: &usize| (samples[*k].value - value).abs();
    (0..samples.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(0)
}

/// Draws the page if it is open, in place of the lower dock.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Analyse, selection: &Selection, out: &mut Vec<PanelRequest>) {
    if !state.open {
        return;
    }
    let request = state.form.request(view, selection);
    if let Some(request) = request.clone() {
        state.update(view, request);
    }
    let has_request = request.is_some();
    let close = widgets::page_header(ui, TITLE, 320.0, |ui| {
        if has_request {
            files::buttons(ui, state, out);
        }
    });
    state.open = !close;
    let Some(request) = request else {
        return widgets::empty(ui, Icon::Cog, form::nothing_to_drive(view));
    };
    if state.computed.is_pending() {
        ui.ctx().request_repaint();
    }
    let room = ui.available_size();
    if room.x > ONE_COLUMN {
        ui.horizontal_top(|ui| {
            ui.allocate_ui(vec2(LEFT, room.y), |ui| {
                ui.vertical(|ui| {
                    ui.set_width(LEFT);
                    widgets::scroll(ui, "request", |ui| {
                        ui.set_width(LEFT - 12.0);
                        left(ui, view, state, &request, selection);
                    });
                });
            });
            ui.separator();
            ui.vertical(|ui| right(ui, view, state, out));
        });
    } else {
        ScrollArea::vertical().id_salt("all").max_height(room.y).show(ui, |ui| {
            ui.set_width(room.x - 12.0);
            left(ui, view, state, &request, selection);
            ui.add_space(6.0);
            ui.allocate_ui(vec2(room.x - 12.0, STACKED), |ui| {
                ui.vertical(|ui| {
                    ui.set_max_height(STACKED);
                    right(ui, view, state, out);
                });
            });
        });
    }
}

/// The request, and what was found.
fn left(ui: &mut Ui, view: &View<'_>, state: &mut Analyse, request: &Request, selection: &Selection) {
    form::show(ui, view, state, request, selection);
    ui.add_space(6.0);
    findings::show(ui, state);
}

/// The plots or the table, and the sample that is read.
fn right(ui: &mut Ui, view: &View<'_>, state: &mut Analyse, out: &mut Vec<PanelRequest>) {
    if state.analysis().is_none() {
        return match state.computed.is_pending() {
            true => computing(ui, "The mechanism"),
            false => widgets::empty(ui, Icon::Cog, "There is nothing to plot. The left side says why."),
        };
    }
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(140.0, 22.0), |ui| {
            ui.set_max_width(140.0);
            let items = [
                Segment::new("Plots", "Curves over the driven value"),
                Segment::new("Table", "A line for each sample"),
            ];
            if let Some(index) = segments(ui, "Analysis as", &items, Some(usize::from(state.shows_table))) {
                state.shows_table = index == 1;
            }
        });
        readout::slider(ui, state);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| readout::pose(ui, view, state, out));
    });
    if state.shows_table {
        state.hovered = None;
        table::show(ui, state);
    } else {
        readout::show(ui, state);
        plots::show(ui, state);
    }
}
