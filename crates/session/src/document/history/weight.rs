//! The memory taken by an entry of the history: what the scenes before and after the edit do not share.

use delassus_physics::force::ByTime;
use delassus_physics::mover::Mover;
use delassus_physics::shape::Shape;
use delassus_scene::{
    Body, Experiment, Idle, Joint, Label, List, Material, Part, Pattern, Plot, Scene, Sensor, StartOptions,
};

/// Overhead of a shared allocation (allocator and reference counts), bytes.
const ALLOCATION: usize = 32;
/// Pointers in a leaf of a list and in its parent node: both are copied when an element changes.
const WAY: usize = 2 * 64;

/// Approximate memory that dropping one of the two scenes would free, bytes.
pub fn unshared(before: &Scene, after: &Scene) -> usize {
    // Fields are listed by name so that a new field must be weighed here.
    let Scene {
        title,
        source,
        about,
        look_for,
        claims,
        expects,
        opens,
        materials,
        bodies,
        patterns,
        parts,
        joints,
        experiments,
        plots,
        sensors,
        // Stored inline in the scene.
        version: _,
        settings: _,
        camera: _,
    } = after;
    let lists = list(&before.materials, materials)
        + list(&before.bodies, bodies)
        + list(&before.patterns, patterns)
        + list(&before.parts, parts)
        + list(&before.joints, joints)
        + list(&before.experiments, experiments)
        + list(&before.plots, plots)
        + list(&before.sensors, sensors);
    let words = [title, source, about, look_for].into_iter().map(text).sum::<usize>() + texts(claims);
    size_of::<Scene>() + size_of_val(expects.as_slice()) + words + start(opens) + lists
}

fn start(opens: &StartOptions) -> usize {
    let StartOptions { speed: _, paused: _, labels, switches, idle } = opens;
    let labels = labels.iter().map(|Label { over, says }| size_of::<Label>() + text(over) + text(says));
    let idle = idle.iter().map(|Idle { setting, because }| size_of::<Idle>() + text(setting) + text(because));
    labels.chain(idle).sum::<usize>() + texts(switches)
}

fn list<T: HeapSize>(before: &List<T>, after: &List<T>) -> usize {
    let (gone, come) = (before.without(after), after.without(before));
    let of = |elements: &[&T]| elements.iter().map(|e| ALLOCATION + size_of::<T>() + e.heap()).sum::<usize>();
    let all = before.len().max(after.len());
    let pointers = if before.len() == after.len() { all.min(come.len() * WAY) } else { all };
    of(&gone) + of(&come) + pointers * size_of::<usize>()
}

fn text(text: &String) -> usize {
    if text.capacity() == 0 { 0 } else { text.capacity() + ALLOCATION }
}

fn texts(list: &[String]) -> usize {
    list.iter().map(|one| text(one) + size_of::<String>()).sum()
}

fn table(by_time: &ByTime) -> usize {
    match by_time {
        ByTime::Table { points } => ALLOCATION + size_of_val(points.as_slice()),
        // Its program is some bytes for each character.
        ByTime::Formula { factor, .. } => 2 * ALLOCATION + 8 * factor.text().len(),
        ByTime::Constant | ByTime::Sinusoid { .. } => 0,
    }
}

fn shape(of: &Shape) -> usize {
    match of {
        Shape::Hull { points } => ALLOCATION + size_of_val(points.as_slice()),
        Shape::Compound { parts } => {
            ALLOCATION + size_of_val(&**parts) + parts.iter().map(|part| shape(&part.shape)).sum::<usize>()
        }
        Shape::Box { .. } | Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. } => 0,
    }
}

/// Heap memory that an element owns, bytes.
trait HeapSize {
    fn heap(&self) -> usize;
}

impl HeapSize for Body {
    fn heap(&self) -> usize {
        let points = |points: &Vec<glam::Vec3>| ALLOCATION + size_of_val(points.as_slice());
        let mover = if let Some(Mover::Waypoints { points: way, .. }) = &self.mover { points(way) } else { 0 };
        let list = if self.forces.is_empty() { 0 } else { ALLOCATION + size_of_val(self.forces.as_slice()) };
        let forces = list + self.forces.iter().map(|force| table(&force.by_time)).sum::<usize>();
        text(&self.name) + self.material.as_ref().map_or(0, text) + shape(&self.shape) + mover + forces
    }
}

impl HeapSize for Joint {
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.a) + text(&self.b) + table(&self.by_time)
    }
}

impl HeapSize for Material {
    fn heap(&self) -> usize {
        text(&self.name)
    }
}

impl HeapSize for Part {
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.file)
    }
}

impl HeapSize for Experiment {
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.about) + texts(&self.claims)
    }
}

impl HeapSize for Plot {
    fn heap(&self) -> usize {
        text(&self.title) + text(&self.against) + texts(&self.curves)
    }
}

impl HeapSize for Sensor {
    fn heap(&self) -> usize {
        text(&self.name) + text(&self.of) + text(&self.unit)
    }
}

impl HeapSize for Pattern {
    fn heap(&self) -> usize {
        let body = self.body().map_or(0, |body| ALLOCATION + size_of::<Body>() + body.heap());
        self.name().len() + ALLOCATION + body
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn labels_switches_and_reasons_weigh_what_their_texts_hold() {
        let labels = vec![Label { over: "box".into(), says: "heavy".into() }];
        let idle = vec![Idle { setting: "friction".into(), because: "nothing touches".into() }];
        let opens = StartOptions { labels, switches: vec!["solver.method".into()], idle, ..StartOptions::default() };
        let (plain, worded) = (Scene::default(), Scene { opens, ..Scene::default() });
        let lists = size_of::<Label>() + size_of::<Idle>() + size_of::<String>();
        let letters =
            ["box", "heavy", "friction", "nothing touches", "solver.method"].map(|text| text.len() + ALLOCATION);
        let added = unshared(&plain, &worded) - unshared(&plain, &plain);
        assert_eq!(added, lists + letters.iter().sum::<usize>());
    }

    #[test]
    fn a_change_of_one_body_weighs_as_little_among_many_as_among_few() {
        let body = |_| Body::new("body", Shape::Sphere { radius: 1.0 }, Vec3::ZERO);
        let weight = |count: usize| {
            let whole = Scene { bodies: (0..count).map(body).collect(), ..Scene::default() };
            let mut moved = whole.clone();
            moved.bodies[count / 2].at.z = 1.0;
            unshared(&whole, &moved) - unshared(&whole, &whole)
        };
        let both = 2 * (ALLOCATION + size_of::<Body>() + "body".len() + ALLOCATION);
        assert_eq!(weight(1000), both + WAY * size_of::<usize>());
        assert_eq!(weight(10_000), weight(1000));
    }
}
