//! Degrees of freedom of mechanisms, compared with Kutzbach's formula where it holds, and with known linkages where
//! it does not.

use delassus_doctor::motions;
use delassus_doctor::{DoctorCase, Fix, Mechanism, Rule, Severity};
use glam::{Quat, Vec3};

use super::{examined, findings, scene};

/// Bars of 1 kg without contacts, each between two points.
pub fn bars(ends: &[(&str, Vec3, Vec3)]) -> String {
    ends.iter().fold(String::new(), |text, (name, from, to)| {
        let (at, half) = ((*from + *to) / 2.0, from.distance(*to) / 2.0);
        let turn = Quat::from_rotation_arc(Vec3::X, (*to - *from).normalize());
        format!(
            r#"{text}(name: "{name}", shape: Box(half: ({half}, 0.05, 0.05)), at: ({}, {}, {}), rotation: ({}, {}, {}, {}), mass: 1, collide: false),"#,
            at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w
        )
    })
}

/// The text of a joint: name, bodies, anchor, axis, kind.
pub fn joint(name: &str, a: &str, b: &str, at: Vec3, axis: Vec3, kind: &str) -> String {
    format!(
        r#"(name: "{name}", a: "{a}", b: "{b}", anchor: ({}, {}, {}), axis: ({}, {}, {}), kind: {kind}),"#,
        at.x, at.y, at.z, axis.x, axis.y, axis.z
    )
}

fn mechanisms(bodies: &str, joints: &str) -> Vec<Mechanism> {
    examined(&scene(bodies, joints, "")).mechanisms
}

fn only(bodies: &str, joints: &str) -> Mechanism {
    let mut all = mechanisms(bodies, joints);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// A four-bar linkage in the plane y = 0 with these joints' positions; its axes are along y, except that `tilt` is
/// added to the third.
pub fn four_bar(points: [Vec3; 4], tilt: Vec3, kinds: [&str; 4]) -> (String, String) {
    let [a, b, c, d] = points;
    let bodies = bars(&[("crank", a, b), ("rod", b, c), ("rocker", d, c)]);
    let joints = joint("A", "world", "crank", a, Vec3::Y, kinds[0])
        + &joint("B", "crank", "rod", b, Vec3::Y, kinds[1])
        + &joint("C", "rod", "rocker", c, Vec3::Y + tilt, kinds[2])
        + &joint("D", "world", "rocker", d, Vec3::Y, kinds[3]);
    (bodies, joints)
}

/// A four-bar with links of 0.4, 1.3 and 0.9 on a ground of 1.1.
pub fn linkage() -> [Vec3; 4] {
    let (a, d) = (Vec3::ZERO, Vec3::new(1.1, 0.0, 0.0));
    let b = Vec3::new(0.4 * 1.1f32.cos(), 0.0, 0.4 * 1.1f32.sin());
    // The intersection of circles of 1.3 about B and of 0.9 about D.
    let (way, span) = (d - b, d.distance(b));
    let along = (1.3f32.powi(2) - 0.9f32.powi(2) + span * span) / (2.0 * span);
    let up = (1.3f32.powi(2) - along * along).sqrt();
    let across = Vec3::new(-way.z, 0.0, way.x) / span;
    [a, b, b + way / span * along + across * up, d]
}

#[test]
fn bodies_by_themselves() {
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.3), mass: 1"#;
    for (more, ways) in [("", 6), (", particle: true", 3), (", plane: (0, 1, 0)", 3)] {
        let mechanism = only(&format!("{ball}{more})"), "");
        assert_eq!((mechanism.freedom, mechanism.freedoms), (Some(ways), ways), "{more}");
        assert_eq!(mechanism.words(), format!("{ways} degrees of freedom"));
    }
    // A static body is not a mechanism; each body that hangs from it is one.
    assert!(mechanisms(&format!("{ball}, motion: Static)"), "").is_empty());
}

