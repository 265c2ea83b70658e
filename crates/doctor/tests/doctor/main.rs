//! The doctor: every rule on a scene with the problem and on one without it, and on the library.

mod bounded;
mod hung;
mod jams;
mod linkages;
mod loads;
mod mobility;
mod motions;
mod motors;
mod passing;
mod verdict;
mod words;

use delassus_doctor::{DoctorCase, Examination, Finding, Fix, Rule, Severity, examine};
use delassus_physics::setting::Value;
use delassus_scene::{self as scene, Loaded, library};

fn load(text: &str) -> Loaded {
    scene::read_str(text, "test").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]))
}

fn examined(loaded: &Loaded) -> Examination {
    let world = loaded.flat.world(loaded.scene.settings.settings());
    examine(&DoctorCase::new(&loaded.flat, &world).with_scene(&loaded.scene))
}

fn findings(loaded: &Loaded) -> Vec<Finding> {
    examined(loaded).findings
}

/// A scene with these bodies, joints and settings.
fn scene(bodies: &str, joints: &str, settings: &str) -> Loaded {
    load(&format!(
        "(version: 1, title: \"t\", settings: (preset: SingleStep, {settings}), bodies: [{bodies}], joints: [{joints}])"
    ))
}

/// The only finding of a scene, which must be of this rule.
#[track_caller]
fn only(rule: Rule, severity: Severity, bodies: &str, joints: &str) -> Finding {
    let mut found = findings(&scene(bodies, joints, ""));
    assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(rule, severity)], "{found:#?}");
    found.remove(0)
}

#[track_caller]
fn healthy(bodies: &str, joints: &str) {
    let found = findings(&scene(bodies, joints, ""));
    assert!(found.is_empty(), "{found:#?}");
}

/// Two boxes of 1 kg, a metre apart, without contacts.
const TWO: &str = r#"(name: "a", shape: Box(half: (0.2, 0.2, 0.2)), mass: 1, collide: false),
    (name: "b", shape: Box(half: (0.2, 0.2, 0.2)), at: (1, 0, 0), mass: 1, collide: false)"#;

