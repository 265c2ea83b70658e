//! The iteration: impulses that solve the equations, impulses within their bounds, and the multiplier that makes both
//! agree.
//!
//! ```text
//! λ ← −(A + γ + ρ W + η W)⁻¹ (c + s + ν − ρ W z − η W λ₀)    A = J M⁻¹ Jᵀ, c = J u* + b
//! z ← the point of the sets that is nearest to λ + ν/(ρ W)
//! ν ← ν + ρ W (λ − z)                                         at the end −ν is the velocity of the row
//! s ← µ ‖ν_t‖ on the normal row of an exact cone, 0 elsewhere  De Saxcé's correction
//! ```
//! W is the row's K, so ρ and η have no unit. The first line is solved over the bodies, whose matrix has no part for
//! redundant rows: (A + D)⁻¹ r = D⁻¹ (r − J y) with (M + Jᵀ D⁻¹ J) y = Jᵀ D⁻¹ r. It is factored again only if ρ changes.
//! λ₀ is the last λ; of rows without bounds, which need no z, it is that of the last round: see `ROUNDS`. ρ balances what
//! the bounds and what the equations leave. Each λ is taken α times as far from z as the first line says.

mod start;

use super::sets::{Set, Shape};
use crate::body::{Body, Velocity};
use crate::solvers::direct::body_matrix::BodyMatrix;
use crate::solvers::scaled::{Root, ScaledRow, Six};
use crate::system::System;
use crate::work::{ROW, Work};

/// The most iterations.
const MAX_ITERATIONS: u32 = 2000;
/// It has converged if no row is wrong by more than this, m/s or rad/s, for bodies up to 1 m/s; for faster ones in
/// proportion.
const SETTLED: f64 = 1e-9;
/// It ends, too, if so many iterations have not lowered what is left to this share, once that is within this many times the
/// tolerance: redundant rows contradict each other by the rounding of 32 bits, and no impulses solve them.
const MAX_STALE: u32 = 20;
const PROGRESS: f64 = 0.8;
const FINE: f64 = 300.0;
/// ρ at the start, and its limits.
const RHO: f64 = 0.1;
const MIN_RHO: f64 = 1e-5;
const MAX_RHO: f64 = 1e4;
/// η, which makes redundant rows solvable, and the number of rounds in which λ₀ moves to λ. More would enforce the difference
/// of rows that are the same up to the rounding of 32 bits, and so lock a mechanism.
const ETA: f64 = 3e-7;
const ROUNDS: u32 = 12;
/// α.
const RELAXATION: f64 = 1.6;
/// ρ may change after so many iterations, by at least and by at most this factor.
const PERIOD: u32 = 15;
const MIN_CHANGE: f64 = 2.0;
const MAX_CHANGE: f64 = 10.0;

/// How a row takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Off,
    /// It has no bounds: z is λ.
    Unbounded,
    Bounded,
}

/// A row while it is solved.
#[derive(Debug, Clone, Copy, Default)]
struct Unknowns {
    part: Part,
    /// W, 1/kg, and γ.
    weight: f64,
    gamma: f64,
    /// 1/D, D = γ + ρ W + η W.
    step: f64,
    /// c, and s.
    offset: f64,
    correction: f64,
    /// λ and ν.
    impulse: f64,
    multiplier: f64,
    /// λ₀.
    centre: f64,
}

/// The unknowns and buffers, kept from step to step for their memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Splitting {
    sets: Vec<Set>,
    rows: Vec<Unknowns>,
    /// z by row, before and after a projection.
    inside: Vec<f64>,
    old: Vec<f64>,
    chosen: Vec<u32>,
    matrix: BodyMatrix,
    y: Vec<Six>,
    rho: f64,
    tolerance: f64,
    /// The least that an iteration has left, m/s, and the number of iterations since then.
    best: f64,
    stale: u32,
    /// How often λ₀ has been moved.
    rounds: u32,
    /// The number of iterations.
    pub iterations: u32,
    /// The largest error of a row at the end, m/s or rad/s.
    pub left: f64,
}

/// What the solver reads of the world: the bodies, R of each, and the rows in scaled velocities.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub bodies: &'a [Box<Body>],
    pub roots: &'a [Root],
    pub lines: &'a [ScaledRow],
}

