//! Whether a world's settings can hold it: the bounds within which sweeps and warm starting converge, each with its
//! numbers.
//!
//! ```text
//! r = ρ^N  what N sweeps leave of an error;  f  warm-start factor;  s = 1 − r
//! one mode, K = 1, C/h = c:   λ' = r f λ + s (−w − β c),   w' = w + λ',   c' = c + w'
//! characteristic polynomial   z³ − (r f + r + 1 − s β) z² + (2 r f + r) z − r f
//! all |z| < 1 (Jury)          f (1 + β) r < 1                  a complex pair leaves the circle: errors swing up
//!                             r > −(2 − β)/(2 + 4 f + β)       a root passes −1: for odd N of a sweep that overshoots
//! ```
//! β is 0 unless the correction goes through the velocities (Baumgarte). With f = 1 the first bound is
//! ρ^N < 1/(1 + β); the second, r > −1/3 without β, is for Jacobi beyond ω = 1/λmax. Without warm starting, f = 0, any
//! convergent sweep will do. Source: docs/math.md, Sweeps; derived here.

use glam::{Mat3, Vec3};

use super::row::RowList;
use super::settings::{JacobiStep, Settings, Stabilization};
use super::solvers;
use super::spectrum::{self, Spectrum};
use super::stabilize;
use super::world::World;

/// Deeper than its slop by less than this a contact is at rest in it, m.
const ROUNDING: f32 = 1e-4;

/// How a world's solver converges, and what is wrong with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stability {
    pub spectrum: Spectrum,
    /// Sweeps a sub-step may take.
    pub sweeps: u32,
    /// Share of an error that they leave, ρ^N.
    pub left: f32,
    /// Sweeps for a decimal digit; infinite where the sweeps do not converge.
    pub sweeps_a_digit: f32,
    /// The fewest sweeps that warm starting and Baumgarte want together; nothing where any number will do or none does.
    pub enough: Option<u32>,
    pub warnings: Vec<Warning>,
}

/// A bound that is broken, with the numbers that break it. What is said of it: `scene/words/stability.rs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning {
    /// The rows have added this energy within the last seconds, J, which ends in an explosion: see [`grows`].
    Fed { joules: f64 },
    /// A light link under a heavy pull: h √(T L/I), which is to be below [`FOLLOWED`] and would be with so many
    /// sub-steps.
    Whipping { turn: f32, substeps: u32 },
    /// Jacobi diverges: ω is above its bound 2/λmax(D⁻¹A). Where ω is set by hand, `safe` is 1/n, which never overshoots.
    Overrelaxed { relaxation: f32, bound: f32, radius: f32, safe: Option<f32> },
    /// Warm starting feeds Baumgarte: f (1 + β) ρ^N ≥ 1, where `left` is ρ^N. With `enough` sweeps it does not.
    Feeding { factor: f32, beta: f32, radius: f32, sweeps: u32, left: f32, enough: u32 },
    /// Jacobi overshoots and an odd number of sweeps leaves an error's sign turned: (1 − ω λmax)ᴺ is below its bound.
    Swinging { overshoot: f32, sweeps: u32, left: f32, bound: f32, largest: f32 },
}

/// Judges the world as its last step has left it. Buffers are kept in `scratch`; at most `sweeps` sweeps on copies of
/// the rows for each of the two numbers, [`spectrum::SWEEPS`] for good ones.
pub fn stability(world: &World, scratch: &mut spectrum::Scratch, sweeps: u32) -> Stability {
    if world.system.rows.is_empty() && world.row_count > 0 {
        // Stepped in batches, it has kept no rows: those of a step more are as good.
        let mut copy = world.clone();
        copy.whole = true;
        copy.step();
        return judge(world, spectrum::estimate(&copy, scratch, sweeps));
    }
    judge(world, spectrum::estimate(world, scratch, sweeps))
}

/// The same from an estimate that is already there.
pub fn judge(world: &World, spectrum: Spectrum) -> Stability {
    let settings = &world.settings;
    let sweeps = settings.sweeps();
    let direct = solvers::of(settings.solver.method).exact;
    let radius = if direct { 0.0 } else { spectrum.radius };
    let converges = radius < 1.0;
    let mut stability = Stability {
        spectrum,
        sweeps,
        left: if direct { 0.0 } else { radius.powf(sweeps as f32) },
        sweeps_a_digit: if !converges {
            f32::INFINITY
        } else if radius > 0.0 {
            (std::f32::consts::LN_10 / -radius.ln()).max(1.0)
        } else {
            1.0
        },
        enough: None,
        warnings: Vec::new(),
    };
    stability.warnings.extend(whips(world));
    if direct || spectrum.rows == 0 {
        return stability;
    }
    let known = stability.warnings.len();
    stability.warnings.extend(overrelaxed(settings, &spectrum));
    if stability.warnings.len() == known {
        let (factor, beta) = (carried(settings), fed_back(world));
        let bound = 1.0 / (factor * (1.0 + beta));
        // Without Baumgarte the bound is 1/f, which a convergent sweep keeps.
        if beta > 0.0 && bound < 1.0 && radius > 0.0 {
            let enough = (bound.ln() / radius.ln()).floor() as u32 + 1;
            stability.enough = Some(enough);
            if sweeps < enough {
                let left = stability.left;
                stability.warnings.push(Warning::Feeding { factor, beta, radius, sweeps, left, enough });
            }
        }
        stability.warnings.extend(swinging(settings, &spectrum, factor, beta));
    }
    if stability.warnings.is_empty() {
        stability.warnings.extend(fed(world));
    }
    stability
}

