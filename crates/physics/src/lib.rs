//! Rigid bodies, joints and contacts, the constraint rows that they make, and the solvers of these rows.
//!
//! The crate does not depend on files, graphics cards or screens, and its steps cannot fail: values that the solvers cannot
//! handle are refused before, by a scene's checks or by [`Simulation`]. The same input gives the same bits on every machine with the
//! same instructions, whatever the number of threads.
//!
//! A pendulum of 1 kg is released from the horizontal. At the bottom its hinge carries nearly three times its weight. The
//! energy of the ball's own rotation makes it a little less:
//!
//! ```
//! use delassus_physics::glam::Vec3;
//! use delassus_physics::{BodyDef, BodyId, Hinge, JointKind, Shape, Simulation};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut simulation = Simulation::default();
//! let ball = BodyDef::dynamic(&Shape::Sphere { radius: 0.05 }, Vec3::new(1.0, 0.0, 2.0), 1.0)?;
//! let ball = simulation.add_body(ball)?;
//! let (pivot, axis) = (Vec3::new(0.0, 0.0, 2.0), Vec3::Y);
//! let hinge = simulation.add_joint(BodyId::WORLD, ball, pivot, axis, JointKind::Hinge(Hinge::default()))?;
//!
//! let mut greatest: f32 = 0.0;
//! for _ in 0..60 {
//!     simulation.step();
//!     greatest = greatest.max(simulation.joint(hinge).ok_or("no such hinge")?.force.length());
//! }
//! // With the inertia I = 2/5 m r² about its centre: m g (1 + 2 m R²/(m R² + I)).
//! let right = 9.81 * (1.0 + 2.0 / (1.0 + 0.4 * 0.05 * 0.05));
//! assert!((greatest - right).abs() < 0.01 * right, "{greatest} N, not {right} N");
//! # Ok(())
//! # }
//! ```
//!
//! [`Simulation`] is the facade for programs that do not need rows; `examples/` has five such programs. The state, the
//! solvers' settings and the rows are in [`world::World`], [`settings::Settings`] and [`system::System`]. A kind of joint is one file in [`joints`], a solver one in [`solvers`].

#[macro_use]
pub mod setting;
pub mod settings;

pub mod angle;
pub mod angular_cap;
mod arcs;
pub mod articulations;
mod assembly;
pub mod balance;
pub mod ballistic;
pub mod batches;
#[cfg(test)]
mod bench;
pub mod body;
pub mod bounds;
pub mod breaking;
mod capstan;
pub mod clock;
pub mod collide;
pub mod collision_filter;
mod compound;
pub mod confine;
mod copy;
pub mod device;
mod divide;
pub mod effective_mass;
mod energy_budget;
pub mod fault;
mod flight;
pub mod force;
pub mod formulation;
mod free_rotation;
pub mod geometric;
pub mod graph;
pub mod gyroscopic;
mod hull;
mod impact_energy;
pub mod inertia;
pub mod integrate;
pub mod joint;
mod joint_options;
pub mod joints;
pub mod kernel;
pub(crate) mod mechanisms;
pub mod metrics;
pub mod motor_target;
pub mod mouse_joint;
pub mod mover;
mod on_device;
mod penalties;
mod phases;
pub mod plan;
pub mod positions;
pub mod prepare;
pub mod preset;
pub mod primitives;
pub mod quantity;
pub mod rattle;
mod reading;
pub mod readout;
pub mod refresh;
pub mod refuse;
pub mod relax;
mod resident;
pub mod residual;
mod resistance;
pub mod restitution;
pub mod rotation;
mod rotor;
pub mod row;
pub mod row_energy;
mod servo;
pub mod setting_text;
pub mod shake;
pub mod shape;
pub mod shared;
pub mod simulation;
pub mod sleep;
pub mod softness;
pub mod solvers;
pub mod spectrum;
pub mod stability;
pub mod stabilize;
mod sums;
pub mod system;
pub mod threads;
pub mod touch;
pub mod trace;
pub mod velocity;
pub mod warm_start;
mod warm_start_limiter;
mod watched;
mod whole_step;
pub mod work;
pub mod world;

pub use body::{BodyDef, Material, Motion};
pub use glam;
pub use joints::{
    AngularDrive, AngularMotor, AngularServo, AngularSpring, AxisLock, BallSocket, Belt, Cam, ConeTwist,
    ConstantVelocity, Cylindrical, Distance, Drum, Fixed, Formula, Gear, Hinge, JointKind, LinearDrive, LinearServo,
    LinearSpring, OrientationLock, Plane, PointOnRing, Prismatic, Pulley, Rack, Rope, RotaryMotor, Screw, Spring,
    Universal,
};
pub use readout::Readout;
pub use rotation::Rotation;
pub use row::{Damping, Softness, SpringRate};
pub use settings::Settings;
pub use shape::{Shape, ShapePart};
pub use simulation::{BodyId, BodyState, Invalid, JointId, Simulation};
pub use world::World;
