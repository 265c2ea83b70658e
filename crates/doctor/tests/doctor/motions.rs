//! The motions of a mechanism: their rates, how one is told from another, and where a stop ends them.

use delassus_doctor::{DoctorCase, motions};
use glam::Vec3;

use super::linkages::{bars, four_bar, joint, linkage};
use super::mobility::only;
use super::{examined, scene};

/// The rates of a four-bar's motion follow from its geometry: B and C have the same speed along the rod.
#[test]
fn a_linkage_s_motion_has_the_rates_of_its_geometry() {
    let points = linkage();
    let (bodies, joints) = four_bar(points, Vec3::ZERO, ["Hinge()"; 4]);
    let mechanism = only(&bodies, &joints);
    let loaded = scene(&bodies, &joints, "");
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let case = DoctorCase::new(&loaded.flat, &world);
    let all = motions::of(&case, &mechanism).expect("few enough");
    assert_eq!(all.len(), 1);
    assert!(all[0].words.contains("turns, and with it"), "{}", all[0].words);
    let spin = |id: u32| all[0].bodies.iter().find(|(body, ..)| *body == id).map_or(0.0, |(.., spin)| spin.y);
    let [a, b, c, d] = points;
    let along = |arm: Vec3| Vec3::Y.cross(arm).dot((c - b).normalize());
    let ratio = along(b - a) / along(c - d);
    assert!((spin(3) / spin(1) - ratio).abs() < 1e-4 * ratio.abs(), "{} for {ratio}", spin(3) / spin(1));

    // The path along the motion keeps every joint closed, in both directions.
    let way = motions::motion_path(&case, &mechanism, &all[0]);
    assert!(way.middle > 5 && way.poses.len() > way.middle + 5, "{}", way.poses.len());
    let mut moved = world.clone();
    for poses in &way.poses {
        for (id, (position, rotation)) in way.bodies.iter().zip(poses) {
            moved.place(*id, *position, *rotation);
        }
        moved.refresh_joints();
        for joint in &moved.state.joints {
            assert!(joint.readout.error < 2e-4 && joint.readout.angular_error < 2e-4, "{:?}", joint.readout);
        }
    }
}

/// The motions of a chain are those of its joints, one by one; those of a free body are translations and rotations.
#[test]
fn motions_are_told_apart() {
    let at = |x: f32| Vec3::new(x, 0.0, 0.0);
    let bodies = bars(&[("one", at(0.0), at(1.0)), ("two", at(1.0), at(2.0)), ("three", at(2.0), at(3.0))]);
    let joints = joint("first", "world", "one", at(0.0), Vec3::Z, "Hinge()")
        + &joint("second", "one", "two", at(1.0), Vec3::Z, "Hinge()")
        + &joint("third", "two", "three", at(2.0), Vec3::Z, "Hinge()");
    let loaded = scene(&bodies, &joints, "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let all = motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).expect("few enough");
    let mut words: Vec<&str> = all.iter().map(|m| m.words.as_str()).collect();
    words.sort_unstable();
    assert_eq!(words, ["first turns", "second turns", "third turns"]);
    // The bodies beyond a joint rotate along: one, two or three bodies move.
    let mut moving: Vec<usize> = all.iter().map(|m| m.bodies.len()).collect();
    moving.sort_unstable();
    assert_eq!(moving, [1, 2, 3]);

    let loaded = scene(r#"(name: "rock", shape: Box(half: (0.2, 0.3, 0.4)), at: (5, 1, 2), mass: 1)"#, "", "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let all = motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).expect("few enough");
    let words: Vec<&str> = all.iter().map(|m| m.words.as_str()).collect();
    let (shifts, turns) = (
        ["x", "y", "z"].map(|a| format!("rock shifts along {a}")),
        ["x", "y", "z"].map(|a| format!("rock turns about {a}")),
    );
    assert_eq!(words, [shifts, turns].concat());
}

/// A displayed motion ends at a stop.
#[test]
fn a_motion_s_way_ends_at_a_stop() {
    let bodies = bars(&[("arm", Vec3::ZERO, Vec3::X)]);
    let kind = "Hinge(limit: (Degrees(-3), Degrees(80)))";
    let loaded = scene(&bodies, &joint("pin", "world", "arm", Vec3::ZERO, Vec3::Y, kind), "");
    let seen = examined(&loaded);
    let world = loaded.flat.world(loaded.scene.settings.settings());
    let case = DoctorCase::new(&loaded.flat, &world);
    let motion = &motions::of(&case, &seen.mechanisms[0]).expect("few enough")[0];
    let way = motions::motion_path(&case, &seen.mechanisms[0], motion);
    let (before, after) = (way.middle, way.poses.len() - 1 - way.middle);
    assert!(before.min(after) < 4 && before.max(after) == 12, "{before} {after}");
}

/// Telling the motions of a chain apart takes the fourth power of its length.
#[test]
fn motions_of_a_long_chain_are_refused() {
    let chain = |count: usize| {
        let at = |k: usize| Vec3::new(k as f32, 0.0, 0.0);
        let name = |k: usize| if k == 0 { "world".to_owned() } else { format!("bar {k}") };
        let names: Vec<String> = (0..=count).map(name).collect();
        let ends: Vec<_> = (1..=count).map(|k| (names[k].as_str(), at(k - 1), at(k))).collect();
        let link = |k: usize| joint(&format!("j{k}"), &names[k - 1], &names[k], at(k - 1), Vec3::Z, "BallSocket");
        scene(&bars(&ends), &(1..=count).map(link).collect::<String>(), "")
    };
    let found = |count: usize| {
        let (loaded, seen) = (chain(count), examined(&chain(count)));
        let world = loaded.flat.world(loaded.scene.settings.settings());
        assert!(motions::can_compute(&seen.mechanisms[0]));
        motions::of(&DoctorCase::new(&loaded.flat, &world), &seen.mechanisms[0]).map(|motions| motions.len())
    };
    assert_eq!(found(6), Some(18));
    assert_eq!(found(140), None);
}