impl Splitting {
    /// Begins with the rows' impulses, for bodies that move at `free` without them. False if nothing is to be solved, or
    /// if it exceeds the limit of work.
    pub fn begin<const PSEUDO: bool>(
        &mut self,
        system: &System,
        scene: Scene<'_>,
        free: &[Velocity],
        work: &mut Work,
    ) -> bool {
        (self.left, self.iterations) = (0.0, 0);
        (self.best, self.stale, self.rounds) = (f64::INFINITY, 0, 0);
        self.start::<PSEUDO>(system, scene, free);
        let affords = self.matrix.shape(&system.blocks, &self.chosen, scene.bodies, work);
        if self.chosen.is_empty() || !affords || !work.charge(self.matrix.factoring()) {
            return false;
        }
        self.rho = RHO;
        self.tolerance = SETTLED * speed(scene.roots, free).max(1.0);
        self.factor(scene.lines);
        self.find_multipliers(scene.lines);
        true
    }

    /// Makes an iteration. False if it was the last one.
    pub fn advance(&mut self, lines: &[ScaledRow], work: &mut Work) -> bool {
        self.iterations += 1;
        let (of_bounds, of_equations) = self.iterate(lines);
        let cost = self.matrix.solving() + ROW * self.rows.len() as u64;
        let left = of_bounds.max(of_equations);
        let progress = left < PROGRESS * self.best;
        (self.best, self.stale) = if progress { (left, 0) } else { (self.best, self.stale + 1) };
        let stalls = self.stale >= MAX_STALE && self.best <= FINE * self.tolerance;
        let is_last = left <= self.tolerance || stalls || self.iterations >= MAX_ITERATIONS;
        if is_last && self.iterations < MAX_ITERATIONS && self.recentre() {
            return work.charge(cost);
        }
        if is_last || !work.charge(cost) {
            self.left = self.residual(lines);
            return false;
        }
        let change = (of_bounds / of_equations).sqrt().clamp(1.0 / MAX_CHANGE, MAX_CHANGE);
        let rho = (self.rho * change).clamp(MIN_RHO, MAX_RHO);
        let factor = (rho / self.rho).max(self.rho / rho);
        if self.iterations.is_multiple_of(PERIOD) && factor >= MIN_CHANGE && work.charge(self.matrix.factoring()) {
            self.rho = rho;
            self.factor(lines);
        }
        true
    }

    /// Moves λ₀ of the unbounded rows to λ. False if they agree already, or if that was done often enough.
    fn recentre(&mut self) -> bool {
        let Self { rows, rounds, .. } = self;
        let mut compliance = 0.0f64;
        for row in rows.iter_mut().filter(|row| row.part == Part::Unbounded) {
            compliance = compliance.max(ETA * row.weight * (row.impulse - row.centre).abs());
            row.centre = row.impulse;
        }
        *rounds += 1;
        (self.best, self.stale) = (f64::INFINITY, 0);
        compliance > self.tolerance && *rounds < ROUNDS
    }

    /// y ← Rᵀ Jᵀ z.
    fn move_by_inside(&mut self, lines: &[ScaledRow]) {
        let Self { y, inside, rows, .. } = self;
        y.fill([0.0; 6]);
        for ((line, z), row) in lines.iter().zip(inside).zip(rows) {
            if row.part != Part::Off && *z != 0.0 {
                line.apply(*z, y);
            }
        }
    }

    /// Assembles and factors the matrix for the present ρ.
    fn factor(&mut self, lines: &[ScaledRow]) {
        let Self { matrix, rows, rho, .. } = self;
        matrix.start();
        for (row, line) in rows.iter_mut().zip(lines) {
            row.step = match row.part {
                Part::Off => continue,
                Part::Unbounded => 1.0 / (row.gamma + ETA * row.weight),
                Part::Bounded => 1.0 / (row.gamma + (*rho + ETA) * row.weight),
            };
            matrix.add(line, &line.on_a.map(|x| row.step * x), &line.on_b.map(|x| row.step * x));
        }
        matrix.factor();
    }

