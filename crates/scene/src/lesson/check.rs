//! Checks a lesson's file: reports every mistake with its line and what was expected.

use std::path::Path;

use super::{BLOCKS_PER_SECOND, LONGEST_TRIAL, Lesson, MAX_STEPS, Paragraph, Prediction, Tab, Trial, exercise, sketch};
use crate::letter::Live;
use crate::library::{self, Library, LibraryEntry};
use crate::mistake::{Mistake, Slip, nearest};
use crate::read::{DocumentField, fields, list, one, read, read_text};
use crate::report::{DocPath, Report};
use crate::start_options::SPEEDS;
use crate::{Flat, Loaded};
use delassus_files::built_in;
use delassus_physics::settings::Settings;

/// References that only the user interface can check.
#[derive(Clone, Copy)]
pub enum LinkTarget<'a> {
    /// A formula to be typeset.
    Formula(&'a str),
    /// A symbol, and the formulas that must contain it.
    Letter(&'a str, &'a Live, &'a [&'a str]),
    /// A system of the page *Linear systems*.
    System(&'a str),
    /// A section of the derivations or the errata.
    Reference(&'a str),
    /// A claim about a run of this scene.
    Claim(&'a str, &'a Loaded),
}

/// Returns what is wrong with a reference, if anything.
pub type LinkCheck<'a> = &'a dyn Fn(LinkTarget<'_>) -> Option<String>;

/// The fields of a lesson, in order.
const FIELDS: &[&str] = &[
    "title",
    "source",
    "first",
    "angles",
    "scene",
    "question",
    "prediction",
    "trials",
    "exercise",
    "happened",
    "why",
    "live",
    "read",
];

/// Reads a user's own lesson and checks everything that it refers to. Its scene is a file in its folder or a scene of
/// the library.
///
/// # Errors
/// All mistakes in the lesson or its scene, in the order of the text.
pub fn own(file: &Path, knows: LinkCheck<'_>) -> Result<Lesson, Vec<Mistake>> {
    let text = read_text(file).map_err(|mistake| vec![mistake])?;
    let mut report = Report::new(file, Some(&text));
    let (mut lesson, good) = draft(&mut report);
    lesson.id = built_in::absolute(file).display().to_string();
    words(&lesson, &good, &mut report);
    let scene = if good.contains(&"scene") { scene(&mut lesson, file, &mut report) } else { None };
    if let Some(draw) = lesson.prediction.draw.as_ref().filter(|_| good.contains(&"prediction")) {
        sketch::check(draw, scene.as_ref(), &mut report);
    }
    if let Some(exercise) = lesson.exercise.as_ref().filter(|_| good.contains(&"exercise")) {
        exercise::check(exercise, scene.as_ref(), knows, &mut report);
    }
    if good.contains(&"trials") {
        trials(&lesson, scene.as_ref(), knows, &mut report);
    }
    why(&lesson, scene.as_ref(), knows, &mut report);
    let mut mistakes = report.mistakes;
    if mistakes.is_empty() {
        return Ok(lesson);
    }
    mistakes.sort_by_key(|m| (m.file != file, m.line, m.column));
    Err(mistakes)
}

/// What can be read, field by field and item by item, and the names of the fields that were read.
fn draft<'t>(report: &mut Report<'t>) -> (Lesson, Vec<&'t str>) {
    let (mut lesson, mut good) = (Lesson::default(), Vec::new());
    let Some(text) = report.text else { return (lesson, good) };
    let Some(fields) = fields(report, "Lesson", "expected a lesson, `(title: \"…\", scene: \"…\", …)`") else {
        return (lesson, good);
    };
    for DocumentField { name, at, member } in &fields.list {
        let before = report.mistakes.len();
        match *name {
            "title" => one(report, text, member, &mut lesson.title),
            "source" => one(report, text, member, &mut lesson.source),
            "first" => one(report, text, member, &mut lesson.first),
            "angles" => one(report, text, member, &mut lesson.angles),
            "scene" => one(report, text, member, &mut lesson.scene),
            "question" => one(report, text, member, &mut lesson.question),
            "prediction" => one(report, text, member, &mut lesson.prediction),
            "trials" => list(report, text, member, |trial| lesson.trials.push(trial), &mut Vec::new()),
            "exercise" => one(report, text, member, &mut lesson.exercise),
            "happened" => one(report, text, member, &mut lesson.happened),
            "why" => list(report, text, member, |line| lesson.why.push(line), &mut Vec::new()),
            "live" => one(report, text, member, &mut lesson.live),
            "read" => one(report, text, member, &mut lesson.read),
            _ => report.slip(Slip::unknown_field(*at, name, FIELDS, true)),
        }
        // The trials that can be read are checked even if others cannot.
        if report.mistakes.len() == before || *name == "trials" {
            good.push(*name);
        }
    }
    let asks: &[&str] = match fields.list.iter().any(|field| field.name == "exercise") {
        true => &["title", "scene", "question"],
        false => &["title", "scene", "question", "prediction", "trials", "happened", "why"],
    };
    fields.ask_for(report, asks);
    (lesson, good)
}

/// Checks the texts and the prediction.
fn words(lesson: &Lesson, good: &[&str], report: &mut Report) {
    let said = [("title", &lesson.title), ("question", &lesson.question), ("happened", &lesson.happened)];
    for (field, text) in said {
        if good.contains(&field) && text.trim().is_empty() {
            report.add(&DocPath::Root.field(field), format!("`{field}` says nothing"));
        }
    }
    if !good.contains(&"prediction") {
        return;
    }
    let Prediction { ask, choices, right, .. } = &lesson.prediction;
    let place = DocPath::Root.field("prediction");
    if ask.trim().is_empty() {
        report.add(&place.field("ask"), "`ask` says nothing");
    }
    if choices.len() < 2 {
        report.add(&place.field("choices"), format!("expected two choices or more, found {}", choices.len()));
    } else if *right >= choices.len() {
        let most = choices.len() - 1;
        report.add(
            &place.field("right"),
            format!("`right` counts the choices from 0: expected 0 to {most}, not {right}"),
        );
    }
}

/// Finds and reads the lesson's scene: a file in its folder, else a scene of the library. Sets `lesson.scene` or
/// `lesson.file`.
fn scene(lesson: &mut Lesson, file: &Path, report: &mut Report) -> Option<Loaded> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let beside = [folder.join(&lesson.scene), folder.join(format!("{}.ron", lesson.scene))];
    let beside = beside.into_iter().find(|path| path.is_file());
    let path = beside.clone().unwrap_or_else(|| library::find(&lesson.scene));
    let entries = Library::now().entries();
    if !built_in::is_file(&path) {
        let near = nearest(&lesson.scene, entries.iter().map(|entry| entry.id.as_str()));
        let what = format!("no file beside this one and no scene of the library is called `{}`{near}", lesson.scene);
        report.add(&DocPath::Root.field("scene"), what);
        return None;
    }
    let whole = built_in::canonical(&path);
    let same = |entry: &&LibraryEntry| entry.own.is_none() && built_in::canonical(&entry.path) == whole;
    match entries.iter().find(same) {
        Some(entry) => lesson.scene.clone_from(&entry.id),
        None => lesson.file = Some(path.clone()),
    }
    match read(&path) {
        Ok(loaded) => Some(loaded),
        Err(mistakes) => {
            report.add(&DocPath::Root.field("scene"), format!("the scene {} has mistakes of its own", path.display()));
            report.adopt(mistakes);
            None
        }
    }
}

