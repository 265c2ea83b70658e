//! Bouncing balls that touch each other, as in Newton's cradle.
//!
//! ```text
//! five equal balls, e = 1, the first one hits with v:   all at once       −0.6 v, 0.4 v, 0.4 v, 0.4 v, 0.4 v
//!                                                      pair by pair      0, 0, 0, 0, v
//! ```
//! Both conserve momentum and energy. Steel balls are close to the second, but the impacts of a step are solved all at
//! once unless `contact.impacts` says otherwise. Source: 003 §3.4; `restitution.rs` of the physics.

use super::{DoctorCase, Finding, Fix, Rule, Severity};
use delassus_physics::collide::Contacts;
use delassus_physics::graph::DisjointSets;
use delassus_physics::primitives::surface;
use delassus_physics::setting::Value;
use delassus_physics::settings::Impacts;
use delassus_physics::shape::Shape;

/// The least coefficient of restitution of balls that bounce.
const MIN_RESTITUTION: f32 = 0.7;
/// The largest gap between balls that touch, as a share of the smaller radius.
const MAX_GAP: f32 = 0.01;

pub fn examine(case: &DoctorCase<'_>, contacts: &Contacts, found: &mut Vec<Finding>) {
    let (bodies, settings) = (&case.world.state.bodies, &case.world.settings);
    if settings.contact.impacts == Impacts::Propagate {
        return;
    }
    let radius = |id: u32| match bodies[id as usize].solid.shape {
        Shape::Sphere { radius } if bodies[id as usize].is_dynamic() => Some(radius),
        _ => None,
    };
    let mut groups = DisjointSets::new(bodies.len());
    let mut touching = Vec::new();
    for (a, b, manifold) in contacts.manifolds() {
        let Some((one, other)) = radius(a).zip(radius(b)) else { continue };
        let near = MAX_GAP * one.min(other);
        let bounces = surface::mix(&bodies[a as usize], &bodies[b as usize], settings).restitution >= MIN_RESTITUTION;
        if bounces && manifold.points.iter().any(|point| point.separation < near) {
            groups.join(a, b);
            touching.extend([a, b]);
        }
    }
    touching.sort_unstable();
    touching.dedup();
    let mut first: Vec<u32> = touching.iter().map(|ball| groups.first(*ball)).collect();
    first.sort_unstable();
    first.dedup();
    for first in first {
        let balls: Vec<u32> = touching.iter().copied().filter(|ball| groups.first(*ball) == first).collect();
        found.push(finding(case, balls));
    }
}

fn finding(case: &DoctorCase<'_>, balls: Vec<u32>) -> Finding {
    let (first, last) = (balls[0], balls[balls.len() - 1]);
    Finding {
        rule: Rule::Impacts,
        severity: Severity::Note,
        what: format!(
            "{} bouncing balls touch each other, from {} to {}. A ball that hits them moves all of them at once, and \
             bounces back itself. In a row of steel balls the hit passes through, and only the last ball flies off.",
            balls.len(),
            case.body(first),
            case.body(last)
        ),
        cure: "Pass impacts on from pair to pair, as between steel balls.".into(),
        bodies: balls,
        joints: Vec::new(),
        fix: Some(Fix::Set { name: "contact.impacts", value: Value::Choice("Propagate") }),
    }
}
