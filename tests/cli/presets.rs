//! Presets on the command line.

use super::Folder;
use delassus::physics::preset::Preset;

/// docs/presets.md is the program's own output.
#[test]
fn the_document_of_the_presets_is_the_programs_own() {
    let folder = Folder::new();
    let printed = folder.out(&["presets", "--markdown"]);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/presets.md");
    let document = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(document, printed, "write `delassus presets --markdown` to {}", file.display());
    let list = folder.out(&["presets"]);
    for preset in Preset::all() {
        assert!(list.contains(&format!("{}: ", preset.name())), "{}", preset.name());
    }
}

/// `--preset` is what a scene gets that names the preset; settings of `--set` win over it.
#[test]
fn a_preset_of_the_command_line_is_that_of_a_scene() {
    let folder = Folder::new();
    let scene = |name: &str, settings: &str| {
        let floor = "(name: \"floor\", motion: Static, shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5))";
        let bodies = format!("bodies: [{floor}, (name: \"box\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.6))]");
        folder.write(name, &format!("(version: 1, title: \"t\", {settings}{bodies})"));
    };
    scene("plain.ron", "");
    scene("rapier.ron", "settings: (preset: Rapier), ");
    let hash = |arguments: &[&str]| {
        let out = folder.out(arguments);
        out.lines().find(|line| line.starts_with("state hash")).map(str::to_owned).expect("a hash")
    };
    let of_file = hash(&["run", "rapier.ron", "--steps", "40"]);
    assert_eq!(hash(&["run", "plain.ron", "--steps", "40", "--preset", "rapier"]), of_file);
    assert_ne!(hash(&["run", "plain.ron", "--steps", "40"]), of_file);
    let one = ["run", "plain.ron", "--steps", "40", "--preset", "Rapier", "--set", "step.substeps=1"];
    assert_ne!(hash(&one), of_file);
    let said = folder.refused(&["run", "plain.ron", "--preset", "Rapir"], 2);
    assert!(said.contains("Rapier"), "{said}");
    let said = folder.refused(&["run", "plain.ron", "--set", "preset=Rapier"], 2);
    assert!(said.contains("--preset Rapier"), "{said}");
}
