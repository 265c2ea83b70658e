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
//! under both. Source: Tournier, Nesme, Gilles and Faure 2015; Andrews, Teichmann and Kry 2017.

use super::joint::Joint;
use super::joints::JointKind;
use super::settings::Settings;
use super::world::state::State;
use glam::Mat3;

/// A joint acts as a rod if its force is along the line between its anchors up to this cosine, and if the anchors are,
/// and were when it was made, at least this far apart, m.
const ALONG: f32 = 0.999;
const MIN_ROD_LENGTH: f32 = 1e-3;

/// Sets the mass and inertia that the solver uses for each body in a sub-step of `h` seconds.
pub fn stiffen(settings: &Settings, state: &mut State, h: f32) {
    let (bodies, joints, stiffness) = (&mut state.bodies, &mut state.joints, &mut state.stiffness);
    if !settings.stabilization.geometric_stiffness {
        if !stiffness.is_empty() {
            stiffness.clear();
            bodies.iter_mut().for_each(|body| body.set_solver_mass(None));
        }
        return;
    }
    stiffness.clear();
    stiffness.resize(bodies.len(), (0.0, 0.0));
    // A pulley's strands do not run along the line between its anchors.
    let has_line = |joint: &Joint| joint.broken.is_none() && !matches!(joint.def.kind, JointKind::Pulley(_));
    for joint in joints.iter().filter(|joint| has_line(joint)) {
        let ends = joint.frames(bodies);
        let force = joint.readout.anchor;
        let (size, separation) = (force.length(), ends.p());
        let length = separation.length();
        let along = -force.dot(separation);
        // A rod or a rope rotates with its ends.
        let rod = joint.rest_length > MIN_ROD_LENGTH && length > MIN_ROD_LENGTH && along.abs() > ALONG * size * length;
        let sideways = if rod && along > 0.0 { size / length } else { 0.0 };
        // An anchor's force keeps its direction while the lever rotates: a restoring torque where it pulls.
        let pulls =
            |lever: glam::Vec3, force: glam::Vec3| if lever.dot(force) > 0.0 { lever.length() * size } else { 0.0 };
        for (body, angular) in [(joint.def.a, pulls(ends.ra, -force)), (joint.def.b, pulls(ends.rb, force))] {
            let entry = &mut stiffness[body as usize];
            *entry = (entry.0 + sideways, entry.1 + angular);
        }
    }
    for (body, (sideways, angular)) in bodies.iter_mut().zip(stiffness) {
        let is_stiffened = body.is_dynamic() && (*sideways > 0.0 || *angular > 0.0);
        let solver_mass = is_stiffened.then(|| {
            let mass = body.mass + h * h * *sideways;
            // A body that cannot rotate, or only in a plane, keeps its inverse inertia.
            let can_rotate = body.inv_inertia.determinant() > 0.0;
            let inertia = body.inertia() + Mat3::from_diagonal(glam::Vec3::splat(h * h * *angular));
            let inv_inertia = if can_rotate { inertia.inverse() } else { body.inv_inertia };
            (mass, inertia, inv_inertia)
        });
        body.set_solver_mass(solver_mass);
    }
}
