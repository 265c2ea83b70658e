//! Mass properties: combined, and repaired where no body has them.

use delassus_physics::inertia::Principal;
use glam::{DMat3, DVec3};

use crate::frame::Frame;
use crate::model::Mass;

/// The inertia of a point mass about the origin, per mass, m²: (r·r) 1 − r rᵀ.
fn of_point(r: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(r.length_squared())) - DMat3::from_cols(r * r.x, r * r.y, r * r.z)
}

/// Two masses as one, in the same frame.
pub fn sum(a: &Mass, b: &Mass) -> Mass {
    let mass = a.mass + b.mass;
    if mass <= 0.0 {
        return *a;
    }
    let centre = (a.centre * a.mass + b.centre * b.mass) / mass;
    let about = |part: &Mass| part.inertia + of_point(part.centre - centre) * part.mass;
    Mass { mass, centre, inertia: about(a) + about(b) }
}

/// What is left of a mass without a part of it, in the same frame.
pub fn difference(whole: &Mass, part: &Mass) -> Mass {
    let mass = whole.mass - part.mass;
    let centre = (whole.centre * whole.mass - part.centre * part.mass) / mass;
    let about = |arm: DVec3, mass: f64| of_point(arm) * mass;
    let own = about(centre - whole.centre, mass) + about(part.centre - whole.centre, part.mass) + part.inertia;
    Mass { mass, centre, inertia: whole.inertia - own }
}

/// A mass seen from the frame that holds its own.
pub fn seen(frame: &Frame, mass: &Mass) -> Mass {
    Mass { mass: mass.mass, centre: frame.point(mass.centre), inertia: frame.tensor(mass.inertia) }
}

/// By how little the moments may break the triangle inequality, in proportion, before it counts: rounding in files.
const ROUNDING: f64 = 2e-6;
/// The least principal moment, in proportion to the largest.
const MIN_MOMENT_SHARE: f64 = 1e-6;

/// The inertia that a body can have, and what was changed. `None` if it is zero: nothing is left to repair.
///
/// ```text
/// I + δ 1,   δ the least with  I₁ + δ ≥ 1e-6 I₃  and  I₃ + δ ≤ (I₁ + δ) + (I₂ + δ)
/// ```
pub fn repair(inertia: DMat3) -> Option<(DMat3, Option<String>)> {
    let most = inertia.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    if most < 1e-30 {
        return None;
    }
    // In 32 bits, small moments of small parts would lose digits.
    let moments = Principal::of(&(inertia * (1.0 / most)).as_mat3()).moments.as_dvec3() * most;
    let DVec3 { x: least, y: middle, z: most } = moments;
    let excess = most - least - middle;
    let mut delta = 0.0f64;
    let mut why = None;
    if excess > ROUNDING * most {
        why = Some(format!(
            "no body has its inertia: the largest principal moment, {most:.6} kg·m², exceeds the sum of the others, \
             {least:.6} and {middle:.6} kg·m²"
        ));
    }
    // Rounding is taken out in silence.
    delta = delta.max(excess * (1.0 + 1e-6));
    if least < MIN_MOMENT_SHARE * most {
        why = Some(format!("its least principal moment is {least:.3e} kg·m² and its largest {most:.3e} kg·m²"));
        delta = delta.max((MIN_MOMENT_SHARE * most - least) * (1.0 + 1e-6));
    }
    let said = why.map(|why| format!("{why}; {delta:.3e} kg·m² is added to each of them"));
    Some((inertia + DMat3::from_diagonal(DVec3::splat(delta.max(0.0))), said))
}
