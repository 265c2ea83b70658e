//! The body of a link: one shape, its mass, its mass centre and its inertia.
//!
//! A link with several shapes is a compound of them, in the link's frame. A single box, ball, capsule or cylinder keeps its
//! own frame, in which the mass centre and the inertia are then given.

use delassus_physics::body::Motion;
use delassus_physics::force::Drag;
use delassus_physics::inertia::{Inertia, Principal};
use delassus_physics::shape::{MAX_PARTS, Shape, ShapePart};
use delassus_scene::Body;
use glam::{DVec3, Quat};

use super::names::Names;
use crate::frame::Frame;
use crate::model::{Freedom, Link, LinkShape, Mass, Model, WORLD};
use crate::report::Report;
use crate::shapes::{self, Form};

/// A body, and the link that it stands for.
#[derive(Debug, Clone)]
pub struct LinkBody {
    pub link: usize,
    pub body: Body,
    /// Its shapes that touch something, in the link's frame.
    pub touching: Vec<LinkShape>,
}

impl LinkBody {
    /// MJCF's `contype` and `conaffinity` of its shapes, together.
    pub fn bits(&self) -> (u32, u32) {
        self.touching.iter().fold((0, 0), |(a, b), shape| (a | shape.bits.0, b | shape.bits.1))
    }
}

/// Radius of a link that has no shape and no extent, m.
const DOT: f32 = 0.01;

/// Adds the bodies of a link: one; or for the scenery one for each shape; or none for a part of the world without shape.
pub fn of_link(model: &Model, number: usize, names: &mut Names, made: &mut Vec<LinkBody>, report: &Report) {
    let link = &model.links[number];
    if link.fixed && link.shapes.is_empty() {
        return;
    }
    if link.scenery {
        for shape in &link.shapes {
            let name =
                shape.name.clone().unwrap_or_else(|| if number == WORLD { "ground".into() } else { link.name.clone() });
            let part = Link { name, shapes: vec![shape.clone()], ..link.clone() };
            made.push(body(&part, number, names, report));
        }
        return;
    }
    made.push(body(link, number, names, report));
}

/// Damping of a free joint resists in all directions: it is drag.
pub fn drag(model: &Model, made: &mut [LinkBody]) {
    for joint in model.joints.iter().filter(|joint| joint.freedom == Freedom::All && joint.damping > 0.0) {
        let damping = joint.damping as f32;
        let own = made.iter_mut().find(|made| made.link == joint.child);
        own.into_iter().for_each(|made| {
            made.body.drag = Some(Drag { linear: damping, quadratic: 0.0, angular: damping });
        });
    }
}

