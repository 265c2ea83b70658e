//! Bodies that may pass through others.

use super::*;

const FLOOR: &str = "(name: \"floor\", shape: Box(half: (9, 9, 0.05)), at: (0, 0, -0.05), motion: Static)";

fn thrown(speed: f32, settings: &str) -> Vec<(Rule, Severity)> {
    let ball =
        format!("{FLOOR}, (name: \"ball\", shape: Sphere(radius: 0.1), at: (0, 0, 1), velocity: (0, 0, -{speed}))");
    findings(&scene(&ball, "", settings)).iter().map(|found| (found.rule, found.severity)).collect()
}

#[test]
fn a_ball_that_flies_past_its_contacts_is_warned_of() {
    let off = "contact: (continuous: Off)";
    assert_eq!(thrown(30.0, off), [(Rule::Passes, Severity::Warning)]);
    assert_eq!(thrown(1.0, off), []);
    // With a drop of a metre it arrives with 4.5 m/s: 15 cm in a step of 1/30 s.
    assert_eq!(thrown(0.0, "contact: (continuous: Off), step: (rate: 25)"), [(Rule::Passes, Severity::Warning)]);
    assert_eq!(thrown(30.0, "contact: (continuous: Speculative)"), []);
    assert_eq!(thrown(30.0, "contact: (continuous: TimeOfImpact)"), []);
}

/// About one throw of ten passes.
#[test]
fn contacts_by_impacts_are_warned_of_and_contacts_by_rows_are_not() {
    assert_eq!(thrown(3.0, "formulation: (contact: Blows)"), [(Rule::Passes, Severity::Warning)]);
    assert_eq!(thrown(3.0, ""), []);
}

#[test]
fn a_thin_plate_under_contacts_of_one_point_is_noted() {
    let plate = FLOOR.replace("0.05", "0.02");
    let ball = format!("{plate}, (name: \"ball\", shape: Sphere(radius: 0.1), at: (0, 0, 1))");
    let rules =
        |settings: &str| findings(&scene(&ball, "", settings)).iter().map(|found| found.rule).collect::<Vec<_>>();
    assert_eq!(rules("contact: (source: Single)"), [Rule::Passes]);
    assert_eq!(rules("contact: (source: Growing)"), [Rule::Passes]);
    assert_eq!(rules(""), []);
}

/// Of 42,000 throws two passed, both under four sweeps of Jacobi.
#[test]
fn a_fast_ball_under_few_sweeps_of_jacobi_is_noted() {
    let is_reported = |speed: f32, sweeps: u32| {
        let settings = format!("step: (substeps: 1), solver: (method: Jacobi, iterations: {sweeps})");
        thrown(speed, &settings).contains(&(Rule::Passes, Severity::Note))
    };
    assert!(is_reported(20.0, 4));
    assert!(!is_reported(20.0, 10));
    // In a step of 1/60 s it moves by less than its radius, 4.5 m/s of a fall of a metre included.
    assert!(!is_reported(2.0, 4));
}
