//! Every reading compared with statics: a load at rest on each joint, limit and form, under a weight of any
//! direction.
//!
//! ```text
//! weight w (a force on the joint's B), arm d from B's anchor to its centre:   force = −w,  torque = −d × w
//! ```
//! The distribution among the groups follows from statics as well: what the anchor and the axes cannot bear is borne
//! by the motor, the spring or the stop. The pose is the one at rest, with the stop just reached.

use std::f32::consts::TAU;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::readout::Readout;
use delassus_physics::row::Softness;
use delassus_physics::settings::*;
use delassus_physics::world::{WORLD, World};
use glam::{DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;

use crate::build::{cube, joint, settings};

const LOAD: f32 = 2.0;
const HALF: f32 = 0.2;

/// A load in equilibrium.
#[derive(Debug, Clone, Copy)]
struct Balance {
    /// The joint's axis on A, world frame, unit.
    axis: Vec3,
    /// The rotation of B since the joint was made.
    turn: Quat,
    /// From A's anchor, the origin, to B's, m.
    apart: Vec3,
    /// From B's anchor to its centre, m, and the force that the joints must supply, N.
    arm: Vec3,
    force: Vec3,
    forms: FormulationSettings,
}

impl Balance {
    /// The torque that the joints must supply, N·m.
    fn torque(&self) -> Vec3 {
        self.arm.cross(self.force)
    }

    /// The readings of the joints after some steps. They are created with B's anchor at the origin and unrotated,
    /// `length` apart.
    fn read(&self, kinds: &[JointKind]) -> Vec<Readout> {
        let mut world = World::new(settings(&["solver.method=Direct"]));
        world.settings.formulation = self.forms;
        world.settings.step.gravity = -self.force / LOAD;
        let local = self.turn.inverse() * self.arm;
        let load = world.add_body(BodyDef { mass: LOAD, collide: false, ..cube(HALF, local) });
        for kind in kinds {
            world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, self.axis, *kind));
        }
        world.place(load, self.apart + self.arm, self.turn);
        world.refresh_joints();
        (0..5).for_each(|_| world.step());
        world.state.joints.iter().map(|joint| joint.readout).collect()
    }
}

/// The expected readings of each group.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    anchor: Vec3,
    axis: Vec3,
    spring: f32,
    motor: f32,
    limit: f32,
    swing: f32,
}

/// Compares each joint's groups, and the sums of force and torque.
fn same(what: &str, balance: &Balance, kinds: &[JointKind], shares: &[Share]) {
    let reads = balance.read(kinds);
    let near = 2e-3 * (1.0 + balance.force.length() + balance.torque().length());
    let vector = |name: &str, found: Vec3, wanted: Vec3| {
        assert!((found - wanted).length() < near, "{what}, {name}: {found}, statics {wanted}\n{kinds:?}\n{balance:?}");
    };
    for (read, share) in reads.iter().zip(shares) {
        vector("anchor", read.anchor, share.anchor);
        vector("axis", read.axis, share.axis);
        for (name, found, wanted) in [
            ("spring", read.spring, share.spring),
            ("motor", read.motor, share.motor),
            ("limit", read.limit, share.limit),
            ("swing", read.swing, share.swing),
        ] {
            vector(name, Vec3::X * found, Vec3::X * wanted);
        }
    }
    vector("force", reads.iter().map(|r| r.force).sum(), balance.force);
    vector("torque", reads.iter().map(|r| r.torque).sum(), balance.torque());
}

/// A stop one end of which is reached at `at`, and which pushes with `load`.
fn met(at: f32, load: f32) -> (f32, f32) {
    if load > 0.0 { (at, at + 0.4) } else { (at - 0.4, at) }
}

fn radians((from, to): (f32, f32)) -> Option<(Angle, Angle)> {
    Some((Angle::radians(from), Angle::radians(to)))
}

fn unit() -> impl Strategy<Value = Vec3> {
    (-1.0f32..1.0, 0.0..TAU).prop_map(|(z, around)| {
        let (sine, cosine) = around.sin_cos();
        Vec3::new((1.0 - z * z).sqrt() * cosine, (1.0 - z * z).sqrt() * sine, z)
    })
}

