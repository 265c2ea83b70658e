//! A user's own lessons, checked on the command line: every mistake is reported with its line.

use super::*;

/// Every field with a mistake, and its message.
const WRONG: [(&str, &str); 28] = [
    ("(", ""),
    ("    title: \"\",", "`title` says nothing"),
    ("    scene: \"scene\",", ""),
    ("    sceen: \"scene\",", "unknown field `sceen`, did you mean `scene`?"),
    ("    question: 3,", "expected"),
    ("    prediction: (ask: \"Which?\", choices: [\"One\", \"Two\"],", ""),
    (
        "        draw: Curve(of: \"energy\", seconds: 0, range: (0, 1)),",
        "expected more than 0 and at most 120 seconds, not 0",
    ),
    ("        right: 2),", "expected 0 to 1, not 2"),
    ("    trials: [", ""),
    ("        (say: \"As it opens\"),", ""),
    ("        (say: \"\", experiment: \"Cold\"),", "`say` says nothing"),
    ("        (say: \"With\", experiment: \"Hot\"),", "no experiment of the scene is called `Hot`"),
    ("        (say: \"Fast\", speed: 100),", "expected 0.01 to 10 simulated seconds a second, not 100"),
    ("        (say: \"Late\", seconds: 1000),", "expected more than 0 and at most 120 seconds, not 1000"),
    ("        (say: \"Two\", beside: \"Hot\"),", "no experiment of the scene is called `Hot`"),
    ("        (say: \"Same\", beside: \"\"),", "both runs would be the same"),
    ("        (say: \"Far\", steps: 1000),", "expected 1 to 240 steps"),
    (
        "        (say: \"See\", select: \"bab\"),",
        "no joint and no body of the scene is called `bab`, did you mean `bob`?",
    ),
    ("        (say: \"See\", tab: Row),", "did you mean `Rows`?"),
    ("        (say: \"See\", system: \"Mine\"),", "no system is called `Mine`"),
    ("    ],", ""),
    ("    happened: \"It swung.\",", ""),
    ("    why: [Words(\"So:\"),", ""),
    ("        Formula(r\"\\frac{a}{\"),", "this LaTeX cannot be set"),
    ("    ],", ""),
    ("    live: (of: \"nobody\", letters: [(\"q\", Gap)]),", "no formula has the letter `q`"),
    ("    read: [\"math: No such section\"],", "no section is called `math: No such section`"),
    (")", ""),
];

#[test]
fn every_mistake_of_a_lesson_is_told_with_its_line() {
    let folder = Folder::new();
    folder.write("scene.ron", &SCENE.replacen("bodies:", "experiments: [(name: \"Cold\")], bodies:", 1));
    let text: String = WRONG.iter().map(|(line, _)| format!("{line}\n")).collect();
    folder.write("lesson.ron", &text);
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    for (number, (line, told)) in WRONG.iter().enumerate().filter(|(_, (_, told))| !told.is_empty()) {
        let at = format!("lesson.ron:{}:", number + 1);
        assert!(said.lines().any(|l| l.starts_with(&at) && l.contains(told)), "{at} {line}: {told}\n{said}");
    }
    assert!(said.contains("no joint and no body of the scene is called `nobody`"), "{said}");
    // Without --check it is not opened either.
    assert_eq!(folder.refused(&["lesson", "lesson.ron"], 1), said);
}

#[test]
fn the_lesson_of_the_manual_has_no_mistakes_and_its_scene_does_what_it_says() {
    let folder = Folder::new();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let path = |name: &str| examples.join(name).display().to_string();
    let told = folder.out(&["lesson", &path("lesson.ron"), "--check"]);
    assert!(told.contains("“A quarter of the length”, 2 trials, no mistakes"), "{told}");
    folder.out(&["check", "--claims", &path("two-pendulums.ron")]);
    // The manual contains the same text.
    let manual = std::fs::read_to_string(examples.join("../teaching.md")).unwrap();
    let example = std::fs::read_to_string(path("lesson.ron")).unwrap();
    assert!(example.lines().all(|line| manual.contains(line)), "docs/teaching.md has another one");
    let exercise = examples.join("../../scenes/lessons/try-3-beta.ron");
    let example = std::fs::read_to_string(&exercise).unwrap();
    assert!(example.lines().all(|line| manual.contains(line)), "docs/teaching.md has another exercise");
}

