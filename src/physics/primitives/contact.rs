//! Contact: bodies do not overlap along the normal n from A to B.
//!
//! ```text
//! C = gap,  J = [−n, n × rA, n, rB × n],  λ ≥ 0      rA, rB reach to one point halfway between the surfaces
//! K = 1/mA + 1/mB + (n×rA)ᵀ I_A⁻¹ (n×rA) + (rB×n)ᵀ I_B⁻¹ (rB×n)
//! ```
//! The bias is in `stabilize::contact`, the bounce in `restitution.rs`. The approach speed is taken from the velocities
//! before forces and warm starting, so that gravity's step is no impact (erratum 11). One block a manifold: normals,
//! then its friction. Source: 000 Contact; 002.

use glam::Vec3;

use super::friction;
use crate::physics::body::{Body, Material};
use crate::physics::effective_mass::row;
use crate::physics::prepare::System;
use crate::physics::restitution::Bounce;
use crate::physics::row::{Block, Bounds, ContactPart, Coupling, Jacobian, Owner, RowId};
use crate::physics::settings::{Mix, RestitutionForm, Settings};
use crate::physics::world::World;
use crate::physics::{relax, softness, stabilize};

/// Adds the rows of all manifolds.
pub fn rows(world: &World, system: &mut System, h: f32) {
    let settings = &*stabilize::settings_of_contacts(&world.settings);
    let factor = settings.warm_start.factor;
    let printed = friction::printed(settings);
    let can_bounce = settings.contact.restitution && settings.formulation.restitution == RestitutionForm::Larger;
    for (index, pair) in world.contacts.pairs.iter().enumerate().filter(|(_, pair)| !pair.idle && pair.touches()) {
        let (ia, ib, manifold) = (pair.a, pair.b, &pair.manifold);
        let (a, b) = (&world.bodies[ia as usize], &world.bodies[ib as usize]);
        let (va, vb) = (&world.velocities[ia as usize], &world.velocities[ib as usize]);
        let material = mix(a, b, settings);
        let bounces = can_bounce && material.restitution > 0.0 && material.soft.is_none();
        let first = system.rows.len() as u32;
        let touching = manifold.points.iter().filter(|point| point.separation < 0.0).count();
        for (point_index, point) in manifold.points.iter().enumerate() {
            let jacobian = Jacobian::along(manifold.normal, point.position - a.position, point.position - b.position);
            let mut row = row(&jacobian, a, b);
            let approach = jacobian.speed(va.linear.into(), va.angular.into(), vb.linear.into(), vb.angular.into());
            let target = stabilize::contact(point.separation, approach, material.restitution, settings, h);
            (row.bias, row.pseudo_bias, row.lo, row.hi) = (target.bias, target.pseudo_bias, target.lo, target.hi);
            match material.soft {
                Some(softness) => softness::contact(&mut row, point.separation, softness, touching, h),
                None => relax::soften(system, &mut row, target.give, settings.stabilization.relax),
            }
            if bounces {
                system.bounces.push(Bounce::new(system.rows.len(), material.restitution, approach));
            }
            row.impulse = (factor * point.impulse).clamp(row.lo, row.hi);
            system.rows.push(row);
            system.ids.push(RowId::Contact { a: ia, b: ib, part: ContactPart::Normal(point_index as u8) });
        }
        let bounds = system.couplings.bounds.len() as u32;
        let mut sink = friction::Sink { a, b, ends: (ia, ib), first, system };
        let pseudo = sink.system.rows[first as usize..].iter().any(stabilize::is_split);
        let spin = (vb.angular - va.angular).into();
        let friction = friction::rows(manifold, &material, settings, spin, &mut sink);
        let count = system.rows.len() as u32 - first;
        let normals = manifold.points.len() as u8;
        let bounds = Bounds { first: bounds, count: (system.couplings.bounds.len() as u32 - bounds) as u8 };
        let coupling = match printed {
            Some(form) => Coupling::Printed { normals, bounds, form },
            None => Coupling::Contact { normals, bounds },
        };
        system.frictions.push(friction);
        let owner = Owner::Contact(index as u32);
        system.blocks.push(Block { owner, a: ia, b: ib, first, count, coupling, pseudo, held: false });
    }
}

/// The material of a pair.
pub fn mix(a: &Body, b: &Body, settings: &Settings) -> Material {
    let mix = |a: f32, b: f32| match settings.contact.mix {
        Mix::Mean => (a * b).sqrt(),
        Mix::Product => a * b,
        Mix::Least => a.min(b),
        Mix::Most => a.max(b),
    };
    Material {
        friction: mix(a.material.friction, b.material.friction),
        restitution: mix(a.material.restitution, b.material.restitution),
        rolling: a.material.rolling.max(b.material.rolling),
        soft: [a.material.soft, b.material.soft].into_iter().flatten().min_by(|a, b| a.hertz.total_cmp(&b.hertz)),
    }
}

/// Two unit tangents that turn as little as possible with the normal.
pub fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    normal.any_orthonormal_pair()
}
