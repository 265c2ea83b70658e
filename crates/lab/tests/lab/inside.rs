//! Inside a step: the ticks add up to the step.

use delassus_lab::{Inside, Match, StepPart, Tick, TracedStep, matches};
use delassus_physics::body::Velocity;
use delassus_physics::row::{ContactPart, RowId};
use delassus_physics::trace::{self, Depth, StepStage};
use delassus_physics::world::World;
use delassus_scene::{library, library::scenes_folder, read};
use glam::Vec3;

use super::{run, world};

/// The largest component of the difference of two velocities, m/s or rad/s.
fn apart(a: &Velocity, b: &Velocity) -> f32 {
    (a.linear - b.linear).abs().max((a.angular - b.angular).abs()).max_element()
}

/// With every solver, on the library's scenes: the last tick has the velocities and poses at the end of the step, to
/// the bit; the solves of a sweep lead to the recorded moment after it; and the largest residual, which is updated
/// block by block, equals that computed from all rows.
#[test]
fn the_last_tick_is_the_step_and_the_turns_lead_there() {
    let ways: [&[&str]; 10] = [
        &["solver.method=GaussSeidel", "solver.rows=Scalar", "solver.order=Shuffled"],
        &["solver.method=GaussSeidel", "solver.rows=Block", "solver.order=Backward"],
        &["solver.method=GaussSeidel", "solver.rows=Joint", "solver.order=Alternating"],
        &["solver.method=GaussSeidel", "solver.rows=Tree", "solver.order=Coloured"],
        &["solver.method=GaussSeidel", "solver.rows=Tree", "step.substeps=3"],
        &["solver.method=Jacobi", "solver.jacobi=Stable"],
        &["solver.method=Jacobi", "solver.jacobi=Conjugate"],
        &["solver.method=Direct"],
        &["solver.method=GaussSeidel", "stabilization.method=Rattle"],
        &["solver.method=GaussSeidel", "contact.impacts=Propagate"],
    ];
    let (mut scenes, mut sweeps) = (0, 0);
    for entry in library::ordinary(&scenes_folder()) {
        let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        if loaded.flat.bodies.len() > 80 {
            continue;
        }
        for way in [ways[scenes % ways.len()], ways[(scenes + 4) % ways.len()]] {
            let mut settings = loaded.scene.settings.settings();
            way.iter().for_each(|assignment| settings.assign(assignment).expect("a setting"));
            let mut world = loaded.flat.world(settings);
            run(&mut world, 9);
            let Some(traced) = TracedStep::of(&world, Depth::Blocks) else { continue };
            world.step();
            let inside = Inside::of(&traced, None);
            let last = inside.ticks.len() - 1;
            assert_eq!(inside.ticks[last], Tick::Moved, "{}", entry.id);
            let state = inside.state(&traced, last);
            let final_impulses: Vec<f32> = traced.after.system.rows.iter().map(|row| row.impulse).collect();
            assert_eq!(state.impulses, final_impulses, "{}, {way:?}", entry.id);
            for body in inside.bodies.iter().copied() {
                let own = &world.state.bodies[body as usize];
                assert_eq!(
                    state.velocities[body as usize], world.state.velocities[body as usize],
                    "{}, {way:?}",
                    entry.id
                );
                let pose = inside.pose(&traced, last, &state, body, 1.0);
                assert_eq!(pose, (own.position, own.rotation), "{}, {way:?}, body {body}", entry.id);
            }
            sweeps += turns_lead_on(&traced, &inside, &entry.id);
            for tick in (0..last).step_by(1 + last / 12) {
                let all: Vec<usize> =
                    inside.blocks.iter().flat_map(|block| traced.trace.blocks[*block as usize].range()).collect();
                let anew =
                    inside.residuals(&traced, tick, &all).iter().fold(0.0f64, |most, r| most.max(r.abs().into()));
                let kept = inside.largest_residual[tick];
                assert!((anew - kept).abs() <= 1e-6 + 1e-4 * anew, "{}, tick {tick}: {kept}, anew {anew}", entry.id);
            }
        }
        scenes += 1;
    }
    assert!(scenes > 60 && sweeps > 500, "{scenes} scenes, {sweeps} sweeps by turns");
}

