//! The camera's geometry: pixels and rays are inverse, framing shows the whole box, motions end at their goals.

use std::f32::consts::FRAC_PI_2;

use super::*;

const VIEWPORT: Vec2 = Vec2::new(1280.0, 720.0);

fn cameras() -> Vec<Camera> {
    let mut cameras = Vec::new();
    for yaw in [-3.0, -1.1, 0.0, 0.7, 2.5] {
        for pitch in [-FRAC_PI_2, -0.4, 0.0, 0.6, FRAC_PI_2] {
            let focus = Vec3::new(1.0, -2.0, 3.0);
            cameras.push(Camera::new(OrbitView { focus, distance: 9.0, yaw, pitch }));
        }
    }
    cameras
}

#[test]
fn a_ray_through_a_points_pixel_passes_through_the_point() {
    for camera in cameras() {
        let around = [Vec3::ZERO, Vec3::X, -Vec3::Y, Vec3::Z, Vec3::new(1.5, 1.0, -0.7)];
        for point in around.map(|offset| camera.view.focus + offset) {
            let pixel = camera.project(point, VIEWPORT).expect("in front of the eye");
            let (origin, direction) = camera.ray(pixel, VIEWPORT);
            let to = point - origin;
            let miss = (to - direction * to.dot(direction)).length();
            assert!(miss < 1e-4, "missed by {miss} m from {:?}", camera.view);
        }
    }
}

#[test]
fn projecting_agrees_with_the_matrices() {
    for camera in cameras() {
        let point = camera.view.focus + Vec3::new(0.4, 0.8, -0.6);
        let clip = camera.view_projection(VIEWPORT) * point.extend(1.0);
        let ndc = clip.truncate() / clip.w;
        let expected = Vec2::new((ndc.x + 1.0) * 0.5 * VIEWPORT.x, (1.0 - ndc.y) * 0.5 * VIEWPORT.y);
        let pixel = camera.project(point, VIEWPORT).expect("in front of the eye");
        assert!((pixel - expected).length() < 0.01, "{pixel} against {expected}");
        assert!(ndc.z > 0.0 && ndc.z < 1.0);
    }
}

#[test]
fn depth_is_one_at_the_near_plane_and_falls_to_zero() {
    let camera = Camera::default();
    let depth = |metres: f32| {
        let clip = camera.view_projection(VIEWPORT) * (camera.eye() + camera.view.forward() * metres).extend(1.0);
        clip.z / clip.w
    };
    assert!((depth(camera.near()) - 1.0).abs() < 1e-3);
    assert!(depth(5.0) > depth(50.0));
    assert!(depth(1e6) < 1e-6);
}

#[test]
fn what_is_behind_the_eye_has_no_pixel() {
    let camera = Camera::default();
    assert_eq!(camera.project(camera.eye() - camera.view.forward(), VIEWPORT), None);
    assert_eq!(camera.project(Vec3::NAN, VIEWPORT), None);
}

#[test]
fn framing_puts_the_whole_box_into_the_view() {
    let (min, max) = (Vec3::new(-20.0, 3.0, -1.0), Vec3::new(4.0, 5.0, 9.0));
    for viewport in [VIEWPORT, Vec2::new(400.0, 900.0)] {
        for mut camera in cameras() {
            camera.frame(min, max, viewport.x / viewport.y);
            while camera.update(0.1) {}
            for corner in 0..8 {
                let pick = |bit: u32, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
                let corner = Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z));
                let pixel = camera.project(corner, viewport).expect("in front of the eye");
                let inside = pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(viewport).all();
                assert!(inside, "{corner} is drawn at {pixel} of {viewport}");
            }
        }
    }
}

#[test]
fn zooming_keeps_what_is_under_the_pointer() {
    let mut camera = Camera::default();
    let pointer = Vec2::new(900.0, 200.0);
    let (origin, direction) = camera.ray(pointer, VIEWPORT);
    let anchor = origin + direction * 8.0;
    camera.zoom_to_pointer(3.0, pointer, VIEWPORT, Some(anchor));
    let before = camera.view.distance;
    while camera.update(0.016) {
        let pixel = camera.project(anchor, VIEWPORT).expect("in front of the eye");
        assert!((pixel - pointer).length() < 0.2, "drifted to {pixel}");
    }
    assert!(camera.view.distance < 0.75 * before);
}

#[test]
fn panning_moves_the_focus_with_the_pointer() {
    let mut camera = Camera::default();
    let point = camera.view.focus;
    let before = camera.project(point, VIEWPORT).expect("in front of the eye");
    camera.pan(Vec2::new(40.0, -25.0), VIEWPORT);
    let after = camera.project(point, VIEWPORT).expect("in front of the eye");
    assert!((after - before - Vec2::new(40.0, -25.0)).length() < 0.05);
}

#[test]
fn looking_keeps_the_eye_and_orbiting_keeps_the_focus() {
    let mut camera = Camera::default();
    let eye = camera.eye();
    camera.look(Vec2::new(120.0, 30.0));
    assert!((camera.eye() - eye).length() < 1e-4);
    let focus = camera.view.focus;
    camera.orbit(Vec2::new(-300.0, 4000.0));
    assert_eq!(camera.view.focus, focus);
    assert_eq!(camera.view.pitch, FRAC_PI_2);
}

