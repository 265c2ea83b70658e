//! Springs in files: one of frequency and stiffness, one of damping ratio and damping coefficient.

use delassus_physics::joints::JointKind;
use delassus_physics::row::{Damping, Softness, SpringRate};
use delassus_scene as scene;

fn text(kind: &str) -> String {
    format!(
        "(version: 1, title: \"t\", bodies: [(name: \"a\", shape: Sphere(radius: 0.1), mass: 1)], joints: [(name: \"j\", \
         b: \"a\", anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), axis: (0, 0, 1), kind: {kind})])"
    )
    .replace(", axis: (0, 0, 1)", if kind.starts_with("Spring") { "" } else { ", axis: (0, 0, 1)" })
    .replace("(0, 0, 0), anchor_b", if kind.starts_with("Spring") { "(0, 0, 1), anchor_b" } else { "(0, 0, 0), anchor_b" })
}

/// The spring of the one joint.
fn read(kind: &str) -> Result<Softness, String> {
    let loaded = scene::read_str(&text(kind), "s.ron").map_err(|mistakes| mistakes[0].to_string())?;
    let kind: JointKind = loaded.scene.joints.iter().next().expect("a joint").kind;
    kind.spring().ok_or_else(|| "no spring".into())
}

#[test]
fn a_spring_takes_a_frequency_or_a_stiffness_a_ratio_or_a_coefficient() {
    for around in ["Hinge(spring: (*))", "Prismatic(spring: (*))", "Cylindrical(spring: (*))", "Spring(*)"] {
        let read = |fields: &str| read(&around.replace('*', fields));
        assert_eq!(read("hertz: 3, damping_ratio: 0.4"), Ok(Softness::of(3.0, 0.4)), "{around}");
        assert_eq!(read("stiffness: 250, damping: 8"), Ok(Softness::of_stiffness(250.0, 8.0)), "{around}");
        let (rate, damping) = (SpringRate::Stiffness(250.0), Damping::Ratio(1.0));
        assert_eq!(read("stiffness: 250, damping_ratio: 1"), Ok(Softness { rate, damping }), "{around}");
        let (rate, damping) = (SpringRate::Frequency(2.0), Damping::Coefficient(8.0));
        assert_eq!(read("hertz: 2, damping: 8"), Ok(Softness { rate, damping }), "{around}");
        for (fields, wrong) in [
            ("hertz: 2, stiffness: 250, damping: 8", "takes `hertz` or `stiffness`, not both"),
            ("hertz: 2, damping_ratio: 1, damping: 8", "takes `damping_ratio` or `damping`, not both"),
            ("stiffness: -1, damping: 8", "stiffness"),
            ("stiffness: 1, damping: -8", "damping"),
            ("stifness: 1, damping: 8", "stifness"),
        ] {
            let message = read(fields).expect_err(fields);
            assert!(message.contains(wrong) && message.starts_with("s.ron:1:"), "{around}, {fields}: {message}");
        }
    }
    for (fields, wrong) in [("damping: 8", "needs `hertz`, or a `stiffness`"), ("hertz: 2", "needs a `damping_ratio`")]
    {
        let message = read(&format!("Hinge(spring: ({fields}))")).expect_err(fields);
        assert!(message.contains(wrong), "{message}");
    }
}

/// What is left out of a spring joint is as in the default one.
#[test]
fn a_spring_joint_has_defaults_for_what_is_left_out() {
    assert_eq!(read("Spring"), Ok(Softness::of(2.0, 0.2)));
    assert_eq!(read("Spring(hertz: 5)"), Ok(Softness::of(5.0, 0.2)));
    let damped = Softness { rate: SpringRate::Stiffness(90.0), damping: Damping::Ratio(0.2) };
    assert_eq!(read("Spring(stiffness: 90)"), Ok(damped));
}

#[test]
fn springs_are_written_as_they_were_read() {
    for kind in [
        "Hinge(spring: (stiffness: 250, damping: 8, angle: 0.5))",
        "Prismatic(spring: (hertz: 2, damping_ratio: 0.5, slide: 0.1))",
        "Spring(length: 1, stiffness: 90, damping: 3)",
        "BallSocket",
    ] {
        let scene = scene::read_str(&text(kind), "s.ron").expect(kind).scene;
        let written = scene::write(&scene);
        let again = scene::read_str(&written, "again.ron")
            .unwrap_or_else(|mistakes| panic!("{}\n{written}", mistakes[0]))
            .scene;
        assert!(again == scene, "{written}");
        assert!(!written.contains("None") && !written.contains("Some"), "{written}");
    }
    // Soft rows and surfaces, too.
    let soft = "(version: 1, title: \"t\", bodies: [(name: \"a\", shape: Sphere(radius: 0.1), mass: 1, soft: (stiffness: \
                2000, damping: 10))], joints: [(b: \"a\", anchor: (0, 0, 0), kind: BallSocket, soft: (anchor: (stiffness: \
                900, damping_ratio: 1)))])";
    let scene = scene::read_str(soft, "s.ron").expect("it is right").scene;
    let written = scene::write(&scene);
    assert!(written.contains("stiffness: 2000") && written.contains("stiffness: 900"), "{written}");
}
