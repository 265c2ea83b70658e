//! The time that reading takes grows in proportion to the text: for long lists, many fields, many mistakes, long names,
//! and every small grammar inside a scene. Each text is read at two lengths, one [`TIMES`] times the other. What counts
//! is the processor time of the thread that reads, which other programs on the machine hardly change.

use std::fmt::Write;
use std::time::Duration;

use cpu_time::ThreadTime;
use delassus_session::condition::condition;
use delassus_session::{Quantity, claims};
use rayon::prelude::*;

/// The longer text is this many times as long as the shorter one.
const TIMES: usize = 16;
/// The longer text may take this many times as long: 16 is linear, 256 is quadratic. Between them is room for caches that
/// hold only the shorter text.
const MOST: f64 = 64.0;
/// A text that is read faster than this shows nothing.
const LEAST: Duration = Duration::from_millis(60);
/// The shorter text, bytes.
const SHORT: usize = 100_000;

/// Elements made by `item` until the text has this length.
fn many(length: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(length + 200);
    let mut index = 0;
    while text.len() < length {
        text += &item(index);
        index += 1;
    }
    text
}

fn scene(fields: &str) -> String {
    format!("(version: 1, title: \"t\", {fields})")
}

const BALL: &str = "(name: \"ball\", shape: Sphere(radius: 1))";

