//! The sensors of a scene: what a run logs of them and which alarms it tells. The motor of the library's scene turns a
//! weight of 2 kg at a radius of 0.5 m with ω = 1 rad/s from below to above: its torque is m g r sin(ω t).

use super::*;

const SCENE_NAME: &str = "machines/09-sensors";
/// m g r, N·m, and its share that is the limit.
const TORQUE: f64 = 2.0 * 9.81 * 0.5;
const SHARE: f64 = 0.5;
/// The length of a step, s.
const H: f64 = 1.0 / 60.0;

#[test]
fn an_alarm_is_told_with_its_time_its_worst_value_and_its_length() {
    let folder = Folder::new();
    let run = ["run", SCENE_NAME, "--seconds", "4"];
    let report = json(&folder.out(&[&run[..], &["--json"]].concat()));
    let sensor = &report["sensors"][0];
    let alarm = &sensor["alarm"];
    let number = |name: &str| alarm[name].as_f64().unwrap_or_else(|| panic!("{name}: {alarm}"));
    assert_eq!((sensor["name"].as_str(), sensor["unit"].as_str()), (Some("motor torque"), Some("N·m")));
    // sin(ω t) > 1/2 from ω t = asin(1/2) = π/6 to 5π/6. A torque is the mean over its last sub-step.
    let first = SHARE.asin();
    let length = std::f64::consts::PI - 2.0 * first;
    assert!((number("time") - first).abs() <= 1.5 * H, "{alarm}, not {first}");
    assert!((number("seconds") - length).abs() <= 2.0 * H, "{alarm}, not {length}");
    assert!((number("worst") / TORQUE - 1.0).abs() < 2e-3, "{alarm}, not {TORQUE}");
    assert!((number("worst_time") - std::f64::consts::FRAC_PI_2).abs() <= 4.0 * H, "{alarm}");
    assert_eq!((alarm["side"].as_str(), alarm["active"].as_bool()), (Some("high"), Some(false)));
    assert_eq!(number("limit"), SHARE * TORQUE);
    // Above 170° from ω t = 170° on, and 4 rad at the end.
    let angle = &report["sensors"][1];
    let first = 170f64.to_radians();
    assert!((angle["alarm"]["time"].as_f64().expect("an alarm") - first).abs() <= 1.5 * H, "{angle}");
    assert!((angle["value"].as_f64().expect("a value") - 4f64.to_degrees()).abs() < 0.1, "{angle}");
    assert_eq!(angle["alarm"]["active"].as_bool(), Some(true));
    assert!(report["sensors"][2]["alarm"].is_null() && report["sensors"][3]["alarm"].is_null(), "{report}");

    let text = folder.out(&run);
    assert!(text.contains("alarm of motor torque: 9.8"), "{text}");
    assert!(text.contains(" N·m, above 4.905 N·m, at 1.5"), "{text}");
    assert!(text.contains("alarm of angle: 229.") && text.contains(", and at the end"), "{text}");
    // An alarm is told; it is a failure for whoever asks for that.
    let failed = folder.run(&[&run[..], &["--fail-on-alarm"]].concat());
    assert_eq!(failed.status.code(), Some(4));
    assert!(err(&failed).contains("failed: alarm of motor torque: "), "{}", err(&failed));
    folder.out(&["run", SCENE_NAME, "--seconds", "0.4", "--fail-on-alarm"]);
}

/// The value of a message `delassus.Sensor`: a double in field 1, and a truth value in field 2.
fn sensor_message(bytes: &[u8]) -> (f64, bool) {
    assert_eq!((bytes.len(), bytes[0], bytes[9]), (11, 1 << 3 | 1, 2 << 3), "{bytes:?}");
    (f64::from_le_bytes(bytes[1..9].try_into().expect("eight bytes")), bytes[10] == 1)
}

