//! Free rotation: the gyroscopic term, which changes the angular velocity of a body with unequal inertias.
//!
//! ```text
//! Π = I ω in the body's axes,  Π-dot = −ω × Π                      Euler's equation; R Π is constant in the world
//! mean ω M over h:   I M + c M × I M = Π,  c = tan(h‖M‖/2)/‖M‖
//! turn  R' = R exp(h M);   ω after  ω' = 2 M − ω
//! ```
//! With T = c \[M\]×, exp(−h \[M\]×) = (1 − T)(1 + T)⁻¹ (Cayley; the tangent makes it the exponential map). So Π' = I
//! ω' = I M − c M × I M = (1 − T)(1 + T)⁻¹ Π = exp(−h \[M\]×) Π, and R' Π' = R Π: the angular momentum is kept in size
//! *and* direction. And ½ (ω'·Π' − ω·Π) = ½ (ω' + ω)·(Π' − Π) = −2 c M·(M × I M) = 0: the energy is kept, too. With
//! c = h/2 it is the implicit midpoint rule. Both laws hold for every h. What remains is an error of second order in h
//! in the timing of the motion, so the step is divided into parts (`free_rotation.rs`). M is found by Newton steps in 64
//! bits, because rounding errors of one sign would add up over hours.
//!
//! A body that something holds has to move as its rows require. Its pose follows the velocity that the solver leaves,
//! and only the change ω' − ω of the above is applied, before the rows are solved. It is evaluated at the angular
//! velocity with half of the step's impulses: the step is then the same forwards and backwards in time, and the energy
//! of a spinning mechanism oscillates without drifting. The old impulses are a first estimate of the step's; between the
//! sweeps of SHAKE and RATTLE the term is evaluated again (`reevaluate`). The direct solver uses the old ones only. Its
//! impulses in a loop with redundant rows are not unique, and with them a coasting shaft lost 0.03 % of its speed in 100 s.
//!
//! The axle of a gyroscope shows why half of the impulses is right. A
//! wheel of inertia I about its axle and T across it is held by one end of the axle, at the distance a from its
//! centre; the torque τ of its weight makes the axle precess at Ω = τ/(I ω). Steady motion needs I s = (I − T)(s − M)
//! about the vertical, where s is the downward angular speed of the axle and M the one at which the term is evaluated.
//! Two effects make s and M differ:
//!
//! ```text
//! order     the kick τ h/T and the term that deflects it are applied one after the other: s − M = (½ − f) τ h/T,
//!           f the share of the kick that the term sees; (1 − …) τ h/T where it is evaluated at the step's end
//! tangent   the axle rotates about the old ω, ½ h² ω Ω too high, while the centre moves straight on; the correction
//!           of the anchor takes m a²/(T + m a²) of that back by a rotation
//! s = (1 − T/I) (m a²/(T + m a²) T/I + 1 − 2 f) τ h/(2 T)          f = 0 without warm starting, ½ with it
//! s = (1 − T/I) (2 − T/(T + m a²) T/I) τ h/(2 T)                   the term at the step's end
//! ```
//! So warm starting removes the greater part of s, and sub-steps the rest.
//!
//! The older term is one Newton step for f(ω') = I (ω' − ω) + h ω' × I ω' = 0 at the step's end. It cannot gain energy
//! but loses it. It is kept for comparison.
//! Source: Simo and Wong 1991, Austin, Krishnaprasad and Wang 1993 (the midpoint rule and the Cayley map); derived
//! here.

use glam::{Mat3, Quat, Vec3, Vec3A};

use super::body::{Body, Motion, Velocity};
use super::free_rotation::{self, Freely, LANES, Rotations, Symmetric};
use super::settings::{Gyroscopic, Settings};
use super::world::state::State;

/// A body with a gyroscopic term in the present step.
#[derive(Debug, Clone, Copy)]
pub struct GyroscopicTerm {
    pub body: u32,
    /// Its angular velocity before the impulses of the step, rad/s, world axes.
    before: Vec3A,
    /// Change by the gyroscopic term, rad/s, world axes, and the change by impulses at which it was evaluated.
    pub change: Vec3A,
    impulses: Vec3A,
    /// The sum of the changes of `change` by [`reevaluate`], rad/s.
    altered: Vec3A,
    /// The body's step if nothing touches it; `None` where the old impulses already act on it.
    free: Option<Free>,
}

/// The step of a body that nothing touches: the angular velocity that the solver starts from, and orientation and angular
/// velocity at the step's end. rad/s, world axes.
#[derive(Debug, Clone, Copy)]
struct Free {
    solver_velocity: Vec3A,
    rotation: Quat,
    omega: Vec3A,
}

