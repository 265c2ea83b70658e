//! `delassus ledger`: contributions to energy and momentum by cause.

use super::Folder;

/// A row of the table for one step: by cause, its cells.
fn rows(table: &str, step: &str) -> Vec<(String, Vec<f64>)> {
    let of = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let values = cells[3..].iter().map(|cell| cell.parse().expect("a number")).collect();
        (cells[0] == step).then(|| (cells[2].to_owned(), values))
    };
    table.lines().skip(1).filter_map(of).collect()
}

#[test]
fn the_shares_of_a_step_add_up_to_its_change() {
    let folder = Folder::new();
    let table = folder.out(&["ledger", "scene.ron", "--steps", "3"]);
    assert!(table.starts_with("step,time,cause,energy,translation_x,"), "{table}");
    for step in ["1", "2", "3"] {
        let rows = rows(&table, step);
        assert_eq!(rows.len(), 13, "twelve causes, and the change: {table}");
        for column in 0..rows[0].1.len() {
            let sum: f64 = rows[..12].iter().map(|(_, values)| values[column]).sum();
            let (name, change) = &rows[12];
            assert_eq!(name, "change");
            assert!((sum - change[column]).abs() < 1e-5, "column {column} of step {step}: {sum}, {}", change[column]);
        }
        // Gravity gives the bob of 1 kg the momentum m g h, or half of it where RATTLE begins.
        let gravity = &rows.iter().find(|(name, _)| name == "gravity").expect("gravity").1;
        assert!(gravity[8] < -0.04, "{gravity:?}");
    }
}

/// Every other command took `--seconds`.
#[test]
fn a_ledger_is_of_seconds_as_of_steps() {
    let folder = Folder::new();
    let of = |more: [&str; 2]| folder.out(&[&["ledger", "scene.ron"][..], &more].concat());
    assert_eq!(of(["--seconds", "0.05"]), of(["--steps", "5"]), "at 100 steps a second");
    let said = folder.refused(&["ledger", "scene.ron", "--seconds", "-1"], 2);
    assert!(said.contains("expected seconds from 0"), "{said}");
}

#[test]
fn a_ledger_does_not_replace_its_scene() {
    let folder = Folder::new();
    let said = folder.refused(&["ledger", "scene.ron", "--out", "scene.ron"], 2);
    assert!(said.contains("scene.ron"), "{said}");
    assert_eq!(folder.read("scene.ron"), super::SCENE);
}
