//! The Inspector's fields, driven by the names of the controls: reset, multi-edit, the doctor's findings.

use egui::{Key, Role};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::{Bench, window_of};
use crate::panels::tests::scene::write;
use crate::request::Request;
use crate::shell::state::RightTab;
use crate::widgets::angles::Angles;
use delassus_physics::angle::Angle;
use delassus_physics::force::formula::Formula;
use delassus_physics::joints::{Hinge, JointKind};
use delassus_physics::row::SpringRate;
use delassus_physics::shape::{Shape, ShapePart};
use delassus_scene::{Body, ByTime, Drag, ForceFrame, Joint, Mover};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Fields",
    settings: (step: (gravity: (0, 0, 0))),
    materials: [(name: "ice", friction: 0.05)],
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "red", shape: Sphere(radius: 0.25), at: (1, 0, 1), mass: 2, friction: 0.9),
        (name: "blue", shape: Sphere(radius: 0.25), at: (2, 0, 1), mass: 3.3333333),
        (name: "green", shape: Box(half: (0.2, 0.2, 0.2)), at: (3, 0, 2), mass: 4),
    ],
    joints: [
        (name: "first", b: "red", anchor: (1, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 1, max_torque: 5))),
        (name: "second", b: "blue", anchor: (2, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 2, max_torque: 7))),
        (name: "third", b: "green", anchor_a: (3, 0, 3), anchor_b: (0, 0, 0.5), kind: BallSocket()),
    ],
)"#;

pub(crate) type Window = Harness<'static, Bench>;

pub(crate) fn window(text: &str) -> Window {
    let mut harness = window_of(Bench::of(Session::from_text(text, "fields.ron").expect("the scene is right")));
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.run();
    harness
}

fn select(harness: &mut Window, bodies: &[u32]) {
    harness.state_mut().state.selection.bodies = bodies.to_vec();
    harness.run();
}

/// Types into a number's field and leaves it.
pub(crate) fn enter(harness: &mut Window, name: &str, text: &str) {
    harness.get_by_role_and_label(Role::SpinButton, name).click();
    harness.run();
    for c in text.chars() {
        harness.event(egui::Event::Text(c.to_string()));
        harness.run();
    }
    harness.key_press(Key::Enter);
    harness.run();
}

fn body<'a>(harness: &'a Window, name: &str) -> &'a Body {
    harness.state().session.scene().expect("a scene").bodies.iter().find(|b| b.name == name).expect("the body")
}

fn joint<'a>(harness: &'a Window, name: &str) -> &'a Joint {
    harness.state().session.scene().expect("a scene").joints.iter().find(|j| j.name == name).expect("the joint")
}

pub(crate) fn undo(harness: &mut Window) {
    harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
    harness.run();
}

#[test]
fn a_field_goes_back_to_its_default_and_the_mark_goes() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2]);
    assert!(harness.query_by_label("Reset Collides").is_none(), "it has its default");
    harness.get_by_label("Reset Friction").click();
    harness.run();
    assert_eq!(body(&harness, "red").friction, None);
    assert!(harness.query_by_label("Reset Friction").is_none());
    harness.get_by_role_and_label(Role::Switch, "Collides").click();
    harness.run();
    harness.get_by_label("Reset Collides").click();
    harness.run();
    assert!(body(&harness, "red").collide);
    // The material's value is the field's default.
    harness.get_by_role_and_label(Role::ComboBox, "Material").click();
    harness.run();
    harness.get_by_label("ice").click();
    harness.run();
    assert_eq!(body(&harness, "red").material.as_deref(), Some("ice"));
    assert_eq!(harness.get_by_role_and_label(Role::SpinButton, "Friction").value().as_deref(), Some("0.05"));
}

#[test]
fn a_typed_number_is_one_entry_and_a_visited_field_is_none() {
    let mut harness = window(SCENE);
    select(&mut harness, &[3]);
    enter(&mut harness, "Mass", "12.5");
    assert_eq!(body(&harness, "blue").mass, Some(12.5));
    undo(&mut harness);
    assert_eq!(body(&harness, "blue").mass, Some(3.333_333_3));
    assert_eq!(harness.state().session.undo_label(), None, "three keys, one entry");
    // It shows 3.3333, which is not the exact value.
    enter(&mut harness, "Mass", "");
    assert_eq!(body(&harness, "blue").mass, Some(3.333_333_3));
    assert_eq!(harness.state().session.undo_label(), None);
}