fn body(link: &Link, number: usize, names: &mut Names, report: &Report) -> LinkBody {
    let title = format!("link `{}`", link.name);
    let touching: Vec<&LinkShape> = link.shapes.iter().filter(|shape| shape.collides).collect();
    let collide = !touching.is_empty();
    let used = if collide { touching } else { link.shapes.iter().collect() };
    let seen = link.shapes.len() - used.len();
    if seen > 0 {
        report.note(link.place, "visual shapes", "are left out where a link has others for collisions");
    }
    if !collide && !used.is_empty() {
        report.note(
            link.place,
            title.clone(),
            "has no shape for collisions: its visual shape is shown, but touches nothing",
        );
    }
    let (frame, shape) = match used.as_slice() {
        [] if link.light => (Frame::IDENTITY, Shape::Sphere { radius: DOT }),
        [] => {
            let what = "get a box of their mass and inertia, which is shown but touches nothing";
            report.note(link.place, "links without a shape", what);
            equivalent(link.mass.as_ref())
        }
        [one] if one.form.is_primitive() => (one.frame, one.form.shape()),
        several @ [_, _, ..] if several.len() <= MAX_PARTS => {
            let what = format!("its {} shapes are a compound: one body that touches with each of them", several.len());
            report.note(link.place, title.clone(), what);
            (Frame::IDENTITY, compound(several, link, report))
        }
        several => {
            let all = several.iter().flat_map(|s| s.form.points().into_iter().map(|point| s.frame.point(point)));
            let (corners, short) = shapes::corners(&all.collect::<Vec<_>>());
            if let [_, _, ..] = several {
                let short =
                    if short > 1e-5 { format!(", short of it by up to {:.2} mm", short * 1e3) } else { String::new() };
                let what = format!(
                    "its {} shapes become one, their convex hull{short}: a compound has at most {MAX_PARTS} parts",
                    several.len()
                );
                report.note(link.place, title.clone(), what);
            }
            (Frame::IDENTITY, shapes::hull(&corners))
        }
    };
    let (frame, shape) = match shape.solid() {
        Some(_) => (frame, shape),
        None => {
            report.note(link.place, title, "its shape encloses nothing: a box of its mass and inertia replaces it");
            equivalent(link.mass.as_ref())
        }
    };
    let pose = link.pose * frame;
    let mut body = Body::new(names.unique(&link.name), shape, pose.origin.as_vec3());
    body.rotation = short(pose.turn.as_quat()).into();
    body.collide = collide;
    body.friction = used.iter().filter_map(|shape| shape.friction).reduce(f64::max).map(|friction| friction as f32);
    if link.fixed {
        body.motion = Motion::Static;
    } else if let Some(mass) = &link.mass {
        let Mass { mass, centre, inertia } = crate::inertia::seen(&frame.inverse(), mass);
        body.mass = Some(mass as f32);
        // Rounding of frames leaves digits far below those that files have.
        let tiny = 1e-9 * (1.0 + link.pose.origin.length());
        body.mass_centre = Some(centre.as_vec3().map(|x| if f64::from(x).abs() < tiny { 0.0 } else { x }));
        let diagonal = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
        let product = |value: f32| if f64::from(value).abs() < 1e-9 * diagonal { 0.0 } else { value };
        body.inertia = (diagonal > 0.0).then(|| {
            let of = Inertia::of(inertia.as_mat3());
            Inertia { xy: product(of.xy), xz: product(of.xz), yz: product(of.yz), ..of }
        });
    }
    let touching = used.into_iter().filter(|shape| shape.collides).cloned().collect();
    LinkBody { link: number, body, touching }
}

/// The shapes of a link as one, in the link's frame; without those that enclose nothing.
fn compound(shapes: &[&LinkShape], link: &Link, report: &Report) -> Shape {
    let part = |of: &&LinkShape| {
        let shape = of.form.shape();
        if shape.solid().is_none() {
            let title = format!("link `{}`", link.name);
            report.note(link.place, title, "a shape of it encloses nothing, and is left out");
            return None;
        }
        let rotation = short(of.frame.turn.as_quat()).into();
        Some(ShapePart { shape, at: of.frame.origin.as_vec3(), rotation })
    };
    Shape::Compound { parts: shapes.iter().filter_map(part).collect() }
}

/// The quaternion with its real part positive, and without the rounding of angles that are none.
fn short(turn: Quat) -> Quat {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let [x, y, z, w] = turn.to_array().map(|x| if x.abs() < 1e-9 { 0.0 } else { x });
    Quat::from_xyzw(x, y, z, w)
}

/// The box of even density that has this mass and inertia, in the link's frame; a ball without an inertia.
fn equivalent(mass: Option<&Mass>) -> (Frame, Shape) {
    let dot = (Frame::at(mass.map_or(DVec3::ZERO, |mass| mass.centre)), Shape::Sphere { radius: DOT });
    let Some(mass) = mass else { return dot };
    let principal = Principal::of(&(mass.inertia * (1.0 / mass.mass)).as_mat3());
    let half = principal.equivalent_box(1.0);
    let longest = half.max_element();
    if !(longest > 1e-4 && longest < 100.0) {
        return dot;
    }
    let frame = Frame { origin: mass.centre, turn: principal.axes.as_dquat() };
    (frame, Shape::Box { half: half.max(glam::Vec3::splat(0.02 * longest)) })
}

/// The lowest z of a form in a frame of the world, m.
pub fn lowest(frame: &Frame, form: &Form) -> f64 {
    frame.origin.z - form.reach(frame.turn.inverse() * DVec3::NEG_Z)
}
