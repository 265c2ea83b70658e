//! The timeline: any past moment can be restored bit for bit with its document, the recorded course continues from
//! there through the same states, and a change made there begins another branch beside the recorded one.

use delassus_scene::{Scene, library, library::scenes_folder};
use delassus_session::{Edit, Motion, PAST_MEMORY, Placed};

use super::*;

/// What identifies a moment: its hash, its document, whether the mouse holds something.
type Known = (u64, Scene, bool);

fn known(session: &Session) -> Known {
    (session.snapshot().hash, session.scene().cloned().unwrap(), session.snapshot().mouse_joint.is_some())
}

/// The state at each step, after everything that was done in it.
#[derive(Default)]
struct Past(Vec<Known>);

impl Past {
    fn note(&mut self, session: &Session) {
        let step = session.snapshot().step as usize;
        self.0.truncate(step);
        assert_eq!(self.0.len(), step, "every step is noted");
        self.0.push(known(session));
    }

    fn steps(&mut self, session: &mut Session, n: u32) {
        for _ in 0..n {
            self.note(session);
            steps(session, 1);
        }
        self.note(session);
    }

    fn assert_at(&self, session: &Session, what: &str) {
        let step = session.snapshot().step as usize;
        let (hash, document, held) = &self.0[step];
        assert_eq!(session.snapshot().hash, *hash, "{what}, step {step}");
        assert!(session.scene() == Some(document), "{what}, step {step}: its document");
        assert_eq!(session.snapshot().mouse_joint.is_some(), *held, "{what}, step {step}: the hand");
        assert_eq!(session.settings(), &document.settings.settings(), "{what}, step {step}");
        let last = session.samples().samples.back().map(|sample| sample.step);
        assert_eq!(last, Some(step as u64), "{what}: the plots end at the present");
    }
}

fn seek(session: &mut Session, step: u64) {
    session.dispatch(Command::Seek(step)).unwrap_or_else(|e| panic!("to {step}: {e}"));
    assert_eq!(session.snapshot().step, step);
}

/// A body is pulled around, settings are changed, it is placed elsewhere, its pose is kept.
fn disturbed(session: &mut Session) -> Past {
    let mut past = Past::default();
    past.steps(session, 18);
    let moving = session.snapshot().bodies.iter().find(|b| b.motion == Motion::Dynamic).cloned();
    if let Some(body) = moving {
        for k in 1..5 {
            let target = body.pose.position + Vec3::new(0.05 * k as f32, 0.1, 0.2);
            session.dispatch(Command::MouseJoint { body: body.id, point: Vec3::ZERO, target }).unwrap();
            past.steps(session, 1);
        }
        session.dispatch(Command::Release).unwrap();
        past.steps(session, 2);
        let now = session.snapshot().body(body.id).expect("it is there").pose;
        let at = now.position + Vec3::new(0.0, 0.0, 0.01);
        let placed = Placed { name: body.name.to_string(), at, rotation: now.rotation };
        // Some bodies may not be moved alone.
        let _ = session.dispatch(Command::Edit { edit: Edit::Place(vec![placed]), gesture: None });
    }
    past.steps(session, 3);
    set(session, "solver.iterations", Value::Int(13));
    past.steps(session, 9);
    set(session, "contact.slop", Value::Real(0.004));
    past.steps(session, 4);
    session.dispatch(Command::KeepPose).unwrap();
    past.steps(session, 5);
    past
}

