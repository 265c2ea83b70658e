//! Edits in mid-run: undoing one leads back to the state in which it was made, and the earlier course of the run is
//! kept across it.

use delassus_scene::{Body, Scene};
use delassus_session::{BodyView, Edit, Gesture, Motion, Placed, Snapshot};
use glam::Quat;

use super::*;

fn edit(session: &mut Session, edit: Edit) {
    session.dispatch(Command::Edit { edit, gesture: None }).unwrap_or_else(|e| panic!("{e}"));
}

fn moved(body: &BodyView, by: Vec3) -> Placed {
    Placed {
        name: body.name.to_string(),
        at: body.pose.position + by,
        rotation: Quat::from_rotation_z(0.3) * body.pose.rotation,
    }
}

fn dynamic(session: &Session) -> Vec<BodyView> {
    session.snapshot().bodies.iter().filter(|b| b.motion == Motion::Dynamic).cloned().collect()
}

fn scene(session: &Session) -> Scene {
    session.scene().cloned().unwrap()
}

fn travel(session: &mut Session, by: isize) {
    session.dispatch(Command::Travel(by)).unwrap_or_else(|e| panic!("{e}"));
}

/// Compares poses, velocities and joint errors up to rounding.
fn assert_same_state(is: &Snapshot, should: &Snapshot, what: &str) {
    assert_eq!((is.step, is.time), (should.step, should.time), "{what}");
    for (is, should) in is.bodies.iter().zip(&should.bodies) {
        let name = &should.name;
        assert!(is.pose.position.distance(should.pose.position) < 1e-6, "{what}, {name}: {:?}", is.pose);
        assert!(is.pose.rotation.angle_between(should.pose.rotation) < 1e-3, "{what}, {name}: {:?}", is.pose);
        assert!(
            is.velocity.distance(should.velocity) < 1e-6
                && is.angular_velocity.distance(should.angular_velocity) < 1e-6,
            "{what}, {name}"
        );
    }
    assert_eq!(is.joints.len(), should.joints.len(), "{what}");
    for (is, should) in is.joints.iter().zip(&should.joints) {
        let jump = (is.readout.error - should.readout.error).abs();
        assert!(jump < 1e-6, "{what}, {}: its error jumps by {jump} m", should.name);
    }
}

/// Every mechanism in the library's chapter on joints: one body, or all that move, placed elsewhere in mid-run.
#[test]
fn a_move_in_mid_run_is_undone_in_the_state_in_which_it_was_made() {
    let scenes = delassus_scene::library(&delassus_scene::library::scenes_folder());
    let mut jumps: f32 = 0.0;
    for entry in scenes.iter().filter(|e| e.folder() == "rows") {
        for (all, later) in [(false, 0), (true, 0), (false, 25)] {
            let what = format!("{}, all: {all}, {later} steps later", entry.id);
            let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
            steps(&mut session, 70);
            let (before, document) = (session.snapshot().clone(), scene(&session));
            let bodies = dynamic(&session);
            let count = if all { bodies.len() } else { 1 };
            let placed = bodies.iter().take(count).map(|b| moved(b, Vec3::new(0.4, -0.3, 0.7))).collect();
            edit(&mut session, Edit::Place(placed));
            let (after, edited) = (session.snapshot().clone(), scene(&session));
            jumps = jumps.max(after.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max));
            steps(&mut session, later);
            session.dispatch(Command::Undo).unwrap();
            assert_same_state(session.snapshot(), &before, &what);
            assert_eq!(scene(&session), document, "{what}");
            // It continues as it would have, and the edit can be redone exactly.
            steps(&mut session, 5);
            session.dispatch(Command::Redo).unwrap();
            assert_same_state(session.snapshot(), &after, &what);
            assert_eq!(scene(&session), edited, "{what}");
        }
    }
    assert!(jumps > 0.1, "some of the moves pull at joints: {jumps} m");
}

