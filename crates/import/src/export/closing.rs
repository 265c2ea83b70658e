//! Joints that are not in the tree: equalities that close loops, and tendons.
//!
//! ```text
//! BallSocket          connect                      Distance   spatial tendon with an equality on its length
//! Fixed               weld                         Rope       spatial tendon with a range
//! Hinge, RotaryMotor  two connects on its axis     Spring     spatial tendon with stiffness and damping
//! Pulley              spatial tendon over two sites, B's strand divided by 1/ratio
//! ```
//! The motor or servo of such a hinge, and an `AngularMotor`, turn a site of B against one of A about the axis.

use delassus_physics::joints::{JointKind, Pulley};
use delassus_physics::row::Group;
use delassus_scene::FlatJoint;
use glam::{DQuat, DVec3};

use super::drives::Masses;
use super::links::Link;
use super::motions::{anchors, axes};
use super::sites::Sites;
use super::tags::{Tag, numbers, vector};
use super::tree::ends;
use crate::assemble::names::Names;
use crate::model::Drive;
use crate::report::{Place, Report};

/// As stiff as MuJoCo makes a constraint: it raises a time constant to twice its step, and an impedance to at most
/// 0.9999.
const SOLREF: &str = "0.0002 1";
/// The same for what only pushes or pulls. With critical damping MuJoCo's stop throws back exp(−2) of the speed, 14 %; with
/// five times that, next to nothing.
const SOLREF_OF_STOP: &str = "0.0002 5";
const SOLIMP: &str = "0.9999 0.9999 0.001 0.5 2";

/// The same with the attributes of a constraint that is as stiff as it can be.
pub fn stiff(tag: Tag, of: [&'static str; 2]) -> Tag {
    tag.with(of[0], SOLREF).with(of[1], SOLIMP)
}

/// The same for stops: of a joint's range, and of a rope's length.
pub fn stop(tag: Tag) -> Tag {
    tag.with("solreflimit", SOLREF_OF_STOP).with("solimplimit", SOLIMP)
}

/// A drive that turns a site against another one about the axis z of both.
#[derive(Debug, Clone)]
pub struct SiteDrive {
    pub name: String,
    pub site: String,
    pub against: String,
    pub drive: Drive,
}

/// What is added to the model for joints that close loops.
pub struct Closing<'a> {
    pub links: &'a [Link<'a>],
    pub masses: &'a Masses,
    pub report: &'a Report,
    pub equalities: Vec<Tag>,
    pub tendons: Vec<Tag>,
    /// Drives between sites.
    pub drives: Vec<SiteDrive>,
    /// Those of equalities, and of tendons.
    pub taken: Names,
}

