//! A scene as text, for engines that are not written in Rust: a line each for the world, a body and a joint.
//!
//! ```text
//! world COLLIDE G H               1 or 0, m/s², s
//! ball X Y Z MASS RADIUS          m, kg
//! box X Y Z MASS HX HY HZ         half sides, m
//! capsule X Y Z MASS RADIUS HALF  half the length of its axis along z, m
//! point A B X Y Z AX AY AZ        body indices (A is -1 for the world), anchor, m, and axis
//! hinge …, LOW HIGH               stops, rad
//! cone …, SWING TWIST             rad
//! fixed …
//! end
//! ```

use std::fmt::Write;

use glam::Vec3;

use crate::scene::{G, H, Kind, Scene, Shape};

impl Scene {
    /// The scene as text.
    pub fn text(&self) -> String {
        let mut text = format!("world {} {G} {H}\n", i32::from(self.collide));
        let vector = |v: Vec3| format!("{} {} {}", v.x, v.y, v.z);
        for body in &self.bodies {
            let (word, size) = match body.shape {
                Shape::Ball(radius) => ("ball", format!("{radius}")),
                Shape::Box(half) => ("box", vector(half)),
                Shape::Capsule(radius, half) => ("capsule", format!("{radius} {half}")),
            };
            let _ = writeln!(text, "{word} {} {} {size}", vector(body.at), body.mass);
        }
        for joint in &self.joints {
            let (word, stops) = match joint.kind {
                Kind::Ball => ("point", String::new()),
                Kind::Hinge(low, high) => ("hinge", format!("{low} {high}")),
                Kind::ConeTwist(swing, twist) => ("cone", format!("{swing} {twist}")),
                Kind::Fixed => ("fixed", String::new()),
            };
            let a = joint.a.map_or(-1, |a| a as i64);
            let _ = writeln!(text, "{word} {a} {} {} {} {stops}", joint.b, vector(joint.anchor), vector(joint.axis));
        }
        text + "end\n"
    }
}