#[test]
fn anchors_that_do_not_meet() {
    healthy(TWO, r#"(a: "a", b: "b", anchor: (0.5, 0, 0), kind: BallSocket)"#);
    let apart = r#"(a: "a", b: "b", anchor_a: (0.5, 0, 0), anchor_b: (-0.4, 0, 0), kind: BallSocket)"#;
    let found = only(Rule::Anchors, Severity::Warning, TWO, apart);
    assert_eq!((found.fix, &found.joints[..]), (Some(Fix::MeetAnchors { joint: 0 }), &[0][..]));
    // 0.1 m at β/h = 0.2 · 60 per second.
    assert!(found.what.contains("0.100 m") && found.what.contains("1.20 m/s"), "{}", found.what);
    // A rod whose length differs from the distance of its ends; without stabilisation it is never corrected.
    healthy(TWO, r#"(a: "a", b: "b", kind: Distance())"#);
    let found = only(Rule::Anchors, Severity::Warning, TWO, r#"(a: "a", b: "b", kind: Distance(length: 1.5))"#);
    assert!(matches!(found.fix, Some(Fix::Length { joint: 0, length }) if (length - 1.0).abs() < 1e-6));
    let found = findings(&scene(TWO, apart, "stabilization: (method: Off)"));
    assert!(found[0].what.contains("stabilisation is off"), "{}", found[0].what);
}

#[test]
fn axes_out_of_line() {
    healthy(TWO, r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge())"#);
    let askew = r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis_a: (0, 0, 1), axis_b: (0, 1, 1), kind: Hinge())"#;
    let found = only(Rule::Axes, Severity::Warning, TWO, askew);
    assert!(found.what.contains("45.0°") && found.fix == Some(Fix::AlignAxes { joint: 0 }), "{found:?}");
}

#[test]
fn limits_broken_at_the_start() {
    let hinge =
        |limit: &str| format!(r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: {limit}))"#);
    healthy(TWO, &hinge("(-0.1, 1)"));
    let found = only(Rule::Limit, Severity::Warning, TWO, &hinge("(Degrees(30), Degrees(60))"));
    let Some(Fix::Limit { joint: 0, range: (min, max) }) = found.fix else { panic!("{found:?}") };
    assert!(min == 0.0 && (max.to_degrees() - 60.0).abs() < 1e-3 && found.what.contains("30.0°"), "{found:?}");
    healthy(TWO, r#"(a: "a", b: "b", kind: Rope(length: 1.2))"#);
    let found = only(Rule::Limit, Severity::Warning, TWO, r#"(a: "a", b: "b", kind: Rope(length: 0.8))"#);
    assert!(found.what.contains("0.200 m"), "{}", found.what);
}

#[test]
fn limits_that_exclude_each_other() {
    let pair = |one: &str, two: &str, axis: &str| {
        format!(
            r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: ConeTwist(twist: {one})),
            (a: "a", b: "b", anchor: (0.5, 0, 0), axis: {axis}, kind: ConeTwist(twist: {two}))"#
        )
    };
    let error = |joints: &str| {
        let found = findings(&scene(TWO, joints, ""));
        found.into_iter().find(|f| f.severity == Severity::Error)
    };
    assert_eq!(error(&pair("(-1, 0)", "(-0.5, 1)", "(0, 0, 1)")), None);
    let found = error(&pair("(-1, -0.5)", "(0, 1)", "(0, 0, 1)")).unwrap();
    assert!(found.rule == Rule::Exclusion && found.joints == [0, 1] && found.what.contains("28.6°"), "{found:?}");
    // About the opposite axis the same angles have the opposite sign.
    assert_eq!(error(&pair("(-1, -0.5)", "(0, 1)", "(0, 0, -1)")), None);
    let rope =
        |length: f32| format!(r#"(a: "a", b: "b", kind: Distance()), (a: "a", b: "b", kind: Rope(length: {length}))"#);
    assert_eq!(error(&rope(1.1)), None);
    assert!(error(&rope(0.9)).is_some());
}

#[test]
fn motors_before_stops() {
    let hinge = |limit: &str, motor: &str| {
        format!(
            r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: {limit}, motor: ({motor})))"#
        )
    };
    healthy(TWO, &hinge("(-1, 1)", "speed: 2, max_torque: 5"));
    let found = only(Rule::Motor, Severity::Warning, TWO, &hinge("(-1, 1)", "speed: 2"));
    assert!(found.what.contains("after 0.500 s"), "{}", found.what);
    let found = only(Rule::Motor, Severity::Note, TWO, &hinge("(-1, 0)", "speed: 2, max_torque: 5"));
    assert!(found.what.contains("5.00 N·m from the first step"), "{}", found.what);
    healthy(TWO, &hinge("(-1, 0)", "speed: -2, max_torque: 5"));
}

#[test]
fn joints_of_what_does_not_move() {
    let still = TWO.replace("mass: 1", "motion: Static");
    let joint = r#"(a: "a", b: "b", anchor: (0.5, 0, 0), kind: BallSocket)"#;
    let found = only(Rule::Immovable, Severity::Warning, &still, joint);
    assert_eq!(found.fix, Some(Fix::Remove { joint: 0 }));
}

#[test]
fn motors_that_friction_stops() {
    let hinge = |motor: &str, friction: &str| {
        format!(r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: ({motor}), {friction}))"#)
    };
    healthy(TWO, &hinge("speed: 2, max_torque: 5", "friction: 4, breakaway: 4.5"));
    let found =
        only(Rule::Weak, Severity::Warning, TWO, &hinge("speed: 2, max_torque: 5", "friction: 4, breakaway: 6"));
    assert!(found.what.contains("6.00 N·m"), "{}", found.what);
}

