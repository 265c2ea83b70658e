//! Newton's method for limits, motors, soft rows, contacts and friction, as a convex problem in the bodies'
//! velocities.
//!
//! ```text
//! minimize    φ(y) = ½ ‖y‖² + Σ ψ(w),   w = J u + b,  −dψ/dw = λ(w) of `bounded.rs`,   u = u* + R y,  R Rᵀ = M⁻¹,
//!             over all y for which the equalities hold
//! gradient    g = P (y − (J R)ᵀ λ)          P: exact projection on the equalities
//! direction   −P H⁻¹ g,   H = 1 + (J R)ᵀ D (J R),   LDLᵀ over the graph of bodies
//! step        1 if the slope there is negative or a tenth of its start, else to the zero of the slope, which increases
//! ```
//! φ is strictly convex and piecewise quadratic: it has one minimum, and Newton's method finds it, mostly after a few
//! steps. Each row has the compliance ε/m (angular rows ε K): of all impulses that solve the rows, those with the
//! smallest Σ λ²/m are found, up to ε. The problem is then solved again until two more things are consistent, which
//! costs little if the same rows stay active:
//!
//! ```text
//! friction    the radii follow from the normal impulses that were found; initially with λ₀ = 0
//! ε           λ₀ ← λ, the proximal point method: w = ε (λ₀ − λ) → 0; λ does not change along redundant rows
//! ```
//! The rounds of the friction radii are combined by Anderson's acceleration. They need not converge: if they diverge, the
//! radii are changed by half of the wanted amount, a quarter and so on; what is left is the residual.
//! Sources: Todorov 2014 (the primal problem, its exact line search); Haslinger 1983 (friction by fixed bounds);
//! Rockafellar 1976 (the proximal point).

mod anderson;
mod direction;
mod radii;
mod search;

use super::body_matrix::BodyMatrix;
use super::bounded::{self, BoundRows, RowState};
use super::{EPSILON, Scratch};
use crate::body::Body;
use crate::solvers::scaled::Six;
use crate::system::System;
use crate::work::{ROW, Work};
use anderson::Anderson;

/// The most Newton steps.
const STEPS: u32 = 400;
/// Converged when no row is wrong by more than this, m/s or rad/s, for bodies up to 1 m/s; for faster ones in
/// proportion.
const SETTLED: f64 = 1e-9;
/// The tolerance while ε is raised, and when only rounding may be left.
const COARSE_TOLERANCE: f64 = 1e-4;
/// The raised ε, used at the start or when steps become short, and the factor by which it is lowered each time.
const SOFT: f64 = 0.1;
const LOWER: f64 = 30.0;
/// Stops after this many rounds without progress.
const MAX_ROUNDS_WITHOUT_PROGRESS: u32 = 12;
/// The same while ε is refined, once the best round is as good as this, m/s. Along rows that depend on each other up to
/// the rounding of 32 bits a round gains a few per cent, and what it would gain is below that rounding.
const MAX_REFINING_WITHOUT_PROGRESS: u32 = 4;
const FINE: f64 = 1e-7;
/// The radii move by less if their error falls by less than to this share.
const STALLED: f64 = 0.9;
/// The last rounds are forgotten if the error of the friction radii grows by this factor; while ε is refined, which
/// changes the iteration from round to round, already if it stalls.
const DIVERGING: f64 = 1.5;
/// The least fraction of the way to the wanted friction radii that is taken.
const MIN_RADIUS_STEP: f64 = 0.05;
/// How far the friction radii may be from the normal impulses before ε is refined, as a velocity, m/s.
const NEAR: f64 = 1e-6;
/// State and buffers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    bounds: Vec<BoundRows>,
    /// By row of the system, like the lists that follow.
    pub states: Vec<RowState>,
    speeds: Vec<f64>,
    changes: Vec<f64>,
    trial: Vec<f64>,
    /// D of the last factorization.
    factored: Vec<[f64; 3]>,
    chosen: Vec<u32>,
    /// H.
    matrix: BodyMatrix,
    direction: Vec<Six>,
    /// The rounds of the friction radii, and buffers: the radii and their errors as velocities, by bound.
    rounds: Anderson,
    radii: Vec<f64>,
    errors: Vec<f64>,
    epsilon: f64,
    /// How often ε has been raised in this solve.
    raised: u32,
    /// Whether it has been raised for the present friction radii and λ₀.
    was_raised: bool,
    /// The largest error of a row at the end, m/s or rad/s.
    pub left: f64,
    /// The part of it that is due to the friction radii; infinite if no round was finished.
    pub radii_left: f64,
    /// Whether the initial friction radii come from the old normal impulses. Otherwise they are infinite: all
    /// contacts stick.
    pub resumes: bool,
}

