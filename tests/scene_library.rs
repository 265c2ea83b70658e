//! Every scene of the library is right, comes back equal from saving, and builds.

use std::path::Path;

use delassus::scene;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scenes"))
}

/// All scene files, parts included.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else if entry.path().extension().is_some_and(|e| e == "ron") {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

fn lines(mistakes: Vec<scene::Mistake>) -> String {
    mistakes.iter().map(|m| format!("{m}\n")).collect()
}

/// A change of the format, or of a scene by hand, is followed by `DELASSUS_TIDY=1 cargo test --test scene_library`,
/// which rewrites the files as saving would.
#[test]
fn every_scene_reads_and_comes_back_from_saving() {
    let tidy = std::env::var_os("DELASSUS_TIDY").is_some();
    let files = files(root());
    assert!(files.len() > 20, "{files:?}");
    for path in files {
        let loaded = scene::read(&path).map_err(lines).unwrap_or_else(|m| panic!("{m}"));
        let text = scene::write(&loaded.scene);
        let again = scene::read_str(&text, &path.to_string_lossy()).map_err(lines);
        let again = again.unwrap_or_else(|m| panic!("{m}\n{text}")).scene;
        assert_eq!(loaded.scene, again, "{}", path.display());
        assert_eq!(text, scene::write(&again), "{}", path.display());
        assert!(text.lines().all(|l| l.chars().count() <= 120), "{}:\n{text}", path.display());
        if tidy {
            scene::save(&path, &loaded.scene).unwrap();
        }
        let file = std::fs::read_to_string(&path).unwrap();
        assert_eq!(file, text, "{} is not as saving writes it", path.display());
    }
}
