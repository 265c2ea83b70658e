//! The camera: how it moves from one view to another, by mouse, wheel and keys. Where a view's eye stands is in
//! `render/orbit_view.rs`, what a pixel sees in `projection.rs`.

use glam::{Vec2, Vec3};

use super::orbit_view::{AxisView, DISTANCE_RANGE, OrbitView, wrap};

/// An eased motion has done 63 % of its way after this time, seconds.
const EASE_TIME: f32 = 0.07;
/// Radians of turn for each pixel of mouse motion.
const ORBIT_RATE: f32 = 0.006;
const LOOK_RATE: f32 = 0.004;
/// The part of the distance that one wheel notch takes away.
const ZOOM_NOTCH: f32 = 0.12;

/// The camera: the view it has, and the one it glides to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub view: OrbitView,
    /// Vertical field of view, radians.
    pub fov_y: f32,
    goal: OrbitView,
    /// Without perspective.
    pub(super) parallel: bool,
    /// Parallel only as long as it looks along an axis.
    until_turned: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self::new(OrbitView { focus: Vec3::new(0.0, 0.0, 1.0), distance: 12.0, yaw: -1.05, pitch: 0.38 })
    }
}

impl Camera {
    pub fn new(view: OrbitView) -> Self {
        Self { view, fov_y: 0.75, goal: view, parallel: false, until_turned: false }
    }

    /// Jumps there at once.
    pub fn set(&mut self, view: OrbitView) {
        self.view = view;
        self.goal = view;
    }

    /// Glides there.
    pub fn glide_to(&mut self, view: OrbitView) {
        self.goal = view;
        self.goal.distance = view.distance.clamp(DISTANCE_RANGE.0, DISTANCE_RANGE.1);
    }

    /// Is at once where it glides to.
    pub fn arrive(&mut self) {
        self.view = self.goal;
    }

    /// Advances the eased motions by `dt` seconds. True while the camera still moves, so that the window knows to
    /// draw another frame.
    pub fn update(&mut self, dt: f32) -> bool {
        let part = 1.0 - (-dt.max(0.0) / EASE_TIME).exp();
        let turn = wrap(self.goal.yaw - self.view.yaw);
        let rise = self.goal.pitch - self.view.pitch;
        let shift = self.goal.focus - self.view.focus;
        let stretch = self.goal.distance - self.view.distance;
        let remaining = turn.abs() + rise.abs() + (shift.length() + stretch.abs()) / self.view.distance;
        if remaining < 1e-4 || remaining.is_nan() {
            let moved = self.view != self.goal;
            self.view = self.goal;
            return moved;
        }
        // Focus and distance share one linear step: that keeps the point under the pointer still during a zoom.
        self.view.yaw = wrap(self.view.yaw + turn * part);
        self.view.pitch += rise * part;
        self.view.focus += shift * part;
        self.view.distance += stretch * part;
        true
    }

    /// Whether it shows perspective.
    pub fn has_perspective(&self) -> bool {
        !self.parallel
    }

    /// Shows perspective, or not, until it is told otherwise.
    pub fn set_perspective(&mut self, on: bool) {
        (self.parallel, self.until_turned) = (!on, false);
    }

    /// A view along an axis shows no perspective; turned out of it, it does again.
    fn turned_away(&mut self) {
        if std::mem::take(&mut self.until_turned) {
            self.parallel = false;
        }
    }

    /// Turns about the focus with the mouse, at once. `delta` in pixels.
    pub fn orbit(&mut self, delta: Vec2) {
        if delta != Vec2::ZERO {
            self.turned_away();
        }
        let (yaw, pitch) = (-delta.x * ORBIT_RATE, delta.y * ORBIT_RATE);
        self.view = self.view.turned(yaw, pitch);
        self.goal = self.goal.turned(yaw, pitch);
    }

