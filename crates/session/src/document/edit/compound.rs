//! Several bodies as one, a compound of their shapes; and a compound as bodies of its parts.
//!
//! ```text
//! part      the place of a body's shape in the frame of the body that stays:  q = Qᵀ qᵢ,  p = Qᵀ (xᵢ − X)
//! mass      M = Σ mᵢ,  centre C = Σ mᵢ cᵢ / M,  inertia Σ (qᵢ Iᵢ qᵢᵀ + mᵢ (dᵢ² 1 − dᵢ dᵢᵀ)),  dᵢ = cᵢ − C
//! motion    V = Σ mᵢ vᵢ / M,  I ω = Σ (Iᵢ ωᵢ + mᵢ dᵢ × vᵢ)          momentum and angular momentum stay
//! ```
//! Bodies of one density need no mass by value: a compound has even density.

use std::collections::HashSet;

use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::{Context, fresh, rename};
use crate::SessionError;
use delassus_physics::joints::{Parameter, Role, RotationVector};
use delassus_physics::shape::{MAX_PARTS, Shape, ShapePart};
use delassus_scene::{Body, DENSITY, Force, ForceFrame, Inertia, Joint, Motion, Rotation, Scene};

/// Lengths below this, m, are rounding of differences.
const HAIR: f32 = 1e-7;

fn refused<T>(why: impl Into<String>) -> Result<T, SessionError> {
    Err(SessionError::Refused(why.into()))
}

/// Makes one body of several. The first one named stays, with its name, its surface and its motion type; joints between
/// them are dropped, those to others lead to the new body. Returns the label.
pub(super) fn merge(scene: &mut Scene, names: &[String], context: &Context<'_>) -> Result<String, SessionError> {
    let mut indices: Vec<usize> = Vec::new();
    for name in names {
        let index = context.body(name)?;
        if !indices.contains(&index) {
            indices.push(index);
        }
    }
    let [first, others @ ..] = indices.as_slice() else { return refused("select at least two bodies to merge") };
    if others.is_empty() {
        return refused("select at least two bodies to merge");
    }
    let bodies: Vec<&Body> = indices.iter().map(|index| &scene.bodies[*index]).collect();
    let whole = merged(&bodies)?;
    let keeper = whole.name.clone();
    let frame = BodyFrame::of(&whole);
    let gone: HashSet<&str> = bodies[1..].iter().map(|body| body.name.as_str()).collect();
    let all = |name: &str| name == keeper || gone.contains(name);
    let (mut joints, mut renamed): (Vec<Option<Joint>>, _) =
        (scene.joints.iter().cloned().map(Some).collect(), Vec::new());
    let mut dropped = 0;
    for (index, slot) in joints.iter_mut().enumerate() {
        let Some(joint) = slot else { continue };
        if all(&joint.a) && all(&joint.b) {
            (*slot, dropped) = (None, dropped + 1);
            continue;
        }
        for end in [0, 1] {
            let name = if end == 0 { &joint.a } else { &joint.b };
            if let Some(body) = bodies[1..].iter().find(|body| body.name == *name) {
                let on_bodies = || (context.on_bodies)(index);
                let before = joint.label();
                lead(joint, end, &keeper, &frame.place(&BodyFrame::of(body)), on_bodies);
                renamed.push((before, joint.label()));
            }
        }
    }
    let removed: HashSet<usize> = others.iter().copied().collect();
    let label = match dropped {
        0 => format!("Merge {} bodies into {keeper}", indices.len()),
        1 => format!("Merge {} bodies into {keeper}, without the joint between them", indices.len()),
        many => format!("Merge {} bodies into {keeper}, without the {many} joints between them", indices.len()),
    };
    scene.bodies[*first] = whole;
    scene.bodies.keep_indices(|index| !removed.contains(&index));
    let kept: HashSet<usize> = (0..joints.len()).filter(|index| joints[*index].is_some()).collect();
    for (index, joint) in joints.into_iter().enumerate() {
        if let Some(joint) = joint.filter(|joint| *joint != scene.joints[index]) {
            scene.joints[index] = joint;
        }
    }
    scene.joints.keep_indices(|index| kept.contains(&index));
    rename_joints(scene, renamed);
    Ok(label)
}

