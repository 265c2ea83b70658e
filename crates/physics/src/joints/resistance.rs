//! The parameters by which a joint resists the motion along or about its axis, and their rows.

use super::{Coefficient, Parameter, Role};
use crate::quantity::{self, UnitRange};
use crate::row::{Group, Jacobian, Resistance, RowKind, RowList};

/// Friction, damping and armature of a joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Resists {
    pub friction: f32,
    pub breakaway: f32,
    pub damping: f32,
    pub armature: f32,
}

impl Resists {
    /// Whether anything does.
    pub fn any(self) -> bool {
        let Self { friction, breakaway, damping, armature } = self;
        friction.max(breakaway).max(damping).max(armature) > 0.0
    }

    /// Adds a row for each that is not zero.
    pub fn rows(self, along: Jacobian, rows: &mut RowList) {
        let Self { friction, breakaway, damping, armature } = self;
        if friction > 0.0 || breakaway > 0.0 {
            let own = Resistance::Friction { slides: friction, sticks: breakaway };
            rows.push(Group::JointFriction, 9, along, RowKind::Resist(own));
        }
        if damping > 0.0 {
            let own = Resistance::Damper { coefficient: damping };
            rows.push(Group::Damper, 10, along, RowKind::Resist(own));
        }
        if armature > 0.0 {
            rows.push(Group::Armature, 11, along, RowKind::Resist(Resistance::Armature { inertia: armature }));
        }
    }
}

/// The units of a hinge, and of a slider.
const ANGULAR: [UnitRange; 3] = [quantity::JOINT_TORQUE, quantity::ANGULAR_DAMPING, quantity::ARMATURE_INERTIA];
const LINEAR: [UnitRange; 3] = [quantity::JOINT_FORCE, quantity::DAMPING, quantity::ARMATURE_MASS];

/// The parameters of a hinge, if `angular`, or of a slider: friction, break-away value, damping and armature.
pub(super) fn parameters<'a>(values: [&'a mut f32; 4], angular: bool) -> [Parameter<'a>; 4] {
    let [force, damping, inertia] = if angular { ANGULAR } else { LINEAR };
    let [friction, breakaway, damps, armature] = values;
    let of = |name, what, value, of| Parameter {
        name,
        what,
        role: Role::Coefficient(Coefficient { value, of, usual: 0.0 }),
    };
    [
        of("friction", "Coulomb friction while it moves", friction, force),
        of("breakaway", "friction while it is at rest, if that is more", breakaway, force),
        of("damping", "resistance per speed", damps, damping),
        of("armature", "inertia of the rotor that it drives, times the square of its gear ratio", armature, inertia),
    ]
}
