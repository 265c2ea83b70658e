//! What can be counted in a scene's file: bodies, joints and groups of them by their names and kinds, the rows of its
//! joints, and the settings of its runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use delassus::physics::body::Motion;
use delassus::physics::row::{Group, RowList};
use delassus::physics::settings::{RowSolve, Settings};
use delassus::physics::shape::Shape;
use delassus::scene::Loaded;
use serde::Deserialize;

use crate::count::Count;
use crate::number::Claimed;

/// Nouns of settings and rows, which are in every file.
const OF_RUNS: [&str; 6] = ["sweep", "iteration", "step", "sub-step", "row", "time"];

/// What things have by their nature, wherever they are told of.
const NATURE: [(&str, &[u32], &str); 20] = [
    ("axis", &[2, 3], "two bodies each have one; space has three"),
    ("direction", &[2, 3], "across an axis; of space"),
    ("dimension", &[2], "of a plane"),
    ("tangent", &[2], "of a surface"),
    ("impulse", &[2], "of a row, on its two bodies"),
    ("speed", &[2], "a row is about two bodies'"),
    ("spin", &[2], "a row is about two bodies'"),
    ("surface", &[2], "of a contact"),
    ("anchor", &[2], "of a joint"),
    ("point", &[2], "that a joint joins"),
    ("body", &[2], "that a joint joins"),
    ("corner", &[4], "of a box's face, of a square"),
    ("end", &[2], "of an edge"),
    ("side", &[2], "of a way"),
    ("stop", &[2], "of a range"),
    ("way", &[6], "in which a body moves"),
    ("velocity", &[2, 12], "of a body, along and about; the numbers of two bodies'"),
    ("number", &[4, 12], "of a quaternion; of two bodies' velocities"),
    ("coefficient", &[12], "of a row"),
    ("column", &[12], "of a row"),
];

/// Joint kinds by the words for them.
const KINDS: [(&str, &[&str]); 7] = [
    ("hinge", &["Hinge"]),
    ("rope", &["Rope"]),
    ("rod", &["Distance"]),
    ("spring", &["Spring"]),
    ("motor", &["RotaryMotor", "AngularMotor"]),
    ("weld", &["Fixed"]),
    ("plane", &["Plane"]),
];

/// The columns that count, and the nouns that they count.
const COLUMNS: [(&str, &[&str]); 7] = [
    ("contacts", &["point", "contact", "corner"]),
    ("points", &["point", "contact", "corner"]),
    ("rows", &["row"]),
    ("sweeps", &["sweep", "iteration"]),
    ("parts", &["part"]),
    ("broken", &["joint", "link"]),
    ("asleep", &["body", "box", "brick"]),
];

/// Bodies or joints of a scene by their names, with `*` for any text, or all that another noun stands for.
#[derive(Debug, Deserialize)]
pub enum Named {
    Bodies(Vec<String>),
    Joints(Vec<String>),
    Called(String),
}

/// What a noun of a scene's texts stands for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    pub of: String,
    /// In the singular.
    pub noun: String,
    pub are: Named,
}

/// A run's settings: the scene's own, or those of an experiment.
struct Run {
    settings: Settings,
    rows: BTreeSet<usize>,
}

