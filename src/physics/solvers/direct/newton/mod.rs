//! Limits, motors, soft rows, contacts and friction: Newton's method on the convex problem in the bodies' velocities.
//!
//! ```text
//! least  φ(y) = ½ ‖y‖² + Σ ψ(w),   w = J u + b,  −dψ/dw = λ(w) of `bounded.rs`,   u = u* + R y,  R Rᵀ = M⁻¹
//! over all y for which the equalities hold
//! gradient    g = P (y − (J R)ᵀ λ)          P: takes out what breaks the equalities, exactly
//! direction   −P H⁻¹ g,   H = 1 + (J R)ᵀ D (J R),   LDLᵀ over the graph of bodies
//! step        1 if the slope along it is a tenth there, else to the zero of the slope, which only grows
//! ```
//! φ is strictly convex and piecewise quadratic: it has one minimum, and Newton's method ends there, mostly after a few
//! steps. Each row has the compliance ε/m (angular ones ε K): of many right impulses these are the least, Σ λ²/m, up to
//! ε. The problem is then solved again until two more things agree, which costs little where the active rows stay the
//! same:
//!
//! ```text
//! friction    the radii follow from the normal impulses that were found; first with λ₀ = 0
//! ε           λ₀ ← λ, the proximal point method: w = ε (λ₀ − λ) → 0, which moves nothing along what is redundant
//! ```
//! The iteration over friction's bounds need not converge. Where they move apart they are changed by half of the wanted
//! amount, a quarter and so on; what is left is the residual. Sources: Todorov 2014 (the primal problem, its exact line
//! search); Haslinger 1983 (friction by fixed bounds); Rockafellar 1976 (the proximal point).

mod direction;
mod search;

use super::bounded::{self, BoundRows, RowState};
use super::cuthill_mckee::CuthillMcKee;
use super::envelope::Envelope;
use super::scaled::Six;
use super::{EPSILON, Scratch};
use crate::physics::body::Body;
use crate::physics::system::System;

/// The most steps.
const STEPS: u32 = 400;
/// Settled when no row is wrong by more than this, m/s or rad/s, for bodies up to 1 m/s; faster ones in proportion.
const SETTLED: f64 = 1e-9;
/// The same while ε is raised, and where rounding may be all that is left.
const COARSE: f64 = 1e-4;
/// To what ε is raised to begin with, or where the steps get short, and by what it is lowered each time.
const SOFT: f64 = 0.1;
const LOWER: f64 = 30.0;
/// After so many rounds without progress it is as good as it gets.
const STALE: u32 = 12;
/// The least share of the way to the radii that are wanted.
const LEAST: f64 = 0.05;
/// How far the radii of friction may be from the normal impulses before ε is refined, as a speed.
const NEAR: f64 = 1e-6;
/// What is kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    bounds: Vec<BoundRows>,
    /// By row of the system, as all that follows.
    pub states: Vec<RowState>,
    speeds: Vec<f64>,
    changes: Vec<f64>,
    trial: Vec<f64>,
    /// D as it was last factored.
    factored: Vec<[f64; 3]>,
    order: CuthillMcKee,
    chosen: Vec<u32>,
    /// The place of each body in H.
    place: Vec<u32>,
    first: Vec<usize>,
    matrix: Envelope,
    step: Vec<f64>,
    direction: Vec<Six>,
    epsilon: f64,
    /// How often ε has been raised.
    raised: u32,
    /// By how much rows were wrong at the end, m/s or rad/s.
    pub left: f64,
    /// Whether friction's bounds follow from the old impulses of the normals to begin with. Else all sticks.
    pub resumes: bool,
}

