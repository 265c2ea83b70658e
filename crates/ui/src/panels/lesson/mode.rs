//! Lesson mode: only what a lesson needs is on screen, its scene waits paused for the prediction, and what a run shows
//! is revealed when it has been run.

use super::{Lessons, exercise, progress::Stage};
use crate::{
    notices::Notices,
    panels::plots::{PlotSketch, Plots},
    request::Request,
    view::{View, is_same},
    widgets::angles::Angles,
};
use delassus_scene::lesson::{AngleUnit, Lesson, Sketch, Tab, Trial};
use delassus_session::Command;

/// A trial that was started and whose result is not shown yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunningTrial {
    pub lesson: String,
    pub trial: usize,
    /// Whether the run was seen before the time of its result: it has been reset.
    armed: bool,
}

impl RunningTrial {
    pub(super) fn new(lesson: &str, trial: usize) -> Self {
        Self { lesson: lesson.to_owned(), trial, armed: false }
    }
}

impl Lessons {
    /// The chosen lesson, if its scene is open.
    fn current<'a>(&self, view: &View<'a>) -> Option<&'a Lesson> {
        let path = view.path?;
        let lesson = view.shelf.lessons.iter().find(|lesson| lesson.id == self.chosen)?;
        view.shelf.scene_of(lesson).is_some_and(|scene| is_same(path, &scene)).then_some(lesson)
    }

    /// The lesson that has the window to itself.
    pub fn focused<'a>(&self, view: &View<'a>) -> Option<&'a Lesson> {
        if self.focus { self.current(view) } else { None }
    }

    /// The unit of angles of the lesson that has the window to itself: that of its texts.
    pub fn angles(&self, view: &View<'_>) -> Option<Angles> {
        Some(match self.focused(view)?.angles {
            AngleUnit::Degrees => Angles::Degrees,
            AngleUnit::Radians => Angles::Radians,
        })
    }

    /// Whether its scene waits for the prediction.
    pub fn waits(&self, view: &View<'_>) -> bool {
        let waits = |lesson: &Lesson| lesson.predicts() && self.progress.stage(&self.answers, lesson) == Stage::New;
        self.focused(view).is_some_and(waits)
    }

    /// Follows the open scene and the run: the lesson's scene begins paused, a result is shown when its run has come
    /// far enough, and another scene ends lesson mode. True in the frame in which the lesson's scene is first there.
    pub fn update(&mut self, view: &View<'_>, out: &mut Vec<Request>) -> bool {
        let here = (self.focus || self.arriving) && self.current(view).is_some();
        let arrives = here && std::mem::take(&mut self.arriving);
        if arrives {
            rewind(view, out);
        } else if !here && !self.arriving {
            self.focus = false;
        }
        self.follow_run(view);
        if let Some(lesson) = self.current(view) {
            exercise::judge(view, lesson, &mut self.progress, &mut self.exercise);
        }
        arrives
    }

    /// Shows the result of the trial that goes on, once its run has come far enough.
    fn follow_run(&mut self, view: &View<'_>) {
        let Some(mut running) = self.running.take() else { return };
        let lesson = self.current(view).filter(|lesson| lesson.id == running.lesson);
        let Some(trial) = lesson.and_then(|lesson| lesson.trials.get(running.trial)) else { return };
        if shows_result(trial, view, &mut running.armed) {
            self.progress.note_run(&running.lesson, running.trial);
        } else {
            self.running = Some(running);
        }
    }

    /// Refuses what would start the scene before the prediction, and says so.
    pub fn hold(&self, view: &View<'_>, notices: &mut Notices, out: &mut Vec<Request>) {
        if !self.waits(view) {
            return;
        }
        let starts = |request: &Request| {
            matches!(request, Request::Session(Command::Play | Command::TogglePlay | Command::Step | Command::Record))
        };
        if out.iter().any(starts) {
            out.retain(|request| !starts(request));
            notices.info("Make a prediction first: then the scene runs. Or choose Show everything.".to_owned());
        }
        // What has run already would give the answer away.
        rewind(view, out);
    }

    /// The prediction that is drawn in the plots, if the lesson has one.
    pub fn lend_sketch(&self, view: &View<'_>, plots: &mut Plots) {
        let lesson = self.focused(view);
        plots.sketch = lesson.and_then(|lesson| match lesson.prediction.draw.as_ref()? {
            Sketch::Curve { of, seconds, range } => {
                let drawn = self.progress.drawn.get(&lesson.id).cloned().unwrap_or_default();
                let last = plots.sketch.take().and_then(|sketch| sketch.last);
                let open = !self.answers.contains_key(&lesson.id);
                Some(PlotSketch { of: of.clone(), seconds: *seconds, range: *range, drawn, open, last, changed: false })
            }
        });
    }

    /// Keeps what was drawn in this frame.
    pub fn take_sketch(&mut self, view: &View<'_>, plots: &Plots) {
        let Some((lesson, sketch)) = self.focused(view).zip(plots.sketch.as_ref()) else { return };
        if sketch.changed {
            self.progress.drawn.insert(lesson.id.clone(), sketch.drawn.clone());
        }
    }
}

/// Pauses at the beginning, without the curves of what has run.
fn rewind(view: &View<'_>, out: &mut Vec<Request>) {
    if view.clock.playing {
        out.push(Request::Session(Command::Pause));
    }
    if view.clock.playing || view.snapshot.step > 0 {
        out.extend([Command::Reset, Command::ForgetEarlier].map(Request::Session));
    }
}

/// Whether a run has come to the moment of its result. `armed` notes that it was seen before that moment.
fn shows_result(trial: &Trial, view: &View<'_>, armed: &mut bool) -> bool {
    match (trial.system.is_empty(), trial.steps) {
        (false, _) => true,
        // The steps are made at once.
        (true, Some(steps)) => view.snapshot.step >= u64::from(steps),
        (true, None) => {
            let here = view.snapshot.time >= f64::from(trial.seconds);
            *armed |= !here;
            here && *armed
        }
    }
}

/// The tabs of the lower dock that a lesson uses, in the order of their first use.
pub fn tabs(lesson: &Lesson) -> Vec<Tab> {
    let mut tabs = Vec::new();
    for trial in &lesson.trials {
        let tab = trial.tab.or_else(|| trial.system.is_empty().then_some(Tab::Plots));
        if let Some(tab) = tab.filter(|tab| !tabs.contains(tab)) {
            tabs.push(tab);
        }
    }
    tabs
}
