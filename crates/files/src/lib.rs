//! Files, with care: they are read with a limit of size ([`file_reader`]) and written whole ([`whole_file`])
//! or piece by piece ([`growing_file`]).

pub mod atomic_write;
#[doc(hidden)]
pub mod fault;
pub mod file_reader;
pub mod growing_file;
pub mod whole_file;
