//! Texts of a scene that refer to its bodies and joints: claims, plots, sensors and labels. They are checked after laying out,
//! by the module that knows what can be claimed and plotted.

use std::path::Path;

use super::mistake::{Mistake, shortened};
use super::report::{DocPath, Report};
use super::sensor::Sensor;
use super::types::Scene;

/// A text that refers to bodies or joints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneText<'a> {
    /// A condition of a claim.
    Claim(&'a str),
    /// A quantity in a plot.
    Quantity(&'a str),
    /// The body of a label.
    Body(&'a str),
    /// A sensor's quantity.
    SensorQuantity(&'a str),
    /// A sensor's unit, and its quantity.
    SensorUnit { unit: &'a str, of: &'a str },
}

/// Mistakes in a scene's texts as found by `wrong`, each with its position in the text.
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
            SceneText::Claim(claim) => format!("the claim “{}”: {what}", shortened(claim)),
            SceneText::Quantity(quantity) => format!("the curve `{quantity}`: {what}"),
            SceneText::SensorQuantity(quantity) => format!("the sensor's `{quantity}`: {what}"),
            SceneText::Body(_) | SceneText::SensorUnit { .. } => what,
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
    let sensors = DocPath::Root.field("sensors");
    for (i, Sensor { of, unit, .. }) in scene.sensors.iter().enumerate() {
        look(SceneText::SensorQuantity(of), &sensors.item(i).field("of"));
        if !unit.is_empty() {
            look(SceneText::SensorUnit { unit, of }, &sensors.item(i).field("unit"));
        }
    }
    report.mistakes
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{SceneText, scene_text_mistakes};
    use crate::Scene;

    /// A claim of 80 kB was repeated in full.
    #[test]
    fn a_long_claim_is_told_in_short() {
        let scene = Scene { claims: vec!["<".repeat(80_000)], ..Scene::default() };
        let wrong = |said: SceneText<'_>| matches!(said, SceneText::Claim(_)).then(|| "it is too long".to_owned());
        let mistakes = scene_text_mistakes(Path::new("a.ron"), "", &scene, wrong);
        let [mistake] = &mistakes[..] else { panic!("{mistakes:?}") };
        assert!(mistake.what.contains("<…<") && mistake.what.len() < 300, "{}", mistake.what.len());
    }
}
