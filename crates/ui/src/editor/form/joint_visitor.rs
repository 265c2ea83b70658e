//! The fields of a joint's kind: its parameters, by their roles.

use std::collections::BTreeSet;
use std::mem::discriminant;

use delassus_physics::joints::{Coefficient, Given, JointKind, Parameter, Role, RotationVector, SlideAxis, TurnAxis};

use crate::editor::form::field_visitor::{VisitFields, join};

macro_rules! free_axis {
    ($($axis:ident),*) => { $(
        impl VisitFields for $axis {
            fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
                match (self, other) {
                    (Self::Free { limit, servo }, Self::Free { limit: other_limit, servo: other_servo }) => {
                        limit.differ(other_limit, &join(at, "limit"), paths);
                        servo.differ(other_servo, &join(at, "servo"), paths);
                    }
                    (Self::Locked, Self::Locked) => {}
                    (Self::Free { .. }, Self::Locked) | (Self::Locked, Self::Free { .. }) => {
                        paths.insert(at.to_owned());
                    }
                }
            }

            fn adopt(&mut self, from: &Self, path: &str) {
                let (field, rest) = path.split_once('.').unwrap_or((path, ""));
                match (field, &mut *self, from) {
                    ("limit", Self::Free { limit, .. }, Self::Free { limit: from, .. }) => limit.adopt(from, rest),
                    ("servo", Self::Free { servo, .. }, Self::Free { servo: from, .. }) => servo.adopt(from, rest),
                    ("", ..) => self.clone_from(from),
                    _ => {}
                }
            }
        }
    )* };
}
free_axis!(SlideAxis, TurnAxis);

impl VisitFields for RotationVector {
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        for (part, mine, theirs) in [("x", self.0, other.0), ("y", self.1, other.1), ("z", self.2, other.2)] {
            mine.differ(&theirs, &join(at, part), paths);
        }
    }

    fn adopt(&mut self, from: &Self, path: &str) {
        match path {
            "x" => self.0 = from.0,
            "y" => self.1 = from.1,
            "z" => self.2 = from.2,
            _ => self.clone_from(from),
        }
    }
}

macro_rules! roles {
    ($($role:ident),*) => {
        /// Adds the paths at which two parameters of one role differ.
        fn differ(mine: Role<'_>, theirs: Role<'_>, at: &str, paths: &mut BTreeSet<String>) {
            match mine {
                $(Role::$role(mine) => {
                    if let Role::$role(theirs) = theirs {
                        mine.value().differ(&theirs.value(), at, paths);
                    }
                })*
            }
        }

        /// Copies a parameter, or the part of it that the path addresses, from another one of the same role.
        fn adopt(mine: Role<'_>, theirs: Role<'_>, path: &str) {
            match mine {
                $(Role::$role(mut mine) => {
                    if let Role::$role(theirs) = theirs {
                        let mut value = mine.value();
                        value.adopt(&theirs.value(), path);
                        mine.put(value);
                    }
                })*
            }
        }
    };
}
roles!(
    AngleLimit,
    SlideLimit,
    Swing,
    AngularMotor,
    LinearMotor,
    AngularServo,
    LinearServo,
    AngleZero,
    SlideZero,
    AngularSpring,
    LinearSpring,
    Length,
    Radius,
    Lead,
    Place,
    Wrap,
    Profile,
    Switch,
    Rows,
    Bounds,
    Values,
    SlideAxis,
    TurnAxis,
    Axes,
    RotationZero,
    SpringRate,
    Damping,
    Coefficient,
    HingeForm,
    OrientationForm
);

/// The value that a role borrows.
trait RoleValue {
    type Value: VisitFields;
    fn value(&self) -> Self::Value;
    fn put(&mut self, value: Self::Value);
}

impl<T: VisitFields + Copy> RoleValue for &mut T {
    type Value = T;
    fn value(&self) -> T {
        **self
    }
    fn put(&mut self, value: T) {
        **self = value;
    }
}

impl RoleValue for Coefficient<'_> {
    type Value = f32;
    fn value(&self) -> f32 {
        *self.value
    }
    fn put(&mut self, value: f32) {
        *self.value = value;
    }
}

impl<T: VisitFields + Copy> RoleValue for Given<'_, T> {
    type Value = Option<T>;
    fn value(&self) -> Option<T> {
        self.get()
    }
    fn put(&mut self, value: Option<T>) {
        match (self, value) {
            (Self::Always(field), Some(value)) => **field = value,
            (Self::Always(_), None) => {}
            (Self::Maybe(field), value) => **field = value,
        }
    }
}

impl VisitFields for JointKind {
    fn differ(&self, other: &Self, at: &str, paths: &mut BTreeSet<String>) {
        if discriminant(self) != discriminant(other) {
            paths.insert(at.to_owned());
            return;
        }
        let (mut mine, mut theirs) = (*self, *other);
        for (Parameter { name, role, .. }, theirs) in mine.parameters().into_iter().zip(theirs.parameters()) {
            differ(role, theirs.role, &join(at, name), paths);
        }
    }

    fn adopt(&mut self, from: &Self, path: &str) {
        if path.is_empty() {
            return self.clone_from(from);
        }
        if discriminant(self) != discriminant(from) {
            return;
        }
        let (field, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut theirs = *from;
        for (Parameter { name, role, .. }, theirs) in self.parameters().into_iter().zip(theirs.parameters()) {
            // Of two springs one may give its frequency and the other its stiffness.
            if name == field || theirs.name == field {
                adopt(role, theirs.role, rest);
            }
        }
    }
}
