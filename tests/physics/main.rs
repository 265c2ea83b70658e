//! The physics against closed forms: a test names the physics that it proves, and its numbers come from the formula
//! beside it. Cases are numbered as in the project's list of analytic cases (docs/math.md).

mod build;

mod batches;
mod bounces;
mod breaking;
mod confined;
mod conserving;
mod contact_rows;
mod contact_sources;
mod contacts;
mod continuous;
mod driven;
mod drops;
mod errata;
mod errata_contacts;
mod faults;
mod formulations;
mod friction;
mod geometric;
mod jacobi;
mod jacobians;
mod joints;
mod least;
mod loads;
mod marks;
mod motion;
mod movers;
mod patches;
mod printed_code;
mod printed_formulas;
mod readouts;
mod sliders;
mod soft;
mod soft_rows;
mod solvers;
mod spectrum;
mod spin;
mod stabilization;
mod statics;
mod sweeps;
mod swing_twist;
mod torture;
mod touch;
mod trees;
mod warm_start;
