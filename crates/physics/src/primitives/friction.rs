//! Friction of a manifold.
//!
//! ```text
//! tangents   J = [−t, t × rA, t, rB × t] at the patch's centre or at each point; rA, rB end where the surfaces will
//!            touch: at one common point once they touch
//! twist      J = [0, −n, 0, n],     |λ| ≤ μ r_p Σλn,  r_p the touching points' mean distance (`collide/patch.rs`)
//! rolling    J = [0, −t_k, 0, t_k], ‖λ‖ ≤ μ_r Σλn,    μ_r a length
//! ```
//! A pair of tangents takes one common step 1/max(K1, K2) and is then projected radially on its disc. With a step per
//! axis the slip direction would be wrong by up to a tenth (erratum 12). A patch that slides and spins at once has less
//! friction against each. So its tangents and its twist, divided by r_p, take one common step and are then projected on
//! the surface that bounds them together (`limit_surface.rs`). Document 000 bounds them separately, with r_p = ⅔
//! √(area/π). In each sweep the bounds follow the present normal impulses. Rolling rows also exist at rest: a row that
//! comes and goes lets the body creep (erratum 8). Source: documents 000, Friction (patch), and 003.

use glam::Vec3;

use crate::body::{Body, Material};
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::collide::manifold::Manifold;
use crate::effective_mass::row;
use crate::kernel::limit_surface::Surface;
use crate::kernel::patch::{LeverArms, tangents};
use crate::row::{ContactPart, Friction, Jacobian, Printed, RowId};
use crate::settings::{FrictionModel, NormalForm, PatchForm, PointForm, RollingForm, RowSolve, Settings};
use crate::solvers::properties;
use crate::system::System;

/// Below this angular velocity a body does not count as rolling, rad/s.
const STILL: f32 = 0.01;
/// The least cosine between the old and the new rolling axis at which the old impulse is reused.
const LEAST_AGREEMENT: f32 = 0.5;

/// The two bodies of a manifold and the system that receives its rows.
pub(super) struct RowWriter<'a> {
    pub a: &'a Body,
    pub b: &'a Body,
    /// Indices of the bodies.
    pub ends: (u32, u32),
    /// Which pieces of the two bodies (parts of a compound) touch.
    pub pieces: [u8; 2],
    /// Index of the block's first row in the system.
    pub first: u32,
    pub system: &'a mut System,
}

impl RowWriter<'_> {
    fn push(&mut self, part: ContactPart, jacobian: Jacobian, impulse: f32) {
        let mut row = row(&jacobian, self.a, self.b);
        row.impulse = impulse;
        // The sweep sets the bounds from the present normal impulses.
        (row.lo, row.hi) = (0.0, 0.0);
        self.system.rows.push(row);
        let (a, b) = self.ends;
        self.system.ids.push(RowId::Contact { a, b, pieces: self.pieces, part });
    }

    /// Gives the last rows a common bound: `factor` times the sum of the normal impulses in the range `normals`.
    fn bind(&mut self, kind: FrictionLaw, factor: f32, normals: (u8, u8)) {
        let first = self.system.rows.len() - kind.count() - self.first as usize;
        let bound = FrictionBound { kind, first: first as u8, normals, factor };
        bound.common_step(&mut self.system.rows[self.first as usize..]);
        self.system.couplings.bounds.push(bound);
    }

    /// Gives each of the last two rows a bound of its own.
    fn bind_each(&mut self, kind: FrictionLaw, factor: f32, normals: (u8, u8)) {
        let last = self.system.rows.len() as u32 - self.first;
        for first in [last - 2, last - 1] {
            self.system.couplings.bounds.push(FrictionBound { kind, first: first as u8, normals, factor });
        }
    }

    /// The rolling row as document 000 prints it: about the tangential part of the relative angular velocity, and zero
    /// at rest. The second row of the pair is empty.
    fn rolling_as_printed(&mut self, normal: Vec3, omega: Vec3) {
        let tangential = omega - normal * omega.dot(normal);
        let axis = if tangential.length_squared() > 1e-8 { tangential.normalize() } else { Vec3::ZERO };
        self.push(ContactPart::Rolling { second: false }, Jacobian::about(axis), 0.0);
        self.push(ContactPart::Rolling { second: true }, Jacobian::default(), 0.0);
    }

    /// Sets the biases of the last two rows, along `t`, to the curvature bias of the contact, m/s.
    fn set_curvature(&mut self, t: (Vec3, Vec3), curvature: Vec3) {
        for (row, t) in self.system.rows.iter_mut().rev().zip([t.1, t.0]) {
            row.bias = t.dot(curvature);
        }
    }

    /// Two rows along or about the vectors `t`, with the components of `impulse` as starting impulses.
    fn pair(
        &mut self,
        t: (Vec3, Vec3),
        part: impl Fn(bool) -> ContactPart,
        make: impl Fn(Vec3) -> Jacobian,
        impulse: Vec3,
    ) {
        self.push(part(false), make(t.0), t.0.dot(impulse));
        self.push(part(true), make(t.1), t.1.dot(impulse));
    }
}

