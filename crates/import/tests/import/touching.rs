//! MJCF: what touches in the pose of the file, and with which friction.

use std::time::{Duration, Instant};

use delassus_import::{Imported, Options};
use delassus_physics::settings::Mix;
use delassus_physics::shape::Shape;
use glam::Vec3;

use super::{body, imported, notes_say, read};

fn model(content: &str) -> String {
    format!("<mujoco><worldbody>{content}</worldbody></mujoco>")
}

fn touch(found: &Imported, a: &str, b: &str) -> bool {
    let (a, b) = (body(found, a), body(found, b));
    a.groups.meets(b.mask) && b.groups.meets(a.mask)
}

/// Boxes of 0.2 m and wheels at heights around that at which they touch: 10 mm above, exactly on, 1 µm and 20 mm inside
/// the floor. All of them keep it. One that is half in it is built in.
#[test]
fn what_stands_on_a_floor_or_dips_into_it_keeps_it() {
    let ways = [("above", 0.01), ("on", 0.0), ("micro", -1e-6), ("dips", -0.02), ("half", -0.1)];
    let boxes = ways.map(|(name, gap)| {
        let x = 30.0 * gap;
        format!(
            r#"<body name="{name}" pos="{x} 0 {0}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
            <body name="{name} wheel" pos="{x} 5 {0}" euler="90 0 0"><freejoint/><geom type="cylinder" size=".1 .1"/></body>"#,
            0.1 + gap
        )
    });
    for floor in [r#"type="plane" size="100 100 1""#, r#"type="box" size="100 100 10" pos="0 0 -10""#] {
        let found = imported(&model(&format!(r#"<geom name="floor" {floor}/>{}"#, boxes.concat())));
        for (name, _) in ways {
            for name in [name.to_owned(), format!("{name} wheel")] {
                assert_eq!(touch(&found, &name, "floor"), !name.starts_with("half"), "{name} {floor}");
            }
        }
        let words =
            ["`floor` and `half`", "overlap by 100.0 mm", "more than 25 % of the thickness of `half`, 200.0 mm"];
        assert!(notes_say(&found, &words), "{:#?}", found.notes);
        assert!(!notes_say(&found, &["`floor` and `dips`"]));
    }
}

/// What is hinged to the world touches the world's shapes, as in MuJoCo, unless it is built into them.
#[test]
fn a_body_hinged_to_the_world_touches_the_floor_but_not_its_own_foot() {
    let found = imported(&model(
        r#"<geom name="floor" type="plane" size="1 1 1"/>
        <body name="pendulum" pos="0 0 .3"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/></body>
        <body name="base" pos="3 0 .1"><geom name="foot" type="box" size=".1 .1 .1"/>
          <body name="arm"><joint axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body></body>"#,
    ));
    assert!(touch(&found, "pendulum", "floor") && touch(&found, "arm", "floor") && !touch(&found, "arm", "foot"));
}

/// The shapes of a URDF's `world` are its surroundings: what moves touches them, though its links do not touch each other.
#[test]
fn the_links_of_a_urdf_touch_the_shapes_of_its_world() {
    let link = |name: &str, z: f64| {
        let mass =
            r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;
        let ball = r#"<collision><geometry><sphere radius=".1"/></geometry></collision>"#;
        format!(
            r#"<link name="{name}">{mass}{ball}</link><joint name="of {name}" type="continuous"><parent link="world"/>
            <child link="{name}"/><origin xyz="0 0 {z}"/><axis xyz="0 1 0"/></joint>"#
        )
    };
    let floor = r#"<collision><origin xyz="0 0 -.5"/><geometry><box size="9 9 1"/></geometry></collision>"#;
    let seen = r#"<visual><geometry><box size="1 1 1"/></geometry></visual>"#;
    let found = imported(&format!(
        r#"<robot name="r"><link name="world">{floor}{seen}</link>{}{}{}</robot>"#,
        link("a", 0.3),
        link("b", 0.6),
        link("sunk", 0.0)
    ));
    assert!(touch(&found, "a", "world link") && touch(&found, "b", "world link") && !touch(&found, "a", "b"));
    assert!(!touch(&found, "sunk", "world link") && found.scene.bodies.len() == 4);
}

/// Two moving balls of 0.2 m: 5 % of that is 10 mm.
#[test]
fn moving_bodies_that_overlap_a_little_still_touch() {
    let ball =
        |name: &str, x: f64| format!(r#"<body name="{name}" pos="{x} 0 1"><freejoint/><geom size=".1"/></body>"#);
    let found = imported(&model(&[ball("a", 0.0), ball("b", 0.191), ball("c", 1.0), ball("d", 1.189)].concat()));
    assert!(touch(&found, "a", "b") && !touch(&found, "c", "d"));
    assert!(notes_say(&found, &["`c` and `d`", "overlap by 11.0 mm", "5 %", "200.0 mm"]), "{:#?}", found.notes);
}

/// More different relations than there are groups: eleven triples of bits, each of which touches itself and the next.
#[test]
fn the_floor_stays_where_the_groups_do_not_suffice() {
    let ring = (0..31).map(|i| {
        let (own, next) = (1u32 << i, 1u32 << ((i + 1) % 31));
        let bits = format!(r#"contype="{own}" conaffinity="{next}""#);
        format!(r#"<body name="b{i}" pos="{i} 0 1"><freejoint/><geom size=".1" {bits}/></body>"#)
    });
    let floor = r#"<geom name="floor" type="plane" size="1 1 1" contype="2147483647" conaffinity="2147483647"/>"#;
    let found = imported(&model(&(floor.to_owned() + &ring.collect::<String>())));
    assert!((0..31).all(|i| touch(&found, &format!("b{i}"), "floor")));
    assert!(!touch(&found, "b3", "b4") && notes_say(&found, &["no two moving ones touch each other"]));
}

/// MuJoCo takes the larger coefficient of friction of a pair; URDF says nothing about it.
#[test]
fn the_larger_friction_of_two_bodies_counts_in_mjcf() {
    assert_eq!(imported(&model("")).scene.settings.contact.mix, Some(Mix::Most));
    assert_eq!(imported(r#"<robot name="r"><link name="a"/></robot>"#).scene.settings.contact.mix, None);
}

/// `size` of a plane is for drawing: every plane is the same floor.
#[test]
fn planes_have_no_end_whatever_their_size() {
    let found = imported(&model(
        r#"<geom name="a" type="plane" size="2 3 1"/><geom name="b" type="plane" size="0 0 1" pos="0 0 -3"/>"#,
    ));
    for (name, z) in [("a", -0.5), ("b", -3.5)] {
        assert_eq!(body(&found, name).shape, Shape::Box { half: Vec3::new(20.0, 20.0, 0.5) });
        assert_eq!(body(&found, name).at, Vec3::new(0.0, 0.0, z));
    }
}

/// A pair has the larger `condim` and the larger friction of its two shapes: with 0 for `condim="1"`, a pair of them is
/// frictionless, and any other has the friction of the other. A larger friction of its own counts against others.
#[test]
fn condim_1_is_frictionless() {
    let found = |own: f64| {
        imported(&format!(
            r#"<mujoco><default><default class="ice"><geom condim="1" friction="{own}"/></default></default><worldbody>
            <body name="a"><freejoint/><geom class="ice" size=".1"/></body>
            <body name="b" pos="1 0 0"><freejoint/><geom condim="3" size=".1" friction=".7"/></body></worldbody></mujoco>"#
        ))
    };
    let frictions = |found: &Imported| [body(found, "a").friction, body(found, "b").friction];
    assert_eq!(frictions(&found(0.7)), [Some(0.0), Some(0.7)]);
    assert!(notes_say(&found(0.7), &["condim", "is frictionless"]));
    assert_eq!(frictions(&found(2.0)), [Some(2.0), Some(0.7)]);
    assert!(notes_say(&found(2.0), &["condim", "keeps its friction"]));
}

/// Shapes that touch nothing by their bits touch as a `pair` says.
#[test]
fn a_pair_makes_two_bodies_touch() {
    let found = imported(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" contype="0" conaffinity="0"/>
        <body name="a" pos="0 0 1"><freejoint/><geom name="g" size=".1" contype="0" conaffinity="0"/></body>
        <body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
        <contact><pair geom1="floor" geom2="g" friction="2 2 0 0 0"/></contact></mujoco>"#,
    );
    assert!(body(&found, "a").collide && touch(&found, "a", "floor"));
    assert!(!touch(&found, "a", "b") && !touch(&found, "b", "floor"));
    assert!(notes_say(&found, &["<pair>", "touch"]) && notes_say(&found, &["`friction` of <pair>"]));
    let wrong = r#"<mujoco><worldbody/><contact><pair geom1="x" geom2="y"/></contact></mujoco>"#;
    assert!(read(wrong, &Options::default()).unwrap_err().what.contains("no geom is called `x`"));
}

/// Thousands of bodies, and hundreds within each other, once took minutes; now well below a second.
#[test]
fn large_models_are_read_in_seconds() {
    let start = Instant::now();
    let many: String =
        (0..4000).map(|i| format!("<body pos=\"{i} 0 1\"><freejoint/><geom size=\".1\"/></body>\n")).collect();
    assert_eq!(read(&model(&many), &Options::default()).unwrap().scene.bodies.len(), 4000);
    let link = r#"<body pos="0.01 0 0"><joint axis="0 1 0"/><geom size=".01"/>"#;
    let deep = model(&(link.repeat(800) + &"</body>".repeat(800)));
    assert_eq!(read(&deep, &Options::default()).unwrap().scene.joints.len(), 800);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
