//! What draws, drives, resists and stops a joint along its axis, for every joint that slides: its parameters and its
//! rows, J = the plane row with t = aA.

use super::resistance::{self, Resists};
use super::{Given, LinearDrive, LinearServo, LinearSpring, Parameter, Role, servo};
use crate::primitives::limit;
use crate::row::{Jacobian, JointFrames, RowList};

/// The parameters of a slide along an axis, as a joint has them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along {
    /// The slide that counts as zero, m.
    pub zero: f32,
    pub limit: Option<(f32, f32)>,
    pub motor: Option<LinearDrive>,
    pub servo: Option<LinearServo>,
    pub spring: Option<LinearSpring>,
    pub resists: Resists,
}

impl Along {
    /// Adds a row for each that is there, along the row `along`.
    pub fn rows(self, frames: &JointFrames, along: Jacobian, rows: &mut RowList) {
        let slide = frames.axis_a.dot(frames.p()) - self.zero;
        if let Some(spring) = self.spring {
            limit::spring(slide, spring.slide, spring.softness, along, 8, rows);
        }
        if let Some(motor) = self.motor {
            limit::drive((frames.factor() * motor.speed, motor.max_force), Some(slide), along, 5, rows);
        }
        if let Some(servo) = self.servo {
            servo::row(servo.into(), slide, along, (frames, 5), rows);
        }
        self.resists.rows(along, rows);
        if let Some(range) = self.limit {
            limit::stop(slide, range, along, 6, rows);
        }
    }
}

/// The list of these parameters; `drives` says what the motor does.
pub(super) fn parameters<'a>(
    (zero, limit): (&'a mut f32, &'a mut Option<(f32, f32)>),
    (motor, drives): (&'a mut Option<LinearDrive>, &'static str),
    servo: &'a mut Option<LinearServo>,
    spring: &'a mut Option<LinearSpring>,
    resists: [&'a mut f32; 4],
) -> Vec<Parameter<'a>> {
    let mut list = vec![
        Parameter { name: "zero", what: "the slide that counts as zero", role: Role::SlideZero(zero) },
        Parameter { name: "limit", what: "least and greatest slide", role: Role::SlideLimit(limit) },
        Parameter { name: "motor", what: drives, role: Role::LinearMotor(Given::Maybe(motor)) },
        Parameter {
            name: "servo",
            what: "moves it towards a target; instead of a motor",
            role: Role::LinearServo(servo),
        },
        Parameter { name: "spring", what: "pulls it towards its rest position", role: Role::LinearSpring(spring) },
    ];
    list.extend(resistance::parameters(resists, false));
    list
}
