//! Starters of the palette: small mechanisms to begin with. Each is a scene of its own text; placed, it is bodies and
//! joints like any others.

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use lucide_icons::Icon;

use delassus_scene::{Body, Joint, Loaded, read_str};

/// A starter of the palette.
pub struct Starter {
    pub name: &'static str,
    pub icon: Icon,
    pub what: &'static str,
    text: &'static str,
}

/// All starters.
pub const STARTERS: [Starter; 5] = [
    Starter {
        name: "Pendulum",
        icon: Icon::Metronome,
        what: "a bob on a hinge beside a post",
        text: include_str!("starters/pendulum.ron"),
    },
    Starter {
        name: "Hinge with motor",
        icon: Icon::Fan,
        what: "a blade that a motor turns",
        text: include_str!("starters/hinge.ron"),
    },
    Starter {
        name: "Four-bar",
        icon: Icon::Spline,
        what: "a crank with a motor, a coupler and a rocker",
        text: include_str!("starters/four-bar.ron"),
    },
    Starter {
        name: "Car",
        icon: Icon::Car,
        what: "a chassis on four wheels, the rear ones with motors",
        text: include_str!("starters/car.ron"),
    },
    Starter {
        name: "Arm",
        icon: Icon::BicepsFlexed,
        what: "a robot's arm with a motor in each of three joints",
        text: include_str!("starters/arm.ron"),
    },
];

/// The scene of a starter, read once; `None` if there is no such starter.
pub fn scene(index: usize) -> Option<&'static Loaded> {
    static SCENES: OnceLock<Vec<Option<Loaded>>> = OnceLock::new();
    let read = |starter: &Starter| read_str(starter.text, starter.name).ok();
    SCENES.get_or_init(|| STARTERS.iter().map(read).collect()).get(index)?.as_ref()
}

/// Its bodies and joints, rotated by `turn` with the origin at `at`, world frame, m.
pub fn placed(index: usize, turn: Quat, at: Vec3) -> (Vec<Body>, Vec<Joint>) {
    let Some(loaded) = scene(index) else { return Default::default() };
    let (mut bodies, mut joints) = (loaded.scene.bodies.to_vec(), loaded.scene.joints.to_vec());
    for body in &mut bodies {
        body.at = at + turn * body.at;
        if let Ok(rotation) = body.rotation.quat()
            && turn != Quat::IDENTITY
        {
            body.rotation = (turn * rotation).normalize().into();
        }
    }
    for joint in &mut joints {
        joint.places_mut().common.map(|point| at + turn * point, |direction| turn * direction);
        joint.kind.move_points(|point| at + turn * point);
    }
    (bodies, joints)
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_doctor::Severity;
    use delassus_session::{Command, Edit, Session};

    /// A new scene, in which each starter is placed turned about the upright axis.
    #[test]
    fn every_starter_runs_on_the_floor_of_a_new_scene_without_a_warning() {
        for (index, starter) in STARTERS.iter().enumerate() {
            for turn in [Quat::IDENTITY, Quat::from_rotation_z(0.5)] {
                let mut session = Session::new();
                session.dispatch(Command::New).expect("a new scene");
                let (bodies, joints) = placed(index, turn, Vec3::new(1.0, 2.0, 0.0));
                assert!(bodies.len() > 1 && !joints.is_empty(), "{}", starter.name);
                session
                    .dispatch(Command::Edit { edit: Edit::Add { bodies, joints }, gesture: None })
                    .unwrap_or_else(|error| panic!("{}: {error}", starter.name));
                session.dispatch(Command::Examine).expect("a scene");
                let grave: Vec<_> = session.findings().iter().filter(|f| f.severity > Severity::Note).collect();
                assert!(grave.is_empty(), "{}: {grave:?}", starter.name);
                // A blade turns about its own centre, so points at the bodies' ends are compared.
                let ends = |session: &Session| -> Vec<Vec3> {
                    let far = Vec3::new(0.6, 0.4, 0.5);
                    session.snapshot().bodies.iter().map(|body| body.centre + body.pose.rotation * far).collect()
                };
                let before = ends(&session);
                for _ in 0..120 {
                    session.dispatch(Command::Step).expect("a step");
                }
                let farthest =
                    ends(&session).iter().zip(&before).map(|(now, was)| now.distance(*was)).fold(0.0, f32::max);
                assert!(farthest > 0.1, "{} stands still", starter.name);
                assert!(session.snapshot().metrics.joint_error_max < 0.01, "{}", starter.name);
            }
        }
    }
}
