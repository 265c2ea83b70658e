//! Divides a RATTLE step into shorter ones if a mechanism whips in it.
//!
//! A step moves each body along a straight line and rotates it about a fixed axis. But joints make their anchors move
//! along circles. The straight step misses them by
//! ```text
//! b = ½ h (ω_B × (ω_B × r_B) − ω_A × (ω_A × r_A))             as a velocity, where two anchors coincide
//! b = ½ h ‖v⊥‖²/L + the same along the rod                    where a rod of length L keeps them apart
//! ```
//! RATTLE's impulses bend the velocities by b (`shake.rs`). That is correct to second order in h. When three bars crack
//! like a whip, higher orders matter: one such step makes an energy error that no later step removes. So a step is
//! divided if a large share of the kinetic energy changes direction in it. The measure is an angle:
//! ```text
//! θ = 2 √(Σ ½ μ b² / E),   1/μ = 1/m_A + 1/m_B;               θ = ω h for a bead on a weightless arm
//! ```
//! The sum is over the joints of a mechanism, and E is the kinetic energy of its bodies. If no fixed body holds the
//! mechanism, E leaves out the motion of the common centre of mass. A light link that whirls at the end of heavy ones
//! adds little to θ.
//!
//! But no single link may turn too far either, however light it is. Otherwise the rounds that close its joint do not
//! converge. The joint opens, and closing it later adds energy. So each link has an angle φ of its own. It comes from
//! the link's motion or from the impulse λ of its joint's pull, whichever gives more:
//! ```text
//! φ² = h max(2 b, λ/μ)/L     L: sum of the anchors' distances from the two centres of mass
//!                            φ = ω h for a bead on a weightless arm
//! ```
//! If the anchor is nearer to the centre of mass than the radius of gyration k, L is k for the motion, and k²/L for the
//! pull.
//!
//! The pull matters when a chain snaps taut. Its links lie straight and hardly turn yet, but they swing sideways at the
//! rate √(λ/(h μ L)).
//!
//! The number of parts is the first of 1, 2, 4 … 256 for which θ/parts ≤ `step.max_turn` and φ/parts ≤ `MAX_LINK_ANGLE`,
//! **at the start of the step and at the end of each sub-step**. A rule that looks only at the start divides one step too late
//! when a crack begins, but stops on time when it ends. This asymmetry always removes energy: three bars lose a quarter
//! of their swing in a minute. A rule that is symmetric in time does not drift (Hairer, Lubich and Wanner 2006,
//! VIII.1). The later angles are known only after the step. So the step is a trial, and is made again in more parts if
//! they are too large. For example, a chain may hang slack at both ends of a step, and snap taut between them.
//!
//! A step may still open a joint, because the rounds that close it did not converge. Then it is made again in twice as
//! many parts. If a step stretches a rope, as when a net snaps taut, the stretch itself gives the number of parts.
//!
//! If one mechanism asks for parts, all bodies take them. So a mechanism may ask only for 256 parts times its share of
//! the moving bodies: that costs as much as 256 parts of a world in which it is alone. With more than
//! `MAX_BODIES_FOR_ALL_PARTS` moving bodies it may ask for fewer. If no mechanism may ask for more than one part, there
//! is no trial and no state is saved. A mechanism that turns out to be taut is then corrected as taut from the next
//! step on.
//!
//! A mechanism that bears on something in the step (a contact or a stop) does not conserve its energy anyway, so θ does
//! not count. Impulses of its joints from an impact do not count either: they are as large in short parts as in a long
//! one. So φ uses the smaller pull of two successive sub-steps. The pull of a rope that slides over a drum under a
//! load lasts, and counts. Taut mechanisms are not divided: see `taut.rs`.
//!
//! A free body that touches something nutates by h ‖L‖/I in a sub-step, with I its middle principal inertia. The contact
//! and the gyroscopic term act one after the other, and a top would fall over. So this angle is kept below `MAX_LINK_ANGLE`, too.
//! On joints that let its axis tilt, as a gyroscope's pivot or gimbals, it is kept below 1 rad.
//!
//! A step starts from the midpoint velocities of the step before, v(n) − ½ h a. A step in k parts starts from v(n) − ½
//! (h/k) a (`rattle/`). These differ partly by the joints' impulses. That part lies along the rows that the step solves
//! first, so the result does not depend on how much of it is used.
//!
//! Steps in batches and steps on the graphics device are not divided.

mod angles;
pub(crate) mod before;
mod links;
pub(crate) mod measure;
mod spins;
pub(crate) mod taut;

use super::solvers::parts::Parts;
use super::solvers::step::Scratches;
use super::whole_step;

/// Makes a step of all bodies together in as many parts as it needs. `few`: whether the bodies are so few that they are
/// always stepped together.
pub(crate) fn step(parts: &mut Parts<'_>, scratches: &mut Scratches, few: bool) {
    let settings = parts.settings;
    if !measure::may_divide(settings, parts.state, few) {
        taut::release(parts.state);
        whole_step::step(parts, scratches, 1);
        return;
    }
    let watch = &mut parts.buffers.divide;
    watch.watch_step(settings, parts.state, few);
    if !watch.can_divide() {
        whole_step::step(parts, scratches, 1);
        let watch = &mut parts.buffers.divide;
        watch.measure(settings, parts.state, None, settings.h());
        let is_taut = taut::find(watch, 1);
        taut::count_down(settings, parts.state, watch, 1);
        if is_taut {
            taut::mark(settings, parts.state, watch);
        }
        watch.watched = false;
        return;
    }
    let mut count = watch.wanted_parts(1);
    let mut before = watch.before.take().unwrap_or_default();
    before.keep(parts.state, parts.report, parts.probe);
    loop {
        parts.buffers.divide.reset_trial();
        whole_step::step(parts, scratches, count);
        let watch = &mut parts.buffers.divide;
        watch.measure(settings, parts.state, None, settings.h() / count as f32);
        // The step was not made: see `World::step`.
        if parts.state.step_count == before.state.step_count {
            break;
        }
        let is_taut = taut::find(watch, count);
        let more = watch.wanted_parts(count).max(watch.parts_to_close(count));
        if more <= count && !is_taut {
            break;
        }
        before.restore(parts.state, parts.report, parts.probe);
        if is_taut {
            taut::mark(settings, parts.state, &mut parts.buffers.divide);
        }
        // The next trial also begins with the marks of taut joints.
        before.keep(parts.state, parts.report, parts.probe);
        count = more;
    }
    taut::count_down(settings, parts.state, &mut parts.buffers.divide, count);
    parts.buffers.divide.watched = false;
    parts.buffers.divide.before = Some(before);
}
