//! Eight mechanisms as they lie in memory: node by node, eight lanes a number. What never changes is shared by the
//! copies of a world; what does is read and written once a step.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::articulated::Twist;
use super::closing::Accounts;
use super::joints::{Kind, has_bounds};
use super::lanes::{LANES, Lanes, Vectors, lane, mask, set};
use super::matrices::{Quaternions, Symmetric};
use super::plan::{Member, Shape};
use crate::physics::body::{Body, Velocity};
use crate::physics::copy::copied_by_fields;
use crate::physics::graph::NONE;
use crate::physics::joint::Joint;
use crate::physics::rattle;
use crate::physics::row::SLOTS;
use crate::physics::world::World;

/// Poses and velocities of a node's bodies.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub x: Vectors,
    pub q: Quaternions,
    pub v: Vectors,
    pub w: Vectors,
}

impl State {
    const REST: Self = Self { x: Vectors::ZERO, q: Quaternions::IDENTITY, v: Vectors::ZERO, w: Vectors::ZERO };
}

/// A node's bodies and the joints towards their parents.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The lanes that are not empty; and whether that is all.
    pub present: Lanes,
    pub full: bool,
    /// Whether all joints are balls, and whether all bodies are the second of theirs.
    pub plain: bool,
    pub seconds: bool,
    pub second: Lanes,
    pub mass: Lanes,
    /// The principal moment, where all are equal: see [`Group::round`].
    pub moment: Lanes,
    /// The anchors on the bodies and on their parents, in their own axes.
    pub anchor: Vectors,
    pub above: Vectors,
}

/// What joints ask of the turning, of nodes that are not plain.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    pub ball: Lanes,
    pub hinge: Lanes,
    pub fixed: Lanes,
    /// A hinge's axis in the bodies' axes and in their parents'.
    pub axis: Vectors,
    pub above: Vectors,
    /// The directions of a hinge's rows, in A's axes.
    pub across: [Vectors; 2],
    /// q_p⁻¹ q_c as it was made, inverted.
    pub reference: Quaternions,
}

/// The inertia of bodies that are not round, in their own axes.
#[derive(Debug, Clone, Copy)]
pub struct Tensor {
    pub inertia: Symmetric,
    pub inverse: Symmetric,
}

/// What does not change.
#[derive(Debug)]
pub struct Fixed {
    pub shape: Arc<Shape>,
    pub links: Vec<Link>,
    /// Empty where all joints are balls.
    pub turnings: Vec<Turning>,
    /// Empty where all bodies are round.
    pub tensors: Vec<Tensor>,
    /// Nodes and lanes whose spin turns in its body's axes, whose joints have bounds, and whose joints count turns.
    pub gyrating: Vec<(u32, u32)>,
    pub bounded: Vec<(u32, u32)>,
    pub winding: Vec<(u32, u32)>,
    /// The lanes that hang on something; and whether there are others.
    pub rooted: Lanes,
    pub floats: bool,
    /// The rows of each lane.
    pub rows: [u32; LANES],
    /// The lanes in which there is a mechanism, a bit each.
    pub lanes: u8,
}

/// Eight mechanisms.
#[derive(Debug)]
pub struct Group {
    pub fixed: Arc<Fixed>,
    pub states: Vec<State>,
    /// What the roots hang on.
    pub base: State,
    /// λ along the slots of the joints' anchors, and along those of their axes; the latter empty where all are balls.
    pub anchors: Vec<Vectors>,
    pub axes: Vec<Vectors>,
    /// Angles of what winds, in the order of [`Fixed::winding`], rad.
    pub values: Vec<f32>,
    /// What the joints bore in the last sub-step, on B, world axes, and by what velocity they were wrong; empty where
    /// nobody reads them.
    pub loads: Vec<(Twist, Lanes)>,
    /// Velocities of the middle of the last step, from which the next goes on; empty where what is read is that.
    pub halves: Vec<Twist>,
    pub accounts: Accounts,
    /// The largest velocity by which a joint that was stepped here was wrong, m/s.
    pub residual: f32,
    /// The lanes that the last step has left to others, a bit each, those of the step before, and those that the next
    /// is to leave.
    pub left: u8,
    pub before: u8,
    pub spare: u8,
}

