//! URDF: frames by hand, joints, masses.

use delassus_import::Options;
use delassus_physics::body::Motion;
use delassus_physics::joints::JointKind;
use delassus_physics::shape::{Shape, ShapePart};
use glam::{DMat3, DVec3, Vec3};

use super::{body, close, hinge, imported, joint, mass, near, notes_say, with};

/// An arm whose elbow is turned by a quarter about z, then whose mass is turned by a quarter about x.
const ARM: &str = r#"<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.5 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="0.5 0 0" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial>
      <origin xyz="0.3 0.1 0" rpy="1.5707963267948966 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.03" iyy="0.05" izz="0.06" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><box size="0.4 0.2 0.1"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1"/>
    <parent link="world"/>
    <child link="upper"/>
    <axis xyz="0 2 0"/>
    <limit lower="-1" upper="2" effort="30" velocity="3"/>
    <dynamics damping="0.7" friction="0.2"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>
    <parent link="upper"/>
    <child link="fore"/>
    <axis xyz="1 0 0"/>
    <limit lower="-0.5" upper="0.5" effort="10" velocity="1"/>
  </joint>
</robot>"#;

#[test]
fn masses_centres_and_inertias_stand_in_the_world() {
    let arm = imported(ARM);
    let (upper_mass, upper_centre, upper) = mass(body(&arm, "upper"));
    assert!((upper_mass - 2.0).abs() < 1e-6 && close(upper_centre, DVec3::new(0.5, 0.0, 1.0)));
    let expected = DMat3::from_cols(DVec3::new(0.1, 0.01, 0.0), DVec3::new(0.01, 0.2, 0.0), DVec3::new(0.0, 0.0, 0.25));
    assert!(near(expected, upper), "{upper}");
    // The link's x is the world's y, its y the world's −x. Its inertia is turned by a quarter about x: the axes of y and
    // z change places; then about z: those of x and y.
    let (fore_mass, fore_centre, fore) = mass(body(&arm, "fore"));
    assert!((fore_mass - 1.5).abs() < 1e-6 && close(fore_centre, DVec3::new(1.0 - 0.1, 0.3, 1.0)));
    assert!(near(DMat3::from_diagonal(DVec3::new(0.06, 0.03, 0.05)), fore), "{fore}");
}

#[test]
fn joints_have_their_points_axes_limits_and_resistance() {
    let arm = imported(ARM);
    let shoulder = joint(&arm, "shoulder");
    assert_eq!((shoulder.a.as_str(), shoulder.b.as_str()), ("world", "upper"));
    assert!(close(shoulder.anchor.unwrap().as_dvec3(), DVec3::Z) && close(shoulder.axis.unwrap().as_dvec3(), DVec3::Y));
    let kind = hinge(&arm, "shoulder");
    let limit = kind.limit.map(|(low, high)| (low.radians, high.radians));
    assert_eq!((limit, kind.damping, kind.friction), (Some((-1.0, 2.0)), 0.7, 0.2));
    let elbow = joint(&arm, "elbow");
    assert!(close(elbow.axis.unwrap().as_dvec3(), DVec3::Y), "the joint's x is the world's y");
    assert!(close(elbow.anchor.unwrap().as_dvec3(), DVec3::new(1.0, 0.0, 1.0)));
    assert!(!elbow.collide && notes_say(&arm, &["effort", "--hold"]) && notes_say(&arm, &["velocity"]));
}

#[test]
fn a_single_shape_keeps_its_frame() {
    let arm = imported(ARM);
    let upper = body(&arm, "upper");
    assert_eq!(upper.shape, Shape::Cylinder { radius: 0.1, half_length: 0.5 });
    assert!(close(upper.at.as_dvec3(), DVec3::new(0.5, 0.0, 1.0)));
    let axis = upper.rotation.quat().unwrap() * Vec3::Z;
    assert!(close(axis.as_dvec3(), DVec3::X));
    let fore = body(&arm, "fore");
    assert_eq!(fore.shape, Shape::Box { half: Vec3::new(0.2, 0.1, 0.05) });
    assert!(!fore.collide && notes_say(&arm, &["line 11", "no shape for collisions"]), "{:?}", arm.notes);
}

#[test]
fn servos_hold_the_pose_up_to_the_effort() {
    let arm = with(ARM, &Options { hold: Some(4.0), ..Options::default() });
    let servo = hinge(&arm, "shoulder").servo.expect("a servo");
    assert_eq!((servo.max_torque, servo.target.radians), (30.0, 0.0));
}

