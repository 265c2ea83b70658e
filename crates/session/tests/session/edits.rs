//! Settings, experiments, undo: edits of the document that are applied to the running world.

use super::*;
use delassus_physics::preset::Preset;
use delassus_scene::{Body, Experiment};
use delassus_session::{Edit, Element};

#[test]
fn a_flipped_switch_is_an_edit_that_the_running_world_follows() {
    let mut session = session();
    steps(&mut session, 10);
    let hash = session.snapshot().hash;
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    assert_eq!(session.snapshot().hash, hash, "no restart");
    assert_eq!(session.snapshot().step, 10);
    assert!(!session.world().unwrap().settings.warm_start.enabled);
    assert_eq!(session.scene().unwrap().settings.warm_start.enabled, Some(false));
    assert_eq!(session.settings_differ_from_file(), ["warm_start.enabled"]);
    assert!(session.differs("warm_start.enabled") && session.is_dirty());
    let mark = session.samples().marks.back().unwrap();
    assert_eq!((mark.step, mark.label.as_str()), (10, "Warm starting off"));
    assert_eq!(session.undo_label(), Some("Warm starting off"));
    session.dispatch(Command::Undo).unwrap();
    assert!(session.world().unwrap().settings.warm_start.enabled && !session.is_dirty());
    session.dispatch(Command::Redo).unwrap();
    assert!(!session.settings().warm_start.enabled);
    assert!(matches!(session.dispatch(Command::Redo), Err(SessionError::NothingToRedo)));
    // Reset creates the world again, with the edited settings.
    session.dispatch(Command::Reset).unwrap();
    assert!(!session.world().unwrap().settings.warm_start.enabled);
}

#[test]
fn a_drag_is_one_undo_and_leaves_one_mark() {
    let mut session = session();
    for i in 9..40 {
        set(&mut session, "solver.iterations", Value::Int(i));
        session.advance(Duration::from_millis(16), Duration::from_millis(8));
    }
    assert_eq!(session.samples().marks.len(), 1);
    session.advance(Duration::from_secs(2), Duration::from_millis(8));
    set(&mut session, "solver.iterations", Value::Int(50));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(iterations(&session), 39);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(iterations(&session), 8);
    assert!(matches!(session.dispatch(Command::Undo), Err(SessionError::NothingToUndo)));
}

#[test]
fn a_setting_goes_back_to_the_files_value_not_the_default() {
    let mut session = session();
    set(&mut session, "solver.iterations", Value::Int(3));
    set(&mut session, "stabilization.beta", Value::Real(0.5));
    session.dispatch(Command::ResetSetting("solver.iterations")).unwrap();
    assert_eq!(iterations(&session), 8);
    assert_eq!(session.settings_differ_from_file(), ["stabilization.beta"]);
    session.dispatch(Command::ResetSettings).unwrap();
    assert!(!session.is_dirty(), "a change that is taken back leaves no trace");
}

/// A preset sets the solver and leaves what the scene is; it is one edit, with its name.
#[test]
fn a_chosen_preset_is_one_edit_and_leaves_what_the_scene_is() {
    let mut session = session();
    set(&mut session, "step.rate", Value::Real(120.0));
    let before = *session.settings();
    session.dispatch(Command::ChoosePreset(Preset::Rapier)).unwrap();
    assert_eq!(Preset::of(session.settings()), Some(Preset::Rapier));
    let settings = session.world().unwrap().settings;
    assert_eq!((settings.step.rate, settings.step.gravity), (120.0, before.step.gravity));
    assert_eq!(session.undo_label(), Some("Preset Rapier"));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(*session.settings(), before);
}

#[test]
fn mistaken_settings_change_nothing() {
    let mut session = session();
    for (name, value) in [
        ("solver.iterations", Value::Real(3.0)),
        ("solver.iterations", Value::Int(1_000_000)),
        ("stabilization.beta", Value::Real(f32::NAN)),
        ("solver.iteration", Value::Int(3)),
    ] {
        assert!(session.dispatch(Command::Set { name, value }).is_err());
    }
    assert!(!session.is_dirty() && session.undo_label().is_none());
}

#[test]
fn experiments_replace_each_other_on_top_of_the_file() {
    let mut session = session();
    assert_eq!(session.active_experiment(), None);
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert_eq!((iterations(&session), session.active_experiment()), (50, Some(0)));
    assert!(!session.is_dirty(), "an experiment that is looked at is nothing to save");
    session.dispatch(Command::ApplyExperiment(1)).unwrap();
    assert_eq!((iterations(&session), session.active_experiment()), (8, Some(1)));
    assert_eq!(session.samples().marks.back().unwrap().label, "cold");
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert_eq!((session.active_experiment(), session.is_dirty()), (Some(0), false));
    assert!(matches!(session.dispatch(Command::ApplyExperiment(2)), Err(SessionError::NoExperiment(2))));
}