copied_by_fields!(Group {
    fixed,
    states,
    base,
    anchors,
    axes,
    values,
    loads,
    halves,
    accounts,
    residual,
    left,
    before,
    spare
});

/// Whether the principal moments are the same to rounding.
fn is_round(body: &Body) -> bool {
    let moment = body.inertia_local.x_axis.x;
    let off = (body.inertia_local - Mat3::from_diagonal(Vec3::splat(moment))).to_cols_array();
    body.isotropic && off.iter().all(|v| v.abs() <= 1e-7 * moment)
}

impl Fixed {
    fn new(shape: &Arc<Shape>, world: &World) -> Self {
        let body = |member: &Member| (member.body != NONE).then(|| &*world.bodies[member.body as usize]);
        let joint = |member: &Member| (member.joint != NONE).then(|| &*world.joints[member.joint as usize]);
        let kind = |member: &Member| joint(member).and_then(Kind::of).unwrap_or(Kind::Ball);
        let all = || shape.members.iter().flatten();
        let plain = all().all(|member| kind(member) == Kind::Ball);
        let round = all().filter_map(body).all(is_round);
        let places = |wanted: &dyn Fn(&Member) -> bool| {
            let nodes = shape.members.iter().enumerate();
            let lanes = nodes.flat_map(|(node, members)| (0..LANES).map(move |lane| (node, lane, &members[lane])));
            lanes.filter(|(.., member)| wanted(member)).map(|(node, lane, _)| (node as u32, lane as u32)).collect()
        };
        let rooted: [bool; LANES] = std::array::from_fn(|lane| shape.members[0][lane].joint != NONE);
        let rows = std::array::from_fn(|lane| {
            let joints = shape.members.iter().filter_map(|members| joint(&members[lane]));
            joints.map(|joint| Kind::of(joint).map_or(0, Kind::rows)).sum()
        });
        Self {
            links: shape.members.iter().map(|members| link(members, world)).collect(),
            turnings: if plain { Vec::new() } else { shape.members.iter().map(|m| turning(m, world)).collect() },
            tensors: if round { Vec::new() } else { shape.members.iter().map(|m| tensor(m, world)).collect() },
            gyrating: places(&|member| body(member).is_some_and(|body| !body.isotropic)),
            bounded: places(&|member| joint(member).is_some_and(|joint| has_bounds(&joint.def.kind))),
            winding: places(&|member| joint(member).is_some_and(|joint| joint.def.kind.info().winds)),
            rooted: mask(rooted),
            floats: rooted.contains(&false),
            rows,
            lanes: (0..LANES).fold(0, |lanes, lane| lanes | u8::from(shape.members[0][lane].body != NONE) << lane),
            shape: shape.clone(),
        }
    }
}

/// Of a joint the anchors, axes and rest of a node's body and its parent.
fn ends(joint: &Joint, second: bool) -> ([Vec3; 2], [Vec3; 2], Quat) {
    let def = &joint.def;
    if second {
        ([def.anchor_b, def.anchor_a], [def.axis_b, def.axis_a], joint.reference)
    } else {
        ([def.anchor_a, def.anchor_b], [def.axis_a, def.axis_b], joint.reference.inverse())
    }
}

