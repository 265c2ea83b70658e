//! Restitution impulses one by one: each is a moment of the step, acts equally on its two bodies and on no others,
//! and the last moment is the end of the step.

use delassus_lab::{Inside, StepPart, Tick, TickState, TracedStep};
use delassus_physics::trace::Depth;
use delassus_physics::world::World;
use delassus_scene::read_str;
use glam::Vec3;

/// Speed of the first ball, m/s.
const SPEED: f32 = 2.0;
/// A ball's mass, kg.
const MASS: f32 = 3.0;

/// Five equal elastic balls in a line, all but the first at rest and touching; it hits the second within the step.
fn balls(assignments: &[&str]) -> World {
    let ball = |k: u32| {
        let (x, v) = if k == 0 { (-0.004, SPEED) } else { (k as f32, 0.0) };
        format!(
            "(name: \"{k}\", shape: Sphere(radius: 0.5), at: ({x}, 0, 0), velocity: ({v}, 0, 0), mass: {MASS}, \
             restitution: 1, friction: 0),"
        )
    };
    let all: String = (0..5).map(ball).collect();
    let text = format!(
        "(version: 1, title: \"balls\", settings: (preset: SingleStep, step: (gravity: (0, 0, 0), rate: 60, substeps: 1)), bodies: [{all}])"
    );
    world(&text, assignments)
}

fn world(text: &str, assignments: &[&str]) -> World {
    let loaded = read_str(text, "impacts").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut settings = loaded.scene.settings.settings();
    assignments.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
    loaded.flat.world(settings)
}

/// The ticks with a restitution impulse of one pair.
fn impact_ticks(inside: &Inside) -> Vec<usize> {
    let is_impact = |tick: &usize| {
        matches!((inside.sections[*tick], inside.ticks[*tick]), (StepPart::Impacts { .. }, Tick::Solve(_)))
    };
    (0..inside.ticks.len()).filter(is_impact).collect()
}

fn speeds(state: &TickState) -> Vec<f32> {
    state.velocities[1..].iter().map(|velocity| velocity.linear.x).collect()
}

/// Pair by pair the impulse runs through the row: with equal masses and e = 1 each ball takes all of the speed of the
/// one that hits it, so impulse k gives m v to ball k + 1 and leaves ball k at rest, with every solver.
#[test]
fn an_impact_runs_through_a_row_of_balls_one_by_one() {
    for method in ["GaussSeidel", "Jacobi", "Direct"] {
        let world = balls(&["contact.impacts=Propagate", &format!("solver.method={method}")]);
        let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
        let inside = Inside::of(&traced, None);
        let ticks = impact_ticks(&inside);
        assert_eq!(ticks.len(), 4, "{method}: {:?}", inside.sections);
        for (k, tick) in ticks.into_iter().enumerate() {
            let found = speeds(&inside.state(&traced, tick));
            for (ball, speed) in found.iter().enumerate() {
                let expected = if ball == k + 1 { SPEED } else { 0.0 };
                assert!((speed - expected).abs() < 1e-4 * SPEED, "{method}, impact {k}: {found:?}");
            }
            let given = inside.given(&traced, tick);
            assert_eq!(given.len(), 1, "{method}, impact {k}");
            let size = given[0].linear.length();
            assert!((size - MASS * SPEED).abs() < 1e-4 * MASS * SPEED, "{method}, impact {k}: {size} N·s");
            let (place, of) = inside.place(tick);
            assert_eq!((place, of), (k + 1, 4), "{method}: one pass");
        }
    }
}