#[test]
fn every_moment_of_every_scene_is_had_again_to_the_bit_and_leads_on_to_the_same() {
    let mut scenes = 0;
    for entry in library::ordinary(&scenes_folder()) {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        if session.snapshot().bodies.len() > 130 {
            continue;
        }
        let past = disturbed(&mut session);
        let end = past.0.len() as u64 - 1;
        let reached = session.timeline().expect("a scene is open");
        assert_eq!((reached.first, reached.now, reached.last), (0, end, end), "{}", entry.id);
        // Back and forth across the edits.
        for step in [end - 1, 3, 17, 24, 23, end - 7, 0, 20, end - 12] {
            seek(&mut session, step);
            assert!(session.is_past());
            past.assert_at(&session, &entry.id);
        }
        // And on along the recorded course, to its end and beyond it as before.
        seek(&mut session, 15);
        while session.is_past() {
            steps(&mut session, 1);
            past.assert_at(&session, &entry.id);
        }
        assert_eq!(session.snapshot().step, end);
        assert!(session.branches().is_empty(), "looking changes nothing");
        let beyond = hash_after(&mut session, 6);
        seek(&mut session, 2);
        seek(&mut session, end);
        past.assert_at(&session, &entry.id);
        assert_eq!(hash_after(&mut session, 6), beyond, "{}", entry.id);
        scenes += 1;
    }
    assert!(scenes > 60, "{scenes} scenes");
}

#[test]
fn playing_in_the_past_leads_along_what_was() {
    let mut session = session();
    let past = disturbed(&mut session);
    let end = session.snapshot().step;
    seek(&mut session, 5);
    session.dispatch(Command::Play).unwrap();
    let frame = Duration::from_secs_f64(1.0 / 60.0);
    let mut frames = 0;
    while session.is_past() {
        session.advance(frame, Duration::from_secs(10));
        frames += 1;
        assert!(frames < 200);
        if session.is_past() {
            assert_eq!(session.scene(), Some(&past.0[session.snapshot().step as usize].1));
        }
    }
    session.dispatch(Command::Pause).unwrap();
    while session.snapshot().step < end {
        steps(&mut session, 1);
    }
    seek(&mut session, end);
    past.assert_at(&session, "played");
}

/// A setting is changed in the past: the old branch stays beside the new one, and either can be selected at the same
/// moment.
#[test]
fn a_setting_flipped_in_the_past_leaves_both_branches() {
    let mut session = session();
    let first = disturbed(&mut session);
    let end = session.snapshot().step;
    seek(&mut session, 10);
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    assert!(!session.is_past());
    assert_eq!(session.branches().len(), 1);
    assert_eq!(session.branch_name(), "Warm starting off");
    let left = &session.branches()[0];
    assert_eq!((left.name.as_str(), left.fork.0, left.end.0), ("First run", 10, end));
    let number = left.number;
    let second: Vec<Known> = (0..=20)
        .map(|n| {
            steps(&mut session, u32::from(n > 0));
            known(&session)
        })
        .collect();
    assert!(second[20].0 != first.0[30].0, "it runs otherwise");
    // To the first one at the same step; there and back again.
    session.dispatch(Command::SwitchTo(number)).unwrap();
    assert_eq!((session.snapshot().step, session.branch_name()), (30, "First run"));
    first.assert_at(&session, "the first branch");
    for step in [0, end, 12, 31] {
        seek(&mut session, step);
        first.assert_at(&session, "the first branch");
    }
    let number = session.branches()[0].number;
    assert_eq!(session.branches()[0].name, "Warm starting off");
    session.dispatch(Command::SwitchTo(number)).unwrap();
    assert_eq!(session.snapshot().step, 30, "it has no more");
    for step in [10, 19, 30] {
        seek(&mut session, step);
        assert_eq!(known(&session), second[step as usize - 10]);
    }
    // Their common past is shared.
    seek(&mut session, 4);
    first.assert_at(&session, "before the fork");
    let number = session.branches()[0].number;
    session.dispatch(Command::RenameBranch(number, "with warm starting".into())).unwrap();
    assert_eq!(session.branches()[0].name, "with warm starting");
    session.dispatch(Command::DeleteBranch(number)).unwrap();
    assert!(session.branches().is_empty());
    assert!(matches!(session.dispatch(Command::SwitchTo(number)), Err(SessionError::NoBranch(_))));
    seek(&mut session, 30);
    session.dispatch(Command::Undo).unwrap();
    assert!(session.settings().warm_start.enabled || session.scene() != Some(&second[20].1), "an edit is taken back");
}

