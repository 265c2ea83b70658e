//! The joints of the grammar: every kind with every parameter that it has.

use std::f32::consts::PI;

use delassus::physics::angle::Angle;
use delassus::physics::joints::{
    AngularDrive, AngularServo, AngularSpring, JointKind, LinearDrive, LinearServo, LinearSpring, Role, RotationVector,
    SlideAxis, TurnAxis,
};
use delassus::physics::primitives::profile::Profile;
use delassus::physics::primitives::swing_twist::SwingLimit;
use delassus::physics::quantity;
use delassus::scene::{Breaks, Joint, SoftRows};
use glam::Vec3;

use crate::dice::Dice;
use crate::formulas;
use crate::grammar::{by_time, damping, direction, maybe, number, rate, softness, vector};

fn set<T>(given: &mut delassus::physics::joints::Given<'_, T>, new: T) {
    match given {
        delassus::physics::joints::Given::Always(value) => **value = new,
        delassus::physics::joints::Given::Maybe(value) => **value = Some(new),
    }
}

fn angular_servo(dice: &mut Dice) -> AngularServo {
    let angle = |dice: &mut Dice| Angle::radians(number(dice, &quantity::ANGLE));
    AngularServo {
        softness: softness(dice),
        target: angle(dice),
        offset: angle(dice),
        speed: number(dice, &quantity::MOTOR_SPIN),
        torque: number(dice, &quantity::APPLIED_TORQUE),
        max_torque: number(dice, &quantity::MOTOR_TORQUE),
    }
}

fn linear_servo(dice: &mut Dice) -> LinearServo {
    LinearServo {
        softness: softness(dice),
        target: number(dice, &quantity::SLIDE),
        offset: number(dice, &quantity::SLIDE),
        speed: number(dice, &quantity::MOTOR_SPEED),
        force: number(dice, &quantity::APPLIED_FORCE),
        max_force: number(dice, &quantity::MOTOR_FORCE),
    }
}

/// A joint kind with random parameters.
pub(super) fn kind(dice: &mut Dice) -> JointKind {
    let mut kind = *dice.one(&JointKind::all());
    let mut has_motor = false;
    for parameter in kind.parameters() {
        if dice.once_in(2) {
            continue;
        }
        let angle = |dice: &mut Dice| Angle::radians(number(dice, &quantity::ANGLE));
        match parameter.role {
            Role::AngleLimit(limit) => {
                let (a, b) = (angle(dice), angle(dice));
                *limit = Some(if a.radians <= b.radians { (a, b) } else { (b, a) });
            }
            Role::SlideLimit(limit) => {
                let (a, b) = (number(dice, &quantity::SLIDE), number(dice, &quantity::SLIDE));
                *limit = Some((a.min(b), a.max(b)));
            }
            Role::Swing(mut limit) => {
                let half = |dice: &mut Dice| Angle::radians(number(dice, &quantity::HALF_ANGLE));
                let new = match dice.below(3) {
                    0 => SwingLimit::Cone(half(dice)),
                    1 => SwingLimit::Ellipse(half(dice), half(dice)),
                    _ => SwingLimit::Pyramid(half(dice), half(dice)),
                };
                set(&mut limit, new);
            }
            Role::AngularMotor(mut motor) => {
                let (speed, max_torque) = (number(dice, &quantity::MOTOR_SPIN), number(dice, &quantity::MOTOR_TORQUE));
                set(&mut motor, AngularDrive { speed, max_torque });
                has_motor = true;
            }
            Role::LinearMotor(mut motor) => {
                let (speed, max_force) = (number(dice, &quantity::MOTOR_SPEED), number(dice, &quantity::MOTOR_FORCE));
                set(&mut motor, LinearDrive { speed, max_force });
                has_motor = true;
            }
            Role::AngleZero(zero) => *zero = angle(dice),
            Role::SlideZero(zero) => *zero = number(dice, &quantity::SLIDE),
            Role::AngularServo(servo) if !has_motor => {
                *servo = Some(angular_servo(dice));
            }
            Role::LinearServo(servo) if !has_motor => {
                *servo = Some(linear_servo(dice));
            }
            Role::AngularServo(_) | Role::LinearServo(_) => {}
            Role::AngularSpring(spring) => {
                *spring = Some(AngularSpring { softness: softness(dice), angle: angle(dice) });
            }
            Role::LinearSpring(spring) => {
                *spring = Some(LinearSpring { softness: softness(dice), slide: number(dice, &quantity::SLIDE) });
            }
            Role::SlideAxis(axis) => {
                let (a, b) = (number(dice, &quantity::SLIDE), number(dice, &quantity::SLIDE));
                let limit = maybe(dice, 2, |_| (a.min(b), a.max(b)));
                *axis = SlideAxis::Free { limit, servo: maybe(dice, 2, linear_servo) };
            }
            Role::TurnAxis(axis) => {
                let (a, b) = (dice.between(-PI, PI), dice.between(-PI, PI));
                let limit = maybe(dice, 2, |_| (Angle::radians(a.min(b)), Angle::radians(a.max(b))));
                *axis = TurnAxis::Free { limit, servo: maybe(dice, 2, angular_servo) };
            }
            Role::Axes(vector) | Role::RotationZero(vector) => {
                *vector = RotationVector::of(direction(dice).normalize() * dice.between(-4.0, 4.0));
            }
            Role::Length(length) => *length = Some(number(dice, &quantity::LENGTH)),
            Role::SpringRate(own) => *own = rate(dice),
            Role::Damping(own) => *own = damping(dice),
            Role::Coefficient(own) => *own.value = number(dice, &own.of),
            Role::Radius(value) => *value = number(dice, &quantity::RADIUS),
            Role::Lead(value) => *value = number(dice, &quantity::LEAD),
            Role::Place(point) => *point = vector(dice, &quantity::PLACE),
            Role::Wrap(angle) => *angle = Angle::radians(number(dice, &quantity::WRAP)),
            Role::Profile(profile) => {
                let (size, share) = (dice.power(-2.0, 2.0), dice.between(0.0, 0.3));
                let lobes = 1.0 + dice.below(3) as f64;
                let r = |t: f64| f64::from(size) * (1.0 + f64::from(share) * (lobes * t).cos());
                *profile = Profile::of(4 + dice.below(69), r);
            }
            Role::Rows(rows) => *rows = formulas::rows(dice),
            Role::Bounds(bounds) => *bounds = formulas::bounds(dice),
            Role::Values(values) => *values = formulas::values(dice),
            Role::Switch(on) => *on = dice.once_in(2),
            Role::HingeForm(_) | Role::OrientationForm(_) => {}
        }
    }
    kind
}

