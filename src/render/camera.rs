//! The camera: where the eye is, how it moves, and what a pixel sees.
//!
//! World Z up, right-handed. The eye circles a focus: at `yaw` 0 it stands on the +x side, at 90° on the +y side;
//! `pitch` is its elevation. In view space x is right, y up, and the eye looks along −z. Depth is reversed with
//! an infinite far plane: 1 at the near plane, 0 at infinity, which keeps its precision where bodies are.
//! Without perspective the rays are parallel: the picture is as large as perspective shows it at the focus, and depth
//! falls evenly from 1 far behind the eye to 0 as far beyond.
//! Pixels count from the view's upper left corner, y down; a viewport is (width, height) in the same pixels.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::{Mat3, Mat4, Quat, Vec2, Vec3, Vec4, camera::rh::proj::directx::perspective_infinite_reverse};

/// An eased motion has done 63 % of its way after this time, seconds.
const EASE_TIME: f32 = 0.07;
const DISTANCE_RANGE: (f32, f32) = (0.02, 5000.0);
/// Radians of turn for each pixel of mouse motion.
const ORBIT_RATE: f32 = 0.006;
const LOOK_RATE: f32 = 0.004;
/// The part of the distance that one wheel notch takes away.
const ZOOM_NOTCH: f32 = 0.12;

/// A place to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// What the eye looks at and circles, metres.
    pub focus: Vec3,
    /// From the eye to the focus, metres.
    pub distance: f32,
    /// About Z, radians.
    pub yaw: f32,
    /// Elevation of the eye above the focus, radians, −π/2 to π/2.
    pub pitch: f32,
}

/// The views along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From −y: x to the right, z up.
    Front,
    /// From +x: y to the right, z up.
    Side,
    /// From +z: x to the right, y up.
    Top,
    /// From +y.
    Back,
    /// From −x.
    OtherSide,
    /// From −z.
    Below,
}

impl AxisView {
    /// Yaw and pitch, radians.
    fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (-FRAC_PI_2, 0.0),
            Self::Side => (0.0, 0.0),
            Self::Top => (-FRAC_PI_2, FRAC_PI_2),
            Self::Back => (FRAC_PI_2, 0.0),
            Self::OtherSide => (PI, 0.0),
            Self::Below => (-FRAC_PI_2, -FRAC_PI_2),
        }
    }
}

/// Width / height of the narrowest picture that the views in scene files are made for.
const MADE_FOR: f32 = 1.3;

/// The camera: the view it has, and the one it glides to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub view: View,
    /// Vertical field of view, radians.
    pub fov_y: f32,
    goal: View,
    /// Without perspective.
    parallel: bool,
    /// Parallel only as long as it looks along an axis.
    until_turned: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self::new(View { focus: Vec3::new(0.0, 0.0, 1.0), distance: 12.0, yaw: -1.05, pitch: 0.38 })
    }
}

impl View {
    /// The view of an eye at `eye` that looks at `focus`.
    pub fn between(eye: Vec3, focus: Vec3) -> Self {
        let back = eye - focus;
        let distance = back.length().max(DISTANCE_RANGE.0);
        let pitch = (back.z / distance).clamp(-1.0, 1.0).asin();
        // Straight above there is no direction to read a yaw from: x to the right, as in the top view.
        let yaw = if back.truncate().length() > 1e-6 { back.y.atan2(back.x) } else { -FRAC_PI_2 };
        Self { focus, distance, yaw, pitch }
    }

    /// From farther off in a picture that is narrower than the scenes' views are made for, so that it holds as much from
    /// side to side. `aspect` is width / height.
    pub fn in_a_picture(self, aspect: f32) -> Self {
        // A sliver of a picture says nothing of how far is far enough.
        let narrower = (MADE_FOR / aspect.max(0.4)).max(1.0);
        Self { distance: (self.distance * narrower).min(DISTANCE_RANGE.1), ..self }
    }

    pub fn eye(&self) -> Vec3 {
        self.focus - self.forward() * self.distance
    }

    /// Unit vector of the line of sight.
    pub fn forward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        -Vec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch)
    }

    /// Unit vector to the right of the picture; always level.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        Vec3::new(-sin_yaw, cos_yaw, 0.0)
    }

    /// Unit vector to the top of the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    fn turned(mut self, yaw: f32, pitch: f32) -> Self {
        self.yaw = wrap(self.yaw + yaw);
        self.pitch = (self.pitch + pitch).clamp(-FRAC_PI_2, FRAC_PI_2);
        self
    }
}

impl Camera {
    pub fn new(view: View) -> Self {
        Self { view, fov_y: 0.75, goal: view, parallel: false, until_turned: false }
    }

    /// Jumps there at once.
    pub fn set(&mut self, view: View) {
        self.view = view;
        self.goal = view;
    }

