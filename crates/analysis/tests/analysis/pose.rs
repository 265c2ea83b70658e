//! Mechanisms that are posed by the value of a joint: positions agree with closed formulas.

use std::f64::consts::{FRAC_PI_2, PI};

use delassus_analysis::{
    Assembly, Barrier, Coordinate, PoseRequest, Posed, Refusal, assemblies, coordinates, pose, rows,
};
use glam::{DQuat, DVec2, DVec3};

use super::four_bar::{FourBar, GRASHOF};
use super::{Scene, bar, hinge, near};

impl Scene {
    fn posed(&self, joint: &str, coordinate: Coordinate, to: f64) -> Result<Posed, Refusal> {
        pose(&self.case(), &PoseRequest { joint: self.joint(joint), coordinate, to })
    }

    fn turned(&self, joint: &str, to: f64) -> Posed {
        self.posed(joint, Coordinate::Turn, to).unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    /// Where a body is in a pose, or in the scene if it did not move.
    fn at(&self, moved: &[(u32, rows::Pose)], body: &str) -> rows::Pose {
        let id = self.body(body);
        let body = &self.world.state.bodies[id as usize];
        let here = rows::Pose { position: body.position.as_dvec3(), rotation: body.rotation.as_dquat() };
        moved.iter().find(|(other, _)| *other == id).map_or(here, |(_, pose)| *pose)
    }

    /// A point of a body, given where it is in the scene, in the plane of x and z.
    fn point(&self, moved: &[(u32, rows::Pose)], body: &str, point: DVec2) -> DVec2 {
        let (from, to) = (self.at(&[], body), self.at(moved, body));
        let local = from.rotation.inverse() * (DVec3::new(point.x, 0.0, point.y) - from.position);
        let p = to.position + to.rotation * local;
        assert!(p.y.abs() < 1e-9, "it stays in its plane");
        DVec2::new(p.x, p.z)
    }
}

#[track_caller]
fn at(found: DVec2, expected: DVec2, what: &str) {
    assert!(found.distance(expected) < 1e-9, "{what}: {found} instead of {expected}");
}

/// Freudenstein: the pins of a four-bar are where its circles meet, a turn forwards and back.
#[test]
fn a_four_bar_follows_its_crank() {
    let scene = GRASHOF.scene();
    for degrees in [10.0, 90.0, 179.0, 200.0, 355.0, -120.0] {
        let posed = scene.turned("crank", f64::to_radians(degrees));
        assert_eq!((posed.stopped, posed.free), (None, 0));
        let [a, c] = GRASHOF.pins(f64::to_radians(degrees));
        at(scene.point(&posed.moved, "crank", GRASHOF.a), a, "crank pin");
        at(scene.point(&posed.moved, "coupler", GRASHOF.c), c, "rocker pin, of the coupler");
        at(scene.point(&posed.moved, "rocker", GRASHOF.c), c, "and of the rocker");
    }
}

/// x = r cos θ + √(l² − r² sin² θ), by its crank and by its slider.
#[test]
fn a_slider_crank_goes_both_ways() {
    let (r, l) = (0.5, 1.25);
    let bodies = bar("crank", [0.25, 0.0], 1.0) + &bar("rod", [1.125, 0.0], 1.0) + &bar("piston", [1.75, 0.0], 1.0);
    let slide = r#"(name: "bore", b: "piston", anchor: (1.75, 0, 0), axis: (1, 0, 0), kind: Prismatic()),"#;
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "")
        + &hinge("crank pin", Some("crank"), "rod", [0.5, 0.0], "")
        + &hinge("piston pin", Some("rod"), "piston", [1.75, 0.0], "")
        + slide;
    let scene = Scene::new(&bodies, &joints);
    let x = |angle: f64| r * angle.cos() + (l * l - (r * angle.sin()).powi(2)).sqrt();
    for angle in [0.3, 1.0, 2.0, 4.0] {
        let posed = scene.turned("crank", angle);
        near(scene.at(&posed.moved, "piston").position.x, x(angle), 1e-12, 1.0, "piston");
    }
    // The scene stands at a dead centre of the slider. It leaves it inwards, and does not move outwards.
    let inwards = scene.posed("bore", Coordinate::Slide, x(1.0) - x(0.0)).expect("it leaves the dead centre");
    assert_eq!(inwards.stopped, None);
    near(scene.at(&inwards.moved, "piston").position.x, x(1.0), 1e-9, 1.0, "piston");
    let pin = scene.point(&inwards.moved, "crank", DVec2::new(r, 0.0));
    near(pin.x, r * f64::cos(1.0), 1e-9, 1.0, "crank pin");
    let outwards = scene.posed("bore", Coordinate::Slide, 0.1).expect("an answer");
    assert_eq!(outwards.stopped, Some(Barrier::DeadCentre));
    near(outwards.value, 0.0, 1e-9, 1.0, "it stays");
    // The other dead centre: crank and rod folded, 2 r inwards.
    let folded = scene.posed("bore", Coordinate::Slide, -2.0).expect("an answer");
    assert_eq!(folded.stopped, Some(Barrier::DeadCentre));
    near(folded.value, -2.0 * r, 1e-9, 1.0, "the stroke");
    let words = folded.stopped_words(&scene.case()).expect("a reason");
    assert_eq!(words, "bore stops at -1.000000 m, a dead centre: its loop does not close beyond it");
}

