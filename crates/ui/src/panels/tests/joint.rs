//! The joint's page, the doctor's tab and what is drawn of joints, driven without a display.

use egui_kittest::kittest::Queryable;
use glam::{Vec2, Vec3};

use crate::{
    RightTab, UiState,
    bench::{Bench, window_of},
    view3d::{
        overlays::{self, Overlays},
        picture_builder::{PictureBuilder, Show},
    },
};
use delassus_render::{
    camera::Camera,
    palette::{self, with_alpha},
    picture::Theme,
};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Joints",
    settings: (preset: SingleStep, step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "door", shape: Box(half: (0.5, 0.05, 1)), at: (0.5, 0, 1), mass: 2),
        (name: "load", shape: Box(half: (0.2, 0.2, 0.2)), at: (3, 0, 1), mass: 4),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (0, 0, 1), axis: (0, 0, 1),
            kind: Hinge(limit: (Degrees(-30), Degrees(60)), motor: (speed: 2, max_torque: 5))),
        (name: "weld", b: "load", anchor: (3, 0, 1), kind: Fixed(), breaks: (force: 10)),
    ],
)"#;

fn bench(text: &str) -> Bench {
    Bench::of(Session::from_text(text, "joints.ron").expect("the scene is right"))
}

fn steps(session: &mut Session, count: usize) {
    (0..count).for_each(|_| session.dispatch(Command::Step).expect("a scene is open"));
}

#[test]
fn the_joint_s_page_shows_value_limits_and_groups() {
    let mut harness = window_of(bench(SCENE));
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.state_mut().state.selection.click_joint(0);
    steps(&mut harness.state_mut().session, 120);
    harness.run();
    // It is at its upper stop, which balances the motor's 5 N·m.
    for label in ["at its upper limit", "60.00°", "5.00 N·m", "−5.00 N·m", "Motor", "Limit"] {
        assert!(harness.query_all_by_label_contains(label).next().is_some(), "{label} is not there");
    }
}

/// A winch whose motor stalls where the rope ends, and a rope over sheaves.
const WINCH: &str = r#"(
    version: 1,
    title: "Winch",
    bodies: [
        (
            name: "drum", shape: Cylinder(radius: 0.15, half_length: 0.1), at: (0, 0, 2),
            rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(-90)), mass: 5, collide: false,
        ),
        (name: "load", shape: Sphere(radius: 0.05), at: (-0.15, 0, 1.8), mass: 20, collide: false),
        (name: "weight", shape: Sphere(radius: 0.1), at: (2, 0, 1), mass: 3),
    ],
    joints: [
        // 20 kg · 9.81 m/s² · 0.15 m = 29.4 N·m, of which the drum's stop takes up to 1.05 times as much.
        (b: "drum", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0.3, max_torque: 30.3))),
        (a: "drum", b: "load", axis: (0, 1, 0), kind: Drum(radius: 0.15)),
        (b: "weight", anchor_a: (1, 0, 1), kind: Pulley(over_a: (1, 0, 3), over_b: (2, 0, 3))),
    ],
)"#;

#[test]
fn the_pages_of_ropes_show_where_they_end() {
    let mut harness = window_of(bench(WINCH));
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.state_mut().state.selection.click_joint(1);
    steps(&mut harness.state_mut().session, 900);
    harness.run();
    for label in ["wound up to its end", "Limit"] {
        assert!(harness.query_all_by_label_contains(label).next().is_some(), "{label} is not there");
    }
    let limit = harness.state().session.snapshot().joints[1].readout.limit;
    let shown = crate::widgets::number::with_unit(f64::from(limit), "N");
    assert!(limit > 1.0 && harness.query_all_by_label_contains(&shown).next().is_some(), "{shown} is not there");
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    assert!(harness.query_all_by_label_contains("taut").next().is_some());
}

