//! Sensors as a part of the document, and what they read while the world runs.

use delassus_scene::{Body, Joint, Sensor};
use delassus_session::sensors::SensorReader;
use delassus_session::{Command, Edit, Element, Session, SnapshotNeeds};

/// A ball in free fall from 4 m at 100 steps a second, and a pendulum.
const SCENE: &str = r#"(
    version: 1,
    title: "Fall",
    settings: (preset: SingleStep, step: (rate: 100)),
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.1), at: (5, 0, 4), mass: 2),
        (name: "bob", shape: Sphere(radius: 0.1), at: (1, 0, 4), mass: 1),
    ],
    joints: [(b: "bob", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge())],
    sensors: [
        (name: "fall", of: "bodies.ball.vz", unit: "cm/s", low: -300),
        (name: "apart", of: "bodies.ball.z - bodies.bob.z"),
        (name: "load", of: "joints.world-bob.force", high: 1000),
        (name: "energy", of: "kinetic_energy"),
    ],
)"#;
const G: f64 = 9.81;
const H: f64 = 0.01;

fn open() -> Session {
    Session::from_text(SCENE, "fall").expect("a scene")
}

fn ask(session: &mut Session, edit: Edit) -> Result<(), String> {
    session.dispatch(Command::Edit { edit, gesture: None }).map_err(|error| error.to_string())
}

fn reader(session: &Session, name: &str) -> SensorReader {
    let sensors = session.sensors();
    let found = sensors.iter().find(|view| view.sensor.name == name).expect(name);
    found.reader.clone().expect(name)
}

/// After n steps the ball falls with n g h: 3 m/s is passed in the 31st step. Nothing is plotted, and nothing is asked of
/// the snapshot.
#[test]
fn values_and_alarms_are_known_without_a_plot() {
    let mut session = open();
    session.set_needs(SnapshotNeeds::POSES);
    (0..50).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let fall = reader(&session, "fall");
    let speed = 100.0 * 50.0 * G * H;
    assert!((session.sensor_value(&fall) + speed).abs() < 1e-3 * speed, "{}", session.sensor_value(&fall));
    let state = session.sensor_state(&fall);
    let alarm = state.alarm.expect("an alarm");
    assert_eq!((alarm.step, alarm.steps, alarm.active), (31, 20, true));
    assert!((alarm.seconds - 20.0 * H).abs() < 1e-9 && (alarm.worst + speed).abs() < 1e-3 * speed, "{alarm:?}");
    assert!(
        alarm.words(&fall.unit).contains("cm/s, below -300 cm/s, at 0.500 s; first at 0.310 s, for 0.200 s in all")
    );
    // ½ m v² of the ball, and that of the pendulum's bob.
    let energy = session.sensor_value(&reader(&session, "energy"));
    assert!(energy > 0.5 * 2.0 * (50.0 * G * H).powi(2), "{energy}");
    // An earlier moment knows nothing of the later one.
    session.dispatch(Command::Seek(20)).expect("a step back");
    assert!(session.sensor_state(&fall).alarm.is_none());
    assert!((session.sensor_value(&fall) + 100.0 * 20.0 * G * H).abs() < 0.2);
}

/// A sensor that is added in the middle of a run knows what was before: the steps are made again.
#[test]
fn a_new_sensor_knows_the_past() {
    let mut session = open();
    (0..40).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let mut list = session.scene().expect("a scene").sensors.to_vec();
    list.push(Sensor { name: "deep".into(), of: "bodies.ball.z".into(), low: Some(3.9), ..Sensor::default() });
    ask(&mut session, Edit::Element(Element::Sensors(list))).expect("a sensor");
    assert_eq!(session.undo_label(), Some("Add sensor deep"));
    // It has fallen by g t² / 2: by 0.1 m in the 15th step.
    let first = ((2.0 * 0.1 / G).sqrt() / H).ceil() as u64;
    let alarm = session.sensor_state(&reader(&session, "deep")).alarm.expect("an alarm");
    assert_eq!((alarm.step, alarm.steps), (first, 41 - first));
    session.dispatch(Command::Undo).expect("undo");
    assert_eq!(session.scene().expect("a scene").sensors.len(), 4);
}

#[test]
fn sensors_follow_renamed_bodies_and_joints_and_tell_what_was_deleted() {
    let mut session = open();
    let of = |session: &Session| -> Vec<String> {
        session.scene().expect("a scene").sensors.iter().map(|sensor| sensor.of.clone()).collect()
    };
    let body = |session: &Session, index: usize, name: &str| {
        let body: &Body = &session.scene().expect("a scene").bodies[index];
        Edit::Body { name: body.name.clone(), body: Box::new(Body { name: name.into(), ..body.clone() }) }
    };
    let edit = body(&session, 1, "weight");
    ask(&mut session, edit).expect("a new name");
    let edit = body(&session, 0, "stone");
    ask(&mut session, edit).expect("a new name");
    let renamed =
        ["bodies.stone.vz", "bodies.stone.z - bodies.weight.z", "joints.world-weight.force", "kinetic_energy"];
    assert_eq!(of(&session), renamed);
    let joint: Joint = session.scene().expect("a scene").joints[0].clone();
    let joint = Box::new(Joint { name: "pivot".into(), ..joint });
    ask(&mut session, Edit::Joint { name: "world-weight".into(), joint }).expect("a new name");
    assert_eq!(of(&session)[2], "joints.pivot.force");
    assert!(session.sensors().iter().all(|view| view.reader.is_ok()));

    ask(&mut session, Edit::Remove { bodies: vec!["stone".into()], joints: Vec::new() }).expect("gone");
    session.dispatch(Command::Step).expect("a step");
    let sensors = session.sensors();
    assert_eq!(sensors[0].reader.as_ref().err().map(String::as_str), Some("no body is called `stone`"));
    assert!(sensors[1].reader.is_err() && sensors[2].reader.is_ok());
    session.dispatch(Command::Undo).expect("undo");
    assert!(session.sensors().iter().all(|view| view.reader.is_ok()));
}

#[test]
fn impossible_sensors_are_refused_and_possible_ones_are_saved() {
    let mut session = open();
    let sensor =
        |name: &str, low, high| Sensor { name: name.into(), of: "energy".into(), low, high, ..Sensor::default() };
    for (list, said) in [
        (vec![sensor(" ", None, None)], "a sensor needs a name"),
        (vec![sensor("a", Some(2.0), Some(1.0))], "must not exceed"),
        (vec![sensor("a", None, Some(f64::NAN))], "finite"),
        (vec![sensor("a", None, None), sensor("a", None, None)], "“a” already"),
    ] {
        let refused = ask(&mut session, Edit::Element(Element::Sensors(list))).expect_err(said);
        assert!(refused.contains(said), "{refused}");
    }
    assert_eq!(session.undo_label(), None);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fall.ron");
    ask(&mut session, Edit::Element(Element::Sensors(vec![sensor("all of it", Some(-2.5), None)]))).expect("a sensor");
    session.dispatch(Command::SaveAs(path.clone())).expect("saved");
    let text = std::fs::read_to_string(&path).expect("a file");
    assert!(text.contains(r#"(name: "all of it", of: "energy", low: -2.5)"#), "{text}");
    let again = Session::open(&path).expect("a scene");
    assert_eq!(again.scene().map(|scene| &scene.sensors), session.scene().map(|scene| &scene.sensors));
}
