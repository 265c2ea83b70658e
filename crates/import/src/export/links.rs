//! The bodies of a scene as links: frames, masses and velocities in 64 bits.

use delassus_physics::body::{BodyDef, Motion};
use delassus_scene::Flat;
use glam::{DMat3, DVec3};

use crate::frame::Frame;
use crate::inertia;
use crate::model::Mass;
use crate::report::{Place, Report};

/// The velocity of a rigid body: of the point of it that is at the world's origin, m/s, and its angular velocity, rad/s.
/// World frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    pub linear: DVec3,
    pub angular: DVec3,
}

impl Twist {
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// The twist of a body whose point `at`, m, has this velocity.
    pub fn of(at: DVec3, linear: DVec3, angular: DVec3) -> Self {
        Self { linear: linear - angular.cross(at), angular }
    }

    /// The velocity at a point, m/s.
    pub fn at(&self, point: DVec3) -> DVec3 {
        self.linear + self.angular.cross(point)
    }

    pub fn plus(&self, other: &Self, factor: f64) -> Self {
        Self { linear: self.linear + other.linear * factor, angular: self.angular + other.angular * factor }
    }
}

/// A body. Link 0 is the world.
#[derive(Clone, Copy)]
pub struct Link<'a> {
    pub name: &'a str,
    /// None for the world.
    pub def: Option<&'a BodyDef>,
    /// The frame of its shape, in which MJCF's body has its origin.
    pub pose: Frame,
    /// In the link's frame.
    pub mass: Mass,
    /// Nothing moves it.
    pub fixed: bool,
    pub twist: Twist,
}

impl Link<'_> {
    /// A point given from the centre of mass in the body's axes, m, in the world.
    pub fn body_point(&self, point: DVec3) -> DVec3 {
        self.pose.point(self.mass.centre + point)
    }

    /// Its centre of mass in the world, m.
    pub fn centre(&self) -> DVec3 {
        self.pose.point(self.mass.centre)
    }

    /// Its inertia about the centre of mass in the world's axes, kg m².
    pub fn world_inertia(&self) -> DMat3 {
        self.pose.tensor(self.mass.inertia)
    }

    /// The normal of the plane to which it is confined.
    pub fn plane(&self) -> Option<DVec3> {
        self.def.and_then(|def| def.plane).map(|normal| normal.as_dvec3().normalize_or_zero())
    }

    /// Whether it is a point mass, which does not turn.
    pub fn is_particle(&self) -> bool {
        self.def.is_some_and(|def| def.particle)
    }
}

/// The links of a scene: the world and all bodies, by their numbers in joints.
pub fn all<'a>(flat: &'a Flat, report: &Report) -> Vec<Link<'a>> {
    let nothing = Mass { mass: 0.0, centre: DVec3::ZERO, inertia: DMat3::ZERO };
    let world = Link {
        name: delassus_scene::WORLD,
        def: None,
        pose: Frame::IDENTITY,
        mass: nothing,
        fixed: true,
        twist: Twist::ZERO,
    };
    let bodies = flat.bodies.iter().map(|body| link(&body.name, &body.def, report));
    std::iter::once(world).chain(bodies).collect()
}

fn link<'a>(name: &'a str, def: &'a BodyDef, report: &Report) -> Link<'a> {
    let (turn, centre) = (def.rotation.as_dquat().normalize(), def.solid.centre.as_dvec3());
    let position = def.position.as_dvec3();
    let pose = Frame { origin: position - turn * centre, turn };
    let own = def
        .inertia
        .map_or_else(|| def.solid.unit_inertia.as_dmat3() * f64::from(def.mass), |inertia| inertia.as_dmat3());
    let fixed = def.motion != Motion::Dynamic;
    // MuJoCo refuses what breaks the triangle inequality by the rounding of 32 bits, as the inertia of a plate may.
    let inertia = match inertia::repair(own) {
        Some((repaired, said)) if !fixed => {
            if let Some(said) = said {
                report.note(Place::default(), format!("body `{name}`"), said);
            }
            repaired
        }
        _ => own,
    };
    let twist = match def.motion {
        Motion::Dynamic if def.particle => Twist::of(position, def.velocity.as_dvec3(), DVec3::ZERO),
        Motion::Dynamic => Twist::of(position, def.velocity.as_dvec3(), def.angular_velocity.as_dvec3()),
        _ => Twist::ZERO,
    };
    Link { name, def: Some(def), pose, mass: Mass { mass: f64::from(def.mass), centre, inertia }, fixed, twist }
}
