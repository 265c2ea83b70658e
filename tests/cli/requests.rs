//! What is asked for on the command line in an unusual way: from standard input, mistyped, with Ctrl+C.

use std::io::Write;
use std::process::Stdio;

use super::{Folder, SCENE, err};

#[test]
fn a_scene_on_standard_input_is_run_and_examined() {
    let folder = Folder::new();
    let of = |arguments: &[&str], text: &str| {
        let mut child = folder.command(arguments);
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let table = of(&["run", "-", "--steps", "3", "--csv", "-"], SCENE);
    assert_eq!(table.status.code(), Some(0), "{}", err(&table));
    assert_eq!(String::from_utf8_lossy(&table.stdout).lines().count(), 4);
    let same = folder.out(&["run", "scene.ron", "--steps", "3", "--bodies", "-"]);
    assert_eq!(String::from_utf8_lossy(&of(&["run", "-", "--steps", "3", "--bodies", "-"], SCENE).stdout), same);
    // It is read once, however often it is opened.
    let arguments = ["sweep", "-", "--x", "solver.iterations=1,2", "--metric", "rows", "--seconds", "0.1"];
    assert_eq!(String::from_utf8_lossy(&of(&arguments, SCENE).stdout).lines().count(), 3);
    assert_eq!(of(&["doctor", "-"], SCENE).status.code(), Some(0));
    let broken = of(&["run", "-"], "(version: 1,\n title: 3)");
    assert_eq!(broken.status.code(), Some(1));
    assert!(err(&broken).starts_with("standard input:2:"), "{}", err(&broken));
}

#[test]
fn a_mistyped_command_and_a_negative_time_are_answered_with_what_is_meant() {
    let folder = Folder::new();
    for (typed, meant) in [("rnu", "run"), ("chek", "check"), ("doctr", "doctor")] {
        for arguments in [vec![typed], vec![typed, "scene.ron"], vec![typed, "scene.ron", "--steps", "3"]] {
            let said = folder.refused(&arguments, 2);
            assert!(said.contains(&format!("no command `{typed}`, did you mean `{meant}`?")), "{said}");
        }
    }
    let said = folder.refused(&["run", "scene.ron", "--seconds", "-1"], 2);
    assert!(said.contains("expected seconds from 0"), "{said}");
}

#[test]
fn a_sweep_measures_any_column_of_a_body_or_joint() {
    let folder = Folder::new();
    let sweep = |metric: &str| {
        folder.out(&["sweep", "scene.ron", "--x", "bodies.bob.mass=1,2", "--metric", metric, "--take", "end"])
    };
    let value = |table: &str, line: usize| -> f64 {
        table.lines().nth(line).unwrap().split(',').nth(1).unwrap().parse().unwrap()
    };
    let force = sweep("joints.post-bob.force");
    assert!(force.starts_with("bodies.bob.mass,joints.post-bob.force\n"), "{force}");
    assert!((value(&force, 2) / value(&force, 1) - 2.0).abs() < 1e-3, "twice the mass, twice the force: {force}");
    let z = sweep("bodies.bob.z");
    assert!((value(&z, 2) - value(&z, 1)).abs() < 1e-3 && value(&z, 1) < 4.5, "{z}");
    let refused =
        |metric: &str| folder.refused(&["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", metric], 2);
    assert!(refused("bodies.bbo.z").contains("did you mean `bob`?"));
    assert!(refused("joint_eror_max").contains("did you mean `joint_error_max`?"));
}

/// `*` was refused, with words about curves.
#[test]
fn a_sweep_takes_every_column_that_fail_if_takes() {
    let folder = Folder::new();
    let sweep = |metric: &str, take: &str| {
        let line = ["sweep", "scene.ron", "--x", "solver.iterations=2,9", "--seconds", "0.3"];
        folder.run(&[&line[..], &["--metric", metric, "--take", take]].concat())
    };
    for metric in ["joints.*.error", "bodies.*.z", "bodies.b*.speed", "momentum_*", "contacts.*.force", "energy"] {
        let condition = format!("{metric} > 1e30");
        let run = folder.run(&["run", "scene.ron", "--steps", "3", "--fail-if", &condition]);
        let found = sweep(metric, "most");
        let table = String::from_utf8_lossy(&found.stdout);
        assert!(found.status.success(), "{metric}: {}", String::from_utf8_lossy(&found.stderr));
        assert!(table.starts_with(&format!("solver.iterations,{metric}\n")) && table.lines().count() == 3, "{table}");
        assert_ne!(run.status.code(), Some(2), "{metric} is a condition's as well");
    }
    // All of the joints' values are below the worst, and the worst is that of the metrics.
    let cell = |metric: &str, take: &str| -> f64 {
        let table = String::from_utf8(sweep(metric, take).stdout).unwrap();
        table.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse().unwrap()
    };
    let (least, mean, most) =
        (cell("joints.*.error", "least"), cell("joints.*.error", "mean"), cell("joints.*.error", "most"));
    assert!(0.0 <= least && least <= mean && mean <= most, "{least} {mean} {most}");
    let worst = cell("joint_error_max", "most");
    assert!((most - worst).abs() <= 1e-6 * worst, "{most} is not {worst}");
    // Words are those of the end.
    let table = folder.out(&["sweep", "scene.ron", "--x", "solver.iterations=2,9", "--metric", "bodies.b*.body"]);
    assert_eq!(table, "solver.iterations,bodies.b*.body\n2,bob\n9,bob\n");
    for (metric, why) in [
        ("joints.*.at", "it is a word: write a table, with --take end"),
        ("joints.x*.error", "no joint is called `x*`"),
        ("joints.*.gap", "no column of a joint is called `gap`"),
        ("spin_*", "no column of the run begins with `spin_`"),
    ] {
        let found = sweep(metric, "most");
        let said = String::from_utf8_lossy(&found.stderr);
        assert!(found.status.code() == Some(2) && said.contains(why), "{metric}: {said}");
    }
}

#[test]
fn the_doctor_examines_what_the_settings_and_experiments_make_of_a_scene() {
    let folder = Folder::new();
    assert!(folder.out(&["doctor", "scene.ron"]).contains("nothing found"));
    // A limit that its motor can never leave, a light body under a heavy one: any change shows that it is seen.
    let said = folder.run(&["doctor", "scene.ron", "--set", "bodies.bob.at=(0.05,0,4)", "--set", "step.rate=10"]);
    assert!(!String::from_utf8_lossy(&said.stdout).is_empty());
    assert!(folder.refused(&["doctor", "scene.ron", "--set", "step.rat=10"], 2).contains("step.rate"));
    assert!(folder.refused(&["doctor", "scene.ron", "--experiment", "Nosuch"], 2).contains("no experiment"));
}

/// The scene was found by chance: six chained bodies, one of them at 100 km/s, connected by springs of length zero.
#[test]
fn a_value_of_a_joint_that_is_not_finite_ends_with_3_whether_its_table_is_written_or_not() {
    let folder = Folder::new();
    folder.write(
        "wild.ron",
        r#"(version: 1, title: "Wild", settings: (preset: SingleStep), bodies: [
            (name: "n0", shape: Sphere(radius: 0.1378742), at: (-1, 1e-30, -1), velocity: (-799.5597, -1007.761, 99999),
                restitution: 0, collide: false),
            (name: "n1", shape: Capsule(radius: 0.0001, half_length: 1.348483), at: (-2.102636, -26.5819, 58.01332),
                mass: 6.83673),
        ], patterns: [
            Chain(name: "p0", body: (shape: Sphere(radius: 0.5751394), at: (-3.884117, 0.5, 0), mass: 1e+12, velocity:
                (99999, 1.53351, 508.0455)), count: 6, spacing: (0.6302917, -1, 0), joint: (kind: Spring(length: 1e-30,
                hertz: 2, damping_ratio: 10000), axis: (1, 0, 0), soft: ()), first: Static),
        ])"#,
    );
    for tables in [&[][..], &["--joints", "joints.csv"]] {
        let arguments = [&["run", "wild.ron", "--steps", "5", "--set", "warm_start.patch=false"], tables].concat();
        let output = folder.run(&arguments);
        assert_eq!(output.status.code(), Some(3), "{}", err(&output));
        assert!(err(&output).contains("joints.p0.0-1."), "{}", err(&output));
    }
    assert!(folder.read("joints.csv").contains("inf") || folder.read("joints.csv").contains("NaN"));
}