impl Closing<'_> {
    /// Adds what stands for a joint. `names` are those of the links.
    pub fn add(&mut self, number: usize, joint: &FlatJoint, names: &[String], sites: &mut Sites) {
        let (a, b) = ends(joint);
        if self.links[a].fixed && self.links[b].fixed {
            return self.note(joint, "holds bodies that stand still, and is left out");
        }
        let name = &*self.taken.unique(&joint.name);
        match joint.def.kind {
            JointKind::BallSocket(_) => self.connect(joint, name, names, DVec3::ZERO),
            JointKind::ConeTwist(_) => {
                self.note(joint, "the limits of its swing and twist have no counterpart: it is a ball without limits");
                self.connect(joint, name, names, DVec3::ZERO);
            }
            JointKind::ConstantVelocity(_) => {
                self.note(joint, "equal speeds of two shafts have no counterpart: it is a ball that also twists");
                self.connect(joint, name, names, DVec3::ZERO);
            }
            JointKind::Hinge(_) | JointKind::RotaryMotor(_) => self.hinge(number, joint, name, names, sites),
            JointKind::Fixed(_) => {
                let weld = self.between(Tag::new("weld").with("name", name), joint, names);
                self.equalities.push(stiff(weld, ["solref", "solimp"]));
            }
            JointKind::Distance(_) | JointKind::Rope(_) | JointKind::Spring(_) => {
                self.straight(number, joint, name, sites);
            }
            JointKind::Pulley(own) => self.pulley(number, joint, &own, name, sites),
            JointKind::AngularMotor(_) => self.drive(number, joint, name, 0.0, sites),
            JointKind::Cam(_) | JointKind::Drum(_) | JointKind::Formula(_) => {
                self.note(joint, format!("a {} has no counterpart, and is left out", joint.def.kind.info().name));
            }
            _ => {
                let what = joint.def.kind.info().name;
                self.note(joint, format!("a {what} that closes a loop has no counterpart, and is left out"));
            }
        }
    }

    /// An equality between the joint's bodies: B first, and A unless it is the world.
    fn between(&self, tag: Tag, joint: &FlatJoint, names: &[String]) -> Tag {
        let (a, b) = ends(joint);
        let tag = tag.with("body1", &names[b]);
        if a == 0 { tag } else { tag.with("body2", &names[a]) }
    }

    /// Two points that stay together, `off` from the anchor, m, world frame.
    fn connect(&mut self, joint: &FlatJoint, name: &str, names: &[String], off: DVec3) {
        let (from, at) = anchors(self.links, joint);
        if (at - from).length() > 1e-5 {
            let gap = (at - from).length();
            self.note(joint, format!("its anchors are {gap:.2e} m apart; MuJoCo keeps B's where it is"));
        }
        let b = &self.links[ends(joint).1];
        let anchor = b.pose.inverse().point(at + off);
        let connect = self.between(Tag::new("connect").with("name", name), joint, names);
        self.equalities.push(stiff(connect.with("anchor", vector(anchor)), ["solref", "solimp"]));
    }

    /// The motor or the servo of a joint, whose value in the pose of the scene is `value`, rad.
    fn drive(&mut self, number: usize, joint: &FlatJoint, name: &str, value: f64, sites: &mut Sites) {
        let factor = f64::from(joint.def.options.by_time.at(0.0));
        let kind = &joint.def.kind;
        let (drive, constant) = match (kind.motor(), kind.servo()) {
            (Some(motor), _) => (Some(self.masses.motor(number, motor, factor)), 0.0),
            (None, Some(servo)) => self.masses.servo(number, servo, factor),
            (None, None) => (None, 0.0),
        };
        if constant != 0.0 {
            self.note(joint, "closes a loop: its constant torque is left out");
        }
        let Some(drive) = drive else { return };
        // The sites count the angle from the pose of the scene.
        let drive = Drive { target: drive.target - value, ..drive };
        let axis = axes(self.links, joint).0;
        let (a, b) = ends(joint);
        let (from, at) = anchors(self.links, joint);
        let turn = DQuat::from_rotation_arc(DVec3::Z, axis);
        let mut site = |link: usize, point: DVec3| {
            let inner = self.links[link].pose.inverse();
            sites.add_turned(link, inner.point(point), inner.turn * turn, name)
        };
        let (site, against) = (site(b, at), site(a, from));
        self.drives.push(SiteDrive { name: joint.name.to_string(), site, against, drive });
    }

    /// A hinge by two points of its axis, as far apart as the body is large.
    fn hinge(&mut self, number: usize, joint: &FlatJoint, name: &str, names: &[String], sites: &mut Sites) {
        if let JointKind::Hinge(own) = joint.def.kind {
            let resists = own.friction.max(own.damping).max(own.armature).max(own.breakaway) > 0.0;
            if resists || own.limit.is_some() || own.spring.is_some() {
                self.note(joint, "closes a loop: what springs, resists and stops it is left out");
            }
        }
        self.drive(number, joint, name, f64::from(0.0 - joint.def.kind.zero()), sites);
        let reach = |link: usize| self.links[link].def.map_or(0.0, |def| f64::from(def.solid.radius));
        let half = 0.5 * reach(ends(joint).1).max(1e-3);
        let axis = axes(self.links, joint).0;
        self.connect(joint, name, names, axis * half);
        let second = self.taken.unique(&format!("{name} axis"));
        self.connect(joint, &second, names, -axis * half);
    }

    /// A rod, a rope or a spring between two points.
    fn straight(&mut self, number: usize, joint: &FlatJoint, name: &str, sites: &mut Sites) {
        let (a, b) = ends(joint);
        let (from, at) = anchors(self.links, joint);
        let length = joint.def.kind.length().flatten().map_or(self.masses.made_length(number), f64::from);
        let mut tendon = Tag::new("spatial").with("name", name);
        match joint.def.kind {
            JointKind::Rope(_) => {
                tendon = stop(tendon.with("range", numbers([0.0, length])));
            }
            JointKind::Spring(own) => {
                // The row of a coil spring is the joint's only one.
                let (stiffness, damping) = self.masses.spring(number, Group::Spring, own.softness);
                tendon = tendon.with("stiffness", numbers([stiffness])).with("springlength", numbers([length]));
                tendon = tendon.unless(0.0, "damping", damping);
            }
            _ => {
                let off = length - (at - from).length();
                let off = if off.abs() < 1e-7 * length { 0.0 } else { off };
                let equality = Tag::new("tendon").with("name", name).with("tendon1", name);
                let equality = equality.with("polycoef", numbers([off, 0.0, 0.0, 0.0, 0.0]));
                self.equalities.push(stiff(equality, ["solref", "solimp"]));
            }
        }
        for (link, point) in [(a, from), (b, at)] {
            let site = sites.add(link, self.links[link].pose.inverse().point(point), name);
            tendon.children.push(Tag::new("site").with("site", site));
        }
        self.tendons.push(tendon);
    }

    /// A rope over two sheaves.
    fn pulley(&mut self, number: usize, joint: &FlatJoint, own: &Pulley, name: &str, sites: &mut Sites) {
        let Pulley { over_a, over_b, ratio, length, friction, wrap: _ } = *own;
        if friction > 0.0 {
            self.note(joint, "the friction of its sheaves has no counterpart");
        }
        self.note(joint, "MuJoCo does not stop a strand's end at its sheave");
        let (a, b) = ends(joint);
        let (from, at) = anchors(self.links, joint);
        let length = length.map_or(self.masses.made_length(number), f64::from);
        let mut tendon = stop(Tag::new("spatial").with("name", name).with("range", numbers([0.0, length])));
        let links = self.links;
        let mut strand = |link: usize, point: DVec3, over: glam::Vec3, tendon: &mut Tag| {
            let end = sites.add(link, links[link].pose.inverse().point(point), name);
            let sheave = sites.add(0, over.as_dvec3(), name);
            tendon.children.extend([end, sheave].map(|site| Tag::new("site").with("site", site)));
        };
        strand(a, from, over_a, &mut tendon);
        tendon.children.push(Tag::new("pulley").with("divisor", super::tags::number(1.0 / f64::from(ratio))));
        strand(b, at, over_b, &mut tendon);
        self.tendons.push(tendon);
    }

    fn note(&self, joint: &FlatJoint, what: impl Into<String>) {
        self.report.note(Place::default(), format!("joint `{}`", joint.name), what);
    }
}
