//! Geoms: shapes, and their masses.

use delassus_scene::Mistake;
use glam::{DQuat, DVec3};

use super::defaults::Classed;
use super::{Context, fits};
use crate::frame::Frame;
use crate::model::{LinkShape, Mass};
use crate::shapes::Form;

/// Half the size and half the thickness of a plane, m: it has no end in MuJoCo, and its `size` is for drawing.
const ENDLESS: f64 = 20.0;
const THICK: f64 = 0.5;
/// MuJoCo's density of shapes, kg/m³, and friction.
const DENSITY: f64 = 1000.0;
const FRICTION: f64 = 1.0;

/// A geom's shape, and its mass if it has one.
///
/// # Errors
/// Sizes that make no shape.
pub fn read(geom: &Classed<'_>, context: &Context<'_>) -> Result<(Option<LinkShape>, Option<Mass>), Mistake> {
    let element = geom.element();
    let wrong = |what: String| element.mistake(what);
    let mut frame = context.compiler.frame(geom)?;
    let kind = geom.text("type").unwrap_or(if geom.has("mesh") { "mesh" } else { "sphere" });
    let mut size = geom.numbers("size")?.unwrap_or_default();
    if let Some(ends) = geom.numbers("fromto")? {
        let [a, b, c, x, y, z] = ends[..] else { return Err(wrong("`fromto` must be six numbers".into())) };
        let (from, to) = (DVec3::new(a, b, c), DVec3::new(x, y, z));
        let axis = (from - to).try_normalize().ok_or_else(|| wrong("the ends of `fromto` are one point".into()))?;
        frame = Frame { origin: (from + to) * 0.5, turn: DQuat::from_rotation_arc(DVec3::Z, axis) };
        let half = (from - to).length() * 0.5;
        let radius = size.first().copied().unwrap_or_default();
        size = match kind {
            // Square or round across, whatever the second number.
            "box" | "ellipsoid" => vec![radius, radius, half],
            _ => vec![radius, half],
        };
    }
    let length = |i: usize| match size.get(i) {
        Some(length) if *length > 0.0 => Ok(*length),
        Some(length) => Err(wrong(format!("its size must be above 0, not {length}"))),
        None => Err(wrong(format!("`size` of a {kind} must have more than {i} numbers"))),
    };
    let three = || Ok::<_, Mistake>(DVec3::new(length(0)?, length(1)?, length(2)?));
    let mesh = || {
        let name = geom.text("mesh").ok_or_else(|| wrong("`mesh` is missing".into()))?;
        context.meshes.get(name).ok_or_else(|| wrong(format!("no mesh is called `{name}`")))
    };
    let scale = geom.number("fitscale")?.unwrap_or(1.0);
    let form = match kind {
        "box" | "sphere" | "capsule" | "cylinder" | "ellipsoid" if geom.has("mesh") => {
            let Some(mesh) = mesh()? else { return Ok((None, None)) };
            let Some((within, form)) = fits::to_mesh(kind, mesh, scale) else {
                let what = format!("its mesh encloses nothing to which a {kind} could be fitted: it is left out");
                context.report.note(element.place(), element.title(), what);
                return Ok((None, None));
            };
            frame = frame * within;
            form
        }
        "sphere" => Form::Sphere(length(0)?),
        "capsule" => Form::Capsule(length(0)?, length(1)?),
        "cylinder" => Form::Cylinder(length(0)?, length(1)?),
        "box" => Form::Box(three()?),
        "ellipsoid" => Form::Ellipsoid(three()?),
        "plane" => {
            frame = frame * Frame::at(DVec3::NEG_Z * THICK);
            let what = format!("is a box of {0} m by {0} m, {1} m below it", 2.0 * ENDLESS, 2.0 * THICK);
            context.report.note(element.place(), "plane", what);
            Form::Box(DVec3::new(ENDLESS, ENDLESS, THICK))
        }
        "mesh" => match mesh()? {
            Some(mesh) => Form::Mesh(mesh.clone()),
            None => return Ok((None, None)),
        },
        other => {
            context.report.note(
                element.place(),
                format!("geom of the type `{other}`"),
                "has no counterpart and is left out",
            );
            return Ok((None, None));
        }
    };
    // 32 bits, of which the highest makes the number negative.
    let bits = |name: &str| Ok::<_, Mistake>(geom.number(name)?.unwrap_or(1.0) as i64 as u32);
    let bits = (bits("contype")?, bits("conaffinity")?);
    let friction = geom.numbers("friction")?.and_then(|list| list.first().copied()).unwrap_or(FRICTION);
    if friction < 0.0 {
        return Err(wrong(format!("friction must not be negative, {friction}")));
    }
    let frictionless = geom.number("condim")? == Some(1.0);
    let group = geom.number("group")?.unwrap_or(0.0);
    let weighs = (context.compiler.groups.0..=context.compiler.groups.1).contains(&group) && kind != "plane";
    let given = geom.number("mass")?;
    let density = geom.number("density")?.unwrap_or(DENSITY);
    if given.is_some_and(|mass| mass < 0.0) || density < 0.0 {
        return Err(wrong("its mass must not be negative".into()));
    }
    let mass = if weighs { form.mass(&frame, given, density).filter(|mass| mass.mass > 0.0) } else { None };
    let collides = bits != (0, 0);
    let name = element.text("name").map(str::to_owned);
    Ok((Some(LinkShape { name, frame, form, collides, friction: Some(friction), frictionless, bits }), mass))
}
