//! Merges two versions of a file that were edited at the same time: finds the entries that differ and combines both
//! into one scene.
//!
//! An entry is a body, a joint, a pattern, a part, a material, an experiment, a plot, a sensor, a setting, or one of the
//! scene's words. Entries are matched by name. The file's content when it was last read shows who made a change: if
//! only one side changed an entry, that version is proposed; if both did, mine is kept unless theirs is chosen.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;

use delassus_physics::settings::{LIST, SettingsPatch};
use delassus_scene::{self as scene, Body, Experiment, Joint, List, Material, Part, Pattern, Plot, Scene, Sensor};

/// The differences between the document and its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    pub differences: Vec<Difference>,
    /// The scene in the file now.
    pub(crate) theirs: Arc<Scene>,
    pub(crate) text: Arc<str>,
}

/// An entry in which they differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Kind of the entry: “body”, “setting”.
    pub what: &'static str,
    pub name: String,
    pub mine: MergeSide,
    pub theirs: MergeSide,
}

/// One version of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct MergeSide {
    pub fate: EntryChange,
    /// The values that differ from the other version: “mass: 3”. Empty if the entry is missing.
    pub words: String,
}

/// How an entry changed since the file was last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryChange {
    Same,
    Changed,
    Added,
    Removed,
}

impl EntryChange {
    /// As a word for the user.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "as it was",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
        }
    }
}

impl Difference {
    /// Whether both sides changed it.
    pub fn is_both(&self) -> bool {
        self.mine.fate != EntryChange::Same && self.theirs.fate != EntryChange::Same
    }

    /// Whether theirs is proposed.
    pub fn proposes_theirs(&self) -> bool {
        self.mine.fate == EntryChange::Same
    }
}

impl Conflict {
    /// The differences between `mine` and `theirs`, relative to `base`.
    pub(crate) fn new(base: &Scene, mine: &Scene, theirs: Scene, text: &str) -> Self {
        let mut differences = Vec::new();
        for word in words() {
            let [base, mine, theirs] = [base, mine, &theirs].map(|scene| Some((word.get)(scene)));
            compare("scene", word.name.to_owned(), base, mine, theirs, &mut differences);
        }
        for setting in LIST {
            let [base, mine, theirs] = [base, mine, &theirs].map(|scene| (setting.get)(&scene.settings.settings()));
            if mine != theirs {
                let side = |value: delassus_physics::setting::Value| MergeSide {
                    fate: if value == base { EntryChange::Same } else { EntryChange::Changed },
                    words: value.to_string(),
                };
                let name = setting.name.to_owned();
                differences.push(Difference { what: "setting", name, mine: side(mine), theirs: side(theirs) });
            }
        }
        // Fields are listed by name so that a new field must be merged here.
        let Scene {
            materials,
            bodies,
            patterns,
            parts,
            joints,
            experiments,
            plots,
            sensors,
            // Compared above with the settings and the words.
            settings: _,
            title: _,
            source: _,
            about: _,
            look_for: _,
            claims: _,
            expects: _,
            camera: _,
            opens: _,
            // There is only one version.
            version: _,
        } = mine;
        list("material", &base.materials, materials, &theirs.materials, &mut differences);
        list("body", &base.bodies, bodies, &theirs.bodies, &mut differences);
        list("pattern", &base.patterns, patterns, &theirs.patterns, &mut differences);
        list("part", &base.parts, parts, &theirs.parts, &mut differences);
        list("joint", &base.joints, joints, &theirs.joints, &mut differences);
        list("experiment", &base.experiments, experiments, &theirs.experiments, &mut differences);
        list("plot", &base.plots, plots, &theirs.plots, &mut differences);
        list("sensor", &base.sensors, sensors, &theirs.sensors, &mut differences);
        Self { differences, theirs: Arc::new(theirs), text: text.into() }
    }

    /// Combines both: `takes[i]` selects theirs for difference `i`, otherwise mine.
    pub(crate) fn merged(&self, mine: &Scene, takes: &[bool]) -> Scene {
        let theirs = &*self.theirs;
        let taken: HashSet<(&str, &str)> = (self.differences.iter().zip(takes))
            .filter(|(_, takes)| **takes)
            .map(|(difference, _)| (difference.what, difference.name.as_str()))
            .collect();
        let mut scene = mine.clone();
        for word in words() {
            if taken.contains(&("scene", word.name)) {
                (word.set)(&mut scene, theirs);
            }
        }
        let mut wanted = mine.settings.settings();
        for setting in LIST.iter().filter(|setting| taken.contains(&("setting", setting.name))) {
            // Cannot fail: the value comes from a valid scene.
            let _ = wanted.set(setting.name, (setting.get)(&theirs.settings.settings()));
        }
        // Settings written in the file stay written.
        let mut settings = theirs.settings;
        settings.merge(&SettingsPatch::between(&theirs.settings.settings(), &wanted));
        let Scene { version, title, source, about, look_for, claims, expects, camera, opens, .. } = scene;
        Scene {
            version,
            title,
            source,
            about,
            look_for,
            claims,
            expects,
            settings,
            camera,
            opens,
            materials: merged_list("material", &mine.materials, &theirs.materials, &taken),
            bodies: merged_list("body", &mine.bodies, &theirs.bodies, &taken),
            patterns: merged_list("pattern", &mine.patterns, &theirs.patterns, &taken),
            parts: merged_list("part", &mine.parts, &theirs.parts, &taken),
            joints: merged_list("joint", &mine.joints, &theirs.joints, &taken),
            experiments: merged_list("experiment", &mine.experiments, &theirs.experiments, &taken),
            plots: merged_list("plot", &mine.plots, &theirs.plots, &taken),
            sensors: merged_list("sensor", &mine.sensors, &theirs.sensors, &taken),
        }
    }
}

