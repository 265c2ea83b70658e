//! Velocity bias and bounds of each row, from its kind and its position error.
//!
//! ```text
//! C = 0           b = (β/h) C                          C(n+1) = (1 − β) C(n)
//! C ≤ 0, λ ≤ 0    b = C/h while C < 0 (speculative: the gap may close but not overlap), (β/h) C above
//! J u = speed     b = −speed, |λ| ≤ cap h
//! ```
//! The bias of a soft row (`softness.rs`) is the force of its spring and not a correction. It acts on the velocities
//! under every method, and the split corrections leave it out.
//!
//! The part of the bias that comes from the position error is in `bias` under Baumgarte and in `pseudo_bias` under
//! split impulses. There it is solved with separate velocities that move the poses and are then discarded, so it adds
//! no energy and warm starting does not carry it on. The term C/h of a gap is in both. Nonlinear Gauss–Seidel corrects positions in
//! `positions.rs`. Soft stabilisation makes every rigid row that is in error a soft row, with one frequency and
//! damping ratio for all:
//!
//! ```text
//! b = ω/(2 ζ + h ω) C,  γ = K/(h ω (2 ζ + h ω))       a step removes a share h ω/(2 ζ + h ω) of the error
//! ```
//! Soft stabilisation applies to contacts too, beyond their slop and with at most the push-out speed; gaps and bounces
//! stay rigid. A joint may have a stabilisation of its own ([`settings_of`]), and contacts theirs
//! ([`settings_of_contacts`]). SHAKE and RATTLE, which close the joints by impulses of the step itself, are in
//! `shake.rs` and `rattle/`. Source: 000 Plane, Distance (rope), Soft constraints; errata 2, 9.

use std::borrow::Cow;

use super::joint::Joint;
use super::joints::UNBOUNDED;
use super::kernel::contact::{self, NormalBias, NormalTerms, Push, beyond_slop, soften};
use super::kernel::joint::{beyond, left_to_correction};
use super::row::{Group, Row, RowKind, ServoRow};
use super::settings::{
    ContactStabilization, FrictionModel, RestitutionForm, Settings, Stabilization, StabilizationSettings,
};
use super::solvers::{properties, tgs_recipe};

/// The time in which an error of rounding is closed, s; at least a sub-step. (To close an error c within a sub-step takes
/// a force m c/h².)
const CLOSED_IN: f32 = 1.0 / 60.0;

/// The share of an error up to `NOISE` (`kernel/joint.rs`) that a sub-step of `h` seconds closes, so that
/// rounding causes only small forces in short sub-steps.
pub fn share_of_noise(h: f32) -> f32 {
    (h / CLOSED_IN).min(1.0)
}

/// Bias and bounds of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowTarget {
    /// m/s or rad/s.
    pub bias: f32,
    /// The same for the split position correction, m/s or rad/s.
    pub pseudo_bias: f32,
    /// Bounds of the accumulated impulse, N·s or N·m·s.
    pub lo: f32,
    pub hi: f32,
    /// γ/K of soft stabilisation; zero for a rigid row.
    pub softness: f32,
}

/// Bias per position error, 1/s: β/h, or that of the soft row; zero where velocities do not correct positions.
pub fn rate(settings: &Settings, h: f32) -> f32 {
    match settings.stabilization.method {
        Stabilization::Off | Stabilization::Nonlinear => 0.0,
        Stabilization::Baumgarte | Stabilization::Split | Stabilization::Shake | Stabilization::Rattle => {
            settings.stabilization.beta / h
        }
        Stabilization::Soft => soft(&settings.stabilization, h).0,
    }
}

fn soft(stabilization: &StabilizationSettings, h: f32) -> (f32, f32) {
    contact::soft(stabilization.hertz, stabilization.damping_ratio, h)
}

/// Whether the friction of contacts is deferred to the relaxing sweeps, by the contacts' own settings: see `relax.rs`.
pub fn defers_friction(settings: &Settings) -> bool {
    let sweeps = !properties::of(settings.solver.method).exact;
    let relaxes = settings.stabilization.method == Stabilization::Soft && settings.stabilization.relax > 0;
    settings.friction.deferred && settings.friction.model != FrictionModel::Off && sweeps && relaxes
}

/// γ/K of soft stabilisation; zero under any other method.
pub fn softness_ratio(settings: &Settings, h: f32) -> f32 {
    if settings.stabilization.method == Stabilization::Soft { soft(&settings.stabilization, h).1 } else { 0.0 }
}

/// Makes a rigid row soft; `softness` is γ/K.
pub fn soften_row(row: &mut Row, softness: f32) {
    if softness > 0.0 && row.inv_k > 0.0 {
        (row.inv_k, row.gamma) = soften(row.inv_k, softness, true);
    }
}

