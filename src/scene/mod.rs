//! The scene: the document that is the truth, how it is read, checked, written and laid out for the physics.
//!
//! ```text
//! text -> outline (where everything stands) -> document -> flat bodies and joints -> world
//! ```

pub mod angle;
pub mod mistake;
pub mod rotation;
pub mod types;

pub use mistake::Mistake;
pub use types::*;
