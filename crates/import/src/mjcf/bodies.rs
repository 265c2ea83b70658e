//! The tree of bodies, with their joints. A body with several joints gets links between them that hardly weigh anything.

use std::collections::HashMap;

use delassus_scene::Mistake;
use glam::{DMat3, DVec3};

use super::defaults::Classed;
use super::joints::{moved, read_joint, shifted};
use super::names::Names;
use super::{Context, geoms, reflected};
use crate::frame::Frame;
use crate::inertia;
use crate::model::{Freedom, Joint, Link, Mass, WORLD};
use crate::report::Place;
use crate::xml::Element;

/// The links and joints as they are read.
#[derive(Default)]
pub struct Tree<'a> {
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    /// The links' frames where the file puts them (MuJoCo's qpos0), which a keyframe does not change.
    pub rest: Vec<Frame>,
    /// Anchors, m, and axes of the joints there.
    pub rest_axes: Vec<(DVec3, DVec3)>,
    /// The sites with a name: the link, the frame in it, and the element.
    pub sites: HashMap<&'a str, (usize, Frame, Element<'a>)>,
    /// Whether an actuator of a joint has a bound of its own.
    pub capped: Vec<bool>,
    /// Joints with a `springdamper`, by their numbers: it needs the masses of all bodies.
    pub spring_dampers: Vec<(usize, Classed<'a>)>,
    felt: Option<Vec<Option<f64>>>,
    /// Coordinates of a keyframe that are still to be read, in the order of the joints.
    coordinates: Option<std::vec::IntoIter<f64>>,
    names: Names,
    bodies: HashMap<String, usize>,
    by_name: HashMap<String, usize>,
}

impl<'a> Tree<'a> {
    /// An empty tree of a model. `coordinates` are those of a keyframe.
    pub fn new(worlds: &[Element<'a>], coordinates: Option<Vec<f64>>) -> Self {
        Self { coordinates: coordinates.map(Vec::into_iter), names: Names::given(worlds), ..Self::default() }
    }

    /// The number of the link of a body.
    pub fn link(&self, body: &str) -> Option<usize> {
        if body == "world" { Some(WORLD) } else { self.bodies.get(body).copied() }
    }

    /// The number of a joint.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The inertia that a hinge or a slide feels where the file puts the bodies, kg·m² or kg: `reflected.rs`.
    pub fn felt_inertia(&mut self, joint: usize) -> Option<f64> {
        let felt = self.felt.take().unwrap_or_else(|| reflected::inertias(self));
        let own = felt.get(joint).copied().flatten();
        self.felt = Some(felt);
        own
    }

    /// The next coordinates of a keyframe.
    pub fn coordinates<const N: usize>(&mut self) -> Option<[f64; N]> {
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
pub fn world<'a>(element: Element<'a>, context: &Context<'a>, tree: &mut Tree<'a>) -> Result<(), Mistake> {
    if tree.links.is_empty() {
        tree.links.push(link("world", element.place(), Frame::IDENTITY));
        tree.links[WORLD].fixed = true;
        tree.links[WORLD].scenery = true;
        tree.rest.push(Frame::IDENTITY);
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
    tree: &mut Tree<'a>,
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
            "site" => {
                if let Some(name) = child.name_attribute() {
                    let frame = around.frame * context.compiler.frame(&context.defaults.of(child, around.class)?)?;
                    tree.sites.insert(name, (around.link, frame, child));
                }
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
    tree: &mut Tree<'a>,
    bodies: &mut Vec<Placed<'a>>,
) -> Result<(), Mistake> {
    let class = element.text("childclass").or(around.class);
    let plain = context.defaults.of(element, None)?;
    let local = around.frame * context.compiler.frame(&plain)?;
    let mut pose = tree.links[around.link].pose * local;
    let rest = tree.rest[around.link] * local;
    let name = match element.text("name") {
        Some(name) => name.to_owned(),
        None => tree.names.body(format!("body {}", tree.links.len())),
    };
    if tree.bodies.contains_key(&name) {
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
        let child = tree.links.len();
        let mut made = read_joint(&classed, (parent, child), context)?;
        let kind = if joint.name() == "freejoint" { "free" } else { classed.text("type").unwrap_or("hinge") };
        made.name = match joint.text("name") {
            Some(name) => name.to_owned(),
            None => tree.names.joint(format!("{name} {kind}")),
        };
        let own = match last {
            true => name.clone(),
            false => tree.names.body(format!("{name} moved by {}", made.name)),
        };
        if tree.by_name.insert(made.name.clone(), tree.joints.len()).is_some() {
            return Err(joint.mistake("a second joint has this name"));
        }
        if made.freedom == Freedom::All && (around.link != WORLD || joints.len() > 1) {
            return Err(joint.mistake("a free joint must be the only one of a body of the world"));
        }
        tree.rest_axes.push((rest.point(made.anchor), rest.turn * made.axis));
        made.anchor = pose.point(made.anchor);
        made.axis = pose.turn * made.axis;
        pose = moved(&mut made, pose, tree, context).unwrap_or(pose);
        if matches!(made.freedom, Freedom::Turn | Freedom::Slide)
            && let Some([value]) = tree.coordinates()
        {
            pose = shifted(&made, pose, value - made.value);
            made.value = value;
        }
        let stands = if last { pose } else { Frame { origin: made.anchor, turn: pose.turn } };
        tree.links.push(link(&own, place, stands));
        tree.rest.push(rest);
        if classed.has("springdamper") {
            tree.spring_dampers.push((tree.joints.len(), classed));
        }
        tree.joints.push(made);
        parent = child;
    }
    if joints.is_empty() {
        let child = tree.links.len();
        tree.links.push(link(&name, place, pose));
        tree.rest.push(rest);
        tree.rest_axes.push((rest.origin, DVec3::Z));
        tree.joints.push(Joint::new(name.clone(), place, (parent, child), Freedom::Nothing));
        let is_static = tree.links[around.link].scenery;
        tree.links[child].scenery = is_static;
        parent = child;
    }
    let number = parent;
    tree.bodies.insert(name, number);
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
