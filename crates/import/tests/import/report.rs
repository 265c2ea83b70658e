//! Nothing is left out in silence: whatever the reader does not know is in the report, with its line.

use super::{imported, notes_say};

#[test]
fn unknown_elements_and_attributes_are_told_and_counted() {
    let text = r#"<robot name="r">
  <link name="world"/>
  <link name="a" colour="red">
    <inertial><mass value="1" unit="kg"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
    <visual><geometry><sphere radius="1"/></geometry><material name="blue"/></visual>
    <glue strength="3"/>
  </link>
  <joint name="j" type="continuous"><parent link="world"/><child link="a"/><wobble/></joint>
  <gazebo reference="a"/>
  <gazebo/>
  <transmission name="t"><type>x</type></transmission>
  <dance><step/></dance>
</robot>"#;
    let robot = imported(text);
    for words in [
        &["line 3", "attribute `colour` of <link>"][..],
        &["line 4", "attribute `unit` of <mass>"],
        &["line 5", "<material> of <visual>", "looks"],
        &["line 6", "<glue> of <link>", "left out"],
        &["line 8", "<wobble> of <joint>"],
        &["line 9", "<gazebo> of <robot> (2 times", "Gazebo"],
        &["line 11", "<transmission>"],
        &["line 12", "<dance> of <robot>"],
    ] {
        assert!(notes_say(&robot, words), "{words:?}: {:#?}", robot.notes);
    }
    // What is within an element that is left out is reported with it.
    assert!(!notes_say(&robot, &["<step>"]));
    let text = robot.text();
    assert!(text.starts_with("// Imported from model.xml. What was changed or left out:\n// - "), "{text}");
    assert!(text.contains("// - line 12: <dance> of <robot>: has no counterpart and is left out\n"), "{text}");
}

#[test]
fn the_same_holds_for_mjcf() {
    let text = r#"<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <light/>
    <body name="a"><freejoint/><geom size="0.1" rgba="1 0 0 1" solref="1 1"/><site/><site/></body>
    <replicate count="3"><geom size="0.1"/></replicate>
  </worldbody>
  <tendon><spatial/></tendon>
  <sensor><gyro site="s"/></sensor>
  <keyframe><key/></keyframe>
  <party/>
</mujoco>"#;
    let model = imported(text);
    for words in [
        &["line 2", "attribute `timestep` of <option>"][..],
        &["line 4", "<light> of <worldbody>", "looks"],
        &["line 5", "attribute `rgba` of <geom>"],
        &["line 5", "attribute `solref` of <geom>"],
        &["line 5", "<site> of <body> (2 times"],
        &["line 6", "<replicate>", "not supported"],
        &["line 8", "<tendon>"],
        &["line 9", "sensors `gyro`", "left out"],
        &["line 10", "<keyframe>", "--key"],
        &["line 11", "<party>"],
    ] {
        assert!(notes_say(&model, words), "{words:?}: {:#?}", model.notes);
    }
}