/// The weight's torque on a servo's arm at the start: m g l = 2 · 9.81 · 0.5 N·m.
#[test]
fn servos_that_their_load_turns() {
    let bodies = r#"(name: "arm", shape: Sphere(radius: 0.1), at: (0.5, 0, 1), mass: 2, collide: false)"#;
    let hinge = |servo: &str, more: &str| {
        format!(r#"(b: "arm", anchor: (0, 0, 1), axis: (0, 1, 0), kind: Hinge(servo: ({servo})){more})"#)
    };
    healthy(bodies, &hinge("stiffness: 500, damping: 50, max_torque: 9.9", ""));
    healthy(bodies, &hinge("damping: 50, max_torque: 5", ""));
    healthy(bodies, &hinge("stiffness: 500, damping: 50, max_torque: 5", ", by_time: Sinusoid(rate: 2)"));
    let weak = hinge("stiffness: 500, damping: 50, max_torque: 9.7", "");
    let found = only(Rule::Weak, Severity::Warning, bodies, &weak);
    assert!(found.what.starts_with("The servo of") && found.what.contains("9.81 N·m"), "{}", found.what);
}

#[test]
fn forces_on_what_they_do_not_move() {
    let forced = |more: &str| {
        format!(r#"(name: "a", shape: Sphere(radius: 0.2), forces: [(force: (1, 0, 0), at: (0, 0.2, 0))], {more})"#)
    };
    healthy(&forced("mass: 1"), "");
    let found = only(Rule::Unmoved, Severity::Warning, &forced("motion: Static"), "");
    assert!(found.what.contains("static"), "{}", found.what);
    only(Rule::Unmoved, Severity::Warning, &forced("motion: Kinematic"), "");
    let found = only(Rule::Unmoved, Severity::Warning, &forced("mass: 1, particle: true"), "");
    assert!(found.what.contains("does not rotate"), "{}", found.what);
    let drag = r#"(name: "a", shape: Sphere(radius: 0.2), motion: Static, drag: (linear: 1))"#;
    only(Rule::Unmoved, Severity::Warning, drag, "");
}

/// The gradient of a distance of zero points nowhere, and a negative number has no square root.
#[test]
fn rows_without_a_value_at_the_start() {
    let body = r#"(name: "bead", shape: Sphere(radius: 0.1), mass: 1, collide: false)"#;
    let found_in = |rows: &str| {
        let joint = format!(r#"(b: "bead", anchor: (0, 0, 0), kind: Formula(rows: [{rows}]))"#);
        let mut found = findings(&scene(body, &joint, ""));
        found.retain(|finding| finding.rule == Rule::Undefined);
        found
    };
    assert!(found_in(r#""dot(pB - pA, zA)""#).is_empty());
    let found = found_in(r#""dot(pB - pA, zA)", "distance", "sqrt(-1 - distance)""#);
    assert!(found.len() == 2 && found[0].what.contains("Row 2 of") && found[1].what.contains("sqrt"), "{found:?}");
}

/// r = 0.3 + 0.04 cos 4θ has at the bottom of its hollows κ = (r − r'')/r² = (0.26 − 0.64)/0.0676 = −1/0.178 m, the spline
/// through 72 radii −1/0.175 m.
#[test]
fn a_roller_that_does_not_fit_into_its_cam() {
    let radii: Vec<f32> = (0..72).map(|i| 0.3 + 0.04 * (std::f32::consts::TAU * 4.0 * i as f32 / 72.0).cos()).collect();
    let undercut = |roller: f32| {
        let bodies = format!(
            r#"(name: "cam", shape: Sphere(radius: 0.1), mass: 1, collide: false),
            (name: "rod", shape: Sphere(radius: 0.1), at: (0, 0, {}), mass: 1, collide: false)"#,
            0.34 + roller
        );
        let joints = format!(
            r#"(b: "cam", anchor: (0, 0, 0), axis: (0, 1, 0), kind: Hinge), (b: "rod", axis: (0, 0, 1), kind: Prismatic),
            (a: "cam", b: "rod", axis: (0, 1, 0), kind: Cam(radii: {radii:?}, roller: {roller}))"#
        );
        let mut found = findings(&scene(&bodies, &joints, ""));
        found.retain(|finding| finding.severity >= Severity::Warning);
        found
    };
    assert!(undercut(0.0).is_empty() && undercut(0.17).is_empty(), "{:?}", undercut(0.17));
    let found = undercut(0.19);
    assert!(found.len() == 1 && found[0].rule == Rule::Undercut, "{found:?}");
    assert!(found[0].what.contains("0.190 m") && found[0].what.contains("0.175 m"), "{}", found[0].what);
}

#[test]
fn heavy_on_light() {
    let hung = |light: f32, heavy: f32| {
        format!(
            r#"(name: "a", shape: Sphere(radius: 0.2), at: (0, 0, -1), mass: {light}, collide: false),
            (name: "b", shape: Sphere(radius: 0.2), at: (0, 0, -2), mass: {heavy}, collide: false)"#
        )
    };
    let joints =
        r#"(b: "a", anchor: (0, 0, 0), kind: BallSocket()), (a: "a", b: "b", anchor: (0, 0, -1), kind: BallSocket())"#;
    healthy(&hung(1.0, 90.0), joints);
    // A light body below a heavy one is no problem.
    healthy(&hung(500.0, 1.0), joints);
    // As blocks, or directly, joints are solved exactly whatever the masses.
    healthy(&hung(1.0, 200.0), joints);
    assert_eq!(findings(&scene(&hung(1.0, 200.0), joints, "solver: (method: Direct)")), []);
    let swept = findings(&scene(&hung(1.0, 200.0), joints, "solver: (rows: Block)"));
    assert_eq!(swept.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Mass, Severity::Warning)]);
    let found = &swept[0];
    assert_eq!(found.fix, Some(Fix::Set { name: "solver.rows", value: Value::Choice("Mechanism") }));
    // ρ = 200/201 = 0.9950; ln 10/−ln ρ = 461.7.
    assert!(found.what.contains("0.9950") && found.what.contains("462 sweeps") && found.bodies == [1, 2], "{found:?}");
    // h ω = √(M g l/(I + m c²))/60 with l = 1 m, c = ½ m and I = ⅖ m r² is 1.43 for 200 kg and 3.20 for 1000 kg, which
    // no solver can correct, but two sub-steps.
    assert!(!found.what.contains("h ω"), "{found:?}");
    let swing = (1000.0f32 * 9.81 / (0.4 * 0.2 * 0.2 + 0.5 * 0.5)).sqrt() / 60.0;
    let sentence = format!("h ω is {swing:.2}, and must be below 2. It needs 2 sub-steps");
    for settings in ["", "solver: (method: Direct)"] {
        let heavier = findings(&scene(&hung(1.0, 1000.0), joints, settings));
        assert!(heavier[0].severity == Severity::Warning && heavier[0].what.contains(&sentence), "{heavier:?}");
        assert!(!heavier[0].what.contains("a sweep leaves"), "{heavier:?}");
        assert_eq!(heavier[0].fix, Some(Fix::Set { name: "step.substeps", value: Value::Int(2) }));
    }
}

#[test]
fn inertias() {
    let bar = |half: &str| format!(r#"(name: "bar", shape: Box(half: {half}), mass: 1)"#);
    healthy(&bar("(3, 0.25, 0.25)"), "");
    // (1 + ε²)/(2 ε²) for a bar of 1 by ε: 5000 at ε = 0.01, half of the threshold; 31250 at 0.004.
    healthy(&bar("(1, 0.01, 0.01)"), "");
    only(Rule::Inertia, Severity::Warning, &bar("(1, 0.004, 0.004)"), "");
}

/// No moment of a ball of 1 kg and 0.5 m exceeds m R² = 0.25 kg m².
#[test]
fn inertias_and_mass_centres_that_the_shape_cannot_have() {
    let ball = |more: &str| format!(r#"(name: "ball", shape: Sphere(radius: 0.5), mass: 1, {more})"#);
    healthy(&ball("inertia: (xx: 0.24, yy: 0.24, zz: 0.24), mass_centre: (0, 0, 0)"), "");
    let found = only(Rule::Inertia, Severity::Note, &ball("inertia: (xx: 0.3, yy: 0.3, zz: 0.3)"), "");
    assert!(found.what.contains("0.250 kg m²"), "{}", found.what);
    healthy(&ball("mass_centre: (0, 0, 0.4)"), "");
    let found = only(Rule::Inertia, Severity::Note, &ball("mass_centre: (0, 0, 0.6)"), "");
    assert!(found.what.contains("outside its shape"), "{}", found.what);
}

#[test]
fn far_outside() {
    let ball = |x: f32| format!(r#"(name: "ball", shape: Sphere(radius: 0.5), at: ({x}, 0, 0))"#);
    healthy(&ball(2000.0), "");
    let found = only(Rule::Far, Severity::Warning, &ball(50_000.0), "");
    // ε of f32 times 50 km: 5.96 mm.
    assert!(found.what.contains("5.96 mm"), "{}", found.what);
}

#[test]
fn bodies_in_each_other() {
    let boxes = |x: f32| {
        format!(
            r#"(name: "a", shape: Box(half: (0.5, 0.5, 0.5)), motion: Static),
            (name: "b", shape: Box(half: (0.5, 0.5, 0.5)), at: ({x}, 0, 0), mass: 1)"#
        )
    };
    healthy(&boxes(0.995), "");
    let small = r#"(name: "a", shape: Box(half: (0.5, 0.5, 0.5)), motion: Static),
        (name: "b", shape: Box(half: (0.005, 0.005, 0.005)), at: (0.501, 0, 0), mass: 1)"#;
    only(Rule::Overlap, Severity::Warning, small, "");
    let found = only(Rule::Overlap, Severity::Warning, &boxes(0.9), "");
    let Some(Fix::Move { body: 2, by }) = found.fix else { panic!("{found:?}") };
    assert!((by - glam::Vec3::new(0.1, 0.0, 0.0)).length() < 1e-3 && found.what.contains("100 mm"), "{found:?}");
    // Bodies connected by a joint do not collide.
    healthy(&boxes(0.9), r#"(a: "a", b: "b", anchor: (0.5, 0, 0), kind: BallSocket())"#);
}

/// Of many similar findings only the first are listed, with the number of the others.
#[test]
fn many_alike_are_abridged() {
    let bodies: String =
        (0..40).map(|i| format!(r#"(name: "b{i}", shape: Sphere(radius: 0.5), at: (5000, {}, 0)),"#, 2 * i)).collect();
    let found = findings(&scene(&bodies, "", ""));
    assert_eq!(found.len(), 12);
    assert!(found[11].what.ends_with("And 28 more like this."), "{}", found[11].what);
}

/// A finding that the scene expects is marked as such; an expected finding that does not occur is reported.
#[test]
fn what_a_scene_expects_is_no_alarm() {
    let askew = r#"(a: "a", b: "b", anchor: (0.5, 0, 0), axis_a: (0, 0, 1), axis_b: (0, 1, 1), kind: Hinge())"#;
    let text = |expects: &str, joint: &str| {
        load(&format!("(version: 1, title: \"t\", {expects} bodies: [{TWO}], joints: [{joint}])"))
    };
    let severities = |loaded: &Loaded| findings(loaded).iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>();
    assert_eq!(severities(&text("", askew)), [(Rule::Axes, Severity::Warning)]);
    assert_eq!(severities(&text("expects: [axes],", askew)), [(Rule::Axes, Severity::Meant)]);
    // Other findings are unaffected.
    let both = format!(r#"{askew}, (a: "a", b: "b", kind: Distance(length: 2))"#);
    let found = severities(&text("expects: [axes],", &both));
    assert!(found.contains(&(Rule::Anchors, Severity::Warning)) && found.contains(&(Rule::Axes, Severity::Meant)));
    let stale = findings(&text("expects: [axes],", ""));
    assert!(stale.len() == 1 && stale[0].severity == Severity::Note && stale[0].what.contains("`axes`"), "{stale:?}");
    // An unknown rule is a mistake with its position.
    let Err(mistakes) = scene::read_str("(version: 1, title: \"t\",\n expects: [axles])", "t.ron") else { panic!() };
    assert!(
        mistakes[0].to_string().starts_with("t.ron:2:") && mistakes[0].to_string().contains("axles"),
        "{}",
        mistakes[0]
    );
}

/// The scenes of the library have no findings except those they expect.
#[test]
fn the_library_is_in_good_health() {
    let scenes = library::ordinary(&library::scenes_folder());
    assert!(scenes.len() > 30);
    for entry in scenes {
        let loaded = scene::read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        for finding in findings(&loaded) {
            assert!(finding.severity <= Severity::Note, "{}: {} ({})", entry.id, finding.what, finding.rule.name());
            assert!(!finding.what.contains("`expects`"), "{}: {}", entry.id, finding.what);
        }
    }
}
