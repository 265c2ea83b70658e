//! The command line as users see it: the built program, its output and its exit codes.

mod analyse;
mod arena;
#[cfg(feature = "gpu")]
mod bench_gpu;
mod claims;
mod compare;
mod conditions;
mod doctor;
mod export;
mod files;
mod import;
mod ledger;
#[cfg(feature = "gui")]
mod lesson;
mod library;
mod licences;
#[cfg(feature = "gpu")]
mod on_device;
mod opening;
#[cfg(feature = "gui")]
mod pictures;
mod pose;
mod presets;
mod recording;
mod requests;
mod sensors;
mod shells;
mod tables;
mod verdict;
mod work;

use delassus::scene::Words as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const SCENE: &str = r#"(
    version: 1,
    title: "Two boxes",
    settings: (preset: SingleStep, step: (rate: 100)),
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 4), motion: Static),
        (name: "bob", shape: Box(half: (0.1, 0.1, 0.1)), at: (1, 0, 4), mass: 1),
    ],
    joints: [(a: "post", b: "bob", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge())],
)"#;

/// Whether there is a graphics device; without one the tests of it check nothing.
#[cfg(feature = "gpu")]
fn has_device() -> bool {
    delassus::gpu::Device::open().inspect_err(|fault| eprintln!("skipped: {fault}")).is_ok()
}

/// A folder with the test scene, in which the program is run.
struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { dir: tempfile::tempdir().unwrap() };
        folder.write("scene.ron", SCENE);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_delassus"));
        command.args(arguments).current_dir(self.dir.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The output of a successful run.
    fn out(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", err(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The error output of a failing run with this exit code; its standard output is empty.
    fn refused(&self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", err(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        err(&output)
    }
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Reports what the guard of warm starting caught, and nothing if it caught nothing.
#[test]
fn summary_tells_what_was_guarded() {
    let folder = Folder::new();
    assert!(!folder.out(&["run", "scene.ron", "--steps", "20"]).contains("guarded"));
    let capped = folder.run(&["run", "scene.ron", "--steps", "20", "--set", "warm_start.impulse_cap=0.000001"]);
    let printed = String::from_utf8_lossy(&capped.stdout).into_owned();
    assert!(printed.contains("impulses guarded"), "{printed}");
    assert_eq!(capped.status.code(), Some(3));
    assert!(err(&capped).contains("not to be trusted: ") && err(&capped).contains("impulses were cut down"));
    let json = folder.out(&["run", "scene.ron", "--steps", "20", "--json"]);
    assert!(json.contains("\"guarded\": 0") && json.contains("\"sweeps\": 10.0"), "{json}");
}

#[test]
fn json_is_json_and_runs_repeat() {
    let folder = Folder::new();
    let run = |extra: &[&str]| json(&folder.out(&[&["run", "scene.ron", "--steps", "50", "--json"], extra].concat()));
    let (one, two) = (run(&[]), run(&[]));
    assert_eq!(one["steps"], 50);
    assert_eq!(one["title"], "Two boxes");
    let hash = one["hash"].as_str().unwrap();
    assert_eq!(hash.len(), 16);
    assert_eq!(one["hash"], two["hash"]);
    assert_ne!(run(&["--set", "solver.iterations=1", "--set", "warm_start.enabled=off"])["hash"], one["hash"]);
    // Ten simulated seconds by default.
    assert_eq!(json(&folder.out(&["run", "scene.ron", "--json"]))["steps"], 1000);
    assert_eq!(json(&folder.out(&["run", "scene.ron", "--json", "--set", "step.rate=50"]))["steps"], 500);
}

#[test]
fn misuse_is_two() {
    let folder = Folder::new();
    for (argument, hint) in [
        ("solver.iteration=3", "did you mean `solver.iterations`"),
        ("solver.iterations=many", "0 to 1000"),
        ("solver.iterations=-1", "0 to 1000"),
        ("stabilization.beta=NaN", "0 to 2"),
        ("solver.method=Newton", "GaussSeidel or Jacobi"),
        ("step.gravity=(1,2)", "(x, y, z)"),
        ("solver.iterations", "NAME=VALUE"),
    ] {
        let said = folder.refused(&["run", "scene.ron", "--set", argument], 2);
        assert!(said.contains(hint), "{argument}: {said}");
    }
    folder.refused(&["run", "scene.ron", "--steps", "3", "--seconds", "1"], 2);
    folder.refused(&["run", "scene.ron", "--seconds", "-1"], 2);
    folder.refused(&["run", "scene.ron", "--every", "0"], 2);
    folder.refused(&["run", "scene.ron", "--csv", "-", "--bodies", "-"], 2);
    folder.refused(&["run"], 2);
    folder.refused(&["check"], 2);
    folder.refused(&["list", "--colour"], 2);
}

#[test]
fn what_fails_is_one() {
    let folder = Folder::new();
    assert!(folder.refused(&["run", "absent.ron"], 1).contains("absent.ron"));
    assert!(folder.refused(&["run", "scene.ron", "--csv", "no/such/folder.csv"], 1).contains("no/such/folder.csv"));
    folder.write("broken.ron", "(version: 1, title: \"x\", bodies: [(nam: 3)])");
    assert!(folder.refused(&["run", "broken.ron"], 1).contains("broken.ron:1:"));
}

#[test]
fn settings_lists_every_name_that_set_takes() {
    let text = Folder::new().out(&["settings"]);
    for setting in delassus::physics::settings::LIST {
        assert!(text.contains(setting.name) && text.contains(setting.words().what), "{}", setting.name);
    }
}

#[test]
fn list_shows_the_library_and_scenes_go_by_their_names() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("scenes/book")).unwrap();
    folder.write("scenes/book/01-two.ron", SCENE);
    let text = folder.out(&["list"]);
    assert!(text.starts_with("book/01-two") && text.contains("Two boxes"), "{text}");
    assert!(folder.out(&["run", "book/01-two", "--steps", "1"]).contains("1 steps"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::new();
    for arguments in [&["settings"][..], &["run", "scene.ron", "--steps", "20000", "--bodies", "-"][..]] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(!err(&output).contains("panic"), "{}", err(&output));
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    }
}

/// The optimised physics gives the same results as that of this debug build. It needs a second build (`profile.headless`:
/// the physics and what it computes with as in a release build), since the tests are given the debug program only.
#[test]
fn debug_and_optimised_agree_to_the_bit() {
    let debug = PathBuf::from(env!("CARGO_BIN_EXE_delassus"));
    let root = env!("CARGO_MANIFEST_DIR");
    let target = debug.ancestors().nth(2).unwrap();
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--profile",
            "headless",
            "--no-default-features",
            "--bin",
            "delassus",
            "--target-dir",
        ])
        .arg(target)
        // With clippy for a compiler (`scripts/test`) all our crates would be built once more.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .current_dir(root)
        .status()
        .unwrap();
    assert!(built.success());
    let optimised = target.join("headless").join(debug.file_name().unwrap());
    let hash = |program: &PathBuf, scene: &str, method: &str| {
        let output = Command::new(program)
            .args(["run", scene, "--steps", "120", "--json", "--set", method])
            .current_dir(root)
            .output()
            .unwrap();
        // Some of the scenes are made to break a bound of the verdict, by Jacobi above all.
        assert!(matches!(output.status.code(), Some(0 | 3)), "{scene}: {}", err(&output));
        json(&String::from_utf8_lossy(&output.stdout))["hash"].as_str().unwrap().to_owned()
    };
    for scene in ["book/09-chain", "book/12-stack", "book/21-ragdoll", "lab/02-pyramid-20", "jacobi/01-chain-40"] {
        for method in ["solver.method=GaussSeidel", "solver.method=Jacobi"] {
            assert_eq!(hash(&debug, scene, method), hash(&optimised, scene, method), "{scene}, {method}");
        }
    }
}

