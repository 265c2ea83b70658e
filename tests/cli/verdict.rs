//! The verdict on a run and its reasons: the same in JSON and in CSV.

use super::*;

/// The columns `step`, `trusted` and `distrust` of each row.
fn rows(folder: &Folder, table: &str) -> Vec<(u64, String, String)> {
    let text = folder.read(table);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().expect("headings").clone();
    let of = |name: &str| heads.iter().position(|head| head == name).expect("a column");
    let (step, trusted, distrust) = (of("step"), of("trusted"), of("distrust"));
    let rows = reader.records().map(|row| {
        let row = row.expect("a row as long as the headings");
        (row[step].parse().expect("a number"), row[trusted].to_owned(), row[distrust].to_owned())
    });
    rows.collect()
}

fn reasons(printed: &serde_json::Value) -> String {
    let list: Vec<&str> = printed["distrust"].as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
    list.join("; ")
}

#[test]
fn json_and_csv_give_the_same_verdict_with_its_reasons() {
    let folder = Folder::new();
    let arguments = ["run", "scene.ron", "--steps", "20", "--json", "--csv", "m.csv"];
    let printed = json(&folder.out(&arguments));
    assert_eq!((&printed["trusted"], &printed["parts"], &printed["guarded"]), (&true.into(), &1.into(), &0.into()));
    let table = rows(&folder, "m.csv");
    assert_eq!(table.len(), 20);
    assert!(table.iter().all(|(_, trusted, distrust)| trusted == "1" && distrust.is_empty()), "{table:?}");

    let capped = folder.run(&[&arguments[..], &["--set", "warm_start.impulse_cap=0.000001"]].concat());
    assert_eq!(capped.status.code(), Some(3));
    let printed = json(&String::from_utf8_lossy(&capped.stdout));
    let table = rows(&folder, "m.csv");
    assert_eq!((&printed["trusted"], table.len()), (&false.into(), 20));
    let (step, trusted, distrust) = table.last().expect("a row");
    assert!(distrust.contains("were cut down or reset before being carried on"), "{distrust}");
    assert_eq!((*step, trusted.as_str(), distrust.as_str()), (20, "0", reasons(&printed).as_str()));
    assert!(table.windows(2).all(|pair| pair[0].1 >= pair[1].1), "once lost, trust does not come back: {table:?}");
}

/// No step is made, so no metrics are there; the table still says why.
#[test]
fn the_csv_says_why_the_first_step_could_not_be_made() {
    let folder = Folder::new();
    folder.write(
        "crowd.ron",
        "(version: 1, title: \"Crowd\", settings: (preset: SingleStep, contact: (prediction: 1)), patterns: [Stack(name: \
         \"s\", body: (shape: Sphere(radius: 0.001), at: (0, 0, 1)), count: 700, spacing: (0, 0.00001, 0))])",
    );
    let output = folder.run(&["run", "crowd.ron", "--steps", "10", "--json", "--csv", "m.csv"]);
    assert_eq!(output.status.code(), Some(3));
    let printed = json(&String::from_utf8_lossy(&output.stdout));
    let table = rows(&folder, "m.csv");
    assert_eq!(table, [(0, "0".to_owned(), reasons(&printed))]);
    assert!(table[0].2.starts_with("Step 1 at 0.000 s failed: more than"), "{table:?}");
}
