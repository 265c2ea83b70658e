//! What RATTLE keeps from step to step.

use crate::body::{Body, Velocity};
use crate::copy::copied_by_fields;
use crate::joint::Joint;

/// State kept from step to step.
#[derive(Default)]
pub struct RattleState {
    /// v(n+½) of all bodies, and v(n+1) as the step left it for reading; both empty where no joint asks for them.
    pub(crate) midpoint: Vec<Velocity>,
    pub(crate) end: Vec<Velocity>,
    /// v(n+½) and the half kick, before the joints are closed.
    pub(crate) kicked: Vec<Velocity>,
    /// By body: whether a contact bore its mechanism in the last step.
    pub(super) touched: Vec<bool>,
    /// Whether any joint counts as taut, see `divide/taut.rs`.
    pub(crate) has_taut: bool,
    /// Whether the velocities are those of the middle of a step.
    pub(crate) runs: bool,
    /// By body: whether its kicks were halved in the last sub-step, because that went from v(0) to v(½); empty where
    /// none were.
    pub(super) halved: Vec<EndState>,
}

copied_by_fields!(RattleState { midpoint, end, kicked, touched, has_taut, runs, halved });

/// Whether a joint asks for the velocity of a body at the step's end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum EndState {
    /// No joint asks for it.
    #[default]
    None,
    /// A joint asks for it.
    Required,
    /// A joint asks for it, and a contact, a stop or the mouse supports the body's mechanism.
    Supported,
}

impl RattleState {
    /// Whether a contact bore the body's mechanism in the last step.
    pub fn is_touched(&self, body: u32) -> bool {
        self.touched.get(body as usize).is_some_and(|touched| *touched)
    }

    /// Whether kicks were halved in the last sub-step.
    pub fn is_halved(&self) -> bool {
        !self.halved.is_empty()
    }

    /// Forgets which mechanisms contacts bore: the bodies are others.
    pub fn forget_touches(&mut self) {
        self.touched.clear();
    }
}

/// The velocity from which a body continues: `half`, the one of the middle of the step, with the changes that were made
/// to `velocity` since it was `left` for reading.
pub fn resumed(velocity: &Velocity, half: &Velocity, left: &Velocity) -> Velocity {
    if velocity == left {
        return *half;
    }
    let (linear, angular) = (half.linear - left.linear, half.angular - left.angular);
    Velocity { linear: velocity.linear + linear, angular: velocity.angular + angular }
}

/// The time over which a joint's force gives its impulses in the last sub-step of `h` seconds: half of it where the
/// kicks were halved.
pub fn acted(state: &RattleState, joint: &Joint, bodies: &[Box<Body>], h: f32) -> f32 {
    let whole = |body: u32| bodies[body as usize].is_dynamic() && state.halved[body as usize] == EndState::None;
    let halved = !state.halved.is_empty() && !whole(joint.def.a) && !whole(joint.def.b);
    if halved { 0.5 * h } else { h }
}

/// Discards the velocities of the middle of the step.
pub fn forget_midpoint(state: &mut RattleState) {
    state.midpoint.clear();
    state.end.clear();
    state.kicked.clear();
}
