//! `check --claims`: tests of a scene's claims.

use super::*;

/// A ball in free fall from 4 m, and one at rest: after a time t its speed is g t and the height fallen ½ g t².
fn fall(claims: &str, experiment: &str) -> String {
    format!(
        r#"(
    version: 1,
    title: "Fall",
    claims: [{claims}],
    settings: (preset: SingleStep, step: (rate: 100, gravity: (0, 0, -10))),
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 2),
        (name: "post", shape: Sphere(radius: 0.1), at: (2, 0, 4), motion: Static),
    ],
    experiments: [(name: "Floats", set: (step: (gravity: (0, 0, 0))), claims: [{experiment}])],
)"#
    )
}

#[test]
fn claims_are_kept_or_broken_by_the_run() {
    let folder = Folder::new();
    let (held, failed) = (Some(0), Some(1));
    for (claim, code) in [
        // −3 m/s is passed at the 30th step, at 0.3 s; because of rounding only the 31st is certain.
        ("bodies.ball.vz < -2.95 m/s within 0.3 s", held),
        ("bodies.ball.vz < -3.05 m/s within 0.3 s", failed),
        ("bodies.ball.vz > -2.95 m/s until 0.29 s", held),
        ("bodies.ball.vz > -2.85 m/s until 0.29 s", failed),
        ("bodies.ball.vz = -2 m/s ± 1 % at 200 ms", held),
        ("bodies.ball.vz = -2.1 m/s ± 1 % at 20 steps", failed),
        // All of them, not any.
        ("bodies.*.z > 3.9 m until 0.1 s", held),
        ("bodies.*.z < 3.9 m within 0.3 s", failed),
        ("bodies.ball.z < bodies.post.z after 0.02 s until 1 s", held),
        // ½ g t² = 20 cm.
        ("change of bodies.ball.z = -20.9 cm ± 1 mm at 0.2 s", failed),
        ("change of bodies.ball.z = -20 cm ± 1 mm at 0.2 s", held),
        ("most bodies.ball.speed = 10 m/s ± 1 % until 1 s", held),
        ("mean bodies.ball.vz = -5 m/s ± 1 % until 1 s", held),
        // ½ m v² + m g z is kept.
        ("change of energy = -1 J ± 1 % at 1 s", failed),
        ("change of energy = 0 ± 1 mJ at 1 s", held),
        ("change of momentum_* = 0 ± 1e-6 until 1 s", failed),
        ("change of momentum_x = 0 ± 1e-6 until 1 s", held),
        // m g z falls by ½ m g² t²: 100 J in a second, 25 J in half of one.
        ("potential_energy falls 99 J within 2 s", held),
        ("potential_energy falls 99 J within 0.5 s", failed),
    ] {
        folder.write("fall.ron", &fall(&format!("\"{claim}\""), ""));
        let output = folder.run(&["check", "--claims", "fall.ron"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), code, "{claim}: {said}{}", err(&output));
        assert!(said.contains(claim), "{said}");
    }
}

#[test]
fn an_experiment_has_claims_of_its_own() {
    let folder = Folder::new();
    folder.write("fall.ron", &fall("\"bodies.ball.z < 0 m within 2 s\"", "\"change of bodies.*.z = 0 ± 1e-9\""));
    let output = folder.run(&["check", "--claims", "fall.ron", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<_> = printed.as_array().unwrap().iter().map(|line| line["experiment"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "Floats"]);
    assert!(printed[0]["value"].as_str().unwrap().starts_with('-'), "{printed}");
}

#[test]
fn a_claim_that_makes_no_sense_is_a_mistake_where_it_stands() {
    let folder = Folder::new();
    for (claim, says) in [
        ("bodies.bal.z < 1 m", "did you mean `ball`?"),
        ("bodies.ball.zz < 1 m", "no column of a body is called `zz`"),
        ("bodies.ball.z < 1 kg", "`kg` is no unit of it"),
        ("bodies.ball.z < 1 m after 7 s", "unless it says `until`"),
        ("most bodies.ball.z < 1 m at 2 s", "are of all steps"),
        ("rho < 1", "at one moment"),
    ] {
        folder.write("fall.ron", &fall(&format!("\"{claim}\""), ""));
        for arguments in [&["check", "fall.ron"][..], &["check", "--claims", "fall.ron"]] {
            let output = folder.run(arguments);
            assert_eq!(output.status.code(), Some(1), "{claim}");
            // The line and column of the claim in the text above.
            assert!(err(&output).starts_with("fall.ron:4:14: the claim"), "{claim}: {}", err(&output));
            assert!(err(&output).contains(says), "{claim}: {}", err(&output));
        }
    }
}

/// A plot of a nonexistent joint was empty, and a label of a nonexistent body was not shown: `check` once reported
/// neither.
#[test]
fn plots_and_labels_of_what_is_not_there_are_mistakes_where_they_stand() {
    let folder = Folder::new();
    for (field, line, says) in [
        (
            "plots: [(title: \"z\",\n curves: [\"energy\",\n \"bodies.bal.z\"])],",
            6,
            "no body is called `bal`, did you mean",
        ),
        ("plots: [(curves: [\"joints.pin.value\"])],", 4, "no joint is called `pin`"),
        ("plots: [(curves: [\"energy\"],\n against: \"contacts.ball+pst.force\")],", 5, "called `ball+pst`"),
        ("plots: [(curves: [\"bodies.ball.zz\"])],", 4, "no column of a body is called `zz`"),
        ("opens: (labels: [\n(over: \"bal\", says: \"it\")]),", 5, "no body is called `bal`, did you mean `ball`?"),
    ] {
        let text = fall("", "").replace("claims: [],\n    settings", &format!("{field}\n    settings"));
        folder.write("fall.ron", &text);
        let output = folder.run(&["check", "fall.ron"]);
        assert_eq!(output.status.code(), Some(1), "{field}: {}", err(&output));
        let printed = err(&output);
        assert!(printed.contains(says) && printed.contains(&format!("fall.ron:{line}:")), "{field}: {printed}");
    }
    let right = "plots: [(curves: [\"energy\", \"bodies.ball.z\", \"contacts.post.force\"])],";
    folder.write("fall.ron", &fall("", "").replace("claims: [],\n    settings", &format!("{right}\n    settings")));
    assert_eq!(folder.run(&["check", "fall.ron"]).status.code(), Some(0));
}