/// The number of sweeps that were recorded solve by solve; after the last solve of each, the state is that of the
/// moment, which otherwise is a tick of its own.
fn turns_lead_on(traced: &TracedStep, inside: &Inside, scene: &str) -> usize {
    let mut sweeps = 0;
    for pair in inside.ticks.windows(2).enumerate() {
        let (tick, [Tick::Solve(number), next]) = pair else { continue };
        let after = traced.trace.solves[*number].after;
        let ends = !matches!(next, Tick::Solve(next) if traced.trace.solves[*next].after == after);
        if ends && *next != Tick::Moment(after) {
            let (state, moment) = (inside.state(traced, tick), &traced.trace.moments[after]);
            assert!(matches!(moment.stage, StepStage::Sweep(_) | StepStage::Impacts(_)), "{scene}");
            for body in &inside.bodies {
                assert_eq!(state.velocities[*body as usize], moment.velocities[*body as usize], "{scene}, body {body}");
            }
            assert_eq!(state.impulses, moment.impulses, "{scene}");
            sweeps += 1;
        }
    }
    sweeps
}

/// A solve is an impulse: M Δu = Jᵀ Δλ for each of its two bodies, and no other body changes. For whole trees, summed
/// over the rows of a body.
#[test]
fn a_tick_gives_its_bodies_what_its_rows_were_given() {
    for (scene, rows) in [
        ("book/12-stack", "Block"),
        ("lab/12-watt", "Joint"),
        ("lab/12-watt", "Tree"),
        ("rows/17-cone-twist", "Scalar"),
    ] {
        let mut world = world(scene, &["solver.method=GaussSeidel", &format!("solver.rows={rows}")]);
        world.settings.warm_start.enabled = false;
        run(&mut world, 30);
        let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
        let inside = Inside::of(&traced, None);
        let mut turns = 0;
        for tick in 1..inside.ticks.len() {
            if !matches!((inside.ticks[tick - 1], inside.ticks[tick]), (Tick::Solve(_), Tick::Solve(_))) {
                continue;
            }
            turns += 1;
            let (before, after) = (inside.state(&traced, tick - 1), inside.state(&traced, tick));
            let mut given = vec![Vec3::ZERO; world.state.bodies.len()];
            for of in inside.given(&traced, tick) {
                let block = &traced.trace.blocks[of.block as usize];
                given[block.a as usize] -= of.linear;
                given[block.b as usize] += of.linear;
            }
            let largest = given.iter().map(|impulse| impulse.length()).fold(0.0, f32::max);
            for (id, body) in world.state.bodies.iter().enumerate() {
                let change = Vec3::from(after.velocities[id].linear - before.velocities[id].linear);
                if !body.is_dynamic() {
                    assert_eq!(change, Vec3::ZERO, "{scene}");
                    continue;
                }
                let off = (change * body.mass - given[id]).length();
                // The precision of a small change of velocities of some metres per second in 32 bits.
                let rounding = 2e-5 * largest + 4e-6 * body.mass * after.velocities[id].linear.length();
                assert!(off <= rounding, "{scene} by {rows}, tick {tick}, body {id}: {off} N·s of {largest}");
            }
        }
        assert!(turns > 10, "{scene}: {turns}");
    }
}

/// The forces come first, h g for each body in free fall; then the old impulses; with Jacobi and the direct solver a
/// sweep is one tick.
#[test]
fn a_step_begins_with_its_forces() {
    for (method, sweeps) in [("GaussSeidel", None), ("Jacobi", Some(7)), ("Direct", Some(1))] {
        let mut world = world("book/12-stack", &[&format!("solver.method={method}"), "solver.iterations=7"]);
        run(&mut world, 400);
        let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
        let inside = Inside::of(&traced, None);
        let (first, h) = (inside.state(&traced, 0), world.settings.h());
        let fall = Velocity { linear: (world.settings.step.gravity * h).into(), ..Velocity::default() };
        for body in &inside.bodies {
            let mut expected = world.state.velocities[*body as usize];
            expected.linear += fall.linear;
            assert!(apart(&first.velocities[*body as usize], &expected) < 1e-3, "{method}");
        }
        assert!(first.impulses.iter().all(|impulse| *impulse == 0.0), "{method}: no impulse is in yet");
        let found = inside.sections.iter().filter(|section| matches!(section, StepPart::Sweep(_))).count();
        match sweeps {
            Some(sweeps) => assert_eq!(found, sweeps, "{method}"),
            None => assert!(found >= 7 * inside.blocks.len(), "{found} of {} blocks", inside.blocks.len()),
        }
        // At rest the rows cancel the forces: the residual is large at first and nearly zero at the end.
        let last = inside.largest_residual.len() - 1;
        assert!(
            inside.largest_residual[last] < 0.1 * inside.largest_residual[0],
            "{method}: {} of {}",
            inside.largest_residual[last],
            inside.largest_residual[0]
        );
    }
}

