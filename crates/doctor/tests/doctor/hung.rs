//! What the doctor says of loads on light links, of stacks, and of welds that sweeps cannot carry at all.

use delassus_doctor::Rule;

use super::{findings, load, scene};

/// Ten thin rods of `light` kg and 0.1 m on ball joints with `heavy` kg below.
fn rope(light: f32, heavy: f32) -> (String, String) {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for link in 0..10 {
        let top = -0.1 * link as f32;
        let above = if link == 0 { "world".to_owned() } else { format!("r{}", link - 1) };
        bodies += &format!(
            "(name: \"r{link}\", shape: Capsule(radius: 0.005, half_length: 0.045), at: (0, 0, {}), mass: {light}, \
             collide: false),",
            top - 0.05
        );
        joints += &format!("(a: \"{above}\", b: \"r{link}\", anchor: (0, 0, {top}), kind: BallSocket),");
    }
    bodies += &format!("(name: \"load\", shape: Sphere(radius: 0.1), at: (0, 0, -1.1), mass: {heavy}, collide: false)");
    joints += "(a: \"r9\", b: \"load\", anchor: (0, 0, -1), kind: BallSocket)";
    (bodies, joints)
}

/// Links of 10 g under 4 kg: a thin rod turns at √(12 M g/(m l)), which four sub-steps of a step of 1/60 s do not
/// follow, though they would follow beads, at 2 √(M g/(m l)).
#[test]
fn a_rope_of_light_rods_needs_more_sub_steps_than_one_of_beads() {
    let (bodies, joints) = rope(0.01, 4.0);
    let at = |substeps: u32| {
        let found = findings(&scene(&bodies, &joints, &format!("step: (substeps: {substeps})")));
        let mass = found.into_iter().find(|finding| finding.rule == Rule::Mass);
        mass.map_or_else(String::new, |mass| mass.what)
    };
    let omega = |share: f32| (share * 4.0 * 9.81 / (0.01 * 0.1f32)).sqrt();
    assert!(omega(4.0) / 240.0 < 2.0, "beads are followed");
    let enough = (omega(12.0) / 120.0).ceil() as u32;
    assert!(at(4).contains(&format!("It needs {enough} sub-steps instead of 4")), "{}", at(4));
    assert_eq!(at(enough), "", "exact joints carry any load");
}

/// Rigid contacts do not carry a load whose digit takes more steps than a stack stands; more sweeps or soft contacts
/// do.
#[test]
fn stacks_are_told_of_by_the_sweeps_that_there_are() {
    let stack = |heavy: f32, settings: &str| {
        let bodies = format!(
            "(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static), \
             (name: \"low\", shape: Box(half: (0.2, 0.2, 0.2)), at: (0, 0, 0.2), mass: 0.3), \
             (name: \"high\", shape: Box(half: (0.2, 0.2, 0.2)), at: (0, 0, 0.6), mass: {heavy})"
        );
        let found = findings(&load(&format!(
            "(version: 1, title: \"t\", settings: ({settings}), bodies: [{bodies}], joints: [])"
        )));
        found.iter().any(|finding| finding.rule == Rule::Mass)
    };
    // A digit takes 2.3 · 33 sweeps: eight steps of ten.
    assert!(stack(10.0, "preset: SingleStep"));
    assert!(!stack(10.0, "preset: SingleStep, solver: (iterations: 30)"));
    assert!(!stack(10.0, ""), "small steps bear it");
    assert!(!stack(2.0, "preset: SingleStep"));
    assert!(stack(40.0, "solver: (extra: 0)"), "133 to 1");
    assert!(!stack(40.0, ""), "extra sweeps bear it");
    assert!(stack(400.0, ""), "1333 to 1");
}

/// A mast of welds with any load on top is reported, also where rounding keeps the iteration from shrinking at all.
#[test]
fn a_mast_that_sweeps_cannot_carry_is_told_of_whatever_its_load() {
    let mast = |top: f32, settings: &str| {
        let (mut bodies, mut joints) = (String::new(), String::new());
        for block in 0..8 {
            let at = 0.25 + 0.5 * block as f32;
            let below = if block == 0 { "world".to_owned() } else { format!("c{}", block - 1) };
            bodies +=
                &format!("(name: \"c{block}\", shape: Box(half: (0.25, 0.25, 0.25)), at: (0, 0, {at}), mass: 1),");
            joints += &format!("(a: \"{below}\", b: \"c{block}\", anchor: (0, 0, {}), kind: Fixed),", at - 0.25);
        }
        bodies += &format!("(name: \"top\", shape: Box(half: (0.25, 0.25, 0.25)), at: (0.5, 0, 4.25), mass: {top})");
        joints += "(a: \"c7\", b: \"top\", anchor: (0, 0, 4), kind: Fixed)";
        findings(&scene(&bodies, &joints, settings))
    };
    for top in [1.0, 30.0, 80.0, 100.0, 120.0, 150.0, 300.0, 1000.0, 3000.0] {
        let is_reported = |settings: &str| mast(top, settings).iter().any(|finding| finding.rule == Rule::Sweeps);
        assert!(is_reported("solver: (rows: Block)"), "{top} kg: {:?}", mast(top, "solver: (rows: Block)"));
        // What is solved exactly, as at default settings, is not reported.
        for exact in ["", "solver: (rows: Tree)", "solver: (method: Direct)"] {
            assert!(!is_reported(exact), "{top} kg, {exact}: {:?}", mast(top, exact));
        }
    }
}

/// A parallel crank of three bars, confined to a plane: one degree of freedom. The rows of its hinges across the plane
/// act on nothing, and what rounding leaves of them neither keeps it from moving nor counts as redundant.
#[test]
fn a_linkage_in_a_plane_moves_as_one_in_space_does() {
    let bar = |name: &str, from: (f32, f32), to: (f32, f32), plane: &str| {
        let (x, z) = (0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1));
        let angle = -(to.1 - from.1).atan2(to.0 - from.0);
        let half = 0.5 * (to.0 - from.0).hypot(to.1 - from.1);
        format!(
            "(name: \"{name}\", shape: Box(half: ({half}, 0.01, 0.01)), at: ({x}, 0, {z}), rotation: AxisAngle(axis: \
             (0, 1, 0), angle: {angle}), mass: 1, collide: false{plane}),"
        )
    };
    let hinge = |a: &str, b: &str, at: (f32, f32)| {
        format!("(a: \"{a}\", b: \"{b}\", anchor: ({}, 0, {}), axis: (0, 1, 0), kind: Hinge),", at.0, at.1)
    };
    let [o, a, b, c] = [(0.0, 0.0), (0.03, 0.11), (0.31, 0.37), (0.388, 0.0)];
    let joints = hinge("world", "crank", o)
        + &hinge("crank", "rod", a)
        + &hinge("rod", "rocker", b)
        + &hinge("world", "rocker", c);
    for plane in ["", ", plane: (0, 1, 0)"] {
        let bodies = bar("crank", o, a, plane) + &bar("rod", a, b, plane) + &bar("rocker", c, b, plane);
        let examined = super::examined(&scene(&bodies, &joints, ""));
        let mechanism = &examined.mechanisms[0];
        assert_eq!((mechanism.freedom, mechanism.lasting), (Some(1), Some(1)), "{plane}: {:?}", examined.findings);
        assert!(!examined.findings.iter().any(|found| found.rule == Rule::Singular), "{:?}", examined.findings);
        assert_eq!(mechanism.redundant, if plane.is_empty() { 3 } else { 0 }, "{plane}");
    }
}
