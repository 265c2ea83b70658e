//! Runs beside the one at hand: the same bodies from the same state, step by step with the same inputs, by settings of
//! their own.
//!
//! ```text
//! run a, at hand   ●───●───●───●───●   its settings may change as it runs
//! run b            ●───●───●───●───●   a session of its own, with its own settings throughout
//!                  └ where the bodies were last edited, or the moment that was asked for
//! ```
//! The hand's pull and the step rate are the run's inputs and common to all. Going back, along what was, and on another
//! way goes for all of them. Where the run at hand has steps behind it that the others lack they catch up, beside a copy
//! of it that is made again, and time waits for them.

mod apart;
mod score;

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;

use super::open::Open;
use super::run::{Input, Run};
use super::{BodyLooks, Looks, Session, SessionError};
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::settings::{JacobiStep, Method, RowSolve, Settings};
use crate::physics::world::World;
pub use apart::{Apart, MOST_RUNS, distance};
pub use score::{FIGURES, Figure, Score};

/// What may be asked of a comparison. Runs are counted from 0, the one at hand.
#[derive(Debug, Clone, PartialEq)]
pub enum Compare {
    /// Another run with these settings.
    Add {
        name: String,
        settings: Box<Settings>,
    },
    /// Another run by which the others are measured: see [`fine`].
    AddFine,
    /// Calls a run otherwise.
    Name(usize, String),
    /// Gives a run other settings.
    Settings(usize, Box<Settings>),
    /// An edit: the run at hand has the settings of another from now on.
    Take(usize),
    Remove(usize),
    /// Removes all of them.
    End,
    /// Measures distances from this run.
    Reference(usize),
    /// Runs differ beyond this distance of a body's centre, m.
    Epsilon(f64),
    /// Begins with the present state, or again where the bodies were last edited.
    FromHere(bool),
}

/// Another run.
pub struct Rival {
    pub name: String,
    session: Session,
    /// The step beyond which it cannot be run.
    pub stopped: Option<u64>,
}

impl Rival {
    /// Its bodies, samples and settings, to be read.
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// Where all runs began.
struct Base {
    /// The first state of the stretch of the run at hand.
    first: Arc<World>,
    generation: u64,
    /// The state that all begin with.
    from: Arc<World>,
}

/// The runs beside the one at hand, and how far they are from each other.
#[derive(Default)]
pub struct Beside {
    rivals: Vec<Rival>,
    base: Option<Base>,
    /// The step at which all of them stand.
    at: u64,
    /// The run at hand, made again while the others catch up.
    shadow: Option<Box<World>>,
    apart: Apart,
    reference: usize,
    /// How often the line of the run at hand had been cut when they last followed it.
    cuts: u64,
}

/// Settings by which a run comes closest to the truth, whatever is compared: sixteen times as many sub-steps, up to 64,
/// whole trees and at least fifty sweeps of Gauss–Seidel.
pub fn fine(settings: &Settings) -> Settings {
    let mut fine = *settings;
    fine.step.substeps = (settings.step.substeps * 16).min(64);
    fine.solver.method = Method::GaussSeidel;
    fine.solver.jacobi = JacobiStep::Stable;
    fine.solver.rows = RowSolve::Tree;
    fine.solver.iterations = settings.solver.iterations.max(50);
    fine.solver.tolerance = 0.0;
    fine.warm_start.enabled = true;
    fine
}

impl Beside {
    /// Obeys, or says why not.
    pub(super) fn obey(&mut self, asked: Compare, main: &Session) -> Result<(), SessionError> {
        let refused = |what: &str| Err(SessionError::Refused(what.to_owned()));
        let own = main.settings;
        match asked {
            Compare::Add { name, settings } => {
                if self.rivals.len() + 1 >= MOST_RUNS {
                    return refused("four runs are compared at most: remove one first");
                }
                if settings.step.rate != own.step.rate {
                    return refused("runs in lockstep have one step rate: vary the sub-steps instead");
                }
                self.add(name, *settings, main)?;
            }
            Compare::AddFine => {
                self.obey(Compare::Add { name: "fine reference".into(), settings: Box::new(fine(&own)) }, main)?;
                self.reference = self.rivals.len();
            }
            Compare::Name(run, name) => self.rival(run)?.name = name,
            Compare::Settings(run, settings) => {
                if settings.step.rate != own.step.rate {
                    return refused("runs in lockstep have one step rate: vary the sub-steps instead");
                }
                self.rival(run)?.session.settings = *settings;
                self.restart(main);
            }
            Compare::Take(run) => return Err(no_run(run)),
            Compare::Remove(run) => {
                self.rival(run)?;
                self.rivals.remove(run - 1);
                self.reference = match self.reference {
                    old if old == run => 0,
                    old => old - usize::from(old > run),
                };
                self.restart(main);
            }
            Compare::End => *self = Self::default(),
            Compare::Reference(run) if run <= self.rivals.len() => self.reference = run,
            Compare::Reference(run) => return Err(no_run(run)),
            Compare::Epsilon(epsilon) if epsilon >= 0.0 && epsilon.is_finite() => self.apart.set_epsilon(epsilon),
            Compare::Epsilon(_) => return refused("expected a distance of 0 m or more"),
            Compare::FromHere(here) => {
                let Some(open) = &main.open else { return Err(SessionError::NoScene) };
                self.base = here.then(|| base(main, open, Some(Arc::new(open.run.world().clone()))));
                self.restart(main);
            }
        }
        Ok(())
    }

