//! What many bodies and joints cost: the doctor's work has a limit in scenes of every kind, and can be cancelled.

use delassus_physics::work::Cancel;

use super::*;

/// Each two of them were compared and reported: thousands of joints took hours and all memory.
#[test]
fn of_many_limits_that_exclude_each_other_not_every_pair_is_told() {
    let joints: String = (0..1000)
        .map(|k| {
            let from = k as f32;
            format!(r#"(name: "{k}", a: "a", b: "b", kind: Rope(length: {})),"#, 0.5 + from * 0.001)
                + &format!(r#"(name: "rod {k}", a: "a", b: "b", kind: Distance(length: {})),"#, 2.0 + from)
        })
        .collect();
    let found = findings(&scene(TWO, &joints, ""));
    let last = found.iter().rfind(|finding| finding.rule == Rule::Exclusion).expect("they are reported");
    let more: usize = last
        .what
        .rsplit_once(" And ")
        .and_then(|(_, more)| more.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("{}", last.what));
    assert!(more < 2000 * 32, "{more}");
}

/// A tall stack took a step down for each two of its boxes.
#[test]
fn a_stack_of_thousands_is_passed_over_in_words() {
    let loaded = load(
        "(version: 1, title: \"t\", settings: (preset: SingleStep), bodies: [(name: \"floor\", shape: Box(half: (9, 9, 0.5)), \
         at: (0, 0, -0.5), motion: Static)], patterns: [Stack(name: \"s\", body: (shape: Box(half: (0.5, 0.5, 0.5)), at: \
         (0, 0, 0.5)), count: 4000, spacing: (0, 0, 1))])",
    );
    let found = findings(&loaded);
    assert!(found.iter().any(|finding| finding.what.contains("the stacks are too high")), "{found:#?}");
}

#[test]
fn a_cancelled_examination_makes_no_trial_steps() {
    let ball = r#"(name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 1), mass: 10)"#;
    let joint = r#"(b: "ball", anchor: (0, 0, 2), kind: BallSocket, breaks: (force: 5))"#;
    let loaded = scene(ball, joint, "");
    let mut world = loaded.flat.world(loaded.scene.settings.settings());
    let is_reported = |world: &delassus_physics::world::World| {
        let seen = examine(&DoctorCase::new(&loaded.flat, world).with_scene(&loaded.scene));
        seen.findings.iter().any(|finding| finding.rule == Rule::Breaks)
    };
    assert!(is_reported(&world));
    let cancel = Cancel::default();
    world.report.work.cancelled_by(Some(cancel.clone()));
    assert!(is_reported(&world));
    cancel.cancel();
    assert!(!is_reported(&world));
}