/// Both logs have the same values at the same times, and the file is complete: the crate finds its index.
#[test]
fn the_logs_agree() {
    let folder = Folder::new();
    let run = |file: &str| folder.out(&["run", SCENE_NAME, "--steps", "120", "--every", "2", "--sensors", file]);
    run("s.csv");
    run("s.mcap");
    let table = folder.read("s.csv");
    assert_eq!(table.lines().next(), Some("step,time,motor torque,angle,pivot force,height"));
    let rows: Vec<Vec<f64>> =
        table.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert_eq!(rows.len(), 60);

    let bytes = std::fs::read(folder.path("s.mcap")).expect("a file");
    let summary = mcap::Summary::read(&bytes).expect("a whole file").expect("an index");
    let counts = &summary.stats.as_ref().expect("statistics").channel_message_counts;
    assert_eq!((counts.len(), counts.values().all(|count| *count == 60)), (5, true), "{counts:?}");
    let metadata = summary.channels.values().find(|channel| channel.topic == "/sensors/angle").expect("a channel");
    assert_eq!(metadata.metadata["unit"], "deg");
    assert_eq!((metadata.message_encoding.as_str(), metadata.metadata["high"].as_str()), ("protobuf", "170"));
    let mut seen = [0usize; 4];
    for message in mcap::MessageStream::new(&bytes).expect("messages") {
        let message = message.expect("a message");
        let Some(name) = message.channel.topic.strip_prefix("/sensors/") else { continue };
        let column = ["motor torque", "angle", "pivot force", "height"].iter().position(|known| *known == name);
        let column = column.expect("a sensor");
        let row = &rows[seen[column]];
        seen[column] += 1;
        let (value, alarm) = sensor_message(&message.data);
        assert_eq!((f64::from(message.sequence), value), (row[0], row[2 + column]), "{name}");
        assert_eq!(message.log_time, (row[1] * 1e9).round() as u64, "simulated time in ns");
        assert_eq!(alarm, column == 0 && value > SHARE * TORQUE, "{name} {value}");
    }
    assert_eq!(seen, [60; 4]);
    // The poses: as many transforms as bodies, each with the body's name.
    let poses = mcap::MessageStream::new(&bytes).expect("messages").flatten().find(|m| m.channel.topic == "/tf");
    let poses = poses.expect("poses");
    assert_eq!(poses.channel.schema.as_ref().map(|schema| schema.name.as_str()), Some("foxglove.FrameTransforms"));
    for name in ["arm", "post", "world"] {
        let written = [&[name.len() as u8], name.as_bytes()].concat();
        assert!(poses.data.windows(written.len()).any(|part| part == written), "{name}");
    }
}

#[test]
fn a_wrong_sensor_is_a_mistake_with_its_place() {
    let folder = Folder::new();
    let body = r#"(name: "box", shape: Sphere(radius: 1))"#;
    let scene = |sensors: &str| format!("(version: 1, title: \"t\", bodies: [{body}], sensors: [\n  {sensors}\n])");
    for (sensors, column, said) in [
        (r#"(name: "a", of: "bodies.bux.z")"#, 19, "no body is called `bux`, did you mean `box`?"),
        (r#"(name: "a", of: "bodies.box.zz")"#, 19, "no column of a body is called `zz`"),
        (r#"(name: "a", of: "bodies.*.z")"#, 19, "give a name in place of `*`"),
        (r#"(name: "a", of: "bodies.box.z", unit: "kg")"#, 41, "is in m: `kg` is no unit of it"),
        (r#"(name: "a", of: "energy", low: 3, high: 2)"#, 34, "`low` is 3 and must not exceed `high`, which is 2"),
        (r#"(name: "", of: "energy")"#, 10, "a sensor needs a name"),
        (r#"(name: "a", of: "energy", hihg: 3)"#, 29, "did you mean `high`?"),
        ("(name: \"a\", of: \"energy\"), (name: \"a\", of: \"time\")", 37, "a second sensor is called `a`"),
    ] {
        folder.write("wrong.ron", &scene(sensors));
        let output = folder.run(&["check", "wrong.ron"]);
        assert_eq!(output.status.code(), Some(1), "{sensors}");
        let found = err(&output);
        assert!(found.contains(&format!("wrong.ron:2:{column}: ")) && found.contains(said), "{sensors}: {found}");
    }
    folder.write("wrong.ron", &scene(r#"(name: "a", of: "bodies.bux.z")"#));
    let said = folder.refused(&["run", "wrong.ron", "--steps", "1", "--sensors", "s.csv"], 1);
    assert!(said.contains("a cannot be read: no body is called `bux`"), "{said}");
    let said = folder.refused(&["run", "scene.ron", "--steps", "1", "--sensors", "s.csv"], 2);
    assert!(said.contains("the scene has none"), "{said}");
}
