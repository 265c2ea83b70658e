//! The laboratory in the bottom dock: the rows, the matrix and the sweeps of the next step. The step is made on a copy
//! of the world, on a background thread, and only while one of the tabs is open.

mod couple_drawing;
mod delassus;
mod equation;
mod factors;
pub mod feature;
mod filter;
mod ghosts;
pub(crate) mod heat;
pub mod inside;
mod ledger;
mod ledger_curves;
mod matrix;
mod missing_load;
mod numbers;
pub(crate) mod parity;
mod program;
pub(crate) mod row_drawing;
mod rows;
mod sweeps;
mod table;
mod tick_panel;
pub(crate) mod typeset;
pub(crate) mod units;
mod wanted;

pub(crate) use ghosts::arc;

use std::sync::Arc;
use std::time::Duration;

use egui::Ui;
use lucide_icons::Icon;

use super::background_trace::{BackgroundTrace, Key, News, computing, key};
use crate::{
    notices::Notices,
    request::Request,
    selection::Selection,
    view::View,
    view3d::{View3d, motion},
    widgets,
};
use delassus_lab::TracedStep;
use delassus_physics::body::Velocity;
use delassus_physics::row::Owner;
use delassus_physics::trace::MOMENTS;
use delassus_physics::world::World;
use delassus_render::picture::Theme;
use wanted::{Answer, LabRequest};

/// Worlds with more bodies are not copied.
const MOST_BODIES: usize = 20_000;
/// The most memory for the recorded moments of a step, bytes. Each moment holds every velocity, and three numbers for
/// every row.
const MOST_BYTES: usize = 512 << 20;

/// The tabs of the laboratory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instrument {
    #[default]
    Rows,
    Matrix,
    Sweeps,
    Inside,
    Ledger,
    Parity,
}

impl Instrument {
    /// What the tab shows, and what to do first.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Inside => {
                "The next step from inside: each tick solves one block, and ghosts show where the bodies would go. Press \
                 Alt+. for the next block."
            }
            Self::Rows => {
                "Each line is one equation of the next step, with the impulse λ that solves it. Click a line to see its \
                 forces in the view."
            }
            Self::Matrix => {
                "Each square says how strongly one row feels another. Point at a square to see its two joints or \
                 contacts in the view."
            }
            Self::Sweeps => {
                "Each sweep solves every row once, and the curve is the error that is left. Switch on the other methods \
                 to see which one is fastest."
            }
            Self::Ledger => {
                "Each line says how much energy and momentum one part of the step adds. Click a spike of the curve to go \
                 to its step."
            }
            Self::Parity => {
                "The processor and the graphics device make the same steps, and the curves say how far apart they are. \
                 Play to compare more steps."
            }
        }
    }
}

/// The state of the laboratory.
#[derive(Default)]
pub struct Laboratory {
    background_trace: BackgroundTrace<LabRequest, Arc<Answer>>,
    pub(crate) rows: rows::Rows,
    matrix: matrix::Memory,
    sweeps: sweeps::Memory,
    pub(crate) inside: inside::Memory,
    ledger: ledger::Memory,
    pub(crate) parity: parity::Memory,
    /// The tab that is to be opened next.
    pub(crate) asked: Option<Instrument>,
    /// The tab that was drawn in this frame.
    drawn: Option<Instrument>,
}

