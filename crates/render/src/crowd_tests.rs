//! A crowd looks the same as the same bodies in [`Picture::bodies`].

use std::sync::Arc;

use glam::{Quat, Vec3};
use image::RgbaImage;

use super::{gallery::gallery, tests::gpu, *};
use crate::{
    offscreen::Offscreen,
    orbit_view::OrbitView,
    picture::{BodyInstance, Crowd, HullMesh, Markings, MeshId, Theme},
};

const SIZE: (u32, u32) = (640, 360);

/// Bodies of all kinds and sizes, near, far and behind the eye, with current and previous poses; the mesh's origin is
/// offset in the body's frame.
fn bodies() -> Vec<(BodyInstance, [(Vec3, Quat); 2])> {
    // A pseudo-random sequence that is the same in every run.
    let mut state = 1u32;
    let mut next = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0
    };
    let meshes = [MeshId::Sphere, MeshId::Box, MeshId::Capsule, MeshId::Cylinder, MeshId::Hull(0)];
    let patterns = [Markings::TwoTone, Markings::Edges, Markings::Striped, Markings::Plain];
    (1..1500u32)
        .map(|id| {
            let far = 2.0 + 60.0 * next() * next();
            let at = Vec3::new((next() - 0.5) * far, (next() - 0.3) * far, next() * 3.0 + 0.5);
            let size = 0.03 + 0.3 * next() * next();
            let turn = Quat::from_euler(glam::EulerRot::XYZ, next() * 6.0, next() * 6.0, next() * 6.0);
            let moved = Vec3::new(next(), next(), next()) * 0.2;
            let before = (at - moved, turn * Quat::from_rotation_x(next()));
            let mesh = meshes[id as usize % meshes.len()];
            let body = BodyInstance {
                id,
                mesh,
                position: Vec3::new(next(), next(), next()) * 0.3,
                scale: if matches!(mesh, MeshId::Capsule | MeshId::Cylinder) {
                    Vec3::new(size, size, 2.0 * size)
                } else {
                    Vec3::splat(size)
                },
                color: [next(), next(), next()],
                pattern: patterns[id as usize / 7 % patterns.len()],
                ..BodyInstance::default()
            };
            (body, [before, (at, turn)])
        })
        .collect()
}

/// Numbers of the selected bodies and of the hovered one.
const SELECTED: [u32; 4] = [3, 17, 400, 1201];
const HOVERED: u32 = 25;

/// The same scene as bodies and as a crowd, with the crowd's poses.
fn pictures(alpha: f32, theme: Theme) -> (Picture, Picture, Vec<[[f32; 8]; 2]>) {
    let bodies = bodies();
    let hulls: Vec<Arc<HullMesh>> = gallery(theme).hulls;
    let usual = Picture { hulls, theme, ..Picture::default() };
    let one_by_one = bodies.iter().map(|(body, [(p, q), (x, r)])| {
        let (at, turn) = (p.lerp(*x, alpha), q.slerp(*r, alpha));
        let (selected, hovered) = (SELECTED.contains(&body.id), body.id == HOVERED);
        BodyInstance { position: at + turn * body.position, rotation: turn, selected, hovered, ..*body }
    });
    let crowd = Crowd {
        bodies: bodies.iter().map(|(body, _)| *body).collect(),
        revision: 1,
        selected: SELECTED.to_vec(),
        hovered: Some(HOVERED),
        alpha,
    };
    let pose = |(at, turn): (Vec3, Quat)| {
        let [x, y, z] = at.to_array();
        let [i, j, k, w] = turn.to_array();
        [x, y, z, 0.0, i, j, k, w]
    };
    // No body has the number 0.
    let mut poses = vec![[[f32::NAN; 8]; 2]];
    poses.extend(bodies.iter().map(|(_, both)| both.map(pose)));
    let one_by_one = Picture { bodies: one_by_one.collect(), ..usual.clone() };
    (one_by_one, Picture { crowd: Some(crowd), ..usual }, poses)
}

fn upload(gpu: &Gpu, poses: &[[[f32; 8]; 2]]) -> Poses {
    let [before, now] = [0, 1].map(|which| {
        let numbers: Vec<[f32; 8]> = poses.iter().map(|both| both[which]).collect();
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("poses"),
            size: size_of_val(&*numbers) as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&numbers));
        buffer
    });
    Poses { now, before: Some(before) }
}

fn draw(offscreen: &mut Offscreen<'_>, picture: &Picture, camera: &Camera) -> RgbaImage {
    // The crowd's extent is read back late: draw a few frames without motion first.
    let unsettled = if picture.crowd.is_some() { 4 } else { 0 };
    for _ in 0..unsettled {
        offscreen.draw(picture, camera).unwrap_or_else(|error| panic!("{error}"));
    }
    offscreen.draw(picture, camera).unwrap_or_else(|error| panic!("{error}"))
}

