//! The uniforms of all shaders: camera, sun, theme; mirrors `shaders/frame.wgsl`.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::{
    camera::Camera,
    palette,
    picture::{Picture, Theme},
    shadow::SunView,
};

/// Direction towards the sun: from the left behind the default camera, so that a box shows three different shades.
const TO_SUN: Vec3 = Vec3::new(-0.36, -0.52, 0.9);

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct FrameUniforms {
    view_projection: [[f32; 4]; 4],
    sun_projection: [[f32; 4]; 4],
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    viewport: [f32; 4],
    sun: [f32; 4],
    sun_right: [f32; 4],
    sun_up: [f32; 4],
    sky: [f32; 4],
    ground: [f32; 4],
    zenith: [f32; 4],
    horizon: [f32; 4],
    nadir: [f32; 4],
    grid: [f32; 4],
    options: [f32; 4],
}

/// The unit vector towards the sun.
pub(super) fn to_sun() -> Vec3 {
    TO_SUN.normalize()
}

impl FrameUniforms {
    pub(super) fn new(picture: &Picture, camera: &Camera, viewport: Vec2, sun_view: &SunView) -> Self {
        let view = camera.view;
        let half_height = (camera.fov_y * 0.5).tan();
        let half_width = half_height * viewport.x / viewport.y;
        let light = Light::of(picture.theme);
        // Lines are drawn slightly nearer than the surface they are on: by this share of the distance.
        let (parallel, lift) = (!camera.has_perspective(), 0.002);
        let reach = camera.behind() + view.distance;
        let lift = if parallel { lift * view.distance / reach } else { lift };
        let grid_radius = (camera.view.distance * 14.0 + camera.eye().z.abs() * 6.0).clamp(40.0, 3000.0);
        // Invalid numbers mean no limit.
        let mark_limit = if picture.mark_limit > 0.0 { picture.mark_limit } else { f32::MAX };
        Self {
            view_projection: camera.view_projection(viewport).to_cols_array_2d(),
            sun_projection: sun_view.projection.to_cols_array_2d(),
            eye: camera.eye().extend(camera.near()).into(),
            right: view.right().extend(half_width).into(),
            up: view.up().extend(half_height).into(),
            forward: view.forward().extend(1.0 + lift).into(),
            viewport: [viewport.x, viewport.y, 1.0 / viewport.x, 1.0 / viewport.y],
            sun: to_sun().extend(light.sun).into(),
            sun_right: sun_view.right.extend(sun_view.width).into(),
            sun_up: sun_view.up.extend(sun_view.depth).into(),
            sky: linear(light.sky).extend(light.ground_shadow).into(),
            ground: linear(light.ground).extend(if picture.shadows { 1.0 } else { 0.0 }).into(),
            zenith: Vec3::from(light.zenith).extend(if parallel { 1.0 } else { 0.0 }).into(),
            horizon: Vec3::from(light.horizon).extend(0.0).into(),
            nadir: Vec3::from(light.nadir).extend(0.0).into(),
            grid: Vec3::from(light.grid).extend(light.grid_strength).into(),
            options: [if picture.edges { 1.0 } else { 0.0 }, grid_radius, light.edge_strength, mark_limit],
        }
    }
}

/// A theme's light and colours, sRGB.
struct Light {
    sun: f32,
    sky: [f32; 3],
    ground: [f32; 3],
    ground_shadow: f32,
    zenith: [f32; 3],
    horizon: [f32; 3],
    nadir: [f32; 3],
    grid: [f32; 3],
    grid_strength: f32,
    edge_strength: f32,
}

impl Light {
    fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self {
                sun: 0.78,
                sky: [0.70, 0.72, 0.75],
                ground: [0.52, 0.51, 0.50],
                ground_shadow: 0.26,
                zenith: [0.80, 0.84, 0.89],
                horizon: [0.95, 0.96, 0.97],
                nadir: [0.87, 0.88, 0.90],
                grid: [0.22, 0.26, 0.32],
                grid_strength: 1.0,
                edge_strength: 0.62,
            },
            Theme::Dark => Self {
                sun: 0.74,
                sky: [0.62, 0.65, 0.70],
                ground: [0.40, 0.40, 0.42],
                ground_shadow: 0.42,
                zenith: [0.10, 0.11, 0.13],
                horizon: [0.22, 0.235, 0.26],
                nadir: [0.165, 0.175, 0.195],
                grid: [0.85, 0.90, 1.0],
                grid_strength: 0.8,
                edge_strength: 0.66,
            },
        }
    }
}

fn linear(srgb: [f32; 3]) -> Vec3 {
    Vec3::from(srgb.map(palette::linear))
}
