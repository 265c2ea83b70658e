//! The doctor's texts fit their subject; and angles that are probably meant in degrees.

use delassus_doctor::{Fix, Rule, Severity};

use super::{TWO, findings, only, scene};

/// Ropes and sliders have no angle, and a motor with a cap is not advised to have one.
#[test]
fn cures_fit_what_they_cure() {
    let rope = only(Rule::Limit, Severity::Warning, TWO, r#"(name: "line", a: "a", b: "b", kind: Rope(length: 0.6))"#);
    assert!(rope.what.contains("line is 0.400 m too short"), "{}", rope.what);
    assert!(!rope.cure.contains("angle") && rope.cure.contains("rope longer"), "{}", rope.cure);
    let slider = only(
        Rule::Limit,
        Severity::Warning,
        TWO,
        r#"(name: "rail", a: "a", b: "b", axis: (1, 0, 0), kind: Prismatic(limit: (0.3, 2)))"#,
    );
    assert!(!slider.cure.contains("angle") && slider.cure.contains("slide"), "{}", slider.cure);
    let hinge = |limit: &str, motor: &str| {
        format!(
            r#"(name: "pin", a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: {limit}, motor: ({motor})))"#
        )
    };
    let capped = only(Rule::Motor, Severity::Note, TWO, &hinge("(-1, 0)", "speed: 2, max_torque: 5"));
    assert!(!capped.cure.contains("max_torque") && capped.cure.contains("pin"), "{}", capped.cure);
    let uncapped = only(Rule::Motor, Severity::Warning, TWO, &hinge("(-1, 1)", "speed: 2"));
    assert!(uncapped.cure.contains("max_torque") && uncapped.cure.contains("pin"), "{}", uncapped.cure);
    // The text names the joint to be deleted.
    let still = TWO.replace("mass: 1", "motion: Static");
    let weld = only(Rule::Immovable, Severity::Warning, &still, r#"(name: "weld", a: "a", b: "b", kind: Fixed)"#);
    assert!(weld.cure.contains("delete weld"), "{}", weld.cure);
    assert_eq!(weld.fix.unwrap().label(|_| "weld", |_| "a"), "Delete weld");
    let both =
        r#"(name: "rod", a: "a", b: "b", kind: Distance()), (name: "line", a: "a", b: "b", kind: Rope(length: 0.9))"#;
    let found = findings(&scene(TWO, both, ""));
    assert!(found[0].cure.contains("delete rod or line"), "{}", found[0].cure);
}

#[test]
fn radians_that_look_meant_in_degrees() {
    let hinge = |limit: &str| {
        format!(r#"(name: "pin", a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: {limit}))"#)
    };
    for right in ["(-0.5, 0.5)", "(Degrees(-30), Degrees(30))", "(0, 6.2831855)", "(-3, 3)", "(-12.566371, 12.566371)"]
    {
        let found = findings(&scene(TWO, &hinge(right), ""));
        assert!(found.is_empty(), "{right}: {found:#?}");
    }
    for (limit, v) in [("(-30, 30)", -30), ("(0, 90)", 90), ("(-45, 1.5)", -45)] {
        let found = only(Rule::Degrees, Severity::Warning, TWO, &hinge(limit));
        assert!(
            found.what.contains(&format!("The limit of pin is {v} rad"))
                && found.what.contains(&format!("{v}° was probably meant")),
            "{}",
            found.what
        );
        assert_eq!(found.fix, Some(Fix::Degrees { joint: 0 }));
    }
    let turned =
        |rotation: &str| format!(r#"(name: "plate", shape: Box(half: (1, 0.5, 0.1)), rotation: {rotation}, mass: 1)"#);
    assert!(findings(&scene(&turned("Euler(x: Degrees(90), y: 0, z: 0)"), "", "")).is_empty());
    assert!(findings(&scene(&turned("AxisAngle(axis: (0, 0, 1), angle: 1.5707964)"), "", "")).is_empty());
    for rotation in ["Euler(x: 90, y: 0, z: 0)", "AxisAngle(axis: (0, 0, 1), angle: 45)"] {
        let found = only(Rule::Degrees, Severity::Warning, &turned(rotation), "");
        assert_eq!(found.fix, Some(Fix::TurnInDegrees { body: 1 }));
        assert!(found.what.contains("plate"), "{}", found.what);
    }
}
