//! The stages that solvers share: making the rows, solving a block between two bodies, moving the bodies.

use std::time::Instant;

use glam::{Mat3A, Vec3A};

use crate::physics::body::Velocity;
use crate::physics::collide::continuous;
use crate::physics::fault::{self, Watch};
use crate::physics::limit_surface::{self, Surface};
use crate::physics::row::{Coupling, Friction, Row, RowId};
use crate::physics::world::World;
use crate::physics::{
    confine, course, geometric, integrate, positions, prepare, relax, restitution, safeguard, spin, warm_start,
};

/// Rows at the present poses; the approach speeds of contacts are those before forces and warm starting.
pub fn prepare(world: &mut World, h: f32) {
    let start = Instant::now();
    geometric::stiffen(world, h);
    prepare::prepare(world, h);
    world.phases.prepare += start.elapsed();
}

/// Forces, the old impulses and free rotation. True where the old impulses come in after the first sweep: see
/// [`warm_start::begin`].
pub fn start(world: &mut World, h: f32) -> bool {
    integrate::forces(&world.bodies, &mut world.velocities, &world.settings, h);
    spin::begin(world);
    let late = warm_start::begin(world, h);
    spin::turn(world, late, h);
    if safeguard::watches(world) {
        safeguard::begin(world);
    }
    late
}

/// Makes room for the split corrections where a row asks for one; whether any does.
pub fn begin_pushes(world: &mut World) -> bool {
    world.pushes.clear();
    let wanted = world.system.blocks.iter().any(|b| b.pushes);
    if wanted {
        world.pushes.resize(world.bodies.len(), Velocity::default());
    }
    wanted
}

/// Moves the bodies, hands the impulses back.
pub fn finish(world: &mut World, h: f32) {
    let start = Instant::now();
    measure_residuals(world);
    positions::begin(world);
    continuous::clamp(world, h);
    course::advance(world, h);
    let rotation = world.settings.formulation.rotation;
    let way = integrate::Way { pushes: &world.pushes, reach: &world.reach, turning: &world.turning, rotation };
    let mut watch = Watch::default();
    integrate::poses(&mut world.bodies, &mut world.velocities, &way, h, &mut watch);
    positions::correct(world, &mut watch);
    relax::sweep(world);
    confine::finish(world);
    restitution::finish(&mut world.system);
    fault::look(world, watch);
    warm_start::store(world);
    world.phases.integrate += start.elapsed();
}

/// Notes the largest velocity by which a row is still wrong, m/s or rad/s, of the world and of each joint. A clamped row
/// counts only where it would rather leave its bound; friction rows, which may slip, do not count.
fn measure_residuals(world: &mut World) {
    world.residual = 0.0;
    world.joints.iter_mut().for_each(|joint| joint.readout.residual = 0.0);
    for block in &world.system.blocks {
        let (a, b) = (&world.velocities[block.a as usize], &world.velocities[block.b as usize]);
        let rows = &world.system.rows[block.range()];
        let counted = block.coupling.contact().map_or(rows.len(), |(normals, _)| normals as usize);
        let mut worst = 0.0f32;
        for row in &rows[..counted] {
            let r = speed(row, a, b) + row.bias + row.gamma * row.impulse;
            let settled = row.inv_k == 0.0 || (row.impulse <= row.lo && r > 0.0) || (row.impulse >= row.hi && r < 0.0);
            worst = if settled { worst } else { worst.max(r.abs().min(f32::MAX)) };
        }
        world.residual = world.residual.max(worst);
        if let RowId::Joint { joint, .. } = world.system.ids[block.first as usize] {
            let own = &mut world.joints[joint as usize].readout.residual;
            *own = own.max(worst);
        }
    }
}

/// The largest component of a list of velocities, m/s or rad/s.
pub fn largest(velocities: &[Velocity]) -> f32 {
    velocities.iter().map(size).fold(0.0, f32::max)
}