/// An open chain has the degrees of freedom of its joints: hinge 1, ball-socket 3, constant velocity joint 2, weld 0.
#[test]
fn chains_have_what_their_joints_leave() {
    let couplings = [("Universal()", 2), ("Screw(lead: 0.2)", 1)];
    let plain = [("Hinge()", 1), ("BallSocket()", 3), ("ConstantVelocity()", 2), ("Fixed()", 0), ("Prismatic()", 1)];
    for (kind, leaves) in plain.into_iter().chain(couplings) {
        for count in [1usize, 4, 9] {
            let name = |i: usize| if i == 0 { "world".to_owned() } else { format!("l{i}") };
            let at = |i: usize| Vec3::new(0.7 * i as f32, 0.1 * i as f32, 0.0);
            let names: Vec<String> = (0..=count).map(name).collect();
            let ends: Vec<_> = (1..=count).map(|i| (names[i].as_str(), at(i - 1), at(i))).collect();
            let joints: String = (1..=count)
                .map(|i| joint(&format!("j{i}"), &names[i - 1], &names[i], at(i - 1), Vec3::Z, kind))
                .collect();
            let mechanism = only(&bars(&ends), &joints);
            assert_eq!(mechanism.freedom, Some(leaves * count), "{kind} {count}");
            assert_eq!(mechanism.redundant, 0);
            if leaves == 0 {
                assert_eq!(mechanism.words(), "nothing can move");
            }
        }
    }
}

/// Two wheels in bearings have two degrees of freedom; teeth, a rack or a belt between them take one. A planetary gear
/// of four bodies in four bearings, with two gears, has two.
#[test]
fn a_coupling_takes_one_degree_of_freedom() {
    let wheel = |name: &str, x: f32, z: f32| {
        format!(
            r#"(name: "{name}", shape: Cylinder(radius: 0.2, half_length: 0.05), at: ({x}, 0, {z}), mass: 1, collide: false),"#
        )
    };
    let coupling = |a: &str, b: &str, kind: &str| format!(r#"(a: "{a}", b: "{b}", axis: (0, 0, 1), kind: {kind}),"#);
    let bearing = |a: &str, b: &str, x: f32, kind: &str, axis: Vec3| joint(b, a, b, Vec3::X * x, axis, kind);
    let two = wheel("one", 0.0, 0.0) + &wheel("two", 0.5, 0.0);
    for (kind, second) in [
        ("Gear(radius_a: 0.3, radius_b: 0.2)", "Hinge()"),
        ("Gear(radius_a: 0.3, radius_b: -0.8)", "Hinge()"),
        ("Belt(radius_a: 0.3, radius_b: 0.2)", "Hinge()"),
        ("Rack(radius: 0.5)", "Prismatic()"),
    ] {
        let axis = if second == "Hinge()" { Vec3::Z } else { Vec3::Y };
        let bearings = bearing("world", "one", 0.0, "Hinge()", Vec3::Z) + &bearing("world", "two", 0.5, second, axis);
        let free: usize = mechanisms(&two, &bearings).iter().filter_map(|mechanism| mechanism.freedom).sum();
        assert_eq!(free, 2, "{kind}");
        let mechanism = only(&two, &(bearings + &coupling("one", "two", kind)));
        assert_eq!((mechanism.freedom, mechanism.redundant), (Some(1), 0), "{kind}");
    }
    let four =
        wheel("sun", 0.0, 0.0) + &wheel("ring", 0.0, 0.2) + &wheel("carrier", 0.0, -0.2) + &wheel("planet", 0.5, 0.0);
    let bearings: String =
        ["sun", "ring", "carrier"].map(|name| bearing("world", name, 0.0, "Hinge()", Vec3::Z)).concat();
    let joints = bearings
        + &bearing("carrier", "planet", 0.5, "Hinge()", Vec3::Z)
        + &coupling("sun", "planet", "Gear(radius_a: 0.3, radius_b: 0.2)")
        + &coupling("planet", "ring", "Gear(radius_a: 0.2, radius_b: -0.7)");
    assert_eq!(only(&four, &joints).freedom, Some(2));
}

/// Three bars have 18 degrees of freedom, four hinges have 20 rows; a planar linkage has one degree of freedom, so
/// three rows are redundant. With ball-sockets at the rod there are 16 rows: the linkage's motion remains, and the
/// rod's rotation about itself.
#[test]
fn a_four_bar_linkage_has_one_degree_of_freedom() {
    let (bodies, joints) = four_bar(linkage(), Vec3::ZERO, ["Hinge()"; 4]);
    let mechanism = only(&bodies, &joints);
    assert_eq!((mechanism.freedom, mechanism.lasting), (Some(1), Some(1)));
    assert_eq!((mechanism.freedoms, mechanism.rows, mechanism.redundant), (18, 20, 20 - (18 - 1)));
    assert_eq!(mechanism.words(), "1 degree of freedom");
    let found = findings(&scene(&bodies, &joints, ""));
    assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Loop, Severity::Note)]);
    assert!(found[0].what.contains("3 of 20 rows") && found[0].joints.len() == 4, "{}", found[0].what);
    let (bodies, joints) = four_bar(linkage(), Vec3::ZERO, ["Hinge()", "BallSocket()", "BallSocket()", "Hinge()"]);
    let mechanism = only(&bodies, &joints);
    assert_eq!((mechanism.freedom, mechanism.redundant), (Some(2), 0));
    // The ends of the last hinge are apart across the plane: no pose closes that loop.
    let [a, b, c, d] = linkage();
    let bodies = bars(&[("crank", a, b), ("rod", b, c), ("rocker", d, c)]);
    let apart = joint("A", "world", "crank", a, Vec3::Y, "Hinge()")
        + &joint("B", "crank", "rod", b, Vec3::Y, "Hinge()")
        + &joint("C", "rod", "rocker", c, Vec3::Y, "Hinge()")
        + r#"(name: "D", b: "rocker", anchor_a: (1.1, 0.1, 0), anchor_b: (-0.45, 0, 0), axis_a: (0, 1, 0), axis_b: (0, 1, 0), kind: Hinge())"#;
    let found = findings(&scene(&bodies, &apart, ""));
    let loops: Vec<_> = found.iter().filter(|f| f.rule == Rule::Loop).collect();
    assert!(loops.len() == 1 && loops[0].severity == Severity::Warning, "{found:#?}");
    // A linkage that cannot be closed is no bifurcation, and ends that are a millimetre apart change nothing.
    assert!(found.iter().all(|f| f.rule != Rule::Singular), "{found:#?}");
    let near = apart.replace("(1.1, 0.1, 0)", "(1.101, 0, 0)");
    assert_eq!((only(&bodies, &near).freedom, only(&bodies, &near).lasting), (Some(1), Some(1)));
}

