//! Sensors of joints: those that the import reads, too.

use delassus_scene::Scene;

use super::motions::Motion;
use super::tags::Tag;
use crate::model::Freedom;
use crate::report::{Place, Report};

/// The sensors of a scene that MJCF has; the others are told. `motions` are those of all links.
pub fn all(scene: &Scene, motions: &[Vec<Motion>], report: &Report) -> Vec<Tag> {
    let mut tags = Vec::new();
    for sensor in &scene.sensors {
        let column = sensor.of.strip_prefix("joints.").and_then(|of| of.rsplit_once('.'));
        let kind = column.and_then(|(joint, column)| {
            let kind = match column {
                "value" => "jointpos",
                "speed" => "jointvel",
                "motor" => "jointactuatorfrc",
                _ => return None,
            };
            let has = |motion: &Motion| {
                motion.joint.name == joint && matches!(motion.joint.freedom, Freedom::Turn | Freedom::Slide)
            };
            motions.iter().flatten().any(has).then_some((joint, kind))
        });
        match kind {
            Some((joint, kind)) => tags.push(Tag::new(kind).with("name", &sensor.name).with("joint", joint)),
            None => {
                let what = "measures what no sensor of a joint does, and is left out";
                report.note(Place::default(), format!("sensor `{}`", sensor.name), what);
            }
        }
    }
    if scene.sensors.iter().any(|sensor| sensor.low.is_some() || sensor.high.is_some()) {
        report.note(Place::default(), "limits of sensors", "have no counterpart: MuJoCo raises no alarm");
    }
    tags
}