fn link(members: &[Member; LANES], world: &World) -> Link {
    let of = |test: &dyn Fn(&Member) -> bool| mask(std::array::from_fn(|lane| test(&members[lane])));
    let present = |member: &Member| member.body != NONE;
    let mut link = Link {
        present: of(&present),
        full: members.iter().all(present),
        plain: members
            .iter()
            .all(|member| member.joint == NONE || Kind::of(&world.joints[member.joint as usize]) == Some(Kind::Ball)),
        seconds: members.iter().all(|member| member.second),
        second: of(&|member| member.second),
        mass: Lanes::ONE,
        moment: Lanes::ONE,
        anchor: Vectors::ZERO,
        above: Vectors::ZERO,
    };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| present(member)) {
        let body = &world.bodies[member.body as usize];
        set(&mut link.mass, lane, body.mass);
        set(&mut link.moment, lane, body.inertia_local.x_axis.x);
        if member.joint != NONE {
            let ([anchor, above], ..) = ends(&world.joints[member.joint as usize], member.second);
            link.anchor.set(lane, anchor);
            link.above.set(lane, above);
        }
    }
    link
}

fn turning(members: &[Member; LANES], world: &World) -> Turning {
    let kinds: [Kind; LANES] = std::array::from_fn(|lane| {
        let joint = members[lane].joint;
        if joint == NONE { Kind::Ball } else { Kind::of(&world.joints[joint as usize]).unwrap_or(Kind::Ball) }
    });
    let of = |wanted: Kind| mask(kinds.map(|kind| kind == wanted));
    let mut turning = Turning {
        ball: of(Kind::Ball),
        hinge: of(Kind::Hinge),
        fixed: of(Kind::Fixed),
        axis: Vectors::splat(Vec3::X),
        above: Vectors::splat(Vec3::X),
        across: [Vectors::ZERO; 2],
        reference: Quaternions::IDENTITY,
    };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| member.joint != NONE) {
        let (_, [axis, above], reference) = ends(&world.joints[member.joint as usize], member.second);
        turning.axis.set(lane, axis);
        turning.above.set(lane, above);
        if kinds[lane] == Kind::Hinge {
            let (u, v) = world.joints[member.joint as usize].def.axis_a.any_orthonormal_pair();
            turning.across[0].set(lane, u);
            turning.across[1].set(lane, v);
        }
        turning.reference.set(lane, reference.inverse());
    }
    turning
}

fn tensor(members: &[Member; LANES], world: &World) -> Tensor {
    let mut tensor = Tensor { inertia: Symmetric::scalar(Lanes::ONE), inverse: Symmetric::scalar(Lanes::ONE) };
    for (lane, member) in members.iter().enumerate().filter(|(_, member)| member.body != NONE) {
        let body = &world.bodies[member.body as usize];
        tensor.inertia.set(lane, &body.inertia_local);
        tensor.inverse.set(lane, &body.inv_inertia_local);
    }
    tensor
}

impl Group {
    /// At rest, until it is loaded.
    pub fn new(shape: &Arc<Shape>, world: &World) -> Self {
        let fixed = Fixed::new(shape, world);
        let nodes = shape.parents.len();
        Self {
            states: vec![State::REST; nodes],
            base: State::REST,
            anchors: vec![Vectors::ZERO; nodes],
            axes: vec![Vectors::ZERO; if fixed.turnings.is_empty() { 0 } else { nodes }],
            values: vec![0.0; fixed.winding.len()],
            loads: Vec::new(),
            residual: 0.0,
            halves: Vec::new(),
            accounts: Accounts::default(),
            left: 0,
            before: 0,
            spare: 0,
            fixed: Arc::new(fixed),
        }
    }

    /// Whether all bodies have equal principal moments.
    pub fn round(&self) -> bool {
        self.fixed.tensors.is_empty()
    }