pub(super) fn breaks(dice: &mut Dice) -> Breaks {
    let (force, torque) = (number(dice, &quantity::FORCE), number(dice, &quantity::TORQUE));
    match dice.below(3) {
        0 => Breaks { force: Some(force), torque: None },
        1 => Breaks { force: None, torque: Some(torque) },
        _ => Breaks { force: Some(force), torque: Some(torque) },
    }
}

pub(super) fn soft(dice: &mut Dice) -> SoftRows {
    let [anchor, axis, limit] = [0; 3].map(|_| maybe(dice, 2, softness));
    SoftRows { anchor, axis, limit }
}

pub(super) fn joint(dice: &mut Dice, bodies: &[String], name: String) -> Joint {
    let b = dice.below(bodies.len());
    let a = dice.below(bodies.len() + 1);
    let a = if a == b || a == bodies.len() { "world".to_owned() } else { bodies[a].clone() };
    let place = |dice: &mut Dice| match dice.below(6) {
        0 => vector(dice, &quantity::PLACE),
        _ => Vec3::from([0; 3].map(|_| dice.between(-2.0, 2.0))),
    };
    let mut joint = Joint::new(a, bodies[b].clone(), place(dice), kind(dice));
    joint.name = name;
    // What keeps a distance, and what rolls off another body, has two anchors.
    let lengths = joint.kind.parameters().iter().any(|parameter| matches!(parameter.role, Role::Length(_)));
    let apart = lengths || matches!(joint.kind, JointKind::Cam(_) | JointKind::Rack(_));
    if apart || dice.once_in(3) {
        joint.anchor = None;
        (joint.anchor_a, joint.anchor_b) =
            (Some(place(dice)), if apart { Some(place(dice)) } else { maybe(dice, 2, place) });
    }
    match dice.below(2) {
        _ if !joint.kind.info().axis => {}
        0 => joint.axis = Some(direction(dice)),
        _ => (joint.axis_a, joint.axis_b) = (Some(direction(dice)), maybe(dice, 2, direction)),
    }
    joint.collide = dice.once_in(4);
    joint.breaks = maybe(dice, 5, breaks);
    joint.soft = maybe(dice, 6, soft);
    if joint.kind.is_driven() {
        joint.by_time = by_time(dice);
    }
    joint
}
