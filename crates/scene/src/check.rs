//! Checks of a document's single elements: numbers are finite and in range, names are unique.

use std::collections::HashSet;

use glam::Vec3;

use super::check_motion;
use super::materials::Materials;
use super::report::{DocPath, Report};
use super::sensor;
use super::start_options;
use super::types::{Body, CameraDoc, Experiment, Joint, Material, Motion, Plot, Scene, SoftRows, Softness, VERSION};
use delassus_physics::breaking::Breaks;
use delassus_physics::joints::JointKind;
use delassus_physics::quantity::{self, UnitRange};
use delassus_physics::refuse;
use delassus_physics::setting_text::SettingError;
use delassus_physics::settings::{SettingsPatch, StabilizationPatch};
use delassus_physics::shape::{Shape, ShapePart};

/// Maximum number of a hull's points.
pub const MAX_HULL_POINTS: usize = 1000;
/// Maximum number of plots in a scene, and of curves in a plot.
pub const MAX_PLOTS: usize = 24;
pub const MAX_CURVES: usize = 12;
/// Maximum number of a scene's materials, of its experiments, and of the claims in one list: people choose among the
/// first two, and each claim is tested after every step.
pub const MAX_MATERIALS: usize = 1000;
pub const MAX_EXPERIMENTS: usize = 1000;
pub const MAX_CLAIMS: usize = 1000;

/// Checks everything that does not require laying out.
pub(super) fn document(scene: &Scene, report: &mut Report) {
    // Fields are listed by name so that a new field must be checked here.
    let Scene {
        version,
        settings: patch,
        camera: CameraDoc { eye, target },
        opens,
        materials,
        bodies,
        experiments,
        plots,
        sensors,
        // They are counted here and checked when they are tried.
        claims,
        // Texts.
        title: _,
        source: _,
        about: _,
        look_for: _,
        // Checked while reading.
        expects: _,
        // Checked one by one while laying out.
        patterns: _,
        parts: _,
        joints: _,
    } = scene;
    if *version != VERSION {
        let what = format!("this program reads version {VERSION}, not {version}");
        report.add(&DocPath::Root.field("version"), what);
    }
    settings(patch, &DocPath::Root.field("settings"), report);
    start_options::check(opens, report);
    let camera = DocPath::Root.field("camera");
    vector(*eye, &quantity::PLACE, &camera.field("eye"), "eye", report);
    vector(*target, &quantity::PLACE, &camera.field("target"), "target", report);
    if eye == target {
        report.add(&camera, "the camera's eye and target must be two points");
    }
    for (name, count, most) in [
        ("materials", materials.len(), MAX_MATERIALS),
        ("experiments", experiments.len(), MAX_EXPERIMENTS),
        ("claims", claims.len(), MAX_CLAIMS),
    ] {
        if count > most {
            return report.add(&DocPath::Root.field(name), format!("a scene has at most {most} {name}, not {count}"));
        }
    }
    let bodies_at = DocPath::Root.field("bodies");
    let mut names = HashSet::new();
    for (i, body) in bodies.iter().enumerate() {
        if !names.insert(&body.name) && !body.name.is_empty() {
            report.add(&bodies_at.item(i).field("name"), format!("a second body is called `{}`", body.name));
        }
    }
    let materials_at = DocPath::Root.field("materials");
    let mut names = HashSet::new();
    for (i, Material { name, friction, restitution, rolling, soft }) in materials.iter().enumerate() {
        let place = materials_at.item(i);
        if name.is_empty() || !names.insert(name) {
            report.add(&place.field("name"), format!("a second material is called `{name}`"));
        }
        surface(Some(*friction), Some(*restitution), Some(*rolling), &place, report);
        spring(*soft, &place, report);
    }
    let experiments_at = DocPath::Root.field("experiments");
    let mut names = HashSet::new();
    for (i, Experiment { name, about: _, set, claims }) in experiments.iter().enumerate() {
        let place = experiments_at.item(i);
        if !names.insert(name) {
            report.add(&place.field("name"), format!("a second experiment is called `{name}`"));
        }
        settings(set, &place.field("set"), report);
        if claims.len() > MAX_CLAIMS {
            let what = format!("an experiment has at most {MAX_CLAIMS} claims, not {}", claims.len());
            report.add(&place.field("claims"), what);
        }
    }
    let plots_at = DocPath::Root.field("plots");
    // The quantities are looked up when drawing: an unknown name is reported next to the plot.
    for (i, Plot { title: _, curves, against: _, scale: _ }) in plots.iter().enumerate() {
        if curves.is_empty() || curves.len() > MAX_CURVES {
            let what = format!("a plot has from 1 to {MAX_CURVES} curves");
            report.add(&plots_at.item(i).field("curves"), what);
        }
    }
    if plots.len() > MAX_PLOTS {
        report.add(&plots_at.item(MAX_PLOTS), format!("a scene has at most {MAX_PLOTS} plots"));
    }
    sensor::check(sensors, report);
}