/// Finds the impulses of all rows that are no equalities, in `newton.states`. Returns the number of steps.
pub(super) fn solve<const PSEUDO: bool>(system: &mut System, scratch: &mut Scratch, bodies: &[Box<Body>]) -> u32 {
    let mut newton = std::mem::take(&mut scratch.newton);
    newton.begin::<PSEUDO>(system, scratch, bodies);
    let steps = if newton.bounds.is_empty() { 0 } else { newton.descend(scratch) };
    // For readers only: the box around what bounds friction.
    for bound in newton.bounds.iter().filter(|bound| !bound.normals.is_empty()) {
        for (k, row) in system.rows[bound.rows()].iter_mut().enumerate() {
            let most = bound.radius * bound.lever(k);
            (row.lo, row.hi) = (-most as f32, most as f32);
        }
    }
    scratch.newton = newton;
    steps
}

impl Newton {
    /// Lists the bounds, and begins where the old impulses say which rows are free.
    fn begin<const PSEUDO: bool>(&mut self, system: &System, scratch: &mut Scratch, bodies: &[Box<Body>]) {
        self.left = 0.0;
        self.raised = 0;
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
            return;
        }
        for bound in &self.bounds {
            // One for all that is bound together: what the bounds give way to is then the nearest point.
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
        self.shape(system, bodies);
        for list in [&mut self.speeds, &mut self.changes, &mut self.trial] {
            list.clear();
            list.resize(system.rows.len(), 0.0);
        }
        self.factored.clear();
        self.factored.resize(system.rows.len(), [-1.0; 3]);
        self.direction.clear();
        self.direction.resize(bodies.len(), [0.0; 6]);
    }

    /// Sets ε.
    fn soften(&mut self, epsilon: f64) {
        self.epsilon = epsilon;
        for state in self.states.iter_mut().filter(|state| state.weight > 0.0) {
            state.stiff = 1.0 / (epsilon * state.weight);
        }
    }

    /// Goes down to the least φ, and again with the bounds of friction and ε brought to agree. Returns the steps taken.
    fn descend(&mut self, scratch: &mut Scratch) -> u32 {
        let (mut refine, mut share, mut before) = (false, 1.0, f64::INFINITY);
        let (mut best, mut stale) = (f64::INFINITY, 0);
        let (mut last, mut nearest, mut steps) = (f64::INFINITY, f64::INFINITY, STEPS);
        self.start(scratch);
        for step in 1..=STEPS {
            self.respond(scratch);
            let scale = self.gradient(scratch).max(1.0);
            let size = scratch.largest(&self.direction) / scale;
            let soft = self.epsilon > EPSILON;
            // Near the end rounding, times 1/ε, is what is left.
            let enough = size <= if soft { COARSE } else { SETTLED } || size < COARSE && size > 0.5 * last;
            last = size;
            if !enough && self.go(scratch) {
                continue;
            }
            last = f64::INFINITY;
            let (friction, give) = self.wrong();
            self.left = friction.max(give);
            // Bounds that grow apart are not followed: the best round is kept.
            if nearest.is_infinite() || !soft && self.left < nearest {
                nearest = if soft { nearest } else { self.left };
                self.states.iter_mut().for_each(|state| state.kept = state.impulse);
            }
            if soft {
                self.harden((self.epsilon / LOWER).max(EPSILON), scratch);
                continue;
            }
            let patience = if self.left < COARSE * NEAR.sqrt() * scale { STALE / 4 } else { STALE };
            if self.left <= SETTLED * scale {
                return step;
            }
            if stale >= patience {
                steps = step;
                break;
            }
            (best, stale) = if self.left < 0.7 * best { (self.left, 0) } else { (best, stale + 1) };
            if friction > 0.1 * NEAR * scale {
                share = if friction > 0.9 * before { f64::max(0.5 * share, LEAST) } else { f64::min(1.2 * share, 1.0) };
                before = friction;
            }
            self.agree(share);
            if !refine && friction <= NEAR * scale {
                (refine, best, stale) = (true, f64::INFINITY, 0);
            }
            if refine {
                self.states.iter_mut().for_each(|state| state.centre = state.impulse);
            }
        }
        self.left = nearest;
        self.states.iter_mut().for_each(|state| state.impulse = state.kept);
        steps
    }