#[test]
fn several_bodies_show_what_they_share_and_change_together() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2, 3]);
    assert!(harness.query_by_label("2 bodies").is_some());
    let shown = |h: &Window, name: &str| h.get_by_role_and_label(Role::SpinButton, name).value().unwrap_or_default();
    assert_eq!((shown(&harness, "Mass"), shown(&harness, "At x")), ("—".into(), "—".into()));
    assert_eq!((shown(&harness, "At z"), shown(&harness, "Radius")), ("1".into(), "0.25 m".into()));
    enter(&mut harness, "At z", "4");
    let at = |h: &Window| [body(h, "red").at, body(h, "blue").at];
    assert_eq!(at(&harness), [Vec3::new(1.0, 0.0, 4.0), Vec3::new(2.0, 0.0, 4.0)], "x stays as it is");
    assert_eq!(harness.state().session.undo_label(), Some("Change 2 bodies"));
    undo(&mut harness);
    assert_eq!(at(&harness)[1], Vec3::new(2.0, 0.0, 1.0));
    // Also for a value that one of them had before.
    enter(&mut harness, "Mass", "3.3333333");
    assert_eq!([body(&harness, "red").mass, body(&harness, "blue").mass], [Some(3.333_333_3); 2]);
    // A sphere and a box have no common size field, and each keeps its own size.
    select(&mut harness, &[2, 4]);
    assert_eq!(shown(&harness, "Half size x"), "—");
    enter(&mut harness, "Velocity y", "2");
    assert_eq!([body(&harness, "red").velocity.y, body(&harness, "green").velocity.y], [2.0; 2]);
    assert_ne!(body(&harness, "red").shape, body(&harness, "green").shape);
}