/// Sarrus' linkage: two legs of two bars, with hinges along y in one and along x in the other, guide a table
/// vertically. Kutzbach gives 6 (6 − 1 − 6) + 6 = 0.
#[test]
fn sarrus_linkage_moves_though_the_count_says_it_does_not() {
    let (low, high) = (0.0, 0.8);
    let (bend, foot) = (1.2, 0.5);
    let p = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let middle = (low + high) / 2.0;
    let bodies = bars(&[
        ("x low", p(foot, 0.0, low), p(bend, 0.0, middle)),
        ("x high", p(bend, 0.0, middle), p(foot, 0.0, high)),
        ("y low", p(0.0, foot, low), p(0.0, bend, middle)),
        ("y high", p(0.0, bend, middle), p(0.0, foot, high)),
    ]) + r#"(name: "table", shape: Box(half: (0.4, 0.4, 0.05)), at: (0, 0, 0.8), mass: 1, collide: false)"#;
    let joints: String = [
        joint("1", "world", "x low", p(foot, 0.0, low), Vec3::Y, "Hinge()"),
        joint("2", "x low", "x high", p(bend, 0.0, middle), Vec3::Y, "Hinge()"),
        joint("3", "x high", "table", p(foot, 0.0, high), Vec3::Y, "Hinge()"),
        joint("4", "world", "y low", p(0.0, foot, low), Vec3::X, "Hinge()"),
        joint("5", "y low", "y high", p(0.0, bend, middle), Vec3::X, "Hinge()"),
        joint("6", "y high", "table", p(0.0, foot, high), Vec3::X, "Hinge()"),
    ]
    .concat();
    let mechanism = only(&bodies, &joints);
    assert_eq!((mechanism.freedom, mechanism.lasting), (Some(1), Some(1)));
    // The table moves along z without rotating.
    let loaded = scene(&bodies, &joints, "");
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let case = DoctorCase::new(&loaded.flat, &world);
    let motions = motions::of(&case, &mechanism).expect("few enough");
    let table = motions[0].bodies.iter().find(|(id, ..)| *id == 5).expect("it moves");
    assert!(table.2.length() < 1e-4 * table.1.length() && table.1.truncate().length() < 1e-4 * table.1.z.abs());
}