fn settings(patch: &SettingsPatch, place: &DocPath, report: &mut Report) {
    for mistake in patch.mistakes() {
        match &mistake {
            SettingError::Value { name, .. } => match name.split_once('.') {
                Some((group, field)) => report.add(&place.field(group).field(field), mistake.to_string()),
                None => report.add(&place.field(name), mistake.to_string()),
            },
            SettingError::Unknown { .. } => report.add(place, mistake.to_string()),
        }
    }
}

/// Checks everything of a body except its name; true if it can be made.
pub(super) fn body(body: &Body, materials: &Materials<'_>, place: &DocPath, report: &mut Report) -> bool {
    let before = report.mistakes.len();
    // Fields are listed by name so that a new field must be checked here.
    let Body {
        name: _,
        shape: of,
        at,
        rotation,
        motion,
        mass,
        density,
        mass_centre,
        inertia,
        velocity,
        angular_velocity,
        material,
        friction,
        restitution,
        rolling,
        soft,
        collide: _,
        // Any sets of groups are allowed.
        groups: _,
        mask: _,
        mover,
        forces,
        drag,
        // Checked in `freedom`.
        particle: _,
        plane: _,
    } = body;
    shape(of, &place.field("shape"), report);
    vector(*at, &quantity::PLACE, &place.field("at"), "at", report);
    vector(*velocity, &quantity::VELOCITY, &place.field("velocity"), "velocity", report);
    vector(*angular_velocity, &quantity::SPIN, &place.field("angular_velocity"), "angular velocity", report);
    if let Err(what) = rotation.quat() {
        report.add(&place.field("rotation"), what);
    }
    number("mass", *mass, &quantity::MASS, place, report);
    number("density", *density, &quantity::DENSITY, place, report);
    if mass.is_some() && density.is_some() {
        report.add(&place.field("density"), "give mass or density, not both");
    }
    if let Some(centre) = mass_centre {
        vector(*centre, &quantity::PLACE, &place.field("mass_centre"), "mass_centre", report);
    }
    match inertia.as_ref().and_then(refuse::inertia) {
        Some(("", what)) => report.add(&place.field("inertia"), what),
        Some((field, what)) => report.add(&place.field("inertia").field(field), what),
        None => {}
    }
    for (name, value) in [("velocity", *velocity), ("angular_velocity", *angular_velocity)] {
        if *motion == Motion::Static && value != Vec3::ZERO {
            report.add(
                &place.field(name),
                format!("a static body has no `{name}`; one with `motion: Kinematic` moves by its own"),
            );
        }
    }
    if let Some(name) = material
        && materials.get(name).is_none()
        && !report.full()
    {
        let hint = materials.hint(name);
        report.add(&place.field("material"), format!("no material is called `{name}`{hint}"));
    }
    surface(*friction, *restitution, *rolling, place, report);
    spring(*soft, place, report);
    freedom(body, place, report);
    if let Some(mover) = mover {
        check_motion::mover(mover, body, &place.field("mover"), report);
    }
    check_motion::forces(forces, &place.field("forces"), report);
    check_motion::drag(*drag, &place.field("drag"), report);
    report.mistakes.len() == before && !report.full()
}

