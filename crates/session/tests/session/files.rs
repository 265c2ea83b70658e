//! Writing the document to files and reading it.

use std::path::PathBuf;

use delassus_session::{Edit, Element};

use super::*;

/// A folder that is deleted at the end.
pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub fn write(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn saving_writes_the_flipped_switch_and_cleans_the_document() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    assert_eq!(session.title(), "Test");
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    session.dispatch(Command::Save).unwrap();
    assert!(!session.is_dirty() && session.settings_differ_from_file().is_empty());
    let again = Session::open(&path).unwrap();
    assert!(!again.settings().warm_start.enabled);
    assert_eq!(iterations(&again), 8, "what the file named stays named");
    assert_eq!(again.scene(), session.scene());
    // The edit can still be undone, which is then a change relative to the file.
    session.dispatch(Command::Undo).unwrap();
    assert!(session.is_dirty());
    let other = folder.path().join("other.ron");
    session.dispatch(Command::SaveAs(other.clone())).unwrap();
    assert_eq!(session.file(), Some(other.as_path()));
    assert!(Session::open(&other).unwrap().settings().warm_start.enabled);
}

#[test]
fn a_broken_file_leaves_the_present_scene_open() {
    let folder = folder();
    let broken = write(&folder, "broken.ron", "(version: 1, title: \"x\", bodies: [(name: 3)])");
    let mut session = session();
    let hash = hash_after(&mut session, 5);
    for path in [broken, folder.path().join("absent.ron")] {
        let error = session.dispatch(Command::Open(path.clone())).unwrap_err();
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
    assert_eq!((session.snapshot().hash, session.title().as_str()), (hash, "Test"));
    assert!(matches!(session.dispatch(Command::Save), Err(SessionError::NoFile)));
    assert!(matches!(session.dispatch(Command::Reload), Err(SessionError::NoFile)));
}

#[test]
fn parts_are_still_found_from_another_folder() {
    let folder = folder();
    write(&folder, "part.ron", SCENE);
    let whole = r#"(version: 1, title: "Whole", parts: [(name: "p", file: "part.ron")])"#;
    let path = write(&folder, "whole.ron", whole);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(session.snapshot().bodies.len(), 5);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let elsewhere = folder.path().join("deep/whole.ron");
    session.dispatch(Command::SaveAs(elsewhere.clone())).unwrap();
    assert_eq!(session.scene().unwrap().parts[0].file, "../part.ron");
    assert_eq!(Session::open(&elsewhere).unwrap_or_else(|e| panic!("{e}")).snapshot().bodies.len(), 5);
}

#[test]
fn an_undo_after_saving_elsewhere_still_finds_the_parts() {
    let folder = folder();
    write(&folder, "part.ron", SCENE);
    let whole = r#"(version: 1, title: "Whole", parts: [(name: "p", file: "part.ron")])"#;
    let path = write(&folder, "whole.ron", whole);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    let place = |session: &mut Session, x: f32| {
        let mut part = session.scene().unwrap().parts[0].clone();
        part.at.x = x;
        let edit = Edit::Element(Element::Part { index: 0, part: Box::new(part) });
        session.dispatch(Command::Edit { edit, gesture: None }).unwrap_or_else(|e| panic!("{e}"));
    };
    let x = |session: &Session| session.snapshot().bodies[0].pose.position.x;
    place(&mut session, 1.0);
    place(&mut session, 2.0);
    session.dispatch(Command::Undo).unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    session.dispatch(Command::SaveAs(folder.path().join("deep/whole.ron"))).unwrap();
    session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (0.0, "../part.ron"));
    session.dispatch(Command::Travel(2)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (2.0, "../part.ron"));
    // Also in mid-run: the states to which an undo leads back know the new names.
    steps(&mut session, 10);
    place(&mut session, 3.0);
    steps(&mut session, 10);
    session.dispatch(Command::SaveAs(path.clone())).unwrap();
    session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (2.0, "part.ron"));
    session.dispatch(Command::Reset).unwrap_or_else(|e| panic!("{e}"));
    session.dispatch(Command::Travel(-2)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(x(&session), 0.0);
}

/// Written by hand, with comments, in an order and layout of the author's own.
const BY_HAND: &str = r#"// A pendulum, written by hand.
(
    version: 1,
    title: "By hand",
    bodies: [
        // holds it
        (name: "post",  shape: Box(half: (0.1,0.1,0.1)), at: (0,0,4), motion: Static),

        (name: "bob",   shape: Sphere(radius: 0.20), at: (1,0,4), mass: 1), // swings
        (name: "other", shape: Sphere(radius: 0.20), at: (5,0,4), mass: 1),
    ],
    // the only one
    joints: [(a: "post", b: "bob", anchor: (0,0,4), kind: BallSocket)],
    settings: (step: (gravity: (0, 0, -10))), /* as in the book */
)
"#;