/// Adds the friction rows of a manifold and returns its friction model.
/// `omega` is B's angular velocity relative to A's before the step, rad/s.
pub(super) fn rows(
    manifold: &Manifold,
    material: &Material,
    settings: &Settings,
    omega: Vec3,
    writer: &mut RowWriter,
) -> Friction {
    let mu = material.friction;
    let rolling = if settings.friction.rolling { material.rolling } else { 0.0 };
    let warm = if settings.warm_start.patch { settings.warm_start.factor } else { 0.0 };
    let t = tangents(manifold.normal);
    let centres = (writer.a.position, writer.b.position);
    // With a gap each body has its own lever arm, which ends at its own surface. Otherwise a ball that sticks as it
    // bounces would rotate about a point off its surface.
    let slide = |point: Vec3, gap: f32| {
        let arms = LeverArms::of_friction((point, gap), manifold.normal, 0.5 * manifold.sideways, centres);
        move |t: Vec3| {
            let (ang_a, ang_b) = arms.angular(t);
            Jacobian { lin: t, ang_a, ang_b, net: Vec3::ZERO }
        }
    };
    let all = (0, manifold.points.len() as u8);
    let tangent = |at: Option<u8>| move |second| ContactPart::Tangent { at, second };
    let printed = properties::of(settings.solver.method).printed_forms;
    let friction = match settings.friction.model {
        FrictionModel::Off => return Friction::Off,
        FrictionModel::Patch => {
            let form = settings.formulation.patch;
            let (centre, gap) = manifold.centre_and_gap(manifold.slop);
            writer.pair(t, tangent(None), slide(centre, gap), warm * manifold.friction);
            writer.set_curvature(t, manifold.curvature);
            let (arm, surface) = match form {
                _ if !settings.friction.twist => (0.0, Surface::Separate),
                PatchForm::LimitSurface => (manifold.arm, Surface::Disc),
                PatchForm::Ellipsoid => (manifold.arm, Surface::Ellipsoid),
                _ => (2.0 / 3.0 * (manifold.area / std::f32::consts::PI).sqrt(), Surface::Separate),
            };
            let together = arm > 0.0 && surface != Surface::Separate;
            match form {
                PatchForm::Generic if printed => {
                    let rows = writer.system.rows.iter_mut().rev().take(2);
                    rows.for_each(|row| (row.lo, row.hi) = (f32::NEG_INFINITY, f32::INFINITY));
                }
                PatchForm::Box if printed => writer.bind_each(FrictionLaw::Span, mu, all),
                _ if !together => writer.bind(FrictionLaw::Disc, mu, all),
                _ => {}
            }
            if arm > 0.0 {
                writer.push(ContactPart::Twist, Jacobian::about(manifold.normal), warm * manifold.twist);
                match together {
                    true => writer.bind(FrictionLaw::Surface { arm, surface }, mu, all),
                    false => writer.bind(FrictionLaw::Span, mu * arm, all),
                }
            }
            Friction::Patch { mu, arm, surface, rolling }
        }
        FrictionModel::Coulomb | FrictionModel::Pyramid | FrictionModel::Cone => {
            let cone = settings.friction.model != FrictionModel::Pyramid;
            let exact = settings.friction.model == FrictionModel::Cone;
            let law = if exact && takes_exact_cones(settings) { FrictionLaw::Cone } else { FrictionLaw::Disc };
            for (at, point) in manifold.points.iter().enumerate() {
                let at = at as u8;
                writer.pair(t, tangent(Some(at)), slide(point.position, point.separation), warm * point.friction);
                writer.set_curvature(t, manifold.curvature);
                let normal_range = (at, at + 1);
                match settings.formulation.point {
                    PointForm::Weight if printed && !exact => writer.bind_each(FrictionLaw::Weight, mu, normal_range),
                    _ if cone => writer.bind(law, mu, normal_range),
                    _ => writer.bind_each(FrictionLaw::Span, mu, normal_range),
                }
            }
            if cone { Friction::Cone { mu, rolling } } else { Friction::Pyramid { mu, rolling } }
        }
    };
    if rolling > 0.0 {
        match settings.formulation.rolling {
            RollingForm::Pair => {
                let old =
                    if settings.warm_start.rolling { old_rolling_impulse(manifold, omega) } else { manifold.rolling };
                writer.pair(t, |second| ContactPart::Rolling { second }, Jacobian::about, warm * old);
            }
            RollingForm::AsPrinted => writer.rolling_as_printed(manifold.normal, omega),
        }
        writer.bind(FrictionLaw::Disc, rolling, all);
    }
    friction
}

/// The old rolling impulse for warm starting. It is scaled by the cosine between its axis and the axis along which
/// rolling resistance must act now. If the body does not roll, there is no such axis, and the impulse is kept.
pub(crate) fn old_rolling_impulse(manifold: &Manifold, omega: Vec3) -> Vec3 {
    let rolling = omega - manifold.normal * manifold.normal.dot(omega);
    if rolling.length() < STILL {
        return manifold.rolling;
    }
    let agreement = manifold.rolling.normalize_or_zero().dot(-rolling.normalize_or_zero());
    if agreement > LEAST_AGREEMENT { manifold.rolling * agreement } else { Vec3::ZERO }
}

/// Whether a point's rows are solved together: in sweeps of one block after another, with bounds on the sums of impulses.
/// Jacobi clamps the tangents as Coulomb's model does; the direct solver has the same law in another form.
fn takes_exact_cones(settings: &Settings) -> bool {
    properties::of(settings.solver.method).in_turn() && settings.formulation.normal == NormalForm::Accumulated
}

/// How a contact's rows are solved, if a form that a document prints differs in more than the bounds.
pub(super) fn printed(settings: &Settings) -> Option<Printed> {
    let forms = &settings.formulation;
    let generic = settings.friction.model == FrictionModel::Patch && forms.patch == PatchForm::Generic;
    let weight = matches!(settings.friction.model, FrictionModel::Coulomb | FrictionModel::Pyramid)
        && forms.point == PointForm::Weight;
    let increments = forms.normal == NormalForm::Increment;
    let solver = &settings.solver;
    let points = weight && solver.rows == RowSolve::Inner && !properties::of(solver.method).at_once;
    (increments || generic || weight).then_some(Printed { increments, before: if generic { 2 } else { 0 }, points })
}