/// Reset begins anew, and the old run stays as a branch, with its bookmarks.
#[test]
fn a_reset_keeps_what_was_and_its_bookmarks() {
    let mut session = session();
    let first = disturbed(&mut session);
    let end = session.snapshot().step;
    session.dispatch(Command::Bookmark { step: 12, name: Some("here".into()) }).unwrap();
    session.dispatch(Command::Reset).unwrap();
    assert_eq!((session.snapshot().step, session.bookmarks().len()), (0, 0));
    steps(&mut session, 5);
    let [left] = session.branches() else { panic!("one branch") };
    assert_eq!(left.end.0, end);
    let number = left.number;
    session.dispatch(Command::SwitchTo(number)).unwrap();
    for step in [0, 5, 12, end] {
        seek(&mut session, step);
        first.assert_at(&session, "what was before the reset");
    }
    let [bookmark] = session.bookmarks() else { panic!("one bookmark") };
    assert_eq!((bookmark.step, &*bookmark.name), (12, "here"));
}

/// A mouse pull at an earlier moment is released where something else is done.
#[test]
fn a_hand_of_the_past_lets_go_where_something_else_is_done() {
    let mut session = session();
    disturbed(&mut session);
    seek(&mut session, 20);
    assert!(session.snapshot().mouse_joint.is_some());
    set(&mut session, "solver.iterations", Value::Int(3));
    assert!(session.snapshot().mouse_joint.is_none());
    steps(&mut session, 30);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
    let end = session.snapshot().hash;
    seek(&mut session, 19);
    assert!(session.snapshot().mouse_joint.is_some(), "before that it holds");
    seek(&mut session, 50);
    assert_eq!(session.snapshot().hash, end);
}

#[test]
fn going_on_from_an_earlier_moment_without_what_came_is_a_branch_of_its_own() {
    let mut session = session();
    steps(&mut session, 30);
    set(&mut session, "solver.iterations", Value::Int(2));
    let with = hash_after(&mut session, 30);
    seek(&mut session, 20);
    session.dispatch(Command::Fork).unwrap();
    assert_eq!(session.branch_name(), "On from 0.333 s", "20 steps of 1/60 s");
    assert_eq!(iterations(&session), 8);
    let without = hash_after(&mut session, 40);
    assert_ne!(with, without);
    let mut plain = self::session();
    assert_eq!(hash_after(&mut plain, 60), without);
    // At the last moment there is nothing to fork from.
    session.dispatch(Command::Fork).unwrap();
    assert_eq!(session.branches().len(), 1);
}

#[test]
fn nothing_that_changes_nothing_leaves_the_past() {
    let mut session = session();
    steps(&mut session, 20);
    seek(&mut session, 7);
    set(&mut session, "solver.iterations", Value::Int(8));
    session.dispatch(Command::Release).unwrap();
    session.dispatch(Command::Bookmark { step: 7, name: Some("here".into()) }).unwrap();
    assert!(session.dispatch(Command::Undo).is_err() && session.dispatch(Command::Redo).is_err());
    let nobody = Command::MouseJoint { body: 99, point: Vec3::ZERO, target: Vec3::ZERO };
    assert!(session.dispatch(nobody).is_err());
    assert!(session.is_past() && session.branches().is_empty());
    session.dispatch(Command::Reset).unwrap();
    assert!(!session.is_past() && session.bookmarks().is_empty(), "another run");
    assert_eq!(session.timeline().map(|t| (t.first, t.now, t.last)), Some((0, 0, 0)));
}

