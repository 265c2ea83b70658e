//! Loop closures and couplings: `equality`.

use delassus_scene::Mistake;
use glam::DVec3;

use super::Context;
use super::bodies::Tree;
use crate::frame::Frame;
use crate::model::{Coupling, Freedom, Joint, WORLD};
use crate::xml::Element;

/// Adds the joints of an `equality`, and returns its couplings.
///
/// # Errors
/// A body or a joint that does not exist.
pub fn read<'a>(section: Element<'a>, context: &Context<'a>, tree: &mut Tree<'a>) -> Result<Vec<Coupling>, Mistake> {
    let mut couplings = Vec::new();
    for element in section.children() {
        let constraint = context.defaults.named(element, None, "equality")?;
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
                element.mark();
                let Some(joint) = closing(element, context, tree)? else {
                    left("has neither two bodies nor two sites, and is left out");
                    continue;
                };
                tree.joints.push(joint);
            }
            "joint" => {
                element.mark();
                let number = |name: &str| {
                    tree.joint(name).ok_or_else(|| element.mistake(format!("no joint is called `{name}`")))
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

/// How far, m or rad, the pose of the file may be from what a constraint asks for, before it counts.
const EXACT: f64 = 1e-6;

/// The joint of a `connect` or `weld`, between two bodies or two sites. `None` if neither is named.
fn closing<'a>(element: Element<'a>, context: &Context<'a>, tree: &Tree<'a>) -> Result<Option<Joint>, Mistake> {
    let note = |what: String| context.report.note(element.place(), element.title(), what);
    // The frames of the two ends, each in its link, that the constraint brings together.
    let (a, b, frames) = if let (Some(one), Some(other)) = (element.text("site1"), element.text("site2")) {
        let site = |name: &str| {
            let found = tree.sites.get(name).ok_or_else(|| element.mistake(format!("no site is called `{name}`")))?;
            found.2.mark();
            found.2.text("name");
            Ok::<_, Mistake>((found.0, found.1))
        };
        let ((a, at_a), (b, at_b)) = (site(one)?, site(other)?);
        (a, b, [at_a, at_b])
    } else {
        let Some(first) = element.text("body1") else { return Ok(None) };
        let body = |name: &str| tree.link(name).ok_or_else(|| element.mistake(format!("no body is called `{name}`")));
        let a = body(first)?;
        let b = element.text("body2").map_or(Ok(WORLD), body)?;
        let given = element.numbers("relpose")?;
        let at_a = Frame::at(element.vector("anchor")?.unwrap_or(DVec3::ZERO));
        let held = match given.as_deref() {
            Some([x, y, z, w, i, j, k]) if [w, i, j, k].into_iter().any(|part| *part != 0.0) => {
                let turn = glam::DQuat::from_xyzw(*i, *j, *k, *w).normalize();
                // The second body as it is to stand in the first.
                Frame { origin: DVec3::new(*x, *y, *z), turn }
            }
            // As the file puts them.
            _ => tree.rest[a].inverse() * tree.rest[b],
        };
        (a, b, [at_a, held.inverse() * at_a])
    };
    let weld = element.name() == "weld";
    let freedom = if weld { Freedom::Nothing } else { Freedom::Ball };
    let name = element.text("name").map_or_else(|| format!("{} {}", element.name(), tree.links[a].name), str::to_owned);
    let mut joint = Joint::new(name, element.place(), (a, b), freedom);
    joint.closes = true;
    let [at_a, at_b] = [tree.links[a].pose * frames[0], tree.links[b].pose * frames[1]];
    joint.anchor = at_a.origin;
    let (gap, turn) = ((at_b.origin - at_a.origin).length(), at_a.turn.angle_between(at_b.turn));
    if !weld && gap > EXACT {
        joint.apart = Some(at_b.origin);
        note(format!("its ends are {:.1} mm apart in the pose of the file: it pulls them together", gap * 1e3));
    }
    if weld && (gap > EXACT || turn > 1e-4) {
        note(format!(
            "holds the pose of the file, in which its ends are {:.1} mm and {:.2}° apart; MuJoCo brings them together",
            gap * 1e3,
            turn.to_degrees()
        ));
    }
    Ok(Some(joint))
}