/// Draws a tab over the available space.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    tab: Instrument,
    lab: &mut Laboratory,
    selection: &mut Selection,
    out: &mut Vec<Request>,
) {
    if tab == Instrument::Parity {
        parity::show(ui, view, &mut lab.parity, selection);
        lab.drawn = Some(tab);
        return;
    }
    let Some(world) = view.session.world().filter(|world| world.state.bodies.len() > 1) else {
        return widgets::empty(ui, Icon::FlaskConical, "Only a scene with bodies has rows.");
    };
    if world.state.bodies.len() > MOST_BODIES {
        let count = widgets::number::count(world.state.bodies.len());
        let limit = widgets::number::count(MOST_BODIES);
        let text = format!(
            "The scene has {count} bodies. Looking inside copies the world, which is done for up to \
                            {limit}."
        );
        return widgets::empty(ui, Icon::FlaskConical, &text);
    }
    let bytes = moments_bytes(world);
    if bytes > MOST_BYTES && tab != Instrument::Ledger {
        let (mib, limit) = (bytes >> 20, MOST_BYTES >> 20);
        let text = format!(
            "The moments of this step would take {mib} MiB, but at most {limit} are kept. Fewer iterations have fewer \
             moments."
        );
        return widgets::empty(ui, Icon::FlaskConical, &text);
    }
    if tab == Instrument::Ledger {
        ledger::show(ui, view, world, lab, selection, out);
        if lab.ledger.drawn && bytes <= MOST_BYTES {
            lab.trace_if_changed(world, view, LabRequest::Rows);
        }
        lab.drawn = Some(tab);
        return;
    }
    lab.trace_if_changed(world, view, lab.wanted(tab, world, selection));
    lab.drawn = Some(tab);
    let Some((traced, answer)) = lab.background_trace.get().map(|(traced, answer)| (traced.clone(), answer.clone()))
    else {
        match lab.background_trace.is_pending() {
            true => computing(ui, "The next step"),
            false => widgets::empty(ui, Icon::FlaskConical, "The next step cannot be made."),
        }
        return;
    };
    match tab {
        Instrument::Inside => inside::show(ui, view, world, (&traced, &answer), lab, out),
        Instrument::Rows => rows::show(ui, view, world, &traced, &mut lab.rows, selection),
        Instrument::Matrix => matrix::show(ui, view, (&traced, &answer), &mut lab.matrix, selection),
        Instrument::Sweeps => sweeps::show(ui, view, (&traced, &answer), &mut lab.sweeps),
        Instrument::Ledger | Instrument::Parity => {}
    }
}

impl Laboratory {
    /// Moves along the time line within the step.
    pub fn walk(&mut self, walk: inside::Walk) {
        self.inside.asked = Some(walk);
    }

    /// Draws what the open tab shows in the view, after the tab itself has been laid out.
    pub fn in_view(
        &mut self,
        view: &View<'_>,
        (modal, now, theme): (bool, f64, Theme),
        (view3d, selection, notices): (&mut View3d, &Selection, &mut Notices),
        out: &mut Vec<Request>,
    ) {
        if let Some(mechanism) = self.matrix.motions.take() {
            motion::start_showing(mechanism, now, view, (&mut *view3d, selection, notices), out);
        }
        let drawn = self.drawn.take();
        if drawn.is_none() {
            // The tab was closed.
            self.background_trace.rest();
            self.ledger.rest();
        }
        let Some(tab) = drawn.filter(|_| !modal && view3d.motion.is_none()) else { return };
        if tab == Instrument::Parity {
            return parity::draw(&self.parity, view, view3d);
        }
        let Some((traced, answer)) = self.background_trace.get().filter(|_| !view.clock.playing) else { return };
        match tab {
            Instrument::Inside => {
                if let (Some(inside), Some(scale)) = (answer.inside(), &self.inside.scale) {
                    ghosts::draw(traced, (&inside.inside, scale), self.inside.tick, theme, view, view3d);
                }
            }
            Instrument::Ledger if !self.ledger.drawn => {}
            Instrument::Rows | Instrument::Ledger => {
                if let Some(row) = self.rows.chosen.and_then(|id| traced.rows.iter().find(|row| row.id == id)) {
                    row_drawing::draw(traced, row, view, view3d);
                }
            }
            Instrument::Matrix => couple_drawing::draw((traced, answer), &self.matrix, view, view3d),
            Instrument::Sweeps | Instrument::Parity => {}
        }
    }

    /// Whether a step is being traced whose result is still to be shown.
    #[cfg(test)]
    pub(crate) fn is_pending(&self) -> bool {
        self.background_trace.is_pending()
    }

