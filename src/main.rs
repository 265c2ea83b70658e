//! The program: arguments to a window or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    delassus::cli::main()
}
