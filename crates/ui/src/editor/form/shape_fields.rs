//! The inspector's fields of a shape: its kind, its sizes, and the parts of a compound.

use egui::{CollapsingHeader, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::editor::form::point_list::{self, PointsOwner};
use crate::editor::form::{Form, PLACE, SIZE, rotation_fields, triple};
use crate::widgets::{self, theme};
use delassus_physics::shape::{MAX_PARTS, Shape, ShapePart};

const KINDS: [(usize, &str); 6] =
    [(0, "Box"), (1, "Sphere"), (2, "Capsule"), (3, "Cylinder"), (4, "Hull"), (5, "Compound")];
/// A compound is no part of another.
const PART_KINDS: &[(usize, &str)] = KINDS.first_chunk::<5>().unwrap();
/// The path of all fields of a compound's parts: entries with other parts take over all of them.
const PARTS: &str = "shape.parts";

/// The kind of shape and its sizes.
pub fn rows(ui: &mut Ui, form: &mut Form<'_>, shape: &mut Shape) {
    choose_kind(ui, form, shape, ("Shape", "Shape", "shape"), &KINDS);
    if let Shape::Compound { parts } = shape {
        let mut list = std::mem::take(parts).into_vec();
        compound(ui, form, &mut list);
        *parts = list.into();
    } else {
        sizes(ui, form, shape, None);
    }
}

fn choose_kind(
    ui: &mut Ui,
    form: &mut Form<'_>,
    shape: &mut Shape,
    (label, name, path): (&str, &str, &str),
    kinds: &[(usize, &str)],
) {
    let mut chosen = kind(shape);
    form.choice(ui, (label, name), path, &mut chosen, None, kinds);
    if chosen != kind(shape) {
        *shape = reshaped(shape, chosen);
    }
}

/// The sizes of a shape that is no compound; `part` is the number of the part that it is.
fn sizes(ui: &mut Ui, form: &mut Form<'_>, shape: &mut Shape, part: Option<usize>) {
    let path = |field: &str| if part.is_some() { PARTS.to_owned() } else { format!("shape.{field}") };
    let name = |what: &str| part.map_or_else(|| what.to_owned(), |number| format!("{what} of part {number}"));
    let label = |what: &str| part.map_or_else(|| what.to_owned(), |_| format!("  {}", what.to_lowercase()));
    match shape {
        Shape::Box { half } => match part {
            None => form.vector(ui, "Half size", "shape.half", half, None, &SIZE, None),
            Some(_) => form.row(ui, "  half size, m", PARTS, half, None, |ui, half, mixed| {
                triple(ui, half, mixed(""), &SIZE, &name("Half size"))
            }),
        },
        Shape::Sphere { radius } => {
            form.number(ui, (&label("Radius"), &name("Radius")), &path("radius"), radius, None, &SIZE, None);
        }
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            form.number(ui, (&label("Radius"), &name("Radius")), &path("radius"), radius, None, &SIZE, None);
            ui.push_id("length", |ui| {
                let names = (&*label("Half length"), &*name("Half length"));
                form.number(ui, names, &path("half_length"), half_length, None, &SIZE, None);
            });
        }
        Shape::Hull { points } => {
            point_list::points(ui, form, points, if part.is_some() { &PART_HULL } else { &HULL });
        }
        Shape::Compound { .. } => {}
    }
}

/// The parts of a compound, each below a header, and a button that adds one.
fn compound(ui: &mut Ui, form: &mut Form<'_>, parts: &mut Vec<ShapePart>) {
    let mut removed = None;
    let (count, weak) = (parts.len(), theme::colors(ui.visuals()).weak);
    for (index, part) in parts.iter_mut().enumerate() {
        let number = index + 1;
        ui.push_id(("part", index), |ui| {
            let title = format!("Part {number}: {}", KINDS[kind(&part.shape)].1.to_lowercase());
            let header = CollapsingHeader::new(title).id_salt("header").default_open(count <= MAX_OPEN_PARTS);
            header.show(ui, |ui| {
                form.row(ui, "  this part", PARTS, &mut (), None, |ui, (), _| {
                    ui.add_enabled_ui(count > 1, |ui| {
                        let tip = "Remove this part from the body";
                        if widgets::mark_button(ui, Icon::X, weak, &format!("Remove part {number}"), tip).clicked() {
                            removed = Some(index);
                        }
                    });
                    removed == Some(index)
                });
                one(ui, form, part, number);
            });
        });
    }
    if let Some(index) = removed {
        parts.remove(index);
        form.touch(PARTS);
    }
    form.row(ui, "", PARTS, parts, None, |ui, parts, _| {
        let full = parts.len() >= MAX_PARTS;
        let add = ui.add_enabled_ui(!full, |ui| widgets::word_button(ui, Icon::Plus, "Add a part")).inner.clicked();
        if add {
            parts.push(beside(parts));
        }
        add
    });
}

/// Compounds of more parts begin with their parts closed.
const MAX_OPEN_PARTS: usize = 3;

