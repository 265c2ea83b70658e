//! A picture with some of everything, for inspection and measurement: `cargo test -p delassus-render gallery -- --ignored --nocapture`.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{tests::gpu, *};
use crate::{
    instances::Instances,
    offscreen::Offscreen,
    orbit_view::OrbitView,
    palette,
    picture::{Arrow, BodyInstance, Dot, Fill, HullMesh, LineMark, Markings, MeshId, Theme},
};

/// Placeholder colour of static bodies, replaced once the theme is known.
const STILL: [f32; 3] = [0.5; 3];

/// A picture with some of everything.
pub(super) fn gallery(theme: Theme) -> Picture {
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
            pattern: Markings::TwoTone,
            ..Default::default()
        });
        add(BodyInstance {
            mesh: MeshId::Capsule,
            position: Vec3::new(3.6, -3.4 + 0.8 * index as f32, 0.25),
            rotation: Quat::from_rotation_z(0.4 * index as f32) * Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
            scale: Vec3::new(0.25, 0.25, 0.3 + 0.15 * index as f32),
            color: palette::body(2),
            pattern: Markings::TwoTone,
            ..Default::default()
        });
    }
    add(BodyInstance {
        mesh: MeshId::Cylinder,
        position: Vec3::new(1.8, -3.2, 0.5),
        scale: Vec3::new(0.45, 0.45, 0.5),
        color: palette::body(4),
        pattern: Markings::TwoTone,
        ..Default::default()
    });
    add(BodyInstance {
        position: Vec3::new(-2.5, 0.5, 0.15),
        scale: Vec3::new(1.2, 3.5, 0.15),
        color: STILL,
        ..Default::default()
    });
    add(BodyInstance {
        position: Vec3::new(-2.4, 2.4, 1.4),
        scale: Vec3::new(0.8, 0.8, 0.12),
        color: palette::KINEMATIC,
        pattern: Markings::Striped,
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
        pattern: Markings::TwoTone,
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
        picture.points.push(Dot {
            at: from,
            color: palette::with_alpha(palette::YELLOW, 1.0),
            radius_px: 4.0,
            on_top: true,
        });
    }
    let trail = |t: f32| Vec3::new(1.5 + 0.6 * t.cos(), 1.8 + 0.6 * t.sin(), 0.2 + 0.22 * t);
    for step in 0..60 {
        let t = step as f32 * 0.2;
        picture.lines.push(LineMark {
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
    let close = OrbitView::between(Vec3::new(8.0, -8.0, 5.6), Vec3::new(0.6, 0.0, 1.0));
    let views = [
        ("gallery", gallery(Theme::Light), close),
        ("floor", on_a_floor(gallery(Theme::Light)), close),
        ("near", gallery(Theme::Light), OrbitView::between(Vec3::new(3.6, -3.4, 1.0), Vec3::new(2.2, -1.6, 0.4))),
        ("far", on_a_floor(gallery(Theme::Light)), OrbitView::between(Vec3::new(30.0, -60.0, 35.0), Vec3::ZERO)),
        ("top", gallery(Theme::Light), OrbitView::between(Vec3::new(0.0, 0.0, 14.0), Vec3::ZERO)),
        ("below", gallery(Theme::Light), OrbitView::between(Vec3::new(6.0, -9.0, -3.0), Vec3::new(0.6, 0.0, 1.0))),
    ];
    for (quality, kind) in [(Quality::FULL, "full"), (Quality::SOFTWARE, "software")] {
        let mut offscreen = Offscreen::new(&gpu, 1280, 720, quality).unwrap_or_else(|error| panic!("{error}"));
        for (theme, shade) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            for (name, picture, view) in &views {
                let mut picture = Picture { theme, ..picture.clone() };
                for body in picture.bodies.iter_mut().filter(|body| body.color == STILL) {
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

/// A floor whose top is at z = 0, with walls, as in the book's demos.
fn on_a_floor(mut picture: Picture) -> Picture {
    let mut add = |position, scale| {
        picture.bodies.push(BodyInstance { position, scale, color: STILL, ..Default::default() });
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
    let camera = Camera::new(OrbitView::between(Vec3::new(16.0, -18.0, 12.0), Vec3::new(0.0, 0.0, 1.0)));
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
            pattern: if index.is_multiple_of(4) { Markings::Edges } else { Markings::TwoTone },
            selected: index == 0,
            ..Default::default()
        };
        let picture = Picture { bodies: (0..count).map(body).collect(), ..Picture::default() };
        let mut instances = Instances::default();
        let mut sort = || {
            let start = std::time::Instant::now();
            instances.sort(&picture, &[], &camera, Vec2::new(1280.0, 720.0), 1.0);
            start.elapsed().as_secs_f64() * 1e3
        };
        println!("{count} bodies, sorting: {:.2} ms", sort().min(sort()).min(sort()));
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
