//! Quantities that the document's plots ask for: recorded step by step, recomputed where they were requested late,
//! and kept in the scene.

use super::*;
use delassus_scene::{Plot, PlotScale};
use delassus_session::{Edit, Element, Quantity};

fn plot(curves: &[&str]) -> Plot {
    Plot { curves: curves.iter().map(|text| (*text).to_owned()).collect(), ..Plot::default() }
}

fn ask(session: &mut Session, plots: Vec<Plot>) {
    let edit = Edit::Element(Element::Plots(plots));
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
}

fn values(session: &Session, text: &str) -> Vec<(u64, f64)> {
    let quantity = Quantity::read(text).expect("a quantity");
    let trace = session.samples().trace(&quantity).expect("it was asked for");
    trace.values.iter().map(|(step, _, value)| (*step, *value)).collect()
}

const ALL: [&str; 4] = ["bodies.two.z", "bodies.one.vx", "joints.one-two.force", "rows.one-two.2.force"];

/// Requested before the run and after it, with a pull and a changed setting on the way, the curves are the same, and
/// those of a body equal the snapshots after each step.
#[test]
fn what_is_asked_for_late_is_made_again_as_it_was() {
    let go = |late: bool| {
        let mut session = session();
        if !late {
            ask(&mut session, vec![plot(&ALL)]);
        }
        let mut seen = vec![(0, f64::from(session.snapshot().bodies[3].pose.position.z))];
        for step in 1..=90 {
            if step == 30 {
                let pull = Command::MouseJoint { body: 4, point: Vec3::ZERO, target: Vec3::new(1.0, 1.0, 5.0) };
                session.dispatch(pull).expect("a pull");
            }
            if step == 50 {
                session.dispatch(Command::Release).expect("it lets go");
                set(&mut session, "solver.iterations", Value::Int(30));
            }
            session.dispatch(Command::Step).expect("a step");
            seen.push((step, f64::from(session.snapshot().bodies[3].pose.position.z)));
        }
        if late {
            ask(&mut session, vec![plot(&ALL)]);
        }
        (ALL.map(|text| values(&session, text)), seen)
    };
    let (early, seen) = go(false);
    let (late, _) = go(true);
    assert_eq!(early[0], seen);
    for (text, (early, late)) in ALL.iter().zip(early.iter().zip(&late)) {
        // A force belongs to a step: before the first step neither way has one.
        assert_eq!(early[1..], late[1..], "{text}");
    }
    assert!(early[3].iter().any(|(_, force)| *force != 0.0), "a row of an anchor bears something");
}

/// After a change of course the curves follow the new one, and the old one again after going back to it.
#[test]
fn curves_follow_the_line_of_time() {
    let mut session = session();
    ask(&mut session, vec![plot(&["bodies.two.z"])]);
    steps(&mut session, 60);
    let first = values(&session, "bodies.two.z");
    session.dispatch(Command::Seek(20)).expect("it was");
    assert_eq!(values(&session, "bodies.two.z"), first, "nothing is lost by looking");
    set(&mut session, "step.gravity", Value::Vector(Vec3::ZERO));
    assert_eq!(values(&session, "bodies.two.z"), first[..=20]);
    steps(&mut session, 10);
    let other = values(&session, "bodies.two.z");
    assert_eq!((other.len(), &other[..=20]), (31, &first[..=20]));
    let number = session.branches()[0].number;
    session.dispatch(Command::SwitchTo(number)).expect("the branch that was left");
    assert_eq!(values(&session, "bodies.two.z"), first);
    session.dispatch(Command::Reset).expect("it begins anew");
    assert_eq!(values(&session, "bodies.two.z"), first[..1]);
}

