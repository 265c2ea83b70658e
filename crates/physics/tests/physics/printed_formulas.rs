//! The errata of docs/errata.md that cannot be switched on as a form: the printed formula by itself gives the number
//! that the page quotes, the test checks that the page contains it, and the world beside it behaves correctly.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joint::JointDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::{quaternion, swing_twist};
use delassus_physics::row::JointFrames;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Mat4, Quat, Vec3, Vec4};

use crate::build::{bead, body, close, cube, floor, joint, run, settings};

const H: f32 = 1.0 / 60.0;
const BETA: f32 = 0.2;

/// Checks that the page's entry on an erratum contains these words.
fn quoted(erratum: u32, words: &str) {
    let page = include_str!("../../../../docs/errata.md");
    let begins = page.find(&format!("\n**{erratum} ")).unwrap_or_else(|| panic!("erratum {erratum} is on the page"));
    let entry = &page[begins + 1..];
    let entry = &entry[..entry.find("\n**").unwrap_or(entry.len())];
    let line = entry.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(line.contains(words), "erratum {erratum} does not say “{words}”: {line}");
}

/// Erratum 3: a drive of 10 N on 1 kg whose accumulated impulse is never reset can apply F h once and never again.
#[test]
fn erratum_3_capped_motor_stops_for_good() {
    let (mass, cap, target) = (1.0, 10.0, 20.0f32);
    let (mut v, mut accum) = (0.0f32, 0.0f32);
    for _ in 0..600 {
        let before = accum;
        accum = (accum + (target - v) * mass).clamp(-cap * H, cap * H);
        v += (accum - before) / mass;
    }
    quoted(3, &format!("{v:.3} m/s in ten seconds"));
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let cart = world.add_body(cube(0.1, Vec3::ZERO));
    let motor = Some(LinearDrive { speed: target, max_force: cap });
    let kind = JointKind::Prismatic(Prismatic { motor, ..Prismatic::default() });
    world.add_joint(joint(&world, WORLD, cart, Vec3::ZERO, Vec3::X, kind));
    run(&mut world, 3.0);
    close("here", world.state.velocities[cart as usize].linear.x, target, 1e-3);
}

/// Erratum 6: a shaft swung by 60° turns about itself at 1 rad/s. Its twist grows at 1 rad/s; if A turns, the printed
/// row, along the shaft alone, sees the rotation about A's axis only with its cosine, while (a + b)/(1 + a·b) sees
/// all of it.
#[test]
fn erratum_6_twist_row_is_short_where_there_is_swing() {
    let at = |turn: f32| {
        let qa = Quat::from_rotation_z(turn);
        let qb = Quat::from_rotation_x(std::f32::consts::FRAC_PI_3);
        JointFrames {
            xa: Vec3::ZERO,
            xb: Vec3::ZERO,
            qa,
            qb,
            ra: Vec3::ZERO,
            rb: Vec3::ZERO,
            axis_a: qa * Vec3::Z,
            axis_b: qb * Vec3::Z,
            axis_local: Vec3::Z,
            reference: Quat::IDENTITY,
            rest_length: 0.0,
            made_gap: Vec3::ZERO,
            previous: 0.0,
            forms: None,
            by_time: [1.0; 2],
        }
    };
    let e = 1e-2;
    let rate = (swing_twist::twist(&at(e)) - swing_twist::twist(&at(-e))) / (2.0 * e);
    let ends = at(0.0);
    close("the twist", rate, -1.0, 1e-3);
    close("as printed", ends.axis_b.dot(-Vec3::Z), -0.5, 1e-3);
    let row = swing_twist::twist_row(&ends).expect("far from opposed");
    close("here", row.ang_a.dot(Vec3::Z), rate, 1e-3);
}

