//! The physics core. It knows no file, no GPU and no screen, and it cannot fail: whatever can go wrong in a scene is
//! refused before a [`world::World`] is made of it.

#[macro_use]
pub mod setting;
pub mod settings;

pub mod angle;
pub mod angular_cap;
mod assembly;
mod away;
pub mod balance;
pub(crate) mod ballistic;
pub mod batches;
#[cfg(test)]
mod bench;
mod blow_energy;
pub mod body;
pub mod bounds;
pub mod breaking;
pub mod collide;
pub mod confine;
mod copy;
pub mod course;
pub mod device;
mod divide;
pub mod effective_mass;
pub mod fault;
pub mod forest;
pub mod formulation;
pub mod geometric;
pub mod graph;
pub mod gyroscopic;
pub mod integrate;
pub mod joint;
mod joint_options;
pub mod joints;
mod ledger;
pub mod limit_surface;
pub mod metrics;
pub mod mouse_joint;
pub mod mover;
pub mod positions;
pub mod prepare;
pub mod primitives;
pub mod quantity;
pub mod rattle;
pub mod readout;
pub mod relax;
mod resident;
pub mod residual;
pub mod restitution;
pub mod row;
mod safeguard;
pub mod shake;
pub mod shape;
pub mod shared;
pub mod sleep;
pub mod softness;
pub mod solvers;
pub mod spectrum;
pub mod stability;
pub mod stabilize;
pub(crate) mod threads;
pub mod touch;
pub mod trace;
mod vectors;
pub mod warm_start;
pub mod world;
