//! A mistyped command looks like the name of a scene. The answer suggests the command that was probably meant.

use std::path::Path;

use clap::CommandFactory;

use delassus_files::built_in;
use delassus_scene::{library, nearest};

/// What to say if the first argument looks like a command, but is neither one nor a scene.
pub fn mistyped<A: CommandFactory>(first: Option<String>) -> Option<String> {
    let first = first.filter(|first| !first.starts_with('-') && !Path::new(first).exists())?;
    let command = A::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    if names.contains(&first.as_str()) {
        return None;
    }
    let hint = nearest(&first, names);
    // The library is read only if there is a similar command.
    let is_meant = !hint.is_empty() && !built_in::is_file(&library::find(&first));
    is_meant.then(|| format!("there is no command `{first}`{hint}"))
}

/// What to say if the name of a scene to open is not a scene but a command: the user wrote options before the command.
#[cfg(feature = "gui")]
pub fn misplaced<A: CommandFactory>(scene: &str) -> Option<String> {
    let is_command = A::command().get_subcommands().any(|command| command.get_name() == scene);
    let is_meant = is_command && !built_in::is_file(&library::find(scene));
    is_meant.then(|| format!("options come after the command, as in `delassus {scene} --scenes DIR`"))
}