/// A bar on three parallel cranks: equal ones can rotate; with a third one of another length or angle each of the two
/// loops alone could move, but not both together.
#[test]
fn loops_are_counted_all_together() {
    let p = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let on = |third: f32| {
        let bodies = bars(&[
            ("c1", p(0.0, 0.0), p(0.0, 1.0)),
            ("c2", p(1.0, 0.0), p(1.0, 1.0)),
            ("c3", p(2.0, 1.0 - third), p(2.0, 1.0)),
            ("bar", p(0.0, 1.0), p(2.0, 1.0)),
        ]);
        let mut joints = String::new();
        for (k, foot) in [(1, 0.0), (2, 0.0), (3, 1.0 - third)] {
            let (x, name) = (k as f32 - 1.0, format!("c{k}"));
            joints += &joint(&format!("foot {k}"), "world", &name, p(x, foot), Vec3::Y, "Hinge()");
            joints += &joint(&format!("head {k}"), &name, "bar", p(x, 1.0), Vec3::Y, "Hinge()");
        }
        only(&bodies, &joints)
    };
    assert_eq!((on(1.0).freedom, on(1.0).lasting), (Some(1), Some(1)));
    // If all cranks are vertical they move the bar sideways, whatever their lengths: an instantaneous motion only.
    let other = on(0.6);
    assert_eq!((other.freedom, other.lasting), (Some(1), Some(0)));
    assert!(other.words().starts_with("nothing can move"), "{}", other.words());
}

/// Two bars stretched between two points: each can rotate about itself; their middle has two instantaneous motions
/// sideways that cannot continue.
#[test]
fn a_chain_stretched_straight_moves_at_the_first_instant_only() {
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let chain = |sag: f32| {
        let bodies = bars(&[("left", at(0.0, 0.0), at(1.0, sag)), ("right", at(1.0, sag), at(2.0, 0.0))]);
        let joints = joint("1", "world", "left", at(0.0, 0.0), Vec3::Z, "BallSocket()")
            + &joint("2", "left", "right", at(1.0, sag), Vec3::Z, "BallSocket()")
            + &joint("3", "world", "right", at(2.0, 0.0), Vec3::Z, "BallSocket()");
        (only(&bodies, &joints), findings(&scene(&bodies, &joints, "")))
    };
    let (straight, found) = chain(0.0);
    assert_eq!((straight.freedom, straight.lasting), (Some(4), Some(2)));
    let singular = found.iter().find(|f| f.rule == Rule::Singular).expect("it is reported");
    assert!(
        singular.severity == Severity::Warning && singular.what.contains("2 ways that lead nowhere"),
        "{singular:?}"
    );
    // If it sags, it swings about the line between its ends, and each bar rotates about itself.
    let (slack, found) = chain(-0.4);
    assert_eq!((slack.freedom, slack.lasting), (Some(3), Some(3)));
    assert!(found.is_empty(), "{found:#?}");
}

/// A flat parallelogram: it can continue as a parallelogram or crossed.
#[test]
fn a_flat_parallelogram_stands_at_a_fork() {
    let p = |x: f32| Vec3::new(x, 0.0, 0.0);
    let (bodies, joints) = four_bar([p(0.0), p(0.7), p(2.3), p(1.6)], Vec3::ZERO, ["Hinge()"; 4]);
    let mechanism = only(&bodies, &joints);
    assert_eq!((mechanism.freedom, mechanism.lasting), (Some(2), Some(1)));
    assert_eq!(mechanism.words(), "1 degree of freedom, 2 at this instant");
    let found = findings(&scene(&bodies, &joints, ""));
    let fork = found.iter().find(|f| f.rule == Rule::Singular).expect("it is reported");
    assert!(fork.severity == Severity::Warning && fork.what.contains("dead centre"), "{fork:?}");
}

/// Stops of two joints in one motion: opposite to each other they prevent it, in the same direction they allow one
/// way out.
#[test]
fn stops_that_leave_no_motion() {
    let [a, b, c, d] = [0.0, 0.0, 2.0, 2.0].map(|x| Vec3::new(x, 0.0, 0.0));
    let square = [a, b + Vec3::Z, c + Vec3::Z, d];
    let limits = |one: &str, two: &str| {
        let (one, two) = (format!("Hinge(limit: {one})"), format!("Hinge(limit: {two})"));
        let (bodies, joints) = four_bar(square, Vec3::ZERO, [&one, "Hinge()", "Hinge()", &two]);
        (only(&bodies, &joints), findings(&scene(&bodies, &joints, "")))
    };
    let (open, found) = limits("(0, 1)", "(0, 1)");
    assert_eq!((open.freedom, open.stopped), (Some(1), 0));
    assert!(found.iter().all(|f| f.rule == Rule::Loop), "{found:#?}");
    let (shut, found) = limits("(0, 1)", "(-1, 0)");
    assert_eq!((shut.freedom, shut.stopped), (Some(1), 1));
    assert_eq!(shut.words(), "1 degree of freedom, but its stops leave none");
    let stops = found.iter().find(|f| f.rule == Rule::Stops).expect("it is reported");
    assert!(stops.what.starts_with("A and D are at stops"), "{}", stops.what);
}

