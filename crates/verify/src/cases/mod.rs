//! All cases, one file for each kind. A new case is an entry of a list; a new kind is a file and a line here.

mod beams;
mod bounces;
mod capstan;
mod catenary;
mod collisions;
mod couplings;
mod crank;
mod drives;
mod fall;
mod gyration;
mod gyroscopes;
mod heavy;
mod hulls;
mod joint_drives;
mod limits;
mod linkages;
mod pendulums;
mod rests;
mod rolling;
mod ropes;
mod seams;
mod shafts;
mod sliding;
mod soft;
mod spinning;
mod tables;
mod tipping;
mod whirl;

use super::accuracy_order::AccuracyOrder;
use super::case::{Case, Family};

/// The kinds, in the order of the page.
pub const FAMILIES: &[Family] = &[
    fall::FAMILY,
    whirl::FAMILY,
    pendulums::FAMILY,
    gyration::FAMILY,
    gyroscopes::FAMILY,
    shafts::FAMILY,
    linkages::FAMILY,
    crank::FAMILY,
    drives::FAMILY,
    joint_drives::FAMILY,
    couplings::FAMILY,
    ropes::FAMILY,
    soft::FAMILY,
    limits::FAMILY,
    bounces::FAMILY,
    collisions::FAMILY,
    tipping::FAMILY,
    sliding::FAMILY,
    spinning::FAMILY,
    rolling::FAMILY,
    seams::FAMILY,
    hulls::FAMILY,
    beams::FAMILY,
    catenary::FAMILY,
    capstan::FAMILY,
    tables::FAMILY,
    heavy::FAMILY,
    rests::FAMILY,
];

/// The orders of accuracy that are measured.
pub const ORDERS: &[AccuracyOrder] = &[
    AccuracyOrder {
        case: "pendulum/one-link",
        quantity: "angle after 3 s",
        order: 2.0,
        within: 0.25,
        why: "RATTLE is a leapfrog with joints closed and read at the step's end",
    },
    AccuracyOrder {
        case: "pendulum/three-links",
        quantity: "angle of the last link after 2 s",
        order: 2.0,
        within: 0.25,
        why: "RATTLE is a leapfrog with joints closed and read at the step's end",
    },
];

/// Every case, in order.
pub fn all() -> impl Iterator<Item = &'static Case> {
    FAMILIES.iter().flat_map(|family| family.cases)
}