/// The share of pixels that differ by more than 6 of 255, and the share that is not background.
fn compare(a: &RgbaImage, b: &RgbaImage, empty: &RgbaImage) -> (f32, f32) {
    let far = |p: &image::Rgba<u8>, q: &image::Rgba<u8>| (0..3).any(|i| p.0[i].abs_diff(q.0[i]) > 6);
    let differ = a.pixels().zip(b.pixels()).filter(|(p, q)| far(p, q)).count();
    let drawn = a.pixels().zip(empty.pixels()).filter(|(p, q)| far(p, q)).count();
    let all = (a.width() * a.height()) as f32;
    (differ as f32 / all, drawn as f32 / all)
}

#[test]
fn a_crowd_is_drawn_as_its_bodies_are_one_by_one() {
    let gpu = gpu();
    if !gpu.draws_crowds() {
        eprintln!("skipped: {} draws no crowds", gpu.describe());
        return;
    }
    let near = Camera::new(OrbitView::between(Vec3::new(4.0, -8.0, 7.0), Vec3::new(0.0, 0.0, 0.5)));
    let far = Camera::new(OrbitView::between(Vec3::new(20.0, -30.0, 24.0), Vec3::new(0.0, 0.0, 0.5)));
    let mut parallel = near;
    parallel.set_perspective(false);
    let ways = [
        (Quality::SOFTWARE, &near, 1.0, Theme::Light),
        (Quality::SOFTWARE, &far, 0.25, Theme::Dark),
        (Quality::SOFTWARE, &parallel, 0.75, Theme::Light),
        (Quality::FULL, &near, 0.5, Theme::Dark),
    ];
    for (quality, camera, alpha, theme) in ways {
        let mut offscreen = Offscreen::new(&gpu, SIZE.0, SIZE.1, quality).unwrap_or_else(|error| panic!("{error}"));
        let (one_by_one, crowd, poses) = pictures(alpha, theme);
        let expected = draw(&mut offscreen, &one_by_one, camera);
        let empty = draw(&mut offscreen, &Picture { theme, ..Picture::default() }, camera);
        offscreen.poses = Some(upload(&gpu, &poses));
        let found = draw(&mut offscreen, &crowd, camera);
        let (differ, drawn) = compare(&expected, &found, &empty);
        // Rounding moves an edge by a pixel here and there, and a body to another level of detail.
        assert!(drawn > 0.01, "{drawn} of the picture is drawn");
        assert!(differ < 2e-3 * drawn.max(0.1), "{differ} of the picture differs, of {drawn}");
        // Without the crowd's poses the pictures differ: the comparison is not of background only.
        offscreen.poses = None;
        let (differ, _) = compare(&expected, &draw(&mut offscreen, &crowd, camera), &empty);
        assert!(differ > 0.9 * drawn, "{differ} of {drawn}");
    }
}

/// Changes of marks, colours and the number of bodies are drawn.
#[test]
fn a_crowd_that_changes_is_drawn_as_it_is_now() {
    let gpu = gpu();
    if !gpu.draws_crowds() {
        eprintln!("skipped: {} draws no crowds", gpu.describe());
        return;
    }
    let camera = Camera::new(OrbitView::between(Vec3::new(4.0, -8.0, 7.0), Vec3::new(0.0, 0.0, 0.5)));
    let mut offscreen = Offscreen::new(&gpu, SIZE.0, SIZE.1, Quality::SOFTWARE).unwrap_or_else(|e| panic!("{e}"));
    let (mut one_by_one, mut picture, poses) = pictures(1.0, Theme::Light);
    offscreen.poses = Some(upload(&gpu, &poses));
    let empty = draw(&mut offscreen, &Picture::default(), &camera);
    for change in 0..4u32 {
        let crowd = picture.crowd.as_mut().expect("a crowd");
        match change {
            0 => {
                crowd.selected.clear();
                crowd.hovered = None;
                one_by_one.bodies.iter_mut().for_each(|body| (body.selected, body.hovered) = (false, false));
            }
            1 => {
                crowd.selected = (1..1000).collect();
                one_by_one.bodies.iter_mut().for_each(|body| body.selected = body.id < 1000);
            }
            2 => {
                crowd.revision += 1;
                crowd.bodies.retain(|body| body.id % 3 == 0);
                one_by_one.bodies.retain(|body| body.id % 3 == 0);
            }
            _ => {
                crowd.revision += 1;
                for body in crowd.bodies.iter_mut().chain(&mut one_by_one.bodies) {
                    body.color = [0.9, 0.2, 0.1];
                }
            }
        }
        let found = draw(&mut offscreen, &picture, &camera);
        let poses = offscreen.poses.take();
        let expected = draw(&mut offscreen, &one_by_one, &camera);
        offscreen.poses = poses;
        let (differ, drawn) = compare(&expected, &found, &empty);
        assert!(drawn > 0.02 && differ < 2e-3 * drawn.max(0.1), "change {change}: {differ} of {drawn}");
    }
}