/// A text or value that a scene has once.
struct Word {
    name: &'static str,
    get: fn(&Scene) -> String,
    /// Copies it into the first scene from the second.
    set: fn(&mut Scene, &Scene),
}

fn words() -> [Word; 8] {
    [
        Word { name: "title", get: |s| s.title.clone(), set: |s, from| s.title.clone_from(&from.title) },
        Word { name: "source", get: |s| s.source.clone(), set: |s, from| s.source.clone_from(&from.source) },
        Word { name: "about", get: |s| s.about.clone(), set: |s, from| s.about.clone_from(&from.about) },
        Word { name: "look for", get: |s| s.look_for.clone(), set: |s, from| s.look_for.clone_from(&from.look_for) },
        Word { name: "claims", get: |s| scene::words(&s.claims), set: |s, from| s.claims.clone_from(&from.claims) },
        Word { name: "expects", get: |s| scene::words(&s.expects), set: |s, from| s.expects.clone_from(&from.expects) },
        Word { name: "camera", get: |s| scene::words(&s.camera), set: |s, from| s.camera = from.camera },
        Word { name: "opens", get: |s| scene::words(&s.opens), set: |s, from| s.opens.clone_from(&from.opens) },
    ]
}

/// An element of one of a scene's lists, identified by name.
trait Entry: Clone + PartialEq + Serialize {
    fn name(&self) -> String;
}

impl Entry for Material {
    fn name(&self) -> String {
        self.name.clone()
    }
}

impl Entry for Body {
    fn name(&self) -> String {
        self.name.clone()
    }
}

impl Entry for Pattern {
    fn name(&self) -> String {
        Pattern::name(self).to_owned()
    }
}

impl Entry for Part {
    fn name(&self) -> String {
        if self.name.is_empty() { self.file.clone() } else { self.name.clone() }
    }
}

impl Entry for Joint {
    fn name(&self) -> String {
        self.label()
    }
}

impl Entry for Experiment {
    fn name(&self) -> String {
        self.name.clone()
    }
}

impl Entry for Plot {
    fn name(&self) -> String {
        if self.title.is_empty() { self.curves.join(", ") } else { self.title.clone() }
    }
}

impl Entry for Sensor {
    fn name(&self) -> String {
        self.name.clone()
    }
}

/// The elements with their names; repeated names get a number.
fn named<T: Entry>(list: &List<T>) -> Vec<(String, &T)> {
    let mut seen = std::collections::HashMap::<String, u32>::new();
    let named = |element| {
        let name = T::name(element);
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        (if *count == 1 { name } else { format!("{name} ({count})") }, element)
    };
    list.iter().map(named).collect()
}

fn find<'a, T>(list: &[(String, &'a T)], name: &str) -> Option<&'a T> {
    list.iter().find(|(other, _)| other == name).map(|(_, element)| *element)
}

fn list<T: Entry>(what: &'static str, base: &List<T>, mine: &List<T>, theirs: &List<T>, out: &mut Vec<Difference>) {
    if mine == theirs {
        return;
    }
    let maps = [base, mine, theirs].map(|list| named(list).into_iter().collect::<std::collections::HashMap<_, _>>());
    let names = named(mine).into_iter().chain(named(theirs)).map(|(name, _)| name);
    let mut seen = HashSet::new();
    for name in names.filter(|name| seen.insert(name.clone())).collect::<Vec<_>>() {
        let [base, mine, theirs] = [&maps[0], &maps[1], &maps[2]].map(|map| map.get(&name).copied());
        compare(what, name, base, mine, theirs, out);
    }
}

fn compare<T: PartialEq + Serialize>(
    what: &'static str,
    name: String,
    base: Option<T>,
    mine: Option<T>,
    theirs: Option<T>,
    out: &mut Vec<Difference>,
) {
    if mine == theirs {
        return;
    }
    let fate = |side: &Option<T>| match (&base, side) {
        (None, Some(_)) => EntryChange::Added,
        (Some(_), None) => EntryChange::Removed,
        (base, side) if base == side => EntryChange::Same,
        _ => EntryChange::Changed,
    };
    let fates = (fate(&mine), fate(&theirs));
    let (mine, theirs) = scene::unlike(mine.as_ref().map(|mine| mine as _), theirs.as_ref().map(|theirs| theirs as _));
    let (mine, theirs) = (MergeSide { fate: fates.0, words: mine }, MergeSide { fate: fates.1, words: theirs });
    out.push(Difference { what, name, mine, theirs });
}

/// The list with theirs where chosen. An element that only theirs has is inserted after its predecessor there.
fn merged_list<T: Entry>(
    what: &'static str,
    mine: &List<T>,
    theirs: &List<T>,
    taken: &HashSet<(&str, &str)>,
) -> List<T> {
    let (mine, theirs) = (named(mine), named(theirs));
    let takes = |name: &str| taken.contains(&(what, name));
    let chosen = |(name, element): &(String, &T)| {
        let element = if takes(name) { find(&theirs, name) } else { Some(*element) };
        element.map(|element| (name.clone(), element.clone()))
    };
    let mut list: Vec<(String, T)> = mine.iter().filter_map(chosen).collect();
    let mut before: Option<&str> = None;
    for (name, element) in &theirs {
        if takes(name) && find(&mine, name).is_none() {
            let place = before.and_then(|before| list.iter().position(|(other, _)| other == before));
            list.insert(place.map_or(0, |place| place + 1), (name.clone(), (*element).clone()));
        }
        if list.iter().any(|(other, _)| other == name) {
            before = Some(name);
        }
    }
    list.into_iter().map(|(_, element)| element).collect()
}
