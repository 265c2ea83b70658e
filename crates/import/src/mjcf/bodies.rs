//! The tree of bodies, with their joints. A body with several joints gets links between them that hardly weigh anything.

use delassus_scene::Mistake;
use glam::{DMat3, DQuat, DVec3};

use super::defaults::Classed;
use super::{Context, geoms};
use crate::frame::Frame;
use crate::inertia;
use crate::model::{Freedom, Joint, Link, Mass, WORLD};
use crate::report::Place;
use crate::xml::Element;

/// The links and joints as they are read.
#[derive(Default)]
pub struct Tree {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    /// Coordinates of a keyframe that are still to be read, in the order of the joints.
    pub coordinates: Option<std::vec::IntoIter<f64>>,
}

impl Tree {
    /// The number of a link by its name.
    pub fn link(&self, name: &str) -> Option<usize> {
        // A link between two joints has the name of its body and more.
        self.links.iter().position(|link| link.name == name)
    }

    fn coordinates<const N: usize>(&mut self) -> Option<[f64; N]> {
        let from = self.coordinates.as_mut()?;
        let list: Vec<f64> = from.take(N).collect();
        list.try_into().ok()
    }
}

/// What surrounds an element.
#[derive(Clone, Copy)]
struct Around<'a> {
    link: usize,
    /// Where the elements `frame` put it, in the link's frame.
    frame: Frame,
    class: Option<&'a str>,
}

/// Reads a `worldbody`.
///
/// # Errors
/// The first mistake.
pub fn world<'a>(element: Element<'a>, context: &Context<'a>, tree: &mut Tree) -> Result<(), Mistake> {
    if tree.links.is_empty() {
        tree.links.push(link("world", element.place(), Frame::IDENTITY));
        tree.links[WORLD].fixed = true;
        tree.links[WORLD].scenery = true;
    }
    let class = element.text("childclass");
    let around = Around { link: WORLD, frame: Frame::IDENTITY, class };
    // The bodies that are still to be read, the next one last: no depth of nesting fills the stack.
    let mut bodies = Vec::new();
    content(element, context, around, tree, &mut bodies)?;
    while let Some((element, around)) = bodies.pop() {
        body(element, context, around, tree, &mut bodies)?;
    }
    Ok(())
}

fn link(name: &str, place: Place, pose: Frame) -> Link {
    Link { name: name.into(), place, pose, mass: None, shapes: Vec::new(), fixed: false, scenery: false, light: false }
}

/// An element and what surrounds it.
type Placed<'a> = (Element<'a>, Around<'a>);

/// Reads the geoms of a body, also those within its frames, and returns their mass. The bodies within it are added to
/// `bodies`, the first one last.
fn content<'a>(
    element: Element<'a>,
    context: &Context<'a>,
    around: Around<'a>,
    tree: &mut Tree,
    bodies: &mut Vec<Placed<'a>>,
) -> Result<Option<Mass>, Mistake> {
    let first_body = bodies.len();
    let mut elements: Vec<Placed<'a>> = Vec::new();
    let add_children = |elements: &mut Vec<Placed<'a>>, element: Element<'a>, around: Around<'a>| {
        elements.extend(element.children().into_iter().rev().map(|child| (child, around)));
    };
    add_children(&mut elements, element, around);
    let mut total: Option<Mass> = None;
    let add = |total: &mut Option<Mass>, mass: Option<Mass>| {
        *total = match (*total, mass) {
            (Some(a), Some(b)) => Some(inertia::sum(&a, &b)),
            (a, b) => a.or(b),
        };
    };
    while let Some((child, around)) = elements.pop() {
        match child.name() {
            "geom" => {
                child.mark();
                let (shape, mass) = geoms::read(&context.defaults.of(child, around.class)?, context)?;
                let frame = around.frame;
                tree.links[around.link].shapes.extend(shape.map(|mut shape| {
                    shape.frame = frame * shape.frame;
                    shape
                }));
                add(&mut total, mass.map(|mass| inertia::seen(&frame, &mass)));
            }
            "body" => {
                child.mark();
                bodies.push((child, around));
            }
            "frame" => {
                child.mark();
                let frame = around.frame * context.compiler.frame(&context.defaults.of(child, around.class)?)?;
                let class = child.text("childclass").or(around.class);
                add_children(&mut elements, child, Around { frame, class, ..around });
            }
            _ => {}
        }
    }
    bodies[first_body..].reverse();
    Ok(total)
}

