//! `delassus import`: a robot description as a scene.

use super::{Folder, err};

const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.2" izz="0.2"/></inertial>
    <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>
  </link>
  <joint name="pivot" type="continuous">
    <origin xyz="0 0 1"/><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
  </joint>
  <gazebo/>
</robot>"#;

#[test]
fn an_imported_scene_runs_and_says_what_was_left_out() {
    let folder = Folder::new();
    folder.write("arm.urdf", ARM);
    let output = folder.run(&["import", "arm.urdf", "--out", "arm.ron"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "arm.ron: 1 bodies, 1 joints, 2 notes\n");
    let said = err(&output);
    assert!(said.contains("arm.urdf: line 10: <gazebo> of <robot>: is for the simulator Gazebo\n"), "{said}");
    // The notes are kept in the file, which is written as saving writes it.
    let scene = folder.read("arm.ron");
    assert!(scene.starts_with("// Imported from arm.urdf.") && scene.contains("// - line 10: <gazebo>"), "{scene}");
    assert!(folder.out(&["check", "arm.ron"]).contains("1 bodies, 1 joints, no mistakes"));
    folder.out(&["run", "arm.ron", "--steps", "60", "--fail-if", "joint_error_max > 1e-4"]);
    // Without a file the scene is printed.
    assert_eq!(folder.out(&["import", "arm.urdf"]), scene);
}

#[test]
fn options_fix_free_and_hold_the_model() {
    let folder = Folder::new();
    folder.write("arm.urdf", ARM);
    assert!(folder.out(&["import", "arm.urdf", "--free"]).contains("name: \"floor\""));
    // J ω² with J = 0.2 + 2 · 0.5² kg·m² and ω = 10 π/s.
    let held = folder.out(&["import", "arm.urdf", "--hold", "5"]);
    assert!(held.contains("servo: (stiffness: 690.87"), "{held}");
    assert!(!folder.out(&["import", "arm.urdf", "--fixed"]).contains("floor"));
    folder.refused(&["import", "arm.urdf", "--free", "--fixed"], 2);
    folder.refused(&["import", "arm.urdf", "--hold", "0"], 2);
}

#[test]
fn a_broken_model_writes_nothing_and_names_the_line() {
    let folder = Folder::new();
    folder.write("arm.urdf", &ARM.replace("\"2\"", "\"-2\""));
    let said = folder.refused(&["import", "arm.urdf", "--out", "arm.ron"], 1);
    assert!(said.starts_with("arm.urdf:4:1: link `rod`: the mass must not be negative"), "{said}");
    assert!(!folder.path("arm.ron").exists());
    assert!(folder.refused(&["import", "absent.urdf"], 1).contains("absent.urdf"));
    // The model itself is never overwritten.
    folder.write("arm.urdf", ARM);
    assert!(folder.refused(&["import", "arm.urdf", "--out", "arm.urdf"], 2).contains("would be overwritten"));
}
