//! What cannot be analysed is refused in words.

use delassus_analysis::{Refusal, Request, Travel};
use glam::DVec3;

use super::{Scene, bar, hinge};

fn arm() -> Scene {
    Scene::new(&bar("arm", [1.0, 0.0], 2.0), &hinge("pivot", None, "arm", [0.0, 0.0], ""))
}

#[test]
fn a_joint_without_a_value_lists_those_with_one() {
    let bodies = bar("one", [1.0, 0.0], 2.0) + &bar("two", [2.0, 0.0], 1.0);
    let joints = r#"(name: "ball", b: "one", anchor: (0, 0, 0), kind: BallSocket),"#.to_owned()
        + &hinge("elbow", Some("one"), "two", [1.5, 0.0], "");
    let refusal = Scene::new(&bodies, &joints).tried(&Request::default()).expect_err("a ball joint");
    assert_eq!(
        refusal.to_string(),
        "`ball` is a BallSocket, which has no single value to drive. These have one: elbow"
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let arm = arm();
    let all = [
        Request { samples: 0, ..Request::default() },
        Request { samples: usize::MAX, ..Request::default() },
        Request { speed: f64::NAN, ..Request::default() },
        Request { speed: f64::INFINITY, ..Request::default() },
        Request { travel: Travel::Turns(f64::NAN), ..Request::default() },
        Request { travel: Travel::Turns(1e300), ..Request::default() },
        Request { travel: Travel::Between(1.0, 1.0), ..Request::default() },
        Request { travel: Travel::Between(0.0, f64::INFINITY), ..Request::default() },
        Request { point: Some((1, DVec3::splat(f64::NAN))), ..Request::default() },
        Request { point: Some((99, DVec3::ZERO)), ..Request::default() },
        Request { joint: 7, ..Request::default() },
        Request { hold: vec![7], ..Request::default() },
        Request { hold: vec![0], ..Request::default() },
    ];
    for request in all {
        let refusal = arm.tried(&request).expect_err("nonsense");
        assert!(
            matches!(refusal, Refusal::Misuse { .. } | Refusal::Outside { .. } | Refusal::NoLimits),
            "{request:?}: {refusal}"
        );
    }
}

/// A triangle of bars is rigid: its hinge cannot be driven.
#[test]
fn a_locked_loop_is_refused() {
    let bodies = bar("one", [0.5, 0.5], 1.0) + &bar("two", [1.5, 0.5], 1.0);
    let joints = hinge("left", None, "one", [0.0, 0.0], "")
        + &hinge("right", None, "two", [2.0, 0.0], "")
        + &hinge("top", Some("one"), "two", [1.0, 1.0], "");
    let refusal = Scene::new(&bodies, &joints).tried(&Request::default()).expect_err("rigid");
    assert!(matches!(refusal, Refusal::Locked { .. }), "{refusal}");
}

#[test]
fn loops_that_do_not_close_are_refused() {
    let bodies = bar("one", [0.5, 0.0], 1.0);
    let joints = r#"(name: "left", b: "one", anchor_a: (0, 0, 0), anchor_b: (-0.5, 0, 0), axis: (0, -1, 0), kind: Hinge),
        (name: "right", b: "one", anchor_a: (2, 0, 0), anchor_b: (0.5, 0, 0), kind: BallSocket),"#;
    let refusal = Scene::new(&bodies, joints).tried(&Request::default()).expect_err("a metre apart");
    assert!(matches!(refusal, Refusal::Open { .. }), "{refusal}");
}

#[test]
fn a_start_beyond_a_stop_is_refused() {
    let more = "limit: (Degrees(-20), Degrees(40))";
    let scene = Scene::new(&bar("arm", [1.0, 0.0], 2.0), &hinge("pivot", None, "arm", [0.0, 0.0], more));
    let refusal =
        scene.tried(&Request { travel: Travel::Between(1.5, 2.0), ..Request::default() }).expect_err("a stop");
    let words = refusal.to_string();
    assert!(
        words.contains("`pivot` does not reach 85.9437°: it stops at 40.00") && words.contains("its own stop"),
        "{words}"
    );
}

/// A body on a rope of 5 m as long as it is: it swings to both sides, and no joint could be held against that.
#[test]
fn motions_without_a_joint_are_named_as_such() {
    let rope = r#"(name: "line", b: "one", anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), kind: Rope(length: 5)),"#;
    let request = Request { travel: Travel::Between(1.0, 2.0), ..Request::default() };
    let refusal = Scene::new(&bar("one", [1.0, 0.0], 1.0), rope).tried(&request).expect_err("five motions");
    let words = refusal.to_string();
    assert!(words.starts_with("with `line` held, 5 motions remain, in which no joint with a value moves"), "{words}");
}