/// A body with a wheel on each side is free, on a floor; an arm is fixed. Options say otherwise.
#[test]
fn the_root_is_fixed_if_one_joint_leaves_it() {
    let wheel = |name: &str, y: f64| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
            <collision><geometry><sphere radius="0.2"/></geometry></collision></link>
            <joint name="{name} axle" type="continuous"><origin xyz="0 {y} 0"/><parent link="base"/><child link="{name}"/>
            <axis xyz="0 1 0"/></joint>"#
        )
    };
    let base = r#"<link name="base"><inertial><mass value="5"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
        <collision><geometry><box size="1 0.4 0.2"/></geometry></collision></link>"#;
    let robot = |parts: &str| format!("<robot name=\"r\">{base}{parts}</robot>");
    let two = robot(&(wheel("left", 0.4) + &wheel("right", -0.4)));
    let free = imported(&two);
    assert_eq!((body(&free, "base").motion, body(&free, "floor").motion), (Motion::Dynamic, Motion::Static));
    assert!((body(&free, "left").at.z - 0.2).abs() < 1e-6, "the wheels stand on the floor");
    assert!(notes_say(&free, &["free", "2 joints leave"]) && notes_say(&free, &["0.2000 m along z"]));
    let one = robot(&wheel("left", 0.4));
    assert_eq!(body(&imported(&one), "base").motion, Motion::Static);
    let asked = |text: &str, fixed: bool| with(text, &Options { fixed: Some(fixed), ..Options::default() });
    assert_eq!(body(&asked(&two, true), "base").motion, Motion::Static);
    assert_eq!(body(&asked(&one, false), "base").motion, Motion::Dynamic);
    // Links of one model do not touch each other, but the floor.
    let [base, left, floor] = ["base", "left", "floor"].map(|name| body(&free, name));
    assert!(!(base.groups.meets(left.mask) && left.groups.meets(base.mask)));
    assert!(base.groups.meets(floor.mask) && floor.groups.meets(base.mask));
}

#[test]
fn every_kind_of_joint_becomes_one() {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>"#
        )
    };
    let kind = |kind: &str| {
        let text = format!(
            r#"<robot name="r"><link name="world"/>{}{}<joint name="root" type="fixed"><parent link="world"/><child link="a"/></joint>
            <joint name="j" type="{kind}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
            <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#,
            link("a"),
            link("b")
        );
        imported(&text).scene.joints.iter().map(|joint| joint.kind.info().name).collect::<Vec<_>>()
    };
    assert_eq!(kind("fixed"), Vec::<&str>::new(), "a part of the world is no body of its own");
    assert_eq!(kind("revolute"), ["Hinge"]);
    assert_eq!(kind("continuous"), ["Hinge"]);
    assert_eq!(kind("prismatic"), ["Prismatic"]);
    assert_eq!(kind("spherical"), ["BallSocket"]);
    assert_eq!(kind("planar"), ["Plane", "AxisLock"]);
    assert_eq!(kind("floating"), Vec::<&str>::new());
}

/// Two masses of a rigid pair as one: a frame without a mass is a part of its neighbour.
#[test]
fn links_without_mass_are_part_of_what_holds_them() {
    let text = r#"<robot name="r">
  <link name="world"/>
  <link name="frame"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <link name="tip"><collision><origin xyz="0 0 0.1"/><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="world"/><child link="frame"/><axis xyz="0 1 0"/></joint>
  <joint name="on" type="fixed"><origin xyz="0.5 0 0"/><parent link="frame"/><child link="arm"/></joint>
  <joint name="end" type="fixed"><origin xyz="0 0 0.4"/><parent link="arm"/><child link="tip"/></joint>
</robot>"#;
    let robot = imported(text);
    let names: Vec<&str> = robot.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["arm"]);
    let arm = body(&robot, "arm");
    assert!(close(arm.at.as_dvec3(), DVec3::new(0.5, 0.0, 0.5)), "{}", arm.at);
    assert!(close(mass(arm).1, DVec3::new(0.5, 0.0, 0.0)));
    assert!(
        notes_say(&robot, &["link `frame`", "part of `arm`"]) && notes_say(&robot, &["link `tip`", "part of `arm`"])
    );
}

#[test]
fn a_moving_link_without_mass_weighs_what_its_shape_does() {
    let text = r#"<robot name="r"><link name="world"/>
  <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="turn" type="continuous"><parent link="world"/><child link="ball"/></joint></robot>"#;
    let robot = imported(text);
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.1f64.powi(3) * 1000.0;
    let (found, _, inertia) = mass(body(&robot, "ball"));
    assert!((found / expected - 1.0).abs() < 1e-6);
    assert!(near(DMat3::from_diagonal(DVec3::splat(0.4 * expected * 0.01)), inertia));
}

