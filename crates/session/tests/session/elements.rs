//! Editing the elements of a scene other than single bodies and joints: several at once, materials, patterns, parts,
//! texts, experiments. Every edit is one entry of the history and is undone exactly.

use delassus_physics::joints::JointKind;
use delassus_physics::settings::Settings;
use delassus_scene::{self as scene, Experiment, Material, Origin, Pattern, Softness};
use delassus_session::{Edit, Element, Gesture, Heading};

use super::*;

const PATTERNS: &str = r#"(
    version: 1,
    title: "Patterns",
    materials: [(name: "ice", friction: 0.05), (name: "rubber", friction: 0.9, restitution: 0.5)],
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static, material: "ice"),
        (name: "puck", shape: Sphere(radius: 0.25), at: (3, 0, 0.25), mass: 2, material: "ice"),
        (name: "ball", shape: Sphere(radius: 0.25), at: (4, 0, 0.25), mass: 1),
    ],
    patterns: [
        Chain(name: "chain", body: (shape: Sphere(radius: 0.1), at: (0, 0, 5), mass: 1, material: "rubber"),
            count: 4, spacing: (0.5, 0, 0), joint: (kind: BallSocket()), first: Static),
        Stack(name: "tower", body: (shape: Box(half: (0.5, 0.5, 0.5)), at: (-3, 0, 0.5)), count: 3, spacing: (0, 0, 1)),
    ],
    joints: [(a: "chain.3", b: "ball", kind: Rope())],
    experiments: [(name: "Cold", set: (warm_start: (enabled: false))), (name: "Long", set: (solver: (iterations: 50)))],
)"#;

fn patterns() -> Session {
    Session::from_text(PATTERNS, "patterns.ron").expect("the scene is right")
}

fn element(session: &mut Session, element: Element) -> Result<(), SessionError> {
    edit(session, Edit::Element(element))
}

fn count(session: &Session, prefix: &str) -> usize {
    session.snapshot().bodies.iter().filter(|b| b.name.starts_with(prefix)).count()
}

/// Undoes the newest edit and expects the scene to be as it was.
fn comes_back(session: &mut Session, before: &delassus_scene::Scene) {
    let after = session.scene().cloned();
    session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(session.scene(), Some(before));
    session.dispatch(Command::Redo).expect("an entry");
    assert_eq!(session.scene().cloned(), after);
    session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(session.undo_label(), None, "it was one entry");
}

#[test]
fn several_bodies_change_in_one_entry_and_a_drag_joins_it() {
    let mut session = patterns();
    let before = session.scene().cloned().unwrap();
    for (i, mass) in [3.0, 4.0, 5.0].into_iter().enumerate() {
        let bodies = ["puck", "ball"].map(|n| session.body_entry(n).unwrap());
        let bodies = bodies.map(|b| delassus_scene::Body { mass: Some(mass), ..b }).to_vec();
        let change = Edit::Change { bodies, joints: vec![] };
        session.dispatch(Command::Edit { edit: change, gesture: Some(Gesture::Drag(7)) }).unwrap();
        assert_eq!(session.undo_label(), Some("Change 2 bodies"), "step {i}");
    }
    let masses: Vec<_> = session.scene().unwrap().bodies.iter().map(|b| b.mass).collect();
    assert_eq!(masses, [None, Some(5.0), Some(5.0)]);
    assert!(session.snapshot().bodies.iter().filter(|b| b.mass == 5.0).count() == 2, "the world follows");
    comes_back(&mut session, &before);
}

#[test]
fn several_joints_keep_their_names_and_a_member_of_a_pattern_is_written_out() {
    let mut session = patterns();
    let before = session.scene().cloned().unwrap();
    let names: Vec<String> = session.snapshot().joints.iter().map(|j| j.name.to_string()).collect();
    let of = |name: &String| {
        let mut joint = session.joint_entry(name).expect("an entry");
        joint.collide = true;
        (name.clone(), joint)
    };
    let joints = names.iter().map(of).collect();
    edit(&mut session, Edit::Change { bodies: vec![], joints }).unwrap();
    let now: Vec<String> = session.snapshot().joints.iter().map(|j| j.name.to_string()).collect();
    assert_eq!(now, names);
    let scene = session.scene().unwrap();
    assert!(scene.joints.len() == 4 && scene.joints.iter().all(|j| j.collide), "{:?}", scene.joints);
    assert_eq!(scene.patterns.len(), 1, "only the chain is written out");
    comes_back(&mut session, &before);
}

