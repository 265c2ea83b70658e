//! The model as XML: options, bodies in each other, and the sections for all else.

use delassus_physics::Settings;
use delassus_physics::joints::JointKind;
use delassus_scene::{Flat, Scene};
use glam::DVec3;
use std::f64::consts::TAU;

use super::actuators::Actuators;
use super::closing::{Closing, SiteDrive, stiff, stop};
use super::contact;
use super::couplings::{self, Couplings};
use super::drives::Masses;
use super::geoms::{Geoms, placed};
use super::links::{self, Link};
use super::motions::{Maker, Motion};
use super::sites::Sites;
use super::tags::{Tag, numbers, vector};
use super::tree::{self, Tree};
use super::velocities::Start;
use super::{KEY, left_out, sensors, velocities};
use crate::assemble::names::Names;
use crate::frame::Frame;
use crate::model::Freedom;
use crate::report::{Place, Report};

/// MuJoCo's step, s, in the file.
const TIMESTEP: &str = "0.001";

/// The title of a scene, or what stands for it.
pub fn title(scene: &Scene) -> &str {
    if scene.title.is_empty() { "A scene" } else { &scene.title }
}

/// The model of a scene.
pub fn model(scene: &Scene, flat: &Flat, settings: &Settings, report: &Report) -> Tag {
    left_out::tell(scene, flat, settings, report);
    let links = links::all(flat, report);
    let tree = tree::of(&links, &flat.joints);
    let masses = Masses::new(flat, *settings);
    let mut taken = Names::default();
    let names: Vec<String> = links
        .iter()
        .enumerate()
        .map(|(k, link)| if k == 0 { String::new() } else { taken.unique(link.name) })
        .collect();
    let maker = Maker { links: &links, joints: &flat.joints, masses: &masses, report };
    let mut motions: Vec<Vec<Motion>> =
        (0..links.len()).map(|k| if k == 0 { Vec::new() } else { maker.of(k, &tree.holds[k]) }).collect();
    let mut taken = Names::default();
    motions.iter_mut().flatten().for_each(|motion| motion.joint.name = taken.unique(&motion.joint.name));
    let mut sites = Sites::default();
    let mut actuators = Actuators::default();
    let (equalities, tendons, drives) = constraints(flat, &links, &tree, &motions, &masses, &names, &mut sites, report);
    motions.iter().flatten().for_each(|motion| actuators.joint(motion));
    drives.iter().for_each(|drive| actuators.site(drive));
    links.iter().enumerate().for_each(|(k, link)| actuators.forces(k, link, &mut sites, report));
    let geoms = Geoms::new(flat.bodies.iter().map(|body| &body.def));
    let excluded = contact::excluded(&links, &flat.joints, &geoms, report);
    let mut bodies = Bodies {
        links: &links,
        tree: &tree,
        motions: &motions,
        names: &names,
        sites: &sites,
        report,
        geoms,
        start: velocities::start(&links, &tree, &motions),
        pose: Vec::new(),
        rates: Vec::new(),
    };
    let mut world = Tag::new("worldbody");
    world.children.extend_from_slice(sites.of(0));
    world.children.extend(tree.children[0].iter().map(|child| bodies.body(*child)));
    let Bodies { geoms, pose, rates, .. } = bodies;

    let mut option = Tag::new("option").with("timestep", TIMESTEP).with("integrator", "implicitfast");
    option = option.with("cone", "elliptic").with("gravity", vector(settings.step.gravity.as_dvec3()));
    let mut flag = Tag::new("flag");
    if !settings.contact.enabled {
        flag = flag.with("contact", "disable");
    }
    if excluded.parents_touch {
        flag = flag.with("filterparent", "disable");
    }
    if !settings.contact.enabled || excluded.parents_touch {
        option.children.push(flag);
    }
    let mut key = Tag::new("key").with("name", KEY).with("qpos", numbers(pose)).with("qvel", numbers(rates));
    if !actuators.controls.is_empty() {
        key = key.with("ctrl", numbers(actuators.controls));
    }
    let pairs = excluded.pairs.iter().filter(|_| settings.contact.enabled);
    let exclude = |(a, b): &(usize, usize)| Tag::new("exclude").with("body1", &names[*a]).with("body2", &names[*b]);
    let pairs = pairs.map(exclude).collect();
    let mut root = Tag::new("mujoco").with("model", title(scene));
    root.children.push(Tag::new("compiler").with("angle", "radian").with("autolimits", "true"));
    root.children.push(option);
    let mut section = |name: &'static str, children: Vec<Tag>| {
        if !children.is_empty() {
            root.children.push(Tag::around(name, children));
        }
    };
    section("asset", geoms.meshes);
    section("worldbody", world.children);
    section("contact", pairs);
    section("tendon", tendons);
    section("equality", equalities);
    section("actuator", actuators.tags);
    section("sensor", sensors::all(scene, &motions, report));
    section("keyframe", vec![key]);
    root
}