    /// A first step, with the rows free that were so by the old impulses, and the others at theirs.
    fn start(&mut self, scratch: &mut Scratch) {
        scratch.hold();
        // Where Coulomb's law has several answers, one that sticks is found.
        let Self { bounds, states, resumes, .. } = self;
        for bound in bounds.iter_mut().filter(|bound| !bound.normals.is_empty()) {
            bound.radius = if *resumes { bound.wanted_radius(states) } else { f64::INFINITY };
        }
        scratch.speeds(&mut self.speeds);
        if self.states.iter().all(|state| state.impulse == 0.0) {
            self.raised = 1;
            self.soften(SOFT);
            return;
        }
        for bound in &self.bounds {
            // Where the old impulses stand within the bounds D is that of free rows, and so is the answer to w.
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
        self.direct(scratch);
        for (y, d) in scratch.y.iter_mut().zip(&self.direction) {
            (0..6).for_each(|k| y[k] += d[k]);
        }
    }

    /// Lowers ε and takes the step to where the same rows are free as before.
    fn harden(&mut self, epsilon: f64, scratch: &mut Scratch) {
        let Self { bounds, states, speeds, .. } = self;
        let free = |state: &RowState| state.slope[0] > 0.99 * state.stiff / (1.0 + state.gamma * state.stiff);
        for bound in bounds.iter() {
            let rows = bound.rows();
            if free(&states[rows.start]) {
                for (k, state) in states[rows.clone()].iter_mut().enumerate().filter(|(_, state)| state.weight > 0.0) {
                    let stiff = 1.0 / (epsilon * state.weight);
                    let give = 1.0 + state.gamma * stiff;
                    state.impulse = (state.centre - speeds[rows.start + k] * stiff) / give;
                    state.slope = [0.0; 3];
                    state.slope[k] = stiff / give;
                }
            }
        }
        self.soften(epsilon);
        self.gradient(scratch);
        self.direct(scratch);
        for (y, d) in scratch.y.iter_mut().zip(&self.direction) {
            (0..6).for_each(|k| y[k] += d[k]);
        }
    }

    /// λ and D at y.
    fn respond(&mut self, scratch: &Scratch) {
        scratch.speeds(&mut self.speeds);
        for bound in &self.bounds {
            bound.respond::<true>(&self.speeds[bound.rows()], &mut self.states[bound.rows()]);
        }
    }

    /// −g, in `direction`. Returns the largest change of velocity so far.
    fn gradient(&mut self, scratch: &mut Scratch) -> f64 {
        let Self { bounds, states, direction, .. } = self;
        direction.iter_mut().zip(&scratch.y).for_each(|(d, y)| *d = y.map(|y| -y));
        for index in bounds.iter().flat_map(BoundRows::rows) {
            scratch.lines[index].apply(states[index].impulse, direction);
        }
        scratch.project(direction);
        scratch.largest(&scratch.y)
    }

    /// By how much friction's bounds and rows' compliance are wrong, as speeds.
    fn wrong(&self) -> (f64, f64) {
        let (mut friction, mut give) = (0.0f64, 0.0f64);
        for bound in &self.bounds {
            for state in self.states[bound.rows()].iter().filter(|state| state.stiff > 0.0) {
                give = give.max((state.impulse - state.centre).abs() / state.stiff);
            }
            if !bound.normals.is_empty() {
                let off = bound.wanted_radius(&self.states) - bound.radius;
                friction = friction.max(off.abs() * self.states[bound.first].weight);
            }
        }
        (friction, give)
    }

    /// Sets the radii of friction by the normal impulses, or a share of the way there.
    fn agree(&mut self, share: f64) {
        let Self { bounds, states, .. } = self;
        for bound in bounds.iter_mut().filter(|bound| !bound.normals.is_empty()) {
            let wanted = bound.wanted_radius(states);
            bound.radius =
                if bound.radius.is_finite() { bound.radius + share * (wanted - bound.radius) } else { wanted };
        }
    }
}