#[test]
fn a_jump_over_several_edits_leads_to_the_state_before_the_first_and_back_to_that_after_the_last() {
    let mut session = session();
    steps(&mut session, 30);
    let (before, document) = (session.snapshot().clone(), scene(&session));
    for n in 0..3 {
        let two = dynamic(&session)[1].clone();
        edit(&mut session, Edit::Place(vec![moved(&two, Vec3::new(0.2, 0.1 * n as f32, 0.3))]));
        steps(&mut session, 10);
        set(&mut session, "solver.iterations", Value::Int(20 + n));
    }
    let edited = scene(&session);
    travel(&mut session, -6);
    assert_same_state(session.snapshot(), &before, "all undone");
    assert_eq!((scene(&session), iterations(&session)), (document, 8));
    travel(&mut session, 6);
    assert_eq!((session.snapshot().step, scene(&session)), (50, edited));
    assert_eq!(iterations(&session), 22, "and the world has the settings of its document");
}

#[test]
fn what_does_not_tear_is_undone_while_the_run_goes_on() {
    let mut session = session();
    steps(&mut session, 30);
    let mut entry = session.body_entry("two").unwrap();
    entry.mass = Some(4.0);
    edit(&mut session, Edit::Body { name: "two".into(), body: Box::new(entry) });
    let ball = Body::new("new", delassus_physics::shape::Shape::Sphere { radius: 0.1 }, Vec3::new(5.0, 5.0, 3.0));
    edit(&mut session, Edit::Add { bodies: vec![ball], joints: vec![] });
    steps(&mut session, 10);
    let poses: Vec<_> = session.snapshot().bodies[..5].iter().map(|b| b.pose).collect();
    travel(&mut session, -2);
    assert_eq!(session.snapshot().step, 40);
    assert_eq!(session.snapshot().bodies.iter().map(|b| b.pose).collect::<Vec<_>>(), poses);
    assert_eq!(session.snapshot().bodies[3].mass, 1.0);
}

#[test]
fn a_body_that_was_deleted_in_mid_run_comes_back_where_it_was() {
    let mut session = session();
    steps(&mut session, 40);
    let before = session.snapshot().clone();
    edit(&mut session, Edit::Remove { bodies: vec!["one".into()], joints: vec![] });
    steps(&mut session, 20);
    session.dispatch(Command::Undo).unwrap();
    assert_same_state(session.snapshot(), &before, "deleted");
}

#[test]
fn an_edit_of_the_beginning_is_undone_at_the_beginning() {
    let mut session = session();
    let before = session.snapshot().clone();
    let two = dynamic(&session)[1].clone();
    edit(&mut session, Edit::Place(vec![moved(&two, Vec3::Z)]));
    steps(&mut session, 30);
    session.dispatch(Command::Undo).unwrap();
    assert_same_state(session.snapshot(), &before, "the beginning");
    assert_eq!(session.samples().samples.len(), 1);
    // A reset ends the run to which the states belong; only the document's own start remains.
    steps(&mut session, 30);
    let two = dynamic(&session)[1].clone();
    edit(&mut session, Edit::Place(vec![moved(&two, Vec3::Z)]));
    session.dispatch(Command::Reset).unwrap();
    steps(&mut session, 30);
    session.dispatch(Command::Undo).unwrap();
    assert_same_state(session.snapshot(), &before, "the beginning again");
}