/// All at once, Newton's law requires J u = −e J u₋ of the pair that was hit and J u ≥ 0 of the pairs that close:
/// (−0.6, 0.4, 0.4, 0.4, 0.4) v. The sweeps reach it block by block; the direct solver in one tick per round.
#[test]
fn simultaneous_impacts_are_swept_block_by_block() {
    for (method, one_by_one) in [("GaussSeidel", true), ("Jacobi", true), ("Direct", false)] {
        let world = balls(&["contact.impacts=Simultaneous", &format!("solver.method={method}")]);
        let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
        let inside = Inside::of(&traced, None);
        let ticks = impact_ticks(&inside);
        let of_impacts = inside.sections.iter().filter(|section| matches!(section, StepPart::Impacts { .. })).count();
        assert!(of_impacts > 0, "{method}: {:?}", inside.sections);
        assert_eq!(ticks.len() > 8, one_by_one, "{method}: {} impacts", ticks.len());
        for tick in ticks {
            let (before, after) = (inside.state(&traced, tick - 1), inside.state(&traced, tick));
            let mut given = [Vec3::ZERO; 6];
            for of in inside.given(&traced, tick) {
                let block = &traced.trace.blocks[of.block as usize];
                given[block.a as usize] -= of.linear;
                given[block.b as usize] += of.linear;
            }
            for (id, given) in given.into_iter().enumerate().skip(1) {
                let change = Vec3::from(after.velocities[id].linear - before.velocities[id].linear);
                assert!((change * MASS - given).length() < 1e-5, "{method}, tick {tick}, ball {id}: {given}");
            }
            let sum: f32 = speeds(&after).iter().sum();
            assert!((sum - SPEED).abs() < 1e-4 * SPEED, "{method}, tick {tick}: momentum of {sum} m/s");
        }
        let last = speeds(&inside.state(&traced, inside.ticks.len() - 1));
        for (found, expected) in last.iter().zip([-0.6, 0.4, 0.4, 0.4, 0.4]) {
            assert!((found - expected * SPEED).abs() < 2e-3 * SPEED, "{method}: {last:?}");
        }
    }
}

const TUMBLE: &str = r#"(
    version: 1,
    title: "Boxes and a lamp fall onto a floor", settings: (preset: SingleStep),
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static, restitution: 0.7),
        (name: "low", shape: Box(half: (0.3, 0.3, 0.3)), at: (0, 0, 0.6), restitution: 0.6, rotation: AxisAngle(axis: (1, 2, 0), angle: Degrees(25))),
        (name: "high", shape: Box(half: (0.3, 0.2, 0.3)), at: (0.1, 0, 1.5), restitution: 0.6),
        (name: "arm", shape: Box(half: (0.5, 0.1, 0.1)), at: (1.6, 0, 1.2), restitution: 0.5),
        (name: "lamp", shape: Sphere(radius: 0.2), at: (2.2, 0, 1.2), restitution: 0.8),
    ],
    joints: [(a: "arm", b: "lamp", anchor: (2.1, 0, 1.2), kind: BallSocket())],
)"#;

/// With every solver and both laws of impact, step by step through a fall: the solves of each round lead to the
/// recorded moment after it, and the last tick has the velocities and impulses of the end of the step, to the bit.
#[test]
fn the_last_tick_of_a_step_with_impacts_is_the_step() {
    for impacts in ["Simultaneous", "Propagate"] {
        for way in [
            &["solver.method=GaussSeidel", "solver.rows=Block"][..],
            &["solver.method=GaussSeidel", "solver.rows=Tree", "stabilization.method=Baumgarte"],
            &["solver.method=Jacobi"],
            &["solver.method=Direct"],
        ] {
            let mut world = world(TUMBLE, way);
            world.settings.assign(&format!("contact.impacts={impacts}")).expect("a setting");
            world.pipeline.executor.keep_rows = true;
            let (mut steps, mut ones) = (0, 0);
            for step in 0..110 {
                let Some(traced) = TracedStep::of(&world, Depth::Blocks) else { panic!("{way:?}, step {step}") };
                world.step();
                let inside = Inside::of(&traced, None);
                let ticks = impact_ticks(&inside);
                (steps, ones) = (steps + usize::from(!ticks.is_empty()), ones + ticks.len());
                let last = inside.state(&traced, inside.ticks.len() - 1);
                assert_eq!(last.velocities, world.state.velocities.to_vec(), "{impacts}, {way:?}, step {step}");
                let final_impulses: Vec<f32> = world.system.rows.iter().map(|row| row.impulse).collect();
                assert_eq!(last.impulses, final_impulses, "{impacts}, {way:?}, step {step}");
                for tick in ticks {
                    let Tick::Solve(number) = inside.ticks[tick] else { continue };
                    let after = traced.trace.solves[number].after;
                    if traced.trace.solves.get(number + 1).is_none_or(|next| next.after != after) {
                        let (state, moment) = (inside.state(&traced, tick), &traced.trace.moments[after]);
                        assert_eq!(state.velocities, moment.velocities, "{impacts}, {way:?}, step {step}");
                        assert_eq!(state.impulses, moment.impulses, "{impacts}, {way:?}, step {step}");
                    }
                }
            }
            let swept = impacts == "Propagate" || way[0] != "solver.method=Direct";
            assert_eq!(steps > 3 && ones > 6, swept, "{impacts}, {way:?}: {ones} impacts in {steps} steps");
        }
    }
}