/// A scene, counted.
pub struct Things {
    /// Name, shape and whether it moves freely.
    bodies: Vec<(String, &'static str, bool)>,
    joints: Vec<(String, &'static str)>,
    bodies_by_word: ByWord,
    joints_by_word: ByWord,
    runs: Vec<Run>,
    found: RefCell<BTreeMap<String, BTreeSet<usize>>>,
}

/// Whether a name matches a pattern.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<_> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return rest.is_empty() };
    for part in inner {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The numbers of the names in which a word occurs, by the word in lower case.
struct ByWord(HashMap<String, Vec<usize>>);

impl ByWord {
    fn of<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        let mut numbers = HashMap::<String, Vec<usize>>::new();
        for (number, name) in names.enumerate() {
            for word in name.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                let known = numbers.entry(word.to_ascii_lowercase()).or_default();
                if known.last() != Some(&number) {
                    known.push(number);
                }
            }
        }
        Self(numbers)
    }

    fn get(&self, noun: &str) -> &[usize] {
        self.0.get(&noun.to_ascii_lowercase()).map_or(&[], Vec::as_slice)
    }
}

/// Those bodies that move freely, or all if none does.
fn moving<'a>(bodies: impl Iterator<Item = &'a (String, &'static str, bool)> + Clone) -> Vec<&'a String> {
    let names = |moving: bool| bodies.clone().filter(move |(.., moves)| *moves || !moving).map(|(name, ..)| name);
    let found: Vec<_> = names(true).collect();
    if found.is_empty() { names(false).collect() } else { found }
}

/// The rows of each joint as they are in the first step, by group, linear, angular and all that hold; and their sums
/// over the joints of a name's first word and of the scene.
fn rows(loaded: &Loaded, settings: Settings) -> BTreeSet<usize> {
    let world = loaded.flat.world(settings);
    let bodies: Vec<_> = world.state.bodies.iter().cloned().collect();
    let (mut list, mut found) = (RowList::default(), BTreeSet::new());
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for (joint, named) in world.state.joints.iter().zip(&loaded.flat.joints) {
        joint.rows(&joint.frames_in_form(&bodies, &world.settings), &mut list);
        let count =
            |is: &dyn Fn(&delassus::physics::row::RowSpec) -> bool| list.rows.iter().filter(|row| is(row)).count();
        let holds = |group: Group| matches!(group, Group::Anchor | Group::Axis);
        let all = count(&|row| holds(row.group));
        found.extend([list.rows.len(), all, count(&|row| row.is_angular()), count(&|row| !row.is_angular())]);
        found.extend([count(&|row| row.group == Group::Anchor), count(&|row| row.group == Group::Axis)]);
        for of in ["", named.name.split([' ', '.']).next().unwrap_or_default()] {
            *sums.entry(of).or_default() += all;
        }
    }
    found.extend(sums.into_values());
    found
}

impl Things {
    pub fn of(loaded: &Loaded) -> Self {
        let flat = &loaded.flat;
        let shape = |shape: &Shape| match shape {
            Shape::Box { .. } => "box",
            Shape::Sphere { .. } => "ball",
            _ => "",
        };
        let bodies = flat.bodies.iter();
        let bodies = bodies.map(|b| (b.name.to_string(), shape(&b.def.solid.shape), b.def.motion == Motion::Dynamic));
        let bodies: Vec<_> = bodies.collect();
        let joints = flat.joints.iter().map(|joint| (joint.name.to_string(), joint.def.kind.info().name));
        let joints: Vec<_> = joints.collect();
        let own = loaded.scene.settings.settings();
        let tried = loaded.scene.experiments.iter().map(|tried| {
            let mut settings = own;
            tried.set.apply(&mut settings);
            settings
        });
        let is_large = flat.joints.len() > 1000;
        let run = |settings: Settings| Run {
            settings,
            rows: if is_large { BTreeSet::new() } else { rows(loaded, settings) },
        };
        Self {
            bodies_by_word: ByWord::of(bodies.iter().map(|(name, ..)| name)),
            joints_by_word: ByWord::of(joints.iter().map(|(name, _)| name)),
            bodies,
            joints,
            runs: [own].into_iter().chain(tried).map(run).collect(),
            found: RefCell::default(),
        }
    }

    /// Whether a noun can be counted in this file.
    pub fn knows(&self, noun: &str, meant: &[&Meaning]) -> bool {
        OF_RUNS.contains(&noun)
            || NATURE.iter().any(|(known, ..)| *known == noun)
            || COLUMNS.iter().any(|(_, nouns)| nouns.contains(&noun))
            || meant.iter().any(|meaning| meaning.noun == noun)
            || ["joint", "body", "kind", "degree"].contains(&noun)
            || !self.named(noun).is_empty()
    }

    /// The numbers of the bodies and joints that are called this, of their groups and of the groups' members.
    fn named(&self, noun: &str) -> BTreeSet<usize> {
        if let Some(known) = self.found.borrow().get(noun) {
            return known.clone();
        }
        let mut numbers = BTreeSet::new();
        let kinds: &[&str] = KINDS.iter().find(|(word, _)| *word == noun).map_or(&[], |(_, kinds)| kinds);
        if !kinds.is_empty() {
            numbers.insert(self.joints.iter().filter(|(_, kind)| kinds.contains(kind)).count());
        }
        if ["box", "ball"].contains(&noun) {
            numbers.insert(moving(self.bodies.iter().filter(|(_, shape, _)| *shape == noun)).len());
        }
        let bodies = self.bodies_by_word.get(noun).iter().map(|number| &self.bodies[*number]);
        groups(noun, moving(bodies).into_iter(), &mut numbers);
        let joints = self.joints_by_word.get(noun).iter().map(|number| &self.joints[*number].0);
        groups(noun, joints, &mut numbers);
        numbers.remove(&0);
        self.found.borrow_mut().insert(noun.into(), numbers.clone());
        numbers
    }

    /// Whether the file has that many of what a count is of; `of` is the experiment that its text is about.
    pub fn has(&self, noun: &str, count: &Count, of: Option<usize>) -> bool {
        let own = || self.runs.iter().enumerate().filter(|(run, _)| *run == 0 || of.is_none_or(|of| of == *run));
        let is = |number: f64| (number - count.value).abs() < 1e-6;
        let solver = |settings: &Settings| {
            let (sweeps, parts) = (settings.solver.iterations, settings.step.substeps);
            is(sweeps.into()) || is((sweeps * parts).into())
        };
        let by_run = match noun {
            "sweep" | "iteration" => own().any(|(_, run)| solver(&run.settings)),
            "step" => count.is_rate && self.runs.iter().any(|run| is(run.settings.step.rate.into())),
            "sub-step" => own().any(|(_, run)| is(run.settings.step.substeps.into())),
            "row" => own().any(|(_, run)| run.rows.iter().any(|rows| is(*rows as f64))),
            // "Swept four times by themselves": once for each row.
            "time" => own()
                .filter(|(_, run)| run.settings.solver.rows == RowSolve::Inner)
                .any(|(_, run)| run.rows.iter().any(|rows| is(*rows as f64))),
            "kind" => is(self.joints.iter().map(|(_, kind)| kind).collect::<BTreeSet<_>>().len() as f64),
            // Six of each body.
            "degree" => (1..=self.bodies.len()).any(|bodies| is(6.0 * bodies as f64)),
            "joint" => is(self.joints.len() as f64),
            "body" => {
                is(self.bodies.len() as f64) || is(self.bodies.iter().filter(|(.., moves)| *moves).count() as f64)
            }
            _ => false,
        };
        let by_nature = NATURE
            .iter()
            .any(|(known, numbers, _)| *known == noun && numbers.iter().any(|number| is((*number).into())));
        by_run || by_nature || self.named(noun).iter().any(|number| is(*number as f64))
    }

    /// Whether a noun's meaning has the number of a count.
    pub fn means(&self, meaning: &Meaning, count: &Count) -> bool {
        let any = |patterns: &[String], name: &str| patterns.iter().any(|pattern| fits(pattern, name));
        let numbers: BTreeSet<usize> = match &meaning.are {
            Named::Bodies(patterns) => [self.bodies.iter().filter(|(name, ..)| any(patterns, name)).count()].into(),
            Named::Joints(patterns) => [self.joints.iter().filter(|(name, _)| any(patterns, name)).count()].into(),
            Named::Called(noun) => self.named(noun),
        };
        numbers.iter().any(|number| *number as f64 == count.value)
    }
}

/// The numbers of all names, of the groups that their numbers make (`brick.3` of `brick.3.9`) and of what is in one.
fn groups<'a>(noun: &str, names: impl Iterator<Item = &'a String>, numbers: &mut BTreeSet<usize>) {
    let mut all = 0;
    let mut levels = BTreeMap::<usize, BTreeSet<&str>>::new();
    let mut parents = BTreeMap::<&str, BTreeSet<&str>>::new();
    for name in names {
        all += 1;
        let lower = name.to_lowercase();
        let from = lower.find(noun).map_or(0, |at| at + noun.len()).min(name.len());
        let ends = name[from..].char_indices().filter(|(at, c)| {
            let next = name[from + at + c.len_utf8()..].chars().next();
            c.is_ascii_digit() && next.is_none_or(|next| !next.is_ascii_digit())
        });
        let mut parent = &name[..from];
        for (level, (at, _)) in ends.enumerate() {
            let group = &name[..from + at + 1];
            levels.entry(level).or_default().insert(group);
            parents.entry(parent).or_default().insert(group);
            parent = group;
        }
    }
    numbers.insert(all);
    numbers.extend(levels.values().chain(parents.values()).map(BTreeSet::len));
}

/// Whether a claim of a column that counts this supports a count.
pub fn are_claimed(noun: &str, claims: &[(&str, Vec<Claimed>)], count: &Count) -> bool {
    claims.iter().any(|(claim, claimed)| {
        let columns = claim.split([' ', '.']).filter_map(|word| COLUMNS.iter().find(|(column, _)| *column == word));
        let counts = columns.into_iter().any(|(_, nouns)| nouns.contains(&noun));
        let of_steps = noun == "step" && claimed.iter().any(|claimed| claimed.is_of_steps(count.value));
        of_steps || counts && count.told("").is_behind(claimed)
    })
}

/// Two stacks of four, a door on a hinge and the settings of two runs, counted rightly and wrongly.
#[test]
fn a_scene_has_what_it_holds_and_no_more() {
    let scene = r#"(
        version: 1, title: "t", settings: (step: (substeps: 3), solver: (iterations: 7)),
        bodies: [
            (name: "floor", shape: Box(half: (9, 9, 1)), motion: Static),
            (name: "door", shape: Box(half: (1, 0.1, 1)), at: (5, 0, 3), mass: 1),
        ],
        patterns: [Grid(
            name: "brick", count: (2, 1, 1), spacing: (3, 0, 0),
            of: Stack(body: (shape: Box(half: (1, 1, 1)), at: (0, 0, 2), mass: 1), count: 4, spacing: (0, 0, 2)),
        )],
        joints: [(name: "hinge", b: "door", anchor: (4, 0, 3), axis: (0, 0, 1), kind: Hinge)],
        experiments: [(name: "more", set: (solver: (iterations: 50)))],
    )"#;
    let things = Things::of(&delassus::scene::read_str(scene, "scene.ron").unwrap());
    let has = |text: &str, of: Option<usize>| {
        let count = crate::count::counts(text, &|noun| things.knows(noun, &[])).remove(0);
        things.has(count.noun.as_deref().unwrap(), &count, of)
    };
    let right = ["eight bricks", "two bricks", "four bricks", "nine boxes", "ten bodies", "nine bodies", "five rows"];
    let wrong = ["seven bricks", "nine bricks", "ten boxes", "eleven bodies", "six rows", "two joints", "two hinges"];
    let runs = ["seven sweeps", "21 sweeps", "three sub-steps", "60 steps a second", "three axes", "six ways"];
    assert!(right.iter().chain(&runs).all(|text| has(text, Some(0))));
    let not =
        ["eight sweeps", "50 sweeps", "two sub-steps", "60 steps", "120 steps a second", "four axes", "five ways"];
    for text in wrong.iter().chain(&not) {
        assert!(!has(text, Some(0)), "{text}");
    }
    assert!(has("50 sweeps", Some(1)) && has("seven sweeps", Some(1)) && has("50 sweeps", None));
    let meaning = |are| Meaning { of: String::new(), noun: "course".into(), are };
    let four = crate::count::counts("four courses", &|_| true).remove(0);
    assert!(things.means(&meaning(Named::Bodies(vec!["brick.0.*".into()])), &four));
    assert!(!things.means(&meaning(Named::Bodies(vec!["brick.*".into()])), &four));
    let claim = |text: &'static str| vec![(text, crate::number::claimed(text))];
    let points = crate::count::counts("four points", &|noun| noun == "point").remove(0);
    assert!(are_claimed("point", &claim("contacts == 4 at 2 s"), &points));
    assert!(!are_claimed("point", &claim("contacts == 5 at 2 s"), &points));
    assert!(!are_claimed("point", &claim("bodies.box.z = 4 m ± 1 cm at 2 s"), &points));
}
