//! Whether a run failed: conditions, exit codes, and the extremes of a run.

use super::*;

/// A ball in free fall from 4 m, whose motion is known.
const FALL: &str = r#"(
    version: 1,
    title: "Fall",
    settings: (preset: SingleStep, step: (rate: 100)),
    bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 2)],
)"#;
const G: f64 = 9.81;
const H: f64 = 0.01;

#[test]
fn a_condition_that_holds_is_four() {
    let folder = Folder::new();
    folder.write("fall.ron", FALL);
    let run = |condition: &str| {
        let output = folder.run(&["run", "fall.ron", "--steps", "100", "--fail-if", condition]);
        (output.status.code().unwrap(), err(&output), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // After n steps its speed is n g h: 3 m/s is passed at the 31st step.
    let (code, said, out) = run("bodies.ball.vz < -3");
    let step = (3.0 / (G * H)).ceil() as u64;
    assert_eq!(code, 4, "{said}");
    assert!(said.contains(&format!("failed: bodies.ball.vz < -3: ball -3.0411 at step {step}, 0.310 s")), "{said}");
    assert!(said.contains(&format!("at {} steps in all", 101 - step)), "{said}");
    assert!(out.contains("state hash"), "the summary is still told: {out}");
    // 100 steps: 9.81 m/s.
    for (condition, code) in [
        ("bodies.ball.vz < -9.8101", 0),
        ("bodies.*.vz<-9.8099", 4),
        ("bodies.*.vz < -3 after 2", 1),
        ("bodies.*.vz > -3 after 0.5", 0),
        ("bodies.*.vz > -3 at end", 0),
        ("bodies.*.vz > -3", 4),
        ("momentum_z < -19.6", 4),
        ("momentum_z < -19.7", 0),
        ("kinetic_energy > 1e3", 0),
        ("joint_error_max > 5e-3", 0),
        ("contacts != 0", 0),
        // Never measured, or nothing to measure: the condition was not met, but that is no pass.
        ("radius > 1", 1),
        ("joints.*.force > 1", 1),
    ] {
        let (found, said, _) = run(condition);
        assert_eq!(found, code, "{condition}: {said}");
    }
}

#[test]
fn any_of_several_conditions_fails_the_run() {
    let folder = Folder::new();
    let run = |extra: &[&str]| folder.run(&[&["run", "scene.ron", "--steps", "50"], extra].concat());
    let fine = ["--fail-if", "joint_error_max > 5e-3", "--fail-if", "joints.post-bob.at != \"\""];
    assert_eq!(run(&fine).status.code(), Some(0), "{}", err(&run(&fine)));
    let output = run(&[&fine[..], &["--fail-if", "joints.post-bob.force > 1", "--fail-if", "rows == 5"]].concat());
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(err(&output).lines().count(), 2, "{}", err(&output));
    let printed = json(&String::from_utf8_lossy(&run(&["--json", "--fail-if", "rows == 5"]).stdout));
    assert!(printed["failed"][0].as_str().unwrap().starts_with("rows == 5: 5 at step 1"), "{}", printed["failed"]);
}

#[test]
fn a_condition_that_makes_no_sense_is_misuse() {
    let folder = Folder::new();
    for (condition, hint) in [
        ("joint_eror_max > 1", "did you mean `joint_error_max`"),
        ("joints.post-bop.force > 1", "did you mean `post-bob`"),
        ("bodies.bib.z > 1", "did you mean `bob`"),
        ("energy > much", "finite number"),
    ] {
        let said = folder.refused(&["run", "scene.ron", "--fail-if", condition], 2);
        assert!(said.contains(hint), "{condition}: {said}");
    }
}

/// Thrown up at 5 m/s, the ball turns when its speed is used up, where its kinetic energy is least.
#[test]
fn the_summary_has_the_runs_extremes_beside_the_end() {
    let folder = Folder::new();
    folder.write("throw.ron", &FALL.replace("mass: 2", "mass: 2, velocity: (0, 0, 5)"));
    let printed = json(&folder.out(&["run", "throw.ron", "--steps", "100", "--json"]));
    let (maxima, minima) = (&printed["maxima"], &printed["minima"]);
    // z = 4 + v t − ½ g t²; the highest point is that of the step nearest to t = v/g.
    let top = (5.0 / (G * H)).round();
    let height = 4.0 + 5.0 * top * H - 0.5 * G * (top * H).powi(2);
    assert_eq!(maxima["potential_energy"]["step"].as_f64(), Some(top));
    let most = maxima["potential_energy"]["value"].as_f64().unwrap();
    assert!((most - 2.0 * G * height).abs() < 1e-3, "{most} against {}", 2.0 * G * height);
    let least = minima["kinetic_energy"]["step"].as_f64().unwrap();
    assert!((least - 5.0 / (G * H)).abs() <= 0.5, "{least}");
    assert_eq!(maxima["momentum_z"]["step"], 1);
    assert_eq!((&printed["trusted"], &printed["distrust"]), (&serde_json::json!(true), &serde_json::json!([])));
    let text = folder.out(&["run", "throw.ron", "--steps", "100"]);
    assert!(text.contains(&format!(" J, at most {most:.6} J at {:.3} s", top * H)), "{text}");
}

/// Sweeps that diverge leave a joint open: the run ends with its own exit code and gives the reason.
#[test]
fn a_run_whose_sweeps_diverge_is_three() {
    let folder = Folder::new();
    // Jacobi far beyond its stability bound.
    let wild = ["solver.method=Jacobi", "solver.jacobi=Manual", "solver.relaxation=2", "solver.iterations=100"];
    let wild: Vec<&str> = wild.iter().flat_map(|set| ["--set", set]).collect();
    folder.write("two.ron", &SCENE.replace("joints: [", r#"joints: [(a: "post", b: "bob", kind: Fixed), "#));
    let output = folder.run(&[&["run", "two.ron", "--steps", "50", "--json"], &wild[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(err(&output).contains("not to be trusted: post-bob gapes"), "{}", err(&output));
    let printed = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(printed["trusted"], false);
}

/// A wheel inside a chassis with which it collides: the reason names the overlap from which the scene begins, as the doctor
/// does, beside what came of it.
#[test]
fn a_run_that_cannot_be_trusted_names_the_overlap_from_which_it_began() {
    let folder = Folder::new();
    folder.write(
        "car.ron",
        r#"(version: 1, title: "Car", bodies: [
            (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
            (name: "chassis", shape: Box(half: (1, 0.5, 0.3)), at: (0, 0, 0.5), mass: 100),
            (name: "wheel", shape: Sphere(radius: 0.3), at: (0.8, 0.4, 0.3), mass: 10),
        ], joints: [(name: "axle", a: "chassis", b: "wheel", anchor: (0.8, 0.4, 0.3), axis: (0, 1, 0), collide: true,
            kind: Hinge())])"#,
    );
    let output = folder.run(&["run", "car.ron", "--seconds", "0.5"]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
    assert!(
        err(&output).contains("not to be trusted: chassis and wheel overlap by 400 mm at the start"),
        "{}",
        err(&output)
    );
}

/// A run ends at the step in which a body runs away, and names both; its tables end there.
#[test]
fn a_run_that_is_not_finite_stops_and_names_the_body_and_the_step() {
    let folder = Folder::new();
    // 99940 m/s, increased by 1000 m/s² in steps of 0.01 s: in the middle of the seventh step it is above 1e5 m/s.
    let fast = FALL
        .replace("mass: 2", "mass: 2, velocity: (0, 0, -99940)")
        .replace("rate: 100", "rate: 100, gravity: (0, 0, -1000)");
    folder.write("fast.ron", &fast);
    let output = folder.run(&["run", "fast.ron", "--steps", "100", "--csv", "t.csv"]);
    assert_eq!(output.status.code(), Some(3));
    let step = (60.0_f64 / (1000.0 * H) + 0.5).ceil() as usize;
    assert!(err(&output).contains(&format!("not to be trusted: ball ran away at step {step}")), "{}", err(&output));
    let table = folder.read("t.csv");
    assert_eq!(table.lines().count(), 1 + step);
    assert!(!table.contains("NaN") && !table.contains("inf"), "{table}");
}
