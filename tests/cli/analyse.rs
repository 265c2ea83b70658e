//! `delassus analyse`: a mechanism over the travel of a joint.

use super::{Folder, err, json};

/// A slider–crank of r = 0.5 m and l = 2 m in line, and a double pendulum beside it.
const CRANK: &str = r#"(
    version: 1,
    title: "Crank <1>",
    settings: (preset: SingleStep),
    bodies: [
        (name: "crank", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.25, 0, 0), mass: 2, collide: false),
        (name: "rod", shape: Box(half: (1, 0.125, 0.125)), at: (1.5, 0, 0), mass: 1, collide: false),
        (name: "slider", shape: Box(half: (0.25, 0.125, 0.125)), at: (2.5, 0, 0), mass: 4, collide: false),
        (name: "upper", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.5, 5, 0), mass: 1, collide: false),
        (name: "lower", shape: Box(half: (0.25, 0.125, 0.125)), at: (1.5, 5, 0), mass: 1, collide: false),
    ],
    joints: [
        (name: "crank", b: "crank", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(motor: (speed: 1, max_torque: 5))),
        (name: "guide", b: "slider", axis: (1, 0, 0), kind: Prismatic),
        (name: "pin", a: "crank", b: "rod", anchor: (0.5, 0, 0), kind: BallSocket),
        (name: "wrist", a: "slider", b: "rod", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: ConstantVelocity),
        (name: "shoulder", b: "upper", anchor: (0, 5, 0), axis: (0, -1, 0), kind: Hinge),
        (name: "elbow", a: "upper", b: "lower", anchor: (1, 5, 0), axis: (0, -1, 0), kind: Hinge),
    ],
)"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("crank.ron", CRANK);
    folder
}

/// A column of a table by its heading.
fn column(table: &str, name: &str) -> Vec<f64> {
    let mut lines = table.lines();
    let heads: Vec<&str> = lines.next().expect("headings").split(',').collect();
    let at = heads.iter().position(|head| *head == name).unwrap_or_else(|| panic!("no {name} in {heads:?}"));
    lines.map(|line| line.split(',').nth(at).expect("a cell").parse().expect("a number")).collect()
}

/// The piston's place and speed by the closed form, in the table and in the text.
#[test]
fn a_turn_of_a_crank_is_a_table() {
    let folder = folder();
    let over = ["analyse", "crank.ron", "--over", "crank", "--samples", "12", "--speed", "2"];
    let table = folder.out(&[&over[..], &["--csv", "-"]].concat());
    let (theta, x, v) = (column(&table, "driven"), column(&table, "guide.value"), column(&table, "guide.speed"));
    assert_eq!(theta.len(), 13);
    for ((theta, x), v) in theta.iter().zip(x).zip(v) {
        let (s, c) = theta.sin_cos();
        let root = (4.0 - 0.25 * s * s).sqrt();
        assert!((x - (0.5 * c + root - 2.5)).abs() < 1e-10, "{theta}: {x}");
        assert!((v - 2.0 * (-0.5 * s - 0.25 * s * c / root)).abs() < 1e-10, "{theta}: {v}");
    }
    let text = folder.out(&over);
    assert!(text.contains("dead centre of guide at 180.0000°: it turns back at -1.00000 m"), "{text}");
    assert!(text.contains("motor of crank: has 5.00000 N·m, needs") && text.contains(": too little"), "{text}");
}

/// Read again as JSON: virtual work at rest, m g (r/2) of the crank and half the rod's, and the ratio at 90°.
#[test]
fn json_has_every_sample() {
    let over = ["analyse", "crank.ron", "--over", "crank", "--samples", "4", "--output", "guide", "--json"];
    let read = json(&folder().out(&over));
    assert_eq!((read["over"].as_str(), read["units"]["drive"].as_str()), (Some("crank"), Some("N·m")));
    assert_eq!((read["redundant_rows"].as_u64(), read["samples"].as_array().map(Vec::len)), (Some(0), Some(5)));
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let first = &read["samples"][0];
    assert!((number(&first["drive"]["still"]) - 9.81 * (2.0 * 0.25 + 0.25)).abs() < 1e-5, "{}", first["drive"]);
    assert!((number(&read["samples"][1]["ratio"]) + 0.5).abs() < 1e-10);
    assert!((number(&read["samples"][1]["advantage"]) + 2.0).abs() < 1e-9);
    assert_eq!(read["dead_centres"][1]["joint"], "guide");
    assert_eq!(read["samples"][1]["joints"]["guide"]["force"], serde_json::Value::Null, "by its times");
    assert!(read["samples"][1]["joints"]["guide"]["moving"]["force"].is_array());
}