/// Erratum 6: the printed swing row has C = cos θ − cos θmax and J = −sin θ n, so that one step moves the bone by β
/// (cos θmax − cos θ)/sin θ where it should move by β times the excess θ − θmax: 37 times that at 179° of a cone of
/// 90°, three quarters of it at 2° of a cone of 1°.
#[test]
fn erratum_6_swing_in_cosines() {
    let step = |degrees: f32, cone: f32| {
        let (angle, cone) = (degrees.to_radians(), cone.to_radians());
        (cone.cos() - angle.cos()) / angle.sin() / (angle - cone)
    };
    quoted(6, &format!("{:.0} times the share it should at 179° (cone of 90°)", step(179.0, 90.0)));
    close("three quarters", step(2.0, 1.0), 0.75, 1e-2);
    quoted(6, "three quarters at 2° (cone of 1°)");
    close("at half a turn across", step(91.0, 90.0), 1.0, 1e-3);
    // In our form a step takes the share β of the excess, whatever the angle.
    for (degrees, cone) in [(170.0f32, 90.0f32), (2.0, 1.0)] {
        let mut world = World::new(settings(&["step.gravity=0,0,0"]));
        let rotation = Quat::from_rotation_x(degrees.to_radians());
        let bone = world.add_body(BodyDef { collide: false, rotation, ..cube(0.5, Vec3::ZERO) });
        let swing = swing_twist::SwingLimit::Cone(Angle::degrees(cone));
        let kind = JointKind::ConeTwist(ConeTwist { swing, twist: None });
        let def = joint(&world, WORLD, bone, Vec3::ZERO, Vec3::Z, kind);
        world.add_joint(JointDef { axis_b: Vec3::Z, ..def });
        world.step();
        let left = (world.state.bodies[bone as usize].rotation * Vec3::Z).angle_between(Vec3::Z).to_degrees() - cone;
        close(&format!("here, {degrees}° of {cone}°"), left / (degrees - cone), 1.0 - BETA, 2e-3);
    }
}

/// Erratum 9: a rope whose row is added only past its end pulls the overshoot back with a speed of (β/h) C, which the
/// bead keeps: when it runs straight into the end, β of its speed is returned. With a row that is always present, the
/// rope lets the bead reach its end and leaves no speed.
#[test]
fn erratum_9_late_rope_bounces() {
    let (length, speed) = (1.0f32, 6.0f32);
    let (mut x, mut v) = (length, speed);
    for _ in 0..2 {
        if x > length {
            v = v.min(-BETA / H * (x - length));
        }
        x += v * H;
    }
    quoted(
        9,
        &format!("met head on at {speed} m/s the rope throws the bead back at up to β times that, {:.1} m/s", -v),
    );
    let mut world = World::new(settings(&["step.gravity=0,0,0", "stabilization.method=Baumgarte"]));
    let ball = world.add_body(BodyDef { velocity: Vec3::X * speed, ..bead(Vec3::X * 0.95) });
    let def = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, JointKind::Rope(Rope { length: Some(length) }));
    world.add_joint(JointDef { anchor_b: Vec3::ZERO, ..def });
    run(&mut world, 0.5);
    close("here", world.state.velocities[ball as usize].linear.x, 0.0, 1e-4);
    close("length", world.state.bodies[ball as usize].position.x, length, 1e-4);
}

/// Erratum 11: b = −(β/h) d with d < 0 for a penetration allows u ≥ (β/h) d: the body sinks, by a factor 1 + β a
/// step. And v_final = C_r v_initial, or `e max(−v, 0)` as a bias, leaves approaching bodies approaching.
#[test]
fn erratum_11_signs() {
    let mut depth = -0.001f32;
    for _ in 0..40 {
        let bias = -(BETA / H) * depth;
        depth += H * -bias;
    }
    quoted(11, &format!("a millimetre to {:.2} m in 40", -depth));
    let (approach, e) = (-3.0f32, 0.5);
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let material = Material { restitution: e, ..Material::default() };
    world.add_body(BodyDef { material, ..floor() });
    let ball = body(Shape::Sphere { radius: 0.5 }, Vec3::Z * 0.6);
    let ball = world.add_body(BodyDef { material, velocity: Vec3::Z * approach, ..ball });
    run(&mut world, 0.2);
    let parts = world.state.velocities[ball as usize].linear.z;
    // As printed they would continue at e v, into each other.
    close("here they part", parts, -e * approach, 1e-4);
    let mut world = World::new(settings(&[]));
    world.add_body(floor());
    let ball = world.add_body(body(Shape::Sphere { radius: 0.5 }, Vec3::Z * 0.4));
    run(&mut world, 1.0);
    let height = world.state.bodies[ball as usize].position.z;
    close("here", height, 0.5 - world.settings.contact.slop, 3e-3);
}

