//! Records the quantities of bodies, joints and rows after each step: those of the document's plots while they are
//! shown, those of its sensors always. Earlier values are recomputed on a copy (`past.rs`).

use super::Session;
use super::quantity::{Quantity, QuantityTrace};
use super::snapshot::samples::Samples;
use delassus_physics::row::RowList;
use delassus_physics::world::World;
use delassus_scene::Scene;

/// The quantities to be recorded.
#[derive(Debug, Clone)]
struct Asked {
    plotted: Vec<Quantity>,
    sensed: Vec<Quantity>,
}

/// Both lists, each quantity once.
fn all_of(plotted: &[Quantity], sensed: &[Quantity]) -> Vec<Quantity> {
    let mut all: Vec<Quantity> = Vec::new();
    for quantity in plotted.iter().chain(sensed) {
        if !all.contains(quantity) {
            all.push(quantity.clone());
        }
    }
    all
}

/// The quantities in a scene's plots that are not in the metrics; unreadable ones are skipped.
fn plotted_quantities(scene: &Scene) -> Vec<Quantity> {
    let mut all: Vec<Quantity> = Vec::new();
    for plot in scene.plots.iter() {
        let against = std::iter::once(&plot.against).filter(|text| !text.is_empty());
        for quantity in plot.curves.iter().chain(against).filter_map(|text| Quantity::read(text).ok()) {
            if !quantity.is_of_run() && !all.contains(&quantity) {
                all.push(quantity);
            }
        }
    }
    all
}

/// The quantities of a scene's sensors that are not in the metrics; unreadable ones are skipped.
fn sensed_quantities(scene: &Scene) -> Vec<Quantity> {
    let read = scene.sensors.iter().filter_map(|sensor| Quantity::read(&sensor.of).ok());
    read.filter(|quantity| !quantity.is_of_run()).collect()
}

impl Samples {
    /// Keeps traces of exactly these quantities; existing ones keep their values.
    fn ask(&mut self, Asked { plotted, sensed }: Asked) {
        let mut old = std::mem::take(&mut self.traces);
        let kept = |quantity: Quantity| {
            let always = sensed.contains(&quantity);
            let at = old.iter().position(|trace| trace.quantity == quantity);
            let trace = at.map_or_else(|| QuantityTrace::new(quantity), |at| old.swap_remove(at));
            // One that begins to be recorded always has gaps from before.
            QuantityTrace { always, filled: trace.filled && (trace.always || !always), ..trace }
        };
        self.traces = all_of(&plotted, &sensed).into_iter().map(kept).collect();
    }

    /// Records the values of the traces after the world's step: of sensors, and with `plots` of the others, too.
    pub(super) fn note_traces(&mut self, world: &World, plots: bool) {
        let mut list = RowList::default();
        let due = self.traces.iter_mut().filter(|trace| plots || trace.always);
        due.for_each(|trace| trace.note(world, Self::CAPACITY, &mut list));
    }

    /// Takes values that are not known yet.
    pub(super) fn take_traces(&mut self, found: Vec<QuantityTrace>) {
        for found in found {
            let known =
                self.traces.iter_mut().find(|known| known.quantity == found.quantity && known.place == found.place);
            if let Some(known) = known {
                known.append_unknown(found.values, Self::CAPACITY);
            }
        }
    }

    /// The values of a quantity of a body, joint, contact or row.
    pub fn trace(&self, quantity: &Quantity) -> Option<&QuantityTrace> {
        self.traces.iter().find(|trace| trace.quantity == *quantity)
    }
}

impl Session {
    /// Adapts the traces after plots, sensors, bodies or joints have changed.
    pub(super) fn follow_plots(&mut self) {
        let Some(open) = &self.open else { return };
        let scene = &open.document.scene;
        self.samples.senses = !scene.sensors.is_empty();
        if scene.plots.is_empty() && scene.sensors.is_empty() && self.samples.traces.is_empty() {
            return;
        }
        let asked = Asked { plotted: plotted_quantities(scene), sensed: sensed_quantities(scene) };
        for run in self.comparison.sessions() {
            run.ask_for(asked.clone());
        }
        self.ask_for(asked);
    }

    fn ask_for(&mut self, asked: Asked) {
        self.samples.ask(asked);
        self.place_traces();
        self.fill();
    }

    /// Updates where the traces' bodies and joints are found in the world.
    pub(super) fn place_traces(&mut self) {
        let Some(open) = &self.open else { return };
        for trace in &mut self.samples.traces {
            let place = trace.quantity.place(&open.names);
            trace.filled &= trace.place == place;
            trace.place = place;
        }
    }

    /// Recomputes values from before a quantity was requested, as far back as the time limit allows.
    pub(super) fn fill(&mut self) {
        let plots = self.needs.quantities;
        let is_due = |trace: &QuantityTrace| !trace.filled && (plots || trace.always);
        if !self.samples.traces.iter().any(is_due) {
            return;
        }
        let Some(now) = self.open.as_ref().map(|open| open.run.world().state.step_count) else { return };
        let known = self.samples.samples.front().map_or(now, |sample| sample.step);
        let open = self.samples.traces.iter_mut().filter(|trace| is_due(trace));
        let asked = open.map(|trace| {
            trace.filled = true;
            QuantityTrace { place: trace.place.clone(), ..QuantityTrace::new(trace.quantity.clone()) }
        });
        let asked = asked.collect();
        self.fill_from_past(known, asked);
    }
}

#[cfg(test)]
mod tests {
    use crate::quantity::Quantity;
    use crate::{Command, Session};

    #[test]
    fn a_difference_is_that_of_its_two_quantities() {
        let book = delassus_scene::library::source_scenes().join("book");
        let mut session = Session::open(&book.join("23-mover.ron")).expect("a box on a platform");
        (0..30).for_each(|_| session.dispatch(Command::Step).expect("a step"));
        let value = |text: &str| session.samples().trace(&Quantity::read(text).expect(text)).and_then(|t| t.at(30));
        let [box_y, platform_y] = ["bodies.box.y", "bodies.platform.y"].map(|text| value(text).expect(text));
        assert!((box_y - platform_y).abs() > 0.1, "the platform runs away: {box_y}, {platform_y}");
        assert_eq!(value("bodies.box.y - bodies.platform.y"), Some(box_y - platform_y));
    }

    /// Quantities in the first scene's plots do not exist in the other: nothing may be read there.
    #[test]
    fn a_scene_with_fewer_joints_is_opened_over_one_that_plots_its_last() {
        let book = delassus_scene::library::source_scenes().join("book");
        let mut session = Session::open(&book.join("09-chain.ron")).expect("five joints");
        session.dispatch(Command::Step).expect("a step");
        for other in ["06-bead-on-wire.ron", "08-pendulum.ron", "11-stabilisation.ron", "09-chain.ron"] {
            session.dispatch(Command::Open(book.join(other))).expect("another one");
            session.dispatch(Command::Step).expect("a step");
            let traces = &session.samples().traces;
            assert!(traces.iter().all(|trace| trace.at(1).is_some()), "{other}: the step is noted");
        }
    }
}
