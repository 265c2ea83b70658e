//! Links that are rigidly joined: to the world, or to a link where one of the two has no mass or a small one.
//!
//! A frame without a mass is no body. It becomes a part of the link to which a fixed joint ties it, with its shapes. So
//! does a light link: it would be a body that hardly weighs anything between those that do.

use crate::inertia;
use crate::model::{Freedom, LinkShape, Model};
use crate::report::Report;

/// A link with less than this share of the mass of another one that it is fixed to becomes a part of it.
const LIGHT: f64 = 0.2;

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
        if let (Some(a), Some(b)) = (model.links[parent].mass, model.links[child].mass)
            && a.mass.min(b.mass) >= LIGHT * a.mass.max(b.mass)
        {
            kept.push(Some(joint));
            continue;
        }
        let (from, into) = (model.links[child].clone(), &mut model.links[parent]);
        let frame = into.pose.inverse() * from.pose;
        let masses = [into.mass, from.mass].map(|mass| mass.map_or(0.0, |mass| mass.mass));
        // The heavier of the two gives the name.
        let nameless = masses[1] > masses[0];
        let why = |mass: f64| if mass > 0.0 { "weighs little" } else { "has no mass" };
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
                format!("{} and is part of `{}`", why(masses[0]), from.name),
            );
            into.name = from.name;
        } else {
            report.note(
                from.place,
                format!("link `{}`", from.name),
                format!("{} and is part of `{}`", why(masses[1]), into.name),
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
