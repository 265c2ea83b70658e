//! MJCF: actuators, their default classes and their controls; expected values as MuJoCo 4.0 computes them.

use delassus_import::{Imported, Options};
use delassus_physics::joints::{AngularServo, JointKind};
use delassus_physics::row::{Damping, SpringRate};

use super::{hinge, imported, joint, notes_say, with};

/// A ball of 0.1 m and 1 kg at 1 m from each of so many hinges `h1`, `h2` …, and more.
fn arms(count: usize, defaults: &str, actuators: &str) -> String {
    let arm = |i: usize| {
        format!(r#"<body pos="0 {i} 0"><joint name="h{i}" axis="0 1 0"/><geom size=".1" pos="1 0 0" mass="1"/></body>"#)
    };
    let bodies: String = (1..=count).map(arm).collect();
    format!(
        r#"<mujoco><default>{defaults}</default><worldbody>{bodies}</worldbody><actuator>{actuators}</actuator>
        <keyframe><key name="k" ctrl="0.5 5 -4"/></keyframe></mujoco>"#
    )
}

fn at_key(text: &str) -> Imported {
    with(text, &Options { key: Some("k".into()), ..Options::default() })
}

fn servo(found: &Imported, name: &str) -> AngularServo {
    hinge(found, name).servo.unwrap_or_else(|| panic!("{name} has no servo: {:#?}", found.notes))
}

/// Stiffness and damping coefficient.
fn gains(servo: &AngularServo) -> (f32, f32) {
    let (SpringRate::Stiffness(k), Damping::Coefficient(c)) = (servo.softness.rate, servo.softness.damping) else {
        panic!("{servo:?}")
    };
    (k, c)
}

/// Each row: the elements of a default, an actuator, and its stiffness and damping by MuJoCo's `gainprm` and `biasprm`.
#[test]
fn all_kinds_of_actuators_share_one_default() {
    for (default, actuator, expected) in [
        (r#"<position kp="7" kv="2"/>"#, "<general joint='h1'/>", (7.0, 2.0)),
        (r#"<position kp="7" kv="2"/>"#, "<position joint='h1' kp='3'/>", (3.0, 2.0)),
        // Another kind starts anew with its gains.
        (r#"<position kp="7" kv="2"/>"#, "<velocity joint='h1'/>", (0.0, 1.0)),
        (r#"<position kp="9"/><motor gear="2"/>"#, "<position joint='h1'/>", (4.0, 0.0)),
        (r#"<velocity kv="9"/>"#, "<general joint='h1'/>", (0.0, 9.0)),
        (r#"<velocity kv="9"/><position gear="3"/>"#, "<velocity joint='h1'/>", (0.0, 9.0)),
        // But `general` only changes what it names, and the others build on it.
        (r#"<general gainprm="4" biastype="affine" biasprm="1 -2 -3"/>"#, "<position joint='h1'/>", (4.0, 3.0)),
        (r#"<general gainprm="4" biastype="affine" biasprm="1 -2 -3"/>"#, "<velocity joint='h1'/>", (0.0, 4.0)),
        (r#"<general gainprm="4"/><position kv="2"/>"#, "<general joint='h1' biasprm='0 -5'/>", (5.0, 2.0)),
        (r#"<motor gear="3"/>"#, "<position joint='h1' kp='20' kv='1'/>", (180.0, 9.0)),
        // Classes within others.
        (
            r#"<general gear="2"/><default class="c"><position kp="5"/></default>"#,
            "<general joint='h1' class='c' forcelimited='auto'/>",
            (20.0, 0.0),
        ),
    ] {
        let found = imported(&arms(1, default, actuator));
        assert_eq!(gains(&servo(&found, "h1")), expected, "{default} {actuator}");
    }
    let found = imported(&arms(1, r#"<motor forcerange="-3 3"/>"#, "<position joint='h1'/>"));
    assert_eq!(servo(&found, "h1").max_torque, 3.0);
}

/// Controls stay within `ctrlrange`, that of 0 too; `inheritrange` takes the joint's range.
#[test]
fn controls_are_clamped_to_their_range() {
    let text = arms(
        3,
        "",
        r#"<position joint="h1" kp="50" ctrlrange="0.3 1.2"/><velocity joint="h2" kv="5" ctrlrange="0.5 2"/>
        <position joint="h3" kp="8" ctrlrange="-1 1" ctrllimited="false"/>"#,
    );
    let found = imported(&text);
    assert_eq!((servo(&found, "h1").target.radians, servo(&found, "h2").speed), (0.3, 0.5));
    assert!(
        notes_say(&found, &["<position>", "its control, 0, is clamped to 0.3", "0.3 to 1.2"]),
        "{:#?}",
        found.notes
    );
    let found = at_key(&text);
    assert_eq!((servo(&found, "h1").target.radians, servo(&found, "h2").speed), (0.5, 2.0));
    assert_eq!(servo(&found, "h3").target.radians, -4.0, "its range is switched off");
    let free = text.replace("<default>", r#"<option><flag clampctrl="disable"/></option><default>"#);
    assert_eq!(servo(&at_key(&free), "h2").speed, 5.0);
    let inherits = arms(1, "", r#"<position joint="h1" kp="50" inheritrange="0.5"/>"#);
    let inherits = inherits.replace("axis=", r#"range="0 90" axis="#);
    // The middle, 45°, less a quarter of 90°.
    assert!((servo(&imported(&inherits), "h1").target.radians - 22.5f32.to_radians()).abs() < 1e-6);
}

/// gear × control, N·m, and within the range of forces.
#[test]
fn motors_apply_their_control() {
    let text = arms(
        3,
        "",
        r#"<motor joint="h1" gear="4"/><motor joint="h2" gear="2" ctrlrange="1 2"/>
        <motor joint="h3" gear="10" forcerange="-3 1"/>"#,
    );
    let found = imported(&text);
    assert_eq!((hinge(&found, "h1").servo, hinge(&found, "h3").servo), (None, None));
    assert!(notes_say(&found, &["line 1", "actuators `motor`", "nothing at a control of 0"]), "{:#?}", found.notes);
    // Clamped to 1.
    assert_eq!(servo(&found, "h2").torque, 2.0);
    let found = at_key(&text);
    assert_eq!(["h1", "h2", "h3"].map(|name| servo(&found, name).torque), [2.0, 4.0, -30.0]);
    assert_eq!(gains(&servo(&found, "h1")), (0.0, 0.0));
    assert!(!notes_say(&found, &["nothing at a control"]), "{:#?}", found.notes);
}

/// τ = 20 (u₁ − q) + 2 · (5 (u₂ − q̇ · 2)): the laws of one joint add up.
#[test]
fn several_actuators_of_a_joint_add_up() {
    let text =
        arms(1, "", r#"<position joint="h1" kp="20"/><velocity joint="h1" kv="5" gear="2"/><motor joint="h1"/>"#);
    let servo = servo(&at_key(&text), "h1");
    assert_eq!(gains(&servo), (20.0, 20.0));
    // 20 · 0.5 + 2 · 5 · 5 − 4 = 56 N·m at q = q̇ = 0.
    assert!((20.0 * servo.target.radians - 56.0).abs() < 1e-4, "{servo:?}");
    let capped = arms(1, "", r#"<position joint="h1" kp="20"/><motor joint="h1"/>"#)
        .replace(r#"kp="20""#, r#"kp="20" forcerange="-1 1""#)
        .replace("0.5 5 -4", "0.5 5");
    assert!(notes_say(&at_key(&capped), &["two bounds do not add up"]));
}

/// kv = 2 ζ √(kp J), J the inertia at the hinge: m (2/5 r² + l²), with r = 0.1 m and l = 1 m.
#[test]
fn damping_ratios_refer_to_the_inertia_where_the_file_puts_the_bodies() {
    let text = arms(1, "", r#"<position joint="h1" kp="10" dampratio="1" gear="3"/>"#);
    let (k, c) = gains(&servo(&imported(&text), "h1"));
    let expected = 2.0 * (10.0f64 * 9.0 * 1.004).sqrt();
    assert!(k == 90.0 && (f64::from(c) / expected - 1.0).abs() < 1e-6, "{k} {c} {expected}");
    let text = arms(1, "", "").replace("axis=", r#"springdamper="0.1 0.5" axis="#);
    let made = hinge(&imported(&text), "h1");
    // J/(T ζ)² and 2 J/T.
    assert!((made.spring.map(|s| s.softness.rate) == Some(SpringRate::Stiffness((1.004f64 / 0.0025) as f32))));
    assert!((made.damping / 20.08 - 1.0).abs() < 1e-6);
}

/// Of two arms in a row the other joint gives way: J₂ = 1/(M⁻¹)₂₂ = M₂₂ − M₁₂²/M₁₁, with balls of 1 kg at 1 m.
///
/// ```text
/// M₁₁ = i + l² + i + (2 l)²,  M₁₂ = i + 2 l²,  M₂₂ = i + l²,   i = 2/5 r²
/// ```
#[test]
fn a_damping_ratio_lets_the_other_joints_give_way() {
    let text = r#"<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos="1 0 0" mass="1"/>
        <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos="1 0 0" mass="1"/></body></body></worldbody>
        <actuator><position joint="b" kp="10" dampratio="0.7"/></actuator>
        <keyframe><key name="k" qpos="1 2" ctrl="0"/></keyframe></mujoco>"#;
    let i = 0.4 * 0.01;
    let (m11, m12, m22) = (2.0 * i + 5.0, i + 2.0, i + 1.0);
    let expected = 1.4 * (10.0f64 * (m22 - m12 * m12 / m11)).sqrt();
    for found in [imported(text), at_key(text)] {
        let (_, c) = gains(&servo(&found, "b"));
        assert!((f64::from(c) / expected - 1.0).abs() < 1e-6, "{c} {expected}");
    }
}

#[test]
fn ranges_can_be_switched_off_and_empty_ones_bound_nothing() {
    let text = arms(
        3,
        "",
        r#"<position joint="h1" forcerange="-1 1" forcelimited="false"/><position joint="h2" forcerange="0 0"/>
        <position joint="h3" forcerange="-2 3"/>"#,
    );
    let found = imported(&text);
    let unbounded = delassus_physics::joints::UNBOUNDED;
    assert_eq!(["h1", "h2", "h3"].map(|name| servo(&found, name).max_torque), [unbounded, unbounded, 3.0]);
    assert!(notes_say(&found, &["its forces, -2 to 3, get the bound ±3"]), "{:#?}", found.notes);
    let joints = r#"<mujoco><worldbody><body><joint name="a" axis="0 1 0" range="10 -10"/><geom size=".1"/></body>
        <body><joint name="b" axis="0 1 0" range="0 0"/><geom size=".1"/></body>
        <body><joint name="c" type="slide" range="-1 2" limited="false"/><geom size=".1"/></body></worldbody></mujoco>"#;
    let found = imported(joints);
    assert_eq!((hinge(&found, "a").limit, hinge(&found, "b").limit), (None, None));
    assert!(notes_say(&found, &["joint `a`", "10 to -10, is empty"]) && !notes_say(&found, &["joint `c`"]));
    assert!(matches!(&joint(&found, "c").kind, JointKind::Prismatic(slide) if slide.limit.is_none()));
}

/// `actuatorfrcrange` bounds all that drives a joint; without a drive it bounds nothing.
#[test]
fn the_range_of_all_actuators_of_a_joint_is_its_cap() {
    let text = arms(2, "", r#"<position joint="h1" kp="5"/>"#).replace("axis=", r#"actuatorfrcrange="-3 1" axis="#);
    let found = imported(&text);
    assert_eq!(servo(&found, "h1").max_torque, 3.0);
    assert!(notes_say(&found, &["joint `h1`", "`actuatorfrcrange`, -3 to 1, is taken as ±3"]), "{:#?}", found.notes);
    assert!(notes_say(&found, &["`actuatorfrcrange`: bounds a drive"]) && !notes_say(&found, &["effort"]));
    let off = text.replace("axis=", r#"actuatorfrclimited="false" axis="#);
    assert_eq!(servo(&imported(&off), "h1").max_torque, delassus_physics::joints::UNBOUNDED);
}

/// A filter and an integral start at 0: with a control of 0 they change nothing, and with another it is said.
#[test]
fn activations_are_told_where_they_matter() {
    let text = arms(2, "", r#"<position joint="h1" kp="5" timeconst="0.1"/><intvelocity joint="h2" kp="6"/>"#);
    let still = imported(&text);
    assert_eq!((gains(&servo(&still, "h1")).0, gains(&servo(&still, "h2")).0), (5.0, 6.0));
    assert!(!notes_say(&still, &["filter"]));
    let found = at_key(&text);
    assert_eq!((servo(&found, "h1").target.radians, servo(&found, "h2").target.radians), (0.5, 0.0));
    assert!(notes_say(&found, &["its filter with a time constant of 0.1 s"]) && notes_say(&found, &["the integral"]));
}

/// A plate on two hinges with a spring: the second turned only 90 % of its inertia, and swung 5 % too fast.
#[test]
fn the_hinge_of_a_cascade_turns_the_whole_inertia() {
    let text = r#"<mujoco><worldbody><body name="plate">
        <inertial pos="0 0 0" mass="2" fullinertia="0.03 0.02 0.04 0 0 0"/>
        <joint name="x" axis="1 0 0" stiffness="5"/><joint name="y" axis="0 1 0" stiffness="5"/>
        </body></worldbody></mujoco>"#;
    let found = imported(text);
    let (_, _, inertia) = super::mass(super::body(&found, "plate"));
    let of_y = inertia.y_axis.y + f64::from(hinge(&found, "y").armature);
    assert!((of_y - 0.02).abs() < 1e-8, "{of_y}");
    let frame = super::mass(super::body(&found, "plate moved by x")).2;
    let of_x = frame.x_axis.x + inertia.x_axis.x + f64::from(hinge(&found, "x").armature);
    assert!((of_x - 0.03).abs() < 1e-8, "{of_x}");
}