/// A message if the scene has no joint or body of this name.
pub(super) fn there(flat: &Flat, name: &str) -> Option<String> {
    let joints = flat.joints.iter().map(|joint| &*joint.name);
    let names = || joints.clone().chain(flat.bodies.iter().map(|body| &*body.name));
    let known = names().any(|known| known == name);
    (!known).then(|| format!("no joint and no body of the scene is called `{name}`{}", nearest(name, names())))
}

/// A message if the scene has no experiment of this name.
fn no_experiment(scene: &Loaded, name: &str) -> Option<String> {
    let names = || scene.scene.experiments.iter().map(|experiment| experiment.name.as_str());
    let known = names().any(|known| known == name);
    (!known).then(|| format!("no experiment of the scene is called `{name}`{}", nearest(name, names())))
}

/// A message if two runs cannot go on side by side. An empty name is the scene as opened.
fn not_beside(scene: &Loaded, one: &str, other: &str) -> Option<String> {
    if one == other {
        return Some("both runs would be the same".to_owned());
    }
    let rate = |name: &str| {
        let mut settings = Settings::default();
        scene.scene.settings.apply(&mut settings);
        if let Some(experiment) = scene.scene.experiments.iter().find(|experiment| experiment.name == name) {
            experiment.set.apply(&mut settings);
        }
        settings.step.rate
    };
    let (a, b) = (rate(one), rate(other));
    (a != b).then(|| format!("runs side by side need the same step rate, not {a} and {b} steps a second"))
}

