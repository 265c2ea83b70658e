//! Reads URDF, the Unified Robot Description Format of ROS: links and joints in a tree, z up, radians.
//!
//! A joint's frame stands in that of its parent by `origin`; the child's link frame is the joint's frame in the pose in
//! which every joint is at zero. Source: the URDF specification of ROS (links, joints).

mod joints;
mod links;

use std::collections::HashMap;

use delassus_scene::Mistake;

use crate::Options;
use crate::frame::{Frame, roll_pitch_yaw};
use crate::meshes::Meshes;
use crate::model::{Coupling, Freedom, Joint, Link, Model, WORLD};
use crate::report::{Place, Report};
use crate::xml::Element;
use joints::read_joint;
use links::{link, world};

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
