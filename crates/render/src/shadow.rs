//! The sun's view of the bodies: an orthographic shadow map, fitted to the shadow casters near the camera's focus.

use glam::{Mat4, Vec2, Vec3, camera::rh::proj::directx::orthographic};

use crate::{camera::Camera, quality::Quality, uniforms::to_sun};

pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Shadows reach from the focus to this multiple of the eye's distance.
const REACH: f32 = 1.8;
/// The map's width relative to the width of its content.
const MARGIN: f32 = 1.06;

/// The extent of the shadow casters as the sun sees them, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowExtent {
    /// Across the rays, of the casters near the camera's focus that are not floors or walls.
    pub low: Vec2,
    pub high: Vec2,
    /// Along the rays, of all casters above the map: the greatest and the least height towards the sun.
    pub nearest: f32,
    pub farthest: f32,
}

/// The position of the map in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct SunView {
    /// World to the map's clip space, with depth 0 nearest to the sun.
    pub projection: Mat4,
    /// Unit vectors across the rays.
    pub right: Vec3,
    pub up: Vec3,
    /// The centre of the map across the rays, metres.
    pub middle: Vec2,
    /// Side of the square map, metres.
    pub width: f32,
    /// Range of its depth, metres.
    pub depth: f32,
    /// Height towards the sun of the map's nearest depth, metres.
    pub nearest: f32,
}

impl SunView {
    /// How far from the camera's focus shadows are drawn, metres.
    pub(super) fn reach(camera: &Camera) -> f32 {
        camera.view.distance * REACH
    }

    /// The extent that the map covers.
    pub(super) fn extent(&self) -> ShadowExtent {
        let half = Vec2::splat(self.width * 0.5 / MARGIN);
        let nearest = self.nearest;
        ShadowExtent { low: self.middle - half, high: self.middle + half, nearest, farthest: nearest - self.depth }
    }

    /// The coordinates of a point across the rays, metres.
    pub(super) fn flat(&self, point: Vec3) -> Vec2 {
        Vec2::new(point.dot(self.right), point.dot(self.up))
    }

    /// Fits the map to the spheres (centre, radius) of shadow casters and to the known extent of others. `texels` is
    /// the side of the map.
    pub(super) fn fit(
        casters: impl Iterator<Item = (Vec3, f32)> + Clone,
        others: Option<ShadowExtent>,
        camera: &Camera,
        texels: u32,
    ) -> Self {
        let sun = to_sun();
        let right = Vec3::Z.cross(sun).normalize();
        let up = sun.cross(right);
        let flat = |point: Vec3| Vec2::new(point.dot(right), point.dot(up));

        let reach = Self::reach(camera);
        let focus = flat(camera.view.focus);
        let (mut low, mut high) = others.map_or((Vec2::INFINITY, Vec2::NEG_INFINITY), |o| (o.low, o.high));
        for (centre, radius) in casters.clone() {
            // Floors and walls would spread the map over irrelevant areas; they cast shadows only within the map.
            if radius < reach * 0.5 && flat(centre).distance(focus) < reach + radius {
                low = low.min(flat(centre) - radius);
                high = high.max(flat(centre) + radius);
            }
        }
        let (low, high) = (low.max(focus - reach), high.min(focus + reach));
        let (middle, extent) = if low.cmplt(high).all() {
            ((low + high) * 0.5, (high - low).max_element())
        } else {
            (focus, reach.min(10.0))
        };
        // The width changes in steps and the centre by whole texels: otherwise the shadows' rims would crawl as
        // bodies move.
        let width = 1.19_f32.powf((extent * MARGIN).max(0.2).log(1.19).ceil());
        let texel = width / texels as f32;
        let middle = (middle / texel).round() * texel;

        let (mut nearest, mut farthest) =
            others.map_or((f32::NEG_INFINITY, f32::INFINITY), |o| (o.nearest, o.farthest));
        for (centre, radius) in casters {
            if (flat(centre) - middle).abs().max_element() < width * 0.5 + radius {
                nearest = nearest.max(centre.dot(sun) + radius);
                farthest = farthest.min(centre.dot(sun) - radius);
            }
        }
        if nearest <= farthest {
            let height = camera.view.focus.dot(sun);
            (nearest, farthest) = (height + 1.0, height - 1.0);
        }
        let depth = nearest - farthest;
        let to_sun_space = Mat4::from_cols(
            Vec3::new(right.x, up.x, sun.x).extend(0.0),
            Vec3::new(right.y, up.y, sun.y).extend(0.0),
            Vec3::new(right.z, up.z, sun.z).extend(0.0),
            Vec3::new(-middle.x, -middle.y, -nearest).extend(1.0),
        );
        let half = width * 0.5;
        let projection = orthographic(-half, half, -half, half, 0.0, depth) * to_sun_space;
        Self { projection, right, up, middle, width, depth, nearest }
    }
}

/// The shadow map's texture and the bindings to read it.
pub(super) struct ShadowMap {
    pub view: wgpu::TextureView,
    pub layout: wgpu::BindGroupLayout,
    pub bind_group: wgpu::BindGroup,
}

impl ShadowMap {
    pub(super) fn new(device: &wgpu::Device, quality: &Quality) -> Self {
        let side = quality.shadow_map;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow map"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow comparison"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let texture_entry = |binding, sample_type| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("shadow map"),
            entries: &[
                texture_entry(0, wgpu::TextureSampleType::Depth),
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
                    count: None,
                },
                texture_entry(2, wgpu::TextureSampleType::Float { filterable: false }),
            ],
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow map"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&sampler) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(&view) },
            ],
        });
        Self { view, layout, bind_group }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_holds_every_caster_near_the_focus() {
        let casters = [(Vec3::new(0.0, 0.0, 1.0), 1.0), (Vec3::new(4.0, -3.0, 2.0), 0.5), (Vec3::ZERO, 80.0)];
        let view = SunView::fit(casters.into_iter(), None, &Camera::default(), 1024);
        for (centre, radius) in &casters[..2] {
            for side in [view.right, -view.right, view.up, -view.up, to_sun(), -to_sun()] {
                let clip = view.projection * (*centre + side * *radius).extend(1.0);
                assert!(clip.x.abs() <= 1.0 && clip.y.abs() <= 1.0, "{clip}");
                assert!((0.0..=1.0).contains(&clip.z), "{clip}");
            }
        }
        assert!(view.width < 20.0, "a floor does not spread the map: {}", view.width);
    }

    #[test]
    fn an_empty_scene_has_a_finite_map() {
        let view = SunView::fit(std::iter::empty(), None, &Camera::default(), 1024);
        assert!(view.projection.is_finite() && view.width > 0.0 && view.depth > 0.0);
    }
}
