//! Whether a world's settings are stable: the bounds within which sweeps and warm starting converge, each with its
//! numbers.
//!
//! ```text
//! r = ρ^N  the share of an error that N sweeps leave;  f  warm-start factor;  s = 1 − r
//! one mode, K = 1, C/h = c:   λ' = r f λ + s (−w − β c),   w' = w + λ',   c' = c + w'
//! characteristic polynomial   z³ − (r f + r + 1 − s β) z² + (2 r f + r) z − r f
//! all |z| < 1 (Jury)          f (1 + β) r < 1                  else a complex pair leaves the circle: errors swing up
//!                             r > −(2 − β)/(2 + 4 f + β)       else a root passes −1: odd N of a sweep that overshoots
//! ```
//! β is 0 unless errors are corrected through the velocities (Baumgarte). With f = 1 the first bound is ρ^N < 1/(1 +
//! β). The second, r > −1/3 without β, matters for Jacobi beyond ω = 1/λmax. Without warm starting, f = 0, any
//! convergent sweep is stable. Source: docs/math.md, Sweeps; derived here.

use glam::{Mat3, Vec3};

use super::body::WORLD;
use super::graph::Lists;
use super::row::RowList;
use super::settings::{JacobiStep, Settings, Stabilization};
use super::solvers::properties;
use super::spectrum::{self, Spectrum};
use super::stabilize;
use super::world::World;

/// A contact that exceeds its slop by less than this counts as at rest in it, m.
const ROUNDING: f32 = 1e-4;

/// How a world's solver converges, and which bounds its settings break.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stability {
    pub spectrum: Spectrum,
    /// The most sweeps of a sub-step.
    pub sweeps: u32,
    /// The share of an error that these sweeps leave, ρ^N.
    pub left: f32,
    /// Sweeps per decimal digit; infinite where the sweeps do not converge.
    pub sweeps_a_digit: f32,
    /// The fewest sweeps with which warm starting and Baumgarte together are stable; `None` where any number will do,
    /// or none.
    pub sweeps_needed: Option<u32>,
    pub warnings: Vec<Warning>,
}

/// A bound that is broken, with the numbers that break it. Its words are in `scene/words/stability.rs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning {
    /// The rows have added this energy within the last seconds, J, which ends in an explosion: see [`grows`].
    EnergyInjected { joules: f64 },
    /// A light link under a great tension: `turn` is h √(T L/I), which must be below [`FOLLOWED`]. It would be with
    /// `substeps` sub-steps.
    Whipping { turn: f32, substeps: u32 },
    /// Jacobi diverges: ω is above its bound 2/λmax(D⁻¹A). Where ω is set by hand, `safe` is 1/n, which never
    /// overshoots.
    Overrelaxed { relaxation: f32, bound: f32, radius: f32, safe: Option<f32> },
    /// Warm starting and Baumgarte amplify errors: f (1 + β) ρ^N ≥ 1, where `left` is ρ^N. With `sweeps_needed` sweeps they
    /// do not.
    Feeding { factor: f32, beta: f32, radius: f32, sweeps: u32, left: f32, sweeps_needed: u32 },
    /// Jacobi overshoots, and an odd number of sweeps turns an error's sign: (1 − ω λmax)ᴺ is below its bound.
    Swinging { overshoot: f32, sweeps: u32, left: f32, bound: f32, largest: f32 },
}

/// Judges the world after its last step. Each of the two numbers takes at most `sweeps` sweeps on copies of the rows;
/// [`spectrum::SWEEPS`] makes them accurate. `scratch` keeps the buffers.
pub fn stability(world: &World, scratch: &mut spectrum::Scratch, sweeps: u32) -> Stability {
    if world.system.rows.is_empty() && world.report.row_count > 0 {
        // A world stepped in batches keeps no rows. Those of one more step serve as well.
        let mut copy = world.clone();
        copy.pipeline.executor.keep_rows = true;
        copy.step();
        return judge(world, spectrum::estimate(&copy, scratch, sweeps));
    }
    judge(world, spectrum::estimate(world, scratch, sweeps))
}

