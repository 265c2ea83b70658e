//! Properties of rendered pictures, measured in pixels, on any adapter of the machine, including software adapters.

use glam::{Quat, Vec3};
use image::RgbaImage;

use super::{gallery::gallery, *};
use crate::{
    offscreen::Offscreen,
    orbit_view::OrbitView,
    palette,
    picture::{Arrow, BodyInstance, Dot, Fill, LineMark, Markings, MeshId, Theme},
};

const SIZE: (u32, u32) = (640, 360);

pub(super) fn gpu() -> Gpu {
    Gpu::headless().unwrap_or_else(|error| panic!("{error}"))
}

fn draw(gpu: &Gpu, picture: &Picture, camera: &Camera, quality: Quality) -> RgbaImage {
    let mut offscreen = Offscreen::new(gpu, SIZE.0, SIZE.1, quality).unwrap_or_else(|error| panic!("{error}"));
    offscreen.draw(picture, camera).unwrap_or_else(|error| panic!("{error}"))
}

/// The colour at the pixel of a world point, 0 to 255.
fn at(image: &RgbaImage, camera: &Camera, point: Vec3) -> [f32; 3] {
    let viewport = Vec2::new(image.width() as f32, image.height() as f32);
    let pixel = camera.project(point, viewport).expect("in front of the eye");
    let [r, g, b, _] = image.get_pixel(pixel.x as u32, pixel.y as u32).0;
    [r, g, b].map(f32::from)
}

