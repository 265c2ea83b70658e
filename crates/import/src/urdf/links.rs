//! Reads the links of a URDF file: their shapes and masses.

use delassus_scene::Mistake;
use glam::{DMat3, DVec3};

use super::origin;
use crate::frame::Frame;
use crate::meshes::Meshes;
use crate::model::{Link, LinkShape, Mass};
use crate::report::Report;
use crate::shapes::Form;
use crate::xml::Element;

pub fn world(root: Element<'_>, is_root: bool, meshes: &Meshes<'_>, report: &Report) -> Result<Link, Mistake> {
    let mut shapes = if is_root { link(root, Frame::IDENTITY, meshes, report)?.shapes } else { Vec::new() };
    if shapes.iter().any(|shape| shape.collides) {
        shapes.retain(|shape| shape.collides);
    }
    // Each is a body of its own, which what moves touches.
    shapes.iter_mut().for_each(|shape| shape.name = Some("world".into()));
    let scenery = is_root;
    Ok(Link {
        name: "world".into(),
        place: root.place(),
        pose: Frame::IDENTITY,
        mass: None,
        shapes,
        fixed: true,
        scenery,
        light: false,
    })
}

pub fn link(element: Element<'_>, pose: Frame, meshes: &Meshes<'_>, report: &Report) -> Result<Link, Mistake> {
    let mut shapes = Vec::new();
    for (kind, collides) in [("collision", true), ("visual", false)] {
        for shape in element.all(kind) {
            shape.text("name");
            let frame = origin(shape)?;
            let Some(geometry) = shape.one("geometry") else {
                return Err(element.mistake(format!("a <{kind}> without <geometry>, line {}", shape.place().line)));
            };
            let Some(form) = form(geometry, meshes, report)? else { continue };
            shapes.push(LinkShape {
                name: None,
                frame,
                form,
                collides,
                friction: None,
                frictionless: false,
                bits: (1, 1),
            });
        }
    }
    let mass = match element.one("inertial") {
        Some(inertial) => mass(element, inertial)?,
        None => None,
    };
    let name = element.needed("name")?.to_owned();
    Ok(Link { name, place: element.place(), pose, mass, shapes, fixed: false, scenery: false, light: false })
}

/// The mass of an `inertial`; `None` if it is zero.
fn mass(link: Element<'_>, inertial: Element<'_>) -> Result<Option<Mass>, Mistake> {
    let frame = origin(inertial)?;
    let wrong = |what: String| Mistake { what: format!("{}: {what}", link.title()), ..inertial.mistake("") };
    let mass = match inertial.one("mass") {
        Some(mass) => mass.number("value")?.ok_or_else(|| wrong("<mass> has no `value`".into()))?,
        None => 0.0,
    };
    if mass < 0.0 {
        return Err(wrong(format!("the mass must not be negative, {mass} kg")));
    }
    let mut inertia = DMat3::ZERO;
    if let Some(element) = inertial.one("inertia") {
        let read = |name: &str| element.number(name).map(Option::unwrap_or_default);
        let [xx, yy, zz] = [read("ixx")?, read("iyy")?, read("izz")?];
        let [xy, xz, yz] = [read("ixy")?, read("ixz")?, read("iyz")?];
        inertia = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    }
    Ok((mass > 0.0).then(|| Mass { mass, centre: frame.origin, inertia: frame.tensor(inertia) }))
}

/// The form of a `geometry`. `None`, and a note, if there is none that can be taken.
fn form(geometry: Element<'_>, meshes: &Meshes<'_>, report: &Report) -> Result<Option<Form>, Mistake> {
    // Sizes of zero are found in models that are in use; negative ones are mistakes.
    let size = |element: Element<'_>, name: &str| {
        let value = element.number(name)?.ok_or_else(|| element.mistake(format!("`{name}` is missing")))?;
        if value >= 0.0 { Ok(value) } else { Err(element.mistake(format!("`{name}` must be above 0, not {value}"))) }
    };
    let form = if let Some(element) = geometry.one("box") {
        let size = element.vector("size")?.ok_or_else(|| element.mistake("`size` is missing"))?;
        if size.min_element() < 0.0 {
            return Err(element.mistake(format!("`size` must be above 0, not {} {} {}", size.x, size.y, size.z)));
        }
        Some((Form::Box(size * 0.5), size.min_element()))
    } else if let Some(element) = geometry.one("sphere") {
        let radius = size(element, "radius")?;
        Some((Form::Sphere(radius), radius))
    } else if let Some(element) = geometry.one("cylinder") {
        let (radius, length) = (size(element, "radius")?, size(element, "length")?);
        Some((Form::Cylinder(radius, length * 0.5), radius.min(length)))
    } else if let Some(element) = geometry.one("capsule") {
        let (radius, length) = (size(element, "radius")?, size(element, "length")?);
        Some((Form::Capsule(radius, length * 0.5), radius.min(length)))
    } else {
        None
    };
    match form {
        Some((form, least)) if least > 0.0 => return Ok(Some(form)),
        Some(_) => {
            report.note(geometry.place(), "<geometry>", "a size is 0: it encloses nothing and is left out");
            return Ok(None);
        }
        None => {}
    }
    if let Some(element) = geometry.one("mesh") {
        let file = element.needed("filename")?;
        let scale = match element.numbers("scale")?.as_deref() {
            None => DVec3::ONE,
            Some([all]) => DVec3::splat(*all),
            Some([x, y, z]) => DVec3::new(*x, *y, *z),
            Some(_) => return Err(element.mistake("`scale` must be one or three numbers")),
        };
        return Ok(meshes.load(file, scale, element.place()).map(Form::Mesh));
    }
    let what = "has no shape that can be used and is left out";
    report.note(geometry.place(), "<geometry>", what);
    Ok(None)
}