/// A kind of text, and how to make one of about this length.
type Case = (&'static str, fn(usize) -> String);

/// Every list of a scene, with elements that are right and such that are wrong, and what else can be long.
const SCENES: &[Case] = &[
    ("bodies", |length| {
        scene(&format!(
            "bodies: [{}]",
            many(length, |i| format!("(name: \"b{i}\", shape: Sphere(radius: 1), at: ({i}, 0, 0)),"))
        ))
    }),
    ("bodies of one name", |length| scene(&format!("bodies: [{}]", many(length, |_| format!("{BALL},"))))),
    ("bodies with mistakes", |length| {
        scene(&format!("bodies: [{}]", many(length, |i| format!("(name: \"b{i}\", shape: Sphere(radius: -1)),"))))
    }),
    ("bodies that cannot be read", |length| {
        scene(&format!("bodies: [{}]", many(length, |i| format!("(name: \"b{i}\", shap: Sphere(radius: 1)),"))))
    }),
    ("bodies of materials that are not there", |length| {
        let body = |i| format!("(name: \"b{i}\", shape: Sphere(radius: 1), material: \"m{i}\"),");
        scene(&format!("bodies: [{}]", many(length, body)))
    }),
    ("materials", |length| {
        scene(&format!(
            "bodies: [{BALL}], materials: [{}]",
            many(length, |i| format!("(name: \"m{i}\", friction: 1),"))
        ))
    }),
    ("bodies with as many materials as there may be", |length| {
        let materials: String = (0..1000).fold(String::new(), |mut text, i| {
            let _ = write!(text, "(name: \"m{i}\", friction: 1),");
            text
        });
        let body = |i| format!("(name: \"b{i}\", shape: Sphere(radius: 1), material: \"m999\"),");
        scene(&format!("materials: [{materials}], bodies: [{}]", many(length, body)))
    }),
    ("joints", |length| {
        let pair = |i: usize| format!("(name: \"b{i}\", shape: Sphere(radius: 1), at: ({i}, 0, 0)),");
        let count = length / 130;
        let bodies: String = (0..count).map(pair).collect();
        let joint = |i: usize| format!("(a: \"b{}\", b: \"b{i}\", anchor: (0, 0, 0), kind: BallSocket),", i - 1);
        scene(&format!("bodies: [{bodies}], joints: [{}]", (1..count).map(joint).collect::<String>()))
    }),
    ("joints between the same two bodies", |length| {
        let joint = |_| "(a: \"world\", b: \"ball\", anchor: (0, 0, 0), kind: BallSocket),".to_owned();
        scene(&format!("bodies: [{BALL}], joints: [{}]", many(length, joint)))
    }),
    ("joints to bodies that are not there", |length| {
        let joint = |i| format!("(a: \"world\", b: \"ball{i}\", anchor: (0, 0, 0), kind: BallSocket),");
        let body = |i| format!("(name: \"b{i}\", shape: Sphere(radius: 1)),");
        scene(&format!("bodies: [{}], joints: [{}]", many(length / 2, body), many(length / 2, joint)))
    }),
    ("joints to a body with a mistake", |length| {
        let joint = |_| "(a: \"world\", b: \"bad\", anchor: (0, 0, 0), kind: BallSocket),".to_owned();
        let body = |i| format!("(name: \"b{i}\", shape: Sphere(radius: 1)),");
        let bad = "(name: \"bad\", shape: Sphere(radius: -1))";
        scene(&format!("bodies: [{}{bad}], joints: [{}]", many(length / 2, body), many(length / 2, joint)))
    }),
    ("patterns", |length| {
        let pattern =
            |i| format!("Stack(name: \"s{i}\", body: (shape: Sphere(radius: 1)), count: 1, spacing: (0, 0, 2)),");
        scene(&format!("patterns: [{}]", many(length, pattern)))
    }),
    ("grids of chains", |length| {
        let pattern = |i| {
            format!(
                "Grid(name: \"g{i}\", count: (1, 1, 1), spacing: (1, 1, 1), of: Chain(name: \"c\", body: (shape: \
                 Sphere(radius: 1)), count: 2, spacing: (0, 0, 2), joint: (kind: BallSocket))),"
            )
        };
        scene(&format!("patterns: [{}]", many(length, pattern)))
    }),
    ("parts that are not there", |length| {
        scene(&format!("parts: [{}]", many(length, |i| format!("(name: \"p{i}\", file: \"absent-{i}.ron\"),"))))
    }),
    ("experiments", |length| {
        scene(&format!("bodies: [{BALL}], experiments: [{}]", many(length, |i| format!("(name: \"e{i}\"),"))))
    }),
    ("plots", |length| {
        let plot = |_| "(curves: [\"energy\"]),".to_owned();
        scene(&format!("bodies: [{BALL}], plots: [{}]", many(length, plot)))
    }),
    ("curves", |length| {
        scene(&format!("bodies: [{BALL}], plots: [(curves: [{}])]", many(length, |_| "\"energy\",".to_owned())))
    }),
    ("claims", |length| {
        scene(&format!("bodies: [{BALL}], claims: [{}]", many(length, |_| "\"energy > 1\",".to_owned())))
    }),
    ("points of a hull", |length| {
        let points = many(length, |i| format!("({i}, 0, 1),"));
        scene(&format!("bodies: [(name: \"h\", shape: Hull(points: [{points}]))]"))
    }),
    ("waypoints", |length| {
        let points = many(length, |i| format!("({i}, 0, 1),"));
        let mover = format!("motion: Kinematic, mover: Waypoints(points: [{points}], speed: 1)");
        scene(&format!("bodies: [(name: \"h\", shape: Sphere(radius: 1), {mover})]"))
    }),
    ("unknown fields of the scene", |length| scene(&many(length, |i| format!("u{i}: 1,")))),
    ("one field again and again", |length| scene(&many(length, |_| "about: \"\",".to_owned()))),
    ("unknown fields of a body", |length| {
        scene(&format!("bodies: [(name: \"b\", {})]", many(length, |i| format!("u{i}: 1,"))))
    }),
    ("members without a name", |length| scene(&many(length, |i| format!("{i},")))),
    ("a long text", |length| scene(&format!("about: \"{}\"", "words ".repeat(length / 6)))),
    ("a long name", |length| scene(&format!("bodies: [(name: \"{}\", shape: Sphere(radius: 1))]", "n".repeat(length)))),
    ("a long name that is not there", |length| {
        let joint = format!("(a: \"world\", b: \"{}\", anchor: (0, 0, 0), kind: BallSocket)", "n".repeat(length));
        scene(&format!("bodies: [{BALL}], joints: [{joint}]"))
    }),
    ("a long unknown field", |length| scene(&format!("{}: 1", "u".repeat(length)))),
    ("a long unknown word", |length| scene(&format!("bodies: [(name: \"b\", shape: {})]", "S".repeat(length)))),
    ("a long number", |length| scene(&format!("camera: (eye: ({}, 0, 0))", "1".repeat(length)))),
    ("a long curve", |length| {
        scene(&format!("bodies: [{BALL}], plots: [(curves: [\"{}\"])]", "bodies.ball.z - ".repeat(length / 16)))
    }),
    ("a long claim", |length| scene(&format!("bodies: [{BALL}], claims: [\"energy {}\"]", "<".repeat(length)))),
    ("comments", |length| format!("{} {}", "// words\n".repeat(length / 9), scene(""))),
    ("nested comments", |length| format!("{}{} {}", "/*".repeat(length / 4), "*/".repeat(length / 4), scene(""))),
    ("open brackets", |length| "(".repeat(length)),
    ("open lists of lists", |length| "([".repeat(length / 2)),
    ("empty lines", |length| format!("{} {}", "\n".repeat(length), scene("bodies: [(nam: 1)]"))),
    ("open quotes", |length| format!("(title: {}", "\"\",".repeat(length / 3))),
    ("raw texts", |length| format!("(title: {}", "r#\"\"#,".repeat(length / 6))),
    ("attributes", |length| format!("{}{}", "#![enable(implicit_some)]\n".repeat(length / 26), scene(""))),
];

/// As above, with the function that reads it.
type Grammar = (&'static str, fn(usize) -> String, fn(&str));

/// Grammars that are read apart from scenes.
const GRAMMARS: &[Grammar] = &[
    ("relations in a condition", |length| format!("energy {}", "<".repeat(length)), |text| drop(condition(text))),
    ("words of time", |length| format!("energy > 1{}", " after".repeat(length / 6)), |text| drop(condition(text))),
    ("a number", |length| format!("energy > {}", "1".repeat(length)), |text| drop(condition(text))),
    ("points in a name", |length| format!("bodies{}.z > 1", ".a".repeat(length / 2)), |text| drop(condition(text))),
    ("differences", |length| "bodies.a.z - ".repeat(length / 13), |text| drop(Quantity::read(text))),
    ("contacts", |length| format!("contacts.{}.force", "a+".repeat(length / 2)), |text| drop(Quantity::read(text))),
];

/// The time of one reading.
fn once(read: impl Fn()) -> Duration {
    let begin = ThreadTime::now();
    read();
    begin.elapsed()
}

/// The ratio of the times for two texts, if they take any. Of each the least time counts, which other programs disturb
/// least: of three, and for the longer one of as many as show that its growth is linear or too small.
fn growth(make: fn(usize) -> String, read: impl Fn(&str)) -> Option<(f64, Duration)> {
    let [short, long] = [make(SHORT), make(TIMES * SHORT)];
    let first = once(|| read(&long));
    if first <= LEAST {
        return None;
    }
    let least = (0..3).map(|_| once(|| read(&short))).min().unwrap_or_default();
    let ratio = |time: Duration| time.as_secs_f64() / least.as_secs_f64();
    let again = |best: Duration, _| if ratio(best) > MOST { best.min(once(|| read(&long))) } else { best };
    let best = (1..4).fold(first, again);
    (best > LEAST).then(|| (ratio(best), best))
}

fn read_scene(text: &str) {
    if let Ok(loaded) = delassus_scene::read_str(text, "test") {
        // What `check` and the window do with a scene that is right.
        let _ = claims::mistakes("test".as_ref(), &loaded);
        let _ = delassus_scene::write(&loaded.scene);
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    let mut wrong = Vec::new();
    let mut look = |name: &str, growth: Option<(f64, Duration)>| {
        if let Some((ratio, long)) = growth.filter(|(ratio, _)| *ratio > MOST) {
            wrong.push(format!("{name}: {TIMES} times the text took {ratio:.1} times the time, {long:.1?}"));
        }
    };
    for (name, make) in SCENES {
        look(name, growth(*make, read_scene));
    }
    for (name, make, read) in GRAMMARS {
        look(name, growth(*make, read));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `- bodies.a.z` forty times was cut in every way in which it can be cut.
#[test]
fn a_curve_of_many_differences_is_read_at_once() {
    let begin = ThreadTime::now();
    // What stands between the first point and the last is a name.
    assert!(Quantity::read(&["bodies.a.z"; 40].join(" - ")).is_ok_and(|read| read.difference().is_some()));
    assert!(Quantity::read(&" - ".repeat(40)).is_err());
    assert!(Quantity::read("bodies.a.z - bodies.b.z").is_ok_and(|read| read.difference().is_some()));
    assert!(begin.elapsed() < Duration::from_secs(1));
}

/// The promise for a build for users is 2 s. The tests are built with fewer optimizations, on machines that are busy.
#[test]
fn ten_megabytes_are_read_in_seconds() {
    let most = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 2 });
    let slow: Vec<String> = (SCENES.par_iter())
        .filter_map(|(name, make)| {
            let text = make(10_000_000);
            let begin = ThreadTime::now();
            drop(delassus_scene::read_str(&text, "test"));
            let took = begin.elapsed();
            (took >= most).then(|| format!("{name}: {took:.1?}"))
        })
        .collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
