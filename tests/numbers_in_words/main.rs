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
//!
//! Whole numbers count things ("five boxes", "20 sweeps"), and what they count has to be there that often
//! (`count.rs`, `things.rs`):
//!
//! - The noun is the first plural within four words that the file knows: what its bodies, joints, shapes and joint
//!   kinds are called, a column of the run that counts, or what `things.ron` says that a noun stands for. A plural
//!   right behind the number that nothing knows has no support.
//! - Bodies and joints are counted as they are laid out, in all, in the groups that their names' numbers make, and in
//!   each group; those that move, if any do. Sweeps, sub-steps and steps a second are the settings of the text's run;
//!   rows are those of the joints, with the forms of the run. Steps and contact points need a claim.
//! - What belongs to the nature of things (two axes of a hinge, four numbers of a quaternion) is a list in `things.rs`.
//! - Sums and products in the texts of the file support their value: "5 + 2 · 4 = 13".
//! - A number without a noun ("all three", "the two") stands for something that its text tells of, or the file's other
//!   texts, and one of these has to be there that often; in digits, it may be a number of the file or of a claim.
//! - "One", ordinals, "both" and "a pair" are words, not counts. Chapters, figures, errata and documents are names, so
//!   are compounds ("two-axis"); "between two" is any two; digits beside a sign, before a letter or in brackets with
//!   others belong to a formula.
//!
//! What else a count rests on is an exception, named by the words that it begins with.

mod count;
mod number;
mod ratio;
mod texts;
mod things;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use count::{computed, counts, plurals};
use delassus::physics::preset::Preset;
use delassus::scene::{self, Scene, lesson};
use number::{Told, claimed, given, told};
use ratio::{settings, value, written};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use texts::{Text, of_lesson, of_scene, read, root, text_of};
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

/// A list beside this file.
fn listed<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers_in_words").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    ron::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The meanings that go for a text.
fn of_file<'a>(meanings: &'a [Meaning], text: &Text) -> Vec<&'a Meaning> {
    meanings.iter().filter(|meaning| meaning.of == text.scene || meaning.of == text.file()).collect()
}