#[test]
fn several_joints_change_together_and_keep_what_differs() {
    let mut harness = window(SCENE);
    // In the file's unit.
    harness.state_mut().state.angles = Angles::Radians;
    harness.state_mut().state.selection.click_joint(0);
    harness.state_mut().state.selection.add_joint(1);
    harness.run();
    assert!(harness.query_by_label("2 joints").is_some());
    enter(&mut harness, "Motor speed", "4");
    let motor = |h: &Window, name: &str| match joint(h, name).kind {
        JointKind::Hinge(hinge) => hinge.motor.map(|m| (m.speed, m.max_torque)),
        _ => None,
    };
    assert_eq!([motor(&harness, "first"), motor(&harness, "second")], [Some((4.0, 5.0)), Some((4.0, 7.0))]);
    assert_eq!(harness.state().session.undo_label(), Some("Change 2 joints"));
    // With a joint of another kind only the fields that all joints have remain.
    harness.state_mut().state.selection.add_joint(2);
    harness.run();
    assert!(harness.query_by_label("Motor speed").is_none());
    harness.get_by_role_and_label(Role::Switch, "Bodies touch").click();
    harness.run();
    assert!(["first", "second", "third"].iter().all(|name| joint(&harness, name).collide));
    harness.state_mut().state.selection.add_joint(2);
    assert_eq!(harness.state().state.selection.joints().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn the_doctor_s_word_stands_with_the_joint_and_mends_it() {
    let mut harness = window(&SCENE.replace("anchor_b: (0, 0, 0.5)", "anchor_b: (0, 0, 0)"));
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    assert!(harness.query_by_label("Bring the anchors together").is_none(), "nothing is wrong with the first");
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    harness.get_by_label("Bring the anchors together").click();
    harness.run();
    assert!(harness.query_by_label("Bring the anchors together").is_none());
    assert_eq!(joint(&harness, "third").anchor_b, None);
}

/// The cards of what was found took two fifths of the Inspector.
#[test]
fn a_finding_is_one_line_until_one_asks_for_more() {
    let mut harness = window(&SCENE.replace("anchor_b: (0, 0, 0.5)", "anchor_b: (0, 0, 0)"));
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    let cure = harness.state().session.findings()[0].cure.clone();
    assert!(harness.query_by_label(&cure).is_none());
    harness.get_by_label("All findings").click();
    harness.run();
    assert!(harness.query_by_label(&cure).is_some());
    // It is remembered while another one is looked at.
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    assert!(harness.query_by_label(&cure).is_some());
    harness.get_by_label("Fewer findings").click();
    harness.run();
    assert!(harness.query_by_label(&cure).is_none());
}

#[test]
fn a_kinematic_body_gets_a_law_and_its_fields() {
    let mut harness = window(SCENE);
    select(&mut harness, &[4]);
    for (control, choice) in [("Motion", "Kinematic"), ("Mover", "along a path")] {
        harness.get_by_role_and_label(Role::ComboBox, control).click();
        harness.run();
        harness.get_by_label(choice).click();
        harness.run();
    }
    harness.get_by_label("Add a point").click();
    harness.run();
    enter(&mut harness, "point 2 z", "5");
    enter(&mut harness, "Mover speed", "0.5");
    let Some(Mover::Waypoints { points, speed, repeat }) = &body(&harness, "green").mover else { panic!("a path") };
    assert_eq!((points.len(), points[1].z, *speed, *repeat), (2, 5.0, 0.5, true));
    assert!(harness.query_by_label("Velocity x").is_none(), "the law says how fast");
    // A dynamic body has no mover, and nothing is refused.
    harness.get_by_role_and_label(Role::ComboBox, "Motion").click();
    harness.run();
    harness.get_by_label("Dynamic").click();
    harness.run();
    assert_eq!(body(&harness, "green").mover, None);
}

/// A force is added, given a place and a law of time, seen in the picture's snapshot, and taken off again.
#[test]
fn a_body_gets_a_force_and_drag() {
    let mut harness = window(SCENE);
    select(&mut harness, &[4]);
    harness.get_by_label("Add a force").click();
    harness.run();
    enter(&mut harness, "Force 1 x", "3");
    harness.get_by_role_and_label(Role::Switch, "Point of force 1").click();
    harness.run();
    enter(&mut harness, "Point 1 y", "0.5");
    for (control, choice) in
        [("Axes of force 1", "the body's: it rotates with the body"), ("Time of force 1", "by a table")]
    {
        harness.get_by_role_and_label(Role::ComboBox, control).click();
        harness.run();
        harness.get_by_label(choice).click();
        harness.run();
    }
    enter(&mut harness, "Factor 2", "0.25");
    harness.get_by_role_and_label(Role::Switch, "Drag").click();
    harness.run();
    enter(&mut harness, "Quadratic drag", "0.4");
    let green = body(&harness, "green");
    let force = &green.forces[0];
    assert_eq!((force.force, force.at), (Vec3::new(3.0, 0.0, 1.0), Some(Vec3::Y * 0.5)));
    assert_eq!(force.frame, ForceFrame::Body);
    assert_eq!(force.by_time, ByTime::Table { points: vec![(0.0, 1.0), (1.0, 0.25)] });
    assert_eq!(green.drag, Some(Drag { linear: 1.0, quadratic: 0.4, angular: 0.0 }));
    let shown = &harness.state().session.snapshot().forces;
    assert_eq!((shown.len(), shown[0].body, shown[0].at), (1, 4, Vec3::new(3.0, 0.5, 2.0)));
    harness.get_by_label("Remove force 1").click();
    harness.run();
    assert!(body(&harness, "green").forces.is_empty());
    undo(&mut harness);
    assert_eq!(body(&harness, "green").forces.len(), 1);
}

/// A formula with a mistake is not taken, and what is wrong stands below it; one without is, and can be undone.
#[test]
fn a_force_follows_a_formula() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_body(4, false);
    harness.run();
    harness.get_by_label("Add a force").click();
    harness.run();
    harness.get_by_role_and_label(Role::ComboBox, "Time of force 1").click();
    harness.run();
    harness.get_by_label("by a formula").click();
    harness.run();
    let law = |harness: &Window| body(harness, "green").forces[0].by_time.clone();
    let formula = |text| ByTime::Formula { factor: Formula::read(text).expect("a formula"), start: 0.0 };
    let first = law(&harness);
    write(&mut harness, "Formula 1", "0.5*sin(2*x)");
    assert_eq!(law(&harness), first);
    harness.get_by_label("formula: `x` is not known; the time is t, in seconds, at character 11");
    write(&mut harness, "Formula 1", "1/t");
    assert_eq!(law(&harness), first);
    harness.get_by_label("formula: `1/t` is infinite at t = 0 s");
    write(&mut harness, "Formula 1", "0.5*sin(2*t)");
    assert_eq!(law(&harness), formula("0.5*sin(2*t)"));
    assert!(harness.query_by_label_contains("formula:").is_none());
    undo(&mut harness);
    assert_eq!(law(&harness), first);
}

/// Rows that are written down are entered; a mistake is shown with its place, and what was typed stays.
#[test]
fn the_rows_of_a_formula_are_written_in_their_field() {
    let mut harness = window(
        r#"(
            version: 1,
            title: "bead",
            bodies: [(name: "bead", shape: Sphere(radius: 0.1), at: (1, 0, 0), mass: 1)],
            joints: [(name: "own", b: "bead", anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), kind: Formula(rows: ["distance - 1"]))],
        )"#,
    );
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    let texts = |harness: &Window| match joint(harness, "own").kind {
        JointKind::Formula(formula) => formula.rows.texts().collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    write(&mut harness, "Row formulas", "distance - sim(1)");
    assert_eq!(texts(&harness), ["distance - 1"]);
    harness.get_by_label("formula: `sim` is not known; do you mean `sin`?, at character 12");
    write(&mut harness, "Row formulas", "pB.y; distance - k");
    harness.get_by_label("formula: `k` is not known; give it among the `parameters`, at character 12");
    write(&mut harness, "Row parameters", "k = 1");
    write(&mut harness, "Row formulas", "pB.y; distance - k");
    assert_eq!(texts(&harness), ["pB.y", "distance - k"]);
    write(&mut harness, "Row bounds", "=; <=");
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(texts(&harness), ["distance - 1"]);
}

