//! The extra sweeps of what whips (`crates/physics/src/solvers/whip.rs`).

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

/// Forty pairs of boxes, hinged with stops, lie on the floor beside three bars, hinged with stops, that turn about a
/// post with this speed and against each other, rad/s.
fn beside_a_whip(speed: f64) -> World {
    let mut settings = Settings::default();
    settings.step.max_turn = 0.0;
    settings.sleep.enabled = false;
    let (mut bodies, mut joints) = (String::new(), String::new());
    for k in 0..40 {
        let y = 1.0 + 0.5 * f64::from(k);
        for (name, x) in [("a", 0.0), ("b", 0.5)] {
            bodies +=
                &format!("(name: \"{name}{k}\", shape: Box(half: (0.2, 0.1, 0.1)), at: ({x}, {y}, 0.1), mass: 1), ");
        }
        joints += &format!(
            "(a: \"a{k}\", b: \"b{k}\", anchor: (0.25, {y}, 0.1), axis: (0, 1, 0), kind: Hinge(limit: (-0.5, 0.5))), "
        );
    }
    // The last bar turns backwards, twice as fast.
    for (k, spin, fast) in [(0, 1.0, 0.25), (1, 1.0, 0.75), (2, -2.0, 0.5)] {
        let (at, end) = (0.25 + 0.5 * f64::from(k), 0.5 * f64::from(k));
        let (spin, fast) = (-spin * speed, fast * speed);
        bodies += &format!(
            "(name: \"w{k}\", shape: Box(half: (0.2, 0.05, 0.05)), at: ({at}, -5, 4), mass: 1, collide: false, \
             velocity: (0, 0, {fast}), angular_velocity: (0, {spin}, 0)), "
        );
        let (a, stop) = match k {
            0 => (String::new(), ""),
            _ => (format!("a: \"w{}\", ", k - 1), "limit: (-2.5, 2.5)"),
        };
        joints += &format!("({a}b: \"w{k}\", anchor: ({end}, -5, 4), axis: (0, 1, 0), kind: Hinge({stop})), ");
    }
    let text = format!(
        "(version: 1, title: \"whip\", bodies: [(name: \"floor\", shape: Box(half: (60, 60, 0.5)), at: (0, 0, -0.5), \
         motion: Static), {bodies}], joints: [{joints}])"
    );
    read_str(&text, "whip.ron").expect("a scene").flat.world(settings)
}

/// A limb that whips is solved again alone: the pairs that lie beside it are swept once or twice more in a sub-step, to
/// follow it, not as often as it is.
#[test]
fn a_whip_costs_only_what_whips() {
    let settings = Settings::default();
    let sweeps = settings.step.substeps * settings.sweeps();
    let mut work = [0; 2];
    for (work, speed) in work.iter_mut().zip([0.0, 30.0]) {
        let (mut world, mut most) = (beside_a_whip(speed), 0);
        for _ in 0..20 {
            world.step();
            *work = world.report.work.spent().max(*work);
            most = world.report.sweeps.max(most);
            let gap = world.metrics().joint_error_max;
            // The last pair lies at y = 20.5 m: a few roundings of such a coordinate.
            let rounding = 20.5 * f64::from(f32::EPSILON);
            assert!(gap < 8.0 * rounding, "at {speed} rad/s a joint is open by {gap} m");
        }
        assert_eq!(most > sweeps + 2 * settings.step.substeps, speed > 0.0, "{most} sweeps");
    }
    // Two whole sweeps more than the settings ask for, one of them to see that the contacts are settled, and at most 40 of
    // three bars among 83 bodies.
    let [still, whips] = work.map(|work: u64| work as f64);
    let most = still * (1.0 + 2.0 / f64::from(settings.sweeps()) + 40.0 / f64::from(settings.sweeps()) * 3.0 / 83.0);
    assert!(whips < most, "a step beside a whip takes {whips}, at rest {still}");
}
