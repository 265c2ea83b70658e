//! Rows that are written down: their jacobians against finite differences, and joints written down against those written
//! by hand.

use delassus_physics::body::BodyDef;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::primitives::written::{Bound, Bounds, Values};
use delassus_physics::row::{JointFrames, RowKind, RowList, RowSpec};
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{Random, cube, joint, settings, split_blocks};

fn formula(rows: &[&str]) -> JointKind {
    JointKind::Formula(Formula::of(rows).unwrap_or_else(|error| panic!("{rows:?}: {error}")))
}

fn vector(random: &mut Random, size: f32) -> Vec3 {
    Vec3::from([0; 3].map(|_| size * (2.0 * random.share() - 1.0)))
}

/// The two bodies moved for a time t by velocities, and what follows for the frames.
fn moved(frames: &JointFrames, u: &[Vec3; 4], t: f32) -> JointFrames {
    let [va, wa, vb, wb] = u.map(|part| part * t);
    let (turn_a, turn_b) = (Quat::from_scaled_axis(wa), Quat::from_scaled_axis(wb));
    JointFrames {
        xa: frames.xa + va,
        xb: frames.xb + vb,
        qa: turn_a * frames.qa,
        qb: turn_b * frames.qb,
        ra: turn_a * frames.ra,
        rb: turn_b * frames.rb,
        axis_a: turn_a * frames.axis_a,
        axis_b: turn_b * frames.axis_b,
        ..*frames
    }
}

fn frames(random: &mut Random) -> JointFrames {
    let [qa, qb, reference] = [0; 3].map(|_| Quat::from_scaled_axis(vector(random, 1.0)));
    let axis_local = vector(random, 1.0).normalize_or(Vec3::Z);
    JointFrames {
        xa: vector(random, 1.0),
        xb: vector(random, 1.0) + 2.0 * Vec3::X,
        qa,
        qb,
        ra: vector(random, 0.5),
        rb: vector(random, 0.5),
        axis_a: qa * axis_local,
        axis_b: qb * axis_local,
        axis_local,
        reference,
        rest_length: 0.8,
        made_gap: Vec3::X,
        previous: 0.0,
        forms: None,
        by_time: [1.0; 2],
    }
}

/// Smooth functions of random values: numbers of the order of one, of each operation of the language.
fn random_formula(random: &mut Random, depth: usize) -> String {
    let mut pick = |n: usize| (random.share() * n as f32) as usize % n;
    if depth == 0 {
        return [
            "angle",
            "distance",
            "dot(pB - comA, aA)",
            "dot(xA, yB)",
            "pB.y",
            "rest",
            "0.7",
            "length(cross(aB, zA))",
        ][pick(8)]
        .into();
    }
    let which = pick(12);
    let mut inner = || random_formula(random, depth - 1);
    match which {
        0 => format!("sin({})", inner()),
        1 => format!("atan({} - 0.3)", inner()),
        2 => format!("sqrt(1 + ({})^2)", inner()),
        3 => format!("atan2({}, 2 + cos({}))", inner(), inner()),
        4 => format!("({})/(2 + sin({}))", inner(), inner()),
        5 => format!("(1.5 + cos({}))^(0.3*sin({}))", inner(), inner()),
        6 => format!("length(tanh({})*normalize(pB - comA) + vec(2, {}, -1))", inner(), inner()),
        7 => format!("dot(cross(tanh({})*xA, aB), normalize(comB - pA))", inner()),
        8 => format!("exp(-abs({} + 10))", inner()),
        9 => format!("max({}, {})", inner(), inner()),
        10 => format!("sin({})*cos({})", inner(), inner()),
        _ => format!("({}) - 0.5*({})", inner(), inner()),
    }
}