#[test]
fn a_material_s_new_name_is_followed_and_one_in_use_cannot_go() {
    let mut session = patterns();
    let before = session.scene().cloned().unwrap();
    let material = Material { name: "grip".into(), friction: 0.7, ..Material::default() };
    element(&mut session, Element::Material { name: "rubber".into(), material }).unwrap();
    assert_eq!(session.undo_label(), Some("Rename rubber to grip"));
    let Pattern::Chain(chain) = &session.scene().unwrap().patterns[0] else { panic!("a chain") };
    assert_eq!(chain.body.material.as_deref(), Some("grip"));
    let link = session.snapshot().bodies.iter().find(|b| &*b.name == "chain.2").unwrap();
    assert_eq!(link.friction, 0.7, "the world follows");
    comes_back(&mut session, &before);

    let error = element(&mut session, Element::RemoveMaterial("ice".into())).unwrap_err().to_string();
    assert_eq!(error, "ice is the material of floor and 1 more: give them another first");
    let taken = Material { name: "ice".into(), ..Material::default() };
    let error = element(&mut session, Element::Material { name: "rubber".into(), material: taken }).unwrap_err();
    assert_eq!(error.to_string(), "a material is called `ice` already");
    assert_eq!(session.scene(), Some(&before));

    element(&mut session, Element::AddMaterial(Material::default())).unwrap();
    element(&mut session, Element::AddMaterial(Material::default())).unwrap();
    let names: Vec<_> = session.scene().unwrap().materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["ice", "rubber", "surface", "surface-2"]);
    element(&mut session, Element::RemoveMaterial("surface".into())).unwrap();
    assert_eq!(session.undo_label(), Some("Delete material surface"));
}

#[test]
fn a_pattern_is_rebuilt_while_the_rest_goes_on() {
    let mut session = patterns();
    steps(&mut session, 20);
    let tower = session.scene().unwrap().patterns[1].clone();
    let Pattern::Stack(mut stack) = tower.clone() else { panic!("a stack") };
    stack.count = 5;
    let element_of = |pattern| Element::Pattern { index: 1, pattern: Box::new(pattern) };
    let speed = |s: &Session| s.snapshot().bodies.iter().find(|b| &*b.name == "chain.3").unwrap().velocity;
    let before = speed(&session);
    assert!(before.length() > 0.1);
    element(&mut session, element_of(Pattern::Stack(stack.clone()))).unwrap();
    assert_eq!((count(&session, "tower."), session.undo_label()), (5, Some("Change tower")));
    assert_eq!(speed(&session), before, "the chain goes on");
    stack.count = 0;
    let error = element(&mut session, element_of(Pattern::Stack(stack))).unwrap_err().to_string();
    assert!(error.contains("count must be 1 to"), "{error}");

    // Members to which joints are attached cannot be removed; references follow a new name.
    let Pattern::Chain(mut chain) = session.scene().unwrap().patterns[0].clone() else { panic!("a chain") };
    chain.count = 2;
    let of = |chain: &_| Element::Pattern { index: 0, pattern: Box::new(Pattern::Chain(Clone::clone(chain))) };
    let error = element(&mut session, of(&chain)).unwrap_err().to_string();
    assert!(error.contains("chain.3"), "{error}");
    (chain.count, chain.name) = (6, "rope".into());
    element(&mut session, of(&chain)).unwrap();
    assert_eq!(session.scene().unwrap().joints[0].a, "rope.3");
    assert_eq!((count(&session, "rope."), count(&session, "chain.")), (6, 0));
    assert!(matches!(session.snapshot().joints.last().unwrap().kind, JointKind::Rope(_)));
}

#[test]
fn a_pattern_written_out_moves_as_it_did() {
    let (mut session, mut other) = (patterns(), patterns());
    let before = session.scene().cloned().unwrap();
    let number = session.snapshot().bodies.iter().find(|b| &*b.name == "chain.1").unwrap().id;
    let origin = session.body_origin(number).unwrap();
    assert_eq!(origin, Origin::Pattern(0));
    element(&mut session, Element::WriteOut(origin)).unwrap();
    assert_eq!(session.undo_label(), Some("Write out chain"));
    assert!(session.scene().unwrap().bodies.iter().any(|b| b.name == "chain.2"));
    steps(&mut session, 30);
    steps(&mut other, 30);
    for body in &other.snapshot().bodies {
        let twin = session.snapshot().bodies.iter().find(|b| b.name == body.name).expect("the same name");
        assert!(twin.pose.position.distance(body.pose.position) < 1e-4, "{}", body.name);
    }
    comes_back(&mut session, &before);
    assert!(element(&mut session, Element::WriteOut(Origin::Pattern(9))).is_err());
    assert!(element(&mut session, Element::WriteOut(Origin::Body(0))).is_err());
}