/// Only a user's own changes count as unsaved: a setting changed by hand, even to the value of an experiment; an
/// experiment the user created; a body that is moved while an experiment is shown.
#[test]
fn what_is_made_by_hand_is_something_to_save_and_an_experiment_is_not() {
    let mut session = session();
    set(&mut session, "solver.iterations", Value::Int(50));
    assert_eq!((session.active_experiment(), session.is_dirty()), (Some(0), true));
    session.dispatch(Command::Undo).unwrap();
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert!(!session.is_dirty());
    session.dispatch(Command::ResetSettings).unwrap();
    assert_eq!((session.active_experiment(), session.is_dirty()), (None, false));
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    let list = session.scene().unwrap().experiments.to_vec();
    let element = |list| Edit::Element(Element::Experiments(list));
    let mut longer = list.clone();
    longer.push(Experiment { name: "my own".into(), ..list[0].clone() });
    session.dispatch(Command::Edit { edit: element(longer), gesture: None }).unwrap();
    assert!(session.is_dirty());
    session.dispatch(Command::Undo).unwrap();
    assert!(!session.is_dirty());
    let mut body = session.body_entry("two").unwrap();
    body.mass = Some(7.0);
    let edit = Edit::Body { name: "two".into(), body: Box::new(body) };
    session.dispatch(Command::Edit { edit, gesture: None }).unwrap();
    assert!(session.is_dirty());
}

/// Two experiments may have the same settings, to show two things: the one that was requested is the active one.
#[test]
fn of_two_equal_experiments_the_one_that_was_asked_for_is_active() {
    let text =
        SCENE.replace("(name: \"cold\"", "(name: \"fifty again\", set: (solver: (iterations: 50))),\n(name: \"cold\"");
    let mut session = Session::from_text(&text, "test").unwrap();
    session.dispatch(Command::ApplyExperiment(1)).unwrap();
    assert_eq!(session.active_experiment(), Some(1));
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert_eq!(session.active_experiment(), Some(0));
}

/// The scene as a file in a folder of its own, opened.
fn of_file() -> (Session, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.ron");
    std::fs::write(&file, SCENE).unwrap();
    let mut session = Session::open(&file).unwrap();
    session.dispatch(Command::Pause).unwrap();
    (session, folder)
}

fn mass_of_two(session: &Session) -> Option<f32> {
    session.body_entry("two").unwrap().mass
}

fn set_mass_of_two(session: &mut Session, mass: f32) {
    let body = Box::new(Body { mass: Some(mass), ..session.body_entry("two").unwrap() });
    session.dispatch(Command::Edit { edit: Edit::Body { name: "two".into(), body }, gesture: None }).unwrap();
}

#[test]
fn an_experiment_is_no_edit_and_undo_goes_past_it() {
    let (mut session, _folder) = of_file();
    let file = iterations(&session);
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert_eq!((session.past().len(), session.undo_label()), (0, None));
    assert_eq!(session.dispatch(Command::Undo).unwrap_err().to_string(), SessionError::NothingToUndo.to_string());
    session.dispatch(Command::ResetSettings).unwrap();
    assert_eq!((iterations(&session), session.past().len()), (file, 0));

    // An edit from before the experiment can be undone and redone, whichever experiment is shown.
    set_mass_of_two(&mut session, 7.0);
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert!(session.is_dirty(), "the mass is still to be saved");
    assert_eq!((session.past().len(), mass_of_two(&session)), (1, Some(7.0)));
    session.dispatch(Command::Undo).unwrap();
    assert_ne!(mass_of_two(&session), Some(7.0));
    assert_eq!((session.active_experiment(), session.is_dirty()), (None, false));
    session.dispatch(Command::Redo).unwrap();
    assert_eq!((mass_of_two(&session), iterations(&session), session.is_dirty()), (Some(7.0), file, true));

    // An edit made while an experiment is shown comes on top of it: undo leads back to the experiment, and then to
    // before it.
    session.dispatch(Command::ApplyExperiment(1)).unwrap();
    set_mass_of_two(&mut session, 9.0);
    assert_eq!((session.past().len(), mass_of_two(&session), iterations(&session)), (2, Some(9.0), 8));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!((mass_of_two(&session), session.active_experiment()), (Some(7.0), Some(1)));
    session.dispatch(Command::Undo).unwrap();
    assert_ne!(mass_of_two(&session), Some(7.0));
    assert_eq!((session.active_experiment(), iterations(&session), session.is_dirty()), (None, file, false));
    session.dispatch(Command::Travel(2)).unwrap();
    assert_eq!((mass_of_two(&session), iterations(&session)), (Some(9.0), 8));
}

#[test]
fn settings_of_ones_own_come_back_from_beneath_an_experiment_by_undo() {
    let (mut session, _folder) = of_file();
    let file = iterations(&session);
    set(&mut session, "solver.iterations", Value::Int(17));
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    session.dispatch(Command::ApplyExperiment(1)).unwrap();
    assert_eq!((iterations(&session), session.past().len(), session.is_dirty()), (8, 1, true));
    session.dispatch(Command::ResetSettings).unwrap();
    assert_eq!((iterations(&session), session.past().len()), (file, 2));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!((iterations(&session), session.is_dirty()), (17, true));
}

/// The experiment that is shown is not saved.
#[test]
fn saving_under_an_experiment_saves_the_scene_without_it() {
    let (mut session, folder) = of_file();
    let file = folder.path().join("mine.ron");
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    session.dispatch(Command::Save).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), SCENE, "not a letter is another one");
    assert_eq!((session.active_experiment(), session.is_dirty()), (Some(0), false));
    session.dispatch(Command::ResetSettings).unwrap();
    set(&mut session, "contact.slop", Value::Real(0.01));
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    session.dispatch(Command::Save).unwrap();
    let saved = Session::open(&file).unwrap();
    assert_eq!((iterations(&saved) == 50, saved.settings().contact.slop), (false, 0.01));
    assert!(!session.is_dirty());
    assert_eq!(iterations(&session), 50);
}
