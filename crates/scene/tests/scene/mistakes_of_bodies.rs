//! Mistakes in bodies and patterns: the text of each, and the line that it gives.

/// Bodies: the text is the third line, from column 3.
pub const BODIES: &[(&str, &str)] = &[
    (r#"(name: "a", shape: Sphere(radius: 1), atx: (0, 0, 1))"#, "3:41: unknown field `atx`, did you mean `at`?"),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, 0))"#, "3:45: `at`: expected (x, y, z), found `(0, 0)`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), at: (0, 0, 1, 4))"#,
        "3:45: `at`: expected (x, y, z), found `(0, 0, 1, 4)`",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), at: "x")"#, r#"3:45: `at`: expected (x, y, z), found `"x"`"#),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, x, 0))"#, "3:45: `at`: expected (x, y, z), found `(0, x, 0)`"),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, NaN, 0))"#, "3:45: at must be finite, not (0, NaN, 0)"),
    (r#"(name: "a", shape: Sphere(radius: 1e400))"#, "3:37: radius must be finite, not inf"),
    (r#"(name: "a", shape: Sphere(radius: 0))"#, "3:37: radius must be above 0, at most 100000, not 0"),
    (r#"(name: "a", shape: Sphere(radius: "x"))"#, r#"3:37: `radius`: expected a number, found `"x"`"#),
    (r#"(name: "a", shape: Sphere(r: 1))"#, "3:29: unknown field `r`, did you mean `radius`?"),
    (r#"(name: "a", shape: Sphere())"#, "3:22: missing field `radius`"),
    (r#"(name: "a", shape: Sphere)"#, "3:22: `shape`: expected fields in brackets, `(…: …)`, found `Sphere`"),
    (r#"(name: "a", shape: Shpere(radius: 1))"#, "3:22: unknown name `Shpere`, did you mean `Sphere`?"),
    (r#"(name: "a", shape: Box(half: (1, 1, -1)))"#, "3:32: half must be above 0, at most 100000, not -1"),
    // When stepped, such a box made GJK lose its simplex and panic.
    (
        r#"(name: "a", shape: Box(half: (157625651.2, 0.15, 0.1)))"#,
        "3:32: half must be above 0, at most 100000, not 157625650",
    ),
    (
        r#"(name: "a", shape: Box(half: (0.000001, 264.8, 0.00006)))"#,
        "3:22: the shape is thinner than a millionth of its size",
    ),
    (
        r#"(name: "a", shape: Capsule(radius: 1, half_length: 2e5))"#,
        "3:54: half_length must be above 0, at most 100000, not 200000",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), soft: (hertz: -1, damping_ratio: 1))"#,
        "3:55: hertz must be 0 to 100000, not -1",
    ),
    (
        r#"(name: "a", shape: Hull(points: [(0,0,0),(1,0,0),(0,1,0),(1,1,0)]))"#,
        "3:22: the hull is degenerate: its points must not lie in one plane, nor nearer to one than a hundred-thousandth of \
         its size",
    ),
    (
        r#"(name: "a", shape: Hull(points: [(0,0,0),(1,0)]))"#,
        "3:35: `points`: expected a list of points, `[(x, y, z), …]`, found `[(0,0,0),(1,0)]`",
    ),
    (r#"(name: "a", shape: Hull(points: [(0,0,0),(1,inf,0)]))"#, "3:44: a point must be finite, not (1, inf, 0)"),
    (r#"(name: "a", shape: Compound(parts: []))"#, "3:38: a compound needs at least one part"),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1)), (shape: Sphere(radius: 0), at: (1, 0, 0))]))"#,
        "3:90: radius must be above 0, at most 100000, not 0",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Compound(parts: [(shape: Sphere(radius: 1))]))]))"#,
        "3:47: a part of a compound is no compound itself: list all parts in one",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1), at: (0, inf, 0))]))"#,
        "3:70: at must be finite, not inf",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1), rotation: (0, 0, 0, 0))]))"#,
        "3:76: rotation must be a unit quaternion (x, y, z, w), not zero; no rotation is (0, 0, 0, 1)",
    ),
    (r#"(name: "a")"#, "3:3: missing field `shape`"),
    ("(shape: Sphere(radius: 1))", "3:3: missing field `name`"),
    (r#"(name: "world", shape: Sphere(radius: 1))"#, "3:10: `world` is the world itself, a body needs another name"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 0, 2))"#,
        "3:51: rotation must be a unit quaternion (x, y, z, w), this one has length 2.000",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 0, 0))"#,
        "3:51: rotation must be a unit quaternion (x, y, z, w), not zero; no rotation is (0, 0, 0, 1)",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 1))"#,
        "3:51: expected a rotation: (x, y, z, w), AxisAngle(axis: (0, 0, 1), angle: Degrees(45)) or Euler(x: \
         Degrees(90)), not `(0, 0, 1)`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: AxisAngle(axis: (0, 0, 0), angle: 1))"#,
        "3:51: the rotation's axis must be finite and not zero",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Static, particle: true)"#,
        "3:67: only a dynamic body has `particle`",
    ),
    // A field under its old name is located correctly.
    (r#"(name: "a", shape: Sphere(radius: 1), particle: true, spin: (1, 0, 0))"#, "3:63: a particle does not rotate"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 0, 0))"#,
        "3:48: plane must be finite and not zero, not (0, 0, 0)",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), plane: 1)"#, "3:48: `plane`: expected (x, y, z), found `1`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 1, 0), velocity: (1, 1, 0))"#,
        "3:69: the velocity must lie in the body's plane",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 1, 0), angular_velocity: (1, 1, 0))"#,
        "3:77: a body in a plane turns about the plane's normal only",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), mover: Sinusoid(rate: 1))"#,
        "3:48: a mover is for a body with `motion: Kinematic`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, velocity: (1, 0, 0), mover: Sinusoid(rate: 1))"#,
        "3:88: give `velocity` or a mover, not both",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Sinusoid(rate: inf))"#,
        "3:82: rate must be finite, not inf",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Sinusoid(phase: 1))"#,
        "3:67: missing field `rate`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Waypoints(points: [], speed: 1))"#,
        "3:85: the number of points must be 1 to 1000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Waypoints(points: [(0, 0, 1)], speed: 0))"#,
        "3:105: speed must be above 0, at most 100000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(force: (1, 0, 0)), (force: (0, inf, 0))])"#,
        "3:78: force must be finite, not (0, inf, 0)",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Table(points: [(0, 1), (1, 2), (1, 0)]))])"#,
        "3:91: the times must increase, and 1 s comes after 1 s",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Table(points: []))])"#,
        "3:74: the number of points must be 1 to 1000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "2*(t+", start: 0))])"#,
        "3:76: formula: a value is missing at the end, at character 6",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "sin(2*x)"))])"#,
        "3:76: formula: `x` is not known; the time is t, in seconds, at character 7",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "sqrt(2.05 - t)"))])"#,
        "3:76: formula: `sqrt(2.05 - t)` has no value at t = 2.1 s",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "1/(t - 3)", start: 3))])"#,
        "3:76: formula: `1/(t - 3)` is infinite at t = 3 s",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), drag: (linear: -1))"#, "3:56: linear must be 0 to 1000000000000, not -1"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1, zz: 3))"#,
        "3:50: no body can have this inertia: its largest principal moment, 3 kg·m², exceeds the sum of the other two, 1 + 1 \
         kg·m²",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1, zz: 1, xy: 2))"#,
        "3:50: the inertia must be positive definite, but its principal moments are -1, 1 and 3 kg·m²",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: -1, yy: 1, zz: 1))"#,
        "3:55: xx must be above 0, at most 100000000000000000000, not -1",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1))"#, "3:50: missing field `zz`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), particle: true, inertia: (xx: 1, yy: 1, zz: 1))"#,
        "3:66: a particle has no inertia",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), com: (0, 0, 1))"#,
        "3:41: unknown field `com`, did you mean `mass_centre`?",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), mass_centre: (0, 0, 1e9))"#,
        "3:54: mass_centre must be within ±100000, not (0, 0, 1000000000)",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), groups: [40])"#, "3:49: a collision group is 0 to 31, not 40"),
    (r#"(name: "a", shape: Sphere(radius: 1), mass: 0)"#, "3:47: mass must be above 0, not 0"),
    (r#"(name: "a", shape: Sphere(radius: 1), mass: 1, density: 1)"#, "3:59: give mass or density, not both"),
    (r#"(name: "a", shape: Sphere(radius: 1), motion: Statik)"#, "3:49: unknown name `Statik`, did you mean `Static`?"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Static, velocity: (1, 0, 0))"#,
        "3:67: a static body has no `velocity`; one with `motion: Kinematic` moves by its own",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), restitution: 2)"#, "3:54: restitution must be 0 to 1, not 2"),
];

