//! Projection between world points and pixels.
//!
//! In view space x is right, y up, and the eye looks along −z. Depth is reversed with an infinite far plane: 1 at the
//! near plane, 0 at infinity, which keeps the precision where bodies are. In parallel projection the scale is that of
//! the perspective at the focus, and depth decreases linearly from 1 far behind the eye to 0 at the same distance
//! beyond the focus. Pixels count from the view's upper left corner, y down; a viewport is (width, height) in pixels.

use glam::{Mat3, Mat4, Quat, Vec2, Vec3, Vec4, camera::rh::proj::directx::perspective_infinite_reverse};

use super::camera::Camera;

impl Camera {
    /// How far behind the eye points are still visible, metres: 0 in perspective.
    pub fn behind(&self) -> f32 {
        if self.parallel { self.reach() - self.view.distance } else { 0.0 }
    }

    /// How far in front of and beyond the focus parallel projection reaches, metres.
    fn reach(&self) -> f32 {
        (20.0 * self.view.distance).clamp(200.0, 1e5)
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

    /// View space to clip space; reversed depth. In perspective the far plane is infinite; in parallel projection w
    /// is the focus's distance everywhere.
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

    /// The ray through a pixel: origin and unit direction, world frame. In parallel projection it begins
    /// [`Camera::behind`] the eye.
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

    /// The pixel at which a point is seen; `None` if it is not in front of the near plane.
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

    /// The depth that determines the drawn size of things at depth `depth` along the line of sight.
    pub fn scale_depth(&self, depth: f32) -> f32 {
        if self.parallel { self.view.distance } else { depth }
    }

    /// Metres that one pixel covers at the depth of `point`.
    pub fn metres_per_pixel(&self, point: Vec3, viewport: Vec2) -> f32 {
        let depth = self.scale_depth((point - self.eye()).dot(self.view.forward())).max(self.near());
        2.0 * depth * (self.fov_y * 0.5).tan() / viewport.y.max(1.0)
    }

    /// World to view rotation, for the axes cross in the corner.
    pub fn rotation(&self) -> Quat {
        Quat::from_mat4(&self.view_matrix())
    }
}

fn aspect_of(viewport: Vec2) -> f32 {
    viewport.x.max(1.0) / viewport.y.max(1.0)
}