#[test]
fn bookmarks_name_moments_of_their_line() {
    let mut session = session();
    steps(&mut session, 60);
    let mark = |session: &mut Session, step, name: Option<&str>| {
        session.dispatch(Command::Bookmark { step, name: name.map(str::to_owned) }).unwrap();
    };
    mark(&mut session, 45, Some("late"));
    mark(&mut session, 6, Some("early"));
    let names = |session: &Session| session.bookmarks().iter().map(|b| b.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&session), ["early", "late"]);
    assert!((session.bookmarks()[0].time - 6.0 / 60.0).abs() < 1e-6);
    mark(&mut session, 6, Some("first touch"));
    assert_eq!(names(&session), ["first touch", "late"]);
    // A change made between them begins a branch that has only the first one.
    seek(&mut session, 20);
    set(&mut session, "solver.iterations", Value::Int(2));
    assert_eq!(names(&session), ["first touch"]);
    let number = session.branches()[0].number;
    session.dispatch(Command::SwitchTo(number)).unwrap();
    assert_eq!(names(&session), ["first touch", "late"]);
    mark(&mut session, 6, None);
    assert_eq!(names(&session), ["late"]);
}

#[test]
fn edits_and_the_hand_are_marks_of_the_line() {
    let mut session = session();
    disturbed(&mut session);
    let marks: Vec<(u64, String)> = session.edits().map(|(step, _, label)| (step, label.to_owned())).collect();
    let labels: Vec<(u64, &str)> = marks.iter().map(|(step, label)| (*step, label.as_str())).collect();
    let should = [
        (24, "Move one"),
        (27, "Solver: Iterations 13"),
        (36, "Contact: Contact slop 0.004 m"),
        (40, "Keep this pose"),
    ];
    assert_eq!(labels, should);
    assert_eq!(session.holds(), [(18, 22)], "four steps");
    seek(&mut session, 21);
    assert_eq!(session.edits().count(), 4, "what is ahead, too");
    assert_eq!(session.holds(), [(18, 22)]);
}

/// Half a minute of ordinary scenes is kept completely, within the stated memory.
#[test]
fn half_a_minute_of_usual_scenes_stays_at_hand() {
    for id in ["lab/10-four-bar", "book/09-chain"] {
        let path = scenes_folder().join(format!("{id}.ron"));
        if !path.exists() {
            panic!("{id} is a scene of the library");
        }
        let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
        let rate = session.settings().step.rate;
        let count = (30.0 * rate).ceil() as u64;
        let mut hashes = vec![session.snapshot().hash];
        for _ in 0..count {
            hashes.push(hash_after(&mut session, 1));
        }
        let line = session.timeline().expect("it is open");
        assert_eq!((line.first, line.last), (0, count), "{id}");
        assert!(session.past_bytes() <= PAST_MEMORY, "{id}: {}", session.past_bytes());
        for share in [1, 3, 5, 7, 9] {
            let step = count * share / 10;
            seek(&mut session, step);
            assert_eq!(session.snapshot().hash, hashes[step as usize], "{id}, step {step}");
        }
    }
}

/// A recording follows the current line: abandoned branches are not in it.
#[test]
fn a_recording_follows_the_line_of_time() {
    let mut session = session();
    session.dispatch(Command::Record).unwrap();
    disturbed(&mut session);
    let whole = session.recording().unwrap();
    let right = |session: &Session, what: &str| {
        let recording = session.recording().expect("it is recorded");
        let replay = recording.replay().unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(replay.differs, None, "{what}");
        assert_eq!(replay.steps, session.timeline().unwrap().last, "{what}");
    };
    seek(&mut session, 12);
    steps(&mut session, 4);
    assert_eq!(session.recording().unwrap().checks, whole.checks, "looking records nothing");
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    steps(&mut session, 10);
    right(&session, "the new line");
    let number = session.branches()[0].number;
    session.dispatch(Command::SwitchTo(number)).unwrap();
    assert_eq!(session.recording().unwrap().checks, whole.checks, "each line has its own");
    right(&session, "the old line");
}
