//! Nets of ropes at the default settings, 60 Hz: light knots bear a heavy ball.

use std::fmt::Write;

use delassus_physics::settings::Settings;
use delassus_physics::world::World;

/// A square of n × n knots, 0.3 m apart, with ropes of 0.33 m between neighbours and its rim fixed; a ball of 0.35 m hangs
/// 0.1 m above it, a little off the middle. Masses in kg.
fn net(n: usize, ball: f32, knot: f32, settings: Settings) -> World {
    let (mut bodies, mut joints) = (String::new(), String::new());
    let place = |i: usize| 0.3 * (i as f32 - 0.5 * (n - 1) as f32);
    for (i, k) in (0..n).flat_map(|i| (0..n).map(move |k| (i, k))) {
        let at = format!("({}, {}, 2)", place(i), place(k));
        let _ = write!(bodies, "(name: \"{i} {k}\", shape: Sphere(radius: 0.05), at: {at}, mass: {knot}), ");
        if [i, k].into_iter().any(|of| of == 0 || of == n - 1) {
            let _ = write!(joints, "(b: \"{i} {k}\", anchor: {at}, kind: BallSocket), ");
        }
        for (i_next, k_next) in [(i + 1, k), (i, k + 1)].into_iter().filter(|(i, k)| *i < n && *k < n) {
            let ends = format!("a: \"{i} {k}\", b: \"{i_next} {k_next}\"");
            let _ = write!(joints, "({ends}, anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), kind: Rope(length: 0.33)), ");
        }
    }
    let _ = write!(bodies, "(name: \"ball\", shape: Sphere(radius: 0.35), at: (0.02, 0.01, 2.5), mass: {ball}), ");
    let text = format!("(version: 1, title: \"net\", bodies: [{bodies}], joints: [{joints}])");
    delassus_scene::read_str(&text, "net.ron").expect("a scene").flat.world(settings)
}

/// A soft contact is rigid within its slop of 3 mm, and beyond it a spring that gives at most g/ω² under a load of four
/// times the weight: 40 m/s²/(2π 60 Hz)² = 0.3 mm. Its springs were made for the knots, so the ball sank through them, and
/// the sweeps ended before the ropes had its load. The step in which the net snaps taut is made in as many parts as keep its
/// ropes within 2/1000 of their length, 0.66 mm.
#[test]
fn a_ball_in_a_net_of_ropes_does_not_sink_into_its_knots() {
    for (n, ball, knot, deepest, seconds) in [
        (4, 20.0, 0.2, 1e-3, 4),
        (5, 20.0, 0.2, 2e-3, 4),
        (5, 60.0, 0.2, 4e-3, 3),
        (6, 20.0, 0.2, 1e-3, 4),
        (7, 20.0, 0.2, 5e-3, 3),
        (9, 20.0, 0.1, 5e-3, 2),
        (11, 20.0, 0.2, 5e-3, 1),
    ] {
        let mut world = net(n, ball, knot, Settings::default());
        let start = world.metrics().energy();
        let (mut overlap, mut open) = (0.0f64, 0.0f64);
        for _ in 0..60 * seconds {
            world.step();
            let metrics = world.metrics();
            (overlap, open) = (overlap.max(metrics.penetration_max), open.max(metrics.joint_error_max));
            assert!(metrics.energy() < 1.001 * start, "{n} knots gain energy: {start} J, {} J", metrics.energy());
        }
        let metrics = world.metrics();
        assert_eq!(world.report.dense_mechanisms, 0, "{n} knots");
        assert!(overlap < deepest, "{n} knots: the ball sinks in by {overlap} m");
        assert!(metrics.penetration_max < 3.3e-3, "{n} knots: {} m in the end", metrics.penetration_max);
        assert!(open < 1e-3, "{n} knots: a joint opens by {open} m");
        assert!(
            metrics.joint_error_max < 5e-4,
            "{n} knots: a joint is open by {} m in the end",
            metrics.joint_error_max
        );
    }
}

/// Where a net snaps taut, the pull of a rope grows a hundredfold within a sub-step. Its curvature then is no guide: the
/// impulses that followed it whirled knots round at 36 m/s, and added up to 280 J to a motion of 200 J. The ball falls by
/// at most 0.5 m, and what the rows may add is a tenth of the energy that gives.
#[test]
fn an_impact_does_not_whirl_the_knots_of_a_net() {
    for ball in [20.0, 60.0] {
        let mut world = net(5, ball, 0.2, Settings::default());
        let mut added = 0.0f64;
        for _ in 0..60 {
            world.step();
            added = added.max(world.state.injected.joules());
        }
        let most = 0.1 * f64::from(ball) * 9.81 * 0.5;
        assert!(added < most, "{ball} kg: the rows have added {added} J, more than {most} J");
    }
}

/// One sweep over a net, whose ropes share blocks, is the direct solution, slack ropes and taut ones.
#[test]
fn one_sweep_over_a_net_is_the_direct_solution() {
    let step = |method: &str| {
        let mut settings = crate::build::settings(&["warm_start.enabled=false", "stabilization.method=Off"]);
        settings.assign(&format!("solver.method={method}")).expect("a setting");
        settings.solver.iterations = 1;
        let mut world = net(8, 20.0, 0.2, settings);
        let mut random = crate::build::Random(7);
        for velocity in &mut world.state.velocities[1..] {
            velocity.linear = random.vector().into();
        }
        world.step();
        world
    };
    let [swept, direct] = ["GaussSeidel", "Direct"].map(step);
    assert_eq!(swept.report.dense_mechanisms, 0);
    let apart = crate::build::apart(&swept, &direct);
    assert!(apart < 1e-5, "{apart} m/s");
}
