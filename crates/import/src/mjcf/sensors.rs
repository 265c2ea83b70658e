//! Sensors of joints, whose quantities a scene has: position, velocity and the force of an actuator on a joint.

use delassus_scene::Mistake;

use super::Context;
use super::bodies::Tree;
use crate::model::{Freedom, Sensor};
use crate::xml::Element;

/// The sensors of a section `<sensor>` that can be taken; the others are noted.
///
/// # Errors
/// A joint that does not exist.
pub fn read<'a>(section: Element<'a>, context: &Context<'a>, tree: &Tree<'_>) -> Result<Vec<Sensor>, Mistake> {
    section.mark();
    let mut sensors = Vec::new();
    for element in section.children() {
        let left = |why: &str| {
            element.heed_all();
            context.report.note(element.place(), format!("sensors `{}`", element.name()), why);
        };
        let column = match element.name() {
            "jointpos" => "value",
            "jointvel" => "speed",
            "jointactuatorfrc" => "motor",
            _ => {
                left("measures what no sensor of a scene does, and is left out");
                continue;
            }
        };
        let joint = element.needed("joint")?;
        let found = tree.joint(joint).map(|number| &tree.joints[number]);
        let found = found.ok_or_else(|| element.mistake(format!("no joint is called `{joint}`")))?;
        if !matches!(found.freedom, Freedom::Turn | Freedom::Slide) {
            left("is of a joint that is neither a hinge nor a slide, and is left out");
            continue;
        }
        element.mark();
        let name = element.text("name").map_or_else(|| format!("{joint} {}", element.name()), str::to_owned);
        sensors.push(Sensor { name, place: element.place(), joint: joint.to_owned(), column });
    }
    Ok(sensors)
}
