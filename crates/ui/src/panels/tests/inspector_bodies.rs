//! The Inspector's fields of a body: motion, forces, mass, groups and shape.

use egui::Role;
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use super::inspector::{SCENE, Window, body, enter, select, undo, window};
use super::scene::write;
use delassus_physics::force::formula::Formula;
use delassus_physics::shape::{Shape, ShapePart};
use delassus_scene::{ByTime, Drag, ForceFrame, Mover};

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
