//! Reads URDF, the Unified Robot Description Format of ROS: links and joints in a tree, z up, radians.
//!
//! A joint's frame stands in that of its parent by `origin`; the child's link frame is the joint's frame in the pose in
//! which every joint is at zero. Source: the URDF specification of ROS (links, joints).

use std::collections::HashMap;

use delassus_scene::Mistake;
use glam::{DMat3, DVec3};

use crate::Options;
use crate::frame::{Frame, roll_pitch_yaw};
use crate::meshes::Meshes;
use crate::model::{Coupling, Freedom, Joint, Link, LinkShape, Mass, Model, WORLD};
use crate::report::{Place, Report};
use crate::shapes::Form;
use crate::xml::Element;

/// A joint's element with what its place in the tree needs.
struct TreeJoint<'a> {
    element: Element<'a>,
    parent: usize,
    child: usize,
    origin: Frame,
}

/// Reads the model of a `<robot>`.
///
/// # Errors
/// The first mistake, with its line.
pub fn read(robot: Element<'_>, options: &Options, meshes: &Meshes<'_>, report: &Report) -> Result<Model, Mistake> {
    let name = robot.text("name").unwrap_or("robot").to_owned();
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut names = HashMap::new();
    for element in robot.all("link") {
        let name = element.needed("name")?;
        if names.insert(name, elements.len()).is_some() {
            return Err(element.mistake("a second link has this name"));
        }
        elements.push(element);
    }
    if elements.is_empty() {
        return Err(robot.mistake("there is no link"));
    }
    let joints = tree(robot, &names)?;
    let order = order(&elements, &joints)?;
    let root = order[0].0;
    // The world is link 0; a root called `world` is the world itself.
    let root_is_world = matches!(elements[root].text("name"), Some("world" | "map"));
    let mut numbers = vec![WORLD; elements.len()];
    let mut links = vec![world(elements[root], root_is_world, meshes, report)?];
    let mut model_joints = Vec::new();
    let mut couplings = Vec::new();
    let mut by_name = HashMap::new();
    for (element, joint) in &order {
        let (element, joint) = (elements[*element], joint.map(|joint| &joints[joint]));
        let Some(joint) = joint else {
            if !root_is_world {
                numbers[root] = links.len();
                links.push(link(element, Frame::IDENTITY, meshes, report)?);
            }
            continue;
        };
        let parent = numbers[joint.parent];
        let frame = links[parent].pose * joint.origin;
        numbers[joint.child] = links.len();
        links.push(link(element, frame, meshes, report)?);
        let made = read_joint(joint.element, (parent, numbers[joint.child]), frame, report)?;
        by_name.insert(made.name.clone(), model_joints.len());
        if let Some(mimic) = joint.element.one("mimic") {
            couplings.push((mimic, model_joints.len()));
        }
        model_joints.push(made);
    }
    let couplings = couplings
        .into_iter()
        .map(|(mimic, follower)| {
            let leader = mimic.needed("joint")?;
            let leader = *by_name
                .get(leader)
                .ok_or_else(|| mistake_of(mimic, &model_joints[follower], format!("no joint is called `{leader}`")))?;
            Ok(Coupling {
                place: mimic.place(),
                name: format!("{} follows", model_joints[follower].name),
                leader,
                follower,
                ratio: mimic.number("multiplier")?.unwrap_or(1.0),
                offset: mimic.number("offset")?.unwrap_or(0.0),
            })
        })
        .collect::<Result<Vec<_>, Mistake>>()?;
    let mut on_floor = false;
    if !root_is_world {
        on_floor = !is_fixed(&links, &model_joints, options, report);
        let freedom = if on_floor { Freedom::All } else { Freedom::Nothing };
        model_joints.insert(0, Joint::new("root", links[1].place, (WORLD, 1), freedom));
    }
    let shift = usize::from(!root_is_world);
    let couplings = couplings
        .into_iter()
        .map(|c| Coupling { leader: c.leader + shift, follower: c.follower + shift, ..c })
        .collect();
    Ok(Model {
        name,
        links,
        joints: model_joints,
        couplings,
        sensors: Vec::new(),
        excluded: Vec::new(),
        paired: Vec::new(),
        larger_friction: false,
        gravity: None,
        contacts: true,
        self_collision: options.self_collision,
        on_floor,
    })
}

fn mistake_of(element: Element<'_>, joint: &Joint, what: String) -> Mistake {
    let mistake = element.mistake("");
    Mistake { what: format!("joint `{}`: <mimic>: {what}", joint.name), ..mistake }
}

