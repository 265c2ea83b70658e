//! Undo and redo of everything: whatever is done, undoing all of it gives the original scene, and redoing it gives
//! the same result.

use delassus_physics::joints::JointKind;
use delassus_physics::shape::Shape;
use delassus_scene::{Body, Experiment, Joint, Material, Origin, Pattern, Scene};
use delassus_session::{Edit, Element, Gesture, Heading, Placed, Snapshot};
use glam::Quat;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

const SCENE: &str = r#"(
    version: 1,
    title: "Everything",
    materials: [(name: "ice", friction: 0.05), (name: "rubber", friction: 0.9, restitution: 0.5)],
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static, material: "ice"),
        (name: "puck", shape: Sphere(radius: 0.25), at: (3, 0, 0.25), mass: 2, material: "ice"),
        (name: "ball", shape: Sphere(radius: 0.25), at: (4, 0, 0.25), mass: 1),
        (name: "lift", shape: Box(half: (0.2, 0.2, 0.2)), at: (6, 0, 2), motion: Kinematic, mover: Constant(velocity: (0, 0, 1))),
    ],
    patterns: [
        Chain(name: "chain", body: (shape: Sphere(radius: 0.1), at: (0, 0, 5), mass: 1, material: "rubber"),
            count: 4, spacing: (0.5, 0, 0), joint: (kind: BallSocket()), first: Static),
        Stack(name: "tower", body: (shape: Box(half: (0.5, 0.5, 0.5)), at: (-3, 0, 0.5)), count: 3, spacing: (0, 0, 1)),
    ],
    joints: [(a: "chain.3", b: "ball", kind: Rope(), breaks: (force: 30)), (b: "puck", anchor: (3, 0, 3), kind: Spring(length: 2)),
        (a: "puck", b: "ball", anchor: (3.5, 0, 0.25), axis: (0, 0, 1), kind: Hinge()), (a: "lift", b: "ball", kind: Rope(length: 4))],
    experiments: [(name: "Cold", set: (warm_start: (enabled: false))), (name: "Long", set: (solver: (iterations: 50)))],
)"#;

/// A command made from five random numbers; the session refuses those that make no sense in this scene.
fn command(session: &Session, [what, which, other, amount, joins]: [usize; 5]) -> Command {
    let snapshot = session.snapshot();
    let body =
        |i: usize| snapshot.bodies.get(i % snapshot.bodies.len().max(1)).map_or(String::new(), |b| b.name.to_string());
    let joint =
        |i: usize| snapshot.joints.get(i % snapshot.joints.len().max(1)).map_or(String::new(), |j| j.name.to_string());
    let x = amount as f32 * 0.01;
    let at = Vec3::new(x, which as f32 * 0.3, 1.0 + other as f32 * 0.2);
    let gesture = (joins % 3 == 0).then_some(Gesture::Drag(joins as u64));
    let edit = |edit| Command::Edit { edit, gesture };
    match what % 20 {
        0 => Command::Set { name: "solver.iterations", value: Value::Int(1 + amount as u32) },
        1 => Command::Set { name: "warm_start.enabled", value: Value::Bool(amount % 2 == 0) },
        2 => Command::ApplyExperiment(which % 3),
        3 => Command::ResetSettings,
        4 => Command::KeepPose,
        5 => Command::Reset,
        6 | 7 => Command::Step,
        8 => Command::Undo,
        9 => Command::Redo,
        10 => edit(Edit::Add {
            bodies: vec![Body::new(["", "ball", "new"][which % 3], Shape::Sphere { radius: 0.1 + x }, at)],
            joints: Vec::new(),
        }),
        11 => edit(Edit::Add {
            bodies: Vec::new(),
            joints: vec![Joint::new(body(which), body(other), at, JointKind::all()[amount % JointKind::all().len()])],
        }),
        12 => edit(Edit::Remove { bodies: vec![body(which)], joints: vec![] }),
        13 => edit(Edit::Remove { bodies: vec![], joints: vec![joint(which)] }),
        14 => edit(Edit::Place(vec![
            Placed { name: body(which), at, rotation: Quat::from_rotation_z(x) },
            Placed { name: body(which + 1), at: at + Vec3::X, rotation: Quat::IDENTITY },
        ])),
        15 => match session.body_entry(&body(which)) {
            Some(mut entry) => {
                entry.friction = Some(x);
                if other % 4 == 0 {
                    entry.name = format!("renamed-{amount}");
                }
                edit(Edit::Body { name: body(which), body: Box::new(entry) })
            }
            None => Command::Undo,
        },
        16 => match session.joint_entry(&joint(which)) {
            Some(mut entry) => {
                entry.collide = !entry.collide;
                if other % 4 == 0 {
                    entry.name = format!("joint-{amount}");
                }
                edit(Edit::Joint { name: joint(which), joint: Box::new(entry) })
            }
            None => Command::Redo,
        },
        17 => edit(Edit::Element(match which % 4 {
            0 => Element::AddMaterial(Material { name: format!("m{other}"), friction: x, ..Material::default() }),
            1 => Element::Material {
                name: "ice".into(),
                material: Material { name: "ice".into(), friction: x, ..Material::default() },
            },
            2 => Element::RemoveMaterial("rubber".into()),
            _ => Element::WriteOut(Origin::Pattern(other % 2)),
        })),
        18 => edit(Edit::Element(match which % 3 {
            0 => Element::Experiments(vec![Experiment { name: format!("e{amount}"), ..Experiment::default() }]),
            1 => {
                let scene = session.scene().cloned().unwrap_or_default();
                Element::Heading(Box::new(Heading { title: format!("t{amount}"), ..Heading::of(&scene) }))
            }
            _ => match session.scene().and_then(|s| s.patterns.first().cloned()) {
                Some(Pattern::Chain(mut chain)) => {
                    chain.count = 2 + amount as u32 % 6;
                    Element::Pattern { index: 0, pattern: Box::new(Pattern::Chain(chain)) }
                }
                _ => Element::WriteOut(Origin::Pattern(0)),
            },
        })),
        _ => Command::Travel(which as isize - 4),
    }
}

