//! The pages of the book's matrices, driven by the names of their controls.

use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, click, window_of};
use delassus_scene::lesson::Algebra;
use delassus_session::{Command, Session};

fn page(scene: &str, experiment: Option<&str>, steps: usize, page: Algebra) -> Harness<'static, Bench> {
    let scenes = delassus_scene::library::source_scenes();
    let mut session = Session::open(&scenes.join(scene)).expect("it can be read");
    if let Some(name) = experiment {
        let known = session.scene().expect("it is open").experiments.iter().position(|one| one.name == name);
        session.dispatch(Command::ApplyExperiment(known.expect("it is there"))).expect("it applies");
    }
    (0..steps).for_each(|_| session.dispatch(Command::Step).expect("it steps"));
    let mut bench = Bench::of(session);
    bench.state.algebra.open = Some(page);
    let mut harness = window_of(bench);
    harness.run_steps(4);
    harness
}

#[test]
fn two_bodies_have_their_rows_and_masses_and_another_joint_is_selected() {
    let mut harness = page("rows/04-hinge.ron", None, 10, Algebra::TwoBodies);
    // The hinge has five rows. The frame's inverse masses are zero; the door's are 1/m three times and a 3 × 3 block,
    // which is diagonal because the door is aligned with the axes.
    assert!(harness.query_by_label("Velocities u").is_some() && harness.query_by_label("K, 5 × 5").is_some());
    let masses =
        |harness: &Harness<'_, Bench>| harness.query_all_by_label_contains("Inverse masses, 12 × 12").next().is_some();
    assert!(masses(&harness));
    click(&mut harness, "Joint or contact");
    click(&mut harness, "axle");
    let bench = harness.state();
    let joint = bench.state.selection.joint.expect("it is selected");
    assert_eq!(&*bench.session.snapshot().joints[joint].name, "axle");
    assert!(masses(&harness));
    click(&mut harness, "Page: Quaternions");
    assert_eq!(harness.state().state.algebra.open, Some(Algebra::Quaternions));
    click(&mut harness, "Close The book's matrices, live");
    assert_eq!(harness.state().state.algebra.open, None);
}

/// Chapter 13's cached contacts get one point per step; others get all points at once.
#[test]
fn a_manifold_grows_point_by_point() {
    let counts = |experiment: Option<&str>| -> Vec<usize> {
        let mut harness = page("book/12-stack.ron", experiment, 0, Algebra::Manifold);
        for _ in 0..30 {
            harness.state_mut().session.dispatch(Command::Step).expect("it steps");
            harness.run_steps(1);
        }
        let shown = harness.query_all_by_label_contains("Points step by step: ").next().expect("they are shown");
        let words = egui_kittest::kittest::NodeT::accesskit_node(&shown).label().expect("it has a name");
        words["Points step by step: ".len()..].split(' ').map(|count| count.parse().expect("a number")).collect()
    };
    let growing = counts(Some("Cached manifold (fig. 13–14)"));
    // One point first, then more, never two in a step. The box lands tilted, so its fourth corner touches much later.
    assert!(growing[0] == 1 && growing.iter().any(|count| *count >= 3), "{growing:?}");
    assert!(growing.windows(2).all(|pair| pair[1] <= pair[0] + 1), "a point a step: {growing:?}");
    let full = counts(None);
    let from = full.iter().position(|count| *count > 0).expect("they touch");
    assert_eq!(full[from], 4, "{full:?}");
}

#[test]
fn a_product_of_quaternions_is_shown_and_its_numbers_can_be_typed() {
    let mut harness = page("book/08-pendulum.ron", None, 0, Algebra::Quaternions);
    // A rotation of 60° about z takes x to (½, √3/2): q p q⁻¹ rotates by twice the quaternion's angle.
    assert!(harness.query_by_label("q p q⁻¹ is ·, 0.500, 0.866, ·").is_some());
    click(&mut harness, "−q in place of q");
    assert!(harness.query_by_label("q p q⁻¹ is ·, 0.500, 0.866, ·").is_some(), "the same turn");
    harness.get_by_label("p y").click();
    harness.run_steps(4);
    harness.get_by_label("p y").type_text("2");
    harness.key_press(egui::Key::Enter);
    harness.run_steps(4);
    // (x + 2 y) turned by 60°: (½ − √3, √3/2 + 1).
    let (x, y) = (0.5 - 3f64.sqrt(), 0.5 * 3f64.sqrt() + 1.0);
    let expected = format!("q p q⁻¹ is ·, −{:.3}, {y:.3}, ·", -x);
    assert!(harness.query_by_label(&expected).is_some(), "{expected}");
    // A body's present rotation, which is the identity at rest.
    click(&mut harness, "Rotation of");
    click(&mut harness, "bob");
    assert!(harness.query_by_label("q p q⁻¹ is ·, 1.000, 2.000, ·").is_some());
}
