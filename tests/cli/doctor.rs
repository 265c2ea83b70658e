//! The doctor, the stability and the checks on the command line.

use super::*;

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
