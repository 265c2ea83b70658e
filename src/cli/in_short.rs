//! Long texts are shortened in messages: an argument may have any length, and a message would repeat it whole, even twice.

use std::ffi::OsString;

use delassus_scene::mistake::shortened;

/// Longer arguments are shortened in messages, characters.
const MAX_ARGUMENT_LENGTH: usize = 200;

/// Whether an argument is so long that messages must not repeat it.
pub fn is_long(argument: &OsString) -> bool {
    argument.to_string_lossy().chars().nth(MAX_ARGUMENT_LENGTH).is_some()
}

/// The message with these arguments, and what it quotes, shortened in the middle.
pub fn in_short(message: &str, arguments: impl Iterator<Item = OsString>) -> String {
    let mut message = message.to_owned();
    for argument in arguments.filter(is_long) {
        let whole = argument.to_string_lossy();
        message = message.replace(&*whole, &shortened(&whole));
        // Of `--option=value` and `NAME=VALUE` the message may repeat either side.
        for side in whole.splitn(2, '=').filter(|side| side.chars().nth(MAX_ARGUMENT_LENGTH).is_some()) {
            message = message.replace(side, &shortened(side));
        }
    }
    let quoted = |(at, part): (usize, &str)| match part.chars().nth(MAX_ARGUMENT_LENGTH) {
        Some(_) if at % 2 == 1 => shortened(part),
        _ => part.to_owned(),
    };
    message.split('`').enumerate().map(quoted).collect::<Vec<_>>().join("`")
}