/// The joints with their links.
fn tree<'a>(robot: Element<'a>, names: &HashMap<&str, usize>) -> Result<Vec<TreeJoint<'a>>, Mistake> {
    let mut known = HashMap::new();
    let mut joints: Vec<TreeJoint<'a>> = Vec::new();
    for element in robot.all("joint") {
        let name = element.needed("name")?;
        if known.insert(name, ()).is_some() {
            return Err(element.mistake("a second joint has this name"));
        }
        let end = |which: &str| {
            let end = element.one(which).ok_or_else(|| element.mistake(format!("<{which}> is missing")))?;
            let link = end.needed("link")?;
            names.get(link).copied().ok_or_else(|| element.mistake(format!("no link is called `{link}`")))
        };
        let (parent, child) = (end("parent")?, end("child")?);
        if parent == child {
            return Err(element.mistake("it joins a link to itself"));
        }
        if let Some(other) = joints.iter().find(|other| other.child == child) {
            let line = other.element.place().line;
            return Err(element.mistake(format!("its child already has a parent, through the joint of line {line}")));
        }
        joints.push(TreeJoint { element, parent, child, origin: origin(element)? });
    }
    Ok(joints)
}

/// The links from the root on, each with the joint to its parent.
fn order(elements: &[Element<'_>], joints: &[TreeJoint<'_>]) -> Result<Vec<(usize, Option<usize>)>, Mistake> {
    let mut children = vec![Vec::new(); elements.len()];
    let mut is_child = vec![false; elements.len()];
    for (number, joint) in joints.iter().enumerate() {
        children[joint.parent].push(number);
        is_child[joint.child] = true;
    }
    let roots: Vec<usize> = (0..elements.len()).filter(|link| !is_child[*link]).collect();
    let Some(root) = roots.first() else {
        return Err(joints.first().map_or_else(
            || elements[0].mistake("no root"),
            |joint| joint.element.mistake("the joints form a circle: no link is the root"),
        ));
    };
    if let Some(second) = roots.get(1) {
        let first = elements[*root].title();
        return Err(
            elements[*second].mistake(format!("it is a second root in addition to {first}: no joint leads to it"))
        );
    }
    let mut order = vec![(*root, None)];
    let mut next = 0;
    while next < order.len() {
        let (link, _) = order[next];
        order.extend(children[link].iter().map(|joint| (joints[*joint].child, Some(*joint))));
        next += 1;
    }
    match (0..elements.len()).find(|link| order.iter().all(|(reached, _)| reached != link)) {
        Some(lost) => Err(elements[lost].mistake("the joints form a circle here: it is not connected to the root")),
        None => Ok(order),
    }
}

/// Whether the root is held by the world.
fn is_fixed(links: &[Link], joints: &[Joint], options: &Options, report: &Report) -> bool {
    let root = &links[1];
    let (fixed, why) = match options.fixed {
        Some(fixed) => (fixed, "as asked for".to_owned()),
        None => {
            // What is rigid with the root, and the joints that leave it.
            let mut rigid = vec![1];
            let mut leaving = 0;
            for joint in joints {
                match (rigid.contains(&joint.parent), joint.freedom) {
                    (true, Freedom::Nothing) => rigid.push(joint.child),
                    (true, _) => leaving += 1,
                    (false, _) => {}
                }
            }
            (leaving == 1, format!("since {leaving} joints leave it"))
        }
    };
    let what = match fixed {
        true => format!("the root is fixed to the world, {why}; `delassus import --free` lets it go"),
        false => format!("the root is free, {why}; `delassus import --fixed` holds it"),
    };
    report.note(Place::default(), format!("link `{}`", root.name), what.replace("1 joints leave", "one joint leaves"));
    fixed
}

/// The frame of an `origin`.
fn origin(element: Element<'_>) -> Result<Frame, Mistake> {
    let Some(origin) = element.one("origin") else { return Ok(Frame::IDENTITY) };
    let turn = match origin.numbers("quat_xyzw")?.as_deref() {
        Some([x, y, z, w]) => glam::DQuat::from_xyzw(*x, *y, *z, *w).normalize(),
        _ => roll_pitch_yaw(origin.vector("rpy")?.unwrap_or_default()),
    };
    Ok(Frame { origin: origin.vector("xyz")?.unwrap_or_default(), turn })
}

