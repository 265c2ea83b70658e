//! The rotor that a slide drives: its speed is that of the slide, which turns with the bodies.
//!
//! ```text
//! q̇₋ = (q(0) − q(−h))/h = J u₀ − e(−h)/h        e(s) = q(s) − q(0) − s J u: what a straight way of s misses
//! q̇₊ = (q(h) − q(0))/h  = J u + e(h)/h
//! λ  = −I (q̇₊ − q̇₋)                             I: the inertia of the rotor on the joint's side of its gear
//! ```
//! A slide that turns with ω gains h r ω² in each step without any force on its rotor: with J u₀ in place of q̇₋ the rotor
//! would take part in the centrifugal force. e(h) is the curvature bias of a row (`shake.rs`) that starts with the present
//! velocities. About the axis of a hinge e is zero. Source: derived here.

use glam::Vec3;

use super::arcs::{self, Curve, Displacements, End};
use super::body::Velocity;
use super::row::{JointFrames, RowSpec};

/// The speed of a rotor before a step, and what the step's arc adds to it, m/s.
#[derive(Debug, Clone, Copy)]
pub struct RotorSpeed {
    /// q̇₋
    pub before: f32,
    /// e(h)/h with the velocities before the step.
    pub ahead: f32,
}

/// Of the row along a joint's axis at these frames, whose bodies move with these velocities.
pub fn speed(spec: &RowSpec, frames: &JointFrames, (a, b): (&Velocity, &Velocity), h: f32) -> RotorSpeed {
    let speed = spec.speed(a, b);
    if spec.is_angular() {
        return RotorSpeed { before: speed, ahead: 0.0 };
    }
    let end = |velocity: &Velocity, arm: Vec3, h: f32| {
        let turn = arcs::one(Vec3::from(velocity.angular) * h);
        End { shift: arcs::one(Vec3::from(velocity.linear) * h), turn, curve: Curve::of(turn), arm: arcs::one(arm) }
    };
    let missed = |h: f32| {
        let (a, b) = (end(a, frames.ra, h), end(b, frames.rb, h));
        let missed = Displacements::of(&a, &b).missed(arcs::one(frames.p()), (a.turn, a.curve));
        spec.jacobian.lin.dot(Vec3::new(missed.x, missed.y, missed.z))
    };
    RotorSpeed { before: speed - missed(-h) / h, ahead: missed(h) / h }
}
