//! What a scene says of its bodies and joints: in claims, plots and labels. Whether it has them is seen once it is laid
//! out, and by who knows what can be claimed and plotted.

use std::path::Path;

use super::mistake::Mistake;
use super::report::{DocPath, Report};
use super::types::Scene;

/// Something that a scene says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneText<'a> {
    /// A condition that has to hold.
    Claim(&'a str),
    /// What a plot shows.
    Quantity(&'a str),
    /// The body that a label stands over.
    Body(&'a str),
}

/// What is wrong with what a scene says, as `wrong` finds it, each where it stands in its text.
pub fn scene_text_mistakes(
    file: &Path,
    text: &str,
    scene: &Scene,
    wrong: impl Fn(SceneText<'_>) -> Option<String>,
) -> Vec<Mistake> {
    let mut report = Report::new(file, Some(text));
    let mut look = |said: SceneText<'_>, place: &DocPath| {
        let Some(what) = wrong(said) else { return };
        let what = match said {
            SceneText::Claim(claim) => format!("the claim “{claim}”: {what}"),
            SceneText::Quantity(quantity) => format!("the curve `{quantity}`: {what}"),
            SceneText::Body(_) => what,
        };
        report.add(place, what);
    };
    let claims = DocPath::Root.field("claims");
    for (i, claim) in scene.claims.iter().enumerate() {
        look(SceneText::Claim(claim), &claims.item(i));
    }
    let labels = DocPath::Root.field("opens");
    let labels = labels.field("labels");
    for (i, label) in scene.opens.labels.iter().enumerate() {
        look(SceneText::Body(&label.over), &labels.item(i).field("over"));
    }
    let experiments = DocPath::Root.field("experiments");
    for (i, experiment) in scene.experiments.iter().enumerate() {
        for (k, claim) in experiment.claims.iter().enumerate() {
            look(SceneText::Claim(claim), &experiments.item(i).field("claims").item(k));
        }
    }
    let plots = DocPath::Root.field("plots");
    for (i, plot) in scene.plots.iter().enumerate() {
        for (k, curve) in plot.curves.iter().enumerate() {
            look(SceneText::Quantity(curve), &plots.item(i).field("curves").item(k));
        }
        if !plot.against.is_empty() {
            look(SceneText::Quantity(&plot.against), &plots.item(i).field("against"));
        }
    }
    report.mistakes
}
