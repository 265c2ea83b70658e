//! The tour's steps: a four-bar linkage on a table, seen from above.
//!
//! ```text
//!        crank      rod
//!        +---+  o========o        crank: a box that turns about its middle, pin at 0.5 m
//!        | o |            ‖       rod: a plank, 2 m from pin to pin
//!        +---+            ‖       rocker: a plank, 2 m from pin to pin
//!                         o       frame: 3.2 m from pivot to pivot
//! ```
//!
//! Grashof: shortest and longest together, 0.5 + 3.2, are less than the other two, 2 + 2, so that the crank turns all
//! the way round and the rocker rocks.

use glam::{Quat, Vec2, Vec3};

use crate::editor::tools::{stencils, stock};
use crate::view::View;
use delassus_physics::joints::{AngularDrive, JointKind};
use delassus_physics::shape::Shape;
use delassus_scene::{Body, Joint, WORLD};
use delassus_session::{Edit, Motion};

/// The steps, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Crank,
    Rod,
    Rocker,
    Turn,
    Pivot,
    CrankPin,
    RockerPin,
    Foot,
    Motor,
    Run,
    Keep,
}

impl Step {
    pub const ALL: [Self; 11] = [
        Self::Crank,
        Self::Rod,
        Self::Rocker,
        Self::Turn,
        Self::Pivot,
        Self::CrankPin,
        Self::RockerPin,
        Self::Foot,
        Self::Motor,
        Self::Run,
        Self::Keep,
    ];

    /// Title, and what to do.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Crank => (
                "The crank",
                "Press B for the spawn tool, choose the box, and click in the middle of the marked square. The magnet \
                 is on: places snap to a grid.",
            ),
            Self::Rod => ("The rod", "Choose the plank, and click in the middle of the mark."),
            Self::Rocker => ("The rocker", "Another plank. It still points the wrong way."),
            Self::Turn => (
                "Turn it",
                "Esc ends spawning. Click the plank, press T to turn it, Z for the vertical axis, type 90, then Enter.",
            ),
            Self::Pivot => (
                "A hinge to the table",
                "Press J for the joint tool and choose Hinge. Drag from the middle of the box out to the empty floor: \
                 a joint holds at the point where the drag began.",
            ),
            Self::CrankPin => ("Crank to rod", "Drag from the right edge of the box to the rod."),
            Self::RockerPin => ("Rod to rocker", "Drag from the right end of the rod to the rocker."),
            Self::Foot => ("The other pivot", "Drag from the lower end of the rocker out to the empty floor."),
            Self::Motor => (
                "A motor",
                "Esc ends joining. Click the blue dot in the middle of the box: that is its hinge. Switch Motor on in \
                 the Inspector on the right.",
            ),
            Self::Run => (
                "Let it run",
                "Space plays. The crank turns all the way round, the rocker rocks; the plots show energy and joint \
                 error.",
            ),
            Self::Keep => {
                ("Keep it", "R goes back to the beginning. Ctrl+S saves the linkage under a name of your own.")
            }
        }
    }

    /// The marked area: middle and half sizes, m.
    pub fn mark(self) -> Option<(Vec2, Vec2)> {
        match self {
            Self::Crank => Some((CRANK, Vec2::splat(0.5))),
            Self::Rod => Some((ROD, PLANK)),
            Self::Rocker => Some((ROCKER, PLANK)),
            Self::Turn => Some((ROCKER, Vec2::new(PLANK.y, PLANK.x))),
            _ => None,
        }
    }

    /// The drag to show, from and to, on the table, m.
    pub fn drag(self) -> Option<(Vec2, Vec2)> {
        let beside = Vec2::new(-0.2, -0.9);
        match self {
            Self::Pivot => Some((CRANK, CRANK + beside)),
            Self::CrankPin => Some((PIN, PIN + Vec2::new(0.5, 0.0))),
            Self::RockerPin => Some((TIP, TIP + Vec2::new(0.0, -0.6))),
            Self::Foot => Some((FOOT, FOOT + Vec2::new(-0.9, 0.2))),
            _ => None,
        }
    }
}

/// Middles of the three bodies, and the joints between them, on the table, m.
const CRANK: Vec2 = Vec2::new(-2.0, 0.0);
const ROD: Vec2 = Vec2::new(-0.5, 0.0);
const ROCKER: Vec2 = Vec2::new(0.5, -1.0);
const PIN: Vec2 = Vec2::new(-1.5, 0.0);
const TIP: Vec2 = Vec2::new(0.5, 0.0);
const FOOT: Vec2 = Vec2::new(0.5, -2.0);
/// Half sizes of the palette's plank, seen from above.
const PLANK: Vec2 = Vec2::new(1.0, 0.25);
/// How near to its mark a piece must be, m.
const NEAR: f32 = 0.4;
/// Indices of the pieces in the list of names.
const BOX: usize = 0;
const BAR: usize = 1;
const ARM: usize = 2;

/// Names of crank, rod and rocker, once they are there.
pub type TourNames = [Option<String>; 3];