/// The nouns that are counted in the texts of each scene, and the sums in the texts of each file.
fn said(
    texts: &[Text],
    scenes: &BTreeMap<String, (Things, Scene)>,
    meanings: &[Meaning],
) -> (BTreeMap<String, BTreeSet<String>>, BTreeMap<String, Vec<f64>>) {
    let (mut nouns, mut sums) = (BTreeMap::<_, BTreeSet<_>>::new(), BTreeMap::<_, Vec<_>>::new());
    for text in texts {
        let (things, meant) = (&scenes[&text.scene].0, of_file(meanings, text));
        let found = counts(&text.words, &|noun| things.knows(noun, &meant));
        nouns.entry(text.scene.clone()).or_default().extend(found.into_iter().filter_map(|count| count.noun));
        sums.entry(text.file().to_owned()).or_default().extend(computed(&text.words));
    }
    (nouns, sums)
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
    let exceptions: Vec<Exception> = listed("exceptions.ron");
    assert!(exceptions.iter().all(|exception| !exception.because.is_empty()));
    let meanings: Vec<Meaning> = listed("things.ron");
    let (nouns, sums) = said(&texts, &scenes, &meanings);
    // The scenes of the library are made for single steps.
    let defaults = format!("{:?}", Preset::SingleStep.settings());
    // The numbers in each scene's file, and its settings.
    let of_files: BTreeMap<&str, _> = (scenes.keys())
        .map(|id| (id.as_str(), text_of(id)))
        .map(|(id, file)| (id, (given(&file), settings(&file, &defaults))))
        .collect();
    let (mut used, mut used_meanings) = (BTreeSet::new(), BTreeSet::new());
    let (mut numbers, mut ratios, mut counted, mut bare) = (0, 0, 0, Vec::new());
    for text in &texts {
        let (in_file, set) = &of_files[text.scene.as_str()];
        let own = || text.claims().filter(|(.., own)| *own);
        let claims: Vec<_> = own().flat_map(|(_, claim, _)| claimed(claim)).collect();
        let values: Vec<_> = own().filter_map(|(run, claim, _)| value(run, claim)).collect();
        let all: Vec<_> = text.claims().filter_map(|(run, claim, _)| value(run, claim)).collect();
        let (amounts, told_ratios) = written(&text.words);
        let told: Vec<_> = told(&text.words).into_iter().chain(amounts).collect();
        (numbers, ratios) = (numbers + told.len(), ratios + told_ratios.len());
        let entries: Vec<_> = exceptions.iter().filter(|e| e.of == text.scene || e.of == text.file()).collect();
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
                number.is_computed || number.is_direction() || number.is_behind(&claims) || number.is_in(in_file);
            if !known && !is_excepted(&|told| told == number.shown) {
                bare.push(format!("{}: {}, in: {}", text.place, number.shown, text.words));
            }
        }
        // Two claims may have a ratio by chance: a reason that is given goes before them.
        for ratio in &told_ratios {
            let is_known = || ratio.is_behind(&values, &all) || ratio.is_set(set);
            if !is_excepted(&|told| ratio.rest.starts_with(told)) && !is_known() {
                let shown: String = ratio.rest.chars().take(30).collect();
                bare.push(format!("{}: “{shown}”, in: {}", text.place, text.words));
            }
        }
        let (things, meant) = (&scenes[&text.scene].0, of_file(&meanings, text));
        let by_claims: Vec<_> = own().map(|(_, claim, _)| (claim, claimed(claim))).collect();
        let found = counts(&text.words, &|noun| things.knows(noun, &meant));
        // A number without a noun stands for something told in its text, or before.
        let here = plurals(&text.words, &|noun| things.knows(noun, &meant));
        let meant_by = if here.is_empty() { &nouns[&text.scene] } else { &here };
        for count in found {
            counted += 1;
            let mut by = |noun: &str| {
                let is_meant = |meaning: &&&Meaning| meaning.noun == noun && things.means(meaning, &count);
                things.has(noun, &count, text.of)
                    || things::are_claimed(noun, &by_claims, &count)
                    || meant.iter().find(is_meant).is_some_and(|meaning| {
                        used_meanings.insert((&meaning.of, &meaning.noun, format!("{:?}", meaning.are)));
                        true
                    })
            };
            let is_known = match &count.noun {
                Some(noun) => by(noun),
                None => meant_by.iter().any(|noun| by(noun)) || count.is_value(&claims, in_file, &text.words),
            };
            let is_known = is_known || sums[text.file()].contains(&count.value);
            if !is_known && !is_excepted(&|told| count.rest.starts_with(told)) {
                let shown: String = count.rest.chars().take(30).collect();
                bare.push(format!("{}: “{shown}” of {:?}, in: {}", text.place, count.noun, text.words));
            }
        }
    }
    assert!(numbers > 900 && ratios > 100 && counted > 400, "{numbers} numbers, {ratios} ratios, {counted} counts");
    assert!(bare.is_empty(), "{} numbers without a claim:\n{}", bare.len(), bare.join("\n"));
    let listed = exceptions.iter().flat_map(|e| e.numbers.iter().map(|number| (&e.of, number)));
    let idle: Vec<_> = listed.filter(|listed| !used.contains(listed)).collect();
    assert!(idle.is_empty(), "exceptions that nothing needs any more: {idle:?}");
    let is_used =
        |meaning: &&Meaning| used_meanings.contains(&(&meaning.of, &meaning.noun, format!("{:?}", meaning.are)));
    let idle: Vec<_> = meanings.iter().filter(|meaning| !is_used(meaning)).collect();
    assert!(idle.is_empty(), "meanings that nothing needs any more: {idle:?}");
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
