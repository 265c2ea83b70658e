//! The finder's index: scenes, lessons and experiments of the library, recent files, commands. It is made when the
//! finder opens. An entry is found by its name, by what it belongs to, and by its description.

use std::path::{Path, PathBuf};

use crate::{
    editor::{Tool, tools::grab::GrabKind},
    shell::{
        action::{ACTIONS, Action, Menu},
        commands,
        recent::Recents,
    },
    view::{View, file_name, is_same},
};
use delassus_launch::LaunchOptions;
use delassus_scene::{lesson::Lesson, library::LibraryEntry, sources};

/// A hit.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchHit {
    Scene {
        title: String,
        detail: String,
        path: PathBuf,
    },
    /// Index in the list of lessons.
    Lesson {
        title: String,
        detail: String,
        index: usize,
    },
    Experiment {
        name: String,
        detail: String,
        place: ExperimentPlace,
    },
    Command(Action),
    Line(Box<LaunchOptions>),
}

/// Where an experiment is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExperimentPlace {
    /// In the open scene, by its place there.
    Here(usize),
    /// In another scene's file.
    In(PathBuf),
}

/// The index.
#[derive(Clone, Debug, Default)]
pub struct SearchIndex {
    lines: Vec<Line>,
}

/// An entry, with the words that find it in lower case.
#[derive(Clone, Debug)]
struct Line {
    name: String,
    /// What it belongs to: scene, chapter, file.
    belongs: String,
    /// Its description.
    description: String,
    found: SearchHit,
}

impl Line {
    fn new(name: &str, belongs: &str, description: &str, found: SearchHit) -> Self {
        let [name, belongs, description] = [name, belongs, description].map(str::to_lowercase);
        Self { name, belongs, description, found }
    }

    fn scene(entry: &LibraryEntry) -> Self {
        let mut detail = if entry.source.is_empty() { entry.folder().to_owned() } else { entry.source.clone() };
        if let Some(name) = entry.own.as_deref().and_then(Path::file_name) {
            let before = if detail.is_empty() { "" } else { " · " };
            detail += &format!("{before}{}", name.to_string_lossy());
        }
        let belongs = format!("scene {detail} {} {}", entry.folder(), file_name(entry));
        let found = SearchHit::Scene { title: entry.title.clone(), detail, path: entry.path.clone() };
        Self::new(&entry.title, &belongs, &description(&entry.source, &entry.about), found)
    }

    fn lesson(index: usize, lesson: &Lesson) -> Self {
        let chapter = if lesson.source.is_empty() { String::new() } else { format!(" · {}", lesson.source) };
        let detail = format!("lesson{chapter}");
        let belongs = format!("{detail} {} {}", lesson.scene, lesson.id);
        let found = SearchHit::Lesson { title: lesson.title.clone(), detail, index };
        Self::new(&lesson.title, &belongs, &description(&lesson.source, &lesson.question), found)
    }

    /// An experiment of the scene of this title and source.
    fn experiment([name, about]: [&str; 2], [title, source]: [&str; 2], place: ExperimentPlace) -> Self {
        let chapter = if source.is_empty() { String::new() } else { format!(" · {source}") };
        let detail = format!("experiment · {title}{chapter}");
        let found = SearchHit::Experiment { name: name.to_owned(), detail: detail.clone(), place };
        Self::new(name, &detail, &description(source, about), found)
    }

    fn command(action: Action, name: &str) -> Self {
        Self::new(name, also_called(action), "", SearchHit::Command(action))
    }
}

/// A scene's description, and the titles of the documents that it is from.
fn description(source: &str, about: &str) -> String {
    let titles: Vec<&str> = sources::titles(source).collect();
    format!("{about} {}", titles.join(" "))
}

