//! `delassus licences`: the licences of the program, and of the fonts and crates that it contains.

use std::io::Write;

use super::common::Failure;
use delassus_licences::{OWN, THIRD_PARTY};

pub fn licences(out: &mut impl Write) -> Result<(), Failure> {
    write!(out, "{OWN}\n\n{THIRD_PARTY}")?;
    Ok(out.flush()?)
}