/// What resists a hinge is entered, reset and undone.
#[test]
fn a_hinge_gets_friction_damping_and_armature() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    for (field, value) in [("friction", "2.5"), ("breakaway", "4"), ("damping", "0.5"), ("armature", "0.02")] {
        enter(&mut harness, &format!("Joint {field}"), value);
    }
    let hinge = |harness: &Window| match joint(harness, "first").kind {
        JointKind::Hinge(hinge) => hinge,
        other => panic!("{other:?}"),
    };
    let read = |harness: &Window| {
        let Hinge { friction, breakaway, damping, armature, .. } = hinge(harness);
        (friction, breakaway, damping, armature)
    };
    assert_eq!(read(&harness), (2.5, 4.0, 0.5, 0.02));
    assert_eq!(hinge(&harness).motor.map(|motor| motor.max_torque), Some(5.0), "and the motor stays");
    harness.get_by_label("Reset Friction").click();
    harness.run();
    assert_eq!(read(&harness), (0.0, 4.0, 0.5, 0.02));
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(read(&harness), (2.5, 4.0, 0.5, 0.0));
}

/// A servo takes the place of the motor, and gets a target, a stiffness, a cap and a function of time. Undo brings the
/// motor back.
#[test]
fn a_hinge_gets_a_servo_in_place_of_its_motor() {
    let mut harness = window(SCENE);
    harness.state_mut().state.angles = Angles::Degrees;
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    enter(&mut harness, "Joint zero", "-90");
    harness.get_by_role_and_label(Role::Switch, "Servo").click();
    harness.run();
    assert_eq!(joint(&harness, "first").kind.motor(), None);
    enter(&mut harness, "Servo target", "30");
    harness.get_by_label("Give the stiffness").click();
    harness.run();
    enter(&mut harness, "Stiffness", "250");
    enter(&mut harness, "Servo's constant torque", "-3");
    enter(&mut harness, "Most torque", "40");
    harness.get_by_role_and_label(Role::ComboBox, "Time of the drive").click();
    harness.run();
    harness.get_by_label("back and forth").click();
    harness.run();
    enter(&mut harness, "Rate of the drive", "2.5");
    let first = joint(&harness, "first").clone();
    let servo = first.kind.servo().expect("a servo");
    assert_eq!((servo.target, first.kind.zero()), (30f32.to_radians(), -90f32.to_radians()));
    assert_eq!((servo.softness.rate, servo.force, servo.cap), (SpringRate::Stiffness(250.0), -3.0, 40.0));
    assert_eq!(first.by_time, ByTime::Sinusoid { rate: 2.5f32.to_radians(), phase: Angle::default() });
    // Without its drive the joint has no function of time.
    harness.get_by_role_and_label(Role::Switch, "Servo").click();
    harness.run();
    assert_eq!((joint(&harness, "first").kind.servo(), &joint(&harness, "first").by_time), (None, &ByTime::Constant));
    undo(&mut harness);
    assert_eq!(joint(&harness, "first").by_time, first.by_time);
    let back = (0..9).any(|_| {
        undo(&mut harness);
        joint(&harness, "first").kind.motor() == Some((1.0, 5.0))
    });
    assert!(back, "{:?}", joint(&harness, "first").kind);
}

