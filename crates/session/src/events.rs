//! Events of a run, step by step: contacts begin and end, joints reach and leave their stops, joints break, impulses
//! are guarded. Logged only on request, because every contact and joint is checked after every step.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use super::Session;
use super::names::Names;
use delassus_physics::readout::Stops;
use delassus_physics::row::RowList;
use delassus_physics::world::World;

/// An event in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    pub what: EventKind,
    /// The bodies or the joint concerned, by name.
    pub who: String,
}

/// Kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// Two bodies, by number.
    ContactBegins(u32, u32),
    ContactEnds(u32, u32),
    /// A joint, by index.
    StopReached(usize),
    StopLeft(usize),
    Broken(usize),
    /// One or more bodies; the number of the first.
    FallAsleep(u32),
    Wake(u32),
    /// Impulses were reduced or reset before warm starting.
    Guarded,
    /// A body was stopped because its state was not finite or its velocity ran away.
    Stopped,
}

/// Maximum number of logged events; the oldest are dropped.
pub const MAX_EVENTS: usize = 4000;

/// The event log of a run.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    /// Whether logging is on.
    on: bool,
    pub list: VecDeque<Event>,
    /// Intervals of steps that were already checked.
    known: Vec<(u64, u64)>,
    /// State after the last checked step.
    touching: BTreeSet<(u32, u32)>,
    stops: Vec<(Stops, bool)>,
    asleep: Vec<bool>,
    guarded: usize,
    stopped: usize,
}

impl EventKind {
    /// In words, for the user.
    pub fn words(self) -> &'static str {
        match self {
            Self::ContactBegins(..) => "contact begins",
            Self::ContactEnds(..) => "contact ends",
            Self::StopReached(_) => "stop reached",
            Self::StopLeft(_) => "stop left",
            Self::Broken(_) => "broken",
            Self::FallAsleep(_) => "falls asleep",
            Self::Wake(_) => "wakes",
            Self::Guarded => "impulse guarded",
            Self::Stopped => "body stopped",
        }
    }
}

impl EventLog {
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Starts logging from this state, or stops.
    pub fn switch(&mut self, on: bool, world: &World) {
        if on != self.on {
            self.on = on;
            self.arrive(world);
        }
    }

    /// Takes this state as the reference, after the run moved to it without a step.
    pub fn arrive(&mut self, world: &World) {
        if self.on {
            self.touching = touching(world, &self.touching);
            self.stops = stops(world);
            self.asleep = asleep(world);
            (self.guarded, self.stopped) = (world.report.guarded, world.report.stopped);
        }
    }

    /// Discards the events after this step.
    pub fn cut(&mut self, step: u64) {
        while self.list.back().is_some_and(|event| event.step > step) {
            self.list.pop_back();
        }
        self.known.retain(|(from, _)| *from <= step);
        self.known.iter_mut().for_each(|(_, to)| *to = step.min(*to));
    }

    pub fn clear(&mut self) {
        *self = Self { on: self.on, ..Self::default() };
    }