/// Patterns: the text is the second line, from column 3.
pub const PATTERNS: &[(&str, &str)] = &[
    (
        r#"Stack(name: "s", body: (shape: Sphere(radius: 1)), count: 0, spacing: (0, 0, 1))"#,
        "2:61: count must be 1 to 1200000, not 0",
    ),
    (
        r#"Stack(name: "s", body: (shape: Sphere(radius: -1)), count: 3, spacing: (0, 0, 1))"#,
        "2:49: radius must be above 0, at most 100000, not -1",
    ),
    (
        r#"Grid(name: "s", of: Body(shape: Sphere(radius: 1)), count: (1000, 10000, 1), spacing: (1, 0, 1))"#,
        "2:62: count must make 1 to 1200000 copies, not 10000000",
    ),
    (
        r#"Grid(name: "s", of: Stack(body: (shape: Sphere(radius: 1)), count: 3000, spacing: (0, 0, 1)), count: (1000, 1, 1), spacing: (1, 0, 1))"#,
        "2:23: the scene has too many bodies, at most 1200000",
    ),
    (
        r#"Chain(name: "s", body: (shape: Sphere(radius: 1)), count: 3, spacing: (0, 0, 1), joint: (kind: Hinge))"#,
        "2:98: Hinge needs an `axis`, such as (0, 0, 1)",
    ),
];