/// The help lists the exit codes.
#[test]
fn help_tells_the_exit_codes() {
    let folder = Folder::new();
    for arguments in [&["--help"][..], &["run", "--help"]] {
        let help = folder.out(arguments);
        assert!(help.contains("Exit codes:") && help.contains("not to be trusted"), "{help}");
    }
}

/// n balls in one place, all near each other: n (n − 1)/2 pairs, more than the budget.
#[test]
fn what_is_beyond_the_budget_is_refused_in_words() {
    use delassus::physics::collide::budget::MAX_PAIRS;
    let folder = Folder::new();
    // n (n − 1)/2 pairs, all within a prediction distance of a metre, scaled to the balls of 1 mm.
    let n = ((2 * MAX_PAIRS) as f64).sqrt() as usize + 2;
    let text = |count: usize, prediction: f32| {
        format!(
            "(version: 1, title: \"Crowd\", settings: (preset: SingleStep, contact: (\n prediction: {prediction})),\n patterns: \
             [Stack(name: \"s\", body: (shape: Sphere(radius: 0.001), at: (0, 0, 1)), count: {count}, spacing: (0, \
             0.00001, 0))])"
        )
    };
    folder.write("crowd.ron", &text(n, 1.0));
    let output = folder.run(&["check", "crowd.ron"]);
    assert_eq!(output.status.code(), Some(0), "a warning is no mistake");
    let warning = format!("crowd.ron:2:14: warning: more than {MAX_PAIRS} pairs of bodies are near each other");
    assert!(err(&output).starts_with(&warning), "{}", err(&output));
    assert!(json(&folder.out(&["check", "--json", "crowd.ron"]))[0]["warnings"][0]["line"] == 2);
    let output = folder.run(&["run", "crowd.ron", "--steps", "10"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("Step 1 at 0.000 s failed: more than"), "{}", err(&output));
    // Within the budget there is no message.
    folder.write("fits.ron", &text(50, 1.0));
    assert!(err(&folder.run(&["check", "fits.ron"])).is_empty());
    folder.out(&["run", "fits.ron", "--steps", "2"]);
}

/// The reference in `docs` is the program's own output, and complete.
#[test]
fn the_document_of_the_format_is_the_programs_own() {
    let folder = Folder::new();
    let printed = folder.out(&["format", "--markdown"]);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scene-format.md");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        printed,
        "write `delassus format --markdown` to {}",
        file.display()
    );
    for kind in delassus::scene::format::types() {
        assert!(printed.contains(&format!("\n## {}\n", kind.name)), "{}", kind.name);
    }
    // Every link has a target.
    for link in printed.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(
            printed.lines().any(|line| line.strip_prefix("## ").is_some_and(|h| h.to_lowercase() == link)),
            "{link}"
        );
    }
    let types = json(&folder.out(&["format", "--json"]));
    assert_eq!(types["types"][0]["name"], "Scene");
    assert_eq!(types["settings"].as_array().unwrap().len(), delassus::physics::settings::LIST.len());
    assert!(folder.out(&["format"]).contains("half_length: number m, above 0, at most 100000; required"));
}