/// Finds the impulses of all rows that are not equalities, in `newton.states`. Returns the number of Newton steps.
pub(super) fn solve<const PSEUDO: bool>(
    system: &mut System,
    scratch: &mut Scratch,
    bodies: &[Box<Body>],
    work: &mut Work,
) -> u32 {
    let mut newton = std::mem::take(&mut scratch.newton);
    let begun = newton.start_active_set::<PSEUDO>(system, scratch, bodies, work);
    let steps = if begun && !newton.bounds.is_empty() { newton.descend(scratch, work) } else { 0 };
    // For display only: friction rows get the interval that contains their bound.
    for bound in newton.bounds.iter().filter(|bound| !bound.normals.is_empty()) {
        for (k, row) in system.rows[bound.rows()].iter_mut().enumerate() {
            let limit = bound.radius * bound.lever(k);
            (row.lo, row.hi) = (-limit as f32, limit as f32);
        }
    }
    scratch.newton = newton;
    steps
}

impl Newton {
    /// Lists the bounded rows and initializes their states from the old impulses. False if the limit of work does not
    /// allow to go on.
    fn start_active_set<const PSEUDO: bool>(
        &mut self,
        system: &System,
        scratch: &Scratch,
        bodies: &[Box<Body>],
        work: &mut Work,
    ) -> bool {
        self.left = 0.0;
        self.radii_left = 0.0;
        (self.raised, self.was_raised) = (0, false);
        self.bounds.clear();
        self.chosen.clear();
        let mut listed = 0;
        for (index, block) in system.blocks.iter().enumerate() {
            bounded::of_block::<PSEUDO>(block, &system.rows, &system.couplings, &mut self.bounds);
            if self.bounds.len() > listed || system.rows[block.range()].iter().any(bounded::is_equality) {
                self.chosen.push(index as u32);
            }
            listed = self.bounds.len();
        }
        self.states.clear();
        self.states.resize(system.rows.len(), RowState::default());
        if self.bounds.is_empty() {
            return true;
        }
        for bound in &self.bounds {
            // Rows bounded together share one weight, so that the projection finds the nearest point.
            let alike = scratch.lines[bound.rows()].iter().take(2).map(|line| line.weight).fold(0.0, f64::max);
            for (k, index) in bound.rows().enumerate() {
                let (row, line) = (&system.rows[index], &scratch.lines[index]);
                let weight = alike / (bound.lever(k) * bound.lever(k));
                let state = &mut self.states[index];
                state.weight = if line.k > 1e-12 { weight } else { 0.0 };
                state.gamma = f64::from(row.gamma);
                state.impulse = if PSEUDO { 0.0 } else { f64::from(row.impulse) };
            }
        }
        self.soften(EPSILON);
        if !self.matrix.shape(&system.blocks, &self.chosen, bodies, work) {
            return false;
        }
        for list in [&mut self.speeds, &mut self.changes, &mut self.trial] {
            list.clear();
            list.resize(system.rows.len(), 0.0);
        }
        self.factored.clear();
        self.factored.resize(system.rows.len(), [-1.0; 3]);
        self.direction.clear();
        self.direction.resize(bodies.len(), [0.0; 6]);
        for list in [&mut self.radii, &mut self.errors] {
            list.clear();
            list.resize(self.bounds.len(), 0.0);
        }
        self.rounds.start(self.bounds.len());
        true
    }

    /// Sets the compliance ε.
    fn soften(&mut self, epsilon: f64) {
        self.epsilon = epsilon;
        for state in self.states.iter_mut().filter(|state| state.weight > 0.0) {
            state.stiff = 1.0 / (epsilon * state.weight);
        }
    }

    /// Minimizes φ, repeatedly, until friction radii and ε are consistent. Returns the number of steps.
    fn descend(&mut self, scratch: &mut Scratch, work: &mut Work) -> u32 {
        let (mut refine, mut share, mut before) = (false, 1.0, f64::INFINITY);
        let (mut best, mut stale) = (f64::INFINITY, 0);
        let (mut last, mut nearest, mut steps) = (f64::INFINITY, f64::INFINITY, STEPS);
        self.radii_left = f64::INFINITY;
        // The passes over rows and bodies, and the projections, of one step.
        let round = 3 * ROW * (scratch.lines.len() + scratch.y.len()) as u64 + 2 * scratch.matrix.solving();
        self.start(scratch, work);
        for step in 1..=STEPS {
            if !work.charge(round) {
                steps = step;
                break;
            }
            self.respond(scratch);
            let scale = self.gradient(scratch).max(1.0);
            let size = scratch.largest(&self.direction) / scale;
            let soft = self.epsilon > EPSILON;
            // Near the end only rounding, amplified by 1/ε, is left.
            let is_settled =
                size <= if soft { COARSE_TOLERANCE } else { SETTLED } || size < COARSE_TOLERANCE && size > 0.5 * last;
            last = size;
            if !is_settled && self.go(scratch, work) {
                continue;
            }
            last = f64::INFINITY;
            let (friction, compliance) = self.errors();
            self.left = friction.max(compliance);
            // Diverging friction radii are not followed: the best round is kept.
            if nearest.is_infinite() || !soft && self.left < nearest {
                nearest = if soft { nearest } else { self.left };
                self.radii_left = if soft { self.radii_left } else { friction };
                self.states.iter_mut().for_each(|state| state.kept = state.impulse);
            }
            if soft {
                self.harden((self.epsilon / LOWER).max(EPSILON), scratch, work);
                continue;
            }
            let patience = if refine && nearest <= FINE * scale {
                MAX_REFINING_WITHOUT_PROGRESS
            } else {
                MAX_ROUNDS_WITHOUT_PROGRESS
            };
            if self.left <= SETTLED * scale {
                return step;
            }
            if stale >= patience {
                steps = step;
                break;
            }
            (best, stale) = if self.left < 0.7 * best { (self.left, 0) } else { (best, stale + 1) };
            if friction > 0.1 * NEAR * scale {
                if friction > if refine { STALLED } else { DIVERGING } * before {
                    self.rounds.forget();
                }
                share = if friction > STALLED * before {
                    f64::max(0.5 * share, MIN_RADIUS_STEP)
                } else {
                    f64::min(1.2 * share, 1.0)
                };
                before = friction;
            }
            self.update_radii(share);
            self.was_raised = false;
            if !refine && friction <= NEAR * scale {
                (refine, best, stale) = (true, f64::INFINITY, 0);
                self.rounds.forget();
            }
            if refine {
                self.states.iter_mut().for_each(|state| state.centre = state.impulse);
            }
        }
        self.left = nearest;
        self.states.iter_mut().for_each(|state| state.impulse = state.kept);
        steps
    }