impl SearchIndex {
    /// Gathers everything that can be found now.
    pub fn of(view: &View<'_>, recent: &Recents) -> Self {
        let shelf = view.shelf;
        let scenes = shelf.entries.iter().map(Line::scene);
        let lessons = shelf.lessons.iter().enumerate().map(|(index, lesson)| Line::lesson(index, lesson));
        let recent = recent.iter().filter(|recent| recent.exists).map(|recent| {
            let (title, folder) = (recent.name(), recent.folder());
            let detail = format!("recent, {folder}");
            let found = SearchHit::Scene { title: title.clone(), detail, path: recent.path.clone() };
            Line::new(&format!("recent {title}"), &folder, "", found)
        });
        let commands = (ACTIONS.iter())
            .filter(|info| info.menu != Menu::Hidden && info.action != Action::Find && info.is_first())
            .map(|info| Line::command(info.action, info.name));
        // First those of the open scene, which may differ from its file.
        let open_scene = [view.scene.title.as_str(), view.scene.source.as_str()];
        let here = view.scene.experiments.iter().enumerate().map(|(index, experiment)| {
            Line::experiment([&experiment.name, &experiment.about], open_scene, ExperimentPlace::Here(index))
        });
        let others = shelf.entries.iter().filter(|entry| view.path.is_none_or(|path| !is_same(path, &entry.path)));
        let elsewhere = others.flat_map(|entry| {
            let scene = [entry.title.as_str(), entry.source.as_str()];
            (entry.experiments.iter()).map(move |words| {
                Line::experiment([&words.name, &words.about], scene, ExperimentPlace::In(entry.path.clone()))
            })
        });
        Self { lines: scenes.chain(lessons).chain(recent).chain(commands).chain(here).chain(elsewhere).collect() }
    }

    /// The hits, best first.
    pub fn search(&self, view: &View<'_>, text: &str) -> Vec<SearchHit> {
        let enabled = |line: &&Line| match line.found {
            SearchHit::Command(action) => commands::is_enabled(action, view),
            _ => true,
        };
        let text = text.trim().to_lowercase();
        let lines = self.lines.iter().filter(enabled);
        let mut ranked: Vec<_> = lines.filter_map(|line| Some((line.rank(&text)?, &line.found))).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, found)| found.clone()).collect()
    }
}

impl Line {
    fn is_experiment(&self) -> bool {
        matches!(self.found, SearchHit::Experiment { .. })
    }

    /// How well the entry matches `text`, given in lower case: 0 is best, `None` no match. In order: names that begin
    /// with the text, names with words that do, what it belongs to, parts of words, the description, and for short
    /// names the letters in order.
    fn rank(&self, text: &str) -> Option<usize> {
        if text.is_empty() {
            return Some(0);
        }
        let all = |matches: &dyn Fn(&str) -> bool| text.split_whitespace().all(matches);
        let begins = |words: &str, part: &str| words.split_whitespace().any(|word| word.starts_with(part));
        let named = |part: &str| begins(&self.name, part);
        let within = |part: &str| self.name.contains(part) || self.belongs.contains(part);
        if self.name.starts_with(text) {
            Some(0)
        } else if all(&named) {
            Some(1)
        } else if all(&|part| named(part) || begins(&self.belongs, part)) {
            // A scene's name alone does not lift all its experiments above better hits.
            let by_own_name = !self.is_experiment() || text.split_whitespace().any(named);
            Some(if by_own_name { 2 } else { 4 })
        } else if all(&within) {
            Some(3)
        } else if all(&|part| within(part) || self.description.contains(part)) {
            Some(4)
        } else {
            // An experiment's name is a sentence, which contains most sequences of letters.
            let short = !self.is_experiment();
            let mut letters = self.name.chars();
            let mut typed = text.chars().filter(|c| !c.is_whitespace());
            (short && typed.all(|c| letters.any(|l| l == c))).then_some(5)
        }
    }
}

/// Other names of a command.
fn also_called(action: Action) -> &'static str {
    match action {
        Action::Export => "export",
        Action::Record => "replay save recording",
        Action::Probes => "measure ruler",
        Action::Reload => "reload",
        Action::Quit => "exit close",
        Action::Grab(GrabKind::Rotate) => "rotate",
        Action::Look(_) | Action::Perspective => "orthographic",
        Action::Tool(Tool::Spawn) => "add body",
        Action::TogglePlay => "run stop",
        Action::UiScale(_) => "zoom scale",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_matches_come_first() {
        let line = Line::command(Action::StepBack, "One step back");
        let ranks = ["", "one", "back st", "tep", "osb", "zz"].map(|text| line.rank(text));
        assert_eq!(ranks, [Some(0), Some(0), Some(1), Some(3), Some(5), None]);
        let scene = ["Hanging chain", "004 ch. 9"];
        let place = || ExperimentPlace::In("chain.ron".into());
        let experiment = Line::experiment(["No warm starting", "Nothing is carried over."], scene, place());
        let ranks = ["no warm", "warm", "warm chain", "004 chai", "anging", "carried", "nwst"];
        let ranks = ranks.map(|text| experiment.rank(text));
        assert_eq!(ranks, [Some(0), Some(1), Some(2), Some(4), Some(3), Some(4), None]);
        // By the title of the scene's document.
        assert_eq!(experiment.rank("game physics"), Some(4));
    }
}