/// Titles and names come from files of others, and a terminal obeys the control characters in them.
#[test]
fn terminal_escapes_in_titles_and_names_are_printed_escaped() {
    let folder = Folder::new();
    let body = |name: &str| format!("(name: \"{name}\", shape: Sphere(radius: 1)),");
    let bodies = body("b\\u{1b}]0;x\\u{7}") + &body("c\\u{9b}2J");
    let scene = format!(
        "(version: 1, title: \"t\\u{{1b}}[31mred\", settings: (preset: SingleStep), source: \"s\\u{{9b}}2J\", bodies: [{bodies}])"
    );
    std::fs::create_dir(folder.path("scenes")).unwrap();
    folder.write("scenes/wild.ron", &scene);
    for arguments in [
        &["list"][..],
        &["run", "scenes/wild.ron", "--steps", "2"],
        &["run", "scenes/wild.ron", "--steps", "2", "--json"],
        &["doctor", "scenes/wild.ron"],
        &["doctor", "scenes/wild.ron", "--json"],
        &["check", "scenes/wild.ron"],
        &["stability", "scenes/wild.ron"],
        &["compare", "scenes/wild.ron", "--seconds", "0.1"],
        &["run", "scenes/wild.ron", "--fail-if", "bodies.b.z > 1"],
    ] {
        let output = folder.run(arguments);
        for text in [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)) {
            let raw = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
            assert_eq!(raw, None, "{arguments:?}: {text:?}");
        }
    }
    assert!(folder.out(&["list"]).contains("t\\u{1b}[31mred"));
}

