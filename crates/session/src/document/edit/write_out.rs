//! Writes bodies and joints of a world as separate document entries. Used when a member of a pattern or part no
//! longer matches the pattern.

use std::collections::HashSet;

use glam::{Mat3, Vec3};

use crate::names::Names;
use delassus_physics::force::Drag;
use delassus_physics::joint::{Joint as WorldJoint, OwnOptions};
use delassus_physics::world::World;
use delassus_scene::{Body, EndPlaces, Inertia, Joint, JointPlaces, Origin, Scene, WORLD};

/// Body `id` of a world as a separate entry, with its pose and velocity in `world`.
pub(crate) fn body(names: &Names, world: &World, id: usize) -> Body {
    let (body, velocity) = (&world.state.bodies[id], &world.state.velocities[id]);
    let driven = world.model.movers.iter().find(|driven| driven.body as usize == id);
    // The world's mover gives the path of the centre of mass, the document's that of the shape's origin.
    let to_origin = body.rotation * -body.solid.centre;
    let mover = driven.map(|driven| driven.mover.carried(|v| v, |p| p + to_origin));
    let forced = world.model.forces.iter().find(|own| own.body as usize == id);
    let forces = forced.map_or(&[][..], |own| &own.forces).iter();
    let unless_driven = |velocity: glam::Vec3A| if driven.is_some() { Vec3::ZERO } else { velocity.into() };
    let particle = body.is_dynamic() && body.inv_inertia == Mat3::ZERO;
    // All fields are listed by name so that none is forgotten.
    Body {
        name: names.bodies[id - 1].to_string(),
        shape: body.solid.shape.clone(),
        at: body.shape_origin(),
        rotation: body.rotation.into(),
        motion: body.motion,
        mass: body.is_dynamic().then_some(body.mass),
        density: None,
        mass_centre: Some(body.solid.centre).filter(|centre| *centre != body.solid.centroid),
        inertia: (body.is_dynamic() && !particle).then(|| body.inertia_by_value().map(Inertia::of)).flatten(),
        velocity: unless_driven(velocity.linear),
        angular_velocity: unless_driven(velocity.angular),
        material: None,
        friction: Some(body.material.friction),
        restitution: Some(body.material.restitution).filter(|v| *v != 0.0),
        rolling: Some(body.material.rolling).filter(|v| *v != 0.0),
        soft: body.material.soft,
        collide: body.collide,
        groups: body.filter.groups,
        mask: body.filter.mask,
        particle,
        plane: world.state.planes.iter().find(|plane| plane.body as usize == id).map(|plane| plane.normal),
        mover,
        forces: forces.map(|force| force.carried(|v| v, body.solid.centre)).collect(),
        drag: forced.map(|own| own.drag).filter(|drag| *drag != Drag::default()),
    }
}

/// Joint `index` of a world as a separate entry, its ends in the bodies' shape frames.
pub(crate) fn joint(names: &Names, world: &World, index: usize) -> Joint {
    let joint = &world.state.joints[index];
    let name = |id: u32| id.checked_sub(1).map_or(WORLD, |i| &*names.bodies[i as usize]);
    let OwnOptions { breaks, stabilization, soft, by_time } = (*joint.def.options).clone();
    // All fields are listed by name so that none is forgotten.
    let mut doc = Joint {
        name: String::new(),
        a: name(joint.def.a).into(),
        b: name(joint.def.b).into(),
        anchor: None,
        anchor_a: None,
        anchor_b: None,
        axis: None,
        axis_a: None,
        axis_b: None,
        kind: joint.def.kind,
        collide: joint.def.collide,
        breaks,
        stabilization,
        soft,
        by_time,
    };
    if *names.joints[index] != *doc.label() {
        doc.name = names.joints[index].to_string();
    }
    on_bodies(&mut doc, joint, world);
    doc
}

/// Sets a joint's ends in the bodies' shape frames, where they stay when poses change.
pub(crate) fn on_bodies(doc: &mut Joint, joint: &WorldJoint, world: &World) {
    let (a, b) = (&world.state.bodies[joint.def.a as usize], &world.state.bodies[joint.def.b as usize]);
    let def = &joint.def;
    let JointPlaces { common, a: on_a, b: on_b } = doc.places_mut();
    common.clear();
    for (EndPlaces { anchor, axis }, point, direction) in
        [(on_a, def.anchor_a + a.solid.centre, def.axis_a), (on_b, def.anchor_b + b.solid.centre, def.axis_b)]
    {
        *anchor = Some(point);
        if def.kind.info().axis {
            *axis = Some(direction);
        }
    }
}

/// Whether the bodies and joints of an element have no entries of their own: those of a pattern or part.
pub(crate) fn is_many(origin: &Origin) -> bool {
    matches!(origin, Origin::Pattern(_) | Origin::Part(_))
}

/// Removes the patterns and parts `gone` from a scene; their bodies and joints must have been written out before.
pub(crate) fn dissolve(scene: &mut Scene, gone: &HashSet<Origin>) {
    scene.patterns.keep_indices(|i| !gone.contains(&Origin::Pattern(i)));
    scene.parts.keep_indices(|i| !gone.contains(&Origin::Part(i)));
}

/// A scene with these patterns and parts written out as separate entries, at their initial poses. `beginning` is the
/// world made from the scene, `names` the names of its bodies and joints.
pub(crate) fn write_out(scene: &Scene, beginning: &World, names: &Names, gone: &HashSet<Origin>) -> Scene {
    let mut scene = scene.clone();
    let bodies = names.origins.iter().enumerate().filter(|(_, origin)| gone.contains(origin));
    scene.bodies.extend(bodies.map(|(i, _)| body(names, beginning, i + 1)));
    let joints = names.joint_origins.iter().enumerate().filter(|(_, origin)| gone.contains(origin));
    let joints: Vec<Joint> = joints.map(|(i, _)| joint(names, beginning, i)).collect();
    // Joints of patterns and parts come before the document's own, which keeps the solving order.
    scene.joints.prepend(joints);
    dissolve(&mut scene, gone);
    scene
}