#[test]
fn what_was_not_touched_stays_as_it_was_written() {
    let folder = folder();
    let path = write(&folder, "hand.ron", BY_HAND);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    let mut bob = session.body_entry("bob").unwrap();
    bob.mass = Some(3.0);
    let edit = delassus_session::Edit::Body { name: "bob".into(), body: Box::new(bob) };
    session.dispatch(Command::Edit { edit, gesture: None }).unwrap();
    session.dispatch(Command::Save).unwrap();
    let saved = std::fs::read_to_string(&path).unwrap();
    assert_eq!(saved, BY_HAND.replace("at: (1,0,4), mass: 1", "at: (1,0,4), mass: 3"));
    // After undo and another save it is the author's text byte for byte, also in another place.
    session.dispatch(Command::Undo).unwrap();
    let other = folder.path().join("other.ron");
    session.dispatch(Command::SaveAs(other.clone())).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), BY_HAND);
}

#[test]
fn the_exported_state_begins_where_the_run_is_and_goes_on_alike() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    steps(&mut session, 30);
    let here = session.snapshot().clone();
    let state = folder.path().join("state.ron");
    session.dispatch(Command::Export(state.clone())).unwrap();
    assert_eq!((session.file(), session.is_dirty()), (Some(path.as_path()), false), "the document stays");
    let mut other = Session::open(&state).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(other.title(), "Test at 0.50 s");
    for (then, now) in here.bodies.iter().zip(&other.snapshot().bodies) {
        assert!(then.pose.position.distance(now.pose.position) < 1e-6, "{}", then.name);
        assert!((then.velocity - now.velocity).length() < 1e-5, "{}: {}", then.name, now.velocity);
        assert!(
            (then.angular_velocity - now.angular_velocity).length() < 1e-5,
            "{}: {}",
            then.name,
            now.angular_velocity
        );
    }
    assert!(here.bodies[2].velocity.length() > 1.0, "it swings");
    steps(&mut session, 10);
    steps(&mut other, 10);
    let (a, b) = (session.snapshot().bodies[2].pose.position, other.snapshot().bodies[2].pose.position);
    assert!(a.distance(b) < 0.01, "{a} {b}");
    // Never over the document's own file.
    assert!(matches!(session.dispatch(Command::Export(path.clone())), Err(SessionError::Refused(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SCENE);
}

#[test]
fn claims_of_a_scene_are_not_made_of_its_exported_state() {
    let folder = folder();
    let claims = "claims: [\"joint_error_max < 1 m\"],";
    let text = SCENE.replacen("settings: (", &format!("{claims} settings: ("), 1).replacen(
        "(name: \"fifty\",",
        &format!("(name: \"fifty\", {claims}"),
        1,
    );
    let mut session = Session::open(&write(&folder, "scene.ron", &text)).unwrap_or_else(|e| panic!("{e}"));
    let scene = session.scene().unwrap();
    assert_eq!((scene.claims.len(), scene.experiments[0].claims.len()), (1, 1), "the scene has claims");
    steps(&mut session, 30);
    let state = folder.path().join("state.ron");
    session.dispatch(Command::Export(state.clone())).unwrap();
    let other = Session::open(&state).unwrap_or_else(|e| panic!("{e}"));
    let scene = other.scene().unwrap();
    assert!(scene.claims.is_empty(), "{:?}", scene.claims);
    assert_eq!((scene.experiments[0].name.as_str(), scene.experiments[0].claims.len()), ("fifty", 0));
}

#[test]
fn recovered_work_differs_from_its_file_in_what_was_changed() {
    let folder = folder();
    let path = write(&folder, "scene.ron", BY_HAND);
    let mut session = Session::open(&path).unwrap();
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    let text = delassus_scene::write(session.scene().unwrap());
    let mut next = Session::new();
    next.dispatch(Command::Recover { text, file: Some(path.clone()), base: None }).unwrap();
    assert!(next.is_dirty());
    assert_eq!(next.settings_differ_from_file(), ["warm_start.enabled"]);
    next.dispatch(Command::ResetSettings).unwrap();
    assert!(!next.is_dirty());
    // When saved, it keeps the wording of the file, not that of the copy.
    next.dispatch(Command::Save).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BY_HAND);
}