impl GyroscopicTerm {
    /// Orientation and angular velocity, rad/s, world axes, at the step's end, if the solver has left the angular
    /// velocity as it was.
    pub fn free(&self, now: &Velocity) -> Option<(Quat, Vec3A)> {
        self.free.filter(|free| free.solver_velocity == now.angular).map(|free| (free.rotation, free.omega))
    }
}

/// Notes the angular velocities before any impulse is applied.
pub(crate) fn collect_terms(settings: &Settings, state: &State, terms: &mut Vec<GyroscopicTerm>) {
    terms.clear();
    if settings.step.gyroscopic == Gyroscopic::Off {
        return;
    }
    for (index, (body, velocity)) in state.bodies.iter().zip(&state.velocities).enumerate() {
        if body.motion == Motion::Dynamic && !body.isotropic {
            terms.push(GyroscopicTerm {
                body: index as u32,
                before: velocity.angular,
                change: Vec3A::ZERO,
                impulses: Vec3A::ZERO,
                altered: Vec3A::ZERO,
                free: None,
            });
        }
    }
}

/// Applies the gyroscopic term over `h` seconds. The old impulses have been applied since [`collect_terms`] or are in
/// `deferred`.
pub(crate) fn apply(
    settings: &Settings,
    state: &mut State,
    terms: &mut [GyroscopicTerm],
    deferred: Option<&[Velocity]>,
    h: f32,
) {
    let (bodies, velocities) = (&mut state.bodies, &mut state.velocities);
    if settings.step.gyroscopic == Gyroscopic::Implicit {
        for term in terms {
            let (body, velocity) = (&bodies[term.body as usize], &mut velocities[term.body as usize]);
            term.change = end(&body.inertia_local, body.rotation, term.before, h);
            velocity.angular += term.change;
        }
        return;
    }
    for term in terms.iter_mut() {
        let body = term.body as usize;
        term.impulses =
            deferred.map_or_else(|| velocities[body].angular - term.before, |deferred| deferred[body].angular);
    }
    for four in terms.chunks_mut(LANES) {
        evaluate_four(four, (bodies, velocities), h);
    }
}

/// Other impulses cause another evaluation if, through the term, they change a sub-step's turn by more than half of
/// this, rad.
const TERM_TOLERANCE: f32 = 0.02 * SETTLED;
/// A body that turns by more than this in a sub-step, rad, keeps the term that the old impulses gave. Evaluating
/// impulses and term in turn would hardly converge there, and the old impulses damp its nutation.
const FOLLOWED: f32 = 1.0;
/// The term is evaluated until it changes the turn of a sub-step by less than this, rad. While a wheel nutates the
/// errors have one sign and add up: with 1e-5 rad the axle of a gyroscope of 200 rad/s sank by 1° in 20 s.
pub(crate) const SETTLED: f32 = 1e-7;

/// Evaluates the gyroscopic term again, with the impulses that the sweeps of a sub-step of `h` seconds have come to.
/// All impulses are to be in the velocities. Marks the bodies in `turned`, by index, that it turns by more than
/// [`SETTLED`], and returns whether there are any. `only`: the bodies whose term may change, by index; all without it.
pub(crate) fn reevaluate(
    settings: &Settings,
    state: &mut State,
    terms: &mut [GyroscopicTerm],
    h: f32,
    only: Option<&[bool]>,
    turned: &mut [bool],
) -> bool {
    // In the first sub-step of a run, only half of the term is applied.
    if settings.step.gyroscopic != Gyroscopic::Midpoint || state.rattle.is_halved() {
        return false;
    }
    let (bodies, velocities) = (&state.bodies, &mut state.velocities);
    let mut any = false;
    for four in terms.chunks_mut(LANES) {
        let impulses = |term: &GyroscopicTerm| velocities[term.body as usize].angular - term.before - term.change;
        let follows = |term: &GyroscopicTerm| {
            only.is_none_or(|only| only[term.body as usize])
                && differs(term.before.length(), impulses(term) - term.impulses, h)
        };
        if !four.iter().any(follows) {
            continue;
        }
        for term in four.iter_mut().filter(|term| follows(term)) {
            term.impulses = impulses(term);
        }
        let old: [Vec3A; LANES] = std::array::from_fn(|lane| four.get(lane).map_or(Vec3A::ZERO, |term| term.change));
        evaluate_four(four, (bodies, velocities), h);
        for (term, old) in four.iter_mut().zip(old) {
            let difference = term.change - old;
            term.altered += difference;
            if h * difference.length() > SETTLED {
                (turned[term.body as usize], any) = (true, true);
            }
        }
    }
    any
}

