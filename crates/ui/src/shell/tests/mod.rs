//! The whole window, driven as by a user.

pub mod access;
pub mod commands;
pub mod files;
pub mod finder;
pub mod latency;
pub mod narrow;
pub mod tour;
