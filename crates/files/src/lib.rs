//! Reading and writing files safely: they are read up to a limit of size ([`file_reader`]), and written whole
//! ([`whole_file`]) or piece by piece ([`growing_file`]). Some are compiled into the program ([`built_in`]).
//! In the browser there is no disk: [`memory`] takes its place.

pub mod atomic_write;
pub mod built_in;
#[doc(hidden)]
pub mod fault;
pub mod file_reader;
pub mod growing_file;
pub mod memory;
pub mod whole_file;
