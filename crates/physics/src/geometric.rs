//! Geometric stiffness. A light link under a great tension swings sideways faster than a step can follow, however
//! exactly its rows are solved. Here the link gets additional inertia in proportion to that tension.
//!
//! ```text
//! rod of length l under tension T      K = T/l     on a displacement of either end
//! force f at the lever r of a body     K = ‖r‖ ‖f‖ on a rotation of the body
//! M' = M + h² K,   Δu = M'⁻¹ (h m g + Jᵀ λ)
//! ```
//! The frequency of such a link is √(K/M), which is 2 √(T/(m l)) for a link of mass m between two others. A step is
//! stable for h ω < 2. With M' the frequency is √(K/M'), below 1/h for every T. M' acts only on *changes* of velocity:
//! a chain that moves as a whole is not slowed. Gravity's impulse grows with M' as well, so loads stay the same. The
//! price: light links under great loads rotate and swing too slowly, and where M'/M differs between two bodies a
//! little momentum is lost or gained.
//!
//! The forces are those read from the joints in the step before. K is isotropic, with the largest value that the full
//! tensor (its diagonal block) has in any direction, so M' is never too small. A pushing force makes a link buckle and
//! has no such stiffness; it adds nothing. The added mass at a rod's ends changes with the tension and excites the
//! rod: split impulses damp that, but RATTLE does not and runs away. The added inertia of levers at anchors is stable
//! under both.
//!
//! The links of a taut mechanism (`divide/taut.rs`) get no stiffness sideways, and the symmetric tensor in place of its largest
//! value, raised by as much as leaves no negative eigenvalue:
//! ```text
//! K = (r·f + ½ (‖r‖ ‖f‖ − r·f)) 1 − ½ (r fᵀ + f rᵀ)      on a rotation of the body
//! ω ← M'⁻¹ M ω                                           where the sub-step begins
//! ```
//! That is the implicit Euler method for the torques r × f: stable at every tension, and it takes out the energy of swings
//! that are too fast for the step. Without the last line M' keeps that energy.
//! Source: Tournier, Nesme, Gilles and Faure 2015; Andrews, Teichmann and Kry 2017.

use super::body::{Body, BodyStiffness};
use super::joint::Joint;
use super::joints::JointKind;
use super::settings::Settings;
use super::world::state::State;
use glam::{Mat3, Vec3};

/// A joint acts as a rod if its force is along the line between its anchors up to this cosine, and if the anchors are,
/// and were when it was made, at least this far apart, m.
const ALONG: f32 = 0.999;
const MIN_ROD_LENGTH: f32 = 1e-3;

/// Sets the mass and inertia that the solver uses for each body in a sub-step of `h` seconds, and slows the links of taut
/// mechanisms.
pub fn stiffen(settings: &Settings, state: &mut State, h: f32) {
    let State { bodies, velocities, joints, stiffness, .. } = state;
    let everywhere = settings.stabilization.geometric_stiffness;
    if !everywhere && !state.rattle.has_taut {
        if !stiffness.is_empty() {
            stiffness.clear();
            bodies.iter_mut().for_each(|body| body.set_solver_mass(None));
        }
        return;
    }
    stiffness.clear();
    stiffness.resize_with(bodies.len(), BodyStiffness::default);
    // A pulley's strands do not run along the line between its anchors.
    let has_line = |joint: &Joint| joint.broken.is_none() && !matches!(joint.def.kind, JointKind::Pulley(_));
    for joint in joints.iter().filter(|joint| has_line(joint)) {
        if everywhere {
            add_rod(joint, bodies, stiffness);
        } else if joint.taut > 0 {
            add_link(joint, bodies, stiffness);
        }
    }
    for ((body, velocity), BodyStiffness { sideways, turning }) in bodies.iter_mut().zip(velocities).zip(stiffness) {
        if !body.is_dynamic() || (*sideways == 0.0 && *turning == Mat3::ZERO) {
            body.set_solver_mass(None);
            continue;
        }
        let mass = body.mass + h * h * *sideways;
        let own = body.inertia();
        let inertia = own + h * h * *turning;
        // A body that cannot rotate, or only in a plane, keeps its inverse inertia.
        let can_rotate = body.inv_inertia.determinant() > 0.0;
        let inv_inertia = if can_rotate { inertia.inverse() } else { body.inv_inertia };
        if !everywhere && can_rotate {
            velocity.angular = (inv_inertia * (own * Vec3::from(velocity.angular))).into();
        }
        body.set_solver_mass(Some((mass, inertia, inv_inertia)));
    }
}

/// Adds the stiffness of a joint, with the largest value that the tensors have in any direction.
fn add_rod(joint: &Joint, bodies: &[Box<Body>], stiffness: &mut [BodyStiffness]) {
    let ends = joint.frames(bodies);
    let force = joint.readout.anchor;
    let (size, separation) = (force.length(), ends.p());
    let length = separation.length();
    let along = -force.dot(separation);
    // A rod or a rope rotates with its ends.
    let rod = joint.rest_length > MIN_ROD_LENGTH && length > MIN_ROD_LENGTH && along.abs() > ALONG * size * length;
    let sideways = if rod && along > 0.0 { size / length } else { 0.0 };
    // An anchor's force keeps its direction while the lever rotates: a restoring torque where it pulls.
    let pulls = |lever: Vec3, force: Vec3| if lever.dot(force) > 0.0 { lever.length() * size } else { 0.0 };
    for (body, angular) in [(joint.def.a, pulls(ends.ra, -force)), (joint.def.b, pulls(ends.rb, force))] {
        let entry = &mut stiffness[body as usize];
        entry.sideways += sideways;
        entry.turning += Mat3::from_diagonal(Vec3::splat(angular));
    }
}

/// Adds the stiffness of a taut joint against the rotation of its bodies.
fn add_link(joint: &Joint, bodies: &[Box<Body>], stiffness: &mut [BodyStiffness]) {
    let ends = joint.frames(bodies);
    for (body, r, f) in [(joint.def.a, ends.ra, -joint.tension), (joint.def.b, ends.rb, joint.tension)] {
        let along = r.dot(f);
        if along > 0.0 {
            // The least that leaves no negative eigenvalue, where the force is not along the lever.
            let raised = 0.5 * (r.length() * f.length() - along);
            let full = Mat3::from_diagonal(Vec3::splat(along + raised));
            stiffness[body as usize].turning += full - 0.5 * (outer(r, f) + outer(f, r));
        }
    }
}

/// a bᵀ.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}
