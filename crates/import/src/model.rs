//! A model as it was read, whatever its format: links in the world frame, and the joints between them.

use glam::{DMat3, DVec3};

use crate::frame::Frame;
use crate::report::Place;
use crate::shapes::Form;

/// The number of the world among the links. It is fixed.
pub const WORLD: usize = 0;

/// A model. Links stand in its pose, world frame, z up.
#[derive(Debug, Clone)]
pub struct Model {
    pub name: String,
    /// The first is the world. A link comes after its parent.
    pub links: Vec<Link>,
    /// A joint of the tree comes before those of its child.
    pub joints: Vec<Joint>,
    pub couplings: Vec<Coupling>,
    pub sensors: Vec<Sensor>,
    /// Links that do not touch each other.
    pub excluded: Vec<(usize, usize)>,
    /// Pairs of shapes, by their names, that touch whatever else is said.
    pub paired: Vec<(String, String)>,
    /// Whether two surfaces have the larger of their coefficients of friction, as in MuJoCo.
    pub larger_friction: bool,
    /// m/s²; `None` is the scene's default.
    pub gravity: Option<DVec3>,
    /// Whether anything touches at all.
    pub contacts: bool,
    /// Whether links of the model touch each other.
    pub self_collision: bool,
    /// Whether it stands free: it is lifted onto a floor.
    pub on_floor: bool,
}

/// A sensor of a joint.
#[derive(Debug, Clone)]
pub struct Sensor {
    pub name: String,
    pub place: Place,
    /// The name of its joint in the model.
    pub joint: String,
    /// The joint's column that it measures.
    pub column: &'static str,
}

/// A rigid part.
#[derive(Debug, Clone)]
pub struct Link {
    pub name: String,
    pub place: Place,
    /// Its frame in the world.
    pub pose: Frame,
    /// `None` if the file gives none.
    pub mass: Option<Mass>,
    pub shapes: Vec<LinkShape>,
    /// It is part of the world, and does not move.
    pub fixed: bool,
    /// Its shapes become a body each, as those of an MJCF world do.
    pub scenery: bool,
    /// It has neither mass nor shape of its own, and gets a small mass.
    pub light: bool,
}

/// Mass properties, in the frame of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mass {
    /// kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub centre: DVec3,
    /// About the centre of mass, in the axes of the link, kg m². Zero is that of the shape at even density.
    pub inertia: DMat3,
}

/// A shape of a link.
#[derive(Debug, Clone)]
pub struct LinkShape {
    pub name: Option<String>,
    /// In the link's frame.
    pub frame: Frame,
    pub form: Form,
    /// Whether it touches anything; otherwise it is only seen.
    pub collides: bool,
    pub friction: Option<f64>,
    /// MJCF's `condim="1"`: it is frictionless against others of that kind.
    pub frictionless: bool,
    /// MJCF's `contype` and `conaffinity`: two shapes touch if a bit of one's first is in the other's second.
    pub bits: (u32, u32),
}

/// What a joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    Nothing,
    Turn,
    Slide,
    Ball,
    /// Along the plane across the axis, and about the axis.
    Plane,
    All,
}

/// A joint between two links.
#[derive(Debug, Clone)]
pub struct Joint {
    pub name: String,
    pub place: Place,
    pub parent: usize,
    pub child: usize,
    pub freedom: Freedom,
    /// World frame, m.
    pub anchor: DVec3,
    /// World frame, of unit length.
    pub axis: DVec3,
    /// Its value in the model's pose, rad or m.
    pub value: f64,
    /// MJCF's `ref`: its value where the file puts the bodies, from which MuJoCo counts couplings, rad or m.
    pub reference: f64,
    /// rad or m; of a ball, 0 and the greatest angle of its rotation.
    pub limit: Option<(f64, f64)>,
    /// N·m·s/rad or N·s/m.
    pub damping: f64,
    /// N·m or N.
    pub friction: f64,
    /// kg·m² or kg.
    pub armature: f64,
    /// Stiffness, N·m/rad or N/m, and the value at rest.
    pub spring: Option<(f64, f64)>,
    /// The most that a drive may apply, N·m or N.
    pub effort: Option<f64>,
    pub drive: Option<Drive>,
    /// It closes a loop, or is otherwise no part of the tree.
    pub closes: bool,
    /// World frame, m: the point of the child that is to be at the anchor, if it is elsewhere in the model's pose.
    pub apart: Option<DVec3>,
}

impl Joint {
    /// A joint without limits and resistance.
    pub fn new(name: impl Into<String>, place: Place, (parent, child): (usize, usize), freedom: Freedom) -> Self {
        Self {
            name: name.into(),
            place,
            parent,
            child,
            freedom,
            anchor: DVec3::ZERO,
            axis: DVec3::X,
            value: 0.0,
            reference: 0.0,
            limit: None,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            spring: None,
            effort: None,
            drive: None,
            closes: false,
            apart: None,
        }
    }
}

/// A servo of a joint: τ = force + k (target − value) + c (speed − rate), in SI units of the joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drive {
    pub stiffness: f64,
    pub damping: f64,
    pub target: f64,
    pub speed: f64,
    /// Constant torque or force.
    pub force: f64,
    /// The most that it may apply; `None` is any.
    pub cap: Option<f64>,
}

impl Drive {
    /// One that applies nothing.
    pub const NONE: Self = Self { stiffness: 0.0, damping: 0.0, target: 0.0, speed: 0.0, force: 0.0, cap: None };

    /// τ = constant − k value − c rate: the constant is the target's part, or without a spring the speed's.
    pub fn new(stiffness: f64, damping: f64, constant: f64) -> Self {
        let drive = Self { stiffness, damping, ..Self::NONE };
        match (stiffness > 0.0, damping > 0.0) {
            (true, _) => Self { target: constant / stiffness, ..drive },
            (false, true) => Self { speed: constant / damping, ..drive },
            (false, false) => Self { force: constant, ..drive },
        }
    }

    /// What it applies at a value and a rate of 0.
    pub fn constant(&self) -> f64 {
        self.force + self.stiffness * self.target + self.damping * self.speed
    }
}

/// A joint whose value follows another's: follower = ratio × leader + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    pub place: Place,
    pub name: String,
    /// Numbers of joints.
    pub leader: usize,
    pub follower: usize,
    pub ratio: f64,
    pub offset: f64,
}
