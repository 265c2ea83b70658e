//! The command line as users see it: the built program, its output and its exit codes.

mod analyse;
mod arena;
#[cfg(feature = "gpu")]
mod bench_gpu;
mod claims;
mod compare;
mod conditions;
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

const METRICS: &str = "step,time,kinetic_energy,potential_energy,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,joint_error_max,joint_error_mean,penetration_max,\
    contacts,rows,residual,step_ms,spring_energy,broken,sweeps,parts,radius,angular_error_max,energy,stopped,\
    guarded,asleep,trusted,distrust";
const BODIES: &str = "step,time,body,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz,speed,spin,tilt";
const CONTACTS: &str =
    "step,time,contact,points,normal,friction,used,penetration,force_x,force_y,force_z,force,twist,rolling";
const JOINTS: &str = "step,time,joint,error,angular_error,value,speed,impulse,force,torque,anchor_x,anchor_y,anchor_z,\
    axis_x,axis_y,axis_z,spring,motor,limit,swing,energy,at,broken,residual,friction,damping,coupling,slide_x,slide_y,slide_z,\
    angle_x,angle_y,angle_z";

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

#[test]
fn metrics_are_a_line_a_step() {
    let table = Folder::new().out(&["run", "scene.ron", "--steps", "20", "--csv", "-"]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines[0], METRICS);
    assert_eq!(lines.len(), 1 + 20);
    // The radius is estimated only on request: otherwise its field is empty.
    let first: Vec<f64> = lines[1].split(',').filter(|v| !v.is_empty()).map(|v| v.parse().unwrap()).collect();
    assert_eq!((first.len(), first[0], first[1]), (27, 1.0, 0.01));
    // The momentum of a first step of free fall is g h m, reduced by the hinge; the energy is that of 1 kg at 4 m.
    assert!(first[6] < 0.0 && first[6] > -0.0982, "momentum_z {}", first[6]);
    assert!((first[2] + first[3] - 9.81 * 4.0).abs() < 0.1, "energy {} + {}", first[2], first[3]);
}

