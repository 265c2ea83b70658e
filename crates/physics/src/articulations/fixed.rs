//! The part of a group that no step changes: masses, anchors, axes, and which lanes have which joints.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::joints::{TreeJoint, has_bounds};
use super::lane_plan::{GroupShape, TreeMember};
use crate::body::Body;
use crate::graph::NONE;
use crate::joint::Joint;
use crate::kernel::lanes::{LANES, Lanes, Quaternions, Symmetric, Vectors, mask, set};
use crate::world::state::State;

/// The bodies of a node and the joints to their parents, by lane.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The lanes that have a body; and whether all have one.
    pub present: Lanes,
    pub full: bool,
    /// Whether all joints are balls; whether all bodies are their joint's second body (B). `second`: the same by
    /// lane.
    pub plain: bool,
    pub seconds: bool,
    pub second: Lanes,
    /// kg.
    pub mass: Lanes,
    /// The principal moment of inertia, kg·m², valid if all are equal: see
    /// [`MechanismGroup::round`](super::group::Group::round).
    pub moment: Lanes,
    /// The anchors on the bodies and on their parents, body frames, m.
    pub anchor: Vectors,
    pub above: Vectors,
}

/// Angular constraints of a node whose joints are not all balls. The first three are lane masks.
#[derive(Debug, Clone, Copy)]
pub struct AngularConstraint {
    pub ball: Lanes,
    pub hinge: Lanes,
    pub fixed: Lanes,
    /// A hinge's axis in the body's frame and in its parent's, unit.
    pub axis: Vectors,
    pub above: Vectors,
    /// The directions of a hinge's two angular rows, A's frame, unit.
    pub across: [Vectors; 2],
    /// Inverse of the rest orientation q_p⁻¹ q_c of the child relative to its parent.
    pub reference: Quaternions,
}

/// Inertia tensors, kg·m², and their inverses, body frame; used if some body's moments are not all equal.
#[derive(Debug, Clone, Copy)]
pub struct Tensor {
    pub inertia: Symmetric,
    pub inverse: Symmetric,
}

/// A group's topology and constants.
#[derive(Debug)]
pub struct GroupConstants {
    pub shape: Arc<GroupShape>,
    pub links: Vec<Link>,
    /// By node; empty if all joints are balls.
    pub angular: Vec<AngularConstraint>,
    /// By node; empty if all bodies have equal principal moments.
    pub tensors: Vec<Tensor>,
    /// (node, lane) of the bodies with a gyroscopic term, of the joints with bounds, and of the joints whose angle
    /// counts turns.
    pub gyroscopic_bodies: Vec<(u32, u32)>,
    pub bounded: Vec<(u32, u32)>,
    pub unwrapped: Vec<(u32, u32)>,
    /// The lanes whose root is joined to the world; and whether any lane is not.
    pub rooted: Lanes,
    pub floats: bool,
    /// Number of rows of each lane's mechanism.
    pub rows: [u32; LANES],
    /// Bit mask of the lanes that have a mechanism.
    pub lanes: u8,
}

/// Whether the principal moments are equal to rounding.
fn is_round(body: &Body) -> bool {
    let moment = body.inertia_local.x_axis.x;
    let off = (body.inertia_local - Mat3::from_diagonal(Vec3::splat(moment))).to_cols_array();
    body.isotropic && off.iter().all(|v| v.abs() <= 1e-7 * moment)
}

impl GroupConstants {
    pub fn new(shape: &Arc<GroupShape>, state: &State) -> Self {
        let body = |member: &TreeMember| (member.body != NONE).then(|| &*state.bodies[member.body as usize]);
        let joint = |member: &TreeMember| (member.joint != NONE).then(|| &*state.joints[member.joint as usize]);
        let kind = |member: &TreeMember| joint(member).and_then(TreeJoint::of).unwrap_or(TreeJoint::Ball);
        let all = || shape.members.iter().flatten();
        let plain = all().all(|member| kind(member) == TreeJoint::Ball);
        let round = all().filter_map(body).all(is_round);
        let places = |wanted: &dyn Fn(&TreeMember) -> bool| {
            let nodes = shape.members.iter().enumerate();
            let lanes = nodes.flat_map(|(node, members)| (0..LANES).map(move |lane| (node, lane, &members[lane])));
            lanes.filter(|(.., member)| wanted(member)).map(|(node, lane, _)| (node as u32, lane as u32)).collect()
        };
        let rooted: [bool; LANES] = std::array::from_fn(|lane| shape.members[0][lane].joint != NONE);
        let rows = std::array::from_fn(|lane| {
            let joints = shape.members.iter().filter_map(|members| joint(&members[lane]));
            joints.map(|joint| TreeJoint::of(joint).map_or(0, TreeJoint::rows)).sum()
        });
        Self {
            links: shape.members.iter().map(|members| link(members, state)).collect(),
            angular: if plain { Vec::new() } else { shape.members.iter().map(|m| constraint(m, state)).collect() },
            tensors: if round { Vec::new() } else { shape.members.iter().map(|m| tensor(m, state)).collect() },
            gyroscopic_bodies: places(&|member| body(member).is_some_and(|body| !body.isotropic)),
            bounded: places(&|member| joint(member).is_some_and(|joint| has_bounds(&joint.def.kind))),
            unwrapped: places(&|member| joint(member).is_some_and(|joint| joint.def.kind.info().winds)),
            rooted: mask(rooted),
            floats: rooted.contains(&false),
            rows,
            lanes: (0..LANES).fold(0, |lanes, lane| lanes | u8::from(shape.members[0][lane].body != NONE) << lane),
            shape: shape.clone(),
        }
    }
}

