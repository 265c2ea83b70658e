//! Weights: stacks, break limits, welded rows.

use delassus_doctor::{Fix, Rule, Severity};
use delassus_physics::setting::Value;

use super::{findings, healthy, load, only, scene};

const FLOOR: &str = r#"(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static)"#;

fn cube(name: &str, x: f32, z: f32, mass: f32) -> String {
    format!(r#", (name: "{name}", shape: Box(half: (0.5, 0.5, 0.5)), at: ({x}, 0, {z}), mass: {mass})"#)
}

const DIRECT: Fix = Fix::Set { name: "solver.method", value: Value::Choice("Direct") };
const MECHANISM: Fix = Fix::Set { name: "solver.rows", value: Value::Choice("Mechanism") };

/// Contacts that bear ratios up to a hundred; for rigid ones see `hung.rs`.
const SOFT: &str = "stabilization: (contacts: Soft)";

/// ρ = M/(m + M) and ln 10/−ln ρ sweeps per digit, as for the same masses hanging.
#[test]
fn a_heavy_body_on_a_light_one() {
    let stack = |below: f32, above: f32, settings: &str| {
        let bodies = format!("{FLOOR}{}{}", cube("lower", 0.0, 0.5, below), cube("upper", 0.0, 1.5, above));
        findings(&super::scene(&bodies, "", &format!("{SOFT}, {settings}")))
    };
    assert!(stack(2.0, 180.0, "").is_empty());
    assert!(stack(900.0, 1.0, "").is_empty());
    for (m, big) in [(1.0f64, 1000.0f64), (0.5, 80.0)] {
        let found = stack(m as f32, big as f32, "");
        assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Mass, Severity::Warning)]);
        let rho = big / (m + big);
        let sweeps = (10f64.ln() / -rho.ln()).round();
        assert!(
            found[0].what.starts_with("upper of")
                && found[0].what.contains(&format!("{rho:.4} of the error; a digit takes about {sweeps} sweeps")),
            "{}",
            found[0].what
        );
        assert_eq!((found[0].bodies.as_slice(), found[0].fix), (&[2, 3][..], Some(DIRECT)));
    }
    assert_eq!(stack(1.0, 1000.0, "solver: (method: Direct)")[0].severity, Severity::Note);
    // With a body of medium mass between them; and four bodies that share the load: 600/4 on each.
    let bodies =
        format!("{FLOOR}{}{}{}", cube("low", 0.0, 0.5, 1.0), cube("mid", 0.0, 1.5, 50.0), cube("top", 0.0, 2.5, 600.0));
    let found = findings(&super::scene(&bodies, "", SOFT));
    assert!(found.len() == 1 && found[0].bodies == [2, 4], "{found:#?}");
    let legs: String = (0..4).map(|k| cube(&format!("leg {k}"), 1.5 * k as f32, 0.5, 2.0)).collect();
    let table = |mass: f32| {
        let top = format!(r#", (name: "top", shape: Box(half: (3, 0.5, 0.1)), at: (2.25, 0, 1.1), mass: {mass})"#);
        findings(&super::scene(&format!("{FLOOR}{legs}{top}"), "", SOFT))
    };
    assert!(table(700.0).is_empty());
    let found = table(1000.0);
    assert!(
        found.len() == 1 && found[0].what.contains("one of 4 side by side: the ratio of load to mass is 125 to 1"),
        "{found:#?}"
    );
}

/// A hanging weight pulls with m g from the first step; one that falls into its joint does so when it hangs still.
#[test]
fn break_limits_below_the_load() {
    let hung = |at: &str, breaks: &str| {
        let bob = format!(r#"(name: "bob", shape: Sphere(radius: 0.2), at: {at}, mass: 7)"#);
        findings(&super::scene(
            &bob,
            &format!(r#"(name: "pin", b: "bob", anchor: (0, 0, 0), kind: BallSocket, breaks: {breaks})"#),
            "",
        ))
    };
    let weight = 7.0 * 9.81;
    assert!(hung("(0, 0, -1.4)", "(force: 70)").is_empty());
    let found = hung("(0, 0, -1.4)", "(force: 40)");
    assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Breaks, Severity::Warning)]);
    assert!(
        found[0].what.contains(&format!("pin bears 40.0 N, but the load in the first step is {weight:.1} N")),
        "{found:?}"
    );
    let Some(Fix::Breaks { joint: 0, breaks }) = found[0].fix else { panic!("{found:?}") };
    assert!((breaks.force.unwrap() - 2.0 * weight).abs() < 0.1);
    let found = hung("(1.4, 0, 0)", "(force: 40)");
    assert!(found.len() == 1 && found[0].what.contains(&format!("hangs on it is {weight:.1} N")), "{found:?}");
    // A bracket of 3 kg and 2 m: the moment about its weld is m g l/2.
    let bracket = r#"(name: "arm", shape: Box(half: (1, 0.1, 0.1)), at: (1, 0, 0), mass: 3, collide: false)"#;
    let welded = |torque: f32| {
        let weld = format!(r#"(name: "weld", b: "arm", anchor: (0, 0, 0), kind: Fixed, breaks: (torque: {torque}))"#);
        findings(&super::scene(bracket, &weld, ""))
    };
    assert!(welded(30.0).is_empty());
    let found = welded(25.0);
    assert!(found.len() == 1 && found[0].what.contains(&format!("is {:.1} N·m", 3.0 * 9.81)), "{found:?}");
    // The limits of all joints from the settings.
    let found = findings(&super::scene(
        bracket,
        r#"(name: "weld", b: "arm", anchor: (0, 0, 0), kind: Fixed)"#,
        "breaking: (torque: 20)",
    ));
    assert!(found.len() == 1 && found[0].fix.is_none() && found[0].cure.contains("`breaking.torque`"), "{found:?}");
}