/// One hinge: sweeps by blocks and by single rows give the numbers of `physics::stability`; a violated bound is
/// reported with its remedy.
#[test]
fn stability_tells_the_rate_and_the_broken_bounds() {
    let folder = Folder::new();
    let printed = folder.out(&["stability", "scene.ron"]);
    assert!(
        printed.contains("λmax(D⁻¹A)") && printed.contains("sweeps per digit") && !printed.contains("warning"),
        "{printed}"
    );
    assert!(printed.contains("All bodies are stepped together, because"), "{printed}");
    assert!(printed.contains("solver.jacobi") && printed.contains("because the solver is not Jacobi"), "{printed}");
    let set = ["solver.method=Jacobi", "solver.jacobi=Manual", "solver.relaxation=2", "solver.rows=Block"];
    let jacobi = set.map(|set| ["--set", set]).concat();
    let printed = folder.out(&[&["stability", "scene.ron", "--steps", "2"], &jacobi[..]].concat());
    assert!(printed.contains("warning: The Jacobi sweep diverges") && printed.contains("Use ω below"), "{printed}");
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
fn tables_go_to_files_and_every_thins_them() {
    let folder = Folder::new();
    let summary = folder.out(&[
        "run",
        "scene.ron",
        "--seconds",
        "0.5",
        "--every",
        "10",
        "--csv",
        "m.csv",
        "--bodies",
        "b.csv",
        "--joints",
        "j.csv",
    ]);
    assert!(summary.contains("state hash") && summary.contains("50 steps"), "{summary}");
    let (metrics, bodies, joints) = (folder.read("m.csv"), folder.read("b.csv"), folder.read("j.csv"));
    assert_eq!(metrics.lines().next(), Some(METRICS));
    assert_eq!(bodies.lines().next(), Some(BODIES));
    assert_eq!(joints.lines().next(), Some(JOINTS));
    assert_eq!((metrics.lines().count(), bodies.lines().count(), joints.lines().count()), (6, 11, 6));
    assert!(bodies.lines().nth(1).unwrap().starts_with("10,"), "{bodies}");
    assert!(bodies.lines().nth(2).unwrap().contains(",bob,") && joints.contains(",post-bob,"));
}

#[test]
fn with_a_table_on_standard_output_the_summary_goes_elsewhere() {
    let output = Folder::new().run(&["run", "scene.ron", "--steps", "3", "--bodies", "-"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1 + 3 * 2);
    assert!(err(&output).contains("state hash"));
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
fn check_tells_every_mistake_of_every_file() {
    let folder = Folder::new();
    assert!(folder.out(&["check", "scene.ron"]).contains("scene.ron: 2 bodies, 1 joints"));
    folder.write("broken.ron", &SCENE.replace("mass: 1", "mass: -1").replace("b: \"bob\"", "b: \"bib\""));
    folder.write("empty.ron", "");
    let output = folder.run(&["check", "broken.ron", "scene.ron", "empty.ron", "absent.ron"]);
    assert_eq!(output.status.code(), Some(1));
    let said = err(&output);
    for part in ["broken.ron:7:", "broken.ron:9:", "`bob`", "empty.ron", "absent.ron"] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    assert!(String::from_utf8_lossy(&output.stdout).contains("scene.ron"), "the right file is still told of");
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

/// The doctor reports its findings and fails only for errors.
#[test]
fn the_doctor_tells_and_fails_for_errors() {
    let folder = Folder::new();
    assert!(folder.out(&["doctor", "scene.ron"]).contains("scene.ron: nothing found"));
    folder.write("apart.ron", &SCENE.replace("anchor: (0, 0, 4)", "anchor_a: (0, 0, 0.5), anchor_b: (-1, 0, 0)"));
    let printed = folder.out(&["doctor", "apart.ron"]);
    assert!(printed.contains("apart.ron: warning (anchors): The ends of post-bob are 0.500 m apart"), "{printed}");
    let rope =
        "(a: \"post\", b: \"bob\", kind: Rope(length: 2)), (a: \"post\", b: \"bob\", kind: Distance(length: 2.5)),";
    folder.write("wrong.ron", &SCENE.replace("joints: [", &format!("joints: [{rope}")));
    let output = folder.run(&["doctor", "wrong.ron", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["findings"][0]["severity"], "error");
    assert_eq!(printed["findings"][0]["joints"], serde_json::json!(["post-bob", "post-bob#2"]));
}

/// For each mechanism, its degrees of freedom, redundant rows and motions, with the names of its bodies and joints.
#[test]
fn the_doctor_tells_how_mechanisms_move() {
    let folder = Folder::new();
    assert!(folder.out(&["doctor", "scene.ron"]).contains("scene.ron: bob on 1 joint: 1 degree of freedom"));
    let printed: serde_json::Value = serde_json::from_str(&folder.out(&["doctor", "scene.ron", "--json"])).unwrap();
    let mechanism = &printed["mechanisms"][0];
    assert_eq!(mechanism["bodies"], serde_json::json!(["bob"]));
    assert_eq!(mechanism["joints"], serde_json::json!(["post-bob"]));
    for (field, value) in [("degrees_of_freedom", 1), ("lasting", 1), ("rows", 5), ("ways", 6), ("redundant", 0)] {
        assert_eq!(mechanism[field], value, "{field}");
    }
    assert_eq!(mechanism["motions"][0]["words"], "post-bob turns");
    // The rotation is about the hinge's axis, y; the bob's centre moves perpendicularly to it.
    let spin: Vec<f64> =
        serde_json::from_value(mechanism["motions"][0]["bodies"][0]["angular_velocity"].clone()).unwrap();
    assert!(spin[0].abs() < 1e-6 && spin[1].abs() > 0.1 && spin[2].abs() < 1e-6, "{spin:?}");
    let rail = SCENE.replace(
        "kind: Hinge())]",
        r#"kind: Hinge()), (name: "second", a: "post", b: "bob", anchor: (0, 1, 4), axis: (0, 1, 0), kind: Hinge())]"#,
    );
    folder.write("two.ron", &rail);
    let printed: serde_json::Value = serde_json::from_str(&folder.out(&["doctor", "two.ron", "--json"])).unwrap();
    // Ten rows on a door remove five degrees of freedom.
    assert_eq!(printed["mechanisms"][0]["redundant"], 5);
    assert_eq!(printed["mechanisms"][0]["degrees_of_freedom"], 1);
}

/// A box on a slider rests on the lower stop: the table has the stop's force, the whole joint's, and the name of the
/// stop.
#[test]
fn the_joints_table_tells_groups_and_stops() {
    let folder = Folder::new();
    let slider = SCENE.replace(
        r#"(a: "post", b: "bob", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge())"#,
        r#"(b: "bob", axis: (0, 0, 1), kind: Prismatic(limit: (-0.2, 0.2)), breaks: (force: 1000))"#,
    );
    folder.write("slider.ron", &slider);
    let table = folder.out(&["run", "slider.ron", "--steps", "200", "--joints", "-"]);
    let headings: Vec<_> = table.lines().next().unwrap().split(',').collect();
    let last: Vec<_> = table.lines().last().unwrap().split(',').collect();
    let field = |name: &str| last[headings.iter().position(|h| *h == name).unwrap()];
    let number = |name: &str| field(name).parse::<f64>().unwrap();
    assert!((number("limit") - 9.81).abs() < 0.01 && (number("force") - 9.81).abs() < 0.01, "{last:?}");
    assert!((number("value") + 0.2).abs() < 1e-3 && number("motor") == 0.0 && number("spring") == 0.0, "{last:?}");
    assert_eq!((field("at"), field("broken")), ("least", "0"));
}

/// JSON output for programs.
#[test]
fn check_stability_and_settings_speak_json() {
    let folder = Folder::new();
    folder.write("broken.ron", &SCENE.replace("mass: 1", "mass: -1"));
    let output = folder.run(&["check", "--json", "scene.ron", "broken.ron", "absent.ron"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).is_empty(), "{}", err(&output));
    let printed = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!((&printed[0]["bodies"], &printed[0]["mistakes"]), (&serde_json::json!(2), &serde_json::json!([])));
    let mistake = &printed[1]["mistakes"][0];
    assert_eq!((&mistake["line"], &mistake["place"]), (&serde_json::json!(7), &serde_json::json!("bodies[1].mass")));
    assert!(printed[2]["mistakes"][0]["what"].as_str().unwrap().contains("no such file"), "{printed}");

    let printed = json(&folder.out(&["stability", "scene.ron", "--json"]));
    assert_eq!((&printed["rows"], &printed["iterations"]), (&serde_json::json!(5), &serde_json::json!(10)));
    assert!(printed["radius"].as_f64().unwrap() < 1.0 && printed["settled"].is_boolean(), "{printed}");

    let printed = json(&folder.out(&["settings", "--json"]));
    let list = delassus::physics::settings::LIST;
    assert_eq!(printed.as_array().unwrap().len(), list.len());
    for (printed, setting) in printed.as_array().unwrap().iter().zip(list) {
        assert_eq!((printed["name"].as_str(), printed["unit"].as_str()), (Some(setting.name), Some(setting.unit)));
        assert!(!printed["default"].is_null() && printed["type"].is_string(), "{printed}");
    }
    let iterations = printed.as_array().unwrap().iter().find(|s| s["name"] == "solver.iterations").unwrap();
    assert_eq!((&iterations["min"], &iterations["max"]), (&serde_json::json!(0), &serde_json::json!(1000)));
}

/// docs/columns.md is the program's own output, and every column of every table has a description.
#[test]
fn the_document_of_the_columns_is_the_programs_own() {
    let folder = Folder::new();
    let printed = folder.out(&["columns", "--markdown"]);
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/columns.md");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        printed,
        "write `delassus columns --markdown` to {}",
        file.display()
    );
    let lists = folder.out(&["columns"]);
    for name in [METRICS, BODIES, JOINTS, CONTACTS].iter().flat_map(|table| table.split(',')) {
        assert!(printed.contains(&format!("| `{name}` |")) && lists.contains(&format!("  {name} ")), "{name}");
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
