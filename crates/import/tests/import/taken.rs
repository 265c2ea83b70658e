//! MJCF: what a hand-written model may say and MuJoCo reads; expected values as MuJoCo 4.0 computes them.

use delassus_import::Options;
use delassus_physics::force::Drag;
use delassus_physics::joints::JointKind;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::row::SpringRate;
use delassus_physics::shape::Shape;
use glam::{DVec3, Vec3};

use super::{body, close, hinge, imported, joint, mass, notes_say, read, with};

fn model(content: &str) -> String {
    format!("<mujoco><worldbody>{content}</worldbody></mujoco>")
}

/// Damping of a free joint by a class is drag; `freejoint` takes nothing from classes.
#[test]
fn damping_of_a_free_joint_is_drag() {
    let found = imported(
        r#"<mujoco><default><joint damping=".5" armature=".3"/></default><worldbody>
        <body name="a"><joint type="free"/><geom size=".1"/></body>
        <body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    assert_eq!(body(&found, "a").drag, Some(Drag { linear: 0.5, quadratic: 0.0, angular: 0.5 }));
    assert_eq!(body(&found, "b").drag, None);
    assert!(notes_say(&found, &["its damping, 0.5", "drag"]) && notes_say(&found, &["no armature here"]));
}

#[test]
fn higher_coefficients_of_a_polynomial_are_told() {
    let found = imported(&model(
        r#"<body><joint name="j" axis="0 1 0" stiffness="3 2" damping=".5 .2 .1"/><geom size=".1"/></body>"#,
    ));
    let made = hinge(&found, "j");
    assert_eq!(made.spring.map(|spring| spring.softness.rate), Some(SpringRate::Stiffness(3.0)));
    assert_eq!(made.damping, 0.5);
    assert!(notes_say(&found, &["`stiffness`, 2, are left out"]) && notes_say(&found, &["`damping`, 0.2 0.1, are"]));
}

/// The second number of the size says nothing: it is square across.
#[test]
fn a_box_between_two_points_is_square() {
    let found =
        imported(&model(r#"<body name="b"><freejoint/><geom type="box" fromto="0 0 0 1 0 0" size=".1 .2"/></body>"#));
    assert_eq!(body(&found, "b").shape, Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) });
}

/// A file whose macros are still to be expanded, with the prefix declared as xacro files have it; and one that is expanded.
#[test]
fn a_xacro_file_is_told_what_it_is() {
    let robot = |attributes: &str, content: &str| {
        format!("<robot name=\"r\"{attributes}>\n<link name=\"a\"/>\n{content}</robot>")
    };
    let declared = r#" xmlns:xacro="http://www.ros.org/wiki/xacro""#;
    let said = read(&robot(declared, r#"<xacro:property name="w" value="1"/>"#), &Options::default()).unwrap_err();
    assert!(said.line == 3 && said.what.contains("xacro FILE"), "{said}");
    let computed = r#"<link name="b"><collision><geometry><sphere radius="${r}"/></geometry></collision></link>"#;
    let said = read(&robot("", computed).replace("<link name=\"a\"/>\n", "\n"), &Options::default()).unwrap_err();
    assert!(said.line == 3 && said.what.contains("`radius` is computed") && said.what.contains("xacro"), "{said}");
    imported(&robot(declared, ""));
}

/// Sizes and masses of MuJoCo for a brick of 1 × 2 × 3 m with a corner at the origin: half extents, their mean as the
/// ball's radius, and of round ones the mean of the two shorter.
#[test]
fn primitives_are_fitted_to_a_mesh() {
    let brick = r#"<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 0 2 3 1 2 3"/></asset>
        <worldbody><body name="b" pos="5 0 0"><freejoint/><geom type="KIND" mesh="m" EXTRA/></body></worldbody></mujoco>"#;
    let fitted = |kind: &str, extra: &str| imported(&brick.replace("KIND", kind).replace("EXTRA", extra));
    let near = |a: Vec3, b: Vec3| (a - b).abs().max_element() < 1e-5;
    for (kind, extra, kilograms) in [
        ("box", "", 6000.0),
        ("box", r#"size=".1 .1 .1""#, 6000.0),
        ("box", r#"fitscale="2""#, 48000.0),
        ("sphere", "", 4188.790205),
        ("capsule", "", 5743.22407),
        ("cylinder", "", 5301.437603),
        ("ellipsoid", "", 3141.592654),
    ] {
        let found = fitted(kind, extra);
        let made = body(&found, "b");
        let (total, centre, _) = mass(made);
        assert!((total / kilograms - 1.0).abs() < 1e-5, "{kind} {extra}: {total}");
        assert!(close(centre, DVec3::new(5.5, 1.0, 1.5)), "{kind}: {centre}");
        match &made.shape {
            Shape::Box { half } if extra.contains("fitscale") => assert!(near(*half, Vec3::new(1.0, 2.0, 3.0))),
            Shape::Box { half } => assert!(near(*half, Vec3::new(0.5, 1.0, 1.5)), "{half}"),
            Shape::Capsule { radius, half_length } => {
                assert!(near(Vec3::new(*radius, *half_length, 0.0), Vec3::new(0.75, 1.125, 0.0)));
            }
            _ => {}
        }
    }
    // A mesh that cannot be read takes its shape with it, not the model.
    let absent = brick.replace(r#"vertex="0 0 0 1 0 0 0 2 0 1 2 0 0 0 3 1 0 3 0 2 3 1 2 3""#, r#"file="m.stl""#);
    let found = imported(&absent.replace("KIND", "box").replace("EXTRA", ""));
    assert!(notes_say(&found, &["mesh `m.stl`", "left out"]));
}

/// The longest side of a tilted brick is along z of the shape: its axes are those of MuJoCo.
#[test]
fn a_fitted_box_stands_as_its_mesh() {
    let c = 30f64.to_radians().cos();
    let s = 0.5;
    let corners = (0..8).map(|i| {
        let [x, y, z] = [(1, 0.1), (2, 0.4), (4, 0.2)].map(|(bit, half)| if i & bit == 0 { -half } else { half });
        format!("{} {} {z} ", c * x - s * y, s * x + c * y)
    });
    let corners: String = corners.collect();
    let found = imported(&format!(
        r#"<mujoco><asset><mesh name="m" vertex="{corners}"/></asset><worldbody>
        <body name="b"><freejoint/><geom type="box" mesh="m"/></body></worldbody></mujoco>"#
    ));
    let made = body(&found, "b");
    let Shape::Box { half } = made.shape else { panic!("a box") };
    assert!((half - Vec3::new(0.1, 0.2, 0.4)).abs().max_element() < 1e-5, "{half}");
    let long = made.rotation.quat().unwrap() * Vec3::Z;
    assert!(long.dot(Vec3::new(-s as f32, c as f32, 0.0)).abs() > 1.0 - 1e-5, "{long}");
}

/// Bodies and joints without a name get one that no other has, wherever that stands; each actuator finds its own joint.
#[test]
fn names_that_are_made_up_do_not_clash_with_given_ones() {
    let found = imported(
        r#"<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>
        <body name="body 1" pos="1 0 0"><freejoint/><geom size=".2"/></body>
        <body name="a" pos="2 0 0"><joint axis="0 1 0"/><joint name="j" axis="1 0 0"/><geom size=".1"/>
          <body name="a moved by a hinge" pos="1 0 0"><joint name="a hinge" axis="0 0 1"/><geom size=".3"/></body></body>
        </worldbody><actuator><position joint="a hinge" kp="7"/></actuator></mujoco>"#,
    );
    let radius = |name: &str| match body(&found, name).shape {
        Shape::Sphere { radius } => radius,
        _ => panic!("a ball"),
    };
    assert_eq!((radius("body 1"), radius("body 1 2"), radius("a moved by a hinge")), (0.2, 0.1, 0.3));
    assert!(hinge(&found, "a hinge").servo.is_some() && hinge(&found, "a hinge 2").servo.is_none());
    assert_eq!(joint(&found, "j").a, "a moved by a hinge 2");
}

/// Sites that coincide are one anchor. Those of a `connect` that are apart are two, and MuJoCo would pull them together.
#[test]
fn equalities_between_sites_are_taken() {
    let text = |x: f64, element: &str| {
        format!(
            r#"<mujoco><worldbody>
            <body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".5 0 0"/></body>
            <body name="b" pos="{x} 0 1" euler="0 0 90"><freejoint/><geom size=".1"/><site name="t" pos="0 .1 0" euler="0 0 -90"/></body>
            </worldbody><equality>{element}</equality></mujoco>"#
        )
    };
    let found = imported(&text(0.6, r#"<connect name="c" site1="s" site2="t"/><weld name="w" site1="s" site2="t"/>"#));
    for name in ["c", "w"] {
        let made = joint(&found, name);
        assert!((made.a == "a" && made.b == "b") && close(made.anchor.unwrap().as_dvec3(), DVec3::new(0.5, 0.0, 1.0)));
    }
    assert!(matches!(joint(&found, "w").kind, JointKind::Fixed(_)) && !notes_say(&found, &["apart"]));
    assert!(!notes_say(&found, &["<site>"]), "{:#?}", found.notes);
    let found = imported(&text(0.65, r#"<connect name="c" site1="s" site2="t"/><weld name="w" site1="s" site2="t"/>"#));
    let made = joint(&found, "c");
    // In the frames of the shapes: the first body's is at its geom.
    assert!(close(made.anchor_a.unwrap().as_dvec3(), DVec3::new(0.2, 0.0, 0.0)), "{made:?}");
    assert!(close(made.anchor_b.unwrap().as_dvec3(), DVec3::new(0.0, 0.1, 0.0)), "{made:?}");
    assert!(
        notes_say(&found, &["connect `c`", "50.0 mm apart"]) && notes_say(&found, &["weld `w`", "50.0 mm and 0.00°"])
    );
    let wrong = read(&text(0.6, r#"<weld site1="s" site2="x"/>"#), &Options::default()).unwrap_err();
    assert!(wrong.what.contains("no site is called `x`"), "{wrong}");
}

/// What `connect` holds together is fixed where the file puts the bodies, whatever the keyframe does; `relpose` that the
/// file's pose has is not worth a note.
#[test]
fn a_keyframe_does_not_move_the_anchors_of_an_equality() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody>
        <body name="a"><joint name="j" type="slide" axis="1 0 0"/><geom size=".1"/></body>
        <body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody>
        <equality><connect name="c" body1="a" body2="b" anchor=".5 0 0"/>
        <weld name="w" body1="a" body2="b" relpose="1 0 0 1 0 0 0"/></equality>
        <keyframe><key name="k" qpos="0.2  1 0 0 1 0 0 0"/></keyframe></mujoco>"#;
    let found = imported(text);
    assert!(!notes_say(&found, &["apart"]) && !notes_say(&found, &["relpose"]), "{:#?}", found.notes);
    let found = with(text, &Options { key: Some("k".into()), ..Options::default() });
    let made = joint(&found, "c");
    assert!(close(made.anchor_a.unwrap().as_dvec3(), DVec3::X * 0.5), "{made:?}");
    assert!(close(made.anchor_b.unwrap().as_dvec3(), DVec3::X * -0.5), "{made:?}");
    assert!(notes_say(&found, &["connect `c`", "200.0 mm apart"]) && notes_say(&found, &["weld `w`", "200.0 mm"]));
}

/// The range of a ball is a cone and a twist; a scene counts it from its own pose.
#[test]
fn the_range_of_a_ball_limits_its_swing_and_twist() {
    let text = r#"<mujoco><worldbody><body><joint name="b" type="ball" range="0 40"/><geom size=".1"/></body></worldbody>
        <keyframe><key name="k" qpos="0.8 0.6 0 0"/></keyframe></mujoco>"#;
    let found = imported(text);
    let JointKind::ConeTwist(made) = &joint(&found, "b").kind else { panic!("a cone") };
    let SwingLimit::Cone(swing) = made.swing else { panic!("a cone") };
    let (low, high) = made.twist.expect("a twist");
    for angle in [swing.radians, high.radians, -low.radians] {
        assert!((angle - 40f32.to_radians()).abs() < 1e-6);
    }
    assert!(notes_say(&found, &["joint `b`", "whole rotation"]));
    let found = with(text, &Options { key: Some("k".into()), ..Options::default() });
    assert!(matches!(joint(&found, "b").kind, JointKind::BallSocket(_)) && notes_say(&found, &["`range` is left out"]));
}