/// Reads one body; those within it are added to `bodies`.
fn body<'a>(
    element: Element<'a>,
    context: &Context<'a>,
    around: Around<'a>,
    tree: &mut Tree,
    bodies: &mut Vec<Placed<'a>>,
) -> Result<(), Mistake> {
    let class = element.text("childclass").or(around.class);
    let plain = context.defaults.of(element, None)?;
    let mut pose = tree.links[around.link].pose * around.frame * context.compiler.frame(&plain)?;
    let name = element.text("name").map_or_else(|| format!("body {}", tree.links.len()), str::to_owned);
    if tree.link(&name).is_some() {
        return Err(element.mistake("a second body has this name"));
    }
    let place = element.place();
    if element.text("mocap") == Some("true") {
        context.report.note(place, element.title(), "is moved by the program in MuJoCo; it is fixed here");
    }
    // One link for each joint: the last is the body itself.
    let joints: Vec<Element<'a>> =
        element.children().into_iter().filter(|child| matches!(child.name(), "joint" | "freejoint")).collect();
    let mut parent = around.link;
    for (number, joint) in joints.iter().enumerate() {
        joint.mark();
        let last = number + 1 == joints.len();
        let classed = context.defaults.of(*joint, class)?;
        let own = match last {
            true => name.clone(),
            false => format!("{name} {}", joint.text("name").map_or_else(|| format!("joint {number}"), str::to_owned)),
        };
        let child = tree.links.len();
        let mut made = read_joint(&classed, (parent, child), &name, context)?;
        if made.freedom == Freedom::All && (around.link != WORLD || joints.len() > 1) {
            return Err(joint.mistake("a free joint must be the only one of a body of the world"));
        }
        made.anchor = pose.point(made.anchor);
        made.axis = pose.turn * made.axis;
        pose = moved(&made, pose, tree).unwrap_or(pose);
        if matches!(made.freedom, Freedom::Turn | Freedom::Slide)
            && let Some([value]) = tree.coordinates()
        {
            pose = shifted(&made, pose, value - made.value);
            made.value = value;
        }
        let stands = if last { pose } else { Frame { origin: made.anchor, turn: pose.turn } };
        tree.links.push(link(&own, place, stands));
        tree.joints.push(made);
        parent = child;
    }
    if joints.is_empty() {
        let child = tree.links.len();
        tree.links.push(link(&name, place, pose));
        tree.joints.push(Joint::new(name.clone(), place, (parent, child), Freedom::Nothing));
        let is_static = tree.links[around.link].scenery;
        tree.links[child].scenery = is_static;
        parent = child;
    }
    let number = parent;
    if let Some(last) = tree.links.last_mut() {
        last.pose = pose;
    }
    let inner = Around { link: number, frame: Frame::IDENTITY, class };
    let of_shapes = content(element, context, inner, tree, bodies)?;
    let given = match element.one("inertial") {
        Some(inertial) => mass(inertial, context)?,
        None => None,
    };
    tree.links[number].mass = match context.compiler.from_shapes {
        Some(true) => of_shapes,
        Some(false) => given,
        None => given.or(of_shapes),
    };
    if context.compiler.from_shapes == Some(true) && given.is_some() {
        context.report.note(place, "<inertial>", "is left out: `inertiafromgeom` takes masses from the shapes");
    }
    Ok(())
}

/// The pose after a ball or a free joint has taken the coordinates of a keyframe.
fn moved(joint: &Joint, pose: Frame, tree: &mut Tree) -> Option<Frame> {
    match joint.freedom {
        Freedom::All => {
            let [x, y, z, w, a, b, c] = tree.coordinates::<7>()?;
            Some(Frame { origin: DVec3::new(x, y, z), turn: DQuat::from_xyzw(a, b, c, w).normalize() })
        }
        Freedom::Ball => {
            let [w, x, y, z] = tree.coordinates::<4>()?;
            let local = DQuat::from_xyzw(x, y, z, w).normalize();
            let turn = pose.turn * local;
            let arm = pose.turn.inverse() * (pose.origin - joint.anchor);
            Some(Frame { origin: joint.anchor + turn * arm, turn })
        }
        _ => None,
    }
}