/// Anchors, axes and rest orientation of a joint, the node's body first, then its parent; `second`: the body is B.
fn ends(joint: &Joint, second: bool) -> ([Vec3; 2], [Vec3; 2], Quat) {
    let def = &joint.def;
    if second {
        ([def.anchor_b, def.anchor_a], [def.axis_b, def.axis_a], joint.reference)
    } else {
        ([def.anchor_a, def.anchor_b], [def.axis_a, def.axis_b], joint.reference.inverse())
    }
}

fn link(members: &[TreeMember; LANES], state: &State) -> Link {
    let lanes_where = |test: &dyn Fn(&TreeMember) -> bool| mask(std::array::from_fn(|lane| test(&members[lane])));
    let present = |member: &TreeMember| member.body != NONE;
    let mut link = Link {
        present: lanes_where(&present),
        full: members.iter().all(present),
        plain: members.iter().all(|member| {
            member.joint == NONE || TreeJoint::of(&state.joints[member.joint as usize]) == Some(TreeJoint::Ball)
        }),
        seconds: members.iter().all(|member| member.second),
        second: lanes_where(&|member| member.second),
        mass: Lanes::ONE,
        moment: Lanes::ONE,
        anchor: Vectors::ZERO,
        above: Vectors::ZERO,
    };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| present(member)) {
        let body = &state.bodies[member.body as usize];
        set(&mut link.mass, lane, body.mass);
        set(&mut link.moment, lane, body.inertia_local.x_axis.x);
        if member.joint != NONE {
            let ([anchor, above], ..) = ends(&state.joints[member.joint as usize], member.second);
            link.anchor.set(lane, anchor);
            link.above.set(lane, above);
        }
    }
    link
}

fn constraint(members: &[TreeMember; LANES], state: &State) -> AngularConstraint {
    let kinds: [TreeJoint; LANES] = std::array::from_fn(|lane| {
        let joint = members[lane].joint;
        if joint == NONE {
            TreeJoint::Ball
        } else {
            TreeJoint::of(&state.joints[joint as usize]).unwrap_or(TreeJoint::Ball)
        }
    });
    let lanes_of = |wanted: TreeJoint| mask(kinds.map(|kind| kind == wanted));
    let mut constraint = AngularConstraint {
        ball: lanes_of(TreeJoint::Ball),
        hinge: lanes_of(TreeJoint::Hinge),
        fixed: lanes_of(TreeJoint::Fixed),
        axis: Vectors::splat(Vec3::X),
        above: Vectors::splat(Vec3::X),
        across: [Vectors::ZERO; 2],
        reference: Quaternions::IDENTITY,
    };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| member.joint != NONE) {
        let (_, [axis, above], reference) = ends(&state.joints[member.joint as usize], member.second);
        constraint.axis.set(lane, axis);
        constraint.above.set(lane, above);
        if kinds[lane] == TreeJoint::Hinge {
            let (u, v) = state.joints[member.joint as usize].def.axis_a.any_orthonormal_pair();
            constraint.across[0].set(lane, u);
            constraint.across[1].set(lane, v);
        }
        constraint.reference.set(lane, reference.inverse());
    }
    constraint
}

fn tensor(members: &[TreeMember; LANES], state: &State) -> Tensor {
    let mut tensor = Tensor { inertia: Symmetric::scalar(Lanes::ONE), inverse: Symmetric::scalar(Lanes::ONE) };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| member.body != NONE) {
        let body = &state.bodies[member.body as usize];
        tensor.inertia.set(lane, &body.inertia_local);
        tensor.inverse.set(lane, &body.inv_inertia_local);
    }
    tensor
}
