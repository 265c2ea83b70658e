//! The numbers in the texts: scenes, experiments and lessons may state a measured number only if a claim measures it.
//!
//! A number with a unit needs support, and so does a decimal number without one; a list shares the unit of its last
//! number. A claim supports it if the number is one of its bounds, tolerances or times, as precisely as the text
//! states it: within the claim's own tolerance, or less than 15 % beyond it where the claim is one-sided. The text of
//! an experiment is supported by its own claims and the scene's, that of a scene and of its lessons by all claims of
//! the file. A size, speed, angle or force may instead occur in the file itself, but a time, an energy and a share
//! may not; a number beside an equals sign or inside a formula is computed there, and multiples of 45° are
//! directions. Everything else is listed in `exceptions.ron`, with a reason for each.

mod number;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use delassus::scene::{self, Scene, lesson, library};
use number::{Told, claimed, given, told};
use serde::Deserialize;

/// A scene or lesson whose text has numbers that no claim supports, and why that is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    /// The scene, which includes its lessons, or `lessons/NAME`.
    of: String,
    numbers: Vec<String>,
    because: String,
}

/// One text, with the claims that may support it.
struct Text {
    place: String,
    scene: String,
    words: String,
    claims: Vec<String>,
}

fn root() -> PathBuf {
    library::scenes_folder()
}

/// The texts of a scene and of its experiments; the experiments' names count as settings.
fn of_scene(id: &str, scene: &Scene) -> Vec<Text> {
    let experiments = scene.experiments.iter();
    let all: Vec<String> = scene.claims.iter().chain(experiments.clone().flat_map(|e| &e.claims)).cloned().collect();
    let own = [scene.about.clone(), scene.look_for.clone()].into_iter();
    let labels = scene.opens.labels.iter().map(|label| label.says.clone());
    let idle = scene.opens.idle.iter().map(|idle| idle.because.clone());
    let plots = scene.plots.iter().map(|plot| plot.title.clone());
    let text = |place: String, words: String, claims: Vec<String>| Text { place, scene: id.into(), words, claims };
    let own = own.chain(labels).chain(idle).chain(plots).map(|words| text(id.into(), words, all.clone()));
    let tried = experiments.map(|experiment| {
        let claims = scene.claims.iter().chain(&experiment.claims).cloned().collect();
        text(format!("{id} “{}”", experiment.name), experiment.about.clone(), claims)
    });
    own.chain(tried).collect()
}

/// The texts of a lesson, without the wrong answers to its predictions.
fn of_lesson(lesson: &lesson::Lesson, scene: &Scene) -> Vec<Text> {
    let experiments = scene.experiments.iter();
    let all: Vec<String> = scene.claims.iter().chain(experiments.flat_map(|e| &e.claims)).cloned().collect();
    let said = [&lesson.question, &lesson.prediction.ask, &lesson.happened];
    let said = said.into_iter().chain(lesson.prediction.choices.get(lesson.prediction.right));
    let why = lesson.why.iter().filter_map(|line| match line {
        lesson::Paragraph::Words(words) => Some(words),
        lesson::Paragraph::Formula(_) => None,
    });
    let words = said.chain(lesson.trials.iter().map(|trial| &trial.say)).chain(why);
    let place = format!("lessons/{}", lesson.id);
    words
        .map(|words| Text {
            place: place.clone(),
            scene: lesson.scene.clone(),
            words: words.clone(),
            claims: all.clone(),
        })
        .collect()
}

fn read(path: &Path) -> Scene {
    scene::read(path).unwrap_or_else(|e| panic!("{}: {e:?}", path.display())).scene
}

fn text_of(id: &str) -> String {
    let path = root().join(format!("{id}.ron"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn behind_every_measured_number_of_a_text_stands_a_claim() {
    let mut texts = Vec::new();
    for entry in scene::library(&root()) {
        texts.extend(of_scene(&entry.id, &read(&entry.path)));
    }
    for lesson in lesson::all(&root()) {
        let scene = read(&root().join(format!("{}.ron", lesson.scene)));
        texts.extend(of_lesson(&lesson, &scene));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers_in_words/exceptions.ron");
    let exceptions: Vec<Exception> = ron::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(exceptions.iter().all(|exception| !exception.because.is_empty()));
    let (mut used, mut numbers, mut bare) = (BTreeSet::new(), 0, Vec::new());
    for text in &texts {
        let in_file = given(&text_of(&text.scene));
        let claims: Vec<_> = text.claims.iter().flat_map(|claim| claimed(claim)).collect();
        for number in told(&text.words) {
            numbers += 1;
            if number.is_computed || number.is_direction() || number.is_behind(&claims) || number.is_in(&in_file) {
                continue;
            }
            let place = text.place.split(" “").next().unwrap_or_default();
            let mut excepted = false;
            for exception in exceptions.iter().filter(|e| e.of == text.scene || e.of == place) {
                if exception.numbers.contains(&number.shown) {
                    used.insert((exception.of.clone(), number.shown.clone()));
                    excepted = true;
                }
            }
            if !excepted {
                bare.push(format!("{}: {}, in: {}", text.place, number.shown, text.words));
            }
        }
    }
    assert!(numbers > 900, "{numbers} numbers: they were not found");
    assert!(bare.is_empty(), "{} numbers without a claim:\n{}", bare.len(), bare.join("\n"));
    let listed = exceptions.iter().flat_map(|e| e.numbers.iter().map(|number| (e.of.clone(), number.clone())));
    let idle: Vec<_> = listed.filter(|listed| !used.contains(listed)).collect();
    assert!(idle.is_empty(), "exceptions that nothing needs any more: {idle:?}");
}

/// The rule itself, on numbers that it has to tell apart.
#[test]
fn a_claim_stands_behind_a_number_as_finely_as_the_words_tell_it() {
    let one = |words: &str| -> Told { told(words).pop().unwrap() };
    let by = |words: &str, claim: &str| one(words).is_behind(&claimed(claim));
    assert!(by("open by 5.5 mm", "joint_error_max = 5.5 mm ± 0.3 mm at 10 s"));
    assert!(by("open by 5.5 mm", "joint_error_max = 0.55 cm ± 1 mm"));
    assert!(by("stays below 5 mm", "joint_error_max < 5.2 mm"));
    assert!(!by("open by 5.5 mm", "joint_error_max < 1 m"));
    assert!(!by("open by 5.5 mm", "bodies.a.vx = 5.5e-3 m/s ± 1 %"));
    assert!(by("14 % are gone", "change of energy = -14 % ± 0.5 % at 10 s"));
    assert!(by("kept to 3 mJ", "change of energy = 0 ± 3 mJ until 10 s"));
    let list: Vec<_> = told("16, 20 and 26 cm after 10 s, 3 times").into_iter().map(|number| number.shown).collect();
    assert_eq!(list, ["16 cm", "20 cm", "26 cm", "10 s"]);
    assert!(one("μ g/ω² = 2.2 m").is_computed && !one("it goes 2.2 m").is_computed);
    assert!(one("a box of 1 m").is_in(&given("half: (0.5, 0.5, 0.5)")));
    assert!(!one("after 0.5 s").is_in(&given("half: (0.5, 0.5, 0.5)")));
    assert!(by("ρ is 0.985", "rho = 0.985471 ± 1e-3") && !by("ρ is 0.985", "joint_error_max = 0.985 m ± 1 %"));
    assert!(told("5 boxes").is_empty() && told("2.5 boxes").len() == 1);
    assert!(one("leans by 30°").is_in(&given("angle: Degrees(30)")));
}