/// Each past state by its step: its hash and the bodies of its document.
#[test]
fn stepping_back_goes_on_across_edits_and_their_undoing() {
    let mut session = session();
    let mut past = Vec::new();
    // The current state as well, which an edit may have changed.
    let mut forward = |session: &mut Session, n: u32| {
        for i in 0..=n {
            steps(session, u32::from(i > 0));
            past.truncate(session.snapshot().step as usize);
            past.push((session.snapshot().hash, scene(session)));
        }
    };
    forward(&mut session, 21);
    let mut entry = session.body_entry("two").unwrap();
    entry.mass = Some(4.0);
    edit(&mut session, Edit::Body { name: "two".into(), body: Box::new(entry) });
    forward(&mut session, 19);
    let two = dynamic(&session)[1].clone();
    edit(&mut session, Edit::Place(vec![moved(&two, Vec3::new(0.1, 0.0, 0.2))]));
    forward(&mut session, 20);
    // A mass is undone while the run continues: two edits at once, and the move leads back to where it was made.
    travel(&mut session, -1);
    assert_eq!(session.snapshot().step, 40);
    forward(&mut session, 10);
    travel(&mut session, -1);
    assert_eq!(session.snapshot().step, 50);
    forward(&mut session, 10);
    assert_eq!(past.len(), 61);
    for step in (0..60).rev() {
        session.dispatch(Command::StepBack).unwrap_or_else(|e| panic!("to step {step}: {e}"));
        let (hash, document) = &past[step];
        assert_eq!((session.snapshot().step as usize, session.snapshot().hash), (step, *hash));
        assert_eq!(session.scene(), Some(document), "step {step}");
        assert_eq!(session.samples().samples.back().unwrap().step as usize, step);
    }
    assert!(matches!(session.dispatch(Command::StepBack), Err(SessionError::NoEarlierState)));
}

#[test]
fn try_step_back_try_again() {
    let mut session = session();
    steps(&mut session, 30);
    let here = session.snapshot().clone();
    let mut hashes = Vec::new();
    for mass in [2.0, 3.0, 2.0] {
        let mut entry = session.body_entry("two").unwrap();
        entry.mass = Some(mass);
        edit(&mut session, Edit::Body { name: "two".into(), body: Box::new(entry) });
        hashes.push(hash_after(&mut session, 12));
        // The step before the edit, without what was done then.
        for _ in 0..13 {
            session.dispatch(Command::StepBack).unwrap_or_else(|e| panic!("{e}"));
        }
        assert_eq!((session.snapshot().step, session.redo_label()), (29, Some("Change mass of two")));
        assert_eq!(session.body_entry("two").unwrap().mass, Some(1.0));
        session.dispatch(Command::Fork).unwrap();
        steps(&mut session, 1);
        assert_same_state(session.snapshot(), &here, "again");
        assert_eq!(session.body_entry("two").unwrap().mass, Some(1.0));
    }
    assert_eq!(hashes[0], hashes[2]);
    assert_ne!(hashes[0], hashes[1]);
    assert_eq!((session.past().len(), session.branches().len()), (0, 3));
}

