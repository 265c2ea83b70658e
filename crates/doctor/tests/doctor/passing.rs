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
fn contacts_by_blows_are_warned_of_and_contacts_by_rows_are_not() {
    assert_eq!(thrown(3.0, "formulation: (contact: Blows)"), [(Rule::Passes, Severity::Warning)]);
    assert_eq!(thrown(3.0, ""), []);
}

#[test]
fn a_thin_plate_under_contacts_of_one_point_is_noted() {
    let plate = FLOOR.replace("0.05", "0.02");
    let ball = format!("{plate}, (name: \"ball\", shape: Sphere(radius: 0.1), at: (0, 0, 1))");
    let told =
        |settings: &str| findings(&scene(&ball, "", settings)).iter().map(|found| found.rule).collect::<Vec<_>>();
    assert_eq!(told("contact: (source: Single)"), [Rule::Passes]);
    assert_eq!(told("contact: (source: Growing)"), [Rule::Passes]);
    assert_eq!(told(""), []);
}
