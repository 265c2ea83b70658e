//! Friction of a manifold.
//!
//! ```text
//! tangents   J = [−t, t × rA, t, rB × t] at the patch's centre or at each point; rA, rB to where the surfaces will touch,
//!            one world point where they do
//! twist      J = [0, −n, 0, n],     |λ| ≤ μ r_p Σλn,  r_p the touching points' mean distance (`collide/patch.rs`)
//! rolling    J = [0, −t_k, 0, t_k], ‖λ‖ ≤ μ_r Σλn,    μ_r a length
//! ```
//! A pair of tangents takes one scalar step 1/max(K1, K2) and is then projected radially on its disc: with a step per
//! axis the slip direction is off by up to a tenth (erratum 12). A patch that slides and spins has less of either: its
//! tangents and its twist over r_p take one step together and are then projected on the surface that bounds them both
//! (`limit_surface.rs`). 000 bounds each by itself, with r_p = ⅔ √(area/π). The bounds follow the normal impulses as they stand
//! in the sweep. Rolling rows are there at rest too; a row that comes and goes lets the body creep (erratum 8).
//! Source: 000 Friction (patch); 003.

use glam::Vec3;

use super::contact::tangents;
use crate::physics::body::{Body, Material};
use crate::physics::collide::manifold::Manifold;
use crate::physics::limit_surface::Surface;
use crate::physics::prepare::{System, row};
use crate::physics::row::{Friction, Jacobian, Printed, Row, RowId, Tangents};
use crate::physics::settings::{FrictionModel, Method, NormalForm, PatchForm, PointForm, RollingForm, Settings};

/// Slower than this a body does not roll, rad/s.
const STILL: f32 = 0.01;
/// The least cosine between the old and the new rolling axis at which the old impulse is of use.
const LEAST_AGREEMENT: f32 = 0.5;

/// The two bodies of a manifold and where their rows go.
pub(super) struct Sink<'a> {
    pub a: &'a Body,
    pub b: &'a Body,
    pub ends: (u32, u32),
    /// Slot of the next row.
    pub slot: u8,
    pub system: &'a mut System,
}

impl Sink<'_> {
    fn push(&mut self, jacobian: Jacobian, impulse: f32) {
        let mut row = row(&jacobian, self.a, self.b);
        row.impulse = impulse;
        // The sweep sets the bounds from the normal impulses as they stand.
        (row.lo, row.hi) = (0.0, 0.0);
        self.system.rows.push(row);
        let (a, b) = self.ends;
        self.system.ids.push(RowId::Contact { a, b, manifold: 0, slot: self.slot });
        self.slot += 1;
    }

    /// The row against rolling of 000: about the tangential part of the relative spin, and none at rest. The second row of
    /// the pair is there and does nothing.
    fn rolling_as_printed(&mut self, normal: Vec3, spin: Vec3) {
        let tangential = spin - normal * spin.dot(normal);
        let axis = if tangential.length_squared() > 1e-8 { tangential.normalize() } else { Vec3::ZERO };
        self.push(Jacobian::about(axis), 0.0);
        self.push(Jacobian::default(), 0.0);
    }

    fn last_two(&mut self, change: impl FnMut(&mut Row)) {
        if let Some(rows) = self.system.rows.last_chunk_mut::<2>() {
            rows.iter_mut().for_each(change);
        }
    }

    /// Two rows along or about `t`, started from the components of `impulse`; bound by a disc, they share a step.
    fn pair(&mut self, t: (Vec3, Vec3), make: impl Fn(Vec3) -> Jacobian, impulse: Vec3, disc: bool) {
        self.push(make(t.0), t.0.dot(impulse));
        self.push(make(t.1), t.1.dot(impulse));
        if let (true, [.., first, second]) = (disc, self.system.rows.as_mut_slice()) {
            let step = first.inv_k.min(second.inv_k);
            (first.inv_k, second.inv_k) = (step, step);
        }
    }
}