/// Makes bodies of the parts of a compound. The first part keeps the body's name, forces and drag; each joint leads to the
/// part that is nearest to its anchor. Returns the label.
pub(super) fn split(scene: &mut Scene, name: &str, context: &Context<'_>) -> Result<String, SessionError> {
    let index = context.body(name)?;
    let whole = scene.bodies[index].clone();
    let Shape::Compound { parts } = &whole.shape else { return refused(format!("`{name}` is not a compound")) };
    let Some(solid) = whole.shape.solid() else { return refused(format!("the shape of `{name}` has no volume")) };
    let frame = BodyFrame::of(&whole);
    let centre = frame.at + frame.turn * whole.mass_centre.unwrap_or(solid.centroid).as_dvec3();
    let mut names: Vec<String> = vec![name.to_owned()];
    let mut made = Vec::new();
    for (number, (part, piece)) in parts.iter().zip(solid.pieces()).enumerate() {
        let turn = part.rotation.quat().unwrap_or_default();
        let origin = frame.at + frame.turn * part.at.as_dvec3();
        let middle = origin + frame.turn * (turn.as_dquat() * piece.centroid.as_dvec3());
        let spin = whole.angular_velocity;
        let velocity =
            if spin == Vec3::ZERO { whole.velocity } else { whole.velocity + spin.cross((middle - centre).as_vec3()) };
        if number > 0 {
            let taken = |name: &str| context.names.body(name).is_some() || names.iter().any(|other| other == name);
            names.push(fresh(name, taken));
        }
        made.push(Body {
            name: names[number].clone(),
            shape: part.shape.clone(),
            at: origin.as_vec3(),
            rotation: turned(whole.rotation, part.rotation),
            // Even density over the sum of the parts.
            mass: whole.mass.map(|mass| mass * piece.volume / solid.volume),
            mass_centre: None,
            inertia: None,
            velocity: if whole.motion == Motion::Static { Vec3::ZERO } else { velocity },
            forces: if number == 0 { whole.forces.clone() } else { Vec::new() },
            drag: if number == 0 { whole.drag } else { None },
            ..whole.clone()
        });
    }
    let mut renamed = Vec::new();
    for joint_index in 0..scene.joints.len() {
        for end in [0, 1] {
            let joint = &scene.joints[joint_index];
            if *(if end == 0 { &joint.a } else { &joint.b }) != name {
                continue;
            }
            let on_bodies = (context.on_bodies)(joint_index);
            let anchor = |of: &Joint| if end == 0 { of.anchor_a } else { of.anchor_b };
            let Some(at) = on_bodies.as_ref().and_then(anchor) else { continue };
            let distance = |piece: &delassus_physics::shape::Solid| {
                piece.geometry.distance_to_point(&piece.offset, at - solid.centre, true)
            };
            let nearest = (0..made.len())
                .min_by(|a, b| distance(&solid.pieces()[*a]).total_cmp(&distance(&solid.pieces()[*b])))
                .unwrap_or(0);
            let mut joint = joint.clone();
            lead(&mut joint, end, &names[nearest], &BodyFrame::of(&made[nearest]).place(&frame), || on_bodies.clone());
            renamed.push((scene.joints[joint_index].label(), joint.label()));
            scene.joints[joint_index] = joint;
        }
    }
    rename_joints(scene, renamed);
    // The forces of the body act where they did.
    let first = BodyFrame::of(&made[0]).place(&frame);
    let middle = whole.mass_centre.unwrap_or(solid.centroid);
    made[0].forces = made[0].forces.iter().map(|force| carried(force, &first, middle)).collect();
    let count = made.len();
    let mut made = made.into_iter();
    if let Some(body) = made.next() {
        scene.bodies[index] = body;
    }
    made.for_each(|body| scene.bodies.push(body));
    Ok(format!("Split {name} into {count} bodies"))
}

/// Joints without a name are called after their bodies: what refers to them follows.
fn rename_joints(scene: &mut Scene, labels: Vec<(String, String)>) {
    labels.into_iter().filter(|(old, new)| old != new).for_each(|(old, new)| rename::joint(scene, &old, &new));
}

