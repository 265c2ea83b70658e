//! Values wrapped in `Some(…)`, as other RON files have them.

use delassus_physics::angle::Angle;
use delassus_physics::joints::JointKind;
use delassus_scene as scene;

fn door(limit: &str) -> String {
    format!(
        r#"(
    version: 1,
    title: "Door",
    bodies: [(name: "door", shape: Box(half: (0.5, 0.1, 1.0)), mass: Some(12))],
    joints: [(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: {limit}))],
)"#
    )
}

#[test]
fn a_rule_is_read_under_its_old_name_and_written_under_its_new_one() {
    let loaded = scene::read_str(r#"(version: 1, title: "t", expects: [sunk])"#, "t.ron").expect("a scene");
    assert_eq!(loaded.scene.expects, [scene::Rule::Penetration]);
    assert!(scene::write(&loaded.scene).contains("penetration"));
}

#[test]
fn values_may_stand_in_some() {
    for limit in
        ["Some((-0.6, Degrees(20)))", "(Some(-0.6), Degrees(20))", "(-0.6, Degrees(20))", "Some( (-0.6, Degrees(20)) )"]
    {
        let loaded = scene::read_str(&door(limit), "door.ron").unwrap_or_else(|wrong| panic!("{limit}: {wrong:?}"));
        let JointKind::Hinge(hinge) = &loaded.flat.joints[0].def.kind else { panic!("a hinge") };
        assert_eq!(hinge.limit, Some((Angle::radians(-0.6), Angle::degrees(20.0))), "{limit}");
        assert_eq!(loaded.flat.bodies[0].def.mass, 12.0);
    }
}

#[test]
fn a_mistake_in_some_is_reported_at_its_place() {
    for (limit, expected) in [
        (
            "Some((-0.6, Degree(20)))",
            "door.ron:5:93: expected an angle in radians such as 0.785, or Degrees(45), not `Degree(20)`",
        ),
        ("Some()", "door.ron:5:81: `limit`: expected (least, greatest), found `Some()`"),
    ] {
        let wrong = scene::read_str(&door(limit), "door.ron").err().expect("a mistake");
        assert_eq!(wrong[0].to_string(), expected);
    }
}