/// Adds the friction rows of a manifold and says how they are bound.
/// `spin` is B's angular velocity relative to A's before the step, rad/s.
pub(super) fn rows(
    manifold: &Manifold,
    material: &Material,
    settings: &Settings,
    spin: Vec3,
    sink: &mut Sink,
) -> Friction {
    let mu = material.friction;
    let rolling = if settings.friction.rolling { material.rolling } else { 0.0 };
    let warm = if settings.warm_start.patch { settings.warm_start.factor } else { 0.0 };
    let t = tangents(manifold.normal);
    let (xa, xb) = (sink.a.position, sink.b.position);
    // Where there is a gap both surfaces have come to the point by the time they touch: each body has its own arm, or a
    // ball that sticks as it bounces would turn about a point off its surface.
    let n = manifold.normal;
    let slide = |point: Vec3, gap: f32| {
        let half = 0.5 * gap.max(0.0) * n;
        move |t: Vec3| {
            let (on_a, on_b) = (point - half - xa, point + half - xb);
            Jacobian { lin: t, ang_a: t.cross(on_a), ang_b: on_b.cross(t) }
        }
    };
    let form = settings.formulation.patch;
    let friction = match settings.friction.model {
        FrictionModel::Off => return Friction::Off,
        FrictionModel::Patch => {
            let disc = !matches!(form, PatchForm::Box | PatchForm::Generic);
            let (centre, gap) = manifold.middle(settings.contact.slop);
            sink.pair(t, slide(centre, gap), warm * manifold.friction, disc);
            if form == PatchForm::Generic && settings.solver.method != Method::Direct {
                sink.last_two(|row| (row.lo, row.hi) = (f32::NEG_INFINITY, f32::INFINITY));
            }
            let (arm, surface) = match form {
                _ if !settings.friction.twist => (0.0, Surface::Separate),
                PatchForm::LimitSurface => (manifold.arm, Surface::Disc),
                PatchForm::Ellipsoid => (manifold.arm, Surface::Ellipsoid),
                _ => (2.0 / 3.0 * (manifold.area / std::f32::consts::PI).sqrt(), Surface::Separate),
            };
            let friction = Friction::Patch { mu, arm, surface, rolling };
            if arm > 0.0 {
                sink.push(Jacobian::about(manifold.normal), warm * manifold.twist);
            }
            if let (true, Some(rows)) = (friction.is_coupled(), sink.system.rows.last_chunk_mut::<3>()) {
                one_step(rows, arm);
            }
            friction
        }
        FrictionModel::Coulomb => {
            manifold.points.iter().for_each(|p| sink.pair(t, slide(p.position, p.separation), warm * p.friction, true));
            Friction::Cone { mu, rolling }
        }
        FrictionModel::Pyramid => {
            manifold
                .points
                .iter()
                .for_each(|p| sink.pair(t, slide(p.position, p.separation), warm * p.friction, false));
            Friction::Pyramid { mu, rolling }
        }
    };
    if rolling > 0.0 {
        match settings.formulation.rolling {
            RollingForm::Pair => {
                let carried = if settings.warm_start.rolling { agreeing(manifold, spin) } else { manifold.rolling };
                sink.pair(t, Jacobian::about, warm * carried, true);
            }
            RollingForm::AsPrinted => sink.rolling_as_printed(manifold.normal, spin),
        }
    }
    friction
}

/// Gives two tangents and a twist one step: that of the slowest, in N·s a m/s at the lever of the twist.
pub(in crate::physics) fn one_step(rows: &mut [Row; 3], arm: f32) {
    let square = arm * arm;
    let [first, second, twist] = rows;
    let moving = |step: f32| if step > 0.0 { step } else { f32::INFINITY };
    let step = moving(first.inv_k).min(moving(second.inv_k)).min(moving(twist.inv_k / square));
    if step.is_finite() {
        let of = |inv_k: f32, step: f32| if inv_k > 0.0 { step } else { 0.0 };
        (first.inv_k, second.inv_k) = (of(first.inv_k, step), of(second.inv_k, step));
        twist.inv_k = of(twist.inv_k, step * square);
    }
}

/// The rolling impulse by as much as its axis agrees with the one against which it has to work now. A body that does not
/// roll has no such axis, and keeps the impulse that holds it.
fn agreeing(manifold: &Manifold, spin: Vec3) -> Vec3 {
    let rolling = spin - manifold.normal * manifold.normal.dot(spin);
    if rolling.length() < STILL {
        return manifold.rolling;
    }
    let agreement = manifold.rolling.normalize_or_zero().dot(-rolling.normalize_or_zero());
    if agreement > LEAST_AGREEMENT { manifold.rolling * agreement } else { Vec3::ZERO }
}

/// How a contact's rows are bound where a printed form is asked for.
pub(super) fn printed(settings: &Settings) -> Option<Printed> {
    let forms = &settings.formulation;
    let tangents = match (settings.friction.model, forms.patch, forms.point) {
        (FrictionModel::Patch, PatchForm::Box, _) => Tangents::Box,
        (FrictionModel::Patch, PatchForm::Generic, _) => Tangents::Generic,
        (FrictionModel::Coulomb | FrictionModel::Pyramid, _, PointForm::Weight) => Tangents::Weight,
        _ => Tangents::Corrected,
    };
    let printed = Printed { increments: forms.normal == NormalForm::Increment, tangents };
    (printed.increments || tangents != Tangents::Corrected).then_some(printed)
}