    /// Takes over what a world holds, in the lanes of `wanted`. `middle` are the velocities of the middle of the last
    /// step and those that were left for reading, if there are such.
    pub fn load(
        &mut self,
        wanted: u8,
        (bodies, velocities, joints): (&[Box<Body>], &[Velocity], &[Box<Joint>]),
        middle: Option<(&[Velocity], &[Velocity])>,
    ) {
        let Self { fixed, states, base, anchors, axes, values, halves, .. } = self;
        halves.resize(if middle.is_some() { states.len() } else { 0 }, Twist::ZERO);
        for (node, members) in fixed.shape.members.iter().enumerate() {
            for (lane, member) in members.iter().enumerate().filter(|(lane, _)| wanted >> lane & 1 == 1) {
                if member.body == NONE {
                    continue;
                }
                let (body, velocity) = (&bodies[member.body as usize], &velocities[member.body as usize]);
                let state = &mut states[node];
                state.x.set(lane, body.position);
                state.q.set(lane, body.rotation);
                state.v.set(lane, velocity.linear.into());
                state.w.set(lane, velocity.angular.into());
                if let Some((half, left)) = middle {
                    let (half, left) = (&half[member.body as usize], &left[member.body as usize]);
                    let goes_on = rattle::resumed(velocity, half, left);
                    halves[node].v.set(lane, goes_on.linear.into());
                    halves[node].w.set(lane, goes_on.angular.into());
                }
                if member.joint == NONE {
                    continue;
                }
                let joint = &joints[member.joint as usize];
                let [x, y, z, u, v, w, ..] = joint.impulses;
                anchors[node].set(lane, Vec3::new(x, y, z));
                if !axes.is_empty() {
                    axes[node].set(lane, Vec3::new(u, v, w));
                }
                if node == 0 {
                    let above = &bodies[(if member.second { joint.def.a } else { joint.def.b }) as usize];
                    base.x.set(lane, above.position);
                    base.q.set(lane, above.rotation);
                }
            }
        }
        for ((node, lane), value) in fixed.winding.iter().zip(values) {
            if wanted >> lane & 1 == 1 {
                *value = joints[fixed.shape.members[*node as usize][*lane as usize].joint as usize].readout.value;
            }
        }
    }

    /// Hands a body its pose and velocity.
    pub fn store(&self, (node, lane): (usize, usize), body: &mut Body, velocity: &mut Velocity) {
        let state = &self.states[node];
        (body.position, body.rotation) = (state.x.lane(lane), state.q.lane(lane));
        *velocity = Velocity { linear: state.v.lane_a(lane), angular: state.w.lane_a(lane) };
        body.refresh_inertia();
    }

    /// The velocity of the middle of the last step, and that which is read.
    pub fn middle(&self, (node, lane): (usize, usize)) -> (Velocity, Velocity) {
        let velocity = |v: &Vectors, w: &Vectors| Velocity { linear: v.lane_a(lane), angular: w.lane_a(lane) };
        let (state, half) = (&self.states[node], self.halves.get(node));
        let left = velocity(&state.v, &state.w);
        (half.map_or(left, |half| velocity(&half.v, &half.w)), left)
    }

    /// Hands a joint its impulses; those of bounds are nothing here.
    pub fn store_joint(&self, (node, lane): (usize, usize), joint: &mut Joint) {
        joint.impulses = [0.0; SLOTS];
        joint.impulses[..3].copy_from_slice(&self.anchors[node].lane(lane).to_array());
        if !self.axes.is_empty() {
            let held = match Kind::of(joint) {
                Some(Kind::Hinge) => 2,
                Some(Kind::Fixed) => 3,
                _ => 0,
            };
            joint.impulses[3..3 + held].copy_from_slice(&self.axes[node].lane(lane).to_array()[..held]);
        }
        let place = (node as u32, lane as u32);
        if let Ok(index) = self.fixed.winding.binary_search(&place) {
            joint.readout.value = self.values[index];
        }
    }

    /// What a joint bore in the last sub-step, on B, N·s and N·m·s, and by what velocity it was wrong.
    pub fn load_of(&self, (node, at): (usize, usize)) -> (Vec3, Vec3, f32) {
        let Some((load, residual)) = self.loads.get(node) else { return (Vec3::ZERO, Vec3::ZERO, 0.0) };
        (load.v.lane(at), load.w.lane(at), lane(residual, at))
    }
}
