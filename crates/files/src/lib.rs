//! Files, with care: they are read with a limit of size ([`file_reader`]) and written whole ([`new_file`]).

pub mod file_reader;
pub mod new_file;
