//! MJCF: orientations, shapes and their masses, several joints of a body, defaults, drives, equalities.

use std::f64::consts::PI;

use delassus_import::Options;
use delassus_physics::body::Motion;
use delassus_physics::joints::JointKind;
use delassus_physics::row::{Damping, SpringRate};
use delassus_physics::shape::Shape;
use glam::{DMat3, DQuat, DVec3, Vec3};

use super::{body, close, hinge, imported, joint, mass, near, notes_say, with};

fn model(content: &str) -> String {
    format!("<mujoco model=\"m\"><worldbody>{content}</worldbody></mujoco>")
}

/// Each way to say how a body is turned, by the place to which it takes a point of the body.
#[test]
fn orientations_are_read_in_every_form() {
    let s = 0.5f64.sqrt();
    let turned = [
        (format!(r#"quat="{s} 0 0 {s}""#), DQuat::from_rotation_z(PI / 2.0)),
        (r#"axisangle="1 0 0 90""#.into(), DQuat::from_rotation_x(PI / 2.0)),
        // Turns about the body's own axes, x first.
        (r#"euler="90 90 0""#.into(), DQuat::from_rotation_x(PI / 2.0) * DQuat::from_rotation_y(PI / 2.0)),
        (r#"xyaxes="0 1 0 -1 0 0""#.into(), DQuat::from_rotation_z(PI / 2.0)),
        (r#"zaxis="1 0 0""#.into(), DQuat::from_rotation_y(PI / 2.0)),
    ];
    for (words, turn) in turned {
        let text = model(&format!(
            r#"<body name="b" pos="1 2 3" {words}><freejoint/><inertial pos="0.1 0.2 0.3" mass="1" diaginertia="1 2 2.5"/></body>"#
        ));
        let found = imported(&text);
        let (_, centre, inertia) = mass(body(&found, "b"));
        let expected = DVec3::new(1.0, 2.0, 3.0) + turn * DVec3::new(0.1, 0.2, 0.3);
        assert!(close(expected, centre), "{words}: {centre}");
        let axes = DMat3::from_quat(turn);
        assert!(near(axes * DMat3::from_diagonal(DVec3::new(1.0, 2.0, 2.5)) * axes.transpose(), inertia), "{words}");
    }
    let text = r#"<mujoco><compiler angle="radian" eulerseq="ZYX"/><worldbody><body name="b" euler="0.3 0.2 0.1">
        <freejoint/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>"#;
    // Turns about fixed axes, z first.
    let turn = DQuat::from_rotation_x(0.1) * DQuat::from_rotation_y(0.2) * DQuat::from_rotation_z(0.3);
    assert!(close(turn * DVec3::X, mass(body(&imported(text), "b")).1));
}

/// A capsule between two points: volume π r² l + 4/3 π r³, at 1000 kg/m³.
#[test]
fn a_capsule_between_two_points_has_its_mass_and_its_frame() {
    let found = imported(&model(
        r#"<body name="b"><freejoint/><geom type="capsule" size="0.1" fromto="0 0 0 0.8 0 0"/></body>"#,
    ));
    let capsule = body(&found, "b");
    assert_eq!(capsule.shape, Shape::Capsule { radius: 0.1, half_length: 0.4 });
    assert!(close(capsule.at.as_dvec3(), DVec3::new(0.4, 0.0, 0.0)));
    let (m, centre, inertia) = mass(capsule);
    let (rod, ball) = (PI * 0.01 * 0.8 * 1000.0, 4.0 / 3.0 * PI * 0.001 * 1000.0);
    assert!((m / (rod + ball) - 1.0).abs() < 1e-6 && close(centre, DVec3::new(0.4, 0.0, 0.0)));
    // About its own axis: m r²/2 of the rod and 2/5 m r² of the ends.
    assert!((inertia.x_axis.x / (0.5 * rod * 0.01 + 0.4 * ball * 0.01) - 1.0).abs() < 1e-6);
    // Across: rod m (r²/4 + l²/12), ends 2/5 m r² + m (l/2)² + 3/4 m r l/2.
    let across = rod * (0.01 / 4.0 + 0.64 / 12.0) + ball * (0.4 * 0.01 + 0.16 + 0.75 * 0.1 * 0.4);
    assert!((inertia.y_axis.y / across - 1.0).abs() < 1e-6, "{inertia}");
}

#[test]
fn joints_have_degrees_references_springs_and_classes() {
    let text = r#"<mujoco model="m">
  <default>
    <joint damping="0.5" armature="0.01"/>
    <default class="stiff"><joint stiffness="8" springref="10"/></default>
  </default>
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="j" axis="0 1 0" pos="0.1 0 0" range="-30 60" ref="15"/>
      <geom size="0.1"/>
      <body name="b" pos="0.5 0 0" childclass="stiff">
        <joint name="k" type="slide" axis="0 0 1" range="-0.1 0.2" frictionloss="3"/>
        <joint name="l" axis="1 0 0"/>
        <geom size="0.1"/>
      </body>
    </body>
  </worldbody></mujoco>"#;
    let found = imported(text);
    let j = hinge(&found, "j");
    let limit = j.limit.expect("a limit");
    assert!(
        (f64::from(limit.0.radians) + PI / 6.0).abs() < 1e-6 && (f64::from(limit.1.radians) - PI / 3.0).abs() < 1e-6
    );
    assert!((f64::from(j.zero.radians) + PI / 12.0).abs() < 1e-6, "the pose of the file counts as 15 degrees");
    assert_eq!((j.damping, j.armature, j.spring.is_none()), (0.5, 0.01, true));
    assert!(close(joint(&found, "j").anchor.unwrap().as_dvec3(), DVec3::new(0.1, 0.0, 1.0)));
    let JointKind::Prismatic(k) = &joint(&found, "k").kind else { panic!("a slide") };
    assert_eq!((k.limit, k.friction, k.damping), (Some((-0.1, 0.2)), 3.0, 0.5));
    assert_eq!(k.spring.map(|spring| (spring.softness.rate, spring.slide)), Some((SpringRate::Stiffness(8.0), 10.0)));
    let l = hinge(&found, "l").spring.expect("of its class");
    assert!((f64::from(l.angle.radians) - PI / 18.0).abs() < 1e-6);
    // Two joints of one body: a link between them takes a small share of its mass, and nothing is added.
    let sum: f64 = found.scene.bodies.iter().map(|body| f64::from(body.mass.unwrap_or(0.0))).sum();
    let ball = 4.0 / 3.0 * PI * 0.001 * 1000.0;
    assert!((sum / (2.0 * ball) - 1.0).abs() < 1e-5 && found.scene.bodies.len() == 3);
}

#[test]
fn planes_and_shapes_of_the_world_are_bodies_of_their_own() {
    let found = imported(&model(
        r#"<geom name="ground" type="plane" size="2 3 1"/><geom name="post" type="box" size="0.1 0.1 1" pos="1 0 1"/>
        <body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/></body>"#,
    ));
    let ground = body(&found, "ground");
    assert_eq!(ground.shape, Shape::Box { half: Vec3::new(20.0, 20.0, 0.5) });
    assert_eq!((ground.at.z, ground.motion), (-0.5, Motion::Static));
    assert_eq!(body(&found, "post").motion, Motion::Static);
    let ball = body(&found, "ball");
    assert!(ball.groups.meets(ground.mask) && ground.groups.meets(ball.mask));
}

/// `contype`, `conaffinity` and `exclude` become groups and masks.
#[test]
fn bodies_touch_as_their_bits_and_exclusions_say() {
    let ball = |name: &str, x: f64, bits: &str| {
        format!(r#"<body name="{name}" pos="{x} 0 0"><freejoint/><geom size="0.1" {bits}/></body>"#)
    };
    let bodies = [
        ball("a", 0.0, r#"contype="1" conaffinity="0""#),
        ball("b", 1.0, r#"contype="0" conaffinity="1""#),
        ball("c", 2.0, r#"contype="2" conaffinity="2""#),
        ball("d", 3.0, ""),
        ball("e", 4.0, ""),
        // Overlaps the one before.
        ball("f", 4.05, ""),
    ]
    .concat();
    let text =
        format!(r#"<mujoco><worldbody>{bodies}</worldbody><contact><exclude body1="a" body2="d"/></contact></mujoco>"#);
    let found = imported(&text);
    let touch = |a: &str, b: &str| {
        let (a, b) = (body(&found, a), body(&found, b));
        a.groups.meets(b.mask) && b.groups.meets(a.mask)
    };
    for (a, b, may) in [
        ("a", "b", true),
        ("a", "c", false),
        ("b", "c", false),
        ("a", "d", false),
        ("b", "d", true),
        ("a", "e", true),
        ("d", "e", true),
        ("d", "f", true),
        ("e", "f", false),
        ("c", "d", false),
    ] {
        assert_eq!(touch(a, b), may, "{a} {b}");
    }
    assert!(notes_say(&found, &["`e` and `f`", "overlap"]));
}

#[test]
fn actuators_are_servos_with_their_gear() {
    let text = r#"<mujoco>
  <worldbody><body name="a"><joint name="j" axis="0 1 0"/><joint name="k" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
  <actuator>
    <position joint="j" kp="20" kv="2" gear="3" forcerange="-5 5"/>
    <general joint="k" gainprm="10" biastype="affine" biasprm="0 -10 -1"/>
    <motor joint="j" gear="5"/>
    <muscle joint="k"/>
  </actuator>
  <keyframe><key name="home" qpos="0.1 0.2" ctrl="0.6 0.4"/></keyframe></mujoco>"#;
    let found = imported(text);
    let servo = hinge(&found, "j").servo.expect("a servo");
    assert_eq!(
        (servo.softness.rate, servo.softness.damping),
        (SpringRate::Stiffness(180.0), Damping::Coefficient(18.0))
    );
    assert_eq!((servo.max_torque, servo.target.radians), (15.0, 0.0));
    assert!(
        notes_say(&found, &["motor", "left out"])
            && notes_say(&found, &["muscle", "left out"])
            && notes_say(&found, &["--key"])
    );
    // The pose and the controls of a keyframe: joint values are 0.1 and 0.2 there.
    let home = with(text, &Options { key: Some("home".into()), ..Options::default() });
    let (j, k) = (hinge(&home, "j"), hinge(&home, "k"));
    assert!((j.zero.radians + 0.1).abs() < 1e-6 && (k.zero.radians + 0.2).abs() < 1e-6);
    assert!(
        (j.servo.unwrap().target.radians - 0.2).abs() < 1e-6 && (k.servo.unwrap().target.radians - 0.4).abs() < 1e-6
    );
    let turn = DQuat::from_rotation_y(0.1) * DQuat::from_rotation_x(0.2);
    let found = body(&home, "a").rotation.quat().unwrap().as_dquat();
    assert!(found.dot(turn).abs() > 1.0 - 1e-6, "{found}");
    assert!(close(joint(&home, "k").axis.unwrap().as_dvec3(), DQuat::from_rotation_y(0.1) * DVec3::X));
}

#[test]
fn equalities_close_loops_and_couple_joints() {
    let text = r#"<mujoco><worldbody>
    <body name="a"><joint name="j" axis="0 1 0"/><geom size="0.1"/></body>
    <body name="b" pos="1 0 0"><joint name="k" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
  <equality>
    <connect body1="a" body2="b" anchor="0.5 0 0"/>
    <weld body1="b"/>
    <joint joint1="k" joint2="j" polycoef="0 -2 0 0 0"/>
    <joint joint1="k" joint2="j" polycoef="0 1 3 0 0"/>
    <joint joint1="k" joint2="j" polycoef="0 -2 0 0 0"/>
    <tendon tendon1="t"/>
  </equality></mujoco>"#;
    let found = imported(text);
    assert!(matches!(joint(&found, "connect a").kind, JointKind::BallSocket(_)));
    assert!(close(joint(&found, "connect a").anchor.unwrap().as_dvec3(), DVec3::new(0.5, 0.0, 0.0)));
    let weld = joint(&found, "weld b");
    assert!(matches!(weld.kind, JointKind::Fixed(_)) && weld.a == "world" && weld.b == "b");
    let JointKind::Gear(gear) = &joint(&found, "k follows").kind else { panic!("a gear") };
    assert_eq!(gear.radius_a / gear.radius_b, 2.0);
    // A name is given once.
    joint(&found, "k follows 2");
    assert!(notes_say(&found, &["equality `joint`", "not linear"]) && notes_say(&found, &["<tendon>"]));
}

/// Meshes in the file itself, frames within bodies, gravity, and a total mass.
#[test]
fn frames_gravity_and_the_total_mass_are_taken() {
    let text = r#"<mujoco><compiler settotalmass="6"/><option gravity="0 0 -1.62"/>
  <asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody><frame pos="0 0 2"><body name="a" pos="0 0 1"><freejoint/>
    <frame euler="0 0 90"><geom type="mesh" mesh="t" mass="1"/></frame></body></frame>
    <body name="b"><freejoint/><geom size="1" mass="2"/></body></worldbody></mujoco>"#;
    let found = imported(text);
    assert_eq!(found.scene.settings.step.gravity, Some(Vec3::new(0.0, 0.0, -1.62)));
    let (m, centre, _) = mass(body(&found, "a"));
    assert!((m - 2.0).abs() < 1e-6 && close(centre, DVec3::new(-0.25, 0.25, 3.25)), "{m} {centre}");
    assert!((mass(body(&found, "b")).0 - 4.0).abs() < 1e-6);
}

/// Sensors of hinges and slides measure what the scene's joints do; all others are told.
#[test]
fn sensors_of_joints_are_taken() {
    let text = r#"<mujoco>
  <worldbody>
    <body><joint name="pin" axis="0 1 0"/><geom size="0.1" pos="1 0 0"/>
      <body pos="1 0 0"><joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1" pos="1 0 0"/>
        <body pos="1 0 0"><joint name="ball" type="ball"/><geom size="0.1" pos="1 0 0"/></body></body></body>
  </worldbody>
  <sensor>
    <jointpos name="angle" joint="pin"/>
    <jointvel joint="rail"/>
    <jointactuatorfrc name="angle" joint="pin"/>
    <jointpos joint="ball"/>
    <framepos objtype="body" objname="x"/>
    <framepos objtype="body" objname="y"/>
  </sensor>
</mujoco>"#;
    let model = imported(text);
    let sensors: Vec<(&str, &str)> = model.scene.sensors.iter().map(|s| (s.name.as_str(), s.of.as_str())).collect();
    let expected =
        [("angle", "joints.pin.value"), ("rail jointvel", "joints.rail.speed"), ("angle 2", "joints.pin.motor")];
    assert_eq!(sensors, expected);
    assert!(notes_say(&model, &["line 11", "sensors `jointpos`", "neither a hinge nor a slide"]), "{:#?}", model.notes);
    assert!(notes_say(&model, &["line 12", "sensors `framepos` (2 times", "left out"]), "{:#?}", model.notes);
    let wrong = text.replace("<jointvel joint=\"rail\"/>", "<jointvel joint=\"rale\"/>");
    let said = super::read(&wrong, &Options::default()).err().map(|mistake| mistake.to_string()).unwrap_or_default();
    assert!(said.contains("9") && said.contains("no joint is called `rale`"), "{said}");
}

/// bias₀ of a `general` actuator is part of its law: τ = k (g u + b₀)/k − k θ. So it moves the target by b₀/k.
#[test]
fn the_constant_part_of_a_bias_moves_the_target() {
    let text = r#"<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/><geom size="0.1"/></body></worldbody>
  <actuator><general joint="j" gainprm="10" biastype="affine" biasprm="5 -10 -1"/></actuator>
  <keyframe><key name="home" qpos="0" ctrl="0.2"/></keyframe></mujoco>"#;
    let servo = hinge(&with(text, &Options { key: Some("home".into()), ..Options::default() }), "j").servo;
    assert!((servo.expect("a servo").target.radians - 0.7).abs() < 1e-6);
}

/// y − y₀ = a₁ (x − x₀), with the values where the file puts the bodies: the pose of the file always fits.
#[test]
fn couplings_count_from_the_reference_values() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody>
    <body name="a"><joint name="j" axis="0 1 0" ref="0.3"/><geom size="0.1"/></body>
    <body name="b" pos="1 0 0"><joint name="k" axis="0 1 0" ref="0.5"/><geom size="0.1"/></body></worldbody>
  <equality><joint joint1="k" joint2="j" polycoef="0 -2 0 0 0"/></equality></mujoco>"#;
    let found = imported(text);
    let JointKind::Gear(gear) = &joint(&found, "k follows").kind else { panic!("a gear: {:?}", found.notes) };
    assert_eq!(gear.radius_a / gear.radius_b, 2.0);
}

/// The highest of 32 bits makes `contype` negative; a flag switches all contacts off.
#[test]
fn negative_bits_and_the_flag_of_contacts_are_heeded() {
    let ball = |name: &str, x: f64, bits: &str| {
        format!(r#"<body name="{name}" pos="{x} 0 0"><freejoint/><geom size="0.1" {bits}/></body>"#)
    };
    let high = r#"contype="-2147483648" conaffinity="-2147483648""#;
    let found = imported(&model(&[ball("a", 0.0, high), ball("b", 1.0, high), ball("c", 2.0, "")].concat()));
    let touch = |a: &str, b: &str| body(&found, a).groups.meets(body(&found, b).mask);
    assert!(touch("a", "b") && !touch("a", "c"));
    assert_eq!(found.scene.settings.contact.enabled, None);
    let text = r#"<mujoco><option><flag contact="disable"/></option><worldbody/></mujoco>"#;
    assert_eq!(imported(text).scene.settings.contact.enabled, Some(false));
}