/// The pose after a hinge or a slide has moved by so much.
fn shifted(joint: &Joint, pose: Frame, by: f64) -> Frame {
    match joint.freedom {
        Freedom::Slide => Frame { origin: pose.origin + joint.axis * by, ..pose },
        _ => {
            let turn = DQuat::from_axis_angle(joint.axis, by);
            let origin = joint.anchor + turn * (pose.origin - joint.anchor);
            Frame { origin, turn: (turn * pose.turn).normalize() }
        }
    }
}

fn read_joint(joint: &Classed<'_>, ends: (usize, usize), body: &str, context: &Context<'_>) -> Result<Joint, Mistake> {
    let element = joint.element();
    let kind = if element.name() == "freejoint" { "free" } else { joint.text("type").unwrap_or("hinge") };
    let freedom = match kind {
        "hinge" => Freedom::Turn,
        "slide" => Freedom::Slide,
        "ball" => Freedom::Ball,
        "free" => Freedom::All,
        other => return Err(element.mistake(format!("a joint is hinge, slide, ball or free, not `{other}`"))),
    };
    let name = element.text("name").map_or_else(|| format!("{body} {kind}"), str::to_owned);
    let mut made = Joint::new(name, element.place(), ends, freedom);
    made.anchor = joint.vector("pos")?.unwrap_or_default();
    let axis = joint.vector("axis")?.unwrap_or(DVec3::Z).try_normalize();
    made.axis = axis.ok_or_else(|| element.mistake("the axis must not be zero"))?;
    // The angles of hinges and balls.
    let unit = if freedom == Freedom::Slide { 1.0 } else { context.compiler.angle };
    let range = joint.numbers("range")?;
    let limited = match joint.text("limited") {
        Some("true") => true,
        Some("false") => false,
        _ => range.is_some() && context.compiler.auto_limits,
    };
    if limited {
        match range.as_deref() {
            Some([low, high]) if low <= high => made.limit = Some((low * unit, high * unit)),
            Some([low, high]) => return Err(element.mistake(format!("the range is empty: {low} is above {high}"))),
            _ => return Err(element.mistake("`range` must be two numbers")),
        }
    }
    let first =
        |name: &str| Ok::<_, Mistake>(joint.numbers(name)?.and_then(|list| list.first().copied()).unwrap_or(0.0));
    made.damping = first("damping")?;
    made.friction = first("frictionloss")?;
    made.armature = first("armature")?;
    let stiffness = first("stiffness")?;
    for (name, value) in [
        ("damping", made.damping),
        ("frictionloss", made.friction),
        ("armature", made.armature),
        ("stiffness", stiffness),
    ] {
        if value < 0.0 {
            return Err(element.mistake(format!("`{name}` must not be negative, {value}")));
        }
    }
    let rest = joint.number("springref")?.unwrap_or(0.0) * unit;
    made.spring = (stiffness > 0.0).then_some((stiffness, rest));
    made.reference = joint.number("ref")?.unwrap_or(0.0) * unit;
    made.value = made.reference;
    if let Some([low, high]) = joint.numbers("actuatorfrcrange")?.as_deref() {
        made.effort = Some(low.abs().max(high.abs())).filter(|effort| *effort > 0.0);
    }
    Ok(made)
}

/// The mass of an `inertial`; `None` if it is zero.
fn mass(element: Element<'_>, context: &Context<'_>) -> Result<Option<Mass>, Mistake> {
    let frame = context.compiler.frame(&context.defaults.of(element, None)?)?;
    let mass = element.number("mass")?.ok_or_else(|| element.mistake("`mass` is missing"))?;
    if mass < 0.0 {
        return Err(element.mistake(format!("the mass must not be negative, {mass} kg")));
    }
    let tensor = match (element.vector("diaginertia")?, element.numbers("fullinertia")?) {
        (_, Some(full)) => match full[..] {
            [xx, yy, zz, xy, xz, yz] => {
                DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
            }
            _ => return Err(element.mistake("`fullinertia` must be six numbers")),
        },
        (Some(diagonal), None) => DMat3::from_diagonal(diagonal),
        (None, None) => DMat3::ZERO,
    };
    Ok((mass > 0.0).then(|| Mass { mass, centre: frame.origin, inertia: frame.tensor(tensor) }))
}