#[test]
fn the_axis_views_show_the_axes_that_their_names_promise() {
    for (axis, right, up) in
        [(AxisView::Front, Vec3::X, Vec3::Z), (AxisView::Side, Vec3::Y, Vec3::Z), (AxisView::Top, Vec3::X, Vec3::Y)]
    {
        let mut camera = Camera::default();
        camera.look_along(axis);
        while camera.update(0.1) {}
        assert!((camera.view.right() - right).length() < 1e-5, "{axis:?}");
        assert!((camera.view.up() - up).length() < 1e-5, "{axis:?}");
    }
}

#[test]
fn a_view_between_two_points_starts_and_ends_there() {
    for (eye, focus) in [(Vec3::new(3.0, -4.0, 5.0), Vec3::ONE), (Vec3::new(0.0, 0.0, 9.0), Vec3::ZERO)] {
        let view = OrbitView::between(eye, focus);
        assert!((view.eye() - eye).length() < 1e-4);
        assert_eq!(view.focus, focus);
    }
}

#[test]
fn a_pause_or_a_bad_time_step_does_no_harm() {
    let mut camera = Camera::default();
    camera.look_along(AxisView::Top);
    let before = camera.view;
    camera.update(0.0);
    assert_eq!(camera.view, before);
    camera.update(1e9);
    assert!(!camera.update(0.1) || camera.view.pitch > 1.5);
}

/// Views along an axis are parallel projections: depth does not change the pixel, and rays do not meet.
#[test]
fn views_along_an_axis_show_no_perspective_until_they_are_turned() {
    let mut camera = Camera::default();
    let point = Vec3::new(0.7, -0.4, 1.9);
    for axis in [AxisView::Front, AxisView::Side, AxisView::Top, AxisView::Back, AxisView::OtherSide, AxisView::Below] {
        camera.look_along(axis);
        while camera.update(0.05) {}
        assert!(camera.looks_along(axis) && !camera.has_perspective());
        let forward = camera.view.forward();
        let at = camera.project(point, VIEWPORT).expect("it is seen");
        let (origin, direction) = camera.ray(at, VIEWPORT);
        assert!(direction.distance(forward) < 1e-6);
        for depth in [-30.0, -3.0, 5.0, 60.0] {
            let other = camera.project(point + forward * depth, VIEWPORT).expect("before the eye and behind it");
            assert!(at.distance(other) < 1e-2, "{axis:?}: {at} {other}");
            // Drawing and picking agree.
            let clip = camera.view_projection(VIEWPORT) * (point + forward * depth).extend(1.0);
            let drawn = (Vec2::new(clip.x, -clip.y) / clip.w + 1.0) * 0.5 * VIEWPORT;
            assert!(drawn.distance(at) < 1e-2 && clip.z > 0.0 && clip.z < clip.w, "{axis:?}: {drawn}, {clip}");
            let along = point + forward * depth - origin;
            assert!(along.dot(direction) > 0.0, "the ray begins before it");
            assert!(along.reject_from(direction).length() < 2e-3, "{axis:?}");
        }
        // The scale is that of the perspective at the focus.
        let metre = camera.metres_per_pixel(camera.view.focus, VIEWPORT);
        let right = camera.project(camera.view.focus + camera.view.right(), VIEWPORT).expect("it is seen");
        assert!((right.x - VIEWPORT.x * 0.5 - 1.0 / metre).abs() < 0.1);
    }
    camera.orbit(Vec2::new(5.0, 0.0));
    assert!(camera.has_perspective(), "turned out of the axis");
    camera.set_perspective(false);
    camera.look_along(AxisView::Top);
    camera.orbit(Vec2::new(5.0, 0.0));
    assert!(!camera.has_perspective(), "asked for, it stays");
    camera.set_perspective(true);
    assert!(camera.has_perspective());
}

#[test]
fn without_perspective_too_a_zoom_keeps_what_is_under_the_pointer() {
    let mut camera = Camera::default();
    camera.look_along(AxisView::Front);
    while camera.update(0.05) {}
    let pointer = VIEWPORT * Vec2::new(0.3, 0.6);
    let seen = |camera: &Camera| {
        let (origin, direction) = camera.ray(pointer, VIEWPORT);
        origin.reject_from(direction)
    };
    let before = seen(&camera);
    camera.zoom_to_pointer(4.0, pointer, VIEWPORT, None);
    while camera.update(0.05) {}
    assert!(before.distance(seen(&camera)) < 2e-3, "{before} {}", seen(&camera));
}

/// What is at the sides of a picture with the design aspect stays visible in a narrower one.
#[test]
fn a_narrow_picture_holds_as_much_from_side_to_side() {
    let view = OrbitView::between(Vec3::new(0.0, -10.0, 0.0), Vec3::ZERO);
    let side = |aspect: f32| {
        let camera = Camera::new(view.in_a_picture(aspect));
        // A point in the plane through the focus, as a share of half the picture's width.
        let seen = camera.project(Vec3::X * 4.0, Vec2::new(400.0 * aspect, 400.0)).expect("it is in front");
        seen.x / (200.0 * aspect) - 1.0
    };
    for aspect in [0.5, 0.8, 1.0] {
        assert!((side(aspect) / side(1.3) - 1.0).abs() < 1e-4, "{aspect}: {} for {}", side(aspect), side(1.3));
    }
    assert_eq!(view.in_a_picture(1.8), view, "there is room to spare");
    // From a wide picture to a narrow one, 1.3 / 0.65 times as far, and back.
    let narrow = view.refitted(1.8, 0.65);
    assert!((narrow.distance / view.distance - 2.0).abs() < 1e-5, "{narrow:?}");
    assert!((narrow.refitted(0.65, 1.8).distance / view.distance - 1.0).abs() < 1e-5);
}