/// The rocker of a four-bar reverses where crank and coupler are in line: cos β = (g² + b² − (c ± a)²)/(2 g b).
#[test]
fn a_dead_centre_is_refused_with_its_value() {
    let scene = GRASHOF.scene();
    let (a, c, b, g) = (0.625, 2.5, 2.0, 2.125);
    let at_centre = |reach: f64| f64::acos((g * g + b * b - reach * reach) / (2.0 * g * b));
    for (to, reach) in [(2.5, c - a), (-2.5, c + a)] {
        let posed = scene.turned("rocker", to);
        assert_eq!(posed.stopped, Some(Barrier::DeadCentre), "{to}");
        // The rocker's angle from the base grows from x to z: it stands at 180° − β, and at 90° in the scene.
        near(posed.value, PI - at_centre(reach) - FRAC_PI_2, 1e-9, 1.0, "dead centre");
        assert!(posed.stopped_words(&scene.case()).expect("words").contains("a dead centre"));
    }
}

/// A limit of another joint stops the crank where that joint reaches it; its own limit is met exactly.
#[test]
fn stops_are_named() {
    let FourBar { a, c, d } = GRASHOF;
    let bodies = bar("crank", (0.5 * a).to_array(), 1.0)
        + &bar("coupler", (0.5 * (a + c)).to_array(), 1.0)
        + &bar("rocker", (0.5 * (c + d)).to_array(), 1.0);
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "limit: (-0.5, 3)")
        + &hinge("rocker", None, "rocker", d.to_array(), "limit: (-9, 0.375)")
        + &hinge("pin", Some("crank"), "coupler", a.to_array(), "")
        + &hinge("far pin", Some("rocker"), "coupler", c.to_array(), "");
    let scene = Scene::new(&bodies, &joints);
    let back = scene.turned("crank", -2.0);
    assert_eq!((back.value, back.stopped), (-0.5, Some(Barrier::Stop { joint: 0 })));
    assert!(back.stopped_words(&scene.case()).expect("words").ends_with("its own limit"));
    let on = scene.turned("crank", 3.0);
    assert_eq!(on.stopped, Some(Barrier::Stop { joint: 1 }));
    let rocker = |turned: f64| (GRASHOF.pins(turned)[1] - GRASHOF.d).to_angle() - FRAC_PI_2;
    near(rocker(on.value), 0.375, 5e-5, 1.0, "the rocker's limit");
    assert!(on.stopped_words(&scene.case()).expect("words").ends_with("where rocker reaches its limit"));
}

/// An arm of six joints: what hangs beyond the joint turns about it as one body, nothing else moves.
#[test]
fn an_arm_moves_what_hangs_beyond_the_joint() {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..6 {
        bodies += &bar(&format!("link {k}"), [f64::from(k) + 0.5, 0.0], 1.0);
        let above = (k > 0).then(|| format!("link {}", k - 1));
        joints += &hinge(&format!("joint {k}"), above.as_deref(), &format!("link {k}"), [f64::from(k), 0.0], "");
    }
    let scene = Scene::new(&bodies, &joints);
    let posed = scene.turned("joint 2", 0.7);
    assert_eq!(posed.moved.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [3, 4, 5, 6]);
    for k in 2..6 {
        let centre = DVec2::new(f64::from(k) + 0.5, 0.0);
        let expected = DVec2::new(2.0, 0.0) + DVec2::from_angle(0.7).rotate(centre - DVec2::new(2.0, 0.0));
        at(scene.point(&posed.moved, &format!("link {k}"), centre), expected, "a link");
    }
}