#[test]
fn an_exercise_is_checked_by_running_its_scene() {
    let folder = Folder::new();
    folder.write(
        "fall.ron",
        r#"(version: 1, title: "Fall", settings: (step: (rate: 100, gravity: (0, 0, -10))),
            bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 2)])"#,
    );
    // After 0.2 s the ball falls with 0.2 s · g.
    let with = |claim: &str, gravity: &str| {
        let text = format!(
            r#"(title: "T", scene: "fall", question: "Q", exercise: (task: "Do", goal: Hold(claims: [("Slow", "{claim}")],
                controls: ["step.gravity"], solution: (step: (gravity: (0, 0, {gravity}))))))"#
        );
        folder.write("lesson.ron", &text);
    };
    let slow = "bodies.ball.vz > -1.5 m/s until 0.2 s";
    with(slow, "-5");
    let told = folder.out(&["lesson", "lesson.ron", "--check"]);
    assert!(told.contains("“T”, 0 trials, an exercise, no mistakes"), "{told}");
    with(slow, "-9");
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    assert!(said.contains("with the solution, `bodies.ball.vz > -1.5 m/s until 0.2 s` fails: -1.5"), "{said}");
    with("bodies.ball.vz > -2.5 m/s until 0.2 s", "-5");
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    assert!(said.contains("it is solved as it begins"), "{said}");
    with("bodies.bal.vz > -2.5 m/s until 0.2 s", "-5");
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    assert!(said.contains("lesson.ron:1:") && said.contains("no body is called `bal`, did you mean `ball`?"), "{said}");
}

/// Every field of an exercise with a mistake, and its message.
#[test]
fn every_mistake_of_an_exercise_is_told_with_its_line() {
    let folder = Folder::new();
    folder.write("scene.ron", SCENE);
    let wrong = [
        ("(title: \"T\", scene: \"scene\", question: \"Q\", exercise: (", ""),
        ("    task: \"\",", "`task` says nothing"),
        ("    goal: Hold(claims: [(\"\", \"energy > 0\")],", "the words of this claim say nothing"),
        ("        controls: [\"solver.sweeps\", \"warm_start.enabled\"],", "no setting is called `solver.sweeps`"),
        ("        least: [\"warm_start.enabled\",", "`warm_start.enabled` is not a number"),
        ("            \"step.rate\"],", "`step.rate` is not among `controls`"),
        (
            "        solution: (step: (rate: 30))),",
            "the solution changes settings that are not among `controls`: step.rate",
        ),
        ("    hints: [\"Look\", \"\"]))", "this hint says nothing"),
    ];
    let text: String = wrong.iter().map(|(line, _)| format!("{line}\n")).collect();
    folder.write("lesson.ron", &text);
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    for (number, (line, told)) in wrong.iter().enumerate().filter(|(_, (_, told))| !told.is_empty()) {
        let at = format!("lesson.ron:{}:", number + 1);
        assert!(said.lines().any(|l| l.starts_with(&at) && l.contains(told)), "{at} {line}: {told}\n{said}");
    }
}

#[test]
fn a_lesson_may_be_of_a_scene_of_the_library_and_of_none_that_is_not() {
    let folder = Folder::new();
    let with = |scene: &str| {
        let lesson = r#"(title: "T", scene: "SCENE", question: "Q", prediction: (ask: "A", choices: ["1", "2"], right: 0),
            trials: [(say: "S")], happened: "H", why: [])"#;
        folder.write("lesson.ron", &lesson.replace("SCENE", scene));
    };
    for scene in ["scene", "scene.ron", "book/09-chain", "book/chain"] {
        with(scene);
        folder.out(&["lesson", "lesson.ron", "--check"]);
    }
    with("book/9-chain");
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    assert!(said.contains("lesson.ron:1:21: no file beside this one") && said.contains("`book/09-chain`"), "{said}");
    folder.write("broken.ron", "(version: 1, title: \"B\", bodies: [(name: 3)])");
    with("broken");
    let said = folder.refused(&["lesson", "lesson.ron", "--check"], 1);
    assert!(said.contains("has mistakes of its own") && said.contains("broken.ron:1:"), "{said}");
    let said = folder.refused(&["lesson", "absent.ron"], 1);
    assert!(said.contains("there is no such file"), "{said}");
}
