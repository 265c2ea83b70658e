//! Models with a mistake: each is an error with the file and the line, and none panics.

use delassus_import::Options;

use super::read;

/// A robot with one moving link, in which a piece is replaced.
const ROBOT: &str = r#"<robot name="r">
<link name="a"/>
<link name="b">
<inertial><origin xyz="0 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><box size="1 1 1"/></geometry></collision>
</link>
<joint name="j" type="revolute">
<parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
</joint>
</robot>"#;

const MODEL: &str = r#"<mujoco>
<compiler angle="degree"/>
<worldbody>
<body name="a">
<joint name="j" type="hinge" axis="0 1 0" range="-10 10"/>
<geom type="box" size="1 1 1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
</body>
</worldbody>
<actuator><position joint="j"/></actuator>
<equality><connect body1="a" anchor="0 0 0"/></equality>
</mujoco>"#;

#[test]
fn every_mistake_has_its_line() {
    for (text, from, to, line, said) in [
        (ROBOT, "</robot>", "", 1, "never closed"),
        (ROBOT, "<link name=\"a\"/>", "<link name=\"a\"", 3, "not XML"),
        (ROBOT, "robot", "person", 1, "not a robot description"),
        (ROBOT, "<link name=\"a\"/>", "", 7, "no link is called `a`"),
        (ROBOT, "<link name=\"a\"/>", "<link/>", 2, "`name` is missing"),
        (ROBOT, "<link name=\"a\"/>", "<link name=\"b\"/>", 3, "a second link"),
        (ROBOT, "parent link=\"a\"", "parent link=\"b\"", 7, "to itself"),
        (ROBOT, "<child link=\"b\"/>", "", 7, "<child> is missing"),
        (ROBOT, "<mass value=\"1\"/>", "<mass value=\"-1\"/>", 4, "must not be negative"),
        (ROBOT, "<mass value=\"1\"/>", "<mass value=\"NaN\"/>", 4, "must be finite"),
        (ROBOT, "<mass value=\"1\"/>", "<mass value=\"heavy\"/>", 4, "must be a number"),
        (ROBOT, "origin xyz=\"0 0 0\"", "origin xyz=\"0 0\"", 4, "three numbers"),
        (ROBOT, "size=\"1 1 1\"", "size=\"1 -1 1\"", 5, "above 0"),
        (ROBOT, "type=\"revolute\"", "type=\"elastic\"", 7, "no joint of the type `elastic`"),
        (ROBOT, "xyz=\"0 0 1\"", "xyz=\"0 0 0\"", 7, "axis must not be zero"),
        (ROBOT, "lower=\"-1\"", "lower=\"2\"", 7, "above the upper"),
        (ROBOT, "<axis", "<mimic joint=\"x\"/><axis", 9, "no joint is called `x`"),
        (ROBOT, "</robot>", "<link name=\"c\"/></robot>", 11, "a second root"),
        (ROBOT, "<robot name=\"r\">", "<robot name=\"r\"><xacro:macro/>", 1, "xacro"),
        (MODEL, "degree", "grad", 2, "degree or radian"),
        (MODEL, "hinge", "spring", 5, "not `spring`"),
        (MODEL, "axis=\"0 1 0\"", "axis=\"0 0 0\"", 5, "axis must not be zero"),
        (MODEL, "range=\"-10 10\"", "limited=\"true\" range=\"10 -10\"", 5, "not below the second"),
        (MODEL, "size=\"1 1 1\"", "size=\"1 1\"", 6, "`size` of a box"),
        (MODEL, "size=\"1 1 1\"", "size=\"1 inf 1\"", 6, "must be finite"),
        (MODEL, "type=\"box\"", "type=\"mesh\" mesh=\"m\"", 6, "no mesh is called `m`"),
        (MODEL, "type=\"box\"", "class=\"c\"", 6, "no default class"),
        (MODEL, "mass=\"1\"", "mass=\"-2\"", 7, "must not be negative"),
        (MODEL, "joint=\"j\"", "joint=\"x\"", 10, "no joint is called `x`"),
        (MODEL, "body1=\"a\"", "body1=\"x\"", 11, "no body is called `x`"),
        (MODEL, "</body>", "</body><body name=\"a\"/>", 8, "a second body"),
        (MODEL, "worldbody", "world", 1, "no <worldbody>"),
        (MODEL, "type=\"hinge\"", "type=\"free\"/><joint", 5, "the only one"),
    ] {
        assert!(text.contains(from), "{from}");
        let mistake = read(&text.replace(from, to), &Options::default()).expect_err(to);
        let shown = mistake.to_string();
        assert_eq!(mistake.line, line, "{to}: {shown}");
        assert!(shown.starts_with(&format!("models/model.xml:{line}:")) && shown.contains(said), "{to}: {shown}");
    }
}

/// Every prefix of a model, and every model without one of its characters, is read or refused.
#[test]
fn no_text_panics() {
    for text in [ROBOT, MODEL] {
        for end in 0..text.len() {
            let _ = read(&text[..end], &Options::default());
            let without = format!("{}{}", &text[..end], &text[end + 1..]);
            if let Ok(imported) = read(&without, &Options::default()) {
                // What is read is a scene without mistakes.
                let written = imported.text();
                assert!(delassus_scene::read_str(&written, "x").is_ok(), "{without}\n{written}");
            }
        }
    }
}

#[test]
fn no_depth_of_nesting_fills_the_stack() {
    let nested = |tag: &str, attributes: &str, inside: &str| {
        let [open, close] = [format!("<{tag} {attributes}>"), format!("</{tag}>")];
        format!("{}{inside}{}", open.repeat(2000), close.repeat(2000))
    };
    let geom = r#"<geom type="sphere" size="1"/>"#;
    let world = |inside: &str| format!("<mujoco><worldbody>{inside}</worldbody></mujoco>");
    // Bodies without a joint are one with the body around them: a sphere that stands still.
    let bodies = read(&world(&nested("body", "", geom)), &Options::default()).expect("bodies");
    assert_eq!(bodies.scene.bodies.len(), 1);
    let frames = read(&world(&nested("frame", r#"pos="0 0 0.001""#, geom)), &Options::default()).expect("frames");
    assert_eq!(frames.scene.bodies.len(), 1);
    let classes =
        (0..2000).map(|i| format!("<default class=\"{i}\">")).collect::<String>() + &"</default>".repeat(2000);
    let body = r#"<body><geom class="1999" type="sphere" size="1"/></body>"#;
    let text = format!("<mujoco><default>{classes}</default><worldbody>{body}</worldbody></mujoco>");
    assert_eq!(read(&text, &Options::default()).expect("classes").scene.bodies.len(), 1);
}

#[test]
fn a_keyframe_that_is_not_there_is_a_mistake() {
    let options = Options { key: Some("home".into()), ..Options::default() };
    let mistake = read(MODEL, &options).expect_err("no keyframe");
    assert!(mistake.what.contains("no keyframe is called `home`"), "{mistake}");
    let short = MODEL.replace("</mujoco>", r#"<keyframe><key name="home" qpos="0 0"/></keyframe></mujoco>"#);
    let mistake = read(&short, &options).expect_err("two numbers for one joint");
    assert!(mistake.what.contains("has 2 numbers, not 1"), "{mistake}");
}