    /// One iteration. Returns by how much the impulses that solve the equations are beyond their bounds, and by how much those
    /// within their bounds still change, both as velocities, m/s or rad/s.
    fn iterate(&mut self, lines: &[ScaledRow]) -> (f64, f64) {
        let Self { sets, rows, inside, old, matrix, y, rho, .. } = self;
        let right = |row: &Unknowns, z: f64| {
            let held = if row.part == Part::Bounded { *rho * row.weight * z } else { 0.0 };
            held + ETA * row.weight * row.centre - row.offset - row.correction - row.multiplier
        };
        y.fill([0.0; 6]);
        for ((row, line), z) in rows.iter().zip(lines).zip(&*inside).filter(|((row, _), _)| row.part != Part::Off) {
            line.apply(row.step * right(row, *z), y);
        }
        matrix.solve(y);
        old.copy_from_slice(inside);
        let (mut of_bounds, mut of_equations) = (0.0f64, 0.0f64);
        for ((row, line), z) in rows.iter_mut().zip(lines).zip(inside.iter_mut()) {
            if row.part == Part::Off {
                continue;
            }
            row.impulse = row.step * (right(row, *z) - line.speed(y));
            if row.part == Part::Unbounded {
                *z = row.impulse;
                continue;
            }
            let ahead = RELAXATION * row.impulse + (1.0 - RELAXATION) * *z;
            *z = ahead + row.multiplier / (*rho * row.weight);
            // What z and the multiplier add up to, in units of the impulse.
            row.multiplier = *z;
        }
        sets.iter().for_each(|set| set.project(inside));
        for ((row, z), old) in
            rows.iter_mut().zip(&*inside).zip(&*old).filter(|((row, _), _)| row.part == Part::Bounded)
        {
            row.multiplier = *rho * row.weight * (row.multiplier - z);
            row.centre = row.impulse;
            of_bounds = of_bounds.max(row.weight * (row.impulse - z).abs());
            of_equations = of_equations.max(*rho * row.weight * (z - old).abs());
        }
        for set in sets.iter().filter(|set| set.shape == Shape::Cone) {
            let slip = rows[set.first].multiplier.hypot(rows[set.first + 1].multiplier);
            rows[set.normals.start].correction = set.mu * slip;
        }
        (of_bounds, of_equations)
    }

    /// How wrong the impulses within their bounds are: the largest change of a row that a step along its velocity and back to
    /// its bounds would make, m/s or rad/s. Leaves the velocities that they give in `y`.
    fn residual(&mut self, lines: &[ScaledRow]) -> f64 {
        self.move_by_inside(lines);
        let Self { sets, rows, inside, old, y, .. } = self;
        let mut worst = 0.0f64;
        for (((row, line), z), trial) in rows.iter_mut().zip(lines).zip(&*inside).zip(old.iter_mut()) {
            *trial = *z;
            if row.part == Part::Off {
                continue;
            }
            let speed = line.speed(y) + row.offset + row.gamma * z;
            row.multiplier = speed;
            if row.part == Part::Unbounded {
                worst = worst.max(speed.abs());
            }
        }
        for set in sets.iter().filter(|set| set.shape == Shape::Cone) {
            let slip = rows[set.first].multiplier.hypot(rows[set.first + 1].multiplier);
            rows[set.normals.start].multiplier += set.mu * slip;
        }
        for (trial, row) in old.iter_mut().zip(&*rows).filter(|(_, row)| row.part == Part::Bounded) {
            *trial -= row.multiplier / row.weight;
        }
        sets.iter().for_each(|set| set.project(old));
        for ((row, z), nearest) in
            rows.iter().zip(&*inside).zip(&*old).filter(|((row, _), _)| row.part == Part::Bounded)
        {
            worst = worst.max(row.weight * (nearest - z).abs());
        }
        worst
    }

    /// Writes the impulses within their bounds to the rows, and the velocities that they give.
    pub fn store<const PSEUDO: bool>(
        &mut self,
        system: &mut System,
        (roots, lines): (&[Root], &[ScaledRow]),
        free: &[Velocity],
        velocities: &mut [Velocity],
    ) {
        self.move_by_inside(lines);
        for (row, z) in system.rows.iter_mut().zip(&self.inside) {
            *(if PSEUDO { &mut row.pseudo_impulse } else { &mut row.impulse }) = *z as f32;
        }
        for ((velocity, free), (root, y)) in velocities.iter_mut().zip(free).zip(roots.iter().zip(&self.y)) {
            let (linear, angular) = root.apply(y);
            velocity.linear = (free.linear.as_dvec3() + linear).as_vec3a();
            velocity.angular = (free.angular.as_dvec3() + angular).as_vec3a();
        }
    }
}

/// The largest component of a velocity of a body that impulses move, m/s or rad/s.
fn speed(roots: &[Root], velocities: &[Velocity]) -> f64 {
    let moving = roots.iter().zip(velocities).filter(|(root, _)| root.linear > 0.0).map(|(_, velocity)| velocity);
    moving.map(|v| f64::from(v.linear.abs().max_element().max(v.angular.abs().max_element()))).fold(0.0, f64::max)
}