    /// Checks the state after a step. Steps already checked add no events.
    pub fn check(&mut self, world: &World, names: &Names) {
        if !self.on {
            return;
        }
        let known = self.knows(world.state.step_count);
        let mut found: Vec<(EventKind, String)> = Vec::new();
        let body =
            |id: u32| (id as usize).checked_sub(1).and_then(|at| names.bodies.get(at)).map_or("world", |name| name);
        let now = touching(world, &self.touching);
        let both = |a: u32, b: u32| format!("{} · {}", body(a), body(b));
        found.extend(now.difference(&self.touching).map(|&(a, b)| (EventKind::ContactBegins(a, b), both(a, b))));
        found.extend(self.touching.difference(&now).map(|&(a, b)| (EventKind::ContactEnds(a, b), both(a, b))));
        self.touching = now;
        let stops = stops(world);
        let name = |joint: usize| names.joints.get(joint).cloned().unwrap_or_else(|| Arc::from("joint"));
        for (joint, (now, was)) in stops.iter().zip(&self.stops).enumerate() {
            let at = |stops: &Stops| stops.least || stops.greatest || stops.swing;
            let what = match (at(&was.0), at(&now.0)) {
                (false, true) => Some(EventKind::StopReached(joint)),
                (true, false) => Some(EventKind::StopLeft(joint)),
                _ => None,
            };
            let broken = (now.1 && !was.1).then_some(EventKind::Broken(joint));
            found.extend(what.into_iter().chain(broken).map(|what| (what, name(joint).to_string())));
        }
        self.stops = stops;
        let asleep = asleep(world);
        for (sleeps, what) in [(true, EventKind::FallAsleep as fn(u32) -> EventKind), (false, EventKind::Wake)] {
            let both = (0..).zip(asleep.iter().zip(&self.asleep));
            let mut ids = both.filter(|(_, (now, was))| now != was && **now == sleeps).map(|(id, _)| id);
            if let Some(first) = ids.next() {
                let who = match ids.count() {
                    0 => body(first).to_owned(),
                    others => format!("{} and {others} more", body(first)),
                };
                found.push((what(first), who));
            }
        }
        self.asleep = asleep;
        let more = |now: usize, was: usize| (now > was).then(|| format!("{} more", now - was));
        found.extend(more(world.report.guarded, self.guarded).map(|many| (EventKind::Guarded, many)));
        found.extend(more(world.report.stopped, self.stopped).map(|many| (EventKind::Stopped, many)));
        (self.guarded, self.stopped) = (world.report.guarded, world.report.stopped);
        if known {
            return;
        }
        let (step, time) = (world.state.step_count, world.state.time);
        found.into_iter().for_each(|(what, who)| self.insert(Event { step, time, what, who }));
    }

    fn insert(&mut self, event: Event) {
        let at = self.list.partition_point(|other| other.step <= event.step);
        self.list.insert(at, event);
        if self.list.len() > MAX_EVENTS {
            self.list.pop_front();
        }
    }

    /// Takes the events of steps that another log has checked, and this one has not.
    pub fn append(&mut self, other: Self) {
        let steps: Vec<u64> = other.known.iter().flat_map(|(from, to)| *from..=*to).collect();
        let fresh: BTreeSet<u64> = steps.into_iter().filter(|step| !self.knows(*step)).collect();
        other.list.into_iter().filter(|event| fresh.contains(&event.step)).for_each(|event| self.insert(event));
    }

    /// Whether this step was checked before; marks it as checked.
    fn knows(&mut self, step: u64) -> bool {
        if self.known.iter().any(|(from, to)| (*from..=*to).contains(&step)) {
            return true;
        }
        match self.known.iter_mut().find(|(_, to)| to + 1 == step) {
            Some((_, to)) => *to = step,
            None => self.known.push((step, step)),
        }
        false
    }
}

/// The pairs of touching bodies. A pair that touched before counts as separated only beyond twice the slop, so that
/// resting contacts do not begin and end in every step.
fn touching(world: &World, before: &BTreeSet<(u32, u32)>) -> BTreeSet<(u32, u32)> {
    let pairs = world.state.contacts.manifolds().filter(|(a, b, manifold)| {
        let apart = if before.contains(&(*a, *b)) { 2.0 * manifold.slop } else { 0.0 };
        manifold.points.iter().any(|point| point.separation <= apart || point.impulse > 0.0)
    });
    pairs.map(|(a, b, _)| (a, b)).collect()
}

/// The stops that each joint is at, and whether it is broken.
fn stops(world: &World) -> Vec<(Stops, bool)> {
    let mut list = RowList::default();
    let read = |joint: usize| (world.joint_now(joint, &mut list).1.stops, world.state.joints[joint].broken.is_some());
    (0..world.state.joints.len()).map(read).collect()
}

/// Which bodies sleep, starting with body 0, the world itself.
fn asleep(world: &World) -> Vec<bool> {
    (0..world.state.bodies.len() as u32).map(|body| world.state.sleep.has(body)).collect()
}

impl Session {
    /// The logged events, oldest first.
    pub fn events(&self) -> &VecDeque<Event> {
        &self.log.list
    }

    /// Starts or stops logging. Logging checks every contact and joint after every step.
    pub(super) fn log(&mut self, on: bool) {
        let Some(open) = &self.open else { return };
        let begins = on && !self.log.is_on();
        self.log.switch(on, open.run.world());
        if begins {
            self.log_past();
        } else if !on {
            self.forget_past_events();
        }
    }
}
