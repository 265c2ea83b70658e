//! Patterns and parts as entries: placed, renamed, saved.

use delassus_scene::{Body, Material, Part, Pattern, Stack};
use delassus_session::{Edit, Element};

use super::*;

fn stack(at: Vec3) -> Pattern {
    let shape = delassus_physics::shape::Shape::Box { half: Vec3::splat(0.5) };
    let (spacing, stagger) = (Vec3::Z, Vec3::ZERO);
    Pattern::Stack(Stack { name: String::new(), body: Body::new("", shape, at), count: 3, spacing, stagger })
}

fn add(session: &mut Session, patterns: Vec<Pattern>, parts: Vec<Part>) -> Result<(), SessionError> {
    edit(session, Edit::AddGroups { patterns, parts })
}

fn part(file: &std::path::Path) -> Part {
    let at = Vec3::new(0.0, 6.0, 0.0);
    Part { name: String::new(), file: file.display().to_string(), at, rotation: Default::default() }
}

#[test]
fn patterns_get_names_of_their_own_and_what_moves_moves_on() {
    let mut session = session();
    steps(&mut session, 30);
    let before = session.snapshot().bodies[3].pose;
    add(&mut session, vec![stack(Vec3::new(5.0, 0.0, 0.5)), stack(Vec3::new(5.0, 3.0, 0.5))], vec![]).unwrap();
    let scene = session.scene().unwrap();
    assert_eq!(scene.patterns.iter().map(Pattern::name).collect::<Vec<_>>(), ["stack", "stack-2"]);
    assert_eq!(session.snapshot().bodies.len(), 11);
    assert_eq!((session.snapshot().bodies[3].pose, session.snapshot().step), (before, 30), "the run goes on");
    session.dispatch(Command::Undo).unwrap();
    assert!(session.scene().unwrap().patterns.is_empty());
}

#[test]
fn a_part_is_called_by_the_whole_path_until_the_scene_has_a_folder() {
    let folder = std::env::temp_dir().join(format!("delassus-groups-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    let file = folder.join("parts/thing.ron");
    std::fs::write(&file, r#"(version: 1, title: "", bodies: [(name: "a", shape: Sphere(radius: 0.5))])"#).unwrap();
    let mut session = session();
    add(&mut session, vec![], vec![part(&file), part(&file)]).unwrap();
    let path = session.scene().unwrap().parts[0].file.clone();
    assert!(std::path::Path::new(&path).is_absolute(), "{path}");
    assert_eq!(&*session.snapshot().bodies[6].name, "thing-2.a");
    let saved = folder.join("scene.ron");
    session.dispatch(Command::SaveAs(saved.clone())).unwrap();
    assert_eq!(session.scene().unwrap().parts[1].file, "parts/thing.ron");
    // Once the scene has a file, the path of a new part is relative at once.
    add(&mut session, vec![], vec![part(&file)]).unwrap();
    assert_eq!(session.scene().unwrap().parts[2].file, "parts/thing.ron");
    session.dispatch(Command::Save).unwrap();
    let again = Session::open(&saved).unwrap();
    assert_eq!(again.snapshot().bodies.len(), 5 + 3);
    // A scene that would include itself is refused, and stays as it is.
    let mut inner = Session::open(&file).unwrap();
    let refused = add(&mut inner, vec![], vec![part(&saved)]);
    assert!(matches!(&refused, Err(SessionError::Mistakes(m)) if m[0].what.contains("circle")), "{refused:?}");
    assert!(!inner.is_dirty());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_renamed_pattern_takes_its_joints_along_and_moves_on() {
    let mut session = session();
    add(&mut session, vec![stack(Vec3::new(5.0, 0.0, 2.5))], vec![]).unwrap();
    let kind = delassus_physics::joints::JointKind::Distance(Default::default());
    let mut joint = delassus_scene::Joint::new("stack.2", "box", Vec3::ZERO, kind);
    (joint.anchor, joint.anchor_a, joint.anchor_b) = (None, Some(Vec3::ZERO), Some(Vec3::ZERO));
    edit(&mut session, Edit::Add { bodies: vec![], joints: vec![joint] }).unwrap();
    steps(&mut session, 20);
    let hash = session.snapshot().hash;
    let rename = |session: &mut Session, to: &str| {
        let mut pattern = Box::new(session.scene().unwrap().patterns[0].clone());
        *pattern.name_mut() = to.into();
        edit(session, Edit::Element(Element::Pattern { index: 0, pattern }))
    };
    rename(&mut session, "tower").unwrap();
    assert_eq!(session.scene().unwrap().joints[2].a, "tower.2");
    assert_eq!(session.snapshot().hash, hash, "under another name it moves as before");
    assert!(rename(&mut session, "").is_err());
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.snapshot().hash, hash);
    assert_eq!(&*session.snapshot().bodies[5].name, "stack.0");
}

#[test]
fn a_renamed_body_moves_on_and_a_renamed_material_keeps_its_bodies() {
    let scene = r#"(version: 1, title: "", materials: [(name: "ice", friction: 0)],
        bodies: [(name: "a", shape: Sphere(radius: 0.5), material: "ice", velocity: (1, 0, 0))])"#;
    let mut session = Session::from_text(scene, "test").unwrap();
    steps(&mut session, 30);
    let there = session.snapshot().bodies[0].pose;
    let mut body = session.body_entry("a").unwrap();
    body.name = "b".into();
    edit(&mut session, Edit::Body { name: "a".into(), body: Box::new(body) }).unwrap();
    assert_eq!(session.snapshot().bodies[0].pose, there);
    let material = Material { name: "glass".into(), friction: 0.0, ..Material::default() };
    edit(&mut session, Edit::Element(Element::Material { name: "ice".into(), material })).unwrap();
    let scene = session.scene().unwrap();
    assert_eq!((scene.bodies[0].material.as_deref(), scene.materials[0].name.as_str()), (Some("glass"), "glass"));
    assert_eq!(session.snapshot().bodies[0].friction, 0.0);
}