    /// The other runs' sessions.
    pub(super) fn sessions(&mut self) -> impl Iterator<Item = &mut Session> {
        self.rivals.iter_mut().map(|rival| &mut rival.session)
    }

    fn rival(&mut self, run: usize) -> Result<&mut Rival, SessionError> {
        run.checked_sub(1).and_then(|at| self.rivals.get_mut(at)).ok_or(no_run(run))
    }

    fn add(&mut self, name: String, settings: Settings, main: &Session) -> Result<(), SessionError> {
        let open = main.open.as_ref().ok_or(SessionError::NoScene)?;
        if self.rivals.is_empty() {
            self.cuts = main.cuts;
        }
        let session = standing(main, open, open.run.stretch().first(), settings);
        self.rivals.push(Rival { name, session, stopped: None });
        self.restart(main);
        Ok(())
    }

    /// Has all runs stand where they began.
    fn restart(&mut self, main: &Session) {
        let Some(open) = &main.open else { return };
        if !self.base.as_ref().is_some_and(|old| old.is_of(main, open)) {
            self.base = Some(base(main, open, None));
        }
        let Some(from) = self.base.as_ref().map(|base| base.from.clone()) else { return };
        for rival in &mut self.rivals {
            let mut settings = rival.session.settings;
            settings.step.rate = from.settings.step.rate;
            rival.session = standing(main, open, &from, settings);
            rival.stopped = None;
        }
        (self.at, self.shadow) = (from.step_count, None);
        self.apart.begin(self.at);
        self.measure(|id| from.state(id).0);
        self.cuts = main.cuts;
    }

    /// The run at hand has made a step: so do the others.
    pub(super) fn step(&mut self, run: &Run) {
        let now = run.world().step_count;
        let follows = self.base.as_ref().is_some_and(|base| Arc::ptr_eq(&base.first, run.stretch().first()));
        if self.rivals.is_empty() || !follows || self.at + 1 != now {
            return;
        }
        self.step_all(run);
        self.measure(|id| run.world().state(id).0);
    }

    /// Each of them makes a step, with what the hand and the rate of the run at hand were in it.
    fn step_all(&mut self, run: &Run) {
        let (pull, rate) = run.stretch().common_at(self.at);
        for rival in self.rivals.iter_mut().filter(|rival| rival.stopped.is_none()) {
            rival.session.put_in(pull, rate);
            let before = rival.session.snapshot.step;
            if rival.session.step().is_err() || rival.session.snapshot.step == before {
                rival.stopped = Some(before);
            }
        }
        self.at += 1;
    }

