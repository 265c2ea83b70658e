//! Prints what an imported model weighs and how gravity acts on its joints, to compare with other readers:
//!
//! ```text
//! statics MODEL [--free] < POSES          a pose a line: JOINT VALUE JOINT VALUE …, rad or m
//! body NAME  m  x y z  Ixx Iyy Izz Ixy Ixz Iyz        world frame, in the model's pose
//! torque POSE JOINT  τ                               gravity's generalised force, N·m or N
//! ```
//! The torque about a joint is Σ a · ((c − p) × m g) over the bodies that it carries, or Σ a · m g along a slide.

use std::collections::HashMap;
use std::io::{BufRead, stdin};
use std::path::Path;

use delassus_import::{Options, disk};
use delassus_physics::body::Motion;
use delassus_physics::joints::JointKind;
use delassus_scene::{Body, Joint, WORLD};
use glam::{DMat3, DQuat, DVec3};

/// Where a body has got to: a turn and a shift of the world, from the scene's pose.
#[derive(Clone, Copy)]
struct Moved {
    turn: DQuat,
    shift: DVec3,
}

impl Moved {
    fn point(&self, point: DVec3) -> DVec3 {
        self.turn * point + self.shift
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let fixed = match arguments.iter().map(String::as_str).find(|a| a.starts_with("--")) {
        Some("--free") => Some(false),
        Some(_) => Some(true),
        None => None,
    };
    let imported = disk::read(Path::new(&arguments[0]), &Options { fixed, ..Options::default() });
    let imported = imported.unwrap_or_else(|mistake| panic!("{mistake}"));
    let loaded = delassus_scene::read_str(&imported.text(), "scene.ron").unwrap_or_else(|m| panic!("{m:?}"));
    let scene = loaded.scene;
    let settings = scene.settings.settings();
    let gravity = settings.step.gravity.as_dvec3();
    let masses: HashMap<String, (f64, DVec3, DMat3)> =
        scene.bodies.iter().filter_map(|body| Some((body.name.clone(), mass(body)?))).collect();
    for (name, (mass, c, i)) in &masses {
        let [x, y, z] = [i.x_axis, i.y_axis, i.z_axis];
        println!(
            "body\t{name}\t{mass:e} {:e} {:e} {:e} {:e} {:e} {:e} {:e} {:e} {:e}",
            c.x, c.y, c.z, x.x, y.y, z.z, x.y, x.z, y.z
        );
    }
    let joints: Vec<&Joint> = scene.joints.iter().filter(|joint| !is_coupling(joint)).collect();
    for (number, line) in stdin().lock().lines().map_while(Result::ok).enumerate() {
        let words: Vec<&str> = line.split('\t').collect();
        let values: HashMap<&str, f64> =
            words.chunks_exact(2).map(|pair| (pair[0], pair[1].parse().expect("a number"))).collect();
        let moved = pose(&joints, &values);
        for joint in &joints {
            let (slide, axis) = match joint.kind {
                JointKind::Hinge(_) => (false, joint.axis),
                JointKind::Prismatic(_) => (true, joint.axis),
                _ => continue,
            };
            let at = moved[joint.b.as_str()];
            let axis = at.turn * axis.expect("an axis").as_dvec3().normalize();
            let anchor = at.point(joint.anchor.expect("an anchor").as_dvec3());
            let carried = carried(&joints, &joint.b);
            let torque: f64 = carried
                .iter()
                .filter_map(|body| Some((masses.get(*body)?, moved[*body])))
                .map(|((mass, centre, _), at)| {
                    let force = *mass * gravity;
                    if slide { axis.dot(force) } else { axis.dot((at.point(*centre) - anchor).cross(force)) }
                })
                .sum();
            println!("torque\t{number}\t{}\t{torque:e}", joint.name);
        }
    }
}

fn is_coupling(joint: &Joint) -> bool {
    matches!(joint.kind, JointKind::Gear(_) | JointKind::Belt(_))
}

/// Mass, centre and inertia about it in the world's axes.
fn mass(body: &Body) -> Option<(f64, DVec3, DMat3)> {
    if body.motion != Motion::Dynamic {
        return None;
    }
    let turn = body.rotation.quat().ok()?.as_dquat().normalize();
    let mass = f64::from(body.mass?);
    let centre = body.at.as_dvec3() + turn * body.mass_centre?.as_dvec3();
    let solid = body.shape.solid()?;
    let own = body.inertia.map_or(solid.unit_inertia * mass as f32, |inertia| inertia.matrix());
    let turn = DMat3::from_quat(turn);
    Some((mass, centre, turn * own.as_dmat3() * turn.transpose()))
}

/// Where each body is. A joint's parent comes before it.
fn pose<'a>(joints: &[&'a Joint], values: &HashMap<&str, f64>) -> HashMap<&'a str, Moved> {
    let rest = Moved { turn: DQuat::IDENTITY, shift: DVec3::ZERO };
    let mut moved: HashMap<&str, Moved> = HashMap::from([(WORLD, rest)]);
    for joint in joints {
        let base = *moved.entry(joint.a.as_str()).or_insert(rest);
        let (Some(anchor), axis) = (joint.anchor, joint.axis.unwrap_or_default().as_dvec3()) else { continue };
        let anchor = anchor.as_dvec3();
        let value = |zero: f32| values.get(joint.name.as_str()).copied().unwrap_or(0.0) + f64::from(zero);
        let own = match &joint.kind {
            JointKind::Hinge(hinge) => {
                let turn = DQuat::from_axis_angle(axis.normalize(), value(hinge.zero.radians));
                Moved { turn, shift: anchor - turn * anchor }
            }
            JointKind::Prismatic(slide) => Moved { shift: axis.normalize() * value(slide.zero), ..rest },
            _ => rest,
        };
        let now = Moved { turn: base.turn * own.turn, shift: base.point(own.shift) };
        moved.entry(joint.b.as_str()).or_insert(now);
    }
    moved
}

/// A body and those that hang on it.
fn carried<'a>(joints: &[&'a Joint], body: &'a str) -> Vec<&'a str> {
    let mut found = vec![body];
    for joint in joints {
        if found.contains(&joint.a.as_str()) && !found.contains(&joint.b.as_str()) {
            found.push(&joint.b);
        }
    }
    found
}
