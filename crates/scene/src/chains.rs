//! Lays out chains: a chain is checked once, and a grid of chains is made on all cores.

use glam::{Quat, Vec3};

use super::bodies::BodyTemplate;
use super::check;
use super::expand::{DocumentFrame, Expander, FlatBody, FlatJoint, MAX_BODIES, MAX_JOINTS, Origin};
use super::patterns::{Site, span};
use super::report::{DocPath, Report};
use super::types::{Chain, ChainJoint};
use delassus_physics::joint::JointDef;
use delassus_physics::joints::Anchor;
use delassus_physics::{quantity, threads};

/// A checked chain: each of its bodies and joints can be made from its number.
pub(super) struct Links {
    /// Template of the bodies between the ends; `first` and `last` are those of the end bodies.
    inner: BodyTemplate,
    first: BodyTemplate,
    last: BodyTemplate,
    /// Template of all joints; the body numbers are filled in later.
    joint: JointDef,
    count: u32,
    /// From one body to the next, m.
    spacing: Vec3,
    origin: Origin,
}

impl Links {
    /// Body `i` of the chain in this frame.
    fn body(&self, i: u32, frame: &DocumentFrame, text: &mut String) -> FlatBody {
        let template = match i {
            0 => &self.first,
            i if i + 1 == self.count => &self.last,
            _ => &self.inner,
        };
        let def = template.placed(frame, self.spacing * i as f32);
        FlatBody { name: frame.member(format_args!("{i}"), text), origin: self.origin, def }
    }

    /// The joint between body `i − 1` and body `i`; `b` is the number of body `i` in the world.
    fn joint(&self, i: u32, b: u32, frame: &DocumentFrame, text: &mut String) -> FlatJoint {
        let def = JointDef { a: b - 1, b, ..self.joint.clone() };
        FlatJoint { name: frame.member(format_args!("{}-{i}", i - 1), text), origin: self.origin, def }
    }
}

impl Expander {
    /// Checks a chain; `None` if it has mistakes.
    pub fn links(&mut self, chain: &Chain, site: &Site, place: &DocPath, report: &mut Report) -> Option<Links> {
        let before = report.mistakes.len();
        let joint_at = place.field("joint");
        // Fields are listed by name so that a new field must be checked and used here.
        let Chain { name: _, body, count, spacing, joint, first, last } = chain;
        let ChainJoint { kind, along, axis, collide, breaks, stabilization, soft, by_time } = joint;
        let template = self.member(body, site, &place.field("body"), report);
        check::count(*count, MAX_BODIES as u32, &place.field("count"), "count", report);
        span(*spacing, *count, &place.field("spacing"), report);
        check::kind(kind, *axis, &joint_at, report);
        check::direction(*axis, &joint_at.field("axis"), "axis", report);
        check::breaks(*breaks, &joint_at.field("breaks"), report);
        check::stabilization(*stabilization, &joint_at.field("stabilization"), report);
        check::soft(*soft, &joint_at.field("soft"), report);
        check::drive(kind, by_time, &joint_at, report);
        check::number("along", Some(*along), &quantity::ALONG, &joint_at, report);
        let template = template.filter(|_| report.mistakes.len() == before)?;

        let centre = template.def.solid.centre;
        let to_body = template.def.rotation.conjugate();
        let local = |from_origin: Vec3| to_body * from_origin - centre;
        let (anchor_a, anchor_b) = match kind.info().anchor {
            Anchor::Origins => (-centre, -centre),
            Anchor::Needed | Anchor::AtB => (local(spacing * *along), local(spacing * (along - 1.0))),
        };
        let axis = (to_body * axis.unwrap_or(Vec3::Z)).normalize_or(Vec3::Z);
        let gap = to_body * *spacing + anchor_b - anchor_a;
        let joint = JointDef {
            a: 0,
            b: 0,
            anchor_a,
            anchor_b,
            axis_a: axis,
            axis_b: kind.second_axis(axis, gap, -anchor_b).unwrap_or(axis),
            kind: *kind,
            collide: *collide,
            options: joint.options(),
        };
        let moved = |motion| {
            let mut end = template.clone();
            end.def.motion = motion;
            end
        };
        let motion = template.def.motion;
        let (first, last) = (moved(first.unwrap_or(motion)), moved(last.unwrap_or(motion)));
        Some(Links { inner: template, first, last, joint, count: *count, spacing: *spacing, origin: site.origin })
    }

    /// Lays out a chain in a frame.
    pub fn chain(&mut self, chain: &Chain, site: &Site, frame: &DocumentFrame, place: &DocPath, report: &mut Report) {
        if let Some(links) = self.links(chain, site, place, report) {
            self.chain_of(&links, &frame.inner(Vec3::ZERO, Quat::IDENTITY, &chain.name), place, report);
        }
    }

    /// Lays out a chain in its own frame, one body at a time.
    fn chain_of(&mut self, links: &Links, frame: &DocumentFrame, place: &DocPath, report: &mut Report) {
        let mut text = String::new();
        for i in 0..links.count {
            let body = links.body(i, frame, &mut text);
            if !self.claim(&body.name, place, report) {
                return;
            }
            let b = self.push_body(body);
            if i > 0 {
                self.push_link(links.joint(i, b, frame, &mut text), place, report);
            }
        }
    }

