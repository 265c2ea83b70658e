//! `delassus export`: a scene in the format of another program.

use super::{Folder, err};

#[test]
fn a_scene_is_written_as_a_model_and_says_what_has_no_counterpart() {
    let folder = Folder::new();
    let output = folder.run(&["export", "scene.ron", "--to", "mjcf", "--out", "scene.xml"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "scene.xml: 2 bodies, 1 joints, 1 notes\n");
    assert!(err(&output).starts_with("scene.ron: settings: gravity is taken"), "{}", err(&output));
    let model = folder.read("scene.xml");
    assert!(model.starts_with("<!--\n  Two boxes as exported by delassus.\n"), "{model}");
    assert!(
        model.contains("  - settings: gravity is taken") && model.contains("<joint name=\"post-bob\" type=\"hinge\"")
    );
    // Without a file the model is printed, and the import reads it.
    assert_eq!(folder.out(&["export", "scene.ron", "--to", "mjcf"]), model);
    folder.out(&["import", "scene.xml", "--key", "start", "--out", "back.ron"]);
    assert!(folder.out(&["check", "back.ron"]).contains("2 bodies, 1 joints, no mistakes"));
}

#[test]
fn settings_and_fields_are_changed_first() {
    let folder = Folder::new();
    let changes = ["--set", "step.gravity=0,0,-1.62", "--set", "bodies.bob.mass=7", "--set", "contact.enabled=false"];
    let model = folder.out(&[&["export", "scene.ron", "--to", "mjcf"], changes.as_slice()].concat());
    for words in ["gravity=\"0 0 -1.62\"", "mass=\"7\"", "<flag contact=\"disable\"/>"] {
        assert!(model.contains(words), "{words}\n{model}");
    }
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let folder = Folder::new();
    assert!(folder.refused(&["export", "absent.ron", "--to", "mjcf"], 1).contains("absent.ron"));
    assert!(folder.refused(&["export", "scene.ron", "--to", "sdf"], 2).contains("mjcf"));
    assert!(folder.refused(&["export", "scene.ron"], 2).contains("--to"));
    // The scene itself is never overwritten.
    let said = folder.refused(&["export", "scene.ron", "--to", "mjcf", "--out", "scene.ron"], 2);
    assert!(said.contains("would be overwritten"), "{said}");
}