fn one(ui: &mut Ui, form: &mut Form<'_>, part: &mut ShapePart, number: usize) {
    let before = part.clone();
    let ShapePart { shape, at, rotation } = part;
    ui.push_id("kind", |ui| {
        choose_kind(ui, form, shape, ("  shape", &format!("Shape of part {number}"), PARTS), PART_KINDS);
    });
    ui.push_id("size", |ui| sizes(ui, form, shape, Some(number)));
    ui.push_id("at", |ui| {
        form.row(ui, "  at, m", PARTS, at, Some(Vec3::ZERO), |ui, at, mixed| {
            triple(ui, at, mixed(""), &PLACE, &format!("Place of part {number}"))
        });
    });
    ui.push_id("turn", |ui| rotation_fields::row(ui, form, rotation, ("  turned", PARTS), None));
    if *part != before {
        form.touch(PARTS);
    }
}

/// A new part: a cube beside the others, as large as the last one is thick.
fn beside(parts: &[ShapePart]) -> ShapePart {
    let solid = Shape::Compound { parts: parts.into() }.solid();
    let size = parts.last().and_then(|part| part.shape.solid()).map_or(0.25, |solid| solid.thickness);
    let right = solid.map_or(0.0, |solid| {
        let reach = solid.geometry.compute_local_aabb().maxs.x;
        solid.centre.x + reach
    });
    ShapePart::new(Shape::Box { half: Vec3::splat(size) }, Vec3::new(right + size, 0.0, 0.0))
}

const HULL: PointsOwner = PointsOwner {
    path: "shape",
    whole: "the hull",
    least: 4,
    most: delassus_scene::MAX_HULL_POINTS,
    step: Vec3::new(0.0, 0.0, 0.25),
};
const PART_HULL: PointsOwner = PointsOwner { path: PARTS, ..HULL };

fn kind(shape: &Shape) -> usize {
    match shape {
        Shape::Box { .. } => 0,
        Shape::Sphere { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Cylinder { .. } => 3,
        Shape::Hull { .. } => 4,
        Shape::Compound { .. } => 5,
    }
}

/// The corners of a new hull, which is a box.
const CORNERS: [Vec3; 8] = [
    Vec3::new(-1.0, -1.0, -1.0),
    Vec3::new(1.0, -1.0, -1.0),
    Vec3::new(1.0, 1.0, -1.0),
    Vec3::new(-1.0, 1.0, -1.0),
    Vec3::new(-1.0, -1.0, 1.0),
    Vec3::new(1.0, -1.0, 1.0),
    Vec3::new(1.0, 1.0, 1.0),
    Vec3::new(-1.0, 1.0, 1.0),
];

/// Another kind of shape of about the same size; a compound of the shape alone.
fn reshaped(shape: &Shape, kind: usize) -> Shape {
    let half = match shape {
        Shape::Box { half } => *half,
        Shape::Sphere { radius } => Vec3::splat(*radius),
        Shape::Capsule { radius, half_length } => Vec3::new(*radius, *radius, half_length + radius),
        Shape::Cylinder { radius, half_length } => Vec3::new(*radius, *radius, *half_length),
        Shape::Hull { points } => points.iter().fold(Vec3::splat(1e-3), |extent, p| extent.max(p.abs())),
        Shape::Compound { .. } => shape.solid().map_or(Vec3::splat(0.5), |solid| {
            let bounds = solid.geometry.compute_local_aabb();
            (bounds.mins + solid.centre).abs().max((bounds.maxs + solid.centre).abs())
        }),
    };
    let radius = half.x.min(half.y);
    match kind {
        0 => Shape::Box { half },
        1 => Shape::Sphere { radius: half.min_element() },
        2 => Shape::Capsule { radius, half_length: (half.z - radius).max(0.1 * radius) },
        3 => Shape::Cylinder { radius, half_length: half.z },
        4 => Shape::Hull { points: CORNERS.map(|corner| corner * half).to_vec() },
        _ => Shape::Compound { parts: [ShapePart::new(shape.clone(), Vec3::ZERO)].into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_kind_of_shape_has_about_the_same_size() {
        let half = Vec3::new(0.2, 0.3, 0.5);
        assert_eq!(reshaped(&Shape::Box { half }, 3), Shape::Cylinder { radius: 0.2, half_length: 0.5 });
        assert_eq!(reshaped(&Shape::Box { half }, 2), Shape::Capsule { radius: 0.2, half_length: 0.3 });
        assert_eq!(reshaped(&Shape::Sphere { radius: 0.4 }, 0), Shape::Box { half: Vec3::splat(0.4) });
        let one = reshaped(&Shape::Box { half }, 5);
        assert_eq!(one, Shape::Compound { parts: [ShapePart::new(Shape::Box { half }, Vec3::ZERO)].into() });
        assert_eq!(reshaped(&one, 0), Shape::Box { half });
    }

    /// The new part touches the others and overlaps none.
    #[test]
    fn a_new_part_stands_beside_the_others() {
        let part = ShapePart::new(Shape::Box { half: Vec3::new(0.5, 0.1, 0.1) }, Vec3::new(0.3, 0.0, 0.0));
        let new = beside(&[part]);
        assert_eq!(new.shape, Shape::Box { half: Vec3::splat(0.1) });
        assert!((new.at.x - 0.9).abs() < 1e-6, "{}", new.at);
    }
}