/// Whether the step is done. Notes the names of new pieces.
pub fn is_done(step: Step, view: &View<'_>, names: &mut TourNames) -> bool {
    match step {
        Step::Crank => found(view, CRANK, BOX, names),
        Step::Rod => found(view, ROD, BAR, names),
        Step::Rocker => found(view, ROCKER, ARM, names),
        Step::Turn => named(view, names, ARM)
            .is_some_and(|body| body.rotation.quat().is_ok_and(|turn| (turn * Vec3::X).y.abs() > 0.95)),
        Step::Pivot | Step::CrankPin | Step::RockerPin | Step::Foot => {
            joint(step, view, names).is_some_and(|joint| trouble_with(joint).is_none())
        }
        Step::Motor => joint(Step::Pivot, view, names).and_then(speed).is_some_and(|speed| speed != 0.0),
        Step::Run => {
            let asked = joint(Step::Pivot, view, names).and_then(speed).unwrap_or_default();
            let crank = names[BOX].as_deref().and_then(|n| view.snapshot.bodies.iter().find(|b| &*b.name == n));
            view.snapshot.time > 2.0 && crank.is_some_and(|crank| crank.angular_velocity.z.abs() > 0.3 * asked.abs())
        }
        Step::Keep => view.path.is_some() && !view.unsaved,
    }
}

/// Advice for a step that nearly succeeded.
pub fn trouble(step: Step, view: &View<'_>, names: &TourNames) -> Option<&'static str> {
    trouble_with(joint(step, view, names)?)
}

fn trouble_with(joint: &Joint) -> Option<&'static str> {
    let upright = [joint.axis, joint.axis_a, joint.axis_b]
        .into_iter()
        .flatten()
        .all(|axis| axis.normalize_or_zero().z.abs() > 0.9);
    match joint.kind {
        JointKind::Hinge(_) if upright => None,
        JointKind::Hinge(_) => Some(
            "Its axis is horizontal. Ctrl+Z, then press Z in the joint tool for the vertical \
                                     axis.",
        ),
        _ => Some("That is another kind of joint. Ctrl+Z, then choose Hinge under the tools."),
    }
}

fn found(view: &View<'_>, at: Vec2, which: usize, names: &mut TourNames) -> bool {
    let fits = |body: &&Body| {
        body.motion == Motion::Dynamic
            && matches!(body.shape, Shape::Box { .. })
            && body.at.truncate().distance(at) < NEAR
            && !names.iter().flatten().any(|name| *name == body.name)
    };
    names[which] = view.scene.bodies.iter().find(fits).map(|body| body.name.clone());
    names[which].is_some()
}

fn named<'a>(view: &'a View<'_>, names: &TourNames, which: usize) -> Option<&'a Body> {
    let name = names[which].as_deref()?;
    view.scene.bodies.iter().find(|body| body.name == name)
}

/// The newest joint between the two pieces that a step joins.
fn joint<'a>(step: Step, view: &'a View<'_>, names: &TourNames) -> Option<&'a Joint> {
    let (first, second) = match step {
        Step::Pivot => (BOX, None),
        Step::CrankPin => (BOX, Some(BAR)),
        Step::RockerPin => (BAR, Some(ARM)),
        Step::Foot => (ARM, None),
        _ => return None,
    };
    let first = names[first].as_deref()?;
    let second = second.map(|which| names[which].as_deref());
    let is_other = |end: &str| match second {
        Some(name) => name == Some(end),
        None => end == WORLD || view.scene.bodies.iter().any(|b| b.name == end && b.motion == Motion::Static),
    };
    let fits = |j: &&Joint| (j.a == first && is_other(&j.b)) || (j.b == first && is_other(&j.a));
    view.scene.joints.iter().rev().find(fits)
}

fn speed(joint: &Joint) -> Option<f32> {
    match &joint.kind {
        JointKind::Hinge(hinge) => hinge.motor.map(|motor| motor.speed),
        _ => None,
    }
}

/// The edit that does the step; `None` if it takes no edit.
pub fn edit(step: Step, view: &View<'_>, names: &TourNames) -> Option<Edit> {
    let body = |index: usize, at: Vec2| {
        let item = &stock::SHAPES[index];
        let solid = stencils::solid(index)?;
        let Shape::Box { half } = solid.shape else { return None };
        let body = Body::new(item.name.to_lowercase(), solid.shape.clone(), at.extend(half.z + 0.002));
        Some(Edit::Add { bodies: vec![body], joints: vec![] })
    };
    let hinge = |a: Option<&str>, b: Option<&str>, at: Vec2, height: f32| {
        let kind = JointKind::all().into_iter().find(|kind| matches!(kind, JointKind::Hinge(_)))?;
        let mut joint = Joint::new(a?, b?, at.extend(height), kind);
        joint.axis = Some(Vec3::Z);
        Some(Edit::Add { bodies: vec![], joints: vec![joint] })
    };
    let name = |which: usize| names[which].as_deref();
    match step {
        Step::Crank => body(0, CRANK),
        Step::Rod => body(1, ROD),
        Step::Rocker => body(1, ROCKER),
        Step::Turn => {
            let arm = named(view, names, ARM)?;
            let rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
            Some(Edit::Place(vec![delassus_session::Placed { name: arm.name.clone(), at: arm.at, rotation }]))
        }
        Step::Pivot => hinge(Some(WORLD), name(BOX), CRANK, 0.5),
        Step::CrankPin => hinge(name(BOX), name(BAR), PIN, 0.125),
        Step::RockerPin => hinge(name(BAR), name(ARM), TIP, 0.125),
        Step::Foot => hinge(Some(WORLD), name(ARM), FOOT, 0.125),
        Step::Motor => {
            let mut joint = joint(Step::Pivot, view, names)?.clone();
            let name = joint.label();
            if let JointKind::Hinge(hinge) = &mut joint.kind {
                hinge.motor = Some(AngularDrive { speed: std::f32::consts::FRAC_PI_2, max_torque: 1000.0 });
            }
            Some(Edit::Joint { name, joint: Box::new(joint) })
        }
        Step::Run | Step::Keep => None,
    }
}
