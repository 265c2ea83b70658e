//! The friction radii µ Σ λn, a fixed point: with them the problem is solved, and its normal impulses give the next ones.

use super::Newton;

impl Newton {
    /// The errors of the friction radii and of the rows' compliance, as velocities, m/s or rad/s.
    pub(super) fn errors(&self) -> (f64, f64) {
        let (mut friction, mut compliance) = (0.0f64, 0.0f64);
        for bound in &self.bounds {
            for state in self.states[bound.rows()].iter().filter(|state| state.stiff > 0.0) {
                compliance = compliance.max((state.impulse - state.centre).abs() / state.stiff);
            }
            if !bound.normals.is_empty() {
                let off = bound.wanted_radius(&self.states) - bound.radius;
                friction = friction.max(off.abs() * self.states[bound.first].weight);
            }
        }
        (friction, compliance)
    }

    /// Moves the friction radii towards those of the normal impulses, by the fraction `share` of what a combination of
    /// the last rounds leaves.
    pub(super) fn update_radii(&mut self, share: f64) {
        let Self { bounds, states, rounds, radii, errors, .. } = self;
        // As velocities, so that the combination judges all of them alike.
        for ((bound, radius), error) in bounds.iter().zip(radii.iter_mut()).zip(errors.iter_mut()) {
            let weight = states[bound.first].weight;
            let judged = !bound.normals.is_empty() && bound.radius.is_finite() && weight > 0.0;
            *radius = if judged { bound.radius * weight } else { 0.0 };
            *error = if judged { bound.wanted_radius(states) * weight - *radius } else { 0.0 };
        }
        if bounds.iter().all(|bound| bound.normals.is_empty() || bound.radius.is_finite()) {
            rounds.advance(radii, errors, share);
        }
        for (bound, radius) in bounds.iter_mut().zip(radii).filter(|(bound, _)| !bound.normals.is_empty()) {
            let weight = states[bound.first].weight;
            let judged = bound.radius.is_finite() && weight > 0.0;
            bound.radius = if judged { radius.max(0.0) / weight } else { bound.wanted_radius(states) };
        }
    }
}
