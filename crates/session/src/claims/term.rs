//! The terms of a claim: the quantities that its subject names, read from the world after a step.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::Sample;
use crate::columns::{Cell, METRICS};
use crate::condition::{Subject, fits};
use crate::contact::ContactPair;
use crate::names::Names;
use crate::quantity::{moment, of_body, of_contact, of_joint, of_row};
use delassus_physics::metrics::Metrics;
use delassus_physics::row::RowList;
use delassus_physics::spectrum::{SWEEPS, Scratch};
use delassus_physics::stability;
use delassus_physics::world::World;
use delassus_scene::nearest;

/// The world after a step, with its metrics computed on demand.
pub(super) struct StepState<'a> {
    pub world: &'a World,
    sample: OnceCell<Sample>,
}

impl<'a> StepState<'a> {
    pub fn new(world: &'a World, measured: Option<Metrics>) -> Self {
        let sample = measured.map_or_else(OnceCell::new, |metrics| OnceCell::from(sample(world, metrics)));
        Self { world, sample }
    }

    fn sample(&self) -> &Sample {
        self.sample.get_or_init(|| sample(self.world, self.world.metrics()))
    }
}

fn sample(world: &World, metrics: Metrics) -> Sample {
    Sample { time: world.state.time, step: world.state.step_count, metrics, step_ms: 0.0, watched: None }
}

/// One of the quantities that a claim is about.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// Name of the body, joint or column; empty for a quantity of the run, a contact or ρ.
    pub who: Arc<str>,
    of: Of,
}

#[derive(Debug, Clone, Copy)]
enum Of {
    Run(usize),
    Body(u32, usize),
    Joint(usize, usize),
    Row(usize, usize, usize),
    Contact(ContactPair, usize),
    Radius,
}

/// The value read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TermValue {
    Number(f64),
    Word(String),
    Nothing,
}

impl Term {
    /// The term's value after a step.
    pub fn read(&self, now: &StepState<'_>, list: &mut RowList) -> TermValue {
        let read = |cell: Cell<'_>| match (cell, cell.number()) {
            (Cell::Word(word), _) => TermValue::Word(word.to_owned()),
            (_, Some(number)) => TermValue::Number(number),
            _ => TermValue::Nothing,
        };
        match self.of {
            Of::Run(column) => read((METRICS[column].get)(moment(now.world), now.sample())),
            Of::Body(id, column) => of_body(now.world, id, column, read),
            Of::Joint(joint, column) => of_joint(now.world, joint, column, list, read),
            Of::Row(joint, slot, column) => TermValue::Number(of_row(now.world, joint, slot, column)),
            Of::Contact(between, column) => {
                of_contact(now.world, between, column).map_or(TermValue::Nothing, TermValue::Number)
            }
            Of::Radius => TermValue::Number(radius(now.world)),
        }
    }
}

/// The sweep's spectral radius ρ, as computed for the doctor.
fn radius(world: &World) -> f64 {
    let settled = world.synced();
    let world = settled.as_ref().unwrap_or(world);
    stability::stability(world, &mut Scratch::default(), SWEEPS).spectrum.radius.into()
}

/// All terms that a subject names.
pub(super) fn terms(subject: &Subject, column: usize, names: &Names) -> Result<Vec<Term>, String> {
    let named = |what, pattern: &str, list: &[Arc<str>], of: &dyn Fn(usize) -> Of| {
        let fitting = list.iter().enumerate().filter(|(_, name)| fits(pattern, name));
        let terms: Vec<_> = fitting.map(|(index, name)| Term { who: name.clone(), of: of(index) }).collect();
        let near = || nearest(pattern, list.iter().map(|name| &**name));
        if terms.is_empty() { Err(format!("no {what} is called `{pattern}`{}", near())) } else { Ok(terms) }
    };
    let clear = |of| Ok(vec![Term { who: Arc::from(""), of }]);
    match subject {
        Subject::Run => clear(Of::Run(column)),
        Subject::Radius => clear(Of::Radius),
        Subject::RunLike(head) => {
            let like = METRICS.iter().enumerate().filter(|(_, column)| column.name.starts_with(head));
            Ok(like.map(|(index, column)| Term { who: Arc::from(column.name), of: Of::Run(index) }).collect())
        }
        Subject::Bodies(name) => named("body", name, &names.bodies, &|index| Of::Body(index as u32 + 1, column)),
        Subject::Joints(name) => named("joint", name, &names.joints, &|index| Of::Joint(index, column)),
        Subject::Contacts(name) => {
            let between = ContactPair::named(name, |name| names.body(name));
            let between = between.ok_or_else(|| format!("no bodies are called `{name}`: expected A+B, or one body"))?;
            clear(Of::Contact(between, column))
        }
        Subject::Row(name, slot) => named("joint", name, &names.joints, &|index| Of::Row(index, *slot, column)),
    }
}