/// Undoes everything, one by one or at once, and redoes it.
fn there_and_back(session: &mut Session, start: &Scene) {
    // Edits that were undone among the commands are redone as well.
    while session.redo_label().is_some() {
        session.dispatch(Command::Redo).unwrap();
    }
    // The experiment that is shown on top is not part of it.
    if session.undo_label().is_some() {
        session.dispatch(Command::Undo).unwrap();
        session.dispatch(Command::Redo).unwrap();
    }
    let end = session.scene().cloned().unwrap();
    let count = session.past().len() as isize;
    // The first edit may have been made while an experiment was shown.
    let is_start = |session: &Session| {
        let scene = session.scene().unwrap();
        let settings = scene.settings == start.settings || session.active_experiment().is_some();
        settings && Scene { settings: start.settings, ..scene.clone() } == *start
    };
    for _ in 0..count {
        session.dispatch(Command::Undo).unwrap();
    }
    assert!(is_start(session), "{:?}", session.scene());
    assert!(!session.is_dirty() && session.undo_label().is_none());
    assert_eq!(session.future().len() as isize, count);
    if count > 0 {
        session.dispatch(Command::Travel(count)).unwrap();
        assert_eq!(session.scene(), Some(&end));
        session.dispatch(Command::Travel(-count)).unwrap();
        assert!(is_start(session), "{:?}", session.scene());
    }
    for _ in 0..count {
        session.dispatch(Command::Redo).unwrap();
    }
    assert_eq!(session.scene(), Some(&end));
}

/// Whatever its history, after a reset the world is the one that the document describes, and moves accordingly.
fn begins_as_the_document_says(session: &mut Session) {
    session.dispatch(Command::Reset).unwrap();
    let text = delassus_scene::write(session.scene().unwrap());
    let mut anew = Session::from_text(&text, "anew").unwrap_or_else(|e| panic!("{e}"));
    for step in 0..30 {
        let (is, should) = (session.snapshot(), anew.snapshot());
        assert_eq!(is.hash, should.hash, "after {step} steps");
        let joints = |of: &Snapshot| of.joints.iter().map(|j| (j.name.clone(), j.kind, j.readout)).collect::<Vec<_>>();
        assert_eq!(joints(is), joints(should), "after {step} steps");
        session.dispatch(Command::Step).unwrap();
        anew.dispatch(Command::Step).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn after_any_commands_the_world_begins_as_the_document_says(
        numbers in prop::collection::vec(prop::array::uniform5(0_usize..60), 1..25),
    ) {
        let mut session = Session::from_text(SCENE, "everything").unwrap_or_else(|e| panic!("{e}"));
        for numbers in numbers {
            let command = command(&session, numbers);
            let _refused = session.dispatch(command);
        }
        begins_as_the_document_says(&mut session);
    }

    #[test]
    fn any_commands_undone_give_the_scene_as_it_was_and_redone_the_same(
        numbers in prop::collection::vec(prop::array::uniform5(0_usize..60), 1..40),
    ) {
        let mut session = Session::from_text(SCENE, "everything").unwrap_or_else(|e| panic!("{e}"));
        let start = session.scene().cloned().unwrap();
        for numbers in numbers {
            let command = command(&session, numbers);
            let before = session.scene().cloned();
            if session.dispatch(command.clone()).is_err() {
                prop_assert_eq!(session.scene().cloned(), before, "a refused command changes nothing: {:?}", command);
            }
        }
        there_and_back(&mut session, &start);
    }
}

#[test]
fn thousands_of_edits_are_kept_and_take_little_memory() {
    let mut session = Session::from_text(SCENE, "everything").unwrap_or_else(|e| panic!("{e}"));
    let start = session.scene().cloned().unwrap();
    let mut entry = session.body_entry("ball").unwrap();
    for i in 0..2000 {
        entry.mass = Some(1.0 + i as f32 * 0.001);
        let edit = Edit::Body { name: "ball".into(), body: Box::new(entry.clone()) };
        session.dispatch(Command::Edit { edit, gesture: None }).unwrap();
    }
    assert!(session.past().len() >= 1999, "{}", session.past().len());
    assert!(session.history_bytes() < 4 << 20, "{} bytes", session.history_bytes());
    let count = session.past().len() as isize;
    session.dispatch(Command::Travel(-count)).unwrap();
    assert_eq!(session.scene(), Some(&start));
}