/// Equalities, tendons and drives between sites: of the joints that are not in the tree, and of threads.
#[expect(clippy::too_many_arguments, reason = "the scene, what was made of it, and where the result goes")]
fn constraints(
    flat: &Flat,
    links: &[Link<'_>],
    tree: &Tree,
    motions: &[Vec<Motion>],
    masses: &Masses,
    names: &[String],
    sites: &mut Sites,
    report: &Report,
) -> (Vec<Tag>, Vec<Tag>, Vec<SiteDrive>) {
    let (equalities, tendons, taken) = (Vec::new(), Vec::new(), Names::default());
    let mut closing = Closing { links, masses, report, equalities, tendons, drives: Vec::new(), taken };
    let couplings = Couplings { links, tree, motions, masses };
    for number in &tree.closing {
        let joint = &flat.joints[*number];
        if !matches!(joint.def.kind, JointKind::Gear(_) | JointKind::Belt(_) | JointKind::Rack(_)) {
            closing.add(*number, joint, names, sites);
            continue;
        }
        let name = closing.taken.unique(&joint.name);
        match couplings.of(*number, joint, &name) {
            Ok((equality, tendon)) => {
                closing.equalities.push(equality);
                closing.tendons.extend(tendon);
            }
            Err(why) => report.note(Place::default(), format!("joint `{}`", joint.name), why),
        }
    }
    for (link, hold) in tree.holds.iter().enumerate() {
        let Some(joint) = hold.joint.map(|number| &flat.joints[number]) else { continue };
        let JointKind::Screw(screw) = joint.def.kind else { continue };
        let of = |freedom: Freedom| motions[link].iter().find(|motion| motion.joint.freedom == freedom);
        if let (Some(slide), Some(turn)) = (of(Freedom::Slide), of(Freedom::Turn)) {
            let name = closing.taken.unique(&joint.name);
            let lead = f64::from(screw.lead) / TAU;
            closing.equalities.push(couplings::equality(&name, &slide.joint.name, &turn.joint.name, lead));
        }
    }
    (closing.equalities, closing.tendons, closing.drives)
}

/// The bodies as they are written, and the coordinates in the order of their joints.
struct Bodies<'a> {
    links: &'a [Link<'a>],
    tree: &'a Tree,
    motions: &'a [Vec<Motion>],
    names: &'a [String],
    sites: &'a Sites,
    report: &'a Report,
    geoms: Geoms,
    start: Start,
    pose: Vec<f64>,
    rates: Vec<f64>,
}

impl Bodies<'_> {
    /// A body with all that hangs on it.
    fn body(&mut self, number: usize) -> Tag {
        let link = self.links[number];
        let parent = self.tree.holds[number].parent;
        let frame = self.links[parent].pose.inverse() * link.pose;
        let mut tag = placed(Tag::new("body").with("name", &self.names[number]), frame.origin, frame.turn);
        let motions = self.motions;
        tag.children.extend(motions[number].iter().map(|motion| joint(motion, &link.pose)));
        if !link.fixed {
            tag.children.push(inertial(&link));
        }
        if let Some(def) = link.def {
            tag.children.extend(self.geoms.of(&self.names[number], def));
        }
        tag.children.extend_from_slice(self.sites.of(number));
        self.begin(number);
        let tree = self.tree;
        tag.children.extend(tree.children[number].iter().map(|child| self.body(*child)));
        tag
    }

    /// Adds the coordinates and rates with which a link starts.
    fn begin(&mut self, number: usize) {
        let link = &self.links[number];
        for motion in &self.motions[number] {
            let turn = link.pose.turn;
            match motion.joint.freedom {
                Freedom::All => {
                    self.pose.extend(link.pose.origin.to_array());
                    self.pose.extend([turn.w, turn.x, turn.y, turn.z]);
                }
                // From the model's own pose.
                Freedom::Ball => self.pose.extend([1.0, 0.0, 0.0, 0.0]),
                _ => self.pose.push(motion.joint.value),
            }
        }
        if link.fixed {
            return;
        }
        self.rates.extend(&self.start.rates[number]);
        let twist = &self.start.twists[number];
        let (speed, spin) = velocities::lost(link, twist);
        if speed.max(spin) > 1e-5 {
            let speed = link.twist.at(link.centre()).distance(twist.at(link.centre()));
            let spin = link.twist.angular.distance(twist.angular);
            let what = format!(
                "its velocities break joints: MuJoCo starts with what they leave, {speed:.3} m/s and {spin:.3} rad/s off"
            );
            self.report.note(Place::default(), format!("body `{}`", link.name), what);
        }
    }
}

/// A joint in the frame of its body.
fn joint(motion: &Motion, body: &Frame) -> Tag {
    let own = &motion.joint;
    let kind = match own.freedom {
        Freedom::All => return Tag::new("freejoint").with("name", &own.name),
        Freedom::Ball => "ball",
        Freedom::Slide => "slide",
        _ => "hinge",
    };
    let mut tag = Tag::new("joint").with("name", &own.name).with("type", kind);
    let anchor = body.inverse().point(own.anchor);
    if own.freedom != Freedom::Slide && anchor != DVec3::ZERO {
        tag = tag.with("pos", vector(anchor));
    }
    if own.freedom == Freedom::Ball {
        return tag;
    }
    tag = tag.with("axis", vector(body.turn.inverse() * own.axis)).unless(0.0, "ref", own.value);
    if let Some((least, most)) = own.limit {
        tag = stop(tag.with("range", numbers([least, most])));
    }
    if let Some((stiffness, rest)) = own.spring {
        tag = tag.unless(0.0, "stiffness", stiffness).unless(0.0, "springref", rest);
    }
    let tag = tag.unless(0.0, "damping", own.damping).unless(0.0, "armature", own.armature);
    if own.friction == 0.0 {
        return tag;
    }
    stiff(tag.unless(0.0, "frictionloss", own.friction), ["solreffriction", "solimpfriction"])
}

/// Mass, mass centre and inertia of a link.
fn inertial(link: &Link<'_>) -> Tag {
    let i = link.mass.inertia;
    let tag = Tag::new("inertial").with("pos", vector(link.mass.centre)).with("mass", numbers([link.mass.mass]));
    tag.with("fullinertia", numbers([i.x_axis.x, i.y_axis.y, i.z_axis.z, i.y_axis.x, i.z_axis.x, i.z_axis.y]))
}
