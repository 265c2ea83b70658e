//! The laboratory in the bottom dock: the inside of the next step, its rows, matrix and sweeps. The step is made on a
//! copy of the world, and only while one of the tabs is open.

mod couple_drawing;
mod delassus;
mod equation;
mod factors;
mod filter;
mod ghosts;
pub(crate) mod heat;
pub mod inside;
mod ledger;
mod ledger_curves;
mod matrix;
mod numbers;
pub(crate) mod parity;
pub(crate) mod row_drawing;
mod rows;
mod sweeps;
mod table;
mod tick_panel;
pub(crate) mod typeset;
pub(crate) mod units;

pub(crate) use ghosts::arc;

use std::time::Instant;

use egui::Ui;
use lucide_icons::Icon;

use crate::{
    notices::Notices,
    request::Request,
    selection::Selection,
    view::View,
    view3d::{View3d, motion},
    widgets,
};
use delassus_lab::{Matrix, SweepCurve, TracedStep};
use delassus_physics::row::Owner;
use delassus_physics::trace::Depth;
use delassus_physics::world::World;
use delassus_render::picture::Theme;

/// Worlds with more bodies are not copied.
const MOST_BODIES: usize = 20_000;
/// While playing, the next look is taken after this many times the duration of the last one, drawing not included.
const SHARE: f64 = 8.0;

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

/// Identifies the state that was looked into: document, its revision, step, state hash (0 while playing).
type Key = (u64, u64, u64, u64);

/// The state of the laboratory.
#[derive(Default)]
pub struct Laboratory {
    key: Key,
    look: Option<TracedStep>,
    /// Earliest time of the next look while playing.
    due: Option<Instant>,
    pub(crate) rows: rows::Rows,
    matrix: matrix::Memory,
    sweeps: sweeps::Memory,
    inside: inside::Memory,
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
    of: Instrument,
    lab: &mut Laboratory,
    selection: &mut Selection,
    out: &mut Vec<Request>,
) {
    if of == Instrument::Parity {
        parity::show(ui, view, &mut lab.parity, selection);
        lab.drawn = Some(of);
        return;
    }
    let Some(world) = view.session.world().filter(|world| world.state.bodies.len() > 1) else {
        return widgets::empty(ui, Icon::FlaskConical, "A scene with bodies has rows to look at.");
    };
    if world.state.bodies.len() > MOST_BODIES {
        let count = widgets::number::count(world.state.bodies.len());
        let most = widgets::number::count(MOST_BODIES);
        let text = format!("{count} bodies: looking inside copies the world, which is done for up to {most}.");
        return widgets::empty(ui, Icon::FlaskConical, &text);
    }
    if of == Instrument::Ledger {
        ledger::show(ui, view, world, lab, selection, out);
        if lab.ledger.drawn {
            lab.follow(world, view, Depth::Sweeps);
            lab.drawn = Some(of);
        }
        return;
    }
    lab.follow(world, view, if of == Instrument::Inside { Depth::Blocks } else { Depth::Sweeps });
    if lab.look.is_none() {
        return widgets::empty(ui, Icon::FlaskConical, "The next step cannot be made.");
    }
    lab.drawn = Some(of);
    match of {
        Instrument::Inside => inside::show(ui, view, world, lab, selection, out),
        Instrument::Rows => rows::show(ui, view, world, lab, selection),
        Instrument::Matrix => matrix::show(ui, view, lab, selection),
        Instrument::Sweeps => sweeps::show(ui, view, world, lab),
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
            motion::begin(mechanism, now, view, (&mut *view3d, selection, notices), out);
        }
        let Some(of) = self.drawn.take().filter(|_| !modal && view3d.motion.is_none()) else { return };
        if of == Instrument::Parity {
            return parity::draw(&self.parity, view, view3d);
        }
        let Some(look) = self.look.as_ref().filter(|_| !view.clock.playing) else { return };
        match of {
            Instrument::Inside => {
                if let Some(made) = &self.inside.made {
                    ghosts::draw(look, made, self.inside.tick, theme, view, view3d);
                }
            }
            Instrument::Rows | Instrument::Ledger => {
                if let Some(row) = self.rows.chosen.and_then(|id| look.rows.iter().find(|row| row.id == id)) {
                    row_drawing::draw(look, row, view, view3d);
                }
            }
            Instrument::Matrix => couple_drawing::draw(look, &self.matrix, view, view3d),
            Instrument::Sweeps | Instrument::Parity => {}
        }
    }

    /// Resets everything when another scene is opened.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Makes a new look into the next step if the state has changed or a greater depth is needed.
    fn follow(&mut self, world: &World, view: &View<'_>, depth: Depth) {
        let session = view.session;
        let state = if session.playing() { 0 } else { world.hash() };
        let key = (session.opened(), session.revision(), world.state.step_count, state);
        let waits = session.playing() && self.due.is_some_and(|due| Instant::now() < due) && key.0 == self.key.0;
        let deep = self.look.as_ref().is_some_and(|look| look.trace.depth >= depth);
        if deep && (key == self.key || waits) {
            return;
        }
        let begin = Instant::now();
        self.look = TracedStep::of(world, depth);
        if self.key != key {
            (self.inside.tick, self.inside.plays) = (0, None);
        }
        self.key = key;
        (self.matrix.made, self.sweeps.made, self.inside.made) = (None, None, None);
        self.matrix.picked = None;
        self.due = Some(begin + begin.elapsed().mul_f64(1.0 + SHARE));
    }
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
fn body_of(look: &TracedStep, selection: &Selection) -> Option<u32> {
    let joint = selection.joint.and_then(|joint| look.after.state.joints.get(joint));
    let moving = |id: &u32| look.after.state.bodies.get(*id as usize).is_some_and(|body| body.is_dynamic());
    let of_joint = joint.and_then(|joint| [joint.def.a, joint.def.b].into_iter().find(moving));
    of_joint.or_else(|| selection.bodies.iter().copied().find(moving))
}

/// The Delassus matrix of the selected mechanism.
fn matrix_of(look: &TracedStep, selection: &Selection) -> Option<Matrix> {
    Matrix::of(look, body_of(look, selection))
}

/// The convergence curves of the step; with `others`, of all methods.
fn curves_of(world: &World, look: &TracedStep, others: bool) -> Vec<SweepCurve> {
    delassus_lab::compare(world, look, others)
}