/// Two free bodies: the side with fewer bodies moves, and B if both have as many; the base of a chain stays although it is
/// the joint's B.
#[test]
fn the_side_with_less_on_it_moves() {
    let bodies = bar("one", [0.0, 0.0], 1.0) + &bar("two", [1.0, 0.0], 1.0) + &bar("three", [2.0, 0.0], 1.0);
    let first = hinge("first", Some("one"), "two", [0.5, 0.0], "");
    let joints = first.clone() + &hinge("second", Some("two"), "three", [1.5, 0.0], "");
    let ids = |posed: &Posed| posed.moved.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    assert_eq!(ids(&Scene::new(&bodies, &joints).turned("first", 0.5)), [1]);
    assert_eq!(ids(&Scene::new(&bodies, &joints).turned("second", 0.5)), [3]);
    assert_eq!(ids(&Scene::new(&bodies, &first).turned("first", 0.5)), [2]);
    let held = joints + &hinge("ground", None, "three", [2.5, 0.0], "");
    assert_eq!(ids(&Scene::new(&bodies, &held).turned("second", 0.5)), [1, 2]);
    let scene = Scene::new(&bodies, &held);
    // B stands, so A turns back by the angle.
    let posed = scene.turned("second", 0.5);
    let expected = DVec2::new(1.5, 0.0) + DVec2::from_angle(-0.5).rotate(DVec2::new(-0.5, 0.0));
    at(scene.point(&posed.moved, "two", DVec2::new(1.0, 0.0)), expected, "A");
}

/// Open and crossed: the rocker pin is mirrored about the line through the crank pin and the rocker's pivot.
#[test]
fn a_four_bar_has_two_assemblies() {
    let scene = GRASHOF.scene();
    let found = assemblies(&scene.case(), scene.joint("crank"), Coordinate::Turn, || false).expect("a mechanism");
    assert_eq!(found.len(), 2);
    assert_eq!(found.iter().filter(|assembly| assembly.is_present).count(), 1);
    let FourBar { a, c, d } = GRASHOF;
    let other = found.iter().find(|assembly| !assembly.is_present).expect("the crossed one");
    let line = (d - a).normalize();
    let mirrored = a + 2.0 * line * line.dot(c - a) - (c - a);
    at(scene.point(&other.moved, "crank", a), a, "the crank stays");
    at(scene.point(&other.moved, "coupler", c), mirrored, "the rocker pin");
    at(scene.point(&other.moved, "rocker", c), mirrored, "of both");
}

fn count(found: &[Assembly]) -> usize {
    found.len()
}

/// A triangle of two sliders and a rod: x² + z² = l² has one other solution for z.
#[test]
fn a_slider_crank_has_two_assemblies_and_an_arm_one() {
    let bodies = bar("crank", [0.0, 0.25], 1.0) + &bar("rod", [0.6, 0.25], 1.0) + &bar("piston", [1.2, 0.0], 1.0);
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "")
        + &hinge("crank pin", Some("crank"), "rod", [0.0, 0.5], "")
        + &hinge("piston pin", Some("rod"), "piston", [1.2, 0.0], "")
        + r#"(name: "bore", b: "piston", anchor: (1.2, 0, 0), axis: (1, 0, 0), kind: Prismatic()),"#;
    let scene = Scene::new(&bodies, &joints);
    let case = scene.case();
    let found = assemblies(&case, scene.joint("crank"), Coordinate::Turn, || false).expect("a mechanism");
    // The piston left of the crank: x = −1.2.
    assert_eq!(count(&found), 2);
    let other = found.iter().find(|assembly| !assembly.is_present).expect("another");
    near(scene.at(&other.moved, "piston").position.x, -f64::from(1.2f32), 1e-6, 1.0, "mirrored");
    let arm = Scene::new(&bar("arm", [1.0, 0.0], 1.0), &hinge("pivot", None, "arm", [0.0, 0.0], ""));
    assert_eq!(count(&assemblies(&arm.case(), 0, Coordinate::Turn, || false).expect("an arm")), 1);
}

