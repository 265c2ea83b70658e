//! Which bodies touch besides what their shapes say: `contact`.

use delassus_scene::Mistake;

use super::Context;
use super::bodies::Tree;
use crate::xml::Element;

/// Reads a `contact`: the pairs of links that it excludes, and the pairs of shapes, by their names, that it makes touch.
///
/// # Errors
/// A body or a shape that does not exist.
pub fn read<'a>(
    section: Element<'a>,
    context: &Context<'a>,
    tree: &mut Tree<'a>,
    excluded: &mut Vec<(usize, usize)>,
    paired: &mut Vec<(String, String)>,
) -> Result<(), Mistake> {
    for element in section.all("exclude") {
        element.text("name");
        let body = |which: &str| {
            let name = element.needed(which)?;
            tree.link(name).ok_or_else(|| element.mistake(format!("no body is called `{name}`")))
        };
        excluded.push((body("body1")?, body("body2")?));
    }
    for element in section.all("pair") {
        element.heed(&["name", "class"]);
        let mut touching = |which: &str| {
            let name = element.needed(which)?;
            let shapes = tree.links.iter_mut().flat_map(|link| &mut link.shapes);
            let Some(shape) = shapes.into_iter().find(|shape| shape.name.as_deref() == Some(name)) else {
                return Err(element.mistake(format!("no geom is called `{name}`")));
            };
            shape.collides = true;
            Ok(name.to_owned())
        };
        paired.push((touching("geom1")?, touching("geom2")?));
        let what = "makes its two bodies touch, each as a whole, with the friction of their own shapes";
        context.report.note(element.place(), "<pair>", what);
    }
    Ok(())
}