#[test]
fn a_broken_joint_is_told_and_shown() {
    let mut harness = window_of(bench(&SCENE.replace("(0, 0, 0)", "(0, 0, -9.81)")));
    harness.run();
    assert_eq!(harness.state().state.notices.iter().count(), 0);
    steps(&mut harness.state_mut().session, 1);
    harness.run_steps(3);
    let notices: Vec<_> = harness.state().state.notices.iter().map(|t| t.text.clone()).collect();
    assert!(notices.len() == 1 && notices[0].starts_with("weld broke under 39.2 N"), "{notices:?}");
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.state_mut().state.selection.click_joint(1);
    harness.run_steps(3);
    assert!(harness.query_all_by_label_contains("broke at 0.017 s").next().is_some());
    // After a reset the joint is whole, and its next break is reported again.
    harness.state_mut().session.dispatch(Command::Reset).expect("a scene is open");
    harness.run_steps(3);
    assert_eq!(harness.state().state.announced.broken.0, 0);
    assert!(harness.query_all_by_label_contains("broke at").next().is_none());
}

#[test]
fn the_doctor_s_tab_selects_and_mends() {
    let apart = SCENE.replace("anchor: (3, 0, 1)", "anchor_a: (3, 0, 1), anchor_b: (-0.5, 0, 0)");
    let mut harness = window_of(bench(&apart));
    harness.run();
    harness.get_by_label("Doctor: 1 finding").click();
    harness.run();
    assert_eq!(harness.state().state.right_tab, RightTab::Doctor);
    assert!(harness.query_all_by_label_contains("The ends of weld are 0.500 m apart").next().is_some());
    let chip = format!("{} weld", char::from(lucide_icons::Icon::Link2));
    harness.get_by_label(&chip).click();
    harness.run();
    assert_eq!(harness.state().state.selection.joint, Some(1));
    harness.get_by_label("Bring the anchors together").click();
    harness.run();
    assert!(harness.state().session.findings().is_empty());
    assert!(harness.query_by_label("Nothing found.").is_some());
    harness.state_mut().session.dispatch(Command::Undo).expect("it can be undone");
    harness.state_mut().session.dispatch(Command::Examine).expect("a scene is open");
    assert_eq!(harness.state().session.findings().len(), 1);
}

/// The lines of one colour in the picture of a session.
fn lines(session: &Session, joint: Option<usize>, color: [f32; 3]) -> Vec<(Vec3, Vec3)> {
    lines_over(session, joint, color, UiState::default().view3d.overlays)
}

/// The same with these overlays.
fn lines_over(session: &Session, joint: Option<usize>, color: [f32; 3], overlays: Overlays) -> Vec<(Vec3, Vec3)> {
    lines_of(session, (joint, &[]), color, overlays)
}

/// The same with more selected joints.
fn lines_of(
    session: &Session,
    (joint, more_joints): (Option<usize>, &[usize]),
    color: [f32; 3],
    overlays: Overlays,
) -> Vec<(Vec3, Vec3)> {
    let camera = Camera::default();
    let show = Show {
        overlays,
        theme: Theme::Dark,
        alpha: 1.0,
        h: session.snapshot().sub_step,
        newtons_a_metre: 10.0,
        selected: &[],
        hovered: None,
        joint,
        more_joints,
        preview: &crate::view3d::preview::Preview::default(),
        others: &[],
        visibility: &crate::view3d::visibility::Visibility::default(),
        on_device: None,
        pixels: 1.0,
        camera: &camera,
        viewport: Vec2::new(800.0, 600.0),
    };
    let mut builder = PictureBuilder::default();
    let picture = builder.set(session.snapshot(), &show);
    let of = |c: [f32; 4]| c[..3] == with_alpha(color, 1.0)[..3];
    picture.lines.iter().filter(|l| of(l.color)).map(|l| (l.a, l.b)).collect()
}

/// Of three selected joints one was orange.
#[test]
fn all_selected_joints_have_the_colour_of_the_selection() {
    let session = Session::from_text(&SCENE.replace("kind: Fixed()", "axis: (0, 0, 1), kind: Hinge()"), "joints.ron")
        .expect("the scene is right");
    let overlays = UiState::default().view3d.overlays;
    let near = |lines: &[(Vec3, Vec3)], x: f32| lines.iter().any(|(a, _)| (a.x - x).abs() < 1.0);
    for (more, both) in [(&[][..], false), (&[0][..], true)] {
        let orange = lines_of(&session, (Some(1), more), palette::ACCENT, overlays);
        assert!(near(&orange, 3.0), "the one that is shown");
        assert_eq!(near(&orange, 0.0), both, "{orange:?}");
    }
}

