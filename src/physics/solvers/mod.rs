//! The solvers, a file each; the stages that they share are in `common.rs`. A solver knows rows and bodies, never
//! joint kinds. A new solver is one file here and one line in [`advance`].

mod clamp;
pub mod common;
pub mod direct;
pub mod gauss_seidel;
pub mod held;
pub mod jacobi;
mod momentum;
mod printed;
pub mod tree;

use super::settings::Method;
use super::world::World;

/// Advances the world by `h` seconds.
pub fn advance(world: &mut World, h: f32) {
    match world.settings.solver.method {
        Method::GaussSeidel => gauss_seidel::advance(world, h),
        Method::Jacobi => jacobi::advance(world, h),
        Method::Direct => direct::advance(world, h),
    }
}
