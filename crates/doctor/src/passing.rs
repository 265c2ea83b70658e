//! Bodies that may pass through others because the contact settings do not prevent it.
//!
//! ```text
//! distance  (√(v² + 2 g H) + ω r) T           T: the time between two searches for contacts
//! passes    distance > d + d'                 half thicknesses of the body and of the thinnest fixed body
//! ```
//! With `contact.continuous` on and whole manifolds nothing passes: `docs/promises.md`. H is the height above the lowest
//! fixed body.

use super::words::number;
use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::ballistic;
use delassus_physics::settings::{Collide, ContactSource, Continuous, Method};

/// Half thickness below which a plate counts as thin for contacts of one point, m.
const THIN: f32 = 0.05;
/// The number of Jacobi sweeps that stop a fast body at an impact.
const MIN_JACOBI: u32 = 10;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let (world, contact) = (case.world, &case.world.settings.contact);
    if !contact.enabled {
        return;
    }
    let is_fixed = |id: &u32| {
        let body = &world.state.bodies[*id as usize];
        body.collide && !body.is_dynamic()
    };
    let fixed: Vec<u32> = (1..world.state.bodies.len() as u32).filter(is_fixed).collect();
    let half_thickness = |id: u32| world.state.bodies[id as usize].solid.thickness;
    let Some(thinnest) = fixed.iter().copied().min_by(|a, b| half_thickness(*a).total_cmp(&half_thickness(*b))) else {
        return;
    };
    let thin = half_thickness(thinnest);
    let mut report = |severity, id: u32, what: String, cure: &str| {
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
    let lowest = fixed.iter().map(|id| height(*id)).fold(f32::INFINITY, f32::min);
    let interval =
        if contact.collide == Collide::EachStep { 1.0 / world.settings.step.rate } else { world.settings.h() };
    let distance = |id: u32| {
        let (body, velocity) = (&world.state.bodies[id as usize], &world.state.velocities[id as usize]);
        // Heights are multiplied by gravity, m²/s².
        let fall = 2.0 * (height(id) - lowest).max(0.0);
        let speed = (velocity.linear.length_squared() + fall).sqrt();
        (speed + velocity.angular.length() * body.solid.lever) * interval
    };
    let is_moving = |id: &u32| {
        let body = &world.state.bodies[*id as usize];
        body.is_dynamic() && body.collide
    };
    let moving: Vec<u32> = (1..world.state.bodies.len() as u32).filter(is_moving).collect();
    if contact.continuous == Continuous::Off {
        let passing: Vec<u32> =
            moving.iter().copied().filter(|id| distance(*id) > half_thickness(*id) + thin).collect();
        let ratio = |id: u32| distance(id) / half_thickness(id);
        let worst = passing.iter().copied().max_by(|a, b| ratio(*a).total_cmp(&ratio(*b)));
        if let Some(worst) = worst {
            let more = if passing.len() > 1 {
                format!(" The same holds for {} others.", passing.len() - 1)
            } else {
                String::new()
            };
            let what = format!(
                "{} moves up to {} m between two searches for contacts, farther than it and {} are thick: it may pass \
                 through.{more}",
                case.body(worst),
                number(distance(worst)),
                case.body(thinnest)
            );
            report(Severity::Warning, worst, what, "Set `contact.continuous` to Speculative or TimeOfImpact.");
        }
    }
    let solver = &world.settings.solver;
    if solver.method == Method::Jacobi && solver.iterations < MIN_JACOBI {
        let fast = moving.iter().copied().filter(|id| distance(*id) > half_thickness(*id));
        if let Some(fast) = fast.max_by(|a, b| distance(*a).total_cmp(&distance(*b))) {
            let what = format!(
                "{} moves up to {} m between two searches for contacts, and {} Jacobi sweeps may not stop it: it may \
                 sink through {}.",
                case.body(fast),
                number(distance(fast)),
                solver.iterations,
                case.body(thinnest)
            );
            let cure = format!("Set `solver.iterations` to {MIN_JACOBI} or more, or `solver.method` to GaussSeidel.");
            report(Severity::Note, fast, what, &cure);
        }
    }
    if ballistic::is_on(&world.settings) {
        let what = format!(
            "`formulation.contact` is Blows. Blows support nothing between impacts: bodies may pass through {}.",
            case.body(thinnest)
        );
        report(Severity::Warning, thinnest, what, "Set `formulation.contact` to Rows.");
    }
    if contact.source != ContactSource::Full && thin < THIN {
        let what = format!(
            "{} is {} m thick, and `contact.source` makes one point per pair and step: bodies that rock on it may sink \
             through.",
            case.body(thinnest),
            number(2.0 * thin)
        );
        report(Severity::Note, thinnest, what, "Set `contact.source` to Full, or make it thicker.");
    }
}