/// Checks the restrictions of a body's motion: a particle does not rotate, a plane restricts velocity and rotation.
fn freedom(body: &Body, place: &DocPath, report: &mut Report) {
    for (name, given) in [("particle", body.particle), ("plane", body.plane.is_some())] {
        if given && body.motion != Motion::Dynamic {
            report.add(&place.field(name), format!("only a dynamic body has `{name}`"));
        }
    }
    if body.particle && body.inertia.is_some() {
        report.add(&place.field("inertia"), "a particle has no inertia");
    }
    if body.particle && body.angular_velocity != Vec3::ZERO {
        report.add(&place.field("angular_velocity"), "a particle does not rotate");
    }
    direction(body.plane, &place.field("plane"), "plane", report);
    let Some(normal) = body.plane.and_then(Vec3::try_normalize) else { return };
    if normal.dot(body.velocity).abs() > 1e-4 * body.velocity.length() {
        report.add(&place.field("velocity"), "the velocity must lie in the body's plane");
    }
    if normal.cross(body.angular_velocity).length() > 1e-4 * body.angular_velocity.length() {
        report.add(&place.field("angular_velocity"), "a body in a plane turns about the plane's normal only");
    }
}

fn shape(shape: &Shape, place: &DocPath, report: &mut Report) {
    if let Shape::Hull { points } = shape {
        if points.len() > MAX_HULL_POINTS {
            let what = format!("a hull has at most {MAX_HULL_POINTS} points, not {}", points.len());
            return report.add(&place.field("points"), what);
        }
        let points_at = place.field("points");
        for (i, p) in points.iter().enumerate() {
            if !p.to_array().into_iter().all(|v| quantity::PLACE.accepts(v)) {
                return vector(*p, &quantity::PLACE, &points_at.item(i), "a point", report);
            }
        }
    }
    if let Shape::Compound { parts } = shape {
        return compound(parts, place, report);
    }
    if let Some((field, what)) = refuse::shape(shape) {
        report.add(&place.field(field), what);
    }
}

fn compound(parts: &[ShapePart], place: &DocPath, report: &mut Report) {
    if let Some((field, what)) = refuse::part_count(parts) {
        return report.add(&place.field(field), what);
    }
    let list = place.field("parts");
    for (number, part) in parts.iter().enumerate() {
        let place = list.item(number);
        match refuse::part(part) {
            Some((field, what)) => report.add(&place.field(field), what),
            None => shape(&part.shape, &place.field("shape"), report),
        }
    }
}

fn surface(
    friction: Option<f32>,
    restitution: Option<f32>,
    rolling: Option<f32>,
    place: &DocPath,
    report: &mut Report,
) {
    number("friction", friction, &quantity::FRICTION, place, report);
    number("restitution", restitution, &quantity::RESTITUTION, place, report);
    number("rolling", rolling, &quantity::LEVER, place, report);
}

/// Checks that a number, if given, is in its quantity's range.
pub(super) fn number(name: &str, value: Option<f32>, range: &UnitRange, place: &DocPath, report: &mut Report) {
    if let Some(what) = value.and_then(|value| refuse::number(range, name, value)) {
        report.add(&place.field(name), what);
    }
}

/// Checks the spring of a soft surface.
fn spring(soft: Option<Softness>, place: &DocPath, report: &mut Report) {
    if let Some((field, what)) = soft.and_then(refuse::softness) {
        report.add(&place.field("soft").field(field), what);
    }
}

/// Checks a joint's own fields.
pub(super) fn joint(joint: &Joint, place: &DocPath, report: &mut Report) {
    // Fields are listed by name so that a new field must be checked here.
    let Joint {
        name: _,
        a,
        b,
        anchor,
        anchor_a,
        anchor_b,
        axis,
        axis_a,
        axis_b,
        kind: of,
        collide: _,
        breaks: most,
        stabilization: own,
        soft: rows,
        by_time,
    } = joint;
    if a == b {
        report.add(&place.field("b"), format!("a joint needs two bodies, both are `{a}`"));
    }
    for (name, value) in [("anchor", *anchor), ("anchor_a", *anchor_a), ("anchor_b", *anchor_b)] {
        if let Some(v) = value {
            vector(v, &quantity::PLACE, &place.field(name), name, report);
        }
    }
    if anchor.is_some() && (anchor_a.is_some() || anchor_b.is_some()) {
        report.add(&place.field("anchor"), "give anchor, or anchor_a and anchor_b, not both");
    }
    if axis.is_some() && (axis_a.is_some() || axis_b.is_some()) {
        report.add(&place.field("axis"), "give axis, or axis_a and axis_b, not both");
    }
    for (name, value) in [("axis", *axis), ("axis_a", *axis_a), ("axis_b", *axis_b)] {
        direction(value, &place.field(name), name, report);
    }
    kind(of, axis.or(*axis_a), place, report);
    breaks(*most, &place.field("breaks"), report);
    stabilization(*own, &place.field("stabilization"), report);
    soft(*rows, &place.field("soft"), report);
    check_motion::drive(of, by_time, place, report);
}