/// Two joints on one link whose follower turns twice as fast: a belt with radii 2 : 1; the other way a gear.
#[test]
fn mimics_of_parallel_hinges_are_belts_and_gears() {
    let text = |ratio: f64, axis: &str| {
        format!(
            r#"<robot name="r"><link name="world"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="ja" type="continuous"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/></joint>
  <joint name="jb" type="continuous"><origin xyz="1 0 0"/><parent link="world"/><child link="b"/><axis xyz="{axis}"/>
    <mimic joint="ja" multiplier="{ratio}"/></joint></robot>"#
        )
    };
    let radii = |kind: &JointKind| match kind {
        JointKind::Belt(belt) => ("belt", belt.radius_a / belt.radius_b),
        JointKind::Gear(gear) => ("gear", gear.radius_a / gear.radius_b),
        other => panic!("{other:?}"),
    };
    let of = |ratio: f64, axis: &str| radii(&joint(&imported(&text(ratio, axis)), "jb follows").kind);
    assert_eq!(of(2.0, "0 1 0"), ("belt", 2.0));
    assert_eq!(of(-0.5, "0 1 0"), ("gear", 0.5));
    assert_eq!(of(2.0, "0 -1 0"), ("gear", 2.0));
    assert!(notes_say(&imported(&text(2.0, "1 0 0")), &["jb follows", "not parallel"]));
}

/// An inertia that breaks the triangle inequality is raised until a body has it.
#[test]
fn impossible_inertias_are_repaired_and_told() {
    let text = |inertia: &str| {
        format!(
            r#"<robot name="r"><link name="world"/>
  <link name="a"><inertial><mass value="1"/>{inertia}</inertial></link>
  <joint name="j" type="continuous"><parent link="world"/><child link="a"/></joint></robot>"#
        )
    };
    let broken = imported(&text(r#"<inertia ixx="1" iyy="1" izz="3"/>"#));
    let (_, _, inertia) = mass(body(&broken, "a"));
    assert!((inertia.z_axis.z - 4.0).abs() < 1e-4 && (inertia.x_axis.x - 2.0).abs() < 1e-4, "{inertia}");
    assert!(notes_say(&broken, &["link `a`", "exceeds the sum"]));
    let negative = imported(&text(r#"<inertia ixx="-1" iyy="1" izz="1"/>"#));
    assert!(notes_say(&negative, &["link `a`", "least principal moment"]));
    let none = imported(&text(""));
    assert!(notes_say(&none, &["link `a`", "has no inertia"]) && body(&none, "a").inertia.is_none());
}

#[test]
fn several_shapes_become_a_compound() {
    let text = r#"<robot name="r"><link name="world"/><link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <collision><origin xyz="1 0 0"/><geometry><box size="2 1 1"/></geometry></collision>
    <collision><origin xyz="-1 0 0"/><geometry><box size="2 1 1"/></geometry></collision></link>
  <joint name="j" type="floating"><parent link="world"/><child link="a"/></joint></robot>"#;
    let robot = imported(text);
    let Shape::Compound { parts } = &body(&robot, "a").shape else { panic!("a compound") };
    let half = Vec3::new(1.0, 0.5, 0.5);
    let part = |x: f32| ShapePart::new(Shape::Box { half }, Vec3::new(x, 0.0, 0.0));
    assert_eq!(**parts, [part(1.0), part(-1.0)]);
    assert!(notes_say(&robot, &["link `a`", "2 shapes are a compound"]));
}

/// More shapes than a compound may have become their convex hull.
#[test]
fn too_many_shapes_become_their_hull() {
    let spot = |i: usize| {
        let (x, y, z) = (i % 5, i / 5 % 5, i / 25);
        format!(r#"<collision><origin xyz="{x} {y} {z}"/><geometry><box size="1 1 1"/></geometry></collision>"#)
    };
    let spots: String = (0..75).map(spot).collect();
    let text = format!(
        r#"<robot name="r"><link name="world"/><link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>{spots}</link>
  <joint name="j" type="floating"><parent link="world"/><child link="a"/></joint></robot>"#
    );
    let robot = imported(&text);
    let solid = body(&robot, "a").shape.solid().unwrap();
    assert!((solid.volume - 75.0).abs() < 1e-3, "{}", solid.volume);
    assert!(notes_say(&robot, &["link `a`", "75 shapes become one", "at most 64 parts"]));
}

#[test]
fn names_are_unique_and_not_the_worlds() {
    let text = r#"<robot name="r"><link name="root"/>
  <link name="a`b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="world"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="continuous"><parent link="root"/><child link="a`b"/></joint>
  <joint name="k" type="continuous"><parent link="a`b"/><child link="world"/></joint></robot>"#;
    let robot = imported(text);
    let names: Vec<&str> = robot.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a b", "world link"]);
}
