//! A prediction that the learner draws, before choosing among the answers.

use serde::Deserialize;

use crate::Loaded;
use crate::mistake::nearest;
use crate::report::{DocPath, Report};

/// The longest time of a drawn curve, s.
pub const LONGEST: f64 = 120.0;

/// What the learner draws.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Sketch {
    /// A curve against time. It is compared with the run of the first trial.
    Curve {
        /// A curve of one of the scene's plots, as it is written there.
        of: String,
        /// The end of the time axis, s.
        seconds: f64,
        /// The ends of the vertical axis, in the quantity's SI unit.
        range: (f64, f64),
    },
}

impl Sketch {
    /// The field that is wrong by itself, and what was expected.
    pub(super) fn mistake(&self) -> Option<(&'static str, String)> {
        let Self::Curve { seconds, range: (low, high), .. } = self;
        if !(*seconds > 0.0 && *seconds <= LONGEST) {
            return Some(("seconds", format!("expected more than 0 and at most {LONGEST} seconds, not {seconds}")));
        }
        let is_range = low.is_finite() && high.is_finite() && low < high;
        (!is_range).then(|| ("range", "expected two numbers, the lower one first".to_owned()))
    }
}

/// Checks what a lesson's prediction draws.
pub(super) fn check(sketch: &Sketch, scene: Option<&Loaded>, report: &mut Report) {
    let prediction = DocPath::Root.field("prediction");
    let place = prediction.field("draw");
    if let Some((field, what)) = sketch.mistake() {
        report.add(&place.field(field), what);
    }
    let Some(scene) = scene else { return };
    let Sketch::Curve { of, .. } = sketch;
    let plots = || scene.scene.plots.iter().filter(|plot| plot.against.is_empty());
    if !plots().any(|plot| plot.curves.contains(of)) {
        let near = nearest(of, plots().flat_map(|plot| plot.curves.iter().map(String::as_str)));
        report.add(&place.field("of"), format!("no plot of the scene over time has the curve `{of}`{near}"));
    }
}