/// dC/dt = J u of random formulas in random poses. With steps of e = 1/64 s the five-point difference errs by e⁴ C'''''/30,
/// and by the rounding of C and of the poses over e: some 1e-5. Where one of max changes from one of its values to the
/// other in between there is no derivative, and the one-sided differences disagree.
#[test]
fn jacobians_are_those_of_finite_differences() {
    let mut random = Random(46);
    let (mut tried, mut worst) = (0, 0.0f64);
    while tried < 3000 {
        let text = random_formula(&mut random, 1 + tried % 3);
        let Ok(kind) = Formula::of(&[&text]) else { continue };
        let (frames, u) = (frames(&mut random), [0; 4].map(|_| vector(&mut random, 0.5)));
        let c = |t: f32| {
            let frames = moved(&frames, &u, t);
            kind.at(&frames).next().flatten().map(|(c, _)| f64::from(c))
        };
        let Some(Some((_, jacobian))) = kind.at(&frames).next() else { continue };
        let e = 1.0 / 64.0;
        let [Some(a), Some(b), Some(middle), Some(d), Some(f)] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| c(k * e)) else {
            continue;
        };
        let e = f64::from(e);
        let (five, three) = ((a - 8.0 * b + 8.0 * d - f) / (12.0 * e), (d - b) / (2.0 * e));
        let one_sided = ((d - middle) / e - (middle - b) / e).abs();
        let [va, wa, vb, wb] = u;
        let speed = f64::from(jacobian.speed(va, wa, vb, wb));
        tried += 1;
        // A corner within the step, or a function that is too steep for it.
        if (five - three).abs() > 0.002 * (1.0 + speed.abs()) || one_sided > 0.1 {
            continue;
        }
        let error = (five - speed).abs() / (1.0 + speed.abs());
        worst = worst.max(error);
        assert!(error < 1e-4, "{text}: {five} by differences, {speed} by J");
    }
    assert!(worst > 0.0, "some were compared");
}

/// A joint written by hand, the same written down, and whether its anchors are one point.
fn pairs() -> Vec<(JointKind, JointKind, bool)> {
    let ball = ["dot(pB - pA, xA)", "dot(pB - pA, yA)", "dot(pB - pA, zA)"];
    let hinge = [&ball[..], &["dot(cross(aA, aB), u)", "dot(cross(aA, aB), v)"]].concat();
    // The directions across the axis in which the hinge writes its rows.
    let (u, v) = Vec3::Y.any_orthonormal_pair();
    let named = |d: Vec3| format!("({}*xA + {}*yA + {}*zA)", d.x, d.y, d.z);
    let hinge: Vec<String> =
        hinge.iter().map(|row| row.replace("u)", &(named(u) + ")")).replace("v)", &(named(v) + ")"))).collect();
    let hinge: Vec<&str> = hinge.iter().map(String::as_str).collect();
    let ring = PointOnRing { radius: Some(1.0) };
    vec![
        (JointKind::BallSocket(BallSocket {}), formula(&ball), true),
        (JointKind::Hinge(Hinge::default()), formula(&hinge), true),
        (JointKind::Distance(Distance { length: Some(1.0) }), formula(&["distance - 1"]), false),
        (JointKind::PointOnRing(ring), formula(&["dot(pB - pA, aA)", "distance - 1"]), false),
    ]
}

/// A body on the world and one on it, joined by this kind with the axis y, in a skew pose and moving.
fn chain(kind: JointKind, coincident: bool, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    let mut above = WORLD;
    for i in 0..2 {
        let at = Vec3::new(1.0 + i as f32, 0.0, 0.0);
        let turn = Quat::from_rotation_y(0.4 * i as f32);
        let mass = 1.0 + i as f32;
        let link = world.add_body(BodyDef { mass, rotation: turn, collide: false, ..cube(0.2, at) });
        let mut def = joint(&world, above, link, at - 0.5 * Vec3::X, Vec3::Y, kind);
        if !coincident {
            def = joint(&world, above, link, at, Vec3::Y, kind);
            def.anchor_a -= world.state.bodies[above as usize].rotation.inverse() * Vec3::X;
        }
        world.add_joint(def);
        above = link;
    }
    world.state.velocities[above as usize].linear = (0.5 * Vec3::Z).into();
    world
}

fn rows(world: &World, joint: usize) -> Vec<RowSpec> {
    let joint = &world.state.joints[joint];
    let mut list = RowList::default();
    joint.rows(&joint.frames_in_form(&world.state.bodies, &world.settings), &mut list);
    list.rows
}

const METHODS: [&[&str]; 6] = [
    &["solver.iterations=60", "solver.rows=Block"],
    &["solver.iterations=60", "solver.rows=Scalar"],
    &["solver.rows=Mechanism"],
    &["solver.method=Direct"],
    &["stabilization.method=Rattle"],
    &["preset=SmallSteps"],
];