/// A document that can no longer be reached through the history returns as an edit, which can be undone.
#[test]
fn a_state_of_a_forsaken_document_is_had_again_and_can_be_left_again() {
    let mut session = session();
    let mass = |session: &mut Session, mass: f32| {
        let mut entry = session.body_entry("two").unwrap();
        entry.mass = Some(mass);
        edit(session, Edit::Body { name: "two".into(), body: Box::new(entry) });
    };
    steps(&mut session, 10);
    mass(&mut session, 2.0);
    steps(&mut session, 10);
    let abandoned = (session.snapshot().hash, scene(&session));
    steps(&mut session, 1);
    session.dispatch(Command::Undo).unwrap();
    steps(&mut session, 1);
    mass(&mut session, 3.0);
    steps(&mut session, 1);
    let (last, present) = (session.snapshot().clone(), scene(&session));
    for _ in 0..3 {
        session.dispatch(Command::StepBack).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!((session.snapshot().hash, scene(&session)), abandoned);
    while session.scene() != Some(&present) {
        session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(session.snapshot().step <= last.step);
}

#[test]
fn a_drag_in_mid_run_is_one_edit_and_one_step_of_the_past() {
    let mut session = session();
    steps(&mut session, 20);
    let before = session.snapshot().clone();
    let two = dynamic(&session)[1].clone();
    for n in 1..20 {
        let placed = Edit::Place(vec![moved(&two, Vec3::new(0.0, 0.0, 0.01 * n as f32))]);
        session.dispatch(Command::Edit { edit: placed, gesture: Some(Gesture::Drag(1)) }).unwrap();
        steps(&mut session, 1);
    }
    let end = session.snapshot().hash;
    session.dispatch(Command::StepBack).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(session.snapshot().step, 38);
    session.dispatch(Command::StepBack).unwrap_or_else(|e| panic!("{e}"));
    assert_same_state(session.snapshot(), &before, "what was while it was dragged is no state of any document");
    session.dispatch(Command::Redo).unwrap();
    assert_eq!(hash_after(&mut session, 1), end);
    session.dispatch(Command::Undo).unwrap();
    assert_same_state(session.snapshot(), &before, "one entry");
}

fn heavier(session: &Session, mass: f32) -> Edit {
    let mut body = session.body_entry("one").unwrap();
    body.mass = Some(mass);
    Edit::Body { name: "one".into(), body: Box::new(body) }
}

#[test]
fn a_drag_in_mid_run_is_run_again_to_the_bit_and_is_one_undo() {
    let mut session = session();
    steps(&mut session, 30);
    let (before, state) = (scene(&session), session.snapshot().clone());
    for frame in 0..12 {
        let edit = heavier(&session, 1.0 + 0.25 * frame as f32);
        session.dispatch(Command::Edit { edit, gesture: Some(Gesture::Drag(1)) }).unwrap();
        // At first it is paused, then it runs.
        if frame < 6 {
            assert_same_state(session.snapshot(), &state, "a frame");
        } else {
            steps(&mut session, 1);
        }
        assert_eq!(session.replayed_hash(), Some(session.snapshot().hash), "frame {frame}");
    }
    steps(&mut session, 20);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
    assert_eq!(session.past().len(), 1);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(scene(&session), before);
    session.dispatch(Command::Redo).unwrap();
    assert_eq!(session.body_entry("one").unwrap().mass, Some(3.75));
}

#[test]
fn a_body_held_before_the_first_step_is_still_held_when_an_edit_is_run_again() {
    let mut session = session();
    let hit = session.pick(Vec3::new(-3.0, 0.0, 9.0), Vec3::NEG_Z).unwrap();
    let target = hit.point + Vec3::Z;
    session.dispatch(Command::MouseJoint { body: hit.body, point: hit.local, target }).unwrap();
    let heavy = heavier(&session, 4.0);
    edit(&mut session, heavy);
    steps(&mut session, 20);
    assert!(session.snapshot().mouse_joint.is_some());
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
}

#[test]
fn an_edit_and_its_undo_share_all_that_they_do_not_touch() {
    let mut session = session();
    let before = scene(&session);
    let heavy = heavier(&session, 4.0);
    edit(&mut session, heavy);
    let after = scene(&session);
    let same =
        |a: &Scene, b: &Scene| a.bodies.iter().zip(&b.bodies).map(|(a, b)| std::ptr::eq(a, b)).collect::<Vec<_>>();
    assert_eq!(same(&before, &after), [true, true, false, true, true]);
    set(&mut session, "solver.iterations", Value::Int(50));
    assert_eq!(same(&after, &scene(&session)), [true; 5]);
    travel(&mut session, -2);
    assert_eq!(same(&before, &scene(&session)), [true; 5], "the very scene that was");
    assert!(!session.is_dirty());
}

/// The entry of a body that has rotated since the beginning gets another orientation even from a mere move.
#[test]
fn a_move_in_mid_run_is_called_a_move_and_a_turn_a_turn() {
    let path = delassus_scene::library::scenes_folder().join("lab/10-four-bar.ron");
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    for (label, turn) in [("Move coupler", 0.0), ("Turn coupler", 0.3), ("Move coupler", 0.0)] {
        steps(&mut session, 60);
        let body = session.snapshot().bodies.iter().find(|b| &*b.name == "coupler").unwrap();
        let began = scene(&session).bodies.iter().find(|b| b.name == "coupler").unwrap().rotation.quat().unwrap();
        assert!(body.pose.rotation.angle_between(began) > 0.01, "it has turned");
        let rotation = (Quat::from_rotation_z(turn) * body.pose.rotation).normalize();
        let placed = Placed { name: "coupler".into(), at: body.pose.position + Vec3::X, rotation };
        edit(&mut session, Edit::Place(vec![placed]));
        assert_eq!(session.undo_label(), Some(label));
    }
}