/// For a taut mechanism: the smallest number of position sweeps, and the smallest share of an error that each removes. A
/// load opens the joints again in each step.
const TAUT_SWEEPS: u32 = 8;
const TAUT_SHARE: f32 = 0.9;

/// The settings for one joint. Its own stabilisation settings, if it has any, replace the world's. If its mechanism is
/// taut under a load (`divide/taut.rs`), its position errors are corrected by position sweeps instead of RATTLE.
pub fn settings_of<'a>(joint: &Joint, settings: &'a Settings) -> Cow<'a, Settings> {
    let mut joint_settings = nominal_settings_of(joint, settings);
    if joint.taut > 0 && joint_settings.stabilization.method == Stabilization::Rattle {
        let joint_settings = &mut joint_settings.to_mut().stabilization;
        joint_settings.method = Stabilization::Nonlinear;
        joint_settings.position_iterations = joint_settings.position_iterations.max(TAUT_SWEEPS);
        joint_settings.beta = joint_settings.beta.max(TAUT_SHARE);
    }
    joint_settings
}

/// The settings for one joint whether or not its mechanism is taut.
pub fn nominal_settings_of<'a>(joint: &Joint, settings: &'a Settings) -> Cow<'a, Settings> {
    let Some(joint_settings) = &joint.def.options.stabilization else { return Cow::Borrowed(settings) };
    let mut settings = *settings;
    joint_settings.apply(&mut settings.stabilization);
    if properties::of(settings.solver.method).recipe {
        // It has one method for all joints, which may differ in frequency and damping.
        settings = properties::resolved(&settings);
    }
    Cow::Owned(settings)
}

/// The settings for contacts, which may have another method of stabilisation than joints, and softer or stiffer springs.
/// Under SHAKE and RATTLE contacts have split impulses unless they have a method of their own.
pub fn settings_of_contacts(settings: &Settings) -> Cow<'_, Settings> {
    let method = match (settings.stabilization.contacts, settings.stabilization.method) {
        (ContactStabilization::AsJoints, Stabilization::Shake | Stabilization::Rattle) => Stabilization::Split,
        (ContactStabilization::AsJoints, method) => method,
        (ContactStabilization::Off, _) => Stabilization::Off,
        (ContactStabilization::Baumgarte, _) => Stabilization::Baumgarte,
        (ContactStabilization::Split, _) => Stabilization::Split,
        (ContactStabilization::Nonlinear, _) => Stabilization::Nonlinear,
        (ContactStabilization::Soft, _) => Stabilization::Soft,
    };
    let stabilization = &settings.stabilization;
    let has_own_spring = method == Stabilization::Soft && stabilization.contact_hertz > 0.0;
    if method == stabilization.method && !has_own_spring {
        return Cow::Borrowed(settings);
    }
    let mut settings = *settings;
    settings.stabilization.method = method;
    if has_own_spring {
        settings.stabilization.hertz = settings.stabilization.contact_hertz;
        settings.stabilization.damping_ratio = settings.stabilization.contact_damping_ratio;
    }
    Cow::Owned(settings)
}

/// Whether the step's own impulses close the errors of joints: under SHAKE and RATTLE.
pub fn is_position_level(settings: &Settings) -> bool {
    matches!(settings.stabilization.method, Stabilization::Shake | Stabilization::Rattle)
}

/// Whether the split position correction removes position errors.
fn splits(settings: &Settings) -> bool {
    let method = settings.stabilization.method;
    matches!(method, Stabilization::Split | Stabilization::Shake | Stabilization::Rattle)
}

/// Splits a position correction into bias and pseudo-bias, as the method says.
fn divide(correction: f32, settings: &Settings) -> (f32, f32) {
    if splits(settings) { (0.0, correction) } else { (correction, 0.0) }
}

