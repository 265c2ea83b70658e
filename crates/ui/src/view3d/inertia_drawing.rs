//! Draws what a body's mass and inertia are alike: a box of even density, and the ellipsoid of inertia.

use std::f32::consts::TAU;

use glam::{Mat3, Vec3};

use crate::view3d::overlays;
use crate::view3d::picture_builder::{PictureBuilder, Show};
use crate::view3d::placing::{drawn, size_of};
use delassus_physics::inertia::Principal;
use delassus_render::palette::with_alpha;
use delassus_session::BodyView;

/// Widths of the box's edges and of the ellipsoid's sections, points.
const EDGE: f32 = 1.4;
const SECTION: f32 = 1.4;
/// The least size on screen of a body whose inertia is drawn, as the radius of a mark, points.
const MIN_SIZE: f32 = 2.0;

impl PictureBuilder {
    /// Draws the inertia of a body about its centre of mass, unless impulses do not turn it or it is too small on screen.
    pub(crate) fn inertia(&mut self, body: &BodyView, centre: Vec3, show: &Show<'_>) {
        if body.inertia == Mat3::ZERO || body.mass <= 0.0 || show.mark(centre, MIN_SIZE, size_of(&body.solid)).is_none()
        {
            return;
        }
        let principal = Principal::of(&body.inertia);
        let turn = drawn(body, show.alpha).rotation * principal.axes;
        let color = with_alpha(overlays::INERTIA, 0.95);
        let half = principal.equivalent_box(body.mass);
        let corner = |i: usize| {
            let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            centre + turn * (half * Vec3::new(sign(0), sign(1), sign(2)))
        };
        for i in 0..8usize {
            for bit in (0..3).filter(|bit| i >> bit & 1 == 0) {
                self.line(corner(i), corner(i | 1 << bit), color, EDGE * show.pixels, true);
            }
        }
        let axes = principal.ellipsoid(body.mass);
        let quiet = with_alpha(overlays::INERTIA, 0.6);
        for (u, v) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            let at = |angle: f32| centre + turn * (axes * (u * angle.cos() + v * angle.sin()));
            self.curve(at, (0.0, TAU), quiet, SECTION * show.pixels);
        }
    }
}
