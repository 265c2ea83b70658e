//! `delassus verify` as a test, and the pages that are made of it.

mod jacobi;
mod truth;
