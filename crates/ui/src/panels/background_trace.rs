//! A look into the next step, which is made on a copy of the world, and what a panel wants to know of it. In the window
//! a thread makes both, and no frame waits for it longer than a moment. Another state, and closing the panel, cancel
//! it.

use std::sync::Arc;
use std::time::Duration;

use egui::Ui;

use crate::view::View;
use delassus_lab::TracedStep;
use delassus_physics::clock::Instant;
use delassus_physics::trace::Depth;
use delassus_physics::work::Cancel;
use delassus_physics::world::World;
use delassus_session::background::{Background, MAX_WAIT, Progress};

/// Identifies the state that was looked into: document, its revision, step, state hash (0 while playing).
pub type Key = (u64, u64, u64, u64);

/// The key of the session's present state.
pub fn key(world: &World, view: &View<'_>) -> Key {
    let session = view.session;
    let state = if session.playing() { 0 } else { world.hash() };
    (session.opened(), session.revision(), world.state.step_count, state)
}

/// What a look is of: the state, the depth, and what the panel wants to know.
#[derive(Clone, Debug, PartialEq)]
struct Of<W> {
    key: Key,
    depth: Depth,
    want: W,
}

/// A look, and what the panel wanted to know; `None` if the step cannot be made.
type Made<P> = Option<(Arc<TracedStep>, P)>;

struct Pending<W, P> {
    of: Of<W>,
    begun: Instant,
    work: Background<Made<P>>,
}

/// The last look, and the next one while it is being made. `W` says what is wanted, `P` is the answer.
pub struct BackgroundTrace<W, P> {
    shown: Option<(Of<W>, Made<P>)>,
    pending: Option<Pending<W, P>>,
    /// Whether the last look is of another state or says something else than what is wanted.
    outdated: bool,
    /// Earliest time of the next look while playing.
    due: Option<Instant>,
}

impl<W, P> Default for BackgroundTrace<W, P> {
    fn default() -> Self {
        Self { shown: None, pending: None, outdated: false, due: None }
    }
}

/// What [`BackgroundTrace::update`] has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    Nothing,
    /// Another answer about the same state.
    Answer,
    /// A look into another state.
    State,
}

/// While playing, the pause after a look is this many times its duration, drawing not included.
const SHARE: f64 = 8.0;

impl<W: Clone + PartialEq, P: Send + 'static> BackgroundTrace<W, P> {
    /// Follows the session's state; while it plays, with a pause of at least `pause` between two looks. `answer` makes
    /// what is wanted of the world before the step and of the look.
    pub fn update(
        &mut self,
        world: &World,
        view: &View<'_>,
        (depth, want): (Depth, W),
        pause: Duration,
        answer: impl FnOnce(&World, &TracedStep) -> P + Send + 'static,
    ) -> News {
        let plays = view.session.playing();
        let of = Of { key: key(world, view), depth, want };
        self.pending.take_if(|pending| !pending.serves(&of, plays));
        let news = if self.pending.is_some() {
            self.poll(Duration::ZERO, pause)
        } else if self.serves(&of, plays) {
            News::Nothing
        } else {
            self.start(world, of.clone(), view.session.can_step_elsewhere(), answer, pause)
        };
        let other = |(shown, _): &(Of<W>, _)| shown.want != of.want || !plays && shown.key != of.key;
        self.outdated = self.pending.is_some() && self.shown.as_ref().is_some_and(other);
        news
    }

    /// Whether the last look is good enough for now.
    fn serves(&self, of: &Of<W>, plays: bool) -> bool {
        let Some((shown, _)) = &self.shown else { return false };
        let waits = plays && shown.key.0 == of.key.0 && self.due.is_some_and(|due| Instant::now() < due);
        (shown.key == of.key || waits) && shown.depth >= of.depth && shown.want == of.want
    }

    /// Begins another look, or the answer to another question about the last one.
    fn start(
        &mut self,
        world: &World,
        of: Of<W>,
        elsewhere: bool,
        answer: impl FnOnce(&World, &TracedStep) -> P + Send + 'static,
        pause: Duration,
    ) -> News {
        let again = |(shown, made): &(Of<W>, Made<P>)| {
            let there = shown.key == of.key && shown.depth >= of.depth;
            there.then(|| made.as_ref().map(|(traced, _)| traced.clone()))
        };
        let (mut world, again, depth) = (world.clone(), self.shown.as_ref().and_then(again), of.depth);
        let work = move |cancel: Option<&Cancel>| {
            world.report.work.cancelled_by(cancel.cloned());
            let traced = match again {
                Some(traced) => traced?,
                None => {
                    let mut traced = TracedStep::of(&world, depth)?;
                    traced.after.report.work.cancelled_by(None);
                    Arc::new(traced)
                }
            };
            let answer = answer(&world, &traced);
            Some((traced, answer))
        };
        let begun = Instant::now();
        if !elsewhere {
            let made = work(None);
            return self.put(of, begun, made, pause);
        }
        match Background::start("looking", move |cancel| work(Some(cancel))) {
            Some(work) => self.pending = Some(Pending { of, begun, work }),
            None => return self.put(of, begun, None, pause),
        }
        self.poll(MAX_WAIT, pause)
    }

    /// Takes what has been made, after waiting this long at most.
    fn poll(&mut self, max_wait: Duration, pause: Duration) -> News {
        let Some(pending) = self.pending.take() else { return News::Nothing };
        match pending.work.wait(max_wait) {
            Progress::Running => {
                self.pending = Some(pending);
                News::Nothing
            }
            Progress::Done(made) => self.put(pending.of, pending.begun, made, pause),
            Progress::Failed => self.put(pending.of, pending.begun, None, pause),
        }
    }

    fn put(&mut self, of: Of<W>, begun: Instant, made: Made<P>, pause: Duration) -> News {
        self.due = Some(Instant::now() + pause.max(begun.elapsed().mul_f64(SHARE)));
        let same = self.shown.as_ref().is_some_and(|(shown, _)| shown.key == of.key);
        self.shown = Some((of, made));
        if same { News::Answer } else { News::State }
    }

    /// The last look, and what was wanted of it.
    pub fn get(&self) -> Option<(&Arc<TracedStep>, &P)> {
        let made = self.shown.as_ref().filter(|_| !self.outdated).and_then(|(_, made)| made.as_ref());
        made.map(|(traced, answer)| (traced, answer))
    }

    /// Whether there is nothing to show because it is still being computed.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some() && self.get().is_none()
    }

    /// Cancels what is being computed.
    pub fn rest(&mut self) {
        (self.pending, self.outdated) = (None, false);
    }
}

impl<W: PartialEq, P> Pending<W, P> {
    /// Whether it is worth waiting for. While playing, a look that has begun is finished.
    fn serves(&self, of: &Of<W>, plays: bool) -> bool {
        let same = self.of.key == of.key || plays && (self.of.key.0, self.of.key.1) == (of.key.0, of.key.1);
        same && self.of.depth >= of.depth && self.of.want == of.want
    }
}

/// Says that something is being computed.
pub fn computing(ui: &mut Ui, what: &str) {
    ui.horizontal(|ui| {
        ui.spinner();
        ui.label(format!("{what} is being computed …"));
    });
}
