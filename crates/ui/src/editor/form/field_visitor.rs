//! Entries as trees of fields: finds where two of them differ, and copies single fields. With this one form edits many
//! entries.

use std::collections::BTreeSet;

use glam::Vec3;

use delassus_physics::angle::Angle;
use delassus_physics::breaking::Breaks;
use delassus_physics::formulation::{HingeForm, OrientationForm};
use delassus_physics::joints::{AngularDrive, AngularServo, AngularSpring, LinearDrive, LinearServo, LinearSpring};
use delassus_physics::primitives::profile::Profile;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::primitives::written::{Bounds, Rows, Values};
use delassus_physics::row::{Damping, SpringRate};
use delassus_physics::settings::StabilizationPatch;
use delassus_physics::shape::Shape;
use delassus_scene::{Body, ByTime, Drag, Force, Groups, Inertia, Joint, Motion, Mover, Rotation, SoftRows, Softness};

/// A value whose fields are addressed by paths, such as `kind.motor.speed`; the empty path is the value itself.
pub trait VisitFields: Clone + PartialEq {
    /// Adds the paths below `at` at which the two differ.
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        if self != other {
            paths.insert(at.to_owned());
        }
    }

    /// Copies the field of this path from another value, if it exists here. A value without fields is copied whole.
    fn adopt(&mut self, from: &Self, _path: &str) {
        self.clone_from(from);
    }
}

macro_rules! leaf {
    ($($leaf:ty),*) => { $(impl VisitFields for $leaf {})* };
}
leaf!(
    f32,
    bool,
    String,
    Angle,
    Rotation,
    Motion,
    Mover,
    Vec<Force>,
    ByTime,
    Groups,
    SwingLimit,
    Profile,
    Rows,
    Bounds,
    Values,
    SpringRate,
    Damping,
    HingeForm,
    OrientationForm,
    StabilizationPatch
);

pub(super) fn join(at: &str, field: &str) -> String {
    if at.is_empty() { field.to_owned() } else { format!("{at}.{field}") }
}

macro_rules! fields {
    ($($owner:ident { $($field:ident),* })*) => { $(
        impl VisitFields for $owner {
            fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
                // A field that is missing in the list does not compile.
                let Self { $($field: _),* } = self;
                // Most fields are equal: they need no path.
                $(if self.$field != other.$field {
                    self.$field.differ(&other.$field, &join(at, stringify!($field)), paths);
                })*
            }
            fn adopt(&mut self, from: &Self, path: &str) {
                let (field, rest) = path.split_once('.').unwrap_or((path, ""));
                match field {
                    "" => self.clone_from(from),
                    $(stringify!($field) => self.$field.adopt(&from.$field, rest),)*
                    _ => {}
                }
            }
        }
    )* };
}
fields! {
    Vec3 { x, y, z }
    AngularDrive { speed, max_torque }
    LinearDrive { speed, max_force }
    AngularServo { softness, target, offset, speed, torque, max_torque }
    LinearServo { softness, target, offset, speed, force, max_force }
    AngularSpring { softness, angle }
    LinearSpring { softness, slide }
    Breaks { force, torque }
    Softness { rate, damping }
    Drag { linear, quadratic, angular }
    Inertia { xx, yy, zz, xy, xz, yz }
    SoftRows { anchor, axis, limit }
    Joint { name, a, b, anchor, anchor_a, anchor_b, axis, axis_a, axis_b, kind, collide, breaks, stabilization, soft, by_time }
    Body {
        name, shape, at, rotation, motion, mass, density, mass_centre, inertia, velocity, angular_velocity, material,
        friction, restitution, rolling, soft, collide, groups, mask, particle, plane, mover, forces, drag
    }
}

/// A pair of limits.
impl<T: VisitFields> VisitFields for (T, T) {
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        self.0.differ(&other.0, &join(at, "0"), paths);
        self.1.differ(&other.1, &join(at, "1"), paths);
    }

    fn adopt(&mut self, from: &Self, path: &str) {
        match path {
            "0" => self.0.clone_from(&from.0),
            "1" => self.1.clone_from(&from.1),
            _ => self.clone_from(from),
        }
    }
}

impl<T: VisitFields> VisitFields for Option<T> {
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        match (self, other) {
            (Some(a), Some(b)) => a.differ(b, at, paths),
            (None, None) => {}
            _ => {
                paths.insert(at.to_owned());
            }
        }
    }

    fn adopt(&mut self, from: &Self, path: &str) {
        match (&mut *self, from) {
            (Some(value), Some(from)) => value.adopt(from, path),
            // A missing value is copied whole.
            _ => self.clone_from(from),
        }
    }
}

