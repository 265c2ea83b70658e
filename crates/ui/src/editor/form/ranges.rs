//! The units and ranges of a form's numbers: what may be typed, which is what a scene file may hold, and how far
//! dragging goes.

use delassus_physics::joints::UNBOUNDED;
use delassus_physics::quantity::{self, UnitRange};

use crate::editor::form::controls::written;
use crate::widgets::angles::Angles;

/// A number's unit, its range for dragging, and its change per point of dragging.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragRange {
    pub unit: &'static str,
    pub min: f32,
    pub max: f32,
    pub speed: f32,
    /// Least and greatest number that may be typed; as in [`UnitRange`].
    allowed: (f32, f32),
    /// The number is a cap: [`UNBOUNDED`] stands for none.
    cap: bool,
}

impl DragRange {
    pub const fn new(unit: &'static str, min: f32, max: f32, speed: f32) -> Self {
        Self { unit, min, max, speed, allowed: (min, max), cap: false }
    }

    /// A quantity over its whole range.
    pub const fn of(quantity: UnitRange, speed: f32) -> Self {
        Self::new(quantity.unit, quantity.min, quantity.max, speed)
    }

    /// The same with a narrower range.
    pub const fn within(self, min: f32, max: f32) -> Self {
        Self { min, max, allowed: (min, max), ..self }
    }

    /// The same with a range for dragging that is narrower than the one for typing.
    pub const fn dragged(self, min: f32, max: f32) -> Self {
        Self { min, max, ..self }
    }

    /// The same with another unit, which may be followed by a colon and an explanation.
    pub const fn called(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// The same for a cap, which is dragged up to none.
    pub const fn cap(self) -> Self {
        Self { max: UNBOUNDED, cap: true, ..self }
    }

    /// Whether the number is a cap that nothing reaches.
    pub fn has_no_limit(&self, value: f32) -> bool {
        self.cap && value >= UNBOUNDED
    }

    /// Whether a number may be typed.
    pub fn allows(&self, value: f32) -> bool {
        let (least, greatest) = self.allowed;
        (least..=greatest).contains(&value)
    }

    /// The range for dragging from a value, which may lie outside.
    pub fn dragged_from(&self, value: f32) -> (f32, f32) {
        (self.min.min(value), self.max.max(value))
    }

    /// The unit that may be typed: without an explanation behind it.
    pub fn symbol(&self) -> &'static str {
        self.unit.split(':').next().filter(|unit| !unit.contains(' ')).unwrap_or_default()
    }

    /// What may be typed, in words: `0 to 1`, `above 0 m, at most 1.00e5 m`.
    pub fn allowed(&self) -> String {
        let said = |value: f32| match self.symbol() {
            "" => written(value),
            unit => format!("{} {unit}", written(value)),
        };
        match self.allowed {
            (f32::MIN_POSITIVE, f32::MAX) => format!("above {}", said(0.0)),
            (f32::MIN_POSITIVE, greatest) => format!("above {}, at most {}", said(0.0), said(greatest)),
            (f32::MIN, f32::MAX) => {
                format!("any number{}{}", if self.symbol().is_empty() { "" } else { " of " }, self.symbol())
            }
            (least, f32::MAX) => format!("{} and more", said(least)),
            (least, greatest) => format!("{} to {}", written(least), said(greatest)),
        }
    }

    /// The range as shown, and the factor from its own unit to the shown one: angles (degrees) and angular speeds
    /// (rad/s) are shown in the chosen unit.
    pub fn shown(self, angles: Angles) -> (Self, f32) {
        let factor = match (self.unit, angles) {
            ("°", Angles::Radians) => 1f32.to_radians(),
            ("rad/s", Angles::Degrees) => 1f32.to_degrees(),
            _ => return (self, 1.0),
        };
        let unit = if self.unit == "°" { angles.unit() } else { angles.rate_unit() };
        // What has no limit has none in another unit.
        let of = |value: f32| if value.abs() == f32::MAX { value } else { value * factor };
        let allowed = (of(self.allowed.0), of(self.allowed.1));
        (Self { unit, min: of(self.min), max: of(self.max), speed: self.speed * factor, allowed, ..self }, factor)
    }
}

/// A position, m.
pub const PLACE: DragRange = DragRange::of(quantity::PLACE, 0.01);
/// A size, m.
pub const SIZE: DragRange = DragRange::of(quantity::SIZE, 0.01).dragged(1e-3, 1e3);
/// A velocity and an angular velocity.
pub const SPEED: DragRange = DragRange::of(quantity::VELOCITY, 0.05);
pub const SPIN: DragRange = DragRange::of(quantity::SPIN, 0.05);
/// A direction of any length.
pub const DIRECTION: DragRange = DragRange::new("of any length", f32::MIN, f32::MAX, 0.01).dragged(-1e5, 1e5);
/// The greatest length of a rod or other distance that is dragged, m.
pub const MOST_LENGTH: f32 = 1e4;
/// An angle, dragged up to two turns.
pub const DEGREES: DragRange = DragRange::new("°", f32::MIN, f32::MAX, 0.5).dragged(-720.0, 720.0);
/// The phase of a sinusoid, dragged up to one turn.
pub const PHASE: DragRange =
    DEGREES.within(quantity::PHASE.min.to_degrees(), quantity::PHASE.max.to_degrees()).dragged(-360.0, 360.0);
/// A ratio from 0 to 1, and a friction coefficient.
pub const UNIT: DragRange = DragRange::of(quantity::RESTITUTION, 0.01);
pub const COEFFICIENT: DragRange = DragRange::of(quantity::FRICTION, 0.01);
pub const LEVER: DragRange = DragRange::of(quantity::LEVER, 0.001);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_typed_is_what_a_file_may_hold() {
        for (range, quantity) in [(SIZE, quantity::SIZE), (PLACE, quantity::PLACE), (UNIT, quantity::RESTITUTION)] {
            for value in [quantity.min, quantity.max, 0.0, -1.0, 5e-4, 3e3, 1e9, f32::INFINITY, f32::NAN] {
                assert_eq!(range.allows(value), quantity.accepts(value), "{value} {}", quantity.unit);
            }
        }
        assert_eq!(SIZE.allowed(), "above 0 m, at most 1.00e5 m");
        assert_eq!(UNIT.allowed(), "0 to 1");
        assert_eq!(DEGREES.shown(Angles::Radians).0.allowed(), "any number of rad");
        assert_eq!(DragRange::of(quantity::MASS, 1.0).allowed(), "above 0 kg");
        assert_eq!(DragRange::of(quantity::MOTOR_FORCE, 1.0).allowed(), "0 N and more");
    }

    #[test]
    fn only_a_cap_has_no_limit() {
        let force = DragRange::of(quantity::MOTOR_FORCE, 1.0);
        assert!(force.cap().has_no_limit(UNBOUNDED) && !force.has_no_limit(UNBOUNDED));
        assert!(!force.cap().has_no_limit(1e6));
    }

    #[test]
    fn dragging_begins_at_a_value_outside_its_range() {
        assert_eq!(SIZE.dragged_from(3000.0), (1e-3, 3000.0));
        assert_eq!(SIZE.dragged_from(5e-4), (5e-4, 1e3));
    }
}