/// The surface of a mat comes from its material; the bodies of a pattern have their own copy of it once the pattern
/// is written out.
#[test]
fn what_is_written_out_keeps_its_soft_surface() {
    let text = r#"(
        version: 1,
        title: "Mats",
        materials: [(name: "foam", friction: 0.8, restitution: 0.3, rolling: 0.01, soft: (hertz: 3, damping_ratio: 0.1))],
        bodies: [(name: "own", shape: Sphere(radius: 0.2), at: (3, 0, 1), material: "foam", soft: (hertz: 7, damping_ratio: 1))],
        patterns: [Stack(name: "mats", count: 3, spacing: (0, 0, 0.4),
            body: (shape: Box(half: (1, 1, 0.2)), at: (0, 0, 0.2), material: "foam"))],
    )"#;
    let mut session = Session::from_text(text, "mats").unwrap();
    let surfaces = |session: &Session| {
        let text = scene::write(session.scene().unwrap());
        let world = scene::read_str(&text, "mats.ron").unwrap().flat.world(Settings::default());
        world.state.bodies[1..].iter().map(|body| body.material).collect::<Vec<_>>()
    };
    let before = surfaces(&session);
    let soft = |hertz, damping_ratio| Some(Softness::of(hertz, damping_ratio));
    assert_eq!((before[0].soft, before[1].soft), (soft(7.0, 1.0), soft(3.0, 0.1)), "the body's own goes first");
    element(&mut session, Element::WriteOut(Origin::Pattern(0))).unwrap();
    assert_eq!(surfaces(&session), before);
    assert_eq!(session.scene().unwrap().bodies[3].soft, soft(3.0, 0.1));
}

#[test]
fn words_and_experiments_change_without_the_world_being_made_anew() {
    let mut session = patterns();
    steps(&mut session, 10);
    let before = session.scene().cloned().unwrap();
    let (hash, generation) = (session.snapshot().hash, session.generation());
    let mut heading = Heading::of(&before);
    heading.title = "Patterns and a rope".into();
    element(&mut session, Element::Heading(Box::new(heading.clone()))).unwrap();
    assert_eq!((session.undo_label(), session.title()), (Some("Change the title"), "Patterns and a rope".into()));
    assert_eq!((session.snapshot().hash, session.generation()), (hash, generation));
    heading.camera.eye = heading.camera.target;
    assert!(element(&mut session, Element::Heading(Box::new(heading))).is_err());
    comes_back(&mut session, &before);

    let of = |list: &[Experiment]| Element::Experiments(list.to_vec());
    let mut list = before.experiments.to_vec();
    list.swap(0, 1);
    element(&mut session, of(&list)).unwrap();
    assert_eq!(session.undo_label(), Some("Reorder the experiments"));
    list[0].name = "Patient".into();
    element(&mut session, of(&list)).unwrap();
    assert_eq!(session.undo_label(), Some("Rename Long to Patient"));
    list[1].name = "Patient".into();
    assert!(element(&mut session, of(&list)).unwrap_err().to_string().contains("already"));
    list.truncate(1);
    element(&mut session, of(&list)).unwrap();
    assert_eq!(session.undo_label(), Some("Delete experiment Cold"));
    assert_eq!((session.snapshot().hash, session.generation()), (hash, generation));
}

#[test]
fn every_edit_makes_the_revision_grow() {
    let mut session = patterns();
    let mut last = session.revision();
    let mut grown = |session: &Session| {
        let grown = session.revision() > last;
        last = session.revision();
        grown
    };
    let heading = Heading { title: "New".into(), ..Heading::of(session.scene().unwrap()) };
    element(&mut session, Element::Heading(Box::new(heading))).unwrap();
    assert!(grown(&session));
    element(&mut session, Element::AddMaterial(Material::default())).unwrap();
    assert!(grown(&session));
    session.dispatch(Command::Undo).unwrap();
    assert!(grown(&session));
    steps(&mut session, 3);
    assert!(!grown(&session));
    session.dispatch(Command::KeepPose).unwrap();
    assert!(grown(&session));
}
