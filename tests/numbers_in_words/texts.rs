//! The texts of the scenes and lessons, each with the claims of its file.

use std::path::{Path, PathBuf};

use delassus::scene::{self, Loaded, Scene, lesson, library};

/// One text, with the claims of its file by their runs: those of the scene, then of each experiment.
pub struct Text {
    pub place: String,
    pub scene: String,
    pub words: String,
    pub runs: Vec<Vec<String>>,
    /// The experiment that it is about; all of them, where there is none.
    pub of: Option<usize>,
}

impl Text {
    /// Every claim, its run, and whether the text goes by it.
    pub fn claims(&self) -> impl Iterator<Item = (usize, &str, bool)> {
        let by = move |run: usize| run == 0 || self.of.is_none_or(|of| of == run);
        let runs = self.runs.iter().enumerate();
        runs.flat_map(move |(run, claims)| claims.iter().map(move |claim| (run, claim.as_str(), by(run))))
    }

    /// The scene or the lesson, by which exceptions name it.
    pub fn file(&self) -> &str {
        self.place.split(" “").next().unwrap_or_default()
    }
}

pub fn root() -> PathBuf {
    library::scenes_folder()
}

fn runs(scene: &Scene) -> Vec<Vec<String>> {
    [scene.claims.clone()].into_iter().chain(scene.experiments.iter().map(|tried| tried.claims.clone())).collect()
}

/// The words of a scene and of its experiments; their names are settings.
pub fn of_scene(id: &str, scene: &Scene) -> Vec<Text> {
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

/// The texts of a lesson, without the wrong answers to its predictions. Those of its exercise have its claims, too.
pub fn of_lesson(lesson: &lesson::Lesson, scene: &Scene) -> Vec<Text> {
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
    let exercise = lesson.exercise.iter().flat_map(|exercise| {
        let claims = exercise.claims().iter();
        let said = [&exercise.task, &exercise.solved].into_iter().chain(&exercise.hints);
        let runs: Vec<_> =
            runs(scene).into_iter().chain([claims.clone().map(|(_, claim)| claim.clone()).collect()]).collect();
        said.chain(claims.map(|(words, _)| words)).map(move |words| Text { runs: runs.clone(), ..text(words) })
    });
    words.map(text).chain(exercise).collect()
}

pub fn read(path: &Path) -> Loaded {
    scene::read(path).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()))
}

pub fn text_of(id: &str) -> String {
    let path = root().join(format!("{id}.ron"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