fn world(root: Element<'_>, is_root: bool, meshes: &Meshes<'_>, report: &Report) -> Result<Link, Mistake> {
    let mut shapes = if is_root { link(root, Frame::IDENTITY, meshes, report)?.shapes } else { Vec::new() };
    if shapes.iter().any(|shape| shape.collides) {
        shapes.retain(|shape| shape.collides);
    }
    // Each is a body of its own, which what moves touches.
    shapes.iter_mut().for_each(|shape| shape.name = Some("world".into()));
    let scenery = is_root;
    Ok(Link {
        name: "world".into(),
        place: root.place(),
        pose: Frame::IDENTITY,
        mass: None,
        shapes,
        fixed: true,
        scenery,
        light: false,
    })
}

fn link(element: Element<'_>, pose: Frame, meshes: &Meshes<'_>, report: &Report) -> Result<Link, Mistake> {
    let mut shapes = Vec::new();
    for (kind, collides) in [("collision", true), ("visual", false)] {
        for shape in element.all(kind) {
            shape.text("name");
            let frame = origin(shape)?;
            let Some(geometry) = shape.one("geometry") else {
                return Err(element.mistake(format!("a <{kind}> without <geometry>, line {}", shape.place().line)));
            };
            let Some(form) = form(geometry, meshes, report)? else { continue };
            shapes.push(LinkShape {
                name: None,
                frame,
                form,
                collides,
                friction: None,
                frictionless: false,
                bits: (1, 1),
            });
        }
    }
    let mass = match element.one("inertial") {
        Some(inertial) => mass(element, inertial)?,
        None => None,
    };
    let name = element.needed("name")?.to_owned();
    Ok(Link { name, place: element.place(), pose, mass, shapes, fixed: false, scenery: false, light: false })
}

/// The mass of an `inertial`; `None` if it is zero.
fn mass(link: Element<'_>, inertial: Element<'_>) -> Result<Option<Mass>, Mistake> {
    let frame = origin(inertial)?;
    let wrong = |what: String| Mistake { what: format!("{}: {what}", link.title()), ..inertial.mistake("") };
    let mass = match inertial.one("mass") {
        Some(mass) => mass.number("value")?.ok_or_else(|| wrong("<mass> has no `value`".into()))?,
        None => 0.0,
    };
    if mass < 0.0 {
        return Err(wrong(format!("the mass must not be negative, {mass} kg")));
    }
    let mut inertia = DMat3::ZERO;
    if let Some(element) = inertial.one("inertia") {
        let read = |name: &str| element.number(name).map(Option::unwrap_or_default);
        let [xx, yy, zz] = [read("ixx")?, read("iyy")?, read("izz")?];
        let [xy, xz, yz] = [read("ixy")?, read("ixz")?, read("iyz")?];
        inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    }
    Ok((mass > 0.0).then(|| Mass { mass, centre: frame.origin, inertia: frame.tensor(inertia) }))
}

/// The form of a `geometry`. `None`, and a note, if there is none that can be taken.
fn form(geometry: Element<'_>, meshes: &Meshes<'_>, report: &Report) -> Result<Option<Form>, Mistake> {
    // Sizes of zero are found in models that are in use; negative ones are mistakes.
    let size = |element: Element<'_>, name: &str| {
        let value = element.number(name)?.ok_or_else(|| element.mistake(format!("`{name}` is missing")))?;
        if value >= 0.0 { Ok(value) } else { Err(element.mistake(format!("`{name}` must be above 0, not {value}"))) }
    };
    let form = if let Some(element) = geometry.one("box") {
        let size = element.vector("size")?.ok_or_else(|| element.mistake("`size` is missing"))?;
        if size.min_element() < 0.0 {
            return Err(element.mistake(format!("`size` must be above 0, not {} {} {}", size.x, size.y, size.z)));
        }
        Some((Form::Box(size * 0.5), size.min_element()))
    } else if let Some(element) = geometry.one("sphere") {
        let radius = size(element, "radius")?;
        Some((Form::Sphere(radius), radius))
    } else if let Some(element) = geometry.one("cylinder") {
        let (radius, length) = (size(element, "radius")?, size(element, "length")?);
        Some((Form::Cylinder(radius, length * 0.5), radius.min(length)))
    } else if let Some(element) = geometry.one("capsule") {
        let (radius, length) = (size(element, "radius")?, size(element, "length")?);
        Some((Form::Capsule(radius, length * 0.5), radius.min(length)))
    } else {
        None
    };
    match form {
        Some((form, least)) if least > 0.0 => return Ok(Some(form)),
        Some(_) => {
            report.note(geometry.place(), "<geometry>", "a size is 0: it encloses nothing and is left out");
            return Ok(None);
        }
        None => {}
    }
    if let Some(element) = geometry.one("mesh") {
        let file = element.needed("filename")?;
        let scale = match element.numbers("scale")?.as_deref() {
            None => DVec3::ONE,
            Some([all]) => DVec3::splat(*all),
            Some([x, y, z]) => DVec3::new(*x, *y, *z),
            Some(_) => return Err(element.mistake("`scale` must be one or three numbers")),
        };
        return Ok(meshes.load(file, scale, element.place()).map(Form::Mesh));
    }
    let what = "has no shape that can be used and is left out";
    report.note(geometry.place(), "<geometry>", what);
    Ok(None)
}

