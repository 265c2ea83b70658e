//! Divides the steps of RATTLE in which a mechanism whips into shorter ones.
//!
//! A step moves each body along a straight line and rotates it about a fixed axis. Joints guide their anchors along
//! circles, which such a step misses by
//! ```text
//! b = ½ h (ω_B × (ω_B × r_B) − ω_A × (ω_A × r_A))             as a velocity, where two anchors coincide
//! b = ½ h ‖v⊥‖²/L + the same along the rod                    where a rod of length L keeps them apart
//! ```
//! RATTLE's impulses bend the velocities by that much (`shake.rs`), which is right to second order in h. Where three
//! bars crack like a whip, higher orders count: one such step makes an error in energy that no later step takes back.
//! So a step is divided where a large share of the kinetic energy changes direction, measured as an angle:
//! ```text
//! θ = 2 √(Σ ½ μ b² / E),   1/μ = 1/m_A + 1/m_B;               θ = ω h for a bead on a weightless arm
//! ```
//! The sum is over the joints of a mechanism. E is the kinetic energy of its bodies, without that of the motion of
//! their common centre of mass where nothing holds them. A light link that whirls at the end of heavy ones has a small
//! share of it.
//!
//! A single link must not turn too far either, however light it is. Otherwise the rounds that close its joint do not
//! converge: the joint opens, and what closes it later feeds energy. So each link has an angle of its own, by its
//! motion or by the pull λ of its joint, whichever is more:
//! ```text
//! φ² = h max(2 b, λ/μ)/L     L: the anchors' distances from the two centres; φ = ω h for a bead on a weightless arm
//! ```
//! For an anchor nearer to the centre than the radius of gyration k, L is k, and k²/L for the pull.
//!
//! The pull counts where a chain snaps taut: its links lie straight and hardly turn yet, but swing across at √(λ/(h μ
//! L)).
//!
//! The step is made in the first of 1, 2, 4 … 256 parts for which θ/parts is at most `step.max_turn` and φ/parts at most
//! `LINK`, **where the step begins and at the end of each sub-step**. A rule that looks at the beginning alone enters
//! a crack one step late and leaves it on time, and the difference always takes energy out: three bars lose a quarter
//! of their swing in a minute. A rule that is symmetric in time does not drift (Hairer, Lubich and Wanner 2006,
//! VIII.1). What comes later in a step is known only once it is made, so it is made on trial, and made again in more
//! parts if need be. A chain may hang slack at the beginning of a step and at its end, and snap taut between them.
//!
//! A step that opens a joint all the same, because the rounds that close it did not converge, is made in twice as many
//! parts. One that stretches a rope, as where a net snaps taut, is made at once in as many as the stretch asks for.
//!
//! All bodies take the parts that one mechanism asks for. So a mechanism may ask for no more than cost as much as 256
//! parts of a world in which it is alone: for 256 times its share of the moving bodies, and less where there are more
//! than `ALL_PARTS` of them. Where that leaves none more than one part, nothing is tried and no state is kept: what
//! turns out to be taut is corrected as such from the next step on.
//!
//! A mechanism that bears on something else in the step (a contact, a stop) does not keep its energy anyway, so θ does
//! not count. Nor do the impulses of its joints from an impact, which are as large in small parts as in a large one: of
//! λ the smaller of two sub-steps in a row counts, as of a rope that slides over a drum under a load. Taut mechanisms
//! are not divided: `taut.rs`.
//!
//! A step starts from the velocities of a middle, half a kick early: v(n) − ½ h a. In n parts it starts from v(n) − ½
//! (h/n) a, an n-th of the way (`rattle/`). The part of that difference that comes from the joints' impulses lies
//! along the rows that the step solves first, so it does not matter how much of it is used.
//!
//! Steps of worlds that are stepped in batches or by the graphics device are not divided.

pub(crate) mod before;
pub(crate) mod measure;
pub(crate) mod taut;

use super::solvers::parts::Parts;
use super::solvers::step::Scratches;
use super::whole_step;

/// Makes a step of all bodies together in as many parts as it needs. `few`: whether the bodies are so few that they are
/// always stepped together.
pub(crate) fn step(parts: &mut Parts<'_>, scratches: &mut Scratches, few: bool) {
    let settings = parts.settings;
    if !measure::may_divide(settings, parts.state) {
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
    let mut count = watch.wanted(1);
    let mut before = watch.before.take().unwrap_or_default();
    before.keep(parts.state, parts.report, parts.probe);
    loop {
        parts.buffers.divide.reset_trial();
        whole_step::step(parts, scratches, count);
        let watch = &mut parts.buffers.divide;
        watch.measure(settings, parts.state, None, settings.h() / count as f32);
        if parts.state.step_count == before.state.step_count {
            break;
        }
        let is_taut = taut::find(watch, count);
        let more = watch.wanted(count).max(watch.wanted_to_close(count));
        if more <= count && !is_taut {
            break;
        }
        before.restore(parts.state, parts.report, parts.probe);
        if is_taut {
            taut::mark(settings, parts.state, &mut parts.buffers.divide);
        }
        before.keep(parts.state, parts.report, parts.probe);
        count = more;
    }
    taut::count_down(settings, parts.state, &mut parts.buffers.divide, count);
    parts.buffers.divide.watched = false;
    parts.buffers.divide.before = Some(before);
}