    /// Lays out a chain for each of a grid's `copies`. `frame` gives the chain's frame in a copy by its number; all
    /// names in it begin with the grid's name, `prefix`.
    pub fn chains(
        &mut self,
        links: &Links,
        copies: u32,
        prefix: &str,
        frame: impl Fn(u32) -> DocumentFrame + Sync + Send,
        place: &DocPath,
        report: &mut Report,
    ) {
        let joints = copies as usize * (links.count as usize - 1);
        // If names may clash or there are too many joints, lay the chains out one by one, to report the first that
        // fails. Few chains are not worth the search through all names.
        let few = u64::from(copies) * u64::from(links.count) < self.flat.bodies.len() as u64;
        if few || self.begins_a_name(prefix) || self.full || self.flat.joints.len() + joints > MAX_JOINTS {
            for copy in 0..copies {
                let before = report.mistakes.len();
                self.chain_of(links, &frame(copy), place, report);
                if self.full || report.mistakes.len() > before {
                    return;
                }
            }
            return;
        }
        // Each thread makes consecutive bodies or joints, and reuses the frame within a copy.
        let room = || (None::<u32>, DocumentFrame::default(), String::new());
        let turn_to = |copy: u32, (known, kept, _): &mut (Option<u32>, DocumentFrame, String)| {
            if *known != Some(copy) {
                (*known, *kept) = (Some(copy), frame(copy));
            }
        };
        let cores = threads::count(0);
        let (count, base) = (links.count as usize, self.flat.bodies.len() as u32 + 1);
        let bodies = threads::map_indices(cores, copies as usize * count, room, |room, index| {
            turn_to((index / count) as u32, room);
            links.body((index % count) as u32, &room.1, &mut room.2)
        });
        let joints = threads::map_indices(cores, joints, room, |room, index| {
            let (copy, i) = ((index / (count - 1)) as u32, (index % (count - 1)) as u32 + 1);
            turn_to(copy, room);
            links.joint(i, base + copy * links.count + i, &room.1, &mut room.2)
        });
        append(&mut self.flat.bodies, bodies);
        append(&mut self.flat.joints, joints);
    }
}

/// Appends `made`; no copy is made if the list is empty.
fn append<T>(list: &mut Vec<T>, made: Vec<T>) {
    if list.is_empty() {
        *list = made;
    } else {
        list.extend(made);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::Flat;

    fn laid_out(before: &str) -> Flat {
        let text = format!(
            "(version: 1, title: \"Chains\", bodies: [{before}], patterns: [Grid(name: \"chain\", count: (7, 3, 11), \
             spacing: (20, 3, 0.5), of: Chain(body: (shape: Sphere(radius: 0.1), mass: 1), count: 13, spacing: (0.25, 0, \
             0.1), joint: (kind: BallSocket, along: 0.3), first: Static, last: Kinematic))])"
        );
        crate::read_str(&text, "chains").unwrap_or_else(|mistakes| panic!("{mistakes:?}")).flat
    }

    /// A body whose name might clash with the grid's makes the grid be laid out one body at a time, with a check of
    /// each name.
    #[test]
    fn chains_that_are_made_by_all_cores_are_those_made_link_by_link() {
        let (at_once, one_by_one) = (laid_out(""), laid_out("(name: \"chain.own\", shape: Sphere(radius: 1))"));
        assert_eq!((at_once.bodies.len(), at_once.joints.len()), (7 * 3 * 11 * 13, 7 * 3 * 11 * 12));
        assert_eq!(one_by_one.bodies.len(), at_once.bodies.len() + 1);
        assert_eq!(one_by_one.joints.len(), at_once.joints.len());
        for (body, other) in at_once.bodies.iter().zip(&one_by_one.bodies[1..]) {
            assert_eq!((&body.name, body.origin), (&other.name, other.origin));
            assert_eq!(body.def.position, other.def.position, "{}", body.name);
            assert_eq!(body.def.motion, other.def.motion, "{}", body.name);
            assert!(Arc::ptr_eq(&body.def.solid, &at_once.bodies[0].def.solid), "equal shapes are one");
        }
        for (joint, other) in at_once.joints.iter().zip(&one_by_one.joints) {
            assert_eq!((&joint.name, joint.def.a + 1, joint.def.b + 1), (&other.name, other.def.a, other.def.b));
            assert_eq!(joint.def.anchor_a, other.def.anchor_a);
        }
    }

    #[test]
    fn a_joint_finds_the_links_of_chains_made_at_once_and_a_body_that_takes_their_name_is_told() {
        let text = |bodies: &str, name: &str| {
            format!(
                "(version: 1, title: \"Chains\", bodies: [{bodies}], patterns: [Grid(name: \"a\", count: (2, 1, 1), spacing: \
                 (9, 0, 0), of: Chain(body: (shape: Sphere(radius: 0.1)), count: 3, spacing: (0.25, 0, 0), joint: (kind: \
                 BallSocket))), Chain(name: \"{name}\", body: (shape: Sphere(radius: 0.1)), count: 2, spacing: (0.25, 0, \
                 0), joint: (kind: BallSocket))], joints: [(kind: Distance, a: \"a.0.2\", b: \"a.1.0\")])"
            )
        };
        let read = |bodies: &str, name: &str| crate::read_str(&text(bodies, name), "chains");
        let flat = read("", "b").unwrap_or_else(|mistakes| panic!("{mistakes:?}")).flat;
        let tie = &flat.joints.last().unwrap_or_else(|| panic!("there is a joint")).def;
        assert_eq!((tie.a, tie.b), (3, 4), "the third of the first chain, the first of the second");
        let is_refused = |bodies: &str, name: &str, what: &str| {
            let mistakes = read(bodies, name).err().unwrap_or_default();
            assert!(mistakes.iter().any(|mistake| mistake.to_string().contains(what)), "{what}: {mistakes:?}");
        };
        is_refused("(name: \"a.1.2\", shape: Sphere(radius: 1))", "b", "`a.1.2`");
        is_refused("", "a.0", "`a.0.0`");
    }
}