fn brightness([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn looking_down() -> Camera {
    Camera::new(OrbitView::between(Vec3::new(4.0, -8.0, 7.0), Vec3::new(0.0, 0.0, 0.5)))
}

/// The point on the ground where the centre of a body's shadow falls.
fn shadow_of(centre: Vec3) -> Vec3 {
    let sun = crate::uniforms::to_sun();
    centre - sun * (centre.z / sun.z)
}

#[test]
fn a_box_has_its_colour_and_throws_a_shadow() {
    let gpu = gpu();
    let camera = looking_down();
    for theme in [Theme::Light, Theme::Dark] {
        for quality in [Quality::SOFTWARE, Quality::FULL] {
            let centre = Vec3::new(0.0, 0.0, 1.5);
            let picture = Picture {
                bodies: vec![BodyInstance {
                    position: centre,
                    scale: Vec3::splat(0.5),
                    color: palette::ORANGE,
                    ..Default::default()
                }],
                ground_grid: false,
                theme,
                ..Picture::default()
            };
            let image = draw(&gpu, &picture, &camera, quality);
            let [r, g, b] = at(&image, &camera, centre + Vec3::new(0.1, 0.1, 0.5));
            assert!(r > 150.0 && r > g && g > b + 40.0, "the orange top is {r} {g} {b}");
            let lit = brightness(at(&image, &camera, Vec3::new(2.0, 2.0, 0.0)));
            let shadowed = brightness(at(&image, &camera, shadow_of(centre)));
            assert!(shadowed < lit * 0.9, "{theme:?}: shadow {shadowed}, lit ground {lit}");
            let without = draw(&gpu, &Picture { shadows: false, ..picture }, &camera, quality);
            let same = brightness(at(&without, &camera, shadow_of(centre)));
            assert!((same - lit).abs() < 6.0, "without shadows: {same}, lit ground {lit}");
        }
    }
}

#[test]
fn a_selected_body_is_outlined_in_the_accent_colour_even_behind_another() {
    let gpu = gpu();
    let camera = looking_down();
    let accent = palette::ACCENT.map(|component| component * 255.0);
    let count = |selected: bool| {
        let hidden = BodyInstance { position: Vec3::Z, selected, scale: Vec3::splat(0.5), ..Default::default() };
        let away = (camera.eye() - Vec3::Z).normalize();
        let wall = BodyInstance { position: Vec3::Z + away * 2.0, scale: Vec3::splat(0.8), ..Default::default() };
        let picture = Picture { bodies: vec![hidden, wall], ..Picture::default() };
        let image = draw(&gpu, &picture, &camera, Quality::SOFTWARE);
        let near = |pixel: &&image::Rgba<u8>| (0..3).all(|i| (f32::from(pixel.0[i]) - accent[i]).abs() < 24.0);
        image.pixels().filter(near).count()
    };
    assert_eq!(count(false), 0);
    assert!(count(true) > 100, "{} pixels of outline", count(true));
}

#[test]
fn overlays_obey_depth_unless_on_top() {
    let gpu = gpu();
    let camera = looking_down();
    let wall = BodyInstance { position: Vec3::Z, color: [0.5; 3], pattern: Markings::Plain, ..Default::default() };
    let behind = Vec3::Z - (camera.eye() - Vec3::Z).normalize() * 4.0;
    let is_blue = |on_top: bool, which: usize| {
        let mut picture = Picture { bodies: vec![wall], ground_grid: false, ..Picture::default() };
        let color = palette::with_alpha(palette::BLUE, 1.0);
        let side = camera.view.right() * 0.4;
        match which {
            0 => picture.lines.push(LineMark { a: behind - side, b: behind + side, color, width_px: 4.0, on_top }),
            1 => picture.points.push(Dot { at: behind, color, radius_px: 5.0, on_top }),
            _ => picture.arrows.push(Arrow { from: behind - side, vector: side * 2.0, color, radius_px: 3.0, on_top }),
        }
        let [r, _, b] = at(&draw(&gpu, &picture, &camera, Quality::SOFTWARE), &camera, behind);
        b > r + 60.0
    };
    for which in 0..3 {
        assert!(is_blue(true, which), "overlay {which} must show through");
        assert!(!is_blue(false, which), "overlay {which} must be hidden");
    }
}

#[test]
fn every_mesh_shows_its_colour_in_its_place() {
    let gpu = gpu();
    let camera = looking_down();
    let mut picture = gallery(Theme::Light);
    picture.ground_grid = false;
    for mesh in [MeshId::Box, MeshId::Sphere, MeshId::Capsule, MeshId::Cylinder, MeshId::Hull(0)] {
        picture.bodies = vec![BodyInstance {
            mesh,
            position: Vec3::Z,
            color: palette::BLUE,
            pattern: Markings::Plain,
            ..Default::default()
        }];
        let [r, _, b] = at(&draw(&gpu, &picture, &camera, Quality::SOFTWARE), &camera, Vec3::Z);
        assert!(b > r + 40.0, "{mesh:?} is not to be seen");
    }
}

#[test]
fn a_view_in_a_larger_surface_leaves_the_rest_alone() {
    let gpu = gpu();
    let format = wgpu::TextureFormat::Bgra8UnormSrgb;
    let mut renderer = Renderer::new(&gpu, format, Quality::SOFTWARE);
    let surface = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 512, height: 256, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = surface.create_view(&wgpu::TextureViewDescriptor::default());
    let mut picture = gallery(Theme::Dark);
    // Sizes that change from frame to frame, and pictures that shrink and lose their hulls.
    for (frame, width) in [300, 512, 1, 0, 77].into_iter().enumerate() {
        renderer.prepare(&gpu.device, &gpu.queue, &picture, &looking_down(), [width, 200], None);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        renderer.draw(&mut encoder, &view, ViewportRect { x: 0, y: 56, width, height: 200 });
        gpu.queue.submit([encoder.finish()]);
        picture.bodies.truncate(20 - frame * 5);
        picture.hulls.truncate(1 - frame.min(1));
    }
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn an_empty_picture_and_bad_numbers_are_drawn_without_complaint() {
    let gpu = gpu();
    let mut picture = Picture::default();
    draw(&gpu, &picture, &Camera::default(), Quality::FULL);
    let bad = Vec3::splat(f32::NAN);
    let color = [f32::NAN, 2.0, -1.0, 0.5];
    picture.bodies.push(BodyInstance { position: bad, selected: true, ..Default::default() });
    picture.bodies.push(BodyInstance { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Default::default() });
    picture.lines.push(LineMark { a: bad, b: Vec3::ZERO, color, width_px: 1.0, on_top: true });
    picture.arrows.push(Arrow { from: Vec3::ZERO, vector: Vec3::ZERO, color, radius_px: 1.0, on_top: false });
    picture.points.push(Dot { at: bad, color, radius_px: f32::INFINITY, on_top: false });
    picture.fills.push(Fill { corners: [bad; 3], color });
    draw(&gpu, &picture, &Camera::default(), Quality::FULL);
}

#[test]
fn a_picture_file_has_the_size_asked_for() {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let path = folder.path().join("picture.png");
    // A width that is not a multiple of the row alignment.
    let camera = Camera::default();
    let gpu = gpu();
    let drawn = Offscreen::new(&gpu, 101, 67, Quality::FULL)
        .and_then(|mut offscreen| offscreen.save(&gallery(Theme::Light), &camera, &path));
    drawn.unwrap_or_else(|error| panic!("{error}"));
    let image = image::open(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((image.width(), image.height()), (101, 67));
    let nothing = Offscreen::new(&gpu, 0, 67, Quality::FULL).err();
    assert!(matches!(nothing, Some(crate::gpu::GpuError::Size { .. })));
}

#[test]
fn a_dark_floor_has_one_calm_tone_from_straight_above_and_carries_the_grid() {
    let gpu = gpu();
    let camera = Camera::new(OrbitView::between(Vec3::new(0.0, 0.0, 9.0), Vec3::ZERO));
    let floor = BodyInstance {
        position: Vec3::NEG_Z * 0.5,
        scale: Vec3::new(60.0, 60.0, 0.5),
        color: palette::fixed(Theme::Dark),
        ..Default::default()
    };
    let mut picture =
        Picture { bodies: vec![floor], theme: Theme::Dark, ground_grid: false, shadows: false, ..Picture::default() };
    let bare = draw(&gpu, &picture, &camera, Quality::SOFTWARE);
    // Between the grid lines; the sun's reflection is at the lower left.
    let places = (-5..=5).flat_map(|x| (-3..=2).map(move |y| Vec3::new(x as f32 + 0.45, y as f32 + 0.45, 0.0)));
    let tones: Vec<f32> = places.map(|place| brightness(at(&bare, &camera, place))).collect();
    let (darkest, brightest) = tones.iter().fold((f32::MAX, f32::MIN), |(a, b), tone| (a.min(*tone), b.max(*tone)));
    assert!(brightest - darkest < 8.0, "from {darkest} to {brightest}");
    assert!(brightest < 115.0, "a dark theme's floor is dark, not {brightest}");
    picture.ground_grid = true;
    let ruled = draw(&gpu, &picture, &camera, Quality::SOFTWARE);
    let line = Vec3::new(2.0, 0.45, 0.0);
    let (without, with) = (brightness(at(&bare, &camera, line)), brightness(at(&ruled, &camera, line)));
    assert!(with - without > 8.0, "a line of {with} on a floor of {without}");
}