fn read_joint(element: Element<'_>, ends: (usize, usize), frame: Frame, report: &Report) -> Result<Joint, Mistake> {
    let kind = element.needed("type")?;
    let freedom = match kind {
        "fixed" => Freedom::Nothing,
        "revolute" | "continuous" => Freedom::Turn,
        "prismatic" => Freedom::Slide,
        "planar" => Freedom::Plane,
        "floating" => Freedom::All,
        "ball" | "spherical" => Freedom::Ball,
        other => {
            return Err(element.mistake(format!(
                "there is no joint of the type `{other}`: it is fixed, revolute, continuous, prismatic, planar, floating or \
                 spherical"
            )));
        }
    };
    let mut joint = Joint::new(element.needed("name")?, element.place(), ends, freedom);
    joint.anchor = frame.origin;
    let axis = element.one("axis").map(|axis| axis.vector("xyz")).transpose()?.flatten().unwrap_or(DVec3::X);
    let moves = !matches!(freedom, Freedom::Nothing | Freedom::All | Freedom::Ball);
    match axis.try_normalize() {
        Some(axis) => joint.axis = frame.turn * axis,
        None if moves => return Err(element.mistake("the axis must not be zero")),
        None => {}
    }
    let place = element.place();
    if let Some(limit) = element.one("limit") {
        let read = |name: &str| limit.number(name);
        let (lower, upper) = (read("lower")?, read("upper")?);
        let bounded = matches!(kind, "revolute" | "prismatic");
        if bounded {
            let (lower, upper) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
            if lower > upper {
                return Err(element.mistake(format!("the lower limit, {lower}, is above the upper one, {upper}")));
            }
            joint.limit = Some((lower, upper));
            if !(lower..=upper).contains(&0.0) {
                let what = "the pose of the file, zero, is outside its limits; they push it inside";
                report.note(place, element.title(), what);
            }
        } else if lower.is_some() || upper.is_some() {
            report.note(place, element.title(), format!("a {kind} joint has no limits; those given are left out"));
        }
        joint.effort = read("effort")?.filter(|effort| *effort > 0.0);
        if read("velocity")?.is_some() {
            report.note(
                limit.place(),
                "`velocity` of <limit>",
                "a joint has no limit on its speed here; it is left out",
            );
        }
    }
    if let Some(dynamics) = element.one("dynamics") {
        joint.damping = dynamics.number("damping")?.unwrap_or(0.0);
        joint.friction = dynamics.number("friction")?.unwrap_or(0.0);
        for (name, value) in [("damping", &mut joint.damping), ("friction", &mut joint.friction)] {
            if *value < 0.0 {
                report.note(place, element.title(), format!("a negative {name}, {value}, is taken as 0"));
                *value = 0.0;
            }
        }
    }
    Ok(joint)
}

/// Why an element of URDF is left out, by its name and that of its parent.
pub fn why(parent: &str, name: &str) -> &'static str {
    match (parent, name) {
        (_, "gazebo") => "is for the simulator Gazebo",
        (_, "transmission") => "says how motors are wired to joints, and drives nothing by itself",
        (_, "material" | "texture" | "color") => "is about looks",
        (_, "sensor") => "sensors have no counterpart",
        (_, "safety_controller" | "calibration") => "is for the robot's own controller",
        (_, "contact" | "self_collision_checking" | "verbose" | "contact_coefficients") => {
            "contact settings of another simulator"
        }
        ("link", "inertial" | "visual" | "collision") => "is left out",
        _ => "has no counterpart and is left out",
    }
}
