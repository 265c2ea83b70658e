//! Files that a command must not destroy, and files that it must not read.

use super::{Folder, SCENE, err};

/// The outputs of the commands, each once with the scene's own file, under its name and through links.
#[cfg(unix)]
#[test]
fn no_command_overwrites_the_scene_that_it_reads() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("scene.ron", folder.path("soft.ron")).unwrap();
    std::fs::hard_link(folder.path("scene.ron"), folder.path("hard.ron")).unwrap();
    for to in ["scene.ron", "./scene.ron", "soft.ron", "hard.ron"] {
        let mut commands: Vec<Vec<&str>> = ["--csv", "--bodies", "--joints", "--contacts", "--record"]
            .map(|option| vec!["run", "scene.ron", "--steps", "1", option, to])
            .into();
        commands.push(vec!["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", "rows", "--out", to]);
        commands.push(vec!["compare", "scene.ron", "--seconds", "0.1", "--csv", to]);
        if cfg!(feature = "gui") {
            commands.push(vec!["render", "scene.ron", "--out", to]);
        }
        for command in commands {
            let said = folder.refused(&command, 2);
            assert!(said.contains("would be overwritten"), "{command:?}: {said}");
            assert_eq!(folder.read("scene.ron"), SCENE, "{command:?}");
        }
    }
}

#[test]
fn no_command_overwrites_a_part_of_the_scene() {
    let folder = Folder::new();
    let whole = r#"(version: 1, title: "Whole", parts: [(name: "p", file: "scene.ron")])"#;
    folder.write("whole.ron", whole);
    let said = folder.refused(&["run", "whole.ron", "--steps", "1", "--csv", "scene.ron"], 2);
    assert!(said.contains("would be overwritten"), "{said}");
    assert_eq!(folder.read("scene.ron"), SCENE);
}

/// Both tables were written into one file, through each other.
#[cfg(unix)]
#[test]
fn two_outputs_into_one_file_are_refused() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("a.csv", folder.path("b.csv")).unwrap();
    for (one, other) in [("a.csv", "a.csv"), ("a.csv", "./a.csv"), ("a.csv", "b.csv")] {
        let said = folder.refused(&["run", "scene.ron", "--steps", "1", "--csv", one, "--bodies", other], 2);
        assert!(said.contains("--csv writes to the same place"), "{said}");
        assert!(!folder.path("a.csv").exists(), "nothing is written");
    }
    // What is no file may be given twice.
    folder.out(&["run", "scene.ron", "--steps", "1", "--csv", "/dev/null", "--bodies", "/dev/null"]);
}

/// Two tables were mixed on standard output, and with the summary, if it was given by another name than `-`.
#[cfg(unix)]
#[test]
fn standard_output_by_another_name_is_standard_output() {
    let folder = Folder::new();
    fn run<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&["run", "scene.ron", "--steps", "2"], options].concat()
    }
    for (one, other) in [("-", "/dev/stdout"), ("/dev/stdout", "-"), ("/dev/stdout", "/proc/self/fd/1"), ("-", "-")] {
        for second in ["--bodies", "--record"] {
            let said = folder.refused(&run(&["--joints", one, second, other]), 2);
            assert!(said.contains("standard output") || said.contains("to the same place"), "{one} {other}: {said}");
        }
    }
    let table = folder.out(&run(&["--bodies", "-"]));
    assert_eq!(folder.out(&run(&["--bodies", "/dev/stdout"])), table, "no summary is in it");
    // What the shell sends to a file is standard output, too.
    let program = env!("CARGO_BIN_EXE_delassus");
    let shell = |line: &str| {
        let line = line.replace("RUN", &format!("'{program}' run scene.ron --steps 2"));
        std::process::Command::new("sh").args(["-c", &line]).current_dir(folder.path(".")).output().unwrap()
    };
    assert!(shell("RUN --bodies out.csv > out.csv").status.success());
    assert_eq!(folder.read("out.csv"), table);
    assert_eq!(shell("RUN --bodies - --joints out.csv > out.csv").status.code(), Some(2));
    // The scene that is read from standard input is not overwritten either.
    assert_eq!(
        shell("RUN --csv scene.ron < scene.ron".replace("scene.ron --steps", "- --steps").as_str()).status.code(),
        Some(2)
    );
    assert_eq!(folder.read("scene.ron"), SCENE);
}

/// Arguments of 60,000 letters were repeated whole, and twice.
#[test]
fn a_long_argument_is_told_in_short() {
    let folder = Folder::new();
    let (word, words) = ("a".repeat(60_000), "x < 3 and ".repeat(6_000));
    let (field, set) = (format!("bodies.{word}.z > 1"), format!("solver.method={word}"));
    for text in [&word, &words, &field] {
        for command in [
            vec!["run", "scene.ron", "--fail-if", text],
            vec!["sweep", "scene.ron", "--x", "solver.iterations=1,2", "--metric", text],
            vec!["run", "scene.ron", "--set", text],
            vec!["run", "scene.ron", "--steps", text],
        ] {
            let output = folder.run(&command);
            let said = err(&output);
            assert!(
                !output.status.success() && said.len() < 1500,
                "{} {}: {}",
                command[0],
                command[2 % command.len()],
                said.len()
            );
        }
    }
    let said = err(&folder.run(&["check", &word]));
    assert!(!said.is_empty() && said.len() < 1500, "check: {}", said.len());
    let said = folder.refused(&["ledger", "scene.ron", "--set", &set], 2);
    assert!(said.contains("aaa…aaa") && said.contains("takes GaussSeidel"), "{said:.300}");
}

/// An endless device was read until the memory was full, and a pipe was waited for without end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_by_every_command_that_reads() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.ron")).status();
    assert!(made.unwrap().success());
    for file in ["pipe.ron", "/dev/zero", "."] {
        let mut commands = vec![vec!["replay", file], vec!["run", file], vec!["check", file], vec!["doctor", file]];
        if cfg!(feature = "gui") {
            commands.push(vec!["figures", "--out", "figures", "--list", file]);
            commands.push(vec!["lesson", "--check", file]);
        }
        for command in commands {
            let output = folder.run(&command);
            assert_eq!(output.status.code(), Some(1), "{command:?}: {}", err(&output));
            assert!(err(&output).contains("not a file"), "{command:?}: {}", err(&output));
        }
    }
}

/// Nine links to the folder itself gave 132,859 entries.
#[cfg(unix)]
#[test]
fn links_in_circles_give_no_more_scenes() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("scenes/below")).unwrap();
    folder.write("scenes/below/scene.ron", SCENE);
    for link in 0..9 {
        std::os::unix::fs::symlink(".", folder.path(&format!("scenes/link-{link}"))).unwrap();
        std::os::unix::fs::symlink("..", folder.path(&format!("scenes/below/up-{link}"))).unwrap();
    }
    std::os::unix::fs::symlink("../scene.ron", folder.path("scenes/linked.ron")).unwrap();
    let listed = folder.out(&["list"]);
    assert_eq!(listed.lines().filter(|line| line.ends_with("  scenes")).count(), 2, "{listed}");
}
