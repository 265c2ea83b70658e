//! The numbers in the texts: scenes, experiments and lessons may state a measured number only if a claim measures it.
//!
//! A number with a unit needs support, and so does a decimal number without one; a list shares the unit of its last
//! number. A claim supports it if the number is one of its bounds, tolerances or times, as precisely as the text
//! states it: within the claim's own tolerance. A one-sided claim, or the tolerance of one, supports only words that
//! are a bound themselves ("within", "at most"), and less than 15 % beyond them. The text of an experiment is
//! supported by its own claims and the scene's, that of a scene and of its lessons by all claims of the file. A size,
//! speed, angle or force may instead occur in the file itself, but a time, an energy and a share may not; a number
//! beside an equals sign or inside a formula is computed there, and multiples of 45° are directions. Everything else
//! is listed in `exceptions.ron`, with a reason for each.
//!
//! Numbers that are written out count as well ("half a metre", "ten seconds"), and so do ratios ("twice", "a third of",
//! "ten times"). A ratio is supported by two claims with a tolerance that differ in one thing only (the run, the moment
//! or the body) and have that ratio to 10 %, by one claim that states it as a share, or, for sweeps, steps and work, by
//! the settings of the experiments. An exception to a ratio is named by the words that it begins with.

mod count;
mod number;
mod ratio;
mod things;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use delassus::physics::settings::Settings;
use delassus::scene::{self, Loaded, Scene, lesson, library};
use number::{Told, claimed, given, told};
use ratio::{settings, value, written};
use serde::Deserialize;
use things::{Meaning, Things};

/// A scene or lesson whose text has numbers that no claim supports, and why that is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exception {
    /// The scene, which includes its lessons, or `lessons/NAME`.
    of: String,
    numbers: Vec<String>,
    because: String,
}

/// One text, with the claims of its file by their runs: those of the scene, then of each experiment.
struct Text {
    place: String,
    scene: String,
    words: String,
    runs: Vec<Vec<String>>,
    /// The experiment that it is about; all of them, where there is none.
    of: Option<usize>,
}

impl Text {
    /// Every claim, its run, and whether the text goes by it.
    fn claims(&self) -> impl Iterator<Item = (usize, &str, bool)> {
        let by = move |run: usize| run == 0 || self.of.is_none_or(|of| of == run);
        let runs = self.runs.iter().enumerate();
        runs.flat_map(move |(run, claims)| claims.iter().map(move |claim| (run, claim.as_str(), by(run))))
    }
}

fn root() -> PathBuf {
    library::scenes_folder()
}

fn runs(scene: &Scene) -> Vec<Vec<String>> {
    [scene.claims.clone()].into_iter().chain(scene.experiments.iter().map(|tried| tried.claims.clone())).collect()
}

/// The words of a scene and of its experiments; their names are settings.
fn of_scene(id: &str, scene: &Scene) -> Vec<Text> {
    let runs = runs(scene);
    let own = [scene.about.clone(), scene.look_for.clone()].into_iter();
    let labels = scene.opens.labels.iter().map(|label| label.says.clone());
    let idle = scene.opens.idle.iter().map(|idle| idle.because.clone());
    let plots = scene.plots.iter().map(|plot| plot.title.clone());
    let text = |place: String, words: String, of: Option<usize>| Text {
        place,
        scene: id.into(),
        words,
        runs: runs.clone(),
        of,
    };
    let own = own.chain(labels).chain(idle).chain(plots).map(|words| text(id.into(), words, None));
    let tried = scene.experiments.iter().enumerate().map(|(index, experiment)| {
        text(format!("{id} “{}”", experiment.name), experiment.about.clone(), Some(index + 1))
    });
    own.chain(tried).collect()
}

/// The texts of a lesson, without the wrong answers to its predictions.
fn of_lesson(lesson: &lesson::Lesson, scene: &Scene) -> Vec<Text> {
    let said = [&lesson.question, &lesson.prediction.ask, &lesson.happened];
    let said = said.into_iter().chain(lesson.prediction.choices.get(lesson.prediction.right));
    let why = lesson.why.iter().filter_map(|line| match line {
        lesson::Paragraph::Words(words) => Some(words),
        lesson::Paragraph::Formula(_) => None,
    });
    let words = said.chain(lesson.trials.iter().map(|trial| &trial.say)).chain(why);
    let text = |words: &String| Text {
        place: format!("lessons/{}", lesson.id),
        scene: lesson.scene.clone(),
        words: words.clone(),
        runs: runs(scene),
        of: None,
    };
    words.map(text).collect()
}