    /// Measures how far they are from each other, unless that is known; `own` is where a body's centre is at hand.
    fn measure(&mut self, own: impl Fn(u32) -> Vec3) {
        if self.apart.end() != self.at {
            return;
        }
        let Self { rivals, apart, at, .. } = self;
        let count = rivals.first().map_or(0, |rival| rival.session.snapshot.bodies.len());
        let bodies = (0..count).map(|index| {
            let mut centres = [Vec3::ZERO; MOST_RUNS];
            centres[0] = own(index as u32 + 1);
            for (centre, rival) in centres[1..].iter_mut().zip(rivals.iter()) {
                let there = rival.stopped.is_none_or(|last| last >= *at);
                *centre = if there { rival.session.snapshot.bodies[index].centre } else { Vec3::NAN };
            }
            centres
        });
        apart.push(rivals.len() + 1, bodies);
    }

    /// Has all runs stand where the one at hand stands, as far as `budget` reaches. False while they are behind.
    fn follow(&mut self, main: &Session, budget: Duration) -> bool {
        let Some(open) = &main.open else {
            self.rivals.clear();
            return true;
        };
        let (run, begin) = (&open.run, Instant::now());
        let now = run.world().step_count;
        if !self.base.as_ref().is_some_and(|old| old.is_of(main, open)) {
            self.restart(main);
        }
        let begins = |beside: &Self| beside.base.as_ref().map_or(0, |base| base.from.step_count);
        let first = begins(self);
        if self.cuts != main.cuts {
            self.cuts = main.cuts;
            if now < first {
                // The moment from which they began is no more.
                self.base = None;
                self.restart(main);
            } else if !self.cut(now) {
                self.restart(main);
            }
        }
        // Before they began there is nothing to show: they wait where they began.
        let to = now.max(begins(self));
        if (self.at > to || self.apart.end() > to) && self.at != to && !self.seek(to) {
            self.restart(main);
        }
        if self.at + 1 == now && self.shadow.is_none() {
            self.step(run);
        }
        while self.at < now {
            let stretch = run.stretch();
            if self.shadow.is_none() {
                // However long that takes: time waits.
                let here = self.base.as_ref().map(|base| &*base.from);
                let at = stretch.at(self.at, here, 0.0);
                self.shadow = at.map(Box::new);
            }
            let Some(mut shadow) = self.shadow.take() else { return true };
            self.step_all(run);
            shadow.resident = true;
            shadow.step();
            if shadow.step_count != self.at {
                return true;
            }
            stretch.put_in(&mut shadow);
            self.measure(|id| shadow.state(id).0);
            if self.at < now {
                self.shadow = Some(shadow);
                if begin.elapsed() > budget {
                    return false;
                }
            }
        }
        true
    }

    /// All go to a step of what was; false if one cannot.
    fn seek(&mut self, step: u64) -> bool {
        self.shadow = None;
        let mut well = true;
        for rival in &mut self.rivals {
            let last = rival.session.timeline().map_or(step, |line| line.last);
            well &= rival.session.seek(step.min(last)).is_ok();
        }
        self.at = step;
        well
    }

    /// What came behind this step is no more.
    fn cut(&mut self, step: u64) -> bool {
        if self.at < step {
            return true;
        }
        let well = self.seek(step);
        for rival in &mut self.rivals {
            rival.session.diverge();
            rival.session.futures.clear();
            rival.stopped = rival.stopped.filter(|last| *last < step);
        }
        self.apart.cut(step);
        well
    }
}

impl Base {
    /// Whether the run at hand is still of the stretch in which this lies.
    fn is_of(&self, main: &Session, open: &Open) -> bool {
        self.generation == main.generation && Arc::ptr_eq(&self.first, open.run.stretch().first())
    }
}

fn base(main: &Session, open: &Open, from: Option<Arc<World>>) -> Base {
    let first = open.run.stretch().first().clone();
    Base { from: from.unwrap_or_else(|| first.clone()), first, generation: main.generation }
}

fn no_run(run: usize) -> SessionError {
    SessionError::Refused(format!("there is no other run number {run}"))
}

/// A session of the same document that stands at this state, with other settings.
fn standing(main: &Session, open: &Open, from: &Arc<World>, settings: Settings) -> Session {
    let mut world = World::clone(from);
    world.settings = settings;
    let beginning = open.run.beginning();
    let run = if world.step_count == 0 {
        Run::new(world)
    } else {
        let mut run = Run::new(World::clone(beginning));
        run.continue_with(beginning.clone(), world);
        run
    };
    let mut run = run;
    run.use_device(open.run.device().cloned());
    let mut document = open.document.clone();
    document.take(document.with_settings(&settings).into());
    let (names, made_from) = (open.names.clone(), open.made_from.clone());
    let mut session = Session {
        settings,
        file_settings: main.file_settings,
        looks: main.looks.clone(),
        watched: main.watched,
        ..Session::default()
    };
    session.open = Some(Open { document, run, names, made_from, line: Default::default() });
    session.write("", false);
    session.show_new_world();
    session
}

impl Session {
    /// Obeys what is asked of the comparison.
    pub(super) fn compare(&mut self, asked: Compare) -> Result<(), SessionError> {
        if let Compare::Take(run) = asked
            && let Some(rival) = run.checked_sub(1).and_then(|at| self.beside.rivals.get(at))
        {
            let (label, settings) = (format!("Settings of {}", rival.name), rival.session.settings);
            return self.follow(label, None, &settings);
        }
        let mut beside = std::mem::take(&mut self.beside);
        let done = beside.obey(asked, self);
        self.beside = beside;
        done
    }

