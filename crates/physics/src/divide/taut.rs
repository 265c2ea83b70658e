//! Taut mechanisms, such as a level bridge of planks, with a box on it or without.
//!
//! The links of a taut mechanism swing sideways at √(λ/(μ L)), where λ is the pull of a joint: faster than a step can
//! follow. RATTLE keeps the energy of that swing for ever, and throws off what lies on the links. So the joints of a
//! taut mechanism are corrected as positions instead (`positions.rs`), and its links turn against the geometric stiffness
//! of the pulls (`geometric.rs`). Both take the energy of the swing out. This is done where a contact loads the
//! mechanism, or where it is stretched between bodies that do not move, and for two seconds after that. It ends at once
//! where the motion is fast: where Σ λ L is not far above the kinetic energy. What whirls or runs over a drum is divided
//! instead. A long bridge falls so fast at first; there its joints open, and once they do it is taut, however fast it moves.

use glam::Vec3;

use super::angles::TurnAngles;
use super::measure::Scratch;
use crate::joint::Joint;
use crate::rattle;
use crate::settings::Settings;
use crate::world::state::State;

/// A mechanism is taut where the angle φ of a link by the pull of its joint (`divide/mod.rs`) is more than so many
/// times its bound.
const TAUT: f32 = 1.0;
/// The same for one without contacts that is stretched between bodies which do not move.
const STRAINED: f32 = 4.0;
/// A mechanism that is stretched between bodies that do not move is also taut where a joint is open by more than this share of
/// its link.
const GAPE: f32 = 5e-4;
/// A mechanism stays taut while its gap or φ is more than this share of the bound. Stretched between bodies that do not move, it
/// stays taut down to a smaller φ, because RATTLE would let it ring for ever.
const KEPT: f32 = 0.5;
const KEPT_STRETCHED: f32 = 0.1;
/// How long a mechanism still counts as taut after its joints no longer pull so hard, s.
const HOLD_TIME: f32 = 2.0;

/// Marks the mechanisms that turn out to be taut in a step of so many `parts`; returns whether there are any.
pub(super) fn find(scratch: &mut Scratch, parts: u32) -> bool {
    let mut found = false;
    for turn in &mut scratch.turns {
        if !turn.taut && is_pulled(turn, parts, 1.0, 1.0) {
            (turn.taut, found) = (true, true);
        }
    }
    found
}

/// Marks the joints of these mechanisms where a step begins.
pub(super) fn mark(settings: &Settings, state: &mut State, scratch: &mut Scratch) {
    for index in 0..state.joints.len() {
        let joint = &state.joints[index];
        if joint.taut == 0 && is_taut(joint, scratch) {
            let ends = [joint.def.a, joint.def.b];
            state.joints[index].taut = steps(settings);
            state.rattle.has_taut = true;
            // It continues from the velocities at the start of the step, not from those of the previous step's middle.
            ends.into_iter().for_each(|body| rattle::reset_midpoint(state, body));
        }
    }
}

/// Counts down the marks of mechanisms that are no longer taut, after a step in so many `parts`, and notes the forces of those
/// that are, which must have been read.
pub(super) fn count_down(settings: &Settings, state: &mut State, scratch: &mut Scratch, parts: u32) {
    if !std::mem::take(&mut state.rattle.has_taut) {
        return;
    }
    for joint in state.joints.iter_mut().filter(|joint| joint.taut > 0) {
        joint.taut = match scratch.turn_of(joint) {
            Some(turn) if stays(&turn, parts) => steps(settings),
            Some(turn) if turn.strained => joint.taut - 1,
            _ => 0,
        };
        joint.tension = if joint.taut > 0 { joint.readout.anchor } else { Vec3::ZERO };
        state.rattle.has_taut |= joint.taut > 0;
    }
}

/// Forgets which mechanisms are taut, where steps are not divided.
pub(crate) fn release(state: &mut State) {
    if std::mem::take(&mut state.rattle.has_taut) {
        state.joints.iter_mut().for_each(|joint| (joint.taut, joint.tension) = (0, Vec3::ZERO));
    }
}

/// Whether a mechanism that is taut stays so.
fn stays(turn: &TurnAngles, parts: u32) -> bool {
    is_pulled(turn, parts, KEPT, if turn.stretched { KEPT_STRETCHED } else { KEPT })
}

/// Whether the joints of a mechanism gape, or pull it taut, by more than these shares of the bounds.
fn is_pulled(turn: &TurnAngles, parts: u32, of_gape: f32, of_angle: f32) -> bool {
    if turn.stretched && turn.gap > of_gape * GAPE {
        return true;
    }
    let bound = if turn.touches { TAUT } else { STRAINED };
    turn.strained && (turn.touches || turn.stretched) && turn.loaded_angle * parts as f32 > of_angle * bound
}

fn is_taut(joint: &Joint, scratch: &mut Scratch) -> bool {
    scratch.turn_of(joint).is_some_and(|turn| turn.taut)
}

/// The number of steps in [`HOLD_TIME`].
fn steps(settings: &Settings) -> u16 {
    (HOLD_TIME * settings.step.rate).ceil().clamp(1.0, f32::from(u16::MAX)) as u16
}
