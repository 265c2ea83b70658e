//! Analyses a mechanism over the travel of one of its joints: positions, velocities and accelerations by exact
//! kinematics, forces by statics and dynamics, and quantities that engineers derive from them. It makes no time steps:
//! each sample is solved independently.
//!
//! | module | purpose |
//! |---|---|
//! | `frames`, `rows` | the rows of joints in 64 bits |
//! | `linkage` | the connected bodies and joints, as unknowns and rows |
//! | `path`, `newton` | motion along the driven joint's value: Newton's method, stops, dead centres |
//! | `rates` | velocities and accelerations |
//! | `forces` | reactions of joints, and the load of the drive |
//! | `plane` | instant centres |
//! | `turns` | where joints turn back |
//! | `coordinate` | reading and setting a joint's free coordinates |
//! | `block`, `loops`, `pose` | the bodies that move with a joint, and posing a mechanism by a joint's value |
//! | `assembly` | the ways in which loops close |
//! | `request`, `report`, `found` | the request, how it is answered, and the answer |
//! | `quantity`, `summary` | the numbers of a sample, the usual table, and the findings in sentences |
//! | `columns`, `page`, `curve` | output: CSV, plots and a report page, the path of a point as SVG and DXF |
//!
//! Its input is a world with names ([`DoctorCase`]). It depends on neither scene files nor a screen. If it cannot
//! analyse a mechanism, it returns a [`Refusal`] that says why; it does not panic.
//!
//! ```
//! use delassus_analysis::{DoctorCase, Request, analyse};
//! use delassus_physics::glam::Vec3;
//! use delassus_physics::{BodyDef, BodyId, Hinge, JointKind, Shape, Simulation};
//!
//! let mut simulation = Simulation::default();
//! let bob = BodyDef::dynamic(&Shape::Sphere { radius: 0.1 }, Vec3::X, 2.0)?;
//! let bob = simulation.add_body(bob)?;
//! simulation.add_joint(BodyId::WORLD, bob, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default()))?;
//! let world = simulation.world();
//! let case = DoctorCase::named(world, ["bob"].into_iter(), ["pivot"].into_iter());
//! let analysis = analyse(&case, &Request { joint: 0, samples: 4, ..Request::default() })?;
//! // Held level by a torque of m g l.
//! assert!((analysis.samples[0].drive.at_rest.abs() - 2.0 * 9.81).abs() < 1e-4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assembly;
mod block;
pub mod columns;
mod coordinate;
pub mod curve;
mod forces;
mod found;
mod frames;
mod linkage;
mod loops;
mod newton;
pub mod page;
mod path;
mod plane;
mod pose;
mod quantity;
mod rates;
mod refusal;
mod report;
mod request;
pub mod rows;
pub mod summary;
mod turns;

pub use assembly::{Assembly, assemblies};
pub use coordinate::Coordinate;
pub use delassus_doctor::DoctorCase;
pub use forces::Reaction;
pub use found::{Analysis, BodyAt, Centre, DriveLoad, Idle, JointAt, MotorUse, Sample, Stopped, Turn, largest};
pub use loops::MAX_IN_LOOPS;
pub use path::Barrier;
pub use pose::{CoordinateAt, PoseRequest, Posed, Stop, coordinates, pose};
pub use quantity::Quantity;
pub use refusal::Refusal;
pub use report::analyse;
pub use request::{Request, Travel};