/// Erratum 12: with a step 1/K of its own for each tangent the impulse on a bar that slides at 45° points 24° away
/// from its length, not 45°: K is 1/m + r²/I, and a bar is easier to rotate about its length.
#[test]
fn erratum_12_step_per_axis_turns_friction() {
    let half = Vec3::new(0.5, 0.1, 0.1);
    let inertia = Vec3::new(
        half.y * half.y + half.z * half.z,
        half.x * half.x + half.z * half.z,
        half.x * half.x + half.y * half.y,
    ) / 3.0;
    let k = |inertia: f32| 1.0 + half.z * half.z / inertia;
    let printed = (1.0 / k(inertia.x)).atan2(1.0 / k(inertia.y)).to_degrees();
    quoted(12, &format!("that slides at 45° points at {printed:.0}° to its length"));
    let mut world = World::new(settings(&["friction.model=Coulomb"]));
    world.add_body(floor());
    let slide = Vec3::new(1.0, 1.0, 0.0) * 3.0;
    let bar = world.add_body(BodyDef { velocity: slide, ..body(Shape::Box { half }, Vec3::Z * half.z) });
    world.step();
    let velocity = Vec3::from(world.state.velocities[bar as usize].linear);
    let lost = slide - velocity;
    close("here", lost.y.atan2(lost.x).to_degrees(), 45.0, 2.0);
}

/// Erratum 17: with the book's matrices M = ½ P L(q1*) R(q2 q0*) Pᵀ, C-dot = (P q)-dot = M (w2 − w1): the row of u is
/// Mᵀ u, as in the code (by two transposes that cancel), and not M u, as printed. Ours is twice Mᵀ u.
#[test]
fn erratum_17_quaternion_row_is_the_transposed_one() {
    let left = |q: Quat| {
        Mat4::from_cols(
            Vec4::new(q.w, q.x, q.y, q.z),
            Vec4::new(-q.x, q.w, q.z, -q.y),
            Vec4::new(-q.y, -q.z, q.w, q.x),
            Vec4::new(-q.z, q.y, -q.x, q.w),
        )
    };
    let right = |q: Quat| {
        Mat4::from_cols(
            Vec4::new(q.w, q.x, q.y, q.z),
            Vec4::new(-q.x, q.w, -q.z, q.y),
            Vec4::new(-q.y, q.z, q.w, -q.x),
            Vec4::new(-q.z, -q.y, q.x, q.w),
        )
    };
    let (q1, q2, q0) = (
        Quat::from_scaled_axis(Vec3::new(0.4, -1.1, 0.3)),
        Quat::from_scaled_axis(Vec3::new(-0.2, 0.5, 1.7)),
        Quat::from_scaled_axis(Vec3::new(0.9, 0.1, -0.6)),
    );
    let m = left(q1.conjugate()) * right(q2 * q0.conjugate()) * 0.5;
    let u = Vec3::new(0.6, 0.0, 0.8);
    let of = |m: Mat4| {
        let v = m * Vec4::new(0.0, u.x, u.y, u.z);
        Vec3::new(v.y, v.z, v.w)
    };
    let ours = quaternion::jacobian(q1, q1.conjugate() * q2 * q0.conjugate(), u).ang_b;
    close("Mᵀ u", ours.distance(2.0 * of(m.transpose())), 0.0, 1e-5);
    assert!(ours.distance(2.0 * of(m)) > 0.5, "M u is another row");
}

/// Erratum 20: about half of the contact blocks of boxes that lie on a floor are not diagonally dominant; all are
/// positive semidefinite, which is what Gauss–Seidel needs. K_ij = (1 + r_i × n · I⁻¹ r_j × n m)/m of the rows
/// themselves.
#[test]
fn erratum_20_contact_blocks_are_not_diagonally_dominant() {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let (mut dominant, tries) = (0, 50);
    for _ in 0..tries {
        let half = Vec3::new(random(), random(), random()) + 0.1;
        let mut world = World::new(settings(&[]));
        world.add_body(floor());
        world.add_body(body(Shape::Box { half }, Vec3::Z * half.z));
        world.step();
        let block = world.system.blocks.iter().find(|b| b.coupling.contact().is_some()).expect("a contact");
        let normals = &world.system.rows[block.range()][..4];
        // The floor does not move: J M⁻¹ Jᵀ has only the box's part.
        let k = |i: usize, j: usize| {
            let (r, s) = (&normals[i], &normals[j]);
            f64::from(r.inv_mb * r.lin.dot(s.lin) + r.inv_ib.dot(s.ang_b))
        };
        dominant += usize::from((0..4).all(|i| {
            let others: f64 = (0..4).filter(|j| *j != i).map(|j| k(i, j).abs()).sum();
            k(i, i) >= others
        }));
        let lambda: Vec<f64> = (0..4).map(|_| f64::from(random()) - 0.5).collect();
        let energy: f64 = (0..16).map(|n| lambda[n / 4] * k(n / 4, n % 4) * lambda[n % 4]).sum();
        assert!(energy > -1e-6, "{energy}");
    }
    assert!(4 * dominant < 3 * tries, "{dominant} of {tries}");
}