/// C and J to rounding, row by row.
fn assert_same_rows(by_hand: &[RowSpec], written: &[RowSpec]) {
    assert_eq!(by_hand.len(), written.len());
    let error = |kind| if let RowKind::Equal { c } = kind { c } else { panic!("{kind:?}") };
    for (hand, own) in by_hand.iter().zip(written) {
        let (one, two) = (&hand.jacobian, &own.jacobian);
        let parts = [(one.lin, two.lin), (one.ang_a, two.ang_a), (one.ang_b, two.ang_b), (one.net, two.net)];
        for (one, two) in parts {
            assert!((one - two).length() < 2e-6, "{hand:?}\n{own:?}");
        }
        assert!((error(hand.kind) - error(own.kind)).abs() < 1e-6, "{hand:?}\n{own:?}");
        assert_eq!((hand.slot, hand.group), (own.slot, own.group));
    }
}

/// The same rows at the start, and for two seconds the same motion and the same forces: to 1 mm in 2 m of travel, and a
/// hundredth of the weights.
#[test]
fn a_joint_that_is_written_down_moves_as_the_one_written_by_hand() {
    for (by_hand, written, coincident) in pairs() {
        for method in METHODS {
            let [mut one, mut two] = [by_hand, written].map(|kind| chain(kind, coincident, method));
            for joint in 0..2 {
                assert_same_rows(&rows(&one, joint), &rows(&two, joint));
            }
            for step in 0..120 {
                one.step();
                two.step();
                let name = format!("{} {method:?}, step {step}", by_hand.info().name);
                for (first, second) in one.state.bodies.iter().zip(&two.state.bodies) {
                    let apart = first.position.distance(second.position);
                    assert!(apart < 1e-3, "{name}: {apart} m apart");
                }
                for (first, second) in one.state.joints.iter().zip(&two.state.joints) {
                    let apart = first.readout.force.distance(second.readout.force);
                    assert!(apart < 0.5, "{name}: {} and {} N", first.readout.force, second.readout.force);
                }
            }
        }
    }
}

/// Between free bodies both momenta are kept, to rounding, with separated anchors too.
#[test]
fn formulas_of_differences_and_of_axes_keep_both_momenta() {
    for rows in [
        &["dot(pB - pA, xA)", "dot(pB - pA, yA)", "dot(pB - pA, zA)"][..],
        &["distance - 0.3"],
        &["dot(pB - pA, aA)", "angle - 0.2"],
        &["length(cross(pB - pA, aB)) - 0.4", "dot(aA, aB)"],
    ] {
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "step.gyroscopic=Off"]));
        let spin = Vec3::new(0.3, -1.0, 0.7);
        let a = world.add_body(BodyDef {
            velocity: Vec3::X,
            angular_velocity: spin,
            collide: false,
            ..cube(0.2, Vec3::ZERO)
        });
        let rotation = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 2.0) / 3.0, 0.6);
        let at = Vec3::new(0.7, 0.1, -0.2);
        let b = world.add_body(BodyDef { mass: 3.0, rotation, velocity: Vec3::Y, collide: false, ..cube(0.3, at) });
        world.add_joint(JointDef {
            a,
            b,
            anchor_a: Vec3::new(0.2, 0.1, 0.0),
            anchor_b: Vec3::new(-0.1, 0.0, 0.3),
            axis_a: Vec3::Z,
            axis_b: Vec3::Z,
            kind: formula(rows),
            collide: false,
            options: JointOptions::default(),
        });
        let velocities = |world: &World| -> [(Vec3, Vec3); 2] {
            [a, b].map(|body| {
                let own = &world.state.velocities[body as usize];
                (own.linear.into(), own.angular.into())
            })
        };
        for step in 0..20 {
            let places = [a, b].map(|body| world.state.bodies[body as usize].position);
            let before = velocities(&world);
            world.step();
            // An impulse of the velocities: what it adds to momentum and to angular momentum about the origin, in the pose
            // in which it acts. The cubes' inertia is isotropic, m s²/6 with the side s.
            let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
            for (i, (mass, side)) in [(1.0, 0.4f32), (3.0, 0.6)].into_iter().enumerate() {
                let now = velocities(&world)[i];
                let gained = mass * (now.0 - before[i].0);
                linear += gained;
                angular += places[i].cross(gained) + mass * side * side / 6.0 * (now.1 - before[i].1);
            }
            assert!(linear.length() < 2e-5 && angular.length() < 2e-5, "{rows:?}, step {step}: {linear}, {angular}");
        }
    }
}