/// The largest component of a velocity, m/s or rad/s.
#[inline(always)]
fn size(velocity: &Velocity) -> f32 {
    velocity.linear.abs().max(velocity.angular.abs()).max_element()
}

/// J u.
#[inline(always)]
pub(in crate::physics) fn speed(row: &Row, a: &Velocity, b: &Velocity) -> f32 {
    (row.lin * (b.linear - a.linear) + row.ang_a * a.angular + row.ang_b * b.angular).element_sum()
}

/// The velocities of a block's two bodies while it is solved. `LIVE` rows see each other's changes at once
/// (Gauss–Seidel); otherwise all see the velocities that the block started with and the changes are kept apart (Jacobi).
pub struct Pair<const LIVE: bool> {
    pub a: Velocity,
    pub b: Velocity,
    pub change_a: Velocity,
    pub change_b: Velocity,
    relaxation: f32,
}

impl<const LIVE: bool> Pair<LIVE> {
    /// The two bodies' velocities and the share of each correction that is taken.
    #[inline(always)]
    pub fn new(a: Velocity, b: Velocity, relaxation: f32) -> Self {
        Self { a, b, change_a: Velocity::default(), change_b: Velocity::default(), relaxation }
    }

    /// Solves the rows of one block.
    #[inline(always)]
    pub fn solve(&mut self, coupling: Coupling, rows: &mut [Row], inverses: &[Mat3A]) {
        match coupling {
            Coupling::Rows => {
                for row in rows {
                    if row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY {
                        self.solve_free(row);
                    } else {
                        self.solve_row(row);
                    }
                }
            }
            Coupling::Solid { inverse } => self.solve_solid::<false>(rows, &inverses[inverse as usize]),
            Coupling::SoftSolid { inverse } => self.solve_solid::<true>(rows, &inverses[inverse as usize]),
            Coupling::Increments => rows.iter_mut().for_each(|row| self.solve_increment(row)),
            Coupling::Tree => {}
            Coupling::Contact { normals, friction } => {
                let (normal_rows, friction_rows) = rows.split_at_mut(normals as usize);
                normal_rows.iter_mut().for_each(|row| self.solve_row(row));
                self.solve_friction(friction, normal_rows, friction_rows);
            }
            Coupling::Printed { normals, friction, form } => {
                let (normal_rows, friction_rows) = rows.split_at_mut(normals as usize);
                self.solve_printed(form, friction, normal_rows, friction_rows);
            }
        }
    }

    /// Takes a step of the split position correction: the rows as above, on velocities of their own, with `push` in
    /// place of the bias. Drives and friction, bounded on both sides, take no part, nor do soft rows, which give way; a drive
    /// that keeps to its course is in `Self::push_held`.
    #[inline(always)]
    pub fn push(&mut self, coupling: Coupling, rows: &mut [Row], inverses: &[Mat3A]) {
        match coupling {
            Coupling::Solid { inverse } => {
                let [x, y, z] = rows else { return };
                let wrong = |row: &Row| speed(row, &self.a, &self.b) + row.push;
                let change = inverses[inverse as usize] * -Vec3A::new(wrong(x), wrong(y), wrong(z));
                for (row, change) in [x, y, z].into_iter().zip((change * self.relaxation).to_array()) {
                    row.push_impulse += change;
                    self.apply(row, change);
                }
            }
            Coupling::Rows | Coupling::Increments => rows.iter_mut().for_each(|row| self.push_row(row)),
            Coupling::SoftSolid { .. } | Coupling::Tree => {}
            Coupling::Contact { normals, .. } | Coupling::Printed { normals, .. } => {
                rows[..normals as usize].iter_mut().for_each(|row| self.push_row(row));
            }
        }
    }

    /// J u + push.
    #[inline(always)]
    pub(super) fn off(&self, row: &Row) -> f32 {
        speed(row, &self.a, &self.b) + row.push
    }