/// Whether other impulses, which change the angular velocity of a body by `change`, change its term. `spin` is its
/// angular speed; both rad/s.
pub(crate) fn differs(spin: f32, change: Vec3A, h: f32) -> bool {
    h * spin < FOLLOWED && h * h * spin * change.length() > TERM_TOLERANCE
}

/// Adds to velocities that were saved before [`reevaluate`] what it has altered since.
pub(crate) fn add_later_changes(terms: &[GyroscopicTerm], velocities: &mut [Velocity]) {
    terms.iter().for_each(|term| velocities[term.body as usize].angular += term.altered);
}

/// Evaluates the term for up to four bodies, in place of what it was.
fn evaluate_four(four: &mut [GyroscopicTerm], (bodies, velocities): (&[Box<Body>], &mut [Velocity]), h: f32) {
    // Lanes without a body repeat the first one.
    let index = std::array::from_fn(|lane| four.get(lane).unwrap_or(&four[0]).body as usize);
    let four_bodies = index.map(|index: usize| &*bodies[index]);
    let middle = std::array::from_fn(|lane| {
        let term = four.get(lane).unwrap_or(&four[0]);
        (term.before + term.impulses * 0.5).as_dvec3()
    });
    let frame = Rotations::gather(four_bodies.map(|body| body.rotation.as_dquat())).normalized();
    let middle = frame.conjugate().rotate(free_rotation::gather(middle));
    let inertia = Symmetric::gather(four_bodies.map(|body| &body.inertia_local));
    let inverse = Symmetric::gather(four_bodies.map(|body| &body.inv_inertia_local));
    let Freely { rotation: way, after, found } = free_rotation::free(&inertia, &inverse, middle, f64::from(h));
    // Only the change passes through the quaternion, so that rounding cannot make ω grow.
    let change = frame.rotate(after - middle);
    let found = found.to_bitmask();
    for (lane, term) in four.iter_mut().enumerate().filter(|(lane, _)| found >> lane & 1 == 1) {
        let omega = &mut velocities[term.body as usize].angular;
        let change = free_rotation::lane(&change, lane);
        *omega = (omega.as_dvec3() + change - term.change.as_dvec3()).as_vec3a();
        term.change = change.as_vec3a();
        if term.impulses == Vec3A::ZERO {
            let rotation = (frame.body(lane) * way.body(lane)).normalize().as_quat();
            let spun = rotation.as_dquat().normalize() * free_rotation::lane(&after, lane);
            term.free = Some(Free { solver_velocity: *omega, rotation, omega: spun.as_vec3a() });
        }
    }
}

/// Change of an angular velocity by the gyroscopic term over `h` seconds, rad/s, world axes. `omega` is the angular
/// velocity before impulses and `impulses` the change by old impulses, both rad/s, world axes; the inertia, kg m², and
/// its inverse are in body axes.
pub fn change(
    (inertia, inverse): (&Mat3, &Mat3),
    rotation: Quat,
    omega: Vec3,
    impulses: Vec3,
    form: Gyroscopic,
    h: f32,
) -> Vec3 {
    match form {
        Gyroscopic::Off => Vec3::ZERO,
        Gyroscopic::Implicit => end(inertia, rotation, omega.into(), h).into(),
        Gyroscopic::Midpoint => {
            let frame = Rotations::gather([rotation.as_dquat(); LANES]).normalized();
            let middle = frame.conjugate().rotate(free_rotation::gather([(omega + impulses * 0.5).as_dvec3(); LANES]));
            let [inertia, inverse] = [inertia, inverse].map(|m| Symmetric::gather([m; LANES]));
            let Freely { after, found, .. } = free_rotation::free(&inertia, &inverse, middle, f64::from(h));
            if found.to_bitmask() == 0 {
                Vec3::ZERO
            } else {
                free_rotation::lane(&frame.rotate(after - middle), 0).as_vec3()
            }
        }
    }
}

/// The change of an angular velocity by one Newton step of Euler's equation at the step's end, rad/s, world axes.
fn end(inertia: &Mat3, rotation: Quat, omega: Vec3A, h: f32) -> Vec3A {
    let w = rotation.inverse() * Vec3::from(omega);
    let momentum = *inertia * w;
    let skew =
        |v: Vec3| Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0));
    let slope = (*inertia + (skew(w) * *inertia - skew(momentum)) * h).as_dmat3();
    let change = rotation * (slope.inverse() * (w.cross(momentum) * h).as_dvec3()).as_vec3();
    if change.is_finite() { (-change).into() } else { Vec3A::ZERO }
}
