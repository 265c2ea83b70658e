//! Which bodies touch besides what their shapes say, `contact`; and which of them without friction, `condim`.

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

/// Gives shapes of `condim="1"` a friction of 0. A pair has the larger `condim` and the larger friction of its two shapes. So
/// two of them are frictionless, and against others the other's friction counts, unless their own is larger.
pub fn frictionless(context: &Context<'_>, tree: &mut Tree<'_>) {
    let shapes = || tree.links.iter().flat_map(|link| &link.shapes).filter(|shape| shape.collides);
    let least =
        shapes().filter(|shape| !shape.frictionless).filter_map(|shape| shape.friction).fold(f64::INFINITY, f64::min);
    for link in &mut tree.links {
        for shape in link.shapes.iter_mut().filter(|shape| shape.collides && shape.frictionless) {
            let own = shape.friction.unwrap_or_default();
            let what = if own > least {
                "keeps its friction, which it has against shapes of another `condim`; MuJoCo has none against its own kind"
            } else {
                shape.friction = Some(0.0);
                "is frictionless: its friction is 0, and against shapes of another `condim` theirs counts"
            };
            context.report.note(link.place, "`condim=\"1\"`", what);
        }
    }
}