fn trials(lesson: &Lesson, scene: Option<&Loaded>, knows: LinkCheck<'_>, report: &mut Report) {
    let list = DocPath::Root.field("trials");
    if lesson.trials.is_empty() && report.unread.iter().all(|(list, _)| list != "trials") {
        report.add(&list, "expected one trial or more: `(say: \"…\")` runs the scene as it opens");
    }
    for (index, trial) in lesson.trials.iter().enumerate() {
        let place = list.item(index);
        let Trial {
            say,
            experiment,
            speed,
            seconds,
            beside,
            steps,
            select,
            system,
            controls,
            blocks_per_second,
            tab,
            ..
        } = trial;
        exercise::controls(controls, &place.field("controls"), report);
        if say.trim().is_empty() {
            report.add(&place.field("say"), "`say` says nothing");
        }
        if !SPEEDS.contains(speed) {
            let (least, most) = (SPEEDS.start(), SPEEDS.end());
            report.add(
                &place.field("speed"),
                format!("expected {least} to {most} simulated seconds a second, not {speed}"),
            );
        }
        if !(*seconds > 0.0 && *seconds <= LONGEST_TRIAL) {
            let what = format!("expected more than 0 and at most {LONGEST_TRIAL} seconds, not {seconds}");
            report.add(&place.field("seconds"), what);
        }
        if steps.is_some_and(|steps| !(1..=MAX_STEPS).contains(&steps)) {
            report.add(&place.field("steps"), format!("expected 1 to {MAX_STEPS} steps"));
        }
        if blocks_per_second.is_some_and(|pace| !BLOCKS_PER_SECOND.contains(&pace)) {
            let what = format!("expected {} to {} blocks a second", BLOCKS_PER_SECOND.start(), BLOCKS_PER_SECOND.end());
            report.add(&place.field("blocks_per_second"), what);
        }
        if blocks_per_second.is_some() && *tab != Some(Tab::Step) {
            report.add(&place.field("blocks_per_second"), "only the tab `Step` plays a step by itself: `tab: Step`");
        }
        if let Some(what) =
            Some(system).filter(|system| !system.is_empty()).and_then(|name| knows(LinkTarget::System(name)))
        {
            report.add(&place.field("system"), what);
        }
        let Some(scene) = scene else { continue };
        for (field, name) in [("experiment", Some(experiment)), ("beside", beside.as_ref())] {
            if let Some(what) = name.filter(|name| !name.is_empty()).and_then(|name| no_experiment(scene, name)) {
                report.add(&place.field(field), what);
            }
        }
        if let Some(what) = beside.as_ref().and_then(|beside| not_beside(scene, experiment, beside)) {
            report.add(&place.field("beside"), what);
        }
        if let Some(what) = Some(select).filter(|name| !name.is_empty()).and_then(|name| there(&scene.flat, name)) {
            report.add(&place.field("select"), what);
        }
    }
}

fn why(lesson: &Lesson, scene: Option<&Loaded>, knows: LinkCheck<'_>, report: &mut Report) {
    let list = DocPath::Root.field("why");
    let mut formulas: Vec<&str> = Vec::new();
    for (index, line) in lesson.why.iter().enumerate() {
        if let Paragraph::Formula(formula) = line {
            formulas.push(formula);
            if let Some(what) = knows(LinkTarget::Formula(formula)) {
                report.add(&list.item(index), what);
            }
        }
    }
    let references = DocPath::Root.field("read");
    for (index, reference) in lesson.read.iter().enumerate() {
        if let Some(what) = knows(LinkTarget::Reference(reference)) {
            report.add(&references.item(index), what);
        }
    }
    let Some(live) = &lesson.live else { return };
    let place = DocPath::Root.field("live");
    for (field, name) in [("of", Some(&live.of)), ("with", live.with.as_ref())] {
        if let Some(what) = scene.zip(name).and_then(|(scene, name)| there(&scene.flat, name)) {
            report.add(&place.field(field), what);
        }
    }
    let letters = place.field("letters");
    for (index, (letter, _)) in live.letters.iter().enumerate() {
        if let Some(what) = knows(LinkTarget::Letter(letter, live, &formulas)) {
            report.add(&letters.item(index), what);
        }
    }
}
