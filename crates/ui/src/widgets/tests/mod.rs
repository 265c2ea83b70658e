//! Tests of the widgets' appearance.

pub mod colors;
