//! Links that are rigidly joined: to the world, or to a link where one of the two has no mass.
//!
//! A frame without a mass is no body. It becomes a part of the link to which a fixed joint ties it, with its shapes.

use crate::inertia;
use crate::model::{Freedom, LinkShape, Model};
use crate::report::Report;

/// Takes out the fixed joints that need no joint in a scene.
pub fn fixed(model: &mut Model, report: &Report) {
    let mut stands_for: Vec<usize> = (0..model.links.len()).collect();
    let mut kept = Vec::new();
    for mut joint in std::mem::take(&mut model.joints) {
        (joint.parent, joint.child) = (stands_for[joint.parent], stands_for[joint.child]);
        let (parent, child) = (joint.parent, joint.child);
        if joint.freedom != Freedom::Nothing || joint.closes {
            kept.push(Some(joint));
            continue;
        }
        if model.links[parent].fixed {
            model.links[child].fixed = true;
            kept.push(None);
            continue;
        }
        if model.links[parent].mass.is_some() && model.links[child].mass.is_some() {
            kept.push(Some(joint));
            continue;
        }
        let (from, into) = (model.links[child].clone(), &mut model.links[parent]);
        let frame = into.pose.inverse() * from.pose;
        let nameless = into.mass.is_none() && into.shapes.is_empty() && from.mass.is_some();
        let mass = from.mass.map(|mass| inertia::seen(&frame, &mass));
        into.mass = match (into.mass, mass) {
            (Some(own), Some(mass)) => Some(inertia::sum(&own, &mass)),
            (own, mass) => own.or(mass),
        };
        into.shapes.extend(from.shapes.into_iter().map(|shape| LinkShape { frame: frame * shape.frame, ..shape }));
        if nameless {
            report.note(
                into.place,
                format!("link `{}`", into.name),
                format!("has no mass and is part of `{}`", from.name),
            );
            into.name = from.name;
        } else {
            report.note(
                from.place,
                format!("link `{}`", from.name),
                format!("has no mass and is part of `{}`", into.name),
            );
        }
        let number = parent;
        stands_for.iter_mut().filter(|link| **link == child).for_each(|link| *link = number);
        model.links[child].shapes.clear();
        model.links[child].mass = None;
        // Nothing is left of it.
        model.links[child].fixed = true;
        kept.push(None);
    }
    // Couplings name joints by their numbers.
    let mut numbers = Vec::new();
    for joint in kept {
        numbers.push(model.joints.len());
        model.joints.extend(joint);
    }
    for coupling in &mut model.couplings {
        (coupling.leader, coupling.follower) = (numbers[coupling.leader], numbers[coupling.follower]);
    }
    for (a, b) in &mut model.excluded {
        (*a, *b) = (stands_for[*a], stands_for[*b]);
    }
}
