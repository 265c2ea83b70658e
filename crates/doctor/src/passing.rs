//! Bodies that may pass through others, which the contact settings do not prevent.
//!
//! ```text
//! way       (√(v² + 2 g drop) + ω r) T        T: the time between two searches for contacts
//! passes    way > d + d'                      half thicknesses of the body and of the thinnest one that stands still
//! ```
//! With `contact.continuous` on and whole manifolds nothing passes: `docs/promises.md`. The drop is that down to the
//! lowest body that stands still.

use super::words::number;
use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::ballistic;
use delassus_physics::settings::{Collide, ContactSource, Continuous, Method};

/// Half thickness below which a plate counts as thin for contacts of one point, m.
const THIN: f32 = 0.05;
/// Sweeps of Jacobi that bear the impact of a fast body.
const ENOUGH_JACOBI: u32 = 10;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let (world, contact) = (case.world, &case.world.settings.contact);
    if !contact.enabled {
        return;
    }
    let stands = |id: &u32| {
        let body = &world.state.bodies[*id as usize];
        body.collide && !body.is_dynamic()
    };
    let standing: Vec<u32> = (1..world.state.bodies.len() as u32).filter(stands).collect();
    let half = |id: u32| world.state.bodies[id as usize].solid.thickness;
    let Some(thinnest) = standing.iter().copied().min_by(|a, b| half(*a).total_cmp(&half(*b))) else { return };
    let thin = half(thinnest);
    let mut tell = |severity, id: u32, what: String, cure: &str| {
        let bodies = if id == thinnest { vec![id] } else { vec![id, thinnest] };
        found.push(Finding {
            rule: Rule::Passes,
            severity,
            bodies,
            joints: Vec::new(),
            what,
            cure: cure.into(),
            fix: None,
        });
    };
    let gravity = world.settings.step.gravity;
    let height = |id: u32| -world.state.bodies[id as usize].position.dot(gravity);
    let lowest = standing.iter().map(|id| height(*id)).fold(f32::INFINITY, f32::min);
    let apart = if contact.collide == Collide::EachStep { 1.0 / world.settings.step.rate } else { world.settings.h() };
    let distance = |id: u32| {
        let (body, velocity) = (&world.state.bodies[id as usize], &world.state.velocities[id as usize]);
        // Heights are multiplied by gravity, m²/s².
        let falls = 2.0 * (height(id) - lowest).max(0.0);
        let speed = (velocity.linear.length_squared() + falls).sqrt();
        (speed + velocity.angular.length() * body.solid.lever) * apart
    };
    let is_moving = |id: &u32| {
        let body = &world.state.bodies[*id as usize];
        body.is_dynamic() && body.collide
    };
    let moving: Vec<u32> = (1..world.state.bodies.len() as u32).filter(is_moving).collect();
    if contact.continuous == Continuous::Off {
        let passing: Vec<u32> = moving.iter().copied().filter(|id| distance(*id) > half(*id) + thin).collect();
        let worst =
            passing.iter().copied().max_by(|a, b| (distance(*a) / half(*a)).total_cmp(&(distance(*b) / half(*b))));
        if let Some(worst) = worst {
            let more = if passing.len() > 1 { format!(" So may {} others.", passing.len() - 1) } else { String::new() };
            let what = format!(
                "{} goes up to {} m between two searches for contacts, farther than it and {} are thick: it may pass \
                 through.{more}",
                case.body(worst),
                number(distance(worst)),
                case.body(thinnest)
            );
            tell(Severity::Warning, worst, what, "Set `contact.continuous` to Speculative or TimeOfImpact.");
        }
    }
    let solver = &world.settings.solver;
    if solver.method == Method::Jacobi && solver.iterations < ENOUGH_JACOBI {
        let fast = moving.iter().copied().filter(|id| distance(*id) > half(*id));
        if let Some(fast) = fast.max_by(|a, b| distance(*a).total_cmp(&distance(*b))) {
            let what = format!(
                "{} goes up to {} m between two searches for contacts, and {} sweeps of Jacobi may not bear its impact: it \
                 may sink through {}.",
                case.body(fast),
                number(distance(fast)),
                solver.iterations,
                case.body(thinnest)
            );
            let cure =
                format!("Set `solver.iterations` to {ENOUGH_JACOBI} or more, or `solver.method` to GaussSeidel.");
            tell(Severity::Note, fast, what, &cure);
        }
    }
    if ballistic::is_on(&world.settings) {
        let what = format!(
            "`formulation.contact` is Blows, which hold nothing up between two impacts: bodies may pass through {}.",
            case.body(thinnest)
        );
        tell(Severity::Warning, thinnest, what, "Set `formulation.contact` to Rows.");
    }
    if contact.source != ContactSource::Full && thin < THIN {
        let what = format!(
            "{} is {} m thick, and `contact.source` makes one point for a pair and step: bodies that rock on it may \
             sink through.",
            case.body(thinnest),
            number(2.0 * thin)
        );
        tell(Severity::Note, thinnest, what, "Set `contact.source` to Full, or make it thicker.");
    }
}
