//! Framing of the view, and the highlight of bodies under the pointer.

use glam::{Vec2, Vec3};

use crate::shell::state::UiState;
use crate::view3d::picture_builder::{PictureBuilder, Show};
use crate::view3d::placing::bounds;
use crate::view3d::preview::Preview;
use crate::view3d::visibility::Visibility;
use delassus_physics::shape::Shape;
use delassus_render::{camera::Camera, orbit_view::OrbitView, palette, picture::Theme};
use delassus_session::Session;

const SCENE: &str = r#"(
    version: 1,
    title: "Near and far",
    bodies: [
        (name: "floor", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "post", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), motion: Static),
        (name: "near", shape: Sphere(radius: 0.5), at: (2, 0, 0.5)),
        (name: "far", shape: Sphere(radius: 0.5), at: (40, 0, 0.5)),
    ],
)"#;

fn session() -> Session {
    Session::from_text(SCENE, "near-and-far.ron").expect("the scene is right")
}

#[test]
fn only_what_is_seen_is_framed_unless_nothing_is() {
    let session = session();
    let mut visibility = Visibility::default();
    let mut around = |hidden: &[&str]| {
        visibility.show_all();
        visibility.hide(hidden.iter().copied(), true);
        visibility.update(&session);
        let (min, max) = bounds(session.snapshot(), &[], &visibility).expect("there are bodies");
        [min.x.round(), max.x.round()]
    };
    // Halves are rounded away from zero: 1.5 becomes 2.
    assert_eq!(around(&[]), [2.0, 41.0]);
    assert_eq!(around(&["far"]), [2.0, 3.0]);
    assert_eq!(around(&["near"]), [40.0, 41.0]);
    assert_eq!(around(&["near", "far"]), [-50.0, 50.0], "the floor and the post are what is seen");
    assert_eq!(around(&["near", "far", "floor"]), [-1.0, 1.0]);
    assert_eq!(around(&["near", "far", "floor", "post"]), [2.0, 41.0], "nothing is seen: as if everything were");
}

/// A ball 1 m beside its hinge: it swings to the other side and below, but neither along the axis nor through the
/// floor; beside the same hinge upright it keeps its height.
#[test]
fn what_hangs_has_room_to_swing() {
    let around = |axis: &str, top: f32| {
        let scene = format!(
            r#"(version: 1, title: "t", bodies: [
                (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, {}), motion: Static),
                (name: "ball", shape: Sphere(radius: 0.2), at: (1, 0, 2)),
            ], joints: [(b: "ball", anchor: (0, 0, 2), axis: {axis}, kind: Hinge)])"#,
            top - 0.5
        );
        let session = Session::from_text(&scene, "hinge.ron").expect("the scene is right");
        bounds(session.snapshot(), &[], &Visibility::default()).expect("there are bodies")
    };
    let same = |found: (Vec3, Vec3), least: Vec3, greatest: Vec3| {
        assert!(found.0.distance(least) < 1e-5 && found.1.distance(greatest) < 1e-5, "{found:?}");
    };
    // The farthest corner of the ball's box is (1.2, 0.2, 0.2) from the hinge.
    let reach = Vec3::new(1.2, 0.2, 0.2).length();
    let side = Vec3::new(1.2, 0.2, 2.2);
    same(around("(0, 1, 0)", 0.0), Vec3::new(-1.2, -0.2, 2.0 - reach), side);
    same(around("(0, 1, 0)", 1.5), Vec3::new(-1.2, -0.2, 1.5), side);
    same(around("(0, 0, 1)", 0.0), Vec3::new(-1.2, -0.2, 1.8), side);
}

/// What the picture shows initially: everything.
fn show<'a>(session: &Session, camera: &'a Camera, visibility: &'a Visibility, preview: &'a Preview) -> Show<'a> {
    Show {
        overlays: UiState::default().view3d.overlays,
        theme: Theme::Dark,
        alpha: 1.0,
        h: session.snapshot().sub_step,
        newtons_a_metre: 10.0,
        selected: &[],
        hovered: None,
        joint: None,
        more_joints: &[],
        preview,
        others: &[],
        visibility,
        on_device: None,
        pixels: 1.0,
        camera,
        viewport: Vec2::new(800.0, 600.0),
    }
}

/// The boxes of a chain seem to float unless a line from a joint's anchor to its body is drawn: from the centre of the
/// upper one, 1 m away, to the near face of the lower one, half a side before its centre. An anchor inside its body, or
/// on its face, needs none.
#[test]
fn a_joint_away_from_its_body_is_drawn_up_to_it() {
    const CHAIN: &str = r#"(
        version: 1,
        title: "Link",
        bodies: [
            (name: "upper", shape: Box(half: (0.25, 0.25, 0.25)), at: (0, 0, 5), motion: Static),
            (name: "lower", shape: Box(half: (0.25, 0.25, 0.25)), at: (1, 0, 5), mass: 1),
            (name: "beside", shape: Box(half: (0.25, 0.25, 0.25)), at: (1.5, 0, 5), mass: 1),
        ],
        joints: [
            (name: "link", a: "upper", b: "lower", anchor: (0, 0, 5), kind: BallSocket),
            (name: "face", a: "lower", b: "beside", anchor: (1.25, 0, 5), kind: BallSocket),
        ],
    )"#;
    let session = Session::from_text(CHAIN, "link.ron").expect("the scene is right");
    let camera = Camera::new(OrbitView::between(Vec3::new(0.0, -6.0, 5.0), Vec3::new(0.0, 0.0, 5.0)));
    let (visibility, preview) = (Visibility::default(), Preview::default());
    let mut builder = PictureBuilder::default();
    let lines = &builder.set(session.snapshot(), &show(&session, &camera, &visibility, &preview)).lines;
    let ends: Vec<_> = lines.iter().map(|line| (line.a, line.b)).collect();
    assert_eq!(ends, [(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.75, 0.0, 5.0))]);
}

#[test]
fn a_floor_keeps_its_tone_under_the_pointer_and_suits_the_theme() {
    let session = session();
    let snapshot = session.snapshot();
    let camera = Camera::new(OrbitView::between(Vec3::new(0.0, 0.0, 12.0), Vec3::ZERO));
    let drawn = |hovered: u32, theme: Theme| {
        let (visibility, preview) = (Visibility::default(), Preview::default());
        let show = Show { theme, hovered: Some(hovered), ..show(&session, &camera, &visibility, &preview) };
        let mut builder = PictureBuilder::default();
        let bodies = &builder.set(snapshot, &show).bodies;
        bodies.iter().find(|b| b.id == hovered).map(|b| (b.hovered, b.color)).expect("it is drawn")
    };
    for body in &snapshot.bodies {
        let floor = matches!(body.solid.shape, Shape::Box { half } if half.x > 10.0);
        assert_eq!(drawn(body.id, Theme::Dark).0, !floor, "{} lights up under the pointer", body.name);
    }
    let floor = snapshot.bodies[0].id;
    for theme in [Theme::Dark, Theme::Light] {
        assert_eq!(drawn(floor, theme).1, palette::fixed(theme));
    }
}
