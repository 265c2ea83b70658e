//! What is drawn and framed.

pub mod framing;
pub mod motion;
