//! The clock by which steps, frames and patience are measured: the system's, in the browser the page's, because `std` has
//! none there. Whoever needs a time takes it from here.

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use web_time::Instant;