/// The same from a given estimate.
pub fn judge(world: &World, spectrum: Spectrum) -> Stability {
    let settings = &properties::resolved(&world.settings);
    let sweeps = settings.sweeps();
    let direct = properties::of(settings.solver.method).exact;
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
        sweeps_needed: None,
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
        // Without Baumgarte the bound is 1/f, which any convergent sweep meets.
        if beta > 0.0 && bound < 1.0 && radius > 0.0 {
            let sweeps_needed = (bound.ln() / radius.ln()).floor() as u32 + 1;
            stability.sweeps_needed = Some(sweeps_needed);
            if sweeps < sweeps_needed {
                let left = stability.left;
                stability.warnings.push(Warning::Feeding { factor, beta, radius, sweeps, left, sweeps_needed });
            }
        }
        stability.warnings.extend(swinging(settings, &spectrum, factor, beta));
    }
    if stability.warnings.is_empty() {
        stability.warnings.extend(injected(world));
    }
    stability
}

/// Share of the kinetic energy that the rows may add within some seconds before it is reported.
pub const INJECTED_SHARE: f64 = 0.05;

impl World {
    /// Whether rows have added enough energy that its growth should be measured: see [`Metrics::growing`].
    ///
    /// [`Metrics::growing`]: crate::metrics::Metrics::growing
    pub fn may_grow(&self) -> bool {
        self.state.injected.joules() > LEAST_INJECTED
    }
}

/// Added energy up to this is never growth, J.
const LEAST_INJECTED: f64 = 1e-6;

/// Whether the rows add energy in a way that ends in an explosion. It is reported while it is small against the
/// kinetic energy `motion`, J, of the moving `mass`, kg.
pub fn grows(world: &World, motion: f64, mass: f64) -> bool {
    // A fall of three steps gives ½ m (3 g h)². Less than that is the noise of unfinished sweeps.
    let settings = &properties::resolved(&world.settings);
    let falls = 3.0 * f64::from(settings.step.gravity.length() * settings.h());
    world.state.injected.joules() > INJECTED_SHARE * motion + 0.5 * mass * falls * falls + LEAST_INJECTED
}

/// The warning about energy that the rows have added and not taken out again.
fn injected(world: &World) -> Option<Warning> {
    world.metrics().growing.then_some(Warning::EnergyInjected { joules: world.state.injected.joules() })
}

/// h ω above which an explicit step cannot follow an oscillation.
pub const FOLLOWED: f32 = 2.0;

/// Whether the present tension of a light link is so large that no step of this length follows its oscillation:
/// [`Warning::Whipping`].
///
/// A light link between two joints that pull at it obeys I θ'' = −T L θ: ω = √(T L/I). The rows do not contain this
/// stiffness. A link that is already torn about bears less than before, so the sub-steps that are advised are those for
/// what hangs on it, if that is more. The world's lists may be behind: see
/// [`Executor::resident`](crate::world::Executor::resident).
pub fn whips(world: &World) -> Option<Warning> {
    let mut list = RowList::default();
    let turn = fastest(world, |joint| world.joint_now(joint, &mut list).1.force.length());
    (turn > FOLLOWED).then(|| {
        let hung = hanging_weights(world);
        let whole = turn.max(fastest(world, |joint| hung[joint]));
        let substeps = (whole / FOLLOWED * world.settings.step.substeps as f32).floor() as u32 + 1;
        Warning::Whipping { turn, substeps }
    })
}

/// The weight that hangs on each joint, N: that of all bodies beyond it, seen from those that do not move.
fn hanging_weights(world: &World) -> Vec<f32> {
    let gravity = world.settings.step.gravity.length();
    let end = |body: u32| if world.state.bodies[body as usize].is_dynamic() { body } else { WORLD };
    let ends = |joint: usize| [world.state.joints[joint].def.a, world.state.joints[joint].def.b].map(end);
    let holding = (0..world.state.joints.len()).filter(|joint| world.state.joints[*joint].broken.is_none());
    let mut at = Lists::default();
    at.fill(world.state.bodies.len(), holding.flat_map(|joint| ends(joint).map(|end| (end, joint as u32))));
    let mut above: Vec<Option<(u32, u32)>> = vec![None; world.state.bodies.len()];
    let (mut order, mut next) = (vec![WORLD], 0);
    while next < order.len() {
        let here = order[next];
        next += 1;
        for joint in at.at(here) {
            let [a, b] = ends(*joint as usize);
            let there = if a == here { b } else { a };
            if there != WORLD && above[there as usize].is_none() {
                above[there as usize] = Some((here, *joint));
                order.push(there);
            }
        }
    }
    let mut masses: Vec<f32> = world.state.bodies.iter().map(|body| body.mass).collect();
    let mut weights = vec![0.0; world.state.joints.len()];
    for body in order.into_iter().rev() {
        if let Some((up, joint)) = above[body as usize] {
            masses[up as usize] += masses[body as usize];
            weights[joint as usize] = masses[body as usize] * gravity;
        }
    }
    weights
}

