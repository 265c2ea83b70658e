//! What must be seen in a picture, measured in pixels, on whatever adapter the machine has (software will do).

use std::sync::Arc;

use glam::{Quat, Vec3};
use image::RgbaImage;

use super::*;
use crate::render::{
    camera::View,
    offscreen::Offscreen,
    palette,
    picture::{Arrow, BodyInstance, Fill, HullMesh, Line, MeshId, Pattern, Point, Theme},
};

const SIZE: (u32, u32) = (640, 360);

fn gpu() -> Gpu {
    Gpu::headless().unwrap_or_else(|error| panic!("{error}"))
}

fn draw(gpu: &Gpu, picture: &Picture, camera: &Camera, quality: Quality) -> RgbaImage {
    let mut offscreen = Offscreen::new(gpu, SIZE.0, SIZE.1, quality).unwrap_or_else(|error| panic!("{error}"));
    offscreen.draw(picture, camera).unwrap_or_else(|error| panic!("{error}"))
}

/// The colour at the place where a world point is seen, 0 to 255.
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
    Camera::new(View::between(Vec3::new(4.0, -8.0, 7.0), Vec3::new(0.0, 0.0, 0.5)))
}

/// Where the middle of a body's shadow falls on the ground.
fn shadow_of(centre: Vec3) -> Vec3 {
    let sun = crate::render::frame::to_sun();
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
    let wall = BodyInstance { position: Vec3::Z, color: [0.5; 3], pattern: Pattern::Plain, ..Default::default() };
    let behind = Vec3::Z - (camera.eye() - Vec3::Z).normalize() * 4.0;
    let is_blue = |on_top: bool, which: usize| {
        let mut picture = Picture { bodies: vec![wall], ground_grid: false, ..Picture::default() };
        let color = palette::with_alpha(palette::BLUE, 1.0);
        let side = camera.view.right() * 0.4;
        match which {
            0 => picture.lines.push(Line { a: behind - side, b: behind + side, color, width_px: 4.0, on_top }),
            1 => picture.points.push(Point { at: behind, color, radius_px: 5.0, on_top }),
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
            pattern: Pattern::Plain,
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
    // Sizes that change from frame to frame, pictures that grow, shrink and lose their hulls.
    for (frame, width) in [300, 512, 1, 0, 77].into_iter().enumerate() {
        renderer.prepare(&gpu.device, &gpu.queue, &picture, &looking_down(), [width, 200]);
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
    picture.lines.push(Line { a: bad, b: Vec3::ZERO, color, width_px: 1.0, on_top: true });
    picture.arrows.push(Arrow { from: Vec3::ZERO, vector: Vec3::ZERO, color, radius_px: 1.0, on_top: false });
    picture.points.push(Point { at: bad, color, radius_px: f32::INFINITY, on_top: false });
    picture.fills.push(Fill { corners: [bad; 3], color });
    draw(&gpu, &picture, &Camera::default(), Quality::FULL);
}

/// A bit of everything.
fn gallery(theme: Theme) -> Picture {
    let mut picture = Picture { theme, ..Picture::default() };
    let mut id = 0;
    let mut add = |body: BodyInstance| {
        id += 1;
        picture.bodies.push(BodyInstance { id, ..body });
    };
    for row in 0..5 {
        for column in 0..5 - row {
            let y = (column as f32 - (4 - row) as f32 * 0.5) * 1.06;
            add(BodyInstance {
                position: Vec3::new(0.0, y, 0.5 + row as f32),
                scale: Vec3::splat(0.5),
                color: palette::body(0),
                hovered: row == 2 && column == 1,
                selected: row == 3 && column == 0,
                ..Default::default()
            });
        }
    }
    let tilt = Quat::from_euler(glam::EulerRot::XYZ, 0.5, 0.4, 0.3);
    for index in 0..3 {
        let radius = 0.3 + 0.15 * index as f32;
        add(BodyInstance {
            mesh: MeshId::Sphere,
            position: Vec3::new(2.4 + 0.3 * index as f32, -2.0 + 1.4 * index as f32, radius),
            rotation: Quat::from_rotation_x(index as f32) * tilt,
            scale: Vec3::splat(radius),
            color: palette::body(1),
            pattern: Pattern::TwoTone,
            ..Default::default()
        });
        add(BodyInstance {
            mesh: MeshId::Capsule,
            position: Vec3::new(3.6, -3.4 + 0.8 * index as f32, 0.25),
            rotation: Quat::from_rotation_z(0.4 * index as f32) * Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
            scale: Vec3::new(0.25, 0.25, 0.3 + 0.15 * index as f32),
            color: palette::body(2),
            pattern: Pattern::TwoTone,
            ..Default::default()
        });
    }
    add(BodyInstance {
        mesh: MeshId::Cylinder,
        position: Vec3::new(1.8, -3.2, 0.5),
        scale: Vec3::new(0.45, 0.45, 0.5),
        color: palette::body(4),
        pattern: Pattern::TwoTone,
        ..Default::default()
    });
    add(BodyInstance {
        position: Vec3::new(-2.5, 0.5, 0.15),
        scale: Vec3::new(1.2, 3.5, 0.15),
        color: palette::STATIC,
        ..Default::default()
    });
    add(BodyInstance {
        position: Vec3::new(-2.4, 2.4, 1.4),
        scale: Vec3::new(0.8, 0.8, 0.12),
        color: palette::KINEMATIC,
        pattern: Pattern::Striped,
        ..Default::default()
    });
    for index in 0..2 {
        add(BodyInstance {
            mesh: MeshId::Hull(0),
            position: Vec3::new(-2.4 + 4.6 * index as f32, -1.0 + 4.0 * index as f32, 1.3 - 0.3 * index as f32),
            rotation: Quat::from_rotation_y(0.3) * Quat::from_rotation_x(0.25),
            color: palette::body(3),
            ..Default::default()
        });
    }
    add(BodyInstance {
        mesh: MeshId::Sphere,
        position: Vec3::new(1.2, 0.6, 2.6),
        scale: Vec3::splat(0.4),
        color: palette::body(7),
        pattern: Pattern::TwoTone,
        opacity: 0.4,
        ..Default::default()
    });
    picture.hulls.push(Arc::new(diamond()));

    for column in 0..5 {
        let from = Vec3::new(0.5, (column as f32 - 2.0) * 1.06, 0.02);
        picture.arrows.push(Arrow {
            from,
            vector: Vec3::Z * (0.35 + 0.2 * column as f32) + Vec3::X * 0.6,
            color: palette::with_alpha(palette::VERMILION, 1.0),
            radius_px: 2.0,
            on_top: column % 2 == 0,
        });
        picture.points.push(Point {
            at: from,
            color: palette::with_alpha(palette::YELLOW, 1.0),
            radius_px: 4.0,
            on_top: true,
        });
    }
    let trail = |t: f32| Vec3::new(1.5 + 0.6 * t.cos(), 1.8 + 0.6 * t.sin(), 0.2 + 0.22 * t);
    for step in 0..60 {
        let t = step as f32 * 0.2;
        picture.lines.push(Line {
            a: trail(t),
            b: trail(t + 0.2),
            color: palette::with_alpha(palette::viridis(step as f32 / 59.0), 1.0),
            width_px: 2.5,
            on_top: false,
        });
    }
    for axis in [(Vec3::X, palette::AXIS_X), (Vec3::Y, palette::AXIS_Y), (Vec3::Z, palette::AXIS_Z)] {
        picture.arrows.push(Arrow {
            from: Vec3::new(3.0, 3.0, 1.0),
            vector: axis.0 * 0.6,
            color: palette::with_alpha(axis.1, 1.0),
            radius_px: 2.0,
            on_top: true,
        });
    }
    for step in 0..24 {
        let corner = |step: i32| {
            let angle = step as f32 / 24.0 * std::f32::consts::TAU;
            Vec3::new(3.0 + 0.5 * angle.cos(), 3.0 + 0.5 * angle.sin(), 1.6)
        };
        picture.fills.push(Fill {
            corners: [Vec3::new(3.0, 3.0, 1.0), corner(step), corner(step + 1)],
            color: palette::with_alpha(palette::SKY_BLUE, 0.25),
        });
    }
    picture
}

/// Two eight-sided pyramids, base to base, with a flat top.
fn diamond() -> HullMesh {
    let ring = |index: u32, radius: f32, z: f32| {
        let angle = index as f32 / 8.0 * std::f32::consts::TAU;
        Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut points = vec![Vec3::new(0.0, 0.0, -0.8), Vec3::new(0.0, 0.0, 0.4)];
    points.extend((0..8).map(|index| ring(index, 0.8, 0.0)));
    points.extend((0..8).map(|index| ring(index, 0.45, 0.4)));
    let triangles = (0..8).flat_map(|index| {
        let next = (index + 1) % 8;
        let (a, b, c, d) = (2 + index, 2 + next, 10 + next, 10 + index);
        [[0, b, a], [a, b, c], [a, c, d], [1, d, c]]
    });
    HullMesh { triangles: triangles.collect(), points }
}

#[test]
#[ignore = "writes pictures into the directory for temporary files, to look at"]
fn gallery_pictures() {
    let gpu = gpu();
    let close = View::between(Vec3::new(8.0, -8.0, 5.6), Vec3::new(0.6, 0.0, 1.0));
    let views = [
        ("gallery", gallery(Theme::Light), close),
        ("floor", on_a_floor(gallery(Theme::Light)), close),
        ("near", gallery(Theme::Light), View::between(Vec3::new(3.6, -3.4, 1.0), Vec3::new(2.2, -1.6, 0.4))),
        ("far", on_a_floor(gallery(Theme::Light)), View::between(Vec3::new(30.0, -60.0, 35.0), Vec3::ZERO)),
        ("top", gallery(Theme::Light), View::between(Vec3::new(0.0, 0.0, 14.0), Vec3::ZERO)),
        ("below", gallery(Theme::Light), View::between(Vec3::new(6.0, -9.0, -3.0), Vec3::new(0.6, 0.0, 1.0))),
    ];
    for (quality, kind) in [(Quality::FULL, "full"), (Quality::SOFTWARE, "software")] {
        let mut offscreen = Offscreen::new(&gpu, 1280, 720, quality).unwrap_or_else(|error| panic!("{error}"));
        for (theme, shade) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            for (name, picture, view) in &views {
                let mut picture = Picture { theme, ..picture.clone() };
                for body in picture.bodies.iter_mut().filter(|body| body.color == palette::STATIC) {
                    body.color = palette::fixed(theme);
                }
                let image = offscreen.draw(&picture, &Camera::new(*view)).unwrap_or_else(|error| panic!("{error}"));
                let path = std::env::temp_dir().join(format!("delassus-{name}-{shade}-{kind}.png"));
                image.save_with_format(&path, image::ImageFormat::Png).unwrap_or_else(|error| panic!("{error}"));
                println!("{}", path.display());
            }
        }
    }
}

/// A floor whose top is at z = 0, with walls: the pen of the book's demos.
fn on_a_floor(mut picture: Picture) -> Picture {
    let mut add = |position, scale| {
        picture.bodies.push(BodyInstance { position, scale, color: palette::STATIC, ..Default::default() });
    };
    add(Vec3::new(0.0, 0.0, -0.5), Vec3::new(50.0, 25.0, 0.5));
    for side in [-1.0, 1.0] {
        add(Vec3::new(side * 50.0, 0.0, 2.5), Vec3::new(1.0, 25.0, 2.5));
        add(Vec3::new(0.0, side * 25.0, 2.5), Vec3::new(50.0, 1.0, 2.5));
    }
    picture
}

#[test]
#[ignore = "measures; run it alone"]
fn frame_times() {
    let gpu = gpu();
    let camera = Camera::new(View::between(Vec3::new(16.0, -18.0, 12.0), Vec3::new(0.0, 0.0, 1.0)));
    println!("{}", gpu.describe());
    for count in [200, 2_000, 50_000] {
        let side = (count as f32).sqrt().ceil() as u32;
        let meshes = [MeshId::Box, MeshId::Sphere, MeshId::Capsule, MeshId::Cylinder];
        let body = |index: u32| BodyInstance {
            id: index,
            mesh: meshes[index as usize % 4],
            position: Vec3::new(
                (index % side) as f32 - side as f32 * 0.5,
                (index / side) as f32 - side as f32 * 0.5,
                0.5,
            ),
            scale: Vec3::splat(0.4),
            color: palette::body(index as usize),
            pattern: if index.is_multiple_of(4) { Pattern::Edges } else { Pattern::TwoTone },
            selected: index == 0,
            ..Default::default()
        };
        let picture = Picture { bodies: (0..count).map(body).collect(), ..Picture::default() };
        for (quality, kind) in [(Quality::SOFTWARE, "software"), (Quality::FULL, "full")] {
            let mut offscreen = Offscreen::new(&gpu, 1280, 720, quality).unwrap_or_else(|error| panic!("{error}"));
            offscreen.draw_only(&picture, &camera).unwrap_or_else(|error| panic!("{error}"));
            let times = (0..10).map(|_| {
                let start = std::time::Instant::now();
                offscreen.draw_only(&picture, &camera).unwrap_or_else(|error| panic!("{error}"));
                start.elapsed().as_secs_f64() * 1e3
            });
            println!("{count} bodies, {kind}: {:.1} ms at best", times.fold(f64::INFINITY, f64::min));
        }
    }
}