/// A body's mass centre and inertia begin at those of its shape, and are typed. A moment that no body has with the others
/// takes them along. Groups are buttons.
#[test]
fn a_body_gets_a_mass_centre_an_inertia_and_groups() {
    let mut harness = window(SCENE);
    select(&mut harness, &[4]);
    for switch in ["Mass centre by value", "Inertia by value"] {
        harness.get_by_role_and_label(Role::Switch, switch).click();
        harness.run();
    }
    // A cube of 4 kg with sides of 0.4 m: m a²/6.
    let even = 4.0 * 0.16 / 6.0;
    let inertia = body(&harness, "green").inertia.expect("by value");
    assert!((inertia.xx - even).abs() < 1e-6 && inertia.xy == 0.0, "{inertia:?}");
    assert_eq!(body(&harness, "green").mass_centre, Some(Vec3::ZERO));
    enter(&mut harness, "in the shape z", "-0.1");
    enter(&mut harness, "Moments of inertia x", "0.5");
    let plate = body(&harness, "green").inertia.expect("by value");
    // The other two grew to half of it, which is a flat plate's.
    assert_eq!((plate.xx, plate.yy, plate.zz), (0.5, 0.25, 0.25));
    enter(&mut harness, "Products of inertia y", "0.02");
    let green = body(&harness, "green");
    assert_eq!(green.mass_centre, Some(Vec3::Z * -0.1));
    let inertia = green.inertia.expect("by value");
    assert_eq!(inertia.xz, 0.02);
    assert_eq!(delassus_physics::refuse::inertia(&inertia), None, "{inertia:?}");
    for button in ["Group 2", "Mask 0"] {
        harness.get_by_role_and_label(Role::Button, button).click();
        harness.run();
    }
    let green = body(&harness, "green");
    assert_eq!(green.groups.numbers().collect::<Vec<_>>(), [0, 2]);
    assert!(!green.mask.has(0) && green.mask.has(1) && green.mask.has(31));
    undo(&mut harness);
    assert!(body(&harness, "green").mask.has(0));
}