/// The largest h √(T L/I) of a link whose joints pull with these forces, N.
fn fastest(world: &World, mut force: impl FnMut(usize) -> f32) -> f32 {
    let h = world.settings.h();
    let mut first: Vec<Option<(f32, Vec3)>> = vec![None; world.state.bodies.len()];
    let mut worst = 0.0f32;
    for (number, joint) in world.state.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let force = force(number);
        // Such as a lock or a motor next to a ball joint, which carries no force.
        if force == 0.0 {
            continue;
        }
        for (index, anchor) in [(joint.def.a, joint.def.anchor_a), (joint.def.b, joint.def.anchor_b)] {
            let body = &world.state.bodies[index as usize];
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
    worst
}

/// Moment of inertia across a direction, kg m²: the smaller about two axes across it; zero where `along` is zero.
pub fn across(inertia: Mat3, along: Vec3) -> f32 {
    let Some(direction) = along.try_normalize() else { return 0.0 };
    let (u, v) = direction.any_orthonormal_pair();
    u.dot(inertia * u).min(v.dot(inertia * v))
}

/// The share of the old impulses that warm starting uses.
fn carried(settings: &Settings) -> f32 {
    if settings.warm_start.enabled { settings.warm_start.factor } else { 0.0 }
}

/// The largest β that joints or contacts feed back through the velocities.
fn fed_back(world: &World) -> f32 {
    let beta = |settings: &Settings| match settings.stabilization.method {
        Stabilization::Baumgarte => settings.stabilization.beta,
        _ => 0.0,
    };
    let holding = world.state.joints.iter().filter(|joint| joint.broken.is_none());
    let settings = &properties::resolved(&world.settings);
    let joints = holding.map(|joint| beta(&stabilize::settings_of(joint, settings)));
    // A contact within its slop asks for no correction, so a stack at rest feeds nothing back.
    let mut over =
        world.state.contacts.manifolds().flat_map(|(_, _, manifold)| {
            manifold.points.iter().map(|point| point.separation + manifold.slop + ROUNDING)
        });
    let contacts = over.find(|over| *over < 0.0).map(|_| beta(&stabilize::settings_of_contacts(settings)));
    joints.chain(contacts).fold(0.0, f32::max)
}

/// Whether ω exceeds 2/λmax(D⁻¹A).
fn overrelaxed(settings: &Settings, spectrum: &Spectrum) -> Option<Warning> {
    let bound = 2.0 / spectrum.largest;
    let over = properties::of(settings.solver.method).at_once && spectrum.relaxation > bound && spectrum.radius > 1.0;
    let manual = settings.solver.jacobi == JacobiStep::Manual;
    let safe = manual.then(|| 1.0 / spectrum.blocks_per_body.max(1) as f32);
    let Spectrum { relaxation, radius, .. } = *spectrum;
    over.then_some(Warning::Overrelaxed { relaxation, bound, radius, safe })
}

/// Whether r ≤ −(2 − β)/(2 + 4 f + β) for the mode that overshoots most, with an odd number of sweeps.
fn swinging(settings: &Settings, spectrum: &Spectrum, factor: f32, beta: f32) -> Option<Warning> {
    let (sweeps, overshoot) = (settings.sweeps(), 1.0 - spectrum.relaxation * spectrum.largest);
    if !properties::of(settings.solver.method).at_once || sweeps.is_multiple_of(2) || overshoot >= 0.0 || factor == 0.0
    {
        return None;
    }
    let left = -(-overshoot).powf(sweeps as f32);
    let bound = -(2.0 - beta) / (2.0 + 4.0 * factor + beta);
    (left <= bound).then_some(Warning::Swinging { overshoot, sweeps, left, bound, largest: spectrum.largest })
}