/// Where a body's own frame stands.
struct BodyFrame {
    at: DVec3,
    turn: DQuat,
}

impl BodyFrame {
    fn of(body: &Body) -> Self {
        Self { at: body.at.as_dvec3(), turn: body.rotation.quat().unwrap_or_default().as_dquat().normalize() }
    }

    /// Where another frame stands in this one.
    fn place(&self, other: &Self) -> Self {
        let back = self.turn.conjugate();
        Self { at: back * (other.at - self.at), turn: (back * other.turn).normalize() }
    }

    fn point(&self, point: Vec3) -> Vec3 {
        tidy((self.at + self.turn * point.as_dvec3()).as_vec3())
    }

    fn direction(&self, direction: Vec3) -> Vec3 {
        tidy((self.turn * direction.as_dvec3()).as_vec3())
    }
}

fn tidy(v: Vec3) -> Vec3 {
    v.map(|x| if x.abs() < HAIR { 0.0 } else { x })
}

/// A rotation within another, in the author's form where one of them is none.
fn turned(outer: Rotation, inner: Rotation) -> Rotation {
    let [a, b] = [outer, inner].map(|rotation| rotation.quat().unwrap_or_default());
    if b == Quat::IDENTITY {
        outer
    } else if a == Quat::IDENTITY {
        inner
    } else {
        short(a * b).into()
    }
}

/// The quaternion with its real part positive, without the rounding of angles that are none.
fn short(turn: Quat) -> Quat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let [x, y, z, w] = turn.to_array().map(|x| if x.abs() < HAIR { 0.0 } else { x });
    Quat::from_xyzw(x, y, z, w).normalize()
}

/// Leads an end of a joint to another body; `place` is where the former body's frame stands in that of the other. What
/// is given in the world stays.
fn lead(joint: &mut Joint, end: usize, to: &str, place: &BodyFrame, on_bodies: impl FnOnce() -> Option<Joint>) {
    let is_in_world = [joint.anchor_a, joint.anchor_b, joint.axis_a, joint.axis_b].iter().all(Option::is_none);
    if !is_in_world && let Some(fixed) = on_bodies() {
        *joint = fixed;
    }
    let (name, anchor, axis) = if end == 0 {
        (&mut joint.a, &mut joint.anchor_a, &mut joint.axis_a)
    } else {
        (&mut joint.b, &mut joint.anchor_b, &mut joint.axis_b)
    };
    to.clone_into(name);
    *anchor = anchor.map(|anchor| place.point(anchor));
    *axis = axis.map(|axis| place.direction(axis));
    if end == 0 {
        // Its own axes are given in A's frame.
        for Parameter { role, .. } in joint.kind.parameters() {
            if let Role::Axes(axes) = role {
                let turn = (place.turn.as_quat() * axes.quat()).normalize();
                *axes = RotationVector::of(tidy(turn.to_scaled_axis()));
            }
        }
    }
}

/// A force on a body, seen from a body in whose frame the former's stands at `place`; `middle` is the former's centre of
/// mass, in its own frame, m.
fn carried(force: &Force, place: &BodyFrame, middle: Vec3) -> Force {
    let turn = |v: Vec3| match force.frame {
        ForceFrame::World => v,
        ForceFrame::Body => place.direction(v),
    };
    Force {
        force: turn(force.force),
        torque: turn(force.torque),
        at: Some(place.point(force.at.unwrap_or(middle))),
        ..force.clone()
    }
}

/// Mass properties and motion of a body; in the frame of the merged body, velocities in the world's axes.
struct Share {
    mass: f64,
    centre: DVec3,
    inertia: DMat3,
    velocity: DVec3,
    spin: DVec3,
}