/// A door on two hinges: it moves if both axes are the line through the hinges, and jams at the smallest
/// misalignment.
#[test]
fn hinges_that_lean_from_each_other_jam() {
    let door = r#"(name: "door", shape: Box(half: (0.45, 0.02, 1)), at: (0.45, 0, 0), mass: 20, collide: false)"#;
    let hung = |top: Vec3, bottom: Vec3, aside: f32| {
        joint("top", "world", "door", Vec3::new(0.0, 0.0, 0.7), top, "Hinge()")
            + &joint("bottom", "world", "door", Vec3::new(aside, 0.0, -0.9), bottom, "Hinge()")
    };
    let free = only(door, &hung(Vec3::Z, Vec3::Z, 0.0));
    assert_eq!((free.freedom, free.redundant), (Some(1), 5));
    for degrees in [0.1f32, 0.5, 0.8, 5.7, 12.0] {
        let lean = Vec3::new(0.0, degrees.to_radians().sin(), degrees.to_radians().cos());
        let joints = hung(Vec3::Z, lean, 0.0);
        assert_eq!(only(door, &joints).words(), "nothing can move");
        let found = findings(&scene(door, &joints, ""));
        assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Jam, Severity::Warning)]);
        let shown = if degrees < 1.0 {
            format!("{degrees:.3}°")
        } else if degrees < 10.0 {
            format!("{degrees:.2}°")
        } else {
            format!("{degrees:.1}°")
        };
        assert!(found[0].what.contains(&format!("the axes of top and bottom differ by {shown}")), "{}", found[0].what);
        let Some(Fix::Axis { joint: 1, axis }) = found[0].fix else { panic!("{found:#?}") };
        assert!(axis.distance(Vec3::Z) < 1e-5);
    }
    // Parallel, but 20 mm apart: both must be on the line through the hinges.
    let found = findings(&scene(door, &hung(Vec3::Z, Vec3::Z, 0.02), ""));
    assert!(found[0].rule == Rule::Jam && found[0].what.contains("20.0 mm apart"), "{found:#?}");
    // An angle of 40° is intended: the only finding is that nothing can move.
    let joints = hung(Vec3::Z, Vec3::new(0.64, 0.0, 0.77), 0.0);
    assert_eq!(only(door, &joints).words(), "nothing can move");
    assert!(findings(&scene(door, &joints, "")).iter().all(|f| f.rule == Rule::Loop && f.severity == Severity::Note));
}

/// A linkage with one axis tilted by two degrees; its motor is named as well.
#[test]
fn a_linkage_jams_by_one_axis() {
    let tilt = Vec3::new(2f32.to_radians().tan(), 0.0, 0.0);
    let motor = "Hinge(motor: (speed: 1, max_torque: 30))";
    let (bodies, joints) = four_bar(linkage(), tilt, [motor, "Hinge()", "Hinge()", "Hinge()"]);
    assert_eq!(only(&bodies, &joints).freedom, Some(0));
    let found = findings(&scene(&bodies, &joints, ""));
    assert_eq!(found.iter().map(|f| f.rule).collect::<Vec<_>>(), [Rule::Jam], "{found:#?}");
    assert!(found[0].what.contains("differ by 2.00°") && found[0].what.contains("The motor of A pushes"), "{found:#?}");
    assert!(matches!(found[0].fix, Some(Fix::Axis { joint: 2, .. })));
}

/// The rates of a four-bar's motion follow from its geometry: B and C have the same speed along the rod.
#[test]
fn a_linkage_s_motion_has_the_rates_of_its_geometry() {
    let points = linkage();
    let (bodies, joints) = four_bar(points, Vec3::ZERO, ["Hinge()"; 4]);
    let mechanism = only(&bodies, &joints);
    let loaded = scene(&bodies, &joints, "");
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let case = DoctorCase::new(&loaded.flat, &world);
    let all = motions::of(&case, &mechanism).expect("few enough");
    assert_eq!(all.len(), 1);
    assert!(all[0].words.contains("turns, and with it"), "{}", all[0].words);
    let spin = |id: u32| all[0].bodies.iter().find(|(body, ..)| *body == id).map_or(0.0, |(.., spin)| spin.y);
    let [a, b, c, d] = points;
    let along = |arm: Vec3| Vec3::Y.cross(arm).dot((c - b).normalize());
    let ratio = along(b - a) / along(c - d);
    assert!((spin(3) / spin(1) - ratio).abs() < 1e-4 * ratio.abs(), "{} for {ratio}", spin(3) / spin(1));

    // The path along the motion keeps every joint closed, in both directions.
    let way = motions::motion_path(&case, &mechanism, &all[0]);
    assert!(way.middle > 5 && way.poses.len() > way.middle + 5, "{}", way.poses.len());
    let mut moved = world.clone();
    for poses in &way.poses {
        for (id, (position, rotation)) in way.bodies.iter().zip(poses) {
            moved.place(*id, *position, *rotation);
        }
        moved.refresh_joints();
        for joint in &moved.state.joints {
            assert!(joint.readout.error < 2e-4 && joint.readout.angular_error < 2e-4, "{:?}", joint.readout);
        }
    }
}

