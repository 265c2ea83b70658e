//! Each kind of mistake in a joint, and its line, for `mistakes.rs`.

/// Joints in a scene with a body called `door`: the text is the third line, from column 3.
pub const JOINTS: &[(&str, &str)] = &[
    (r#"(b: "dor", anchor: (0, 0, 0), kind: BallSocket)"#, "3:7: no body is called `dor`, did you mean `door`?"),
    (
        r#"(a: "door", b: "door", anchor: (0, 0, 0), kind: BallSocket)"#,
        "3:18: a joint needs two bodies, both are `door`",
    ),
    (r#"(b: "door", kind: BallSocket)"#, "3:3: BallSocket needs an `anchor`, or `anchor_a` and `anchor_b`"),
    (r#"(b: "door", anchor: (0, 0, 0), kind: Hinge)"#, "3:40: Hinge needs an `axis`, such as (0, 0, 1)"),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 0), kind: Hinge)"#,
        "3:40: axis must be finite and not zero, not (0, 0, 0)",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: (Degree(1), 2)))"#,
        "3:71: expected an angle in radians such as 0.785, or Degrees(45), not `Degree(1)`",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: (2, 1)))"#,
        "3:70: the limit is the wrong way round: 2 is above 1",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(limit: (Degrees(90), 1)))"#,
        "3:70: the limit is the wrong way round: Degrees(90) is above 1",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: (speed: 1, max_torque: -1)))"#,
        "3:93: max_torque must be 0 and more, not -1",
    ),
    (
        r#"(b: "door", anchor_a: (1, 0, 0), anchor_b: (0, 0, 0), axis: (0, 0, 1), kind: Gear(radius_a: 0, radius_b: 1))"#,
        "3:95: the radius_a must not be zero",
    ),
    (r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Screw(lead: 0))"#, "3:69: the lead must not be zero"),
    (r#"(b: "door", axis: (0, 0, 1), kind: Gear(radius_a: 1))"#, "3:38: missing field `radius_b`"),
    (
        r#"(b: "door", kind: SixDof(z: Free(limit: (0.1, -0.1))))"#,
        "3:43: the limit is the wrong way round: 0.1 is above -0.1",
    ),
    (
        r#"(b: "door", kind: SixDof(about_x: Free(limit: (0, Degrees(270)))))"#,
        "3:49: a limit must be within half a turn, not Degrees(270)",
    ),
    (
        r#"(b: "door", kind: SixDof(z: Free(servo: (stiffness: -5))))"#,
        "3:55: stiffness must be 0 to 1000000000000, not -5",
    ),
    (r#"(b: "door", kind: SixDof(z: Loose))"#, "3:31: unknown name `Loose`, did you mean `Locked`?"),
    (r#"(b: "door", kind: SixDof(z: Free(spring: 1)))"#, "3:36: unknown field `spring`, expected `limit` or `servo`"),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Belt(radius_a: 1, radius_b: 1))"#,
        "3:3: the pulleys of a belt need their centres apart: `anchor_a` and `anchor_b`",
    ),
    (
        r#"(b: "door", kind: Pulley(over_a: (0, 0, 2), over_b: (1, 0, 2), ratio: 0))"#,
        "3:73: ratio must be 0.001 to 1000, not 0",
    ),
    (
        r#"(b: "door", anchor: (1, 0, 2), kind: Pulley(over_a: (0, 0, 2), over_b: (1, 0, 2)))"#,
        "3:3: a pulley needs its rope to hang: `anchor_b` and `over_b` are one point",
    ),
    (
        r#"(b: "door", anchor_a: (0, 0, 0), anchor_b: (0.1, 0, 0), axis: (0, 0, 1), kind: Drum(radius: 0.2))"#,
        "3:3: the rope of a drum needs its end outside the drum: `anchor_b` at least 1.01 radii from the axis",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Cam(radii: [1, 1, 1, 1]))"#,
        "3:3: the follower of a cam needs its point off the cam's axis: `anchor_b`",
    ),
    (
        r#"(b: "door", anchor_a: (0, 0, 0), anchor_b: (1, 0, 0), axis: (0, 0, 1), kind: Cam(radii: [1, 1, 0, 1]))"#,
        "3:91: radii must be above 0, at most 100000, not 0",
    ),
    (
        r#"(b: "door", anchor_a: (0, 0, 0), anchor_b: (1, 0, 0), axis: (0, 0, 1), kind: Cam(radii: [1, 1, 1]))"#,
        "3:91: a profile needs 4 to 72 radii, not 3",
    ),
    (
        r#"(b: "door", anchor_a: (0, 0, 0), anchor_b: (1, 0, 0), axis: (0, 0, 1), kind: Cam(radii: [9, 0.1, 0.1, 9, 0.1, 0.1]))"#,
        "3:91: the profile goes through its axis between two radii: give more of them",
    ),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - 1", "pB.z - sim(2)"]))"#,
        "3:52: formula: `sim` is not known; do you mean `sin`?, at character 8",
    ),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - 1", "pB.z - k"]))"#,
        "3:52: formula: `k` is not known; give it among the `parameters`, at character 8",
    ),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - x"]))"#,
        "3:36: formula: a number and a vector on the two sides of `-`, at character 10",
    ),
    (r#"(b: "door", kind: Formula(rows: []))"#, "3:35: a formula has 1 to 6 rows, not 0"),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - 1"], parameters: [("pA", 1)]))"#,
        "3:65: `pA` has a meaning of its own in formulas: take another name",
    ),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - 1"], bounds: [Between(1, 0)]))"#,
        "3:61: a bound is the wrong way round: 1 is above 0",
    ),
    (
        r#"(b: "door", kind: Formula(rows: ["distance - 1"], bounds: [Equal, AtMost]))"#,
        "3:61: there are more bounds than rows",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), kind: Formula(rows: ["angle"]))"#,
        "3:40: Formula needs an `axis`, such as (0, 0, 1)",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis_a: (0, 0, 1), axis_b: (0, 0, 1), kind: Universal)"#,
        "3:3: the two arms of a cross, `axis_a` and `axis_b`, must be at a right angle",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(limits: (2, 1)))"#,
        "3:63: unknown field `limits`, did you mean `limit`?",
    ),
    (
        r#"(b: "door", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: (max_torque: 1)))"#,
        "3:70: missing field `speed`",
    ),
    (r#"(b: "door", anchor: (0, 0, 0), kind: Hing())"#, "3:40: unknown name `Hing`, did you mean `Hinge`?"),
    (r#"(b: "door", anchor: (0, 0, 0), kind: Hing)"#, "3:40: unknown name `Hing`, did you mean `Hinge`?"),
    (
        r#"(b: "door", anchor: (0, 0, 0), anchor_a: (0, 0, 0), kind: BallSocket)"#,
        "3:23: give anchor, or anchor_a and anchor_b, not both",
    ),
    (
        r#"(b: "door", kind: Distance)"#,
        "3:3: Distance needs two different anchors, `anchor_a` and `anchor_b`, or a length",
    ),
];
