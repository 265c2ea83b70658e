//! `delassus completions` and `delassus man`: what shells and the manual need to know of the command line.

use std::io::Write;

use clap::Command;
use clap_complete::Shell;

use super::common::Failure;

/// Writes the script by which a shell completes commands and options.
pub fn completions(mut command: Command, shell: Shell, out: &mut impl Write) -> Result<(), Failure> {
    // Written at once, for the generator panics if its writer fails, as under `| head`.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "delassus", &mut text);
    Ok(out.write_all(&text)?)
}

/// Writes the manual page of the program, or of one of its commands.
pub fn man(mut command: Command, command_name: Option<&str>, out: &mut impl Write) -> Result<(), Failure> {
    command.build();
    let page = match command_name {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            found.ok_or_else(|| Failure::Misuse(format!("there is no command `{name}`")))?
        }
    };
    Ok(clap_mangen::Man::new(page).render(out)?)
}
