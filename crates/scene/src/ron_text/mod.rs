//! Values as ron's text, by way of trait objects.
//!
//! ron's reader and writer are generic over the type of each value and each field, and most of their functions are
//! large: a scene has about ninety types, and each brought its own copy of the whole reader. Here ron sees one type
//! only, a trait object, and a value's own code sees one reader and one writer. What is read and written, and each
//! error with its position, are ron's.
//!
//! ```text
//! value's code -> Reader -> dyn Source -> ron -> Answer -> dyn Receiver -> value's visitor
//! ```

mod access;
mod answer;
mod fault;
mod reader;
mod source;

use std::marker::PhantomData;

use ron::Options;
use ron::error::SpannedError;
use ron::ser::PrettyConfig;
use serde::Deserialize;

pub use erased_serde::Serialize;

use access::Reading;
use source::{Reads, Seed};

/// Reads a value, as [`Options::from_str`] does.
///
/// # Errors
/// Those of ron.
pub fn read<'de, T: Deserialize<'de>>(text: &'de str, options: &Options) -> Result<T, SpannedError> {
    let mut reading = Reading::of(PhantomData);
    run(text, options, &mut reading)?;
    Ok(reading.value.expect("what was read without an error is there"))
}

fn run<'de>(text: &'de str, options: &Options, reads: &mut dyn Reads<'de>) -> Result<(), SpannedError> {
    options.from_str_seed(text, Seed(reads))
}

/// Writes a value on one line.
///
/// # Errors
/// Those of ron; scenes consist of types that it can write.
pub fn write(value: &dyn Serialize, options: &Options) -> Result<String, ron::Error> {
    options.to_string(value)
}

/// Writes a value over several lines, with ron's default options.
///
/// # Errors
/// As [`write()`].
pub fn write_in_lines(value: &dyn Serialize, style: PrettyConfig) -> Result<String, ron::Error> {
    ron::ser::to_string_pretty(value, style)
}
