//! Loop closures and couplings: `equality`; and which bodies do not touch: `contact`.

use delassus_scene::Mistake;
use glam::DVec3;

use super::Context;
use super::bodies::Tree;
use crate::model::{Coupling, Freedom, Joint, WORLD};
use crate::xml::Element;

/// Adds the joints of an `equality`, and returns its couplings.
///
/// # Errors
/// A body or a joint that does not exist.
pub fn read<'a>(section: Element<'a>, context: &Context<'a>, tree: &mut Tree) -> Result<Vec<Coupling>, Mistake> {
    let mut couplings = Vec::new();
    for element in section.children() {
        let constraint = context.defaults.of(element, None)?;
        let left = |why: &str| {
            element.heed_all();
            context.report.note(element.place(), format!("equality `{}`", element.name()), why);
        };
        if constraint.text("active") == Some("false") {
            left("is switched off, and is left out");
            continue;
        }
        match element.name() {
            "connect" | "weld" => {
                let Some(first) = element.text("body1") else {
                    left("is between sites, and is left out");
                    continue;
                };
                element.mark();
                let a = body(element, first, tree)?;
                let b = element.text("body2").map_or(Ok(WORLD), |name| body(element, name, tree))?;
                let weld = element.name() == "weld";
                let freedom = if weld { Freedom::Nothing } else { Freedom::Ball };
                let name = element.text("name").map_or_else(|| format!("{} {first}", element.name()), str::to_owned);
                let mut joint = Joint::new(name, element.place(), (a, b), freedom);
                joint.closes = true;
                joint.anchor = tree.links[a].pose.point(element.vector("anchor")?.unwrap_or(DVec3::ZERO));
                if weld && element.numbers("relpose")?.is_some_and(|pose| pose.iter().any(|x| *x != 0.0)) {
                    context.report.note(
                        element.place(),
                        element.title(),
                        "`relpose` is left out: it holds the pose of the file",
                    );
                }
                tree.joints.push(joint);
            }
            "joint" => {
                element.mark();
                let number = |name: &str| {
                    let found = tree.joints.iter().position(|joint| joint.name == name);
                    found.ok_or_else(|| element.mistake(format!("no joint is called `{name}`")))
                };
                let follower = number(element.needed("joint1")?)?;
                let Some(leader) = element.text("joint2") else {
                    left("holds a joint at a value, and is left out");
                    continue;
                };
                let leader = number(leader)?;
                let factors = element.numbers("polycoef")?.unwrap_or_else(|| vec![0.0, 1.0]);
                let at = |i: usize| factors.get(i).copied().unwrap_or(0.0);
                if (2..factors.len()).any(|i| at(i) != 0.0) {
                    left("is not linear, and is left out");
                    continue;
                }
                couplings.push(Coupling {
                    place: element.place(),
                    name: format!("{} follows", tree.joints[follower].name),
                    leader,
                    follower,
                    ratio: at(1),
                    // y − y₀ = a₀ + a₁ (x − x₀), with the values x₀ and y₀ where the file puts the bodies.
                    offset: at(0) + tree.joints[follower].reference - at(1) * tree.joints[leader].reference,
                });
            }
            _ => {}
        }
    }
    Ok(couplings)
}

/// The pairs of links that a `contact` excludes.
///
/// # Errors
/// A body that does not exist.
pub fn excluded(section: Element<'_>, tree: &Tree) -> Result<Vec<(usize, usize)>, Mistake> {
    let pair = |element: Element<'_>| {
        element.text("name");
        Ok((body(element, element.needed("body1")?, tree)?, body(element, element.needed("body2")?, tree)?))
    };
    section.all("exclude").into_iter().map(pair).collect()
}

fn body(element: Element<'_>, name: &str, tree: &Tree) -> Result<usize, Mistake> {
    tree.link(name).ok_or_else(|| element.mistake(format!("no body is called `{name}`")))
}