    /// Adds to a row's push.
    #[inline(always)]
    pub(super) fn push_by(&mut self, row: &mut Row, change: f32) {
        let change = if LIVE { change } else { change * self.relaxation };
        row.push_impulse += change;
        self.apply(row, change);
    }

    #[inline(always)]
    fn push_row(&mut self, row: &mut Row) {
        if row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite()) {
            return;
        }
        let step = -(speed(row, &self.a, &self.b) + row.push) * row.inv_k * self.relaxation;
        let impulse = (row.push_impulse + step).max(row.lo).min(row.hi);
        let change = impulse - row.push_impulse;
        row.push_impulse = impulse;
        self.apply(row, change);
    }

    /// The most that a velocity of the two bodies has changed from what it was.
    #[inline(always)]
    pub fn moved(&self, a: &Velocity, b: &Velocity) -> f32 {
        let by = |now: &Velocity, was: &Velocity| {
            size(&Velocity { linear: now.linear - was.linear, angular: now.angular - was.angular })
        };
        by(&self.a, a).max(by(&self.b, b))
    }

    /// Whether neither body moves.
    #[inline(always)]
    pub fn at_rest(&self) -> bool {
        let sum = self.a.linear.abs() + self.a.angular.abs() + self.b.linear.abs() + self.b.angular.abs();
        sum == Vec3A::ZERO
    }

    /// Δλ without bounds.
    #[inline(always)]
    fn step(&self, row: &Row) -> f32 {
        let step = -(speed(row, &self.a, &self.b) + row.bias + row.gamma * row.impulse) * row.inv_k;
        if LIVE { step } else { step * self.relaxation }
    }

    /// u ← u + M⁻¹ Jᵀ Δλ.
    #[inline(always)]
    fn apply(&mut self, row: &Row, lambda: f32) {
        let (a, b) = if LIVE { (&mut self.a, &mut self.b) } else { (&mut self.change_a, &mut self.change_b) };
        a.linear -= row.lin * (row.inv_ma * lambda);
        a.angular += row.inv_ia * lambda;
        b.linear += row.lin * (row.inv_mb * lambda);
        b.angular += row.inv_ib * lambda;
    }

    /// The accumulated impulse is clamped, not the increment: a later sweep may take back what an earlier one gave.
    #[inline(always)]
    pub(super) fn solve_row(&mut self, row: &mut Row) {
        let impulse = (row.impulse + self.step(row)).max(row.lo).min(row.hi);
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.apply(row, change);
    }

    /// A row without bounds takes its step whole: the difference of two impulses would keep of it only what 32 bits hold
    /// of the impulses, so that a weld that bears 500 N·s would stand still at 3e-5 N·s.
    #[inline(always)]
    fn solve_free(&mut self, row: &mut Row) {
        let step = self.step(row);
        row.impulse += step;
        self.apply(row, step);
    }

    /// The increment is clamped, as 004 prints it for its stops: what one sweep gave too much of, none takes back
    /// (erratum 18).
    #[inline(never)]
    pub(super) fn solve_increment(&mut self, row: &mut Row) {
        let change = self.step(row).max(row.lo).min(row.hi);
        row.impulse += change;
        self.apply(row, change);
    }

    /// Three unbounded rows at once: Δλ = −K⁻¹ (J u + b), or −(K + γ)⁻¹ (J u + b + γ λ) where they are `SOFT`.
    #[inline(always)]
    fn solve_solid<const SOFT: bool>(&mut self, rows: &mut [Row], inverse: &Mat3A) {
        let [x, y, z] = rows else { return };
        let wrong = |row: &Row| {
            let rigid = speed(row, &self.a, &self.b) + row.bias;
            if SOFT { rigid + row.gamma * row.impulse } else { rigid }
        };
        let mut change = *inverse * -Vec3A::new(wrong(x), wrong(y), wrong(z));
        if !LIVE {
            change *= self.relaxation;
        }
        for (row, change) in [x, y, z].into_iter().zip(change.to_array()) {
            row.impulse += change;
            self.apply(row, change);
        }
    }

    /// Friction bounded by the normal impulses as they stand.
    #[inline(always)]
    pub(super) fn solve_friction(&mut self, friction: Friction, normals: &[Row], rows: &mut [Row]) {
        let total = || normals.iter().map(|n| n.impulse).sum::<f32>();
        match friction {
            Friction::Off => {}
            Friction::Patch { mu, arm, surface, rolling } => {
                let total = total();
                let (bound, rest) = rows.split_at_mut(if arm > 0.0 { 3 } else { 2 });
                match bound {
                    [x, y, twist] if friction.is_coupled() => self.solve_patch([x, y, twist], surface, arm, mu * total),
                    [tangents @ .., twist] if arm > 0.0 => {
                        self.solve_disc(tangents, mu * total);
                        (twist.lo, twist.hi) = (-mu * arm * total, mu * arm * total);
                        self.solve_row(twist);
                    }
                    tangents => self.solve_disc(tangents, mu * total),
                }
                self.solve_disc(rest, rolling * total);
            }
            Friction::Cone { mu, rolling } => {
                let (tangents, rest) = rows.split_at_mut(2 * normals.len());
                for (normal, pair) in normals.iter().zip(tangents.chunks_exact_mut(2)) {
                    self.solve_disc(pair, mu * normal.impulse);
                }
                if rolling > 0.0 {
                    self.solve_disc(rest, rolling * total());
                }
            }
            Friction::Pyramid { mu, rolling } => {
                let (tangents, rest) = rows.split_at_mut(2 * normals.len());
                for (normal, pair) in normals.iter().zip(tangents.chunks_exact_mut(2)) {
                    for row in pair {
                        (row.lo, row.hi) = (-mu * normal.impulse, mu * normal.impulse);
                        self.solve_row(row);
                    }
                }
                if rolling > 0.0 {
                    self.solve_disc(rest, rolling * total());
                }
            }
        }
    }

    /// Two tangents and the twist over its `arm`, bound together: one common step, then projected on the surface.
    #[inline(always)]
    fn solve_patch(&mut self, [x, y, twist]: [&mut Row; 3], surface: Surface, arm: f32, radius: f32) {
        let mut slide = (x.impulse + self.step(x), y.impulse + self.step(y));
        let mut spin = (twist.impulse + self.step(twist)) / arm;
        // Every surface holds the ball of nine tenths.
        if slide.0 * slide.0 + slide.1 * slide.1 + spin * spin > 0.81 * radius * radius {
            let wide = (f64::from(slide.0), f64::from(slide.1));
            if let Some(((x, y), z)) = limit_surface::project(surface, wide, spin.into(), radius.into()) {
                (slide, spin) = ((x as f32, y as f32), z as f32);
            }
        }
        for (row, impulse, most) in [(x, slide.0, radius), (y, slide.1, radius), (twist, spin * arm, arm * radius)] {
            let change = impulse - row.impulse;
            row.impulse = impulse;
            // For readers only: the box around the surface.
            (row.lo, row.hi) = (-most, most);
            self.apply(row, change);
        }
    }

    /// Two rows bound by ‖λ‖ ≤ radius: one common step, then projected radially.
    #[inline(always)]
    pub(super) fn solve_disc(&mut self, rows: &mut [Row], radius: f32) {
        let [first, second] = rows else { return };
        let (mut x, mut y) = (first.impulse + self.step(first), second.impulse + self.step(second));
        let length = (x * x + y * y).sqrt();
        if length > radius {
            let shrink = radius / length;
            (x, y) = (x * shrink, y * shrink);
        }
        for (row, impulse) in [(first, x), (second, y)] {
            let change = impulse - row.impulse;
            row.impulse = impulse;
            // For readers only: the box around the disc.
            (row.lo, row.hi) = (-radius, radius);
            self.apply(row, change);
        }
    }
}