    /// Makes a first step in which the rows that the old impulses leave inside their bounds are free; the others keep
    /// their old impulses.
    fn start(&mut self, scratch: &mut Scratch, work: &mut Work) {
        scratch.solve_equalities();
        // If Coulomb's law has several solutions, one that sticks is found.
        let Self { bounds, states, resumes, .. } = self;
        for bound in bounds.iter_mut().filter(|bound| !bound.normals.is_empty()) {
            bound.radius = if *resumes { bound.wanted_radius(states) } else { f64::INFINITY };
        }
        scratch.speeds(&mut self.speeds);
        if self.states.iter().all(|state| state.impulse == 0.0) {
            (self.raised, self.was_raised) = (1, true);
            self.soften(SOFT);
            return;
        }
        for bound in &self.bounds {
            // If the old impulses lie within the bounds, D is that of free rows, and so is the response to w.
            let rows = bound.rows();
            let states = &mut self.states[rows.clone()];
            let mut old = [0.0; 3];
            for (old, state) in old.iter_mut().zip(states.iter_mut()) {
                *old = state.impulse;
                state.centre = state.impulse;
            }
            bound.respond::<true>(&[0.0; 3][..rows.len()], states);
            for (k, state) in states.iter_mut().enumerate() {
                state.centre = 0.0;
                let free = state.slope[k] > 0.99 * state.stiff / (1.0 + state.gamma * state.stiff) && old[k] != 0.0;
                state.impulse = if free { -self.speeds[rows.start + k] * state.slope[k] } else { old[k] };
                if !free {
                    state.slope = [0.0; 3];
                }
            }
        }
        self.gradient(scratch);
        self.direct(scratch, work);
        for (y, d) in scratch.y.iter_mut().zip(&self.direction) {
            (0..6).for_each(|k| y[k] += d[k]);
        }
    }

    /// Lowers ε and makes the step that is exact if the same rows stay free.
    fn harden(&mut self, epsilon: f64, scratch: &mut Scratch, work: &mut Work) {
        let Self { bounds, states, speeds, .. } = self;
        let free = |state: &RowState| state.slope[0] > 0.99 * state.stiff / (1.0 + state.gamma * state.stiff);
        for bound in bounds.iter() {
            let rows = bound.rows();
            if free(&states[rows.start]) {
                for (k, state) in states[rows.clone()].iter_mut().enumerate().filter(|(_, state)| state.weight > 0.0) {
                    let stiff = 1.0 / (epsilon * state.weight);
                    let divisor = 1.0 + state.gamma * stiff;
                    state.impulse = (state.centre - speeds[rows.start + k] * stiff) / divisor;
                    state.slope = [0.0; 3];
                    state.slope[k] = stiff / divisor;
                }
            }
        }
        self.soften(epsilon);
        self.gradient(scratch);
        self.direct(scratch, work);
        for (y, d) in scratch.y.iter_mut().zip(&self.direction) {
            (0..6).for_each(|k| y[k] += d[k]);
        }
    }

    /// Computes λ and D at y.
    fn respond(&mut self, scratch: &Scratch) {
        scratch.speeds(&mut self.speeds);
        for bound in &self.bounds {
            bound.respond::<true>(&self.speeds[bound.rows()], &mut self.states[bound.rows()]);
        }
    }

    /// Puts −g into `direction`. Returns the largest change of velocity so far, m/s or rad/s.
    fn gradient(&mut self, scratch: &mut Scratch) -> f64 {
        let Self { bounds, states, direction, .. } = self;
        direction.iter_mut().zip(&scratch.y).for_each(|(d, y)| *d = y.map(|y| -y));
        for index in bounds.iter().flat_map(BoundRows::rows) {
            scratch.lines[index].apply(states[index].impulse, direction);
        }
        scratch.project(direction);
        scratch.largest(&scratch.y)
    }
}
