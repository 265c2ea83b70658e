//! Servos, motors and constant forces as actuators, with the controls that a keyframe gives them.

use delassus_physics::force::{ByTime, ForceFrame};

use super::closing::SiteDrive;
use super::links::Link;
use super::motions::Motion;
use super::sites::Sites;
use super::tags::{Tag, number, numbers};
use crate::assemble::names::Names;
use crate::model::Drive;
use crate::report::{Place, Report};

/// Actuators and their controls.
#[derive(Debug, Default)]
pub struct Actuators {
    pub tags: Vec<Tag>,
    pub controls: Vec<f64>,
    /// The site at the world's origin, in whose axes forces of the world are given.
    origin: Option<String>,
    taken: Names,
}

impl Actuators {
    fn add(&mut self, tag: Tag, control: f64) {
        self.tags.push(tag);
        self.controls.push(control);
    }

    /// The actuators of a joint.
    pub fn joint(&mut self, motion: &Motion) {
        let joint = &motion.joint;
        if let Some(drive) = &joint.drive {
            self.drive(&joint.name, drive, |tag| tag.with("joint", &joint.name));
        }
        if motion.constant != 0.0 {
            let name = self.taken.unique(&joint.name);
            self.add(Tag::new("motor").with("name", name).with("joint", &joint.name), motion.constant);
        }
    }

    /// The actuator of a drive between two sites.
    pub fn site(&mut self, own: &SiteDrive) {
        let acts = |tag: Tag| tag.with("site", &own.site).with("refsite", &own.against).with("gear", "0 0 0 0 0 1");
        self.drive(&own.name, &own.drive, acts);
    }

    /// A servo or a damper that aims at a speed; `acts` says on what it acts.
    fn drive(&mut self, name: &str, drive: &Drive, acts: impl Fn(Tag) -> Tag) {
        let Drive { stiffness, damping, target, speed, cap, .. } = *drive;
        let name = self.taken.unique(name);
        let of = |kind: &'static str| acts(Tag::new(kind).with("name", &name));
        let bounded = |tag: Tag| match cap {
            Some(cap) => tag.with("forcerange", numbers([-cap, cap])),
            None => tag,
        };
        if stiffness > 0.0 {
            let tag = of("position").with("kp", number(stiffness)).unless(0.0, "kv", damping);
            self.add(bounded(tag), target);
        } else if damping > 0.0 {
            self.add(bounded(of("velocity").with("kv", number(damping))), speed);
        }
    }

    /// The forces on a body. Each is an actuator whose gear is the force and the torque, and whose control is one.
    pub fn forces(&mut self, number: usize, link: &Link<'_>, sites: &mut Sites, report: &Report) {
        let Some(def) = link.def.filter(|_| !link.fixed) else { return };
        for (k, force) in def.forces.iter().enumerate() {
            let factor = f64::from(force.by_time.at(0.0));
            if force.by_time != ByTime::Constant {
                let what = "changes with time: it has its value at time 0 in MuJoCo, for good";
                report.note(Place::default(), format!("a force on `{}`", link.name), what);
            }
            let at = link.mass.centre + force.at.unwrap_or_default().as_dvec3();
            let name = self.taken.unique(&format!("force {} on {}", k + 1, link.name));
            let site = sites.add(number, at, &name);
            let [f, t] = [force.force, force.torque].map(|v| (v.as_dvec3() * factor).to_array());
            let mut tag = Tag::new("motor").with("name", &name).with("site", site);
            if force.frame == ForceFrame::World {
                let origin = self.origin.get_or_insert_with(|| sites.add(0, glam::DVec3::ZERO, "origin"));
                tag = tag.with("refsite", origin.as_str());
            }
            self.add(tag.with("gear", numbers(f.into_iter().chain(t))), 1.0);
        }
    }
}