#[test]
fn a_joint_s_own_stabilisation_and_what_it_bears() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    harness.get_by_role_and_label(Role::Switch, "Breaks by force").click();
    harness.run();
    enter(&mut harness, "Breaking force", "250");
    assert_eq!(joint(&harness, "third").breaks.and_then(|b| b.force), Some(250.0));
    harness.get_by_role_and_label(Role::Switch, "Own stabilisation").click();
    harness.run();
    harness.get_by_role_and_label(Role::SpinButton, "Joint slop").click();
    harness.run();
    harness.event(egui::Event::Text("0.1".into()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(joint(&harness, "third").stabilization.and_then(|s| s.joint_slop), Some(0.1));
    assert_eq!(joint(&harness, "third").stabilization.and_then(|s| s.hertz), None, "the rest is the scene's");
}

/// The middle of a number's field.
fn middle(harness: &Window, name: &str) -> egui::Pos2 {
    harness.get_by_role_and_label(Role::SpinButton, name).rect().center()
}

#[test]
fn a_drag_is_one_entry_and_the_joints_come_along() {
    let mut harness = window(SCENE);
    select(&mut harness, &[3, 2]);
    let from = middle(&harness, "At z");
    harness.drag_at(from);
    harness.step();
    for i in 1..=6 {
        harness.event(egui::Event::PointerMoved(from + egui::vec2(10.0 * i as f32, 0.0)));
        harness.step();
    }
    harness.drop_at(from + egui::vec2(60.0, 0.0));
    harness.run();
    let raised = body(&harness, "red").at.z - 1.0;
    assert!((raised - 0.6).abs() < 0.1, "60 points of a centimetre each, not {raised}");
    assert_eq!(body(&harness, "blue").at.z, body(&harness, "red").at.z);
    // The hinge stays in place on the other body.
    let hinge = joint(&harness, "first");
    assert_eq!((hinge.anchor, hinge.anchor_b), (None, Some(Vec3::new(0.0, 0.0, 1.0))));
    undo(&mut harness);
    assert_eq!((body(&harness, "red").at.z, joint(&harness, "first").anchor), (1.0, Some(Vec3::new(1.0, 0.0, 2.0))));
    assert_eq!(harness.state().session.undo_label(), None, "one gesture, one entry");
}

#[test]
fn what_is_renamed_stays_selected_and_the_order_of_choosing_is_kept() {
    use crate::editor::Chosen;
    use delassus_session::Edit;
    let mut harness = window(SCENE);
    select(&mut harness, &[4, 2]);
    let session = &mut harness.state_mut().session;
    let chosen = |session: &Session, bodies: &[u32]| {
        let selection = crate::selection::Selection { bodies: bodies.to_vec(), ..Default::default() };
        Chosen::of(session.snapshot(), &selection, false)
    };
    let mut before = chosen(session, &[4, 2]);
    let entry = session.body_entry("red").expect("an entry");
    let edit = Edit::Body { name: "red".into(), body: Box::new(Body { name: "ruby".into(), ..entry }) };
    before.apply_renames(&edit, session.scene().expect("a scene"));
    session.dispatch(Command::Edit { edit, gesture: None }).expect("a free name");
    assert_eq!(before.again(session.snapshot()).bodies, [4, 2]);
}

#[test]
fn joints_are_chosen_together_in_the_outliner() {
    let mut harness = window(SCENE);
    harness.get_by_label("Left tab: Outliner").click();
    harness.run();
    let row = |harness: &Window, name: &str| harness.get_by_label(name).rect().center();
    let (first, third) = (row(&harness, "first"), row(&harness, "third"));
    let click = |harness: &mut Window, at: egui::Pos2, modifiers: egui::Modifiers| {
        harness.event(egui::Event::PointerMoved(at));
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            harness.event_modifiers(egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
            harness.step();
        }
        harness.run();
    };
    click(&mut harness, first, egui::Modifiers::NONE);
    click(&mut harness, third, egui::Modifiers::SHIFT);
    let chosen = |harness: &Window| harness.state().state.selection.joints().collect::<Vec<_>>();
    assert_eq!(chosen(&harness), [0, 1, 2]);
    assert!(harness.query_by_label("3 joints").is_some());
    click(&mut harness, third, egui::Modifiers::COMMAND);
    assert_eq!(chosen(&harness), [0, 1]);
}

#[test]
fn a_hull_s_points_are_fields_and_any_shape_becomes_one() {
    let mut harness = window(SCENE);
    select(&mut harness, &[4]);
    harness.get_by_role_and_label(Role::ComboBox, "Shape").click();
    harness.run();
    harness.get_by_label("Hull").click();
    harness.run();
    let points = |h: &Window| match &body(h, "green").shape {
        Shape::Hull { points } => points.clone(),
        other => panic!("{other:?}"),
    };
    // The corners of the box of half side 0.2.
    assert_eq!(points(&harness).len(), 8);
    assert!(points(&harness).iter().all(|p| p.abs().distance(Vec3::splat(0.2)) < 1e-6));
    enter(&mut harness, "point 8 z", "0.5");
    assert_eq!(points(&harness)[7].z, 0.5);
    harness.get_by_label("Add a point").click();
    harness.run();
    assert_eq!(points(&harness).len(), 9);
    undo(&mut harness);
    harness.get_by_label("Remove point 1").click();
    harness.run();
    assert_eq!(points(&harness).len(), 7);
}

/// A box becomes a compound of itself; a part is added, moved, made a sphere and taken out, each with undo.
#[test]
fn the_parts_of_a_compound_are_fields() {
    let mut harness = window(SCENE);
    select(&mut harness, &[4]);
    harness.get_by_role_and_label(Role::ComboBox, "Shape").click();
    harness.run();
    harness.get_by_label("Compound").click();
    harness.run();
    let parts = |h: &Window| match &body(h, "green").shape {
        Shape::Compound { parts } => parts.to_vec(),
        other => panic!("{other:?}"),
    };
    let cube = |x: f32| ShapePart::new(Shape::Box { half: Vec3::splat(0.2) }, Vec3::new(x, 0.0, 0.0));
    assert_eq!(parts(&harness), [cube(0.0)]);
    harness.get_by_label("Add a part").click();
    harness.run();
    assert_eq!(parts(&harness), [cube(0.0), cube(0.4)], "beside the other");
    enter(&mut harness, "Place of part 2 z", "0.5");
    assert_eq!(parts(&harness)[1].at, Vec3::new(0.4, 0.0, 0.5));
    enter(&mut harness, "Half size of part 2 x", "0.3");
    assert_eq!(parts(&harness)[1].shape, Shape::Box { half: Vec3::new(0.3, 0.2, 0.2) });
    harness.get_by_role_and_label(Role::ComboBox, "Shape of part 2").click();
    harness.run();
    harness.get_by_label("Sphere").click();
    harness.run();
    assert_eq!(parts(&harness)[1].shape, Shape::Sphere { radius: 0.2 });
    harness.get_by_label("Remove part 1").click();
    harness.run();
    assert_eq!(parts(&harness).len(), 1);
    undo(&mut harness);
    assert_eq!(parts(&harness).len(), 2);
}

const OVERLAP: &str = r#"(
    version: 1,
    title: "Two boxes",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "a", shape: Box(half: (0.5, 0.2, 0.2)), at: (0, 0, 1), mass: 1),
        (name: "b", shape: Box(half: (0.5, 0.2, 0.2)), at: (1.5, 0, 1), mass: 1),
    ],
)"#;