fn read(path: &Path) -> Loaded {
    scene::read(path).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()))
}

fn text_of(id: &str) -> String {
    let path = root().join(format!("{id}.ron"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn behind_every_measured_number_of_a_text_stands_a_claim() {
    let (mut texts, mut scenes) = (Vec::new(), BTreeMap::new());
    for entry in scene::library(&root()) {
        let loaded = read(&entry.path);
        texts.extend(of_scene(&entry.id, &loaded.scene));
        scenes.insert(entry.id, (Things::of(&loaded), loaded.scene));
    }
    for lesson in lesson::all(&root()) {
        let (_, scene) = &scenes[&lesson.scene];
        texts.extend(of_lesson(&lesson, scene));
    }
    if let Ok(out) = std::env::var("DUMP") {
        probe(&texts, &scenes, &out);
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers_in_words/exceptions.ron");
    let exceptions: Vec<Exception> = ron::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(exceptions.iter().all(|exception| !exception.because.is_empty()));
    let defaults = format!("{:?}", Settings::default());
    let (mut used, mut numbers, mut ratios, mut bare) = (BTreeSet::new(), 0, 0, Vec::new());
    for text in &texts {
        let file = text_of(&text.scene);
        let (in_file, set) = (given(&file), settings(&file, &defaults));
        let own = || text.claims().filter(|(.., own)| *own);
        let claims: Vec<_> = own().flat_map(|(_, claim, _)| claimed(claim)).collect();
        let values: Vec<_> = own().filter_map(|(run, claim, _)| value(run, claim)).collect();
        let all: Vec<_> = text.claims().filter_map(|(run, claim, _)| value(run, claim)).collect();
        let (amounts, told_ratios) = written(&text.words);
        let told: Vec<_> = told(&text.words).into_iter().chain(amounts).collect();
        (numbers, ratios) = (numbers + told.len(), ratios + told_ratios.len());
        let place = text.place.split(" “").next().unwrap_or_default();
        let entries: Vec<_> = exceptions.iter().filter(|e| e.of == text.scene || e.of == place).collect();
        let mut is_excepted = |is_named: &dyn Fn(&str) -> bool| {
            let mut found = false;
            for entry in &entries {
                for told in entry.numbers.iter().filter(|told| is_named(told)) {
                    used.insert((&entry.of, told));
                    found = true;
                }
            }
            found
        };
        for number in &told {
            let known =
                number.is_computed || number.is_direction() || number.is_behind(&claims) || number.is_in(&in_file);
            if !known && !is_excepted(&|told| told == number.shown) {
                bare.push(format!("{}: {}, in: {}", text.place, number.shown, text.words));
            }
        }
        // Two claims may have a ratio by chance: a reason that is given goes before them.
        for ratio in &told_ratios {
            let is_known = || ratio.is_behind(&values, &all) || ratio.is_set(&set);
            if !is_excepted(&|told| ratio.rest.starts_with(told)) && !is_known() {
                let shown: String = ratio.rest.chars().take(30).collect();
                bare.push(format!("{}: “{shown}”, in: {}", text.place, text.words));
            }
        }
    }
    assert!(numbers > 900 && ratios > 100, "{numbers} numbers, {ratios} ratios: they were not found");
    assert!(bare.is_empty(), "{} numbers without a claim:\n{}", bare.len(), bare.join("\n"));
    let listed = exceptions.iter().flat_map(|e| e.numbers.iter().map(|number| (&e.of, number)));
    let idle: Vec<_> = listed.filter(|listed| !used.contains(listed)).collect();
    assert!(idle.is_empty(), "exceptions that nothing needs any more: {idle:?}");
}

fn probe(texts: &[Text], scenes: &BTreeMap<String, (Things, Scene)>, out: &str) {
    use std::fmt::Write;
    let meanings: Vec<Meaning> =
        ron::from_str(&std::fs::read_to_string("tests/numbers_in_words/things.ron").unwrap()).unwrap();
    let mut o = String::new();
    let mut nouns: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for text in texts {
        let things = &scenes[&text.scene].0;
        let meant: Vec<_> = meanings.iter().filter(|m| m.of == text.scene).collect();
        let found = count::counts(&text.words, &|noun| things.knows(noun, &meant));
        nouns.entry(&text.scene).or_default().extend(found.into_iter().filter_map(|c| c.noun));
    }
    for text in texts {
        let things = &scenes[&text.scene].0;
        let meant: Vec<_> = meanings.iter().filter(|m| m.of == text.scene).collect();
        let own = || text.claims().filter(|(.., own)| *own);
        let claims: Vec<_> = own()
            .map(|(_, c, _)| {
                (
                    c.split([' '])
                        .find(|w| !["most", "least", "mean", "change", "of"].contains(w))
                        .unwrap_or_default()
                        .to_owned(),
                    claimed(c),
                )
            })
            .collect();
        let all: Vec<_> = own().flat_map(|(_, c, _)| claimed(c)).collect();
        let file = given(&text_of(&text.scene));
        for c in count::counts(&text.words, &|noun| things.knows(noun, &meant)) {
            let by = |noun: &str| things.has(noun, &c, text.of, &meant) || things::of_claims(noun, &claims, &c);
            let (ok, how) = match &c.noun {
                Some(noun) => (by(noun), noun.clone()),
                None => (
                    nouns[text.scene.as_str()].iter().any(|n| by(n))
                        || c.is_digits && (c.told("").is_in(&file) || c.told("").is_behind(&all)),
                    "-".into(),
                ),
            };
            let rest: String = c.rest.chars().take(45).collect();
            writeln!(
                o,
                "{} {} [{}{}] {}",
                if ok { "ok " } else { "BAD" },
                text.place,
                how,
                if c.is_rate { "/s" } else { "" },
                rest
            )
            .unwrap();
        }
    }
    std::fs::write(out, o).unwrap();
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
    assert!(!by("138 J come from nowhere", "energy rises 138 J within 10 s"));
    assert!(by("up to 138 J come from nowhere", "energy rises 138 J within 10 s"));
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

/// The same for ratios: a word that nothing has fails.
#[test]
fn two_claims_or_a_setting_stand_behind_a_ratio() {
    let one = |words: &str| written(words).1.pop().unwrap();
    let values =
        |claims: &[(usize, &str)]| -> Vec<_> { claims.iter().filter_map(|(run, claim)| value(*run, claim)).collect() };
    let by = |words: &str, claims: &[(usize, &str)]| one(words).is_behind(&values(claims), &values(claims));
    let open = [(0, "joint_error_max = 2 cm ± 1 mm at 5 s"), (1, "joint_error_max = 4 cm ± 1 mm at 5 s")];
    assert!(by("it opens twice as far", &open) && by("half of that", &open));
    assert!(!by("it opens twice as far", &open[..1]), "one claim has no ratio");
    assert!(!by("it opens three times as far", &open) && !by("a third of that", &open));
    assert!(!by("twice as far", &[(0, "joint_error_max < 2 cm at 5 s"), (1, "joint_error_max > 4 cm at 5 s")]));
    assert!(!by("twice as far", &[open[0], (1, "joint_error_max = 4 cm ± 1 mm at 8 s")]), "another run and moment");
    assert!(by("half is gone", &[(0, "change of energy = -50 % ± 1 % at 5 s")]));
    assert!(by("kept to a third of a thousandth", &[(0, "change of energy = 0 ± 0.033 % until 5 s")]));
    let set = settings("set: (solver: (iterations: 50), warm_start: (factor: 0.8))", "iterations: 10, beta: 0.2");
    assert!(one("five times the sweeps").is_set(&set) && !one("five times as far").is_set(&set));
    assert!(one("a fifth of the old impulses").is_set(&set) && !one("a tenth of the old impulses").is_set(&set));
    assert!(written("the third box, half-way, swept four times by itself").1.is_empty());
    let amounts =
        written("half a metre, two thirds of a second, a metre and a half, five seconds, half a radian a second");
    let amounts: Vec<_> = amounts.0.iter().map(|amount| (amount.value, amount.unit.as_str())).collect();
    assert_eq!(amounts, [(0.5, "m"), (2.0 / 3.0, "s"), (1.5, "m"), (5.0, "s"), (0.5, "rad/s")]);
    assert!(written("by half a metre").0[0].is_behind(&claimed("joint_error_max = 48 cm ± 5 cm at 5 s")));
    assert!(!written("by half a metre").0[0].is_behind(&claimed("joint_error_max = 30 cm ± 5 cm at 5 s")));
}