/// A five-bar with one driven crank needs a second joint that is held. A joint with a motor is held first.
#[test]
fn the_other_motor_of_a_five_bar_is_held() {
    let bodies = bar("left", [0.0, 0.5], 1.0)
        + &bar("left rod", [0.5, 1.5], 1.0)
        + &bar("right rod", [1.5, 1.5], 1.0)
        + &bar("right", [2.0, 0.5], 1.0);
    let joints = hinge("left", None, "left", [0.0, 0.0], "")
        + &hinge("left knee", Some("left"), "left rod", [0.0, 1.0], "")
        + &hinge("tip", Some("left rod"), "right rod", [1.0, 2.0], "")
        + &hinge("right knee", Some("right"), "right rod", [2.0, 1.0], "")
        + &hinge("right", None, "right", [2.0, 0.0], "motor: (speed: 1, max_torque: 1)");
    let scene = Scene::new(&bodies, &joints);
    let posed = scene.turned("left", 0.4);
    assert_eq!((posed.held.as_slice(), posed.free), (&[(4, Coordinate::Turn)][..], 0));
    let right = scene.at(&posed.moved, "right");
    assert!(right.position.distance(scene.at(&[], "right").position) < 1e-9, "it stays");
    at(scene.point(&posed.moved, "left", DVec2::new(0.0, 1.0)), DVec2::from_angle(0.4).rotate(DVec2::Y), "left knee");
    let tip = scene.point(&posed.moved, "left rod", DVec2::new(1.0, 2.0));
    near(tip.distance(DVec2::new(2.0, 1.0)), 2f64.sqrt(), 1e-9, 1.0, "the right rod");
}

/// Bodies that hang on a loop, and bodies that carry the loop, are not among the unknowns.
#[test]
fn a_loop_in_the_middle_of_a_tree() {
    let FourBar { a, c, d } = GRASHOF;
    let bodies = bar("crank", (0.5 * a).to_array(), 1.0)
        + &bar("coupler", (0.5 * (a + c)).to_array(), 1.0)
        + &bar("rocker", (0.5 * (c + d)).to_array(), 1.0)
        + &bar("frame", [1.0, -0.5], 1.0)
        + &bar("flag", [2.5, 2.5], 1.0);
    let joints = hinge("mast", None, "frame", [1.0, -1.0], "")
        + &hinge("crank", Some("frame"), "crank", [0.0, 0.0], "")
        + &hinge("rocker", Some("frame"), "rocker", d.to_array(), "")
        + &hinge("pin", Some("crank"), "coupler", a.to_array(), "")
        + &hinge("far pin", Some("rocker"), "coupler", c.to_array(), "")
        + &hinge("flag", Some("coupler"), "flag", c.to_array(), "");
    let scene = Scene::new(&bodies, &joints);
    let posed = scene.turned("crank", 0.8);
    assert!(posed.held.is_empty() && posed.moved.iter().all(|(id, _)| *id != scene.body("frame")));
    let [pin, far] = GRASHOF.pins(0.8);
    at(scene.point(&posed.moved, "coupler", c), far, "far pin");
    let turned = (far - pin).to_angle() - (c - a).to_angle();
    let flag = far + DVec2::from_angle(turned).rotate(DVec2::new(2.5, 2.5) - c);
    at(scene.point(&posed.moved, "flag", DVec2::new(2.5, 2.5)), flag, "the flag moves with the coupler");
    // The mast turns all of it.
    let all = scene.turned("mast", 0.3);
    assert_eq!(all.moved.len(), 5);
}