/// A welded cantilever of five boxes: ρ is reported, and it is true that with ten sweeps per step it sags by more
/// than a tenth of its length, and not at all with the direct solver.
#[test]
fn a_welded_cantilever_that_sweeps_cannot_carry() {
    let row = |count: usize| {
        let bodies: String = (0..count)
            .map(|i| {
                format!(
                    r#"(name: "w{i}", shape: Box(half: (0.25, 0.1, 0.1)), at: ({}, 0, 0), mass: 1, collide: false),"#,
                    0.25 + 0.5 * i as f32
                )
            })
            .collect();
        let joints: String = (0..count)
            .map(|i| {
                let a = if i == 0 { "world".to_owned() } else { format!("w{}", i - 1) };
                format!(r#"(a: "{a}", b: "w{i}", anchor: ({}, 0, 0), kind: Fixed),"#, 0.5 * i as f32)
            })
            .collect();
        format!(r#"(version: 1, title: "t", bodies: [{bodies}], joints: [{joints}])"#)
    };
    assert!(findings(&load(&row(2))).is_empty());
    let swept = |more: &str| {
        row(5).replace(r#"title: "t","#, &format!(r#"title: "t", settings: (preset: SingleStep, solver: ({more})),"#))
    };
    let loaded = load(&swept("rows: Block"));
    let found = findings(&loaded);
    assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Sweeps, Severity::Warning)]);
    assert!(
        found[0].what.contains("5 bodies welded in a row, from w0 to w4") && found[0].what.contains("ρ = 0.99"),
        "{found:?}"
    );
    assert_eq!(found[0].fix, Some(MECHANISM));
    let sag = |text: &str| {
        let loaded: delassus_scene::Loaded = load(text);
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        (0..60)
            .map(|_| {
                world.step();
                -world.state.bodies[5].position.z
            })
            .fold(0.0, f32::max)
    };
    assert!(sag(&swept("rows: Block")) > 0.25, "{}", sag(&swept("rows: Block")));
    for exact in ["method: Direct", "rows: Tree", "rows: Mechanism"] {
        let sag = sag(&swept(exact));
        assert!(sag < 1e-4 && findings(&load(&swept(exact))).is_empty(), "{exact}: {sag}");
    }
}

/// Who builds Newton's cradle is told of the setting that it needs.
#[test]
fn balls_in_a_row() {
    let row = |count: usize, restitution: f32, spacing: f32| -> String {
        let ball = |k: usize| {
            let x = k as f32 * spacing;
            format!(
                r#"(name: "b{k}", shape: Sphere(radius: 0.25), at: ({x}, 0, 1), mass: 1, restitution: {restitution}),"#
            )
        };
        (0..count).map(ball).collect()
    };
    let found = only(Rule::Impacts, Severity::Note, &row(4, 1.0, 0.5), "");
    assert_eq!(found.bodies, [1, 2, 3, 4]);
    assert_eq!(found.fix, Some(Fix::Set { name: "contact.impacts", value: Value::Choice("Propagate") }));
    assert!(found.what.starts_with("4 bouncing balls touch each other, from b0 to b3."), "{}", found.what);
    // Balls that hardly bounce, or do not touch, and impacts that are passed on.
    healthy(&row(4, 0.3, 0.5), "");
    healthy(&row(4, 1.0, 0.51), "");
    assert!(findings(&scene(&row(4, 1.0, 0.5), "", "contact: (impacts: Propagate)")).is_empty());
}