/// Checks a joint's soft rows.
pub(super) fn soft(soft: Option<SoftRows>, place: &DocPath, report: &mut Report) {
    if let Some((rows, (field, what))) = soft.as_ref().and_then(refuse::soft_rows) {
        report.add(&place.field(rows).field(field), what);
    }
}

/// Checks a joint's own stabilisation.
pub(super) fn stabilization(patch: Option<StabilizationPatch>, place: &DocPath, report: &mut Report) {
    let Some(stabilization) = patch else { return };
    let patch = SettingsPatch { stabilization, ..SettingsPatch::default() };
    for mistake in patch.mistakes() {
        let field = match &mistake {
            SettingError::Value { name, .. } => name.split_once('.').map(|(_, field)| field),
            SettingError::Unknown { .. } => None,
        };
        report.add(&place.field(field.unwrap_or_default()), mistake.to_string());
    }
}

/// Checks a joint's break limits.
pub(super) fn breaks(breaks: Option<Breaks>, place: &DocPath, report: &mut Report) {
    match breaks.as_ref().and_then(refuse::breaks) {
        Some(("", what)) => report.add(place, what),
        Some((field, what)) => report.add(&place.field(field), what),
        None => {}
    }
}

/// Checks a joint's parameters, and that it has an axis if required.
pub(super) fn kind(kind: &JointKind, axis: Option<Vec3>, place: &DocPath, report: &mut Report) {
    if let Some((path, what)) = refuse::kind(kind) {
        // A path borrows the one that it continues.
        fn add(at: &DocPath, path: &[&'static str], what: String, report: &mut Report) {
            match path {
                [] => report.add(at, what),
                // An element of a list.
                [item, rest @ ..] if item.parse::<usize>().is_ok() => {
                    add(&at.item(item.parse().unwrap_or(0)), rest, what, report);
                }
                [field, rest @ ..] => add(&at.field(field), rest, what, report),
            }
        }
        add(&place.field("kind"), &path, what, report);
    }
    let info = kind.info();
    if info.axis && axis.is_none() {
        report.add(&place.field("kind"), format!("{} needs an `axis`, such as (0, 0, 1)", info.name));
    }
}

/// Checks that a vector is finite and its components are in their quantity's range.
pub(super) fn vector(v: Vec3, range: &UnitRange, place: &DocPath, name: &str, report: &mut Report) {
    if !v.is_finite() {
        report.add(place, format!("{name} must be finite, not ({}, {}, {})", v.x, v.y, v.z));
    } else if !v.to_array().into_iter().all(|v| range.accepts(v)) {
        report.add(place, format!("{name} must be {}, not ({}, {}, {})", refuse::range(range), v.x, v.y, v.z));
    }
}

/// Checks that a direction, if given, is finite and not zero.
pub(super) fn direction(v: Option<Vec3>, place: &DocPath, name: &str, report: &mut Report) {
    if let Some(v) = v.filter(|v| v.try_normalize().is_none()) {
        report.add(place, format!("{name} must be finite and not zero, not ({}, {}, {})", v.x, v.y, v.z));
    }
}

/// Checks a pattern's count.
pub(super) fn count(n: u32, max: u32, place: &DocPath, name: &str, report: &mut Report) -> bool {
    let fits = (1..=max).contains(&n);
    if !fits {
        report.add(place, format!("{name} must be 1 to {max}, not {n}"));
    }
    fits
}