/// The arc runs from stop to stop about the hinge's axis, and its hand points to the door.
#[test]
fn a_hinge_s_arc_has_its_ends_at_the_stops() {
    let mut session = Session::from_text(SCENE, "joints.ron").expect("the scene is right");
    steps(&mut session, 10);
    let angle = session.snapshot().joints[0].readout.value;
    let hinge = Vec3::new(0.0, 0.0, 1.0);
    let bearing = |p: Vec3| (p - hinge).y.atan2((p - hinge).x).to_degrees();
    let hands = lines(&session, None, overlays::hand(Theme::Dark));
    assert_eq!(hands.len(), 1);
    assert!((bearing(hands[0].1) - angle.to_degrees()).abs() < 0.1, "{hands:?} at {angle}");
    let arc: Vec<f32> = (lines(&session, None, overlays::JOINT).into_iter())
        .filter(|(a, b)| a.distance(hinge) > 0.1 && b.distance(hinge) > 0.1 && (a.z - 1.0).abs() < 1e-4)
        .map(|(a, _)| bearing(a))
        .collect();
    let (least, greatest) = arc.iter().fold((180.0f32, -180.0f32), |(l, g), v| (l.min(*v), g.max(*v)));
    // The last piece ends at 60°; pieces are 90°/16.
    assert!((least + 30.0).abs() < 0.1 && (54.0..=60.1).contains(&greatest), "{least} to {greatest}");
    // At the stop the hand has another colour.
    steps(&mut session, 120);
    assert!(lines(&session, None, overlays::hand(Theme::Dark)).is_empty());
    assert_eq!(lines(&session, None, overlays::AT_STOP).len(), 1);
}

/// The box of the same inertia as a box of even density is that box; a floor, which nothing turns, has none. The ellipsoid
/// of inertia is longest along the axis of the least moment, s²/k₁ with the radii of gyration k and their geometric mean s.
#[test]
fn the_inertia_of_a_box_is_drawn_as_that_box() {
    let session = Session::from_text(
        r#"(version: 1, title: "Box", bodies: [
            (name: "bar", shape: Box(half: (1, 0.2, 0.1)), at: (0, 0, 3), mass: 2),
            (name: "floor", shape: Box(half: (9, 9, 0.5)), motion: Static),
        ])"#,
        "box.ron",
    )
    .expect("the scene is right");
    let overlays = Overlays { inertia: true, ..UiState::default().view3d.overlays };
    let drawn = lines_over(&session, None, overlays::INERTIA, overlays);
    let (edges, sections) = drawn.split_at(12);
    let extent = |lines: &[(Vec3, Vec3)]| {
        lines.iter().map(|(a, _)| (*a - Vec3::Z * 3.0).abs()).reduce(Vec3::max).expect("some lines")
    };
    assert!(extent(edges).distance(Vec3::new(1.0, 0.2, 0.1)) < 1e-4, "{}", extent(edges));
    // k² = (b² + c²)/3 and so on.
    let gyration = Vec3::new(0.05f32, 1.01, 1.04).map(|squares| (squares / 3.0).sqrt());
    let mean = gyration.element_product().cbrt();
    assert!(extent(sections).distance(mean * mean / gyration) < 0.01, "{}", extent(sections));
    assert!(lines(&session, None, overlays::INERTIA).is_empty(), "it is off at first");
}

/// A broken joint is two crossed lines at either end and nothing else.
#[test]
fn a_broken_joint_is_crossed_out() {
    let mut session =
        Session::from_text(&SCENE.replace("(0, 0, 0)", "(0, 0, -9.81)"), "joints.ron").expect("the scene is right");
    let before = lines(&session, None, overlays::BROKEN).len();
    steps(&mut session, 1);
    assert_eq!((before, lines(&session, None, overlays::BROKEN).len()), (0, 4));
}