/// The body that several make, without their joints.
fn merged(bodies: &[&Body]) -> Result<Body, SessionError> {
    let keeper = bodies[0];
    if let Some(other) = bodies.iter().find(|body| body.motion != keeper.motion) {
        let names = (&keeper.name, &other.name);
        return refused(format!(
            "`{}` and `{}` do not move in the same way, and one body cannot do both",
            names.0, names.1
        ));
    }
    if let Some(body) = bodies.iter().find(|body| body.particle) {
        return refused(format!("`{}` is a particle, which does not rotate", body.name));
    }
    let frame = BodyFrame::of(keeper);
    let (mut parts, mut shares, mut forces) = (Vec::new(), Vec::new(), Vec::new());
    for body in bodies {
        let Some(solid) = body.shape.solid() else { return refused(format!("`{}` has no volume", body.name)) };
        let place = frame.place(&BodyFrame::of(body));
        let turn = place.turn.as_quat();
        let is_turned = place.turn.angle_between(DQuat::IDENTITY) > 1e-7;
        let rotation = if is_turned { short(turn).into() } else { Rotation::default() };
        let one = [ShapePart::new(body.shape.clone(), Vec3::ZERO)];
        let own = if let Shape::Compound { parts } = &body.shape { &**parts } else { &one };
        parts.extend(own.iter().map(|part| ShapePart {
            shape: part.shape.clone(),
            at: place.point(part.at),
            rotation: turned(rotation, part.rotation),
        }));
        let mass = body.mass.unwrap_or(body.density.unwrap_or(DENSITY) * solid.volume);
        let middle = body.mass_centre.unwrap_or(solid.centroid);
        let inertia = body.inertia.map_or(solid.unit_inertia * mass, |inertia| inertia.matrix());
        let axes = DMat3::from_quat(place.turn);
        shares.push(Share {
            mass: mass.into(),
            centre: place.at + place.turn * middle.as_dvec3(),
            inertia: axes * inertia.as_dmat3() * axes.transpose(),
            velocity: body.velocity.as_dvec3(),
            spin: body.angular_velocity.as_dvec3(),
        });
        forces.extend(body.forces.iter().map(|force| carried(force, &place, middle)));
    }
    if parts.len() > MAX_PARTS {
        return refused(format!("they have {} shapes, and one body has at most {MAX_PARTS}", parts.len()));
    }
    let mut whole = Body { shape: Shape::Compound { parts: parts.into() }, forces, ..keeper.clone() };
    if keeper.motion != Motion::Dynamic {
        return Ok(whole);
    }
    let mass: f64 = shares.iter().map(|share| share.mass).sum();
    let centre = shares.iter().map(|share| share.centre * share.mass).sum::<DVec3>() / mass;
    let parallel = |share: &Share| {
        let d = share.centre - centre;
        let outer = DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        share.inertia + (DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer) * share.mass
    };
    let inertia = shares.iter().map(parallel).fold(DMat3::ZERO, |sum, own| sum + own);
    let is_even = |body: &&Body| body.mass.is_none() && body.mass_centre.is_none() && body.inertia.is_none();
    if !bodies.iter().all(|body| is_even(body) && body.density == keeper.density) {
        (whole.mass, whole.density) = (Some(mass as f32), None);
        whole.mass_centre = Some(tidy(centre.as_vec3()));
        let of = Inertia::of(inertia.as_mat3());
        let least = HAIR * (of.xx + of.yy + of.zz);
        let product = |value: f32| if value.abs() < least { 0.0 } else { value };
        whole.inertia = Some(Inertia { xy: product(of.xy), xz: product(of.xz), yz: product(of.yz), ..of });
    }
    let moves = |share: &Share| share.velocity != DVec3::ZERO || share.spin != DVec3::ZERO;
    if shares.iter().any(moves) {
        let to_world = DMat3::from_quat(frame.turn);
        let world = |tensor: DMat3| to_world * tensor * to_world.transpose();
        let momentum = |share: &Share| share.velocity * share.mass;
        let moment = |share: &Share| {
            let d = frame.turn * (share.centre - centre);
            world(share.inertia) * share.spin + d.cross(momentum(share))
        };
        let angular = shares.iter().map(moment).sum::<DVec3>();
        whole.velocity = tidy((shares.iter().map(momentum).sum::<DVec3>() / mass).as_vec3());
        whole.angular_velocity = tidy((world(inertia).inverse() * angular).as_vec3());
    }
    Ok(whole)
}