/// Of the energy of motion, how much the rows may have added within some seconds before it is told.
const FED: f64 = 0.05;

/// Whether what the rows have added may be more than unrest, so that the motion is to be measured: see [`grows`].
pub fn may_grow(world: &World) -> bool {
    world.fed > LEAST_FED
}

/// Less than this is no growth, J.
const LEAST_FED: f64 = 1e-6;

/// Whether the rows add energy: a growth that ends in an explosion, told while it is small against the `motion` that
/// there is, J, of so much moving `mass`, kg.
pub fn grows(world: &World, motion: f64, mass: f64) -> bool {
    // What falls for three steps has ½ m (3 g h)²: less than that is the unrest of a few sweeps.
    let settings = &world.settings;
    let falls = 3.0 * f64::from(settings.step.gravity.length() * settings.h());
    world.fed > FED * motion + 0.5 * mass * falls * falls + LEAST_FED
}

/// What the rows have added and not taken out again.
fn fed(world: &World) -> Option<Warning> {
    world.metrics().growing.then_some(Warning::Fed { joules: world.fed })
}

/// ω h beyond which an explicit step cannot follow a swing.
pub const FOLLOWED: f32 = 2.0;

/// Whether a light link is pulled so hard just now that no step of this length follows its swing: [`Warning::Whipping`].
///
/// A light link between two joints that pull at it turns like −T L θ = I θ'': ω = √(T L/I). The rows know nothing of
/// it. The world's lists may be behind: see [`World::resident`].
pub fn whips(world: &World) -> Option<Warning> {
    let h = world.settings.h();
    let mut first: Vec<Option<(f32, Vec3)>> = vec![None; world.bodies.len()];
    let mut worst = 0.0f32;
    let mut list = RowList::default();
    for (number, joint) in world.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let force = world.joint_now(number, &mut list).1.force.length();
        // A lock or a motor beside a ball pulls at nothing.
        if force == 0.0 {
            continue;
        }
        for (index, anchor) in [(joint.def.a, joint.def.anchor_a), (joint.def.b, joint.def.anchor_b)] {
            let body = &world.bodies[index as usize];
            if !body.is_dynamic() {
                continue;
            }
            let Some((other, end)) = first[index as usize].replace((force, anchor)) else { continue };
            let along = anchor - end;
            let inertia = across(body.inertia_local, along);
            if inertia > 0.0 {
                worst = worst.max(h * (force.min(other) * along.length() / inertia).sqrt());
            }
        }
    }
    let substeps = (worst / FOLLOWED).ceil() as u32 * world.settings.step.substeps;
    (worst > FOLLOWED).then_some(Warning::Whipping { turn: worst, substeps })
}

/// The least moment of inertia across a direction, kg m²; zero where nothing turns.
fn across(inertia: Mat3, along: Vec3) -> f32 {
    let Some(direction) = along.try_normalize() else { return 0.0 };
    let (u, v) = direction.any_orthonormal_pair();
    u.dot(inertia * u).min(v.dot(inertia * v))
}

/// The share of the old impulses that is used.
fn carried(settings: &Settings) -> f32 {
    if settings.warm_start.enabled { settings.warm_start.factor } else { 0.0 }
}

/// The largest β that is fed back through the velocities by a joint, or by the world's contacts.
fn fed_back(world: &World) -> f32 {
    let beta = |settings: &Settings| match settings.stabilization.method {
        Stabilization::Baumgarte => settings.stabilization.beta,
        _ => 0.0,
    };
    let holding = world.joints.iter().filter(|joint| joint.broken.is_none());
    let joints = holding.map(|joint| beta(&stabilize::settings_of(joint, &world.settings)));
    // Within its slop a contact asks for nothing: a stack at rest feeds nothing back.
    let slop = world.settings.contact.slop + ROUNDING;
    let points = world.contacts.manifolds().flat_map(|(_, _, manifold)| &manifold.points);
    let contacts = points
        .map(|p| p.separation)
        .find(|s| *s < -slop)
        .map(|_| beta(&stabilize::settings_of_contacts(&world.settings)));
    joints.chain(contacts).fold(0.0, f32::max)
}

/// ω ≥ 2/λmax(D⁻¹A).
fn overrelaxed(settings: &Settings, spectrum: &Spectrum) -> Option<Warning> {
    let bound = 2.0 / spectrum.largest;
    let over = solvers::of(settings.solver.method).at_once && spectrum.relaxation > bound && spectrum.radius > 1.0;
    let manual = settings.solver.jacobi == JacobiStep::Manual;
    let safe = manual.then(|| 1.0 / spectrum.meeting.max(1) as f32);
    let Spectrum { relaxation, radius, .. } = *spectrum;
    over.then_some(Warning::Overrelaxed { relaxation, bound, radius, safe })
}

/// r ≤ −(2 − β)/(2 + 4 f + β) for the mode that overshoots most, where an odd number of sweeps leaves its sign.
fn swinging(settings: &Settings, spectrum: &Spectrum, factor: f32, beta: f32) -> Option<Warning> {
    let (sweeps, overshoot) = (settings.sweeps(), 1.0 - spectrum.relaxation * spectrum.largest);
    if !solvers::of(settings.solver.method).at_once || sweeps.is_multiple_of(2) || overshoot >= 0.0 || factor == 0.0 {
        return None;
    }
    let left = -(-overshoot).powf(sweeps as f32);
    let bound = -(2.0 - beta) / (2.0 + 4.0 * factor + beta);
    (left <= bound).then_some(Warning::Swinging { overshoot, sweeps, left, bound, largest: spectrum.largest })
}
