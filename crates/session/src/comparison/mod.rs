//! Comparison runs beside the main run: the same bodies from the same state, stepped in lockstep with the same
//! inputs, but with other settings.
//!
//! ```text
//! main run         ●───●───●───●───●   its settings may change while it runs
//! comparison run   ●───●───●───●───●   a separate session with its own constant settings
//!                  └ the last edit of bodies, or a chosen moment
//! ```
//! The mouse pull and the step rate are inputs of the main run and common to all. Going back, following the past and
//! switching branches apply to all runs. If the main run has steps that the others lack, they catch up beside a
//! repeated copy of it, and the main run waits for them.

mod base;
mod command;
mod divergence;
mod in_session;
mod lockstep;
mod score;

use std::sync::Arc;

use super::run::repeat::Repeat;
use super::{Session, SessionError};
use base::{Base, base, session_at};
pub use command::CompareCommand;
use delassus_physics::settings::{JacobiStep, Method, RowSolve, Settings};
pub use divergence::{Divergence, MOST_RUNS, distance};
pub use score::{FIGURES, Score, ScoreFigure};

/// A comparison run.
pub struct ComparedRun {
    pub name: String,
    session: Session,
    /// The last step, if it cannot be stepped further.
    pub stopped: Option<u64>,
}

impl ComparedRun {
    /// Its session, for reading bodies, samples and settings.
    pub fn session(&self) -> &Session {
        &self.session
    }
}

/// The comparison runs, and their distances from each other.
#[derive(Default)]
pub struct Comparison {
    runs: Vec<ComparedRun>,
    base: Option<Base>,
    /// The step that all runs have reached.
    at: u64,
    /// A copy of the main run, repeated while the others catch up.
    shadow: Option<Box<Repeat>>,
    /// Whether threads make the steps.
    elsewhere: bool,
    /// Whether a pause ended the catching up, until the next command.
    pub(crate) rests: bool,
    /// The earlier step that the runs go to, and the step after which their states are then discarded.
    going: Option<u64>,
    cut: Option<u64>,
    apart: Divergence,
    reference: usize,
    /// The main session's number of cuts when the runs last followed it.
    cuts: u64,
}

/// Settings for a reference run close to the exact solution, whatever is compared: sixteen times as many sub-steps
/// (at most 64), whole mechanisms, and at least fifty Gauss–Seidel sweeps.
pub fn fine(settings: &Settings) -> Settings {
    let mut fine = *settings;
    fine.step.substeps = (settings.step.substeps * 16).min(64);
    fine.solver.method = Method::GaussSeidel;
    fine.solver.jacobi = JacobiStep::Stable;
    fine.solver.rows = RowSolve::Mechanism;
    fine.solver.iterations = settings.solver.iterations.max(50);
    fine.solver.tolerance = 0.0;
    fine.warm_start.enabled = true;
    fine
}

impl Comparison {
    /// Executes a command, or returns why not.
    pub(super) fn execute(&mut self, asked: CompareCommand, main: &Session) -> Result<(), SessionError> {
        let refused = |what: &str| Err(SessionError::Refused(what.to_owned()));
        let main_settings = main.settings;
        match asked {
            CompareCommand::Add { name, settings } => {
                if self.runs.len() + 1 >= MOST_RUNS {
                    return refused(&format!("{MOST_RUNS} runs are compared at most: remove one first"));
                }
                if settings.step.rate != main_settings.step.rate {
                    return refused("runs in lockstep share one step rate: vary the sub-steps instead");
                }
                self.add(name, *settings, main)?;
            }
            CompareCommand::AddFine => {
                self.execute(
                    CompareCommand::Add { name: "fine reference".into(), settings: Box::new(fine(&main_settings)) },
                    main,
                )?;
                self.reference = self.runs.len();
            }
            CompareCommand::Name(run, name) => self.run(run)?.name = name,
            CompareCommand::Settings(run, settings) => {
                if settings.step.rate != main_settings.step.rate {
                    return refused("runs in lockstep share one step rate: vary the sub-steps instead");
                }
                self.run(run)?.session.settings = *settings;
                self.restart(main);
            }
            CompareCommand::Take(run) => return Err(no_run(run)),
            CompareCommand::Remove(run) => {
                self.run(run)?;
                self.runs.remove(run - 1);
                self.reference = match self.reference {
                    old if old == run => 0,
                    old => old - usize::from(old > run),
                };
                self.restart(main);
            }
            CompareCommand::End => *self = Self::default(),
            CompareCommand::Reference(run) if run <= self.runs.len() => self.reference = run,
            CompareCommand::Reference(run) => return Err(no_run(run)),
            CompareCommand::Epsilon(epsilon) if epsilon >= 0.0 && epsilon.is_finite() => {
                self.apart.set_epsilon(epsilon)
            }
            CompareCommand::Epsilon(_) => return refused("expected a distance of 0 m or more"),
            CompareCommand::FromHere(here) => {
                let Some(open) = &main.open else { return Err(SessionError::NoScene) };
                self.base = here.then(|| base(main, open, Some(Arc::new(open.run.world().clone()))));
                self.restart(main);
            }
        }
        Ok(())
    }

    /// The sessions of the comparison runs.
    pub(super) fn sessions(&mut self) -> impl Iterator<Item = &mut Session> {
        self.runs.iter_mut().map(|run| &mut run.session)
    }

    fn run(&mut self, run: usize) -> Result<&mut ComparedRun, SessionError> {
        run.checked_sub(1).and_then(|at| self.runs.get_mut(at)).ok_or(no_run(run))
    }

    fn add(&mut self, name: String, settings: Settings, main: &Session) -> Result<(), SessionError> {
        let open = main.open.as_ref().ok_or(SessionError::NoScene)?;
        if self.runs.is_empty() {
            self.cuts = main.cuts;
        }
        let session = session_at(main, open, open.run.stretch().first(), settings);
        self.runs.push(ComparedRun { name, session, stopped: None });
        self.restart(main);
        Ok(())
    }

    /// Restarts all comparison runs at their common beginning.
    fn restart(&mut self, main: &Session) {
        let Some(open) = &main.open else { return };
        if !self.base.as_ref().is_some_and(|old| old.is_of(main, open)) {
            self.base = Some(base(main, open, None));
        }
        let Some(from) = self.base.as_ref().map(|base| base.from.clone()) else { return };
        for run in &mut self.runs {
            let mut settings = run.session.settings;
            settings.step.rate = from.settings.step.rate;
            run.session = session_at(main, open, &from, settings);
            run.stopped = None;
        }
        (self.at, self.shadow, self.going, self.cut) = (from.state.step_count, None, None, None);
        self.apart.restart(self.at);
        self.measure(|id| from.state(id).0);
        self.cuts = main.cuts;
    }
}

fn no_run(run: usize) -> SessionError {
    SessionError::Refused(format!("there is no other run number {run}"))
}
