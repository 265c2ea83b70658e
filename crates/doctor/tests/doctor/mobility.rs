//! Degrees of freedom of mechanisms, compared with Kutzbach's formula where it holds, and with known linkages where
//! it does not.

use delassus_doctor::motions;
use delassus_doctor::{DoctorCase, Mechanism, Rule, Severity};
use glam::Vec3;

use super::linkages::{bars, four_bar, joint, linkage};
use super::{examined, findings, scene};

fn mechanisms(bodies: &str, joints: &str) -> Vec<Mechanism> {
    examined(&scene(bodies, joints, "")).mechanisms
}

pub fn only(bodies: &str, joints: &str) -> Mechanism {
    let mut all = mechanisms(bodies, joints);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
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