#[test]
fn the_path_of_a_point_is_drawn() {
    let folder = folder();
    let files = ["--svg", "p.svg", "--dxf", "p.dxf", "--html", "p.html", "--plot", "plot.svg", "--csv", "p.csv"];
    let over = ["analyse", "crank.ron", "--over", "crank", "--samples", "24", "--point", "rod", "-0.5,0,0"];
    folder.out(&[&over[..], &files].concat());
    let (x, z) = (column(&folder.read("p.csv"), "point.x"), column(&folder.read("p.csv"), "point.z"));
    // A quarter of the way from the pin to the wrist: z = ¾ r sin θ.
    assert!((z[6] - 0.375).abs() < 1e-10 && (x[0] - 1.0).abs() < 1e-10, "{} {}", z[6], x[0]);
    let svg = folder.read("p.svg");
    assert!(svg.contains("<polyline") && svg.contains("Crank &lt;1&gt;: rod -0.5,0,0"), "{svg}");
    // Of 25 points the last closes the curve.
    assert_eq!(folder.read("p.dxf").matches("VERTEX").count(), 24);
    let page = folder.read("p.html");
    assert_eq!(
        (page.matches("<tr>").count(), page.matches("<polyline fill=\"none\" stroke=\"#0072b2\"").count()),
        (26, 1)
    );
    assert!(page.contains("<h1>Crank &lt;1&gt;</h1>") && !page.contains("Crank <1>"));
    assert!(folder.read("plot.svg").contains("Forces of joints"));
}

#[test]
fn what_cannot_be_analysed_says_why() {
    let folder = folder();
    let refused = |arguments: &[&str]| folder.refused(&[&["analyse", "crank.ron"], arguments].concat(), 2);
    let said = refused(&["--over", "crnak"]);
    assert!(said.contains("no joint is called `crnak`") && said.contains("crank, guide, pin, wrist"), "{said}");
    let said = refused(&["--over", "pin"]);
    assert!(
        said.contains("`pin` is a BallSocket, which has no single value to drive. These have one: crank, guide"),
        "{said}"
    );
    let said = refused(&["--over", "shoulder"]);
    assert!(said.contains("1 motion remains, of elbow. Hold other joints with --hold"), "{said}");
    let said = refused(&["--over", "crank", "--hold", "elbow"]);
    assert!(said.contains("--hold elbow: it does not belong to the mechanism of `crank`"), "{said}");
    let said = refused(&["--over", "guide"]);
    assert!(said.contains("give --from and --to in metres"), "{said}");
    for wrong in [
        &["--samples", "0"][..],
        &["--speed", "NaN"],
        &["--turns", "inf"],
        &["--from", "0"],
        &["--from", "3", "--to", "3"],
        &["--turns", "1", "--to", "3"],
        &["--point", "rod", "1,2"],
        &["--point", "nothing", "1,2,3"],
        &["--svg", "a.svg"],
        &["--point", "rod", "0,0,0", "--svg", "-"],
        &["--csv", "crank.ron"],
        &["--csv", "a.csv", "--html", "a.csv"],
        &["--plot", "a.txt"],
        &["--output", "pin"],
    ] {
        refused(&[&["--over", "crank"], wrong].concat());
    }
    folder.write("none.ron", r#"(version: 1, title: "t", bodies: [], joints: [])"#);
    let said = folder.refused(&["analyse", "none.ron", "--over", "crank"], 2);
    assert!(said.contains("The scene has no joint"), "{said}");
    folder.out(&["analyse", "crank.ron", "--over", "shoulder", "--hold", "elbow"]);
}

/// The piston cannot drive where crank and rod are in line, as they are in this scene.
#[test]
fn a_piston_at_its_dead_centre_drives_nothing() {
    let folder = folder();
    let output = folder.run(&["analyse", "crank.ron", "--over", "guide", "--from", "0", "--to", "-0.5"]);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("`guide` cannot move at its start: it is at a dead centre"), "{}", err(&output));
}

/// The mechanisms of the library.
#[test]
fn the_library_has_mechanisms_to_analyse() {
    let folder = Folder::new();
    let said = folder.out(&["analyse", "lab/09-slider-crank", "--over", "free motor", "--speed", "3"]);
    assert!(said.contains("dead centre of free guide at 180.0000°: it turns back at -1.00000 m"), "{said}");
    let said = folder.out(&["analyse", "lab/09-slider-crank", "--over", "hinged motor", "--samples", "4"]);
    assert!(said.contains("3 rows repeat others") && said.contains("18.2100°"), "{said}");
    // Its text says 60.3°, from acos(−0.067) − acos(0.833).
    let said = folder.out(&["analyse", "lab/10-four-bar", "--over", "motor"]);
    assert!(said.contains("turns back at -6.55196°") && said.contains("turns back at 53.7133°"), "{said}");
    let watt = ["analyse", "lab/12-watt", "--over", "left pivot", "--from", "-10", "--to", "90"];
    let said = folder.out(&watt);
    assert!(said.contains("stopped at 29.2776°, a dead centre"), "{said}");
}