/// The target of a joint's row. `linear` says whether its error is in metres; otherwise it is in radians.
#[inline(always)]
pub fn target(kind: RowKind, group: Group, linear: bool, settings: &Settings, h: f32) -> RowTarget {
    const FREE: f32 = f32::INFINITY;
    let stabilized = linear || settings.formulation.angular_stabilization;
    let rate = if stabilized { rate(settings, h) } else { 0.0 };
    let gap = |c: f32| (c / h, c / h);
    let rigid = match kind {
        RowKind::Equal { .. } => false,
        RowKind::AtMost { c } => c < 0.0,
        RowKind::AtLeast { c } => c > 0.0,
        RowKind::Drive { .. } | RowKind::Track { .. } | RowKind::Soft { .. } | RowKind::SoftStop { .. } => true,
        RowKind::Resist(_) | RowKind::Servo(_) => true,
    };
    let softness = if rigid || !stabilized { 0.0 } else { softness_ratio(settings, h) };
    let ((bias, pseudo_bias), lo, hi) = match kind {
        // The rest of the error is closed within the step: see `shake.rs`.
        RowKind::Equal { c } if is_position_level(settings) => {
            (divide(rate * left_to_correction(c), settings), -FREE, FREE)
        }
        RowKind::Equal { c } => {
            let slop = if linear && group == Group::Anchor { settings.stabilization.joint_slop } else { 0.0 };
            (divide(rate * beyond(c, slop), settings), -FREE, FREE)
        }
        RowKind::AtMost { c } => (if c < 0.0 { gap(c) } else { divide(rate * c, settings) }, -FREE, 0.0),
        RowKind::AtLeast { c } => (if c > 0.0 { gap(c) } else { divide(rate * c, settings) }, 0.0, FREE),
        RowKind::Drive { speed, cap, .. } => ((-speed, 0.0), -cap * h, cap * h),
        RowKind::Track { c, speed } => {
            let (bias, pseudo_bias) = divide(rate * c, settings);
            ((bias - speed, pseudo_bias), -FREE, FREE)
        }
        // Bias and γ need the row's mass: see `softness.rs`.
        RowKind::Soft { .. } | RowKind::Resist(_) => ((0.0, 0.0), -FREE, FREE),
        // Without a cap it is a spring, and its row has no bounds.
        RowKind::Servo(ServoRow { cap, .. }) => {
            let most = if cap < UNBOUNDED { cap * h } else { FREE };
            ((0.0, 0.0), -most, most)
        }
        RowKind::SoftStop { upper: true, .. } => ((0.0, 0.0), -FREE, 0.0),
        RowKind::SoftStop { upper: false, .. } => ((0.0, 0.0), 0.0, FREE),
    };
    RowTarget { bias, pseudo_bias, lo, hi, softness }
}

/// Bias over C, 1/s, and γ of a spring of stiffness `k`, N/m or N·m/rad, with a damper `c`, N·s/m or N·m·s/rad; `None`
/// where both are zero.
pub fn spring(k: f32, c: f32, h: f32) -> Option<(f32, f32)> {
    let stiff = c + h * k;
    (stiff > 0.0).then(|| (k / stiff, 1.0 / (h * stiff)))
}

/// The terms of contacts' normal rows that depend on the settings only, for a sub-step of `h` seconds.
pub fn normal_terms(settings: &Settings, h: f32) -> NormalTerms<f32> {
    let push = Push { rate: rate(settings, h), max: settings.contact.max_push, softness: softness_ratio(settings, h) };
    let grounds = properties::of(settings.solver.method).recipe && settings.stabilization.method == Stabilization::Soft;
    let (moving, grounded) = if grounds { tgs_recipe::pushes(settings, h) } else { (push, push) };
    NormalTerms { h, split: splits(settings), moving, grounded }
}

/// Bias and pseudo-bias of a contact's normal row. `c` is the gap, m, `curvature` its curvature bias, m/s, and `slop` the
/// pair's slop, m, `approach` the normal speed before forces and warm starting, m/s (negative when the bodies approach), `e`
/// the pair's restitution. `grounded` says whether one of the bodies does not move. The bounce is applied later, see
/// `restitution.rs`; a contact that bounces is rigid.
pub fn contact(
    (c, curvature, slop): (f32, f32, f32),
    (approach, e): (f32, f32),
    grounded: bool,
    settings: &Settings,
    h: f32,
) -> RowTarget {
    let contact = &settings.contact;
    if settings.formulation.restitution == RestitutionForm::Added {
        return contact_as_printed((c, slop), approach, e, settings, h);
    }
    let terms = normal_terms(settings, h);
    let NormalBias { bias, pseudo_bias, overlapping, softness } = terms.bias((c, curvature), slop, grounded);
    let impulsive = !properties::of(settings.solver.method).recipe;
    let bounces = impulsive && contact.restitution && e > 0.0 && approach < -contact.restitution_threshold;
    let rebound = bounces && e * approach < bias;
    let softness = if overlapping && !rebound { softness } else { 0.0 };
    RowTarget { bias, pseudo_bias, lo: 0.0, hi: f32::INFINITY, softness }
}

/// The contact row exactly as 000 prints it, whatever the method of stabilisation, for contacts that overlap: b =
/// −(β/h) max(0, depth − slop) + e min(0, approach).
fn contact_as_printed((c, slop): (f32, f32), approach: f32, e: f32, settings: &Settings, h: f32) -> RowTarget {
    if c >= 0.0 {
        return RowTarget { bias: 0.0, pseudo_bias: 0.0, lo: 0.0, hi: 0.0, softness: 0.0 };
    }
    let push_out = settings.stabilization.beta / h * beyond_slop(c, slop);
    let e = if settings.contact.restitution { e } else { 0.0 };
    RowTarget { bias: push_out + e * approach.min(0.0), pseudo_bias: 0.0, lo: 0.0, hi: f32::INFINITY, softness: 0.0 }
}
