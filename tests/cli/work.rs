//! The limit of work: what a file can start ends in words, however large it is.

use std::fmt::Write;
use std::time::Instant;

use super::Folder;

/// A hub with so many arms. Its rows all depend on each other, so the direct solver's matrix is full.
fn hub(arms: usize) -> String {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..arms {
        let (x, y) = (k % 60, k / 60);
        let _ = write!(bodies, "(name: \"{k}\", shape: Sphere(radius: 0.1), at: ({x}, {y}, 5), collide: false),");
        let _ = write!(joints, "(a: \"hub\", b: \"{k}\", anchor: ({x}, {y}, 4), kind: BallSocket),");
    }
    format!(
        "(version: 1, title: \"hub\", bodies: [(name: \"hub\", shape: Sphere(radius: 1), at: (0, 0, 9)), {bodies}], \
         joints: [{joints}])"
    )
}

/// A pile of boxes, and a pendulum that can break: the doctor asks for its load in the first step.
fn pile(boxes: u32) -> String {
    format!(
        "(version: 1, title: \"pile\", bodies: [(name: \"floor\", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), \
         motion: Static), (name: \"bob\", shape: Sphere(radius: 0.2), at: (10, 0, 2))], patterns: [Grid(name: \"g\", \
         count: ({boxes}, {boxes}, {boxes}), spacing: (0.5, 0.5, 0.5), of: Body(shape: Box(half: (0.25, 0.25, 0.25)), \
         at: (0, 0, 0.25)))], joints: [(b: \"bob\", anchor: (10, 0, 4), kind: BallSocket, breaks: (force: 500))])"
    )
}

#[test]
fn a_step_of_the_direct_solver_without_end_ends_in_words() {
    let folder = Folder::new();
    folder.write("hub.ron", &hub(3000));
    let begin = Instant::now();
    let output = folder.run(&["run", "hub.ron", "--steps", "3", "--set", "solver.method=Direct", "--json"]);
    let said = super::err(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("Step 1") && said.contains("more work than a step may take"), "{said}");
    let printed = super::json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!((&printed["steps"], &printed["trusted"]), (&0.into(), &false.into()));
    assert_eq!(printed["parts"], 1);
    // It is refused before the matrix is made: half a minute is for slow machines.
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
    let swept = folder.run(&["run", "hub.ron", "--steps", "3"]);
    assert_ne!(swept.status.code(), Some(1), "sweeps run it: {}", super::err(&swept));
}

#[test]
fn sweeps_without_end_end_in_words() {
    let folder = Folder::new();
    folder.write("hub.ron", &hub(3000));
    let set = ["--set", "solver.iterations=1000", "--set", "step.substeps=64"];
    let said = folder.run(&[&["run", "hub.ron", "--steps", "3"][..], &set].concat());
    assert_eq!(said.status.code(), Some(3), "{}", super::err(&said));
    assert!(super::err(&said).contains("its sweeps need more work"), "{}", super::err(&said));
}

#[test]
fn the_doctor_does_not_solve_a_pile_exactly_to_find_a_load() {
    let folder = Folder::new();
    folder.write("pile.ron", &pile(7));
    let begin = Instant::now();
    assert!(folder.out(&["doctor", "pile.ron"]).contains("342 more like it"));
    // It took half a minute optimised, and minutes without; now it takes a tenth of a second, or some without.
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
    // The load of the pendulum is still found where that is little work.
    folder.write("few.ron", &pile(1).replace("force: 500", "force: 5"));
    assert!(folder.out(&["doctor", "few.ron"]).contains("breaks"));
}

/// They drew the state before it, or left a cell empty, and ended with 0.
#[test]
fn a_step_that_cannot_be_made_ends_every_command_with_3() {
    let folder = Folder::new();
    folder.write("hub.ron", &hub(3000));
    let direct = ["hub.ron", "--set", "solver.method=Direct"];
    for (command, more) in [
        ("sweep", &["--x", "solver.iterations=1,2", "--metric", "energy", "--seconds", "0.1"][..]),
        ("compare", &["--seconds", "0.1"]),
        ("render", &["--steps", "2", "--size", "64x48", "--out", "picture.png"]),
        ("render", &["--seconds", "0.2", "--size", "64x48", "--film", "film.png"]),
        ("ledger", &["--steps", "2"]),
    ]
    .into_iter()
    .filter(|(command, _)| cfg!(feature = "gui") || *command != "render")
    {
        let output = folder.run(&[&[command], &direct[..], more].concat());
        let said = super::err(&output);
        assert_eq!(output.status.code(), Some(3), "{command}: {said}");
        assert!(said.contains("more work than a step may take"), "{command}: {said}");
    }
    assert!(!folder.path("picture.png").exists() && !folder.path("film.png").exists());
    let absent = folder.run(&["compare", "absent.ron"]);
    assert_eq!(absent.status.code(), Some(1), "what cannot be read is an error of the file");
}

/// The motions of a long chain took an hour, and those of 200,000 bodies four gigabytes.
#[test]
fn the_doctor_lists_motions_with_a_limit_of_work_and_of_number() {
    let folder = Folder::new();
    let read = |scene: &str| {
        folder.write("many.ron", scene);
        let said: serde_json::Value = serde_json::from_str(&folder.out(&["doctor", "many.ron", "--json"])).unwrap();
        let each =
            |m: &serde_json::Value| (m["motions"].as_array().unwrap().len(), m["more_motions"].as_u64().unwrap());
        said["mechanisms"].as_array().unwrap().iter().map(each).collect::<Vec<_>>()
    };
    let chain = |count: u32| {
        format!(
            r#"(version: 1, title: "chain", patterns: [Chain(name: "c", first: Static, count: {count}, spacing: (0.25, 0, 0),
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 40), mass: 1, collide: false), joint: (kind: BallSocket))])"#
        )
    };
    assert_eq!(read(&chain(11)), [(24, 6)]);
    assert_eq!(read(&chain(201)), [(0, 600)]);
    let free = read(
        r#"(version: 1, title: "free", patterns: [Grid(name: "g", count: (20, 20, 5), spacing: (1, 1, 1),
        of: Body(shape: Sphere(radius: 0.1), at: (0, 0, 1)))])"#,
    );
    assert_eq!(free.iter().map(|(listed, _)| listed).sum::<usize>(), 10_000);
    assert!(free.len() == 2000 && free.iter().all(|(listed, more)| *listed as u64 + more == 6));
}