/// Two wheels of radii 0.5 m and their teeth, by hand and written down: the angles against the line of centres, each on the
/// wheel's axis. The sum jumps by 2π r where an angle passes π, and is taken within half of that.
#[test]
fn gears_that_are_written_down() {
    let turns = "atan2(dot(cross(normalize(comB - comA), xA), aA), dot(normalize(comB - comA), xA))";
    let row = format!("pi/2 - mod(0.5*{turns} + 0.5*{} + pi/2, pi)", turns.replace("xA", "xB"));
    let kinds = [JointKind::Gear(Gear { radius_a: 0.5, radius_b: 0.5 }), formula(&[&row])];
    for method in METHODS {
        let mut worlds = kinds.map(|kind| {
            let mut world = World::new(settings(method));
            let wheels = [0.0, 1.0].map(|x| {
                let wheel = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::X * x) });
                world.add_joint(joint(&world, WORLD, wheel, Vec3::X * x, Vec3::Y, JointKind::Hinge(Hinge::default())));
                wheel
            });
            let mut def = joint(&world, wheels[0], wheels[1], Vec3::ZERO, Vec3::Y, kind);
            def.anchor_b = Vec3::ZERO;
            world.add_joint(def);
            world.state.velocities[wheels[0] as usize].angular = (3.0 * Vec3::Y).into();
            world
        });
        for _ in 0..120 {
            let [one, two] = worlds.each_ref().map(|world| rows(world, 2)[0].jacobian);
            assert!((one.lin - two.lin).length() < 1e-4, "{method:?}: {one:?} {two:?}");
            assert!(
                (one.ang_a - two.ang_a).length() < 1e-4 && (one.ang_b - two.ang_b).length() < 1e-4,
                "{method:?}: {one:?} {two:?}"
            );
            worlds.iter_mut().for_each(World::step);
        }
        // Half of the spin goes over to the other wheel.
        for world in &worlds {
            let spins = [1, 2].map(|body: usize| Vec3::from(world.state.velocities[body].angular).y);
            assert!((spins[0] - 1.5).abs() < 0.01 && (spins[1] + 1.5).abs() < 0.01, "{method:?}: {spins:?}");
        }
    }
}

/// A bead between two planes at ±0.1 m, that falls on the lower one and rests there with its weight.
#[test]
fn bounds_hold_and_push_only_one_way() {
    for (row, bound) in
        [("pB.z + 0.1", Bound::AtLeast), ("-pB.z - 0.1", Bound::AtMost), ("pB.z", Bound::Between(-0.1, 0.1))]
    {
        let kind = Formula { bounds: Bounds::new(&[bound]).expect("a bound"), ..Formula::of(&[row]).expect("a row") };
        let mut world = World::new(settings(&["solver.method=Direct"]));
        let bead = world.add_body(BodyDef { collide: false, mass: 2.0, ..cube(0.05, Vec3::ZERO) });
        world.add_joint(joint(&world, WORLD, bead, Vec3::ZERO, Vec3::Z, JointKind::Formula(kind)));
        for step in 0..120 {
            world.step();
            if step == 2 {
                assert!(
                    world.state.joints[0].impulses.iter().all(|impulse| *impulse == 0.0),
                    "it falls freely: {bound:?}"
                );
            }
        }
        let at = world.state.bodies[bead as usize].position.z;
        assert!((at + 0.1).abs() < 1e-3, "{bound:?}: {at}");
    }
}

/// A row without a finite value is left out, and the others hold.
#[test]
fn rows_without_a_value_are_left_out() {
    let values = Values::new(&[("k".into(), 0.0)]).expect("a value");
    let rows = ["1/(k*distance)", "sqrt(-1 - distance)", "(pB.x)^0.5 - pB.x^0.5", "distance - 0.5", "pB.y/pB.y"];
    let kind = Formula { parameters: values, ..Formula::of(&rows).expect("rows") };
    for method in METHODS {
        let mut world = World::new(settings(method));
        let bead = world.add_body(BodyDef { collide: false, ..cube(0.05, -0.5 * Vec3::Z) });
        let mut def = joint(&world, WORLD, bead, -0.5 * Vec3::Z, Vec3::Z, JointKind::Formula(kind));
        def.anchor_a = Vec3::ZERO;
        world.add_joint(def);
        for _ in 0..60 {
            world.step();
        }
        let at = world.state.bodies[bead as usize].position;
        assert!((at + 0.5 * Vec3::Z).length() < 1e-3, "{method:?}: {at}");
    }
}