#[test]
fn plots_are_edits_that_are_saved_undone_and_follow_names() {
    let mut session = session();
    let scale = PlotScale::Robust;
    let asked = Plot { title: "Both".into(), against: "bodies.two.z".into(), scale, ..plot(&["joints.one-two.force"]) };
    ask(&mut session, vec![asked.clone(), plot(&["energy", "bodies.twofold.z", "bodies.two.z - bodies.one.z"])]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("scene.ron");
    session.dispatch(Command::SaveAs(file.clone())).expect("it is saved");
    assert_eq!(Session::open(&file).expect("it is right").scene().expect("a scene").plots[0], asked);
    // When a body is renamed, the names of its joints and its curves follow; those of bodies whose names only begin
    // alike do not.
    let mut body = session.body_entry("two").expect("a body");
    body.name = "bob".into();
    let edit = Edit::Body { name: "two".into(), body: Box::new(body) };
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    let plots = &session.scene().expect("a scene").plots;
    assert_eq!((plots[0].curves[0].as_str(), plots[0].against.as_str()), ("joints.one-bob.force", "bodies.bob.z"));
    assert_eq!(plots[1].curves[1..], ["bodies.twofold.z", "bodies.bob.z - bodies.one.z"]);
    steps(&mut session, 5);
    assert_eq!(values(&session, "joints.one-bob.force").len(), 6);
    session.dispatch(Command::Undo).expect("an edit");
    session.dispatch(Command::Undo).expect("an edit");
    assert!(session.scene().expect("a scene").plots.is_empty());
    // Invalid plots are refused, and nothing changes.
    for wrong in [vec![Plot::default()], vec![plot(&["energy"]); 25], vec![plot(&["energy"; 13])]] {
        let edit = Edit::Element(Element::Plots(wrong));
        assert!(session.dispatch(Command::Edit { edit, gesture: None }).is_err());
    }
    assert!(session.scene().expect("a scene").plots.is_empty());
}

/// A box of 2 kg that slides on a floor with µ = 0.3, and one at rest behind it.
const SLIDING: &str = r#"(
    version: 1,
    title: "A box that slides",
    settings: (friction: (model: Coulomb)),
    bodies: [
        (name: "floor", shape: Box(half: (50, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0.3),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), mass: 2, friction: 0.3, velocity: (6, 0, 0)),
        (name: "a+b", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 3, 0.5), mass: 1, friction: 0.3),
    ],
)"#;

/// N = m g, friction is µ N against the motion, and the reaction acts on the other body.
#[test]
fn a_contact_has_curves_of_its_weight_and_of_what_rubs() {
    let mut session = Session::from_text(SLIDING, "sliding.ron").expect("a scene");
    let all = [
        "contacts.floor+box.normal",
        "contacts.floor+box.friction",
        "contacts.floor+box.force_x",
        "contacts.box+floor.force_x",
        "contacts.floor+box.used",
        "contacts.box.force_z",
        "contacts.a+b.force_z",
        "contacts.floor.force_z",
        "contacts.box+a+b.points",
    ];
    ask(&mut session, vec![plot(&all)]);
    steps(&mut session, 30);
    let g = f64::from(-session.settings().step.gravity.z);
    let mean = |text: &str| {
        let values: Vec<f64> = values(&session, text).into_iter().skip(11).map(|(_, value)| value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let weight = 2.0 * g;
    for (text, expected) in
        all.into_iter().zip([weight, 0.3 * weight, -0.3 * weight, 0.3 * weight, 1.0, weight, 1.0 * g, -3.0 * g, 0.0])
    {
        assert!((mean(text) - expected).abs() < 0.01 * weight, "{text}: {} N, not {expected}", mean(text));
    }
    // Curves that are requested late are the same.
    let mut late = Session::from_text(SLIDING, "sliding.ron").expect("a scene");
    steps(&mut late, 30);
    ask(&mut late, vec![plot(&all)]);
    all.iter().for_each(|text| assert_eq!(values(&session, text)[1..], values(&late, text)[1..], "{text}"));
    // The same expressions are conditions, for one contact or for any.
    for (text, holds) in [
        ("contacts.floor+box.used >= 0.99", true),
        ("contacts.*.normal > 19", true),
        ("contacts.*.normal > 30", false),
        ("contacts.box.force_x < -5", true),
    ] {
        let asked = delassus_session::condition::condition(text).expect("a condition");
        let mut watch =
            delassus_session::condition::ConditionWatch::new(&asked, session.snapshot()).expect("its bodies are there");
        assert_eq!(watch.check(session.snapshot(), None, false), holds, "{text}");
    }
    let wrong = delassus_session::condition::condition("contacts.floor+bix.used >= 1").expect("a condition");
    let said = delassus_session::condition::ConditionWatch::new(&wrong, session.snapshot()).expect_err("no such body");
    assert!(said.contains("no body is called `bix`") && said.contains("`box`"), "{said}");
}

#[test]
fn curves_of_contacts_follow_their_bodies_to_new_names() {
    let mut session = Session::from_text(SLIDING, "sliding.ron").expect("a scene");
    ask(&mut session, vec![plot(&["contacts.floor+box.force", "contacts.box.force", "contacts.floor+boxes.force"])]);
    let mut body = session.body_entry("box").expect("a body");
    body.name = "sledge".into();
    let edit = Edit::Body { name: "box".into(), body: Box::new(body) };
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    let curves = &session.scene().expect("a scene").plots[0].curves;
    assert_eq!(*curves, ["contacts.floor+sledge.force", "contacts.sledge.force", "contacts.floor+boxes.force"]);
}
