//! The limits and motors of a joint, found from its parameters' roles and its rows, so that panels, drawing and the
//! doctor need not know the kinds.

use glam::{Quat, Vec3};

use super::{
    AngularDrive, Given, JointDisplay, JointKind, JointMeasure, LinearDrive, Parameter, Role, RotationVector, Servo,
    radians,
};
use crate::primitives::rotation_vector;
use crate::primitives::swing_twist::SwingLimit;
use crate::row::{Group, JointFrames, RowList, Softness};

impl JointKind {
    /// The result of `of` for the first parameter whose role gives one.
    fn first<T>(&self, of: impl Fn(Role<'_>) -> Option<T>) -> Option<T> {
        let mut kind = *self;
        kind.parameters().into_iter().find_map(|Parameter { role, .. }| of(role))
    }

    /// The least and greatest value that the joint allows, rad or m, see [`super::JointInfo::measures`]; none if it
    /// is unlimited. `rest_length` is the length, m, of a rope without a given length.
    pub fn range(&self, rest_length: f32) -> Option<(f32, f32)> {
        let shown = self.info().shown;
        if let Self::SixDof(joint) = self {
            return joint.value_axis()?.limit;
        }
        self.first(|role| match role {
            Role::AngleLimit(limit) => radians(*limit),
            Role::SlideLimit(limit) => *limit,
            Role::Swing(limit) if shown == JointDisplay::Bend => match limit.get()? {
                SwingLimit::Cone(half) => Some((0.0, half.radians)),
                _ => None,
            },
            Role::Length(length) if matches!(shown, JointDisplay::Thread | JointDisplay::Sheaves) => {
                Some((0.0, length.unwrap_or(rest_length)))
            }
            // A swing limit of a joint that measures twist, a fixed length, and parameters that limit nothing.
            Role::Swing(_) | Role::Length(_) | Role::AngularMotor(_) | Role::LinearMotor(_) => None,
            Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => None,
            Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => None,
            Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => None,
            Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => None,
            Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => None,
            Role::SlideAxis(_) | Role::TurnAxis(_) | Role::Axes(_) | Role::RotationZero(_) => None,
        })
    }

    /// Where its value is zero, rad from the pose of the scene or m from where the anchors coincide.
    pub fn zero(&self) -> f32 {
        // Found without the list of parameters, which would be allocated.
        match self {
            Self::Hinge(joint) => joint.zero.radians,
            Self::Prismatic(joint) => joint.zero,
            Self::Cylindrical(joint) => joint.zero,
            Self::Screw(joint) => joint.zero,
            Self::Cam(joint) => joint.zero.radians,
            _ => 0.0,
        }
    }

    /// Its servo; where it has several, that of the value that it measures.
    pub fn servo(&self) -> Option<Servo> {
        match self {
            Self::Hinge(joint) => joint.servo.map(Servo::from),
            Self::Prismatic(joint) => joint.servo.map(Servo::from),
            Self::Cylindrical(joint) => joint.servo.map(Servo::from),
            Self::Screw(joint) => joint.servo.map(Servo::from),
            Self::SixDof(joint) => joint.value_axis()?.servo,
            _ => None,
        }
    }

    /// Whether it has a servo, on whichever of its axes.
    pub fn has_servo(&self) -> bool {
        match self {
            Self::SixDof(joint) => joint.free().into_iter().flatten().any(|axis| axis.servo.is_some()),
            _ => self.servo().is_some(),
        }
    }

    /// The most that its motor or servo may apply, N·m or N.
    pub fn cap(&self) -> Option<f32> {
        self.motor().map(|(_, cap)| cap).or_else(|| self.servo().map(|servo| servo.cap))
    }

    /// Whether a motor or a servo drives it.
    pub fn is_driven(&self) -> bool {
        self.motor().is_some() || self.has_servo()
    }

    /// The limit on the angle between B's axis and A's.
    pub fn swing_limit(&self) -> Option<SwingLimit> {
        self.first(|role| if let Role::Swing(limit) = role { limit.get() } else { None })
    }

    /// Its length parameter, m, if the kind has one; the inner option is none if the anchors' distance in the scene
    /// counts.
    pub fn length(&self) -> Option<Option<f32>> {
        self.first(|role| if let Role::Length(length) = role { Some(*length) } else { None })
    }

    /// Whether it has anchor rows, axis rows, and limit rows, in this order.
    pub fn holds(&self) -> (bool, bool, bool) {
        let mut list = RowList::default();
        self.linearize(&EXAMPLE, &mut list);
        let has = |groups: &[Group]| list.rows.iter().any(|row| groups.contains(&row.group));
        (has(&[Group::Anchor]), has(&[Group::Axis]), has(&[Group::Limit, Group::Swing]))
    }

    /// The radii of the two wheels that it couples, m; zero for a rack, which has none.
    pub fn radii(&self) -> Option<(f32, f32)> {
        match self {
            Self::Gear(joint) => Some((joint.radius_a, joint.radius_b)),
            Self::Belt(joint) => Some((joint.radius_a, joint.radius_b)),
            Self::Rack(joint) => Some((joint.radius, 0.0)),
            _ => None,
        }
    }

    /// The rotation from A's frame to the axes of its motions, if it has such axes of its own.
    pub fn axes(&self) -> Option<Quat> {
        if let Self::SixDof(joint) = self { Some(joint.axes.quat()) } else { None }
    }

    /// Whether it is a rope: it pulls, and never pushes.
    pub fn is_rope(&self) -> bool {
        matches!(self, Self::Rope(_) | Self::Pulley(_) | Self::Drum(_))
    }

    /// Whether its rope holds as a rod while it is taut when the velocities at a step's end are made, and is not one of the
    /// stops at which those of the middle of the step are read: see `rattle/`.
    pub fn is_taut_at_end(&self) -> bool {
        matches!(self, Self::Pulley(_) | Self::Drum(_))
    }

    /// Whether its limit is a force, N, though its value is an angle: the end of a rope stops at its drum.
    pub fn stops_its_end(&self) -> bool {
        matches!(self, Self::Drum(_))
    }

    /// The size against which its error counts, m, where the end of a rope is in its drum: the drum's diameter.
    pub fn lost_in(&self, frames: &JointFrames) -> Option<f32> {
        if let Self::Drum(joint) = self { joint.lost(frames) } else { None }
    }

    /// The length that counts where none is given, m: what the joint measures out at the frames at which it is made.
    pub fn made_length(&self, frames: &JointFrames) -> f32 {
        match self {
            Self::Pulley(joint) => joint.whole(frames),
            Self::Drum(joint) => joint.free(frames),
            _ => frames.p().length(),
        }
    }

    /// The largest coordinate of the points that it has in the world, m.
    pub fn reach(&self) -> f32 {
        match self {
            Self::Pulley(joint) => joint.over_a.abs().max(joint.over_b.abs()).max_element(),
            _ => 0.0,
        }
    }

    /// Moves the points that it has in the world.
    pub fn move_points(&mut self, to: impl Fn(Vec3) -> Vec3) {
        if let Self::Pulley(joint) = self {
            (joint.over_a, joint.over_b) = (to(joint.over_a), to(joint.over_b));
        }
    }

    /// Turns its own axes, if it has any, by a rotation in A's frame.
    pub fn turn_axes(&mut self, by: Quat) {
        if let Self::SixDof(joint) = self
            && by != Quat::IDENTITY
        {
            joint.axes = RotationVector::of(rotation_vector::of(by * joint.axes.quat()));
        }
    }

    /// Whether it couples a motion of B with one of A, by teeth, a thread, a belt or a cam.
    pub fn is_coupling(&self) -> bool {
        matches!(self, Self::Gear(_) | Self::Rack(_) | Self::Belt(_) | Self::Screw(_) | Self::Cam(_))
    }

    /// The spring that it has along or about its axis, or that it is.
    pub fn spring(&self) -> Option<Softness> {
        let (mut rate, mut damping, mut kind) = (None, None, *self);
        for Parameter { role, .. } in kind.parameters() {
            match role {
                Role::AngularSpring(Some(spring)) => return Some(spring.softness),
                Role::LinearSpring(Some(spring)) => return Some(spring.softness),
                Role::SpringRate(own) => rate = Some(*own),
                Role::Damping(own) => damping = Some(*own),
                _ => {}
            }
        }
        Some(Softness { rate: rate?, damping: damping? })
    }

    /// Whether it has a spring.
    pub fn is_sprung(&self) -> bool {
        self.spring().is_some()
    }

    /// Whether it has an optional motor.
    pub fn can_lose_motor(&self) -> bool {
        let mut other = *self;
        other.lose_motor();
        other != *self
    }

    /// Removes its optional motor.
    pub fn lose_motor(&mut self) {
        for Parameter { role, .. } in self.parameters() {
            match role {
                Role::AngularMotor(Given::Maybe(motor)) => *motor = None,
                Role::LinearMotor(Given::Maybe(motor)) => *motor = None,
                // A motor that a kind always has cannot be removed; the other roles are no motors.
                Role::AngularMotor(Given::Always(_)) | Role::LinearMotor(Given::Always(_)) => {}
                Role::AngleLimit(_) | Role::SlideLimit(_) | Role::Swing(_) | Role::Length(_) => {}
                Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => {}
                Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => {}
                Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
                Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => {}
                Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
                Role::SlideAxis(_) | Role::TurnAxis(_) | Role::Axes(_) | Role::RotationZero(_) => {}
            }
        }
    }

    /// Removes its servo, or all of them.
    pub fn lose_servo(&mut self) {
        match self {
            Self::Hinge(joint) => joint.servo = None,
            Self::Prismatic(joint) => joint.servo = None,
            Self::Cylindrical(joint) => joint.servo = None,
            Self::Screw(joint) => joint.servo = None,
            Self::SixDof(joint) => joint.lose_servos(),
            _ => {}
        }
    }

    /// The motor's target speed, rad/s or m/s, and its largest torque, N·m, or force, N.
    pub fn motor(&self) -> Option<(f32, f32)> {
        // The list of parameters would be allocated, and every step asks for the motors.
        let angular = |drive: AngularDrive| (drive.speed, drive.max_torque);
        let linear = |drive: LinearDrive| (drive.speed, drive.max_force);
        match self {
            Self::Hinge(joint) => joint.motor.map(angular),
            Self::AngularMotor(joint) => Some(angular(joint.motor)),
            Self::RotaryMotor(joint) => Some(angular(joint.motor)),
            Self::Prismatic(joint) => joint.motor.map(linear),
            Self::Cylindrical(joint) => joint.motor.map(linear),
            Self::Screw(joint) => joint.motor.map(linear),
            Self::Plane(joint) => joint.motor.map(linear),
            Self::BallSocket(_) | Self::Distance(_) | Self::Rope(_) | Self::Spring(_) | Self::Fixed(_) => None,
            Self::OrientationLock(_) | Self::AxisLock(_) | Self::ConeTwist(_) => None,
            Self::ConstantVelocity(_) | Self::PointOnRing(_) | Self::Universal(_) => None,
            Self::Gear(_) | Self::Rack(_) | Self::Belt(_) | Self::SixDof(_) => None,
            Self::Pulley(_) | Self::Drum(_) | Self::Cam(_) | Self::Formula(_) => None,
        }
    }

    /// The most friction that holds it still, N or N·m.
    pub fn holding_friction(&self) -> f32 {
        let mut kind = *self;
        let parameters = kind.parameters();
        let holds = parameters.iter().filter(|own| matches!(own.name, "friction" | "breakaway"));
        let forces = holds.flat_map(|own| own.role.numbers()).filter(|number| !number.quantity.unit.is_empty());
        forces.map(|number| number.value).fold(0.0, f32::max)
    }

    /// Whether its value is an angle.
    pub fn is_angle(&self) -> bool {
        self.info().measures == JointMeasure::Angle
    }
}

/// Ends at which a joint writes all its rows: anchors apart and B rotated by 0.3 rad, so that no direction vanishes.
pub(crate) const EXAMPLE: JointFrames = JointFrames {
    xa: Vec3::ZERO,
    xb: Vec3::X,
    qa: Quat::IDENTITY,
    qb: Quat::from_xyzw(0.149_438_13, 0.0, 0.0, 0.988_771_1),
    ra: Vec3::ZERO,
    rb: Vec3::ZERO,
    axis_a: Vec3::Z,
    axis_b: Vec3::new(0.0, -0.295_520_2, 0.955_336_5),
    axis_local: Vec3::Z,
    reference: Quat::IDENTITY,
    rest_length: 1.0,
    made_gap: Vec3::X,
    previous: 0.0,
    forms: None,
    by_time: [1.0; 2],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives each kind a motor through its parameters, where it can have one.
    #[test]
    fn the_motor_is_that_of_the_parameters() {
        for mut kind in JointKind::all() {
            let mut motor = None;
            for Parameter { role, .. } in kind.parameters() {
                let angular = AngularDrive { speed: 2.0, max_torque: 3.0 };
                let linear = LinearDrive { speed: 2.0, max_force: 3.0 };
                match role {
                    Role::AngularMotor(Given::Always(drive)) => *drive = angular,
                    Role::AngularMotor(Given::Maybe(drive)) => *drive = Some(angular),
                    Role::LinearMotor(Given::Always(drive)) => *drive = linear,
                    Role::LinearMotor(Given::Maybe(drive)) => *drive = Some(linear),
                    _ => continue,
                }
                motor = Some((2.0, 3.0));
            }
            assert_eq!(kind.motor(), motor, "{}", kind.info().name);
        }
    }

    #[test]
    fn what_a_kind_says_of_itself_is_what_it_reads_and_does() {
        for mut kind in JointKind::all() {
            let info = kind.info();
            // Its parameters are exactly its fields in files.
            let options =
                ron::Options::default().with_default_extension(ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES);
            let read = options.from_str::<JointKind>(&format!("{}(no_field: 0)", info.name));
            let wrong = read.expect_err("there is no such field").code;
            let ron::Error::NoSuchStructField { expected, .. } = wrong else { panic!("{wrong:?}") };
            // A spring takes these in place of a frequency and a damping ratio.
            let is_spring = kind.parameters().iter().any(|own| matches!(own.role, Role::SpringRate(_)));
            let other = |field: &&str| is_spring && matches!(*field, "stiffness" | "damping");
            let expected: Vec<&str> = expected.iter().copied().filter(|field| !other(field)).collect();
            let names: Vec<&str> = kind.parameters().iter().map(|parameter| parameter.name).collect();
            assert_eq!(names, expected, "{}", info.name);
            // Angle limits and springs need a joint that measures angles, slide limits and springs one that measures
            // slides.
            for Parameter { role, name, .. } in kind.parameters() {
                match role {
                    Role::AngleLimit(_)
                    | Role::AngularSpring(_)
                    | Role::AngularServo(_)
                    | Role::AngleZero(_)
                    | Role::Swing(_) => {
                        assert_eq!(info.measures, JointMeasure::Angle, "{} {name}", info.name);
                    }
                    Role::SlideLimit(_) | Role::LinearSpring(_) | Role::LinearServo(_) | Role::SlideZero(_) => {
                        assert_eq!(info.measures, JointMeasure::Slide, "{} {name}", info.name);
                    }
                    Role::Length(_) => assert_eq!(info.anchor, super::super::Anchor::Origins, "{}", info.name),
                    Role::AngularMotor(_)
                    | Role::LinearMotor(_)
                    | Role::SpringRate(_)
                    | Role::Damping(_)
                    | Role::Coefficient(_)
                    | Role::Radius(_)
                    | Role::Lead(_)
                    | Role::Place(_)
                    | Role::Wrap(_)
                    | Role::Profile(_)
                    | Role::Switch(_)
                    | Role::Rows(_)
                    | Role::Bounds(_)
                    | Role::Values(_)
                    | Role::SlideAxis(_)
                    | Role::TurnAxis(_)
                    | Role::Axes(_)
                    | Role::RotationZero(_)
                    | Role::HingeForm(_)
                    | Role::OrientationForm(_) => {}
                }
            }
        }
    }

    #[test]
    fn what_a_kind_holds_is_read_off_its_rows() {
        let holds = |name: &str| {
            let kind = JointKind::all().into_iter().find(|kind| kind.info().name == name).expect("there is one");
            kind.holds()
        };
        assert_eq!(holds("BallSocket"), (true, false, false));
        assert_eq!(holds("Spring"), (false, false, false));
        assert_eq!(holds("AngularMotor"), (false, false, false));
        assert_eq!(holds("OrientationLock"), (false, true, false));
        assert_eq!(holds("Prismatic"), (true, true, false));
        assert_eq!(holds("Plane"), (true, false, false));
        assert_eq!(holds("ConeTwist"), (true, false, true));
        assert_eq!(holds("ConstantVelocity"), (true, true, false));
        assert_eq!(holds("RotaryMotor"), (true, true, false));
        assert_eq!(holds("SixDof"), (true, true, false));
    }
}
