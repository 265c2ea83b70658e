//! Records the quantities of bodies, joints and rows in the document's plots after each step while they are shown;
//! earlier values are recomputed on a copy
//! (`past.rs`).

use super::Session;
use super::quantity::{Quantity, QuantityTrace};
use super::snapshot::samples::Samples;
use delassus_scene::Scene;

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

impl Samples {
    /// Keeps traces of exactly these quantities; existing ones keep their values.
    fn ask(&mut self, asked: Vec<Quantity>) {
        let mut old = std::mem::take(&mut self.traces);
        let kept = |quantity: Quantity| {
            let at = old.iter().position(|trace| trace.quantity == quantity);
            at.map_or_else(|| QuantityTrace::new(quantity), |at| old.swap_remove(at))
        };
        self.traces = asked.into_iter().map(kept).collect();
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
    /// Adapts the traces after plots, bodies or joints have changed.
    pub(super) fn follow_plots(&mut self) {
        let Some(open) = &self.open else { return };
        if open.document.scene.plots.is_empty() && self.samples.traces.is_empty() {
            return;
        }
        let asked = plotted_quantities(&open.document.scene);
        for run in self.comparison.sessions() {
            run.ask_for(asked.clone());
        }
        self.ask_for(asked);
    }

    fn ask_for(&mut self, asked: Vec<Quantity>) {
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
        if !self.needs.quantities || self.samples.traces.iter().all(|trace| trace.filled) {
            return;
        }
        let Some(now) = self.open.as_ref().map(|open| open.run.world().state.step_count) else { return };
        let known = self.samples.samples.front().map_or(now, |sample| sample.step);
        let open = self.samples.traces.iter_mut().filter(|trace| !trace.filled);
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
