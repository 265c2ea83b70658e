//! Every scene of the library is correct, is unchanged by saving and reading again, and can be built.

use std::path::Path;

use delassus_scene as scene;
use delassus_session::{Command, Quantity, Session};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes"))
}

/// All scene files, parts included.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        // Lessons are not scenes: see `scene::lesson`.
        if entry.file_name() == "lessons" {
            continue;
        }
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

/// After a change of the format, or of a scene by hand, `DELASSUS_TIDY=1 cargo test -p delassus-session --test library`
/// rewrites the files as saving would.
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
            scene::save(&path, &text).unwrap();
        }
        let file = std::fs::read_to_string(&path).unwrap();
        assert_eq!(file, text, "{} is not as saving writes it", path.display());
    }
}

/// The form of a mover without numbers keeps its brackets when saved: only the kind of a joint may be written without
/// them.
#[test]
fn a_mover_without_numbers_comes_back_from_saving() {
    let text = r#"(version: 1, title: "Still", bodies: [(name: "a", shape: Sphere(radius: 1), motion: Kinematic,
        mover: Constant(angular_velocity: (0, 0, 0)))])"#;
    let known = scene::read_str(text, "still.ron").map_err(lines).expect("the scene is right").scene;
    let written = scene::write(&known);
    let again = scene::read_str(&written, "still.ron").map_err(lines).unwrap_or_else(|m| panic!("{m}{written}"));
    assert_eq!(again.scene, known, "{written}");
}

/// The library's list is complete, sorted, and leaves out the parts.
#[test]
fn the_library_lists_what_there_is() {
    let entries = scene::library(root());
    let ids: Vec<_> = entries.iter().map(|e| e.id.as_str()).collect();
    assert!(ids.is_sorted());
    assert!(ids.contains(&"book/09-chain") && !ids.iter().any(|id| id.starts_with("parts/")), "{ids:?}");
    let chain = entries.iter().find(|e| e.id == "book/09-chain").unwrap();
    assert_eq!((chain.title.as_str(), chain.source.as_str(), chain.folder()), ("Chain", "004 ch. 9–11", "book"));
    assert!(entries.iter().all(|e| e.mistake.is_none() && !e.about.is_empty()));
}

/// A broken file, or one that is not text, is listed with its mistake.
#[test]
fn the_library_bears_broken_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.ron"), "(version: 1, title: \"A\"").unwrap();
    std::fs::write(folder.path().join("b.ron"), [0xff, 0xfe]).unwrap();
    std::fs::write(folder.path().join("c.ron"), "(version: 1, title: \"C\")").unwrap();
    std::fs::create_dir(folder.path().join("d.ron")).unwrap();
    let entries = scene::library(folder.path());
    let heads: Vec<_> = entries.iter().map(|e| (e.id.as_str(), e.title.as_str(), e.mistake.is_some())).collect();
    assert_eq!(heads, [("a", "a", true), ("b", "b", true), ("c", "C", false)]);
    assert!(entries[0].mistake.as_ref().unwrap().contains("the `(` at line 1, column 1 is not closed"));
    assert!(scene::library(&folder.path().join("none")).is_empty());
}

/// The number of bodies is known without expanding a scene, and equals the number after expanding it. The million
/// beads of 001 are the only large scene, and it is correct.
#[test]
fn bodies_are_counted_without_laying_a_scene_out() {
    let mut large = Vec::new();
    for entry in scene::library(root()) {
        let counted = entry.bodies().expect("a scene of the library is right");
        if counted > scene::library::LARGE {
            large.push((entry.id, counted));
            continue;
        }
        let loaded = scene::read(&entry.path).map_err(lines).unwrap();
        let of_parts = |origin: &scene::Origin| matches!(origin, scene::Origin::Part(_));
        let parts = loaded.flat.bodies.iter().filter(|body| of_parts(&body.origin)).count() as u64;
        let of_grid = |pattern: &scene::Pattern| matches!(pattern, scene::Pattern::Grid(grid) if matches!(grid.of, scene::Content::Part(_)));
        if !loaded.scene.patterns.iter().any(of_grid) {
            assert_eq!(counted + parts, loaded.flat.bodies.len() as u64, "{}", entry.id);
        }
    }
    assert_eq!(large, [("jacobi/04-chains-25000".to_owned(), 1_000_000)]);
}