    /// Has the other runs come to where this one stands, as far as `budget` reaches; false while they are behind.
    pub(super) fn follow_runs(&mut self, budget: Duration) -> bool {
        if self.beside.rivals.is_empty() {
            return true;
        }
        let mut beside = std::mem::take(&mut self.beside);
        let done = beside.follow(self, budget);
        self.beside = beside;
        done
    }

    /// The next step is made with these inputs.
    fn put_in(&mut self, pull: Option<MouseJoint>, rate: f32) {
        let Some(open) = &self.open else { return };
        let world = open.run.world();
        let mut settings = world.settings;
        settings.step.rate = rate;
        if world.mouse_joint == pull && world.settings == settings {
            return;
        }
        self.diverge();
        self.futures.clear();
        let Some(open) = &mut self.open else { return };
        if open.run.world().mouse_joint != pull {
            open.run.input(Input::MouseJoint(pull));
        }
        if open.run.world().settings != settings {
            open.run.input(Input::Settings(settings));
            self.settings = settings;
        }
    }

    /// What the other runs show of themselves while they play.
    pub(super) fn runs_look(&mut self, looks: &Looks) {
        // They are drawn by what is read of them.
        let looks = Looks { bodies: BodyLooks::Now, ..looks.clone() };
        self.beside.rivals.iter_mut().for_each(|rival| rival.session.look(looks.clone()));
    }

    /// The runs beside this one, in their order; this one has the number 0, the first of them 1.
    pub fn runs(&self) -> &[Rival] {
        &self.beside.rivals
    }

    /// How far runs are from each other.
    pub fn apart(&self) -> &Apart {
        &self.beside.apart
    }

    /// The run from which distances are measured.
    pub fn reference_run(&self) -> usize {
        self.beside.reference
    }

    /// The step from which all runs began, and whether that is a moment that was asked for.
    pub fn runs_from(&self) -> (u64, bool) {
        self.beside.base.as_ref().map_or((0, false), |b| (b.from.step_count, !Arc::ptr_eq(&b.from, &b.first)))
    }

    /// How many steps the other runs are behind.
    pub fn runs_behind(&self) -> u64 {
        let now = self.open.as_ref().map_or(0, |open| open.run.world().step_count);
        if self.beside.rivals.is_empty() { 0 } else { now.saturating_sub(self.beside.at) }
    }

    /// What a run has come to since all began, as far as its samples reach back.
    pub fn score(&self, run: usize) -> Score {
        let samples = match run.checked_sub(1) {
            None => &self.samples,
            Some(at) => match self.beside.rivals.get(at) {
                Some(rival) => &rival.session.samples,
                None => return Score::default(),
            },
        };
        let (from, _) = self.runs_from();
        Score::of(samples.samples.iter().filter(|sample| sample.step >= from))
    }

    /// The wall time of a step of all runs beside this one, s.
    pub(super) fn beside_seconds(beside: &Beside) -> f64 {
        let of = |rival: &Rival| rival.session.open.as_ref().map_or(0.0, |open| open.run.step_seconds);
        beside.rivals.iter().map(of).sum()
    }
}