/// The table was begun, and runs were made, before a value at its end was refused.
#[test]
fn a_value_that_cannot_be_set_is_refused_before_a_sweep_begins() {
    let folder = Folder::new();
    for axis in ["solver.iterations=1,2,5000", "solver.iterations=1..1e9"] {
        let said = folder.refused(&["sweep", "scene.ron", "--x", axis, "--metric", "rows", "--out", "out.csv"], 2);
        assert!(said.contains("takes 0 to 1000"), "{said}");
        assert!(!folder.path("out.csv").exists(), "{axis}");
    }
}

/// A line of a title looked like a line of the program, and a mark in it reversed what followed.
#[test]
fn a_title_or_name_with_lines_makes_no_lines_and_reverses_nothing() {
    let folder = Folder::new();
    let named = |name: &str| format!("{name}\\n{name}: nothing found\\u{{202e}}\\u{{2066}}");
    let body =
        |name: &str, at: f32| format!("(name: \"{}\", shape: Sphere(radius: 1), at: (0, 0, {at})),", named(name));
    std::fs::create_dir(folder.path("scenes")).unwrap();
    // The balls overlap, which the doctor and the verdict say with their names.
    let scene = format!(
        "(version: 1, title: \"{}\", source: \"{}\", bodies: [{}])",
        named("title"),
        named("source"),
        body("first", 0.0) + &body("second", 0.5)
    );
    folder.write("scenes/lines.ron", &scene);
    for arguments in [
        &["list"][..],
        &["run", "scenes/lines.ron", "--steps", "2"],
        &["doctor", "scenes/lines.ron"],
        &["check", "scenes/lines.ron"],
        &["compare", "scenes/lines.ron", "--seconds", "0.1"],
        &["ledger", "scenes/lines.ron", "--steps", "2", "--out", "ledger.csv"],
    ] {
        let output = folder.run(arguments);
        for text in [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)) {
            for name in ["title", "source", "first", "second"] {
                let begins = format!("{name}: nothing found");
                assert!(!text.lines().any(|line| line.trim_start().starts_with(&begins)), "{arguments:?}: {text}");
            }
            assert!(!text.contains(['\u{202e}', '\u{2066}']), "{arguments:?}: {text}");
        }
    }
    assert!(folder.out(&["doctor", "scenes/lines.ron"]).contains("first\\nfirst"));
}

/// A title with U+009B made the summary of a run something else than JSON.
#[test]
fn json_of_a_run_is_json_whatever_the_title_is() {
    let folder = Folder::new();
    folder.write("title.ron", &SCENE.replace("Two boxes", "T\\u{1b}\\u{9b}2J\\u{7f}\\u{202e}\\n"));
    let read: serde_json::Value =
        serde_json::from_str(&folder.out(&["run", "title.ron", "--steps", "1", "--json"])).unwrap();
    assert_eq!(read["title"], "T\u{1b}\u{9b}2J\u{7f}\u{202e}\n");
}

/// The tables were cut in the middle of a line, and the recording was not written.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_whole_lines_a_summary_and_a_recording() {
    let folder = Folder::new();
    let arguments = ["run", "scene.ron", "--seconds", "100000", "--csv", "out.csv", "--record", "run.ron"];
    let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = std::time::Instant::now();
    let some = || std::fs::metadata(folder.path("out.csv")).is_ok_and(|file| file.len() > 20_000);
    while !some() && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert!(err(&output).contains("stopped after"), "{}", err(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("hash"), "the summary");
    let table = folder.read("out.csv");
    let fields = |line: &str| line.split(',').count();
    let head = fields(table.lines().next().unwrap());
    assert!(table.ends_with('\n') && table.lines().all(|line| fields(line) == head));
    assert!(folder.out(&["replay", "run.ron"]).contains("the same state"));
}