/// Each coordinate of each kind is what it has been set to, the others stay, and the joint stays closed.
#[test]
fn coordinates_are_set_one_by_one() {
    let kinds = [
        "Hinge()",
        "RotaryMotor(motor: (speed: 1, max_torque: 1))",
        "Prismatic()",
        "Cylindrical()",
        "Screw(lead: 0.1)",
        "Universal",
        "BallSocket",
        "ConeTwist()",
        "ConstantVelocity()",
        "Plane()",
        "AxisLock",
        "OrientationLock()",
        "Spring(hertz: 1)",
        "SixDof(x: Free(), about_x: Free(), about_y: Free(), about_z: Free(), axes: (0.1, 0.2, 0.3))",
    ];
    for kind in kinds {
        let axis =
            if ["Ball", "Ori", "Spri", "Six"].iter().any(|k| kind.starts_with(k)) { "" } else { "axis: (1, 2, 2)," };
        let ends = if kind.starts_with("Spring") {
            "anchor_a: (0, 0, 0), anchor_b: (0, 0, 0.1)"
        } else {
            "anchor: (0.5, 0, 0)"
        };
        let joint = format!("(name: \"joint\", b: \"body\", {ends}, {axis} kind: {kind}),");
        let mut scene = Scene::new(&bar("body", [1.0, 0.0], 1.0), &joint);
        let count = coordinates(&scene.case(), 0).len();
        assert!(count > 0, "{kind}");
        for round in 0..2 {
            for k in 0..count {
                let before = coordinates(&scene.case(), 0);
                let to = before[k].value + 0.3 - 0.05 * f64::from(round);
                let posed = scene.posed("joint", before[k].coordinate, to).expect("a pose");
                assert_eq!((posed.value, posed.stopped), (to, None), "{kind}");
                let (_, pose) = posed.moved[0];
                let body = &mut scene.world.state.bodies[1];
                (body.position, body.rotation) = (pose.position.as_vec3(), pose.rotation.as_quat());
                for (j, (after, before)) in coordinates(&scene.case(), 0).iter().zip(&before).enumerate() {
                    let expected = if j == k { to } else { before.value };
                    near(after.value, expected, 2e-6, 1.0, &format!("{kind}, {:?} of {:?}", after.coordinate, before));
                }
            }
        }
        let frames = scene.world.state.joints[0].frames(&scene.world.state.bodies);
        if scene.world.state.joints[0].def.kind.info().coincident {
            assert!(frames.p().length() < 2e-6, "{kind} stays closed");
        }
    }
}

#[test]
fn invalid_requests_are_refused() {
    let scene = GRASHOF.scene();
    for to in [f64::NAN, f64::INFINITY, 1e300] {
        let refusal = scene.posed("crank", Coordinate::Turn, to).expect_err("no number");
        assert!(matches!(refusal, Refusal::Misuse { .. }));
    }
    let refusal = scene.posed("crank", Coordinate::Slide, 0.0).expect_err("a hinge does not slide");
    assert_eq!(
        refusal.to_string(),
        "`crank` is a Hinge, which has no value that could be set: pose the joints beside it"
    );
    let bodies = bar("one", [0.0, 0.0], 1.0) + &bar("two", [1.0, 0.0], 1.0) + &bar("three", [0.5, 1.0], 1.0);
    let joints = hinge("first", Some("one"), "two", [0.5, 0.0], "")
        + &hinge("second", Some("two"), "three", [1.0, 0.5], "")
        + &hinge("third", Some("three"), "one", [0.0, 0.5], "");
    let refusal = Scene::new(&bodies, &joints).posed("first", Coordinate::Turn, 0.1).expect_err("a triangle");
    assert!(matches!(refusal, Refusal::Locked { .. }), "{refusal}");
}

/// The rocker leaves a dead centre again, although the scene stores that pose in 32 bits only.
#[test]
fn a_mechanism_comes_back_from_its_dead_centre() {
    let mut scene = GRASHOF.scene();
    let posed = scene.turned("rocker", 2.5);
    for (id, pose) in &posed.moved {
        let body = &mut scene.world.state.bodies[*id as usize];
        (body.position, body.rotation) = (pose.position.as_vec3(), pose.rotation.as_quat());
    }
    let again = scene.turned("rocker", 2.5);
    assert!(again.stopped.is_some());
    near(again.value, posed.value, 1e-6, 1.0, "it stays at its end");
    let back = scene.turned("rocker", 0.2);
    assert_eq!((back.value, back.stopped), (0.2, None));
    let turn = DQuat::from_axis_angle(DVec3::NEG_Y, 0.2);
    assert!(scene.at(&back.moved, "rocker").rotation.angle_between(turn) < 1e-6);
}
