//! A mechanism over the travel of one of its joints: positions, velocities and accelerations by exact kinematics, forces
//! by statics and dynamics, and what engineers read from them. It makes no steps: every sample is solved for itself.
//!
//! | module | |
//! |---|---|
//! | `frames`, `rows` | the rows of joints in 64 bits |
//! | `linkage` | the bodies and joints that hang together, as unknowns and rows |
//! | `path`, `newton` | moves the mechanism along the driven joint's value: Newton's method, stops, dead centres |
//! | `rates` | velocities and accelerations |
//! | `forces` | reactions of joints, and the load of the drive |
//! | `plane` | instant centres |
//! | `turns` | where joints turn back |
//! | `coordinate` | the free coordinates of a joint, read and set |
//! | `block`, `loops`, `pose` | what moves with a joint, and a mechanism posed by the value of one |
//! | `assembly` | the ways in which loops close |
//! | `request`, `report`, `found` | what is asked, how it is answered, and the answer |
//! | `quantity`, `summary` | the numbers of a sample, the usual table, and what was found in sentences |
//! | `columns`, `page`, `curve` | what is written: CSV, plots and a report page, the path of a point as SVG and DXF |
//!
//! It knows worlds and names ([`DoctorCase`]), no scene files and no screen. What it cannot analyse it refuses with a
//! [`Refusal`] in words; it does not panic.
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
//! assert!((analysis.samples[0].drive.still.abs() - 2.0 * 9.81).abs() < 1e-4);
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
pub use loops::MOST_IN_LOOPS;
pub use path::Barrier;
pub use pose::{CoordinateAt, PoseRequest, Posed, Stop, coordinates, pose};
pub use quantity::Quantity;
pub use refusal::Refusal;
pub use report::analyse;
pub use request::{Request, Travel};
