//! `compare` and `sweep`.

use super::*;

fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
}

#[test]
fn equal_settings_show_no_difference_and_others_the_step_at_which_they_part() {
    let folder = Folder::new();
    let same = folder.run(&["compare", "scene.ron", "--seconds", "1", "--epsilon", "0"]);
    assert!(same.status.success(), "{}", String::from_utf8_lossy(&same.stderr));
    let printed = lines(&same.stdout);
    let farthest = printed.iter().find(|line| line.starts_with("farthest")).expect("the distance is told");
    assert!(farthest.ends_with("0.0000e0"), "{farthest}");
    assert!(printed.iter().any(|line| line == "b stays within 0 m of a"), "{printed:?}");
    // Without gravity the bob stays where it is; with it, the bob has fallen by about g h² n(n+1)/2 along its circle
    // after n steps, which first exceeds 1 mm for n = 1 at 100 Hz (0.98 mm) or n = 2 (2.9 mm).
    let other = ["compare", "scene.ron", "--b", "step.gravity=(0, 0, 0)", "--seconds", "0.5", "--csv", "both.csv"];
    let other = folder.run(&other);
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stderr));
    let printed = lines(&other.stdout);
    assert!(printed.iter().any(|line| line == "b leaves a by more than 0.001 m at step 2"), "{printed:?}");
    let table = folder.read("both.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heads = rows.headers().expect("headings").clone();
    let column = |name: &str| heads.iter().position(|head| head == name).expect("the column");
    let records: Vec<_> = rows.records().map(|record| record.expect("a line")).collect();
    assert_eq!(records.len(), 50);
    let number = |record: &csv::StringRecord, name: &str| record[column(name)].parse::<f64>().expect("a number");
    assert!(number(&records[49], "b.kinetic_energy").abs() < 1e-12);
    assert!(number(&records[49], "a.kinetic_energy") > 0.1 && number(&records[49], "b.distance") > 0.1);
}

/// The drawing has both runs by their letters, in four panels with their units.
#[test]
fn runs_are_drawn_over_each_other() {
    let folder = Folder::new();
    let compare = ["compare", "scene.ron", "--b", "solver.iterations=1", "--seconds", "0.5", "--plot"];
    folder.out(&[&compare[..], &["both.svg"]].concat());
    let svg = folder.read("both.svg");
    for words in ["Joint error", "Penetration", "Energy, change", "Distance from a", "time (s)", "Two boxes"] {
        assert!(svg.contains(words), "{words}");
    }
    #[cfg(feature = "gui")]
    {
        folder.out(&[&compare[..], &["both.png"]].concat());
        let picture = image::open(folder.path("both.png")).unwrap().into_rgb8();
        let ink = |color: [u8; 3]| picture.pixels().filter(|pixel| pixel.0 == color).count();
        assert!(ink([0, 114, 178]) > 100 && ink([213, 94, 0]) > 100, "both curves");
    }
    assert!(folder.refused(&[&compare[..], &["both.jpg"]].concat(), 2).contains(".svg"));
    assert!(folder.refused(&[&compare[..], &["no/such/both.svg"]].concat(), 1).contains("no/such/both.svg"));
}

#[test]
fn a_sweep_has_a_line_for_each_cell_and_shards_share_them() {
    let folder = Folder::new();
    let sweep = |more: &[&str]| {
        let all = [
            "sweep",
            "scene.ron",
            "--x",
            "solver.iterations=1..3",
            "--y",
            "step.substeps=1,2",
            "--metric",
            "kinetic_energy",
            "--seconds",
            "0.2",
        ];
        let out = folder.run(&[&all, more].concat());
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        lines(&out.stdout)
    };
    let whole = sweep(&[]);
    assert_eq!(whole[0], "solver.iterations,step.substeps,kinetic_energy");
    assert_eq!(whole.len(), 7);
    let (one, two) = (sweep(&["--shard", "1/2"]), sweep(&["--shard", "2/2"]));
    assert_eq!((one.len(), two.len()), (4, 4));
    let mut shared: Vec<String> = one[1..].iter().chain(&two[1..]).cloned().collect();
    let mut all = whole[1..].to_vec();
    shared.sort();
    all.sort();
    assert_eq!(shared, all);
    // A cell equals the result of a run with these settings.
    let run = folder.run(&[
        "run",
        "scene.ron",
        "--set",
        "solver.iterations=2",
        "--set",
        "step.substeps=2",
        "--steps",
        "20",
        "--csv",
        "run.csv",
    ]);
    assert!(run.status.success());
    let table = folder.read("run.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let column = rows.headers().unwrap().iter().position(|head| head == "kinetic_energy").unwrap();
    let most = rows.records().map(|record| record.unwrap()[column].parse::<f64>().unwrap()).fold(0.0, f64::max);
    let cell = whole.iter().find(|line| line.starts_with("2,2,")).expect("the cell");
    assert_eq!(cell.rsplit(',').next().unwrap().parse::<f64>().unwrap(), most);
}