/// A force and an arm whose torque is M: the arm is perpendicular to it, d × f = M with f = M × d/d² and any part
/// along d.
fn carrying(moment: Vec3, around: f32, long: f32, along: f32) -> (Vec3, Vec3) {
    let (u, v) = moment.normalize().any_orthonormal_pair();
    let arm = long * (u * around.cos() + v * around.sin());
    (arm, moment.cross(arm) / arm.length_squared() + along * arm)
}

/// φ = θ n of the swing that a rotation gives to an axis, in 64 bits.
fn swing(axis: DVec3, turn: DQuat) -> DVec3 {
    let b = turn * axis;
    let cross = axis.cross(b);
    cross.normalize() * cross.length().atan2(axis.dot(b))
}

/// The gradient of a function of the rotation by central differences: its rate is this times the angular velocity.
fn gradient(turn: DQuat, of: impl Fn(DQuat) -> f64) -> Vec3 {
    const STEP: f64 = 1e-5;
    let along = |e: DVec3| {
        let at = |s: f64| of(DQuat::from_scaled_axis(e * s) * turn);
        (at(STEP) - at(-STEP)) / (2.0 * STEP)
    };
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)).as_vec3()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Points: rods, ropes, springs, balls, planes and rings carry the force that passes through them.
    #[test]
    fn what_holds_a_point_shows_its_force(axis in unit(), to in unit(), load in 5.0f32..60.0, squared in any::<bool>()) {
        let forms = FormulationSettings {
            anchor: if squared { AnchorForm::Squared } else { AnchorForm::Length },
            ..FormulationSettings::default()
        };
        let at = |apart: Vec3, force: Vec3| Balance {
            axis, turn: Quat::IDENTITY, apart, arm: Vec3::ZERO, force, forms,
        };
        let pull = -load * to;
        for kind in [JointKind::Distance(Distance { length: Some(0.8) }), JointKind::Rope(Rope { length: Some(0.8) })] {
            same("rod", &at(0.8 * to, pull), &[kind], &[Share { anchor: pull, ..Share::default() }]);
        }
        // k = m ω² stretches by F/k.
        let hertz = 3.0;
        let long = 0.8 + load / (LOAD * (TAU * hertz).powi(2));
        let spring = JointKind::Spring(Spring { length: Some(0.8), softness: Softness::of(hertz, 0.3) });
        same("coil", &at(long * to, pull), &[spring], &[Share { spring: -load, ..Share::default() }]);

        let plain = |apart, force| Balance { forms: FormulationSettings::default(), ..at(apart, force) };
        let anchor = Share { anchor: load * to, ..Share::default() };
        same("ball", &plain(Vec3::ZERO, load * to), &[JointKind::BallSocket(BallSocket {})], &[anchor]);
        let along = axis * load;
        let plane = |limit, motor| JointKind::Plane(Plane { limit, motor });
        let motor = Some(LinearDrive { speed: 0.0, max_force: 1e4 });
        same("plane", &plain(Vec3::ZERO, along), &[plane(None, None)], &[Share { anchor: along, ..Share::default() }]);
        same("plane", &plain(Vec3::ZERO, along), &[plane(None, motor)], &[Share { motor: load, ..Share::default() }]);
        for load in [load, -load] {
            let share = Share { limit: load, ..Share::default() };
            same("plane", &plain(0.3 * axis, axis * load), &[plane(Some(met(0.3, load)), None)], &[share]);
        }
        let radial = axis.any_orthonormal_vector();
        let force = load * axis - 0.5 * load * radial;
        let ring = JointKind::PointOnRing(PointOnRing { radius: Some(0.7) });
        same("ring", &plain(0.7 * radial, force), &[ring], &[Share { anchor: force, ..Share::default() }]);
    }

    /// Axes: a hinge in every form, rotated far, shares the moment between its axes and whatever holds its angle.
    #[test]
    fn what_holds_an_axis_shows_its_torque(
        axis in unit(), arm in unit(), push in unit(), load in 5.0f32..60.0, angle in -2.6f32..2.6,
    ) {
        let default = FormulationSettings::default();
        let turn = Quat::from_axis_angle(axis, angle);
        let held = Balance { axis, turn, apart: Vec3::ZERO, arm: 0.6 * arm, force: load * push, forms: default };
        let (force, torque) = (held.force, held.torque());
        let about = torque.dot(axis);
        prop_assume!(about.abs() > 0.5);
        let across = Share { anchor: force, axis: torque - about * axis, ..Share::default() };
        let motor = AngularDrive { speed: 0.0, max_torque: 1e4 };
        // k = I ω², rotated by torque/k beyond its rest angle.
        let omega = TAU * 4.0;
        // About the hinge, which is not at the centre.
        let inertia = LOAD * (2.0 / 3.0 * HALF * HALF + held.arm.cross(axis).length_squared());
        let rests = Angle::radians(angle + about / (inertia * omega * omega));
        let spring = AngularSpring { softness: Softness::of(4.0, 0.3), angle: rests };
        for form in [HingeForm::CrossProduct, HingeForm::TwoAxis, HingeForm::Quaternion] {
            let hinge = Hinge { formulation: Some(form), ..Hinge::default() };
            for (kind, share) in [
                (Hinge { motor: Some(motor), ..hinge }, Share { motor: about, ..across }),
                (Hinge { limit: radians(met(angle, about)), ..hinge }, Share { limit: about, ..across }),
                (Hinge { spring: Some(spring), ..hinge }, Share { spring: about, ..across }),
            ] {
                same(&format!("{form:?}"), &held, &[JointKind::Hinge(kind)], &[share]);
            }
        }
        let rotary = JointKind::RotaryMotor(RotaryMotor { motor });
        same("rotary motor", &held, &[rotary], &[Share { motor: about, ..across }]);

        // A ball joint that bears the weight, beside a lock of the axis and a drive about it.
        let apart = [
            JointKind::BallSocket(BallSocket {}),
            JointKind::AxisLock(AxisLock {}),
            JointKind::AngularMotor(AngularMotor { motor }),
        ];
        let shares = [
            Share { anchor: force, ..Share::default() },
            Share { axis: across.axis, ..Share::default() },
            Share { motor: about, ..Share::default() },
        ];
        same("ball, lock and drive", &held, &apart, &shares);
    }

    /// Welds and sliders.
    #[test]
    fn what_does_not_turn_shows_its_torque(
        axis in unit(), arm in unit(), push in unit(), load in 5.0f32..60.0, slide in -0.5f32..0.5,
    ) {
        for orientation in [OrientationForm::WorldAxes, OrientationForm::Quaternion] {
            let forms = FormulationSettings { orientation, ..FormulationSettings::default() };
            let (apart, arm) = (Vec3::ZERO, 0.6 * arm);
            let held = Balance { axis, turn: Quat::IDENTITY, apart, arm, force: load * push, forms };
            let (force, torque) = (held.force, held.torque());
            let weld = Share { anchor: force, axis: torque, ..Share::default() };
            same("weld", &held, &[JointKind::Fixed(Fixed::default())], &[weld]);
            let lock = [JointKind::BallSocket(BallSocket {}), JointKind::OrientationLock(OrientationLock::default())];
            let shares =
                [Share { anchor: force, ..Share::default() }, Share { axis: torque, ..Share::default() }];
            same("lock", &held, &lock, &shares);

            let held = Balance { apart: slide * axis, ..held };
            let along = force.dot(axis);
            prop_assume!(along.abs() > 0.5);
            let across = Share { anchor: force - along * axis, axis: torque, ..Share::default() };
            let motor = Some(LinearDrive { speed: 0.0, max_force: 1e4 });
            let spring = Some(LinearSpring {
                softness: Softness::of(3.0, 0.3),
                // On its rail it moves along only, wherever that is.
                slide: slide + along / (LOAD * (TAU * 3.0).powi(2)),
            });
            for (kind, share) in [
                (Prismatic { motor, ..Prismatic::default() }, Share { motor: along, ..across }),
                (Prismatic { spring, ..Prismatic::default() }, Share { spring: along, ..across }),
                (Prismatic { limit: Some(met(slide, along)), ..Prismatic::default() }, Share { limit: along, ..across }),
            ] {
                same("slider", &held, &[JointKind::Prismatic(kind)], &[share]);
            }
        }
    }

    /// Swings and twists at their stops: the swing's torque is across its limit, the twist's follows from the
    /// rotation about the bone.
    #[test]
    fn what_stops_a_swing_shows_its_torque(
        axis in unit(), side in 0.0..TAU, fill in 0.3f32..1.0, ratio in 1.5f32..5.0, turned in -0.8f32..0.8,
        load in 2.0f32..30.0, bends in -20.0f32..20.0, around in 0.0..TAU, along in -20.0f32..20.0,
    ) {
        let (u, v) = axis.any_orthonormal_pair();
        let (narrow, wide) = (0.5 * fill, 0.5 * fill * ratio);
        let (s, t) = (Angle::radians(narrow), Angle::radians(wide));
        let ellipse = |phi: DVec3| {
            (phi.dot(u.as_dvec3()) / f64::from(narrow)).hypot(phi.dot(v.as_dvec3()) / f64::from(wide))
        };
        let quaternion = FormulationSettings { constant_velocity: TwistForm::Quaternion, ..Default::default() };
        for (limit, forms) in [
            (SwingLimit::Cone(t), FormulationSettings::default()),
            (SwingLimit::Ellipse(s, t), FormulationSettings::default()),
            (SwingLimit::Pyramid(s, t), FormulationSettings::default()),
            (SwingLimit::Cone(t), quaternion),
            (SwingLimit::Pyramid(s, t), quaternion),
        ] {
            // The swing at which the limit is reached, away from a pyramid's edges, then the twist about B's own
            // axis.
            let half = side.sin_cos();
            let to = match limit {
                SwingLimit::Cone(_) => wide * (u * half.1 + v * half.0),
                SwingLimit::Ellipse(..) => u * (narrow * half.1) + v * (wide * half.0),
                SwingLimit::Pyramid(..) => u * narrow + v * (0.6 * wide * half.0),
            };
            let quaternion_sides = forms == quaternion && matches!(limit, SwingLimit::Pyramid(..));
            // On 2 u · Im q a side is at 2 sin(s/2): a swing about u alone reaches it without twist.
            let (to, twist) = if quaternion_sides { (u * narrow, 0.0) } else { (to, turned) };
            let swung = Quat::from_scaled_axis(to);
            let turn = swung * Quat::from_axis_angle(axis, twist);
            let bone = swung * axis;
            let wide_turn = turn.as_dquat();
            let value = |q: DQuat| {
                let phi = swing(axis.as_dvec3(), q);
                match limit {
                    SwingLimit::Cone(_) => phi.length(),
                    SwingLimit::Ellipse(..) => ellipse(phi),
                    SwingLimit::Pyramid(..) if quaternion_sides => 2.0 * u.as_dvec3().dot(DVec3::new(q.x, q.y, q.z)),
                    SwingLimit::Pyramid(..) => phi.dot(u.as_dvec3()),
                }
            };
            let back = -load * gradient(wide_turn, value).normalize();
            let bisector = (axis + bone).normalize();

            // Without a twist stop, and with one.
            let cone = |twist| [JointKind::ConeTwist(ConeTwist { swing: limit, twist })];
            for (kinds, moment, share) in [
                (cone(None), back, Share { swing: load, ..Share::default() }),
                (
                    cone(radians(met(twist, bends))),
                    back + bends * bisector,
                    // The work of a rotation about the bone.
                    Share { swing: load, limit: bends * bisector.dot(bone), ..Share::default() },
                ),
            ] {
                let (arm, force) = carrying(moment, around, 0.5, along);
                let held = Balance { axis, turn, apart: Vec3::ZERO, arm, force, forms };
                same(&format!("{limit:?}"), &held, &kinds, &[Share { anchor: force, ..share }]);
            }
            // Two shafts have no twist between them.
            let turn = swung;
            let back = -load * gradient(turn.as_dquat(), value).normalize();
            let (arm, force) = carrying(back + bends * bisector, around, 0.5, along);
            let held = Balance { axis, turn, apart: Vec3::ZERO, arm, force, forms };
            let shafts = JointKind::ConstantVelocity(ConstantVelocity { swing: Some(limit) });
            let share = Share { anchor: force, axis: bends * bisector, swing: load, ..Share::default() };
            same(&format!("shafts, {limit:?}"), &held, &[shafts], &[share]);
        }
    }
}