    /// Moves sideways with the mouse, so that the focus's plane stays under the pointer. `delta` in pixels.
    pub fn pan(&mut self, delta: Vec2, viewport: Vec2) {
        let scale = 2.0 * self.view.distance * (self.fov_y * 0.5).tan() / viewport.y.max(1.0);
        let shift = (self.view.up() * delta.y - self.view.right() * delta.x) * scale;
        self.view.focus += shift;
        self.goal.focus += shift;
    }

    /// Wheel: nearer (positive notches) or farther, keeping the point under `pointer` in its place. Eased.
    /// `under_pointer` is what the pointer is on, if anything; else the plane through the focus is taken.
    pub fn zoom_to_pointer(&mut self, notches: f32, pointer: Vec2, viewport: Vec2, under_pointer: Option<Vec3>) {
        let wanted = self.goal.distance * (1.0 - ZOOM_NOTCH).powf(notches);
        let distance = wanted.clamp(DISTANCE_RANGE.0, DISTANCE_RANGE.1);
        let scale = distance / self.goal.distance;
        let (origin, direction) = self.ray(pointer, viewport);
        let anchor = under_pointer.unwrap_or_else(|| {
            let depth = direction.dot(self.view.forward()).max(1e-3);
            origin + direction * ((self.view.distance + self.behind()) / depth)
        });
        self.goal.focus = anchor + (self.goal.focus - anchor) * scale;
        self.goal.distance = distance;
    }

    /// Turns the head with the mouse: the eye stays, the focus swings. `delta` in pixels.
    pub fn look(&mut self, delta: Vec2) {
        if delta != Vec2::ZERO {
            self.turned_away();
        }
        let (yaw, pitch) = (-delta.x * LOOK_RATE, delta.y * LOOK_RATE);
        for view in [&mut self.view, &mut self.goal] {
            let eye = view.eye();
            *view = view.turned(yaw, pitch);
            view.focus = eye + view.forward() * view.distance;
        }
    }

    /// Flies (WASDQE): `direction` is (right, forward, up), each −1, 0 or 1; `speed` in metres a second.
    pub fn fly(&mut self, direction: Vec3, speed: f32, dt: f32) {
        let velocity = self.view.right() * direction.x + self.view.forward() * direction.y + Vec3::Z * direction.z;
        let shift = velocity.normalize_or_zero() * speed * dt;
        self.view.focus += shift;
        self.goal.focus += shift;
    }

    /// A comfortable flying speed here, metres a second.
    pub fn fly_speed(&self) -> f32 {
        (self.view.distance * 0.8).clamp(1.0, 100.0)
    }

    /// Glides until the box between `min` and `max` fills the view. `aspect` is width / height. A box with
    /// non-finite corners is ignored.
    pub fn frame(&mut self, min: Vec3, max: Vec3, aspect: f32) {
        if !(min.is_finite() && max.is_finite()) {
            return;
        }
        let radius = ((max - min).length() * 0.5).max(0.05);
        // The narrower of the two half angles must hold the enclosing sphere.
        let half_y = self.fov_y * 0.5;
        let half = half_y.min((half_y.tan() * aspect).atan());
        let distance = radius / half.sin() * 1.05;
        self.glide_to(OrbitView { focus: (min + max) * 0.5, distance, ..self.goal });
    }

    /// Glides to a view along an axis, without perspective until it is turned out of it.
    pub fn look_along(&mut self, axis: AxisView) {
        let (yaw, pitch) = axis.angles();
        self.glide_to(OrbitView { yaw, pitch, ..self.goal });
        self.until_turned |= !self.parallel;
        self.parallel = true;
    }

    /// Whether it looks along this axis, or glides there.
    pub fn looks_along(&self, axis: AxisView) -> bool {
        let (yaw, pitch) = axis.angles();
        wrap(self.goal.yaw - yaw).abs() < 1e-3 && (self.goal.pitch - pitch).abs() < 1e-3
    }

    pub fn eye(&self) -> Vec3 {
        self.view.eye()
    }
}

#[cfg(test)]
#[path = "camera_tests.rs"]
mod tests;