impl VisitFields for Shape {
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        match (self, other) {
            (Self::Box { half: a }, Self::Box { half: b }) => a.differ(b, &join(at, "half"), paths),
            (Self::Sphere { radius: a }, Self::Sphere { radius: b }) => a.differ(b, &join(at, "radius"), paths),
            (Self::Capsule { radius: a, half_length: l }, Self::Capsule { radius: b, half_length: m })
            | (Self::Cylinder { radius: a, half_length: l }, Self::Cylinder { radius: b, half_length: m }) => {
                a.differ(b, &join(at, "radius"), paths);
                l.differ(m, &join(at, "half_length"), paths);
            }
            (Self::Compound { parts }, Self::Compound { parts: others }) if parts != others => {
                paths.insert(join(at, "parts"));
            }
            (a, b) if a != b => {
                paths.insert(at.to_owned());
            }
            _ => {}
        }
    }

    fn adopt(&mut self, from: &Self, path: &str) {
        let (field, rest) = path.split_once('.').unwrap_or((path, ""));
        let length = |shape: &Self| match shape {
            Self::Capsule { half_length, .. } | Self::Cylinder { half_length, .. } => Some(*half_length),
            _ => None,
        };
        let round = |shape: &Self| match shape {
            Self::Sphere { radius } | Self::Capsule { radius, .. } | Self::Cylinder { radius, .. } => Some(*radius),
            _ => None,
        };
        match (field, &mut *self, from) {
            ("", shape, from) => shape.clone_from(from),
            ("half", Self::Box { half }, Self::Box { half: from }) => half.adopt(from, rest),
            ("parts", Self::Compound { parts }, Self::Compound { parts: from }) => parts.clone_from(from),
            (
                "radius",
                Self::Sphere { radius } | Self::Capsule { radius, .. } | Self::Cylinder { radius, .. },
                from,
            ) => {
                *radius = round(from).unwrap_or(*radius);
            }
            ("half_length", Self::Capsule { half_length, .. } | Self::Cylinder { half_length, .. }, from) => {
                *half_length = length(from).unwrap_or(*half_length);
            }
            _ => {}
        }
    }
}

/// The fields in which several entries differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixed(BTreeSet<String>);

impl Mixed {
    /// Where any of these differs from `first`.
    pub fn of<'a, T: VisitFields + 'a>(first: &T, others: impl IntoIterator<Item = &'a T>) -> Self {
        let mut paths = BTreeSet::new();
        others.into_iter().for_each(|other| first.differ(other, "", &mut paths));
        Self(paths)
    }

    /// Whether the entries differ in this field, or in what it is part of.
    pub fn is(&self, path: &str) -> bool {
        let within =
            |whole: &str| path.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.0.iter().any(|differs| within(differs))
    }

    /// Whether the entries differ in this field or in any part of it.
    pub fn any(&self, path: &str) -> bool {
        let within = |part: &str| part.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        self.is(path) || self.0.iter().any(|differs| within(differs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::joints::{Fixed, Hinge, JointKind};

    fn hinge(speed: f32, torque: f32) -> Joint {
        let motor = Some(AngularDrive { speed, max_torque: torque });
        Joint::new("a", "b", Vec3::ZERO, JointKind::Hinge(Hinge { motor, ..Hinge::default() }))
    }

    #[test]
    fn one_field_is_carried_over_and_the_others_stay() {
        let (from, mut to) = (hinge(2.0, 10.0), hinge(3.0, 50.0));
        assert_eq!(
            Mixed::of(&from, [&to]).0.into_iter().collect::<Vec<_>>(),
            ["kind.motor.max_torque", "kind.motor.speed"]
        );
        to.adopt(&from, "kind.motor.speed");
        assert_eq!(to, hinge(2.0, 50.0));
        // A joint without a motor gets all of it; a joint of another kind is unchanged.
        let mut still = Joint { kind: JointKind::Hinge(Hinge::default()), ..from.clone() };
        still.adopt(&from, "kind.motor.speed");
        assert_eq!(still, from);
        let weld = Joint { kind: JointKind::Fixed(Fixed::default()), ..from.clone() };
        let mut other = weld.clone();
        other.adopt(&from, "kind.motor.speed");
        assert_eq!(other, weld);
    }

    #[test]
    fn what_differs_is_found_by_part_and_by_whole() {
        let a = Body::new("a", Shape::Sphere { radius: 1.0 }, Vec3::ZERO);
        let b = Body { shape: Shape::Box { half: Vec3::ONE }, at: Vec3::Z, ..a.clone() };
        let mixed = Mixed::of(&a, [&b]);
        assert!(mixed.is("at.z") && !mixed.is("at.x") && mixed.any("at") && !mixed.is("at"));
        assert!(mixed.is("shape.radius") && mixed.is("shape"), "shapes of two kinds have no size in common");
        assert!(!mixed.any("velocity") && !mixed.any("plane"));
        let mut c = b.clone();
        c.adopt(&a, "shape");
        c.adopt(&a, "at.z");
        assert_eq!(c, a);
    }
}