    /// Resets everything when another scene is opened.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// What a tab needs to be computed.
    fn wanted(&self, tab: Instrument, world: &World, selection: &Selection) -> LabRequest {
        match tab {
            Instrument::Matrix => LabRequest::Matrix(body_of(world, selection)),
            Instrument::Sweeps => LabRequest::Sweeps { others: self.sweeps.others },
            Instrument::Inside => LabRequest::Inside(body_of(world, selection)),
            Instrument::Rows | Instrument::Ledger | Instrument::Parity => LabRequest::Rows,
        }
    }

    /// Traces the next step if the state or the request has changed.
    fn trace_if_changed(&mut self, world: &World, view: &View<'_>, wanted: LabRequest) {
        let answer = move |world: &World, traced: &TracedStep| Arc::new(wanted.answer(world, traced));
        let news = self.background_trace.update(world, view, (wanted.depth(), wanted), Duration::ZERO, answer);
        if news == News::State {
            (self.inside.tick, self.inside.plays) = (0, None);
            if self.inside.plays_each_step && !view.clock.playing {
                self.inside.asked = Some(inside::Walk::Play);
            }
            self.matrix.picked = None;
        }
        if news != News::Nothing {
            (self.matrix.pictures, self.sweeps.map, self.inside.scale) = (None, None, None);
        }
    }
}

/// Estimated memory for the moments of the next step, bytes, if it has as many rows as the last one.
fn moments_bytes(world: &World) -> usize {
    let moments = (world.settings.sweeps() as usize).saturating_add(4).min(MOMENTS);
    let velocities = world.state.bodies.len() * size_of::<Velocity>();
    moments * (velocities + 3 * size_of::<f32>() * world.report.row_count)
}

/// The name of the joint, of the two bodies of a contact, or of another owner of rows.
pub(crate) fn owner_name(owner: Owner, (a, b): (u32, u32), view: &View<'_>) -> String {
    let body = |id: u32| match view.snapshot.body(id) {
        Some(body) => body.name.to_string(),
        None => "world".to_owned(),
    };
    match owner {
        Owner::Joint(joint) => {
            view.snapshot.joints.get(joint as usize).map_or_else(|| format!("joint {joint}"), |j| j.name.to_string())
        }
        Owner::Contact(_) => format!("{} · {}", body(a), body(b)),
        Owner::MouseJoint => "the hand".to_owned(),
        Owner::Plane(id) => format!("plane of {}", body(id)),
    }
}

/// Selects the joints of these rows, or their bodies if there are no joints.
pub(crate) fn select(owners: &[(Owner, u32, u32)], selection: &mut Selection) {
    let joints: Vec<usize> = owners
        .iter()
        .filter_map(|(owner, ..)| if let Owner::Joint(joint) = owner { Some(*joint as usize) } else { None })
        .collect();
    if joints.is_empty() {
        let bodies = owners.iter().flat_map(|(_, a, b)| [*a, *b]).filter(|id| *id != 0);
        selection.joint = None;
        selection.bodies = Vec::new();
        for id in bodies {
            if !selection.bodies.contains(&id) {
                selection.bodies.push(id);
            }
        }
    } else {
        let mut joints = joints;
        joints.dedup();
        selection.take_joints(joints);
    }
}

/// Whether the owner of a row is selected.
fn is_selected(owner: Owner, (a, b): (u32, u32), selection: &Selection) -> bool {
    match owner {
        Owner::Joint(joint) if selection.joint.is_some() => selection.joints().any(|one| one == joint as usize),
        _ if selection.joint.is_some() => false,
        _ => selection.bodies.contains(&a) || selection.bodies.contains(&b),
    }
}

/// A dynamic body of the selection.
fn body_of(world: &World, selection: &Selection) -> Option<u32> {
    let joint = selection.joint.and_then(|joint| world.state.joints.get(joint));
    let moving = |id: &u32| world.state.bodies.get(*id as usize).is_some_and(|body| body.is_dynamic());
    let of_joint = joint.and_then(|joint| [joint.def.a, joint.def.b].into_iter().find(moving));
    of_joint.or_else(|| selection.bodies.iter().copied().find(moving))
}