/// With several mechanisms only the selected one is followed.
#[test]
fn a_mechanism_is_followed_by_itself() {
    let mut world: World = world("book/12-stack", &["solver.method=GaussSeidel"]);
    run(&mut world, 5);
    let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
    let all = Inside::of(&traced, None);
    for body in &all.bodies {
        let own = Inside::of(&traced, Some(*body));
        assert!(own.bodies.contains(body));
        assert!(own.blocks.iter().all(|block| {
            let block = &traced.trace.blocks[*block as usize];
            own.bodies.contains(&block.a) || own.bodies.contains(&block.b)
        }));
        let turns = traced.trace.solves.iter().filter(|turn| match turn.unit {
            trace::SweepUnit::Block(block) => own.blocks.contains(&block),
            trace::SweepUnit::Tree(_) => {
                traced.trace.velocities_after(turn).iter().any(|(id, _)| own.bodies.contains(id))
            }
        });
        let shown = own.ticks.iter().filter(|tick| matches!(tick, Tick::Solve(_))).count();
        assert_eq!(shown, turns.count());
    }
}

/// The old impulse of a contact was matched by the rule that is reported: what the rule passes on, times the factor,
/// is what the row starts from. Both rules occur: boxes have features, balls have none.
#[test]
fn a_warm_start_came_by_the_rule_that_is_told() {
    let mut met = [0; 2];
    for (scene, steps) in [("book/12-stack", 40), ("lab/02-pyramid-20", 20), ("lab/03-dominoes", 60)] {
        let mut world = world(scene, &["step.substeps=1"]);
        world.settings.warm_start.shallow_clamp = false;
        run(&mut world, steps);
        let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
        let factor = world.settings.warm_start.factor;
        for row in &traced.rows {
            let RowId::Contact { a, b, pieces, part: ContactPart::Normal(point) } = row.id else { continue };
            let found = matches(&world, &traced, (a, b), pieces)[point as usize];
            let expected = factor * found.impulse();
            assert!((row.warm - expected).abs() <= 1e-6 * expected.abs(), "{scene}: {} by {found:?}", row.warm);
            met[0] += usize::from(matches!(found, Match::Feature(impulse) if impulse > 0.0));
            met[1] += usize::from(matches!(found, Match::Distance(_, impulse) if impulse > 0.0));
        }
    }
    assert!(met[0] > 100, "{met:?}");
}

/// A stack that has come to rest, each step from zero impulses. With the forces alone each contact misses all of its
/// load; after three hundred sweeps none misses any.
#[test]
fn a_contact_misses_its_load_until_the_sweeps_have_brought_it() {
    let from_zero = ["solver.method=GaussSeidel", "solver.iterations=300", "warm_start.enabled=false"];
    let mut world = world("book/12-stack", &from_zero);
    run(&mut world, 300);
    let traced = TracedStep::of(&world, Depth::Blocks).expect("a step");
    let inside = Inside::of(&traced, None);
    let forces = inside.missing_loads(&traced, 0);
    assert_eq!(forces.len(), inside.blocks.len());
    assert!(forces.len() > 3 && forces.iter().all(|(_, share)| *share == 1.0), "{forces:?}");
    let last = inside.missing_loads(&traced, inside.ticks.len() - 1);
    assert!(last.len() == forces.len() && last.iter().all(|(_, share)| *share < 1e-3), "{last:?}");
}
