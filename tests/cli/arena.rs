//! The arena on the command line, and docs/arena.md, which it writes.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Folder, err};

fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The errors of a table of results, by scene and solver; none where there is no value.
fn errors(table: &str) -> BTreeMap<(String, String), Option<f64>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let lines = reader.records().map(|line| line.unwrap_or_else(|error| panic!("{error}")));
    lines.map(|line| ((line[0].to_owned(), line[1].to_owned()), line[3].parse().ok())).collect()
}

/// The page is what the program makes of the table beside it, with every solver in every scene, and a run of today has
/// the errors that are printed there.
#[test]
fn the_page_is_the_programs_own_and_its_errors_are_those_of_today() {
    let folder = Folder::new();
    let table = document("arena/results.csv");
    folder.write("results.csv", &table);
    folder.out(&["arena", "--results", "results.csv", "--out", "again"]);
    assert_eq!(folder.read("again/arena.md"), document("arena.md"), "write it by `delassus arena --out docs`");
    let printed = errors(&table);
    let quick = ["arena/04-wedge", "arena/08-rope-on-drum"];
    folder.out(&["arena", "--scene", &quick.join(","), "--out", "today"]);
    let today = errors(&folder.read("today/arena/results.csv"));
    let solvers = today.keys().filter(|(scene, _)| scene == quick[0]).count();
    assert!(solvers > 10 && today.len() == quick.len() * solvers, "{today:?}");
    assert_eq!(printed.len() % solvers, 0, "every solver is in every scene");
    for (pair, error) in today {
        let (error, printed) = (error.expect("it can run"), printed[&pair].expect("it could run"));
        // Processors differ in rounding only.
        assert!((error - printed).abs() < 0.01 + 0.02 * printed, "{pair:?}: {error}, printed {printed}");
    }
}

/// A part of the pairs is the same in every run, and the parts together are the whole.
#[test]
fn parts_are_merged_into_the_page_of_the_whole() {
    let folder = Folder::new();
    let some = ["--scene", "04-wedge,arena/05-rolling", "--solver", "SmallSteps,Bullet,Direct"];
    for part in ["1/2", "2/2"] {
        folder.out(&[&["arena", "--shard", part, "--out", &part[..1]], &some[..]].concat());
        assert!(!folder.path(&part[..1]).join("arena.md").exists(), "a part makes no page");
    }
    let tables = ["--results", "1/arena/results.csv", "--results", "2/arena/results.csv"];
    folder.out(&[&["arena", "--out", "merged"], &tables[..], &some[..]].concat());
    folder.out(&[&["arena", "--out", "whole"], &some[..]].concat());
    let of = |name: &str| errors(&folder.read(&format!("{name}/arena/results.csv")));
    assert_eq!((of("merged").len(), of("merged")), (6, of("whole")));
    let page = folder.read("merged/arena.md");
    for words in ["## Block on a wedge", "| `Bullet` |", "(arena/arena-05-rolling.svg)"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let picture = folder.read("merged/arena/arena-04-wedge.svg");
    assert!(picture.contains("Bullet") && picture.matches("<circle").count() == 3, "{picture}");
}

#[test]
fn a_run_that_takes_too_long_has_no_value_and_says_so() {
    let folder = Folder::new();
    let one = ["arena", "--scene", "12-welded-mast", "--solver", "SmallSteps", "--limit", "0.000001", "--out", "out"];
    let printed = folder.out(&one);
    assert!(printed.contains("ended after 0.000001 s of processor time"), "{printed}");
    assert!(errors(&folder.read("out/arena/results.csv")).values().all(Option::is_none));
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_written() {
    let folder = Folder::new();
    let said = folder.refused(&["arena", "--out", "out", "--scene", "13-flipers"], 2);
    assert!(said.contains("the arena has no scene `13-flipers`, did you mean `13-flippers`?"), "{said}");
    let said = folder.refused(&["arena", "--out", "out", "--solver", "Rapir"], 2);
    assert!(said.contains("the arena has no solver `Rapir`, did you mean `Rapier`?"), "{said}");
    let said = folder.refused(&["arena", "--out", "out", "--shard", "3/2"], 2);
    assert!(said.contains("expected I/N"), "{said}");
    let said = folder.refused(&["arena", "--out", "out", "--limit", "-1"], 2);
    assert!(said.contains("expected a time above 0"), "{said}");
    assert!(!folder.path("out").exists());
    folder.write("file", "");
    let said = folder.run(&["arena", "--out", "file", "--scene", "04-wedge"]);
    assert!(said.status.code() == Some(1) && err(&said).contains("file"), "{}", err(&said));
    folder.write("results.csv", "scene,solver\nx,y\n");
    let said = folder.refused(&["arena", "--out", "out", "--results", "results.csv"], 1);
    assert!(said.contains("results.csv") && said.contains("measured"), "{said}");
}