/// What a command says after Ctrl+C.
#[cfg(unix)]
fn interrupted(child: std::process::Child) -> std::process::Output {
    let sent = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap()
}

/// It ended within a line, without a word.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_sweep_with_whole_lines_and_a_summary() {
    let folder = Folder::new();
    for out in ["out.csv", "out.svg"] {
        let arguments = ["sweep", "scene.ron", "--x", "solver.iterations=5,6,900", "--y", "step.substeps=1,2,64"];
        let more = ["--metric", "energy", "--seconds", "40", "--out", out];
        let all = [&arguments[..], &more].concat();
        let child = folder.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let begun = std::time::Instant::now();
        let some = || std::fs::read_to_string(folder.path(out)).is_ok_and(|text| text.lines().count() > 1);
        while !some() && begun.elapsed().as_secs() < if out == "out.csv" { 60 } else { 1 } {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(130), "{}", err(&output));
        assert!(err(&output).contains("stopped after") && err(&output).contains("of 9 runs"), "{}", err(&output));
        if out == "out.svg" {
            assert!(err(&output).contains("no picture is written") && !folder.path(out).exists());
            continue;
        }
        let table = folder.read(out);
        assert!(table.ends_with('\n') && table.lines().all(|line| line.split(',').count() == 3), "{table}");
    }
}

/// The film's first part was left beside its place.
#[cfg(all(unix, feature = "gui"))]
#[test]
fn ctrl_c_ends_a_film_without_a_trace() {
    let folder = Folder::new();
    let before = std::fs::read_dir(folder.path(".")).unwrap().count();
    let arguments =
        ["render", "scene.ron", "--size", "640x480", "--seconds", "200", "--fps", "50", "--film", "film.png"];
    let child = folder.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = std::time::Instant::now();
    let begins = || std::fs::read_dir(folder.path(".")).unwrap().count() > before;
    while !begins() && begun.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert!(err(&output).contains("no film is written"), "{}", err(&output));
    assert_eq!(std::fs::read_dir(folder.path(".")).unwrap().count(), before);
}

/// A wrong word was answered with 1 by some commands, with 2 by others.
#[test]
fn wrong_usage_ends_with_2_in_every_command() {
    let folder = Folder::new();
    let sweep = ["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", "energy"];
    for arguments in [
        &["run", "scene.ron", "--set", "solver.nothing=1"][..],
        &["run", "scene.ron", "--fail-if", "nothing > 1"],
        &["run", "scene.ron", "--seconds", "-1"],
        &["doctor", "scene.ron", "--set", "solver.nothing=1"],
        &["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", "nothing"],
        &["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", "bodies.nobody.z"],
        &["sweep", "scene.ron", "--x", "solver.nothing=1,2", "--metric", "energy"],
        &["sweep", "scene.ron", "--x", "solver.method=Nothing", "--metric", "energy"],
        &["sweep", "scene.ron", "--x", "bodies.nobody.mass=1,2", "--metric", "energy"],
        &[&sweep[..], &["--seconds", "0"]].concat(),
        &[&sweep[..], &["--seconds", "NaN"]].concat(),
        &[&sweep[..], &["--out", "scene.ron"]].concat(),
        &[&sweep[..], &["--out", "a.svg", "--shard", "1/2"]].concat(),
        &["compare", "scene.ron", "--seconds", "-1"],
        &["compare", "scene.ron", "--epsilon", "NaN"],
        &["compare", "scene.ron", "--b", "step.rate=50"],
        &["compare", "scene.ron", "--b", "solver.nothing=1"],
        &["compare", "scene.ron", "--plot", "plot.txt"],
        &["ledger", "scene.ron", "--seconds", "-1"],
        &["ledger", "scene.ron", "--set", "solver.nothing=1"],
        &["render", "scene.ron", "--film", "film.txt"],
        &["render", "scene.ron", "--film", "film.gif", "--seconds", "0"],
        &["verify", "--case", "nothing"],
        &["verify", "--scene", "nothing"],
        &["stability", "scene.ron", "--set", "solver.nothing=1"],
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
    }
}