    /// Glides there.
    pub fn glide_to(&mut self, view: View) {
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

    /// How far behind the eye there is still something to see, metres: nothing in perspective.
    pub fn behind(&self) -> f32 {
        if self.parallel { self.reach() - self.view.distance } else { 0.0 }
    }

    /// How far before and beyond the focus parallel rays see, metres.
    fn reach(&self) -> f32 {
        (20.0 * self.view.distance).clamp(200.0, 1e5)
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
        self.glide_to(View { focus: (min + max) * 0.5, distance, ..self.goal });
    }

    /// Glides to a view along an axis, without perspective until it is turned out of it.
    pub fn look_along(&mut self, axis: AxisView) {
        let (yaw, pitch) = axis.angles();
        self.glide_to(View { yaw, pitch, ..self.goal });
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

    /// Distance of the near plane, metres.
    pub fn near(&self) -> f32 {
        (self.view.distance * 0.01).clamp(0.002, 0.1)
    }

    /// World to view space.
    pub fn view_matrix(&self) -> Mat4 {
        let axes = Mat3::from_cols(self.view.right(), self.view.up(), -self.view.forward());
        let rotation = Mat4::from_mat3(axes.transpose());
        rotation * Mat4::from_translation(-self.eye())
    }

    /// View space to clip space; reversed depth. In perspective the far plane is infinite; parallel rays have the
    /// focus's distance for w everywhere, as if all stood there.
    pub fn projection_matrix(&self, aspect: f32) -> Mat4 {
        if self.parallel {
            let (half, reach, w) = ((self.fov_y * 0.5).tan(), self.reach(), self.view.distance);
            return Mat4::from_cols(
                Vec4::X / (half * aspect.max(1e-3)),
                Vec4::Y / half,
                // Depth is ½ at the focus.
                Vec4::Z * (0.5 * w / reach),
                Vec4::new(0.0, 0.0, w * 0.5 * (1.0 + w / reach), w),
            );
        }
        perspective_infinite_reverse(self.fov_y, aspect.max(1e-3), self.near())
    }

    /// World to clip space.
    pub fn view_projection(&self, viewport: Vec2) -> Mat4 {
        self.projection_matrix(aspect_of(viewport)) * self.view_matrix()
    }

    /// From the eye through a pixel: origin and unit direction. Parallel rays begin [`Camera::behind`] it.
    pub fn ray(&self, pixel: Vec2, viewport: Vec2) -> (Vec3, Vec3) {
        let tan_y = (self.fov_y * 0.5).tan();
        let x = (2.0 * pixel.x / viewport.x.max(1.0) - 1.0) * tan_y * aspect_of(viewport);
        let y = (1.0 - 2.0 * pixel.y / viewport.y.max(1.0)) * tan_y;
        let aside = self.view.right() * x + self.view.up() * y;
        if self.parallel {
            let forward = self.view.forward();
            return (self.eye() + aside * self.view.distance - forward * self.behind(), forward);
        }
        (self.eye(), (self.view.forward() + aside).normalize())
    }

    /// The pixel at which a point is seen; `None` when it is not in front of the near plane.
    pub fn project(&self, point: Vec3, viewport: Vec2) -> Option<Vec2> {
        let to = point - self.eye();
        let mut depth = to.dot(self.view.forward());
        if self.parallel {
            let seen = (depth - self.view.distance).abs() < self.reach();
            depth = if seen { self.view.distance } else { f32::NAN };
        }
        if depth <= self.near() || depth.is_nan() {
            return None;
        }
        let tan_y = (self.fov_y * 0.5).tan();
        let x = to.dot(self.view.right()) / (depth * tan_y * aspect_of(viewport));
        let y = to.dot(self.view.up()) / (depth * tan_y);
        Some(Vec2::new((x + 1.0) * 0.5 * viewport.x, (1.0 - y) * 0.5 * viewport.y))
    }

    /// The distance at which perspective shows things as large as they are shown at this one along the line of sight.
    pub fn scale_depth(&self, depth: f32) -> f32 {
        if self.parallel { self.view.distance } else { depth }
    }

    /// Metres that one pixel covers at the depth of `point`.
    pub fn metres_per_pixel(&self, point: Vec3, viewport: Vec2) -> f32 {
        let depth = self.scale_depth((point - self.eye()).dot(self.view.forward())).max(self.near());
        2.0 * depth * (self.fov_y * 0.5).tan() / viewport.y.max(1.0)
    }

    /// World to view rotation, for drawing the little axes cross in a corner.
    pub fn rotation(&self) -> Quat {
        Quat::from_mat4(&self.view_matrix())
    }
}

fn aspect_of(viewport: Vec2) -> f32 {
    viewport.x.max(1.0) / viewport.y.max(1.0)
}

/// The same angle between −π and π.
fn wrap(angle: f32) -> f32 {
    let turned = (angle + PI).rem_euclid(TAU) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}

#[cfg(test)]
#[path = "camera_tests.rs"]
mod tests;
