//! The laboratory in the bottom dock: rows, matrix and sweeps of the step that comes next, which is made on a copy of
//! the world. Nothing is copied while no tab of it is open.

mod equation;
mod heat;
mod matrix;
mod rows;
mod sweeps;
mod typeset;
mod units;

use std::time::Instant;

use egui::Ui;
use lucide_icons::Icon;

use crate::lab::{Curve, Look, Matrix};
use crate::physics::row::Owner;
use crate::physics::world::World;
use crate::ui::{selection::Selection, view::View, widgets};

/// Larger worlds are not copied for a look.
const MOST_BODIES: usize = 20_000;
/// While time runs, the next look waits for so many times as long as this one took, apart from what is drawn of it.
const SHARE: f64 = 8.0;

/// What is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instrument {
    #[default]
    Rows,
    Matrix,
    Sweeps,
}

/// Which world a look was taken into: document, its revision, step, state.
type Key = (u64, u64, u64, u64);

/// The laboratory's memory.
#[derive(Default)]
pub struct Laboratory {
    key: Key,
    look: Option<Look>,
    /// When the next look may be taken while time runs.
    due: Option<Instant>,
    pub(crate) rows: rows::Rows,
    matrix: matrix::Shown,
    sweeps: sweeps::Shown,
}

/// Draws an instrument over all the room that there is.
pub fn show(ui: &mut Ui, view: &View<'_>, of: Instrument, lab: &mut Laboratory, selection: &mut Selection) {
    let Some(world) = view.session.world().filter(|world| world.bodies.len() > 1) else {
        return widgets::empty(ui, Icon::FlaskConical, "A scene with bodies has rows to look at.");
    };
    if world.bodies.len() > MOST_BODIES {
        let count = widgets::number::count(world.bodies.len());
        let most = widgets::number::count(MOST_BODIES);
        let text = format!("{count} bodies: a look copies the world, which is done for up to {most}.");
        return widgets::empty(ui, Icon::FlaskConical, &text);
    }
    lab.follow(world, view);
    if lab.look.is_none() {
        return widgets::empty(ui, Icon::FlaskConical, "The next step cannot be made.");
    }
    match of {
        Instrument::Rows => rows::show(ui, view, lab, selection),
        Instrument::Matrix => matrix::show(ui, view, lab, selection),
        Instrument::Sweeps => sweeps::show(ui, view, world, lab),
    }
}

impl Laboratory {
    /// Another scene is open.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Looks into the next step where that is another one than before.
    fn follow(&mut self, world: &World, view: &View<'_>) {
        let session = view.session;
        let state = if session.playing() { 0 } else { world.hash() };
        let key = (session.opened(), session.revision(), world.step_count, state);
        let waits = session.playing() && self.due.is_some_and(|due| Instant::now() < due) && key.0 == self.key.0;
        if self.look.is_some() && (key == self.key || waits) {
            return;
        }
        let begin = Instant::now();
        self.look = Look::into(world);
        self.key = key;
        (self.matrix.made, self.sweeps.made) = (None, None);
        self.due = Some(begin + begin.elapsed().mul_f64(1.0 + SHARE));
    }
}

/// Whose rows they are, by name.
fn owner_name(owner: Owner, (a, b): (u32, u32), view: &View<'_>) -> String {
    let body = |id: u32| match view.snapshot.body(id) {
        Some(body) => body.name.to_string(),
        None => "world".to_owned(),
    };
    match owner {
        Owner::Joint(joint) => {
            view.snapshot.joints.get(joint as usize).map_or_else(|| format!("joint {joint}"), |j| j.name.to_string())
        }
        Owner::Contact(_) => format!("{} · {}", body(a), body(b)),
        Owner::Pull => "the hand".to_owned(),
        Owner::Plane(id) => format!("plane of {}", body(id)),
    }
}

/// Selects whatever has these rows.
fn select(owners: &[(Owner, u32, u32)], selection: &mut Selection) {
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

/// Whether a row's owner is selected; everything is where nothing is.
fn is_selected(owner: Owner, (a, b): (u32, u32), selection: &Selection) -> bool {
    match owner {
        Owner::Joint(joint) if selection.joint.is_some() => selection.joints().any(|one| one == joint as usize),
        _ if selection.joint.is_some() => false,
        _ => selection.bodies.contains(&a) || selection.bodies.contains(&b),
    }
}

/// The matrix of a look, made when it is first asked for.
fn matrix_of(look: &Look, selection: &Selection) -> Option<Matrix> {
    let joint = selection.joint.and_then(|joint| look.after.joints.get(joint));
    let moving = |id: &u32| look.after.bodies.get(*id as usize).is_some_and(|body| body.is_dynamic());
    let of_joint = joint.and_then(|joint| [joint.def.a, joint.def.b].into_iter().find(moving));
    Matrix::of(look, of_joint.or_else(|| selection.bodies.iter().copied().find(moving)))
}

/// The curves of a look.
fn curves_of(world: &World, look: &Look, others: bool) -> Vec<Curve> {
    crate::lab::compare(world, look, others)
}
