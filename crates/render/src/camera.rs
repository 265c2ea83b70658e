//! The camera: transitions between views, and control by mouse, wheel and keys. The position of a view's eye is
//! computed in `render/orbit_view.rs`, projection in `projection.rs`.

use glam::{Vec2, Vec3};

use super::orbit_view::{AxisView, DISTANCE_RANGE, OrbitView, wrap};

/// Time constant of eased motions, seconds: the time in which 63 % of the change is made.
const EASE_TIME: f32 = 0.07;
/// Rotation per pixel of mouse motion, radians.
const ORBIT_RATE: f32 = 0.006;
const LOOK_RATE: f32 = 0.004;
/// The share by which one wheel notch reduces the distance.
const ZOOM_NOTCH: f32 = 0.12;

/// The camera: its current view, and the view it moves to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub view: OrbitView,
    /// Vertical field of view, radians.
    pub fov_y: f32,
    goal: OrbitView,
    /// Parallel projection.
    pub(super) parallel: bool,
    /// The parallel projection ends when the camera is turned away from the axis.
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

    /// Jumps to a view.
    pub fn set(&mut self, view: OrbitView) {
        self.view = view;
        self.goal = view;
    }

    /// Moves to a view smoothly.
    pub fn glide_to(&mut self, view: OrbitView) {
        self.goal = view;
        self.goal.distance = view.distance.clamp(DISTANCE_RANGE.0, DISTANCE_RANGE.1);
    }

    /// Jumps to the goal of the current motion.
    pub fn arrive(&mut self) {
        self.view = self.goal;
    }

    /// Advances eased motions by `dt` seconds. True while the camera moves, so that the window draws another frame.
    pub fn update(&mut self, dt: f32) -> bool {
        let share = 1.0 - (-dt.max(0.0) / EASE_TIME).exp();
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
        // Focus and distance advance by the same share, so that the point under the pointer stays fixed during a
        // zoom.
        self.view.yaw = wrap(self.view.yaw + turn * share);
        self.view.pitch += rise * share;
        self.view.focus += shift * share;
        self.view.distance += stretch * share;
        true
    }

    /// Whether the projection is a perspective one.
    pub fn has_perspective(&self) -> bool {
        !self.parallel
    }

    /// Sets perspective or parallel projection permanently.
    pub fn set_perspective(&mut self, on: bool) {
        (self.parallel, self.until_turned) = (!on, false);
    }

    /// Ends the parallel projection of a view along an axis when the camera is turned.
    fn turned_away(&mut self) {
        if std::mem::take(&mut self.until_turned) {
            self.parallel = false;
        }
    }

    /// Orbits about the focus, without easing. `delta`: mouse motion in pixels.
    pub fn orbit(&mut self, delta: Vec2) {
        if delta != Vec2::ZERO {
            self.turned_away();
        }
        let (yaw, pitch) = (-delta.x * ORBIT_RATE, delta.y * ORBIT_RATE);
        self.view = self.view.turned(yaw, pitch);
        self.goal = self.goal.turned(yaw, pitch);
    }

    /// Moves sideways so that the plane through the focus follows the pointer. `delta`: mouse motion in pixels.
    pub fn pan(&mut self, delta: Vec2, viewport: Vec2) {
        let scale = 2.0 * self.view.distance * (self.fov_y * 0.5).tan() / viewport.y.max(1.0);
        let shift = (self.view.up() * delta.y - self.view.right() * delta.x) * scale;
        self.view.focus += shift;
        self.goal.focus += shift;
    }

    /// Wheel zoom: nearer (positive notches) or farther, with easing, keeping the point under `pointer` fixed.
    /// `under_pointer` is the world point under the pointer; without one, the point in the plane through the focus.
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

    /// Turns the line of sight: the eye stays, the focus moves. `delta`: mouse motion in pixels.
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

    /// Flies (WASDQE): `direction` is (right, forward, up), each −1, 0 or 1; `speed` in metres per second, `dt` in
    /// seconds.
    pub fn fly(&mut self, direction: Vec3, speed: f32, dt: f32) {
        let velocity = self.view.right() * direction.x + self.view.forward() * direction.y + Vec3::Z * direction.z;
        let shift = velocity.normalize_or_zero() * speed * dt;
        self.view.focus += shift;
        self.goal.focus += shift;
    }

    /// The flying speed for the current distance, metres per second.
    pub fn fly_speed(&self) -> f32 {
        (self.view.distance * 0.8).clamp(1.0, 100.0)
    }

    /// Moves so that the box between `min` and `max` fills the view. `aspect` is width / height. A box with
    /// non-finite corners is ignored.
    pub fn frame(&mut self, min: Vec3, max: Vec3, aspect: f32) {
        if !(min.is_finite() && max.is_finite()) {
            return;
        }
        let radius = ((max - min).length() * 0.5).max(0.05);
        // The enclosing sphere must fit the narrower of the two half angles.
        let half_y = self.fov_y * 0.5;
        let half = half_y.min((half_y.tan() * aspect).atan());
        let distance = radius / half.sin() * 1.05;
        self.glide_to(OrbitView { focus: (min + max) * 0.5, distance, ..self.goal });
    }

    /// Moves to a view along an axis, in parallel projection until the camera is turned away from it.
    pub fn look_along(&mut self, axis: AxisView) {
        let (yaw, pitch) = axis.angles();
        self.glide_to(OrbitView { yaw, pitch, ..self.goal });
        self.until_turned |= !self.parallel;
        self.parallel = true;
    }

    /// Whether it looks along this axis, or is moving there.
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