/// The motions of a chain are those of its joints, one by one; those of a free body are translations and rotations.
#[test]
fn motions_are_told_apart() {
    let at = |x: f32| Vec3::new(x, 0.0, 0.0);
    let bodies = bars(&[("one", at(0.0), at(1.0)), ("two", at(1.0), at(2.0)), ("three", at(2.0), at(3.0))]);
    let joints = joint("first", "world", "one", at(0.0), Vec3::Z, "Hinge()")
        + &joint("second", "one", "two", at(1.0), Vec3::Z, "Hinge()")
        + &joint("third", "two", "three", at(2.0), Vec3::Z, "Hinge()");
    let loaded = scene(&bodies, &joints, "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let all = motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).expect("few enough");
    let mut words: Vec<&str> = all.iter().map(|m| m.words.as_str()).collect();
    words.sort_unstable();
    assert_eq!(words, ["first turns", "second turns", "third turns"]);
    // The bodies beyond a joint rotate along: one, two or three bodies move.
    let mut moving: Vec<usize> = all.iter().map(|m| m.bodies.len()).collect();
    moving.sort_unstable();
    assert_eq!(moving, [1, 2, 3]);

    let loaded = scene(r#"(name: "rock", shape: Box(half: (0.2, 0.3, 0.4)), at: (5, 1, 2), mass: 1)"#, "", "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let all = motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).expect("few enough");
    let words: Vec<&str> = all.iter().map(|m| m.words.as_str()).collect();
    let (shifts, turns) = (
        ["x", "y", "z"].map(|a| format!("rock shifts along {a}")),
        ["x", "y", "z"].map(|a| format!("rock turns about {a}")),
    );
    assert_eq!(words, [shifts, turns].concat());
}

/// A displayed motion ends at a stop.
#[test]
fn a_motion_s_way_ends_at_a_stop() {
    let bodies = bars(&[("arm", Vec3::ZERO, Vec3::X)]);
    let kind = "Hinge(limit: (Degrees(-3), Degrees(80)))";
    let loaded = scene(&bodies, &joint("pin", "world", "arm", Vec3::ZERO, Vec3::Y, kind), "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let case = DoctorCase::new(&loaded.flat, &world);
    let motion = &motions::of(&case, &seen.mechanisms[0]).expect("few enough")[0];
    let way = motions::motion_path(&case, &seen.mechanisms[0], motion);
    let (before, after) = (way.middle, way.poses.len() - 1 - way.middle);
    assert!(before.min(after) < 4 && before.max(after) == 12, "{before} {after}");
}

/// Telling the motions of a chain apart takes the fourth power of its length.
#[test]
fn motions_of_a_long_chain_are_refused() {
    let chain = |count: usize| {
        let at = |k: usize| Vec3::new(k as f32, 0.0, 0.0);
        let name = |k: usize| if k == 0 { "world".to_owned() } else { format!("bar {k}") };
        let names: Vec<String> = (0..=count).map(name).collect();
        let ends: Vec<_> = (1..=count).map(|k| (names[k].as_str(), at(k - 1), at(k))).collect();
        let link = |k: usize| joint(&format!("j{k}"), &names[k - 1], &names[k], at(k - 1), Vec3::Z, "BallSocket");
        scene(&bars(&ends), &(1..=count).map(link).collect::<String>(), "")
    };
    let found = |count: usize| {
        let (loaded, seen) = (chain(count), examined(&chain(count)));
        let world = loaded.flat.world(loaded.scene.settings.settings());
        assert!(motions::can_compute(&seen.mechanisms[0]));
        motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).map(|motions| motions.len())
    };
    assert_eq!(found(6), Some(18));
    assert_eq!(found(140), None);
}