/// A finding's card pushed the fields down, the field lost the focus, and the digits that followed made steps and
/// turned the view.
#[test]
fn a_finding_that_appears_leaves_the_fields_in_place_and_the_focus_where_it_is() {
    let mut harness = window(OVERLAP);
    select(&mut harness, &[1]);
    let field = |harness: &Window| harness.get_by_role_and_label(Role::SpinButton, "Mass").rect();
    let before = field(&harness);
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    let focused = harness.ctx.memory(|memory| memory.focused());
    assert!(focused.is_some());
    let moved =
        delassus_session::Placed { name: "b".into(), at: Vec3::new(0.6, 0.0, 1.0), rotation: glam::Quat::IDENTITY };
    let edit = delassus_session::Edit::Place(vec![moved]);
    harness.state_mut().session.dispatch(Command::Edit { edit, gesture: None }).expect("both bodies are there");
    harness.state_mut().session.dispatch(Command::Examine).expect("a scene");
    harness.run();
    assert!(!harness.state().session.findings().is_empty(), "they overlap");
    assert_eq!(field(&harness), before);
    assert_eq!(harness.ctx.memory(|memory| memory.focused()), focused);
    let (view, step) = (harness.state().state.view3d.camera.view, harness.state().session.snapshot().step);
    for (c, key) in [("1", Key::Num1), ("7", Key::Num7)] {
        harness.key_press(key);
        harness.event(egui::Event::Text(c.to_owned()));
        harness.run();
    }
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(body(&harness, "a").mass, Some(17.0));
    let there = harness.state();
    assert_eq!(
        (there.state.view3d.camera.view, there.session.snapshot().step),
        (view, step),
        "the digits are the field's"
    );
    // With the keyboard free again, the card has its room, and the fields are still in their places.
    assert_eq!(field(&harness), before);
}

/// Ctrl+S was ignored while a number's field had the focus.
#[test]
fn ctrl_s_takes_the_number_that_is_being_typed_and_saves() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2]);
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    harness.event(egui::Event::Text("9".to_owned()));
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::S);
    harness.run();
    assert_eq!(body(&harness, "red").mass, Some(9.0));
    let asked = &harness.state().asked;
    let save =
        asked.iter().position(|request| *request == Request::SaveAsDialog).expect("it has no file: the name is asked");
    let edit = asked.iter().rposition(|request| matches!(request, Request::Session(Command::Edit { .. })));
    assert!(edit.expect("an edit") < save, "the edit comes first");
    // What a text field uses itself stays with it.
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(body(&harness, "red").mass, Some(9.0));
}