/// Every scene runs, stays finite and keeps its joints closed; large scenes run for a few steps only.
#[test]
fn every_scene_runs() {
    for entry in scene::library::ordinary(root()) {
        let loaded = scene::read(&entry.path).map_err(lines).unwrap();
        let settings = loaded.scene.settings.settings();
        let mut world = loaded.flat.world(settings);
        assert_eq!(world.state.bodies.len(), loaded.flat.bodies.len() + 1);
        let many = loaded.flat.bodies.len() > 200;
        let steps = if many { 2 } else { (2.0 * settings.step.rate) as usize };
        let (mut worst, mut at) = (0.0_f32, 0);
        for step in 0..steps {
            world.step();
            let error = world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max);
            if error > worst {
                (worst, at) = (error, step);
            }
        }
        let finite = world.state.bodies.iter().all(|b| b.position.is_finite() && b.rotation.is_finite());
        println!(
            "{}: {} bodies, {} joints, error {worst:.4} at {at}",
            entry.id,
            world.state.bodies.len(),
            world.state.joints.len()
        );
        assert!(finite, "{}", entry.id);
        assert!(worst < 0.15, "{}: joint error {worst} m at step {at}", entry.id);
    }
}

/// A scene is found by its id, with and without the number used for sorting.
#[test]
fn scenes_are_found_by_id() {
    for id in ["lab/02-pyramid-20", "lab/pyramid-20", "jacobi/chain-40", "book/chain.ron"] {
        assert!(delassus_scene::library::find(id).is_file(), "{id}");
    }
    assert_eq!(delassus_scene::library::find("lab/nothing"), std::path::PathBuf::from("lab/nothing"));
}

/// A label for a body that does not exist would be ignored silently.
#[test]
fn every_label_stands_over_a_body_of_its_scene() {
    let mut labels = 0;
    for entry in scene::library::ordinary(root()) {
        let loaded = scene::read(&entry.path).map_err(lines).unwrap_or_else(|m| panic!("{m}"));
        let opens = &loaded.scene.opens;
        if opens.labels.is_empty() {
            continue;
        }
        let flat = loaded.flat;
        for label in &opens.labels {
            let there = flat.bodies.iter().any(|body| *body.name == *label.over);
            assert!(there, "{}: no body is called {}", entry.id, label.over);
            labels += 1;
        }
    }
    assert!(labels > 30, "{labels}");
}

/// The quantities that a scene plots and the bodies that it labels exist: a wrong name would be noticed only by
/// someone who opens the scene. `contact2d/01` plotted `penetration`, which is a quantity of a contact and not of the
/// run.
#[test]
fn what_scenes_plot_and_label_is_there() {
    let mut wrong = Vec::new();
    for entry in scene::library::ordinary(root()) {
        let mut session = Session::new();
        session.dispatch(Command::Open(entry.path.clone())).expect("a scene of the library opens");
        let (opened, snapshot) = (session.scene().expect("one is open"), session.snapshot());
        if opened.plots.is_empty() {
            wrong.push(format!("{}: plots nothing", entry.id));
        }
        for curve in opened.plots.iter().flat_map(|plot| &plot.curves) {
            let missing = Quantity::read(curve).map_or_else(Some, |quantity| quantity.missing(snapshot));
            // Contacts come and go: only their bodies must exist.
            wrong.extend(missing.map(|why| format!("{}: {curve}: {why}", entry.id)));
        }
        for label in &opened.opens.labels {
            if !snapshot.bodies.iter().any(|body| *body.name == *label.over) {
                wrong.push(format!("{}: no body is called {}", entry.id, label.over));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
