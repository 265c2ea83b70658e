//! What a world's bodies and joints are like, as far as it decides which settings have an effect.

use crate::body::{Body, Motion};
use crate::world::World;

/// Properties of a world that no step changes: collect them once, and again after an edit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether forces and impulses move any body.
    pub moves: bool,
    /// Whether the inertia of any such body depends on its orientation.
    pub spins: bool,
    /// Whether any two bodies may touch of which one moves.
    pub touches: bool,
    /// Whether a surface bounces, or rolls with resistance.
    pub bounces: bool,
    pub rolls: bool,
    pub joints: bool,
    /// Whether a joint has stabilisation settings of its own.
    pub own_stabilization: bool,
    /// Whether a joint has a breaking load of its own.
    pub breakable: bool,
}

impl Facts {
    pub fn of(world: &World) -> Self {
        let (bodies, joints) = (&world.state.bodies, &world.state.joints);
        let dynamic = || bodies.iter().filter(|body| body.is_dynamic());
        let solid =
            |moving: bool| bodies.iter().filter(|b| b.collide && (b.motion != Motion::Static) == moving).count();
        let (moving, fixed) = (solid(true), solid(false));
        let material = |is: fn(&Body) -> bool| bodies.iter().any(|body| body.collide && is(body));
        Self {
            moves: dynamic().next().is_some(),
            spins: dynamic().any(|body| !body.isotropic),
            touches: moving > 1 || (moving == 1 && fixed > 0),
            bounces: material(|body| body.material.restitution > 0.0),
            rolls: material(|body| body.material.rolling > 0.0),
            joints: !joints.is_empty(),
            own_stabilization: joints.iter().any(|joint| joint.def.options.stabilization.is_some()),
            breakable: world.model.breakable,
        }
    }
}
